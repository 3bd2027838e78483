//! Symbols to orders. Any symbols may come.

use ludus_games::{Orders, Seat};

use super::super::coder::{Coder, Decoder};
use super::*;

/// The orders cannot be read: the bytes are at their end, or mean nothing.
#[derive(Debug, PartialEq, Eq)]
pub struct Unreadable;

impl OrderModel {
    /// Reads the orders of one seat that has some.
    pub fn read(&mut self, decoder: &mut Decoder, seat: Seat, orders: &mut Orders) -> Result<(), Unreadable> {
        let (tables, row) = (&mut self.tables, &mut self.rows[seat]);
        let walk = Walk::new(row, self.round);
        let mut seat = SeatReader { decoder, tables, row, walk, words_left: MOST_WORDS };
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
    tables: &'a mut Tables,
    row: &'a mut Row,
    walk: Walk,
    /// Words that may still come in this round.
    words_left: usize,
}

/// What comes next.
enum Found {
    Stop,
    /// An order for the unit at a place, with the symbol of its first word.
    Order(usize, usize),
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
            Found::Order(place, symbol) => {
                self.walk.next = place + 1;
                self.words(place, symbol, order)?;
            }
            Found::WithoutUnit => {}
        }
        Ok(true)
    }

    fn find(&mut self) -> Result<Found, Unreadable> {
        let (next, expected) = (self.walk.next, self.walk.expected(self.row));
        match expected {
            Expected::Next => match self.first_word(next) {
                PASSED => {}
                symbol => {
                    self.row.units[next].astray = 0;
                    return Ok(Found::Order(next, symbol));
                }
            },
            Expected::Nobody => {}
            Expected::End => {
                if self.decoder.symbol(self.walk.end_table(self.tables), 0) == STOP {
                    return Ok(Found::Stop);
                }
            }
        }
        let jump = self.decoder.symbol(self.walk.jump_table(self.tables, expected), 0);
        let place = match jump {
            NO_MORE => return Ok(Found::Stop),
            NO_UNIT => return Ok(Found::WithoutUnit),
            NEW_UNIT => {
                let step = self.tables.ids.code_signed(self.decoder, 0);
                self.new_unit(i64::from(self.walk.last_id(self.row)).wrapping_add(step) as i32)?
            }
            FAR => self.tables.far.code(self.decoder, 0).saturating_add(next + FURTHER),
            BACK => self.tables.back.code(self.decoder, 0),
            distance => next + distance,
        };
        if place >= self.row.units.len() {
            return Err(Unreadable);
        }
        let place = if matches!(jump, FAR | BACK) { self.walk.go_astray(self.row, place) } else { place };
        match self.first_word(place) {
            PASSED => Err(Unreadable),
            symbol => Ok(Found::Order(place, symbol)),
        }
    }

    fn new_unit(&mut self, id: i32) -> Result<usize, Unreadable> {
        // A writer does not name units that it can point to.
        match self.row.find(id) {
            Some(_) => Err(Unreadable),
            None => Ok(self.row.insert(self.walk.next, id)),
        }
    }

    fn first_word(&mut self, place: usize) -> usize {
        let past = self.row.units[place].past_in(self.walk.round);
        self.decoder.symbol(&mut self.tables.first[self.walk.context(past)], 0)
    }

    /// Reads the words of an order behind the first.
    fn words(&mut self, place: usize, symbol: usize, order: &mut Vec<i32>) -> Result<(), Unreadable> {
        let unit = &mut self.row.units[place];
        let past = unit.take_order(symbol, &self.walk);
        order.push(unit.id);
        let length = self.row.usual[symbol];
        if symbol == ODD {
            return self.odd_order(order);
        }
        order.push(word_of(symbol).filter(|_| length > 1).ok_or(Unreadable)?);
        if length > SHORT {
            return self.long_order(length, order);
        }
        for place in 0..length - 2 {
            let table = &mut self.tables.later[later_context(unit, place, symbol, past)];
            let (symbol, word) = code_word(self.decoder, table, &mut self.tables.words, 0);
            unit.later[place] = symbol as u8;
            order.push(word);
        }
        Ok(())
    }

    fn odd_order(&mut self, order: &mut Vec<i32>) -> Result<(), Unreadable> {
        let length = self.tables.lengths.code(self.decoder, 0);
        if length == 0 || length > self.words_left as u64 {
            return Err(Unreadable);
        }
        for _ in 1..length {
            order.push(self.tables.words.code_signed(self.decoder, 0) as i32);
            if self.decoder.is_exhausted() {
                return Err(Unreadable);
            }
        }
        self.row.learn_length(order);
        Ok(())
    }

    fn long_order(&mut self, length: usize, order: &mut Vec<i32>) -> Result<(), Unreadable> {
        let id = order[0];
        if self.decoder.symbol(&mut self.tables.same_tail, 0) == SAME {
            let tail = self.row.tails.get(&id).filter(|tail| tail.len() == length - 2);
            order.extend_from_slice(tail.ok_or(Unreadable)?);
            return Ok(());
        }
        let mut last = PASSED;
        for _ in 2..length {
            let (symbol, word) = code_word(self.decoder, &mut self.tables.tail[last], &mut self.tables.words, 0);
            last = symbol;
            order.push(word);
            if self.decoder.is_exhausted() {
                return Err(Unreadable);
            }
        }
        self.row.keep_tail(id, &order[2..]);
        Ok(())
    }
}
