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
use std::time::{Duration, Instant};

use ludus_arena::{Player, through};
use ludus_games::{PerSeat, Seat};

use crate::clock::cpu_time;
use crate::limits::{FUEL_PER_SECOND, Limits};

/// How many seconds of CPU a player may take for each second that its fuel
/// stands for. No host call takes more than 8, honest players take 1 to 3.
pub const TIMES: u64 = 30;

/// How long the clock of the process is not asked while short turns follow each
/// other: it costs a call of the system, and most turns take less than that.
const UNASKED: Duration = Duration::from_millis(1);

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
    /// Whose turn it is, and since when by the clock on the wall.
    turn: Option<(Seat, Instant)>,
    window: Option<Window>,
}

/// What has passed since the clock of the process was asked.
#[derive(Clone, Copy, Debug)]
struct Window {
    since: Instant,
    cpu: Duration,
    /// How long the turns of each took by the clock on the wall.
    turns: PerSeat<Duration>,
}

impl Window {
    fn new(since: Instant) -> Window {
        Window { since, cpu: cpu_time(), turns: PerSeat::default() }
    }

    /// What each has taken of the CPU until now: as much of it as its turns are of
    /// the time.
    fn shares(&self, now: Instant) -> PerSeat<Duration> {
        let (cpu, time) = (cpu_time().saturating_sub(self.cpu), now - self.since);
        self.turns.map(|turns| if time.is_zero() { Duration::ZERO } else { cpu.mul_f64(turns.div_duration_f64(time)) })
    }
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
        let (mut used, now) = (clocks.used, Instant::now());
        if let Some(mut window) = clocks.window {
            if let Some((seat, since)) = clocks.turn {
                window.turns[seat] += now - since;
            }
            used.iter_mut().zip(window.shares(now)).for_each(|(used, share)| *used += share);
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
        let (mut clocks, now) = (self.clocks(), Instant::now());
        clocks.window.get_or_insert_with(|| Window::new(now));
        clocks.asked[seat] = round;
        clocks.turn = Some((seat, now));
    }

    fn end(&self) {
        let (mut guard, now) = (self.clocks(), Instant::now());
        let clocks = &mut *guard;
        let Some((seat, since)) = clocks.turn.take() else { return };
        let Some(window) = &mut clocks.window else { return };
        window.turns[seat] += now - since;
        if now - window.since < UNASKED {
            return;
        }
        let shares = window.shares(now);
        clocks.used.iter_mut().zip(shares).for_each(|(used, share)| *used += share);
        // The next turn asks for the time from which it goes on.
        clocks.window = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Works for a while, by the clock of the process.
    fn work(time: Duration) {
        let until = cpu_time() + time;
        while cpu_time() < until {}
    }

    #[test]
    fn who_works_is_late_in_turns_however_short_or_long_they_are() {
        let [idle, busy, ..] = Seat::ALL;
        for turn in [Duration::from_micros(20), 5 * UNASKED] {
            let overtime = Overtime::after(Duration::from_millis(40));
            let mut round = 0;
            let late = loop {
                round += 1;
                for seat in [idle, busy] {
                    overtime.begin(seat, round);
                    if seat == busy {
                        work(turn);
                    }
                    overtime.end();
                }
                // The rules are nobody's.
                work(turn);
                if let Some(late) = overtime.of() {
                    break late;
                }
            };
            assert_eq!(late, (busy, round));
        }
    }

    #[test]
    fn who_works_is_late_before_the_turn_is_over() {
        let overtime = Overtime::after(Duration::from_millis(20));
        overtime.begin(Seat::ALL[2], 7);
        while overtime.of().is_none() {
            work(UNASKED);
        }
        assert_eq!(overtime.of(), Some((Seat::ALL[2], 7)));
        assert_eq!(overtime.clocks().used, [Duration::ZERO; Seat::COUNT]);
    }
}
