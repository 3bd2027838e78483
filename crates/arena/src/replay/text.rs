//! The model of a config's text: what followed the same three bytes before
//! most likely follows again, for a while; other bytes are told by halves.

use super::coder::{Coder, Decoder, Encoder, SYMBOLS, Table};

/// The longest text that is unpacked.
pub const LONGEST_TEXT: usize = 4 << 20;

/// Places of the text, by a hash of the bytes before.
const PLACES: usize = 1 << 10;

/// As many bytes are guessed at one time; so many right ones, and more may follow.
const LONGEST_GUESS: usize = SYMBOLS - 1;

struct TextModel {
    /// How many guessed bytes are right.
    guesses: Table,
    /// The upper half of a byte, by the upper half of the one before.
    upper: [Table; SYMBOLS],
    /// The lower half of a byte, by its upper half.
    lower: [Table; SYMBOLS],
    /// Where the text went on the last time after these bytes; 0 is nowhere.
    places: Vec<u32>,
}

impl TextModel {
    fn new() -> Self {
        TextModel {
            guesses: Table::EVEN,
            upper: [const { Table::EVEN }; SYMBOLS],
            lower: [const { Table::EVEN }; SYMBOLS],
            places: vec![0; PLACES],
        }
    }

    /// Where the text after `before` went on the last time, if it is known.
    fn guess(&mut self, before: &[u8]) -> Option<usize> {
        let &[.., a, b, c] = before else { return None };
        let bytes = u32::from_le_bytes([a, b, c, 0]);
        let place = &mut self.places[(bytes.wrapping_mul(0x9e37_79b1) >> 22) as usize];
        let seen = std::mem::replace(place, before.len() as u32);
        (seen > 0).then_some(seen as usize)
    }

    fn byte(&mut self, coder: &mut impl Coder, before: &[u8], byte: u8) -> u8 {
        let last = before.last().map_or(0, |byte| usize::from(byte >> 4));
        let upper = coder.symbol(&mut self.upper[last], usize::from(byte >> 4));
        let lower = coder.symbol(&mut self.lower[upper], usize::from(byte & 15));
        (upper << 4 | lower) as u8
    }
}

/// Packs a text, which [`unpack`] gives back.
pub fn pack(text: &[u8]) -> Vec<u8> {
    let (mut encoder, mut model) = (Encoder::new(), TextModel::new());
    let mut at = 0;
    while at < text.len() {
        if let Some(place) = model.guess(&text[..at]) {
            let right = text[place..].iter().zip(&text[at..]).take(LONGEST_GUESS).take_while(|(a, b)| a == b).count();
            encoder.symbol(&mut model.guesses, right);
            at += right;
            if right == LONGEST_GUESS || at == text.len() {
                continue;
            }
        }
        model.byte(&mut encoder, &text[..at], text[at]);
        at += 1;
    }
    encoder.finish()
}

/// The text of so many bytes, if that many were packed.
pub fn unpack(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    if length > LONGEST_TEXT {
        return None;
    }
    let (mut decoder, mut model) = (Decoder::new(packed), TextModel::new());
    let mut text = Vec::new();
    while text.len() < length {
        if decoder.is_exhausted() {
            return None;
        }
        if let Some(place) = model.guess(&text) {
            let right = decoder.symbol(&mut model.guesses, 0);
            for k in place..place + right {
                text.push(text[k]);
            }
            if right == LONGEST_GUESS || text.len() == length {
                continue;
            }
        }
        text.push(model.byte(&mut decoder, &text, 0));
    }
    (text.len() == length && !decoder.is_exhausted()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        let long: Vec<u8> = (0..50_000u32).map(|k| ((k * k) >> 7) as u8).collect();
        for text in [b"".as_slice(), b"a", b"abcabcabcabc", &[255; 5000], &[0; 5000], &long] {
            assert_eq!(unpack(&pack(text), text.len()).as_deref(), Some(text));
        }
    }

    #[test]
    fn configs_become_small() {
        for game in ludus_games::GAMES {
            let config = game.about().default_config.as_bytes();
            let packed = pack(config);
            println!("{}: {} bytes of config in {}", game.about().id, config.len(), packed.len());
            assert!(packed.len() < config.len() / 2 + 30);
        }
    }

    #[test]
    fn no_text_is_made_of_nothing() {
        assert_eq!(unpack(&[], 1_000_000), None);
        assert_eq!(unpack(b"x", LONGEST_TEXT + 1), None);
    }
}
