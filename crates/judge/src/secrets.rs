//! Tokens and passwords: made here, kept only as hashes.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use anyhow::{Context as _, Result, anyhow, ensure};
use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher as _, PasswordVerifier as _, SaltString};
use sha2::{Digest as _, Sha256};

use crate::web::gate::{Gate, Lane};
use crate::web::place::Place;

pub const SHORTEST_PASSWORD: usize = 8;
pub const LONGEST_PASSWORD: usize = 200;

/// A fresh token of 256 bits.
pub fn token() -> String {
    hex(&random::<32>())
}

/// A token short enough to be read aloud, for links that only let one watch.
pub fn short_token() -> String {
    hex(&random::<10>())
}

/// A seed of draws or of a match that nobody can foresee. Zero is none for some games.
pub fn seed() -> i32 {
    (i32::from_le_bytes(random()) & i32::MAX).max(1)
}

/// What of a token is stored.
pub fn token_hash(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

/// The secret that a file holds, which may end with a line.
pub fn of_file(file: &Path) -> Result<String> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let secret = text.trim_end_matches(['\n', '\r']);
    ensure!(!secret.is_empty() && !secret.contains('\n'), "{} must hold one line", file.display());
    Ok(secret.to_owned())
}

/// Whether two secrets are equal, in a time that does not tell where they differ.
pub fn equal(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (x, y)| differs | (x ^ y)) == 0
}

/// A password that can be typed from a sheet of paper.
pub fn readable_password() -> String {
    const LETTERS: &[u8] = b"abcdefghjkmnpqrstuvwxyz23456789";
    let letters: Vec<char> =
        random::<12>().iter().map(|byte| LETTERS[*byte as usize % LETTERS.len()] as char).collect();
    letters.chunks(4).map(|part| part.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// A text for people to read, without the passwords of addresses in it.
pub fn without_passwords(text: &str) -> String {
    let ends = |c: char| c.is_whitespace() || "'\"`".contains(c);
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("://").map(|at| at + 3) {
        let (before, after) = rest.split_at(at);
        let address = &after[..after.find(ends).unwrap_or(after.len())];
        shown.push_str(before);
        // A password may hold any sign, so the last @ is the one that ends it.
        let hidden = address.rfind('@').unwrap_or(0);
        shown.push_str(if hidden > 0 { "…" } else { "" });
        rest = &after[hidden..];
    }
    shown.push_str(rest);
    let mut parts = shown.split("password=");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |shown, part| {
        let value = part.find(|c| ends(c) || c == '&').unwrap_or(part.len());
        shown + "password=…" + &part[value..]
    })
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

pub fn hex(bytes: &[u8]) -> String {
    ludus_sandbox::build::hex(bytes)
}

/// Hashes and checks passwords with argon2id. Each takes 19 MiB and some tens
/// of milliseconds, so only a few run at a time however many people sign in,
/// and only as many wait as will soon have their turn.
#[derive(Clone, Debug)]
pub struct Passwords {
    gate: Gate<Place>,
    /// Checked where there is no account, so that both cases take the same time.
    nobody: Arc<str>,
}

impl Passwords {
    pub fn new() -> Result<Passwords> {
        Passwords::behind(Gate::new(2, 1024, 128))
    }

    /// Passwords behind a gate of one's own.
    pub fn behind(gate: Gate<Place>) -> Result<Passwords> {
        // One is enough for a process, and nobody knows its password.
        static NOBODY: OnceLock<Arc<str>> = OnceLock::new();
        let nobody = match NOBODY.get() {
            Some(nobody) => nobody,
            None => {
                let made = hash(&token())?.into();
                NOBODY.get_or_init(|| made)
            }
        };
        Ok(Passwords { gate, nobody: nobody.clone() })
    }

    /// The error may be `Busy`.
    pub async fn hash(&self, password: String) -> Result<String> {
        let pass = self.gate.enter(&Place::Unknown, Lane::First).await?;
        let hashed = tokio::task::spawn_blocking(move || {
            let hashed = hash(&password);
            // Only now: whoever asked may have left meanwhile.
            drop(pass);
            hashed
        });
        hashed.await?
    }

    /// Whether a password is the stored one. Browsers that an account knows are
    /// in the first lane. The error may be `Busy`.
    pub async fn verify(&self, password: String, stored: Option<String>, place: Place, lane: Lane) -> Result<bool> {
        let pass = self.gate.enter(&place, lane).await?;
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| self.nobody.to_string());
        let matches = tokio::task::spawn_blocking(move || {
            let parsed =
                PasswordHash::new(&stored).map_err(|error| anyhow!("a stored password is damaged: {error}"))?;
            let is_right = Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok();
            // Only now: whoever asked may have left meanwhile.
            drop(pass);
            Ok::<_, anyhow::Error>(is_right)
        });
        Ok(matches.await?? && known)
    }
}

fn hash(password: &str) -> Result<String> {
    let salt = SaltString::encode_b64(&random::<16>()).map_err(|error| anyhow!("no salt: {error}"))?;
    let hash = Argon2::default().hash_password(password.as_bytes(), &salt);
    Ok(hash.map_err(|error| anyhow!("a password cannot be hashed: {error}"))?.to_string())
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn who_leaves_gives_no_room_away_before_the_work_is_done() {
        let gate = Gate::new(1, 8, 8);
        let passwords = Passwords::behind(gate.clone()).unwrap();
        let mut asked = Box::pin(passwords.hash("correct horse".to_owned()));
        // It begins, and then nobody waits for it any more.
        assert!(asked.as_mut().now_or_never().is_none());
        drop(asked);
        let next = gate.enter(&Place::Unknown, Lane::First);
        assert!(next.now_or_never().is_none(), "the hash is still being worked out");
        gate.enter(&Place::Unknown, Lane::First).await.unwrap();
    }

    #[tokio::test]
    async fn a_password_opens_its_own_account_only() {
        let passwords = Passwords::new().unwrap();
        let stored = passwords.hash("correct horse".to_owned()).await.unwrap();
        assert!(stored.starts_with("$argon2id$"));
        assert!(
            passwords
                .verify("correct horse".to_owned(), Some(stored.clone()), Place::Unknown, Lane::First)
                .await
                .unwrap()
        );
        assert!(
            !passwords.verify("correct house".to_owned(), Some(stored), Place::Unknown, Lane::Second).await.unwrap()
        );
        assert!(!passwords.verify("anything".to_owned(), None, Place::Unknown, Lane::Second).await.unwrap());
    }

    #[test]
    fn passwords_are_not_shown() {
        for (text, expected) in [
            ("nothing to hide", "nothing to hide"),
            ("see https://example.edu/a for more", "see https://example.edu/a for more"),
            ("unexpected 'postgres://u:hunter2@h/d' found", "unexpected 'postgres://…@h/d' found"),
            ("s3://KEY:hun/ter?2@h@h/b and http://x:hunter2@y", "s3://…@h/b and http://…@y"),
            ("postgres://h/d?password=hunter2&x=1 password=hunter2", "postgres://h/d?password=…&x=1 password=…"),
        ] {
            assert_eq!(without_passwords(text), expected);
        }
    }

    #[test]
    fn tokens_differ_and_compare() {
        assert_ne!(token(), token());
        assert!(equal("abc", "abc") && !equal("abc", "abd") && !equal("abc", "ab"));
    }
}
