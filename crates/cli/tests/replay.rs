//! Replays as users of the `ludus` command meet them: made, looked into, proved
//! and turned into other files.

use std::path::Path;

use ludus_arena::replay::{Replay, Round, Writer};
use ludus_arena::spoil::forged;

use crate::ludus::{folder, ludus, text, walker};

/// Runs a command that must succeed, and gives what it writes.
fn done(folder: &Path, words: &str) -> Vec<u8> {
    let output = ludus(folder, words);
    assert!(output.status.success(), "{words}: {}", text(&output.stderr));
    output.stdout
}

/// The exit status and the one line that a command writes.
fn answer(folder: &Path, words: &str) -> (i32, String) {
    let output = ludus(folder, words);
    let all = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(all.trim_end().lines().count(), 1, "{words}: {all}");
    (output.status.code().unwrap(), all.trim_end().to_owned())
}

/// A match between two modules, one of which fails, and two built-in players.
fn play(folder: &Path) {
    std::fs::write(folder.join("Marta.wasm"), walker("Marta", 1, 1000)).unwrap();
    std::fs::write(folder.join("Joan.wasm"), walker("Joan", 7, 70)).unwrap();
    done(folder, "play ants Marta.wasm Demo Joan.wasm Null -s 5 -o match.res --replay match.ludus");
}

/// The hashes of the modules in seats 0 and 2.
fn hashes(folder: &Path) -> [String; 2] {
    let json: serde_json::Value =
        serde_json::from_slice(&done(folder, "replay info match.ludus --format json")).unwrap();
    [0, 2].map(|seat| json["seats"][seat]["program"]["sha256"].as_str().unwrap().to_owned())
}

#[test]
fn a_match_is_proved() {
    let folder = folder!("proved");
    play(&folder);
    let [marta, joan] = hashes(&folder);
    assert_eq!(
        text(&done(&folder, "verify match.ludus")),
        format!(
            "identical\n\
             seat 1  Marta         the module {}, not given: its orders were taken as recorded\n\
             seat 2  Demo          the built-in player Demo, asked again, with the same answers\n\
             seat 3  Joan          the module {}, not given: its orders were taken as recorded\n\
             seat 4  Null          the built-in player Null, asked again, with the same answers\n",
            &marta[..12],
            &joan[..12]
        )
    );
    for words in [
        "--player Marta.wasm --player Joan.wasm".to_owned(),
        format!("--player {marta}=Marta.wasm --player {}=Joan.wasm", &joan[..8]),
        format!("--player {}=Marta.wasm --player Joan.wasm", marta[..9].to_uppercase()),
    ] {
        let proof = done(&folder, &format!("verify match.ludus {words}"));
        assert_eq!(text(&proof).matches("asked again, with the same answers").count(), 4, "{}", text(&proof));
    }
}

/// Writes `match.ludus` again, with one round changed.
fn forge(folder: &Path, number: usize, change: impl Fn(&mut Round)) {
    let replay = Replay::read(&std::fs::read(folder.join("match.ludus")).unwrap()).unwrap();
    std::fs::write(folder.join("forged.ludus"), forged(&replay, number, change)).unwrap();
}

#[test]
fn what_differs_is_named() {
    let folder = folder!("differs");
    play(&folder);
    forge(&folder, 3, |round| round.orders[1].push(&[1, 2, 3, 4]));
    let orders = "round 3, seat 2: the player gives other orders than recorded";
    assert_eq!(answer(&folder, "verify forged.ludus"), (1, orders.to_owned()));
    forge(&folder, 3, |round| round.orders[0].clear());
    let orders = "round 3, seat 1: the player gives other orders than recorded";
    assert_eq!(answer(&folder, "verify forged.ludus --player Marta.wasm"), (1, orders.to_owned()));
    let state = "round 3: the orders lead to another state than recorded";
    assert_eq!(answer(&folder, "verify forged.ludus"), (1, state.to_owned()));
    forge(&folder, 4, |round| round.fuel[0] += 1);
    let (status, line) = answer(&folder, "verify forged.ludus --player Marta.wasm");
    assert_eq!(status, 1);
    assert!(
        line.starts_with("round 4, seat 1: the player uses ") && line.contains(" units of fuel, recorded "),
        "{line}"
    );
}

