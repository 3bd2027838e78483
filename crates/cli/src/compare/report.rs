//! The report of a comparison.

use std::path::Path;

use ludus_arena::PARTS;
use ludus_games::Seat;

use super::answer::{sentence, signed};
use super::findings::{Findings, Look};
use super::plan::Plan;
use crate::page::svg::{Scale, Svg, WIDTH, escape, number};
use crate::page::{self, section};
use crate::replay_folder::ReplayFolder;

const LEFT: f64 = 56.0;
const RIGHT: f64 = WIDTH - 14.0;
const BOTTOM: f64 = 250.0;

/// The whole page.
pub fn page(plan: &Plan, findings: &Findings, path: &Path, replays: Option<&ReplayFolder>) -> String {
    let title = format!("{} comparison", plan.setup.game.about().title);
    let (seeds, matches) = (findings.comparison.seeds(), findings.played());
    let tiles = [
        (signed_number(findings.comparison.difference()), "difference"),
        (seeds.to_string(), "seeds"),
        (matches.to_string(), "matches"),
    ];
    let tiles: Vec<(&str, &str)> = tiles.iter().map(|(value, name)| (value.as_str(), *name)).collect();
    let plots = [
        section(
            "Difference",
            "In the share of rivals beaten, seed after seed; the band is where the truth lies with the confidence asked for, at any moment.",
            &differences(findings),
        ),
        section("Evidence", "How near each answer was; the first to reach 100 % is given.", &evidence(findings)),
        section("Outcomes", "How often each difference came on a seed.", &outcomes(findings)),
        by_place(plan, findings),
    ];
    let parts = [
        page::head(&title, &escape(&sentence(&plan.names, findings)), &tiles),
        format!("<div class=\"plots\">{}</div>\n", plots.concat()),
        worst(plan, findings, path, replays),
        origin(plan),
    ];
    page::document(&title, &parts.concat())
}

fn signed_number(value: f64) -> String {
    format!("{value:+.3}")
}

/// A plot over seeds: the axes are there, the lines are not.
fn over_seeds(looks: &[Look], label: &str, (low, high): (f64, f64), unit: &str) -> (Svg, Scale, Scale) {
    let x = Scale::new((0.0, looks.last().map_or(1.0, |look| look.seeds as f64)), (LEFT, RIGHT));
    let y = Scale::new((low, high), (BOTTOM, 12.0)).rounded(5);
    let mut svg = Svg::new(BOTTOM + 76.0, label);
    svg.y_axis(&y, (LEFT, RIGHT), unit);
    svg.x_axis(&x, (BOTTOM, BOTTOM), "seeds");
    (svg, x, y)
}

fn differences(findings: &Findings) -> String {
    let looks = &findings.looks;
    // The first looks know nothing, and would leave no room for the others.
    let told = &looks[looks.len() / 4..];
    let low = told.iter().map(|look| look.interval.0).fold(0.0, f64::min);
    let high = told.iter().map(|look| look.interval.1).fold(0.0, f64::max);
    let (mut svg, x, y) = over_seeds(looks, "The difference and its interval after every seed", (low, high), "");
    svg.line("mean", (LEFT, y.at(0.0)), (RIGHT, y.at(0.0)));
    let mut line = |class: &str, value: fn(&Look) -> f64| {
        svg.path(class, told.iter().map(|look| (x.at(look.seeds as f64), y.at(value(look)))));
    };
    line("line c0", |look| look.difference);
    line("line c1", |look| look.interval.0);
    line("line c1", |look| look.interval.1);
    svg.finish()
}

