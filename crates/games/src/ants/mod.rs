//! Ants (2021): four colonies gather food on a board crossed by rivers, raise
//! soldiers and workers, and fight over the ground. One point per living ant
//! and round.

mod board;
mod demo;
mod dummy;
mod engine;
mod generate;
mod paths;
mod record;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod veteran;
mod view;

pub use board::{Cell, Food, Terrain};
pub use engine::{Engine, LAY, LEAVE, MOVE, TAKE};
pub use settings::Settings;
pub use state::{Ant, Kind, State};

use std::sync::Arc;

use crate::Seat;
use crate::game::{About, Builtin, CpuLimit, LONGEST_NAME, NULL, Rung, typed};
use crate::record::{Header, Record, RecordWriter};
use crate::tokens::{Result, Tokens, show};

pub struct Ants;

static ABOUT: About = About {
    id: "ants",
    title: "Ants",
    version: "Ants 1.0",
    extension: "res",
    default_config: include_str!("../../../../content/ants/default.cnf"),
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
    ladder: &[
        Rung { name: "Dummy", wins: 100 },
        Rung { name: "Veteran", wins: 77 },
        Rung { name: "Forager", wins: 88 },
    ],
    reserve: "Dummy",
};

impl crate::Game for Ants {
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
        let board = match &self.board {
            BoardSource::Generated => {
                let board = generate::board(&self.settings, &mut generator);
                board.terrain.check(&self.settings)?;
                board
            }
            BoardSource::Fixed(board) => board.clone(),
        };
        Ok(Box::new(Engine::new(&self.settings, board, generator)?))
    }
}

fn read_config(text: &[u8]) -> Result<Config> {
    let mut tokens = Tokens::new(text);
    let settings = Settings::read(&mut tokens)?;
    let source = tokens.word("GENERATOR1 or FIXED")?;
    let board = match source {
        b"GENERATOR1" => BoardSource::Generated,
        b"FIXED" => {
            let board = board::read(&mut tokens, &settings)?;
            board.terrain.check(&settings)?;
            BoardSource::Fixed(board)
        }
        _ => return Err(tokens.error(format!("expected GENERATOR1 or FIXED, found {}", show(source)))),
    };
    Ok(Config { settings: Arc::new(settings), board })
}
