//! `ludus list`: the games, their players, and whom to beat next.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use ludus_games::GAMES;

/// List the games, the players that come with them and those in this folder
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ludus list\n  ludus list ants")]
pub struct Args {
    /// Only this game's players, one per line
    game: Option<String>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    if let Some(id) = &args.game {
        for name in all_player_names(crate::names::game(id)?) {
            writeln!(out, "{name}")?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{:<12}{:<34}PLAYERS", "GAME", "TITLE")?;
    for game in GAMES {
        let about = game.about();
        writeln!(out, "{:<12}{:<34}{}", about.id, about.title, player_names(*game).join(", "))?;
    }
    writeln!(
        out,
        "\nwhom to beat first, second, third (wins alone against three of the one before, the first against Demo)"
    )?;
    for game in GAMES {
        let about = game.about();
        let rungs = about.ladder.iter().map(|rung| format!("{} ({} %)", rung.name, rung.wins));
        writeln!(out, "{:<12}{}", about.id, rungs.collect::<Vec<_>>().join(", "))?;
    }
    let here = crate::contestants::in_this_folder();
    if !here.is_empty() {
        writeln!(out, "\nin this folder: {}", here.join(", "))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// In byte order.
pub fn player_names(game: &dyn ludus_games::Game) -> Vec<&'static str> {
    let mut names: Vec<&str> = game.about().players.iter().map(|player| player.name).collect();
    names.sort_unstable();
    names
}

/// The built-in players and those whose files are in this folder.
pub fn all_player_names(game: &dyn ludus_games::Game) -> Vec<String> {
    let mut names: Vec<String> = player_names(game).into_iter().map(str::to_owned).collect();
    names.extend(crate::contestants::in_this_folder());
    names.sort_unstable();
    names.dedup();
    names
}
