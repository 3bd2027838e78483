//! Means and shares, each with its 95 % interval.
//!
//! Matches on the same seed are not independent: the board is the same. So the
//! matches of a seed are a cluster, and intervals come from how much seeds
//! differ from each other. Everything that is summed up is an integer, so sums
//! are exact and do not depend on any order.

/// An estimate and where the truth lies with a confidence of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub value: f64,
    /// Both ends, unless there is too little to tell.
    pub interval: Option<(f64, f64)>,
}

impl Estimate {
    /// How far the farther end is away.
    pub fn margin(&self) -> Option<f64> {
        self.interval.map(|(low, high)| (self.value - low).max(high - self.value))
    }
}

/// The quantile of the normal distribution for intervals of 95 %.
const NORMAL: f64 = 1.959_963_984_540_054;

/// How alike two matches of a seed are believed to be before any was played, as
/// a correlation. Those of the games with their built-in players have less.
const ALIKE: f64 = 0.2;

/// That belief weighs as much as so many seeds.
const BELIEVED_SEEDS: u64 = 4;

/// Sums of a quantity over matches, seed by seed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Number and sum of the matches of the seed that is under way.
    open: (i128, i128),
    seeds: i128,
    count: i128,
    sum: i128,
    /// Over seeds: sums of count², sum² and count * sum.
    count_squared: i128,
    sum_squared: i128,
    count_times_sum: i128,
}

impl Sums {
    /// One match of the seed under way.
    pub fn add(&mut self, value: i64) {
        self.open.0 += 1;
        self.open.1 += i128::from(value);
    }

    /// The matches to come are of another seed.
    pub fn close_seed(&mut self) {
        let (count, sum) = std::mem::take(&mut self.open);
        if count == 0 {
            return;
        }
        self.seeds += 1;
        self.count += count;
        self.sum += sum;
        self.count_squared += count * count;
        // Scores that somebody made up in a file may be larger than any of a game.
        self.sum_squared = self.sum_squared.saturating_add(sum.saturating_mul(sum));
        self.count_times_sum = self.count_times_sum.saturating_add(count.saturating_mul(sum));
    }

    /// Matches so far.
    pub fn count(&self) -> u64 {
        (self.count + self.open.0) as u64
    }

    pub fn total(&self) -> i128 {
        self.sum + self.open.1
    }

    fn closed(&self) -> Sums {
        let mut closed = self.clone();
        closed.close_seed();
        closed
    }

    /// The mean over all matches, in units of which the summed integers have
    /// `scale`, with the t interval over seeds.
    pub fn mean(&self, scale: f64) -> Option<Estimate> {
        let all = self.closed();
        if all.count == 0 {
            return None;
        }
        let value = all.sum as f64 / all.count as f64;
        let interval = all.standard_error().map(|error| {
            let margin = student(all.seeds as u64 - 1) * error;
            ((value - margin) / scale, (value + margin) / scale)
        });
        Some(Estimate { value: value / scale, interval })
    }

    /// The mean of something between 0 and `scale`, with Wilson's interval. Its
    /// sample size is the number of independent matches that would say as much.
    pub fn share(&self, scale: f64) -> Option<Estimate> {
        let all = self.closed();
        if all.count == 0 {
            return None;
        }
        let value = all.sum as f64 / (all.count as f64 * scale);
        // Few seeds tell little of how alike their matches are, and the interval
        // must be wider for it, as Student's is.
        let unsure = NORMAL / student(BELIEVED_SEEDS + all.seeds as u64 - 1);
        let size = all.count as f64 / all.likeness(value, scale) * unsure * unsure;
        Some(Estimate { value, interval: Some(wilson(value, size)) })
    }

