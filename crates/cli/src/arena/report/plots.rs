//! The plots of the report.

use std::collections::BTreeMap;

use ludus_arena::{Course, Tally};

use super::super::details::RunDetails;
use super::super::plan::Plan;
use super::super::tables::{rating_estimate, used};
use crate::page::svg::{Scale, Svg, WIDTH, number};

/// Lines in one plot that can still be told apart.
pub const MOST_LINES: usize = 8;

/// Where plots with names at their left begin.
const NAMES: f64 = 104.0;
const RIGHT: f64 = WIDTH - 14.0;

/// The values of a player over the rounds.
struct Line {
    place: usize,
    contestant: usize,
    values: Vec<f64>,
}

/// The colour of a player: by its place in the ranking, the same in every plot.
fn colour(place: usize) -> String {
    format!("c{}", place % MOST_LINES)
}

/// Ratings with their intervals.
pub fn ratings(plan: &Plan, tally: &Tally) -> String {
    const ROW: f64 = 26.0;
    let ranking = tally.ranking();
    let rating = |contestant: usize| rating_estimate(tally.standing(contestant).rating);
    let ends = |contestant: usize| rating(contestant).interval.unwrap_or_default();
    let low = ranking.iter().map(|&contestant| ends(contestant).0).fold(f64::INFINITY, f64::min);
    let high = ranking.iter().map(|&contestant| ends(contestant).1).fold(f64::NEG_INFINITY, f64::max);
    let bottom = 8.0 + ROW * ranking.len() as f64;
    let x = Scale::new((low, high), (NAMES + 8.0, RIGHT - 8.0));
    let mut svg = Svg::new(bottom + 42.0, "Ratings with 95 % intervals");
    svg.x_axis(&x, (4.0, bottom), "rating");
    for (place, &contestant) in ranking.iter().enumerate() {
        let y = 8.0 + ROW * (place as f64 + 0.5);
        let (from, to) = ends(contestant);
        let class = colour(place);
        svg.text("name end", (NAMES - 8.0, y + 4.5), plan.name(contestant));
        svg.line(&format!("whisker {class}"), (x.at(from), y), (x.at(to), y));
        svg.dot(&format!("fill {class}"), (x.at(rating(contestant).value), y), 5.0);
    }
    svg.finish()
}

/// Bars of equal width over the scores of all players.
struct Bars {
    low: f64,
    wide: f64,
    count: usize,
}

impl Bars {
    const MOST: usize = 48;

    fn over(details: &RunDetails) -> Bars {
        let ends = details.contestants.iter().filter_map(|contestant| {
            Some((*contestant.scores.first_key_value()?.0 as f64, *contestant.scores.last_key_value()?.0 as f64))
        });
        let (low, high) = ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1))).unwrap_or_default();
        let wide = ((high - low) / Bars::MOST as f64).max(1.0);
        Bars { low, wide, count: (((high - low) / wide) as usize + 1).min(Bars::MOST) }
    }

    /// Where a bar begins; the one after the last begins where the last ends.
    fn from(&self, bar: usize) -> f64 {
        self.low + self.wide * bar as f64
    }

    fn fill(&self, scores: &BTreeMap<i64, u64>) -> Vec<u64> {
        let mut counts = vec![0; self.count];
        for (&score, &times) in scores {
            counts[(((score as f64 - self.low) / self.wide) as usize).min(self.count - 1)] += times;
        }
        counts
    }
}

