//! Single rounds from a sketch of a small board to the sketch of the next.

use std::sync::Arc;

use super::{config, start};
use crate::ants::board::{Board, Cell, Terrain};
use crate::ants::engine::{Engine, LAY, LEAVE, MOVE, TAKE};
use crate::ants::{ABOUT, Kind, Settings, State};
use crate::game::typed;
use crate::tokens::Tokens;
use crate::{Engine as _, Generator, Grid, Orders, PerSeat, Pos, Seat};

const DOWN: i32 = 0;
const RIGHT: i32 = 1;
const UP: i32 = 2;
const LEFT: i32 = 3;
const SOLDIER: i32 = 1;
const WORKER: i32 = 2;

/// Settings under which only what a test orders happens: eggs are free, each
/// food is worth one of one nutrient, none grows.
fn calm() -> Settings {
    let mut settings = Settings::read(&mut Tokens::new(ABOUT.default_config.as_bytes())).unwrap();
    (settings.soldier_cost, settings.worker_cost) = ([0; 3], [0; 3]);
    (settings.bread, settings.seed, settings.leaf) = ([1, 0, 0], [0, 1, 0], [0, 0, 1]);
    (settings.bonus_rows, settings.bonus_cols) = (0, 0);
    settings
}

/// A board from a sketch: for every cell its letter and the ant on it, `q`,
/// `s` or `w` of seat 0 or the same in capitals of seat 1. Ids go row by row.
fn sketched(settings: &Settings, sketch: &str) -> Engine {
    let rows: Vec<Vec<&str>> = sketch.split('/').map(|row| row.split_whitespace().collect()).collect();
    let settings = Settings { rows: rows.len() as i32, cols: rows[0].len() as i32, ..settings.clone() };
    let mut cells = Grid::new(settings.rows, settings.cols, Cell::Soil);
    let mut ants = Vec::new();
    for pos in cells.positions() {
        let [cell, ant] = *rows[pos.i as usize][pos.j as usize].as_bytes() else { panic!("two letters a cell") };
        cells[pos] = Cell::from_letter(cell).unwrap();
        if let Some(kind) = b"qsw".iter().position(|letter| *letter == ant.to_ascii_lowercase()) {
            ants.push((Seat::ALL[usize::from(ant.is_ascii_uppercase())], Kind::ALL[kind], pos));
        }
    }
    let terrain = Terrain { rivers: Vec::new(), corners: [[Pos::default(); 4]; 3] };
    let mut engine = Engine::without_ants(&Arc::new(settings), Board { cells, terrain }, Generator::new(1));
    ants.into_iter().for_each(|(seat, kind, pos)| engine.create(seat, kind, pos));
    engine
}

fn state(engine: &Engine) -> &State {
    typed(engine.state())
}

fn sketch_of(state: &State) -> String {
    let row = |i: i32| {
        let cells = (0..state.cells.cols()).map(|j| {
            let pos = Pos::new(i, j);
            let ant = state.ant(state.ant_on[pos]).map_or('.', |ant| {
                let letter = ['q', 's', 'w'][ant.kind as usize];
                if ant.seat == Seat::ALL[0] { letter } else { letter.to_ascii_uppercase() }
            });
            format!("{}{ant}", state.cells[pos] as u8 as char)
        });
        cells.collect::<Vec<_>>().join(" ")
    };
    (0..state.cells.rows()).map(row).collect::<Vec<_>>().join(" / ")
}

/// Plays a round with these orders, each given by the seat of its ant.
fn step(engine: &mut Engine, orders: &[[i32; 4]]) {
    let mut given: PerSeat<Orders> = PerSeat::default();
    for order in orders {
        let seat = state(engine).ant(order[0]).map_or(Seat::ALL[0], |ant| ant.seat);
        given[seat].push(order);
    }
    engine.step(&given).unwrap();
}

/// One round from a sketch: the ids of the orders done, by id, and the board after it.
fn check_with(settings: &Settings, before: &str, orders: &[[i32; 4]], done: &[i32], after: &str) {
    let mut engine = sketched(settings, before);
    step(&mut engine, orders);
    let mut ids: Vec<i32> = engine.done().iter().map(|order| order[0]).collect();
    ids.sort_unstable();
    assert_eq!((sketch_of(state(&engine)).as_str(), &ids[..]), (after, done), "{before} with {orders:?}");
}

fn check(before: &str, orders: &[[i32; 4]], done: &[i32], after: &str) {
    check_with(&calm(), before, orders, done, after);
}

fn go(id: i32, dir: i32) -> [i32; 4] {
    [id, MOVE, dir, -1]
}

