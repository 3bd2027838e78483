//! Visitors who mean harm, or whose data looks as if they did.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use futures_util::FutureExt as _;
use ludus_judge::accounts::Role;
use ludus_judge::intake::Quota;
use ludus_judge::web::place::Place;

use crate::harness::{Browser, Court, PASSWORD};
use crate::verdicts::{GOOD, cause, doing, named};
use crate::{on_both, on_sqlite};

on_both!(
    zero_bytes_are_no_text,
    searches_take_text_literally,
    searches_for_long_texts_are_searches,
    guesses_at_once_count_too,
    writers_wait_for_each_other,
    one_student_cannot_fill_the_queue,
);

on_sqlite!(
    questions_with_a_body_wait_like_others,
    markup_is_shown_as_text,
    guests_send_small_forms,
    rosters_are_read_to_the_fiftieth_mistake,
    uploads_may_have_many_parts,
    forms_have_few_fields,
    large_files_get_their_answer,
    links_never_come_from_the_host_header,
    addresses_are_never_trusted,
    a_session_is_never_chosen_by_others,
    configs_are_bounded,
    floods_and_bombs_get_verdicts,
);

async fn zero_bytes_are_no_text(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    for path in [
        "/people?text=%00",
        "/submissions?text=a%00",
        "/submissions?season=%00",
        "/matches?player=%00",
        "/seasons/%00",
        "/seasons/open/starter/%00",
        "/watch/%00",
        "/link/%00",
        "/seasons/open/players?text=%00",
    ] {
        assert_eq!(laia.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    let saved = laia.post("/course", &[("title", "A\0B"), ("words", "x\0y")]).await;
    assert_eq!(saved.location, "/course?said=saved");
    assert!(laia.get("/").await.has("<h1>AB</h1>"));
    let invited =
        laia.post("/people/invite", &[("name", "E\0va"), ("email", "e\0va@x.edu"), ("role", "student")]).await;
    assert_eq!(invited.status, StatusCode::OK);
    let roster = laia.upload("/people/import", "", b"A\0,a@x.edu\n").await;
    assert_eq!(roster.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(court.browser().sign_in("\0", "\0").await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

async fn searches_take_text_literally(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let roster = "\u{c0}ngel Puig,angel@x.edu,G_1\nPercent 100%,p@x.edu,G\\2\nN\u{fa}ria,n@x.edu,G!\n";
    laia.upload("/people/import", "", roster.as_bytes()).await;
    let found = [
        ("%C3%A0ngel", 1),
        ("%C3%80NGEL", 1),
        ("n%C3%BAria", 1),
        ("g_1", 1),
        ("g_", 1),
        ("100%25", 1),
        ("%25", 1),
        ("%5C", 1),
        ("!", 1),
        ("x.edu", 4),
        ("_", 1),
    ];
    for (text, count) in found {
        let page = laia.get(&format!("/people?text={text}")).await;
        assert!(page.has(&format!("class=\"count\">{count}<")), "{text}: {}", page.text);
    }
    assert!(laia.get("/people?page=99999").await.has("page=1\""), "the way back from a page that is not there");
}

async fn searches_for_long_texts_are_searches(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    // More than SQLite takes for a pattern.
    let long = "a".repeat(60_000);
    for path in ["/people?text=", "/submissions?text=", "/matches?player=", "/seasons/open/players?text="] {
        assert_eq!(laia.get(&format!("{path}{long}")).await.status, StatusCode::OK, "{path}");
    }
}

async fn questions_with_a_body_wait_like_others(court: Court) {
    let turns = &court.site.gates.turns;
    let mut taken = Vec::new();
    while let Some(turn) = turns.take(Place::Unknown).now_or_never() {
        taken.push(turn);
    }
    for request in [
        Request::get("/").body(Body::empty()),
        Request::get("/").body(Body::from("x")),
        Request::head("/").body(Body::from("x")),
    ] {
        let mut guest = court.browser();
        let mut sent = Box::pin(guest.send(request.unwrap()));
        assert!(sent.as_mut().now_or_never().is_none());
        assert_eq!(turns.asking(Place::Unknown), taken.len() + 1, "it waits, for all turns of this place are taken");
    }
    drop(taken);
    assert_eq!(court.browser().get("/").await.status, StatusCode::OK);
}

const MARKUP: &str = "<img src=x onerror=alert(1)>\"'&";

async fn markup_is_shown_as_text(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    laia.post("/people/invite", &[("name", MARKUP), ("email", "b@x.edu"), ("group", MARKUP), ("role", "student")])
        .await;
    laia.post("/course", &[("title", MARKUP), ("words", "</textarea><script>")]).await;
    let rules = format!(
        "{MARKUP}\n\n[x](javascript:alert(1)) ![y](javascript:alert(2)) [z]( &#106;avascript:alert(3))\n\n<script>alert(4)</script>"
    );
    laia.post(
        "/seasons/new",
        &[
            ("title", MARKUP),
            ("game", "ants"),
            ("opens", "2026-01-01T00:00"),
            ("deadline", "2026-02-01T00:00"),
            ("official", "2026-03-01T00:00"),
            ("memory", "64"),
            ("source", "100"),
            ("rules", &rules),
        ],
    )
    .await;
    let mut pau = court.visitor("pau", Role::Student).await;
    let source = doing("Markup", "\n#error <img src=x onerror=alert(1)>\n");
    let answer = pau.upload("/seasons/open/submit", "<img src=x>.cc", source.as_bytes()).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    court.work().await;
    let wrong = pau.upload("/seasons/open/submit", "AIx.cc", b"#include <<img src=x onerror=alert(1)>\n").await;
    let mut pages = vec![wrong.text];
    for path in [
        "/",
        "/people",
        "/people/2",
        "/course",
        "/submissions",
        &answer.location,
        &format!("{}/source", answer.location),
        "/seasons/img-src-x-onerror-alert-1",
        "/seasons/img-src-x-onerror-alert-1/rules",
        "/seasons/img-src-x-onerror-alert-1/edit",
        "/workshop",
    ] {
        let page = laia.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        pages.push(page.text);
    }
    assert!(pages[6].contains("&lt;img src=x onerror=alert(1)&gt;"), "the compiler's words are there: {}", pages[6]);
    for page in &pages {
        for live in ["<img src=x", "<script>", "href=\"javascript:", "href=\" javascript:", "</textarea><script"] {
            assert!(!page.contains(live), "{live}: {page}");
        }
    }
}

async fn guests_send_small_forms(court: Court) {
    let mut guest = court.browser();
    let large = "x".repeat(20 << 10);
    assert_eq!(guest.post("/sign-in", &[("email", &large)]).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    let mut laia = court.visitor("laia", Role::Instructor).await;
    assert_eq!(laia.post("/course", &[("title", "T"), ("words", &large)]).await.location, "/course?said=saved");
}

async fn guesses_at_once_count_too(court: Court) {
    court.add_person("marta", Role::Student).await;
    let mut thief = court.browser();
    let token = thief.token().await;
    let guesses: Vec<_> = (0..20)
        .map(|k| {
            let (mut thief, token) = (thief.clone(), token.clone());
            tokio::spawn(async move {
                let guess = format!("guess {k}");
                let fields = [("csrf", token.as_str()), ("email", "marta@x.edu"), ("password", &guess)];
                thief.post_exactly("/sign-in", &fields).await.status
            })
        })
        .collect();
    let mut checked = 0;
    for guess in guesses {
        checked += usize::from(guess.await.unwrap() == StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_eq!(checked, 6);
    let mut pau = court.visitor("pau", Role::Student).await;
    let new = [("password", "another password"), ("again", "another password")];
    for _ in 0..6 {
        let guess = pau.post("/account/password", &[("current", "guess"), new[0], new[1]]).await;
        assert!(guess.has("not your current password"));
    }
    let right = pau.post("/account/password", &[("current", PASSWORD), new[0], new[1]]).await;
    assert!(right.has("Too many attempts"));
}

async fn rosters_are_read_to_the_fiftieth_mistake(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let answer = laia.upload("/people/import", "roster.csv", "x\n".repeat(1_000_000).as_bytes()).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(answer.text.matches("Line ").count(), 50);
    let crowd: String = (0..6000).map(|k| format!("A,a{k}@x.edu\n")).collect();
    assert!(laia.upload("/people/import", "roster.csv", crowd.as_bytes()).await.has("at most 5000 people"));
}

async fn uploads_may_have_many_parts(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let token = pau.token().await;
    let mut body = format!("--B\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n{token}\r\n");
    for k in 0..20_000 {
        body.push_str(&format!("--B\r\nContent-Disposition: form-data; name=\"f{k}\"; filename=\"{k}\"\r\n\r\nx\r\n"));
    }
    for end in ["--B--\r\n", "", "--B\r\nContent-Disposition: form-data; name=\"text"] {
        let request = Request::post("/seasons/open/submit")
            .header(header::CONTENT_TYPE, "multipart/form-data; boundary=B")
            .body(Body::from(format!("{body}{end}")))
            .unwrap();
        assert!(pau.send(request).await.status.is_client_error(), "{end}");
    }
}

async fn forms_have_few_fields(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let token = laia.token().await;
    for (fields, status) in [(150, StatusCode::SEE_OTHER), (300_000, StatusCode::BAD_REQUEST)] {
        let body = format!("csrf={token}&title=Course&{}", "a=&".repeat(fields));
        let request = Request::post("/course")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(body))
            .unwrap();
        assert_eq!(laia.send(request).await.status, status, "{fields}");
    }
}

async fn large_files_get_their_answer(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let mut laia = court.visitor("laia", Role::Instructor).await;
    for (kib, status, words) in [
        (1800, StatusCode::UNPROCESSABLE_ENTITY, "larger than 64 KiB"),
        (2100, StatusCode::UNPROCESSABLE_ENTITY, "larger than 64 KiB"),
        (2900, StatusCode::UNPROCESSABLE_ENTITY, "larger than 64 KiB"),
        (3200, StatusCode::PAYLOAD_TOO_LARGE, "far too large"),
    ] {
        let content = vec![b'/'; kib << 10];
        for file_name in ["AIx.cc", ""] {
            let answer = pau.upload("/seasons/open/submit", file_name, &content).await;
            assert!(answer.status == status && answer.has(words), "{kib} KiB {file_name}: {}", answer.status);
        }
    }
    let roster: String = (0..70_000).map(|k| format!("Somebody {k},somebody{k}@example.edu\n")).collect();
    assert!(roster.len() > 2 << 20);
    assert!(laia.upload("/people/import", "roster.csv", roster.as_bytes()).await.has("at most 5000 people"));
}

async fn links_never_come_from_the_host_header(mut court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let token = laia.token().await;
    let pages = async |laia: &mut Browser, email: &str| {
        let form = |path: &str, fields: &str| {
            let body = Body::from(format!("csrf={token}&{fields}"));
            let request = Request::post(path).header(header::HOST, "evil.example");
            request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(body).unwrap()
        };
        let invited = laia.send(form("/people/invite", &format!("name=Eva&email={email}&role=student"))).await;
        let link = laia.send(form("/people/1/link", "")).await;
        let home = laia.send(Request::get("/").header(header::HOST, "evil.example").body(Body::empty()).unwrap()).await;
        for answer in [&invited, &link, &home] {
            assert!(answer.status == StatusCode::OK && !answer.has("evil.example"), "{}", answer.text);
            assert!(!format!("{:?}", answer.headers).contains("evil.example"));
        }
        (invited.text, link.text)
    };
    let (invited, link) = pages(&mut laia, "a%40x.edu").await;
    assert!(invited.contains("value=\"/link/") && link.contains("value=\"/link/"), "the browser knows the rest");
    court.set(|settings| settings.public_url = Some("https://ludus.example.edu".to_owned()));
    let mut laia = court.visiting(&laia);
    let (invited, link) = pages(&mut laia, "b%40x.edu").await;
    for text in [invited, link] {
        assert!(text.contains("value=\"https://ludus.example.edu/link/"), "{text}");
    }
    for (origin, expected) in [
        ("https://ludus.example.edu", StatusCode::SEE_OTHER),
        ("https://evil.example", StatusCode::FORBIDDEN),
        ("null", StatusCode::FORBIDDEN),
    ] {
        let request = Request::post("/language")
            .header(header::HOST, "evil.example")
            .header(header::ORIGIN, origin)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(format!("csrf={token}&language=en&next=/")))
            .unwrap();
        assert_eq!(laia.send(request).await.status, expected, "{origin}");
    }
}

async fn addresses_are_never_trusted(court: Court) {
    court.add_person("pau", Role::Student).await;
    for next in
        ["//elsewhere.org", "https://elsewhere.org", "/\\elsewhere.org", "/\t/elsewhere.org", "/a\r\nSet-Cookie: x=y"]
    {
        let mut pau = court.browser();
        let fields = [("email", "pau@x.edu"), ("password", PASSWORD), ("next", next)];
        assert_eq!(pau.post("/sign-in", &fields).await.location, "/", "{next:?}");
        assert_eq!(pau.post("/language", &[("language", "ca"), ("next", next)]).await.location, "/", "{next:?}");
    }
    let mut guest = court.browser();
    for path in [
        "/submissions/\u{7f}",
        "/submissions/1&next=//elsewhere.org",
        "/people/\u{e9}",
        "/matches/1%0d%0aX:y",
        "//elsewhere.org",
        "/submissions/../people",
    ] {
        let Ok(request) = Request::get(path).body(Body::empty()) else { continue };
        let answer = guest.send(request).await;
        assert!(!answer.status.is_server_error(), "{path}: {}", answer.status);
        assert!(
            answer.location.is_empty() || answer.location.starts_with("/sign-in?next=/"),
            "{path}: {}",
            answer.location
        );
    }
}

async fn a_session_is_never_chosen_by_others(court: Court) {
    court.add_person("pau", Role::Student).await;
    let chosen = "0".repeat(64);
    let mut pau: Browser = court.browser();
    pau.cookies.insert("ludus_session".to_owned(), chosen.clone());
    let guest = pau.token().await;
    assert_eq!(pau.sign_in("pau", PASSWORD).await.status, StatusCode::SEE_OTHER);
    assert_ne!(pau.cookies["ludus_session"], chosen);
    assert_ne!(pau.token().await, guest, "the token of before signing in is worth nothing after");
    let mut thief = court.browser();
    thief.cookies.insert("ludus_session".to_owned(), chosen);
    assert_eq!(thief.get("/account").await.status, StatusCode::SEE_OTHER);
    let kept = pau.clone();
    pau.post("/sign-out", &[]).await;
    assert_eq!(kept.clone().get("/account").await.status, StatusCode::SEE_OTHER, "the server has forgotten it too");
}

async fn configs_are_bounded(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    for game in ludus_games::GAMES {
        let about = game.about();
        let numbers: Vec<String> = ["2000000000", "-1", "99999999999999999999"]
            .iter()
            .map(|huge| {
                let words = about.default_config.split(' ').map(|word| {
                    let (number, rest) = word.split_at(word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len()));
                    if number.is_empty() { word.to_owned() } else { format!("{huge}{rest}") }
                });
                words.collect::<Vec<_>>().join(" ")
            })
            .collect();
        for config in numbers.iter().map(String::as_str).chain(["\u{1f41c}", &"9 ".repeat(500_000)]) {
            let answer = laia
                .post(
                    "/seasons/new",
                    &[
                        ("title", "X"),
                        ("game", about.id),
                        ("opens", "2026-01-01T00:00"),
                        ("deadline", "2026-02-01T00:00"),
                        ("official", "2026-03-01T00:00"),
                        ("memory", "64"),
                        ("source", "100"),
                        ("config", config),
                    ],
                )
                .await;
            assert_eq!(
                answer.status,
                StatusCode::UNPROCESSABLE_ENTITY,
                "{}: {}",
                about.id,
                &config[..config.len().min(200)]
            );
        }
    }
}

async fn writers_wait_for_each_other(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let held = court.site.database.begin().await.unwrap();
    let mut waiting = tokio::spawn(async move { pau.submit("open", &named(GOOD, "Patient")).await });
    let early = tokio::time::timeout(std::time::Duration::from_millis(50), &mut waiting).await.ok();
    held.rollback().await.unwrap();
    let page = match early {
        Some(done) => done.unwrap(),
        None => waiting.await.unwrap(),
    };
    assert!(page.starts_with("/submissions/"), "{page}");
}

async fn one_student_cannot_fill_the_queue(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    for k in 0..Quota::default().undecided {
        pau.submit("open", &format!("#define PLAYER_NAME P{k}\n")).await;
    }
    let more = pau.upload("/seasons/open/submit", "AIx.cc", b"#define PLAYER_NAME More\n").await;
    assert_eq!(more.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(more.has("still waiting"));
    let mut ana = court.visitor("ana", Role::Student).await;
    ana.submit("open", "#define PLAYER_NAME Ana\n").await;
}

async fn floods_and_bombs_get_verdicts(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let flood = doing("Flood", "if (round() < 3) for (int k = 0; k < 200000; ++k) cerr << \"0123456789\";");
    let bomb = doing("Bomb", "static const int bomb[400000000] = {1}; cerr << bomb[round()];");
    // Its last words are a name of 24 lists within each other.
    let name = (0..24).fold("i".to_owned(), |inner, _| format!("T_I{inner}IEE"));
    let words = format!("terminate called after throwing an instance of 'N1acv{name}IiEE'");
    let riddle = doing("Riddle", &format!("cerr << \"{words}\" << endl; abort();"));
    let mut pages = Vec::new();
    for source in [&flood, &bomb, &riddle] {
        pages.push(pau.submit("open", source).await);
    }
    court.work().await;
    for page in &pages {
        let verdict = pau.get(page).await;
        assert!(verdict.has("<h2>Rejected</h2>"), "{}", verdict.text);
    }
    let output = pau.get("/matches/1/output/0").await;
    assert!(output.text.len() > 1000 && output.text.len() <= (1 << 20) + 200, "{}", output.text.len());
    let decided = cause(&pau.get(&pages[2]).await.text);
    let told = pau.get(&format!("{decided}/output/0")).await;
    assert!(told.has("died in round 0: uncaught exception N1acvT_IT_I"), "{decided} tells no exception");
    let mut ana = court.visitor("ana", Role::Student).await;
    let honest = ana.submit("open", &named(GOOD, "Honest")).await;
    court.work().await;
    assert!(ana.get(&honest).await.has("<h2>Accepted</h2>"), "nobody else waits");
    for path in ["", "/viewer.html", "/scene.json", "/record.txt", "/replay.ludus", "/output/0", "/output.json"] {
        assert_eq!(ana.get(&format!("/matches/1{path}")).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    for path in ["", "/source", "/source.txt", "/events"] {
        assert_eq!(ana.get(&format!("{}{path}", pages[0])).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}
