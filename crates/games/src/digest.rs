//! A stable digest: the same words give the same 64 bits on every machine and
//! in every version.
//!
//! It tells states apart; it does not resist somebody who crafts collisions,
//! which is why results are proved by playing a match again, not by a digest.

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

    #[inline]
    pub fn word(&mut self, word: u64) {
        let mixed = (self.state ^ word).wrapping_mul(FACTOR);
        self.state = mixed ^ (mixed >> 32);
    }

    #[inline]
    pub fn int(&mut self, value: impl Into<i64>) {
        self.word(value.into() as u64);
    }

    /// Two 32-bit numbers in one word.
    #[inline]
    pub fn pair(&mut self, first: i32, second: i32) {
        self.word(u64::from(first as u32) << 32 | u64::from(second as u32));
    }

    /// Bytes, with their number.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.word(u64::from_le_bytes(last));
    }

    /// Cells of a board, whose number the rules know.
    #[inline]
    pub fn cells<T: Copy + Into<u8>>(&mut self, cells: &[T]) {
        let (words, rest) = cells.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(word.map(Into::into)));
        }
        rest.iter().for_each(|&cell| self.word(u64::from(cell.into())));
    }

    pub fn finish(&self) -> u64 {
        let mut value = self.state;
        value = (value ^ (value >> 32)).wrapping_mul(FACTOR);
        value = (value ^ (value >> 29)).wrapping_mul(SEED);
        value ^ (value >> 32)
    }
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
        assert_eq!(of(b""), 1_698_261_523_406_893_845);
        assert_eq!(of(b"ludus"), 15_939_699_942_512_083_345);
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
