//! What is done to a submission, one job at a time.
//!
//! A file is compiled; then four copies of the player meet, and none may fail;
//! then it meets three Dummies in each seat, and must have the best score,
//! alone, in all four matches. Each job ends with one transaction that stores
//! its result, offers what comes next, and gives the verdict when it is due, so
//! that a crash at any moment leaves either all of that or nothing.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow};
use ludus_games::{Game, PerSeat, Seat};
use ludus_sandbox::build::Language;

use crate::database::{Database, Tx};
use crate::matches::{self, Place, Planned, Played, Purpose};
use crate::official::{playing, rounds};
use crate::playroom::Overran;
use crate::queue::{Dispatch, Kind, Lease, Priority, Queue, Work};
use crate::restoring::Restorer;
use crate::seasons::{self, Season};
use crate::submissions::{self, Reason, Submission};
use crate::suspect::Quarantine;
use crate::trouble::Trouble;
use crate::workshop::{Compiled, Seated, Workshop};

/// The player to be beaten.
const DUMMY: &str = "Dummy";

/// Matches of a verification: the copies, then one per seat.
pub const MATCHES: i64 = 1 + Seat::COUNT as i64;

/// What does the work of a job: the workshop, or a stand-in for it where a test
/// is about everything else.
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
    /// Whether what every job needs is there.
    fn probe(&self) -> Result<(), Trouble>;
}

impl Machines for Workshop {
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
        self.play_all(season, matches)
    }

    fn probe(&self) -> Result<(), Trouble> {
        self.probe()
    }
}

#[derive(Clone)]
pub struct Verifier {
    pub database: Database,
    pub queue: Queue,
    pub workshop: Arc<dyn Machines>,
    /// Where jobs are done that may kill; without it they are done as all others.
    pub quarantine: Option<Quarantine>,
}

/// What looking at the machine may take.
const LONGEST_PROBE: Duration = Duration::from_secs(20);

impl Verifier {
    /// Does a job. An error is the judge's own trouble.
    pub async fn run(&self, lease: &Lease) -> Result<()> {
        match lease.kind {
            Kind::Compile => self.compile(lease).await,
            Kind::Match => self.play(lease).await,
        }
    }

    /// Looks at the machine: whether it can do what every job needs.
    pub async fn probe(&self) -> Result<(), Trouble> {
        let written = tokio::time::timeout(LONGEST_PROBE, self.queue.sign_in()).await;
        written.map_err(|_| Trouble::Database)?.map_err(|error| Trouble::of(&error).unwrap_or(Trouble::Database))?;
        let workshop = self.workshop.clone();
        let looked = tokio::time::timeout(LONGEST_PROBE, tokio::task::spawn_blocking(move || workshop.probe())).await;
        match looked {
            Ok(Ok(looked)) => looked,
            // It panicked or hangs.
            Ok(Err(_)) | Err(_) => Err(Trouble::Store),
        }
    }

    async fn compile(&self, lease: &Lease) -> Result<()> {
        let submission = submissions::find(&self.database, lease.subject)
            .await?
            .ok_or_else(|| anyhow!("there is no submission {}", lease.subject))?;
        submissions::begin(&self.database, submission.id).await?;
        let season = seasons::by_id(&self.database, submission.season_id).await?;
        let source = submissions::source(&self.database, submission.id).await?;
        let (workshop, name, language) = (self.workshop.clone(), submission.name.clone(), submission.language);
        let compiled = tokio::task::spawn_blocking(move || workshop.compile(&season, &name, language, &source));
        let compiled = compiled.await??;
        let mut tx = self.database.begin().await?;
        if !self.queue.finish(&mut tx, lease).await? {
            return Ok(());
        }
        submissions::hold(&mut tx, submission.id).await?;
        match compiled {
            Compiled::Rejected(reason, detail) => {
                submissions::decide(&mut tx, submission.id, Some((reason, &detail))).await?;
            }
            Compiled::Module { hash, bytes } => match submissions::obstacle(&mut tx, &submission).await? {
                Some(reason) => submissions::decide(&mut tx, submission.id, Some((reason, ""))).await?,
                None => {
                    submissions::set_module(&mut tx, submission.id, &hash, bytes).await?;
                    self.offer_match(&mut tx, &submission, 0).await?;
                }
            },
        }
        tx.commit().await?;
        self.queue.announce();
        Ok(())
    }

