//! Puts the folders that `ludus new` makes into the binary: example players,
//! API pages and configs of every game. The rules pages and the translations
//! are for the site.

#[path = "../../scripts/embed.rs"]
mod embed;

fn main() {
    embed::files("content", "content.rs", |name| {
        ["default.cnf", "api.cpp.md", "api.rust.md"].contains(&name) || name.ends_with(".cc") || name.ends_with(".rs")
    });
}
