//! The pages of official rounds, as strangers, students and instructors meet them.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use futures_util::FutureExt as _;
use ludus_arena::season::file::RoundFile;
use ludus_judge::accounts::Role;
use ludus_judge::ids::AccountId;
use ludus_judge::official::rounds::{self, State};
use ludus_judge::web::gate::Lane;
use ludus_judge::web::place::Place;
use ludus_judge::web::visitor::Asker;

use crate::cup::{Cup, broken_module, module};
use crate::harness::{Browser, Court};
use crate::{on_both, on_sqlite};

on_both!(instructors_run_the_rounds_and_all_of_it_is_logged);

on_sqlite!(
    a_student_chooses_a_representative,
    a_round_is_followed_as_it_happens,
    everybody_can_follow_a_round,
    names_are_shown_as_the_course_wants,
    a_seed_is_secret_until_the_round_is_over,
    a_stopped_round_asks_an_instructor,
    a_veiled_match_is_for_instructors_only,
    a_round_that_was_drawn_by_lot_says_so
);

/// A student of a cup, signed in.
pub async fn signed_in(cup: &Cup, name: &str) -> Browser {
    let id = sqlx::query_scalar("SELECT id FROM accounts WHERE email = $1").bind(format!("{name}@x.edu"));
    cup.court.signed_in(id.fetch_one(cup.database().read()).await.unwrap()).await
}

async fn everybody_can_follow_a_round(court: Court) {
    let cup = Cup::new(court, 9).await;
    let mut nobody = cup.court.browser();
    assert!(nobody.get("/seasons/cup/rounds").await.has("No official rounds yet"));
    cup.direct().await;
    let prepared = nobody.get("/seasons/cup/rounds/1").await;
    let commitment = cup.round().await.unwrap().commitment.to_string();
    assert!(prepared.has("Prepared") && prepared.has(&commitment) && prepared.has("Secret until"), "{}", prepared.text);
    assert_eq!(nobody.get("/seasons/cup/rounds/1/file").await.status, StatusCode::NOT_FOUND);
    let round = cup.start().await;
    let playing = nobody.get("/seasons/cup/rounds/1").await;
    assert!(playing.has("Being played") && playing.has("0 of 3 matches played"), "{}", playing.text);
    assert!(playing.has("data-events=\"/seasons/cup/live?round=1\"") && playing.has("Player4"));
    cup.work().await;
    let over = nobody.get("/seasons/cup/rounds/1").await;
    assert!(over.has("is out") && over.has("Saved") && over.has("class=\"out\""), "{}", over.text);
    assert!(!over.has("data-events"), "what is over does not change");
    for scores in scores_of_groups(&over.text) {
        assert!(scores.is_sorted_by(|one, next| one >= next), "the best comes first: {scores:?}");
    }
    let hall = nobody.get("/seasons/cup/hall").await;
    assert!(hall.has("data-hall") && hall.has("is out"));
    let board = nobody.get("/seasons/cup/rounds").await;
    assert!(board.has("Still in") && board.has("/seasons/cup/authors/2"), "{}", board.text);
    let history = nobody.get("/seasons/cup/authors/2").await;
    assert!(history.has("Round 1 · Stage 1") && history.has("</svg>Player2"), "{}", history.text);
    assert_eq!(nobody.get("/seasons/cup/authors/77").await.status, StatusCode::NOT_FOUND);
    // Every official match can be watched, and what is known of it is public.
    let id = rounds::matches(cup.database().read(), round.id).await.unwrap()[0].id;
    assert_eq!(nobody.get(&format!("/matches/{id}")).await.status, StatusCode::OK);
    assert_eq!(nobody.get(&format!("/matches/{id}/replay.ludus")).await.status, StatusCode::OK);
    assert!(nobody.get("/official-rounds").await.has("How a round goes"));
    for (language, heading) in [("ca", "Com va una ronda"), ("es", "Cómo va una ronda")] {
        nobody.post("/language", &[("language", language), ("next", "/official-rounds")]).await;
        assert!(nobody.get("/official-rounds").await.has(heading), "{language}");
    }
    nobody.post("/language", &[("language", "en"), ("next", "/")]).await;
    let key = nobody.get("/course.pub").await.text;
    assert_eq!(key.trim(), cup.court.site.key.public().to_string());
}

