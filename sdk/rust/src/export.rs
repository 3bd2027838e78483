//! What the host calls (`docs/abi.md`), for the macros of the games.

use std::ffi::CStr;

use crate::buffer::Buffer;
use crate::game::{Game, Rules};
use crate::host;

/// The version of the interface between host and players.
pub const ABI: i32 = 2;

/// The player of this module and the match it is in.
pub struct Program<R: Rules, P> {
    /// Where the host writes before there is a game.
    buffer: Buffer,
    game: Option<Game<R>>,
    /// Made in the first round, so that it can look at the board.
    player: Option<P>,
}

impl<R: Rules, P> Program<R, P> {
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Program { buffer: Buffer::new(), game: None, player: None }
    }

    pub fn buffer(&mut self, bytes: i32) -> *mut u8 {
        let buffer = self.game.as_mut().map_or(&mut self.buffer, |game| &mut game.buffer);
        buffer.make(bytes as u32 as usize)
    }

    pub fn start(&mut self, seat: i32, seed: i32) {
        host::end_on_panic();
        // The buffer stays where it is: the host may write the first state there.
        let buffer = std::mem::replace(&mut self.buffer, Buffer::new());
        self.game = Some(Game::start(seat, seed, buffer));
    }

    pub fn play(&mut self, new: fn(&Game<R>) -> P, play: fn(&mut P, &Game<R>)) -> *const i32 {
        let game = self.game.as_mut().expect("the host starts a player before it asks it");
        game.begin_round();
        let player = self.player.get_or_insert_with(|| new(game));
        play(player, game);
        game.orders().as_ptr()
    }
}

/// A player's name, checked while the player is compiled.
pub const fn name(text: &'static str, longest: usize) -> &'static CStr {
    let Ok(name) = CStr::from_bytes_with_nul(text.as_bytes()) else {
        panic!("a player's name cannot hold a zero");
    };
    let bytes = name.to_bytes();
    assert!(!bytes.is_empty(), "a player has a name");
    assert!(bytes.len() <= longest, "a player's name is longer than its game allows");
    let mut k = 0;
    while k < bytes.len() {
        assert!(bytes[k] > b' ' && bytes[k] != 127, "a player's name has no spaces");
        k += 1;
    }
    name
}

/// Exports the functions that the host calls, for a player of a game.
#[doc(hidden)]
#[macro_export]
macro_rules! export_player {
    ($rules:ty, $trait:path, $player:ty, $name:literal) => {
        const _: () = {
            use ::std::cell::RefCell;
            use ::std::ffi::c_char;
            use $crate::export::{ABI, Program, name};
            use $crate::game::Rules;

            ::std::thread_local! {
                static PROGRAM: RefCell<Program<$rules, $player>> = const { RefCell::new(Program::new()) };
            }

            #[unsafe(no_mangle)]
            pub extern "C" fn ludus_abi() -> i32 {
                ABI
            }

            // Says that the first page of memory is not used, so that whoever goes
            // through a null pointer is stopped.
            #[unsafe(no_mangle)]
            pub extern "C" fn ludus_guard() {}

            #[unsafe(no_mangle)]
            pub extern "C" fn ludus_game() -> *const c_char {
                <$rules as Rules>::ID.as_ptr()
            }

            #[unsafe(no_mangle)]
            pub extern "C" fn ludus_name() -> *const c_char {
                const { name(::std::concat!($name, "\0"), <$rules as Rules>::LONGEST_NAME) }.as_ptr()
            }

            #[unsafe(no_mangle)]
            pub extern "C" fn ludus_room(bytes: i32) -> *mut u8 {
                PROGRAM.with_borrow_mut(|program| program.buffer(bytes))
            }

            #[unsafe(no_mangle)]
            pub extern "C" fn ludus_start(seat: i32, seed: i32, _bytes: i32) {
                PROGRAM.with_borrow_mut(|program| program.start(seat, seed))
            }

            #[unsafe(no_mangle)]
            pub extern "C" fn ludus_play(_bytes: i32) -> *const i32 {
                PROGRAM.with_borrow_mut(|program| program.play(<$player as $trait>::new, <$player as $trait>::play))
            }
        };
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_words() {
        assert_eq!(name("Mine\0", 12), c"Mine");
        assert_eq!(name("TwelveBytes!\0", 12), c"TwelveBytes!");
        assert_eq!(name("ThirteenBytes\0", 40), c"ThirteenBytes");
        for bad in ["\0", "ThirteenBytes\0", "a b\0", "a\tb\0", "a\0b\0"] {
            assert!(std::panic::catch_unwind(|| name(bad, 12)).is_err(), "{bad:?}");
        }
    }
}