    async fn play(&self, lease: &Lease) -> Result<()> {
        let found = matches::find(&self.database, lease.subject)
            .await?
            .ok_or_else(|| anyhow!("there is no match {}", lease.subject))?;
        if let Some(round) = rounds::of_match(&self.database, found.id).await? {
            return playing::play(self, lease, round).await;
        }
        let season = seasons::by_id(&self.database, found.season_id).await?;
        let played = match self.restorer().play(&season, &found).await {
            Ok(played) => played,
            Err(error) => return self.not_played(lease, &found, error).await,
        };
        let mut tx = self.database.begin().await?;
        if !self.queue.finish(&mut tx, lease).await? {
            return Ok(());
        }
        self.store(&mut tx, &found, &played).await?;
        tx.commit().await?;
        self.queue.announce();
        Ok(())
    }

    /// What makes again what the store has lost.
    pub fn restorer(&self) -> Restorer {
        Restorer { database: self.database.clone(), machines: self.workshop.clone() }
    }

    /// A player that overruns its time the second time in a match that verifies
    /// it is rejected for that; the first time the machine may have been slow.
    /// All else is the judge's own trouble.
    async fn not_played(&self, lease: &Lease, found: &matches::Match, error: anyhow::Error) -> Result<()> {
        let Some(&Overran { seat, allowed }) = error.downcast_ref::<Overran>() else { return Err(error) };
        let mut tx = self.database.begin().await?;
        let overruns = self.queue.overran(&mut tx, lease).await?;
        let culprit = found.seats.get(seat.index()).and_then(|seat| seat.submission);
        let Some(id) = found.submission.filter(|&id| culprit == Some(id) && overruns >= Some(2)) else {
            tx.commit().await?;
            return Err(error);
        };
        if self.queue.finish(&mut tx, lease).await? {
            submissions::hold(&mut tx, id).await?;
            let detail = format!("{} {} {}", found.id, seat.index() + 1, allowed.as_secs());
            submissions::decide(&mut tx, id, Some((Reason::Overtime, &detail))).await?;
            tx.commit().await?;
            self.queue.announce();
        }
        Ok(())
    }

    /// Stores the result of a match and what follows from it.
    async fn store(&self, tx: &mut Tx, found: &matches::Match, played: &Played) -> Result<()> {
        if let Some(submission) = found.submission {
            submissions::hold(tx, submission).await?;
        }
        if !matches::store_result(tx, found.id, played).await? {
            return Ok(());
        }
        let Some(id) = found.submission else { return Ok(()) };
        let submission = submissions::in_transaction(tx, id).await?;
        if found.step == Some(0) {
            return match played.seats.iter().find(|seat| seat.fault.is_some()) {
                Some(_) => submissions::decide(tx, id, Some((Reason::Fault, &found.id.to_string()))).await,
                None => self.offer_dummies(tx, &submission).await,
            };
        }
        let all = matches::of_submission_in(tx, id).await?;
        if all.iter().filter(|one| one.played).count() as i64 == MATCHES {
            self.judge(tx, &submission, &all).await?;
        }
        Ok(())
    }

    /// The verdict after the last match.
    async fn judge(&self, tx: &mut Tx, submission: &Submission, all: &[matches::Match]) -> Result<()> {
        let lost = all.iter().find(|one| one.step.is_some_and(|step| step > 0 && !one.is_won_by(step - 1)));
        let verdict = match lost {
            Some(lost) => Some((Reason::NotWon, lost.id.to_string())),
            None => submissions::obstacle(tx, submission).await?.map(|reason| (reason, String::new())),
        };
        submissions::decide(tx, submission.id, verdict.as_ref().map(|(reason, detail)| (*reason, detail.as_str())))
            .await
    }

    async fn offer_dummies(&self, tx: &mut Tx, submission: &Submission) -> Result<()> {
        for step in 1..MATCHES {
            self.offer_match(tx, submission, step).await?;
        }
        Ok(())
    }

    /// Plans the match of a step: zero is the match of four copies, the others
    /// put the player into one seat among Dummies.
    async fn offer_match(&self, tx: &mut Tx, submission: &Submission, step: i64) -> Result<()> {
        let places = std::array::from_fn(|seat| {
            let own = step == 0 || seat as i64 == step - 1;
            Place {
                name: if own { submission.name.clone() } else { DUMMY.to_owned() },
                submission: own.then_some(submission.id),
            }
        });
        let planned = Planned {
            season: submission.season_id,
            purpose: Purpose::Verification,
            verifies: Some((submission.id, step)),
            seed: submission.seed + step,
            places,
        };
        let subject = matches::plan(tx, &planned).await?;
        let work = Work {
            kind: Kind::Match,
            subject,
            account: submission.account_id,
            priority: Priority::Verification,
            batch: submission.id,
        };
        self.queue.offer(tx, &work).await
    }
}
