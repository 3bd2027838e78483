//! The order of work, by letting simulated workers take real jobs.

use std::collections::BTreeMap;

use sqlx::Row as _;
use tempfile::TempDir;

use super::order::Whose;
use super::*;
use crate::database::Database;
use crate::ids::{MatchId, SeasonId, SubmissionId};
use crate::jobs::{Climb, Compare, Compile, Play};

const COMPILE: u64 = 3;
const MATCH: u64 = 1;
/// All that a good submission needs.
const WHOLE: u64 = COMPILE + 5 * MATCH;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Course {
    /// It is compiled and plays five matches.
    Good,
    /// It does not compile.
    Refused,
    /// Its first job fails whenever it is tried, and nothing makes it wait.
    Fails,
}

#[derive(Clone, Copy)]
struct Arrival {
    at: u64,
    account: i64,
    course: Course,
}

/// Some workers and the time that passes for them.
struct Simulation {
    database: Database,
    queue: Queue,
    workers: usize,
    time: u64,
    /// What is being done, by the time at which it ends.
    busy: BTreeMap<(u64, JobId), Lease>,
    /// The submission of each match, and how many are left of each submission.
    matches: HashMap<i64, i64>,
    left: HashMap<i64, i64>,
    verdicts: BTreeMap<i64, u64>,
    _folder: TempDir,
}

impl Simulation {
    async fn new(workers: usize) -> Simulation {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&Database::url_of_file(&folder.path().join("x.sqlite"))).await.unwrap();
        sqlx::raw_sql("PRAGMA synchronous = OFF").execute(database.write()).await.unwrap();
        let queue = Queue::of_crew(database.clone(), Queue::LEASE, Crew::unknown(workers));
        let (busy, matches, left, verdicts) = Default::default();
        Simulation { database, queue, workers, time: 0, busy, matches, left, verdicts, _folder: folder }
    }

    /// Lets all arrive and gives how long each waited for its verdict, in the
    /// order of arrival. Those that only fail never get one.
    async fn run(mut self, arrivals: &[Arrival]) -> Vec<u64> {
        let mut coming = arrivals.iter().enumerate().peekable();
        let awaited = arrivals.iter().filter(|arrival| arrival.course != Course::Fails).count();
        while self.verdicts.len() < awaited {
            while let Some((id, arrival)) = coming.next_if(|(_, arrival)| arrival.at <= self.time) {
                self.offer(Compile { submission: SubmissionId(id as i64) }, arrival.account, id as i64).await;
            }
            while self.busy.len() < self.workers
                && let Some(lease) = self.queue.next(Whose::Anybodys).await.unwrap()
            {
                let length = if matches!(lease.job, Job::Compile(_)) { COMPILE } else { MATCH };
                self.busy.insert((self.time + length, lease.id), lease);
            }
            let ends = self.busy.keys().next().map(|(end, _)| *end);
            let comes = coming.peek().map(|(_, arrival)| arrival.at);
            self.time = ends.into_iter().chain(comes).min().expect("something happens until all have verdicts");
            while let Some(entry) = self.busy.first_entry().filter(|entry| entry.key().0 <= self.time) {
                let lease = entry.remove();
                self.end(&lease, arrivals).await;
            }
        }
        let waits = self.verdicts.iter().map(|(id, time)| time - arrivals[*id as usize].at);
        waits.collect()
    }

    async fn offer(&self, job: impl Into<Job>, account: i64, batch: i64) {
        let mut tx = self.database.begin().await.unwrap();
        let work = Work { job: job.into(), account: AccountId(account), priority: Priority::Verification, batch };
        self.queue.offer(&mut tx, &work).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn end(&mut self, lease: &Lease, arrivals: &[Arrival]) {
        let id = match lease.job {
            Job::Compile(Compile { submission }) => submission.0,
            Job::Play(Play { id }) => self.matches[&id.0],
            Job::Climb(_) | Job::Compare(_) | Job::Observe(_) | Job::Prove(_) => {
                unreachable!("nobody does such work here")
            }
        };
        let Arrival { account, course, .. } = arrivals[id as usize];
        if course == Course::Fails {
            self.queue.fail(lease, "it fails", Blame::Job).await.unwrap();
            let again = "UPDATE jobs SET state = 'waiting', not_before = 0 WHERE state IN ('waiting', 'parked')";
            sqlx::query(again).execute(self.database.write()).await.unwrap();
            return;
        }
        let mut tx = self.database.begin().await.unwrap();
        assert!(self.queue.finish(&mut tx, lease).await.unwrap());
        tx.commit().await.unwrap();
        let left = self.left.entry(id).or_insert(if course == Course::Good { 6 } else { 1 });
        *left -= 1;
        let new = match *left {
            0 => {
                self.verdicts.insert(id, self.time);
                0..0
            }
            5 => 0..1,
            4 => 1..5,
            _ => 0..0,
        };
        for step in new {
            let subject = id * 10 + step;
            self.matches.insert(subject, id);
            self.offer(Play { id: MatchId(subject) }, account, id).await;
        }
    }
}

