//! Replays: a match as the recipe to play it again.
//!
//! A replay holds the config, the seed, who played, and every order as the
//! rules got it; the states come back by playing the rounds again. A digest per
//! round tells whether they are the same states. `docs/replay.md` describes the
//! format byte by byte; what is written here must stay readable for ever.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let game = ludus_games::GAMES[0];
//! # let config_text = game.about().default_config.as_bytes();
//! # let config = game.read_config(config_text)?;
//! # let mut played = ludus_arena::Match::between(&*config, 1, [&game.about().players[0]; 4])?;
//! use ludus_arena::replay::Recorder;
//!
//! let mut recorder = Recorder::new(game, config_text, &played);
//! played.run::<ludus_games::game::Stuck>(&mut [&mut recorder])?;
//! std::fs::write("match.ludus", recorder.finish(&played))?;
//! # Ok(())
//! # }
//! ```

mod coder;
mod drawing;
mod head;
mod orders;
mod reader;
mod recorder;
mod rerun;
mod text;
mod verify;

pub use drawing::{Drawing, DrawingLayer, Drawn, LONGEST_TEXT, Shape};
pub use head::{Ending, PackedConfig, Setup};
pub use reader::{Broken, ReadError, Replay, Round, Rounds, is_replay};
pub use recorder::{Recorder, Writer};
pub use rerun::{RecordedOrders, RerunEnd};
pub use verify::{Difference, DifferenceKind, Proof, Unplayable, verify};

/// The version of the format that is written.
pub const VERSION: u16 = 1;

/// The largest replay, in bytes. Those of matches on default configs have less
/// than a hundredth.
pub const LARGEST: usize = 8 << 20;

/// The most that a replay tells: orders and their words, each counted as one.
/// Coded they may take next to nothing, so that bytes alone would not bound the
/// time that reading takes.
pub const MOST_TOLD: usize = 1 << 23;

/// No game has more rounds.
pub const MOST_ROUNDS: u32 = 100_000;

/// The version of Ludus, which replays name.
pub const ENGINE: &str = env!("CARGO_PKG_VERSION");

/// What every replay begins with.
const MAGIC: [u8; 6] = *b"\x93LUDUS";
