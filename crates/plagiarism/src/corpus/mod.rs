//! Sources of earlier seasons, kept in a file to compare new ones with.
//!
//! Old ones are not compared with each other again: a new source looks up its
//! fingerprints, and only those that share some are read. The file holds the
//! sources too, to show their lines; with names or without.

#[cfg(windows)]
mod at;
mod frames;
mod pages;

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
#[cfg(unix)]
use std::os::unix::fs::FileExt;
use std::path::Path;

#[cfg(windows)]
use at::FileExt;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};

use crate::collect::Collection;
use crate::compare::{Analysed, Match, Options, Past, Source, Templates};
use crate::language::Language;
use crate::lower::{Unit, hash_bytes, mix};
use crate::syntax::MAX_BYTES;
use frames::{Frame, Parts, Record};
use pages::Pages;

/// So many small additions in a row are put together, at most.
const MERGED: usize = 128;
/// Old sources that are compared with a new one, at most.
const READ: usize = 8;
/// A fingerprint that more sources have finds nothing.
const COMMON: usize = 100;
const RUST: u32 = 1 << 31;
/// Tells hashes of outlines from others in one table.
const OUTLINE: u64 = 0x6f75_746c_696e_6531;

#[derive(Debug, thiserror::Error)]
#[error("it is damaged")]
struct Damaged;

#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    #[error("it is no corpus of sources")]
    NotACorpus,
    #[error("it was written by another Ludus: its version is {0}, this one reads {supported}", supported = frames::VERSION)]
    Version(u32),
    #[error("it keeps {0}, and cannot be added to {1}")]
    Names(&'static str, &'static str),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// An open corpus.
pub struct Corpus {
    file: File,
    frames: Vec<Frame>,
    end: u64,
    is_anonymous: bool,
}

#[derive(Serialize, Deserialize)]
struct About {
    name: String,
    author: String,
    is_rust: bool,
    time: Option<i64>,
    units: usize,
}

/// How many bytes a unit takes; they stand between what is known about a source
/// and its text, so that old sources need not be parsed again.
const UNIT: usize = 28;
const MAX_UNPACKED: u64 = (MAX_BYTES * (UNIT + 1) + 65536) as u64;

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

/// What a hash is found by. Winnowing keeps small hashes, but tables are searched
/// as if all were equally frequent.
fn key(hash: u64, of: u64) -> u64 {
    mix(hash, of)
}

fn check(bytes: &[u8]) -> u64 {
    let hash = blake3::hash(bytes);
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("a hash is longer"))
}

