//! How boards are made and where food grows.

use super::{config, start};
use crate::ants::State;
use crate::ants::board::Cell;
use crate::game::typed;
use crate::{PerSeat, Pos, connected};

#[test]
fn food_grows_in_its_rectangles_but_not_under_ants() {
    let mut engine = start(&config(&[("BONUS_PERIOD", "1")]), 7).unwrap();
    let foods = |engine: &dyn crate::Engine| {
        let state: &State = typed(engine.state());
        assert!(state.ants.iter().all(|ant| state.cells[ant.pos] == Cell::Soil));
        state.cells.cells().iter().filter(|cell| cell.food().is_some()).count()
    };
    let mut before = foods(&*engine);
    assert_eq!(before, 0);
    for _ in 0..20 {
        engine.step(&PerSeat::default()).unwrap();
        let now = foods(&*engine);
        assert!((before..=before + 12).contains(&now));
        before = now;
    }
    let state: &State = typed(engine.state());
    for pos in state.cells.positions().filter(|&pos| state.cells[pos].food().is_some()) {
        let kind = state.cells[pos].food().unwrap() as usize;
        let inside = |corner: &Pos| (0..3).contains(&(pos.i - corner.i)) && (0..3).contains(&(pos.j - corner.j));
        assert!(state.terrain.corners[kind].iter().any(inside), "{pos:?}");
    }
    // Rectangles of 0 cells, where the seed allows them, stay empty.
    let none = config(&[("BONUS_PERIOD", "1"), ("BONUS_ROWS", "0")]);
    let mut engine = (0..100).find_map(|seed| start(&none, seed).ok()).expect("one of these seeds is possible");
    engine.step(&PerSeat::default()).unwrap();
    assert_eq!(foods(&*engine), 0);
}

#[test]
fn rivers_keep_their_distance_and_leave_the_soil_in_one_piece() {
    for seed in 0..50 {
        let engine = start(&config(&[("BOARD_COLS", "40")]), seed).unwrap();
        let state: &State = typed(engine.state());
        let rivers = &state.terrain.rivers;
        assert!(connected(&state.cells, |cell| cell != Cell::Water));
        assert_eq!(
            state.cells.cells().iter().filter(|&&cell| cell == Cell::Water).count(),
            rivers.iter().map(Vec::len).sum::<usize>()
        );
        for (k, river) in rivers.iter().enumerate() {
            assert!((1..=15).contains(&river.len()));
            for other in &rivers[..k] {
                let far = |a: &Pos, b: &Pos| (a.i - b.i).abs() > 2 || (a.j - b.j).abs() > 2;
                assert!(river.iter().all(|a| other.iter().all(|b| far(a, b))), "seed {seed}");
            }
        }
    }
}

#[test]
fn colonies_fill_their_corners_diagonal_by_diagonal() {
    let engine = start(&config(&[("NUM_INI_SOLDIERS", "2"), ("NUM_INI_WORKERS", "3")]), 2).unwrap();
    let state: &State = typed(engine.state());
    let steps = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)];
    for (ant, k) in state.ants.iter().zip(0..) {
        let (a, b) = steps[k % 6];
        let pos = [(a, b), (b, 24 - a), (24 - a, 24 - b), (24 - b, a)][k / 6];
        assert_eq!((ant.id, ant.seat.index()), (k as i32, k / 6));
        assert_eq!(ant.pos, Pos::new(pos.0, pos.1), "seed 2 has no river in the corners");
    }
}
