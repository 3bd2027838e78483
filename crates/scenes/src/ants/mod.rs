//! What there is to see in Ants.

mod legend;
#[cfg(test)]
mod tests;

use legend::WATER;
use ludus_games::ants::{Ant, Ants, Cell, Kind, LAY, LEAVE, MOVE, State, TAKE};
use ludus_games::game::typed;
use ludus_games::{Dir4, Past, Pos, Seat};

use crate::{Event, Item, Scene, Scenery};

pub static SCENERY: Scenery =
    Scenery { game: &Ants, legend: &legend::LEGEND, fill: |state, past, scene| fill(typed(state), past, scene) };

fn fill(state: &State, past: Option<&Past<'_>>, scene: &mut Scene) {
    scene.begin(state.settings.rows, state.settings.cols);
    paint(state, scene);
    lay_out_food(state, scene);
    scene.items.extend(state.ants.iter().map(|ant| item(state, ant)));
    count(state, scene);
    if let Some(past) = past {
        let before: &State = typed(past.before);
        scene.note_orders(past, |id| Some(before.ant(id)?.seat), read_order);
        turn(scene);
        note_deaths(before, state, past, scene);
        note_births(before, state, past, scene);
        note_food(before, state, past, scene);
    }
}

/// Soil and water. Rivers run diagonally too, so that corners are smoothed:
/// water is rounded off where it sticks out into soil, and fills the corner
/// between two cells of it that touch diagonally.
fn paint(state: &State, scene: &mut Scene) {
    let (rows, cols) = (scene.rows, scene.cols);
    scene.cells.resize((rows * cols) as usize, legend::SOIL);
    // Beyond the edge everything goes on as at the edge.
    let wet = |pos: Pos| state.cells[Pos::new(pos.i.clamp(0, rows - 1), pos.j.clamp(0, cols - 1))] == Cell::Water;
    let offset = |pos: Pos| state.cells.offset(pos);
    for at in (0..state.cells.cells().len()).filter(|&at| state.cells.cells()[at] == Cell::Water) {
        let pos = state.cells.pos(at);
        let mut kind = WATER;
        // Each corner, and those of the two cells beside that touch it. Pairs
        // of diagonal cells are looked at from the upper one.
        for (bit, di, dj, beside, below) in [(1, -1, -1, 0, 0), (2, -1, 1, 0, 0), (4, 1, 1, 8, 2), (8, 1, -1, 4, 1)] {
            if wet(pos + (di, 0)) || wet(pos + (0, dj)) {
                continue;
            }
            if !wet(pos + (di, dj)) {
                kind += bit;
            } else if di > 0 {
                scene.cells[offset(pos + (0, dj))] += beside;
                scene.cells[offset(pos + (di, 0))] += below;
            }
        }
        scene.cells[at] = kind;
    }
}

fn lay_out_food(state: &State, scene: &mut Scene) {
    let count = state.cells.cells().len() as i32;
    let cells = (0..count).zip(state.cells.cells()).rev();
    let food = cells.filter_map(|(cell, kind)| Some((cell, kind.food()?)));
    scene.items.extend(food.map(|(cell, food)| Item::thing(0, legend::FOOD + food as i32, cell, count)));
}

fn item(state: &State, ant: &Ant) -> Item {
    let mut item = Item {
        seat: ant.seat.index() as i32,
        heading: Item::SAME,
        life: Item::life_share(ant.life, state.settings.life(ant.kind)),
        badges: ant.load.map_or(0, |food| 1 << food as i32),
        ..Item::new(ant.id, ant.kind as i32, state.cells.offset(ant.pos) as i32)
    };
    item.facts[0] = state.round.saturating_add(ant.life);
    if ant.kind == Kind::Queen {
        item.facts[1..4].copy_from_slice(&ant.reserve);
    }
    item
}

fn count(state: &State, scene: &mut Scene) {
    for ant in &state.ants {
        let panel = &mut scene.panel[ant.seat];
        match ant.kind {
            Kind::Queen => panel[..3].copy_from_slice(&ant.reserve.map(i64::from)),
            Kind::Soldier => panel[3] += 1,
            Kind::Worker => panel[4] += 1,
        }
    }
}

fn read_order(order: &[i32], _: Option<Seat>) -> Option<(i32, i32)> {
    let &[_, kind, dir, born] = order else { return None };
    let heading = Dir4::from_number(dir).map_or(Item::NONE, Dir4::heading);
    Some(match kind {
        MOVE => (legend::MOVES, heading),
        TAKE => (legend::TAKES, Item::NONE),
        LEAVE => (legend::LEAVES, Item::NONE),
        LAY if born == Kind::Soldier as i32 => (legend::LAYS_SOLDIER, heading),
        LAY => (legend::LAYS_WORKER, heading),
        _ => return None,
    })
}

/// Ants look where they last went.
fn turn(scene: &mut Scene) {
    let moved = |item: &&mut Item| item.verb == legend::MOVES && item.outcome == 1;
    scene.items.iter_mut().filter(moved).for_each(|item| item.heading = item.direction);
}

