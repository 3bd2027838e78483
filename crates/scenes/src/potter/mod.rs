//! What there is to see in Harry Potter.

mod legend;

use ludus_games::game::typed;
use ludus_games::potter::{Cell, Kind, MOVE, Potter, SIDE, SPELL, State, Unit};
use ludus_games::{Dir8, Past, Pos, Seat};

use crate::{Event, Item, Scene, Scenery};

pub static SCENERY: Scenery =
    Scenery { game: &Potter, legend: &legend::LEGEND, fill: |state, past, scene| fill(typed(state), past, scene) };

fn fill(state: &State, past: Option<&Past<'_>>, scene: &mut Scene) {
    scene.begin(SIDE, SIDE);
    scene.cells.extend(state.cells.cells().iter().map(|&cell| kind_of(cell)));
    scene.items.push(Item::new(VOLDEMORT_ID, legend::VOLDEMORT, offset(state.voldemort)));
    let books = state.books.iter().map(|pos| Item::thing(0, legend::BOOK, offset(pos), SIDE * SIDE));
    scene.items.extend(books);
    scene.items[1..].reverse();
    scene.items.extend(state.units.iter().map(item));
    count(state, scene);
    if let Some(past) = past {
        let before: &State = typed(past.before);
        scene.note_orders(past, |id| Some(before.units.get(usize::try_from(id).ok()?)?.seat), read_order);
        note_units(before, state, past, scene);
        note_spells(before, state, past, scene);
    }
}

/// Below the ids of all books.
const VOLDEMORT_ID: i32 = -2 - SIDE * SIDE;

fn offset(pos: Pos) -> i32 {
    pos.i * SIDE + pos.j
}

/// Arithmetic rather than a table: it is done for many cells at once.
#[inline]
fn kind_of(cell: Cell) -> u8 {
    let letter = cell as u8;
    let owner = letter.wrapping_sub(b'0');
    if owner < 4 {
        legend::OWNED + owner
    } else if letter == b'W' {
        legend::WALL
    } else {
        legend::FREE
    }
}

fn item(unit: &Unit) -> Item {
    let kind = match unit.kind {
        Kind::Ghost => legend::GHOST,
        Kind::Wizard if unit.is_converting() => legend::CONVERTING,
        Kind::Wizard => legend::WIZARD,
    };
    let mut item = Item { seat: unit.seat.index() as i32, ..Item::new(unit.id, kind, offset(unit.pos)) };
    if kind == legend::CONVERTING {
        item.badges = if (0..4).contains(&unit.next) { 1 << unit.next } else { 0 };
        item.facts[legend::CONVERTED_IN] = unit.rounds;
    } else if kind == legend::GHOST {
        item.facts[legend::CASTS_IN] = unit.rounds;
        if unit.next != Unit::NONE {
            item.facts[legend::ATTACKED_IN] = unit.next;
        }
    }
    item
}

fn count(state: &State, scene: &mut Scene) {
    let mut cells = [0; Seat::COUNT];
    // In bytes, of which the processor adds up many at once; none overflows.
    for block in scene.cells.chunks(255) {
        let mut counts = [0u8; Seat::COUNT];
        for (kind, count) in (legend::OWNED..).zip(&mut counts) {
            *count = block.iter().map(|&cell| u8::from(cell == kind)).sum();
        }
        cells.iter_mut().zip(counts).for_each(|(all, count)| *all += i64::from(count));
    }
    for seat in Seat::ALL {
        let panel = &mut scene.panel[seat];
        panel[0] = state.wizards[seat].len() as i64 + 1;
        panel[1] = state.magic_strength(seat).into();
        panel[2] = cells[seat];
        panel[3] = state.points[seat].into();
    }
}

fn read_order(order: &[i32], _: Option<Seat>) -> Option<(i32, i32)> {
    match *order {
        [_, MOVE, dir] => Some((legend::MOVES, Dir8::from_number(dir).map_or(Item::NONE, Dir8::heading))),
        [_, SPELL, ..] => Some((legend::CASTS, Item::NONE)),
        _ => None,
    }
}

