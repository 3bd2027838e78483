//! Modules that mean harm to the compiler or to the host, whatever compiler
//! made them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::crafted::{body, branch_tables, copies, deep_loops, loops, many_ifs, module, nested_ifs};
use ludus_arena::{Entrant, Fault, Match, Outcome};
use ludus_games::Seat;
use ludus_sandbox::{CAPS, Limits, PlayerModule, Refused, Sizes};
use sha2::{Digest as _, Sha256};

use crate::hostile::{MEMORY, crafted};
use crate::{against_demo, ants, forgotten, sandbox, short_ants};

/// The module must be refused for what it has too much of.
fn check_cap(name: &str, wasm: &[u8], what: &str) {
    let cap = CAPS.into_iter().find(|cap| cap.what == what).unwrap();
    match sandbox().load(wasm) {
        Err(Refused::Cap(passed)) => {
            assert_eq!(passed.cap, cap, "{name}");
            assert!(passed.has > cap.most, "{name}");
            let message = Refused::Cap(passed).to_string();
            assert!(message.contains(&format!("{} {what}", passed.has)), "{name}: {message}");
            assert!(message.contains(&cap.most.to_string()), "{name}: {message}");
        }
        Err(refused) => panic!("{name}: {refused}"),
        Ok(_) => panic!("{name} was accepted"),
    }
}

fn text(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap()
}

fn many(count: usize, part: impl Fn(usize) -> String) -> Vec<u8> {
    text(&format!("(module {})", (0..count).map(part).collect::<String>()))
}

#[test]
fn every_cap_refuses_and_says_so() {
    let wide = |count: usize| vec!["i32"; count].join(" ");
    check_cap("a large module", &vec![0; (8 << 20) + 1], "bytes");
    check_cap("much code", &copies(45, 1, &many_ifs(3_900)), "bytes of code");
    check_cap("types", &many(1_001, |k| format!("(type (func (param {})))", wide(k % 60))), "types");
    check_cap("a wide type", &many(1, |_| format!("(func (param {}))", wide(65))), "parameters in one type");
    check_cap("many results", &many(1, |_| format!("(type (func (result {})))", wide(9))), "results in one type");
    check_cap("imports", &many(101, |_| "(import \"ludus\" \"fault\" (func (param i32)))".to_owned()), "imports");
    check_cap("functions", &copies(20_001, 0, &[]), "functions");
    check_cap("tables", &many(2, |_| "(table 1 funcref)".to_owned()), "tables");
    check_cap("a large table", &many(1, |_| "(table 20001 funcref)".to_owned()), "elements in a table");
    check_cap("memories", &many(2, |_| "(memory 1)".to_owned()), "memories");
    check_cap("variables", &many(1_001, |_| "(global i32 (i32.const 0))".to_owned()), "variables");
    check_cap("exports", &many(1_001, |k| format!("(func (export \"f{k}\"))")), "exports");
    let table = "(table 9 funcref) (func $f)";
    check_cap(
        "lists of elements",
        &many(1_002, |k| if k == 0 { table.to_owned() } else { "(elem func $f)".to_owned() }),
        "lists of elements",
    );
    check_cap(
        "long lists of elements",
        &many(2, |k| if k == 0 { table.to_owned() } else { format!("(elem func {})", "$f ".repeat(20_001)) }),
        "elements in lists",
    );
    check_cap(
        "pieces of data",
        &many(1_002, |k| if k == 0 { "(memory 1)".to_owned() } else { "(data \"x\")".to_owned() }),
        "pieces of data",
    );
    check_cap("other sections", &many(101, |k| format!("(@custom \"{k}\" \"\")")), "sections for other uses");
    check_cap("a giant function", &copies(1, 0, &[0x41, 0, 0x1a].repeat(50_000)), "bytes of code in one function");
    check_cap("locals", &copies(1, 2_001, &[]), "locals in one function");
    check_cap("more locals than numbers", &copies(1, u32::MAX, &[]), "locals in one function");
    check_cap("blocks", &copies(1, 1, &many_ifs(4_001)), "blocks in one function");
    check_cap("nested ifs", &copies(1, 1, &nested_ifs(501)), "blocks within each other");
    check_cap("nested loops", &copies(1, 1, &deep_loops(1, 3_000)), "blocks within each other");
    check_cap(
        "a large table of branches",
        &copies(1, 1, &branch_tables(1, 10_001, 9)),
        "targets of branches in one function",
    );
    check_cap(
        "locals in loops",
        &copies(10, 1_000, &loops(1_000, 601)),
        "locals times blocks and loops times loops, added up over functions",
    );
}

