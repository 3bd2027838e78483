//! What two processes of the same program tell each other: fields one after
//! the other, each with its length, the first of which says what it is about.

use std::io::{self, Write as _};

pub struct Writer(Vec<u8>);

impl Writer {
    pub fn new(about: &str) -> Writer {
        let mut letter = Writer(Vec::new());
        letter.text(about);
        letter
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.0.extend_from_slice(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub fn number(&mut self, number: i64) {
        self.bytes(&number.to_le_bytes());
    }

    pub fn done(self) -> Vec<u8> {
        self.0
    }

    /// Writes it to standard output with its length before it, where several
    /// follow each other.
    pub fn send_framed(self) -> io::Result<()> {
        let mut frame = Writer(Vec::with_capacity(self.0.len() + 8));
        frame.bytes(&self.0);
        frame.send()
    }

    /// Writes it to standard output.
    pub fn send(self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(&self.0)?;
        out.flush()
    }
}

/// What is left to be read.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// A letter, if it is about that.
    pub fn of(about: &str, letter: &'a [u8]) -> Option<Reader<'a>> {
        let mut reader = Reader(letter);
        (reader.field()? == about.as_bytes()).then_some(reader)
    }

    /// Letters that follow each other, each of them a field.
    pub fn all(letters: &'a [u8]) -> Reader<'a> {
        Reader(letters)
    }

    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    fn field(&mut self) -> Option<&'a [u8]> {
        let (len, rest) = self.0.split_first_chunk::<8>()?;
        let (field, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*len)).ok()?)?;
        self.0 = rest;
        Some(field)
    }

    pub fn bytes(&mut self) -> Option<Vec<u8>> {
        self.field().map(<[u8]>::to_vec)
    }

    pub fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?).ok()
    }

    pub fn number(&mut self) -> Option<i64> {
        Some(i64::from_le_bytes(self.field()?.try_into().ok()?))
    }
}
