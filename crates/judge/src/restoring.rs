//! Making again what the store has lost.
//!
//! A module is compiled again from its source; a replay, and what players wrote,
//! come back by playing the match again. All of that gives the same bytes while
//! compilers, limits and configs are the same, and the hash tells whether it did.
//!
//! What cannot be done now is tried again, later and later, and the others have
//! their turn meanwhile.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Result, anyhow};
use ludus_games::{PerSeat, Seat};

use crate::database::Database;
use crate::ids::{MatchId, SubmissionId};
use crate::jobs::Machines;
use crate::local_machine::{Compiled, Seated, printable};
use crate::losses::{self, Kind, Loss, State};
use crate::matches::{self, Match, Played, SeatFault};
use crate::official::rounds;
use crate::seasons::{self, Season};
use crate::store::Lost;
use crate::submissions;
use crate::{clock, secrets, traces};

/// Where what is lost is looked up and made.
#[derive(Clone)]
pub struct Restorer {
    pub database: Database,
    pub machines: Arc<dyn Machines>,
    pub delays: Delays,
}

impl Restorer {
    /// Does something about the loss that was found first, of those whose turn
    /// it is. False if there is none. After an error the loss waits, and the
    /// next call is about another one.
    pub async fn next(&self) -> Result<bool> {
        let Some(loss) = self.first_due().await? else { return Ok(false) };
        let done = match loss.kind {
            Kind::Module => self.module(SubmissionId(loss.subject), &loss.hash).await,
            Kind::Replay | Kind::Output => self.match_again(&loss).await,
        };
        match done {
            Ok((state, note)) => {
                losses::end(&self.database, &loss.hash, state, &note).await?;
                self.delays.end(&loss.hash);
                Ok(true)
            }
            Err(error) => {
                self.delays.fail(&loss.hash);
                let note = secrets::without_passwords(&printable(&format!("not made again yet: {error:#}")));
                // A machine in trouble may not be able to say so.
                let _ = losses::explain(&self.database, &loss.hash, &note).await;
                Err(error)
            }
        }
    }

    async fn first_due(&self) -> Result<Option<Loss>> {
        let mut last: Option<Loss> = None;
        loop {
            let found = losses::found(&self.database, last.as_ref()).await?;
            if let Some(due) = found.iter().find(|loss| self.delays.is_due(&loss.hash)) {
                return Ok(Some(due.clone()));
            }
            last = found.into_iter().next_back();
            if last.is_none() {
                return Ok(None);
            }
        }
    }

    /// Compiles the source of a submission again.
    async fn module(&self, submission: SubmissionId, hash: &str) -> Result<(State, String)> {
        let found = submissions::find(&self.database, submission)
            .await?
            .ok_or_else(|| anyhow!("there is no submission {submission}"))?;
        let season = seasons::by_id(&self.database, found.season_id).await?;
        let source = submissions::source(&self.database, submission).await?;
        let (machines, name, language) = (self.machines.clone(), found.name, found.language);
        let compiled =
            tokio::task::spawn_blocking(move || machines.compile(&season, &name, language, &source)).await??;
        Ok(match compiled {
            Compiled::Module { hash: made, .. } if made == hash => (State::Restored, "compiled again".to_owned()),
            Compiled::Module { hash: made, .. } => {
                (State::Lost, format!("the source compiles to another module today, {made}"))
            }
            Compiled::Rejected(reason) => (State::Lost, format!("the source is rejected today: {}", reason.word())),
        })
    }

    /// Plays a match again for its replay or what a player wrote in it.
    async fn match_again(&self, loss: &Loss) -> Result<(State, String)> {
        let found = matches::find(&self.database, MatchId(loss.subject))
            .await?
            .ok_or_else(|| anyhow!("there is no match {}", loss.subject))?;
        if found.thinned_at.is_some() {
            return Ok((State::Lost, "it has been given up meanwhile".to_owned()));
        }
        let season = self.season_of(&found).await?;
        // Who was barred is again.
        let mut barred = PerSeat::default();
        for (from, seat) in barred.iter_mut().zip(&found.seats) {
            if let Some((round, SeatFault::Overtime)) = seat.fault {
                *from = Some(u32::try_from(round)?);
            }
        }
        let played = self.play(&season, &found, &barred).await?;
        let mut hashes = played.seats.iter().filter_map(|seat| seat.output.as_ref()).chain([&played.replay]);
        Ok(match hashes.any(|hash| *hash == loss.hash) {
            true => (State::Restored, "played again".to_owned()),
            false => (State::Lost, format!("the match goes otherwise today: its replay is {}", played.replay)),
        })
    }

