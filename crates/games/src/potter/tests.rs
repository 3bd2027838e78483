//! The published numbers of whole boards and matches, and the rules that
//! surprise, each on a small board of its own.

use std::sync::Arc;

use super::board::{Board, Cell, CellSet};
use super::engine::{Engine, MOVE, SPELL};
use super::settings::Settings;
use super::state::{Kind, State, Unit};
use super::{ABOUT, Potter, read_config};
use crate::game::{BuiltinPlayer, Engine as _, Game as _, typed};
use crate::random_matches::check_rounds;
use crate::record::Header;
use crate::tokens::Tokens;
use crate::{Dir8, Generator, Orders, PerSeat, Pos, Seat};

const UP: i32 = Dir8::Up as i32;
const DOWN: i32 = Dir8::Down as i32;
const LEFT: i32 = Dir8::Left as i32;
const RIGHT: i32 = Dir8::Right as i32;

/// An open board with Voldemort in the middle of the upper half, a ghost in
/// each corner, and wizards from id 4 on, each a seat and a place.
fn board(wizards: &[(usize, i32, i32)]) -> Engine {
    let settings = Arc::new(Settings::read(&mut Tokens::new(ABOUT.default_config.as_bytes())).unwrap());
    let mut state = State::unsettled(&settings, Board::new(Cell::Free));
    let ghosts = [(0, 0, 0), (1, 0, 59), (2, 59, 0), (3, 59, 59)];
    for (id, &(seat, i, j)) in ghosts.iter().chain(wizards).enumerate() {
        let (seat, pos) = (Seat::ALL[seat], Pos::new(i, j));
        let (kind, rounds) = if id < 4 { (Kind::Ghost, settings.spell_rest) } else { (Kind::Wizard, 0) };
        state.units.push(Unit { id: id as i32, kind, seat, pos, rounds, next: Unit::NONE });
        state.unit_on[pos] = id as u16;
        state.cells[pos] = Cell::of(seat);
        if kind == Kind::Wizard {
            state.enlist(id as u16, seat);
        }
    }
    state.ghosts = [0, 1, 2, 3];
    state.voldemort = Pos::new(15, 30);
    state.ingredients = vec![1; 15];
    Engine::new(state, Generator::new(1))
}

/// Plays a round with these orders, each given by the clan of its unit, and
/// says which were done.
fn play(engine: &mut Engine, given: &[&[i32]]) -> Vec<Vec<i32>> {
    let mut orders = PerSeat::<Orders>::default();
    for order in given {
        orders[engine.state.units[order[0] as usize].seat].push(order);
    }
    engine.step(&orders).unwrap();
    engine.done().iter().map(<[i32]>::to_vec).collect()
}

fn strengths(engine: &mut Engine, magic: [i32; 4]) {
    for seat in Seat::ALL {
        engine.state.strength[seat] = magic[seat] * (engine.state.wizards[seat].len() as i32 + 1);
    }
}

#[test]
fn published_boards() {
    let config = read_config(ABOUT.default_config.as_bytes()).unwrap();
    for (seed, generator, voldemort, ghosts) in [
        (0, 21_161_534, (1, 17), [(48, 53), (45, 33), (4, 19), (13, 24)]),
        (1, 675_893_695, (17, 42), [(43, 15), (5, 54), (17, 35), (17, 46)]),
        (30, 1_836_637_652, (52, 30), [(44, 39), (31, 44), (55, 30), (55, 16)]),
        (42, 69_654_662, (3, 14), [(6, 15), (8, 10), (54, 42), (20, 19)]),
    ] {
        let engine = config.engine(seed).unwrap();
        assert_eq!(engine.generator.state(), generator, "seed {seed}");
        assert_eq!(engine.state.voldemort, Pos::new(voldemort.0, voldemort.1), "seed {seed}");
        let found = Seat::ALL.map(|seat| engine.state.ghost(seat).pos);
        assert_eq!(found, ghosts.map(|(i, j)| Pos::new(i, j)), "seed {seed}");
    }
}

