//! The one way to play a match: a loop that gets orders from a source, lets the
//! rules play a round, and shows it to observers.
//!
//! Orders come from [`Players`] that are asked, from a replay, or from another
//! file; what is kept or shown of a match is an [`Observer`] of it.

use std::convert::Infallible;

use ludus_games::game::Stuck;
use ludus_games::record::{Header, RecordWriter};
use ludus_games::{Engine, Orders, PerSeat, Seat, State, Status};

use crate::players::Players;

/// Where the orders of a match come from.
pub trait OrderSource {
    /// Why there are none for a round.
    type Error;

    /// Puts the orders of the round that comes, as the rules get them, into `orders`.
    fn orders(&mut self, engine: &dyn Engine, orders: &mut PerSeat<Orders>) -> Result<(), Self::Error>;

    /// Sees what has come of the orders.
    fn check(&mut self, _engine: &dyn Engine, _orders: &PerSeat<Orders>) -> Result<(), Self::Error> {
        Ok(())
    }

    /// The status of every seat after the round.
    fn status(&self) -> PerSeat<Status> {
        [Status::UNUSED; Seat::COUNT]
    }
}

/// What watches a match while it is played, and may end it with an error.
pub trait Observer<S, E> {
    /// The match before its first round.
    fn begin(&mut self, _played: &Match<S>) -> Result<(), E> {
        Ok(())
    }

    /// The match after a round.
    fn round(&mut self, played: &mut Match<S>) -> Result<(), E>;

    /// The match after its last round.
    fn end(&mut self, _played: &Match<S>) -> Result<(), E> {
        Ok(())
    }
}

/// Why a match does not come to its end. It is never a player's doing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Halt<E = Infallible> {
    #[error("round {round}: {error}")]
    Stuck { round: u32, error: Stuck },
    #[error(transparent)]
    NoOrders(E),
}

impl From<Halt> for Stuck {
    fn from(halt: Halt) -> Stuck {
        match halt {
            Halt::Stuck { error, .. } => error,
            Halt::NoOrders(never) => match never {},
        }
    }
}

/// A match under way.
pub struct Match<S = Players> {
    engine: Box<dyn Engine>,
    header: Header,
    pub(crate) source: S,
    accepted: PerSeat<Orders>,
}

impl<S> Match<S> {
    /// A match of which no round has been played.
    pub fn from_source(engine: Box<dyn Engine>, header: Header, source: S) -> Match<S> {
        Match { engine, header, source, accepted: PerSeat::default() }
    }

    /// The same match, played by a judge: its record and its replay say so.
    pub fn judged(mut self) -> Match<S> {
        self.header.judged = true;
        self
    }

    pub fn state(&self) -> &dyn State {
        self.engine.state()
    }

    pub fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    /// Where the orders came from, when nothing more is played.
    pub fn into_source(self) -> S {
        self.source
    }

    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The orders that the rules got from each seat in the last round.
    pub fn accepted(&self) -> &PerSeat<Orders> {
        &self.accepted
    }

    pub fn is_over(&self) -> bool {
        self.state().round() >= self.state().rounds()
    }

    /// Writes the beginning of the record and gives what writes the rest; call
    /// it before the first round.
    pub fn begin_record(&self, out: &mut Vec<u8>) -> Box<dyn RecordWriter> {
        self.state().game().begin_record(&self.header, self.state(), out)
    }

    /// What the last round adds to the record. Who plays without a judge counts
    /// no CPU there, as the reference engines do; only that a seat is frozen.
    pub fn write_round(&self, record: &mut dyn RecordWriter, out: &mut Vec<u8>) {
        let status = self.state().status();
        let told = status.map(|status| if status.is_frozen() { status } else { Status::UNUSED });
        if self.header.judged || told == status {
            return record.round(self.engine.done(), self.state(), out);
        }
        let mut engine = self.engine.snapshot();
        engine.set_status(told);
        record.round(engine.done(), engine.state(), out);
    }
}

impl<S: OrderSource> Match<S> {
    /// Gets the orders of a round and plays it.
    pub fn next_round(&mut self) -> Result<(), Halt<S::Error>> {
        let round = self.state().round();
        self.source.orders(&*self.engine, &mut self.accepted).map_err(Halt::NoOrders)?;
        self.engine.step(&self.accepted).map_err(|error| Halt::Stuck { round, error })?;
        self.source.check(&*self.engine, &self.accepted).map_err(Halt::NoOrders)?;
        self.engine.set_status(self.source.status());
        Ok(())
    }

    /// Plays the rounds that are left, before the eyes of the observers.
    pub fn run<E: From<Halt<S::Error>>>(&mut self, observers: &mut [&mut dyn Observer<S, E>]) -> Result<(), E> {
        observers.iter_mut().try_for_each(|observer| observer.begin(self))?;
        while !self.is_over() {
            self.next_round()?;
            observers.iter_mut().try_for_each(|observer| observer.round(self))?;
        }
        observers.iter_mut().try_for_each(|observer| observer.end(self))
    }
}
