//! Those who leave, and those who are made to: work that nobody waits for keeps its
//! room until it is done, and streams end with the session that opened them.

use std::fs::File;
use std::io::Write as _;
use std::process::Command;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use futures_util::{FutureExt as _, StreamExt as _};
use ludus_judge::accounts::Role;
use ludus_judge::ids::AccountId;
use ludus_judge::official::rounds;
use ludus_judge::web::Asker;
use ludus_judge::web::gate::Lane;
use tower::ServiceExt as _;

use crate::cup::Cup;
use crate::finals::{make, play, two_seasons};
use crate::harness::{Browser, Court};
use crate::on_sqlite;
use crate::round_pages::signed_in;
use crate::verdicts::{GOOD, named};

on_sqlite!(whoever_leaves_a_round_file_keeps_its_room, streams_end_when_their_owner_is_out);

/// Long enough for the busiest machine; nothing waits for it unless it fails.
const DEADLINE: Duration = Duration::from_secs(60);

/// A replay of the round is a pipe, so that it comes when the test wants it to.
async fn whoever_leaves_a_round_file_keeps_its_room(court: Court) {
    let cup = Cup::new(court, 5).await;
    let round = cup.play().await;
    let matches = rounds::matches(cup.database().read(), round.id).await.unwrap();
    let hash = matches[0].result.as_ref().unwrap().replay.clone();
    let (file, replay) = (cup.court.file(&hash), cup.court.site.store.get(&hash).unwrap());
    std::fs::remove_file(&file).unwrap();
    assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
    let mut browser = cup.court.browser();
    let asked = tokio::spawn(async move { browser.get("/seasons/cup/rounds/1/file").await.status });
    let pipe = tokio::task::spawn_blocking(move || File::create(file).unwrap());
    let mut pipe = tokio::time::timeout(DEADLINE, pipe).await.expect("the file is being made").unwrap();
    asked.abort();
    assert!(asked.await.unwrap_err().is_cancelled(), "whoever asked has left");
    let (gate, other) = (&cup.court.site.gates.proofs, Asker::Account(AccountId(99)));
    assert!(gate.enter(&other, Lane::First).now_or_never().is_none(), "the file is still being made");
    pipe.write_all(&replay).unwrap();
    drop(pipe);
    tokio::time::timeout(DEADLINE, gate.enter(&other, Lane::First)).await.expect("the room is free again").unwrap();
}

/// A stream, after its first event.
async fn stream(cup: &Cup, browser: &Browser, path: &str) -> axum::body::BodyDataStream {
    let cookies: Vec<String> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let request = Request::get(path).header(header::COOKIE, cookies.join("; ")).header(header::HOST, "judge.test");
    let response = cup.court.router().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    let mut stream = response.into_body().into_data_stream();
    tokio::time::timeout(DEADLINE, stream.next()).await.expect("there is a first event").unwrap().unwrap();
    stream
}

async fn streams_end_when_their_owner_is_out(court: Court) {
    let cup = two_seasons(court).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    make(&cup, &mut laia, &[("cup", "3"), ("two", "2")]).await;
    play(&cup, &mut laia).await;
    let mut one = signed_in(&cup, "student1").await;
    let two = signed_in(&cup, "student2").await;
    let page = one.submit("open", &named(GOOD, "Waiting")).await;
    let mut ending = Vec::new();
    for (browser, path) in [
        (&one, format!("{page}/events")),
        (&one, "/seasons/cup/live".to_owned()),
        (&one, "/finals/grand-final/events".to_owned()),
        (&two, "/seasons/cup/live".to_owned()),
    ] {
        ending.push((path.clone(), stream(&cup, browser, &path).await));
    }
    let mut guest = stream(&cup, &cup.court.browser(), "/seasons/cup/live").await;
    // One signs out, the other is locked.
    one.post("/sign-out", &[]).await;
    cup.run("UPDATE accounts SET locked = 1 WHERE email = 'student2@x.edu'").await;
    for (path, mut stream) in ending {
        let end = async { while stream.next().await.is_some() {} };
        tokio::time::timeout(DEADLINE, end).await.unwrap_or_else(|_| panic!("{path} goes on"));
    }
    assert!(guest.next().now_or_never().is_none(), "who was never signed in goes on");
}