#[test]
fn published_match_without_orders() {
    let mut engine = read_config(ABOUT.default_config.as_bytes()).unwrap().engine(0).unwrap();
    for round in 1..=200 {
        engine.step(&PerSeat::default()).unwrap();
        match round {
            1 => assert_eq!(engine.generator.state(), 1_780_493_168),
            2 => assert_eq!(engine.generator.state(), 751_204_782),
            200 => assert_eq!(engine.generator.state(), 1_849_549_526),
            _ => {}
        }
    }
}

/// With seed 3 the Demo in seat 3 makes too many calls in round 58.
#[test]
fn published_excess_of_the_demo() {
    let config = read_config(ABOUT.default_config.as_bytes()).unwrap();
    let mut engine = config.engine(3).unwrap();
    let mut players = Seat::ALL.map(|seat| super::demo::Demo::new(3, seat));
    let (mut asked, mut accepted) = (Orders::new(), PerSeat::<Orders>::default());
    loop {
        for seat in Seat::ALL {
            asked.clear();
            players[seat.index()].play(engine.state(), &mut asked);
            if engine.accept(seat, &asked, &mut accepted[seat]).is_err() {
                assert_eq!((engine.state.round, seat), (58, Seat::ALL[3]));
                return;
            }
        }
        engine.step(&accepted).unwrap();
    }
}

#[test]
fn wizards_walk_in_four_directions_and_ghosts_in_eight() {
    let mut engine = board(&[(0, 40, 40)]);
    let diagonal = Dir8::DownRight as i32;
    assert_eq!(play(&mut engine, &[&[0, MOVE, diagonal], &[4, MOVE, diagonal]]), [[0, MOVE, diagonal]]);
    assert_eq!(engine.state.ghost(Seat::ALL[0]).pos, Pos::new(1, 1));
    assert!(play(&mut engine, &[&[4, MOVE, 8]]).is_empty());
    assert_eq!(play(&mut engine, &[&[4, MOVE, LEFT]]), [[4, MOVE, LEFT]]);
    assert_eq!(engine.owned[0], 4, "the cell that a unit leaves stays its clan's");
}

#[test]
fn only_orders_for_units_of_the_seat_draw() {
    let drawn = |order: &[i32]| {
        let mut engine = board(&[(0, 40, 40)]);
        let mut orders = PerSeat::<Orders>::default();
        orders[0].push(order);
        let mut without = engine.clone();
        engine.step(&orders).unwrap();
        without.step(&PerSeat::default()).unwrap();
        engine.generator != without.generator
    };
    assert!(drawn(&[4, MOVE, 99]) && drawn(&[4, SPELL, 1, 0]) && drawn(&[0, SPELL, 0]));
    for order in [[1, MOVE, UP], [-1, MOVE, UP], [5, MOVE, UP], [4, 2, UP], [4, SPELL, 1]] {
        assert!(!drawn(&order), "{order:?}");
    }
    assert!(!drawn(&[]) && !drawn(&[4]) && !drawn(&[4, MOVE]));
}

#[test]
fn voldemort_catches_who_runs_against_a_wall_beside_him() {
    let mut engine = board(&[(0, 17, 30)]);
    engine.state.cells[Pos::new(16, 30)] = Cell::Wall;
    engine.state.books.insert(Pos::new(17, 31));
    assert_eq!(play(&mut engine, &[&[4, MOVE, UP]]), [[4, MOVE, UP]]);
    let wizard = &engine.state.units[4];
    assert!(wizard.pos != Pos::new(17, 30) && (wizard.rounds, wizard.next) == (0, Unit::NONE));
    assert_eq!(engine.state.voldemort, Pos::new(16, 30), "the place of the dead attracts him");
    assert_eq!(engine.state.cells[Pos::new(17, 30)], Cell::Free, "he takes the ground around him");
    assert_eq!((engine.state.books.len(), engine.state.strength), (1, [1000; 4]), "the book comes back elsewhere");
}

