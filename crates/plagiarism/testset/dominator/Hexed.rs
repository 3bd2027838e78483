use ludus_player::dominator::*;

// Simulated tempers: each unit has a mood that changes with what happens to
// it, and moods decide. There is no path finding; units feel gradients of
// sums over a window.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mood { Eager, Wary, Angry, Tired }

struct Memory { mood: Mood, health: i32, since: i32, heading: usize }

struct Hexed { minds: Vec<Memory>, marked: Vec<Pos> }

impl Hexed {
    fn change(&mut self, unit: &Unit, round: i32, near: usize) -> Mood {
        let mind = &mut self.minds[unit.id as usize];
        let hurt = unit.health < mind.health;
        mind.health = unit.health;
        let next = match (unit.kind, mind.mood) {
            (Kind::Farmer, _) if near > 0 => Mood::Wary,
            (Kind::Farmer, Mood::Wary) if round - mind.since > 4 => Mood::Eager,
            (Kind::Knight, _) if unit.health < 70 => Mood::Tired,
            (Kind::Knight, Mood::Tired) if unit.health < 160 => Mood::Tired,
            (Kind::Knight, _) if hurt => Mood::Angry,
            (Kind::Knight, Mood::Tired) => Mood::Eager,
            (_, mood) => mood,
        };
        if next != mind.mood { mind.since = round; mind.heading = (mind.heading + 3) % 8; }
        mind.mood = next;
        next
    }

    fn can(&self, game: &Game, pos: Pos) -> bool {
        game.cell(pos).is_some_and(|c| c.is_open() && !c.is_haunted) && !self.marked.contains(&pos)
    }

    fn walk(&mut self, game: &Game, unit: &Unit, dirs: &[Dir], feel: impl Fn(Pos) -> f32) {
        let heading = self.minds[unit.id as usize].heading;
        let mut best: Option<(f32, Dir)> = None;
        for &dir in dirs {
            let to = unit.pos + dir;
            if !self.can(game, to) { continue; }
            let inertia = if dir.index() == heading { 0.4 } else { 0.0 };
            let value = feel(to) + inertia;
            if best.is_none_or(|(b, _)| value > b) { best = Some((value, dir)); }
        }
        if let Some((_, dir)) = best {
            self.marked.push(unit.pos + dir);
            self.minds[unit.id as usize].heading = dir.index();
            game.move_unit(unit.id, dir);
        }
    }
}

fn window(game: &Game, at: Pos, radius: i32, weigh: impl Fn(Cell) -> f32) -> f32 {
    let mut sum = 0.0;
    for i in at.i - radius..=at.i + radius {
        for j in at.j - radius..=at.j + radius {
            let pos = Pos::new(i, j);
            if let Some(cell) = game.cell(pos) {
                if !cell.is_wall { sum += weigh(cell) / (1 + pos.distance(at)) as f32; }
            }
        }
    }
    sum
}

fn rival_of(game: &Game, cell: Cell, kind: Kind) -> f32 {
    let unit = cell.unit.and_then(|id| game.unit(id));
    if unit.is_some_and(|u| u.seat != game.me() && u.kind == kind) { 1.0 } else { 0.0 }
}

impl Player for Hexed {
    fn new(game: &Game) -> Self {
        let minds = game.units().map(|u| Memory { mood: Mood::Eager, health: u.health, since: 0, heading: (u.id % 8) as usize });
        Hexed { minds: minds.collect(), marked: vec![] }
    }

    fn play(&mut self, game: &Game) {
        self.marked.clear();
        if game.status(game.me()) > 0.92 { return; }
        let me = game.me();
        let round = game.round();
        for farmer in game.farmers(me) {
            let near = Dir::ALL.iter().filter(|&&d| game.cell(farmer.pos + d).is_some_and(|c| rival_of(game, c, Kind::Knight) > 0.0)).count();
            let mood = self.change(&farmer, round, near);
            self.walk(game, &farmer, &Dir::STRAIGHT, |to| {
                let own = game.cell(to).is_some_and(|c| c.owner == Some(me));
                let land = window(game, to, 3, |c| if c.owner != Some(me) { 0.3 } else { 0.0 }) - if own { 2.0 } else { 0.0 };
                let fear = window(game, to, 2, |c| rival_of(game, c, Kind::Knight));
                land - fear * if mood == Mood::Wary { 9.0 } else { 1.0 }
            });
        }
        for knight in game.knights(me) {
            let mood = self.change(&knight, round, 0);
            let mut blow: Option<(i32, Dir)> = None;
            for dir in Dir::ALL {
                let Some(other) = game.unit_at(knight.pos + dir) else { continue };
                if other.seat == me || other.kind == Kind::Witch { continue; }
                let rank = other.health + if (other.kind == Kind::Knight) == (mood == Mood::Angry) { 0 } else { 100 };
                if blow.is_none_or(|(b, _)| rank < b) { blow = Some((rank, dir)); }
            }
            match (mood, blow) {
                (Mood::Tired, None) => game.stay(knight.id),
                (Mood::Tired, Some(_)) => self.walk(game, &knight, &Dir::ALL, |to| -window(game, to, 2, |c| rival_of(game, c, Kind::Knight))),
                (_, Some((_, dir))) => game.move_unit(knight.id, dir),
                (_, None) => self.walk(game, &knight, &Dir::ALL, |to| {
                    window(game, to, 4, |c| rival_of(game, c, Kind::Farmer) * 3.0 + rival_of(game, c, Kind::Knight))
                }),
            }
        }
        for witch in game.witches(me) {
            // Witches stroll where nobody of ours is.
            for k in game.random_permutation(4) {
                let dir = Dir::STRAIGHT[k];
                let to = witch.pos + dir;
                let friends = game.units().any(|u| u.seat == me && u.kind != Kind::Witch && u.pos.distance(to) <= 3);
                if !friends && game.cell(to).is_some_and(|c| c.is_open()) { game.move_unit(witch.id, dir); break; }
            }
        }
    }
}

player!(Hexed, "Hexed");
