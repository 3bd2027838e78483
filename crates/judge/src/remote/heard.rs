//! What workers say of matches, and whether it can be believed.

use anyhow::{Result, anyhow};
use ludus_arena::replay::PackedConfig;
use ludus_arena::season::Hash;

use super::check::{self, Lie};
use super::letters::Said;
use crate::ids::{AccountId, WorkerId};
use crate::patience::TooSlow;
use crate::playroom::{Finished, Order};

/// What a worker says of some matches.
pub struct Heard {
    pub worker: WorkerId,
    pub account: AccountId,
    pub said: Vec<Said<Finished>>,
}

impl Heard {
    /// Without what comes after a difference, which only one has told.
    pub fn up_to(mut self, at: usize) -> Heard {
        self.said.truncate(at + 1);
        self
    }

    /// Matches that were played to their end.
    pub fn done(&self) -> usize {
        self.said.iter().filter(|one| matches!(one, Said::Done(_))).count()
    }

    /// Without what the machine could not do after others: it is asked for again.
    pub fn without_trouble(mut self) -> Heard {
        if self.said.len() > 1 {
            self.said.pop_if(|last| matches!(last, Said::Trouble(_) | Said::Missing(_)));
        }
        self
    }

    /// The first match of which two say different things. One that ran past its
    /// time or took too long for one of them says nothing about the other.
    pub fn first_difference(&self, other: &Heard) -> Option<usize> {
        let both = self.said.iter().zip(&other.said);
        let is_done = |one: &Said<Finished>| matches!(one, Said::Done(_));
        both.into_iter().position(|(one, two)| is_done(one) && is_done(two) && !say_the_same(one, two))
    }

    pub fn results(self) -> Vec<Result<Finished>> {
        let of = |said| match said {
            Said::Done(finished) => Ok(finished),
            Said::Overran(overran) => Err(overran.into()),
            Said::TooSlow => Err(TooSlow.into()),
            Said::Missing(hash) => Err(anyhow!("the module {hash} is missing")),
            Said::Trouble(text) => Err(anyhow!("{text}")),
        };
        self.said.into_iter().map(of).collect()
    }
}

/// Whether two workers say the same of a match.
pub fn say_the_same(one: &Said<Finished>, two: &Said<Finished>) -> bool {
    match (one, two) {
        (Said::Done(one), Said::Done(two)) => one.agrees_with(two),
        _ => one == two,
    }
}

/// What was played from a match on: the hash of each replay, and what was ordered.
pub fn told<'a>(orders: &'a [Order], said: &[Said<Finished>], from: usize) -> Vec<(String, &'a Order)> {
    let done = orders.iter().zip(said).skip(from).filter_map(|(order, one)| match one {
        Said::Done(finished) => Some((Hash::of(&finished.replay).to_string(), order)),
        _ => None,
    });
    done.collect()
}

/// Whether all that was said of some matches can be believed.
pub fn checked(orders: &[Order], said: Vec<Said<Finished>>) -> Result<Vec<Said<Finished>>, Lie> {
    // Most matches are on the config of the one before.
    let mut packed = PackedConfig::new(b"");
    for (k, (order, one)) in orders.iter().zip(&said).enumerate() {
        if packed.text() != order.config.as_bytes() {
            packed = PackedConfig::new(order.config.as_bytes());
        }
        match one {
            Said::Done(finished) => check::check(order, &packed, finished)?,
            // Only the last of them was not played.
            _ if k + 1 < said.len() => return Err(Lie::Rubbish),
            Said::TooSlow if order.patience.is_none() => return Err(Lie::Rubbish),
            Said::Overran(overran) if order.seats[overran.seat].module.is_none() => return Err(Lie::Rubbish),
            Said::Missing(hash) if !order.seats.iter().any(|seat| seat.module == Some(*hash)) => {
                return Err(Lie::Rubbish);
            }
            _ => {}
        }
    }
    if said.is_empty() { Err(Lie::Rubbish) } else { Ok(said) }
}

/// Whether the rules lead to all that a volunteer says.
pub fn follow_the_rules(said: Vec<Said<Finished>>) -> Result<Vec<Said<Finished>>, Lie> {
    for one in &said {
        if let Said::Done(finished) = one {
            check::follows_the_rules(finished)?;
        }
    }
    Ok(said)
}

#[cfg(test)]
mod tests {
    use ludus_games::Seat;

    use super::*;
    use crate::matches::SeatFault;

    #[test]
    fn who_does_not_know_the_lines_of_a_player_tells_no_lie() {
        let seat = Seat::ALL[2];
        let mut dead = Finished { replay: vec![1], ..Finished::default() };
        dead.seats[seat].fault = Some((7, SeatFault::OutOfCpu));
        dead.seats[seat].output = b"died in round 7\n  AIMarta.cc:11 in Marta::play()\n".to_vec();
        let done = |finished: &Finished| Said::Done(finished.clone());
        let differs = |change: &dyn Fn(&mut Finished)| {
            let mut other = dead.clone();
            change(&mut other);
            let heard = |said| Heard {
                worker: WorkerId(1),
                account: AccountId(1),
                said: vec![done(&Finished::default()), said],
            };
            heard(done(&dead)).first_difference(&heard(done(&other)))
        };
        assert_eq!(differs(&|other| other.seats[seat].output = b"died in round 7\n".to_vec()), None);
        assert_eq!(differs(&|other| other.seats[Seat::ALL[0]].output = b"believe me".to_vec()), Some(1));
        assert_eq!(differs(&|other| other.seats[seat].fault = Some((8, SeatFault::OutOfCpu))), Some(1));
        assert_eq!(differs(&|other| other.seats[seat].score = 1), Some(1));
        assert_eq!(differs(&|other| other.replay = vec![2]), Some(1));
        assert!(!say_the_same(&done(&dead), &Said::TooSlow) && say_the_same(&Said::TooSlow, &Said::TooSlow));
    }
}
