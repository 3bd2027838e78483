//! Reading a round file: its signature, its manifest, and where everything else is.

use super::key::has_signed;
use super::{Failure, LARGEST_MANIFEST, MAGIC, Manifest, Place, PublicKey, Reason, VERSION};
use crate::season::{Hash, MatchId};

/// Whether bytes claim to be a round file.
pub fn is_round_file(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// A round file that is whole and signed by the key that it names.
#[derive(Clone, Debug)]
pub struct RoundFile<'a> {
    pub manifest: Manifest,
    /// The key that has signed it. Whether it is the course's is for the reader to know.
    pub key: PublicKey,
    /// The SHA-256 of the manifest, which stands for the whole round.
    pub digest: Hash,
    /// In the order of stages and groups.
    pub(super) replays: Vec<(MatchId, &'a [u8])>,
    /// As they are in the file: unchecked until [`RoundFile::check`].
    pub(super) modules: Vec<&'a [u8]>,
}

impl<'a> RoundFile<'a> {
    /// Reads a file, of which nothing is trusted.
    pub fn read(bytes: &'a [u8]) -> Result<RoundFile<'a>, Failure> {
        let fails = |reason| Failure { at: Place::File, reason };
        let mut rest = Rest(bytes.strip_prefix(&MAGIC).ok_or(fails(Reason::NoRoundFile))?);
        match rest.array().map(u16::from_le_bytes) {
            Some(VERSION) => {}
            Some(version) if version > VERSION => return Err(fails(Reason::Newer(version))),
            _ => return Err(fails(Reason::NoRoundFile)),
        }
        let (key, signature, manifest) = rest.signed().ok_or(fails(Reason::Length))?;
        if !has_signed(&key, &signature, manifest) {
            return Err(fails(Reason::Signature(key)));
        }
        let digest = Hash::of(manifest);
        let manifest = Manifest::read(manifest)?;
        let replays = rest.replays(&manifest).ok_or(fails(Reason::Length))?;
        let modules = rest.modules(&manifest)?;
        if !rest.0.is_empty() {
            return Err(fails(Reason::Length));
        }
        Ok(RoundFile { manifest, key, digest, replays, modules })
    }

    /// The matches and their replays, in order.
    pub fn replays(&self) -> &[(MatchId, &'a [u8])] {
        &self.replays
    }

    /// The modules in the file by their hashes; none if they were not given out.
    pub fn modules(&self) -> impl Iterator<Item = (Hash, &'a [u8])> {
        self.manifest.modules().into_iter().zip(self.modules.iter().copied())
    }
}

/// What is left to read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        self.0.split_off(..count)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn length(&mut self) -> Option<usize> {
        usize::try_from(u32::from_le_bytes(self.array()?)).ok()
    }

    /// The key, the signature and what they are for.
    fn signed(&mut self) -> Option<(PublicKey, [u8; 64], &'a [u8])> {
        let (key, signature) = (Hash(self.array()?), self.array()?);
        let length = self.length().filter(|&length| length <= LARGEST_MANIFEST)?;
        Some((key, signature, self.take(length)?))
    }

    fn replays(&mut self, manifest: &Manifest) -> Option<Vec<(MatchId, &'a [u8])>> {
        let mut replays = Vec::new();
        for (stage, entry) in (1..).zip(&manifest.stages) {
            for (group, played) in (1..).zip(&entry.matches) {
                let id = MatchId::new(stage, group).expect("they are counted from 1");
                replays.push((id, self.take(usize::try_from(played.bytes).ok()?)?));
            }
        }
        Some(replays)
    }

    /// All modules of the round, or none.
    fn modules(&mut self, manifest: &Manifest) -> Result<Vec<&'a [u8]>, Failure> {
        let fails = |reason| Failure { at: Place::File, reason };
        let found = self.length().ok_or(fails(Reason::Length))?;
        let expected = manifest.modules().len();
        if found != 0 && found != expected {
            return Err(fails(Reason::Modules { found: found as u32, expected }));
        }
        let module = |rest: &mut Self| rest.length().and_then(|length| rest.take(length));
        (0..found).map(|_| module(self).ok_or(fails(Reason::Length))).collect()
    }
}
