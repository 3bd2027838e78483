//! What everybody else notices of large rounds and long seasons: verdicts come
//! in between, and pages cost the same however many rounds there were.

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::{Request, StatusCode};
use futures_util::StreamExt as _;
use ludus_judge::accounts::Role;
use ludus_judge::database::now;
use ludus_judge::ids::SubmissionId;
use ludus_judge::jobs::Compile;
use ludus_judge::official::rounds::{self, State};
use ludus_judge::queue::{Dispatch as _, Priority, Work};
use ludus_judge::worker::{self, Turn};
use sqlx::Row as _;
use tower::ServiceExt as _;

use crate::cup::{Cup, module};
use crate::finals::{make, next, play, two_seasons};
use crate::harness::{Browser, Court};
use crate::on_sqlite;

on_sqlite!(
    a_verdict_comes_while_a_round_is_played,
    who_follows_a_round_is_told_what_has_changed,
    pages_of_rounds_ask_as_little_after_many_rounds,
    pages_of_finals_ask_as_little_after_many_rounds
);

/// A player of a student of the cup that is handed in now.
async fn hand_in(cup: &Cup) -> SubmissionId {
    let account = cup.student("late", "G1").await;
    let mut tx = cup.database().begin().await.unwrap();
    let row = sqlx::query(
        "INSERT INTO submissions (season_id, account_id, name, name_key, file_name, language, source, stage, seed,
         created_at) VALUES ($1, $2, 'Late', 'late', 'AIx.cc', 'cpp', $3, 'waiting', 1, $4) RETURNING id",
    )
    .bind(cup.season.id)
    .bind(account)
    .bind(module("Late", 100))
    .bind(now());
    let submission: SubmissionId = row.fetch_one(&mut *tx).await.unwrap().try_get(0).unwrap();
    let work =
        Work { job: Compile { submission }.into(), account, priority: Priority::Verification, batch: submission.0 };
    cup.court.site.queue.offer(&mut tx, &work).await.unwrap();
    tx.commit().await.unwrap();
    submission
}

/// A single worker, who is in the middle of a round, takes the jobs of whoever
/// waits for a verdict in between. There are six of them: compiling, four copies,
/// and a match in each seat.
async fn a_verdict_comes_while_a_round_is_played(court: Court) {
    let cup = Cup::new(court, 70).await;
    let round = cup.start().await;
    let environment = cup.environment();
    assert_eq!(worker::turn(&environment).await, Turn::Done);
    let submission = hand_in(&cup).await;
    let mut turns = 0;
    let decided = || async {
        let row = sqlx::query("SELECT decided_at FROM submissions WHERE id = $1").bind(submission);
        let row = row.fetch_one(cup.database().read()).await.unwrap();
        row.try_get::<Option<i64>, _>(0).unwrap().is_some()
    };
    while !decided().await {
        assert_eq!(worker::turn(&environment).await, Turn::Done);
        turns += 1;
    }
    assert!(turns <= 12, "{turns} jobs");
    let state = async || rounds::by_id(cup.database().read(), round.id).await.unwrap().state;
    assert_eq!(state().await, State::Playing, "the round was not over first");
    cup.work().await;
    assert_eq!(state().await, State::Over);
}

/// The next event of a stream.
async fn event(stream: &mut BodyDataStream) -> String {
    loop {
        let chunk = tokio::time::timeout(Duration::from_secs(60), stream.next()).await;
        let chunk = chunk.expect("an event comes soon").expect("the stream goes on").unwrap();
        // A comment keeps the connection alive.
        if !chunk.starts_with(b":") {
            return String::from_utf8(chunk.to_vec()).unwrap();
        }
    }
}

