//! Landscapes with a known top, on which methods of tuning are compared: how
//! often a player with such parameters beats a rival, and matches in which it does.

use ludus_arena::tune::{Method, Tuner};

/// A landscape over a cube: a hill whose parameters depend on each other, with
/// smaller bumps on it.
pub struct Landscape {
    pub dimensions: usize,
    top: Vec<f64>,
}

impl Landscape {
    pub fn new(dimensions: usize, seed: u64) -> Landscape {
        let mut random = Random(seed);
        Landscape { dimensions, top: (0..dimensions).map(|_| 0.15 + 0.7 * random.unit()).collect() }
    }

    /// The chance to beat a rival.
    pub fn chance(&self, point: &[f64]) -> f64 {
        let off: Vec<f64> = point.iter().zip(&self.top).map(|(at, top)| at - top).collect();
        let squares: f64 = off.iter().map(|off| off * off).sum();
        let together: f64 = off.windows(2).map(|pair| pair[0] * pair[1]).sum();
        let bumps: f64 = off.iter().map(|off| 0.05 * (1.0 - (20.0 * off).cos())).sum();
        logistic(1.0 - (3.0 * squares + 2.0 * together + bumps) / (self.dimensions as f64).sqrt())
    }

    pub fn best(&self) -> f64 {
        self.chance(&self.top)
    }

    /// The mean share of rivals beaten on these seeds, four matches on each. What
    /// a board does to a player it does to all points.
    pub fn play(&self, point: &[f64], seeds: std::ops::Range<u64>) -> Vec<f64> {
        let chance = self.chance(point);
        let of_seed = |seed: u64| {
            let board = 0.8 * (Random(seed).unit() - 0.5);
            let chance = logistic((chance / (1.0 - chance)).ln() + board);
            let key = point.iter().fold(seed, |key, at| key.wrapping_mul(31).wrapping_add(at.to_bits()));
            let mut random = Random(key);
            (0..12).filter(|_| random.unit() < chance).count() as f64 / 12.0
        };
        seeds.map(of_seed).collect()
    }
}

/// How far below the top a method ends after so many matches, in the chance to
/// beat a rival.
pub fn regret(landscape: &Landscape, method: Method, matches: u64, seed: i32) -> f64 {
    let (seeds, steps) = ludus_arena::tune::steps(matches, method.points());
    let start = vec![0.5; landscape.dimensions];
    let mut tuner: Box<dyn Tuner> = method.tuner(&start, steps, seed);
    for step in 0..steps {
        let first = step * seeds + 1_000_000 * seed as u64;
        let results: Vec<Vec<f64>> =
            tuner.ask().iter().map(|point| landscape.play(point, first..first + seeds)).collect();
        let means: Vec<f64> = results.iter().map(|one| one.iter().sum::<f64>() / seeds as f64).collect();
        let spread: f64 = results.iter().zip(&means).map(|(one, mean)| variance(one, *mean)).sum();
        tuner.tell(&means, (spread / results.len() as f64 / seeds as f64).max(1e-6));
    }
    landscape.best() - landscape.chance(&tuner.best())
}

fn variance(values: &[f64], mean: f64) -> f64 {
    values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (values.len() as f64 - 1.0).max(1.0)
}

fn logistic(value: f64) -> f64 {
    1.0 / (1.0 + (-value).exp())
}

/// Steele, Lea and Flood's generator.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}