/// 436 bytes that kept every worker busy.
#[test]
fn a_small_module_of_nested_ifs() {
    let wasm = copies(1, 1, &[[0x04, 0x40].repeat(200), vec![0x0b; 200]].concat());
    assert!(wasm.len() < 700, "{}", wasm.len());
    // It is not even valid, and within the caps, so that the answer comes at once.
    assert!(matches!(sandbox().load(&wasm), Err(Refused::Invalid(_))));
}

#[test]
fn caps_are_counted_in_modules_that_make_no_sense() {
    for wasm in [&b""[..], b"\0asm", b"\0asm\x01\0\0\0\x0a\xff\xff\xff\xff\x0f", b"\0asm\x01\0\0\0\x0a\x02\x01\x00"] {
        assert!(matches!(sandbox().load(wasm), Err(Refused::Invalid(_))), "{wasm:?}");
    }
    // A list that claims to be long is not believed.
    let claimed =
        [b"\0asm\x01\0\0\0\x09\x06".to_vec(), crate::crafted::number(1), vec![3, 0], crate::crafted::number(20_000)]
            .concat();
    assert!(matches!(sandbox().load(&claimed), Err(Refused::Invalid(_) | Refused::Cap(_))));
    let ordinary = Sizes::of(&module(&[body(3, &nested_ifs(7))], 5)).unwrap().unwrap();
    let has = |what: &str| ordinary.0[CAPS.iter().position(|cap| cap.what == what).unwrap()];
    assert_eq!((has("functions"), has("locals in one function"), has("blocks within each other")), (2, 3, 7));
    assert_eq!((has("parameters in one type"), has("blocks in one function"), has("memories")), (5, 7, 1));
}

/// A player in the text format, with some functions of its own.
fn player(functions: &str) -> Vec<u8> {
    let abi = "(func (export \"ludus_abi\") (result i32) i32.const 2)";
    let abi = if functions.contains("\"ludus_abi\"") { "" } else { abi };
    crafted(MEMORY, &format!("{functions} {abi}"))
}

fn limits() -> Limits {
    let game = ludus_games::find("ants").unwrap();
    Limits { fuel: 100_000_000, ..Limits::of(game.about().cpu) }
}

fn play(module: &PlayerModule) -> Outcome {
    against_demo(ants(), &*short_ants(20), 5, 1, module, &limits()).play_out().unwrap()
}

#[test]
fn loops_and_recursion_wherever_the_host_calls() {
    let endless = "(loop br 0)";
    let deep = "(call $deep (i32.const 1)) drop";
    let recursion = "(func $deep (param i32) (result i32) (i32.add (call $deep (local.get 0)) (i32.const 1)))";
    for (work, fault) in [(endless, Fault::OutOfFuel), (deep, Fault::StackOverflow)] {
        for function in [
            format!("(func $s {work}) (start $s)"),
            format!("(func (export \"_initialize\") {work})"),
            format!("(func (export \"ludus_room\") (param i32) (result i32) {work} i32.const 1024)"),
            format!("(func (export \"ludus_start\") (param i32 i32 i32) {work})"),
            format!("(func (export \"ludus_play\") (param i32) (result i32) {work} i32.const 64)"),
        ] {
            let module = sandbox().load(&player(&format!("{recursion} {function}"))).unwrap();
            assert_eq!(play(&module).seats[1].fault, Some((0, fault.clone())), "{function}");
        }
        for name in ["ludus_abi", "ludus_game", "ludus_name"] {
            let function = format!("{recursion} (func (export \"{name}\") (result i32) {work} i32.const 1)");
            let introduction = sandbox().load(&player(&function)).unwrap().introduce();
            assert!(matches!(introduction, Err(Refused::Silent(_))), "{function}: {introduction:?}");
        }
    }
}

