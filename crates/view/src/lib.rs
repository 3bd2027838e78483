//! The viewer: what browsers need to show a match.
//!
//! [`page`] and [`asset`] are what a web server gives out, as plain data with
//! the headers that belong to it; [`self_contained`] is one file for a match,
//! which works from disk; [`Server`] shows a match on this machine. The files
//! of `viewer/` are inside the library. How things look is in the scenes, so
//! nothing here knows a game.

mod assets;
mod document;
mod http;
mod join;
mod page;
pub mod picture;
mod server;

pub use assets::{Asset, asset};
pub use document::{Document, LARGEST_FILE, document, document_while, opening};
pub use page::{Links, POLICY, page, self_contained};
pub use server::{Server, Site};
