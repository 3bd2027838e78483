//! Who sees what: sources, what players write, matches, pages of instructors.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;

use crate::harness::{Browser, Court};
use crate::on_sqlite;
use crate::verdicts::{GOOD, named};

on_sqlite!(
    shared_links_show_matches_only,
    sources_and_output_are_private,
    a_source_comes_back_into_the_form_of_its_author,
    instructors_pages_are_theirs
);

/// A good player that writes something down.
fn talkative() -> String {
    let source = named(GOOD, "Talker");
    let at = source.find("void play() {").unwrap() + "void play() {".len();
    format!("{} cerr << \"my secret plan\" << endl; {}", &source[..at], &source[at..])
}

async fn verified(court: &Court) -> (Browser, String) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let page = pau.submit("open", &talkative()).await;
    court.work().await;
    let verdict = pau.get(&page).await;
    assert!(verdict.has("<h2>Accepted</h2>"), "{}", verdict.text);
    (pau, page)
}

async fn sources_and_output_are_private(court: Court) {
    let (pau, page) = verified(&court).await;
    let laia = court.visitor("laia", Role::Instructor).await;
    let ana = court.visitor("ana", Role::Student).await;
    let eva = court.visitor("eva", Role::Spectator).await;
    let outputs = ["/matches/1/output/0", "/matches/1/output.json"].map(str::to_owned);
    let [text, rounds] = outputs.clone();
    let private = [page.clone(), format!("{page}/source"), format!("{page}/events"), text, rounds];
    for (mut browser, sees) in [(pau, true), (laia, true), (ana, false), (eva, false)] {
        for path in &private {
            let answer = browser.get(path).await;
            let expected = if sees { StatusCode::OK } else { StatusCode::NOT_FOUND };
            assert_eq!(answer.status, expected, "{path}");
            assert!(sees || !answer.has("secret plan"), "{path}");
        }
        let match_page = browser.get("/matches/1").await;
        assert_eq!(match_page.status, StatusCode::OK, "matches of accepted players are everybody's");
        assert!(outputs.iter().all(|output| match_page.has(output) == sees));
        assert!(!sees || browser.get(&outputs[1]).await.has(r#"{"round":3,"text":"my secret plan\n"}"#));
        assert_eq!(browser.get("/submissions").await.has("Talker"), sees);
    }
    let mut nobody = court.browser();
    for path in
        private.iter().map(String::as_str).chain(["/matches/1", "/matches", "/submissions", "/matches/1/scene.json"])
    {
        assert_eq!(nobody.get(path).await.status, StatusCode::SEE_OTHER, "{path}");
    }
    assert_eq!(court.browser().get("/matches/1/output/0").await.status, StatusCode::SEE_OTHER);
}

/// Whoever was rejected goes on with the same source; nobody else gets it.
async fn a_source_comes_back_into_the_form_of_its_author(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let page = pau.submit("open", &talkative().replace("void play() {", "void play() { mistake;")).await;
    court.work().await;
    let again = format!("/seasons/open/submit?from={}", page.rsplit('/').next().unwrap());
    assert!(pau.get(&page).await.has(&again));
    let form = pau.get(&again).await;
    assert!(form.has("my secret plan") && form.has("undeclared identifier"), "{}", form.text);
    for (name, role) in [("laia", Role::Instructor), ("ana", Role::Student)] {
        let other = court.visitor(name, role).await.get(&again).await;
        assert!(other.status == StatusCode::NOT_FOUND && !other.has("secret plan"), "{name}");
    }
}

async fn shared_links_show_matches_only(court: Court) {
    let (mut pau, _) = verified(&court).await;
    let page = pau.get("/matches/2").await;
    assert!(!page.has("judge.test"), "whatever the request calls the site");
    let share = format!("/watch/{}", page.text.split("/watch/").nth(1).unwrap().split('"').next().unwrap());
    let mut nobody = court.browser();
    let shared = nobody.get(&share).await;
    assert!(
        shared.status == StatusCode::OK
            && shared.has("Talker")
            && !shared.has("/output")
            && !shared.has("/submissions/")
    );
    assert_eq!(nobody.get(&format!("{share}/scene.json")).await.status, StatusCode::OK);
    assert_eq!(nobody.get(&format!("{share}/output")).await.status, StatusCode::NOT_FOUND);
    assert_eq!(nobody.get("/watch/0000000000").await.status, StatusCode::NOT_FOUND);
}

async fn instructors_pages_are_theirs(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let mut pau = court.visitor("pau", Role::Student).await;
    let mut eva = court.visitor("eva", Role::Spectator).await;
    for path in [
        "/people",
        "/people/import",
        "/people/invite",
        "/people/1",
        "/course",
        "/actions",
        "/workshop",
        "/seasons/new",
        "/seasons/open/edit",
    ] {
        assert_eq!(laia.get(path).await.status, StatusCode::OK, "{path}");
        for browser in [&mut pau, &mut eva] {
            assert_eq!(browser.get(path).await.status, StatusCode::FORBIDDEN, "{path}");
        }
        assert_eq!(court.browser().get(path).await.status, StatusCode::SEE_OTHER, "{path}");
    }
    for path in [
        "/people/1/link",
        "/people/1/lock",
        "/people/1/role",
        "/people/1/exceptions",
        "/people/1/exceptions/withdraw",
        "/submissions/1/retire",
        "/submissions/1/restore",
        "/people/invite",
        "/course",
        "/workshop/1/retry",
        "/seasons/new",
        "/seasons/open/edit",
    ] {
        let answer = pau.post(path, &[("role", "instructor"), ("locked", "1")]).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
    }
}
