//! A plain breadth-first search, for the simple players that come with games.

use crate::Pos;

/// What a search finds in a position; whatever is outside the board is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    Closed,
    Open,
    Goal,
}

/// The first step of a shortest way to the nearest goal, and how long the way
/// is, if there is one of at most `reach` steps. Directions are tried in the
/// order given, which decides between ways of the same length.
pub fn nearest<D: Copy>(
    from: Pos,
    dirs: &[D],
    step: fn(D) -> (i32, i32),
    reach: i32,
    ground: impl Fn(Pos) -> Ground,
) -> Option<(D, i32)> {
    let side = 2 * reach + 1;
    let place = |pos: Pos| ((pos.i - from.i + reach) * side + pos.j - from.j + reach) as usize;
    let mut seen = vec![false; (side * side) as usize];
    seen[place(from)] = true;
    // A position, the first direction of the way there, and its length.
    let mut queue: Vec<(Pos, Option<D>, i32)> = vec![(from, None, 0)];
    let mut head = 0;
    while let Some(&(pos, first, length)) = queue.get(head) {
        head += 1;
        if length == reach {
            break;
        }
        for &dir in dirs {
            let next = pos + step(dir);
            if std::mem::replace(&mut seen[place(next)], true) {
                continue;
            }
            let first = first.unwrap_or(dir);
            match ground(next) {
                Ground::Goal => return Some((first, length + 1)),
                Ground::Open => queue.push((next, Some(first), length + 1)),
                Ground::Closed => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dir4;

    const MAP: [&str; 4] = ["....G", ".##.#", "....#", "#G..."];

    fn ground(pos: Pos) -> Ground {
        let row = usize::try_from(pos.i).ok().and_then(|i| MAP.get(i));
        match row.and_then(|row| row.as_bytes().get(usize::try_from(pos.j).ok()?)) {
            None | Some(b'#') => Ground::Closed,
            Some(b'G') => Ground::Goal,
            Some(_) => Ground::Open,
        }
    }

    #[test]
    fn the_nearest_goal_is_found_within_reach() {
        for (from, reach, expected) in [
            ((0, 3), 9, Some((Dir4::Right, 1))),
            ((0, 0), 4, Some((Dir4::Down, 4))),
            ((0, 0), 3, None),
            ((2, 3), 9, Some((Dir4::Down, 3))),
            ((2, 0), 0, None),
        ] {
            let found = nearest(Pos::new(from.0, from.1), &Dir4::ALL, Dir4::step, reach, ground);
            assert_eq!(found, expected, "from {from:?} with reach {reach}");
        }
    }

    #[test]
    fn the_order_of_directions_decides_between_equals() {
        let dirs = [Dir4::Left, Dir4::Up, Dir4::Right, Dir4::Down];
        assert_eq!(nearest(Pos::new(2, 3), &dirs, Dir4::step, 9, ground), Some((Dir4::Left, 3)));
    }
}
