//! From one source file to a player module.
//!
//! The compilers run on code of strangers, so they run in a [`Jail`]. What a
//! compiler made of a source is kept in a cache, by the hash of everything
//! that went into it.

mod compiler;
mod cpp;
mod folder;
mod gnu;
mod hints;
mod jail;
pub mod native;
mod owners;
pub mod rust;
mod sdk;
mod thin;
mod time;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use crate::limits::LARGEST_MODULE;
use crate::symbols;
use sha2::{Digest as _, Sha256};

pub use compiler::Cxx;
pub use folder::private_temporary;
pub(crate) use folder::{TemporaryFolder, replace};
pub use jail::{Bounds, Exit, Jail, JailError, Ran, is_root, which};
use sdk::Sdk;
pub use sdk::files as sdk_files;
pub use thin::MOST_KEPT;
pub(crate) use thin::{thin, use_now};
pub use time::ALL_CALLS;
use time::Time;

/// The folder of the cache with what sources were compiled to.
const PLAYERS: &str = "players";

/// What compilers call the module.
const MODULE: &str = "player.wasm";

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

    /// What a source is called while it is compiled: always the same, so that
    /// its name is not in the module.
    fn file(self) -> &'static str {
        match self {
            Language::Cpp => "player.cc",
            Language::Rust => "player.rs",
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
    #[error("compiling takes longer than {0} s of CPU")]
    TooSlow(u64),
    #[error("it is larger than {} KB", LARGEST_SOURCE >> 10)]
    TooLarge,
    #[error("its module is larger than {} MiB", LARGEST_MODULE >> 20)]
    LargeModule,
    #[error("this machine has no bubblewrap to compile strangers' code in; install it with: {JAIL_INSTALL}")]
    NoJail,
    #[error(transparent)]
    Jail(#[from] JailError),
    /// What was compiled beforehand is not what it was; it has been taken away.
    #[error("what was compiled beforehand is damaged")]
    Damaged,
    /// What we compile beforehand does not compile.
    #[error("the SDK cannot be prepared: {0}")]
    Sdk(String),
    #[error("{what}: {error}")]
    Io { what: String, error: std::io::Error },
    #[error("the Rust SDK cannot be prepared: {0}")]
    RustSdk(#[from] rust::PrepareError),
}

const JAIL_INSTALL: &str = "sudo apt-get install bubblewrap";

impl BuildError {
    /// The command that installs what is missing.
    pub fn install_command(&self) -> Option<&str> {
        match self {
            BuildError::Missing { install, .. } => Some(install),
            BuildError::NoJail => Some(JAIL_INSTALL),
            _ => None,
        }
    }

    /// Whether it is the source that cannot be compiled. Everything else is
    /// trouble of the machine, and may go better another time or elsewhere.
    pub fn is_of_the_source(&self) -> bool {
        matches!(
            self,
            BuildError::Compiler(_) | BuildError::TooSlow(_) | BuildError::TooLarge | BuildError::LargeModule
        )
    }

    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> BuildError {
        let what = what.into();
        move |error| BuildError::Io { what, error }
    }
}

/// What a source does that it will not do, in the form of the compiler and under
/// the source's own name. Compiling tells the same among its warnings; this is for
/// whoever has only the source.
pub fn warnings(language: Language, name: &str, source: &[u8]) -> String {
    hints::warnings(source, language).replace(language.file(), name)
}

/// A program to run, with everything it depends on spelled out.
#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    pub env: Vec<(OsString, OsString)>,
    /// Files and folders that it reads, which are where they are for it too.
    pub reads: Vec<PathBuf>,
    /// Folders that a jail shows elsewhere ([`Jail::place`]), so that nothing
    /// that is made there depends on where they are.
    pub places: Vec<(PathBuf, &'static str)>,
    /// Programs that it starts, and where it looks for them.
    pub tools: Vec<(PathBuf, PathBuf)>,
}

impl CommandLine {
    /// The command, for whoever runs it without a jail.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// What a compiler made of a source.
#[derive(Clone, Debug)]
pub struct Built {
    pub module: Vec<u8>,
    /// The compiler's own words.
    pub warnings: String,
}

/// What has just been compiled, with its names and lines.
struct Fresh {
    built: Built,
    symbols: Vec<u8>,
}

/// Compiles players, and remembers what it has compiled.
#[derive(Clone, Debug)]
pub struct Builder {
    cache: PathBuf,
    jail: Jail,
    cxx: Cxx,
    time: Duration,
}

impl Builder {
    /// A builder for this user's own players: in a jail if there is one, with the
    /// C++ compiler that there is.
    pub fn local() -> Builder {
        Builder::new(cache_folder(), Jail::find().unwrap_or(Jail::None)).with(Cxx::local())
    }

    /// A builder that never compiles outside a jail, nor with another compiler
    /// than judges.
    pub fn jailed(cache: PathBuf) -> Result<Builder, BuildError> {
        Ok(Builder::new(cache, Jail::find().ok_or(BuildError::NoJail)?))
    }

    fn new(cache: PathBuf, jail: Jail) -> Builder {
        folder::sweep(&cache);
        Builder { cache, jail, cxx: Cxx::Clang, time: ALL_CALLS }
    }

    /// The same with another limit of CPU time for all calls of compilers on
    /// one source.
    pub fn within(self, time: Duration) -> Builder {
        Builder { time, ..self }
    }

    /// The same with another compiler of C++ players.
    pub fn with(self, cxx: Cxx) -> Builder {
        Builder { cxx, ..self }
    }

    /// Compiles beforehand what the players of a game share, so that the first
    /// of them does not wait for it.
    pub fn prepare(&self, game: &str, language: Language) -> Result<(), BuildError> {
        let sdk = Sdk::find(&self.cache)?;
        match language {
            Language::Cpp => cpp::prepare(&self.cxx, &self.cache, &sdk, game, self.jail).map(drop),
            Language::Rust => Ok(rust::find()?.prepare(&self.cache, &sdk.folder.join("rust")).map(drop)?),
        }
    }

    /// Whether this machine has a compiler for players in a language.
    pub fn finds_compiler(&self, language: Language) -> bool {
        match language {
            Language::Cpp => self.cxx.find().is_ok(),
            Language::Rust => rust::find().is_ok(),
        }
    }

    /// What the C++ compiler says of itself.
    pub fn cxx_version(&self) -> Result<String, BuildError> {
        Ok(self.cxx.compiler()?.to_string())
    }

    pub fn cache(&self) -> &Path {
        &self.cache
    }

    pub fn jail(&self) -> Jail {
        self.jail
    }

    /// Whether what every source needs is there at this moment: the compiler, a
    /// jail that starts, and room for its files.
    pub fn check(&self) -> Result<(), BuildError> {
        self.cxx.find()?;
        let folder = TemporaryFolder::new(&self.cache)?;
        let nothing = CommandLine { program: "/usr/bin/true".into(), ..CommandLine::default() };
        self.jail.run(&nothing, folder.path(), &Bounds::COMPILER)?;
        Ok(())
    }

    /// The folder with the headers and crates that players use.
    pub fn sdk(&self) -> Result<PathBuf, BuildError> {
        Ok(Sdk::find(&self.cache)?.folder)
    }

    /// The module that a source compiles to.
    pub fn build(&self, game: &str, language: Language, source: &[u8]) -> Result<Vec<u8>, BuildError> {
        self.build_file(game, language, language.file(), source).map(|built| built.module)
    }

    /// The same for a file whose name appears in the messages.
    pub fn build_file(&self, game: &str, language: Language, name: &str, source: &[u8]) -> Result<Built, BuildError> {
        let named = |messages: String| messages.replace(language.file(), name);
        match self.build_or_find(game, language, source) {
            Ok(Built { module, warnings }) => Ok(Built { module, warnings: named(warnings) }),
            Err(BuildError::Compiler(messages)) => Err(BuildError::Compiler(named(messages))),
            Err(error) => Err(error),
        }
    }

    /// Whether a source has been compiled before.
    pub fn has(&self, game: &str, language: Language, source: &[u8]) -> Result<bool, BuildError> {
        let sdk = Sdk::find(&self.cache)?;
        Ok(self.place(&sdk, game, language, source).is_file())
    }

    /// From the cache, without so much as a look for a compiler, if it is there.
    fn build_or_find(&self, game: &str, language: Language, source: &[u8]) -> Result<Built, BuildError> {
        if source.len() > LARGEST_SOURCE {
            return Err(BuildError::TooLarge);
        }
        let sdk = Sdk::find(&self.cache)?;
        let place = self.place(&sdk, game, language, source);
        let beside = place.with_extension("warnings");
        if let Ok(module) = std::fs::read(&place) {
            // Most players give no reason for warnings, and have no such file.
            let warnings = std::fs::read_to_string(&beside).unwrap_or_default();
            use_now(&place);
            return Ok(Built { module, warnings });
        }
        let Fresh { built, symbols } = match self.compile_with(&sdk, game, language, source) {
            // Somebody's disk or hand; it is made again, but not for ever.
            Err(BuildError::Damaged) => self.compile_with(&sdk, game, language, source),
            done => done,
        }?;
        let built = Built { warnings: built.warnings + &hints::warnings(source, language), ..built };
        let keep = || {
            symbols::keep(&self.cache, &Sha256::digest(&built.module).into(), &symbols)?;
            if !built.warnings.is_empty() {
                replace(&beside, built.warnings.as_bytes())?;
            }
            replace(&place, &built.module)
        };
        keep().map_err(BuildError::io("cannot write to the cache"))?;
        thin(&self.cache.join(PLAYERS));
        Ok(built)
    }

    fn compile_with(&self, sdk: &Sdk, game: &str, language: Language, source: &[u8]) -> Result<Fresh, BuildError> {
        match language {
            Language::Cpp => {
                let prepared = cpp::prepare(&self.cxx, &self.cache, sdk, game, self.jail)?;
                self.build_cpp(&prepared, source)
            }
            Language::Rust => {
                let prepared = rust::find()?.prepare(&self.cache, &sdk.folder.join("rust"))?;
                let command = prepared.command(self.jail, language.file().as_ref(), MODULE.as_ref());
                let done = self.compile(language, source, &[command], &Time::new(self.time));
                done.map_err(|error| damaged_or(error, &prepared.folders()))
            }
        }
    }

    /// Where in the cache a module is, by everything that decides what it
    /// does. The compiler's own version is not part of it: what has been
    /// compiled stays as it is, and needs no compiler any more.
    fn place(&self, sdk: &Sdk, game: &str, language: Language, source: &[u8]) -> PathBuf {
        let flags = match language {
            Language::Cpp => cpp::key(),
            Language::Rust => rust::flags_key(),
        };
        let parts = [env!("CARGO_PKG_VERSION"), &sdk.key, &flags, language.ending(), game].map(str::as_bytes);
        // Nothing where none was asked for, so that what is kept is found.
        let named = Some(self.cxx.key()).filter(|name| language == Language::Cpp && !name.is_empty());
        let parts: Vec<&[u8]> = parts.into_iter().chain([source]).chain(named).collect();
        self.cache.join(PLAYERS).join(format!("{}.wasm", hash(&parts)))
    }

    /// Tries the standards one after another, and then the same with whatever
    /// only the GNU compiler accepts put right.
    fn build_cpp(&self, prepared: &cpp::Prepared, source: &[u8]) -> Result<Fresh, BuildError> {
        let time = Time::new(self.time);
        let compile = |standard, text: &[u8]| {
            let commands = prepared.commands(standard)?;
            // Before another standard is tried in vain.
            let done = self.compile(Language::Cpp, text, &commands, &time);
            done.map_err(|error| damaged_or(error, &prepared.folders(standard)))
        };
        let mut refused: Vec<(&str, String)> = Vec::new();
        for standard in cpp::STANDARDS {
            if refused.first().is_some_and(|(_, messages)| !cpp::may_help(standard, messages)) {
                continue;
            }
            match compile(standard, source) {
                Err(BuildError::Compiler(messages)) => refused.push((standard, messages)),
                done => return done,
            }
        }
        for (standard, messages) in &refused {
            let mut messages = messages.clone();
            // What is put right may let the compiler see more of the same.
            for _ in 0..3 {
                let Some(adapted) = gnu::adapt(source, &messages, Language::Cpp.file()) else {
                    break;
                };
                match compile(standard, &adapted) {
                    Err(BuildError::Compiler(more)) => messages.push_str(&more),
                    done => return done,
                }
            }
        }
        let (_, messages) = refused.swap_remove(0);
        Err(BuildError::Compiler(
            hints::refusal(&messages).unwrap_or_else(|| messages.clone() + hints::advice(&messages)),
        ))
    }

    /// Runs the commands that turn a source into a module, in a folder of their own.
    fn compile(
        &self,
        language: Language,
        source: &[u8],
        commands: &[CommandLine],
        time: &Time,
    ) -> Result<Fresh, BuildError> {
        let folder = TemporaryFolder::new(&self.cache)?;
        folder.write(language.file(), source).map_err(BuildError::io("cannot write the source to compile"))?;
        let mut warnings = String::new();
        for command in commands {
            warnings += &self.run(command, folder.path(), time)?;
        }
        let linked = folder.read(MODULE, Bounds::COMPILER.file);
        let linked = linked.map_err(BuildError::io("cannot read what the compiler wrote"))?;
        let (module, symbols) = symbols::split(&linked)
            .map_err(|error| BuildError::Compiler(format!("the linker wrote no module: {}", error.message())))?;
        // Nobody plays with it, so that nobody keeps it.
        if module.len() > LARGEST_MODULE {
            return Err(BuildError::LargeModule);
        }
        Ok(Fresh { built: Built { module, warnings }, symbols })
    }

    /// One call of a compiler on a source, and what it had to say if it succeeded.
    fn run(&self, command: &CommandLine, folder: &Path, time: &Time) -> Result<String, BuildError> {
        let bounds = time.bounds()?;
        let Ran { exit, messages, cpu } = self.jail.run(command, folder, &bounds)?;
        time.spend(cpu);
        match exit {
            Exit::Success => Ok(messages),
            Exit::OutOfTime => Err(time.out_of(&bounds)),
            // A compiler that passed a limit had no chance to explain.
            Exit::Failed(status) if messages.trim().is_empty() => {
                Err(BuildError::Compiler(format!("the compiler gave up: exit status {status}")))
            }
            Exit::Failed(_) => Err(BuildError::Compiler(messages)),
            Exit::Signal(signal) => {
                Err(BuildError::Compiler(format!("{messages}\nthe compiler gave up: signal {signal}")))
            }
        }
    }
}

/// The module in what a linker wrote, without the names and lines beside it.
pub fn module_in(linked: &[u8]) -> Option<Vec<u8>> {
    symbols::split(linked).ok().map(|(module, _)| module)
}

/// A source is refused only if everything that was compiled beforehand is as it
/// was made. What is not is taken away.
fn damaged_or(error: BuildError, folders: &[PathBuf]) -> BuildError {
    if !error.is_of_the_source() {
        return error;
    }
    let mut damaged = folders.iter().filter(|folder| !folder::is_intact(folder)).peekable();
    if damaged.peek().is_none() {
        return error;
    }
    match damaged.try_for_each(|folder| folder::discard(folder)) {
        Ok(()) => BuildError::Damaged,
        Err(error) => error,
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

/// Where this user's programs keep what they can make again. Where nothing can be
/// written there, it is a folder for temporary files, and the user is told once.
fn cache_folder() -> PathBuf {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let wanted = wanted_cache();
        let Err(error) = folder::is_writable(&wanted) else { return wanted };
        let instead = private_temporary();
        eprintln!(
            "cannot write to {}: {error}; what is compiled is kept in {}, or where LUDUS_CACHE says",
            wanted.display(),
            instead.display()
        );
        instead
    });
    found.clone()
}

fn wanted_cache() -> PathBuf {
    let from = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    from("LUDUS_CACHE")
        .or_else(|| from("XDG_CACHE_HOME").map(|folder| folder.join("ludus")))
        .or_else(|| from("HOME").map(|folder| folder.join(".cache/ludus")))
        .unwrap_or_else(|| std::env::temp_dir().join("ludus-cache"))
}
