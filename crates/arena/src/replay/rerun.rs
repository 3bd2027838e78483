//! A replay as the source of a match's orders: everybody who shows or proves a
//! replay plays it again through here.

use ludus_games::{Engine, Game, Orders, PerSeat, Seat, Status};

use super::recorder::Chain;
use super::verify::{Asked, Difference, DifferenceKind, Unplayable};
use super::{Broken, Replay, Round, Rounds};
use crate::{Match, OrderSource};

impl Replay {
    pub fn game(&self) -> Result<&'static dyn Game, Unplayable> {
        ludus_games::find(&self.setup.game).ok_or_else(|| Unplayable::UnknownGame(self.setup.game.clone()))
    }

    /// The match to be played again from the recorded orders, which must lead
    /// to the recorded states.
    pub fn rerun(&self) -> Result<Match<RecordedOrders<'_>>, Unplayable> {
        self.rerun_with(None)
    }

    /// The same, in which the players that are there must give those orders too.
    pub(super) fn rerun_with(&self, asked: Option<Asked>) -> Result<Match<RecordedOrders<'_>>, Unplayable> {
        let config = self.game()?.read_config(&self.setup.config).map_err(Unplayable::Config)?;
        let engine = config.start(self.setup.header.seed).map_err(Unplayable::Config)?;
        let source = RecordedOrders {
            replay: self,
            rounds: self.rounds(),
            chain: Chain::new(&self.setup_bytes),
            fuel: [0; Seat::COUNT],
            count: 0,
            asked,
        };
        Ok(Match::from_source(engine, self.setup.header.clone(), source))
    }
}

impl Match<RecordedOrders<'_>> {
    /// The last round that was read.
    pub fn recorded(&self) -> &Round {
        self.source.rounds.current()
    }
}

/// The orders of a replay.
pub struct RecordedOrders<'a> {
    pub(super) replay: &'a Replay,
    rounds: Rounds<'a>,
    pub(super) chain: Chain,
    pub(super) fuel: PerSeat<u64>,
    /// Rounds that hold.
    count: u32,
    asked: Option<Asked>,
}

/// Why a replay leads no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RerunEnd {
    /// It tells of no more rounds.
    NoMoreRounds,
    Broken(Broken),
    Differs(Difference),
}

impl OrderSource for RecordedOrders<'_> {
    type Error = RerunEnd;

    fn orders(&mut self, engine: &dyn Engine, orders: &mut PerSeat<Orders>) -> Result<(), RerunEnd> {
        let round = self.rounds.next_round().ok_or(RerunEnd::NoMoreRounds)?.map_err(RerunEnd::Broken)?;
        if let Some(asked) = &mut self.asked {
            asked.compare(self.replay, engine, self.count, round, &self.fuel).map_err(RerunEnd::Differs)?;
        }
        orders.clone_from(&round.orders);
        Ok(())
    }

    fn check(&mut self, engine: &dyn Engine, _orders: &PerSeat<Orders>) -> Result<(), RerunEnd> {
        let round = self.rounds.current();
        if self.chain.round(&round.orders, &round.fuel, engine.digest()) != round.digest {
            let difference = Difference { round: Some(self.count), seat: None, kind: DifferenceKind::State };
            return Err(RerunEnd::Differs(difference));
        }
        for seat in Seat::ALL {
            self.fuel[seat] = self.fuel[seat].saturating_add(round.fuel[seat]);
        }
        self.count += 1;
        Ok(())
    }

    fn status(&self) -> PerSeat<Status> {
        Seat::ALL.map(|seat| match self.replay.ending.faults[seat] {
            Some((round, _)) if round < self.count => Status::FROZEN,
            _ => self.replay.setup.programs[seat].status(self.fuel[seat]),
        })
    }
}
