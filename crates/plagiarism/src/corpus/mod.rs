//! Sources of earlier seasons, kept in a file to compare new ones with.
//!
//! Old ones are not compared with each other again: a new source looks up its
//! fingerprints, and only those that share some are read. The file holds the
//! sources too, to show their lines; with names or without.

#[cfg(windows)]
mod at;
mod frames;
mod packed;
mod pages;
mod search;

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
#[cfg(unix)]
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::collect::Collection;
use crate::compare::{Analysed, Source};
use crate::language::Language;
use crate::lower::{Unit, hash_bytes, mix};
#[cfg(windows)]
use at::FileExt;
use frames::{Frame, Parts, Record};
use pages::Pages;

/// Additions are put together as long as what comes of it has at most so many
/// sources, or so many times those that are added: whoever looks something up looks
/// into few frames, and whoever adds something writes little again.
const MERGED: usize = 256;
const TIMES: usize = 16;
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

    /// The languages of the sources that it holds.
    pub fn languages(&self) -> Vec<Language> {
        let mut records = self.frames.iter().flat_map(|frame| &frame.records);
        let has_rust = records.clone().any(|record| record.is_rust());
        let has_cpp = records.any(|record| !record.is_rust());
        [(Language::Cpp, has_cpp), (Language::Rust, has_rust)]
            .into_iter()
            .filter(|one| one.1)
            .map(|one| one.0)
            .collect()
    }

    /// All the sources it holds, one after the other.
    pub fn sources(&self) -> impl Iterator<Item = io::Result<Source>> + '_ {
        self.frames.iter().enumerate().flat_map(move |(frame, one)| {
            let records = one.records.iter().enumerate();
            records.map(move |(place, record)| Ok(self.read(*record, frame, place)?.0))
        })
    }

    /// The hash of an author's name, by which a repeater is known.
    fn author_hash(&self, author: &str) -> Option<u64> {
        (!self.is_anonymous && !author.is_empty()).then(|| hash_bytes(author.as_bytes()))
    }

    fn read(&self, record: Record, frame: usize, place: usize) -> io::Result<(Source, Vec<Unit>)> {
        let damaged = || io::Error::other(Damaged);
        if u64::from(record.length) > packed::MAX_UNPACKED {
            return Err(damaged());
        }
        let mut bytes = vec![0; record.length as usize];
        self.file.read_exact_at(&mut bytes, record.at)?;
        if check(&bytes) as u32 != record.check {
            return Err(damaged());
        }
        let (mut source, units) = packed::read(&bytes)?;
        let number = self.frames[..frame].iter().map(|frame| frame.records.len()).sum::<usize>() + place + 1;
        for name in [&mut source.name, &mut source.author] {
            if name.is_empty() {
                *name = format!("earlier source {number}");
            }
        }
        Ok((source, units))
    }

    /// Adds the first sources of a collection. What one author wrote is added once.
    pub fn add(&mut self, collection: &Collection, count: usize) -> Result<(), CorpusError> {
        let fresh = self.not_there(collection, count);
        if fresh.is_empty() {
            return Ok(());
        }
        let mut parts = self.merged(fresh.len())?;
        for new in fresh {
            self.gather(&new, &mut parts)?;
        }
        let replaces = parts.replaces as usize;
        let (bytes, frame) = frames::write(parts, self.end);
        self.file.write_all_at(&bytes, self.end)?;
        self.file.set_len(self.end + bytes.len() as u64)?;
        self.file.sync_data()?;
        self.frames.truncate(self.frames.len() - replaces);
        self.frames.push(frame);
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// The sources that are not there yet, and whose they are.
    fn not_there<'a>(&self, collection: &'a Collection, count: usize) -> Vec<New<'a>> {
        // Where nobody is known, a text is added once, whoever wrote it.
        let whose = |author: u64| if self.is_anonymous { 0 } else { author };
        let records = self.frames.iter().flat_map(|frame| &frame.records);
        let known: HashSet<(u64, u64)> = records.map(|record| (whose(record.author), record.text)).collect();
        let mut now = HashSet::new();
        let mut numbers: HashMap<&str, u64> = HashMap::new();
        let mut fresh = Vec::new();
        for (at, (source, analysed)) in collection.sources.iter().zip(&collection.analysed).take(count).enumerate() {
            // An author without a name is known as long as this addition lasts.
            let number = *numbers.entry(&source.author).or_insert(at as u64);
            let author = self.author_hash(&source.author).unwrap_or_else(|| mix(self.end, number));
            let kept = if self.is_anonymous { packed::nameless(source) } else { source.clone() };
            let text = hash_bytes(&kept.text);
            if !known.contains(&(whose(author), text)) && now.insert((author, text)) {
                fresh.push(New { source: kept, analysed, author, text });
            }
        }
        fresh
    }

    /// What a new frame begins with: the last ones, if they are small.
    fn merged(&self, count: usize) -> io::Result<Parts> {
        let mut parts = Parts { fresh: count, ..Parts::default() };
        let mut pages = Pages::of(&self.file);
        while let Some(last) = self.frames.len().checked_sub(parts.replaces as usize + 1) {
            let frame = &self.frames[last];
            let size = parts.records.len() + count;
            if frame.records.len() > 2 * size || frame.records.len() + size > MERGED.max(TIMES * count) {
                break;
            }
            let shift = frame.records.len() as u32;
            for entry in &mut parts.fingerprints {
                entry.1 += shift;
            }
            parts.fingerprints.extend(frame.fingerprints.all(&mut pages)?);
            parts.units.extend(frame.units.all(&mut pages)?);
            parts.records.splice(0..0, frame.records.iter().copied());
            parts.replaces += 1;
        }
        Ok(parts)
    }

    fn gather(&self, new: &New, parts: &mut Parts) -> io::Result<()> {
        let place = parts.records.len() as u32;
        let views = [(new.analysed.view(false), 0), (new.analysed.view(true), OUTLINE)];
        for (view, of) in &views {
            parts.fingerprints.extend(view.fingerprints.iter().map(|hash| (key(*hash, *of), place)));
            parts.units.extend(view.distinct().into_iter().map(|hash| (key(hash, *of), frames::who(new.author))));
        }
        let bytes = packed::write(&new.source, &new.analysed.units)?;
        let is_rust = if new.source.language == Language::Rust { RUST } else { 0 };
        let [exact, outline] = views.map(|(view, _)| view.fingerprints.len() as u32);
        parts.records.push(Record {
            at: parts.sources.len() as u64,
            length: bytes.len() as u32,
            check: check(&bytes) as u32,
            author: new.author,
            text: new.text,
            exact,
            outline: outline | is_rust,
        });
        parts.sources.extend(bytes);
        Ok(())
    }
}

/// A source to add, as it is kept.
struct New<'a> {
    source: Source,
    analysed: &'a Analysed,
    author: u64,
    text: u64,
}
