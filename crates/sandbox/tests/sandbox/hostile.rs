//! Players and sources that mean harm, or are simply broken. Every one ends in
//! a verdict within its limits, and nobody else in the match can tell.

use std::time::{Duration, SystemTime};

use ludus_arena::{Entrant, Fault, Match, Outcome};
use ludus_games::Seat;
use ludus_sandbox::build::{BuildError, Builder, Language};
use ludus_sandbox::{Limits, PlayerModule, Refused};

use crate::{against_demo, ants, builder, forgotten, kept, sandbox, short_ants};

/// Whether a fault or a refusal is the expected one.
type Verdict<'a, T> = &'a dyn Fn(&T) -> bool;

fn compile(source: &str) -> Result<Vec<u8>, BuildError> {
    builder().build("ants", Language::Cpp, source.as_bytes())
}

/// A match of the module in seat 1 against built-in players.
fn play(module: &PlayerModule, rounds: i32, limits: &Limits) -> Outcome {
    against_demo(ants(), &*short_ants(rounds), 5, 1, module, limits).play_out().unwrap()
}

/// The scores of the other seats when seat 1 does nothing at all.
fn scores_of_others(outcome: &Outcome) -> [i64; 3] {
    [0, 2, 3].map(|seat| outcome.seats[seat].score)
}

fn limits() -> Limits {
    let mut limits = Limits::of(ants().about().cpu);
    limits.fuel = 400_000_000;
    limits
}

/// Plays a C++ body of `play()` and checks the fault and the other seats.
fn check_faults(cases: &[(&str, &str)], prelude: &str, expected: &[(&str, Verdict<Fault>)]) {
    // All bodies are in one player; the number of rounds chooses among them.
    let bodies: String =
        cases.iter().enumerate().map(|(k, (_, body))| format!("case {k}: {{ {body} }} break;\n")).collect();
    let source = format!(
        "#include \"Player.hh\"\n#include <csignal>\n#define PLAYER_NAME Hostile\n{prelude}\nstruct PLAYER_NAME : public Player {{\nstatic Player* factory() {{ return new PLAYER_NAME; }}\nvector<vector<int>> hoard;\nint deep(int n) {{ volatile char pad[4096]; pad[0] = n; return n <= 0 ? pad[0] : deep(n - 1) + pad[0] + deep(n - 2); }}\nvoid idle(unsigned n) {{ if (n) idle(n + 2); }}\nint forever(int n) {{ volatile int x = n; return forever(n + 1) + x; }}\nvirtual void play() {{ if (round() < 3) return; switch (num_rounds() - 20) {{\n{bodies} }} }}\n}};\nRegisterPlayer(PLAYER_NAME);\n"
    );
    let module = sandbox().load(&compile(&source).unwrap()).unwrap();
    for (k, ((name, _), (same_name, fault_is))) in cases.iter().zip(expected).enumerate() {
        assert_eq!(name, same_name);
        let rounds = 20 + k as i32;
        let outcome = play(&module, rounds, &limits());
        let (round, fault) = outcome.seats[1].fault.clone().unwrap_or_else(|| panic!("{name}: no fault"));
        assert_eq!(round, 3, "{name}");
        assert!(fault_is(&fault), "{name}: {fault:?}");
        assert!(outcome.seats[1].status.is_frozen(), "{name}");
        let idle = Match::between(
            &*short_ants(rounds),
            5,
            ["Demo", "Null", "Demo", "Demo"]
                .map(|name| ants().about().players.iter().find(|player| player.name == name).unwrap()),
        );
        let idle = idle.unwrap().play_out().unwrap();
        assert_eq!(scores_of_others(&outcome), scores_of_others(&idle), "{name}");
        // The same again, to the last unit of fuel.
        assert_eq!(play(&module, rounds, &limits()), outcome, "{name}");
    }
}

