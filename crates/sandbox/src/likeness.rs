//! What two modules have in common: short rows of instructions, without their
//! numbers, of every function. Compilers make the same of sources that differ in
//! names, layout and much else. What comes with the SDK is in others' modules too,
//! and does not count.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use wasmparser::{BinaryReaderError, Operator, Parser, Payload};

/// Instructions in a row that are looked at together.
const ROW: usize = 16;
/// Of so many rows one is kept at least.
const WINDOW: usize = 8;

/// The rows of a module by which others like it are known.
#[derive(Clone, Debug, Default)]
pub struct CodePrints(HashSet<u64>);

impl CodePrints {
    pub fn of(wasm: &[u8]) -> Result<CodePrints, BinaryReaderError> {
        let mut prints = CodePrints::default();
        for payload in Parser::new(0).parse_all(wasm) {
            if let Payload::CodeSectionEntry(body) = payload? {
                let mut instructions = Vec::new();
                for operator in body.get_operators_reader()? {
                    instructions.extend(kind(&operator?));
                }
                prints.add(&instructions);
            }
        }
        Ok(prints)
    }

    fn add(&mut self, instructions: &[u64]) {
        let rows: Vec<u64> = instructions.windows(ROW).map(hash).collect();
        self.0.extend(rows.windows(WINDOW).filter_map(|some| some.iter().min()));
    }

    /// The share of the smaller one that is in the other too, of what is in none of
    /// the others; nothing if nothing is left.
    pub fn likeness(&self, other: &CodePrints, others: &[CodePrints]) -> Option<f64> {
        let own = |prints: &CodePrints| -> HashSet<u64> {
            prints.0.iter().copied().filter(|print| !others.iter().any(|one| one.0.contains(print))).collect()
        };
        let (a, b) = (own(self), own(other));
        let smaller = a.len().min(b.len());
        (smaller > 0).then(|| a.intersection(&b).count() as f64 / smaller as f64)
    }
}

/// What an instruction does; what only names a place on the stack says nothing.
fn kind(operator: &Operator<'_>) -> Option<u64> {
    match operator {
        Operator::LocalGet { .. } | Operator::LocalSet { .. } | Operator::LocalTee { .. } | Operator::Nop => None,
        _ => Some(hash(&std::mem::discriminant(operator))),
    }
}

fn hash<T: Hash + ?Sized>(of: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function with so many additions and a multiplication after every few.
    fn module(names: &str, every: usize) -> CodePrints {
        let body: String = (0..200)
            .map(|k| {
                let operator = if k % every == 0 { "i32.mul" } else { "i32.add" };
                let memory = if k % 7 == 0 { "i32.const 8 i32.load drop " } else { "" };
                format!("{memory}local.get ${names} i32.const {k} {operator} local.set ${names} ")
            })
            .collect();
        let wat = format!("(module (memory 1) (func (param ${names} i32) {body}))");
        CodePrints::of(&wat::parse_str(wat).unwrap()).unwrap()
    }

    #[test]
    fn names_and_numbers_say_nothing() {
        let (a, b, c) = (module("a", 3), module("b", 3), module("c", 5));
        assert_eq!(a.likeness(&b, &[]), Some(1.0));
        assert!(a.likeness(&c, &[]).unwrap() < 0.5);
        assert_eq!(a.likeness(&b, &[module("d", 3)]), None, "what others have too");
        assert!(CodePrints::of(b"no module").is_err());
    }
}
