//! How players decide, as a second witness where two sources are alike.
//!
//! A match is played by players that come with the game; in every seat another one
//! is asked too what it would do, and what it says is noted and not done. So any two
//! players can be asked on the same states, however they would have played them.
//! That two decide alike proves nothing by itself: both may do what is best. Told is
//! how much more alike they are than those who have nothing to do with each other.

use ludus_games::{Orders, PerSeat, Seat};

use crate::driver::{Match, Observer};
use crate::player::{Fault, Player, Turn};
use crate::players::Players;
use crate::program::Program;

/// Orders of a round that are noted; the rules take no more of anybody.
const MOST_ORDERS: usize = 1000;

/// A player that is asked, and another that plays.
struct Shadow {
    asked: Box<dyn Player>,
    plays: Box<dyn Player>,
    is_frozen: bool,
    orders: Orders,
    noted: Vec<u8>,
}

/// A player that plays as one does, and notes what another one would have done: it
/// writes that as its output, for [`Decisions`] to read.
pub fn shadow(asked: Box<dyn Player>, plays: Box<dyn Player>) -> Box<dyn Player> {
    Box::new(Shadow { asked, plays, is_frozen: false, orders: Orders::new(), noted: Vec::new() })
}

impl Player for Shadow {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        self.orders.clear();
        if !self.is_frozen && self.asked.play(turn, &mut self.orders).is_err() {
            self.is_frozen = true;
            self.orders.clear();
        }
        let mut round: Vec<u32> = self.orders.iter().take(MOST_ORDERS).map(number).collect();
        round.sort_unstable();
        self.noted.extend_from_slice(&(round.len() as u16).to_le_bytes());
        self.noted.extend(round.iter().flat_map(|order| order.to_le_bytes()));
        self.plays.play(turn, orders)
    }

    fn program(&self) -> Program {
        self.plays.program()
    }

    fn take_output(&mut self, output: &mut Vec<u8>) {
        // What the one that is asked writes is for its author.
        self.asked.take_output(&mut Vec::new());
        output.append(&mut self.noted);
    }
}

