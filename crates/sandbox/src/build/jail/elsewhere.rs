//! Running a program where there is no jail: with a limit of time alone, for
//! players of the one who runs it.

use std::io::Read as _;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::{Bounds, Exit, Jail, JailError, MESSAGES, Ran};
use crate::build::CommandLine;

/// How often the end is looked for.
const TICK: Duration = Duration::from_millis(5);

pub fn is_root() -> bool {
    false
}

impl Jail {
    pub fn find() -> Option<Jail> {
        None
    }

    /// Runs a program in `folder`. An error is trouble of the machine.
    pub fn run(&self, command: &CommandLine, folder: &Path, bounds: &Bounds) -> Result<Ran, JailError> {
        let program = command.program.display().to_string();
        let failed = |error| JailError::Start { program: program.clone(), error };
        let mut process = command.command();
        // Programs need a few variables of their system to start at all.
        process.envs(std::env::vars_os().filter(|(name, _)| name != "PATH")).current_dir(folder);
        process.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let begun = Instant::now();
        let mut child = process.spawn().map_err(failed)?;
        let messages = child.stderr.take().map(|mut from| {
            std::thread::spawn(move || {
                let mut kept = Vec::new();
                // A pipe that breaks has simply ended.
                let _ = from.by_ref().take(MESSAGES).read_to_end(&mut kept);
                let _ = std::io::copy(&mut from, &mut std::io::sink());
                String::from_utf8_lossy(&kept).into_owned()
            })
        });
        let status = wait(&mut child, begun + Duration::from_secs(bounds.wall_seconds)).map_err(failed)?;
        let messages = messages.and_then(|reader| reader.join().ok()).unwrap_or_default();
        let exit = match status {
            None => Exit::OutOfTime,
            Some(status) if status.success() => Exit::Success,
            Some(status) => Exit::Failed(status.code().unwrap_or(-1)),
        };
        // Nobody tells how much of it the program had.
        Ok(Ran { exit, messages, cpu: begun.elapsed() })
    }
}

/// Its end, or none if it was ended because it came too late.
fn wait(child: &mut Child, deadline: Instant) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(TICK);
    }
}