/// Calls that used to be free, or nearly: with the fuel for them, nobody gets
/// further than their real cost allows.
#[test]
fn every_import_and_every_page_is_paid_for() {
    let wasi = |name: &str, parameters: &str| {
        format!("(import \"wasi_snapshot_preview1\" \"{name}\" (func $f (param {parameters}) (result i32)))")
    };
    let cases = [
        (wasi("fd_write", "i32 i32 i32 i32"), "(call $f (i32.const 2) (i32.const 0) (i32.const 0) (i32.const 8))", 500),
        (
            wasi("fd_write", "i32 i32 i32 i32"),
            "(call $f (i32.const 2) (i32.const 100000) (i32.const 100) (i32.const 8))",
            2_500,
        ),
        (wasi("fd_write", "i32 i32 i32 i32"), "(call $f (i32.const 7) (i32.const 0) (i32.const 0) (i32.const 8))", 500),
        (wasi("fd_read", "i32 i32 i32 i32"), "(call $f (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 8))", 500),
        (wasi("fd_close", "i32"), "(call $f (i32.const 0))", 500),
        (wasi("fd_seek", "i32 i64 i32 i32"), "(call $f (i32.const 0) (i64.const 0) (i32.const 0) (i32.const 8))", 500),
        (wasi("fd_fdstat_get", "i32 i32"), "(call $f (i32.const 1) (i32.const 8))", 500),
        (wasi("environ_get", "i32 i32"), "(call $f (i32.const 8) (i32.const 8))", 500),
        (wasi("environ_sizes_get", "i32 i32"), "(call $f (i32.const 8) (i32.const 8))", 500),
        (wasi("args_get", "i32 i32"), "(call $f (i32.const 8) (i32.const 8))", 500),
        (wasi("args_sizes_get", "i32 i32"), "(call $f (i32.const 8) (i32.const 8))", 500),
        (wasi("clock_time_get", "i32 i64 i32"), "(call $f (i32.const 0) (i64.const 1) (i32.const 8))", 500),
        (wasi("clock_res_get", "i32 i32"), "(call $f (i32.const 0) (i32.const 8))", 500),
        (wasi("random_get", "i32 i32"), "(call $f (i32.const 100000) (i32.const 100))", 1_500),
        (wasi("sched_yield", ""), "(call $f)", 500),
        (String::new(), "(memory.grow (i32.const 0))", 250),
        (String::new(), "(memory.grow (i32.const 1))", 40_250),
    ];
    let game = ludus_games::find("ants").unwrap();
    let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
    let fuel = |wasm: &[u8]| {
        let module = sandbox().load(wasm).unwrap();
        let entrants = Seat::ALL
            .map(|seat| Entrant { name: "Payer".to_owned(), player: Box::new(module.player(limits(), 5, seat)) });
        let mut played = Match::new(&*config, 5, entrants).unwrap();
        played.play_round().unwrap();
        assert_eq!(played.fault(Seat::ALL[0]), None);
        played.player(Seat::ALL[0]).fuel()
    };
    for (import, call, price) in cases {
        let with = |times: usize| {
            let calls = format!("(drop {call})").repeat(times);
            player(&format!("{import} (func (export \"ludus_play\") (param i32) (result i32) {calls} i32.const 64)"))
        };
        // The call and the constants before it are instructions like others.
        let instructions = call.matches('(').count() as u64;
        let instructions = if call.contains("memory") { instructions - 1 } else { instructions };
        assert_eq!(fuel(&with(3)) - fuel(&with(1)), 2 * (price + instructions), "{call}");
    }
}

/// Found by random modules: the runtime's own check lets this pass, and only
/// its compiler refuses it.
#[test]
fn what_players_may_not_use_gets_to_no_compiler() {
    // (import "" "" with one type and a list of names, which is empty)
    let compact = b"\0asm\x01\0\0\0\x02\x06\x01\0\0\x7e\x7f\0".to_vec();
    assert!(Sizes::of(&compact).is_err());
    assert!(matches!(sandbox().load(&compact), Err(Refused::Invalid(_))));
    // (import "a" "b" (func exact (type 0)))
    let exact = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x02\x07\x01\x01a\x01b\x20\0".to_vec();
    assert!(matches!(sandbox().load(&exact), Err(Refused::Import(name)) if name == "a.b by its exact type"));
}

