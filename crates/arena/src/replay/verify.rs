//! The proof of a replay: its rounds are played again, and where the players
//! are at hand they are asked again too.

use std::fmt;

use ludus_games::tokens::TextError;
use ludus_games::{Engine, Game, Orders, PerSeat, Seat};

use super::recorder::Chain;
use super::{Broken, Replay, Round};
use crate::player::{Views, ask};
use crate::{Fault, Player, Program, builtin};

/// Why a replay cannot be played again at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplayable {
    #[error("bytes of it were lost or changed")]
    Damaged,
    #[error("it is of a game '{}' that this version of Ludus does not know", .0.escape_debug())]
    UnknownGame(String),
    #[error("its config cannot be played: {0}")]
    Config(TextError),
    #[error(transparent)]
    Broken(#[from] Broken),
}

/// What came of playing a replay again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything is as the replay tells. The seats say whose players were
    /// asked again; the orders of the others were taken from the replay.
    Identical {
        asked: PerSeat<bool>,
    },
    Differs(Difference),
}

/// The first thing that is not as the replay tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// None if it is about the whole match.
    pub round: Option<u32>,
    /// None where no single seat is to blame.
    pub seat: Option<Seat>,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The player gives other orders.
    Orders,
    /// The player uses this much fuel in the round, not as much as recorded.
    Fuel {
        found: u64,
        recorded: u64,
    },
    /// The player fails, or does not, or for another reason.
    Fault {
        found: Option<Fault>,
        recorded: Option<Fault>,
    },
    /// A frozen seat has orders.
    FrozenOrders,
    /// The digest of the round.
    State,
    /// The rules find no way to go on.
    Stuck(&'static str),
    /// The replay ends before or after the match does.
    Length {
        rounds: u32,
        of: u32,
    },
    Score {
        found: i64,
        recorded: i64,
    },
    TotalFuel {
        found: u64,
        recorded: u64,
    },
    /// The digest of the whole match.
    Match,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.round, self.seat) {
            (Some(round), Some(seat)) => write!(f, "round {round}, seat {seat}: "),
            (Some(round), None) => write!(f, "round {round}: "),
            (None, Some(seat)) => write!(f, "seat {seat}: "),
            (None, None) => Ok(()),
        }?;
        let reason = |fault: &Option<Fault>| fault.as_ref().map_or("no fault".to_owned(), |fault| format!("'{fault}'"));
        match &self.what {
            What::Orders => write!(f, "the player gives other orders than recorded"),
            What::Fuel { found, recorded } => write!(f, "the player uses {found} units of fuel, recorded {recorded}"),
            What::Fault { found, recorded } => {
                write!(f, "the player has {}, recorded {}", reason(found), reason(recorded))
            }
            What::FrozenOrders => write!(f, "a frozen seat has orders"),
            What::State => write!(f, "the orders lead to another state than recorded"),
            What::Stuck(reason) => write!(f, "the match cannot go on: {reason}"),
            What::Length { rounds, of } => write!(f, "the replay has {rounds} rounds, the match {of}"),
            What::Score { found, recorded } => write!(f, "the score is {found}, recorded {recorded}"),
            What::TotalFuel { found, recorded } => write!(f, "{found} units of fuel in all, recorded {recorded}"),
            What::Match => write!(f, "the digest of the whole match differs"),
        }
    }
}

/// Plays a replay again, and asks the players that are given. Players that come
/// with the game are asked too if this version of Ludus played the match.
pub fn verify(replay: &Replay, players: PerSeat<Option<Box<dyn Player>>>) -> Result<Verdict, Unplayable> {
    if !replay.is_whole() {
        return Err(Unplayable::Damaged);
    }
    let game = replay.game()?;
    let engine = replay.start()?;
    let mut players = players;
    for seat in Seat::ALL {
        if players[seat].is_none() {
            players[seat] = builtin_player(replay, game, seat);
        }
    }
    let asked = players.each_ref().map(Option::is_some);
    let (views, taken) = (Views::default(), [0; Seat::COUNT]);
    let mut again = Again { replay, engine, players, views, fuel: [0; Seat::COUNT], taken };
    Ok(match again.run()? {
        Ok(()) => Verdict::Identical { asked },
        Err(difference) => Verdict::Differs(difference),
    })
}

fn builtin_player(replay: &Replay, game: &dyn Game, seat: Seat) -> Option<Box<dyn Player>> {
    let Program::Builtin(name) = &replay.setup.programs[seat] else { return None };
    if replay.setup.engine != super::ENGINE {
        return None;
    }
    let player = game.about().player_of(name)?;
    Some(builtin(player, replay.setup.header.seed, seat))
}

