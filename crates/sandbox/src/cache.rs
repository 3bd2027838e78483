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

use sha2::{Digest as _, Sha256};
use wasmtime::Module;

use crate::build::{hex, thin, use_now};
use crate::meter;
use crate::runtime::{PlayerModule, Refused, Sandbox, invalid};

/// The bytes of a key, and of the seal before the code.
const SEAL: usize = 32;

/// The first files had another kind of seal, of the same length.
const KIND: &[u8] = b"ludus machine code 2\0";

/// The file with the key, beside what it seals.
const KEY: &str = "key";

impl Sandbox {
    /// Like [`Sandbox::load`], but compiles a module only the first time.
    pub fn load_cached(&self, wasm: &[u8], cache: &Path) -> Result<PlayerModule, Refused> {
        let hash = Sha256::digest(wasm).into();
        // Without a key or a file the next run compiles again, no more.
        let Ok(kept) = self.kept(hash, cache) else { return Ok(self.load(wasm)?.known_in(cache)) };
        if let Some(module) = self.read(&kept) {
            return Ok(self.admit(&module, hash)?.known_in(cache));
        }
        let (module, code) = self.compile(wasm)?;
        let player = self.admit(&module, hash)?.known_in(cache);
        if kept.write(&code).is_ok() {
            thin(kept.folder());
        }
        Ok(player)
    }

    /// The module with a hash, if it was compiled before.
    pub fn load_kept(&self, hash: [u8; 32], cache: &Path) -> Option<Result<PlayerModule, Refused>> {
        let module = self.read(&self.kept(hash, cache).ok()?)?;
        Some(self.admit(&module, hash).map(|player| player.known_in(cache)))
    }

    /// Keeps the code of a module for another one that differs from it in custom
    /// sections only, so that whoever needs many modules to measure with compiles
    /// one. It is refused for any other.
    pub fn keep_same_code(&self, of: &[u8], other: &[u8], cache: &Path) -> Result<(), Refused> {
        let trouble = |error: io::Error| Refused::Trouble(error.to_string());
        let malformed = |error: wasmparser::BinaryReaderError| Refused::Invalid(error.message().to_owned());
        for wasm in [of, other] {
            Module::validate(self.engine(), wasm).map_err(|error| invalid(&error))?;
        }
        if meter::metered(of).map_err(malformed)? != meter::metered(other).map_err(malformed)? {
            return Err(Refused::Invalid("its code is another".to_owned()));
        }
        let kept = self.kept(Sha256::digest(of).into(), cache).map_err(trouble)?;
        let code = kept.read().ok_or_else(|| Refused::Trouble("nothing is kept of the first one".to_owned()))?;
        let other = self.kept(Sha256::digest(other).into(), cache).map_err(trouble)?;
        other.write(&code[SEAL..]).map_err(trouble)
    }

    /// Where the code of a module is kept.
    fn kept(&self, hash: [u8; 32], cache: &Path) -> io::Result<Kept> {
        let folder = cache.join("compiled");
        let (key, engine) = (key(&folder)?, self.engine_hash());
        Ok(Kept { path: folder.join(format!("{}-{engine:016x}", hex(&hash))), key, engine, hash })
    }

    /// What is kept of a module, if it is what was written.
    fn read(&self, kept: &Kept) -> Option<Module> {
        let content = kept.read()?;
        match self.trust(&content[SEAL..]) {
            Ok(module) => {
                use_now(&kept.path);
                Some(module)
            }
            Err(_) => {
                // It cannot be removed where it cannot be replaced either.
                let _ = fs::remove_file(&kept.path);
                None
            }
        }
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

/// A file with the machine code of a module, after the seal.
struct Kept {
    path: PathBuf,
    key: [u8; SEAL],
    engine: u64,
    hash: [u8; 32],
}

impl Kept {
    fn folder(&self) -> &Path {
        self.path.parent().expect("it is in a folder")
    }

    /// A keyed BLAKE3, which is compared in constant time. HMAC with SHA-256 took
    /// as long as everything else about loading a module.
    fn seal(&self, code: &[u8]) -> blake3::Hash {
        let mut seal = blake3::Hasher::new_keyed(&self.key);
        seal.update(KIND).update(&self.engine.to_le_bytes()).update(&self.hash).update(code);
        seal.finalize()
    }

    /// The content of the file, if its seal is right: the seal, then the code.
    fn read(&self) -> Option<Vec<u8>> {
        let content = fs::read(&self.path).ok()?;
        let parts = content.split_first_chunk::<SEAL>();
        let is_ours = parts.is_some_and(|(mark, code)| self.seal(code) == blake3::Hash::from_bytes(*mark));
        if !is_ours {
            // Whatever it is, it is made again.
            let _ = fs::remove_file(&self.path);
        }
        is_ours.then_some(content)
    }

    /// Writes a file that is there whole or not at all, whatever happens.
    fn write(&self, code: &[u8]) -> io::Result<()> {
        let temporary = temporary(&self.path);
        let mut file = File::create(&temporary)?;
        file.write_all(self.seal(code).as_bytes())?;
        file.write_all(code)?;
        file.sync_all()?;
        fs::rename(&temporary, &self.path)?;
        File::open(self.folder())?.sync_all()
    }
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
