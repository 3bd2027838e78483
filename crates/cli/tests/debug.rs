//! `ludus debug`: a recorded seat is played again, and one can look.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::ludus::{command, folder, ludus, refuse, text};

/// A player of Ants that moves its first worker about, and does something else
/// from a round on.
fn player(more: &str) -> String {
    format!(
        "#include \"Player.hh\"
#define PLAYER_NAME Marta
struct PLAYER_NAME : public Player {{
  static Player* factory () {{ return new PLAYER_NAME; }}
  int steps = 0;
  void play () {{
    for (int id : workers(me())) {{
      move(id, Dir(random(0, 3)));
      ++steps;
    }}
    {more}
  }}
}};
RegisterPlayer(PLAYER_NAME);
"
    )
}

/// A folder with a replay of a match of that player.
fn recorded(folder: &Path, more: &str) {
    std::fs::write(folder.join("AIMarta.cc"), player(more)).unwrap();
    let output = ludus(folder, "play ants Demo Marta Demo Demo -s 5 --replay match.ludus");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

fn debug(folder: &Path, more: &str, input: &str) -> Output {
    let words = format!("debug match.ludus --seat 1 --player AIMarta.cc {more}");
    let mut command = command(folder, &words);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn check(output: &Output, status: i32, out: &str, err: &str) {
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{told}");
    assert!(String::from_utf8_lossy(&output.stdout).contains(out), "{told}");
    assert!(String::from_utf8_lossy(&output.stderr).contains(err), "{told}");
}

#[test]
fn answers_are_compared_with_the_recorded_ones() {
    let folder = folder!("compared");
    recorded(&folder, "");
    check(&debug(&folder, "--native", ""), 0, "every answer of 250 rounds is as recorded", "");
    check(
        &ludus(&folder, "debug match.ludus --player Marta --native"),
        0,
        "every answer of 250 rounds is as recorded",
        "",
    );
    let told = debug(&folder, "--sandbox --round 249", "");
    check(&told, 0, "every answer of 250 rounds is as recorded", "round 249: ");
    assert!(!text(&told.stderr).contains("round 248: "), "{}", text(&told.stderr));
    // Without a seat it is that of the player's name, and a wrong one is told.
    let told = ludus(&folder, "debug match.ludus --player AIMarta.cc --sandbox --round 249");
    check(&told, 0, "every answer of 250 rounds is as recorded", "round 249: ");
    let told = ludus(&folder, "debug match.ludus --seat 2 --player AIMarta.cc --sandbox --round 249");
    check(&told, 1, "", "note: seat 2 of the match is Demo, another player; seats are 0 Demo, 1 Marta, 2 Demo, 3 Demo");
    // A version that does otherwise, and one that dies.
    std::fs::write(folder.join("AIMarta.cc"), player("if (round() >= 7) random(0, 3);")).unwrap();
    check(&debug(&folder, "--native", ""), 1, "the answers begin to differ in round 8", "round 8: the answer differs");
    std::fs::write(folder.join("AIMarta.cc"), player("if (round() == 9) { volatile int zero = 0; steps /= zero; }"))
        .unwrap();
    check(&debug(&folder, "--sandbox", ""), 1, "", "AIMarta.cc:11 in Marta::play()");
    std::fs::write(folder.join("AIOther.cc"), player("").replace("PLAYER_NAME Marta", "PLAYER_NAME Other")).unwrap();
    for (words, message) in [
        ("debug match.ludus --seat 4 --player AIMarta.cc", "--seat must be from 0 to 3, found 4"),
        ("debug match.ludus --seat 1 --player AINobody.cc", "there is no player file AINobody.cc"),
        ("debug match.ludus --seat 1 --player match.ludus", "match.ludus is no source file"),
        ("debug match.ludus --seat 1 --player AIMarta.cc --round 250", "the match has rounds 0 to 249"),
        ("debug AIMarta.cc --seat 1 --player AIMarta.cc", "AIMarta.cc"),
        ("debug match.ludus --seat 1", "see 'ludus debug --help'"),
        ("debug match.ludus --player AIOther.cc", "with --seat: 0 Demo, 1 Marta, 2 Demo, 3 Demo"),
    ] {
        refuse(&folder, words, message);
    }
}

#[test]
fn a_debugger_stops_in_the_round_that_matters() {
    let folder = folder!("gdb");
    recorded(&folder, "");
    // Functions of the SDK, those of the player's class and its own attributes.
    let asked =
        [("print round()", "= 40"), ("print board_rows()", "= 25"), ("print workers(me()).size() > 0", "= true")];
    let calls = if calls_functions(&folder) { &asked[..] } else { &[] };
    let own = [("print steps > 0", "= true"), ("bt 1", "AIMarta.cc:"), ("kill", ""), ("quit", "")];
    let commands: String = calls.iter().chain(&own).map(|(command, _)| format!("{command}\n")).collect();
    let output = debug(&folder, "--round 40", &commands);
    let told = text(&output.stdout);
    for expected in calls.iter().chain(&own).map(|(_, answer)| answer).chain(&["ludus_round (round=40)"]) {
        assert!(told.contains(expected), "{expected}: {told}\n{}", text(&output.stderr));
    }
    let truths = if calls.is_empty() { 1 } else { 2 };
    assert_eq!(told.matches("= true").count(), truths, "{told}");
}

/// Whether gdb can call functions of the simplest program there is: before version
/// 14 it can do so on no processor with matrix registers.
fn calls_functions(folder: &Path) -> bool {
    std::fs::write(folder.join("twice.c"), "int twice(int x) { return 2 * x; }\nint main() { return twice(0); }\n")
        .unwrap();
    let run = |words: &[&str]| Command::new(words[0]).args(&words[1..]).current_dir(folder).output().unwrap();
    assert!(run(&["cc", "-g", "-o", "twice", "twice.c"]).status.success());
    let output = run(&["gdb", "-q", "-batch", "-ex", "break main", "-ex", "run", "-ex", "print twice(21)", "./twice"]);
    if text(&output.stdout).contains("$1 = 42") {
        return true;
    }
    assert!(text(&output.stderr).contains("Couldn't write extended state status"), "{}", text(&output.stderr));
    println!("this machine's gdb cannot call functions, so it is not asked to call those of the SDK");
    false
}

#[test]
fn checks_find_what_the_sandbox_lets_pass() {
    let folder = folder!("checks");
    recorded(&folder, "");
    std::fs::write(
        folder.join("AIMarta.cc"),
        player("int* volatile gone = new int(3); delete gone; if (*gone == 77) ++steps;"),
    )
    .unwrap();
    check(&debug(&folder, "--sanitize", ""), 1, "", "heap-use-after-free");
    check(&debug(&folder, "--valgrind", ""), 0, "as recorded", "Invalid read of size 4");
    // What the library checks names the function of the player that asked for it.
    std::fs::write(folder.join("AIMarta.cc"), player("vector<int> few(3); if (few[steps % 7 + 3]) ++steps;")).unwrap();
    check(&debug(&folder, "--sanitize", ""), 1, "", "in Marta::play()");
}

#[test]
fn an_arena_says_once_why_a_seat_froze() {
    let folder = folder!("froze");
    std::fs::write(folder.join("AIMarta.cc"), player("if (round() == 9) { volatile int zero = 0; steps /= zero; }"))
        .unwrap();
    let output = ludus(&folder, "arena ants Marta --fill Null -n 4 --save replays --log logs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stderr);
    assert_eq!(told.matches("Marta froze 4 times: ").count(), 1, "{told}");
    assert!(told.contains("  died in round 9: division by zero\n    AIMarta.cc:11 in Marta::play()\n"), "{told}");
    assert_eq!(std::fs::read_dir(folder.join("logs")).unwrap().count(), 4);
    // What it proposes to do next does what it says.
    let line = told.lines().find_map(|line| line.strip_prefix("  ludus ")).unwrap();
    assert!(line.contains("debug replays/"), "{line}");
    check(&ludus(&folder, &format!("{line} --sandbox")), 1, "", "as recorded: ");
}
