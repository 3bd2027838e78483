//! Anything that can be watched: replays and records, whole and damaged, of
//! this version and of every one before.
#![allow(clippy::unwrap_used)]

mod shared;

use std::path::{Path, PathBuf};

use ludus_arena::replay::{Recorder, Replay, Verdict, verify};
use ludus_arena::{Film, FilmError, Match};
use ludus_games::{Digest, GAMES, Game, Seat, State};
use shared::{played, wild};

fn digest(state: &dyn State) -> u64 {
    let mut digest = Digest::new();
    state.digest(&mut digest);
    digest.finish()
}

/// The replay and the record of a match, and the digests of its states.
fn kept(mut played: Match, game: &dyn Game) -> (Vec<u8>, Vec<u8>, Vec<u64>) {
    let mut recorder = Recorder::new(game, game.about().default_config.as_bytes(), &played);
    let (mut record, mut states) = (Vec::new(), vec![digest(played.state())]);
    played.write_header(&mut record);
    while !played.is_over() {
        played.play_round().unwrap();
        recorder.round(&played);
        played.write_round(&mut record);
        states.push(digest(played.state()));
    }
    (recorder.finish(&played), record, states)
}

/// The digests of the states that a film shows.
fn shown(film: &Film) -> Vec<u64> {
    let mut show = film.show();
    let mut states = vec![digest(show.state())];
    while let Some((state, past)) = show.next_round() {
        assert_eq!(past.before.round() + 1, state.round());
        states.push(digest(state));
    }
    states
}

#[test]
fn replays_and_records_show_the_same() {
    for game in GAMES {
        for played in [played(*game, 1, ["Demo", "Dummy", "Null", "Demo"]), wild(*game, 2)] {
            let (replay, record, states) = kept(played, *game);
            for file in [&replay, &record] {
                let film = Film::open(file).unwrap();
                assert_eq!(film.game().about().id, game.about().id);
                assert_eq!((film.damage(), film.rounds()), (None, states.len() as u32 - 1));
                assert!(shown(&film) == states, "{}", game.about().id);
                assert!(film.record() == record, "{}: the record differs", game.about().id);
            }
        }
    }
}

#[test]
fn a_cut_or_spoilt_replay_shows_what_comes_before() {
    for game in GAMES {
        let (replay, _, states) = kept(played(*game, 3, ["Demo", "Dummy", "Demo", "Null"]), *game);
        let (mut opened, mut rounds) = (0, 0);
        let cut = (0..replay.len()).step_by(replay.len() / 25).map(|end| replay[..end].to_vec());
        let spoilt = (0..replay.len()).step_by(replay.len() / 20).map(|at| {
            let mut bytes = replay.clone();
            bytes[at] ^= 4;
            bytes
        });
        for bytes in cut.chain(spoilt) {
            let Ok(film) = Film::open(&bytes) else { continue };
            assert!(film.damage().is_some(), "{}", game.about().id);
            let found = shown(&film);
            assert!(found == states[..found.len()], "{}: a state that never was", game.about().id);
            assert_eq!(found.len() as u32, film.rounds() + 1);
            opened += 1;
            rounds += film.rounds();
        }
        println!("{}: {opened} damaged replays show {rounds} rounds", game.about().id);
        assert!(opened > 25 && rounds > 10 * opened);
    }
}

#[test]
fn damage_says_where() {
    let game = GAMES[0];
    let (replay, record, _) = kept(played(game, 3, ["Demo"; 4]), game);
    let film = Film::open(&replay[..replay.len() - 3]).unwrap();
    assert_eq!(film.damage(), Some("its checksum is wrong: bytes were lost or changed"));
    let film = Film::open(&replay[..replay.len() / 2]).unwrap();
    assert_eq!(film.damage(), Some(&*format!("the replay cannot be read from round {} on", film.rounds())));
    let film = Film::open(&record[..record.len() / 2]).unwrap();
    assert!(film.damage().unwrap().starts_with("line "), "{:?}", film.damage());
    assert!(matches!(Film::open(b"").err(), Some(FilmError::Empty)));
    assert!(matches!(Film::open(b"hello").err(), Some(FilmError::NoMatch(_))));
    assert!(matches!(Film::open(&replay[..40]).err(), Some(FilmError::Unreadable(_))));
}

/// `golden/replays` has a folder for each version of the format, with replays
/// that were made when it was the newest. They must open, verify and export for
/// ever; `records.txt` tells the digests of their records.
#[test]
fn replays_of_every_version_open_for_ever() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/replays");
    let mut versions: Vec<PathBuf> = std::fs::read_dir(golden).unwrap().map(|entry| entry.unwrap().path()).collect();
    versions.sort();
    assert_eq!(versions.len(), usize::from(ludus_arena::replay::VERSION));
    for folder in versions {
        let list = std::fs::read_to_string(folder.join("records.txt")).unwrap();
        assert!(list.lines().count() >= 5);
        for line in list.lines() {
            let (file, expected) = line.split_once(' ').unwrap();
            let bytes = std::fs::read(folder.join(file)).unwrap();
            let film = Film::open(&bytes).unwrap();
            assert_eq!(film.damage(), None, "{file}");
            let mut digest = Digest::new();
            digest.bytes(&film.record());
            assert_eq!(format!("{:016x}", digest.finish()), expected, "{file}");
            let verdict = verify(&Replay::read(&bytes).unwrap(), [const { None }; Seat::COUNT]);
            assert!(matches!(verdict, Ok(Verdict::Identical { .. })), "{file}: {verdict:?}");
        }
    }
}
