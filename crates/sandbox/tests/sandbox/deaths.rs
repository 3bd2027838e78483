//! A player that dies is told of what, in which function and in which line. The
//! ways to die are in `tests/deaths`, each with what is to be told.

use std::path::Path;

use ludus_games::Seat;
use ludus_sandbox::Limits;
use ludus_sandbox::build::Language;

use crate::{against_demo, ants, builder, load, short_ants};

/// The way of which nobody dies: 58,000 calls within each other.
const DEEP: i32 = 50;

/// A way to die: its number, the line, the function and the reason.
struct Way {
    number: i32,
    line: usize,
    function: String,
    reason: String,
}

fn ways(source: &str) -> Vec<Way> {
    let lines = source.lines().enumerate().filter_map(|(k, line)| Some((k + 1, line.split_once("//= ")?.1)));
    let ways = lines.map(|(line, way)| {
        let (number, way) = way.split_once(' ').unwrap();
        let (function, reason) = way.split_once(": ").unwrap();
        Way { number: number.parse().unwrap(), line, function: function.to_owned(), reason: reason.to_owned() }
    });
    ways.collect()
}

/// What the author of a file is told after a match of so many rounds.
fn told(module: &ludus_sandbox::PlayerModule, rounds: i32) -> String {
    let limits = Limits { fuel: 2_000_000_000, ..Limits::of(ants().about().cpu) };
    let mut played = against_demo(ants(), &*short_ants(rounds), 1, 0, module, &limits);
    played.play_round().unwrap();
    let mut output = Vec::new();
    played.take_output(Seat::ALL[0], &mut output);
    String::from_utf8(output).unwrap()
}

fn check(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/deaths").join(file);
    let source = std::fs::read_to_string(path).unwrap();
    let language = Language::of(Path::new(file)).unwrap();
    let built = builder().build_file("ants", language, file, source.as_bytes()).unwrap();
    let module = load(&built.module).from_file(file);
    let ways = ways(&source);
    assert!(ways.len() >= 30, "{} ways", ways.len());
    assert_eq!(told(&module, 20 + DEEP), "", "calls go as deep as natively");
    let mut wrong = Vec::new();
    for Way { number, line, function, reason } in ways {
        let told = told(&module, 20 + number);
        let place = format!("  {file}:{line} in ");
        let named = told.lines().any(|line| line.starts_with(&place) && line.contains(&*function));
        if !named || !told.contains(&*reason) || told.contains("player.") {
            wrong.push(format!("{number}: expected '{reason}' at {file}:{line} in {function}, told:\n{told}"));
        }
    }
    assert!(wrong.is_empty(), "{} ways are told wrongly\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn players_in_cpp_die_with_their_line() {
    check("AIDeaths.cc");
}

#[test]
fn players_in_rust_die_with_their_line() {
    check("Deaths.rs");
}