fn note_deaths(before: &State, state: &State, past: &Past<'_>, scene: &mut Scene) {
    let lost = |ant: &&Ant| state.ant(ant.id).is_none();
    if !before.ants.iter().any(|ant| lost(&ant)) {
        return;
    }
    let first = scene.events.len();
    note_fights(before, past, scene);
    let fallen = first..scene.events.len();
    for ant in before.ants.iter().filter(lost) {
        let cell = before.cells.offset(ant.pos) as i32;
        if !scene.events[fallen.clone()].iter().any(|event| event.item == ant.id) {
            scene.events.push(Event::new(legend::DIES).seat(ant.seat).item(ant.id).cell(cell));
        }
        if ant.kind == Kind::Queen {
            scene.events.push(Event::new(legend::LOSES_QUEEN).seat(ant.seat).item(ant.id).cell(cell));
        }
    }
    for seat in Seat::ALL {
        let lives = |state: &State| state.ants.iter().any(|ant| ant.seat == seat);
        if lives(before) && !lives(state) {
            scene.events.push(Event::new(legend::DIES_OUT).seat(seat));
        }
    }
}

/// Who killed whom follows from the moves, which are listed in the order in
/// which they were made.
fn note_fights(before: &State, past: &Past<'_>, scene: &mut Scene) {
    let mut room = std::mem::take(&mut scene.scratch);
    room.clear();
    room.extend_from_slice(before.ant_on.cells());
    room.extend(before.ants.iter().map(|ant| before.cells.offset(ant.pos) as i32));
    let (ant_on, cell_of) = room.split_at_mut(before.cells.cells().len());
    let mut moves = Moves { before, ant_on, cell_of, events: &mut scene.events };
    for order in past.done.iter() {
        if let &[id, MOVE, dir, _] = order {
            moves.run(id, dir);
        }
    }
    scene.scratch = room;
}

/// The moves of a round, made again.
struct Moves<'a> {
    before: &'a State,
    ant_on: &'a mut [i32],
    /// The cell of each ant of the state before, or [`Moves::DEAD`].
    cell_of: &'a mut [i32],
    events: &'a mut Vec<Event>,
}

impl Moves<'_> {
    const DEAD: i32 = -1;

    fn slot_of(&self, id: i32) -> Option<usize> {
        self.before.ants.binary_search_by_key(&id, |ant| ant.id).ok()
    }

    /// A record may hold moves that cannot be made; those are left out.
    fn run(&mut self, id: i32, dir: i32) {
        let (Some(slot), Some(dir)) = (self.slot_of(id), Dir4::from_number(dir)) else { return };
        let cells = &self.before.cells;
        let Ok(cell) = usize::try_from(self.cell_of[slot]) else { return };
        let target = cells.pos(cell) + dir.step();
        if !cells.contains(target) {
            return;
        }
        let target = cells.offset(target);
        if let Some(other) = self.slot_of(self.ant_on[target]) {
            let (mover, met) = (&self.before.ants[slot], &self.before.ants[other]);
            if mover.kind <= met.kind {
                self.kill(other, mover.seat, target);
            }
            if mover.kind >= met.kind {
                self.kill(slot, met.seat, target);
                return;
            }
        }
        self.ant_on[cell] = State::NOBODY;
        self.ant_on[target] = id;
        self.cell_of[slot] = target as i32;
    }

    fn kill(&mut self, slot: usize, killer: Seat, place: usize) {
        self.ant_on[self.cell_of[slot] as usize] = State::NOBODY;
        self.cell_of[slot] = Moves::DEAD;
        let victim = &self.before.ants[slot];
        let kind = if victim.seat == killer { legend::KILLS_OWN } else { legend::KILLS };
        self.events.push(Event::new(kind).seat(killer).other(victim.seat).item(victim.id).cell(place as i32));
    }
}

fn note_births(before: &State, state: &State, past: &Past<'_>, scene: &mut Scene) {
    // Ids are given in order, so that those born in the round are the last.
    let newest = before.ants.last().map_or(-1, |ant| ant.id);
    let first = state.ants.partition_point(|ant| ant.id <= newest);
    let born = &state.ants[first..];
    for ant in born {
        let cell = state.cells.offset(ant.pos) as i32;
        scene.events.push(Event::new(legend::HATCHES).seat(ant.seat).item(ant.id).cell(cell));
    }
    for order in past.done.iter() {
        let &[id, LAY, dir, _] = order else { continue };
        let (Some(queen), Some(dir)) = (before.ant(id), Dir4::from_number(dir)) else { continue };
        // The queen may have moved only in place of laying.
        let place = queen.pos + dir.step();
        if state.cells.contains(place) && !born.iter().any(|ant| ant.pos == place && ant.seat == queen.seat) {
            let cell = state.cells.offset(place) as i32;
            scene.events.push(Event::new(legend::EGG_LOST).seat(queen.seat).cell(cell));
        }
    }
    for ant in state.ants.iter().filter(|ant| ant.kind == Kind::Queen) {
        if before.ant(ant.id).is_none_or(|earlier| earlier.kind != Kind::Queen) {
            let cell = state.cells.offset(ant.pos) as i32;
            scene.events.push(Event::new(legend::SUCCEEDS).seat(ant.seat).item(ant.id).cell(cell));
        }
    }
}

fn note_food(before: &State, state: &State, past: &Past<'_>, scene: &mut Scene) {
    for order in past.done.iter() {
        let &[id, kind, ..] = order else { continue };
        let Some(ant) = state.ant(id) else { continue };
        let happened = match kind {
            TAKE => legend::PICKS_UP,
            LEAVE => legend::PUTS_DOWN,
            MOVE if ant.kind == Kind::Queen && before.cells[ant.pos].food().is_some() => legend::EATS,
            _ => continue,
        };
        let cell = state.cells.offset(ant.pos) as i32;
        scene.events.push(Event::new(happened).seat(ant.seat).item(id).cell(cell));
    }
}
