//! Veteran of The Purge: who has beaten the Dummy practises with it.

use super::board::Cell;
use super::engine::MOVE;
use super::settings::{MOST_COLS, MOST_ROWS, Settings};
use super::state::{Citizen, Kind, State, Weapon};
use crate::game::{BuiltinPlayer, typed};
use crate::{Dir4, Orders, Pos, Seat};

/// The sparring partner for whoever has beaten `Dummy`. Everybody collects what is nearest; by night warriors
/// hunt whoever is weaker, and all keep away from whoever is stronger. It
/// never builds, and does not think about where rivals will be next.
pub struct Veteran {
    seat: Seat,
    city: City,
    /// What one of its citizens is already after in this round.
    claimed: Places,
    /// Where the citizen under consideration might be struck.
    feared: Places,
    /// Whom the citizen under consideration wants to strike.
    prey: Places,
    seen: Places,
    queue: Vec<(usize, Dir4)>,
}

/// Steps within which a stronger rival is feared.
const FEAR: i32 = 2;

/// Places that a search looks at before it gives up: what is farther away is
/// likely to be gone before anybody gets there.
const PATIENCE: usize = 100;

impl Veteran {
    pub fn new(seat: Seat) -> Self {
        Veteran {
            seat,
            city: City::default(),
            claimed: Places::default(),
            feared: Places::default(),
            prey: Places::default(),
            seen: Places::default(),
            queue: Vec::new(),
        }
    }

    /// The first step of what this citizen should do, if anything.
    fn decide(&mut self, citizen: &Citizen, state: &State) -> Option<Dir4> {
        let from = self.city.place(citizen.pos);
        self.feared.clear();
        if is_dangerous_time(state) {
            self.fear_stronger_than(citizen, state);
            if self.feared.has(from) {
                return self.flee(from);
            }
        }
        if citizen.kind == Kind::Warrior
            && !state.is_day()
            && let Some(dir) = self.hunt(citizen, state)
        {
            return Some(dir);
        }
        self.gather(citizen, state)
    }

    fn fear_stronger_than(&mut self, citizen: &Citizen, state: &State) {
        for rival in state.citizens.iter().filter(|rival| rival.seat != self.seat) {
            // Whoever is farther away than this will not be met in the next few rounds.
            if citizen.pos.distance(rival.pos) > 4 * FEAR || beats(citizen, rival, &state.settings) {
                continue;
            }
            for di in -FEAR..=FEAR {
                let left = FEAR - di.abs();
                for dj in -left..=left {
                    self.feared.add(self.city.place(rival.pos + (di, dj)));
                }
            }
        }
    }

    /// Towards the nearest cell where nobody is feared. The way there may be dangerous.
    fn flee(&mut self, from: usize) -> Option<Dir4> {
        let feared = self.feared.clone();
        self.feared.clear();
        self.nearest(from, |_, place, cell| is_walkable(cell) && !feared.has(place)).map(|(dir, _)| dir)
    }

    /// Towards the nearest rival who is weaker, or at it. Whoever is in a
    /// barricade cannot be struck.
    fn hunt(&mut self, citizen: &Citizen, state: &State) -> Option<Dir4> {
        self.prey.clear();
        let mut any = false;
        for rival in state.citizens.iter().filter(|rival| rival.seat != self.seat) {
            if !state.cells[rival.pos].has_barricade() && beats(citizen, rival, &state.settings) {
                self.prey.add(self.city.place(rival.pos));
                any = true;
            }
        }
        let from = self.city.place(citizen.pos);
        any.then(|| self.nearest(from, |this, place, _| this.prey.has(place)))?.map(|(dir, _)| dir)
    }

    /// Towards the nearest useful thing that nobody else of the clan is after.
    fn gather(&mut self, citizen: &Citizen, state: &State) -> Option<Dir4> {
        let from = self.city.place(citizen.pos);
        let (dir, goal) = self
            .nearest(from, |this, place, cell| is_useful(cell, citizen, &state.settings) && !this.claimed.has(place))?;
        self.claimed.add(goal);
        Some(dir)
    }

