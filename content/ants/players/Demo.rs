// A player that draws most of its decisions.
use ludus_player::ants::*;

struct Demo {
    direction: Dir,
}

impl Player for Demo {
    fn new(game: &Game) -> Self {
        Demo { direction: Dir::ALL[game.random(0, 3) as usize] }
    }

    fn play(&mut self, game: &Game) {
        if rests(game) {
            return;
        }
        self.move_a_soldier(game);
        for worker in shuffled_workers(game) {
            work(game, worker);
        }
        if let Some(queen) = game.queen(game.me()) {
            if game.random(0, 1) == 1 {
                game.lay(queen.id, Dir::Right, Kind::Soldier);
            } else {
                game.lay(queen.id, Dir::Left, Kind::Worker);
            }
        }
    }
}

impl Demo {
    // In three rounds of four, one soldier goes in the direction of this match.
    fn move_a_soldier(&self, game: &Game) {
        let soldiers: Vec<Ant> = game.soldiers(game.me()).collect();
        if game.random(0, 3) != 0 && !soldiers.is_empty() {
            let chosen = game.random(0, soldiers.len() as i32 - 1);
            game.move_ant(soldiers[chosen as usize].id, self.direction);
        }
    }
}

// It rests in the second half, while ahead of everybody, and when short of CPU.
fn rests(game: &Game) -> bool {
    let me = game.me();
    let ahead = me.others().all(|seat| game.score(seat) < game.score(me));
    game.round() > game.settings.rounds / 2 || ahead || game.status(me) >= 0.9
}

fn shuffled_workers(game: &Game) -> Vec<Ant> {
    let workers: Vec<Ant> = game.workers(game.me()).collect();
    game.random_permutation(workers.len()).into_iter().map(|k| workers[k]).collect()
}

// Takes what lies here, leaves what it carries, or else goes up if nothing is in the way.
fn work(game: &Game, worker: Ant) {
    let food_here = game.cell(worker.pos).and_then(|cell| cell.food);
    if food_here.is_some() {
        game.take(worker.id);
    } else if worker.load.is_some() {
        game.leave(worker.id);
    } else if game.cell(worker.pos + Dir::Up).is_some_and(|cell| !cell.is_water && cell.ant.is_none()) {
        game.move_ant(worker.id, Dir::Up);
    }
}

player!(Demo, "Demo");
