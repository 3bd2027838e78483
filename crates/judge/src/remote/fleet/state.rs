//! Who is there and what each has, as the judge knows it at a moment.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use tokio::sync::oneshot;

use super::{MOST_STALE, Needs, SILENCE};
use crate::clock::steady;
use crate::ids::WorkerId;
use crate::remote::check::Lie;
use crate::remote::enrolment::{self, Enrolled};
use crate::remote::letters::{Card, PART};

#[derive(Default)]
pub struct State {
    pub enrolled: HashMap<WorkerId, Enrolled>,
    pub present: BTreeMap<WorkerId, Present>,
    pub under_way: HashMap<String, UnderWay>,
    pub stale: HashMap<String, WorkerId>,
    pub stale_by_age: VecDeque<String>,
}

/// A worker that says that it is there.
pub struct Present {
    pub card: Card,
    pub heard: Duration,
    pub since: Duration,
    /// Orders that it has from this judge.
    pub orders: u32,
    pub rests_until: Duration,
    /// What is to be noted in the database.
    pub matches: i64,
    pub checked: i64,
    pub disagreed: i64,
}

impl Present {
    /// One more order than it works on for every two, so that it never waits.
    pub fn room(&self) -> u32 {
        (self.card.cores + self.card.cores.div_ceil(2)).saturating_sub(self.orders)
    }
}

pub struct UnderWay {
    pub worker: WorkerId,
    pub boot: String,
    /// When it was sent, or last among those that the worker says it has.
    pub known: Duration,
    /// Where the broker keeps it.
    pub sequence: Option<u64>,
    pub most: usize,
    pub parts: Vec<Option<Vec<u8>>>,
    pub done: oneshot::Sender<Option<Vec<u8>>>,
}

impl State {
    /// Those who are there and may get something.
    pub fn serving(&self) -> impl Iterator<Item = (WorkerId, &Present)> {
        let now = steady();
        self.present.iter().map(|(id, present)| (*id, present)).filter(move |(id, present)| {
            self.enrolled.contains_key(id) && !present.card.drains && present.heard + SILENCE > now
        })
    }

    pub fn fits(&self, id: WorkerId, present: &Present, needs: &Needs) -> bool {
        let Some(enrolled) = self.enrolled.get(&id) else { return false };
        let compiles = enrolled.scope == enrolment::Scope::Compile && present.card.compiles;
        let known = !enrolled.scope.is_trusted() && needs.not_of.contains(&enrolled.account);
        (compiles || !needs.compiles)
            && (enrolled.scope.is_trusted() || !needs.trusted)
            && !known
            && !needs.not.contains(&id)
    }

    /// Who has most room, for its size.
    pub fn freest(&self, needs: &Needs) -> Option<WorkerId> {
        let now = steady();
        let able = self
            .serving()
            .filter(|(id, present)| self.fits(*id, present, needs) && present.room() > 0 && present.rests_until <= now);
        let load = |present: &Present| u64::from(present.orders) * 1000 / u64::from(present.card.cores.max(1));
        able.min_by_key(|(_, present)| load(present)).map(|(id, _)| id)
    }

    pub fn orders_of(&self, worker: WorkerId, which: impl Fn(&UnderWay) -> bool) -> Vec<String> {
        let of_it = self.under_way.iter().filter(|(_, one)| one.worker == worker && which(one));
        of_it.map(|(order, _)| order.clone()).collect()
    }

    /// An order is no longer under way.
    pub fn end(&mut self, order: &str) -> Option<UnderWay> {
        let one = self.under_way.remove(order)?;
        if let Some(present) = self.present.get_mut(&one.worker) {
            present.orders = present.orders.saturating_sub(1);
        }
        Some(one)
    }

    pub fn remember(&mut self, order: &str, worker: WorkerId) {
        self.stale.insert(order.to_owned(), worker);
        self.stale_by_age.push_back(order.to_owned());
        if self.stale_by_age.len() > MOST_STALE
            && let Some(oldest) = self.stale_by_age.pop_front()
        {
            self.stale.remove(&oldest);
        }
    }

    /// Puts a part of an answer to the others, and hands them on when all are there.
    pub fn take_part(&mut self, worker: WorkerId, order: &str, payload: &[u8]) -> Result<(), Lie> {
        let Some(one) = self.under_way.get_mut(order).filter(|one| one.worker == worker) else {
            // It may have been taken away from this worker a moment ago.
            let was_its = self.stale.get(order) == Some(&worker);
            return if was_its { Ok(()) } else { Err(Lie::NotItsOrder) };
        };
        let (head, bytes) = payload.split_first_chunk::<8>().ok_or(Lie::Rubbish)?;
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]) as usize;
        let (part, parts) = (number(0), number(4));
        if parts.saturating_mul(PART) > one.most.saturating_add(PART) || bytes.len() > PART {
            return Err(Lie::TooLarge);
        }
        one.parts.resize(parts.max(one.parts.len()), None);
        if part >= parts || one.parts.len() != parts {
            return Err(Lie::Rubbish);
        }
        one.parts[part] = Some(bytes.to_vec());
        if one.parts.iter().all(Option::is_some)
            && let Some(one) = self.end(order)
        {
            self.remember(order, worker);
            let whole = one.parts.into_iter().flatten().flatten().collect();
            // Whoever does not wait any more has no use for it.
            let _ = one.done.send(Some(whole));
        }
        Ok(())
    }
}
