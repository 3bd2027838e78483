//! Spoils what strangers write, for tests of everything that reads it: no input
//! makes a reader panic, hang or grow.

use ludus_games::Generator;

use crate::replay::{Replay, Round, Writer};

/// How many inputs a test tries: `short` in `./test`, more where
/// `scripts/fuzz-readers` asks for more.
pub fn inputs(short: usize) -> usize {
    std::env::var("LUDUS_INPUTS").ok().and_then(|number| number.parse().ok()).unwrap_or(short)
}

/// A number from 0 to `below - 1`.
pub fn any(generator: &mut Generator, below: usize) -> usize {
    generator.random(0, below as i32 - 1) as usize
}

/// A replay with one round changed, all of whose checksums are right.
pub fn forged(replay: &Replay, number: usize, change: impl Fn(&mut Round)) -> Vec<u8> {
    let (mut writer, mut rounds) = (Writer::new(&replay.setup), replay.rounds());
    let mut count = 0;
    while let Some(round) = rounds.next_round() {
        let mut round = round.expect("the replay can be read").clone();
        if count == number {
            change(&mut round);
        }
        writer.round(&round.orders, &round.fuel, round.digest);
        count += 1;
    }
    writer.finish(&replay.ending, replay.digest)
}

/// A copy with one to four changes.
pub fn spoil(text: &[u8], generator: &mut Generator) -> Vec<u8> {
    const NUMBERS: [&str; 8] = ["0", "-1", "2147483647", "-2147483648", "99999999999999999999", "1000000", "x", "3"];
    let mut text = text.to_vec();
    for _ in 0..generator.random(1, 4) {
        let at = any(generator, text.len() + 1);
        match generator.random(0, 7) {
            0 => text.truncate(at),
            1 if at < text.len() => text[at] = any(generator, 256) as u8,
            2 if at < text.len() => text[at] ^= 1 << any(generator, 8),
            3 => text.insert(at, b" \n\t-09WX\0\xff"[any(generator, 10)]),
            4 => {
                let end = (at + any(generator, 40)).min(text.len());
                text.drain(at..end);
            }
            5 => {
                let end = (at + any(generator, 200)).min(text.len());
                let piece = text[at..end].to_vec();
                let to = any(generator, text.len() + 1);
                text.splice(to..to, piece);
            }
            _ => {
                let number = NUMBERS[any(generator, NUMBERS.len())];
                let start = at + text[at..].iter().position(u8::is_ascii_digit).unwrap_or(0);
                let end = start + text[start..].iter().take_while(|c| c.is_ascii_digit()).count();
                text.splice(start..end, number.bytes());
            }
        }
    }
    text
}
