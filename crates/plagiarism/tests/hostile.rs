//! Sources that nobody would write to play: bounded, whatever is in them.

use ludus_plagiarism::{Analysed, Collection, Corpus, Language, MAX_BYTES, Match, Options, Refused, Report, Source};

/// What the sources of one test may take in a process of their own, all its threads
/// together: several times what they do take.
const SECONDS: f64 = 60.0;
const MEGABYTES: u64 = 1024;

/// Does something in a process of its own, which starts this program again for one
/// test, and looks what that has taken. Bounds are of the processor, not of the clock.
fn alone(test: &str, work: impl FnOnce()) {
    if std::env::var_os("HOSTILE").is_some() {
        work();
        let (seconds, megabytes) = taken();
        println!("{test}: {seconds:.2} s of the processor, {megabytes} MB");
        assert!(seconds < SECONDS, "{seconds} s of the processor");
        assert!(megabytes < MEGABYTES, "{megabytes} MB");
        return;
    }
    let name = format!("hostile::{test}");
    let started = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &name, "--nocapture"])
        .env("HOSTILE", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&started.stdout);
    println!("{said}{}", String::from_utf8_lossy(&started.stderr));
    assert!(started.status.success() && said.contains("1 passed"), "{test}");
}

/// What this process has taken, where there is a Linux to tell it.
fn taken() -> (f64, u64) {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = |at: usize| rest.split_whitespace().nth(at).and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0);
    ((ticks(11) + ticks(12)) / 100.0, kilobytes / 1024)
}

/// Looks at a source in both languages, and beside one that begins in its middle;
/// it may be refused, not more.
fn survives(text: &[u8]) {
    let turned = [&text[text.len() / 2..], &text[..text.len() / 2]].concat();
    let sources = [(Language::Cpp, text), (Language::Rust, text), (Language::Cpp, &turned), (Language::Rust, &turned)];
    let source = |(at, (language, text)): (usize, &(Language, &[u8]))| {
        let name = format!("hostile {at} {language:?}");
        Source { author: name.clone(), name, language: *language, text: text.to_vec(), time: None }
    };
    let mut collection = Collection::of(sources.iter().enumerate().map(source).collect());
    assert_eq!(collection.sources.len() + collection.refused.len(), 4);
    let templates = ludus_plagiarism::templates(&Language::ALL, Vec::new());
    let options = Options { threshold: 0.0, same_author: true };
    let found = collection.compare(&templates, options);
    report(&collection, &found, options);
    // Looked for in an index that others like them are in.
    let folder = tempfile::tempdir().unwrap();
    let mut index = Corpus::open(&folder.path().join("corpus"), false).unwrap();
    index.add(&collection, collection.sources.len()).unwrap();
    let options = Options::default();
    let count = collection.sources.len();
    for source in &mut collection.sources {
        source.author.insert_str(0, "another ");
    }
    let (all, found) = index.compare(collection, &templates, options).unwrap();
    report(&all, &found, options);
    index.add(&all, count).unwrap();
}

/// What is shown of them, whole, is in proportion to what they are.
fn report(collection: &Collection, found: &[Match], options: Options) {
    let report = Report::new(collection, found, options);
    let whole: usize = collection.sources.iter().map(|source| source.text.len()).sum();
    let shown = report.html().len() + report.csv().len() + report.json().len();
    assert!(shown < 4_000_000 + 200 * whole, "{shown} bytes of report about {whole}");
}

/// One step that all of the source consists of, and a few that come again and again.
#[test]
fn the_same_steps_all_over() {
    alone("the_same_steps_all_over", || {
        survives(&b"void f() { g(a + b, c); }\n".repeat(MAX_BYTES / 26));
        let few: String = (0..20_000).map(|at| format!("f{}(a + b, c);\n", at * at % 7)).collect();
        survives(format!("void f() {{\n{few}}}\n").as_bytes());
        let many: String = (0..12_000u64).map(|at| format!("f{}(a + b, c * d);\n", at * at % 3001)).collect();
        survives(format!("void f() {{\n{many}}}\n").as_bytes());
    });
}

