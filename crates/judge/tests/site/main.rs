//! The site as its visitors meet it, on SQLite and on PostgreSQL, and the program
//! as it is started, killed and crowded.
#![allow(clippy::unwrap_used)]

mod accounts;
mod api;
mod api_student;
mod api_walk;
mod attacks;
mod backup;
mod broker;
mod bucket;
mod busy_rounds;
mod command_line;
mod crowd;
mod cup;
mod dashboard;
mod dates;
mod desk;
mod face;
mod files;
mod finals;
mod fleet_trial;
mod grades;
mod groups;
mod harness;
mod hostile;
mod instructors;
mod kill;
mod ladder;
mod leaving;
mod letters;
mod likeness;
mod mail_tls;
mod matrix;
mod newcomers;
mod news;
mod old_course;
mod overruns;
mod overtime;
mod personal;
mod plans;
mod playroom;
mod postgres;
mod privacy;
mod queue;
mod remote;
mod remote_lies;
mod remote_trust;
mod retirement;
mod round_pages;
mod rounds;
mod season;
mod server;
mod shown;
mod slow;
mod small_replays;
mod spoilt;
mod start;
mod storage;
mod training;
mod university;
mod veil;
mod verdicts;
mod visibility;
mod workers;

/// Makes each test twice: for SQLite and for PostgreSQL. This is for what may differ
/// between the two: statements that no other test here asks of PostgreSQL, and
/// several who do something at once.
macro_rules! on_both {
    ($($test:ident),* $(,)?) => {
        crate::on!(sqlite, Sqlite, $($test),*);
        crate::on!(postgres, Postgres, $($test),*);
    };
}
pub(crate) use on_both;

/// Makes each test once more, with all that is compiled and played on workers
/// that a broker brings it to.
macro_rules! on_a_broker {
    ($($test:ident),* $(,)?) => {
        mod carried {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() { super::$test(crate::harness::Court::with_broker().await).await; })*
        }
    };
}
pub(crate) use on_a_broker;

/// The same, but PostgreSQL is for `./test long` (`scripts/both-databases`): these
/// tests are about requests, words, players and time, or there is one beside them
/// in `on_both!` that asks the same of PostgreSQL (`docs/trials.md`).
macro_rules! on_sqlite {
    ($($test:ident),* $(,)?) => {
        crate::on!(on_sqlite, Sqlite, $($test),*);
        crate::on!(long_postgres, Postgres, $($test),*);
    };
}
pub(crate) use on_sqlite;

macro_rules! on {
    ($module:ident, $kind:ident, $($test:ident),*) => {
        mod $module {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() { super::$test(crate::harness::Court::new(crate::harness::Kind::$kind).await).await; })*
        }
    };
}
pub(crate) use on;
