//! News in three languages, incidents with their banner, the state of the judge.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;

use crate::harness::Court;
use crate::verdicts::{GOOD, named};
use crate::{on_both, on_sqlite};

on_both!(news_are_read_in_ones_language);

on_sqlite!(
    an_incident_is_on_every_page_until_it_is_over,
    only_instructors_write,
    the_feed_is_xml,
    the_state_of_the_judge_is_for_everybody,
    links_of_the_course_are_on_every_page
);

const POST: [(&str, &str); 5] = [
    ("kind", "news"),
    ("title-en", "Deadline moved"),
    ("title-ca", "Nou termini"),
    ("text-en", "To **Friday**.\n\n<script>alert(1)</script>\n\n[x](javascript:alert(2))"),
    ("text-ca", "Fins **divendres**."),
];

async fn news_are_read_in_ones_language(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let mut nobody = court.browser();
    assert!(nobody.get("/news").await.has("Nothing new"));
    let added = laia.post("/news", &POST).await;
    assert_eq!(added.status, StatusCode::SEE_OTHER, "{}", added.text);
    let page = nobody.get(&added.location).await;
    assert!(page.has("<strong>Friday</strong>") && page.has("Deadline moved"), "{}", page.text);
    assert!(!page.has("<script>alert") && !page.has("=\"javascript:"), "{}", page.text);
    nobody.post("/language", &[("language", "ca"), ("next", "/news")]).await;
    assert!(nobody.get("/news").await.has("<strong>divendres</strong>"));
    // What is not there in Spanish is shown in another language.
    nobody.post("/language", &[("language", "es"), ("next", "/news")]).await;
    assert!(nobody.get("/news").await.has("Deadline moved"));
    let changed = laia.post(&added.location, &[("title-es", "Nuevo plazo"), ("text-es", "Hasta el viernes.")]).await;
    assert_eq!(changed.status, StatusCode::SEE_OTHER);
    assert!(nobody.get(&added.location).await.has("Hasta el viernes."));
    assert!(laia.get("/actions").await.has("News published") && laia.get("/actions").await.has("News changed"));
}

async fn an_incident_is_on_every_page_until_it_is_over(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let mut pau = court.visitor("pau", Role::Student).await;
    let mut nobody = court.browser();
    let added = laia.post("/news", &[("kind", "incident"), ("title-en", "No <b>Rust</b> today")]).await;
    for browser in [&mut laia, &mut pau, &mut nobody] {
        for path in ["/", "/news", "/status", "/nothing-here"] {
            assert!(browser.get(path).await.has("No &lt;b&gt;Rust&lt;/b&gt; today"), "{path}");
        }
    }
    let status = nobody.get("/status").await;
    assert!(status.has("class=\"badge rejected\"") && !status.has("Everything works"), "{}", status.text);
    let end = format!("{}/end", added.location);
    assert_eq!(laia.post(&end, &[]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(laia.post(&end, &[]).await.status, StatusCode::SEE_OTHER, "once more changes nothing");
    assert!(!pau.get("/").await.has("today") && nobody.get("/status").await.has("Everything works"));
    assert!(nobody.get("/status").await.has("today") && nobody.get("/status").await.has("class=\"badge accepted\""));
    let logged = laia.get("/actions").await.text.matches("Incident ended").count();
    assert_eq!(logged, 2, "once in the log, and once among the choices of its filter");
}

async fn only_instructors_write(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let mut laia = court.visitor("laia", Role::Instructor).await;
    for path in ["/news", "/news/1", "/news/1/end"] {
        assert_eq!(pau.post(path, &POST).await.status, StatusCode::FORBIDDEN, "{path}");
        assert_ne!(court.browser().post(path, &POST).await.status, StatusCode::OK, "{path}");
    }
    for path in ["/news/new", "/news/1/edit"] {
        assert_eq!(pau.get(path).await.status, StatusCode::FORBIDDEN, "{path}");
    }
    for (fields, why) in [
        (vec![("kind", "news"), ("text-en", "no title")], "A title is missing"),
        (vec![("title-en", "x".repeat(121).leak() as &str)], "at most 120"),
        (vec![("title-en", "x"), ("text-es", "x".repeat(20_001).leak() as &str)], "at most 120"),
    ] {
        let refused = laia.post("/news", &fields).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(refused.has(why), "{why}");
    }
    assert_eq!(laia.post("/news/7", &POST).await.status, StatusCode::NOT_FOUND);
    assert!(laia.get("/news").await.has("Nothing new"), "what is refused leaves nothing");
}

async fn the_feed_is_xml(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    laia.post(
        "/news",
        &[("kind", "news"), ("title-en", "A & B < C"), ("text-en", "a\n\n---\n\n![x](y) **b** \u{1}\u{fffe}")],
    )
    .await;
    laia.post("/news", &POST).await;
    let feed = court.browser().get("/news.atom?language=ca").await;
    assert!(feed.headers.get("set-cookie").is_none(), "caches keep it for everybody");
    assert_eq!(feed.headers["content-type"], "application/atom+xml; charset=utf-8");
    assert!(feed.has("A &amp; B &lt; C") && feed.has("Nou termini"), "{}", feed.text);
    check_xml(&feed.text);
}

/// Whether every element that begins ends, in order, and nothing is there that XML forbids.
fn check_xml(text: &str) {
    let mut open = Vec::new();
    assert!(!text.chars().any(|c| c.is_control() && !"\n\r\t".contains(c) || c == '\u{fffe}' || c == '\u{ffff}'));
    for tag in text.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
        match tag {
            tag if tag.starts_with('?') || tag.ends_with('/') => {}
            tag if tag.starts_with('/') => assert_eq!(open.pop(), Some(&tag[1..]), "{text}"),
            tag => open.push(tag.split(' ').next().unwrap()),
        }
    }
    assert!(open.is_empty(), "{open:?}: {text}");
}

async fn the_state_of_the_judge_is_for_everybody(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let mut nobody = court.browser();
    let idle = nobody.get("/status").await;
    assert!(idle.status == StatusCode::OK && idle.has("No verdict yet to tell from"), "{}", idle.text);
    pau.submit("open", &named(GOOD, "Slow")).await;
    let busy = nobody.get("/status").await;
    assert!(busy.has("verification</td><td class=\"number\">1</td>"), "{}", busy.text);
    assert!(!busy.has("pau"), "it tells of nobody");
    sqlx::query("UPDATE submissions SET stage = 'rejected', decided_at = created_at + 4200")
        .execute(court.site.database.write())
        .await
        .unwrap();
    assert!(nobody.get("/status").await.has("5 s"));
}

async fn links_of_the_course_are_on_every_page(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let save = |links: &'static str| [("title", "Course"), ("words", ""), ("names", "signed-in"), ("links", links)];
    let saved = laia
        .post("/course", &save("Forum | https://forum.example.edu/\r\n\r\nGuide|https://x.edu/g?a=1&b=2\r\n"))
        .await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.text);
    for path in ["/", "/news", "/nothing-here"] {
        let page = court.browser().get(path).await;
        assert!(page.has("href=\"https://forum.example.edu/\"") && page.has(">Guide</a>"), "{path}: {}", page.text);
    }
    for wrong in ["Forum", "Forum | javascript:alert(1)", "Forum | ftp://x.edu/"] {
        let refused =
            laia.post("/course", &[("title", "Other"), ("words", ""), ("names", "signed-in"), ("links", wrong)]).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
    let page = laia.get("/course").await;
    assert!(
        page.has("Forum | https://forum.example.edu/") && page.has("value=\"Course\""),
        "what is refused changes nothing"
    );
}
