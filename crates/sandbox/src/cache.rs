//! Compiled modules, kept between runs.
//!
//! Almost all of the unsafe code of Ludus: wasmtime trusts a compiled module as
//! it trusts its own compiler. What is run here comes from this program's own
//! compiler, at once or by way of a file that was sealed with a key of this
//! installation, together with the hash of the module and everything about the
//! compiler that matters. A file is read whole, its seal is checked, and the
//! same bytes are run; one that is damaged, cut off, moved or somebody else's
//! is thrown away, and made again.
#![allow(unsafe_code)]

use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use wasmtime::Module;

use crate::build::{hex, thin, use_now};
use crate::meter;
use crate::runtime::{PlayerModule, Refused, Sandbox, invalid};

type Seal = Hmac<Sha256>;
const SEAL: usize = 32;

/// The file with the key, beside what it seals.
const KEY: &str = "key";

impl Sandbox {
    /// Like [`Sandbox::load`], but compiles a module only the first time.
    pub fn load_cached(&self, wasm: &[u8], cache: &Path) -> Result<PlayerModule, Refused> {
        let folder = cache.join("compiled");
        // Without a key or a file the next run compiles again, no more.
        let Ok(key) = key(&folder) else { return self.load(wasm) };
        let hash: [u8; 32] = Sha256::digest(wasm).into();
        let engine = self.engine_hash();
        let path = folder.join(format!("{}-{engine:016x}", hex(&hash)));
        let seal = || {
            let mut seal = Seal::new_from_slice(&key).expect("a key may have any length");
            seal.update(&engine.to_le_bytes());
            seal.update(&hash);
            seal
        };
        if let Some(code) = read_sealed(&path, seal()) {
            if let Ok(module) = self.trust(&code) {
                use_now(&path);
                return self.admit(&module, wasm);
            }
            // It cannot be removed where it cannot be replaced either.
            let _ = fs::remove_file(&path);
        }
        let (module, code) = self.compile(wasm)?;
        let player = self.admit(&module, wasm)?;
        if write_sealed(&path, seal(), &code).is_ok() {
            thin(&folder);
        }
        Ok(player)
    }

    /// The module that this program's own compiler has written down.
    pub(crate) fn trust(&self, code: &[u8]) -> Result<Module, Refused> {
        // SAFETY: the bytes come from our own compiler, in a process of ours
        // that has just ended or with a seal that nobody else can make. One of
        // another version is refused.
        unsafe { Module::deserialize(self.engine(), code) }.map_err(|error| invalid(&error))
    }

    /// Everything about the compiler that decides what it makes of a module.
    fn engine_hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.engine().precompile_compatibility_hash().hash(&mut hasher);
        meter::VERSION.hash(&mut hasher);
        hasher.finish()
    }
}

/// The content of a file, if its seal is right.
fn read_sealed(path: &Path, mut seal: Seal) -> Option<Vec<u8>> {
    let mut content = fs::read(path).ok()?;
    let (mark, code) = content.split_first_chunk::<SEAL>()?;
    seal.update(code);
    if seal.verify_slice(mark).is_err() {
        // Whatever it is, it is made again.
        let _ = fs::remove_file(path);
        return None;
    }
    content.drain(..SEAL);
    Some(content)
}

/// Writes a file that is there whole or not at all, whatever happens.
fn write_sealed(path: &Path, mut seal: Seal, code: &[u8]) -> io::Result<()> {
    seal.update(code);
    let temporary = temporary(path);
    let mut file = File::create(&temporary)?;
    file.write_all(&seal.finalize().into_bytes())?;
    file.write_all(code)?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    File::open(path.parent().expect("it is in a folder"))?.sync_all()
}

fn temporary(path: &Path) -> PathBuf {
    path.with_extension(format!("{}.{:?}", std::process::id(), std::thread::current().id()))
}

/// The key of this installation, made by whoever needs it first.
fn key(folder: &Path) -> io::Result<[u8; SEAL]> {
    let path = folder.join(KEY);
    if let Some(key) = read_key(&path)? {
        return Ok(key);
    }
    fs::create_dir_all(folder)?;
    let mut new = [0; SEAL];
    getrandom::fill(&mut new).map_err(|_| io::Error::other("the machine has no random numbers"))?;
    let temporary = temporary(&path);
    let mut file = private(&temporary)?;
    file.write_all(&new)?;
    file.sync_all()?;
    // If somebody else was faster, theirs is the key.
    let linked = fs::hard_link(&temporary, &path);
    fs::remove_file(&temporary)?;
    match read_key(&path)? {
        Some(key) => Ok(key),
        None => Err(linked.err().unwrap_or_else(|| io::Error::other("the key was taken away"))),
    }
}

/// A key that others can read, or that is no key, seals nothing: it is removed,
/// and with it whatever it sealed.
fn read_key(path: &Path) -> io::Result<Option<[u8; SEAL]>> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let (mut key, mut more) = ([0; SEAL], [0]);
    if is_private(&file)? && file.read_exact(&mut key).is_ok() && file.read(&mut more)? == 0 {
        return Ok(Some(key));
    }
    fs::remove_file(path)?;
    Ok(None)
}

#[cfg(unix)]
fn private(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)
}

#[cfg(unix)]
fn is_private(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(file.metadata()?.permissions().mode() & 0o077 == 0)
}

#[cfg(not(unix))]
fn private(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).open(path)
}

#[cfg(not(unix))]
fn is_private(_file: &File) -> io::Result<bool> {
    Ok(true)
}
