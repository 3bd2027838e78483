//! Puts the SDK into the binary: a list of every file below `sdk/`, so that an
//! installed `ludus` needs nothing beside it.

#[path = "../../scripts/embed.rs"]
mod embed;

fn main() {
    embed::files("sdk", "sdk.rs", |name| name != "Cargo.lock");
}
