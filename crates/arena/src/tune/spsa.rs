//! Simultaneous perturbation (Spall, 1992): a step up the slope between two
//! points at opposite sides of where it stands, however many parameters there
//! are.

use super::{Draw, Tuner};

/// How the steps shrink, after Spall's advice.
const SHRINK_STEP: f64 = 0.602;
const SHRINK_REACH: f64 = 0.101;
/// How far from where it stands the first two points are.
const REACH: f64 = 0.2;
/// How far the first steps go, about.
const STEP: f64 = 0.1;

pub struct Spsa {
    draw: Draw,
    at: Vec<f64>,
    steps: u64,
    /// Steps that count as done before the first, so that it is not too long.
    before: f64,
    directions: Vec<f64>,
    reach: f64,
    /// The mean size of the slopes so far, by which steps are scaled.
    slope: f64,
    /// The sum of places in the second half, whose mean is the answer.
    sum: (u64, Vec<f64>),
    expected_steps: u64,
}

impl Spsa {
    pub fn new(start: &[f64], expected_steps: u64, seed: i32) -> Spsa {
        Spsa {
            draw: Draw::new(seed),
            at: start.to_vec(),
            steps: 0,
            before: (expected_steps as f64 / 10.0).max(1.0),
            directions: Vec::new(),
            reach: REACH,
            slope: 0.0,
            sum: (0, vec![0.0; start.len()]),
            expected_steps,
        }
    }
}

impl Tuner for Spsa {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        self.reach = REACH / libm::pow((self.steps + 1) as f64, SHRINK_REACH);
        self.directions =
            (0..self.at.len()).map(|_| if self.draw.next().is_multiple_of(2) { 1.0 } else { -1.0 }).collect();
        let toward = |sign: f64| {
            let places = self.at.iter().zip(&self.directions);
            places.map(|(at, direction)| (at + sign * self.reach * direction).clamp(0.0, 1.0)).collect()
        };
        vec![toward(1.0), toward(-1.0)]
    }

    fn tell(&mut self, results: &[f64], _: f64) {
        let slope = (results[0] - results[1]) / (2.0 * self.reach);
        self.steps += 1;
        let weight = 1.0 / self.steps.min(20) as f64;
        self.slope += weight * (slope.abs() - self.slope);
        let shrink = libm::pow((self.before + 1.0) / (self.before + self.steps as f64), SHRINK_STEP);
        let step = if self.slope > 0.0 { STEP * shrink * slope / self.slope } else { 0.0 };
        for (at, direction) in self.at.iter_mut().zip(&self.directions) {
            *at = (*at + (step * direction).clamp(-0.25, 0.25)).clamp(0.0, 1.0);
        }
        if 2 * self.steps > self.expected_steps {
            self.sum.0 += 1;
            self.sum.1.iter_mut().zip(&self.at).for_each(|(sum, at)| *sum += at);
        }
    }

    fn best(&self) -> Vec<f64> {
        match self.sum.0 {
            0 => self.at.clone(),
            count => self.sum.1.iter().map(|sum| sum / count as f64).collect(),
        }
    }
}
