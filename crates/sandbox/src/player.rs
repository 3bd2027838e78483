//! A module in a seat.

use std::sync::Arc;

use ludus_arena::replay::Drawn;
use ludus_arena::{Fault, MOST_WORDS, Player, Program, Turn};
use ludus_games::orders::TooManyOrders;
use ludus_games::{Orders, Seat, Status};
use wasmtime::{Memory, Store, Trap, TypedFunc};

use crate::crash::{self, Death};
use crate::imports::{self, Ending, Host, count_of, left_of};
use crate::limits::Limits;
use crate::meter;
use crate::null_page::{Home, within};
use crate::runtime::{ABI, OLDEST_ABI, PlayerModule, Refused, root_cause, with_room};
use crate::symbols;

/// Fuel to say what the module is.
const INTRODUCTION_FUEL: u64 = 1_000_000_000;

/// A player that runs in the sandbox.
pub struct SandboxedPlayer {
    limits: Limits,
    seed: i32,
    seat: Seat,
    module: PlayerModule,
    /// Values of the player's parameters, where `ludus tune` tries some.
    parameters: Arc<[f64]>,
    /// Made on the first turn, so that a fault in a constructor is the player's
    /// fault and not an error of the match.
    instance: Option<Instance>,
    used: u64,
    /// What a player wrote that failed before it was made.
    unborn_output: Vec<u8>,
    /// How it failed, of which its author has not been told yet, and the last
    /// that it wrote.
    death: Option<Death>,
    last_words: Vec<u8>,
    /// Whether anybody looks at what it draws.
    is_watched: bool,
}

struct Instance {
    home: Home,
    memory: Memory,
    /// The count of fuel, which is with the module while it runs.
    count: i64,
    buffer: TypedFunc<i32, i32>,
    play: TypedFunc<(i32, i64), (i32, i64)>,
    /// Address and size of the bytes in which the host may write.
    buffer_at: usize,
    buffer_len: usize,
}

/// What a module says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Introduction {
    pub game: String,
    pub name: String,
}

impl PlayerModule {
    /// Asks the module for its game and its name.
    pub fn introduce(&self) -> Result<Introduction, Refused> {
        with_room(|| self.introduce_here())
    }

    fn introduce_here(&self) -> Result<Introduction, Refused> {
        let limits =
            Limits { fuel: INTRODUCTION_FUEL, fuel_per_round: None, memory: Limits::MEMORY, output: 0, metered: false };
        let mut home = self.home(limits, 0, Seat::ALL[0]);
        home.store.data_mut().fuel_filled = INTRODUCTION_FUEL;
        let instance = self.instantiate(&mut home, &[]).map_err(|error| silent(&mut home.store, error))?;
        let store = &mut home.store;
        let mut number = |name: &str| -> Result<i32, Refused> {
            let function = instance.get_typed_func::<(), i32>(&mut *store, name);
            function.and_then(|function| function.call(&mut *store, ())).map_err(|error| silent(&mut *store, error))
        };
        let version = number("ludus_abi")?;
        if !(OLDEST_ABI..=ABI).contains(&version) {
            return Err(Refused::Version(version));
        }
        let (game, name) = (number("ludus_game")?, number("ludus_name")?);
        let memory = instance.get_memory(&mut *store, "memory").ok_or(Refused::Export("memory"))?;
        let text = |at: i32| {
            text_at(memory.data(&*store), store.data().guard, at)
                .ok_or_else(|| Refused::Silent("its name or game is no text".to_owned()))
        };
        Ok(Introduction { game: text(game)?, name: text(name)? })
    }

    /// The module as the player in a seat of a match.
    pub fn player(&self, limits: Limits, seed: i32, seat: Seat) -> SandboxedPlayer {
        self.tuned_player(limits, seed, seat, Arc::default())
    }

