//! The model of orders: what is likely, given the orders so far.
//!
//! It knows no game. An order is a list of integers, the unit first; players
//! mostly go through their units in the same sequence every round, and a unit
//! often does what it did in the round before, or what others did after the
//! same past. So the units of a seat stand in a row, in the sequence in which
//! they were first ordered. The model expects an order for the next one in the
//! row, and tells by one symbol that it has none, or the first word of its
//! order, which in every game says most of it. A unit whose orders keep coming
//! out of sequence is moved to where they come.

use std::collections::BTreeMap;

use ludus_games::{PerSeat, Seat};

use super::coder::{Coder, Numbers, SYMBOLS, Table};

mod read;
mod write;

/// What a table of first words tells: the expected unit has no order here, or
/// its order is not as usual, or else the word itself.
const PASSED: usize = 0;
const ODD: usize = 1;
const FIRST_WORD: usize = 2;
const SMALLEST_WORD: i32 = -1;

/// What the end of the row tells: the orders are complete, or go on elsewhere.
const STOP: usize = 0;
const ELSEWHERE: usize = 1;

/// Where the orders go on instead of at the expected unit: so many units
/// further, or anything from here on.
const FURTHER: usize = 11;
const NO_MORE: usize = 11;
const FAR: usize = 12;
const BACK: usize = 13;
const NEW_UNIT: usize = 14;
const NO_UNIT: usize = 15;

/// What is told of a long order.
const SAME: usize = 1;

/// A unit without orders for so many rounds is not expected any more.
const PATIENCE: u32 = 3;

/// Every so many rounds, such units are taken out of the row.
const CLEARING: u32 = 8;

/// A unit whose orders came so often out of sequence is moved.
const STUBBORN: u8 = 3;

/// Orders with more words are told as a whole: the same as last time, or not.
const SHORT: usize = 5;

/// The longest order that is remembered, and for how many units.
const LONGEST_TAIL: usize = 64;
const MOST_TAILS: usize = 256;

/// New units stand behind the last one that had an order while the row is not
/// longer than this, and at its end from then on.
const LONG_ROW: usize = 512;

/// A seat with more units than this forgets them all.
const MOST_UNITS: usize = 1 << 12;

/// The most words, lengths counted, that are read for one seat in a round.
const MOST_WORDS: usize = 1 << 18;

pub struct OrderModel {
    tables: Tables,
    rows: PerSeat<Row>,
    round: u32,
    /// The seats that had orders in the last round, a bit each.
    any: usize,
}

/// The tables are shared by all seats: players of a match do similar things.
struct Tables {
    /// The first word, by the two before it and whether the row is walked again.
    first: Box<[Table; FIRST]>,
    /// A later word, by its place, the first word, and what it was last time.
    later: Box<[Table; LATER]>,
    /// A word of a long order, by the one before.
    tail: [Table; SYMBOLS],
    /// The end of the row, by whether the row is walked again.
    end: [Table; 2],
    /// Where orders go on, by whether the row is walked again and whether
    /// another unit was expected.
    jump: [Table; 4],
    /// How much further than near, and where in the row.
    far: Places,
    back: Places,
    /// Which seats have orders, by which had.
    any: [Table; SYMBOLS],
    same_tail: Table,
    ids: Numbers,
    lengths: Numbers,
    words: Numbers,
}

impl Tables {
    fn new() -> Self {
        Tables {
            first: even_tables(),
            later: even_tables(),
            tail: [const { Table::EVEN }; SYMBOLS],
            end: [const { Table::EVEN }; 2],
            jump: [const { Table::EVEN }; 4],
            far: Places::EVEN,
            back: Places::EVEN,
            any: [const { Table::EVEN }; SYMBOLS],
            same_tail: Table::EVEN,
            ids: Numbers::EVEN,
            lengths: Numbers::EVEN,
            words: Numbers::EVEN,
        }
    }
}

/// A model of places in a row: small numbers by one symbol, others behind it.
struct Places {
    small: Table,
    large: Numbers,
}

impl Places {
    const EVEN: Places = Places { small: Table::EVEN, large: Numbers::EVEN };

    fn code(&mut self, coder: &mut impl Coder, place: usize) -> usize {
        const LARGE: usize = SYMBOLS - 1;
        match coder.symbol(&mut self.small, place.min(LARGE)) {
            LARGE => (self.large.code(coder, place.saturating_sub(LARGE) as u64) as usize).saturating_add(LARGE),
            small => small,
        }
    }
}

const FIRST: usize = 2 * SYMBOLS * SYMBOLS;
const LATER: usize = (SHORT - 2) * SYMBOLS * SYMBOLS * 2;

