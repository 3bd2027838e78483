//! The compilers for C++ players: the system's clang, or the one that zig carries,
//! which is a package of Python too and so can be brought along by ours.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use super::folder;
use super::jail::which;
use super::{BuildError, CommandLine};

const INSTALL: &str = "sudo apt-get install clang-19 lld-19 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 wasi-libc";

/// Where Debian puts the libraries for players, and what its compiler adds to them.
const SYSTEM: [&str; 2] = ["/usr/include/wasm32-wasi", "/usr/lib/wasm32-wasi"];
const BUILTINS: &str = "libclang_rt.builtins-wasm32.a";
const SYSTEM_BUILTINS: &str = "/usr/lib/llvm-19/lib/clang/19/lib/wasi";

/// Where our packages put them, from the folder above that of the program.
const OWN: &str = "share/ludus/wasm32-wasi";

/// Which compiler is taken for C++ players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cxx {
    /// The system's clang: judges take no other, so that fuel is the same for all.
    Clang,
    /// The system's clang, or zig where there is none.
    Any,
    /// This program and no other; it is a zig if it is called so.
    Named(PathBuf),
}

impl Cxx {
    /// What `LUDUS_CXX` names, or any.
    pub fn local() -> Cxx {
        let named = std::env::var_os("LUDUS_CXX").filter(|name| !name.is_empty());
        named.map_or(Cxx::Any, |name| Cxx::Named(name.into()))
    }

    /// What a compiler made that was asked for by name is kept apart.
    pub(crate) fn key(&self) -> &[u8] {
        match self {
            Cxx::Clang | Cxx::Any => b"",
            Cxx::Named(program) => program.as_os_str().as_encoded_bytes(),
        }
    }

    /// Finds one that can make WebAssembly.
    pub(crate) fn find(&self) -> Result<Found, BuildError> {
        let found = match self {
            Cxx::Clang => Found::clang(),
            Cxx::Any => Found::clang().or_else(|| Found::zig(zigs().find(|zig| zig.is_file())?)),
            Cxx::Named(program) => Found::named(program),
        };
        found.ok_or_else(|| match self {
            Cxx::Named(program) => {
                missing(&format!("{}, named by LUDUS_CXX, or its library for WebAssembly", program.display()))
            }
            Cxx::Clang | Cxx::Any => missing("a C++ compiler for WebAssembly"),
        })
    }

    /// Finds it and asks it about itself, unless it is the one that was asked before.
    pub(crate) fn compiler(&self) -> Result<Compiler, BuildError> {
        static KNOWN: Mutex<Option<(String, Compiler)>> = Mutex::new(None);
        let found = self.find()?;
        let real = found.program.canonicalize().map_err(BuildError::io("cannot find the C++ compiler"))?;
        let state = folder::state_of(std::slice::from_ref(&real));
        let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((same, compiler)) = &*known
            && *same == state
        {
            return Ok(compiler.clone());
        }
        let compiler = found.ask(&real)?;
        *known = Some((state, compiler.clone()));
        Ok(compiler)
    }
}

/// A compiler that is there, with the libraries for players.
#[derive(Debug)]
pub(crate) struct Found {
    program: PathBuf,
    is_zig: bool,
    library: Library,
}

impl Found {
    fn clang() -> Option<Found> {
        let program = ["clang++-19", "clang++"].into_iter().find_map(which)?;
        Some(Found { program, is_zig: false, library: Library::of_system()? })
    }

    /// Libraries that came with us are taken rather than the system's, whose
    /// compiler is not taken either.
    fn zig(program: PathBuf) -> Option<Found> {
        Some(Found { program, is_zig: true, library: Library::own().or_else(Library::of_system)? })
    }

    fn named(program: &Path) -> Option<Found> {
        let is_zig = program.file_stem()?.to_str()?.starts_with("zig");
        let found = if program.components().count() > 1 { program.to_owned() } else { which(program.to_str()?)? };
        let found = found.is_file().then_some(found)?;
        if is_zig {
            return Found::zig(found);
        }
        Some(Found { program: found, is_zig: false, library: Library::of_system()? })
    }

