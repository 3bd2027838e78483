//! The rules by small cases. Every board is 12 by 12 and has the citizens of
//! the case, filled up with clan 3 along the bottom row to four builders and
//! four warriors.

use std::any::Any;

use super::engine::{BUILD, MOVE, attacker_wins};
use super::state::{Kind, State};
use super::{ABOUT, Purge};
use crate::game::{Engine, typed};
use crate::random_matches::check_rounds;
use crate::record::Header;
use crate::{Dir4, Game, Generator, Orders, PerSeat, Pos, Seat};

const DOWN: i32 = Dir4::Down as i32;
const RIGHT: i32 = Dir4::Right as i32;
const UP: i32 = Dir4::Up as i32;

/// Lines of the default config, changed.
fn changed(changes: &[(&str, i32)]) -> String {
    let changed_line = |line: &str| {
        let label = line.split_whitespace().next().unwrap_or("");
        match changes.iter().find(|(name, _)| *name == label) {
            Some((_, value)) => format!("{label} {value}\n"),
            None => format!("{line}\n"),
        }
    };
    ABOUT.default_config.lines().map(changed_line).collect()
}

/// A config with a FIXED board whose first rows, citizens and barricades are given.
fn fixed(changes: &[(&str, i32)], top: &[&str], citizens: &[&str], barricades: &[&str]) -> String {
    let count = |letter: char| top.join("").matches(letter).count() as i32;
    let mut settings = changes.to_vec();
    settings.extend([
        ("BOARD_ROWS", 12),
        ("BOARD_COLS", 12),
        ("NUM_INI_BUILDERS", 1),
        ("NUM_INI_WARRIORS", 1),
        ("NUM_INI_MONEY", count('M')),
        ("NUM_INI_FOOD", count('F')),
        ("NUM_INI_GUNS", count('G')),
        ("NUM_INI_BAZOOKAS", count('Z')),
    ]);
    let mut text = changed(&settings).replace("RANDOM", "FIXED\nx x\n");
    for i in 0..12 {
        text += &format!("{i:02} {:.<12}\n", top.get(i).unwrap_or(&""));
    }
    let life = |kind: &str| text.split(kind).nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    let (builder_life, warrior_life) = (life("BUILDER_INI_LIFE"), life("WARRIOR_INI_LIFE"));
    text += "citizens 8 type id player row column weapon life\n";
    let (mut builders, mut warriors) = (0, 0);
    for citizen in citizens {
        let (life, number) =
            if citizen.starts_with('b') { (&builder_life, &mut builders) } else { (&warrior_life, &mut warriors) };
        *number += 1;
        text += &format!("{citizen} {life}\n");
    }
    for k in builders..4 {
        text += &format!("b {} 3 11 {k} n {builder_life}\n", 100 + k);
    }
    for k in warriors..4 {
        text += &format!("w {} 3 11 {} h {warrior_life}\n", 200 + k, 4 + k);
    }
    text + &format!("barricades {} player row column resistance\n{}\n", barricades.len(), barricades.join("\n"))
}

fn start(config: &str) -> Box<dyn Engine> {
    Purge.read_config(config.as_bytes()).unwrap().start(1).unwrap()
}

/// Plays a round with the orders of one clan.
fn step(engine: &mut dyn Engine, seat: usize, orders: &[[i32; 3]]) {
    let mut all = PerSeat::<Orders>::default();
    orders.iter().for_each(|order| all[seat].push(order));
    engine.step(&all).unwrap();
}

fn wait_for_round(engine: &mut dyn Engine, round: i32) {
    while state(engine).round < round {
        step(engine, 0, &[]);
    }
}

fn state(engine: &dyn Engine) -> &State {
    typed(engine.state())
}

/// The first letters of a row.
fn row(engine: &dyn Engine, i: i32, count: usize) -> String {
    state(engine).cells.row(i)[..count].iter().map(|&cell| char::from(cell as u8)).collect()
}

