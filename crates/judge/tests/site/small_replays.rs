//! Replays of small matches that are played together are kept beside their results,
//! and everybody who wants one finds it there.

use std::time::Duration;

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::backup::{self, Progress, Source};
use ludus_judge::caretaker::{Caretaker, Rule};
use ludus_judge::export;
use ludus_judge::ids::SeasonId;
use ludus_judge::local_machine::Seated;
use ludus_judge::seasons;
use ludus_judge::store::{Lost, hash_of};
use ludus_judge::worker::{self, Stop};

use crate::harness::{Browser, Court, until};
use crate::on_both;

on_both!(those_of_matches_played_together_are_beside_the_results, what_a_power_cut_takes_of_training_is_played_again);

/// Matches of the game's own players, which an instructor may ask for; with few orders,
/// so that their replays are small.
async fn train(laia: &mut Browser, matches: &str) {
    let players = [("first", "Null"), ("second", "Demo"), ("third", "Null"), ("fourth", "Null")];
    let rest = [("seating", "turning"), ("count", matches), ("seed", "7")];
    let asked = laia.post("/seasons/open/train", &[&players[..], &rest[..]].concat()).await;
    assert_eq!(asked.status, StatusCode::SEE_OTHER, "{}", asked.text);
}

async fn number(court: &Court, statement: &'static str) -> i64 {
    sqlx::query_scalar(statement).fetch_one(court.site.database.read()).await.unwrap()
}

fn caretaker(court: &Court, rule: Rule) -> Caretaker {
    let (database, store) = (court.site.database.clone(), court.site.store.clone());
    Caretaker { database, store, restorer: court.environment().restorer(), rule }
}

/// Matches with a small replay: number, seed and hash.
async fn kept(court: &Court) -> Vec<(i64, i64, String, Vec<u8>)> {
    let rows =
        sqlx::query_as("SELECT id, seed, replay, small_replay FROM matches WHERE small_replay IS NOT NULL ORDER BY id");
    rows.fetch_all(court.site.database.read()).await.unwrap()
}

async fn those_of_matches_played_together_are_beside_the_results(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    train(&mut laia, "12").await;
    let stop = Stop::default();
    let mut workers = worker::start(&court.environment(), 1, &stop);
    let left = "SELECT COUNT(*) FROM matches WHERE played = 0";
    until("matches are left", async || number(&court, left).await == 0).await;
    stop.now();
    while workers.join_next().await.is_some() {}
    let replays = kept(&court).await;
    assert_eq!(replays.len(), 12);
    for (_, _, hash, bytes) in &replays {
        assert_eq!(hash_of(bytes), *hash);
        let lost = court.site.store.get(hash).unwrap_err();
        assert_eq!(Lost::of(&lost), Some(&Lost::Missing(hash.clone())), "it is in one place");
    }
    // The match is the one that is played alone, whose replay goes into the store.
    let (id, seed, hash, bytes) = replays[0].clone();
    let season = seasons::by_id(&court.site.database, SeasonId(1)).await.unwrap();
    let machines = court.environment().machines;
    let players = ["Null", "Demo", "Null", "Null"];
    let players = players.map(|name| Seated { name: name.to_owned(), module: None, barred_from: None });
    let alone = tokio::task::spawn_blocking(move || machines.play(&season, seed, &players)).await.unwrap().unwrap();
    assert_eq!((alone.replay, alone.small_replay), (hash.clone(), None));
    court.site.store.remove(&hash, Duration::ZERO).unwrap();
    for file in ["replay.ludus", "scene.json", "record.txt", "picture.png"] {
        assert_eq!(laia.get(&format!("/matches/{id}/{file}")).await.status, StatusCode::OK, "{file}");
    }
    caretaker(&court, Rule::default()).turn(0).await.unwrap();
    assert_eq!(number(&court, "SELECT COUNT(*) FROM losses").await, 0, "nobody looks for it in the store");
    let (saved, exported) = (court.folder().join("saved"), court.folder().join("exported.tar.gz"));
    let source = Source { database: &court.site.database, store: &court.site.store, folder: court.folder() };
    assert_eq!(backup::make(&source, &saved, &mut Progress::silent()).await.unwrap().missing, 0);
    export::seasons(&court.site.database, &court.site.store, &[SeasonId(1)], &exported).await.unwrap();
    assert_eq!(crate::personal::parts(&exported)[&format!("replays/{id}.ludus")], bytes);
    caretaker(&court, Rule { training_days: -1, ..Rule::default() }).thin().await.unwrap();
    assert!(kept(&court).await.is_empty());
    assert_eq!(laia.get(&format!("/matches/{id}/replay.ludus")).await.status, StatusCode::GONE);
}

/// A file that nobody waited for may be there without its bytes.
async fn what_a_power_cut_takes_of_training_is_played_again(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    train(&mut laia, "4").await;
    court.work().await;
    assert!(kept(&court).await.is_empty(), "played one by one they are in the store");
    let hash = sqlx::query_scalar("SELECT replay FROM matches WHERE id = 2");
    let hash: String = hash.fetch_one(court.site.database.read()).await.unwrap();
    let whole = std::fs::read(court.file(&hash)).unwrap();
    std::fs::write(court.file(&hash), b"").unwrap();
    let lost = laia.get("/matches/2/replay.ludus").await;
    assert!(lost.status == StatusCode::SERVICE_UNAVAILABLE && lost.has("is being made again"), "{}", lost.text);
    caretaker(&court, Rule::default()).turn(0).await.unwrap();
    assert_eq!(std::fs::read(court.file(&hash)).unwrap(), whole);
    assert_eq!(laia.get("/matches/2/replay.ludus").await.status, StatusCode::OK);
}
