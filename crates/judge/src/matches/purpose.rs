//! What a match is played for.

use ludus_games::Seat;

use crate::words::words;

words! {
    pub enum Purpose {
        Official = "official",
        Verification = "verification",
        Training = "training",
        Ladder = "ladder",
        Demonstration = "demonstration",
    }
}

/// The place of a match among those that verify a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Four copies of the player meet.
    Copies,
    /// The player meets three Dummies from this seat.
    Seat(Seat),
}

impl Step {
    pub fn all() -> impl Iterator<Item = Step> {
        std::iter::once(Step::Copies).chain(Step::seats())
    }

    pub fn seats() -> impl Iterator<Item = Step> {
        Seat::ALL.into_iter().map(Step::Seat)
    }

    /// The number under which it is stored, and by which the seeds differ.
    pub fn number(self) -> i64 {
        match self {
            Step::Copies => 0,
            Step::Seat(seat) => 1 + seat.index() as i64,
        }
    }

    pub fn of(number: i64) -> Option<Step> {
        Step::all().find(|step| step.number() == number)
    }

    /// Whether the player that is verified sits in a seat.
    pub fn is_seated(self, seat: Seat) -> bool {
        self == Step::Copies || self == Step::Seat(seat)
    }
}

crate::database::stored_as!(Step, i64, |step| step.number(), Step::of);
