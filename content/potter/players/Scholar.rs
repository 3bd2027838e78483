// A player that reads, attacks when it is strong enough, and casts spells.
//
// At the beginning of a round it looks at the whole board and notes what each
// cell is worth. Then every unit looks for the cell that gives most for the
// steps it takes, and makes the first step towards it.
use ludus_player::potter::*;

// What there is to gain: play with these.
const FIGHT: i32 = 15;
const RESCUE: i32 = 15;
const BOOK: i32 = 15;
const CELL: i32 = 1;
const SAFETY: i32 = 15;
const MOST: i32 = 15;

// Wizards go in the first four directions, ghosts in all of them.
const DIRS: [Dir; 8] =
    [Dir::Up, Dir::Down, Dir::Left, Dir::Right, Dir::DownRight, Dir::UpRight, Dir::UpLeft, Dir::DownLeft];

// The board as one long list of cells, with a wall around it, so that no step
// leads outside. A step in some direction always adds the same number.
const WIDTH: i32 = 62;
const PLACES: usize = (WIDTH * WIDTH) as usize;

fn place(pos: Pos) -> i32 {
    (pos.i + 1) * WIDTH + pos.j + 1
}

// What is known of a place in this round.
#[derive(Clone, Copy, Default)]
struct Place {
    is_open: bool,   // whether a unit can go there now
    worth: i32,      // to a wizard
    calm_worth: i32, // to a unit that cannot fight
    reached: u32,    // the last search that came here, so that nothing has to be cleared
}

// A place that a search has reached.
#[derive(Clone, Copy)]
struct Found {
    place: i32,
    steps: i32,
    first: Dir, // the first step on the way there
}

struct Scholar {
    places: Vec<Place>,
    found: Vec<Found>,
    searches: u32,
}

impl Player for Scholar {
    fn new(_game: &Game) -> Self {
        Scholar { places: vec![Place::default(); PLACES], found: Vec::with_capacity(PLACES), searches: 0 }
    }

    fn play(&mut self, game: &Game) {
        let me = game.me();
        if game.status(me) >= 0.9 {
            return;
        }
        self.look(game);
        let ghost = game.ghost(me);
        let may_cast = ghost.rounds == 0 && game.settings.rounds - game.round() > 50;
        match may_cast.then(|| solve(game.ingredients())).flatten() {
            Some(groups) => game.cast(ghost.id, &groups),
            None => self.go(game, ghost, &DIRS, false),
        }
        for wizard in game.wizards(me) {
            self.go(game, wizard, &DIRS[..4], !wizard.is_converting());
        }
    }
}

impl Scholar {
    fn look(&mut self, game: &Game) {
        for pos in (0..game.settings.rows).flat_map(|i| (0..game.settings.cols).map(move |j| Pos::new(i, j))) {
            let Some(cell) = game.cell(pos) else { continue };
            let unit = cell.unit.and_then(|id| game.unit(id));
            let place = &mut self.places[place(pos) as usize];
            place.is_open = !cell.is_wall && unit.is_none() && !is_deadly(game, pos);
            place.calm_worth = match cell {
                _ if !place.is_open => 0,
                cell if cell.has_book => BOOK,
                cell if cell.owner != Some(game.me()) => CELL,
                _ => 0,
            };
            place.worth = match unit {
                Some(unit) if !is_deadly(game, pos) => worth_of_meeting(game, unit),
                _ => place.calm_worth,
            };
        }
    }

    // Makes the first step towards the best goal, if there is any.
    fn go(&mut self, game: &Game, unit: Unit, dirs: &[Dir], fights: bool) {
        let start = place(unit.pos);
        let flees = is_deadly(game, unit.pos);
        self.searches += 1;
        self.places[start as usize].reached = self.searches;
        self.found.clear();
        self.found.push(Found { place: start, steps: 0, first: Dir::Up });
        let mut goal = Found { place: start, steps: 1, first: Dir::Up };
        let mut best = 0;
        let mut next = 0;
        while let Some(&here) = self.found.get(next) {
            next += 1;
            let steps = here.steps + 1;
            // Worth per step is what counts, so nothing that far away can be better.
            if best * steps >= MOST * goal.steps {
                break;
            }
            for &dir in dirs {
                let step = dir.step();
                let there = here.place + step.i * WIDTH + step.j;
                let place = &mut self.places[there as usize];
                if place.reached == self.searches {
                    continue;
                }
                place.reached = self.searches;
                let found = Found { place: there, steps, first: if steps == 1 { dir } else { here.first } };
                let gain = match (flees, fights) {
                    (true, _) => i32::from(place.is_open) * SAFETY,
                    (_, true) => place.worth,
                    (_, false) => place.calm_worth,
                };
                if gain * goal.steps > best * steps {
                    best = gain;
                    goal = found;
                }
                if place.is_open {
                    self.found.push(found);
                }
            }
        }
        if best == 0 {
            return;
        }
        game.move_unit(unit.id, goal.first);
        // Nobody else has to go to the same cell, but they may attack the same unit.
        let place = &mut self.places[goal.place as usize];
        if place.is_open {
            (place.worth, place.calm_worth) = (0, 0);
        }
    }
}

// What a wizard gains by moving against a unit.
fn worth_of_meeting(game: &Game, unit: Unit) -> i32 {
    let me = game.me();
    // Whoever attacks has luck on its side, unless the other is over twice as strong.
    let is_too_strong = game.magic_strength(unit.seat) > 2 * game.magic_strength(me);
    match unit {
        unit if unit.kind == Kind::Ghost => 0,
        unit if unit.seat == me => i32::from(unit.is_converting()) * RESCUE,
        unit if unit.is_converting() || is_too_strong => 0,
        _ => FIGHT,
    }
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
