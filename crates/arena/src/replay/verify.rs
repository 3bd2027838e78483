//! The proof of a replay: its rounds are played again, and where the players
//! are at hand they are asked again too.

use std::fmt;

use ludus_games::tokens::TextError;
use ludus_games::{Engine, Game, Orders, PerSeat, Seat};

use super::rerun::{RecordedOrders, RerunEnd};
use super::{Broken, Replay, Round};
use crate::player::{Views, ask};
use crate::{Fault, Halt, Match, Player, Program, builtin};

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
pub enum Proof {
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
    pub kind: DifferenceKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
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
            (Some(round), Some(seat)) => write!(f, "round {round}, seat {}: ", seat.ordinal()),
            (Some(round), None) => write!(f, "round {round}: "),
            (None, Some(seat)) => write!(f, "seat {}: ", seat.ordinal()),
            (None, None) => Ok(()),
        }?;
        let reason = |fault: &Option<Fault>| fault.as_ref().map_or("no fault".to_owned(), |fault| format!("'{fault}'"));
        match &self.kind {
            DifferenceKind::Orders => write!(f, "the player gives other orders than recorded"),
            DifferenceKind::Fuel { found, recorded } => {
                write!(f, "the player uses {found} units of fuel, recorded {recorded}")
            }
            DifferenceKind::Fault { found, recorded } => {
                write!(f, "the player has {}, recorded {}", reason(found), reason(recorded))
            }
            DifferenceKind::FrozenOrders => write!(f, "a frozen seat has orders"),
            DifferenceKind::State => write!(f, "the orders lead to another state than recorded"),
            DifferenceKind::Stuck(reason) => write!(f, "the match cannot go on: {reason}"),
            DifferenceKind::Length { rounds, of } => write!(f, "the replay has {rounds} rounds, the match {of}"),
            DifferenceKind::Score { found, recorded } => write!(f, "the score is {found}, recorded {recorded}"),
            DifferenceKind::TotalFuel { found, recorded } => {
                write!(f, "{found} units of fuel in all, recorded {recorded}")
            }
            DifferenceKind::Match => write!(f, "the digest of the whole match differs"),
        }
    }
}

/// Plays a replay again, and asks the players that are given. Players that come
/// with the game are asked too if this version of Ludus played the match.
pub fn verify(replay: &Replay, players: PerSeat<Option<Box<dyn Player>>>) -> Result<Proof, Unplayable> {
    if !replay.is_whole() {
        return Err(Unplayable::Damaged);
    }
    let game = replay.game()?;
    let mut players = players;
    for seat in Seat::ALL {
        if replay.barred_from(seat).is_some() {
            // It may take long, and proves little: the replay is believed anyway.
            players[seat] = None;
        } else if players[seat].is_none() {
            players[seat] = builtin_player(replay, game, seat);
        }
    }
    let asked = players.each_ref().map(Option::is_some);
    let mut played = replay.rerun_with(Some(Asked::new(players)))?;
    // The rules have no answer to rounds after the last one.
    if replay.ending.rounds <= played.state().rounds() {
        match played.run(&mut []) {
            Ok(()) | Err(Halt::NoOrders(RerunEnd::NoMoreRounds)) => {}
            Err(Halt::NoOrders(RerunEnd::Broken(broken))) => return Err(broken.into()),
            Err(Halt::NoOrders(RerunEnd::Differs(difference))) => return Ok(Proof::Differs(difference)),
            Err(Halt::Stuck { round, error }) => {
                let kind = DifferenceKind::Stuck(error.0);
                return Ok(Proof::Differs(Difference { round: Some(round), seat: None, kind }));
            }
        }
    }
    Ok(match compare_ending(&played) {
        Ok(()) => Proof::Identical { asked },
        Err((seat, kind)) => Proof::Differs(Difference { round: None, seat, kind }),
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

/// The players that are there to be asked again.
pub(super) struct Asked {
    players: PerSeat<Option<Box<dyn Player>>>,
    views: Views,
    taken: PerSeat<usize>,
}

impl Asked {
    fn new(players: PerSeat<Option<Box<dyn Player>>>) -> Asked {
        Asked { players, views: Views::default(), taken: [0; Seat::COUNT] }
    }

    /// Asks the players for a round and compares. `fuel` is what the seats have
    /// used before it.
    pub fn compare(
        &mut self,
        replay: &Replay,
        engine: &dyn Engine,
        number: u32,
        round: &Round,
        fuel: &PerSeat<u64>,
    ) -> Result<(), Difference> {
        self.views.clear();
        for seat in Seat::ALL {
            self.compare_seat(replay, engine, number, round, seat, fuel[seat]).map_err(|kind| Difference {
                round: Some(number),
                seat: Some(seat),
                kind,
            })?;
        }
        Ok(())
    }

    fn compare_seat(
        &mut self,
        replay: &Replay,
        engine: &dyn Engine,
        number: u32,
        round: &Round,
        seat: Seat,
        fuel: u64,
    ) -> Result<(), DifferenceKind> {
        let fault = replay.ending.faults[seat].as_ref();
        let recorded = fault.filter(|(at, _)| *at == number).map(|(_, fault)| fault.clone());
        let mut accepted = Orders::new();
        if fault.is_some_and(|(at, _)| *at <= number) {
            engine.accept(seat, &Orders::new(), &mut accepted).expect("no orders are not too many");
            if accepted != round.orders[seat] {
                return Err(DifferenceKind::FrozenOrders);
            }
        }
        if fault.is_some_and(|(at, _)| *at < number) {
            return Ok(());
        }
        let Some(player) = &mut self.players[seat] else { return Ok(()) };
        let (place, taken) = ((seat, &self.views), &mut self.taken[seat]);
        let found = ask(engine, &mut **player, place, &mut Orders::new(), &mut accepted, taken).err();
        if found != recorded {
            return Err(DifferenceKind::Fault { found, recorded });
        }
        if found.is_none() && accepted != round.orders[seat] && !is_older_intake(replay, engine, seat, round, &accepted)
        {
            return Err(DifferenceKind::Orders);
        }
        match player.fuel() - fuel {
            found if found == round.fuel[seat] => Ok(()),
            found => Err(DifferenceKind::Fuel { found, recorded: round.fuel[seat] }),
        }
    }
}

/// The match must have gone on to its end, and have come to the recorded one.
fn compare_ending(played: &Match<RecordedOrders<'_>>) -> Result<(), (Option<Seat>, DifferenceKind)> {
    let (replay, fuel) = (played.source.replay, &played.source.fuel);
    let (ending, scores) = (&replay.ending, played.state().scores());
    let (rounds, of) = (ending.rounds, played.state().rounds());
    if rounds != of {
        return Err((None, DifferenceKind::Length { rounds, of }));
    }
    for seat in Seat::ALL {
        if scores[seat] != ending.scores[seat] {
            let (found, recorded) = (scores[seat], ending.scores[seat]);
            return Err((Some(seat), DifferenceKind::Score { found, recorded }));
        }
        if fuel[seat] != ending.fuel[seat] {
            let (found, recorded) = (fuel[seat], ending.fuel[seat]);
            return Err((Some(seat), DifferenceKind::TotalFuel { found, recorded }));
        }
    }
    if played.source.chain.finish(ending) != replay.digest {
        return Err((None, DifferenceKind::Match));
    }
    Ok(())
}
