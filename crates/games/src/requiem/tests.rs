//! The rules that surprise, one by one, on boards made by hand.

use std::sync::Arc;

use super::board::Colour;
use super::engine::Engine;
use super::settings::Settings;
use super::state::{Model, State};
use super::view::View;
use super::{Generator, Requiem};
use crate::game::{Stuck, typed};
use crate::random_matches::check_rounds;
use crate::{Engine as _, Game as _, Orders, PerSeat, Pos, Seat};

use Model::{Farmer, Knight};

const ONE: Seat = Seat::ALL[0];
const TWO: Seat = Seat::ALL[1];

/// A robot at the start of a case: its team, model, row and column.
type Start = (Seat, Model, i32, i32);

/// An engine with these robots, with ids from 1, on a board without inner walls.
fn engine(dim: i32, seed: i32, robots: &[Start]) -> Engine {
    let settings = Arc::new(Settings { rounds: 10, dim, farmers: 0, knights: 0 });
    let mut engine = Engine::new(&settings, seed).unwrap();
    engine.edit(|state| {
        for pos in state.colours.positions().filter(|pos| is_inner(dim, *pos)) {
            state.walls -= i32::from(state.colours[pos] == Colour::Wall);
            state.colours[pos] = Colour::Bare;
        }
        for &(seat, model, i, j) in robots {
            state.create(seat, model, Pos::new(i, j));
        }
    });
    engine
}

fn is_inner(dim: i32, pos: Pos) -> bool {
    (1..dim - 1).contains(&pos.i) && (1..dim - 1).contains(&pos.j)
}

fn orders(list: &[[i32; 2]]) -> Orders {
    list.iter().map(|order| &order[..]).collect()
}

/// Plays a round with orders for teams 1 and 2, which see the board as it is
/// and turned.
fn play(engine: &mut Engine, one: &[[i32; 2]], two: &[[i32; 2]]) -> Result<(), Stuck> {
    engine.step(&[orders(one), orders(two), Orders::new(), Orders::new()])
}

/// Whether robot `id` is at a square with a force.
#[track_caller]
fn check(engine: &Engine, id: i32, expected: Option<(i32, i32, i32)>) {
    let state = engine.board();
    let found = state.robot(id).map(|robot| (state.pos(robot).i, state.pos(robot).j, state.force(robot)));
    assert_eq!(found, expected, "robot {id}");
}

#[test]
fn farmers_paint_and_take_squares_from_others() {
    let mut engine = engine(20, 1, &[(ONE, Farmer, 5, 5), (TWO, Farmer, 5, 7)]);
    play(&mut engine, &[[1, 1]], &[]).unwrap();
    assert_eq!(engine.board().squares, [2, 1, 0, 0]);
    play(&mut engine, &[], &[[2, 3]]).unwrap();
    check(&engine, 2, Some((5, 7, 0)));
    play(&mut engine, &[[1, 7]], &[]).unwrap();
    play(&mut engine, &[], &[[2, 3]]).unwrap();
    check(&engine, 2, Some((5, 6, 0)));
    assert_eq!(engine.board().squares, [2, 2, 0, 0]);
}

#[test]
fn force_stays_on_the_square_that_a_knight_leaves() {
    let mut engine = engine(20, 1, &[(ONE, Knight, 5, 5), (ONE, Farmer, 5, 4)]);
    play(&mut engine, &[[1, 1]], &[]).unwrap();
    check(&engine, 1, Some((5, 6, 400)));
    play(&mut engine, &[[2, 1]], &[]).unwrap();
    check(&engine, 2, Some((5, 5, 400)));
}

#[test]
fn only_who_is_given_no_direction_recovers() {
    let start =
        [(ONE, Knight, 1, 5), (ONE, Knight, 3, 5), (ONE, Knight, 5, 5), (ONE, Knight, 7, 5), (ONE, Farmer, 9, 5)];
    let mut engine = engine(20, 1, &start);
    engine.edit(|state| {
        for (i, force) in [(1, 100), (3, 100), (5, 100), (7, 395), (9, -7)] {
            state.forces[Pos::new(i, 5)] = force;
        }
    });
    play(&mut engine, &[[1, 7], [2, 9], [4, 9]], &[]).unwrap();
    check(&engine, 1, Some((1, 5, 100)));
    check(&engine, 2, Some((3, 5, 110)));
    check(&engine, 3, Some((5, 5, 110)));
    check(&engine, 4, Some((7, 5, 400)));
    check(&engine, 5, Some((9, 5, -7)));
}

