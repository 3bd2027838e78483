//! What there is to see in Dominator: the board as it really is.

use super::engine::NONE;
use super::legend;
use super::state::{Kind, State, Unit};
use crate::game::typed;
use crate::scene::{Event, Item, Past, Scene};
use crate::{Dir8, Seat};

pub fn fill(state: &State, past: Option<&Past<'_>>, scene: &mut Scene) {
    let side = state.settings.side;
    scene.begin(side, side);
    scene.cells.extend(state.cells.cells().iter().map(|&cell| kind_of(cell.into())));
    let ground = scene.cells.iter().zip(state.haunted.cells()).zip(0..);
    let haunted = ground.filter(|((kind, witches), _)| **witches > 0 && **kind != legend::WALL);
    scene.overlays.extend(haunted.map(|(_, cell)| (legend::HAUNTED, cell)));
    let units = (0..).zip(&state.units).filter(|(id, _)| state.is_placed(*id));
    scene.items.extend(units.map(|(id, unit)| item(state, id, unit)));
    for seat in Seat::ALL {
        let panel = &mut scene.panel[seat];
        panel[0] = state.land[seat].into();
        panel[1..4].iter_mut().zip(&state.rosters[seat]).for_each(|(count, ids)| *count = ids.len() as i64);
    }
    if let Some(past) = past {
        let before: &State = typed(past.before);
        scene.note_orders(past, |id| Some(unit(before, id)?.team), read_order);
        note_attacks(before, state, past, scene);
        note_captures(before, state, scene);
    }
}

/// Arithmetic rather than a table: it is done for many cells at once.
#[inline]
fn kind_of(letter: u8) -> u8 {
    let owner = letter.wrapping_sub(b'0');
    if owner < 4 {
        legend::OWNED + owner
    } else if letter == b'X' {
        legend::WALL
    } else {
        legend::UNOWNED
    }
}

fn unit(state: &State, id: i32) -> Option<&Unit> {
    state.units.get(usize::try_from(id).ok()?)
}

fn item(state: &State, id: i32, unit: &Unit) -> Item {
    let mut item = Item {
        seat: unit.team.index() as i32,
        badges: if unit.active { legend::ACTIVE } else { 0 },
        ..Item::new(id, unit.kind as i32, state.cells.offset(unit.pos) as i32)
    };
    if unit.kind != Kind::Witch {
        item.life = Item::life_share(unit.health, state.settings.health(unit.kind));
        item.facts[0] = unit.health;
    }
    item
}

/// Players give directions as they see the board; what was done is in those of
/// the real one.
fn read_order(order: &[i32], seat: Option<Seat>) -> Option<(i32, i32)> {
    let &[_, dir] = order else { return None };
    if dir == NONE {
        return Some((legend::STAYS, Item::NONE));
    }
    let turn = seat.map_or(0, |seat| 2 * seat.index() as i32);
    let dir = Dir8::from_number(dir).and_then(|_| Dir8::from_number((dir + turn) % 8));
    Some((legend::MOVES, dir.map_or(Item::NONE, Dir8::heading)))
}

/// A knight whose order was done without taking it to the cell it named has
/// attacked whoever is there.
fn note_attacks(before: &State, state: &State, past: &Past<'_>, scene: &mut Scene) {
    for order in past.done.iter() {
        let &[id, dir] = order else { continue };
        let (Some(old), Some(new), Some(dir)) = (unit(before, id), unit(state, id), Dir8::from_number(dir)) else {
            continue;
        };
        let target = old.pos + dir.step();
        if old.kind != Kind::Knight || new.pos == target || !before.cells.contains(target) {
            continue;
        }
        // Who is attacked and lives is there after the round, who dies before it.
        let there = [before.unit_on[target], state.unit_on[target]];
        let rival = |id: &i32| unit(before, *id).is_some_and(|unit| unit.team != old.team && unit.kind != Kind::Witch);
        if let Some(rival) = there.into_iter().find(rival) {
            let cell = before.cells.offset(target) as i32;
            let event = Event::new(legend::ATTACKS).seat(old.team).item(rival).cell(cell);
            scene.events.push(event.other(before.units[rival as usize].team));
        }
    }
}

fn note_captures(before: &State, state: &State, scene: &mut Scene) {
    let attacks = scene.events.len();
    for (id, (old, new)) in (0..).zip(before.units.iter().zip(&state.units)) {
        if old.team == new.team {
            continue;
        }
        let team = new.team.index() as i32;
        let beaten = scene.events[..attacks].iter().any(|attack| attack.item == id && attack.seat == team);
        let kind = if beaten { legend::CAPTURES } else { legend::BEWITCHED };
        let cell = before.cells.offset(old.pos) as i32;
        scene.events.push(Event::new(kind).seat(new.team).other(old.team).item(id).cell(cell));
    }
}
