//! Round files prove a round, or say which match does not hold and why.

mod course;
mod edits;

use std::collections::{BTreeMap, BTreeSet};

use course::{AUTHORS, Course, Pretended, SECRET, module};
use edits::{EDITS, Parts};
use ludus_arena::season::file::{CourseKey, Facts, Failure, Manifest, NotWritten, RoundFile, write};
use ludus_arena::season::{Author, Hash, MatchId, Round};
use ludus_arena::spoil::{any, inputs};
use ludus_games::{Generator, PerSeat};

/// Everything that `ludus verify` does; says how many seats were asked again.
fn verify(bytes: &[u8], with_players: bool) -> Result<usize, Failure> {
    let file = RoundFile::read(bytes)?;
    file.check_key(&CourseKey::new(SECRET).public())?;
    file.check()?;
    let mut asked = 0;
    for (id, _) in file.replays() {
        let enter = |module, seed, seat| with_players.then(|| Pretended::enter(module, seed, seat));
        asked += file.prove(*id, enter)?.into_iter().filter(|&asked| asked).count();
    }
    Ok(asked)
}

#[test]
fn a_round_is_proved() {
    let course = Course::new();
    let seats = 4 * course.replays.len();
    let reserves: usize = {
        let matches = course.round.stages().iter().flat_map(|stage| stage.matches());
        matches.map(|official| 4 - official.authors().count()).sum()
    };
    assert!(reserves > 0 && course.round.stages().len() > 1);
    for with_modules in [false, true] {
        let file = course.file(with_modules);
        assert_eq!(file, Course::new().file(with_modules), "the same round gives the same bytes");
        assert_eq!(verify(&file, false), Ok(reserves));
        assert_eq!(verify(&file, true), Ok(seats));
        assert_eq!(Parts::of(&file).seal(SECRET), file, "the format is the one that is described");
        let read = RoundFile::read(&file).unwrap();
        assert!(read.check().unwrap().stages() == course.round.stages());
        assert_eq!(read.modules().count(), if with_modules { AUTHORS as usize } else { 0 });
    }
    let digest = |with_modules| RoundFile::read(&course.file(with_modules)).unwrap().digest;
    assert_eq!(digest(false), digest(true), "modules may be given out later");
    let frozen =
        Parts::of(&course.file(false)).manifest.stages[0].matches.iter().any(|played| played.frozen.contains(&true));
    assert!(frozen, "somebody was frozen, and the round went on by the scores");
}

#[test]
fn what_would_prove_nothing_is_not_signed() {
    let course = Course::new();
    let key = CourseKey::new(SECRET);
    let write = |facts: &Facts, round: &Round, replays: &BTreeMap<_, _>, modules: Option<&BTreeMap<_, _>>| {
        write(facts.clone(), round, &course.seed, replays, modules, &key).unwrap_err()
    };
    let begun = Round::new(course.round.field().clone(), &course.seed).unwrap();
    assert_eq!(write(&course.facts, &begun, &course.replays, None), NotWritten::NotOver);
    let first = MatchId::new(1, 1).unwrap();
    let mut fewer = course.replays.clone();
    fewer.remove(&first);
    assert_eq!(write(&course.facts, &course.round, &fewer, None), NotWritten::NoReplay(first));
    let second = course.replays[&MatchId::new(1, 2).unwrap()].clone();
    fewer.insert(first, second);
    assert!(matches!(write(&course.facts, &course.round, &fewer, None), NotWritten::Wrong(_)));
    let none = BTreeMap::new();
    let missing = write(&course.facts, &course.round, &course.replays, Some(&none));
    assert_eq!(missing, NotWritten::NoModule(Hash::of(&module(1))));
    let mut facts = course.facts.clone();
    facts.players[2].module = Hash::of(b"another");
    assert!(matches!(write(&facts, &course.round, &course.replays, None), NotWritten::Wrong(_)));
}

/// Whatever happens to the bytes of a file, it is noticed.
#[test]
fn spoilt_round_files_are_noticed() {
    let course = Course::new();
    let mut generator = Generator::new(1);
    for with_modules in [false, true] {
        let file = course.file(with_modules);
        for case in 0..inputs(600) {
            let mut spoilt = file.clone();
            // The beginning, where every byte has a meaning of its own, as often as the rest.
            let at = any(&mut generator, if case % 2 == 0 { 200 } else { file.len() });
            match any(&mut generator, 4) {
                0 => spoilt[at] ^= 1 << any(&mut generator, 8),
                1 => spoilt.truncate(at),
                2 => spoilt.insert(at, any(&mut generator, 256) as u8),
                _ => drop(spoilt.remove(at)),
            }
            if spoilt != file {
                let failure = RoundFile::read(&spoilt).and_then(|file| file.check()).map(drop);
                assert!(failure.is_err(), "case {case}: a change at {at} was not noticed");
            }
        }
        for end in 0..200 {
            assert!(RoundFile::read(&file[..end]).is_err());
        }
    }
}

#[test]
fn another_key_is_not_the_key_of_the_course() {
    let parts = Parts::of(&Course::new().file(false));
    let failure = verify(&parts.seal([43; 32]), false).unwrap_err().to_string();
    assert!(failure.starts_with("it is signed by the key ") && failure.contains(", not by "), "{failure}");
}

