//! Players as WebAssembly modules: compiled, metered and isolated.
//!
//! Every player has a memory of its own and can call nothing but a handful of
//! deterministic functions. What it may use is counted in fuel, so a player
//! that runs out does so on every machine in the same round. The interface is
//! described in `docs/abi.md`.

pub mod build;
mod cache;
mod caps;
mod clock;
mod crash;
mod imports;
pub mod letter;
mod likeness;
mod limits;
pub mod meter;
mod null_page;
mod overtime;
pub mod own_program;
mod player;
mod priority;
#[cfg(unix)]
mod process;
#[cfg(not(unix))]
#[path = "process_elsewhere.rs"]
mod process;
mod runtime;
pub mod source;
mod symbols;
mod translate;

pub use caps::{CAPS, Cap, CapExceeded, Sizes};
pub use clock::{cpu_time, limit_memory};
pub use crash::{EXPLAIN, explain};
pub use likeness::CodePrints;
pub use limits::{FUEL_PER_SECOND, LARGEST_MODULE, Limits, VERSION as LIMITS_VERSION};
pub use overtime::{Overtime, TIMES as OVERTIME_TIMES};
pub use own_program::OwnProgram;
pub use player::{Introduction, SandboxedPlayer};
pub use priority::giving_way;
pub use process::NativePlayer;
pub use runtime::{ABI, PlayerModule, Refused, Sandbox};
pub use translate::{TRANSLATE, translate};
