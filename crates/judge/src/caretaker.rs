//! Keeps the store in order, now and then: what rejected players and training
//! leave behind is thinned by a rule, what nobody refers to is removed, what was
//! lost is made again.
//!
//! Never thinned are accepted players, players without a verdict, and all other
//! matches, official ones above all. Results, sources and hashes stay
//! for ever. Something is removed only when it has been given up, or never been
//! referred to, for a grace within which every running job ends; a crash between
//! any two steps leaves something to remove, never a reference to nothing.

use std::time::Duration;

use anyhow::Result;
use ludus_arena::replay::ReadError;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::database::{Columns as _, Database, Tx, now};
use crate::downloads::{CpuUse, cpu_use};
use crate::ids::{MatchId, SubmissionId};
use crate::losses::{self, Kind};
use crate::restoring::Restorer;
use crate::store::{Lost, Store};
use crate::trouble::Trouble;
use crate::{log, matches, storage, training};

/// The rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Of each person and season, the newest rejected submissions keep all they have.
    pub newest: i64,
    /// But none that was rejected so many days ago.
    pub days: i64,
    /// Training matches can be watched for so many days.
    pub training_days: i64,
    /// Everything that was given up is still there for so long.
    pub grace: Duration,
    /// What nobody ever referred to is removed after so long.
    pub stray: Duration,
}

impl Default for Rule {
    fn default() -> Self {
        Rule {
            newest: 20,
            days: 90,
            training_days: 30,
            grace: Duration::from_secs(3600),
            stray: Duration::from_secs(86_400),
        }
    }
}

#[derive(Clone)]
pub struct Caretaker {
    pub database: Database,
    pub store: Store,
    pub restorer: Restorer,
    pub rule: Rule,
}

const DAY: i64 = 86_400_000;

/// How much is done in a turn, so that no turn takes long.
const MOST_IN_TURN: i64 = 200;

/// What is removed in a turn: each takes little, and the ladder gives up much.
const MOST_REMOVED: i64 = 5000;

/// How much may fail in a turn: each may take the time of a match.
const MOST_FAILURES: usize = 20;

/// Folders of the store whose strays are looked for in a turn: all of them in
/// eleven hours.
const FOLDERS_IN_TURN: u8 = 4;

impl Caretaker {
    const PAUSE: Duration = Duration::from_secs(600);

    /// Takes its turns for ever.
    pub async fn run(self) {
        let mut folder = 0u8;
        loop {
            tokio::time::sleep(Caretaker::PAUSE).await;
            if let Err(error) = self.turn(folder).await {
                log::error(&format!("the store cannot be kept in order: {error:#}"));
            }
            folder = folder.wrapping_add(FOLDERS_IN_TURN);
        }
    }

    /// One turn; strays are looked for from this folder of the store on.
    pub async fn turn(&self, folder: u8) -> Result<()> {
        self.thin().await?;
        self.sweep().await?;
        for folder in folder..=folder.saturating_add(FOLDERS_IN_TURN - 1) {
            self.remove_strays(folder).await?;
        }
        let restored = self.restore().await;
        self.count_cpu().await?;
        restored
    }

    /// Makes again what was lost. What fails leaves the others their turn,
    /// unless the whole machine is in trouble. The first error is told.
    async fn restore(&self) -> Result<()> {
        let mut told = Ok(());
        for _ in 0..MOST_FAILURES {
            let error = loop {
                match self.restorer.next().await {
                    Ok(true) => {}
                    Ok(false) => return told,
                    Err(error) => break error,
                }
            };
            let is_general = Trouble::of(&error).is_some();
            told = told.and(Err(error));
            if is_general {
                break;
            }
        }
        told
    }

    /// Gives up what the rule does not keep.
    pub async fn thin(&self) -> Result<()> {
        let rows = sqlx::query(
            "SELECT s.id FROM submissions s WHERE s.stage = 'rejected' AND s.thinned_at IS NULL AND s.decided_at < $1
             AND (s.decided_at < $2 OR (SELECT COUNT(*) FROM submissions n WHERE n.account_id = s.account_id
             AND n.season_id = s.season_id AND n.stage = 'rejected' AND n.id > s.id) >= $3) ORDER BY s.id LIMIT $4",
        )
        .bind(now() - self.rule.grace.as_millis() as i64)
        .bind(now() - self.rule.days * DAY)
        .bind(self.rule.newest)
        .bind(MOST_IN_TURN)
        .fetch_all(self.database.read())
        .await?;
        for row in &rows {
            self.give_up(row.try_get("id")?).await?;
        }
        if !rows.is_empty() {
            log::note(&format!("gave up what {} rejected submissions left behind", rows.len()));
        }
        self.thin_training().await
    }

    /// Gives up what old training matches left behind. Their results stay.
    async fn thin_training(&self) -> Result<()> {
        let rows =
            sqlx::query("SELECT id FROM trainings WHERE thinned_at IS NULL AND created_at < $1 ORDER BY id LIMIT $2")
                .bind(now() - self.rule.training_days * DAY)
                .bind(MOST_IN_TURN)
                .fetch_all(self.database.read())
                .await?;
        for row in &rows {
            let mut tx = self.database.begin().await?;
            training::thin(&mut tx, row.try_get("id")?).await?;
            tx.commit().await?;
        }
        Ok(())
    }

