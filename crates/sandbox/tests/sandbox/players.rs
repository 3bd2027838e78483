//! The example players of every game, compiled and played in the sandbox.

use std::path::{Path, PathBuf};

use ludus_arena::{Entrant, Match, builtin};
use ludus_games::{Config, GAMES, Game, Seat};
use ludus_sandbox::build::Language;
use ludus_sandbox::{Limits, PlayerModule};

use crate::{builder, load, sandbox};

fn content(game: &dyn Game) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content").join(game.about().id)
}

/// The example players of a game in both languages, by file.
fn examples(game: &dyn Game) -> Vec<(PathBuf, PlayerModule)> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(content(game).join("players")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let load = |file: PathBuf| {
        let wasm = builder().build(game.about().id, Language::of(&file).unwrap(), &std::fs::read(&file).unwrap());
        let module = load(&wasm.unwrap_or_else(|error| panic!("{}: {error}", file.display())));
        (file, module)
    };
    files.into_iter().map(load).collect()
}

/// Every config of the game that comes with it, and those of the shared cases.
fn configs(game: &dyn Game) -> Vec<Box<dyn Config>> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(content(game)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "cnf"));
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance").join(game.about().id);
    if let Ok(cases) = std::fs::read_dir(shared) {
        files.extend(cases.map(|case| case.unwrap().path().join("input.cnf")));
    }
    files.sort();
    files.iter().map(|file| game.read_config(&std::fs::read(file).unwrap()).unwrap()).collect()
}

fn in_sandbox(module: &PlayerModule, limits: &Limits, config: &dyn Config, seed: i32) -> Match {
    let entrants = Seat::ALL
        .map(|seat| Entrant { name: "Demo".to_owned(), player: Box::new(module.player(limits.clone(), seed, seat)) });
    Match::new(config, seed, entrants).unwrap()
}

#[test]
fn every_demo_gives_the_orders_of_the_built_in_one() {
    for game in GAMES {
        let demo = game.about().players.iter().find(|player| player.name == "Demo").unwrap();
        let configs = configs(*game);
        let mut compared = 0;
        for (file, module) in examples(*game) {
            assert_eq!(module.introduce().unwrap().game, game.about().id);
            if !file.file_stem().unwrap().to_str().unwrap().ends_with("Demo") {
                continue;
            }
            compared += 1;
            for (k, config) in configs.iter().enumerate() {
                let seed = 100 + k as i32;
                // Demo looks at its status, so it must be the same: not measured.
                let mut ours = in_sandbox(&module, &Limits::none(), &**config, seed);
                let mut theirs = Match::between(&**config, seed, [demo; 4]).unwrap();
                while !ours.is_over() {
                    ours.play_round().unwrap();
                    theirs.play_round().unwrap();
                    assert_eq!(ours.accepted(), theirs.accepted(), "{} config {k}", file.display());
                }
                assert_eq!(ours.engine().digest(), theirs.engine().digest());
            }
        }
        println!("{}: {compared} Demo files give the built-in orders on {} configs", game.about().id, configs.len());
        assert_eq!(compared, 2, "{} has a Demo in C++ and one in Rust", game.about().id);
    }
}

#[test]
fn examples_play_whole_matches_within_the_limits() {
    for game in GAMES {
        let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
        let limits = Limits::of(game.about().cpu);
        for (file, module) in examples(*game) {
            let outcome = in_sandbox(&module, &limits, &*config, 30).play_out().unwrap();
            let worst = outcome.seats.iter().map(|seat| seat.status.fraction()).fold(0.0, f64::max);
            println!(
                "{}: worst seat uses {:.3} % of its CPU",
                file.file_name().unwrap().to_str().unwrap(),
                100.0 * worst
            );
            assert!(outcome.seats.iter().all(|seat| seat.fault.is_none()), "{}: {outcome:?}", file.display());
        }
    }
}