fn cache(name: &str) -> PathBuf {
    let folder = crate::kept(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// The files with compiled modules, without the key.
fn compiled(cache: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(cache.join("compiled")).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| !file.ends_with("key")).collect()
}

#[test]
fn code_that_was_changed_is_never_run() {
    use std::os::unix::fs::PermissionsExt as _;
    let cache = cache("changed-code");
    let wasm = player("");
    let other = player("(func (export \"another\"))");
    sandbox().load_cached(&wasm, &cache).unwrap();
    let key = cache.join("compiled/key");
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read(&key).unwrap().len(), 32);
    let [file] = &compiled(&cache)[..] else { panic!("{:?}", compiled(&cache)) };
    let good = fs::read(file).unwrap();
    let hash = sandbox().load_cached(&wasm, &cache).unwrap().hash();
    assert_eq!(fs::read(file).unwrap(), good, "it was made again although it was good");

    sandbox().load_cached(&other, &cache).unwrap();
    let foreign = compiled(&cache).into_iter().find(|path| path != file).unwrap();
    let moved = fs::read(foreign).unwrap();
    let mut flipped = good.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    let mut unsealed = good.clone();
    unsealed[..32].fill(0);
    let spoilt: [(&str, Vec<u8>); 6] = [
        ("flipped", flipped),
        ("cut off", good[..good.len() - 7].to_vec()),
        ("longer", [&good[..], &[0; 9]].concat()),
        ("empty", Vec::new()),
        ("another module's", moved),
        ("without its seal", unsealed),
    ];
    for (name, content) in spoilt {
        fs::write(file, &content).unwrap();
        assert_eq!(sandbox().load_cached(&wasm, &cache).unwrap().hash(), hash, "{name}");
        let again = fs::read(file).unwrap();
        assert_ne!(again, content, "{name} was left as it was");
        assert_eq!(again.len(), good.len(), "{name}");
    }

    // With another key nothing is what it was; a key that others may read, or
    // that is no key, is replaced.
    fs::write(&key, [7; 32]).unwrap();
    sandbox().load_cached(&wasm, &cache).unwrap();
    assert_ne!(fs::read(file).unwrap()[..32], good[..32]);
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    sandbox().load_cached(&wasm, &cache).unwrap();
    assert_ne!(fs::read(&key).unwrap(), [7; 32]);
    fs::write(&key, [7; 5]).unwrap();
    sandbox().load_cached(&wasm, &cache).unwrap();
    assert_eq!(fs::read(&key).unwrap().len(), 32);
}

/// Custom sections are not code; everything else is.
#[test]
fn code_is_kept_for_another_module_only_if_it_is_the_same() {
    let cache = cache("same-code");
    let wasm = player("");
    // A custom section of the name `x`, with nothing in it.
    let same = [&wasm[..], &[0, 2, 1, b'x']].concat();
    let other = player("(func (export \"another\"))");
    assert!(matches!(sandbox().keep_same_code(&wasm, &same, &cache), Err(Refused::Trouble(_))), "of nothing");
    let hash = sandbox().load_cached(&wasm, &cache).unwrap().hash();
    sandbox().keep_same_code(&wasm, &same, &cache).unwrap();
    assert!(matches!(sandbox().keep_same_code(&wasm, &other, &cache), Err(Refused::Invalid(_))));
    let same = Sha256::digest(&same).into();
    assert_eq!(sandbox().load_kept(hash, &cache).unwrap().unwrap().hash(), hash);
    assert_eq!(play(&sandbox().load_kept(same, &cache).unwrap().unwrap()).seats[1].fault, None);
    assert!(sandbox().load_kept(Sha256::digest(&other).into(), &cache).is_none());
    assert_eq!(compiled(&cache).len(), 2);
}

#[test]
fn the_cache_of_code_is_thinned_when_some_is_added() {
    let cache = cache("thinned-code");
    sandbox().load_cached(&player(""), &cache).unwrap();
    let old = forgotten(&cache.join("compiled"));
    sandbox().load_cached(&player(""), &cache).unwrap();
    assert!(old.exists(), "reading adds nothing");
    sandbox().load_cached(&player("(func (export \"another\"))"), &cache).unwrap();
    assert!(!old.exists(), "what nobody used for long is still there, although there is too much");
    assert_eq!(compiled(&cache).len(), 2);
}

#[test]
fn a_cache_that_cannot_be_written_is_done_without() {
    let cache = cache("no-cache");
    fs::create_dir_all(cache.parent().unwrap()).unwrap();
    fs::write(&cache, "a file where a folder should be").unwrap();
    sandbox().load_cached(&player(""), &cache).unwrap();
    fs::remove_file(&cache).unwrap();
}

#[test]
fn players_of_the_first_version_still_play() {
    let old = player("(func (export \"ludus_abi\") (result i32) i32.const 1)");
    let module = sandbox().load(&old).unwrap();
    assert_eq!(module.introduce().unwrap().name, "Crafted");
    assert_eq!(play(&module).seats[1].fault, None);
    for version in [0, 3, -1] {
        let wasm = player(&format!("(func (export \"ludus_abi\") (result i32) i32.const {version})"));
        assert!(matches!(sandbox().load(&wasm).unwrap().introduce(), Err(Refused::Version(_))), "{version}");
    }
}