/// The scores of every match of a round, in the order of its page.
fn scores_of_groups(page: &str) -> Vec<Vec<i64>> {
    let groups = page.split("class=\"group played\"").skip(1);
    let found: Vec<Vec<i64>> = groups
        .map(|group| {
            let scores = group.split("class=\"score\">").skip(1).take(4);
            assert_eq!(group.split("class=\"score\"").next().unwrap().matches("class=\"dot\"").count(), 1, "{group}");
            scores.map(|rest| rest.split('<').next().unwrap().parse().unwrap()).collect()
        })
        .collect();
    assert!(found.iter().any(|scores| !scores.is_sorted_by(|one, next| one == next)), "some differ: {found:?}");
    found
}

/// The bytes of a round's file as a browser gets them.
async fn download(cup: &Cup, number: i64) -> Vec<u8> {
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use tower::ServiceExt as _;
    let request = Request::get(format!("/seasons/cup/rounds/{number}/file")).body(Body::empty()).unwrap();
    let response = cup.court.router().oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec()
}

async fn a_round_is_followed_as_it_happens(court: Court) {
    let cup = Cup::new(court, 9).await;
    cup.start().await;
    let mut nobody = cup.court.browser();
    let follower = tokio::spawn(async move { nobody.get("/seasons/cup/live?round=1").await });
    // It follows before anything is played, because the stream begins with what is there.
    tokio::task::yield_now().await;
    cup.work().await;
    let seen = follower.await.unwrap();
    assert_eq!(seen.status, StatusCode::OK);
    assert!(seen.text.ends_with("event: over\ndata: \n\n") || seen.text.contains("event: over"), "{}", seen.text);
    let bytes = download(&cup, 1).await;
    let file = RoundFile::read(&bytes).unwrap();
    file.check_key(&cup.court.site.key.public()).unwrap();
    file.check().unwrap();
    assert_eq!(bytes, download(&cup, 1).await);
    cup.run("UPDATE schedules SET gives_modules = 1").await;
    let with_modules = download(&cup, 1).await;
    assert!(with_modules.len() > bytes.len());
    RoundFile::read(&with_modules).unwrap().check().unwrap();
    check_turns(&cup, "/seasons/cup/rounds/1/file").await;
}

/// The file at a path is made for one visitor after the other, and nobody waits
/// for several.
pub async fn check_turns(cup: &Cup, path: &str) {
    let (proofs, guest) = (&cup.court.site.gates.proofs, Asker::Guest(Place::Unknown));
    let inside = proofs.enter(&guest, Lane::Second).await.unwrap();
    // So many of one address stand in the line as may, and one more is refused.
    let mut others = Vec::new();
    let refused = loop {
        let mut another = Box::pin(proofs.enter(&guest, Lane::Second));
        match another.as_mut().now_or_never() {
            Some(answer) => break answer.is_err(),
            None => others.push(another),
        }
    };
    assert!(refused && !others.is_empty());
    assert_eq!(cup.court.browser().get(path).await.status, StatusCode::SERVICE_UNAVAILABLE);
    drop(others);
    let mut browser = cup.court.browser();
    let mut waiting = Box::pin(browser.get(path));
    // Its session and its round are read before it comes to the gate.
    while proofs.waiting(Lane::Second) == 0 {
        assert!(waiting.as_mut().now_or_never().is_none(), "it did not wait for the one before it");
        tokio::task::yield_now().await;
    }
    drop(inside);
    assert_eq!(waiting.await.status, StatusCode::OK);
}

