//! C++ players, compiled with clang.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::jail::which;
use super::sdk::Sdk;
use super::{BuildError, CommandLine, TemporaryFolder, hash};

pub const INSTALL: &str = "sudo apt-get install clang-19 lld-19 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 wasi-libc";

/// The standards that are tried, in this order: most files of past years are
/// valid C++17, some use a name that C++17 took, and some of today want more.
pub const STANDARDS: [&str; 3] = ["gnu++17", "gnu++14", "gnu++20"];

/// How every player is compiled: for speed, with every instruction that gives
/// the same result on every machine. Falling off the end of a function and
/// reading what was never set are made harmless, because players do both.
/// Warnings are the ones that point at mistakes, and none of them stops a player.
const FLAGS: [&str; 37] = [
    "--target=wasm32-wasi",
    "-O3",
    "-msimd128",
    "-mbulk-memory",
    "-msign-ext",
    "-mnontrapping-fptoint",
    "-fignore-exceptions",
    "-fno-strict-return",
    "-fno-strict-aliasing",
    "-ftrivial-auto-var-init=zero",
    "-fno-ident",
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

const LINK_FLAGS: [&str; 7] = [
    "--target=wasm32-wasi",
    "-mexec-model=reactor",
    "-Wl,--strip-all",
    "-Wl,-z,stack-size=8388608",
    "-Wl,--stack-first",
    "-lwasi-emulated-process-clocks",
    "-lwasi-emulated-signal",
];

/// A compiler, and the parts of the SDK that it has compiled beforehand.
pub struct Prepared {
    clang: PathBuf,
    sdk: PathBuf,
    folder: PathBuf,
    game: String,
}

/// Changes with the way players are compiled.
pub fn key() -> String {
    [FLAGS.join(" "), LINK_FLAGS.join(" "), STANDARDS.join(" ")].join(" ")
}

/// The header that players include, of the game whose headers are in a folder.
pub fn header(own: &Path) -> &'static str {
    if own.join("Player.hh").is_file() { "Player.hh" } else { "aibase.h" }
}

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
    let has_library =
        ["/usr/include/wasm32-wasi", "/usr/lib/wasm32-wasi"].iter().all(|folder| Path::new(folder).is_dir());
    if has_library { Ok(clang) } else { Err(missing()) }
}

/// Compiles what every player of a game shares, unless that has been done.
pub fn prepare(cache: &Path, sdk: &Sdk, game: &str) -> Result<Prepared, BuildError> {
    let clang = find()?;
    let version =
        Command::new(&clang).arg("--version").output().map_err(BuildError::io("cannot ask clang for its version"))?;
    let key = hash(&[&version.stdout, key().as_bytes(), sdk.key.as_bytes(), game.as_bytes()]);
    let folder = cache.join(format!("cpp-{}", &key[..16]));
    let prepared = Prepared { clang, sdk: sdk.folder.join("cpp"), folder, game: game.to_owned() };
    if !prepared.folder.is_dir() {
        prepared.compile_sdk(cache)?;
    }
    Ok(prepared)
}