/// How often each score came: one row of bars for every player, on one scale.
pub fn scores(plan: &Plan, tally: &Tally, details: &RunDetails) -> String {
    const ROW: f64 = 44.0;
    let ranking = tally.ranking();
    let bars = Bars::over(details);
    let bottom = 8.0 + ROW * ranking.len() as f64;
    let x = Scale::new((bars.from(0), bars.from(bars.count)), (NAMES, RIGHT));
    let mut svg = Svg::new(bottom + 42.0, "Distribution of the scores of every player");
    svg.x_axis(&x, (4.0, bottom), "score");
    for (place, &contestant) in ranking.iter().enumerate() {
        let own = &details.contestants[contestant];
        let counts = bars.fill(&own.scores);
        let most = counts.iter().copied().max().unwrap_or(1).max(1) as f64;
        let floor = 8.0 + ROW * (place as f64 + 1.0) - 2.0;
        svg.text("name end", (NAMES - 8.0, floor - 10.0), plan.name(contestant));
        svg.line("base", (NAMES, floor), (RIGHT, floor));
        for (bar, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let (from, to) = (bars.from(bar), bars.from(bar + 1));
            let (first, last) = (number(from.ceil()), number(to.ceil() - 1.0));
            let title = format!("{first} to {last}: {count} of {} matches", own.matches);
            let height = ((ROW - 8.0) * count as f64 / most).max(1.0);
            let size = ((x.at(to) - x.at(from) - 1.0).max(1.0), height);
            svg.bar(&format!("fill {}", colour(place)), (x.at(from), floor - height), size, &title);
        }
        let mean = x.at(tally.standing(contestant).score.value);
        svg.line("mean", (mean, floor - ROW + 8.0), (mean, floor));
    }
    svg.finish()
}

/// The mean score in the course of a match.
pub fn score_course(plan: &Plan, tally: &Tally, details: &RunDetails) -> String {
    let rounds: Vec<f64> =
        (0..=Course::MOMENTS).map(|moment| f64::from(Course::round_of(moment, plan.rounds))).collect();
    let lines: Vec<Line> = best(tally)
        .map(|(place, contestant)| Line { place, contestant, values: details.contestants[contestant].score_course() })
        .collect();
    lines_over_rounds(plan, "Mean score in the course of a match", "", &rounds, &lines)
}

/// The mean CPU of a round in the course of a match, in percent of the
/// match's; nothing if no player's CPU was counted.
pub fn cpu_course(plan: &Plan, tally: &Tally, details: &RunDetails) -> Option<String> {
    let moments = Course::MOMENTS as usize;
    let round = |moment: usize| f64::from(Course::round_of(moment as u32, plan.rounds));
    let middles: Vec<f64> = (0..moments).map(|moment| (round(moment) + round(moment + 1)) / 2.0).collect();
    let per_round = |(moment, step): (usize, &f64)| 100.0 * step / (round(moment + 1) - round(moment)).max(1.0);
    let lines: Vec<Line> = best(tally)
        .filter(|&(_, contestant)| used(&tally.standing(contestant)).is_some())
        .map(|(place, contestant)| {
            let steps = details.contestants[contestant].cpu_steps();
            Line { place, contestant, values: steps.iter().enumerate().map(per_round).collect() }
        })
        .collect();
    let label = "Mean CPU of a round in the course of a match";
    (!lines.is_empty()).then(|| lines_over_rounds(plan, label, " %", &middles, &lines))
}

/// The best contestants with their places.
fn best(tally: &Tally) -> impl Iterator<Item = (usize, usize)> {
    tally.ranking().into_iter().take(MOST_LINES).enumerate()
}

/// One line for every player, in the order of the ranking, with a legend below.
fn lines_over_rounds(plan: &Plan, label: &str, unit: &str, rounds: &[f64], lines: &[Line]) -> String {
    const BOTTOM: f64 = 250.0;
    let left = 56.0;
    let values = || lines.iter().flat_map(|line| line.values.iter().copied());
    let low = values().fold(0.0, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let x = Scale::new((0.0, rounds.last().copied().unwrap_or(1.0)), (left, RIGHT));
    let y = Scale::new((low, high.max(low)), (BOTTOM, 12.0)).rounded(5);
    let legend_rows = lines.len().div_ceil(4);
    let mut svg = Svg::new(BOTTOM + 50.0 + 22.0 * legend_rows as f64, label);
    svg.y_axis(&y, (left, RIGHT), unit);
    svg.x_axis(&x, (BOTTOM, BOTTOM), "round");
    for (k, Line { place, contestant, values }) in lines.iter().enumerate() {
        let class = colour(*place);
        let points = rounds.iter().zip(values).map(|(&round, &value)| (x.at(round), y.at(value)));
        svg.path(&format!("line {class}"), points);
        let at = (20.0 + 115.0 * (k % 4) as f64, BOTTOM + 58.0 + 22.0 * (k / 4) as f64);
        svg.dot(&format!("fill {class}"), at, 5.0);
        svg.text("name", (at.0 + 9.0, at.1 + 4.5), plan.name(*contestant));
    }
    svg.finish()
}
