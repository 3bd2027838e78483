//! How a match looks: what every game tells to whoever draws it.
//!
//! A game has a [`Legend`], which says once how its cells, items and events
//! look and are called, and turns a state into a [`Scene`]. Browsers, pictures
//! and terminals draw scenes and know no rules. [`SceneWriter`] writes a match
//! as the JSON document of `docs/scenes.md`.

mod frame;
mod json;
mod legend;
mod reel;
#[cfg(test)]
mod tests;
mod write;

pub use frame::{Event, Item, Panel, Scene};
pub use legend::{
    CellKind, Colour, Drawing, Effect, EventKind, ItemKind, Layer, Legend, Mark, Mood, Named, PanelValue, SeatColours,
    Shape, Style, Text, text,
};
pub use reel::{FROZEN, Reel};
pub use write::{Opening, SceneWriter, write_record};

use crate::{Orders, PerSeat, State};

/// What led to a state: the one before, and the orders of the round between.
#[derive(Clone, Copy)]
pub struct Past<'a> {
    pub before: &'a dyn State,
    /// The orders that a record of the match shows.
    pub done: &'a Orders,
    /// The orders that the rules got, where they are known.
    pub asked: Option<&'a PerSeat<Orders>>,
}