fn even_tables<const N: usize>() -> Box<[Table; N]> {
    let tables = vec![Table::EVEN; N].into_boxed_slice();
    tables.try_into().unwrap_or_else(|_| unreachable!("they are as many"))
}

/// The units of a seat.
struct Row {
    units: Vec<Unit>,
    /// Places of units with small ids, by id, counted from 1; 0 for none.
    small: Vec<u16>,
    large: BTreeMap<i32, u16>,
    /// How long orders with a certain first word are, by its symbol; 0 is not known.
    usual: [usize; SYMBOLS],
    /// The last long order of each unit that gave one, but for its first two words.
    tails: BTreeMap<i32, Box<[i32]>>,
}

const SMALL_IDS: usize = 1 << 12;

#[derive(Clone, Copy, Default)]
struct Unit {
    id: i32,
    /// The last round with an order, counted from 1.
    round: u32,
    /// The symbols of the first words of its last two orders, four bits each,
    /// the last one lowest.
    past: u8,
    /// The symbols of the other words of its last order.
    later: [u8; SHORT - 2],
    /// How often its orders came out of sequence, since they last came in it.
    astray: u8,
}

impl Row {
    fn new() -> Self {
        Row {
            units: Vec::new(),
            small: Vec::new(),
            large: BTreeMap::new(),
            usual: [0; SYMBOLS],
            tails: BTreeMap::new(),
        }
    }

    /// Takes out units that had no orders for long, or all if they are many.
    fn clear(&mut self, round: u32) {
        let mut units = std::mem::take(&mut self.units);
        self.forget();
        if units.len() <= MOST_UNITS {
            units.retain(|unit| round - unit.round <= PATIENCE);
            self.units = units;
            self.number(0..self.units.len());
        }
    }

    fn forget(&mut self) {
        self.units.clear();
        self.small.fill(0);
        self.large.clear();
    }

    /// Writes down where units stand.
    fn number(&mut self, places: std::ops::Range<usize>) {
        for place in places {
            let id = self.units[place].id;
            let number = place as u16 + 1;
            match self.small.get_mut(id as u32 as usize) {
                Some(small) => *small = number,
                None => self.number_new(id, number),
            }
        }
    }

    #[cold]
    fn number_new(&mut self, id: i32, number: u16) {
        let index = id as u32 as usize;
        if index >= SMALL_IDS {
            self.large.insert(id, number);
        } else {
            self.small.resize((index + 1).next_power_of_two(), 0);
            self.small[index] = number;
        }
    }

    /// Where the unit with this id stands.
    #[inline]
    fn find(&self, id: i32) -> Option<usize> {
        let place = match self.small.get(id as u32 as usize) {
            Some(place) => *place,
            None => *self.large.get(&id)?,
        };
        usize::from(place).checked_sub(1)
    }

    /// Puts a new unit into the row, at a place or at its end.
    fn insert(&mut self, place: usize, id: i32) -> usize {
        if self.units.len() == usize::from(u16::MAX) - 1 {
            self.forget();
        }
        let place = if self.units.len() < LONG_ROW { place.min(self.units.len()) } else { self.units.len() };
        self.units.insert(place, Unit { id, ..Unit::default() });
        self.number(place..self.units.len());
        place
    }

    /// Moves a unit behind the last one that had an order, and gives its new
    /// place, unless that would be far.
    fn shift(&mut self, from: usize, next: usize) -> usize {
        if from.abs_diff(next) > LONG_ROW || next > self.units.len() {
            return from;
        }
        let to = if from < next { next - 1 } else { next };
        if from < next {
            self.units[from..next].rotate_left(1);
        } else {
            self.units[next..=from].rotate_right(1);
        }
        self.number(from.min(to)..from.max(to) + 1);
        to
    }

    fn keep_tail(&mut self, id: i32, tail: &[i32]) {
        if tail.len() <= LONGEST_TAIL && (self.tails.len() < MOST_TAILS || self.tails.contains_key(&id)) {
            self.tails.insert(id, tail.into());
        }
    }

    /// From now on such orders are usual.
    fn learn_length(&mut self, order: &[i32]) {
        let symbol = order.get(1).map_or(ODD, |&word| symbol_of(word));
        if symbol != ODD {
            self.usual[symbol] = order.len();
        }
    }
}

impl Unit {
    /// Whether it has had no order in this round, but one not long before.
    #[inline(always)]
    fn is_expected(&self, round: u32) -> bool {
        (1..=PATIENCE).contains(&round.wrapping_sub(self.round))
    }

