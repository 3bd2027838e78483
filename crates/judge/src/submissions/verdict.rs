//! Verdicts: what they say, and how the database keeps them.

use ludus_games::Seat;

use crate::ids::MatchId;
use crate::words::words;

words! {
    /// How far a submission has come.
    pub enum Stage {
        Waiting = "waiting",
        Compiling = "compiling",
        Playing = "playing",
        Accepted = "accepted",
        Rejected = "rejected",
        /// Accepted once, and taken out by an instructor.
        Retired = "retired",
    }
}

impl Stage {
    pub fn is_verdict(self) -> bool {
        matches!(self, Stage::Accepted | Stage::Rejected | Stage::Retired)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Accepted,
    Rejected(Reason),
}

impl Verdict {
    pub(super) fn stage(&self) -> Stage {
        match self {
            Verdict::Accepted => Stage::Accepted,
            Verdict::Rejected(_) => Stage::Rejected,
        }
    }

    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Verdict::Accepted => None,
            Verdict::Rejected(reason) => Some(reason),
        }
    }
}

/// Why a player was rejected, and what that is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// With the compiler's messages.
    Compiler(String),
    /// The compiler took longer than this.
    Slow { seconds: u64 },
    /// The module is no player, because of this.
    Module(String),
    /// The module calls itself this, and the source otherwise.
    OtherName(String),
    /// Somebody was faster.
    NameTaken,
    /// Another copy of an example was accepted first.
    ExampleTwice,
    /// A copy failed in the match of four copies.
    Fault(MatchId),
    /// It did not win against the Dummies.
    NotWon(MatchId),
    /// It took far more CPU than its fuel stands for, twice in the same match.
    Overtime { in_match: MatchId, seat: Seat, seconds: u64 },
    /// The machines came to no verdict, and an instructor decided, because of this.
    Instructor(String),
    /// A word of a newer Ludus.
    Unknown,
}

impl Reason {
    pub fn word(&self) -> &'static str {
        match self {
            Reason::Compiler(_) => "compiler",
            Reason::Slow { .. } => "slow",
            Reason::Module(_) => "module",
            Reason::OtherName(_) => "other-name",
            Reason::NameTaken => "name-taken",
            Reason::ExampleTwice => "example-twice",
            Reason::Fault(_) => "fault",
            Reason::NotWon(_) => "not-won",
            Reason::Overtime { .. } => "overtime",
            Reason::Instructor(_) => "instructor",
            Reason::Unknown => "unknown",
        }
    }

    /// What it is about, as it is stored beside the word.
    pub(crate) fn detail(&self) -> String {
        match self {
            Reason::Compiler(text) | Reason::Module(text) | Reason::OtherName(text) | Reason::Instructor(text) => {
                text.clone()
            }
            Reason::Slow { seconds } => seconds.to_string(),
            Reason::NameTaken | Reason::ExampleTwice | Reason::Unknown => String::new(),
            Reason::Fault(id) | Reason::NotWon(id) => id.to_string(),
            Reason::Overtime { in_match, seat, seconds } => format!("{in_match} {} {seconds}", seat.index() + 1),
        }
    }

    /// A reason as it was stored.
    pub(crate) fn stored(word: &str, detail: &str) -> Reason {
        let about = || detail.to_owned();
        let number = || detail.parse().map(MatchId).ok();
        let known = match word {
            "compiler" => Some(Reason::Compiler(about())),
            "slow" => detail.parse().ok().map(|seconds| Reason::Slow { seconds }),
            "module" => Some(Reason::Module(about())),
            "other-name" => Some(Reason::OtherName(about())),
            "name-taken" => Some(Reason::NameTaken),
            "example-twice" => Some(Reason::ExampleTwice),
            "fault" => number().map(Reason::Fault),
            "not-won" => number().map(Reason::NotWon),
            "overtime" => overtime(detail),
            "instructor" => Some(Reason::Instructor(about())),
            _ => None,
        };
        known.unwrap_or(Reason::Unknown)
    }

    /// A reason that is told in one text, its word and what it is about; none for
    /// what somebody has written.
    pub fn told(text: &str) -> Option<Reason> {
        let (word, detail) = text.split_once(' ')?;
        if word == "overtime" { overtime(detail) } else { None }
    }

    /// Whether the file itself is at fault, whatever it would have played.
    pub fn is_of_the_source(&self) -> bool {
        matches!(self, Reason::Compiler(_) | Reason::Slow { .. } | Reason::Module(_) | Reason::OtherName(_))
    }

    /// The match that shows it.
    pub fn cause(&self) -> Option<MatchId> {
        match self {
            Reason::Fault(id) | Reason::NotWon(id) => Some(*id),
            _ => None,
        }
    }
}

fn overtime(detail: &str) -> Option<Reason> {
    let mut numbers = detail.split(' ').map(str::parse::<u64>);
    let mut next = || numbers.next()?.ok();
    let in_match = MatchId(i64::try_from(next()?).ok()?);
    let seat = *Seat::ALL.get(usize::try_from(next()?).ok()?.checked_sub(1)?)?;
    Some(Reason::Overtime { in_match, seat, seconds: next()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_read_as_they_were_stored() {
        for (reason, word, detail) in [
            (Reason::Compiler("x.cc:1: no".to_owned()), "compiler", "x.cc:1: no"),
            (Reason::Slow { seconds: 30 }, "slow", "30"),
            (Reason::Module("it registers no player".to_owned()), "module", "it registers no player"),
            (Reason::OtherName("Ana".to_owned()), "other-name", "Ana"),
            (Reason::NameTaken, "name-taken", ""),
            (Reason::ExampleTwice, "example-twice", ""),
            (Reason::Fault(MatchId(7)), "fault", "7"),
            (Reason::NotWon(MatchId(8)), "not-won", "8"),
            (Reason::Overtime { in_match: MatchId(9), seat: Seat::ALL[2], seconds: 30 }, "overtime", "9 3 30"),
            (Reason::Instructor("the disk broke".to_owned()), "instructor", "the disk broke"),
        ] {
            assert_eq!((reason.word(), reason.detail().as_str()), (word, detail));
            assert_eq!(Reason::stored(word, detail), reason);
        }
        assert_eq!(Reason::told("overtime 9 3 30"), Some(Reason::stored("overtime", "9 3 30")));
        for text in ["overtime", "overtime again", "a copy", "compiler x"] {
            assert_eq!(Reason::told(text), None, "{text}");
        }
        for (word, detail) in [("overtime", "9 5 30"), ("overtime", "9 0 30"), ("fault", "x"), ("new", "")] {
            assert_eq!(Reason::stored(word, detail), Reason::Unknown, "{word} {detail}");
        }
    }
}
