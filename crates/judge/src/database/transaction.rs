//! Connections under the judge's own rules: a transaction that was not committed
//! takes its connection with it.

use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::{self, BoxFuture, FutureExt as _};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use sqlx::any::{AnyArguments, AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo};
use sqlx::error::BoxDynError;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, Either, Execute, Executor, SqlStr};

use crate::faults::{self, Seam};

/// Several statements that take effect together.
///
/// After a disk without space SQLite has rolled back by itself, and neither it
/// nor the pool's own transactions can tell what the connection is in the middle
/// of. So nothing is asked of a connection whose transaction did not end well:
/// it is closed, which undoes whatever was open, and the pool makes another.
pub struct Tx {
    connection: PoolConnection<Any>,
    open: bool,
}

impl Tx {
    pub(super) async fn begin(pool: &AnyPool, statement: &'static str, is_sqlite: bool) -> sqlx::Result<Tx> {
        faults::at(Seam::Begin)?;
        // Open before it is, so that one that is given up on the way counts too.
        let mut tx = Tx { connection: pool.acquire().await?, open: true };
        if let Some(pages) = faults::most_pages().filter(|_| is_sqlite) {
            sqlx::raw_sql(pages).execute(&mut *tx).await?;
        }
        sqlx::raw_sql(statement).execute(&mut *tx).await?;
        Ok(tx)
    }

    /// An error leaves open whether it took effect.
    pub async fn commit(mut self) -> sqlx::Result<()> {
        faults::at(Seam::Commit)?;
        sqlx::raw_sql("COMMIT").execute(&mut *self).await?;
        self.open = false;
        faults::at(Seam::Committed)?;
        Ok(())
    }

    /// For those who change their mind; after an error it is enough to let go.
    pub async fn rollback(mut self) -> sqlx::Result<()> {
        sqlx::raw_sql("ROLLBACK").execute(&mut *self).await?;
        self.open = false;
        Ok(())
    }
}

impl Drop for Tx {
    fn drop(&mut self) {
        if self.open {
            self.connection.close_on_drop();
        }
    }
}

impl Deref for Tx {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.connection
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.connection
    }
}

/// The way of single statements to the database.
#[derive(Clone, Debug)]
pub struct Gate {
    pub(super) pool: AnyPool,
    pub(super) seam: Seam,
    asked: Arc<AtomicU64>,
    /// The statements that have gone this way, while somebody listens.
    heard: Arc<Mutex<Option<BTreeSet<String>>>>,
}

impl Gate {
    pub(super) fn new(pool: AnyPool, seam: Seam) -> Gate {
        Gate { pool, seam, asked: Arc::default(), heard: Arc::default() }
    }

    /// How many statements have gone this way.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Begins to note statements, for tests that ask how the database does them.
    pub fn listen(&self) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(BTreeSet::new());
    }

    /// The statements since then.
    pub fn heard(&self) -> BTreeSet<String> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default()
    }

    /// Notes a statement if somebody listens.
    fn hear<'q, E: Execute<'q, Any>>(&self, mut query: E) -> Result<E, Heard> {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(heard) = &mut *heard else { return Ok(query) };
        // A statement is known only to whoever takes it apart.
        let (arguments, persistent) = (query.take_arguments(), query.persistent());
        let sql = query.sql();
        heard.insert(sql.as_str().to_owned());
        Err(Heard { sql, arguments: Some(arguments), persistent })
    }

    fn pass(&self) -> std::io::Result<()> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        faults::at(self.seam)
    }
}

/// A statement that was taken apart.
struct Heard {
    sql: SqlStr,
    arguments: Option<Result<Option<AnyArguments>, BoxDynError>>,
    persistent: bool,
}

impl<'q> Execute<'q, Any> for Heard {
    fn sql(self) -> SqlStr {
        self.sql
    }

    fn statement(&self) -> Option<&AnyStatement> {
        None
    }

    fn take_arguments(&mut self) -> Result<Option<AnyArguments>, BoxDynError> {
        self.arguments.take().unwrap_or(Ok(None))
    }

    fn persistent(&self) -> bool {
        self.persistent
    }
}

impl<'p> Executor<'p> for &'_ Gate {
    type Database = Any;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, sqlx::Result<Either<AnyQueryResult, AnyRow>>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Any>,
    {
        match self.pass() {
            Ok(()) => match self.hear(query) {
                Ok(query) => (&self.pool).fetch_many(query),
                Err(heard) => (&self.pool).fetch_many(heard),
            },
            Err(error) => stream::once(future::ready(Err(error.into()))).boxed(),
        }
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, sqlx::Result<Option<AnyRow>>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Any>,
    {
        match self.pass() {
            Ok(()) => match self.hear(query) {
                Ok(query) => (&self.pool).fetch_optional(query),
                Err(heard) => (&self.pool).fetch_optional(heard),
            },
            Err(error) => future::ready(Err(error.into())).boxed(),
        }
    }

    fn prepare_with<'e>(self, sql: SqlStr, parameters: &'e [AnyTypeInfo]) -> BoxFuture<'e, sqlx::Result<AnyStatement>>
    where
        'p: 'e,
    {
        let pool = self.pool.clone();
        Box::pin(async move { pool.acquire().await?.prepare_with(sql, parameters).await })
    }
}
