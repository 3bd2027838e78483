//! What workers say of matches, and whether it can be believed.

use anyhow::{Result, anyhow};
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
        both.into_iter().position(|(one, two)| matches!((one, two), (Said::Done(one), Said::Done(two)) if one != two))
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
    for (k, (order, one)) in orders.iter().zip(&said).enumerate() {
        match one {
            Said::Done(finished) => check::check(order, finished)?,
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
