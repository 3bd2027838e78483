//! One link for a group, with letters and without.

use std::time::Duration;

use axum::http::StatusCode;
use ludus_judge::accounts::Role;

use crate::harness::{Browser, Court, PASSWORD, until};
use crate::letters::{MailServer, connect, deliver, link};
use crate::{on_both, on_sqlite};

on_both!(a_letter_proves_who_joins, claims_cost_nobody_a_link);

on_sqlite!(
    links_of_groups_can_be_ended,
    nobody_claims_an_instructor,
    without_letters_the_first_who_comes_is_seen,
    addresses_cannot_be_tried_quickly,
    links_come_as_a_file
);

const ROSTER: &[u8] = b"Marta,marta@upc.edu,G1\nPau,pau@upc.edu,G1\nAna,ana@upc.edu,G2\n";

/// The roster, and the link of G1.
pub async fn invited(court: &Court) -> (Browser, String) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    laia.upload("/people/import", "", ROSTER).await;
    let made = laia.post("/people/groups/link", &[("group", "G1")]).await;
    let token = made.text.split("/join/").nth(1).expect("a link").split('"').next().unwrap().to_owned();
    (laia, format!("/join/{token}"))
}

/// Somebody who has taken an account behind the link of its group.
pub async fn claimed(court: &Court, join: &str, email: &str) -> Browser {
    let mut browser = court.browser();
    let taken = browser.post(join, &[("email", email)]).await;
    assert!(taken.location.starts_with("/link/"), "{}", taken.text);
    assert_eq!(browser.post(&taken.location, &PASSWORDS).await.location, "/?said=welcome");
    browser
}

async fn id_of(court: &Court, email: &str) -> i64 {
    let id = sqlx::query_scalar("SELECT id FROM accounts WHERE email = $1").bind(email.to_owned());
    id.fetch_one(court.site.database.read()).await.unwrap()
}

const PASSWORDS: [(&str, &str); 2] = [("password", PASSWORD), ("again", PASSWORD)];

async fn a_letter_proves_who_joins(mut court: Court) {
    let server = MailServer::start(&[]);
    connect(&mut court, &server, "");
    let (_, join) = invited(&court).await;
    let mut thief = court.browser();
    assert!(thief.get(&join).await.has("group G1"));
    let mut answers = Vec::new();
    for email in ["marta@upc.edu", "ana@upc.edu", "laia@x.edu", "nobody@upc.edu"] {
        let answer = thief.post(&join, &[("email", email)]).await;
        assert_eq!(answer.status, StatusCode::OK);
        answers.push(answer.text.split("name=\"csrf\"").next().unwrap().to_owned());
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "nobody learns who is on the list");
    until("letters are still written", async || court.site.gates.letters.is_empty()).await;
    deliver(&court).await;
    let letters = server.letters();
    assert_eq!(letters.len(), 1, "only members of the group get one");
    assert!(letters[0].starts_with("X-Recipients: marta@upc.edu"));
    assert_eq!(court.browser().post(&link(&letters[0]), &PASSWORDS).await.location, "/?said=welcome");
    thief.post(&join, &[("email", "marta@upc.edu")]).await;
    until("letters are still written", async || court.site.gates.letters.is_empty()).await;
    deliver(&court).await;
    assert_eq!(server.letters().len(), 1, "who has come needs none");
}

async fn without_letters_the_first_who_comes_is_seen(court: Court) {
    let (mut laia, join) = invited(&court).await;
    let mut first = claimed(&court, &join, " Marta@upc.edu ").await;
    for email in ["marta@upc.edu", "ana@upc.edu", "laia@x.edu", "nobody@upc.edu"] {
        let refused = court.browser().post(&join, &[("email", email)]).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{email}");
        assert!(refused.has("No account of this group waits for this address"), "{email}");
    }
    // The instructor sees it, and gives the account back to its owner.
    let people = laia.get("/people?text=marta").await;
    assert!(people.has("by the group&#39;s link") || people.has("by the group's link"), "{}", people.text);
    assert!(laia.get("/actions").await.has("Account taken by the link of a group"));
    let id = id_of(&court, "marta@upc.edu").await;
    assert!(laia.get(&format!("/people/{id}")).await.has("Somebody took this account"));
    let made = laia.post(&format!("/people/{id}/link"), &[]).await;
    let fresh = format!("/link/{}", made.text.split("/link/").nth(1).unwrap().split('"').next().unwrap());
    assert_eq!(first.get("/account").await.status, StatusCode::SEE_OTHER, "the other is out at once");
    let typed = [("email", "marta@upc.edu"), ("password", PASSWORD)];
    assert_eq!(first.post("/sign-in", &typed).await.status, StatusCode::UNPROCESSABLE_ENTITY, "for good");
    let mut marta = court.browser();
    let own = [("password", "my own password"), ("again", "my own password")];
    assert_eq!(marta.post(&fresh, &own).await.location, "/?said=welcome");
    assert!(!laia.get(&format!("/people/{id}")).await.has("Somebody took this account"));
}

