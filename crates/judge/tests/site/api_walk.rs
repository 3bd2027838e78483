//! Every call as everybody, and every page of a student beside its call.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::api;
use serde_json::json;

use crate::api::{Program, token_of};
use crate::cup::Cup;
use crate::harness::{Browser, Court};
use crate::on_both;
use crate::training::{befriend, id_of, students};

on_both!(calls_show_what_pages_show, every_page_of_a_student_has_its_call);

/// Who sees what: nobody, another student, a friend of the author whose player
/// took part, the author, an instructor.
type Seen = [u16; 5];
const EVERYBODY: Seen = [401, 200, 200, 200, 200];
const AUTHORS: Seen = [401, 404, 404, 200, 200];
const TOGETHER: Seen = [401, 404, 200, 200, 200];
const NOBODY: Seen = [401, 404, 404, 404, 404];

struct World {
    cup: Cup,
    programs: Vec<(&'static str, Program)>,
    /// What stands for the names in addresses, for calls in which they mean something else each time.
    submission: i64,
    training: String,
    of_training: String,
    share: String,
    module: String,
}

/// Player1 is of the author, Player2 of the friend; they have trained together.
async fn world(court: Court) -> World {
    let (cup, [mut one, mut two, mut three, _]) = students(court).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    befriend(&mut one, "student2@x.edu").await;
    befriend(&mut two, "student1@x.edu").await;
    let mut programs = vec![("nobody", Program::new(&cup.court, ""))];
    for (who, browser) in
        [("another", &mut three), ("friend", &mut two), ("author", &mut one), ("instructor", &mut laia)]
    {
        programs.push((who, Program::new(&cup.court, &token_of(browser).await)));
    }
    let (submission, author) = (id_of(&cup, "Player1").await, programs[3].1.clone());
    let wanted = json!({ "players": ["Player1", "Player2", "Dummy", "Dummy"], "matches": 1, "seating": "fixed" });
    let training = author.call("POST", "/seasons/cup/training", Some(&wanted)).await.json["id"].to_string();
    cup.work().await;
    let table = author.get(&format!("/training/{training}")).await.json;
    let of_training = table["matches"][0]["id"].to_string();
    // The actors of a cup write nothing, so something is put there.
    let hash = cup.court.site.store.put(b"hello from Player1").unwrap();
    sqlx::query("UPDATE seats SET output = $1 WHERE match_id = $2 AND seat = 0")
        .bind(hash)
        .bind(of_training.parse::<i64>().unwrap())
        .execute(cup.database().write())
        .await
        .unwrap();
    let audience = json!({ "audience": "friends" });
    let link = author.call("PUT", &format!("/players/{submission}/module"), Some(&audience)).await.json;
    let share: String = sqlx::query_scalar("SELECT share FROM matches WHERE id = $1")
        .bind(of_training.parse::<i64>().unwrap())
        .fetch_one(cup.database().read())
        .await
        .unwrap();
    let module = link["token"].as_str().unwrap().to_owned();
    World { cup, programs, submission, training, of_training, share, module }
}

/// Every call that only looks, with an address, and who sees it.
fn table(world: &World) -> BTreeMap<&'static str, (String, Seen)> {
    let World { submission, training, of_training, share, module, .. } = world;
    let rows: [(&'static str, String, Seen); 42] = [
        ("/me", "/me".into(), EVERYBODY),
        ("/me/sessions", "/me/sessions".into(), EVERYBODY),
        ("/me/tokens", "/me/tokens".into(), EVERYBODY),
        ("/friends", "/friends".into(), EVERYBODY),
        ("/seasons", "/seasons".into(), EVERYBODY),
        ("/seasons/{slug}", "/seasons/cup".into(), EVERYBODY),
        ("/seasons/{slug}/rules", "/seasons/cup/rules".into(), EVERYBODY),
        ("/seasons/{slug}/config", "/seasons/cup/config".into(), EVERYBODY),
        ("/seasons/{slug}/api/{language}", "/seasons/cup/api/rust".into(), EVERYBODY),
        ("/seasons/{slug}/examples", "/seasons/cup/examples".into(), EVERYBODY),
        ("/seasons/{slug}/examples/{file}", "/seasons/cup/examples/AINull.cc".into(), EVERYBODY),
        ("/seasons/{slug}/kit", "/seasons/cup/kit".into(), EVERYBODY),
        ("/seasons/{slug}/players", "/seasons/cup/players".into(), EVERYBODY),
        ("/seasons/{slug}/representative", "/seasons/cup/representative".into(), EVERYBODY),
        ("/seasons/{slug}/candidates", "/seasons/cup/candidates".into(), EVERYBODY),
        ("/seasons/{slug}/ladder", "/seasons/cup/ladder".into(), EVERYBODY),
        ("/seasons/{slug}/rounds", "/seasons/cup/rounds".into(), EVERYBODY),
        ("/seasons/{slug}/rounds/{number}", "/seasons/cup/rounds/99".into(), NOBODY),
        ("/seasons/{slug}/rounds/{number}/file", "/seasons/cup/rounds/99/file".into(), NOBODY),
        ("/seasons/{slug}/authors/{number}", "/seasons/cup/authors/99".into(), NOBODY),
        ("/submissions", "/submissions".into(), EVERYBODY),
        ("/submissions/{id}", format!("/submissions/{submission}"), AUTHORS),
        ("/submissions/{id}/source", format!("/submissions/{submission}/source"), AUTHORS),
        ("/players/{id}", format!("/players/{submission}"), EVERYBODY),
        ("/modules/{token}", format!("/modules/{module}"), TOGETHER),
        ("/matches", "/matches".into(), EVERYBODY),
        ("/matches/{id}", format!("/matches/{of_training}"), TOGETHER),
        ("/matches/{id}/{file}", format!("/matches/{of_training}/replay.ludus"), TOGETHER),
        ("/matches/{id}/output/{seat}", format!("/matches/{of_training}/output/0"), AUTHORS),
        ("/watch/{share}", format!("/watch/{share}"), NOBODY),
        ("/watch/{share}/{file}", format!("/watch/{share}/replay.ludus"), NOBODY),
        ("/training", "/training".into(), EVERYBODY),
        ("/training/{id}", format!("/training/{training}"), TOGETHER),
        ("/finals", "/finals".into(), EVERYBODY),
        ("/finals/{slug}", "/finals/nowhere".into(), NOBODY),
        ("/finals/{slug}/rounds/{file}", "/finals/nowhere/rounds/1.round".into(), NOBODY),
        ("/news", "/news".into(), EVERYBODY),
        ("/news/{id}", "/news/99".into(), NOBODY),
        ("/status", "/status".into(), EVERYBODY),
        ("/course", "/course".into(), EVERYBODY),
        ("/course/key", "/course/key".into(), EVERYBODY),
        ("", "/openapi.json".into(), [200; 5]),
    ];
    rows.into_iter().map(|(call, path, seen)| (call, (path, seen))).collect()
}

async fn calls_show_what_pages_show(court: Court) {
    let world = world(court).await;
    let table = table(&world);
    let known: BTreeSet<&str> = api::calls().iter().filter(|call| call.method == "GET").map(|call| call.path).collect();
    let walked: BTreeSet<&str> = table.keys().copied().filter(|path| !path.is_empty()).collect();
    assert_eq!(known, walked, "every call that looks is walked");
    for (path, seen) in table.values() {
        for ((who, program), expected) in world.programs.iter().zip(seen) {
            let told = program.get(path).await;
            assert_eq!(told.status.as_u16(), *expected, "{who}: {path}: {}", told.text());
        }
    }
    // Lists hold what may be looked at one by one.
    for ((who, program), sees) in world.programs.iter().zip([false, false, true, true, true]).skip(1) {
        let listed = program.get("/matches?limit=100").await.text();
        assert_eq!(listed.contains(&format!("\"id\":{},", world.of_training)), sees, "{who}");
        let newest = program.get(&format!("/players/{}", world.submission)).await.json["newest"].to_string();
        assert_eq!(newest.contains(&format!("\"id\":{},", world.of_training)), sees, "{who}, of the player");
        let link = program.get(&format!("/players/{}", world.submission)).await.json["module"].clone();
        assert_eq!(link.is_object(), *who == "author", "{who}: {link}");
    }
    for ((who, program), sees) in world.programs.iter().zip([false, false, false, true, true]).skip(1) {
        let listed = program.get("/submissions?limit=100").await.text();
        assert_eq!(listed.contains("\"Player1\""), sees, "{who}");
    }
    // What changes something is for who may.
    let publish = format!("/submissions/{}/publish", world.submission);
    let module = format!("/players/{}/module", world.submission);
    let everybody = json!({ "audience": "everybody" });
    for ((who, program), (published, given)) in
        world.programs.iter().zip([(401, 401), (404, 403), (404, 403), (204, 200), (403, 403)])
    {
        assert_eq!(program.call("PUT", &module, Some(&everybody)).await.status.as_u16(), given, "{who}");
        assert_eq!(program.call("POST", &publish, None).await.status.as_u16(), published, "{who}");
    }
    let made = world.cup.count("SELECT COUNT(*) FROM submissions WHERE public_at IS NOT NULL").await;
    assert_eq!(made, 1);
}

/// The pages and forms of students and their calls.
const CALLS: &[(&str, &str)] = &[
    ("GET /", "GET /seasons"),
    ("POST /language", "PUT /me/language"),
    ("GET /account", "GET /me"),
    ("POST /account/sessions/end", "DELETE /me/sessions/{id}"),
    ("GET /account/tokens", "GET /me/tokens"),
    ("POST /account/tokens/revoke", "DELETE /me/tokens/{id}"),
    ("GET /friends", "GET /friends"),
    ("POST /friends", "POST /friends"),
    ("POST /friends/back", "PUT /friends/{id}"),
    ("POST /friends/remove", "DELETE /friends/{id}"),
    ("GET /seasons/archive", "GET /seasons"),
    ("GET /seasons/{slug}", "GET /seasons/{slug}"),
    ("GET /seasons/{slug}/rules", "GET /seasons/{slug}/rules"),
    ("GET /seasons/{slug}/config", "GET /seasons/{slug}/config"),
    ("GET /seasons/{slug}/api/{language}", "GET /seasons/{slug}/api/{language}"),
    ("GET /seasons/{slug}/kit", "GET /seasons/{slug}/kit"),
    ("GET /seasons/{slug}/players", "GET /seasons/{slug}/players"),
    ("GET /seasons/{slug}/submit", "GET /seasons/{slug}/examples"),
    ("GET /seasons/{slug}/starter/{file}", "GET /seasons/{slug}/examples/{file}"),
    ("POST /seasons/{slug}/submit", "POST /seasons/{slug}/submissions"),
    ("POST /seasons/{slug}/check", "POST /seasons/{slug}/check"),
    ("POST /seasons/{slug}/representative", "PUT /seasons/{slug}/representative"),
    ("GET /seasons/{slug}/train", "GET /seasons/{slug}/candidates"),
    ("POST /seasons/{slug}/train", "POST /seasons/{slug}/training"),
    ("GET /seasons/{slug}/ladder", "GET /seasons/{slug}/ladder"),
    ("GET /seasons/{slug}/ladder/table", "GET /seasons/{slug}/ladder"),
    ("GET /seasons/{slug}/rounds", "GET /seasons/{slug}/rounds"),
    ("GET /seasons/{slug}/rounds/{number}", "GET /seasons/{slug}/rounds/{number}"),
    ("GET /seasons/{slug}/rounds/{number}/file", "GET /seasons/{slug}/rounds/{number}/file"),
    ("GET /seasons/{slug}/authors/{number}", "GET /seasons/{slug}/authors/{number}"),
    ("GET /submissions", "GET /submissions"),
    ("GET /submissions/{id}", "GET /submissions/{id}"),
    ("GET /submissions/{id}/source", "GET /submissions/{id}/source"),
    ("GET /submissions/{id}/source.txt", "GET /submissions/{id}/source"),
    ("POST /submissions/{id}/publish", "POST /submissions/{id}/publish"),
    ("GET /players/{id}", "GET /players/{id}"),
    ("POST /players/{id}/module", "PUT /players/{id}/module"),
    ("GET /modules/{token}", "GET /modules/{token}"),
    ("GET /matches", "GET /matches"),
    ("GET /matches/{id}", "GET /matches/{id}"),
    ("GET /matches/{id}/{file}", "GET /matches/{id}/{file}"),
    ("GET /matches/{id}/output/{seat}", "GET /matches/{id}/output/{seat}"),
    ("GET /matches/{id}/output.json", "GET /matches/{id}/output/{seat}"),
    ("GET /watch/{share}", "GET /watch/{share}"),
    ("GET /watch/{share}/{file}", "GET /watch/{share}/{file}"),
    ("GET /training", "GET /training"),
    ("GET /training/{id}", "GET /training/{id}"),
    ("GET /training/{id}/table", "GET /training/{id}"),
    ("GET /finals/{slug}", "GET /finals/{slug}"),
    ("GET /finals/{slug}/rounds/{file}", "GET /finals/{slug}/rounds/{file}"),
    ("GET /news", "GET /news"),
    ("GET /news/{id}", "GET /news/{id}"),
    ("GET /status", "GET /status"),
    ("GET /course.pub", "GET /course/key"),
];

/// Those without a call, and why.
const WITHOUT: &[(&str, &str)] = &[
    ("GET /sign-in", "programs show a token"),
    ("POST /sign-in", "programs show a token"),
    ("POST /sign-out", "a program throws its token away: DELETE /me/token"),
    ("POST /theme", "how pages look in one browser"),
    ("POST /account/sessions/end-all", "programs end one after the other: DELETE /me/sessions/{id}"),
    ("GET /forgotten", "a password is set by a person"),
    ("POST /forgotten", "a password is set by a person"),
    ("GET /join/{token}", "a password is set by a person"),
    ("POST /join/{token}", "a password is set by a person"),
    ("GET /sign-in/university", "programs show a token"),
    ("GET /sign-in/university/back", "programs show a token"),
    ("GET /link/{token}", "a password is set by a person"),
    ("POST /link/{token}", "a password is set by a person"),
    ("POST /account/password", "whoever has a token must not be able to take the account over"),
    ("POST /account/tokens", "a token must not make others that outlive it"),
    ("GET /submissions/{id}/events", "programs ask again: GET /submissions/{id} says whether it is decided"),
    ("GET /seasons/{slug}/live", "the same piece of page as it changes: GET /seasons/{slug}/rounds/{number}"),
    ("GET /finals/{slug}/events", "the same piece of page as it changes: GET /finals/{slug}"),
    ("GET /seasons/{slug}/hall", "the newest round on a large screen"),
    ("GET /pictures/{file}", "pictures of the games for the first page"),
    ("GET /official-rounds", "docs/season.md, for people"),
    ("GET /news.atom", "is for programs already"),
    ("GET /api", "describes the calls for people; /api/v1/openapi.json does for programs"),
];

/// Methods and addresses of all pages, from their source.
fn pages() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/pages")).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for route in text.split(".route(").skip(1) {
            let (path, handlers) = route.trim_start().strip_prefix('"').unwrap().split_once('"').unwrap();
            let handlers = handlers.split('\n').next().unwrap();
            for (method, handler) in [("GET", "get("), ("POST", "post(")] {
                if handlers.contains(handler) {
                    found.insert(format!("{method} {path}"));
                }
            }
        }
    }
    assert!(found.len() > 100, "{found:?}");
    found
}

