//! What is believed of a landscape after some looks at it: a Gaussian process.
//!
//! Places near each other are believed to be about as good. Looks of one batch
//! share their boards, which lifts or lowers all of them together; that is part
//! of the belief, so that batches can be compared.

use super::Draw;

/// How good a point was.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    pub point: Vec<f64>,
    pub batch: u64,
    pub result: f64,
    /// How much such a result varies by itself.
    pub variance: f64,
}

/// Over how long a way along each side things change, of which the likeliest is
/// taken, and how high the landscape is, in the spread of the results.
const LENGTHS: [f64; 4] = [0.15, 0.3, 0.6, 1.2];
const HEIGHTS: [f64; 4] = [0.02, 0.05, 0.1, 0.2];

/// How much the boards of a batch lift it, beside the luck of its matches.
const BATCH: f64 = 0.5;

pub struct Surface {
    points: Vec<(Vec<f64>, u64)>,
    mean: f64,
    length: f64,
    height: f64,
    /// The lower triangle of the decomposed covariance, row by row.
    factor: Vec<Vec<f64>>,
    weights: Vec<f64>,
}

impl Surface {
    /// The likeliest surface behind these looks; none if there are none.
    pub fn fit(evaluations: &[Evaluation]) -> Option<Surface> {
        let fitted = LENGTHS.iter().flat_map(|&length| HEIGHTS.iter().map(move |&height| (length, height)));
        let mut best: Option<(f64, Surface)> = None;
        for (length, height) in fitted {
            let Some((likelihood, surface)) = Surface::with(evaluations, length, height) else { continue };
            if best.as_ref().is_none_or(|(least, _)| likelihood > *least) {
                best = Some((likelihood, surface));
            }
        }
        best.map(|(_, surface)| surface)
    }

    fn with(evaluations: &[Evaluation], length: f64, height: f64) -> Option<(f64, Surface)> {
        let count = evaluations.len();
        if count == 0 {
            return None;
        }
        let mean = evaluations.iter().map(|one| one.result).sum::<f64>() / count as f64;
        let covariance = |row: usize, column: usize| {
            let (one, other) = (&evaluations[row], &evaluations[column]);
            let batch = if one.batch == other.batch { BATCH * one.variance } else { 0.0 };
            let own = if row == column { one.variance + 1e-9 } else { 0.0 };
            height * height * likeness(&one.point, &other.point, length) + batch + own
        };
        let factor = decomposed(count, covariance)?;
        let off: Vec<f64> = evaluations.iter().map(|one| one.result - mean).collect();
        let half = forward(&factor, &off);
        let likelihood = -0.5 * half.iter().map(|value| value * value).sum::<f64>()
            - factor.iter().map(|row| libm::log(row[row.len() - 1])).sum::<f64>();
        let weights = backward(&factor, &half);
        let points = evaluations.iter().map(|one| (one.point.clone(), one.batch)).collect();
        Some((likelihood, Surface { points, mean, length, height, factor, weights }))
    }

    /// How good a point is believed to be.
    pub fn mean_at(&self, point: &[f64]) -> f64 {
        let like = self.like(point);
        self.mean + like.iter().zip(&self.weights).map(|(like, weight)| like * weight).sum::<f64>()
    }

    /// The same with its standard deviation.
    pub fn at(&self, point: &[f64]) -> (f64, f64) {
        let like = self.like(point);
        let mean = self.mean + like.iter().zip(&self.weights).map(|(like, weight)| like * weight).sum::<f64>();
        let half = forward(&self.factor, &like);
        let variance = self.height * self.height - half.iter().map(|value| value * value).sum::<f64>();
        (mean, variance.max(0.0).sqrt())
    }

    /// One landscape out of all that are possible, at these points.
    pub(super) fn draw(&self, points: &[Vec<f64>], draw: &mut Draw) -> Vec<f64> {
        let halves: Vec<Vec<f64>> = points.iter().map(|point| forward(&self.factor, &self.like(point))).collect();
        let covariance = |row: usize, column: usize| {
            let known: f64 = halves[row].iter().zip(&halves[column]).map(|(one, other)| one * other).sum();
            let room = if row == column { 1e-8 } else { 0.0 };
            self.height * self.height * likeness(&points[row], &points[column], self.length) - known + room
        };
        let means = points.iter().map(|point| self.mean_at(point));
        let Some(factor) = decomposed(points.len(), covariance) else { return means.collect() };
        let chances: Vec<f64> = points.iter().map(|_| draw.normal()).collect();
        let drawn = |row: &Vec<f64>| row.iter().zip(&chances).map(|(part, chance)| part * chance).sum::<f64>();
        means.zip(&factor).map(|(mean, row)| mean + drawn(row)).collect()
    }

