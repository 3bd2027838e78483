//! Players in Rust, from the source file to whole matches.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use ludus_arena::{Entrant, Fault, Match, SeatOutcome};
use ludus_games::{Config, Seat};
use ludus_sandbox::build::rust::{self, Prepared};
use ludus_sandbox::build::{Jail, module_in};
use ludus_sandbox::{Limits, PlayerModule};

use crate::{ants, kept, load};

const SEEDS: [i32; 4] = [0, 30, 31_337, i32::MAX];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn config() -> Box<dyn Config> {
    ants().read_config(ants().about().default_config.as_bytes()).unwrap()
}

/// An empty folder for one test.
fn folder() -> PathBuf {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let folder = kept(&format!("rust_player-{number}"));
    let _ = fs::remove_dir_all(&folder); // There is none in the first run.
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The compiler with what it needs, which is kept between runs.
fn prepared() -> &'static Prepared {
    static PREPARED: OnceLock<Prepared> = OnceLock::new();
    PREPARED.get_or_init(|| {
        let compiler = rust::find().unwrap_or_else(|missing| panic!("these tests need a compiler: {missing}"));
        let begun = Instant::now();
        let prepared = compiler.prepare(&kept("players-cache"), &root().join("sdk/rust"));
        println!("{}, ready in {:.1?}", compiler.version(), begun.elapsed());
        prepared.unwrap_or_else(|error| panic!("{error}"))
    })
}

/// Compiles a file, or gives the compiler's messages.
fn compile(source: &Path, out: &Path) -> Result<Vec<u8>, String> {
    let begun = Instant::now();
    let output = prepared().command(Jail::None, source, out).command().output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let wasm = module_in(&fs::read(out).unwrap()).unwrap();
    println!("{}: {} bytes in {:.1?}", source.file_name().unwrap().display(), wasm.len(), begun.elapsed());
    Ok(wasm)
}

fn example(name: &str) -> PlayerModule {
    let folder = folder();
    let source = root().join(format!("content/ants/players/{name}.rs"));
    load(&compile(&source, &folder.join("player.wasm")).unwrap())
}

