//! What there is to see in Requiem: the board as it really is.

mod legend;

use ludus_games::game::typed;
use ludus_games::requiem::{Colour, FULL_FORCE, Model, Requiem, Robot, STAY, State, direction_on_board};
use ludus_games::{Past, Seat};

use crate::{Event, Item, Scene, Scenery};

pub static SCENERY: Scenery =
    Scenery { game: &Requiem, legend: &legend::LEGEND, fill: |state, past, scene| fill(typed(state), past, scene) };

fn fill(state: &State, past: Option<&Past<'_>>, scene: &mut Scene) {
    let dim = state.settings.dim;
    scene.begin(dim, dim);
    scene.cells.extend(state.colours.cells().iter().map(|&colour| kind_of(colour)));
    scene.items.extend(state.robots.iter().map(|robot| item(state, robot)));
    for seat in Seat::ALL {
        let panel = &mut scene.panel[seat];
        panel[0] = state.squares[seat].into();
        panel[1] = state.roster(seat, Model::Farmer).len() as i64;
        panel[2] = state.roster(seat, Model::Knight).len() as i64;
    }
    if let Some(past) = past {
        let before: &State = typed(past.before);
        note_deeds(before, state, past, scene);
        note_deaths(before, state, scene);
    }
}

/// Arithmetic rather than a table: it is done for many squares at once.
#[inline]
fn kind_of(colour: Colour) -> u8 {
    let letter = colour as u8;
    let owner = letter.wrapping_sub(b'1');
    if owner < 4 {
        legend::PAINTED + owner
    } else if letter == b'#' {
        legend::WALL
    } else {
        legend::BARE
    }
}

fn item(state: &State, robot: &Robot) -> Item {
    let kind = match robot.model {
        Model::Farmer => legend::FARMER,
        Model::Knight => {
            legend::KNIGHT
                + match state.force(robot) {
                    ..68 => 0,
                    68..202 => 1,
                    202..335 => 2,
                    335.. => 3,
                }
        }
    };
    let mut item = Item { seat: robot.seat.index() as i32, ..Item::new(robot.id, kind, robot.at as i32) };
    if robot.model == Model::Knight {
        item.life = Item::life_share(state.force(robot), FULL_FORCE.into());
        item.facts[0] = state.force(robot);
    }
    item
}

/// The orders of a round, which are listed whether they had an effect or not:
/// that shows in where the robots are.
fn note_deeds(before: &State, state: &State, past: &Past<'_>, scene: &mut Scene) {
    let mut last = 0;
    for order in past.done.iter() {
        let &[id, direction] = order else { continue };
        // Orders come mostly by increasing id.
        let Some(place) = find(&before.robots, last + 1, id).filter(|_| (1..=STAY).contains(&direction)) else {
            continue;
        };
        last = place;
        let robot = &before.robots[place];
        let later = find(&state.robots, place, id);
        let (mut verb, mut heading, mut done) = (legend::RESTS, Item::NONE, true);
        if direction != STAY {
            // Direction 1 is to the right, and they go clockwise.
            (verb, heading) = (legend::MOVES, (direction_on_board(robot.seat, direction) + 1) % 8);
            let target = robot.at.wrapping_add_signed(state.strides(robot.seat)[direction as usize]);
            done = later.is_some_and(|place| state.robots[place].at == target);
            if !done && let Some(rival) = attacked(before, state, robot, target) {
                done = true;
                let event = Event::new(legend::ATTACKS).seat(robot.seat).other(rival.seat);
                scene.events.push(event.item(rival.id).cell(target as i32));
            }
        }
        if let Some(place) = later {
            let item = &mut scene.items[place];
            (item.verb, item.direction, item.outcome) = (verb, heading, i32::from(done));
        }
    }
}

/// Where the robot with this id stands in the list, most likely at `guess`.
fn find(robots: &[Robot], guess: usize, id: i32) -> Option<usize> {
    match robots.get(guess) {
        Some(robot) if robot.id == id => Some(guess),
        _ => robots.binary_search_by_key(&id, |robot| robot.id).ok(),
    }
}

/// The rival that a knight has attacked by its order to go to `target`, where
/// it did not get.
fn attacked<'a>(before: &'a State, state: &'a State, robot: &Robot, target: u32) -> Option<&'a Robot> {
    if robot.model != Model::Knight {
        return None;
    }
    let on = |state: &'a State| {
        let place = *state.robot_on.cells().get(target as usize)?;
        state.robots.get(place as usize).filter(|rival| rival.seat != robot.seat)
    };
    on(before).or_else(|| on(state))
}

fn note_deaths(before: &State, state: &State, scene: &mut Scene) {
    let deeds = scene.events.len();
    // Ids are given in order, so that those born in the round are the last.
    let first = state.robots.partition_point(|robot| robot.id <= before.last_id);
    let born = &state.robots[first..];
    if born.is_empty() {
        return;
    }
    for dead in before.robots.iter().filter(|robot| state.robot(robot.id).is_none()) {
        let mut attacks = scene.events[..deeds].iter().rev();
        let killer = attacks.find(|attack| attack.item == dead.id).and_then(|attack| Seat::from_number(attack.seat));
        let event = match killer {
            Some(killer) => Event::new(legend::KILLS).seat(killer).other(dead.seat),
            None => Event::new(legend::DIES).seat(dead.seat),
        };
        scene.events.push(event.item(dead.id).cell(dead.at as i32));
    }
    for robot in born {
        scene.events.push(Event::new(legend::BORN).seat(robot.seat).item(robot.id).cell(robot.at as i32));
    }
    for seat in Seat::ALL {
        if state.team(seat).is_empty() && !before.team(seat).is_empty() {
            scene.events.push(Event::new(legend::DIES_OUT).seat(seat));
        }
    }
}
