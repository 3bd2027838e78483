//! Puts what comes with a course into the library: the example players and the
//! SDK, which are nobody's code.

#[path = "../../scripts/embed.rs"]
mod embed;

fn main() {
    embed::files("content", "players.rs", |name| name.ends_with(".cc") || name.ends_with(".rs"));
    embed::files("sdk", "sdk.rs", |name| [".cc", ".hh", ".rs"].iter().any(|ending| name.ends_with(ending)));
}
