//! The file of a corpus: a head, then one frame for each addition. A frame has a
//! list of sources, a table of fingerprints, a table of how many have each unit,
//! and the sources themselves. A frame may take the place of some before it,
//! whose sources stay where they are. A frame that is not whole was cut off, and
//! the next one is written over it.

use std::fs::File;
use std::io;
#[cfg(unix)]
use std::os::unix::fs::FileExt;

#[cfg(windows)]
use super::at::FileExt;
use super::pages::{self, Entry, Table};
use super::{Damaged, RUST, check};

pub const MAGIC: &[u8; 8] = b"LUDUSPLG";
pub const VERSION: u32 = 2;
pub const HEAD: u64 = 16;
const TAG: &[u8; 4] = b"ADD\n";
const FRAME_HEAD: usize = 4 + 8 + 4 * 4 + 8;
const RECORD: usize = 40;
/// Of so many authors who have a unit a frame says who they are; of more, how many.
const NAMED: usize = 64;
const MANY: u32 = 1 << 31;

/// Where a source is, and what is asked of it before it is read.
#[derive(Clone, Copy)]
pub struct Record {
    pub at: u64,
    pub length: u32,
    /// Of its bytes.
    pub check: u32,
    /// Of its author's name, or a number that nothing else has.
    pub author: u64,
    /// Of its text.
    pub text: u64,
    pub exact: u32,
    /// How many fingerprints its outline has; the highest bit says Rust.
    pub outline: u32,
}

impl Record {
    pub fn is_rust(&self) -> bool {
        self.outline & RUST != 0
    }

    /// How many fingerprints it has, within a language or between two.
    pub fn fingerprints(&self, is_across: bool) -> u32 {
        if is_across { self.outline & !RUST } else { self.exact }
    }
}

/// How a table of units names an author.
pub fn who(author: u64) -> u32 {
    (author >> 32) as u32 & !MANY
}

/// How many authors some numbers of a table of units stand for.
pub fn count_authors(numbers: &mut Vec<u32>) -> u32 {
    numbers.sort_unstable();
    let more = numbers.partition_point(|number| number & MANY == 0);
    let more: u32 = numbers.drain(more..).fold(0, |sum, number| sum.saturating_add(number & !MANY));
    numbers.dedup();
    more.saturating_add(numbers.len() as u32).min(!MANY)
}

pub struct Frame {
    pub records: Vec<Record>,
    pub fingerprints: Table,
    pub units: Table,
}

impl Frame {
    /// Its tables stand at a place, one after the other.
    fn of(records: Vec<Record>, at: u64, fingerprints: u32, units: u32) -> Frame {
        let fingerprints = Table { at, entries: fingerprints };
        let units = Table { at: at + pages::length(fingerprints.entries), entries: units };
        Frame { records, fingerprints, units }
    }
}

/// What a frame is made of.
#[derive(Default)]
pub struct Parts {
    pub replaces: u32,
    pub records: Vec<Record>,
    pub fingerprints: Vec<Entry>,
    /// Who has each unit, or how many have.
    pub units: Vec<Entry>,
    /// Compressed sources, whose places are counted from their first byte.
    pub sources: Vec<u8>,
    /// How many of the records, at the end, are of those sources.
    pub fresh: usize,
}

/// Units each with who has them, or with how many, if those are too many to name.
fn named(mut units: Vec<Entry>) -> Vec<Entry> {
    units.sort();
    // Counts of two frames may be equal, and are of different authors.
    units.dedup_by(|x, y| x == y && x.1 & MANY == 0);
    let mut named = Vec::with_capacity(units.len());
    for same in units.chunk_by(|x, y| x.0 == y.0) {
        if same.len() <= NAMED && same.iter().all(|entry| entry.1 & MANY == 0) {
            named.extend_from_slice(same);
        } else {
            let mut numbers = same.iter().map(|entry| entry.1).collect();
            named.push((same[0].0, MANY | count_authors(&mut numbers)));
        }
    }
    named
}

