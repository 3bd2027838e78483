//! One match of every game, four Demo players, with and without its record,
//! and a snapshot of its state in the middle.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ludus_arena::Match;
use ludus_games::{Config, GAMES, Game};

fn play(game: &dyn Game, config: &dyn Config, seed: i32, mut record: Option<&mut Vec<u8>>) {
    let demo = game.about().player("Demo").expect("every game has a Demo");
    let mut played = Match::between(config, seed, [demo; 4]).expect("the default config can be played");
    let mut writer = record.as_deref_mut().map(|record| {
        record.clear();
        played.begin_record(record)
    });
    while !played.is_over() {
        played.play_round().expect("a match on the default config comes to its end");
        if let (Some(record), Some(writer)) = (record.as_deref_mut(), writer.as_deref_mut()) {
            played.write_round(writer, record);
        }
    }
    black_box(played.outcome());
}

fn matches(criterion: &mut Criterion) {
    for game in GAMES {
        let about = game.about();
        let config = game.read_config(about.default_config.as_bytes()).expect("the default config can be read");
        let mut group = criterion.benchmark_group(about.id);
        let mut seed = 0;
        group.bench_function("without record", |bencher| {
            bencher.iter(|| {
                seed += 1;
                play(*game, &*config, seed, None);
            });
        });
        let mut record = Vec::new();
        group.bench_function("with record", |bencher| {
            bencher.iter(|| {
                seed += 1;
                play(*game, &*config, seed, Some(&mut record));
            });
        });
        let demo = about.player("Demo").expect("every game has a Demo");
        let mut halfway = Match::between(&*config, 1, [demo; 4]).expect("the default config can be played");
        while halfway.state().round() < halfway.state().rounds() / 2 {
            halfway.play_round().expect("a match on the default config comes to its end");
        }
        group.bench_function("snapshot", |bencher| bencher.iter(|| black_box(halfway.engine().snapshot())));
        group.finish();
    }
}

criterion_group!(benches, matches);
criterion_main!(benches);
