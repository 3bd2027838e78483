//! Where the replay of a match is: beside its result if it is small, in the store
//! otherwise.

use anyhow::{Context as _, Result};
use sqlx::Row as _;

use super::Match;
use crate::database::Database;
use crate::store::Store;

/// A replay that has been found and not been read.
pub enum KeptReplay {
    Small(Vec<u8>),
    InStore(Store, String),
}

impl KeptReplay {
    /// Of a match that has been played.
    pub async fn of(database: &Database, store: &Store, found: &Match) -> Result<KeptReplay> {
        let row = sqlx::query("SELECT small_replay FROM matches WHERE id = $1").bind(found.id);
        if let Some(small) = row.fetch_one(database.read()).await?.try_get("small_replay")? {
            return Ok(KeptReplay::Small(small));
        }
        let hash = found.replay.clone().with_context(|| format!("match {} has no replay", found.id))?;
        Ok(KeptReplay::InStore(store.clone(), hash))
    }

    /// Its bytes, which the store may take its time for.
    pub fn read(self) -> Result<Vec<u8>> {
        match self {
            KeptReplay::Small(bytes) => Ok(bytes),
            KeptReplay::InStore(store, hash) => store.get(&hash),
        }
    }
}
