//! More matches never tell less: for 2 to 40 players and up to 20,000 matches
//! the seeds grow, and the intervals of simulated results shrink and hold what
//! they promise.
//!
//! A longer schedule begins with the shorter (`schedule.rs` tests it), so one
//! run of 20,000 matches shows what every number of matches up to it would.

use ludus_arena::{Estimate, Fixture, Played, Schedule, Seatings, Tally};
use ludus_games::{Generator, Seat};

use crate::shared::short_or_long;

const MATCHES: u64 = 20_000;

/// Fewer players than seats are filled up, so that they play as four.
fn contestants(players: usize) -> usize {
    players.max(Seat::COUNT)
}

#[test]
fn more_matches_are_more_seeds() {
    for players in 2..=40 {
        let seeds_of = |matches| {
            let schedule = Schedule::with_matches(contestants(players), matches, Seatings::Square, 1).unwrap();
            assert!(schedule.len() >= matches && schedule.len() < matches + schedule.on_a_seed());
            (schedule.seeds().1, schedule.on_a_seed())
        };
        let mut before = 0;
        // Seeds change where a seed is full; at its ends they are looked at one by one.
        let step = seeds_of(1).1;
        for matches in (1..=MATCHES).filter(|matches| matches % step <= 1 || matches % 97 == 0) {
            let (seeds, _) = seeds_of(matches);
            assert!(seeds >= before, "{players} players: {seeds} seeds for {matches} matches, {before} for fewer");
            assert!(seeds as u64 >= matches.div_ceil(step), "{players} players, {matches} matches: {seeds} seeds");
            before = seeds;
        }
    }
}

/// What decides a simulated match: how strong contestants are, what each of
/// them makes of a board, the seat, and luck up to 99.
struct World {
    /// The most that a board gives to a contestant.
    boards: i32,
    /// By how much each contestant is stronger than the one before.
    spread: i64,
}

impl World {
    fn play(&self, run: u64, fixture: &Fixture, luck: &mut Generator) -> Played {
        let strengths = fixture.seats.map(|contestant| self.spread * contestant as i64);
        let all: i64 = strengths.iter().sum();
        let scores = Seat::ALL.map(|seat| {
            let key = [run as i32, fixture.seed, fixture.seats[seat] as i32];
            let mixed = key.iter().fold(17i32, |mixed, &part| (mixed ^ part).wrapping_mul(0x0100_0193).rotate_left(9));
            let mut draws = Generator::new(mixed);
            // A sum, since two flat draws are no fair test of an interval of Student's.
            let board: i32 = (0..3).map(|_| draws.random(0, self.boards / 3)).sum();
            // Strong rivals take points away.
            strengths[seat] - (all - strengths[seat]) / 3 + i64::from(board + luck.random(0, 99)) + seat.index() as i64
        });
        Played { scores, cpu: [0; 4], faults: [const { None }; 4] }
    }

    /// The score that a contestant has on average, over all rivals, boards and seats.
    fn score(&self, contestant: usize, contestants: usize) -> f64 {
        let strength = |k: usize| (self.spread * k as i64) as f64;
        let others: f64 = (0..contestants).filter(|&k| k != contestant).map(strength).sum();
        strength(contestant) - others / (contestants as f64 - 1.0) + f64::from(self.boards) / 2.0 + 49.5 + 1.5
    }
}

/// How often intervals held the truth, and how wide they were.
#[derive(Default, Clone, Copy)]
struct Looks {
    held: u64,
    of: u64,
    width: f64,
}

impl Looks {
    fn add(&mut self, estimate: Estimate, truth: f64) {
        if let Some((low, high)) = estimate.interval {
            self.held += u64::from(low <= truth && truth <= high);
            self.of += 1;
            self.width += high - low;
        }
    }
}

/// Seeds after which it is looked at.
const SEEDS: [u64; 7] = [2, 4, 8, 16, 32, 64, 128];

const MEASURES: [&str; 4] = ["score", "rank", "wins", "duels"];

/// Plays for all numbers of players, and looks at everybody.
fn look(world: &World, deep: usize) -> [[Looks; SEEDS.len()]; MEASURES.len()] {
    let mut looks = [[Looks::default(); SEEDS.len()]; MEASURES.len()];
    for run in 0..short_or_long(1, 40) as u64 {
        for players in 2..=40 {
            let count = contestants(players);
            let schedule = Schedule::with_matches(count, MATCHES, Seatings::Square, 1).unwrap();
            let mut luck = Generator::new((run * 1000 + players as u64) as i32);
            let mut tally = Tally::new(count);
            let mut left = SEEDS[..deep].iter().enumerate().peekable();
            for fixture in schedule.fixtures(0..schedule.len()) {
                let Some(&(at, &seeds)) = left.peek() else { break };
                if fixture.seed as u64 == seeds + 1 {
                    (0..count).for_each(|k| measure(world, &tally, k, count, &mut looks, at));
                    left.next();
                }
                tally.add(&fixture, &world.play(run * 64 + players as u64, &fixture, &mut luck));
            }
        }
    }
    looks
}

fn measure(world: &World, tally: &Tally, k: usize, count: usize, looks: &mut [[Looks; SEEDS.len()]; 4], at: usize) {
    let standing = tally.standing(k);
    looks[0][at].add(standing.score, world.score(k, count));
    // Who is ahead is known beforehand only where nobody is stronger.
    if world.spread == 0 {
        looks[1][at].add(standing.rank, 2.5);
        looks[2][at].add(standing.wins, 0.25);
        // In large fields two meet too seldom to be looked at after few seeds.
        if let Some(share) = (k > 0 && count <= 8).then(|| tally.head_to_head(k - 1, k)).flatten() {
            looks[3][at].add(share, 0.5);
        }
    }
}

/// Intervals shrink from look to look, and hold the truth as often as they say.
fn check(what: &str, looks: &[Looks]) {
    let mut before = f64::INFINITY;
    for (&seeds, look) in SEEDS.iter().zip(looks) {
        let (held, width) = (look.held as f64 / look.of as f64, look.width / look.of as f64);
        println!("{what}: {seeds} seeds: {:.1} % held, width {width:.4}, of {}", 100.0 * held, look.of);
        assert!(look.of > 20, "{what}: {seeds} seeds were not looked at");
        assert!(width < before, "{what}: {seeds} seeds tell less than fewer");
        // Some dozens of duels scatter more than hundreds of players, and those of one
        // run more than those of forty.
        let least = if look.of < 500 { 0.8 } else { short_or_long(91, 93) as f64 / 100.0 };
        assert!(held > least, "{what}: {seeds} seeds hold the truth in {:.1} %", 100.0 * held);
        before = width;
    }
}

#[test]
fn intervals_shrink_and_hold_the_truth() {
    let deep = short_or_long(5, SEEDS.len());
    for (boards, spread) in [(0, 0), (60, 0), (150, 0), (60, 3)] {
        let looks = look(&World { boards, spread }, deep);
        let known = if spread == 0 { MEASURES.len() } else { 1 };
        for (name, looks) in MEASURES.iter().zip(&looks).take(known) {
            check(&format!("{name}, boards {boards}, spread {spread}"), &looks[..deep]);
        }
    }
}
