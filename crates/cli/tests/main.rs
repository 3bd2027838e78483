//! The tests of the command, in one program.
#![allow(clippy::unwrap_used)]

mod arena;
mod command;
mod conform;
mod debug;
mod league;
mod log;
mod ludus;
mod manual;
mod plagiarism;
mod players;
mod printed;
mod replay;
mod round;
mod tidy;
mod tune;
mod view;
