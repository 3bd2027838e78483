// A player to learn from. By day everybody gathers what is worth most per step.
// By night our citizens keep away from whoever is stronger and hunt whoever is
// weaker. Those run as fast as we do, so a hunter thinks ahead: it knows how
// they run, and searches for the shortest chase that ends with a sure blow.
use ludus_player::purge::*;

// Steps within which stronger rivals are feared.
const FEAR: i32 = 2;

// Rounds before the night in which we go near our prey.
const DUSK: i32 = 8;

// Steps within which prey is considered, and rounds that a chase may last.
const REACH: i32 = 10;
const HORIZON: i32 = 7;

// What our life counts in a fight, as food brings it back.
const RISKY: f64 = 0.7;

// Places that prey considers when it runs.
const PANIC: usize = 60;

const UNREACHED: i32 = -1;

// A place is the number of a cell, row by row. Everything is kept between
// rounds for its room.
struct Hunter {
    // Where each place is, and the streets around it by direction.
    positions: Vec<Pos>,
    neighbours: Vec<[Option<usize>; 4]>,
    cells: Vec<Cell>,
    // Whether one of ours stands there or has been sent there, or is after it.
    taken: Vec<bool>,
    // Ours are where they have been sent.
    everybody: Vec<Citizen>,
    // 2 where the citizen in question can be struck, 1 nearly so.
    danger: Vec<i32>,
    // Shunned by the prey in question, for fear of others than the hunter.
    shunned: Vec<bool>,
    // The search under way: steps to each place, the first of them, and all
    // places reached, in that order.
    steps: Vec<i32>,
    first: Vec<Dir>,
    reached: Vec<usize>,
    chases: Vec<Chase>,
    // Pairs of places in the chases of this number.
    considered: Vec<u32>,
    number: u32,
    // Places to run to, and the first step of the way.
    flight: Vec<(usize, usize)>,
}

// Where hunter and prey are after some rounds, and how it begins: with a step,
// or by waiting.
#[derive(Clone, Copy)]
struct Chase {
    hunter: usize,
    prey: usize,
    rounds: i32,
    begin: Option<Dir>,
}

impl Player for Hunter {
    fn new(game: &Game) -> Self {
        let (rows, cols) = (game.settings.rows, game.settings.cols);
        let size = (rows * cols) as usize;
        let positions: Vec<Pos> = (0..rows * cols).map(|at| Pos::new(at / cols, at % cols)).collect();
        let is_street = |pos: &Pos| game.cell(*pos).is_some_and(|cell| !cell.is_building);
        let place = |pos: Pos| (pos.i * cols + pos.j) as usize;
        let around = |&pos: &Pos| Dir::ALL.map(|dir| Some(pos + dir).filter(is_street).map(place));
        Hunter {
            neighbours: positions.iter().map(around).collect(),
            positions,
            cells: Vec::new(),
            taken: vec![false; size],
            everybody: Vec::new(),
            danger: vec![0; size],
            shunned: vec![false; size],
            steps: vec![0; size],
            first: vec![Dir::Down; size],
            reached: Vec::new(),
            chases: Vec::new(),
            considered: vec![0; size * size],
            number: 0,
            flight: Vec::new(),
        }
    }

    fn play(&mut self, game: &Game) {
        // Better idle than frozen.
        if game.status(game.me()) >= 0.9 {
            return;
        }
        self.look_around(game);
        for citizen in game.warriors(game.me()).chain(game.builders(game.me())) {
            self.look_out(game, citizen);
            if !self.hunt(game, citizen) {
                self.seek(game, citizen);
            }
        }
    }
}

impl Hunter {
    fn look_around(&mut self, game: &Game) {
        self.cells.clear();
        self.cells.extend(self.positions.iter().filter_map(|&pos| game.cell(pos)));
        self.everybody.clear();
        for seat in Seat::ALL {
            self.everybody.extend(game.builders(seat).chain(game.warriors(seat)));
        }
        self.taken.fill(false);
        for citizen in game.citizens().filter(|citizen| citizen.seat == game.me()) {
            let at = place(game, citizen.pos);
            self.taken[at] = true;
        }
    }

    fn apart(&self, a: usize, b: usize) -> i32 {
        self.positions[a].distance(self.positions[b])
    }

    fn is_rival(&self, at: usize) -> bool {
        self.cells[at].citizen.is_some() && !self.taken[at]
    }

    fn is_prey(&self, at: usize) -> bool {
        self.is_rival(at) && self.cells[at].barricade.is_none()
    }

    fn can_enter(&self, game: &Game, at: usize) -> bool {
        let open = self.cells[at].barricade.is_none_or(|barricade| barricade.seat == game.me());
        !self.taken[at] && self.cells[at].citizen.is_none() && open
    }

