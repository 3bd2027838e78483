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
    let other = if side == 'a' { 'b' } else { 'a' };
    let mut runs: Vec<Option<(usize, u32)>> = vec![None; text.len()];
    // The first run says most, so it is put on last.
    for (at, run) in pair.runs.iter().enumerate().rev() {
        for &(line, partner) in touched(run, side) {
            if let Some(place) = runs.get_mut(line as usize - 1) {
                *place = Some((at, partner));
            }
        }
    }
    for (at, line) in text.iter().enumerate() {
        let here = at + 1;
        let Some((run, partner)) = runs[at] else {
            let _ = writeln!(page, "<i>{here:4}</i> {}", escape(line));
            continue;
        };
        let _ = writeln!(
            page,
            "<a class=\"run c{}\" id=p{number}{side}{here} href=\"#p{number}{other}{partner}\" title=\"common run {}\">\
             <i>{here:4}</i> {}</a>",
            run % COLOURS,
            run + 1,
            escape(line)
        );
    }
}

/// The lines of a run on one side, each with its partner on the other.
fn touched(run: &Run, side: char) -> &[(u32, u32)] {
    if side == 'a' { &run.lines_a } else { &run.lines_b }
}
