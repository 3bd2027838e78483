//! The rules that surprise, each on a board of a few units.

use super::view::View;
use super::{Dominator, Kind, Quadrant, State};
use crate::game::typed;
use crate::random_matches::check_rounds;
use crate::{Dir8, Engine, Game, Orders, PerSeat, Pos, Seat};

/// A config with the settings of the default game but for these, on this board.
fn config(changes: &[(&str, i32)], board: &str) -> String {
    let mut text = Dominator.about().default_config.replace("GENERATOR2", board);
    for (label, value) in changes {
        let start = text.find(label).expect("the label is in the config");
        let end = start + text[start..].find('\n').unwrap();
        text.replace_range(start..end, &format!("{label} {value}"));
    }
    text
}

/// An open board of 21 rows without walls, or with these rows at its top.
fn meadow(rows: &[&str]) -> String {
    let empty = ".".repeat(21);
    let rows = rows.iter().copied().chain(std::iter::repeat(&empty[..])).take(21);
    rows.fold("FIXED".to_owned(), |text, row| format!("{text}\n{row}"))
}

fn small(changes: &[(&str, i32)], board: &str) -> String {
    let mut all = vec![("nb_rounds", 5), ("rows", 21), ("cols", 21)];
    all.extend_from_slice(changes);
    config(&all, board)
}

fn start(text: &str, seed: i32) -> Result<Box<dyn Engine>, String> {
    Dominator.read_config(text.as_bytes()).and_then(|config| config.start(seed)).map_err(|error| error.to_string())
}

/// A match of 21 rows with so many farmers, knights and witches per player.
fn army([farmers, knights, witches]: [i32; 3]) -> Match {
    let changes = [("nb_farmers", farmers), ("nb_knights", knights), ("nb_witches", witches)];
    Match(*(start(&small(&changes, &meadow(&[])), 1).unwrap() as Box<dyn std::any::Any>).downcast().unwrap())
}

/// An engine whose units can be moved about before a round.
struct Match(super::Engine);

impl Match {
    fn put(&mut self, id: i32, i: i32, j: i32) {
        let engine = &mut self.0;
        let (from, pos) = (engine.taken.offset(engine.state.units[id as usize].pos), Pos::new(i, j));
        engine.leave(from);
        engine.enter(id, pos, engine.taken.offset(pos));
    }

    /// Plays a round with these orders, given by the teams of the units, in
    /// the real frame.
    fn round(&mut self, orders: &[[i32; 2]]) -> Result<(), String> {
        let mut given = PerSeat::<Orders>::default();
        for &[id, dir] in orders {
            let team = self.0.state.units[id as usize].team;
            given[team].push(&[id, if dir < 8 { (dir + 8 - 2 * team.index() as i32) % 8 } else { dir }]);
        }
        self.0.step(&given).map_err(|stuck| stuck.to_string())
    }

    fn unit(&self, id: i32) -> (usize, Pos, i32) {
        let unit = &self.0.state.units[id as usize];
        (unit.team.index(), unit.pos, unit.health)
    }

    fn done(&self) -> Vec<[i32; 2]> {
        self.0.done().iter().map(|order| [order[0], order[1]]).collect()
    }
}

#[test]
fn quadrants_leave_three_lines_out() {
    let corners = Seat::ALL.map(|team| {
        let Quadrant { first, last } = Quadrant::of(team, 37);
        (first.i, last.i, first.j, last.j)
    });
    assert_eq!(corners, [(1, 16, 1, 16), (20, 35, 1, 16), (20, 35, 20, 35), (1, 16, 20, 35)]);
}

#[test]
fn ids_go_by_team_and_kind() {
    let engine = start(&config(&[], "GENERATOR2"), 30).unwrap();
    let state: &State = typed(engine.state());
    assert_eq!(state.units.len(), 128);
    assert!((0..128).all(|id| state.units[id as usize].team.index() as i32 == id / 32));
    assert_eq!(state.rosters[1][Kind::Witch as usize], [32, 33]);
    assert_eq!(state.rosters[1][Kind::Knight as usize], (34..44).collect::<Vec<_>>());
    // The published excerpt of seed 30.
    assert_eq!((state.units[0].pos, state.units[1].pos), (Pos::new(2, 10), Pos::new(2, 5)));
    assert_eq!((state.units[2].pos, state.units[3].pos), (Pos::new(2, 14), Pos::new(7, 16)));
    assert_eq!((state.land, state.scores), ([20; 4], [20; 4]));
}