/// A number for an order, the same for the same one.
fn number(order: &[i32]) -> u32 {
    let bytes = order.iter().flat_map(|word| word.to_le_bytes());
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// What was noted in the four seats of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noted(pub PerSeat<Vec<u8>>);

impl<E> Observer<Players, E> for Noted {
    fn round(&mut self, played: &mut Match) -> Result<(), E> {
        for seat in Seat::ALL {
            played.take_output(seat, &mut self.0[seat]);
        }
        Ok(())
    }
}

/// What a player would have ordered, by round, in as many seats and matches as it
/// was asked in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions(Vec<Vec<u32>>);

impl Decisions {
    /// Adds what was noted in a match. False if it is nothing of that kind.
    pub fn add(&mut self, noted: &Noted) -> bool {
        noted.0.iter().all(|seat| self.add_seat(seat))
    }

    fn add_seat(&mut self, mut noted: &[u8]) -> bool {
        while !noted.is_empty() {
            let Some((count, rest)) = noted.split_first_chunk::<2>() else { return false };
            let Some((orders, rest)) = rest.split_at_checked(4 * usize::from(u16::from_le_bytes(*count))) else {
                return false;
            };
            self.0.push(orders.as_chunks::<4>().0.iter().map(|order| u32::from_le_bytes(*order)).collect());
            noted = rest;
        }
        true
    }

    /// How many orders there are.
    pub fn count(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// The share of equal orders, of all that one of the two gives; nothing if none
    /// gives any.
    pub fn agreement(&self, other: &Decisions) -> Option<f64> {
        let common: usize = self.0.iter().zip(&other.0).map(|(a, b)| in_both(a, b)).sum();
        let all = self.count() + other.count();
        (all > 0).then(|| 2.0 * common as f64 / all as f64)
    }
}

/// How many orders are in two lists that are sorted.
fn in_both(a: &[u32], b: &[u32]) -> usize {
    let (mut at, mut bt, mut count) = (0, 0, 0);
    while at < a.len() && bt < b.len() {
        match a[at].cmp(&b[bt]) {
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => bt += 1,
            std::cmp::Ordering::Equal => (at, bt, count) = (at + 1, bt + 1, count + 1),
        }
    }
    count
}

/// How alike two players decide, beside those who have nothing to do with them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Behaviour {
    /// The share of equal orders.
    pub agreement: f64,
    /// The share of each of the two with each of the others: on average, and at most.
    pub usual: Option<f64>,
    pub most: Option<f64>,
    /// Orders of both that were looked at.
    pub orders: usize,
}

impl Behaviour {
    /// Compares two players, with others as the measure. Nothing if neither of the
    /// two does anything.
    pub fn of(a: &Decisions, b: &Decisions, others: &[Decisions]) -> Option<Behaviour> {
        let agreement = a.agreement(b)?;
        let unrelated: Vec<f64> =
            others.iter().flat_map(|other| [a.agreement(other), b.agreement(other)]).flatten().collect();
        let mean = unrelated.iter().sum::<f64>() / unrelated.len().max(1) as f64;
        Some(Behaviour {
            agreement,
            usual: (!unrelated.is_empty()).then_some(mean),
            most: unrelated.iter().copied().reduce(f64::max),
            orders: a.count() + b.count(),
        })
    }

    /// What is left of the agreement when the usual one is taken away: 0 for those
    /// who are as alike as anybody, 1 for those who always do the same.
    pub fn beyond(&self) -> Option<f64> {
        let usual = self.usual?;
        Some(if usual >= 1.0 { 0.0 } else { ((self.agreement - usual) / (1.0 - usual)).max(0.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entrant, builtin};

    /// What a player of the game decides while four Demo play.
    fn decisions(name: &str) -> Decisions {
        let game = ludus_games::find("ants").unwrap();
        let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
        let named = |name: &str, seat| builtin(game.about().player(name).unwrap(), 3, seat);
        let entrants = Seat::ALL
            .map(|seat| Entrant { name: "x".to_owned(), player: shadow(named(name, seat), named("Demo", seat)) });
        let mut played = Match::new(&*config, 3, entrants).unwrap();
        let mut noted = Noted::default();
        played.run::<ludus_games::game::Stuck>(&mut [&mut noted]).unwrap();
        let mut decisions = Decisions::default();
        assert!(decisions.add(&noted) && played.outcome().seats.iter().all(|seat| seat.fault.is_none()));
        decisions
    }

    #[test]
    fn who_decides_alike_is_told_from_others() {
        let [demo, again, dummy, null] = ["Demo", "Demo", "Dummy", "Null"].map(decisions);
        assert_eq!(demo.agreement(&again), Some(1.0));
        let apart = demo.agreement(&dummy).unwrap();
        assert!(apart < 0.6, "{apart}");
        assert_eq!(null.agreement(&null), None);
        let alike = Behaviour::of(&demo, &again, std::slice::from_ref(&dummy)).unwrap();
        assert_eq!(alike.beyond(), Some(1.0));
        let unrelated = Behaviour::of(&demo, &dummy, &[again]).unwrap();
        assert_eq!(unrelated.beyond(), Some(0.0), "{unrelated:?}");
        assert_eq!(Behaviour::of(&demo, &dummy, &[]).unwrap().beyond(), None);
    }

    #[test]
    fn what_is_no_note_is_told() {
        let mut decisions = Decisions::default();
        assert!(!decisions.add(&Noted([vec![1], Vec::new(), Vec::new(), Vec::new()])));
        assert!(!decisions.add(&Noted([vec![2, 0, 1], Vec::new(), Vec::new(), Vec::new()])));
    }

    #[test]
    fn an_order_counts_as_often_as_it_is_given() {
        assert_eq!(in_both(&[1, 1, 2, 5], &[1, 2, 2, 5]), 3);
    }
}
