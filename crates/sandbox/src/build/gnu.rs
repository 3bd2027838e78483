//! Sources that the GNU compiler accepts and clang refuses.
//!
//! Player files of past years were compiled with g++ and its library. Where
//! the two differ, clang's messages tell what to change, and nothing is
//! changed that they do not mention. Lines keep their numbers.

use std::collections::BTreeSet;

use super::cpp::PLAYER_HEADER;

/// The source with what the messages complain about changed, if there is
/// anything that can be. `file` is what the file is called in the messages.
pub fn adapt(source: &[u8], messages: &str, file: &str) -> Option<Vec<u8>> {
    let source = source.strip_prefix("\u{feff}".as_bytes()).unwrap_or(source);
    let mut adapted = source.to_vec();
    let calls_library = messages.contains("note: non-constexpr function '");
    for (line, column, message) in errors(messages, file) {
        if message.starts_with("variable-sized object may not be initialized") {
            clear_initialiser(&mut adapted, line, column);
        } else if message.contains("must be initialized by a constant expression") && calls_library {
            make_constant(&mut adapted, line);
        }
    }
    if messages.contains("for call to object of type 'const ") {
        adapted = with_constant_comparators(&adapted);
    }
    let names = ambiguous_names(messages);
    if names.is_empty() && adapted == source {
        return None;
    }
    // The renaming begins after the headers, so that it touches only the file.
    let mut text = format!("#include \"{PLAYER_HEADER}\"\n");
    for name in names {
        text.push_str(&format!("#define {name} {name}_of_this_file_\n"));
    }
    text.push_str(&format!("#line 1 {file:?}\n"));
    let mut text = text.into_bytes();
    text.extend(adapted);
    Some(text)
}

/// Line, column and text of the errors that are in the file itself.
fn errors<'a>(messages: &'a str, file: &str) -> impl Iterator<Item = (usize, usize, &'a str)> {
    messages.lines().filter_map(move |line| {
        let (place, message) = line.split_once(": error: ")?;
        let mut place = place.strip_prefix(file)?.strip_prefix(':')?.split(':');
        Some((place.next()?.parse().ok()?, place.next()?.parse().ok()?, message))
    })
}

/// Names of the file's own that the standard library has as well: more of its
/// headers are included here than with the GNU library.
fn ambiguous_names(messages: &str) -> BTreeSet<&str> {
    let quoted = |line: &'_ str, before: &str, after: &str| {
        let start = line.find(before)? + before.len();
        let len = line[start..].find(after)?;
        Some((start, len))
    };
    messages
        .lines()
        .filter_map(|line| {
            let (start, len) = quoted(line, "error: reference to '", "' is ambiguous")
                .or_else(|| quoted(line, "error: call to '", "' is ambiguous"))?;
            Some(&line[start..start + len])
        })
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
        .collect()
}

/// The bytes of a line, counted from 1.
fn line_of(text: &[u8], line: usize) -> Option<std::ops::Range<usize>> {
    let mut start = 0;
    for _ in 1..line {
        start += text.get(start..)?.iter().position(|&byte| byte == b'\n')? + 1;
    }
    let len = text.get(start..)?.iter().position(|&byte| byte == b'\n').unwrap_or(text.len() - start);
    Some(start..start + len)
}

/// Arrays whose size is known late cannot be initialised, but all of them are
/// zero from the beginning, so an initialiser of zeros can be left out.
fn clear_initialiser(text: &mut [u8], line: usize, column: usize) {
    let Some(range) = line_of(text, line) else { return };
    let Some(rest) = text.get_mut(range.start + column.saturating_sub(1)..) else { return };
    let end = rest.iter().position(|&byte| byte == b';').unwrap_or(rest.len());
    let Some(equals) = rest[..end].iter().position(|&byte| byte == b'=') else { return };
    let Some(open) = rest[equals..end].iter().position(|&byte| byte == b'{').map(|at| equals + at) else { return };
    let mut depth = 0;
    let mut at = open;
    while at < end {
        match rest[at] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' => {}
            byte if byte.is_ascii_whitespace() => {}
            _ => match ZEROS.iter().find(|zero| is_word_at(&rest[at..end], zero)) {
                Some(zero) => at += zero.len() - 1,
                None => return,
            },
        }
        if depth == 0 {
            rest[equals..=at].iter_mut().filter(|byte| !byte.is_ascii_whitespace()).for_each(|byte| *byte = b' ');
            return;
        }
        at += 1;
    }
}

/// What zero is called in an initialiser.
const ZEROS: [&[u8]; 8] = [b"false", b"nullptr", b"NULL", b"'\\0'", b"0.0", b"0.", b"0", b"\"\""];

