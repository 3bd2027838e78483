use ludus_player::dominator::*;
use std::collections::VecDeque;

#[derive(Clone)]
struct Province {
    farmer: i32,
    seat: Pos,
    nearest: Pos, // closest cell that needs paint
    distance: i32,
    work: i32,
}

struct Delaunay {
    provinces: Vec<Province>,
    lord: Vec<Vec<i32>>, // province of each cell
    steps: Vec<Vec<i32>>,
    back: Vec<Vec<Option<Dir>>>, // direction towards the seat
}

fn passable(game: &Game, p: Pos) -> bool {
    match game.cell(p) {
        Some(cell) => !cell.is_wall && !cell.is_haunted,
        None => false,
    }
}

fn is_occupied(game: &Game, p: Pos) -> bool {
    game.cell(p).is_some_and(|cell| cell.unit.is_some())
}

fn is_mine(game: &Game, p: Pos) -> bool {
    game.cell(p).is_some_and(|cell| cell.owner == Some(game.me()))
}

impl Delaunay {
    fn divide(&mut self, game: &Game) {
        let rows = game.settings.rows as usize;
        let cols = game.settings.cols as usize;
        self.provinces.clear();
        self.lord = vec![vec![-1; cols]; rows];
        self.steps = vec![vec![0; cols]; rows];
        self.back = vec![vec![None; cols]; rows];
        let mut frontier = VecDeque::new();
        for unit in game.farmers(game.me()) {
            let p = unit.pos;
            if !game.settings.contains(p) {
                continue;
            }
            self.lord[p.i as usize][p.j as usize] = self.provinces.len() as i32;
            self.provinces.push(Province { farmer: unit.id, seat: p, nearest: p, distance: 0, work: 0 });
            frontier.push_back(p);
        }
        while let Some(p) = frontier.pop_front() {
            let (i, j) = (p.i as usize, p.j as usize);
            let here = self.lord[i][j];
            let mine = &mut self.provinces[here as usize];
            if !is_mine(game, p) && p != mine.seat && !is_occupied(game, p) {
                if mine.work == 0 {
                    mine.nearest = p;
                    mine.distance = self.steps[i][j];
                }
                mine.work += 1;
            }
            for d in Dir::STRAIGHT {
                let q = p + d;
                if !passable(game, q) || self.lord[q.i as usize][q.j as usize] != -1 {
                    continue;
                }
                self.lord[q.i as usize][q.j as usize] = here;
                self.steps[q.i as usize][q.j as usize] = self.steps[i][j] + 1;
                self.back[q.i as usize][q.j as usize] = Some(d.opposite());
                frontier.push_back(q);
            }
        }
    }

    fn retrace(&self, mut from: Pos, seat: Pos) -> Option<Dir> {
        let mut last = None;
        while from != seat {
            last = self.back[from.i as usize][from.j as usize];
            from += last?;
        }
        last.map(|d| d.opposite())
    }

    fn govern(&self, game: &Game, p: &Province) {
        if p.work > 0 {
            if let Some(d) = self.retrace(p.nearest, p.seat) {
                game.move_unit(p.farmer, d);
            }
            return;
        }
        // Nothing to do at home: move towards the neighbour with most work.
        let mut most = 0;
        let mut help = p.seat;
        for q in &self.provinces {
            let value = q.work - 2 * ((q.seat.i - p.seat.i).abs() + (q.seat.j - p.seat.j).abs());
            if q.farmer != p.farmer && value > most {
                most = value;
                help = q.seat;
            }
        }
        let (di, dj) = (help.i - p.seat.i, help.j - p.seat.j);
        let mut d = if di.abs() > dj.abs() {
            if di > 0 { Dir::Down } else { Dir::Up }
        } else {
            if dj > 0 { Dir::Right } else { Dir::Left }
        };
        if di == 0 && dj == 0 {
            d = Dir::STRAIGHT[game.random(0, 3) as usize];
        }
        if passable(game, p.seat + d) && !is_occupied(game, p.seat + d) {
            game.move_unit(p.farmer, d);
        }
    }

    // Knights defend the province in which a rival was seen.
    fn defend(&self, game: &Game, k: Unit, hunted: &mut [i32]) {
        let me = game.me();
        let mut goal = None;
        let mut near = 14;
        for o in game.units() {
            if o.seat == me || o.kind == Kind::Witch || !game.settings.contains(o.pos) {
                continue;
            }
            if game.cell(o.pos).is_some_and(|cell| cell.is_haunted) || hunted[o.id as usize] >= 2 {
                continue;
            }
            let mut d = (o.pos.i - k.pos.i).abs().max((o.pos.j - k.pos.j).abs());
            if is_mine(game, o.pos) {
                d -= 3;
            }
            if d < near {
                near = d;
                goal = Some(o);
            }
        }
        let Some(target) = goal else { return };
        hunted[target.id as usize] += 1;
        let t = target.pos;
        let di = (t.i > k.pos.i) as i32 - (t.i < k.pos.i) as i32;
        let dj = (t.j > k.pos.j) as i32 - (t.j < k.pos.j) as i32;
        let compass = [[5, 4, 3], [6, 8, 2], [7, 0, 1]];
        let straight = compass[(di + 1) as usize][(dj + 1) as usize];
        for turn in [0, 1, 7, 2, 6] {
            let d = Dir::ALL[(straight + turn) % 8];
            let q = k.pos + d;
            if !passable(game, q) {
                continue;
            }
            if game.unit_at(q).is_some_and(|unit| unit.seat == me) {
                continue;
            }
            game.move_unit(k.id, d);
            return;
        }
    }
}

impl Player for Delaunay {
    fn new(_game: &Game) -> Self {
        Delaunay { provinces: Vec::new(), lord: Vec::new(), steps: Vec::new(), back: Vec::new() }
    }

    fn play(&mut self, game: &Game) {
        self.divide(game);
        for p in &self.provinces {
            self.govern(game, p);
        }
        let mut hunted = vec![0; game.units().count()];
        for k in game.knights(game.me()) {
            self.defend(game, k, &mut hunted);
        }
    }
}

player!(Delaunay, "Delaunay");
