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

use std::ops::Range;

use wasmparser::{
    BinaryReaderError, ExternalKind, FromReader, FuncType, FunctionBody, Operator, Parser, Payload, RefType,
    SectionLimited, TypeRef, ValType,
};

/// Changes with the code that is added, so that no module compiled with other
/// code is taken from a cache.
pub const VERSION: u32 = 2;

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

/// A move of so many bytes that are known beforehand is never stopped.
const SMALL_MOVE: u32 = 128;

/// The sections of a module by their numbers, in their order. Custom sections
/// are left out, and so is the one that names the function to begin with.
const SECTIONS: [u8; 12] = [TYPES, 2, FUNCTIONS, 4, 5, 13, GLOBALS, EXPORTS, 9, 12, CODE, 11];
const TYPES: u8 = 1;
const FUNCTIONS: u8 = 3;
const GLOBALS: u8 = 6;
const EXPORTS: u8 = 7;
const CODE: u8 = 10;

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
        put_bytes(&mut out, &content);
    }
    Ok(out)
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
        of.params() == [ValType::I32] && of.results() == [ValType::I32]
    }

    /// The entries of a section, and some more.
    fn list(&self, old: &List, new: &[Vec<u8>]) -> Vec<u8> {
        let mut out = Vec::new();
        put_u32(&mut out, old.count + new.len() as u32);
        out.extend_from_slice(&self.wasm[old.entries.clone()]);
        new.iter().for_each(|entry| out.extend_from_slice(entry));
        out
    }

    fn with_types(&self) -> Vec<u8> {
        let several = self.types.iter().map(FuncType::results).filter(|results| results.len() > 1);
        let mut new: Vec<Vec<u8>> = several.map(|results| function_type(&[], results)).collect();
        new.push(function_type(&[ValType::I32, ValType::I64], &[ValType::I32, ValType::I64]));
        self.list(&self.type_list, &new)
    }

    /// How a block is written that has the results of a function type.
    fn block_of(&self, of: usize) -> Vec<u8> {
        match self.types[of].results() {
            [] => vec![0x40],
            [result] => vec![code_of(*result)],
            _ => {
                let mut out = Vec::new();
                put_i64(&mut out, i64::from(self.block_types[of]));
                out
            }
        }
    }

    fn with_functions(&self) -> Vec<u8> {
        let mut of = Vec::new();
        put_u32(&mut of, self.play_type);
        self.list(&self.function_list, &self.play.map(|_| of).into_iter().collect::<Vec<_>>())
    }

    fn fuel_global(&self) -> u32 {
        self.imported_globals + self.global_list.count
    }

    fn with_globals(&self) -> Vec<u8> {
        let fuel = vec![code_of(ValType::I64), 1, op::I64_CONST, 0, op::END];
        self.list(&self.global_list, &[fuel])
    }

    fn with_exports(&self) -> Vec<u8> {
        let entry = |name: &str, kind, index| {
            let mut entry = Vec::new();
            put_bytes(&mut entry, name.as_bytes());
            entry.push(kind);
            put_u32(&mut entry, index);
            entry
        };
        let mut new = vec![entry(FUEL, 3, self.fuel_global())];
        new.extend(self.begin.map(|function| entry(BEGIN, 0, function)));
        new.extend(self.play.map(|_| entry(COUNTED_PLAY, 0, self.functions.len() as u32)));
        self.list(&self.export_list, &new)
    }

    fn with_code(&self) -> Result<Vec<u8>, BinaryReaderError> {
        let mut out = Vec::new();
        put_u32(&mut out, self.bodies.len() as u32 + u32::from(self.play.is_some()));
        let imported = self.functions.len() - self.bodies.len();
        for (body, of) in self.bodies.iter().zip(&self.functions[imported..]) {
            put_bytes(&mut out, &self.count_in(body, *of as usize)?);
        }
        if let Some(play) = self.play {
            put_bytes(&mut out, &self.counted_play(play));
        }
        Ok(out)
    }

    fn counted_play(&self, play: u32) -> Vec<u8> {
        let mut out = vec![0];
        for (op, number) in [
            (op::LOCAL_GET, 1),
            (op::GLOBAL_SET, self.fuel_global()),
            (op::LOCAL_GET, 0),
            (op::CALL, play),
            (op::GLOBAL_GET, self.fuel_global()),
        ] {
            out.push(op);
            put_u32(&mut out, number);
        }
        out.push(op::END);
        out
    }

    /// The body of a function, with the counting.
    fn count_in(&self, body: &FunctionBody<'_>, of: usize) -> Result<Vec<u8>, BinaryReaderError> {
        let mut locals = body.get_locals_reader()?;
        let (groups, entries) = (locals.get_count(), locals.original_position());
        let mut fuel = self.types[of].params().len() as u32;
        for _ in 0..groups {
            fuel += locals.read()?.0;
        }
        let mut out = Vec::with_capacity(2 * body.as_bytes().len());
        put_u32(&mut out, groups + 2);
        out.extend_from_slice(&self.wasm[entries..locals.original_position()]);
        out.extend([1, code_of(ValType::I64), 2, code_of(ValType::I32)]);
        let mut counter =
            Counter { out, global: self.fuel_global(), fuel, length: fuel + 1, before: fuel + 2, cost: 1 };
        counter.load();
        counter.check();
        // A jump to the end of the function ends this block, and the count is
        // put back in any case.
        counter.out.push(op::BLOCK);
        counter.out.extend(self.block_of(of));
        let mut operators = body.get_operators_reader()?;
        let mut before = Operator::Nop;
        while !operators.eof() {
            let start = operators.original_position();
            let operator = operators.read()?;
            counter.before(&operator, &before);
            counter.out.extend_from_slice(&self.wasm[start..operators.original_position()]);
            counter.after(&operator);
            before = operator;
        }
        counter.save();
        counter.out.push(op::END);
        Ok(counter.out)
    }
}

