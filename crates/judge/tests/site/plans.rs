//! Lists cost the same however many matches there are: databases go along indexes
//! and never through a whole table.

use ludus_judge::accounts::Role;
use ludus_judge::database::{Database, Page};
use ludus_judge::ids::AccountId;
use ludus_judge::matches::{self, Filter, LISTS, Purpose, SLICES};
use ludus_judge::visibility::Viewer;
use sqlx::{AssertSqlSafe, Row as _};

use crate::harness::{Court, Kind};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_go_along_indexes_on_sqlite() {
    let court = filled(Kind::Sqlite).await;
    for (viewer, ((count, select), slice)) in LISTS.into_iter().zip(SLICES).enumerate() {
        // Instructors see all matches: whoever goes through them from the newest
        // one stops when a page is full.
        let goes_through_all = |line: &str| viewer == 1 && line == "SCAN m";
        for statement in [count, select, slice] {
            let plan = plan(&court, &format!("EXPLAIN QUERY PLAN {statement}"), "detail").await;
            for line in &plan {
                let table = line.strip_prefix("SCAN ").map(|rest| rest.split(' ').next().unwrap_or_default());
                assert!(!table.is_some_and(|table| BIG.contains(&table)) || goes_through_all(line), "{plan:#?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_go_along_indexes_on_postgres() {
    let court = filled(Kind::Postgres).await;
    for ((count, select), slice) in LISTS.into_iter().zip(SLICES) {
        for statement in [count, select, slice] {
            let plan = plan(&court, &format!("EXPLAIN {statement}"), "QUERY PLAN").await;
            let scans =
                |line: &String| ["matches", "seats"].iter().any(|big| line.contains(&format!("Seq Scan on {big}")));
            assert!(!plan.iter().any(scans), "{plan:#?}");
        }
    }
}

/// The names by which statements know the tables that grow.
const BIG: [&str; 5] = ["m", "ms", "mp", "s", "p"];

async fn plan(court: &Court, statement: &str, column: &str) -> Vec<String> {
    let (sees_all, account) = (i64::from(statement.contains("$2 <> -1")), AccountId(1));
    let rows = sqlx::query(AssertSqlSafe(statement)).bind(sees_all).bind(account).bind(0_i64).bind("").bind("");
    let rows = rows.bind(Page::SIZE);
    let rows = if statement.contains("$7") { rows.bind(Page::SIZE) } else { rows };
    let rows = if statement.contains("$8") { rows.bind(0_i64) } else { rows };
    let rows = rows.fetch_all(court.site.database.read()).await.unwrap();
    rows.iter().map(|row| row.try_get(column).unwrap()).collect()
}

async fn run(database: &Database, sql: &'static str) {
    sqlx::query(sql).execute(database.write()).await.unwrap();
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
        "WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 2000)
         INSERT INTO submissions (season_id, account_id, name, name_key, file_name, language, source, stage, seed, created_at, decided_at)
         SELECT 1, CASE WHEN k % 20 = 0 THEN 2 ELSE 3 END, 'No', 'no', 'AIx.cc', 'cpp', 'x', 'rejected', 1, 1, 1 FROM n",
        "WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 20000)
         INSERT INTO matches (season_id, purpose, seed, share, created_at, played, replay)
         SELECT 1, CASE WHEN k % 100 = 0 THEN 'official' WHEN k % 100 = 1 THEN 'demonstration' ELSE 'training' END, k,
         'share' || CAST(k AS TEXT), k, 1, 'x' FROM n",
        "INSERT INTO seats (match_id, seat, name, submission_id)
         SELECT m.id, q.seat, CASE WHEN q.seat = 0 THEN 'Own' ELSE 'Other' END,
         CASE WHEN q.seat = 0 AND m.id % 5000 = 2 THEN 1 ELSE 2 + (4 * m.id + q.seat) % 1999 END
         FROM matches m CROSS JOIN (SELECT 0 AS seat UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) q",
        "ANALYZE",
    ] {
        run(database, sql).await;
    }
    check_lists(&court).await;
    court
}

/// What is listed is what may be seen, one by one.
async fn check_lists(court: &Court) {
    let database = &court.site.database;
    let viewer = |account: i64, sees_all| Viewer { account: (account > 0).then_some(AccountId(account)), sees_all };
    for (viewer, purpose, expected) in [
        (viewer(0, false), None, 200),
        (viewer(1, false), None, 404),
        (viewer(1, false), Some(Purpose::Training), 4),
        (viewer(1, false), Some(Purpose::Official), 200),
        (viewer(3, false), Some(Purpose::Training), 10_001),
        (viewer(4, true), None, 10_001),
        (viewer(4, true), Some(Purpose::Demonstration), 200),
    ] {
        let filter = Filter { purpose, ..Filter::default() };
        let listed = matches::list(database, viewer, &filter, Page::new(None)).await.unwrap();
        assert_eq!(listed.total, expected, "{viewer:?} {purpose:?}");
        assert_eq!(listed.items.len() as i64, expected.min(Page::SIZE));
        assert!(listed.items.is_sorted_by_key(|one| std::cmp::Reverse(one.id)));
        for one in &listed.items {
            assert!(matches::find_visible(database, viewer, one.id).await.unwrap().is_some(), "{viewer:?} {}", one.id);
            assert!(purpose.is_none_or(|purpose| one.purpose == purpose));
        }
    }
    let own = Filter { player: "own".to_owned(), ..Filter::default() };
    let third = matches::list(database, viewer(3, false), &own, Page::new(Some(3))).await.unwrap();
    assert!(third.items.len() == 25 && third.items[0].id > third.items[24].id);
    let last = matches::list(database, viewer(3, false), &own, Page::new(Some(90_000))).await.unwrap();
    assert_eq!(last.page.number, 401, "nothing is looked for beyond what is counted");
}
