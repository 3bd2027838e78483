// A player to learn from. By day everybody gathers what is worth most per step.
// By night our citizens keep away from whoever is stronger and hunt whoever is
// weaker. Those run as fast as we do, so a hunter thinks ahead: it knows how
// they run, and searches for the shortest chase that ends with a sure blow.
use ludus_player::purge::*;

// Steps within which stronger rivals are feared.
const FEAR: usize = 2;

// Rounds before the night in which we go near our prey.
const DUSK: i32 = 8;

// Steps within which prey is considered, and rounds that a chase may last.
const REACH: i32 = 10;
const HORIZON: i32 = 8;

// Places that prey considers when it runs.
const PANIC: usize = 60;

// What our life counts in a fight, as food brings it back.
const RISKY: f64 = 0.7;

// A place is the number of a cell, row by row, on the largest board there can
// be. Around it is a margin of buildings, so that whatever is within fear of a
// street is a place too, and a step always adds the same number.
const WIDTH: usize = 50 + 2 * FEAR;
const PLACES: usize = (25 + 2 * FEAR) * WIDTH;

fn place(pos: Pos) -> usize {
    (pos.i as usize + FEAR) * WIDTH + pos.j as usize + FEAR
}

fn next(at: usize, dir: Dir) -> usize {
    match dir {
        Dir::Down => at + WIDTH,
        Dir::Right => at + 1,
        Dir::Up => at - WIDTH,
        Dir::Left => at - 1,
    }
}

fn apart(a: usize, b: usize) -> usize {
    (a / WIDTH).abs_diff(b / WIDTH) + (a % WIDTH).abs_diff(b % WIDTH)
}

// The places within fear of one.
fn around(at: usize) -> impl Iterator<Item = usize> {
    let square = (0..=2 * FEAR).flat_map(move |i| (0..=2 * FEAR).map(move |j| at + i * WIDTH + j));
    square.map(|there| there - FEAR * (WIDTH + 1)).filter(move |&there| apart(at, there) <= FEAR)
}

struct Hunter {
    city: Vec<Place>,
    streets: Vec<Pos>,
    things: Vec<(usize, Item)>,
    everybody: Vec<Person>,
    // What the search under way has found, and the number of searches.
    found: Vec<Found>,
    searches: u32,
    chases: Vec<Chase>,
    // The last search that reached each pair of streets.
    considered: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Place {
    street: usize,    // streets have numbers without gaps, so that pairs take little room
    is_open: bool,    // one of ours can go there, and no other has been sent there
    is_rival: bool,   // a rival stands there
    is_blocked: bool, // citizens and barricades are in the way of prey
    danger: u8,       // for the citizen in question: 2 where it can be struck, 1 nearly so
    shunned: u8,      // by its prey: 2 where the way is blocked, 1 for fear of others
    worth: f64,       // what the citizen in question gets by going there
    reached: u32,     // the last search that came here, so that nothing has to be cleared
}

// Too dangerous for everybody, and reached by every search.
const BUILDING: Place = Place {
    street: 0,
    is_open: false,
    is_rival: false,
    is_blocked: true,
    danger: 3,
    shunned: 2,
    worth: 0.0,
    reached: u32::MAX,
};

#[derive(Clone, Copy)]
struct Person {
    citizen: Citizen,
    place: usize, // ours are where they have been sent
    is_prey: bool,
    strength: f64,
    price: f64, // what its clan loses, on average, each time that it loses a fight
}

// What a search has found: a place, and the first step of the way.
#[derive(Clone, Copy)]
struct Found {
    place: usize,
    steps: i32,
    first: Option<Dir>,
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
        let cells = (0..game.settings.rows).flat_map(|i| (0..game.settings.cols).map(move |j| Pos::new(i, j)));
        let is_street = |pos: &Pos| game.cell(*pos).is_some_and(|cell| !cell.is_building);
        let streets: Vec<Pos> = cells.filter(is_street).collect();
        let mut city = vec![BUILDING; PLACES];
        for (street, &pos) in streets.iter().enumerate() {
            city[place(pos)] = Place { street, reached: 0, ..BUILDING };
        }
        Hunter {
            city,
            considered: vec![0; streets.len() * streets.len()],
            streets,
            things: Vec::new(),
            everybody: Vec::new(),
            found: Vec::new(),
            searches: 0,
            chases: Vec::new(),
        }
    }

    fn play(&mut self, game: &Game) {
        // Better idle than frozen.
        if game.status(game.me()) >= 0.9 {
            return;
        }
        self.look_around(game);
        for kind in [Kind::Warrior, Kind::Builder] {
            for k in 0..self.everybody.len() {
                let citizen = self.everybody[k].citizen;
                if citizen.seat == game.me() && citizen.kind == kind {
                    self.act(game, k);
                }
            }
        }
    }
}

