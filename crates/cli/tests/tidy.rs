//! What every game in the registry must bring along. Each failure names the
//! game and what it lacks.

use std::path::{Path, PathBuf};
use std::process::Command;

use ludus_games::GAMES;

const LANGUAGES: [&str; 3] = ["en", "ca", "es"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What is missing of the things that a game needs.
fn missing(id: &str) -> Vec<String> {
    let content = root().join("content").join(id);
    let golden = root().join("golden").join(id);
    let mut missing = Vec::new();
    let mut need = |present: bool, what: String| {
        if !present {
            missing.push(format!("{id} lacks {what}"));
        }
    };
    for language in LANGUAGES {
        let page = content.join(format!("rules.{language}.md"));
        need(starts_with_a_title(&page), format!("content/{id}/rules.{language}.md"));
    }
    let picture = root().join(format!("viewer/tests/references/{id}.png"));
    need(picture.is_file(), format!("viewer/tests/references/{id}.png"));
    need(content.join("default.cnf").is_file(), format!("content/{id}/default.cnf"));
    need(root().join(format!("docs/pictures/{id}.png")).is_file(), format!("a picture, docs/pictures/{id}.png"));
    let cases = std::fs::read_dir(golden)
        .map_or(0, |cases| cases.filter(|case| case.as_ref().unwrap().path().join("case.json").is_file()).count());
    need(cases > 0, format!("a golden match in golden/{id}"));
    let players = player_files(&content);
    for (language, prefix, ending) in [("cpp", "AI", ".cc"), ("rust", "", ".rs")] {
        for name in ["Null", "Demo"] {
            let file = format!("{prefix}{name}{ending}");
            need(players.contains(&file), format!("content/{id}/players/{file}"));
        }
        let stronger = players.iter().filter(|file| file.ends_with(ending)).count() > 2;
        need(stronger, format!("a stronger example in content/{id}/players/*{ending}"));
        for translation in ["", ".ca", ".es"] {
            let page = format!("api.{language}{translation}.md");
            need(starts_with_a_title(&content.join(&page)), format!("content/{id}/{page}"));
        }
    }
    need(starts_with_a_title(&root().join(format!("docs/abi/{id}.md"))), format!("docs/abi/{id}.md"));
    if let Some(game) = ludus_games::find(id) {
        for name in ["Null", "Demo", "Veteran", game.about().reserve] {
            need(game.about().player(name).is_some(), format!("the player {name}"));
        }
    } else {
        need(false, "a place in the registry".to_owned());
    }
    missing
}

fn starts_with_a_title(page: &Path) -> bool {
    std::fs::read_to_string(page).is_ok_and(|text| text.starts_with("# "))
}

fn player_files(content: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(content.join("players")).into_iter().flatten();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn every_game_is_complete() {
    let missing: Vec<String> = GAMES.iter().flat_map(|game| missing(game.about().id)).collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn a_game_that_lacks_everything_is_named() {
    let missing = missing("chess");
    assert_eq!(missing.len(), 21, "{missing:?}");
    assert!(missing.iter().all(|line| line.starts_with("chess lacks ")));
}

/// Every config that is handed out can be played.
#[test]
fn every_config_can_be_played() {
    let mut played = 0;
    for game in GAMES {
        let about = game.about();
        for entry in std::fs::read_dir(root().join("content").join(about.id)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "cnf") {
                continue;
            }
            let text = std::fs::read(&path).unwrap();
            let config = game.read_config(&text).unwrap_or_else(|error| panic!("{} {error}", path.display()));
            for seed in 1..=20 {
                config.start(seed).unwrap_or_else(|error| panic!("{} with seed {seed}: {error}", path.display()));
            }
            played += 1;
        }
    }
    println!("{played} configs can be played");
    assert!(played >= GAMES.len());
}

/// What the tables of a page say of settings: each name of a first column with
/// the number in the second.
fn told(page: &str) -> Vec<(String, String)> {
    let mut told = Vec::new();
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let names: Vec<&str> = cells[1].split(", ").map(|name| name.trim_matches('`').trim_end_matches("()")).collect();
        let values: Vec<&str> = cells[2].split(", ").collect();
        if names.len() != values.len() || values.iter().any(|value| value.parse::<i32>().is_err()) {
            continue;
        }
        let family = names[0].rsplit_once('_').map_or("", |(family, _)| family);
        for (name, value) in names.iter().zip(values) {
            let name = if name.starts_with('_') { format!("{family}{name}") } else { (*name).to_owned() };
            told.push((name.to_uppercase(), value.to_owned()));
        }
    }
    told
}

#[test]
fn pages_tell_what_the_default_config_says() {
    for game in GAMES {
        let about = game.about();
        let read = |page: String| std::fs::read_to_string(root().join("content").join(about.id).join(page)).unwrap();
        let words: Vec<&str> = about.default_config.split_whitespace().collect();
        let settings: Vec<(String, String)> = words
            .windows(2)
            .filter(|pair| pair[1].parse::<i32>().is_ok())
            .map(|pair| (pair[0].to_uppercase(), pair[1].to_owned()))
            .collect();
        assert!(settings.len() >= 4);
        for language in LANGUAGES {
            let told = told(&read(format!("rules.{language}.md")));
            let untold: Vec<_> = settings.iter().filter(|setting| !told.contains(setting)).collect();
            assert!(untold.is_empty(), "rules.{language}.md of {} should say {untold:?}", about.id);
        }
        for page in ["api.cpp.md", "api.cpp.ca.md", "api.cpp.es.md"] {
            let of_a_label = |told: &(String, String)| settings.iter().any(|(label, _)| *label == told.0);
            let wrong: Vec<_> = told(&read(page.to_owned()))
                .into_iter()
                .filter(|told| of_a_label(told) && !settings.contains(told))
                .collect();
            assert!(wrong.is_empty(), "{page} of {} is wrong about {wrong:?}", about.id);
        }
    }
}

/// With the features that they have together crates are built alone, too, or
/// `./test CRATE` would compile wasmtime again: `crates/workspace-hack`.
#[test]
fn crates_are_built_alone_as_they_are_together() {
    let features = |of: &[&str]| -> Vec<String> {
        let cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
            .args(["tree", "--offline", "--locked", "--edges", "normal,build,dev", "--prefix", "none"])
            .args(["--format", "{p} [{f}]"])
            .args(of)
            .current_dir(root())
            .output()
            .unwrap();
        let lines = String::from_utf8(cargo.stdout).unwrap();
        lines.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
    };
    let together = features(&["--workspace"]);
    assert!(together.iter().any(|line| line.starts_with("wasmtime v")));
    for krate in std::fs::read_dir(root().join("crates")).unwrap() {
        let name = &format!("ludus-{}", krate.unwrap().file_name().to_str().unwrap());
        let other: Vec<String> =
            features(&["--package", name]).into_iter().filter(|line| !together.contains(line)).collect();
        assert!(other.is_empty(), "{name} alone has other features: {other:?}");
    }
}

/// Nothing of one game stands outside its own modules and the two registries:
/// neither the game nor its reserve player is named in the code of any crate.
#[test]
fn no_game_is_named_outside_its_modules() {
    let mut words: Vec<String> = vec!["Requiem".into(), "Potter".into()];
    for about in GAMES.iter().map(|game| game.about()) {
        words.extend([format!("{}::", about.id), format!("\"{}\"", about.id), about.title.to_owned()]);
        words.push(format!("\"{}\"", about.reserve));
    }
    words.retain(|word| word != "Ants");
    words.sort();
    words.dedup();
    let mut files = Vec::new();
    for krate in std::fs::read_dir(root().join("crates")).unwrap() {
        sources(&krate.unwrap().path().join("src"), &mut files);
    }
    sources(&root().join("sdk/rust/src"), &mut files);
    assert!(files.len() > 200, "{}", files.len());
    let mut named: Vec<(String, &str)> = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "rs")) {
        let path = file.strip_prefix(root()).unwrap().to_str().unwrap();
        let code = code_of(&std::fs::read_to_string(file).unwrap());
        let is_named = |word: &&String| {
            let ends = |at: usize| !code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
            code.match_indices(word.as_str()).any(|(at, _)| ends(at))
        };
        if !is_of_a_game(path) {
            named.extend(words.iter().filter(is_named).map(|word| (path.to_owned(), word.as_str())));
        }
    }
    assert!(named.is_empty(), "{named:?}");
}

