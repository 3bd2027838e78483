//! Matches between four players.
//!
//! The rules come from `ludus-games`; this crate asks the players, counts
//! their calls, freezes the ones at fault, and says who won. It knows no
//! game by name.

mod film;
mod play;
mod player;
mod program;
pub mod replay;

pub use film::{Film, FilmError, Show};
pub use play::{Entrant, Match, Outcome, SeatOutcome};
pub use player::{Fault, MOST_WORDS, Player, Turn, builtin};
pub use program::{Allowance, Program};
