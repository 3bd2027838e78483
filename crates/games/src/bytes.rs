//! Writing states for players' programs: numbers as little-endian bytes.

use crate::{PerSeat, Status};

pub trait WriteBytes {
    fn ints(&mut self, values: &[i32]);
    fn shorts(&mut self, values: impl Iterator<Item = i16>);
    /// Ids of units in 16 bits each; `u16::MAX` for none reads as -1.
    fn ids(&mut self, ids: &[u16]);
    /// The CPU used by each seat, as 64-bit real numbers.
    fn statuses(&mut self, status: &PerSeat<Status>);
    /// Zeros up to a multiple of `to` bytes.
    fn pad(&mut self, to: usize);
}

impl WriteBytes for Vec<u8> {
    #[inline]
    fn ints(&mut self, values: &[i32]) {
        let start = self.len();
        self.resize(start + 4 * values.len(), 0);
        for (bytes, value) in self[start..].as_chunks_mut::<4>().0.iter_mut().zip(values) {
            *bytes = value.to_le_bytes();
        }
    }

    #[inline]
    fn shorts(&mut self, values: impl Iterator<Item = i16>) {
        values.for_each(|value| self.extend_from_slice(&value.to_le_bytes()));
    }

    #[inline]
    fn ids(&mut self, ids: &[u16]) {
        let start = self.len();
        self.resize(start + 2 * ids.len(), 0);
        for (bytes, id) in self[start..].as_chunks_mut::<2>().0.iter_mut().zip(ids) {
            *bytes = id.to_le_bytes();
        }
    }

    fn statuses(&mut self, status: &PerSeat<Status>) {
        status.iter().for_each(|status| self.extend_from_slice(&status.fraction().to_le_bytes()));
    }

    fn pad(&mut self, to: usize) {
        self.resize(self.len().next_multiple_of(to), 0);
    }
}