#[test]
fn players_at_fault() {
    let out_of_fuel: Verdict<Fault> = &|fault| *fault == Fault::OutOfFuel;
    let out_of_memory: Verdict<Fault> = &|fault| *fault == Fault::OutOfMemory;
    let trap: Verdict<Fault> = &|fault| matches!(fault, Fault::Trap(_));
    let stack: Verdict<Fault> = &|fault| matches!(fault, Fault::StackOverflow | Fault::Trap(_));
    let endless: Verdict<Fault> = &|fault| matches!(fault, Fault::OutOfFuel | Fault::StackOverflow | Fault::Trap(_));
    let ended: Verdict<Fault> = &|fault| matches!(fault, Fault::Ended(_));
    let too_many: Verdict<Fault> = &|fault| matches!(fault, Fault::TooManyOrders(_));
    let cases: [(&str, &str, Verdict<Fault>); 22] = [
        ("endless loop", "volatile int x = 0; for (;;) x = x + 1;", out_of_fuel),
        ("endless loop that does nothing", "while (true);", out_of_fuel),
        ("endless loop that an optimiser may delete", "for (unsigned k = 1; k != 0; k += 2);", out_of_fuel),
        ("endless search without a trace", "unsigned x = 1, y = 0; while (x != y) x *= 3;", out_of_fuel),
        ("endless recursion that does nothing", "idle(1);", endless),
        ("endless allocation", "for (;;) hoard.push_back(vector<int>(100000));", out_of_memory),
        ("large blocks", "for (;;) { volatile char* p = (char*)malloc(20 << 20); p[5] = 1; }", out_of_memory),
        ("one huge block", "hoard.push_back(vector<int>(random(900000000, 900000000)));", out_of_memory),
        ("endless recursion", "forever(0);", stack),
        ("deep frames", "deep(1000000);", stack),
        ("exit", "exit(0);", ended),
        ("quick exit", "_Exit(3);", ended),
        ("abort", "abort();", ended),
        ("assertion", "assert(1 == 2);", ended),
        ("exception", "throw 3;", ended),
        ("at", "vector<int> v; v.at(3) = 1;", ended),
        ("wild pointer", "*(volatile int*)0x70000000 = 1;", trap),
        ("division by zero", "volatile int zero = 0; volatile int x = 3 / zero;", trap),
        ("bad function pointer", "void (*f)() = (void (*)())12345; f();", trap),
        ("1001 orders", "for (int k = 0; k < 1001; ++k) move(0, Up);", too_many),
        ("endless orders", "for (int k = 0;; ++k) move(k, Up);", too_many),
        ("gigabytes of output", "for (;;) cerr << string(10000, 'x');", out_of_fuel),
    ];
    let sources = cases.map(|(name, body, _)| (name, body));
    let faults = cases.map(|(name, _, fault)| (name, fault));
    check_faults(&sources, "", &faults);
}

#[test]
fn players_at_fault_before_they_play() {
    for (name, attribute, prelude) in [
        ("endless constructor", "int x; PLAYER_NAME() { for (volatile int k = 0;; k = k + 1); }", ""),
        (
            "endless initialiser",
            "",
            "static int endless() { for (volatile int k = 0;; k = k + 1); return 0; } static int never = endless();",
        ),
    ] {
        let source = format!(
            "#include \"Player.hh\"\n#define PLAYER_NAME Hostile\n{prelude}\nstruct PLAYER_NAME : public Player {{\nstatic Player* factory() {{ return new PLAYER_NAME; }}\n{attribute}\n}};\nRegisterPlayer(PLAYER_NAME);\n"
        );
        let module = sandbox().load(&compile(&source).unwrap()).unwrap();
        let outcome = play(&module, 20, &limits());
        assert_eq!(outcome.seats[1].fault, Some((0, Fault::OutOfFuel)), "{name}");
    }
}

