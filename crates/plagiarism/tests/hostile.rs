//! Sources that nobody would write to play: bounded, whatever is in them.

use ludus_plagiarism::{Analysed, Collection, Language, MAX_BYTES, Options, Refused, Source};

/// Looks at a source in both languages; it may be refused, not more.
fn survives(text: &[u8]) {
    let sources = [Language::Cpp, Language::Rust].map(|language| {
        let name = format!("hostile {language:?}");
        Source { author: name.clone(), name, language, text: text.to_vec(), time: None }
    });
    let collection = Collection::of(sources.to_vec());
    assert_eq!(collection.sources.len() + collection.refused.len(), 2);
    let templates = ludus_plagiarism::templates(&Language::ALL, Vec::new());
    collection.compare(&templates, Options { threshold: 0.0, same_author: true });
}

#[test]
fn nested_brackets() {
    for bracket in ["(", "[", "{", "<", "f(", "if (a) {", "x = [&]() {", "a ? ", "!", "-", "*", "{ struct a {"] {
        let times = 100_000.min(MAX_BYTES / bracket.len());
        survives(bracket.repeat(times).as_bytes());
    }
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] {
        let text = format!("int x = {}1{};", open.repeat(100_000), close.repeat(100_000));
        survives(text.as_bytes());
    }
    survives(format!("void f() {{ {} }}", "if (a) x(b, c); else ".repeat(20_000)).as_bytes());
    survives(format!("void f() {{ x = {} 1; }}", "a + ".repeat(100_000)).as_bytes());
}

#[test]
fn assignments_in_assignments() {
    let nested = (0..60).fold("1".to_owned(), |inner, at| format!("({} = {inner} + 1)", ["x", "y"][at % 2]));
    survives(format!("void f() {{ {nested}; }}").as_bytes());
    let nested = (0..40).fold("1".to_owned(), |inner, at| format!("{{ {} = {inner} + 1; 1 }}", ["x", "y"][at % 2]));
    survives(format!("fn f() {{ x = {nested} + 1; }}").as_bytes());
}

#[test]
fn a_line_of_five_megabytes_is_refused_by_name() {
    let text = b"int x = 1 + 2; ".repeat(5_000_000 / 15 + 1);
    assert_eq!(Analysed::of(&text, Language::Cpp).err(), Some(Refused::TooLong(text.len())));
    let long = Source { name: "long.cc".to_owned(), author: "a".to_owned(), language: Language::Cpp, text, time: None };
    let collection = Collection::of(vec![long]);
    assert_eq!(collection.refused[0].0, "long.cc");
    survives(&b"x=1+2;".repeat(MAX_BYTES / 6));
}

#[test]
fn a_million_tiny_tokens() {
    survives(&b"a;".repeat(1_000_000));
    survives(&b";".repeat(MAX_BYTES));
    survives(&b"a,".repeat(50_000));
    survives(&b"f(a);".repeat(MAX_BYTES / 5));
}

#[test]
fn bytes_that_are_no_text() {
    let noise: Vec<u8> = (0..200_000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    survives(&noise);
    survives(b"\xff\xfe\x00void f() { g(\xc3\x28, 1 + 2); }\x00\x80");
    survives(b"");
}

#[test]
fn literals_and_comments_that_do_not_end() {
    for text in
        ["void f() { g(\"", "char c = '", "/* ", "auto s = R\"x(", "r#\"", "#define a(", "#define a \\", "#define"]
    {
        survives(text.as_bytes());
        survives(format!("{text}{}", "x y\n".repeat(5_000)).as_bytes());
    }
}

#[test]
fn macros_that_grow() {
    let mut text = String::from("#define a0 x = y + z;\n");
    for level in 1..60 {
        text += &format!("#define a{level} a{} a{}\n", level - 1, level - 1);
    }
    survives(format!("{text}void f() {{ a59 }}").as_bytes());
    let calls = "f(".repeat(20_000);
    survives(format!("#define f(x) x x\nint main() {{ {calls}").as_bytes());
}

/// Comments that do not end, each of which begins where the next one is looked
/// for: the parser would look for the end of the file from every one of them.
#[test]
fn what_is_read_again_from_every_token() {
    let player = include_str!("../../../content/ants/players/AIForager.cc");
    for times in [4_000, MAX_BYTES / 4] {
        let bomb = format!("{player}\n/\\\n/ {}\n", "/* ".repeat(times));
        assert_eq!(Analysed::of(bomb.as_bytes(), Language::Cpp).err(), Some(Refused::ReadTooOften), "{times}");
        let comment = format!("{player}\n// {}\n", "/* ".repeat(times));
        assert!(Analysed::of(comment.as_bytes(), Language::Cpp).is_ok(), "{times}");
    }
}
