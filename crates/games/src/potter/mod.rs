//! Harry Potter (2024): four clans of wizards, each with a ghost, take cells,
//! read books, convert each other's wizards and cast spells, and keep away
//! from Voldemort. Points for conversions and for the cells owned at the end.

mod actions;
mod board;
mod demo;
mod dummy;
mod engine;
mod generate;
mod intake;
mod record;
mod safe;
mod settings;
mod spell;
mod state;
#[cfg(test)]
mod tests;
mod veteran;
mod view;
mod voldemort;

pub use board::{Board, Cell, CellSet, SIDE};
pub use engine::{Engine, Events, MOVE, SPELL};
pub use settings::Settings;
pub use state::{Kind, State, Unit};

use std::sync::Arc;

use crate::Seat;
use crate::game::{About, Builtin, CpuLimit, LONGEST_NAME, NULL, Rung, typed};
use crate::record::{Header, Record, RecordWriter};
use crate::tokens::{Result, Tokens, show};

pub struct Potter;

static ABOUT: About = About {
    id: "potter",
    title: "Harry Potter",
    version: "HarryPotter 1.0",
    extension: "res",
    default_config: include_str!("../../../../content/potter/default.cnf"),
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
        Rung { name: "Veteran", wins: 89 },
        Rung { name: "Scholar", wins: 97 },
    ],
    reserve: "Dummy",
};

impl crate::Game for Potter {
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
    /// A whole state. The reference refuses all of them through an error in
    /// its own check; here they are played.
    Fixed(Box<State>),
}

impl Config {
    fn engine(&self, seed: i32) -> Result<Engine> {
        let mut generator = crate::Generator::new(seed);
        match &self.board {
            BoardSource::Generated => {
                let cells = generate::cells(&mut generator);
                Engine::settle(&self.settings, cells, generator)
            }
            BoardSource::Fixed(state) => Ok(Engine::new(State::clone(state), generator)),
        }
    }
}

impl crate::Config for Config {
    fn start(&self, seed: i32) -> Result<Box<dyn crate::Engine>> {
        Ok(Box::new(self.engine(seed)?))
    }
}

fn read_config(text: &[u8]) -> Result<Config> {
    let mut tokens = Tokens::new(text);
    let settings = Arc::new(Settings::read(&mut tokens)?);
    let source = tokens.word("RANDOM or FIXED")?;
    let board = match source {
        b"RANDOM" => BoardSource::Generated,
        b"FIXED" => BoardSource::Fixed(Box::new(record::read_grid(&mut tokens, &settings)?)),
        _ => return Err(tokens.error(format!("expected RANDOM or FIXED, found {}", show(source)))),
    };
    Ok(Config { settings, board })
}
