//! Attacks on a listening site: shapes of HTTP that proxies and servers read in
//! different ways, forged forms, and hoarding of what a visitor may have.

use std::io::{Read as _, Write as _};
use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use ludus_judge::accounts::Role;
use ludus_judge::web::patience::Patience;
use ludus_judge::web::serve::Bounds;

use crate::harness::{Browser, Court, PASSWORD};
use crate::on_sqlite;
use crate::slow::{BOUNDS, aside, connect, listen};
use crate::verdicts::{GOOD, named};

on_sqlite!(
    sessions_are_not_hoarded,
    uploads_that_break_off_leave_nothing,
    heads_have_one_meaning,
    bodies_have_one_end,
    other_protocols_and_methods_get_nothing,
    headers_of_proxies_mean_nothing_without_a_proxy,
    nothing_is_cached_that_is_somebodys,
    every_form_needs_its_token,
    multipart_forms_are_read_strictly,
    numbers_in_addresses_are_numbers,
    a_link_is_worth_nothing_after_a_new_password,
    streams_are_not_hoarded,
    characters_that_nobody_sees_are_shown
);

const PATIENT: Bounds =
    Bounds { head: Duration::from_secs(3600), reading: Patience::new(Duration::from_secs(3600), 1), ..BOUNDS };

/// Everything that the site answers to some bytes until it hangs up, which it
/// does when nothing more is asked.
fn answers(address: SocketAddr, sent: &[u8]) -> String {
    let mut stream = connect(address);
    // It may hang up before all of this is sent.
    let _ = stream.write_all(sent);
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// The status of every answer to some bytes.
fn statuses(address: SocketAddr, sent: &[u8]) -> Vec<u16> {
    let text = answers(address, sent);
    text.split("HTTP/1.").skip(1).filter_map(|rest| rest.get(2..5)?.parse().ok()).collect()
}

async fn heads_have_one_meaning(court: Court) {
    let (address, _stop, _) = listen(&court, BOUNDS).await;
    aside(move || {
        let many: String = (0..300).map(|k| format!("X-{k}: y\r\n")).collect();
        for head in [
            "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nX\u{b}: y\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n",
            "GET  /two HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.2\r\nHost: x\r\n\r\n",
            "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
            "\0GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            &format!("GET / HTTP/1.1\r\nHost: x\r\n{many}\r\n"),
            &format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(100 << 10)),
            &format!("GET / HTTP/1.1\r\nHost: x\r\nCookie: {}\r\n\r\n", "a=b; ".repeat(60 << 10)),
        ] {
            let found = statuses(address, head.as_bytes());
            let refused = found.iter().all(|status| (400..500).contains(status)) && found.len() <= 1;
            assert!(refused, "{:?}: {found:?}", &head[..head.len().min(80)]);
        }
        let cookies: String = (0..2000).map(|k| format!("c{k}=v; ")).collect();
        let head = format!("GET / HTTP/1.1\r\nHost: x\r\nCookie: {cookies}\r\n\r\n");
        assert_eq!(statuses(address, head.as_bytes()), [200], "many cookies are only many");
    })
    .await;
}

