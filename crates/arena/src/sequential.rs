//! Is one version of a player better than another? A test that may be looked
//! at after every seed and stops as soon as the answer is known.
//!
//! The outcome of a seed is one number between -1 and 1: by how much the new
//! version did better than the old one on the same board, in the same seats,
//! against the same rivals. The test is a game of betting against claims about
//! the mean of these numbers (Waudby-Smith and Ramdas, "Estimating means of
//! bounded random variables by betting", JRSS-B 86, 2024). Against the claim
//! "the mean is at most m" a gambler with capital 1 stakes a share `f` of it
//! before every seed, and after the seed the capital is multiplied by
//! `1 + f * (d - m) / (1 + m)`, which is never negative. If the claim is true,
//! that is on average no gain, whatever has happened before; so, by Ville's
//! inequality, the chance that the capital ever reaches `1/a` is at most `a`.
//! A claim against which somebody becomes that rich is rejected.
//!
//! Nothing is assumed about how the outcomes are distributed but that they are
//! between -1 and 1 and that seeds are independent of each other. The best
//! share to stake depends on what nobody knows, so several gamblers with fixed
//! shares divide the first capital among them; their total is what counts.

/// An outcome of a seed is counted in parts of which this many are 1: four
/// seats, in each of which a version beats three rivals or is level with them.
pub const PARTS: i32 = 24;

/// The shares that the gamblers stake.
const STAKES: [f64; 8] = [1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015_625, 0.007_812_5];

/// How sure the answer must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demands {
    /// The most often that versions of the same strength may be told apart.
    pub alpha: f64,
    /// The most often that a difference of at least the margin may be missed.
    pub beta: f64,
    /// The least difference that matters.
    pub margin: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Better,
    Worse,
    /// The difference is less than the margin.
    NoDifference,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DemandsError {
    #[error("{0} must be more than 0 and less than 0.5, found {1}")]
    Rate(&'static str, f64),
    #[error("the margin must be at least 0.001 and less than 1, found {0}")]
    Margin(f64),
}

/// A comparison of two versions, seed by seed.
///
/// ```
/// use ludus_arena::{Answer, Comparison, Demands};
///
/// let mut comparison = Comparison::new(Demands { alpha: 0.05, beta: 0.05, margin: 0.05 })?;
/// // On every seed the new version beats one rival more in one of the four seats.
/// while comparison.answer().is_none() {
///     comparison.add(2);
/// }
/// assert_eq!(comparison.answer(), Some(Answer::Better));
/// assert!(comparison.seeds() < 100);
/// # Ok::<(), ludus_arena::DemandsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Comparison {
    demands: Demands,
    /// An outcome of 1 in parts.
    parts: i32,
    /// How often each outcome has come.
    counts: Vec<u64>,
    against_not_better: Gamblers,
    against_not_worse: Gamblers,
    against_margin_better: Gamblers,
    against_margin_worse: Gamblers,
    answer: Option<Answer>,
}

/// How near each answer is, from 0 to 1, where it is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    pub better: f64,
    pub worse: f64,
    pub no_difference: f64,
}

impl Comparison {
    pub fn new(demands: Demands) -> Result<Comparison, DemandsError> {
        Comparison::on_boards(demands, 1)
    }

