//! Matches to record, and hands that forge replays.
#![allow(dead_code)]

pub mod landscape;

use ludus_arena::replay::Recorder;
use ludus_arena::spoil::any;
use ludus_arena::{Allowance, Entrant, Fault, Match, Player, Program, Turn};
use ludus_games::game::{Builtin, BuiltinPlayer};
use ludus_games::{Digest, Game, Generator, Orders, PerSeat, Seat, Status};

fn builtin(game: &dyn Game, name: &str) -> &'static Builtin {
    game.about().player(name).unwrap()
}

/// A match on the default config between players that come with the game.
pub fn played(game: &dyn Game, seed: i32, names: PerSeat<&str>) -> Match {
    let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
    Match::between(&*config, seed, names.map(|name| builtin(game, name))).unwrap()
}

/// A match between modules that are none: they play like Demo with a few odd
/// orders, use fuel, and some fail.
pub fn wild(game: &dyn Game, seed: i32) -> Match {
    let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
    let entrants = Seat::ALL.map(|seat| {
        let player = Wild {
            model: (builtin(game, "Demo").new)(seed, seat),
            generator: Generator::new(seed ^ seat.index() as i32),
            fuel: 0,
            fails_in: (seat.index() % 2 == 1).then_some(10 * seat.index() as u32),
        };
        Entrant { name: format!("Wild{seat}"), player: Box::new(player) }
    });
    Match::new(&*config, seed, entrants).unwrap()
}

struct Wild {
    model: Box<dyn BuiltinPlayer>,
    generator: Generator,
    fuel: u64,
    fails_in: Option<u32>,
}

const ALLOWANCE: Allowance =
    Allowance { version: 1, fuel: 1_000_000_000, fuel_per_round: Some(5), memory: 77, metered: true };

impl Player for Wild {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        self.fuel += self.generator.random(1000, 2000) as u64;
        if Some(turn.state.round()) == self.fails_in {
            return Err(Fault::Trap("on purpose".to_owned()));
        }
        self.model.play(turn.state, orders);
        if self.generator.random(0, 5) == 0 {
            let order = [(); 5].map(|()| self.generator.random(-3, 100));
            orders.push(&order[..any(&mut self.generator, 5) + 1]);
        }
        Ok(())
    }

    fn status(&self) -> Status {
        self.program().status(self.fuel)
    }

    fn fuel(&self) -> u64 {
        self.fuel
    }

    fn program(&self) -> Program {
        Program::Module { hash: [3; 32], allowance: ALLOWANCE }
    }
}

/// The replay of a match, and its orders.
pub fn recorded(mut played: Match, game: &dyn Game) -> (Vec<u8>, Vec<PerSeat<Orders>>) {
    let mut recorder = Recorder::new(game, game.about().default_config.as_bytes(), &played);
    let mut orders = Vec::new();
    while !played.is_over() {
        played.play_round().unwrap();
        recorder.round(&played);
        orders.push(played.accepted().clone());
    }
    (recorder.finish(&played), orders)
}

/// Writes right checksums into a replay, where there is room for them.
pub fn seal(bytes: &mut [u8]) {
    let checksum = |bytes: &[u8]| {
        let mut digest = Digest::new();
        digest.bytes(bytes);
        digest.finish()
    };
    let number = |at: &mut usize| {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = *bytes.get(*at)?;
            *at += 1;
            value |= usize::from(byte & 127).checked_shl(shift)?;
            shift += 7;
            if byte < 128 {
                return Some(value);
            }
        }
    };
    let mut at = 8;
    for _ in 0..2 {
        let Some(length) = number(&mut at) else { return };
        at = at.saturating_add(length);
    }
    let front = at.saturating_add(8);
    if front.saturating_add(4 + 8) > bytes.len() {
        return;
    }
    let sum = checksum(&bytes[..front]) as u32;
    bytes[front..front + 4].copy_from_slice(&sum.to_le_bytes());
    let end = bytes.len() - 8;
    let sum = checksum(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
}

/// How much a trial does: in `./test`, or in its long form, which
/// `scripts/long-laws` runs.
pub fn short_or_long(short: usize, long: usize) -> usize {
    if std::env::var_os("LUDUS_LONG").is_some() { long } else { short }
}
