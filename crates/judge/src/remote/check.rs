//! What a worker says of a match must be: whole, within bounds, about the match
//! that was ordered, and the same in the replay and beside it.
//!
//! Whether the players really gave these orders is found out by letting others
//! play the match, too (`machines`).

use anyhow::Result;
use ludus_arena::Program;
use ludus_arena::replay::{self, PackedConfig, Replay};
use ludus_games::{PerSeat, Seat};

use crate::matches::SeatFault;
use crate::playroom::{Finished, Order};

/// Why an answer is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lie {
    #[error("it answered an order that it never had")]
    NotItsOrder,
    #[error("its answer is larger than any can be")]
    TooLarge,
    #[error("its answer cannot be read")]
    Rubbish,
    #[error("its replay cannot be read: {0}")]
    NoReplay(String),
    #[error("its replay is of another match: {0}")]
    OtherMatch(&'static str),
    #[error("its replay and its results differ: {0}")]
    OtherResult(&'static str),
    #[error("its replay goes against the rules: {0}")]
    AgainstTheRules(String),
    #[error("the judge itself came to another result")]
    Contradicted,
    #[error("two others came to another result")]
    Outvoted,
}

/// The CPU of every round, packed, at most.
const MOST_CPU: usize = 4 << 20;
/// What a match adds to an answer besides the replay, the output and the CPU.
const FRAME: usize = 512 << 10;

/// The most that an answer about matches may be.
pub fn most_bytes(orders: &[Order]) -> usize {
    let of_one = |order: &Order| replay::LARGEST + MOST_CPU + Seat::COUNT * most_output(order) + FRAME;
    orders.iter().map(of_one).fold(0, usize::saturating_add)
}

/// What players that are only asked would do, at most.
const MOST_DECISIONS: usize = 16 << 20;

/// What a player wrote may be kept with the number of each round beside it.
fn most_output(order: &Order) -> usize {
    if order.stand_in.is_some() {
        return MOST_DECISIONS;
    }
    order.limits.output.saturating_mul(2).saturating_add(1 << 20)
}

/// Looks at what is said to have become of a match, whose config is packed already.
pub fn check(order: &Order, config: &PackedConfig, finished: &Finished) -> Result<(), Lie> {
    let too_large = finished.replay.len() > replay::LARGEST
        || finished.cpu.len() > MOST_CPU
        || finished.seats.iter().any(|seat| seat.output.len() > most_output(order));
    if too_large {
        return Err(Lie::TooLarge);
    }
    // Nobody plays where players are only asked, and no result follows from it.
    if order.stand_in.is_some() {
        return Ok(());
    }
    let replay = Replay::read_on(&finished.replay, config).map_err(|error| Lie::NoReplay(error.to_string()))?;
    if !replay.is_whole() {
        return Err(Lie::NoReplay("it is damaged".to_owned()));
    }
    same_match(order, &replay)?;
    same_result(order, &replay, finished)
}

fn same_match(order: &Order, replay: &Replay) -> Result<(), Lie> {
    let setup = &replay.setup;
    let names = order.seats.each_ref().map(|seat| &seat.name);
    for (differs, what) in [
        (setup.game != order.game, "the game"),
        (setup.engine != replay::ENGINE, "the version of Ludus"),
        (setup.config != order.config.as_bytes(), "the config"),
        (setup.header.seed != order.seed, "the seed"),
        (!setup.header.judged, "the judge"),
        (!setup.header.names.iter().zip(names).all(|(told, name)| name.starts_with(told.as_str())), "the names"),
        (!same_programs(order, &setup.programs), "the players"),
    ] {
        if differs {
            return Err(Lie::OtherMatch(what));
        }
    }
    Ok(())
}

fn same_programs(order: &Order, programs: &PerSeat<Program>) -> bool {
    let allowance = order.limits.allowance();
    order.seats.iter().zip(programs).all(|(seat, program)| match (&seat.module, program) {
        (Some(hash), Program::Module { hash: told, allowance: allowed }) => hash.0 == *told && *allowed == allowance,
        (None, Program::Builtin(told)) => {
            let players = ludus_games::find(&order.game).map_or(&[][..], |game| game.about().players);
            players.iter().any(|player| player.name == seat.name && player.program() == told)
        }
        _ => false,
    })
}

fn same_result(order: &Order, replay: &Replay, finished: &Finished) -> Result<(), Lie> {
    let ending = &replay.ending;
    if finished.rounds != ending.rounds {
        return Err(Lie::OtherResult("the rounds"));
    }
    for (seat, told) in Seat::ALL.into_iter().zip(&finished.seats) {
        let fault = ending.faults[seat].as_ref().map(|(round, fault)| (i64::from(*round), SeatFault::of(fault)));
        let barred = order.seats[seat].barred_from;
        for (differs, what) in [
            (told.score != ending.scores[seat], "the scores"),
            (told.rank != ending.rank(seat) as i64, "the ranks"),
            (!same_fault(&told.fault, &fault), "the faults"),
            ((told.cpu == -1) != fault.is_some(), "the frozen seats"),
            (barred.is_none() && matches!(fault, Some((_, SeatFault::Overtime))), "a seat that nobody barred"),
            (told.cpu < -1 || told.cpu > 100_000_000, "the CPU"),
        ] {
            if differs {
                return Err(Lie::OtherResult(what));
            }
        }
    }
    Ok(())
}

/// The same round and reason. A replay keeps the beginning of a long reason only.
fn same_fault(told: &Option<(i64, SeatFault)>, recorded: &Option<(i64, SeatFault)>) -> bool {
    match (told, recorded) {
        (Some((round, SeatFault::Other(told))), Some((other, SeatFault::Other(recorded)))) => {
            round == other && !recorded.is_empty() && told.starts_with(recorded.as_str())
        }
        _ => told == recorded,
    }
}

/// Whether the rules lead from the orders of a replay to its results. It costs as
/// much as the rules of the match, and no player is asked.
pub fn follows_the_rules(finished: &Finished) -> Result<(), Lie> {
    let replay = Replay::read(&finished.replay).map_err(|error| Lie::NoReplay(error.to_string()))?;
    match replay::verify(&replay, [const { None }; Seat::COUNT]) {
        Ok(replay::Proof::Identical { .. }) => Ok(()),
        Ok(replay::Proof::Differs(difference)) => Err(Lie::AgainstTheRules(difference.to_string())),
        Err(error) => Err(Lie::AgainstTheRules(error.to_string())),
    }
}
