//! The tests of how the games look, in one program.
#![allow(clippy::unwrap_used)]

mod hostile;
mod scenes;
