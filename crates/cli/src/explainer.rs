//! Deaths of players are explained by this program once more, with limits of time
//! and memory, because players may be somebody else's.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ludus_sandbox::build::Jail;
use ludus_sandbox::{OwnProgram, Sandbox};

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Says that this is the program that can be started so.
pub fn set_program() {
    // Without its own file it explains them itself.
    let _ = std::env::current_exe().map(|program| PROGRAM.set(program));
}

/// The sandbox, whose deaths are explained so where that is known.
pub fn explained(sandbox: Sandbox, cache: &Path) -> Sandbox {
    match PROGRAM.get() {
        Some(program) => {
            let (program, cache) = (program.clone(), cache.to_owned());
            sandbox.explained_by(OwnProgram { program, jail: Jail::None, cache })
        }
        None => sandbox,
    }
}
