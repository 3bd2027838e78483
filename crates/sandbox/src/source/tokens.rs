//! As much of the grammar of C++ and Rust as it takes not to be fooled by
//! comments and strings.

use crate::build::Language;

/// Bytes before the bracket of a raw string, which is none if there are more.
const LONGEST_DELIMITER: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Word,
    Literal,
    Sign,
}

#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    /// Counted from one.
    pub line: usize,
    /// Whether it is the first of its line.
    pub first: bool,
}

/// The tokens of a file, without its comments. Rubbish gives some tokens too.
pub fn tokens(text: &str, language: Language) -> Vec<Token<'_>> {
    let mut scanner = Scanner { text, at: 0, line: 1, first: true, rust: language == Language::Rust };
    let mut found = Vec::new();
    while let Some(token) = scanner.next() {
        found.push(token);
    }
    found
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    first: bool,
    rust: bool,
}

impl<'a> Scanner<'a> {
    fn next(&mut self) -> Option<Token<'a>> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let c = rest.chars().next()?;
        let (kind, len) = match c {
            _ if self.raw_string(rest).is_some() => (Kind::Literal, self.raw_string(rest)?),
            '"' => (Kind::Literal, quoted(rest, '"')),
            '\'' if !self.is_lifetime(rest) => (Kind::Literal, quoted(rest, '\'')),
            c if c.is_ascii_digit() => (Kind::Word, number(rest)),
            c if is_word(c) => (Kind::Word, rest.find(|c| !is_word(c)).unwrap_or(rest.len())),
            c => (Kind::Sign, c.len_utf8()),
        };
        let token = Token { kind, text: &rest[..len], line: self.line, first: self.first };
        self.line += token.text.matches('\n').count();
        self.at += len;
        self.first = false;
        Some(token)
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let len = match rest.chars().next() {
                Some('\n') => {
                    self.first = true;
                    1
                }
                Some(c) if c.is_whitespace() => c.len_utf8(),
                // A line that goes on with the next one.
                Some('\\') if rest.starts_with("\\\n") => 2,
                Some('\\') if rest.starts_with("\\\r\n") => 3,
                Some('/') if rest.starts_with("//") => self.line_comment(rest),
                Some('/') if rest.starts_with("/*") => self.block_comment(rest),
                _ => return,
            };
            self.line += rest[..len].matches('\n').count();
            self.at += len;
        }
    }

    /// In C++ a backslash at its end makes the next line a comment too.
    fn line_comment(&self, rest: &str) -> usize {
        let mut end = 0;
        for line in rest.split_inclusive('\n') {
            let content = line.trim_end_matches(['\n', '\r']);
            if self.rust || !content.ends_with('\\') {
                return end + content.len();
            }
            end += line.len();
        }
        end
    }

    /// Comments of Rust nest.
    fn block_comment(&self, rest: &str) -> usize {
        let (mut depth, mut at) = (1, 2);
        while depth > 0 {
            let Some(next) = rest[at..].find(['*', '/']) else { return rest.len() };
            at += next;
            if rest[at..].starts_with("*/") {
                depth -= 1;
                at += 2;
            } else if self.rust && rest[at..].starts_with("/*") {
                depth += 1;
                at += 2;
            } else {
                at += 1;
            }
        }
        at
    }

    /// The length of `R"x(…)x"` or `r#"…"#`, if the text begins with one.
    fn raw_string(&self, rest: &str) -> Option<usize> {
        let (start, closing) = if self.rust {
            let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
            let hashes = after.len() - after.trim_start_matches('#').len();
            after[hashes..]
                .starts_with('"')
                .then(|| (rest.len() - after.len() + hashes + 1, format!("\"{}", &after[..hashes])))?
        } else {
            let after = rest.strip_prefix("R\"")?;
            // No farther, or a file that begins many and opens none is read as often as it begins one.
            let opening = after.bytes().take(LONGEST_DELIMITER + 1).position(|byte| byte == b'(')?;
            let delimiter = &after[..opening];
            (2 + delimiter.len() + 1, format!("){delimiter}\""))
        };
        Some(rest[start..].find(&closing).map_or(rest.len(), |at| start + at + closing.len()))
    }

    fn is_lifetime(&self, rest: &str) -> bool {
        let mut letters = rest[1..].chars();
        self.rust && letters.next().is_some_and(is_word) && letters.next() != Some('\'')
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Numbers of C++ may have quotes between their digits.
fn number(rest: &str) -> usize {
    let mut letters = rest.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let separator = c == '\'' && letters.peek().is_some_and(|(_, next)| is_word(*next));
        if !is_word(c) && !separator {
            return at;
        }
    }
    rest.len()
}

/// The length of a literal that ends with `quote`, or with its line.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// What begins everywhere and ends nowhere is not looked for to the end of the file each
    /// time: a file eight times as long took sixty-four times as long, a megabyte many seconds.
    #[test]
    fn what_never_ends_is_read_once() {
        let quickest = |text: &str, language| {
            let times = (0..5).map(|_| {
                let begun = Instant::now();
                assert!(tokens(text, language).len() > 1);
                begun.elapsed()
            });
            times.min().unwrap()
        };
        for (part, language) in [("R\"\n", Language::Cpp), ("R\"x", Language::Cpp), ("r#\n", Language::Rust)] {
            let [short, long] = [1 << 15, 1 << 18].map(|bytes| quickest(&part.repeat(bytes / part.len()), language));
            assert!(long < short * 32, "{part:?}: {short:?}, and {long:?} for eight times as much");
        }
    }

    #[test]
    fn raw_strings_open_within_sixteen_letters() {
        let raw = |delimiter: &str| tokens(&format!("R\"{delimiter}(a b){delimiter}\""), Language::Cpp).len();
        assert_eq!([raw(""), raw(&"y".repeat(16))], [1, 1]);
        assert!(raw(&"y".repeat(17)) > 1);
    }
}
