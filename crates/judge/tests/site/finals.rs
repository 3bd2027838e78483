//! Finals: made of the last of several seasons, played in advance, revealed step
//! by step, proved in the end.

use axum::http::StatusCode;
use ludus_arena::season::file::RoundFile;
use ludus_arena::season::{Hash, RoundSeed, results_digest};
use ludus_judge::accounts::Role;
use ludus_judge::ids::AccountId;
use ludus_judge::official::finals::{self, Final, State};
use ludus_judge::official::rounds;
use ludus_judge::official::show::{self, Step};

use crate::cup::{Cup, add_season, broken_module, module};
use crate::harness::{Browser, Court};
use crate::round_pages::check_turns;
use crate::{on_both, on_sqlite};

on_both!(a_final_is_made_played_and_presented);

on_sqlite!(
    a_final_that_is_cancelled_is_open,
    a_final_waits_when_the_machine_cannot_play,
    a_final_takes_the_last_of_each_season,
    finals_that_make_no_sense_are_refused,
    presenters_do_not_skip_steps
);

/// The seasons `cup`, of five of whom three are in, and `two`, with two.
pub async fn two_seasons(court: Court) -> Cup {
    let mut cup = Cup::new(court, 5).await;
    let first = cup.season.clone();
    cup.season = add_season(cup.database(), "two").await;
    for k in 1..=2 {
        let account = cup.student(&format!("other{k}"), "G2").await;
        cup.player(account, &format!("Other{k}"), &module(&format!("Other{k}"), 50 * k)).await;
    }
    for (slug, team) in [("cup", "G1"), ("two", "G2")] {
        let sql = "INSERT INTO season_groups (season_id, team) SELECT id, $1 FROM seasons WHERE slug = $2";
        sqlx::query(sql).bind(team).bind(slug).execute(cup.database().write()).await.unwrap();
    }
    cup.season = first;
    for _ in 0..2 {
        cup.play().await;
    }
    cup
}

pub async fn the_final(cup: &Cup) -> Final {
    finals::find(cup.database().read(), "grand-final").await.unwrap().unwrap()
}

/// The fields of the form for a final: so many of each season.
async fn form(cup: &Cup, of: &[(&'static str, &'static str)]) -> Vec<(String, String)> {
    let mut fields = vec![("title".to_owned(), "Grand final".to_owned())];
    for (slug, count) in of {
        let row = sqlx::query("SELECT id FROM seasons WHERE slug = $1").bind(slug);
        let row = row.fetch_one(cup.database().read()).await.unwrap();
        let id: i64 = sqlx::Row::try_get(&row, 0).unwrap();
        fields.push((format!("season-{id}"), (*count).to_owned()));
    }
    fields
}

pub async fn make(cup: &Cup, laia: &mut Browser, of: &[(&'static str, &'static str)]) -> crate::harness::Answer {
    let fields = form(cup, of).await;
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    laia.post("/finals/new", &fields).await
}

/// Lets the final be played to its end.
pub async fn play(cup: &Cup, laia: &mut Browser) {
    assert_eq!(laia.post("/finals/grand-final/play", &[]).await.status, StatusCode::SEE_OTHER);
    play_on(cup).await;
}

/// Plays what is left of the final.
pub async fn play_on(cup: &Cup) {
    for _ in 0..1000 {
        if the_final(cup).await.state != State::Playing {
            return;
        }
        cup.work().await;
        cup.court.site.final_director().turn().await.unwrap();
    }
    panic!("the final does not end");
}

pub async fn next(laia: &mut Browser, after: i64) -> crate::harness::Answer {
    laia.post("/finals/grand-final/next", &[("after", &after.to_string())]).await
}