    /// The nearest goal to which a way leads that is not feared, and the first
    /// step of that way: a breadth-first search.
    fn nearest(&mut self, from: usize, is_goal: impl Fn(&Veteran, usize, Cell) -> bool) -> Option<(Dir4, usize)> {
        self.seen.clear();
        self.seen.add(from);
        self.queue.clear();
        for dir in Dir4::ALL {
            self.reach(self.city.next(from, dir), dir);
        }
        for head in 0..PATIENCE {
            let &(place, first) = self.queue.get(head)?;
            let cell = self.city.cells[place];
            if is_goal(self, place, cell) {
                return Some((first, place));
            }
            if is_walkable(cell) && !self.feared.has(place) {
                for dir in Dir4::ALL {
                    self.reach(self.city.next(place, dir), first);
                }
            }
        }
        None
    }

    #[inline]
    fn reach(&mut self, place: usize, first: Dir4) {
        if self.city.cells[place] != Cell::Building && !self.seen.has(place) {
            self.seen.add(place);
            self.queue.push((place, first));
        }
    }
}

impl BuiltinPlayer for Veteran {
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let state: &State = typed(state);
        self.city.look_at(state);
        self.claimed.clear();
        // Orders are run in the order given: the fighters' are the most urgent.
        for kind in [Kind::Warrior, Kind::Builder] {
            for citizen in state.citizens_of(self.seat, kind) {
                if let Some(dir) = self.decide(citizen, state) {
                    orders.push(&[citizen.id, MOVE, dir as i32]);
                }
            }
        }
    }
}

/// By night, and when night is about to fall.
fn is_dangerous_time(state: &State) -> bool {
    !state.is_day() || !state.settings.is_day(state.round + FEAR)
}

/// Whether `citizen` should rather strike `other` than run from it.
fn beats(citizen: &Citizen, other: &Citizen, settings: &Settings) -> bool {
    let (mine, theirs) = (settings.attack(citizen.weapon), settings.attack(other.weapon));
    mine > theirs || mine == theirs && citizen.life >= other.life
}

fn is_useful(cell: Cell, citizen: &Citizen, settings: &Settings) -> bool {
    match cell {
        Cell::Money => true,
        Cell::Food => citizen.life < settings.life(citizen.kind),
        Cell::Gun => citizen.weapon == Some(Weapon::Hammer),
        Cell::Bazooka => citizen.weapon.is_some_and(|weapon| weapon < Weapon::Bazooka),
        _ => false,
    }
}

/// Citizens and barricades, even its own, are in the way.
fn is_walkable(cell: Cell) -> bool {
    matches!(cell, Cell::Street | Cell::Money | Cell::Food | Cell::Gun | Cell::Bazooka)
}

/// The board with buildings all around it, so that no search and no fear ends
/// outside. A place is the number of a cell, row by row.
#[derive(Default)]
struct City {
    cells: Vec<Cell>,
    width: usize,
}

impl City {
    const BORDER: i32 = FEAR;
    const LARGEST: usize = ((MOST_ROWS + 2 * City::BORDER) * (MOST_COLS + 2 * City::BORDER)) as usize;

    fn look_at(&mut self, state: &State) {
        let border = City::BORDER as usize;
        if self.cells.is_empty() {
            self.width = state.cells.cols() as usize + 2 * border;
            self.cells = vec![Cell::Building; self.width * (state.cells.rows() as usize + 2 * border)];
        }
        for (i, row) in
            self.cells.chunks_exact_mut(self.width).skip(border).take(state.cells.rows() as usize).enumerate()
        {
            let cells = state.cells.row(i as i32);
            row[border..border + cells.len()].copy_from_slice(cells);
        }
    }

    fn place(&self, pos: Pos) -> usize {
        (pos.i + City::BORDER) as usize * self.width + (pos.j + City::BORDER) as usize
    }

    #[inline]
    fn next(&self, place: usize, dir: Dir4) -> usize {
        match dir {
            Dir4::Down => place + self.width,
            Dir4::Right => place + 1,
            Dir4::Up => place - self.width,
            Dir4::Left => place - 1,
        }
    }
}

/// A set of places that is emptied in one step: those marked with the current number.
#[derive(Clone)]
struct Places {
    marks: [u32; City::LARGEST],
    current: u32,
}

impl Default for Places {
    fn default() -> Self {
        Places { marks: [0; City::LARGEST], current: 1 }
    }
}

impl Places {
    fn clear(&mut self) {
        self.current += 1;
    }

    #[inline]
    fn add(&mut self, place: usize) {
        self.marks[place] = self.current;
    }

    #[inline]
    fn has(&self, place: usize) -> bool {
        self.marks[place] == self.current
    }
}
