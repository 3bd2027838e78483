//! What a player is to a match: what it may look at, how it is asked, and its faults.

use std::borrow::Cow;
use std::cell::RefCell;

use ludus_games::game::{Builtin, BuiltinPlayer};
use ludus_games::orders::TooManyOrders;
use ludus_games::{Engine, Orders, PerSeat, Seat, State, Status};

use crate::Program;
use crate::replay::Drawn;

/// A program that plays: whatever can look at a state and give orders.
pub trait Player: Send {
    /// Gives the orders of one round. A player that fails gives none, now or
    /// later in the match.
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault>;

    /// How much of its CPU the player has used so far.
    fn status(&self) -> Status {
        Status::UNUSED
    }

    /// The fuel that the player has used so far; 0 where it is not counted.
    fn fuel(&self) -> u64 {
        0
    }

    /// What this player is, for those who want to run it again.
    fn program(&self) -> Program {
        Program::Unknown
    }

    /// Appends what the player has written for its author since it was last asked.
    fn take_output(&mut self, _output: &mut Vec<u8>) {}

    /// Appends what the player has drawn for its author in its last turn.
    fn take_drawing(&mut self, _drawn: &mut Vec<Drawn>) {}
}

/// What a player may look at.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    pub state: &'a dyn State,
    pub seat: Seat,
    pub views: &'a Views,
}

impl Turn<'_> {
    /// The state as bytes, as this seat sees it. Made once for all the seats
    /// that see the same.
    pub fn with_view<T>(&self, look: impl FnOnce(&[u8]) -> T) -> T {
        let seat = if self.state.game().has_one_view() { Seat::ALL[0] } else { self.seat };
        let mut view = self.views.0[seat].borrow_mut();
        if view.is_empty() {
            self.state.game().write_view(self.state, seat, &mut view);
        }
        look(&view)
    }
}

/// The views of a round, each made when somebody first asks for it.
#[derive(Default)]
pub struct Views(PerSeat<RefCell<Vec<u8>>>);

impl Views {
    /// Forgets the views of the round before.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(|view| view.get_mut().clear());
    }
}

/// Why a seat was frozen. A fault is part of the result, never an error of the match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error(transparent)]
    TooManyOrders(#[from] TooManyOrders),
    #[error("out of CPU time")]
    OutOfFuel,
    #[error("over the memory limit")]
    OutOfMemory,
    #[error("stack overflow")]
    StackOverflow,
    #[error("crashed: {0}")]
    Trap(String),
    #[error("ended its own program: {0}")]
    Ended(String),
    #[error("malformed orders: {0}")]
    MalformedOrders(Cow<'static, str>),
    /// It took far more CPU than its fuel stands for, in earlier tries of the
    /// match, and is not asked any more in this one. No machine but the one that
    /// played can tell, so this is told to a match and never found out by it.
    #[error("far past its CPU time in two tries, so that it is not asked any more")]
    Overtime,
}

/// Asks a player for its orders of this round, and says what the rules take of
/// them. `taken` counts the words that they have taken of it in the match.
pub(crate) fn ask(
    engine: &dyn Engine,
    player: &mut dyn Player,
    (seat, views): (Seat, &Views),
    asked: &mut Orders,
    accepted: &mut Orders,
    taken: &mut usize,
) -> Result<(), Fault> {
    asked.clear();
    player.play(Turn { state: engine.state(), seat, views }, asked)?;
    if asked.words() > MOST_WORDS {
        return Err(Fault::MalformedOrders("orders with too many words".into()));
    }
    engine.accept(seat, asked, accepted)?;
    *taken += accepted.words();
    if *taken > MOST_WORDS_IN_MATCH {
        return Err(Fault::MalformedOrders("orders with too many words in this match".into()));
    }
    Ok(())
}

/// The most words that the orders of a player may have together in a round.
pub const MOST_WORDS: usize = 100_000;

/// The most words of a player's orders that the rules take in a match. It bounds
/// what a match leaves behind. No seat can come to 100,000 in a match on the
/// default config of any game.
pub const MOST_WORDS_IN_MATCH: usize = 500_000;

/// Players that come with a game neither fail nor are metered.
struct BuiltIn {
    program: &'static str,
    player: Box<dyn BuiltinPlayer>,
}

impl Player for BuiltIn {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        self.player.play(turn.state, orders);
        Ok(())
    }

    fn program(&self) -> Program {
        Program::Builtin(self.program.to_owned())
    }
}

/// A player that is asked by way of something else.
struct Through<A> {
    player: Box<dyn Player>,
    ask: A,
}

impl<A> Player for Through<A>
where
    A: FnMut(&mut dyn Player, Turn<'_>, &mut Orders) -> Result<(), Fault> + Send,
{
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        (self.ask)(&mut *self.player, turn, orders)
    }

    fn status(&self) -> Status {
        self.player.status()
    }

    fn fuel(&self) -> u64 {
        self.player.fuel()
    }

    fn program(&self) -> Program {
        self.player.program()
    }

    fn take_output(&mut self, output: &mut Vec<u8>) {
        self.player.take_output(output);
    }

    fn take_drawing(&mut self, drawn: &mut Vec<Drawn>) {
        self.player.take_drawing(drawn);
    }
}

/// The same player, asked by way of `ask`, which asks it or does not.
pub fn through<A>(player: Box<dyn Player>, ask: A) -> Box<dyn Player>
where
    A: FnMut(&mut dyn Player, Turn<'_>, &mut Orders) -> Result<(), Fault> + Send + 'static,
{
    Box::new(Through { player, ask })
}

/// The player as one that is frozen from a round on, because it ran past its time
/// there before.
pub fn barred(player: Box<dyn Player>, from: u32) -> Box<dyn Player> {
    through(
        player,
        move |player, turn, orders| {
            if turn.state.round() >= from { Err(Fault::Overtime) } else { player.play(turn, orders) }
        },
    )
}

/// A player that comes with the game, for one seat of one match.
pub fn builtin(player: &Builtin, seed: i32, seat: Seat) -> Box<dyn Player> {
    Box::new(BuiltIn { program: player.program(), player: (player.new)(seed, seat) })
}