/// Modules of a game, and the lists of all of them; and the demonstration
/// course, which is data: it chooses games to show.
fn is_of_a_game(path: &str) -> bool {
    if path.starts_with("crates/judge/src/demo") {
        return true;
    }
    let mut parts = path.split(['/', '.']);
    parts.any(|part| GAMES.iter().any(|game| game.about().id == part) || part == "tests")
        || path.ends_with("games/src/lib.rs")
        || path.ends_with("scenes/src/lib.rs")
}

/// A file without its comments and what is only there for tests.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() == "#[cfg(test)]" {
            skip_item(&mut lines, &line[..line.len() - line.trim_start().len()]);
        } else if !line.trim_start().starts_with("//") {
            code.push_str(line);
            code.push('\n');
        }
    }
    code
}

/// Leaves out what follows up to the end of one item, which has this indentation.
fn skip_item<'a>(lines: &mut impl Iterator<Item = &'a str>, margin: &str) {
    for line in lines {
        let is_its_own = line.strip_prefix(margin).is_some_and(|line| !line.starts_with([' ', ')']));
        if is_its_own && (line.ends_with([';', '}', ',']) && !line.trim_start().starts_with("#[")) {
            return;
        }
    }
}

#[test]
fn only_what_is_for_tests_is_left_out_of_code() {
    let text = "use a;\n#[cfg(test)]\nmod tests;\n// A word.\nfn b() {\n    c();\n}\n\
        #[cfg(test)]\n#[allow(d)]\nmod e {\n    fn f() {\n    }\n}\nimpl G {\n    #[cfg(test)]\n    fn h(\n        i: J,\n    ) {\n        k();\n    }\n    l();\n}\n";
    assert_eq!(code_of(text), "use a;\nfn b() {\n    c();\n}\nimpl G {\n    l();\n}\n");
}

/// What a module is for is said where it begins; who serves requests knows no page.
#[test]
fn modules_say_what_they_are_for_and_walls_stand() {
    let mut files = Vec::new();
    for krate in std::fs::read_dir(root().join("crates")).unwrap() {
        sources(&krate.unwrap().path().join("src"), &mut files);
    }
    files.retain(|file| file.extension().is_some_and(|ending| ending == "rs"));
    assert!(files.len() > 200, "{}", files.len());
    for file in files {
        let (path, text) = (file.strip_prefix(root()).unwrap().to_owned(), std::fs::read_to_string(&file).unwrap());
        assert!(text.starts_with("//!"), "{} does not say what it is for", path.display());
        if path.starts_with("crates/judge/src/web") {
            assert!(!code_of(&text).contains("crate::pages"), "{} knows pages", path.display());
        }
    }
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else {
            files.push(path);
        }
    }
}
