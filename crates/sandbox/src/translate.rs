//! Making machine code of a module in a process of its own.
//!
//! The compiler of the runtime is the one part of the sandbox that works on
//! strangers' bytes for longer than they are long. The judge runs it in a jail,
//! as a copy of its own program that sees the module and nothing else, with
//! limits of memory and time: what goes beyond them is refused, and nothing
//! else in the judge notices.

use std::process::ExitCode;

use wasmtime::Engine;

use crate::build::Bounds;
use crate::meter;
use crate::own_program::{self, Outcome, OwnProgram};
use crate::runtime::{Refused, config, first_line};

/// The argument with which a program is started to translate; its `main` hands
/// over to [`translate`] then, before all else.
pub const TRANSLATE: &str = "translate-module";

/// The status with which a module is refused.
const REFUSED: u8 = 3;

/// What the worst module within the caps stays below; see the benchmark.
const BOUNDS: Bounds = Bounds { cpu_seconds: 30, wall_seconds: 300, memory: 2 << 30, file: 256 << 20, processes: 16 };

/// The machine code of a module that is valid and within the caps.
pub(crate) fn translated_by(program: &OwnProgram, wasm: &[u8]) -> Result<Vec<u8>, Refused> {
    match program.run(TRANSLATE, wasm, &BOUNDS).map_err(|error| Refused::Trouble(error.to_string()))? {
        Outcome::Output(code) => Ok(code),
        Outcome::TooMuch(what) => Err(Refused::TooMuch(what)),
        Outcome::Failed(status, why) if status == i32::from(REFUSED) => Err(Refused::Invalid(why)),
        Outcome::Failed(status, why) => Err(Refused::Trouble(format!("it ended with {status}: {why}"))),
    }
}

/// The whole work of a program that was started with [`TRANSLATE`].
pub fn translate() -> ExitCode {
    let module = match own_program::input() {
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
    match own_program::give(&code) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => give_up(&format!("cannot write the machine code: {error}"), 1),
    }
}

fn give_up(why: &str, status: u8) -> ExitCode {
    eprintln!("{why}");
    ExitCode::from(status)
}