async fn bodies_have_one_end(court: Court) {
    let (address, _stop, _) = listen(&court, BOUNDS).await;
    aside(move || {
        let smuggled = "GET /viewer/viewer.js HTTP/1.1\r\nHost: x\r\n\r\n";
        let post = "POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n";
        let trailers: String = (0..5000).map(|k| format!("X-{k}: y\r\n")).collect();
        for rest in [
            format!("Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd{smuggled}"),
            format!("Content-Length: 4, 5\r\n\r\nabcd{smuggled}"),
            format!("Content-Length: +4\r\n\r\nabcd{smuggled}"),
            format!("Content-Length: 0x4\r\n\r\nabcd{smuggled}"),
            format!("Content-Length: -1\r\n\r\nabcd{smuggled}"),
            format!("Content-Length: 4 4\r\n\r\nabcd{smuggled}"),
            format!("Content-Length: 99999999999999999999\r\n\r\nabcd{smuggled}"),
            format!("Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n{smuggled}"),
            format!("Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n{smuggled}"),
            format!("Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n{smuggled}"),
            format!("Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{smuggled}"),
            format!("Transfer-Encoding: chunked\r\n\r\n-1\r\n{smuggled}"),
            format!("Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n{smuggled}"),
            format!("Transfer-Encoding: chunked\r\n\r\n1;{}\r\na\r\n0\r\n\r\n{smuggled}", "x".repeat(1 << 20)),
            format!("Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n0\r\n{trailers}\r\n{smuggled}"),
        ] {
            let found = statuses(address, format!("{post}{rest}").as_bytes());
            let refused = found.len() <= 1 && found.iter().all(|status| (400..500).contains(status));
            assert!(refused, "{:?}: {found:?}", &rest[..rest.len().min(80)]);
        }
        // Where a proxy might believe the other of the two, nothing more is answered.
        let both = format!("{post}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{smuggled}");
        let found = statuses(address, both.as_bytes());
        assert!(found.len() <= 1 && found.iter().all(|status| (400..500).contains(status)), "{found:?}");
    })
    .await;
}

async fn other_protocols_and_methods_get_nothing(court: Court) {
    let (address, _stop, _) = listen(&court, BOUNDS).await;
    aside(move || {
        let hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".repeat(40);
        for sent in [&hello[..], b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET /\r\n", b"EHLO x\r\n", b"\r\n\r\n\r\n"] {
            let found = statuses(address, sent);
            assert!(found.iter().all(|status| (400..500).contains(status)), "{sent:?}: {found:?}");
        }
        for method in ["OPTIONS", "TRACE", "PUT", "DELETE", "PATCH", "PROPFIND", "BREW"] {
            let head = format!("{method} / HTTP/1.1\r\nHost: x\r\nOrigin: http://evil.example\r\nX-Echo: mark\r\n\r\n");
            let answer = answers(address, head.as_bytes());
            assert!(answer.starts_with("HTTP/1.1 405") && !answer.contains("mark"), "{method}: {answer}");
            assert!(!answer.to_lowercase().contains("access-control"), "{method}: {answer}");
        }
        for head in ["CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"] {
            let found = statuses(address, head.as_bytes());
            assert!(found.iter().all(|status| (400..500).contains(status)), "{head}: {found:?}");
        }
        let upgrade = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c, websocket\r\nHTTP2-Settings: AAMAAABkAAQ\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n\r\n";
        assert_eq!(statuses(address, upgrade.as_bytes()), [200], "nothing is upgraded");
        let absolute = "GET http://evil.example/sign-in HTTP/1.1\r\nHost: x\r\n\r\n";
        assert!(!answers(address, absolute.as_bytes()).contains("evil.example"));
    })
    .await;
}

async fn headers_of_proxies_mean_nothing_without_a_proxy(court: Court) {
    let mut guest = court.browser();
    let names = [
        "x-forwarded-host",
        "x-forwarded-proto",
        "x-forwarded-for",
        "forwarded",
        "x-original-url",
        "x-rewrite-url",
        "x-http-method-override",
        "x-real-ip",
        "x-request-id",
    ];
    let mut request = Request::get("/sign-in");
    for name in names {
        request = request.header(name, if name == "x-forwarded-proto" { "https" } else { "evil.example" });
    }
    let answer = guest.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.status, StatusCode::OK);
    let shown = format!("{:?}{}", answer.headers, answer.text);
    assert!(!shown.contains("evil.example") && !shown.contains("; Secure"), "{shown}");
}

async fn nothing_is_cached_that_is_somebodys(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    for path in ["/", "/account", "/submissions", "/seasons/open", "/sign-in", "/nowhere", "/people"] {
        let answer = pau.get(path).await;
        assert_eq!(answer.headers[header::CACHE_CONTROL], "no-store", "{path}");
    }
    // A file that everybody may keep is the same for everybody.
    let ask = |name: &'static str, value: &'static str| {
        Request::get("/viewer/viewer.js?x=1").header(name, value).body(Body::empty()).unwrap()
    };
    let plain = pau.send(ask("accept", "*/*")).await;
    for (name, value) in [("host", "evil.example"), ("range", "bytes=0-9"), ("range", "bytes=0-0,1-1,2-2,3-3")] {
        let answer = pau.send(ask(name, value)).await;
        assert_eq!((answer.status, answer.text == plain.text), (StatusCode::OK, true), "{name}: {value}");
        assert!(!answer.headers.contains_key(header::SET_COOKIE));
    }
}

