//! The ladder: which four of many rated players meet next.
//!
//! Whoever is known least asks for a match, against those whose results tell most:
//! uncertain ones, close ones. Chance has a part in it, so that not the same four
//! meet all the time, and nobody meets two players of one author: a crowd of one's
//! own could be told to lose. Seats go to whoever has sat there least.

use ludus_games::{Generator, PerSeat, Seat};

use crate::rating::{BETA, Rating, rate};

/// A player on the ladder.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    pub rating: Rating,
    /// Whose player it is; none for one that comes with the game, which meets
    /// others and asks for nothing itself.
    pub author: Option<i64>,
    /// Matches in each seat.
    pub seats: PerSeat<u32>,
}

impl Contender {
    /// A rating is known when the deviation is at most this.
    pub const KNOWN: f64 = 1.5;
    /// Or after so many matches: who always wins is never known any better.
    pub const MOST_MATCHES: u32 = 400;

    /// One that nobody has seen play.
    pub fn new(author: Option<i64>) -> Contender {
        Contender { rating: Rating::UNKNOWN, author, seats: [0; Seat::COUNT] }
    }

    pub fn matches(&self) -> u32 {
        self.seats.iter().sum()
    }

    /// Whether there is something left to learn about it.
    pub fn is_unknown(&self) -> bool {
        self.author.is_some() && self.rating.deviation > Contender::KNOWN && self.matches() < Contender::MOST_MATCHES
    }
}

/// The next matches, at most so many: who sits where, by the places in the field.
/// None if nothing is left to learn, or nobody is there to learn it from.
///
/// ```
/// use ludus_arena::ladder::{Contender, plan};
/// use ludus_games::Generator;
///
/// let field: Vec<_> = (0..9).map(|author| Contender::new(Some(author))).collect();
/// let matches = plan(&field, 3, &mut Generator::new(7));
/// assert_eq!(matches.len(), 3);
/// ```
pub fn plan(field: &[Contender], most: usize, chance: &mut Generator) -> Vec<PerSeat<usize>> {
    let mut expected = field.to_vec();
    let mut planned = Vec::new();
    while planned.len() < most
        && let Some(seats) = next(&expected, chance)
    {
        foresee(&mut expected, seats);
        planned.push(seats);
    }
    planned
}

/// What is believed once a match is planned: its result is open, but it will tell
/// something about everybody in it.
fn foresee(field: &mut [Contender], seats: PerSeat<usize>) {
    let after = rate(seats.map(|place| field[place].rating), [0; Seat::COUNT]);
    for seat in Seat::ALL {
        let contender = &mut field[seats[seat]];
        contender.rating.deviation = after[seat].deviation;
        contender.seats[seat] += 1;
    }
}

fn next(field: &[Contender], chance: &mut Generator) -> Option<PerSeat<usize>> {
    let asks = seeker(field)?;
    let mut rivals: Vec<(usize, f64)> = (0..field.len())
        .filter(|&place| place != asks)
        .map(|place| (place, worth(&field[asks], &field[place]) * f64::from(chance.random(50, 149))))
        .collect();
    rivals.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
    let mut group = vec![asks];
    for (place, _) in rivals {
        let author = field[place].author;
        if group.len() < Seat::COUNT && (author.is_none() || group.iter().all(|&one| field[one].author != author)) {
            group.push(place);
        }
    }
    Some(seated(field, group.try_into().ok()?, chance))
}

/// Who is known least.
fn seeker(field: &[Contender]) -> Option<usize> {
    let unknown = (0..field.len()).filter(|&place| field[place].is_unknown());
    unknown.min_by(|&a, &b| {
        let (one, other) = (&field[a], &field[b]);
        other
            .rating
            .deviation
            .total_cmp(&one.rating.deviation)
            .then(one.matches().cmp(&other.matches()))
            .then(a.cmp(&b))
    })
}

/// How much a match between two tells: what is not known of them, as far as their
/// ratings leave open who is ahead.
fn worth(one: &Contender, other: &Contender) -> f64 {
    let variance = one.rating.deviation * one.rating.deviation + other.rating.deviation * other.rating.deviation;
    let spread = (variance + 2.0 * BETA * BETA).sqrt();
    // The exponential function of the machine differs from machine to machine.
    let ahead = 1.0 / (1.0 + libm::exp((other.rating.mean - one.rating.mean) / spread));
    variance * ahead * (1.0 - ahead)
}

/// The seats in which these four have sat least; chance decides among equals.
fn seated(field: &[Contender], group: PerSeat<usize>, chance: &mut Generator) -> PerSeat<usize> {
    let mut best = (u32::MAX, group);
    let mut order = Vec::new();
    // Every order has the same chance to come first, and later ones must be better.
    chance.permutation(ORDERS.len(), &mut order);
    for &at in &order {
        let seats = ORDERS[at as usize].map(|k| group[k]);
        let sat = Seat::ALL.into_iter().map(|seat| field[seats[seat]].seats[seat]).sum();
        if sat < best.0 {
            best = (sat, seats);
        }
    }
    best.1
}

