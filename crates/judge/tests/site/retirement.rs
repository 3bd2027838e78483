//! Players that are taken out, and copies of examples.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::ids::SubmissionId;
use ludus_judge::submissions::{self, Reason};

use crate::harness::{Browser, Court};
use crate::verdicts::{GOOD, named};
use crate::{on_both, on_sqlite};

on_both!(a_retired_player_is_out);

on_sqlite!(copies_of_examples_are_accepted_once);

const SUBMIT: &str = "/seasons/open/submit";
const EXAMPLE: &str = include_str!("../../../../content/dominator/players/AIReaper.cc");

/// Gives every submission that waits its verdict, without playing.
async fn accept_all(court: &Court) {
    sqlx::query("UPDATE submissions SET stage = 'accepted', decided_at = 1 WHERE stage = 'waiting'")
        .execute(court.site.database.write())
        .await
        .unwrap();
}

async fn a_retired_player_is_out(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let mut pau = court.visitor("pau", Role::Student).await;
    let mut ana = court.visitor("ana", Role::Student).await;
    let page = pau.submit("open", &named(GOOD, "Squatter")).await;
    accept_all(&court).await;
    let taken = ana.upload(SUBMIT, "AIx.cc", named(GOOD, "squatter").as_bytes()).await;
    assert!(taken.has("is already called"));
    assert!(!pau.get(&page).await.has("Retire this player"), "not for its author");
    assert!(laia.get(&page).await.has("Retire this player"));
    assert_eq!(laia.post(&format!("{page}/retire"), &[]).await.status, StatusCode::UNPROCESSABLE_ENTITY, "why?");
    laia.post(&format!("{page}/retire"), &[("reason", "holds a name <b>")]).await;
    let told = pau.get(&page).await;
    assert!(told.has("<h2>Retired</h2>") && told.has("holds a name &lt;b&gt;"), "{}", told.text);
    assert!(pau.get("/submissions?stage=retired").await.has("Squatter"));
    assert!(!pau.get("/submissions?stage=accepted").await.has("Squatter"));
    assert!(!ana.get("/seasons/open/players").await.has("Squatter"), "it takes part in nothing");
    assert!(!ana.get("/seasons/open").await.has("Squatter"));
    sqlx::query(
        "INSERT INTO matches (season_id, purpose, submission_id, step, seed, played, share, created_at)
         SELECT season_id, 'verification', id, 0, 1, 1, 'shared', 1 FROM submissions WHERE name = 'Squatter'",
    )
    .execute(court.site.database.write())
    .await
    .unwrap();
    assert_eq!(ana.get("/matches/1").await.status, StatusCode::NOT_FOUND);
    for (browser, count) in [(&mut ana, 0), (&mut pau, 1), (&mut laia, 1)] {
        assert!(browser.get("/matches").await.has(&format!("class=\"count\">{count}<")), "{count}");
    }
    let second = ana.submit("open", &named(GOOD, "squatter")).await;
    laia.post(&format!("{page}/restore"), &[]).await;
    assert!(pau.get(&page).await.has("<h2>Accepted</h2>"), "nobody has the name yet");
    laia.post(&format!("{page}/retire"), &[("reason", "again")]).await;
    accept_all(&court).await;
    assert!(ana.get(&second).await.has("<h2>Accepted</h2>"));
    assert_eq!(laia.post(&format!("{page}/restore"), &[]).await.status, StatusCode::CONFLICT);
    assert!(pau.get(&page).await.has("<h2>Retired</h2>"));
    let log = laia.get("/actions").await;
    assert_eq!(
        (log.text.matches("<strong>Player retired").count(), log.text.matches("<strong>Player put back").count()),
        (2, 1)
    );
    assert!(log.has("holds a name"));
}

async fn refuse_copy(browser: &mut Browser, name: &str, source: &str) {
    let answer = browser.upload(SUBMIT, "AIx.cc", source.replace("Reaper", name).as_bytes()).await;
    assert!(answer.has("differs from an example in nothing but its name"), "{}", answer.text);
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
}

async fn copies_of_examples_are_accepted_once(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let mut pau = court.visitor("pau", Role::Student).await;
    let first = pau.submit("open", &named(EXAMPLE, "One")).await;
    let at_once = pau.submit("open", &named(EXAMPLE, "Two")).await;
    let at_once = SubmissionId(at_once.rsplit('/').next().unwrap().parse().unwrap());
    sqlx::query("UPDATE submissions SET stage = 'accepted', decided_at = 1 WHERE name = 'One'")
        .execute(court.site.database.write())
        .await
        .unwrap();
    let mut tx = court.site.database.begin().await.unwrap();
    let late = submissions::find(&mut tx, at_once).await.unwrap().unwrap();
    assert_eq!(
        submissions::obstacle(&mut tx, &late).await.unwrap(),
        Some(Reason::ExampleTwice),
        "they were verified together"
    );
    tx.rollback().await.unwrap();
    refuse_copy(&mut pau, "Three", EXAMPLE).await;
    refuse_copy(&mut pau, "Three", &EXAMPLE.replace('\n', " // mine\n\n")).await;
    laia.post(&format!("{first}/retire"), &[("reason", "a copy")]).await;
    refuse_copy(&mut pau, "Three", EXAMPLE).await;
    pau.submit("open", &format!("{}\nstatic int mine = 1;\n", named(EXAMPLE, "Four"))).await;
    let mut ana = court.visitor("ana", Role::Student).await;
    ana.submit("open", &named(EXAMPLE, "Hers")).await;
}
