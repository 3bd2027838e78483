//! The few functions that a player may call, each of them deterministic.
//!
//! A host call is paid for in fuel like everything else, so that a player
//! cannot make the host work for nothing.

use ludus_arena::replay::{Drawn, LONGEST_TEXT, Shape};
use ludus_games::Seat;
use wasmparser::{Parser, Payload, TypeRef};
use wasmtime::{AsContextMut, Caller, Engine, Global, ImportType, Linker, Memory, ResourceLimiter, Result, Val, bail};

use crate::limits::{FUEL_PER_SECOND, Limits};
use crate::meter::STOPPED;
use crate::null_page::within;

const LUDUS: &str = "ludus";
const WASI: &str = "wasi_snapshot_preview1";

/// Answers of WASI functions.
const SUCCESS: i32 = 0;
const BAD_DESCRIPTOR: i32 = 8;
const CANNOT_SEEK: i32 = 70;

/// What every host call costs, and then a buffer that it gets, a byte of output
/// and a byte of chance. `cargo bench -p ludus-sandbox --bench prices` says what
/// they cost the host.
const CALL_FUEL: u64 = 500;
const BUFFER_FUEL: u64 = 20;
const OUTPUT_FUEL: u64 = 2;
const CHANCE_FUEL: u64 = 10;

/// How much a player draws in a round without paying for it; nobody is shown
/// more.
const FREE_DRAWINGS: u32 = 1000;

/// What is looked at of the last that a player wrote before it failed.
const LAST_WORDS: usize = 4096;

/// What is kept at a time to look at that.
const MOST_OVERFLOW: usize = 8 * LAST_WORDS;

/// Why a player ended its own part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Ending {
    #[error("too many orders")]
    TooManyOrders,
    #[error("aborted")]
    Aborted,
    #[error("an exception that nobody caught")]
    Exception,
    #[error("out of memory")]
    OutOfMemory,
    #[error("exited with {0}")]
    Exited(i32),
    #[error("an unknown reason")]
    Unknown,
}

/// What the host keeps for one player.
pub struct Host {
    limits: Limits,
    /// Where the module counts its fuel and what it remembers, once there is
    /// a module.
    pub fuel: Option<Global>,
    pub memory: Option<Memory>,
    /// The bytes at the beginning of the memory that nobody may touch.
    pub guard: usize,
    /// The fuel that was there when it was last filled up, and what had been
    /// used before that; together they are the player's clock.
    pub fuel_filled: u64,
    pub fuel_used_before: u64,
    random: u64,
    pub output: Vec<u8>,
    kept: usize,
    /// The last that was written when there was no more room to keep it.
    overflow: Vec<u8>,
    /// What was drawn in this round, if anybody looks, and how often it was.
    pub drawn: Option<Vec<Drawn>>,
    pub drawings: u32,
}

impl Host {
    pub fn new(limits: Limits, seed: i32, seat: Seat) -> Host {
        let random = (u64::from(seed as u32) << 2 | seat.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        Host {
            limits,
            fuel: None,
            memory: None,
            guard: 0,
            fuel_filled: 0,
            fuel_used_before: 0,
            random,
            output: Vec::new(),
            kept: 0,
            overflow: Vec::new(),
            drawn: None,
            drawings: 0,
        }
    }

    /// Keeps output while there is room for it.
    fn keep(&mut self, bytes: &[u8]) {
        let room = self.limits.output - self.kept;
        let kept = &bytes[..bytes.len().min(room)];
        self.output.extend_from_slice(kept);
        self.kept += kept.len();
        let lost = &bytes[kept.len()..];
        if !lost.is_empty() && self.limits.output > 0 {
            self.overflow.extend_from_slice(&lost[lost.len().saturating_sub(LAST_WORDS)..]);
            // Not for every byte that is written alone.
            if self.overflow.len() > MOST_OVERFLOW {
                self.overflow.drain(..self.overflow.len() - LAST_WORDS);
            }
        }
    }

    /// The last that was written, whether it was kept or not.
    pub fn last_words(&self) -> &[u8] {
        let words = if self.overflow.is_empty() { &self.output } else { &self.overflow };
        &words[words.len().saturating_sub(LAST_WORDS)..]
    }
}

/// The count of fuel of a module that has so much left.
pub fn count_of(left: u64) -> i64 {
    -i64::try_from(left).unwrap_or(i64::MAX)
}

/// What is left with such a count.
pub fn left_of(count: i64) -> u64 {
    count.min(0).unsigned_abs()
}

/// A module's count of fuel.
pub fn fuel_count(mut store: impl AsContextMut<Data = Host>) -> i64 {
    let host = store.as_context().data();
    let Some(fuel) = host.fuel else { return count_of(host.fuel_filled) };
    fuel.get(&mut store).i64().unwrap_or(STOPPED)
}

pub fn set_fuel_count(store: impl AsContextMut<Data = Host>, count: i64) -> Result<()> {
    match store.as_context().data().fuel {
        Some(fuel) => fuel.set(store, Val::I64(count)),
        None => Ok(()),
    }
}

impl ResourceLimiter for Host {
    fn memory_growing(&mut self, _current: usize, desired: usize, _maximum: Option<usize>) -> Result<bool> {
        if desired > self.limits.memory {
            return Err(Ending::OutOfMemory.into());
        }
        Ok(true)
    }

