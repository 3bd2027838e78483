// Distance maps from many sources at once, and iterators everywhere.
use ludus_player::ants::*;

struct Mirmex {
    width: i32,
    claimed: Vec<bool>,
}

type Field = Vec<u16>;
const FAR: u16 = u16::MAX;

impl Mirmex {
    fn index(&self, pos: Pos) -> usize {
        (pos.i * self.width + pos.j) as usize
    }

    fn cells<'a>(&self, game: &'a Game) -> impl Iterator<Item = (Pos, Cell)> + 'a {
        let (rows, cols) = (game.settings.rows, game.settings.cols);
        (0..rows).flat_map(move |i| (0..cols).map(move |j| Pos::new(i, j))).filter_map(|pos| Some((pos, game.cell(pos)?)))
    }

    fn neighbours(game: &Game, pos: Pos) -> impl Iterator<Item = (Dir, Pos)> + '_ {
        Dir::ALL
            .into_iter()
            .map(move |dir| (dir, pos + dir))
            .filter(|&(_, next)| game.cell(next).is_some_and(|cell| !cell.is_water))
    }

    fn field(&self, game: &Game, sources: impl Iterator<Item = Pos>) -> Field {
        let mut field = vec![FAR; (game.settings.rows * game.settings.cols) as usize];
        let mut layer: Vec<Pos> = sources.collect();
        for steps in 0.. {
            layer.retain(|&pos| field[self.index(pos)] == FAR);
            if layer.is_empty() {
                break;
            }
            for &pos in &layer {
                field[self.index(pos)] = steps;
            }
            layer = layer.iter().flat_map(|&pos| Self::neighbours(game, pos).map(|(_, next)| next)).collect();
            layer.sort_unstable();
            layer.dedup();
        }
        field
    }

    fn follow(&mut self, game: &Game, ant: Ant, field: &Field) -> bool {
        let here = field[self.index(ant.pos)];
        let step = Self::neighbours(game, ant.pos)
            .filter(|&(_, next)| !self.claimed[self.index(next)] && field[self.index(next)] <= here)
            .filter(|&(_, next)| field[self.index(next)] != FAR)
            .min_by_key(|&(_, next)| field[self.index(next)]);
        if let Some((dir, next)) = step {
            let at = self.index(next);
            self.claimed[at] = true;
            game.move_ant(ant.id, dir);
        }
        step.is_some()
    }

    fn royal(&mut self, game: &Game, queen: Ant) {
        let can_walk = game.round() % game.settings.queen_period == 0;
        let free: Vec<(Dir, Pos)> =
            Self::neighbours(game, queen.pos).filter(|&(_, next)| !self.claimed[self.index(next)]).collect();
        let meal = free.iter().find(|&&(_, next)| game.cell(next).is_some_and(|cell| cell.food.is_some()));
        match (meal, free.first()) {
            (Some(&(dir, next)), _) if can_walk => {
                let at = self.index(next);
                self.claimed[at] = true;
                game.move_ant(queen.id, dir);
            }
            (_, Some(&(dir, next))) if queen.reserve.cover(game.settings.worker_cost) => {
                let at = self.index(next);
                self.claimed[at] = true;
                game.lay(queen.id, dir, Kind::Worker);
            }
            _ => {}
        }
    }
}

impl Player for Mirmex {
    fn new(game: &Game) -> Self {
        Mirmex { width: game.settings.cols, claimed: Vec::new() }
    }

    fn play(&mut self, game: &Game) {
        let me = game.me();
        let Some(queen) = game.queen(me) else { return };
        self.claimed = self.cells(game).map(|(_, cell)| cell.ant.is_some()).collect();
        self.royal(game, queen);

        let home = self.field(game, std::iter::once(queen.pos));
        let larder = self.cells(game).filter(|(pos, cell)| cell.food.is_some() && pos.distance(queen.pos) > 3);
        let food = self.field(game, larder.map(|(pos, _)| pos).collect::<Vec<_>>().into_iter());
        let is_danger = |ant: &Ant| ant.seat != me && ant.kind != Kind::Worker;
        let danger = self.field(game, game.ants().filter(is_danger).map(|ant| ant.pos));
        let prey = self.field(game, game.ants().filter(|ant| ant.seat != me && ant.kind == Kind::Worker).map(|ant| ant.pos));

        for worker in game.workers(me) {
            let at = self.index(worker.pos);
            let has_food = game.cell(worker.pos).is_some_and(|cell| cell.food.is_some());
            if danger[at] <= 2 {
                let away: Field = danger.iter().map(|&steps| 1000u16.saturating_sub(steps)).collect();
                self.follow(game, worker, &away);
            } else if worker.load.is_some() && home[at] <= 2 && !has_food {
                game.leave(worker.id);
            } else if worker.load.is_some() {
                self.follow(game, worker, &home);
            } else if has_food && home[at] > 3 {
                game.take(worker.id);
            } else {
                self.follow(game, worker, &food);
            }
        }
        for ant in game.ants().filter(|ant| ant.seat != me && ant.kind == Kind::Worker) {
            let at = self.index(ant.pos);
            self.claimed[at] = false;
        }
        for soldier in game.soldiers(me) {
            self.follow(game, soldier, &prey);
        }
    }
}

player!(Mirmex, "Mirmex");
