//! A match as JSON, in the layout of `docs/replay.md`.

use anyhow::Result;
use ludus_arena::{Ending, MatchFile, Program, rank};
use ludus_games::{Orders, Seat, State, Status};
use ludus_sandbox::build::hex;
use serde_json::{Value, json};

/// Everything but the rounds.
pub fn facts(file: &MatchFile, ending: &Ending) -> Value {
    let (header, replay) = (file.header(), file.replay());
    let seats: Vec<Value> = Seat::ALL
        .into_iter()
        .map(|seat| {
            let fault = replay.and_then(|replay| replay.ending.faults[seat].as_ref());
            json!({
                "seat": seat.index(),
                "player": header.names[seat],
                "score": ending.scores[seat],
                "rank": rank(&ending.scores, seat),
                "status": ending.status[seat].fraction(),
                "fuel": replay.map(|replay| replay.ending.fuel[seat]),
                "fault": fault.map(|(round, fault)| json!({ "round": round, "reason": fault.to_string() })),
                "program": replay.map_or(Value::Null, |replay| program(&replay.setup.programs[seat])),
            })
        })
        .collect();
    json!({
        "kind": if replay.is_some() { "replay" } else { "record" },
        "engine": replay.map(|replay| &replay.setup.engine),
        "game": file.game().about().id,
        "seed": header.seed,
        "judged": header.judged,
        "rounds": ending.of,
        "rounds_shown": ending.rounds,
        "damage": ending.damage,
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
/// may be long, and says where and why the match breaks, if it does. How it ends
/// stands before its rounds, so that it is played twice.
///
/// The board as the player in the seat `seen` saw it before each round goes
/// along, in the bytes of `docs/abi.md`.
pub fn write_everything(
    file: &MatchFile,
    seen: Option<Seat>,
    mut take: impl FnMut(&[u8]) -> Result<()>,
) -> Result<Option<String>> {
    let ending = file.play_out()?;
    let facts = facts(file, &ending).to_string();
    let facts = facts.strip_suffix('}').expect("an object ends with a brace");
    take(facts.as_bytes())?;
    take(b",\"history\":[")?;
    let mut playback = file.play()?;
    for number in 0.. {
        let view = seen.map(|seat| view(playback.state(), seat));
        if playback.next_round().is_none() {
            break;
        }
        let recorded = playback.recorded();
        let mut round = json!({
            "round": number,
            "orders": recorded.map(|round| round.orders.each_ref().map(list)),
            "done": list(playback.done()),
            "fuel": recorded.map(|round| round.fuel),
            "digest": recorded.map(|round| format!("{:04x}", round.digest)),
            "scores": playback.state().scores(),
            "status": playback.state().status().map(Status::fraction),
        });
        if let Some(view) = view {
            round["seen"] = view.into();
        }
        take(format!("{}{round}", if number == 0 { "" } else { "," }).as_bytes())?;
    }
    take(b"]}\n")?;
    Ok(ending.damage)
}

/// What a player in a seat saw, as hexadecimal digits.
fn view(state: &dyn State, seat: Seat) -> String {
    let mut bytes = Vec::new();
    state.game().write_view(state, seat, &mut bytes);
    hex(&bytes)
}

fn list(orders: &Orders) -> Vec<&[i32]> {
    orders.iter().collect()
}
