//! Modules at the broker: put once by the judge, fetched by hash by whoever plays.
//!
//! They are in parts, because brokers bound the length of a message. What comes is
//! compared with the hash. Whoever has a worker's token can fetch them, also
//! without knowing a hash, because the broker takes a wildcard for one: modules of
//! players are no secret before those who play them.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use async_nats::jetstream::Context;
use async_nats::{Client, StatusCode};
use ludus_arena::season::Hash;

use super::letters::{Missing, PART};
use super::names;
use crate::store::Store;

/// Parts of a module at most: the largest has eight megabytes.
const MOST_PARTS: u32 = 32;
/// Hashes that the judge remembers to have put; more are put again.
const MOST_KNOWN: usize = 20_000;
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// What this judge has put.
#[derive(Debug, Default)]
pub struct Shelf(Mutex<BTreeSet<Hash>>);

impl Shelf {
    fn lock(&self) -> MutexGuard<'_, BTreeSet<Hash>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a module there unless this has been done.
    pub async fn put(&self, broker: &Context, store: &Store, hash: Hash) -> Result<()> {
        if self.lock().contains(&hash) {
            return Ok(());
        }
        let store = store.clone();
        let wasm = tokio::task::spawn_blocking(move || store.get(&hash.to_string())).await??;
        let parts = wasm.chunks(PART).count().max(1) as u32;
        ensure!(parts <= MOST_PARTS, "the module {hash} is too large");
        // The first part comes last: who finds it finds all.
        for part in (0..parts).rev() {
            let from = part as usize * PART;
            let mut bytes = parts.to_le_bytes().to_vec();
            bytes.extend_from_slice(&wasm[from..wasm.len().min(from + PART)]);
            let sent = broker.publish(names::module(&hash, part), bytes.into()).await;
            let kept = sent.map_err(|error| anyhow!("the broker does not take a module: {error}"))?.await;
            kept.map_err(|error| anyhow!("the broker does not keep a module: {error}"))?;
        }
        let mut known = self.lock();
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(hash);
        Ok(())
    }

    /// Somebody did not find it.
    pub fn forget(&self, hash: &Hash) {
        self.lock().remove(hash);
    }

    pub fn forget_all(&self) {
        self.lock().clear();
    }
}

/// Fetches a module; [`Missing`] if it is not there.
pub async fn fetch(client: &Client, hash: Hash) -> Result<Vec<u8>> {
    let (parts, mut wasm) = part(client, hash, 0).await?;
    ensure!(parts <= MOST_PARTS, "the module {hash} is too large");
    for number in 1..parts {
        wasm.extend(part(client, hash, number).await?.1);
    }
    if Hash::of(&wasm) != hash {
        return Err(Missing(hash).into());
    }
    Ok(wasm)
}

async fn part(client: &Client, hash: Hash, number: u32) -> Result<(u32, Vec<u8>)> {
    let asked = client.request(names::ask_for_module(&hash, number), Vec::new().into());
    let answer = tokio::time::timeout(LONGEST_WAIT, asked).await;
    let answer = answer.map_err(|_| anyhow!("the broker does not answer"))?;
    let answer = answer.map_err(|error| anyhow!("the broker does not give a module: {error}"))?;
    if answer.status == Some(StatusCode::NOT_FOUND) {
        return Err(Missing(hash).into());
    }
    let (parts, bytes) = answer.payload.split_first_chunk::<4>().ok_or(Missing(hash))?;
    Ok((u32::from_le_bytes(*parts), bytes.to_vec()))
}
