//! What players can make the host do: `cargo bench -p ludus-sandbox --bench prices`.
//!
//! Printed are, for every import and for programs that mean harm, the seconds
//! of CPU that the fuel of one second buys; then what the largest examples have
//! of everything that is capped, and what it takes to translate the worst
//! modules within the caps. No import may cost more than 8 s.
#![allow(unsafe_code)]

#[path = "../tests/sandbox/crafted.rs"]
mod crafted;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use ludus_arena::{Fault, Match, Player, Turn, Views};
use ludus_games::{Orders, Seat};
use ludus_sandbox::build::{Builder, Language};
use ludus_sandbox::{CAPS, FUEL_PER_SECOND, Limits, Sandbox, Sizes, TRANSLATE, translate};

/// The fuel of each program.
const FUEL: u64 = 400_000_000;
/// What no import may cost.
const MOST: f64 = 8.0;

const WASI: &str = "wasi_snapshot_preview1";
/// What a player calls to draw, and how often it is free in a round.
const DRAW: &str = "(import \"ludus\" \"draw\" (func $f (param i32 i32 i32 i32 i32 i32 i32 i32)))";
const DRAW_ONCE: &str = "(call $f (i32.const 0) (i32.const 255) (i32.const 1) (i32.const 2) (i32.const 3) (i32.const 4) (i32.const 1024) (i32.const 80))";

/// Imports: name, parameters, and code that calls it once. `fault` and
/// `proc_exit` are missing, because whoever calls them plays no more.
const IMPORTS: [(&str, &str, &str); 17] = [
    ("fd_write", "i32 i32 i32 i32", "(call $f (i32.const 2) (i32.const 0) (i32.const 0) (i32.const 512))"),
    ("fd_write", "i32 i32 i32 i32", "(call $f (i32.const 2) (i32.const 70000) (i32.const 7000) (i32.const 512))"),
    ("fd_write", "i32 i32 i32 i32", "(call $f (i32.const 2) (i32.const 65536) (i32.const 1) (i32.const 512))"),
    ("fd_write", "i32 i32 i32 i32", "(call $f (i32.const 9) (i32.const 0) (i32.const 0) (i32.const 512))"),
    ("fd_read", "i32 i32 i32 i32", "(call $f (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 512))"),
    ("fd_close", "i32", "(call $f (i32.const 0))"),
    ("fd_seek", "i32 i64 i32 i32", "(call $f (i32.const 0) (i64.const 0) (i32.const 0) (i32.const 512))"),
    ("fd_fdstat_get", "i32 i32", "(call $f (i32.const 1) (i32.const 512))"),
    ("environ_get", "i32 i32", "(call $f (i32.const 512) (i32.const 520))"),
    ("environ_sizes_get", "i32 i32", "(call $f (i32.const 512) (i32.const 520))"),
    ("args_get", "i32 i32", "(call $f (i32.const 512) (i32.const 520))"),
    ("args_sizes_get", "i32 i32", "(call $f (i32.const 512) (i32.const 520))"),
    ("clock_time_get", "i32 i64 i32", "(call $f (i32.const 0) (i64.const 1) (i32.const 512))"),
    ("clock_res_get", "i32 i32", "(call $f (i32.const 0) (i32.const 512))"),
    ("random_get", "i32 i32", "(call $f (i32.const 512) (i32.const 0))"),
    ("random_get", "i32 i32", "(call $f (i32.const 1024) (i32.const 100000))"),
    ("sched_yield", "", "(call $f)"),
];

/// Writes many buffers, each of one byte.
const BYTE_BY_BYTE: &str = "(drop (call $f (i32.const 2) (i32.const 131072) (i32.const 8000) (i32.const 512)))";

