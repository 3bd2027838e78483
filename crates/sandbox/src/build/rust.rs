//! From one `.rs` file to a player.
//!
//! A player is compiled by one plain `rustc` call: no cargo, no network, and
//! the same source gives the same bytes in any folder. What that call needs is
//! prepared once and kept in a cache folder: the SDK as an `rlib`, and, where
//! the compiler comes without a standard library for WebAssembly, that too.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use ludus_games::Digest;

use super::folder::{self, TemporaryFolder};
use super::{BuildError, CommandLine, Jail};

const TARGET: &str = "wasm32-unknown-unknown";

/// How everything that ends up in a player is compiled. Players have no
/// unwinding: a panic ends them.
const FLAGS: [&str; 8] = [
    "--target",
    TARGET,
    "--edition",
    "2024",
    "-Copt-level=3",
    "-Cpanic=abort",
    "-Ccodegen-units=1",
    "-Cembed-bitcode=yes",
];

/// How a player is linked. With a shadow stack as large as the host's stack,
/// deep recursion is most often a stack overflow, and not a wild access; it is first
/// in memory, and its last page is the one that nobody touches (`null_page.rs`). Lines
/// are taken out of the module again (`symbols.rs`) and change no code.
const LINK_FLAGS: [&str; 4] =
    ["-Clto=fat", "-Cstrip=none", "-Cdebuginfo=line-tables-only", "-Clink-arg=-zstack-size=4259840"];

/// Packages of Debian with which the standard library can be built.
const PACKAGES: &str = "rustc-web cargo-web rust-web-src lld-19";

/// A Rust compiler that can make players.
#[derive(Clone, Debug)]
pub struct RustCompiler {
    rustc: PathBuf,
    /// What it says of itself; a part of the key of everything it makes.
    version: String,
    sysroot: PathBuf,
    /// The linker, where the compiler does not bring its own.
    linker: Option<PathBuf>,
    /// Where its own would be.
    own_linker: PathBuf,
    std: Std,
}

#[derive(Clone, Debug)]
enum Std {
    Installed,
    Source { cargo: PathBuf, library: PathBuf },
}

#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    #[error("{}: {source}", .path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{what} cannot be compiled:\n{output}")]
    Compile { what: &'static str, output: String },
    #[error("{0}")]
    Folder(Box<BuildError>),
}

impl From<BuildError> for PrepareError {
    fn from(error: BuildError) -> PrepareError {
        PrepareError::Folder(Box::new(error))
    }
}

type Result<T> = std::result::Result<T, PrepareError>;

/// Everything there is to compile players.
#[derive(Clone, Debug)]
pub struct Prepared {
    compiler: RustCompiler,
    /// The sysroot with our standard library, if the compiler has none.
    sysroot: Option<PathBuf>,
    /// The folder of the SDK's `rlib`.
    sdk: PathBuf,
}

/// Changes with the way players are compiled.
pub fn flags_key() -> String {
    [FLAGS.join(" "), LINK_FLAGS.join(" ")].join(" ")
}

/// Looks for a compiler: first one with a standard library for WebAssembly,
/// then one with the source of its standard library. What was found is
/// remembered until one of the compilers is another.
pub fn find() -> std::result::Result<RustCompiler, BuildError> {
    static KNOWN: Mutex<Option<(String, RustCompiler)>> = Mutex::new(None);
    let programs: Vec<PathBuf> = on_path("rustc").collect();
    let state = |found: &RustCompiler| {
        folder::state_of(&[&programs[..], std::slice::from_ref(&found.rustc), found.linker.as_slice()].concat())
    };
    let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some((same, compiler)) = &*known
        && *same == state(compiler)
    {
        return Ok(compiler.clone());
    }
    let compilers: Vec<Found> = programs.iter().filter_map(|rustc| Found::ask(rustc)).collect();
    let ready = compilers.iter().find_map(Found::with_std);
    let found = ready.or_else(|| compilers.iter().find_map(Found::with_source)).ok_or_else(missing)?;
    *known = Some((state(&found), found.clone()));
    Ok(found)
}

