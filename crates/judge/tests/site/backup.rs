//! A backup that is made while the site is busy, brought back elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::archive::{Reader, Writer};
use ludus_judge::backup::{self, Manifest, Progress, Source, Target};
use ludus_judge::database::{Database, Dialect};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::api::Program;
use crate::bucket;
use crate::cup::Cup;
use crate::finals::{self, make, next, two_seasons};
use crate::harness::{Court, Kind, short_or_long};
use crate::round_pages::signed_in;
use crate::training::{befriend, publish, train};
use crate::veil::{Walker, addresses, settled, shares, walk, walkers};
use crate::verdicts::{GOOD, named};
use crate::{on_both, on_sqlite};

on_both!(a_backup_comes_back_into_an_empty_place_only);

on_sqlite!(every_page_and_every_file_comes_back, a_backup_of_a_busy_site_is_of_one_moment);

/// A course with a bit of everything, and those who look at it.
async fn course(court: Court) -> (Cup, Vec<Walker>) {
    let cup = two_seasons(court).await;
    std::fs::write(cup.court.folder().join("course.key"), "07".repeat(32)).unwrap();
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    make(&cup, &mut laia, &[("cup", "3"), ("two", "2")]).await;
    finals::play(&cup, &mut laia).await;
    for at in 0..4 {
        next(&mut laia, at).await;
    }
    let (mut one, mut two) = (signed_in(&cup, "student1").await, signed_in(&cup, "student2").await);
    befriend(&mut one, "student2@x.edu").await;
    befriend(&mut two, "student1@x.edu").await;
    publish(&cup, &mut two, "Player2").await;
    train(&mut one, ["Player1", "Player2", "Dummy", "Dummy"], "4", "turning").await;
    one.submit("open", &named(GOOD, "Handed")).await;
    cup.work().await;
    two.submit("open", &named(GOOD, "Waiting")).await;
    let news = [("kind", "news"), ("title-en", "It begins"), ("text-en", "**Now**, with an é and a \"quote\"")];
    assert_eq!(laia.post("/news", &news).await.status, StatusCode::SEE_OTHER);
    let walkers = walkers(&cup.court, &[cup.court.browser(), one, laia, two]).await;
    (cup, walkers)
}

async fn back_up(court: &Court, file: &Path) -> Manifest {
    let source = Source { database: &court.site.database, store: &court.site.store, folder: court.folder() };
    backup::make(&source, file, &mut Progress::silent()).await.unwrap()
}

fn place(kind: Kind) -> (TempDir, String) {
    let folder = crate::harness::folder();
    let url = match kind {
        Kind::Sqlite => Court::sqlite(&folder),
        Kind::Postgres => crate::postgres::fresh_database(),
    };
    (folder, url)
}

async fn bring_back(file: &Path, folder: &TempDir, url: &str) -> anyhow::Result<Manifest> {
    let database = Database::connect(url).await.unwrap();
    let store = folder.path().join("store").display().to_string();
    let target = Target { database: &database, store: &store, folder: folder.path() };
    let done = backup::restore(file, &target, &mut Progress::silent()).await;
    database.close().await;
    done
}

/// The same people at another site.
fn visiting(court: &Court, walkers: &[Walker]) -> Vec<Walker> {
    let there = |(browser, program): &Walker| (court.visiting(browser), Program::new(court, &program.token));
    walkers.iter().map(there).collect()
}

/// The site in another place, on another kind of database too.
async fn elsewhere(file: &Path, kind: Kind) -> Court {
    let (folder, url) = place(kind);
    bring_back(file, &folder, &url).await.unwrap();
    Court::at(&url, folder).await
}

/// The files of a store, by their names and the hashes of what they hold.
fn files(court: &Court) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for folder in std::fs::read_dir(court.folder().join("store")).unwrap() {
        let folder = folder.unwrap().path();
        for file in std::fs::read_dir(&folder).unwrap() {
            let file = file.unwrap().path();
            let name = [&folder, &file].map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).concat();
            let sum = ludus_sandbox::build::hex(&Sha256::digest(std::fs::read(&file).unwrap()));
            found.insert(name, sum);
        }
    }
    found
}

