//! What is known after some matches of a comparison.

use ludus_arena::{Comparison, Estimate, Evidence, Pairing, Played, Sums};
use ludus_games::{PerSeat, Seat};

/// The seeds on which the new version did worst that are told.
const WORST: usize = 8;

/// Looks at the evidence that are remembered grow apart by this factor, so that
/// they are few however long it takes.
const APART: f64 = 1.06;

pub struct Findings {
    pub comparison: Comparison,
    pairing: Pairing,
    open: Seed,
    /// Rivals beaten by each version, in sixths of a match's, and its matches.
    beaten: [i64; 2],
    pub matches: [u64; 2],
    pub frozen: [u64; 2],
    /// Differences between the versions, in sixths, one for every seed.
    by_seat: PerSeat<Sums>,
    by_board: Vec<Sums>,
    /// How it went, look by look.
    pub looks: Vec<Look>,
    /// The worst first.
    pub worst: Vec<(i32, u64)>,
}

/// The seed under way.
#[derive(Clone)]
struct Seed {
    matches: u64,
    parts: i32,
    by_seat: PerSeat<i64>,
    by_board: Vec<i64>,
}

/// What was known after so many seeds.
pub struct Look {
    pub seeds: u64,
    pub difference: f64,
    pub interval: (f64, f64),
    pub evidence: Evidence,
}

impl Seed {
    fn new(boards: usize) -> Seed {
        Seed { matches: 0, parts: 0, by_seat: [0; 4], by_board: vec![0; boards] }
    }
}

impl Findings {
    pub fn new(comparison: &Comparison, pairing: &Pairing, boards: usize) -> Findings {
        Findings {
            comparison: comparison.clone(),
            pairing: *pairing,
            open: Seed::new(boards),
            beaten: [0; 2],
            matches: [0; 2],
            frozen: [0; 2],
            by_seat: PerSeat::default(),
            by_board: vec![Sums::default(); boards],
            looks: Vec::new(),
            worst: Vec::new(),
        }
    }

    /// The next match. What comes after the answer changes nothing.
    pub fn add(&mut self, number: u64, played: &Played) {
        if self.comparison.answer().is_some() {
            return;
        }
        let fixture = self.pairing.fixture(number);
        for seat in Seat::ALL {
            if let version @ 0..2 = fixture.seats[seat] {
                let beaten = played.sixths_beaten(seat);
                self.beaten[version] += beaten;
                self.matches[version] += 1;
                self.frozen[version] += u64::from(played.faults[seat].is_some());
                let gained = if version == 0 { beaten } else { -beaten };
                self.open.by_seat[seat] += gained;
                self.open.by_board[self.pairing.board(number)] += gained;
            }
        }
        self.open.matches += 1;
        self.open.parts += Pairing::parts(&fixture, played);
        if self.open.matches == self.pairing.on_a_seed() {
            self.close_seed(number);
        }
    }

    fn close_seed(&mut self, number: u64) {
        let boards = self.by_board.len();
        let closed = std::mem::replace(&mut self.open, Seed::new(boards));
        self.comparison.add(closed.parts);
        let sums = self.by_seat.iter_mut().zip(closed.by_seat).chain(self.by_board.iter_mut().zip(closed.by_board));
        for (sums, gained) in sums {
            sums.add(gained);
            sums.close_seed();
        }
        let first = number + 1 - self.pairing.on_a_seed();
        let place = self.worst.partition_point(|&(parts, _)| parts <= closed.parts);
        if closed.parts < 0 && place < WORST {
            self.worst.insert(place, (closed.parts, first));
            self.worst.truncate(WORST);
        }
        let seeds = self.comparison.seeds();
        let last = self.looks.last().map_or(0, |look| look.seeds);
        if seeds as f64 >= APART * last as f64 + 1.0 || self.comparison.answer().is_some() {
            self.looks.push(Look {
                seeds,
                difference: self.comparison.difference(),
                interval: self.comparison.interval(),
                evidence: self.comparison.evidence(),
            });
        }
    }

    pub fn played(&self) -> u64 {
        self.matches[0] + self.matches[1]
    }

    pub fn on_a_seed(&self) -> u64 {
        self.pairing.on_a_seed()
    }

    /// The share of rivals beaten by each version.
    pub fn shares(&self) -> [f64; 2] {
        std::array::from_fn(|k| self.beaten[k] as f64 / 6.0 / self.matches[k].max(1) as f64)
    }

    /// The difference in each seat.
    pub fn by_seat(&self) -> PerSeat<Option<Estimate>> {
        Seat::ALL.map(|seat| self.by_seat[seat].mean(6.0 * self.by_board.len() as f64))
    }

    /// The difference on each config.
    pub fn by_board(&self) -> Vec<Option<Estimate>> {
        self.by_board.iter().map(|sums| sums.mean(6.0 * Seat::COUNT as f64)).collect()
    }
}