impl Hunter {
    fn look_around(&mut self, game: &Game) {
        self.things.clear();
        for &pos in &self.streets {
            let Some(cell) = game.cell(pos) else { continue };
            let here = &mut self.city[place(pos)];
            let is_ours = cell.barricade.is_some_and(|barricade| barricade.seat == game.me());
            here.is_blocked = cell.citizen.is_some() || cell.barricade.is_some();
            here.is_open = cell.citizen.is_none() && (is_ours || cell.barricade.is_none());
            here.is_rival = false;
            here.worth = 0.0;
            self.things.extend(cell.item.map(|item| (place(pos), item)));
        }
        self.everybody.clear();
        for citizen in Seat::ALL.into_iter().flat_map(|seat| game.builders(seat).chain(game.warriors(seat))) {
            let is_rival = citizen.seat != game.me();
            self.city[place(citizen.pos)].is_rival = is_rival;
            let points = f64::from(game.settings.kill_points(citizen.kind));
            self.everybody.push(Person {
                citizen,
                place: place(citizen.pos),
                is_prey: is_rival && game.cell(citizen.pos).is_some_and(|cell| cell.barricade.is_none()),
                strength: f64::from(game.settings.attack(citizen.weapon)),
                price: points * f64::min(1.0, f64::from(game.settings.life_lost) / f64::from(citizen.life)),
            });
        }
    }

    fn act(&mut self, game: &Game, k: usize) {
        self.look_out(game, self.everybody[k]);
        if !self.hunt(game, k) {
            self.seek(game, k);
        }
    }

    // Where warriors can strike whom this citizen had better not fight. Whoever
    // is next to them is struck as often as not, so a step more is not yet safe.
    fn look_out(&mut self, game: &Game, mine: Person) {
        for &pos in &self.streets {
            self.city[place(pos)].danger = 0;
        }
        if game.is_day() && game.settings.is_day(game.round() + 1) {
            return;
        }
        for &other in &self.everybody {
            let is_warrior = other.citizen.seat != game.me() && other.citizen.kind == Kind::Warrior;
            if is_warrior && mine.fight(other) <= 0.0 {
                for at in around(other.place) {
                    let danger = if apart(at, other.place) <= 1 { 2 } else { 1 };
                    self.city[at].danger = danger.max(self.city[at].danger);
                }
            }
        }
    }

    fn shun(&mut self, game: &Game, hunter: Person, prey: Person) {
        for &pos in &self.streets {
            let here = &mut self.city[place(pos)];
            here.shunned = if here.is_blocked { 2 } else { 0 };
        }
        self.city[prey.place].shunned = 0;
        if game.cell(hunter.citizen.pos).is_some_and(|cell| cell.barricade.is_none()) {
            self.city[hunter.place].shunned = 0;
        }
        for &other in &self.everybody {
            let is_other = other.citizen.seat != prey.citizen.seat && other.citizen.id != hunter.citizen.id;
            if is_other && prey.fears(other) {
                around(other.place).for_each(|at| self.city[at].shunned = 1.max(self.city[at].shunned));
            }
        }
    }

    // Where prey goes next: a step towards the nearest free place that it does
    // not shun, if it is afraid. What it does otherwise is not foreseen.
    fn escape(&mut self, prey: usize, hunter: usize) -> usize {
        self.searches += 1;
        self.city[prey].reached = self.searches;
        self.found.clear();
        self.found.push(Found { place: prey, steps: 0, first: None });
        for k in 0..PANIC {
            let Some(&here) = self.found.get(k) else { break };
            let shunned = self.city[here.place].shunned;
            if here.place == hunter || shunned == 2 {
                continue;
            }
            if shunned == 0 && apart(here.place, hunter) > FEAR {
                return here.first.map_or(prey, |dir| next(prey, dir));
            }
            for dir in Dir::ALL {
                let place = next(here.place, dir);
                if self.city[place].reached < self.searches {
                    self.city[place].reached = self.searches;
                    self.found.push(Found { place, steps: here.steps + 1, first: here.first.or(Some(dir)) });
                }
            }
        }
        prey
    }

    // Breadth-first search over pairs of places: the shortest chase at whose end
    // the prey has to pass next to the hunter, who strikes or stands in its way.
    fn chase(&mut self, hunter: usize, prey: usize) -> Option<Chase> {
        self.searches += 1;
        let search = self.searches;
        self.chases.clear();
        self.chases.push(Chase { hunter, prey, rounds: 0, begin: None });
        let mut k = 0;
        while let Some(&now) = self.chases.get(k).filter(|chase| chase.rounds < HORIZON) {
            let prey = self.escape(now.prey, now.hunter);
            for dir in Dir::ALL.into_iter().map(Some).chain([None]) {
                let hunter = dir.map_or(now.hunter, |dir| next(now.hunter, dir));
                let then = Chase { hunter, prey, rounds: now.rounds + 1, begin: if k == 0 { dir } else { now.begin } };
                if hunter == prey && dir.is_some() {
                    return Some(then);
                }
                let there = self.city[hunter];
                let considered = &mut self.considered[self.city[prey].street * self.streets.len() + there.street];
                let is_open = k > 0 || dir.is_none() || there.is_open;
                if hunter != prey && there.danger == 0 && is_open && *considered != search {
                    *considered = search;
                    self.chases.push(then);
                }
            }
            k += 1;
        }
        None
    }