    /// The season of a match, with what its round was frozen with, if it has one.
    async fn season_of(&self, found: &Match) -> Result<Season> {
        let season = seasons::by_id(&self.database, found.season_id).await?;
        let round = rounds::of_match(&self.database, found.id).await?;
        Ok(match round.and_then(|round| round.frozen) {
            Some(frozen) => frozen.season(season),
            None => season,
        })
    }

    /// Plays a match whose modules may be among what is lost, with the seats that
    /// are barred frozen from a round on.
    pub async fn play(&self, season: &Season, found: &Match, barred: &PerSeat<Option<u32>>) -> Result<Played> {
        let players = self.seated(found, barred).await?;
        self.play_with(season, found, &players).await
    }

    /// The same with modules that are known.
    pub async fn play_with(&self, season: &Season, found: &Match, players: &PerSeat<Seated>) -> Result<Played> {
        // Each time another module may turn out to be missing.
        for _ in Seat::ALL {
            match self.try_to_play(season, found, players).await {
                Err(error) => match Lost::of(&error) {
                    Some(lost) => self.module_of(found, lost).await?,
                    None => return Err(error),
                },
                played => return played,
            }
        }
        self.try_to_play(season, found, players).await
    }

    async fn try_to_play(&self, season: &Season, found: &Match, players: &PerSeat<Seated>) -> Result<Played> {
        let (machines, season, seed, players) = (self.machines.clone(), season.clone(), found.seed, players.clone());
        let playing = tokio::task::spawn_blocking(move || machines.play(&season, seed, &players));
        traces::span("play", &[], playing).await?
    }

    /// Makes a module of a match again, at once; an error if it cannot be.
    pub async fn module_of(&self, found: &Match, lost: &Lost) -> Result<()> {
        for submission in found.seats.iter().filter_map(|seat| seat.submission) {
            let known = submissions::find(&self.database, submission).await?;
            if known.is_none_or(|known| known.module.as_deref() != Some(lost.hash())) {
                continue;
            }
            return self.module_again(submission, lost).await?.map_err(|note| anyhow!("{lost}, and {note}"));
        }
        Err(lost.clone().into())
    }

    /// Makes the module of a submission again, or says why it cannot be.
    pub async fn module_again(&self, submission: SubmissionId, lost: &Lost) -> Result<Result<(), String>> {
        losses::note(&self.database, lost, Kind::Module, submission.0).await?;
        let (state, note) = self.module(submission, lost.hash()).await?;
        losses::end(&self.database, lost.hash(), state, &note).await?;
        Ok(if state == State::Restored { Ok(()) } else { Err(note) })
    }

    pub(crate) async fn seated(&self, found: &Match, barred: &PerSeat<Option<u32>>) -> Result<PerSeat<Seated>> {
        let mut players = Vec::new();
        for (seat, &barred_from) in found.seats.iter().zip(barred) {
            let module = match seat.submission {
                Some(id) => submissions::find(&self.database, id).await?.and_then(|submission| submission.module),
                None => None,
            };
            players.push(Seated { name: seat.name.clone(), module, barred_from });
        }
        players.try_into().map_err(|_| anyhow!("match {} has not four seats", found.id))
    }
}

/// When losses that could not be made again are tried again. In memory: a
/// restart forgives.
#[derive(Clone, Debug, Default)]
pub struct Delays(Arc<Mutex<HashMap<String, Delay>>>);

#[derive(Clone, Copy, Debug, Default)]
struct Delay {
    failures: u32,
    /// By the clock that nobody can set.
    due: Duration,
}

impl Delays {
    const FIRST: Duration = Duration::from_secs(600);
    const LONGEST: Duration = Duration::from_secs(86_400);

    fn is_due(&self, hash: &str) -> bool {
        self.lock().get(hash).is_none_or(|delay| delay.due <= clock::steady())
    }

    fn fail(&self, hash: &str) {
        let mut delays = self.lock();
        let delay = delays.entry(hash.to_owned()).or_default();
        let wait = Delays::FIRST.saturating_mul(1_u32.checked_shl(delay.failures).unwrap_or(u32::MAX));
        *delay = Delay { failures: delay.failures + 1, due: clock::steady() + wait.min(Delays::LONGEST) };
    }

    fn end(&self, hash: &str) {
        self.lock().remove(hash);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Delay>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
