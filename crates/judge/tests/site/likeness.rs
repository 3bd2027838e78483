//! Players that share code: found in the background, read and judged by
//! instructors, carried into the grades, and nobody else's business.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Result, bail};
use axum::http::StatusCode;
use ludus_games::{Game, PerSeat};
use ludus_judge::accounts::Role;
use ludus_judge::ids::{AccountId, LikenessId};
use ludus_judge::jobs::{Environment, Machines};
use ludus_judge::likeness::reading::{self, Outcome};
use ludus_judge::likeness::{self, Opinion, corpus, players};
use ludus_judge::local_machine::{Compiled, Seated};
use ludus_judge::matches::Played;
use ludus_judge::seasons::Season;
use ludus_judge::trouble::Trouble;
use ludus_judge::worker;
use ludus_judge::{accounts, export, removal};
use ludus_sandbox::OwnProgram;
use ludus_sandbox::build::{Jail, Language};

use crate::cup::{Cup, add_player, add_season};
use crate::harness::{Browser, Court, Kind};
use crate::round_pages::signed_in;
use crate::{on_both, on_sqlite};

on_both!(a_copy_is_found_judged_and_carried_into_the_grades);
on_sqlite!(
    two_authors_are_told_of_once,
    what_was_judged_stays_judged,
    earlier_seasons_and_years_are_looked_at,
    nothing_of_it_is_in_what_people_get,
    what_cannot_be_compared_is_told,
    whoever_takes_too_much_hides_nobody,
    sources_are_read_in_a_process_of_their_own,
    two_players_are_asked_what_they_would_do,
    old_players_are_offered_part_by_part,
    strangers_of_the_same_strength_are_asked,
    pairs_across_languages_are_told_to_be_less_certain
);

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

async fn old_players_are_offered_part_by_part(court: Court) {
    let cup = Cup::new(court, 0).await;
    for name in ["marta", "pau", "eva", "ona", "jan"] {
        let account = cup.student(name, "G1").await;
        player(&cup, account, name, ORIGINAL).await;
    }
    for _ in 0..2 {
        let queue = cup.court.site.queue.clone();
        likeness::catch_up_by(cup.database().clone(), queue, 2, Duration::ZERO).await;
        assert_eq!(cup.count("SELECT COUNT(*) FROM jobs WHERE kind = 'compare'").await, 5);
    }
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
        let list = "/seasons/cup/likeness";
        for path in
            [page, list, "/seasons/cup/likeness?state=confirmed", "/likeness/999", "/seasons/cup/grades", "/desk"]
        {
            let answer = browser.get(path).await;
            assert!(refused(answer.status) && !answer.has("Tartaruga") && !answer.has("Copied code"), "{path}");
        }
        let behaviour = format!("{page}/behaviour");
        for path in [page, &behaviour, "/seasons/cup/likeness/again", "/seasons/cup/grades/correct"] {
            assert!(refused(browser.post(path, &[("state", "dismissed"), ("reason", "x")]).await.status), "{path}");
        }
        for path in ["/", "/seasons/cup", "/submissions", "/status", "/api/v1/status"] {
            let answer = browser.get(path).await;
            let told = ["likeness", "Shared code", "comparison"].into_iter().find(|word| answer.has(word));
            assert_eq!(told, None, "{path}");
        }
    }
}

