//! Orders to symbols.

use ludus_games::{Orders, Seat};

use super::super::coder::{Coder, Encoder};
use super::*;

impl OrderModel {
    /// Writes the orders of one seat that has some.
    pub fn write(&mut self, encoder: &mut Encoder, seat: Seat, orders: &Orders) {
        let (tables, row) = (&mut self.tables, &mut self.rows[seat]);
        let walk = Walk::new(row, self.round);
        let mut seat = SeatWriter { encoder, tables, row, walk };
        for (count, length, words) in orders.by_length() {
            if (2..=SHORT).contains(&length) {
                seat.short_orders(words, length);
            } else {
                (0..count).for_each(|k| seat.order(&words[k * length..][..length]));
            }
        }
        seat.stop();
    }
}

struct SeatWriter<'a> {
    encoder: &'a mut Encoder,
    tables: &'a mut Tables,
    row: &'a mut Row,
    walk: Walk,
}

/// Writes the words of a short order.
#[inline(always)]
fn tell(encoder: &mut Encoder, tables: &mut Tables, unit: &mut Unit, walk: &Walk, symbol: usize, order: &[i32]) {
    let past = unit.take_order(symbol, walk);
    encoder.symbol(&mut tables.first[walk.context(past)], symbol);
    for (place, &word) in order[2..].iter().enumerate() {
        let table = &mut tables.later[later_context(unit, place, symbol, past)];
        unit.later[place] = code_word(encoder, table, &mut tables.words, word).0 as u8;
    }
}

impl SeatWriter<'_> {
    /// Writes orders of the same small length. Most are for the next unit of
    /// the row and as usual, so that these decide what making a replay costs.
    fn short_orders(&mut self, mut orders: &[i32], length: usize) {
        loop {
            let done = self.simple_orders(orders, length);
            orders = &orders[done * length..];
            let Some((order, rest)) = orders.split_at_checked(length) else { return };
            orders = rest;
            let symbol = self.symbol_of(order);
            if symbol == ODD {
                self.order(order);
                continue;
            }
            let place = self.go_to(order[0]);
            let unit = &mut self.row.units[place];
            tell(self.encoder, self.tables, unit, &self.walk, symbol, order);
            self.walk.next = place + 1;
        }
    }

    /// Writes orders while they are for the next unit of the row and as usual,
    /// and says how many.
    #[inline(always)]
    fn simple_orders(&mut self, orders: &[i32], length: usize) -> usize {
        let walk = &mut self.walk;
        let Some(units) = self.row.units.get_mut(walk.next..) else { return 0 };
        let mut done = 0;
        for (unit, order) in units.iter_mut().zip(orders.chunks_exact(length)) {
            let symbol = symbol_of(order[1]);
            if unit.id != order[0] || self.row.usual[symbol] != length || !unit.is_expected(walk.round) {
                break;
            }
            unit.astray = 0;
            tell(self.encoder, self.tables, unit, walk, symbol, order);
            done += 1;
        }
        walk.next += done;
        done
    }

    /// The symbol of an order's first word, if its length is as usual.
    #[inline(always)]
    fn symbol_of(&self, order: &[i32]) -> usize {
        let symbol = order.get(1).map_or(ODD, |&word| symbol_of(word));
        if self.row.usual[symbol] == order.len() { symbol } else { ODD }
    }

    /// Writes an order that is odd or long.
    fn order(&mut self, order: &[i32]) {
        let Some(&id) = order.first() else { return self.jump(self.expected(), NO_UNIT) };
        let symbol = self.symbol_of(order);
        let place = self.go_to(id);
        let past = self.row.units[place].take_order(symbol, &self.walk);
        self.encoder.symbol(&mut self.tables.first[self.walk.context(past)], symbol);
        self.walk.next = place + 1;
        if symbol == ODD {
            self.odd_order(order);
        } else {
            self.long_order(id, &order[2..]);
        }
    }

    fn expected(&self) -> Expected {
        self.walk.expected(self.row)
    }

    /// Tells which unit the next order is for, unless it is expected, and
    /// gives its place.
    #[inline(never)]
    fn go_to(&mut self, id: i32) -> usize {
        let Some(place) = self.row.find(id) else { return self.name(id) };
        let expected = self.expected();
        match place.checked_sub(self.walk.next) {
            Some(0) if expected == Expected::Next => {
                self.row.units[place].astray = 0;
                place
            }
            Some(distance @ 0..FURTHER) => {
                self.jump(expected, distance);
                place
            }
            Some(distance) => {
                self.jump(expected, FAR);
                self.tables.far.code(self.encoder, distance - FURTHER);
                self.walk.go_astray(self.row, place)
            }
            None => {
                self.jump(expected, BACK);
                self.tables.back.code(self.encoder, place);
                self.walk.go_astray(self.row, place)
            }
        }
    }

    /// Tells that an order is for a unit that is not in the row.
    fn name(&mut self, id: i32) -> usize {
        self.jump(self.expected(), NEW_UNIT);
        let last_id = self.walk.last_id(self.row);
        self.tables.ids.code_signed(self.encoder, i64::from(id) - i64::from(last_id));
        self.row.insert(self.walk.next, id)
    }

    /// Tells that the expected unit has no order here, and what comes instead.
    #[inline(always)]
    fn jump(&mut self, expected: Expected, to: usize) {
        match expected {
            Expected::Next => {
                let past = self.row.units[self.walk.next].past_in(self.walk.round);
                self.encoder.symbol(&mut self.tables.first[self.walk.context(past)], PASSED);
            }
            Expected::Nobody => {}
            Expected::End => {
                self.encoder.symbol(self.walk.end_table(self.tables), ELSEWHERE);
            }
        }
        self.encoder.symbol(self.walk.jump_table(self.tables, expected), to);
    }

    fn odd_order(&mut self, order: &[i32]) {
        self.tables.lengths.code(self.encoder, order.len() as u64);
        for &word in &order[1..] {
            self.tables.words.code_signed(self.encoder, i64::from(word));
        }
        self.row.learn_length(order);
    }

    fn long_order(&mut self, id: i32, tail: &[i32]) {
        let is_same = self.row.tails.get(&id).is_some_and(|last| **last == *tail);
        self.encoder.symbol(&mut self.tables.same_tail, usize::from(is_same));
        if is_same {
            return;
        }
        let mut last = PASSED;
        for &word in tail {
            last = code_word(self.encoder, &mut self.tables.tail[last], &mut self.tables.words, word).0;
        }
        self.row.keep_tail(id, tail);
    }

    /// Tells that no order follows.
    fn stop(&mut self) {
        match self.expected() {
            Expected::End => {
                self.encoder.symbol(self.walk.end_table(self.tables), STOP);
            }
            expected => self.jump(expected, NO_MORE),
        }
    }
}
