//! Programs for this machine, with debug information: what `--native` runs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::folder::TemporaryFolder;
use super::jail::which;
use super::sdk::Sdk;
use super::{BuildError, Builder, Language, cpp, gnu, hash, rust, thin, use_now};

/// What a program for this machine is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// To run about as fast as in the sandbox, with lines.
    #[default]
    Run,
    /// To be looked at in a debugger: nothing is optimised away, and every
    /// function of the SDK is there to be called.
    Debugger,
    /// To be run by valgrind, which wants to see what was never set.
    Valgrind,
    /// With checks of addresses, of undefined behaviour and of the library.
    Sanitizers,
}

impl Purpose {
    fn cpp_flags(self) -> &'static [&'static str] {
        match self {
            Purpose::Run => &["-ftrivial-auto-var-init=zero", "-g", "-O1", "-fno-omit-frame-pointer"],
            Purpose::Debugger => &["-ftrivial-auto-var-init=zero", "-g3", "-O0", "-fkeep-inline-functions"],
            Purpose::Valgrind => &["-g", "-O1", "-fno-omit-frame-pointer", "-fno-inline"],
            Purpose::Sanitizers => &[
                "-ftrivial-auto-var-init=zero",
                "-g",
                "-O1",
                "-fno-omit-frame-pointer",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=undefined",
                "-D_GLIBCXX_ASSERTIONS",
                "-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_EXTENSIVE",
            ],
        }
    }

    /// Stable compilers have no sanitizers, but checks of their own.
    fn rust_flags(self) -> &'static [&'static str] {
        match self {
            Purpose::Run | Purpose::Valgrind => &["-Copt-level=1"],
            Purpose::Debugger => &["-Copt-level=0"],
            Purpose::Sanitizers => &["-Copt-level=1", "-Cdebug-assertions=on", "-Coverflow-checks=on"],
        }
    }
}

const CPP_FLAGS: [&str; 3] = ["-fno-lifetime-dse", "-fno-strict-aliasing", "-w"];

const RUST_FLAGS: [&str; 4] = ["--edition", "2024", "-Cdebuginfo=2", "--cap-lints=allow"];

/// The folder of the cache with what is made here.
const PROGRAMS: &str = "native";

impl Builder {
    /// Compiles a player for this machine. The program is kept in the cache, so
    /// that a debugger finds it again; it is the user's own code, so there is no
    /// jail.
    pub fn build_native(&self, game: &str, source: &Path, purpose: Purpose) -> Result<PathBuf, BuildError> {
        let about = || BuildError::io(source.display().to_string());
        let file = source.canonicalize().map_err(about())?;
        let text = std::fs::read(&file).map_err(about())?;
        let sdk = Sdk::find(self.cache())?;
        let path = file.as_os_str().as_encoded_bytes();
        let flags = [&CPP_FLAGS[..], &RUST_FLAGS, purpose.cpp_flags(), purpose.rust_flags()].map(|all| all.join(" "));
        let flags = flags.join(" ");
        let key = hash(&[sdk.key.as_bytes(), flags.as_bytes(), path, game.as_bytes(), &text]);
        let program = self.cache().join(PROGRAMS).join(&key);
        if program.is_file() {
            use_now(&program);
            return Ok(program);
        }
        let folder = TemporaryFolder::new(self.cache())?;
        let out = folder.path().join("player");
        let made = match Language::of(&file) {
            Some(Language::Rust) => make_rust(&sdk, &file, folder.path(), &out, purpose),
            _ => make_cpp(&sdk, game, &file, folder.path(), &out, purpose),
        };
        // The file is called what its author called it.
        made.map_err(|error| match error {
            BuildError::Compiler(messages) => {
                BuildError::Compiler(messages.replace(&*file.to_string_lossy(), &source.to_string_lossy()))
            }
            error => error,
        })?;
        let keep = || {
            std::fs::create_dir_all(self.cache().join(PROGRAMS))?;
            std::fs::rename(&out, &program)
        };
        keep().map_err(BuildError::io("cannot write to the cache"))?;
        thin(&self.cache().join(PROGRAMS));
        Ok(program)
    }
}

