//! Players of one's own, from the first folder to the debugger.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use ludus_games::GAMES;

use crate::ludus::{cache, command, folder, ludus};

/// A machine without compilers, and without what they made before.
fn bare(folder: &Path, words: &str) -> Output {
    command(folder, words).env("PATH", folder).env("LUDUS_CACHE", folder.join("cache")).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn done(output: &Output) -> String {
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// Exit status 2 and a message.
fn refuse(output: &Output, message: &str) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(message), "{error}");
}

/// The JSON of a match.
fn play(folder: &Path, words: &str) -> serde_json::Value {
    let output = ludus(folder, &format!("play {words} -s 5 --format json"));
    serde_json::from_str(&done(&output)).unwrap()
}

fn fault(result: &serde_json::Value, seat: usize) -> String {
    result["seats"][seat]["fault"]["reason"].as_str().unwrap_or("none").to_owned()
}

fn cpp_player(name: &str, play: &str) -> String {
    format!(
        "#include \"Player.hh\"\n#define PLAYER_NAME {name}\nstruct PLAYER_NAME : public Player {{\n  static Player* factory () {{ return new PLAYER_NAME; }}\n  virtual void play () {{ {play} }}\n}};\nRegisterPlayer(PLAYER_NAME);\n"
    )
}

#[test]
fn a_new_folder_builds_and_plays_in_every_game_and_language() {
    let folder = folder!("new");
    let clang = ["clang++-19", "clang++"].into_iter().find(|name| Command::new(name).arg("--version").output().is_ok());
    for game in GAMES {
        let id = game.about().id;
        for (lang, file, settings, ending) in
            [("cpp", "AIMarta.cc", "compile_flags.txt", ".cc"), ("rust", "Marta.rs", "Cargo.toml", ".rs")]
        {
            let home = format!("{id}/{lang}");
            let told = done(&ludus(&folder, &format!("new {id} Marta --lang {lang} --dir {home}")));
            assert!(told.contains(file) && told.contains(&format!("ludus play {id} Marta Demo Dummy Demo")), "{told}");
            let home = folder.join(home);
            for name in [file, settings, "default.cnf", "API.md", "Game"] {
                assert!(home.join(name).is_file(), "{id} {lang}: {name}");
            }
            let entries =
                std::fs::read_dir(&home).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
            assert_eq!(entries.filter(|name| name.ends_with(ending)).count(), 4, "{id} {lang}");

            // The folder can be moved: nothing in it is a place of this machine.
            let settings = std::fs::read_to_string(home.join(settings)).unwrap();
            assert!(!settings.contains(&*cache().to_string_lossy()) && settings.contains("sdk/"), "{settings}");
            let bin = Path::new(env!("CARGO_BIN_EXE_ludus")).parent().unwrap();
            let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
            // The command lines of the original executables: of most games, and of Requiem.
            for line in [
                "./Game -s 30 Marta Marta Marta Marta < default.cnf > one.res",
                "./Game Marta Marta Marta Marta --input=default.cnf --seed=30 --output=two.res",
                "./Game Marta Marta Marta Marta 30 --nogui --out=three.res",
            ] {
                let mut shell = Command::new("sh");
                shell.args(["-c", line]).current_dir(&home).env("PATH", &path).env("LUDUS_CACHE", cache());
                done(&shell.stdin(Stdio::null()).output().unwrap());
            }
            let records = ["one", "two", "three"].map(|name| std::fs::read(home.join(format!("{name}.res"))).unwrap());
            assert!(text(&records[0]).contains("Marta"), "{id} {lang}");
            assert!(records[0] == records[1] && records[1] == records[2], "{id} {lang}");
        }
        let home = folder.join(id).join("cpp");
        let flags = std::fs::read_to_string(home.join("compile_flags.txt")).unwrap();
        let checked = Command::new(clang.unwrap())
            .args(flags.lines())
            .args(["-fsyntax-only", "AIMarta.cc"])
            .current_dir(&home)
            .output();
        done(&checked.unwrap());
    }
    assert!(done(&ludus(&folder.join("ants/cpp"), "list")).contains("in this folder: Demo, Forager, Marta, Null"));
    assert_eq!(done(&ludus(&folder.join("ants/cpp"), "list ants")), "Demo\nDummy\nForager\nMarta\nNull\nVeteran\n");
}

