//! Grades: from the order of departure to marks, in exact arithmetic.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::order::check_reason;
use super::{Author, Decision, Departure, Season};

/// A mark, in hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark(u32);

impl Mark {
    /// One hundred.
    pub const LARGEST: Mark = Mark(10_000);

    pub fn from_hundredths(hundredths: u32) -> Option<Mark> {
        (hundredths <= Mark::LARGEST.0).then_some(Mark(hundredths))
    }

    pub fn hundredths(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is no mark: expected a number from 0 to 100 with at most two decimals, like 7.25", .0.escape_debug())]
pub struct NoMark(String);

impl FromStr for Mark {
    type Err = NoMark;

    fn from_str(text: &str) -> Result<Mark, NoMark> {
        let error = || NoMark(text.chars().take(40).collect());
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |part: &str, most| (1..=most).contains(&part.len()) && part.bytes().all(|c| c.is_ascii_digit());
        if !is_number(whole, 3) || !is_number(decimals, 2) {
            return Err(error());
        }
        let number = |part: &str| part.parse::<u32>().map_err(|_| error());
        let hundredths = if decimals.len() == 1 { 10 * number(decimals)? } else { number(decimals)? };
        Mark::from_hundredths(100 * number(whole)? + hundredths).ok_or_else(error)
    }
}

/// How marks follow from the order of departure. The instructor sets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// For the first one out.
    pub first_out: Mark,
    /// For the last one out before the finalists; between the two it is linear.
    pub last_out: Mark,
    /// Nobody who took part gets less.
    pub guaranteed: Mark,
    pub finalist: Mark,
    /// At least so many of the last are finalists; everybody still in is one.
    pub finalists: usize,
    /// For those without an accepted player at the deadline.
    pub without_player: Mark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    #[error("the mark of the last one out, {1}, is below that of the first one, {0}")]
    Falling(Mark, Mark),
    #[error("the mark of finalists, {1}, is below that of the last one out, {0}")]
    Finalist(Mark, Mark),
}

impl Rule {
    /// Whoever stays longer must not get less.
    pub fn check(&self) -> Result<(), RuleError> {
        if self.last_out < self.first_out {
            return Err(RuleError::Falling(self.first_out, self.last_out));
        }
        if self.finalist < self.last_out.max(self.guaranteed) {
            return Err(RuleError::Finalist(self.last_out.max(self.guaranteed), self.finalist));
        }
        Ok(())
    }

    /// The mark of who left when `before` of the `many` that are no finalists
    /// had left: rounded to hundredths, halves up.
    fn linear(&self, before: usize, many: usize) -> Mark {
        let steps = many.saturating_sub(1) as u64;
        // Who is the only one out is also the last one.
        if before as u64 >= steps {
            return self.last_out;
        }
        let rise = u64::from(self.last_out.0 - self.first_out.0);
        let rounded = (2 * rise * before as u64 + steps) / (2 * steps);
        Mark(self.first_out.0 + rounded as u32)
    }
}

/// A mark that an instructor gives by hand, in place of the computed one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    pub author: Author,
    pub mark: Mark,
    pub reason: String,
}

/// What somebody's grade was computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    StillIn,
    Eliminated { round: u32, by: Decision },
    Withdrawn { reason: String },
    WithoutPlayer,
}

/// A grade, with everything that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grade {
    pub author: Author,
    pub standing: Standing,
    /// How many had left before; none for those who are still in or never were.
    pub left_before: Option<usize>,
    pub finalist: bool,
    /// The mark of the line between first and last out, where it counts.
    pub linear: Option<Mark>,
    /// The mark by the rule.
    pub computed: Mark,
    pub correction: Option<Correction>,
}

