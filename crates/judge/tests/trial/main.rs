//! The judge on a machine that fails at random: disks without space, databases
//! that do not answer, clocks that are set, workers and processes that are
//! killed. When it is over, every submission has its verdict, once, and the one
//! that it would have had on a machine without faults.
//!
//! `LUDUS_STEPS` makes it longer and `LUDUS_SEED` another one; `scripts/trial`
//! does both. Compilers and matches are played by puppets: `kill.rs` has the
//! real ones.
#![allow(clippy::unwrap_used)]

#[path = "../site/broker.rs"]
#[allow(dead_code)]
mod broker;
#[path = "../site/harness.rs"]
#[allow(dead_code)]
mod harness;
mod keeping;
mod machines;
#[path = "../site/postgres.rs"]
mod postgres;
mod real;
mod world;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::database::Database;
use ludus_judge::faults::{Faults, Seam, draw};
use ludus_judge::losses;
use ludus_judge::queue::{Dispatch as _, Lease};
use ludus_judge::store::Lost;
use ludus_judge::worker::{self, Turn};
use sqlx::Row as _;

use machines::{COURSES, source};
use world::{Person, World};

const STUDENTS: usize = 12;
const HOUR: i64 = 3_600_000;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_to_faults_on_sqlite() {
    let folder = harness::folder();
    let url = Database::url_of_file(&folder.path().join("judge.sqlite"));
    let trial = Trial::new(folder, url, setting("LUDUS_SEED", 13)).await;
    let world = trial.run().await;
    assert_eq!(world.texts("PRAGMA integrity_check").await, ["ok"]);
    assert!(sqlx::query("PRAGMA foreign_key_check").fetch_all(&world.observer).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_to_faults_on_postgres() {
    let trial = Trial::new(harness::folder(), postgres::fresh_database(), setting("LUDUS_SEED", 13) + 1).await;
    trial.run().await;
}

struct Trial {
    faults: Faults,
    chance: u64,
    world: World,
    students: Vec<Person>,
    instructor: Person,
    /// What was acknowledged, by its number.
    acknowledged: BTreeMap<i64, String>,
    tried: usize,
    /// Jobs that the other process has begun and does not go on with.
    begun: Vec<Lease>,
    is_broken: bool,
    done: BTreeMap<&'static str, u64>,
}

impl Trial {
    async fn new(folder: tempfile::TempDir, url: String, seed: u64) -> Trial {
        println!("LUDUS_SEED={seed}");
        let faults = Faults::switch_on(seed).await;
        let world = World::new(folder, url).await;
        let mut students = Vec::new();
        for k in 0..STUDENTS {
            students.push(world.add_person(&format!("s{k}"), Role::Student).await);
        }
        let instructor = world.add_person("laia", Role::Instructor).await;
        let (acknowledged, begun, done) = Default::default();
        let (tried, is_broken) = (0, false);
        Trial { faults, chance: seed, world, students, instructor, acknowledged, tried, begun, is_broken, done }
    }

    fn draw(&mut self, below: u64) -> u64 {
        draw(&mut self.chance, below)
    }

    async fn run(mut self) -> World {
        let steps = setting("LUDUS_STEPS", 400);
        for step in 0..steps {
            let name = self.step().await;
            *self.done.entry(name).or_default() += 1;
            if step % 50 == 0 {
                self.check_always().await;
            }
        }
        self.faults.stop();
        self.begun.clear();
        self.finish().await;
        self.restore().await;
        self.check_always().await;
        self.check().await;
        println!("{steps} steps: {:?}, {} acknowledged of {}", self.done, self.acknowledged.len(), self.tried);
        self.world
    }

    async fn step(&mut self) -> &'static str {
        match self.draw(100) {
            0..24 => self.submit().await,
            24..34 => self.look().await,
            34..38 => self.retry().await,
            38..42 => self.jump(),
            42..51 => self.break_something(),
            51..53 => self.damage(),
            53..60 => self.mend(),
            60..82 => self.work().await,
            82..89 => self.interrupt().await,
            89..91 => self.begin().await,
            91..93 => self.come_late().await,
            93..96 => self.pass(),
            96..98 => self.tidy().await,
            _ => self.restart().await,
        }
    }

    async fn submit(&mut self) -> &'static str {
        let (who, course) = (self.draw(STUDENTS as u64) as usize, self.draw(COURSES.len() as u64) as usize);
        let source = source(&format!("P{}", self.tried), COURSES[course]);
        self.tried += 1;
        match self.world.submit(&self.students[who], &source).await {
            Ok(id) => assert!(self.acknowledged.insert(id, source).is_none(), "submission {id} was acknowledged twice"),
            // A student has too many undecided, or the judge says that it failed.
            Err(status) => assert!(
                self.is_broken || status == StatusCode::UNPROCESSABLE_ENTITY || status == StatusCode::TOO_MANY_REQUESTS,
                "nothing is broken: {status}"
            ),
        }
        "submit"
    }

    async fn look(&mut self) -> &'static str {
        let (who, page) = (self.draw(STUDENTS as u64) as usize, self.draw(7));
        let student = &self.students[who];
        let answer = match page {
            0 => self.world.get(student, "/").await,
            1 => self.world.get(student, "/submissions").await,
            2 => self.world.get(student, "/matches").await,
            3 => self.world.get(student, "/seasons/trial").await,
            4 => self.world.get(&self.instructor, "/workshop").await,
            5 => self.world.get(&self.instructor, "/submissions/1").await,
            _ => self.world.post(student, "/sign-in").await,
        };
        let status = answer.status;
        let is_fine = status.is_success() || status.is_redirection() || status.is_client_error();
        assert!(self.is_broken || is_fine, "nothing is broken: page {page} says {status}");
        "look"
    }

    async fn retry(&mut self) -> &'static str {
        let status = self.world.post(&self.instructor, "/workshop/retry").await.status;
        assert!(self.is_broken || status == StatusCode::SEE_OTHER, "nothing is broken: {status}");
        "retry"
    }

    /// The clock on the wall is set by up to two hours, forward or back.
    fn jump(&mut self) -> &'static str {
        let by = self.draw(4 * HOUR as u64) as i64 - 2 * HOUR;
        self.faults.jump(by);
        "jump"
    }

    fn break_something(&mut self) -> &'static str {
        const SEAMS: [Seam; 8] =
            [Seam::Begin, Seam::Read, Seam::Write, Seam::Commit, Seam::Committed, Seam::Put, Seam::Get, Seam::Jail];
        let (seam, rate) = (self.draw(9) as usize, [30, 300, 1000][self.draw(3) as usize]);
        match SEAMS.get(seam) {
            Some(seam) => self.faults.set(*seam, rate),
            None => self.faults.fill(true),
        }
        self.is_broken = true;
        "break"
    }

    /// Something in the store is lost, cut off or changed.
    fn damage(&mut self) -> &'static str {
        let files = files(&self.world.path().join("store"));
        if files.is_empty() {
            return "damage";
        }
        let (file, how) = (&files[self.draw(files.len() as u64) as usize], self.draw(3));
        let mut bytes = std::fs::read(file).unwrap();
        match how {
            0 => std::fs::remove_file(file).unwrap(),
            1 => std::fs::write(file, &bytes[..bytes.len() / 2]).unwrap(),
            _ => {
                bytes[0] ^= 1;
                std::fs::write(file, bytes).unwrap();
            }
        }
        "damage"
    }

    fn mend(&mut self) -> &'static str {
        self.faults.stop();
        self.is_broken = false;
        "mend"
    }

    async fn work(&mut self) -> &'static str {
        let turns = 1 + self.draw(12);
        let some = || async {
            for _ in 0..turns {
                if worker::turn(&self.world.environment).await != Turn::Done {
                    return;
                }
            }
        };
        tokio::join!(some(), some());
        "work"
    }

    /// A worker stops in the middle of a job, wherever it is.
    async fn interrupt(&mut self) -> &'static str {
        let after = Duration::from_micros(self.draw(6000));
        // Whether it got to the end makes no difference.
        let _ = tokio::time::timeout(after, worker::turn(&self.world.environment)).await;
        "interrupt"
    }

    /// The other process takes a job and is not heard of for a while.
    async fn begin(&mut self) -> &'static str {
        self.begun.extend(self.world.beside.queue.take().await.ok().flatten());
        "begin"
    }

    /// It goes on as if nothing had happened; somebody else may have the job by
    /// now, or have done it.
    async fn come_late(&mut self) -> &'static str {
        if let Some(lease) = self.begun.pop() {
            // Whatever comes of it, nobody else may notice.
            let _ = lease.job.run(&self.world.beside, &lease).await;
        }
        "come late"
    }

    fn pass(&mut self) -> &'static str {
        let seconds = [1, 10, 20, 300, 7200][self.draw(5) as usize];
        self.faults.pass(Duration::from_secs(seconds));
        "pass"
    }

    async fn restart(&mut self) -> &'static str {
        let was_killed = self.draw(2) == 0;
        // Nothing starts on a machine that is broken; here it is mended first.
        self.mend();
        self.world.restart(was_killed).await;
        "restart"
    }

    /// Lets workers go on without faults until there is nothing left.
    async fn finish(&mut self) {
        for _ in 0..100_000 {
            if worker::turn(&self.world.environment).await != Turn::Done {
                if self.world.count("SELECT COUNT(*) FROM jobs WHERE state <> 'done'").await == 0 {
                    return;
                }
                self.faults.pass(Duration::from_secs(20));
            }
        }
        let left = self
            .world
            .texts("SELECT kind || ' ' || state || ' ' || COALESCE(error, '') FROM jobs WHERE state <> 'done'");
        panic!("there is work that nobody does: {:?}", left.await);
    }

    /// Has everything made again that is missing in the store.
    async fn restore(&self) {
        let kept = "SELECT m.id, m.replay FROM matches m LEFT JOIN submissions s ON s.id = m.submission_id
                    WHERE s.thinned_at IS NULL";
        let replays = sqlx::query(kept).fetch_all(&self.world.observer).await.unwrap();
        let mut lost = 0;
        for row in &replays {
            let (id, hash) = (row.get::<i64, _>("id"), row.get::<String, _>("replay"));
            if let Err(error) = self.world.site.store.get(&hash) {
                let what = Lost::of(&error).unwrap_or_else(|| panic!("{error:#}"));
                losses::note(&self.world.site.database, what, losses::Kind::Replay, id).await.unwrap();
                lost += 1;
            }
        }
        while self.world.environment.restorer().next().await.unwrap() {}
        for row in &replays {
            self.world.site.store.get(&row.get::<String, _>("replay")).unwrap();
        }
        println!("{lost} replays were lost and made again");
    }

    /// What holds at every moment.
    async fn check_always(&self) {
        for (nothing, statement) in [
            ("a second verdict", "SELECT COUNT(*) FROM submissions WHERE verdicts > 1"),
            ("a try used up", "SELECT COUNT(*) FROM jobs WHERE failures > 0"),
            ("a job given up", "SELECT COUNT(*) FROM jobs WHERE state = 'parked'"),
            (
                "a match without a job",
                "SELECT COUNT(*) FROM matches m WHERE NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'match' AND j.subject = m.id)",
            ),
            (
                "a submission without a job",
                "SELECT COUNT(*) FROM submissions s WHERE NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'compile' AND j.subject = s.id)",
            ),
            (
                "a result before its job is done",
                "SELECT COUNT(*) FROM matches m JOIN jobs j ON j.kind = 'match' AND j.subject = m.id WHERE m.played = 1 AND j.state <> 'done'",
            ),
        ] {
            assert_eq!(self.world.count(statement).await, 0, "{nothing}");
        }
    }

    /// What holds in the end: everything is done, and as if nothing had happened.
    async fn check(&self) {
        assert_eq!(self.world.count("SELECT COUNT(*) FROM submissions WHERE verdicts <> 1").await, 0);
        assert_eq!(self.world.count("SELECT COUNT(*) FROM matches WHERE played = 0").await, 0);
        let jobs = self.world.count("SELECT COUNT(*) FROM jobs WHERE kind IN ('compile', 'match')").await;
        let work = "SELECT (SELECT COUNT(*) FROM submissions) + (SELECT COUNT(*) FROM matches)";
        assert_eq!(jobs, self.world.count(work).await, "one job for each submission and each match");
        let expected = undisturbed(&self.acknowledged).await;
        let found = results(&self.world).await;
        for (id, source) in &self.acknowledged {
            let found = found.get(source).unwrap_or_else(|| panic!("submission {id} is lost"));
            assert_eq!(found, &expected[source], "submission {id}");
        }
        assert!(self.acknowledged.len() * 3 > self.tried, "too little was acknowledged to tell anything");
        self.check_store().await;
    }
}

