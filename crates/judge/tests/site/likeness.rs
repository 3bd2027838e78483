//! Players that share code: found in the background, read and judged by
//! instructors, carried into the grades, and nobody else's business.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::ids::{AccountId, LikenessId};
use ludus_judge::likeness::{self, Opinion, corpus};
use ludus_judge::workshop::Compiled;
use ludus_judge::{accounts, export, removal};
use ludus_sandbox::build::Language;

use crate::cup::{Cup, add_player, add_season};
use crate::harness::{Browser, Court};
use crate::round_pages::signed_in;
use crate::{on_both, on_sqlite};

on_both!(
    a_copy_is_found_judged_and_carried_into_the_grades,
    two_authors_are_told_of_once,
    what_was_judged_stays_judged,
    earlier_seasons_and_years_are_looked_at,
    nothing_of_it_is_in_what_people_get,
);
on_sqlite!(what_cannot_be_compared_is_told, two_players_are_asked_what_they_would_do);

const ORIGINAL: &str = include_str!("../../../plagiarism/testset/ants/Tortuga.cc");
const COPY: &str = include_str!("../../../plagiarism/testset/copies/Tartaruga.cc");
const OTHER: &str = include_str!("../../../plagiarism/testset/ants/Metro.cc");

/// An accepted player with a source.
async fn player(cup: &Cup, account: AccountId, name: &str, source: &str) {
    cup.player(account, name, source.as_bytes()).await;
}

/// Compares what has not been compared.
async fn compare(cup: &Cup) {
    likeness::catch_up(cup.database().clone(), cup.court.site.queue.clone()).await;
    cup.work().await;
}

async fn account(cup: &Cup, email: &str) -> AccountId {
    accounts::credentials(cup.database(), email).await.unwrap().unwrap().0.id
}

/// Two students of a cup of which one has copied from the other.
pub async fn plant(cup: &Cup) -> LikenessId {
    let (marta, pau) = (cup.student("marta", "G1").await, cup.student("pau", "G1").await);
    player(cup, marta, "Tortuga", ORIGINAL).await;
    player(cup, pau, "Tartaruga", COPY).await;
    compare(cup).await;
    LikenessId(cup.count("SELECT id FROM likenesses").await)
}

