//! The record of a match of Requiem: names, seed, and one digit per order.
//!
//! It holds neither boards nor settings. Reading one plays the match again,
//! with the settings that every match of the original had.

use std::sync::Arc;

use super::ABOUT;
use super::engine::Engine;
use super::settings::Settings;
use super::state::State;
use crate::Engine as _;
use crate::record::{Frame, Header, Record, RecordWriter, read_name};
use crate::text::WriteText;
use crate::tokens::{Result, TextError, Tokens, show};
use crate::{Orders, PerSeat, Seat};

pub struct Writer;

impl Writer {
    pub fn begin(header: &Header, _: &State, out: &mut Vec<u8>) -> Writer {
        out.text(ABOUT.version);
        out.text("\n");
        for name in &header.names {
            out.text(name);
            out.text("\n");
        }
        out.int(header.seed);
        out.text("\n");
        Writer
    }
}

impl RecordWriter for Writer {
    /// A direction is one character, whatever its value.
    fn round(&mut self, done: &Orders, _: &dyn crate::State, out: &mut Vec<u8>) {
        let pairs = done.filter_length();
        out.extend(pairs.iter().map(|&[_, direction]| b'0'.wrapping_add(direction as u8)));
        out.text("\n");
    }
}

pub fn read(text: &[u8]) -> Result<Record> {
    let mut tokens = Tokens::new(text);
    ABOUT.version.split(' ').try_for_each(|word| tokens.expect(word))?;
    let mut names = PerSeat::default();
    for name in &mut names {
        *name = read_name(&mut tokens)?;
    }
    let seed = tokens.int("the seed")?;
    let settings = Settings::read(ABOUT.default_config.as_bytes()).expect("the default config is well-formed");
    let mut engine = Engine::new(&Arc::new(settings), seed).map_err(|error| tokens.error(error.message))?;
    let mut record =
        Record { header: Header { judged: false, seed, names }, frames: vec![frame(&engine)], damage: None };
    let digits = Digits { text, at: tokens.offset() };
    record.damage = play(&mut engine, digits, &mut record).err();
    Ok(record)
}

/// Plays the rounds that the text has.
fn play(engine: &mut Engine, mut digits: Digits, record: &mut Record) -> Result<()> {
    let mut orders = PerSeat::default();
    let rounds = engine.board().settings.rounds;
    for round in 0..rounds {
        if digits.at_end() {
            return Err(digits.error(format!("the match breaks off after round {round} of {rounds}")));
        }
        digits.check_width(engine.board())?;
        digits.read_round(engine.board(), &mut orders)?;
        engine.step(&orders).map_err(|stuck| digits.error(stuck.to_string()))?;
        record.frames.push(frame(engine));
    }
    if digits.at_end() { Ok(()) } else { Err(digits.error("there is more text after the last round")) }
}

fn frame(engine: &Engine) -> Frame {
    Frame { done: engine.done().clone(), state: Box::new(engine.board().clone()) }
}

/// What follows the seed: a line of digits for each round, with white space anywhere.
struct Digits<'a> {
    text: &'a [u8],
    at: usize,
}

impl Digits<'_> {
    /// A round is a line. The reference reads on across line ends, and shows a
    /// match that never was when a digit is lost, or when the record was made
    /// with other settings, which it does not tell.
    fn check_width(&self, state: &State) -> Result<()> {
        let rest = &self.text[self.at..];
        let Some(end) = rest.iter().position(|&c| c == b'\n') else { return Ok(()) };
        let (width, robots) = (rest[..end].iter().filter(|&&c| !is_blank(c)).count(), state.robots.len());
        if width == robots {
            return Ok(());
        }
        let hint = if state.round == 0 { "; only matches with the default settings can be read" } else { "" };
        Err(self.error(format!("expected {robots} orders in a round, found {width}{hint}")))
    }

    /// One digit for each robot, team by team, by increasing id.
    fn read_round(&mut self, state: &State, orders: &mut PerSeat<Orders>) -> Result<()> {
        for seat in Seat::ALL {
            orders[seat].clear();
            for robot in state.robots.iter().filter(|robot| robot.seat == seat) {
                if self.at_end() {
                    return Err(self.error("the match breaks off within a round"));
                }
                let digit = self.text[self.at];
                if !digit.is_ascii_digit() {
                    return Err(self.error(format!("expected a direction, a digit, found {}", show(&[digit]))));
                }
                orders[seat].push(&[robot.id, i32::from(digit - b'0')]);
                self.at += 1;
            }
        }
        Ok(())
    }

    /// Whether only white space is left; skips what comes before the next digit.
    fn at_end(&mut self) -> bool {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|&c| !is_blank(c)).unwrap_or(rest.len());
        self.at == self.text.len()
    }

    fn error(&self, message: impl Into<String>) -> TextError {
        Tokens::new(self.text).error_at(self.at, message)
    }
}