#[test]
fn a_replay_with_changed_bytes_is_refused() {
    let folder = folder!("forged");
    play(&folder);
    // The hash of one module in the place of another.
    let [marta, joan] = hashes(&folder);
    let mut replay = std::fs::read(folder.join("match.ludus")).unwrap();
    let at = |hash: &str| {
        let bytes: Vec<u8> = (0..32).map(|k| u8::from_str_radix(&hash[2 * k..2 * k + 2], 16).unwrap()).collect();
        (bytes.clone(), replay.windows(32).position(|window| window == bytes).unwrap())
    };
    let ((marta_bytes, _), (_, at)) = (at(&marta), at(&joan));
    replay[at..at + 32].copy_from_slice(&marta_bytes);
    std::fs::write(folder.join("forged.ludus"), &replay).unwrap();
    assert_eq!(
        answer(&folder, "verify forged.ludus"),
        (2, "error: forged.ludus: it breaks off or is damaged before its first round".to_owned())
    );
    let last = replay.len() - 20;
    let mut replay = std::fs::read(folder.join("match.ludus")).unwrap();
    replay[last] ^= 1;
    std::fs::write(folder.join("forged.ludus"), &replay).unwrap();
    assert_eq!(
        answer(&folder, "verify forged.ludus"),
        (2, "error: forged.ludus: bytes of it were lost or changed".to_owned())
    );
}

#[test]
fn facts_of_replays_and_records() {
    let folder = folder!("facts");
    play(&folder);
    let [marta, joan] = hashes(&folder);
    let json: serde_json::Value =
        serde_json::from_slice(&done(&folder, "replay info match.ludus --format json")).unwrap();
    let score = |seat: usize| json["seats"][seat]["score"].as_i64().unwrap();
    let rank = |seat: usize| json["seats"][seat]["rank"].as_i64().unwrap();
    let fuel = |seat: usize| json["seats"][seat]["fuel"].as_i64().unwrap();
    let status = |seat: usize| json["seats"][seat]["status"].as_f64().unwrap();
    assert_eq!((json["kind"].as_str(), json["rounds"].as_i64()), (Some("replay"), Some(250)));
    assert_eq!(json["seats"][2]["fault"]["round"], 10);
    assert_eq!(json["seats"][0]["program"]["limits"]["fuel"], ludus_sandbox::FUEL_PER_SECOND);
    assert!(fuel(0) > 1000 && status(0) > 0.0 && status(2) == -1.0);
    let table = done(&folder, "replay info match.ludus");
    let shown = ludus_games::Status::used(status(0)).to_string();
    let line = |seat: usize, name: &str, status: &str, program: &str| {
        format!(
            "{:>4}  {name:<12} {:>6}  {:>4}  {status:<11}  {:<14}  {program}\n",
            seat + 1,
            score(seat),
            rank(seat),
            fuel(seat)
        )
    };
    let expected = [
        "file    replay made by Ludus 0.1.0\ngame    ants (Ants 1.0)\nseed    5\nrounds  250 of 250\n\n".to_owned(),
        "seat  player        score  rank  status       fuel            program\n".to_owned(),
        line(0, "Marta", &shown, &format!("module {marta}")),
        line(1, "Demo", "0", "built-in Demo"),
        line(2, "Joan", "-1", &format!("module {joan}")),
        line(3, "Null", "0", "built-in Null"),
        "seat 3 was frozen in round 10: crashed: wasm trap: wasm `unreachable` instruction executed\n".to_owned(),
    ];
    assert_eq!(text(&table), expected.concat());

    let record = done(&folder, "replay info match.res");
    assert!(text(&record).starts_with("file    record\ngame    ants (Ants 1.0)\nseed    5\nrounds  250 of 250\n\n"));
    assert!(text(&record).contains("   1  Marta "));
}