/// Every address to which forms are sent, from the pages themselves.
fn forms() -> Vec<String> {
    let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/src/pages");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(pages).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for route in text.split(".route(\"").skip(1) {
            let (path, handlers) = route.split_once('"').unwrap();
            if handlers.split(".route(").next().unwrap().split('\n').next().unwrap().contains("post(") {
                found.push(
                    path.replace("{slug}", "open").replace("{token}", "x").replace("{id}", "1").replace("{job}", "1"),
                );
            }
        }
    }
    found
}

async fn every_form_needs_its_token(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let other = court.visitor("marc", Role::Instructor).await.token().await;
    let own = laia.token().await;
    let forms = forms();
    assert!(forms.len() >= 20 && !forms.iter().any(|path| path.contains('{')), "{forms:?}");
    for path in &forms {
        for (token, name, value) in [
            ("", "x-nothing", ""),
            (other.as_str(), "x-nothing", ""),
            (&own[..63], "x-nothing", ""),
            (&own, "sec-fetch-site", "cross-site"),
            (&own, "sec-fetch-site", "same-site"),
            (&own, "origin", "http://evil.example"),
            (&own, "origin", "null"),
        ] {
            let plain = ("application/x-www-form-urlencoded", format!("csrf={token}&locked=1&title=x"));
            let parts = format!("--B\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n{token}\r\n--B--\r\n");
            for (kind, body) in [plain, ("multipart/form-data; boundary=B", parts)] {
                let request = Request::post(path).header(header::CONTENT_TYPE, kind).header(name, value);
                let answer = laia.send(request.body(Body::from(body)).unwrap()).await;
                // A form of the other kind is not even read.
                let refused = [StatusCode::FORBIDDEN, StatusCode::BAD_REQUEST].contains(&answer.status);
                assert!(refused, "{path} {name} {value} {kind}: {}", answer.status);
            }
        }
        for kind in ["text/plain", "application/json"] {
            let request = Request::post(path).header(header::CONTENT_TYPE, kind);
            let answer = laia.send(request.body(Body::from(format!("csrf={own}"))).unwrap()).await;
            assert!(answer.status.is_client_error(), "{path} {kind}: {}", answer.status);
        }
    }
    assert_eq!(laia.get("/account").await.status, StatusCode::OK, "nobody was signed out");
}

async fn multipart_forms_are_read_strictly(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let token = pau.token().await;
    let csrf = format!("--B\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n{token}\r\n");
    let source = "#define PLAYER_NAME Odd\n";
    let file = |disposition: &str| {
        format!("{csrf}--B\r\nContent-Disposition: form-data; {disposition}\r\n\r\n{source}\r\n--B--\r\n")
    };
    let send = async |pau: &mut Browser, kind: &str, body: String| {
        let request = Request::post("/seasons/open/submit").header(header::CONTENT_TYPE, kind);
        pau.send(request.body(Body::from(body)).unwrap()).await
    };
    for kind in [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=C",
        "multipart/mixed; boundary=B",
        &format!("multipart/form-data; boundary={}", "B".repeat(10_000)),
    ] {
        let answer = send(&mut pau, kind, file("name=\"file\"; filename=\"AIx.cc\"")).await;
        assert!(answer.status.is_client_error(), "{kind}: {}", answer.status);
    }
    // A name is what people read, and never where anything is put.
    for name in ["../../../etc/passwd", "C:\\\\x.cc", "x\u{202e}cc.exe", "AIx.cc/", "-rf", ".", "a.zip", "%2e%2e"] {
        let answer =
            send(&mut pau, "multipart/form-data; boundary=B", file(&format!("name=\"file\"; filename=\"{name}\"")))
                .await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{name:?}: {}", answer.text);
        let page = pau.get(&answer.location).await;
        assert!(page.status == StatusCode::OK && !page.has("\u{202e}"), "{name:?}");
        let list = pau.get("/submissions").await;
        assert!(!list.has("\u{202e}"), "{name:?}");
    }
}