#[test]
fn published_player_draws() {
    for (seed, first, second) in [(5, 267_568, 247_631), (i32::MAX, 756_043, 330_327)] {
        let mut generator = Generator::for_player(seed, Seat::ALL[0]);
        assert_eq!((generator.random(0, 999_999), generator.random(0, 999_999)), (first, second));
    }
}

#[test]
fn published_chances_of_the_attacker() {
    let chances = |attacker, defender| (0..=1000).filter(|&draw| attacker_wins(draw, attacker, defender)).count();
    assert_eq!(chances(10, 10), 500);
    assert_eq!(chances(1, 1000), 1);
    assert_eq!(chances(1000, 1), 1000);
    assert_eq!(chances(10, 100), 91);
    assert_eq!(chances(i32::MAX / 2, i32::MAX / 2), 500);
    assert_eq!(chances(i32::MAX, i32::MAX), 500);
}

#[test]
fn strengths_have_no_upper_limit() {
    for label in ["BAZOOKA_STRENGTH_ATTACK", "BAZOOKA_STRENGTH_DEMOLISH"] {
        assert!(Purge.read_config(changed(&[(label, i32::MAX)]).as_bytes()).is_ok(), "{label}");
    }
}

#[test]
fn wrong_configs_are_refused_with_a_reason() {
    let check = |label: &str, value: i32, expected: &str| {
        let error = Purge.read_config(changed(&[(label, value)]).as_bytes()).err().unwrap();
        assert!(error.message.ends_with(expected), "{error}");
    };
    check("NUM_ROUNDS_PER_DAY", 7, "NUM_ROUNDS_PER_DAY must be even, found 7");
    check("NUM_DAYS", 2001, "NUM_DAYS times NUM_ROUNDS_PER_DAY must be at most 100000, found 100050");
    check("NUM_DAYS", i32::MAX, "at most 100000, found 107374182350");
    check("BOARD_ROWS", 26, "BOARD_ROWS must be from 12 to 25, found 26");
    check("BOARD_COLS", 11, "BOARD_COLS must be from 12 to 50, found 11");
    check("BUILDER_STRENGTH_ATTACK", 0, "BUILDER_STRENGTH_ATTACK must be at least 1, found 0");
    check(
        "HAMMER_STRENGTH_DEMOLISH",
        2,
        "BUILDER_STRENGTH_DEMOLISH must be at most HAMMER_STRENGTH_DEMOLISH, found 3 and 2",
    );
    check(
        "BARRICADE_MAX_RESISTANCE",
        39,
        "BARRICADE_RESISTANCE_STEP must be at most BARRICADE_MAX_RESISTANCE, found 40 and 39",
    );
}

#[test]
fn wrong_boards_are_refused_with_a_reason() {
    let check = |citizens: &[&str], barricades: &[&str], expected: &str| {
        let config = fixed(&[], &["BM"], citizens, barricades);
        let error = Purge.read_config(config.as_bytes()).err().unwrap();
        assert_eq!(error.message, expected);
    };
    check(&["b 0 0 0 0 n"], &[], "citizen 0 must stand on an empty street, found 'B' at (0, 0)");
    check(&["b 0 0 0 1 n"], &[], "citizen 0 must stand on an empty street, found 'M' at (0, 1)");
    check(&["b 0 0 12 1 n"], &[], "row must be from 0 to 11, found 12");
    check(&["b 0 4 1 1 n"], &[], "player must be from 0 to 3, found 4");
    check(&["b 0 0 1 1 h"], &[], "builder 0 must have no weapon (n)");
    check(&["w 0 0 1 1 n"], &[], "warrior 0 must have a weapon (h, g or b)");
    check(&["b -1 0 1 1 n"], &[], "the id of a citizen must be its own, and not -1, found -1");
    check(&["b 5 0 1 1 n", "w 5 0 1 2 h"], &[], "the id of a citizen must be its own, and not -1, found 5");
    check(&["b 0 0 1 1 n"], &["1 1 1 40"], "citizen 0 of player 0 must not be in a barricade of player 1");
    check(
        &[],
        &["0 2 2 40", "0 2 2 40"],
        "a barricade must be on an empty street or around a citizen, found 'b' at (2, 2)",
    );
    check(
        &[],
        &["0 2 2 321"],
        "the barricade at (2, 2) must have a resistance from 0 to 320 (BARRICADE_MAX_RESISTANCE), found 321",
    );
    check(
        &[],
        &["2 2 1 1", "2 2 2 1", "2 2 3 1", "2 2 4 1"],
        "player 2 must have at most 3 barricades (MAX_NUM_BARRICADES), found 4",
    );
    let config = fixed(&[("NUM_INI_MONEY", 2)], &["BM"], &[], &[]);
    let error = Purge.read_config(config.as_bytes()).err().unwrap();
    assert_eq!(error.message, "the board must have 2 pieces of money (NUM_INI_MONEY), found 1");
}

