//! Calls: tokens, scopes, problems, lists, and what a student does with them.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use ludus_judge::accounts::Role;
use ludus_judge::api;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::harness::{Browser, Court, PASSWORD};
use crate::on_both;
use crate::training::{id_of, students};
use crate::verdicts::{GOOD, named};

on_both!(
    tokens_are_shown_once_and_revoked,
    tokens_are_few_and_end,
    tokens_are_for_calls_and_sessions_for_pages,
    wrong_tokens_are_slowed_down,
    tokens_do_what_they_are_for,
    problems_are_told_to_programs_and_people,
    a_player_is_handed_in_and_followed,
    lists_are_given_in_parts,
    a_student_trains_by_calls,
    what_is_ones_own_is_changed_by_calls,
    the_description_is_whole,
);

/// A program with a token.
#[derive(Clone)]
pub struct Program {
    router: Router,
    pub token: String,
}

pub struct Told {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
    pub json: Value,
}

impl Told {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The status and the code of a problem.
    pub fn problem(&self) -> (u16, &str) {
        (self.status.as_u16(), self.json["code"].as_str().unwrap_or_default())
    }
}

impl Program {
    pub fn new(court: &Court, token: &str) -> Program {
        Program { router: court.router(), token: token.to_owned() }
    }

    pub async fn send(&self, mut request: Request<Body>) -> Told {
        let headers = request.headers_mut();
        headers.insert(header::HOST, "judge.test".parse().unwrap());
        if !self.token.is_empty() {
            headers.insert(header::AUTHORIZATION, format!("Bearer {}", self.token).parse().unwrap());
        }
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let (status, headers) = (answer.status(), answer.headers().clone());
        let bytes = to_bytes(answer.into_body(), usize::MAX).await.unwrap().to_vec();
        let json = serde_json::from_slice(&bytes).unwrap_or_default();
        Told { status, headers, bytes, json }
    }

