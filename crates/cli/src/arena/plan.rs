//! From the arguments to a schedule and its players: whatever can be wrong is
//! said here, before the first match.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ludus_arena::{Fixture, Schedule, Seatings};
use ludus_games::Seat;
use ludus_games::game::About;
use serde_json::json;

use super::{Args, SeatingsArg};
use crate::contestants::{self, Contestant};
use crate::names::{self, suggestion};
use crate::output::Output;
use crate::replay_folder::ReplayFolder;
use crate::setup::{Setup, parse_seeds};
use crate::shell;

const USUAL_MATCHES: u64 = 400;

pub struct Plan {
    pub setup: Setup,
    pub contestants: Vec<Contestant>,
    pub schedule: Schedule,
    /// Rounds of a match.
    pub rounds: u32,
    /// The command line that this is the plan of.
    pub command: String,
    pub report: Option<PathBuf>,
    pub resume: Option<PathBuf>,
}

impl Plan {
    /// The plan, and where replays go if they are to be kept.
    pub fn resolve(args: &Args) -> Result<(Plan, Option<ReplayFolder>)> {
        let game = names::game(&args.game)?;
        let setup = Setup::resolve(game, args.input.as_slice(), &args.setup)?;
        let words = filled(&args.players, args.fill.as_deref(), game.about())?;
        let schedule = schedule(&setup, args, words.len())?;
        let rounds = setup.check_boards(schedule.seeds().0)?;
        let contestants = contestants::resolve_many(game, &words, setup.jobs)?;
        if let Some(path) = &args.report {
            // A file that cannot be written must not be found out at the end.
            drop(Output::create(path).context("the report")?);
        }
        let replays = args.save.as_deref().map(|folder| replays(folder, args, &contestants)).transpose()?;
        let (report, resume, command) = (args.report.clone(), args.resume.clone(), shell::command_line());
        Ok((Plan { setup, contestants, schedule, rounds, command, report, resume }, replays))
    }

    pub fn name(&self, contestant: usize) -> &str {
        &self.contestants[contestant].name
    }

    /// The command that plays a match of the schedule alone.
    pub fn command_for(&self, fixture: &Fixture) -> String {
        let words = fixture.seats.map(|contestant| self.contestants[contestant].word.as_str());
        self.setup.command_for(self.setup.board(), words, fixture.seed)
    }

    /// Whether more than the table is wanted of every match.
    pub fn wants_details(&self) -> bool {
        self.report.is_some()
    }

    /// Everything that decides the results of matches, by which a journal
    /// knows its run. How many matches there are is not part of it: a longer
    /// run goes on from a shorter one.
    pub fn identity(&self) -> serde_json::Value {
        let players = self.contestants.iter().map(|contestant| json!([contestant.name, contestant.program]));
        json!({
            "ludus journal": 2,
            "game": self.setup.game.about().id,
            "config": self.setup.board().hash,
            "players": players.collect::<Vec<_>>(),
            "first seed": self.schedule.seeds().0,
            "seatings": self.schedule.seatings().count(),
            "limits": self.setup.limits_json(),
            "for a report": self.wants_details(),
        })
    }

    pub fn how_to_go_on(&self) -> String {
        match &self.resume {
            Some(path) => format!("; the same command goes on from {}", path.display()),
            None => String::new(),
        }
    }

    /// Says it when there are other matches than asked for.
    pub fn say_what_was_rounded(&self, args: &Args) {
        let (all, on_a_seed) = (self.schedule.len(), self.schedule.on_a_seed());
        let players = self.contestants.len();
        match args.matches.or(args.seeds.is_none().then_some(USUAL_MATCHES)) {
            Some(wanted) if wanted != all => {
                eprintln!("note: {all} matches instead of {wanted}: on every seed {players} players play {on_a_seed}");
            }
            _ => {}
        }
    }
}