    /// A comparison in which every seed is played on so many boards; its outcome
    /// is the mean over them, and has that many more parts.
    pub fn on_boards(demands: Demands, boards: u16) -> Result<Comparison, DemandsError> {
        let Demands { alpha, beta, margin } = demands;
        for (name, rate) in [("alpha", alpha), ("beta", beta)] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(DemandsError::Rate(name, rate));
            }
        }
        if !(0.001..1.0).contains(&margin) {
            return Err(DemandsError::Margin(margin));
        }
        let parts = PARTS * i32::from(boards.max(1));
        Ok(Comparison {
            demands,
            parts,
            counts: vec![0; values(parts)],
            // A false alarm can be in two directions, each of which gets half of alpha.
            against_not_better: Gamblers::new(parts, Bet::Above, 0.0, alpha / 2.0),
            against_not_worse: Gamblers::new(parts, Bet::Below, 0.0, alpha / 2.0),
            // Only one of these two claims can be true.
            against_margin_better: Gamblers::new(parts, Bet::Below, margin, beta),
            against_margin_worse: Gamblers::new(parts, Bet::Above, -margin, beta),
            answer: None,
        })
    }

    /// The outcome of one more seed, in parts.
    ///
    /// # Panics
    /// If it is not between `-PARTS` and `PARTS`, times the boards.
    pub fn add(&mut self, parts: i32) {
        let value = (parts + self.parts) as usize;
        self.counts[value] += 1;
        let better = self.against_not_better.play(value);
        let worse = self.against_not_worse.play(value);
        let below = self.against_margin_better.play(value);
        let above = self.against_margin_worse.play(value);
        if self.answer.is_none() {
            self.answer = match (better, worse, below && above) {
                (true, ..) => Some(Answer::Better),
                (_, true, _) => Some(Answer::Worse),
                (.., true) => Some(Answer::NoDifference),
                _ => None,
            };
        }
    }

    /// The answer, once it is known; it never changes then.
    pub fn answer(&self) -> Option<Answer> {
        self.answer
    }

    pub fn demands(&self) -> Demands {
        self.demands
    }

    pub fn seeds(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean difference so far.
    pub fn difference(&self) -> f64 {
        let of = |(value, &count): (usize, &u64)| outcome(self.parts, value) * count as f64;
        self.counts.iter().enumerate().map(of).sum::<f64>() / self.seeds().max(1) as f64
    }

    /// How often each outcome has come, from the worst to the best.
    pub fn outcomes(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        self.counts.iter().enumerate().map(|(value, &count)| (outcome(self.parts, value), count))
    }

    pub fn evidence(&self) -> Evidence {
        Evidence {
            better: self.against_not_better.progress(),
            worse: self.against_not_worse.progress(),
            no_difference: self.against_margin_better.progress().min(self.against_margin_worse.progress()),
        }
    }

    /// The answer that comes first if it goes on like this, and after how many
    /// seeds in all; none while nothing points anywhere.
    pub fn expected(&self) -> Option<(Answer, u64)> {
        let seeds = self.seeds();
        let needed = |gamblers: &Gamblers| gamblers.seeds_needed(seeds);
        let both = needed(&self.against_margin_better).zip(needed(&self.against_margin_worse));
        let answers = [
            (Answer::Better, needed(&self.against_not_better)),
            (Answer::Worse, needed(&self.against_not_worse)),
            (Answer::NoDifference, both.map(|(one, other)| one.max(other))),
        ];
        let known = answers.into_iter().filter_map(|(answer, seeds)| Some((answer, seeds?)));
        known.min_by_key(|&(_, seeds)| seeds).map(|(answer, total)| (answer, total.max(seeds)))
    }

    /// Where the true difference lies with a confidence of `1 - alpha`, however
    /// the moment to ask was chosen: all the means against which nobody has
    /// become rich enough to reject them.
    pub fn interval(&self) -> (f64, f64) {
        let limit = libm::log(2.0 / self.demands.alpha);
        let rejected = |bet: Bet, mean: f64| log_capital(self.parts, &self.counts, bet, mean) >= limit;
        // Rejection is monotone in the mean, so halving finds where it ends.
        let mut low = (-1.0, 1.0);
        let mut high = (-1.0, 1.0);
        for _ in 0..40 {
            let middle = (low.0 + low.1) / 2.0;
            *(if rejected(Bet::Above, middle) { &mut low.0 } else { &mut low.1 }) = middle;
            let middle = (high.0 + high.1) / 2.0;
            *(if rejected(Bet::Below, middle) { &mut high.1 } else { &mut high.0 }) = middle;
        }
        (low.0, high.1)
    }
}

/// On which side of the claimed mean the gamblers expect the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bet {
    Above,
    Below,
}

/// How many outcomes there are.
fn values(parts: i32) -> usize {
    2 * parts as usize + 1
}

