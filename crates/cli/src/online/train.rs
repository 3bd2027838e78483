//! `ludus train`: matches on the judge, against public players and friends.

use std::process::ExitCode;

use anyhow::Result;
use serde::Deserialize;
use serde_json::{Value, json};

use super::client::{Client, encoded};
use super::follow::{Look, follow};
use crate::interrupt;
use crate::output::plain;

/// Let players meet on the judge, and show the table
#[derive(clap::Args)]
#[command(after_help = "\
Players are your own accepted ones, public ones, private ones of friends, and
those of the game. Matches count for nothing and are seen by their authors only.

Examples:
  ludus train spring Marta Dummy Dummy Dummy --wait
  ludus train spring Marta Joan Pau Demo -n 100 --wait
  ludus train spring Marta Joan Pau Demo -n 10 --fixed -s 7 --json --wait")]
pub struct Args {
    /// The season, by its name in addresses
    season: String,
    /// Four players, by the seats that they begin in
    #[arg(num_args = 4, required = true, value_name = "PLAYER")]
    players: Vec<String>,
    /// How many matches, in whole turns of four seats
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    matches: i64,
    /// Everybody stays in their seat
    #[arg(long)]
    fixed: bool,
    /// The first seed, instead of one drawn by lot
    #[arg(short, long, value_name = "SEED")]
    seed: Option<i64>,
    /// Wait until all are played
    #[arg(long)]
    wait: bool,
    /// Print what the judge says as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Deserialize)]
struct Taken {
    id: i64,
}

#[derive(Deserialize)]
struct Table {
    training: Training,
    standings: Vec<Standing>,
}

#[derive(Deserialize)]
struct Training {
    matches: i64,
    played: i64,
    given_up: i64,
    is_over: bool,
}

#[derive(Deserialize)]
struct Standing {
    name: String,
    wins: Measure,
    rank: Measure,
    score: Measure,
    worst_losses: Vec<Loss>,
}

#[derive(Deserialize)]
struct Measure {
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
}

#[derive(Deserialize)]
struct Loss {
    #[serde(rename = "match")]
    id: i64,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let client = Client::find()?;
    let seating = if args.fixed { "fixed" } else { "turning" };
    let wanted = json!({ "players": args.players, "matches": args.matches, "seating": seating, "seed": args.seed });
    let path = format!("/seasons/{}/training", encoded(&args.season));
    let Taken { id } = client.post(&path, "application/json", wanted.to_string().as_bytes())?;
    let page = client.page(&format!("/training/{id}"));
    eprintln!("training {id}: {page}");
    if !args.wait {
        println!(
            "{}",
            if args.json { format!("{{\"id\":{id}}}") } else { format!("asked for; the table is at {page}") }
        );
        return Ok(ExitCode::SUCCESS);
    }
    let mut known = -1;
    let over = follow(|| {
        let value: Value = client.get(&format!("/training/{id}"))?;
        let table: Table = serde_json::from_value(value.clone())?;
        let changed = table.training.played != known;
        if changed {
            known = table.training.played;
            eprintln!("  {known} of {} matches played", table.training.matches);
        }
        Ok(if table.training.is_over { Look::Over((table, value)) } else { Look::NotYet { changed } })
    })?;
    match over {
        Some((_, value)) if args.json => println!("{value:#}"),
        Some((table, _)) => show(&table),
        None => {
            eprintln!("stopped waiting; the judge goes on: {page}");
            return Ok(ExitCode::from(interrupt::STOPPED));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn show(table: &Table) {
    println!("{:<14} {:>14} {:>6} {:>9}  worst losses", "player", "wins", "rank", "score");
    for one in &table.standings {
        let range = one.wins.low.zip(one.wins.high);
        let range = range.map_or(String::new(), |(low, high)| format!(" {:.0}–{:.0}", low * 100.0, high * 100.0));
        let wins = format!("{:.0} %{range}", one.wins.value * 100.0);
        let losses: Vec<String> = one.worst_losses.iter().map(|loss| loss.id.to_string()).collect();
        let (name, rank, score) = (plain(&one.name), one.rank.value, one.score.value);
        println!("{name:<14} {wins:>14} {rank:>6.2} {score:>9.0}  {}", losses.join(" "));
    }
    if table.training.given_up > 0 {
        println!("{} matches were given up: a player ran far past its time", table.training.given_up);
    }
}