/// Whether a replay tells orders of a module that used to be recorded and are
/// left out or mended today, because no rule looks at them. Its digests cover
/// them all the same.
fn is_older_intake(replay: &Replay, engine: &dyn Engine, seat: Seat, round: &Round, accepted: &Orders) -> bool {
    let mut again = Orders::new();
    replay.setup.programs[seat].is_metered()
        && engine.accept(seat, &round.orders[seat], &mut again).is_ok()
        && again == *accepted
}

/// A match played again.
struct Again<'a> {
    replay: &'a Replay,
    engine: Box<dyn Engine>,
    players: PerSeat<Option<Box<dyn Player>>>,
    views: Views,
    fuel: PerSeat<u64>,
    taken: PerSeat<usize>,
}

type Same = Result<(), Difference>;

impl Again<'_> {
    fn run(&mut self) -> Result<Same, Broken> {
        // The rules have no answer to rounds after the last one.
        if self.replay.ending.rounds > self.engine.state().rounds() {
            return Ok(self.length());
        }
        let mut chain = Chain::new(&self.replay.setup_bytes);
        let mut rounds = self.replay.rounds();
        let mut count = 0;
        while let Some(round) = rounds.next_round() {
            let round = round?;
            if let Err(difference) = self.round(count, round, &mut chain) {
                return Ok(Err(difference));
            }
            count += 1;
        }
        Ok(self.ending(chain))
    }

    fn round(&mut self, number: u32, round: &Round, chain: &mut Chain) -> Same {
        let differs = |seat, what| Err(Difference { round: Some(number), seat, what });
        self.views.clear();
        for seat in Seat::ALL {
            if let Err(what) = self.seat(number, round, seat) {
                return differs(Some(seat), what);
            }
        }
        if let Err(stuck) = self.engine.step(&round.orders) {
            return differs(None, What::Stuck(stuck.0));
        }
        for seat in Seat::ALL {
            self.fuel[seat] = self.fuel[seat].saturating_add(round.fuel[seat]);
        }
        self.engine.set_status(Seat::ALL.map(|seat| self.replay.status(seat, number, self.fuel[seat])));
        if chain.round(&round.orders, &round.fuel, self.engine.digest()) != round.digest {
            return differs(None, What::State);
        }
        Ok(())
    }

    /// Asks one player, if it is there, and compares.
    fn seat(&mut self, number: u32, round: &Round, seat: Seat) -> Result<(), What> {
        let fault = self.replay.ending.faults[seat].as_ref();
        let recorded = fault.filter(|(at, _)| *at == number).map(|(_, fault)| fault.clone());
        let mut accepted = Orders::new();
        if fault.is_some_and(|(at, _)| *at <= number) {
            self.engine.accept(seat, &Orders::new(), &mut accepted).expect("no orders are not too many");
            if accepted != round.orders[seat] {
                return Err(What::FrozenOrders);
            }
        }
        if fault.is_some_and(|(at, _)| *at < number) {
            return Ok(());
        }
        let Some(player) = &mut self.players[seat] else { return Ok(()) };
        let (place, taken) = ((seat, &self.views), &mut self.taken[seat]);
        let found = ask(&*self.engine, &mut **player, place, &mut Orders::new(), &mut accepted, taken).err();
        if found != recorded {
            return Err(What::Fault { found, recorded });
        }
        if found.is_none()
            && accepted != round.orders[seat]
            && !is_older_intake(self.replay, &*self.engine, seat, round, &accepted)
        {
            return Err(What::Orders);
        }
        match player.fuel() - self.fuel[seat] {
            found if found == round.fuel[seat] => Ok(()),
            found => Err(What::Fuel { found, recorded: round.fuel[seat] }),
        }
    }

    /// The match must have gone on to its end.
    fn length(&self) -> Same {
        let (rounds, of) = (self.replay.ending.rounds, self.engine.state().rounds());
        if rounds == of {
            return Ok(());
        }
        Err(Difference { round: None, seat: None, what: What::Length { rounds, of } })
    }

    fn ending(&self, chain: Chain) -> Same {
        let differs = |seat, what| Err(Difference { round: None, seat, what });
        let (state, ending) = (self.engine.state(), &self.replay.ending);
        self.length()?;
        let scores = state.scores();
        for seat in Seat::ALL {
            if scores[seat] != ending.scores[seat] {
                return differs(Some(seat), What::Score { found: scores[seat], recorded: ending.scores[seat] });
            }
            if self.fuel[seat] != ending.fuel[seat] {
                return differs(Some(seat), What::TotalFuel { found: self.fuel[seat], recorded: ending.fuel[seat] });
            }
        }
        if chain.finish(ending) != self.replay.digest {
            return differs(None, What::Match);
        }
        Ok(())
    }
}
