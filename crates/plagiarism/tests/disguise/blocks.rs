//! Tricks that need to know where functions and statements end.

use std::collections::BTreeSet;

use super::Chance;
use super::words::{Words, before, is_space, is_word, next, words};

/// The largest body of a class or an `impl`, member by member.
pub struct Body {
    start: usize,
    end: usize,
    pub members: Vec<Member>,
}

pub struct Member {
    start: usize,
    end: usize,
    pub is_function: bool,
}

impl Member {
    pub fn length(&self) -> usize {
        self.end - self.start
    }
}

impl Body {
    pub fn largest(text: &Words) -> Option<Body> {
        let heads = (0..text.len()).filter(|&at| ["struct", "class", "impl"].contains(&text[at].as_str()));
        let bodies = heads.filter_map(|at| {
            let open = (at..text.len()).find(|&at| text[at] == "{" || text[at] == ";").filter(|&at| text[at] == "{")?;
            Some((open + 1, close(text, open)?))
        });
        let (start, end) = bodies.max_by_key(|(start, end)| end - start)?;
        Some(Body { start, end, members: members(text, start, end) })
    }

    /// The members but for some.
    pub fn without(&self, text: &Words, gone: &[usize]) -> Words {
        let kept = self.members.iter().enumerate().filter(|(at, _)| !gone.contains(at));
        kept.flat_map(|(_, member)| text[member.start..member.end].to_vec()).collect()
    }

    /// The source with something else inside.
    pub fn around(&self, text: &Words, inside: &[String]) -> Words {
        [&text[..self.start], inside, &text[self.end..]].concat()
    }
}