#[test]
fn harmless_but_nosy_players() {
    // Everything that could tell one machine or moment from another.
    let source = "#include \"Player.hh\"\n#define PLAYER_NAME Nosy\nstruct PLAYER_NAME : public Player {\nstatic Player* factory() { return new PLAYER_NAME; }\nvirtual void play() {\n  int x; cin >> x; if (cin) move(0, Up);\n  if (getenv(\"HOME\") or getenv(\"PATH\")) move(1, Up);\n  cerr << __DATE__ << ' ' << __TIME__ << ' ' << time(0) << ' ' << clock() << ' ' << rand() << ' ' << (void*)this << endl;\n  cerr << chrono::steady_clock::now().time_since_epoch().count() << endl;\n  cout << \"to nobody\" << endl;\n  random_device chance; cerr << chance() << endl;\n  ifstream secrets(\"/etc/passwd\"); string line; if (getline(secrets, line)) move(2, Up);\n  ofstream kept(\"kept\"); kept << 1;\n  if (fopen(\"/etc/passwd\", \"r\") or fopen(\"kept\", \"w\")) move(3, Up);\n}\n};\nRegisterPlayer(PLAYER_NAME);\n";
    let wasm = compile(source).unwrap();
    let outputs: Vec<Vec<u8>> = (0..2)
        .map(|_| {
            let module = sandbox().load(&wasm).unwrap();
            let entrants = Seat::ALL
                .map(|seat| Entrant { name: "Nosy".to_owned(), player: Box::new(module.player(limits(), 5, seat)) });
            let mut played = Match::new(&*short_ants(30), 5, entrants).unwrap();
            let mut output = Vec::new();
            while !played.is_over() {
                played.play_round().unwrap();
                Seat::ALL.iter().for_each(|&seat| played.take_output(seat, &mut output));
                assert!(played.accepted().iter().all(ludus_games::Orders::is_empty));
            }
            assert!(played.outcome().seats.iter().all(|seat| seat.fault.is_none()), "{:?}", played.outcome());
            output
        })
        .collect();
    assert!(outputs[0] == outputs[1]);
    let text = String::from_utf8_lossy(&outputs[0]).into_owned();
    assert!(text.contains("Jan  1 1970 00:00:00"), "{}", &text[..200]);
    assert!(text.contains("to nobody"));
}

#[test]
fn output_is_kept_up_to_its_limit() {
    let source = "#include \"Player.hh\"\n#define PLAYER_NAME Chatty\nstruct PLAYER_NAME : public Player {\nstatic Player* factory() { return new PLAYER_NAME; }\nvirtual void play() { for (int k = 0; k < 100; ++k) cerr << string(1000, 'x') << '\\n'; }\n};\nRegisterPlayer(PLAYER_NAME);\n";
    let module = sandbox().load(&compile(source).unwrap()).unwrap();
    let mut played = Match::new(
        &*short_ants(30),
        5,
        Seat::ALL.map(|seat| Entrant { name: "Chatty".to_owned(), player: Box::new(module.player(limits(), 5, seat)) }),
    )
    .unwrap();
    let mut output = Vec::new();
    while !played.is_over() {
        played.play_round().unwrap();
        played.take_output(Seat::ALL[2], &mut output);
    }
    assert!(played.outcome().seats.iter().all(|seat| seat.fault.is_none()));
    assert_eq!(output.len(), Limits::OUTPUT);
}

/// The source must be refused, without the word `forbidden` in the messages.
fn check_source(name: &str, source: &str, forbidden: &str) {
    let full = format!(
        "#include \"Player.hh\"\n#define PLAYER_NAME Hostile\n{source}\nstruct PLAYER_NAME : public Player {{\nstatic Player* factory() {{ return new PLAYER_NAME; }}\n}};\nRegisterPlayer(PLAYER_NAME);\n"
    );
    match compile(&full) {
        Err(BuildError::Compiler(messages)) => {
            assert!(messages.len() < 100_000, "{name}: {} bytes of messages", messages.len());
            assert!(forbidden.is_empty() || !messages.contains(forbidden), "{name}: {messages}");
        }
        Err(BuildError::TooSlow(_)) => {}
        Err(error) => panic!("{name}: {error}"),
        Ok(module) => match sandbox().load(&module) {
            Err(_) => {}
            Ok(_) => panic!("{name} was accepted"),
        },
    }
}

fn player_with(code: &str, play: &str) -> String {
    format!(
        "#include \"Player.hh\"\n#define PLAYER_NAME Hostile\n{code}\nstruct PLAYER_NAME : public Player {{\nstatic Player* factory() {{ return new PLAYER_NAME; }}\nvirtual void play() {{ {play} }}\n}};\nRegisterPlayer(PLAYER_NAME);\n"
    )
}

#[test]
fn modules_that_nobody_plays_are_not_kept() {
    let large = "static const char large[9 << 20] = { 1 };\nstatic volatile int at;";
    let source = player_with(large, "cerr << large[at];");
    assert!(matches!(compile(&source), Err(BuildError::LargeModule)));
    assert!(!builder().has("ants", Language::Cpp, source.as_bytes()).unwrap());
}

