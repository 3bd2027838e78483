// A player that reads, fights and casts spells, and knows when to act.
//
// At the beginning of a round it looks at the whole board and notes what each
// cell is worth. Then every unit looks for the goal that gives most for the
// steps it takes; if two want the same, the closer one gets it.
//
// What makes it strong is the sequence of its orders, which are carried out in
// that sequence, mixed with those of the others. Whoever attacks first mostly
// wins, so attacks are ordered first. And steps towards an enemy are ordered
// last: if he comes closer before that, the step becomes an attack.
use ludus_player::potter::*;

// What there is to gain: play with these.
const EVEN_FIGHT: i32 = 20;
const SURE_FIGHT: i32 = 40;
const RESCUE: i32 = 40;
const BOOK: i32 = 20;
const CELL: i32 = 1;
const GHOST: i32 = 3;
const SAFETY: i32 = 40;
const MOST: i32 = 40;

// How far a unit looks for a goal.
const SIGHT: i32 = 16;

// Wizards go in the first four directions, ghosts in all of them.
const DIRS: [Dir; 8] =
    [Dir::Up, Dir::Down, Dir::Left, Dir::Right, Dir::DownRight, Dir::UpRight, Dir::UpLeft, Dir::DownLeft];

// The board as one long list of cells, with a wall around it, so that no step
// leads outside. A step in some direction always adds the same number.
const WIDTH: i32 = 62;
const PLACES: usize = (WIDTH * WIDTH) as usize;

fn place(pos: Pos) -> usize {
    ((pos.i + 1) * WIDTH + pos.j + 1) as usize
}

// What cells are worth depends on who goes there: wizards fight and rescue,
// ghosts do not, and a wizard in conversion wants to be rescued.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Fighter,
    Calm,
    Weak,
}

// What is known of a place in this round.
#[derive(Clone, Copy, Default)]
struct Place {
    is_open: bool,      // whether a unit can go there now
    is_beside: bool,    // whether an enemy that can fight is next to it
    is_feared: bool,    // whether one that is too strong for us is
    is_for_one: bool,   // a cell, a book or a mate to rescue is a goal for one unit alone
    taker: Option<i32>, // the unit that goes there
    worth: [i32; 3],    // by role
    reached: u32,       // the last search that came here, so that nothing has to be cleared
}

// A place that a search has reached.
#[derive(Clone, Copy)]
struct Found {
    place: usize,
    steps: i32,
    first: Dir, // the first step on the way there
}

// When a unit acts: orders are given by increasing turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    Flight,
    Attack,
    Rescue,
    Walk,
    Approach,
}

struct Scholar {
    places: Vec<Place>,
    found: Vec<Found>,
    searches: u32,
    // By id of the unit: there are never more units than places.
    plans: Vec<Option<(Found, Turn)>>,
    rank_of: Vec<usize>, // of each wizard in its clan
}

impl Player for Scholar {
    fn new(_game: &Game) -> Self {
        Scholar {
            places: vec![Place::default(); PLACES],
            found: Vec::with_capacity(PLACES),
            searches: 0,
            plans: vec![None; PLACES],
            rank_of: vec![0; PLACES],
        }
    }

    fn play(&mut self, game: &Game) {
        let me = game.me();
        if game.status(me) >= 0.9 {
            return;
        }
        self.look(game);
        let mut units: Vec<Unit> = game.wizards(me).collect();
        let ghost = game.ghost(me);
        let may_cast = ghost.rounds == 0 && game.settings.rounds - game.round() > 50;
        match may_cast.then(|| solve(game.ingredients())).flatten() {
            Some(groups) => game.cast(ghost.id, &groups),
            None => units.insert(0, ghost),
        }
        // Whoever loses its goal to a unit that is closer has to plan again.
        let mut waiting = units.clone();
        let mut next = 0;
        while let Some(&unit) = waiting.get(next) {
            next += 1;
            waiting.extend(self.plan(game, unit).and_then(|loser| game.unit(loser)));
        }
        self.give_orders(game, &units);
    }
}