#[test]
fn a_dead_farmer_is_reborn_at_once_for_its_killer() {
    let mut engine = engine(20, 1, &[(ONE, Knight, 9, 9), (TWO, Farmer, 9, 10)]);
    play(&mut engine, &[[1, 1]], &[]).unwrap();
    check(&engine, 1, Some((9, 9, 400)));
    check(&engine, 2, None);
    check(&engine, 3, Some((4, 4, 0)));
    assert_eq!(engine.board().robot(3).map(|robot| (robot.seat, robot.model)), Some((ONE, Farmer)));
    assert_eq!(engine.board().colours[Pos::new(4, 4)], Colour::Team1);
    assert_eq!(engine.board().squares, [1, 1, 0, 0]);
    assert_eq!(crate::State::scores(engine.board()), [1, 1, -1, -1]);
}

#[test]
fn damage_is_from_50_to_190_and_death_leaves_its_force() {
    for seed in 1..200 {
        let mut engine = engine(20, seed, &[(ONE, Knight, 9, 9), (TWO, Knight, 9, 10)]);
        engine.edit(|state| state.forces[Pos::new(9, 10)] = 120);
        play(&mut engine, &[[1, 1]], &[[2, 9]]).unwrap();
        let force = engine.board().forces[Pos::new(9, 10)];
        match engine.board().robot(3) {
            Some(_) => assert!((-70..=0).contains(&force), "{force}"),
            None => assert!((11..=80).contains(&force), "{force}"),
        }
    }
}

/// Whoever comes first, the second knight neither enters nor strikes where
/// somebody has died in the round.
#[test]
fn nobody_enters_a_square_of_death() {
    for seed in 1..50 {
        let mut engine = engine(20, seed, &[(ONE, Knight, 9, 9), (ONE, Knight, 9, 11), (TWO, Farmer, 9, 10)]);
        play(&mut engine, &[[1, 1], [2, 5]], &[]).unwrap();
        check(&engine, 1, Some((9, 9, 400)));
        check(&engine, 2, Some((9, 11, 400)));
        assert_eq!(engine.board().last_id, 4);
    }
}

#[test]
fn rebirth_avoids_rival_knights_but_not_rival_farmers() {
    let victim = [(ONE, Knight, 15, 15), (TWO, Farmer, 15, 16)];
    for (others, square) in [
        (&[][..], (4, 4)),
        (&[(ONE, Farmer, 4, 4)], (5, 5)),
        (&[(TWO, Farmer, 4, 5)], (4, 4)),
        (&[(TWO, Knight, 3, 3)], (5, 5)),
        (&[(TWO, Knight, 5, 4)], (3, 5)),
        (&[(ONE, Farmer, 4, 4), (ONE, Farmer, 5, 5), (ONE, Farmer, 4, 5)], (3, 5)),
    ] {
        let mut engine = engine(20, 1, &[&victim, others].concat());
        play(&mut engine, &[[1, 1]], &[]).unwrap();
        let (id, at) = (engine.board().last_id, Pos::new(square.0, square.1));
        assert_eq!(engine.board().robot_at(at).map(|robot| robot.id), Some(id), "{others:?}");
    }
}

/// Team 2, which sees the board turned, looks for squares in its own quadrant.
#[test]
fn every_team_has_its_own_centre() {
    let mut engine = engine(20, 1, &[(TWO, Knight, 15, 15), (ONE, Farmer, 15, 16), (TWO, Farmer, 4, 15)]);
    play(&mut engine, &[], &[[1, 7]]).unwrap();
    check(&engine, 4, Some((5, 14, 0)));
}

