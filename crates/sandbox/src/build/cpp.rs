//! C++ players, compiled with clang.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use super::folder::{self, TemporaryFolder};
use super::jail::which;
use super::sdk::Sdk;
use super::{Bounds, BuildError, CommandLine, Exit, Jail, Language, MODULE, hash};

pub const INSTALL: &str = "sudo apt-get install clang-19 lld-19 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 wasi-libc";

/// The standards that are tried, in this order: most files of past years are
/// valid C++17, some use a name that C++17 took, and some of today want more.
pub const STANDARDS: [&str; 3] = ["gnu++17", "gnu++14", "gnu++20"];

/// How every player is compiled: for speed, with every instruction that gives
/// the same result on every machine. Falling off the end of a function and
/// reading what was never set are made harmless, because players do both. A
/// loop without an end stays one, so that the verdict says what happened.
/// Warnings are the ones that point at mistakes, and none of them stops a player.
/// Lines are taken out of the module again (`symbols.rs`) and change no code.
const FLAGS: [&str; 39] = [
    "--target=wasm32-wasi",
    "-O3",
    "-msimd128",
    "-mbulk-memory",
    "-msign-ext",
    "-mnontrapping-fptoint",
    "-fignore-exceptions",
    "-fno-strict-return",
    "-fno-finite-loops",
    "-fno-strict-aliasing",
    "-ftrivial-auto-var-init=zero",
    "-fno-ident",
    "-gline-tables-only",
    "-Wno-everything",
    "-Warray-bounds",
    "-Wdivision-by-zero",
    "-Wempty-body",
    "-Wformat",
    "-Winfinite-recursion",
    "-Wmisleading-indentation",
    "-Wparentheses",
    "-Wno-logical-op-parentheses",
    "-Wreturn-type",
    "-Wno-error=return-type",
    "-Wself-assign",
    "-Wsizeof-pointer-memaccess",
    "-Wsometimes-uninitialized",
    "-Wtautological-compare",
    "-Wuninitialized",
    "-Wunused-comparison",
    "-Wunused-value",
    "-D_WASI_EMULATED_PROCESS_CLOCKS",
    "-D_WASI_EMULATED_SIGNAL",
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_RANDOM_SHUFFLE",
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_AUTO_PTR",
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_BINDERS",
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION",
    "-Xclang",
    "-fno-pch-timestamp",
];

/// The stack is first, and its last page is the one that nobody touches
/// (`null_page.rs`): 8 MiB and 64 KiB.
const LINK_FLAGS: [&str; 6] = [
    "--target=wasm32-wasi",
    "-mexec-model=reactor",
    "-Wl,-z,stack-size=8454144",
    "-Wl,--stack-first",
    "-lwasi-emulated-process-clocks",
    "-lwasi-emulated-signal",
];

/// Where the SDK is for the compiler, and what it has compiled beforehand.
const SDK: &str = "/ludus/sdk";
const OBJECTS: &str = "/ludus/objects";
const HEADER: &str = "/ludus/header";
const HEADER_FILE: &str = "header.pch";

/// Where Debian and others put the C library for players.
const LIBRARY: [&str; 2] = ["/usr/include/wasm32-wasi", "/usr/lib/wasm32-wasi"];

/// A compiler, and the parts of the SDK that it has compiled beforehand.
pub struct Prepared {
    compiler: Compiler,
    jail: Jail,
    cache: PathBuf,
    sdk: PathBuf,
    game: String,
    key: String,
}

/// A clang, and the files that belong to it.
#[derive(Clone, Debug)]
struct Compiler {
    clang: PathBuf,
    /// What it says of itself.
    version: String,
    linker: PathBuf,
    /// Its own headers and libraries, and those of C and C++ for players.
    reads: Vec<PathBuf>,
}

/// Changes with the way players are compiled.
pub fn key() -> String {
    [FLAGS.join(" "), LINK_FLAGS.join(" "), STANDARDS.join(" ")].join(" ")
}

/// The header that players of every game include.
pub const PLAYER_HEADER: &str = "Player.hh";

/// Whether a file that C++17 refuses with these messages may be accepted by
/// another standard. Older files deserve every chance; a newer standard is only
/// tried on files that look as if they wanted it.
pub fn may_help(standard: &str, messages: &str) -> bool {
    standard != "gnu++20" || ["C++20", "no member named", "'concept'"].iter().any(|hint| messages.contains(hint))
}

