//! Single faults, one after the other, and as real as they can be had.

use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::clock;
use ludus_judge::database::Database;
use ludus_judge::faults::{Faults, Seam};
use ludus_judge::queue::{Blame, Crew, Dispatch as _, Queue};
use ludus_judge::suspect::Quarantine;
use ludus_judge::trouble::Trouble;
use ludus_judge::worker::{self, Turn};

use crate::machines::source;
use crate::world::{LEASE, World};
use crate::{harness, postgres};

const HOUR: i64 = 3_600_000;

async fn sqlite() -> World {
    let folder = harness::folder();
    let url = Database::url_of_file(&folder.path().join("judge.sqlite"));
    World::new(folder, url).await
}

/// Works until there is nothing left, while time passes.
async fn work(world: &World, faults: &Faults) {
    for _ in 0..1000 {
        if worker::turn(&world.environment).await != Turn::Done {
            if world.count("SELECT COUNT(*) FROM jobs WHERE state <> 'done'").await == 0 {
                return;
            }
            faults.pass(Duration::from_secs(10));
        }
    }
    panic!("there is work that nobody does");
}

#[tokio::test]
async fn only_the_clock_on_the_wall_jumps() {
    let faults = Faults::switch_on(1).await;
    let (wall, pace) = (clock::now(), clock::paced());
    faults.jump(-2 * HOUR);
    assert!(clock::now() < wall - HOUR && clock::paced() >= pace && clock::paced() < pace + HOUR);
    faults.jump(4 * HOUR);
    assert!(clock::now() > wall + HOUR && clock::paced() < pace + HOUR);
    faults.pass(Duration::from_secs(3600));
    assert!(clock::paced() >= pace + HOUR);
}

/// The database says itself that it is full, in the middle of a transaction.
#[tokio::test]
async fn work_goes_on_as_soon_as_there_is_space() {
    let faults = Faults::switch_on(1).await;
    let world = sqlite().await;
    let pau = world.add_person("pau", Role::Student).await;
    world.submit(&pau, &source("First", "good")).await.unwrap();
    faults.fill(true);
    let large = format!("// {}\n{}", "x".repeat(30_000), source("Second", "good"));
    for _ in 0..3 {
        assert_eq!(world.submit(&pau, &large).await, Err(StatusCode::INTERNAL_SERVER_ERROR));
    }
    for _ in 0..200 {
        worker::turn(&world.environment).await;
        faults.pass(Duration::from_secs(1));
    }
    faults.fill(false);
    world.submit(&pau, &large).await.unwrap();
    work(&world, &faults).await;
    assert_eq!(world.count("SELECT COUNT(*) FROM submissions WHERE stage = 'accepted'").await, 2);
    assert_eq!(world.count("SELECT COUNT(*) FROM jobs WHERE failures > 0").await, 0);
}

#[tokio::test]
async fn trouble_of_the_machine_stops_the_taking_and_is_said() {
    let faults = Faults::switch_on(1).await;
    let world = sqlite().await;
    let (pau, laia) = (world.add_person("pau", Role::Student).await, world.add_person("laia", Role::Instructor).await);
    let id = world.submit(&pau, &source("First", "good")).await.unwrap();
    for (seam, text) in [(Seam::Jail, "The jail or a compiler"), (Seam::Put, "disk is full or fails")] {
        faults.set(seam, 1000);
        assert_eq!(worker::turn(&world.environment).await, Turn::Done, "it takes a job to find out");
        for _ in 0..10 {
            assert_eq!(worker::turn(&world.environment).await, Turn::Paused);
        }
        let workshop = world.get(&laia, "/workshop").await.text;
        assert!(workshop.contains("No work is taken") && workshop.contains("Try all again"), "{workshop}");
        assert!(workshop.contains(text), "{workshop}");
        let page = world.get(&pau, &format!("/submissions/{id}")).await.text;
        assert!(page.contains("The judge has trouble at the moment. Nothing is lost"), "{page}");
        faults.stop();
        // One button, and nobody waits for the rest of the pause.
        world.post(&laia, "/workshop/retry").await;
        assert_eq!(worker::turn(&world.environment).await, Turn::Done);
        assert!(!world.get(&laia, "/workshop").await.text.contains("No work is taken"));
    }
    work(&world, &faults).await;
    assert_eq!(world.count("SELECT COUNT(*) FROM jobs WHERE failures > 0").await, 0);
}

