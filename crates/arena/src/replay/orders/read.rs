//! Symbols to orders. Any symbols may come.

use ludus_games::{Orders, Seat};

use super::super::coder::{Coder, Decoder};
use super::*;

/// The orders cannot be read: the bytes are at their end, or mean nothing.
#[derive(Debug, PartialEq, Eq)]
pub struct Unreadable;

impl OrderModel {
    /// Reads the orders of one seat that has some. More orders and words than
    /// `most` together are unreadable.
    pub fn read(
        &mut self,
        decoder: &mut Decoder,
        seat: Seat,
        orders: &mut Orders,
        most: usize,
    ) -> Result<(), Unreadable> {
        let place = Place::new(seat, &self.units);
        let mut seat = SeatReader { decoder, model: self, place, words_left: most.min(MOST_WORDS) };
        let mut order = Vec::new();
        while seat.order(&mut order)? {
            seat.words_left = seat.words_left.checked_sub(1 + order.len()).ok_or(Unreadable)?;
            orders.push(&order);
        }
        Ok(())
    }
}

struct SeatReader<'a, 'b> {
    decoder: &'a mut Decoder<'b>,
    model: &'a mut OrderModel,
    place: Place,
    /// Words that may still come in this round.
    words_left: usize,
}

/// What comes next.
enum Found {
    Stop,
    /// An order for a unit, with the symbol of its main word.
    Order(i32, usize),
    WithoutUnit,
}

impl SeatReader<'_, '_> {
    /// Reads an order, if there is another one.
    fn order(&mut self, order: &mut Vec<i32>) -> Result<bool, Unreadable> {
        order.clear();
        if self.decoder.is_exhausted() {
            return Err(Unreadable);
        }
        match self.find()? {
            Found::Stop => return Ok(false),
            Found::WithoutUnit => return Ok(true),
            Found::Order(id, main) => {
                let at = unit_of(id);
                self.place = Place { at, next: usize::from(self.model.units[at].next), id };
                order.push(id);
                self.words(main, order)?;
            }
        }
        Ok(true)
    }

    fn find(&mut self) -> Result<Found, Unreadable> {
        let next = self.place.next;
        if next == NOBODY {
            if self.decoder.symbol(&mut self.model.tables.end, 0) == STOP {
                return Ok(Found::Stop);
            }
        } else {
            match self.main_word(next) {
                PASSED => {}
                // Units that share their memory are always named.
                main => return Ok(Found::Order(id_of(next).ok_or(Unreadable)?, main)),
            }
        }
        let tables = &mut self.model.tables;
        let id = match self.decoder.symbol(&mut tables.instead[usize::from(next == NOBODY)], 0) {
            NO_UNIT.. => return Ok(Found::WithoutUnit),
            NO_MORE => {
                self.model.units[self.place.at].expect(NOBODY, self.model.last_round);
                return Ok(Found::Stop);
            }
            ANY_UNIT => i64::from(self.place.id).wrapping_add(tables.ids.code_signed(self.decoder, 0)) as i32,
            class => {
                let (first, bits) = STEPS[class];
                self.place.id.wrapping_add(first + self.decoder.bits(0, bits) as i32)
            }
        };
        let unit = unit_of(id);
        self.model.units[self.place.at].expect(unit, self.model.last_round);
        match self.main_word(unit) {
            PASSED => Err(Unreadable),
            main => Ok(Found::Order(id, main)),
        }
    }

    fn main_word(&mut self, unit: usize) -> usize {
        let past = self.model.units[unit].past(self.model.last_round);
        self.decoder.symbol(&mut self.model.tables.main[past], 0)
    }

    /// Reads the words of an order behind the unit.
    fn words(&mut self, main: usize, order: &mut Vec<i32>) -> Result<(), Unreadable> {
        let unit = &mut self.model.units[self.place.at];
        unit.take_order(main, self.model.last_round);
        let shape = unit.shape;
        let length = match main {
            FULL => self.first_words(order)?,
            OTHER_FIRST => self.other_first(shape, order)?,
            _ => shape.length(),
        };
        let is_full = matches!(main, FULL | OTHER_FIRST);
        if length == 0 {
            return Err(Unreadable);
        }
        if length > SHORT {
            if !is_full {
                order.extend(word_of(shape.first()));
            }
            return if main == SAME { self.same_tail(length, order) } else { self.tail(length, order) };
        }
        if !is_full {
            order.extend(word_of(shape.first()));
            order.extend(word_of(main));
        }
        let unit = &mut self.model.units[self.place.at];
        for place in 0..length.saturating_sub(3) {
            order.push(self.model.tables.later(self.decoder, unit, place, is_full, 0));
        }
        Ok(())
    }

    /// The length and the first words of an order that is told in full.
    fn first_words(&mut self, order: &mut Vec<i32>) -> Result<usize, Unreadable> {
        let length = self.model.tables.length(self.decoder, 0);
        if length > self.words_left {
            return Err(Unreadable);
        }
        let Tables { first, second, words, .. } = &mut self.model.tables;
        if length > 1 {
            let (symbol, word) = code_word(self.decoder, &mut first[0], words, 0);
            order.push(word);
            if (3..=SHORT).contains(&length) {
                order.push(code_word(self.decoder, &mut second[symbol], words, 0).1);
            }
        }
        self.model.units[self.place.at].shape = Shape::new(length, order.get(1).copied()).kept();
        Ok(length)
    }

    /// The first words of an order that is as long as the last one.
    fn other_first(&mut self, last: Shape, order: &mut Vec<i32>) -> Result<usize, Unreadable> {
        let length = last.length();
        if !(3..=SHORT).contains(&length) {
            return Err(Unreadable);
        }
        let Tables { first, second, words, .. } = &mut self.model.tables;
        let symbol = self.decoder.symbol(&mut first[last.first()], 0);
        let word = word_of(symbol).ok_or(Unreadable)?;
        order.extend([word, code_word(self.decoder, &mut second[symbol], words, 0).1]);
        self.model.units[self.place.at].shape = Shape::new(length, Some(word));
        Ok(length)
    }

    fn same_tail(&self, length: usize, order: &mut Vec<i32>) -> Result<(), Unreadable> {
        let tail = self.model.tail(order[0]).filter(|tail| tail.len() == length - 2);
        order.extend_from_slice(tail.ok_or(Unreadable)?);
        Ok(())
    }

    fn tail(&mut self, length: usize, order: &mut Vec<i32>) -> Result<(), Unreadable> {
        let Tables { tail: tables, words, .. } = &mut self.model.tables;
        let mut last = PASSED;
        for _ in 2..length {
            let (symbol, word) = code_word(self.decoder, &mut tables[last], words, 0);
            last = symbol;
            order.push(word);
            if self.decoder.is_exhausted() {
                return Err(Unreadable);
            }
        }
        self.model.keep_tail(order[0], &order[2..]);
        Ok(())
    }
}
