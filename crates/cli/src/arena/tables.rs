//! The results as text for people, and as JSON and CSV for programs.

use std::collections::BTreeMap;

use anyhow::Result;
use ludus_arena::{Estimate, Rating, Standing, Tally};
use ludus_games::PerSeat;
use serde::Serialize;

use super::plan::Plan;

/// How many standard deviations an interval of 95 % reaches to each side.
const DEVIATIONS: f64 = 1.96;

/// What both tables tell of a player.
fn row(name: &str, standing: &Standing) -> Vec<String> {
    vec![
        name.to_owned(),
        standing.matches.to_string(),
        cell(&standing.wins, 100.0, 1),
        cell(&standing.rank, 1.0, 2),
        cell(&standing.score, 1.0, 1),
        rating_cell(standing.rating),
    ]
}

/// The full table.
pub fn text(plan: &Plan, tally: &Tally, head_to_head: bool) -> String {
    let mut rows = vec![
        ["player", "matches", "wins %", "rank", "score", "rating", "frozen %", "CPU %", "worst CPU %"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for contestant in tally.ranking() {
        let standing = tally.standing(contestant);
        let mut row = row(plan.name(contestant), &standing);
        row.extend([
            cell(&standing.frozen, 100.0, 1),
            used(&standing).map_or("-".to_owned(), |cpu| cell(&cpu, 100.0, 2)),
            used(&standing).map_or("-".to_owned(), |_| format!("{:.2}", 100.0 * standing.worst_cpu)),
        ]);
        rows.push(row);
    }
    let mut text = aligned(&rows);
    text.push_str("\n± is the longer half of the 95 % interval\n");
    if head_to_head {
        text.push_str("\nhow often the player of the row was ahead of that of the column, in %\n\n");
        text.push_str(&aligned(&matrix(plan, tally)));
    }
    text
}

/// The most important columns, for the terminal of somebody who waits.
pub fn brief(plan: &Plan, tally: &Tally, most: usize, columns: usize) -> String {
    let mut rows = vec![["player", "matches", "wins %", "rank", "score", "rating"].map(str::to_owned).to_vec()];
    for contestant in tally.ranking().into_iter().take(most) {
        let standing = tally.standing(contestant);
        rows.push(row(plan.name(contestant), &standing));
    }
    aligned_within(&rows, columns)
}

/// The CPU, of players of which it is counted.
pub fn used(standing: &Standing) -> Option<Estimate> {
    standing.cpu.filter(|_| standing.worst_cpu > 0.0)
}

pub fn cell(estimate: &Estimate, scale: f64, decimals: usize) -> String {
    let value = format!("{:.decimals$}", scale * estimate.value);
    match estimate.margin() {
        Some(margin) => format!("{value} ±{:.decimals$}", scale * margin),
        None => value,
    }
}

pub fn rating_estimate(Rating { mean, deviation }: Rating) -> Estimate {
    let margin = DEVIATIONS * deviation;
    Estimate { value: mean, interval: Some((mean - margin, mean + margin)) }
}

pub fn rating_cell(rating: Rating) -> String {
    cell(&rating_estimate(rating), 1.0, 1)
}

fn matrix(plan: &Plan, tally: &Tally) -> Vec<Vec<String>> {
    let ranking = tally.ranking();
    let header = std::iter::once(String::new()).chain(ranking.iter().map(|&column| plan.name(column).to_owned()));
    let mut rows = vec![header.collect::<Vec<_>>()];
    for &row in &ranking {
        let cells = ranking.iter().map(|&column| match tally.head_to_head(row, column) {
            Some(share) => cell(&share, 100.0, 1),
            None => "-".to_owned(),
        });
        rows.push(std::iter::once(plan.name(row).to_owned()).chain(cells).collect());
    }
    rows
}

/// Columns of equal width: the first to the left, numbers to the right.
pub fn aligned(rows: &[Vec<String>]) -> String {
    aligned_within(rows, usize::MAX)
}

/// The same without the columns at the right for which there is no room.
fn aligned_within(rows: &[Vec<String>], room: usize) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let mut widths: Vec<usize> =
        (0..columns).map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)).collect();
    while widths.len() > 1 && widths.iter().map(|width| width + 2).sum::<usize>() - 2 > room {
        widths.pop();
    }
    let mut text = String::new();
    for row in rows {
        let line: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(
                |(column, (cell, &width))| {
                    if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                },
            )
            .collect();
        text.push_str(line.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[derive(Serialize)]
struct ResultsJson<'a> {
    game: &'static str,
    /// The SHA-256 of the config's text.
    config: &'a str,
    limits: serde_json::Value,
    seeds: (i32, i32),
    /// Whether every set of four has met equally often.
    every_set: bool,
    seatings: u64,
    matches: u64,
    complete: bool,
    players: Vec<PlayerJson<'a>>,
    /// By rows and columns in the order of the players.
    #[serde(skip_serializing_if = "Option::is_none")]
    head_to_head: Option<Vec<Vec<Option<EstimateJson>>>>,
}

#[derive(Serialize)]
struct PlayerJson<'a> {
    player: &'a str,
    program: &'a str,
    matches: u64,
    wins: EstimateJson,
    rank: EstimateJson,
    score: EstimateJson,
    rating: EstimateJson,
    rating_deviation: f64,
    frozen: EstimateJson,
    faults: &'a BTreeMap<String, u64>,
    cpu: Option<EstimateJson>,
    worst_cpu: Option<f64>,
    rank_by_seat: PerSeat<Option<EstimateJson>>,
}

