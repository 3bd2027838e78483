//! `ludus plagiarism`: who shares code with whom.

use std::path::Path;

use crate::ludus::{folder, ludus, text};

const ORIGINAL: &str = "\
struct P : Player {
  int best = 0;
  vector<pair<int, Pos>> trail;
  int far(Pos a, Pos b) { return abs(a.i - b.i) * 3 + abs(a.j - b.j) / 2; }
  void look(vector<int>& seen, Pos from) {
    for (int d = 0; d < 4; ++d) {
      Pos next = from + Dir(d);
      if (pos_ok(next) and seen[next.i * 25 + next.j] == 0) {
        seen[next.i * 25 + next.j] = far(from, next) % 7 + d * 2;
        best = max(best * 5 - d, seen[next.i + next.j * 60] << 2);
        command(best % 11, Dir((d + best) % 4));
        if (seen.size() > 40 * best and cell(next).type != Wall) trail.push_back(make_pair(best, next + Dir(d)));
      }
    }
  }
};
";

/// A copy with other names and `while`.
fn copy() -> String {
    let renamed =
        ORIGINAL.replace("far", "lluny").replace("seen", "vist").replace("next", "seguent").replace("best", "millor");
    renamed
        .replace("for (int d = 0; d < 4; ++d) {", "int d = 0; while (d < 4) {")
        .replace("      }\n    }", "      }\n      d++;\n    }")
}

fn write(folder: &Path, name: &str, source: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, source).unwrap();
}

#[test]
fn a_copy_is_found_and_shown() {
    let folder = folder!("plagiarism");
    write(&folder, "sources/Anna/AIanna.cc", ORIGINAL);
    write(&folder, "sources/Anna/AIanna2.cc", ORIGINAL);
    write(&folder, "sources/Bernat-2.cc", &copy());
    write(
        &folder,
        "sources/Carla.cc",
        "struct C : Player { void play() { if (round() % 2 == 0) build(1 + me(), Dir(3)); } };",
    );
    let words = "plagiarism sources --html r.html --csv r.csv --json r.json";
    let output = ludus(&folder, words);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    assert!(printed.contains("Bernat-2.cc"), "{printed}");
    assert!(printed.contains("4 sources by 3 authors; pairs at least 15 % alike: 1"), "{printed}");
    let page = std::fs::read_to_string(folder.join("r.html")).unwrap();
    assert!(page.contains("class=\"run c0\"") && page.contains("<svg") && page.contains("lluny"));
    assert_eq!(std::fs::read_to_string(folder.join("r.csv")).unwrap().lines().count(), 2);
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.join("r.json")).unwrap()).unwrap();
    assert!(json["pairs"][0]["similarity"].as_f64().unwrap() > 0.5, "{json}");
    assert_eq!(json["clusters"].as_array().unwrap().len(), 1);
}

#[test]
fn versions_of_one_author_are_compared_only_on_demand() {
    let folder = folder!("plagiarism-versions");
    write(&folder, "one/Anna-1.cc", ORIGINAL);
    write(&folder, "one/Anna-2.cc", &copy());
    let output = ludus(&folder, "plagiarism one");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert_eq!(ludus(&folder, "plagiarism one --same-author").status.code(), Some(1));
    write(&folder, "who.csv", "file,author,time\nAnna-2.cc,Bernat,100\nAnna-1.cc,Anna,200\n");
    let output = ludus(&folder, "plagiarism one --authors who.csv");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("first: Anna-2.cc by Bernat"), "{}", text(&output.stdout));
}

#[test]
fn what_everybody_was_given_does_not_count() {
    let folder = folder!("plagiarism-template");
    write(&folder, "two/Anna.cc", ORIGINAL);
    write(&folder, "two/Bernat.cc", &copy());
    write(&folder, "starter.cc", ORIGINAL);
    assert_eq!(ludus(&folder, "plagiarism two").status.code(), Some(1));
    assert_eq!(ludus(&folder, "plagiarism two --template starter.cc").status.code(), Some(0));
}

