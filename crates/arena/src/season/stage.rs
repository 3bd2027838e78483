//! A stage of a round: who meets whom, and what their scores mean.

use std::fmt;
use std::num::NonZeroU32;

use ludus_games::{PerSeat, Seat};
use serde::{Deserialize, Serialize};

use super::Author;
use super::chance::Key;

/// A match of a round: which stage, and which group of it, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MatchId {
    stage: NonZeroU32,
    group: NonZeroU32,
}

impl MatchId {
    pub fn new(stage: u32, group: u32) -> Option<MatchId> {
        Some(MatchId { stage: NonZeroU32::new(stage)?, group: NonZeroU32::new(group)? })
    }

    pub fn stage(self) -> u32 {
        self.stage.get()
    }

    pub fn group(self) -> u32 {
        self.group.get()
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stage {}, match {}", self.stage, self.group)
    }
}

/// Who sits in a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Contender {
    /// The representative of this author.
    Of(Author),
    /// A player that fills a group: nobody's, and never eliminated.
    Reserve,
}

impl Contender {
    pub fn author(self) -> Option<Author> {
        match self {
            Contender::Of(author) => Some(author),
            Contender::Reserve => None,
        }
    }
}

/// A match of a round, to be played or played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfficialMatch {
    pub(super) id: MatchId,
    pub(super) seats: PerSeat<Contender>,
    pub(super) seed: i32,
    pub(super) scores: Option<PerSeat<i64>>,
}

impl OfficialMatch {
    pub fn id(&self) -> MatchId {
        self.id
    }

    pub fn seats(&self) -> &PerSeat<Contender> {
        &self.seats
    }

    pub fn seed(&self) -> i32 {
        self.seed
    }

    /// The scores, once the match has been played.
    pub fn scores(&self) -> Option<&PerSeat<i64>> {
        self.scores.as_ref()
    }

    /// The authors in it and the seats of their players.
    pub fn authors(&self) -> impl Iterator<Item = (Seat, Author)> {
        Seat::ALL.into_iter().filter_map(|seat| Some((seat, self.seats[seat].author()?)))
    }
}

/// What a stage is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Players save themselves, until four or fewer are left.
    Saving,
    /// The last two, three or four: who ends behind all the others is out.
    Deciding,
}

/// Matches that can be played at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    pub(super) number: NonZeroU32,
    pub(super) kind: Kind,
    pub(super) matches: Vec<OfficialMatch>,
}

impl Stage {
    /// Draws the groups, seats and seeds of a stage for those in danger, who
    /// are at least two.
    pub(super) fn draw(key: &Key, number: NonZeroU32, in_danger: &[Author]) -> Stage {
        let mut draws = key.draws(&format!("stage {number}"));
        let mut order = in_danger.to_vec();
        draws.shuffle(&mut order);
        let groups = order.len().div_ceil(Seat::COUNT);
        let matches = (0..groups).map(|group| {
            // Dealt like cards, groups differ by one player at most, and
            // nobody meets reserves alone.
            let mut seats = [Contender::Reserve; Seat::COUNT];
            let dealt = order.iter().skip(group).step_by(groups);
            seats.iter_mut().zip(dealt).for_each(|(seat, &author)| *seat = Contender::Of(author));
            draws.shuffle(&mut seats);
            let id = MatchId { stage: number, group: NonZeroU32::MIN.saturating_add(group as u32) };
            OfficialMatch { id, seats, seed: draws.match_seed(), scores: None }
        });
        let kind = if groups == 1 { Kind::Deciding } else { Kind::Saving };
        Stage { number, kind, matches: matches.collect() }
    }

