//! The bytes in which the host writes, read where they lie.

use crate::host;

/// The settings before the first round, the state in every round. The layout
/// of each game is in `docs/abi.md`; nothing is decoded that is not asked for.
#[derive(Debug)]
pub struct Buffer {
    /// Words of the size of the strictest alignment that a layout has.
    words: Vec<u64>,
}

impl Buffer {
    pub(crate) const fn new() -> Buffer {
        Buffer { words: Vec::new() }
    }

    /// Space for so many bytes, and its address for the host.
    pub(crate) fn make(&mut self, bytes: usize) -> *mut u8 {
        self.words = vec![0; bytes.div_ceil(8)];
        self.words.as_mut_ptr().cast()
    }

    /// The whole buffer as bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        host::view(&self.words)
    }

    /// The whole buffer as 16-bit integers.
    #[inline]
    pub fn shorts(&self) -> &[i16] {
        host::view(&self.words)
    }

    /// The whole buffer as 32-bit integers.
    #[inline]
    pub fn ints(&self) -> &[i32] {
        host::view(&self.words)
    }

    /// The whole buffer as 64-bit real numbers.
    #[inline]
    pub fn reals(&self) -> &[f64] {
        host::view(&self.words)
    }

    /// Reads integers one after another, from the beginning.
    pub fn reader(&self) -> Reader<'_> {
        Reader { ints: self.ints().iter() }
    }
}

/// Reads the settings, in the order in which the host wrote them.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    ints: std::slice::Iter<'a, i32>,
}

impl Reader<'_> {
    /// The next integer; 0 after the last.
    pub fn int(&mut self) -> i32 {
        self.ints.next().copied().unwrap_or(0)
    }

    /// The next `N` integers.
    pub fn array<const N: usize>(&mut self) -> [i32; N] {
        [(); N].map(|()| self.int())
    }

    /// Goes past an integer.
    pub fn skip(&mut self) {
        self.int();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_buffer_is_read_as_every_kind_of_number() {
        let mut buffer = Buffer::new();
        assert!(buffer.bytes().is_empty());
        assert!((buffer.make(20) as usize).is_multiple_of(8));
        buffer.words[0] = 0x0807_0605_0403_0201;
        buffer.words[1] = 0.75f64.to_bits();
        buffer.words[2] = u64::from(u32::MAX);
        assert_eq!(buffer.bytes()[..9], [1, 2, 3, 4, 5, 6, 7, 8, 0]);
        assert_eq!(buffer.shorts()[..2], [0x0201, 0x0403]);
        assert_eq!(buffer.ints()[..2], [0x0403_0201, 0x0807_0605]);
        assert_eq!(buffer.reals()[1], 0.75);
        let mut reader = buffer.reader();
        assert_eq!(reader.int(), 0x0403_0201);
        reader.skip();
        assert_eq!(reader.array::<5>(), [0, 0x3fe8_0000, -1, 0, 0]);
    }
}
