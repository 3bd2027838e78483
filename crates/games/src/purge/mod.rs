//! The Purge (2024): four clans of builders and warriors live in a city. By
//! day they gather and build barricades; by night they fight. Points for money
//! and for kills.

mod board;
mod demo;
mod dummy;
mod engine;
mod generate;
mod library_rand;
mod record;
mod returning;
mod settings;
mod state;
mod veteran;
mod view;

pub use board::{Cell, Item};
pub use engine::{BUILD, Engine, MOVE};
pub use settings::Settings;
pub use state::{Barricade, Citizen, Kind, State, Weapon};

use std::sync::Arc;

use crate::Seat;
use crate::game::{About, Builtin, CpuLimit, LONGEST_NAME, NULL, Rung, typed};
use crate::record::{Header, Record, RecordWriter};
use crate::tokens::{Result, Tokens, show};

pub struct Purge;

static ABOUT: About = About {
    id: "purge",
    title: "The Purge",
    version: "ThePurge 1.0",
    extension: "res",
    default_config: include_str!("../../../../content/purge/default.cnf"),
    smallest_seed: 0,
    longest_name: LONGEST_NAME,
    counts_from: 0,
    cpu: CpuLimit { match_ms: 1000, round_ms: None },
    players: &[
        NULL,
        Builtin { name: "Demo", programs: &[], new: |seed, seat| Box::new(demo::Demo::new(seed, seat)) },
        Builtin { name: "Dummy", programs: &["Dummy 2"], new: |seed, seat| Box::new(dummy::Dummy::new(seed, seat)) },
        // The Dummy of the first replays is the Veteran of today.
        Builtin { name: "Veteran", programs: &["Dummy"], new: |_, seat| Box::new(veteran::Veteran::new(seat)) },
    ],
    ladder: &[Rung { name: "Dummy", wins: 87 }, Rung { name: "Veteran", wins: 100 }, Rung { name: "Hunter", wins: 89 }],
    reserve: "Dummy",
};

impl crate::Game for Purge {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn read_config(&self, text: &[u8]) -> Result<Box<dyn crate::Config>> {
        Ok(Box::new(read_config(text)?))
    }

    fn read_record(&self, text: &[u8]) -> Result<Record> {
        record::read(text)
    }

    fn begin_record(&self, header: &Header, first: &dyn crate::State, out: &mut Vec<u8>) -> Box<dyn RecordWriter> {
        Box::new(record::Writer::begin(header, typed(first), out))
    }

    fn write_settings(&self, state: &dyn crate::State, out: &mut Vec<u8>) {
        view::write_settings(&typed::<State>(state).settings, out);
    }

    fn write_view(&self, state: &dyn crate::State, _seat: Seat, out: &mut Vec<u8>) {
        view::write_state(typed(state), out);
    }
}

struct Config {
    settings: Arc<Settings>,
    board: BoardSource,
}

/// Where the board comes from.
enum BoardSource {
    Generated,
    Fixed(board::Board),
}

impl crate::Config for Config {
    fn start(&self, seed: i32) -> Result<Box<dyn crate::Engine>> {
        let mut generator = crate::Generator::new(seed);
        let (board, next_id) = match &self.board {
            BoardSource::Generated => generate::board(&self.settings, &mut generator)?,
            BoardSource::Fixed(board) => (board.clone(), board.first_id_after()),
        };
        Ok(Box::new(Engine::new(&self.settings, board, next_id, generator)))
    }
}

fn read_config(text: &[u8]) -> Result<Config> {
    let mut tokens = Tokens::new(text);
    let settings = Settings::read(&mut tokens)?;
    let source = tokens.word("RANDOM or FIXED")?;
    let board = match source {
        b"RANDOM" => BoardSource::Generated,
        b"FIXED" => {
            let board = board::read(&mut tokens, &settings)?;
            board.check(&settings)?;
            BoardSource::Fixed(board)
        }
        _ => return Err(tokens.error(format!("expected RANDOM or FIXED, found {}", show(source)))),
    };
    Ok(Config { settings: Arc::new(settings), board })
}

#[cfg(test)]
mod tests;
