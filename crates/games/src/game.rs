//! What every game is to the rest of Ludus.
//!
//! A [`Game`] reads a [`Config`], a config and a seed start an [`Engine`], and
//! an engine goes from [`State`] to state, a round at a time, with the orders
//! of four seats. Nothing outside a game's own module knows more than this.

use std::any::Any;
use std::fmt;

use crate::orders::{Orders, TooManyOrders};
use crate::record::{Header, Record, RecordWriter};
use crate::tokens::Result;
use crate::{Digest, PerSeat, Seat, Status};

/// The facts about a game that need no code.
#[derive(Debug)]
pub struct About {
    /// The name in commands and folders.
    pub id: &'static str,
    pub title: &'static str,
    /// Name and version as configs and records carry them.
    pub version: &'static str,
    /// Ending of its record files.
    pub extension: &'static str,
    pub default_config: &'static str,
    pub smallest_seed: i32,
    /// Bytes in the name of a player, at most.
    pub longest_name: usize,
    /// The number of the first round and of the first seat in the game's own files.
    pub counts_from: i32,
    /// How much CPU a player may use.
    pub cpu: CpuLimit,
    /// Players that come with the game, by name.
    pub players: &'static [Builtin],
    /// Whom to beat first, second and third: built-in players and examples of
    /// `content/`, weakest first.
    pub ladder: &'static [Rung],
    /// The built-in player that opens the door to a season and fills its groups.
    pub reserve: &'static str,
}

/// A sparring partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rung {
    pub name: &'static str,
    /// Of a hundred matches alone against three of the rung below (of Demo, for
    /// the first), how many it wins. The benchmark `dummies` and `ludus arena
    /// GAME PLAYER --fill RUNG -n 200` measure it.
    pub wins: u32,
}

/// The CPU that a player may use, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuLimit {
    pub match_ms: u32,
    /// In one round, where the game limits that too.
    pub round_ms: Option<u32>,
}

/// The longest name that most games allow a player.
pub const LONGEST_NAME: usize = 12;

pub trait Game: Sync {
    fn about(&self) -> &'static About;

    fn read_config(&self, text: &[u8]) -> Result<Box<dyn Config>>;

    /// The states of a recorded match. A record that breaks off or turns to
    /// rubbish gives what is readable before that; only one without a readable
    /// header and first state is an error.
    fn read_record(&self, text: &[u8]) -> Result<Record>;

    /// Writes the beginning of a record, up to and with the first state, and
    /// gives what writes the rest of it.
    fn begin_record(&self, header: &Header, first: &dyn State, out: &mut Vec<u8>) -> Box<dyn RecordWriter>;

    /// The settings of a state of this game, in the layout of `docs/abi.md`.
    fn write_settings(&self, state: &dyn State, out: &mut Vec<u8>);

    /// A state as the player in a seat sees it, in the layout of `docs/abi.md`.
    fn write_view(&self, state: &dyn State, seat: Seat, out: &mut Vec<u8>);

    /// Whether every seat sees the same.
    fn has_one_view(&self) -> bool {
        true
    }

    /// Where on the board a place is, row and column, that a player in a seat
    /// names.
    fn true_place(&self, _state: &dyn State, _seat: Seat, place: (i32, i32)) -> (i32, i32) {
        place
    }

    /// What writes again a further file of a recorded case (`recorded` is its
    /// content), if the game knows files of that name.
    fn case_file(&self, _file: &str, _recorded: &[u8], _names: &PerSeat<String>) -> Option<Box<dyn CaseFile>> {
        None
    }
}

/// Settings and a board, or the way to make one: everything about a match but
/// its seed and its players.
pub trait Config: Send + Sync {
    /// Sets up the board. An error is a config that cannot be played, which
    /// may depend on the seed.
    fn start(&self, seed: i32) -> Result<Box<dyn Engine>>;
}

