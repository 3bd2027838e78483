//! What is stored about somebody: in one file, and gone.

use std::collections::BTreeMap;
use std::path::Path;

use axum::http::StatusCode;
use ludus_arena::season::file::RoundFile;
use ludus_judge::accounts::{self, Account, Role};
use ludus_judge::archive::Reader;
use ludus_judge::backup::{self, Progress, Source};
use ludus_judge::caretaker::{Caretaker, Rule};
use ludus_judge::database::schema;
use ludus_judge::removal::{self, FATES};
use ludus_judge::{export, seasons};

use crate::cup::Cup;
use crate::finals::{make, two_seasons};
use crate::harness::{Browser, Court};
use crate::round_pages::signed_in;
use crate::training::{befriend, publish, train};
use crate::veil::{addresses, shares, walk, walkers};
use crate::verdicts::{GOOD, named};
use crate::{on_both, on_sqlite};

on_both!(
    an_export_has_all_of_a_person_and_nothing_secret,
    a_person_who_is_deleted_is_nowhere,
    somebody_decided_about_every_reference_to_people,
    a_season_goes_with_all_that_belongs_to_it,
    an_export_of_a_season_has_it_all
);

on_sqlite!(official_results_stay_when_somebody_goes);

async fn person(cup: &Cup, name: &str) -> Account {
    accounts::credentials(cup.database(), &format!("{name}@x.edu")).await.unwrap().unwrap().0
}

/// The files of an archive.
pub fn parts(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut reader = Reader::open(path).unwrap();
    let mut parts = BTreeMap::new();
    while let Some(entry) = reader.next_entry().unwrap() {
        parts.insert(entry.name, entry.bytes);
    }
    parts
}

/// Two who train together, one of whom is in official rounds and has handed in
/// something else.
async fn course(court: Court) -> (Cup, Browser, Browser) {
    let cup = two_seasons(court).await;
    let (mut one, mut two) = (signed_in(&cup, "student5").await, signed_in(&cup, "student4").await);
    befriend(&mut one, "student4@x.edu").await;
    befriend(&mut two, "student5@x.edu").await;
    publish(&cup, &mut one, "Player5").await;
    one.submit("open", &named(GOOD, "Handed")).await;
    cup.work().await;
    train(&mut one, ["Player5", "Player4", "Dummy", "Dummy"], "4", "turning").await;
    train(&mut two, ["Player5", "Player4", "Dummy", "Dummy"], "4", "turning").await;
    cup.work().await;
    // What the players wrote, which the machine of a cup does not keep.
    let output = cup.court.site.store.put(b"my secret plan").unwrap();
    sqlx::query(
        "UPDATE seats SET output = $1 WHERE submission_id IN (SELECT s.id FROM submissions s
         JOIN accounts a ON a.id = s.account_id WHERE a.email = 'student5@x.edu')",
    )
    .bind(output)
    .execute(cup.database().write())
    .await
    .unwrap();
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let id = person(&cup, "student5").await.id;
    let reason = [("locked", "1"), ("reason", "Name of student5 asked")];
    laia.post(&format!("/people/{id}/lock"), &reason).await;
    laia.post(&format!("/people/{id}/lock"), &[("locked", "0"), ("reason", "mistake")]).await;
    let one = signed_in(&cup, "student5").await;
    (cup, one, two)
}

async fn an_export_has_all_of_a_person_and_nothing_secret(court: Court) {
    let (cup, one, _) = course(court).await;
    let file = cup.court.folder().join("person.tar.gz");
    let account = person(&cup, "student5").await;
    export::person(cup.database(), &cup.court.site.store, account.id, &file).await.unwrap();
    let parts = parts(&file);
    let text = |name: &str| String::from_utf8_lossy(&parts[name]).into_owned();
    assert!(text("tables/accounts-0.ndjson").contains("student5@x.edu"));
    assert_eq!(text("tables/accounts-0.ndjson").lines().count(), 1, "nobody else's account");
    assert_eq!(text("tables/submissions-0.ndjson").lines().count(), 2);
    assert_eq!(text("tables/trainings-0.ndjson").lines().count(), 1, "the set that was asked for");
    assert_eq!(text("tables/friends-0.ndjson").lines().count(), 2, "both ways");
    for table in ["sessions", "actions", "entrants", "round_players", "matches", "seats"] {
        assert!(parts.contains_key(&format!("tables/{table}-0.ndjson")), "{table}");
    }
    let count = |start: &str| parts.keys().filter(|name| name.starts_with(start)).count();
    assert_eq!((count("sources/"), count("modules/")), (2, 2));
    assert!(
        parts.iter().any(|(name, bytes)| name.starts_with("sources/") && bytes.starts_with(&GOOD.as_bytes()[..20]))
    );
    assert!(parts.iter().any(|(name, bytes)| name.starts_with("outputs/") && bytes == b"my secret plan"));
    assert!(count("replays/") >= 8);
    let all: String = parts.values().map(|bytes| String::from_utf8_lossy(bytes)).collect();
    assert!(!all.contains("argon2") && !all.contains("student1@x.edu"));
    let session = ludus_judge::secrets::token_hash(&one.cookies["ludus_session"]);
    assert!(!all.contains(&session), "who has the file cannot sign in with it");

    // A final that is not revealed is not in it.
    let mut laia = signed_in(&cup, "laia").await;
    make(&cup, &mut laia, &[("cup", "3"), ("two", "2")]).await;
    crate::finals::play(&cup, &mut laia).await;
    let secret = cup.court.folder().join("secret.tar.gz");
    export::person(cup.database(), &cup.court.site.store, account.id, &secret).await.unwrap();
    let later = self::parts(&secret);
    for name in ["tables/matches-0.ndjson", "tables/seats-0.ndjson", "tables/round_players-0.ndjson"] {
        assert_eq!(parts[name].len(), later[name].len(), "{name}");
    }
    assert_eq!(count("replays/"), later.keys().filter(|name| name.starts_with("replays/")).count());
}

