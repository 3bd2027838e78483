//! The model of a config's text: what followed the same three bytes before
//! most likely follows again; other bytes are told by halves.

use super::coder::{Coder, Decoder, Encoder, SYMBOLS, Table};

/// The longest text that is unpacked.
pub const LONGEST_TEXT: usize = 4 << 20;

/// Places of the text, by a hash of the bytes before.
const PLACES: usize = 1 << 10;

const YES: usize = 1;

struct TextModel {
    /// Whether a guess is right, by how many were right before it.
    guesses: [Table; SYMBOLS],
    /// The upper half of a byte, by the upper half of the one before.
    upper: [Table; SYMBOLS],
    /// The lower half of a byte, by both upper halves.
    lower: Vec<Table>,
    /// Where the text went on the last time after these bytes; 0 is nowhere.
    places: Vec<u32>,
    right: usize,
}

impl TextModel {
    fn new() -> Self {
        TextModel {
            guesses: [const { Table::EVEN }; SYMBOLS],
            upper: [const { Table::EVEN }; SYMBOLS],
            lower: vec![Table::EVEN; SYMBOLS * SYMBOLS],
            places: vec![0; PLACES],
            right: 0,
        }
    }

    /// Codes the byte that comes after `before`.
    fn byte(&mut self, coder: &mut impl Coder, before: &[u8], byte: u8) -> u8 {
        let place = match before {
            [.., a, b, c] => {
                let bytes = u32::from_le_bytes([*a, *b, *c, 0]);
                Some(&mut self.places[(bytes.wrapping_mul(0x9e37_79b1) >> 22) as usize])
            }
            _ => None,
        };
        if let Some(place) = place {
            let seen = std::mem::replace(place, before.len() as u32);
            if seen > 0 {
                let guess = before[seen as usize];
                let is_right = coder.symbol(&mut self.guesses[self.right], usize::from(byte == guess)) == YES;
                if is_right {
                    self.right = (self.right + 1).min(SYMBOLS - 1);
                    return guess;
                }
                self.right = 0;
            }
        }
        let last = before.last().map_or(0, |byte| usize::from(byte >> 4));
        let upper = coder.symbol(&mut self.upper[last], usize::from(byte >> 4));
        let lower = coder.symbol(&mut self.lower[last << 4 | upper], usize::from(byte & 15));
        (upper << 4 | lower) as u8
    }
}

pub fn pack(text: &[u8]) -> Vec<u8> {
    let (mut encoder, mut model) = (Encoder::new(), TextModel::new());
    for (at, &byte) in text.iter().enumerate() {
        model.byte(&mut encoder, &text[..at], byte);
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
        let byte = model.byte(&mut decoder, &text, 0);
        if decoder.is_exhausted() {
            return None;
        }
        text.push(byte);
    }
    Some(text)
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
