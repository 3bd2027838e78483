//! From the arguments to a search: whatever can be wrong is said here, before the
//! first match.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use ludus_arena::tune::{MATCHES, Method, Space, steps};
use ludus_arena::{Entrant, Fixture, Pairing};
use ludus_games::{Game, Seat};
use ludus_sandbox::build::{Builder, Language, hex};
use ludus_sandbox::{PlayerModule, Sandbox};
use serde_json::json;

use super::Args;
use super::parameters::{self, Declared};
use crate::compare::check_field;
use crate::contestants::{self, Contestant};
use crate::names;
use crate::output::Output;
use crate::setup::Setup;
use crate::shell;

pub struct Plan {
    pub setup: Setup,
    pub name: String,
    language: Language,
    declared: Vec<Declared>,
    pub space: Space,
    module: PlayerModule,
    pub rivals: Vec<Contestant>,
    pub method: Method,
    pub first_seed: i32,
    /// Seeds of a step, and steps.
    pub seeds: u64,
    pub steps: u64,
    /// For what is found: the most matches, and the margin.
    pub confirm: u64,
    pub margin: f64,
    /// The command line that this is the plan of.
    pub command: String,
}

impl Plan {
    pub fn resolve(args: &Args) -> Result<Plan> {
        let (game, word) = game_and_player(&args.words)?;
        check_field(&args.field)?;
        let file = contestants::source_of(word)?;
        let language = Language::of(&file).context("a player to be tuned is a .cc or .rs file")?;
        let source = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let declared = parameters::declared(&source, language).with_context(|| file.display().to_string())?;
        if declared.is_empty() {
            bail!("{} declares no parameters; {}", file.display(), how_to_declare(language));
        }
        let setup = Setup::resolve(game, args.input.as_slice(), &args.setup)?;
        setup.check_boards(args.seed)?;
        let rivals = contestants::load_many(game, &args.field, setup.jobs)?;
        let module = load(game, language, &file, &parameters::tunable(&source, language, &declared), setup.jobs)?;
        if let Some(path) = &args.report {
            drop(Output::create(path).context("the report")?);
        }
        let method = args.method.method();
        let (seeds, steps) = steps(args.matches, method.points());
        let space = Space { parameters: declared.iter().map(|one| one.parameter.clone()).collect() };
        let name = module.introduce()?.name;
        Ok(Plan {
            setup,
            name,
            language,
            declared,
            space,
            module,
            rivals,
            method,
            first_seed: args.seed,
            seeds,
            steps,
            confirm: args.confirm,
            margin: args.margin,
            command: shell::command_line(),
        })
    }

    /// A point of a step on one of its seeds, in one of the seats.
    pub fn fixture(&self, number: u64, point: u64, seed: u64, row: u64) -> Fixture {
        let turn = number / self.in_a_step() * self.seeds + seed;
        // The new version's matches of a comparison are just what is wanted here.
        let paired = Pairing::new(self.first_seed).fixture(turn * Pairing::MATCHES + row);
        debug_assert!(point < self.method.points());
        Fixture { number, ..paired }
    }

    /// Matches of a step.
    pub fn in_a_step(&self) -> u64 {
        self.method.points() * self.seeds * MATCHES
    }

    /// Contestants 0 and 1 are the player with these values, the others the rivals.
    pub fn enter(&self, contestant: usize, values: [&Arc<[f64]>; 2], seed: i32, seat: Seat) -> Entrant {
        match contestant {
            version @ 0..2 => {
                let parameters = values[version].clone();
                let player = self.module.tuned_player(self.setup.limits.clone(), seed, seat, parameters);
                Entrant { name: self.name.clone(), player: Box::new(player) }
            }
            rival => self.setup.enter(&self.rivals[rival - 2], seed, seat),
        }
    }

    /// Everything that decides the results of matches, by which a journal knows
    /// its search.
    pub fn identity(&self) -> serde_json::Value {
        let parameters = self.space.parameters.iter().map(|one| json!([one.name, one.standard, one.low, one.high]));
        let rivals: Vec<&str> = self.rivals.iter().map(|rival| rival.program.as_str()).collect();
        json!({
            "ludus journal": 2,
            "kind": "tuning",
            "game": self.setup.game.about().id,
            "config": self.setup.board().hash,
            "player": hex(&self.module.hash()),
            "parameters": parameters.collect::<Vec<_>>(),
            "field": rivals,
            "method": format!("{:?}", self.method),
            "first seed": self.first_seed,
            "seeds of a step": self.seeds,
            "limits": self.setup.limits_json(),
        })
    }

    /// The declarations with these values, to be copied into the source.
    pub fn declarations(&self, values: &[f64]) -> Vec<String> {
        self.declared.iter().zip(values).map(|(one, value)| one.with(*value, self.language)).collect()
    }

    /// Where the numbers come from.
    pub fn facts(&self) -> Vec<(String, String)> {
        let mut facts =
            vec![("config".to_owned(), self.setup.board().hash.clone()), (self.name.clone(), hex(&self.module.hash()))];
        facts.extend(self.rivals.iter().map(|rival| (rival.name.clone(), rival.program.clone())));
        facts.push(("limits".to_owned(), self.setup.limits_text()));
        facts
    }
}

fn how_to_declare(language: Language) -> &'static str {
    match language {
        Language::Cpp => "write LUDUS_PARAM(patience, 12, 0, 40); outside of functions: name, value, least, most",
        Language::Rust => "write ludus_param!(patience: i32 = 12, 0, 40); and read it as patience()",
    }
}

fn load(game: &'static dyn Game, language: Language, file: &Path, source: &str, jobs: usize) -> Result<PlayerModule> {
    let loaded = || {
        let builder = Builder::local();
        let built = builder.build_file(game.about().id, language, &file.to_string_lossy(), source.as_bytes())?;
        let sandbox = Sandbox::new((2 * jobs + 2) as u32);
        let sandbox = sandbox.map_err(|error| anyhow::anyhow!("the sandbox cannot start: {error}"))?;
        let module = contestants::load(&sandbox, &built.module, builder.cache(), game, Some(language))?;
        let introduction = module.introduce()?;
        if introduction.game != game.about().id {
            bail!("it is a player of {}, not of {}", introduction.game, game.about().id);
        }
        Ok(module)
    };
    loaded().with_context(|| file.display().to_string())
}

/// The game, if it is the first of two words or the file tells it.
fn game_and_player(words: &[String]) -> Result<(&'static dyn Game, &str)> {
    match words {
        [game, player] => Ok((names::game(game)?, player)),
        [player, ..] if ludus_games::find(player).is_some() => bail!("'ludus tune {player}' needs a player"),
        [player, ..] => match contestants::game_of(player) {
            Some(game) => Ok((game, player)),
            None => bail!("which game does {player} play? Say it first: ludus tune GAME {player}"),
        },
        [] => bail!("name a player"),
    }
}