/// A page without the dates that forms suggest, which follow the clock.
fn undated(text: &str) -> String {
    let mut parts = text.split("type=\"datetime-local\" value=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('"').map_or("", |(_, rest)| rest))
}

fn assert_same(about: &(usize, String), one: &str, other: &str) {
    let (one, other) = (undated(&settled(one)), undated(&settled(other)));
    if one == other {
        return;
    }
    let at = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let near = |text: &str| text.chars().skip(at.saturating_sub(60)).take(160).collect::<String>();
    panic!("{about:?} differs: …{}… and not …{}…", near(&other), near(&one));
}

async fn every_page_and_every_file_comes_back(court: Court) {
    let (cup, browsers) = course(court).await;
    let file = cup.court.folder().join("course.backup");
    let manifest = back_up(&cup.court, &file).await;
    assert!(manifest.rows() > 200 && manifest.files > 20 && manifest.missing == 0, "{manifest:?}");
    let known = addresses(&shares(&cup).await);
    // One student stands for all.
    let browsers = &browsers[..3];
    let before = walk(&cup.court, browsers, &known).await;
    let found = before.values().filter(|text| text.starts_with("200")).count();
    assert!(found > short_or_long(200, 400), "{found} pages");
    let replays = before.iter().filter(|((_, path), text)| path.ends_with("replay.ludus") && text.starts_with("200"));
    assert!(replays.count() > short_or_long(12, 40));
    // On the other kind of database; a busy site comes back on both.
    let kind = match cup.database().dialect() {
        Dialect::Sqlite => Kind::Postgres,
        Dialect::Postgres => Kind::Sqlite,
    };
    let other = elsewhere(&file, kind).await;
    assert_eq!(files(&other), files(&cup.court));
    assert_eq!(std::fs::read_to_string(other.folder().join("course.key")).unwrap(), "07".repeat(32));
    // Sessions come back as well: nobody has to sign in again.
    let visitors = visiting(&other, browsers);
    let after = walk(&other, &visitors, &known).await;
    // What the machine does at this moment, and when a token was used last.
    let momentary = ["/health", "/workshop", "/status", "/desk", "/account", "/api/v1/me", "/api/v1/status"];
    for (key, text) in &before {
        if !momentary.iter().any(|path| key.1.starts_with(path)) {
            assert_same(key, text, &after[key]);
        }
    }
    // Numbers go on where they were, and work goes on.
    let (old, new) = (numbers(&cup.court).await, numbers(&other).await);
    assert_eq!(old, new);
    let back = Cup { court: other, season: cup.season.clone() };
    let mut two = signed_in(&back, "student2").await;
    let page = two.submit("open", &named(GOOD, "Later")).await;
    assert_eq!(page, format!("/submissions/{}", old["submissions"] + 1));
    back.work().await;
    let left = back.count("SELECT COUNT(*) FROM jobs WHERE state <> 'done'").await;
    assert_eq!(left, 0, "what waited is done");
    back.court.sums_are_right().await;
    assert!(two.get(&page).await.has("<h2>Accepted</h2>") || two.get(&page).await.has("verdict bad"));
}

/// The last number that each table has given.
async fn numbers(court: &Court) -> BTreeMap<String, i64> {
    let database = &court.site.database;
    let mut tx = database.snapshot().await.unwrap();
    let tables = ludus_judge::database::schema::tables(&mut tx, database.dialect()).await.unwrap();
    tx.rollback().await.unwrap();
    tables.into_iter().filter_map(|table| Some((table.name, table.last.filter(|last| *last > 0)?))).collect()
}

/// Students submit and train, and all that is played, until somebody says stop.
async fn a_backup_of_a_busy_site_is_of_one_moment(court: Court) {
    let (cup, browsers) = course(court).await;
    let mut one = browsers[1].0.clone();
    let known =
        ["/seasons/cup/rounds/1", "/seasons/cup/rounds/2", "/finals/grand-final", "/training/1", "/submissions/1"]
            .map(ToOwned::to_owned);
    let before = walk(&cup.court, &browsers, &known).await;
    let acknowledged = one.submit("open", &named(GOOD, "Before")).await;
    let file = cup.court.folder().join("busy.backup");
    let stop = tokio::sync::Notify::new();
    let busy = async {
        let mut two = browsers[3].0.clone();
        let mut rounds = 0;
        loop {
            train(&mut two, ["Player2", "Dummy", "Demo", "Null"], "4", "turning").await;
            two.submit("open", &named(GOOD, &format!("Busy{rounds}"))).await;
            rounds += 1;
            tokio::select! {
                biased;
                () = stop.notified() => return rounds,
                () = cup.work() => {}
            }
        }
    };
    let backups = async {
        // The last of three is made in the middle of it all, whenever that is.
        for _ in 0..3 {
            let _ = std::fs::remove_file(&file);
            back_up(&cup.court, &file).await;
        }
        stop.notify_one();
    };
    let (rounds, ()) = tokio::join!(busy, backups);
    assert!(rounds > 0);
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let other = Cup { court: elsewhere(&file, kind).await, season: cup.season.clone() };
        let visitors = visiting(&other.court, &browsers);
        let after = walk(&other.court, &visitors, &known).await;
        for (key, text) in &before {
            assert_same(key, text, &after[key]);
        }
        // Every page of what was there at that moment is a page.
        let all = walk(&other.court, &visitors[1..3], &addresses(&shares(&other).await)).await;
        let broken: Vec<_> = all.iter().filter(|(_, text)| text.starts_with('5')).collect();
        assert!(broken.is_empty(), "{broken:?}");
        assert!(all.values().filter(|text| text.starts_with("200")).count() > short_or_long(120, 250));
        assert_eq!(visitors[1].0.clone().get(&acknowledged).await.status, StatusCode::OK, "it was acknowledged before");
        // Nothing refers to nothing: neither rows to rows nor rows to files.
        let database = other.database();
        for sql in [
            "SELECT replay AS hash FROM matches WHERE played = 1",
            "SELECT module AS hash FROM submissions WHERE stage = 'accepted'",
        ] {
            for row in sqlx::query(sql).fetch_all(database.read()).await.unwrap() {
                let hash: String = sqlx::Row::try_get(&row, 0).unwrap();
                other.court.site.store.get(&hash).unwrap();
            }
        }
        let halves = "SELECT COUNT(*) FROM matches m WHERE m.played = 1 AND EXISTS (SELECT 1 FROM seats s WHERE s.match_id = m.id AND s.score IS NULL)";
        assert_eq!(other.count(halves).await, 0, "a match is there with its results or not at all");
        let lost = "SELECT COUNT(*) FROM submissions s WHERE s.stage IN ('waiting', 'compiling') AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'compile' AND j.subject = s.id)";
        assert_eq!(other.count(lost).await, 0, "what was handed in has its job");
        assert_eq!(other.count("SELECT COUNT(*) FROM jobs WHERE state = 'running'").await, 0);
        other.work().await;
        assert_eq!(other.count("SELECT COUNT(*) FROM submissions WHERE decided_at IS NULL").await, 0);
    }
}

