//! A round of Requiem: all orders in one shuffled order, deaths and rebirths
//! at once, then rest.

use std::sync::Arc;

use super::board::{Colour, STAY, STEPS, direction_on_board, on_board};
use super::generate;
use super::random::Generator;
use super::settings::Settings;
use super::state::{FULL_FORCE, Model, Robot, State};
use super::view::View;
use crate::game::Stuck;
use crate::orders::TooManyOrders;
use crate::tokens::Result;
use crate::{Digest, Grid, Orders, PerSeat, Pos, Seat, Status};

const LEAST_DAMAGE: i16 = 50;
const MOST_DAMAGE: i16 = 190;
const RECOVERY: i16 = 10;

#[derive(Clone)]
pub struct Engine {
    state: State,
    generator: Generator,
    /// Place in `state.robots` of each robot by id, or [`State::NOBODY`].
    places: Vec<u32>,
    /// What each robot did in this round, by place.
    deeds: Vec<Deed>,
    /// The last round in which a robot died on each square.
    death_round: Grid<i32>,
    done: Orders,
    /// The orders of a seat, kept for their room.
    sorted: Vec<(i32, i32)>,
    queue: Vec<Order>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Deed {
    Rested,
    Acted,
    Died,
}

/// An order waiting for its turn. One that can have no effect still takes part
/// in the shuffle, with nobody to follow it.
#[derive(Clone, Copy)]
struct Order {
    place: u32,
    /// On the board, 1 to 8.
    direction: u32,
}

impl Engine {
    pub fn new(settings: &Arc<Settings>, seed: i32) -> Result<Engine> {
        let mut generator = Generator::new(seed);
        let state = generate::state(settings, &mut generator)?;
        let mut places = vec![State::NOBODY];
        places.extend(0..state.robots.len() as u32);
        Ok(Engine {
            death_round: Grid::new(settings.dim, settings.dim, -1),
            state,
            generator,
            places,
            deeds: Vec::new(),
            done: Orders::new(),
            sorted: Vec::new(),
            queue: Vec::new(),
        })
    }

    pub fn board(&self) -> &State {
        &self.state
    }

    pub fn generator(&self) -> &Generator {
        &self.generator
    }

    #[inline]
    fn place_of(&self, id: i32) -> Option<u32> {
        let place = *self.places.get(usize::try_from(id).ok()?)?;
        (place != State::NOBODY).then_some(place)
    }

    /// Sorts the orders of each seat, notes them all down and queues those to move.
    ///
    /// Robots born in a round obey no order of it, so looking up the ids now,
    /// before anything happens, finds all that can ever act.
    fn collect(&mut self, orders: &PerSeat<Orders>) {
        self.done.clear();
        self.queue.clear();
        let mut sorted = std::mem::take(&mut self.sorted);
        for (seat, orders) in Seat::ALL.into_iter().zip(orders) {
            sorted.clear();
            sorted.extend(orders.iter().filter_map(|order| match *order {
                [id, direction] => Some((id, direction)),
                _ => None,
            }));
            if !sorted.is_sorted() {
                sorted.sort_unstable();
            }
            for &(id, direction) in &sorted {
                self.done.push(&[id, direction]);
                if direction != STAY {
                    let order = self.order(seat, id, direction);
                    self.queue.push(order);
                }
            }
        }
        self.sorted = sorted;
    }

    fn order(&self, seat: Seat, id: i32, direction: i32) -> Order {
        let place = self.place_of(id).filter(|&place| self.state.robots[place as usize].seat == seat);
        match place {
            Some(place) if (1..=8).contains(&direction) => {
                Order { place, direction: direction_on_board(seat, direction) as u32 }
            }
            _ => Order { place: State::NOBODY, direction: 0 },
        }
    }

    fn run(&mut self, Order { place, direction }: Order) -> std::result::Result<(), Stuck> {
        match self.deeds.get_mut(place as usize) {
            Some(deed @ Deed::Rested) => *deed = Deed::Acted,
            _ => return Ok(()),
        }
        let robot = self.state.robots[place as usize];
        let step = STEPS[direction as usize];
        let target = robot.pos + step;
        if matches!(self.state.colours.get(target), None | Some(Colour::Wall))
            || self.death_round[target] == self.state.round
        {
            return Ok(());
        }
        let other = self.state.robot_on[target];
        if other == State::NOBODY {
            self.state.walk(place, step);
        } else if robot.model == Model::Knight && self.state.robots[other as usize].seat != robot.seat {
            self.attack(robot.seat, other)?;
        }
        Ok(())
    }

    /// A knight of `seat` hits a rival, which may die of it.
    fn attack(&mut self, seat: Seat, other: u32) -> std::result::Result<(), Stuck> {
        let Robot { model, pos, .. } = self.state.robots[other as usize];
        if model == Model::Knight {
            let damage = LEAST_DAMAGE + self.generator.below((MOST_DAMAGE - LEAST_DAMAGE + 1) as u32) as i16;
            self.state.forces[pos] -= damage;
            if self.state.forces[pos] > 0 {
                return Ok(());
            }
        }
        self.death_round[pos] = self.state.round;
        self.deeds[other as usize] = Deed::Died;
        self.state.lift(other);
        let square = rebirth_square(&self.state, seat).ok_or(Stuck("no square is left for a robot to be reborn on"))?;
        let place = self.state.create(seat, model, square);
        self.places.push(place);
        self.deeds.push(Deed::Acted);
        Ok(())
    }

