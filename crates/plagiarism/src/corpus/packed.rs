//! A source as it stands in the file: what is known about it, its units, so that it
//! need not be parsed again, and its text, all of it compressed.

use std::io::{self, Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};

use super::Damaged;
use crate::compare::{Analysed, Source};
use crate::language::Language;
use crate::lower::Unit;
use crate::syntax::MAX_BYTES;

#[derive(Serialize, Deserialize)]
struct About {
    name: String,
    author: String,
    is_rust: bool,
    time: Option<i64>,
    units: usize,
}

/// How many bytes a unit takes.
const UNIT: usize = 28;
pub const MAX_UNPACKED: u64 = (MAX_BYTES * (UNIT + 1) + 65536) as u64;

fn unit_bytes(unit: &Unit) -> [u8; UNIT] {
    let mut bytes = [0; UNIT];
    bytes[..8].copy_from_slice(&unit.hash.to_le_bytes());
    bytes[8..16].copy_from_slice(&unit.outline.to_le_bytes());
    bytes[16..20].copy_from_slice(&unit.start.to_le_bytes());
    bytes[20..24].copy_from_slice(&unit.end.to_le_bytes());
    bytes[24..26].copy_from_slice(&unit.size.to_le_bytes());
    bytes[26..].copy_from_slice(&unit.function.to_le_bytes());
    bytes
}

fn unit_from(bytes: &[u8]) -> Unit {
    let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    let both = long(16);
    let last = u32::from_le_bytes(bytes[24..28].try_into().expect("four bytes"));
    Unit {
        hash: long(0),
        outline: long(8),
        start: both as u32,
        end: (both >> 32) as u32,
        size: last as u16,
        function: (last >> 16) as u16,
    }
}

/// The units of a text of so many bytes.
fn units_from(bytes: &[u8], text: usize) -> Option<Vec<Unit>> {
    let units: Vec<Unit> = bytes.chunks_exact(UNIT).map(unit_from).collect();
    units.iter().all(|unit| unit.start <= unit.end && unit.end as usize <= text).then_some(units)
}

impl Analysed {
    /// What is kept of a source in a corpus, for those who had it read elsewhere.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.units.iter().flat_map(unit_bytes).collect()
    }

    /// The same back, if it can be that of the source.
    pub fn from_bytes(bytes: &[u8], source: &Source) -> Option<Analysed> {
        Some(Analysed::of_units(units_from(bytes, source.text.len())?, source.language))
    }
}

/// A source of which nobody can tell who wrote it, and when.
pub fn nameless(source: &Source) -> Source {
    Source {
        name: String::new(),
        author: String::new(),
        language: source.language,
        text: without_comments(&source.text, source.language),
        time: None,
    }
}

pub fn write(source: &Source, units: &[Unit]) -> io::Result<Vec<u8>> {
    let about = About {
        name: source.name.clone(),
        author: source.author.clone(),
        is_rust: source.language == Language::Rust,
        time: source.time,
        units: units.len(),
    };
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    serde_json::to_writer(&mut encoder, &about)?;
    encoder.write_all(b"\n")?;
    for unit in units {
        encoder.write_all(&unit_bytes(unit))?;
    }
    encoder.write_all(&source.text)?;
    encoder.finish()
}

pub fn read(bytes: &[u8]) -> io::Result<(Source, Vec<Unit>)> {
    let damaged = || io::Error::other(Damaged);
    let mut text = Vec::new();
    ZlibDecoder::new(bytes).take(MAX_UNPACKED).read_to_end(&mut text)?;
    let line = text.iter().position(|byte| *byte == b'\n').ok_or_else(damaged)?;
    let about: About = serde_json::from_slice(&text[..line]).map_err(|_| damaged())?;
    let language = if about.is_rust { Language::Rust } else { Language::Cpp };
    let mut rest = text.split_off(line + 1);
    let text = rest.split_off(about.units.checked_mul(UNIT).filter(|end| *end <= rest.len()).ok_or_else(damaged)?);
    let units = units_from(&rest, text.len()).ok_or_else(damaged)?;
    Ok((Source { name: about.name, author: about.author, language, text, time: about.time }, units))
}

/// A source whose comments are blank: people sign there.
fn without_comments(text: &[u8], language: Language) -> Vec<u8> {
    let mut blank = text.to_vec();
    for (start, end) in crate::syntax::comments(text, language) {
        for byte in &mut blank[start..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    blank
}