async fn pairs_across_languages_are_told_to_be_less_certain(court: Court) {
    let cup = Cup::new(court, 0).await;
    let id = plant(&cup).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    for page in ["/seasons/cup/likeness".to_owned(), format!("/likeness/{id}")] {
        assert!(!laia.get(&page).await.has("less certain"), "{page}");
    }
    sqlx::query("UPDATE likenesses SET is_across = 1").execute(cup.database().write()).await.unwrap();
    for page in ["/seasons/cup/likeness".to_owned(), format!("/likeness/{id}")] {
        assert!(laia.get(&page).await.has("C++ and Rust: less certain"), "{page}");
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
    let other = Cup::new(Court::new(Kind::Sqlite).await, 0).await;
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

/// What is written to a file for other courses is read in processes of their own.
#[tokio::test]
async fn a_source_that_takes_too_much_is_left_out_of_a_corpus() {
    let cup = Cup::new(Court::new(Kind::Sqlite).await, 0).await;
    let (marta, pau) = (cup.student("marta", "G1").await, cup.student("pau", "G1").await);
    player(&cup, marta, "Light", ORIGINAL).await;
    // What the parser keeps of this is more than such a process may have.
    player(&cup, pau, "Heavy", &format!("int a = {}1;", "a<".repeat(260_000))).await;
    let file = cup.court.folder().join("years.corpus");
    let mut admin = Command::new(env!("CARGO_BIN_EXE_ludus-judge"));
    admin.args(["admin", "--as-root", "--data"]).arg(cup.court.folder()).arg("export-corpus").arg(&file);
    let done = admin.env("LUDUS_AS_ROOT", "yes").output().unwrap();
    let [told, noted] = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(done.status.success() && told.ends_with("has 1 sources\n"), "{told}{noted}");
    assert!(noted.contains("cup/Heavy.cc is left out: to read and compare it takes more than"), "{noted}");
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

/// Machines that cannot compare a source with this word in it, nor read one with
/// that, and fail once.
struct Fussy {
    fails: AtomicBool,
}

impl Machines for Fussy {
    fn warm_up(&self, _: &dyn Game, _: Language) -> Result<()> {
        Ok(())
    }

    fn compile(&self, _: &Season, _: &str, _: Language, _: &[u8]) -> Result<Compiled> {
        bail!("nobody compiles here")
    }

    fn play(&self, _: &Season, _: i64, _: &PerSeat<Seated>) -> Result<Played> {
        bail!("nobody plays here")
    }

    fn read_sources(&self, letter: Vec<u8>) -> Result<Outcome<Vec<u8>>> {
        if self.fails.swap(false, Ordering::SeqCst) {
            bail!("a process cannot be started");
        }
        let has = |word: &[u8]| letter.windows(word.len()).any(|part| part == word);
        if has(b"UNREADABLE") || has(b"HEAVY") && letter[8..].starts_with(b"compare") {
            return Ok(Outcome::Refused("it takes too much".to_owned()));
        }
        reading::answer_of_own(&letter)
    }

    fn probe(&self) -> Result<(), Trouble> {
        Ok(())
    }
}

async fn whoever_takes_too_much_hides_nobody(court: Court) {
    let cup = Cup::new(court, 0).await;
    let fussy = Arc::new(Fussy { fails: AtomicBool::new(true) });
    let environment = Environment { machines: fussy, ..cup.environment() };
    let compare = async || {
        likeness::catch_up(cup.database().clone(), cup.court.site.queue.clone()).await;
        worker::until_idle(&environment).await;
    };
    let marta = cup.student("marta", "G1").await;
    player(&cup, marta, "Tortuga", &format!("{ORIGINAL}// UNREADABLE\n")).await;
    compare().await;
    assert_eq!(cup.count("SELECT COUNT(*) FROM sketches").await, 0, "the machine was in trouble");
    assert_eq!(cup.count("SELECT COUNT(*) FROM jobs WHERE state = 'waiting'").await, 1, "it is tried again");
    cup.run("UPDATE jobs SET not_before = 0").await;
    compare().await;
    assert_eq!(cup.count("SELECT COUNT(*) FROM sketches WHERE refused IS NOT NULL").await, 1);
    assert_eq!(cup.count("SELECT COUNT(*) FROM jobs WHERE state <> 'done'").await, 0, "and not again");

    for (name, source) in [("pau", format!("{COPY}// HEAVY\n")), ("eva", ORIGINAL.to_owned()), ("ona", COPY.to_owned())]
    {
        let account = cup.student(name, "G1").await;
        player(&cup, account, &format!("Of{name}"), &source).await;
        compare().await;
    }
    let eva_and_ona = "SELECT COUNT(*) FROM likenesses l JOIN accounts a ON a.id = l.account_a
         JOIN accounts b ON b.id = l.account_b WHERE a.email = 'eva@x.edu' AND b.email = 'ona@x.edu'";
    assert_eq!(cup.count(eva_and_ona).await, 1);
    assert_eq!(cup.count("SELECT COUNT(*) FROM likenesses").await, 1);
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let list = laia.get("/seasons/cup/likeness").await;
    for words in ["it takes too much", "1 of 1 sources that may be like it", "1 of 2 sources that may be like it"] {
        assert!(list.has(words), "{words}: {}", list.text);
    }
}

/// A program that ends in some way.
fn program(folder: &Path, end: &str) -> PathBuf {
    let path = folder.join(end.replace(' ', "-"));
    // Written by another process: nobody has it open who starts it.
    let write = "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$2\" && chmod 755 \"$2\"";
    let done = Command::new("sh").args(["-c", write, "sh", end]).arg(&path).status().unwrap();
    assert!(done.success());
    path
}

async fn sources_are_read_in_a_process_of_their_own(court: Court) {
    let machines = court.environment().machines;
    let source = |text: &str| ludus_plagiarism::Source {
        name: "x".to_owned(),
        author: "1".to_owned(),
        language: ludus_plagiarism::Language::Cpp,
        text: text.as_bytes().to_vec(),
        time: None,
    };
    let letter = reading::ask_for_sketch(&source(ORIGINAL));
    let answer = machines.read_sources(letter.clone()).unwrap();
    assert_eq!(answer, reading::answer_of_own(&letter).unwrap());
    let Outcome::Answer(answer) = answer else { panic!("an honest source is read") };
    assert!(matches!(reading::read_sketch(&answer), Ok(Outcome::Answer(_))));
    // What the parser keeps of this is more than the process may have.
    let heavy = format!("int a = {}1;", "a<".repeat(260_000));
    let answer = machines.read_sources(reading::ask_for_sketch(&source(&heavy))).unwrap();
    assert!(matches!(&answer, Outcome::Refused(why) if why.contains("takes more than")), "{answer:?}");

    let folder = tempfile::tempdir().unwrap();
    // Shells are not in the jail.
    let free = |program| OwnProgram { program, jail: Jail::None, cache: folder.path().to_owned() };
    for (end, is_refused) in [
        ("kill -XCPU $$", Some("20 s of CPU")),
        ("kill -SEGV $$", Some("of memory")),
        ("exit 101", Some("of memory")),
        ("kill -KILL $$", None),
        ("exit 1", None),
    ] {
        let answer = reading::ask(&free(program(folder.path(), end)), &letter);
        match (is_refused, answer) {
            (Some(words), Ok(Outcome::Refused(why))) => assert!(why.ends_with(words), "{end}: {why}"),
            (None, Err(_)) => {}
            (_, other) => panic!("{end}: {other:?}"),
        }
    }
    let script = program(folder.path(), "touch output");
    assert_eq!(reading::ask(&free(script.clone()), &letter).unwrap(), Outcome::Answer(Vec::new()));
    let jailed = reading::jailed(script, folder.path().to_owned());
    assert!(reading::ask(&jailed, &letter).is_err(), "nothing of the machine is in the jail, no shell either");
    assert!(reading::ask(&free(folder.path().join("nothing")), &letter).is_err(), "trouble of the machine");
}

/// Good players agree with good ones, so the two are measured by strangers that are
/// about as strong.
async fn strangers_of_the_same_strength_are_asked(court: Court) {
    let cup = Cup::new(court, 0).await;
    let pair = [cup.student("marta", "G1").await, cup.student("pau", "G1").await];
    player(&cup, pair[0], "Tortuga", ORIGINAL).await;
    player(&cup, pair[1], "Tartaruga", COPY).await;
    let ratings =
        [("Weak", 5), ("Strong", 29), ("Weaker", 3), ("Stronger", 31), ("Good", 27), ("Better", 33), ("Unknown", 0)];
    for (name, rating) in ratings {
        let account = cup.student(&name.to_lowercase(), "G1").await;
        player(&cup, account, name, &OTHER.replace("Metro", name)).await;
        if rating > 0 {
            let rated = sqlx::query(
                "INSERT INTO contenders (season_id, submission_id, account_id, name, mean, deviation, strength, joined_at)
                 SELECT season_id, id, account_id, name, $1, 1, 1, 1 FROM submissions WHERE name = $2",
            );
            rated.bind(rating * 1_000_000i64).bind(name).execute(cup.database().write()).await.unwrap();
        }
    }
    compare(&cup).await;
    sqlx::query("UPDATE submissions SET module = name").execute(cup.database().write()).await.unwrap();
    let others = async |rating: Option<i64>| {
        players::others(cup.database(), cup.season.id, pair.map(Some), rating.map(|rating| rating * 1_000_000))
            .await
            .unwrap()
    };
    assert_eq!(others(Some(40)).await, ["Better", "Stronger", "Strong", "Good"]);
    assert_eq!(others(Some(1)).await, ["Weaker", "Weak", "Good", "Strong"]);
    assert_eq!(others(None).await[0], "Weaker");
    // Whoever has no rating comes last.
    let gone = sqlx::query("DELETE FROM contenders WHERE mean > 20000000");
    gone.execute(cup.database().write()).await.unwrap();
    assert_eq!(others(Some(40)).await[..2], ["Weak", "Weaker"]);
    // Whoever may have copied from one of the two is no stranger.
    let copied = sqlx::query("UPDATE likenesses SET account_b = (SELECT id FROM accounts WHERE email LIKE 'weaker%')");
    copied.execute(cup.database().write()).await.unwrap();
    assert!(!others(Some(1)).await.contains(&"Weaker".to_owned()));
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
