//! `ludus tune`: parameters of players in both languages.

use std::path::Path;

use crate::ludus::{folder, ludus, refuse, text};

/// A player that forages if its parameter lets it.
const CPP: &str = r#"#include "Player.hh"
#define PLAYER_NAME Lazy
struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }
  LUDUS_PARAM(steps, 0, 0, 3);
  LUDUS_PARAM(idle, 0.5, 0.0, 1.0);
  void play() {
    if (round() % 4 >= steps) return;
    for (int id : workers(me())) move(id, Dir(random(0, 3)));
  }
};
RegisterPlayer(PLAYER_NAME);
"#;

const RUST: &str = r#"use ludus_player::ants::*;
struct Lazy;
ludus_param!(steps: i32 = 0, 0, 3);
impl Player for Lazy {
    fn new(_game: &Game) -> Self {
        Lazy
    }
    fn play(&mut self, game: &Game) {
        for worker in game.workers(game.me()) {
            if game.round() as i32 % 4 < steps() {
                game.move_ant(worker.id, Dir::Up);
            }
        }
    }
}
player!(Lazy, "Lazy");
"#;

/// Wizards that wander, and conquer the more the less they rest.
const WANDERER: &str = r#"#include "Player.hh"
#define PLAYER_NAME Wanderer
struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }
  LUDUS_PARAM(rest, 9, 0, 9);
  LUDUS_PARAM(nothing, 0.5, 0.0, 1.0);
  const vector<Dir> dirs = {Up, Down, Left, Right};
  void play() {
    if (random(0, 9) < rest) return;
    for (int id : wizards(me())) move(id, dirs[random(0, 3)]);
  }
};
RegisterPlayer(PLAYER_NAME);
"#;

fn written(name: &str, file: &str, source: &str) -> std::path::PathBuf {
    let folder = crate::ludus::new_folder(module_path!(), name);
    std::fs::write(folder.join(file), source).unwrap();
    folder
}

fn run(folder: &Path, words: &str) -> (Option<i32>, serde_json::Value) {
    let output = ludus(folder, words);
    let json = serde_json::from_slice(&output.stdout);
    (output.status.code(), json.unwrap_or_else(|_| panic!("{words}: {}", text(&output.stderr))))
}

#[test]
fn values_are_searched_and_compared_on_any_number_of_threads() {
    let folder = written("search", "AILazy.cc", CPP);
    let words = "tune ants Lazy --field Null,Null,Null -n 480 --confirm 160 --format json";
    let (status, one) = run(&folder, &format!("{words} -j 1"));
    assert!([Some(0), Some(1), Some(3), Some(4)].contains(&status), "{status:?}");
    assert_eq!(one["parameters"].as_array().unwrap().len(), 2);
    assert_eq!((one["matches"].as_u64(), one["steps"].as_u64()), (Some(480), Some(10)));
    // In pieces, on more threads and with a page it comes to the same.
    run(&folder, &format!("{words} -j 2 --resume j"));
    let journal = std::fs::read(folder.join("j")).unwrap();
    std::fs::write(folder.join("j"), &journal[..journal.len() / 2]).unwrap();
    let again = run(&folder, &format!("{words} -j 2 --resume j --report t.html"));
    assert_eq!(again, (status, one));
    let page = std::fs::read_to_string(folder.join("t.html")).unwrap();
    for part in ["Proposal", "Course", "steps", "idle", "How this was made"] {
        assert!(page.contains(&format!("<h2>{part}</h2>")), "{part}");
    }
    assert!(page.contains("LUDUS_PARAM(steps, ") && !page.contains("<script"));
    refuse(&folder, &format!("{words} --method spsa --resume j"), "another run: method is");
}