#[test]
fn wrong_uses_of_new() {
    let folder = folder!("wrong_new");
    std::fs::create_dir(folder.join("Taken")).unwrap();
    std::fs::write(folder.join("Taken/mine.txt"), "mine").unwrap();
    for (words, message) in [
        ("new chess Marta", "there is no game 'chess'"),
        ("new ants Demo", "belongs to a player that comes with the game"),
        ("new ants Forager", "belongs to a player that comes with the game"),
        ("new ants Taken", "there is something in the folder Taken already"),
        ("new ants 9abc", "the player name '9abc' begins with a digit"),
        ("new ants a-b", "must be 1 to 12 letters, digits or underscores"),
        ("new ants ThirteenBytes", "must be 1 to 12 letters, digits or underscores"),
        ("new ants Marta --lang java", "possible values: cpp, rust"),
        ("new ants", "required arguments were not provided"),
    ] {
        refuse(&ludus(&folder, words), message);
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn a_folder_that_is_empty_is_filled() {
    let folder = folder!("here");
    let made = done(&ludus(&folder, "new ants Marta --dir ."));
    assert!(made.ends_with("  ludus play ants Marta Demo Dummy Demo\n"), "{made}");
    assert!(folder.join("AIMarta.cc").is_file());
    refuse(&ludus(&folder, "new ants Marta --dir ."), "there is something in the folder . already");
}

/// A version meets its predecessor under another name, each file is called by
/// what it registers too, and a module never takes the place of another's.
#[test]
fn files_and_names_need_not_agree() {
    let folder = folder!("names");
    for (file, body) in [("AIMarta.cc", "int x = 1; (void)x;"), ("AIMarta2.cc", "int x = 2; (void)x;")] {
        std::fs::write(folder.join(file), cpp_player("Marta", body)).unwrap();
    }
    std::fs::write(folder.join("AIFile.cc"), cpp_player("Inner", "")).unwrap();
    std::fs::write(folder.join("default.cnf"), GAMES[0].about().default_config).unwrap();
    let table = done(&ludus(&folder, "play ants Marta Old=AIMarta2.cc Inner Dummy -s 1 -o a.res"));
    for name in [" Marta ", " Old ", " Inner "] {
        assert!(table.contains(name), "{table}");
    }
    done(&ludus(&folder, "build AIMarta.cc"));
    let built = ludus(&folder, "build AIMarta2.cc");
    assert!(done(&built).starts_with("Marta2.wasm ("));
    assert!(text(&built.stderr).contains("note: AIMarta2.cc registers the player 'Marta'"));
    assert!(folder.join("Marta.wasm").is_file());
    // A file of another game does not stand in for a built-in player unnoticed.
    std::fs::write(folder.join("AIDemo.cc"), cpp_player("Demo", "")).unwrap();
    let gameless = ludus(&folder, "play Marta Dummy Dummy Null -s 1 -o c.res");
    refuse(&gameless, "'Marta' is a player of ants; the game comes before the players: ants Marta");
    let shadowed = ludus(&folder, "play purge Demo Demo Demo Demo -s 1 -o b.res");
    done(&shadowed);
    assert!(text(&shadowed.stderr).contains("AIDemo.cc is a player of ants: taking the built-in Demo"));
}

/// Who is frozen is told also where the record goes to standard output.
#[test]
fn a_freeze_is_told_beside_the_record() {
    let folder = folder!("told");
    std::fs::write(folder.join("AILoop.cc"), cpp_player("Loop", "while (true);")).unwrap();
    let played = ludus(&folder, "play ants Loop Dummy Dummy Dummy -s 1");
    assert!(text(&played.stdout).starts_with("Game"), "the record is on standard output");
    assert!(text(&played.stderr).contains("warning: player Loop was frozen in round 0: out of CPU time"));
}

#[test]
fn a_module_plays_without_a_compiler() {
    let folder = folder!("build");
    std::fs::write(folder.join("AIMarta.cc"), cpp_player("Marta", "int x = 1; x == 2; cerr << \"hola\" << endl;"))
        .unwrap();
    std::fs::write(folder.join("default.cnf"), GAMES[0].about().default_config).unwrap();
    let built = ludus(&folder, "build AIMarta.cc");
    assert!(done(&built).starts_with("Marta.wasm ("));
    assert!(text(&built.stderr).contains("AIMarta.cc:5:39: warning: "), "{}", text(&built.stderr));
    done(&ludus(&folder, "build ./AIMarta.cc -g ants -o other.wasm"));
    assert!(done(&ludus(&folder, "build Marta")).starts_with("Marta.wasm ("), "a player is found by its name");
    assert!(std::fs::read(folder.join("Marta.wasm")).unwrap() == std::fs::read(folder.join("other.wasm")).unwrap());

    std::fs::remove_file(folder.join("AIMarta.cc")).unwrap();
    let played = bare(&folder, "play ants Marta Demo Demo Demo -s 5 --format json");
    assert!(done(&played).contains("\"player\":\"Marta\""));
    assert!(text(&played.stderr).starts_with("Marta[1]: hola\n"), "{}", text(&played.stderr));
    refuse(&bare(&folder, "play purge Marta Demo Demo Demo"), "it is a player of ants, not of purge");
}

#[test]
fn a_missing_compiler_is_one_message_that_says_what_to_install() {
    let folder = folder!("missing");
    std::fs::write(folder.join("AIMarta.cc"), cpp_player("Marta", "")).unwrap();
    std::fs::write(folder.join("Joan.rs"), "use ludus_player::ants::*;").unwrap();
    for (words, message) in [
        (
            "play ants Marta Demo Demo Demo",
            "a C++ compiler for WebAssembly is missing; install it with: sudo apt-get install clang-19",
        ),
        ("build AIMarta.cc -g ants", "a C++ compiler for WebAssembly is missing; install it with: "),
        ("play ants Joan Demo Demo Demo", "a Rust compiler for WebAssembly is missing; install it with: "),
    ] {
        let output = bare(&folder, words);
        refuse(&output, message);
        assert_eq!(text(&output.stderr).lines().count(), 1, "{}", text(&output.stderr));
    }
    let doctor = bare(&folder, "doctor");
    let told = text(&doctor.stdout);
    assert_eq!(doctor.status.code(), Some(1), "{told}");
    assert!(told.contains("missing  C++ players: a C++ compiler"), "{told}");
    assert!(
        told.lines().last().unwrap().starts_with("mend it with: sudo apt-get install bubblewrap clang-19 "),
        "{told}"
    );
}

/// What zig is told is what clang is told: one that passes it on to clang makes
/// the same module, byte for byte. The real one is tried by scripts/package-test.
#[cfg(target_os = "linux")]
#[test]
fn zig_is_told_all_that_clang_knows() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = folder!("zig");
    std::fs::write(folder.join("AIMarta.cc"), cpp_player("Marta", "cerr << round() << endl;")).unwrap();
    std::fs::create_dir(folder.join("lib")).unwrap();
    symlink("/usr/lib/llvm-19/lib/clang/19/include", folder.join("lib/include")).unwrap();
    let zig = folder.join("zig");
    let tools = "case $1 in clang) tool=clang++-19;; wasm-ld) tool=wasm-ld-19;; esac";
    std::fs::write(&zig, format!("#!/bin/sh\n{tools}\nshift\nexec /usr/bin/$tool \"$@\"\n")).unwrap();
    std::fs::set_permissions(&zig, std::fs::Permissions::from_mode(0o755)).unwrap();
    // On the path there is nothing but this zig, and so no jail.
    done(&bare(&folder, "build AIMarta.cc -g ants -o zig.wasm"));
    let mut clang = command(&folder, "build AIMarta.cc -g ants -o clang.wasm");
    clang.env("PATH", &folder).env("LUDUS_CACHE", folder.join("cache")).env("LUDUS_CXX", "/usr/bin/clang++-19");
    done(&clang.output().unwrap());
    assert!(std::fs::read(folder.join("clang.wasm")).unwrap() == std::fs::read(folder.join("zig.wasm")).unwrap());
    let doctor = bare(&folder, "doctor");
    let told = text(&doctor.stdout);
    let line = told.lines().find(|line| line.starts_with("ok       C++ players: compiled in ")).unwrap_or(&told);
    assert!(line.contains(&format!(" by {}, ", zig.canonicalize().unwrap().display())), "{told}");
    // One that is asked for by name, or none; a script has no shell in a jail.
    let named = |program: &str| {
        let mut build = command(&folder, "build AIMarta.cc -g ants");
        build.env("PATH", &folder).env("LUDUS_CACHE", folder.join("cache")).env("LUDUS_CXX", program).output().unwrap()
    };
    done(&named(zig.to_str().unwrap()));
    refuse(&named("nowhere/zig"), "nowhere/zig, named by LUDUS_CXX, or its library for WebAssembly is missing");
}

#[test]
fn doctor_finds_this_machine_healthy() {
    let output = ludus(&folder!("doctor"), "doctor");
    let told = done(&output);
    // Nobody waits for a compiler without knowing it.
    assert_eq!(text(&output.stderr).matches("compiling ").count(), 2, "{}", text(&output.stderr));
    assert_eq!(told.lines().filter(|line| line.starts_with("ok  ")).count(), 6, "{told}");
    assert_eq!(told.matches("and played 250 rounds").count(), 2, "{told}");
}

/// What is compiled is kept elsewhere where nothing can be written, and the user
/// is told; compiling is told also where nobody looks at a terminal.
#[test]
fn a_home_that_cannot_be_written_to() {
    let folder = folder!("unwritable");
    std::fs::write(folder.join("AIMarta.cc"), cpp_player("Marta", "")).unwrap();
    std::fs::write(folder.join("file"), "").unwrap();
    std::fs::create_dir(folder.join("temporary")).unwrap();
    let mut play = command(&folder, "play ants Marta Null Null Null -s 1 --format json");
    let played = play.env("LUDUS_CACHE", folder.join("file/cache")).env("TMPDIR", folder.join("temporary")).output();
    let played = played.unwrap();
    done(&played);
    let told = text(&played.stderr);
    assert!(told.starts_with("cannot write to ") && told.contains("; what is compiled is kept in "), "{told}");
    assert!(told.contains("compiling AIMarta.cc ..."), "{told}");
    assert_eq!(told.matches("cannot write to ").count(), 1, "{told}");
}

/// Records of matches without a judge count no CPU, as those of the reference;
/// replays and results do.
#[test]
fn records_of_local_matches_count_no_cpu() {
    let folder = folder!("status");
    std::fs::write(
        folder.join("AIWork.cc"),
        cpp_player("Work", "static volatile int x; for (int k = 0; k < 100000; ++k) x = k;"),
    )
    .unwrap();
    let result = play(&folder, "ants Work Null Null Null -o match.res");
    assert!(result["seats"][0]["status"].as_f64().unwrap() > 0.001, "{result}");
    let record = std::fs::read_to_string(folder.join("match.res")).unwrap();
    let status: Vec<&str> = record.lines().filter(|line| line.starts_with("status")).collect();
    assert!(status.len() > 100 && status.iter().all(|line| *line == "status\t0\t0\t0\t0"), "{:?}", &status[..2]);
}

/// What does not do what it says is told at its line, and what there is not in
/// one.
#[test]
fn files_that_would_work_elsewhere() {
    let folder = folder!("elsewhere");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("AICatch.cc", &cpp_player("Catch", "\n try { f(); }\n catch (...) {} } void f() {"));
    let built = ludus(&folder, "build AICatch.cc -g ants");
    done(&built);
    let told = "AICatch.cc:7: warning: this never catches anything: an exception ends the player";
    assert!(text(&built.stderr).contains(told), "{}", text(&built.stderr));
    // A match tells it when it compiles the file, and not again.
    let unknown = RandomState::new().build_hasher().finish();
    write(
        "AICatch.cc",
        &cpp_player("Catch", &format!("\n try {{ f(); }}\n catch (...) {{}} }} void f() {{ // {unknown}\n")),
    );
    let words = "play ants Catch Null Null Null -s 1 -o /dev/null";
    let [first, second] = [ludus(&folder, words), ludus(&folder, words)];
    assert!(text(&first.stderr).contains(told), "{}", text(&first.stderr));
    assert!(!text(&second.stderr).contains("warning"), "{}", text(&second.stderr));
    write("AIThread.cc", &format!("#include <thread>\n{}", cpp_player("Thread", "std::thread t([]{}); t.join();")));
    let built = ludus(&folder, "build AIThread.cc -g ants");
    refuse(&built, "AIThread.cc:6: error: 'thread': players have no threads, a match asks one player at a time");
    write("AIRows.cc", &cpp_player("Rows", "bool v[board_rows()][board_cols()] = {false}; if (v[3][4]) abort();"));
    done(&ludus(&folder, "build AIRows.cc -g ants"));
}

#[test]
fn wrong_players() {
    let folder = folder!("wrong");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("AIBroken.cc", &cpp_player("Broken", "int x = undeclared;"));
    write("AIDummy.cc", &cpp_player("Dummy", "Citizen citizen;"));
    write("AISilent.cc", "#include \"Player.hh\"\nint x;\n");
    write("AIQuiet.cc", "#include \"aibase.h\"\nint x;\n");
    write("Silent.rs", "pub fn f() {}\n");
    write("Rubbish.wasm", "not a module");
    write("notes.txt", "");
    write("AITwin.cc", &cpp_player("Twin", ""));
    write("AIOther.cc", &cpp_player("Twin", "int two;"));
    for (words, message) in [
        (
            "play ants Dummy Null Null Null",
            "AIDummy.cc (in this folder, taken instead of the built-in Dummy): it does not compile",
        ),
        ("play ants Broken Demo Demo Demo", "AIBroken.cc:5:34: error: use of undeclared identifier 'undeclared'"),
        (
            "play ants AISilent.cc Demo Demo Demo",
            "AISilent.cc: it registers no player; the starter of ants does that with 'RegisterPlayer(PLAYER_NAME);'",
        ),
        (
            "play requiem Quiet Demo Demo Demo",
            "the starter of requiem does that with 'AIstruct::Static_Initializer init;'",
        ),
        ("build Silent.rs -g ants", "it registers no player; the starter of ants does that with 'player!("),
        ("play ants Rubbish Demo Demo Demo", "Rubbish.wasm: "),
        ("play ants missing.cc Demo Demo Demo", "there is no player file missing.cc"),
        (
            "play ants AITwin.cc Other Null Null",
            "two different players are called 'Twin'; give one another name, for instance Twin_2=AITwin.cc",
        ),
        ("play ants a-b=Null Null Null Null", "the player name 'a-b' must be"),
        (
            "play ants Null Null Null Null --native Null",
            "--native Null: no seat has a player of that name with a source file",
        ),
        ("play ants Null Null Null Null --debugger gdb", "--native"),
        ("play ants Null Null Null Null --memory 0", "--memory must be from 1 to 2048 MiB, found 0"),
        ("play ants Null Null Null Null --memory 4096", "--memory must be from 1 to 2048 MiB, found 4096"),
        ("play ants Null Null Null Null --fuel many", "invalid value 'many'"),
        ("play ants Null Null Null Null --no-limits --fuel 3", "cannot be used with"),
        ("build notes.txt", "notes.txt is neither a .cc nor a .rs file"),
        ("build Nobody", "no source of a player 'Nobody' in this folder"),
        ("build missing.cc", "there is no file missing.cc"),
        ("build AISilent.cc", "which game is it for?"),
        ("build AIBroken.cc -g ants", "AIBroken.cc:5:34: error: "),
    ] {
        refuse(&ludus(&folder, words), message);
    }
}

#[test]
fn limits_can_be_changed() {
    let folder = folder!("limits");
    let body = "if (round() == 1) { volatile int x = 0; for (int k = 0; k < 3000000; ++k) x = x + k; }
      if (round() == 2) { static vector<vector<int>> all; for (int k = 0; k < 20; ++k) all.push_back(vector<int>(2500000, k)); }";
    std::fs::write(folder.join("AIGreedy.cc"), cpp_player("Greedy", body)).unwrap();
    for (words, expected) in
        [("", "memory"), ("--memory 256", "none"), ("--memory 256 --fuel 1000000", "CPU"), ("--no-limits", "none")]
    {
        let result = play(&folder, &format!("ants Greedy Null Null Null {words}"));
        assert!(fault(&result, 0).contains(expected), "{words}: {}", fault(&result, 0));
    }
}

#[test]
fn names_are_as_long_as_the_game_allows() {
    let folder = folder!("names");
    let null =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content/requiem/players/AINull.cc"));
    let long = null.unwrap().replace("NAMEPLAYER Null", "NAMEPLAYER EixamDeCavallers2011");
    std::fs::write(folder.join("AIEixamDeCavallers2011.cc"), long).unwrap();
    let result = play(&folder, "requiem EixamDeCavallers2011 Demo Demo Demo");
    assert_eq!(result["seats"][0]["player"], "EixamDeCavallers2011");
}

/// What a crash looks like, and that nobody else notices.
fn check_native(folder: &Path, game: &str, file: &str, ending: &str) {
    let words = format!("{game} {file} Demo Demo Demo --native Crash");
    let output = ludus(folder, &format!("play {words} -s 5 --format json --log logs"));
    let result: serde_json::Value = serde_json::from_str(&done(&output)).unwrap();
    assert!(fault(&result, 0).contains(ending), "{file}: {}", fault(&result, 0));
    let idle = play(folder, &format!("{game} Null Demo Demo Demo"));
    for seat in 1..4 {
        assert_eq!(result["seats"][seat]["score"], idle["seats"][seat]["score"], "{file}");
    }
    let log = std::fs::read_to_string(folder.join("logs/1-Crash.log")).unwrap();
    // Requiem's own count begins with 1.
    let first = if game == "requiem" { 1 } else { 0 };
    let expected = format!("round 0\nout {first}\nerr\nround 1\nout {}\nerr\n", first + 1);
    assert!(log.starts_with(&expected), "{file}: {log}");

    let shown = ludus(folder, &format!("play {words} -s 5 --format json"));
    assert!(
        text(&shown.stderr).starts_with(&format!("Crash[1]: out {first}\nCrash[1]: err\n")),
        "{}",
        text(&shown.stderr)
    );
}

#[test]
fn native_players_crash_alone() {
    let folder = folder!("native");
    // A name that the library has too, and a comparator that only old standards take.
    let before = "struct list { int* wild; }; struct Less { bool operator()(int a, int b) { return a < b; } };\n";
    let body = "set<int, Less> s; s.insert(3); cout << \"out \" << round() << '\\n'; cerr << \"err\\n\"; list l; l.wild = 0; if (round() == 2) *(volatile int*)l.wild = 3;";
    let source = cpp_player("Crash", body).replace("struct PLAYER_NAME", &format!("{before}struct PLAYER_NAME"));
    std::fs::write(folder.join("AICrash.cc"), source).unwrap();
    check_native(&folder, "ants", "AICrash.cc", "SIGSEGV");

    let requiem = "#define NAMEPLAYER Crash\n#include \"aibase.h\"\nnamespace NAMEPLAYER {\nstruct AIstruct: public AIbase {\n  #include \"initializer.h\"\n  void fes_torn() { cout << \"out \" << torn_actual() << endl; cerr << \"err\" << endl; if (torn_actual() == 3) abort(); }\n};\nAIstruct::Static_Initializer init;\n};\n";
    std::fs::write(folder.join("AIRequiem.cc"), requiem).unwrap();
    check_native(&folder, "requiem", "AIRequiem.cc", "SIGABRT");

    let rust = "use ludus_player::ants::*;\nstruct Crash;\nimpl Player for Crash {\n    fn new(_: &Game) -> Self { Crash }\n    fn play(&mut self, game: &Game) {\n        println!(\"out {}\", game.round());\n        log!(\"err\");\n        assert!(game.round() < 2, \"enough\");\n    }\n}\nplayer!(Crash, \"Crash\");\n";
    std::fs::write(folder.join("Crash.rs"), rust).unwrap();
    check_native(&folder, "ants", "Crash.rs", "SIGABRT");
    let log = std::fs::read_to_string(folder.join("logs/1-Crash.log")).unwrap();
    assert!(log.contains("Crash.rs:8:9") && log.contains("enough"), "{log}");
}

#[cfg(unix)]
#[test]
fn a_debugger_is_started_around_the_player() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder!("debugger");
    std::fs::write(
        folder.join("AIMarta.cc"),
        cpp_player("Marta", "if (round() == 3) cerr << getenv(\"DEBUGGED\") << endl;"),
    )
    .unwrap();
    let script = folder.join("debugger");
    std::fs::write(&script, "#!/bin/sh\necho \"$1\" > started\nshift\nDEBUGGED=yes exec \"$@\"\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let words = ["play", "ants", "Marta", "Demo", "Demo", "Demo", "-s", "5", "--format", "json", "--native", "Marta"];
    let output = command(&folder, "").args(words).args(["--debugger", "./debugger --args"]).output().unwrap();
    let result: serde_json::Value = serde_json::from_str(&done(&output)).unwrap();
    assert_eq!(fault(&result, 0), "none");
    assert_eq!(std::fs::read_to_string(folder.join("started")).unwrap(), "--args\n");
    // A debugger has the terminal for itself: nothing stands in front of the line.
    assert!(text(&output.stderr).lines().any(|line| line == "yes"), "{}", text(&output.stderr));
}
