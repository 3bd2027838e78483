//! Explaining a death in a process of its own.
//!
//! Names and lines are what a source had its compiler write, and what a player
//! printed: a name of two hundred letters may take for ever to be read, and a
//! table of a few bytes stand for more than any memory holds. So they are read
//! where that ends soon and hurts nobody; whoever wrote what takes more is told
//! the plain cause. A player whose death has no name is told of it right here.

use std::process::ExitCode;

use super::telling::{Telling, Told};
use crate::build::Bounds;
use crate::own_program::{self, Outcome, OwnProgram};

/// The argument with which a program is started to explain a death; its `main`
/// hands over to [`explain`] then, before all else.
pub const EXPLAIN: &str = "explain-death";

/// Honest deaths take a tenth of it.
const BOUNDS: Bounds = Bounds { cpu_seconds: 2, wall_seconds: 30, memory: 512 << 20, file: 1 << 20, processes: 16 };

/// The most that is told.
const LONGEST: usize = 64 << 10;

/// Adds a death to what the player wrote: in the words of another process, or of
/// this one where there is none to start.
pub fn tell(output: &mut Vec<u8>, telling: &Telling, program: Option<&OwnProgram>) {
    let told = match program.filter(|_| telling.has_names()) {
        Some(program) => told_by(program, telling).unwrap_or_else(|| telling.plainly()),
        None => telling.told(),
    };
    output.splice(telling.marked.clone(), told.line);
    if !matches!(output.last(), None | Some(b'\n')) {
        output.push(b'\n');
    }
    output.extend_from_slice(told.death.as_bytes());
}

/// Nothing if it takes too much. Trouble of the machine is no reason to give up a
/// match that has been played either.
fn told_by(program: &OwnProgram, telling: &Telling) -> Option<Told> {
    match program.run(EXPLAIN, &telling.written(), &BOUNDS) {
        Ok(Outcome::Output(answer)) => Told::read(&answer).filter(|told| told.line.len() + told.death.len() <= LONGEST),
        Ok(Outcome::TooMuch(_) | Outcome::Failed(..)) | Err(_) => None,
    }
}

/// The whole work of a program that was started with [`EXPLAIN`].
pub fn explain() -> ExitCode {
    let telling = own_program::input().ok().and_then(|letter| Telling::read(&letter));
    let given = telling.is_some_and(|telling| own_program::give(&telling.told().written()).is_ok());
    if given { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::super::{SourceNames, Why};
    use super::*;

    fn telling() -> Telling {
        Telling {
            round: 7,
            why: Why::Recursion(3, 900),
            places: vec![(3, 20), (9, 0)],
            depth: 1000,
            line: b"Assertion failed: player.cc\n".to_vec(),
            marked: 4..32,
            last_words: b"last".to_vec(),
            symbols: Some(vec![1, 2]),
            files: Some(SourceNames::of_player("Marta")),
        }
    }

    #[test]
    fn what_is_told_to_the_other_process_arrives() {
        for why in [Why::Recursion(3, 900), Why::Plain("a".to_owned()), Why::Thrown("b".to_owned())] {
            let telling = Telling { why, ..telling() };
            let arrived = Telling::read(&telling.written()).unwrap();
            assert_eq!(Telling { marked: 4..32, ..arrived }, telling);
            let bare = Telling { symbols: None, files: None, places: Vec::new(), marked: 0..0, ..telling };
            assert_eq!(Telling::read(&bare.written()), Some(bare));
        }
        assert_eq!(Told::read(&telling().told().written()), Some(telling().told()));
        assert!(Telling::read(b"").is_none() && Told::read(b"anything").is_none());
    }

    /// Programs that stand for one that reads a name without an end, one that runs
    /// out of memory, and others that tell nothing.
    #[cfg(target_os = "linux")]
    #[test]
    fn whoever_takes_too_much_is_told_the_plain_cause() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script");
        for does in ["while :; do :; done", "kill -SEGV $$", "exit 101", "exit 0", "head -c 100 /dev/zero > output"] {
            std::fs::write(&script, format!("#!/bin/sh\n{does}\n")).unwrap();
            std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
            let program =
                OwnProgram { program: script.clone(), jail: crate::build::Jail::None, cache: folder.path().to_owned() };
            let mut output = b"abc\nAssertion failed: player.cc\nmore".to_vec();
            tell(&mut output, &telling(), Some(&program));
            let cause = "the recursion is too deep, the stack is full: a function is in 900 of 1000 calls";
            let expected = format!("abc\nAssertion failed: player.cc\nmore\ndied in round 7: {cause}\n");
            assert_eq!(String::from_utf8(output).unwrap(), expected, "{does}");
        }
    }
}