#[test]
fn letters_need_no_space_around_them() {
    let config = fixed(&[], &[], &["b0 0 0 0n", "w -7 1 0 1h"], &[]);
    let engine = start(&config);
    assert_eq!(row(&*engine, 0, 3), "CW.");
    assert_eq!(state(&*engine).citizens[0].id, -7);
}

#[test]
fn one_id_is_left_out_on_random_boards() {
    let random = super::read_config(ABOUT.default_config.as_bytes()).unwrap();
    let (board, next_id) = super::generate::board(&random.settings, &mut Generator::new(1)).unwrap();
    assert_eq!((board.citizens.len(), next_id), (24, 25));
    let changes = [("LIFE_LOST_IN_ATTACK", 100), ("NUM_ROUNDS_REGEN_BUILDER", 1), ("NUM_ROUNDS_PER_DAY", 2)];
    let mut engine = start(&fixed(&changes, &[], &["b 1000 0 0 0 n", "w -9 1 0 1 b"], &[]));
    wait_for_round(&mut *engine, 1);
    step(&mut *engine, 1, &[[-9, MOVE, Dir4::Left as i32]]);
    assert_eq!(state(&*engine).citizens.last().unwrap().id, 1001);
    assert_eq!(state(&*engine).scores, [0, 100, 0, 0]);
}

#[test]
fn a_delay_counts_the_round_of_the_loss() {
    for delay in [1, 2, 5] {
        let config = fixed(&[("NUM_ROUNDS_REGEN_MONEY", delay)], &[".M"], &["b 0 0 0 0 n"], &[]);
        let mut engine = start(&config);
        step(&mut *engine, 0, &[[0, MOVE, RIGHT]]);
        assert_eq!(state(&*engine).scores, [5, 0, 0, 0]);
        let money =
            |engine: &dyn Engine| state(engine).cells.cells().iter().filter(|&&cell| cell as u8 == b'M').count();
        for round in 1..=delay {
            wait_for_round(&mut *engine, round);
            assert_eq!(money(&*engine), usize::from(round == delay), "delay {delay}, round {round}");
        }
    }
}

#[test]
fn items_are_gone_even_without_benefit() {
    let citizens = ["b 0 0 0 0 n", "w 1 0 1 0 b", "w 2 0 2 0 h"];
    let mut engine = start(&fixed(&[], &[".Z.", ".G.", ".GF"], &citizens, &[]));
    step(&mut *engine, 0, &[[0, MOVE, RIGHT], [1, MOVE, RIGHT], [2, MOVE, RIGHT]]);
    step(&mut *engine, 0, &[[2, MOVE, RIGHT]]);
    assert_eq!([0, 1, 2].map(|i| row(&*engine, i, 4)), [".C..", ".W..", "..W."]);
    let weapons = [0, 1, 2].map(|id| state(&*engine).citizen(id).unwrap().weapon);
    assert_eq!(weapons, [None, Some(super::Weapon::Bazooka), Some(super::Weapon::Gun)]);
    assert_eq!(state(&*engine).citizen(2).unwrap().life, 100);
}

