use ludus_games::game::{Builtin, Stuck};
use ludus_games::record::Header;
use ludus_games::tokens::TextError;
use ludus_games::{Config, Engine, Orders, PerSeat, Seat, State, Status};

use crate::player::{Fault, Player, Views, ask, builtin};

/// A player and the name it plays under.
pub struct Entrant {
    pub name: String,
    pub player: Box<dyn Player>,
}

/// A match under way.
///
/// A seat whose player fails is frozen: it keeps its units, gives no more
/// orders, and has the status -1. The others cannot tell but by that.
pub struct Match {
    engine: Box<dyn Engine>,
    header: Header,
    players: PerSeat<Box<dyn Player>>,
    faults: PerSeat<Option<(u32, Fault)>>,
    asked: Orders,
    views: Views,
    accepted: PerSeat<Orders>,
    /// Words of orders that the rules have taken from each seat.
    taken: PerSeat<usize>,
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
        Ok(Match {
            engine: config.start(seed)?,
            header: Header { judged: false, seed, names },
            players,
            faults: [const { None }; Seat::COUNT],
            asked: Orders::new(),
            views: Views::default(),
            accepted: PerSeat::default(),
            taken: [0; Seat::COUNT],
        })
    }

    /// A match between players that come with the game.
    pub fn between(config: &dyn Config, seed: i32, players: PerSeat<&Builtin>) -> Result<Match, TextError> {
        let entrants = Seat::ALL
            .map(|seat| Entrant { name: players[seat].name.to_owned(), player: builtin(players[seat], seed, seat) });
        Match::new(config, seed, entrants)
    }

    /// The same match, played by a judge: its record and its replay say so.
    pub fn judged(mut self) -> Match {
        self.header.judged = true;
        self
    }

    pub fn state(&self) -> &dyn State {
        self.engine.state()
    }

    pub fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The orders that the rules got from each seat in the last round.
    pub fn accepted(&self) -> &PerSeat<Orders> {
        &self.accepted
    }

    pub fn player(&self, seat: Seat) -> &dyn Player {
        &*self.players[seat]
    }

    /// The round and the reason, if the seat is frozen.
    pub fn fault(&self, seat: Seat) -> Option<&(u32, Fault)> {
        self.faults[seat].as_ref()
    }

    /// Appends what a player has written since it was last asked.
    pub fn take_output(&mut self, seat: Seat, output: &mut Vec<u8>) {
        self.players[seat].take_output(output);
    }

    pub fn is_over(&self) -> bool {
        self.state().round() >= self.state().rounds()
    }

    /// Asks every player and plays a round.
    pub fn play_round(&mut self) -> Result<(), Stuck> {
        self.views.clear();
        for seat in Seat::ALL {
            self.ask(seat);
        }
        self.engine.step(&self.accepted)?;
        self.engine.set_status(Seat::ALL.map(|seat| self.status(seat)));
        Ok(())
    }

    /// Plays the rounds that are left.
    pub fn play_out(&mut self) -> Result<Outcome, Stuck> {
        while !self.is_over() {
            self.play_round()?;
        }
        Ok(self.outcome())
    }

    fn ask(&mut self, seat: Seat) {
        if self.faults[seat].is_none() {
            let (player, accepted) = (&mut *self.players[seat], &mut self.accepted[seat]);
            let (asked, taken) = (&mut self.asked, &mut self.taken[seat]);
            match ask(&*self.engine, player, (seat, &self.views), asked, accepted, taken) {
                Ok(()) => return,
                Err(fault) => self.faults[seat] = Some((self.state().round(), fault)),
            }
        }
        self.asked.clear();
        self.engine.accept(seat, &self.asked, &mut self.accepted[seat]).expect("no orders are not too many");
    }

    fn status(&self, seat: Seat) -> Status {
        match self.faults[seat] {
            Some(_) => Status::FROZEN,
            None => self.players[seat].status(),
        }
    }

    /// The beginning of the record; call it before the first round.
    pub fn write_header(&self, out: &mut Vec<u8>) {
        self.state().write_header(&self.header, out);
    }

    /// What the last round adds to the record.
    pub fn write_round(&self, out: &mut Vec<u8>) {
        self.state().write_round(self.engine.done(), out);
    }

    /// The result as it stands.
    pub fn outcome(&self) -> Outcome {
        let scores = self.state().scores();
        let seats = Seat::ALL.map(|seat| SeatOutcome {
            name: self.header.names[seat].clone(),
            score: scores[seat],
            rank: rank(&scores, seat),
            status: self.status(seat),
            fault: self.faults[seat].clone(),
        });
        Outcome { seed: self.header.seed, rounds: self.state().round(), seats }
    }
}

/// 1 for the best; seats with equal scores share a rank.
pub(crate) fn rank(scores: &PerSeat<i64>, seat: Seat) -> usize {
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
