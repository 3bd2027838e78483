//! What one player may use: fuel, memory, output; and what fuel stands for.

use ludus_arena::Allowance;
use ludus_games::game::CpuLimit;

/// Changes whenever one of the published limits, or the cost of anything, does:
/// results are comparable only under the same version.
pub const VERSION: u32 = 2;

/// Units of fuel that stand for one second of CPU; see `docs/abi.md` for the
/// measurement.
pub const FUEL_PER_SECOND: u64 = 20_000_000_000;

const MIB: usize = 1 << 20;

/// The largest module that is looked at.
pub const LARGEST_MODULE: usize = 8 * MIB;

/// The most memory that anybody gets.
pub(crate) const LARGEST_MEMORY: usize = 1 << 31;

/// What one player may use in one match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Fuel for the whole match.
    pub fuel: u64,
    /// Fuel for one round, where the game has such a limit.
    pub fuel_per_round: Option<u64>,
    /// Bytes of memory.
    pub memory: usize,
    /// Bytes of output that are kept.
    pub output: usize,
    /// Whether the status of a seat tells what it has used.
    pub metered: bool,
}

impl Limits {
    pub const MEMORY: usize = 128 * MIB;
    pub const OUTPUT: usize = MIB;

    /// The published limits of a game.
    pub fn of(cpu: CpuLimit) -> Limits {
        let fuel = |milliseconds: u32| u64::from(milliseconds) * (FUEL_PER_SECOND / 1000);
        Limits {
            fuel: fuel(cpu.match_ms),
            fuel_per_round: cpu.round_ms.map(fuel),
            memory: Limits::MEMORY,
            output: Limits::OUTPUT,
            metered: true,
        }
    }

    /// What a replay keeps of the limits.
    pub fn allowance(&self) -> Allowance {
        Allowance {
            version: VERSION,
            fuel: self.fuel,
            fuel_per_round: self.fuel_per_round,
            memory: self.memory as u64,
            metered: self.metered,
        }
    }

    /// The limits that a replay tells of, to play its match again.
    pub fn again(allowance: &Allowance) -> Limits {
        Limits {
            fuel: allowance.fuel,
            fuel_per_round: allowance.fuel_per_round,
            memory: usize::try_from(allowance.memory).unwrap_or(usize::MAX).min(LARGEST_MEMORY),
            output: 0,
            metered: allowance.metered,
        }
    }

    /// No limit but those that protect the host.
    pub fn none() -> Limits {
        Limits { fuel: u64::MAX >> 1, fuel_per_round: None, memory: LARGEST_MEMORY, output: 64 * MIB, metered: false }
    }
}
