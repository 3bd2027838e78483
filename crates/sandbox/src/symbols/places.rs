//! From places in a module's code to functions and lines, by what its compiler
//! told of them.
//!
//! What is read may be anything, because sources can write into those sections.
//! So everything is gone through once for all places that are asked for, and
//! all reading is counted: whoever wrote what takes too much is told less, and
//! nobody waits.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gimli::{
    AttributeValue, DebugInfoOffset, DebuggingInformationEntry, Dwarf, Error, LineProgramHeader, Unit, constants,
};

use super::counted::{Allowance, Counted};
use super::{Call, LONGEST_NAME};

/// How many bytes behind a line code without one may be.
const NEAR: usize = 64;

/// The most functions within each other at one place.
const MOST_WITHIN: usize = 64;

/// How often the attributes of an entry are gone through.
const LOOKS: usize = 8;

type Entry<'a> = DebuggingInformationEntry<Counted<'a>>;

/// What is found out about each place, the outermost function first.
pub type Found = BTreeMap<usize, Vec<Call>>;

/// A function that covers a place: how deep it is, its name, and for one that
/// became part of another where that called it.
struct Cover {
    depth: isize,
    name: String,
    called: Option<(String, u32)>,
}

/// Finds the functions and lines of some places of the code, which are in order.
pub fn find(dwarf: &Dwarf<Counted<'_>>, allowance: &Allowance, places: &[usize]) -> Found {
    let mut search = Search { dwarf, allowance, places, covers: BTreeMap::new(), lines: BTreeMap::new() };
    // What cannot be read ends there, and what was found before counts.
    let _ = search.run();
    places.iter().map(|&place| (place, search.calls(place))).collect()
}