/// The C++ compiler for this machine.
pub fn compiler() -> Result<PathBuf, BuildError> {
    ["g++", "clang++", "clang++-19"].into_iter().find_map(which).ok_or_else(|| BuildError::Missing {
        what: "a native C++ compiler".to_owned(),
        install: "sudo apt-get install g++".to_owned(),
    })
}

/// The Rust compiler for this machine: any will do.
pub fn rust_compiler() -> Result<PathBuf, BuildError> {
    which("rustc").ok_or_else(rust::missing)
}

/// With the same second chances that a file has in the sandbox.
fn make_cpp(
    sdk: &Sdk,
    game: &str,
    source: &Path,
    folder: &Path,
    out: &Path,
    purpose: Purpose,
) -> Result<(), BuildError> {
    let compiler = compiler()?;
    let shared = sdk.folder.join("cpp/shared");
    let own = sdk.folder.join("cpp").join(game);
    let glue = own.join("glue.cc");
    let ours = if glue.is_file() {
        vec![shared.join("runtime.cc"), shared.join("native.cc"), glue]
    } else {
        ["runtime.cc", "native.cc", "registry.cc", "glue.cc"].map(|name| shared.join(name)).to_vec()
    };
    let compile = |standard: &str, file: &Path| {
        let mut command = Command::new(&compiler);
        command
            .args(CPP_FLAGS)
            .args(purpose.cpp_flags())
            .arg(format!("-std={standard}"))
            .arg(format!("-DLUDUS_GAME=\"{game}\""));
        command.arg("-I").arg(&own).arg("-I").arg(&shared).arg(file).args(&ours).arg("-o").arg(out);
        run(&mut command)
    };
    let mut refused: Vec<(&str, String)> = Vec::new();
    for standard in cpp::STANDARDS {
        match compile(standard, source) {
            Err(BuildError::Compiler(messages)) => refused.push((standard, messages)),
            done => return done,
        }
    }
    let text = std::fs::read(source).map_err(BuildError::io("cannot read the source again"))?;
    let copy = folder.join("adapted.cc");
    for (standard, messages) in &refused {
        let Some(adapted) = gnu::adapt(&text, messages, &source.to_string_lossy()) else { continue };
        std::fs::write(&copy, adapted).map_err(BuildError::io("cannot write the source to compile"))?;
        if compile(standard, &copy).is_ok() {
            return Ok(());
        }
    }
    Err(BuildError::Compiler(refused.swap_remove(0).1))
}

/// Three crates: the SDK, the player, and a program that lets the player play.
fn make_rust(sdk: &Sdk, source: &Path, folder: &Path, out: &Path, purpose: Purpose) -> Result<(), BuildError> {
    let compiler = rust_compiler()?;
    let rust = sdk.folder.join("rust");
    let library = |name: &str| folder.join(format!("lib{name}.rlib"));
    let uses = |name: &str| {
        let mut argument = OsString::from(format!("{name}="));
        argument.push(library(name));
        ["--extern".into(), argument]
    };
    let main = folder.join("main.rs");
    std::fs::copy(rust.join("native.rs"), &main).map_err(BuildError::io("cannot copy a file of the SDK"))?;
    let crates = [
        ("rlib", "ludus_player", &*rust.join("src/lib.rs"), library("ludus_player")),
        ("rlib", "player", source, library("player")),
        ("bin", "main", &*main, out.to_owned()),
    ];
    let mut parts: Vec<OsString> = Vec::new();
    for (kind, name, file, into) in crates {
        let mut command = Command::new(&compiler);
        command.args(RUST_FLAGS).args(purpose.rust_flags()).args(["--crate-type", kind, "--crate-name", name]);
        command.args(&parts).arg("-L").arg(folder).arg(file).arg("-o").arg(into);
        run(&mut command)?;
        parts.extend(uses(name));
    }
    Ok(())
}

fn run(command: &mut Command) -> Result<(), BuildError> {
    // In plain English, which is what `gnu` understands.
    let output = command.env("LC_ALL", "C").output().map_err(BuildError::io("cannot start the compiler"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(BuildError::Compiler(String::from_utf8_lossy(&output.stderr).into_owned()))
}