fn evidence(findings: &Findings) -> String {
    let looks = &findings.looks;
    let (mut svg, x, y) = over_seeds(looks, "The evidence for each answer", (0.0, 100.0), " %");
    type Line = (&'static str, fn(&Look) -> f64);
    let lines: [Line; 3] = [
        ("better", |look| look.evidence.better),
        ("worse", |look| look.evidence.worse),
        ("no difference", |look| look.evidence.no_difference),
    ];
    for (k, (name, value)) in lines.into_iter().enumerate() {
        svg.path(&format!("line c{k}"), looks.iter().map(|look| (x.at(look.seeds as f64), y.at(100.0 * value(look)))));
        let at = (LEFT + 130.0 * k as f64, BOTTOM + 58.0);
        svg.dot(&format!("fill c{k}"), at, 5.0);
        svg.text("name", (at.0 + 9.0, at.1 + 4.5), name);
    }
    svg.finish()
}

/// Bars over the differences of seeds, at most one for every part of a single board.
fn outcomes(findings: &Findings) -> String {
    let mut bars = vec![0; 2 * PARTS as usize + 1];
    for (outcome, count) in findings.comparison.outcomes() {
        bars[((outcome + 1.0) * f64::from(PARTS)).round() as usize] += count;
    }
    let most = bars.iter().copied().max().unwrap_or(1).max(1) as f64;
    let x = Scale::new((-1.0 - 0.5 / f64::from(PARTS), 1.0 + 0.5 / f64::from(PARTS)), (LEFT, RIGHT));
    let mut svg = Svg::new(BOTTOM + 42.0, "How often each difference came");
    svg.x_axis(&x, (12.0, BOTTOM), "difference on a seed");
    for (bar, &count) in bars.iter().enumerate().filter(|(_, count)| **count > 0) {
        let middle = (bar as f64 - f64::from(PARTS)) / f64::from(PARTS);
        let (from, to) = (x.at(middle - 0.5 / f64::from(PARTS)), x.at(middle + 0.5 / f64::from(PARTS)));
        let height = ((BOTTOM - 16.0) * count as f64 / most).max(1.0);
        let title = format!("{}: {count} seeds", number(middle));
        svg.bar("fill c0", (from, BOTTOM - height), ((to - from - 1.0).max(1.0), height), &title);
    }
    svg.finish()
}

/// The difference by seat and by config.
fn by_place(plan: &Plan, findings: &Findings) -> String {
    let seats = Seat::ALL.map(|seat| vec![format!("seat {}", seat.ordinal()), signed(findings.by_seat()[seat])]);
    let boards = plan.setup.boards.iter().zip(findings.by_board());
    let boards = boards.map(|(board, difference)| vec![escape(&board.name), signed(difference)]);
    let rows: Vec<Vec<String>> = seats.into_iter().chain(boards.filter(|_| plan.setup.boards.len() > 1)).collect();
    section(
        "Where the difference is",
        "By seat and config, with 95 % intervals; of several that are looked at one may well stand out by chance.",
        &page::table(&["", "difference"], &rows),
    )
}

/// The seeds on which the new version did worst, with both versions' matches in
/// the seat in which it lost most.
fn worst(plan: &Plan, findings: &Findings, path: &Path, replays: Option<&ReplayFolder>) -> String {
    if findings.worst.is_empty() {
        return section("Worst seeds", "The new version was behind on no seed.", "");
    }
    let see = |number: u64| {
        let fixture = plan.pairing.fixture(number);
        let board = &plan.setup.boards[plan.pairing.board(number)];
        let words = fixture.seats.map(|contestant| plan.contestants[contestant].word.as_str());
        let replay = replays.and_then(|replays| replays.replay(&fixture));
        page::see_match(Some(path), replay.as_deref(), &plan.setup.command_for(board, words, fixture.seed))
    };
    let parts = PARTS * plan.setup.boards.len() as i32;
    let row = |&(outcome, first): &(i32, u64)| {
        let difference = signed_number(f64::from(outcome) / f64::from(parts));
        vec![plan.pairing.fixture(first).seed.to_string(), difference, see(first), see(first + 4)]
    };
    let rows: Vec<Vec<String>> = findings.worst.iter().map(row).collect();
    let heads = ["seed", "difference", "first match of the new version", "of the old one, in the same seat"];
    section("Worst seeds", "Where the new version was farthest behind the old one.", &page::table(&heads, &rows))
}

fn origin(plan: &Plan) -> String {
    let mut facts: Vec<(String, String)> =
        plan.setup.boards.iter().map(|board| (board.name.clone(), board.hash.clone())).collect();
    let named = plan.names.iter().chain(plan.contestants[2..].iter().map(|rival| &rival.name));
    facts.extend(named.zip(&plan.contestants).map(|(name, contestant)| (name.clone(), contestant.program.clone())));
    facts.push(("limits".to_owned(), plan.setup.limits_text()));
    page::origin(&plan.command, &facts)
}