/// Programs: name, code that is repeated, and whether memory is filled before.
const PROGRAMS: [(&str, &str, bool); 13] = [
    ("additions", "(local.set $x (i32.add (local.get $x) (i32.const 3)))", false),
    ("memory.grow by nothing", "(drop (memory.grow (i32.const 0)))", false),
    (
        "memory.grow and use",
        "(drop (memory.grow (i32.const 1))) (memory.fill (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 65536)) (i32.const 1) (i32.const 65536)) (if (i32.eq (memory.size) (i32.const 2000)) (then unreachable))",
        false,
    ),
    ("table.grow by nothing", "(drop (table.grow (ref.null func) (i32.const 0)))", false),
    ("table.grow by too much", "(drop (table.grow (ref.null func) (i32.const 1000000)))", false),
    ("table.fill", "(table.fill (i32.const 0) (ref.null func) (i32.const 5000))", false),
    ("ref.func", "(table.set (i32.const 1) (ref.func $play))", false),
    ("memory.fill of nothing", "(memory.fill (i32.const 0) (i32.const 0) (local.get $zero))", false),
    ("memory.copy of 1 byte", "(memory.copy (i32.const 0) (i32.const 70000) (local.get $one))", false),
    ("memory.copy of 16 MiB", "(memory.copy (i32.const 0) (i32.const 20000000) (i32.const 16777216))", true),
    (
        "roots",
        "(local.set $d (f64.sqrt (f64.sqrt (f64.sqrt (f64.sqrt (f64.sqrt (f64.sqrt (f64.sqrt (f64.sqrt (local.get $d))))))))))",
        false,
    ),
    ("remainders", "(local.set $q (i64.rem_u (i64.const -3) (i64.or (local.get $q) (i64.const 1))))", false),
    // Memory holds an odd number everywhere, with which every fourth byte comes
    // up once, in an order that nothing foresees, before any comes up again.
    (
        "pointer chasing",
        "(local.set $x (i32.add (i32.mul (local.get $x) (i32.const 1664525)) (i32.load (i32.and (local.get $x) (i32.const 0x07fffffc)))))",
        true,
    ),
];

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(TRANSLATE) {
        let done = translate();
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown");
        println!("{}", peak.trim());
        return done;
    }
    let sandbox = Sandbox::new(8).expect("the sandbox starts");
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let is_wanted = |part: &str| wanted.as_ref().is_none_or(|word| word == part);
    let mut worst: f64 = 0.0;
    if is_wanted("prices") {
        println!("seconds of CPU for the fuel of one second\n");
        for (name, parameters, call) in IMPORTS {
            let import = format!("(import \"{WASI}\" \"{name}\" (func $f (param {parameters}) (result i32)))");
            let times = seconds(&sandbox, &import, &format!("(drop {call})"), false);
            println!("{name:18}{times:>8.1}   {}", call.replace("(call $f", "").trim_end_matches(')'));
            worst = worst.max(times);
        }
        let import = format!("(import \"{WASI}\" \"fd_write\" (func $f (param i32 i32 i32 i32) (result i32)))");
        for (what, output) in
            [("while all is kept", Limits::none().output), ("when no more is kept", 10), ("kept nowhere", 0)]
        {
            let times = seconds_of(&sandbox, &import, BYTE_BY_BYTE, false, output);
            println!("{:18}{times:>8.1}   8000 buffers of a byte, {what}", "fd_write");
            worst = worst.max(times);
        }
        let times = seconds(&sandbox, DRAW, DRAW_ONCE, false);
        println!("{:18}{times:>8.1}   the 1000 that are free in a round included", "draw");
        worst = worst.max(times);
        println!("the most expensive import {worst:.1}, of at most {MOST:.1}\n");
        for (name, code, filled) in PROGRAMS {
            println!("{name:28}{:>8.1}", seconds(&sandbox, "", code, filled));
        }
    }
    if is_wanted("sizes") {
        sizes();
    }
    if is_wanted("translation") {
        translation();
    }
    if worst > MOST { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The seconds that a player runs for the fuel of one second.
fn seconds(sandbox: &Sandbox, import: &str, code: &str, filled: bool) -> f64 {
    seconds_of(sandbox, import, code, filled, Limits::none().output)
}

/// The same for one of whose output so many bytes are kept.
fn seconds_of(sandbox: &Sandbox, import: &str, code: &str, filled: bool, output: usize) -> f64 {
    let fill = if filled { "(memory.fill (i32.const 0) (i32.const 1) (i32.const 134000000))" } else { "" };
    let text = format!(
        "(module {import} (memory (export \"memory\") {} 2048) (table 10000 funcref) (elem declare func $play)
          (global $turn (mut i32) (i32.const 0))
          (func (export \"ludus_abi\") (result i32) i32.const 2)
          (func (export \"ludus_game\") (result i32) i32.const 16) (func (export \"ludus_name\") (result i32) i32.const 16)
          (func (export \"ludus_room\") (param i32) (result i32) i32.const 1024)
          (func (export \"ludus_start\") (param i32 i32 i32) {fill} (memory.fill (i32.const 0) (i32.const 0) (i32.const 65600)) (i32.store (i32.const 65540) (i32.const 65536)) (call $list))
          (func $list (local $at i32) (local.set $at (i32.const 131072)) (loop (i32.store (local.get $at) (i32.const 65536)) (i32.store offset=4 (local.get $at) (i32.const 1)) (local.set $at (i32.add (local.get $at) (i32.const 8))) (br_if 0 (i32.lt_u (local.get $at) (i32.const 196608)))))
          (func $play (export \"ludus_play\") (param i32) (result i32)
            (local $x i32) (local $zero i32) (local $one i32) (local $d f64) (local $q i64)
            (local.set $one (i32.const 1)) (local.set $x (i32.const 12345678)) (local.set $d (f64.const 1e300)) (local.set $q (i64.const 77))
            (global.set $turn (i32.add (global.get $turn) (i32.const 1)))
            (if (i32.eq (global.get $turn) (i32.const 1)) (then (return (i32.const 16))))
            (loop $again {code} (br $again)) (i32.add (local.get $x) (i32.trunc_f64_s (local.get $d)))))",
        if filled { 2048 } else { 3 }
    );
    let wasm = wat::parse_str(text).expect("the program is well written");
    let module = sandbox.load(&wasm).expect("the program is a player");
    let game = ludus_games::find("ants").expect("there are ants");
    let config = game.read_config(game.about().default_config.as_bytes()).expect("the default config can be read");
    let demo = game.about().players.iter().find(|player| player.name == "Demo").expect("every game has a Demo");
    let state = Match::between(&*config, 5, [demo; 4]).expect("the default config can be played");
    let views = Views::default();
    let turn = || Turn { state: state.state(), seat: Seat::ALL[0], views: &views };
    let mut limits = Limits { fuel: FUEL, fuel_per_round: None, ..Limits::none() };
    limits.memory = Limits::MEMORY;
    limits.output = output;
    let mut player = module.player(limits, 5, Seat::ALL[0]);
    let mut orders = Orders::new();
    player.play(turn(), &mut orders).expect("the first turn does nothing");
    let before = player.fuel();
    let (fault, time) = cpu_time(|| player.play(turn(), &mut orders).expect_err("it runs out of something"));
    // Whoever ends in another way may not have done what is measured.
    let expected =
        if code.contains("unreachable") { matches!(fault, Fault::Trap(_)) } else { fault == Fault::OutOfFuel };
    assert!(expected, "{code}: {fault}");
    time.as_secs_f64() * FUEL_PER_SECOND as f64 / (player.fuel() - before) as f64
}

/// The largest parts of the examples, beside what is allowed.
fn sizes() {
    let builder = Builder::jailed(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cost")).expect("there is a jail");
    let mut largest = Sizes::default();
    let mut modules = 0;
    let mut count = |wasm: &[u8]| {
        let sizes = Sizes::of(wasm).expect("it is a module").expect("it is within the caps");
        largest.0.iter_mut().zip(sizes.0).for_each(|(most, size)| *most = size.max(*most));
        modules += 1;
    };
    // Files that are named are looked at too.
    for file in std::env::args().skip(2).filter(|word| word.ends_with(".wasm")) {
        count(&std::fs::read(file).expect("the file can be read"));
    }
    for game in ludus_games::GAMES.iter().filter(|_| std::env::args().len() < 3) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content").join(game.about().id).join("players");
        for file in std::fs::read_dir(folder).expect("every game has examples").flatten().map(|entry| entry.path()) {
            let Some(language) = Language::of(&file) else { continue };
            let text = std::fs::read(&file).expect("an example can be read");
            let wasm = builder.build(game.about().id, language, &text).expect("an example compiles");
            count(&wasm);
        }
    }
    println!("\n{:40}{:>12}{:>12}", format!("the largest of {modules} examples"), "has", "allowed");
    for (cap, has) in CAPS.iter().zip(largest.0) {
        println!("{:40}{has:>12}{:>12}", cap.what, cap.most);
    }
}

/// Translates the worst modules, each in a process of its own.
fn translation() {
    println!("\n{:40}{:>12}{:>12}{:>14}{:>12}", "translation", "bytes", "CPU", "memory", "code");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("worst");
    std::fs::create_dir_all(&folder).expect("there is room");
    for (name, wasm) in crafted::worst() {
        match Sizes::of(&wasm).expect("it is a module") {
            Ok(_) => {}
            Err(passed) => {
                println!("{name:40} is not within the caps: {passed}");
                continue;
            }
        }
        std::fs::write(folder.join("player.wasm"), &wasm).expect("there is room");
        let _ = std::fs::remove_file(folder.join("player.code"));
        let mut command = Command::new(std::env::current_exe().expect("this program has a file"));
        command.arg(TRANSLATE).current_dir(&folder).stdout(Stdio::piped());
        let before = cpu_time_of_children();
        let output = command.output().expect("this program can be started");
        let time = cpu_time_of_children() - before;
        let code = std::fs::metadata(folder.join("player.code")).map_or(0, |file| file.len());
        let peak = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        println!("{name:40}{:>12}{:>10.1} s{peak:>14}{code:>12} {}", wasm.len(), time.as_secs_f64(), output.status);
    }
}

fn cpu_time<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let now = || {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the clock exists, and the time is written where a time belongs.
        unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let before = now();
    let done = run();
    (done, now() - before)
}

fn cpu_time_of_children() -> Duration {
    // SAFETY: all zeros are a valid value, which the call fills in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    let of = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
    of(usage.ru_utime) + of(usage.ru_stime)
}