#[test]
fn what_can_be_built() {
    let citizens = ["b 0 0 1 1 n", "w 1 0 3 1 h", "b 2 1 5 1 n"];
    let changes = [("MAX_NUM_BARRICADES", 2), ("BARRICADE_MAX_RESISTANCE", 70)];
    let engine = start(&fixed(&changes, &["", ".", "B"], &citizens, &["1 5 1 10", "1 1 0 10"]));
    let check = |seat: usize, order: [i32; 3], expected: &[(i32, i32, i32)]| {
        let mut engine = engine.snapshot();
        step(&mut *engine, seat, &[order]);
        let found: Vec<_> = state(&*engine).barricades.iter().map(|b| (b.pos.i, b.pos.j, b.resistance)).collect();
        let before = [(1, 0, 10), (5, 1, 10)];
        assert_eq!(engine.done().len(), usize::from(found != before), "{order:?}");
        assert_eq!(found, expected, "{order:?}");
    };
    let unchanged = [(1, 0, 10), (5, 1, 10)];
    check(0, [0, BUILD, UP], &[(0, 1, 40), (1, 0, 10), (5, 1, 10)]);
    check(0, [0, BUILD, Dir4::Left as i32], &unchanged);
    check(0, [0, BUILD, 4], &unchanged);
    check(0, [0, 2, UP], &unchanged);
    check(0, [1, BUILD, UP], &unchanged);
    check(1, [2, BUILD, UP], &unchanged);
    check(1, [0, BUILD, UP], &unchanged);
    let mut engine = engine.snapshot();
    for (resistance, building) in [(40, UP), (70, UP), (70, UP), (70, DOWN), (70, RIGHT)] {
        step(&mut *engine, 0, &[[0, BUILD, building]]);
        assert_eq!(state(&*engine).barricades[0].resistance, resistance);
        assert_eq!(engine.done().len(), usize::from(building != RIGHT));
    }
}

#[test]
fn barricades_by_day_and_by_night() {
    let citizens = ["b 0 0 0 0 n", "b 1 0 0 1 n", "w 2 1 1 0 h"];
    let engine = start(&fixed(&[], &[], &citizens, &["0 0 0 11", "0 0 2 0"]));
    let check = |round: i32, seat: usize, order: [i32; 3], expected: &str| {
        let mut engine = engine.snapshot();
        wait_for_round(&mut *engine, round);
        step(&mut *engine, seat, &[order]);
        assert_eq!(row(&*engine, 0, 4), expected, "{order:?} in round {round}");
        engine
    };
    check(0, 0, [1, MOVE, RIGHT], "c.c.");
    check(0, 0, [1, MOVE, Dir4::Left as i32], "cCb.");
    check(0, 1, [2, MOVE, UP], "cCb.");
    let mut engine = check(25, 1, [2, MOVE, UP], "cCb.");
    assert_eq!(state(&*engine).barricades[0].resistance, 1);
    step(&mut *engine, 1, &[[2, MOVE, UP]]);
    assert_eq!(row(&*engine, 0, 4), "CCb.");
    assert_eq!(state(&*engine).citizen(0).unwrap().life, 60);
    wait_for_round(&mut *engine, 50);
    assert_eq!(row(&*engine, 0, 4), "CC..");
}

#[test]
fn a_barricade_without_resistance_falls_at_the_first_blow() {
    let mut engine = start(&fixed(&[], &[], &["b 0 0 0 0 n"], &["1 0 1 0"]));
    wait_for_round(&mut *engine, 25);
    step(&mut *engine, 0, &[[0, MOVE, RIGHT]]);
    assert_eq!(row(&*engine, 0, 3), "C..");
    assert_eq!(engine.done().len(), 1);
}

#[test]
fn only_orders_for_own_citizens_are_drawn_for() {
    let engine = start(&fixed(&[], &["BB"], &["b 0 0 1 0 n", "b 1 1 1 5 n"], &[]));
    let after = |orders: &[[i32; 3]]| {
        let mut engine = engine.snapshot();
        step(&mut *engine, 0, orders);
        assert!(engine.done().is_empty());
        engine.digest()
    };
    let nothing = after(&[]);
    assert_eq!(after(&[[1, MOVE, UP], [77, MOVE, UP], [-1, MOVE, UP]]), nothing);
    assert_ne!(after(&[[0, MOVE, UP]]), nothing);
    assert_eq!(after(&[[0, MOVE, 9]]), after(&[[0, 5, UP]]));
}

