//! The tests of the library, one program.

#![allow(clippy::unwrap_used, reason = "tests")]

mod corpus;
mod disguise;
mod hostile;
mod laws;
mod ranking;
mod sharing;
mod testset;
