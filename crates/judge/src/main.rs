//! The judge: a course site on which players are submitted, verified and watched.

use std::process::ExitCode;

use ludus_judge::{command, playroom};

fn main() -> ExitCode {
    // What the judge starts itself for comes before all else, and is nobody
    // else's business.
    match std::env::args().nth(1).as_deref() {
        Some(ludus_sandbox::TRANSLATE) => ludus_sandbox::translate(),
        Some(playroom::PLAY) => playroom::play(),
        _ => command::main(),
    }
}
