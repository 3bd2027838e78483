//! Nobody touches the first page of a guarded module's memory: not the module,
//! not the runtime for it, and not the host, which would die of it.

use ludus_arena::{Entrant, Fault, Match, Outcome, builtin};
use ludus_games::Seat;
use ludus_sandbox::{Limits, PlayerModule, Refused};

use crate::{against_demo, ants, sandbox, short_ants};

/// A player that exports what guards it, and keeps all that it has beyond its
/// first page.
fn guarded(functions: &str) -> Vec<u8> {
    module(&format!("{functions} (func (export \"ludus_guard\"))"))
}

fn module(functions: &str) -> Vec<u8> {
    let defaults = [
        ("ludus_name", "(func (export \"ludus_name\") (result i32) i32.const 65568)"),
        ("ludus_room", "(func (export \"ludus_room\") (param i32) (result i32) i32.const 66560)"),
        ("ludus_start", "(func (export \"ludus_start\") (param i32 i32 i32))"),
        ("ludus_play", "(func (export \"ludus_play\") (param i32) (result i32) i32.const 65600)"),
        ("\"memory\"", "(memory (export \"memory\") 3)"),
    ];
    let missing = defaults.iter().filter(|(name, _)| !functions.contains(name));
    let rest: String = missing.map(|(_, text)| *text).collect();
    let text = format!(
        "(module {functions} {rest} (data (i32.const 65552) \"ants\\00\") (data (i32.const 65568) \"Guarded\\00\")
          (func (export \"ludus_abi\") (result i32) i32.const 2)
          (func (export \"ludus_game\") (result i32) i32.const 65552))"
    );
    wat::parse_str(text).unwrap()
}

fn play(module: &PlayerModule) -> Outcome {
    let limits = Limits { fuel: 100_000_000, ..Limits::of(ants().about().cpu) };
    against_demo(ants(), &*short_ants(20), 5, 1, module, &limits).play_out().unwrap()
}

/// The fault of a player that does this in every round.
fn fault(imports: &str, work: &str) -> Option<Fault> {
    let play_it =
        format!("{imports} (func (export \"ludus_play\") (param $n i32) (result i32) {work} i32.const 65600)");
    play(&sandbox().load(&guarded(&play_it)).unwrap()).seats[1].fault.clone().map(|(_, fault)| fault)
}

#[test]
fn whatever_touches_the_first_page_is_stopped() {
    // What is not known before is (local.get $n) less itself.
    let zero = "(i32.sub (local.get $n) (local.get $n))";
    for work in [
        "(i32.store (i32.const 0) (i32.const 1))",
        "(i32.store8 (i32.const 65535) (i32.const 1))",
        "(i64.store offset=65528 (i32.const 0) (i64.const 0))",
        "(drop (i32.load (i32.const 4)))",
        "(drop (i32.load8_u (i32.const 4096)))",
        "(drop (v128.load (i32.const 65520)))",
        "(v128.store (i32.const 16) (v128.const i64x2 1 1))",
        "(f64.store (i32.const 8) (f64.const 1))",
        "(drop (i32.load align=1 (i32.const 65533)))",
        "(memory.fill (i32.const 0) (i32.const 0) (i32.const 8))",
        "(memory.fill (i32.const 65535) (i32.const 0) (i32.const 100000))",
        "(memory.copy (i32.const 0) (i32.const 66000) (i32.const 16))",
        "(memory.copy (i32.const 66000) (i32.const 8) (i32.const 16))",
        "(memory.copy (i32.const 66000) (i32.const 0) (i32.const 1000))",
        "(memory.copy (i32.const 66000) (i32.const 0) (local.get $n))",
        "(memory.fill (i32.const 100) (i32.const 0) (local.get $n))",
        "(memory.init $words (i32.const 0) (i32.const 0) (i32.const 4))",
    ] {
        for work in [work.to_owned(), work.replacen("(i32.const 0)", zero, 1)] {
            let found = fault("(data $words \"words\")", &work);
            assert!(matches!(found, Some(Fault::Trap(_))), "{work}: {found:?}");
        }
    }
}

#[test]
fn the_host_does_not_go_there_for_a_module() {
    let wasi = |name: &str, parameters: &str| {
        format!("(import \"wasi_snapshot_preview1\" \"{name}\" (func $f (param {parameters}) (result i32)))")
    };
    let draw = "(import \"ludus\" \"draw\" (func $f (param i32 i32 i32 i32 i32 i32 i32 i32)))";
    const WHERE: [&str; 2] = ["outside the memory", "through a null pointer"];
    let list = "(i32.store (i32.const 66000) (i32.const 8)) (i32.store (i32.const 66004) (i32.const 8))";
    for (import, work) in [
        (
            wasi("fd_write", "i32 i32 i32 i32"),
            "(drop (call $f (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 66100)))",
        ),
        (
            wasi("fd_write", "i32 i32 i32 i32"),
            "LIST (drop (call $f (i32.const 1) (i32.const 66000) (i32.const 1) (i32.const 66100)))",
        ),
        (
            wasi("fd_write", "i32 i32 i32 i32"),
            "(drop (call $f (i32.const 1) (i32.const 66200) (i32.const 1) (i32.const 0)))",
        ),
        (
            wasi("fd_read", "i32 i32 i32 i32"),
            "(drop (call $f (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 0)))",
        ),
        (wasi("fd_fdstat_get", "i32 i32"), "(drop (call $f (i32.const 1) (i32.const 0)))"),
        (wasi("environ_sizes_get", "i32 i32"), "(drop (call $f (i32.const 66000) (i32.const 0)))"),
        (wasi("args_sizes_get", "i32 i32"), "(drop (call $f (i32.const 0) (i32.const 66000)))"),
        (wasi("clock_time_get", "i32 i64 i32"), "(drop (call $f (i32.const 0) (i64.const 0) (i32.const 0)))"),
        (wasi("clock_res_get", "i32 i32"), "(drop (call $f (i32.const 0) (i32.const 0)))"),
        (wasi("random_get", "i32 i32"), "(drop (call $f (i32.const 0) (i32.const 8)))"),
    ] {
        let found = fault(&import, &work.replace("LIST", list));
        let is_told = matches!(&found, Some(Fault::Trap(why)) if WHERE.iter().any(|words| why.contains(words)));
        assert!(is_told, "{import} {work}: {found:?}");
    }
    // Nobody looks at drawings here, and of a text without bytes nobody reads any.
    let work = "(call $f (i32.const 3) (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))";
    assert_eq!(fault(draw, work), None);
    for (functions, expected) in [
        ("(func (export \"ludus_play\") (param i32) (result i32) i32.const 0)", "the orders are outside"),
        ("(func (export \"ludus_room\") (param i32) (result i32) i32.const 0)", "the room for the state"),
    ] {
        let outcome = play(&sandbox().load(&guarded(functions)).unwrap());
        let (_, fault) = outcome.seats[1].fault.clone().unwrap();
        assert!(fault.to_string().contains(expected), "{functions}: {fault}");
    }
    let nameless = guarded("(func (export \"ludus_name\") (result i32) i32.const 0)");
    assert!(matches!(sandbox().load(&nameless).unwrap().introduce(), Err(Refused::Silent(_))));
}

#[test]
fn drawings_with_a_text_from_nowhere() {
    let draw = "(import \"ludus\" \"draw\" (func $f (param i32 i32 i32 i32 i32 i32 i32 i32)))";
    let work = "(call $f (i32.const 3) (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 4))";
    let text = format!("{draw} (func (export \"ludus_play\") (param i32) (result i32) {work} i32.const 65600)");
    let module = sandbox().load(&guarded(&text)).unwrap();
    let limits = Limits { fuel: 100_000_000, ..Limits::of(ants().about().cpu) };
    let null = ants().about().player("Null").unwrap();
    let entrants = Seat::ALL.map(|seat| match seat.index() {
        0 => Entrant { name: "Draws".to_owned(), player: Box::new(module.player(limits.clone(), 1, seat).watched()) },
        _ => Entrant { name: "Null".to_owned(), player: builtin(null, 1, seat) },
    });
    let outcome = Match::new(&*short_ants(20), 1, entrants).unwrap().play_out().unwrap();
    assert!(matches!(outcome.seats[0].fault, Some((0, Fault::Trap(_)))));
}

#[test]
fn what_touches_nothing_there_goes_on() {
    for work in [
        "(i32.store (i32.const 65536) (i32.const 0))",
        "(memory.fill (i32.const 0) (i32.const 0) (i32.const 0))",
        "(memory.copy (i32.const 0) (i32.const 0) (i32.sub (local.get $n) (local.get $n)))",
        "(memory.copy (i32.const 66000) (i32.const 66100) (i32.const 64))",
        "(drop (memory.grow (i32.const 1)))",
    ] {
        assert_eq!(fault("", work), None, "{work}");
    }
    let good = sandbox().load(&guarded("")).unwrap();
    assert_eq!(good.introduce().unwrap().name, "Guarded");
}

#[test]
fn modules_that_do_not_ask_for_it_may_use_their_first_page() {
    let work = "(i32.store (i32.const 0) (i32.const 1)) (memory.fill (i32.const 8) (i32.const 1) (i32.const 8))";
    let text = format!("(func (export \"ludus_play\") (param i32) (result i32) {work} i32.const 65600)");
    assert_eq!(play(&sandbox().load(&module(&text)).unwrap()).seats[1].fault, None);
}

#[test]
fn what_is_guarded_has_a_page() {
    let refused = sandbox().load(&wat::parse_str(
        "(module (memory (export \"memory\") 0) (func (export \"ludus_guard\"))
          (func (export \"ludus_abi\") (result i32) i32.const 2) (func (export \"ludus_game\") (result i32) i32.const 2)
          (func (export \"ludus_name\") (result i32) i32.const 2) (func (export \"ludus_room\") (param i32) (result i32) i32.const 2)
          (func (export \"ludus_start\") (param i32 i32 i32)) (func (export \"ludus_play\") (param i32) (result i32) i32.const 2))",
    )
    .unwrap());
    assert!(matches!(refused, Err(Refused::NoPage)));
}

/// The pages that were guarded come back, whoever had them before and however
/// that ended.
#[test]
fn memories_are_used_again() {
    let bad = guarded(
        "(func (export \"ludus_play\") (param i32) (result i32) (i32.store (i32.const 0) (i32.const 1)) i32.const 65600)",
    );
    let born_dead = guarded("(func (export \"_initialize\") (drop (i32.load (i32.const 0))))");
    let old = "(func (export \"ludus_play\") (param i32) (result i32) (if (i32.load (i32.const 12)) (then unreachable)) (i32.store (i32.const 8) (i32.const 1)) i32.const 65600)";
    let (bad, born_dead) = (sandbox().load(&bad).unwrap(), sandbox().load(&born_dead).unwrap());
    let old = sandbox().load(&module(old)).unwrap();
    for _ in 0..100 {
        assert!(play(&bad).seats[1].fault.is_some());
        assert!(matches!(born_dead.introduce(), Err(Refused::Silent(_))));
        assert_eq!(play(&born_dead).seats[1].fault.as_ref().unwrap().0, 0);
        assert_eq!(play(&old).seats[1].fault, None);
    }
    let seats = play(&bad).seats;
    assert_eq!(seats.iter().filter(|seat| seat.fault.is_some()).count(), 1, "{:?}", Seat::ALL);
}
