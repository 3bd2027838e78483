//! Before a final is revealed its results are nowhere: every route is walked as
//! nobody, as a student who is in it and as a spectator.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, header};
use futures_util::StreamExt as _;
use ludus_judge::accounts::Role;
use ludus_judge::official::rounds;
use ludus_judge::official::show::{self, Step};
use sqlx::Row as _;
use tower::ServiceExt as _;

use crate::api::{Program, token_of};
use crate::cup::Cup;
use crate::finals::{self, make, next, the_final, two_seasons};
use crate::harness::{Browser, Court, PASSWORD, short_or_long};
use crate::on_sqlite;

on_sqlite!(nothing_of_a_final_is_known_before_it_is_revealed);

/// The addresses of the whole site, from its source: whoever adds a page has it
/// walked.
pub fn routes() -> BTreeSet<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    for inside in ["pages", "web"] {
        files.extend(std::fs::read_dir(folder.join(inside)).unwrap().map(|file| file.unwrap().path()));
    }
    let mut routes = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(file).unwrap();
        routes.extend(text.split(".route(").skip(1).filter_map(|rest| rest.split('"').nth(1)).map(ToOwned::to_owned));
    }
    let calls = ludus_judge::api::calls().into_iter().filter(|call| call.method == "GET");
    routes.extend(calls.map(|call| format!("/api/v1{}", call.path)));
    assert!(routes.len() > 80 && routes.contains("/matches/{id}/{file}"), "{routes:?}");
    routes
}

/// What stands for a name in braces. A name that is not known here fails, so that
/// somebody thinks about it.
fn values(name: &str, route: &str, shares: &[String]) -> Vec<String> {
    // Matches are numbered from 1, and of nothing else are there so many.
    let most = if route.contains("/matches/") { shares.len().max(30) } else { 30 } as u32;
    let numbers = |from: u32, to: u32| (from..=to).map(|number| number.to_string()).collect::<Vec<_>>();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    match name {
        "slug" => words(&["cup", "two", "open", "grand-final"]),
        "id" => numbers(1, most),
        "job" | "number" => numbers(1, 6),
        "seat" => numbers(0, 3),
        "share" => shares.to_vec(),
        "language" => words(&["cpp", "rust"]),
        "file" | "name" => words(&[
            "viewer.html",
            "scene.json",
            "picture.png",
            "record.txt",
            "replay.ludus",
            "cpu.json",
            "1.round",
            "2.round",
            "3.round",
            "4.round",
        ]),
        "token" | "version" => words(&["x"]),
        other => panic!("what is {{{other}}} of a route?"),
    }
}

pub fn addresses(shares: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    for route in routes() {
        let mut made = vec![String::new()];
        for part in route.split_inclusive('/') {
            let (name, rest) = match part.strip_prefix('{').and_then(|part| part.split_once('}')) {
                Some(found) => found,
                None => {
                    made.iter_mut().for_each(|address| address.push_str(part));
                    continue;
                }
            };
            let values = values(name, &route, shares);
            made = made
                .iter()
                .flat_map(|address| values.iter().map(move |value| format!("{address}{value}{rest}")))
                .collect();
        }
        // In the short form every third file of matches: each match has some of them,
        // and there are many of each.
        let step = if route.contains("{file}") { short_or_long(3, 1) } else { 1 };
        all.extend(made.into_iter().step_by(step));
    }
    all.extend(
        [
            "/matches?before=60",
            "/matches?season=cup&purpose=official",
            "/matches?player=dummy",
            "/submissions?before=9",
            "/api/v1/matches?limit=100",
            "/api/v1/matches?season=cup&purpose=official",
        ]
        .map(ToOwned::to_owned),
    );
    all
}

