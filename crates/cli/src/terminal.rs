//! The terminal of somebody who waits: how large it is, and a picture on it that
//! is drawn again and again. Where standard error is no terminal, a line of text
//! comes now and then instead.
#![allow(unsafe_code)]

use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub columns: usize,
    pub rows: usize,
}

impl Size {
    /// What is taken for granted where nobody tells.
    pub const USUAL: Size = Size { columns: 80, rows: 24 };

    /// That of the terminal that standard error goes to.
    #[cfg(unix)]
    pub fn of_terminal() -> Size {
        let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: the call writes a size where a size belongs, or fails.
        let done = unsafe { libc::ioctl(libc::STDERR_FILENO, libc::TIOCGWINSZ, &raw mut size) };
        match (done, size.ws_col, size.ws_row) {
            (0, 1.., 1..) => Size { columns: size.ws_col.into(), rows: size.ws_row.into() },
            _ => Size::USUAL,
        }
    }

    #[cfg(not(unix))]
    pub fn of_terminal() -> Size {
        Size::USUAL
    }
}

/// Tells how far something is.
pub struct Progress {
    begun: Instant,
    next: Instant,
    is_terminal: bool,
    /// Lines on the screen that the next picture replaces.
    lines: usize,
}

impl Progress {
    /// Between two pictures.
    const PERIOD: Duration = Duration::from_millis(200);
    /// Until the first line of text; the next ones take longer and longer.
    const PATIENCE: Duration = Duration::from_secs(10);
    const MOST_PATIENCE: Duration = Duration::from_secs(120);

    pub fn new() -> Progress {
        let (begun, is_terminal) = (Instant::now(), std::io::stderr().is_terminal());
        let next = begun + if is_terminal { Progress::PERIOD } else { Progress::PATIENCE };
        Progress { begun, next, is_terminal, lines: 0 }
    }

    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Shows a line, and on terminals what goes below it, if it is time. Both are
    /// made for a terminal of that size.
    pub fn show(&mut self, line: impl FnOnce(Size) -> String, below: impl FnOnce(Size) -> String) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        if !self.is_terminal {
            eprintln!("{}", line(Size::USUAL));
            self.next = now + (now - self.begun).min(Progress::MOST_PATIENCE);
            return;
        }
        self.next = now + Progress::PERIOD;
        let size = Size::of_terminal();
        let text = fitting(&format!("{}\n{}", line(size), below(size)), size);
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

/// The text without what would not fit: a line that wraps, or a picture that
/// scrolls away, could not be replaced. The last row is the cursor's.
fn fitting(text: &str, Size { columns, rows }: Size) -> String {
    let lines = text.lines().take(rows.saturating_sub(1).max(1));
    lines.map(|line| line.chars().take(columns).collect::<String>() + "\n").collect()
}

/// A bar of so many columns of which a part is filled.
pub fn bar(part: f64, width: usize) -> String {
    let filled = (part.clamp(0.0, 1.0) * width as f64) as usize;
    format!("[{}{}]", "#".repeat(filled), "-".repeat(width - filled))
}

/// A time for people.
pub fn time(seconds: f64) -> String {
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
    fn pictures_fit_into_any_terminal() {
        let check = |columns, rows, expected: &str| {
            assert_eq!(fitting("a bar ###\nname  1.0 ±0.2\nother 0.5\n", Size { columns, rows }), expected);
        };
        check(80, 24, "a bar ###\nname  1.0 ±0.2\nother 0.5\n");
        check(80, 4, "a bar ###\nname  1.0 ±0.2\nother 0.5\n");
        check(80, 3, "a bar ###\nname  1.0 ±0.2\n");
        check(11, 24, "a bar ###\nname  1.0 ±\nother 0.5\n");
        check(3, 1, "a b\n");
    }

    #[test]
    fn bars_and_times() {
        assert_eq!(bar(0.5, 8), "[####----]");
        assert_eq!((bar(-1.0, 2), bar(7.0, 2)), ("[--]".to_owned(), "[##]".to_owned()));
        for (seconds, text) in [(0.0, "0 s"), (9.2, "10 s"), (99.0, "1:39 min"), (9990.0, "2:46 h")] {
            assert_eq!(time(seconds), text);
        }
    }
}