/// A player of Ants whose `play` has this body.
fn player(body: &str) -> Result<Vec<u8>, String> {
    let folder = folder();
    let source = folder.join("Body.rs");
    let text = format!(
        "use ludus_player::ants::*;
struct Body;
impl Player for Body {{
    fn new(_: &Game) -> Self {{ Body }}
    fn play(&mut self, game: &Game) {{ let _ = game;
{body} }}
}}
player!(Body, \"Body\");
"
    );
    fs::write(&source, text).unwrap();
    compile(&source, &folder.join("player.wasm"))
}

/// A match with the module in some seats and a player of the game in the rest.
fn match_with(module: &PlayerModule, seats: &[usize], rest: &str, seed: i32) -> Match {
    let rest = ants().about().players.iter().find(|player| player.name == rest).unwrap();
    let mut entrants = Vec::new();
    for seat in Seat::ALL {
        let player: Box<dyn ludus_arena::Player> = if seats.contains(&seat.index()) {
            Box::new(module.player(Limits::of(ants().about().cpu), seed, seat))
        } else {
            Box::new(Builtin((rest.new)(seed, seat)))
        };
        entrants.push(Entrant { name: "Player".to_owned(), player });
    }
    Match::new(&*config(), seed, entrants.try_into().ok().unwrap()).unwrap()
}

struct Builtin(Box<dyn ludus_games::game::BuiltinPlayer>);

impl ludus_arena::Player for Builtin {
    fn play(&mut self, turn: ludus_arena::Turn<'_>, orders: &mut ludus_games::Orders) -> Result<(), Fault> {
        self.0.play(turn.state, orders);
        Ok(())
    }
}

/// What becomes of a body alone among players that do nothing, and what it writes.
fn end_of(body: &str) -> (SeatOutcome, String) {
    let module = load(&player(body).unwrap());
    let mut played = match_with(&module, &[1], "Null", 1);
    let outcome = played.play_out().unwrap();
    let mut output = Vec::new();
    played.take_output(Seat::ALL[1], &mut output);
    (outcome.seats[1].clone(), String::from_utf8(output).unwrap())
}

fn check_fault(body: &str, fault: &Fault, output: &str) {
    let (outcome, written) = end_of(body);
    assert_eq!(outcome.fault, Some((0, fault.clone())), "{body}");
    // What comes after it is what its author is told of the end.
    let own = written.split("died in round 0: ").next();
    assert_eq!(own, Some(output), "{body}");
    assert!(written.len() > output.len(), "{body}");
}

#[test]
fn demo_gives_the_orders_of_the_built_in_demo() {
    let demo = example("Demo");
    for seed in SEEDS {
        for seats in [&[0][..], &[1, 3], &[2], &[0, 1, 2, 3]] {
            let mut expected = match_with(&demo, &[], "Demo", seed);
            let mut played = match_with(&demo, seats, "Demo", seed);
            while !expected.is_over() {
                expected.play_round().unwrap();
                played.play_round().unwrap();
                let round = expected.state().round();
                assert_eq!(played.accepted(), expected.accepted(), "seed {seed}, seats {seats:?}, round {round}");
                assert_eq!(played.engine().digest(), expected.engine().digest(), "seed {seed}, round {round}");
            }
            assert!(played.outcome().seats.iter().all(|seat| seat.fault.is_none()));
        }
    }
}

#[test]
fn null_does_nothing_for_next_to_no_fuel() {
    let null = example("Null");
    let introduction = null.introduce().unwrap();
    assert_eq!((introduction.game.as_str(), introduction.name.as_str()), ("ants", "Null"));
    let mut played = match_with(&null, &[0, 1, 2, 3], "Null", 30);
    while !played.is_over() {
        played.play_round().unwrap();
        assert!(played.accepted().iter().all(|orders| orders.is_empty()));
    }
    for seat in played.outcome().seats {
        assert!(seat.fault.is_none() && seat.status.fraction() < 1e-4, "{seat:?}");
    }
}

#[test]
fn a_panic_is_an_abort_with_its_message() {
    let aborted = Fault::Ended("aborted".to_owned());
    check_fault("panic!(\"no {}\", 7)", &aborted, "panicked at Body.rs:6:1:\nno 7\n");
    check_fault(
        "log!(\"{}\", [1, 2, 3][game.random(3, 3) as usize])",
        &aborted,
        "panicked at Body.rs:6:12:\nindex out of bounds: the len is 3 but the index is 3\n",
    );
}

#[test]
fn memory_that_is_not_there_is_a_fault() {
    let small = "let mut all = Vec::new(); loop { all.push(Box::new([game.round(); 30])); }";
    check_fault(small, &Fault::OutOfMemory, "");
    check_fault("log!(\"{}\", vec![1u8; 1 << 30][77]);", &Fault::OutOfMemory, "");
}

#[test]
fn orders_are_counted_and_the_first_counts() {
    check_fault(
        "for id in 0..1001 { game.take(id + 5000); }",
        &Fault::TooManyOrders(ludus_games::orders::TooManyOrders),
        "error: Too many commands.\n",
    );
    let (outcome, output) = end_of("game.take(7); if game.round() == 3 { game.leave(7); }");
    assert_eq!(outcome.fault, None);
    assert_eq!(output, "warning: command already requested for ant 7\n");
    let (outcome, _) = end_of("for id in 0..1000 { game.take(id); }");
    assert_eq!(outcome.fault, None);
}

#[test]
fn questions_about_what_does_not_exist_are_answered_with_none() {
    let (outcome, output) = end_of(
        "for i in [-1, 25, i32::MIN, i32::MAX] {
            assert!(game.cell(Pos::new(i, 3)).is_none());
            assert!(game.cell(Pos::new(3, i)).is_none());
            assert!(game.ant(i.saturating_mul(1000)).is_none());
        }
        log!(\"{} {}\", game.me(), game.ants().all(|ant| game.ant(ant.id) == Some(ant) && game.cell(ant.pos).unwrap().ant == Some(ant.id)));
        if game.round() == 0 { log!(\"{:?}\", game.settings); }",
    );
    assert_eq!(outcome.fault, None);
    assert!(
        output.starts_with(
            "1 true\nSettings { rounds: 250, rows: 25, cols: 25, queen_period: 2, soldier_cost: Nutrients([3, 3, 3])"
        ),
        "{output}"
    );
    assert!(output.contains("worker_life: 75, soldier_life: 150, queen_life: 300 }"), "{output}");
    assert_eq!(output.matches("1 true\n").count(), 250);
}

/// A player may use more stack than the threads of tests have.
fn with_a_large_stack(test: fn()) {
    std::thread::Builder::new().stack_size(16 << 20).spawn(test).unwrap().join().unwrap();
}

#[test]
fn runaway_players_are_stopped() {
    check_fault("loop { game.random(0, 1); }", &Fault::OutOfFuel, "");
    with_a_large_stack(|| {
        let step = "fn deep(n: u64) -> u64 { if n == 0 { 0 } else { 1 + deep(std::hint::black_box(n) - 1) * 3 } }";
        check_fault(&format!("{step} log!(\"{{}}\", deep(1 << 40));"), &Fault::StackOverflow, "");
    });
}

#[test]
fn the_same_source_gives_the_same_bytes_in_any_folder() {
    let source = root().join("content/ants/players/Demo.rs");
    let here = folder();
    let there = here.join("somewhere else/entirely");
    fs::create_dir_all(&there).unwrap();
    let copy = there.join("Demo.rs");
    fs::copy(&source, &copy).unwrap();
    let first = compile(&source, &here.join("one.wasm")).unwrap();
    let second = compile(&copy, &there.join("two.wasm")).unwrap();
    assert!(first == second, "the folder of a source is in its module");
    let text = String::from_utf8_lossy(&first);
    for path in
        [&*root().canonicalize().unwrap().to_string_lossy(), env!("CARGO_TARGET_TMPDIR"), "/root", "/home", "/usr"]
    {
        assert!(!text.contains(path), "{path} is in the module");
    }
}

#[test]
fn a_bad_name_does_not_compile() {
    let folder = folder();
    let source = folder.join("Long.rs");
    let null = fs::read_to_string(root().join("content/ants/players/Null.rs")).unwrap();
    fs::write(&source, null.replace("\"Null\"", "\"ThirteenBytes\"")).unwrap();
    let messages = compile(&source, &folder.join("player.wasm")).unwrap_err();
    assert!(messages.contains("a player's name is longer than its game allows"), "{messages}");
    assert!(messages.contains(&*source.to_string_lossy()), "messages name the file as it was given: {messages}");
    let null = fs::read_to_string(root().join("content/requiem/players/Null.rs")).unwrap();
    let named = |length: usize| null.replace("\"Null\"", &format!("{:?}", "N".repeat(length)));
    fs::write(&source, named(40)).unwrap();
    compile(&source, &folder.join("player.wasm")).unwrap();
    fs::write(&source, named(41)).unwrap();
    compile(&source, &folder.join("player.wasm")).unwrap_err();
}

#[test]
fn unstable_rust_does_not_compile() {
    let messages = player("} #[allow(dead_code)] fn more() { let _ = core::intrinsics::black_box(1);").unwrap_err();
    assert!(messages.contains("unstable") || messages.contains("E0658"), "{messages}");
}
