//! The judge: a course site on which players are submitted, verified and watched.

use std::process::ExitCode;

fn main() -> ExitCode {
    ludus_judge::command::main()
}