#[test]
fn his_own_cell_is_left_alone() {
    let mut engine = board(&[(0, 30, 30)]);
    let cell = Pos::new(16, 30);
    engine.state.books.insert(cell);
    engine.own(cell, Seat::ALL[2]);
    play(&mut engine, &[]);
    assert_eq!(engine.state.voldemort, cell);
    assert!(engine.state.books.contains(cell) && engine.state.cells[cell] == Cell::Of2);
}

/// Magic strengths of attacker and defender, and who changes clan at once.
#[test]
fn more_than_double_converts_at_once() {
    let check = |a, b, expected: [usize; 2], points: [i32; 2]| {
        let mut engine = board(&[(0, 40, 40), (1, 40, 41)]);
        strengths(&mut engine, [a, b, 1, 1]);
        assert_eq!(play(&mut engine, &[&[4, MOVE, RIGHT]]).len(), 1);
        assert_eq!([4, 5].map(|id: usize| engine.state.units[id].seat.index()), expected, "{a} against {b}");
        assert_eq!(engine.state.points[..2], points, "{a} against {b}");
    };
    check(201, 100, [0, 0], [100, 0]);
    check(1, 0, [0, 0], [100, 0]);
    check(100, 201, [1, 1], [0, 100]);
    check(200, 100, [0, 1], [0, 0]);
    check(100, 200, [0, 1], [0, 0]);
    check(0, 0, [0, 1], [0, 0]);
}

#[test]
fn a_slow_conversion_ends_with_its_last_round() {
    let mut engine = board(&[(0, 40, 40), (1, 40, 41)]);
    play(&mut engine, &[&[4, MOVE, RIGHT]]);
    let loser = if engine.state.units[5].rounds > 0 { 5 } else { 4 };
    let winner = engine.state.units[9 - loser].seat;
    for left in [4, 3, 2, 1] {
        assert_eq!(engine.state.units[loser].rounds, left);
        assert_ne!(engine.state.units[loser].seat, winner);
        play(&mut engine, &[]);
    }
    let unit = &engine.state.units[loser];
    assert_eq!((unit.seat, unit.rounds, unit.next), (winner, 0, Unit::NONE));
    assert_eq!(engine.state.points[winner], 100);
    assert_eq!(engine.state.cells[unit.pos], Cell::of(winner));
}

#[test]
fn a_wizard_in_conversion_walks_but_neither_fights_nor_is_fought() {
    let mut engine = board(&[(0, 40, 40), (1, 40, 41), (0, 39, 41)]);
    (engine.state.units[5].rounds, engine.state.units[5].next) = (5, 2);
    assert!(play(&mut engine, &[&[4, MOVE, RIGHT]]).is_empty());
    assert!(play(&mut engine, &[&[5, MOVE, UP]]).is_empty());
    assert_eq!(play(&mut engine, &[&[5, MOVE, DOWN]]).len(), 1);
    assert_eq!(engine.state.cells[Pos::new(41, 41)], Cell::Of1);
}

#[test]
fn a_mate_rescues_without_moving() {
    let mut engine = board(&[(0, 40, 40), (0, 40, 41)]);
    assert!(play(&mut engine, &[&[4, MOVE, RIGHT]]).is_empty());
    (engine.state.units[5].rounds, engine.state.units[5].next) = (1, 2);
    assert_eq!(play(&mut engine, &[&[4, MOVE, RIGHT]]), [[4, MOVE, RIGHT]]);
    let [rescuer, rescued] = [4, 5].map(|id: usize| &engine.state.units[id]);
    assert_eq!((rescued.seat, rescued.rounds, rescued.next), (Seat::ALL[0], 0, Unit::NONE));
    assert_eq!(rescuer.pos, Pos::new(40, 40));
}

