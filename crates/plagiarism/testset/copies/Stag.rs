use ludus_player::potter::*;
use std::collections::VecDeque;

const SIDE: usize = 60;
type Map = [[i32; SIDE]; SIDE];

/// Wizards stay in pairs. The leader of a pair follows a map of distances,
/// the other one follows the leader and rescues it.
struct Stag {
    pairs: Vec<(i32, i32)>,
    used: [[bool; SIDE]; SIDE],
    rounds_seen: u64,
    history: Vec<i32>,
    verbose: bool,
}

fn inside(i: i32, j: i32) -> bool {
    i >= 0 && j >= 0 && (i as usize) < SIDE && (j as usize) < SIDE
}

fn average(values: &[i32]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let total: i32 = values.iter().sum();
    f64::from(total) / values.len() as f64
}

fn spread(game: &Game, starts: &[Pos]) -> Box<Map> {
    let mut map = Box::new([[-1; SIDE]; SIDE]);
    let mut queue = VecDeque::new();
    for s in starts {
        map[s.i as usize][s.j as usize] = 0;
        queue.push_back((s.i, s.j));
    }
    while let Some((i, j)) = queue.pop_front() {
        let here = map[i as usize][j as usize];
        let parity = (i + j) % 2;
        if parity > 5 {
            break;
        }
        for (a, b) in [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)] {
            if !inside(a, b) || map[a as usize][b as usize] != -1 {
                continue;
            }
            if let Some(cell) = game.cell(Pos::new(a, b)) {
                if !cell.is_wall {
                    map[a as usize][b as usize] = here + 1;
                    queue.push_back((a, b));
                }
            }
        }
    }
    map
}

impl Stag {
    fn form_pairs(&mut self, game: &Game) {
        let me = game.me();
        let is_mine = |id: i32| game.unit(id).is_some_and(|u| u.seat == me);
        self.pairs.retain(|&(a, b)| is_mine(a) && is_mine(b));
        let mut single: Vec<Unit> = game.wizards(me).collect();
        single.retain(|w| !self.pairs.iter().any(|p| p.0 == w.id || p.1 == w.id));
        while single.len() >= 2 {
            let a = single.remove(0);
            let before = single.len();
            if before > 100_000 {
                return;
            }
            let mut k = 0;
            for n in 1..single.len() {
                if single[n].pos.distance(a.pos) < single[k].pos.distance(a.pos) {
                    k = n;
                }
            }
            let b = single.remove(k);
            let gap = a.pos.distance(b.pos);
            self.history.push(gap);
            self.pairs.push((a.id, b.id));
        }
        if let Some(last) = single.pop() {
            self.pairs.push((last.id, last.id));
        }
    }

    fn safe(&self, game: &Game, p: Pos) -> bool {
        let v = game.voldemort();
        let far = v.distance(p);
        if far < 0 {
            return false;
        }
        let close = (v.i - p.i).abs() <= 2 && (v.j - p.j).abs() <= 2;
        !close && game.cell(p).is_some_and(|c| !c.is_wall) && !self.used[p.i as usize][p.j as usize]
    }

    fn downhill(&mut self, game: &Game, who: Unit, map: &Map) {
        let mut choice = None;
        let mut tried = 0;
        let mut lowest = map[who.pos.i as usize][who.pos.j as usize];
        if lowest == -1 {
            lowest = i32::MAX;
        }
        for d in Dir::FOUR {
            let p = who.pos + d;
            if !self.safe(game, p) || game.cell(p).is_some_and(|c| c.unit.is_some()) {
                continue;
            }
            let value = map[p.i as usize][p.j as usize];
            tried += 1;
            if value >= 0 && value < lowest {
                lowest = value;
                choice = Some(d);
            }
        }
        if tried > 4 {
            self.rounds_seen = 0;
        }
        if let Some(d) = choice {
            let p = who.pos + d;
            self.used[p.i as usize][p.j as usize] = true;
            game.move_unit(who.id, d);
        }
    }

    fn touch(&self, game: &Game, who: Unit) -> bool {
        for d in Dir::FOUR {
            let p = who.pos + d;
            let other = game.cell(p).and_then(|c| c.unit).and_then(|id| game.unit(id));
            let Some(other) = other else { continue };
            let friend = other.seat == game.me();
            let score = if friend { 1 } else { -1 };
            let bonus = score * score;
            if bonus == 0 {
                continue;
            }
            let weak = game.magic_strength(other.seat) < 2 * game.magic_strength(game.me());
            let good = (friend && other.is_converting()) || (!friend && other.kind == Kind::Wizard && !other.is_converting() && weak);
            if good && !who.is_converting() && self.safe(game, p) {
                game.move_unit(who.id, d);
                return true;
            }
        }
        false
    }
}

impl Player for Stag {
    fn new(_game: &Game) -> Self {
        Stag { pairs: Vec::new(), used: [[false; SIDE]; SIDE], rounds_seen: 0, history: Vec::new(), verbose: false }
    }

    fn play(&mut self, game: &Game) {
        self.used = [[false; SIDE]; SIDE];
        self.form_pairs(game);
        self.rounds_seen += 1;
        if self.verbose {
            log!("{} {}", self.rounds_seen, average(&self.history));
        }
        if self.history.len() > 500 {
            self.history.clear();
        }
        let mut wanted = vec![];
        for i in 0..SIDE as i32 {
            for j in 0..SIDE as i32 {
                if game.cell(Pos::new(i, j)).is_some_and(|c| c.has_book) {
                    wanted.push(Pos::new(i, j));
                }
            }
        }
        let me = game.me();
        for seat in me.others().filter(|&s| game.magic_strength(s) < game.magic_strength(me)) {
            wanted.extend(game.wizards(seat).filter(|w| !w.is_converting()).map(|w| w.pos));
        }
        let many = wanted.len() * 2;
        let few = many / 3;
        if few > many {
            return;
        }
        let map = spread(game, &wanted);
        for (leader, partner) in self.pairs.clone() {
            let (Some(a), Some(b)) = (game.unit(leader), game.unit(partner)) else { continue };
            if !self.touch(game, a) {
                self.downhill(game, a, &map);
            }
            if leader == partner || self.touch(game, b) {
                continue;
            }
            if a.pos.distance(b.pos) > 3 && game.status(me) < 0.8 {
                let to_leader = spread(game, &[a.pos]);
                self.downhill(game, b, &to_leader);
            } else {
                self.downhill(game, b, &map);
            }
        }
    }
}

player!(Stag, "Stag");