/// When rival knights threaten everything the rings are searched for any free
/// square, and the centre is not.
#[test]
fn a_besieged_team_is_reborn_beside_the_centre() {
    let mut robots = vec![(ONE, Knight, 8, 8), (TWO, Farmer, 8, 7)];
    robots.extend([(2, 1), (1, 2), (3, 2)].map(|(i, j)| (TWO, Knight, i, j)));
    let mut engine = engine(10, 1, &robots);
    play(&mut engine, &[[1, 5]], &[]).unwrap();
    check(&engine, 6, Some((3, 3, 0)));
}

/// The centre alone is free: a rival farmer beside it does no harm, but a
/// rival knight forbids it, and then there is no other square.
#[test]
fn no_free_square_is_the_end() {
    let stuck = Stuck("no square is left for a robot to be reborn on");
    for (neighbour, expected) in [(Farmer, Ok(())), (Knight, Err(stuck))] {
        let mut robots = vec![(ONE, Knight, 8, 8), (TWO, Farmer, 8, 7), (TWO, neighbour, 3, 3)];
        robots.extend((1..=3).flat_map(|i| (1..=3).map(move |j| (ONE, Farmer, i, j))));
        robots.retain(|&(seat, _, i, j)| (i, j) != (2, 2) && (seat, i, j) != (ONE, 3, 3));
        let mut engine = engine(10, 1, &robots);
        assert_eq!(play(&mut engine, &[[1, 5]], &[]), expected, "{neighbour:?}");
    }
}

#[test]
fn rebirth_on_a_wall() {
    let centre = Pos::new(4, 4);
    for (victim, colour, squares, walls) in [(Farmer, Colour::Team1, 1, 76), (Knight, Colour::Wall, 0, 77)] {
        let mut engine = engine(20, 1, &[(ONE, Knight, 9, 9), (TWO, victim, 9, 10)]);
        engine.edit(|state| {
            state.colours[centre] = Colour::Wall;
            state.walls += 1;
            state.forces[Pos::new(9, 10)] = 1;
        });
        play(&mut engine, &[[1, 1]], &[]).unwrap();
        let state = engine.board();
        assert_eq!(state.robot_at(centre).map(|robot| robot.id), Some(3));
        assert_eq!((state.colours[centre], state.squares[0], state.walls), (colour, squares, walls));
        // A knight on a wall may leave it, but not be told to stay.
        let mut accepted = Orders::new();
        engine.accept(ONE, &orders(&[[3, 9], [3, 2]]), &mut accepted).unwrap();
        let first = if victim == Farmer { 9 } else { 2 };
        assert_eq!(accepted.iter().next(), Some(&[3, first][..]));
    }
}

#[test]
fn a_knight_on_a_wall_strikes_and_cannot_be_struck() {
    let mut engine = engine(20, 1, &[(ONE, Knight, 9, 9), (TWO, Knight, 9, 10)]);
    engine.edit(|state| state.colours[Pos::new(9, 10)] = Colour::Wall);
    play(&mut engine, &[[1, 1]], &[[2, 3]]).unwrap();
    check(&engine, 2, Some((9, 10, 400)));
    assert!((210..=350).contains(&engine.board().forces[Pos::new(9, 9)]));
}

/// Draws made in a round without fights: one less than the orders shuffled.
#[test]
fn all_orders_but_rest_are_shuffled() {
    for (one, draws) in [
        (&[][..], 0),
        (&[[1, 9], [2, 9]], 0),
        (&[[1, 7]], 0),
        (&[[1, 7], [2, 7]], 1),
        (&[[1, 0], [99, 3], [-5, 1], [3, 1], [1, 12]], 4),
        (&[[1, 7], [1, 7], [1, 9]], 1),
    ] {
        let mut engine = engine(20, 1, &[(ONE, Farmer, 1, 1), (ONE, Knight, 1, 3), (TWO, Farmer, 9, 9)]);
        let mut generator = Generator::new(engine.generator().state());
        (0..draws).for_each(|_| _ = generator.below(2));
        play(&mut engine, one, &[]).unwrap();
        assert_eq!(engine.generator(), &generator, "{one:?}");
        check(&engine, 3, Some((9, 9, 0)));
    }
}