fn good(at: u64, account: i64) -> Arrival {
    Arrival { at, account, course: Course::Good }
}

fn mean(waits: &[u64]) -> u64 {
    waits.iter().sum::<u64>() / waits.len() as u64
}

#[tokio::test]
async fn equals_wait_equally_and_half_as_long_as_by_turns() {
    let arrivals: Vec<Arrival> = (0..300).map(|k| good(0, k + 1)).collect();
    let waits = Simulation::new(2).await.run(&arrivals).await;
    let (mean, worst) = (mean(&waits), waits.iter().copied().max().unwrap());
    println!("300 equal students: mean {mean}, worst {worst}");
    assert!(worst <= 300 * WHOLE / 2 + WHOLE, "no worker is ever idle: {worst}");
    assert!(worst <= mean * 2 + WHOLE, "nobody waits twice the mean: {mean}, {worst}");
    assert!(waits.is_sorted(), "whoever came first is answered first");
}

#[tokio::test]
async fn ninety_that_fail_do_not_keep_another_waiting() {
    let mut arrivals: Vec<Arrival> =
        (0..90).map(|k| Arrival { at: 0, account: k + 1, course: Course::Fails }).collect();
    arrivals.extend((0..5).map(|k| good(200 + 20 * k, 91 + k as i64)));
    let waits = Simulation::new(2).await.run(&arrivals).await;
    println!("after 90 that fail: {waits:?}");
    assert!(waits.iter().all(|wait| *wait <= WHOLE + COMPILE), "only for what is running: {waits:?}");
}

#[tokio::test]
async fn ninety_that_are_refused_are_answered_in_turn() {
    let mut arrivals: Vec<Arrival> =
        (0..90).map(|k| Arrival { at: 0, account: k + 1, course: Course::Refused }).collect();
    arrivals.push(good(0, 91));
    let waits = Simulation::new(2).await.run(&arrivals).await;
    assert!(waits[90] <= 90 * COMPILE / 2 + WHOLE + COMPILE, "its second job waits for nobody's first: {}", waits[90]);
}

#[tokio::test]
async fn a_flood_delays_others_by_what_is_running() {
    let mut arrivals: Vec<Arrival> = (0..200).map(|_| good(0, 1)).collect();
    arrivals.extend((0..20).map(|k| good(40, k + 2)));
    let waits = Simulation::new(4).await.run(&arrivals).await;
    let others = &waits[200..];
    println!("20 others beside a flood: mean {}, worst {}", mean(others), others.iter().max().unwrap());
    let alone = 20 * WHOLE / 4;
    assert!(others.iter().all(|wait| *wait <= alone + 2 * WHOLE), "{others:?}");
}

#[tokio::test]
async fn nobody_starves_behind_newcomers() {
    let mut arrivals = vec![good(0, 1), good(0, 1)];
    arrivals.extend((0..60).map(|k| good(k * WHOLE / 2, k as i64 + 2)));
    let waits = Simulation::new(2).await.run(&arrivals).await;
    println!("a second submission in a stream of firsts: {}", waits[1]);
    assert!(waits[1] <= 5 * WHOLE, "{waits:?}");
}

