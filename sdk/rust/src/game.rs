//! What every game has: settings, a seat, a generator, the buffer and the orders.

use std::cell::RefCell;
use std::ffi::CStr;

use crate::buffer::{Buffer, Reader};
use crate::host::{self, Ending};
use crate::log;
use crate::orders::{Intake, Orders};
use crate::random::{Algorithm, Generator};
use crate::seat::Seat;

/// What a game brings.
pub trait Rules: Sized {
    /// Its name in commands and folders.
    const ID: &'static CStr;
    /// Bytes in the name of a player, at most.
    const LONGEST_NAME: usize = 12;
    /// What its units are called in messages.
    const UNIT: &'static str;
    /// Whether an order for a unit that already has one is worth a message.
    const NOTES_REPETITIONS: bool = true;
    /// What its config says.
    type Settings;
    /// How its generator draws.
    type Random: Algorithm;

    /// The settings, as the host wrote them.
    fn read_settings(reader: &mut Reader<'_>) -> Self::Settings;

    /// The seat that a player believes to be in: in some games everybody sees
    /// the board turned.
    fn seat_seen(seat: Seat) -> Seat {
        seat
    }

    /// The generator with which a player begins a round, in a game where it
    /// does not carry on from the round before.
    fn generator_of_round(_room: &Buffer) -> Option<Generator<Self::Random>> {
        None
    }
}

/// A match as a player sees it. Each game adds its own questions and orders.
///
/// Orders take `&self`, so that they can be given while going through units.
#[derive(Debug)]
pub struct Game<R: Rules> {
    /// What the config of the match says.
    pub settings: R::Settings,
    pub(crate) buffer: Buffer,
    seat: Seat,
    generator: Generator<R::Random>,
    orders: RefCell<Orders>,
}

impl<R: Rules> Game<R> {
    /// The seat of this player.
    #[inline]
    pub fn me(&self) -> Seat {
        R::seat_seen(self.seat)
    }

    /// An integer from `low` to `high`, from the player's own generator.
    /// `low`, without a draw, if there is none or there are over a million.
    #[inline]
    pub fn random(&self, low: i32, high: i32) -> i32 {
        self.generator.random(low, high)
    }

    /// The numbers from 0 to `len - 1` in random order, from the player's own
    /// generator.
    pub fn random_permutation(&self, len: usize) -> Vec<usize> {
        self.generator.random_permutation(len)
    }

    /// The settings are in the buffer.
    pub(crate) fn start(seat: i32, seed: i32, buffer: Buffer) -> Self {
        Game {
            settings: R::read_settings(&mut buffer.reader()),
            buffer,
            seat: Seat::written(seat),
            generator: Generator::seeded(seed.wrapping_add(seat).wrapping_add(1)),
            orders: RefCell::new(Orders::new()),
        }
    }

    pub(crate) fn begin_round(&mut self) {
        self.orders.get_mut().clear();
        if let Some(generator) = R::generator_of_round(&self.buffer) {
            self.generator = generator;
        }
    }

    /// The orders of the round, for the host.
    pub(crate) fn orders(&mut self) -> &[i32] {
        self.orders.get_mut().words()
    }

    /// An order, the unit's id first. Only the first one for each unit counts.
    #[inline]
    pub(crate) fn order(&self, order: impl AsRef<[i32]>) {
        let order = order.as_ref();
        let intake = self.orders.borrow_mut().give(order);
        if intake == Intake::TooMany || intake == Intake::Repeated && R::NOTES_REPETITIONS {
            refuse(intake, R::UNIT, order[0]);
        }
    }

    /// The same in a game that does not count calls; whether it is the first
    /// order for the unit.
    #[inline]
    pub(crate) fn order_uncounted<const N: usize>(&self, order: [i32; N]) -> bool {
        self.orders.borrow_mut().add(&order)
    }

    /// Whether a unit has an order.
    pub(crate) fn has_order(&self, id: i32) -> bool {
        self.orders.borrow().has(id)
    }
}

#[cold]
fn refuse(intake: Intake, unit: &str, id: i32) {
    if intake == Intake::TooMany {
        log!("error: Too many commands.");
        host::end(Ending::TooManyOrders);
    }
    log!("warning: command already requested for {unit} {id}");
}
