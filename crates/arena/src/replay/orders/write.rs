//! Orders to symbols.

use ludus_games::{Orders, Seat};

use super::super::coder::{Coder, Encoder};
use super::*;

impl OrderModel {
    /// Writes the orders of one seat that has some.
    pub fn write(&mut self, encoder: &mut Encoder, seat: Seat, orders: &Orders) {
        let mut writer = SeatWriter { encoder, place: Place::new(seat, &self.units), model: self };
        if let Some(orders) = orders.of_length::<2>() {
            writer.short_orders(orders);
        } else if let Some(orders) = orders.of_length::<3>() {
            writer.short_orders(orders);
        } else {
            orders.for_each_length(|count, length, words| writer.orders(count, length, words));
        }
        writer.stop();
    }
}

struct SeatWriter<'a> {
    encoder: &'a mut Encoder,
    model: &'a mut OrderModel,
    place: Place,
}

impl SeatWriter<'_> {
    fn orders(&mut self, count: usize, length: usize, words: &[i32]) {
        match length {
            2 => self.short_orders(words.as_chunks::<2>().0),
            3 => self.short_orders(words.as_chunks::<3>().0),
            4 => self.short_orders(words.as_chunks::<4>().0),
            _ => (0..count).for_each(|k| self.order(&words[k * length..][..length])),
        }
    }

    /// Writes orders of the same length. Most are for the expected unit, in the
    /// shape of its last order, so that these decide what making a replay costs.
    fn short_orders<const N: usize>(&mut self, orders: &[[i32; N]]) {
        let mut place = self.place;
        for order in orders {
            let at = order[0] as u32 as usize + FIRST_ID;
            if at != place.next && at < UNITS {
                name(self.encoder, self.model, &place, order[0]);
            }
            let Some(unit) = self.model.units.get_mut(at) else {
                self.place = place;
                self.order(order);
                place = self.place;
                continue;
            };
            let (shape, main) = (Shape::of(order), symbol_of(order[if N == 2 { 1 } else { 2 }]));
            let (tables, last_round) = (&mut self.model.tables, self.model.last_round);
            if unit.shape == shape && main != FULL {
                let past = unit.take_order(main, last_round);
                self.encoder.symbol(&mut tables.main[past], main);
                for (place, &word) in order.iter().skip(3).enumerate() {
                    tables.later(self.encoder, unit, place, false, word);
                }
            } else if N > 2 && shape != Shape::NONE && unit.shape.length() == N {
                other_first(self.encoder, tables, unit, last_round, order);
            } else {
                self.full_order(at, order);
            }
            place = Place { at, next: usize::from(self.model.units[at].next), id: order[0] };
        }
        self.place = place;
    }

    /// Writes any order.
    fn order(&mut self, order: &[i32]) {
        let Some(&id) = order.first() else { return instead(self.encoder, self.model, &self.place, NO_UNIT) };
        let at = unit_of(id);
        if self.place.next != at || at == OTHERS {
            name(self.encoder, self.model, &self.place, id);
        }
        self.full_order(at, order);
        self.place = Place { at, next: usize::from(self.model.units[at].next), id };
    }

    /// Writes an order for a unit of which it is known that the order is for it.
    fn full_order(&mut self, at: usize, order: &[i32]) {
        let shape = Shape::of(order);
        let main = self.main(at, order, shape);
        let (tables, unit) = (&mut self.model.tables, &mut self.model.units[at]);
        if main == OTHER_FIRST {
            return other_first(self.encoder, tables, unit, self.model.last_round, order);
        }
        let past = unit.take_order(main, self.model.last_round);
        self.encoder.symbol(&mut tables.main[past], main);
        if main == FULL {
            unit.shape = shape.kept();
            tables.length(self.encoder, order.len());
            self.first_words(order);
        }
        if order.len() > SHORT {
            if main != SAME {
                self.tail(order[0], &order[2..]);
            }
        } else if let [_, _, _, later @ ..] = order {
            let unit = &mut self.model.units[at];
            for (place, &word) in later.iter().enumerate() {
                self.model.tables.later(self.encoder, unit, place, main == FULL, word);
            }
        }
    }

    /// What the main table tells of an order.
    fn main(&self, at: usize, order: &[i32], shape: Shape) -> usize {
        let last = self.model.units[at].shape;
        if shape == Shape::NONE || shape.length() != last.length() {
            FULL
        } else if shape != last {
            if order.len() <= SHORT && order.len() > 2 { OTHER_FIRST } else { FULL }
        } else if order.len() <= SHORT {
            symbol_of(order[order.len().min(3) - 1])
        } else if self.model.tail(order[0]) == Some(&order[2..]) {
            SAME
        } else {
            OTHER
        }
    }

    /// The first words of an order that is told in full: those before the tail
    /// of a long one.
    fn first_words(&mut self, order: &[i32]) {
        let Tables { first, second, words, .. } = &mut self.model.tables;
        let (symbol, _) = match order {
            [_, word, ..] => code_word(self.encoder, &mut first[0], words, *word),
            _ => return,
        };
        if let [_, _, word, ..] = order
            && order.len() <= SHORT
        {
            code_word(self.encoder, &mut second[symbol], words, *word);
        }
    }

    fn tail(&mut self, id: i32, tail: &[i32]) {
        let Tables { tail: tables, words, .. } = &mut self.model.tables;
        let mut last = PASSED;
        for &word in tail {
            last = code_word(self.encoder, &mut tables[last], words, word).0;
        }
        self.model.keep_tail(id, tail);
    }

    /// Tells that no order follows.
    fn stop(&mut self) {
        if self.place.next == NOBODY {
            self.encoder.symbol(&mut self.model.tables.end, STOP);
        } else {
            instead(self.encoder, self.model, &self.place, NO_MORE);
            self.model.units[self.place.at].expect(NOBODY, self.model.last_round);
        }
    }
}

