//! `ludus doctor`: what this machine has and lacks for each language.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, anyhow};
use ludus_games::GAMES;
use ludus_sandbox::build::{BuildError, Builder, Jail, Language, native, rust};
use ludus_sandbox::{Limits, Sandbox};

use crate::new::FILES;

/// Check the compilers of this machine and try them on a player
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludus doctor\n\nExit status 1 if something is missing; the last line is then the command that mends it."
)]
pub struct Args {}

pub fn run(_: &Args) -> Result<ExitCode> {
    let builder = Builder::local();
    let jail = match builder.jail() {
        Jail::Bubblewrap => Ok("bubblewrap".to_owned()),
        Jail::None => Err(BuildError::NoJail.into()),
    };
    let path = |found: Result<PathBuf, BuildError>| Ok(found?.display().to_string());
    type Look<'a> = Box<dyn FnOnce() -> Result<String> + 'a>;
    let looks: [(&str, Look<'_>); 6] = [
        ("cache", Box::new(|| Ok(builder.cache().display().to_string()))),
        ("jail for compilers", Box::new(|| jail)),
        ("C++ players", Box::new(|| try_player(&builder, Language::Cpp, "AIDemo.cc"))),
        ("Rust players", Box::new(|| try_player(&builder, Language::Rust, "Demo.rs"))),
        ("native C++ players (--native)", Box::new(move || path(native::compiler()))),
        ("native Rust players (--native)", Box::new(move || path(native::rust_compiler()))),
    ];
    let mut out = std::io::stdout().lock();
    let mut mends: Vec<String> = Vec::new();
    let mut healthy = true;
    for (what, look) in looks {
        match look() {
            Ok(detail) => writeln!(out, "ok       {what}: {detail}")?,
            Err(error) => {
                healthy = false;
                writeln!(out, "missing  {what}: {error:#}")?;
                let mend = error.downcast_ref::<BuildError>().and_then(BuildError::install_command);
                mends.extend(mend.map(str::to_owned));
            }
        }
        out.flush()?;
    }
    if let Some(command) = one_command(&mends.iter().map(String::as_str).collect::<Vec<_>>()) {
        writeln!(out, "\nmend it with: {command}")?;
    }
    Ok(if healthy { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Several commands as one, with all packages installed at once.
fn one_command(commands: &[&str]) -> Option<String> {
    const INSTALL: &str = "sudo apt-get install ";
    let mut packages: Vec<&str> = Vec::new();
    let mut parts: Vec<String> = Vec::new();
    for command in commands {
        match command.strip_prefix(INSTALL) {
            Some(names) => packages.extend(names.split(' ')),
            None if !parts.iter().any(|part| part == command) => parts.push((*command).to_owned()),
            None => {}
        }
    }
    if !packages.is_empty() {
        let mut seen = std::collections::HashSet::new();
        packages.retain(|package| seen.insert(*package));
        parts.insert(0, format!("{INSTALL}{}", packages.join(" ")));
    }
    (!parts.is_empty()).then(|| parts.join(" && "))
}

/// Compiles an example and plays a match with it.
fn try_player(builder: &Builder, language: Language, file: &str) -> Result<String> {
    let game = GAMES.first().ok_or_else(|| anyhow!("there is no game to try"))?;
    let id = game.about().id;
    let name = format!("{id}/players/{file}");
    let (_, source) = FILES.iter().find(|(path, _)| *path == name).ok_or_else(|| anyhow!("no example of {id}"))?;
    say_what_takes_long(builder, language);
    let start = Instant::now();
    let module = builder.build(id, language, source.as_bytes())?;
    let built = start.elapsed();
    let sandbox = Sandbox::new(4).map_err(|error| anyhow!("the sandbox cannot start: {error}"))?;
    let player = sandbox.load_cached(&module, builder.cache())?;
    let config = game.read_config(game.about().default_config.as_bytes())?;
    let limits = Limits::of(game.about().cpu);
    let entrants = ludus_games::Seat::ALL.map(|seat| ludus_arena::Entrant {
        name: "Demo".to_owned(),
        player: Box::new(player.player(limits.clone(), 1, seat)),
    });
    let outcome = ludus_arena::Match::new(&*config, 1, entrants)?.play_out()?;
    if let Some((round, fault)) = outcome.seats.iter().find_map(|seat| seat.fault.clone()) {
        return Err(anyhow!("the test player failed in round {round}: {fault}"));
    }
    let by = match language {
        Language::Cpp => format!(" by {}", builder.cxx_version()?),
        Language::Rust => String::new(),
    };
    Ok(format!(
        "compiled in {:.1} s{by}, {} KB, and played {} rounds",
        built.as_secs_f64(),
        module.len() / 1024,
        outcome.rounds
    ))
}

/// Nobody waits without knowing what for.
fn say_what_takes_long(builder: &Builder, language: Language) {
    if !builder.finds_compiler(language) {
        return;
    }
    match language {
        Language::Cpp => eprintln!("compiling a player in C++, the first time with what all players share ..."),
        Language::Rust if std_is_missing(builder) => {
            eprintln!("compiling Rust's standard library for players, once: about a minute ...");
        }
        Language::Rust => eprintln!("compiling a player in Rust ..."),
    }
}

fn std_is_missing(builder: &Builder) -> bool {
    rust::find().is_ok_and(|compiler| compiler.builds_std(builder.cache()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_command_mends_everything() {
        let check = |commands: &[&str], expected: Option<&str>| assert_eq!(one_command(commands).as_deref(), expected);
        check(&[], None);
        check(&["rustup x", "rustup x"], Some("rustup x"));
        check(
            &["sudo apt-get install a b", "rustup x", "sudo apt-get install b c"],
            Some("sudo apt-get install a b c && rustup x"),
        );
    }
}