    fn ask(self, real: &Path) -> Result<Compiler, BuildError> {
        if self.is_zig {
            return self.ask_zig(real);
        }
        // Beside the real one, where it looks for its own files.
        let beside = real.with_file_name("clang++");
        let program = if beside.is_file() { beside } else { self.program };
        let ask = |question| answer(Command::new(&program).arg("--target=wasm32-wasi").arg(question));
        let own = PathBuf::from(ask("-print-resource-dir")?);
        let home = program.parent().unwrap_or(&program);
        let beside = Some(home.join("wasm-ld")).filter(|linker| linker.is_file());
        let linker = beside.or_else(|| ["wasm-ld-19", "wasm-ld"].into_iter().find_map(which));
        let linker = linker.ok_or_else(|| missing("a linker for WebAssembly"))?;
        // The system's folders hold links to those of the compiler.
        let more = ["../include/wasm32-wasi", "../lib/wasm32-wasi"].map(|folder| home.join(folder).canonicalize().ok());
        let mut library = self.library;
        let its_own = own.join("lib/wasi").join(BUILTINS);
        if its_own.is_file() {
            library.builtins = its_own;
        }
        let shared = [library.include.clone(), library.lib.clone()].into_iter();
        let reads = shared.chain(more.into_iter().flatten()).chain([own]).collect();
        Ok(Compiler { version: ask("--version")?, kind: Kind::Clang { linker }, program, library, reads })
    }

    fn ask_zig(self, real: &Path) -> Result<Compiler, BuildError> {
        let home = real.parent().unwrap_or(real);
        let places = [home.join("lib"), home.join("../lib/zig")];
        let headers = places.into_iter().map(|lib| lib.join("include")).find(|folder| folder.is_dir());
        let headers = headers.ok_or_else(|| missing(&format!("lib/include beside {}", real.display())))?;
        let version = answer(Command::new(real).args(["clang", "--version"]))?;
        let mut reads = vec![headers.clone()];
        reads.extend(self.library.folders());
        let kind = Kind::Zig { headers };
        Ok(Compiler { program: real.to_owned(), version, kind, library: self.library, reads })
    }
}

fn missing(what: &str) -> BuildError {
    BuildError::Missing { what: what.to_owned(), install: INSTALL.to_owned() }
}

fn answer(question: &mut Command) -> Result<String, BuildError> {
    let answer = question.output().map_err(BuildError::io("cannot ask the C++ compiler about itself"))?;
    Ok(String::from_utf8_lossy(&answer.stdout).trim().to_owned())
}

/// Where a zig may be: in the Python environment that we were installed in, or on
/// the path.
fn zigs() -> impl Iterator<Item = PathBuf> {
    let home = home().unwrap_or_default();
    let below = |folder: &str| {
        let entries = std::fs::read_dir(home.join(folder)).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let pythons = ["lib", "lib64", "local/lib"].into_iter().flat_map(below);
    let packages = pythons.flat_map(|python| ["site-packages", "dist-packages"].map(|packages| python.join(packages)));
    // On Windows there is no folder for each version of Python, and for all who
    // install into a folder of their own there is none at all.
    let packages = packages.chain([home.join("Lib/site-packages"), home.clone()]);
    let name = format!("zig{}", std::env::consts::EXE_SUFFIX);
    let found: Vec<_> = packages.map(|packages| packages.join("ziglang").join(&name)).collect();
    found.into_iter().chain(which(&name))
}

/// The folder above that of our program.
fn home() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.parent()?.to_owned())
}

/// The C and C++ libraries for players.
#[derive(Clone, Debug)]
struct Library {
    include: PathBuf,
    lib: PathBuf,
    /// What compilers add to them.
    builtins: PathBuf,
}

impl Library {
    fn of_system() -> Option<Library> {
        let [include, lib] = SYSTEM.map(PathBuf::from);
        let library = Library { include, lib, builtins: Path::new(SYSTEM_BUILTINS).join(BUILTINS) };
        (library.include.is_dir() && library.lib.is_dir()).then_some(library)
    }

    fn own() -> Option<Library> {
        let place = home()?.join(OWN);
        let (include, lib) = (place.join("include"), place.join("lib"));
        let builtins = lib.join(BUILTINS);
        builtins.is_file().then_some(Library { include, lib, builtins })
    }