/// Several orders for a robot are sorted; the first to come up is the only one.
#[test]
fn a_robot_acts_once() {
    for seed in 1..20 {
        let mut engine = engine(20, seed, &[(ONE, Farmer, 9, 9)]);
        play(&mut engine, &[[1, 5], [1, 1], [1, 9]], &[]).unwrap();
        assert_eq!(engine.board().squares[0], 2);
        assert!(engine.done().iter().eq([&[1, 1][..], &[1, 5], &[1, 9]]));
    }
}

#[test]
fn what_the_players_side_takes() {
    let start =
        [(ONE, Knight, 1, 1), (ONE, Farmer, 1, 3), (TWO, Farmer, 9, 9), (ONE, Farmer, 1, 5), (ONE, Knight, 5, 5)];
    let engine = engine(20, 1, &start);
    for (asked, expected) in [
        (&[][..], &[[2, 9], [4, 9], [1, 9], [5, 9]][..]),
        (&[[1, 7], [1, 0], [1, 10], [1, -1], [1, 1], [1, 3]], &[[1, 1], [2, 9], [4, 9], [5, 9]]),
        (&[[3, 1], [0, 1], [-1, 1], [6, 1], [5, 9], [5, 1]], &[[5, 9], [2, 9], [4, 9], [1, 9]]),
    ] {
        let mut accepted = orders(&[[7, 7]]);
        engine.accept(ONE, &orders(asked), &mut accepted).unwrap();
        assert_eq!(accepted, orders(expected), "{asked:?}");
    }
    let many: Vec<[i32; 2]> = vec![[1, 7]; 5000];
    assert_eq!(engine.accept(ONE, &orders(&many), &mut Orders::new()), Ok(()));
}

/// The view of each player against its definition: quarter turns in cycles of
/// four squares, which on an odd board leave the central cross alone.
#[test]
fn views_are_quarter_turns() {
    for dim in [20, 21] {
        let settings = Arc::new(Settings { rounds: 1, dim, farmers: 9, knights: 9 });
        let engine = Engine::new(&settings, 3).unwrap();
        let mut turned = engine.board().colours.clone();
        for seat in Seat::ALL {
            let view = View::new(engine.board(), seat);
            for i in 0..dim {
                let row: Vec<Colour> = turned.row(i).iter().map(|colour| colour.seen_by(seat)).collect();
                assert_eq!(view.row(i).collect::<Vec<_>>(), row, "{seat} row {i}");
                let single = (0..dim).map(|j| view.colour(Pos::new(i, j)));
                assert!(single.eq(row.into_iter().map(Some)), "{seat} row {i}");
            }
            turned = quarter_turn(&turned);
        }
    }
}

fn quarter_turn(old: &crate::Grid<Colour>) -> crate::Grid<Colour> {
    let (last, half) = (old.rows() - 1, old.rows() / 2);
    let mut new = old.clone();
    for (i, j) in (0..half).flat_map(|i| (0..half).map(move |j| (i, j))) {
        let cycle = [(i, j), (j, last - i), (last - i, last - j), (last - j, i)].map(|(i, j)| Pos::new(i, j));
        (0..4).for_each(|k| new[cycle[k]] = old[cycle[(k + 1) % 4]]);
    }
    new
}

/// In whole matches, a robot goes where its player sees it go, if it goes.
#[test]
fn views_turn_and_orders_turn_back() {
    let mut moves = 0;
    check_rounds(&Requiem, |state: &State, orders, after| {
        let after: &State = typed(after.state());
        for seat in Seat::ALL {
            let view = View::new(state, seat);
            let last = view.dim() - 1;
            let turned = |pos| (0..seat.index()).fold(pos, |Pos { i, j }, _| Pos::new(j, last - i));
            for pos in state.colours.positions() {
                assert_eq!(view.colour(pos), Some(state.colours[turned(pos)].seen_by(seat)));
                assert_eq!(view.robot_at(pos).map(|robot| robot.id), state.robot_at(turned(pos)).map(|robot| robot.id));
            }
            for &[id, direction] in orders[seat].filter_length().iter() {
                let Some(robot) = after.robot(id) else { continue };
                let (old, new) = (state.pos(state.robot(id).unwrap()), after.pos(robot));
                if new != old {
                    let seen = view.robot(id).unwrap().pos + super::board::STEPS[direction as usize];
                    assert_eq!(new, turned(seen), "robot {id}");
                    moves += 1;
                }
            }
        }
    });
    assert!(moves > 10_000);
}

