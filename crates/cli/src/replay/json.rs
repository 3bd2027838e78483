//! A match as JSON, in the layout of `docs/replay.md`.

use anyhow::Result;
use ludus_arena::{Film, Program};
use ludus_games::{Orders, PerSeat, Seat, Status};
use ludus_sandbox::build::hex;
use serde_json::{Value, json};

/// How a match ended, as the file tells.
pub struct Ending {
    pub scores: PerSeat<i64>,
    pub ranks: PerSeat<usize>,
    pub status: PerSeat<Status>,
    /// None where it is not known.
    pub fuel: Option<PerSeat<u64>>,
}

impl Ending {
    /// A replay tells it; of a record, it is in the last state.
    pub fn of(film: &Film) -> Ending {
        let mut show = film.show();
        while show.next_round().is_some() {}
        let status = show.state().status();
        let scores = film.replay().map_or_else(|| show.state().scores(), |replay| replay.ending.scores);
        let ranks = Seat::ALL.map(|seat| 1 + scores.iter().filter(|&&score| score > scores[seat]).count());
        Ending { scores, ranks, status, fuel: film.replay().map(|replay| replay.ending.fuel) }
    }
}

/// Everything but the rounds.
pub fn facts(film: &Film) -> Value {
    let (header, ending) = (film.header(), Ending::of(film));
    let replay = film.replay();
    let seats: Vec<Value> = Seat::ALL
        .into_iter()
        .map(|seat| {
            let fault = replay.and_then(|replay| replay.ending.faults[seat].as_ref());
            json!({
                "seat": seat.index(),
                "player": header.names[seat],
                "score": ending.scores[seat],
                "rank": ending.ranks[seat],
                "status": ending.status[seat].fraction(),
                "fuel": ending.fuel.map(|fuel| fuel[seat]),
                "fault": fault.map(|(round, fault)| json!({ "round": round, "reason": fault.to_string() })),
                "program": replay.map_or(Value::Null, |replay| program(&replay.setup.programs[seat])),
            })
        })
        .collect();
    json!({
        "kind": if replay.is_some() { "replay" } else { "record" },
        "engine": replay.map(|replay| &replay.setup.engine),
        "game": film.game().about().id,
        "seed": header.seed,
        "judged": header.judged,
        "rounds": film.show().state().rounds(),
        "rounds_shown": film.rounds(),
        "damage": film.damage(),
        "config": replay.map(|replay| String::from_utf8_lossy(&replay.setup.config).into_owned()),
        "digest": replay.map(|replay| format!("{:016x}", replay.digest)),
        "seats": seats,
    })
}

fn program(program: &Program) -> Value {
    match program {
        Program::Unknown => Value::Null,
        Program::Builtin(name) => json!({ "builtin": name }),
        Program::Module { hash, allowance } => json!({
            "sha256": hex(hash),
            "limits": {
                "version": allowance.version,
                "fuel": allowance.fuel,
                "fuel_per_round": allowance.fuel_per_round,
                "memory": allowance.memory,
                "metered": allowance.metered,
            },
        }),
    }
}

/// Writes everything, the orders of every round included, part by part, as it
/// may be long.
pub fn write_everything(film: &Film, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let facts = facts(film).to_string();
    let facts = facts.strip_suffix('}').expect("an object ends with a brace");
    take(facts.as_bytes())?;
    take(b",\"history\":[")?;
    let mut show = film.show();
    for number in 0.. {
        if show.next_round().is_none() {
            break;
        }
        let figures = show.figures();
        let round = json!({
            "round": number,
            "orders": figures.map(|round| round.orders.each_ref().map(list)),
            "done": list(show.done()),
            "fuel": figures.map(|round| round.fuel),
            "digest": figures.map(|round| format!("{:04x}", round.digest)),
            "scores": show.state().scores(),
            "status": show.state().status().map(Status::fraction),
        });
        take(format!("{}{round}", if number == 0 { "" } else { "," }).as_bytes())?;
    }
    take(b"]}\n")
}

fn list(orders: &Orders) -> Vec<&[i32]> {
    orders.iter().collect()
}
