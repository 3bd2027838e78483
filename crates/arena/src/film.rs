//! Anything that can be watched: a replay, or a record of any engine.
//!
//! What a file is shows in its content, never in its name. A file that breaks
//! off or turns to rubbish shows what comes before that, and says where.

use std::convert::Infallible;

use ludus_games::record::{Header, Record};
use ludus_games::scene::{Opening, Past, SceneWriter};
use ludus_games::tokens::TextError;
use ludus_games::{GAMES, Game, Orders, State};

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

/// The largest scene, in bytes. Those of real matches are a hundredth of it; a
/// config can ask for so many and such large boards that no browser holds them.
const LARGEST_SCENE: usize = 128 << 20;

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

    /// What stands at the head of a scene.
    pub fn opening(&self) -> Opening<'_> {
        let header = self.header();
        let is_metered = |program: &Program| matches!(program, Program::Module { allowance, .. } if allowance.metered);
        let cpu = header.judged || self.replay().is_some_and(|replay| replay.setup.programs.iter().any(is_metered));
        Opening { game: self.game, header, cpu, damage: self.damage() }
    }

    /// The match from its beginning.
    pub fn show(&self) -> Show<'_> {
        let reel = match &self.source {
            Source::Replay(replay) => Reel::Replay(Box::new(replay.rerun().expect("it was played when it was opened"))),
            Source::Record(record) => Reel::Record { record, at: 0 },
        };
        Show { reel, left: self.rounds }
    }

    /// The match as the JSON document of `docs/scenes.md`. One that would be too
    /// large ends early, and says so.
    pub fn scene(&self) -> Vec<u8> {
        self.scene_while(|| true).expect("it is not given up")
    }

    /// The same, given up when `go_on`, which is asked before every round, says no.
    pub fn scene_while(&self, go_on: impl FnMut() -> bool) -> Result<Vec<u8>, FilmError> {
        self.scene_within(LARGEST_SCENE, go_on)
    }

    fn scene_within(&self, largest: usize, mut go_on: impl FnMut() -> bool) -> Result<Vec<u8>, FilmError> {
        let (scene, rounds) = self.scene_of(&self.opening(), self.rounds, largest, &mut go_on)?;
        if rounds == self.rounds {
            return Ok(scene);
        }
        // The damage stands at the head, so that the document is made again.
        let damage = format!("the boards after round {rounds} are too large to be shown");
        let opening = Opening { damage: Some(&damage), ..self.opening() };
        Ok(self.scene_of(&opening, rounds, usize::MAX, &mut go_on)?.0)
    }

    /// The scene of so many rounds, and how many it has before it gets too large.
    fn scene_of(
        &self,
        opening: &Opening<'_>,
        rounds: u32,
        largest: usize,
        go_on: &mut impl FnMut() -> bool,
    ) -> Result<(Vec<u8>, u32), FilmError> {
        let mut show = self.show();
        let mut writer = SceneWriter::new(opening, show.state());
        for round in 0..rounds {
            if writer.size() > largest {
                return Ok((Vec::new(), round));
            }
            if !go_on() {
                return Err(FilmError::TooSlow);
            }
            let Some((state, past)) = show.next_round() else { break };
            writer.frame(state, &past);
        }
        Ok((writer.finish(), rounds))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Match;

    #[test]
    fn scenes_do_not_grow_for_ever() {
        let game = GAMES[0];
        let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
        let mut played = Match::between(&*config, 1, [&game.about().players[0]; 4]).unwrap();
        let mut text = Vec::new();
        played.write_header(&mut text);
        while !played.is_over() {
            played.play_round().unwrap();
            played.write_round(&mut text);
        }
        let film = Film::open(&text).unwrap();
        let whole = film.scene();
        assert_eq!(film.scene_within(whole.len(), || true).unwrap(), whole);
        let cut = film.scene_within(whole.len() / 2, || true).unwrap();
        assert!(cut.len() > whole.len() / 3 && cut.len() < whole.len() * 2 / 3);
        let scene: serde_json::Value = serde_json::from_slice(&cut).unwrap();
        let rounds = scene["frames"].as_array().unwrap().len() - 1;
        let expected = format!("the boards after round {rounds} are too large to be shown");
        assert_eq!(scene["damage"].as_str(), Some(&*expected));
        assert_eq!(scene["rounds"], film.rounds());
    }
}
