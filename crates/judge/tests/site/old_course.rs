//! The course of an earlier Ludus opens, and tells the same.

use ludus_judge::database::Database;
use ludus_judge::ids::{AccountId, MatchId, SubmissionId};
use ludus_judge::matches::{self, Step};
use ludus_judge::submissions::{self, Reason, Stage, Verdict};
use ludus_judge::texts::Language;
use ludus_judge::{accounts, sessions};

use crate::harness::{Court, Kind};

const COURSE: &str = include_str!("../old/course.sql");

async fn old_course() -> Court {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("judge.sqlite");
    {
        sqlx::any::install_default_drivers();
        let pool = sqlx::AnyPool::connect(&Database::url_of_file(&file)).await.unwrap();
        sqlx::raw_sql(COURSE).execute(&pool).await.unwrap();
        pool.close().await;
    }
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
