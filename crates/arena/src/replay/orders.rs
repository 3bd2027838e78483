//! The model of orders: what is likely, given the orders so far.
//!
//! It knows no game. An order is a list of integers, the unit first; players
//! mostly go through their units in the same sequence every round, and a unit
//! often does what it did in the round before, or what others did after the
//! same past. So the units of a seat stand in a ring, in the sequence in which
//! they were first ordered. The model walks around it and tells of each unit
//! whether it is passed over, or else the first word of its order, which in
//! every game says most of it. A unit out of sequence is named by its id.

use std::collections::BTreeMap;

use ludus_games::{Orders, PerSeat, Seat};

use super::coder::{Coder, Numbers, SYMBOLS, Table};

/// What a table of first words tells: the unit has no order here, or something
/// rare follows, or else the word itself.
const PASSED: usize = 0;
const RARE: usize = 1;
const SMALLEST_WORD: i32 = -1;
const FIRST_WORD: usize = 2;

/// What the end of the ring tells: the orders are complete, or the walk goes on
/// from the beginning, or something rare follows.
const STOP: usize = 0;
const AROUND: usize = 1;
const RARE_AT_END: usize = 2;

/// What may be rare: an order that is not as usual, a unit out of sequence, an
/// end before the end of the ring, an order without a unit.
const ODD_ORDER: usize = 0;
const OTHER_UNIT: usize = 1;
const NO_MORE: usize = 2;
const NO_UNIT: usize = 3;

/// A writer names a unit that is further away than so many others.
const LONGEST_WALK: u32 = 16;

/// How many units without a further order are passed in search of one: a limit
/// on the cost of players that shuffle many units.
const LONGEST_LOOK: u32 = 256;

/// A unit without orders for so many rounds leaves the ring until it is named.
const PATIENCE: u32 = 12;

/// Orders with more words are told as a whole: the same as last time, or not.
const SHORT: usize = 5;

/// What is told of a long order.
const SAME: usize = 1;

/// The longest order that is remembered.
const LONGEST_TAIL: usize = 64;

/// A seat that has named more units than this forgets them all.
const MOST_UNITS: usize = 1 << 14;

/// The most words, lengths counted, that are read for one seat in a round.
const MOST_WORDS: usize = 1 << 18;

/// The list could not be read: the bytes are at their end, or mean nothing.
#[derive(Debug, PartialEq, Eq)]
pub struct Unreadable;

/// The tables, which all seats share: players of a match do similar things.
pub struct OrderModel {
    tables: Tables,
    rings: PerSeat<Ring>,
    round: u32,
}

struct Tables {
    /// The first word, by the two before it and whether the walk has been around.
    first: Vec<Table>,
    /// A later word, by its place, the first word, and what it was last time.
    later: Vec<Table>,
    /// A word of a long order, by the one before.
    tail: Vec<Table>,
    /// The end of the ring, by how many units are still expected.
    end: [Table; 4],
    /// Whether there are any orders, by whether there were.
    any: [Table; 2],
    rare: Table,
    same_tail: Table,
    ids: Numbers,
    lengths: Numbers,
    words: Numbers,
}

impl Tables {
    fn new() -> Self {
        Tables {
            first: vec![Table::EVEN; 2 * SYMBOLS * SYMBOLS],
            later: vec![Table::EVEN; (SHORT - 2) * SYMBOLS * SYMBOLS * 2],
            tail: vec![Table::EVEN; SYMBOLS],
            end: [const { Table::EVEN }; 4],
            any: [const { Table::EVEN }; 2],
            rare: Table::EVEN,
            same_tail: Table::EVEN,
            ids: Numbers::EVEN,
            lengths: Numbers::EVEN,
            words: Numbers::EVEN,
        }
    }
}

/// The units of a seat; the first of them is the end of the ring.
struct Ring {
    units: Vec<Unit>,
    /// Units with small ids, by id; 0 for none.
    small: Vec<u32>,
    large: BTreeMap<i32, u32>,
    /// How long orders with a certain first word are, by its symbol; 0 is not known.
    usual: [usize; SYMBOLS],
    /// How many orders there were in the last round.
    count: usize,
}

const END: u32 = 0;
const SMALL_IDS: usize = 1 << 12;

#[derive(Clone, Default)]
struct Unit {
    id: i32,
    /// The last round with an order, counted from 1.
    round: u32,
    next: u32,
    before: u32,
    /// The symbols of its last words: the first of the last two orders, and the
    /// others of the last.
    past: [u8; 2],
    later: [u8; SHORT - 2],
    tail: Vec<i32>,
}

