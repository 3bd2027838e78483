//! A stable digest: the same words give the same 64 bits on every machine and
//! in every version.
//!
//! It tells states apart; it does not resist somebody who crafts collisions,
//! which is why results are proved by playing a match again, not by a digest.

use crate::Pos;

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    state: u64,
}

impl Default for Digest {
    fn default() -> Self {
        Digest::new()
    }
}

impl Digest {
    pub fn new() -> Self {
        Digest { state: SEED }
    }

    /// No two words lead from one state to the same other, so that a single
    /// difference is never lost.
    #[inline]
    pub fn word(&mut self, word: u64) {
        self.state = (self.state.rotate_left(25) ^ word).wrapping_mul(FACTOR);
    }

    #[inline]
    pub fn int(&mut self, value: impl Into<i64>) {
        self.word(value.into() as u64);
    }

    /// Two words at the cost of little more than one.
    #[inline]
    pub fn words(&mut self, first: u64, second: u64) {
        self.word(first);
        self.state = self.state.wrapping_add(second);
    }

    /// Two 32-bit numbers in one word, as they lie in memory.
    #[inline]
    pub fn pair(&mut self, first: i32, second: i32) {
        self.word(packed(first, second));
    }

    /// A unit: where it is, on a board with sides below 2^16, and what it is.
    #[inline]
    pub fn unit(&mut self, pos: Pos, traits: u16, first: i32, second: i32) {
        self.words(packed(pos.i, pos.j) ^ u64::from(traits) << 16, packed(first, second));
    }

    /// 32-bit numbers, whose number the caller tells apart.
    #[inline]
    pub fn ints(&mut self, values: &[i32]) {
        self.all(values, |[first, second]| packed(first, second), |value| value as u64);
    }

    /// 16-bit numbers, whose number the rules know.
    #[inline]
    pub fn shorts(&mut self, values: &[i16]) {
        let word = |four: [i16; 4]| four.into_iter().rev().fold(0, |word, value| word << 16 | u64::from(value as u16));
        self.all(values, word, |value| value as u64);
    }

    /// Bytes, with their number.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        self.cells(bytes);
    }

    /// Cells of a board, whose number the rules know.
    #[inline]
    pub fn cells<T: Copy + Into<u8>>(&mut self, cells: &[T]) {
        self.all(cells, |eight: [T; 8]| u64::from_le_bytes(eight.map(Into::into)), |cell| u64::from(cell.into()));
    }

    /// Many small values, `N` in a word, and the rest one by one. Words are taken
    /// by twice four, because counting them would cost as much as they do.
    #[inline]
    fn all<T: Copy, const N: usize>(&mut self, values: &[T], word: impl Fn([T; N]) -> u64, one: impl Fn(T) -> u64) {
        let (words, rest) = values.as_chunks::<N>();
        let (eights, few) = words.as_chunks::<8>();
        for eight in eights {
            eight.as_chunks::<2>().0.iter().for_each(|&[first, second]| self.words(word(first), word(second)));
        }
        few.iter().for_each(|&values| self.word(word(values)));
        rest.iter().for_each(|&value| self.word(one(value)));
    }

    pub fn finish(&self) -> u64 {
        let mut value = self.state;
        value = (value ^ (value >> 32)).wrapping_mul(FACTOR);
        value = (value ^ (value >> 29)).wrapping_mul(SEED);
        value ^ (value >> 32)
    }
}

#[inline]
fn packed(first: i32, second: i32) -> u64 {
    u64::from(first as u32) | u64::from(second as u32) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> u64 {
        let mut digest = Digest::new();
        digest.bytes(bytes);
        digest.finish()
    }

    #[test]
    fn it_never_changes() {
        assert_eq!(of(b""), 11_369_487_705_554_957_850);
        assert_eq!(of(b"ludus"), 3_418_974_243_422_490_496);
    }

    #[test]
    fn length_and_every_byte_count() {
        let text = *b"0123456789abcdef!";
        for k in 0..text.len() {
            let mut other = text;
            other[k] ^= 1;
            assert_ne!(of(&text), of(&other));
            assert_ne!(of(&text), of(&text[..k]));
        }
        assert_ne!(of(b"\0"), of(b"\0\0"));
    }
}