#[test]
fn moving_onto_an_ant_is_an_attack() {
    // By rank, whoever moves; a move is done even if the mover dies of it.
    check(".q .W", &[go(0, RIGHT)], &[0], ".. .q");
    check(".q .S", &[go(0, RIGHT)], &[0], ".. .q");
    check(".q .s .W", &[go(1, RIGHT)], &[1], ".q .. .s");
    check(".q .w .S", &[go(1, RIGHT)], &[1], ".q .. .Q");
    check(".s .Q .q", &[go(0, RIGHT)], &[0], ".. .Q .q");
    // Equals kill each other, queens too; the colony goes on with another ant.
    check(".q .w .W .Q", &[go(1, RIGHT)], &[1], ".q .. .. .Q");
    check(".w .q .Q .W", &[go(1, RIGHT)], &[1], ".q .. .. .Q");
    // One's own ants are no exception, and ants that swap places fight.
    check(".q .. .w .w", &[go(1, RIGHT)], &[1], ".q .. .. ..");
    check(".q .w", &[go(0, RIGHT)], &[0], ".. .q");
    for orders in [[go(1, RIGHT), go(2, LEFT)], [go(2, LEFT), go(1, RIGHT)]] {
        let mut engine = sketched(&calm(), ".q .. .s .w");
        step(&mut engine, &orders);
        assert_eq!(sketch_of(state(&engine)), ".q .. .. .s");
    }
}

#[test]
fn moves_that_are_refused() {
    check(".q W. / .. ..", &[go(0, RIGHT)], &[], ".q W. / .. ..");
    check(".q W. / .. ..", &[go(0, UP)], &[], ".q W. / .. ..");
    check(".q W. / .. ..", &[go(0, LEFT)], &[], ".q W. / .. ..");
    check(".q W. / .. ..", &[go(0, 4)], &[], ".q W. / .. ..");
    check(".q W. / .. ..", &[go(0, -1)], &[], ".q W. / .. ..");
    check(".q W. / .. ..", &[go(0, i32::MIN)], &[], ".q W. / .. ..");
    check(".q W. / .. ..", &[[0, 7, 0, 0]], &[], ".q W. / .. ..");
    check(".q W. / .. ..", &[go(0, DOWN)], &[0], ".. W. / .q ..");
}

#[test]
fn queens_move_in_some_rounds_and_lay_in_all() {
    let mut engine = sketched(&Settings { queen_period: 3, ..calm() }, ".q .. .. .. / W. .. .. ..");
    for (orders, after) in [
        ([go(0, RIGHT)], ".. .q .. .. / W. .. .. .."),
        ([go(0, RIGHT)], ".. .q .. .. / W. .. .. .."),
        ([[0, LAY, LEFT, SOLDIER]], ".s .q .. .. / W. .. .. .."),
        ([go(0, RIGHT)], ".s .. .q .. / W. .. .. .."),
    ] {
        step(&mut engine, &orders);
        assert_eq!(sketch_of(state(&engine)), after);
    }
}

#[test]
fn eggs() {
    check(".q ..", &[[0, LAY, RIGHT, WORKER]], &[0], ".q .w");
    check(".q B.", &[[0, LAY, RIGHT, SOLDIER]], &[0], ".q Bs");
    // On an occupied cell the egg is lost, unless the cell is free by the end.
    check(".q .W .Q", &[[0, LAY, RIGHT, WORKER]], &[0], ".q .W .Q");
    check(".q .w ..", &[[0, LAY, RIGHT, SOLDIER], go(1, RIGHT)], &[0, 1], ".q .s .w");
    let old = Settings { worker_life: 1, ..calm() };
    check_with(&old, ".q .W .Q", &[[0, LAY, RIGHT, WORKER]], &[0], ".q .w .Q");
    check(".q W. .Q", &[[0, LAY, RIGHT, WORKER]], &[], ".q W. .Q");
    // Of two eggs on one cell, one hatches.
    let mut engine = sketched(&calm(), ".q .. .Q");
    step(&mut engine, &[[0, LAY, RIGHT, WORKER], [1, LAY, LEFT, WORKER]]);
    assert_eq!((engine.done().len(), state(&engine).ants.len()), (2, 3));
    // What cannot be laid, by whom and where.
    for order in [[0, LAY, LEFT, WORKER], [0, LAY, 4, WORKER], [0, LAY, RIGHT, 0], [0, LAY, RIGHT, 3]] {
        check(".q .. .w", &[order], &[], ".q .. .w");
    }
    check(".q .. .w", &[[1, LAY, LEFT, WORKER]], &[], ".q .. .w");
}

#[test]
fn a_lost_egg_is_paid_for() {
    let settings = Settings { worker_cost: [1, 0, 0], bread: [2, 5, 5], ..calm() };
    let mut engine = sketched(&settings, ".q B. .W .Q");
    step(&mut engine, &[go(0, RIGHT)]);
    assert_eq!(state(&engine).ants[0].reserve, [2, 5, 5]);
    for reserve in [[1, 5, 5], [0, 5, 5], [0, 5, 5]] {
        step(&mut engine, &[[0, LAY, RIGHT, WORKER]]);
        assert_eq!((state(&engine).ants[0].reserve, state(&engine).ants.len()), (reserve, 3));
    }
}