    /// Knights that did nothing recover.
    fn rest(&mut self) {
        for (robot, &deed) in self.state.robots.iter().zip(&self.deeds) {
            if robot.model == Model::Knight && deed == Deed::Rested {
                let force = &mut self.state.forces[robot.pos];
                *force = FULL_FORCE.min(*force + RECOVERY);
            }
        }
    }

    /// Takes the dead out of the list.
    fn bury(&mut self) {
        let Some(first) = self.deeds.iter().position(|&deed| deed == Deed::Died) else { return };
        for (robot, &deed) in self.state.robots.iter().zip(&self.deeds).skip(first) {
            if deed == Deed::Died {
                self.places[robot.id as usize] = State::NOBODY;
            }
        }
        self.state.bury(|place| self.deeds[place] != Deed::Died);
        for (place, robot) in self.state.robots.iter().enumerate().skip(first) {
            self.places[robot.id as usize] = place as u32;
        }
    }
}

impl crate::Engine for Engine {
    fn state(&self) -> &dyn crate::State {
        &self.state
    }

    /// What the player's side of the reference sends: the orders it took, in
    /// the order given, then the order to stay for every other farmer, then
    /// for every other knight. Calls are not limited in number.
    fn accept(&self, seat: Seat, asked: &Orders, accepted: &mut Orders) -> std::result::Result<(), TooManyOrders> {
        accepted.clear();
        let view = View::new(&self.state, seat);
        let mut has_order = vec![false; self.state.robots.len()];
        for order in asked.iter() {
            let &[id, direction] = order else { continue };
            let Some(place) = self.place_of(id).map(|place| place as usize) else { continue };
            if view.refusal(&self.state.robots[place], direction, has_order[place]).is_none() {
                has_order[place] = true;
                accepted.push(order);
            }
        }
        for model in Model::ALL {
            for &place in self.state.roster(seat, model) {
                if !has_order[place as usize] {
                    accepted.push(&[self.state.robots[place as usize].id, STAY]);
                }
            }
        }
        Ok(())
    }

    /// Any list may come here, not only what [`Engine::accept`] makes: recorded
    /// matches hold lists made by hand.
    fn step(&mut self, orders: &PerSeat<Orders>) -> std::result::Result<(), Stuck> {
        self.collect(orders);
        let mut queue = std::mem::take(&mut self.queue);
        self.generator.shuffle(&mut queue);
        self.deeds.clear();
        self.deeds.resize(self.state.robots.len(), Deed::Rested);
        let ran = queue.iter().try_for_each(|&order| self.run(order));
        self.queue = queue;
        ran?;
        self.rest();
        self.bury();
        self.state.round += 1;
        Ok(())
    }

    fn done(&self) -> &Orders {
        &self.done
    }

    fn set_status(&mut self, status: PerSeat<Status>) {
        self.state.status = status;
    }

    fn digest(&self) -> u64 {
        let mut digest = Digest::new();
        crate::State::digest(&self.state, &mut digest);
        digest.int(self.generator.state());
        digest.finish()
    }

    fn snapshot(&self) -> Box<dyn crate::Engine> {
        Box::new(self.clone())
    }
}

/// Where a robot is reborn for a team: the centre of its quadrant if nobody is
/// there and no rival knight beside it, or else the first such square of the
/// rings around it, or else the first free one of the rings. Nobody looks at
/// walls or at who died where.
fn rebirth_square(state: &State, seat: Seat) -> Option<Pos> {
    let dim = state.settings.dim;
    let centre = dim / 5;
    let is_free = |pos| state.robot_on[pos] == State::NOBODY;
    let middle = on_board(seat, dim, Pos::new(centre, centre));
    if is_free(middle) && !is_threatened(state, seat, middle) {
        return Some(middle);
    }
    let mut threatened = None;
    for radius in 1..centre {
        let mut pos = Pos::new(centre + radius, centre + radius);
        for step in [(-1, 0), (0, -1), (1, 0), (0, 1)] {
            for _ in 0..2 * radius {
                let square = on_board(seat, dim, pos);
                if is_free(square) {
                    if !is_threatened(state, seat, square) {
                        return Some(square);
                    }
                    threatened = threatened.or(Some(square));
                }
                pos = pos + step;
            }
        }
    }
    threatened
}

/// Whether a knight of another team stands beside the square.
fn is_threatened(state: &State, seat: Seat, pos: Pos) -> bool {
    STEPS[1..=8].iter().any(|&step| {
        let beside = pos + step;
        state.robot_on.contains(beside)
            && state.robot_at(beside).is_some_and(|robot| robot.model == Model::Knight && robot.seat != seat)
    })
}
