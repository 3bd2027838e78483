//! Tables of numbers on disk, by hash: pages of equal size, each with a check, so
//! that looking something up reads a page or two and believes nothing else.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::fs::File;
use std::io;
#[cfg(unix)]
use std::os::unix::fs::FileExt;

use super::Damaged;
#[cfg(windows)]
use super::at::FileExt;
use crate::lower::mix;

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
        let sum = sum(&bytes[start..]);
        bytes.extend_from_slice(&sum);
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

/// So many pages in a row are read at once: what is looked up is spread over most of
/// a table, and to ask the system for a page takes longer than to copy several.
const BLOCK: usize = 8;

/// Pages in a row, and which of them were found good, a bit for each.
struct Block {
    bytes: Vec<u8>,
    good: u8,
}

/// A file, and what was read of it.
pub struct Pages<'a> {
    file: &'a File,
    read: HashMap<u64, Block>,
}

impl<'a> Pages<'a> {
    pub fn of(file: &'a File) -> Pages<'a> {
        Pages { file, read: HashMap::new() }
    }

    fn page(&mut self, table: Table, number: usize) -> io::Result<&[u8; PAGE]> {
        let (first, place) = (number / BLOCK * BLOCK, number % BLOCK);
        let at = table.at + (first * PAGE) as u64;
        let block = match self.read.entry(at) {
            Slot::Occupied(found) => found.into_mut(),
            Slot::Vacant(room) => {
                let mut bytes = vec![0; BLOCK.min(table.pages() - first) * PAGE];
                self.file.read_exact_at(&mut bytes, at)?;
                room.insert(Block { bytes, good: 0 })
            }
        };
        let page = &block.bytes.as_chunks::<PAGE>().0[place];
        if block.good & (1 << place) == 0 {
            if page[PAGE - 4..] != sum(&page[..PAGE - 4]) {
                return Err(io::Error::other(Damaged));
            }
            block.good |= 1 << place;
        }
        Ok(page)
    }
}

/// The check of a page, by four sums that do not wait for each other. Nobody
/// gains by forging one, so it need not be strong.
fn sum(bytes: &[u8]) -> [u8; 4] {
    let mut sums = [1u64, 2, 3, 4];
    let add = |sum: &mut u64, word: [u8; 8]| {
        *sum = (*sum ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    };
    let (parts, rest) = bytes.as_chunks::<32>();
    for part in parts {
        let words = part.as_chunks::<8>().0;
        sums.iter_mut().zip(words).for_each(|(sum, word)| add(sum, *word));
    }
    for (sum, word) in sums.iter_mut().zip(rest.chunks(8)) {
        let mut whole = [0; 8];
        whole[..word.len()].copy_from_slice(word);
        add(sum, whole);
    }
    let all = sums.into_iter().fold(bytes.len() as u64, mix);
    (all as u32).to_le_bytes()
}

fn entry(page: &[u8; PAGE], at: usize) -> Entry {
    let bytes = &page[at * ENTRY..][..ENTRY];
    let hash = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"));
    (hash, u32::from_le_bytes(bytes[8..].try_into().expect("four bytes")))
}

/// The first of some entries that is not below a hash.
fn lower_bound(page: &[u8; PAGE], count: usize, hash: u64) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = usize::midpoint(low, high);
        if entry(page, middle).0 < hash { low = middle + 1 } else { high = middle }
    }
    low
}

impl Table {
    fn pages(self) -> usize {
        (self.entries as usize).div_ceil(ENTRIES)
    }

    fn count(self, number: usize) -> usize {
        (self.entries as usize - number * ENTRIES).min(ENTRIES)
    }

    fn page<'a>(self, pages: &'a mut Pages, number: usize) -> io::Result<&'a [u8; PAGE]> {
        pages.page(self, number)
    }

    /// The numbers of a hash, one after the other, until one is enough.
    pub fn visit(self, pages: &mut Pages, hash: u64, mut wants_more: impl FnMut(u32) -> bool) -> io::Result<()> {
        for number in self.first_page(pages, hash)?..self.pages() {
            let count = self.count(number);
            let page = self.page(pages, number)?;
            let start = lower_bound(page, count, hash);
            let mut same = (start..count).map(|at| entry(page, at)).take_while(|entry| entry.0 == hash);
            if !same.all(|entry| wants_more(entry.1)) || entry(page, count - 1).0 > hash {
                break;
            }
        }
        Ok(())
    }

    /// The first page whose last entry is not below a hash. Hashes are spread
    /// evenly, so the first guess is near.
    fn first_page(self, pages: &mut Pages, hash: u64) -> io::Result<usize> {
        let (mut low, mut high) = (0, self.pages());
        let mut guess = ((u128::from(hash) * self.pages() as u128) >> 64) as usize;
        let mut step = 1;
        while low < high {
            let at = guess.clamp(low, high - 1);
            let count = self.count(at);
            let page = self.page(pages, at)?;
            let (first, last) = (entry(page, 0).0, entry(page, count - 1).0);
            if last < hash {
                low = at + 1;
                guess = at + step;
            } else if first < hash || at == low {
                return Ok(at);
            } else {
                high = at;
                guess = at.saturating_sub(step);
            }
            step *= 2;
        }
        Ok(low)
    }

    /// All of it.
    pub fn all(self, pages: &mut Pages) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::with_capacity(self.entries as usize);
        for number in 0..self.pages() {
            let count = self.count(number);
            let page = self.page(pages, number)?;
            entries.extend((0..count).map(|at| entry(page, at)));
        }
        Ok(entries)
    }
}
