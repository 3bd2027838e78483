//! Modules at the broker: put by the judge for the worker that has an order with
//! them, and fetched by it unless it has their machine code already.
//!
//! They are under the worker's own number, and the broker lets nobody else read
//! there: so a token opens the modules of its worker's orders and no others. They
//! are gone after a while. They are in parts, because brokers bound the length of a
//! message, and what comes is compared with the hash.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use async_nats::jetstream::Context;
use async_nats::{Client, StatusCode};
use ludus_arena::season::Hash;

use super::broker::keep;
use super::letters::{Missing, PART};
use super::names;
use crate::ids::WorkerId;
use crate::store::Store;

/// Parts of a module at most: the largest has eight megabytes.
const MOST_PARTS: u32 = 32;
/// Modules that the judge remembers to have put for somebody; more are put again.
const MOST_KNOWN: usize = 100_000;
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// What this judge has put, and for whom.
#[derive(Debug, Default)]
pub struct Shelf(Mutex<BTreeSet<(WorkerId, Hash)>>);

impl Shelf {
    fn lock(&self) -> MutexGuard<'_, BTreeSet<(WorkerId, Hash)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a module there for a worker unless this has been done.
    pub async fn put(&self, broker: &Context, store: &Store, worker: WorkerId, hash: Hash) -> Result<()> {
        if self.lock().contains(&(worker, hash)) {
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
            keep(broker, names::module(worker, &hash, part), bytes).await?;
        }
        let mut known = self.lock();
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert((worker, hash));
        Ok(())
    }

    /// A worker did not find it.
    pub fn forget(&self, worker: WorkerId, hash: Hash) {
        self.lock().remove(&(worker, hash));
    }

    pub fn forget_all(&self) {
        self.lock().clear();
    }
}

/// Fetches a module that a worker has an order with; [`Missing`] if it is not there.
pub async fn fetch(client: &Client, worker: WorkerId, hash: Hash) -> Result<Vec<u8>> {
    let (parts, mut wasm) = part(client, worker, hash, 0).await?;
    ensure!(parts <= MOST_PARTS, "the module {hash} is too large");
    for number in 1..parts {
        wasm.extend(part(client, worker, hash, number).await?.1);
    }
    if Hash::of(&wasm) != hash {
        return Err(Missing(hash).into());
    }
    Ok(wasm)
}

async fn part(client: &Client, worker: WorkerId, hash: Hash, number: u32) -> Result<(u32, Vec<u8>)> {
    let asked = client.request(names::ask_for_module(worker, &hash, number), Vec::new().into());
    let answer = tokio::time::timeout(LONGEST_WAIT, asked).await;
    let answer = answer.map_err(|_| anyhow!("the broker does not answer"))?;
    let answer = answer.map_err(|error| anyhow!("the broker does not give a module: {error}"))?;
    if answer.status == Some(StatusCode::NOT_FOUND) {
        return Err(Missing(hash).into());
    }
    let (parts, bytes) = answer.payload.split_first_chunk::<4>().ok_or(Missing(hash))?;
    Ok((u32::from_le_bytes(*parts), bytes.to_vec()))
}
