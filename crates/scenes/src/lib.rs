//! How the games look: what every game tells to whoever draws it.
//!
//! Beside the rules of a game stands its [`Scenery`]. Its [`Legend`] says once
//! how cells, items and events look and are called, in three languages, and it
//! turns a state into a [`Scene`]. Browsers, pictures and terminals draw scenes
//! and know no rules. [`SceneWriter`] writes a match as the JSON document of
//! `docs/scenes.md`.

mod ants;
mod dominator;
mod potter;
mod purge;
mod requiem;

mod frames;
mod json;
mod legend;
mod scene;
#[cfg(test)]
mod tests;
mod write;

pub use frames::{FROZEN, Frames};
pub use legend::{
    CellKind, Colour, Drawing, Effect, EventKind, ItemKind, Layer, Legend, Mark, Mood, Named, PanelValue, SeatColours,
    Shape, Style, Text, text,
};
pub use scene::{Event, Item, Panel, Scene};
pub use write::{DrawnShape, Opening, SceneWriter};

use ludus_games::{Game, Past, State};

/// How one game looks.
pub struct Scenery {
    pub game: &'static dyn Game,
    pub legend: &'static Legend,
    /// What there is to see, and what happened if the past is known. Fills
    /// everything but scores and status.
    fill: fn(&dyn State, Option<&Past<'_>>, &mut Scene),
}

/// The registry: how every game looks.
pub static SCENERIES: &[&Scenery] =
    &[&ants::SCENERY, &potter::SCENERY, &purge::SCENERY, &dominator::SCENERY, &requiem::SCENERY];

/// How this game looks.
///
/// # Panics
/// If the game is not in the registry, which a test does not let happen.
pub fn scenery(game: &dyn Game) -> &'static Scenery {
    let is_of = |scenery: &&&Scenery| scenery.game.about().id == game.about().id;
    SCENERIES.iter().find(is_of).expect("every game has its scenery")
}