#[test]
fn a_year_is_added_to_a_corpus() {
    let folder = folder!("plagiarism-corpus");
    write(&folder, "y1/Anna.cc", ORIGINAL);
    write(&folder, "y2/Bernat.cc", &copy());
    assert_eq!(ludus(&folder, "plagiarism y1 --corpus years").status.code(), Some(0));
    let output = ludus(&folder, "plagiarism y2 --corpus years --no-add");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("Anna.cc"));
    let output = ludus(&folder, "plagiarism y2 --corpus years --anonymous");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("it keeps names"), "{}", text(&output.stderr));
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = folder!("plagiarism-errors");
    write(&folder, "empty/readme.txt", "");
    write(&folder, "long/Anna.cc", &"x = 1 + 2; ".repeat(60_000));
    for (words, said) in [
        ("plagiarism nowhere", "nowhere"),
        ("plagiarism empty", "empty: there is no C++ or Rust source here"),
        ("plagiarism empty/readme.txt", "readme.txt: sources are C++"),
        ("plagiarism long --threshold 2", "--threshold must be from 0 to 1"),
    ] {
        let output = ludus(&folder, words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(text(&output.stderr).contains(said), "{words}: {}", text(&output.stderr));
    }
    let output = ludus(&folder, "plagiarism long");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("Anna.cc: not compared: "), "{}", text(&output.stderr));
}

/// The players of the test set that compile: a copy decides as its original does.
#[test]
fn copies_are_seen_to_decide_alike() {
    let folder = folder!("plagiarism-behaviour");
    for (author, file) in [
        ("Anna", include_str!("../../plagiarism/testset/ants/Tortuga.cc")),
        ("Bernat", include_str!("../../plagiarism/testset/copies/Tartaruga.cc")),
        ("Carla", include_str!("../../plagiarism/testset/ants/Metro.cc")),
    ] {
        write(&folder, &format!("sources/{author}.cc"), file);
    }
    let output = ludus(&folder, "plagiarism sources --behaviour ants --html r.html --csv r.csv --json r.json");
    let printed = text(&output.stdout);
    let row = printed.lines().find(|line| line.ends_with("Anna.cc and Bernat.cc"));
    let shares: Vec<f64> = row
        .unwrap_or_else(|| panic!("{printed}{}", text(&output.stderr)))
        .split('%')
        .filter_map(|word| word.trim().parse().ok())
        .collect();
    let [alike, equal, usual, most, beyond, code] = shares[..] else { panic!("{printed}") };
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
    let json: serde_json::Value = serde_json::from_str(&read("r.json")).unwrap();
    let pair = &json["pairs"][0];
    let is_told = |name: &str, share: f64| (pair["behaviour"][name].as_f64().unwrap() * 100.0 - share).abs() <= 0.51;
    assert!(is_told("equal", equal) && is_told("beyond", beyond) && is_told("code", code), "{printed}{json}");
    assert!((pair["similarity"].as_f64().unwrap() * 100.0 - alike).abs() <= 0.51, "{printed}");
    assert!(read("r.html").contains(&format!("<td>{equal:.0} %<br><small>usual {usual:.0} %")), "{printed}");
    let table = read("r.csv");
    let (head, row) = table.split_once('\n').unwrap();
    assert!(head.ends_with("first,first_author,equal,usual,most,beyond,code"), "{head}");
    let equal_there: f64 = row.trim().split(',').rev().nth(4).unwrap().parse().unwrap();
    assert!((equal_there * 100.0 - equal).abs() <= 0.51, "{row}");
    assert!(equal > most && most >= usual && beyond > 50.0 && code > 20.0, "{printed}");
    assert_eq!(ludus(&folder, "plagiarism sources --behaviour chess").status.code(), Some(2));
}