impl Corpus {
    /// Opens a corpus, or begins one. Nobody else may write to it meanwhile.
    pub fn open(path: &Path, is_anonymous: bool) -> Result<Corpus, CorpusError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        file.lock()?;
        let mut head = [0; frames::HEAD as usize];
        if file.metadata()?.len() == 0 {
            head[..8].copy_from_slice(frames::MAGIC);
            head[8..12].copy_from_slice(&frames::VERSION.to_le_bytes());
            head[12] = u8::from(is_anonymous);
            file.write_all(&head)?;
        } else {
            file.read_exact_at(&mut head, 0).map_err(|_| CorpusError::NotACorpus)?;
        }
        if &head[..8] != frames::MAGIC {
            return Err(CorpusError::NotACorpus);
        }
        let version = u32::from_le_bytes(head[8..12].try_into().expect("four bytes"));
        if version != frames::VERSION {
            return Err(CorpusError::Version(version));
        }
        if (head[12] == 1) != is_anonymous {
            let words = |is_anonymous: bool| if is_anonymous { "no names" } else { "names" };
            let how = if is_anonymous { "with --anonymous" } else { "without --anonymous" };
            return Err(CorpusError::Names(words(head[12] == 1), how));
        }
        let (frames, end) = frames::read(&file)?;
        Ok(Corpus { file, frames, end, is_anonymous })
    }

    /// How many sources it holds.
    pub fn len(&self) -> usize {
        self.frames.iter().map(|frame| frame.records.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All the sources it holds, one after the other.
    pub fn sources(&self) -> impl Iterator<Item = io::Result<Source>> + '_ {
        self.frames.iter().enumerate().flat_map(move |(frame, one)| {
            let records = one.records.iter().enumerate();
            records.map(move |(place, record)| Ok(self.read(*record, frame, place)?.0))
        })
    }

    /// Compares new sources with each other and with the old ones. The old ones
    /// that share something follow the new ones in the collection.
    pub fn compare(
        &self,
        fresh: Collection,
        templates: &Templates,
        options: Options,
    ) -> Result<(Collection, Vec<Match>), CorpusError> {
        let count = fresh.sources.len();
        let mut pages = Pages::of(&self.file);
        let mut past = Past::default();
        past.authors = self.len();
        let mut wanted: Vec<(usize, usize)> = Vec::new();
        for (source, analysed) in fresh.sources.iter().zip(&fresh.analysed) {
            wanted.extend(self.alike(source, analysed, &mut past, &mut pages, options)?);
        }
        wanted.sort_unstable();
        wanted.dedup();
        let mut all = fresh;
        for &(frame, record) in &wanted {
            let (source, units) = self.read(self.frames[frame].records[record], frame, record)?;
            all.analysed.push(Analysed::of_units(units, source.language));
            all.sources.push(source);
        }
        let is_mixed = all.sources.iter().any(|source| source.language != all.sources[0].language);
        for (is_across, of) in [(false, 0), (true, OUTLINE)].into_iter().take(if is_mixed { 2 } else { 1 }) {
            // What only an old source has says nothing about what both have.
            let units: HashSet<u64> =
                all.analysed[..count].iter().flat_map(|source| source.view(is_across).distinct()).collect();
            for unit in units {
                past.count_unit(is_across, unit, self.authors_of(key(unit, of), &mut pages)?);
            }
        }
        let found = all.compare_with_past(templates, options, count, &past);
        Ok((all, found))
    }

    /// How many authors have a unit.
    fn authors_of(&self, hash: u64, pages: &mut Pages) -> io::Result<u32> {
        let mut sum = 0u32;
        for frame in &self.frames {
            sum = sum.saturating_add(frame.units.find(pages, hash, 1)?.iter().sum());
        }
        Ok(sum)
    }

    /// The old sources that share most fingerprints with a new one.
    fn alike(
        &self,
        source: &Source,
        analysed: &Analysed,
        past: &mut Past,
        pages: &mut Pages,
        options: Options,
    ) -> io::Result<Vec<(usize, usize)>> {
        let author = self.author_hash(&source.author);
        let is_rust = source.language == Language::Rust;
        let mut shared: HashMap<(usize, usize), u32> = HashMap::new();
        let records = self.frames.iter().flat_map(|frame| &frame.records);
        let has_other = records.clone().any(|record| (record.outline & RUST != 0) != is_rust);
        for (is_across, of) in [(false, 0), (true, OUTLINE)].into_iter().take(if has_other { 2 } else { 1 }) {
            for &hash in &analysed.view(is_across).fingerprints {
                let places = self.who_has(key(hash, of), pages)?;
                past.count_pair(is_across, hash, places.len() as u32);
                if places.len() > COMMON {
                    continue;
                }
                for (frame, place) in places {
                    let Some(record) = self.frames[frame].records.get(place) else { continue };
                    let is_rust_too = record.outline & RUST != 0;
                    let is_own = author != 0 && record.author == author && !options.same_author;
                    if (is_rust != is_rust_too) == is_across && !is_own {
                        *shared.entry((frame, place)).or_default() += 1;
                    }
                }
            }
        }
        let share = |&(frame, place): &(usize, usize), count: u32| {
            let record = self.frames[frame].records[place];
            let is_across = is_rust != (record.outline & RUST != 0);
            let theirs = if is_across { record.outline & !RUST } else { record.exact };
            let ours = analysed.view(is_across).fingerprints.len() as u32;
            f64::from(count) / f64::from(ours.min(theirs).max(1))
        };
        let mut found: Vec<(f64, (usize, usize))> =
            shared.into_iter().map(|(place, count)| (share(&place, count), place)).collect();
        found.retain(|found| found.0 >= options.threshold / 4.0);
        found.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        Ok(found.into_iter().take(READ).map(|found| found.1).collect())
    }

    /// The sources with a fingerprint; a few more than `COMMON` stand for all.
    fn who_has(&self, hash: u64, pages: &mut Pages) -> io::Result<Vec<(usize, usize)>> {
        let mut places = Vec::new();
        for (number, frame) in self.frames.iter().enumerate() {
            let here = frame.fingerprints.find(pages, hash, COMMON + 1)?;
            places.extend(here.into_iter().map(|place| (number, place as usize)));
            if places.len() > COMMON {
                break;
            }
        }
        Ok(places)
    }

    fn author_hash(&self, author: &str) -> u64 {
        if self.is_anonymous || author.is_empty() { 0 } else { hash_bytes(author.as_bytes()).max(1) }
    }

    fn read(&self, record: Record, frame: usize, place: usize) -> io::Result<(Source, Vec<Unit>)> {
        let damaged = || io::Error::other(Damaged);
        if u64::from(record.length) > MAX_UNPACKED {
            return Err(damaged());
        }
        let mut bytes = vec![0; record.length as usize];
        self.file.read_exact_at(&mut bytes, record.at)?;
        if check(&bytes) as u32 != record.check {
            return Err(damaged());
        }
        let mut text = Vec::new();
        ZlibDecoder::new(bytes.as_slice()).take(MAX_UNPACKED).read_to_end(&mut text)?;
        let line = text.iter().position(|byte| *byte == b'\n').ok_or_else(damaged)?;
        let about: About = serde_json::from_slice(&text[..line]).map_err(|_| damaged())?;
        let language = if about.is_rust { Language::Rust } else { Language::Cpp };
        let number = self.frames[..frame].iter().map(|frame| frame.records.len()).sum::<usize>() + place + 1;
        let unknown = |name: String| if name.is_empty() { format!("earlier source {number}") } else { name };
        let mut rest = text.split_off(line + 1);
        let text = rest.split_off(about.units.checked_mul(UNIT).filter(|end| *end <= rest.len()).ok_or_else(damaged)?);
        let units = units_from(&rest, text.len()).ok_or_else(damaged)?;
        let (name, author) = (unknown(about.name), unknown(about.author));
        Ok((Source { name, author, language, text, time: about.time }, units))
    }

    /// Adds the first sources of a collection.
    pub fn add(&mut self, collection: &Collection, count: usize) -> Result<(), CorpusError> {
        let mut parts = Parts {
            replaces: 0,
            records: Vec::new(),
            fingerprints: Vec::new(),
            units: Vec::new(),
            sources: Vec::new(),
            fresh: count,
        };
        let mut units: HashMap<u64, u32> = HashMap::new();
        let mut pages = Pages::of(&self.file);
        while let Some(last) = self.frames.len().checked_sub(parts.replaces as usize + 1) {
            let frame = &self.frames[last];
            let size = parts.records.len() + count;
            if frame.records.len() > 2 * size || frame.records.len() + size > MERGED {
                break;
            }
            let shift = frame.records.len() as u32;
            for entry in &mut parts.fingerprints {
                entry.1 += shift;
            }
            parts.fingerprints.extend(frame.fingerprints.all(&mut pages)?);
            parts.records.splice(0..0, frame.records.iter().copied());
            for (hash, times) in frame.units.all(&mut pages)? {
                let sum = units.entry(hash).or_default();
                *sum = sum.saturating_add(times);
            }
            parts.replaces += 1;
        }
        self.gather(collection, count, &mut parts, &mut units)?;
        parts.units = units.into_iter().collect();
        let bytes = frames::write(parts, self.end);
        self.file.write_all_at(&bytes, self.end)?;
        self.file.set_len(self.end + bytes.len() as u64)?;
        self.file.sync_data()?;
        (self.frames, self.end) = frames::read(&self.file)?;
        Ok(())
    }

    fn gather(
        &self,
        collection: &Collection,
        count: usize,
        parts: &mut Parts,
        units: &mut HashMap<u64, u32>,
    ) -> Result<(), CorpusError> {
        let mut counted: HashSet<(u64, u64)> = HashSet::new();
        for (source, analysed) in collection.sources.iter().zip(&collection.analysed).take(count) {
            let place = parts.records.len() as u32;
            for (is_across, of) in [(false, 0), (true, OUTLINE)] {
                let view = analysed.view(is_across);
                parts.fingerprints.extend(view.fingerprints.iter().map(|hash| (key(*hash, of), place)));
                let author = hash_bytes(source.author.as_bytes());
                for hash in view.distinct() {
                    if counted.insert((author, key(hash, of))) {
                        *units.entry(key(hash, of)).or_default() += 1;
                    }
                }
            }
            let bytes = self.packed(source, &analysed.units)?;
            let is_rust = if source.language == Language::Rust { RUST } else { 0 };
            parts.records.push(Record {
                at: parts.sources.len() as u64,
                length: bytes.len() as u32,
                check: check(&bytes) as u32,
                author: self.author_hash(&source.author),
                exact: analysed.view(false).fingerprints.len() as u32,
                outline: analysed.view(true).fingerprints.len() as u32 | is_rust,
            });
            parts.sources.extend(bytes);
        }
        Ok(())
    }

    fn packed(&self, source: &Source, units: &[Unit]) -> io::Result<Vec<u8>> {
        let is_rust = source.language == Language::Rust;
        let about = if self.is_anonymous {
            About { name: String::new(), author: String::new(), is_rust, time: None, units: units.len() }
        } else {
            About {
                name: source.name.clone(),
                author: source.author.clone(),
                is_rust,
                time: source.time,
                units: units.len(),
            }
        };
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        serde_json::to_writer(&mut encoder, &about)?;
        encoder.write_all(b"\n")?;
        for unit in units {
            encoder.write_all(&unit_bytes(unit))?;
        }
        let text =
            if self.is_anonymous { without_comments(&source.text, source.language) } else { source.text.clone() };
        encoder.write_all(&text)?;
        encoder.finish()
    }
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
