//! From places in a module's code to functions and lines, by what its compiler
//! told of them.
//!
//! What is read may be anything, because sources can write into those sections.
//! So everything is gone through once for all places that are asked for, and
//! steps are counted: whoever wrote what takes too many is told less, and
//! nobody waits.

use std::collections::BTreeMap;

use gimli::{
    AttributeValue, DebugInfoOffset, DebuggingInformationEntry, Dwarf, EndianSlice, Error, LittleEndian,
    ReaderOffsetId, Unit, constants,
};

use super::Call;

/// The most entries, ranges and rows that are looked at. Those of the largest
/// example are a twentieth.
const MOST_STEPS: usize = 4_000_000;

/// How many bytes behind a line code without one may be.
const NEAR: usize = 64;

/// The most functions within each other at one place.
const MOST_WITHIN: usize = 64;

type Bytes<'a> = EndianSlice<'a, LittleEndian>;

/// What is found out about each place, the outermost function first.
pub type Found = BTreeMap<usize, Vec<Call>>;

/// A function that covers a place: how deep it is, its name, and for one that
/// became part of another where that called it.
struct Cover {
    depth: isize,
    name: String,
    called: Option<(String, u32)>,
}

/// Finds the functions and lines of some places of the code.
pub fn find(dwarf: &Dwarf<Bytes<'_>>, places: &[usize]) -> Found {
    let mut search = Search { dwarf, places, steps: 0, covers: BTreeMap::new(), lines: BTreeMap::new() };
    // What cannot be read ends there, and what was found before counts.
    let _ = search.run();
    places.iter().map(|&place| (place, search.calls(place))).collect()
}

struct Search<'a> {
    dwarf: &'a Dwarf<Bytes<'a>>,
    places: &'a [usize],
    steps: usize,
    covers: BTreeMap<usize, Vec<Cover>>,
    lines: BTreeMap<usize, (String, u32)>,
}

impl<'a> Search<'a> {
    /// The calls at a place, the innermost first.
    fn calls(&mut self, place: usize) -> Vec<Call> {
        let mut covers = self.covers.remove(&place).unwrap_or_default();
        covers.sort_by_key(|cover| cover.depth);
        let mut at = self.lines.remove(&place);
        let mut calls = Vec::new();
        for cover in covers.into_iter().rev() {
            calls.push(Call { function: cover.name, place: at });
            at = cover.called;
        }
        // A function in which nothing else is has no entry of its own.
        if at.is_some() {
            calls.push(Call { function: String::new(), place: at });
        }
        calls
    }

    fn step(&mut self) -> Result<(), Error> {
        self.steps += 1;
        if self.steps > MOST_STEPS { Err(Error::UnexpectedEof(ReaderOffsetId(0))) } else { Ok(()) }
    }

    fn run(&mut self) -> Result<(), Error> {
        let mut units = self.dwarf.units();
        while let Some(header) = units.next()? {
            self.step()?;
            let unit = self.dwarf.unit(header)?;
            self.find_lines(&unit)?;
            self.find_functions(&unit)?;
        }
        Ok(())
    }

    fn find_lines(&mut self, unit: &Unit<Bytes<'a>>) -> Result<(), Error> {
        let Some(program) = unit.line_program.clone() else { return Ok(()) };
        let mut rows = program.rows();
        let mut before: Option<(usize, u64, u32)> = None;
        while let Some((_, row)) = rows.next_row()? {
            self.step()?;
            let address = row.address() as usize;
            if let Some((start, file, line)) = before {
                for &place in self.places.iter().filter(|&&place| (start..address).contains(&place)) {
                    let file = self.file(unit, file);
                    self.lines.insert(place, (file, line));
                }
            }
            // Code without a line belongs to what comes right before it.
            let near =
                before.filter(|(start, ..)| address.saturating_sub(*start) <= NEAR).map(|(_, file, line)| (file, line));
            let place = row.line().map(|line| (row.file_index(), line.get() as u32)).or(near);
            before = place.filter(|_| !row.end_sequence()).map(|(file, line)| (address, file, line));
        }
        Ok(())
    }

