//! What comes with the games: rules, API pages and example players.

include!(concat!(env!("OUT_DIR"), "/content.rs"));

fn file(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, content)| *content)
}

/// The rules page of a game in a language.
pub fn rules(game: &str, language: &str) -> Option<&'static str> {
    file(&format!("{game}/rules.{language}.md"))
}

/// What a player written in `cpp` or `rust` can ask and order.
pub fn api(game: &str, language: &str) -> Option<&'static str> {
    file(&format!("{game}/api.{language}.md"))
}

/// The source of an example player of a game.
pub fn player(game: &str, file_name: &str) -> Option<&'static str> {
    file(&format!("{game}/players/{file_name}"))
}

/// The example players of a game: file name and source.
pub fn players(game: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let folder = format!("{game}/players/");
    FILES.iter().filter_map(move |(name, source)| Some((name.strip_prefix(&folder)?, *source)))
}

/// The name of the player in an example's file.
pub fn name_of(file_name: &str) -> &str {
    let stem = file_name.split('.').next().unwrap_or_default();
    stem.strip_prefix("AI").unwrap_or(stem)
}

/// The example that beats the Dummies.
pub fn strongest(game: &str) -> Option<&'static str> {
    players(game).map(|(file, _)| name_of(file)).find(|name| !is_built_in(game, name))
}

/// Whether a player that comes with a game has this name, in any letters.
pub fn comes_with(game: &str, name: &str) -> bool {
    is_built_in(game, name) || players(game).any(|(file, _)| name_of(file).eq_ignore_ascii_case(name))
}

fn is_built_in(game: &str, name: &str) -> bool {
    ludus_games::find(game)
        .is_some_and(|game| game.about().players.iter().any(|player| player.name.eq_ignore_ascii_case(name)))
}
