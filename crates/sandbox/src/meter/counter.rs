//! The code of one function, with the counting added.

use wasm_encoder::{BlockType, InstructionSink, MemArg};
use wasmparser::Operator;

use crate::null_page::GUARD;

use super::{ELEMENT_FUEL, GROW_FUEL, MOVE_FUEL, NAME_FUEL, PAGE_FUEL, STOPPED};

/// A move of so many bytes that are known beforehand is never stopped.
const SMALL_MOVE: u32 = 128;

/// The code of a function in the making.
pub struct Counter {
    out: Vec<u8>,
    /// The variable with the count.
    global: u32,
    /// The copy of it, space for the length of a move, and for the pages that a
    /// memory had before it grew.
    fuel: u32,
    length: u32,
    pages: u32,
    /// Space for where a move goes, in modules that are to be kept off their
    /// first page.
    target: Option<u32>,
    /// What is to be counted since the count was last brought up to date.
    cost: i64,
}

impl Counter {
    /// `out` holds the declarations of the locals, of which the last three,
    /// from `fuel` on, are the counter's own; one more if the module is guarded.
    pub fn new(out: Vec<u8>, global: u32, fuel: u32, is_guarded: bool) -> Counter {
        let target = is_guarded.then_some(fuel + 3);
        let mut counter = Counter { out, global, fuel, length: fuel + 1, pages: fuel + 2, target, cost: 1 };
        counter.load();
        counter.check();
        counter
    }

    /// Where instructions are added.
    pub fn add(&mut self) -> InstructionSink<'_> {
        InstructionSink::new(&mut self.out)
    }

    /// The bytes that there are so far.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Adds an instruction of the function's own.
    pub fn copy(&mut self, instruction: &[u8]) {
        self.out.extend_from_slice(instruction);
    }

    /// The whole code.
    pub fn finish(mut self) -> Vec<u8> {
        self.save();
        self.add().end();
        self.out
    }

    /// What has to be done before an instruction, which comes after `before`.
    pub fn before(&mut self, operator: &Operator<'_>, before: &Operator<'_>) {
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
                self.keep_off_null(before, matches!(operator, Operator::MemoryCopy { .. }));
            }
            Operator::TableCopy { .. }
            | Operator::TableFill { .. }
            | Operator::TableInit { .. }
            | Operator::TableGrow { .. } => self.count_move(before, ELEMENT_FUEL),
            Operator::MemoryGrow { .. } => {
                self.check();
                let length = self.length;
                self.add().local_tee(length);
            }
            _ => {}
        }
    }

    /// What has to be done after an instruction.
    pub fn after(&mut self, operator: &Operator<'_>) {
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
        let Counter { fuel, length, pages, .. } = *self;
        self.add().local_tee(pages).local_get(pages).i32_const(-1).i32_ne().local_get(length).i32_mul();
        self.add().i64_extend_i32_u().i64_const(PAGE_FUEL).i64_mul().local_get(fuel).i64_add().local_set(fuel);
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
        let Counter { fuel, length, .. } = *self;
        self.add().local_set(length).local_get(fuel).local_get(length).i64_extend_i32_u();
        if price != 1 {
            self.add().i64_const(price).i64_mul();
        }
        self.add().i64_add().local_set(fuel);
        self.check();
        self.add().local_get(length);
    }

    /// Where a move goes, what it moves and the length lie on the stack. The host
    /// does the move, and nothing stops the host there but this.
    fn keep_off_null(&mut self, before: &Operator<'_>, has_source: bool) {
        let Some(target) = self.target else { return };
        let Counter { length, pages: source, .. } = *self;
        let first_page = GUARD as i32;
        self.add().local_set(length).local_set(source).local_tee(target);
        self.add().local_get(target).i32_const(first_page).i32_lt_u();
        if has_source {
            self.add().local_get(source).i32_const(first_page).i32_lt_u().i32_or();
        }
        self.add().local_get(length).i32_const(0).i32_ne().i32_and().if_(BlockType::Empty);
        // As every other access there ends.
        self.add().i32_const(0).i32_load(MemArg { offset: 0, align: 2, memory_index: 0 }).drop().unreachable().end();
        self.add().local_get(source);
        match *before {
            // Short moves of a known length are done without the host.
            Operator::I32Const { value } => self.add().i32_const(value),
            _ => self.add().local_get(length),
        };
    }

    fn count(&mut self) {
        let Counter { fuel, cost, .. } = *self;
        if cost != 0 {
            self.add().local_get(fuel).i64_const(cost).i64_add().local_set(fuel);
            self.cost = 0;
        }
    }

    /// Stops the module if no fuel is left.
    fn check(&mut self) {
        self.count();
        let Counter { fuel, global, .. } = *self;
        self.add().local_get(fuel).i64_const(0).i64_ge_s().if_(BlockType::Empty);
        self.add().i64_const(STOPPED).global_set(global).unreachable().end();
    }

    fn load(&mut self) {
        let Counter { fuel, global, .. } = *self;
        self.add().global_get(global).local_set(fuel);
    }

    fn save(&mut self) {
        let Counter { fuel, global, .. } = *self;
        self.add().local_get(fuel).global_set(global);
    }
}

/// The price of an instruction, without that of what it moves.
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
