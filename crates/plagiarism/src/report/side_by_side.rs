//! Two sources beside each other, what they share in the same colours.

use std::fmt::Write as _;

use super::page::escape;
use super::{Report, ReportPair, Run};

/// So many colours; runs beyond take them again.
pub const COLOURS: usize = 8;

pub fn write(report: &Report, number: usize, pair: &ReportPair, page: &mut String) {
    page.push_str("<div class=sides>");
    for (side, source) in [('a', pair.a), ('b', pair.b)] {
        let source = &report.sources[source];
        let _ = write!(
            page,
            "<section class=source><h3>{} <small>{}, {} lines</small></h3><pre>",
            escape(&source.name),
            escape(&source.author),
            source.lines
        );
        lines(number, pair, side, &source.text, page);
        page.push_str("</pre></section>");
    }
    page.push_str("</div>");
}

fn lines(number: usize, pair: &ReportPair, side: char, text: &[String], page: &mut String) {
    let mut runs: Vec<Option<usize>> = vec![None; text.len()];
    // The first run says most, so it is put on last.
    for (at, run) in pair.runs.iter().enumerate().rev() {
        for &line in touched(run, side) {
            if let Some(place) = runs.get_mut(line as usize - 1) {
                *place = Some(at);
            }
        }
    }
    let other = if side == 'a' { 'b' } else { 'a' };
    let mut begun = vec![false; pair.runs.len()];
    for (at, line) in text.iter().enumerate() {
        let Some(run) = runs[at] else {
            let _ = writeln!(page, "<i>{:4}</i> {}", at + 1, escape(line));
            continue;
        };
        let colour = run % COLOURS;
        let name = run + 1;
        let id = if begun[run] { String::new() } else { format!(" id=p{number}r{name}{side}") };
        begun[run] = true;
        let _ = writeln!(
            page,
            "<a class=\"run c{colour}\"{id} href=\"#p{number}r{name}{other}\" title=\"common run {name}\"><i>{:4}</i> {}</a>",
            at + 1,
            escape(line)
        );
    }
}

fn touched(run: &Run, side: char) -> &[u32] {
    if side == 'a' { &run.lines_a } else { &run.lines_b }
}
