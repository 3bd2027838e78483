//! The server is killed at random moments while players are submitted. Whatever
//! it acknowledged gets its verdict, once, and no match is counted twice.
//!
//! `LUDUS_KILLS` and `LUDUS_SUBMISSIONS` make it longer; `scripts/kill-test`
//! does.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use ludus_judge::accounts::{self, NewAccount, Role};
use ludus_judge::database::{Database, now};
use ludus_judge::seasons::{self, Season};
use ludus_judge::texts::Language;
use ludus_judge::{course, sessions};
use sqlx::Row as _;
use tempfile::TempDir;

use crate::harness::CONFIG;
use crate::server::{Server, free_port, share_cache, working};
use crate::verdicts::{GOOD, NULL, named};

/// A number of the environment, for a longer trial.
pub fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_on_sqlite() {
    let folder = crate::harness::folder();
    let url = Database::url_of_file(&folder.path().join("judge.sqlite"));
    let trial = Trial::new(folder, url, 1).await;
    let database = trial.run().await;
    let check: String =
        sqlx::query("PRAGMA integrity_check").fetch_one(database.read()).await.unwrap().try_get(0).unwrap();
    assert_eq!(check, "ok");
    let broken = sqlx::query("PRAGMA foreign_key_check").fetch_all(database.read()).await.unwrap();
    assert!(broken.is_empty());
}

/// For `./test long`: the judge dies in the same places, and what a database does
/// with half a transaction `trial` asks of PostgreSQL as well.
mod long_postgres {
    #[tokio::test(flavor = "multi_thread")]
    async fn nothing_is_lost() {
        let trial = super::Trial::new(crate::harness::folder(), crate::postgres::fresh_database(), 2).await;
        trial.run().await;
    }
}

struct Trial {
    folder: TempDir,
    url: String,
    port: u16,
    /// Cookie and token of students who are signed in.
    students: Vec<(String, String)>,
    chance: u64,
}

impl Trial {
    async fn new(folder: TempDir, url: String, chance: u64) -> Trial {
        let database = Database::open(&url).await.unwrap();
        course::ensure(&database, "Trial").await.unwrap();
        seasons::add(&database, &season()).await.unwrap();
        let mut students = Vec::new();
        for k in 0..4 {
            let new = NewAccount {
                email: format!("s{k}@x.edu"),
                name: format!("s{k}"),
                team: String::new(),
                role: Role::Student,
            };
            let mut tx = database.begin().await.unwrap();
            let id = accounts::add(&mut tx, &new, Language::English).await.unwrap();
            tx.commit().await.unwrap();
            let token = sessions::start(&database, id, "", "").await.unwrap();
            let session = sessions::find(&database, &token).await.unwrap().unwrap();
            students.push((format!("ludus_session={token}"), session.csrf));
        }
        database.close().await;
        share_cache(folder.path());
        Trial { folder, url, port: free_port(), students, chance }
    }

    async fn run(mut self) -> Database {
        let (kills, submissions) = (setting("LUDUS_KILLS", 3), setting("LUDUS_SUBMISSIONS", 7));
        let mut acknowledged = BTreeMap::new();
        let mut server = self.start();
        let mut killed = 0;
        for k in 0..submissions {
            while killed < kills && (k + 1) * kills > killed * submissions && self.random(2) == 0 {
                // Somewhere in the work that the submissions so far have caused.
                std::thread::park_timeout(Duration::from_millis(self.random(1500)));
                self.kill(&mut server);
                killed += 1;
            }
            let id = self.submit(k, &mut server);
            assert!(acknowledged.insert(id, k).is_none(), "submission {id} was acknowledged twice");
        }
        let database = Database::open(&self.url).await.unwrap();
        while killed < kills {
            std::thread::park_timeout(Duration::from_millis(self.random(3000)));
            self.kill(&mut server);
            killed += 1;
        }
        self.wait_for_verdicts(&database).await;
        server.kill();
        println!("{killed} kills, {} submissions acknowledged", acknowledged.len());
        check(&database, &acknowledged).await;
        database
    }