#[test]
fn orders_are_turned_and_nonsense_is_like_no_order() {
    let mut game = army([1, 1, 0]);
    game.put(2, 15, 5);
    game.put(3, 10, 5);
    for (order, moved) in [([3, 2], true), ([3, 8], false), ([3, 1], false), ([3, -1], false), ([3, 9], false)] {
        let mut engine = game.0.clone();
        let pos = engine.state.units[3].pos;
        engine.state.units[3].health = 10;
        let mut orders = PerSeat::<Orders>::default();
        orders[1].push(&order);
        orders[1].push(&[7, 0]);
        orders[1].push(&[999, 0]);
        engine.step(&orders).unwrap();
        let unit = &engine.state.units[3];
        // Right is up for seat 1. Whoever has no accepted order heals.
        let expected = if moved { (pos + (-1, 0), 10) } else { (pos, 40) };
        assert_eq!((unit.pos, unit.health), expected, "{order:?}");
    }
}

#[test]
fn orders_that_fail_cost_the_healing() {
    let mut game = army([2, 1, 0]);
    game.put(0, 0, 5);
    game.put(1, 10, 10);
    game.put(2, 10, 11);
    game.0.state.units.iter_mut().for_each(|unit| unit.health = 10);
    // The knight walks off the board; a farmer walks into the other.
    game.round(&[[0, 4], [1, 2]]).unwrap();
    assert_eq!([0, 1, 2].map(|id| game.unit(id).2), [10, 10, 40]);
    assert_eq!(game.done(), Vec::<[i32; 2]>::new());
}

#[test]
fn knights_strike_and_capture() {
    let mut game = army([1, 1, 0]);
    game.put(0, 10, 10);
    game.put(3, 10, 11);
    game.round(&[[0, 2]]).unwrap();
    let (team, pos, health) = game.unit(3);
    // Struck for 60 to 90, then healed by 30, for it had no order.
    assert_eq!((team, pos), (1, Pos::new(10, 11)));
    assert!((40..=70).contains(&health), "{health}");
    assert_eq!(game.done(), [[0, 2]]);
    game.0.state.units[3].health = 60;
    game.round(&[[0, 2]]).unwrap();
    let (team, pos, health) = game.unit(3);
    assert_eq!((team, health), (0, 100));
    assert!((1..=8).contains(&pos.i) && (1..=8).contains(&pos.j), "{pos:?}");
    assert_eq!(game.0.state.cells[pos].owner(), Some(Seat::ALL[0]));
    assert_eq!(game.0.state.rosters[0][Kind::Farmer as usize], [1, 3]);
    assert_eq!(game.unit(0).1, Pos::new(10, 10));
}

#[test]
fn wide_damage_is_the_smallest_and_draws_nothing() {
    let changes = [("nb_farmers", 1), ("nb_knights", 1), ("nb_witches", 0), ("damage_max", 1_000_060)];
    let engine = start(&small(&changes, &meadow(&[])), 1).unwrap();
    let mut game = Match(*(engine as Box<dyn std::any::Any>).downcast().unwrap());
    game.put(0, 10, 10);
    game.put(3, 10, 11);
    game.round(&[[0, 2], [3, 0]]).unwrap();
    assert!([40, 100].contains(&game.unit(3).2));
}

#[test]
fn haunted_cells_kill_unpainted_and_unrecorded() {
    let mut game = army([1, 0, 1]);
    let witch = game.unit(0).1;
    assert_eq!(game.0.state.haunted[witch + (0, 2)], 1);
    let edge = witch + (0, 3);
    game.put(3, edge.i, edge.j);
    let colour = game.0.state.cells[witch + (0, 2)];
    game.round(&[[3, 6]]).unwrap();
    assert_eq!((game.unit(3).0, game.done()), (0, Vec::new()));
    assert_eq!(game.0.state.cells[witch + (0, 2)], colour);
}

