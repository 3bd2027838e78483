//! The instructor's desk: what needs attention, with the way to act.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::database::now;
use ludus_judge::jobs::Compile;
use ludus_judge::queue::{Dispatch as _, Priority, Work};

use crate::cup::{Cup, broken_module};
use crate::harness::{Court, add_season};
use crate::verdicts::{GOOD, named};
use crate::{on_both, on_sqlite};

on_both!(trouble_is_on_the_desk);

on_sqlite!(
    stopped_rounds_are_on_the_desk,
    a_list_that_waits_for_a_verdict_says_so,
    a_quiet_course_has_an_empty_desk,
    deadlines_name_who_has_no_player
);

async fn a_quiet_course_has_an_empty_desk(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let desk = laia.get("/desk").await;
    assert_eq!(desk.status, StatusCode::OK);
    assert!(desk.has("Nothing needs your attention.") && desk.has("href=\"/actions\""), "{}", desk.text);
    assert!(!desk.has("class=\"attention\""));
    // Lists that are empty say what comes next.
    let empty = desk.text.split("Nothing has been done yet").nth(1).unwrap();
    assert!(empty.starts_with(". <a href=\"/seasons/new\""), "{empty}");
    let season = laia.get("/seasons/open").await;
    assert!(season.has("No player has been accepted yet. <a href=\"/people\">"), "{}", season.text);
    assert!(season.has("No matches here. <a href=\"/seasons/open/rules\">"), "{}", season.text);
    let rounds = laia.get("/seasons/open/desk").await;
    assert!(rounds.has("<a href=\"#schedule\">") && rounds.has("id=\"schedule\""), "{}", rounds.text);
    assert!(laia.get("/").await.has("href=\"/desk\""));
    let mut marta = court.visitor("marta", Role::Student).await;
    assert!(marta.get("/seasons/open").await.has("accepted yet. <a href=\"/seasons/open/submit\">"));
    assert_eq!(marta.get("/desk").await.status, StatusCode::FORBIDDEN);
    assert!(!marta.get("/").await.has("/desk"));
    assert_eq!(court.browser().get("/desk").await.status, StatusCode::SEE_OTHER);
}

async fn trouble_is_on_the_desk(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let mut pau = court.visitor("pau", Role::Student).await;
    let page = pau.submit("open", &named(GOOD, "Waiting1")).await;
    sqlx::query("UPDATE submissions SET created_at = $1")
        .bind(now() - 3 * 3_600_000)
        .execute(court.site.database.write())
        .await
        .unwrap();
    let desk = laia.get("/desk").await;
    assert!(desk.has("Submissions without a verdict: 1. The oldest has waited for 3 h."), "{}", desk.text);
    assert!(desk.has(&format!("href=\"{page}\"")));
    sqlx::query("UPDATE jobs SET state = 'parked', error = 'no space left'")
        .execute(court.site.database.write())
        .await
        .unwrap();
    let desk = laia.get("/desk").await;
    assert!(desk.has("Jobs that were given up and wait for you: 1") && desk.has("/workshop?state=parked"));
    laia.post("/workshop/retry", &[]).await;
    assert!(!laia.get("/desk").await.has("given up"));
}

