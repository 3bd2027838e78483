//! From the words of a command line to games and players.

use anyhow::{Result, anyhow, bail};
use ludus_games::game::{Builtin, LONGEST_NAME};
use ludus_games::{GAMES, Game};

pub fn game(id: &str) -> Result<&'static dyn Game> {
    ludus_games::find(id).ok_or_else(|| {
        let all = GAMES.iter().map(|game| game.about().id);
        anyhow!("there is no game '{}'{}", id.escape_debug(), suggestion(id, all))
    })
}

pub fn player(game: &dyn Game, name: &str) -> Result<&'static Builtin> {
    if name.chars().count() > LONGEST_NAME {
        bail!("the player name '{}' is too long: use at most {LONGEST_NAME} characters", name.escape_debug());
    }
    let about = game.about();
    about.players.iter().find(|player| player.name == name).ok_or_else(|| {
        let all = about.players.iter().map(|player| player.name);
        anyhow!("there is no player '{}' for {}{}", name.escape_debug(), about.id, suggestion(name, all))
    })
}

/// What the user may have meant, or else what there is.
fn suggestion(word: &str, known: impl Iterator<Item = &'static str> + Clone) -> String {
    let distance = |name: &str| strsim::damerau_levenshtein(&word.to_lowercase(), &name.to_lowercase());
    match known.clone().min_by_key(|name| distance(name)) {
        Some(nearest) if distance(nearest) <= nearest.len().div_ceil(2) => format!("; did you mean '{nearest}'?"),
        _ => format!("; there are {}", known.collect::<Vec<_>>().join(", ")),
    }
}
