//! C++ players, compiled with clang.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::jail::which;
use super::{BuildError, CommandLine, TemporaryFolder, hash};

pub const INSTALL: &str =
    "apt-get install clang-19 lld-19 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 wasi-libc";

const STANDARDS: [&str; 2] = ["gnu++17", "gnu++14"];

/// How every player is compiled: for speed, with every instruction that gives
/// the same result on every machine. Falling off the end of a function and reading
/// what was never set are made harmless, because players do both.
const FLAGS: [&str; 21] = [
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
    "-Wno-register",
    "-Wno-everything",
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
    key: String,
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
pub fn prepare(cache: &Path, sdk: &Path, game: &str) -> Result<Prepared, BuildError> {
    let clang = find()?;
    let version =
        Command::new(&clang).arg("--version").output().map_err(BuildError::io("cannot ask clang for its version"))?;
    let flags: Vec<&str> = FLAGS.iter().chain(&LINK_FLAGS).copied().collect();
    let key = hash(&[&version.stdout, flags.join(" ").as_bytes(), sdk.as_os_str().as_encoded_bytes(), game.as_bytes()]);
    let folder = cache.join(format!("cpp-{}", &key[..16]));
    let prepared = Prepared { clang, sdk: sdk.join("cpp"), folder, game: game.to_owned(), key };
    if !prepared.folder.is_dir() {
        prepared.compile_sdk(cache)?;
    }
    Ok(prepared)
}

impl Prepared {
    pub fn key(&self) -> &str {
        &self.key
    }

    pub fn standards(&self) -> impl Iterator<Item = &'static str> + use<> {
        STANDARDS.into_iter()
    }

    /// Compiling and linking one player.
    pub fn commands(&self, standard: &'static str, source: &Path, out: &Path) -> Vec<CommandLine> {
        let object = out.with_extension("o");
        let mut compile = self.flags(standard);
        if standard == STANDARDS[0] {
            compile.extend(["-include-pch".into(), self.precompiled_header(&self.folder).into()]);
        }
        // No path of this machine gets into a module.
        if let Some(folder) = source.parent() {
            compile.push(format!("-ffile-prefix-map={}/=", folder.display()).into());
        }
        compile.extend(["-c".into(), source.into(), "-o".into(), object.clone().into()]);
        let mut link: Vec<_> = LINK_FLAGS.iter().map(Into::into).collect();
        link.push(object.into());
        link.extend(self.sources().iter().map(|source| self.object(source).into()));
        link.extend(["-o".into(), out.into()]);
        [compile, link]
            .into_iter()
            .map(|args| CommandLine {
                program: self.clang.clone(),
                args,
                env: Vec::new(),
                reads: vec![self.sdk.clone(), self.folder.clone()],
            })
            .collect()
    }

    fn flags(&self, standard: &str) -> Vec<std::ffi::OsString> {
        let mut flags: Vec<_> = FLAGS.iter().map(Into::into).collect();
        flags.push(format!("-std={standard}").into());
        flags.push(format!("-DLUDUS_GAME=\"{}\"", self.game).into());
        for folder in [self.sdk.join(&self.game), self.sdk.join("shared")] {
            flags.extend(["-I".into(), folder.into()]);
        }
        flags
    }

    /// The part of the SDK that is code: what is shared and is used by the
    /// game, and the game's own.
    fn sources(&self) -> Vec<PathBuf> {
        let own = self.sdk.join(&self.game);
        let mut sources = vec![self.sdk.join("shared/runtime.cc")];
        if own.join("Player.hh").is_file() {
            sources.extend([self.sdk.join("shared/registry.cc"), self.sdk.join("shared/glue.cc")]);
        } else {
            sources.push(own.join("glue.cc"));
        }
        sources
    }

    fn object(&self, source: &Path) -> PathBuf {
        self.folder.join(source.file_stem().expect("it has a name")).with_extension("o")
    }

    /// Only the usual standard has one; files that need another are rare.
    fn precompiled_header(&self, folder: &Path) -> PathBuf {
        folder.join("header.pch")
    }

    fn header(&self) -> PathBuf {
        let own = self.sdk.join(&self.game);
        ["Player.hh", "aibase.h"].into_iter().map(|name| own.join(name)).find(|path| path.is_file()).unwrap_or(own)
    }

    fn compile_sdk(&self, cache: &Path) -> Result<(), BuildError> {
        let temporary = TemporaryFolder::new(cache)?;
        let fresh = temporary.path().join("sdk");
        std::fs::create_dir(&fresh).map_err(BuildError::io("cannot make a folder in the cache"))?;
        for source in self.sources() {
            let object = fresh.join(source.file_stem().expect("it has a name")).with_extension("o");
            self.compile(STANDARDS[0], &["-c".as_ref(), source.as_ref(), "-o".as_ref(), object.as_ref()])?;
        }
        let (header, precompiled) = (self.header(), self.precompiled_header(&fresh));
        self.compile(
            STANDARDS[0],
            &["-x".as_ref(), "c++-header".as_ref(), header.as_ref(), "-o".as_ref(), precompiled.as_ref()],
        )?;
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
        Err(BuildError::Compiler(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}
