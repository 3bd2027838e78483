//! Work on every core, results in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How many threads work at a time, at most.
static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Lets all work of this process be done by one thread: what it may take must not
/// depend on how many cores there are.
pub fn use_one_thread() {
    MOST.store(1, Ordering::Relaxed);
}

/// Trees are walked by functions that call themselves.
const STACK: usize = 16 << 20;

/// How many threads work at a time.
pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(MOST.load(Ordering::Relaxed))
}

/// What a function gives for each number below `count`, in order.
pub(crate) fn map<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = threads().min(count.max(1));
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(count));
    thread::scope(|scope| {
        for _ in 0..threads {
            let task = || loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                if place >= count {
                    break;
                }
                let result = work(place);
                done.lock().unwrap_or_else(PoisonError::into_inner).push((place, result));
            };
            let started = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, task);
            started.expect("a machine that compares sources can start a thread");
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}
