// A player to learn from. Food calls the nearest worker, who carries it to the
// queen; she eats it and lays eggs. Soldiers camp near the queens of rivals and
// kill their workers, so that more food is left for us. Everything is decided
// with one tool: a breadth-first search for the nearest place that is wanted.
use ludus_player::ants::*;

// Food is dropped this close to the queen, and fetched if it is farther than
// the second: she moves, and nothing should be carried to and fro.
const DROP: i32 = 2;
const PANTRY: i32 = 4;

// Steps within which a soldier prefers prey to its camp.
const HUNT: i32 = 8;

const UNREACHED: i32 = -1;

struct Forager {
    board: Board,
    search: Search,
    // The worker with nothing to do at each place.
    idle: Vec<Option<Ant>>,
}

// What is known of each place. A place is the number of a cell, row by row.
struct Board {
    cols: i32,
    // One for each direction, none for water and beyond the border.
    neighbours: Vec<[Option<usize>; 4]>,
    food: Vec<Option<Food>>,
    // The rival who stands there.
    rival: Vec<Option<Kind>>,
    // Whether one of mine stands there, or has been sent there.
    taken: Vec<bool>,
    // 2 where a stronger rival can strike in this round, 1 where it can in the
    // next one; the second is for soldiers and queens.
    worker_danger: Vec<i32>,
    soldier_danger: Vec<i32>,
    // The rival whose queen is two steps away.
    camp: Vec<Option<Seat>>,
    // Steps to my queen.
    home: Vec<i32>,
}

impl Board {
    fn new(game: &Game) -> Board {
        let (rows, cols) = (game.settings.rows, game.settings.cols);
        let is_dry = |pos: &Pos| game.cell(*pos).is_some_and(|cell| !cell.is_water);
        let place = |pos: Pos| (pos.i * cols + pos.j) as usize;
        let around = |pos: Pos| Dir::ALL.map(|dir| Some(pos + dir).filter(is_dry).map(place));
        let size = (rows * cols) as usize;
        Board {
            cols,
            neighbours: (0..rows * cols).map(|at| around(Pos::new(at / cols, at % cols))).collect(),
            food: vec![None; size],
            rival: vec![None; size],
            taken: vec![false; size],
            worker_danger: vec![0; size],
            soldier_danger: vec![0; size],
            camp: vec![None; size],
            home: vec![0; size],
        }
    }

    fn place(&self, pos: Pos) -> usize {
        (pos.i * self.cols + pos.j) as usize
    }

