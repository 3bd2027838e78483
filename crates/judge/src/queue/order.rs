//! Who goes first.
//!
//! A submission is given a turn when it is handed in: the next one after the
//! turn that is being served, or, if its author has others before it, two after
//! the last of those. So a hundred submissions of one person are served in
//! between everybody else's, whoever has none waiting goes before anybody's
//! second, and nobody waits for ever: those who come later have later turns. All
//! jobs of a submission have its turn, and among equal turns what is begun is
//! finished first, then the earlier goes first. This makes the mean wait small: a
//! verdict needs all the jobs of a submission, and taking one job of everybody by
//! turns would give all verdicts at the very end.
//!
//! A job that takes long is stopped and waits among the slow ones (see
//! `crate::patience`); or it is left to itself, a few at a time, and its worker goes
//! on with the jobs of others: so nobody's slow players hold all the workers.
//!
//! The ladder and the comparing of sources are served when nothing else waits, no
//! verdict is under way and none was a moment ago: a processor that a verdict does not
//! need at this moment it needs at the next.
//! Their jobs are short, and while one is done its worker takes other work as soon
//! as there is any. Comparing comes last, but a ladder that goes on for hours lets
//! one comparison through after each of its jobs.
//!
//! Official matches go before everything else on half of the workers. The other
//! half, or every other job of a single worker, is for whoever waits for a
//! verdict, if somebody does.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Result;
use sqlx::{AssertSqlSafe, Row as _};

use super::{Held, Holder, Lease, Priority, Queue, Work};
use crate::database::{Columns as _, Dialect, Tx, many};
use crate::ids::{AccountId, JobId};
use crate::jobs::Job;
use crate::official::NOBODY;
use crate::patience::Patience;
use crate::secrets;

/// How many of those in front are looked at for one whose author has not more
/// than a fair share of the workers.
const LOOKED_AT: i64 = 64;
/// Jobs that other workers may snatch away before this one rests.
const MOST_MISSES: usize = 16;

pub const TURN_OF: &str = "SELECT turn FROM jobs WHERE batch = $1 AND account_id = $2 AND priority = $3 ORDER BY batch, account_id, id LIMIT 1";

/// The turn of the batch that a work belongs to, or a new one.
pub async fn turn_of(tx: &mut Tx, work: &Work) -> Result<i64> {
    let known = sqlx::query(TURN_OF).bind(work.batch).bind(work.account).bind(work.priority);
    let known = known.fetch_optional(&mut **tx).await?;
    if let Some(row) = known {
        return Ok(row.int("turn")?);
    }
    next_turn(tx, work.account).await
}

pub const NEXT_TURN: &str =
    "INSERT INTO turns (account_id, turn) VALUES ($1, (SELECT turn + 1 FROM turns WHERE account_id = 0))
     ON CONFLICT (account_id) DO UPDATE SET
     turn = CASE WHEN turns.turn >= excluded.turn THEN turns.turn + 2 ELSE excluded.turn END RETURNING turn";

/// A new turn for an account.
pub async fn next_turn(tx: &mut Tx, account: AccountId) -> Result<i64> {
    let row = sqlx::query(NEXT_TURN).bind(account).fetch_one(&mut **tx).await?;
    Ok(row.int("turn")?)
}

/// What stands in front, if it is due: of what is official, and of all the rest.
pub const FRONT: [&str; 2] = [
    "SELECT id, kind, subject, failures, deaths, kills, account_id, priority, turn FROM jobs
     WHERE state = 'waiting' AND not_before = 0 AND priority = 0 ORDER BY priority, turn, rank, id LIMIT $1",
    "SELECT id, kind, subject, failures, deaths, kills, account_id, priority, turn FROM jobs
     WHERE state = 'waiting' AND not_before = 0 AND priority > 0 ORDER BY priority, turn, rank, id LIMIT $1",
];

/// Anything that is due and not for the ladder.
pub const BETTER_WORK: &str =
    "SELECT 1 FROM jobs WHERE state = 'waiting' AND not_before = 0 AND priority < 3 ORDER BY priority LIMIT 1";

/// Taking jobs that nobody else takes at this moment: on SQLite there is one who
/// writes, on PostgreSQL nobody waits for others.
pub fn claim_of(jobs: &str, dialect: Dialect) -> String {
    let skip = if dialect == Dialect::Postgres { "FOR UPDATE SKIP LOCKED" } else { "" };
    format!(
        "UPDATE jobs SET state = 'running', takes = takes + 1, lease = CAST($1 AS TEXT) || '-' || id, crew = $2, beats = 0
         WHERE id IN (SELECT id FROM jobs WHERE id IN ({jobs}) AND state = 'waiting' AND not_before = 0 {skip})
         RETURNING id"
    )
}

/// What waits behind the one that is taken may come along with it: so many jobs.
const MOST_COMPANY: i64 = 1024;
/// What all of them take together, about: more are taken while it is less than the
/// first, fewer when it is more than the second.
const TOGETHER: [Duration; 2] = [Duration::from_millis(500), Duration::from_millis(1000)];

