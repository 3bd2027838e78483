//! The model of orders: what is likely, given the orders so far.
//!
//! It knows no game. An order is a list of integers, the unit first; players
//! mostly go through their units in the same sequence every round, and a unit
//! often does what it did in the round before, or what others did after the
//! same past. So every unit remembers which one came after it and what its
//! orders were. One symbol tells that the expected unit has no order here, or
//! what its order says: the main word of it, which is the first behind the unit
//! in orders of two words and the second in longer ones, where the first is the
//! same as last time. Of very long orders it tells whether they are the same.

use ludus_games::Seat;

use super::coder::{Coder, Numbers, SYMBOLS, Table};

mod read;
mod write;

/// What a table of main words tells: the expected unit has no order here, or
/// the order is told in full, or only its length is the same as last time, or
/// else the word itself.
const PASSED: usize = 0;
const FULL: usize = 1;
const OTHER_FIRST: usize = 2;
const FIRST_WORD: usize = 3;
const SMALLEST_WORD: i32 = -1;

/// Where no unit is expected: no order follows, or one does.
const STOP: usize = 0;
const GO: usize = 1;

/// What comes instead of an order for the expected unit: one for a unit whose
/// id is so much greater or smaller than the last one, or anything from here on.
const NO_MORE: usize = STEPS.len();
const ANY_UNIT: usize = STEPS.len() + 1;
const NO_UNIT: usize = STEPS.len() + 2;

/// Classes of steps from one id to the next: the first step of a class, and how
/// many bits tell which of them it is.
const STEPS: [(i32, u32); 12] =
    [(1, 0), (2, 0), (3, 0), (4, 0), (5, 1), (7, 2), (11, 3), (19, 4), (35, 6), (-4, 2), (-20, 4), (-84, 6)];

/// The class of every step from -84 to 98, and what has none.
const CLASSES: [u8; 183] = {
    let mut classes = [ANY_UNIT as u8; 183];
    let mut class = 0;
    while class < STEPS.len() {
        let (first, bits) = STEPS[class];
        let mut step = first;
        while step < first + (1 << bits) {
            classes[(step + 84) as usize] = class as u8;
            step += 1;
        }
        class += 1;
    }
    classes
};

fn class_of(step: i32) -> usize {
    usize::from(*CLASSES.get(step.wrapping_add(84) as u32 as usize).unwrap_or(&(ANY_UNIT as u8)))
}

/// What stands in place of the main word of a long order.
const OTHER: usize = 3;
const SAME: usize = 4;

/// Lengths from here on are told by number.
const LONG_LENGTH: usize = SYMBOLS - 1;

/// Orders with more words are told as a whole: the same as last time, or not.
const SHORT: usize = 5;

/// Orders with as many words have no shape.
const MOST_SHAPED: usize = 256;

/// The longest order that is remembered, and for how many units.
const LONGEST_TAIL: usize = 64;
const MOST_TAILS: usize = 256;

/// The most words, lengths counted, that are read for one seat in a round.
const MOST_WORDS: usize = 1 << 18;

/// Units with smaller ids are remembered, behind those that stand for others:
/// what stands for no further unit, what all units with greater ids share, and
/// what stands before the first unit of each seat.
const IDS: usize = 1 << 11;
const NOBODY: usize = 0;
const OTHERS: usize = 1;
const STARTS: usize = 2;
const FIRST_ID: usize = STARTS + Seat::COUNT;
const UNITS: usize = FIRST_ID + IDS;

pub struct OrderModel {
    tables: Tables,
    units: Box<[Unit; UNITS]>,
    /// Long orders of units, but for their first two words.
    tails: Vec<(i32, Box<[i32]>)>,
    /// Rounds before this one.
    last_round: u32,
    is_begun: bool,
    /// The seats that had orders in the last round, a bit each.
    any: usize,
}

