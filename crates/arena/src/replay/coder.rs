//! The range coder: symbols in, bytes out, and back.
//!
//! A model is written once, for both directions: it hands every symbol to a
//! [`Coder`] and goes on with the symbol that comes back. An encoder gives back
//! what it was given, a decoder what it reads.

/// How many different symbols a [`Table`] knows.
pub const SYMBOLS: usize = 16;

/// Chances are whole numbers of this power of two.
const SCALE_BITS: u32 = 15;
const SCALE: i16 = i16::MAX;

/// How likely each symbol is in some context, learnt from the symbols so far.
///
/// Learning is by batches: symbols are counted, and when a batch is complete
/// the chances move towards what was counted. The first batches have one
/// symbol, later ones more, so that most symbols cost but a count.
#[derive(Clone)]
pub struct Table {
    /// The chance of all symbols below, for each symbol and the one after the last.
    below: [i16; SYMBOLS + 1],
    /// How often each symbol came in this batch.
    counts: [u8; SYMBOLS],
    /// Symbols that are missing to the batch.
    left: u8,
    batch: u8,
}

/// The size of the batches, as powers of two, and how far each moves the
/// chances: by a half as long as a batch has as many symbols as came before it,
/// by a fourth in the end. The last one goes on for ever.
const BATCHES: [(u8, u8); 7] = [(0, 1), (0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 2)];

/// What a batch of one symbol moves towards: the symbol is certain, but for the
/// smallest chance that every other one keeps.
const AIMS: [[i16; SYMBOLS]; SYMBOLS] = {
    let mut aims = [[0; SYMBOLS]; SYMBOLS];
    let mut symbol = 0;
    while symbol < SYMBOLS {
        let mut i = 0;
        while i < SYMBOLS {
            aims[symbol][i] = if i <= symbol { i as i16 } else { SCALE - (SYMBOLS - i) as i16 };
            i += 1;
        }
        symbol += 1;
    }
    aims
};

impl Table {
    /// Every symbol is as likely as any other.
    pub const EVEN: Table = {
        let mut below = [SCALE; SYMBOLS + 1];
        let mut i = 0;
        while i < SYMBOLS {
            below[i] = (i << (SCALE_BITS - 4)) as i16;
            i += 1;
        }
        Table { below, counts: [0; SYMBOLS], left: 1, batch: 0 }
    };

    #[inline(always)]
    fn learn(&mut self, symbol: usize) {
        self.counts[symbol] += 1;
        self.left -= 1;
        if self.left == 0 {
            self.end_batch(symbol);
        }
    }

    /// Moves the chances towards what came in the batch, `last` at its end.
    #[cold]
    #[inline(never)]
    fn end_batch(&mut self, last: usize) {
        let (size, rate) = BATCHES[usize::from(self.batch)];
        if size == 0 {
            self.move_towards(&AIMS[last], rate);
        } else {
            // Every symbol keeps a chance of at least one.
            let share = (SCALE - SYMBOLS as i16) >> size;
            let mut aims = [0; SYMBOLS];
            let mut sum = 0;
            for ((aim, count), i) in aims.iter_mut().zip(self.counts).zip(0..) {
                *aim = sum + i;
                sum += i16::from(count) * share;
            }
            self.move_towards(&aims, rate);
        }
        self.counts = [0; SYMBOLS];
        self.batch = (self.batch + 1).min(BATCHES.len() as u8 - 1);
        self.left = 1 << BATCHES[usize::from(self.batch)].0;
    }

    #[inline]
    fn move_towards(&mut self, aims: &[i16; SYMBOLS], rate: u8) {
        for (below, aim) in self.below.iter_mut().zip(aims) {
            *below += (aim - *below) >> rate;
        }
    }

    /// Start and size of a symbol's share.
    #[inline(always)]
    fn share(&self, symbol: usize) -> (u64, u64) {
        // No chance is negative, and widening without a sign is cheaper.
        let (start, end) = (u64::from(self.below[symbol] as u16), u64::from(self.below[symbol + 1] as u16));
        (start, end - start)
    }
}

