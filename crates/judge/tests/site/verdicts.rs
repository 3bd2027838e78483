//! From a submission to its verdict, with real compilers and real matches.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::jobs::Job;
use ludus_judge::queue::Dispatch as _;

use crate::harness::{Browser, Court};
use crate::{on_a_broker, on_both, on_sqlite};

on_both!(two_of_one_name_race, a_verdict_is_given_once);

on_sqlite!(a_good_player_is_accepted_for_ever, bad_players_are_rejected_with_a_reason);

on_a_broker!(
    a_good_player_is_accepted_for_ever,
    bad_players_are_rejected_with_a_reason,
    two_of_one_name_race,
    a_verdict_is_given_once
);

/// A player that beats three Dummies from every seat.
pub const GOOD: &str = include_str!("../players/AIReaper.cc");
pub const NULL: &str = include_str!("../../../../content/dominator/players/AINull.cc");

pub fn named(source: &str, name: &str) -> String {
    let at = source.find("PLAYER_NAME ").unwrap() + "PLAYER_NAME ".len();
    let end = at + source[at..].find('\n').unwrap();
    format!("{}{name}{}", &source[..at], &source[end..])
}

/// A player that does something in every round.
pub fn doing(name: &str, code: &str) -> String {
    let source = named(NULL, name);
    let at = source.find("play () {").unwrap() + "play () {".len();
    format!("{}{code}{}", &source[..at], &source[at..])
}

/// The address of the match that decided, by the link to it.
pub fn cause(text: &str) -> String {
    let part = text.split("class=\"verdict bad\"").nth(1).unwrap();
    let address = part.split("href=\"").find(|link| link.starts_with("/matches/")).unwrap();
    address.split(['"', '#']).next().unwrap().to_owned()
}

async fn a_good_player_is_accepted_for_ever(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let page = pau.submit("open", &named(GOOD, "Winner")).await;
    let waiting = pau.get(&page).await;
    assert!(waiting.has("Verification under way") && waiting.has("http-equiv=\"refresh\""), "works without scripts");
    court.work().await;
    let verdict = pau.get(&page).await;
    assert!(verdict.has("<h2>Accepted</h2>"), "{}", verdict.text);
    assert_eq!(verdict.text.matches("class=\"done\"").count(), 7, "all steps are shown as passed");
    let events = pau.get(&format!("{page}/events")).await;
    assert!(events.has("event: over") && events.has("Accepted"));
    for name in ["Winner", "WINNER", "winner"] {
        let again = pau.upload("/seasons/open/submit", "AIx.cc", named(GOOD, name).as_bytes()).await;
        assert!(again.has("is already called"), "{name}");
    }
    let mut watcher = court.visitor("eva", Role::Spectator).await;
    assert!(watcher.get("/seasons/open/players").await.has("Winner"));
    let list = watcher.get("/matches?season=open&player=winner").await;
    assert!(list.has("Winner") && list.has("class=\"count\">5<"), "{}", list.text);
    watch(&mut watcher, "/matches/1").await;
    // What a round may take is what the season says, whatever is usual for its game.
    let limits = sqlx::query("UPDATE seasons SET match_ms = 8000, round_ms = 200");
    limits.execute(court.site.database.write()).await.unwrap();
    assert!(watcher.get("/matches/1").await.has("2.5 % of the match's limit"));
}

/// Everything that a match offers to whoever may watch it.
async fn watch(browser: &mut Browser, address: &str) {
    assert!(browser.get(address).await.has("CPU by round"));
    assert!(browser.get(&format!("{address}/viewer.html")).await.has(&format!("data-scene=\"{address}/scene.json\"")));
    let scene = browser.get(&format!("{address}/scene.json")).await;
    let scene: serde_json::Value = serde_json::from_str(&scene.text).unwrap();
    assert_eq!(scene["frames"].as_array().unwrap().len(), 301);
    let record = browser.get(&format!("{address}/record.txt")).await;
    assert!(record.text.starts_with("SecGame"), "{}", &record.text[..50]);
    assert_eq!(browser.get(&format!("{address}/replay.ludus")).await.status, StatusCode::OK);
}

