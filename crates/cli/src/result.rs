//! The result of a match: as a table, for scripts, and in the words of the
//! reference engines.

use std::io::Write;

use anyhow::Result;
use ludus_arena::Outcome;
use ludus_games::{Game, Seat};

pub fn write_table(outcome: &Outcome, out: &mut impl Write) -> Result<()> {
    writeln!(out, "seat  player        score  rank  status")?;
    for (seat, result) in Seat::ALL.into_iter().zip(&outcome.seats) {
        let status = match &result.fault {
            Some((round, fault)) => format!("frozen in round {round}: {fault}"),
            None => format!("{} % of CPU", (result.status.fraction() * 1000.0).round() / 10.0),
        };
        let seat = seat.ordinal();
        writeln!(out, "{seat:>4}  {:<12} {:>6}  {:>4}  {status}", result.name, result.score, result.rank)?;
    }
    Ok(())
}

/// The closing lines of the reference executables, which scripts take the
/// winner from; before them, who was frozen and why.
pub fn write_reference_summary(outcome: &Outcome, out: &mut impl Write) -> Result<()> {
    for seat in &outcome.seats {
        if let Some((round, fault)) = &seat.fault {
            writeln!(out, "warning: player {} was frozen in round {round}: {fault}", seat.name)?;
        }
    }
    for seat in &outcome.seats {
        writeln!(out, "info: player {} got score {}", seat.name, seat.score)?;
    }
    let winners: Vec<&str> =
        outcome.seats.iter().filter(|seat| seat.rank == 1).map(|seat| seat.name.as_str()).collect();
    writeln!(out, "info: player(s) {} got top score", winners.join(" "))?;
    writeln!(out, "info: game played")?;
    Ok(())
}

#[derive(serde::Serialize)]
pub struct ResultJson<'a> {
    game: &'static str,
    seed: i32,
    rounds: u32,
    seats: Vec<SeatJson<'a>>,
}

#[derive(serde::Serialize)]
struct SeatJson<'a> {
    seat: usize,
    player: &'a str,
    score: i64,
    rank: usize,
    status: f64,
    fault: Option<FaultJson>,
}

#[derive(serde::Serialize)]
struct FaultJson {
    round: u32,
    reason: String,
}

pub fn result_json<'a>(game: &dyn Game, outcome: &'a Outcome) -> ResultJson<'a> {
    let seats = Seat::ALL.into_iter().zip(&outcome.seats).map(|(seat, result)| SeatJson {
        seat: seat.index(),
        player: &result.name,
        score: result.score,
        rank: result.rank,
        status: result.status.fraction(),
        fault: result.fault.as_ref().map(|(round, fault)| FaultJson { round: *round, reason: fault.to_string() }),
    });
    ResultJson { game: game.about().id, seed: outcome.seed, rounds: outcome.rounds, seats: seats.collect() }
}
