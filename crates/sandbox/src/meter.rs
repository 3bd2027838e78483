//! Fuel: the work of a module is counted by code that is added to it.
//!
//! Every instruction costs one unit, but for those that only give the code its
//! shape; moving memory costs one more for each byte. What calls the runtime
//! costs what that takes, above all more memory, which is paid by the page as
//! soon as there is more: the first use of every page is work for the host. The
//! count begins below zero and is kept in a global variable that
//! the module itself cannot name; functions work on a copy of it. Functions,
//! loops and moves stop the module once the count has reached zero.
//!
//! The runtime can count as well, but its compiler then prepares for a call in
//! every loop and every function, which costs more time than the counting. And
//! this way a module uses the same fuel with any version of the runtime.

mod counter;

use std::ops::Range;

use wasm_encoder::{BlockType, Encode, ExportKind, GlobalType, InstructionSink, ValType};
use wasmparser::{
    BinaryReaderError, ExternalKind, FromReader, FuncType, FunctionBody, Operator, Parser, Payload, SectionLimited,
    TypeRef,
};

use counter::Counter;

/// Changes with the code that is added, so that no module compiled with other
/// code is taken from a cache.
pub const VERSION: u32 = 3;

/// The export with the count: the fuel that is left, below zero.
pub const FUEL: &str = "ludus: fuel";

/// The export with the function that a module wants to begin with. The host
/// calls it once there is fuel.
pub const BEGIN: &str = "ludus: begin";

/// The export that sets the count, calls [`PLAY`] and gives the count back with
/// its answer. To look at the variable from outside takes longer than most
/// players take for a round.
pub const COUNTED_PLAY: &str = "ludus: play";
pub const PLAY: &str = "ludus_play";

/// The export of a module that leaves its first page alone, and wants to be
/// stopped when it touches it after all (`null_page.rs`).
pub const GUARDED: &str = "ludus_guard";

/// The count of a module that was stopped because no fuel was left.
pub const STOPPED: i64 = i64::MAX;

/// What it costs to ask for a larger memory or table, and then each page of 64
/// KiB of memory that there is more.
pub const GROW_FUEL: i64 = 250;
pub const PAGE_FUEL: i64 = 40_000;

/// What it costs to move parts of a table or data that memory does not have
/// yet, and then each element; and what it costs to throw away a list, or to
/// name a function. Compilers of players use none of these.
pub const MOVE_FUEL: i64 = 100;
pub const ELEMENT_FUEL: i64 = 8;
pub const NAME_FUEL: i64 = 200;

/// The sections of a module by their numbers, in their order. Custom sections
/// are left out, and so is the one that names the function to begin with.
const SECTIONS: [u8; 12] = [TYPES, 2, FUNCTIONS, 4, 5, 13, GLOBALS, EXPORTS, 9, 12, CODE, 11];
const TYPES: u8 = 1;
const FUNCTIONS: u8 = 3;
const GLOBALS: u8 = 6;
const EXPORTS: u8 = 7;
const CODE: u8 = 10;

/// What a function's type begins with.
const FUNCTION_TYPE: u8 = 0x60;

/// Adds the counting to a module, which has to be valid.
pub fn metered(wasm: &[u8]) -> Result<Vec<u8>, BinaryReaderError> {
    let module = Module::read(wasm)?;
    let mut out = wasm[..8].to_vec();
    for id in SECTIONS {
        let content = match (id, &module.sections[usize::from(id)]) {
            (TYPES, _) => module.with_types(),
            (FUNCTIONS, _) => module.with_functions(),
            (GLOBALS, _) => module.with_globals(),
            (EXPORTS, _) => module.with_exports(),
            (CODE, _) => module.with_code()?,
            (_, Some(section)) => wasm[section.clone()].to_vec(),
            (_, None) => continue,
        };
        out.push(id);
        content.encode(&mut out);
    }
    Ok(out)
}

/// Where the instructions of a function of the module's own are in its counted
/// body, each with where it is in the section of code of the module itself: what
/// the counting adds belongs to the instruction before. `function` is counted
/// with those that are imported.
pub fn positions(wasm: &[u8], function: u32) -> Result<Vec<(usize, usize)>, BinaryReaderError> {
    let module = Module::read(wasm)?;
    let imported = module.functions.len() - module.bodies.len();
    let own = (function as usize).checked_sub(imported);
    // One of ours, which lets a player play.
    let Some((body, code)) = own.and_then(|own| module.bodies.get(own)).zip(module.sections[usize::from(CODE)].clone())
    else {
        return Ok(Vec::new());
    };
    let mut places = Vec::new();
    module.count_in(body, module.functions[function as usize] as usize, |counted, original| {
        places.push((counted, original - code.start));
    })?;
    Ok(places)
}