/// The code of a function in the making.
struct Counter {
    out: Vec<u8>,
    /// The variable with the count.
    global: u32,
    /// The copy of it, room for the length of a move, and for the pages that a
    /// memory had before it grew.
    fuel: u32,
    length: u32,
    before: u32,
    /// What is to be counted since the count was last brought up to date.
    cost: i64,
}

impl Counter {
    fn before(&mut self, operator: &Operator<'_>, before: &Operator<'_>) {
        self.cost += cost(operator);
        match operator {
            Operator::Call { .. } | Operator::CallIndirect { .. } | Operator::Return | Operator::Unreachable => {
                self.count();
                self.save();
            }
            Operator::Loop { .. }
            | Operator::If { .. }
            | Operator::Else
            | Operator::End
            | Operator::Br { .. }
            | Operator::BrIf { .. }
            | Operator::BrTable { .. } => self.count(),
            Operator::MemoryCopy { .. } | Operator::MemoryFill { .. } | Operator::MemoryInit { .. } => {
                self.count_move(before, 1);
            }
            Operator::TableCopy { .. }
            | Operator::TableFill { .. }
            | Operator::TableInit { .. }
            | Operator::TableGrow { .. } => self.count_move(before, ELEMENT_FUEL),
            Operator::MemoryGrow { .. } => {
                self.check();
                self.put(op::LOCAL_TEE, self.length);
            }
            _ => {}
        }
    }

    fn after(&mut self, operator: &Operator<'_>) {
        match operator {
            Operator::Call { .. } | Operator::CallIndirect { .. } => self.load(),
            Operator::Loop { .. } => self.check(),
            Operator::MemoryGrow { .. } => self.count_pages(),
            _ => {}
        }
    }

    /// The pages that there were, or -1 if there are no more of them, lie on
    /// the stack.
    fn count_pages(&mut self) {
        self.put(op::LOCAL_TEE, self.before);
        self.put(op::LOCAL_GET, self.before);
        self.out.extend([op::I32_CONST, 0x7f, op::I32_NE]);
        self.put(op::LOCAL_GET, self.length);
        self.out.extend([op::I32_MUL, op::I64_EXTEND_I32_U, op::I64_CONST]);
        put_i64(&mut self.out, PAGE_FUEL);
        self.out.push(op::I64_MUL);
        self.put(op::LOCAL_GET, self.fuel);
        self.out.push(op::I64_ADD);
        self.put(op::LOCAL_SET, self.fuel);
        self.check();
    }

    /// The length of what is moved lies on the stack; each part of it has a
    /// price.
    fn count_move(&mut self, before: &Operator<'_>, price: i64) {
        if let Operator::I32Const { value } = *before {
            self.cost += price * i64::from(value as u32);
            if value as u32 > SMALL_MOVE {
                self.check();
            }
            return;
        }
        self.count();
        self.put(op::LOCAL_SET, self.length);
        self.put(op::LOCAL_GET, self.fuel);
        self.put(op::LOCAL_GET, self.length);
        self.out.push(op::I64_EXTEND_I32_U);
        if price != 1 {
            self.out.push(op::I64_CONST);
            put_i64(&mut self.out, price);
            self.out.push(op::I64_MUL);
        }
        self.out.push(op::I64_ADD);
        self.put(op::LOCAL_SET, self.fuel);
        self.check();
        self.put(op::LOCAL_GET, self.length);
    }

