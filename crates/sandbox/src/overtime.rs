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

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ludus_arena::{Player, through};
use ludus_games::{PerSeat, Seat};

use crate::clock::{clock_ticks, cpu_time};
use crate::limits::{FUEL_PER_SECOND, Limits};

/// How many seconds of CPU a player may take for each second that its fuel
/// stands for. No host call takes more than 8, honest players take 1 to 3.
pub const TIMES: u64 = 30;

/// The clocks of the players of one match, which must be the only work of its
/// process.
///
/// Turns are short and many, so that nobody looks at a clock for each: whoever has
/// the turn when the machine's clock ticks has taken all that the process took
/// since the tick before. A tick is four milliseconds on most machines, and what
/// may be taken is many of them.
#[derive(Debug)]
pub struct Overtime {
    allowed: Duration,
    /// Whose turn it is, and in which round; nobody's while the rules are at work.
    turn: AtomicU64,
    /// The tick of which the books know.
    tick: AtomicU64,
    books: Mutex<Books>,
}

#[derive(Debug)]
struct Books {
    used: PerSeat<Duration>,
    /// The round in which each was at work last when the clock ticked.
    asked: PerSeat<u32>,
    /// What the process had taken at the last tick.
    cpu: Duration,
}

/// No seat's turn.
const NOBODY: u64 = u64::MAX;

fn turn_of(seat: Seat, round: u32) -> u64 {
    (seat.index() as u64) << 32 | u64::from(round)
}

fn seat_of(turn: u64) -> Option<(Seat, u32)> {
    Some((*Seat::ALL.get((turn >> 32) as usize)?, turn as u32))
}

impl Overtime {
    pub fn new(limits: &Limits) -> Arc<Overtime> {
        let nominal = Duration::from_millis(limits.fuel / (FUEL_PER_SECOND / 1000));
        Overtime::after(nominal.saturating_mul(TIMES as u32))
    }

    /// With another limit, for tests.
    pub fn after(allowed: Duration) -> Arc<Overtime> {
        let books = Books { used: PerSeat::default(), asked: PerSeat::default(), cpu: cpu_time() };
        Arc::new(Overtime {
            allowed,
            turn: AtomicU64::new(NOBODY),
            tick: AtomicU64::new(clock_ticks()),
            books: Mutex::new(books),
        })
    }

    pub fn allowed(&self) -> Duration {
        self.allowed
    }

    /// The seat that has taken more than it may, and in which round it did.
    pub fn of(&self) -> Option<(Seat, u32)> {
        let books = self.books();
        let (mut used, mut asked) = (books.used, books.asked);
        if let Some((seat, round)) = seat_of(self.turn.load(Ordering::Relaxed)) {
            // A turn that goes on has not told of the ticks in it.
            if clock_ticks() != self.tick.load(Ordering::Relaxed) {
                used[seat] += cpu_time().saturating_sub(books.cpu);
                asked[seat] = round;
            }
        }
        let late = Seat::ALL.into_iter().find(|&seat| used[seat] > self.allowed)?;
        Some((late, asked[late]))
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

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, seat: Seat, round: u32) {
        self.look();
        self.turn.store(turn_of(seat, round), Ordering::Relaxed);
    }

    fn end(&self) {
        self.look();
        self.turn.store(NOBODY, Ordering::Relaxed);
    }

    /// Writes down whose tick it was, if there was one.
    fn look(&self) {
        let tick = clock_ticks();
        if tick == self.tick.load(Ordering::Relaxed) {
            return;
        }
        let (mut books, cpu) = (self.books(), cpu_time());
        let taken = cpu.saturating_sub(books.cpu);
        if let Some((seat, round)) = seat_of(self.turn.load(Ordering::Relaxed)) {
            books.used[seat] += taken;
            books.asked[seat] = round;
        }
        books.cpu = cpu;
        self.tick.store(tick, Ordering::Relaxed);
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
        for turn in [Duration::from_micros(20), Duration::from_millis(5)] {
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
            work(Duration::from_millis(1));
        }
        assert_eq!(overtime.of(), Some((Seat::ALL[2], 7)));
        assert_eq!(overtime.books().used, [Duration::ZERO; Seat::COUNT]);
    }
}