#[test]
fn a_wizard_converted_at_once_acts_for_its_new_clan() {
    let mut engine = board(&[(0, 40, 40), (1, 40, 41)]);
    strengths(&mut engine, [1000, 1, 1, 1]);
    engine.state.books.insert(Pos::new(40, 42));
    let mut seen = [false; 2];
    for seed in 0..20 {
        let mut engine = engine.clone();
        engine.generator = Generator::new(seed);
        let done = play(&mut engine, &[&[4, MOVE, RIGHT], &[5, MOVE, RIGHT]]);
        assert_eq!(done.len(), 2);
        let converted_first = done[0][0] == 4;
        seen[usize::from(converted_first)] = true;
        let reader = if converted_first { 0 } else { 1 };
        assert_eq!(engine.state.cells[Pos::new(40, 42)], Cell::of(Seat::ALL[reader]));
        assert_eq!(engine.state.strength[reader] % 1000, [0, 2][reader] + 50, "seed {seed}");
    }
    assert_eq!(seen, [true; 2]);
}

#[test]
fn an_attacked_ghost_rests_longer_and_is_left_in_peace_for_a_while() {
    let mut engine = board(&[(1, 0, 1)]);
    let done: Vec<usize> = (0..6).map(|_| play(&mut engine, &[&[4, MOVE, LEFT]]).len()).collect();
    assert_eq!(done, [1, 0, 0, 0, 0, 1]);
    let ghost = engine.state.ghost(Seat::ALL[0]);
    assert_eq!((ghost.rounds, ghost.next), (60 + 2 * 15 - 6, 5));
}

#[test]
fn spells() {
    let spell = |id| [id, SPELL, 15, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4];
    let mut engine = board(&[(0, 40, 40)]);
    assert!(play(&mut engine, &[&spell(0)]).is_empty(), "it has to rest first");
    engine.state.units[0].rounds = 0;
    engine.state.units[1].rounds = 0;
    engine.state.ingredients = vec![7; 15];
    assert!(play(&mut engine.clone(), &[&spell(0)[..17]]).is_empty());
    assert!(play(&mut engine.clone(), &[&spell(4)]).is_empty());
    let mut late = engine.clone();
    late.state.round = 150;
    assert!(play(&mut late.clone(), &[&spell(0)]).is_empty());
    late.state.round = 149;
    assert_eq!(play(&mut late, &[&spell(0)]).len(), 1);
    let done = play(&mut engine, &[&spell(0), &spell(1)]);
    assert_eq!(done.len(), 1, "one spell in a round");
    let caster = done[0][0] as usize;
    assert_eq!([caster, 1 - caster].map(|id| engine.state.units[id].rounds), [59, 0]);
    // 15 % of 3600 - 5 cells, less those that Voldemort took at once.
    let owned = engine.owned[caster];
    assert!((531..=541).contains(&owned), "{owned}");
}

#[test]
fn a_spell_takes_all_that_is_left_and_draws_as_if_it_shuffled() {
    let mut engine = board(&[]);
    let foreign = [Pos::new(30, 30), Pos::new(31, 31), Pos::new(50, 7)];
    for pos in CellSet::corridor(&engine.state.cells).iter() {
        if engine.state.unit_on[pos] == State::NOBODY && !foreign.contains(&pos) {
            engine.own(pos, Seat::ALL[0]);
        }
    }
    engine.state.units[0].rounds = 0;
    let mut expected = engine.generator.clone();
    expected.skip(foreign.len() as u64);
    assert!(engine.cast(0, &[0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]));
    assert!(foreign.iter().all(|&pos| engine.state.cells[pos] == Cell::Of0));
    assert_eq!(engine.generator, expected);
}

#[test]
fn books_give_strength_at_the_end_of_the_round() {
    let mut engine = board(&[(2, 40, 40)]);
    engine.state.books.insert(Pos::new(40, 41));
    assert_eq!(play(&mut engine, &[&[4, MOVE, RIGHT]]).len(), 1);
    assert_eq!(engine.state.strength, [1000, 1000, 1050, 1000]);
    assert_eq!((engine.state.books.len(), engine.state.books.contains(Pos::new(40, 41))), (1, false));
    assert_eq!(engine.state.scores[2], 3);
}

#[test]
fn a_unit_beside_voldemort_ends_the_match() {
    let mut engine = board(&[]);
    engine.state.unit_on[Pos::new(14, 29)] = 0;
    assert!(engine.check().is_err());
}