#[test]
fn nobody_is_lost_or_made() {
    check_rounds(&Requiem, |before: &State, _, after| {
        let after: &State = typed(after.state());
        let count =
            |state: &State| Model::ALL.map(|model| state.robots.iter().filter(|robot| robot.model == model).count());
        assert_eq!(count(after), count(before));
        let listed =
            Model::ALL.map(|model| Seat::ALL.map(|seat| after.robots_of(seat, model).len()).iter().sum::<usize>());
        assert_eq!(listed, count(after));
    });
}

/// On an odd board a player may be sent into a wall, and refused a free square.
/// Team 2 sees its robot at (10, 5), and right and left of it the colours of
/// (10, 6) and (10, 4) on the board instead of (6, 10) and (4, 10).
#[test]
fn odd_boards_mislead() {
    let mut engine = engine(21, 1, &[(TWO, Farmer, 5, 10)]);
    engine.edit(|state| {
        state.colours[Pos::new(4, 10)] = Colour::Wall;
        state.colours[Pos::new(10, 6)] = Colour::Wall;
    });
    let view = View::new(engine.board(), TWO);
    let robot = engine.board().robot(1).unwrap();
    assert_eq!(view.refusal(robot, 5, false), None);
    assert_eq!(view.refusal(robot, 1, false), Some(super::Refusal::IntoWall));
    play(&mut engine, &[], &[[1, 5]]).unwrap();
    check(&engine, 1, Some((5, 10, 0)));
}

/// The seed of each player from kept sums, and from the definition.
#[test]
fn seeds_of_players() {
    let config = Requiem.read_config(b"NUMTORNS 60 DIM 20 PAGESOS 6 CAVALLERS 12").unwrap();
    let mut engine = config.start(5).unwrap();
    let mut players = Seat::ALL.map(super::veteran::Veteran::new);
    let mut accepted = PerSeat::<Orders>::default();
    while engine.state().round() < engine.state().rounds() {
        let state: &State = typed(engine.state());
        for seat in Seat::ALL {
            let view = View::new(state, seat);
            let colours: i32 = (0..20).flat_map(|i| view.row(i)).map(Colour::number).sum();
            let robots: i32 = view.robots().map(|robot| robot.id + robot.pos.i + robot.pos.j).sum();
            assert_eq!(view.seed(), view.rounds_left() + colours + robots);
            let mut asked = Orders::new();
            crate::game::BuiltinPlayer::play(&mut players[seat.index()], state, &mut asked);
            engine.accept(seat, &asked, &mut accepted[seat]).unwrap();
        }
        engine.step(&accepted).unwrap();
    }
    let state: &State = typed(engine.state());
    assert!(state.last_id > 72, "somebody has died");
    for seat in Seat::ALL {
        let painted = state.colours.cells().iter().filter(|&&colour| colour == Colour::of(seat)).count();
        assert_eq!(state.squares[seat], painted as i32);
    }
}

#[test]
fn a_seed_at_which_the_generator_stands_still_is_refused() {
    let config = Requiem.read_config(super::ABOUT.default_config.as_bytes()).unwrap();
    let message = config.start(1_777_366_735).err().map(|error| error.to_string());
    let expected = "the generator is stuck at 1777366735, so the robots cannot be scattered; choose another seed";
    assert_eq!(message.as_deref(), Some(expected));
}

#[test]
fn walls_may_leave_too_little_room() {
    let config = Requiem.read_config(b"NUMTORNS 1 DIM 30 PAGESOS 100 CAVALLERS 0").unwrap();
    let refused = (1..200).filter_map(|seed| config.start(seed).err()).next().unwrap();
    let message = refused.to_string();
    assert!(message.starts_with("PAGESOS 100 and CAVALLERS 0 must be at most "), "{message}");
}
