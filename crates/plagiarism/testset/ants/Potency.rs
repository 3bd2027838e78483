use ludus_player::ants::*;

// Physics for ants: each thing on the board pulls or pushes with a force that
// falls with distance. No search at all, only sums.

#[derive(Clone, Copy)]
struct Charge { at: Pos, pull: f32, reach: f32 }

impl Charge {
    fn felt(&self, from: Pos) -> f32 {
        let d = self.at.distance(from) as f32;
        if d > self.reach { 0.0 } else { self.pull / (1.0 + d * d) + 0.01 * self.pull.signum() * (self.reach - d) }
    }
}

struct Potency {
    trail: Vec<(i32, Pos)>,
    steps: Vec<Pos>,
}

fn total(charges: &[Charge], from: Pos) -> f32 {
    let mut sum = 0.0;
    for charge in charges { sum += charge.felt(from); }
    sum
}

impl Potency {
    fn best(&self, game: &Game, ant: Ant, charges: &[Charge]) -> Option<Dir> {
        let mut answer = None;
        let mut top = f32::MIN;
        let mut dirs = [0, 1, 2, 3];
        for (k, &p) in game.random_permutation(4).iter().enumerate() { dirs[k] = p; }
        for k in dirs {
            let dir = Dir::ALL[k];
            let to = ant.pos + dir;
            let Some(cell) = game.cell(to) else { continue };
            if cell.is_water || self.steps.contains(&to) { continue }
            if let Some(other) = cell.ant.and_then(|id| game.ant(id)) {
                if other.seat == game.me() || other.kind <= ant.kind { continue }
            }
            let mut value = total(charges, to);
            // Inertia: where we were a moment ago is dull.
            if self.trail.contains(&(ant.id, to)) { value -= 0.3 }
            if value > top { top = value; answer = Some(dir); }
        }
        answer
    }

    fn push(&mut self, game: &Game, ant: Ant, charges: &[Charge]) {
        if let Some(dir) = self.best(game, ant, charges) {
            self.steps.push(ant.pos + dir);
            self.trail.push((ant.id, ant.pos));
            game.move_ant(ant.id, dir);
        }
    }
}

impl Player for Potency {
    fn new(_: &Game) -> Self { Potency { trail: vec![], steps: vec![] } }

    fn play(&mut self, game: &Game) {
        self.steps.clear();
        if self.trail.len() > 120 { self.trail.drain(..60); }
        let me = game.me();
        let Some(queen) = game.queen(me) else { return };

        let mut fear = vec![];
        let mut lunch = vec![];
        for ant in game.ants() {
            if ant.seat == me { continue }
            match ant.kind {
                Kind::Worker => lunch.push(Charge { at: ant.pos, pull: 4.0, reach: 15.0 }),
                Kind::Soldier => fear.push(Charge { at: ant.pos, pull: -6.0, reach: 4.0 }),
                Kind::Queen => fear.push(Charge { at: ant.pos, pull: -9.0, reach: 5.0 }),
            }
        }
        let mut crumbs = vec![];
        for i in 0..game.settings.rows {
            for j in 0..game.settings.cols {
                let at = Pos::new(i, j);
                let Some(cell) = game.cell(at) else { continue };
                if cell.food.is_some() && at.distance(queen.pos) > 3 { crumbs.push(Charge { at, pull: 5.0, reach: 40.0 }) }
            }
        }

        let mut royal_done = false;
        if game.round() % game.settings.queen_period == 0 {
            for dir in Dir::ALL {
                let to = queen.pos + dir;
                let tasty = game.cell(to).is_some_and(|c| c.food.is_some() && c.ant.is_none());
                if tasty && !royal_done { game.move_ant(queen.id, dir); self.steps.push(to); royal_done = true; }
            }
        }
        if !royal_done {
            for dir in Dir::ALL {
                let to = queen.pos + dir;
                let room = game.cell(to).is_some_and(|c| !c.is_water && c.ant.is_none());
                if room && queen.reserve.cover(game.settings.worker_cost) { game.lay(queen.id, dir, Kind::Worker); self.steps.push(to); break }
            }
        }

        for worker in game.workers(me) {
            let near = worker.pos.distance(queen.pos);
            let lies = game.cell(worker.pos).is_some_and(|c| c.food.is_some());
            let mut charges = fear.clone();
            match worker.load {
                Some(_) if near <= 2 && !lies => { game.leave(worker.id); continue }
                Some(_) => charges.push(Charge { at: queen.pos, pull: 8.0, reach: 99.0 }),
                None if lies && near > 3 => { game.take(worker.id); continue }
                None => {
                    charges.extend_from_slice(&crumbs);
                    // Workers push each other apart, so that they spread out.
                    for mate in game.workers(me).filter(|m| m.id != worker.id) {
                        charges.push(Charge { at: mate.pos, pull: -0.8, reach: 6.0 });
                    }
                }
            }
            self.push(game, worker, &charges);
        }
        for soldier in game.soldiers(me) {
            let mut charges = lunch.clone();
            charges.extend(fear.iter().filter(|c| c.pull < -8.0));
            self.push(game, soldier, &charges);
        }
    }
}

player!(Potency, "Potency");