/// Everything that the database holds, as a backup tells it.
async fn everything(cup: &Cup) -> String {
    let file = cup.court.folder().join("all.backup");
    let source = Source { database: cup.database(), store: &cup.court.site.store, folder: cup.court.folder() };
    backup::make(&source, &file, &mut Progress::silent()).await.unwrap();
    let parts = parts(&file);
    std::fs::remove_file(&file).unwrap();
    let tables = parts.into_iter().filter(|(name, _)| name.starts_with("tables/"));
    tables.map(|(_, bytes)| String::from_utf8(bytes).unwrap()).collect()
}

async fn sweep(cup: &Cup) {
    let rule = Rule { grace: std::time::Duration::ZERO, ..Rule::default() };
    let restorer = cup.court.environment().restorer();
    let (database, store) = (cup.database().clone(), cup.court.site.store.clone());
    Caretaker { database, store, restorer, rule }.sweep().await.unwrap();
}

async fn a_person_who_is_deleted_is_nowhere(court: Court) {
    let (cup, one, two) = course(court).await;
    let words = ["student5@x.edu", "Name of student5", "my secret plan", "Handed"];
    let before = everything(&cup).await;
    assert!(before.contains(words[0]) && before.contains(words[1]) && before.contains("Handed"));
    let source = before.matches("PLAYER_NAME").count();
    assert_eq!(source, 0, "sources are in base64");
    let account = person(&cup, "student5").await;
    let hashes: Vec<String> = sqlx::query_scalar(
        "SELECT DISTINCT s.output FROM seats s WHERE s.output IS NOT NULL UNION SELECT module FROM submissions WHERE name = 'Handed'",
    )
    .fetch_all(cup.database().read())
    .await
    .unwrap();
    removal::person(cup.database(), &account).await.unwrap();
    let after = everything(&cup).await;
    for word in words {
        assert!(!after.contains(word), "{word}");
    }
    assert_eq!(cup.count("SELECT COUNT(*) FROM submissions WHERE LENGTH(source) = 0").await, 1, "the official one");
    assert_eq!(cup.count("SELECT COUNT(*) FROM friends").await, 0);
    cup.court.sums_are_right().await;
    assert_eq!(cup.count("SELECT COUNT(*) FROM trainings").await, 1, "the other's");
    sweep(&cup).await;
    for hash in hashes {
        assert!(cup.court.site.store.get(&hash).is_err(), "what the store had of it is gone");
    }
    assert_eq!(cup.court.visiting(&one).get("/account").await.status, StatusCode::SEE_OTHER, "signed out");
    let mut again = cup.court.browser();
    assert_ne!(again.sign_in("student5", crate::harness::PASSWORD).await.status, StatusCode::SEE_OTHER);
    // No page names the person, whoever looks; and every page still works.
    let laia = signed_in(&cup, "laia").await;
    let visitors = walkers(&cup.court, &[cup.court.browser(), two, laia]).await;
    let walked = walk(&cup.court, &visitors, &addresses(&shares(&cup).await)).await;
    for (key, text) in walked {
        assert!(!text.starts_with("5"), "{key:?}: {text}");
        for word in words {
            assert!(!text.contains(word), "{key:?}: {word}");
        }
    }
}

async fn official_results_stay_when_somebody_goes(court: Court) {
    let (cup, ..) = course(court).await;
    let round = |cup: &Cup| {
        let router = cup.court.router();
        async move {
            let request = axum::http::Request::get("/seasons/cup/rounds/1/file").header("host", "judge.test");
            let request = request.body(axum::body::Body::empty()).unwrap();
            let answer = tower::ServiceExt::oneshot(router, request).await.unwrap();
            axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap().to_vec()
        }
    };
    let before = RoundFile::read(&round(&cup).await).unwrap().manifest;
    let left = cup.left().await;
    let account = person(&cup, "student5").await;
    removal::person(cup.database(), &account).await.unwrap();
    let file = round(&cup).await;
    let file = RoundFile::read(&file).unwrap();
    file.check().unwrap();
    assert_eq!(before.stages, file.manifest.stages);
    assert_eq!(before.eliminated, file.manifest.eliminated);
    assert_eq!(cup.left().await, left, "until the next round is frozen");
    let page = cup.court.browser().get("/seasons/cup/rounds").await;
    assert!(page.has("Player5") && page.status == StatusCode::OK);
    cup.play().await;
    assert!(!cup.left().await.contains(&5), "who is gone leaves the season");
    let only = cup.court.visitor("eva", Role::Instructor).await;
    drop(only);
    let laia = person(&cup, "laia").await;
    removal::person(cup.database(), &laia).await.unwrap();
    let eva = person(&cup, "eva").await;
    let last = removal::person(cup.database(), &eva).await.unwrap_err().to_string();
    assert!(last.contains("the only instructor"), "{last}");
}

