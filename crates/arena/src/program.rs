//! What a player is to a replay: the program to run again, and what it may use.

use ludus_games::Status;

/// What a player is, as far as a replay needs to know to run it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A player that comes with the game, by name.
    Builtin(String),
    /// A module, by its SHA-256, and what it was allowed to use.
    Module { hash: [u8; 32], allowance: Allowance },
    /// Something that nobody else can run, like a native process.
    Unknown,
}

/// What a module may use in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The version of the limits and costs; fuel is comparable only under the same.
    pub version: u32,
    /// Fuel for the whole match.
    pub fuel: u64,
    /// Fuel for one round, where there is such a limit.
    pub fuel_per_round: Option<u64>,
    /// Bytes of memory.
    pub memory: u64,
    /// Whether the status of a seat tells what it has used.
    pub metered: bool,
}

impl Program {
    /// Whether its fuel is counted.
    pub fn is_metered(&self) -> bool {
        matches!(self, Program::Module { .. })
    }

    /// The status of a seat that has used so much fuel and is not frozen.
    pub fn status(&self, fuel: u64) -> Status {
        match self {
            Program::Module { allowance, .. } if allowance.metered => Status::share(fuel, allowance.fuel),
            _ => Status::UNUSED,
        }
    }
}
