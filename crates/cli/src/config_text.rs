//! The text of a config: from a file, from standard input, or the game's own.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use ludus_games::Game;
use ludus_games::tokens::TextError;

const LONGEST_CONFIG: u64 = 4 << 20;

/// The text of the config, and what to call it in messages.
pub fn read_config_text(game: &dyn Game, input: Option<&Path>) -> Result<(Vec<u8>, String)> {
    if input.is_none() && is_piped(&std::io::stdin()) {
        let text = say_if_waiting(|| read_capped(std::io::stdin().lock()))
            .context("cannot read the config from standard input")?;
        if !text.is_empty() {
            return Ok((text, "standard input".to_owned()));
        }
    }
    read_config_file(game, input)
}

/// The same for commands that leave standard input alone.
pub fn read_config_file(game: &dyn Game, input: Option<&Path>) -> Result<(Vec<u8>, String)> {
    let Some(path) = input else {
        let name = format!("the default config of {}", game.about().id);
        return Ok((game.about().default_config.as_bytes().to_vec(), name));
    };
    let name = path.display().to_string();
    let text = File::open(path).and_then(read_capped).with_context(|| format!("cannot read the config {name}"))?;
    Ok((text, name))
}

/// Tells somebody whose pipe stays open and empty what the match is waiting for.
fn say_if_waiting<T>(read: impl FnOnce() -> T) -> T {
    let (done, waiting) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        if waiting.recv_timeout(Duration::from_secs(2)) == Err(RecvTimeoutError::Timeout) {
            eprintln!("waiting for a config on standard input; for the default config add </dev/null");
        }
    });
    let result = read();
    drop(done);
    result
}

fn read_capped(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    from.take(LONGEST_CONFIG + 1).read_to_end(&mut text)?;
    if text.len() as u64 > LONGEST_CONFIG {
        return Err(std::io::Error::new(
            ErrorKind::FileTooLarge,
            format!("it is larger than {} MB", LONGEST_CONFIG >> 20),
        ));
    }
    Ok(text)
}

/// Whether somebody has put something on standard input. A terminal or
/// `/dev/null` is nobody.
#[cfg(unix)]
fn is_piped(stdin: &std::io::Stdin) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let kind = stdin
        .as_fd()
        .try_clone_to_owned()
        .and_then(|fd| File::from(fd).metadata())
        .map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket() || kind.is_file())
}

#[cfg(not(unix))]
fn is_piped(stdin: &std::io::Stdin) -> bool {
    !std::io::IsTerminal::is_terminal(stdin)
}

pub fn config_error(name: &str, error: &TextError) -> anyhow::Error {
    match error.place {
        Some(_) => anyhow!("{name} {error}"),
        None => anyhow!("{name}: {error}"),
    }
}
