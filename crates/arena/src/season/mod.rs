//! The official season: rounds of elimination, their proof, and grades.
//!
//! All of it is a pure function of who takes part, a committed seed and the
//! results of matches; `docs/season.md` says how, for students and to the byte.
//! Nothing here plays a match, keeps a file or knows the time.
//!
//! - A [`Field`] and a [`RoundSeed`] make a [`Round`]; results go in, stages
//!   come out, and in the end an [`Elimination`].
//! - A [`Season`] is the fold of eliminations and withdrawals; [`grades`] follow
//!   from it by a [`Rule`].
//! - A [`championship`] is rounds down to one author.
//! - A [round file](file) holds everything that proves a round, signed.

mod championship;
mod chance;
#[cfg(test)]
mod example;
mod field;
pub mod file;
mod grades;
mod hash;
mod order;
mod round;
mod stage;

pub use championship::{Championship, championship, results_digest};
pub use chance::RoundSeed;
pub use field::{Author, Field, FieldError, MOST_AUTHORS, Representative};
pub use grades::{COLUMNS, Correction, Grade, GradesError, Mark, NoMark, Rule, RuleError, Standing, grades};
pub use hash::{Hash, NoHash};
pub use order::{Departure, Event, NoEvent, Season};
pub use round::{Decision, Elimination, MOST_IDLE_STAGES, NoRound, Refusal, ResumeError, Round};
pub use stage::{Contender, Kind, MatchId, OfficialMatch, Stage, is_saved, last_author};
