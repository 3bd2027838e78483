use ludus_games::{Engine, Game, PerSeat, Seat, State, Status};

use super::recorder::Chain;
use super::verify::Unplayable;
use super::{Broken, Replay, Round, Rounds};

impl Replay {
    pub fn game(&self) -> Result<&'static dyn Game, Unplayable> {
        ludus_games::find(&self.setup.game).ok_or_else(|| Unplayable::UnknownGame(self.setup.game.clone()))
    }

    /// The match before its first round.
    pub fn start(&self) -> Result<Box<dyn Engine>, Unplayable> {
        let config = self.game()?.read_config(&self.setup.config).map_err(Unplayable::Config)?;
        config.start(self.setup.header.seed).map_err(Unplayable::Config)
    }

    /// The status of a seat after a round, when it has used so much fuel.
    pub(super) fn status(&self, seat: Seat, round: u32, fuel: u64) -> Status {
        match self.ending.faults[seat] {
            Some((at, _)) if at <= round => Status::FROZEN,
            _ => self.setup.programs[seat].status(fuel),
        }
    }

    /// Plays the rounds again from the orders, as far as they can be read and
    /// lead to the recorded states.
    pub fn rerun(&self) -> Result<Rerun<'_>, Unplayable> {
        let engine = self.start()?;
        Ok(Rerun {
            replay: self,
            before: engine.snapshot(),
            engine,
            rounds: self.rounds(),
            chain: Chain::new(&self.setup_bytes),
            fuel: [0; Seat::COUNT],
            count: 0,
            damage: None,
        })
    }
}

/// A match that is played again from its orders.
pub struct Rerun<'a> {
    replay: &'a Replay,
    engine: Box<dyn Engine>,
    /// The engine before the last round.
    before: Box<dyn Engine>,
    rounds: Rounds<'a>,
    chain: Chain,
    fuel: PerSeat<u64>,
    count: u32,
    damage: Option<String>,
}

impl Rerun<'_> {
    pub fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    /// The state before the last round.
    pub fn before(&self) -> &dyn State {
        self.before.state()
    }

    /// The last round that was played.
    pub fn round(&self) -> &Round {
        self.rounds.current()
    }

    /// Rounds played so far.
    pub fn rounds(&self) -> u32 {
        self.count
    }

    /// Why the match did not go on to its end.
    pub fn damage(&self) -> Option<String> {
        let (round, rounds) = (self.count, self.engine.state().rounds());
        self.damage.clone().or_else(|| (round < rounds).then(|| format!("it ends after round {round} of {rounds}")))
    }

    /// Plays a round, if there is another one that holds.
    pub fn next_round(&mut self) -> bool {
        if self.damage.is_some() || self.count >= self.engine.state().rounds() {
            return false;
        }
        let number = self.count;
        let round = match self.rounds.next_round() {
            None => return false,
            Some(Err(broken)) => {
                self.damage = Some(broken.to_string());
                return false;
            }
            Some(Ok(round)) => round,
        };
        self.before = self.engine.snapshot();
        let held = match self.engine.step(&round.orders) {
            Ok(()) => {
                let digest = self.chain.round(&round.orders, &round.fuel, self.engine.digest());
                (digest == round.digest).then_some(()).ok_or_else(|| "another state than recorded".to_owned())
            }
            Err(stuck) => Err(stuck.to_string()),
        };
        if let Err(reason) = held {
            // The state of a round that does not hold must not be seen.
            self.engine = self.before.snapshot();
            // Where bytes are missing, what is read last makes no sense.
            self.damage = Some(match self.replay.is_whole() {
                true => format!("the replay does not hold from round {number} on: {reason}"),
                false => Broken { round: number }.to_string(),
            });
            return false;
        }
        for seat in Seat::ALL {
            self.fuel[seat] = self.fuel[seat].saturating_add(round.fuel[seat]);
        }
        self.engine.set_status(Seat::ALL.map(|seat| self.replay.status(seat, number, self.fuel[seat])));
        self.count += 1;
        true
    }
}