/// What has to be known of a module.
#[derive(Default)]
struct Module<'a> {
    wasm: &'a [u8],
    sections: [Option<Range<usize>>; 14],
    types: Vec<FuncType>,
    /// The types that are added: for each type with several results that of a
    /// block with the same results, which nothing else can describe, and then
    /// the one of [`COUNTED_PLAY`].
    block_types: Vec<u32>,
    play_type: u32,
    /// The type of each function, those without a body first.
    functions: Vec<u32>,
    bodies: Vec<FunctionBody<'a>>,
    imported_globals: u32,
    begin: Option<u32>,
    is_guarded: bool,
    /// The function that answers turns, if it has the right type.
    play: Option<u32>,
    /// The entries of sections that get more of them.
    type_list: List,
    function_list: List,
    global_list: List,
    export_list: List,
}

#[derive(Default)]
struct List {
    count: u32,
    entries: Range<usize>,
}

impl List {
    fn of<'a, T: FromReader<'a>>(section: &SectionLimited<'a, T>) -> List {
        List { count: section.count(), entries: section.original_position()..section.range().end }
    }
}

impl<'a> Module<'a> {
    fn read(wasm: &'a [u8]) -> Result<Module<'a>, BinaryReaderError> {
        let mut module = Module { wasm, ..Module::default() };
        for payload in Parser::new(0).parse_all(wasm) {
            let payload = payload?;
            if let Some((id, range)) = payload.as_section()
                && let Some(section) = module.sections.get_mut(usize::from(id))
            {
                *section = Some(range);
            }
            match payload {
                Payload::TypeSection(types) => {
                    module.type_list = List::of(&types);
                    module.types = types.into_iter_err_on_gc_types().collect::<Result<_, _>>()?;
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        match import?.ty {
                            TypeRef::Func(of) => module.functions.push(of),
                            TypeRef::Global(_) => module.imported_globals += 1,
                            _ => {}
                        }
                    }
                }
                Payload::FunctionSection(functions) => {
                    module.function_list = List::of(&functions);
                    for of in functions {
                        module.functions.push(of?);
                    }
                }
                Payload::GlobalSection(globals) => module.global_list = List::of(&globals),
                Payload::ExportSection(exports) => {
                    module.export_list = List::of(&exports);
                    for export in exports {
                        let export = export?;
                        module.is_guarded |= export.name == GUARDED && export.kind == ExternalKind::Func;
                        if export.name == PLAY && export.kind == ExternalKind::Func {
                            module.play = Some(export.index).filter(|function| module.plays(*function));
                        }
                    }
                }
                Payload::StartSection { func, .. } => module.begin = Some(func),
                Payload::CodeSectionEntry(body) => module.bodies.push(body),
                _ => {}
            }
        }
        let mut next = module.types.len() as u32;
        for of in &module.types {
            module.block_types.push(next);
            next += u32::from(of.results().len() > 1);
        }
        module.play_type = next;
        Ok(module)
    }

    /// Whether a function has the type of one that answers turns.
    fn plays(&self, function: u32) -> bool {
        let of = &self.types[self.functions[function as usize] as usize];
        of.params() == [wasmparser::ValType::I32] && of.results() == [wasmparser::ValType::I32]
    }

    /// The entries of a section, and some more.
    fn list(&self, old: &List, new: &[Vec<u8>]) -> Vec<u8> {
        let mut out = encoded(&(old.count + new.len() as u32));
        out.extend_from_slice(&self.wasm[old.entries.clone()]);
        out.extend(new.concat());
        out
    }

    fn with_types(&self) -> Vec<u8> {
        let several = self.types.iter().map(FuncType::results).filter(|results| results.len() > 1);
        let mut new: Vec<Vec<u8>> =
            several.map(|results| function_type(&[], &results.iter().map(value_type).collect::<Vec<_>>())).collect();
        new.push(function_type(&[ValType::I32, ValType::I64], &[ValType::I32, ValType::I64]));
        self.list(&self.type_list, &new)
    }

    /// A block that has the results of a function type.
    fn block_of(&self, of: usize) -> BlockType {
        match self.types[of].results() {
            [] => BlockType::Empty,
            [result] => BlockType::Result(value_type(result)),
            _ => BlockType::FunctionType(self.block_types[of]),
        }
    }