#[test]
fn nobody_is_lost_or_made() {
    check_rounds(&Potter, |before: &State, _, after| {
        let after: &State = typed(after.state());
        let kinds = |state: &State| state.units.iter().map(|unit| unit.kind).collect::<Vec<_>>();
        assert_eq!(kinds(after), kinds(before));
        assert!(Seat::ALL.iter().all(|&seat| after.ghost(seat).seat == seat && after.ghost(seat).kind == Kind::Ghost));
        // Who was caught has reappeared by the end of the round.
        let mut listed: Vec<i32> = Seat::ALL.iter().flat_map(|&seat| after.wizards(seat)).map(|unit| unit.id).collect();
        listed.sort_unstable();
        let wizards = after.units.iter().filter(|unit| unit.kind == Kind::Wizard);
        assert!(wizards.map(|unit| unit.id).eq(listed));
    });
}

fn check_config(from: &str, to: &str, expected: &str) {
    let text = ABOUT.default_config.replace(from, to);
    let found = read_config(text.as_bytes()).and_then(|config| config.engine(1).map(drop));
    assert_eq!(found.map_err(|error| error.to_string()), Err(expected.to_owned()));
}

#[test]
fn wrong_configs() {
    check_config("1.0", "1.1", "line 1, column 13: expected 1.0, found '1.1'");
    check_config("RANDOM", "CHAOS", "line 18, column 1: expected RANDOM or FIXED, found 'CHAOS'");
    check_config(
        "BOARD_ROWS                     60",
        "BOARD_ROWS 59",
        "line 5, column 12: BOARD_ROWS must be 60, found 59",
    );
    check_config(
        "NUM_ROUNDS                    200",
        "NUM_ROUNDS 0",
        "line 4, column 12: NUM_ROUNDS must be from 1 to 10000, found 0",
    );
    check_config(
        "BOOKS                  50",
        "BOOKS 0",
        "line 8, column 15: NUM_INI_BOOKS must be from 1 to 3600, found 0",
    );
    check_config(
        "BOOKS                  50",
        "BOOKS 2728",
        "NUM_INI_WIZARDS_PER_CLAN 20 and NUM_INI_BOOKS 2728 fill 2812 cells, and the board of this seed has only 2812, one of them for Voldemort; ask for fewer wizards or books",
    );
    check_config(
        "CLAN       20",
        "CLAN 650",
        "NUM_INI_WIZARDS_PER_CLAN 650 and NUM_INI_BOOKS 50 crowd the board of this seed: Voldemort is on the edge of the board; ask for fewer wizards or books",
    );
}

/// The config of a match that goes on from a state.
fn fixed(engine: &Engine) -> String {
    let header = Header { judged: false, seed: 0, names: Default::default() };
    let mut text = Vec::new();
    Potter.begin_record(&header, &engine.state, &mut text);
    let text = String::from_utf8(text).unwrap();
    let (head, state) = text.split_once("\nnames").unwrap();
    let (_, state) = state.split_once("\n\n\n").unwrap();
    let (state, _) = state.split_once("\nround").unwrap();
    format!("{}\nFIXED\n   {state}", &head[head.find("HarryPotter").unwrap()..])
}

#[test]
fn a_state_can_be_played_on() {
    let mut engine = read_config(ABOUT.default_config.as_bytes()).unwrap().engine(9).unwrap();
    (0..70).for_each(|_| engine.step(&PerSeat::default()).unwrap());
    let config = fixed(&engine);
    let copy = read_config(config.as_bytes()).unwrap().engine(9).unwrap();
    assert_eq!(fixed(&copy), config);
    assert_eq!((copy.state.round, copy.state.scores, copy.state.strength), (0, [0; 4], [1000; 4]));
    assert_eq!(copy.owned, engine.owned);
    assert_eq!(copy.generator, Generator::new(9), "nothing is drawn for a given board");
}