/// A new table that names people fails here until somebody has decided.
async fn somebody_decided_about_every_reference_to_people(court: Court) {
    let database = &court.site.database;
    let mut tx = database.snapshot().await.unwrap();
    let tables = schema::tables(&mut tx, database.dialect()).await.unwrap();
    tx.rollback().await.unwrap();
    let mut found: Vec<(&str, &str)> = Vec::new();
    for table in &tables {
        let of_accounts = table.refers.iter().filter(|(_, to)| to == "accounts");
        found.extend(of_accounts.map(|(column, _)| (table.name.as_str(), column.as_str())));
    }
    found.sort_unstable();
    let mut decided: Vec<(&str, &str)> = FATES.iter().map(|(table, column, _)| (*table, *column)).collect();
    decided.sort_unstable();
    assert_eq!(found, decided, "removal::FATES says what becomes of each when somebody is deleted");
}

async fn a_season_goes_with_all_that_belongs_to_it(court: Court) {
    let (cup, ..) = course(court).await;
    let mut laia = signed_in(&cup, "laia").await;
    make(&cup, &mut laia, &[("cup", "3"), ("two", "2")]).await;
    crate::finals::play(&cup, &mut laia).await;
    let id = |slug: &'static str| {
        let database = cup.database().clone();
        async move { seasons::find(&database, slug).await.unwrap().unwrap().id }
    };
    let (first, second) = (id("cup").await, id("two").await);
    let alone = removal::seasons(cup.database(), &[first]).await.unwrap_err().to_string();
    assert!(alone.contains("has finalists of other seasons"), "{alone}");
    let before = cup.count("SELECT COUNT(*) FROM actions").await;
    removal::seasons(cup.database(), &[first, second]).await.unwrap();
    for table in ["rounds", "round_players", "round_matches", "finals", "finalists", "entrants", "trainings"] {
        let count = sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}")));
        assert_eq!(count.fetch_one(cup.database().read()).await.unwrap(), 0, "{table}");
    }
    assert_eq!(cup.count("SELECT COUNT(*) FROM seasons").await, 1, "the third stays");
    assert_eq!(cup.count("SELECT COUNT(*) FROM submissions").await, 1, "with its player");
    cup.court.sums_are_right().await;
    assert_eq!(cup.count("SELECT COUNT(*) FROM matches WHERE season_id <> (SELECT id FROM seasons)").await, 0);
    assert_eq!(cup.count("SELECT COUNT(*) FROM actions").await, before, "the log keeps what was done");
    sweep(&cup).await;
    let hashes = cup.count("SELECT COUNT(*) FROM leavings").await;
    assert_eq!(hashes, 0);
    let stored = std::fs::read_dir(cup.court.folder().join("store")).unwrap();
    let left: usize = stored.map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap().count()).sum();
    assert!(left <= 7, "a source, a module and five replays at most, and there are {left} files");
    let visitors = walkers(&cup.court, &[cup.court.browser(), laia]).await;
    let walked = walk(&cup.court, &visitors, &addresses(&[])).await;
    assert!(walked.values().all(|text| !text.starts_with('5')));
}

async fn an_export_of_a_season_has_it_all(court: Court) {
    let (cup, ..) = course(court).await;
    cup.direct().await;
    let file = cup.court.folder().join("season.tar.gz");
    let season = seasons::find(cup.database(), "cup").await.unwrap().unwrap().id;
    export::seasons(cup.database(), &cup.court.site.store, &[season], &file).await.unwrap();
    let parts = parts(&file);
    let rows =
        |table: &str| String::from_utf8_lossy(&parts[&format!("tables/{table}-0.ndjson")]).lines().count() as i64;
    let sql = "SELECT COUNT(*) FROM matches WHERE season_id = (SELECT id FROM seasons WHERE slug = 'cup')";
    assert_eq!(rows("matches"), cup.count(sql).await);
    assert_eq!((rows("seasons"), rows("accounts"), rows("submissions"), rows("rounds")), (1, 5, 5, 3));
    let count = |start: &str| parts.keys().filter(|name| name.starts_with(start)).count();
    assert_eq!((count("sources/"), count("modules/")), (5, 5));
    assert!(count("replays/") > 8 && count("outputs/") > 0);
    let rounds = String::from_utf8_lossy(&parts["tables/rounds-0.ndjson"]).into_owned();
    assert!(!rounds.contains("\"seed\""), "the next round has a seed already, which nobody may know");
}
