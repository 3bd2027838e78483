//! Thousands of simulated comparisons: how often the sequential test is wrong,
//! and how long it takes.

use crate::shared::short_or_long;
use ludus_arena::{Answer, Comparison, Demands, PARTS};

/// Steele, Lea and Flood's generator: the next number is a mix of a counter.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + (self.next() % (high - low + 1) as u64) as i32
    }

    fn happens(&mut self, chance: f64) -> bool {
        self.unit() < chance
    }
}

/// Differences of a seed, in parts, of two versions of the same strength.
struct Family {
    name: &'static str,
    draw: fn(&mut SplitMix) -> i32,
}

const FAMILIES: [Family; 7] = [
    Family { name: "all or nothing", draw: |random| if random.happens(0.5) { PARTS } else { -PARTS } },
    Family { name: "evenly spread", draw: |random| random.between(-PARTS, PARTS) },
    Family { name: "mostly ties", draw: |random| if random.happens(0.05) { random.between(-6, 6) } else { 0 } },
    Family { name: "tiny variance", draw: |random| if random.happens(0.02) { random.between(-1, 1) } else { 0 } },
    Family { name: "rare disasters", draw: |random| if random.happens(1.0 / 25.0) { -PARTS } else { 1 } },
    Family { name: "rare triumphs", draw: |random| if random.happens(1.0 / 25.0) { PARTS } else { -1 } },
    Family { name: "seats that share a board", draw: seats_that_share_a_board },
];

/// Four seats whose differences have the board in common.
fn seats_that_share_a_board(random: &mut SplitMix) -> i32 {
    let board = random.between(-3, 3);
    (0..4).map(|_| (board + random.between(-3, 3)).clamp(-6, 6)).sum()
}

/// A draw of which the mean is larger by `shift`: every so often everything is won.
fn shifted(family: &Family, random: &mut SplitMix, shift: f64) -> i32 {
    let sign = if shift < 0.0 { -1 } else { 1 };
    if random.happens(shift.abs()) { sign * PARTS } else { (family.draw)(random) }
}

/// The same shift in small steps on most seeds, as far as the values allow.
fn nudged(family: &Family, random: &mut SplitMix, shift: f64) -> i32 {
    let parts = shift * f64::from(PARTS);
    let step = parts.floor() as i32 + i32::from(random.happens(parts - parts.floor()));
    ((family.draw)(random) + step).clamp(-PARTS, PARTS)
}

#[derive(Default)]
struct Rates {
    better: u32,
    worse: u32,
    no_difference: u32,
    undecided: u32,
    seeds: u64,
}

/// How many comparisons are simulated.
fn comparisons() -> u32 {
    short_or_long(100, 2000) as u32
}

const LONGEST: u64 = 20_000;

fn simulate(demands: Demands, seed: u64, mut draw: impl FnMut(&mut SplitMix) -> i32) -> Rates {
    let mut random = SplitMix(seed);
    let mut rates = Rates::default();
    for _ in 0..comparisons() {
        let mut comparison = Comparison::new(demands).unwrap();
        while comparison.answer().is_none() && comparison.seeds() < LONGEST {
            comparison.add(draw(&mut random));
        }
        rates.seeds += comparison.seeds();
        *match comparison.answer() {
            Some(Answer::Better) => &mut rates.better,
            Some(Answer::Worse) => &mut rates.worse,
            Some(Answer::NoDifference) => &mut rates.no_difference,
            None => &mut rates.undecided,
        } += 1;
    }
    rates
}

/// What a rate of at most `rate` may come to among the comparisons: three
/// standard deviations more.
fn most(rate: f64) -> u32 {
    let count = f64::from(comparisons());
    (rate * count + 3.0 * (rate * (1.0 - rate) * count).sqrt()) as u32
}