async fn names_are_shown_as_the_course_wants(court: Court) {
    let cup = Cup::new(court, 5).await;
    cup.play().await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let mut student = signed_in(&cup, "student1").await;
    let mut nobody = cup.court.browser();
    let pages = ["/seasons/cup/rounds", "/seasons/cup/rounds/1", "/seasons/cup/hall", "/seasons/cup/authors/2"];
    for (setting, expected) in [
        ("", [false, true, true]),
        ("players", [false, false, true]),
        ("signed-in", [false, true, true]),
        ("everybody", [true; 3]),
    ] {
        // What a course shows before anybody has said.
        if !setting.is_empty() {
            let saved = laia.post("/course", &[("title", "C"), ("words", ""), ("names", setting)]).await;
            assert_eq!(saved.status, StatusCode::SEE_OTHER);
        }
        for page in pages {
            let seen = [
                nobody.get(page).await.has("Name of student2"),
                student.get(page).await.has("Name of student2"),
                laia.get(page).await.has("Name of student2"),
            ];
            assert_eq!(seen, expected, "{setting} {page}");
            assert!(nobody.get(page).await.has("Player2"));
        }
    }
    // The names in a round file are those that the public could see when it began.
    cup.play().await;
    let labels = |bytes: &[u8]| RoundFile::read(bytes).unwrap().manifest.players[0].label.clone();
    assert_eq!(labels(&download(&cup, 1).await), "");
    assert!(labels(&download(&cup, 2).await).starts_with("Name of student"));
}

/// Everything that can be reached from the start page by links.
async fn crawl(browser: &mut Browser) -> Vec<(String, String)> {
    let (mut known, mut found) = (BTreeSet::from(["/".to_owned()]), Vec::new());
    let mut next = vec!["/".to_owned(), "/seasons/cup/rounds/1/file".to_owned(), "/actions".to_owned()];
    while let Some(page) = next.pop() {
        let answer = browser.get(&page).await;
        for link in answer.text.split("href=\"").skip(1).map(|rest| rest.split(['"', '#']).next().unwrap().to_owned()) {
            let is_page = link.starts_with('/') && !link.starts_with("/static") && !link.contains("/events");
            if is_page && known.len() < 400 && known.insert(link.clone()) {
                next.push(link.replace("&amp;", "&"));
            }
        }
        let headers = format!("{:?}", answer.headers);
        found.push((page, answer.text + &headers));
    }
    found
}

async fn a_seed_is_secret_until_the_round_is_over(court: Court) {
    let cup = Cup::new(court, 6).await;
    cup.direct().await;
    let round = cup.round().await.unwrap();
    let seed = round.secret_seed().bytes();
    let hex: String = seed.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut visitors = vec![cup.court.browser(), signed_in(&cup, "student1").await];
    visitors.push(cup.court.visitor("laia", Role::Instructor).await);
    visitors.push(cup.court.visitor("guest", Role::Spectator).await);
    let search = async |visitors: &mut Vec<Browser>| {
        let mut pages = 0;
        for visitor in visitors {
            for (page, text) in crawl(visitor).await {
                pages += 1;
                let raw = text.as_bytes().windows(32).any(|bytes| bytes == seed);
                assert!(!raw && !text.to_lowercase().contains(&hex), "{page}");
            }
        }
        pages
    };
    assert!(search(&mut visitors).await > 60);
    assert_eq!(round.revealed_seed(), None);
    cup.court.site.director().start(&cup.season, &round).await.unwrap();
    assert!(search(&mut visitors).await > 60);
    assert!(!format!("{round:?}").contains(&hex), "not in a log either");
    cup.work().await;
    assert!(visitors[0].get("/seasons/cup/rounds/1").await.has(&hex));
}

