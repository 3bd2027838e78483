//! The report as one page that needs nothing else: it can be mailed, printed and
//! read on a phone. It works without scripts; with them, a click on a common run
//! brings the other side to the same place.

use std::fmt::Write as _;

use super::{Report, ReportPair, graph, side_by_side};

/// Pairs beyond these are in the table only.
const SHOWN: usize = 100;

pub fn write(report: &Report) -> String {
    let mut page = String::from(HEAD);
    page.push_str("<h1>Shared code</h1>");
    summary(report, &mut page);
    if !report.clusters.is_empty() {
        page.push_str("<h2>Who shares with whom</h2>");
        page.push_str(&graph::draw(report));
    }
    if !report.pairs.is_empty() {
        table(report, &mut page);
        page.push_str("<h2>Side by side</h2><p class=note>The same colour on both sides is a common run; a click on it shows its place on the other side. Lines without a colour are not in the other source, or come with the course, or are in many programs.</p>");
        for (at, pair) in report.pairs.iter().take(SHOWN).enumerate() {
            one(report, at + 1, pair, &mut page);
        }
    }
    refused(report, &mut page);
    let _ = write!(page, "<script>\n{}</script>\n", side_by_side::SCRIPT);
    page
}

fn summary(report: &Report, page: &mut String) {
    let authors: std::collections::BTreeSet<&str> =
        report.sources.iter().map(|source| source.author.as_str()).collect();
    let _ = write!(
        page,
        "<p>{} by {} were compared; {} at least {:.0} % alike.</p><p class=note>Likeness is the share of the smaller \
         source, weighted by how rare its steps are, that both have. Names, literals, types, comments, layout and the \
         choice among equal ways of writing do not count, nor does what comes with the course. It proves nothing by \
         itself: read the two sources before you judge.</p>",
        count(report.sources.len(), "source", "sources"),
        count(authors.len(), "author", "authors"),
        count(report.pairs.len(), "pair is", "pairs are"),
        100.0 * report.threshold
    );
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn table(report: &Report, page: &mut String) {
    page.push_str(
        "<h2>Pairs</h2><div class=wide><table><thead><tr><th>#<th>alike<th>sources<th>share of each<th>longest \
         run<th>first",
    );
    let is_asked = report.pairs.iter().any(|pair| pair.behaviour.is_some());
    if is_asked {
        page.push_str("<th>equal orders<th>code");
    }
    page.push_str("</thead><tbody>");
    for (at, pair) in report.pairs.iter().enumerate() {
        let number = at + 1;
        let link = if at < SHOWN { format!("<a href=\"#pair{number}\">{number}</a>") } else { number.to_string() };
        let lower = if pair.confidence == "lower" { "<br><small>C++ and Rust: less certain</small>" } else { "" };
        let first = report.first(pair).map_or(String::from("—"), |first| {
            format!("{}<br><small>{}</small>", escape(&first.name), escape(&first.author))
        });
        let _ = write!(
            page,
            "<tr><td>{link}<td><meter value={0:.3}></meter> {1:.0} %{lower}<td>{2}<br>{3}<td>{4:.0} %<br>{5:.0} \
             %<td>{6} lines<td>{first}",
            pair.similarity,
            100.0 * pair.similarity,
            escape(&pair.name_a),
            escape(&pair.name_b),
            100.0 * pair.share_a,
            100.0 * pair.share_b,
            pair.longest,
        );
        if is_asked {
            behaviour(pair, page);
        }
    }
    page.push_str("</tbody></table></div>");
    if is_asked {
        page.push_str(
            "<p class=note>Equal orders are those that both players give on the same states; <i>usual</i> and \
             <i>most</i> are what each of them shares with players of others. Code is the share of the smaller compiled \
             program that only these two have. Where one thing is best everybody does it: none of this is a verdict.</p>",
        );
    }
}

fn behaviour(pair: &ReportPair, page: &mut String) {
    let share = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{:.0} %", 100.0 * share));
    let [equal, usual, most, beyond, code] = pair.behaviour.unwrap_or_default().shares().map(share);
    let _ = write!(page, "<td>{equal}");
    if pair.behaviour.is_some() {
        let _ = write!(page, "<br><small>usual {usual}, most {most}, beyond {beyond}</small>");
    }
    let _ = write!(page, "<td>{code}");
}

fn one(report: &Report, number: usize, pair: &ReportPair, page: &mut String) {
    let open = if number == 1 { " open" } else { "" };
    let _ = write!(
        page,
        "<details id=pair{number}{open}><summary><b>{number}.</b> {} and {}: {:.0} % alike</summary><ul class=runs>",
        escape(&pair.name_a),
        escape(&pair.name_b),
        100.0 * pair.similarity
    );
    for (at, run) in pair.runs.iter().enumerate() {
        let _ = write!(
            page,
            "<li><a class=\"run c{}\" href=\"#p{number}a{2}\">run {1}</a>: lines {2} to {3}, and {4} to {5}, {6} steps",
            at % side_by_side::COLOURS,
            at + 1,
            run.a.0,
            run.a.1,
            run.b.0,
            run.b.1,
            run.steps
        );
    }
    page.push_str("</ul>");
    side_by_side::write(report, number, pair, page);
    page.push_str("</details>");
}

fn refused(report: &Report, page: &mut String) {
    if report.refused.is_empty() {
        return;
    }
    page.push_str("<h2>Not compared</h2><ul>");
    for refused in &report.refused {
        let _ = write!(page, "<li>{}: {}", escape(&refused.name), escape(&refused.reason));
    }
    page.push_str("</ul>");
}

/// Text as HTML, with characters that turn or hide text shown by their numbers.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' => escaped.push_str("    "),
            '\r' => {}
            _ if c.is_control() || is_invisible(c) => {
                let _ = write!(escaped, "[U+{:04X}]", u32::from(c));
            }
            _ => escaped.push(c),
        }
    }
    escaped
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

const HEAD: &str = include_str!("head.html");
