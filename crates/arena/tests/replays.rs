//! Replays of every game: what is written comes back, is proved, and nothing
//! that was changed is.
#![allow(clippy::unwrap_used)]

use ludus_arena::Match;
use ludus_arena::replay::{Recorder, Replay, Verdict, verify};
use ludus_games::{GAMES, Game, Orders, PerSeat, Seat};

/// Plays a match between players that come with the game, and gives its replay
/// with all orders.
fn record(game: &dyn Game, seed: i32, names: PerSeat<&str>) -> (Vec<u8>, Vec<PerSeat<Orders>>) {
    let text = game.about().default_config.as_bytes();
    let config = game.read_config(text).unwrap();
    let players = names.map(|name| game.about().players.iter().find(|player| player.name == name).unwrap());
    let mut played = Match::between(&*config, seed, players).unwrap();
    let mut recorder = Recorder::new(game, text, &played);
    let mut orders = Vec::new();
    while !played.is_over() {
        played.play_round().unwrap();
        recorder.round(&played);
        orders.push(played.accepted().clone());
    }
    (recorder.finish(&played), orders)
}

#[test]
fn orders_come_back() {
    for game in GAMES {
        for (seed, names) in [(1, ["Demo"; 4]), (2, ["Dummy"; 4]), (3, ["Demo", "Null", "Dummy", "Demo"])] {
            let (bytes, orders) = record(*game, seed, names);
            let replay = Replay::read(&bytes).unwrap();
            assert!(replay.is_whole());
            let mut rounds = replay.rounds();
            for (k, expected) in orders.iter().enumerate() {
                let found = rounds.next_round().unwrap().unwrap();
                assert!(found.orders == *expected, "{} seed {seed} round {k}", game.about().id);
            }
            assert!(rounds.next_round().is_none());
            assert_eq!(verify(&replay, PerSeat::default()), Ok(Verdict::Identical { asked: [true; Seat::COUNT] }));
        }
    }
}
