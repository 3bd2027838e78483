//! What the sandbox costs: `cargo bench -p ludus-sandbox`.
//!
//! Every C++ example gets the states of a recorded match twice, built natively
//! (`g++ -O2`, a shared library) and in the sandbox with fuel, and must give the
//! same orders. Printed are the CPU time of both and their ratio, and the fuel
//! that a second of native CPU stands for, which is where the published rate
//! comes from. Players run natively here and nowhere else but under `--native`.
#![allow(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use libloading::Library;
use ludus_arena::{Entrant, Match, Player, Turn, Views};
use ludus_games::{Engine, GAMES, Game, Orders, Seat};
use ludus_sandbox::build::{Builder, Language};
use ludus_sandbox::{FUEL_PER_SECOND, Limits, PlayerModule, Sandbox};

/// Matches per player and way of running, one of each in turn; medians count,
/// because neither what else the machine does nor its clock is even.
const REPEATS: usize = 101;
const SEED: i32 = 30;
const SEAT: Seat = Seat::ALL[0];

fn main() {
    // Matches are played where there is room for the calls of players; where there is
    // not, every turn would begin with a new stack.
    let thread = std::thread::Builder::new().stack_size(ludus_arena::PLAYING_STACK).spawn(measure);
    thread.expect("a thread can be started").join().expect("everything can be measured");
}

fn measure() {
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cost");
    silence_players();
    let builder = Builder::jailed(cache.clone()).expect("bubblewrap is installed");
    let sandbox = Sandbox::new(16).expect("the sandbox starts");
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    println!("{:24}{:>11}{:>11}{:>7}{:>12}{:>14}", "player", "native", "sandbox", "ratio", "fuel", "fuel/second");
    let mut rates = Vec::new();
    for game in GAMES {
        let positions = Positions::record(*game);
        for source in players(*game).into_iter().filter(|source| {
            wanted.as_ref().is_none_or(|part| source.to_str().is_some_and(|s| s.contains(part.as_str())))
        }) {
            let text = std::fs::read(&source).expect("an example can be read");
            let wasm = builder.build(game.about().id, Language::Cpp, &text).expect("an example compiles");
            let module = sandbox.load(&wasm).expect("an example can be loaded");
            let native = Native::build(&cache, game.about().id, &source);
            let cost = compare(*game, &positions, &module, &native);
            println!(
                "{:24}{:>8} us{:>8} us{:>7.2}{:>12}{:>11.1} e9",
                format!("{} {}", game.about().id, name(&source)),
                cost.native.as_micros(),
                cost.sandbox.as_micros(),
                cost.ratio,
                cost.fuel,
                cost.fuel as f64 / cost.native.as_secs_f64() / 1e9,
            );
            rates.push((cost.fuel, cost.native));
        }
    }
    let fuel: u64 = rates.iter().map(|(fuel, _)| fuel).sum();
    let time: Duration = rates.iter().map(|(_, native)| native).sum();
    println!("all together {:.1} e9 a second of native CPU", fuel as f64 / time.as_secs_f64() / 1e9);
    println!("the published rate is {:.1} e9\n", FUEL_PER_SECOND as f64 / 1e9);
    for game in GAMES.iter().filter(|_| wanted.is_none()) {
        idle(*game, &builder, &sandbox);
    }
    println!("\n{:24}{:>11}{:>11}{:>7}", "whole matches of four", "guarded", "not", "ratio");
    for game in GAMES.iter().filter(|_| wanted.as_ref().is_none_or(|part| part == "guard")) {
        guard(*game, &builder, &sandbox);
    }
}

/// What the page costs that nobody may touch: whole matches of the same player in
/// all seats, setting up and taking down included, with and without it. There is
/// no shorter match than that of players who do nothing.
fn guard(game: &dyn Game, builder: &Builder, sandbox: &Sandbox) {
    for name in ["AINull.cc", "AIDemo.cc"] {
        let Ok(text) = std::fs::read(content(game).join(name)) else { continue };
        let wasm = builder.build(game.about().id, Language::Cpp, &text).expect("an example compiles");
        let other = unguarded(&wasm);
        let modules = [wasm, other].map(|wasm| sandbox.load(&wasm).expect("an example can be loaded"));
        let mut times = [Vec::new(), Vec::new()];
        for k in 0..4 * REPEATS {
            for which in [k % 2, 1 - k % 2] {
                times[which].push(cpu_time(|| whole_match(game, &modules[which])));
            }
        }
        let ratios = times[0].iter().zip(&times[1]).map(|(with, without)| with.as_secs_f64() / without.as_secs_f64());
        let ratio = median(ratios.collect());
        let [with, without] = times.map(|times| median(times).as_micros());
        println!("{:24}{with:>8} us{without:>8} us{ratio:>7.3}", format!("{} {name}", game.about().id));
    }
}

/// The same module under another name for what asks for the page.
fn unguarded(wasm: &[u8]) -> Vec<u8> {
    let (asks, other) = (b"ludus_guard", b"ludus_gu4rd");
    let at = wasm.windows(asks.len()).position(|bytes| bytes == asks).expect("compilers ask for the page");
    [&wasm[..at], other, &wasm[at + asks.len()..]].concat()
}