/// The outcome that is counted at an index.
fn outcome(parts: i32, value: usize) -> f64 {
    (value as f64 - f64::from(parts)) / f64::from(parts)
}

/// The logarithm of what an outcome makes of a gambler's capital.
fn log_factor(bet: Bet, mean: f64, stake: f64, outcome: f64) -> f64 {
    let gain = match bet {
        Bet::Above => (outcome - mean) / (1.0 + mean),
        Bet::Below => (mean - outcome) / (1.0 - mean),
    };
    // Who stakes everything and loses it all has nothing left; rounding must not make that less.
    libm::log((1.0 + stake * gain).max(0.0))
}

/// The total capital of all gamblers after outcomes that came this often.
fn log_capital(parts: i32, counts: &[u64], bet: Bet, mean: f64) -> f64 {
    let came = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    log_mean(&STAKES.map(|stake| {
        let of = |(value, &count): (usize, &u64)| count as f64 * log_factor(bet, mean, stake, outcome(parts, value));
        came.clone().map(of).sum::<f64>()
    }))
}

/// The logarithm of the mean of numbers whose logarithms are given.
fn log_mean(logs: &[f64; STAKES.len()]) -> f64 {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return largest;
    }
    let sum: f64 = logs.iter().map(|log| libm::exp(log - largest)).sum();
    largest + libm::log(sum / STAKES.len() as f64)
}

/// Gamblers who bet against one claim, each with a fixed stake.
#[derive(Clone, Debug)]
struct Gamblers {
    /// What each outcome does to each gambler's capital; logarithms, as below.
    factors: Box<[[f64; STAKES.len()]]>,
    capitals: [f64; STAKES.len()],
    /// The total at which the claim is rejected.
    goal: f64,
    rejected: bool,
}

impl Gamblers {
    fn new(parts: i32, bet: Bet, mean: f64, rate: f64) -> Gamblers {
        let factors = |value| STAKES.map(|stake| log_factor(bet, mean, stake, outcome(parts, value)));
        Gamblers {
            factors: (0..values(parts)).map(factors).collect(),
            capitals: [0.0; STAKES.len()],
            goal: libm::log(1.0 / rate),
            rejected: false,
        }
    }

    /// The part of the way to the goal, from 0 to 1.
    fn progress(&self) -> f64 {
        if self.rejected { 1.0 } else { (log_mean(&self.capitals) / self.goal).clamp(0.0, 1.0) }
    }

    /// After how many seeds in all the goal is reached if the best gambler goes
    /// on as in these.
    fn seeds_needed(&self, seeds: u64) -> Option<u64> {
        if self.rejected {
            return Some(seeds);
        }
        let best = self.capitals.iter().copied().fold(f64::NEG_INFINITY, f64::max) / seeds.max(1) as f64;
        // One of several gamblers must make what all of them together need.
        let goal = self.goal + libm::log(STAKES.len() as f64);
        (best > 0.0).then(|| (goal / best).ceil() as u64)
    }

