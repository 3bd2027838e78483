//! Overtime: what a player takes of the host's CPU beyond what fuel can tell.
//!
//! Fuel counts instructions, and some of them wait for memory a hundred times
//! longer than others take. To price that would hurt everybody who looks
//! something up; instead whoever takes many times the CPU that its fuel stands
//! for is stopped. That is no fault, because it is not the same on every
//! machine: the match is given up and played again.
//!
//! Nothing inside a module can look at the clock for nothing: the runtime's own
//! way, epochs, cost an example that searches about a fifth of its speed. So a
//! match that must be stopped runs in a process of its own, where a thread asks
//! [`Overtime::of`] from time to time, and ends the process.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ludus_arena::{Player, through};
use ludus_games::{PerSeat, Seat};

use crate::clock::cpu_time;
use crate::limits::{FUEL_PER_SECOND, Limits};

/// How many seconds of CPU a player may take for each second that its fuel
/// stands for. No host call takes more than 8, honest players take 1 to 3.
pub const TIMES: u64 = 30;

/// The clocks of the players of one match, which must be the only work of its
/// process.
#[derive(Debug)]
pub struct Overtime {
    allowed: Duration,
    clocks: Mutex<Clocks>,
}

#[derive(Debug, Default)]
struct Clocks {
    used: PerSeat<Duration>,
    /// The round in which each was asked last.
    asked: PerSeat<u32>,
    /// Whose turn it is, and since when by the clock of the process.
    turn: Option<(Seat, Duration)>,
}

impl Overtime {
    pub fn new(limits: &Limits) -> Arc<Overtime> {
        let nominal = Duration::from_millis(limits.fuel / (FUEL_PER_SECOND / 1000));
        Overtime::after(nominal.saturating_mul(TIMES as u32))
    }

    /// With another limit, for tests.
    pub fn after(allowed: Duration) -> Arc<Overtime> {
        Arc::new(Overtime { allowed, clocks: Mutex::default() })
    }

    pub fn allowed(&self) -> Duration {
        self.allowed
    }

    /// The seat that has taken more than it may, and in which round it did.
    pub fn of(&self) -> Option<(Seat, u32)> {
        let clocks = self.clocks();
        let mut used = clocks.used;
        if let Some((seat, since)) = clocks.turn {
            used[seat] += cpu_time().saturating_sub(since);
        }
        let late = Seat::ALL.into_iter().find(|&seat| used[seat] > self.allowed)?;
        Some((late, clocks.asked[late]))
    }

    /// A player whose turns are timed.
    pub fn watch(self: &Arc<Self>, seat: Seat, player: Box<dyn Player>) -> Box<dyn Player> {
        let overtime = self.clone();
        through(player, move |player, turn, orders| {
            overtime.begin(seat, turn.state.round());
            let done = player.play(turn, orders);
            overtime.end();
            done
        })
    }

    fn clocks(&self) -> std::sync::MutexGuard<'_, Clocks> {
        self.clocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, seat: Seat, round: u32) {
        let mut clocks = self.clocks();
        clocks.asked[seat] = round;
        clocks.turn = Some((seat, cpu_time()));
    }

    fn end(&self) {
        let mut clocks = self.clocks();
        if let Some((seat, since)) = clocks.turn.take() {
            clocks.used[seat] += cpu_time().saturating_sub(since);
        }
    }
}
