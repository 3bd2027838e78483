//! Connections under the judge's own rules: a transaction that was not committed
//! takes its connection with it.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::{self, BoxFuture, FutureExt as _};
use futures_util::stream::{self, BoxStream, StreamExt as _};
use sqlx::any::{AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo};
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
}

impl Gate {
    pub(super) fn new(pool: AnyPool, seam: Seam) -> Gate {
        Gate { pool, seam, asked: Arc::default() }
    }

    /// How many statements have gone this way.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    fn pass(&self) -> std::io::Result<()> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        faults::at(self.seam)
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
            Ok(()) => (&self.pool).fetch_many(query),
            Err(error) => stream::once(future::ready(Err(error.into()))).boxed(),
        }
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, sqlx::Result<Option<AnyRow>>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Any>,
    {
        match self.pass() {
            Ok(()) => (&self.pool).fetch_optional(query),
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