impl Grade {
    /// The mark that counts.
    pub fn mark(&self) -> Mark {
        self.correction.as_ref().map_or(self.computed, |correction| correction.mark)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GradesError {
    #[error(transparent)]
    Rule(#[from] RuleError),
    #[error("{0} is both with and without a player")]
    Both(Author),
    #[error("a correction is for {0}, who gets no grade here")]
    Stranger(Author),
    #[error("the correction for {0} has no reason")]
    NoReason(Author),
}

/// The grades of everybody, in the order of their numbers. Of several
/// corrections for one author the last one counts.
pub fn grades(
    rule: &Rule,
    season: &Season,
    without_player: impl IntoIterator<Item = Author>,
    corrections: &[Correction],
) -> Result<Vec<Grade>, GradesError> {
    rule.check()?;
    let mut grades: BTreeMap<Author, Grade> = took_part(rule, season).map(|grade| (grade.author, grade)).collect();
    for author in without_player {
        let grade = Grade {
            author,
            standing: Standing::WithoutPlayer,
            left_before: None,
            finalist: false,
            linear: None,
            computed: rule.without_player,
            correction: None,
        };
        if grades.insert(author, grade).is_some() {
            return Err(GradesError::Both(author));
        }
    }
    for correction in corrections {
        check_reason(&correction.reason).map_err(|_| GradesError::NoReason(correction.author))?;
        let grade = grades.get_mut(&correction.author).ok_or(GradesError::Stranger(correction.author))?;
        grade.correction = Some(correction.clone());
    }
    Ok(grades.into_values().collect())
}

fn took_part(rule: &Rule, season: &Season) -> impl Iterator<Item = Grade> {
    let finalists = rule.finalists.max(season.left().len()).min(season.authors());
    let others = season.authors() - finalists;
    let still_in = season.left().map(|author| Grade {
        author,
        standing: Standing::StillIn,
        left_before: None,
        finalist: true,
        linear: None,
        computed: rule.finalist,
        correction: None,
    });
    let gone = season.gone().iter().zip(season.gone_before()).map(move |(departure, before)| {
        let standing = match departure {
            Departure::Eliminated { round, elimination } => Standing::Eliminated { round: *round, by: elimination.by },
            Departure::Withdrawn { reason, .. } => Standing::Withdrawn { reason: reason.clone() },
        };
        // Who was taken out is no finalist, however late that was.
        let finalist = before >= others && matches!(standing, Standing::Eliminated { .. });
        let linear = (!finalist).then(|| rule.linear(before, others));
        let computed = linear.map_or(rule.finalist, |linear| linear.max(rule.guaranteed));
        let author = departure.author();
        Grade { author, standing, left_before: Some(before), finalist, linear, computed, correction: None }
    });
    still_in.chain(gone)
}

/// The columns of a table of grades, after whatever says who the author is.
pub const COLUMNS: [&str; 12] = [
    "standing",
    "round",
    "decided_by",
    "left_before",
    "took_part",
    "finalist",
    "linear_mark",
    "guaranteed_mark",
    "computed_mark",
    "corrected_mark",
    "reason",
    "mark",
];

impl Grade {
    /// The grade in the columns of [`COLUMNS`], for CSV.
    pub fn cells(&self, rule: &Rule, season: &Season) -> [String; COLUMNS.len()] {
        let (standing, round, by, reason) = match &self.standing {
            Standing::StillIn => ("still in", None, "", ""),
            Standing::Eliminated { round, by } => ("eliminated", Some(round), by.word(), ""),
            Standing::Withdrawn { reason } => ("withdrawn", None, "", reason.as_str()),
            Standing::WithoutPlayer => ("without player", None, "", ""),
        };
        let correction = self.correction.as_ref();
        let or_empty = |value: Option<String>| value.unwrap_or_default();
        [
            standing.to_owned(),
            or_empty(round.map(u32::to_string)),
            by.to_owned(),
            or_empty(self.left_before.map(|before| before.to_string())),
            season.authors().to_string(),
            if self.finalist { "yes" } else { "no" }.to_owned(),
            or_empty(self.linear.map(|mark| mark.to_string())),
            or_empty(self.linear.map(|_| rule.guaranteed.to_string())),
            self.computed.to_string(),
            or_empty(correction.map(|correction| correction.mark.to_string())),
            correction.map_or(reason, |correction| &correction.reason).to_owned(),
            self.mark().to_string(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::season::{Elimination, Event};

    fn mark(text: &str) -> Mark {
        text.parse().unwrap()
    }

    fn rule() -> Rule {
        Rule {
            first_out: mark("4"),
            last_out: mark("9"),
            guaranteed: mark("5"),
            finalist: mark("10"),
            finalists: 2,
            without_player: mark("0.5"),
        }
    }

    fn out(round: u32) -> Event {
        Event::Eliminated { round, elimination: Elimination { author: Author(round), by: Decision::Behind } }
    }

    fn withdrawn(author: u32) -> Event {
        Event::Withdrawn { author: Author(author), reason: "a copy".to_owned() }
    }

    fn marks(season: &Season, corrections: &[Correction]) -> Vec<String> {
        let grades = grades(&rule(), season, [Author(90)], corrections).unwrap();
        grades.iter().map(|grade| grade.mark().to_string()).collect()
    }

    #[test]
    fn marks_are_read_and_written() {
        for (text, hundredths) in
            [("0", 0), ("7", 700), ("7.5", 750), ("7.05", 705), ("100", 10_000), ("100.00", 10_000)]
        {
            assert_eq!(mark(text).hundredths(), hundredths);
        }
        assert_eq!(mark("7.5").to_string(), "7.50");
        for wrong in ["", ".", "7.", ".5", "-1", "+1", "7.505", "100.01", "1e1", "7,5", " 7", "1000"] {
            assert!(wrong.parse::<Mark>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn marks_rise_by_equal_steps_from_the_first_out_to_the_finalists() {
        // Nine authors, six rounds: three are in, the last two are finalists anyway.
        let season = Season::of((1..=9).map(Author), (1..=6).map(out)).unwrap();
        let expected = ["5.00", "5.00", "6.00", "7.00", "8.00", "9.00", "10.00", "10.00", "10.00", "0.50"];
        assert_eq!(marks(&season, &[]), expected);
        // Down to a champion: the last one out is a finalist too.
        let season = Season::of((1..=9).map(Author), (1..=8).map(out)).unwrap();
        let expected = ["5.00", "5.00", "5.67", "6.50", "7.33", "8.17", "9.00", "10.00", "10.00", "0.50"];
        assert_eq!(marks(&season, &[]), expected);
    }

    #[test]
    fn halves_are_rounded_up() {
        let rule = Rule { first_out: mark("0"), last_out: mark("0.05"), ..rule() };
        let line: Vec<u32> = (0..=10).map(|before| rule.linear(before, 11).hundredths()).collect();
        assert_eq!(line, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    }

    #[test]
    fn small_seasons_have_marks_too() {
        let of = |authors: u32, rounds: u32| Season::of((1..=authors).map(Author), (1..=rounds).map(out)).unwrap();
        assert_eq!(marks(&of(0, 0), &[]), ["0.50"]);
        assert_eq!(marks(&of(1, 0), &[]), ["10.00", "0.50"]);
        assert_eq!(marks(&of(3, 1), &[]), ["9.00", "10.00", "10.00", "0.50"]);
        assert_eq!(marks(&of(4, 2), &[]), ["5.00", "9.00", "10.00", "10.00", "0.50"]);
    }

    #[test]
    fn who_is_withdrawn_has_the_mark_of_that_time_and_is_no_finalist() {
        let events = [out(1), withdrawn(4), withdrawn(5), out(2), out(3), withdrawn(6)];
        let season = Season::of((1..=8).map(Author), events).unwrap();
        // Six are no finalists: 4.00, 5.00 for both at once, 7.00, 8.00, 9.00.
        let expected = ["5.00", "7.00", "8.00", "5.00", "5.00", "9.00", "10.00", "10.00", "0.50"];
        assert_eq!(marks(&season, &[]), expected);
        let season = Season::of([1, 2].map(Author), [withdrawn(1)]).unwrap();
        assert_eq!(marks(&season, &[]), ["9.00", "10.00", "0.50"]);
    }

    #[test]
    fn corrections_count_with_a_reason() {
        let season = Season::of((1..=3).map(Author), [out(1)]).unwrap();
        let correct = |author, mark: &str, reason: &str| Correction {
            author: Author(author),
            mark: mark.parse().unwrap(),
            reason: reason.to_owned(),
        };
        let corrections = [correct(1, "3", "a slip"), correct(1, "7", "illness"), correct(90, "4", "moved here late")];
        assert_eq!(marks(&season, &corrections), ["7.00", "10.00", "10.00", "4.00"]);
        let refused = |correction| grades(&rule(), &season, [], &[correction]).unwrap_err();
        assert_eq!(refused(correct(1, "3", " ")), GradesError::NoReason(Author(1)));
        assert_eq!(refused(correct(77, "3", "who?")), GradesError::Stranger(Author(77)));
        assert_eq!(grades(&rule(), &season, [Author(2)], &[]), Err(GradesError::Both(Author(2))));
    }

    #[test]
    fn every_input_of_a_grade_is_in_its_row() {
        let season = Season::of((1..=8).map(Author), [out(1), withdrawn(4)]).unwrap();
        let corrections = [Correction { author: Author(1), mark: mark("6"), reason: "illness".to_owned() }];
        let rows: Vec<String> = grades(&rule(), &season, [Author(90)], &corrections)
            .unwrap()
            .iter()
            .map(|grade| grade.cells(&rule(), &season).join("|"))
            .collect();
        assert_eq!(rows[0], "eliminated|1|behind|0|8|no|4.00|5.00|5.00|6.00|illness|6.00");
        assert_eq!(rows[1], "still in||||8|yes|||10.00|||10.00");
        assert_eq!(rows[3], "withdrawn|||1|8|no|9.00|5.00|9.00||a copy|9.00");
        assert_eq!(rows[8], "without player||||8|no|||0.50|||0.50");
    }

    #[test]
    fn a_rule_that_punishes_staying_is_refused() {
        let falling = Rule { last_out: mark("3"), ..rule() };
        assert_eq!(falling.check(), Err(RuleError::Falling(mark("4"), mark("3"))));
        let poor = Rule { finalist: mark("8"), ..rule() };
        assert_eq!(poor.check(), Err(RuleError::Finalist(mark("9"), mark("8"))));
    }
}
