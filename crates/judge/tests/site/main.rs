//! The site as its visitors meet it, on SQLite and on PostgreSQL.
#![allow(clippy::unwrap_used)]

mod accounts;
mod api;
mod api_student;
mod api_walk;
mod attacks;
mod backup;
mod bucket;
mod busy_rounds;
mod command_line;
mod cup;
mod dashboard;
mod dates;
mod desk;
mod face;
mod files;
mod finals;
mod grades;
mod groups;
mod harness;
mod hostile;
mod instructors;
mod ladder;
mod leaving;
mod letters;
mod likeness;
mod matrix;
mod newcomers;
mod news;
mod old_course;
mod overruns;
mod overtime;
mod personal;
mod plans;
mod postgres;
mod privacy;
mod queue;
mod retirement;
mod round_pages;
mod rounds;
mod slow;
mod spoilt;
mod storage;
mod training;
mod university;
mod veil;
mod verdicts;
mod visibility;

/// Makes each test twice: for SQLite and for PostgreSQL.
macro_rules! on_both {
    ($($test:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() { super::$test(crate::harness::Court::new(crate::harness::Kind::Sqlite).await).await; })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() { super::$test(crate::harness::Court::new(crate::harness::Kind::Postgres).await).await; })*
        }
    };
}
pub(crate) use on_both;
