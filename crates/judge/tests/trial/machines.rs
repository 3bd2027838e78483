//! A stand-in for the machines: what comes of a source is written in it.

use std::time::Duration;

use anyhow::Result;
use ludus_games::{Game, PerSeat, Seat};
use ludus_judge::faults::{self, Seam};
use ludus_judge::jobs::Machines;
use ludus_judge::local_machine::{Compiled, Seated};
use ludus_judge::matches::{Played, SeatFault, SeatResult};
use ludus_judge::seasons::Season;
use ludus_judge::store::Store;
use ludus_judge::submissions::Reason;
use ludus_judge::trouble::Trouble;
use ludus_sandbox::build::Language;

/// What may become of a source, by the word in it.
pub const COURSES: [&str; 5] = ["good", "good", "compiler", "fault", "lost"];

pub fn source(name: &str, course: &str) -> String {
    format!("#include \"Player.hh\"\n#define PLAYER_NAME {name}\n// course: {course}\n")
}

fn course(source: &[u8]) -> &str {
    let text = std::str::from_utf8(source).unwrap_or_default();
    text.split("// course: ").nth(1).unwrap_or_default().trim_end()
}

pub struct Puppets {
    pub store: Store,
}

impl Machines for Puppets {
    fn warm_up(&self, _: &dyn Game, _: Language) -> Result<()> {
        Ok(())
    }

    fn compile(&self, _: &Season, _: &str, _: Language, source: &[u8]) -> Result<Compiled> {
        faults::at(Seam::Jail)?;
        // Long enough to be interrupted.
        std::thread::park_timeout(Duration::from_micros(200));
        if course(source) == "compiler" {
            return Ok(Compiled::Rejected(Reason::Compiler("it does not compile".to_owned())));
        }
        Ok(Compiled::Module { hash: self.store.put(source)?, bytes: source.len() })
    }

    fn play(&self, _: &Season, seed: i64, players: &PerSeat<Seated>) -> Result<Played> {
        let mut courses = Vec::new();
        for seat in Seat::ALL {
            courses.push(match &players[seat].module {
                Some(hash) => course(&self.store.get(hash)?).to_owned(),
                None => "dummy".to_owned(),
            });
        }
        std::thread::park_timeout(Duration::from_micros(200));
        let winner = courses.iter().position(|course| course == "good" || course == "dummy").unwrap_or(0);
        let winner = courses.iter().position(|course| course == "good").unwrap_or(winner);
        let seats = Seat::ALL.into_iter().map(|seat| SeatResult {
            seat,
            name: players[seat].name.clone(),
            submission: None,
            author: None,
            score: Some(seed % 1000 + i64::from(seat.index() == winner)),
            rank: Some(if seat.index() == winner { 1 } else { 2 }),
            cpu: Some(1),
            fault: (courses[seat.index()] == "fault").then(|| (1, SeatFault::Other("it fails".to_owned()))),
            output: None,
        });
        let seats = seats.collect();
        let told = format!("a match with seed {seed}: {courses:?}");
        let replay = self.store.put(told.as_bytes())?;
        Ok(Played { rounds: 1, replay, small_replay: None, seats, cpu: Vec::new(), bytes: told.len() })
    }

    fn probe(&self) -> Result<(), Trouble> {
        self.store.probe().map_err(|error| Trouble::of(&error).unwrap_or(Trouble::Store))?;
        faults::at(Seam::Jail).map_err(|_| Trouble::Jail)
    }
}