fn is_blank(c: u8) -> bool {
    matches!(c, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A match of idle players with this many rounds.
    fn record(rounds: usize) -> String {
        let mut text = "_REQUIEM_CS 1.1\nAda\nBel\nCai\nDot\n-5\n".to_owned();
        (0..rounds).for_each(|_| text += &format!("{}\n", "9".repeat(160)));
        text
    }

    /// The rounds that a text gives, and what is wrong with it.
    fn check(text: &str, rounds: usize, expected: Option<&str>) {
        let record = read(text.as_bytes()).unwrap();
        let damage = record.damage.as_ref().map(TextError::to_string);
        assert_eq!((record.frames.len() - 1, damage.as_deref()), (rounds, expected));
    }

    #[test]
    fn written_as_read() {
        let text = record(300).replacen("999", "123", 200);
        let mut written = Vec::new();
        read(text.as_bytes()).unwrap().write(&mut written);
        assert_eq!(String::from_utf8(written), Ok(text));
    }

    #[test]
    fn white_space_between_digits_does_not_count() {
        check(&record(300), 300, None);
        check(&record(300).replacen("999", "9 \t\r9\x0b\x0c9", 1), 300, None);
        check(&format!("{}\n\n  ", record(300)), 300, None);
    }

    #[test]
    fn damaged_records_give_what_is_readable() {
        check(&record(0), 0, Some("line 7, column 1: the match breaks off after round 0 of 300"));
        check(&record(2), 2, Some("line 9, column 1: the match breaks off after round 2 of 300"));
        check(record(2).trim_end(), 2, Some("line 8, column 161: the match breaks off after round 2 of 300"));
        check(&record(2)[..300], 1, Some("line 8, column 105: the match breaks off within a round"));
        check(&record(301), 300, Some("line 307, column 1: there is more text after the last round"));
        check(&format!("{}99x", record(1)), 1, Some("line 8, column 3: expected a direction, a digit, found 'x'"));
        let lost = format!("{}9\n{}", record(1), "9".repeat(160));
        check(&lost, 1, Some("line 8, column 1: expected 160 orders in a round, found 1"));
        check(
            &record(0).replace("-5", "-5\n9999\n9999"),
            0,
            Some(
                "line 7, column 1: expected 160 orders in a round, found 4; only matches with the default settings can be read",
            ),
        );
    }

    #[test]
    fn without_a_first_state_there_is_nothing() {
        for (text, expected) in [
            ("", "line 1, column 1: expected _REQUIEM_CS, found the end of the text"),
            ("_REQUIEM 1.1", "line 1, column 1: expected _REQUIEM_CS, found '_REQUIEM'"),
            ("_REQUIEM_CS 1.0", "line 1, column 13: expected 1.1, found '1.0'"),
            ("_REQUIEM_CS 1.1 a b c d", "line 1, column 24: expected the seed, found the end of the text"),
            (
                "_REQUIEM_CS 1.1 a b c d 1777366735",
                "line 1, column 25: the generator is stuck at 1777366735, so the robots cannot be scattered; choose another seed",
            ),
        ] {
            assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), expected);
        }
    }
}