impl Scholar {
    fn look(&mut self, game: &Game) {
        for place in &mut self.places {
            (place.is_beside, place.is_feared, place.taker) = (false, false, None);
        }
        for seat in Seat::ALL {
            for (rank, wizard) in game.wizards(seat).enumerate() {
                self.rank_of[wizard.id as usize] = rank;
                if seat != game.me() && !wizard.is_converting() {
                    self.mark_enemy(wizard.pos, is_too_strong(game, seat));
                }
            }
        }
        for pos in (0..game.settings.rows).flat_map(|i| (0..game.settings.cols).map(move |j| Pos::new(i, j))) {
            let Some(cell) = game.cell(pos).filter(|cell| !cell.is_wall) else { continue };
            look_at(&mut self.places[place(pos)], game, cell, is_deadly(game, pos));
        }
    }

    fn mark_enemy(&mut self, pos: Pos, is_too_strong: bool) {
        let beside = DIRS[..4].iter().map(|&dir| place(pos + dir));
        for there in beside.chain([place(pos)]) {
            self.places[there].is_beside = true;
            self.places[there].is_feared |= is_too_strong;
        }
    }

    // Plans for a unit. Returns the unit that loses its goal by this.
    fn plan(&mut self, game: &Game, unit: Unit) -> Option<i32> {
        let role = match unit {
            unit if unit.kind == Kind::Ghost => Role::Calm,
            unit if unit.is_converting() => Role::Weak,
            _ => Role::Fighter,
        };
        let start = place(unit.pos);
        let is_afraid = self.places[start].is_feared && role == Role::Fighter;
        let flees = is_afraid || is_deadly(game, unit.pos);
        let dirs = if role == Role::Calm { &DIRS[..] } else { &DIRS[..4] };
        let goal = self.best_goal(start, dirs, if flees { None } else { Some(role) });
        self.plans[unit.id as usize] = goal.map(|goal| {
            let next = &self.places[place(unit.pos + goal.first)];
            let turn = match next {
                _ if is_afraid => Turn::Flight,
                _ if role != Role::Fighter => Turn::Walk,
                next if !next.is_open && next.is_for_one => Turn::Rescue,
                next if !next.is_open => Turn::Attack,
                next if next.is_beside => Turn::Approach,
                _ => Turn::Walk,
            };
            (goal, turn)
        });
        let place = &mut self.places[goal?.place];
        if place.is_for_one { place.taker.replace(unit.id) } else { None }
    }

    // The goal with most worth per step, without those that somebody closer has
    // taken. Without a role any open cell is good.
    fn best_goal(&mut self, start: usize, dirs: &[Dir], role: Option<Role>) -> Option<Found> {
        self.searches += 1;
        self.places[start].reached = self.searches;
        self.found.clear();
        self.found.push(Found { place: start, steps: 0, first: Dir::Up });
        let mut goal = Found { place: start, steps: 1, first: Dir::Up };
        let mut best = 0;
        let mut next = 0;
        while let Some(&here) = self.found.get(next) {
            next += 1;
            let steps = here.steps + 1;
            // Worth per step is what counts, so nothing that far away can be better.
            if steps > SIGHT || best * steps >= MOST * goal.steps {
                break;
            }
            for &dir in dirs {
                let step = dir.step();
                let there = here.place.wrapping_add_signed((step.i * WIDTH + step.j) as isize);
                let place = &mut self.places[there];
                if place.reached == self.searches {
                    continue;
                }
                place.reached = self.searches;
                let found = Found { place: there, steps, first: if steps == 1 { dir } else { here.first } };
                let gain = role.map_or(i32::from(place.is_open) * SAFETY, |role| place.worth[role as usize]);
                let taken = place.taker.and_then(|taker| self.plans[taker as usize]);
                if gain * goal.steps > best * steps && taken.is_none_or(|(goal, _)| goal.steps > steps) {
                    (best, goal) = (gain, found);
                }
                if place.is_open {
                    self.found.push(found);
                }
            }
        }
        (best > 0).then_some(goal)
    }