#[test]
fn things_wait_for_a_safe_cell() {
    // Streets only in the first row and around the others in the last one:
    // every cell has somebody within two cells.
    let mut top = ["BBBBBBBBBBBB"; 12];
    top[0] = ".M..........";
    top[11] = "BBB.....BBBB";
    let citizens = ["b 0 0 0 0 n", "b 1 0 0 5 n", "b 2 0 0 9 n"];
    let changes = [("NUM_ROUNDS_REGEN_MONEY", 1)];
    let mut engine = start(&fixed(&changes, &top, &citizens, &[]));
    step(&mut *engine, 0, &[[0, MOVE, RIGHT]]);
    let digest = engine.digest();
    assert_eq!(row(&*engine, 0, 12), ".C...C...C..");
    step(&mut *engine, 0, &[[2, MOVE, RIGHT], [1, MOVE, RIGHT]]);
    assert_eq!(row(&*engine, 0, 12), ".C....C...C.");
    step(&mut *engine, 0, &[[1, MOVE, RIGHT]]);
    assert_eq!(row(&*engine, 0, 12), ".C..M..C..C.");
    assert_ne!(engine.digest(), digest);
}

/// In whole matches each clan keeps its citizens of each kind, alive or waiting.
#[test]
fn nobody_is_lost_or_made() {
    let mut deaths = 0;
    check_rounds(&Purge, |_: &State, _, after| {
        let engine: &super::engine::Engine = (after as &dyn Any).downcast_ref().unwrap();
        let after: &State = typed(engine.state());
        let initial = [after.settings.initial_builders, after.settings.initial_warriors];
        for (seat, kind) in Seat::ALL.into_iter().flat_map(|seat| Kind::ALL.map(|kind| (seat, kind))) {
            let waiting = engine.dead.iter().filter(|&(who, _)| who == (kind, seat)).count();
            let all = after.citizens_of(seat, kind).count() + waiting;
            assert_eq!(all, initial[kind as usize] as usize, "{kind:?} of {seat}");
            deaths += waiting;
        }
    });
    assert!(deaths > 0);
}

#[test]
fn an_id_that_does_not_fit_ends_the_match() {
    let changes = [("LIFE_LOST_IN_ATTACK", 100), ("NUM_ROUNDS_REGEN_BUILDER", 1), ("NUM_ROUNDS_PER_DAY", 2)];
    let mut engine = start(&fixed(&changes, &[], &["b 2147483647 0 0 0 n", "w 1 1 0 1 b"], &[]));
    step(&mut *engine, 1, &[]);
    let mut orders = PerSeat::<Orders>::default();
    orders[1].push(&[1, MOVE, Dir4::Left as i32]);
    assert_eq!(engine.step(&orders).unwrap_err().0, "there are no ids left for newborn citizens");
}

#[test]
fn a_digest_tells_every_visible_field() {
    let engine = start(&fixed(&[], &["", ".M"], &["w 7 0 3 3 h"], &["0 2 2 40"]));
    let digest = |change: &dyn Fn(&mut State)| {
        let mut state = state(&*engine).clone();
        change(&mut state);
        let mut digest = crate::Digest::new();
        crate::State::digest(&state, &mut digest);
        digest.finish()
    };
    let changes: [&dyn Fn(&mut State); 12] = [
        &|_| (),
        &|state| state.cells[Pos::new(1, 1)] = super::Cell::Food,
        &|state| state.round += 1,
        &|state| state.scores[3] = 5,
        &|state| state.citizens[0].id -= 1,
        &|state| state.citizens[0].life -= 1,
        &|state| state.citizens[0].pos.i += 1,
        &|state| state.citizens[0].pos.j += 1,
        &|state| state.citizens[0].weapon = Some(super::Weapon::Gun),
        &|state| state.citizens[0].seat = Seat::ALL[1],
        &|state| state.barricades[0].owner = Seat::ALL[1],
        &|state| state.barricades[0].resistance -= 1,
    ];
    let mut digests = changes.map(digest).to_vec();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), changes.len());
}

