//! `ludus arena` and `ludus compare` as their users meet them.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ludus_arena::replay::{Proof, Replay, verify};

use crate::ludus::{command, folder, ludus, refuse, text};

/// Standard output of a command that ends with this status.
fn output(folder: &Path, words: &str, status: i32) -> String {
    let output = ludus(folder, words);
    assert_eq!(output.status.code(), Some(status), "{words}: {}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

const FOUR: &str = "Demo Dummy Null D2=Demo";

#[test]
fn wrong_use_is_answered_before_any_match() {
    let folder = folder!("wrong");
    std::fs::write(folder.join("bad.wasm"), "this is no module").unwrap();
    std::fs::write(folder.join("file"), "").unwrap();
    std::fs::write(folder.join("tiny.cnf"), "Ants 1.0").unwrap();
    for (words, message) in [
        ("arena chess Demo --fill Demo", "there is no game 'chess'"),
        ("arena ants", "name at least one player"),
        ("arena ants Demo", "a match has 4 players, got 1; add more, or let --fill Dummy fill the seats"),
        ("arena ants Demo Dummy Null", "got 3"),
        (
            "arena ants Demo Dummy Null Demo",
            "two players are called 'Demo'; give one another name, for instance Demo_2=Demo",
        ),
        ("arena ants A=Demo A=Dummy Null Demo", "two players are called 'A'"),
        ("arena ants Dmo Dummy Null Demo", "no player 'Dmo' for ants; did you mean 'Demo'?"),
        ("arena ants Demo --fill Dumy", "no player 'Dumy'"),
        ("arena ants a-b=Demo Dummy Null Demo", "'a-b=Demo': the player name 'a-b' must be"),
        ("arena ants =Demo Dummy Null Demo", "'=Demo'"),
        ("arena ants bad.wasm Dummy Null Demo", "bad.wasm: it is no valid WebAssembly module"),
        ("arena ants missing.wasm Dummy Null Demo", "no player file missing.wasm"),
        ("arena ants Demo --fill Demo -n 0", "--matches 0"),
        ("arena ants Demo --fill Demo -n x", "invalid value 'x'"),
        ("arena ants Demo --fill Demo --seeds 5..2", "--seeds 5..2: the first seed is larger than the last"),
        ("arena ants Demo --fill Demo --seeds -5..2", "--seeds -5..2: seeds of ants start at 0"),
        (
            "arena ants Demo --fill Demo --seeds 1..9999999999",
            "must be two integers like 1..100, found '1..9999999999'",
        ),
        ("arena ants Demo --fill Demo --seeds 7", "found '7'"),
        ("arena ants Demo --fill Demo --seeds 1..2 -n 100", "--matches 100 needs 25 seeds, and --seeds 1..2 are fewer"),
        ("arena ants Demo --fill Demo -n 9999999999999", "seeds from 1 on"),
        ("arena ants Demo --fill Demo -j 0", "--jobs must be from 1 to 256, found 0"),
        ("arena ants Demo --fill Demo --format xml", "possible values: table, json, csv"),
        ("arena ants Demo --fill Demo --seatings 3", "possible values: square, all"),
        ("arena ants Demo --fill Demo -i missing.cnf", "cannot read the config missing.cnf"),
        ("arena ants Demo --fill Demo -i tiny.cnf", "tiny.cnf"),
        ("arena ants Demo --fill Demo --memory 0", "--memory must be from 1 to 2048 MiB, found 0"),
        ("arena ants Demo --fill Demo --report missing/r.html", "cannot write to missing/r.html"),
        ("arena ants Demo --fill Demo --report .", "cannot write to ."),
        ("arena ants Demo --fill Demo --save file", "cannot make the folder file"),
        ("arena ants Demo --fill Demo --save-losses Demo", "--save"),
        ("arena ants Demo --fill Demo --resume missing/j", "the journal missing/j"),
        ("arena ants Demo --fill Demo --resume tiny.cnf", "the journal tiny.cnf: it is no journal of a run"),
        ("compare ants Demo Dummy --field Demo,Demo", "--field takes three rivals like Demo,Demo,Dummy, got 2"),
        ("compare ants Demo Dummy", "--field"),
        ("compare ants Demo --field Demo,Demo,Demo", "'ludus compare ants' needs a new and an old version"),
        ("compare ants Demo Null --field Demo Dummy Dummy", "got 4; commas are between the rivals of --field"),
        ("compare Demo Dummy --field Demo,Demo,Demo", "which game do Demo and Dummy play?"),
        ("compare ants Demo Dumy --field Demo,Demo,Demo", "no player 'Dumy'"),
        ("compare ants Demo Dummy --field Demo,Demo,Demo --alpha 0", "alpha must be more than 0"),
        (
            "compare ants Demo Dummy --field Demo,Demo,Demo --beta 0.7",
            "beta must be more than 0 and less than 0.5, found 0.7",
        ),
        ("compare ants Demo Dummy --field Demo,Demo,Demo --margin 2", "the margin must be at least 0.001"),
        ("compare ants Demo Dummy --field Demo,Demo,Demo -n 7", "--max-matches 7: on one seed 8 matches are played"),
        ("compare ants Demo Dummy --field Demo,Demo,Demo --seeds 3..1", "--seeds 3..1"),
    ] {
        refuse(&folder, words, message);
    }
    let words = format!("arena ants {FOUR} --save new --save-losses Dumy");
    refuse(&folder, &words, "--save-losses: no player is called 'Dumy'; did you mean 'Dummy'?");
}

#[test]
fn a_player_that_does_not_compile_is_named() {
    let folder = folder!("compile");
    std::fs::write(folder.join("AIBroken.cc"), "#include \"Player.hh\"\nint main( {").unwrap();
    for words in ["arena ants Broken --fill Dummy", "compare ants Broken Demo --field Demo,Demo,Demo"] {
        let output = ludus(&folder, words);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("error: AIBroken.cc: it does not compile"), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let folder = folder!("threads");
    for game in ["ants", "purge"] {
        for words in ["-n 20", "-n 15 Fifth=Demo", "-n 1 --seatings all", "--seeds 7..9 --head-to-head"] {
            let run = |jobs| output(&folder, &format!("arena {game} {FOUR} {words} --format json -j {jobs}"), 0);
            let one = run(1);
            assert_eq!(one, run(2), "{game} {words}");
            assert_eq!(one, run(5), "{game} {words}");
            assert!(one.contains("\"complete\": true"));
        }
    }
}

#[test]
fn a_run_goes_on_where_it_was_cut_off() {
    let folder = folder!("resume");
    let run = |rest: &str| output(&folder, &format!("arena purge {FOUR} --format json {rest}"), 0);
    let whole = run("-n 40 --report r1.html");
    run("-n 24 --resume j --report r2.html -j 2");
    let journal = std::fs::read(folder.join("j")).unwrap();
    // A shorter run, a run of the same length, one cut off in the middle of a
    // line, and one that lacks a match in the middle.
    let mut holed: Vec<&[u8]> = journal.split_inclusive(|&byte| byte == b'\n').collect();
    holed.remove(5);
    for (name, content) in [
        ("again", journal.clone()),
        ("header", journal.split_inclusive(|&byte| byte == b'\n').next().unwrap().to_vec()),
        ("torn", journal[..journal.len() / 2].to_vec()),
        ("holed", holed.concat()),
        ("empty", Vec::new()),
    ] {
        std::fs::write(folder.join(name), content).unwrap();
        for _ in 0..2 {
            assert_eq!(run(&format!("-n 40 --resume {name} --report {name}.html -j 2")), whole, "{name}");
        }
        // The pages differ in the command only.
        let page = |name: &str| {
            let page = std::fs::read_to_string(folder.join(format!("{name}.html"))).unwrap();
            let (before, after) = page.split_once("<pre>").unwrap();
            before.to_owned() + after.split_once("</pre>").unwrap().1
        };
        assert_eq!(page(name), page("r1"), "{name}");
    }
    assert_eq!(run("-n 24 --resume again --report r3.html"), run("-n 24"), "a shorter run takes what it needs");
    for (words, message) in [
        ("arena purge Demo Dummy Null D3=Demo -n 40 --resume j --report r.html", "another run: players is"),
        (
            "arena purge Demo Dummy Null D2=Demo -n 40 --resume j",
            "another run: for a report is true there and false here",
        ),
        ("arena ants Demo Dummy Null D2=Demo --resume j --report r.html", "another run: config is"),
        (
            "arena purge Demo Dummy Null D2=Demo --seeds 2..5 --resume j --report r.html",
            "first seed is 1 there and 2 here",
        ),
        (
            "arena purge Demo Dummy Null D2=Demo --seatings all --resume j --report r.html",
            "seatings is 4 there and 24 here",
        ),
        ("arena purge Demo Dummy Null D2=Demo --fuel 5 --resume j --report r.html", "another run: limits is"),
    ] {
        refuse(&folder, words, message);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_with_the_results_so_far() {
    let folder = folder!("stop");
    let run = format!("arena ants {FOUR} --format json");
    let mut child = command(&folder, &format!("{run} -n 1000000 --resume j -j 2"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let written = || std::fs::read(folder.join("j")).map_or(0, |text| text.iter().filter(|&&c| c == b'\n').count());
    let deadline = Instant::now() + Duration::from_secs(120);
    while written() < 20 {
        assert!(Instant::now() < deadline, "no match is written down");
        assert!(child.try_wait().unwrap().is_none(), "a million matches take longer than twenty");
        std::thread::yield_now();
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let stopped = child.wait_with_output().unwrap();
    assert_eq!(stopped.status.code(), Some(130));
    assert!(text(&stopped.stderr).contains("of 1000000 matches; the same command goes on from j"));
    assert!(text(&stopped.stdout).contains("\"complete\": false"));
    let resumed = output(&folder, &format!("{run} -n 60 --resume j"), 0);
    assert_eq!(resumed, output(&folder, &format!("{run} -n 60"), 0));
}

#[test]
fn the_report_and_its_replays() {
    let folder = folder!("report");
    let words = format!("arena ants {FOUR} -n 12 --report out.html --save all --format csv");
    output(&folder, &words, 0);
    let page = std::fs::read_to_string(folder.join("out.html")).unwrap();
    for part in ["Standings", "Rating", "Scores", "Score over time", "Rank by seat", "Head to head", "Worst losses"] {
        assert!(page.contains(&format!("<h2>{part}</h2>")), "{part}");
    }
    assert!(page.contains(&format!("<pre>ludus {words}</pre>")));
    assert!(!page.contains("http") && !page.contains("<script") && !page.contains("src="), "the page stands alone");
    assert_eq!(std::fs::read_dir(folder.join("all")).unwrap().count(), 12);
    let links: Vec<&str> = page.split("<a href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(!links.is_empty());
    for link in links {
        let bytes = std::fs::read(folder.join(link)).unwrap();
        let verdict = verify(&Replay::read(&bytes).unwrap(), [const { None }; 4]).unwrap();
        assert!(matches!(verdict, Proof::Identical { .. }), "{link}");
    }
    output(&folder, &format!("arena ants {FOUR} -n 12 --save lost --save-losses Dummy"), 0);
    let lost = std::fs::read_dir(folder.join("lost")).unwrap().count();
    output(&folder, &format!("arena ants {FOUR} -n 12 --save null --save-losses Null"), 0);
    let null = std::fs::read_dir(folder.join("null")).unwrap().count();
    assert!(lost < null && null == 12, "Dummy lost {lost}, Null {null}");
}

#[test]
fn compared_versions() {
    let folder = folder!("compare");
    let field = "--field Demo,Demo,Dummy";
    let better = output(&folder, &format!("compare ants Dummy Demo {field}"), 0);
    assert!(better.starts_with("Dummy is better than Demo\n"), "{better}");
    let worse = output(&folder, &format!("compare ants Demo Dummy {field}"), 1);
    assert!(worse.starts_with("Demo is worse than Dummy\n"), "{worse}");
    let same = output(&folder, &format!("compare ants Demo D2=Demo {field} --margin 0.3"), 3);
    assert!(same.starts_with("no difference of at least 0.3 found after "), "{same}");
    assert!(same.contains("difference  +0.000, 95 % interval"), "{same}");
    let none = output(&folder, &format!("compare ants Demo D2=Demo {field} -n 16"), 4);
    assert!(none.starts_with("no answer after 16 matches"), "{none}");
    let json = |jobs| output(&folder, &format!("compare purge Null Demo {field} --format json -j {jobs}"), 1);
    let one = json(1);
    assert_eq!(one, json(2));
    assert!(one.contains("\"answer\": \"worse\""), "{one}");
}

/// A comparison that goes on from its journal, on several configs, with its page
/// and its replays.
#[test]
fn compared_on_several_configs_in_pieces() {
    let folder = folder!("compare-more");
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content/ants");
    for config in ["default.cnf", "plains.cnf"] {
        std::fs::copy(configs.join(config), folder.join(config)).unwrap();
    }
    let words = "compare ants Demo D2=Dummy --field Null,Demo,Demo -i default.cnf -i plains.cnf --format json";
    let whole = output(&folder, words, 1);
    let results: serde_json::Value = serde_json::from_str(&whole).unwrap();
    assert_eq!(results["configs"].as_array().unwrap().len(), 2);
    assert_eq!(results["matches"].as_u64().unwrap(), 16 * results["seeds"].as_u64().unwrap());
    output(&folder, &format!("{words} -n 16 --resume j --save all"), 4);
    assert_eq!(std::fs::read_dir(folder.join("all")).unwrap().count(), 16);
    for jobs in [1, 2] {
        assert_eq!(output(&folder, &format!("{words} --resume j --report c.html --save all -j {jobs}"), 1), whole);
    }
    let page = std::fs::read_to_string(folder.join("c.html")).unwrap();
    for part in ["Difference", "Evidence", "Outcomes", "Where the difference is", "Worst seeds", "How this was made"] {
        assert!(page.contains(&format!("<h2>{part}</h2>")), "{part}");
    }
    assert!(page.contains("<p>Demo is worse than D2</p>") && page.contains("plains.cnf") && page.contains(".ludus\""));
    refuse(&folder, "compare ants Demo D2=Dummy --field Null,Demo,Demo --resume j", "another run: configs is");
    refuse(&folder, "arena ants Demo --fill Demo --resume j", "another run: ");
}

/// Modules: counted CPU, the same on every thread, and replays that name them.
#[test]
fn modules_play_too() {
    let folder = folder!("modules");
    let players = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content/ants/players");
    std::fs::copy(players.join("AIForager.cc"), folder.join("AIForager.cc")).unwrap();
    let words = "arena ants Forager F2=Forager Demo Dummy -n 8 --format json";
    let run = |jobs| output(&folder, &format!("{words} -j {jobs}"), 0);
    let one = run(1);
    assert_eq!(one, run(2));
    let results: serde_json::Value = serde_json::from_str(&one).unwrap();
    for player in results["players"].as_array().unwrap() {
        let module = player["player"] == "Forager" || player["player"] == "F2";
        assert_eq!(player["worst_cpu"].as_f64().is_some_and(|cpu| cpu > 0.0), module, "{player}");
        assert_eq!(player["program"].as_str().unwrap().len() == 64, module, "{player}");
    }
    std::fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content/ants/default.cnf"),
        folder.join("default.cnf"),
    )
    .unwrap();
    let better = output(&folder, "compare Forager Demo --field Demo,Demo,Demo", 0);
    assert!(better.starts_with("Forager is better than Demo\n"), "{better}");
}