async fn addresses_cannot_be_tried_quickly(court: Court) {
    let (_, join) = invited(&court).await;
    let mut thief = court.browser();
    for _ in 0..40 {
        let again = thief.post(&join, &[("email", "pau@upc.edu")]).await;
        assert!(again.location.starts_with("/link/"), "a classroom that knows its addresses is not slowed down");
    }
    for k in 0..31 {
        let answer = thief.post(&join, &[("email", &format!("a{k}@upc.edu"))]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_eq!(thief.post(&join, &[("email", "marta@upc.edu")]).await.status, StatusCode::TOO_MANY_REQUESTS);
    court.site.throttle.pass(Duration::from_secs(2));
    let taken = thief.post(&join, &[("email", "marta@upc.edu")]).await;
    assert!(taken.location.starts_with("/link/"), "the door stays open");
}

async fn claims_cost_nobody_a_link(court: Court) {
    let (mut laia, join) = invited(&court).await;
    let file = laia.post("/people/links", &[("group", "=G1")]).await;
    let line = file.text.lines().find(|line| line.contains("marta@upc.edu")).unwrap();
    let handed_out = format!("/link/{}", line.split("/link/").nth(1).unwrap().trim_end_matches('"'));
    let mut thief = court.browser();
    let mut links = Vec::new();
    for _ in 0..6 {
        links.push(thief.post(&join, &[("email", "marta@upc.edu")]).await.location);
    }
    let last = links.pop().unwrap();
    for earlier in &links {
        assert_eq!(thief.get(earlier).await.status, StatusCode::GONE, "one link of a claim is enough");
    }
    assert_eq!(thief.get(&last).await.status, StatusCode::OK);
    assert_eq!(court.browser().get(&handed_out).await.status, StatusCode::OK, "what was handed out works");
    let told = sqlx::query_scalar("SELECT COUNT(*) FROM actions WHERE action = 'claim-account'");
    let told: i64 = told.fetch_one(court.site.database.read()).await.unwrap();
    assert_eq!(told, 1, "what is done again is not told again");
    for k in 0..40 {
        thief.post(&join, &[("email", &format!("a{k}@upc.edu"))]).await;
        thief.post(&join, &[("email", "marta@upc.edu")]).await;
    }
    let guess = thief.post(&join, &[("email", "pau@upc.edu")]).await;
    assert_eq!(guess.status, StatusCode::TOO_MANY_REQUESTS, "a claim forgives no guesses");
}

async fn nobody_claims_an_instructor(court: Court) {
    let (mut laia, join) = invited(&court).await;
    let mut thief = claimed(&court, &join, "marta@upc.edu").await;
    let pending = court.browser().post(&join, &[("email", "pau@upc.edu")]).await.location;
    for email in ["marta@upc.edu", "pau@upc.edu"] {
        let id = id_of(&court, email).await;
        laia.post(&format!("/people/{id}/role"), &[("role", "instructor")]).await;
    }
    assert_eq!(thief.get("/people").await.status, StatusCode::SEE_OTHER, "the claimant is out");
    assert_eq!(court.browser().get(&pending).await.status, StatusCode::GONE);
}

async fn links_of_groups_can_be_ended(court: Court) {
    let (mut laia, join) = invited(&court).await;
    assert_eq!(court.browser().get(&join).await.status, StatusCode::OK);
    let (second, again) = {
        let made = laia.post("/people/groups/link", &[("group", "G1")]).await;
        let token = made.text.split("/join/").nth(1).unwrap().split('"').next().unwrap().to_owned();
        (made.status, format!("/join/{token}"))
    };
    assert_eq!(second, StatusCode::OK);
    assert_eq!(court.browser().get(&join).await.status, StatusCode::GONE, "a new one ends the one before");
    assert_eq!(laia.post("/people/groups/revoke", &[("group", "G1")]).await.location, "/people/groups?said=saved");
    assert_eq!(court.browser().get(&again).await.status, StatusCode::GONE);
    assert_eq!(court.browser().post(&again, &[("email", "marta@upc.edu")]).await.status, StatusCode::GONE);
    assert_eq!(laia.post("/people/groups/link", &[("group", "G9")]).await.status, StatusCode::NOT_FOUND);
    let log = laia.get("/actions").await;
    assert!(log.has("Link of a group made") && log.has("Link of a group ended"));
    let token = again.trim_start_matches("/join/");
    let kept: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM group_links WHERE token = $1")
        .bind(token)
        .fetch_one(court.site.database.read())
        .await
        .unwrap();
    assert_eq!(kept, 0, "tokens are kept as hashes only");
}

async fn links_come_as_a_file(court: Court) {
    let (mut laia, _) = invited(&court).await;
    court.add_person("here", Role::Student).await;
    sqlx::query("UPDATE accounts SET name = '=HYPERLINK(1)' WHERE email = 'ana@upc.edu'")
        .execute(court.site.database.write())
        .await
        .unwrap();
    let file = laia.post("/people/links", &[]).await;
    assert_eq!(file.headers["content-type"], "text/csv; charset=utf-8");
    assert_eq!(file.headers["cache-control"], "no-store");
    let lines: Vec<&str> = file.text.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!((lines[0], lines.len()), ("name,email,group,link", 4), "{}", file.text);
    assert!(lines[1].starts_with("'=HYPERLINK(1),ana@upc.edu,G2,/link/"), "{}", lines[1]);
    let marta = lines.iter().find(|line| line.contains("marta@")).unwrap();
    let link = marta.rsplit(',').next().unwrap();
    assert_eq!(court.browser().post(link, &PASSWORDS).await.location, "/?said=welcome");
    assert_eq!(laia.post("/people/links", &[("group", "=G2")]).await.text.lines().count(), 2);
}