struct Search<'a> {
    dwarf: &'a Dwarf<Counted<'a>>,
    allowance: &'a Allowance,
    places: &'a [usize],
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

    fn run(&mut self) -> Result<(), Error> {
        let mut units = self.dwarf.units();
        while let Some(header) = units.next()? {
            let mut unit = self.dwarf.unit(header)?;
            self.find_functions(&unit)?;
            self.find_lines(&mut unit)?;
        }
        Ok(())
    }

    /// The places that are asked for within some code.
    fn within(&self, code: Range<usize>) -> &'a [usize] {
        let from = self.places.partition_point(|&place| place < code.start);
        let to = self.places.partition_point(|&place| place < code.end);
        self.places.get(from..to).unwrap_or_default()
    }

    /// The last that is asked of a unit: what it has of lines goes.
    fn find_lines(&mut self, unit: &mut Unit<Counted<'a>>) -> Result<(), Error> {
        let Some(program) = unit.line_program.take() else { return Ok(()) };
        let mut rows = program.rows();
        let mut before: Option<(usize, u64, u32)> = None;
        let mut found: BTreeMap<usize, (u64, u32)> = BTreeMap::new();
        while let Some((_, row)) = rows.next_row()? {
            let address = row.address() as usize;
            if let Some((start, file, line)) = before {
                let within = self.within(start..address);
                self.allowance.spend(1 + within.len())?;
                found.extend(within.iter().map(|&place| (place, (file, line))));
            }
            // Code without a line belongs to what comes right before it.
            let near =
                before.filter(|(start, ..)| address.saturating_sub(*start) <= NEAR).map(|(_, file, line)| (file, line));
            let place = row.line().map(|line| (row.file_index(), line.get() as u32)).or(near);
            before = place.filter(|_| !row.end_sequence()).map(|(file, line)| (address, file, line));
        }
        for (place, (file, line)) in found {
            let file = self.file(unit, rows.header(), file);
            self.lines.insert(place, (file, line));
        }
        Ok(())
    }

    /// A file of a unit, without its folders.
    fn file(&self, unit: &Unit<Counted<'a>>, table: &LineProgramHeader<Counted<'a>>, index: u64) -> String {
        let entry = table.file(index);
        let name = entry.and_then(|entry| self.dwarf.attr_string(unit, entry.path_name()).ok());
        let name = name.map(|name| name.slice()).unwrap_or_default();
        let name = String::from_utf8_lossy(&name[name.len().saturating_sub(LONGEST_NAME)..]);
        name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()
    }

    fn find_functions(&mut self, unit: &Unit<Counted<'a>>) -> Result<(), Error> {
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            // Attributes may be there without a byte.
            self.allowance.spend(1 + LOOKS * entry.attrs().len())?;
            if matches!(entry.tag(), constants::DW_TAG_subprogram | constants::DW_TAG_inlined_subroutine) {
                self.cover(unit, entry)?;
            }
        }
        Ok(())
    }

    /// Notes the places that a function covers.
    fn cover(&mut self, unit: &Unit<Counted<'a>>, entry: &Entry<'a>) -> Result<(), Error> {
        let mut ranges = self.dwarf.die_ranges(unit, entry)?;
        let mut covered = BTreeSet::new();
        while let Some(range) = ranges.next()? {
            let within = self.within(range.begin as usize..range.end as usize);
            self.allowance.spend(1 + within.len())?;
            covered.extend(within);
        }
        covered.retain(|place| self.covers.get(place).is_none_or(|covers| covers.len() < MOST_WITHIN));
        if covered.is_empty() {
            return Ok(());
        }
        let is_inlined = entry.tag() == constants::DW_TAG_inlined_subroutine;
        let called = is_inlined.then(|| self.call_of(unit, entry)).flatten();
        let name = self.name(unit, entry, 4).unwrap_or_default();
        for place in covered {
            let cover = Cover { depth: entry.depth(), name: name.clone(), called: called.clone() };
            self.covers.entry(place).or_default().push(cover);
        }
        Ok(())
    }

    /// Where a function that became part of another was called.
    fn call_of(&self, unit: &Unit<Counted<'a>>, entry: &Entry<'a>) -> Option<(String, u32)> {
        let number = |name| match entry.attr_value(name)? {
            AttributeValue::FileIndex(index) => Some(index),
            value => value.udata_value(),
        };
        let line = u32::try_from(number(constants::DW_AT_call_line)?).ok()?;
        let table = unit.line_program.as_ref()?.header();
        Some((self.file(unit, table, number(constants::DW_AT_call_file)?), line))
    }

    /// The name of a function as the linker knows it, of its own or of what it was
    /// made from.
    fn name(&self, unit: &Unit<Counted<'a>>, entry: &Entry<'a>, steps: usize) -> Option<String> {
        self.allowance.spend(1 + LOOKS * entry.attrs().len()).ok()?;
        for name in [constants::DW_AT_linkage_name, constants::DW_AT_name] {
            if let Some(value) = entry.attr_value(name) {
                let text = self.dwarf.attr_string(unit, value).ok()?.slice();
                // One that is longer is not made readable.
                return Some(String::from_utf8_lossy(&text[..text.len().min(LONGEST_NAME + 1)]).into_owned());
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

    fn unit_of(&self, offset: DebugInfoOffset) -> Option<Unit<Counted<'a>>> {
        let mut units = self.dwarf.units();
        while let Ok(Some(header)) = units.next() {
            if offset.to_unit_offset(&header).is_some() {
                return self.dwarf.unit(header).ok();
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use gimli::SectionId;

    use super::*;

    /// So many functions, each of which is in the same long list of ranges.
    fn overlapping(functions: usize, ranges: usize) -> [(SectionId, Vec<u8>); 3] {
        // A unit, and a function with a name and ranges.
        let abbreviations = vec![1, 0x11, 1, 0x11, 1, 0, 0, 2, 0x2e, 0, 3, 8, 0x55, 0x17, 0, 0, 0];
        let mut list = [1u32.to_le_bytes(), 0x7fff_fff0u32.to_le_bytes()].concat().repeat(ranges);
        list.extend([0; 8]);
        let mut unit = vec![4, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0];
        for _ in 0..functions {
            unit.extend(b"\x02everywhere\0\0\0\0\0");
        }
        unit.push(0);
        let mut info = (unit.len() as u32).to_le_bytes().to_vec();
        info.extend(unit);
        [(SectionId::DebugAbbrev, abbreviations), (SectionId::DebugRanges, list), (SectionId::DebugInfo, info)]
    }

    fn search(sections: &[(SectionId, Vec<u8>)], allowance: &Allowance) -> Found {
        let load = |id: SectionId| {
            let section = sections.iter().find(|(section, _)| *section == id);
            Ok::<_, Error>(Counted::new(section.map(|(_, bytes)| &**bytes).unwrap_or_default(), allowance))
        };
        find(&Dwarf::load(load).unwrap(), allowance, &[5, 10, 15])
    }

    #[test]
    fn a_function_is_named_once_for_all_its_ranges() {
        let allowance = Allowance::of(1_000);
        let found = search(&overlapping(2, 3), &allowance);
        assert!(allowance.left() > 800, "{}", allowance.left());
        let names = |place| found[&place].iter().map(|call: &Call| &*call.function).collect::<Vec<_>>();
        assert_eq!(names(5), ["everywhere", "everywhere"]);
        assert_eq!(names(15), names(5));
    }

    #[test]
    fn reading_ends_with_its_allowance() {
        let sections = overlapping(100_000, 100_000);
        let allowance = Allowance::of(1_000_000);
        let found = search(&sections, &allowance);
        assert_eq!(allowance.left(), 0);
        assert!(!found[&5].is_empty() && found[&5].len() <= MOST_WITHIN, "what was found before counts");
    }
}
