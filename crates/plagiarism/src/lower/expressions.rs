//! What is left of expressions.

use super::{Does, Lower, Value, hash_bytes, mix, names};
use crate::language::{Field, Kind};

/// A name of the source's own, a literal, a result: they all look the same.
const PLACE: u64 = 0x5851_f42d_4c95_7f2d;

impl Value {
    pub(super) fn place(words: u64) -> Value {
        Value { hash: PLACE, size: 1, words, outline: None, is_plain: true }
    }

    fn name(words: u64, hash: u64) -> Value {
        Value { hash, size: 1, words, outline: None, is_plain: true }
    }

    fn literal(text: &[u8]) -> Value {
        Value { outline: number(text), ..Value::place(hash_bytes(text)) }
    }

    /// Some parts under one head, in their order.
    pub(super) fn of(does: Does, head: u64, parts: &[Value]) -> Value {
        let start = mix(does as u64, head);
        let outline = match does {
            Does::Member | Does::Index => None,
            // Who is called with what: only what is no mere place.
            Does::Call | Does::List | Does::Each => {
                Value::outline_of(start, parts.iter().filter_map(|part| part.outline))
            }
            _ => Value::outline_of(start, parts.iter().map(|part| part.outline.unwrap_or(PLACE))),
        };
        let mut value = Value { hash: start, size: 1, words: start, outline, is_plain: false };
        for part in parts {
            value.hash = mix(value.hash, part.hash);
            value.words = mix(value.words, part.words);
            value.size = value.size.saturating_add(part.size);
        }
        value
    }

    fn outline_of(start: u64, parts: impl Iterator<Item = u64>) -> Option<u64> {
        parts.fold(None, |sum, part| Some(mix(sum.unwrap_or(start), part)))
    }

    /// Two parts under one head, whichever comes first.
    pub(super) fn either_way(does: Does, head: u64, a: Value, b: Value) -> Value {
        let (hash, words) = (a.hash.wrapping_add(b.hash), a.words.wrapping_add(b.words));
        let start = mix(does as u64, head);
        let outlines = a.outline.unwrap_or(PLACE).wrapping_add(b.outline.unwrap_or(PLACE));
        Value {
            hash: mix(start, hash),
            words: mix(start, words),
            outline: Some(mix(start, outlines)),
            size: a.size.saturating_add(b.size).saturating_add(1),
            is_plain: false,
        }
    }
}

/// A number as both languages mean it: `10_000usize` and `10000` are one.
fn number(text: &[u8]) -> Option<u64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if !digits.first()?.is_ascii_digit() {
        return None;
    }
    let plain: Vec<u8> = digits.iter().copied().filter(|byte| *byte != b'_' && *byte != b'\'').collect();
    let end = plain.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.').unwrap_or(plain.len());
    let plain = &plain[..end];
    Some(hash_bytes(plain.strip_suffix(b".0").or(plain.strip_suffix(b".")).unwrap_or(plain)))
}

impl<'a> Lower<'a> {
    /// The value of an expression; calls and steps inside it become units first.
    pub(super) fn value(&mut self, node: usize) -> Value {
        match self.tree.kind(node) {
            Kind::Name | Kind::MemberName => self.name(node),
            Kind::This => Value::place(hash_bytes(self.bytes(node))),
            Kind::Literal => Value::literal(self.bytes(node)),
            Kind::Qualified => self.qualified(node),
            Kind::Generic => self
                .part(node, Field::Name)
                .or_else(|| self.part(node, Field::Function))
                .map_or(Value::place(0), |name| self.value(name)),
            Kind::Binary => self.binary(node),
            Kind::Unary => self.unary(node),
            Kind::Paren | Kind::Pointer | Kind::Try | Kind::Statement => self.inner(node),
            Kind::Cast => self.part(node, Field::Value).map_or(Value::place(0), |inner| self.value(inner)),
            Kind::Assign | Kind::Update => self.step(node),
            Kind::Call | Kind::New | Kind::MacroCall => {
                let (call, is_look) = self.call(node);
                if is_look {
                    return call;
                }
                self.emit(node, Does::Call, call);
                Value::place(call.words)
            }
            Kind::Index => self.index(node),
            Kind::Member => self.member(node),
            Kind::Ternary | Kind::If | Kind::Match | Kind::Block | Kind::Loop => self.choice(node),
            Kind::List => self.list(node),
            Kind::FieldInit => self.last_value(node),
            Kind::Range => {
                let parts = self.values(node);
                Value::of(Does::Range, 0, &parts)
            }
            Kind::Lambda => {
                self.body_of_lambda(node);
                Value::place(0)
            }
            Kind::LetCondition => self.part(node, Field::Value).map_or(Value::place(0), |inner| self.value(inner)),
            Kind::Comma => self.last_value(node),
            Kind::Return | Kind::Jump => {
                self.statement(node);
                Value::place(0)
            }
            Kind::Type | Kind::Silent => Value::place(0),
            _ => {
                let parts = self.values(node);
                match parts.as_slice() {
                    [] => Value::place(0),
                    [only] => *only,
                    _ => Value::of(Does::List, 1, &parts),
                }
            }
        }
    }

