// Farmers paint the nearest ground that is not ours, knights hunt, and witches
// walk into the rivals' crowds. Ways are found with breadth-first searches: one
// for each farmer and witch, and a single one for all knights.
//
// What makes it strong is that nobody comes near a rival witch, and that its
// knights never go where they are outnumbered, and rest between fights. Whoever
// is captured works for the other side, so a knight that is lost counts twice.
use ludus_player::dominator::*;

// What to play with. How far a knight looks for friends and foes before it goes
// somewhere, and how much of its health it wants before it goes hunting.
const SIGHT: i32 = 5;
const RESTED_PERCENT: i32 = 90;

// Knights are struck first, the weakest of them before the others: farmers do
// not strike back, and there is time for them later.
const AFTER_KNIGHTS: i32 = 1_000_000;

// More than any distance.
const FAR: i32 = 1_000_000;

// A number for each cell, row by row. Around the board there is a margin on
// which nobody can step, so that nothing near a unit is outside.
type Board = Vec<i32>;
const MARGIN: i32 = 6;

// What is on the board, looked up once per round.
struct Sight {
    width: i32,
    ground: Vec<bool>, // Whether it is no wall.
    open: Vec<bool>,   // Whether one can step there: no wall, and nobody on it.
    taken: Vec<bool>,  // Whether it is ours, or a farmer is on its way there.
    target: Board,     // Health of a rival there, after the attacks planned so far.
    spell: Board,      // How near witches are: no place for farmers and knights.
    blade: Board,      // Rival knights nearby: no place for farmers.
    crowd: Board,      // Own farmers and knights whom a witch would kill from there.
    prey: Board,       // Rivals whom she would kill from there; a knight counts double.
    quiet: Board,      // Other witches nearby, by whom she would haunt nothing.
    friends: Board,    // Health of our knights in sight.
    foes: Board,       // Health of rival knights in sight.
    chase: Board,      // Steps of a knight to the nearest rival, or `FAR`.
}

impl Sight {
    fn place(&self, pos: Pos) -> usize {
        ((pos.i + MARGIN) * self.width + pos.j + MARGIN) as usize
    }

    fn next(&self, here: usize, dir: Dir) -> usize {
        let step = dir.step();
        here.wrapping_add_signed((step.i * self.width + step.j) as isize)
    }

    fn look_at_board(&mut self, game: &Game) {
        for board in [&mut self.target, &mut self.spell, &mut self.blade] {
            board.fill(0);
        }
        for board in [&mut self.crowd, &mut self.prey, &mut self.quiet, &mut self.friends, &mut self.foes] {
            board.fill(0);
        }
        for pos in (0..game.settings.rows).flat_map(|i| (0..game.settings.cols).map(move |j| Pos::new(i, j))) {
            let Some(cell) = game.cell(pos) else { continue };
            let here = self.place(pos);
            self.ground[here] = !cell.is_wall;
            self.open[here] = cell.is_open();
            self.taken[here] = cell.owner == Some(game.me());
        }
        for unit in game.units() {
            // On a crowded board a unit may be nowhere.
            if game.unit_at(unit.pos) == Some(unit) {
                self.look_at_unit(unit, unit.seat == game.me());
            }
        }
    }

    fn look_at_unit(&mut self, unit: Unit, is_friend: bool) {
        let (here, width) = (self.place(unit.pos), self.width);
        if unit.kind == Kind::Witch {
            mark(&mut self.quiet, width, here, 3, 1); // She may come a step closer.
            mark(&mut self.spell, width, here, 2, if is_friend { 1 } else { 4 });
            if !is_friend {
                mark(&mut self.spell, width, here, 3, 2);
                mark(&mut self.spell, width, here, 4, 1); // Who lets her come closer may be cornered.
            }
            return;
        }
        let is_knight = unit.kind == Kind::Knight;
        if is_friend {
            mark(&mut self.crowd, width, here, 2, 1);
        } else {
            self.target[here] = unit.health + if is_knight { 0 } else { AFTER_KNIGHTS };
            mark(&mut self.prey, width, here, 2, if is_knight { 2 } else { 1 });
        }
        if is_knight {
            let army = if is_friend { &mut self.friends } else { &mut self.foes };
            mark(army, width, here, SIGHT, unit.health);
        }
        if is_knight && !is_friend {
            mark(&mut self.blade, width, here, 2, 1);
        }
    }

    // Whether a farmer or knight can go there and will not be killed by a spell.
    fn is_sound(&self, there: usize) -> bool {
        self.open[there] && self.spell[there] == 0
    }