async fn bad_players_are_rejected_with_a_reason(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let cases = [
        (doing("Wrong", "this does not compile;"), "The compiler says:"),
        (doing("Threads", "std::thread t; "), "players have no threads"),
        (doing("Loop", "volatile int x = 0; while (true) ++x;"), "failed in round 0: out of CPU time"),
        (doing("Abort", "abort();"), "failed in round 0: ended its own program"),
        (named(NULL, "Idle"), "It did not win in seat 1"),
        (format!("#include \"Player.hh\"\n{}", "#define PLAYER_NAME Ghost\n"), "cannot be used as a player"),
    ];
    let mut pages = Vec::new();
    for (source, _) in &cases {
        pages.push(pau.submit("open", source).await);
    }
    court.work().await;
    for (page, (_, words)) in pages.iter().zip(&cases) {
        let verdict = pau.get(page).await;
        assert!(verdict.has("<h2>Rejected</h2>") && verdict.has(words), "should say {words}: {}", verdict.text);
    }
    let catching = pau.submit("open", &doing("Catching", "\n try { abort(); }\n catch (...) {}")).await;
    let told = pau.get(&catching).await;
    assert!(told.has("AICatching.cc:") && told.has("warning: this never catches anything"), "{}", told.text);
    pau.post("/language", &[("language", "ca"), ("next", "/")]).await;
    let told = pau.get(&catching).await;
    assert!(told.has("warning: això no captura mai res"), "{}", told.text);
    assert!(
        pau.get(&pages[5]).await.has("no es pot fer servir com a jugador: no "),
        "a module is refused in Catalan too"
    );
    pau.post("/language", &[("language", "en"), ("next", "/")]).await;
    assert!(!pau.get(&pages[3]).await.has("never catches"), "nothing is told of those who catch nothing");
    let replay = cause(&pau.get(&pages[2]).await.text);
    watch(&mut pau, &replay).await;
    // Its author is told where it died, and nobody else.
    let written = format!("{}/output/0", cause(&pau.get(&pages[3]).await.text));
    let told = pau.get(&written).await;
    assert!(told.has("died in round 0: it called abort()") && told.has("AIAbort.cc:"), "{}", told.text);
    assert!(told.has("in Abort::play()"), "{}", told.text);
    let mut ana = court.visitor("ana", Role::Student).await;
    assert_eq!(ana.get(&written).await.status, StatusCode::NOT_FOUND);
    assert_eq!(ana.get(&replay).await.status, StatusCode::NOT_FOUND, "a rejected player is its author's matter");
    let again = ana.submit("open", &named(GOOD, "Loop")).await;
    court.work().await;
    assert!(ana.get(&again).await.has("<h2>Accepted</h2>"), "the name stayed free");
}

async fn two_of_one_name_race(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let mut ana = court.visitor("ana", Role::Student).await;
    let pages = [pau.submit("open", &named(GOOD, "Same")).await, ana.submit("open", &named(GOOD, "SAME")).await];
    court.work().await;
    let texts = [pau.get(&pages[0]).await.text, ana.get(&pages[1]).await.text];
    assert_eq!(texts.iter().filter(|text| text.contains("<h2>Accepted</h2>")).count(), 1);
    assert_eq!(texts.iter().filter(|text| text.contains("is already called")).count(), 1);
    let freed = |text: &&String| text.contains("is already called") && text.contains("The name stays free");
    assert_eq!(texts.iter().filter(freed).count(), 0, "a name that is taken does not stay free");
}

/// A worker that was thought dead comes back with its result.
async fn a_verdict_is_given_once(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    pau.submit("open", &named(GOOD, "Once")).await;
    let environment = court.environment();
    let late = environment.queue.take().await.unwrap().unwrap();
    assert!(matches!(late.job, Job::Compile(_)));
    sqlx::query("UPDATE jobs SET state = 'waiting'").execute(court.site.database.write()).await.unwrap();
    court.work().await;
    late.job.run(&environment, &late).await.unwrap();
    court.work().await;
    for (count, expected) in [
        ("SELECT COUNT(*) FROM matches", 5),
        ("SELECT COUNT(*) FROM matches WHERE played = 1", 5),
        ("SELECT verdicts FROM submissions", 1),
        ("SELECT COUNT(*) FROM jobs WHERE state = 'done' AND kind <> 'compare'", 6),
        ("SELECT COUNT(*) FROM jobs WHERE kind <> 'compare'", 6),
    ] {
        let found: i64 = sqlx::query_scalar(count).fetch_one(court.site.database.read()).await.unwrap();
        assert_eq!(found, expected, "{count}");
    }
}