async fn a_final_is_made_played_and_presented(court: Court) {
    let cup = two_seasons(court).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    assert!(laia.get("/finals/new").await.has("3 of 5 are still in"));
    let made = make(&cup, &mut laia, &[("cup", "3"), ("two", "2")]).await;
    assert_eq!(made.location, "/finals/grand-final", "{}", made.text);
    let mut nobody = cup.court.browser();
    let page = nobody.get("/finals/grand-final").await;
    let planned = the_final(&cup).await;
    assert!(page.has("Planned") && page.has(&planned.commitment.to_string()) && !page.has("Digest"));
    assert!(planned.revealed_seed().is_none());
    play(&cup, &mut laia).await;
    let played = the_final(&cup).await;
    let digest = played.digest.unwrap();
    assert!(nobody.get("/finals/grand-final").await.has(&digest.to_string()), "before the show");
    assert!(laia.get("/desk").await.has("waits to be presented"));
    let whole = rounds::whole_final(cup.database(), played.id).await.unwrap();
    assert_eq!(whole.len(), 4, "five play four rounds");
    let steps = show::steps(&whole);
    for (at, step) in (0..).zip(&steps) {
        let stage = next(&mut laia, at).await;
        assert_eq!(stage.location, "/finals/grand-final/present", "{}", stage.text);
        let (hall, home) = (laia.get(&stage.location).await, nobody.get("/finals/grand-final").await);
        match step {
            Step::Match(..) => assert!(hall.has("/viewer.html") && !home.has("/viewer.html")),
            Step::Out(_) => assert!(hall.has("huge-line") && home.has("Out")),
            Step::Champion => assert!(hall.has("huge-line champion") && home.has("huge-line champion")),
            Step::Round(number) => assert!(hall.has(&format!("Round {number}"))),
            Step::Outcome(..) => assert!(home.has("/watch/")),
        }
    }
    let revealed = the_final(&cup).await;
    assert_eq!(revealed.state, State::Revealed);
    check_proof(&cup, &mut nobody, &revealed, digest).await;
    assert_eq!(cup.left().await.len(), 3, "nobody leaves a season because of a final");
    let log = laia.get("/actions").await;
    for words in ["Final made", "Final played", "Presentation of a final begun"] {
        assert!(log.has(words), "{words}");
    }
}

/// What anybody can check afterwards: the seed, every round, the digest.
async fn check_proof(cup: &Cup, nobody: &mut Browser, revealed: &Final, digest: Hash) {
    let seed = RoundSeed::new(revealed.revealed_seed().unwrap().0);
    assert_eq!(seed.commitment(), revealed.commitment);
    let mut digests = Vec::new();
    for number in 1..=4_u32 {
        let path = format!("/finals/grand-final/rounds/{number}.round");
        let page = nobody.get(&path).await;
        assert_eq!(page.status, StatusCode::OK);
        let bytes = bytes(cup, &path).await;
        let file = RoundFile::read(&bytes).unwrap();
        file.check_commitment(&seed.of_round(number).commitment()).unwrap();
        file.check().unwrap();
        assert_eq!((file.manifest.title.as_str(), file.manifest.round), ("Grand final", number));
        digests.push(file.digest);
    }
    assert_eq!(results_digest(&digests), digest);
    check_turns(cup, "/finals/grand-final/rounds/1.round").await;
}

async fn bytes(cup: &Cup, path: &str) -> Vec<u8> {
    use tower::ServiceExt as _;
    let request = axum::http::Request::get(path).header("host", "judge.test").body(axum::body::Body::empty()).unwrap();
    let answer = cup.court.router().oneshot(request).await.unwrap();
    axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap().to_vec()
}