    // Takes up the chase that brings most per round, if there is any.
    fn hunt(&mut self, game: &Game, k: usize) -> bool {
        let mine = self.everybody[k];
        if game.is_day() || self.city[mine.place].danger > 0 {
            return false;
        }
        let mut most = 0.0;
        let mut chosen = None;
        for number in 0..self.everybody.len() {
            let other = self.everybody[number];
            let is_near = mine.citizen.pos.distance(other.citizen.pos) <= REACH;
            if !other.is_prey || !is_near || !other.fears(mine) || mine.fight(other) <= 0.0 {
                continue;
            }
            self.shun(game, mine, other);
            let mut best = self.chase(mine.place, other.place);
            // Whoever is next to us is struck at once, unless something better is sure.
            let strike = Dir::ALL.into_iter().find(|&dir| next(mine.place, dir) == other.place);
            if strike.is_some() && best.is_none_or(|chase| chase.rounds != 1) {
                best = Some(Chase { hunter: mine.place, prey: other.place, rounds: 2, begin: strike });
            }
            let gain = best.map_or(0.0, |chase| mine.fight(other) / f64::from(chase.rounds));
            if gain > most {
                most = gain;
                chosen = best;
            }
        }
        if let Some(dir) = chosen.and_then(|chase| chase.begin) {
            self.go(game, k, dir);
        }
        chosen.is_some()
    }

    fn go(&mut self, game: &Game, k: usize, dir: Dir) {
        let mine = &mut self.everybody[k];
        let there = &mut self.city[next(mine.place, dir)];
        if there.is_open {
            there.is_open = false;
            mine.place = next(mine.place, dir);
            game.move_citizen(mine.citizen.id, dir);
        } else if there.is_rival && !game.is_day() {
            game.move_citizen(mine.citizen.id, dir);
        }
    }

    // Things and rivals are few, so their worth is noted before the search.
    fn judge(&mut self, game: &Game, mine: Person) {
        for &(at, item) in &self.things {
            let there = &mut self.city[at];
            let is_free = there.is_open && there.danger == 0;
            there.worth = if is_free { worth(game, mine.citizen, item) } else { 0.0 };
        }
        if game.is_day() && game.settings.is_day(game.round() + DUSK) {
            return;
        }
        for &other in self.everybody.iter().filter(|other| other.is_prey) {
            self.city[other.place].worth = mine.fight(other);
        }
    }

    // Breadth-first search for what is worth most per step. The first step must
    // be the least dangerous; whoever is in more danger here goes in any case.
    fn seek(&mut self, game: &Game, k: usize) {
        let mine = self.everybody[k];
        self.judge(game, mine);
        let danger = self.city[mine.place].danger;
        let around = Dir::ALL.map(|dir| self.city[next(mine.place, dir)]);
        let least = around.iter().filter(|place| place.is_open).map(|place| place.danger).fold(danger, u8::min);
        let flee = least < danger;
        self.searches += 1;
        self.city[mine.place].reached = self.searches;
        self.found.clear();
        self.found.push(Found { place: mine.place, steps: 0, first: None });
        let mut most = 0.0;
        let mut goal = None;
        let mut head = 0;
        while let Some(&here) = self.found.get(head) {
            for dir in Dir::ALL {
                let place = next(here.place, dir);
                let there = &mut self.city[place];
                let is_bad = |there: &Place| if there.is_rival { flee } else { !there.is_open || there.danger > least };
                if there.reached >= self.searches || head == 0 && is_bad(there) {
                    continue;
                }
                there.reached = self.searches;
                let found = Found { place, steps: here.steps + 1, first: here.first.or(Some(dir)) };
                if there.worth > 0.0 && there.worth / f64::from(found.steps) > most {
                    most = there.worth / f64::from(found.steps);
                    goal = Some(found);
                }
                if !there.is_rival {
                    self.found.push(found);
                }
            }
            head += 1;
        }
        let goal = goal.or(if flee { self.found.get(1).copied() } else { None });
        if let Some(Found { place, first: Some(dir), .. }) = goal {
            self.go(game, k, dir);
            self.city[place].is_open = false;
        }
    }
}

impl Person {
    // What a fight brings, or costs.
    fn fight(self, other: Person) -> f64 {
        let gain = self.strength * other.price - RISKY * other.strength * self.price;
        gain / (self.strength + other.strength)
    }

    fn fears(self, other: Person) -> bool {
        self.strength < other.strength || self.strength == other.strength && self.citizen.life < other.citizen.life
    }
}

// What a citizen gets by taking a thing. Life counts as much as points.
fn worth(game: &Game, citizen: Citizen, item: Item) -> f64 {
    match item {
        Item::Money => f64::from(game.settings.money_points),
        Item::Food => f64::from(game.settings.food_life.min(game.settings.life(citizen.kind) - citizen.life)),
        Item::Gun if citizen.weapon == Some(Weapon::Hammer) => 40.0,
        Item::Bazooka if citizen.kind == Kind::Warrior && citizen.weapon != Some(Weapon::Bazooka) => 100.0,
        Item::Gun | Item::Bazooka => 0.0,
    }
}

player!(Hunter, "Hunter");