#[test]
fn nested_brackets() {
    alone("nested_brackets", || {
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
    });
}

#[test]
fn assignments_in_assignments() {
    alone("assignments_in_assignments", || {
        let nested = (0..60).fold("1".to_owned(), |inner, at| format!("({} = {inner} + 1)", ["x", "y"][at % 2]));
        survives(format!("void f() {{ {nested}; }}").as_bytes());
        let nested = (0..40).fold("1".to_owned(), |inner, at| format!("{{ {} = {inner} + 1; 1 }}", ["x", "y"][at % 2]));
        survives(format!("fn f() {{ x = {nested} + 1; }}").as_bytes());
    });
}

#[test]
fn a_line_of_five_megabytes_is_refused_by_name() {
    alone("a_line_of_five_megabytes_is_refused_by_name", || {
        let text = b"int x = 1 + 2; ".repeat(5_000_000 / 15 + 1);
        assert_eq!(Analysed::of(&text, Language::Cpp).err(), Some(Refused::TooLong(text.len())));
        let long =
            Source { name: "long.cc".to_owned(), author: "a".to_owned(), language: Language::Cpp, text, time: None };
        let collection = Collection::of(vec![long]);
        assert_eq!(collection.refused[0].0, "long.cc");
        survives(&b"x=1+2;".repeat(MAX_BYTES / 6));
    });
}

#[test]
fn a_million_tiny_tokens() {
    alone("a_million_tiny_tokens", || {
        survives(&b"a;".repeat(1_000_000));
        survives(&b";".repeat(MAX_BYTES));
        survives(&b"a,".repeat(50_000));
        survives(&b"f(a);".repeat(MAX_BYTES / 5));
    });
}

#[test]
fn bytes_that_are_no_text() {
    alone("bytes_that_are_no_text", || {
        let noise: Vec<u8> = (0..200_000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        survives(&noise);
        survives(b"\xff\xfe\x00void f() { g(\xc3\x28, 1 + 2); }\x00\x80");
        survives(b"");
    });
}

#[test]
fn literals_and_comments_that_do_not_end() {
    alone("literals_and_comments_that_do_not_end", || {
        for text in
            ["void f() { g(\"", "char c = '", "/* ", "auto s = R\"x(", "r#\"", "#define a(", "#define a \\", "#define"]
        {
            survives(text.as_bytes());
            survives(format!("{text}{}", "x y\n".repeat(5_000)).as_bytes());
        }
    });
}

#[test]
fn macros_that_grow() {
    alone("macros_that_grow", || {
        let mut text = String::from("#define a0 x = y + z;\n");
        for level in 1..60 {
            text += &format!("#define a{level} a{} a{}\n", level - 1, level - 1);
        }
        survives(format!("{text}void f() {{ a59 }}").as_bytes());
        let calls = "f(".repeat(20_000);
        survives(format!("#define f(x) x x\nint main() {{ {calls}").as_bytes());
    });
}

/// Comments that do not end, each of which begins where the next one is looked
/// for: the parser would look for the end of the file from every one of them.
#[test]
fn what_is_read_again_from_every_token() {
    alone("what_is_read_again_from_every_token", || {
        let player = include_str!("../../../content/ants/players/AIForager.cc");
        for times in [4_000, MAX_BYTES / 4] {
            let bomb = format!("{player}\n/\\\n/ {}\n", "/* ".repeat(times));
            assert_eq!(Analysed::of(bomb.as_bytes(), Language::Cpp).err(), Some(Refused::ReadTooOften), "{times}");
            let comment = format!("{player}\n// {}\n", "/* ".repeat(times));
            assert!(Analysed::of(comment.as_bytes(), Language::Cpp).is_ok(), "{times}");
        }
    });
}
