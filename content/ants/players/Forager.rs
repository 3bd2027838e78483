// A player to learn from. Food calls the nearest worker, who carries it to the
// queen; she eats it and lays eggs. Soldiers camp near the queens of rivals and
// kill their workers, so that nobody runs away from us. Everything is decided
// with one tool: a breadth-first search for the nearest place that is wanted.
use ludus_player::ants::*;

// Food is dropped this close to the queen, and fetched if it is farther than
// the second: she moves, and nothing should be carried to and fro.
const DROP: i32 = 2;
const PANTRY: i32 = 4;

// Food that is farther away is left: few come back from there.
const ERRAND: i32 = 30;

// How many steps nearer food seems for each egg that it makes possible.
const CRAVING: i32 = 4;

// Workers with nothing to do wait this far from the queen, out of the way.
const ROAM: i32 = 10;

// Soldiers are laid only by so many workers, and so long before the end.
const CREW: usize = 4;
const CAMPAIGN: i32 = 100;

// Steps within which a soldier prefers prey to its camp.
const HUNT: i32 = 8;

// Of places to which there is no way.
const NOWHERE: i32 = -1;

struct Forager {
    // All cells row by row with water around them, so that every place where an
    // ant can be has four neighbours.
    garden: Vec<Place>,
    width: usize,
    // The places that the search under way has reached, in that order.
    line: Vec<usize>,
    searches: u32,
}

// What we know about a cell.
#[derive(Clone, Copy)]
struct Place {
    food: Option<Food>,
    rival: Option<Kind>, // who stands there
    camp: Option<Seat>,  // the rival whose queen is two steps away
    home: i32,           // steps to my queen
    idle: Option<i32>,   // the worker with nothing to do
    taken: bool,         // one of mine stands there, or has been sent there
    clash: [bool; 3],    // by kind: a rival of that kind stands beside it
    // By kind: 2 where a stronger rival can strike in this round, 1 where it
    // can in the next one.
    danger: [u8; 3],
    // The last search that came here, how many steps it took and the first of
    // them. Water counts as reached by all searches.
    reached: u32,
    steps: i32,
    first: Dir,
}

impl Place {
    fn water() -> Place {
        Place {
            food: None,
            rival: None,
            camp: None,
            home: NOWHERE,
            idle: None,
            taken: true,
            clash: [false; 3],
            danger: [0; 3],
            reached: u32::MAX,
            steps: 0,
            first: Dir::Down,
        }
    }

    // Nobody is there, or a rival that this ant beats; and nobody of its kind
    // may come too, since both would die.
    fn is_open(&self, ant: Ant) -> bool {
        !self.taken && self.rival.is_none_or(|rival| rival > ant.kind) && !self.clash[ant.kind.index()]
    }

    // Free of food, for what is carried.
    fn is_larder(&self) -> bool {
        self.home <= DROP && self.food.is_none() && !self.taken
    }

    fn is_errand(&self) -> bool {
        self.food.is_some() && self.home > PANTRY && self.home <= ERRAND && (!self.taken || self.idle.is_some())
    }
}

impl Player for Forager {
    fn new(game: &Game) -> Self {
        let (rows, width) = (game.settings.rows as usize + 2, game.settings.cols as usize + 2);
        Forager { garden: vec![Place::water(); rows * width], width, line: Vec::new(), searches: 0 }
    }

    fn play(&mut self, game: &Game) {
        // Better idle than frozen.
        if game.status(game.me()) >= 0.9 {
            return;
        }
        let Some(queen) = game.queen(game.me()) else { return };
        self.look_around(game);
        self.nearest(self.place(queen.pos), |_| true, |_, _| false);
        for &at in &self.line {
            self.garden[at].home = self.garden[at].steps;
        }
        self.play_queen(game, queen);
        self.play_soldiers(game);
        self.play_workers(game, queen);
    }
}

impl Forager {
    fn place(&self, pos: Pos) -> usize {
        (pos.i + 1) as usize * self.width + (pos.j + 1) as usize
    }

    fn around(&self, at: usize) -> [(Dir, usize); 4] {
        [(Dir::Down, at + self.width), (Dir::Right, at + 1), (Dir::Up, at - self.width), (Dir::Left, at - 1)]
    }