#[test]
fn fuel_is_the_same_alone_and_in_company() {
    let game = GAMES[0];
    let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
    let limits = Limits::of(game.about().cpu);
    let (_, module) = examples(game).swap_remove(1);
    let play = |seed| in_sandbox(&module, &limits, &*config, seed).play_out().unwrap();
    let alone: Vec<_> = (1..=6).map(play).collect();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (1..=6).map(|seed| scope.spawn(move || play(seed))).collect();
        for (thread, expected) in threads.into_iter().zip(&alone) {
            assert_eq!(thread.join().unwrap(), *expected);
        }
    });
    assert!(alone[0].seats.iter().any(|seat| seat.status.fraction() > 0.0));
}

/// One seat among three of the built-in Demo, in several seats and seeds.
fn wins_against_demo(game: &dyn Game, module: &PlayerModule) -> usize {
    let demo = game.about().players.iter().find(|player| player.name == "Demo").unwrap();
    let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
    let won = |seed: &i32| {
        let own = (*seed % 4) as usize;
        let entrants = Seat::ALL.map(|seat| Entrant {
            name: "Player".to_owned(),
            player: if seat.index() == own {
                Box::new(module.player(Limits::of(game.about().cpu), *seed, seat))
            } else {
                builtin(demo, *seed, seat)
            },
        });
        let outcome = Match::new(&*config, *seed, entrants).unwrap().play_out().unwrap();
        outcome.seats[own].rank == 1 && outcome.seats.iter().filter(|seat| seat.rank == 1).count() == 1
    };
    SEEDS.iter().filter(|seed| won(seed)).count()
}

const SEEDS: [i32; 6] = [11, 12, 13, 14, 15, 16];

#[test]
fn the_stronger_examples_beat_demo() {
    for game in GAMES {
        let mut checked = 0;
        for (file, module) in examples(*game) {
            let name = module.introduce().unwrap().name;
            if ["Null", "null", "Demo"].contains(&name.as_str()) {
                continue;
            }
            checked += 1;
            let wins = wins_against_demo(*game, &module);
            println!("{}: {} wins {wins} of {} against three Demo", game.about().id, file.display(), SEEDS.len());
            assert!(wins >= 4, "{} wins only {wins} of {}", file.display(), SEEDS.len());
        }
        assert_eq!(checked, 2, "{} has a stronger example in C++ and one in Rust", game.about().id);
    }
}

/// The first block of code of a page.
fn first_code(page: &str) -> &str {
    let block = page.split("```").nth(1).expect("the page has code");
    block.split_once('\n').expect("the language of the code is on its first line").1
}

/// Comments are translated, the code is the same in every language.
fn without_comments(code: &str) -> Vec<&str> {
    code.lines().filter_map(|line| line.split("//").next()).map(str::trim_end).filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_player_at_the_top_of_every_api_page_plays() {
    for game in GAMES {
        let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
        for (language, page) in [(Language::Cpp, "api.cpp"), (Language::Rust, "api.rust")] {
            let read = |ending: &str| std::fs::read_to_string(content(*game).join(format!("{page}{ending}"))).unwrap();
            let english = read(".md");
            let code = first_code(&english);
            let wasm = builder().build(game.about().id, language, code.as_bytes());
            let module = wasm.unwrap_or_else(|error| panic!("{page} of {}: {error}", game.about().id));
            let module = sandbox().load(&module).unwrap();
            assert_eq!(module.introduce().unwrap().game, game.about().id);
            let outcome = in_sandbox(&module, &Limits::of(game.about().cpu), &*config, 30).play_out().unwrap();
            assert!(outcome.seats.iter().all(|seat| seat.fault.is_none()), "{page} of {}", game.about().id);
            for ending in [".ca.md", ".es.md"] {
                let translated = read(ending);
                assert_eq!(without_comments(first_code(&translated)), without_comments(code), "{page}{ending}");
            }
        }
    }
}
