//! The rules of Ants that surprise, every config that is refused, and records.

mod boards;
mod configs;
mod players;
mod records;
mod rounds;

use super::{ABOUT, Ants};
use crate::Game as _;

/// The default config with other values for some settings.
fn config(changes: &[(&str, &str)]) -> String {
    let mut text = ABOUT.default_config.to_owned();
    for (label, value) in changes {
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(label)).unwrap().to_owned();
        text = text.replace(&line, &format!("{label} {value}"));
    }
    text
}

fn start(config: &str, seed: i32) -> Result<Box<dyn crate::Engine>, String> {
    Ants.read_config(config.as_bytes()).and_then(|config| config.start(seed)).map_err(|error| error.to_string())
}
