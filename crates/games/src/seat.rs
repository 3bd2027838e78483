//! The four seats of a match, and a value for each of them.

/// One of the four places at the board. A player sits in a seat for a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    pub const COUNT: usize = 4;
    pub const ALL: [Seat; Seat::COUNT] = [Seat(0), Seat(1), Seat(2), Seat(3)];

    pub fn from_number(number: i32) -> Option<Seat> {
        usize::try_from(number).ok().and_then(|n| Seat::ALL.get(n).copied())
    }

    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// As people count: 1 to 4. Files, configs and programs count from 0, and so
    /// does what is shown of them.
    pub const fn ordinal(self) -> usize {
        self.index() + 1
    }
}

impl std::fmt::Display for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// One thing for each seat, which a seat can index.
pub type PerSeat<T> = [T; Seat::COUNT];

impl<T> std::ops::Index<Seat> for PerSeat<T> {
    type Output = T;

    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self[seat.index()]
    }
}

impl<T> std::ops::IndexMut<Seat> for PerSeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self[seat.index()]
    }
}