#[test]
fn all_calls_of_compilers_together_have_a_limit() {
    let source = player_with("// measured anew\n", "");
    let refused = builder().within(Duration::ZERO).build("ants", Language::Cpp, source.as_bytes()).unwrap_err();
    assert!(matches!(refused, BuildError::TooSlow(0)), "{refused}");
    // A loop that the compiler runs through, far longer than it may.
    let endless = "constexpr int twice(int depth) { return depth == 0 ? 1 : twice(depth - 1) + twice(depth - 1); }\n\
        template <int N> struct Chain { static const int value = twice(16) + Chain<N - 1>::value; };\n\
        template <> struct Chain<0> { static const int value = 0; };\n\
        static_assert(Chain<900>::value == 0, \"\");";
    let refused =
        builder().within(Duration::from_secs(2)).build("ants", Language::Cpp, player_with(endless, "").as_bytes());
    assert!(matches!(refused, Err(BuildError::TooSlow(2))), "{refused:?}");
    // A source that fails is tried under other standards, but not after the
    // first attempt has used up what there was for all of them.
    let wrong = player_with("// tried again and again\nint wrong = nothing_of_this_name;", "");
    assert!(matches!(compile(&wrong), Err(BuildError::Compiler(_))));
    let refused = builder().within(Duration::from_millis(1)).build("ants", Language::Cpp, wrong.as_bytes());
    assert!(matches!(refused, Err(BuildError::TooSlow(0))), "{refused:?}");
}

#[test]
fn the_cache_of_players_is_thinned_when_one_is_added() {
    // A number, so that the source is compiled whatever the cache holds.
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos();
    compile(&player_with(&format!("// {now}\n"), "")).unwrap();
    let old = forgotten(&kept("players-cache").join("players"));
    compile(&player_with(&format!("// {now} once more\n"), "")).unwrap();
    assert!(!old.exists(), "what nobody used for long is still there, although there is too much");
}

#[test]
fn hostile_sources() {
    check_source("a secret file", "#include \"/etc/passwd\"", "root:");
    check_source("another secret file", "#include \"/etc/shadow\"", "root:");
    check_source("assembler", "asm(\".incbin \\\"/etc/passwd\\\"\");", "root:");
    check_source("itself", "#include __FILE__\n#include \"player.cc\"", "");
    check_source(
        "templates",
        "template <int N> struct Deep { static const int value = Deep<N + 1>::value + Deep<N + 2>::value; }; int x = Deep<0>::value;",
        "",
    );
    check_source(
        "constant expressions",
        "constexpr int endless(int n) { int s = 0; for (long long k = 0; k < 1000000000000; ++k) s += k; return s; } constexpr int x = endless(3);",
        "",
    );
    check_source("a huge array", "char huge[3000000000u]; int use(int k) { return huge[k]; }", "");
    check_source("a huge table", "int table[60000000] = {1, 2, 3};", "");
    check_source(
        "macros",
        "#define A x x x x x x x x x x x x x x x x\n#define B A A A A A A A A A A A A A A A A\n#define C B B B B B B B B B B B B B B B B\n#define D C C C C C C C C C C C C C C C C\n#define E D D D D D D D D D D D D D D D D\n#define F E E E E E E E E E E E E E E E E\nF F F F F F F F",
        "",
    );
    check_source("errors", &"what is this\n".repeat(20_000), "");
    check_source("threads", "#include <thread>\nstatic std::thread worker([] {});", "");
    check_source("sockets", "#include <sys/socket.h>\nstatic int s = socket(AF_INET, SOCK_STREAM, 0);", "");
    check_source("processes", "#include <unistd.h>\nstatic int child = fork();", "");
    check_source("shells", "static int done = system(\"id\");", "");
}

#[test]
fn sources_that_are_no_players() {
    for (name, source) in [
        ("empty", ""),
        ("no player", "#include \"Player.hh\"\nint x;\n"),
        ("text", "This is my homework.\n"),
        ("binary", "\0\u{1}\u{2}"),
    ] {
        match compile(source) {
            Err(BuildError::Compiler(_)) => {}
            Err(error) => panic!("{name}: {error}"),
            Ok(wasm) => {
                let introduction = sandbox().load(&wasm).unwrap().introduce().unwrap();
                assert_eq!(introduction.name, "", "{name}");
            }
        }
    }
    let large = vec![b' '; ludus_sandbox::build::LARGEST_SOURCE + 1];
    assert!(matches!(builder().build("ants", Language::Cpp, &large), Err(BuildError::TooLarge)));
}