/// What the store has, in an order that does not change.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

/// The verdicts and matches of the same sources on a machine that never fails.
async fn undisturbed(sources: &BTreeMap<i64, String>) -> BTreeMap<String, String> {
    let folder = harness::folder();
    let url = Database::url_of_file(&folder.path().join("judge.sqlite"));
    let world = World::new(folder, url).await;
    let mut students = Vec::new();
    for k in 0..=sources.len() / 100 {
        students.push(world.add_person(&format!("s{k}"), Role::Student).await);
    }
    for (k, source) in sources.values().enumerate() {
        world.submit(&students[k / 100], source).await.unwrap();
    }
    worker::until_idle(&world.environment).await;
    results(&world).await
}

/// What each source came to: verdict, and every match with its replay.
async fn results(world: &World) -> BTreeMap<String, String> {
    let submissions = sqlx::query("SELECT id, source, stage, COALESCE(reason, '') AS reason FROM submissions");
    let mut results = BTreeMap::new();
    let mut sources = BTreeMap::new();
    for row in submissions.fetch_all(&world.observer).await.unwrap() {
        let source = String::from_utf8(row.get::<Vec<u8>, _>("source")).unwrap();
        sources.insert(row.get::<i64, _>("id"), source.clone());
        let verdict = format!("{} {}", row.get::<String, _>("stage"), row.get::<String, _>("reason"));
        results.insert(source, verdict);
    }
    let matches = "SELECT m.submission_id, m.step, m.seed, m.replay, s.seat, s.score, s.rank FROM matches m
        JOIN seats s ON s.match_id = m.id ORDER BY m.submission_id, m.step, s.seat";
    for row in sqlx::query(matches).fetch_all(&world.observer).await.unwrap() {
        let result = results.get_mut(&sources[&row.get::<i64, _>("submission_id")]).unwrap();
        for column in ["step", "seed", "seat", "score", "rank"] {
            *result += &format!(" {column} {}", row.get::<i64, _>(column));
        }
        *result += &row.get::<String, _>("replay");
    }
    results
}
