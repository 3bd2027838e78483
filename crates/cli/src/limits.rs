//! What players may use: the limits of the game, unless the user says otherwise.

use anyhow::{Result, bail};
use ludus_games::Game;
use ludus_sandbox::Limits;

#[derive(clap::Args)]
pub struct LimitArgs {
    /// Fuel that each player may use in a match, instead of the game's limit
    #[arg(long, value_name = "UNITS")]
    fuel: Option<u64>,
    /// Memory that each player may use, instead of 128 MiB
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
    /// Let players use as much as they want
    #[arg(long, conflicts_with_all = ["fuel", "memory"])]
    no_limits: bool,
}

impl LimitArgs {
    /// The limits of the game, changed as asked.
    pub fn resolve(&self, game: &dyn Game) -> Result<Limits> {
        if self.no_limits {
            return Ok(Limits::none());
        }
        let mut limits = Limits::of(game.about().cpu);
        if let Some(fuel) = self.fuel {
            limits.fuel = fuel;
            limits.fuel_per_round = None;
        }
        if let Some(memory) = self.memory {
            if !(1..=2048).contains(&memory) {
                bail!("--memory must be from 1 to 2048 MiB, found {memory}");
            }
            limits.memory = (memory as usize) << 20;
        }
        Ok(limits)
    }
}