    /// Keeps the first word of an order, and gives the symbols of the past before it.
    #[inline(always)]
    fn take_order(&mut self, symbol: usize, walk: &Walk) -> u8 {
        let past = self.past_in(walk.round);
        self.past = past << 4 | symbol as u8;
        self.round = walk.round;
        past
    }

    /// The symbols of its past. If it had no order in the last round, that is
    /// told in place of the last one.
    #[inline(always)]
    fn past_in(&self, round: u32) -> u8 {
        if self.round + 1 == round { self.past } else { self.past & 0xf0 | PASSED as u8 }
    }
}

/// Where a seat's orders have come to.
struct Walk {
    /// The place behind the unit that had the last order.
    next: usize,
    /// Whether the orders have gone back in the row.
    again: bool,
    round: u32,
}

impl Walk {
    /// Begins the orders of a round.
    fn new(row: &mut Row, round: u32) -> Self {
        if round.is_multiple_of(CLEARING) || row.units.len() > MOST_UNITS {
            row.clear(round);
        }
        Walk { next: 0, again: false, round }
    }

    /// Goes to a unit that comes earlier in the row or much later, and gives
    /// its place.
    fn go_astray(&mut self, row: &mut Row, place: usize) -> usize {
        self.again |= place < self.next;
        let unit = &mut row.units[place];
        if unit.astray < STUBBORN {
            unit.astray += 1;
            return place;
        }
        unit.astray = 0;
        row.shift(place, self.next)
    }

    fn end_table<'a>(&self, tables: &'a mut Tables) -> &'a mut Table {
        &mut tables.end[usize::from(self.again)]
    }

    fn jump_table<'a>(&self, tables: &'a mut Tables, expected: Expected) -> &'a mut Table {
        &mut tables.jump[usize::from(self.again) << 1 | usize::from(matches!(expected, Expected::Nobody))]
    }

    /// Who is expected to get the next order.
    #[inline]
    fn expected(&self, row: &Row) -> Expected {
        match row.units.get(self.next) {
            Some(unit) if unit.is_expected(self.round) => Expected::Next,
            Some(_) => Expected::Nobody,
            None => Expected::End,
        }
    }

    /// The id of the last order.
    fn last_id(&self, row: &Row) -> i32 {
        self.next.checked_sub(1).and_then(|last| row.units.get(last)).map_or(0, |unit| unit.id)
    }

    /// The table of a first word.
    #[inline(always)]
    fn context(&self, past: u8) -> usize {
        usize::from(self.again) << 8 | usize::from(past)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// The next unit of the row.
    Next,
    /// The next unit has had its order, or has had none for long.
    Nobody,
    /// The row is at its end.
    End,
}

/// The table of a later word.
#[inline(always)]
fn later_context(unit: &Unit, place: usize, symbol: usize, past: u8) -> usize {
    let rested = usize::from(past & 15 == PASSED as u8);
    place << 9 | symbol << 5 | usize::from(unit.later[place]) << 1 | rested
}

impl OrderModel {
    pub fn new() -> Self {
        OrderModel { tables: Tables::new(), rows: Seat::ALL.map(|_| Row::new()), round: 0, any: 0 }
    }

    /// Begins a round: tells which seats have orders in it.
    pub fn begin_round(&mut self, coder: &mut impl Coder, has_orders: PerSeat<bool>) -> PerSeat<bool> {
        self.round += 1;
        let mask = Seat::ALL.iter().fold(0, |mask, &seat| mask | usize::from(has_orders[seat]) << seat.index());
        self.any = coder.symbol(&mut self.tables.any[self.any], mask);
        Seat::ALL.map(|seat| self.any >> seat.index() & 1 == 1)
    }
}

/// A word as a symbol, with the whole word behind it where it is odd.
#[inline(always)]
fn code_word(coder: &mut impl Coder, table: &mut Table, words: &mut Numbers, word: i32) -> (usize, i32) {
    let symbol = coder.symbol(table, symbol_of(word));
    match word_of(symbol) {
        Some(word) => (symbol, word),
        None => (ODD, words.code_signed(coder, i64::from(word)) as i32),
    }
}

#[inline(always)]
fn symbol_of(word: i32) -> usize {
    let place = word.wrapping_sub(SMALLEST_WORD) as u32 as usize;
    if place < SYMBOLS - FIRST_WORD { place + FIRST_WORD } else { ODD }
}

#[inline(always)]
fn word_of(symbol: usize) -> Option<i32> {
    Some(SMALLEST_WORD + symbol.checked_sub(FIRST_WORD)? as i32)
}