async fn a_list_that_waits_for_a_verdict_says_so(court: Court) {
    let cup = Cup::new(court, 2).await;
    let eva = cup.student("eva", "G1").await;
    let submission = cup.player(eva, "Stuck", b"whatever").await;
    cup.run("UPDATE submissions SET decided_at = NULL, stage = 'waiting' WHERE name = 'Stuck'").await;
    let mut tx = cup.database().begin().await.unwrap();
    let job = Compile { submission }.into();
    let work = Work { job, account: eva, priority: Priority::Verification, batch: 1 };
    cup.court.site.queue.offer(&mut tx, &work).await.unwrap();
    tx.commit().await.unwrap();
    cup.direct().await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let page = "/seasons/cup/desk";
    assert!(laia.get(page).await.has("The list waits for verdicts"));
    let desk = laia.get("/desk").await;
    assert!(desk.has("The list of The season cup waits for verdicts: 1.") && desk.has("Stuck"), "{}", desk.text);
    assert!(!desk.has("Nothing needs your attention."), "the deadline was a day ago");
    let id = submission.to_string();
    let reject = [("submission", id.as_str()), ("reason", "the disk broke")];
    let refused = laia.post(&format!("{page}/awaited/reject"), &reject).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "nothing has gone wrong yet");

    let given_up = "UPDATE jobs SET state = 'parked', failures = 3, error = 'no end in sight'";
    cup.run(given_up).await;
    let shown = laia.get(page).await;
    assert!(shown.has("was given up and waits for you") && shown.has("no end in sight"), "{}", shown.text);
    assert!(laia.get("/desk").await.has("Work that has failed or was given up: 1."));
    let retried = laia.post(&format!("{page}/awaited/retry"), &reject[..1]).await;
    assert_eq!(retried.status, StatusCode::SEE_OTHER);
    assert_eq!(cup.count("SELECT COUNT(*) FROM jobs WHERE state = 'waiting' AND failures = 0").await, 1);
    assert!(laia.get("/actions?action=try-again").await.has("Stuck"));

    cup.run(given_up).await;
    cup.direct().await;
    assert_eq!(cup.count("SELECT COUNT(*) FROM entrants").await, 0, "without an answer it waits");
    let unexplained = laia.post(&format!("{page}/awaited/reject"), &reject[..1]).await;
    assert_eq!(unexplained.status, StatusCode::UNPROCESSABLE_ENTITY);
    let mut marta = cup.court.visitor("marta", Role::Student).await;
    assert_eq!(marta.post(&format!("{page}/awaited/reject"), &reject).await.status, StatusCode::FORBIDDEN);
    let rejected = laia.post(&format!("{page}/awaited/reject"), &reject).await;
    assert_eq!(rejected.status, StatusCode::SEE_OTHER, "{}", rejected.text);
    let log = laia.get("/actions?action=reject-player").await;
    assert!(log.has("Stuck") && log.has("the disk broke") && log.has("Name of eva"), "{}", log.text);
    let verdict = laia.get(&format!("/submissions/{id}")).await;
    assert!(verdict.has("an instructor decided: the disk broke"), "{}", verdict.text);
    assert_eq!(cup.count("SELECT COUNT(*) FROM jobs WHERE state <> 'done'").await, 0, "nobody works for it");
    cup.direct().await;
    assert_eq!(cup.count("SELECT COUNT(*) FROM entrants WHERE number IS NOT NULL").await, 2);
    assert!(!laia.get(page).await.has("The list waits for verdicts"));
    assert!(!laia.get("/desk").await.has("waits for verdicts"));
}

async fn deadlines_name_who_has_no_player(court: Court) {
    add_season(&court.site.database, "soon", -1, 3).await;
    add_season(&court.site.database, "later", -1, 30).await;
    court.add_person("marta", Role::Student).await;
    court.add_person("pau", Role::Student).await;
    court.add_person("eva", Role::Spectator).await;
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let desk = laia.get("/desk").await;
    assert!(desk.has("The deadline of The season soon is on") && !desk.has("The season later"), "{}", desk.text);
    assert!(desk.has("Students without an accepted player in The season soon: 2"));
    assert!(desk.has(">marta</a>") && desk.has(">pau</a>") && !desk.has(">eva</a>"));
}

async fn stopped_rounds_are_on_the_desk(court: Court) {
    let cup = Cup::new(court, 4).await;
    let broken = cup.court.site.store.put(&broken_module("x")).unwrap();
    sqlx::query("UPDATE submissions SET module = $1 WHERE name = 'Player2'")
        .bind(broken)
        .execute(cup.database().write())
        .await
        .unwrap();
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    cup.direct().await;
    cup.run("UPDATE rounds SET starts_at = committed_at + 3600000").await;
    assert!(laia.get("/desk").await.has("The next round of The season cup starts on"));
    cup.start().await;
    // Every failure delays the next try; an instructor who is in a hurry asks again.
    for _ in 0..3 {
        cup.work().await;
        cup.run("UPDATE jobs SET not_before = 0 WHERE state = 'waiting'").await;
    }
    let desk = laia.get("/desk").await;
    assert!(desk.has("Round 1 of The season cup has stopped"), "{}", desk.text);
    assert!(desk.has("href=\"/seasons/cup/desk\"") && desk.has("the machine cannot play"));
    cup.run("INSERT INTO schedules (season_id) SELECT id FROM seasons WHERE slug = 'open'").await;
    cup.run("UPDATE schedules SET paused_at = 1, paused_reason = 'exams this week' WHERE season_id IN (SELECT id FROM seasons WHERE slug = 'open')").await;
    let desk = laia.get("/desk").await;
    assert!(desk.has("The rounds of The season open are paused:") && desk.has("exams this week"));
}
