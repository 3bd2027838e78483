use ludus_player::dominator::*;
use std::collections::VecDeque;

/// Farmers share one map of distances to ground that is not ours; who has
/// taken a goal takes it out of the map for the others nearby.
struct Segador {
    side: usize,
    free: Vec<bool>,
}

struct Distances {
    side: usize,
    steps: Vec<u32>,
}

impl Distances {
    fn of(&self, pos: Pos) -> u32 {
        self.steps[pos.i as usize * self.side + pos.j as usize]
    }
}

impl Segador {
    fn index(&self, pos: Pos) -> usize {
        pos.i as usize * self.side + pos.j as usize
    }

    fn map(&self, game: &Game, dirs: &[Dir], is_source: impl Fn(Pos, Cell) -> bool) -> Distances {
        let mut steps = vec![u32::MAX; self.side * self.side];
        let mut line = VecDeque::with_capacity(steps.len());
        for i in 0..self.side {
            for j in 0..self.side {
                let pos = Pos::new(i as i32, j as i32);
                let Some(cell) = game.cell(pos) else { continue };
                if !cell.is_wall && !cell.is_haunted && is_source(pos, cell) {
                    steps[self.index(pos)] = 0;
                    line.push_back(pos);
                }
            }
        }
        while let Some(pos) = line.pop_front() {
            let next_step = steps[self.index(pos)] + 1;
            for &dir in dirs {
                let next = pos + dir;
                let Some(cell) = game.cell(next) else { continue };
                if cell.is_wall || cell.is_haunted {
                    continue;
                }
                let at = self.index(next);
                if steps[at] == u32::MAX {
                    steps[at] = next_step;
                    line.push_back(next);
                }
            }
        }
        Distances { side: self.side, steps }
    }

    fn is_free(&self, game: &Game, pos: Pos) -> bool {
        game.cell(pos).is_some_and(|cell| !cell.is_wall && !cell.is_haunted) && self.free[self.index(pos)]
    }

    fn send(&mut self, game: &Game, unit: Unit, dir: Dir) {
        let at = self.index(unit.pos + dir);
        self.free[at] = false;
        game.move_unit(unit.id, dir);
    }

    fn farmer(&mut self, game: &Game, farmer: Unit, work: &Distances, danger: &Distances) {
        let grade = |pos: Pos| {
            let fear = match danger.of(pos) {
                0 | 1 => 30,
                2 => 10,
                _ => 0,
            };
            work.of(pos).saturating_add(fear)
        };
        let mut options: Vec<Dir> = Dir::STRAIGHT.to_vec();
        options.retain(|&dir| self.is_free(game, farmer.pos + dir));
        options.sort_by_key(|&dir| grade(farmer.pos + dir));
        match options.first() {
            Some(&dir) if grade(farmer.pos + dir) < 1000 => self.send(game, farmer, dir),
            _ => {}
        }
    }

    fn knight(&mut self, game: &Game, knight: Unit, prey: &Distances) {
        let me = game.me();
        let rival = |dir: Dir| game.unit_at(knight.pos + dir).filter(|unit| unit.seat != me && unit.kind != Kind::Witch);
        let weakest = Dir::ALL.into_iter().filter_map(|dir| rival(dir).map(|unit| (unit.health, dir))).min();
        if let Some((_, dir)) = weakest {
            game.move_unit(knight.id, dir);
            return;
        }
        if knight.health < game.settings.knight_health / 2 {
            return;
        }
        let here = prey.of(knight.pos);
        let step = Dir::ALL
            .into_iter()
            .filter(|&dir| self.is_free(game, knight.pos + dir) && prey.of(knight.pos + dir) < here)
            .min_by_key(|&dir| prey.of(knight.pos + dir));
        if let Some(dir) = step {
            self.send(game, knight, dir);
        }
    }
}

impl Player for Segador {
    fn new(game: &Game) -> Self {
        let side = game.settings.rows as usize;
        Segador { side, free: vec![true; side * side] }
    }

    fn play(&mut self, game: &Game) {
        let me = game.me();
        self.free.fill(true);
        for unit in game.units().filter(|unit| game.settings.contains(unit.pos)) {
            let at = self.index(unit.pos);
            self.free[at] = false;
        }
        let work = self.map(game, &Dir::STRAIGHT, |_, cell| cell.owner != Some(me) && cell.unit.is_none());
        let of_kind = |pos: Pos, kind: Kind| game.unit_at(pos).is_some_and(|unit| unit.seat != me && unit.kind == kind);
        let danger = self.map(game, &Dir::ALL, |pos, _| of_kind(pos, Kind::Knight));
        let prey = self.map(game, &Dir::ALL, |pos, _| of_kind(pos, Kind::Farmer));
        for farmer in game.farmers(me) {
            self.farmer(game, farmer, &work, &danger);
        }
        for knight in game.knights(me) {
            self.knight(game, knight, &prey);
        }
    }
}

player!(Segador, "Segador");