#[test]
fn witches_deactivate_each_other() {
    let mut game = army([1, 0, 1]);
    let here = game.unit(0).1;
    // The witch of team 1 comes within three cells, then within two.
    let state = &mut game.0.state;
    assert!(state.units[0].active && state.units[2].active);
    let far = here + (3, 0);
    game.0.walk_witch(2, far).unwrap();
    assert!(game.0.state.units[0].active && game.0.state.units[2].active);
    game.0.walk_witch(2, here + (2, 0)).unwrap();
    let state = &game.0.state;
    assert!(!state.units[0].active && !state.units[2].active);
    let near_both = state.haunted.positions().filter(|pos| pos.distance(here) <= 4 && state.haunted[*pos] > 0);
    assert_eq!(near_both.count(), 0);
    game.0.walk_witch(2, far).unwrap();
    assert_eq!(game.0.state.haunted[here], 1);
}

#[test]
fn an_own_witch_gives_units_away() {
    let mut game = army([1, 0, 1]);
    let witch = game.unit(0).1;
    game.put(1, witch.i, witch.j + 3);
    game.round(&[[0, 2]]).unwrap();
    assert_ne!(game.unit(1).0, 0);
    assert_eq!(game.done(), [[0, 2]]);
}

#[test]
fn a_unit_without_a_cell_pushes_others_off_theirs() {
    let mut game = army([1, 1, 0]);
    game.put(0, 10, 10);
    game.put(1, 5, 5);
    // Unit 3, a farmer of team 1, is where unit 0 is, but on no cell.
    let from = game.0.taken.offset(game.unit(3).1);
    game.0.leave(from);
    game.0.state.units[3].pos = Pos::new(10, 10);
    let seen = View::new(&game.0.state, Seat::ALL[1]).unit(3).unwrap();
    assert_eq!((seen.team.index(), seen.pos), (1, Pos::new(10, 10)), "it is not turned");
    assert_eq!(View::new(&game.0.state, Seat::ALL[1]).ids(View::ME, Kind::Farmer), [3]);
    game.round(&[[3, 0]]).unwrap();
    assert_eq!(game.0.state.unit_on[Pos::new(10, 10)], State::NOBODY);
    assert!(game.0.state.is_placed(3) && !game.0.state.is_placed(0));
    // Out of a wall there is no way.
    game.0.state.units[0].pos = Pos::new(0, 0);
    game.0.taken[Pos::new(0, 0)] = super::engine::WALL;
    let stuck = game.round(&[[0, 0]]).unwrap_err();
    assert_eq!(stuck, "the match cannot go on: a unit without a cell tries to move out of a wall");
}

#[test]
fn every_player_sees_itself_at_the_top_left() {
    let engine = start(&config(&[], "GENERATOR2"), 5).unwrap();
    let state: &State = typed(engine.state());
    for seat in Seat::ALL {
        let view = View::new(state, seat);
        for id in 0..view.units() {
            let unit = view.unit(id).unwrap();
            assert_eq!(view.unit_on(unit.pos), id);
            let (top, left) = (unit.pos.i <= 16, unit.pos.j <= 16);
            let quadrant = if top {
                if left { 0 } else { 3 }
            } else if left {
                1
            } else {
                2
            };
            assert_eq!(unit.team.index(), quadrant, "unit {id} seen by {seat}");
            let mut prey = [None; 8];
            view.for_each_prey(id, |dir, unit| prey[dir as usize] = Some(unit.health));
            let expected = Dir8::ALL.map(|dir| {
                let other = view.unit(view.unit_on(unit.pos + dir.step()))?;
                (other.team != View::ME && other.kind != Kind::Witch).then_some(other.health)
            });
            assert_eq!(prey, expected);
        }
        assert_eq!(view.ids(View::ME, Kind::Witch)[0], 32 * seat.index() as i32);
    }
}