fn show(what: &str, demands: Demands, rates: &Rates) {
    let percent = |count: u32| 100.0 * f64::from(count) / f64::from(comparisons());
    println!(
        "{what:<42} alpha {:<4} beta {:<4} margin {:<4} | better {:>5.1} %  worse {:>5.1} %  no difference {:>5.1} %  undecided {:>4.1} % | {:>6.0} seeds on average",
        demands.alpha,
        demands.beta,
        demands.margin,
        percent(rates.better),
        percent(rates.worse),
        percent(rates.no_difference),
        percent(rates.undecided),
        rates.seeds as f64 / f64::from(comparisons())
    );
}

const USUAL: Demands = Demands { alpha: 0.05, beta: 0.05, margin: 0.05 };
const STRICT: Demands = Demands { alpha: 0.01, beta: 0.1, margin: 0.1 };

#[test]
fn versions_of_the_same_strength_are_seldom_told_apart() {
    for demands in [USUAL, STRICT] {
        for (k, family) in FAMILIES.iter().enumerate() {
            let rates = simulate(demands, 1000 + k as u64, |random| (family.draw)(random));
            show(&format!("same strength, {}", family.name), demands, &rates);
            let alarms = rates.better + rates.worse;
            assert!(alarms <= most(demands.alpha), "{}: {alarms} false alarms", family.name);
            assert_eq!(rates.undecided, 0, "{}", family.name);
        }
    }
}

#[test]
fn differences_of_the_margin_are_seldom_missed() {
    for demands in [USUAL, STRICT] {
        for (k, family) in FAMILIES.iter().enumerate() {
            for sign in [1.0, -1.0] {
                let shift = sign * demands.margin;
                let rates = simulate(demands, 2000 + k as u64, |random| shifted(family, random, shift));
                show(&format!("{shift:+} by rare wins, {}", family.name), demands, &rates);
                check_margin(family.name, demands, sign, &rates);
            }
        }
    }
}

#[test]
fn differences_of_the_margin_in_small_steps_are_seldom_missed() {
    // Only families that leave room for the steps have the mean that is said.
    for (k, family) in FAMILIES.iter().enumerate().filter(|(_, family)| {
        ["mostly ties", "tiny variance"].contains(&family.name) || family.name == "seats that share a board"
    }) {
        for demands in [USUAL, STRICT] {
            for sign in [1.0, -1.0] {
                let shift = sign * demands.margin;
                let rates = simulate(demands, 3000 + k as u64, |random| nudged(family, random, shift));
                show(&format!("{shift:+} in steps, {}", family.name), demands, &rates);
                check_margin(family.name, demands, sign, &rates);
            }
        }
    }
}

/// With a true difference of the margin, no more than beta may find none, and
/// the wrong direction is a false alarm of one side.
fn check_margin(name: &str, demands: Demands, sign: f64, rates: &Rates) {
    let wrong = if sign > 0.0 { rates.worse } else { rates.better };
    assert!(rates.no_difference <= most(demands.beta), "{name}: {} missed", rates.no_difference);
    assert!(wrong <= most(demands.alpha / 2.0), "{name}: {wrong} in the wrong direction");
    assert_eq!(rates.undecided, 0, "{name}");
}

/// The interval is right however the moment to look at it is chosen; here it
/// is looked at when the test stops, which is the worst moment.
#[test]
fn intervals_cover_the_truth_when_the_test_stops() {
    for (k, family) in FAMILIES.iter().enumerate() {
        let mut random = SplitMix(4000 + k as u64);
        let mut missed = 0;
        for _ in 0..comparisons() {
            let mut comparison = Comparison::new(USUAL).unwrap();
            while comparison.answer().is_none() && comparison.seeds() < LONGEST {
                comparison.add(shifted(family, &mut random, 0.02));
            }
            // Replacing a share of the draws leaves their mean, which is 0, in the rest.
            let (low, high) = comparison.interval();
            missed += u32::from(!(low <= 0.02 && 0.02 <= high));
        }
        println!("{:<42} {missed} of {} intervals of 95 % miss the truth", family.name, comparisons());
        assert!(missed <= most(USUAL.alpha), "{}: {missed}", family.name);
    }
}
