//! Names and lines of a module, kept beside it.
//!
//! Compilers are asked for lines, which changes nothing in the code; what they
//! tell is then taken out of the module, so that the module is the same as
//! without, and kept under its hash. It is looked at when a player fails.

mod counted;
mod places;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use gimli::{Dwarf, SectionId};
use wasmparser::{BinaryReaderError, KnownCustom, Name, Parser, Payload};

use crate::build::{hex, replace, thin, use_now};
use crate::meter;
use counted::{Allowance, Counted};

/// The folder of the cache with what is kept of modules.
const SYMBOLS: &str = "symbols";

/// The most that is unpacked: what a compiler may write.
const LARGEST: u64 = 64 << 20;

/// The largest section of names or lines that is looked at: five times what those of
/// the examples have. A table may take two hundred times as much memory, read.
const LARGEST_SECTION: usize = 2 << 20;

/// The most that is read to find functions and lines.
const MOST_READ: usize = 40_000_000;

/// Sections that nobody asks for when a player fails.
const UNUSED: [&str; 6] =
    [".debug_loc", ".debug_loclists", ".debug_pubnames", ".debug_pubtypes", "producers", "target_features"];
const DATA: u8 = 11;

/// What a linker wrote as the module alone, and as what is kept of its names and
/// lines.
pub fn split(linked: &[u8]) -> Result<(Vec<u8>, Vec<u8>), BinaryReaderError> {
    let mut module = linked.get(..8).unwrap_or_default().to_vec();
    let mut symbols = module.clone();
    let mut from = module.len();
    for payload in Parser::new(0).parse_all(linked) {
        let payload = payload?;
        let Some((id, range)) = payload.as_section() else { continue };
        let section = &linked[from..range.end];
        from = range.end;
        let name = if let Payload::CustomSection(custom) = &payload { Some(custom.name()) } else { None };
        if name.is_none() {
            module.extend_from_slice(section);
        }
        if id != DATA && !name.is_some_and(|name| UNUSED.contains(&name)) {
            symbols.extend_from_slice(section);
        }
    }
    Ok((module, packed(&symbols)))
}

fn packed(symbols: &[u8]) -> Vec<u8> {
    let mut packing = DeflateEncoder::new(Vec::new(), Compression::fast());
    packing.write_all(symbols).and_then(|()| packing.finish()).expect("memory takes everything")
}

/// Where what is known of a module is kept.
pub fn place(cache: &Path, module: &[u8; 32]) -> PathBuf {
    cache.join(SYMBOLS).join(hex(module))
}

/// Keeps what is known of a module.
pub fn keep(cache: &Path, module: &[u8; 32], packed: &[u8]) -> std::io::Result<()> {
    replace(&place(cache, module), packed)?;
    thin(&cache.join(SYMBOLS));
    Ok(())
}

/// What is kept in a place, if anything is.
pub fn kept(place: &Path) -> Option<Vec<u8>> {
    let mut packed = Vec::new();
    File::open(place).ok()?.take(LARGEST).read_to_end(&mut packed).ok()?;
    use_now(place);
    Some(packed)
}

/// What is known of a module.
pub struct Symbols(Vec<u8>);

/// A call of a function, or a place in one that became part of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// As the linker knows it.
    pub function: String,
    /// The file without its folders, and the line in it.
    pub place: Option<(String, u32)>,
}

impl Symbols {
    /// From what is kept.
    pub fn unpacked(packed: &[u8]) -> Option<Symbols> {
        let mut wasm = Vec::new();
        DeflateDecoder::new(packed).take(LARGEST).read_to_end(&mut wasm).ok()?;
        Some(Symbols(wasm))
    }

    /// Makes it ready to be asked.
    pub fn open(&self) -> Option<Lines<'_>> {
        let mut sections: HashMap<&str, &[u8]> = HashMap::new();
        let mut names = HashMap::new();
        for payload in Parser::new(0).parse_all(&self.0) {
            let Payload::CustomSection(custom) = payload.ok()? else { continue };
            if custom.data().len() > LARGEST_SECTION {
                continue;
            }
            sections.insert(custom.name(), custom.data());
            let KnownCustom::Name(all) = custom.as_known() else { continue };
            for name in all.into_iter().flatten() {
                let Name::Function(functions) = name else { continue };
                names.extend(functions.into_iter().flatten().map(|function| (function.index, function.name)));
            }
        }
        let allowance = Allowance::of(MOST_READ);
        let load = |section: SectionId| {
            let bytes = sections.get(section.name()).copied().unwrap_or_default();
            Ok::<_, gimli::Error>(Counted::new(bytes, &allowance))
        };
        let dwarf = Dwarf::load(load).ok()?;
        Some(Lines { wasm: &self.0, names, dwarf, allowance })
    }
}