async fn who_follows_a_round_is_told_what_has_changed(court: Court) {
    let cup = Cup::new(court, 40).await;
    cup.start().await;
    let request = Request::get("/seasons/cup/live?round=1").body(Body::empty()).unwrap();
    let mut stream = cup.court.router().oneshot(request).await.unwrap().into_body().into_data_stream();
    let groups = |event: &str| event.matches("<li class=\"group").count();
    let whole = event(&mut stream).await;
    assert!(whole.starts_with("event: progress") && groups(&whole) == 10, "{whole}");
    let environment = cup.environment();
    assert_eq!(worker::turn(&environment).await, Turn::Done);
    let played = cup.count("SELECT COUNT(*) FROM matches WHERE purpose = 'official' AND played = 1").await as usize;
    let changes = event(&mut stream).await;
    assert!(changes.starts_with("event: changes") && groups(&changes) == played && played < 10, "{changes}");
    assert!(changes.contains("id=\"stage-1-head\"") && changes.contains("id=\"stage-1-1\""), "{changes}");
    assert!(!changes.contains("<section"), "nothing else has changed: {changes}");
    while cup.count("SELECT MAX(stage) FROM round_matches").await == 1 {
        assert_eq!(worker::turn(&environment).await, Turn::Done);
    }
    let mut seen = String::new();
    while !seen.contains("<section class=\"stage\" id=\"stage-2\"") {
        let changes = event(&mut stream).await;
        assert!(changes.starts_with("event: changes"), "{changes}");
        seen += &changes;
    }
    cup.work().await;
    while !event(&mut stream).await.starts_with("event: over") {}
}

/// How many statements each page sends to the database.
async fn asked(cup: &Cup, browser: &mut Browser, pages: &[&str]) -> Vec<(String, u64)> {
    let mut all = Vec::new();
    for page in pages {
        // What is around every page is read again after two seconds, whoever asks.
        browser.get("/sign-in").await;
        let before = cup.database().read().asked();
        assert_eq!(browser.get(page).await.status, StatusCode::OK, "{page}");
        all.push(((*page).to_owned(), cup.database().read().asked() - before));
    }
    all
}

/// No page needs more, whatever it shows.
const MOST: u64 = 25;

async fn pages_of_rounds_ask_as_little_after_many_rounds(court: Court) {
    let cup = Cup::new(court, 9).await;
    cup.play().await;
    let mut visitors = [cup.court.browser(), cup.court.visitor("laia", Role::Instructor).await];
    let pages = [
        "/",
        "/seasons/cup",
        "/seasons/cup/rounds",
        "/seasons/cup/rounds/1",
        "/seasons/cup/hall",
        "/seasons/cup/authors/9",
    ];
    let lists = ["/matches?purpose=official", "/seasons/cup/desk"];
    let mut first = Vec::new();
    for visitor in &mut visitors {
        first.push(asked(&cup, visitor, &pages).await);
    }
    let first_lists = asked(&cup, &mut visitors[1], &lists).await;
    for _ in 0..5 {
        cup.play().await;
    }
    assert_eq!(asked(&cup, &mut visitors[1], &lists).await, first_lists);
    for (visitor, first) in visitors.iter_mut().zip(first) {
        assert_eq!(asked(&cup, visitor, &pages).await, first);
        assert!(first.iter().all(|(_, asked)| (1..=MOST).contains(asked)), "{first:?}");
    }
}

async fn pages_of_finals_ask_as_little_after_many_rounds(court: Court) {
    let cup = two_seasons(court).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    make(&cup, &mut laia, &[("cup", "3"), ("two", "2")]).await;
    play(&cup, &mut laia).await;
    next(&mut laia, 0).await;
    let mut nobody = cup.court.browser();
    let pages = ["/finals/grand-final"];
    let shown = [asked(&cup, &mut nobody, &pages).await, asked(&cup, &mut laia, &pages).await];
    let mut step = 1;
    while !nobody.get(pages[0]).await.has("huge-line champion") {
        assert_eq!(next(&mut laia, step).await.status, StatusCode::SEE_OTHER);
        step += 1;
    }
    let all = [asked(&cup, &mut nobody, &pages).await, asked(&cup, &mut laia, &pages).await];
    assert_eq!(all[1], shown[1]);
    assert!(all[0][0].1 < shown[0][0].1, "what was written for somebody else is not written again: {all:?} {shown:?}");
    assert!(shown.iter().flatten().all(|(_, asked)| (1..=MOST).contains(asked)), "{shown:?}");
}