    fn table_growing(&mut self, _current: usize, desired: usize, _maximum: Option<usize>) -> Result<bool> {
        Ok(desired <= 100_000)
    }
}

/// A function that is imported by its exact type: the check of modules lets it
/// pass, and only the compiler would refuse it.
pub fn exact(wasm: &[u8]) -> Option<String> {
    let imports = Parser::new(0).parse_all(wasm).find_map(|payload| match payload.ok()? {
        Payload::ImportSection(imports) => Some(imports),
        _ => None,
    })?;
    let exact = imports.into_imports().flatten().find(|import| matches!(import.ty, TypeRef::FuncExact(_)))?;
    Some(format!("{}.{} by its exact type", exact.module, exact.name))
}

/// Whether a module may import this: a function of the table below.
pub fn is_allowed(import: &ImportType<'_>) -> bool {
    let known = match import.module() {
        LUDUS => matches!(import.name(), "fault" | "draw"),
        WASI => FUNCTIONS.contains(&import.name()),
        _ => false,
    };
    known && import.ty().func().is_some()
}

const FUNCTIONS: [&str; 14] = [
    "fd_write",
    "fd_read",
    "fd_close",
    "fd_seek",
    "fd_fdstat_get",
    "environ_get",
    "environ_sizes_get",
    "args_get",
    "args_sizes_get",
    "clock_time_get",
    "clock_res_get",
    "random_get",
    "sched_yield",
    "proc_exit",
];

pub fn linker(engine: &Engine) -> Result<Linker<Host>> {
    let mut linker = Linker::new(engine);
    linker.func_wrap(LUDUS, "fault", fault)?;
    linker.func_wrap(LUDUS, "draw", draw)?;
    linker.func_wrap(WASI, "fd_write", fd_write)?;
    linker.func_wrap(WASI, "fd_read", fd_read)?;
    linker.func_wrap(WASI, "fd_close", |caller: Caller<'_, Host>, _: i32| answer(caller, SUCCESS))?;
    linker.func_wrap(WASI, "fd_seek", |caller: Caller<'_, Host>, _: i32, _: i64, _: i32, _: i32| {
        answer(caller, CANNOT_SEEK)
    })?;
    linker.func_wrap(WASI, "fd_fdstat_get", fd_fdstat_get)?;
    linker.func_wrap(WASI, "environ_get", |caller: Caller<'_, Host>, _: i32, _: i32| answer(caller, SUCCESS))?;
    linker.func_wrap(WASI, "environ_sizes_get", no_strings)?;
    linker.func_wrap(WASI, "args_get", |caller: Caller<'_, Host>, _: i32, _: i32| answer(caller, SUCCESS))?;
    linker.func_wrap(WASI, "args_sizes_get", no_strings)?;
    linker.func_wrap(WASI, "clock_time_get", clock_time_get)?;
    linker.func_wrap(WASI, "clock_res_get", clock_res_get)?;
    linker.func_wrap(WASI, "random_get", random_get)?;
    linker.func_wrap(WASI, "sched_yield", |caller: Caller<'_, Host>| answer(caller, SUCCESS))?;
    linker.func_wrap(WASI, "proc_exit", |code: i32| -> Result<()> { Err(Ending::Exited(code).into()) })?;
    Ok(linker)
}

/// A call that only has to be paid for.
fn answer(mut caller: Caller<'_, Host>, with: i32) -> Result<i32> {
    pay(&mut caller, CALL_FUEL)?;
    Ok(with)
}

fn fault(reason: i32) -> Result<()> {
    Err(match reason {
        1 => Ending::TooManyOrders,
        2 => Ending::Aborted,
        3 => Ending::Exception,
        4 => Ending::OutOfMemory,
        _ => Ending::Unknown,
    }
    .into())
}

/// Draws for the player's author. It costs the same whether anybody looks or
/// not, so that a player that draws is the same everywhere: nothing for as much as
/// a person can look at, and then what every call costs.
#[allow(clippy::too_many_arguments)]
fn draw(
    mut caller: Caller<'_, Host>,
    kind: i32,
    colour: i32,
    a: i32,
    b: i32,
    c: i32,
    d: i32,
    text: i32,
    len: i32,
) -> Result<()> {
    caller.data_mut().drawings += 1;
    if caller.data().drawings > FREE_DRAWINGS {
        return pay(&mut caller, CALL_FUEL);
    }
    let Some(shape) = Shape::of(kind, [a, b, c, d]) else { return Ok(()) };
    let (start, len) = (text as u32 as usize, (len.max(0) as usize).min(LONGEST_TEXT));
    let (data, host) = memory(&caller)?.data_and_store_mut(&mut caller);
    let Some(bytes) = within(host.guard, start, len).and_then(|range| data.get(range)) else {
        bail!("a drawing from outside the memory");
    };
    let Some(drawn) = &mut host.drawn else { return Ok(()) };
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    while text.len() > LONGEST_TEXT {
        text.pop();
    }
    let colour = u32::try_from(colour).ok().map(|colour| colour & 0xff_ffff);
    drawn.push(Drawn { shape, colour, text });
    Ok(())
}

fn fd_write(mut caller: Caller<'_, Host>, descriptor: i32, vectors: i32, count: i32, written: i32) -> Result<i32> {
    let count = count.max(0) as usize;
    pay(&mut caller, CALL_FUEL + count as u64 * BUFFER_FUEL)?;
    if !matches!(descriptor, 1 | 2) {
        return Ok(BAD_DESCRIPTOR);
    }
    let guard = caller.data().guard;
    let listed = buffers(memory(&caller)?.data(&caller), guard, vectors, count)?;
    let total = listed.map(|(_, len)| len as u64).sum::<u64>();
    pay(&mut caller, total * OUTPUT_FUEL)?;
    let (data, host) = memory(&caller)?.data_and_store_mut(&mut caller);
    for (start, len) in buffers(data, guard, vectors, count)? {
        let Some(bytes) = within(guard, start, len).and_then(|range| data.get(range)) else {
            bail!("output from outside the memory")
        };
        host.keep(bytes);
    }
    put(&mut caller, written, &(total as u32).to_le_bytes())
}

/// Address and length of each buffer in a list of them.
fn buffers(data: &[u8], guard: usize, vectors: i32, count: usize) -> Result<impl Iterator<Item = (usize, usize)>> {
    let range = within(guard, vectors as u32 as usize, 8 * count);
    let Some(list) = range.and_then(|range| data.get(range)) else { bail!("buffers listed outside the memory") };
    let number = |bytes: [u8; 4]| u32::from_le_bytes(bytes) as usize;
    Ok(list
        .as_chunks::<8>()
        .0
        .iter()
        .map(move |&[a, b, c, d, e, f, g, h]| (number([a, b, c, d]), number([e, f, g, h]))))
}

/// Standard input is at its end.
fn fd_read(mut caller: Caller<'_, Host>, descriptor: i32, _vectors: i32, _count: i32, read: i32) -> Result<i32> {
    pay(&mut caller, CALL_FUEL)?;
    if descriptor != 0 {
        return Ok(BAD_DESCRIPTOR);
    }
    put(&mut caller, read, &0u32.to_le_bytes())
}

/// The standard streams are character devices, and there is nothing else.
fn fd_fdstat_get(mut caller: Caller<'_, Host>, descriptor: i32, at: i32) -> Result<i32> {
    pay(&mut caller, CALL_FUEL)?;
    if !(0..=2).contains(&descriptor) {
        return Ok(BAD_DESCRIPTOR);
    }
    let mut stat = [0; 24];
    stat[0] = 2;
    put(&mut caller, at, &stat)
}

fn no_strings(mut caller: Caller<'_, Host>, count: i32, bytes: i32) -> Result<i32> {
    pay(&mut caller, CALL_FUEL)?;
    put(&mut caller, count, &0u32.to_le_bytes())?;
    put(&mut caller, bytes, &0u32.to_le_bytes())
}

/// The clock shows the CPU used, in nanoseconds.
fn clock_time_get(mut caller: Caller<'_, Host>, _clock: i32, _precision: i64, at: i32) -> Result<i32> {
    pay(&mut caller, CALL_FUEL)?;
    let left = left_of(fuel_count(&mut caller));
    let host = caller.data();
    let used = host.fuel_used_before + (host.fuel_filled - left);
    let nanoseconds = u128::from(used) * 1_000_000_000 / u128::from(FUEL_PER_SECOND);
    put(&mut caller, at, &(nanoseconds as u64).to_le_bytes())
}

fn clock_res_get(mut caller: Caller<'_, Host>, _clock: i32, at: i32) -> Result<i32> {
    pay(&mut caller, CALL_FUEL)?;
    put(&mut caller, at, &1u64.to_le_bytes())
}

fn random_get(mut caller: Caller<'_, Host>, at: i32, len: i32) -> Result<i32> {
    let len = len as u32 as usize;
    pay(&mut caller, CALL_FUEL + len as u64 * CHANCE_FUEL)?;
    let (data, host) = memory(&caller)?.data_and_store_mut(&mut caller);
    let start = at as u32 as usize;
    let Some(bytes) = within(host.guard, start, len).and_then(|range| data.get_mut(range)) else {
        bail!("random numbers to outside the memory");
    };
    for byte in bytes {
        // xorshift64*: enough for whoever asks for chance without a seed.
        host.random ^= host.random >> 12;
        host.random ^= host.random << 25;
        host.random ^= host.random >> 27;
        *byte = (host.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 56) as u8;
    }
    Ok(SUCCESS)
}

fn pay(caller: &mut Caller<'_, Host>, fuel: u64) -> Result<()> {
    match left_of(fuel_count(&mut *caller)).checked_sub(fuel) {
        Some(left) => set_fuel_count(caller, count_of(left)),
        None => {
            set_fuel_count(caller, STOPPED)?;
            bail!("no fuel is left")
        }
    }
}

fn memory(caller: &Caller<'_, Host>) -> Result<Memory> {
    match caller.data().memory {
        Some(memory) => Ok(memory),
        None => bail!("the module has no memory"),
    }
}

fn put(caller: &mut Caller<'_, Host>, at: i32, bytes: &[u8]) -> Result<i32> {
    let at = at as u32 as usize;
    if within(caller.data().guard, at, bytes.len()).is_none() {
        bail!("an answer through a null pointer");
    }
    memory(caller)?.write(&mut *caller, at, bytes)?;
    Ok(SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_are_kept_however_they_are_written() {
        let limits = Limits { output: 10, ..Limits::none() };
        let text: Vec<u8> = (0..100_000u32).map(|k| (k % 251) as u8).collect();
        for piece in [1, 7, 5_000, 100_000] {
            let (mut host, mut moved) = (Host::new(limits.clone(), 1, Seat::ALL[0]), 0);
            for bytes in text.chunks(piece) {
                let before = host.overflow.len();
                host.keep(bytes);
                assert!(host.overflow.len() <= MOST_OVERFLOW);
                let is_full = before >= LAST_WORDS && host.overflow.len() <= before;
                moved += if is_full { LAST_WORDS } else { 0 };
            }
            // Whoever writes byte by byte pays for one byte and has no more moved.
            assert!(moved <= text.len(), "{moved} bytes are moved, {piece} at a time");
            assert_eq!(host.output, text[..10]);
            assert_eq!(host.last_words(), &text[text.len() - LAST_WORDS..], "{piece} at a time");
        }
    }
}