    fn look_around(&mut self, game: &Game) {
        self.rival.fill(None);
        self.taken.fill(false);
        self.worker_danger.fill(0);
        self.soldier_danger.fill(0);
        self.camp.fill(None);
        for at in 0..self.food.len() {
            let pos = Pos::new(at as i32 / self.cols, at as i32 % self.cols);
            let Some(cell) = game.cell(pos) else { continue };
            self.food[at] = cell.food;
            let Some(ant) = cell.ant.and_then(|id| game.ant(id)) else { continue };
            if ant.seat == game.me() {
                self.taken[at] = true;
            } else {
                self.rival[at] = Some(ant.kind);
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
            let (at, danger) = (self.place(pos), if far <= 1 { 2 } else { 1 });
            if strong.kind == Kind::Queen && far == 2 {
                self.camp[at] = Some(strong.seat);
                continue;
            }
            self.worker_danger[at] = self.worker_danger[at].max(danger);
            if strong.kind == Kind::Queen {
                self.soldier_danger[at] = danger;
            }
        }
    }

    fn danger(&self, ant: Ant, at: usize) -> i32 {
        if ant.kind == Kind::Worker { self.worker_danger[at] } else { self.soldier_danger[at] }
    }

    // Nobody is there, or a rival that this ant beats.
    fn can_step(&self, ant: Ant, at: usize) -> bool {
        !self.taken[at] && self.rival[at].is_none_or(|rival| rival > ant.kind)
    }

    // Free of food, for what is carried.
    fn is_larder(&self, at: usize) -> bool {
        self.home[at] <= DROP && self.food[at].is_none() && !self.taken[at]
    }
}

// Steps to each place and the first of these steps, and all places reached, in
// that order. Kept between searches for their room.
struct Search {
    steps: Vec<i32>,
    first: Vec<Dir>,
    reached: Vec<usize>,
}

impl Search {
    // The nearest wanted place. Only the first step has to be open: by the time
    // of the others, whoever is in the way will have moved.
    fn nearest(
        &mut self,
        board: &Board,
        from: usize,
        open: impl Fn(usize) -> bool,
        mut wanted: impl FnMut(usize, i32) -> bool,
    ) -> Option<usize> {
        self.steps.fill(UNREACHED);
        self.reached.clear();
        self.steps[from] = 0;
        self.reached.push(from);
        let mut next = 0;
        while let Some(&at) = self.reached.get(next) {
            next += 1;
            if wanted(at, self.steps[at]) {
                return Some(at);
            }
            for (dir, neighbour) in Dir::ALL.into_iter().zip(board.neighbours[at]) {
                let Some(neighbour) = neighbour.filter(|&place| self.steps[place] == UNREACHED) else { continue };
                if at == from && !open(neighbour) {
                    continue;
                }
                self.steps[neighbour] = self.steps[at] + 1;
                self.first[neighbour] = if at == from { dir } else { self.first[at] };
                self.reached.push(neighbour);
            }
        }
        None
    }
}

impl Player for Forager {
    fn new(game: &Game) -> Self {
        let board = Board::new(game);
        let size = board.food.len();
        let search = Search { steps: vec![0; size], first: vec![Dir::Down; size], reached: Vec::new() };
        Forager { board, search, idle: vec![None; size] }
    }

    fn play(&mut self, game: &Game) {
        // Better idle than frozen.
        if game.status(game.me()) >= 0.9 {
            return;
        }
        let Some(queen) = game.queen(game.me()) else { return };
        self.board.look_around(game);
        self.search.nearest(&self.board, self.board.place(queen.pos), |_| true, |_, _| false);
        self.board.home.copy_from_slice(&self.search.steps);
        self.play_queen(game, queen);
        self.play_soldiers(game);
        self.play_workers(game);
    }
}

impl Forager {
    // Takes the least dangerous step that leads to the nearest wanted place.
    // Whoever is in more danger here than next to here goes in any case.
    fn go(&mut self, game: &Game, ant: Ant, mut wanted: impl FnMut(&Board, usize, i32) -> bool) -> bool {
        let board = &self.board;
        let here = board.place(ant.pos);
        let around = board.neighbours[here].into_iter().flatten().filter(|&at| board.can_step(ant, at));
        let least = around.map(|at| board.danger(ant, at)).min().unwrap_or(i32::MAX).min(board.danger(ant, here));
        let flee = least < board.danger(ant, here);
        let goal = self.search.nearest(
            board,
            here,
            |next| board.can_step(ant, next) && board.danger(ant, next) == least,
            |at, steps| board.danger(ant, at) == 0 && !(flee && at == here) && wanted(board, at, steps),
        );
        let Some(goal) = goal.or(if flee { self.search.reached.get(1).copied() } else { None }) else { return false };
        if goal == here {
            return false;
        }
        let dir = self.search.first[goal];
        let next = self.board.place(ant.pos + dir);
        self.board.taken[next] = true;
        game.move_ant(ant.id, dir);
        true
    }

    // Eats, first of all what holds the nutrient that she lacks most, and lays
    // when she cannot move.
    fn play_queen(&mut self, game: &Game, queen: Ant) {
        let lacking = (0..3).min_by_key(|&nutrient| queen.reserve.0[nutrient]).unwrap_or(0);
        let helps = |food: Food| game.settings.contents(food).0[lacking] > 0;
        let meal = |board: &Board, at: usize| board.food[at].filter(|_| !board.taken[at]);
        let moves = game.round() % game.settings.queen_period == 0
            && (self.go(game, queen, |board, at, steps| {
                let strike = steps == 1 && board.rival[at].is_some();
                strike || meal(board, at).is_some_and(|food| steps <= DROP || helps(food))
            }) || self.go(game, queen, |board, at, _| meal(board, at).is_some()));
        if !moves {
            self.lay_egg(game, queen);
        }
    }