/// What is known of a module, ready to be asked.
pub struct Lines<'a> {
    wasm: &'a [u8],
    names: HashMap<u32, &'a str>,
    dwarf: Dwarf<Counted<'a>>,
    allowance: Allowance,
}

impl Lines<'_> {
    /// The name of a function, as the linker knows it.
    pub fn name(&self, function: u32) -> &str {
        self.names.get(&function).copied().unwrap_or("an unknown function")
    }

    /// The calls at each of some places of counted functions, the innermost
    /// first. All are looked for at once.
    pub fn calls(&self, places: &[(u32, usize)]) -> Vec<Vec<Call>> {
        let mut known: HashMap<u32, Vec<(usize, usize)>> = HashMap::new();
        let mut positions = Vec::new();
        for &(function, counted) in places {
            let all =
                known.entry(function).or_insert_with(|| meter::positions(self.wasm, function).unwrap_or_default());
            let after = all.partition_point(|&(place, _)| place <= counted);
            positions.push(all.get(after.saturating_sub(1)).map(|&(_, original)| original));
        }
        let mut wanted: Vec<usize> = positions.iter().copied().flatten().collect();
        wanted.sort_unstable();
        wanted.dedup();
        let found = places::find(&self.dwarf, &self.allowance, &wanted);
        let calls = places.iter().zip(positions).map(|(&(function, _), position)| {
            let mut calls = position.and_then(|position| found.get(&position)).cloned().unwrap_or_default();
            let outermost = self.name(function).to_owned();
            match calls.last_mut() {
                Some(last) => last.function = outermost,
                None => calls.push(Call { function: outermost, place: None }),
            }
            calls
        });
        calls.collect()
    }
}

/// A name as its author wrote it, in either language. A few letters can stand for
/// a name without an end, so that it is cut off.
pub fn demangled(name: &str) -> Cow<'_, str> {
    if name.len() > LONGEST_NAME || reads_twice(name) {
        return name.into();
    }
    let mut readable = Short(String::new());
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        return match write!(readable, "{rust:#}") {
            Ok(()) => readable.0.into(),
            Err(_) => name.into(),
        };
    }
    let Ok(symbol) = cpp_demangle::Symbol::new(name) else { return name.into() };
    match symbol.structured_demangle(&mut readable, &cpp_demangle::DemangleOptions::default()) {
        Ok(()) => readable.0.into(),
        Err(_) => name.into(),
    }
}

/// Whether a name holds an operator that makes a type of something, and so many
/// lists within each other as its reader could go through twice at each level. No
/// honest operator comes near.
fn reads_twice(name: &str) -> bool {
    name.split_once("cv").is_some_and(|(_, rest)| rest.matches('I').count() > MOST_LISTS)
}

const MOST_LISTS: usize = 12;

/// The longest name that is made readable, and the longest that comes of it.
const LONGEST_NAME: usize = 4096;

/// A text that takes no more than that.
struct Short(String);

impl fmt::Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > LONGEST_NAME {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// What a type is called by its author, from the name that a program has for it.
pub fn type_name(name: &str) -> String {
    const BEFORE: &str = "typeinfo name for ";
    let symbol = format!("_ZTS{name}");
    match demangled(&symbol).strip_prefix(BEFORE) {
        Some(readable) => readable.to_owned(),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use gimli::Section as _;

    use super::*;

    /// What gimli makes of it is ten times as large.
    #[test]
    fn a_table_of_many_megabytes_is_not_read() {
        let section = |bytes: usize| {
            let mut module = wasm_encoder::Module::new();
            let data = vec![1; bytes].into();
            module.section(&wasm_encoder::CustomSection { name: ".debug_line".into(), data });
            Symbols(module.finish())
        };
        let read = |symbols: Symbols| symbols.open().map(|lines| lines.dwarf.debug_line.reader().slice().len());
        assert_eq!(read(section(39 << 20)), Some(0));
        assert_eq!(read(section(1 << 20)), Some(1 << 20));
    }

    /// A name of a template's operator, with so many lists within each other.
    fn nested(lists: usize) -> String {
        format!("N1acv{}IiEE", (0..lists).fold("i".to_owned(), |inner, _| format!("T_I{inner}IEE")))
    }

    #[test]
    fn names_that_would_be_read_twice_at_each_level_are_told_as_they_are() {
        // Deeper ones are too deep for the reader, which then gives up at once.
        let name = nested(24);
        assert_eq!(type_name(&name), name);
        let function = format!("_Z{name}v");
        assert_eq!(demangled(&function), function);
        // Honest ones are read: a class that becomes a map of vectors.
        let honest = "_ZNK4CellcvNSt3__23mapIiNS0_6vectorIiNS0_9allocatorIiEEEEEEEv";
        assert!(demangled(honest).starts_with("Cell::operator std::__2::map<int, "), "{}", demangled(honest));
    }
}