    // Where warriors can strike whom this citizen had better not fight. Whoever
    // is next to them is struck as often as not, so a step more is not yet safe.
    fn look_out(&mut self, game: &Game, citizen: Citizen) {
        self.danger.fill(0);
        if game.is_day() && game.settings.is_day(game.round() + 1) {
            return;
        }
        let is_strong = |rival: &&Citizen| {
            rival.seat != game.me() && rival.kind == Kind::Warrior && fight(game, citizen, **rival) <= 0.0
        };
        for rival in self.everybody.iter().filter(is_strong) {
            for (danger, pos) in self.danger.iter_mut().zip(&self.positions) {
                let far = pos.distance(rival.pos);
                if far <= FEAR {
                    *danger = (*danger).max(if far <= 1 { 2 } else { 1 });
                }
            }
        }
    }

    fn shun(&mut self, game: &Game, hunter: Citizen, prey: Citizen) {
        self.shunned.fill(false);
        for &other in &self.everybody {
            if other.seat != prey.seat && other.id != hunter.id && fears(game, prey, other) {
                for (shunned, pos) in self.shunned.iter_mut().zip(&self.positions) {
                    *shunned |= pos.distance(other.pos) <= FEAR;
                }
            }
        }
    }

    // Where prey goes next: a step towards the nearest free place that it does
    // not shun, if it is afraid. What it does otherwise is not foreseen.
    fn escape(&mut self, chase: Chase, hunter: Citizen, prey: Citizen) -> usize {
        let mut flight = std::mem::take(&mut self.flight);
        flight.clear();
        flight.push((chase.prey, chase.prey));
        let mut step = chase.prey;
        for next in 0..PANIC {
            let Some(&(at, first)) = flight.get(next) else { break };
            let is_fine = self.apart(at, chase.hunter) > FEAR && !self.shunned[at];
            let is_free = self.cells[at].citizen.is_none_or(|id| id == hunter.id || id == prey.id);
            if next > 0 && (at == chase.hunter || !is_free || self.cells[at].barricade.is_some()) {
                continue;
            }
            if is_fine {
                step = first;
                break;
            }
            for neighbour in self.neighbours[at].into_iter().flatten() {
                if !flight.iter().any(|&(seen, _)| seen == neighbour) {
                    flight.push((neighbour, if next == 0 { neighbour } else { first }));
                }
            }
        }
        self.flight = flight;
        step
    }

    // Breadth-first search over pairs of places: the shortest chase at whose end
    // the prey has to pass next to the hunter, who strikes or stands in its way.
    fn chase(&mut self, game: &Game, hunter: Citizen, prey: Citizen) -> Option<Chase> {
        self.number += 1;
        self.chases.clear();
        let (here, there) = (place(game, hunter.pos), place(game, prey.pos));
        self.chases.push(Chase { hunter: here, prey: there, rounds: 0, begin: None });
        let mut next = 0;
        while let Some(&now) = self.chases.get(next).filter(|chase| chase.rounds <= HORIZON) {
            let its_next = self.escape(now, hunter, prey);
            for dir in Dir::ALL.into_iter().map(Some).chain([None]) {
                let goal = dir.map_or(Some(now.hunter), |dir| self.neighbours[now.hunter][dir.index()]);
                let Some(goal) = goal else { continue };
                let begin = if next == 0 { dir } else { now.begin };
                let then = Chase { hunter: goal, prey: its_next, rounds: now.rounds + 1, begin };
                if goal == its_next {
                    if dir.is_some() {
                        return Some(then);
                    }
                    continue;
                }
                let is_blocked = next == 0 && dir.is_some() && !self.can_enter(game, goal);
                let pair = goal * self.positions.len() + its_next;
                if self.danger[goal] == 0 && !is_blocked && self.considered[pair] != self.number {
                    self.considered[pair] = self.number;
                    self.chases.push(then);
                }
            }
            next += 1;
        }
        None
    }

    // Takes up the chase that brings most per round, if there is any.
    fn hunt(&mut self, game: &Game, citizen: Citizen) -> bool {
        let here = place(game, citizen.pos);
        if game.is_day() || self.danger[here] > 0 {
            return false;
        }
        let mut most = 0.0;
        let mut chosen = None;
        for number in 0..self.everybody.len() {
            let rival = self.everybody[number];
            let there = place(game, rival.pos);
            let is_near = self.apart(here, there) <= REACH;
            let gain = fight(game, citizen, rival);
            if rival.seat == game.me()
                || !self.is_prey(there)
                || !is_near
                || !fears(game, rival, citizen)
                || gain <= 0.0
            {
                continue;
            }
            self.shun(game, citizen, rival);
            let mut best = self.chase(game, citizen, rival);
            // Whoever is next to us is struck at once, unless something better is sure.
            let strike = Dir::ALL.into_iter().find(|dir| self.neighbours[here][dir.index()] == Some(there));
            if strike.is_some() && best.is_none_or(|chase| chase.rounds != 1) {
                best = Some(Chase { hunter: here, prey: there, rounds: 2, begin: strike });
            }
            let per_round = best.map_or(0.0, |chase| gain / f64::from(chase.rounds));
            if per_round > most {
                most = per_round;
                chosen = best;
            }
        }
        if let Some(dir) = chosen.and_then(|chase| chase.begin) {
            self.step(game, citizen, dir);
        }
        chosen.is_some()
    }

