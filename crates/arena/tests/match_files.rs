//! Anything that can be watched: replays and records, whole and damaged, of
//! this version and of every one before.

use std::path::{Path, PathBuf};

use crate::shared::{played, wild};
use ludus_arena::replay::{Proof, Recorder, Replay, verify};
use ludus_arena::{Match, MatchFile, OpenError};
use ludus_games::{Digest, GAMES, Game, Seat, State};

fn digest(state: &dyn State) -> u64 {
    let mut digest = Digest::new();
    state.digest(&mut digest);
    digest.finish()
}

/// The replay and the record of a match, and the digests of its states.
fn kept(mut played: Match, game: &dyn Game) -> (Vec<u8>, Vec<u8>, Vec<u64>) {
    let mut recorder = Recorder::new(game, game.about().default_config.as_bytes(), &played);
    let (mut record, mut states) = (Vec::new(), vec![digest(played.state())]);
    let mut writer = played.begin_record(&mut record);
    while !played.is_over() {
        played.play_round().unwrap();
        recorder.round(&played);
        played.write_round(&mut *writer, &mut record);
        states.push(digest(played.state()));
    }
    (recorder.finish(&played), record, states)
}

/// The digests of the states that a file shows, and why it shows no more.
fn shown(file: &MatchFile) -> (Vec<u64>, Option<String>) {
    let mut playback = file.play().unwrap();
    let mut states = vec![digest(playback.state())];
    while let Some((state, past)) = playback.next_round() {
        assert_eq!(past.before.round() + 1, state.round());
        states.push(digest(state));
    }
    assert_eq!(digest(playback.state()), *states.last().unwrap(), "what does not hold is not seen");
    assert_eq!(states.len() as u32, playback.rounds() + 1);
    (states, playback.damage().map(str::to_owned))
}

#[test]
fn replays_and_records_show_the_same() {
    for game in GAMES {
        for played in [played(*game, 1, ["Demo", "Dummy", "Null", "Demo"]), wild(*game, 2)] {
            let (replay, record, states) = kept(played, *game);
            for file in [&replay, &record] {
                let file = MatchFile::open(file).unwrap();
                assert_eq!(file.game().about().id, game.about().id);
                assert!(shown(&file) == (states.clone(), None), "{}", game.about().id);
                assert!(file.record().unwrap() == record, "{}: the record differs", game.about().id);
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
            let Ok(file) = MatchFile::open(&bytes) else { continue };
            let (found, damage) = shown(&file);
            assert!(damage.is_some(), "{}", game.about().id);
            assert!(found == states[..found.len()], "{}: a state that never was", game.about().id);
            opened += 1;
            rounds += found.len() - 1;
        }
        println!("{}: {opened} damaged replays show {rounds} rounds", game.about().id);
        assert!(opened > 25 && rounds > 10 * opened);
    }
}

#[test]
fn damage_says_where() {
    let game = GAMES[0];
    let (replay, record, _) = kept(played(game, 3, ["Demo"; 4]), game);
    let ending = MatchFile::open(&replay[..replay.len() - 3]).unwrap().play_out().unwrap();
    assert_eq!(ending.damage.as_deref(), Some("its checksum is wrong: bytes were lost or changed"));
    let ending = MatchFile::open(&replay[..replay.len() / 2]).unwrap().play_out().unwrap();
    assert_eq!(ending.damage.unwrap(), format!("the replay cannot be read from round {} on", ending.rounds));
    let ending = MatchFile::open(&record[..record.len() / 2]).unwrap().play_out().unwrap();
    assert!(ending.damage.as_ref().unwrap().starts_with("line "), "{:?}", ending.damage);
    assert!(matches!(MatchFile::open(b"").err(), Some(OpenError::Empty)));
    assert!(matches!(MatchFile::open(b"hello").err(), Some(OpenError::NoMatch(_))));
    assert!(matches!(MatchFile::open(&replay[..40]).err(), Some(OpenError::Unreadable(_))));
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
            let opened = MatchFile::open(&bytes).unwrap();
            assert_eq!(opened.play_out().unwrap().damage, None, "{file}");
            let mut digest = Digest::new();
            digest.bytes(&opened.record().unwrap());
            assert_eq!(format!("{:016x}", digest.finish()), expected, "{file}");
            let verdict = verify(&Replay::read(&bytes).unwrap(), [const { None }; Seat::COUNT]);
            assert!(matches!(verdict, Ok(Proof::Identical { .. })), "{file}: {verdict:?}");
        }
    }
}
