//! A file with a match that can be watched: a replay, or a record of any engine.
//!
//! What a file is shows in its content, never in its name. A file that breaks
//! off or turns to rubbish shows what comes before that, and says where. A
//! replay is played while it is watched, never before.

use ludus_games::record::{Header, Record, RecordWriter};
use ludus_games::tokens::TextError;
use ludus_games::{Engine, GAMES, Game, Orders, Past, PerSeat, State, Status};

use crate::replay::{Broken, ReadError, RecordedOrders, Replay, RerunEnd, Round, Unplayable, is_replay};
use crate::{Halt, Match, Program};

/// Why nothing of a file can be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
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
pub struct MatchFile {
    game: &'static dyn Game,
    content: Content,
}

enum Content {
    Replay(Box<Replay>),
    Record(Record),
}

impl MatchFile {
    /// Opens the content of a file.
    pub fn open(file: &[u8]) -> Result<MatchFile, OpenError> {
        if is_replay(file) {
            return MatchFile::of_replay(Replay::read(file)?);
        }
        let mut furthest: Option<TextError> = None;
        for game in GAMES {
            match game.read_record(file) {
                Ok(record) => return Ok(MatchFile { game: *game, content: Content::Record(record) }),
                // The reader that got furthest knows best what is wrong.
                Err(error) if furthest.as_ref().is_none_or(|known| error.place > known.place) => furthest = Some(error),
                Err(_) => {}
            }
        }
        Err(furthest.filter(|_| !file.is_empty()).map_or(OpenError::Empty, OpenError::NoMatch))
    }

    pub fn of_replay(replay: Replay) -> Result<MatchFile, OpenError> {
        Ok(MatchFile { game: replay.game()?, content: Content::Replay(Box::new(replay)) })
    }

    pub fn game(&self) -> &'static dyn Game {
        self.game
    }

    pub fn header(&self) -> &Header {
        match &self.content {
            Content::Replay(replay) => &replay.setup.header,
            Content::Record(record) => &record.header,
        }
    }

    /// The replay, if it is one.
    pub fn replay(&self) -> Option<&Replay> {
        match &self.content {
            Content::Replay(replay) => Some(replay),
            Content::Record(_) => None,
        }
    }

    /// Whether the statuses are true fractions of CPU.
    pub fn tells_cpu(&self) -> bool {
        let is_metered = |program: &Program| matches!(program, Program::Module { allowance, .. } if allowance.metered);
        self.header().judged || self.replay().is_some_and(|replay| replay.setup.programs.iter().any(is_metered))
    }

    /// The match from its beginning.
    pub fn play(&self) -> Result<Playback<'_>, OpenError> {
        let frames = match &self.content {
            Content::Replay(replay) => {
                let played = replay.rerun()?;
                Frames::Replay { before: played.engine().snapshot(), played: Box::new(played), replay }
            }
            Content::Record(record) => Frames::Record(record),
        };
        Ok(Playback { frames, rounds: 0, damage: None, is_over: false })
    }

    /// Plays the match to where it ends or breaks.
    pub fn play_out(&self) -> Result<Ending, OpenError> {
        let mut playback = self.play()?;
        while playback.next_round().is_some() {}
        let state = playback.state();
        Ok(Ending {
            rounds: playback.rounds,
            of: state.rounds(),
            scores: self.replay().map_or_else(|| state.scores(), |replay| replay.ending.scores),
            status: state.status(),
            damage: playback.damage,
        })
    }

    /// The match as the text of a record.
    pub fn record(&self) -> Result<Vec<u8>, OpenError> {
        let mut text = Vec::new();
        self.write_record(|part| {
            text.extend_from_slice(part);
            Ok::<(), OpenError>(())
        })?;
        Ok(text)
    }

    /// Gives the text of a record part by part, as it may be long, and says
    /// where and why the match breaks, if it does.
    pub fn write_record<E: From<OpenError>>(
        &self,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<Option<String>, E> {
        let mut playback = self.play()?;
        let mut text = Vec::new();
        let first = playback.state();
        let mut record = first.game().begin_record(self.header(), first, &mut text);
        take(&text)?;
        while playback.next_round().is_some() {
            text.clear();
            playback.write_round(&mut *record, &mut text);
            take(&text)?;
        }
        Ok(playback.damage)
    }
}

/// How a match ended, as far as its file tells.
pub struct Ending {
    /// Rounds that can be shown, of those of the whole match.
    pub rounds: u32,
    pub of: u32,
    /// Those that a replay tells, or of the last state.
    pub scores: PerSeat<i64>,
    pub status: PerSeat<Status>,
    /// Where and why the match breaks, if it does.
    pub damage: Option<String>,
}

