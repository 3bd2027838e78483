//! What there is to see in The Purge.

mod legend;

use ludus_games::game::typed;
use ludus_games::purge::{BUILD, Barricade, Cell, Citizen, Kind, MOVE, Purge, State};
use ludus_games::{Dir4, Past, Pos, Seat};

use crate::{Event, Item, Scene, Scenery};

pub static SCENERY: Scenery =
    Scenery { game: &Purge, legend: &legend::LEGEND, fill: |state, past, scene| fill(typed(state), past, scene) };

fn fill(state: &State, past: Option<&Past<'_>>, scene: &mut Scene) {
    scene.begin(state.settings.rows, state.settings.cols);
    paint(state, scene);
    let cells = state.cells.cells().len() as i32;
    scene.items.extend(state.barricades.iter().rev().map(|barricade| frame(state, barricade)));
    let lying = (0..cells).zip(state.cells.cells()).rev().filter_map(|(cell, kind)| Some((cell, lies(*kind)?)));
    scene.items.extend(lying.map(|(cell, kind)| Item::thing(0, legend::LYING + kind, cell, cells)));
    scene.items.extend(state.citizens.iter().map(|citizen| item(state, citizen)));
    count(state, scene);
    scene.mood = if state.is_day() { legend::DAY } else { legend::NIGHT };
    if let Some(past) = past {
        let before: &State = typed(past.before);
        scene.note_orders(past, |id| Some(before.citizen(id)?.seat), read_order);
        note_deeds(before, state, past, scene);
        note_losses(before, state, scene);
        note_returns(before, state, scene);
    }
}

/// Buildings join with those beside them.
fn paint(state: &State, scene: &mut Scene) {
    let is_building = |i: i32, j: i32| state.cells.get(Pos::new(i, j)) == Some(Cell::Building);
    for i in 0..scene.rows {
        for (&cell, j) in state.cells.row(i).iter().zip(0..) {
            scene.cells.push(match cell {
                Cell::Building => {
                    let beside = [(i - 1, j), (i, j + 1), (i + 1, j), (i, j - 1)];
                    let joined = (0..).zip(beside).map(|(bit, (i, j))| u8::from(is_building(i, j)) << bit);
                    legend::BUILDING + joined.sum::<u8>()
                }
                _ => legend::STREET,
            });
        }
    }
}

/// What lies on a cell, by the order of the kinds of the legend.
fn lies(cell: Cell) -> Option<i32> {
    match cell {
        Cell::Money => Some(0),
        Cell::Food => Some(1),
        Cell::Gun => Some(2),
        Cell::Bazooka => Some(3),
        _ => None,
    }
}

/// The four strengths are fixed, whatever the settings say.
fn frame(state: &State, barricade: &Barricade) -> Item {
    let strength = match barricade.resistance {
        ..=80 => 0,
        81..=160 => 1,
        161..=240 => 2,
        241.. => 3,
    };
    let (cell, cells) = (state.cells.offset(barricade.pos) as i32, state.cells.cells().len() as i32);
    let mut item = Item {
        seat: barricade.owner.index() as i32,
        life: Item::life_share(barricade.resistance, state.settings.barricade_max),
        ..Item::thing(1, legend::BARRICADE + strength, cell, cells)
    };
    item.facts[legend::RESISTANCE] = barricade.resistance;
    item
}

fn item(state: &State, citizen: &Citizen) -> Item {
    let mut item = Item {
        seat: citizen.seat.index() as i32,
        life: Item::life_share(citizen.life, state.settings.life(citizen.kind)),
        badges: citizen.weapon.map_or(0, |weapon| 1 << weapon as i32),
        ..Item::new(citizen.id, citizen.kind as i32, state.cells.offset(citizen.pos) as i32)
    };
    item.facts[legend::LIFE] = citizen.life;
    item
}

fn count(state: &State, scene: &mut Scene) {
    for seat in Seat::ALL {
        scene.panel[seat][0] = state.scores[seat].into();
    }
    for citizen in &state.citizens {
        match citizen.kind {
            Kind::Builder => scene.panel[citizen.seat][1] += 1,
            Kind::Warrior => scene.panel[citizen.seat][2] += 1,
        }
    }
    state.barricades.iter().for_each(|barricade| scene.panel[barricade.owner][3] += 1);
}

