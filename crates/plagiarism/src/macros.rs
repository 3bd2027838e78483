//! Macros of C++ put in their places, so that `#define so_long_as while` hides
//! nothing. Only what a source defines itself is known; conditions of the
//! preprocessor are left to the grammar, which sees all their branches.

use std::borrow::Cow;
use std::collections::HashMap;

/// How deep macros may stand in macros; deeper ones stay as they are.
const MAX_DEPTH: usize = 16;

/// A text without macros, and where its parts come from.
pub(crate) struct Expanded<'a> {
    pub text: Cow<'a, [u8]>,
    /// By their beginning in the text: pieces that were copied, or that stand
    /// for a use of a macro.
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy)]
struct Piece {
    at: usize,
    from: usize,
    /// The end of the use of a macro; 0 for what was copied.
    until: usize,
}

impl Expanded<'_> {
    /// The bytes of the source that a range of the text comes from.
    pub fn origin(&self, start: usize, end: usize) -> (usize, usize) {
        if self.pieces.is_empty() {
            return (start, end);
        }
        let find = |at: usize| self.pieces[self.pieces.partition_point(|piece| piece.at <= at).saturating_sub(1)];
        let first = find(start);
        let last = find(end.saturating_sub(1).max(start));
        let from = if first.until == 0 { first.from + (start - first.at.min(start)) } else { first.from };
        let until = if last.until == 0 { last.from + (end - last.at.min(end)) } else { last.until };
        (from, until.max(from))
    }
}

struct Macro<'a> {
    parameters: Option<Vec<&'a [u8]>>,
    body: Vec<u8>,
}

/// The macros that are known so far.
struct Macros<'a> {
    by_name: HashMap<&'a [u8], Macro<'a>>,
    /// For each first byte of names a bit for each length: most words are seen to be
    /// no macro without being hashed.
    lengths: [u64; 256],
}

impl<'a> Macros<'a> {
    fn length(name: &[u8]) -> u64 {
        1 << name.len().min(63)
    }

    fn add(&mut self, name: &'a [u8], found: Macro<'a>) {
        self.lengths[usize::from(name[0])] |= Macros::length(name);
        self.by_name.insert(name, found);
    }

    fn of(&self, name: &[u8]) -> Option<&Macro<'a>> {
        let first = usize::from(*name.first()?);
        if self.lengths[first] & Macros::length(name) == 0 { None } else { self.by_name.get(name) }
    }
}

/// Puts the macros that a source defines in their places.
pub(crate) fn expand(source: &[u8]) -> Expanded<'_> {
    if !source.split(|byte| *byte == b'#').skip(1).any(|rest| rest.trim_ascii_start().starts_with(b"define")) {
        return as_it_is(source);
    }
    let mut macros = Macros { by_name: HashMap::new(), lengths: [0; 256] };
    let mut text = Vec::with_capacity(source.len());
    let mut pieces = Vec::new();
    // Bytes that may be read and written for macros; then they stay as they are.
    let mut budget = 8 * source.len() + 65536;
    // What is before this has been copied, or something stands for it.
    let mut copied = 0;
    for token in tokens(source) {
        let (at, end) = (token.start, token.end);
        if at < copied {
            continue;
        }
        if token.kind == Part::Directive {
            if let Some((name, found)) = definition(&source[at..end]) {
                macros.add(name, found);
                copy(&mut text, &mut pieces, source, copied, at);
                copied = end;
            }
            continue;
        }
        if token.kind != Part::Word {
            continue;
        }
        let name = &source[at..end];
        let used = macros.of(name).and_then(|found| use_of(found, source, end, &mut budget));
        if let Some((arguments, until)) = used {
            copy(&mut text, &mut pieces, source, copied, at);
            pieces.push(Piece { at: text.len(), from: at, until });
            put(&macros, name, &arguments, &mut vec![name.to_vec()], &mut text, &mut budget);
            copied = until;
        }
    }
    copy(&mut text, &mut pieces, source, copied.min(source.len()), source.len());
    Expanded { text: Cow::Owned(text), pieces }
}

