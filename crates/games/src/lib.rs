//! The rules of the games of Ludus.
//!
//! A game is a pure function: a config, a seed and the orders of four seats
//! give states, the same bytes on every machine, for ever. This crate knows no
//! files, clocks, threads or hash order, and its clippy configuration refuses
//! them; it does not know who plays or who watches either.
//!
//! Everything goes through [`GAMES`] and the traits of [`game`].

pub mod ants;
pub mod dominator;
pub mod potter;
pub mod purge;
pub mod requiem;

pub mod bytes;
mod digest;
pub mod game;
mod geometry;
pub mod orders;
mod random;
pub mod random_matches;
pub mod record;
mod search;
mod seat;
mod status;
pub mod text;
pub mod tokens;

pub use digest::Digest;
pub use game::{Config, Engine, Game, Past, State};
pub use geometry::{Dir4, Dir8, Grid, Pos, connected};
pub use orders::Orders;
pub use random::Generator;
pub use seat::{PerSeat, Seat};
pub use status::Status;

/// The registry: every game there is.
pub static GAMES: &[&dyn Game] =
    &[&ants::Ants, &potter::Potter, &purge::Purge, &dominator::Dominator, &requiem::Requiem];

/// The game with this id.
pub fn find(id: &str) -> Option<&'static dyn Game> {
    GAMES.iter().copied().find(|game| game.about().id == id)
}