#[test]
fn other_kinds_of_file() {
    let folder = folder!("kinds");
    play(&folder);
    let record = std::fs::read(folder.join("match.res")).unwrap();
    assert!(done(&folder, "replay export match.ludus --to res") == record);
    assert!(done(&folder, "replay export match.res --to res") == record);
    done(&folder, "replay export match.ludus --to res -o again.res");
    assert!(std::fs::read(folder.join("again.res")).unwrap() == record);

    let json: serde_json::Value =
        serde_json::from_slice(&done(&folder, "replay export match.ludus --to json")).unwrap();
    let history = json["history"].as_array().unwrap();
    assert_eq!(history.len(), 250);
    assert_eq!(history[3]["orders"][0], serde_json::json!([[3, 0, 3, -1]]));
    assert_eq!(history[10]["status"][2], -1.0);
    let fuel: i64 = history.iter().map(|round| round["fuel"][0].as_i64().unwrap()).sum();
    assert_eq!(json["seats"][0]["fuel"], fuel);
    let old: serde_json::Value = serde_json::from_slice(&done(&folder, "replay export match.res --to json")).unwrap();
    assert_eq!(old["history"][3]["orders"], serde_json::Value::Null);
    assert_eq!(old["history"][3]["done"], history[3]["done"]);

    for (words, beginning) in [
        ("--to html", b"<!doctype html>".as_slice()),
        ("--to png --round 3 --scale 4", b"\x89PNG"),
        ("--to png", b"\x89PNG"),
        ("--to gif --rounds 3..5 --scale 4", b"GIF89a"),
    ] {
        let content = done(&folder, &format!("replay export match.ludus {words}"));
        let start = &content[..beginning.len()];
        assert!(start.eq_ignore_ascii_case(beginning), "{words}: {}", String::from_utf8_lossy(start));
    }
}

#[test]
fn damaged_and_packed_files() {
    let folder = folder!("damaged");
    play(&folder);
    let replay = std::fs::read(folder.join("match.ludus")).unwrap();
    std::fs::write(folder.join("cut.ludus"), &replay[..replay.len() - 400]).unwrap();
    let facts = done(&folder, "replay info cut.ludus");
    let facts = text(&facts);
    let damage = facts.lines().find_map(|line| line.strip_prefix("damage  ")).unwrap();
    let round: usize = damage
        .strip_prefix("the replay cannot be read from round ")
        .and_then(|rest| rest.strip_suffix(" on"))
        .unwrap()
        .parse()
        .unwrap();
    assert!(round > 20 && facts.contains(&format!("rounds  {round} of 250")), "{facts}");
    let output = ludus(&folder, "replay export cut.ludus --to res");
    assert!(output.status.success());
    assert_eq!(text(&output.stderr), format!("cut.ludus is damaged: {damage}\n"));
    assert!(std::fs::read(folder.join("match.res")).unwrap().starts_with(&output.stdout));
    assert_eq!(
        answer(&folder, "verify cut.ludus"),
        (2, "error: cut.ludus: bytes of it were lost or changed".to_owned())
    );

    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, &std::fs::read(folder.join("match.res")).unwrap()).unwrap();
    std::fs::write(folder.join("packed.gz"), packed.finish().unwrap()).unwrap();
    assert!(text(&done(&folder, "replay info packed.gz")).starts_with("file    record\n"));
}

