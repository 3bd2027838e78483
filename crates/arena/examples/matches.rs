//! Plays many matches in one process without their records, so that
//! `valgrind --tool=callgrind` can count what a match costs:
//!
//! ```text
//! cargo build --release --example matches
//! valgrind --tool=callgrind target/release/examples/matches ants 100
//! ```

use ludus_arena::Match;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let id = arguments.next().unwrap_or_else(|| "ants".to_owned());
    let count: i32 = arguments.next().map_or(Ok(100), |n| n.parse())?;
    let name = arguments.next().unwrap_or_else(|| "Demo".to_owned());
    let game = ludus_games::find(&id).ok_or("no such game")?;
    let player = game.about().players.iter().find(|player| player.name == name).ok_or("no such player")?;
    let config = game.read_config(game.about().default_config.as_bytes())?;
    let mut total = 0;
    for seed in 1..=count {
        let outcome = Match::between(&*config, seed, [player; 4])?.play_out()?;
        total += outcome.seats.iter().map(|seat| seat.score).sum::<i64>();
    }
    println!("{count} matches of {id}, {total} points in all");
    Ok(())
}