/// A moment without file handles, gone before anybody looks.
#[tokio::test]
async fn a_passing_trouble_costs_nobody_a_try() {
    let faults = Faults::switch_on(5).await;
    let world = sqlite().await;
    let pau = world.add_person("pau", Role::Student).await;
    world.submit(&pau, &source("First", "good")).await.unwrap();
    for _ in 0..40 {
        faults.set(Seam::Get, 1000);
        worker::turn(&world.environment).await;
        faults.pass(Duration::from_secs(700));
    }
    assert_eq!(world.count("SELECT COUNT(*) FROM jobs WHERE failures > 0 OR state = 'parked'").await, 0);
    assert!(world.count("SELECT MAX(strikes) FROM jobs").await > 5, "it was tried again and again");
    faults.stop();
    work(&world, &faults).await;
}

#[tokio::test]
async fn a_clock_that_jumps_holds_nothing_up_and_loses_nothing() {
    let faults = Faults::switch_on(1).await;
    let world = sqlite().await;
    let pau = world.add_person("pau", Role::Student).await;
    world.submit(&pau, &source("First", "good")).await.unwrap();
    let other = Queue::of_crew(world.site.database.clone(), LEASE, Crew::unknown(1));
    let queue = &world.site.queue;
    for jump in [-2 * HOUR, 2 * HOUR] {
        let lease = queue.take().await.unwrap().unwrap();
        faults.pass(Duration::from_secs(1));
        assert!(other.take().await.unwrap().is_none(), "somebody has it");
        faults.jump(jump);
        faults.pass(Duration::from_secs(10));
        assert!(other.take().await.unwrap().is_none(), "and still has it, whatever the clock says");
        assert!(queue.extend(&lease).await.unwrap());
        faults.pass(Duration::from_secs(10));
        assert!(other.take().await.unwrap().is_none(), "it was extended");
        faults.pass(LEASE);
        let taken = other.take().await.unwrap().expect("a lease that nobody extends ends, whatever the clock says");
        other.fail(&taken, "no such thing", Blame::Job).await.unwrap();
        faults.jump(jump);
        faults.pass(Duration::from_secs(1));
        assert!(other.take().await.unwrap().is_none(), "it waits a while");
        faults.pass(Duration::from_secs(60));
        let again = other.take().await.unwrap().expect("and not longer, whatever the clock says");
        other.fail(&again, "no such thing", Blame::Machine).await.unwrap();
    }
    work(&world, &faults).await;
}

#[tokio::test]
async fn health_is_what_a_look_shows() {
    let faults = Faults::switch_on(1).await;
    let world = sqlite().await;
    let pau = world.add_person("pau", Role::Student).await;
    let ask = async || {
        faults.pass(Duration::from_secs(2));
        let answer = world.get(&pau, "/health").await;
        (answer.status == StatusCode::OK, answer.text)
    };
    let (good, text) = ask().await;
    assert!(good && text.contains("\"healthy\":true") && text.contains("\"paused\":null"), "{text}");
    for (seam, word) in
        [(Seam::Commit, "\"database\":false"), (Seam::Read, "\"database\":false"), (Seam::Put, "\"store\":false")]
    {
        faults.set(seam, 1000);
        let (good, text) = ask().await;
        assert!(!good && text.contains(word), "{text}");
        faults.stop();
        assert!(ask().await.0, "it is well at once");
    }
    world.site.queue.breaker().open(Trouble::Files);
    assert!(ask().await.1.contains("\"paused\":\"files\""));
    world.site.queue.breaker().close();
    // Work that nobody takes, by the clock that cannot be set.
    world.submit(&pau, &source("First", "good")).await.unwrap();
    faults.jump(5 * HOUR);
    let (good, text) = ask().await;
    assert!(good && text.contains("\"waiting\":1") && text.contains("\"stalled\":false"), "{text}");
    faults.pass(Duration::from_secs(10));
    ask().await;
    faults.pass(Duration::from_secs(700));
    let (good, text) = ask().await;
    assert!(!good && text.contains("\"stalled\":true") && text.contains("seconds\":70"), "{text}");
    work(&world, &faults).await;
    assert!(ask().await.0);
}

