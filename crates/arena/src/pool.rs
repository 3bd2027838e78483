//! Work on every core, results in order.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How far a thread may run ahead of the oldest result that is not there yet,
/// so that one long match does not pile up results without end.
const AHEAD: u64 = 1024;

/// Results are taken up together after this time, rather than one by one: to
/// wake for each would take the core from whoever is playing.
const PAUSE: Duration = Duration::from_millis(2);

/// Room for the calls of a player, as much as programs have on most systems.
pub const CALL_STACK: usize = 8 << 20;

/// The stack of a thread that plays matches. One with less plays them too, but
/// has to make room for every turn of a player.
pub const PLAYING_STACK: usize = CALL_STACK + (4 << 20);

/// Does every piece of work on one of `jobs` threads, and hands the results to
/// `deliver` on this thread in the order of their numbers. So whatever
/// `deliver` makes of them does not depend on how many threads there are or
/// which is fastest.
///
/// Ends early when `deliver` breaks, when `stop` is set, or with the error of
/// the first piece of work that fails; pieces that are under way then are
/// finished, and delivered unless `deliver` was what broke. What has been
/// delivered is always everything up to some number.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::atomic::AtomicBool;
///
/// let mut squares = Vec::new();
/// ludus_arena::in_order(4, 0..5, &AtomicBool::new(false), |n| Ok::<_, ()>(n * n), |_, square| {
///     squares.push(square);
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(squares, [0, 1, 4, 9, 16]);
/// # Ok::<(), ()>(())
/// ```
///
/// # Panics
/// If a piece of work does.
pub fn in_order<T: Send, E: Send>(
    jobs: usize,
    numbers: Range<u64>,
    stop: &AtomicBool,
    work: impl Fn(u64) -> Result<T, E> + Sync,
    mut deliver: impl FnMut(u64, T) -> ControlFlow<()>,
) -> Result<(), E> {
    let line = Line::new(numbers.start);
    let next = AtomicU64::new(numbers.start);
    let no_more = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let sender = sender.clone();
            let (line, next, no_more, work) = (&line, &next, &no_more, &work);
            let end = numbers.end;
            let thread = std::thread::Builder::new().stack_size(PLAYING_STACK);
            let started = thread.spawn_scoped(scope, move || {
                // Whoever waits for this thread must not wait for ever if its work panics.
                let _leaving = Leaving { line, no_more };
                while !no_more.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end || !line.wait_for_turn(number, no_more) {
                        break;
                    }
                    // Nobody listens any more once a result has broken off the work.
                    if sender.send((number, work(number))).is_err() {
                        break;
                    }
                }
            });
            started.expect("the system has room for threads");
        }
        drop(sender);
        let done = receive(&receiver, &line, numbers.start, &no_more, &mut deliver);
        no_more.store(true, Ordering::Relaxed);
        line.wake();
        done
    })
}

/// Puts the results in order and delivers them.
fn receive<T, E>(
    receiver: &mpsc::Receiver<(u64, Result<T, E>)>,
    line: &Line,
    start: u64,
    no_more: &AtomicBool,
    deliver: &mut impl FnMut(u64, T) -> ControlFlow<()>,
) -> Result<(), E> {
    let mut early = BTreeMap::new();
    let mut expected = start;
    while let Ok(first) = receiver.recv() {
        for (number, result) in std::iter::once(first).chain(receiver.try_iter()) {
            if result.is_err() {
                no_more.store(true, Ordering::Relaxed);
                line.wake();
            }
            early.insert(number, result);
        }
        while let Some(result) = early.remove(&expected) {
            if deliver(expected, result?).is_break() {
                return Ok(());
            }
            expected += 1;
        }
        line.advance(expected);
        std::thread::sleep(PAUSE);
    }
    Ok(())
}

/// The oldest number that has not been delivered, for threads to wait at.
struct Line {
    oldest: Mutex<u64>,
    moved: Condvar,
}

impl Line {
    fn new(oldest: u64) -> Line {
        Line { oldest: Mutex::new(oldest), moved: Condvar::new() }
    }