/// Whose jobs may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    Anybodys,
    /// Those of people for whom this process is doing nothing.
    Others,
    /// Anybody's but the ladder's.
    NotTheLadders,
}

/// A job that may be taken.
struct Candidate {
    lease: Lease,
    account: AccountId,
    priority: Priority,
    turn: i64,
    is_alone: bool,
    /// With which others it is done.
    group: usize,
}

impl Candidate {
    /// Whether it is one of many small jobs that are done best together: a match
    /// of training with which nothing has gone wrong.
    fn is_small(&self) -> bool {
        let is_new = self.lease.failures == 0 && !self.lease.is_suspect && !self.is_alone;
        let is_quick = self.lease.patience == Some(Patience::Little);
        is_new && is_quick && self.priority == Priority::Training && matches!(self.lease.job, Job::Play(_))
    }
}

impl Queue {
    /// Takes the next job.
    pub(super) async fn next(&self, whose: Whose) -> Result<Option<Lease>> {
        Ok(self.several(whose, 1, 0).await?.pop().and_then(|mut group| group.pop()))
    }

    /// Small jobs that may be taken with another.
    pub(super) fn company(&self) -> i64 {
        self.here.company.load(Ordering::Relaxed)
    }

    /// So many small jobs took so long together. What comes on top of each and what
    /// comes on top of all is not told apart: they grow while there is time.
    pub(crate) fn took(&self, jobs: usize, time: Duration) {
        let jobs = jobs as i64;
        let now = match time {
            time if time > TOGETHER[1] => jobs / 2,
            time if time < TOGETHER[0] => 2 * jobs,
            _ => return,
        };
        self.here.company.store(now.clamp(1, MOST_COMPANY - 1), Ordering::Relaxed);
    }

    /// Takes the next jobs, in one transaction; as many as there are, up to `most`,
    /// each with up to `company` small ones that are next in turn.
    pub(crate) async fn several(&self, whose: Whose, most: usize, company: i64) -> Result<Vec<Vec<Lease>>> {
        for _ in 0..MOST_MISSES {
            let mut official = self.candidates(FRONT[0], 8.max(most as i64)).await?;
            // The slow ones may stand in front for long, and hide nobody.
            let slow = self.here.slow().len() as i64;
            let ahead = LOOKED_AT.max(4 * most as i64) + slow + 2 * company * most.min(4) as i64;
            let mut others = self.candidates(FRONT[1], ahead).await?;
            let (mut chosen, mut whose, name) = (Vec::new(), whose, secrets::token());
            for group in 0..most {
                let Some(first) = self.choose(whose, &mut official, &mut others) else { break };
                // What is nearly over leaves something to others, who end with it then.
                let share = others.len().div_ceil(self.here.crew.workers().max(1));
                let along = if first.is_small() { share.min(company as usize) } else { 0 };
                let along: Vec<Candidate> = others.extract_if(.., |one| one.is_small()).take(along).collect();
                for candidate in [first].into_iter().chain(along) {
                    chosen.push(self.hold(candidate, &name, group));
                }
                // What is done while nobody waits is for whoever finds nothing else.
                whose = if whose == Whose::Others { whose } else { Whose::NotTheLadders };
            }
            if chosen.is_empty() {
                return Ok(Vec::new());
            }
            let claimed = self.claim(chosen, &name).await?;
            if let Some(last) = claimed.last() {
                self.here.took_official.store(last.priority == Priority::Official, Ordering::Relaxed);
                if last.priority.is_idle() {
                    self.here.took_ladder.store(last.priority == Priority::Ladder, Ordering::Relaxed);
                }
                let mut groups: Vec<Vec<Lease>> = Vec::new();
                let mut last = None;
                for one in claimed {
                    if last != Some(one.group) {
                        groups.push(Vec::new());
                    }
                    last = Some(one.group);
                    groups.last_mut().expect("one was pushed").push(one.lease);
                }
                return Ok(groups);
            }
        }
        Ok(Vec::new())
    }

    /// Before a job is taken, so that it is never taken and nobody's.
    fn hold(&self, mut candidate: Candidate, name: &str, group: usize) -> Candidate {
        candidate.group = group;
        candidate.lease.token = format!("{name}-{}", candidate.lease.id);
        let (account, priority) = (candidate.account, candidate.priority);
        let holder = Holder { account, priority, patience: candidate.lease.patience };
        self.here.held().insert(candidate.lease.token.clone(), holder);
        candidate.lease._held = Some(Held(self.here.clone(), candidate.lease.token.clone()));
        candidate
    }

