//! The tests of matches, replays and seasons, in one program.
#![allow(clippy::unwrap_used)]

mod dummies;
mod intake;
mod laws;
mod match_files;
mod replays;
mod round_files;
mod schedules;
mod season;
mod sequential;
mod shared;
mod tune;
