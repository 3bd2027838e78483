// A player that draws most of its decisions.
use ludus_player::purge::*;

struct Demo;

// The order in which it looks around.
const DIRS: [Dir; 4] = [Dir::Up, Dir::Down, Dir::Left, Dir::Right];

impl Player for Demo {
    fn new(_game: &Game) -> Self {
        Demo
    }

    // It rests in the second half of the match and when short of CPU.
    fn play(&mut self, game: &Game) {
        let me = game.me();
        if game.status(me) >= 0.9 || game.round() > game.settings.rounds() / 2 {
            return;
        }
        if game.is_day() {
            game.builders(me).for_each(|builder| work(game, builder));
        } else {
            game.warriors(me).for_each(|warrior| prowl(game, warrior));
        }
    }
}

// Goes to food next to it, to the last if there are several; otherwise builds or wanders.
fn work(game: &Game, builder: Citizen) {
    let next = |dir: Dir| game.cell(builder.pos + dir);
    let has_food = |dir: Dir| next(dir).is_some_and(|cell| cell.item == Some(Item::Food));
    if let Some(dir) = DIRS.into_iter().rfind(|&dir| has_food(dir)) {
        game.move_citizen(builder.id, dir);
    } else if game.random(0, 3) < 2 {
        if let Some(dir) = DIRS.into_iter().find(|&dir| next(dir).is_some()) {
            game.build(builder.id, dir);
        }
    } else {
        wander(game, builder);
    }
}

// Goes somewhere, but not to a warrior.
fn wander(game: &Game, builder: Citizen) {
    let dir = any_dir(game);
    let next = builder.pos + dir;
    let has_warrior = game.citizen_at(next).is_some_and(|citizen| citizen.kind == Kind::Warrior);
    if game.settings.contains(next) && !has_warrior {
        game.move_citizen(builder.id, dir);
    }
}

fn prowl(game: &Game, warrior: Citizen) {
    if game.random(0, 9) < 6 {
        let dir = any_dir(game);
        if game.settings.contains(warrior.pos + dir) {
            game.move_citizen(warrior.id, dir);
        }
    }
}

fn any_dir(game: &Game) -> Dir {
    DIRS[game.random(0, 3) as usize]
}

player!(Demo, "Demo");
