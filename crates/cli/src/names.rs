//! From the words of a command line to games.

use std::collections::BTreeSet;

use anyhow::{Result, anyhow};
use ludus_games::{GAMES, Game};

use crate::contestants;

pub fn game(id: &str) -> Result<&'static dyn Game> {
    ludus_games::find(id).ok_or_else(|| {
        let all: Vec<&str> = GAMES.iter().map(|game| game.about().id).collect();
        match contestants::game_of(id) {
            Some(game) => {
                let (id, game) = (id.escape_debug(), game.about().id);
                anyhow!("'{id}' is a player of {game}; the game comes before the players: {game} {id}")
            }
            None => anyhow!("there is no game '{}'{}", id.escape_debug(), suggestion(id, &all)),
        }
    })
}

/// What the user may have meant, or else what there is.
pub fn suggestion(word: &str, known: &[impl AsRef<str>]) -> String {
    let distance = |name: &str| strsim::damerau_levenshtein(&word.to_lowercase(), &name.to_lowercase());
    // A file may have the name of what comes with the game.
    let mut seen = BTreeSet::new();
    let known: Vec<&str> = known.iter().map(AsRef::as_ref).filter(|name| seen.insert(*name)).collect();
    match known.iter().min_by_key(|name| distance(name)) {
        Some(nearest) if distance(nearest) <= nearest.len().div_ceil(2) => format!("; did you mean '{nearest}'?"),
        _ => format!("; there are {}", known.join(", ")),
    }
}