/// Tells which unit comes instead of the expected one.
#[inline(always)]
fn name(encoder: &mut Encoder, model: &mut OrderModel, place: &Place, id: i32) {
    let step = id.wrapping_sub(place.id);
    let class = class_of(step);
    instead(encoder, model, place, class);
    match STEPS.get(class) {
        Some((_, 0)) => {}
        Some(&(first, bits)) => {
            encoder.bits((step - first) as u64, bits);
        }
        None => {
            model.tables.ids.code_signed(encoder, i64::from(id) - i64::from(place.id));
        }
    }
    model.units[place.at].expect(unit_of(id), model.last_round);
}

/// Tells that the expected unit has no order here, and what comes instead.
#[inline(always)]
fn instead(encoder: &mut Encoder, model: &mut OrderModel, place: &Place, what: usize) {
    let tables = &mut model.tables;
    if place.next == NOBODY {
        encoder.symbol(&mut tables.end, GO);
    } else {
        encoder.symbol(&mut tables.main[model.units[place.next].past(model.last_round)], PASSED);
    }
    encoder.symbol(&mut tables.instead[usize::from(place.next == NOBODY)], what);
}

/// Writes an order of three words or a few more that is as long as the last one
/// of its unit, but has another first word.
#[inline(never)]
fn other_first(encoder: &mut Encoder, tables: &mut Tables, unit: &mut Unit, last_round: u32, order: &[i32]) {
    let past = unit.take_order(OTHER_FIRST, last_round);
    encoder.symbol(&mut tables.main[past], OTHER_FIRST);
    let last = std::mem::replace(&mut unit.shape, Shape::of(order));
    encoder.symbol(&mut tables.first[last.first()], unit.shape.first());
    code_word(encoder, &mut tables.second[unit.shape.first()], &mut tables.words, order[2]);
    for (place, &word) in order[3..].iter().enumerate() {
        tables.later(encoder, unit, place, true, word);
    }
}
