//! What can be made of a replay: downloads, and what the viewer shows.

use anyhow::{Result, anyhow};
use ludus_games::Game;
use maud::{Markup, html};

use crate::texts::Language;

/// A file made of a replay: its content type and content. None if there is no
/// file of this name.
pub fn make(game: &dyn Game, replay: &[u8], name: &str) -> Result<Option<(&'static str, Vec<u8>)>> {
    match name {
        "replay.ludus" => Ok(Some(("application/octet-stream", replay.to_owned()))),
        "record.txt" => {
            let record = game.read_record(replay).map_err(|error| anyhow!("the replay: {error}"))?;
            let mut text = Vec::new();
            record.write(&mut text);
            Ok(Some(("text/plain; charset=utf-8", text)))
        }
        _ => Ok(None),
    }
}

/// The page with the viewer, for a match at an address.
pub fn viewer(_: Language, address: &str) -> Markup {
    html! { p { (address) } }
}