/// What to say where there is none.
pub fn missing() -> BuildError {
    BuildError::Missing { what: "a Rust compiler for WebAssembly".to_owned(), install: install() }
}

impl RustCompiler {
    /// The compiler's name and version, for people.
    pub fn version(&self) -> &str {
        self.version.lines().next().unwrap_or_default()
    }

    /// Whether [`RustCompiler::prepare`] will compile the standard library
    /// first, which takes about a minute.
    pub fn builds_std(&self, cache: &Path) -> bool {
        matches!(self.std, Std::Source { .. }) && !self.std_folder(cache).is_dir()
    }

    /// Compiles the SDK, and the standard library if there is none, unless
    /// `cache` has them. Whatever is cut off leaves nothing that looks finished.
    pub fn prepare(&self, cache: &Path, sdk: &Path) -> Result<Prepared> {
        let sysroot = match &self.std {
            Std::Installed => None,
            Std::Source { cargo, library } => {
                let folder = self.std_folder(cache);
                folder::once(&folder, |into, work| self.build_std(cargo, library, into, work))?;
                Some(folder)
            }
        };
        let sources = Sources::read(&sdk.join("src"))?;
        let folder = cache.join(format!("rust-sdk-{:016x}", self.key(&sources.digest())));
        folder::once(&folder, |into, _| self.build_sdk(sysroot.as_deref(), sdk, into))?;
        Ok(Prepared { compiler: self.clone(), sysroot, sdk: folder })
    }

    fn std_folder(&self, cache: &Path) -> PathBuf {
        cache.join(format!("rust-std-{:016x}", self.key(&[])))
    }

    /// Changes with everything that could change what is compiled.
    fn key(&self, more: &[u8]) -> u64 {
        let mut digest = Digest::new();
        digest.bytes(self.version.as_bytes());
        FLAGS.iter().for_each(|flag| digest.bytes(flag.as_bytes()));
        digest.bytes(more);
        digest.finish()
    }

    /// Makes a sysroot that holds nothing but the standard library of the target.
    fn build_std(&self, cargo: &Path, library: &Path, into: &Path, work: &TemporaryFolder) -> Result<()> {
        let work = work.path();
        let manifest = work.join("Cargo.toml");
        write(&manifest, STD_MANIFEST)?;
        write(&work.join("lib.rs"), "#![no_std]\n")?;
        let home = work.join("home");
        let rustflags = ["-Cembed-bitcode=yes".into(), remap(library, "library"), "--remap-path-scope=object".into()];
        let mut command = Command::new(cargo);
        command
            .args(["build", "--release", "--offline", "--target", TARGET, "--manifest-path"])
            .arg(&manifest)
            .args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features="])
            .args(["--config", "source.crates-io.replace-with='vendored'", "--config"])
            .arg(joined(["source.vendored.directory='".as_ref(), library.join("vendor").as_os_str(), "'".as_ref()]))
            // Settings of whoever builds do not matter, not even those of the folders above.
            .env_clear()
            .current_dir("/")
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &home)
            .env("CARGO_HOME", &home)
            .env("CARGO_TARGET_DIR", work.join("target"))
            .env("RUSTC", &self.rustc)
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_ENCODED_RUSTFLAGS", rustflags.join(OsStr::new("\x1f")));
        compile("the standard library", &mut command)?;
        let made = work.join("target").join(TARGET).join("release/deps");
        let libraries = into.join("lib/rustlib").join(TARGET).join("lib");
        fs::create_dir_all(&libraries).map_err(about(&libraries))?;
        for entry in files(&made)? {
            let name = entry.file_name().unwrap_or_default().to_string_lossy();
            if name.ends_with(".rlib") && !name.starts_with("libnothing") {
                let kept = libraries.join(&*name);
                fs::copy(&entry, &kept).map_err(about(&kept))?;
            }
        }
        Ok(())
    }

    fn build_sdk(&self, sysroot: Option<&Path>, sdk: &Path, into: &Path) -> Result<()> {
        let mut args = self.args(sysroot);
        args.extend(["--crate-type=rlib", "--crate-name=ludus_player", "--cap-lints=allow"].map(OsString::from));
        args.extend([remap(sdk, "ludus_player"), "--remap-path-scope=object".into()]);
        args.extend([sdk.join("src/lib.rs").into(), "-o".into(), into.join(SDK_FILE).into()]);
        compile(
            "the SDK",
            &mut CommandLine { program: self.rustc.clone(), args, env: env(), ..CommandLine::default() }.command(),
        )
    }

    fn args(&self, sysroot: Option<&Path>) -> Vec<OsString> {
        let mut args: Vec<OsString> = FLAGS.map(OsString::from).into();
        if let Some(sysroot) = sysroot {
            args.extend(["--sysroot".into(), sysroot.into()]);
        }
        args
    }
}

