//! Random modules: none makes anything panic, none that is refused is compiled,
//! and whatever runs does with the counting what it does without, for the fuel
//! that the runtime counts at our prices.
//!
//! The modules are made by a program of their own, in `fuzz/`. A short run is
//! part of the tests; `scripts/fuzz-modules` makes long ones.

use std::io::{BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use ludus_arena::{Match, Player as _, Turn, Views};
use ludus_games::{Orders, Seat};
use wasmtime::{
    Config, Engine, Extern, ExternType, Instance, OptLevel, Store, StoreLimits, StoreLimitsBuilder, Trap, Val,
};

use ludus_sandbox::build::Jail;
use ludus_sandbox::meter::{self, PAGE_FUEL, STOPPED};
use ludus_sandbox::{CAPS, Limits, OwnProgram, Refused, Sandbox, Sizes};

use crate::meter::prices;
use crate::{ants, kept};

/// Modules of the short run. Each is looked at twice, the second time spoilt.
const MODULES: u64 = 600;
const SEED: u64 = 11;

/// The fuel of a call, and of a player.
const FILLED: i64 = 500_000;

/// Functions of a module that are called.
const CALLS: usize = 8;

/// What players import and export. The modules of a kind have the same.
const PLAYER: &str = r#"(module
    (import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "fd_fdstat_get" (func (param i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "args_sizes_get" (func (param i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "clock_time_get" (func (param i32 i64 i32) (result i32)))
    (import "wasi_snapshot_preview1" "random_get" (func (param i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "sched_yield" (func (result i32)))
    (memory (export "memory") 1)
    (func (export "_initialize"))
    (func (export "ludus_abi") (result i32) i32.const 2)
    (func (export "ludus_game") (result i32) i32.const 0)
    (func (export "ludus_name") (result i32) i32.const 0)
    (func (export "ludus_room") (param i32) (result i32) i32.const 0)
    (func (export "ludus_start") (param i32 i32 i32))
    (func (export "ludus_play") (param i32) (result i32) i32.const 0))"#;

#[test]
fn random_modules_are_counted_as_by_the_runtime() {
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (count, seed) = (number("LUDUS_MODULES", MODULES), number("LUDUS_SEED", SEED));
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    println!("{count} modules, seed {seed}");
    let share = |thread: u64| (count * thread / threads, count * (thread + 1) / threads);
    let work = (0..threads).map(share).map(|(from, to)| std::thread::spawn(move || look_at(seed, from, to)));
    let work: Vec<_> = work.collect();
    let mut seen = Seen::default();
    for done in work {
        seen.add(&done.join().expect("nothing panics"));
    }
    println!("{seen:?}");
    let Seen { capped, invalid, counted, stopped, players, .. } = seen;
    for (what, seen) in [
        ("is beyond a cap", capped),
        ("is invalid", invalid),
        ("can be counted", counted),
        ("runs out of fuel", stopped),
        ("plays", players),
    ] {
        assert!(seen > 0, "no module {what}");
    }
}

/// Each module as it is, and then with some bytes changed.
fn look_at(seed: u64, from: u64, to: u64) -> Seen {
    let mut fuzz = Fuzz::new();
    let mut modules = Modules::start(seed, from, to - from);
    for number in from..to {
        let mut wasm = modules.next();
        let mut random = Random(seed ^ number << 32);
        fuzz.check(&Case { seed, number, wasm: &wasm }, &mut random);
        for _ in 0..=random.below(3) {
            let at = random.below(wasm.len());
            wasm[at] = random.below(256) as u8;
        }
        fuzz.check(&Case { seed, number, wasm: &wasm }, &mut random);
        if (number - from) % 10_000 == 9_999 {
            println!("modules {from} to {number}: {:?}", fuzz.seen);
        }
    }
    modules.finish();
    fuzz.seen
}

/// The modules as they come out of the program that makes them.
struct Modules {
    program: Child,
    output: BufReader<ChildStdout>,
}

impl Modules {
    fn start(seed: u64, from: u64, count: u64) -> Modules {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
        let mut command = Command::new(env!("CARGO"));
        command.args(["run", "--quiet", "--locked", "--manifest-path"]).arg(folder.join("Cargo.toml"));
        command
            .arg("--target-dir")
            .arg(kept("fuzz"))
            .arg("--")
            .args([seed, from, count].map(|number| number.to_string()));
        let mut program = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        program.stdin.take().unwrap().write_all(&wat::parse_str(PLAYER).unwrap()).unwrap();
        let output = BufReader::new(program.stdout.take().unwrap());
        Modules { program, output }
    }

    fn next(&mut self) -> Vec<u8> {
        let mut len = [0; 4];
        self.output.read_exact(&mut len).expect("the program in fuzz/ makes modules");
        let mut wasm = vec![0; u32::from_le_bytes(len) as usize];
        self.output.read_exact(&mut wasm).unwrap();
        wasm
    }

    fn finish(mut self) {
        assert!(self.program.wait().unwrap().success());
    }
}

/// A module that is looked at. If that goes wrong, it is kept.
struct Case<'a> {
    seed: u64,
    number: u64,
    wasm: &'a [u8],
}

impl Drop for Case<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let file = std::env::temp_dir().join(format!("ludus-module-{}-{}.wasm", self.seed, self.number));
            println!("seed {}, module {}: {} {:?}", self.seed, self.number, file.display(), self.kept(&file));
        }
    }
}

impl Case<'_> {
    fn kept(&self, file: &Path) -> std::io::Result<()> {
        std::fs::write(file, self.wasm)
    }
}

/// How many modules were of which kind, and how many calls ended how.
#[derive(Debug, Default)]
struct Seen {
    capped: u64,
    invalid: u64,
    valid: u64,
    counted: u64,
    grown: u64,
    trapped: u64,
    stopped: u64,
    /// Matches that were played by modules, and those without a fault.
    players: u64,
    faultless: u64,
    /// The longest that it took to count and compile a module.
    slowest: Duration,
}

impl Seen {
    fn add(&mut self, more: &Seen) {
        self.capped += more.capped;
        self.invalid += more.invalid;
        self.valid += more.valid;
        self.counted += more.counted;
        self.grown += more.grown;
        self.trapped += more.trapped;
        self.stopped += more.stopped;
        self.players += more.players;
        self.faultless += more.faultless;
        self.slowest = self.slowest.max(more.slowest);
    }
}

struct Fuzz {
    /// Counts at our prices, and compiles what we have added.
    runtime: Engine,
    ours: Engine,
    sandbox: Sandbox,
    /// A sandbox that cannot compile.
    without_compiler: Sandbox,
    seen: Seen,
}

impl Fuzz {
    fn new() -> Fuzz {
        let mut config = Config::new();
        // Players are compiled with more care; here most time goes by compiling.
        config.cranelift_nan_canonicalization(true).cranelift_opt_level(OptLevel::None).parallel_compilation(false);
        let ours = Engine::new(&config);
        config.consume_fuel(true).operator_cost(prices());
        // Where its folder should be there is a file.
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let nowhere = OwnProgram { program: file.clone(), jail: Jail::None, cache: file };
        Fuzz {
            runtime: Engine::new(&config).unwrap(),
            ours: ours.unwrap(),
            sandbox: Sandbox::new(2).unwrap(),
            without_compiler: Sandbox::new(1).unwrap().translated_by(nowhere),
            seen: Seen::default(),
        }
    }

    fn check(&mut self, case: &Case<'_>, random: &mut Random) {
        let sizes = Sizes::of(case.wasm);
        match self.without_compiler.load(case.wasm).err().expect("nobody could compile it") {
            Refused::Cap(passed) => {
                assert!(matches!(sizes, Ok(Err(same)) if same == passed), "{sizes:?} {passed:?}");
                self.seen.capped += 1;
            }
            Refused::Invalid(_) => {
                assert!(!matches!(sizes, Ok(Err(_))), "{sizes:?}");
                self.seen.invalid += 1;
            }
            Refused::Import(_) => {
                assert!(matches!(sizes, Ok(Ok(_))), "{sizes:?}");
                self.seen.invalid += 1;
            }
            Refused::Trouble(_) => {
                self.seen.valid += 1;
                if self.compare(case.wasm, &sizes.unwrap().unwrap(), random) {
                    self.play(case.wasm);
                }
            }
            refused => panic!("{refused:?}"),
        }
    }

    /// Runs a module with the counting and without; whether it may be a player.
    fn compare(&mut self, wasm: &[u8], sizes: &Sizes, random: &mut Random) -> bool {
        let begun = Instant::now();
        let metered = meter::metered(wasm).unwrap();
        assert!(metered.len() < 200 + 12 * wasm.len(), "{} bytes become {}", wasm.len(), metered.len());
        let ours = wasmtime::Module::from_binary(&self.ours, &metered).unwrap();
        self.seen.slowest = self.seen.slowest.max(begun.elapsed());
        let plain = wasmtime::Module::from_binary(&self.runtime, wasm).unwrap();
        let size = |what: &str| sizes.0[CAPS.iter().position(|cap| cap.what == what).unwrap()];
        assert_eq!(size("imports"), plain.imports().len() as u64);
        assert_eq!(size("exports"), plain.exports().len() as u64);
        self.run_both(&plain, &ours, random);
        plain.get_export(meter::PLAY).is_some()
    }

    fn run_both(&mut self, plain: &wasmtime::Module, ours: &wasmtime::Module, random: &mut Random) {
        let mut runtime = Run::new(&self.runtime, plain);
        runtime.store.set_fuel(FILLED as u64).unwrap();
        let mut ours = Run::new(&self.ours, ours);
        let (Some(with_runtime), Some(with_ours)) = (runtime.start(plain), ours.start(plain)) else { return };
        if with_runtime != with_ours || !matches!(with_runtime, End::Done(_)) {
            // What comes before the beginning costs fuel there and not here.
            assert!(with_runtime.may_differ(&with_ours) || with_runtime == with_ours, "{with_runtime:?} {with_ours:?}");
            return;
        }
        let functions: Vec<_> = plain.exports().filter(|export| export.ty().func().is_some()).collect();
        for export in functions.iter().take(CALLS) {
            let arguments: Vec<u64> = (0..64).map(|_| random.next() >> random.below(64)).collect();
            if !self.call(&mut runtime, &mut ours, export.name(), &arguments) {
                return;
            }
            for export in plain.exports() {
                assert_eq!(runtime.state(export.name()), ours.state(export.name()), "{}", export.name());
            }
        }
    }

    /// Whether both can go on after a call.
    fn call(&mut self, runtime: &mut Run, ours: &mut Run, name: &str, arguments: &[u64]) -> bool {
        let before = runtime.pages();
        runtime.store.set_fuel(FILLED as u64).unwrap();
        let expected = runtime.call(name, arguments);
        let pages = i64::from(runtime.pages() - before);
        let used = FILLED - runtime.store.get_fuel().unwrap() as i64 + pages * PAGE_FUEL;
        ours.set_fuel(-FILLED);
        let found = ours.call(name, arguments);
        let count = ours.fuel();
        if expected == End::OutOfFuel || used >= FILLED {
            self.seen.stopped += 1;
            assert!(count == STOPPED || count >= 0 || found == End::Stack, "{name}: {count} {found:?}");
            return false;
        }
        if expected.may_differ(&found) {
            return false;
        }
        assert_eq!(found, expected, "{name}");
        match found {
            End::Done(_) => {
                assert_eq!(count + FILLED, used, "{name}, {pages} pages");
                self.seen.counted += 1;
                self.seen.grown += u64::from(pages > 0);
            }
            _ => self.seen.trapped += 1,
        }
        true
    }

    /// Plays two rounds with a module that may be a player, twice.
    fn play(&mut self, wasm: &[u8]) {
        let Ok(module) = self.sandbox.load(wasm) else { return };
        // It may say anything, but it comes to an end; with so much fuel that
        // few are asked.
        if wasm.len().is_multiple_of(16) {
            let _ = module.introduce();
        }
        let game = ants();
        let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
        let state = Match::between(&*config, 5, [&game.about().players[0]; 4]).unwrap();
        let limits = Limits { fuel: FILLED as u64, fuel_per_round: None, ..Limits::none() };
        let limits = Limits { memory: Limits::MEMORY, output: 1 << 16, ..limits };
        let views = Views::default();
        let rounds = || {
            let mut player = module.player(limits.clone(), 5, Seat::ALL[0]);
            let mut orders = Orders::new();
            let mut turn =
                || player.play(Turn { state: state.state(), seat: Seat::ALL[0], views: &views }, &mut orders);
            let ends = [turn(), turn()].map(|end| end.map_err(|fault| fault.to_string()));
            (ends, player.fuel())
        };
        let (ends, fuel) = rounds();
        assert!(fuel <= FILLED as u64, "{fuel}");
        assert_eq!(rounds(), (ends.clone(), fuel));
        self.seen.players += 1;
        self.seen.faultless += u64::from(ends.iter().all(Result::is_ok));
    }
}

/// How a call ended.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Done(Vec<u128>),
    OutOfFuel,
    /// How deep calls may go depends on what else is on the stack.
    Stack,
    Trap(String),
}