#[tokio::test]
async fn health_is_cheap_to_ask_for() {
    let _faults = Faults::switch_on(1).await;
    let world = sqlite().await;
    let pau = world.add_person("pau", Role::Student).await;
    world.get(&pau, "/health").await;
    let written = world.count("SELECT SUM(beats) FROM crews").await;
    for _ in 0..200 {
        world.get(&pau, "/health").await;
    }
    let written = world.count("SELECT SUM(beats) FROM crews").await - written;
    assert!(written < 100, "200 questions wrote {written} times");
}

/// A process that does one job and dies of it, seen by one that lives.
#[tokio::test]
async fn a_job_that_kills_its_process_is_parked_after_three_tries() {
    let faults = Faults::switch_on(1).await;
    let mut world = sqlite().await;
    let pau = world.add_person("pau", Role::Student).await;
    let script = world.path().join("dies");
    std::fs::write(&script, "#!/bin/sh\nkill -9 $$\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let nothing = String::new();
    world.environment.quarantine =
        Some(Quarantine { program: script, database: nothing.clone(), store: nothing, cache: world.path().to_owned() });
    world.submit(&pau, &source("Killer", "good")).await.unwrap();
    // The first try takes the whole process with it.
    drop(world.site.queue.take().await.unwrap().unwrap());
    world.restart(true).await;
    for tries in 2..=3 {
        assert_eq!(world.count("SELECT COUNT(*) FROM jobs WHERE state = 'parked'").await, 0, "before try {tries}");
        faults.pass(Duration::from_secs(60));
        assert_eq!(worker::turn(&world.environment).await, Turn::Done);
    }
    faults.pass(Duration::from_secs(60));
    assert_eq!(worker::turn(&world.environment).await, Turn::Idle);
    assert_eq!(world.count("SELECT COUNT(*) FROM jobs WHERE state = 'parked'").await, 1);
    assert_eq!(world.count("SELECT takes FROM jobs").await, 3);
}

/// The real program does one job, which a puppet would have let pass.
#[tokio::test]
async fn a_suspect_is_done_by_a_process_of_its_own() {
    let _faults = Faults::switch_on(1).await;
    let mut world = sqlite().await;
    let pau = world.add_person("pau", Role::Student).await;
    world.environment.quarantine = Some(Quarantine {
        program: env!("CARGO_BIN_EXE_ludus-judge").into(),
        database: world.url.clone(),
        store: world.path().join("store").display().to_string(),
        cache: concat!(env!("CARGO_TARGET_TMPDIR"), "/players-cache").into(),
    });
    world.submit(&pau, &source("Suspect", "good")).await.unwrap();
    sqlx::query("UPDATE jobs SET deaths = 1").execute(&world.observer).await.unwrap();
    assert_eq!(worker::turn(&world.environment).await, Turn::Done);
    assert_eq!(world.texts("SELECT state || kills || failures FROM jobs").await, ["done00"]);
    assert_eq!(world.texts("SELECT stage FROM submissions").await, ["rejected"], "it has no player in it");
}

/// A PostgreSQL server that can be killed and started again.
struct Server {
    child: Option<Child>,
    data: std::path::PathBuf,
    port: u16,
}

impl Server {
    fn start(&mut self) {
        self.child = Some(postgres::serve(&self.data, self.port));
        postgres::wait_for(self.port);
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

#[tokio::test]
async fn a_database_that_goes_away_and_comes_back() {
    let faults = Faults::switch_on(1).await;
    let (folder, data, port) = postgres::prepare();
    let mut server = Server { child: None, data, port };
    server.start();
    let world = World::new(harness::folder(), postgres::database_of(port, "judge", "template1")).await;
    let pau = world.add_person("pau", Role::Student).await;
    world.submit(&pau, &source("First", "good")).await.unwrap();
    assert_eq!(worker::turn(&world.environment).await, Turn::Done);
    server.kill();
    assert_eq!(world.submit(&pau, &source("Second", "good")).await, Err(StatusCode::INTERNAL_SERVER_ERROR));
    worker::turn(&world.environment).await;
    assert_eq!(worker::turn(&world.environment).await, Turn::Paused);
    assert_eq!(world.get(&pau, "/health").await.status, StatusCode::SERVICE_UNAVAILABLE);
    server.start();
    world.submit(&pau, &source("Second", "good")).await.unwrap();
    work(&world, &faults).await;
    assert_eq!(world.count("SELECT COUNT(*) FROM submissions WHERE stage = 'accepted'").await, 2);
    assert_eq!(world.count("SELECT COUNT(*) FROM jobs WHERE failures > 0").await, 0);
    drop(server);
    let _ = std::fs::remove_dir_all(folder);
}

/// The real server, which may not write to any file for a while.
#[tokio::test]
async fn a_disk_without_space_needs_no_restart() {
    let folder = tempfile::tempdir().unwrap();
    let url = Database::url_of_file(&folder.path().join("judge.sqlite"));
    let world = World::new(tempfile::tempdir().unwrap(), url).await;
    let pau = world.add_person("pau", Role::Student).await;
    let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/players-cache");
    std::fs::create_dir_all(cache).unwrap();
    std::os::unix::fs::symlink(cache, folder.path().join("cache")).unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    // Like a disk without space, a limit of files lets writes fail; the signal
    // that comes with it is one that disks do not send.
    let start = "trap '' XFSZ; exec \"$@\"";
    let child = Command::new("sh")
        .env("LUDUS_AS_ROOT", "yes")
        .args(["-c", start, "sh", env!("CARGO_BIN_EXE_ludus-judge"), "serve", "--as-root", "--workers", "1", "--data"])
        .arg(folder.path())
        .args(["--listen", &format!("127.0.0.1:{port}")])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut server = Server { child: Some(child), data: folder.path().to_owned(), port };
    let health = || {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        agent.get(format!("http://127.0.0.1:{port}/health")).call().map_or(0, |answer| answer.status().as_u16())
    };
    let until = |status: u16| {
        let deadline = Instant::now() + Duration::from_secs(120);
        while health() != status {
            assert!(Instant::now() < deadline, "health never becomes {status}");
            std::thread::park_timeout(Duration::from_millis(50));
        }
    };
    until(200);
    let limit = |size: &str| {
        let pid = server.child.as_ref().unwrap().id().to_string();
        let done = Command::new("prlimit").args(["--pid", &pid, &format!("--fsize={size}:unlimited")]).status();
        assert!(done.unwrap().success());
    };
    limit("0");
    until(503);
    // A job comes while nothing can be written; another process has taken it in.
    world.submit(&pau, &source("Wrong", "compiler")).await.unwrap();
    limit("unlimited");
    until(200);
    let deadline = Instant::now() + Duration::from_secs(120);
    while world.count("SELECT COUNT(*) FROM submissions WHERE verdicts = 1").await == 0 {
        assert!(Instant::now() < deadline, "the verdict never comes");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(world.count("SELECT COUNT(*) FROM jobs WHERE failures > 0").await, 0);
    server.kill();
}