    fn count(&mut self) {
        if self.cost == 0 {
            return;
        }
        self.put(op::LOCAL_GET, self.fuel);
        self.out.push(op::I64_CONST);
        put_i64(&mut self.out, self.cost);
        self.out.push(op::I64_ADD);
        self.put(op::LOCAL_SET, self.fuel);
        self.cost = 0;
    }

    /// Stops the module if no fuel is left.
    fn check(&mut self) {
        self.count();
        self.put(op::LOCAL_GET, self.fuel);
        self.out.extend([op::I64_CONST, 0, op::I64_GE_S, op::IF, 0x40, op::I64_CONST]);
        put_i64(&mut self.out, STOPPED);
        self.put(op::GLOBAL_SET, self.global);
        self.out.extend([op::UNREACHABLE, op::END]);
    }

    fn load(&mut self) {
        self.put(op::GLOBAL_GET, self.global);
        self.put(op::LOCAL_SET, self.fuel);
    }

    fn save(&mut self) {
        self.put(op::LOCAL_GET, self.fuel);
        self.put(op::GLOBAL_SET, self.global);
    }

    fn put(&mut self, op: u8, variable: u32) {
        self.out.push(op);
        put_u32(&mut self.out, variable);
    }
}

fn cost(operator: &Operator<'_>) -> i64 {
    match operator {
        Operator::Nop
        | Operator::Drop
        | Operator::Block { .. }
        | Operator::Loop { .. }
        | Operator::Unreachable
        | Operator::Return
        | Operator::Else
        | Operator::End => 0,
        Operator::MemoryGrow { .. } | Operator::TableGrow { .. } => GROW_FUEL,
        Operator::MemoryInit { .. }
        | Operator::TableCopy { .. }
        | Operator::TableFill { .. }
        | Operator::TableInit { .. } => MOVE_FUEL,
        Operator::RefFunc { .. } | Operator::DataDrop { .. } | Operator::ElemDrop { .. } => NAME_FUEL,
        _ => 1,
    }
}

/// The instructions that are added.
mod op {
    pub const UNREACHABLE: u8 = 0x00;
    pub const BLOCK: u8 = 0x02;
    pub const IF: u8 = 0x04;
    pub const END: u8 = 0x0b;
    pub const CALL: u8 = 0x10;
    pub const LOCAL_GET: u8 = 0x20;
    pub const LOCAL_SET: u8 = 0x21;
    pub const LOCAL_TEE: u8 = 0x22;
    pub const GLOBAL_GET: u8 = 0x23;
    pub const GLOBAL_SET: u8 = 0x24;
    pub const I32_CONST: u8 = 0x41;
    pub const I64_CONST: u8 = 0x42;
    pub const I32_NE: u8 = 0x47;
    pub const I64_GE_S: u8 = 0x59;
    pub const I32_MUL: u8 = 0x6c;
    pub const I64_ADD: u8 = 0x7c;
    pub const I64_MUL: u8 = 0x7e;
    pub const I64_EXTEND_I32_U: u8 = 0xad;
}

fn function_type(parameters: &[ValType], results: &[ValType]) -> Vec<u8> {
    let mut out = vec![0x60];
    for values in [parameters, results] {
        put_bytes(&mut out, &values.iter().map(|value| code_of(*value)).collect::<Vec<_>>());
    }
    out
}

/// How a type of values is written. Those of players are all here.
fn code_of(value: ValType) -> u8 {
    match value {
        ValType::I32 => 0x7f,
        ValType::I64 => 0x7e,
        ValType::F32 => 0x7d,
        ValType::F64 => 0x7c,
        ValType::V128 => 0x7b,
        ValType::Ref(RefType::EXTERNREF) => 0x6f,
        ValType::Ref(_) => 0x70,
    }
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_u32(out, bytes.len() as u32);
    out.extend_from_slice(bytes);
}

fn put_u32(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_i64(out: &mut Vec<u8>, mut value: i64) {
    while !(-0x40..0x40).contains(&value) {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8 & 0x7f);
}