    fn like(&self, point: &[f64]) -> Vec<f64> {
        let height = self.height * self.height;
        self.points.iter().map(|(other, _)| height * likeness(point, other, self.length)).collect()
    }
}

/// How alike two points are, from 0 to 1.
fn likeness(one: &[f64], other: &[f64], length: f64) -> f64 {
    let distance: f64 = one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum();
    libm::exp(-distance / (2.0 * length * length))
}

/// The decomposition of Cholesky, row by row; none if rounding has spoilt it.
fn decomposed(count: usize, covariance: impl Fn(usize, usize) -> f64) -> Option<Vec<Vec<f64>>> {
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(count);
    for row in 0..count {
        let mut own: Vec<f64> = Vec::with_capacity(row + 1);
        for column in 0..=row {
            let above: &[f64] = if column == row { &own } else { &rows[column] };
            let known: f64 = own[..column].iter().zip(above).map(|(one, other)| one * other).sum();
            let rest = covariance(row, column) - known;
            if column == row {
                if rest <= 0.0 || !rest.is_finite() {
                    return None;
                }
                own.push(rest.sqrt());
            } else {
                own.push(rest / rows[column][column]);
            }
        }
        rows.push(own);
    }
    Some(rows)
}

fn forward(factor: &[Vec<f64>], values: &[f64]) -> Vec<f64> {
    let mut solved: Vec<f64> = Vec::with_capacity(values.len());
    for (row, value) in factor.iter().zip(values) {
        let known: f64 = row.iter().zip(&solved).map(|(part, solved)| part * solved).sum();
        solved.push((value - known) / row[row.len() - 1]);
    }
    solved
}

fn backward(factor: &[Vec<f64>], values: &[f64]) -> Vec<f64> {
    let mut solved = values.to_vec();
    for row in (0..factor.len()).rev() {
        solved[row] /= factor[row][row];
        for column in 0..row {
            solved[column] -= factor[row][column] * solved[row];
        }
    }
    solved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved() {
        let matrix = [[4.0, 2.0, 0.5], [2.0, 5.0, 1.0], [0.5, 1.0, 3.0]];
        let factor = decomposed(3, |row, column| matrix[row][column]).unwrap();
        let solved = backward(&factor, &forward(&factor, &[1.0, 2.0, 3.0]));
        for (row, value) in matrix.iter().zip([1.0, 2.0, 3.0]) {
            let sum: f64 = row.iter().zip(&solved).map(|(one, other)| one * other).sum();
            assert!((sum - value).abs() < 1e-12);
        }
        assert!(decomposed(2, |_, _| 1.0).is_none(), "a matrix without an inverse");
    }

    #[test]
    fn a_hill_is_found_behind_noise_and_lifted_batches() {
        let mut draw = Draw::new(5);
        let hill = |point: &[f64]| 0.5 - (point[0] - 0.7) * (point[0] - 0.7) - 0.3 * (point[1] - 0.2).abs();
        let evaluations: Vec<Evaluation> = (0..160)
            .map(|k| {
                let point = draw.point(2);
                let result = hill(&point) + 0.05 * draw.normal() + if k / 4 % 2 == 0 { 0.02 } else { -0.02 };
                Evaluation { point, batch: k / 4, result, variance: 0.0025 }
            })
            .collect();
        let surface = Surface::fit(&evaluations).unwrap();
        for point in [[0.7, 0.2], [0.2, 0.8], [0.5, 0.5]] {
            let (mean, deviation) = surface.at(&point);
            assert!((mean - hill(&point)).abs() < 0.1 && deviation < 0.06, "{point:?}: {mean} {deviation}");
        }
        assert!(surface.mean_at(&[0.7, 0.2]) > surface.mean_at(&[0.1, 0.9]) + 0.2);
    }
}