/// A cell is where a quarter turn for each seat takes what the player sees, and
/// what is done of an order goes where the player sees it go.
#[test]
fn views_turn_and_orders_turn_back() {
    let mut moves = 0;
    check_rounds(&Dominator, |state: &State, orders, after| {
        let mut targets = vec![None; state.units.len()];
        for seat in Seat::ALL {
            let view = View::new(state, seat);
            let turned = |pos| (0..seat.index()).fold(pos, |Pos { i, j }, _| Pos::new(36 - j, i));
            for pos in state.cells.positions() {
                let (seen, at) = (view.cell(pos).unwrap(), turned(pos));
                let owner = seen.owner.map(|owner| Seat::ALL[(owner.index() + seat.index()) % 4]);
                assert_eq!((seen.is_wall, owner), (state.cells[at].is_wall(), state.cells[at].owner()));
                assert_eq!((seen.unit, seen.haunted), (state.unit_on[at], state.haunted[at] > 0));
            }
            for &[id, dir] in orders[seat].filter_length().iter() {
                if let (Some(unit), Some(dir)) = (view.unit(id), Dir8::from_number(dir))
                    && unit.team == View::ME
                {
                    targets[id as usize] = Some(turned(unit.pos + dir.step()));
                }
            }
        }
        for &[id, dir] in after.done().filter_length().iter() {
            let real = state.units[id as usize].pos + Dir8::ALL[dir as usize].step();
            assert_eq!(Some(real), targets[id as usize], "unit {id}");
            moves += 1;
        }
    });
    assert!(moves > 10_000);
}

#[test]
fn nobody_is_lost_or_made() {
    check_rounds(&Dominator, |_: &State, _, after| {
        let state: &State = typed(after.state());
        let mut counts = [0; 3];
        for (id, unit) in (0..).zip(&state.units) {
            assert!(state.is_placed(id) && state.rosters[unit.team][unit.kind as usize].contains(&id), "unit {id}");
            counts[unit.kind as usize] += 1;
        }
        assert_eq!(counts, [80, 40, 8]);
        let listed = [0, 1, 2].map(|kind| state.rosters.iter().map(|kinds| kinds[kind].len()).sum::<usize>());
        assert_eq!(listed, counts);
        assert_eq!(state.unit_on.cells().iter().filter(|&&id| id != State::NOBODY).count(), 128);
    });
}

#[test]
fn configs_are_refused_with_a_reason() {
    let check = |text: String, expected: &str| {
        assert_eq!(start(&text, 1).err().as_deref(), Some(expected));
    };
    check(config(&[("nb_players", 3)], "GENERATOR2"), "line 2, column 12: nb_players must be 4, found 3");
    check(config(&[("damage_max", 59)], "GENERATOR2"), "line 12, column 12: damage_max must be at least 60, found 59");
    check(config(&[("rows", 38)], "GENERATOR2"), "line 13, column 6: rows must be odd, found 38");
    check(config(&[("rows", 19)], "GENERATOR2"), "line 13, column 6: rows must be from 21 to 501, found 19");
    check(config(&[("cols", 39)], "GENERATOR2"), "line 14, column 6: cols must be equal to rows, 37, found 39");
    check(
        config(&[("nb_knights", 257)], "GENERATOR2"),
        "line 5, column 12: nb_knights must be from 0 to 256 on a board of 37 rows, found 257",
    );
    check(config(&[], "GENERATOR2 1"), "line 16, column 12: 'GENERATOR2' takes no parameters, found 1");
    check(
        config(&[("rows", 39), ("cols", 39)], "GENERATOR3"),
        "line 16, column 1: GENERATOR3 needs rows to be 1 more than a multiple of 6, found 39",
    );
    check(
        config(&[], "GENERATOR1"),
        "line 17, column 1: expected the number of walls of GENERATOR1, found the end of the text",
    );
    check(
        config(&[], "GENERATOR1 5 4"),
        "line 16, column 14: the largest number of walls of GENERATOR1 must be from 5 to 136, found 4",
    );
    check(
        config(&[], "GENERATOR1 5 6 7"),
        "line 16, column 16: GENERATOR1 takes one or two parameters, found a third, 7",
    );
    check(
        config(&[], "GENERATOR4"),
        "line 16, column 1: expected FIXED, GENERATOR1, GENERATOR2 or GENERATOR3, found 'GENERATOR4'",
    );
    check(small(&[], &meadow(&["4...................."])), "line 17, column 1: expected one of X . 0 1 2 3, found '4'");
    check(small(&[], &meadow(&["..."])), "line 17, column 1: expected a row of 21 cells, found 3 of them");
    check(
        small(&[("nb_witches", 60)], &meadow(&[])),
        "nb_witches 60 do not fit in the quadrant of player 0, at distance 4 from each other; ask for fewer or for fewer walls",
    );
    let walls = "X".repeat(21);
    check(
        small(&[("nb_witches", 0)], &meadow(&[&walls[..]; 8])),
        "nb_knights 10 do not fit in the quadrant of player 0, which lacks 2 cells; ask for fewer or for fewer walls",
    );
}