/// A module in the text format, with the pieces that a player needs unless
/// they are replaced.
pub fn crafted(memory: &str, functions: &str) -> Vec<u8> {
    let defaults = [
        ("ludus_abi", "(func (export \"ludus_abi\") (result i32) i32.const 1)"),
        ("ludus_game", "(func (export \"ludus_game\") (result i32) i32.const 16)"),
        ("ludus_name", "(func (export \"ludus_name\") (result i32) i32.const 32)"),
        ("ludus_room", "(func (export \"ludus_room\") (param i32) (result i32) i32.const 1024)"),
        ("ludus_start", "(func (export \"ludus_start\") (param i32 i32 i32))"),
        ("ludus_play", "(func (export \"ludus_play\") (param i32) (result i32) i32.const 64)"),
    ];
    let rest: String = defaults
        .iter()
        .filter(|(name, _)| !functions.contains(&format!("\"{name}\"")))
        .map(|(_, text)| *text)
        .collect();
    // Imports come first in a module.
    wat::parse_str(format!(
        "(module {functions} {memory} (data (i32.const 16) \"ants\\00\") (data (i32.const 32) \"Crafted\\00\") {rest})"
    ))
    .unwrap()
}

pub const MEMORY: &str = "(memory (export \"memory\") 2)";

#[test]
fn crafted_modules_that_are_refused() {
    let invalid: Verdict<Refused> = &|refused| matches!(refused, Refused::Invalid(_));
    // The count of fuel would be the first variable of this module, had it any.
    let fuel = crafted(MEMORY, "(global $g (mut i64) (i64.const 0)) (func (global.set $g (i64.const -9)))");
    let mut fuel_by_number = fuel.clone();
    let globals = fuel.windows(2).position(|bytes| bytes == [6, 6]).unwrap();
    fuel_by_number.drain(globals..globals + 8);
    let cases: [(&str, Vec<u8>, Verdict<Refused>); 13] = [
        ("fuel by its name", crafted(MEMORY, "(global (export \"ludus: fuel\") (mut i64) (i64.const 0))"), invalid),
        ("fuel by its number", fuel_by_number, invalid),
        ("nothing", Vec::new(), invalid),
        ("rubbish", b"not wasm".to_vec(), invalid),
        ("no exports", wat::parse_str("(module)").unwrap(), &|refused| matches!(refused, Refused::Export(_))),
        (
            "a file import",
            crafted(MEMORY, "(import \"wasi_snapshot_preview1\" \"path_open\" (func (param i32)))"),
            &|refused| matches!(refused, Refused::Import(_)),
        ),
        ("an unknown import", crafted(MEMORY, "(import \"env\" \"x\" (func))"), &|refused| {
            matches!(refused, Refused::Import(_))
        }),
        ("an imported memory", crafted("", "(import \"ludus\" \"memory\" (memory 1))"), &|refused| {
            matches!(refused, Refused::Import(_))
        }),
        (
            "a known import of another type",
            crafted(MEMORY, "(import \"ludus\" \"fault\" (func (param i64)))"),
            &|refused| matches!(refused, Refused::Invalid(_)),
        ),
        ("4 GiB of memory", crafted("(memory (export \"memory\") 65536)", ""), &|refused| {
            matches!(refused, Refused::Memory(_) | Refused::Invalid(_))
        }),
        ("a 64-bit memory", wat::parse_str("(module (memory (export \"memory\") i64 1))").unwrap(), invalid),
        ("a shared memory", wat::parse_str("(module (memory (export \"memory\") 1 1 shared))").unwrap(), invalid),
        ("too large", vec![0; (8 << 20) + 1], &|refused| matches!(refused, Refused::Cap(_))),
    ];
    for (name, wasm, expected) in cases {
        match sandbox().load(&wasm) {
            Ok(_) => panic!("{name} was accepted"),
            Err(refused) => assert!(expected(&refused), "{name}: {refused:?}"),
        }
    }
}

