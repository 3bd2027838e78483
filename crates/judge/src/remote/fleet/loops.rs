//! What goes on as long as there is a fleet: hearing who is there, taking in
//! results, looking after those who fall silent.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use async_nats::Message;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy};
use futures_util::StreamExt as _;

use super::state::Present;
use super::{Fleet, LONGEST_KEPT, MODULES_KEPT, SILENCE, UNKNOWN};
use crate::clock::steady;
use crate::ids::WorkerId;
use crate::log;
use crate::remote::check::Lie;
use crate::remote::enrolment::{self, Enrolled, Seen};
use crate::remote::letters::{Card, LONGEST_CARD, Notice, PART};
use crate::remote::names;

/// What goes on as long as there is a fleet.
#[derive(Clone, Copy)]
pub enum Loop {
    Presence,
    Results,
    Care,
}

impl Fleet {
    pub async fn run(&self, task: Loop) {
        loop {
            let done = match task {
                Loop::Presence => self.listen().await,
                Loop::Results => self.collect().await,
                Loop::Care => self.care().await,
            };
            if let Err(error) = done {
                log::error(&format!("the fleet: {error:#}"));
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    async fn listen(&self) -> Result<()> {
        let mut cards = self.0.client.subscribe(names::ALL_HERE).await?;
        while let Some(message) = cards.next().await {
            if let Some(worker) = names::of_here(&message.subject) {
                self.heard(worker, &message).await;
            }
        }
        Ok(())
    }

    async fn heard(&self, worker: WorkerId, message: &Message) {
        let enrolled = self.state().enrolled.contains_key(&worker);
        if !enrolled {
            return self.tell(worker, &Notice::Refused("it is suspended, or its token is revoked".to_owned())).await;
        }
        let card = serde_json::from_slice::<Card>(&message.payload).ok();
        let Some(card) = card.filter(|_| message.payload.len() <= LONGEST_CARD) else {
            return self.lied(worker, &Lie::Rubbish).await;
        };
        if card.version != env!("CARGO_PKG_VERSION") || card.engine != self.0.engine {
            self.state().present.remove(&worker);
            let ours = env!("CARGO_PKG_VERSION");
            let why = format!("it has version {} and other rules, this judge has {ours}: upgrade it", card.version);
            return self.tell(worker, &Notice::Refused(why)).await;
        }
        if self.is_new(worker, &card) {
            // It has to find its own place at the broker before it is given anything.
            match self.make_consumer(worker).await {
                Ok(()) => log::note(&format!("worker {worker} is there with {} cores", card.cores)),
                Err(error) => return log::error(&format!("worker {worker} cannot be let in: {error:#}")),
            }
        }
        self.seat(worker, card);
        self.tell(worker, &Notice::Welcome).await;
    }

    fn is_new(&self, worker: WorkerId, card: &Card) -> bool {
        self.state().present.get(&worker).is_none_or(|present| present.card.boot != card.boot)
    }

    /// Notes who is there, and takes away what it does not know of.
    fn seat(&self, worker: WorkerId, mut card: Card) {
        card.cores = card.cores.clamp(1, 1024);
        let now = steady();
        let lost = {
            let mut state = self.state();
            for (order, one) in &mut state.under_way {
                if one.worker == worker && card.busy.contains(order) {
                    one.known = now;
                }
            }
            let (boot, busy) = (card.boot.clone(), card.busy.len());
            let present = state.present.entry(worker).or_insert_with(|| Present {
                card: Card::default(),
                heard: now,
                since: now,
                orders: 0,
                rests_until: Duration::ZERO,
                matches: 0,
                checked: 0,
                disagreed: 0,
            });
            (present.card, present.heard) = (card, now);
            // What waits at the broker for its turn is not known to it either.
            let has_room = busy < present.card.cores as usize;
            state.orders_of(worker, |one| one.boot != boot || has_room && now > one.known + UNKNOWN)
        };
        lost.iter().for_each(|order| self.take_away(order));
        self.changed();
    }

    async fn make_consumer(&self, worker: WorkerId) -> Result<()> {
        let config = pull::Config {
            durable_name: Some(names::consumer_of(worker)),
            filter_subject: names::work_for(worker),
            ack_policy: AckPolicy::Explicit,
            ack_wait: Duration::from_secs(30),
            max_ack_pending: 4096,
            ..pull::Config::default()
        };
        let stream = self.0.broker.get_stream_no_info(names::WORK).await.map_err(|error| anyhow!("{error}"))?;
        stream.create_consumer(config).await.map_err(|error| anyhow!("{error}"))?;
        Ok(())
    }

    /// Makes the streams if they are not there.
    async fn make_streams(&self) -> Result<()> {
        let of = |name: &str| Config {
            name: name.to_owned(),
            subjects: vec![names::kept_by(name)],
            max_message_size: (PART + (64 << 10)) as i32,
            num_replicas: self.0.replicas,
            ..Config::default()
        };
        let queue = |name: &str| Config {
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::Old,
            max_age: LONGEST_KEPT,
            max_bytes: 2 << 30,
            ..of(name)
        };
        let modules = Config {
            discard: DiscardPolicy::Old,
            max_bytes: 4 << 30,
            max_messages_per_subject: 1,
            max_age: MODULES_KEPT,
            allow_direct: true,
            ..of(names::MODULES)
        };
        // An order may be a source and a config, in one piece.
        let work = Config { max_message_size: 4 << 20, ..queue(names::WORK) };
        for config in [work, queue(names::RESULTS), modules] {
            let name = config.name.clone();
            let made = self.0.broker.create_or_update_stream(config).await;
            made.map_err(|error| anyhow!("the stream {name} cannot be made: {error}"))?;
        }
        Ok(())
    }

    /// Takes in results until the broker is gone.
    async fn collect(&self) -> Result<()> {
        self.make_streams().await?;
        self.0.shelf.forget_all();
        let workers: Vec<WorkerId> = self.state().present.keys().copied().collect();
        for worker in workers {
            self.make_consumer(worker).await?;
        }
        let config = pull::Config {
            durable_name: Some(format!("judge-{}", self.0.name)),
            filter_subject: names::results_for(&self.0.name),
            ack_policy: AckPolicy::Explicit,
            inactive_threshold: LONGEST_KEPT,
            max_ack_pending: 10_000,
            ..pull::Config::default()
        };
        let stream = self.0.broker.get_stream_no_info(names::RESULTS).await.map_err(|error| anyhow!("{error}"))?;
        let consumer = stream.create_consumer(config).await.map_err(|error| anyhow!("{error}"))?;
        let mut messages = consumer.messages().await.context("the broker gives no results")?;
        while let Some(message) = messages.next().await {
            let message = message.context("the broker stops giving results")?;
            if let Some((worker, order)) = names::of_result(&message.subject) {
                self.came(worker, order, &message.payload).await;
            }
            // One that comes twice is about an order that is not under way.
            let _ = message.ack().await;
        }
        Ok(())
    }

    /// A result, or a part of one.
    async fn came(&self, worker: WorkerId, order: &str, payload: &[u8]) {
        let taken = self.state().take_part(worker, order, payload);
        match taken {
            Ok(()) => self.changed(),
            Err(lie) => self.lied(worker, &lie).await,
        }
    }

    /// Looks after those who are there, again and again.
    async fn care(&self) -> Result<()> {
        let mut minute = steady();
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let now = steady();
            let silent: Vec<WorkerId> = {
                let state = self.state();
                let silent = state.present.iter().filter(|(_, present)| present.heard + SILENCE <= now);
                silent.map(|(id, _)| *id).collect()
            };
            for worker in silent {
                log::note(&format!("worker {worker} has fallen silent"));
                let orders = self.state().orders_of(worker, |_| true);
                orders.iter().for_each(|order| self.take_away(order));
                self.note(worker).await?;
                self.state().present.remove(&worker);
                self.changed();
            }
            self.refresh().await?;
            if now > minute + Duration::from_secs(10) {
                minute = now;
                let all: Vec<WorkerId> = self.state().present.keys().copied().collect();
                for worker in all {
                    self.note(worker).await?;
                }
            }
        }
    }

    /// Asks the database who may work.
    pub async fn refresh(&self) -> Result<()> {
        let admitted = enrolment::admitted(&self.0.database).await?;
        let admitted: HashMap<WorkerId, Enrolled> = admitted.into_iter().map(|one| (one.id, one)).collect();
        let gone: Vec<WorkerId> = {
            let mut state = self.state();
            let gone = state.present.keys().filter(|id| !admitted.contains_key(id)).copied().collect();
            state.enrolled = admitted;
            gone
        };
        for worker in gone {
            self.dismiss(worker);
            self.state().present.remove(&worker);
        }
        Ok(())
    }

    /// Writes down what a worker has done.
    async fn note(&self, worker: WorkerId) -> Result<()> {
        let seen = {
            let mut state = self.state();
            let Some(present) = state.present.get_mut(&worker) else { return Ok(()) };
            let seconds = (steady() - present.since).as_secs().max(1) as i64;
            present.since = steady();
            let matches = std::mem::take(&mut present.matches);
            Seen {
                version: present.card.version.chars().take(40).collect(),
                cores: i64::from(present.card.cores),
                matches,
                pace: matches * 60 / seconds,
                checked: std::mem::take(&mut present.checked),
                disagreed: std::mem::take(&mut present.disagreed),
            }
        };
        let mut tx = self.0.database.begin().await?;
        enrolment::note(&mut tx, worker, &seen).await?;
        tx.commit().await?;
        Ok(())
    }
}
