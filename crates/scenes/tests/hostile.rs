//! Texts that nobody meant: every reader of every game gets spoilt configs
//! and spoilt records. No panic, and bounded memory.

use std::path::Path;

use ludus_arena::Match;
use ludus_arena::spoil::{inputs, spoil};
use ludus_games::record::Record;
use ludus_games::{GAMES, Game, Generator, Past};
use ludus_scenes::{Frames, scenery};

/// Peak memory of the whole test, in KB, where the system tells it.
const MOST_MEMORY: u64 = 400_000;

#[test]
fn spoilt_configs_and_records() {
    std::thread::scope(|scope| {
        for game in GAMES {
            scope.spawn(|| {
                let count = inputs(10_000);
                let (configs, records) = (spoil_configs(*game, count), spoil_records(*game, count));
                println!(
                    "{}: {configs} of {count} spoilt configs still play, {records} of {count} spoilt records are whole",
                    game.about().id
                );
            });
        }
    });
    if let Some(peak) = peak_memory() {
        println!("peak memory {peak} KB");
        assert!(peak < MOST_MEMORY, "{peak} KB");
    }
}

/// How many of the spoilt configs could be started.
fn spoil_configs(game: &dyn Game, count: usize) -> usize {
    let models = configs(game);
    let mut generator = Generator::new(4);
    let mut started = 0;
    for k in 0..count {
        let text = spoil(&models[k % models.len()], &mut generator);
        // Setting up a board is the dear part; one in a few hundred is enough
        // of those that are not refused.
        if let Ok(config) = game.read_config(&text)
            && generator.random(0, 9) == 0
            && let Ok(mut engine) = config.start(generator.random(0, 1000))
        {
            started += 1;
            // Being stuck is an answer too.
            let _ = engine.step(&Default::default());
        }
    }
    started
}

/// The configs that come with the game.
fn configs(game: &dyn Game) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content").join(game.about().id);
    let mut paths: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "cnf"));
    paths.sort();
    assert!(!paths.is_empty(), "no configs in {}", folder.display());
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// How many of the spoilt records were read without damage.
fn spoil_records(game: &dyn Game, count: usize) -> usize {
    let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
    let players = ["Demo", "Dummy", "Null", "Demo"].map(|name| game.about().player(name).unwrap());
    let mut played = Match::between(&*config, 8, players).unwrap();
    let mut text = Vec::new();
    let mut writer = played.begin_record(&mut text);
    for _ in 0..2 {
        played.play_round().unwrap();
        played.write_round(&mut *writer, &mut text);
    }
    let mut generator = Generator::new(5);
    let whole = |text: &[u8]| {
        game.read_record(text).is_ok_and(|record| {
            draw(game, &record);
            record.frames.len() == 3
        })
    };
    assert!(whole(&text));
    (0..count).filter(|_| whole(&spoil(&text, &mut generator))).count()
}

/// Turns all that was readable into scenes.
fn draw(game: &dyn Game, record: &Record) {
    let mut frames = Frames::new(scenery(game));
    frames.advance(&*record.frames[0].state, None);
    for pair in record.frames.windows(2) {
        let past = Past { before: &*pair[0].state, done: &pair[1].done, asked: None };
        frames.advance(&*pair[1].state, Some(&past));
    }
}

fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