/// The words of the players, with reserve players up to four.
fn filled(words: &[String], fill: Option<&str>, about: &About) -> Result<Vec<String>> {
    let mut words = words.to_vec();
    if words.is_empty() {
        bail!("name at least one player");
    }
    let Some(fill) = fill else {
        if words.len() < Seat::COUNT {
            bail!(
                "a match has {} players, got {}; add more, or let --fill {} fill the seats",
                Seat::COUNT,
                words.len(),
                about.reserve
            );
        }
        return Ok(words);
    };
    let player = fill.split_once('=').map_or(fill, |(_, player)| player);
    let base = likely_name(fill);
    let mut taken: BTreeSet<String> = words.iter().map(|word| likely_name(word).to_owned()).collect();
    for number in 1.. {
        if words.len() >= Seat::COUNT {
            break;
        }
        // One reserve player keeps its own name; more of them are numbered.
        let name = if number == 1 { base.to_owned() } else { format!("{base:.*}{number}", about.longest_name - 1) };
        if taken.insert(name.clone()) {
            words.push(if name == player { name } else { format!("{name}={player}") });
        }
    }
    Ok(words)
}

/// The name that a player will most likely have: the given one, or that of its file.
fn likely_name(word: &str) -> &str {
    if let Some((name, _)) = word.split_once('=') {
        return name;
    }
    let stem = Path::new(word).file_stem().and_then(|stem| stem.to_str()).unwrap_or(word);
    if stem.len() == word.len() { word } else { stem.strip_prefix("AI").unwrap_or(stem) }
}

/// The folder of the replays.
fn replays(folder: &Path, args: &Args, contestants: &[Contestant]) -> Result<ReplayFolder> {
    let losses_of = args.save_losses.as_deref().map(|name| {
        let found = contestants.iter().position(|contestant| contestant.name == name);
        let names: Vec<&str> = contestants.iter().map(|contestant| contestant.name.as_str()).collect();
        found.with_context(|| {
            format!("--save-losses: no player is called '{}'{}", name.escape_debug(), suggestion(name, &names))
        })
    });
    ReplayFolder::open(folder, losses_of.transpose()?)
}

fn schedule(setup: &Setup, args: &Args, players: usize) -> Result<Schedule> {
    let seatings = match args.seatings {
        SeatingsArg::Square => Seatings::Square,
        SeatingsArg::All => Seatings::All,
    };
    if args.matches == Some(0) {
        bail!("--matches 0: there must be at least one match");
    }
    let seeds = args.seeds.as_deref().map(|text| parse_seeds(setup.game, text)).transpose()?;
    let Some((first, last)) = seeds else {
        return Ok(Schedule::with_matches(players, args.matches.unwrap_or(USUAL_MATCHES), seatings, 1)?);
    };
    let Some(matches) = args.matches else {
        return Ok(Schedule::on_seeds(players, seatings, first, (i64::from(last) - i64::from(first)) as u64 + 1)?);
    };
    let schedule = Schedule::with_matches(players, matches, seatings, first)?;
    if schedule.seeds().1 > last {
        let needed = i64::from(schedule.seeds().1) - i64::from(first) + 1;
        bail!("--matches {matches} needs {needed} seeds, and --seeds {first}..{last} are fewer");
    }
    Ok(schedule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserve_players_get_names_of_their_own() {
        let check = |words: &str, fill: &str, expected: &str| {
            let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            assert_eq!(filled(&words, Some(fill), ludus_games::GAMES[0].about()).unwrap().join(" "), expected);
        };
        check("Marta", "Dummy", "Marta Dummy Dummy2=Dummy Dummy3=Dummy");
        check("Demo", "Demo", "Demo Demo2=Demo Demo3=Demo Demo4=Demo");
        check("A B C", "x=Dummy", "A B C x=Dummy");
        check("A B C D E", "Dummy", "A B C D E");
        check("v1/AIDemo.cc A B", "Demo", "v1/AIDemo.cc A B Demo2=Demo");
        check("a=x.wasm b=y.wasm", "v1/AIMarta.cc", "a=x.wasm b=y.wasm Marta=v1/AIMarta.cc Marta2=v1/AIMarta.cc");
    }
}