/// The tables are shared by all seats: players of a match do similar things.
struct Tables {
    /// The main word, by the two before it.
    main: Box<[Table; MAIN]>,
    /// Words behind the main one, by their place and what they were last time,
    /// or the first word if the order is told in full.
    later: Vec<Table>,
    /// The first word of an order, by the last one, and the second by the first.
    first: Vec<Table>,
    second: Vec<Table>,
    /// A word of a long order, by the one before.
    tail: Vec<Table>,
    end: Table,
    /// What comes instead, by whether a unit was expected.
    instead: [Table; 2],
    /// Which seats have orders, by which had.
    any: Vec<Table>,
    length: Table,
    ids: Numbers,
    lengths: Numbers,
    words: Numbers,
}

const MAIN: usize = SYMBOLS * SYMBOLS;

impl Tables {
    fn new() -> Tables {
        Tables {
            main: boxed(Table::EVEN),
            later: vec![Table::EVEN; 2 * (SHORT - 3) * SYMBOLS],
            first: vec![Table::EVEN; SYMBOLS],
            second: vec![Table::EVEN; SYMBOLS],
            tail: vec![Table::EVEN; SYMBOLS],
            end: Table::EVEN,
            instead: [const { Table::EVEN }; 2],
            any: vec![Table::EVEN; SYMBOLS],
            length: Table::EVEN,
            ids: Numbers::EVEN,
            lengths: Numbers::EVEN,
            words: Numbers::EVEN,
        }
    }

    /// The length of an order.
    fn length(&mut self, coder: &mut impl Coder, length: usize) -> usize {
        match coder.symbol(&mut self.length, length.min(LONG_LENGTH)) {
            LONG_LENGTH => {
                let more = self.lengths.code(coder, length.saturating_sub(LONG_LENGTH) as u64);
                (more as usize).saturating_add(LONG_LENGTH)
            }
            length => length,
        }
    }

    /// Codes a word behind the main one, at a place from there.
    #[inline(always)]
    fn later(&mut self, coder: &mut impl Coder, unit: &mut Unit, place: usize, is_full: bool, word: i32) -> i32 {
        let last = &mut unit.later[place];
        let context = if is_full { 1 << 4 | unit.shape.first() } else { usize::from(*last) };
        let (symbol, word) = code_word(coder, &mut self.later[place << 5 | context], &mut self.words, word);
        *last = symbol as u8;
        word
    }
}

/// What is remembered of a unit.
#[derive(Clone, Copy, Default)]
struct Unit {
    /// The last round with an order, counted from 1.
    round: u32,
    /// The last round in which another unit than the expected one had the next
    /// order, counted from 1.
    wrong: u32,
    /// The unit that is expected to have the next order.
    next: u16,
    shape: Shape,
    /// The symbols of the main words of its last two orders, four bits each,
    /// the last one lowest.
    past: u8,
    /// The symbols of the words behind the main one.
    later: [u8; SHORT - 3],
}

/// What two orders of a unit must have in common to be told by their main word:
/// the length and, where it is not the main one, the symbol of the first word.
/// No order has the shape 0, with which units begin.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Shape(u16);

impl Shape {
    /// Of orders that must be told in full; no unit remembers it.
    const NONE: Shape = Shape(u16::MAX);

    #[inline(always)]
    fn of(order: &[i32]) -> Shape {
        Shape::new(order.len(), order.get(1).copied())
    }

    #[inline(always)]
    fn new(length: usize, first: Option<i32>) -> Shape {
        match first {
            Some(_) if length == 2 => Shape(2),
            Some(first) if length < MOST_SHAPED => match symbol_of(first) {
                FULL => Shape::NONE,
                symbol => Shape((symbol << 8 | length) as u16),
            },
            _ => Shape::NONE,
        }
    }

    /// What a unit remembers of the shape.
    fn kept(self) -> Shape {
        if self == Shape::NONE { Shape::default() } else { self }
    }

    fn length(self) -> usize {
        usize::from(self.0 & 255)
    }

    #[inline(always)]
    fn first(self) -> usize {
        usize::from(self.0 >> 8)
    }
}

