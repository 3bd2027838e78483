//! What the report tells beyond the table, collected match by match.

use std::collections::BTreeMap;

use ludus_arena::{Course, Fixture, Played};
use ludus_games::{PerSeat, Seat};

use crate::journal::Entry;

/// The worst losses that are told of each player.
const LOSSES: usize = 5;

pub struct RunDetails {
    pub contestants: Vec<ContestantDetails>,
}

/// What is told of one contestant.
#[derive(Clone, Default)]
pub struct ContestantDetails {
    pub matches: u64,
    /// How often each score came.
    pub scores: BTreeMap<i64, u64>,
    /// Sums over matches of score and CPU at the moments of a course.
    score_course: Vec<i128>,
    cpu_course: Vec<i128>,
    /// The worst first.
    pub losses: Vec<Loss>,
}

#[derive(Clone)]
pub struct Loss {
    /// By how much the winner was ahead.
    pub behind: i64,
    pub seat: Seat,
    pub fixture: Fixture,
    pub scores: PerSeat<i64>,
    pub fault: Option<(u32, String)>,
}

impl RunDetails {
    pub fn new(contestants: usize) -> RunDetails {
        RunDetails { contestants: vec![ContestantDetails::default(); contestants] }
    }

    pub fn add(&mut self, fixture: &Fixture, entry: &Entry) {
        for seat in Seat::ALL {
            let contestant = &mut self.contestants[fixture.seats[seat]];
            contestant.matches += 1;
            *contestant.scores.entry(entry.played.scores[seat]).or_default() += 1;
            if let Some(course) = &entry.course {
                sum_up(&mut contestant.score_course, course.scores.iter().map(|scores| scores[seat].into()));
                sum_up(&mut contestant.cpu_course, course.cpu.iter().map(|cpu| cpu[seat].into()));
            }
            contestant.lose(fixture, seat, &entry.played);
        }
    }
}

fn sum_up(sums: &mut Vec<i128>, values: impl Iterator<Item = i128>) {
    sums.resize(Course::MOMENTS as usize + 1, 0);
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

impl ContestantDetails {
    /// The mean score at every moment.
    pub fn score_course(&self) -> Vec<f64> {
        self.score_course.iter().map(|&sum| sum as f64 / self.matches as f64).collect()
    }

    /// The mean CPU used between every moment and the one before, as a part of
    /// what may be used in the whole match.
    pub fn cpu_steps(&self) -> Vec<f64> {
        self.cpu_course.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / self.matches as f64 / 1e9).collect()
    }

    fn lose(&mut self, fixture: &Fixture, seat: Seat, played: &Played) {
        let best = played.scores.iter().copied().max().unwrap_or_default();
        let behind = best.saturating_sub(played.scores[seat]);
        let full = self.losses.len() == LOSSES;
        if behind == 0 || full && self.losses.last().is_some_and(|last| last.behind >= behind) {
            return;
        }
        let place = self.losses.partition_point(|loss| loss.behind >= behind);
        let fault = played.faults[seat].clone();
        self.losses.insert(place, Loss { behind, seat, fixture: fixture.clone(), scores: played.scores, fault });
        self.losses.truncate(LOSSES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_losses_come_first_and_the_earlier_of_equals() {
        let mut details = RunDetails::new(4);
        for (number, own) in [50, 20, 100, 30, 20, 60, 70, 90, 10].into_iter().enumerate() {
            let fixture = Fixture { number: number as u64, seed: 1, seats: [0, 1, 2, 3] };
            let played = Played { scores: [own, 100, 0, 5], cpu: [0; 4], faults: [const { None }; 4] };
            details.add(&fixture, &Entry { played, course: None, seats: None });
        }
        let losses: Vec<_> =
            details.contestants[0].losses.iter().map(|loss| (loss.behind, loss.fixture.number)).collect();
        assert_eq!(losses, [(90, 8), (80, 1), (80, 4), (70, 3), (50, 0)]);
        assert!(details.contestants[1].losses.is_empty());
        assert_eq!(details.contestants[0].scores[&20], 2);
    }

    #[test]
    fn courses_are_averaged() {
        let mut details = RunDetails::new(4);
        let moments = Course::MOMENTS as usize + 1;
        for factor in [1, 3] {
            let course = Course {
                scores: (0..moments).map(|k| [factor * k as i64; 4]).collect(),
                cpu: (0..moments).map(|k| [k as u32 * 1_000_000; 4]).collect(),
            };
            let played = Played { scores: [0; 4], cpu: [0; 4], faults: [const { None }; 4] };
            let fixture = Fixture { number: 0, seed: 1, seats: [0, 1, 2, 3] };
            details.add(&fixture, &Entry { played, course: Some(course), seats: None });
        }
        let contestant = &details.contestants[2];
        assert_eq!(contestant.score_course()[10], 20.0);
        assert!(contestant.cpu_steps().iter().all(|&step| (step - 0.001).abs() < 1e-12));
    }
}