/// One direction of coding.
pub trait Coder {
    /// A symbol below [`SYMBOLS`] that the table has a chance for.
    fn symbol(&mut self, table: &mut Table, symbol: usize) -> usize;

    /// A number below `1 << count`, each as likely as any other; `count` is at most 16.
    fn bits(&mut self, value: u64, count: u32) -> u64;

    /// Whether symbols were asked for that nobody has written.
    #[inline]
    fn is_exhausted(&self) -> bool {
        false
    }
}

/// Below this the range is made larger again, by four bytes.
const SMALLEST_RANGE: u64 = 1 << 32;

/// The part of all numbers that stands for the symbols so far.
#[derive(Clone, Copy)]
struct Interval {
    low: u64,
    range: u64,
}

pub struct Encoder {
    interval: Interval,
    bytes: Vec<u8>,
}

impl Encoder {
    pub fn new() -> Self {
        Encoder { interval: Interval { low: 0, range: u64::MAX }, bytes: Vec::with_capacity(1 << 12) }
    }

    #[inline(always)]
    fn narrow(&mut self, unit: u64, start: u64, size: u64) {
        let (low, carry) = self.interval.low.overflowing_add(unit * start);
        self.interval = Interval { low, range: unit * size };
        if carry {
            carry_into(&mut self.bytes);
        }
        if self.interval.range < SMALLEST_RANGE {
            self.widen();
        }
    }

    #[cold]
    #[inline(never)]
    fn widen(&mut self) {
        let Interval { low, range } = self.interval;
        self.bytes.extend_from_slice(&((low >> 32) as u32).to_be_bytes());
        self.interval = Interval { low: low << 32, range: range << 32 };
    }

    /// Bytes so far.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes, as few as tell the rest apart: zeros follow in thought.
    pub fn finish(mut self) -> Vec<u8> {
        let Interval { low, range } = self.interval;
        for count in 1..=8 {
            let mask = u64::MAX.checked_shr(8 * count).unwrap_or(0);
            let (value, carry) = low.overflowing_add(mask);
            let value = value & !mask;
            if value.wrapping_sub(low) < range {
                if carry {
                    carry_into(&mut self.bytes);
                }
                self.bytes.extend_from_slice(&value.to_be_bytes()[..count as usize]);
                break;
            }
        }
        self.bytes
    }
}

/// Adds one to what has been written.
#[cold]
#[inline(never)]
fn carry_into(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            break;
        }
    }
}

impl Coder for Encoder {
    #[inline(always)]
    fn symbol(&mut self, table: &mut Table, symbol: usize) -> usize {
        let (start, size) = table.share(symbol);
        self.narrow(self.interval.range >> SCALE_BITS, start, size);
        table.learn(symbol);
        symbol
    }

    #[inline]
    fn bits(&mut self, value: u64, count: u32) -> u64 {
        self.narrow(self.interval.range >> count, value, 1);
        value
    }
}

/// Reads any bytes: wrong ones give wrong symbols, and the end gives zeros.
pub struct Decoder<'a> {
    bytes: &'a [u8],
    /// What the bytes say, above the low end of the range.
    rest: u64,
    range: u64,
    /// Bytes read beyond the end.
    missing: usize,
}

impl<'a> Decoder<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Decoder { bytes, rest: 0, range: u64::MAX, missing: 0 };
        decoder.rest = u64::from(decoder.four_bytes()) << 32;
        decoder.rest |= u64::from(decoder.four_bytes());
        decoder
    }

    fn four_bytes(&mut self) -> u32 {
        let present = self.bytes.len().min(4);
        let mut four = [0; 4];
        four[..present].copy_from_slice(&self.bytes[..present]);
        self.bytes = &self.bytes[present..];
        self.missing = (self.missing + 4 - present).min(8);
        u32::from_be_bytes(four)
    }

    fn narrow(&mut self, unit: u64, start: u64, size: u64) {
        self.rest = self.rest.wrapping_sub(unit * start);
        self.range = unit * size;
        if self.range < SMALLEST_RANGE {
            self.rest = self.rest << 32 | u64::from(self.four_bytes());
            self.range <<= 32;
        }
    }
}

