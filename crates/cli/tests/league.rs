//! `ludus league`: a folder that keeps a running league.

use std::path::Path;

use crate::ludus::{folder, ludus, refuse, text, walker};

fn output(folder: &Path, words: &str) -> String {
    let output = ludus(folder, words);
    assert_eq!(output.status.code(), Some(0), "{words}: {}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

/// Lines of a table that are of a player, by its name.
fn row<'a>(table: &'a str, name: &str) -> &'a str {
    table.lines().find(|line| line.split_whitespace().nth(1) == Some(name)).unwrap()
}

fn matches(folder: &Path) -> usize {
    std::fs::read_to_string(folder.join("evening/matches")).unwrap().lines().count() - 1
}

#[test]
fn a_league_goes_on_where_it_stopped() {
    let folder = folder!("goes-on");
    for (name, step) in [("One", 1), ("Two", 7), ("Three", 2)] {
        std::fs::write(folder.join(format!("{name}.wasm")), walker(name, step, 1000)).unwrap();
    }
    output(&folder, "league new evening ants Demo Dummy Null One.wasm");
    refuse(&folder, "league new evening ants Demo", "is a league already");
    refuse(&folder, "league add evening Demo", "there is a Demo in the league already");
    refuse(&folder, "league add evening Uno=One.wasm", "is in the league already, as One");
    refuse(&folder, "league play nowhere", "nowhere is no league; 'ludus league new' begins one");
    let first = output(&folder, "league play evening -n 40 -j 1");
    assert_eq!(matches(&folder), 40);
    assert!(row(&first, "One").contains("still open"), "{first}");
    assert_eq!(first, std::fs::read_to_string(folder.join("evening/table.txt")).unwrap());
    assert_eq!(first, output(&folder, "league show evening"));
    // In two goes, which end where a batch does, and on two threads it is the same.
    output(&folder, "league new again ants Demo Dummy Null One.wasm");
    output(&folder, "league play again -n 16 -j 2");
    output(&folder, "league play again -n 24 -j 2");
    let journals = ["evening", "again"].map(|league| {
        let text = std::fs::read_to_string(folder.join(league).join("matches")).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    });
    assert_eq!(journals[0], journals[1]);
    // Who comes later plays, and what was played before stays.
    let before = std::fs::read_to_string(folder.join("evening/matches")).unwrap();
    output(&folder, "league add evening Two.wasm Three.wasm");
    assert!(output(&folder, "league show evening").contains("new"));
    let later = output(&folder, "league play evening -n 32");
    let after = std::fs::read_to_string(folder.join("evening/matches")).unwrap();
    assert!(after.starts_with(&before) && matches(&folder) == 72);
    let seats: Vec<&str> = after.lines().skip(41).map(|line| line.split_once("\"seats\":").unwrap().1).collect();
    assert!(seats.iter().filter(|seats| seats.contains('4') || seats.contains('5')).count() > 24, "{later}");
    let page = std::fs::read_to_string(folder.join("evening/report.html")).unwrap();
    for part in ["Table", "Rating", "Course", "Head to head"] {
        assert!(page.contains(&format!("<h2>{part}</h2>")), "{part}");
    }
}
