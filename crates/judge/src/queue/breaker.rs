//! Taking no work while the machine is in trouble.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::clock;
use crate::trouble::Trouble;

/// Why no work is taken, and since when.
#[derive(Clone, Copy, Debug)]
pub struct Pause {
    pub trouble: Trouble,
    pub since: i64,
    length: Duration,
    until: Duration,
}

/// Open while the machine is in trouble. It is closed by a look at the machine,
/// which happens after a pause that grows as long as the trouble lasts.
#[derive(Debug, Default)]
pub struct Breaker(Mutex<Option<Pause>>);

const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(60);

impl Breaker {
    fn state(&self) -> std::sync::MutexGuard<'_, Option<Pause>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn pause(&self) -> Option<Pause> {
        *self.state()
    }

    /// There is trouble, or still is.
    pub fn open(&self, trouble: Trouble) {
        let mut state = self.state();
        let (since, length) = match *state {
            // Several jobs that fail together are one trouble.
            Some(pause) if clock::steady() < pause.until => (pause.since, pause.length),
            Some(pause) => (pause.since, (pause.length * 2).min(LONGEST)),
            None => (clock::now(), FIRST),
        };
        *state = Some(Pause { trouble, since, length, until: clock::steady() + length });
    }

    pub fn close(&self) {
        *self.state() = None;
    }

    /// Lets the next worker look at the machine at once.
    pub fn hurry(&self) {
        if let Some(pause) = self.state().as_mut() {
            (pause.length, pause.until) = (FIRST, clock::steady());
        }
    }

    /// Whether it is time to look at the machine again, for one worker of all.
    pub fn is_over(&self) -> bool {
        let mut state = self.state();
        let Some(pause) = state.as_mut() else { return true };
        let over = clock::steady() >= pause.until;
        if over {
            pause.length = (pause.length * 2).min(LONGEST);
            pause.until = clock::steady() + pause.length;
        }
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::Faults;

    #[tokio::test]
    async fn pauses_grow_and_end_with_a_look() {
        let faults = Faults::switch_on(1).await;
        let breaker = Breaker::default();
        assert!(breaker.pause().is_none() && breaker.is_over());
        breaker.open(Trouble::Disk);
        breaker.open(Trouble::Files);
        let mut waited = Vec::new();
        for _ in 0..8 {
            let mut seconds = 0;
            while !breaker.is_over() {
                faults.pass(Duration::from_secs(1));
                seconds += 1;
            }
            waited.push(seconds);
        }
        assert_eq!(waited, [1, 2, 4, 8, 16, 32, 60, 60], "one look at a time, ever more seldom");
        breaker.close();
        assert!(breaker.pause().is_none() && breaker.is_over());
    }
}
