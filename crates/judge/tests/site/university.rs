//! Signing in by a real OpenID Connect provider on loopback.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::university::University;
use ureq::Agent;

use crate::harness::{Answer, Browser, Court};
use crate::server::Server;
use crate::{on_both, on_sqlite};

on_both!(who_is_on_the_roster_comes_in);

on_sqlite!(
    who_comes_by_the_university_ends_a_claim,
    nobody_else_does,
    what_was_begun_elsewhere_is_refused,
    a_university_that_is_gone_is_told_of
);

/// Where the site is for the provider; nobody goes there.
const BASE: &str = "http://127.0.0.1:8650";

struct Provider {
    _process: Server,
    issuer: String,
}

impl Provider {
    fn start() -> Provider {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oidc");
        assert!(folder.join("node_modules").is_dir(), "oidc-provider is missing: scripts/install tests");
        let mut process = Command::new("node")
            .arg("provider.js")
            .arg(format!("{BASE}/sign-in/university/back"))
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut issuer = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut issuer).unwrap();
        Provider { _process: Server(process), issuer: issuer.trim().to_owned() }
    }

    fn connect(&self, court: &mut Court, secret: &str) {
        let university = University::new(&self.issuer, "ludus", Some(secret.to_owned()), BASE).unwrap();
        court.set(|settings| {
            settings.university = Some(university);
            settings.public_url = Some(BASE.to_owned());
        });
    }
}

/// Somebody at the university: says a name, agrees, and is sent back to an address.
fn say_name(address: &str, issuer: &str, name: &str) -> String {
    let config = Agent::config_builder().http_status_as_error(false).max_redirects(0).max_redirects_will_error(false);
    let agent: Agent = config.build().into();
    let (mut at, mut cookies) = (address.to_owned(), BTreeMap::<String, String>::new());
    for _ in 0..12 {
        let jar = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ");
        let mut answer = agent.get(&at).header("cookie", &jar).call().unwrap();
        if answer.status() == 200 {
            let page = answer.body_mut().read_to_string().unwrap();
            let prompt = if page.contains("name=\"login\"") { "login" } else { "consent" };
            let form = [("prompt", prompt), ("login", name), ("password", "x")];
            answer = agent.post(&at).header("cookie", &jar).send_form(form).unwrap();
        }
        for cookie in answer.headers().get_all("set-cookie") {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            cookies.insert(name.to_owned(), rest.split(';').next().unwrap().to_owned());
        }
        let next = answer.headers().get("location").expect("a way on").to_str().unwrap();
        at = if next.starts_with('/') { format!("{issuer}{next}") } else { next.to_owned() };
        if let Some(back) = at.strip_prefix(BASE) {
            return back.to_owned();
        }
    }
    panic!("{at} leads nowhere");
}

/// Leaves for the university and comes back.
async fn sign_in(browser: &mut Browser, provider: &Provider, name: &'static str) -> Answer {
    let left = browser.get("/sign-in/university").await;
    assert_eq!(left.status, StatusCode::SEE_OTHER, "{}", left.text);
    for part in ["code_challenge=", "code_challenge_method=S256", "state=", "nonce=", "response_type=code"] {
        assert!(left.location.contains(part), "{part}: {}", left.location);
    }
    let (address, issuer) = (left.location, provider.issuer.clone());
    let back = tokio::task::spawn_blocking(move || say_name(&address, &issuer, name)).await.unwrap();
    browser.get(&back).await
}

async fn who_is_on_the_roster_comes_in(mut court: Court) {
    assert!(!court.browser().get("/sign-in").await.has("/sign-in/university"));
    assert_eq!(court.browser().get("/sign-in/university").await.status, StatusCode::NOT_FOUND);
    let provider = Provider::start();
    provider.connect(&mut court, "geheim");
    let mut laia = court.visitor("laia", Role::Instructor).await;
    laia.upload("/people/import", "", b"Marta,marta@upc.edu,G1\n").await;
    let mut marta = court.browser();
    assert!(marta.get("/sign-in").await.has("href=\"/sign-in/university\""));
    let back = sign_in(&mut marta, &provider, "marta").await;
    assert_eq!((back.status, back.location.as_str()), (StatusCode::SEE_OTHER, "/"), "{}", back.text);
    assert!(marta.get("/account").await.has("marta@upc.edu"));
    assert!(laia.get("/people?state=active").await.has("marta@upc.edu"), "she has come, without a password");
}

