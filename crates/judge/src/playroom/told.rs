//! How matches and what became of them are told from one process to the other.

use std::io;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use ludus_arena::season::Hash;
use ludus_games::{PerSeat, Seat};
use ludus_sandbox::Limits;
use ludus_sandbox::letter::{Reader, Writer};

use super::{Finished, Modules, NO_ANSWER, NotKept, Order, Overran, Seated};
use crate::local_machine::printable;
use crate::matches::SeatFault;
use crate::patience::TooSlow;

/// Matches to be played, and the modules that are needed for them.
pub fn written(orders: &[Order], modules: &Modules) -> Vec<u8> {
    let mut letter = Writer::new("play");
    letter.number(modules.len() as i64);
    modules.values().for_each(|module| letter.bytes(module));
    let mut before = None;
    for order in orders {
        letter.bytes(&order.written(before));
        before = Some(order);
    }
    letter.done()
}

pub fn read(letter: &[u8]) -> Option<(Vec<Order>, Modules)> {
    let mut letter = Reader::of("play", letter)?;
    let mut modules = Modules::new();
    for _ in 0..letter.number()? {
        let module = letter.bytes()?;
        modules.insert(Hash::of(&module), module);
    }
    let mut orders: Vec<Order> = Vec::new();
    while !letter.is_over() {
        let order = Order::read(&letter.bytes()?, orders.last())?;
        orders.push(order);
    }
    Some((orders, modules))
}

impl Order {
    /// A config is told once for all matches on it that follow each other.
    fn written(&self, before: Option<&Order>) -> Vec<u8> {
        let mut letter = Writer::new("match");
        letter.text(&self.game);
        let is_told = before.is_some_and(|before| before.config == self.config);
        letter.number(i64::from(is_told));
        letter.text(if is_told { "" } else { &self.config });
        letter.number(i64::from(self.seed));
        letter.number(self.limits.fuel as i64);
        letter.number(self.limits.fuel_per_round.map_or(-1, |fuel| fuel as i64));
        letter.number(self.limits.memory as i64);
        letter.number(self.limits.output as i64);
        letter.number(i64::from(self.limits.metered));
        letter.number(self.allowed.as_millis() as i64);
        letter.number(self.patience.map_or(-1, |patience| patience.as_millis() as i64));
        for seated in &self.seats {
            letter.text(&seated.name);
            letter.bytes(seated.module.as_ref().map_or(&[], |hash| &hash.0[..]));
            letter.number(seated.barred_from.map_or(-1, i64::from));
        }
        letter.text(self.stand_in.as_deref().unwrap_or_default());
        letter.done()
    }

    fn read(letter: &[u8], before: Option<&Order>) -> Option<Order> {
        let mut letter = Reader::of("match", letter)?;
        let (game, is_told, config) = (letter.text()?, letter.number()? == 1, letter.text()?);
        let config = if is_told { before?.config.clone() } else { config };
        let seed = i32::try_from(letter.number()?).ok()?;
        let limits = Limits {
            fuel: u64::try_from(letter.number()?).ok()?,
            fuel_per_round: u64::try_from(letter.number()?).ok(),
            memory: usize::try_from(letter.number()?).ok()?,
            output: usize::try_from(letter.number()?).ok()?,
            metered: letter.number()? == 1,
        };
        let allowed = Duration::from_millis(u64::try_from(letter.number()?).ok()?);
        let patience = u64::try_from(letter.number()?).ok().map(Duration::from_millis);
        let mut seats: PerSeat<Seated> = PerSeat::default();
        for seated in &mut seats {
            seated.name = letter.text()?;
            let module = letter.bytes()?;
            seated.module = if module.is_empty() { None } else { Some(Hash(module.try_into().ok()?)) };
            seated.barred_from = u32::try_from(letter.number()?).ok();
        }
        let stand_in = letter.text().filter(|name| !name.is_empty());
        Some(Order { game, config, seed, limits, allowed, patience, seats, stand_in })
    }
}

impl Finished {
    pub fn send(&self) -> io::Result<()> {
        self.letter().send_framed()
    }

    pub fn written(&self) -> Vec<u8> {
        self.letter().done()
    }

    fn letter(&self) -> Writer {
        let mut letter = Writer::new("played");
        letter.number(i64::from(self.rounds));
        letter.bytes(&self.replay);
        letter.bytes(&self.cpu);
        for seat in &self.seats {
            letter.number(seat.score);
            letter.number(seat.rank);
            letter.number(seat.cpu);
            letter.number(seat.fault.as_ref().map_or(-1, |(round, _)| *round));
            letter.text(seat.fault.as_ref().map_or("", |(_, fault)| fault.stored()));
            letter.bytes(&seat.output);
        }
        letter
    }

    fn read(mut letter: Reader<'_>) -> Option<Finished> {
        let mut finished = Finished { rounds: u32::try_from(letter.number()?).ok()?, ..Finished::default() };
        (finished.replay, finished.cpu) = (letter.bytes()?, letter.bytes()?);
        for seat in &mut finished.seats {
            (seat.score, seat.rank, seat.cpu) = (letter.number()?, letter.number()?, letter.number()?);
            let (round, fault) = (letter.number()?, letter.text()?);
            seat.fault = (round >= 0).then_some((round, SeatFault::of_stored(fault)));
            seat.output = letter.bytes()?;
        }
        Some(finished)
    }
}

/// What an answer about one match says.
pub fn read_answer(answer: &[u8], allowed: Duration) -> Result<Finished> {
    if let Some(letter) = Reader::of("played", answer) {
        return Finished::read(letter).ok_or_else(|| anyhow!("what became of a match cannot be read"));
    }
    if let Some(mut letter) = Reader::of("overtime", answer) {
        let seat = letter.number().and_then(|seat| Seat::ALL.get(usize::try_from(seat).ok()?).copied());
        let round = letter.number().and_then(|round| u32::try_from(round).ok());
        let (seat, round) = seat.zip(round).ok_or_else(|| anyhow!("no seat and round in {answer:?}"))?;
        return Err(Overran { seat, round, allowed }.into());
    }
    if Reader::of("slow", answer).is_some() {
        return Err(TooSlow.into());
    }
    if Reader::of("not kept", answer).is_some() {
        return Err(NotKept.into());
    }
    let trouble = Reader::of("trouble", answer).and_then(|mut letter| letter.text());
    bail!("a match could not be played: {}", printable(&trouble.unwrap_or_else(|| NO_ANSWER.to_owned())))
}