async fn a_final_takes_the_last_of_each_season(court: Court) {
    let cup = two_seasons(court).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let too_few = make(&cup, &mut laia, &[("cup", "2"), ("two", "2")]).await;
    assert!(too_few.has("3 are still in The season cup"), "{}", too_few.text);
    let too_many = make(&cup, &mut laia, &[("cup", "6")]).await;
    assert!(too_many.has("Only 5 can come from The season cup"));
    // With four of them the last one who was eliminated comes back.
    make(&cup, &mut laia, &[("cup", "4")]).await;
    let found = the_final(&cup).await;
    let coming: Vec<AccountId> =
        finals::finalists(cup.database().read(), found.id).await.unwrap().iter().map(|one| one.account).collect();
    let first_out = cup
        .count(
            "SELECT e.account_id FROM entrants e JOIN rounds r ON r.season_id = e.season_id AND r.eliminated = e.number
             WHERE r.number = 1 AND r.final_id IS NULL",
        )
        .await;
    assert!(coming.len() == 4 && !coming.contains(&AccountId(first_out)));
    // Who is locked meanwhile does not play.
    sqlx::query("UPDATE accounts SET locked = 1 WHERE id = $1")
        .bind(coming[0])
        .execute(cup.database().write())
        .await
        .unwrap();
    assert_eq!(laia.post("/finals/grand-final/play", &[]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(laia.post("/finals/grand-final/play", &[]).await.status, StatusCode::CONFLICT, "once");
    let playing = cup
        .count("SELECT COUNT(*) FROM round_players p JOIN rounds r ON r.id = p.round_id WHERE r.final_id IS NOT NULL");
    assert_eq!(playing.await, 3);
}

async fn finals_that_make_no_sense_are_refused(court: Court) {
    let cup = two_seasons(court).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    for (of, words) in [
        (&[][..], "from 2 to 64 finalists"),
        (&[("cup", "x")][..], "must be a number"),
        (&[("cup", "65")][..], "must be a number"),
    ] {
        let answer = make(&cup, &mut laia, of).await;
        assert!(answer.status == StatusCode::UNPROCESSABLE_ENTITY && answer.has(words), "{}", answer.text);
    }
    let untitled = laia.post("/finals/new", &[("title", " ")]).await;
    assert!(untitled.has("A final needs a title"));
    cup.run("UPDATE seasons SET game = 'potter' WHERE slug = 'two'").await;
    assert!(make(&cup, &mut laia, &[("cup", "3"), ("two", "2")]).await.has("must be of the same game"));
    assert_eq!(cup.count("SELECT COUNT(*) FROM finals").await, 0);
    make(&cup, &mut laia, &[("cup", "3")]).await;
    assert_eq!(make(&cup, &mut laia, &[("cup", "3")]).await.location, "/finals/grand-final-2");
    assert_eq!(laia.get("/finals/grand-final/present").await.status, StatusCode::CONFLICT, "not played yet");
    let mut marta = cup.court.visitor("marta", Role::Student).await;
    for path in ["/finals/new", "/finals/grand-final/present"] {
        assert_eq!(marta.get(path).await.status, StatusCode::FORBIDDEN, "{path}");
        assert_eq!(cup.court.browser().get(path).await.status, StatusCode::SEE_OTHER, "{path}");
    }
    for path in ["/finals/new", "/finals/grand-final/play", "/finals/grand-final/next", "/finals/grand-final/cancel"] {
        assert_eq!(marta.post(path, &[("after", "0"), ("reason", "x")]).await.status, StatusCode::FORBIDDEN, "{path}");
    }
}

async fn presenters_do_not_skip_steps(court: Court) {
    let cup = two_seasons(court).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    make(&cup, &mut laia, &[("cup", "3")]).await;
    play(&cup, &mut laia).await;
    for after in [0, 0, 1, 1, 0, 7, -1] {
        next(&mut laia, after).await;
    }
    let found = the_final(&cup).await;
    assert_eq!((found.revealed_steps, found.state), (2, State::Showing));
    let cancelled = laia.post("/finals/grand-final/cancel", &[("reason", "I do not like it")]).await;
    assert_eq!(cancelled.status, StatusCode::CONFLICT, "what is being shown is shown to the end");
    assert_eq!(the_final(&cup).await.state, State::Showing);
}

async fn a_final_that_is_cancelled_is_open(court: Court) {
    let cup = two_seasons(court).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    make(&cup, &mut laia, &[("cup", "3"), ("two", "2")]).await;
    laia.post("/finals/grand-final/play", &[]).await;
    cup.work().await;
    let veiled = "SELECT COUNT(*) FROM matches WHERE veiled = 1";
    assert!(cup.count(veiled).await > 0);
    laia.post("/finals/grand-final/cancel", &[("reason", "the wrong season")]).await;
    assert_eq!(cup.count(veiled).await, 0);
    assert!(laia.get("/actions").await.has("the wrong season"));
    let found = the_final(&cup).await;
    let seed = found.revealed_seed().unwrap().to_string();
    assert!(cup.court.browser().get("/finals/grand-final").await.has(&seed));
    cup.work().await;
    cup.court.site.final_director().turn().await.unwrap();
    assert_eq!(the_final(&cup).await.state, State::Cancelled);
    assert_eq!(cup.count("SELECT COUNT(*) FROM jobs WHERE state <> 'done'").await, 0);
}

async fn a_final_waits_when_the_machine_cannot_play(court: Court) {
    let cup = two_seasons(court).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    make(&cup, &mut laia, &[("cup", "3"), ("two", "2")]).await;
    sqlx::query("UPDATE submissions SET module = $1 WHERE name = 'Other1'")
        .bind(cup.court.site.store.put(&broken_module("x")).unwrap())
        .execute(cup.database().write())
        .await
        .unwrap();
    laia.post("/finals/grand-final/play", &[]).await;
    for _ in 0..3 {
        cup.work().await;
        cup.run("UPDATE jobs SET not_before = 0 WHERE state = 'waiting'").await;
        cup.court.site.final_director().turn().await.unwrap();
    }
    assert_eq!(the_final(&cup).await.state, State::Playing);
    let page = laia.get("/finals/grand-final").await;
    assert!(page.has("the final waits for you") && laia.get("/desk").await.has("Round 1 of Grand final has stopped"));
    assert!(!cup.court.browser().get("/finals/grand-final").await.has("broken"), "strangers are not told");
    // Nobody is out because of that. An instructor plays it again, or cancels it.
    assert_eq!(cup.count("SELECT COUNT(*) FROM rounds WHERE final_id IS NOT NULL AND eliminated IS NOT NULL").await, 0);
    laia.post("/finals/grand-final/cancel", &[("reason", "a player that breaks the machine")]).await;
    assert_eq!(the_final(&cup).await.state, State::Cancelled);
    assert!(!laia.get("/desk").await.has("has stopped"));
}
