// A player that draws most of its decisions.
use std::collections::{BTreeMap, BTreeSet};

use ludus_player::dominator::*;

struct Demo {
    // Whether a farmer walks in circles or staggers, decided when it is first seen.
    in_circles: BTreeMap<i32, bool>,
}

impl Player for Demo {
    fn new(_game: &Game) -> Self {
        Demo { in_circles: BTreeMap::new() }
    }

    fn play(&mut self, game: &Game) {
        self.move_farmers(game);
        move_knights(game);
        let mut witches = game.witches(game.me());
        if let Some(witch) = witches.next() {
            go(game, witch.id, first_witch(game));
        }
        if let Some(witch) = witches.next() {
            go(game, witch.id, second_witch(game));
        }
    }
}

impl Demo {
    fn move_farmers(&mut self, game: &Game) {
        for farmer in game.farmers(game.me()) {
            let in_circles = *self.in_circles.entry(farmer.id).or_insert_with(|| game.random(0, 1) == 1);
            let turn = if in_circles { game.round() % 4 } else { game.random(0, 3) };
            game.move_unit(farmer.id, Dir::STRAIGHT[turn as usize]);
        }
    }
}

// Knights attack in even rounds, and scatter diagonally in odd ones.
fn move_knights(game: &Game) {
    let knights: Vec<Unit> = game.knights(game.me()).collect();
    if game.round() % 2 == 0 {
        for knight in knights {
            game.move_unit(knight.id, attack(game, knight.pos));
        }
        return;
    }
    let diagonals = [Dir::DownRight, Dir::UpRight, Dir::UpLeft, Dir::DownLeft];
    for (knight, k) in knights.iter().zip(game.random_permutation(knights.len())) {
        game.move_unit(knight.id, diagonals[k % 4]);
    }
}

// A direction with somebody to attack, or else any direction.
fn attack(game: &Game, pos: Pos) -> Dir {
    let is_prey = |dir: &Dir| {
        let neighbour = game.unit_at(pos + *dir);
        neighbour.is_some_and(|unit| unit.seat != game.me() && unit.kind != Kind::Witch)
    };
    let mut options: Vec<Dir> = Dir::ALL.into_iter().filter(is_prey).collect();
    if options.is_empty() {
        options = Dir::ALL.to_vec();
    }
    options[game.random(0, options.len() as i32 - 1) as usize]
}

fn first_witch(game: &Game) -> Option<Dir> {
    match game.round() {
        ..40 => Some(Dir::Up),
        40..80 => Some(Dir::Left),
        80..120 => None,
        120..160 => Some(Dir::Down),
        160.. => up_by_chance(game),
    }
}

// Of four different random places, one has to be in the lower half.
fn up_by_chance(game: &Game) -> Option<Dir> {
    let mut places = BTreeSet::new();
    while places.len() < 4 {
        let j = game.random(0, 36); // Drawn before the row.
        let i = game.random(0, 36);
        places.insert(Pos::new(i, j));
    }
    let chosen = game.random(0, 3) as usize;
    places.iter().nth(chosen).filter(|place| place.i >= 18).map(|_| Dir::Up)
}

fn second_witch(game: &Game) -> Option<Dir> {
    let [me, left, _, right] = Seat::ALL;
    if game.status(me) > 0.8 {
        Some(Dir::Left)
    } else if game.score(left) > 10_000 {
        Some(Dir::Down)
    } else if game.land(right) > 100 {
        Some(Dir::Right)
    } else if game.cell(Pos::new(35, 35)).is_some_and(|cell| cell.is_wall) {
        None
    } else {
        Some(Dir::Up)
    }
}

fn go(game: &Game, id: i32, dir: Option<Dir>) {
    match dir {
        Some(dir) => game.move_unit(id, dir),
        None => game.stay(id),
    }
}

player!(Demo, "Demo");
