//! What comes with a course: the starters, the examples and the SDK.
//!
//! To parse them takes longer than to look for one source among ten thousand, so
//! `given.bin` keeps what is left of each, by a hash of its text. A text that it
//! does not know is parsed, so a table that is behind makes nothing wrong.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::collect::Collection;
use crate::compare::{Analysed, Source, Templates};
use crate::language::Language;
use crate::lower::{Unit, hash_bytes, mix};
use crate::parallel;

mod players {
    include!(concat!(env!("OUT_DIR"), "/players.rs"));
}
mod sdk {
    include!(concat!(env!("OUT_DIR"), "/sdk.rs"));
}

/// For each text its key, how many units and names it has, and those.
const TABLE: &[u8] = include_bytes!("../given.bin");

/// The sources in a language that come with every course.
fn sources(language: Language) -> Vec<&'static [u8]> {
    let files = players::FILES.iter().chain(sdk::FILES).filter(|(name, _)| Language::of_file(name) == Some(language));
    files.map(|(_, text)| text.as_bytes()).collect()
}

fn key(text: &[u8], language: Language) -> u64 {
    mix(hash_bytes(text), language as u64)
}

/// The table as it should be, for `given.bin`.
pub fn given() -> Vec<u8> {
    let mut plain = Vec::new();
    for language in Language::ALL {
        let texts = sources(language);
        let fresh = parallel::map(texts.len(), |at| Analysed::of(texts[at], language).ok());
        for (text, analysed) in texts.into_iter().zip(fresh).filter_map(|(text, found)| Some((text, found?))) {
            let length = |length: usize| u32::try_from(length).expect("sources are short").to_le_bytes();
            plain.extend(key(text, language).to_le_bytes());
            plain.extend([length(analysed.units.len()), length(analysed.names.len())].concat());
            plain.extend(analysed.units.iter().flat_map(|unit| [unit.hash, unit.outline]).flat_map(u64::to_le_bytes));
            plain.extend(analysed.names.iter().copied().flat_map(u64::to_le_bytes));
        }
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&plain).expect("writing to memory");
    encoder.finish().expect("writing to memory")
}

/// What is left of a text, as far as templates ask.
type Left = (Vec<(u64, u64)>, Vec<u64>);

/// The table by keys; what is no table is empty.
fn read(table: &[u8]) -> HashMap<u64, Left> {
    let mut plain = Vec::new();
    let mut known = HashMap::new();
    if ZlibDecoder::new(table).read_to_end(&mut plain).is_err() {
        return known;
    }
    let mut numbers = plain.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
    while let (Some(key), Some(counts)) = (numbers.next(), numbers.next()) {
        let (units, names) = (counts as u32 as usize, (counts >> 32) as usize);
        let both: Vec<u64> = numbers.by_ref().take(2 * units).collect();
        let names = numbers.by_ref().take(names).collect();
        known.insert(key, (both.as_chunks::<2>().0.iter().map(|[hash, outline]| (*hash, *outline)).collect(), names));
    }
    known
}

fn analysed(language: Language, known: &HashMap<u64, Left>) -> Vec<Analysed> {
    let texts = sources(language);
    let one = |text: &[u8]| {
        let Some((units, names)) = known.get(&key(text, language)) else { return Analysed::of(text, language).ok() };
        let unit = |&(hash, outline): &(u64, u64)| Unit { hash, outline, ..Unit::default() };
        let mut analysed = Analysed::of_units(units.iter().map(unit).collect(), language);
        analysed.names.clone_from(names);
        Some(analysed)
    };
    parallel::map(texts.len(), |at| one(texts[at])).into_iter().flatten().collect()
}

/// Templates of what comes with every course in some languages, and of sources
/// of one's own.
pub fn templates(languages: &[Language], more: Vec<Source>) -> Templates {
    let (more, known) = (Collection::of(more), read(TABLE));
    let mut templates = Templates::default();
    // What is in no source need not be known.
    for &language in languages {
        analysed(language, &known).iter().for_each(|template| templates.add(template));
    }
    more.analysed.iter().for_each(|template| templates.add(template));
    templates
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where this fails, `cargo bench -p ludus-plagiarism --bench figures -- given`
    /// writes the table. One that lacks a few texts is only slower.
    #[test]
    fn the_table_is_what_the_parser_sees() {
        let (known, fresh) = (read(TABLE), read(&given()));
        let same = known.iter().filter(|(key, left)| fresh.get(key).is_none_or(|now| now == *left)).count();
        assert_eq!(same, known.len(), "the table was written by other rules");
        let missing = fresh.keys().filter(|key| !known.contains_key(key)).count();
        assert!(missing * 10 <= fresh.len(), "the table lacks {missing} of {} texts", fresh.len());
    }

    #[test]
    fn a_spoilt_table_is_no_table() {
        assert!(read(b"").is_empty());
        assert!(read(b"something else").is_empty());
    }
}