/// Whether a text begins with a word, and not with a longer one.
fn is_word_at(text: &[u8], word: &[u8]) -> bool {
    let next = text.strip_prefix(word).and_then(|rest| rest.first());
    text.starts_with(word) && !next.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
}

/// The GNU compiler computes roots and powers while it compiles.
fn make_constant(text: &mut [u8], line: usize) {
    const WORD: &[u8] = b"constexpr";
    let Some(range) = line_of(text, line) else { return };
    let line = &mut text[range];
    while let Some(at) = line.windows(WORD.len()).position(|window| window == WORD) {
        line[at..at + WORD.len()].copy_from_slice(b"const    ");
    }
}

/// The GNU library calls a comparator that is not `const`.
fn with_constant_comparators(text: &[u8]) -> Vec<u8> {
    const WORD: &[u8] = b"operator";
    let mut adapted = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.windows(WORD.len()).position(|window| window == WORD) {
        let after = at + WORD.len();
        let Some(body) = body_of_call_operator(&rest[after..]) else {
            adapted.extend(&rest[..after]);
            rest = &rest[after..];
            continue;
        };
        adapted.extend(&rest[..after + body]);
        adapted.extend(b"const ");
        rest = &rest[after + body..];
    }
    adapted.extend(rest);
    adapted
}

/// Where the body begins, of what may be `()(int a, int b) {`.
fn body_of_call_operator(text: &[u8]) -> Option<usize> {
    let skip = |mut at: usize| {
        while text.get(at)?.is_ascii_whitespace() {
            at += 1;
        }
        Some(at)
    };
    let mut at = 0;
    for expected in *b"()(" {
        at = skip(at)?;
        if text[at] != expected {
            return None;
        }
        at += 1;
    }
    let mut depth = 1;
    while depth > 0 {
        match text.get(at)? {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    at = skip(at)?;
    (text[at] == b'{').then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What becomes of the source, without what is put before it.
    fn check(source: &str, messages: &str, expected: &str) {
        let adapted = adapt(source.as_bytes(), messages, "player.cc").map(|text| String::from_utf8(text).unwrap());
        let text = adapted.as_deref().map(|text| text.split_once("#line 1 \"player.cc\"\n").unwrap().1);
        assert_eq!(text.unwrap_or("nothing"), expected, "{source}");
    }

    #[test]
    fn arrays_of_late_size_lose_their_zeros() {
        let message = "player.cc:2:7: error: variable-sized object may not be initialized";
        check("x\nint a[n] = {0}, b;\n", message, "x\nint a[n]      , b;\n");
        check("x\nint a[n][n] = { {0},\n {} };\n", message, "x\nint a[n][n]         \n     ;\n");
        check("x\nint a[n] = {1};\n", message, "nothing");
        check("x\nbool a[f()][g()] = {false};\n", message, "x\nbool a[f()][g()]          ;\n");
        check("x\nint a[n] = {0.0, NULL};\n", message, "x\nint a[n]              ;\n");
        check("x\nint a[n] = {falsehood};\n", message, "nothing");
        check("x\nint a[n] = {0.5};\n", message, "nothing");
        check("x", message, "nothing");
    }

    #[test]
    fn comparators_become_constant() {
        let message = "map:1:2: error: no matching function for call to object of type 'const Less'";
        check("bool operator()(int a, f(b)) {", message, "bool operator()(int a, f(b)) const {");
        check("bool operator () (A a)\n{ x", message, "bool operator () (A a)\nconst { x");
        check("bool operator()(int a) const {", message, "nothing");
        check("bool operator<(int a) {", message, "nothing");
        check("bool operator()(int a", message, "nothing");
    }

    #[test]
    fn names_of_the_library_are_renamed_after_the_headers() {
        let messages = "player.cc:3:1: error: reference to 'list' is ambiguous\nplayer.cc:4:1: error: call to 'norm' is ambiguous\nplayer.cc:5:1: error: reference to 'a::b' is ambiguous\n";
        let adapted = adapt("\u{feff}int list;".as_bytes(), messages, "player.cc").unwrap();
        assert_eq!(
            String::from_utf8(adapted).unwrap(),
            "#include \"Player.hh\"\n#define list list_of_this_file_\n#define norm norm_of_this_file_\n#line 1 \"player.cc\"\nint list;"
        );
    }

    #[test]
    fn other_mistakes_stay() {
        check("constexpr int x = y;", "player.cc:1:5: error: use of undeclared identifier 'y'", "nothing");
        let message = "player.cc:1:15: error: constexpr variable 'x' must be initialized by a constant expression\n";
        check("constexpr int x = loop();", message, "nothing");
        let with_note = format!("{message}player.cc:1:19: note: non-constexpr function 'sqrt' cannot be used\n");
        check("constexpr int x = sqrt(2);", &with_note, "const     int x = sqrt(2);");
    }
}