impl End {
    fn of(error: &wasmtime::Error) -> End {
        match error.downcast_ref::<Trap>() {
            Some(Trap::OutOfFuel) => End::OutOfFuel,
            Some(Trap::StackOverflow) => End::Stack,
            Some(trap) => End::Trap(trap.to_string()),
            None => End::Trap(error.root_cause().to_string()),
        }
    }

    fn may_differ(&self, other: &End) -> bool {
        [self, other].iter().any(|end| matches!(end, End::OutOfFuel | End::Stack))
    }
}

/// A module with a store of its own.
struct Run {
    store: Store<StoreLimits>,
    module: wasmtime::Module,
    instance: Option<Instance>,
}

impl Run {
    fn new(engine: &Engine, module: &wasmtime::Module) -> Run {
        let limits = StoreLimitsBuilder::new().memory_size(8 << 16).table_elements(5_000).build();
        let mut store = Store::new(engine, limits);
        store.limiter(|limits| limits);
        Run { store, module: module.clone(), instance: None }
    }

    /// Nothing if the module asks for more than it may have.
    fn start(&mut self, plain: &wasmtime::Module) -> Option<End> {
        let imports: Result<Vec<Extern>, _> =
            self.module.imports().map(|import| import.ty().default_value(&mut self.store)).collect();
        match Instance::new(&mut self.store, &self.module, &imports.ok()?) {
            Ok(instance) => self.instance = Some(instance),
            Err(error) => return Some(End::of(&error)),
        }
        let begins = plain.get_export(meter::BEGIN).is_none() && self.module.get_export(meter::BEGIN).is_some();
        self.set_fuel(-FILLED);
        let end = if begins { self.call(meter::BEGIN, &[]) } else { End::Done(Vec::new()) };
        Some(if self.fuel() == STOPPED { End::OutOfFuel } else { end })
    }