#[test]
fn wrong_uses() {
    let folder = folder!("wrong");
    play(&folder);
    done(&folder, "play ants Demo Demo Demo Demo -s 5 --replay demo.ludus");
    std::fs::write(folder.join("Other.wasm"), walker("Other", 1, 1000)).unwrap();
    std::fs::write(folder.join("rubbish"), "rubbish").unwrap();
    std::fs::write(folder.join("empty"), "").unwrap();
    let [marta, joan] = hashes(&folder);
    for (words, message) in [
        ("verify missing.ludus", "cannot read missing.ludus"),
        ("verify match.res", "match.res is a record, which does not hold the orders that players gave"),
        ("verify rubbish", "rubbish: it is no match: line 1, column 1: expected "),
        ("verify empty", "empty: the file is empty"),
        ("verify match.ludus --player missing.wasm", "missing.wasm: "),
        ("verify match.ludus --player rubbish", "rubbish: it is no valid WebAssembly module"),
        ("verify match.ludus --player Other.wasm", "Other.wasm played in no seat: its SHA-256 is "),
        ("verify demo.ludus --player Other.wasm", "; no module played"),
        (&format!("verify match.ludus --player {marta}=Other.wasm"), "Other.wasm is not the module "),
        (&format!("verify match.ludus --player {}=Joan.wasm", &marta[..6]), "Joan.wasm is not the module "),
        (
            "verify match.ludus --player 0123456789=Marta.wasm",
            &format!("no module 0123456789 played; there are seat 1 {}, seat 3 {}", &marta[..12], &joan[..12]),
        ),
        ("verify", "see 'ludus verify --help'"),
        ("replay export match.ludus", "--to <TO>"),
        ("replay export match.ludus --to mp4", "possible values: res, json, html, gif, png"),
        ("replay export match.ludus --to res --round 3", "--round is for --to png"),
        ("replay export match.ludus --to png --rounds 3..4", "--rounds is for --to gif"),
        ("replay export match.ludus --to json --scale 3", "--scale is for --to gif and --to png"),
        ("replay export match.ludus --to gif --rounds 3", "expected two numbers, like 100..140"),
        ("replay export match.ludus --to gif --rounds 9..3", "from a smaller to a greater number"),
        ("replay export match.ludus --to png --round 251", "match.ludus: there is no round 251"),
        ("replay export match.ludus --to png --scale 0", "the scale must be from 1 to 100"),
        ("replay export match.ludus --to res -o missing/f", "cannot write to missing/f"),
        ("replay info missing.res", "cannot read missing.res"),
        ("replay match.ludus", "what to do with a file is said before it, as in 'ludus replay info match.ludus'"),
        ("replay info match.ludus --format xml", "possible values: table, json"),
        ("play ants Demo Demo Demo Demo -s 1 --replay missing/f", "cannot write to missing/f"),
    ] {
        let before = std::fs::read_dir(&folder).unwrap().count();
        let (status, line) = answer(&folder, words);
        assert_eq!(status, 2, "{words}: {line}");
        assert!(line.starts_with("error: ") && line.contains(message), "{words}: {line}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), before, "{words} left a file behind");
    }
}

#[test]
fn a_replay_leaves_standard_output_to_the_result() {
    let folder = folder!("stdout");
    let table = done(&folder, "play ants Demo Demo Demo Demo -s 5 --replay match.ludus");
    assert!(text(&table).starts_with("seat  player        score  rank  status\n"));
    for words in ["verify --help", "replay --help", "replay info --help", "replay export --help"] {
        assert!(text(&done(&folder, words)).contains("Examples:"), "{words}");
    }
}

#[test]
fn names_do_not_command_the_terminal() {
    let folder = folder!("names");
    done(&folder, "play ants Null Null Null Null -s 1 --replay match.ludus");
    let replay = Replay::read(&std::fs::read(folder.join("match.ludus")).unwrap()).unwrap();
    let mut setup = replay.setup.clone();
    let harm = ["\u{1b}[2J\u{1b}]0;x\u{7}", "\u{202e}desrever", "a\nseat 9", "\u{2067}\u{9b}31m"].map(str::to_owned);
    setup.header.names = harm.clone();
    setup.engine = "\u{1b}c".to_owned();
    let mut writer = Writer::new(&setup);
    let mut rounds = replay.rounds();
    while let Some(round) = rounds.next_round() {
        let round = round.unwrap();
        writer.round(&round.orders, &round.fuel, round.digest);
    }
    std::fs::write(folder.join("forged.ludus"), writer.finish(&replay.ending, replay.digest)).unwrap();
    for words in ["replay info forged.ludus", "verify forged.ludus"] {
        let output = ludus(&folder, words);
        let all = format!("{}{}", text(&output.stdout), text(&output.stderr));
        assert!(!all.is_empty());
        let is_harmful = |c: char| c != '\n' && (c.is_control() || ('\u{202a}'..='\u{2069}').contains(&c));
        assert!(!all.contains(is_harmful) && !all.contains("\nseat 9"), "{words}: {all:?}");
    }
    let json: serde_json::Value =
        serde_json::from_slice(&done(&folder, "replay info forged.ludus --format json")).unwrap();
    let names: Vec<_> = json["seats"].as_array().unwrap().iter().map(|seat| seat["player"].clone()).collect();
    assert_eq!(names, harm);
}

/// Whoever gives the output the name of a replay gets one.
#[test]
fn the_name_of_the_output_says_what_it_is() {
    let folder = folder!("named");
    done(&folder, "play ants Demo Null Null Null -s 5 -o match.ludus");
    done(&folder, "play ants Demo Null Null Null -s 5 --replay same.ludus");
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert!(read("match.ludus") == read("same.ludus"));
    done(&folder, "play ants Demo Null Null Null -s 5 -o record.ludus --replay same.ludus");
    assert!(read("record.ludus").starts_with(b"Game"), "with both, each is what was asked for");
}
