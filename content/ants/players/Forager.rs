// A player to learn from: workers carry food to the queen, the queen eats it
// and lays workers, and nobody walks into anybody.
use std::collections::{HashSet, VecDeque};

use ludus_player::ants::*;

struct Forager {
    // Cells on which one of my ants will stand after this round.
    taken: HashSet<Pos>,
}

impl Player for Forager {
    fn new(_game: &Game) -> Self {
        Forager { taken: HashSet::new() }
    }

    fn play(&mut self, game: &Game) {
        self.taken.clear();
        let queen = game.queen(game.me());
        if let Some(queen) = queen {
            self.play_queen(game, queen);
        }
        let home = queen.map(|queen| queen.pos);
        let to_queen = Distances::to(game, home);
        let to_food = Distances::to(game, food_on_the_ground(game, home));
        for worker in game.workers(game.me()) {
            self.play_worker(game, worker, &to_food, &to_queen);
        }
    }
}

impl Forager {
    // Lays a worker if there is enough for one, and looks for food otherwise.
    fn play_queen(&mut self, game: &Game, queen: Ant) {
        if queen.reserve.cover(game.settings.worker_cost) {
            let free = Dir::ALL.into_iter().find(|&dir| self.is_safe(game, queen.pos + dir));
            if let Some(dir) = free {
                self.taken.insert(queen.pos + dir);
                game.lay(queen.id, dir, Kind::Worker);
                return;
            }
        }
        if game.round() % game.settings.queen_period == 0 {
            self.approach(game, queen, &Distances::to(game, food_on_the_ground(game, None)));
        }
    }

    fn play_worker(&mut self, game: &Game, worker: Ant, to_food: &Distances, to_queen: &Distances) {
        let food_here = game.cell(worker.pos).is_some_and(|cell| cell.food.is_some());
        let at_queen = to_queen.from(worker.pos).is_some_and(|steps| steps <= 1);
        match (worker.load, food_here) {
            (Some(_), false) if at_queen => game.leave(worker.id),
            (Some(_), _) => self.approach(game, worker, to_queen),
            (None, true) if !at_queen => game.take(worker.id),
            (None, _) => self.approach(game, worker, to_food),
        }
    }

    // Moves to the safe neighbour that is nearest, if it is nearer than here.
    fn approach(&mut self, game: &Game, ant: Ant, distances: &Distances) {
        let here = distances.from(ant.pos).unwrap_or(i32::MAX);
        let nearer = |dir: Dir| distances.from(ant.pos + dir).filter(|&steps| steps < here).map(|steps| (steps, dir));
        let safe = Dir::ALL.into_iter().filter(|&dir| self.is_safe(game, ant.pos + dir));
        if let Some((_, dir)) = safe.filter_map(nearer).min_by_key(|&(steps, _)| steps) {
            self.taken.insert(ant.pos + dir);
            game.move_ant(ant.id, dir);
        }
    }

    // A cell that nobody stands on or goes to, and where no rival can strike.
    fn is_safe(&self, game: &Game, pos: Pos) -> bool {
        let free = is_dry(game, pos) && ant_at(game, pos).is_none() && !self.taken.contains(&pos);
        let rival = |dir: Dir| ant_at(game, pos + dir).is_some_and(|ant| ant.seat != game.me());
        free && !Dir::ALL.into_iter().any(rival)
    }
}

// The steps from every cell to the nearest of some cells.
struct Distances {
    cols: i32,
    steps: Vec<Option<i32>>,
}

impl Distances {
    // Breadth-first search from many cells at once, on soil.
    fn to(game: &Game, goals: impl IntoIterator<Item = Pos>) -> Distances {
        let cells = game.settings.rows * game.settings.cols;
        let mut distances = Distances { cols: game.settings.cols, steps: vec![None; cells as usize] };
        let mut border = VecDeque::new();
        for goal in goals {
            *distances.at(goal) = Some(0);
            border.push_back((goal, 0));
        }
        while let Some((pos, steps)) = border.pop_front() {
            for next in Dir::ALL.map(|dir| pos + dir) {
                if is_dry(game, next) && distances.at(next).is_none() {
                    *distances.at(next) = Some(steps + 1);
                    border.push_back((next, steps + 1));
                }
            }
        }
        distances
    }

    // The position must be on the board.
    fn at(&mut self, pos: Pos) -> &mut Option<i32> {
        &mut self.steps[(pos.i * self.cols + pos.j) as usize]
    }

    // None where nothing can be reached from, and outside the board.
    fn from(&self, pos: Pos) -> Option<i32> {
        let on_a_row = pos.i >= 0 && (0..self.cols).contains(&pos.j);
        if on_a_row { *self.steps.get((pos.i * self.cols + pos.j) as usize)? } else { None }
    }
}

fn is_dry(game: &Game, pos: Pos) -> bool {
    game.cell(pos).is_some_and(|cell| !cell.is_water)
}

fn ant_at(game: &Game, pos: Pos) -> Option<Ant> {
    game.ant(game.cell(pos)?.ant?)
}

// Food that no queen at `home` can reach by herself.
fn food_on_the_ground(game: &Game, home: Option<Pos>) -> Vec<Pos> {
    let mut food = Vec::new();
    for i in 0..game.settings.rows {
        for j in 0..game.settings.cols {
            let pos = Pos::new(i, j);
            let lies_here = game.cell(pos).is_some_and(|cell| cell.food.is_some());
            if lies_here && home.is_none_or(|home| home.distance(pos) > 1) {
                food.push(pos);
            }
        }
    }
    food
}

player!(Forager, "Forager");