    /// The same for a module that was compiled to be tuned: its parameters take
    /// these values.
    pub fn tuned_player(&self, limits: Limits, seed: i32, seat: Seat, parameters: Arc<[f64]>) -> SandboxedPlayer {
        SandboxedPlayer {
            limits,
            seed,
            seat,
            module: self.clone(),
            parameters,
            instance: None,
            used: 0,
            unborn_output: Vec::new(),
            death: None,
            last_words: Vec::new(),
            is_watched: false,
        }
    }

    fn home(&self, limits: Limits, seed: i32, seat: Seat) -> Home {
        let mut store = Store::new(self.sandbox.engine(), Host::new(limits, seed, seat));
        store.limiter(|host| host);
        Home::new(store)
    }

    /// An instance with the fuel that the host has for it.
    fn instantiate(&self, home: &mut Home, parameters: &[f64]) -> wasmtime::Result<wasmtime::Instance> {
        let instance = self.ready.instantiate(&mut home.store)?;
        let memory = instance.get_memory(&mut home.store, "memory");
        if let Some(memory) = memory.filter(|_| self.is_guarded) {
            home.guard(memory)?;
        }
        let store = &mut home.store;
        let fuel = instance.get_global(&mut *store, meter::FUEL);
        store.data_mut().fuel = fuel;
        store.data_mut().memory = memory;
        let filled = store.data().fuel_filled;
        imports::set_fuel_count(&mut *store, count_of(filled))?;
        if !parameters.is_empty() {
            let give = instance.get_typed_func::<(i32, f64), ()>(&mut *store, "ludus_tune")?;
            for (number, value) in parameters.iter().enumerate() {
                give.call(&mut *store, (number as i32, *value))?;
            }
        }
        for name in [meter::BEGIN, "_initialize"] {
            if let Ok(function) = instance.get_typed_func::<(), ()>(&mut *store, name) {
                function.call(&mut *store, ())?;
            }
        }
        Ok(instance)
    }
}

impl SandboxedPlayer {
    /// The same, whose drawings are kept until they are taken.
    #[must_use]
    pub fn watched(self) -> SandboxedPlayer {
        SandboxedPlayer { is_watched: true, ..self }
    }

    /// Everything of a round that the module's code does, or may spoil.
    fn take_turn(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Failure> {
        let left = self.limits.fuel - self.used;
        let filled = left.min(self.limits.fuel_per_round.unwrap_or(u64::MAX)).min(i64::MAX as u64);
        if self.instance.is_none() {
            let mut home = self.module.home(self.limits.clone(), self.seed, self.seat);
            home.store.data_mut().drawn = self.is_watched.then(Vec::new);
            self.start(home, filled, turn)?;
        } else if let Some(instance) = &mut self.instance {
            instance.fill(filled, self.used);
        }
        let instance = self.instance.as_mut().expect("it has just been made");
        let done = turn.with_view(|view| instance.play(view, orders));
        self.used += filled - left_of(instance.count);
        done
    }

    fn start(&mut self, mut home: Home, filled: u64, turn: Turn<'_>) -> Result<(), Failure> {
        home.store.data_mut().fuel_filled = filled;
        let started = Instance::start(&self.module, &self.parameters, &mut home, self.seed, self.seat, turn);
        let count = imports::fuel_count(&mut home.store);
        let (memory, buffer, play, buffer_at, buffer_len) = match started {
            Ok(parts) => parts,
            Err(failure) => {
                self.used += filled - left_of(count);
                let host = home.store.data_mut();
                self.last_words = host.last_words().to_vec();
                self.unborn_output = std::mem::take(&mut host.output);
                return Err(failure.or_out_of_fuel(count));
            }
        };
        self.instance = Some(Instance { home, memory, count, buffer, play, buffer_at, buffer_len });
        Ok(())
    }
}

type Started = (Memory, TypedFunc<i32, i32>, TypedFunc<(i32, i64), (i32, i64)>, usize, usize);

impl Instance {
    fn start(
        module: &PlayerModule,
        parameters: &[f64],
        home: &mut Home,
        seed: i32,
        seat: Seat,
        turn: Turn<'_>,
    ) -> Result<Started, Failure> {
        let instance = module.instantiate(home, parameters)?;
        let store = &mut home.store;
        let memory = instance.get_memory(&mut *store, "memory").ok_or(Failure::Malformed("no memory"))?;
        let buffer = instance.get_typed_func::<i32, i32>(&mut *store, "ludus_room")?;
        let start = instance.get_typed_func::<(i32, i32, i32), ()>(&mut *store, "ludus_start")?;
        instance.get_typed_func::<i32, i32>(&mut *store, meter::PLAY)?;
        let play = instance.get_typed_func::<(i32, i64), (i32, i64)>(&mut *store, meter::COUNTED_PLAY)?;
        let mut settings = Vec::new();
        turn.state.game().write_settings(turn.state, &mut settings);
        let at = buffer.call(&mut *store, settings.len() as i32)? as u32 as usize;
        let guard = store.data().guard;
        write(memory.data_mut(&mut *store), guard, at, &settings)?;
        start.call(&mut *store, (seat.index() as i32, seed, settings.len() as i32))?;
        Ok((memory, buffer, play, at, settings.len()))
    }

