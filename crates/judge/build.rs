//! Puts what the site shows of every game into the binary: rules, API pages,
//! starters and example players.

#[path = "../../scripts/embed.rs"]
mod embed;

fn main() {
    embed::files("content", "content.rs", |name| [".md", ".cc", ".rs"].iter().any(|ending| name.ends_with(ending)));
}
