//! C++ players, compiled with clang, be it of the system or of zig.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::compiler::{Compiler, Cxx};
use super::folder::{self, TemporaryFolder};
use super::sdk::Sdk;
use super::{Bounds, BuildError, CommandLine, Exit, Jail, Language, MODULE, hash};

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

/// A compiler, and the parts of the SDK that it has compiled beforehand.
pub struct Prepared {
    compiler: Compiler,
    jail: Jail,
    cache: PathBuf,
    sdk: PathBuf,
    game: String,
    key: String,
}

/// What the header needs of the templates of the library is made with it, and not
/// again for every player, a seventh of the time of a compile. Players become the same.
const HEADER_FLAGS: [&str; 3] = ["-fpch-instantiate-templates", "-x", "c++-header"];

/// Changes with the way players are compiled.
pub fn key() -> String {
    [FLAGS.join(" "), LINK_FLAGS.join(" "), STANDARDS.join(" "), HEADER_FLAGS.join(" ")].join(" ")
}

/// The header that players of every game include.
pub const PLAYER_HEADER: &str = "Player.hh";

/// Whether a file that C++17 refuses with these messages may be accepted by
/// another standard. Older files deserve every chance; a newer standard is only
/// tried on files that look as if they wanted it.
pub fn may_help(standard: &str, messages: &str) -> bool {
    standard != "gnu++20" || ["C++20", "no member named", "'concept'"].iter().any(|hint| messages.contains(hint))
}

/// Compiles what every player of a game shares, unless that has been done.
pub fn prepare(cxx: &Cxx, cache: &Path, sdk: &Sdk, game: &str, jail: Jail) -> Result<Prepared, BuildError> {
    let compiler = cxx.compiler()?;
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
        let mut compile = self.compiling(standard);
        let precompiled = self.jail.place(&header, HEADER).join(HEADER_FILE);
        compile.args.extend(["-include-pch".into(), precompiled.into()]);
        compile.args.extend(["-c", Language::Cpp.file(), "-o", "player.o"].map(Into::into));
        compile.places.push((header, HEADER));
        let seen = self.jail.place(&objects, OBJECTS);
        let ours = self.sources().into_iter().map(|source| seen.join(object(&source)).into());
        let linked = std::iter::once("player.o".into()).chain(ours).collect();
        let mut link = self.compiler.link(&LINK_FLAGS, linked, MODULE);
        link.places.push((objects, OBJECTS));
        Ok([compile, link])
    }

    fn compiling(&self, standard: &str) -> CommandLine {
        let mut command = self.compiler.compile(self.flags(standard));
        command.places.push((self.sdk.clone(), SDK));
        command
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
            let args = HEADER_FLAGS.map(OsString::from).into_iter().chain([header.into()]).collect();
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
        let mut command = self.compiling(standard);
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