async fn every_page_of_a_student_has_its_call(court: Court) {
    let (_cup, [mut student, ..]) = students(court).await;
    let pages = pages();
    let calls: BTreeSet<String> = api::calls().iter().map(|call| format!("{} {}", call.method, call.path)).collect();
    for (page, call) in CALLS {
        assert!(pages.contains(*page), "there is no page {page}");
        assert!(calls.contains(*call), "there is no call {call}");
    }
    let listed: BTreeSet<&str> = CALLS.iter().chain(WITHOUT).map(|(page, _)| *page).collect();
    for page in pages.iter().filter(|page| !listed.contains(page.as_str()) && *page != "GET /health") {
        let status = asked(&mut student, page).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{page} is for students and has no call");
    }
    for (page, why) in WITHOUT {
        assert!(pages.contains(*page) && why.len() > 10, "there is no page {page}");
    }
}

/// What a student is told on a page that is not theirs.
async fn asked(student: &mut Browser, page: &str) -> StatusCode {
    let (method, path) = page.split_once(' ').unwrap();
    let path = path.replace("{slug}", "cup").replace("{token}", "x");
    let path = path.replace("{id}", "1").replace("{job}", "1").replace("{number}", "1");
    match method {
        "GET" => student.get(&path).await.status,
        _ => match student.post(&path, &[]).await.status {
            // A form with a file in it.
            StatusCode::BAD_REQUEST => student.upload(&path, "x", b"x").await.status,
            status => status,
        },
    }
}