/// Finds a clang that can make WebAssembly.
pub fn find() -> Result<PathBuf, BuildError> {
    let missing =
        || BuildError::Missing { what: "a C++ compiler for WebAssembly".to_owned(), install: INSTALL.to_owned() };
    let clang = ["clang++-19", "clang++"].into_iter().find_map(which).ok_or_else(missing)?;
    let has_library = LIBRARY.iter().all(|folder| Path::new(folder).is_dir());
    if has_library { Ok(clang) } else { Err(missing()) }
}

impl Compiler {
    /// Asks the compiler, unless it is the one that was asked before.
    fn find() -> Result<Compiler, BuildError> {
        static KNOWN: Mutex<Option<(String, Compiler)>> = Mutex::new(None);
        let found = find()?;
        let real = found.canonicalize().map_err(BuildError::io("cannot find clang"))?;
        let state = folder::state_of(std::slice::from_ref(&real));
        let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((same, compiler)) = &*known
            && *same == state
        {
            return Ok(compiler.clone());
        }
        // Beside the real one, where it looks for its own files.
        let beside = real.with_file_name("clang++");
        let clang = if beside.is_file() { beside } else { found };
        let compiler = Compiler::ask(&clang)?;
        *known = Some((state, compiler.clone()));
        Ok(compiler)
    }

    fn ask(clang: &Path) -> Result<Compiler, BuildError> {
        let ask = |question: &str| {
            let answer = Command::new(clang).arg("--target=wasm32-wasi").arg(question).output();
            let answer = answer.map_err(BuildError::io("cannot ask clang about itself"))?;
            Ok::<_, BuildError>(String::from_utf8_lossy(&answer.stdout).trim().to_owned())
        };
        let own = Path::new(&ask("-print-resource-dir")?).to_owned();
        let home = clang.parent().unwrap_or(clang);
        let missing = || BuildError::Missing { what: "a linker for WebAssembly".into(), install: INSTALL.into() };
        let beside = Some(home.join("wasm-ld")).filter(|linker| linker.is_file());
        let linker = beside.or_else(|| ["wasm-ld-19", "wasm-ld"].into_iter().find_map(which)).ok_or_else(missing)?;
        // The system's folders hold links to those of the compiler.
        let more = ["../include/wasm32-wasi", "../lib/wasm32-wasi"].map(|folder| home.join(folder).canonicalize().ok());
        let reads = LIBRARY.map(PathBuf::from).into_iter().chain(more.into_iter().flatten()).chain([own]);
        Ok(Compiler { clang: clang.to_owned(), version: ask("--version")?, linker, reads: reads.collect() })
    }

    /// Changes when the compiler or one of its headers is replaced, whatever the
    /// version says: what was compiled beforehand is then of no use.
    fn state(&self) -> String {
        let programs = [self.clang.clone(), self.linker.clone()];
        folder::state_of(&[&programs[..], &self.reads].concat())
    }
}

/// Compiles what every player of a game shares, unless that has been done.
pub fn prepare(cache: &Path, sdk: &Sdk, game: &str, jail: Jail) -> Result<Prepared, BuildError> {
    let compiler = Compiler::find()?;
    let (flags, state, jailed) = (key(), compiler.state(), format!("{jail:?}"));
    let parts = [&compiler.version, &state, &flags, &sdk.key, game, &jailed];
    let key = hash(&parts.map(str::as_bytes))[..16].to_owned();
    let (cache, sdk) = (cache.to_owned(), sdk.folder.join("cpp"));
    let prepared = Prepared { compiler, jail, cache, sdk, game: game.to_owned(), key };
    folder::once(&prepared.objects(), |fresh, work| prepared.compile_sdk(fresh, work))?;
    prepared.precompiled(STANDARDS[0])?;
    Ok(prepared)
}

impl Prepared {
    /// The folders that a player's file is compiled with.
    pub fn folders(&self, standard: &str) -> Vec<PathBuf> {
        vec![self.objects(), self.precompiled_folder(standard)]
    }

    /// Compiling and linking one player.
    pub fn commands(&self, standard: &str) -> Result<[CommandLine; 2], BuildError> {
        let (header, objects) = (self.precompiled(standard)?, self.objects());
        let mut compile = self.command(self.flags(standard));
        let precompiled = self.jail.place(&header, HEADER).join(HEADER_FILE);
        compile.args.extend(["-include-pch".into(), precompiled.into()]);
        compile.args.extend(["-c", Language::Cpp.file(), "-o", "player.o"].map(Into::into));
        compile.places.push((header, HEADER));
        let mut link = self.command(LINK_FLAGS.iter().map(Into::into).collect());
        link.args.push("player.o".into());
        let seen = self.jail.place(&objects, OBJECTS);
        link.args.extend(self.sources().iter().map(|source| seen.join(object(source)).into()));
        link.args.extend(["-o", MODULE].map(Into::into));
        link.places.push((objects, OBJECTS));
        Ok([compile, link])
    }

