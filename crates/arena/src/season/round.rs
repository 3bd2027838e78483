//! An official round: from a field and a seed, by the results of matches, to
//! the author who is eliminated.

use std::num::NonZeroU32;

use ludus_games::{PerSeat, Seat};
use serde::{Deserialize, Serialize};

use super::chance::Key;
use super::stage::last_author;
use super::{Author, Field, Kind, MatchId, OfficialMatch, RoundSeed, Stage};

/// When so many stages of a round have changed nothing, a draw decides.
pub const MOST_IDLE_STAGES: u32 = 30;

/// Who is eliminated, and how it was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elimination {
    pub author: Author,
    pub by: Decision,
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The player ended behind those of all the others who were left.
    Behind,
    /// Everybody else had saved themselves.
    Alone,
    /// By lot among those who were left, after [`MOST_IDLE_STAGES`].
    Draw,
}

impl Decision {
    /// As files name it.
    pub fn word(self) -> &'static str {
        match self {
            Decision::Behind => "behind",
            Decision::Alone => "alone",
            Decision::Draw => "draw",
        }
    }
}

/// Why a field plays no round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRound {
    /// Who is alone is the champion.
    #[error("{0} is alone, and nobody is there to play against")]
    Champion(Author),
}

/// Why a result is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("there is no {0}, or not yet")]
    NoMatch(MatchId),
    #[error("{0} has another result already")]
    OtherResult(MatchId),
}

/// A round under way, or over.
///
/// It is a pure function of its field, its seed and the results so far: results
/// may come in any order, and a round that is put together again from its
/// results is the same round.
///
/// ```
/// use ludus_arena::season::{Author, Field, Hash, Representative, Round, RoundSeed};
///
/// let field = Field::new((1..=9).map(|n| Representative { author: Author(n), module: Hash::of(&[n as u8]) }))?;
/// let mut round = Round::new(field, &RoundSeed::new([0; 32]))?;
/// while let Some(stage) = round.stage() {
///     for official in stage.matches().to_vec() {
///         // Here a match is played on official.seed(); let the numbers of authors be their scores.
///         let scores = official.seats().map(|contender| contender.author().map_or(0, |author| author.0.into()));
///         round.report(official.id(), scores)?;
///     }
/// }
/// assert_eq!(round.elimination().map(|out| out.author), Some(Author(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Round {
    field: Field,
    key: Key,
    /// All stages so far. Every one but the last is over.
    stages: Vec<Stage>,
    idle: u32,
    elimination: Option<Elimination>,
}

impl Round {
    pub fn new(field: Field, seed: &RoundSeed) -> Result<Round, NoRound> {
        let authors: Vec<Author> = field.authors().collect();
        if let [champion] = authors[..] {
            return Err(NoRound::Champion(champion));
        }
        let key = seed.key(&field);
        let first = Stage::draw(&key, NonZeroU32::MIN, &authors);
        Ok(Round { field, key, stages: vec![first], idle: 0, elimination: None })
    }

    /// A round that was interrupted, put together again from the results that
    /// were kept of it.
    pub fn resume(
        field: Field,
        seed: &RoundSeed,
        results: impl IntoIterator<Item = (MatchId, PerSeat<i64>)>,
    ) -> Result<Round, ResumeError> {
        let mut round = Round::new(field, seed)?;
        let mut results: Vec<_> = results.into_iter().collect();
        results.sort_unstable_by_key(|(id, _)| *id);
        for (id, scores) in results {
            round.report(id, scores)?;
        }
        Ok(round)
    }

    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The stage under way, whose matches are to be played.
    pub fn stage(&self) -> Option<&Stage> {
        if self.elimination.is_some() { None } else { self.stages.last() }
    }

    /// All stages so far.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// Who is out, once the round is over.
    pub fn elimination(&self) -> Option<Elimination> {
        self.elimination
    }

    /// Stages and deciding matches that have changed nothing.
    pub fn idle_stages(&self) -> u32 {
        self.idle
    }

    pub fn official_match(&self, id: MatchId) -> Option<&OfficialMatch> {
        let stage = self.stages.get(id.stage() as usize - 1)?;
        stage.matches.get(id.group() as usize - 1)
    }

    /// The matches that an author's player was in, with its seats.
    pub fn matches_of(&self, author: Author) -> impl Iterator<Item = (&OfficialMatch, Seat)> {
        let all = self.stages.iter().flat_map(|stage| &stage.matches);
        all.filter_map(move |official| {
            let (seat, _) = official.authors().find(|(_, other)| *other == author)?;
            Some((official, seat))
        })
    }

    /// Takes the scores of a match. The same result may come more than once.
    pub fn report(&mut self, id: MatchId, scores: PerSeat<i64>) -> Result<(), Refusal> {
        let known = self.official_match(id).ok_or(Refusal::NoMatch(id))?;
        match known.scores {
            Some(known) if known == scores => return Ok(()),
            Some(_) => return Err(Refusal::OtherResult(id)),
            None => {}
        }
        let stage = self.stages.last_mut().expect("a round has a stage");
        stage.matches[id.group() as usize - 1].scores = Some(scores);
        if stage.is_over() {
            self.conclude();
        }
        Ok(())
    }

    /// What the results of the last stage mean.
    fn conclude(&mut self) {
        let stage = self.stages.last().expect("a round has a stage");
        let mut left = stage.in_danger();
        match stage.kind {
            Kind::Saving => {
                let saved = stage.saved();
                left.retain(|author| saved.binary_search(author).is_err());
                self.idle += u32::from(saved.is_empty());
            }
            Kind::Deciding => {
                let decider = &stage.matches[0];
                let scores = decider.scores.as_ref().expect("the stage is over");
                if let Some(author) = last_author(&decider.seats, scores) {
                    self.elimination = Some(Elimination { author, by: Decision::Behind });
                    return;
                }
                self.idle += 1;
            }
        }
        self.go_on(&left);
    }

    /// Two are saved at most in a group, so somebody is always left: of the
    /// five or more of a saving stage there are more than two to a group.
    fn go_on(&mut self, left: &[Author]) {
        if let [author] = *left {
            self.elimination = Some(Elimination { author, by: Decision::Alone });
        } else if self.idle >= MOST_IDLE_STAGES {
            let drawn = self.key.draws("draw").below(left.len() as u32);
            self.elimination = Some(Elimination { author: left[drawn as usize], by: Decision::Draw });
        } else {
            let number = NonZeroU32::MIN.saturating_add(self.stages.len() as u32);
            self.stages.push(Stage::draw(&self.key, number, left));
        }
    }
}

/// Why results do not make a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    #[error(transparent)]
    NoRound(#[from] NoRound),
    #[error(transparent)]
    Refusal(#[from] Refusal),
}