#[derive(Serialize)]
pub struct EstimateJson {
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
}

impl From<Estimate> for EstimateJson {
    fn from(Estimate { value, interval }: Estimate) -> Self {
        let (low, high) = interval.unzip();
        EstimateJson { value, low, high }
    }
}

/// Everything that is known, the same bytes for the same matches.
pub fn json(plan: &Plan, tally: &Tally, head_to_head: bool) -> Result<String> {
    let ranking = tally.ranking();
    let duel = |row: usize, column: usize| tally.head_to_head(row, column).map(EstimateJson::from);
    let matrix = || ranking.iter().map(|&row| ranking.iter().map(|&column| duel(row, column)).collect()).collect();
    let results = ResultsJson {
        game: plan.setup.game.about().id,
        config: &plan.setup.board().hash,
        limits: plan.setup.limits_json(),
        seeds: plan.schedule.seeds(),
        every_set: plan.schedule.is_whole() && tally.matches() == plan.schedule.len(),
        seatings: plan.schedule.seatings().count(),
        matches: tally.matches(),
        complete: tally.matches() == plan.schedule.len(),
        players: ranking.iter().map(|&contestant| player_json(plan, tally, contestant)).collect(),
        head_to_head: head_to_head.then(matrix),
    };
    Ok(serde_json::to_string_pretty(&results)? + "\n")
}

fn player_json<'a>(plan: &'a Plan, tally: &'a Tally, contestant: usize) -> PlayerJson<'a> {
    let standing = tally.standing(contestant);
    let cpu = used(&standing);
    PlayerJson {
        player: plan.name(contestant),
        program: &plan.contestants[contestant].program,
        matches: standing.matches,
        wins: standing.wins.into(),
        rank: standing.rank.into(),
        score: standing.score.into(),
        rating: rating_estimate(standing.rating).into(),
        rating_deviation: standing.rating.deviation,
        frozen: standing.frozen.into(),
        faults: tally.faults(contestant),
        cpu: cpu.map(Into::into),
        worst_cpu: cpu.map(|_| standing.worst_cpu),
        rank_by_seat: tally.rank_by_seat(contestant).map(|rank| rank.map(Into::into)),
    }
}

/// A line for every player.
pub fn csv(plan: &Plan, tally: &Tally) -> String {
    let mut text = "player,matches,wins,wins_low,wins_high,rank,rank_low,rank_high,score,score_low,score_high,\
                    rating,rating_low,rating_high,frozen,frozen_low,frozen_high,cpu,cpu_low,cpu_high,worst_cpu\n"
        .to_owned();
    for contestant in tally.ranking() {
        let standing = tally.standing(contestant);
        let rating = rating_estimate(standing.rating);
        let cpu = used(&standing);
        let estimates =
            [Some(standing.wins), Some(standing.rank), Some(standing.score), Some(rating), Some(standing.frozen), cpu];
        // Names are letters, digits and underscores, so nothing needs quotes.
        text.push_str(&format!("{},{}", plan.name(contestant), standing.matches));
        for estimate in estimates {
            let interval = estimate.and_then(|estimate| estimate.interval);
            let numbers =
                [estimate.map(|estimate| estimate.value), interval.map(|ends| ends.0), interval.map(|ends| ends.1)];
            for number in numbers {
                text.push(',');
                text.push_str(&number.map_or(String::new(), |number| number.to_string()));
            }
        }
        text.push_str(&format!(",{}\n", cpu.map_or(String::new(), |_| standing.worst_cpu.to_string())));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_do_not_fit_are_left_out() {
        let rows =
            [["player", "wins %", "rank"], ["Demo", "50.0 ±1.0", "1.00"]].map(|row| row.map(str::to_owned).to_vec());
        let check = |room, expected: &str| assert_eq!(aligned_within(&rows, room), expected, "{room}");
        check(80, "player     wins %  rank\nDemo    50.0 ±1.0  1.00\n");
        check(23, "player     wins %  rank\nDemo    50.0 ±1.0  1.00\n");
        check(22, "player     wins %\nDemo    50.0 ±1.0\n");
        check(3, "player\nDemo\n");
    }
}