#[test]
fn food_is_carried_by_workers_and_eaten_by_walking() {
    let mut engine = sketched(&calm(), ".q Bw S. .s");
    for (orders, done, after) in [
        (&[[1, LEAVE, -1, -1], [0, TAKE, -1, -1], [2, TAKE, -1, -1]][..], 0, ".q Bw S. .s"),
        (&[[1, TAKE, -1, -1]], 1, ".q .w S. .s"),
        (&[go(1, RIGHT)], 1, ".q .. Sw .s"),
        // It can neither put one piece on another nor carry two.
        (&[[1, LEAVE, -1, -1]], 0, ".q .. Sw .s"),
        (&[[1, TAKE, -1, -1]], 0, ".q .. Sw .s"),
        (&[go(1, LEFT)], 1, ".q .w S. .s"),
        (&[[1, LEAVE, -1, -1]], 1, ".q Bw S. .s"),
        (&[go(1, RIGHT)], 1, ".q B. Sw .s"),
        (&[go(0, RIGHT)], 1, ".. .q Sw .s"),
    ] {
        step(&mut engine, orders);
        assert_eq!((sketch_of(state(&engine)).as_str(), engine.done().len()), (after, done), "{orders:?}");
    }
    assert_eq!(state(&engine).ants[0].reserve, [1, 0, 0]);
}

#[test]
fn a_new_queen_eats_what_she_carries_and_stands_on() {
    let settings = Settings { queen_life: 3, ..calm() };
    let mut engine = sketched(&settings, ".q Bw Ss");
    step(&mut engine, &[[1, TAKE, -1, -1]]);
    step(&mut engine, &[go(1, RIGHT)]);
    assert_eq!(sketch_of(state(&engine)), ".q .. Ss", "the worker died attacking, and its bread is lost");
    step(&mut engine, &[]);
    assert_eq!(sketch_of(state(&engine)), ".. .. .q");
    assert_eq!((state(&engine).ants[0].reserve, state(&engine).ants[0].life), ([0, 1, 0], 3));

    let mut engine = sketched(&settings, "Lq Bw S.");
    step(&mut engine, &[[1, TAKE, -1, -1]]);
    step(&mut engine, &[go(1, RIGHT)]);
    step(&mut engine, &[]);
    let queen = &state(&engine).ants[0];
    assert_eq!((queen.id, queen.kind, queen.reserve, queen.load), (1, Kind::Queen, [1, 1, 0], None));
    assert_eq!(sketch_of(state(&engine)), "L. .. .q");
}

#[test]
fn a_newborn_can_save_the_colony() {
    let settings = Settings { queen_life: 1, ..calm() };
    check_with(&settings, "Bq ..", &[[0, LAY, RIGHT, WORKER]], &[0], "B. .q");
    let mut engine = sketched(&settings, ".q ..");
    step(&mut engine, &[[0, LAY, RIGHT, WORKER]]);
    step(&mut engine, &[]);
    step(&mut engine, &[]);
    // It counted in the round it was born; then it died as a queen of one round.
    assert_eq!((state(&engine).scores, state(&engine).ants.len()), ([1, 0, 0, 0], 0));
}

#[test]
fn lives() {
    let settings = Settings { worker_life: 3, ..calm() };
    let mut engine = sketched(&settings, ".q .. .w");
    let mut scores = Vec::new();
    for round in 0..6 {
        step(&mut engine, if round == 0 { &[[0, LAY, RIGHT, WORKER]] } else { &[] });
        scores.push(state(&engine).scores[0]);
    }
    // The worker of the beginning counts twice, the one that hatched three times.
    assert_eq!(scores, [3, 6, 8, 9, 10, 11]);
}

#[test]
fn an_idle_match() {
    for seed in [0, 1, i32::MAX] {
        let mut engine = start(&config(&[]), seed).unwrap();
        for _ in 0..250 {
            engine.step(&PerSeat::default()).unwrap();
        }
        assert_eq!(engine.state().scores(), [1511; 4]);
    }
}

#[test]
fn only_the_first_order_for_an_ant_counts() {
    let mut engine = sketched(&calm(), ".q .w ..");
    let asked: Orders = [&go(1, 9)[..], &go(1, RIGHT)].into_iter().collect();
    let mut accepted: PerSeat<Orders> = PerSeat::default();
    engine.accept(Seat::ALL[0], &asked, &mut accepted[0]).unwrap();
    engine.step(&accepted).unwrap();
    assert_eq!((sketch_of(state(&engine)).as_str(), engine.done().len()), (".q .w ..", 0));
}

#[test]
fn impossible_orders_draw_and_misaddressed_ones_do_not() {
    let after = |orders: &[[i32; 4]]| {
        let mut engine = sketched(&calm(), ".q .w .. .W .Q");
        let mut given: PerSeat<Orders> = PerSeat::default();
        orders.iter().for_each(|order| given[0].push(order));
        engine.step(&given).unwrap();
        engine.digest()
    };
    let idle = after(&[]);
    for order in [go(2, LEFT), go(3, UP), go(4, UP), go(-1, UP), go(i32::MAX, UP), go(i32::MIN, UP)] {
        assert_eq!(after(&[order]), idle, "{order:?}");
    }
    for order in [go(0, LEFT), go(1, 9), [1, TAKE, -1, -1], [1, 9, 0, 0]] {
        assert_ne!(after(&[order]), idle, "{order:?}");
    }
}
