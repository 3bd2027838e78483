//! What pages show, word for word, in `snapshots/`: headings, texts, tables,
//! links and forms, without times and secrets. `INSTA_UPDATE=always ./test judge`
//! writes them anew; read what has changed. One database is enough for words.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::matches::Purpose;
use ludus_judge::worker;

use crate::cup::Cup;
use crate::harness::{Answer, Browser, Court, Kind};
use crate::ladder::with_public;
use crate::verdicts::{GOOD, doing, named};
use crate::visibility::played;

/// Pages of somebody, one after the other, each no longer than some lines.
async fn check(name: &str, browser: &mut Browser, pages: &[&str]) {
    let mut shown = String::new();
    for page in pages {
        let answer = browser.get(page).await;
        assert_eq!(answer.status, StatusCode::OK, "{page}: {}", answer.text);
        shown += &format!("=== {page}\n{}\n", outline(&answer));
    }
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, shown);
    });
}

/// A page as a text: what stands in its main part, a line for each block.
fn outline(answer: &Answer) -> String {
    const LONGEST: usize = 120;
    let main =
        answer.text.split_once("<main").and_then(|(_, rest)| rest.rsplit_once("</main>")).expect("a main part").0;
    let main = main.split_once('>').expect("the end of a tag").1;
    let (mut text, mut link) = (String::new(), String::new());
    // Inside of such an element nothing is shown, or another word instead.
    let mut hidden: Option<&str> = None;
    for piece in main.split('<') {
        let (tag, words) = piece.split_once('>').unwrap_or(("", piece));
        let name = tag.split([' ', '\n']).next().unwrap_or_default();
        match (hidden, name) {
            (Some(outer), name) if name.strip_prefix('/') == Some(outer) => hidden = None,
            (Some(_), _) => continue,
            (None, "svg" | "script" | "style") => hidden = Some(name),
            (None, "time") => {
                text += "(time)";
                hidden = Some(name);
            }
            (None, "a") => {
                link = redacted(value(tag, "href").unwrap_or_default());
                text += "[";
            }
            (None, "/a") => text += &format!("]({link}) "),
            (None, _) => text += &mark(name, tag),
        }
        if hidden.is_none() {
            text += words;
        }
    }
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines: Vec<String> = lines.filter(|line| !line.is_empty() && line != "|").map(|line| unescape(&line)).collect();
    let rest = lines.len().saturating_sub(LONGEST);
    let cut = if rest > 0 { format!("\n({rest} more lines)") } else { String::new() };
    lines.iter().take(LONGEST).cloned().collect::<Vec<_>>().join("\n") + &cut
}

/// The value of an attribute.
fn value<'a>(tag: &'a str, of: &str) -> Option<&'a str> {
    tag.split_once(&format!(" {of}=\"")).and_then(|(_, rest)| rest.split('"').next())
}

/// What stands for a tag.
fn mark(name: &str, tag: &str) -> String {
    let value = |of| value(tag, of);
    match name {
        "h1" => "\n# ".to_owned(),
        "h2" => "\n## ".to_owned(),
        "h3" | "summary" => "\n### ".to_owned(),
        "li" | "dt" => "\n- ".to_owned(),
        "dd" => ": ".to_owned(),
        "td" | "th" => " | ".to_owned(),
        "button" => "[button ".to_owned(),
        "/button" => "] ".to_owned(),
        "form" => format!("\nform {} ", redacted(value("action").unwrap_or_default())),
        "input" if value("name") == Some("csrf") => String::new(),
        "input" | "select" | "textarea" => format!(
            "<{} {}{}> ",
            value("type").unwrap_or(name),
            value("name").unwrap_or_default(),
            value("value")
                .filter(|value| !value.is_empty())
                .map(|value| format!("={}", redacted(value)))
                .unwrap_or_default(),
        ),
        "option" => " / ".to_owned(),
        "p" | "div" | "section" | "article" | "tr" | "table" | "ul" | "ol" | "dl" | "label" | "pre" | "br" | "nav"
        | "header" | "footer" | "fieldset" | "/p" | "/div" | "/h1" | "/h2" | "/h3" | "/form" | "/label" => {
            "\n".to_owned()
        }
        _ => " ".to_owned(),
    }
}

/// A value without what differs from run to run: times, and long numbers of random
/// digits.
fn redacted(value: &str) -> String {
    let is_time = |part: &str| part.len() == 16 && part.as_bytes()[10] == b'T';
    let is_random = |part: &str| part.len() >= 16 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let parts = value.split('/').map(|part| if is_time(part) || is_random(part) { "…" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stranger() {
    let court = Court::new(Kind::Sqlite).await;
    played(&court, Purpose::Official, None).await;
    let pages = ["/", "/seasons/open", "/seasons/open/rules", "/sign-in"];
    check("stranger", &mut court.browser(), &pages).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_student() {
    let court = Court::new(Kind::Sqlite).await;
    let mut pau = court.visitor("pau", Role::Student).await;
    check("student-begins", &mut pau, &["/", "/seasons/open/submit", "/submissions", "/account"]).await;
    let accepted = pau.submit("open", &named(GOOD, "Winner")).await;
    check("student-waits", &mut pau, &[&accepted]).await;
    let rejected = pau.submit("open", &doing("Wrong", "this does not compile;")).await;
    // The lot would decide what the matches are.
    sqlx::query("UPDATE submissions SET seed = 1").execute(court.site.database.write()).await.unwrap();
    court.work().await;
    check("student-verdicts", &mut pau, &[&accepted, &rejected, "/submissions", "/matches/1"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_and_the_ladder() {
    let cup = with_public(Court::new(Kind::Sqlite).await, 5).await;
    cup.court.site.steward().turn().await.unwrap();
    let mut guest = cup.court.browser();
    check("ladder", &mut guest, &["/seasons/cup/ladder"]).await;
    let cup = Cup::new(Court::new(Kind::Sqlite).await, 5).await;
    cup.start_with(Some([7; 32])).await;
    worker::until_idle(&cup.environment()).await;
    let mut guest = cup.court.browser();
    check("round", &mut guest, &["/seasons/cup", "/seasons/cup/rounds", "/seasons/cup/rounds/1"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instructor() {
    let court = Court::new(Kind::Sqlite).await;
    let mut laia = court.visitor("laia", Role::Instructor).await;
    check("instructor", &mut laia, &["/", "/desk", "/people", "/seasons/new", "/course"]).await;
}
