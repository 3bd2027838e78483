//! What there is to see in Dominator: the board as it really is.

mod legend;

use ludus_games::dominator::{Dominator, Kind, NONE, State, Unit};
use ludus_games::game::typed;
use ludus_games::{Dir8, Past, PerSeat, Seat};

use crate::{Event, Item, Scene, Scenery};

/// As many units lost in one round decide a match.
const MANY: usize = 4;

pub static SCENERY: Scenery =
    Scenery { game: &Dominator, legend: &legend::LEGEND, fill: |state, past, scene| fill(typed(state), past, scene) };

fn fill(state: &State, past: Option<&Past<'_>>, scene: &mut Scene) {
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
        // Records leave out orders to stay, which cannot fail.
        scene.items.iter_mut().filter(|item| item.verb == legend::STAYS).for_each(|item| item.outcome = 1);
        note_attacks(before, state, past, scene);
        note_captures(before, state, scene);
        note_witches(before, state, scene);
        note_losses(before, state, scene);
        note_leaders(before, state, scene);
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

fn note_witches(before: &State, state: &State, scene: &mut Scene) {
    for (id, (old, new)) in (0..).zip(before.units.iter().zip(&state.units)) {
        if old.kind == Kind::Witch && old.active != new.active {
            let kind = if new.active { legend::AWAKES } else { legend::IS_BOUND };
            let cell = state.cells.offset(new.pos) as i32;
            scene.events.push(Event::new(kind).seat(new.team).item(id).cell(cell));
        }
    }
}

fn note_losses(before: &State, state: &State, scene: &mut Scene) {
    let left = |kind: Kind, seat: Seat| state.rosters[seat][kind as usize].is_empty();
    let had = |kind: Kind, seat: Seat| !before.rosters[seat][kind as usize].is_empty();
    for seat in Seat::ALL {
        let lost =
            before.units.iter().zip(&state.units).filter(|(old, new)| old.team == seat && new.team != seat).count();
        if lost >= MANY {
            scene.events.push(Event::new(legend::LOSES_MANY).seat(seat).value(lost as i32));
        }
        for (kind, event) in [(Kind::Knight, legend::LOSES_KNIGHTS), (Kind::Farmer, legend::LOSES_FARMERS)] {
            if had(kind, seat) && left(kind, seat) {
                scene.events.push(Event::new(event).seat(seat));
            }
        }
    }
}

/// The land decides who will win, the score who does.
fn note_leaders(before: &State, state: &State, scene: &mut Scene) {
    for (kind, old, new) in [(legend::MOST_LAND, before.land, state.land), (legend::LEADS, before.scores, state.scores)]
    {
        if let Some(seat) = leader(&new)
            && leader(&old) != Some(seat)
        {
            scene.events.push(Event::new(kind).seat(seat).value(new[seat]));
        }
    }
}

/// Who has more than everybody else.
fn leader(values: &PerSeat<i32>) -> Option<Seat> {
    let most = values.iter().max()?;
    let mut best = Seat::ALL.into_iter().filter(|&seat| values[seat] == *most);
    best.next().filter(|_| best.next().is_none())
}

#[cfg(test)]
mod tests {
    use ludus_games::random_matches::check_rounds;

    use super::*;
    use crate::Frames;

    /// Who follows the log knows after every round who leads, and who has nobody left.
    #[test]
    fn the_log_tells_how_the_match_stands() {
        let mut told = [None; 2];
        let mut counts = [0; 10];
        check_rounds(&Dominator, |before: &State, orders, after| {
            let state: &State = typed(after.state());
            if before.round == 0 {
                told = [leader(&before.land), leader(&before.scores)];
            }
            let mut frames = Frames::new(&SCENERY);
            frames.advance(state, Some(&Past { before, done: after.done(), asked: Some(orders) }));
            for event in &frames.now().events {
                counts[event.kind] += 1;
                let Some(seat) = Seat::ALL.into_iter().find(|seat| seat.index() as i32 == event.seat) else { continue };
                let roster = |kind: Kind| &state.rosters[seat][kind as usize];
                match event.kind {
                    legend::MOST_LAND => told[0] = Some(seat),
                    legend::LEADS => told[1] = Some(seat),
                    legend::LOSES_KNIGHTS => assert!(roster(Kind::Knight).is_empty()),
                    legend::LOSES_FARMERS => assert!(roster(Kind::Farmer).is_empty()),
                    legend::AWAKES => assert!(state.units[event.item as usize].active),
                    legend::IS_BOUND => assert!(!state.units[event.item as usize].active),
                    _ => {}
                }
            }
            for (told, values) in told.iter().zip([&state.land, &state.scores]) {
                assert!(leader(values).is_none_or(|seat| *told == Some(seat)), "round {}", before.round);
            }
            let stays = frames.now().items.iter().filter(|item| item.verb == legend::STAYS);
            stays.for_each(|item| assert_eq!(item.outcome, 1));
        });
        for kind in [legend::LOSES_MANY, legend::MOST_LAND, legend::LEADS, legend::AWAKES, legend::IS_BOUND] {
            assert!(counts[kind] > 0, "{kind} never happens");
        }
    }

    #[test]
    fn nobody_leads_alone_in_a_tie() {
        assert_eq!(leader(&[3, 3, 1, 0]), None);
        assert_eq!(leader(&[0; 4]), None);
        assert_eq!(leader(&[-2, -1, -4, -3]), Some(Seat::ALL[1]));
    }
}