impl Unit {
    /// Another unit than the expected one has the next order. It is expected
    /// from now on, unless this is the first time on end: many players leave
    /// out a unit now and then.
    fn expect(&mut self, next: usize, last_round: u32) {
        if self.wrong == last_round {
            self.next = next as u16;
        }
        self.wrong = last_round + 1;
    }

    /// Keeps the main word of an order, and gives the symbols of the past before it.
    #[inline(always)]
    fn take_order(&mut self, symbol: usize, last_round: u32) -> usize {
        let past = self.past(last_round);
        self.past = (past << 4 | symbol) as u8;
        self.round = last_round + 1;
        past
    }

    /// The symbols of its past. If it had no order in the last round, that is
    /// told in place of the last one.
    #[inline(always)]
    fn past(&self, last_round: u32) -> usize {
        usize::from(if self.round == last_round { self.past } else { self.past & 0xf0 | PASSED as u8 })
    }
}

impl OrderModel {
    pub fn new() -> Self {
        OrderModel {
            tables: Tables::new(),
            units: boxed(Unit::default()),
            tails: Vec::new(),
            last_round: 0,
            is_begun: false,
            any: 0,
        }
    }

    /// Begins a round: tells which seats have orders in it, a bit each.
    #[inline]
    pub fn begin_round(&mut self, coder: &mut impl Coder, seats: usize) -> usize {
        self.last_round += u32::from(std::mem::replace(&mut self.is_begun, true));
        self.any = coder.symbol(&mut self.tables.any[self.any], seats);
        self.any
    }

    fn tail(&self, id: i32) -> Option<&[i32]> {
        self.tails.iter().find(|(unit, _)| *unit == id).map(|(_, tail)| &**tail)
    }

    fn keep_tail(&mut self, id: i32, tail: &[i32]) {
        if tail.len() > LONGEST_TAIL {
            return;
        }
        let known = self.tails.iter().position(|(unit, _)| *unit == id);
        match known {
            Some(place) => self.tails[place].1 = tail.into(),
            None if self.tails.len() < MOST_TAILS => self.tails.push((id, tail.into())),
            None => {}
        }
    }
}

fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    let values = vec![value; N].into_boxed_slice();
    values.try_into().unwrap_or_else(|_| unreachable!("they are as many"))
}

/// Where the orders of a seat have come to.
#[derive(Clone, Copy)]
struct Place {
    /// The unit of the last order, or what stands before the first.
    at: usize,
    /// The unit that is expected to have the next one.
    next: usize,
    /// The id of the last order; at first, that of the expected one.
    id: i32,
}

impl Place {
    fn new(seat: Seat, units: &[Unit; UNITS]) -> Place {
        let at = STARTS + seat.index();
        let next = usize::from(units[at].next);
        Place { at, next, id: id_of(next).unwrap_or(0) }
    }
}

/// The unit with an id.
#[inline(always)]
fn unit_of(id: i32) -> usize {
    let id = id as u32 as usize;
    if id < IDS { id + FIRST_ID } else { OTHERS }
}

/// The id of a unit that has one of its own.
#[inline(always)]
fn id_of(unit: usize) -> Option<i32> {
    Some(unit.checked_sub(FIRST_ID)? as i32)
}

/// A word as a symbol, with the whole word behind it where it is rare.
#[inline(always)]
fn code_word(coder: &mut impl Coder, table: &mut Table, words: &mut Numbers, word: i32) -> (usize, i32) {
    let symbol = coder.symbol(table, symbol_of(word));
    match word_of(symbol) {
        Some(word) => (symbol, word),
        None => (FULL, words.code_signed(coder, i64::from(word)) as i32),
    }
}

#[inline(always)]
fn symbol_of(word: i32) -> usize {
    let place = word.wrapping_sub(SMALLEST_WORD) as u32 as usize;
    if place < SYMBOLS - FIRST_WORD { place + FIRST_WORD } else { FULL }
}

#[inline(always)]
fn word_of(symbol: usize) -> Option<i32> {
    Some(SMALLEST_WORD + symbol.checked_sub(FIRST_WORD)? as i32)
}
