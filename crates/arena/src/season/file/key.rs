//! The key of a course: it signs round files, and everybody can check it.

use std::fmt;

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

use crate::season::Hash;

/// What comes before a manifest in the message that is signed, so that a
/// signature of the course's key on anything else is none on a round.
const LABEL: &[u8] = b"ludus round file 1\0";

/// The secret key with which a course signs its rounds (Ed25519).
#[derive(Clone)]
pub struct CourseKey(SigningKey);

impl fmt::Debug for CourseKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CourseKey of {:?}", self.public())
    }
}

impl CourseKey {
    /// The key of 32 secret bytes, which must come from a good generator.
    pub fn new(secret: [u8; 32]) -> CourseKey {
        CourseKey(SigningKey::from_bytes(&secret))
    }

    /// The key that the course publishes.
    pub fn public(&self) -> PublicKey {
        Hash(self.0.verifying_key().to_bytes())
    }

    pub(super) fn sign(&self, manifest: &[u8]) -> [u8; 64] {
        self.0.sign(&message(manifest)).to_bytes()
    }
}

/// The key that a course publishes: 32 bytes, written as 64 hexadecimal digits.
pub type PublicKey = Hash;

/// Whether this key has signed this manifest. Only the strict form of
/// signatures passes, so that there is one signature to a file.
pub(super) fn has_signed(key: &PublicKey, signature: &[u8; 64], manifest: &[u8]) -> bool {
    let signature = Signature::from_bytes(signature);
    VerifyingKey::from_bytes(&key.0).is_ok_and(|key| key.verify_strict(&message(manifest), &signature).is_ok())
}

fn message(manifest: &[u8]) -> Vec<u8> {
    [LABEL, manifest].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_for_one_key_and_one_manifest() {
        let (key, other) = (CourseKey::new([1; 32]), CourseKey::new([2; 32]));
        let signature = key.sign(b"manifest");
        assert!(has_signed(&key.public(), &signature, b"manifest"));
        assert!(!has_signed(&key.public(), &signature, b"manifesto"));
        assert!(!has_signed(&other.public(), &signature, b"manifest"));
        assert!(!has_signed(&Hash([0xff; 32]), &signature, b"manifest"));
        // The neutral point is a key under which a signature of zeros holds for
        // any message, unless one is strict.
        let mut neutral = [0; 32];
        neutral[0] = 1;
        let mut zeros = [0; 64];
        zeros[0] = 1;
        assert!(!has_signed(&Hash(neutral), &zeros, b"manifest"));
    }
}
