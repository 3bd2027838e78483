//! Colours, directions, and how each team sees the board turned.

use crate::{PerSeat, Pos, Seat};

/// What a square is painted with, as the letter that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Colour {
    Wall = b'#',
    Bare = b'.',
    Team1 = b'1',
    Team2 = b'2',
    Team3 = b'3',
    Team4 = b'4',
}

impl Colour {
    const TEAMS: [Colour; 4] = [Colour::Team1, Colour::Team2, Colour::Team3, Colour::Team4];

    pub fn of(seat: Seat) -> Colour {
        Colour::TEAMS[seat.index()]
    }

    /// Who has painted the square.
    #[inline]
    pub fn owner(self) -> Option<Seat> {
        match self {
            Colour::Wall | Colour::Bare => None,
            Colour::Team1 => Some(Seat::ALL[0]),
            Colour::Team2 => Some(Seat::ALL[1]),
            Colour::Team3 => Some(Seat::ALL[2]),
            Colour::Team4 => Some(Seat::ALL[3]),
        }
    }

    /// The colour as the player in `seat` sees it.
    #[inline]
    pub fn seen_by(self, seat: Seat) -> Colour {
        match self {
            Colour::Wall | Colour::Bare => self,
            painted => Colour::TEAMS[(painted as usize - b'1' as usize + 4 - seat.index()) % 4],
        }
    }

    /// The number that players know the colour by.
    pub fn number(self) -> i32 {
        match self {
            Colour::Wall => -1,
            Colour::Bare => 0,
            painted => i32::from(painted as u8 - b'0'),
        }
    }
}

impl From<Colour> for u8 {
    fn from(colour: Colour) -> u8 {
        colour as u8
    }
}

/// The order to stay and rest. Smaller numbers, from 1, are directions.
pub const STAY: i32 = 9;

/// The way of each direction: clockwise from the east. Staying is one too.
pub const STEPS: [(i32, i32); 10] =
    [(0, 0), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 0)];

/// How far apart, in a board of side `dim` stored row by row, a square and its
/// neighbour in each direction of each team are.
pub fn strides(dim: i32) -> PerSeat<[i32; 10]> {
    Seat::ALL.map(|seat| {
        let mut strides = [0; 10];
        for direction in 1..=8 {
            let (di, dj) = STEPS[direction_on_board(seat, direction) as usize];
            strides[direction as usize] = di * dim + dj;
        }
        strides
    })
}

/// The direction on the board that a team means by one of 1 to 8.
#[inline]
pub fn direction_on_board(seat: Seat, direction: i32) -> i32 {
    let turned = direction + 2 * seat.index() as i32;
    if turned > 8 { turned - 8 } else { turned }
}

/// The number, 1 to 4, by which the player in `seat` knows a team: itself is 1.
#[inline]
pub fn team_seen(seat: Seat, other: Seat) -> i32 {
    (4 + other.index() as i32 - seat.index() as i32) % 4 + 1
}

/// The seat of the team that the player in `seat` knows by a number.
pub fn seat_of_team(seat: Seat, team: i32) -> Option<Seat> {
    (1..=4).contains(&team).then(|| Seat::ALL[(seat.index() + team as usize - 1) % 4])
}

/// Where the player in `seat` sees a square of the board of side `dim`.
#[inline]
pub fn seen(seat: Seat, dim: i32, Pos { i, j }: Pos) -> Pos {
    let last = dim - 1;
    match seat.index() {
        0 => Pos::new(i, j),
        1 => Pos::new(last - j, i),
        2 => Pos::new(last - i, last - j),
        _ => Pos::new(j, last - i),
    }
}

/// The square of the board that the player in `seat` sees at a position.
#[inline]
pub fn on_board(seat: Seat, dim: i32, Pos { i, j }: Pos) -> Pos {
    let last = dim - 1;
    match seat.index() {
        0 => Pos::new(i, j),
        1 => Pos::new(j, last - i),
        2 => Pos::new(last - i, last - j),
        _ => Pos::new(last - j, i),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_team_sees_itself_in_the_north_west() {
        for (seat, corner) in Seat::ALL.into_iter().zip([(1, 2), (2, 8), (8, 7), (7, 1)]) {
            let corner = Pos::new(corner.0, corner.1);
            assert_eq!(seen(seat, 10, corner), Pos::new(1, 2), "{seat}");
            assert_eq!(on_board(seat, 10, Pos::new(1, 2)), corner, "{seat}");
        }
    }

    #[test]
    fn directions_turn_with_the_board() {
        for seat in Seat::ALL {
            for direction in 1..=8 {
                let from = Pos::new(4, 5);
                let seen_target = seen(seat, 10, from) + STEPS[direction as usize];
                let target = from + STEPS[direction_on_board(seat, direction) as usize];
                assert_eq!(on_board(seat, 10, seen_target), target, "{seat} {direction}");
            }
        }
    }

    #[test]
    fn teams_are_counted_clockwise_from_oneself() {
        for seat in Seat::ALL {
            for team in 1..=4 {
                let other = seat_of_team(seat, team).unwrap();
                assert_eq!(team_seen(seat, other), team);
                assert_eq!(Colour::of(other).seen_by(seat).number(), team);
            }
            assert_eq!(team_seen(seat, seat), 1);
        }
        assert_eq!(team_seen(Seat::ALL[3], Seat::ALL[0]), 2);
        assert_eq!(seat_of_team(Seat::ALL[0], 5), None);
    }
}