/// A match that is being watched.
pub struct Playback<'a> {
    frames: Frames<'a>,
    rounds: u32,
    damage: Option<String>,
    is_over: bool,
}

enum Frames<'a> {
    /// With the engine before the last round.
    Replay {
        replay: &'a Replay,
        played: Box<Match<RecordedOrders<'a>>>,
        before: Box<dyn Engine>,
    },
    Record(&'a Record),
}

impl Playback<'_> {
    /// The state that is shown.
    pub fn state(&self) -> &dyn State {
        match &self.frames {
            // The state of a round that does not hold must not be seen.
            Frames::Replay { before, .. } if self.is_over && self.damage.is_some() => before.state(),
            Frames::Replay { played, .. } => played.state(),
            Frames::Record(record) => &*record.frames[self.rounds as usize].state,
        }
    }

    /// Rounds that were shown so far.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Where and why the match breaks, once its last round was shown.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Goes on by a round, and gives its state and what led there.
    pub fn next_round(&mut self) -> Option<(&dyn State, Past<'_>)> {
        if !self.advance() {
            return None;
        }
        self.rounds += 1;
        Some(match &self.frames {
            Frames::Replay { played, before, .. } => {
                let past =
                    Past { before: before.state(), done: played.engine().done(), asked: Some(played.accepted()) };
                (played.state(), past)
            }
            Frames::Record(record) => {
                let [before, frame] = [self.rounds - 1, self.rounds].map(|round| &record.frames[round as usize]);
                (&*frame.state, Past { before: &*before.state, done: &frame.done, asked: None })
            }
        })
    }

    /// What the last round adds to the record.
    fn write_round(&self, record: &mut dyn RecordWriter, out: &mut Vec<u8>) {
        match &self.frames {
            Frames::Replay { played, .. } => played.write_round(record, out),
            Frames::Record(known) => {
                let frame = &known.frames[self.rounds as usize];
                record.round(&frame.done, &*frame.state, out);
            }
        }
    }

    fn advance(&mut self) -> bool {
        if self.is_over {
            return false;
        }
        let goes_on = match &mut self.frames {
            Frames::Record(record) => {
                let goes_on = self.rounds as usize + 1 < record.frames.len();
                self.damage = record.damage.as_ref().filter(|_| !goes_on).map(TextError::to_string);
                goes_on
            }
            Frames::Replay { replay, played, before } => {
                *before = played.engine().snapshot();
                let end = if played.is_over() { Err(None) } else { played.next_round().map_err(Some) };
                self.damage = end.as_ref().err().and_then(|end| damage(replay, self.rounds, played, end.as_ref()));
                end.is_ok()
            }
        };
        self.is_over = !goes_on;
        goes_on
    }

    /// The fuel and the digest of the last round, where they are known.
    pub fn recorded(&self) -> Option<&Round> {
        match &self.frames {
            Frames::Replay { played, .. } => Some(played.recorded()),
            Frames::Record(_) => None,
        }
    }

    /// The orders that the last round's record shows.
    pub fn done(&self) -> &Orders {
        match &self.frames {
            Frames::Replay { played, .. } => played.engine().done(),
            Frames::Record(record) => &record.frames[self.rounds as usize].done,
        }
    }
}

/// Why a replay that shows so many rounds shows no more. None for the end is
/// the end of the match.
fn damage(
    replay: &Replay,
    round: u32,
    played: &Match<RecordedOrders<'_>>,
    end: Option<&Halt<RerunEnd>>,
) -> Option<String> {
    let does_not_hold = |reason: String| match replay.is_whole() {
        true => format!("the replay does not hold from round {round} on: {reason}"),
        // Where bytes are missing, what is read last makes no sense.
        false => Broken { round }.to_string(),
    };
    let of = played.state().rounds();
    match end {
        Some(Halt::NoOrders(RerunEnd::Broken(broken))) => Some(broken.to_string()),
        Some(Halt::NoOrders(RerunEnd::Differs(_))) => Some(does_not_hold("another state than recorded".to_owned())),
        Some(Halt::Stuck { error, .. }) => Some(does_not_hold(error.to_string())),
        Some(Halt::NoOrders(RerunEnd::NoMoreRounds)) => Some(format!("it ends after round {round} of {of}")),
        None if !replay.is_whole() => Some("its checksum is wrong: bytes were lost or changed".to_owned()),
        None => None,
    }
}