/// A source of a language without such macros.
pub(crate) fn as_it_is(source: &[u8]) -> Expanded<'_> {
    Expanded { text: Cow::Borrowed(source), pieces: Vec::new() }
}

fn copy(text: &mut Vec<u8>, pieces: &mut Vec<Piece>, source: &[u8], from: usize, to: usize) {
    if from < to {
        pieces.push(Piece { at: text.len(), from, until: 0 });
        text.extend_from_slice(&source[from..to]);
    }
}

/// The arguments of a macro where its name ends at a place, and where its use
/// ends; `None` if it is not used there.
fn use_of(found: &Macro, source: &[u8], end: usize, budget: &mut usize) -> Option<(Vec<Vec<u8>>, usize)> {
    let Some(parameters) = &found.parameters else { return Some((Vec::new(), end)) };
    let open = end + source[end..].iter().position(|byte| !byte.is_ascii_whitespace())?;
    if source[open] != b'(' {
        return None;
    }
    let mut arguments = Vec::new();
    let (mut depth, mut begin) = (0, open + 1);
    // Nobody passes a whole program to a macro.
    let limit = source.len().min(open + 20_000).min(open + *budget);
    for token in tokens(&source[open..limit]) {
        let (at, after) = (open + token.start, open + token.end);
        *budget = budget.saturating_sub(after - at);
        match &source[at..after] {
            b"(" | b"[" | b"{" => depth += 1,
            b"]" | b"}" => depth -= 1,
            b")" if depth == 1 => {
                arguments.push(source[begin..at].to_vec());
                arguments.resize(parameters.len().max(1), Vec::new());
                return Some((arguments, after));
            }
            b")" => depth -= 1,
            // The rest goes to the last parameter, which may stand for several.
            b"," if depth == 1 && arguments.len() + 1 < parameters.len() => {
                arguments.push(source[begin..at].to_vec());
                begin = after;
            }
            _ => {}
        }
    }
    None
}

/// Writes the body of a macro with its arguments and the macros in it.
fn put(
    macros: &Macros,
    name: &[u8],
    arguments: &[Vec<u8>],
    under_way: &mut Vec<Vec<u8>>,
    text: &mut Vec<u8>,
    budget: &mut usize,
) {
    let Some(found) = macros.of(name) else { return };
    let body = with_arguments(found, arguments);
    let mut copied = 0;
    for token in tokens(&body) {
        if token.start < copied {
            continue;
        }
        let word = &body[token.start..token.end];
        let may = token.kind == Part::Word
            && under_way.len() < MAX_DEPTH
            && *budget > 0
            && !under_way.iter().any(|name| name == word);
        let inner = may.then(|| macros.of(word)).flatten();
        if let Some((arguments, until)) = inner.and_then(|inner| use_of(inner, &body, token.end, budget)) {
            under_way.push(word.to_vec());
            put(macros, word, &arguments, under_way, text, budget);
            under_way.pop();
            copied = until;
        } else if *budget > 0 {
            text.extend_from_slice(word);
            *budget = budget.saturating_sub(word.len());
        }
    }
}

fn with_arguments(found: &Macro, arguments: &[Vec<u8>]) -> Vec<u8> {
    let Some(parameters) = &found.parameters else { return found.body.clone() };
    let mut body = Vec::with_capacity(found.body.len());
    for token in tokens(&found.body) {
        let word = &found.body[token.start..token.end];
        let is_rest = |parameter: &[u8]| parameter == b"..." && word == b"__VA_ARGS__";
        let place = parameters.iter().position(|&parameter| parameter == word || is_rest(parameter));
        match place.and_then(|place| arguments.get(place)) {
            Some(argument) if token.kind == Part::Word => body.extend_from_slice(argument),
            _ => body.extend_from_slice(word),
        }
        if body.len() > 100_000 {
            break;
        }
    }
    body
}

