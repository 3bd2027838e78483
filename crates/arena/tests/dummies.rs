//! The Dummies are as strong as the door to a season should be high.

#[path = "shared/doors.rs"]
mod doors;
#[path = "shared/painter.rs"]
mod painter;

use doors::{COURSE, Door};
use ludus_games::find;

use crate::shared::short_or_long;

/// How near the figures must be to the course's, in percent: what the
/// calibration allows, 15, and what so few matches leave to chance.
fn near() -> i64 {
    short_or_long(25, 20) as i64
}

/// The last seed for each game of the course, beginning with 1. Scores of The
/// Purge are small and vary much, and its matches are short.
fn last() -> [usize; 4] {
    [short_or_long(10, 40), short_or_long(8, 30), 200, short_or_long(8, 30)]
}

/// Matches of Requiem are long, and nothing about them is close.
fn few() -> std::ops::Range<i32> {
    1..short_or_long(3, 13) as i32
}

#[test]
fn dummies_are_as_strong_as_the_course_s() {
    for ((id, course), last) in COURSE.iter().zip(last()) {
        let ours = Door::measure(find(id).unwrap(), 1..last as i32 + 1);
        for (what, figure) in doors::FIGURES {
            let (ours, course) = (figure(&ours), figure(course));
            assert!((ours - course).abs() * 100 <= near() * course, "{id}, {what}: {ours}, and the course's {course}");
        }
    }
}

#[test]
fn requiem_s_dummy_leaves_ground_to_demos() {
    let ours = Door::measure(find(painter::GAME).unwrap(), few());
    assert!(ours.wins >= 95 && ours.each_demo >= 100, "{ours:?}");
}

#[test]
fn a_first_program_beats_three_dummies_of_requiem() {
    let (won, of) = (painter::wins_against_dummies(few()), few().len() as i32);
    assert!(won * 10 >= of * 9, "{won} of {of}");
}
