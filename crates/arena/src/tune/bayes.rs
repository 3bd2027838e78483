//! Thompson's rule over a [`Surface`]: of all landscapes that the looks so far
//! leave possible one is drawn, and its top is looked at next. So a place is
//! tried as often as it is likely to be the best.

use super::surface::{Evaluation, Surface};
use super::{Draw, Tuner};

/// Points of a batch.
const BATCH: usize = 4;
/// Batches anywhere before anything is believed.
const FIRST: u64 = 3;
/// Points among which the best is looked for.
const CANDIDATES: usize = 160;
/// Looks that a surface is fitted to: work grows with their cube, and where
/// there are more the oldest give way.
const MOST_LOOKS: usize = 360;

pub struct Bayes {
    draw: Draw,
    start: Vec<f64>,
    batch: u64,
    asked: Vec<Vec<f64>>,
    evaluations: Vec<Evaluation>,
    surface: Option<Surface>,
    best: Vec<f64>,
}

impl Bayes {
    pub fn new(start: &[f64], seed: i32) -> Bayes {
        Bayes {
            draw: Draw::new(seed),
            start: start.to_vec(),
            batch: 0,
            asked: Vec::new(),
            evaluations: Vec::new(),
            surface: None,
            best: start.to_vec(),
        }
    }

    /// Points everywhere, and more of them around the best.
    fn candidates(&mut self) -> Vec<Vec<f64>> {
        let mut points: Vec<Vec<f64>> = (0..CANDIDATES / 2).map(|_| self.draw.point(self.start.len())).collect();
        points.push(self.start.clone());
        points.push(self.best.clone());
        while points.len() < CANDIDATES {
            let reach = [0.02, 0.06, 0.2][points.len() % 3];
            let near = self.best.clone();
            points.push(near.iter().map(|at| (at + reach * self.draw.normal()).clamp(0.0, 1.0)).collect());
        }
        points
    }

    /// The point that is believed to be best: from the best candidates downhill
    /// is left out, step by step.
    fn top(&mut self, surface: &Surface) -> Vec<f64> {
        let looked_at = self.evaluations.iter().map(|one| one.point.clone()).collect::<Vec<_>>();
        let candidates = self.candidates().into_iter().chain(looked_at);
        let known = candidates.map(|point| (surface.mean_at(&point), point));
        let best = known.max_by(|(one, _), (other, _)| one.total_cmp(other));
        let (mut height, mut point) = best.unwrap_or_else(|| (f64::NEG_INFINITY, self.start.clone()));
        let mut reach = 0.1;
        while reach > 0.005 {
            let mut better = false;
            for side in 0..2 * point.len() {
                let mut moved = point.clone();
                let step = if side % 2 == 0 { reach } else { -reach };
                moved[side / 2] = (moved[side / 2] + step).clamp(0.0, 1.0);
                let there = surface.mean_at(&moved);
                if there > height + 1e-12 {
                    (height, point, better) = (there, moved, true);
                }
            }
            if !better {
                reach /= 2.0;
            }
        }
        point
    }
}

impl Tuner for Bayes {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        self.asked = match (self.surface.take(), self.batch) {
            (Some(surface), FIRST..) => {
                let mut points = vec![self.best.clone()];
                for _ in 1..BATCH {
                    let candidates = self.candidates();
                    let drawn = surface.draw(&candidates, &mut self.draw);
                    let top = drawn.iter().enumerate().max_by(|(_, one), (_, other)| one.total_cmp(other));
                    points.push(candidates[top.map_or(0, |(at, _)| at)].clone());
                }
                self.surface = Some(surface);
                points
            }
            (surface, _) => {
                self.surface = surface;
                let mut points: Vec<Vec<f64>> = (1..BATCH).map(|_| self.draw.point(self.start.len())).collect();
                points.push(self.start.clone());
                points
            }
        };
        self.asked.clone()
    }

    fn tell(&mut self, results: &[f64], variance: f64) {
        for (point, &result) in self.asked.drain(..).zip(results) {
            self.evaluations.push(Evaluation { point, batch: self.batch, result, variance });
        }
        self.batch += 1;
        let surplus = self.evaluations.len().saturating_sub(MOST_LOOKS);
        self.evaluations.drain(..surplus);
        if let Some(surface) = Surface::fit(&self.evaluations) {
            self.best = self.top(&surface);
            self.surface = Some(surface);
        }
    }

    fn best(&self) -> Vec<f64> {
        self.best.clone()
    }
}