/// A page as its reader gets it; of a stream of events, the first one.
pub async fn read(court: &Court, (browser, program): &Walker, path: &str) -> String {
    let cookies: Vec<String> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let mut request = Request::get(path).header(header::HOST, "judge.test").header(header::COOKIE, cookies.join("; "));
    if !program.token.is_empty() {
        request = request.header(header::AUTHORIZATION, format!("Bearer {}", program.token));
    }
    let request = request.body(Body::empty()).unwrap();
    let answer = court.router().oneshot(request).await.unwrap();
    let status = answer.status();
    let is_stream = answer.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
    let mut stream = answer.into_body().into_data_stream();
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = tokio::time::timeout(Duration::from_secs(20), stream.next()).await {
        bytes.extend_from_slice(&chunk.unwrap());
        if is_stream {
            break;
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    // The number of a request is drawn by lot.
    format!("{status}\n{}", text.split(",\"request\":").next().unwrap_or_default())
}

/// What differs from one request to the next, whatever is known.
pub fn settled(text: &str) -> String {
    let mut settled = String::new();
    for (at, part) in text.split("name=\"csrf\" value=\"").enumerate() {
        settled.push_str(if at == 0 { part } else { part.split_once('"').map_or("", |(_, rest)| rest) });
    }
    let before = settled.split("give them this number:").next().unwrap_or_default().to_owned();
    // The state of the final is no secret, nor what it says about itself.
    [
        ("Being played", "Played"),
        ("In secret: it will be shown step by step.", "The results are sealed until the show begins."),
    ]
    .iter()
    .fold(before, |text, (from, to)| text.replace(from, to))
}

pub type Walk = BTreeMap<(usize, String), String>;

/// Browsers with the programs of the same people; nobody has none.
pub async fn walkers(court: &Court, browsers: &[Browser]) -> Vec<Walker> {
    let mut walkers = Vec::new();
    for browser in browsers {
        let is_known = browser.cookies.contains_key("ludus_session");
        let token = if is_known { token_of(&mut browser.clone()).await } else { String::new() };
        walkers.push((browser.clone(), Program::new(court, &token)));
    }
    walkers
}

/// A browser, and a program of the same person.
pub type Walker = (Browser, Program);

pub async fn walk(court: &Court, visitors: &[Walker], addresses: &[String]) -> Walk {
    let mut walked = Walk::new();
    for (who, walker) in visitors.iter().enumerate() {
        for path in addresses {
            walked.insert((who, path.clone()), read(court, walker, path).await);
        }
    }
    walked
}

/// Everything about matches and rounds of the final that is still a secret, as
/// it would stand on a page.
async fn secrets(cup: &Cup) -> BTreeSet<String> {
    let rows = sqlx::query(
        "SELECT m.seed, m.share, m.replay, s.score FROM matches m JOIN seats s ON s.match_id = m.id WHERE m.veiled = 1",
    );
    let mut secrets = BTreeSet::new();
    for row in rows.fetch_all(cup.database().read()).await.unwrap() {
        secrets.insert(row.try_get::<i64, _>("seed").unwrap().to_string());
        secrets.insert(row.try_get("share").unwrap());
        secrets.extend(row.try_get::<Option<String>, _>("replay").unwrap());
        secrets.extend(row.try_get::<Option<i64>, _>("score").unwrap().map(|score| score.to_string()));
    }
    let found = the_final(cup).await;
    let shown = usize::try_from(found.revealed_steps).unwrap();
    let rounds = rounds::whole_final(cup.database(), found.id).await.unwrap();
    let revealed = &show::steps(&rounds)[..shown];
    for (number, whole) in (1..).zip(&rounds) {
        if !revealed.contains(&Step::Out(number)) {
            secrets.insert(ludus_arena::season::Hash(whole.round.secret_seed().bytes()).to_string());
        }
    }
    let seed = sqlx::query("SELECT seed FROM finals").fetch_one(cup.database().read()).await.unwrap();
    secrets.insert(seed.try_get("seed").unwrap());
    secrets
}

fn search(walked: &Walk, secrets: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    for ((who, path), text) in walked {
        // A path that was asked for may stand on the page that refuses it.
        let told = text.replace(path.as_str(), "");
        found.extend(
            secrets.iter().filter(|secret| told.contains(*secret)).map(|secret| format!("{who} {path}: {secret}")),
        );
    }
    found
}

/// Gives every score of the final a value that stands on no page by chance, and
/// keeps their order.
async fn make_scores_unmistakable(cup: &Cup) {
    cup.run("UPDATE seats SET score = score * 1000003 + 700000000 + match_id WHERE match_id IN (SELECT id FROM matches WHERE veiled = 1)")
        .await;
}

async fn nothing_of_a_final_is_known_before_it_is_revealed(court: Court) {
    let cup = two_seasons(court).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    make(&cup, &mut laia, &[("cup", "3"), ("two", "2")]).await;
    let mut visitors = Vec::new();
    for mut browser in
        [cup.court.browser(), student(&cup, "other2").await, cup.court.visitor("eva", Role::Spectator).await]
    {
        let token = if visitors.is_empty() { String::new() } else { token_of(&mut browser).await };
        visitors.push((browser, Program::new(&cup.court, &token)));
    }
    // When a token was used last is noted now and then; not in the years to come.
    cup.run("UPDATE tokens SET used_at = 9999999999999").await;

    // What is played changes nothing that anybody can see, but that it is played.
    assert_eq!(laia.post("/finals/grand-final/play", &[]).await.location, "/finals/grand-final");
    let known = addresses(&shares(&cup).await);
    let before = walk(&cup.court, &visitors, &known).await;
    play_on(&cup, &mut laia).await;
    let digest = the_final(&cup).await.digest.unwrap().to_string();
    let after = walk(&cup.court, &visitors, &known).await;
    let champion = champion(&cup).await;
    for (key, text) in &before {
        for name in &champion {
            let count = |text: &str| text.matches(name.as_str()).count();
            assert_eq!(count(text), count(&after[key]), "{key:?} names {name} as often as before");
        }
        let after = settled(&after[key]);
        if key.1 == "/health" || key.1.starts_with("/finals/") || key.1.starts_with("/api/v1/finals") {
            continue;
        }
        assert_eq!(settled(text), after, "{key:?}");
    }

    make_scores_unmistakable(&cup).await;
    let all = addresses(&shares(&cup).await);
    let hidden = secrets(&cup).await;
    assert!(hidden.len() > 30, "{hidden:?}");
    let walked = walk(&cup.court, &visitors, &all).await;
    assert_eq!(search(&walked, &hidden), Vec::<String>::new());
    assert!(
        walked.iter().any(|((who, path), text)| *who == 0 && path == "/finals/grand-final" && text.contains(&digest))
    );
    assert!(!walked.values().any(|text| text.contains("huge-line")));

    // Half-way: what is revealed is there for everybody, and the rest is not.
    let rounds = rounds::whole_final(cup.database(), the_final(&cup).await.id).await.unwrap();
    let steps = show::steps(&rounds);
    for at in 0..steps.len() / 2 {
        next(&mut laia, at as i64).await;
    }
    let still = secrets(&cup).await;
    let open: BTreeSet<String> = hidden.difference(&still).cloned().collect();
    assert!(!open.is_empty() && still.len() < hidden.len());
    let walked = walk(&cup.court, &visitors, &all).await;
    assert_eq!(search(&walked, &still), Vec::<String>::new());
    let told = |who: usize, secret: &String| walked.iter().any(|((one, _), text)| *one == who && text.contains(secret));
    for who in 0..visitors.len() {
        assert!(open.iter().all(|secret| secret.len() == 64 || told(who, secret)), "the search finds what is there");
    }
    assert!(!walked.values().any(|text| text.contains("huge-line champion")));

    // To the end: the champion is known, and an instructor was never kept out.
    for at in steps.len() / 2..steps.len() {
        next(&mut laia, at as i64).await;
    }
    assert!(cup.court.browser().get("/finals/grand-final").await.has("huge-line champion"));
    assert_eq!(cup.count("SELECT COUNT(*) FROM matches WHERE veiled = 1").await, 0);
}

/// The names of the champion and of the champion's player.
async fn champion(cup: &Cup) -> [String; 2] {
    let row = sqlx::query(
        "SELECT a.name AS student, p.name AS player FROM finals f
         JOIN finalists x ON x.final_id = f.id AND x.number = f.champion JOIN accounts a ON a.id = x.account_id
         JOIN rounds r ON r.final_id = f.id AND r.number = 1
         JOIN round_players p ON p.round_id = r.id AND p.author = f.champion",
    );
    let row = row.fetch_one(cup.database().read()).await.unwrap();
    ["student", "player"].map(|name| row.try_get(name).unwrap())
}

async fn play_on(cup: &Cup, laia: &mut Browser) {
    finals::play_on(cup).await;
    // Instructors see everything all the time.
    let veiled = cup.count("SELECT MAX(id) FROM matches WHERE veiled = 1").await;
    assert!(laia.get(&format!("/matches/{veiled}")).await.has("/viewer.html"));
    assert!(laia.get("/matches").await.has(&format!("/matches/{veiled}")));
}

/// The links of all matches, as if somebody had guessed them.
pub async fn shares(cup: &Cup) -> Vec<String> {
    let rows = sqlx::query("SELECT share FROM matches ORDER BY id").fetch_all(cup.database().read()).await.unwrap();
    rows.iter().map(|row| row.try_get(0).unwrap()).collect()
}

/// A student of the cup, signed in.
pub async fn student(cup: &Cup, name: &str) -> Browser {
    let hash = cup.court.site.passwords.hash(PASSWORD.to_owned()).await.unwrap();
    let mut tx = cup.database().begin().await.unwrap();
    let row = sqlx::query("SELECT id FROM accounts WHERE email = $1").bind(format!("{name}@x.edu"));
    let id: ludus_judge::ids::AccountId = row.fetch_one(&mut *tx).await.unwrap().try_get(0).unwrap();
    ludus_judge::accounts::set_password(&mut tx, id, &hash).await.unwrap();
    tx.commit().await.unwrap();
    let mut browser = cup.court.browser();
    assert_eq!(browser.sign_in(name, PASSWORD).await.location, "/");
    browser
}
