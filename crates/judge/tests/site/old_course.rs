//! The course of an earlier Ludus opens, and tells the same.

use std::time::{Duration, Instant};

use ludus_judge::ids::{AccountId, MatchId, SubmissionId};
use ludus_judge::matches::{self, Step};
use ludus_judge::queue::Queue;
use ludus_judge::submissions::{self, Reason, Stage, Verdict};
use ludus_judge::texts::Language;
use ludus_judge::{accounts, sessions};

use crate::harness::{Court, Kind};
use crate::postgres;

const COURSE: &str = include_str!("../old/course.sql");

async fn old_course() -> Court {
    let folder = crate::harness::folder();
    sqlx::any::install_default_drivers();
    let pool = sqlx::AnyPool::connect(&Court::sqlite(&folder)).await.unwrap();
    sqlx::raw_sql(COURSE).execute(&pool).await.unwrap();
    pool.close().await;
    Court::of(Kind::Sqlite, folder).await
}

#[tokio::test]
async fn verdicts_of_before_are_understood() {
    let court = old_course().await;
    let database = &court.site.database;
    let fault = Reason::Fault(MatchId(11));
    let overtime = Reason::Overtime { in_match: MatchId(11), seat: ludus_games::Seat::ALL[2], seconds: 30 };
    for (id, stage, reason) in [
        (1, Stage::Accepted, None),
        (2, Stage::Rejected, Some(Reason::NameTaken)),
        (4, Stage::Rejected, Some(fault)),
        (5, Stage::Rejected, Some(Reason::NotWon(MatchId(13)))),
        (6, Stage::Rejected, Some(Reason::Module("it registers no player".to_owned()))),
        (7, Stage::Retired, None),
        (8, Stage::Rejected, Some(overtime)),
        (9, Stage::Rejected, Some(Reason::Slow { seconds: 30 })),
        (10, Stage::Rejected, Some(Reason::OtherName("Other".to_owned()))),
        (11, Stage::Rejected, Some(Reason::ExampleTwice)),
    ] {
        let found = submissions::find(database, SubmissionId(id)).await.unwrap().unwrap();
        assert_eq!(found.stage, stage, "submission {id}");
        assert_eq!(found.verdict, Some(reason.map_or(Verdict::Accepted, Verdict::Rejected)), "submission {id}");
    }
    court.sums_are_right().await;
    let steps = matches::of_submission(database, SubmissionId(1)).await.unwrap();
    let steps: Vec<Step> = steps.iter().map(|one| one.verifies.unwrap().1).collect();
    assert_eq!(steps, Step::all().collect::<Vec<_>>());
}

/// What the pages of that Ludus said.
#[tokio::test]
async fn pages_of_before_say_the_same() {
    let court = old_course().await;
    let mut pau = court.browser();
    let token = sessions::start(&court.site.database, AccountId(2), "", "").await.unwrap();
    pau.cookies.insert("ludus_session".to_owned(), token);
    for (page, words) in [
        ("/submissions/1", "<h2>Accepted</h2>"),
        ("/submissions/3", "player.cc:32:29: error: expected ';' after expression"),
        ("/submissions/4", "the one in seat 1 failed in round 0: out of CPU time."),
        ("/submissions/5", "It did not win in seat 1"),
        ("/submissions/8", "In match 11 the player in seat 3 took more than 30 seconds"),
        ("/matches/11", "frozen in round 0: ended its own program: aborted"),
        ("/matches/11", "frozen in round 0: out of CPU time"),
        ("/matches", "Winner"),
        ("/seasons/dominator/players", "class=\"count\">1<"),
    ] {
        let answer = pau.get(page).await;
        assert!(answer.has(words), "{page} should say {words}: {}", answer.text);
    }
    accounts::set_language(&court.site.database, AccountId(2), Language::Catalan).await.unwrap();
    let catalan = pau.get("/submissions/4").await;
    assert!(catalan.has("ha esgotat la CPU"), "{}", catalan.text);
}

/// The course of the very first judge, with a job that was under way.
async fn first_course(kind: Kind) -> Court {
    let folder = crate::harness::folder();
    let (url, tables, bytes) = match kind {
        Kind::Sqlite => (Court::sqlite(&folder), include_str!("../../migrations/sqlite/0001_first.sql"), "X'2F'"),
        Kind::Postgres => {
            (postgres::fresh_database(), include_str!("../../migrations/postgres/0001_first.sql"), "'\\x2F'")
        }
    };
    let config = ludus_games::find("ants").unwrap().about().default_config;
    let rows = include_str!("../old/first.sql").replace("'CONFIG'", &format!("'{config}'")).replace("SOURCE", bytes);
    sqlx::any::install_default_drivers();
    let pool = sqlx::AnyPool::connect(&url).await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("{tables};\n{rows}"))).execute(&pool).await.unwrap();
    pool.close().await;
    Court::at(&url, folder).await
}

async fn the_first_course_opens_and_goes_on(kind: Kind) {
    let mut court = first_course(kind).await;
    let mut pau = court.browser();
    let token = sessions::start(&court.site.database, AccountId(2), "", "").await.unwrap();
    pau.cookies.insert("ludus_session".to_owned(), token);
    for (page, words) in [
        ("/", "Old course"),
        ("/submissions/1", "Winner"),
        ("/submissions/2", "ha esgotat la CPU"),
        ("/matches/1", "Abort"),
        ("/seasons/spring/players", "Winner"),
    ] {
        let answer = pau.get(page).await;
        assert!(answer.has(words), "{page} should say {words}: {}", answer.text);
    }
    let winner = submissions::find(&court.site.database, SubmissionId(1)).await.unwrap().unwrap();
    assert_eq!((winner.stage, winner.verdict), (Stage::Accepted, Some(Verdict::Accepted)));
    // Whoever had the job is not seen any more, so it is done now: a file with
    // one byte does not compile.
    court.site.queue = Queue::new(court.site.database.clone(), Duration::from_millis(200));
    let deadline = Instant::now() + Duration::from_secs(120);
    let verdict = loop {
        court.work().await;
        let late = submissions::find(&court.site.database, SubmissionId(3)).await.unwrap().unwrap();
        if let Some(verdict) = late.verdict {
            break verdict;
        }
        assert!(Instant::now() < deadline, "the job that was under way is never done");
        tokio::task::yield_now().await;
    };
    assert!(matches!(verdict, Verdict::Rejected(Reason::Compiler(_))), "{verdict:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_course_opens_and_goes_on_sqlite() {
    the_first_course_opens_and_goes_on(Kind::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_course_opens_and_goes_on_postgres() {
    the_first_course_opens_and_goes_on(Kind::Postgres).await;
}
