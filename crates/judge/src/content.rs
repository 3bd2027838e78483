//! What comes with the games: rules pages and example players.

include!(concat!(env!("OUT_DIR"), "/content.rs"));

fn file(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, content)| *content)
}

/// The rules page of a game in a language.
pub fn rules(game: &str, language: &str) -> Option<&'static str> {
    file(&format!("{game}/rules.{language}.md"))
}

/// The player that does nothing, in C++ or Rust: what a student begins with.
pub fn starter(game: &str, file_name: &str) -> Option<&'static str> {
    file(&format!("{game}/players/{file_name}"))
}

/// The example players of a game: file name and source.
pub fn players(game: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let folder = format!("{game}/players/");
    FILES.iter().filter_map(move |(name, source)| Some((name.strip_prefix(&folder)?, *source)))
}
