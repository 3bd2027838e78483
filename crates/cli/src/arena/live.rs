//! What somebody sees while the matches are played.

use std::time::Duration;

use ludus_arena::Tally;

use super::plan::Plan;
use super::tables;
use crate::terminal::{self, Progress, Size};

/// Players in the live table; the rest is in the results.
const MOST_ROWS: usize = 10;

pub struct Live {
    progress: Progress,
    first: u64,
    all: u64,
}

impl Live {
    pub fn new(first: u64, all: u64) -> Live {
        Live { progress: Progress::new(), first, all }
    }

    pub fn show(&mut self, plan: &Plan, tally: &Tally, stopping: bool) {
        let elapsed = self.progress.elapsed();
        let below = |Size { columns, rows }: Size| {
            let mut text = String::new();
            if stopping {
                text.push_str("stopping; the matches under way are finished (Ctrl-C again: at once)\n");
            }
            // The bar, the head of the table and the cursor take a row each.
            let room = rows.saturating_sub(3 + usize::from(stopping));
            if tally.is_complete() && room > 0 {
                text.push_str(&tables::brief(plan, tally, room.min(MOST_ROWS), columns));
            }
            text
        };
        let bar = |size: Size| bar(tally.matches(), self.first, self.all, elapsed, size.columns);
        self.progress.show(bar, below);
    }

    pub fn clear(&mut self) {
        self.progress.clear();
    }
}

/// The bar with the rate and the time left, in so many columns.
fn bar(done: u64, first: u64, all: u64, elapsed: Duration, columns: usize) -> String {
    let rate = (done - first) as f64 / elapsed.as_secs_f64().max(0.001);
    let mut text = format!("{done}/{all}  {rate:.0}/s");
    if rate > 0.0 {
        text.push_str(&format!("  {} left", terminal::time((all - done) as f64 / rate)));
    }
    match columns.saturating_sub(text.len() + 3).min(24) {
        0..4 => text,
        width => format!("{} {text}", terminal::bar(done as f64 / all.max(1) as f64, width)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_says_how_far_how_fast_and_how_long() {
        let check = |done, first, all, seconds, columns, expected: &str| {
            let text = bar(done, first, all, Duration::from_secs(seconds), columns);
            assert_eq!(text, expected);
            assert!(text.len() <= columns.max(28), "{text}");
        };
        check(500, 0, 1000, 10, 80, "[############------------] 500/1000  50/s  10 s left");
        check(500, 400, 1000, 10, 80, "[############------------] 500/1000  10/s  50 s left");
        check(0, 0, 1000, 0, 80, "[------------------------] 0/1000  0/s");
        check(1000, 0, 100_000, 1, 80, "[------------------------] 1000/100000  1000/s  1:39 min left");
        check(7, 0, 7, 1, 80, "[########################] 7/7  7/s  0 s left");
        check(500, 0, 1000, 10, 40, "[######------] 500/1000  50/s  10 s left");
        check(500, 0, 1000, 10, 30, "500/1000  50/s  10 s left");
        check(500, 0, 1000, 10, 5, "500/1000  50/s  10 s left");
    }
}