    fn export(&mut self, name: &str) -> Option<Extern> {
        self.instance?.get_export(&mut self.store, name)
    }

    /// The count, where there is one.
    fn fuel(&mut self) -> i64 {
        let Some(Extern::Global(fuel)) = self.export(meter::FUEL) else { return 0 };
        fuel.get(&mut self.store).unwrap_i64()
    }

    fn set_fuel(&mut self, count: i64) {
        if let Some(Extern::Global(fuel)) = self.export(meter::FUEL) {
            fuel.set(&mut self.store, Val::I64(count)).unwrap();
        }
    }

    /// The pages of the memory, which a module exports if it has one.
    fn pages(&mut self) -> u32 {
        let memory = self.module.exports().find(|export| matches!(export.ty(), ExternType::Memory(_)));
        let name = memory.map(|memory| memory.name().to_owned());
        match name.and_then(|name| self.export(&name)) {
            Some(Extern::Memory(memory)) => memory.size(&self.store) as u32,
            _ => 0,
        }
    }

    fn call(&mut self, name: &str, arguments: &[u64]) -> End {
        let Some(Extern::Func(function)) = self.export(name) else { panic!("{name} is no function") };
        let of = function.ty(&self.store);
        let arguments: Vec<Val> = of.params().zip(arguments).map(|(of, bits)| value(&of, *bits)).collect();
        let mut results = vec![Val::I32(0); of.results().len()];
        match function.call(&mut self.store, &arguments, &mut results) {
            Ok(()) => End::Done(results.iter().map(bits).collect()),
            Err(error) => End::of(&error),
        }
    }

