//! A player as a process of its own, for debuggers and profilers. The host
//! speaks through a socket, so that the terminal stays free.
//!
//! Host to player: kind (1 start, 2 play), number of bytes, the bytes. A start
//! begins with seat and seed. Player to host: number of bytes, the orders.
//! After everything that a player writes in a round comes a mark, if the host
//! wants it.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

const START: i32 = 1;

type Buffer = extern "C" fn(i32) -> *mut u8;
type Start = extern "C" fn(i32, i32, i32);
type Play = extern "C" fn(i32) -> *const i32;

/// Plays until the host has had enough.
pub fn run(buffer: Buffer, start: Start, play: Play) {
    let Some(path) = std::env::var_os("LUDUS_SOCKET") else {
        eprintln!("this player is started by: ludus play --native");
        std::process::exit(2);
    };
    let mut host = UnixStream::connect(path).expect("the match is listening");
    // The match is over when its socket closes.
    let _ = serve(&mut host, buffer, start, play);
}

fn serve(host: &mut UnixStream, buffer: Buffer, start: Start, play: Play) -> io::Result<()> {
    let marks = std::env::var_os("LUDUS_MARKS").is_some();
    let mut largest = 0;
    let mut rounds = 0;
    let mut place: *mut u8 = std::ptr::null_mut();
    loop {
        let [kind, bytes] = numbers(host)?;
        let [seat, seed] = if kind == START { numbers(host)? } else { [0; 2] };
        if place.is_null() || bytes > largest {
            largest = bytes;
            place = buffer(bytes);
        }
        let mut message = vec![0; bytes as usize];
        host.read_exact(&mut message)?;
        // SAFETY: the buffer has at least that many bytes, and nobody reads it now.
        unsafe { std::ptr::copy_nonoverlapping(message.as_ptr(), place, message.len()) };
        let orders = if kind == START {
            start(seat, seed, bytes);
            vec![0]
        } else {
            ludus_round(rounds);
            rounds += 1;
            let orders = play(bytes);
            if marks {
                io::stdout().flush()?;
                io::stderr().write_all(b"\x1eludus\x1e")?;
            }
            // SAFETY: what the SDK answers with is a whole list of orders.
            unsafe { copy(orders) }
        };
        let words = orders.iter().flat_map(|word| word.to_le_bytes());
        let answer: Vec<u8> = (4 * orders.len() as i32).to_le_bytes().into_iter().chain(words).collect();
        host.write_all(&answer)?;
    }
}

/// Called at the beginning of every round, so that a debugger can stop there:
/// `break ludus_round if round == 40`.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn ludus_round(round: i32) {
    std::hint::black_box(round);
}

fn numbers<const N: usize>(host: &mut UnixStream) -> io::Result<[i32; N]> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        let mut bytes = [0; 4];
        host.read_exact(&mut bytes)?;
        *number = i32::from_le_bytes(bytes);
    }
    Ok(numbers)
}

/// The orders, whose number comes first, and before each its number of words.
///
/// # Safety
///
/// They must be in the layout of `docs/abi.md`, and stay as they are.
unsafe fn copy(orders: *const i32) -> Vec<i32> {
    // SAFETY: as the caller says, here and below.
    let at = |place: usize| unsafe { *orders.add(place) };
    let mut len = 1;
    for _ in 0..at(0) {
        len += 1 + at(len) as usize;
    }
    (0..len).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_copied_whole() {
        let orders = [2, 3, 7, 0, 1, 1, 9, 77];
        // SAFETY: the layout is right, and 77 lies behind it.
        assert_eq!(unsafe { copy(orders.as_ptr()) }, orders[..7]);
    }
}