    fn fill(&mut self, fuel: u64, used: u64) {
        let host = self.home.store.data_mut();
        host.fuel_filled = fuel;
        host.fuel_used_before = used;
        host.drawings = 0;
        if let Some(drawn) = &mut host.drawn {
            drawn.clear();
        }
        self.count = count_of(fuel);
    }

    fn play(&mut self, view: &[u8], orders: &mut Orders) -> Result<(), Failure> {
        let at = self.ask(view).map_err(|failure| {
            // A module that was stopped has not given its count back.
            if matches!(failure, Failure::Wasm(_)) {
                self.count = imports::fuel_count(&mut self.home.store);
            }
            failure.or_out_of_fuel(self.count)
        })?;
        let store = &self.home.store;
        let at = Some(at as u32 as usize).filter(|at| *at >= store.data().guard).ok_or(OUTSIDE)?;
        read_orders(self.memory.data(store), at, orders)
    }

    /// The address of the orders.
    fn ask(&mut self, view: &[u8]) -> Result<i32, Failure> {
        if view.len() > self.buffer_len {
            imports::set_fuel_count(&mut self.home.store, self.count)?;
            self.buffer_at = self.buffer.call(&mut self.home.store, view.len() as i32)? as u32 as usize;
            self.buffer_len = view.len();
            self.count = imports::fuel_count(&mut self.home.store);
        }
        let guard = self.home.store.data().guard;
        write(self.memory.data_mut(&mut self.home.store), guard, self.buffer_at, view)?;
        let (at, count) = self.play.call(&mut self.home.store, (view.len() as i32, self.count))?;
        self.count = count;
        Ok(at)
    }
}

impl Player for SandboxedPlayer {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        let state = turn.state;
        with_room(|| self.take_turn(turn, orders)).map_err(|failure| {
            let (round, fault) = (state.round(), failure.fault());
            if let Some(instance) = &self.instance {
                self.last_words = instance.home.store.data().last_words().to_vec();
            }
            self.death = Some(Death { round, cause: failure });
            fault
        })
    }

    fn status(&self) -> Status {
        if self.limits.metered { Status::share(self.used, self.limits.fuel) } else { Status::UNUSED }
    }

    fn fuel(&self) -> u64 {
        self.used
    }

    fn program(&self) -> Program {
        Program::Module { hash: self.module.hash(), allowance: self.limits.allowance() }
    }

    fn take_drawing(&mut self, drawn: &mut Vec<Drawn>) {
        if let Some(found) = self.instance.as_mut().and_then(|instance| instance.home.store.data_mut().drawn.as_mut()) {
            drawn.append(found);
        }
    }