#[test]
fn what_follows_a_generator_is_ignored_unless_it_is_a_number() {
    for board in ["GENERATOR2 x 1", "GENERATOR2 99999999999", "GENERATOR1 5 x 6 7", "GENERATOR3\n."] {
        assert!(start(&config(&[], board), 1).is_ok(), "{board}");
    }
}

#[test]
fn pillars_do_not_touch_and_rooms_are_one_house() {
    let engine = start(&config(&[], "GENERATOR1 136"), 3).unwrap();
    let cells = &typed::<State>(engine.state()).cells;
    let inner: Vec<Pos> = cells.positions().filter(|&pos| cells[pos].is_wall() && on_inside(pos)).collect();
    assert_eq!(inner.len(), 136);
    assert!(inner.iter().all(|a| inner.iter().all(|b| a == b || (a.i - b.i).abs().max((a.j - b.j).abs()) > 1)));
    let engine = start(&config(&[], "GENERATOR3"), 3).unwrap();
    assert!(crate::connected(&typed::<State>(engine.state()).cells, |cell| !cell.is_wall()));
}

fn on_inside(pos: Pos) -> bool {
    (1..36).contains(&pos.i) && (1..36).contains(&pos.j)
}

#[test]
fn the_digest_sees_everything() {
    let game = army([1, 1, 1]);
    let changed = |change: fn(&mut super::Engine)| {
        let mut engine = game.0.clone();
        change(&mut engine);
        assert_ne!(engine.digest(), game.0.digest());
    };
    changed(|engine| engine.state.cells[Pos::new(0, 0)] = super::Cell::WALL);
    changed(|engine| engine.state.round += 1);
    changed(|engine| engine.state.scores[3] += 1);
    changed(|engine| engine.state.units[5].health += 1);
    changed(|engine| engine.state.units[5].pos.j += 1);
    changed(|engine| engine.state.units[5].team = Seat::ALL[3]);
    changed(|engine| engine.state.units[0].active = false);
    changed(|engine| engine.leave(engine.taken.offset(engine.state.units[5].pos)));
    changed(|engine| engine.generator.skip(1));
}

#[test]
fn a_record_that_breaks_off_gives_what_is_readable() {
    let mut game = army([2, 2, 1]);
    let header = crate::record::Header { judged: true, seed: 1, names: ["a", "b", "c", "d"].map(str::to_owned) };
    let mut text = Vec::new();
    let mut writer = Dominator.begin_record(&header, &game.0.state, &mut text);
    for round in 0..5 {
        game.round(&[[1, round], [2, 1], [3, 0]]).unwrap();
        writer.round(game.0.done(), &game.0.state, &mut text);
    }
    let record = Dominator.read_record(&text).unwrap();
    assert_eq!((record.frames.len(), record.damage.as_ref()), (6, None));
    let mut again = Vec::new();
    record.write(&mut again);
    assert_eq!(String::from_utf8(again).unwrap(), String::from_utf8(text.clone()).unwrap());
    // All that records leave out is deduced again.
    let last: &State = typed(&*record.frames[5].state);
    assert_eq!((&last.units, &last.unit_on), (&game.0.state.units, &game.0.state.unit_on));
    assert_eq!((&last.haunted, &last.rosters), (&game.0.state.haunted, &game.0.state.rosters));
    let broken = Dominator.read_record(&text[..text.len() - 100]).unwrap();
    assert_eq!(broken.frames.len(), 5);
    assert!(broken.damage.is_some());
}
