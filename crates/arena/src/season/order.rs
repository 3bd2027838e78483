//! The course of a season: who is still in, and who left when.

use std::collections::BTreeSet;

use super::{Author, Elimination};

/// Something that happens to the authors of a season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An official round is over. Rounds are counted from 1.
    Eliminated { round: u32, elimination: Elimination },
    /// An instructor has taken somebody out.
    Withdrawn { author: Author, reason: String },
    /// The last elimination does not count.
    Undone { reason: String },
}

/// How somebody left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Departure {
    Eliminated { round: u32, elimination: Elimination },
    Withdrawn { author: Author, reason: String },
}

impl Departure {
    pub fn author(&self) -> Author {
        match self {
            Departure::Eliminated { elimination, .. } => elimination.author,
            Departure::Withdrawn { author, .. } => *author,
        }
    }
}

/// Why an event cannot have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEvent {
    #[error("{0} is not in the season any more, or never was")]
    NotIn(Author),
    #[error("{0} is the last one in the season")]
    Last(Author),
    #[error("round {0} is not after the last one")]
    Round(u32),
    #[error("there is no elimination to undo")]
    NothingToUndo,
    #[error("a reason is needed")]
    NoReason,
}

/// A season: a fold over its events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Season {
    left: BTreeSet<Author>,
    gone: Vec<Departure>,
    /// The number of the last round, be it undone or not.
    last_round: u32,
}

impl Season {
    /// Everybody with an accepted player at the deadline.
    pub fn new(authors: impl IntoIterator<Item = Author>) -> Season {
        Season { left: authors.into_iter().collect(), gone: Vec::new(), last_round: 0 }
    }

    /// A season from everything that has happened in it.
    pub fn of(
        authors: impl IntoIterator<Item = Author>,
        events: impl IntoIterator<Item = Event>,
    ) -> Result<Season, NoEvent> {
        let mut season = Season::new(authors);
        events.into_iter().try_for_each(|event| season.apply(event))?;
        Ok(season)
    }

    pub fn apply(&mut self, event: Event) -> Result<(), NoEvent> {
        match event {
            Event::Eliminated { round, .. } if round <= self.last_round => Err(NoEvent::Round(round)),
            Event::Eliminated { round, elimination } => {
                if self.left.len() == 1 && self.left.contains(&elimination.author) {
                    return Err(NoEvent::Last(elimination.author));
                }
                self.leave(Departure::Eliminated { round, elimination })?;
                self.last_round = round;
                Ok(())
            }
            Event::Withdrawn { author, reason } => {
                check_reason(&reason)?;
                self.leave(Departure::Withdrawn { author, reason })
            }
            Event::Undone { reason } => {
                check_reason(&reason)?;
                let is_elimination = |departure: &Departure| matches!(departure, Departure::Eliminated { .. });
                let last = self.gone.iter().rposition(is_elimination).ok_or(NoEvent::NothingToUndo)?;
                let undone = self.gone.remove(last);
                self.left.insert(undone.author());
                Ok(())
            }
        }
    }

    fn leave(&mut self, departure: Departure) -> Result<(), NoEvent> {
        if !self.left.remove(&departure.author()) {
            return Err(NoEvent::NotIn(departure.author()));
        }
        self.gone.push(departure);
        Ok(())
    }

    /// Those who are still in, in order.
    pub fn left(&self) -> impl ExactSizeIterator<Item = Author> {
        self.left.iter().copied()
    }

    /// Those who are not, in the order in which they left.
    pub fn gone(&self) -> &[Departure] {
        &self.gone
    }

    /// How many took part.
    pub fn authors(&self) -> usize {
        self.left.len() + self.gone.len()
    }

    /// How many had left before each of those who are gone. Those who were
    /// withdrawn between the same two rounds left at the same time.
    pub(super) fn gone_before(&self) -> Vec<usize> {
        let is_withdrawn = |departure: &Departure| matches!(departure, Departure::Withdrawn { .. });
        let mut before = Vec::with_capacity(self.gone.len());
        for (at, departure) in self.gone.iter().enumerate() {
            let together = at > 0 && is_withdrawn(departure) && is_withdrawn(&self.gone[at - 1]);
            before.push(if together { before[at - 1] } else { at });
        }
        before
    }
}

pub(super) fn check_reason(reason: &str) -> Result<(), NoEvent> {
    if reason.trim().is_empty() { Err(NoEvent::NoReason) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::season::Decision;

    fn out(round: u32, author: u32) -> Event {
        Event::Eliminated { round, elimination: Elimination { author: Author(author), by: Decision::Behind } }
    }

    fn withdrawn(author: u32) -> Event {
        Event::Withdrawn { author: Author(author), reason: "left the course".to_owned() }
    }

    fn undone() -> Event {
        Event::Undone { reason: "the room lost power".to_owned() }
    }

    fn season(events: impl IntoIterator<Item = Event>) -> Result<Season, NoEvent> {
        Season::of((1..=5).map(Author), events)
    }

    #[test]
    fn events_make_an_order_of_departure() {
        let season = season([out(1, 3), withdrawn(5), withdrawn(1), out(2, 2)]).unwrap();
        assert!(season.left().eq([Author(4)]));
        assert!(season.gone().iter().map(Departure::author).eq([3, 5, 1, 2].map(Author)));
        assert_eq!(season.gone_before(), [0, 1, 1, 3]);
    }

    #[test]
    fn the_last_elimination_can_be_undone_and_its_number_is_not_used_again() {
        let before = season([out(1, 3), withdrawn(1)]).unwrap();
        let after = season([out(1, 3), out(2, 2), withdrawn(1), undone()]).unwrap();
        assert!(after.left().eq(before.left()) && after.gone() == before.gone());
        assert_eq!(season([out(1, 3), undone(), out(1, 3)]), Err(NoEvent::Round(1)));
        assert!(season([out(1, 3), undone(), out(2, 3)]).is_ok());
        assert_eq!(season([out(1, 3), undone(), undone()]), Err(NoEvent::NothingToUndo));
        assert_eq!(season([withdrawn(1), undone()]), Err(NoEvent::NothingToUndo));
    }

    #[test]
    fn what_cannot_have_happened_is_refused() {
        assert_eq!(season([out(1, 9)]), Err(NoEvent::NotIn(Author(9))));
        assert_eq!(season([out(1, 3), out(2, 3)]), Err(NoEvent::NotIn(Author(3))));
        assert_eq!(season([out(2, 3), out(2, 4)]), Err(NoEvent::Round(2)));
        assert_eq!(season([withdrawn(3), withdrawn(3)]), Err(NoEvent::NotIn(Author(3))));
        let empty = Event::Withdrawn { author: Author(1), reason: " ".to_owned() };
        assert_eq!(season([empty]), Err(NoEvent::NoReason));
        assert_eq!(season((1..=5).map(|k| out(k, k))), Err(NoEvent::Last(Author(5))));
    }
}
