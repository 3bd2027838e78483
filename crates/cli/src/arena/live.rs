//! What somebody at a terminal sees while the matches are played.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use ludus_arena::Tally;

use super::plan::Plan;
use super::tables;

/// Players in the live table; the rest is in the results.
const MOST_ROWS: usize = 10;

pub struct Live {
    begun: Instant,
    next: Option<Instant>,
    first: u64,
    all: u64,
    /// Lines on the screen that the next picture replaces.
    lines: usize,
}

impl Live {
    const PERIOD: Duration = Duration::from_millis(200);

    pub fn new(first: u64, all: u64) -> Live {
        let begun = Instant::now();
        let next = std::io::stderr().is_terminal().then(|| begun + Live::PERIOD);
        Live { begun, next, first, all, lines: 0 }
    }

    pub fn show(&mut self, plan: &Plan, tally: &Tally, stopping: bool) {
        let now = Instant::now();
        if self.next.is_none_or(|next| now < next) {
            return;
        }
        self.next = Some(now + Live::PERIOD);
        let mut text = bar(tally.matches(), self.first, self.all, now - self.begun);
        if stopping {
            text.push_str("\nstopping; the matches under way are finished (Ctrl-C again: at once)");
        }
        text.push('\n');
        if tally.is_complete() {
            text.push_str(&tables::brief(plan, tally, MOST_ROWS));
        }
        // One write, so that the picture does not flicker.
        eprint!("{}{text}", self.back());
        self.lines = text.lines().count();
    }

    /// Leaves the terminal as it was.
    pub fn clear(&mut self) {
        if self.lines > 0 {
            eprint!("{}", self.back());
            self.lines = 0;
        }
    }

    /// To the beginning of the picture on the screen, removing it.
    fn back(&self) -> String {
        match self.lines {
            0 => String::new(),
            lines => format!("\x1b[{lines}F\x1b[J"),
        }
    }
}

/// The bar with the rate and the time left, in at most 79 columns.
fn bar(done: u64, first: u64, all: u64, elapsed: Duration) -> String {
    const WIDTH: u64 = 24;
    let filled = (done * WIDTH / all.max(1)) as usize;
    let mut text = format!("[{}{}]", "#".repeat(filled), "-".repeat(WIDTH as usize - filled));
    let rate = (done - first) as f64 / elapsed.as_secs_f64().max(0.001);
    let written = write!(text, " {done}/{all}  {rate:.0}/s");
    written.expect("writing to memory");
    if rate > 0.0 {
        text.push_str(&format!("  {} left", time((all - done) as f64 / rate)));
    }
    text
}

fn time(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{}:{:02} min", seconds / 60, seconds % 60),
        _ => format!("{}:{:02} h", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_says_how_far_how_fast_and_how_long() {
        let check = |done, first, all, seconds, expected: &str| {
            assert_eq!(bar(done, first, all, Duration::from_secs(seconds)), expected);
        };
        check(500, 0, 1000, 10, "[############------------] 500/1000  50/s  10 s left");
        check(500, 400, 1000, 10, "[############------------] 500/1000  10/s  50 s left");
        check(0, 0, 1000, 0, "[------------------------] 0/1000  0/s");
        check(1000, 0, 100_000, 1, "[------------------------] 1000/100000  1000/s  1:39 min left");
        check(10, 0, 100_000, 1, "[------------------------] 10/100000  10/s  2:46 h left");
        check(7, 0, 7, 1, "[########################] 7/7  7/s  0 s left");
    }
}
