//! The reader of configs and records: words and integers between white space,
//! as the reference engines read them, with errors that say where.
//!
//! Nothing read here is trusted. The reader never allocates in proportion to a
//! number it has read, and an error costs one pass over the text.

use std::fmt;
use std::ops::RangeInclusive;

/// What is wrong with a text, and where. The name of the file is the caller's
/// to add, in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Line and column, both from 1; none if the text as a whole is meant.
    pub place: Option<(usize, usize)>,
    pub message: String,
}

impl TextError {
    /// An error of the text as a whole: each part may be right, together they are not.
    pub fn whole(message: impl Into<String>) -> Self {
        TextError { place: None, message: message.into() }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, "line {line}, column {column}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for TextError {}

pub type Result<T> = std::result::Result<T, TextError>;

/// A position in the text and how much of it has been read.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    /// Where the thing read last begins: errors about its value point there.
    last: usize,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Tokens { text, at: 0, last: 0 }
    }

    /// Whether only white space is left.
    pub fn at_end(&mut self) -> bool {
        self.skip_space();
        self.at == self.text.len()
    }

    /// How many bytes have been read.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The next word: everything up to white space. `what` says what it should be.
    pub fn word(&mut self, what: &str) -> Result<&'a [u8]> {
        self.skip_space();
        self.last = self.at;
        let rest = &self.text[self.at..];
        let len = rest.iter().position(|&c| is_space(c)).unwrap_or(rest.len());
        if len == 0 {
            return Err(self.error(format!("expected {what}, found the end of the text")));
        }
        self.at += len;
        Ok(&rest[..len])
    }

    /// The next word, which must be this one.
    pub fn expect(&mut self, word: &str) -> Result<()> {
        let found = self.word(word)?;
        if found == word.as_bytes() {
            return Ok(());
        }
        Err(self.error(format!("expected {word}, found {}", show(found))))
    }

    /// The next integer. It ends at the first character that is not a digit,
    /// and reading goes on there. `what` says what it should be.
    pub fn int(&mut self, what: &str) -> Result<i32> {
        self.skip_space();
        self.last = self.at;
        let rest = &self.text[self.at..];
        let sign = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
        let digits = rest[sign..].iter().take_while(|c| c.is_ascii_digit()).count();
        if digits == 0 {
            let found = self.clone().word(what)?;
            return Err(self.error(format!("expected {what}, an integer, found {}", show(found))));
        }
        self.at += sign + digits;
        let mut value: i64 = 0;
        for &digit in &rest[sign..sign + digits] {
            value = (value * 10 + i64::from(digit - b'0')).min(1 << 40);
        }
        if rest[0] == b'-' {
            value = -value;
        }
        i32::try_from(value).map_err(|_| {
            let found = show(&rest[..sign + digits]);
            self.error(format!("{what} must fit in 32 bits, found {found}"))
        })
    }

    /// The next integer, which must be in `range`.
    pub fn int_in(&mut self, what: &str, range: RangeInclusive<i32>) -> Result<i32> {
        let value = self.int(what)?;
        self.check(what, value, range)
    }

    /// The next character that is not white space, whatever follows it. `what`
    /// says what it should be.
    pub fn character(&mut self, what: &str) -> Result<u8> {
        self.skip_space();
        self.last = self.at;
        match self.text.get(self.at) {
            Some(&c) => {
                self.at += 1;
                Ok(c)
            }
            None => Err(self.error(format!("expected {what}, found the end of the text"))),
        }
    }

    /// The next word, which must be one of `letters`, as its place among them.
    pub fn letter(&mut self, expected: &str, letters: &[u8]) -> Result<i32> {
        let word = self.word(expected)?;
        let place = match word {
            &[c] => letters.iter().position(|&letter| letter == c),
            _ => None,
        };
        place.map(|place| place as i32).ok_or_else(|| self.error(format!("expected {expected}, found {}", show(word))))
    }

    /// A label and its value, which must be in `range`.
    pub fn setting(&mut self, label: &str, range: RangeInclusive<i32>) -> Result<i32> {
        self.expect(label)?;
        self.int_in(label, range)
    }

    /// Says what is wrong with the thing read last, if its value is not in `range`.
    pub fn check(&self, what: &str, value: i32, range: RangeInclusive<i32>) -> Result<i32> {
        if range.contains(&value) {
            return Ok(value);
        }
        let (low, high) = range.into_inner();
        let must = match (low, high) {
            (low, high) if low == high => format!("{low}"),
            (low, i32::MAX) => format!("at least {low}"),
            (low, high) => format!("from {low} to {high}"),
        };
        Err(self.error(format!("{what} must be {must}, found {value}")))
    }

    /// An error about the thing read last.
    pub fn error(&self, message: impl Into<String>) -> TextError {
        self.error_at(self.last, message)
    }

    /// An error about the byte at `offset`.
    pub fn error_at(&self, offset: usize, message: impl Into<String>) -> TextError {
        let before = &self.text[..offset.min(self.text.len())];
        let line = before.iter().filter(|&&c| c == b'\n').count() + 1;
        let start = before.iter().rposition(|&c| c == b'\n').map_or(0, |n| n + 1);
        TextError { place: Some((line, offset - start + 1)), message: message.into() }
    }

    /// Where the thing read last begins.
    pub fn last(&self) -> usize {
        self.last
    }

    /// The next number with a fraction: the status of a seat.
    pub fn status(&mut self, what: &str) -> Result<crate::Status> {
        let word = self.word(what)?;
        crate::Status::parse(word).ok_or_else(|| self.error(format!("expected {what}, a number, found {}", show(word))))
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|&c| !is_space(c)).unwrap_or(rest.len());
    }
}

