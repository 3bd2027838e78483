//! The judge: a course site on which players are submitted, verified and watched.

use std::process::ExitCode;

use ludus_judge::likeness::reading;
use ludus_judge::{command, playroom};

fn main() -> ExitCode {
    // What the judge starts itself for comes before all else, and is nobody
    // else's business.
    match std::env::args().nth(1).as_deref() {
        Some(ludus_sandbox::TRANSLATE) => ludus_sandbox::translate(),
        Some(ludus_sandbox::EXPLAIN) => ludus_sandbox::explain(),
        Some(playroom::PLAY) => playroom::play(),
        Some(reading::READ) => reading::main(),
        _ => {
            // Without its own file nothing else could be started either, which
            // is noticed where that is tried.
            let _ = std::env::current_exe().map(reading::set_program);
            command::main()
        }
    }
}