    /// Small numbers without a pattern, the same in every run.
    fn random(&mut self, below: u64) -> u64 {
        self.chance = self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.chance >> 33) % below
    }

    fn start(&self) -> Server {
        let server = Server(working(self.folder.path(), self.port).args(["--database", &self.url]).spawn().unwrap());
        let deadline = Instant::now() + Duration::from_secs(120);
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < deadline, "the server does not start");
            std::thread::park_timeout(Duration::from_millis(5));
        }
        server
    }

    fn kill(&self, server: &mut Server) {
        server.kill();
        *server = self.start();
    }

    /// Submits until it is acknowledged.
    fn submit(&mut self, k: usize, server: &mut Server) -> i64 {
        let (cookie, csrf) = &self.students[k % self.students.len()];
        let source = source(k);
        let body = format!(
            "--B\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n{csrf}\r\n--B\r\n\
             Content-Disposition: form-data; name=\"file\"; filename=\"AIx.cc\"\r\n\r\n{source}\r\n--B--\r\n"
        );
        for _ in 0..20 {
            let agent: ureq::Agent =
                ureq::Agent::config_builder().max_redirects(0).http_status_as_error(false).build().into();
            let answer = agent
                .post(format!("http://127.0.0.1:{}/seasons/trial/submit", self.port))
                .header("cookie", cookie)
                .content_type("multipart/form-data; boundary=B")
                .send(&body);
            match answer {
                Ok(answer) if answer.status() == 303 => {
                    let location = answer.headers()["location"].to_str().unwrap();
                    return location.rsplit('/').next().unwrap().parse().unwrap();
                }
                Ok(mut answer) => panic!("{}: {}", answer.status(), answer.body_mut().read_to_string().unwrap()),
                Err(_) => {
                    server.kill();
                    *server = self.start();
                }
            }
        }
        panic!("submission {k} was never acknowledged");
    }

    async fn wait_for_verdicts(&self, database: &Database) {
        let deadline = Instant::now() + Duration::from_secs(3600);
        loop {
            let open = count(database, "SELECT COUNT(*) FROM submissions WHERE decided_at IS NULL").await;
            if open == 0 {
                return;
            }
            let parked = count(database, "SELECT COUNT(*) FROM jobs WHERE state = 'parked'").await;
            assert_eq!(parked, 0, "a job was given up");
            assert!(Instant::now() < deadline, "{open} submissions have no verdict");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// Names that are taken are refused at the door, so that the good player has a
/// name of its own each time; the others may share theirs.
fn source(k: usize) -> String {
    match k % 5 {
        0 => named(GOOD, &format!("Good{k}")),
        1 | 2 => named(NULL, "Idle"),
        3 => named(NULL, "Loop").replace("play () {", "play () { volatile int x = 0; while (true) ++x;"),
        _ => named(NULL, "Wrong").replace("play () {", &format!("play () {{ error{k}")),
    }
}

async fn count(database: &Database, statement: &'static str) -> i64 {
    sqlx::query(statement).fetch_one(database.read()).await.unwrap().try_get(0).unwrap()
}

async fn check(database: &Database, acknowledged: &BTreeMap<i64, usize>) {
    let rows = sqlx::query(
        "SELECT s.id, s.stage, s.verdicts, COALESCE(s.reason, '') AS reason, COUNT(m.id) AS planned
         FROM submissions s LEFT JOIN matches m ON m.submission_id = s.id GROUP BY s.id, s.stage, s.verdicts, s.reason",
    );
    let rows = rows.fetch_all(database.read()).await.unwrap();
    let mut seen = BTreeMap::new();
    for row in &rows {
        let id: i64 = row.try_get("id").unwrap();
        let (stage, reason): (String, String) = (row.try_get("stage").unwrap(), row.try_get("reason").unwrap());
        let verdicts: i64 = row.try_get("verdicts").unwrap();
        let planned: i64 = row.try_get("planned").unwrap();
        assert_eq!(verdicts, 1, "submission {id} has {verdicts} verdicts");
        let expected: &[i64] = match (stage.as_str(), reason.as_str()) {
            ("accepted", _) | (_, "not-won") => &[5],
            (_, "fault") => &[1],
            (_, "compiler") => &[0],
            (_, "name-taken") => &[0, 5],
            other => panic!("submission {id}: {other:?}"),
        };
        assert!(expected.contains(&planned), "submission {id} ({stage}, {reason}) has {planned} matches");
        seen.insert(id, (stage, reason));
    }
    for (id, k) in acknowledged {
        let (stage, reason) = seen.get(id).unwrap_or_else(|| panic!("submission {id} is lost"));
        let fits = match k % 5 {
            0 => stage == "accepted",
            1 | 2 => reason == "not-won",
            3 => reason == "fault",
            _ => reason == "compiler",
        };
        assert!(fits, "submission {id} of kind {}: {stage} {reason}", k % 5);
    }
    assert_eq!(count(database, "SELECT COUNT(*) FROM matches WHERE played = 0").await, 0);
    // Nobody waits for the comparing of sources.
    assert_eq!(count(database, "SELECT COUNT(*) FROM jobs WHERE state <> 'done' AND kind <> 'compare'").await, 0);
    let jobs = count(database, "SELECT COUNT(*) FROM jobs WHERE kind IN ('compile', 'match')").await;
    let work = count(database, "SELECT (SELECT COUNT(*) FROM submissions) + (SELECT COUNT(*) FROM matches)").await;
    assert_eq!(jobs, work, "one job for each submission and each match");
    println!("{} submissions, {jobs} jobs, all done once", rows.len());
}

fn season() -> Season {
    const DAY: i64 = 86_400_000;
    let about = ludus_games::find("dominator").unwrap().about();
    // Little CPU, so that a player that loops is soon found out.
    let of_game = Season::of_game(about, "trial", now() - DAY, now() + DAY);
    Season { config: CONFIG.to_owned(), match_ms: 100, ..of_game }
}