fn is_space(c: u8) -> bool {
    matches!(c, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// A piece of foreign text made fit for a one-line message.
pub fn show(text: &[u8]) -> String {
    const LONGEST: usize = 24;
    let head = String::from_utf8_lossy(&text[..text.len().min(LONGEST)]);
    let escaped: String = head.chars().flat_map(char::escape_debug).collect();
    let more = if text.len() > LONGEST { "…" } else { "" };
    format!("'{escaped}{more}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, read: impl Fn(&mut Tokens) -> Result<i32>, expected: std::result::Result<i32, &str>) {
        let found = read(&mut Tokens::new(text.as_bytes())).map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(String::from), "{text:?}");
    }

    #[test]
    fn integers() {
        let int = |tokens: &mut Tokens| tokens.int("the seed");
        check(" \t\r\n\x0b\x0c+003x", int, Ok(3));
        check("-2147483648", int, Ok(i32::MIN));
        check("2147483648", int, Err("line 1, column 1: the seed must fit in 32 bits, found '2147483648'"));
        check(
            "99999999999999999999999999",
            int,
            Err("line 1, column 1: the seed must fit in 32 bits, found '999999999999999999999999…'"),
        );
        check("\n  x1", int, Err("line 2, column 3: expected the seed, an integer, found 'x1'"));
        check("-", int, Err("line 1, column 1: expected the seed, an integer, found '-'"));
        check("  ", int, Err("line 1, column 3: expected the seed, found the end of the text"));
    }

    #[test]
    fn an_integer_ends_where_its_digits_do() {
        let mut tokens = Tokens::new(b"4NUM 2.5");
        assert_eq!(tokens.int("a").unwrap(), 4);
        assert_eq!(tokens.word("b").unwrap(), b"NUM");
        assert_eq!(tokens.int("c").unwrap(), 2);
        assert_eq!(tokens.character("d").unwrap(), b'.');
        assert_eq!(tokens.word("e").unwrap(), b"5");
        assert!(tokens.at_end());
        assert!(tokens.character("f").is_err());
    }

    #[test]
    fn settings() {
        let rows = |tokens: &mut Tokens| tokens.setting("ROWS", 20..=i32::MAX);
        check("ROWS 25", rows, Ok(25));
        check("ROWS 7", rows, Err("line 1, column 6: ROWS must be at least 20, found 7"));
        check("\nCOLS 25", rows, Err("line 2, column 1: expected ROWS, found 'COLS'"));
        check("ROWS", rows, Err("line 1, column 5: expected ROWS, found the end of the text"));
        let players = |tokens: &mut Tokens| tokens.setting("N", 4..=4);
        check("N 5", players, Err("line 1, column 3: N must be 4, found 5"));
        let some = |tokens: &mut Tokens| tokens.setting("N", 0..=9);
        check("N 10", some, Err("line 1, column 3: N must be from 0 to 9, found 10"));
    }

    #[test]
    fn foreign_text_stays_on_one_line() {
        check(
            "a\x1b[0mb\u{0}",
            |tokens| tokens.int("n"),
            Err("line 1, column 1: expected n, an integer, found 'a\\u{1b}[0mb\\0'"),
        );
    }
}
