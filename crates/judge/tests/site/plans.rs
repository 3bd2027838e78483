//! No page looks at all of a long table: SQLite says how it does every statement of
//! every list. PostgreSQL reads short tables from end to end, so that it is asked about
//! all of them when there is much in them (`scripts/fill-course`), and here about some.

use std::collections::BTreeMap;

use ludus_judge::accounts::Role;
use ludus_judge::database::{Database, Dialect, Slice};
use ludus_judge::ids::{AccountId, SeasonId};
use ludus_judge::matches::{self, Filter, LISTS, Purpose};
use ludus_judge::queue;
use ludus_judge::visibility::Viewer;
use sqlx::{AssertSqlSafe, Row as _};

use crate::cup::Cup;
use crate::harness::{Court, Kind};
use crate::round_pages::signed_in;

#[path = "../../examples/lists/plans.rs"]
mod postgres_plans;

use postgres_plans::{LONG, SHORT, scans_of, whole_scans};

/// Every list with its filters, and every page that shows some of one.
const PAGES: [&str; 50] = [
    "/",
    "/seasons/cup",
    "/seasons/cup/players",
    "/seasons/cup/players?text=p",
    "/seasons/cup/ladder",
    "/seasons/cup/ladder/table",
    "/seasons/cup/rounds",
    "/seasons/cup/rounds/1",
    "/seasons/cup/hall",
    "/seasons/cup/authors/1",
    "/seasons/cup/train",
    "/seasons/cup/submit",
    "/seasons/cup/desk",
    "/seasons/cup/grades",
    "/seasons/cup/likeness",
    "/seasons/cup/likeness?state=new",
    "/likeness/1",
    "/matches",
    "/matches?season=cup",
    "/matches?purpose=official",
    "/matches?purpose=verification",
    "/matches?purpose=training",
    "/matches?purpose=ladder",
    "/matches?season=cup&purpose=training",
    "/matches?season=cup&purpose=ladder",
    "/matches?player=player1",
    "/matches?season=cup&purpose=ladder&player=player1",
    "/matches?before=3",
    "/matches/1",
    "/submissions",
    "/submissions?season=cup",
    "/submissions?stage=accepted",
    "/submissions?stage=retired",
    "/submissions?season=cup&stage=accepted",
    "/submissions?text=player",
    "/submissions?season=cup&stage=rejected&text=p",
    "/submissions/1",
    "/players/1",
    "/training",
    "/training/1",
    "/friends",
    "/account",
    "/status",
    "/news",
    "/desk",
    "/people",
    "/people/2",
    "/actions",
    "/workshop",
    "/storage",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_list_looks_at_all_of_a_long_table() {
    let cup = Cup::new(Court::new(Kind::Sqlite).await, 4).await;
    cup.play().await;
    for k in 1..=4 {
        cup.run(match k {
            1 => "UPDATE submissions SET public_at = 1 WHERE name = 'Player1'",
            2 => "UPDATE submissions SET public_at = 1 WHERE name = 'Player2'",
            _ => "UPDATE submissions SET public_at = 1 WHERE name IN ('Player3', 'Player4')",
        })
        .await;
    }
    let mut one = signed_in(&cup, "student1").await;
    let fields = [("first", "Player1"), ("second", "Dummy"), ("third", "Dummy"), ("fourth", "Player2")];
    one.post("/seasons/cup/train", &[&fields[..], &[("seating", "fixed"), ("count", "2"), ("seed", "7")]].concat())
        .await;
    cup.court.site.steward().turn().await.unwrap();
    crate::likeness::plant(&cup).await;
    let laia = cup.court.visitor("laia", Role::Instructor).await;
    let mut plans: BTreeMap<String, String> = BTreeMap::new();
    for mut browser in [cup.court.browser(), one, laia] {
        for page in PAGES {
            cup.court.site.following.ladders.forget().await;
            cup.court.site.frames.forget();
            cup.database().read().listen();
            assert!(!browser.get(page).await.status.is_server_error(), "{page}");
            for statement in cup.database().read().heard() {
                plans.entry(statement).or_insert_with(|| page.to_owned());
            }
        }
    }
    assert!(plans.len() > 60, "{}", plans.len());
    let mut wrong = Vec::new();
    for (statement, page) in &plans {
        wrong.extend(
            scans(cup.database(), statement).await.into_iter().map(|how| format!("{page}: {how} in {statement}\n")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The long tables of which a statement looks at every row, in an index or not.
async fn scans(database: &Database, statement: &str) -> Vec<String> {
    let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
    let rows = sqlx::query(explain).fetch_all(database.read()).await.unwrap();
    let long = |name: &str| LONG.contains(&name) || LONG.iter().any(|table| is_called(statement, table, name));
    let is_short = |step: &str| SHORT.iter().any(|index| step.ends_with(&format!(" INDEX {index}")));
    let steps = rows.iter().map(|row| row.try_get::<String, _>("detail").unwrap());
    let scanned = |step: &str| step.strip_prefix("SCAN ").is_some_and(|rest| long(rest.split(' ').next().unwrap()));
    // Nearly all jobs are matches.
    let is_of_a_kind = |step: &str| step.ends_with("_jobs_1 (kind=?)");
    steps.filter(|step| is_of_a_kind(step) || scanned(step) && !is_short(step)).collect()
}

/// Whether a statement has this name for a table.
fn is_called(statement: &str, table: &str, name: &str) -> bool {
    let words: Vec<&str> =
        statement.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    words.windows(2).any(|pair| pair == [table, name])
}

#[test]
fn plans_of_postgres_are_read() {
    let scans = |plan: &str| scans_of(&plan.lines().map(ToOwned::to_owned).collect::<Vec<_>>());
    assert_eq!(scans("Aggregate\n  ->  Seq Scan on matches m\n        Filter: (seed = 1)").len(), 1);
    assert_eq!(scans("Limit\n  ->  Index Scan Backward using matches_pkey on matches m").len(), 0);
    assert_eq!(scans("Limit\n  ->  Sort\n        ->  Index Scan using matches_pkey on matches m").len(), 1);
    assert_eq!(scans("Index Scan using matches_pkey on matches m\n  Index Cond: (id < $1)").len(), 0);
    assert_eq!(scans("Index Only Scan using jobs_ready on jobs\nSeq Scan on seasons").len(), 0);
    let first =
        "Limit\n  InitPlan 1\n    ->  Aggregate\n  ->  Index Scan Backward using submissions_by_verdict on submissions";
    assert_eq!(scans(first).len(), 0);
    assert_eq!(scans(&format!("{first}\n        Filter: (seed = 1)")).len(), 1);
    assert_eq!(scans(&first.replace("Limit", "Sort")).len(), 1);
}

#[tokio::test]
async fn a_scan_is_seen() {
    let court = Court::new(Kind::Sqlite).await;
    let database = &court.site.database;
    assert_eq!(scans(database, "SELECT COUNT(*) FROM matches m WHERE m.purpose <> 'x'").await.len(), 1);
    assert_eq!(
        scans(database, "SELECT s.seat FROM seats s JOIN matches m ON m.id = s.match_id WHERE m.seed = 1").await.len(),
        1
    );
    assert_eq!(scans(database, "SELECT id FROM matches WHERE id < 7 ORDER BY id DESC").await.len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_of_matches_go_along_indexes_on_postgres_too() {
    let court = filled(Kind::Postgres).await;
    for statement in LISTS {
        let mut scans = whole_scans(&court.site.database, statement).await.unwrap();
        // There are two submissions.
        scans.retain(|step| !step.contains(" on submissions"));
        assert!(scans.is_empty(), "{statement}\n{scans:#?}");
    }
    let scans = whole_scans(&court.site.database, "SELECT COUNT(*) FROM matches WHERE seed = $1").await.unwrap();
    assert_eq!(scans.len(), 1, "what does is seen");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_are_the_same_on_sqlite() {
    filled(Kind::Sqlite).await;
}

/// However many jobs wait, and have been done: what waits is read from the front, and
/// everything else is found.
async fn the_queue_reads_no_more_of_many_jobs(kind: Kind) {
    let court = Court::new(kind).await;
    let database = &court.site.database;
    for sql in [
        "WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 40000)
         INSERT INTO jobs (kind, subject, account_id, priority, batch, state, turn, rank, created_at)
         SELECT 'match', k, 1 + k % 300, 2, k / 8, CASE WHEN k % 2 = 0 THEN 'waiting' ELSE 'done' END, k / 8, 0, 0 FROM n",
        "ANALYZE",
    ] {
        sqlx::raw_sql(sql).execute(database.write()).await.unwrap();
    }
    for statement in queue::statements(database.dialect()) {
        let found = match kind {
            Kind::Sqlite => scans(database, &statement).await,
            Kind::Postgres => whole_scans(database, &statement).await.unwrap(),
        };
        assert!(found.is_empty(), "{statement}\n{found:#?}");
        let plan = plan(database, &statement).await;
        let sorts = ["TEMP B-TREE", "Sort"].iter().any(|word| plan.contains(word));
        assert!(!sorts, "{statement}\n{plan}");
        assert!(!plan.contains("jobs_ready") || statement.contains(" LIMIT "), "{statement}\n{plan}");
    }
    let whole = "SELECT COUNT(*) FROM jobs WHERE created_at = $1";
    let found = match kind {
        Kind::Sqlite => scans(database, whole).await,
        Kind::Postgres => whole_scans(database, whole).await.unwrap(),
    };
    assert_eq!(found.len(), 1, "what does is seen");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_queue_reads_no_more_of_many_jobs_on_sqlite() {
    the_queue_reads_no_more_of_many_jobs(Kind::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_queue_reads_no_more_of_many_jobs_on_postgres() {
    the_queue_reads_no_more_of_many_jobs(Kind::Postgres).await;
}

async fn plan(database: &Database, statement: &str) -> String {
    if database.dialect() == Dialect::Postgres {
        return postgres_plans::plan(database, statement).await.unwrap().join("\n");
    }
    let explain = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
    let rows = sqlx::query(explain).fetch_all(database.read()).await.unwrap();
    rows.iter().map(|row| row.try_get::<String, _>("detail").unwrap() + "\n").collect()
}

/// Many training matches of somebody else, and a few of one's own.
async fn filled(kind: Kind) -> Court {
    let court = Court::new(kind).await;
    let database = &court.site.database;
    for name in ["ana", "pau", "eva"] {
        court.add_person(name, Role::Student).await;
    }
    for sql in [
        "INSERT INTO submissions (season_id, account_id, name, name_key, file_name, language, source, stage, module, seed, created_at, decided_at)
         VALUES (1, 1, 'Own', 'own', 'AIx.cc', 'cpp', 'x', 'accepted', 'x', 1, 1, 1),
         (1, 2, 'Other', 'other', 'AIx.cc', 'cpp', 'x', 'accepted', 'x', 1, 1, 1)",
        "WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 400)
         INSERT INTO trainings (season_id, account_id, seating, seed, matches, created_at) SELECT 1, 2, 'fixed', k, 50, k FROM n",
        // Every hundredth set is one's own.
        "INSERT INTO training_players (training_id, place, name, submission_id)
         SELECT t.id, q.place, 'x', CASE WHEN q.place = 0 AND t.id % 100 = 7 THEN 1 ELSE 2 END
         FROM trainings t CROSS JOIN (SELECT 0 AS place UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) q",
        "WITH RECURSIVE n (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k < 19999)
         INSERT INTO matches (season_id, purpose, training_id, seed, share, created_at, played, replay)
         SELECT 1, CASE WHEN k % 100 = 0 THEN 'official' WHEN k % 100 = 1 THEN 'ladder' ELSE 'training' END,
         CASE WHEN k % 100 < 2 THEN NULL ELSE 1 + k / 50 END, k, 'share' || CAST(k AS TEXT), k, 1, 'x' FROM n",
        "INSERT INTO seats (match_id, seat, name, submission_id)
         SELECT m.id, q.seat, CASE WHEN q.seat = 0 THEN 'Own' ELSE 'Other' END,
         CASE WHEN q.seat = 0 AND m.training_id % 100 = 7 THEN 1 ELSE 2 END
         FROM matches m CROSS JOIN (SELECT 0 AS seat UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) q",
        "ANALYZE",
    ] {
        sqlx::query(sql).execute(database.write()).await.unwrap();
    }
    check_lists(database).await;
    court
}

/// What is listed page by page is what may be seen, one by one.
async fn check_lists(database: &Database) {
    let viewer = |account: i64, sees_all| Viewer { account: (account > 0).then_some(AccountId(account)), sees_all };
    let named = |player: &str| Filter { player: player.to_owned(), ..Filter::default() };
    let of = |purpose| Filter { purpose: Some(purpose), ..Filter::default() };
    for (viewer, filter, expected) in [
        (viewer(0, false), Filter::default(), 400),
        (viewer(1, false), Filter::default(), 592),
        (viewer(1, false), of(Purpose::Training), 192),
        (viewer(1, false), Filter { season: Some(SeasonId(1)), ..of(Purpose::Training) }, 192),
        (viewer(1, false), Filter { season: Some(SeasonId(2)), ..of(Purpose::Training) }, 0),
        (viewer(1, false), of(Purpose::Official), 200),
        (viewer(3, false), of(Purpose::Training), 0),
        (viewer(3, false), Filter { season: Some(SeasonId(1)), ..of(Purpose::Ladder) }, 200),
        (viewer(1, false), named("own"), 592),
        (viewer(4, true), of(Purpose::Ladder), 200),
        (viewer(4, true), named("nobody"), 0),
    ] {
        let (mut seen, mut next) = (Vec::new(), Some(i64::MAX));
        while let Some(before) = next {
            let part = matches::list(database, viewer, &filter, Slice::page(Some(before))).await.unwrap();
            assert!(part.items.len() <= 25);
            seen.extend(part.items.iter().map(|one| one.id));
            next = part.older;
        }
        assert_eq!(seen.len(), expected, "{viewer:?} {filter:?}");
        assert!(seen.is_sorted_by(|one, next| one > next), "{viewer:?} {filter:?}");
        for &id in &seen {
            assert!(matches::find_visible(database, viewer, id).await.unwrap().is_some(), "{viewer:?} {id}");
        }
    }
}