async fn a_backup_comes_back_into_an_empty_place_only(court: Court) {
    let cup = Cup::new(court, 2).await;
    std::fs::write(cup.court.folder().join("course.key"), "07".repeat(32)).unwrap();
    let file = cup.court.folder().join("course.backup");
    back_up(&cup.court, &file).await;
    let source = Source { database: cup.database(), store: &cup.court.site.store, folder: cup.court.folder() };
    let twice = backup::make(&source, &file, &mut Progress::silent()).await.unwrap_err().to_string();
    assert!(twice.contains("is there already"), "{twice}");
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let (folder, url) = place(kind);
        std::fs::create_dir_all(folder.path().join("store/00")).unwrap();
        let full = bring_back(&file, &folder, &url).await.unwrap_err().to_string();
        assert!(full.contains("is not empty"), "{full}");
        std::fs::remove_dir_all(folder.path().join("store")).unwrap();
        std::fs::write(folder.path().join("course.key"), "x").unwrap();
        let other = bring_back(&file, &folder, &url).await.unwrap_err().to_string();
        assert!(other.contains("another course"), "{other}");
        std::fs::remove_file(folder.path().join("course.key")).unwrap();
        bring_back(&file, &folder, &url).await.unwrap();
        std::fs::remove_file(folder.path().join("course.key")).unwrap();
        std::fs::rename(folder.path().join("store"), folder.path().join("aside")).unwrap();
        let full = bring_back(&file, &folder, &url).await.unwrap_err().to_string();
        assert!(full.contains("the database is not empty"), "{full}");
    }
}

type Parts = Vec<(String, Vec<u8>)>;

