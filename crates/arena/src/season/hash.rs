//! Hashes of modules, seeds and files, as round files and pages write them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

/// Thirty-two bytes, written as 64 hexadecimal digits: a SHA-256, a seed or a
/// public key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// The SHA-256 of bytes.
    pub fn of(bytes: &[u8]) -> Hash {
        Hash::of_parts(&[bytes])
    }

    /// The SHA-256 of parts, one after another.
    pub(super) fn of_parts(parts: &[&[u8]]) -> Hash {
        let mut hasher = Sha256::new();
        parts.iter().for_each(|part| hasher.update(part));
        Hash(hasher.finalize().into())
    }

    /// The first digits, for messages.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 hexadecimal digits")]
pub struct NoHash;

impl FromStr for Hash {
    type Err = NoHash;

    fn from_str(text: &str) -> Result<Hash, NoHash> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(NoHash);
        }
        let value = |digit: u8| char::from(digit).to_digit(16).ok_or(NoHash);
        let mut hash = [0; 32];
        for (byte, [high, low]) in hash.iter_mut().zip(digits.as_chunks().0) {
            *byte = (value(*high)? << 4 | value(*low)?) as u8;
        }
        Ok(Hash(hash))
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hash, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_and_read_as_hexadecimal_digits() {
        let hash = Hash::of(b"abc");
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash.to_string(), text);
        assert_eq!(text.parse(), Ok(hash));
        assert_eq!(text.to_uppercase().parse(), Ok(hash));
        for wrong in ["", &text[1..], &format!("{text}0"), &text.replace('b', "g"), &"é".repeat(32)] {
            assert_eq!(wrong.parse::<Hash>(), Err(NoHash), "{wrong}");
        }
    }
}