impl Ring {
    fn new() -> Self {
        Ring { units: vec![Unit::default()], small: Vec::new(), large: BTreeMap::new(), usual: [0; SYMBOLS], count: 0 }
    }

    fn forget(&mut self) {
        *self = Ring { usual: self.usual, count: self.count, ..Ring::new() };
    }

    /// The unit with this id, made if there is none.
    fn unit(&mut self, id: i32) -> u32 {
        let fresh = self.units.len() as u32;
        let index = if (id as u32 as usize) < SMALL_IDS {
            let place = id as usize;
            if place >= self.small.len() {
                self.small.resize((place + 1).next_power_of_two(), 0);
            }
            if self.small[place] == 0 {
                self.small[place] = fresh;
            }
            self.small[place]
        } else {
            *self.large.entry(id).or_insert(fresh)
        };
        if index == fresh {
            self.units.push(Unit { id, next: index, before: index, ..Unit::default() });
        }
        index
    }

    /// Takes a unit out of the ring, if it is there.
    fn unlink(&mut self, index: u32) {
        let (before, next) = (self.units[index as usize].before, self.units[index as usize].next);
        self.units[before as usize].next = next;
        self.units[next as usize].before = before;
        let unit = &mut self.units[index as usize];
        (unit.before, unit.next) = (index, index);
    }

    /// The next unit behind another that may get an order, or the end of the ring.
    #[inline]
    fn candidate(&mut self, mut at: u32, round: u32) -> u32 {
        for _ in 0..LONGEST_LOOK {
            let next = self.units[at as usize].next;
            if next == END {
                return END;
            }
            match round - self.units[next as usize].round {
                0 => at = next,
                1..=PATIENCE => return next,
                _ => self.unlink(next),
            }
        }
        END
    }

    /// Puts a unit behind another.
    fn link(&mut self, index: u32, before: u32) {
        let next = self.units[before as usize].next;
        let unit = &mut self.units[index as usize];
        (unit.before, unit.next) = (before, next);
        self.units[before as usize].next = index;
        self.units[next as usize].before = index;
    }
}

/// Where the walk through a ring is.
struct Walk {
    /// The unit that had the last order, or the end of the ring at first.
    at: u32,
    /// Whether it has passed the end.
    around: bool,
    /// Units of the last round that have had no order yet.
    expected: usize,
    /// The id of the last order.
    id: i32,
    /// Words that may still be read in this round.
    words_left: usize,
}

/// What a step of the walk leads to.
enum Step {
    Stop,
    /// An order for a unit, with the symbol of its first word.
    Order(u32, usize),
    WithoutUnit,
}

impl OrderModel {
    pub fn new() -> Self {
        OrderModel { tables: Tables::new(), rings: Seat::ALL.map(|_| Ring::new()), round: 0 }
    }

    pub fn begin_round(&mut self) {
        self.round += 1;
    }

    /// Codes the orders of one seat: an encoder writes those that are `given`,
    /// a decoder reads into `found`.
    pub fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        seat: Seat,
        given: &Orders,
        found: &mut Orders,
    ) -> Result<(), Unreadable> {
        SeatCoder { coder, tables: &mut self.tables, ring: &mut self.rings[seat], round: self.round }.code(given, found)
    }
}

struct SeatCoder<'a, C> {
    coder: &'a mut C,
    tables: &'a mut Tables,
    ring: &'a mut Ring,
    round: u32,
}