    /// All that is read, and what links in it lead to.
    fn folders(&self) -> Vec<PathBuf> {
        let links = [self.include.join("c++/v1"), self.lib.join("libc++.a"), self.lib.join("libc++abi.a")];
        let real = links.iter().filter_map(|link| link.canonicalize().ok());
        let elsewhere = real.filter(|path| !path.starts_with(&self.include) && !path.starts_with(&self.lib));
        [self.include.clone(), self.lib.clone(), self.builtins.clone()].into_iter().chain(elsewhere).collect()
    }
}

/// A compiler, and the files that belong to it.
#[derive(Clone, Debug)]
pub(crate) struct Compiler {
    program: PathBuf,
    /// What it says of itself.
    pub version: String,
    kind: Kind,
    library: Library,
    /// Its own headers and libraries, and those of C and C++ for players.
    reads: Vec<PathBuf>,
}

#[derive(Clone, Debug)]
enum Kind {
    Clang {
        linker: PathBuf,
    },
    /// One program that is the compiler and the linker, and is told where all is.
    Zig {
        headers: PathBuf,
    },
}

impl Compiler {
    /// Changes when the compiler or one of its headers is replaced, whatever the
    /// version says: what was compiled beforehand is then of no use.
    pub fn state(&self) -> String {
        let linker = match &self.kind {
            Kind::Clang { linker } => linker.clone(),
            Kind::Zig { .. } => self.program.clone(),
        };
        folder::state_of(&[&[self.program.clone(), linker], &*self.reads].concat())
    }

    /// Compiling with these flags.
    pub fn compile(&self, flags: Vec<OsString>) -> CommandLine {
        let Kind::Zig { headers } = &self.kind else { return self.command(&self.program, flags) };
        let mut args: Vec<OsString> = vec!["clang".into()];
        args.extend(flags);
        args.push("-nostdinc".into());
        for folder in [&self.library.include.join("c++/v1"), headers, &self.library.include] {
            args.extend(["-isystem".into(), folder.into()]);
        }
        self.command(&self.program, args)
    }

    /// Linking what was compiled, with the flags that clang takes. The linker is told what
    /// clang would tell it: to start clang for that alone takes half as long as linking.
    pub fn link(&self, flags: &[&str], objects: Vec<OsString>, module: &str) -> CommandLine {
        let Library { lib, builtins, .. } = &self.library;
        let (program, mut args) = match &self.kind {
            Kind::Clang { linker } => (linker, Vec::new()),
            Kind::Zig { .. } => (&self.program, vec!["wasm-ld".into()]),
        };
        args.extend(["-m", "wasm32", "-L"].map(OsString::from));
        args.extend([lib.clone().into(), lib.join("crt1-reactor.o").into()]);
        args.extend(["--entry", "_initialize"].map(Into::into));
        args.extend(of_linker(flags).into_iter().map(Into::into));
        args.extend(objects);
        args.extend(["-lc++", "-lc++abi", "-lc"].map(Into::into));
        args.push(builtins.into());
        args.extend(["-o", module].map(Into::into));
        self.command(program, args)
    }

    fn command(&self, program: &Path, args: Vec<OsString>) -> CommandLine {
        CommandLine { program: program.to_owned(), args, reads: self.reads.clone(), ..CommandLine::default() }
    }
}

/// The program, and the first line of what it says of itself.
impl fmt::Display for Compiler {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}, {}", self.program.display(), self.version.lines().next().unwrap_or_default())
    }
}

/// What clang would pass on to the linker of its own flags.
fn of_linker<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    let passed = |flag: &'a str| match flag.strip_prefix("-Wl,") {
        Some(passed) => passed.split(',').collect(),
        None if flag.starts_with("-l") || flag.starts_with("-L") => vec![flag],
        None => Vec::new(),
    };
    flags.iter().flat_map(|flag| passed(flag)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linker_gets_what_clang_would_pass_on() {
        let flags = ["--target=wasm32-wasi", "-mexec-model=reactor", "-Wl,-z,stack-size=8", "-Wl,--stack-first", "-lm"];
        assert_eq!(of_linker(&flags), ["-z", "stack-size=8", "--stack-first", "-lm"]);
    }

    #[test]
    fn a_compiler_that_is_named_and_not_there_is_told_of() {
        let named = Cxx::Named("/nowhere/zig".into());
        let told = named.find().unwrap_err().to_string();
        assert!(told.starts_with("/nowhere/zig, named by LUDUS_CXX, or its library"), "{told}");
        assert_ne!(named.key(), Cxx::Any.key());
    }
}
