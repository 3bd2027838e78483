//! Bytes whose reading is counted.
//!
//! What a compiler told of a module may be anything, because sources can write
//! into those sections: lists that many entries share, tables that every unit
//! reads anew, names without an end. Whatever is made of them is read through
//! here, so that one number bounds the work of it all, the same on every machine.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use gimli::{EndianSlice, Error, LittleEndian, Reader, ReaderOffsetId, Result};

/// How many bytes are looked through for the price of one that is read.
const FOUND_AT_ONCE: usize = 16;

/// What may still be read.
#[derive(Clone, Debug)]
pub struct Allowance(Rc<Cell<usize>>);

impl Allowance {
    pub fn of(steps: usize) -> Allowance {
        Allowance(Rc::new(Cell::new(steps)))
    }

    /// Takes some steps, or ends everything.
    pub fn spend(&self, steps: usize) -> Result<()> {
        let left = self.0.get().checked_sub(steps);
        self.0.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(Error::UnexpectedEof(ReaderOffsetId(0)))
    }

    #[cfg(test)]
    pub fn left(&self) -> usize {
        self.0.get()
    }
}

#[derive(Clone, Debug)]
pub struct Counted<'a> {
    bytes: EndianSlice<'a, LittleEndian>,
    allowance: Allowance,
}

impl<'a> Counted<'a> {
    pub fn new(bytes: &'a [u8], allowance: &Allowance) -> Counted<'a> {
        Counted { bytes: EndianSlice::new(bytes, LittleEndian), allowance: allowance.clone() }
    }

    pub fn slice(&self) -> &'a [u8] {
        self.bytes.slice()
    }
}

impl Reader for Counted<'_> {
    type Endian = LittleEndian;
    type Offset = usize;

    fn endian(&self) -> LittleEndian {
        LittleEndian
    }

    fn len(&self) -> usize {
        Reader::len(&self.bytes)
    }

    fn empty(&mut self) {
        self.bytes.empty();
    }

    fn truncate(&mut self, len: usize) -> Result<()> {
        self.bytes.truncate(len)
    }

    fn offset_from(&self, base: &Self) -> usize {
        Reader::offset_from(&self.bytes, &base.bytes)
    }

    fn offset_id(&self) -> ReaderOffsetId {
        self.bytes.offset_id()
    }

    fn lookup_offset_id(&self, id: ReaderOffsetId) -> Option<usize> {
        self.bytes.lookup_offset_id(id)
    }

    fn find(&self, byte: u8) -> Result<usize> {
        let found = Reader::find(&self.bytes, byte);
        let looked_through = found.as_ref().map_or_else(|_| Reader::len(self), |at| *at);
        self.allowance.spend(1 + looked_through / FOUND_AT_ONCE)?;
        found
    }

    fn skip(&mut self, len: usize) -> Result<()> {
        self.allowance.spend(1)?;
        self.bytes.skip(len)
    }

    fn split(&mut self, len: usize) -> Result<Self> {
        self.allowance.spend(1)?;
        Ok(Counted { bytes: self.bytes.split(len)?, allowance: self.allowance.clone() })
    }

    fn to_slice(&self) -> Result<Cow<'_, [u8]>> {
        self.bytes.to_slice()
    }

    fn to_string(&self) -> Result<Cow<'_, str>> {
        Reader::to_string(&self.bytes)
    }

    fn to_string_lossy(&self) -> Result<Cow<'_, str>> {
        Reader::to_string_lossy(&self.bytes)
    }

    fn read_slice(&mut self, buf: &mut [u8]) -> Result<()> {
        self.allowance.spend(1)?;
        self.bytes.read_slice(buf)
    }
}