    // What a witch gains by being somewhere.
    fn gain(&self, here: usize) -> i32 {
        if self.quiet[here] > 0 { 0 } else { self.prey[here] }
    }

    // Fills `chase`, from the rivals backwards.
    fn measure_chase(&mut self, search: &mut Search) {
        self.chase.fill(FAR);
        let line = &mut search.line;
        line.clear();
        for here in 0..self.target.len() {
            if self.target[here] != 0 && self.spell[here] == 0 {
                self.chase[here] = 0;
                line.push((here, Dir::ALL[0]));
            }
        }
        let mut reached = 0;
        while let Some(&(here, dir)) = line.get(reached) {
            reached += 1;
            for there in Dir::ALL.map(|dir| self.next(here, dir)) {
                if self.chase[there] == FAR && self.is_sound(there) {
                    self.chase[there] = self.chase[here] + 1;
                    line.push((there, dir));
                }
            }
        }
    }

    // How bad it is for a knight to be somewhere: far from rivals is not good,
    // but among more foes than friends is worse, and near a witch worst.
    fn cost(&self, here: usize) -> i32 {
        if self.spell[here] > 0 {
            return FAR * self.spell[here];
        }
        let excess = self.foes[here] - self.friends[here];
        self.chase[here] + if excess > 0 { 100 + excess } else { 0 }
    }

    // A knight strikes its weakest neighbour, rests when it is hurt and safe, or
    // else goes hunting. To get away from witches comes first.
    fn move_knight(&mut self, game: &Game, knight: Unit) -> Option<Dir> {
        let settings = &game.settings;
        let here = self.place(knight.pos);
        let is_safe = self.spell[here] == 0;
        if let Some(dir) = self.best_attack(here).filter(|_| is_safe) {
            let struck = self.next(here, dir);
            self.target[struck] -= (settings.damage_min + settings.damage_max) / 2;
            return Some(dir);
        }
        let is_hurt = knight.health * 100 < settings.knight_health * RESTED_PERCENT;
        if is_hurt && self.blade[here] == 0 && is_safe {
            return None;
        }
        let cost = |dir: &Dir| self.cost(self.next(here, *dir));
        let steps = Dir::ALL.into_iter().filter(|&dir| self.open[self.next(here, dir)]);
        let best = steps.min_by_key(cost).filter(|dir| cost(dir) < self.cost(here))?;
        let there = self.next(here, best);
        self.open[there] = false;
        Some(best)
    }

    fn best_attack(&self, here: usize) -> Option<Dir> {
        let health = |dir: &Dir| self.target[self.next(here, *dir)];
        Dir::ALL.into_iter().filter(|dir| health(dir) > 0).min_by_key(health)
    }
}

// Adds an amount to the places at this distance or less.
fn mark(board: &mut Board, width: i32, centre: usize, distance: i32, amount: i32) {
    for i in -distance..=distance {
        let (middle, reach) = (centre as i32 + i * width, distance - i.abs());
        for place in &mut board[(middle - reach) as usize..=(middle + reach) as usize] {
            *place += amount;
        }
    }
}

// Searches for a way, one after another.
struct Search {
    // The last search that reached a place; so nothing has to be cleared.
    seen: Vec<u32>,
    searches: u32,
    // The places that a search has reached, and in which direction it set out.
    line: Vec<(usize, Dir)>,
}

impl Search {
    // Begins a search at a place.
    fn set_out(&mut self, from: usize) {
        self.searches += 1;
        self.line.clear();
        self.line.push((from, Dir::ALL[0]));
        self.seen[from] = self.searches;
    }

    // The first step of a shortest way up, down, left and right from a place to
    // one where `is_goal` holds, and that place. Only the first step has to be
    // over a place where `is_passable` holds: by the time of the others, whoever
    // is in the way will have moved.
    fn way(
        &mut self,
        sight: &Sight,
        from: usize,
        id: i32,
        is_passable: impl Fn(usize) -> bool,
        is_goal: impl Fn(usize) -> bool,
    ) -> Option<(Dir, usize)> {
        self.set_out(from);
        let mut reached = 0;
        while let Some(&(here, first)) = self.line.get(reached) {
            for n in 0..4 {
                let dir = turned(n, id);
                let there = sight.next(here, dir);
                if self.seen[there] == self.searches {
                    continue;
                }
                self.seen[there] = self.searches;
                let first = if reached == 0 { dir } else { first };
                if is_goal(there) {
                    return Some((first, there));
                }
                if if reached == 0 { is_passable(there) } else { sight.ground[there] } {
                    self.line.push((there, first));
                }
            }
            reached += 1;
        }
        None
    }
}