    fn step(&mut self, game: &Game, citizen: Citizen, dir: Dir) {
        let Some(next) = self.neighbours[place(game, citizen.pos)][dir.index()] else { return };
        if self.taken[next] || self.is_rival(next) && game.is_day() {
            return;
        }
        if !self.is_rival(next) {
            self.taken[next] = true;
            for mine in self.everybody.iter_mut().filter(|mine| mine.id == citizen.id) {
                mine.pos = citizen.pos + dir;
            }
        }
        game.move_citizen(citizen.id, dir);
    }

    // What a citizen gets by going to a place.
    fn worth(&self, game: &Game, citizen: Citizen, at: usize) -> f64 {
        if self.is_prey(at) {
            let is_late = !game.settings.is_day(game.round() + DUSK) || !game.is_day();
            let rival = game.citizen_at(self.positions[at]).filter(|_| is_late);
            return rival.map_or(0.0, |rival| fight(game, citizen, rival));
        }
        if self.taken[at] || self.danger[at] > 0 {
            return 0.0;
        }
        match self.cells[at].item {
            Some(Item::Money) => f64::from(game.settings.money_points),
            Some(Item::Food) => {
                let missing = game.settings.life(citizen.kind) - citizen.life;
                0.3 * f64::from(missing.min(game.settings.food_life))
            }
            Some(Item::Gun) if citizen.weapon == Some(Weapon::Hammer) => 40.0,
            Some(Item::Bazooka) if citizen.kind == Kind::Warrior && citizen.weapon != Some(Weapon::Bazooka) => 100.0,
            _ => 0.0,
        }
    }

    // Breadth-first search for what is worth most per step. The first step must
    // be the least dangerous; whoever is in more danger here goes in any case.
    fn seek(&mut self, game: &Game, citizen: Citizen) {
        let here = place(game, citizen.pos);
        let around = self.neighbours[here].into_iter().flatten().filter(|&at| self.can_enter(game, at));
        let least = around.map(|at| self.danger[at]).min().unwrap_or(i32::MAX).min(self.danger[here]);
        let flee = least < self.danger[here];
        self.steps.fill(UNREACHED);
        self.steps[here] = 0;
        self.reached.clear();
        self.reached.push(here);
        let mut most = 0.0;
        let mut goal = None;
        let mut head = 0;
        while let Some(&at) = self.reached.get(head) {
            head += 1;
            for (dir, next) in Dir::ALL.into_iter().zip(self.neighbours[at]) {
                let Some(next) = next.filter(|&next| self.steps[next] == UNREACHED) else { continue };
                let strike = self.is_rival(next);
                let is_bad = if strike { flee } else { !self.can_enter(game, next) || self.danger[next] > least };
                if at == here && is_bad {
                    continue;
                }
                self.steps[next] = self.steps[at] + 1;
                self.first[next] = if at == here { dir } else { self.first[at] };
                let gain = self.worth(game, citizen, next) / f64::from(self.steps[next]);
                if gain > most {
                    most = gain;
                    goal = Some(next);
                }
                if !strike {
                    self.reached.push(next);
                }
            }
        }
        let goal = goal.or(if flee { self.reached.get(1).copied() } else { None });
        if let Some(goal) = goal {
            self.step(game, citizen, self.first[goal]);
            if !self.is_rival(goal) {
                self.taken[goal] = true;
            }
        }
    }
}

fn place(game: &Game, pos: Pos) -> usize {
    (pos.i * game.settings.cols + pos.j) as usize
}

fn strength(game: &Game, citizen: Citizen) -> f64 {
    f64::from(game.settings.attack(citizen.weapon))
}

// What its clan loses, on average, each time that a citizen loses a fight.
fn price(game: &Game, citizen: Citizen) -> f64 {
    let points = f64::from(game.settings.kill_points(citizen.kind));
    points * f64::min(1.0, f64::from(game.settings.life_lost) / f64::from(citizen.life))
}

// What a fight brings, or costs.
fn fight(game: &Game, mine: Citizen, rival: Citizen) -> f64 {
    let (ours, theirs) = (strength(game, mine), strength(game, rival));
    (ours * price(game, rival) - RISKY * theirs * price(game, mine)) / (ours + theirs)
}

fn fears(game: &Game, a: Citizen, b: Citizen) -> bool {
    let (ours, theirs) = (strength(game, a), strength(game, b));
    ours < theirs || ours == theirs && a.life < b.life
}

player!(Hunter, "Hunter");