fn whole_match(game: &dyn Game, module: &PlayerModule) {
    let config = game.read_config(game.about().default_config.as_bytes()).expect("the default config can be read");
    let limits = Limits::of(game.about().cpu);
    let entrants = Seat::ALL.map(|seat| {
        let player = Box::new(module.player(limits.clone(), SEED, seat));
        Entrant { name: seat.ordinal().to_string(), player }
    });
    let mut played = Match::new(&*config, SEED, entrants).expect("the default config can be played");
    while !played.is_over() {
        played.play_round().expect("the match comes to its end");
    }
}

/// The states of a match between Demo players, before every round.
struct Positions(Vec<(Box<dyn Engine>, Views)>);

impl Positions {
    fn record(game: &dyn Game) -> Positions {
        let config = game.read_config(game.about().default_config.as_bytes()).expect("the default config can be read");
        let demo = game.about().players.iter().find(|player| player.name == "Demo").expect("every game has a Demo");
        let mut game = Match::between(&*config, SEED, [demo; 4]).expect("the default config can be played");
        let mut states = Vec::new();
        while !game.is_over() {
            states.push((game.engine().snapshot(), Views::default()));
            game.play_round().expect("the match comes to its end");
        }
        let positions = Positions(states);
        // The views are made beforehand: they cost the same on both sides.
        positions.turns().for_each(|turn| turn.with_view(|_| ()));
        positions
    }

    /// Room for the orders of every round.
    fn no_orders(&self) -> Vec<Orders> {
        self.0.iter().map(|_| Orders::new()).collect()
    }

    fn turns(&self) -> impl Iterator<Item = Turn<'_>> {
        self.0.iter().map(|(engine, views)| Turn { state: engine.state(), seat: SEAT, views })
    }
}

struct Cost {
    native: Duration,
    sandbox: Duration,
    /// Of two matches played one after the other.
    ratio: f64,
    fuel: u64,
}

/// The first round is not counted: there the player is set up, which [`idle`] measures.
fn compare(game: &dyn Game, positions: &Positions, module: &PlayerModule, native: &Native) -> Cost {
    let limits = Limits::of(game.about().cpu);
    let (mut ours, mut theirs) = (positions.no_orders(), positions.no_orders());
    let (mut natively, mut sandboxed, mut fuel) = (Vec::new(), Vec::new(), 0);
    for _ in 0..REPEATS {
        natively.push(native.play(positions, &mut theirs));
        let mut player = module.player(limits.clone(), SEED, SEAT);
        let mut play = |(turn, orders): (Turn<'_>, &mut Orders)| {
            orders.clear();
            player.play(turn, orders).expect("an example stays within its limits");
            player.fuel()
        };
        let mut turns = positions.turns().zip(&mut ours);
        let set_up = turns.next().map(&mut play);
        sandboxed.push(cpu_time(|| {
            let used = turns.map(play).last();
            fuel = used.zip(set_up).map_or(0, |(used, set_up)| used - set_up);
        }));
    }
    assert!(ours == theirs, "the native player gives other orders than the one in the sandbox");
    let ratios =
        sandboxed.iter().zip(&natively).map(|(ours, theirs)| ours.as_secs_f64() / theirs.as_secs_f64()).collect();
    Cost { native: median(natively), sandbox: median(sandboxed), ratio: median(ratios), fuel }
}

fn median<T: PartialOrd + Copy>(mut values: Vec<T>) -> T {
    values.sort_by(|a, b| a.partial_cmp(b).expect("times can be compared"));
    values[values.len() / 2]
}

/// What a player costs that does nothing, and how long the first turn takes.
fn idle(game: &dyn Game, builder: &Builder, sandbox: &Sandbox) {
    let positions = Positions::record(game);
    let source = content(game).join("AINull.cc");
    let text = std::fs::read(source).expect("the starter can be read");
    let wasm = builder.build(game.about().id, Language::Cpp, &text).expect("the starter compiles");
    sandbox.load_cached(&wasm, builder.cache()).expect("the starter can be loaded");
    let (mut load, mut ready, mut rounds) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..REPEATS {
        let mut loaded = None;
        load.push(cpu_time(|| loaded = sandbox.load_cached(&wasm, builder.cache()).ok()));
        let mut player = loaded.expect("it has just been loaded").player(Limits::none(), SEED, SEAT);
        let mut orders = Orders::new();
        let mut turns = positions.turns();
        let first = turns.next().expect("a match has a round");
        ready.push(cpu_time(|| player.play(first, &mut orders).expect("the starter does nothing wrong")));
        rounds.push(cpu_time(|| {
            turns.for_each(|turn| player.play(turn, &mut orders).expect("the starter does nothing wrong"));
        }));
    }
    println!(
        "{:10} idle {:.2} us a round; instance ready in {} us, after loading the cached module in {} us",
        game.about().id,
        median(rounds).as_secs_f64() * 1e6 / (positions.0.len() - 1) as f64,
        median(ready).as_micros(),
        median(load).as_micros(),
    );
}