    // Enemies who are early in their clan will probably act early, so they are
    // attacked before the others.
    fn give_orders(&mut self, game: &Game, units: &[Unit]) {
        let mut orders = Vec::new();
        for unit in units {
            let Some((goal, turn)) = self.plans[unit.id as usize] else { continue };
            let target = game.cell(unit.pos + goal.first).and_then(|cell| cell.unit);
            let rank = target.filter(|_| turn == Turn::Attack).map_or(0, |id| self.rank_of[id as usize]);
            orders.push((turn, rank, unit.id, goal.first));
        }
        orders.sort_by_key(|&(turn, rank, id, _)| (turn, rank, id));
        // One more than this and a spell is too much.
        for (.., id, dir) in orders.into_iter().take(999) {
            game.move_unit(id, dir);
        }
    }
}

fn look_at(place: &mut Place, game: &Game, cell: Cell, is_deadly: bool) {
    let safe = !is_deadly && !place.is_feared;
    place.is_open = cell.unit.is_none() && safe;
    place.is_for_one = place.is_open;
    let calm = match cell {
        _ if !place.is_open => 0,
        cell if cell.has_book => BOOK,
        cell if cell.owner != Some(game.me()) => CELL,
        _ => 0,
    };
    place.worth = [calm; 3];
    let Some(unit) = cell.unit.filter(|_| safe).and_then(|id| game.unit(id)) else { return };
    let is_mate = unit.kind == Kind::Wizard && unit.seat == game.me();
    place.is_for_one = is_mate && unit.is_converting();
    place.worth[Role::Fighter as usize] = match unit {
        _ if place.is_for_one => RESCUE,
        unit if unit.seat != game.me() => worth_of_attacking(game, unit),
        _ => 0,
    };
    place.worth[Role::Weak as usize] = if is_mate && !place.is_for_one { RESCUE } else { 0 };
}

fn worth_of_attacking(game: &Game, unit: Unit) -> i32 {
    if unit.kind == Kind::Ghost {
        // It will have to rest longer before its next spell, if there is to be one.
        let is_protected = unit.attacked.is_some_and(|last| game.round() - last <= game.settings.attack_pause);
        return if is_protected || game.settings.rounds - game.round() <= 50 { 0 } else { GHOST };
    }
    let (mine, theirs) = (game.magic_strength(game.me()), game.magic_strength(unit.seat));
    if unit.is_converting() || is_too_strong(game, unit.seat) {
        return 0;
    }
    if mine > 2 * theirs {
        return SURE_FIGHT;
    }
    // Surprise wins 30 of 100 fights, and strength decides the others.
    let percent = 30 + 70 * mine / (mine + theirs).max(1);
    EVEN_FIGHT * percent / 65
}

// Against a clan that is over twice as strong every fight is lost at once.
fn is_too_strong(game: &Game, seat: Seat) -> bool {
    game.magic_strength(seat) > 2 * game.magic_strength(game.me())
}

// Whether Voldemort can reach a cell in this round: he takes one step, and
// then whatever is next to him.
fn is_deadly(game: &Game, pos: Pos) -> bool {
    let voldemort = game.voldemort();
    (pos.i - voldemort.i).abs() <= 2 && (pos.j - voldemort.j).abs() <= 2
}

// The group of each number, if they can be split into groups of three with the same sum.
fn solve(numbers: &[i32]) -> Option<Vec<i32>> {
    let groups = numbers.len() as i32 / 3;
    let sum = numbers.iter().sum::<i32>().checked_div(groups)?;
    let mut group_of = vec![-1; numbers.len()];
    split(numbers, sum, 0, groups, &mut group_of).then_some(group_of)
}

// Makes this group and all the following ones. The first free number has to be
// in some group, so it is in this one.
fn split(numbers: &[i32], sum: i32, group: i32, groups: i32, group_of: &mut [i32]) -> bool {
    if group == groups {
        return true;
    }
    let free: Vec<usize> = (0..numbers.len()).filter(|&k| group_of[k] == -1).collect();
    let a = free[0];
    for (k, &b) in free.iter().enumerate().skip(1) {
        for &c in &free[k + 1..] {
            if numbers[a] + numbers[b] + numbers[c] != sum {
                continue;
            }
            [a, b, c].map(|k| group_of[k] = group);
            if split(numbers, sum, group + 1, groups, group_of) {
                return true;
            }
            [a, b, c].map(|k| group_of[k] = -1);
        }
    }
    false
}

player!(Scholar, "Scholar");
