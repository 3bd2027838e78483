//! Players as WebAssembly modules: compiled, metered and isolated.
//!
//! Every player has a memory of its own and can call nothing but a handful of
//! deterministic functions. What it may use is counted in fuel, so a player
//! that runs out does so on every machine in the same round. The interface is
//! described in `docs/abi.md`.

pub mod build;
mod cache;
mod imports;
mod limits;
mod meter;
mod player;
mod process;
mod runtime;

pub use limits::{FUEL_PER_SECOND, Limits, VERSION as LIMITS_VERSION};
pub use player::{Introduction, SandboxedPlayer};
pub use process::NativePlayer;
pub use runtime::{ABI, PlayerModule, Refused, Sandbox};
