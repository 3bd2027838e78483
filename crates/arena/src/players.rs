//! Four players as the source of a match's orders, freezing those at fault, and
//! the result that they come to.

use std::convert::Infallible;

use ludus_games::game::{Builtin, Stuck};
use ludus_games::record::Header;
use ludus_games::tokens::TextError;
use ludus_games::{Config, Engine, Orders, PerSeat, Seat, Status};

use crate::driver::{Match, OrderSource};
use crate::player::{Fault, Player, Views, ask, builtin};
use crate::replay::Drawn;

/// A player and the name it plays under.
pub struct Entrant {
    pub name: String,
    pub player: Box<dyn Player>,
}

/// The players of a match.
///
/// A seat whose player fails is frozen: it keeps its units, gives no more
/// orders, and has the status -1. The others cannot tell but by that.
pub struct Players {
    players: PerSeat<Box<dyn Player>>,
    faults: PerSeat<Option<(u32, Fault)>>,
    asked: Orders,
    views: Views,
    /// Words of orders that the rules have taken from each seat.
    taken: PerSeat<usize>,
}

impl Players {
    fn new(players: PerSeat<Box<dyn Player>>) -> Players {
        Players {
            players,
            faults: [const { None }; Seat::COUNT],
            asked: Orders::new(),
            views: Views::default(),
            taken: [0; Seat::COUNT],
        }
    }

    fn ask(&mut self, seat: Seat, engine: &dyn Engine, accepted: &mut Orders) {
        if self.faults[seat].is_none() {
            let (player, taken) = (&mut *self.players[seat], &mut self.taken[seat]);
            match ask(engine, player, (seat, &self.views), &mut self.asked, accepted, taken) {
                Ok(()) => return,
                Err(fault) => self.faults[seat] = Some((engine.state().round(), fault)),
            }
        }
        self.asked.clear();
        engine.accept(seat, &self.asked, accepted).expect("no orders are not too many");
    }

    fn status_of(&self, seat: Seat) -> Status {
        match self.faults[seat] {
            Some(_) => Status::FROZEN,
            None => self.players[seat].status(),
        }
    }
}

impl OrderSource for Players {
    type Error = Infallible;

    fn orders(&mut self, engine: &dyn Engine, orders: &mut PerSeat<Orders>) -> Result<(), Infallible> {
        self.views.clear();
        for seat in Seat::ALL {
            self.ask(seat, engine, &mut orders[seat]);
        }
        Ok(())
    }

    fn status(&self) -> PerSeat<Status> {
        Seat::ALL.map(|seat| self.status_of(seat))
    }
}

impl Match {
    /// Sets up the board; no player has been asked anything yet.
    pub fn new(config: &dyn Config, seed: i32, entrants: PerSeat<Entrant>) -> Result<Match, TextError> {
        let mut names = PerSeat::default();
        let mut seat = 0;
        let players = entrants.map(|entrant| {
            names[seat] = entrant.name;
            seat += 1;
            entrant.player
        });
        Ok(Match::from_source(config.start(seed)?, Header { judged: false, seed, names }, Players::new(players)))
    }

    /// A match between players that come with the game.
    pub fn between(config: &dyn Config, seed: i32, players: PerSeat<&Builtin>) -> Result<Match, TextError> {
        let entrants = Seat::ALL
            .map(|seat| Entrant { name: players[seat].name.to_owned(), player: builtin(players[seat], seed, seat) });
        Match::new(config, seed, entrants)
    }

    pub fn player(&self, seat: Seat) -> &dyn Player {
        &*self.source.players[seat]
    }

    /// The round and the reason, if the seat is frozen.
    pub fn fault(&self, seat: Seat) -> Option<&(u32, Fault)> {
        self.source.faults[seat].as_ref()
    }

    /// Appends what a player has written since it was last asked.
    pub fn take_output(&mut self, seat: Seat, output: &mut Vec<u8>) {
        self.source.players[seat].take_output(output);
    }

    /// Appends what a player has drawn in the last round.
    pub fn take_drawing(&mut self, seat: Seat, drawn: &mut Vec<Drawn>) {
        self.source.players[seat].take_drawing(drawn);
    }

    /// Asks every player and plays a round.
    pub fn play_round(&mut self) -> Result<(), Stuck> {
        Ok(self.next_round()?)
    }

    /// Plays the rounds that are left.
    pub fn play_out(&mut self) -> Result<Outcome, Stuck> {
        self.run::<Stuck>(&mut [])?;
        Ok(self.outcome())
    }

    /// The result as it stands.
    pub fn outcome(&self) -> Outcome {
        let scores = self.state().scores();
        let seats = Seat::ALL.map(|seat| SeatOutcome {
            name: self.header().names[seat].clone(),
            score: scores[seat],
            rank: rank(&scores, seat),
            status: self.source.status_of(seat),
            fault: self.source.faults[seat].clone(),
        });
        Outcome { seed: self.header().seed, rounds: self.state().round(), seats }
    }
}

/// 1 for the best; seats with equal scores share a rank.
pub fn rank(scores: &PerSeat<i64>, seat: Seat) -> usize {
    1 + scores.iter().filter(|&&score| score > scores[seat]).count()
}

#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub seed: i32,
    pub rounds: u32,
    pub seats: PerSeat<SeatOutcome>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SeatOutcome {
    pub name: String,
    pub score: i64,
    /// 1 for the best; seats with equal scores share a rank.
    pub rank: usize,
    pub status: Status,
    /// The round and the reason, if the seat was frozen.
    pub fault: Option<(u32, Fault)>,
}
