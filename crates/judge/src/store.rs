//! Where replays, modules and what players wrote are kept: by their hash.
//!
//! What is stored under a hash never changes, so it may be written twice and
//! read from anywhere. A folder by default, or a bucket that speaks S3.

mod bucket;

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest as _, Sha256};

use crate::faults::{self, Seam};
use crate::secrets;
use bucket::Bucket;

#[derive(Clone, Debug)]
pub enum Store {
    Folder(PathBuf),
    Bucket(Box<Bucket>),
}

impl Store {
    /// The store of a URL: a folder, or `s3://KEY:SECRET@HOST/BUCKET`.
    pub fn open(url: &str) -> Result<Store> {
        if url.starts_with("s3:") || url.starts_with("s3+http:") {
            return Ok(Store::Bucket(Box::new(Bucket::from_url(url)?)));
        }
        let path = url.strip_prefix("file://").or_else(|| url.strip_prefix("file:")).unwrap_or(url);
        // Some other address, which may hold a password, so it is not repeated.
        ensure!(!path.contains("://"), "--store must be a folder or s3://KEY:SECRET@HOST/BUCKET");
        let folder = PathBuf::from(path);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make the store {}", folder.display()))?;
        Ok(Store::Folder(folder))
    }

    /// Keeps some bytes, durably, and gives their hash.
    pub fn put(&self, bytes: &[u8]) -> Result<String> {
        let hash = secrets::hex(&Sha256::digest(bytes));
        faults::at(Seam::Put).context("cannot write to the store")?;
        match self {
            Store::Folder(folder) => write(&path(folder, &hash), bytes).context("cannot write to the store")?,
            Store::Bucket(bucket) => bucket.put(&hash, bytes)?,
        }
        Ok(hash)
    }

    /// Writes something and takes it away again: a look at whether that works.
    pub fn probe(&self) -> Result<()> {
        const BYTES: &[u8] = b"a look at the store";
        faults::at(Seam::Put)?;
        match self {
            Store::Folder(folder) => {
                let path = folder.join(format!("probe-{}", secrets::short_token()));
                let written = File::create(&path).and_then(|mut file| {
                    file.write_all(BYTES)?;
                    file.sync_all()
                });
                // One that stays is small, and the next look says why it stays.
                let _ = fs::remove_file(&path);
                Ok(written?)
            }
            Store::Bucket(bucket) => bucket.put(&secrets::hex(&Sha256::digest(BYTES)), BYTES),
        }
    }

    pub fn get(&self, hash: &str) -> Result<Vec<u8>> {
        ensure!(hash.len() == 64 && hash.bytes().all(|c| c.is_ascii_hexdigit()), "'{hash}' is no hash");
        faults::at(Seam::Get).with_context(|| format!("cannot read {hash}"))?;
        let bytes = match self {
            Store::Folder(folder) => fs::read(path(folder, hash)).with_context(|| format!("cannot read {hash}"))?,
            Store::Bucket(bucket) => bucket.get(hash)?,
        };
        if secrets::hex(&Sha256::digest(&bytes)) != hash {
            bail!("what the store has as {hash} is damaged");
        }
        Ok(bytes)
    }
}

/// Two letters of the hash keep the folders small.
fn path(folder: &Path, hash: &str) -> PathBuf {
    folder.join(&hash[..2]).join(&hash[2..])
}

/// The file appears whole, and is on the disk when this returns.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if path.is_file() {
        return Ok(());
    }
    let folder = path.parent().expect("the hash has two parts");
    fs::create_dir_all(folder)?;
    let temporary = folder.join(format!("new-{}", secrets::short_token()));
    let mut file = File::create(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_can_be_got_and_damage_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().to_str().unwrap()).unwrap();
        let hash = store.put(b"a replay").unwrap();
        assert_eq!(store.put(b"a replay").unwrap(), hash);
        assert_eq!(store.get(&hash).unwrap(), b"a replay");
        fs::write(path(folder.path(), &hash), b"another").unwrap();
        assert!(store.get(&hash).unwrap_err().to_string().contains("damaged"));
        for wrong in ["", "../../etc/passwd", &"g".repeat(64)] {
            assert!(store.get(wrong).is_err());
        }
    }
}