    /// Counted from 1.
    pub fn number(&self) -> u32 {
        self.number.get()
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    pub fn matches(&self) -> &[OfficialMatch] {
        &self.matches
    }

    /// Whether every match has been played.
    pub fn is_over(&self) -> bool {
        self.matches.iter().all(|played| played.scores.is_some())
    }

    /// Those who play in it, in order.
    pub fn in_danger(&self) -> Vec<Author> {
        self.authors(|_, _| true)
    }

    /// Those who have saved themselves in a match that has been played, in order.
    pub fn saved(&self) -> Vec<Author> {
        match self.kind {
            Kind::Saving => self.authors(|played, seat| played.scores.is_some_and(|scores| is_saved(&scores, seat))),
            Kind::Deciding => Vec::new(),
        }
    }

    fn authors(&self, wanted: impl Fn(&OfficialMatch, Seat) -> bool) -> Vec<Author> {
        let all =
            self.matches.iter().flat_map(|played| played.authors().map(move |(seat, author)| (played, seat, author)));
        let mut authors: Vec<Author> =
            all.filter(|(played, seat, _)| wanted(played, *seat)).map(|(_, _, author)| author).collect();
        authors.sort_unstable();
        authors
    }
}

/// A player is saved if its score is better than that of two of its three
/// rivals. Equal is not better, and whether a seat was frozen does not matter.
pub fn is_saved(scores: &PerSeat<i64>, seat: Seat) -> bool {
    scores.iter().filter(|&&score| score < scores[seat]).count() >= 2
}

/// The author whose player ended behind those of all the others, reserves not
/// counted, if there is one.
pub fn last_author(seats: &PerSeat<Contender>, scores: &PerSeat<i64>) -> Option<Author> {
    let authors = || Seat::ALL.into_iter().filter_map(|seat| Some((scores[seat], seats[seat].author()?)));
    let worst = authors().map(|(score, _)| score).min()?;
    let mut last = authors().filter(|(score, _)| *score == worst).map(|(_, author)| author);
    match (last.next(), last.next()) {
        (Some(author), None) => Some(author),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores of four seats, and the seats that are saved.
    fn check_saved(scores: PerSeat<i64>, saved: &[usize]) {
        let found: Vec<usize> = (0..4).filter(|&seat| is_saved(&scores, Seat::ALL[seat])).collect();
        assert_eq!(found, saved, "{scores:?}");
    }

    #[test]
    fn better_than_two_of_three_is_saved() {
        check_saved([40, 30, 20, 10], &[0, 1]);
        check_saved([10, 20, 30, 40], &[2, 3]);
        check_saved([-10, i64::MIN, i64::MAX, -11], &[0, 2]);
    }

    #[test]
    fn equal_is_not_better() {
        check_saved([7, 7, 7, 7], &[]);
        check_saved([7, 7, 7, 1], &[]);
        check_saved([7, 7, 1, 1], &[0, 1]);
        check_saved([7, 7, 3, 1], &[0, 1]);
        check_saved([7, 3, 3, 1], &[0]);
        check_saved([7, 3, 3, 3], &[0]);
        check_saved([7, 5, 1, 1], &[0, 1]);
    }

    /// Players of authors 1, 2, … and reserves (0), their scores, and who is out.
    fn check_last(seats: PerSeat<u32>, scores: PerSeat<i64>, out: Option<u32>) {
        let seats = seats.map(|author| if author == 0 { Contender::Reserve } else { Contender::Of(Author(author)) });
        assert_eq!(last_author(&seats, &scores), out.map(Author), "{seats:?} {scores:?}");
    }

    #[test]
    fn the_last_is_behind_all_the_others_reserves_not_counted() {
        check_last([1, 2, 3, 4], [4, 3, 2, 1], Some(4));
        check_last([1, 2, 3, 4], [4, 3, 1, 1], None);
        check_last([1, 2, 3, 4], [4, 4, 4, 1], Some(4));
        check_last([1, 2, 3, 4], [1, 1, 1, 1], None);
        check_last([1, 0, 3, 4], [5, 1, 2, 3], Some(3));
        check_last([1, 0, 3, 4], [2, 1, 2, 3], None);
        check_last([0, 2, 0, 4], [9, 1, 0, 0], Some(4));
        check_last([0, 2, 0, 4], [9, 1, 0, 1], None);
        check_last([0, 2, 0, 0], [1, 5, 1, 1], Some(2));
    }
}
