// A player that leaves most of its decisions to chance.
use ludus_player::potter::*;

struct Demo;

impl Player for Demo {
    fn new(_game: &Game) -> Self {
        Demo
    }

    fn play(&mut self, game: &Game) {
        let me = game.me();
        // A player that uses up its CPU time gives no more orders at all.
        if game.status(me) >= 0.9 {
            return;
        }

        // It decides for everybody as many times as it has wizards. Only the first
        // order for a wizard counts, so a wizard that got none has more chances.
        for _ in game.wizards(me) {
            if game.round() % 2 == 0 {
                wander(game);
            } else if game.random(0, 3) <= 1 {
                drift(game);
            } else {
                attack(game);
            }
        }

        // The group of each ingredient: right for very few puzzles.
        game.cast(game.ghost(me).id, &[0, 2, 4, 1, 3, 2, 0, 1, 4, 1, 4, 0, 3, 3, 2]);
    }
}

fn wander(game: &Game) {
    for wizard in game.wizards(game.me()) {
        let dir = Dir::FOUR[game.random(0, 3) as usize];
        if is_open(game, wizard.pos + dir) {
            game.move_unit(wizard.id, dir);
        }
    }
}

fn drift(game: &Game) {
    for wizard in game.wizards(game.me()) {
        if is_open(game, wizard.pos + Dir::Left) {
            game.move_unit(wizard.id, Dir::Left);
        }
    }
}

fn attack(game: &Game) {
    for wizard in game.wizards(game.me()) {
        if let Some(dir) = Dir::FOUR.into_iter().find(|&dir| has_enemy_wizard(game, wizard.pos + dir)) {
            game.move_unit(wizard.id, dir);
        }
    }
}

fn is_open(game: &Game, pos: Pos) -> bool {
    game.cell(pos).is_some_and(|cell| !cell.is_wall)
}

fn has_enemy_wizard(game: &Game, pos: Pos) -> bool {
    let unit = game.cell(pos).and_then(|cell| cell.unit).and_then(|id| game.unit(id));
    unit.is_some_and(|unit| unit.kind == Kind::Wizard && unit.seat != game.me())
}

player!(Demo, "Demo");
