//! Tables of numbers on disk, by hash: pages of equal size, each with a check, so
//! that looking something up reads a page or two and believes nothing else.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::{Damaged, check};

const PAGE: usize = 4096;
const ENTRY: usize = 12;
const ENTRIES: usize = (PAGE - 4) / ENTRY;

/// A hash and a number.
pub type Entry = (u64, u32);

/// The bytes of a table; the entries must be sorted.
pub fn write(entries: &[Entry], bytes: &mut Vec<u8>) {
    for entries in entries.chunks(ENTRIES) {
        let start = bytes.len();
        for (hash, number) in entries {
            bytes.extend_from_slice(&hash.to_le_bytes());
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.resize(start + PAGE - 4, 0);
        let check = check(&bytes[start..]) as u32;
        bytes.extend_from_slice(&check.to_le_bytes());
    }
}

/// How many bytes a table of so many entries takes.
pub fn length(entries: u32) -> u64 {
    (entries as usize).div_ceil(ENTRIES) as u64 * PAGE as u64
}

/// A table in a file.
#[derive(Clone, Copy)]
pub struct Table {
    pub at: u64,
    pub entries: u32,
}

impl Table {
    fn pages(self) -> usize {
        (self.entries as usize).div_ceil(ENTRIES)
    }

    fn page(self, file: &File, number: usize) -> io::Result<Vec<Entry>> {
        let mut bytes = [0; PAGE];
        file.read_exact_at(&mut bytes, self.at + (number * PAGE) as u64)?;
        let (entries, sum) = bytes.split_at(PAGE - 4);
        if sum != (check(entries) as u32).to_le_bytes() {
            return Err(io::Error::other(Damaged));
        }
        let count = (self.entries as usize - number * ENTRIES).min(ENTRIES);
        let read = |entry: &[u8]| {
            let (hash, number) = entry.split_at(8);
            let hash = u64::from_le_bytes(hash.try_into().expect("eight bytes"));
            (hash, u32::from_le_bytes(number.try_into().expect("four bytes")))
        };
        Ok(entries.chunks_exact(ENTRY).take(count).map(read).collect())
    }

    /// All numbers of a hash, at most so many.
    pub fn find(self, file: &File, hash: u64, most: usize) -> io::Result<Vec<u32>> {
        let mut found = Vec::new();
        let Some(mut number) = self.first_page(file, hash)? else { return Ok(found) };
        while number < self.pages() {
            let page = self.page(file, number)?;
            let start = page.partition_point(|entry| entry.0 < hash);
            let same = page[start..].iter().take_while(|entry| entry.0 == hash);
            found.extend(same.map(|entry| entry.1).take(most.saturating_sub(found.len())));
            if found.len() >= most || page.last().is_none_or(|last| last.0 > hash) {
                break;
            }
            number += 1;
        }
        Ok(found)
    }

    /// The first page that may hold a hash. Hashes are spread evenly, so the
    /// first guess is near; what is left is halved.
    fn first_page(self, file: &File, hash: u64) -> io::Result<Option<usize>> {
        let (mut low, mut high) = (0, self.pages());
        let mut guess = ((u128::from(hash) * self.pages() as u128) >> 64) as usize;
        let mut wide = 1;
        while low < high {
            let at = guess.clamp(low, high - 1);
            let page = self.page(file, at)?;
            if page.last().is_some_and(|last| last.0 < hash) {
                low = at + 1;
                guess = at + wide;
            } else if page.first().is_some_and(|first| first.0 >= hash) && at > 0 {
                // An equal one may end the page before.
                high = at;
                guess = at.saturating_sub(wide);
            } else {
                return Ok(Some(at));
            }
            wide *= 2;
        }
        Ok((low < self.pages()).then_some(low))
    }

    /// All of it.
    pub fn all(self, file: &File) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for number in 0..self.pages() {
            entries.extend(self.page(file, number)?);
        }
        Ok(entries)
    }
}
