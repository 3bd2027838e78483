//! A round of Requiem: all orders in one shuffled order, deaths and rebirths
//! at once, then rest.

use std::sync::Arc;

use super::board::{Colour, STAY, STEPS, on_board};
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
    /// Whether somebody has died in this round.
    deaths: bool,
    /// The last round in which a robot died on each square.
    death_round: Grid<i32>,
    done: Orders,
    /// Lists that live for a round, kept for their room: the orders of a seat
    /// by place, or sorted, and those of all seats that are to be run.
    directions: Vec<u8>,
    sorted: Vec<[i32; 2]>,
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
    /// The square it is about. Robots move by their own orders alone, so the
    /// one to follow it is still where it was when the round began.
    target: u32,
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
            deaths: false,
            done: Orders::new(),
            directions: Vec::new(),
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

    /// Changes the board by hand, robots only by adding some.
    #[cfg(test)]
    pub fn edit(&mut self, change: impl FnOnce(&mut State)) {
        change(&mut self.state);
        self.state.muster();
        self.state.sum_up();
        self.places.extend(self.places.len() as u32 - 1..self.state.robots.len() as u32);
    }

    /// The robot with this id, and its place.
    #[inline]
    fn robot(&self, id: i32) -> Option<(usize, &Robot)> {
        // Neither a negative id nor the place of nobody is in its table.
        let place = *self.places.get(id as u32 as usize)? as usize;
        Some((place, self.state.robots.get(place)?))
    }

    /// Sorts the orders of each seat, notes them all down and queues those to move.
    ///
    /// Robots born in a round obey no order of it, so looking up the ids now,
    /// before anything happens, finds all that can ever act.
    fn collect(&mut self, orders: &PerSeat<Orders>) {
        self.done.clear();
        self.queue.clear();
        self.directions.clear();
        self.directions.resize(self.state.robots.len(), 0);
        for (seat, orders) in Seat::ALL.into_iter().zip(orders) {
            if self.spread(seat, orders) {
                self.collect_spread(seat);
            } else {
                self.directions.fill(0);
                self.collect_sorted(seat, orders);
            }
        }
    }

    /// Writes each order at the place of its robot, if there is just one for
    /// every robot of the team: the list of any player. That spares the sorting.
    fn spread(&mut self, seat: Seat, orders: &Orders) -> bool {
        let Some(orders) = orders.of_length() else { return false };
        orders.len() == self.state.team(seat).len()
            && orders.iter().all(|&[id, direction]| {
                let Some((place, robot)) = self.robot(id) else { return false };
                let fits = robot.seat == seat && (1..=STAY).contains(&direction);
                fits && std::mem::replace(&mut self.directions[place], direction as u8) == 0
            })
    }

    fn collect_spread(&mut self, seat: Seat) {
        let Engine { state, directions, queue, done, .. } = self;
        let strides = state.strides(seat);
        done.append(state.team(seat).iter().map(|&place| {
            let robot = &state.robots[place as usize];
            let direction = directions[place as usize];
            if i32::from(direction) != STAY {
                queue.push(Order { place, target: robot.at.wrapping_add_signed(strides[direction as usize]) });
            }
            [robot.id, i32::from(direction)]
        }));
    }

    fn collect_sorted(&mut self, seat: Seat, orders: &Orders) {
        self.sorted.clear();
        self.sorted.extend_from_slice(&orders.filter_length::<2>());
        self.sorted.sort_unstable();
        for &[id, direction] in &self.sorted {
            self.done.push(&[id, direction]);
            if direction != STAY {
                self.queue.push(self.order(seat, id, direction));
            }
        }
    }

    fn order(&self, seat: Seat, id: i32, direction: i32) -> Order {
        match self.robot(id) {
            Some((place, robot)) if robot.seat == seat && (1..=8).contains(&direction) => {
                let target = robot.at.wrapping_add_signed(self.state.strides(seat)[direction as usize]);
                Order { place: place as u32, target }
            }
            _ => Order { place: State::NOBODY, target: 0 },
        }
    }

    fn run(&mut self, Order { place, target }: Order) -> std::result::Result<(), Stuck> {
        match self.deeds.get_mut(place as usize) {
            Some(deed @ Deed::Rested) => *deed = Deed::Acted,
            _ => return Ok(()),
        }
        let target = target as usize;
        if self.state.colours.cells()[target] == Colour::Wall
            || (self.deaths && self.death_round.cells()[target] == self.state.round)
        {
            return Ok(());
        }
        let other = self.state.robot_on.cells()[target];
        if other == State::NOBODY {
            self.state.walk(place, target);
            return Ok(());
        }
        let Robot { seat, model, .. } = self.state.robots[place as usize];
        if model == Model::Knight && self.state.robots[other as usize].seat != seat {
            self.attack(seat, other)?;
        }
        Ok(())
    }

    /// A knight of `seat` hits a rival, which may die of it.
    fn attack(&mut self, seat: Seat, other: u32) -> std::result::Result<(), Stuck> {
        let Robot { model, at, .. } = self.state.robots[other as usize];
        if model == Model::Knight {
            let damage = LEAST_DAMAGE + self.generator.below((MOST_DAMAGE - LEAST_DAMAGE + 1) as u32) as i16;
            let force = &mut self.state.forces.cells_mut()[at as usize];
            *force -= damage;
            if *force > 0 {
                return Ok(());
            }
        }
        self.deaths = true;
        self.death_round.cells_mut()[at as usize] = self.state.round;
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
                let force = &mut self.state.forces.cells_mut()[robot.at as usize];
                *force = FULL_FORCE.min(*force + RECOVERY);
            }
        }
    }

    /// Takes the dead out of the list.
    fn bury(&mut self) {
        for (robot, &deed) in self.state.robots.iter().zip(&self.deeds) {
            if deed == Deed::Died {
                self.places[robot.id as usize] = State::NOBODY;
            }
        }
        self.state.bury(|place| self.deeds[place] != Deed::Died);
        for (place, robot) in self.state.robots.iter().enumerate() {
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
        // Most boards have few robots, for which asking for memory would cost
        // more than the rest.
        let (mut few, mut many) = ([false; 512], Vec::new());
        let has_order = match few.get_mut(..self.state.robots.len()) {
            Some(few) => few,
            None => {
                many.resize(self.state.robots.len(), false);
                &mut many
            }
        };
        for &[id, direction] in asked.filter_length().iter() {
            let Some((place, robot)) = self.robot(id) else { continue };
            if view.refusal(robot, direction, has_order[place]).is_none() {
                has_order[place] = true;
                accepted.push(&[id, direction]);
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
        if std::mem::take(&mut self.deaths) {
            self.bury();
        }
        self.state.sum_up();
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