/// What happened to each unit shows in how it was and how it is: nobody has
/// more than one order in a round.
fn note_units(before: &State, state: &State, past: &Past<'_>, scene: &mut Scene) {
    let ways = &mut scene.scratch;
    ways.clear();
    ways.resize(before.units.len(), Item::NONE);
    for order in past.done.iter() {
        if let &[id, MOVE, dir] = order
            && let Some(way) = ways.get_mut(id as u32 as usize)
        {
            *way = dir;
        }
    }
    for ((old, new), way) in before.units.iter().zip(&state.units).zip(ways) {
        let target = Dir8::from_number(*way).map(|dir| old.pos + dir.step());
        let event = |kind: usize| Event::new(kind).seat(new.seat).item(new.id);
        let is_caught = new.pos != old.pos && target != Some(new.pos);
        // Voldemort catches some on the way to a book and others after it.
        if let Some(target) = target
            && (is_caught || target == new.pos)
            && before.books.holds(target)
            && !before.is_deadly(target)
        {
            scene.events.push(event(legend::READS).seat(old.seat).cell(offset(target)));
        }
        if is_caught && new.kind == Kind::Ghost {
            scene.events.push(event(legend::GHOST_CAUGHT).cell(offset(old.pos)));
        } else if is_caught {
            scene.events.push(event(legend::CAUGHT).other(old.seat).cell(offset(old.pos)));
        } else if let Some(happened) = change(old, new, before.round) {
            scene.events.push(happened.item(new.id).cell(offset(new.pos)));
        }
    }
}

/// What another unit did to this one.
fn change(old: &Unit, new: &Unit, round: i32) -> Option<Event> {
    match new.kind {
        Kind::Ghost => {
            (new.next == round && old.next != round).then(|| Event::new(legend::GHOST_ATTACKED).seat(new.seat))
        }
        Kind::Wizard if new.seat != old.seat => Some(Event::new(legend::JOINS).seat(new.seat).other(old.seat)),
        Kind::Wizard => match (old.is_converting(), new.is_converting()) {
            (false, true) => Some(Event::new(legend::FALLS).seat(Seat::from_number(new.next)?).other(new.seat)),
            (true, false) => Some(Event::new(legend::SAVED).seat(new.seat)),
            _ => None,
        },
    }
}

fn note_spells(before: &State, state: &State, past: &Past<'_>, scene: &mut Scene) {
    for order in past.done.iter() {
        let &[id, SPELL, ..] = order else { continue };
        let Some(ghost) = usize::try_from(id).ok().and_then(|id| before.units.get(id)) else { continue };
        let owned = |state: &State| state.cells.cells().iter().filter(|&&cell| cell == Cell::of(ghost.seat)).count();
        let more = owned(state) as i32 - owned(before) as i32;
        let event = Event::new(legend::SPELL_CAST).seat(ghost.seat).item(id).cell(offset(ghost.pos));
        scene.events.push(event.value(more));
    }
}

#[cfg(test)]
mod tests {
    use std::any::Any;

    use ludus_games::potter::Engine;
    use ludus_games::random_matches::check_rounds;

    use super::*;
    use crate::Frames;

    /// The engine counts who reads and who is caught; scenes find out by looking.
    #[test]
    fn events_are_those_of_the_engine() {
        let (mut read, mut caught) = (0, 0);
        check_rounds(&Potter, |before: &State, orders, after| {
            let mut frames = Frames::new(&SCENERY);
            frames.advance(after.state(), Some(&Past { before, done: after.done(), asked: Some(orders) }));
            let count = |kind: usize| frames.now().events.iter().filter(|event| event.kind == kind).count();
            let engine: &Engine = (after as &dyn Any).downcast_ref().unwrap();
            assert_eq!(count(legend::READS) as i32, engine.events.books_read.iter().sum::<i32>());
            assert_eq!(count(legend::CAUGHT), engine.events.dead_wizards.iter().flatten().count());
            assert_eq!(count(legend::GHOST_CAUGHT), engine.events.dead_ghosts.iter().filter(|dead| **dead).count());
            read += count(legend::READS);
            caught += count(legend::CAUGHT);
        });
        assert!(read > 50 && caught > 50, "{read} {caught}");
    }
}
