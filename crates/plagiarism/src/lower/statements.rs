//! What is left of statements.

use super::{Does, Lower, Value, hash_bytes};
use crate::language::{Field, Kind, Language};

impl Lower<'_> {
    /// Adds the units of whatever stands at a node.
    pub(super) fn statement(&mut self, node: usize) {
        match self.tree.kind(node) {
            Kind::Silent | Kind::Type => {}
            Kind::Function => self.function(node),
            Kind::If => self.branches(node),
            Kind::While | Kind::Do => self.repeat(node),
            Kind::For => self.count(node),
            Kind::ForEach => self.each(node),
            Kind::Switch | Kind::Match => self.cases(node),
            Kind::Return => self.result(node),
            Kind::Declaration | Kind::InitDeclarator | Kind::Let | Kind::Enumerator => self.declaration(node),
            Kind::Parameter => {}
            Kind::Assign | Kind::Update => {
                self.step(node);
            }
            Kind::Call | Kind::New | Kind::MacroCall => {
                let (call, _) = self.call(node);
                self.emit(node, Does::Call, call);
            }
            Kind::Ternary => self.branches(node),
            Kind::Lambda
            | Kind::Binary
            | Kind::Unary
            | Kind::Index
            | Kind::Member
            | Kind::Cast
            | Kind::Try
            | Kind::Range
            | Kind::List
            | Kind::Pointer
            | Kind::LetCondition => {
                self.result_from(node, node);
            }
            Kind::FieldInit => {
                let value = self.value(node);
                self.emit(node, Does::Assign, value);
            }
            _ => {
                let tree = self.tree;
                for child in tree.children(node) {
                    self.statement(child);
                }
            }
        }
    }

    fn function(&mut self, node: usize) {
        self.function = self.function.saturating_add(1);
        let tree = self.tree;
        for part in tree.children(node) {
            if self.tree.nodes[part].field == Field::Body || self.tree.kind(part) == Kind::List {
                self.statement_of_function(part);
            }
        }
        self.function = self.function.saturating_add(1);
    }

    /// The body of a function, or the members that a constructor sets.
    fn statement_of_function(&mut self, node: usize) {
        let tree = self.tree;
        for child in tree.children(node) {
            self.statement(child);
        }
    }

    fn branches(&mut self, node: usize) {
        if let Some(condition) = self.tree.child(node, Field::Condition) {
            self.condition(condition);
        }
        for field in [Field::Consequence, Field::Alternative] {
            if let Some(branch) = self.tree.child(node, field) {
                self.statement(branch);
            }
        }
    }

    /// Every part of a condition, whatever joins them and whether it must hold.
    pub(super) fn condition(&mut self, node: usize) {
        let joins = |operator: &[u8]| matches!(operator, b"&&" | b"||" | b"and" | b"or" | b"," | b";");
        match self.tree.kind(node) {
            Kind::Binary => {
                let operator = self.part(node, Field::Operator).map_or(&b""[..], |operator| self.bytes(operator));
                if joins(operator) {
                    for field in [Field::Left, Field::Right] {
                        if let Some(part) = self.part(node, field) {
                            self.condition(part);
                        }
                    }
                    return;
                }
                let value = self.value(node);
                self.emit(node, Does::Condition, value);
            }
            // Let chains, clauses with a declaration, `!(…)`.
            Kind::Paren | Kind::Other | Kind::Comma | Kind::Unary => {
                let tree = self.tree;
                for child in tree.children(node) {
                    self.condition(child);
                }
            }
            Kind::Declaration => self.statement(node),
            Kind::Silent | Kind::Type => {}
            _ => {
                let value = self.value(node);
                self.emit(node, Does::Condition, value);
            }
        }
    }

    fn repeat(&mut self, node: usize) {
        for field in [Field::Condition, Field::Body] {
            if let Some(part) = self.tree.child(node, field) {
                if field == Field::Condition { self.condition(part) } else { self.statement(part) }
            }
        }
    }

    /// `for` is what it stands for: a beginning, a condition, a body, a step.
    fn count(&mut self, node: usize) {
        if let Some(part) = self.tree.child(node, Field::Initializer) {
            self.statement(part);
        }
        if let Some(part) = self.tree.child(node, Field::Condition) {
            self.condition(part);
        }
        for field in [Field::Body, Field::Update] {
            if let Some(part) = self.tree.child(node, field) {
                self.statement(part);
            }
        }
    }

    /// `for x in 0..n` counts; any other goes through something.
    fn each(&mut self, node: usize) {
        let field = if self.language == Language::Cpp { Field::Right } else { Field::Value };
        let over = self.tree.child(node, field);
        let mut counts = false;
        if let Some(over) = over {
            let range = self.range_in(over);
            counts = range.is_some();
            match range {
                Some(range) => {
                    let ends = self.values(range);
                    let end = ends.last().copied().unwrap_or(Value::place(0));
                    let compared = Value::either_way(Does::Relation, 0, Value::place(0), end);
                    self.emit(over, Does::Condition, compared);
                }
                None => {
                    let value = self.value(over);
                    self.emit(over, Does::Each, Value::of(Does::Each, 0, &[value]));
                }
            }
        }
        if let Some(body) = self.tree.child(node, Field::Body) {
            self.statement(body);
        }
        if counts && let Some(over) = over {
            let step = Value::of(Does::Assign, hash_bytes(b"+="), &[Value::place(0), Value::place(0)]);
            self.emit(over, Does::Assign, step);
        }
    }

    /// A range, perhaps in brackets.
    fn range_in(&self, node: usize) -> Option<usize> {
        match self.tree.kind(node) {
            Kind::Range => Some(node),
            Kind::Paren => self.tree.children(node).find_map(|child| self.range_in(child)),
            _ => None,
        }
    }

    /// `switch` and `match` ask whether a value equals one after the other.
    fn cases(&mut self, node: usize) {
        let subject = self.tree.child(node, Field::Condition).or_else(|| self.tree.child(node, Field::Value));
        let subject = subject.map_or(Value::place(0), |subject| self.value(subject));
        let Some(body) = self.tree.child(node, Field::Body) else { return };
        let tree = self.tree;
        for case in tree.children(body) {
            let field = if self.tree.kind(case) == Kind::Arm { Field::Pattern } else { Field::Value };
            let asked = self.tree.child(case, field);
            if let Some(asked) = asked {
                let value = self.value(asked);
                self.emit(asked, Does::Condition, Value::either_way(Does::Equality, 0, subject, value));
            }
            for child in tree.children(case).filter(|&child| Some(child) != asked) {
                self.statement(child);
            }
        }
    }

    fn result(&mut self, node: usize) {
        let inner = self
            .tree
            .children(node)
            .find(|&child| self.tree.kind(child) != Kind::Other || self.tree.nodes[child].next as usize > child + 1);
        if let Some(inner) = inner {
            if matches!(self.tree.kind(inner), Kind::Ternary | Kind::If | Kind::Match) {
                self.branches_or_cases(inner);
                return;
            }
            self.result_from(node, inner);
        }
    }

    /// `return a && b` asks what `if (a && b) return true` asks.
    pub(super) fn result_from(&mut self, node: usize, inner: usize) {
        if self.is_condition(inner) {
            self.condition(inner);
        } else {
            let value = self.value(inner);
            self.emit(node, Does::Return, value);
        }
    }

    fn is_condition(&self, node: usize) -> bool {
        let operator = || self.part(node, Field::Operator).or_else(|| self.tree.children(node).next());
        match self.tree.kind(node) {
            Kind::Binary | Kind::Unary => operator().is_some_and(|operator| {
                let signs: [&[u8]; 14] = [
                    b"<", b">", b"<=", b">=", b"==", b"!=", b"&&", b"||", b"!", b"and", b"or", b"not", b"not_eq",
                    b"xor",
                ];
                signs.contains(&self.bytes(operator))
            }),
            Kind::Paren => self.tree.children(node).any(|child| self.is_condition(child)),
            _ => false,
        }
    }

    fn branches_or_cases(&mut self, node: usize) {
        if self.tree.kind(node) == Kind::Match { self.cases(node) } else { self.branches(node) }
    }

    /// One assignment for each name that gets a value; names without one are
    /// nothing.
    fn declaration(&mut self, node: usize) {
        let tree = self.tree;
        for child in tree.children(node) {
            let field = self.tree.nodes[child].field;
            match self.tree.kind(child) {
                Kind::Named | Kind::InitDeclarator | Kind::Block => self.statement(child),
                Kind::Arguments => self.construct(node, child),
                _ if matches!(field, Field::Value | Field::DefaultValue) => self.assign_value(node, child),
                _ if field == Field::Alternative => self.statement(child),
                _ => {}
            }
        }
    }

    /// `Type name(a, b);` as `name = {a, b}`.
    fn construct(&mut self, node: usize, arguments: usize) {
        let parts = self.values(arguments);
        self.emit(node, Does::Assign, Value::of(Does::List, 0, &parts));
    }

    fn assign_value(&mut self, node: usize, value: usize) {
        let target = Value::place(0);
        self.assign(node, target, value);
    }

    /// An assignment, once for each branch of what is assigned.
    fn assign(&mut self, node: usize, target: Value, value: usize) {
        match self.tree.kind(value) {
            Kind::Paren if self.tree.children(value).count() == 3 => {
                let inner = self.tree.children(value).nth(1).expect("there are three");
                self.assign(node, target, inner);
            }
            Kind::Ternary | Kind::If => {
                if let Some(condition) = self.tree.child(value, Field::Condition) {
                    self.condition(condition);
                }
                for field in [Field::Consequence, Field::Alternative] {
                    if let Some(part) = self.tree.child(value, field) {
                        self.assign(node, target, part);
                    }
                }
            }
            Kind::Block => {
                let inside: Vec<usize> = self.tree.children(value).collect();
                let last = inside.iter().rposition(|&child| self.tree.nodes[child].next as usize > child + 1);
                for (place, &child) in inside.iter().enumerate() {
                    if Some(place) == last { self.assign(node, target, child) } else { self.statement(child) }
                }
            }
            Kind::Lambda => {
                self.value(value);
            }
            _ => {
                let value = self.value(value);
                self.emit_assignment(node, target, value);
            }
        }
    }

    fn emit_assignment(&mut self, node: usize, target: Value, value: Value) {
        // What is only given a name says no more than itself.
        if target.is_plain && value.is_plain {
            return;
        }
        let whole = if target.is_plain { value } else { Value::of(Does::Assign, 0, &[target, value]) };
        self.emit(node, Does::Assign, whole);
    }

    /// `x = e`, `x += e`, `++x`; its value is what was assigned to.
    pub(super) fn step(&mut self, node: usize) -> Value {
        if self.tree.kind(node) == Kind::Update {
            let target = self.part(node, Field::Argument).map_or(Value::place(0), |target| self.value(target));
            let step = Value::of(Does::Assign, hash_bytes(b"+="), &[target, Value::place(0)]);
            self.emit(node, Does::Assign, step);
            return target;
        }
        let (Some(left), Some(right)) = (self.part(node, Field::Left), self.part(node, Field::Right)) else {
            return self.inner(node);
        };
        let operator = self.part(node, Field::Operator).map_or(&b"="[..], |operator| self.bytes(operator));
        let target = self.value(left);
        if operator != b"=" {
            let value = self.value(right);
            self.emit_change(node, operator, target, value);
        } else if let Some(operator) = self.changing(right) {
            self.own_change(node, operator, target, right);
        } else {
            self.assign(node, target, right);
        }
        target
    }

    fn emit_change(&mut self, node: usize, operator: &[u8], target: Value, value: Value) {
        // One more or one less: the literal does not count.
        let operator = if operator == b"-=" { b"+=" } else { operator };
        let change = Value::of(Does::Assign, hash_bytes(operator), &[target, value]);
        self.emit(node, Does::Assign, change);
    }

    /// The operator of `a + b`, with which `a = a + b` may be written as `a += b`.
    fn changing(&self, right: usize) -> Option<&'static [u8]> {
        if self.tree.kind(right) != Kind::Binary || self.part(right, Field::Right).is_none() {
            return None;
        }
        Some(match self.bytes(self.part(right, Field::Operator)?) {
            b"+" => b"+=",
            b"-" => b"-=",
            b"*" => b"*=",
            b"/" => b"/=",
            b"%" => b"%=",
            b"|" => b"|=",
            b"&" => b"&=",
            b"^" => b"^=",
            _ => return None,
        })
    }

    /// `x = x + e` as `x += e`. Both sides are looked at once only: assignments
    /// in assignments would double the work with each of them.
    fn own_change(&mut self, node: usize, operator: &[u8], target: Value, right: usize) {
        let (Some(left), Some(other)) = (self.part(right, Field::Left), self.part(right, Field::Right)) else {
            return self.assign(node, target, right);
        };
        let before = self.units.len();
        let left = self.value(left);
        if left.words == target.words {
            self.units.truncate(before);
            let value = self.value(other);
            self.emit_change(node, operator, target, value);
        } else {
            let value = self.binary_of(right, left, other);
            self.emit_assignment(node, target, value);
        }
    }
}