    fn command(&self, args: Vec<OsString>) -> CommandLine {
        let Compiler { clang, linker, reads, .. } = &self.compiler;
        // Debian's clang looks for the linker under the name with the version.
        let names = ["wasm-ld", "wasm-ld-19"].map(|name| (linker.clone(), clang.with_file_name(name)));
        CommandLine {
            program: clang.clone(),
            args,
            env: Vec::new(),
            reads: reads.clone(),
            places: vec![(self.sdk.clone(), SDK)],
            tools: names.into(),
        }
    }

    /// The SDK's folders are the system's for the compiler, which then says
    /// nothing about them.
    fn flags(&self, standard: &str) -> Vec<OsString> {
        let mut flags: Vec<_> = FLAGS.iter().map(Into::into).collect();
        flags.push(format!("-std={standard}").into());
        flags.push(format!("-DLUDUS_GAME=\"{}\"", self.game).into());
        let sdk = self.jail.place(&self.sdk, SDK);
        for folder in [&*self.game, "shared", "wasm"] {
            flags.extend(["-isystem".into(), sdk.join(folder).into()]);
        }
        flags
    }

    /// The part of the SDK that is code: what is shared and is used by the
    /// game, and the game's own.
    fn sources(&self) -> Vec<PathBuf> {
        let own = Path::new(&self.game).join("glue.cc");
        let mut sources = vec!["shared/runtime.cc".into(), "shared/nowhere.cc".into()];
        if self.sdk.join(&own).is_file() {
            sources.push(own);
        } else {
            sources.extend(["shared/registry.cc", "shared/glue.cc"].map(PathBuf::from));
        }
        sources
    }

    fn objects(&self) -> PathBuf {
        self.cache.join(format!("cpp-{}", self.key))
    }

    fn precompiled_folder(&self, standard: &str) -> PathBuf {
        self.cache.join(format!("header-{}-{}", self.key, standard.trim_start_matches("gnu++")))
    }

    /// The game's header in a form that is read quickly. That of the usual
    /// standard is always there; others are made when a file needs them.
    fn precompiled(&self, standard: &str) -> Result<PathBuf, BuildError> {
        let folder = self.precompiled_folder(standard);
        folder::once(&folder, |fresh, work| {
            let header = self.jail.place(&self.sdk, SDK).join(&self.game).join(PLAYER_HEADER);
            let args = vec!["-x".into(), "c++-header".into(), header.into()];
            self.compile(standard, args, HEADER_FILE, fresh, work)
        })?;
        Ok(folder)
    }

    fn compile_sdk(&self, fresh: &Path, work: &TemporaryFolder) -> Result<(), BuildError> {
        self.sources().iter().try_for_each(|source| {
            let file = self.jail.place(&self.sdk, SDK).join(source);
            let args = vec!["-c".into(), file.into()];
            let name = object(source);
            self.compile(STANDARDS[0], args, name.to_str().expect("our files have plain names"), fresh, work)
        })
    }

    /// Compiles a file of our own. It needs no jail, but sees in one what
    /// players' files see, from the same places.
    fn compile(
        &self,
        standard: &str,
        args: Vec<OsString>,
        name: &str,
        into: &Path,
        work: &TemporaryFolder,
    ) -> Result<(), BuildError> {
        let mut command = self.command(self.flags(standard));
        command.args.extend(args);
        command.args.extend(["-o".into(), name.into()]);
        let bounds = Bounds { cpu_seconds: 120, wall_seconds: 600, ..Bounds::COMPILER };
        let ran = self.jail.run(&command, work.path(), &bounds)?;
        if ran.exit != Exit::Success {
            return Err(BuildError::Sdk(format!("{:?}: {}", ran.exit, ran.messages)));
        }
        let keep = || std::fs::write(into.join(name), work.read(name, bounds.file)?);
        keep().map_err(BuildError::io("cannot keep what was compiled beforehand"))
    }
}

/// What a file of the SDK compiles to.
fn object(source: &Path) -> PathBuf {
    Path::new(source.file_name().expect("it has a name")).with_extension("o")
}
