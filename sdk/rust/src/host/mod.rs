//! What the player and the program that runs it have to do with each other:
//! all the unsafe code of the crate, and nothing that players use directly.
#![allow(unsafe_code)]

#[cfg(target_family = "wasm")]
mod allocator;
#[cfg(all(unix, not(target_family = "wasm")))]
pub mod native;

use std::fmt;

/// Why a player ends its own part in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// More orders in a round than a player may give.
    TooManyOrders = 1,
    /// A panic.
    Aborted = 2,
    /// More memory than there is.
    OutOfMemory = 4,
}

/// Numbers that are valid whatever their bits are, of at most eight bytes.
pub trait Number: Copy {}

impl Number for u8 {}
impl Number for i16 {}
impl Number for i32 {}
impl Number for f64 {}

/// The same bytes as numbers of another kind.
#[inline]
pub(crate) fn view<T: Number>(words: &[u64]) -> &[T] {
    // SAFETY: the slice covers exactly the same bytes, which are initialised;
    // `T` is not stricter in alignment than `u64`, its size divides 8, and
    // every pattern of bits is one of its values.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words) / size_of::<T>()) }
}

/// Writes a line for the player's author, like `eprintln!`: it is shown with
/// the player's name in front, and kept with `--log`.
#[macro_export]
macro_rules! log {
    () => { $crate::host::write_line(::std::format_args!("")) };
    ($($text:tt)+) => { $crate::host::write_line(::std::format_args!($($text)+)) };
}

/// What [`log!`] does.
pub fn write_line(text: fmt::Arguments<'_>) {
    write(&format!("{text}\n"));
}

#[cfg(target_family = "wasm")]
mod imports {
    #[repr(C)]
    pub struct Piece {
        pub start: *const u8,
        pub len: usize,
    }

    #[link(wasm_import_module = "ludus")]
    unsafe extern "C" {
        pub fn fault(reason: i32) -> !;
        pub fn draw(kind: i32, colour: i32, a: i32, b: i32, c: i32, d: i32, text: *const u8, len: usize);
    }

    #[link(wasm_import_module = "wasi_snapshot_preview1")]
    unsafe extern "C" {
        pub fn fd_write(descriptor: i32, pieces: *const Piece, count: usize, written: *mut usize) -> i32;
    }
}

#[cfg(target_family = "wasm")]
fn write(text: &str) {
    let piece = imports::Piece { start: text.as_ptr(), len: text.len() };
    let mut written = 0;
    // SAFETY: the host reads the one piece, whose text is borrowed here, and
    // writes the one number. The answer is only that the output was taken.
    let _ = unsafe { imports::fd_write(2, &piece, 1, &mut written) };
}

#[cfg(not(target_family = "wasm"))]
fn write(text: &str) {
    eprint!("{text}");
}

/// Draws for the player's author.
#[cfg(target_family = "wasm")]
pub(crate) fn draw(kind: i32, colour: i32, [a, b, c, d]: [i32; 4], text: &str) {
    // SAFETY: the host only reads the text, which is borrowed here.
    unsafe { imports::draw(kind, colour, a, b, c, d, text.as_ptr(), text.len()) }
}

/// Nobody looks at what a native process draws.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn draw(_kind: i32, _colour: i32, _places: [i32; 4], _text: &str) {}

/// Ends the player's part in the match.
#[cfg(target_family = "wasm")]
pub fn end(why: Ending) -> ! {
    // SAFETY: the host stops the module and does not return.
    unsafe { imports::fault(why as i32) }
}

/// Ends a player that runs as a native process, where a debugger can see it.
#[cfg(not(target_family = "wasm"))]
pub fn end(_why: Ending) -> ! {
    std::process::abort()
}

/// From now on a panic writes its message and ends the player.
pub(crate) fn end_on_panic() {
    // A native process keeps the usual hook, which can show a backtrace.
    #[cfg(target_family = "wasm")]
    std::panic::set_hook(Box::new(|panic| {
        write_line(format_args!("{panic}"));
        end(Ending::Aborted);
    }));
}
