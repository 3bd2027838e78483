//! How a death is told from one process to the other, and what is to be said of
//! it back.

use super::telling::{Telling, Told};
use super::{SourceNames, Why};
use crate::letter::{Reader, Writer};

impl Telling {
    pub(super) fn written(&self) -> Vec<u8> {
        let mut letter = Writer::new("death");
        letter.number(i64::from(self.round));
        let (kind, words, function, times) = match &self.why {
            Why::Plain(words) => (0, words.as_str(), 0, 0),
            Why::Thrown(words) => (1, words.as_str(), 0, 0),
            Why::Recursion(function, times) => (2, "", *function, *times),
        };
        letter.number(kind);
        letter.text(words);
        letter.number(i64::from(function));
        letter.number(times as i64);
        letter.number(self.depth as i64);
        letter.bytes(&self.line);
        letter.bytes(&self.last_words);
        // None is the same as nothing.
        letter.bytes(self.symbols.as_deref().unwrap_or_default());
        letter.number(i64::from(self.files.is_some()));
        for name in self.files.iter().flat_map(|files| &files.0) {
            letter.text(name);
        }
        for (function, at) in &self.places {
            letter.number(i64::from(*function));
            letter.number(*at as i64);
        }
        letter.done()
    }

    pub(super) fn read(letter: &[u8]) -> Option<Telling> {
        let mut letter = Reader::of("death", letter)?;
        let round = u32::try_from(letter.number()?).ok()?;
        let (kind, words) = (letter.number()?, letter.text()?);
        let (function, times) = (u32::try_from(letter.number()?).ok()?, usize::try_from(letter.number()?).ok()?);
        let why = match kind {
            0 => Why::Plain(words),
            1 => Why::Thrown(words),
            _ => Why::Recursion(function, times),
        };
        let depth = usize::try_from(letter.number()?).ok()?;
        let (line, last_words) = (letter.bytes()?, letter.bytes()?);
        let symbols = Some(letter.bytes()?).filter(|symbols| !symbols.is_empty());
        let files = match letter.number()? {
            0 => None,
            _ => Some(SourceNames([letter.text()?, letter.text()?])),
        };
        let mut places = Vec::new();
        while !letter.is_over() {
            places.push((u32::try_from(letter.number()?).ok()?, usize::try_from(letter.number()?).ok()?));
        }
        Some(Telling { round, why, places, depth, line, marked: 0..0, last_words, symbols, files })
    }
}

impl Told {
    pub(super) fn written(&self) -> Vec<u8> {
        let mut letter = Writer::new("told");
        letter.bytes(&self.line);
        letter.text(&self.death);
        letter.done()
    }

    pub(super) fn read(letter: &[u8]) -> Option<Told> {
        let mut letter = Reader::of("told", letter)?;
        Some(Told { line: letter.bytes()?, death: letter.text()? })
    }
}
