//! How high the door to a season is: the three kinds of matches by which the
//! Dummies were calibrated, ours beside the course's.
//!
//! ```text
//! cargo bench -p ludus-arena --bench dummies            # 200 seeds from 1
//! cargo bench -p ludus-arena --bench dummies -- purge 40 1000
//! ```
//!
//! The last two are the number of seeds and the first one.

#[path = "../tests/shared/doors.rs"]
mod doors;
#[path = "../tests/shared/painter.rs"]
mod painter;

use doors::{COURSE, Door, FIGURES};
use ludus_games::GAMES;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let numbers: Vec<i32> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    let count = numbers.first().copied().unwrap_or(200);
    let first = numbers.get(1).copied().unwrap_or(1);
    let named = |id: &str| arguments.iter().all(|argument| argument.parse::<i32>().is_ok() || argument == id);
    println!("{count} seeds from {first}, seats turning; in brackets what the course's Dummy got");
    for game in GAMES.iter().filter(|game| named(game.about().id)) {
        print(game.about().id, &Door::measure(*game, first..first + count));
        if game.about().id == painter::GAME {
            let wins = 100 * painter::wins_against_dummies(first..first + count) / count;
            println!("{:<10} {:<34}{wins:>8}", painter::GAME, "wins of a first program in a hundred");
        }
    }
}

fn print(id: &str, ours: &Door) {
    let course = COURSE.iter().find(|(game, _)| *game == id).map(|(_, course)| course);
    for (what, figure) in FIGURES {
        match course.map(figure) {
            Some(course) => {
                let percent = 100 * (figure(ours) - course) / course;
                println!("{id:<10} {what:<34}{:>8} [{course:>6}] {percent:>+4} %", figure(ours));
            }
            None => println!("{id:<10} {what:<34}{:>8}", figure(ours)),
        }
    }
}