#[test]
fn crafted_modules_that_do_not_introduce_themselves() {
    let version = crafted(MEMORY, "(func (export \"ludus_abi\") (result i32) i32.const 3)");
    assert!(matches!(sandbox().load(&version).unwrap().introduce(), Err(Refused::Version(3))));
    for (name, function) in [
        ("a name outside the memory", "(func (export \"ludus_name\") (result i32) i32.const -1)"),
        ("a name without end", "(func (export \"ludus_name\") (result i32) i32.const 131000)"),
        ("a trap", "(func (export \"ludus_abi\") (result i32) unreachable)"),
        ("an endless answer", "(func (export \"ludus_abi\") (result i32) (loop br 0) i32.const 1)"),
        ("another type", "(func (export \"ludus_abi\") (result i64) i64.const 1)"),
        ("an endless start", "(func $s (loop br 0)) (start $s)"),
    ] {
        // A name may run up to the end of a memory full of zeros, and is then empty.
        match sandbox().load(&crafted(MEMORY, function)).unwrap().introduce() {
            Err(Refused::Silent(_)) => {}
            Ok(introduction) => assert_eq!(introduction.name, "", "{name}"),
            Err(refused) => panic!("{name}: {refused:?}"),
        }
    }
}

#[test]
fn crafted_modules_in_a_match() {
    let play_at =
        |address: &str| format!("(func (export \"ludus_play\") (param i32) (result i32) i32.const {address})");
    let data = |words: &str| format!("(data (i32.const 64) \"{words}\") {}", play_at("64"));
    for (name, functions, expected) in [
        ("orders outside the memory", play_at("-4"), "orders are outside"),
        ("orders at the very end", play_at("131070"), "orders are outside"),
        ("a negative number of orders", data("\\ff\\ff\\ff\\ff"), "negative number"),
        ("more orders than the memory", data("\\e8\\03\\00\\00\\ff\\ff\\00\\00"), "outside the memory"),
        ("an endless order", data("\\01\\00\\00\\00\\ff\\ff\\ff\\7f"), "too many words"),
        ("a room outside the memory", "(func (export \"ludus_room\") (param i32) (result i32) i32.const 131000)".to_owned(), "the room for the state"),
        ("a room of another type", "(func (export \"ludus_room\") (result i32) i32.const 1)".to_owned(), "type"),
        ("filling for ever", "(func (export \"ludus_play\") (param i32) (result i32) (loop (memory.fill (i32.const 0) (i32.const 7) (i32.const 131072)) br 0) i32.const 64)".to_owned(), "CPU"),
        ("an endless beginning", "(func $s (loop br 0)) (start $s)".to_owned(), "CPU"),
        ("growing for ever", "(func (export \"ludus_play\") (param i32) (result i32) (loop (drop (memory.grow (i32.const 1000))) br 0) i32.const 64)".to_owned(), "memory"),
    ] {
        let module = sandbox().load(&crafted(MEMORY, &functions)).unwrap();
        let outcome = play(&module, 20, &limits());
        let (_, fault) = outcome.seats[1].fault.clone().unwrap_or_else(|| panic!("{name}: no fault"));
        assert!(fault.to_string().contains(expected), "{name}: {fault}");
    }
    let well_behaved = sandbox().load(&crafted(MEMORY, "")).unwrap();
    assert_eq!(play(&well_behaved, 20, &limits()).seats[1].fault, None);
}

#[test]
fn hundreds_of_exports() {
    let many: String = (0..900).map(|k| format!("(func (export \"f{k}\"))")).collect();
    let module = sandbox().load(&crafted(MEMORY, &many)).unwrap();
    assert_eq!(play(&module, 20, &limits()).seats[1].fault, None);
}

#[test]
fn nothing_is_left_behind() {
    let folder = kept("left-behind");
    let builder = Builder::jailed(folder.clone()).unwrap();
    for source in ["int x", "#include \"Player.hh\"\nint y;\n"] {
        // Whether it compiles does not matter here.
        let _ = builder.build("ants", Language::Cpp, source.as_bytes());
    }
    let left = std::fs::read_dir(&folder)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("work-"))
        .count();
    assert_eq!(left, 0);
}