    fn name(&self, node: usize) -> Value {
        let name = self.bytes(node);
        let words = hash_bytes(name);
        let is_given = match self.tree.kind(node) {
            Kind::MemberName => self.names.has_member(name),
            _ => self.names.contains(name),
        };
        if is_given { Value::place(words) } else { Value::name(words, names::from_outside(name)) }
    }

    /// `Dir::Up` is `Up`; `Pos::new` is `Pos`.
    fn qualified(&mut self, node: usize) -> Value {
        let last = self.part(node, Field::Name).map(|name| self.value(name));
        let is_new = self.part(node, Field::Name).is_some_and(|name| matches!(self.bytes(name), b"new" | b"from"));
        if is_new && let Some(scope) = self.tree.children(node).next() {
            return self.value(scope);
        }
        last.unwrap_or(Value::place(0))
    }

    pub(super) fn part(&self, node: usize, field: Field) -> Option<usize> {
        self.tree.child(node, field)
    }

    /// Nodes below that hold values: no punctuation, no types, no comments.
    fn operands(&self, node: usize) -> impl Iterator<Item = usize> + use<'a> {
        let tree = self.tree;
        let holds = move |child: &usize| {
            let one = tree.nodes[*child];
            let is_sign = one.kind == Kind::Other && one.next as usize == child + 1;
            !is_sign && !matches!(one.kind, Kind::Silent | Kind::Type) && one.field != Field::Operator
        };
        tree.children(node).filter(holds)
    }

    pub(super) fn values(&mut self, node: usize) -> Vec<Value> {
        self.operands(node).map(|child| self.value(child)).collect()
    }

    pub(super) fn inner(&mut self, node: usize) -> Value {
        let first = self.operands(node).next();
        first.map_or(Value::place(0), |inner| self.value(inner))
    }

    fn last_value(&mut self, node: usize) -> Value {
        let mut last = None;
        for child in self.operands(node) {
            last = Some(self.value(child));
        }
        last.unwrap_or(Value::place(0))
    }

    fn operator(&self, node: usize) -> &'a [u8] {
        let found = self.part(node, Field::Operator).or_else(|| self.tree.children(node).next());
        found.map_or(b"", |operator| self.bytes(operator))
    }

    fn binary(&mut self, node: usize) -> Value {
        let (Some(left), Some(right)) = (self.part(node, Field::Left), self.part(node, Field::Right)) else {
            return self.inner(node);
        };
        let left = self.value(left);
        self.binary_of(node, left, right)
    }

    /// The same where the left side is known.
    pub(super) fn binary_of(&mut self, node: usize, left: Value, right: usize) -> Value {
        let right = self.value(right);
        let text = self.operator(node);
        let operator = hash_bytes(text);
        match text {
            b"<" | b">" | b"<=" | b">=" => Value::either_way(Does::Relation, 0, left, right),
            b"==" | b"!=" | b"not_eq" => Value::either_way(Does::Equality, 0, left, right),
            b"&&" | b"||" | b"and" | b"or" => Value::either_way(Does::Logic, 0, left, right),
            b"+" | b"*" | b"&" | b"|" | b"^" => Value::either_way(Does::Operator, operator, left, right),
            _ => Value::of(Does::Operator, operator, &[left, right]),
        }
    }

    fn unary(&mut self, node: usize) -> Value {
        let is_minus = self.operator(node) == b"-" || self.operator(node) == b"~";
        let argument = self.part(node, Field::Argument).or_else(|| self.operands(node).last());
        let value = argument.map_or(Value::place(0), |argument| self.value(argument));
        let is_literal = argument.is_some_and(|argument| self.tree.kind(argument) == Kind::Literal);
        if is_minus && !is_literal { Value::of(Does::Negate, 0, &[value]) } else { value }
    }

    fn index(&mut self, node: usize) -> Value {
        let parts = self.values(node);
        Value::of(Does::Index, 0, &parts)
    }

    /// `this->x` and `self.x` are `x`. Whose member it is cannot be seen, and a
    /// source may have an `i` of its own beside the game's: all look the same.
    fn member(&mut self, node: usize) -> Value {
        let object = self.part(node, Field::Argument).or_else(|| self.part(node, Field::Value));
        let member = self.part(node, Field::Member).map_or(0, |member| hash_bytes(self.bytes(member)));
        let member = Value::place(member);
        match object {
            Some(object) if self.tree.kind(object) != Kind::This => {
                let object = self.value(object);
                Value::of(Does::Member, 0, &[object, member])
            }
            _ => member,
        }
    }

    fn list(&mut self, node: usize) -> Value {
        let parts: Vec<Value> = self.values(node);
        Value::of(Does::List, 0, &parts)
    }

    /// A call, and whether it only looks at something: it has no arguments, so
    /// it stays where it is.
    pub(super) fn call(&mut self, node: usize) -> (Value, bool) {
        let Some(function) = self.part(node, Field::Function).or_else(|| self.part(node, Field::Type)) else {
            return (self.inner(node), true);
        };
        let (object, name) = self.callee(function);
        let arguments = self.arguments(node);
        let word = self.last_word(function);
        if names::is_transparent(word) || (self.is_cast(function) && arguments.len() == 1) {
            let inner = object.or(arguments.first().copied()).unwrap_or(Value::place(0));
            return (inner, true);
        }
        let mut parts = vec![name];
        // Who is asked does not matter: methods become functions and back.
        parts.extend(object.filter(|object| !object.is_plain));
        let is_look = arguments.is_empty();
        parts.extend(arguments);
        (Value::of(Does::Call, 0, &parts), is_look)
    }

    /// The object that a function is called on, and its name.
    fn callee(&mut self, function: usize) -> (Option<Value>, Value) {
        match self.tree.kind(function) {
            Kind::Member => {
                let object = self.part(function, Field::Argument).or_else(|| self.part(function, Field::Value));
                let name = self.part(function, Field::Member).map_or(Value::place(0), |name| self.value(name));
                (object.map(|object| self.value(object)), name)
            }
            // `vector<int>(n)`, `int(x)`: the type does not matter.
            Kind::Type => (None, Value::place(0)),
            _ => (None, self.value(function)),
        }
    }

    /// `int(x)`, `static_cast<int>(x)`.
    fn is_cast(&self, function: usize) -> bool {
        let simple: [&[u8]; 9] =
            [b"int", b"long", b"double", b"float", b"char", b"bool", b"short", b"unsigned", b"size_t"];
        let bytes = self.bytes(function);
        let name = bytes.split(|&byte| byte == b'<').next().unwrap_or_default();
        name.ends_with(b"_cast") || simple.contains(&bytes)
    }

    fn last_word(&self, function: usize) -> &'a [u8] {
        let bytes = self.bytes(function);
        let start = bytes.iter().rposition(|&byte| !(byte.is_ascii_alphanumeric() || byte == b'_'));
        &bytes[start.map_or(0, |at| at + 1)..]
    }

    fn arguments(&mut self, node: usize) -> Vec<Value> {
        let below = |child: &usize| matches!(self.tree.kind(*child), Kind::Arguments | Kind::TokenTree | Kind::List);
        let list = self.tree.children(node).find(below);
        list.map_or(Vec::new(), |list| self.values(list))
    }

    /// `c ? a : b` and `if` as an expression, where nothing is assigned from it.
    fn choice(&mut self, node: usize) -> Value {
        if self.tree.kind(node) != Kind::Ternary {
            self.statement(node);
            return Value::place(0);
        }
        if let Some(condition) = self.part(node, Field::Condition) {
            self.condition(condition);
        }
        let mut parts = Vec::new();
        for field in [Field::Consequence, Field::Alternative] {
            parts.extend(self.part(node, field).map(|part| self.value(part)));
        }
        match parts.as_slice() {
            [a, b] => Value::either_way(Does::Choice, 0, *a, *b),
            _ => Value::place(0),
        }
    }

    fn body_of_lambda(&mut self, node: usize) {
        let Some(body) = self.part(node, Field::Body) else { return };
        if self.tree.kind(body) == Kind::Block {
            self.statement(body);
        } else {
            self.result_from(body, body);
        }
    }
}
