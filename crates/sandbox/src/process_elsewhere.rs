//! Where there are no sockets of Unix, players are not run as processes.

use std::ffi::OsString;
use std::path::PathBuf;

use ludus_arena::{Fault, Player, Turn};
use ludus_games::{Orders, Seat};

/// A program in a seat, which is frozen at once.
pub struct NativePlayer;

impl NativePlayer {
    pub fn new(_: PathBuf, _: Vec<OsString>, _: i32, _: Seat) -> NativePlayer {
        NativePlayer
    }
}

impl Player for NativePlayer {
    fn play(&mut self, _: Turn<'_>, _: &mut Orders) -> Result<(), Fault> {
        Err(Fault::Trap("native players are for Linux and macOS".to_owned()))
    }
}