    // As long as rivals have soldiers, so do we: workers would not live long.
    fn lay_egg(&mut self, game: &Game, queen: Ant) {
        let at_war = game.me().others().any(|seat| game.soldiers(seat).next().is_some());
        let kind = if at_war { Kind::Soldier } else { Kind::Worker };
        if !game.settings.cost(kind).is_some_and(|cost| queen.reserve.cover(cost)) {
            return;
        }
        let around = self.board.neighbours[self.board.place(queen.pos)];
        let is_free = |at: usize| !self.board.taken[at] && self.board.rival[at].is_none();
        if let Some((dir, Some(at))) = Dir::ALL.into_iter().zip(around).find(|(_, at)| at.is_some_and(is_free)) {
            self.board.taken[at] = true;
            game.lay(queen.id, dir, kind);
        }
    }

    // Each goes for prey that is near and that nobody else is after, or else to
    // the queen of the rival whose turn it is, to wait for more.
    fn play_soldiers(&mut self, game: &Game) {
        let mut prey = Vec::new();
        let targets = (1..4).map(|turn| Seat::ALL[(game.me().index() + turn) % 4]).cycle();
        for (soldier, target) in game.soldiers(game.me()).zip(targets) {
            let hunts = self.go(game, soldier, |board, at, steps| {
                let is_prey = board.rival[at] == Some(Kind::Worker) && steps <= HUNT && !prey.contains(&at);
                if is_prey {
                    prey.push(at);
                }
                is_prey
            });
            // One that is at its camp steps back now and then, which lures workers out.
            if !hunts && !self.go(game, soldier, |board, at, _| board.camp[at] == Some(target)) {
                self.go(game, soldier, |board, at, _| board.home[at] == PANTRY);
            }
        }
    }

    fn play_workers(&mut self, game: &Game) {
        self.idle.fill(None);
        for worker in game.workers(game.me()) {
            let here = self.board.place(worker.pos);
            let is_safe = self.board.worker_danger[here] == 0;
            let home = self.board.home[here];
            match (worker.load, self.board.food[here]) {
                (None, Some(_)) if is_safe && home > PANTRY => game.take(worker.id),
                (Some(_), None) if is_safe && home <= DROP => game.leave(worker.id),
                (Some(_), _) => _ = self.go(game, worker, |board, at, _| board.is_larder(at)),
                (None, _) => self.idle[here] = Some(worker),
            }
        }
        self.call_workers(game);
        for at in 0..self.idle.len() {
            if let Some(worker) = self.idle[at] {
                self.go(game, worker, |board, at, _| board.home[at] > PANTRY);
            }
        }
    }

    // Each piece of food, the nearest to the queen first, calls the worker that
    // is nearest to it, if that one lives long enough to bring it home.
    fn call_workers(&mut self, game: &Game) {
        let (board, idle) = (&self.board, &self.idle);
        let is_errand = |&at: &usize| {
            board.food[at].is_some() && board.home[at] > PANTRY && (!board.taken[at] || idle[at].is_some())
        };
        let mut errands: Vec<usize> = (0..board.food.len()).filter(is_errand).collect();
        errands.sort_by_key(|&at| board.home[at]);
        for goal in errands {
            let idle = &self.idle;
            let from = self.search.nearest(&self.board, goal, |_| true, |at, _| idle[at].is_some());
            let Some((from, worker)) = from.and_then(|at| Some((at, idle[at]?))) else { return };
            let time = worker.life.min(game.settings.rounds - game.round());
            if self.search.steps[from] + self.board.home[goal] < time {
                self.idle[from] = None;
                self.go(game, worker, |_, at, _| at == goal);
            }
        }
    }
}

player!(Forager, "Forager");