#[test]
fn what_is_tampered_with_is_named() {
    let course = Course::new();
    let whole = Parts::of(&course.file(true));
    let mut generator = Generator::new(2);
    let mut seen = BTreeSet::new();
    for case in 0..340 {
        let (name, edit) = EDITS[case % EDITS.len()];
        let mut parts = whole.clone();
        let (at, words) = edit(&mut parts, &mut generator);
        let spoilt = parts.seal(SECRET);
        let Err(failure) = verify(&spoilt, false) else { panic!("{name}: it was not noticed") };
        let failure = failure.to_string();
        assert!(words.iter().any(|words| failure.contains(words)), "{name}: {failure}");
        if let Some((stage, group)) = at {
            let id = MatchId::new(stage as u32 + 1, group as u32 + 1).unwrap();
            assert!(failure.starts_with(&format!("{id}: ")), "{name}: {failure}");
        } else if name != "seed" {
            assert!(failure.starts_with("stage "), "{name}: {failure}");
        }
        if seen.insert(name) {
            println!("{name}: {failure}");
        }
    }
    assert_eq!(seen.len(), EDITS.len());
}

/// Orders that another program would give are legal, so only the module tells.
#[test]
fn a_replay_of_other_players_is_found_out_by_their_modules() {
    let course = Course::new();
    let file = course.file(false);
    let read = RoundFile::read(&file).unwrap();
    let (id, _) = read.replays()[0];
    let seat_of = |failure: Failure| failure.to_string();
    let wrong = |_, seed: i32, seat| Some(Pretended::enter(Hash::of(b"another"), seed, seat));
    let failure = seat_of(read.prove(id, wrong).unwrap_err());
    assert!(
        failure.starts_with("stage 1, match 1: played again, the replay is not identical: round 0, seat"),
        "{failure}"
    );
}

#[test]
fn hostile_manifests_are_refused() {
    let whole = Parts::of(&Course::new().file(false));
    let check = |change: &dyn Fn(&mut Manifest), words: &str| {
        let mut parts = whole.clone();
        change(&mut parts.manifest);
        let failure = verify(&parts.seal(SECRET), false).unwrap_err().to_string();
        assert!(failure.contains(words), "{failure}");
    };
    check(&|manifest| manifest.title = "x".repeat(257), "a text that is too long: 'xxxxx");
    check(&|manifest| manifest.game = "chess".to_owned(), "the game 'chess' is not one");
    check(
        &|manifest| manifest.reserve = "\u{1b}[2J".to_owned(),
        "the reserve '\\u{1b}[2J' does not come with the game",
    );
    check(&|manifest| manifest.players.reverse(), "the players are not in the order of their authors");
    check(&|manifest| manifest.players[1] = manifest.players[0].clone(), "author 1 takes part twice");
    check(&|manifest| manifest.players.truncate(1), "author 1 is alone");
    check(&|manifest| manifest.players.clear(), "nobody takes part");
    check(&|manifest| manifest.stages.clear(), "modules, and must have 7 or none");
    check(&|manifest| manifest.stages[0].matches[0].bytes = u32::MAX, "it breaks off, or bytes were added");
    check(&|manifest| manifest.stages[0].saved.reverse(), "stage 1: the list of those saved");
    check(&|manifest| manifest.stages[0].saved.push(Author(500)), "stage 1: the list of those saved");
    let mut empty = Parts { replays: Vec::new(), ..whole.clone() };
    empty.manifest.stages.clear();
    let failure = verify(&empty.seal(SECRET), false).unwrap_err().to_string();
    assert_eq!(failure, "the round is not over after the last stage");
    let names: PerSeat<Option<Author>> = [None; 4];
    check(&|manifest| manifest.stages[0].matches[0].seats = names, "stage 1, match 1: seat ");
}

/// Every way to write the same values but one is refused.
#[test]
fn a_manifest_is_written_in_one_way() {
    let manifest = Parts::of(&Course::new().file(false)).manifest;
    let text = String::from_utf8(manifest.bytes()).unwrap();
    assert_eq!(Manifest::read(text.as_bytes()), Ok(manifest));
    for (from, to) in [
        ("\"round\":1", "\"round\": 1"),
        ("\"round\":1", "\"round\":1e0"),
        ("\"round\":1", "\"round\":1,\"note\":2"),
        ("\"round\":1", "\"round\":1,\"round\":1"),
        ("\"round\":1,\"game\":\"ants\"", "\"game\":\"ants\",\"round\":1"),
        ("\"game\":\"ants\"", "\"game\":\"\\u0061nts\""),
    ] {
        let odd = text.replacen(from, to, 1);
        assert_ne!(odd, text);
        assert!(Manifest::read(odd.as_bytes()).is_err(), "{to}");
    }
    let hash = Hash::of(&module(1)).to_string();
    assert!(Manifest::read(text.replace(&hash, &hash.to_uppercase()).as_bytes()).is_err());
    assert!(Manifest::read("[".repeat(100_000).as_bytes()).is_err());
}