    fn look_around(&mut self, game: &Game) {
        let mut ants = Vec::new();
        for pos in (0..game.settings.rows).flat_map(|i| (0..game.settings.cols).map(move |j| Pos::new(i, j))) {
            let Some(cell) = game.cell(pos).filter(|cell| !cell.is_water) else { continue };
            let at = self.place(pos);
            self.garden[at] = Place { food: cell.food, taken: false, reached: 0, ..Place::water() };
            ants.extend(cell.ant.and_then(|id| game.ant(id)));
        }
        for ant in ants {
            let at = self.place(ant.pos);
            if ant.seat == game.me() {
                self.garden[at].taken = true;
            } else {
                self.garden[at].rival = Some(ant.kind);
                for (_, next) in self.around(at) {
                    self.garden[next].clash[ant.kind.index()] = true;
                }
                if ant.kind != Kind::Worker {
                    self.beware_of(game, ant);
                }
            }
        }
    }

    // Ants next to a soldier are struck before they can run as often as not, so
    // workers shun also the places that it can be next to. Queens are slower.
    fn beware_of(&mut self, game: &Game, strong: Ant) {
        for (di, dj) in (-2..=2).flat_map(|di| (-2..=2).map(move |dj| (di, dj))) {
            let pos = strong.pos + Pos::new(di, dj);
            let far = pos.distance(strong.pos);
            if far > 2 || !game.settings.contains(pos) {
                continue;
            }
            let at = self.place(pos);
            let place = &mut self.garden[at];
            let danger = if far <= 1 { 2 } else { 1 };
            match strong.kind {
                Kind::Queen if far == 2 => place.camp = Some(strong.seat),
                Kind::Queen => place.danger = [danger; 3],
                _ => place.danger[Kind::Worker.index()] = danger.max(place.danger[Kind::Worker.index()]),
            }
        }
    }

    // The nearest wanted place. Only the first step has to be open: by the time
    // of the others, whoever is in the way will have moved.
    fn nearest(
        &mut self,
        from: usize,
        open: impl Fn(&Place) -> bool,
        mut wanted: impl FnMut(usize, &Place) -> bool,
    ) -> Option<usize> {
        self.searches += 1;
        self.garden[from].reached = self.searches;
        self.garden[from].steps = 0;
        self.line.clear();
        self.line.push(from);
        let mut next = 0;
        while let Some(&at) = self.line.get(next) {
            next += 1;
            let here = &self.garden[at];
            let (steps, first) = (here.steps, here.first);
            if wanted(at, here) {
                return Some(at);
            }
            for (dir, there) in self.around(at) {
                let place = &mut self.garden[there];
                if place.reached < self.searches && (at != from || open(place)) {
                    place.reached = self.searches;
                    place.steps = steps + 1;
                    place.first = if at == from { dir } else { first };
                    self.line.push(there);
                }
            }
        }
        None
    }

    // Takes the least dangerous step that leads to the nearest wanted place.
    // Whoever is in more danger here than next to here goes in any case.
    fn go(&mut self, game: &Game, ant: Ant, mut wanted: impl FnMut(usize, &Place) -> bool) -> bool {
        let here = self.place(ant.pos);
        let danger = |place: &Place| place.danger[ant.kind.index()];
        let around = self.around(here).map(|(_, at)| &self.garden[at]);
        let open = around.into_iter().filter(|place| place.is_open(ant));
        let least = open.map(danger).fold(danger(&self.garden[here]), u8::min);
        let flee = least < danger(&self.garden[here]);
        let goal = self.nearest(
            here,
            |next| next.is_open(ant) && danger(next) == least,
            |at, place| danger(place) == 0 && !(flee && at == here) && wanted(at, place),
        );
        let Some(goal) = goal.or(if flee { self.line.get(1).copied() } else { None }) else { return false };
        if goal == here {
            return false;
        }
        let dir = self.garden[goal].first;
        let next = self.place(ant.pos + dir);
        self.garden[next].taken = true;
        game.move_ant(ant.id, dir);
        true
    }

    // Goes where it costs least, and lays when she cannot move.
    fn play_queen(&mut self, game: &Game, queen: Ant) {
        if game.round() % game.settings.queen_period == 0 {
            let mut best = None;
            let mut least = i32::MAX;
            self.nearest(
                self.place(queen.pos),
                |next| next.is_open(queen),
                |at, place| {
                    let cost = cost(game, queen, place);
                    if cost < least {
                        (best, least) = (Some(at), cost);
                    }
                    false
                },
            );
            if self.go(game, queen, |at, _| Some(at) == best) {
                return;
            }
        }
        self.lay_egg(game, queen);
    }

