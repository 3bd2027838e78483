//! Caps: how large the parts of a module may be.
//!
//! Making machine code of a function takes time and memory that grow faster
//! than the function, so it is not enough that a module is small. The caps are
//! looked at in one pass, before anything else is done with a module, and not
//! even whether it is valid matters here. They are far above what compilers
//! make of real players; `cargo bench -p ludus-sandbox --bench prices` prints
//! both, and what the worst modules within the caps cost.

use wasmparser::{BinaryReaderError, BlockType, ElementItems, FunctionBody, Operator, Parser, Payload, TypeRef};

use crate::limits::LARGEST_MODULE;
use crate::runtime::allowed_features;

/// A cap: a name for messages, which says in what it is counted, and the most
/// that is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap {
    pub what: &'static str,
    pub most: u64,
}

/// The parts of a module that are counted, in the module as a whole.
#[derive(Clone, Copy, Debug)]
enum Part {
    Module,
    Code,
    Types,
    Parameters,
    Results,
    Imports,
    Functions,
    Tables,
    TableElements,
    Memories,
    Globals,
    Exports,
    ElementSegments,
    Elements,
    DataSegments,
    OtherSections,
    // The largest function counts.
    Body,
    Locals,
    Blocks,
    Nesting,
    Targets,
    // And again all of them together.
    Joins,
}

/// In the order of [`Part`].
pub const CAPS: [Cap; 22] = [
    Cap { what: "bytes", most: LARGEST_MODULE as u64 },
    Cap { what: "bytes of code", most: 2 << 20 },
    Cap { what: "types", most: 1_000 },
    Cap { what: "parameters in one type", most: 64 },
    Cap { what: "results in one type", most: 8 },
    Cap { what: "imports", most: 100 },
    Cap { what: "functions", most: 20_000 },
    Cap { what: "tables", most: 1 },
    Cap { what: "elements in a table", most: 20_000 },
    Cap { what: "memories", most: 1 },
    Cap { what: "variables", most: 1_000 },
    Cap { what: "exports", most: 1_000 },
    Cap { what: "lists of elements", most: 1_000 },
    Cap { what: "elements in lists", most: 20_000 },
    Cap { what: "pieces of data", most: 1_000 },
    Cap { what: "sections for other uses", most: 100 },
    Cap { what: "bytes of code in one function", most: 128 << 10 },
    Cap { what: "locals in one function", most: 2_000 },
    Cap { what: "blocks in one function", most: 4_000 },
    Cap { what: "blocks within each other", most: 500 },
    Cap { what: "targets of branches in one function", most: 10_000 },
    Cap { what: "locals times blocks and loops times loops, added up over functions", most: 3_000_000 },
];

/// What a module has of everything that is capped, in the order of [`CAPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes(pub [u64; CAPS.len()]);

impl Default for Sizes {
    fn default() -> Self {
        Sizes([0; CAPS.len()])
    }
}

/// A cap that a module passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it has {has} {}, and at most {} are allowed", .cap.what, .cap.most)]
pub struct CapExceeded {
    pub cap: Cap,
    pub has: u64,
}

impl Sizes {
    /// Counts, and stops at the first cap that is passed.
    pub fn of(wasm: &[u8]) -> Result<Result<Sizes, CapExceeded>, BinaryReaderError> {
        let mut sizes = Sizes::default();
        sizes.add(Part::Module, wasm.len());
        // What is too large is not even read.
        if let Some(passed) = sizes.passed() {
            return Ok(Err(passed));
        }
        let mut signatures = Vec::new();
        // What players may not use has no size; the runtime's own check reads
        // some of it before it says so.
        let mut parser = Parser::new(0);
        parser.set_features(allowed_features());
        for payload in parser.parse_all(wasm) {
            sizes.count(&payload?, &mut signatures)?;
            if let Some(passed) = sizes.passed() {
                return Ok(Err(passed));
            }
        }
        Ok(Ok(sizes))
    }

    fn passed(&self) -> Option<CapExceeded> {
        CAPS.into_iter().zip(self.0).find(|(cap, has)| *has > cap.most).map(|(cap, has)| CapExceeded { cap, has })
    }

    fn add(&mut self, of: Part, more: impl TryInto<u64>) {
        let size = &mut self.0[of as usize];
        *size = size.saturating_add(more.try_into().unwrap_or(u64::MAX));
    }