const SDK_FILE: &str = "libludus_player.rlib";

/// Something to build for which the standard library is needed.
const STD_MANIFEST: &str = r#"[package]
name = "nothing"
version = "0.0.0"
edition = "2024"

[lib]
path = "lib.rs"

[profile.release]
opt-level = 3
codegen-units = 1
panic = "abort"

[workspace]
"#;

/// Where things are for a compiler in a jail.
const STD: &str = "/ludus/std";
const SDK: &str = "/ludus/sdk";

impl Prepared {
    /// The command that compiles the player in `source` to the module `out`.
    pub fn command(&self, jail: Jail, source: &Path, out: &Path) -> CommandLine {
        let compiler = &self.compiler;
        let sysroot = self.sysroot.as_deref().map(|folder| jail.place(folder, STD));
        // In a jail a compiler does not find out where it is installed.
        let mut args = compiler.args(Some(sysroot.as_deref().unwrap_or(&compiler.sysroot)));
        args.extend(LINK_FLAGS.map(OsString::from));
        if let Some(linker) = &compiler.linker {
            args.push(joined(["-Clinker=".as_ref(), linker.as_os_str()]));
        }
        args.extend(["--crate-type=cdylib", "--crate-name=player", "--extern"].map(OsString::from));
        let library = jail.place(&self.sdk, SDK).join(SDK_FILE);
        args.push(joined(["ludus_player=".as_ref(), library.as_os_str()]));
        if let Some(folder) = source.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            args.extend([remap(folder, ""), "--remap-path-scope=object".into()]);
        }
        args.extend([source.into(), "-o".into(), out.into()]);
        let places = self.sysroot.iter().map(|folder| (folder.clone(), STD)).chain([(self.sdk.clone(), SDK)]);
        let mut reads = Vec::new();
        let mut tools = Vec::new();
        if self.sysroot.is_none() {
            reads.push(compiler.sysroot.join("lib/rustlib").join(TARGET));
        }
        match &compiler.linker {
            Some(linker) => tools.push((linker.clone(), linker.clone())),
            None => tools.push((compiler.own_linker.clone(), compiler.own_linker.clone())),
        }
        let program = compiler.rustc.clone();
        CommandLine { program, args, env: env(), reads, places: places.collect(), tools }
    }

    /// The folders that a player's file is compiled with.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        self.sysroot.iter().chain([&self.sdk]).cloned().collect()
    }
}

/// Players are written in stable Rust, whatever the environment says.
fn env() -> Vec<(OsString, OsString)> {
    vec![("RUSTC_BOOTSTRAP".into(), "-1".into())]
}

/// A compiler and where its things are.
struct Found {
    rustc: PathBuf,
    version: String,
    sysroot: PathBuf,
    host: String,
    /// Where the standard library of the target is, or would be.
    libraries: PathBuf,
}

impl Found {
    fn ask(rustc: &Path) -> Option<Found> {
        let printed = answer(Command::new(rustc).args([
            "--print=sysroot",
            "--print=host-tuple",
            "--print=target-libdir",
            "--target",
            TARGET,
        ]))?;
        let mut lines = printed.lines();
        let (sysroot, host, libraries) = (lines.next()?, lines.next()?, lines.next()?);
        // What rustup puts on the path only looks for the real one, with the
        // help of files that a sandbox does not show.
        let real = Path::new(sysroot).join("bin").join(executable("rustc"));
        let rustc = if real.is_file() { real } else { rustc.to_owned() };
        let version = answer(Command::new(&rustc).arg("-vV"))?;
        Some(Found { rustc, version, sysroot: sysroot.into(), host: host.to_owned(), libraries: libraries.into() })
    }