    fn take_output(&mut self, output: &mut Vec<u8>) {
        output.append(&mut self.unborn_output);
        if let Some(instance) = &mut self.instance {
            output.append(&mut instance.home.store.data_mut().output);
        }
        // Where nothing is kept, nobody reads.
        let Some(death) = self.death.take().filter(|_| self.limits.output > 0) else { return };
        let module = &self.module;
        let symbols = module.symbols.as_deref().and_then(symbols::kept);
        let telling = death.telling(output, &self.last_words, symbols, module.files.as_deref().cloned());
        crash::tell(output, &telling, module.sandbox.explainer());
    }
}

pub(crate) enum Failure {
    Wasm(wasmtime::Error),
    Malformed(&'static str),
    OutOfFuel(wasmtime::Error),
}

impl Failure {
    /// The failure of a module with such a count of fuel.
    fn or_out_of_fuel(self, count: i64) -> Failure {
        match self {
            Failure::Wasm(error) if count == meter::STOPPED => Failure::OutOfFuel(error),
            failure => failure,
        }
    }

    pub fn fault(&self) -> Fault {
        match self {
            Failure::Malformed(what) => Fault::MalformedOrders((*what).into()),
            Failure::Wasm(error) => reason(error),
            Failure::OutOfFuel(_) => Fault::OutOfFuel,
        }
    }
}

impl From<wasmtime::Error> for Failure {
    fn from(error: wasmtime::Error) -> Self {
        Failure::Wasm(error)
    }
}

/// Why a module does not say what it is.
fn silent(store: &mut Store<Host>, error: wasmtime::Error) -> Refused {
    Refused::Silent(Failure::Wasm(error).or_out_of_fuel(imports::fuel_count(store)).fault().to_string())
}

/// What the error of a module means in terms of the game.
fn reason(error: &wasmtime::Error) -> Fault {
    if let Some(ending) = error.downcast_ref::<Ending>() {
        return match ending {
            Ending::TooManyOrders => Fault::TooManyOrders(TooManyOrders),
            Ending::OutOfMemory => Fault::OutOfMemory,
            ending => Fault::Ended(ending.to_string()),
        };
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::StackOverflow) => Fault::StackOverflow,
        Some(trap) => Fault::Trap(trap.to_string()),
        None => Fault::Trap(root_cause(error)),
    }
}

const OUTSIDE: Failure = Failure::Malformed("the orders are outside the memory");

fn write(memory: &mut [u8], guard: usize, at: usize, bytes: &[u8]) -> Result<(), Failure> {
    let buffer = within(guard, at, bytes.len()).and_then(|range| memory.get_mut(range));
    buffer.ok_or(Failure::Malformed("the room for the state is outside the memory"))?.copy_from_slice(bytes);
    Ok(())
}

/// Reads the answer to a turn, which is hostile until read. How many orders are
/// too many is the game's to say.
pub(crate) fn read_orders(memory: &[u8], at: usize, orders: &mut Orders) -> Result<(), Failure> {
    let words = memory.get(at..).ok_or(OUTSIDE)?.as_chunks::<4>().0;
    let (count, mut words) = words.split_first().ok_or(OUTSIDE)?;
    let count = i32::from_le_bytes(*count);
    if count < 0 {
        return Err(Failure::Malformed("a negative number of orders"));
    }
    let mut left = MOST_WORDS;
    for _ in 0..count {
        let (len, rest) = words.split_first().ok_or(OUTSIDE)?;
        let len = u32::from_le_bytes(*len) as usize;
        left = left.checked_sub(len).ok_or(Failure::Malformed("orders with too many words"))?;
        let (order, rest) = rest.split_at_checked(len).ok_or(OUTSIDE)?;
        orders.push_words(order.iter().map(|word| i32::from_le_bytes(*word)));
        words = rest;
    }
    Ok(())
}

/// A text of at most 64 bytes that ends with a zero.
fn text_at(memory: &[u8], guard: usize, at: i32) -> Option<String> {
    let at = Some(at as u32 as usize).filter(|at| *at >= guard)?;
    let rest = memory.get(at..)?;
    let len = rest.iter().take(64).position(|&byte| byte == 0)?;
    String::from_utf8(rest[..len].to_vec()).ok()
}