/// A queue of so many workers, with a verdict under way and idle work to be done.
async fn beside_a_verdict(workers: usize, rest: Duration) -> (Simulation, Lease) {
    let mut simulation = Simulation::new(workers).await;
    simulation.queue = Queue::resting(simulation.database.clone(), Queue::LEASE, Crew::unknown(workers), rest);
    simulation.offer(Compile { submission: SubmissionId(1) }, 1, 1).await;
    let verdict = simulation.queue.take().await.unwrap().unwrap();
    let mut tx = simulation.database.begin().await.unwrap();
    let idle = [
        (Compare { submission: SubmissionId(2) }.into(), Priority::Comparison, COMPARING),
        (Climb { season: SeasonId(3) }.into(), Priority::Ladder, LADDER),
    ];
    for (job, priority, account) in idle {
        simulation.queue.offer(&mut tx, &Work { job, account, priority, batch: 2 }).await.unwrap();
    }
    tx.commit().await.unwrap();
    (simulation, verdict)
}

#[tokio::test]
async fn idle_work_takes_nothing_from_verdicts() {
    for rest in [Duration::ZERO, Duration::MAX] {
        let (simulation, verdict) = beside_a_verdict(2, rest).await;
        let queue = &simulation.queue;
        assert!(queue.take().await.unwrap().is_none(), "somebody's verdict is under way");
        assert!(queue.has_better_work().await.unwrap());
        drop(verdict);
        let again = queue.next(Whose::Others).await.unwrap();
        assert!(again.is_none(), "it was let go of and not given back");
        let next = queue.next(Whose::Anybodys).await.unwrap();
        let is_idle = next.is_some_and(|lease| matches!(lease.job, Job::Climb(_)));
        assert_eq!(is_idle, rest.is_zero(), "whoever comes next comes soon");
    }
}

#[tokio::test]
async fn of_many_workers_some_are_left_for_idle_work() {
    let (simulation, verdict) = beside_a_verdict(5, Duration::ZERO).await;
    let ladder = simulation.queue.take().await.unwrap().unwrap();
    assert!(matches!(ladder.job, Job::Climb(_)));
    let comparison = simulation.queue.take().await.unwrap().unwrap();
    assert!(matches!(comparison.job, Job::Compare(_)));
    drop(verdict);
}

/// What taking a job costs must not grow with the jobs that are done.
#[tokio::test]
async fn taking_looks_at_no_more_than_it_needs() {
    let simulation = Simulation::new(2).await;
    let fill = "WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 110000)
        INSERT INTO jobs (kind, subject, account_id, priority, batch, state, turn, created_at)
        SELECT 'match', k, k % 300, 1, k, CASE WHEN k > 100000 THEN 'waiting' ELSE 'done' END, k, 0 FROM n";
    sqlx::raw_sql(fill).execute(simulation.database.write()).await.unwrap();
    for (statement, index) in [
        (order::FRONT[0], "USING INDEX jobs_ready"),
        (order::FRONT[1], "USING INDEX jobs_ready"),
        ("SELECT id FROM jobs WHERE state = 'running'", "jobs_running"),
        (order::BETTER_WORK, "jobs_ready"),
        (sweep::DUE, "jobs_delayed"),
        ("SELECT COUNT(*) FROM jobs WHERE state <> 'done' AND ($1 = '' OR state = $1)", "jobs_unfinished"),
    ] {
        let explain = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
        let rows = sqlx::query(explain).bind(1i64).fetch_all(simulation.database.read()).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.try_get("detail").unwrap()).collect();
        let plan = plan.join("; ");
        assert!(plan.contains(index) && !plan.contains("TEMP B-TREE"), "{statement}: {plan}");
    }
    let begun = std::time::Instant::now();
    for _ in 0..200 {
        let lease = simulation.queue.take().await.unwrap().unwrap();
        let mut tx = simulation.database.begin().await.unwrap();
        assert!(simulation.queue.finish(&mut tx, &lease).await.unwrap());
        tx.commit().await.unwrap();
    }
    println!("{:?} for each job taken and finished among 110,000", begun.elapsed() / 200);
}
