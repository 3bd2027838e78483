//! What scenes find out about a round by looking at what came of it.

use ludus_games::ants::{Ants, Cell, Kind, State};
use ludus_games::game::typed;
use ludus_games::random_matches::check_rounds;
use ludus_games::{Engine, Game as _, Orders, Past, PerSeat};

use super::{SCENERY, legend};
use crate::Frames;

fn start(changes: &[(&str, &str)]) -> Box<dyn Engine> {
    let mut config = Ants.about().default_config.to_owned();
    for (label, value) in changes {
        let line = config.lines().find(|line| line.starts_with(label)).unwrap().to_owned();
        config = config.replace(&line, &format!("{label} {value}"));
    }
    Ants.read_config(config.as_bytes()).unwrap().start(1).unwrap()
}

/// Whoever dies does so once: in a fight, or of age in the last round of its life.
#[test]
fn every_death_has_its_reason() {
    let mut kills = 0;
    check_rounds(&Ants, |before: &State, orders, after| {
        let state: &State = typed(after.state());
        let mut frames = Frames::new(&SCENERY);
        frames.advance(state, Some(&Past { before, done: after.done(), asked: Some(orders) }));
        let events = &frames.now().events;
        for ant in &before.ants {
            let is = |kind: usize| events.iter().filter(|event| event.item == ant.id && event.kind == kind).count();
            let (killed, aged) = (is(legend::KILLS) + is(legend::KILLS_OWN), is(legend::DIES));
            assert_eq!(killed + aged, usize::from(state.ant(ant.id).is_none()), "{ant:?} in round {}", before.round);
            assert!(aged == 0 || ant.life == 1, "{ant:?} in round {}", before.round);
            kills += killed;
        }
        let born = state.ants.iter().filter(|ant| before.ant(ant.id).is_none()).count();
        assert_eq!(events.iter().filter(|event| event.kind == legend::HATCHES).count(), born);
    });
    assert!(kills > 20, "{kills}");
}

#[test]
fn colonies_that_nobody_feeds_die_out() {
    let mut engine = start(&[("QUEEN_LIFE", "4"), ("SOLDIER_LIFE", "9"), ("WORKER_LIFE", "6")]);
    let mut frames = Frames::new(&SCENERY);
    frames.advance(engine.state(), None);
    let mut counts = [0; 11];
    for _ in 0..30 {
        let before = engine.snapshot();
        engine.step(&PerSeat::<Orders>::default()).unwrap();
        frames.advance(engine.state(), Some(&Past { before: before.state(), done: engine.done(), asked: None }));
        frames.now().events.iter().for_each(|event| counts[event.kind] += 1);
    }
    // Fifteen ants each, all of which die of age, the successors as queens.
    assert_eq!(counts[legend::DIES], 60);
    assert_eq!(counts[legend::DIES_OUT], 4);
    assert_eq!(counts[legend::LOSES_QUEEN], counts[legend::SUCCEEDS] + 4);
    assert!(counts[legend::SUCCEEDS] >= 4);
    assert!(typed::<State>(engine.state()).ants.is_empty());
}

/// Water is what the cells say: a board without rivers shows it too.
#[test]
fn water_needs_no_rivers() {
    let mut engine = start(&[]);
    engine.step(&PerSeat::<Orders>::default()).unwrap();
    let mut state = typed::<State>(engine.state()).clone();
    let mut terrain = (*state.terrain).clone();
    terrain.rivers.clear();
    state.terrain = std::sync::Arc::new(terrain);
    let mut frames = Frames::new(&SCENERY);
    frames.advance(&state, None);
    let wet = state.cells.cells().iter().map(|&cell| cell == Cell::Water);
    assert!(frames.now().cells.iter().map(|&kind| kind >= legend::WATER).eq(wet));
    assert!(frames.now().cells.iter().any(|&kind| kind > legend::WATER), "some water is rounded");
    let queens = frames.now().items.iter().filter(|item| item.kind == Kind::Queen as i32);
    assert_eq!(queens.count(), 4);
}
