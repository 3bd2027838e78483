//! Players of Ludus in Rust.
//!
//! A player is one file:
//!
//! ```
//! use ludus_player::ants::*;
//!
//! struct Mine;
//!
//! impl Player for Mine {
//!     fn new(_game: &Game) -> Self {
//!         Mine
//!     }
//!
//!     fn play(&mut self, game: &Game) {
//!         for worker in game.workers(game.me()) {
//!             game.move_ant(worker.id, Dir::Up);
//!         }
//!     }
//! }
//!
//! player!(Mine, "Mine");
//! ```
//!
//! There is a module per game, and its `*` is all that a player needs.
//! Questions about what does not exist (an ant that died, a cell off the
//! board) answer `None`; nothing here panics.
//!
//! `println!` and `eprintln!` have nowhere to write in WebAssembly: use
//! [`log!`]. A panic ends the player's part in the match, after its message
//! went to the log.
//!
//! # A new game
//!
//! A module like [`ants`]: its settings, what it reads of the buffer (the layout
//! is in `docs/abi.md`), its orders, a trait and a macro of a few lines each.

mod geometry;
mod numbered;
mod orders;
mod random;
mod seat;

pub mod ants;
pub mod buffer;
pub mod dominator;
pub mod draw;
#[doc(hidden)]
pub mod export;
pub mod game;
#[doc(hidden)]
pub mod host;
#[doc(hidden)]
pub mod param;
pub mod potter;
pub mod purge;
pub mod requiem;

pub use geometry::{Dir, Pos};
pub use random::Generator;
pub use seat::Seat;
