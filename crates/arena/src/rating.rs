//! Ratings after Weng and Lin, "A Bayesian Approximation Method for Online
//! Ranking" (JMLR 12, 2011), algorithm 4: the Plackett-Luce model for matches
//! of several players with ties.
//!
//! A rating is a belief about a player's strength: a mean and how uncertain it
//! is. Every match moves the four beliefs by how much it surprised.

use ludus_games::{PerSeat, Seat};

/// The spread of a player's form around its strength.
pub(crate) const BETA: f64 = 25.0 / 6.0;

/// The most by which one match may shrink the variance.
const KAPPA: f64 = 0.0001;

/// What is believed of a player's strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    pub mean: f64,
    /// The standard deviation of the belief.
    pub deviation: f64,
}

impl Rating {
    /// What is believed of a player that nobody has seen play.
    pub const UNKNOWN: Rating = Rating { mean: 25.0, deviation: 25.0 / 3.0 };
}

/// The ratings after a match in which a higher score is better.
///
/// ```
/// use ludus_arena::{Rating, rate};
///
/// let after = rate([Rating::UNKNOWN; 4], [40, 10, 10, 5]);
/// assert!(after[0].mean > 25.0 && after[3].mean < 25.0);
/// assert_eq!(after[1], after[2]);
/// assert!(after.iter().all(|rating| rating.deviation < Rating::UNKNOWN.deviation));
/// ```
pub fn rate(ratings: PerSeat<Rating>, scores: PerSeat<i64>) -> PerSeat<Rating> {
    let variance: f64 = ratings.iter().map(|rating| rating.deviation * rating.deviation + BETA * BETA).sum();
    let c = variance.sqrt();
    // The exponential function of the machine differs from machine to machine.
    let strengths = ratings.map(|rating| libm::exp(rating.mean / c));
    let not_ahead_of =
        |q: Seat| -> f64 { Seat::ALL.into_iter().filter(|&s| scores[s] <= scores[q]).map(|s| strengths[s]).sum() };
    let sums = Seat::ALL.map(not_ahead_of);
    let level = Seat::ALL.map(|q| scores.iter().filter(|&&score| score == scores[q]).count() as f64);
    Seat::ALL.map(|i| {
        let (mut omega, mut delta) = (0.0, 0.0);
        for q in Seat::ALL.into_iter().filter(|&q| scores[q] >= scores[i]) {
            let chance = strengths[i] / sums[q];
            omega += (f64::from(u8::from(q == i)) - chance) / level[q];
            delta += chance * (1.0 - chance) / level[q];
        }
        let Rating { mean, deviation } = ratings[i];
        let variance = deviation * deviation;
        let gamma = deviation / c;
        let shrink = (1.0 - gamma * variance / (c * c) * delta).max(KAPPA);
        Rating { mean: mean + variance / c * omega, deviation: deviation * shrink.sqrt() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: PerSeat<(f64, f64)>, scores: PerSeat<i64>, expected: PerSeat<(f64, f64)>) {
        let after = rate(before.map(|(mean, deviation)| Rating { mean, deviation }), scores);
        for (rating, (mean, deviation)) in after.iter().zip(expected) {
            assert!((rating.mean - mean).abs() < 1e-9, "{scores:?}: {rating:?}");
            assert!((rating.deviation - deviation).abs() < 1e-9, "{scores:?}: {rating:?}");
        }
    }

    /// The numbers are those of the Python library openskill 6 with `tau=0`.
    #[test]
    fn matches_as_another_implementation_rates_them() {
        let unknown = [(25.0, 25.0 / 3.0); 4];
        let [low, middle, high] = [8.083731307186588, 8.179213704945203, 8.263160757613477];
        check(
            unknown,
            [4, 3, 2, 1],
            [
                (27.795084971874736, high),
                (26.552824984374855, middle),
                (24.68943500312503, low),
                (20.96265504062538, low),
            ],
        );
        check(
            unknown,
            [4, 3, 3, 1],
            [
                (27.795084971874736, high),
                (24.68943500312503, middle),
                (24.68943500312503, middle),
                (22.826045021875203, middle),
            ],
        );
        check(
            [(20.0, 3.0), (25.0, 2.0), (30.0, 4.0), (27.0, 1.0)],
            [1, 3, 2, 2],
            [
                (19.720815587366733, 2.9893324412395517),
                (25.31155684531828, 1.9986004840602343),
                (29.449303958068384, 3.9372820746329107),
                (26.98754978158374, 0.9997850409834137),
            ],
        );
    }

    #[test]
    fn four_level_players_stay_level() {
        let after = rate([Rating::UNKNOWN; 4], [7; 4]);
        assert!(after.iter().all(|rating| (rating.mean - 25.0).abs() < 1e-9));
        assert!(after.iter().all(|rating| rating.deviation < Rating::UNKNOWN.deviation));
    }

    #[test]
    fn seats_do_not_matter_and_scores_only_by_their_order() {
        let ratings = [20.0, 25.0, 30.0, 27.0].map(|mean| Rating { mean, deviation: 3.0 });
        let straight = rate(ratings, [10, 30, 20, 20]);
        let order = [2, 0, 3, 1];
        let turned = rate(order.map(|k| ratings[k]), order.map(|k| [1i64, 9, 2, 2][k]));
        for (k, &seat) in order.iter().enumerate() {
            assert!((turned[k].mean - straight[seat].mean).abs() < 1e-9);
            assert!((turned[k].deviation - straight[seat].deviation).abs() < 1e-9);
        }
    }

    /// Players of known strength are put in their order, with room between
    /// them that grows with the room between their strengths.
    #[test]
    fn strengths_are_found() {
        let mut generator = ludus_games::Generator::new(5);
        let strengths = [0, 20, 40, 80];
        let mut ratings = [Rating::UNKNOWN; 4];
        for _ in 0..3000 {
            let scores = strengths.map(|strength| i64::from(strength + generator.random(0, 99)));
            ratings = rate(ratings, scores);
        }
        assert!(ratings.windows(2).all(|pair| pair[0].mean + 1.0 < pair[1].mean), "{ratings:?}");
        assert!(ratings.iter().all(|rating| rating.deviation < 1.5), "{ratings:?}");
    }
}