#[test]
fn wrong_boards() {
    let engine = read_config(ABOUT.default_config.as_bytes()).unwrap().engine(1).unwrap();
    let config = fixed(&engine);
    let check = |from: &str, to: &str, expected: &str| {
        assert!(config.contains(from), "{from}");
        let error = read_config(config.replacen(from, to, 1).as_bytes()).map(drop).unwrap_err();
        assert!(error.message.contains(expected), "{error}");
    };
    check("units\n84", "units\n80", "the number of units must be 84, found 80");
    check("g\t1\t1", "g\t1\t2", "the cell of unit 1 must be owned by its player 2");
    check("g\t0\t0\t43\t15", "g\t0\t0\t60\t15", "the row of a unit must be from 0 to 59, found 60");
    check("g\t1\t1\t5\t54", "w\t1\t1\t5\t54", "next must be from 0 to 3, found -1");
    check("books\n50", "books\n49", "the number of books must be 50, found 49");
    check("Voldemort\n17 42", "Voldemort\n17 47", "unit 3 is next to Voldemort");
    check("Voldemort\n17 42", "Voldemort\n0 42", "Voldemort's row must be from 1 to 58, found 0");
    let book = engine.state.books.iter().next().unwrap();
    check(&format!("column\n{}\t{}\n", book.i, book.j), "column\n43\t15\n", "(43, 15), the place of a book, is taken");
}

fn record(rounds: i32) -> Vec<u8> {
    let settings = ABOUT.default_config.replace("NUM_ROUNDS                    200", &format!("NUM_ROUNDS {rounds}"));
    let mut engine = read_config(settings.as_bytes()).unwrap().engine(5).unwrap();
    let mut players = Seat::ALL.map(super::veteran::Veteran::new);
    let header = Header { judged: true, seed: 5, names: ["A", "B", "C", "D"].map(String::from) };
    let mut text = Vec::new();
    let mut writer = Potter.begin_record(&header, &engine.state, &mut text);
    for _ in 0..rounds {
        let mut orders = PerSeat::<Orders>::default();
        players.iter_mut().zip(&mut orders).for_each(|(player, orders)| player.play(&engine.state, orders));
        engine.step(&orders).unwrap();
        writer.round(engine.done(), &engine.state, &mut text);
    }
    text
}

/// With 112 rounds, spells work from round 60 to round 61.
#[test]
fn a_record_is_read_as_it_was_written() {
    let text = record(112);
    assert!(text.windows(7).any(|part| part == b"\ts\t15\t "));
    let read = Potter.read_record(&text).unwrap();
    assert_eq!((read.frames.len(), &read.damage), (113, &None));
    let mut again = Vec::new();
    read.write(&mut again);
    assert!(again == text);
    let last: &State = typed(&*read.frames[112].state);
    for seat in Seat::ALL {
        let wizards = last.units.iter().filter(|unit| unit.kind == Kind::Wizard && unit.seat == seat);
        assert!(last.wizards(seat).eq(wizards));
    }
}

#[test]
fn a_record_that_breaks_off_gives_what_is_readable() {
    let text = record(3);
    let read = Potter.read_record(&text[..text.len() * 2 / 3]).unwrap();
    assert!(read.damage.is_some() && (1..4).contains(&read.frames.len()));
    let mut again = Vec::new();
    read.write(&mut again);
    assert!(text.starts_with(&again));
}

#[test]
fn the_digest_sees_every_visible_field() {
    let engine = board(&[(0, 40, 40)]);
    let digest = |change: fn(&mut State)| {
        let mut engine = engine.clone();
        change(&mut engine.state);
        engine.digest()
    };
    let digests = [
        digest(|_| {}),
        digest(|state| state.cells[Pos::new(3, 3)] = Cell::Wall),
        digest(|state| state.units[4].rounds = 1),
        digest(|state| state.units[4].next = 1),
        digest(|state| state.units[4].seat = Seat::ALL[1]),
        digest(|state| state.units[4].pos.j = 41),
        digest(|state| state.books.insert(Pos::new(3, 3))),
        digest(|state| state.ingredients[3] = 2),
        digest(|state| state.voldemort.i = 16),
        digest(|state| state.round = 1),
        digest(|state| state.scores[0] = 1),
        digest(|state| state.points[0] = 1),
        digest(|state| state.strength[0] = 1),
    ];
    let mut different = digests.to_vec();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), digests.len());
}