fn read_order(order: &[i32], _: Option<Seat>) -> Option<(i32, i32)> {
    let &[_, kind, dir] = order else { return None };
    let heading = Dir4::from_number(dir).map_or(Item::NONE, Dir4::heading);
    match kind {
        MOVE => Some((legend::MOVES, heading)),
        BUILD => Some((legend::BUILDS, heading)),
        _ => None,
    }
}

/// What citizens did. A move of one that lives on and stays where it was is a
/// blow to whoever, or whatever, was there.
fn note_deeds(before: &State, state: &State, past: &Past<'_>, scene: &mut Scene) {
    for order in past.done.iter() {
        let &[id, kind, dir] = order else { continue };
        let (Some(old), Some(dir)) = (before.citizen(id), Dir4::from_number(dir)) else { continue };
        let target = old.pos + dir.step();
        let Some(ground) = before.cells.get(target) else { continue };
        let event = |kind: usize| Event::new(kind).seat(old.seat).item(id).cell(state.cells.offset(target) as i32);
        if kind == BUILD {
            scene.events.push(event(legend::BUILT));
        } else if state.citizen(id).is_some_and(|new| new.pos == target) {
            scene.events.extend(lies(ground).map(|lying| event(legend::TAKES + lying as usize)));
        } else if let Some(barricade) = before.barricade_at(target).filter(|barricade| barricade.owner != old.seat) {
            scene.events.push(event(legend::STRIKES).other(barricade.owner));
        } else if let Some(rival) = standing(before, state, target).filter(|rival| rival.seat != old.seat) {
            scene.events.push(event(legend::ATTACKS).other(rival.seat).item(rival.id));
        }
    }
}

/// Who was on a cell when it was attacked: most likely who was there all along.
fn standing<'a>(before: &'a State, state: &'a State, pos: Pos) -> Option<&'a Citizen> {
    before.citizen_at(pos).or_else(|| state.citizen_at(pos))
}

/// Citizens that died and barricades that fell. Who killed is the seat of the
/// last attack by, or against, the dead.
fn note_losses(before: &State, state: &State, scene: &mut Scene) {
    let deeds = scene.events.len();
    for dead in before.citizens.iter().filter(|citizen| state.citizen(citizen.id).is_none()) {
        let cell = state.cells.offset(dead.pos) as i32;
        let seat = dead.seat.index() as i32;
        let attacks = scene.events[..deeds].iter().rev().filter(|event| event.kind == legend::ATTACKS);
        let killer = attacks
            .filter_map(|event| {
                let attacked = event.item == dead.id;
                let attacking = event.seat == seat && beside(dead.pos, state.cells.pos(event.cell as usize));
                if attacked { Some(event.seat) } else { attacking.then_some(event.other) }
            })
            .find_map(Seat::from_number);
        scene.events.push(match killer {
            Some(killer) => Event::new(legend::KILLS).seat(killer).other(dead.seat),
            None => Event::new(legend::DIES).seat(dead.seat),
        });
        if let Some(event) = scene.events.last_mut() {
            *event = event.item(dead.id).cell(cell);
        }
    }
    let is_dawn = state.is_day() && !before.is_day();
    if !is_dawn {
        for barricade in before.barricades.iter().filter(|old| state.barricade_at(old.pos).is_none()) {
            let cell = state.cells.offset(barricade.pos) as i32;
            scene.events.push(Event::new(legend::FALLS).seat(barricade.owner).cell(cell));
        }
    }
}

fn beside(a: Pos, b: Pos) -> bool {
    a.distance(b) == 1
}

fn note_returns(before: &State, state: &State, scene: &mut Scene) {
    for newborn in state.citizens.iter().filter(|citizen| before.citizen(citizen.id).is_none()) {
        let cell = state.cells.offset(newborn.pos) as i32;
        scene.events.push(Event::new(legend::COMES_BACK).seat(newborn.seat).item(newborn.id).cell(cell));
    }
    match (before.is_day(), state.is_day()) {
        (false, true) => scene.events.push(Event::new(legend::DAWN)),
        (true, false) => scene.events.push(Event::new(legend::DUSK)),
        _ => {}
    }
}