/// The file of a player as a shared library.
struct Native(PathBuf);

impl Native {
    fn build(cache: &Path, game: &str, source: &Path) -> Native {
        let sdk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk/cpp");
        let (own, shared) = (sdk.join(game), sdk.join("shared"));
        let library = cache.join(format!("{game}-{}.so", name(source)));
        let mut command = Command::new("g++");
        command.args([
            "-O2",
            "-std=gnu++17",
            "-w",
            "-shared",
            "-fPIC",
            "-fno-gnu-unique",
            "-fno-lifetime-dse",
            "-ftrivial-auto-var-init=zero",
        ]);
        command.arg(format!("-DLUDUS_GAME=\"{game}\"")).arg("-I").arg(&own).arg("-I").arg(&shared);
        command.arg(source).arg(shared.join("runtime.cc"));
        let glue = own.join("glue.cc");
        if glue.is_file() {
            command.arg(glue);
        } else {
            command.args(["registry.cc", "glue.cc"].map(|name| shared.join(name)));
        }
        let seam = cache.join("seam.cc");
        std::fs::write(&seam, SEAM).expect("the cache can be written");
        let done = command.arg(&seam).arg("-o").arg(&library).status().expect("g++ is installed");
        assert!(done.success(), "g++ does not compile {}", source.display());
        Native(library)
    }

    /// Plays the rounds of the positions, and says how long all but the first took.
    fn play(&self, positions: &Positions, given: &mut [Orders]) -> Duration {
        // Loaded anew each time, so that no match knows of the one before.
        // SAFETY: the library was made from the examples of this project, and
        // its initialisers do nothing but register a player.
        let library = unsafe { Library::new(&self.0) }.expect("the library can be loaded");
        // SAFETY: these are the types that `SEAM` and `ludus.hh` give them.
        let (room, start, play) = unsafe {
            (
                library.get::<extern "C" fn(*const u8)>(b"ludus_use_room").expect("the seam has it"),
                library.get::<extern "C" fn(i32, i32, i32)>(b"ludus_start").expect("the glue has it"),
                library.get::<extern "C" fn(i32) -> *const i32>(b"ludus_play").expect("the glue has it"),
            )
        };
        let longest = positions.turns().map(|turn| turn.with_view(<[u8]>::len)).max().unwrap_or(0);
        let mut bytes = Vec::new();
        let state = positions.0[0].0.state();
        state.game().write_settings(state, &mut bytes);
        let settings = bytes.len();
        bytes.resize(settings.max(longest), 0);
        room(bytes.as_ptr());
        start(SEAT.index() as i32, SEED, settings as i32);
        let mut play = |(turn, orders): (Turn<'_>, &mut Orders)| {
            orders.clear();
            turn.with_view(|view| bytes[..view.len()].copy_from_slice(view));
            // SAFETY: the player answers with a list in the layout of
            // `docs/abi.md`, valid until it is asked again.
            unsafe { read(play(bytes.len() as i32), orders) };
        };
        let mut turns = positions.turns().zip(given);
        turns.next().map(&mut play);
        cpu_time(|| turns.for_each(play))
    }
}

/// # Safety
/// `at` begins a whole list of orders.
unsafe fn read(at: *const i32, orders: &mut Orders) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut next = at.add(1);
        for _ in 0..*at {
            let words = *next as usize;
            orders.push(std::slice::from_raw_parts(next.add(1), words));
            next = next.add(1 + words);
        }
    }
}

/// What a library has in place of the program that runs native players.
const SEAM: &str = r#"
#include "ludus.hh"
#include <cstdlib>
namespace ludus { void end(Ending) { abort(); } }
extern "C" void ludus_use_room(const unsigned char* room) { ludus::room = room; }
"#;

/// The examples of a game in C++ that do something.
fn players(game: &dyn Game) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(content(game))
        .expect("every game has examples")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "cc") && !file.ends_with("AINull.cc"));
    files.sort();
    files
}

fn name(source: &Path) -> &str {
    source.file_stem().and_then(|name| name.to_str()).expect("examples have plain names")
}

fn content(game: &dyn Game) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content").join(game.about().id).join("players")
}

/// Native players write where this process does; nobody wants to read that.
fn silence_players() {
    let nowhere = std::fs::OpenOptions::new().write(true).open("/dev/null").expect("there is a /dev/null");
    // SAFETY: both descriptors are open, and errors of this program go the
    // same way only once it has started.
    unsafe { libc::dup2(std::os::fd::AsRawFd::as_raw_fd(&nowhere), libc::STDERR_FILENO) };
}

/// The CPU time of this thread, so that what else the machine does counts less.
fn cpu_time(run: impl FnOnce()) -> Duration {
    let now = || {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the clock exists on every system that runs the sandbox, and
        // the time is written where a time belongs.
        let done = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
        assert_eq!(done, 0, "there is no clock for the CPU time of a thread");
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let before = now();
    run();
    now() - before
}