    pub async fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Told {
        let request = Request::builder().method(method).uri(format!("/api/v1{path}"));
        let request = match body {
            Some(body) => request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        self.send(request.unwrap()).await
    }

    pub async fn get(&self, path: &str) -> Told {
        self.call("GET", path, None).await
    }

    pub async fn submit(&self, season: &str, file_name: &str, source: &[u8]) -> Told {
        let request = Request::post(format!("/api/v1/seasons/{season}/submissions?file_name={file_name}"));
        self.send(request.body(Body::from(source.to_vec())).unwrap()).await
    }
}

const ALL: [&str; 4] = ["read", "submit", "train", "manage"];

async fn make(browser: &mut Browser, scopes: &[&str], days: &str) -> crate::harness::Answer {
    let mut fields = vec![("name", "laptop"), ("days", days)];
    fields.extend(scopes.iter().map(|scope| (*scope, "1")));
    browser.post("/account/tokens", &fields).await
}

fn shown(page: &str) -> Option<String> {
    let at = page.find("value=\"ludus_")?;
    page[at..].split('"').nth(1).map(ToOwned::to_owned)
}

/// A token that its owner makes on the page.
pub async fn token_with(browser: &mut Browser, scopes: &[&str]) -> String {
    let page = make(browser, scopes, "30").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    shown(&page.text).unwrap()
}

/// A token for everything.
pub async fn token_of(browser: &mut Browser) -> String {
    token_with(browser, &ALL).await
}

async fn tokens_are_shown_once_and_revoked(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    assert!(pau.get("/account").await.has("href=\"/account/tokens\""));
    assert!(pau.get("/account/tokens?name=my-host").await.has("value=\"my-host\""));
    let token = token_with(&mut pau, &["read", "train"]).await;
    assert_eq!(token.len(), 70);
    let page = pau.get("/account/tokens").await;
    assert!(page.has("laptop") && page.has("read · train") && page.has("never used"), "{}", page.text);
    assert_eq!(shown(&page.text), None, "never again");
    let stored: Vec<String> =
        sqlx::query_scalar("SELECT hash FROM tokens").fetch_all(court.site.database.read()).await.unwrap();
    assert!(stored.len() == 1 && !stored[0].contains(&token[6..]));
    let program = Program::new(&court, &token);
    let me = program.get("/me").await;
    assert_eq!((me.status, &me.json["email"]), (StatusCode::OK, &json!("pau@x.edu")), "{}", me.text());
    assert_eq!(me.json["token"]["scopes"], json!(["read", "train"]));
    assert!(pau.get("/account/tokens").await.has("last used"));
    // Another's is out of reach.
    let id = me.json["token"]["id"].to_string();
    let mut ana = court.visitor("ana", Role::Student).await;
    ana.post("/account/tokens/revoke", &[("token", &id)]).await;
    let others = Program::new(&court, &token_of(&mut ana).await);
    assert_eq!(others.call("DELETE", &format!("/me/tokens/{id}"), None).await.status, StatusCode::NOT_FOUND);
    assert_eq!(program.get("/me").await.status, StatusCode::OK);
    assert_eq!(pau.post("/account/tokens/revoke", &[("token", &id)]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(program.get("/me").await.problem(), (401, "token-wrong"));
    // A program throws its own token away, whatever it is for.
    let program = Program::new(&court, &token_with(&mut pau, &["submit"]).await);
    assert_eq!(program.call("DELETE", "/me/token", None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(program.get("/me").await.status, StatusCode::UNAUTHORIZED);
}

async fn tokens_are_few_and_end(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    for (scopes, days, name, why) in [
        (&[][..], "30", "x", "Choose at least one thing"),
        (&ALL[..], "31", "x", "Choose one of the numbers of days"),
        (&ALL[..], "30", "", "Say what it is for"),
    ] {
        let mut fields = vec![("name", name), ("days", days)];
        fields.extend(scopes.iter().map(|scope| (*scope, "1")));
        let refused = pau.post("/account/tokens", &fields).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{why}");
        assert!(refused.has(why) && shown(&refused.text).is_none(), "{}", refused.text);
    }
    let program = Program::new(&court, &token_of(&mut pau).await);
    for _ in 1..20 {
        token_of(&mut pau).await;
    }
    let full = make(&mut pau, &ALL, "7").await;
    assert!(full.status == StatusCode::UNPROCESSABLE_ENTITY && full.has("You have 20 tokens"), "{}", full.text);
    assert_eq!(program.get("/me").await.status, StatusCode::OK);
    let over = "UPDATE tokens SET expires_at = 1";
    sqlx::query(over).execute(court.site.database.write()).await.unwrap();
    assert_eq!(program.get("/me").await.problem(), (401, "token-wrong"));
    assert!(pau.get("/account/tokens").await.has("No tokens"));
    assert_eq!(make(&mut pau, &ALL, "7").await.status, StatusCode::OK, "those that are over make room");
}

async fn tokens_are_for_calls_and_sessions_for_pages(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let program = Program::new(&court, &token_of(&mut pau).await);
    // A token opens no page.
    for path in ["/account", "/submissions", "/training", "/account/tokens"] {
        let told = program.send(Request::get(path).body(Body::empty()).unwrap()).await;
        assert_eq!(told.status, StatusCode::SEE_OTHER, "{path}");
    }
    // A session makes no call, and no call gives a cookie.
    for path in ["/api/v1/me", "/api/v1/submissions", "/api/v1/nowhere", "/api/v1/me/sessions"] {
        let answer = pau.get(path).await;
        let expected = if path.ends_with("nowhere") { StatusCode::NOT_FOUND } else { StatusCode::UNAUTHORIZED };
        assert_eq!(answer.status, expected, "{path}");
        assert_eq!(answer.headers[header::CONTENT_TYPE], "application/problem+json");
        assert!(!answer.headers.contains_key(header::SET_COOKIE) && answer.location.is_empty());
    }
    let told = program.get("/me").await;
    assert_eq!(told.headers[header::CACHE_CONTROL], "no-store");
    assert!(!told.headers.contains_key(header::SET_COOKIE));
    // Neither does a token anywhere but in the head.
    let nobody = Program::new(&court, "");
    let path = format!("/me?token={0}&access_token={0}", program.token);
    assert_eq!(nobody.get(&path).await.problem(), (401, "token-missing"));
    for head in [format!("Basic {}", program.token), program.token.clone(), "Bearer ".to_owned()] {
        let request = Request::get("/api/v1/me").header(header::AUTHORIZATION, head).body(Body::empty()).unwrap();
        assert_eq!(nobody.send(request).await.problem(), (401, "token-wrong"));
    }
    // Who is locked has none for so long, and a new password ends them all.
    let lock = |locked: i64| sqlx::query("UPDATE accounts SET locked = $1 WHERE email = 'pau@x.edu'").bind(locked);
    lock(1).execute(court.site.database.write()).await.unwrap();
    assert_eq!(program.get("/me").await.problem(), (401, "token-wrong"));
    lock(0).execute(court.site.database.write()).await.unwrap();
    assert_eq!(program.get("/me").await.status, StatusCode::OK);
    let fields = [("current", PASSWORD), ("password", "another good one"), ("again", "another good one")];
    assert_eq!(pau.post("/account/password", &fields).await.status, StatusCode::SEE_OTHER);
    assert_eq!(program.get("/me").await.problem(), (401, "token-wrong"));
}

async fn wrong_tokens_are_slowed_down(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let program = Program::new(&court, &token_of(&mut pau).await);
    let guessing = Program::new(&court, &format!("ludus_{}", "0".repeat(64)));
    for _ in 0..6 {
        assert_eq!(guessing.get("/me").await.status, StatusCode::UNAUTHORIZED);
    }
    let told = guessing.get("/me").await;
    assert_eq!(told.problem(), (429, "too-many-wrong-tokens"));
    assert_eq!(told.headers[header::RETRY_AFTER], told.json["about"]["seconds"].as_str().unwrap());
    assert_eq!(program.get("/me").await.status, StatusCode::OK, "right ones are taken all the while");
    court.site.throttle.pass(std::time::Duration::from_secs(3));
    assert_eq!(guessing.get("/me").await.status, StatusCode::UNAUTHORIZED);
}

async fn tokens_do_what_they_are_for(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let mut programs = Vec::new();
    for scope in ALL {
        programs.push((scope, Program::new(&court, &token_with(&mut pau, &[scope]).await)));
    }
    for call in api::calls().into_iter().filter(|call| call.path != "/me/token") {
        let parts = call.path.replace("{slug}", "open");
        let parts = parts.split('/').map(|part| if part.starts_with('{') { "999999" } else { part });
        let path = parts.collect::<Vec<_>>().join("/");
        for (scope, program) in &programs {
            let told = program.call(call.method.as_str(), &path, Some(&json!({}))).await;
            let lacks = call.scope.is_some_and(|needed| needed.word() != *scope);
            assert_eq!(
                told.problem() == (403, "scope-missing"),
                lacks,
                "{scope}: {} {path}: {}",
                call.method,
                told.text()
            );
        }
    }
    let told = programs[0].1.submit("open", "AIx.cc", b"").await;
    assert_eq!(told.json["about"]["scope"], "submit");
}

async fn problems_are_told_to_programs_and_people(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let program = Program::new(&court, &token_of(&mut pau).await);
    let told = program.get("/submissions/99").await;
    assert_eq!(told.problem(), (404, "not-found"));
    assert_eq!(told.headers[header::CONTENT_TYPE], "application/problem+json");
    assert_eq!(told.json["request"].as_str().unwrap(), told.headers["x-request-id"]);
    for (method, path, body, expected) in [
        ("GET", "/submissions/x", None, (404, "not-found")),
        ("GET", "/matches?limit=101", None, (422, "number-range")),
        ("GET", "/matches?limit=x", None, (400, "bad-query")),
        ("GET", "/matches?cursor=x", None, (422, "bad-cursor")),
        ("GET", "/matches?cursor=-3", None, (422, "bad-cursor")),
        ("GET", "/matches?season=nowhere", None, (422, "not-found")),
        ("GET", "/matches?purpose=fun", None, (400, "bad-query")),
        ("GET", "/nowhere", None, (404, "not-found")),
        ("GET", "/seasons/%00", None, (404, "not-found")),
        ("PATCH", "/me", None, (405, "bad-request")),
        ("POST", "/friends", Some(json!({ "email": "nobody@x.edu" })), (422, "friend-unknown")),
        ("POST", "/friends", Some(json!({ "email": "pau@x.edu" })), (422, "friend-oneself")),
        ("POST", "/friends", Some(json!({ "mail": "pau@x.edu" })), (422, "bad-json")),
        ("POST", "/friends", Some(json!({ "email": "a\0b@x.edu" })), (422, "bad-json")),
        ("POST", "/friends", Some(json!({ "email": "x".repeat(20_000) })), (413, "upload-too-large")),
        ("PUT", "/me/language", Some(json!({ "language": "de" })), (422, "bad-request")),
        (
            "POST",
            "/seasons/nowhere/training",
            Some(json!({ "players": ["", "", "", ""], "matches": 1 })),
            (404, "not-found"),
        ),
        (
            "POST",
            "/seasons/open/training",
            Some(json!({ "players": ["A", "B", "C", "D"], "matches": 0 })),
            (422, "number-range"),
        ),
        (
            "POST",
            "/seasons/open/training",
            Some(json!({ "players": ["A", "B", "C", "D"], "matches": 1 })),
            (422, "no-such-player"),
        ),
    ] {
        let told = program.call(method, path, body.as_ref()).await;
        assert_eq!(told.problem(), expected, "{method} {path}: {}", told.text());
    }
    let no_json = Request::post("/api/v1/friends").body(Body::from("{}")).unwrap();
    assert_eq!(program.send(no_json).await.problem(), (415, "not-json"));
    let damaged = Request::post("/api/v1/friends").header(header::CONTENT_TYPE, "application/json");
    assert_eq!(program.send(damaged.body(Body::from("{")).unwrap()).await.problem(), (400, "bad-json"));
    // What is wrong with a file is told with the line and in the language of the account.
    let told = program.submit("open", "AIx.cc", named(GOOD, "Dummy").as_bytes()).await;
    assert_eq!(told.problem(), (422, "name-of-example"));
    assert_eq!((&told.json["field"], told.json["line"].is_u64()), (&json!("source"), true));
    assert!(told.json["title"].as_str().unwrap().contains("Dummy"));
    let language = json!({ "language": "ca" });
    assert_eq!(program.call("PUT", "/me/language", Some(&language)).await.status, StatusCode::NO_CONTENT);
    let told = program.get("/submissions/99").await;
    assert_eq!((told.problem().1, &told.json["title"]), ("not-found", &json!("Això no existeix, o no és per a tu.")));
    let english = Program::new(&court, "").get("/me").await;
    assert!(english.json["title"].as_str().unwrap().starts_with("This call needs a token"));
    let large = program.submit("open", "AIx.cc", &vec![b' '; 4 << 20]).await;
    assert_eq!(large.problem(), (413, "upload-too-large"));
}

async fn a_player_is_handed_in_and_followed(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let program = Program::new(&court, &token_of(&mut pau).await);
    let season = program.get("/seasons/open").await;
    assert_eq!((&season.json["phase"], &season.json["may_submit"]), (&json!("open"), &json!(true)));
    let source = named(GOOD, "Caller");
    let taken = program.submit("open", "AICaller.cc", source.as_bytes()).await;
    assert_eq!(taken.status, StatusCode::CREATED, "{}", taken.text());
    let path = format!("/submissions/{}", taken.json["id"]);
    let waiting = program.get(&path).await.json;
    assert_eq!((&waiting["is_decided"], &waiting["submission"]["stage"]), (&json!(false), &json!("waiting")));
    court.work().await;
    let over = program.get(&path).await.json;
    assert_eq!((&over["submission"]["stage"], &over["verdict"]), (&json!("accepted"), &json!("Accepted")), "{over}");
    let steps = over["steps"].as_array().unwrap();
    assert!(steps.len() == 7 && steps.iter().all(|step| step["state"] == "done"), "{over}");
    assert_eq!(program.get(&format!("{path}/source")).await.bytes, source.as_bytes());
    // The same page says the same.
    assert!(pau.get(&path).await.has("<h2>Accepted</h2>"));
    let id = steps[3]["played"].to_string();
    let replay = program.get(&format!("/matches/{id}/replay.ludus")).await;
    assert_eq!((replay.status, &replay.bytes[1..5]), (StatusCode::OK, &b"LUDU"[..]));
    let found = program.get(&format!("/matches/{id}")).await.json;
    let own = found["match"]["seats"].as_array().unwrap().iter().find(|seat| seat["name"] == "Caller").unwrap();
    assert!(
        own["cpu"].as_f64().unwrap() > 0.0 && !found["cpu_by_round"][own["seat"].as_u64().unwrap() as usize].is_null()
    );
    if own["has_output"] == true {
        assert_eq!(program.get(&format!("/matches/{id}/output/{}", own["seat"])).await.status, StatusCode::OK);
    }
    // Rejected ones say why.
    let broken =
        program.submit("open", "AIBroken.cc", format!("{}\nthis is no C++", named(GOOD, "Broken")).as_bytes()).await;
    court.work().await;
    let over = program.get(&format!("/submissions/{}", broken.json["id"])).await.json;
    assert_eq!((&over["submission"]["stage"], &over["reason"]["code"]), (&json!("rejected"), &json!("compiler")));
    assert!(over["reason"]["messages"].as_str().unwrap().contains("this is no C++"), "{over}");
    let taken = program.submit("open", "AIx.cc", named(GOOD, "CALLER").as_bytes()).await;
    assert_eq!(taken.problem(), (422, "name-taken"));
    assert_eq!(program.submit("nowhere", "AIx.cc", source.as_bytes()).await.status, StatusCode::NOT_FOUND);
    let mut eva = court.visitor("eva", Role::Spectator).await;
    let watching = Program::new(&court, &token_of(&mut eva).await);
    assert_eq!(watching.submit("open", "AIx.cc", source.as_bytes()).await.problem(), (403, "forbidden"));
}

async fn lists_are_given_in_parts(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let program = Program::new(&court, &token_of(&mut pau).await);
    for at in 0..7 {
        program.submit("open", "AIx.cc", named(GOOD, &format!("P{at}")).as_bytes()).await;
    }
    let (mut names, mut cursor) = (Vec::new(), String::new());
    for part in 0.. {
        let path = format!("/submissions?season=open&stage=waiting&limit=3{cursor}");
        let told = program.get(&path).await.json;
        names.extend(told["items"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()));
        let Some(next) = told["next"].as_str() else {
            assert_eq!(part, 2);
            break;
        };
        cursor = format!("&cursor={next}");
        // What comes meanwhile does not move what follows.
        program.submit("open", "AIx.cc", named(GOOD, &format!("Late{part}")).as_bytes()).await;
    }
    assert_eq!(names, ["P6", "P5", "P4", "P3", "P2", "P1", "P0"]);
    assert_eq!(program.get("/submissions?limit=100").await.json["items"].as_array().unwrap().len(), 9);
}

async fn a_student_trains_by_calls(court: Court) {
    let (cup, [mut one, mut two, mut three, _]) = students(court).await;
    let programs = [
        Program::new(&cup.court, &token_of(&mut one).await),
        Program::new(&cup.court, &token_of(&mut two).await),
        Program::new(&cup.court, &token_of(&mut three).await),
    ];
    let wanted = |players: [&str; 4]| json!({ "players": players, "matches": 4, "seed": 7 });
    let private = wanted(["Player1", "Player2", "Dummy", "Dummy"]);
    let refused = programs[0].call("POST", "/seasons/cup/training", Some(&private)).await;
    assert_eq!((refused.problem(), &refused.json["about"]["name"]), ((422, "player-is-private"), &json!("Player2")));
    let others =
        programs[0].call("POST", "/seasons/cup/training", Some(&wanted(["Demo", "Null", "Dummy", "Dummy"]))).await;
    assert_eq!(others.problem(), (422, "none-own"));
    let published = format!("/submissions/{}/publish", id_of(&cup, "Player2").await);
    assert_eq!(programs[0].call("POST", &published, None).await.status, StatusCode::NOT_FOUND, "another's");
    assert_eq!(programs[1].call("POST", &published, None).await.status, StatusCode::NO_CONTENT);
    let candidates = programs[0].get("/seasons/cup/candidates?limit=100").await.json;
    let known = |name: &str| candidates["items"].as_array().unwrap().iter().any(|one| one["name"] == name);
    assert!(known("Player1") && known("Player2") && known("Dummy") && !known("Player3"), "{candidates}");
    let taken = programs[0].call("POST", "/seasons/cup/training", Some(&private)).await;
    assert_eq!(taken.status, StatusCode::CREATED, "{}", taken.text());
    let path = format!("/training/{}", taken.json["id"]);
    assert_eq!(programs[0].get(&path).await.json["standings"], json!([]));
    cup.work().await;
    let table = programs[0].get(&path).await.json;
    assert_eq!((&table["training"]["is_over"], &table["training"]["played"]), (&json!(true), &json!(4)), "{table}");
    assert_eq!(table["standings"].as_array().unwrap().len(), 4);
    assert_eq!(table["matches"].as_array().unwrap().len(), 4);
    assert_eq!(programs[0].get("/me").await.json["training_left"], json!(396));
    assert_eq!(programs[1].get(&path).await.status, StatusCode::OK, "the other author");
    assert_eq!(programs[2].get(&path).await.status, StatusCode::NOT_FOUND);
    let seen = async |program: &Program| program.get("/training").await.json["items"].as_array().unwrap().len();
    assert_eq!([seen(&programs[0]).await, seen(&programs[1]).await, seen(&programs[2]).await], [1, 1, 0]);
}

async fn what_is_ones_own_is_changed_by_calls(court: Court) {
    let (cup, [mut one, mut two, ..]) = students(court).await;
    let (ones, twos) =
        (Program::new(&cup.court, &token_of(&mut one).await), Program::new(&cup.court, &token_of(&mut two).await));
    // Friends.
    let email = json!({ "email": "student2@x.edu" });
    assert_eq!(ones.call("POST", "/friends", Some(&email)).await.status, StatusCode::NO_CONTENT);
    let listed = twos.get("/friends").await.json["items"][0].clone();
    assert_eq!((&listed["is_listed"], &listed["lists_you"]), (&json!(false), &json!(true)));
    let path = format!("/friends/{}", listed["account"]);
    assert_eq!(twos.call("PUT", &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(twos.call("PUT", "/friends/999", None).await.status, StatusCode::NOT_FOUND);
    assert!(one.get("/friends").await.has("class=\"badge accepted\""));
    assert_eq!(twos.call("DELETE", &path, None).await.status, StatusCode::NO_CONTENT);
    assert!(!one.get("/friends").await.has("class=\"badge accepted\""));
    // Representatives.
    let player = id_of(&cup, "Player1").await;
    let choice = json!({ "player": player });
    assert_eq!(
        twos.call("PUT", "/seasons/cup/representative", Some(&choice)).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(ones.call("PUT", "/seasons/cup/representative", Some(&choice)).await.status, StatusCode::NO_CONTENT);
    let stands = ones.get("/seasons/cup/representative").await.json;
    assert_eq!((&stands["player"]["name"], &stands["is_chosen"]), (&json!("Player1"), &json!(true)));
    // Modules.
    let path = format!("/players/{player}/module");
    assert_eq!(twos.call("PUT", &path, Some(&json!({ "audience": "everybody" }))).await.status, StatusCode::FORBIDDEN);
    let link = ones.call("PUT", &path, Some(&json!({ "audience": "friends" }))).await.json;
    let module = format!("/modules/{}", link["token"].as_str().unwrap());
    assert_eq!(twos.get(&module).await.status, StatusCode::NOT_FOUND);
    assert_eq!(ones.get(&module).await.status, StatusCode::OK);
    assert_eq!(ones.call("PUT", &path, Some(&json!({ "audience": null }))).await.json, Value::Null);
    assert_eq!(ones.get(&module).await.status, StatusCode::NOT_FOUND);
    // Sessions.
    let session = ones.get("/me/sessions").await.json["items"][0]["id"].to_string();
    assert_eq!(twos.call("DELETE", &format!("/me/sessions/{session}"), None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(one.get("/account").await.status, StatusCode::OK, "another's is not ended");
    assert_eq!(ones.call("DELETE", &format!("/me/sessions/{session}"), None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(one.get("/account").await.status, StatusCode::SEE_OTHER);
}

async fn the_description_is_whole(court: Court) {
    let nobody = Program::new(&court, "");
    let described = nobody.get("/openapi.json").await;
    assert_eq!((described.status, &described.json["openapi"]), (StatusCode::OK, &json!("3.1.0")));
    let page = court.browser().get("/api").await;
    let mut ids = std::collections::BTreeSet::new();
    for call in api::calls() {
        let operation = &described.json["paths"][call.path][call.method.as_str().to_lowercase()];
        assert!(operation["summary"].is_string(), "{} {}", call.method, call.path);
        assert!(ids.insert(operation["operationId"].to_string()), "{operation}");
        assert!(page.has(&format!("<strong>{}</strong> {}", call.method, call.path)), "{}", call.path);
        let named = operation["parameters"].as_array().unwrap().iter().filter(|one| one["in"] == "path").count();
        assert_eq!(named, call.path.matches('{').count(), "{}", call.path);
        assert_eq!(
            operation["requestBody"].is_object(),
            [Method::POST, Method::PUT].contains(&call.method)
                && !["/submissions/{id}/publish", "/friends/{id}"].contains(&call.path),
            "{}",
            call.path
        );
    }
    // Every name leads somewhere.
    let text = described.text();
    for reference in text.split("\"$ref\": \"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(described.json.pointer(reference).is_some_and(Value::is_object), "{reference}");
    }
    assert!(text.matches("\"$ref\"").count() > 50);
}