    fn largest(&mut self, of: Part, size: impl TryInto<u64>) {
        let largest = &mut self.0[of as usize];
        *largest = (*largest).max(size.try_into().unwrap_or(u64::MAX));
    }

    /// `signatures` are the numbers of values that go into and come out of each
    /// type of function.
    fn count(&mut self, payload: &Payload<'_>, signatures: &mut Vec<u64>) -> Result<(), BinaryReaderError> {
        match payload {
            Payload::TypeSection(types) => {
                self.add(Part::Types, types.count());
                if self.passed().is_none() {
                    for of in types.clone().into_iter_err_on_gc_types() {
                        let of = of?;
                        self.largest(Part::Parameters, of.params().len());
                        self.largest(Part::Results, of.results().len());
                        signatures.push((of.params().len() + of.results().len()) as u64);
                    }
                }
            }
            Payload::ImportSection(imports) => {
                for import in imports.clone().into_imports() {
                    self.add(Part::Imports, 1u64);
                    match import?.ty {
                        TypeRef::Memory(_) => self.add(Part::Memories, 1u64),
                        TypeRef::Table(table) => {
                            self.add(Part::Tables, 1u64);
                            self.largest(Part::TableElements, table.initial);
                        }
                        _ => {}
                    }
                }
            }
            Payload::FunctionSection(functions) => self.add(Part::Functions, functions.count()),
            Payload::MemorySection(memories) => self.add(Part::Memories, memories.count()),
            Payload::GlobalSection(globals) => self.add(Part::Globals, globals.count()),
            Payload::ExportSection(exports) => self.add(Part::Exports, exports.count()),
            Payload::DataSection(data) => self.add(Part::DataSegments, data.count()),
            Payload::CustomSection(_) => self.add(Part::OtherSections, 1u64),
            Payload::TableSection(tables) => {
                self.add(Part::Tables, tables.count());
                if self.passed().is_none() {
                    for table in tables.clone() {
                        self.largest(Part::TableElements, table?.ty.initial);
                    }
                }
            }
            Payload::ElementSection(segments) => {
                self.add(Part::ElementSegments, segments.count());
                if self.passed().is_none() {
                    for segment in segments.clone() {
                        let count = match segment?.items {
                            ElementItems::Functions(items) => items.count(),
                            ElementItems::Expressions(_, items) => items.count(),
                        };
                        self.add(Part::Elements, count);
                    }
                }
            }
            Payload::CodeSectionStart { size, .. } => self.add(Part::Code, *size),
            Payload::CodeSectionEntry(body) => self.count_body(body, signatures)?,
            _ => {}
        }
        Ok(())
    }

    fn count_body(&mut self, body: &FunctionBody<'_>, signatures: &[u64]) -> Result<(), BinaryReaderError> {
        self.largest(Part::Body, body.as_bytes().len());
        let mut locals = 0;
        for group in body.get_locals_reader()? {
            locals += u64::from(group?.0);
        }
        self.largest(Part::Locals, locals);
        if self.passed().is_some() {
            return Ok(());
        }
        let values = |of: BlockType| match of {
            BlockType::Empty => 0,
            BlockType::Type(_) => 1,
            BlockType::FuncType(of) => signatures.get(of as usize).copied().unwrap_or(0),
        };
        let (mut depth, mut blocks, mut targets, mut loops) = (0u64, 0, 0, 0);
        for operator in body.get_operators_reader()? {
            let operator = operator?;
            loops += u64::from(matches!(operator, Operator::Loop { .. }));
            match operator {
                Operator::Block { blockty } | Operator::Loop { blockty } | Operator::If { blockty } => {
                    depth += 1;
                    blocks += 1 + values(blockty);
                }
                Operator::End => depth = depth.saturating_sub(1),
                Operator::Br { .. } | Operator::BrIf { .. } | Operator::Return => targets += 1,
                Operator::BrTable { targets: table } => targets += 1 + u64::from(table.len()),
                _ => {}
            }
            self.largest(Part::Nesting, depth);
        }
        self.largest(Part::Blocks, blocks);
        self.largest(Part::Targets, targets);
        // Wherever ways through a function meet, every local may have two values;
        // and every loop may go on within every other.
        self.add(Part::Joins, blocks * locals + loops * loops);
        Ok(())
    }
}
