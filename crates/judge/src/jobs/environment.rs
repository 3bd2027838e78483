//! What every job works with.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use ludus_games::{Game, PerSeat};
use ludus_sandbox::build::{Language, rust};

use crate::database::Database;
use crate::likeness::reading::{self, Outcome};
use crate::local_machine::{Compiled, LocalMachine, PlayerLikeness, Seated};
use crate::log;
use crate::matches::{Played, Purpose};
use crate::patience::Patience;
use crate::queue::Queue;
use crate::restoring::{Delays, Restorer};
use crate::seasons::{self, Season};
use crate::suspect::Quarantine;
use crate::trouble::Trouble;

/// What compiles and plays: this machine, others, or a stand-in where a test is
/// about everything else.
pub trait Machines: Send + Sync {
    fn warm_up(&self, game: &dyn Game, language: Language) -> Result<()>;
    fn compile(&self, season: &Season, name: &str, language: Language, source: &[u8]) -> Result<Compiled>;
    fn play(&self, season: &Season, seed: i64, players: &PerSeat<Seated>) -> Result<Played>;
    /// Plays several matches, until one cannot be played: its error is the last
    /// result then, and the others are missing.
    fn play_all(&self, season: &Season, matches: &[(i64, PerSeat<Seated>)]) -> Vec<Result<Played>> {
        let mut results = Vec::new();
        for (seed, players) in matches {
            results.push(self.play(season, *seed, players));
            if results.last().is_some_and(Result::is_err) {
                break;
            }
        }
        results
    }
    /// The same, which calls `played` when nothing is left to do but to keep what came of
    /// them: others may be played meanwhile. Not all machines tell.
    fn play_many(
        &self,
        season: &Season,
        matches: &[(i64, PerSeat<Seated>)],
        _played: &mut dyn FnMut(),
    ) -> Vec<Result<Played>> {
        self.play_all(season, matches)
    }
    /// How alike two players are besides their sources, with others as a measure.
    fn compare_players(&self, _: &Season, _: &[String; 2], _: &[String]) -> Result<PlayerLikeness> {
        bail!("this machine asks no players for their decisions")
    }
    /// Has a letter about sources answered in a process of its own; see
    /// [`reading`].
    fn read_sources(&self, letter: Vec<u8>) -> Result<Outcome<Vec<u8>>> {
        reading::answer_of_own(&letter)
    }
    /// Whether what every job needs is there.
    fn probe(&self) -> Result<(), Trouble>;
    /// The same machines with less patience: they give up with
    /// [`TooSlow`](crate::patience::TooSlow). None if they are never slow.
    fn hurried(&self, _: Patience) -> Option<Arc<dyn Machines>> {
        None
    }
    /// The same machines for matches of a purpose, which decides whom they ask.
    /// None if they are the same for all.
    fn meant_for(&self, _: Purpose) -> Option<Arc<dyn Machines>> {
        None
    }
}

impl Machines for LocalMachine {
    fn warm_up(&self, game: &dyn Game, language: Language) -> Result<()> {
        self.warm_up(game, language)
    }

    fn compile(&self, season: &Season, name: &str, language: Language, source: &[u8]) -> Result<Compiled> {
        self.compile(season, name, language, source)
    }

    fn play(&self, season: &Season, seed: i64, players: &PerSeat<Seated>) -> Result<Played> {
        self.play(season, seed, players)
    }

    fn play_all(&self, season: &Season, matches: &[(i64, PerSeat<Seated>)]) -> Vec<Result<Played>> {
        self.play_many(season, matches, &mut || ())
    }

    fn play_many(
        &self,
        season: &Season,
        matches: &[(i64, PerSeat<Seated>)],
        played: &mut dyn FnMut(),
    ) -> Vec<Result<Played>> {
        self.play_many(season, matches, played)
    }

    fn compare_players(&self, season: &Season, pair: &[String; 2], others: &[String]) -> Result<PlayerLikeness> {
        self.compare_players(season, pair, others)
    }

    fn read_sources(&self, letter: Vec<u8>) -> Result<Outcome<Vec<u8>>> {
        reading::ask(&self.own_program(), &letter)
    }

    fn probe(&self) -> Result<(), Trouble> {
        self.probe()
    }

    fn hurried(&self, patience: Patience) -> Option<Arc<dyn Machines>> {
        Some(Arc::new(self.with_patience(patience)))
    }

    fn meant_for(&self, purpose: Purpose) -> Option<Arc<dyn Machines>> {
        Some(Arc::new(self.meant_for(purpose)))
    }
}

#[derive(Clone)]
pub struct Environment {
    pub database: Database,
    pub queue: Queue,
    pub machines: Arc<dyn Machines>,
    /// Where jobs are done that may kill; without it they are done as all others.
    pub quarantine: Option<Quarantine>,
}

/// What looking at the machine may take.
const LONGEST_PROBE: Duration = Duration::from_secs(20);

impl Environment {
    /// The same with machines that have so much patience.
    pub fn with_patience(&self, patience: Patience) -> Environment {
        let machines = self.machines.hurried(patience).unwrap_or_else(|| self.machines.clone());
        Environment { machines, ..self.clone() }
    }

    /// The same with machines for matches of a purpose.
    pub fn meant_for(&self, purpose: Purpose) -> Environment {
        let machines = self.machines.meant_for(purpose).unwrap_or_else(|| self.machines.clone());
        Environment { machines, ..self.clone() }
    }

    /// Looks at the machine: whether it can do what every job needs.
    pub async fn probe(&self) -> Result<(), Trouble> {
        let written = tokio::time::timeout(LONGEST_PROBE, self.queue.sign_in()).await;
        written.map_err(|_| Trouble::Database)?.map_err(|error| Trouble::of(&error).unwrap_or(Trouble::Database))?;
        let machines = self.machines.clone();
        let looked = tokio::time::timeout(LONGEST_PROBE, tokio::task::spawn_blocking(move || machines.probe())).await;
        match looked {
            Ok(Ok(looked)) => looked,
            // It panicked or hangs.
            Ok(Err(_)) | Err(_) => Err(Trouble::Store),
        }
    }

    /// Prepares the compilers for the games of the seasons, beside everything else.
    /// Each language goes its own way: the standard library of Rust may take
    /// minutes, and whoever submits in the meantime waits for the same work.
    pub async fn warm_up(&self) -> Result<()> {
        let mut games: Vec<String> = seasons::list(&self.database).await?.into_iter().map(|one| one.game).collect();
        games.sort();
        games.dedup();
        let languages = [Language::Cpp].into_iter().chain(rust::find().ok().map(|_| Language::Rust));
        for language in languages {
            let (machines, games) = (self.machines.clone(), games.clone());
            tokio::task::spawn_blocking(move || {
                for game in games.iter().filter_map(|id| ludus_games::find(id)) {
                    if let Err(error) = machines.warm_up(game, language) {
                        let id = game.about().id;
                        log::error(&format!("{language:?} players of {id} cannot be compiled: {error:#}"));
                    }
                }
            });
        }
        Ok(())
    }

    /// What makes again what the store has lost.
    pub fn restorer(&self) -> Restorer {
        Restorer { database: self.database.clone(), machines: self.machines.clone(), delays: Delays::default() }
    }
}