/// All ways to sit.
const ORDERS: [PerSeat<usize>; 24] = {
    let mut orders = [[0; Seat::COUNT]; 24];
    let mut at = 0;
    while at < 24 {
        let mut left = [0, 1, 2, 3];
        let (mut rest, mut seat) = (at, 0);
        while seat < Seat::COUNT {
            let choices = Seat::COUNT - seat;
            let chosen = rest % choices;
            rest /= choices;
            orders[at][seat] = left[chosen];
            left[chosen] = left[choices - 1];
            seat += 1;
        }
        at += 1;
    }
    orders
};

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(author: i64, mean: f64, deviation: f64) -> Contender {
        Contender { rating: Rating { mean, deviation }, ..Contender::new(Some(author)) }
    }

    /// Plays until nothing is left to learn: strength and luck decide.
    fn climb(field: &mut [Contender], strengths: &[i32]) -> usize {
        let mut chance = Generator::new(11);
        for played in 0.. {
            let Some(&seats) = plan(field, 1, &mut chance).first() else { return played };
            let scores = seats.map(|place| i64::from(strengths[place] + chance.random(0, 99)));
            let after = rate(seats.map(|place| field[place].rating), scores);
            for seat in Seat::ALL {
                field[seats[seat]].rating = after[seat];
                field[seats[seat]].seats[seat] += 1;
            }
        }
        unreachable!("the numbers do not end")
    }

    #[test]
    fn orders_are_all_there_are() {
        let mut orders = ORDERS.to_vec();
        orders.sort_unstable();
        orders.dedup();
        assert_eq!(orders.len(), 24);
        assert!(orders.iter().all(|order| order.iter().sum::<usize>() == 6 && order.iter().max() == Some(&3)));
    }

    #[test]
    fn who_is_known_least_asks_and_meets_those_who_are_close_and_uncertain() {
        let mut field: Vec<_> = (0..8).map(|k| rated(k, 25.0, 1.0)).collect();
        field.push(rated(8, 25.0, 7.0));
        field.push(rated(9, 26.0, 6.0));
        field.extend((10..20).map(|k| rated(k, 90.0, 1.0)));
        let mut chance = Generator::new(3);
        let mut with_the_other = 0;
        for _ in 0..50 {
            let seats = plan(&field, 1, &mut chance)[0];
            assert!(seats.contains(&8), "{seats:?}");
            assert!(seats.iter().all(|&place| place < 10), "{seats:?} are far away");
            with_the_other += i32::from(seats.contains(&9));
        }
        assert!(with_the_other > 40, "{with_the_other} of 50");
    }

    #[test]
    fn nobody_meets_two_players_of_one_author() {
        // Nine players of three authors, and the players of the game.
        let mut field: Vec<_> = (0..9).map(|k| Contender::new(Some(k % 3))).collect();
        assert_eq!(plan(&field, 5, &mut Generator::new(1)), Vec::<PerSeat<usize>>::new(), "there is no fourth author");
        field.extend([Contender::new(None), Contender::new(None), Contender::new(None)]);
        let matches = plan(&field, 200, &mut Generator::new(1));
        assert_eq!(matches.len(), 200);
        for seats in matches {
            let mut authors: Vec<_> = seats.iter().filter_map(|&place| field[place].author).collect();
            authors.sort_unstable();
            let count = authors.len();
            authors.dedup();
            assert_eq!(authors.len(), count, "{seats:?}");
            let mut places = seats.to_vec();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), 4, "{seats:?}");
        }
        // Who is alone meets the players of the game, which ask for nothing.
        assert_eq!(plan(&field[8..], 9, &mut Generator::new(1)).len(), 9);
        assert!(plan(&field[9..], 9, &mut Generator::new(1)).is_empty());
    }

    #[test]
    fn it_ends_with_the_right_order_and_everybody_in_every_seat() {
        let strengths: Vec<i32> = (0..12).map(|k| 12 * k).collect();
        let mut field: Vec<_> = (0..12).map(|k| Contender::new(Some(k))).collect();
        let played = climb(&mut field, &strengths);
        assert!((300..12 * 400).contains(&played), "{played}");
        assert!(field.iter().all(|contender| !contender.is_unknown()));
        for (k, contender) in field.iter().enumerate() {
            let (least, most) = (contender.seats.iter().min().unwrap(), contender.seats.iter().max().unwrap());
            assert!(most - least <= 3, "{k}: {:?}", contender.seats);
        }
        let wrong = (0..12).flat_map(|a| (0..a).map(move |b| (a, b)));
        let wrong = wrong.filter(|&(a, b)| field[a].rating.mean < field[b].rating.mean).count();
        assert!(wrong <= 3, "{wrong} of 66 pairs are in the wrong order");

        // A newcomer wakes it, and the others have little to do with it.
        field.push(Contender::new(Some(99)));
        let strengths: Vec<i32> = strengths.into_iter().chain([70]).collect();
        let more = climb(&mut field, &strengths);
        assert!((20..=400).contains(&more), "{more}");
        assert_eq!(climb(&mut field, &strengths), 0);
    }

    #[test]
    fn who_always_wins_does_not_keep_it_going() {
        let mut field: Vec<_> = (0..5).map(|k| Contender::new(Some(k))).collect();
        climb(&mut field, &[0, 0, 0, 0, 1000]);
        assert!(field[4].matches() <= Contender::MOST_MATCHES);
    }
}