    /// How many matches of a seed say as much as one independent match: one if
    /// they have nothing in common, all if they are alike. It is what the seeds
    /// show, on top of what is believed before there are any; and what they show
    /// weighs no more than there are cases of the rarer kind, so that no case at
    /// all is not taken for certainty, nor for seeds that decide everything.
    fn likeness(&self, value: f64, scale: f64) -> f64 {
        let count = self.count as f64;
        // Matches on a seed, as an average match finds them.
        let together = self.count_squared as f64 / count;
        let believed = 1.0 + (together - 1.0) * ALIKE;
        let alone = value * (1.0 - value);
        let (seen, weight) = match self.standard_error() {
            Some(error) if alone > 0.0 => {
                let error = error / scale;
                let rarer = value.min(1.0 - value) * count;
                (error * error * count / alone, (self.seeds as f64 - 1.0).min(rarer))
            }
            _ => (0.0, 0.0),
        };
        let prior = BELIEVED_SEEDS as f64;
        ((prior * believed + weight * seen) / (prior + weight)).clamp(1.0, together.max(1.0))
    }

    /// The standard error of the mean as a ratio of sums over seeds; none for a
    /// single seed.
    fn standard_error(&self) -> Option<f64> {
        if self.seeds < 2 {
            return None;
        }
        let (seeds, count) = (self.seeds as f64, self.count as f64);
        let mean = self.sum as f64 / count;
        let residuals = self.sum_squared as f64 - 2.0 * mean * self.count_times_sum as f64
            + mean * mean * self.count_squared as f64;
        // A difference of large numbers can come out below nothing.
        Some((residuals.max(0.0) * seeds / (seeds - 1.0)).sqrt() / count)
    }
}

/// Wilson's interval for a share among `size` independent matches.
pub fn wilson(share: f64, size: f64) -> (f64, f64) {
    let z2 = NORMAL * NORMAL;
    let shrink = 1.0 + z2 / size;
    let centre = (share + z2 / (2.0 * size)) / shrink;
    let margin = NORMAL * (share * (1.0 - share) / size + z2 / (4.0 * size * size)).sqrt() / shrink;
    // At the ends of the scale the formula is exact but for rounding.
    let low = if share <= 0.0 { 0.0 } else { (centre - margin).max(0.0) };
    let high = if share >= 1.0 { 1.0 } else { (centre + margin).min(1.0) };
    (low, high)
}

