//! Tuning: which values of a player's parameters do best, when every look at
//! some values is a few matches and mostly luck.
//!
//! A method asks for points to be played, all of them on the same boards in the
//! same seats, and is told how each did. Points are in a cube of side 1, so that
//! methods need not know what parameters mean; [`Space`] turns them into values.
//! Everything is drawn from a seed: the same results give the same questions.

mod bayes;
mod spsa;
mod surface;

pub use bayes::Bayes;
pub use spsa::Spsa;
pub use surface::{Evaluation, Surface};

/// A parameter of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub standard: f64,
    pub low: f64,
    pub high: f64,
    /// Whether only whole numbers make sense.
    pub whole: bool,
}

impl Parameter {
    /// The value at a place between 0, the least, and 1, the most.
    pub fn value(&self, at: f64) -> f64 {
        if !self.whole {
            // Who keeps its value keeps it to the last digit.
            if at == self.place(self.standard) {
                return self.standard;
            }
            // More digits would say nothing, and nobody wants to read them.
            let digits = libm::log10((self.high - self.low) / 1000.0).floor();
            let value = self.low + at.clamp(0.0, 1.0) * (self.high - self.low);
            // Divided by a power of ten a decimal is the nearest there is, multiplied
            // by a fraction it is 0.7000000000000001.
            let (many, step) = (libm::pow(10.0, (-digits).max(0.0)), libm::pow(10.0, digits.max(0.0)));
            return ((value * many / step).round() * step / many).clamp(self.low, self.high);
        }
        // Every number has the same room, those at the ends as well.
        let count = self.high - self.low + 1.0;
        (self.low + (at.clamp(0.0, 1.0) * count).floor()).min(self.high)
    }

    /// Where a value is between 0 and 1.
    pub fn place(&self, value: f64) -> f64 {
        let range = if self.whole { self.high - self.low + 1.0 } else { self.high - self.low };
        let middle = if self.whole { 0.5 } else { 0.0 };
        ((value - self.low + middle) / range).clamp(0.0, 1.0)
    }
}

/// The parameters that are tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    pub parameters: Vec<Parameter>,
}

impl Space {
    pub fn values(&self, point: &[f64]) -> Vec<f64> {
        self.parameters.iter().zip(point).map(|(parameter, &at)| parameter.value(at)).collect()
    }

    /// The values that the player has now.
    pub fn standard_values(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.standard).collect()
    }

    /// Their point.
    pub fn standard(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.place(parameter.standard)).collect()
    }
}

/// Matches with which a point is played on a seed: one in every seat.
pub const MATCHES: u64 = 4;

/// Steps beyond this many do not make a method better than longer ones do.
const MOST_STEPS: u64 = 90;
/// Seeds of a step: fewer say next to nothing of how much they vary.
const LEAST_SEEDS: u64 = 3;

/// How many seeds a step takes, and how many steps there are, for so many
/// matches and points in a step.
pub fn steps(matches: u64, points: u64) -> (u64, u64) {
    let seeds = (matches / (MOST_STEPS * points * MATCHES)).max(LEAST_SEEDS);
    (seeds, (matches / (seeds * points * MATCHES)).max(1))
}

/// A method of tuning.
pub trait Tuner {
    /// The points to be played next, on the same boards.
    fn ask(&mut self) -> Vec<Vec<f64>>;

    /// What they came to: a mean from 0 to 1 for each, in their order, and how
    /// much a mean of so many matches varies by itself.
    fn tell(&mut self, results: &[f64], variance: f64);

    /// The best point as far as is known.
    fn best(&self) -> Vec<f64>;
}

/// The methods there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Bayes,
    Spsa,
    /// Points anywhere; the best of them. What every method must beat.
    Chance,
}

impl Method {
    /// Points that it asks for at a time.
    pub fn points(self) -> u64 {
        match self {
            Method::Bayes | Method::Chance => 4,
            Method::Spsa => 2,
        }
    }

    pub fn tuner(self, start: &[f64], steps: u64, seed: i32) -> Box<dyn Tuner> {
        match self {
            Method::Bayes => Box::new(Bayes::new(start, seed)),
            Method::Spsa => Box::new(Spsa::new(start, steps, seed)),
            Method::Chance => Box::new(Chance::new(start, seed)),
        }
    }
}

/// Points anywhere.
struct Chance {
    draw: Draw,
    dimensions: usize,
    asked: Vec<Vec<f64>>,
    best: (f64, Vec<f64>),
}

impl Chance {
    fn new(start: &[f64], seed: i32) -> Chance {
        let best = (f64::NEG_INFINITY, start.to_vec());
        Chance { draw: Draw::new(seed), dimensions: start.len(), asked: Vec::new(), best }
    }
}

impl Tuner for Chance {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        self.asked = (0..4).map(|_| self.draw.point(self.dimensions)).collect();
        self.asked.clone()
    }

    fn tell(&mut self, results: &[f64], _: f64) {
        for (point, &result) in self.asked.iter().zip(results) {
            if result > self.best.0 {
                self.best = (result, point.clone());
            }
        }
    }

    fn best(&self) -> Vec<f64> {
        self.best.1.clone()
    }
}

/// Numbers by chance, the same on every machine.
pub(crate) struct Draw(u64);

impl Draw {
    fn new(seed: i32) -> Draw {
        Draw(seed as u32 as u64)
    }

    /// Steele, Lea and Flood's generator: the next number is a mix of a counter.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between 0 and 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn point(&mut self, dimensions: usize) -> Vec<f64> {
        (0..dimensions).map(|_| self.unit()).collect()
    }

    /// From the normal distribution.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.unit())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_values_belong_together() {
        let whole = Parameter { name: "w".into(), standard: 3.0, low: -2.0, high: 7.0, whole: true };
        for value in -2..=7 {
            assert_eq!(whole.value(whole.place(f64::from(value))), f64::from(value));
        }
        assert_eq!((whole.value(0.0), whole.value(1.0), whole.value(7.0)), (-2.0, 7.0, 7.0));
        let real = Parameter { name: "r".into(), standard: 0.250_06, low: 0.0, high: 2.0, whole: false };
        for thousandths in 0..=2000 {
            let value = f64::from(thousandths) / 1000.0;
            assert_eq!(real.value(real.place(value)), value, "as it is written, without a rest");
        }
        assert_eq!(real.value(real.place(0.250_06)), 0.250_06);
        assert_eq!(real.value(0.333_333_333), 0.667);
    }
}