    /// One more outcome; whether the claim has been rejected, now or before.
    fn play(&mut self, value: usize) -> bool {
        let factors = self.factors[value];
        for (capital, factor) in self.capitals.iter_mut().zip(factors) {
            *capital += factor;
        }
        // The mean is never more than the largest, which is quick to see.
        self.rejected |=
            self.capitals.iter().any(|&capital| capital >= self.goal) && log_mean(&self.capitals) >= self.goal;
        self.rejected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEMANDS: Demands = Demands { alpha: 0.05, beta: 0.05, margin: 0.05 };

    fn play(mut outcomes: impl FnMut(u64) -> i32) -> Comparison {
        let mut comparison = Comparison::new(DEMANDS).unwrap();
        while comparison.answer().is_none() && comparison.seeds() < 100_000 {
            comparison.add(outcomes(comparison.seeds()));
        }
        comparison
    }

    #[test]
    fn the_same_player_twice_is_no_difference() {
        let comparison = play(|_| 0);
        assert_eq!(comparison.answer(), Some(Answer::NoDifference));
        assert!(comparison.seeds() < 120, "{}", comparison.seeds());
        let (low, high) = comparison.interval();
        assert!(low < 0.0 && 0.0 < high && comparison.difference() == 0.0);
    }

    #[test]
    fn a_clear_difference_is_found_in_a_few_seeds() {
        for (parts, answer) in [(12, Answer::Better), (-12, Answer::Worse)] {
            let comparison = play(|_| parts);
            assert_eq!(comparison.answer(), Some(answer));
            assert!(comparison.seeds() < 20, "{}", comparison.seeds());
            let (low, high) = comparison.interval();
            assert!(low < comparison.difference() && comparison.difference() < high);
            assert!(if parts > 0 { low > 0.0 } else { high < 0.0 }, "{low} {high}");
        }
    }

    #[test]
    fn better_and_worse_are_mirror_images() {
        let noise = |seed: u64| (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 59) as i32 % 23 - 5;
        let (plus, minus) = (play(noise), play(|seed| -noise(seed)));
        assert_eq!((plus.answer(), minus.answer()), (Some(Answer::Better), Some(Answer::Worse)));
        assert_eq!(plus.seeds(), minus.seeds());
        let ((low, high), (other_low, other_high)) = (plus.interval(), minus.interval());
        assert!((low + other_high).abs() < 1e-9 && (high + other_low).abs() < 1e-9);
    }

    #[test]
    fn the_interval_agrees_with_the_answer() {
        for shift in -3..=3 {
            let comparison = play(|seed| shift + (seed.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 60) as i32 - 7);
            let (low, high) = comparison.interval();
            match comparison.answer().unwrap() {
                Answer::Better => assert!(low > -1e-9),
                Answer::Worse => assert!(high < 1e-9),
                Answer::NoDifference => assert!(low < 0.0 && high > 0.0),
            }
        }
    }

    #[test]
    fn evidence_grows_to_the_answer_and_the_end_is_foreseen() {
        let mut comparison = Comparison::new(DEMANDS).unwrap();
        assert_eq!(comparison.expected(), None);
        (0..20).for_each(|seed| comparison.add(3 + seed % 3));
        let foreseen = comparison.expected().unwrap();
        let early = comparison.evidence();
        while comparison.answer().is_none() {
            comparison.add(3 + (comparison.seeds() % 3) as i32);
        }
        assert_eq!(foreseen.0, Answer::Better);
        assert!(
            foreseen.1.abs_diff(comparison.seeds()) <= comparison.seeds() / 4,
            "{foreseen:?} {}",
            comparison.seeds()
        );
        assert!(0.0 < early.better && early.better < 1.0 && early.worse == 0.0, "{early:?}");
        assert_eq!(comparison.evidence().better, 1.0);
    }

    #[test]
    fn several_boards_are_one_outcome() {
        let mut one = Comparison::new(DEMANDS).unwrap();
        let mut three = Comparison::on_boards(DEMANDS, 3).unwrap();
        for parts in [3, -2, 24, -24, 0, 7] {
            one.add(parts);
            three.add(3 * parts);
        }
        assert_eq!((one.seeds(), one.interval()), (three.seeds(), three.interval()));
        assert!((one.difference() - three.difference()).abs() < 1e-12);
        three.add(1);
        assert_eq!(three.outcomes().filter(|(_, count)| *count > 0).count(), 7);
    }

    #[test]
    fn demands_that_make_no_sense() {
        let new = |alpha, beta, margin| Comparison::new(Demands { alpha, beta, margin }).map(|_| ());
        assert_eq!(new(0.0, 0.05, 0.05), Err(DemandsError::Rate("alpha", 0.0)));
        assert_eq!(new(0.05, 0.5, 0.05), Err(DemandsError::Rate("beta", 0.5)));
        assert!(new(0.05, f64::NAN, 0.05).is_err());
        assert_eq!(new(0.05, 0.05, 1.0), Err(DemandsError::Margin(1.0)));
        assert!(new(0.05, 0.05, f64::NAN).is_err());
        assert_eq!(new(0.49, 0.001, 0.001), Ok(()));
    }
}
