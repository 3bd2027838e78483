//! Anything that can be watched: a replay, or a record of any engine.
//!
//! What a file is shows in its content, never in its name. A file that breaks
//! off or turns to rubbish shows what comes before that, and says where.

use std::convert::Infallible;

use ludus_games::record::{Header, Record};
use ludus_games::tokens::TextError;
use ludus_games::{GAMES, Game, Orders, Past, State};

use crate::Program;
use crate::replay::{ReadError, Replay, Rerun, Round, Unplayable, is_replay};

/// Why nothing of a file can be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilmError {
    #[error("the file is empty")]
    Empty,
    #[error("it is no match: {0}")]
    NoMatch(TextError),
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
    #[error("it takes too long to play again")]
    TooSlow,
}

/// A match to watch.
pub struct Film {
    game: &'static dyn Game,
    damage: Option<String>,
    source: Source,
    /// Rounds that can be shown.
    rounds: u32,
}

enum Source {
    Replay(Box<Replay>),
    Record(Record),
}

impl Film {
    /// Opens the content of a file.
    pub fn open(file: &[u8]) -> Result<Film, FilmError> {
        if is_replay(file) {
            return Film::of_replay(Replay::read(file)?);
        }
        let mut furthest: Option<TextError> = None;
        for game in GAMES {
            match game.read_record(file) {
                Ok(record) => return Ok(Film::of_record(*game, record)),
                // The reader that got furthest knows best what is wrong.
                Err(error) if furthest.as_ref().is_none_or(|known| error.place > known.place) => furthest = Some(error),
                Err(_) => {}
            }
        }
        Err(furthest.filter(|_| !file.is_empty()).map_or(FilmError::Empty, FilmError::NoMatch))
    }

    /// The film of a replay, which is played once to find out whether it holds.
    pub fn of_replay(replay: Replay) -> Result<Film, FilmError> {
        Film::of_replay_while(replay, || true)
    }

    /// The same, given up when `go_on`, which is asked before every round, says no.
    pub fn of_replay_while(replay: Replay, mut go_on: impl FnMut() -> bool) -> Result<Film, FilmError> {
        let game = replay.game()?;
        let mut rerun = replay.rerun()?;
        while go_on() {
            if !rerun.next_round() {
                break;
            }
        }
        if !go_on() {
            return Err(FilmError::TooSlow);
        }
        let changed = || (!replay.is_whole()).then(|| "its checksum is wrong: bytes were lost or changed".to_owned());
        let (rounds, damage) = (rerun.rounds(), rerun.damage().or_else(changed));
        Ok(Film { game, damage, source: Source::Replay(Box::new(replay)), rounds })
    }

    pub fn of_record(game: &'static dyn Game, record: Record) -> Film {
        let damage = record.damage.as_ref().map(TextError::to_string);
        let rounds = record.frames.len() as u32 - 1;
        Film { game, damage, source: Source::Record(record), rounds }
    }

    pub fn game(&self) -> &'static dyn Game {
        self.game
    }

    pub fn header(&self) -> &Header {
        match &self.source {
            Source::Replay(replay) => &replay.setup.header,
            Source::Record(record) => &record.header,
        }
    }

    /// The replay, if it is one.
    pub fn replay(&self) -> Option<&Replay> {
        match &self.source {
            Source::Replay(replay) => Some(replay),
            Source::Record(_) => None,
        }
    }

    /// Where and why the match breaks, if it does.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Rounds that can be shown.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Whether the statuses are true fractions of CPU.
    pub fn tells_cpu(&self) -> bool {
        let is_metered = |program: &Program| matches!(program, Program::Module { allowance, .. } if allowance.metered);
        self.header().judged || self.replay().is_some_and(|replay| replay.setup.programs.iter().any(is_metered))
    }

    /// The match from its beginning.
    pub fn show(&self) -> Show<'_> {
        let reel = match &self.source {
            Source::Replay(replay) => Reel::Replay(Box::new(replay.rerun().expect("it was played when it was opened"))),
            Source::Record(record) => Reel::Record { record, at: 0 },
        };
        Show { reel, left: self.rounds }
    }

    /// The match as the text of a record.
    pub fn record(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let Ok(()) = self.write_record(|part| {
            text.extend_from_slice(part);
            Ok::<(), Infallible>(())
        });
        text
    }

    /// Gives the text of a record part by part, as it may be long.
    pub fn write_record<E>(&self, mut take: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut show = self.show();
        let mut text = Vec::new();
        show.state().write_header(self.header(), &mut text);
        take(&text)?;
        while let Some((state, past)) = show.next_round() {
            text.clear();
            state.write_round(past.done, &mut text);
            take(&text)?;
        }
        Ok(())
    }
}

/// A film that is running.
pub struct Show<'a> {
    reel: Reel<'a>,
    left: u32,
}

enum Reel<'a> {
    Replay(Box<Rerun<'a>>),
    Record { record: &'a Record, at: usize },
}

impl Show<'_> {
    /// The state that is shown.
    pub fn state(&self) -> &dyn State {
        match &self.reel {
            Reel::Replay(rerun) => rerun.engine().state(),
            Reel::Record { record, at } => &*record.frames[*at].state,
        }
    }

    /// Goes on by a round, and gives its state and what led there.
    pub fn next_round(&mut self) -> Option<(&dyn State, Past<'_>)> {
        self.left = self.left.checked_sub(1)?;
        match &mut self.reel {
            Reel::Replay(rerun) => {
                if !rerun.next_round() {
                    return None;
                }
                let (engine, asked) = (rerun.engine(), Some(&rerun.round().orders));
                Some((engine.state(), Past { before: rerun.before(), done: engine.done(), asked }))
            }
            Reel::Record { record, at } => {
                let before = &*record.frames[*at].state;
                *at += 1;
                let frame = &record.frames[*at];
                Some((&*frame.state, Past { before, done: &frame.done, asked: None }))
            }
        }
    }

    /// The fuel and the digest of the last round, where they are known.
    pub fn figures(&self) -> Option<&Round> {
        match &self.reel {
            Reel::Replay(rerun) => Some(rerun.round()),
            Reel::Record { .. } => None,
        }
    }

    /// The orders that the last round's record shows.
    pub fn done(&self) -> &Orders {
        match &self.reel {
            Reel::Replay(rerun) => rerun.engine().done(),
            Reel::Record { record, at } => &record.frames[*at].done,
        }
    }
}
