//! The bytes in which the host writes, read where they lie.

use crate::host;

/// The settings before the first round, the state in every round. The layout
/// of each game is in `docs/abi.md`; nothing is decoded that is not asked for.
#[derive(Debug)]
pub struct Room {
    /// Words of the size of the strictest alignment that a layout has.
    words: Vec<u64>,
}

impl Room {
    pub(crate) const fn new() -> Room {
        Room { words: Vec::new() }
    }

    /// Space for so many bytes, and its address for the host.
    pub(crate) fn make(&mut self, bytes: usize) -> *mut u8 {
        self.words = vec![0; bytes.div_ceil(8)];
        self.words.as_mut_ptr().cast()
    }

    /// The whole room as bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        host::view(&self.words)
    }

    /// The whole room as 16-bit integers.
    #[inline]
    pub fn shorts(&self) -> &[i16] {
        host::view(&self.words)
    }

    /// The whole room as 32-bit integers.
    #[inline]
    pub fn ints(&self) -> &[i32] {
        host::view(&self.words)
    }

    /// The whole room as 64-bit real numbers.
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
    fn one_room_is_read_as_every_kind_of_number() {
        let mut room = Room::new();
        assert!(room.bytes().is_empty());
        assert!((room.make(20) as usize).is_multiple_of(8));
        room.words[0] = 0x0807_0605_0403_0201;
        room.words[1] = 0.75f64.to_bits();
        room.words[2] = u64::from(u32::MAX);
        assert_eq!(room.bytes()[..9], [1, 2, 3, 4, 5, 6, 7, 8, 0]);
        assert_eq!(room.shorts()[..2], [0x0201, 0x0403]);
        assert_eq!(room.ints()[..2], [0x0403_0201, 0x0807_0605]);
        assert_eq!(room.reals()[1], 0.75);
        let mut reader = room.reader();
        assert_eq!(reader.int(), 0x0403_0201);
        reader.skip();
        assert_eq!(reader.array::<5>(), [0, 0x3fe8_0000, -1, 0, 0]);
    }
}
