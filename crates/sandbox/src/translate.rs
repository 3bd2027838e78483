//! Making machine code of a module in a process of its own.
//!
//! The compiler of the runtime is the one part of the sandbox that works on
//! strangers' bytes for longer than they are long. The judge runs it in a jail,
//! as a copy of its own program that sees the module and nothing else, with
//! limits of memory and time: what goes beyond them is refused, and nothing
//! else in the judge notices.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::ExitCode;

use wasmtime::Engine;

use crate::build::{Bounds, CommandLine, Exit, Jail, TemporaryFolder};
use crate::meter;
use crate::runtime::{Refused, config, first_line};

/// The argument with which a program that has a [`Translator`] is started to
/// translate; its `main` hands over to [`translate`] then, before all else.
pub const TRANSLATE: &str = "translate-module";

/// The files in the folder where that happens.
const MODULE: &str = "player.wasm";
const CODE: &str = "player.code";

/// The status with which a module is refused, and that of a program of Rust
/// that panicked.
const REFUSED: u8 = 3;
const PANICKED: i32 = 101;

/// What the worst module within the caps stays below; see the benchmark.
const BOUNDS: Bounds = Bounds { cpu_seconds: 30, wall_seconds: 300, memory: 2 << 30, file: 256 << 20, processes: 16 };

/// Whoever makes machine code elsewhere.
#[derive(Clone, Debug)]
pub struct Translator {
    program: PathBuf,
    jail: Jail,
    cache: PathBuf,
}

impl Translator {
    /// `program` is this program, or one that was built with it, and `cache`
    /// has room for what is passed to it.
    pub fn new(program: PathBuf, jail: Jail, cache: PathBuf) -> Translator {
        Translator { program, jail, cache }
    }

    /// The machine code of a module that is valid and within the caps.
    pub(crate) fn run(&self, wasm: &[u8]) -> Result<Vec<u8>, Refused> {
        let trouble = |error: &dyn std::fmt::Display| Refused::Trouble(error.to_string());
        let folder = TemporaryFolder::new(&self.cache).map_err(|error| trouble(&error))?;
        folder.write(MODULE, wasm).map_err(|error| trouble(&error))?;
        let command = CommandLine {
            program: self.program.clone(),
            args: vec![OsStr::new(TRANSLATE).to_owned()],
            reads: vec![self.program.clone()],
            ..CommandLine::default()
        };
        let ran = self.jail.run(&command, folder.path(), &BOUNDS).map_err(|error| trouble(&error))?;
        match ran.exit {
            Exit::Success => folder.read(CODE, BOUNDS.file).map_err(|error| trouble(&error)),
            Exit::Failed(status) if status == i32::from(REFUSED) => {
                Err(Refused::Invalid(ran.messages.trim().to_owned()))
            }
            Exit::OutOfTime => Err(Refused::TooMuch(format!("{} s", BOUNDS.cpu_seconds))),
            // The compiler gave up, or was ended when it had no memory left.
            Exit::Failed(PANICKED) | Exit::Signal(_) => {
                Err(Refused::TooMuch(format!("{} MiB of memory", BOUNDS.memory >> 20)))
            }
            Exit::Failed(status) => Err(trouble(&format!("it ended with {status}: {}", ran.messages.trim()))),
        }
    }
}

/// The whole work of a program that was started with [`TRANSLATE`].
pub fn translate() -> ExitCode {
    let module = match std::fs::read(MODULE) {
        Ok(module) => module,
        Err(error) => return give_up(&format!("cannot read the module: {error}"), 1),
    };
    // One thread: what the limits allow must not depend on the machine.
    let code = Engine::new(config().parallel_compilation(false)).and_then(|engine| {
        let metered = meter::metered(&module).map_err(|error| wasmtime::Error::msg(error.message().to_owned()))?;
        engine.precompile_module(&metered)
    });
    let code = match code {
        Ok(code) => code,
        Err(error) => return give_up(&first_line(&error), REFUSED),
    };
    match std::fs::write(CODE, code) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => give_up(&format!("cannot write the machine code: {error}"), 1),
    }
}

fn give_up(why: &str, status: u8) -> ExitCode {
    eprintln!("{why}");
    ExitCode::from(status)
}
