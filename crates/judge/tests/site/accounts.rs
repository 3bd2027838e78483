//! Signing in, passwords, sessions, forged forms.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use ludus_judge::accounts::{self, Purpose, Role, Used};
use ludus_judge::secrets::Passwords;
use ludus_judge::sessions;
use ludus_judge::web::gate::{Gate, Lane};
use tokio::task::JoinSet;

use crate::harness::{Browser, Court, PASSWORD, until};
use crate::{on_both, on_sqlite};

on_both!(a_link_works_once);

on_sqlite!(
    sessions_can_be_ended,
    strangers_lock_nobody_out,
    who_is_thrown_out_stays_out,
    a_new_address_ends_links_to_the_old,
    a_theme_is_kept,
    passwords_can_be_changed,
    guessing_is_slowed,
    a_new_password_forgets_browsers,
    a_flood_of_sign_ins_is_told_to_come_again,
    forged_forms_are_refused,
    every_answer_is_guarded,
    errors_tell_nothing
);

async fn a_link_works_once(court: Court) {
    let id = court.add_person("marta", Role::Instructor).await;
    let mut tx = court.site.database.begin().await.unwrap();
    let token = accounts::make_link(&mut tx, id, Purpose::Setup).await.unwrap();
    tx.commit().await.unwrap();
    let mut browser = court.browser();
    let address = format!("/link/{token}");
    assert!(browser.get(&address).await.has("Set the site up"));
    let short = browser.post(&address, &[("password", "short"), ("again", "short")]).await;
    assert_eq!(short.status, StatusCode::UNPROCESSABLE_ENTITY);
    let differ = browser.post(&address, &[("password", "a long password"), ("again", "a long passwort")]).await;
    assert!(differ.has("not the same"));
    let password = [("password", "a long password"), ("again", "a long password")];
    let nobody = browser.post(&address, &password).await;
    assert_eq!(nobody.status, StatusCode::UNPROCESSABLE_ENTITY, "the first instructor says who it is");
    let typed = [("password", "short"), ("again", "short"), ("name", "Marta S"), ("email", "Me@x.edu")];
    let kept = browser.post(&address, &typed).await;
    assert!(kept.has("value=\"Marta S\"") && kept.has("value=\"Me@x.edu\"") && !kept.has("\"short\""));
    let done = browser.post(&address, &[password[0], password[1], ("name", "Marta"), ("email", "Me@x.edu")]).await;
    assert_eq!((done.status, done.location.as_str()), (StatusCode::SEE_OTHER, "/?said=welcome"));
    assert!(browser.get("/").await.has("Marta"), "the link signs in");
    assert_eq!(browser.get(&address).await.status, StatusCode::GONE);
    assert_eq!(court.browser().get("/link/nonsense").await.status, StatusCode::GONE);
    assert_eq!(court.browser().sign_in("me", PASSWORD).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(court.browser().sign_in("me", "a long password").await.status, StatusCode::SEE_OTHER);
}

/// What a thief had begun when the owner chose a new password comes to nothing.
async fn who_is_thrown_out_stays_out(court: Court) {
    let id = court.add_person("marta", Role::Student).await;
    let database = &court.site.database;
    let (_, old) = accounts::credentials(database, "marta@x.edu").await.unwrap().unwrap();
    let old = old.unwrap();
    let session = sessions::start_by_password(database, id, &old, "", "").await.unwrap();
    let session = sessions::find(database, &session.unwrap()).await.unwrap().unwrap().id;
    let mut tx = database.begin().await.unwrap();
    let token = accounts::make_link(&mut tx, id, Purpose::Reset).await.unwrap();
    tx.commit().await.unwrap();
    let hash = court.site.passwords.hash("a long password".to_owned()).await.unwrap();
    assert_eq!(accounts::use_link(database, &token, &hash, None).await.unwrap(), Used::Done);
    assert_eq!(sessions::start_by_password(database, id, &old, "", "").await.unwrap(), None, "the old one is known");
    let theirs = court.site.passwords.hash("a thief's password".to_owned()).await.unwrap();
    let change =
        async |session, known: &str| accounts::change_password(database, id, session, known, &theirs).await.unwrap();
    assert!(!change(session, &old).await && !change(session, &hash).await, "the session is over");
    let own = sessions::start_by_password(database, id, &hash, "", "").await.unwrap().unwrap();
    let own = sessions::find(database, &own).await.unwrap().unwrap().id;
    assert!(!change(own, &old).await, "the old password is over");
    accounts::set_locked(database, id, true).await.unwrap();
    assert_eq!(sessions::start_by_password(database, id, &hash, "", "").await.unwrap(), None, "locked");
    accounts::set_locked(database, id, false).await.unwrap();
    assert_eq!(court.browser().sign_in("marta", "a long password").await.status, StatusCode::SEE_OTHER);
}

async fn a_new_address_ends_links_to_the_old(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    laia.upload("/people/import", "", b"Marta,martha@upc.edu,G1\n").await;
    let (marta, _) = accounts::credentials(&court.site.database, "martha@upc.edu").await.unwrap().unwrap();
    let page = laia.post(&format!("/people/{}/link", marta.id), &[]).await;
    let link = format!("/link/{}", page.text.split("/link/").nth(1).unwrap().split('"').next().unwrap());
    let details = format!("/people/{}/details", marta.id);
    laia.post(&details, &[("name", "Marta S"), ("email", "martha@upc.edu"), ("group", "G1")]).await;
    assert_eq!(court.browser().get(&link).await.status, StatusCode::OK, "the address is the same");
    laia.post(&details, &[("name", "Marta S"), ("email", "marta@upc.edu"), ("group", "G1")]).await;
    assert_eq!(court.browser().get(&link).await.status, StatusCode::GONE, "it went to somebody else");
}

async fn sessions_can_be_ended(court: Court) {
    let mut desk = court.visitor("pau", Role::Student).await;
    let mut phone = court.browser();
    phone.sign_in("pau", PASSWORD).await;
    let page = desk.get("/account").await;
    assert_eq!(page.text.matches("name=\"session\"").count(), 2);
    let mut ids: Vec<&str> =
        page.text.split("name=\"session\" value=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    ids.sort_by_key(|id| id.parse::<i64>().unwrap());
    let mut stranger = court.visitor("ana", Role::Student).await;
    stranger.post("/account/sessions/end", &[("session", ids[1])]).await;
    assert_eq!(phone.get("/account").await.status, StatusCode::OK, "nobody ends another's session");
    desk.post("/account/sessions/end", &[("session", ids[1])]).await;
    assert_eq!(phone.get("/account").await.location, "/sign-in?next=/account");
    assert_eq!(desk.get("/account").await.status, StatusCode::OK);
    desk.post("/sign-out", &[]).await;
    assert_eq!(desk.get("/account").await.status, StatusCode::SEE_OTHER);
    desk.sign_in("pau", PASSWORD).await;
    phone.sign_in("pau", PASSWORD).await;
    let ended = phone.post("/account/sessions/end-all", &[]).await;
    assert_eq!(ended.location, "/?said=ended-all");
    assert!(phone.get("/?said=ended-all").await.has("signed out everywhere"));
    for (browser, is_in) in [(&mut phone, false), (&mut desk, false), (&mut stranger, true)] {
        assert_eq!(browser.get("/account").await.status == StatusCode::OK, is_in);
    }
}

/// The theme is a browser's own, on every page and in the viewer.
async fn a_theme_is_kept(court: Court) {
    let mut guest = court.browser();
    assert!(guest.get("/").await.has("content=\"light dark\"") && !guest.get("/").await.has("data-theme"));
    let chosen = guest.post("/theme", &[("theme", "dark"), ("next", "/status")]).await;
    assert_eq!(chosen.location, "/status");
    for page in ["/", "/status", "/nowhere"] {
        let page = guest.get(page).await;
        assert!(page.has("data-theme=\"dark\"") && page.has("content=\"dark\""), "{}", page.text);
        assert!(page.has("value=\"dark\" aria-pressed=\"true\""), "{}", page.text);
    }
    guest.post("/theme", &[("theme", "\"><script>"), ("next", "/")]).await;
    assert!(!guest.get("/").await.has("data-theme"), "what nobody offers is the system's");
    assert!(!court.browser().get("/").await.has("data-theme"));
}

async fn passwords_can_be_changed(court: Court) {
    let mut desk = court.visitor("pau", Role::Student).await;
    let mut phone = court.browser();
    phone.sign_in("pau", PASSWORD).await;
    let new = [("password", "another password"), ("again", "another password")];
    let wrong = desk.post("/account/password", &[("current", "not this"), new[0], new[1]]).await;
    assert!(wrong.has("not your current password"));
    let done = desk.post("/account/password", &[("current", PASSWORD), new[0], new[1]]).await;
    assert_eq!(done.location, "/account?said=password");
    assert_eq!(phone.get("/account").await.status, StatusCode::SEE_OTHER, "other devices are signed out");
    assert_eq!(desk.get("/account").await.status, StatusCode::OK);
    desk.post("/language", &[("language", "ca"), ("next", "/account")]).await;
    assert!(desk.get("/account").await.has("Canvia la contrasenya"));
}

async fn guessing_is_slowed(court: Court) {
    court.add_person("marta", Role::Student).await;
    let mut thief = court.browser();
    for name in ["marta", "nobody2"] {
        for _ in 0..6 {
            assert_eq!(thief.sign_in(name, "guess").await.status, StatusCode::UNPROCESSABLE_ENTITY);
        }
        let refused = thief.sign_in(name, PASSWORD).await;
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{name}");
        assert!(refused.headers.contains_key("retry-after") && refused.has("Too many attempts"));
        court.site.throttle.pass(Duration::from_secs(1));
        assert_eq!(
            thief.sign_in(name, "guess").await.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "the door is open again"
        );
        court.site.throttle.pass(Duration::from_secs(1));
        assert_eq!(thief.sign_in(name, PASSWORD).await.status, StatusCode::TOO_MANY_REQUESTS, "after a longer time");
    }
    let unknown = thief.sign_in("nobody", "guess").await;
    let known = court.browser().sign_in("marta2", "guess").await;
    assert_eq!(unknown.status, known.status, "who has an account cannot be found out");
}

/// Fails to sign in, again and again, from somewhere.
async fn guess(court: &Court, address: &str, name: &str, times: usize) -> usize {
    let mut thief = court.browser();
    thief.address = address.to_owned();
    let token = thief.token().await;
    let email = format!("{name}@x.edu");
    let mut checked = 0;
    for _ in 0..times {
        let fields = [("csrf", token.as_str()), ("email", &email), ("password", "guess")];
        checked +=
            usize::from(thief.post_exactly("/sign-in", &fields).await.status == StatusCode::UNPROCESSABLE_ENTITY);
    }
    checked
}

async fn strangers_lock_nobody_out(mut court: Court) {
    court.set(|settings| settings.behind_proxy = true);
    const CLASSROOM: &str = "192.0.2.1";
    let mut laia = court.known_visitor("laia", Role::Instructor).await;
    laia.post("/sign-out", &[]).await;
    assert_eq!(guess(&court, CLASSROOM, "laia", 30).await, 6, "guessing is slow");
    laia.address = CLASSROOM.to_owned();
    assert_eq!(laia.sign_in("laia", PASSWORD).await.status, StatusCode::SEE_OTHER, "her browser is known");
    let mut elsewhere = court.browser();
    elsewhere.address = "192.0.2.2".to_owned();
    assert_eq!(elsewhere.sign_in("laia", PASSWORD).await.status, StatusCode::SEE_OTHER, "and she may go elsewhere");
    for k in 0..80 {
        guess(&court, CLASSROOM, &format!("student{k}"), 1).await;
    }
    court.add_person("pau", Role::Student).await;
    let mut pau = court.browser();
    pau.address = CLASSROOM.to_owned();
    assert_eq!(pau.sign_in("pau", PASSWORD).await.status, StatusCode::SEE_OTHER, "a classroom is not locked out");
    let checked =
        guess(&court, "2001:db8:1:1::1", "laia", 10).await + guess(&court, "2001:db8:1:1:f::2", "laia", 10).await;
    assert_eq!(checked, 6, "neighbours of IPv6 are one");
    let mut other = court.browser();
    other.address = CLASSROOM.to_owned();
    other.cookies.insert("ludus_device".to_owned(), "0".repeat(64));
    assert_eq!(
        other.sign_in("laia", PASSWORD).await.status,
        StatusCode::TOO_MANY_REQUESTS,
        "no browser is known by its word"
    );
    other.cookies.insert("ludus_device".to_owned(), pau.cookies["ludus_device"].clone());
    assert_eq!(other.sign_in("laia", PASSWORD).await.status, StatusCode::TOO_MANY_REQUESTS, "nor to another's account");
}

async fn a_new_password_forgets_browsers(court: Court) {
    let mut desk = court.known_visitor("pau", Role::Student).await;
    let mut phone = court.browser();
    phone.sign_in("pau", PASSWORD).await;
    assert_eq!(desk.cookies["ludus_device"].len(), 64);
    assert_ne!(desk.cookies["ludus_device"], phone.cookies["ludus_device"]);
    let kept = phone.cookies["ludus_device"].clone();
    phone.post("/sign-out", &[]).await;
    phone.sign_in("pau", PASSWORD).await;
    assert_eq!(phone.cookies["ludus_device"], kept, "a browser stays the same one");
    let new = [("current", PASSWORD), ("password", "another password"), ("again", "another password")];
    desk.post("/account/password", &new).await;
    guess(&court, "", "pau", 10).await;
    phone.cookies.remove("ludus_session");
    assert_eq!(phone.sign_in("pau", "another password").await.status, StatusCode::TOO_MANY_REQUESTS);
    desk.post("/sign-out", &[]).await;
    assert_eq!(desk.sign_in("pau", "another password").await.status, StatusCode::SEE_OTHER);
}

async fn a_flood_of_sign_ins_is_told_to_come_again(mut court: Court) {
    let mut pau = court.known_visitor("pau", Role::Student).await;
    pau.post("/sign-out", &[]).await;
    let mut guest = court.browser();
    guest.get("/sign-in").await;
    // Nobody's turn ever comes.
    let gate = Gate::new(0, 4, 4);
    court.site.passwords = Passwords::behind(gate.clone()).unwrap();
    court.set(|_| {});
    let sign_in = |browser: &Browser, name: &str| {
        let (mut browser, name) = (court.visiting(browser), name.to_owned());
        tokio::spawn(async move { browser.sign_in(&name, PASSWORD).await })
    };
    let mut flood = JoinSet::new();
    for k in 0..5 {
        flood.spawn(sign_in(&guest, &format!("guest{k}")));
    }
    let refused =
        tokio::time::timeout(Duration::from_secs(60), flood.join_next()).await.expect("four wait, one is told");
    let refused = refused.unwrap().unwrap().unwrap();
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.headers["retry-after"], "5");
    assert!(refused.has("try again soon"));
    let known = sign_in(&pau, "pau");
    let waits = async || {
        assert!(!known.is_finished(), "a browser that is known waits in a line of its own");
        gate.waiting(Lane::First) > 0
    };
    until("it does not wait", waits).await;
    assert_eq!(court.visiting(&guest).get("/").await.status, StatusCode::OK, "pages are served meanwhile");
    known.abort();
    flood.shutdown().await;
}

async fn forged_forms_are_refused(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let mut ana = court.visitor("ana", Role::Student).await;
    let token = ana.token().await;
    for forged in ["", "0123", token.as_str()] {
        let answer = pau.post_exactly("/sign-out", &[("csrf", forged)]).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{forged}");
    }
    let own = pau.token().await;
    for (name, value) in [("origin", "https://elsewhere.org"), ("sec-fetch-site", "cross-site")] {
        let request = Request::post("/sign-out")
            .header("content-type", "application/x-www-form-urlencoded")
            .header(name, value)
            .body(Body::from(format!("csrf={own}")))
            .unwrap();
        assert_eq!(pau.send(request).await.status, StatusCode::FORBIDDEN, "{name}");
    }
    assert_eq!(pau.get("/account").await.status, StatusCode::OK, "still signed in");
}

async fn every_answer_is_guarded(court: Court) {
    let mut browser = court.browser();
    for path in ["/", "/sign-in", "/nothing", "/seasons/open", "/seasons/open/rules"] {
        let answer = browser.get(path).await;
        let header = |name: &str| answer.headers.get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
        assert!(header("content-security-policy").contains("default-src 'none'"), "{path}");
        assert!(!header("content-security-policy").contains("unsafe"), "{path}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("x-frame-options"), "SAMEORIGIN");
        for inline in [" style=", "<style", "onclick", "<script>"] {
            assert!(!answer.has(inline), "{path} holds {inline}");
        }
    }
    let cookie = court.browser().get("/").await.headers.get("set-cookie").unwrap().to_str().unwrap().to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
}

async fn errors_tell_nothing(court: Court) {
    let mut browser = court.visitor("pau", Role::Student).await;
    for path in ["/nothing", "/submissions/999999", "/submissions/word", "/matches/1/secret", "/seasons/none"] {
        let answer = browser.get(path).await;
        assert!(answer.status.is_client_error(), "{path}: {}", answer.status);
        let id = answer.headers["x-request-id"].to_str().unwrap().to_owned();
        assert!(answer.has(&id) && answer.has("<!DOCTYPE html>"), "{path}: {}", answer.text);
    }
    sqlx::query("DROP TABLE jobs").execute(court.site.database.write()).await.unwrap();
    let mut instructor = court.visitor("laia", Role::Instructor).await;
    let answer = instructor.get("/workshop").await;
    assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR);
    let id = answer.headers["x-request-id"].to_str().unwrap().to_owned();
    assert!(answer.has(&id));
    for internal in ["jobs", "sql", "SQL", "table", "relation", "panick"] {
        assert!(!answer.text.replace("<table", "").contains(internal), "{internal}: {}", answer.text);
    }
}
