//! Calls: tokens, scopes, problems, lists, and what a student does with them.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use ludus_judge::accounts::Role;
use ludus_judge::api;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::harness::{Browser, Court, PASSWORD};
use crate::verdicts::{GOOD, named};
use crate::{on_both, on_sqlite};

on_both!(tokens_are_few_and_end);

on_sqlite!(
    wrong_tokens_are_slowed_down,
    tokens_are_shown_once_and_revoked,
    tokens_are_for_calls_and_sessions_for_pages,
    tokens_do_what_they_are_for,
    problems_are_told_to_programs_and_people,
    the_description_is_whole
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
        self.send_source(&format!("{season}/submissions"), file_name, source).await
    }

    pub async fn check(&self, season: &str, file_name: &str, source: &[u8]) -> Told {
        self.send_source(&format!("{season}/check"), file_name, source).await
    }

    async fn send_source(&self, path: &str, file_name: &str, source: &[u8]) -> Told {
        let request = Request::post(format!("/api/v1/seasons/{path}?file_name={file_name}"));
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
    // Nor does it decide for whom a token calls.
    let laia = court.visitor("laia", Role::Instructor).await;
    let session = format!("ludus_session={}", laia.cookies["ludus_session"]);
    let both = Request::get("/api/v1/me").header(header::COOKIE, session).body(Body::empty()).unwrap();
    assert_eq!(program.send(both).await.json["email"], "pau@x.edu");
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
