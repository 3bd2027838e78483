//! The judge that somebody has signed in to, and the token, in a file that only
//! its owner reads.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

#[derive(Clone, Deserialize, Serialize)]
pub struct Account {
    /// Without a slash at its end.
    pub url: String,
    pub token: String,
}

impl Account {
    /// What `LUDUS_URL` and `LUDUS_TOKEN` say, or else the file.
    pub fn find() -> Result<Account> {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
        let (url, token) = (set("LUDUS_URL"), set("LUDUS_TOKEN"));
        let (url, token) = match (url, token) {
            (Some(url), Some(token)) => (url, token),
            (url, token) => {
                let kept = Account::kept()?;
                let none = "not signed in to a judge: ludus login URL, or set LUDUS_URL and LUDUS_TOKEN";
                let Some(kept) = kept else { bail!(none) };
                // A token is for the judge that it came from and no other.
                if url.as_ref().is_some_and(|url| address(url, true).is_ok_and(|url| url != kept.url))
                    && token.is_none()
                {
                    bail!("LUDUS_URL names another judge than ludus login did: set LUDUS_TOKEN too");
                }
                (url.unwrap_or(kept.url), token.unwrap_or(kept.token))
            }
        };
        Ok(Account { url: address(&url, true)?, token: token.trim().to_owned() })
    }

    /// What the file says.
    pub fn kept() -> Result<Option<Account>> {
        let path = file()?;
        match std::fs::read(&path) {
            Ok(bytes) => {
                let account = serde_json::from_slice(&bytes);
                Ok(Some(account.with_context(|| format!("cannot read {}; ludus login makes it anew", path.display()))?))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    /// Keeps it, and gives the file.
    pub fn keep(&self) -> Result<PathBuf> {
        let path = file()?;
        let write = || {
            let folder = path.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(folder)?;
            // Never readable for others, not even for a moment.
            let fresh = path.with_extension("new");
            let _ = std::fs::remove_file(&fresh);
            let mut file = private(&fresh)?;
            file.write_all(&serde_json::to_vec_pretty(self)?)?;
            file.write_all(b"\n")?;
            std::fs::rename(&fresh, &path)
        };
        write().with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }

    /// Forgets it.
    pub fn forget() -> Result<()> {
        let path = file()?;
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", path.display()))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(unix)]
fn private(path: &Path) -> std::io::Result<std::fs::File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn private(path: &Path) -> std::io::Result<std::fs::File> {
    std::fs::OpenOptions::new().write(true).create_new(true).open(path)
}

/// `ludus/judge.json` in the user's folder for settings.
fn file() -> Result<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")));
    let folder = folder.or_else(|| set("APPDATA"));
    Ok(folder.context("no folder for settings: set HOME or XDG_CONFIG_HOME")?.join("ludus").join("judge.json"))
}

/// The address of a judge as it is kept. Over plain HTTP everybody on the way
/// reads the token, so that it is for this machine only, unless told.
pub fn address(url: &str, plain_is_fine: bool) -> Result<String> {
    let url = url.trim();
    let (scheme, rest) = url.split_once("://").unwrap_or(("https", url));
    let rest = rest.trim_end_matches('/');
    let host = rest.split('/').next().unwrap_or_default();
    if host.is_empty() || host.contains(['@', ' ', '?', '#']) || !["http", "https"].contains(&scheme) {
        bail!("{url} is no address of a judge, such as https://judge.example.edu");
    }
    let name = host.rsplit_once(':').map_or(host, |(name, port)| if port.parse::<u16>().is_ok() { name } else { host });
    let is_here = ["localhost", "127.0.0.1", "[::1]"].contains(&name);
    if scheme == "http" && !is_here && !plain_is_fine {
        bail!("{url} is not encrypted, and others could read the token: use https, or say --insecure");
    }
    Ok(format!("{scheme}://{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_kept_in_one_form() {
        for (given, kept) in [
            ("https://judge.x.edu/", "https://judge.x.edu"),
            (" judge.x.edu ", "https://judge.x.edu"),
            ("https://x.edu/ludus/", "https://x.edu/ludus"),
            ("http://localhost:8080", "http://localhost:8080"),
            ("http://127.0.0.1", "http://127.0.0.1"),
            ("http://[::1]:8080/", "http://[::1]:8080"),
        ] {
            assert_eq!(address(given, false).unwrap(), kept);
        }
        for wrong in ["", "https://", "ftp://x.edu", "https://me@x.edu", "https://x.edu?a", "http://judge.x.edu"] {
            assert!(address(wrong, false).is_err(), "{wrong}");
        }
        assert_eq!(address("http://judge.x.edu", true).unwrap(), "http://judge.x.edu");
    }
}