    /// What can be seen of an export.
    fn state(&mut self, name: &str) -> Vec<u8> {
        match self.export(name) {
            Some(Extern::Memory(memory)) => memory.data(&self.store).to_vec(),
            Some(Extern::Global(global)) => bits(&global.get(&mut self.store)).to_le_bytes().to_vec(),
            Some(Extern::Table(table)) => table.size(&self.store).to_le_bytes().to_vec(),
            _ => Vec::new(),
        }
    }
}

fn value(of: &wasmtime::ValType, bits: u64) -> Val {
    match of {
        wasmtime::ValType::I32 => Val::I32(bits as i32),
        wasmtime::ValType::I64 => Val::I64(bits as i64),
        wasmtime::ValType::F32 => Val::F32(bits as u32),
        wasmtime::ValType::F64 => Val::F64(bits),
        of => of.default_value().unwrap(),
    }
}

fn bits(value: &Val) -> u128 {
    match value {
        Val::I32(bits) => u128::from(*bits as u32),
        Val::I64(bits) => u128::from(*bits as u64),
        Val::F32(bits) => u128::from(*bits),
        Val::F64(bits) => u128::from(*bits),
        Val::V128(bits) => bits.as_u128(),
        value => u128::from(value.ref_().unwrap().is_null()),
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }
}
