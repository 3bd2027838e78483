//! Where replays, modules and what players wrote are kept: by their hash.
//!
//! What is stored under a hash never changes, so it may be written twice and
//! read from anywhere. A folder by default, or a bucket that speaks S3. What is
//! read is compared with its hash; what was lost is told from what cannot be
//! read at the moment, so that it can be made again (`restoring`).

mod bucket;
mod folder;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};

use crate::faults::{self, Seam};
use crate::secrets;
use bucket::Bucket;
use folder::Folder;

#[derive(Clone, Debug)]
pub struct Store {
    place: Place,
    faults: Faults,
    /// Whether what is put is on the disk before anybody hears of it.
    waits: bool,
}

#[derive(Clone, Debug)]
enum Place {
    Folder(Folder),
    Bucket(Box<Bucket>),
}

/// What is about to be done to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreOp {
    Create,
    Write,
    Sync,
    Rename,
    Read,
    Remove,
}

type Fault = dyn Fn(StoreOp) -> io::Result<()> + Send + Sync;

/// Asked before everything that is done to the store, so that tests can let it
/// fail. Without one nothing does.
#[derive(Clone, Default)]
pub struct Faults(Option<Arc<Fault>>);

impl Faults {
    fn check(&self, op: StoreOp) -> io::Result<()> {
        self.0.as_ref().map_or(Ok(()), |fault| fault(op))
    }
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "faults" } else { "no faults" })
    }
}

/// Something that was kept is gone, or is not what it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    #[error("the store has no {0}")]
    Missing(String),
    #[error("what the store has as {0} is damaged")]
    Damaged(String),
}

impl Lost {
    pub fn hash(&self) -> &str {
        match self {
            Lost::Missing(hash) | Lost::Damaged(hash) => hash,
        }
    }

    /// What was lost, if an error is about that.
    pub fn of(error: &anyhow::Error) -> Option<&Lost> {
        error.downcast_ref()
    }
}

/// Fewer things than this are put one by one.
const FEW: usize = 4;
/// Files that somebody began to write so long ago are nobody's any more.
const UNFINISHED: Duration = Duration::from_secs(3600);

impl Store {
    /// The store of a URL: a folder, or `s3://KEY:SECRET@HOST/BUCKET`.
    pub fn open(url: &str) -> Result<Store> {
        let place = if url.starts_with("s3:") || url.starts_with("s3+http:") {
            Place::Bucket(Box::new(Bucket::from_url(url)?))
        } else {
            let path = url.strip_prefix("file://").or_else(|| url.strip_prefix("file:")).unwrap_or(url);
            // Some other address, which may hold a password, so it is not repeated.
            ensure!(!path.contains("://"), "--store must be a folder or s3://KEY:SECRET@HOST/BUCKET");
            let folder = Folder::open(path)?;
            folder.sweep(UNFINISHED)?;
            Place::Folder(folder)
        };
        Ok(Store { place, faults: Faults::default(), waits: true })
    }

    /// The same store for what is made again where a power cut takes it: nobody waits
    /// for the disk, and files that follow each other are written together.
    pub fn without_waiting(&self) -> Store {
        Store { waits: false, ..self.clone() }
    }

    /// The same store, which fails when it is told to.
    pub fn with_faults(self, fault: impl Fn(StoreOp) -> io::Result<()> + Send + Sync + 'static) -> Store {
        Store { faults: Faults(Some(Arc::new(fault))), ..self }
    }

    /// Keeps some bytes, durably unless nobody waits for that, and gives their hash.
    /// What was damaged is whole again afterwards.
    pub fn put(&self, bytes: &[u8]) -> Result<String> {
        let hash = hash_of(bytes);
        faults::at(Seam::Put).context("cannot write to the store")?;
        match &self.place {
            Place::Folder(folder) => folder.put(&hash, bytes, &self.faults, self.waits)?,
            Place::Bucket(bucket) => {
                self.faults.check(StoreOp::Write)?;
                bucket.put(&hash, bytes)?;
            }
        }
        Ok(hash)
    }

    /// Keeps several things as [`Store::put`] does, and waits for the disk once.
    pub fn put_all(&self, all: &[&[u8]]) -> Result<Vec<String>> {
        let Place::Folder(folder) = &self.place else { return all.iter().map(|bytes| self.put(bytes)).collect() };
        if all.len() < FEW {
            return all.iter().map(|bytes| self.put(bytes)).collect();
        }
        faults::at(Seam::Put).context("cannot write to the store")?;
        let hashed: Vec<(String, &[u8])> = all.iter().map(|bytes| (hash_of(bytes), *bytes)).collect();
        folder.put_all(&hashed, &self.faults, self.waits)?;
        Ok(hashed.into_iter().map(|(hash, _)| hash).collect())
    }

    /// Writes something and takes it away again: a look at whether that works.
    pub fn probe(&self) -> Result<()> {
        const BYTES: &[u8] = b"a look at the store";
        faults::at(Seam::Put)?;
        match &self.place {
            Place::Folder(folder) => Ok(folder.probe(BYTES)?),
            Place::Bucket(bucket) => bucket.put(&hash_of(BYTES), BYTES),
        }
    }

    /// What was put under a hash; [`Lost`] if it is gone or damaged.
    pub fn get(&self, hash: &str) -> Result<Vec<u8>> {
        ensure!(is_hash(hash), "'{hash}' is no hash");
        faults::at(Seam::Get).with_context(|| format!("cannot read {hash}"))?;
        self.faults.check(StoreOp::Read)?;
        let bytes = match &self.place {
            Place::Folder(folder) => folder.get(hash)?,
            Place::Bucket(bucket) => bucket.get(hash)?,
        };
        if hash_of(&bytes) != hash {
            return Err(Lost::Damaged(hash.to_owned()).into());
        }
        Ok(bytes)
    }

    /// Removes what has not been put again for so long, and says whether it is
    /// gone. Nothing that a job has put and not yet told the database about is
    /// so old; a bucket does not tell, and what it then misses is made again.
    pub fn remove(&self, hash: &str, unused: Duration) -> Result<bool> {
        ensure!(is_hash(hash), "'{hash}' is no hash");
        self.faults.check(StoreOp::Remove)?;
        match &self.place {
            Place::Folder(folder) => folder.remove(hash, unused),
            Place::Bucket(bucket) => bucket.remove(hash).map(|()| true),
        }
    }

    /// The hashes with these two first letters that have not been put for so
    /// long. A bucket is not listed: what nobody refers to any more is removed
    /// by name, and only what a crash left behind stays.
    pub fn unused(&self, start: u8, unused: Duration) -> Result<Vec<String>> {
        match &self.place {
            Place::Folder(folder) => folder.unused(start, unused),
            Place::Bucket(_) => Ok(Vec::new()),
        }
    }
}

/// What something is kept under.
pub fn hash_of(bytes: &[u8]) -> String {
    secrets::hex(&Sha256::digest(bytes))
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|c| c.is_ascii_digit() || matches!(c, b'a'..=b'f'))
}
