//! Matches between four players.
//!
//! The rules come from `ludus-games`; this crate asks the players, counts
//! their calls, freezes the ones at fault, and says who won. It knows no
//! game by name.

mod play;
mod player;

pub use play::{Entrant, Match, Outcome, SeatOutcome};
pub use player::{Fault, Player, Turn, Views, builtin};