// Which direction is tried first depends on the unit, so that units close to
// each other do not all go the same way.
fn turned(n: i32, id: i32) -> Dir {
    Dir::STRAIGHT[((n + id) % 4) as usize]
}

struct Reaper {
    sight: Sight,
    search: Search,
    steps: Board, // How many it took to each place of a witch's search.
}

impl Reaper {
    // A witch goes where she kills most rivals for the steps it takes, and none
    // of ours. The others are told at once where she will be.
    fn move_witch(&mut self, witch: Unit) -> Option<Dir> {
        let (sight, search) = (&mut self.sight, &mut self.search);
        let (from, width) = (sight.place(witch.pos), sight.width);
        mark(&mut sight.quiet, width, from, 3, -1);
        let (mut best, mut most, mut least_steps) = (None, sight.gain(from), 0);
        search.set_out(from);
        self.steps[0] = 0;
        let mut reached = 0;
        while let Some(&(here, first)) = search.line.get(reached) {
            for n in 0..4 {
                let dir = turned(n, witch.id);
                let there = sight.next(here, dir);
                if search.seen[there] == search.searches || sight.crowd[there] != 0 {
                    continue;
                }
                search.seen[there] = search.searches;
                if !sight.open[there] && (reached == 0 || sight.target[there] == 0) {
                    continue;
                }
                let (first, steps) = (if reached == 0 { dir } else { first }, self.steps[reached] + 1);
                self.steps[search.line.len()] = steps;
                search.line.push((there, first));
                // The steps are counted from 2, as a few more hardly matter.
                if sight.gain(there) * (least_steps + 2) > most * (steps + 2) {
                    (most, least_steps, best) = (sight.gain(there), steps, Some(first));
                }
            }
            reached += 1;
        }
        let there = best.map_or(from, |dir| sight.next(from, dir));
        mark(&mut sight.quiet, width, there, 3, 1);
        mark(&mut sight.spell, width, there, 2, 1);
        best
    }

    // A farmer goes to the nearest cell that is not ours, or away from danger.
    fn move_farmer(&mut self, farmer: Unit, idle: &mut i32) -> Option<Dir> {
        let sight = &mut self.sight;
        let here = sight.place(farmer.pos);
        let flees = sight.spell[here] != 0 || sight.blade[here] != 0;
        if !flees && *idle > 8 {
            return None; // There is no work: do not search again.
        }
        let is_safe = |there: usize| sight.is_sound(there) && sight.blade[there] == 0;
        let is_passable = |there: usize| if flees { sight.open[there] } else { is_safe(there) };
        let is_goal = |there: usize| is_safe(there) && (flees || !sight.taken[there]);
        let way = self.search.way(sight, here, farmer.id, is_passable, is_goal);
        match way {
            Some((_, goal)) => sight.taken[goal] = true,
            None if !flees => *idle += 1,
            None => {}
        }
        way.map(|(dir, _)| dir)
    }
}

impl Player for Reaper {
    fn new(game: &Game) -> Self {
        let width = game.settings.cols + 2 * MARGIN;
        let places = (width * (game.settings.rows + 2 * MARGIN)) as usize;
        let (blank, closed) = (vec![0; places], vec![false; places]);
        let search = Search { seen: vec![0; places], searches: 0, line: Vec::with_capacity(places) };
        let steps = blank.clone();
        let sight = Sight {
            width,
            ground: closed.clone(),
            open: closed.clone(),
            taken: closed,
            target: blank.clone(),
            spell: blank.clone(),
            blade: blank.clone(),
            crowd: blank.clone(),
            prey: blank.clone(),
            quiet: blank.clone(),
            friends: blank.clone(),
            foes: blank.clone(),
            chase: blank,
        };
        Reaper { sight, search, steps }
    }

    fn play(&mut self, game: &Game) {
        let me = game.me();
        if game.status(me) > 0.95 {
            return; // Nearly out of time.
        }
        self.sight.look_at_board(game);
        let go = |id, dir| {
            if let Some(dir) = dir {
                game.move_unit(id, dir)
            }
        };
        for witch in game.witches(me) {
            go(witch.id, self.move_witch(witch));
        }
        self.sight.measure_chase(&mut self.search);
        for knight in game.knights(me) {
            go(knight.id, self.sight.move_knight(game, knight));
        }
        let mut idle = 0;
        for farmer in game.farmers(me) {
            go(farmer.id, self.move_farmer(farmer, &mut idle));
        }
    }
}

player!(Reaper, "Reaper");