#[test]
fn a_bad_value_is_mended_and_the_gain_confirmed() {
    let folder = written("mended", "AIWanderer.cc", WANDERER);
    let steady = WANDERER.replace("Wanderer", "Steady").replace("rest, 9", "rest, 5");
    std::fs::write(folder.join("AISteady.cc"), steady).unwrap();
    let words = "tune potter Wanderer --field Steady,Steady,Steady -n 480 --confirm 2000 --format json";
    let output = ludus(&folder, words);
    let results: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let answer = (output.status.code(), &results["confirmation"]["answer"]);
    assert_eq!(answer, (Some(0), &serde_json::json!("better")), "{results}");
    // What was found is known before it is confirmed, which takes long now and then.
    let told = text(&output.stderr);
    let (found, tried) = (told.find("found LUDUS_PARAM(rest, "), told.find("is tried on other seeds"));
    assert!(found.is_some() && found < tried, "{told}");
    assert!(results["parameters"][0]["proposed"].as_f64().unwrap() <= 3.0, "{results}");
}

#[test]
fn where_nothing_is_to_gain_nothing_is_proposed() {
    let eager = WANDERER.replace("LUDUS_PARAM(rest, 9, 0, 9)", "static constexpr int rest = 0");
    let folder = written("weak", "AIWanderer.cc", &eager);
    let told = |field: &str| {
        let words = format!("tune potter Wanderer --field {field} -n 240 --confirm 0");
        let output = ludus(&folder, &words);
        assert_eq!(output.status.code(), Some(3), "{}{}", text(&output.stdout), text(&output.stderr));
        assert!(text(&output.stdout).contains("LUDUS_PARAM(nothing, 0.5, 0.0, 1.0)"), "{}", text(&output.stdout));
        text(&output.stderr).contains("of these rivals already")
    };
    assert!(told("Null,Null,Null"), "rivals that are nearly always beaten");
    assert!(!told("Wanderer,Wanderer,Wanderer"));
}

#[test]
fn a_parameter_is_a_constant_in_every_other_build() {
    let plain = CPP.replace("LUDUS_PARAM(steps, 0, 0, 3);", "static constexpr auto steps = 0;");
    let plain = plain.replace("LUDUS_PARAM(idle, 0.5, 0.0, 1.0);", "static constexpr auto idle = 0.5;");
    let modules = [("declared", CPP), ("plain", &plain)].map(|(name, source)| {
        let folder = written(name, "AILazy.cc", source);
        let output = ludus(&folder, "build AILazy.cc --game ants");
        assert!(output.status.success(), "{}", text(&output.stderr));
        std::fs::read(folder.join("Lazy.wasm")).unwrap()
    });
    assert!(modules[0] == modules[1], "declaring a parameter changes the module");
}

#[test]
fn rust_players_are_tuned_too() {
    let folder = written("rust", "Lazy.rs", RUST);
    let words = "tune ants Lazy --field Null,Null,Demo -n 96 --confirm 0 --method spsa --format json";
    let (status, results) = run(&folder, words);
    // Nothing was to be confirmed, or nothing better was found.
    assert!([Some(3), Some(4)].contains(&status), "{status:?}");
    assert_eq!(results["matches"].as_u64(), Some(96), "{results}");
    assert_eq!(results["parameters"][0]["name"], "steps");
}

#[test]
fn what_cannot_be_tuned_is_named() {
    let folder = folder!("refused");
    std::fs::write(folder.join("AIBare.cc"), "#include \"Player.hh\"\n").unwrap();
    std::fs::write(folder.join("AIWild.cc"), "#include \"Player.hh\"\nLUDUS_PARAM(n, 9, 0, 3);\n").unwrap();
    std::fs::write(folder.join("Module.wasm"), "").unwrap();
    for (words, message) in [
        ("tune ants Bare --field Demo,Demo,Demo", "AIBare.cc declares no parameters; write LUDUS_PARAM("),
        ("tune ants Wild --field Demo,Demo,Demo", "AIWild.cc: line 2: LUDUS_PARAM(n, 9, 0, 3): the value must lie"),
        ("tune ants Nobody --field Demo,Demo,Demo", "no source of a player 'Nobody'"),
        ("tune ants Module --field Demo,Demo,Demo", "Module.wasm is no source: that is a .cc or .rs file"),
        ("tune ants Bare --field Demo", "--field takes three rivals"),
        ("tune ants --field Demo,Demo,Demo", "'ludus tune ants' needs a player"),
    ] {
        refuse(&folder, words, message);
    }
}
