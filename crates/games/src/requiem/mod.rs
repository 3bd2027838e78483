//! Battle Royale II: Requiem (2011): four teams of robots paint a board.
//! Farmers paint what they step on; knights hunt the robots of rivals, which
//! are reborn for the team that killed them. One point per painted square.

mod api;
mod board;
mod case_files;
mod demo;
mod dummy;
mod engine;
mod generate;
mod layout;
mod random;
mod record;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod veteran;
mod view;

pub use board::{Colour, STAY, STEPS, direction_on_board};
pub use engine::Engine;
pub use random::Generator;
pub use settings::Settings;
pub use state::{FULL_FORCE, Model, Robot, State};
pub use view::{Refusal, RobotSeen, View};

use std::sync::Arc;

use crate::game::{About, Builtin, CaseFile, CpuLimit, NULL, Rung, typed};
use crate::record::{Header, Record, RecordWriter};
use crate::tokens::Result;
use crate::{PerSeat, Pos, Seat};

pub struct Requiem;

static ABOUT: About = About {
    id: "requiem",
    title: "Battle Royale II: Requiem",
    version: "_REQUIEM_CS 1.1",
    extension: "req",
    default_config: include_str!("../../../../content/requiem/default.cnf"),
    smallest_seed: i32::MIN,
    // The original has no limit; this one is for tables and file names.
    longest_name: 40,
    counts_from: 1,
    cpu: CpuLimit { match_ms: 10_000, round_ms: Some(100) },
    players: &[
        NULL,
        Builtin { name: "null", ..NULL },
        Builtin { name: "Demo", programs: &[], new: |_, seat| Box::new(demo::Demo::new(seat)) },
        DUMMY,
        Builtin { name: "Tonto", ..DUMMY },
        // The Dummy of the first replays is the Veteran of today.
        Builtin {
            name: "Veteran",
            programs: &["Dummy", "Tonto"],
            new: |_, seat| Box::new(veteran::Veteran::new(seat)),
        },
    ],
    ladder: &[
        Rung { name: "Dummy", wins: 100 },
        Rung { name: "Veteran", wins: 100 },
        Rung { name: "Sower", wins: 100 },
    ],
    reserve: "Dummy",
};

/// Known by two names, as the player that gives no orders is: those of the
/// original beside the ones that all games share.
const DUMMY: Builtin =
    Builtin { name: "Dummy", programs: &["Dummy 2"], new: |_, seat| Box::new(dummy::Dummy::new(seat)) };

impl crate::Game for Requiem {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn read_config(&self, text: &[u8]) -> Result<Box<dyn crate::Config>> {
        Ok(Box::new(Config { settings: Arc::new(Settings::read(text)?) }))
    }

    fn read_record(&self, text: &[u8]) -> Result<Record> {
        record::read(text)
    }

    fn begin_record(&self, header: &Header, first: &dyn crate::State, out: &mut Vec<u8>) -> Box<dyn RecordWriter> {
        Box::new(record::Writer::begin(header, typed(first), out))
    }

    fn write_settings(&self, state: &dyn crate::State, out: &mut Vec<u8>) {
        layout::write_settings(&typed::<State>(state).settings, out);
    }

    fn write_view(&self, state: &dyn crate::State, seat: Seat, out: &mut Vec<u8>) {
        layout::write_view(typed(state), seat, out);
    }

    fn has_one_view(&self) -> bool {
        false
    }

    fn true_place(&self, state: &dyn crate::State, seat: Seat, (row, col): (i32, i32)) -> (i32, i32) {
        let state: &State = typed(state);
        // Nobody counts as far as that, and the sums must not overflow.
        let [row, col] = [row, col].map(|number| number.clamp(-10_000, 10_000));
        let place = board::on_board(seat, state.settings.dim, Pos::new(row, col));
        (place.i, place.j)
    }

    fn case_file(&self, file: &str, recorded: &[u8], names: &PerSeat<String>) -> Option<Box<dyn CaseFile>> {
        match file {
            "states.txt.gz" => Some(Box::new(case_files::States)),
            "views.txt.gz" => Some(Box::new(case_files::Views)),
            "api.txt.gz" => Some(Box::new(case_files::Calls::new(recorded, names))),
            _ => None,
        }
    }
}

struct Config {
    settings: Arc<Settings>,
}

impl crate::Config for Config {
    fn start(&self, seed: i32) -> Result<Box<dyn crate::Engine>> {
        Ok(Box::new(Engine::new(&self.settings, seed)?))
    }
}
