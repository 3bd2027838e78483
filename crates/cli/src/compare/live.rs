//! What somebody sees while versions are compared: the evidence for each answer,
//! and when one is expected.

use ludus_arena::Answer;

use super::findings::Findings;
use crate::terminal::{self, Progress, Size};

pub struct Live {
    progress: Progress,
    first: u64,
    most: u64,
}

impl Live {
    pub fn new(first: u64, most: u64) -> Live {
        Live { progress: Progress::new(), first, most }
    }

    pub fn show(&mut self, findings: &Findings) {
        let elapsed = self.progress.elapsed().as_secs_f64();
        let rate = findings.played().saturating_sub(self.first) as f64 / elapsed.max(0.001);
        let line = |_: Size| line(findings, rate, self.most);
        self.progress.show(line, |size| bars(findings, size.columns));
    }

    pub fn clear(&mut self) {
        self.progress.clear();
    }
}

pub fn name(answer: Answer) -> &'static str {
    match answer {
        Answer::Better => "better",
        Answer::Worse => "worse",
        Answer::NoDifference => "no difference",
    }
}

/// How it stands, and what is expected when.
fn line(findings: &Findings, rate: f64, most: u64) -> String {
    let (low, high) = findings.comparison.interval();
    let difference = findings.comparison.difference();
    let played = findings.played();
    let expected = findings.comparison.expected().map(|(answer, seeds)| (answer, seeds * findings.on_a_seed()));
    let end = match expected {
        Some((answer, matches)) if matches <= most => {
            let left = terminal::time(matches.saturating_sub(played) as f64 / rate.max(0.001));
            format!("{} expected after about {matches} matches, {left} left", name(answer))
        }
        _ => format!("no answer in sight within {most}"),
    };
    format!("{played} matches, {rate:.0}/s, difference {difference:+.3} ({low:+.3} to {high:+.3}), {end}")
}

/// A bar for each answer; a full one is the answer.
fn bars(findings: &Findings, columns: usize) -> String {
    let evidence = findings.comparison.evidence();
    let width = columns.saturating_sub(24).clamp(4, 40);
    let bar = |name: &str, part: f64| format!("{name:<14}{} {:.0} %\n", terminal::bar(part, width), 100.0 * part);
    [bar("better", evidence.better), bar("worse", evidence.worse), bar("no difference", evidence.no_difference)]
        .concat()
}

#[cfg(test)]
mod tests {
    use ludus_arena::{Comparison, Demands, Pairing, Played};
    use ludus_games::Seat;

    use super::*;

    #[test]
    fn the_evidence_and_the_end_are_shown() {
        let comparison = Comparison::new(Demands { alpha: 0.05, beta: 0.05, margin: 0.05 }).unwrap();
        let pairing = Pairing::new(1);
        let mut findings = Findings::new(&comparison, &pairing, 1);
        assert!(line(&findings, 0.0, 800).ends_with("no answer in sight within 800"));
        for number in 0..80 {
            let fixture = pairing.fixture(number);
            // The new version is ahead of all, the old one of nobody, in one seat.
            let scores = Seat::ALL.map(|seat| match fixture.seats[seat] {
                0 if seat.index() == 0 => 9,
                1 if seat.index() == 0 => 0,
                _ => 5,
            });
            findings.add(number, &Played { scores, cpu: [0; 4], faults: [const { None }; 4] });
        }
        let text = line(&findings, 10.0, 40_000);
        assert!(text.starts_with("80 matches, 10/s, difference +0.250 ("), "{text}");
        assert!(text.contains("better expected after about "), "{text}");
        let bars = bars(&findings, 60);
        assert_eq!(bars.lines().count(), 3);
        assert!(bars.lines().all(|line| line.len() <= 60), "{bars}");
        assert!(bars.starts_with("better        [##"), "{bars}");
        assert_eq!(findings.by_seat()[0].unwrap().value, 1.0);
        assert_eq!(findings.by_board()[0].unwrap().value, 0.25);
    }
}