    /// A file of a unit, without its folders.
    fn file(&self, unit: &Unit<Bytes<'a>>, index: u64) -> String {
        let program = unit.line_program.as_ref();
        let entry = program.and_then(|program| program.header().file(index));
        let name = entry.and_then(|entry| self.dwarf.attr_string(unit, entry.path_name()).ok());
        let name = name.map(|name| String::from_utf8_lossy(name.slice()).into_owned()).unwrap_or_default();
        name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()
    }

    fn find_functions(&mut self, unit: &Unit<Bytes<'a>>) -> Result<(), Error> {
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            self.step()?;
            if matches!(entry.tag(), constants::DW_TAG_subprogram | constants::DW_TAG_inlined_subroutine) {
                self.cover(unit, entry)?;
            }
        }
        Ok(())
    }

    /// Notes the places that a function covers.
    fn cover(&mut self, unit: &Unit<Bytes<'a>>, entry: &DebuggingInformationEntry<Bytes<'a>>) -> Result<(), Error> {
        let mut ranges = self.dwarf.die_ranges(unit, entry)?;
        let mut covered = Vec::new();
        while let Some(range) = ranges.next()? {
            self.step()?;
            let range = range.begin as usize..range.end as usize;
            covered.extend(self.places.iter().copied().filter(|place| range.contains(place)));
        }
        for place in covered {
            let is_inlined = entry.tag() == constants::DW_TAG_inlined_subroutine;
            let called = is_inlined.then(|| self.call_of(unit, entry)).flatten();
            let name = self.name(unit, entry, 4).unwrap_or_default();
            let covers = self.covers.entry(place).or_default();
            if covers.len() < MOST_WITHIN {
                covers.push(Cover { depth: entry.depth(), name, called });
            }
        }
        Ok(())
    }

    /// Where a function that became part of another was called.
    fn call_of(&self, unit: &Unit<Bytes<'a>>, entry: &DebuggingInformationEntry<Bytes<'a>>) -> Option<(String, u32)> {
        let number = |name| match entry.attr_value(name)? {
            AttributeValue::FileIndex(index) => Some(index),
            value => value.udata_value(),
        };
        let line = u32::try_from(number(constants::DW_AT_call_line)?).ok()?;
        Some((self.file(unit, number(constants::DW_AT_call_file)?), line))
    }

    /// The name of a function, of its own or of what it was made from.
    fn name(
        &self,
        unit: &Unit<Bytes<'a>>,
        entry: &DebuggingInformationEntry<Bytes<'a>>,
        steps: usize,
    ) -> Option<String> {
        for name in [constants::DW_AT_linkage_name, constants::DW_AT_name] {
            if let Some(value) = entry.attr_value(name) {
                let text = self.dwarf.attr_string(unit, value).ok()?;
                return Some(super::demangled(&String::from_utf8_lossy(text.slice())).into_owned());
            }
        }
        let origin = [constants::DW_AT_abstract_origin, constants::DW_AT_specification]
            .into_iter()
            .find_map(|name| entry.attr_value(name))?;
        let steps = steps.checked_sub(1)?;
        match origin {
            AttributeValue::UnitRef(offset) => self.name(unit, &unit.entry(offset).ok()?, steps),
            AttributeValue::DebugInfoRef(offset) => {
                let unit = self.unit_of(offset)?;
                self.name(&unit, &unit.entry(offset.to_unit_offset(&unit.header)?).ok()?, steps)
            }
            _ => None,
        }
    }

    fn unit_of(&self, offset: DebugInfoOffset) -> Option<Unit<Bytes<'a>>> {
        let mut units = self.dwarf.units();
        while let Ok(Some(header)) = units.next() {
            if offset.to_unit_offset(&header).is_some() {
                return self.dwarf.unit(header).ok();
            }
        }
        None
    }
}
