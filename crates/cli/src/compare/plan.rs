//! From the arguments to a comparison: whatever can be wrong is said here, before
//! the first match.

use anyhow::{Context, Result, bail};
use ludus_arena::{Comparison, Demands, Pairing};
use ludus_games::{Game, Seat};
use serde_json::json;

use super::Args;
use crate::contestants::{self, Contestant};
use crate::names;
use crate::output::Output;
use crate::setup::{Setup, parse_seeds};
use crate::shell;

/// Configs that are played on at once.
const MOST_CONFIGS: usize = 16;

pub struct Plan {
    pub setup: Setup,
    /// The new version, the old one and the rivals.
    pub contestants: Vec<Contestant>,
    /// What the two versions are called in the answer.
    pub names: [String; 2],
    pub comparison: Comparison,
    pub pairing: Pairing,
    pub most_matches: u64,
    /// The command line that this is the plan of.
    pub command: String,
}

impl Plan {
    pub fn resolve(args: &Args) -> Result<Plan> {
        let (game, versions) = game_and_versions(&args.words)?;
        check_field(&args.field)?;
        if args.input.len() > MOST_CONFIGS {
            bail!("--input: at most {MOST_CONFIGS} configs, got {}", args.input.len());
        }
        let demands = Demands { alpha: args.alpha, beta: args.beta, margin: args.margin };
        let setup = Setup::resolve(game, &args.input, &args.setup)?;
        let boards = setup.boards.len() as u16;
        let comparison = Comparison::on_boards(demands, boards)?;
        let seeds = args.seeds.as_deref().map(|text| parse_seeds(game, text)).transpose()?;
        let (first, last) = seeds.unwrap_or((1, i32::MAX));
        let pairing = Pairing::on_boards(first, boards);
        let least = pairing.on_a_seed();
        let seeds = ((i64::from(last) - i64::from(first)) as u64 + 1).min(args.max_matches / least);
        if seeds == 0 {
            bail!(
                "--max-matches {}: on one seed {least} matches are played, so take at least {least}",
                args.max_matches
            );
        }
        setup.check_boards(first)?;
        let words: Vec<String> = versions.iter().chain(&args.field).cloned().collect();
        let contestants = contestants::load_many(game, &words, setup.jobs)?;
        if contestants[0].program == contestants[1].program {
            eprintln!("note: {} and {} are the same program", versions[0], versions[1]);
        }
        if let Some(path) = &args.report {
            // A file that cannot be written must not be found out at the end.
            drop(Output::create(path).context("the report")?);
        }
        let named = |k: usize| match contestants[0].name == contestants[1].name {
            true => versions[k].clone(),
            false => contestants[k].name.clone(),
        };
        let names = [named(0), named(1)];
        let (most_matches, command) = (seeds * least, shell::command_line());
        Ok(Plan { setup, contestants, names, comparison, pairing, most_matches, command })
    }

    /// Everything that decides the results of matches, by which a journal knows
    /// its run. What is demanded of the answer is not part of it.
    pub fn identity(&self) -> serde_json::Value {
        let players: Vec<&str> = self.contestants.iter().map(|contestant| contestant.program.as_str()).collect();
        let configs: Vec<&str> = self.setup.boards.iter().map(|board| board.hash.as_str()).collect();
        json!({
            "ludus journal": 2,
            "kind": "comparison",
            "game": self.setup.game.about().id,
            "configs": configs,
            "players": players,
            "first seed": self.pairing.fixture(0).seed,
            "limits": self.setup.limits_json(),
        })
    }
}

/// Three rivals.
pub fn check_field(field: &[String]) -> Result<()> {
    if field.len() != Seat::COUNT - 1 {
        bail!("--field takes three rivals like Demo,Demo,Dummy, got {}", field.len());
    }
    Ok(())
}

/// The game, if it is the first of three words or can be told from the players.
fn game_and_versions(words: &[String]) -> Result<(&'static dyn Game, &[String])> {
    if let [game, versions @ ..] = words
        && versions.len() == 2
    {
        return Ok((names::game(game)?, versions));
    }
    if ludus_games::find(&words[0]).is_some() {
        let game = &words[0];
        if words.len() > 3 {
            bail!(
                "'ludus compare {game}' takes a new and an old version, got {}; commas are between the rivals of --field: Demo,Demo,Dummy",
                words.len() - 1
            );
        }
        bail!("'ludus compare {game}' needs a new and an old version");
    }
    match words.iter().find_map(|word| contestants::game_of(word)) {
        Some(game) => Ok((game, words)),
        None => bail!("which game do {} and {} play? Say it first: ludus compare GAME NEW OLD", words[0], words[1]),
    }
}