/// Writes a backup again, changed.
fn changed(from: &Path, to: &Path, change: impl FnOnce(&mut Parts)) {
    let mut reader = Reader::open(from).unwrap();
    let mut parts = Vec::new();
    while let Some(entry) = reader.next_entry().unwrap() {
        parts.push((entry.name, entry.bytes));
    }
    change(&mut parts);
    let _ = std::fs::remove_file(to);
    let mut writer = Writer::create(to, 0).unwrap();
    for (name, bytes) in parts {
        writer.add(&name, &bytes).unwrap();
    }
    writer.finish().unwrap();
}

fn at(parts: &Parts, start: &str) -> usize {
    parts.iter().position(|(name, _)| name.starts_with(start)).unwrap()
}

fn replace(bytes: &mut Vec<u8>, from: &str, to: &str) {
    let text = String::from_utf8(std::mem::take(bytes)).unwrap();
    assert!(text.contains(from), "{text}");
    *bytes = text.replace(from, to).into_bytes();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_is_not_whole_is_refused_and_leaves_nothing() {
    let cup = Cup::new(Court::new(Kind::Sqlite).await, 2).await;
    std::fs::write(cup.court.folder().join("course.key"), "07".repeat(32)).unwrap();
    let file = cup.court.folder().join("course.backup");
    back_up(&cup.court, &file).await;
    let spoilt = cup.court.folder().join("spoilt.backup");
    let refused = |words: &'static str| {
        let spoilt = spoilt.clone();
        async move {
            let (folder, url) = place(Kind::Sqlite);
            let error = format!("{:#}", bring_back(&spoilt, &folder, &url).await.unwrap_err());
            assert!(error.contains(words), "{words}: {error}");
            let left: Vec<_> =
                std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
            assert!(left.iter().all(|name| name.to_str().unwrap().starts_with("judge.sqlite")), "{left:?}");
            // The same place takes one that is whole.
            bring_back(&file_of(&spoilt), &folder, &url).await.unwrap();
        }
    };
    fn file_of(spoilt: &Path) -> std::path::PathBuf {
        spoilt.with_file_name("course.backup")
    }
    let whole = std::fs::read(&file).unwrap();
    for length in [0, 10, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&spoilt, &whole[..length]).unwrap();
        refused("cut off").await;
    }
    std::fs::write(&spoilt, "no backup at all").unwrap();
    refused("is no archive").await;
    changed(&file, &spoilt, |parts| drop(parts.remove(0)));
    refused("is no backup of Ludus").await;
    changed(&file, &spoilt, |parts| replace(&mut parts[0].1, "\"ludus_backup\":1", "\"ludus_backup\":2"));
    refused("has the format 2").await;
    changed(&file, &spoilt, |parts| replace(&mut parts[0].1, "\"migrations\":[1,", "\"migrations\":[1,999999,"));
    refused("is of a newer Ludus").await;
    changed(&file, &spoilt, |parts| replace(&mut parts[0].1, "\"name\":\"accounts\"", "\"name\":\"a;b\""));
    refused("is no name of a table").await;
    changed(&file, &spoilt, |parts| drop(parts.pop()));
    refused("has no manifest.json").await;
    changed(&file, &spoilt, |parts| drop(parts.remove(at(parts, "store/"))));
    refused("the files of the store are not what the manifest says").await;
    changed(&file, &spoilt, |parts| drop(parts.remove(at(parts, "tables/accounts"))));
    refused("the table accounts is not what the manifest says").await;
    changed(&file, &spoilt, |parts| {
        let at = at(parts, "tables/accounts");
        replace(&mut parts[at].1, "student1@x.edu", "stranger@x.edu");
    });
    refused("the table accounts is not what the manifest says").await;
    changed(&file, &spoilt, |parts| {
        let at = at(parts, "store/");
        parts[at].1.push(0);
    });
    refused("of the store is damaged").await;
    changed(&file, &spoilt, |parts| {
        let at = at(parts, "course.key");
        parts[at].1.push(b'0');
    });
    refused("key is not what the manifest says").await;
    changed(&file, &spoilt, |parts| parts.push(("more".to_owned(), Vec::new())));
    refused("comes after the manifest").await;
    changed(&file, &spoilt, |parts| parts.insert(1, ("stranger".to_owned(), Vec::new())));
    refused("nobody knows what stranger is").await;
}

