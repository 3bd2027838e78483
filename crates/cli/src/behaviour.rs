//! How players whose sources are alike decide, for `ludus plagiarism --behaviour`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use ludus_arena::{Behaviour, Decisions, Entrant, Match, Noted, builtin, shadow};
use ludus_games::game::Stuck;
use ludus_games::{Game, Seat};
use ludus_plagiarism::Report;
use ludus_sandbox::build::{Builder, Language};
use ludus_sandbox::{CodePrints, Limits, PlayerModule, Sandbox};

use crate::contestants;
use crate::output::plain;

/// Pairs that are looked at, those most alike.
const PAIRS: usize = 10;
/// Players of other authors that a pair is measured by, at most.
const OTHERS: usize = 4;
/// The matches on whose states players are asked: who plays them, and their seeds.
const STAND_IN: &str = "Demo";
const SEEDS: [i32; 2] = [101, 202];

/// What a player decides, and what it is compiled to.
struct Watched {
    decisions: Decisions,
    code: CodePrints,
}

/// Asks players, each once.
struct Watcher {
    game: &'static dyn Game,
    builder: Builder,
    sandbox: Sandbox,
    /// Nothing for those that cannot be built.
    known: BTreeMap<usize, Option<Watched>>,
}

/// A table of how the players of the pairs that are most alike decide. The files
/// of sources of earlier years are not there.
pub fn table(report: &Report, game: &'static dyn Game, files: &BTreeMap<String, PathBuf>) -> Result<String> {
    let sandbox = Sandbox::new(Seat::COUNT as u32).map_err(|error| anyhow!("the sandbox cannot start: {error}"))?;
    let mut watcher = Watcher { game, builder: Builder::local(), sandbox, known: BTreeMap::new() };
    let mut text = String::from("equal   usual   most   beyond   code   players\n");
    for pair in report.pairs.iter().take(PAIRS) {
        let Some(seen) = watcher.pair(report, (pair.a, pair.b), files)? else { continue };
        text += &format!("{seen}  {} and {}\n", plain(&pair.name_a), plain(&pair.name_b));
    }
    Ok(text)
}

impl Watcher {
    fn pair(
        &mut self,
        report: &Report,
        (a, b): (usize, usize),
        files: &BTreeMap<String, PathBuf>,
    ) -> Result<Option<String>> {
        for at in [a, b] {
            self.watch(report, at, files)?;
        }
        let author = |at: usize| &report.sources[at].author;
        let mut others: Vec<usize> = Vec::new();
        for at in 0..report.sources.len() {
            let is_strange = [a, b].iter().chain(&others).all(|one| author(*one) != author(at))
                && !report.pairs.iter().any(|pair| [pair.a, pair.b].contains(&at));
            if is_strange && others.len() < OTHERS && self.watch(report, at, files)? {
                others.push(at);
            }
        }
        let of = |at: &usize| self.known.get(at).and_then(Option::as_ref);
        let (Some(a), Some(b)) = (of(&a), of(&b)) else { return Ok(None) };
        let others: Vec<&Watched> = others.iter().filter_map(of).collect();
        let decided: Vec<Decisions> = others.iter().map(|one| one.decisions.clone()).collect();
        let code: Vec<CodePrints> = others.iter().map(|one| one.code.clone()).collect();
        let behaviour = Behaviour::of(&a.decisions, &b.decisions, &decided);
        Ok(Some(row(behaviour, a.code.likeness(&b.code, &code))))
    }

    /// Builds a player and asks it. False if it cannot be built.
    fn watch(&mut self, report: &Report, at: usize, files: &BTreeMap<String, PathBuf>) -> Result<bool> {
        if let Some(known) = self.known.get(&at) {
            return Ok(known.is_some());
        }
        let name = &report.sources[at].name;
        let watched = match files.get(name).map(|file| self.build(file)) {
            Some(Ok((module, wasm))) => {
                let code = CodePrints::of(&wasm).with_context(|| name.clone())?;
                Some(Watched { decisions: self.ask(&module)?, code })
            }
            Some(Err(error)) => {
                eprintln!("{}: cannot be asked how it plays: {error:#}", plain(name));
                None
            }
            None => None,
        };
        let is_built = watched.is_some();
        self.known.insert(at, watched);
        Ok(is_built)
    }

    fn build(&self, file: &Path) -> Result<(PlayerModule, Vec<u8>)> {
        let language = Language::of(file).ok_or_else(|| anyhow!("it is no source of a player"))?;
        let wasm = contestants::build(&self.builder, self.game, language, file)?.module;
        let module = contestants::load(&self.sandbox, &wasm, self.builder.cache(), self.game, Some(language))?;
        Ok((module, wasm))
    }

    fn ask(&self, module: &PlayerModule) -> Result<Decisions> {
        let about = self.game.about();
        let config = self.game.read_config(about.default_config.as_bytes()).map_err(|error| anyhow!("{error}"))?;
        let stand_in = about.player(STAND_IN).ok_or_else(|| anyhow!("{} has no {STAND_IN}", about.id))?;
        let limits = Limits::of(about.cpu);
        let mut decisions = Decisions::default();
        for seed in SEEDS {
            let entrants = Seat::ALL.map(|seat| Entrant {
                name: STAND_IN.to_owned(),
                player: shadow(Box::new(module.player(limits.clone(), seed, seat)), builtin(stand_in, seed, seat)),
            });
            let mut played = Match::new(&*config, seed, entrants).map_err(|error| anyhow!("{error}"))?;
            let mut noted = Noted::default();
            played.run::<Stuck>(&mut [&mut noted])?;
            decisions.add(&noted);
        }
        Ok(decisions)
    }
}

fn row(behaviour: Option<Behaviour>, code: Option<f64>) -> String {
    let share = |share: Option<f64>| share.map_or("  –  ".to_owned(), |share| format!("{:3.0} %", 100.0 * share));
    let of = |what: fn(&Behaviour) -> Option<f64>| share(behaviour.as_ref().and_then(what));
    let agreement = of(|one| Some(one.agreement));
    format!(
        "{agreement}   {}  {}  {}   {}",
        of(|one| one.usual),
        of(|one| one.most),
        of(Behaviour::beyond),
        share(code)
    )
}
