//! The four seats of a match.

use std::fmt;

/// One of the four places at the board, and whoever sits there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// The four seats.
    pub const ALL: [Seat; 4] = [Seat(0), Seat(1), Seat(2), Seat(3)];

    /// The seat with this number.
    #[inline]
    pub fn from_number(number: i32) -> Option<Seat> {
        Seat::ALL.get(number as usize).copied()
    }

    /// From 0 to 3, to index with.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The other three.
    pub fn others(self) -> impl Iterator<Item = Seat> + Clone {
        Seat::ALL.into_iter().filter(move |&seat| seat != self)
    }

    /// The seat with a number that the host wrote.
    #[inline]
    pub(crate) fn written(number: i32) -> Seat {
        Seat(number as u8 & 3)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