    /// Waits until `number` is near enough to the front; false if nobody wants
    /// it any more.
    fn wait_for_turn(&self, number: u64, no_more: &AtomicBool) -> bool {
        let mut oldest = self.oldest.lock().unwrap_or_else(PoisonError::into_inner);
        while number >= *oldest + AHEAD {
            if no_more.load(Ordering::Relaxed) {
                return false;
            }
            oldest = self.moved.wait(oldest).unwrap_or_else(PoisonError::into_inner);
        }
        true
    }

    fn advance(&self, oldest: u64) {
        *self.oldest.lock().unwrap_or_else(PoisonError::into_inner) = oldest;
        self.moved.notify_all();
    }

    /// Lets those who wait look again whether anybody still wants their work.
    fn wake(&self) {
        let _guard = self.oldest.lock().unwrap_or_else(PoisonError::into_inner);
        self.moved.notify_all();
    }
}

/// Ends everybody's work when a thread ends by a panic.
struct Leaving<'a> {
    line: &'a Line,
    no_more: &'a AtomicBool,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.no_more.store(true, Ordering::Relaxed);
            self.line.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work whose pieces take very different time, without a clock.
    fn uneven(number: u64) -> u64 {
        let rounds = if number.is_multiple_of(97) { 200_000 } else { number % 13 };
        (0..rounds).fold(number, |value, k| std::hint::black_box(value.wrapping_mul(31) ^ k))
    }

    fn collect(jobs: usize, end: u64, stop_at: Option<u64>) -> Vec<(u64, u64)> {
        let stop = AtomicBool::new(false);
        let mut seen = Vec::new();
        let done = in_order(
            jobs,
            0..end,
            &stop,
            |number| Ok::<_, ()>(uneven(number)),
            |number, value| {
                seen.push((number, value));
                if stop_at == Some(number) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!(done, Ok(()));
        seen
    }

    #[test]
    fn results_come_in_order_whatever_the_number_of_threads() {
        let expected: Vec<_> = (0..5000).map(|number| (number, uneven(number))).collect();
        for jobs in [0, 1, 2, 3, 8] {
            assert_eq!(collect(jobs, 5000, None), expected);
            assert_eq!(collect(jobs, 5000, Some(2500)), expected[..=2500]);
        }
    }

    #[test]
    fn what_has_begun_when_it_is_stopped_is_delivered() {
        for jobs in [1, 2, 5] {
            let stop = AtomicBool::new(false);
            let (mut begun, mut delivered) = (AtomicU64::new(0), 0);
            let work = |number: u64| {
                begun.fetch_add(1, Ordering::Relaxed);
                if number == 300 {
                    stop.store(true, Ordering::Relaxed);
                }
                Ok::<_, ()>(())
            };
            let deliver = |number, ()| {
                assert_eq!(number, delivered);
                delivered += 1;
                ControlFlow::Continue(())
            };
            in_order(jobs, 0..u64::MAX, &stop, work, deliver).unwrap();
            assert!(delivered > 300 && delivered == *begun.get_mut(), "{delivered}");
        }
    }

    #[test]
    fn the_first_failure_in_the_order_of_numbers_is_the_error() {
        for jobs in [1, 2, 5] {
            let mut delivered = 0;
            let work = |number: u64| if number >= 50 && number % 2 == 1 { Err(number) } else { Ok(()) };
            let deliver = |_, ()| {
                delivered += 1;
                ControlFlow::Continue(())
            };
            assert_eq!(in_order(jobs, 0..1_000_000, &AtomicBool::new(false), work, deliver), Err(51));
            assert_eq!(delivered, 51);
        }
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on_and_nobody_waits_for_ever() {
        let work = |number: u64| if number == 5 { panic!("on purpose") } else { Ok::<_, ()>(()) };
        let _ = in_order(3, 0..1_000_000, &AtomicBool::new(false), work, |_, ()| ControlFlow::Continue(()));
    }
}