/// Where the bracket that opens at a place closes.
pub fn close(text: &Words, open: usize) -> Option<usize> {
    let (from, to) = match text[open].as_str() {
        "(" => ("(", ")"),
        "[" => ("[", "]"),
        _ => ("{", "}"),
    };
    let mut depth = 0;
    for (at, word) in text.iter().enumerate().skip(open) {
        if word == from {
            depth += 1;
        } else if word == to {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

fn members(text: &Words, start: usize, end: usize) -> Vec<Member> {
    let mut members = Vec::new();
    let (mut begin, mut at) = (start, start);
    while at < end {
        let word = text[at].as_str();
        let ends = match word {
            "{" => {
                at = close(text, at).unwrap_or(end - 1);
                next(text, at).is_none_or(|after| text[after] != ";" && text[after] != ",")
            }
            "(" | "[" => {
                at = close(text, at).unwrap_or(end - 1);
                false
            }
            _ => word == ";",
        };
        at += 1;
        if ends {
            let is_function = text[begin..at].iter().any(|word| word == "(") && text[at - 1] == "}";
            members.push(Member { start: begin, end: at.min(end), is_function });
            begin = at;
        }
    }
    if begin < end {
        members.push(Member { start: begin, end, is_function: false });
    }
    members
}

pub fn shuffle_functions(text: &mut Words, chance: &mut Chance) {
    shuffle(text, chance, |member, _| member.is_function);
}

/// Members that hold something.
pub fn shuffle_members(text: &mut Words, chance: &mut Chance) {
    shuffle(text, chance, |member, text| !member.is_function && text[member.end - 1] == ";");
}

fn shuffle(text: &mut Words, chance: &mut Chance, is_moved: fn(&Member, &Words) -> bool) {
    let Some(body) = Body::largest(text) else { return };
    let places: Vec<usize> = (0..body.members.len()).filter(|&at| is_moved(&body.members[at], text)).collect();
    let mut order = places.clone();
    chance.shuffle(&mut order);
    let mut inside = Vec::new();
    for at in 0..body.members.len() {
        let from = places.iter().position(|&place| place == at).map_or(at, |place| order[place]);
        inside.extend(text[body.members[from].start..body.members[from].end].to_vec());
    }
    *text = body.around(text, &inside);
}

/// Simple statements in a row: no braces, each up to its semicolon.
fn simple_statements(text: &Words) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let (mut begin, mut round, mut is_simple) = (0, 0i32, false);
    for (at, word) in text.iter().enumerate() {
        match word.as_str() {
            "(" | "[" => round += 1,
            ")" | "]" => round -= 1,
            "{" | "}" => (begin, is_simple, round) = (at + 1, true, 0),
            ";" if round == 0 => {
                if is_simple {
                    found.push((begin, at + 1));
                }
                (begin, is_simple) = (at + 1, true);
            }
            "if" | "else" | "for" | "while" | "return" | "break" | "continue" | "struct" | "class" | "case" | "do"
            | ":" | "use" | "using" | "=>" | "match" | "fn" | "virtual" | "static" => is_simple = false,
            _ if word.starts_with('#') => is_simple = false,
            _ => {}
        }
    }
    found
}

/// Swaps neighbours that share no name.
pub fn swap_statements(text: &mut Words, chance: &mut Chance) {
    let found = simple_statements(text);
    let names = |(start, end): (usize, usize), text: &Words| -> BTreeSet<String> {
        text[start..end].iter().filter(|word| is_word(word)).cloned().collect()
    };
    let types: BTreeSet<String> =
        ["int", "bool", "long", "auto", "const", "let", "mut", "Pos", "double"].map(String::from).into();
    let mut at = 0;
    while at + 1 < found.len() {
        let (a, b) = (found[at], found[at + 1]);
        let shared = names(a, text).intersection(&names(b, text)).any(|name| !types.contains(name));
        if a.1 == b.0 && !shared && chance.below(4) != 0 {
            let swapped = [text[b.0..b.1].to_vec(), text[a.0..a.1].to_vec()].concat();
            text.splice(a.0..b.1, swapped);
            at += 2;
        } else {
            at += 1;
        }
    }
}

/// `int a = 1, b = 2;` as two, and `int a = e;` as `int a; a = e;`.
pub fn split_declarations(text: &mut Words, chance: &mut Chance) {
    for (start, end) in simple_statements(text).into_iter().rev() {
        let line: Vec<String> = text[start..end].iter().filter(|word| !is_space(word)).cloned().collect();
        let [kind, name, sign, ..] = line.as_slice() else { continue };
        if !["int", "bool", "double", "long"].contains(&kind.as_str()) || !is_word(name) {
            continue;
        }
        let lead = text[start..end].iter().take_while(|word| is_space(word)).cloned().collect::<String>();
        let parts = split_at_commas(&line[1..line.len() - 1]);
        let new: String = if parts.len() > 1 {
            parts.iter().map(|part| format!("{lead}{kind} {};", part.join(" "))).collect()
        } else if sign == "=" && chance.below(2) == 0 {
            format!("{lead}{kind} {name};{lead}{};", line[1..line.len() - 1].join(" "))
        } else {
            continue;
        };
        text.splice(start..end, words(&new));
    }
}

/// `int a = 1; int b = 2;` as one.
pub fn join_declarations(text: &mut Words) {
    let mut later: Option<(usize, String)> = None;
    for (start, end) in simple_statements(text).into_iter().rev() {
        let line: Vec<String> = text[start..end].iter().filter(|word| !is_space(word)).cloned().collect();
        let kind = match line.as_slice() {
            [kind, name, ..] if ["int", "bool", "double", "long"].contains(&kind.as_str()) && is_word(name) => kind,
            _ => {
                later = None;
                continue;
            }
        };
        match later.take() {
            Some((place, with)) if place == end && with == *kind => {
                let name = (end..text.len()).find(|&at| text[at] == *kind).expect("it was there") + 1;
                text.splice(end - 1..name, [", ".to_owned()]);
            }
            _ => {}
        }
        later = Some((start, kind.clone()));
    }
}

fn split_at_commas(line: &[String]) -> Vec<Vec<String>> {
    let mut parts = vec![Vec::new()];
    let mut depth = 0;
    for word in line {
        match word.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if word == "," && depth == 0 {
            parts.push(Vec::new());
        } else {
            parts.last_mut().unwrap().push(word.clone());
        }
    }
    parts
}

/// Where the statement that begins at a place ends.
fn statement_end(text: &Words, start: usize) -> Option<usize> {
    match text[start].as_str() {
        "{" => Some(close(text, start)? + 1),
        "if" | "for" | "while" => {
            let open = next(text, start).filter(|&at| text[at] == "(");
            let body = match open {
                Some(open) => next(text, close(text, open)?)?,
                None => (start..text.len()).find(|&at| text[at] == "{")?,
            };
            let end = statement_end(text, body)?;
            match next(text, end - 1) {
                Some(at) if text[at] == "else" && text[start] == "if" => statement_end(text, next(text, at)?),
                _ => Some(end),
            }
        }
        _ => {
            let mut at = start;
            loop {
                match text.get(at)?.as_str() {
                    "(" | "[" | "{" => at = close(text, at)?,
                    ";" => return Some(at + 1),
                    "}" => return None,
                    _ => {}
                }
                at += 1;
            }
        }
    }
}

pub fn for_to_while(text: &mut Words) {
    let mut at = 0;
    while at < text.len() {
        if text[at] == "for"
            && let Some((end, new)) = as_while(text, at)
        {
            text.splice(at..end, new);
        }
        at += 1;
    }
}

fn as_while(text: &Words, at: usize) -> Option<(usize, Words)> {
    let open = next(text, at).filter(|&open| text[open] == "(")?;
    let shut = close(text, open)?;
    let head = text[open + 1..shut].concat();
    let parts: Vec<&str> = head.split(';').collect();
    let [first, condition, step] = parts[..] else { return None };
    let body = next(text, shut)?;
    let end = statement_end(text, body)?;
    let inside = text[body..end].concat();
    if text[body..end].iter().any(|word| word == "continue") {
        return None;
    }
    let condition = if condition.trim().is_empty() { "true" } else { condition };
    Some((end, words(&format!("{{ {first}; while ({condition}) {{ {inside} {step}; }} }}"))))
}

pub fn invert_ifs(text: &mut Words) {
    let mut at = 0;
    while at < text.len() {
        if text[at] == "if"
            && let Some((end, new)) = inverted(text, at)
        {
            text.splice(at..end, new);
        }
        at += 1;
    }
}

fn inverted(text: &Words, at: usize) -> Option<(usize, Words)> {
    let open = next(text, at)?;
    let (condition, then) = if text[open] == "("
        && next(text, close(text, open)?)
            .is_some_and(|after| text[after] != "{" || !text.iter().any(|word| word == "fn"))
    {
        let shut = close(text, open)?;
        (text[open + 1..shut].concat(), next(text, shut)?)
    } else {
        let body = (open..text.len()).find(|&at| text[at] == "{")?;
        (text[open..body].concat(), body)
    };
    if condition.contains("=>")
        || condition.contains("let ")
        || condition.contains(" = ")
        || condition.starts_with("!(")
    {
        return None;
    }
    // The value of an `if` as an expression must stay one.
    if before(text, at).is_some_and(|before| ["=", "(", ","].contains(&text[before].as_str())) {
        return None;
    }
    let end = statement_end(text, then)?;
    let inside = text[then..end].concat();
    let other = next(text, end - 1).filter(|&at| text[at] == "else").and_then(|at| next(text, at));
    let (whole, other) = match other {
        Some(other) => {
            let end = statement_end(text, other)?;
            (end, text[other..end].concat())
        }
        None => (end, "{ }".to_owned()),
    };
    let other = if other.starts_with('{') { other } else { format!("{{ {other} }}") };
    let inside = if inside.starts_with('{') { inside } else { format!("{{ {inside} }}") };
    Some((whole, words(&format!("if (!({condition})) {other} else {inside}"))))
}

const DEAD: [&str; 6] = [
    " int sobra = 7; if (sobra > 90) { sobra = sobra * 3 - 1; }",
    " vector<int> buit; for (int q = 0; q < 0; ++q) { buit.push_back(q * q); }",
    " bool prova = false; if (prova and 3 < 2) { cerr << \"mai\" << endl; }",
    " int comptador = 0; while (comptador < 1) { ++comptador; }",
    " double pes = 0.5; pes = pes * 2.0 + 1.0; pes -= 2;",
    " long long suma = 0; for (int h = 1; h <= 10; h += 3) suma += h * h % 7;",
];
const DEAD_RUST: [&str; 4] = [
    " let mut sobra = 7; if sobra > 90 { sobra = sobra * 3 - 1; }",
    " let mut buit: Vec<i32> = Vec::new(); for q in 0..0 { buit.push(q * q); }",
    " let mut comptador = 0; while comptador < 1 { comptador += 1; }",
    " let mut suma = 0i64; for h in 1..4 { suma += h * h % 7; }",
];

/// Puts code that does nothing after every third statement or so.
pub fn add_dead_code(text: &mut Words, chance: &mut Chance) {
    let is_rust = text.iter().any(|word| word == "fn");
    for (_, end) in simple_statements(text).into_iter().rev() {
        let in_function = before(text, end).is_some();
        if in_function && chance.below(4) == 0 {
            let dead = if is_rust { DEAD_RUST[chance.below(4)] } else { DEAD[chance.below(6)] };
            text.splice(end..end, words(dead));
        }
    }
}

/// Bodies of loops and branches as functions that are called in their place.
pub fn extract_helpers(text: &mut Words, chance: &mut Chance) {
    let is_rust = text.iter().any(|word| word == "fn");
    let mut number = 0;
    for at in (0..text.len()).rev() {
        if text[at] != "{" || chance.below(2) == 0 {
            continue;
        }
        let Some(end) = close(text, at) else { continue };
        let after_head = before(text, at).is_some_and(|head| text[head] == ")" || text[head] == "else");
        let leaves =
            text[at..end].iter().any(|word| ["return", "break", "continue", "fn", "public"].contains(&word.as_str()));
        let long = text[at..end].iter().filter(|word| *word == ";").count();
        if !after_head || leaves || !(2..=12).contains(&long) || text[at..end].iter().any(|word| word == "ajuda") {
            continue;
        }
        number += 1;
        let inside = text[at + 1..end].concat();
        let new = if is_rust {
            format!("{{ let mut ajuda{number} = || {{ {inside} }}; ajuda{number}(); }}")
        } else {
            format!("{{ auto ajuda{number} = [&]() {{ {inside} }}; ajuda{number}(); }}")
        };
        text.splice(at..=end, words(&new));
    }
}

/// Calls of functions that only return something become what they return.
pub fn inline_helpers(text: &mut Words) {
    for at in 0..text.len() {
        let Some(helper) = Helper::at(text, at) else { continue };
        let mut place = 0;
        while place < text.len() {
            if text[place] == helper.name
                && let Some(open) = next(text, place).filter(|&open| text[open] == "(")
                && !(helper.start..helper.end).contains(&place)
                && let Some(shut) = close(text, open)
            {
                let arguments = split_at_commas(&text[open + 1..shut]);
                let inside = helper.with(&arguments);
                text.splice(place..=shut, words(&inside));
                return inline_helpers_after(text, &helper, place);
            }
            place += 1;
        }
    }
}

/// All other calls of the same helper.
fn inline_helpers_after(text: &mut Words, helper: &Helper, from: usize) {
    let mut place = from + 1;
    while place < text.len() {
        if text[place] == helper.name
            && let Some(open) = next(text, place).filter(|&open| text[open] == "(")
            && let Some(shut) = close(text, open)
            && before(text, place).is_some_and(|head| !is_word(&text[head]) || text[head] == "return")
        {
            let arguments = split_at_commas(&text[open + 1..shut]);
            text.splice(place..=shut, words(&helper.with(&arguments)));
        }
        place += 1;
    }
}

struct Helper {
    name: String,
    start: usize,
    end: usize,
    parameters: Vec<String>,
    result: Words,
}

impl Helper {
    /// `type name(parameters) { return result; }`.
    fn at(text: &Words, at: usize) -> Option<Helper> {
        if !is_word(&text[at]) || !before(text, at).is_some_and(|head| is_word(&text[head])) {
            return None;
        }
        let open = next(text, at).filter(|&open| text[open] == "(")?;
        let shut = close(text, open)?;
        let body = next(text, shut).filter(|&body| text[body] == "{")?;
        let end = close(text, body)?;
        let first = next(text, body).filter(|&first| text[first] == "return")?;
        let inside = &text[first + 1..end];
        if inside.iter().filter(|word| *word == ";").count() != 1 {
            return None;
        }
        let parameters = split_at_commas(&text[open + 1..shut]);
        let last_word = |part: &Vec<String>| part.iter().rev().find(|word| is_word(word)).cloned();
        let parameters = parameters.iter().filter_map(last_word).collect();
        let result = inside.iter().filter(|word| *word != ";").cloned().collect();
        Some(Helper { name: text[at].clone(), start: at, end, parameters, result })
    }

    fn with(&self, arguments: &[Vec<String>]) -> String {
        let put = |word: &String| {
            let place = self.parameters.iter().position(|parameter| parameter == word);
            place
                .and_then(|place| arguments.get(place))
                .map_or(word.clone(), |argument| format!("({})", argument.concat().trim()))
        };
        format!("({})", self.result.iter().map(put).collect::<String>().trim())
    }
}