async fn a_student_chooses_a_representative(court: Court) {
    let cup = Cup::new(court, 5).await;
    let account = cup.count("SELECT account_id FROM submissions WHERE name = 'Player2'").await;
    let second = cup.player(AccountId(account), "Second", &module("Second", 90)).await;
    let first = cup.count("SELECT id FROM submissions WHERE name = 'Player2'").await;
    let mut student = signed_in(&cup, "student2").await;
    let page = student.get("/seasons/cup").await;
    assert!(page.has("Your representative: Second") && page.has("the newest accepted one"), "{}", page.text);
    let chosen = student.post("/seasons/cup/representative", &[("player", &first.to_string())]).await;
    assert_eq!(chosen.status, StatusCode::SEE_OTHER);
    assert!(student.get("/seasons/cup").await.has("Your representative: Player2"));
    cup.start().await;
    student.post("/seasons/cup/representative", &[("player", &second.to_string())]).await;
    let page = student.get("/seasons/cup").await;
    assert!(
        page.has("Your representative: Second") && page.has("Round 1 is being played with Player2"),
        "{}",
        page.text
    );
    let others = cup.count("SELECT id FROM submissions WHERE name = 'Player3'").await.to_string();
    let refused = student.post("/seasons/cup/representative", &[("player", &others)]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let mut nobody = cup.court.browser();
    assert_ne!(nobody.post("/seasons/cup/representative", &[("player", &others)]).await.status, StatusCode::OK);
    cup.run("INSERT INTO season_groups (season_id, team) SELECT id, 'Other' FROM seasons WHERE slug = 'cup'").await;
    assert!(student.get("/seasons/cup").await.has("Your group does not play this season"));
}

async fn instructors_run_the_rounds_and_all_of_it_is_logged(court: Court) {
    let cup = Cup::new(court, 6).await;
    cup.direct().await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let mut student = signed_in(&cup, "student1").await;
    let desk = "/seasons/cup/desk";
    assert_eq!(student.get(desk).await.status, StatusCode::FORBIDDEN);
    assert_eq!(student.post(&format!("{desk}/start"), &[]).await.status, StatusCode::FORBIDDEN);
    let page = laia.get(desk).await;
    assert!(page.has("Start it now") && page.has("G1"), "{}", page.text);
    let settings = [
        ("times", "9:00 21:15"),
        ("day1", "on"),
        ("each", "2"),
        ("most", ""),
        ("least", "2"),
        ("group0", "on"),
        ("name0", "G1"),
    ];
    assert_eq!(laia.post(desk, &settings).await.status, StatusCode::SEE_OTHER);
    let page = laia.get(desk).await;
    assert!(page.has("09:00 21:15") && page.has("Starts"), "{}", page.text);
    assert!(cup.round().await.unwrap().starts_at.is_some());
    let wrong = laia.post(desk, &[("times", "noon"), ("each", "1"), ("least", "1")]).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(laia.post(&format!("{desk}/pause"), &[]).await.status, StatusCode::UNPROCESSABLE_ENTITY, "why?");
    laia.post(&format!("{desk}/pause"), &[("reason", "holidays")]).await;
    assert!(student.get("/seasons/cup/rounds").await.has("Rounds are paused: holidays"));
    assert_eq!(laia.post(&format!("{desk}/start"), &[]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    laia.post(&format!("{desk}/resume"), &[]).await;
    laia.post(&format!("{desk}/cancel"), &[("reason", "an exam")]).await;
    assert!(student.get("/seasons/cup/rounds/1").await.has("This round was cancelled: an exam"));
    cup.direct().await;
    let account = cup.count("SELECT account_id FROM submissions WHERE name = 'Player3'").await.to_string();
    laia.post(&format!("{desk}/withdraw"), &[("account", &account), ("reason", "copied")]).await;
    assert!(laia.get(desk).await.has("leaves with the next round: copied"));
    laia.post(&format!("{desk}/keep"), &[("account", &account)]).await;
    laia.post(&format!("{desk}/withdraw"), &[("account", &account), ("reason", "copied twice")]).await;
    let started = laia.post(&format!("{desk}/start"), &[]).await;
    assert_eq!(started.location, "/seasons/cup/rounds/2");
    assert_eq!(laia.post(&format!("{desk}/start"), &[]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(laia.post(&format!("{desk}/undo"), &[("reason", "x")]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(laia.post(&format!("{desk}/cancel"), &[("reason", "x")]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    cup.work().await;
    laia.post(&format!("{desk}/undo"), &[("reason", "the room lost power")]).await;
    let undone = student.get("/seasons/cup/rounds/2").await;
    assert!(undone.has("does not count: the room lost power"), "{}", undone.text);
    assert!(!student.get("/seasons/cup/rounds").await.has("copied twice"), "why is nobody else's business");
    assert_eq!(cup.left().await.len(), 5);
    let log = laia.get("/actions").await;
    for done in [
        "Schedule changed",
        "Rounds paused",
        "holidays",
        "Rounds resumed",
        "Round cancelled",
        "an exam",
        "Somebody withdrawn",
        "copied twice",
        "Withdrawal taken back",
        "Round started",
        "Elimination undone",
    ] {
        assert!(log.has(done), "{done}");
    }
}

async fn a_stopped_round_asks_an_instructor(court: Court) {
    let cup = Cup::new(court, 5).await;
    let broken = cup.court.site.store.put(&broken_module("x")).unwrap();
    let good = cup.court.site.store.put(&module("Player3", 60)).unwrap();
    let set = async |module: &str| {
        for sql in [
            "UPDATE submissions SET module = $1 WHERE name = 'Player3'",
            "UPDATE round_players SET module = $1 WHERE name = 'Player3'",
        ] {
            sqlx::query(sql).bind(module).execute(cup.database().write()).await.unwrap();
        }
    };
    set(&broken).await;
    let round = cup.start().await;
    for _ in 0..3 {
        cup.work().await;
        cup.run("UPDATE jobs SET not_before = 0 WHERE state = 'waiting'").await;
    }
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let mut nobody = cup.court.browser();
    assert!(nobody.get("/seasons/cup/rounds/1").await.has("Stopped"));
    let desk = laia.get("/seasons/cup/desk").await;
    assert!(desk.has("the machine cannot play broken x") && desk.has("Play its matches again"), "{}", desk.text);
    assert!(laia.get("/workshop").await.has("the machine cannot play broken x"));
    // To play it again is no use, and it stops again.
    assert_eq!(laia.post("/seasons/cup/desk/retry", &[]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(cup.count("SELECT COUNT(*) FROM jobs WHERE state = 'parked'").await, 0);
    assert!(nobody.get("/seasons/cup/rounds/1").await.has("Being played"));
    for _ in 0..3 {
        cup.work().await;
        cup.run("UPDATE jobs SET not_before = 0 WHERE state = 'waiting'").await;
    }
    assert_eq!(laia.post("/seasons/cup/desk/cancel", &[("reason", "it breaks")]).await.status, StatusCode::SEE_OTHER);
    assert!(nobody.get("/seasons/cup/rounds/1").await.has("This round was cancelled: it breaks"));
    set(&good).await;
    let next = cup.play().await;
    assert!(next.state == State::Over && next.number == round.number + 1);
    assert_eq!(cup.left().await.len(), 4);
}

async fn a_veiled_match_is_for_instructors_only(court: Court) {
    let cup = Cup::new(court, 4).await;
    let round = cup.play().await;
    let id = rounds::matches(cup.database().read(), round.id).await.unwrap()[0].id;
    cup.run("UPDATE matches SET veiled = 1 WHERE purpose = 'official'").await;
    let share: String = {
        let row = sqlx::query("SELECT share FROM matches WHERE id = $1").bind(id);
        sqlx::Row::try_get(&row.fetch_one(cup.database().read()).await.unwrap(), 0).unwrap()
    };
    let mut nobody = cup.court.browser();
    let mut student = signed_in(&cup, "student1").await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    for address in [format!("/matches/{id}"), format!("/matches/{id}/replay.ludus"), format!("/watch/{share}")] {
        assert_ne!(nobody.get(&address).await.status, StatusCode::OK, "{address}");
        assert_eq!(student.get(&address).await.status, StatusCode::NOT_FOUND, "{address}");
        assert_eq!(laia.get(&address).await.status, StatusCode::OK, "{address}");
    }
    assert!(!student.get("/matches?purpose=official").await.has(&format!("/matches/{id}")));
    assert!(laia.get("/matches?purpose=official").await.has(&format!("/matches/{id}")));
}

/// Matches of one round tell nobody apart, until the lot decides.
async fn a_round_that_was_drawn_by_lot_says_so(court: Court) {
    let mut cup = Cup::new(court, 0).await;
    cup.season.config = cup.season.config.replace("NUM_ROUNDS          250", "NUM_ROUNDS 1");
    for name in ["Idle1", "Idle2"] {
        let account = cup.student(&name.to_lowercase(), "G1").await;
        cup.player(account, name, &module(name, 0)).await;
    }
    let round = cup.play().await;
    assert_eq!(round.elimination.unwrap().by, ludus_arena::season::Decision::Draw);
    let mut nobody = cup.court.browser();
    let page = nobody.get("/seasons/cup/rounds/1").await;
    assert!(page.has("is out") && page.has("a draw from the round's seed decided"), "{}", page.text);
    assert_eq!(page.text.matches("Deciding match").count(), 30, "{}", page.text);
    assert!(nobody.get("/official-rounds").await.has("a <strong>draw</strong> from the round's seed decides"));
}