    // Soldiers are dear, but they hold rivals back.
    fn lay_egg(&mut self, game: &Game, queen: Ant) {
        let has_crew = game.workers(game.me()).count() >= CREW;
        let has_time = game.settings.rounds - game.round() > CAMPAIGN;
        let kind = if has_crew && has_time { Kind::Soldier } else { Kind::Worker };
        if !game.settings.cost(kind).is_some_and(|cost| queen.reserve.cover(cost)) {
            return;
        }
        let is_free = |at: usize| !self.garden[at].taken && self.garden[at].rival.is_none();
        if let Some((dir, at)) = self.around(self.place(queen.pos)).into_iter().find(|&(_, at)| is_free(at)) {
            self.garden[at].taken = true;
            game.lay(queen.id, dir, kind);
        }
    }

    // Each goes for prey that is near and that nobody else is after, or else to
    // the queen of a rival, to wait for more. Rivals get a soldier each, in turn,
    // beginning with the one that has most points.
    fn play_soldiers(&mut self, game: &Game) {
        let mut prey = Vec::new();
        let mut rivals: Vec<Seat> = game.me().others().collect();
        rivals.sort_by_key(|&seat| -game.score(seat));
        for (soldier, target) in game.soldiers(game.me()).zip(rivals.into_iter().cycle()) {
            let hunts = self.go(game, soldier, |at, place| {
                let is_prey = place.rival == Some(Kind::Worker) && place.steps <= HUNT && !prey.contains(&at);
                if is_prey {
                    prey.push(at);
                }
                is_prey
            });
            // One that is at its camp steps back now and then, which lures workers out.
            if !hunts && !self.go(game, soldier, |_, place| place.camp == Some(target)) {
                self.go(game, soldier, |_, place| place.home == PANTRY);
            }
        }
    }

    fn play_workers(&mut self, game: &Game, queen: Ant) {
        for worker in game.workers(game.me()) {
            let at = self.place(worker.pos);
            let here = &mut self.garden[at];
            let is_safe = here.danger[Kind::Worker.index()] == 0;
            match (worker.load, here.food) {
                (None, Some(_)) if is_safe && here.home > PANTRY => game.take(worker.id),
                (Some(_), None) if is_safe && here.home <= DROP => game.leave(worker.id),
                (Some(_), _) => _ = self.go(game, worker, |_, place| place.is_larder()),
                (None, _) => here.idle = Some(worker.id),
            }
        }
        self.call_workers(game, queen);
        for at in 0..self.garden.len() {
            if let Some(worker) = self.garden[at].idle.and_then(|id| game.ant(id)) {
                self.go(game, worker, |_, place| place.home > ROAM);
            }
        }
    }

    // Each piece of food calls the worker that is nearest to it of those who live
    // long enough to bring it home. What is near the queen goes first, and what
    // she needs for an egg.
    fn call_workers(&mut self, game: &Game, queen: Ant) {
        let mut errands: Vec<(i32, usize)> = Vec::new();
        for (at, place) in self.garden.iter().enumerate().filter(|(_, place)| place.is_errand()) {
            let help = place.food.map_or(0, |food| helps(game, queen, food));
            errands.push((place.home - CRAVING * help, at));
        }
        errands.sort_unstable();
        for (_, goal) in errands {
            let (home, left) = (self.garden[goal].home, game.settings.rounds - game.round());
            let from = self.nearest(
                goal,
                |_| true,
                |_, place| {
                    let worker = place.idle.and_then(|id| game.ant(id));
                    worker.is_some_and(|worker| place.steps + home < worker.life.min(left))
                },
            );
            let Some(from) = from else { continue };
            let Some(worker) = self.garden[from].idle.take().and_then(|id| game.ant(id)) else { continue };
            self.go(game, worker, |at, _| at == goal);
        }
    }
}

// What it costs the queen to go there: steps, less what the food is worth to
// her. Rivals beside her come first, and then food beside her.
fn cost(game: &Game, queen: Ant, place: &Place) -> i32 {
    if place.taken || place.danger[Kind::Queen.index()] > 0 {
        return i32::MAX;
    }
    if place.steps == 1 && place.rival.is_some() {
        return i32::MIN;
    }
    match place.food.map(|food| helps(game, queen, food)) {
        None => i32::MAX,
        Some(help) if place.steps == 1 => -CRAVING * (2 + help),
        Some(help) => place.steps - CRAVING * help,
    }
}

// How many more eggs the queen could lay if she ate this food, as far as workers
// cost one unit of each nutrient.
fn helps(game: &Game, queen: Ant, food: Food) -> i32 {
    let contents = game.settings.contents(food).0;
    let least = |amounts: [i32; 3]| amounts.into_iter().min().unwrap_or(0);
    least(std::array::from_fn(|n| queen.reserve.0[n] + contents[n])) - least(queen.reserve.0)
}

player!(Forager, "Forager");