/// The bytes of a frame that will stand at a place, and the frame. What is sorted
/// consists of tables that are: a stable sort merges them.
pub fn write(mut parts: Parts, at: u64) -> (Vec<u8>, Frame) {
    parts.fingerprints.sort();
    parts.units = named(parts.units);
    let count = |length: usize| u32::try_from(length).expect("a corpus is smaller than that");
    let (fingerprints, units) = (count(parts.fingerprints.len()), count(parts.units.len()));
    let tables = pages::length(fingerprints) + pages::length(units);
    let before = (FRAME_HEAD + parts.records.len() * RECORD) as u64 + tables;
    let old = parts.records.len() - parts.fresh;
    for record in &mut parts.records[old..] {
        record.at += at + before;
    }
    let mut bytes = Vec::new();
    bytes.extend_from_slice(TAG);
    bytes.extend_from_slice(&(before + parts.sources.len() as u64).to_le_bytes());
    for number in [parts.replaces, count(parts.records.len()), fingerprints, units] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    let mut list = Vec::new();
    for record in &parts.records {
        list.extend_from_slice(&record.at.to_le_bytes());
        list.extend_from_slice(&record.length.to_le_bytes());
        list.extend_from_slice(&record.check.to_le_bytes());
        list.extend_from_slice(&record.author.to_le_bytes());
        list.extend_from_slice(&record.text.to_le_bytes());
        list.extend_from_slice(&record.exact.to_le_bytes());
        list.extend_from_slice(&record.outline.to_le_bytes());
    }
    let sum = check(&[bytes.as_slice(), &list].concat());
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes.extend_from_slice(&list);
    let table = at + bytes.len() as u64;
    pages::write(&parts.fingerprints, &mut bytes);
    pages::write(&parts.units, &mut bytes);
    bytes.extend_from_slice(&parts.sources);
    (bytes, Frame::of(parts.records, table, fingerprints, units))
}

/// All frames that count, and where the next one goes.
pub fn read(file: &File) -> io::Result<(Vec<Frame>, u64)> {
    let end = file.metadata()?.len();
    let mut frames: Vec<Frame> = Vec::new();
    let mut at = HEAD;
    while let Some((frame, replaces, length)) = read_one(file, at, end)? {
        let kept = frames.len().checked_sub(replaces).ok_or_else(|| io::Error::other(Damaged))?;
        frames.truncate(kept);
        frames.push(frame);
        at += length;
    }
    Ok((frames, at))
}

fn read_one(file: &File, at: u64, end: u64) -> io::Result<Option<(Frame, usize, u64)>> {
    let damaged = || io::Error::other(Damaged);
    if at + FRAME_HEAD as u64 > end {
        return Ok(None);
    }
    let mut head = [0; FRAME_HEAD];
    file.read_exact_at(&mut head, at)?;
    let number = |from: usize| u32::from_le_bytes(head[from..from + 4].try_into().expect("four bytes"));
    let long = |bytes: &[u8], from: usize| u64::from_le_bytes(bytes[from..from + 8].try_into().expect("eight bytes"));
    if &head[..4] != TAG {
        return Err(damaged());
    }
    let length = long(&head, 4);
    if length > end - at {
        return Ok(None);
    }
    let (replaces, count, fingerprints, units) = (number(12), number(16), number(20), number(24));
    let list_length = u64::from(count) * RECORD as u64;
    let tables = pages::length(fingerprints) + pages::length(units);
    if FRAME_HEAD as u64 + list_length + tables > length {
        return Err(damaged());
    }
    let mut list = vec![0; list_length as usize];
    file.read_exact_at(&mut list, at + FRAME_HEAD as u64)?;
    if check(&[&head[..28], &list].concat()) != long(&head, 28) {
        return Err(damaged());
    }
    let read = |record: &[u8]| Record {
        at: long(record, 0),
        length: long(record, 8) as u32,
        check: (long(record, 8) >> 32) as u32,
        author: long(record, 16),
        text: long(record, 24),
        exact: long(record, 32) as u32,
        outline: (long(record, 32) >> 32) as u32,
    };
    let records = list.chunks_exact(RECORD).map(read).collect();
    let table = at + FRAME_HEAD as u64 + list_length;
    Ok(Some((Frame::of(records, table, fingerprints, units), replaces as usize, length)))
}
