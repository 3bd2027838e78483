//! How players whose sources are alike decide, for `ludus plagiarism --behaviour`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use ludus_arena::{Behaviour, Decisions, Entrant, Match, Noted, builtin, shadow};
use ludus_games::game::{About, Builtin, Config, Stuck};
use ludus_games::{Game, Seat};
use ludus_plagiarism::{Behaviour as Shares, Report};
use ludus_sandbox::build::{Builder, Language};
use ludus_sandbox::{CodePrints, Limits, PlayerModule, Sandbox};

use crate::contestants;
use crate::output::plain;

/// Pairs that are looked at, those most alike.
const PAIRS: usize = 10;
/// Players of other authors that a pair is measured by, at most: of so many those
/// that are about as strong.
const OTHERS: usize = 4;
const CANDIDATES: usize = 12;
/// The matches on whose states players are asked: who plays them, and their seeds.
const STAND_IN: &str = "Demo";
const SEEDS: [i32; 2] = [101, 202];

/// What a player decides, what it is compiled to, and its share of all points in
/// matches with the stand-ins.
struct Watched {
    strength: f64,
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

/// Looks how the players of the pairs that are most alike decide. The files of
/// sources of earlier years are not there.
pub fn look(report: &mut Report, game: &'static dyn Game, files: &BTreeMap<String, PathBuf>) -> Result<()> {
    let sandbox = Sandbox::new(Seat::COUNT as u32).map_err(|error| anyhow!("the sandbox cannot start: {error}"))?;
    let mut watcher = Watcher { game, builder: Builder::local(), sandbox, known: BTreeMap::new() };
    for at in 0..report.pairs.len().min(PAIRS) {
        let pair = (report.pairs[at].a, report.pairs[at].b);
        report.pairs[at].behaviour = watcher.pair(report, pair, files)?;
    }
    Ok(())
}

/// What was seen, for people; nothing if nobody was asked.
pub fn table(report: &Report) -> String {
    let share = |share: Option<f64>| share.map_or("  –  ".to_owned(), |share| format!("{:3.0} %", 100.0 * share));
    let mut text = String::new();
    for pair in &report.pairs {
        let Some(seen) = pair.behaviour else { continue };
        let shares = seen.shares().map(share).join("   ");
        let (a, b) = (plain(&pair.name_a), plain(&pair.name_b));
        text += &format!("{}   {shares}   {a} and {b}\n", share(Some(pair.similarity)));
    }
    if text.is_empty() { text } else { format!("alike   {}    players\n{text}", Shares::NAMES.join("   ")) }
}

impl Watcher {
    fn pair(
        &mut self,
        report: &Report,
        (a, b): (usize, usize),
        files: &BTreeMap<String, PathBuf>,
    ) -> Result<Option<Shares>> {
        for at in [a, b] {
            self.watch(report, at, files)?;
        }
        let others = self.strangers(report, (a, b), files)?;
        let of = |at: &usize| self.known.get(at).and_then(Option::as_ref);
        let (Some(a), Some(b)) = (of(&a), of(&b)) else { return Ok(None) };
        let others: Vec<&Watched> = others.iter().filter_map(of).collect();
        let others = nearest(others, (a.strength + b.strength) / 2.0, |one| one.strength);
        let decided: Vec<Decisions> = others.iter().map(|one| one.decisions.clone()).collect();
        let code: Vec<CodePrints> = others.iter().map(|one| one.code.clone()).collect();
        let behaviour = Behaviour::of(&a.decisions, &b.decisions, &decided);
        let of = |what: fn(&Behaviour) -> Option<f64>| behaviour.as_ref().and_then(what);
        Ok(Some(Shares {
            equal: of(|one| Some(one.agreement)),
            usual: of(|one| one.usual),
            most: of(|one| one.most),
            beyond: of(Behaviour::beyond),
            code: a.code.likeness(&b.code, &code),
        }))
    }

    /// Players of other authors that are in no pair, one of each author.
    fn strangers(
        &mut self,
        report: &Report,
        (a, b): (usize, usize),
        files: &BTreeMap<String, PathBuf>,
    ) -> Result<Vec<usize>> {
        let author = |at: usize| &report.sources[at].author;
        let mut others: Vec<usize> = Vec::new();
        for at in 0..report.sources.len() {
            let is_strange = [a, b].iter().chain(&others).all(|one| author(*one) != author(at))
                && !report.pairs.iter().any(|pair| [pair.a, pair.b].contains(&at));
            if is_strange && others.len() < CANDIDATES && self.watch(report, at, files)? {
                others.push(at);
            }
        }
        Ok(others)
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
                Some(Watched { strength: self.strength(&module)?, decisions: self.ask(&module)?, code })
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

    fn setting(&self) -> Result<(&'static About, Box<dyn Config>, &'static Builtin)> {
        let about = self.game.about();
        let config = self.game.read_config(about.default_config.as_bytes()).map_err(|error| anyhow!("{error}"))?;
        let stand_in = about.player(STAND_IN).ok_or_else(|| anyhow!("{} has no {STAND_IN}", about.id))?;
        Ok((about, config, stand_in))
    }

    /// Its share of all points in a match for each seed, among three stand-ins.
    fn strength(&self, module: &PlayerModule) -> Result<f64> {
        let (about, config, stand_in) = self.setting()?;
        let (mut own, mut all) = (0, 0);
        for seed in SEEDS {
            let entrants = Seat::ALL.map(|seat| Entrant {
                name: STAND_IN.to_owned(),
                player: if seat == Seat::ALL[0] {
                    Box::new(module.player(Limits::of(about.cpu), seed, seat))
                } else {
                    builtin(stand_in, seed, seat)
                },
            });
            let mut played = Match::new(&*config, seed, entrants).map_err(|error| anyhow!("{error}"))?;
            let seats = played.play_out()?.seats;
            own += seats[Seat::ALL[0]].score.max(0);
            all += seats.iter().map(|seat| seat.score.max(0)).sum::<i64>();
        }
        Ok(own as f64 / all.max(1) as f64)
    }

    fn ask(&self, module: &PlayerModule) -> Result<Decisions> {
        let (about, config, stand_in) = self.setting()?;
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

/// Those that are about as strong: good players agree with good ones, whoever wrote
/// them.
fn nearest<T>(mut others: Vec<T>, wanted: f64, strength: impl Fn(&T) -> f64) -> Vec<T> {
    let away = |one: &T| (strength(one) - wanted).abs();
    others.sort_by(|x, y| away(x).total_cmp(&away(y)));
    others.truncate(OTHERS);
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_of_the_same_strength_are_asked() {
        let of = |wanted: f64| nearest(vec![0.1, 0.9, 0.3, 0.7, 0.2, 0.8, 0.6], wanted, |one| *one);
        assert_eq!(of(0.95), [0.9, 0.8, 0.7, 0.6]);
        assert_eq!(of(0.0), [0.1, 0.2, 0.3, 0.6]);
        assert_eq!(nearest(vec![0.5], 0.0, |one| *one), [0.5]);
    }
}
