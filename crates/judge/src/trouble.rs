//! Trouble of the machine, told from trouble of a job by the kind of an error
//! and never by its words.

use std::fmt;
use std::io::{self, ErrorKind};

use ludus_sandbox::build::{BuildError, JailError};
use sqlx::postgres::PgDatabaseError;
use sqlx::sqlite::SqliteError;

use crate::remote::broker::BrokerAway;
use crate::remote::fleet::{NoSecond, NobodyThere};

/// What the machine lacks. As long as it does, no job is to blame for failing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Space, or a disk that works.
    Disk,
    /// File handles.
    Files,
    /// Memory or processes.
    Memory,
    Database,
    Store,
    /// The jail or the compilers in it.
    Jail,
    /// Anybody on other machines who does the work.
    Workers,
}

impl Trouble {
    pub const ALL: [Trouble; 7] = [
        Trouble::Disk,
        Trouble::Files,
        Trouble::Memory,
        Trouble::Database,
        Trouble::Store,
        Trouble::Jail,
        Trouble::Workers,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Trouble::Disk => "disk",
            Trouble::Files => "files",
            Trouble::Memory => "memory",
            Trouble::Database => "database",
            Trouble::Store => "store",
            Trouble::Jail => "jail",
            Trouble::Workers => "workers",
        }
    }

    pub fn of_word(word: &str) -> Option<Trouble> {
        Trouble::ALL.into_iter().find(|trouble| trouble.word() == word)
    }

    /// The trouble that an error is about, if it is the machine's.
    pub fn of(error: &anyhow::Error) -> Option<Trouble> {
        error.chain().find_map(|cause| {
            let io = cause.downcast_ref::<io::Error>().and_then(of_io);
            let sqlx = || cause.downcast_ref::<sqlx::Error>().and_then(of_sqlx);
            let build = || cause.downcast_ref::<BuildError>().and_then(of_build);
            let jail = || cause.downcast_ref::<JailError>().and_then(of_jail);
            let fleet = || {
                let nobody = cause.is::<NobodyThere>() || cause.is::<NoSecond>() || cause.is::<BrokerAway>();
                nobody.then_some(Trouble::Workers)
            };
            let bucket = || cause.downcast_ref::<ureq::Error>().map(|_| Trouble::Store);
            io.or_else(sqlx).or_else(build).or_else(jail).or_else(bucket).or_else(fleet)
        })
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

fn of_io(error: &io::Error) -> Option<Trouble> {
    match error.raw_os_error() {
        Some(libc::ENOSPC | libc::EDQUOT | libc::EIO | libc::EROFS | libc::EFBIG) => Some(Trouble::Disk),
        Some(libc::EMFILE | libc::ENFILE) => Some(Trouble::Files),
        Some(libc::ENOMEM | libc::EAGAIN) => Some(Trouble::Memory),
        Some(_) => None,
        None => match error.kind() {
            ErrorKind::StorageFull | ErrorKind::ReadOnlyFilesystem | ErrorKind::QuotaExceeded => Some(Trouble::Disk),
            ErrorKind::OutOfMemory => Some(Trouble::Memory),
            _ => None,
        },
    }
}

fn of_sqlx(error: &sqlx::Error) -> Option<Trouble> {
    match error {
        sqlx::Error::Io(error) => Some(of_io(error).unwrap_or(Trouble::Database)),
        sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_) => Some(Trouble::Database),
        sqlx::Error::Database(error) => {
            let code = error.code()?;
            if error.try_downcast_ref::<SqliteError>().is_some() {
                of_sqlite(code.parse().ok()?)
            } else if error.try_downcast_ref::<PgDatabaseError>().is_some() {
                of_postgres(&code)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// By the code's last byte; what is before it only says more.
fn of_sqlite(code: i32) -> Option<Trouble> {
    const PERM: i32 = 3;
    const BUSY: i32 = 5;
    const LOCKED: i32 = 6;
    const NOMEM: i32 = 7;
    const READONLY: i32 = 8;
    const IOERR: i32 = 10;
    const CORRUPT: i32 = 11;
    const FULL: i32 = 13;
    const CANTOPEN: i32 = 14;
    const PROTOCOL: i32 = 15;
    const NOTADB: i32 = 26;
    match code & 0xff {
        FULL | IOERR => Some(Trouble::Disk),
        NOMEM => Some(Trouble::Memory),
        PERM | BUSY | LOCKED | READONLY | CORRUPT | CANTOPEN | PROTOCOL | NOTADB => Some(Trouble::Database),
        _ => None,
    }
}

/// By the class of the code; two codes of a class are told apart.
fn of_postgres(code: &str) -> Option<Trouble> {
    match code {
        "53100" => Some(Trouble::Disk),
        "53200" => Some(Trouble::Memory),
        _ => match code.get(..2)? {
            // Connections, transactions in each other's way, resources, an
            // operator, the system, the server's own faults.
            "08" | "25" | "40" | "53" | "55" | "57" | "58" | "F0" | "XX" => Some(Trouble::Database),
            _ => None,
        },
    }
}

fn of_build(error: &BuildError) -> Option<Trouble> {
    match error {
        BuildError::Io { error, .. } => Some(of_io(error).unwrap_or(Trouble::Jail)),
        BuildError::Jail(error) => of_jail(error),
        error => (!error.is_of_the_source()).then_some(Trouble::Jail),
    }
}

fn of_jail(error: &JailError) -> Option<Trouble> {
    match error {
        JailError::Start { error, .. } => Some(of_io(error).unwrap_or(Trouble::Jail)),
        JailError::NoSpace(_) => Some(Trouble::Disk),
        JailError::Busy { .. } => Some(Trouble::Memory),
        // Somebody did that, and it may be because of the source.
        JailError::Killed { .. } => None,
        _ => Some(Trouble::Jail),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::{Context as _, anyhow};

    #[test]
    fn errors_are_told_apart_by_kind_and_not_by_words() {
        let io = |code| anyhow::Error::from(io::Error::from_raw_os_error(code)).context("cannot write to the store");
        for (error, trouble) in [
            (io(libc::ENOSPC), Some(Trouble::Disk)),
            (io(libc::EMFILE), Some(Trouble::Files)),
            (io(libc::ENOMEM), Some(Trouble::Memory)),
            (io(libc::ENOENT), None),
            (anyhow!("No space left on device (os error 28)"), None),
            (sqlx::Error::PoolTimedOut.into(), Some(Trouble::Database)),
            (sqlx::Error::RowNotFound.into(), None),
            (BuildError::NoJail.into(), Some(Trouble::Jail)),
            (BuildError::TooLarge.into(), None),
            (BrokerAway("nobody leads".to_owned()).into(), Some(Trouble::Workers)),
            (anyhow!("the broker keeps nothing: nobody leads"), None),
        ] {
            assert_eq!(Trouble::of(&error), trouble, "{error:#}");
        }
    }

    #[test]
    fn codes_of_both_databases_are_known() {
        assert_eq!(of_sqlite(13), Some(Trouble::Disk));
        assert_eq!(of_sqlite(778), Some(Trouble::Disk), "an I/O error with more to it");
        assert_eq!(of_sqlite(2067), None, "a name that is taken is nobody's trouble");
        assert_eq!(of_postgres("53100"), Some(Trouble::Disk));
        assert_eq!(of_postgres("57P01"), Some(Trouble::Database));
        assert_eq!(of_postgres("23505"), None);
    }

    #[tokio::test]
    async fn a_full_database_is_a_full_disk() {
        let folder = tempfile::tempdir().unwrap();
        let url = crate::database::Database::url_of_file(&folder.path().join("x.sqlite"));
        let database = crate::database::Database::open(&url).await.unwrap();
        let mut tx = database.begin().await.unwrap();
        sqlx::raw_sql("PRAGMA max_page_count = 1").execute(&mut *tx).await.unwrap();
        let full = sqlx::query("INSERT INTO course (id, title, refused_words) VALUES (1, $1, '')")
            .bind("x".repeat(100_000))
            .execute(&mut *tx)
            .await
            .context("while saving");
        assert_eq!(Trouble::of(&full.unwrap_err()), Some(Trouble::Disk));
    }
}
