//! What becomes of a player's orders before the rules see them.

use super::engine::{Action, Engine, Kept, MOVE, SPELL, keep, unit_of};
use super::spell::GROUP;
use super::state::{Kind, Unit};
use crate::orders::{self, NO_VALUE, Orders, Seen, TooManyOrders};
use crate::{Dir8, Seat};

/// The number of the last direction.
const LAST_DIR: i32 = Dir8::ALL.len() as i32 - 1;

impl Engine {
    /// Drops what no rule looks at, and shortens spells that nobody can cast.
    pub(super) fn take_in(&self, seat: Seat, asked: &Orders, accepted: &mut Orders) -> Result<(), TooManyOrders> {
        accepted.clear();
        orders::check_calls(asked)?;
        let (mut seen, mut all) = (Seen::default(), true);
        let units = &self.state.units[..];
        // Nearly always all orders are as they should be, and the list is taken as it is.
        asked.for_each_length(|_, length, words| {
            all = all
                && match length {
                    0 => false,
                    3 => are_moves(units, seat, words.as_chunks().0, &mut seen),
                    _ => words.chunks_exact(length).all(|order| self.is_plain(seat, order) && seen.insert(order[0])),
                };
        });
        if all {
            accepted.clone_from(asked);
            return Ok(());
        }
        orders::first_per_unit(asked, |order| {
            let mut room = [0; 4];
            self.mended(seat, order, &mut room).into_iter().for_each(|order| accepted.push(order));
        })
    }

    /// Whether an order is one of the game, for a unit that the seat has.
    fn is_plain(&self, seat: Seat, order: &[i32]) -> bool {
        match *order {
            [id, MOVE, dir] => unit_of(&self.state.units, seat, id).is_some() && orders::is_value(dir, LAST_DIR),
            [id, SPELL, len, ref answer @ ..] => {
                let is_ghost = unit_of(&self.state.units, seat, id).is_some_and(|unit| unit.kind == Kind::Ghost);
                is_ghost && self.is_answer(len, answer)
            }
            _ => false,
        }
    }

    /// Whether an answer gives every ingredient a group.
    fn is_answer(&self, len: i32, answer: &[i32]) -> bool {
        let ingredients = self.state.ingredients.len();
        let groups = (ingredients / GROUP) as u32;
        // To look at all of them at once is quicker than to stop at a wrong one.
        let are_groups = answer.iter().fold(true, |all, &group| all & ((group as u32) < groups));
        answer.len() == ingredients && usize::try_from(len) == Ok(ingredients) && are_groups
    }

    /// An order that is kept, in words that have the same effect.
    ///
    /// A spell that nobody can cast is dealt like all orders and does nothing
    /// more. It becomes one with a single ingredient in no group, which solves
    /// no puzzle.
    fn mended<'a>(&self, seat: Seat, order: &'a [i32], room: &'a mut [i32; 4]) -> Option<&'a [i32]> {
        if self.is_plain(seat, order) {
            return Some(order);
        }
        let Kept { id, action } = keep(&self.state.units, seat, order, 0)?;
        let length = match action {
            Action::Walk(_) => 3,
            Action::Cast(_) => 4,
        };
        *room = if length == 3 { [i32::from(id), MOVE, NO_VALUE, 0] } else { [i32::from(id), SPELL, 1, NO_VALUE] };
        Some(&room[..length])
    }
}

/// Whether orders are moves, each for another unit that the seat has.
fn are_moves(units: &[Unit], seat: Seat, orders: &[[i32; 3]], seen: &mut Seen) -> bool {
    orders.iter().all(|&[id, kind, dir]| {
        kind == MOVE && orders::is_value(dir, LAST_DIR) && unit_of(units, seat, id).is_some() && seen.insert(id)
    })
}
