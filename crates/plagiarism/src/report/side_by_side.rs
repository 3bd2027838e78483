//! Two sources beside each other, what they share in the same colours.

use std::fmt::Write as _;

use super::page::escape;
use super::{Report, ReportPair, Run};

/// So many colours; runs beyond take them again.
pub const COLOURS: usize = 8;

/// A click on a common run brings the other side to the same place.
pub const SCRIPT: &str = include_str!("sides.js");

pub fn write(report: &Report, number: usize, pair: &ReportPair, page: &mut String) {
    page.push_str("<div class=sides>");
    for (side, source) in [('a', pair.a), ('b', pair.b)] {
        let source = &report.sources[source];
        let _ = write!(
            page,
            "<section class=source><h3>{} <small>{}, {} lines</small></h3>",
            escape(&source.name),
            escape(&source.author),
            source.lines
        );
        lines(number, &pair.runs, side, &source.text, page);
        page.push_str("</section>");
    }
    page.push_str("</div>");
}

/// One of two sources as HTML, `a` or `b`, with the runs that they share.
pub fn side(runs: &[Run], side: char, text: &str) -> String {
    let mut html = String::new();
    lines(1, runs, side, text, &mut html);
    html
}

fn lines(number: usize, all: &[Run], side: char, text: &str, page: &mut String) {
    let text: Vec<&str> = text.lines().collect();
    let other = if side == 'a' { 'b' } else { 'a' };
    let mut runs: Vec<Option<(usize, u32)>> = vec![None; text.len()];
    // The first run says most, so it is put on last.
    for (at, run) in all.iter().enumerate().rev() {
        for &(line, partner) in touched(run, side) {
            if let Some(place) = (line as usize).checked_sub(1).and_then(|line| runs.get_mut(line)) {
                *place = Some((at, partner));
            }
        }
    }
    page.push_str("<pre tabindex=0>");
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
    page.push_str("</pre>");
}

/// The lines of a run on one side, each with its partner on the other.
fn touched(run: &Run, side: char) -> &[(u32, u32)] {
    if side == 'a' { &run.lines_a } else { &run.lines_b }
}
