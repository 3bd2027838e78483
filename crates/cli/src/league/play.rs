//! The matches of a league: who meets next is decided a few matches at a time, so
//! that the same league plays the same matches with any number of threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use ludus_arena::ladder::plan;
use ludus_arena::{Fixture, in_order};
use ludus_games::Generator;

use super::folder::League;
use super::standings::Standings;
use crate::contestants;
use crate::scheduled::RunFiles;
use crate::setup::{Setup, SetupArgs};
use crate::terminal::{self, Progress};

/// Matches that are planned together, from what is known before them.
const BATCH: usize = 16;

pub fn run(league: &League, args: &SetupArgs, most: u64, stop: &AtomicBool) -> Result<Standings> {
    let setup = Setup::resolve(league.game, &[league.config()], args)?;
    let contestants = contestants::resolve_many(league.game, &league.words(), setup.jobs)?;
    let mut standings = Standings::new(league);
    let journal = standings.open(league)?;
    let run_files = RunFiles { journal: Some(journal), seats: true, ..RunFiles::default() };
    let first_seed = i64::from(league.game.about().smallest_seed.max(1));
    let (begun, mut progress) = (standings.matches, Progress::new());
    while !stop.load(Ordering::Relaxed) && standings.matches - begun < most {
        let next = standings.matches;
        let room = (most - (next - begun)).min(BATCH as u64) as usize;
        let planned = plan(&standings.field, room, &mut Generator::new(next as i32));
        if planned.is_empty() {
            break;
        }
        in_order(
            setup.jobs,
            next..next + planned.len() as u64,
            stop,
            |number| {
                let enter = |contestant: usize, seed, seat| setup.enter(&contestants[contestant], seed, seat);
                let seed = (first_seed + number as i64) as i32;
                let fixture = Fixture { number, seed, seats: planned[(number - next) as usize] };
                let log = setup.match_log(&fixture, &contestants);
                run_files.played(&setup, setup.board(), &fixture, log, enter)
            },
            |number, entry| {
                standings.add(number, &entry);
                ControlFlow::Continue(())
            },
        )?;
        let rate = (standings.matches - begun) as f64 / progress.elapsed().as_secs_f64().max(0.001);
        progress.show(|_| line(&standings, rate), |size| brief(&standings.table(league), size));
    }
    progress.clear();
    Ok(standings)
}

fn line(standings: &Standings, rate: f64) -> String {
    let open = standings.field.iter().filter(|contender| contender.is_unknown()).count();
    format!("{} matches, {rate:.0}/s, {open} places still open", standings.matches)
}

/// As much of the table as there is room for.
fn brief(table: &str, size: terminal::Size) -> String {
    table.lines().take(size.rows.saturating_sub(2)).map(|line| format!("{line}\n")).collect()
}