/// A match under way: the state that everybody sees, and what is hidden from
/// players (the generator, whatever waits to come back).
pub trait Engine: Any + Send {
    fn state(&self) -> &dyn State;

    /// What becomes of the calls of one player in this round: the list that
    /// [`Engine::step`] takes. A seat that gives none passes here too.
    ///
    /// Whatever is left out or mended here has no part in the rules: with the
    /// list as it was given, every state, draw and record would be the same.
    fn accept(&self, seat: Seat, asked: &Orders, accepted: &mut Orders) -> std::result::Result<(), TooManyOrders>;

    /// Plays one round.
    fn step(&mut self, orders: &PerSeat<Orders>) -> std::result::Result<(), Stuck>;

    /// The orders of the last round as its record shows them.
    fn done(&self) -> &Orders;

    fn set_status(&mut self, status: PerSeat<Status>);

    /// A digest of everything that decides how the match goes on, but the status.
    fn digest(&self) -> u64;

    fn snapshot(&self) -> Box<dyn Engine>;
}

/// The rules find no way to go on. Only odd configs lead here, never a player alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the match cannot go on: {0}")]
pub struct Stuck(pub &'static str);

/// What everybody can see between two rounds, and all that a record tells. How
/// it is written, for players and in records, its game knows.
pub trait State: Any + fmt::Debug + Send + Sync {
    fn game(&self) -> &'static dyn Game;
    /// Rounds already played.
    fn round(&self) -> u32;
    /// Rounds of the whole match.
    fn rounds(&self) -> u32;
    fn scores(&self) -> PerSeat<i64>;
    fn status(&self) -> PerSeat<Status>;
    fn digest(&self, digest: &mut Digest);
}

/// What led to a state: the one before, and the orders of the round between.
#[derive(Clone, Copy)]
pub struct Past<'a> {
    pub before: &'a dyn State,
    /// The orders that a record of the match shows.
    pub done: &'a Orders,
    /// The orders that the rules got, where they are known.
    pub asked: Option<&'a PerSeat<Orders>>,
}

/// The state as the type of its own game.
///
/// # Panics
/// If the state is of another game, which a registry that hands out players by
/// game does not let happen.
pub fn typed<T: State>(state: &dyn State) -> &T {
    let any: &dyn Any = state;
    any.downcast_ref().expect("a state of this game")
}

/// A player that comes with a game.
pub struct Builtin {
    pub name: &'static str,
    /// What replays call its code, a name that means the same code for ever;
    /// then other names that replays have had for it.
    pub programs: &'static [&'static str],
    pub new: fn(seed: i32, seat: Seat) -> Box<dyn BuiltinPlayer>,
}

impl Builtin {
    /// What replays call its code.
    pub fn program(&self) -> &'static str {
        self.programs.first().copied().unwrap_or(self.name)
    }
}

impl About {
    /// The built-in player with this name.
    pub fn player(&self, name: &str) -> Option<&'static Builtin> {
        self.players.iter().find(|player| player.name == name)
    }

    /// The player whose code a replay names.
    pub fn player_of(&self, program: &str) -> Option<&'static Builtin> {
        self.players.iter().find(|player| player.program() == program || player.programs.contains(&program))
    }
}

impl fmt::Debug for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

pub trait BuiltinPlayer: Send {
    /// Gives the orders of one round.
    fn play(&mut self, state: &dyn State, orders: &mut Orders);
}

/// The player that gives no orders.
pub const NULL: Builtin = Builtin { name: "Null", programs: &[], new: |_, _| Box::new(Null) };

struct Null;

impl BuiltinPlayer for Null {
    fn play(&mut self, _: &dyn State, _: &mut Orders) {}
}

/// Writes a further file of a recorded case while the match is played again.
pub trait CaseFile {
    /// Called before every round, and once more when the match is over.
    fn write(&mut self, engine: &dyn Engine, out: &mut Vec<u8>);
}