#[test]
fn a_record_reads_back_and_may_break_off_anywhere() {
    let config = changed(&[("NUM_DAYS", 1), ("NUM_ROUNDS_PER_DAY", 4), ("BOARD_COLS", 12)]);
    let mut engine = start(&config);
    let header = Header { judged: true, seed: 1, names: ["a", "b", "c", "a"].map(String::from) };
    let mut record = Vec::new();
    let mut writer = Purge.begin_record(&header, engine.state(), &mut record);
    for round in 0..4 {
        step(&mut *engine, 0, &[[0, MOVE, round], [1, BUILD, UP], [2, BUILD, DOWN], [4, MOVE, RIGHT]]);
        engine.set_status(
            [-1.0, 0.25, 1.0 / 300.0, 0.0]
                .map(|used| if used < 0.0 { crate::Status::FROZEN } else { crate::Status::used(used) }),
        );
        writer.round(engine.done(), engine.state(), &mut record);
    }
    let whole = Purge.read_record(&record).unwrap();
    let mut again = Vec::new();
    whole.write(&mut again);
    assert_eq!(String::from_utf8(again), String::from_utf8(record.clone()));
    assert_eq!((whole.frames.len(), whole.damage), (5, None));
    for len in 0..record.len() - 2 {
        if let Ok(part) = Purge.read_record(&record[..len]) {
            assert!(part.damage.is_some(), "{len} bytes");
            assert!(part.frames.len() < 6);
        }
    }
}

#[test]
fn a_view_has_the_published_layout() {
    let config =
        fixed(&[("MAX_NUM_BARRICADES", 2)], &["BMFGZ"], &["b -7 1 1 0 n", "w 5 2 1 1 g"], &["1 1 0 77", "3 2 3 9"]);
    let engine = start(&config);
    let (mut settings, mut view) = (Vec::new(), Vec::new());
    Purge.write_settings(engine.state(), &mut settings);
    Purge.write_view(engine.state(), Seat::ALL[2], &mut view);
    let ints = |bytes: &[u8]| -> Vec<i32> { bytes.as_chunks().0.iter().copied().map(i32::from_le_bytes).collect() };

    let settings = ints(&settings);
    assert_eq!(settings.len(), 34);
    assert_eq!(settings[..7], [4, 5, 50, 12, 12, 1, 1]);
    assert_eq!(settings[16..27], [20, 20, 1, 10, 100, 1000, 3, 10, 10, 30, 50]);
    assert_eq!(settings[31..], [40, 320, 2]);

    assert_eq!(ints(&view[..32]), [0, 1, 8, 2, 0, 0, 0, 0]);
    assert_eq!(view[32..64], [0; 32]);
    assert_eq!(view[64..70], [0x1b, 0x03, 0x07, 0x09, 0x0a, 0x0b]);
    assert_eq!(view[64 + 12..64 + 14], [0x4b, 0x0b]);
    assert_eq!(view[64 + 2 * 12 + 3], 0x8b);
    let rest = ints(&view[64 + 144..]);
    let (ids, rest) = rest.split_at(144);
    let (resistances, rest) = rest.split_at(144);
    assert_eq!(ids[11..15], [-1, -7, 5, -1]);
    assert_eq!((resistances[11], resistances[12], resistances[2 * 12 + 3]), (-1, 77, 9));
    assert_eq!(rest.len(), 8 * 7 + 2 * 4);
    assert_eq!(rest[..14], [-7, 0, 1, 1, 0, 3, 60, 5, 1, 2, 1, 1, 1, 100]);
    assert_eq!(rest[8 * 7..], [1, 1, 0, 77, 3, 2, 3, 9]);
}