    /// Gives up everything that a rejected submission keeps but its source, and
    /// notes what may be removed.
    async fn give_up(&self, submission: SubmissionId) -> Result<()> {
        let mut tx = self.database.begin().await?;
        let hashes = sqlx::query(
            "SELECT module AS hash FROM submissions WHERE id = $1
             UNION SELECT replay FROM matches WHERE submission_id = $1
             UNION SELECT s.output FROM seats s JOIN matches m ON m.id = s.match_id WHERE m.submission_id = $1",
        )
        .bind(submission)
        .fetch_all(&mut *tx)
        .await?;
        leave(&mut tx, &hashes).await?;
        sqlx::query("UPDATE matches SET thinned_at = $1 WHERE submission_id = $2")
            .bind(now())
            .bind(submission)
            .execute(&mut *tx)
            .await?;
        let thinned = sqlx::query(
            "UPDATE submissions SET thinned_at = $1, bytes = LENGTH(source) WHERE id = $2 AND stage = 'rejected'
             RETURNING account_id, season_id",
        );
        let thinned = thinned.bind(now()).bind(submission).fetch_optional(&mut *tx).await?;
        if let Some(of) = thinned {
            storage::recount(&mut tx, of.try_get("account_id")?, Some(of.try_get("season_id")?)).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Removes what has been given up for long enough, unless somebody else
    /// refers to it, or somebody has put it again.
    pub async fn sweep(&self) -> Result<()> {
        let rows = sqlx::query("SELECT hash FROM leavings WHERE since <= $1 ORDER BY since LIMIT $2")
            .bind(now() - self.rule.grace.as_millis() as i64)
            .bind(MOST_REMOVED)
            .fetch_all(self.database.read())
            .await?;
        for row in rows {
            let hash = row.text("hash")?;
            if self.is_used(&hash).await? || self.remove(&hash, self.rule.grace).await? {
                sqlx::query("DELETE FROM leavings WHERE hash = $1").bind(hash).execute(self.database.write()).await?;
            }
        }
        Ok(())
    }

    /// Removes what crashes have left in a folder of the store: nobody refers to
    /// it, and nobody has put it for long.
    pub async fn remove_strays(&self, folder: u8) -> Result<()> {
        let (store, stray) = (self.store.clone(), self.rule.stray);
        let unused = tokio::task::spawn_blocking(move || store.unused(folder, stray)).await??;
        for hash in unused {
            if !self.is_used(&hash).await? {
                self.remove(&hash, self.rule.stray).await?;
            }
        }
        Ok(())
    }

    async fn remove(&self, hash: &str, unused: Duration) -> Result<bool> {
        let (store, hash) = (self.store.clone(), hash.to_owned());
        tokio::task::spawn_blocking(move || store.remove(&hash, unused)).await?
    }

    /// Whether anything that has not been given up refers to it.
    async fn is_used(&self, hash: &str) -> Result<bool> {
        let row = sqlx::query(
            "SELECT (SELECT COUNT(*) FROM matches WHERE replay = $1 AND thinned_at IS NULL AND small_replay IS NULL)
             + (SELECT COUNT(*) FROM seats s JOIN matches m ON m.id = s.match_id
                WHERE s.output = $1 AND m.thinned_at IS NULL)
             + (SELECT COUNT(*) FROM submissions WHERE module = $1 AND thinned_at IS NULL)",
        )
        .bind(hash)
        .fetch_one(self.database.read())
        .await?;
        Ok(row.try_get::<i64, _>(0)? > 0)
    }

    /// Counts the CPU of matches that were played before it was counted.
    pub async fn count_cpu(&self) -> Result<()> {
        let rows = sqlx::query(
            "SELECT id, replay FROM matches WHERE played = 1 AND cpu IS NULL AND replay IS NOT NULL
             AND thinned_at IS NULL ORDER BY id DESC LIMIT $1",
        )
        .bind(MOST_IN_TURN)
        .fetch_all(self.database.read())
        .await?;
        for row in rows {
            let id: MatchId = row.try_get("id")?;
            let (hash, store) = (row.text("replay")?, self.store.clone());
            let read = tokio::task::spawn_blocking(move || cpu_use(&store.get(&hash)?)).await?;
            let used = match read {
                Ok(used) => used,
                Err(error) => match Lost::of(&error) {
                    Some(lost) => {
                        losses::note(&self.database, lost, Kind::Replay, id.0).await?;
                        CpuUse::default()
                    }
                    // What is no replay that we can read will not become one.
                    None if error.is::<ReadError>() => CpuUse::default(),
                    None => return Err(error),
                },
            };
            matches::set_cpu(&self.database, id, &used.pack()).await?;
        }
        Ok(())
    }
}

/// Notes what may be removed when nobody else refers to it.
pub(crate) async fn leave(tx: &mut Tx, hashes: &[AnyRow]) -> Result<()> {
    for row in hashes {
        let Some(hash) = row.maybe_text("hash")? else { continue };
        sqlx::query(
            "INSERT INTO leavings (hash, since) VALUES ($1, $2) ON CONFLICT (hash) DO UPDATE SET since = excluded.since",
        )
        .bind(hash)
        .bind(now())
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}