impl Coder for Decoder<'_> {
    fn symbol(&mut self, table: &mut Table, _: usize) -> usize {
        let unit = self.range >> SCALE_BITS;
        let place = (self.rest / unit).min(SCALE as u64 - 1) as i16;
        let symbol = table.below[1..SYMBOLS].iter().filter(|&&below| below <= place).count();
        let (start, size) = table.share(symbol);
        self.narrow(unit, start, size);
        table.learn(symbol);
        symbol
    }

    fn bits(&mut self, _: u64, count: u32) -> u64 {
        let unit = self.range >> count;
        let value = (self.rest / unit).min((1 << count) - 1);
        self.narrow(unit, value, 1);
        value
    }

    fn is_exhausted(&self) -> bool {
        self.missing >= 8
    }
}

/// A model of numbers of any size: how many bits they have is learnt.
#[derive(Clone)]
pub struct Numbers {
    fours: Table,
    ones: [Table; SYMBOLS],
}

impl Numbers {
    pub const EVEN: Numbers = Numbers { fours: Table::EVEN, ones: [const { Table::EVEN }; SYMBOLS] };

    /// Codes a number below 2^63.
    pub fn code(&mut self, coder: &mut impl Coder, value: u64) -> u64 {
        let length = u64::BITS - value.leading_zeros();
        let fours = coder.symbol(&mut self.fours, (length / 4) as usize);
        let ones = coder.symbol(&mut self.ones[fours], (length % 4) as usize).min(3);
        let length = (4 * fours + ones) as u32;
        // The highest bit of a number is known from its length.
        let mut left = length.saturating_sub(1);
        let mut read = u64::from(length > 0);
        while left > 0 {
            let count = left.min(16);
            left -= count;
            read = read << count | coder.bits(value >> left & ((1 << count) - 1), count);
        }
        read
    }

    pub fn code_signed(&mut self, coder: &mut impl Coder, value: i64) -> i64 {
        let read = self.code(coder, (value << 1 ^ value >> 63) as u64);
        (read >> 1) as i64 ^ -((read & 1) as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_games::Generator;

    /// Codes a list made by `make`, and reads it back.
    fn check(count: usize, mut make: impl FnMut(&mut Generator) -> i64) -> usize {
        let mut generator = Generator::new(7);
        let values: Vec<i64> = (0..count).map(|_| make(&mut generator)).collect();
        let (mut encoder, mut numbers) = (Encoder::new(), Numbers::EVEN);
        values.iter().for_each(|&value| {
            numbers.code_signed(&mut encoder, value);
        });
        let bytes = encoder.finish();
        let (mut decoder, mut numbers) = (Decoder::new(&bytes), Numbers::EVEN);
        for &value in &values {
            assert!(!decoder.is_exhausted());
            assert_eq!(numbers.code_signed(&mut decoder, 0), value);
        }
        assert!(!decoder.is_exhausted());
        (0..8).for_each(|_| {
            decoder.bits(0, 16);
        });
        assert!(decoder.is_exhausted());
        bytes.len()
    }

    #[test]
    fn numbers_come_back() {
        for count in 0..50 {
            check(count, |generator| i64::from(generator.random(-1000, 1000)));
        }
        check(1000, |generator| i64::from(generator.random(i32::MIN, i32::MAX)) << generator.random(0, 30));
        check(1000, |_| -1 << 62);
    }

    #[test]
    fn what_is_certain_costs_next_to_nothing() {
        assert!(check(100_000, |_| 0) < 1000);
    }

    #[test]
    fn carries_reach_far_back() {
        // Shares at the upper end of the range make runs of 255, which a later
        // carry turns over.
        let mut generator = Generator::new(3);
        for _ in 0..200 {
            let symbols: Vec<u64> = (0..300).map(|_| 65_535 - u64::from(generator.random(0, 400) == 0)).collect();
            let mut encoder = Encoder::new();
            symbols.iter().for_each(|&symbol| {
                encoder.bits(symbol, 16);
            });
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            assert!(symbols.iter().all(|&symbol| decoder.bits(0, 16) == symbol));
        }
    }
}