impl<C: Coder> SeatCoder<'_, C> {
    fn code(&mut self, given: &Orders, found: &mut Orders) -> Result<(), Unreadable> {
        let expected = std::mem::take(&mut self.ring.count);
        let any = &mut self.tables.any[usize::from(expected > 0)];
        if self.coder.symbol(any, usize::from(!given.is_empty())) == 0 {
            return Ok(());
        }
        if self.ring.units.len() > MOST_UNITS {
            self.ring.forget();
        }
        let mut walk = Walk { at: END, around: false, expected, id: 0, words_left: MOST_WORDS };
        let mut orders = given.iter();
        let mut order = Vec::new();
        loop {
            let wanted = orders.next();
            order.clear();
            match self.step(&mut walk, wanted)? {
                Step::Stop => return Ok(()),
                Step::Order(unit, symbol) => {
                    order.push(self.ring.units[unit as usize].id);
                    self.order(&mut walk, unit, symbol, wanted.unwrap_or_default(), &mut order)?;
                }
                Step::WithoutUnit => {}
            }
            self.ring.count += 1;
            if C::DECODES {
                walk.words_left = walk.words_left.checked_sub(1 + order.len()).ok_or(Unreadable)?;
                found.push(&order);
            }
        }
    }

    /// Walks to the next order. `wanted` is what an encoder wants to tell.
    fn step(&mut self, walk: &mut Walk, wanted: Option<&[i32]>) -> Result<Step, Unreadable> {
        let mut distance = if C::DECODES { None } else { self.distance(walk.at, wanted) };
        let (mut at, mut turns) = (walk.at, 0);
        loop {
            at = self.ring.candidate(at, self.round);
            if self.coder.is_exhausted() {
                return Err(Unreadable);
            }
            if at == END {
                let symbol = match distance {
                    Some(0) => STOP,
                    Some(_) => AROUND,
                    None => RARE_AT_END,
                };
                match self.coder.symbol(&mut self.tables.end[walk.expected.min(3)], symbol) {
                    STOP => return Ok(Step::Stop),
                    AROUND if turns == 0 => (turns, walk.around) = (1, true),
                    RARE_AT_END => return self.rare(walk, None, wanted),
                    _ => return Err(Unreadable),
                }
            } else {
                let symbol = match distance {
                    Some(0) => self.symbol_of(wanted.unwrap_or_default()),
                    Some(_) => PASSED,
                    None => RARE,
                };
                match self.first_word(walk, at, symbol) {
                    PASSED => {}
                    RARE => return self.rare(walk, Some((at, distance == Some(0))), wanted),
                    symbol => return Ok(Step::Order(at, symbol)),
                }
            }
            distance = distance.map(|distance| distance - 1);
        }
    }

    /// How many symbols an encoder tells before the one it wants to, or none if
    /// they are too many.
    #[inline]
    fn distance(&mut self, from: u32, wanted: Option<&[i32]>) -> Option<u32> {
        let id = match wanted {
            Some(order) => Some(*order.first()?),
            None => None,
        };
        let (mut at, mut turns) = (from, 0);
        for distance in 0..LONGEST_WALK {
            at = self.ring.candidate(at, self.round);
            if at == END {
                if id.is_none() {
                    return Some(distance);
                }
                turns += 1;
                if turns > 1 {
                    return None;
                }
            } else if id == Some(self.ring.units[at as usize].id) {
                return Some(distance);
            }
        }
        None
    }

    /// The symbol of an order's first word, if its length is as usual.
    #[inline]
    fn symbol_of(&self, order: &[i32]) -> usize {
        let symbol = order.get(1).map_or(RARE, |&word| symbol_of(word));
        if self.ring.usual[symbol] == order.len() { symbol } else { RARE }
    }

    #[inline]
    fn first_word(&mut self, walk: &Walk, at: u32, symbol: usize) -> usize {
        let unit = &self.ring.units[at as usize];
        let [last, before] = unit.past_in(self.round);
        let context = usize::from(walk.around) << 8 | usize::from(before) << 4 | usize::from(last);
        self.coder.symbol(&mut self.tables.first[context], symbol)
    }

    /// What is rare, at a unit or at the end of the ring. An encoder is here
    /// because the unit's own order is odd, or for something else.
    #[cold]
    fn rare(&mut self, walk: &mut Walk, at: Option<(u32, bool)>, wanted: Option<&[i32]>) -> Result<Step, Unreadable> {
        let kind = match (at, wanted) {
            (Some((_, true)), _) => ODD_ORDER,
            (_, None) => NO_MORE,
            (_, Some([])) => NO_UNIT,
            (_, Some(_)) => OTHER_UNIT,
        };
        match (self.coder.symbol(&mut self.tables.rare, kind), at) {
            (ODD_ORDER, Some((at, _))) => Ok(Step::Order(at, RARE)),
            (NO_MORE, _) => Ok(Step::Stop),
            (NO_UNIT, _) => Ok(Step::WithoutUnit),
            (OTHER_UNIT, _) => {
                let wanted = wanted.unwrap_or_default();
                let id = wanted.first().map_or(0, |&id| i64::from(id) - i64::from(walk.id));
                let id = self.tables.ids.code_signed(self.coder, id).wrapping_add(i64::from(walk.id)) as i32;
                let unit = self.ring.unit(id);
                if unit != walk.at {
                    self.ring.unlink(unit);
                    self.ring.link(unit, walk.at);
                }
                match self.first_word(walk, unit, self.symbol_of(wanted)) {
                    PASSED => Err(Unreadable),
                    symbol => Ok(Step::Order(unit, symbol)),
                }
            }
            _ => Err(Unreadable),
        }
    }

    /// Codes the words of an order behind the first.
    fn order(
        &mut self,
        walk: &mut Walk,
        at: u32,
        symbol: usize,
        wanted: &[i32],
        order: &mut Vec<i32>,
    ) -> Result<(), Unreadable> {
        let unit = &mut self.ring.units[at as usize];
        let [last, _] = unit.past_in(self.round);
        walk.expected -= usize::from(walk.expected > 0 && unit.round + 1 == self.round);
        (walk.at, walk.id) = (at, unit.id);
        unit.past = [symbol as u8, last];
        unit.round = self.round;
        if symbol == RARE {
            return self.odd_order(walk, wanted, order);
        }
        let length = self.ring.usual[symbol];
        if C::DECODES {
            order.push(word_of(symbol).filter(|_| length > 1).ok_or(Unreadable)?);
        }
        if length > SHORT {
            self.long_order(at, length, wanted, order);
            return Ok(());
        }
        let context = symbol << 5 | usize::from(usize::from(last) == PASSED);
        for place in 2..length {
            let last = &mut unit.later[place - 2];
            let table = &mut self.tables.later[(place - 2) << 9 | context | usize::from(*last) << 1];
            let wanted = wanted.get(place).copied().unwrap_or_default();
            let (symbol, word) = code_word(self.coder, table, &mut self.tables.words, wanted);
            *last = symbol as u8;
            if C::DECODES {
                order.push(word);
            }
        }
        Ok(())
    }

    /// Nothing but the unit is known; afterwards such orders are usual.
    #[cold]
    fn odd_order(&mut self, walk: &Walk, wanted: &[i32], order: &mut Vec<i32>) -> Result<(), Unreadable> {
        let length = self.tables.lengths.code(self.coder, wanted.len() as u64) as usize;
        if length == 0 || length > walk.words_left {
            return Err(Unreadable);
        }
        for place in 1..length {
            let word = wanted.get(place).copied().unwrap_or_default();
            order.push(self.tables.words.code_signed(self.coder, i64::from(word)) as i32);
            if self.coder.is_exhausted() {
                return Err(Unreadable);
            }
        }
        if let Some(&word) = order.get(1)
            && symbol_of(word) != RARE
        {
            self.ring.usual[symbol_of(word)] = length;
        }
        Ok(())
    }

    /// Often a unit gives the same long order again.
    fn long_order(&mut self, at: u32, length: usize, wanted: &[i32], order: &mut Vec<i32>) {
        let tail = &mut self.ring.units[at as usize].tail;
        let is_same = wanted.get(2..) == Some(tail) && !tail.is_empty();
        if self.coder.symbol(&mut self.tables.same_tail, usize::from(is_same)) == SAME && tail.len() == length - 2 {
            order.extend_from_slice(tail);
            return;
        }
        let mut last = PASSED;
        tail.clear();
        for place in 2..length {
            let wanted = wanted.get(place).copied().unwrap_or_default();
            let (symbol, word) = code_word(self.coder, &mut self.tables.tail[last], &mut self.tables.words, wanted);
            last = symbol;
            tail.push(word);
        }
        order.extend_from_slice(tail);
        if length > LONGEST_TAIL {
            tail.clear();
        }
    }
}

impl Unit {
    /// The symbols of its last two rounds, as far as it had orders in them.
    #[inline]
    fn past_in(&self, round: u32) -> [u8; 2] {
        if self.round + 1 == round { self.past } else { [PASSED as u8, self.past[1]] }
    }
}

/// A word as a symbol, with the whole word behind it where it is rare.
#[inline]
fn code_word(coder: &mut impl Coder, table: &mut Table, words: &mut Numbers, word: i32) -> (usize, i32) {
    let symbol = coder.symbol(table, symbol_of(word));
    match word_of(symbol) {
        Some(word) => (symbol, word),
        None => (RARE, words.code_signed(coder, i64::from(word)) as i32),
    }
}

#[inline]
fn symbol_of(word: i32) -> usize {
    let place = word.wrapping_sub(SMALLEST_WORD) as u32 as usize;
    if place < SYMBOLS - FIRST_WORD { place + FIRST_WORD } else { RARE }
}

#[inline]
fn word_of(symbol: usize) -> Option<i32> {
    Some(SMALLEST_WORD + symbol.checked_sub(FIRST_WORD)? as i32)
}