async fn a_copy_is_found_judged_and_carried_into_the_grades(court: Court) {
    let cup = Cup::new(court, 2).await;
    let eva = cup.student("eva", "G1").await;
    player(&cup, eva, "Metro", OTHER).await;
    let id = plant(&cup).await;
    cup.direct().await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    assert!(laia.get("/desk").await.has("that nobody has looked at: 1"));
    let list = laia.get("/seasons/cup/likeness?state=new").await;
    assert!(list.has("Name of marta") && list.has("Name of pau") && !list.has("Name of eva"), "{}", list.text);
    assert!(list.has("Waiting: 0"), "{}", list.text);
    let page = format!("/likeness/{id}");
    let shown = laia.get(&page).await;
    assert!(shown.has("class=\"run c0\"") && shown.has("href=\"#p1b") && shown.has("Tartaruga"), "{}", shown.text);
    assert!(!shown.has("/grades/correct"), "what is not confirmed is in no grades");
    let judged = |state, reason| [("state", state), ("reason", reason)];
    assert_eq!(laia.post(&page, &judged("confirmed", "")).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(laia.post(&page, &judged("guilty", "x")).await.status, StatusCode::NOT_FOUND);
    assert_eq!(laia.post(&page, &judged("confirmed", "both admitted it")).await.status, StatusCode::SEE_OTHER);
    assert!(!laia.get("/desk").await.has("nobody has looked at"), "somebody has looked");
    assert!(laia.get("/seasons/cup/likeness?state=new").await.has("Nobody shares code"));
    assert!(laia.get("/seasons/cup/likeness?state=confirmed").await.has("Name of pau"));
    let log = laia.get("/actions?action=review-likeness").await;
    assert!(log.has("both admitted it") && log.has("confirmed") && log.has("Name of marta") && log.has("Name of pau"));
    let shown = laia.get(&page).await;
    let why = format!("Copied code (case {id}): both admitted it");
    assert!(shown.has(&why) && shown.has("/seasons/cup/grades/correct"), "{}", shown.text);
    let pau = account(&cup, "pau@x.edu").await.to_string();
    let given = laia.post("/seasons/cup/grades/correct", &[("account", &pau), ("mark", "0"), ("reason", &why)]).await;
    assert_eq!(given.status, StatusCode::SEE_OTHER);
    assert!(laia.get("/seasons/cup/grades").await.has(&why));
    assert!(laia.get(&page).await.has("(0.00)"), "the page tells what was given");
    nobody_else(&cup, &page).await;
}

/// Students and strangers find no address that tells anything.
async fn nobody_else(cup: &Cup, page: &str) {
    let (pau, marta) = (signed_in(cup, "pau").await, signed_in(cup, "marta").await);
    for mut browser in [pau, marta, cup.court.browser()] {
        let refused = |status: StatusCode| status == StatusCode::FORBIDDEN || status == StatusCode::SEE_OTHER;
        for path in [page, "/seasons/cup/likeness", "/likeness/999"] {
            let answer = browser.get(path).await;
            assert!(refused(answer.status) && !answer.has("Tartaruga"), "{path}");
        }
        for path in [page, "/seasons/cup/likeness/again"] {
            assert!(refused(browser.post(path, &[("state", "dismissed"), ("reason", "x")]).await.status), "{path}");
        }
        for path in ["/", "/seasons/cup", "/submissions", "/status", "/api/v1/status"] {
            let answer = browser.get(path).await;
            let told = ["likeness", "Shared code", "comparison"].into_iter().find(|word| answer.has(word));
            assert_eq!(told, None, "{path}");
        }
    }
}

async fn two_authors_are_told_of_once(court: Court) {
    let cup = Cup::new(court, 0).await;
    let (marta, pau) = (cup.student("marta", "G1").await, cup.student("pau", "G1").await);
    player(&cup, marta, "One", ORIGINAL).await;
    player(&cup, marta, "Two", &ORIGINAL.replace("int", "long")).await;
    compare(&cup).await;
    assert_eq!(cup.count("SELECT COUNT(*) FROM likenesses").await, 0, "versions of one author");
    let first: String = COPY.lines().take(100).collect::<Vec<_>>().join("\n") + "\n}\n";
    player(&cup, pau, "Part", &first).await;
    compare(&cup).await;
    let part = cup.count("SELECT similarity FROM likenesses").await;
    player(&cup, pau, "Whole", ORIGINAL).await;
    compare(&cup).await;
    assert_eq!(cup.count("SELECT COUNT(*) FROM likenesses").await, 1);
    assert!(cup.count("SELECT similarity FROM likenesses").await > part, "the two that are most alike");
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    assert!(laia.get("/seasons/cup/likeness").await.has("Whole"));
    let again = laia.post("/seasons/cup/likeness/again", &[]).await;
    assert_eq!(again.status, StatusCode::SEE_OTHER);
    assert_eq!(cup.count("SELECT COUNT(*) FROM likenesses").await, 0, "nobody had looked");
    cup.work().await;
    assert_eq!(cup.count("SELECT COUNT(*) FROM likenesses").await, 1);
}

async fn what_was_judged_stays_judged(court: Court) {
    let cup = Cup::new(court, 0).await;
    let id = plant(&cup).await;
    let laia = cup.court.add_person("laia", Role::Instructor).await;
    let pau = account(&cup, "pau@x.edu").await;
    let judge = async |state| {
        let mut tx = cup.database().begin().await.unwrap();
        likeness::judge(&mut tx, id, laia, state, "seen").await.unwrap();
        tx.commit().await.unwrap();
    };
    let state = async || likeness::find(cup.database(), id).await.unwrap().unwrap().state;
    for (opinion, name, expected) in [
        (Opinion::Confirmed, "Again1", Opinion::Confirmed),
        // What is far more alike than what was dismissed is told again.
        (Opinion::Dismissed, "Again2", Opinion::New),
        (Opinion::Dismissed, "Again3", Opinion::Dismissed),
    ] {
        judge(opinion).await;
        if name != "Again3" {
            cup.run("UPDATE likenesses SET similarity = 300000").await;
        }
        player(&cup, pau, name, ORIGINAL).await;
        compare(&cup).await;
        assert_eq!(state().await, expected, "{name}");
    }
    assert!(cup.count("SELECT similarity FROM likenesses").await > 300_000);
    assert_eq!(likeness::notes(cup.database(), id).await.unwrap().len(), 3);
}

async fn earlier_seasons_and_years_are_looked_at(court: Court) {
    let cup = Cup::new(court, 0).await;
    let before = add_season(cup.database(), "before").await;
    let (marta, pau) = (cup.student("marta", "G1").await, cup.student("pau", "G1").await);
    let store = &cup.court.site.store;
    let year = cup.season.deadline_at - 1_000_000;
    add_player(cup.database(), store, (before.id, marta), "Old", ORIGINAL.as_bytes(), year).await;
    player(&cup, pau, "New", COPY).await;
    compare(&cup).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let list = laia.get("/seasons/cup/likeness").await;
    assert!(list.has("Name of marta") && list.has("The season before"), "{}", list.text);
    assert!(laia.get("/seasons/before/likeness").await.has("Nobody shares code"), "it belongs to the later one");

    // The same as a file that goes to another course.
    let file = cup.court.folder().join("years.corpus");
    assert_eq!(corpus::export(cup.database(), &file, false).await.unwrap(), 2);
    let other = Cup::new(Court::new(crate::harness::Kind::Sqlite).await, 0).await;
    let eva = other.student("eva", "G1").await;
    let repeats = other.student("marta", "G1").await;
    assert_eq!(corpus::import(other.database(), &file, false).await.unwrap(), (2, 2));
    assert_eq!(corpus::import(other.database(), &file, false).await.unwrap(), (2, 0), "once");
    assert!(corpus::import(other.database(), &file, true).await.is_err(), "it has names");
    player(&other, eva, "Fresh", ORIGINAL).await;
    player(&other, repeats, "Repeated", ORIGINAL).await;
    compare(&other).await;
    let mut laia = other.court.visitor("laia", Role::Instructor).await;
    let list = laia.get("/seasons/cup/likeness").await;
    assert!(list.has("pau@x.edu") && list.has("earlier year"), "{}", list.text);
    let own = "SELECT COUNT(*) FROM likenesses WHERE account_a = account_b";
    assert_eq!(other.count(own).await, 0, "who repeats the course may use the same program");
}

async fn what_cannot_be_compared_is_told(court: Court) {
    let cup = Cup::new(court, 0).await;
    let pau = cup.student("pau", "G1").await;
    player(&cup, pau, "Huge", &"int x; ".repeat(80_000)).await;
    compare(&cup).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let list = laia.get("/seasons/cup/likeness").await;
    assert!(list.has("cannot be compared") && list.has("Huge"), "{}", list.text);
}

async fn two_players_are_asked_what_they_would_do(court: Court) {
    let cup = Cup::new(court, 0).await;
    let environment = cup.court.environment();
    for (student, name, source) in [("marta", "Tortuga", ORIGINAL), ("pau", "Tartaruga", COPY), ("eva", "Metro", OTHER)]
    {
        let account = cup.student(student, "G1").await;
        player(&cup, account, name, source).await;
        let compiled = environment.machines.compile(&cup.season, name, Language::Cpp, source.as_bytes()).unwrap();
        let Compiled::Module { hash, .. } = compiled else { panic!("{name} does not compile") };
        let module = sqlx::query("UPDATE submissions SET module = $1 WHERE name = $2").bind(hash).bind(name);
        module.execute(cup.database().write()).await.unwrap();
    }
    compare(&cup).await;
    let id = LikenessId(cup.count("SELECT id FROM likenesses").await);
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let page = format!("/likeness/{id}");
    assert_eq!(laia.post(&format!("{page}/behaviour"), &[]).await.status, StatusCode::SEE_OTHER);
    assert!(laia.get(&page).await.has("They will be asked"));
    cup.court.work().await;
    let seen = likeness::find(cup.database(), id).await.unwrap().unwrap().seen.unwrap();
    assert!(seen.others == 1 && seen.orders > 1000, "{seen:?}");
    assert!(seen.agreement > seen.most && seen.beyond > Some(500_000), "{seen:?}");
    assert!(seen.code > Some(200_000), "{seen:?}");
    assert!(laia.get(&page).await.has("Beyond the usual"));
}

async fn nothing_of_it_is_in_what_people_get(court: Court) {
    let cup = Cup::new(court, 0).await;
    let id = plant(&cup).await;
    let mut laia: Browser = cup.court.visitor("laia", Role::Instructor).await;
    let page = format!("/likeness/{id}");
    let pau = accounts::credentials(cup.database(), "pau@x.edu").await.unwrap().unwrap().0;
    let exported = async || {
        let file = cup.court.folder().join("person.tar.gz");
        let _ = std::fs::remove_file(&file);
        export::person(cup.database(), &cup.court.site.store, pau.id, &file).await.unwrap();
        crate::personal::parts(&file)
    };
    laia.post(&page, &[("state", "review"), ("reason", "asked both")]).await;
    let parts = exported().await;
    assert!(parts.keys().all(|name| !name.contains("likeness") && !name.contains("sketches")));
    assert!(!parts.keys().any(|name| name.contains("actions")), "a suspicion is nothing to keep about somebody");
    laia.post(&page, &[("state", "confirmed"), ("reason", "admitted it")]).await;
    let actions = String::from_utf8(exported().await["tables/actions-0.ndjson"].clone()).unwrap();
    assert!(actions.contains("admitted it") && actions.lines().count() == 1, "{actions}");
    removal::person(cup.database(), &pau).await.unwrap();
    for table in ["SELECT COUNT(*) FROM likenesses", "SELECT COUNT(*) FROM likeness_notes"] {
        assert_eq!(cup.count(table).await, 0, "{table}");
    }
    assert_eq!(cup.count("SELECT COUNT(*) FROM sketches").await, 1, "the other's");
}