async fn nobody_else_does(mut court: Court) {
    let provider = Provider::start();
    provider.connect(&mut court, "geheim");
    let mut laia = court.visitor("laia", Role::Instructor).await;
    laia.upload("/people/import", "", b"Una,unverified1@upc.edu,\nLola,lola@upc.edu,\n").await;
    let people = || sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM accounts");
    let before = people().fetch_one(court.site.database.read()).await.unwrap();
    for (name, words) in [("stranger", "not on the list"), ("unverified1", "has not verified")] {
        let mut browser = court.browser();
        let back = sign_in(&mut browser, &provider, name).await;
        assert_eq!(back.status, StatusCode::FORBIDDEN, "{name}");
        assert!(back.has(words), "{name}: {}", back.text);
        assert_eq!(browser.get("/account").await.status, StatusCode::SEE_OTHER, "{name}");
    }
    sqlx::query("UPDATE accounts SET locked = 1 WHERE email = 'lola@upc.edu'")
        .execute(court.site.database.write())
        .await
        .unwrap();
    assert_eq!(sign_in(&mut court.browser(), &provider, "lola").await.status, StatusCode::FORBIDDEN);
    let after = people().fetch_one(court.site.database.read()).await.unwrap();
    assert_eq!(before, after, "no account is made for strangers");
}

async fn what_was_begun_elsewhere_is_refused(mut court: Court) {
    let provider = Provider::start();
    provider.connect(&mut court, "geheim");
    let mut laia = court.visitor("laia", Role::Instructor).await;
    laia.upload("/people/import", "", b"Marta,marta@upc.edu,\n").await;
    let mut thief = court.browser();
    let left = thief.get("/sign-in/university").await;
    let (address, issuer) = (left.location, provider.issuer.clone());
    let back = tokio::task::spawn_blocking(move || say_name(&address, &issuer, "marta")).await.unwrap();
    // Another browser, with no errand or one of its own.
    let mut other = court.browser();
    assert_eq!(other.get(&back).await.status, StatusCode::FORBIDDEN);
    other.get("/sign-in/university").await;
    assert_eq!(other.get(&back).await.status, StatusCode::FORBIDDEN, "the state is another");
    // The right state with another nonce or verifier.
    let whole = thief.cookies["ludus_errand"].clone();
    let parts: Vec<&str> = whole.split('.').collect();
    for (k, spoilt) in [(1, "n".repeat(parts[1].len())), (2, "v".repeat(parts[2].len()))] {
        let mut forged = parts.clone();
        forged[k] = &spoilt;
        let left = thief.get("/sign-in/university").await;
        let errand = thief.cookies["ludus_errand"].clone();
        let own: Vec<&str> = errand.split('.').collect();
        let mut mixed = own.clone();
        mixed[k] = forged[k];
        let (address, issuer) = (left.location, provider.issuer.clone());
        let back = tokio::task::spawn_blocking(move || say_name(&address, &issuer, "marta")).await.unwrap();
        thief.cookies.insert("ludus_errand".to_owned(), mixed.join("."));
        // The university itself refuses another verifier, and nobody is told of trouble.
        let refused = if k == 1 { StatusCode::BAD_GATEWAY } else { StatusCode::FORBIDDEN };
        assert_eq!(thief.get(&back).await.status, refused, "part {k}");
    }
    for query in ["", "?state=x&code=y", "?error=access_denied"] {
        let answer = court.browser().get(&format!("/sign-in/university/back{query}")).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{query}");
    }
    assert_eq!(thief.get("/account").await.status, StatusCode::SEE_OTHER);
}

async fn who_comes_by_the_university_ends_a_claim(mut court: Court) {
    let provider = Provider::start();
    provider.connect(&mut court, "geheim");
    let (_, join) = crate::groups::invited(&court).await;
    let mut thief = crate::groups::claimed(&court, &join, "marta@upc.edu").await;
    assert_eq!(thief.get("/account").await.status, StatusCode::OK);
    let mut marta = court.browser();
    assert_eq!(sign_in(&mut marta, &provider, "marta").await.location, "/");
    assert_eq!(thief.get("/account").await.status, StatusCode::SEE_OTHER, "the claimant is out");
    assert_eq!(marta.get("/account").await.status, StatusCode::OK);
}

async fn a_university_that_is_gone_is_told_of(mut court: Court) {
    let provider = Provider::start();
    provider.connect(&mut court, "wrong");
    let mut laia = court.visitor("laia", Role::Instructor).await;
    laia.upload("/people/import", "", b"Marta,marta@upc.edu,\n").await;
    let refused = sign_in(&mut court.browser(), &provider, "marta").await;
    assert_eq!(refused.status, StatusCode::BAD_GATEWAY, "the secret is wrong: {}", refused.text);
    provider.connect(&mut court, "geheim");
    drop(provider);
    let answer = court.browser().get("/sign-in/university").await;
    assert_eq!(answer.status, StatusCode::BAD_GATEWAY);
    assert!(answer.has("cannot be asked") && !answer.has("geheim"), "{}", answer.text);
}
