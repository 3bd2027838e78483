//! Seats that froze in a run of many matches: each reason is told once for each
//! player, with the place in its source and a replay to look at.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ludus_arena::replay::Recorder;
use ludus_arena::{Fixture, Halt, Match, Observer, Played, Players, play, start};
use ludus_games::Seat;
use ludus_sandbox::Limits;

use crate::contestants::Contestant;
use crate::output::{Output, plain};
use crate::setup::Setup;

/// The most reasons that are told.
const MOST_TOLD: usize = 8;

/// The first words of what a player's author is told.
const DIED: &str = "died in round ";

/// Who froze, why, how often, and in which match first.
#[derive(Default)]
pub struct Freezes(BTreeMap<(usize, String), (u64, Fixture)>);

impl Freezes {
    pub fn add(&mut self, fixture: &Fixture, played: &Played) {
        for seat in Seat::ALL {
            let Some((_, reason)) = &played.faults[seat] else { continue };
            // Many, and each of its own, are a reason that holds a number.
            if self.0.len() > 1000 {
                return;
            }
            let first = || (0, fixture.clone());
            self.0.entry((fixture.seats[seat], reason.clone())).or_insert_with(first).0 += 1;
        }
    }

    /// Tells of them on standard error. The first match of each is played again
    /// to find out more; its replay is in `kept`, or goes to a folder for
    /// temporary files.
    pub fn tell(
        &self,
        setup: &Setup,
        contestants: &[Contestant],
        kept: impl Fn(&Fixture) -> Option<PathBuf>,
    ) -> Result<()> {
        let mut all: Vec<_> = self.0.iter().collect();
        all.sort_by_key(|(who, (times, _))| (std::cmp::Reverse(*times), *who));
        for ((contestant, reason), (times, fixture)) in all.iter().take(MOST_TOLD) {
            let player = &contestants[*contestant];
            let times = if *times == 1 { "once".to_owned() } else { format!("{times} times") };
            eprintln!("{} froze {times}: {}", player.name, plain(reason));
            let Some(seat) = Seat::ALL.into_iter().find(|&seat| fixture.seats[seat] == *contestant) else { continue };
            let (told, replay) = play_again(setup, contestants, fixture, seat)?;
            told.lines().for_each(|line| eprintln!("  {}", plain(line)));
            let path = match kept(fixture) {
                Some(path) => path,
                None => write(fixture, &replay)?,
            };
            eprintln!("  ludus debug {} --seat {} --player {}", path.display(), seat.index(), player.file());
        }
        if all.len() > MOST_TOLD {
            eprintln!("and {} more reasons", all.len() - MOST_TOLD);
        }
        Ok(())
    }
}

/// What the player in a seat is told of its end, and the replay.
fn play_again(setup: &Setup, contestants: &[Contestant], fixture: &Fixture, seat: Seat) -> Result<(String, Vec<u8>)> {
    let limits = Limits { output: Limits::OUTPUT, ..setup.limits.clone() };
    let enter = |contestant: usize, seed, seat| contestants[contestant].enter(&limits, seed, seat);
    let mut again = start(&*setup.board().config, fixture, enter)?;
    let mut recorder = Recorder::with_config(setup.game, &setup.board().text, &again);
    let mut words = LastWords { seat, written: Vec::new() };
    play(&mut again, &mut [&mut recorder, &mut words])?;
    let written = String::from_utf8_lossy(&words.written);
    let told = written.rfind(DIED).map(|at| written[at..].to_owned()).unwrap_or_default();
    Ok((told, recorder.finish(&again)))
}

/// What a seat wrote in the last round in which it wrote anything.
struct LastWords {
    seat: Seat,
    written: Vec<u8>,
}

impl Observer<Players, Halt> for LastWords {
    fn round(&mut self, played: &mut Match) -> Result<(), Halt> {
        let mut now = Vec::new();
        played.take_output(self.seat, &mut now);
        if !now.is_empty() {
            self.written = now;
        }
        Ok(())
    }
}

fn write(fixture: &Fixture, replay: &[u8]) -> Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!("ludus-freezes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let path = folder.join(Path::new(&format!("{:06}-seed{}.ludus", fixture.number, fixture.seed)));
    let mut output = Output::create(&path)?;
    output.write(replay)?;
    output.finish()?;
    Ok(path)
}
