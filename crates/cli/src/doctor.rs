//! `ludus doctor`: what this machine has and lacks for each language.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, anyhow};
use ludus_games::GAMES;
use ludus_sandbox::build::{Builder, Jail, Language};
use ludus_sandbox::{Limits, Sandbox};

use crate::new::FILES;

/// Check the compilers of this machine and try them on a player
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ludus doctor\n\nExit status 1 if something is missing; each such line ends with the command that mends it."
)]
pub struct Args {}

pub fn run(_: &Args) -> Result<ExitCode> {
    let builder = Builder::local();
    let mut healthy = true;
    let mut line = |what: &str, result: Result<String>| match result {
        Ok(detail) => println!("ok       {what}: {detail}"),
        Err(error) => {
            healthy = false;
            println!("missing  {what}: {error:#}");
        }
    };
    line("cache", Ok(builder.cache().display().to_string()));
    line(
        "jail for compilers",
        match builder.jail() {
            Jail::Bubblewrap => Ok("bubblewrap".to_owned()),
            Jail::None => Err(anyhow!("compiling works without; install it with: apt-get install bubblewrap")),
        },
    );
    line("C++ players", try_player(&builder, Language::Cpp, "AIDemo.cc"));
    line("Rust players", try_player(&builder, Language::Rust, "Demo.rs"));
    line(
        "native C++ players (--native)",
        ludus_sandbox::build::native::compiler().map(|path| path.display().to_string()).map_err(Into::into),
    );
    Ok(if healthy { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Compiles an example and plays a match with it.
fn try_player(builder: &Builder, language: Language, file: &str) -> Result<String> {
    let game = GAMES.first().ok_or_else(|| anyhow!("there is no game to try"))?;
    let id = game.about().id;
    let name = format!("{id}/players/{file}");
    let (_, source) = FILES.iter().find(|(path, _)| *path == name).ok_or_else(|| anyhow!("no example of {id}"))?;
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
    Ok(format!(
        "compiled in {:.1} s, {} KB, and played {} rounds",
        built.as_secs_f64(),
        module.len() / 1024,
        outcome.rounds
    ))
}
