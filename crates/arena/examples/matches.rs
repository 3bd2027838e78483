//! Plays many matches in one process without their records, so that
//! `valgrind --tool=callgrind` can count what a match costs:
//!
//! ```text
//! cargo build --release --example matches
//! valgrind --tool=callgrind target/release/examples/matches ants 100
//! valgrind --tool=callgrind target/release/examples/matches ants 100 Demo --replay
//! ```
//!
//! With `--replay` it makes the replays too, and says how large they are and how
//! many words the orders of a seat have in a match.

use ludus_arena::Match;
use ludus_arena::replay::Recorder;
use ludus_games::Seat;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let replays = arguments.iter().any(|argument| argument == "--replay");
    arguments.retain(|argument| argument != "--replay");
    let mut arguments = arguments.into_iter();
    let id = arguments.next().unwrap_or_else(|| "ants".to_owned());
    let count: i32 = arguments.next().map_or(Ok(100), |n| n.parse())?;
    let name = arguments.next().unwrap_or_else(|| "Demo".to_owned());
    let game = ludus_games::find(&id).ok_or("no such game")?;
    let player = game.about().player(&name).ok_or("no such player")?;
    let text = game.about().default_config.as_bytes();
    let config = game.read_config(text)?;
    let (mut total, mut sizes, mut most_words) = (0, Vec::new(), 0);
    for seed in 1..=count {
        let mut played = Match::between(&*config, seed, [player; 4])?;
        if replays {
            let mut recorder = Recorder::new(game, text, &played);
            let mut words = [0; Seat::COUNT];
            while !played.is_over() {
                played.play_round()?;
                recorder.round(&played);
                Seat::ALL.iter().for_each(|&seat| words[seat] += played.accepted()[seat].words());
            }
            most_words = words.into_iter().fold(most_words, usize::max);
            sizes.push(recorder.finish(&played).len());
        }
        total += played.play_out()?.seats.iter().map(|seat| seat.score).sum::<i64>();
    }
    println!("{count} matches of {id}, {total} points in all");
    if let (Some(smallest), Some(largest)) = (sizes.iter().min(), sizes.iter().max()) {
        println!("replays of {smallest} to {largest} bytes, at most {most_words} words of orders in a seat");
    }
    Ok(())
}