    fn with_std(&self) -> Option<RustCompiler> {
        let has_std = fs::read_dir(&self.libraries).ok()?.flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with("libstd-") && name.ends_with(".rlib")
        });
        has_std.then(|| self.compiler(Std::Installed))?
    }

    fn with_source(&self) -> Option<RustCompiler> {
        let library = self.sysroot.join("lib/rustlib/src/rust/library");
        let cargo = self.rustc.with_file_name(executable("cargo"));
        let complete = library.join("std/Cargo.toml").is_file() && library.join("vendor").is_dir() && cargo.is_file();
        complete.then(|| self.compiler(Std::Source { cargo, library }))?
    }

    fn compiler(&self, std: Std) -> Option<RustCompiler> {
        let own = self.sysroot.join("lib/rustlib").join(&self.host).join("bin").join(executable("rust-lld"));
        let linker = if own.is_file() { None } else { Some(linker()?) };
        let Found { rustc, version, sysroot, .. } = self;
        let (rustc, version, sysroot) = (rustc.clone(), version.clone(), sysroot.clone());
        Some(RustCompiler { rustc, version, sysroot, linker, own_linker: own, std })
    }
}

/// The newest linker for WebAssembly.
fn linker() -> Option<PathBuf> {
    let versioned = (14..40).rev().map(|version| format!("wasm-ld-{version}"));
    std::iter::once("wasm-ld".to_owned()).chain(versioned).find_map(|name| on_path(&name).next())
}

fn install() -> String {
    if on_path("rustup").next().is_some() {
        format!("rustup target add {TARGET}")
    } else if on_path("apt-get").next().is_some() {
        format!("sudo apt-get install {PACKAGES}")
    } else {
        format!("curl -sSf https://sh.rustup.rs | sh -s -- -y -t {TARGET}")
    }
}

/// The programs of this name, in the order of the search path.
fn on_path(name: &str) -> impl Iterator<Item = PathBuf> + use<> {
    let name = executable(name);
    let folders: Vec<PathBuf> = std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    folders.into_iter().map(move |folder| folder.join(&name)).filter(|path| path.is_absolute() && path.is_file())
}

fn executable(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// What a program prints, if it succeeds.
fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok())?
}

fn compile(what: &'static str, command: &mut Command) -> Result<()> {
    let program = PathBuf::from(command.get_program());
    let output = command.stdin(Stdio::null()).output().map_err(about(&program))?;
    if !output.status.success() {
        return Err(PrepareError::Compile { what, output: String::from_utf8_lossy(&output.stderr).into_owned() });
    }
    Ok(())
}

/// The files of a crate.
struct Sources(Vec<(PathBuf, Vec<u8>)>);

impl Sources {
    fn read(folder: &Path) -> Result<Sources> {
        let mut all = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(next) = folders.pop() {
            for path in files(&next)? {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let text = fs::read(&path).map_err(about(&path))?;
                    all.push((path.strip_prefix(folder).unwrap_or(&path).to_owned(), text));
                }
            }
        }
        all.sort();
        Ok(Sources(all))
    }

    fn digest(&self) -> [u8; 8] {
        let mut digest = Digest::new();
        for (path, text) in &self.0 {
            digest.bytes(path.as_os_str().as_encoded_bytes());
            digest.bytes(text);
        }
        digest.finish().to_le_bytes()
    }
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(about(folder))?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(about(folder))).collect()
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(about(path))
}

/// Names the file that an error is about.
fn about(path: &Path) -> impl FnOnce(io::Error) -> PrepareError + use<'_> {
    move |source| PrepareError::File { path: path.to_owned(), source }
}

/// Keeps a folder's own path out of what is compiled.
fn remap(folder: &Path, to: &str) -> OsString {
    joined(["--remap-path-prefix=".as_ref(), folder.as_os_str(), "=".as_ref(), to.as_ref()])
}

fn joined<const N: usize>(parts: [&OsStr; N]) -> OsString {
    parts.into_iter().collect()
}
