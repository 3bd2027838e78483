//! From one source file to a player module.
//!
//! The compilers run on code of strangers, so they run in a [`Jail`]. What a
//! compiler made of a source is kept in a cache, by the hash of everything
//! that went into it.

mod cpp;
mod jail;
pub mod native;
pub mod rust;
mod sdk;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

pub use jail::Jail;

/// The largest source that is compiled.
pub const LARGEST_SOURCE: usize = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Cpp,
    Rust,
}

impl Language {
    /// By the ending of a file's name.
    pub fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "cc" | "cpp" | "cxx" => Some(Language::Cpp),
            "rs" => Some(Language::Rust),
            _ => None,
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Language::Cpp => "cc",
            Language::Rust => "rs",
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("{what} is missing; install it with: {install}")]
    Missing { what: String, install: String },
    /// The messages are the compiler's own.
    #[error("it does not compile:\n{0}")]
    Compiler(String),
    #[error("compiling takes longer than {0} s")]
    TooSlow(u64),
    #[error("it is larger than {} KB", LARGEST_SOURCE >> 10)]
    TooLarge,
    #[error(
        "this machine has no bubblewrap to compile strangers' code in; install it with: apt-get install bubblewrap"
    )]
    NoJail,
    #[error("{what}: {error}")]
    Io { what: String, error: std::io::Error },
    #[error(transparent)]
    NoRust(#[from] rust::Missing),
    #[error("the Rust SDK cannot be prepared: {0}")]
    RustSdk(#[from] rust::PrepareError),
}

impl BuildError {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> BuildError {
        let what = what.into();
        move |error| BuildError::Io { what, error }
    }
}

/// A program to run, with everything it depends on spelled out.
#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    pub env: Vec<(OsString, OsString)>,
    /// Folders that it reads, besides the system's.
    pub reads: Vec<PathBuf>,
}

impl CommandLine {
    /// The command, for whoever runs it without a jail.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// Compiles players, and remembers what it has compiled.
#[derive(Clone, Debug)]
pub struct Builder {
    cache: PathBuf,
    jail: Jail,
}

impl Builder {
    /// A builder for this user's own players: in a jail if there is one.
    pub fn local() -> Builder {
        Builder { cache: cache_folder(), jail: Jail::find().unwrap_or(Jail::None) }
    }

    /// A builder that never compiles outside a jail.
    pub fn jailed(cache: PathBuf) -> Result<Builder, BuildError> {
        Ok(Builder { cache, jail: Jail::find().ok_or(BuildError::NoJail)? })
    }

    pub fn cache(&self) -> &Path {
        &self.cache
    }

    pub fn jail(&self) -> Jail {
        self.jail
    }

    /// The folder with the headers and crates that players use.
    pub fn sdk(&self) -> Result<PathBuf, BuildError> {
        sdk::unpack(&self.cache)
    }

    /// The module that a source compiles to.
    pub fn build(&self, game: &str, language: Language, source: &[u8]) -> Result<Vec<u8>, BuildError> {
        if source.len() > LARGEST_SOURCE {
            return Err(BuildError::TooLarge);
        }
        let sdk = sdk::unpack(&self.cache)?;
        match language {
            Language::Cpp => {
                let prepared = cpp::prepare(&self.cache, &sdk, game)?;
                self.cached(&[prepared.key().as_bytes(), source], || self.build_cpp(&prepared, source))
            }
            Language::Rust => {
                let compiler = rust::find()?;
                let prepared = compiler.prepare(&self.cache, &sdk.join("rust"))?;
                self.cached(&[prepared.key().as_encoded_bytes(), game.as_bytes(), source], || {
                    self.compile(language, source, |file, out| vec![prepared.command(file, out)])
                })
            }
        }
    }

    /// Files of the time want an older standard; those of today a newer one.
    fn build_cpp(&self, prepared: &cpp::Prepared, source: &[u8]) -> Result<Vec<u8>, BuildError> {
        let mut first_error = None;
        for standard in prepared.standards() {
            match self.compile(Language::Cpp, source, |file, out| prepared.commands(standard, file, out)) {
                Err(error @ BuildError::Compiler(_)) => _ = first_error.get_or_insert(error),
                done => return done,
            }
        }
        Err(first_error.expect("there is at least one standard"))
    }

    /// Runs the commands that turn a source into a module, in a folder of their own.
    fn compile(
        &self,
        language: Language,
        source: &[u8],
        commands: impl FnOnce(&Path, &Path) -> Vec<CommandLine>,
    ) -> Result<Vec<u8>, BuildError> {
        let folder = TemporaryFolder::new(&self.cache)?;
        let file = folder.path().join(format!("player.{}", language.ending()));
        std::fs::write(&file, source).map_err(BuildError::io("cannot write the source to compile"))?;
        let out = folder.path().join("player.wasm");
        for command in commands(&file, &out) {
            self.jail.run(&command, folder.path())?;
        }
        std::fs::read(&out).map_err(BuildError::io("cannot read what the compiler wrote"))
    }

    /// What `make` gives, from the cache if it has been made before.
    fn cached(
        &self,
        parts: &[&[u8]],
        make: impl FnOnce() -> Result<Vec<u8>, BuildError>,
    ) -> Result<Vec<u8>, BuildError> {
        let path = self.cache.join("players").join(format!("{}.wasm", hash(parts)));
        if let Ok(module) = std::fs::read(&path) {
            return Ok(module);
        }
        let module = make()?;
        replace(&path, &module).map_err(BuildError::io("cannot write to the cache"))?;
        Ok(module)
    }
}

/// The SHA-256 of some parts, each with its length.
pub fn hash(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hex(&hasher.finalize())
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A folder that goes away.
pub(crate) struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    pub fn new(parent: &Path) -> Result<TemporaryFolder, BuildError> {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("work-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(BuildError::io(format!("cannot make the folder {}", path.display())))?;
        Ok(TemporaryFolder(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // A folder that stays is only untidy.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Writes a file so that nobody ever sees a part of it.
pub(crate) fn replace(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let parent = path.parent().expect("files of the cache are in folders");
    std::fs::create_dir_all(parent)?;
    let temporary = path.with_extension(format!("{}.{:?}", std::process::id(), std::thread::current().id()));
    std::fs::write(&temporary, content)?;
    std::fs::rename(temporary, path)
}

/// Where this user's programs keep what they can make again.
fn cache_folder() -> PathBuf {
    let from = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    from("LUDUS_CACHE")
        .or_else(|| from("XDG_CACHE_HOME").map(|folder| folder.join("ludus")))
        .or_else(|| from("HOME").map(|folder| folder.join(".cache/ludus")))
        .unwrap_or_else(|| std::env::temp_dir().join("ludus-cache"))
}