/// The quantile of Student's distribution for intervals of 95 %.
pub fn student(freedom: u64) -> f64 {
    const FIRST: [f64; 11] = [
        f64::INFINITY,
        12.706_205,
        4.302_653,
        3.182_446,
        2.776_445,
        2.570_582,
        2.446_912,
        2.364_624,
        2.306_004,
        2.262_157,
        2.228_139,
    ];
    if let Some(&quantile) = FIRST.get(freedom as usize) {
        return quantile;
    }
    let (z, n) = (NORMAL, freedom as f64);
    let [z3, z5, z7] = [z * z * z, z * z * z * z * z, z * z * z * z * z * z * z];
    // The expansion of Cornish and Fisher; from eleven degrees on it is right to four digits.
    z + (z3 + z) / (4.0 * n)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n * n * n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64, within: f64) {
        assert!((value - expected).abs() <= within, "{value} is not {expected}");
    }

    #[test]
    fn quantiles_of_the_tables() {
        for (freedom, quantile) in
            [(1, 12.7062), (5, 2.5706), (6, 2.4469), (7, 2.3646), (11, 2.2010), (30, 2.0423), (1000, 1.9623)]
        {
            near(student(freedom), quantile, 2e-4);
        }
    }

    #[test]
    fn intervals_of_wilson() {
        let (low, high) = wilson(0.5, 100.0);
        near(low, 0.40383, 1e-5);
        near(high, 0.59617, 1e-5);
        let (low, high) = wilson(0.0, 10.0);
        near(low, 0.0, 0.0);
        near(high, 0.27753, 1e-5);
    }

    #[test]
    fn with_one_match_a_seed_the_textbook_interval() {
        let mut sums = Sums::default();
        for value in [3, 5, 8, 12, 2] {
            sums.add(value);
            sums.close_seed();
        }
        let mean = sums.mean(1.0).unwrap();
        assert_eq!(mean.value, 6.0);
        // The standard deviation is √16.5, and t with four degrees of freedom 2.776.
        near(mean.margin().unwrap(), 2.776_445 * (16.5f64 / 5.0).sqrt(), 1e-9);
    }

    #[test]
    fn matches_of_a_seed_that_are_all_alike_count_once() {
        let (mut once, mut often) = (Sums::default(), Sums::default());
        for value in [0, 1, 1, 0, 1, 0, 0, 1, 1, 1] {
            once.add(value);
            (0..24).for_each(|_| often.add(value));
            once.close_seed();
            often.close_seed();
        }
        near(once.mean(1.0).unwrap().margin().unwrap(), often.mean(1.0).unwrap().margin().unwrap(), 1e-9);
        assert_eq!(often.count(), 240);
        // The effective number is near that of the seeds, up to what was believed before.
        let (once, often) = (once.share(1.0).unwrap().margin().unwrap(), often.share(1.0).unwrap().margin().unwrap());
        assert!(often > 0.85 * once && often <= once, "{often} {once}");
    }

    #[test]
    fn nothing_is_claimed_from_too_little() {
        let mut sums = Sums::default();
        assert_eq!(sums.mean(1.0), None);
        assert_eq!(sums.share(1.0), None);
        sums.add(1);
        sums.add(1);
        assert_eq!(sums.mean(1.0), Some(Estimate { value: 1.0, interval: None }));
        let (low, high) = sums.share(1.0).unwrap().interval.unwrap();
        assert!((0.1..0.3).contains(&low), "{low}");
        near(high, 1.0, 0.0);
    }

    /// Nothing of 400 says more than nothing of 40, and about as much as one of 400.
    #[test]
    fn the_edge_is_like_what_is_beside_it() {
        let margin = |seeds: u64, on_each: u64, cases: u64| {
            let mut sums = Sums::default();
            for number in 0..seeds * on_each {
                sums.add(i64::from(number < cases));
                if (number + 1).is_multiple_of(on_each) {
                    sums.close_seed();
                }
            }
            sums.share(1.0).unwrap().margin().unwrap()
        };
        near(margin(100, 4, 0), 0.0156, 1e-3);
        near(margin(10, 40, 0), 0.0939, 1e-3);
        for (seeds, on_each) in [(100, 4), (10, 40), (25, 16), (400, 1), (2, 200)] {
            let [none, one, two] = [0, 1, 2].map(|cases| margin(seeds, on_each, cases));
            assert!(none <= 1.25 * one && one <= 1.6 * none && one <= 1.2 * two, "{seeds}: {none} {one} {two}");
            assert!(margin(4 * seeds, on_each, 0) < 0.4 * none, "{seeds}");
            assert!((margin(seeds, on_each, seeds * on_each) - none).abs() < 1e-9, "both ends are alike");
        }
    }

    /// Draws of clustered outcomes: the interval must cover the truth about as
    /// often as it says.
    #[test]
    fn intervals_cover_the_truth() {
        let mut generator = ludus_games::Generator::new(2026);
        let (mut means, mut shares) = (0, 0);
        const RUNS: u32 = 2000;
        for _ in 0..RUNS {
            let (mut mean, mut share) = (Sums::default(), Sums::default());
            for _ in 0..40 {
                let board = generator.random(0, 60);
                for _ in 0..4 {
                    mean.add(i64::from(board + generator.random(0, 40)));
                    share.add(i64::from(generator.random(0, 99) < 10 + board));
                }
                mean.close_seed();
                share.close_seed();
            }
            let covers = |estimate: Estimate, truth: f64| {
                estimate.interval.is_some_and(|(low, high)| low <= truth && truth <= high)
            };
            means += u32::from(covers(mean.mean(1.0).unwrap(), 50.0));
            shares += u32::from(covers(share.share(1.0).unwrap(), 0.40));
        }
        println!("of {RUNS} intervals of 95 %, {means} covered the mean and {shares} the share");
        // Two thousand draws at 95 % scatter by 10; four times that is allowed.
        for covered in [means, shares] {
            assert!((1860..=1960).contains(&covered), "{covered} of {RUNS}");
        }
    }
}
