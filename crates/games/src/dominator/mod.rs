//! Dominator (2016): four armies of farmers, knights and witches paint a board
//! with walls. One point per cell of the own colour and round.

mod birth;
mod board;
mod coven;
mod demo;
mod dummy;
mod engine;
mod generate;
mod layout;
mod record;
mod rooms;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod veteran;
mod view;

pub use board::{Cell, Quadrant};
pub use engine::{Engine, NONE};
pub use settings::Settings;
pub use state::{Kind, State, Unit};
pub use view::{SeenCell, View};

use std::sync::Arc;

use crate::game::{About, Builtin, CaseFile, CpuLimit, LONGEST_NAME, NULL, Rung, typed};
use crate::record::{Header, Record, RecordWriter};
use crate::tokens::{Result, Tokens, show};
use crate::{Grid, PerSeat, Pos, Seat};

pub struct Dominator;

static ABOUT: About = About {
    id: "dominator",
    title: "Dominator",
    version: "Dominator 4.0",
    extension: "res",
    default_config: include_str!("../../../../content/dominator/default.cnf"),
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
        Rung { name: "Veteran", wins: 100 },
        Rung { name: "Dummy", wins: 84 },
        Rung { name: "Reaper", wins: 100 },
    ],
    reserve: "Dummy",
};

impl crate::Game for Dominator {
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
        layout::write_settings(&typed::<State>(state).settings, out);
    }

    fn write_view(&self, state: &dyn crate::State, seat: Seat, out: &mut Vec<u8>) {
        layout::write_view(View::new(typed(state), seat), out);
    }

    fn has_one_view(&self) -> bool {
        false
    }

    fn true_place(&self, state: &dyn crate::State, seat: Seat, (row, col): (i32, i32)) -> (i32, i32) {
        let state: &State = typed(state);
        // Nobody counts as far as that, and the sums must not overflow.
        let [row, col] = [row, col].map(|number| number.clamp(-10_000, 10_000));
        let place = view::turned(Pos::new(row, col), seat.index(), state.settings.side);
        (place.i, place.j)
    }

    fn case_file(&self, file: &str, _recorded: &[u8], _names: &PerSeat<String>) -> Option<Box<dyn CaseFile>> {
        (file == "views.txt.gz").then(|| Box::new(view::ViewsFile) as Box<dyn CaseFile>)
    }
}

struct Config {
    settings: Arc<Settings>,
    board: BoardSource,
}

/// Where the board comes from.
enum BoardSource {
    Fixed(Grid<Cell>),
    /// So many pillars, or at least and at most so many.
    Pillars(i32, Option<i32>),
    Hedges,
    Rooms,
}

impl crate::Config for Config {
    fn start(&self, seed: i32) -> Result<Box<dyn crate::Engine>> {
        let mut generator = crate::Generator::new(seed);
        let side = self.settings.side;
        let cells = match self.board {
            BoardSource::Fixed(ref cells) => cells.clone(),
            BoardSource::Pillars(least, most) => generate::pillars(side, least, most, &mut generator)?,
            BoardSource::Hedges => generate::hedges(side, &mut generator)?,
            BoardSource::Rooms => rooms::building(side, &mut generator),
        };
        Ok(Box::new(Engine::new(&self.settings, cells, generator)?))
    }
}

fn read_config(text: &[u8]) -> Result<Config> {
    let mut tokens = Tokens::new(text);
    let settings = Settings::read(&mut tokens)?;
    let expected = "FIXED, GENERATOR1, GENERATOR2 or GENERATOR3";
    let source = tokens.word(expected)?;
    let at = tokens.last();
    let board = match source {
        b"FIXED" => BoardSource::Fixed(board::read(&mut tokens, settings.side)?),
        b"GENERATOR1" => read_pillars(&mut tokens, settings.side)?,
        b"GENERATOR2" | b"GENERATOR3" => {
            // What follows is ignored, unless it is a number.
            if let Ok(number) = tokens.int("a parameter") {
                return Err(tokens.error(format!("{} takes no parameters, found {number}", show(source))));
            }
            match source {
                b"GENERATOR2" => BoardSource::Hedges,
                _ if rooms::fits(settings.side) => BoardSource::Rooms,
                _ => {
                    let message =
                        format!("GENERATOR3 needs rows to be 1 more than a multiple of 6, found {}", settings.side);
                    return Err(tokens.error_at(at, message));
                }
            }
        }
        _ => return Err(tokens.error(format!("expected {expected}, found {}", show(source)))),
    };
    Ok(Config { settings: Arc::new(settings), board })
}

/// One or two numbers of walls; what follows is ignored, unless it is a third.
fn read_pillars(tokens: &mut Tokens, side: i32) -> Result<BoardSource> {
    let most = side * side / 10;
    let least = tokens.int_in("the number of walls of GENERATOR1", 0..=most)?;
    let mut rest = tokens.clone();
    if rest.int("the largest number of walls").is_err() {
        return Ok(BoardSource::Pillars(least, None));
    }
    let most = tokens.int_in("the largest number of walls of GENERATOR1", least..=most)?;
    match tokens.int("a third parameter") {
        Ok(number) => Err(tokens.error(format!("GENERATOR1 takes one or two parameters, found a third, {number}"))),
        Err(_) => Ok(BoardSource::Pillars(least, Some(most))),
    }
}
