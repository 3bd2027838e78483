use ludus_games::game::{Builtin, BuiltinPlayer};
use ludus_games::orders::TooManyOrders;
use ludus_games::{Orders, Seat, State, Status};

/// A program that plays: whatever can look at a state and give orders.
pub trait Player: Send {
    /// Gives the orders of one round. A player that fails gives none, now or
    /// later in the match.
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault>;

    /// How much of its CPU the player has used so far.
    fn status(&self) -> Status {
        Status::UNUSED
    }
}

/// What a player may look at.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    pub state: &'a dyn State,
    pub seat: Seat,
}

/// Why a seat was frozen. A fault is part of the result, never an error of the match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error(transparent)]
    TooManyOrders(#[from] TooManyOrders),
    #[error("the player failed: {0}")]
    Failed(String),
}

/// Players that come with a game neither fail nor are metered.
struct BuiltIn(Box<dyn BuiltinPlayer>);

impl Player for BuiltIn {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        self.0.play(turn.state, orders);
        Ok(())
    }
}

/// A player that comes with the game, for one seat of one match.
pub fn builtin(player: &Builtin, seed: i32, seat: Seat) -> Box<dyn Player> {
    Box::new(BuiltIn((player.new)(seed, seat)))
}