    /// The first job, or the first of somebody who has less than a share of the
    /// workers of this process. Official matches are nobody's own.
    fn choose(&self, whose: Whose, official: &mut Vec<Candidate>, others: &mut Vec<Candidate>) -> Option<Candidate> {
        // Some work is for workers that have nothing else to do, whoever's it is.
        let is_idle = official.is_empty() && others.iter().all(|one| one.priority.is_idle());
        if !is_idle || whose != Whose::Anybodys || self.here.is_for_verdicts() {
            others.retain(|one| !one.priority.is_idle());
        } else if self.here.took_ladder.load(Ordering::Relaxed) {
            others.sort_by_key(|one| one.priority != Priority::Comparison);
        }
        let share = (self.here.crew.workers() / 2).max(1);
        let held = self.here.held();
        let holds = |account: AccountId| held.values().filter(|holder| holder.account == account).count();
        let at_a_time = |patience| held.values().filter(|holder| holder.patience == Some(patience)).count();
        let is_quick = |one: &Candidate| matches!(one.lease.patience, None | Some(Patience::Little));
        let quick_waits = others.iter().any(is_quick);
        others.retain(|one| match one.lease.patience {
            None | Some(Patience::Little) => true,
            Some(Patience::Usual) => {
                let most = if quick_waits { share } else { self.here.crew.workers().max(1) };
                at_a_time(Patience::Usual) < most
            }
            Some(Patience::Endless) => at_a_time(Patience::Endless) == 0,
        });
        // Somebody who waits for a verdict; all that comes after that can wait.
        let is_awaited = others.first().is_some_and(|one| one.priority == Priority::Verification);
        let had_its_turn = match self.here.crew.workers() {
            0 | 1 => self.here.took_official.load(Ordering::Relaxed),
            _ => holds(NOBODY) >= share,
        };
        let fair = match whose {
            Whose::Anybodys | Whose::NotTheLadders => {
                others.iter().position(|one| holds(one.account) < share).or((!others.is_empty()).then_some(0))
            }
            Whose::Others => others.iter().position(|one| holds(one.account) == 0),
        };
        // A slow match of one round holds up no other round.
        let may_be_official = !official.is_empty() && (whose != Whose::Others || holds(NOBODY) <= share);
        drop(held);
        let chosen = match fair {
            Some(fair) if !may_be_official || is_awaited && had_its_turn => others.remove(fair),
            _ if may_be_official => official.remove(0),
            _ => return None,
        };
        Some(chosen)
    }

    async fn candidates(&self, front: &'static str, most: i64) -> Result<Vec<Candidate>> {
        let rows = sqlx::query(front).bind(most).fetch_all(self.database.read()).await?;
        let mut candidates = Vec::new();
        for row in &rows {
            let (account, priority, turn) = (row.try_get("account_id")?, row.try_get("priority")?, row.int("turn")?);
            let id = row.try_get("id")?;
            // Whatever did not go well with others is done alone.
            let is_alone = self.here.alone().contains(&id);
            let patience = match priority {
                Priority::Official | Priority::Ladder | Priority::Comparison => None,
                _ => Some(self.here.slow().get(&id).copied().unwrap_or_default()),
            };
            // What only a newer Ludus can do is left to its workers.
            let Some(job) = Job::of(&row.text("kind")?, row.int("subject")?) else { continue };
            let lease = Lease {
                id,
                job,
                failures: row.int("failures")?,
                is_suspect: row.int("deaths")? + row.int("kills")? > 0,
                patience,
                token: String::new(),
                _held: None,
            };
            candidates.push(Candidate { lease, account, priority, turn, is_alone, group: 0 });
        }
        Ok(candidates)
    }

    /// Takes jobs, but for those that other workers were faster to take.
    async fn claim(&self, candidates: Vec<Candidate>, name: &str) -> Result<Vec<Candidate>> {
        let mut tx = self.database.begin().await?;
        let (jobs, count) = many::placeholders(3, candidates.len());
        let mut claim = sqlx::query(AssertSqlSafe(claim_of(&jobs, self.database.dialect())));
        claim = claim.bind(name).bind(self.here.crew.name());
        for job in many::filled(candidates.iter().map(|one| one.lease.id.0), count) {
            claim = claim.bind(job);
        }
        let mut taken: HashSet<JobId> = HashSet::new();
        for row in claim.fetch_all(&mut *tx).await? {
            taken.insert(row.try_get("id")?);
        }
        let claimed: Vec<Candidate> = candidates.into_iter().filter(|one| taken.contains(&one.lease.id)).collect();
        if claimed.is_empty() {
            tx.rollback().await?;
            return Ok(claimed);
        }
        // What failed has a turn far ahead; others do not come after it for that,
        // nor after what is done while nobody waits, which has its turns apart.
        let served = claimed.iter().filter(|one| one.lease.failures == 0 && !one.priority.is_idle());
        if let Some(turn) = served.map(|one| one.turn).max() {
            sqlx::query("UPDATE turns SET turn = $1 WHERE account_id = 0 AND turn < $1")
                .bind(turn)
                .execute(&mut *tx)
                .await?;
        }
        sqlx::query("UPDATE crews SET taken = taken + $1 WHERE name = $2")
            .bind(claimed.len() as i64)
            .bind(self.here.crew.name())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(claimed)
    }
}