async fn numbers_in_addresses_are_numbers(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    for number in
        ["-1", "0", "9223372036854775807", "9223372036854775808", "1e3", "0x1", "%31%00", "1;", "\u{ff11}", "NaN"]
    {
        for path in ["/submissions/", "/matches/", "/people/"] {
            let Ok(request) = Request::get(format!("{path}{number}")).body(Body::empty()) else { continue };
            assert!(laia.send(request).await.status.is_client_error(), "{path}{number}");
        }
        for path in [
            "/people?page=",
            "/submissions?before=",
            "/matches?before=",
            "/actions?before=",
            "/workshop?page=",
            "/seasons/open/ladder?page=",
        ] {
            let Ok(request) = Request::get(format!("{path}{number}")).body(Body::empty()) else { continue };
            assert!(!laia.send(request).await.status.is_server_error(), "{path}{number}");
        }
    }
    let answer = laia.post("/account/sessions/end", &[("session", "-9223372036854775808")]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
}

async fn sessions_are_not_hoarded(court: Court) {
    let account = court.add_person("pau", Role::Student).await;
    let other = court.visitor("ana", Role::Student).await;
    for _ in 0..60 {
        ludus_judge::sessions::start(&court.site.database, account, "", "").await.unwrap();
    }
    let mut pau = court.browser();
    assert_eq!(pau.sign_in("pau", PASSWORD).await.status, StatusCode::SEE_OTHER);
    let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sessions WHERE account_id = $1")
        .bind(account)
        .fetch_one(court.site.database.read())
        .await
        .unwrap();
    assert_eq!(count, 50);
    assert_eq!(pau.get("/account").await.status, StatusCode::OK);
    assert_eq!(other.clone().get("/account").await.status, StatusCode::OK, "nobody else has lost anything");
}

async fn a_link_is_worth_nothing_after_a_new_password(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let account = court.add_person("pau", Role::Student).await;
    let mut pau = court.browser();
    pau.sign_in("pau", PASSWORD).await;
    let made = laia.post(&format!("/people/{account}/link"), &[]).await;
    let link = made.text.split("value=\"/link/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let link = format!("/link/{link}");
    assert_eq!(court.browser().get(&link).await.status, StatusCode::OK);
    let new = "another horse battery";
    let changed = pau.post("/account/password", &[("current", PASSWORD), ("password", new), ("again", new)]).await;
    assert_eq!(changed.location, "/account?said=password");
    let mut thief = court.browser();
    assert_eq!(thief.get(&link).await.status, StatusCode::GONE);
    let used = thief.post(&link, &[("password", PASSWORD), ("again", PASSWORD)]).await;
    assert_eq!(used.status, StatusCode::GONE);
    assert_eq!(court.browser().sign_in("pau", new).await.status, StatusCode::SEE_OTHER);
}

async fn streams_are_not_hoarded(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let page = pau.submit("open", "#define PLAYER_NAME Followed\n").await;
    let events = format!("{page}/events");
    // What is asked for without its content holds nothing.
    for _ in 0..20 {
        let request = Request::head(&events).body(Body::empty()).unwrap();
        assert_eq!(pau.send(request).await.status, StatusCode::OK);
    }
    let (address, _stop, _) = listen(&court, PATIENT).await;
    let cookie = format!("ludus_session={}", pau.cookies["ludus_session"]);
    aside(move || {
        let head = format!("GET {events} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n");
        let open = || {
            let mut stream = connect(address);
            stream.write_all(head.as_bytes()).unwrap();
            let mut begun = [0; 12];
            stream.read_exact(&mut begun).unwrap();
            (stream, String::from_utf8_lossy(&begun).into_owned())
        };
        let streams: Vec<_> = (0..6).map(|_| open()).collect();
        assert!(streams.iter().all(|(_, status)| status.ends_with("200")));
        assert!(open().1.ends_with("503"), "six are enough for one person");
        drop(streams);
        let begun = std::time::Instant::now();
        while !open().1.ends_with("200") {
            assert!(begun.elapsed() < Duration::from_secs(60), "whoever goes away gives its stream back");
        }
    })
    .await;
}

async fn uploads_that_break_off_leave_nothing(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let (address, _stop, _) = listen(&court, PATIENT).await;
    let cookie = format!("ludus_session={}", pau.cookies["ludus_session"]);
    aside(move || {
        let head = format!(
            "POST /seasons/open/submit HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nContent-Type: multipart/form-data; boundary=B\r\n\
             Content-Length: 2000000\r\n\r\n--B\r\n"
        );
        for _ in 0..300 {
            let mut stream = connect(address);
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(&[b'x'; 1000]).unwrap();
        }
    })
    .await;
    let begun = std::time::Instant::now();
    loop {
        let answer = pau.upload("/seasons/open/submit", "AIx.cc", b"#define PLAYER_NAME After\n").await;
        if answer.status == StatusCode::SEE_OTHER {
            break;
        }
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "while eight of one person are being read");
        assert!(begun.elapsed() < Duration::from_secs(60));
    }
}

/// A source, what a compiler says of it, and what a player writes may turn or hide
/// text before whoever reads it, above all instructors.
async fn characters_that_nobody_sees_are_shown(court: Court) {
    const HIDDEN: [char; 6] = ['\u{202e}', '\u{2066}', '\u{2069}', '\u{200f}', '\u{200b}', '\u{feff}'];
    let text: String = HIDDEN.iter().flat_map(|c| ['x', *c]).collect();
    let database = &court.site.database;
    let mut pau = court.visitor("pau", Role::Student).await;
    let page = pau.submit("open", &format!("{} // {text}\n", named(GOOD, "Turned"))).await;
    sqlx::query("UPDATE submissions SET stage = 'rejected', decided_at = 1, reason = 'compiler', detail = $1")
        .bind(&text)
        .execute(database.write())
        .await
        .unwrap();
    for sql in [
        "INSERT INTO matches (season_id, purpose, submission_id, step, seed, share, created_at, played, replay)
         VALUES (1, 'verification', 1, 0, 1, 'x', 1, 1, 'x')",
        "INSERT INTO seats (match_id, seat, name, submission_id) VALUES (1, 0, 'Turned', 1)",
    ] {
        sqlx::query(sql).execute(database.write()).await.unwrap();
    }
    let output = sqlx::query("UPDATE seats SET output = $1").bind(court.site.store.put(text.as_bytes()).unwrap());
    output.execute(database.write()).await.unwrap();
    let mut laia = court.visitor("laia", Role::Instructor).await;
    for path in [page.clone(), format!("{page}/source"), "/matches/1/output/0".to_owned()] {
        let shown = laia.get(&path).await;
        assert_eq!(shown.status, StatusCode::OK, "{path}");
        assert!(shown.has("x\\u{202e}x\\u{2066}x"), "{path}: {}", shown.text);
        assert!(!shown.text.contains(HIDDEN), "{path}");
    }
}

/// What `docs/attacks.md` says holds each class of attacks is there.
#[test]
fn the_table_of_attacks_names_tests_that_are_there() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let table = std::fs::read_to_string(crates.join("../docs/attacks.md")).unwrap();
    let named = table.split('`').skip(1).step_by(2).filter_map(|words| words.split_once("::"));
    let mut missing = Vec::new();
    let mut count = 0;
    for (file, test) in named {
        let (root, rest) = file.split_once('/').unwrap();
        let folder = match root {
            "site" | "trial" => crates.join("judge/tests").join(root),
            "sandbox" => crates.join("sandbox/tests/sandbox"),
            "judge" => crates.join("judge/src"),
            "engine" => crates.join("sandbox/src"),
            other => panic!("{other} is no place of tests"),
        };
        let text = std::fs::read_to_string(folder.join(format!("{rest}.rs"))).unwrap_or_default();
        if !text.contains(&format!("fn {test}(")) {
            missing.push(format!("{file}::{test}"));
        }
        count += 1;
    }
    assert!(missing.is_empty() && count > 80, "{count} tests are named, and these are not there: {missing:?}");
}