    fn with_functions(&self) -> Vec<u8> {
        let new = self.play.map(|_| encoded(&self.play_type));
        self.list(&self.function_list, new.as_slice())
    }

    fn fuel_global(&self) -> u32 {
        self.imported_globals + self.global_list.count
    }

    fn with_globals(&self) -> Vec<u8> {
        let mut fuel = encoded(&GlobalType { val_type: ValType::I64, mutable: true, shared: false });
        InstructionSink::new(&mut fuel).i64_const(0).end();
        self.list(&self.global_list, &[fuel])
    }

    fn with_exports(&self) -> Vec<u8> {
        let entry =
            |name: &str, kind: ExportKind, index: u32| [encoded(name), encoded(&kind), encoded(&index)].concat();
        let mut new = vec![entry(FUEL, ExportKind::Global, self.fuel_global())];
        new.extend(self.begin.map(|function| entry(BEGIN, ExportKind::Func, function)));
        new.extend(self.play.map(|_| entry(COUNTED_PLAY, ExportKind::Func, self.functions.len() as u32)));
        self.list(&self.export_list, &new)
    }

    fn with_code(&self) -> Result<Vec<u8>, BinaryReaderError> {
        let mut out = encoded(&(self.bodies.len() + usize::from(self.play.is_some())));
        let imported = self.functions.len() - self.bodies.len();
        for (body, of) in self.bodies.iter().zip(&self.functions[imported..]) {
            self.count_in(body, *of as usize, |_, _| {})?.encode(&mut out);
        }
        if let Some(play) = self.play {
            self.counted_play(play).encode(&mut out);
        }
        Ok(out)
    }

    fn counted_play(&self, play: u32) -> Vec<u8> {
        let fuel = self.fuel_global();
        let mut out = encoded(&0u32);
        InstructionSink::new(&mut out).local_get(1).global_set(fuel).local_get(0).call(play).global_get(fuel).end();
        out
    }

    /// The body of a function, with the counting. `place` is told where each
    /// instruction is in it, and where it was in the module.
    fn count_in(
        &self,
        body: &FunctionBody<'_>,
        of: usize,
        mut place: impl FnMut(usize, usize),
    ) -> Result<Vec<u8>, BinaryReaderError> {
        let mut locals = body.get_locals_reader()?;
        let (groups, entries) = (locals.get_count(), locals.original_position());
        let mut fuel = self.types[of].params().len() as u32;
        for _ in 0..groups {
            fuel += locals.read()?.0;
        }
        let mut out = Vec::with_capacity(2 * body.as_bytes().len());
        (groups + 2).encode(&mut out);
        out.extend_from_slice(&self.wasm[entries..locals.original_position()]);
        for (count, of) in [(1u32, ValType::I64), (2 + u32::from(self.is_guarded), ValType::I32)] {
            count.encode(&mut out);
            of.encode(&mut out);
        }
        let mut counter = Counter::new(out, self.fuel_global(), fuel, self.is_guarded);
        // A jump to the end of the function ends this block, and the count is
        // put back in any case.
        counter.add().block(self.block_of(of));
        let mut operators = body.get_operators_reader()?;
        let mut before = Operator::Nop;
        while !operators.eof() {
            let start = operators.original_position();
            let operator = operators.read()?;
            counter.before(&operator, &before);
            place(counter.len(), start);
            counter.copy(&self.wasm[start..operators.original_position()]);
            counter.after(&operator);
            before = operator;
        }
        Ok(counter.finish())
    }
}

fn function_type(parameters: &[ValType], results: &[ValType]) -> Vec<u8> {
    let mut out = vec![FUNCTION_TYPE];
    for values in [parameters, results] {
        values.len().encode(&mut out);
        values.iter().for_each(|value| value.encode(&mut out));
    }
    out
}

/// A type of values as it is written. Those of players are all here.
fn value_type(of: &wasmparser::ValType) -> ValType {
    match *of {
        wasmparser::ValType::I32 => ValType::I32,
        wasmparser::ValType::I64 => ValType::I64,
        wasmparser::ValType::F32 => ValType::F32,
        wasmparser::ValType::F64 => ValType::F64,
        wasmparser::ValType::V128 => ValType::V128,
        wasmparser::ValType::Ref(wasmparser::RefType::EXTERNREF) => ValType::EXTERNREF,
        wasmparser::ValType::Ref(_) => ValType::FUNCREF,
    }
}

fn encoded(part: &(impl Encode + ?Sized)) -> Vec<u8> {
    let mut out = Vec::new();
    part.encode(&mut out);
    out
}