impl Prepared {
    /// The header that players of the game include.
    pub fn header(&self) -> &'static str {
        header(&self.sdk.join(&self.game))
    }

    /// Compiling and linking one player.
    pub fn commands(&self, standard: &'static str, source: &Path, out: &Path) -> Result<Vec<CommandLine>, BuildError> {
        let object = out.with_extension("o");
        let mut compile = self.flags(standard);
        compile.extend(["-include-pch".into(), self.precompiled_header(standard)?.into()]);
        // No path of this machine gets into a module.
        if let Some(folder) = source.parent() {
            compile.push(format!("-ffile-prefix-map={}/=", folder.display()).into());
        }
        compile.extend(["-c".into(), source.into(), "-o".into(), object.clone().into()]);
        let mut link: Vec<_> = LINK_FLAGS.iter().map(Into::into).collect();
        link.push(object.into());
        link.extend(self.sources().iter().map(|source| self.object(source).into()));
        link.extend(["-o".into(), out.into()]);
        let command = |args| CommandLine {
            program: self.clang.clone(),
            args,
            env: Vec::new(),
            reads: vec![self.sdk.clone(), self.folder.clone()],
        };
        Ok([compile, link].into_iter().map(command).collect())
    }

    /// The SDK's folders are the system's for the compiler, which then says
    /// nothing about them.
    fn flags(&self, standard: &str) -> Vec<std::ffi::OsString> {
        let mut flags: Vec<_> = FLAGS.iter().map(Into::into).collect();
        flags.push(format!("-std={standard}").into());
        flags.push(format!("-DLUDUS_GAME=\"{}\"", self.game).into());
        for folder in [&*self.game, "shared", "wasm"] {
            flags.extend(["-isystem".into(), self.sdk.join(folder).into()]);
        }
        flags
    }

    /// The part of the SDK that is code: what is shared and is used by the
    /// game, and the game's own.
    fn sources(&self) -> Vec<PathBuf> {
        let shared = self.sdk.join("shared");
        let mut sources = vec![shared.join("runtime.cc"), shared.join("nowhere.cc")];
        let own = self.sdk.join(&self.game).join("glue.cc");
        if own.is_file() {
            sources.push(own);
        } else {
            sources.extend([shared.join("registry.cc"), shared.join("glue.cc")]);
        }
        sources
    }

    fn object(&self, source: &Path) -> PathBuf {
        self.folder.join(source.file_stem().expect("it has a name")).with_extension("o")
    }

    /// The game's header in a form that is read quickly. That of the usual
    /// standard is always there; others are made when a file needs them.
    fn precompiled_header(&self, standard: &str) -> Result<PathBuf, BuildError> {
        let precompiled = self.folder.join(format!("{standard}.pch"));
        if !precompiled.is_file() {
            let temporary = TemporaryFolder::new(&self.folder)?;
            let fresh = temporary.path().join("header.pch");
            self.precompile(standard, &fresh)?;
            std::fs::rename(&fresh, &precompiled).map_err(BuildError::io("cannot write to the cache"))?;
        }
        Ok(precompiled)
    }

    fn precompile(&self, standard: &str, into: &Path) -> Result<(), BuildError> {
        let header = self.sdk.join(&self.game).join(self.header());
        self.compile(standard, &["-x".as_ref(), "c++-header".as_ref(), header.as_ref(), "-o".as_ref(), into.as_ref()])
    }

    fn compile_sdk(&self, cache: &Path) -> Result<(), BuildError> {
        let temporary = TemporaryFolder::new(cache)?;
        let fresh = temporary.path().join("sdk");
        std::fs::create_dir(&fresh).map_err(BuildError::io("cannot make a folder in the cache"))?;
        for source in self.sources() {
            let object = fresh.join(source.file_stem().expect("it has a name")).with_extension("o");
            self.compile(STANDARDS[0], &["-c".as_ref(), source.as_ref(), "-o".as_ref(), object.as_ref()])?;
        }
        self.precompile(STANDARDS[0], &fresh.join(format!("{}.pch", STANDARDS[0])))?;
        match std::fs::rename(&fresh, &self.folder) {
            Ok(()) => Ok(()),
            // Somebody else was faster.
            Err(_) if self.folder.is_dir() => Ok(()),
            Err(error) => Err(BuildError::io("cannot write to the cache")(error)),
        }
    }

    /// Compiles a file of our own, which needs no jail.
    fn compile(&self, standard: &str, args: &[&std::ffi::OsStr]) -> Result<(), BuildError> {
        let output = Command::new(&self.clang)
            .args(self.flags(standard))
            .args(args)
            .output()
            .map_err(BuildError::io("cannot start clang"))?;
        if output.status.success() {
            return Ok(());
        }
        Err(BuildError::Sdk(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}