/// The macro that a directive defines.
fn definition(line: &[u8]) -> Option<(&[u8], Macro<'_>)> {
    let rest = line.strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"define")?;
    let rest = rest.first().is_some_and(u8::is_ascii_whitespace).then(|| rest.trim_ascii_start())?;
    let length = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(length);
    if name.is_empty() {
        return None;
    }
    let (parameters, body) = match rest.strip_prefix(b"(") {
        Some(inside) => {
            let close = inside.iter().position(|&byte| byte == b')')?;
            let names = inside[..close].split(|&byte| byte == b',').map(<[u8]>::trim_ascii).collect();
            (Some(names), &inside[close + 1..])
        }
        None => (None, rest),
    };
    Some((name, Macro { parameters, body: clean(body) }))
}

/// A body on one line, without comments and without the signs that glue words.
fn clean(body: &[u8]) -> Vec<u8> {
    let mut clean = Vec::with_capacity(body.len());
    let mut glue = false;
    for token in tokens(body) {
        let word = &body[token.start..token.end];
        match token.kind {
            Part::Comment => clean.push(b' '),
            Part::Other if word == b"\\" => {}
            Part::Other | Part::Directive if word.first() == Some(&b'#') => {
                glue = true;
                clean = clean.trim_ascii_end().to_vec();
            }
            Part::Space if glue => {}
            Part::Space => clean.push(b' '),
            _ => {
                glue = false;
                clean.extend_from_slice(word);
            }
        }
    }
    clean.trim_ascii().to_vec()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Word,
    Space,
    Comment,
    Quoted,
    Directive,
    Other,
}

struct Token {
    kind: Part,
    start: usize,
    end: usize,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The parts of a text, all of it, in order.
fn tokens(text: &[u8]) -> impl Iterator<Item = Token> + '_ {
    let mut at = 0;
    let mut fresh_line = true;
    std::iter::from_fn(move || {
        let start = at;
        let first = *text.get(at)?;
        let (kind, end) = match first {
            b'#' if fresh_line => (Part::Directive, directive_end(text, at)),
            _ if first.is_ascii_whitespace() => (Part::Space, run(text, at, |byte| byte.is_ascii_whitespace())),
            _ if is_word(first) => (Part::Word, run(text, at, is_word)),
            b'/' if text.get(at + 1) == Some(&b'/') => (Part::Comment, find(text, at, b"\n")),
            b'/' if text.get(at + 1) == Some(&b'*') => (Part::Comment, find(text, at + 2, b"*/") + 2),
            b'"' | b'\'' => (Part::Quoted, quoted_end(text, at)),
            _ => (Part::Other, at + 1),
        };
        at = end.min(text.len());
        if kind == Part::Space {
            fresh_line |= text[start..at].contains(&b'\n');
        } else if kind != Part::Comment {
            fresh_line = kind == Part::Directive;
        }
        Some(Token { kind, start, end: at })
    })
}

fn run(text: &[u8], at: usize, is_in: impl Fn(u8) -> bool) -> usize {
    text[at..].iter().position(|&byte| !is_in(byte)).map_or(text.len(), |length| at + length)
}

fn find(text: &[u8], at: usize, what: &[u8]) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.windows(what.len()).position(|window| window == what).map_or(text.len(), |length| at + length)
}

/// Quotes end at their line's end at the latest, as for a compiler.
fn quoted_end(text: &[u8], at: usize) -> usize {
    let quote = text[at];
    let mut end = at + 1;
    while let Some(&byte) = text.get(end) {
        match byte {
            b'\\' => end += 1,
            b'\n' => return end,
            _ if byte == quote => return end + 1,
            _ => {}
        }
        end += 1;
    }
    text.len()
}

/// A directive ends with its line, unless that ends in a backslash.
fn directive_end(text: &[u8], at: usize) -> usize {
    let mut end = at;
    loop {
        end = find(text, end, b"\n");
        let line = text[at..end].strip_suffix(b"\r").unwrap_or(&text[at..end]);
        if end >= text.len() || line.last() != Some(&b'\\') {
            return end;
        }
        end += 1;
    }
}