/// A course of the first Ludus, as old as one can be, is brought up to date on
/// the way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_an_older_ludus_comes_back() {
    let folder = crate::harness::folder();
    let old = Database::connect(&Court::sqlite(&folder)).await.unwrap();
    let mut tx = old.begin().await.unwrap();
    old.migrate_in(&mut tx, |number| number <= 8).await.unwrap();
    tx.commit().await.unwrap();
    ludus_judge::course::ensure(&old, "An old course").await.unwrap();
    let store = ludus_judge::store::Store::open(folder.path().join("store").to_str().unwrap()).unwrap();
    let file = folder.path().join("old.backup");
    let source = Source { database: &old, store: &store, folder: folder.path() };
    backup::make(&source, &file, &mut Progress::silent()).await.unwrap();
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let court = elsewhere(&file, kind).await;
        assert!(court.browser().get("/").await.has("An old course"));
        assert!(court.browser().get("/news").await.status == StatusCode::OK, "a table that came later");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn buckets_are_backed_up_and_filled_too() {
    let cup = Cup::new(Court::new(Kind::Sqlite).await, 2).await;
    let there = crate::harness::folder();
    let url = format!("s3+http://key:secret@{}/course", bucket::serve(&there).await);
    let file = cup.court.folder().join("course.backup");
    back_up(&cup.court, &file).await;
    let (folder, database) = place(Kind::Sqlite);
    let restored = Database::connect(&database).await.unwrap();
    let target = Target { database: &restored, store: &url, folder: folder.path() };
    backup::restore(&file, &target, &mut Progress::silent()).await.unwrap();
    let inside = |path: &Path| -> BTreeSet<String> {
        let names = std::fs::read_dir(path).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.len() == 64).collect()
    };
    assert_eq!(inside(&there.path().join("course")), files(&cup.court).into_keys().collect());
    let again = cup.court.folder().join("again.backup");
    let url = url.clone();
    let store = tokio::task::spawn_blocking(move || ludus_judge::store::Store::open(&url).unwrap()).await.unwrap();
    let source = Source { database: &restored, store: &store, folder: folder.path() };
    let manifest = backup::make(&source, &again, &mut Progress::silent()).await.unwrap();
    assert_eq!((manifest.files, manifest.missing), (2, 0));
}

fn judge(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludus-judge"));
    command.args(["admin", "--as-root", "--data"]).arg(folder).env("LUDUS_AS_ROOT", "yes");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// However early or late it is killed, the file is whole or not there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_is_killed_leaves_nothing_half() {
    let cup = Cup::new(Court::new(Kind::Sqlite).await, 1).await;
    let noise: Vec<u8> = (0..400_000_u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for k in 0_u32..40 {
        let module = [&k.to_le_bytes()[..], &noise].concat();
        let account = cup.student(&format!("more{k}"), "").await;
        cup.player(account, &format!("More{k}"), &module).await;
    }
    let (data, file) = (cup.court.folder(), cup.court.folder().join("killed.backup"));
    let part = cup.court.folder().join("killed.backup.ludus-part");
    let deadline = Instant::now() + Duration::from_secs(120);
    for length in [0, 1, 1 << 20, 4 << 20] {
        let mut child = judge(data).arg("backup").arg(&file).spawn().unwrap();
        while child.try_wait().unwrap().is_none() && !part.metadata().is_ok_and(|about| about.len() >= length) {
            assert!(Instant::now() < deadline, "the backup neither begins nor ends");
            std::thread::yield_now();
        }
        // It may have ended by itself.
        let _ = child.kill();
        child.wait().unwrap();
        if file.exists() {
            backup::check(&file, &mut Progress::silent()).unwrap();
            std::fs::remove_file(&file).unwrap();
        }
    }
    let done = judge(data).arg("backup").arg(&file).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    assert!(!part.exists());
    let checked = judge(data).arg("check-backup").arg(&file).output().unwrap();
    assert!(String::from_utf8_lossy(&checked.stdout).contains("is whole"), "{checked:?}");
    // And back, by the command.
    let other = crate::harness::folder();
    let back = judge(other.path()).arg("restore").arg(&file).output().unwrap();
    assert!(back.status.success(), "{back:?}");
    let again = judge(other.path()).arg("restore").arg(&file).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("is not empty"), "{again:?}");
    let nothing = crate::harness::folder();
    let none = judge(nothing.path()).arg("backup").arg(nothing.path().join("x")).output().unwrap();
    assert!(String::from_utf8_lossy(&none.stderr).contains("there is no course"), "{none:?}");
    assert_eq!(std::fs::read_dir(nothing.path()).unwrap().count(), 0);
}
