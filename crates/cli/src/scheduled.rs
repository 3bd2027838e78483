//! One match of a run: played, or taken from the journal of an earlier run.

use anyhow::Result;
use ludus_arena::replay::Recorder;
use ludus_arena::{Course, Entrant, Fixture, Halt, Observer, Players, play, start};
use ludus_games::Seat;

use crate::journal::{Entry, Journal};
use crate::player_log::MatchLog;
use crate::replay_folder::ReplayFolder;
use crate::setup::{Board, Setup};

/// What is kept of the matches of a run.
#[derive(Default)]
pub struct RunFiles {
    pub journal: Option<Journal>,
    pub replays: Option<ReplayFolder>,
    /// Whether the course of every match is wanted, for a report.
    pub courses: bool,
    /// Whether the journal has to say who took part.
    pub seats: bool,
}

impl RunFiles {
    /// The first match that the journal does not hold.
    pub fn next(&self) -> u64 {
        self.journal.as_ref().map_or(0, |journal| journal.next)
    }

    /// One match, from the journal if it was played before.
    pub fn played(
        &self,
        setup: &Setup,
        board: &Board,
        fixture: &Fixture,
        mut log: Option<MatchLog>,
        enter: impl Fn(usize, i32, Seat) -> Entrant,
    ) -> Result<Entry> {
        if let Some(entry) = self.journal.as_ref().and_then(|journal| journal.take(fixture.number)) {
            return Ok(entry);
        }
        let mut scheduled = start(&*board.config, fixture, enter)?;
        let mut course = self.courses.then(Course::default);
        let mut recorder = self.replays.as_ref().map(|_| Recorder::with_config(setup.game, &board.text, &scheduled));
        let mut observers: Vec<&mut dyn Observer<Players, Halt>> = Vec::new();
        observers.extend(course.as_mut().map(|course| course as _));
        observers.extend(recorder.as_mut().map(|recorder| recorder as _));
        observers.extend(log.as_mut().map(|log| log as _));
        let played = play(&mut scheduled, &mut observers)?;
        log.map(MatchLog::finish).transpose()?;
        if let (Some(folder), Some(recorder)) = (&self.replays, recorder) {
            folder.keep(fixture, &played, &recorder.finish(&scheduled))?;
        }
        let entry = Entry { played, course, seats: self.seats.then_some(fixture.seats) };
        if let Some(journal) = &self.journal {
            journal.append(fixture.number, &entry)?;
        }
        Ok(entry)
    }
}
