//! Reading a replay, its rounds one by one.

use std::fmt;

use ludus_games::{Orders, PerSeat, Seat};

use super::coder::{Coder, Decoder};
use super::drawing::{self, Drawing};
use super::head::Bytes;
use super::recorder::{RoundModel, checksum};
use super::{Ending, LARGEST, MAGIC, MOST_ROUNDS, MOST_TOLD, PackedConfig, Setup, VERSION};
use crate::{Fault, Program};

/// Why something is no replay that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("it is no replay")]
    NoReplay,
    #[error("it is a replay of format {0}, and this version of Ludus reads up to {VERSION}: use a later one")]
    Newer(u16),
    #[error("it breaks off or is damaged before its first round")]
    Damaged,
    #[error("it is larger than {} MB, which no replay of Ludus is", LARGEST >> 20)]
    TooLarge,
}

/// Whether bytes claim to be a replay.
pub fn is_replay(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// A replay that was read as far as its first round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    pub setup: Setup,
    pub ending: Ending,
    /// The digest of the whole match.
    pub digest: u64,
    pub(super) setup_bytes: Vec<u8>,
    stream: Vec<u8>,
    /// What players drew, as it is written.
    drawing: Vec<u8>,
    is_whole: bool,
}

/// A round of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The orders of each seat as the rules got them.
    pub orders: PerSeat<Orders>,
    /// The fuel that each seat used in this round.
    pub fuel: PerSeat<u64>,
    pub digest: u16,
}

/// The rounds break off, or turn to rubbish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The round that cannot be read.
    pub round: u32,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the replay cannot be read from round {} on", self.round)
    }
}

impl std::error::Error for Broken {}

impl Replay {
    /// Reads what comes before the rounds.
    pub fn read(bytes: &[u8]) -> Result<Replay, ReadError> {
        Replay::read_with(bytes, None)
    }

    /// The same for one of many replays that are most likely on this config, which is
    /// unpacked for others only.
    pub fn read_on(bytes: &[u8], config: &PackedConfig) -> Result<Replay, ReadError> {
        Replay::read_with(bytes, Some(config))
    }

    fn read_with(bytes: &[u8], config: Option<&PackedConfig>) -> Result<Replay, ReadError> {
        let version = bytes.strip_prefix(&MAGIC).ok_or(ReadError::NoReplay)?;
        match version {
            [low, high, ..] => match u16::from_le_bytes([*low, *high]) {
                VERSION => {}
                0 => return Err(ReadError::Damaged),
                version => return Err(ReadError::Newer(version)),
            },
            _ => return Err(ReadError::Damaged),
        }
        if bytes.len() > LARGEST {
            return Err(ReadError::TooLarge);
        }
        Replay::read_parts(bytes, config).ok_or(ReadError::Damaged)
    }

    fn read_parts(all: &[u8], config: Option<&PackedConfig>) -> Option<Replay> {
        let mut bytes = Bytes(all);
        bytes.take(MAGIC.len() + size_of_val(&VERSION))?;
        let mut part = || {
            let length = usize::try_from(bytes.number()?).ok()?;
            bytes.take(length)
        };
        let (setup_bytes, ending_bytes) = (part()?, part()?);
        let digest = u64::from_le_bytes(bytes.array()?);
        let front = &all[..all.len() - bytes.0.len()];
        if checksum(front) as u32 != u32::from_le_bytes(bytes.array()?) {
            return None;
        }
        let stream = bytes.0;
        let (stream, is_whole) = match stream.split_last_chunk::<8>() {
            Some((before, sum)) if checksum(&all[..all.len() - 8]) == u64::from_le_bytes(*sum) => (before, true),
            _ => (stream, false),
        };
        let (stream, drawing) = if is_whole { drawing::split(stream) } else { (stream, &[][..]) };
        Some(Replay {
            setup: Setup::read(setup_bytes, config)?,
            ending: Ending::read(ending_bytes)?,
            digest,
            setup_bytes: setup_bytes.to_vec(),
            stream: stream.to_vec(),
            drawing: drawing.to_vec(),
            is_whole,
        })
    }

    /// Whether not a byte was lost or changed by accident.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The round from which on the module in a seat was not asked because it had
    /// run past its time there before, which cannot be found out again.
    pub fn barred_from(&self, seat: Seat) -> Option<u32> {
        match (&self.setup.programs[seat], &self.ending.faults[seat]) {
            (Program::Module { .. }, &Some((round, Fault::Overtime))) => Some(round),
            _ => None,
        }
    }

    /// What players drew for their authors, round by round.
    pub fn drawings(&self) -> Vec<Drawing> {
        drawing::read(&self.drawing)
    }

    pub fn rounds(&self) -> Rounds<'_> {
        Rounds {
            model: RoundModel::new(&self.setup.programs),
            decoder: Decoder::new(&self.stream),
            count: 0,
            end: self.ending.rounds,
            left: MOST_TOLD,
            round: Round::default(),
        }
    }
}

/// Reads the rounds of a replay, one by one.
pub struct Rounds<'a> {
    model: RoundModel,
    decoder: Decoder<'a>,
    count: u32,
    end: u32,
    /// Orders and words that may still come.
    left: usize,
    round: Round,
}

impl Rounds<'_> {
    /// The round that was read last.
    pub fn current(&self) -> &Round {
        &self.round
    }

    /// The next round, if there is one. Nothing follows a broken one.
    pub fn next_round(&mut self) -> Option<Result<&Round, Broken>> {
        if self.count == self.end {
            return None;
        }
        let round = self.count;
        self.count += 1;
        if round == MOST_ROUNDS || self.read().is_none() {
            self.end = self.count;
            return Some(Err(Broken { round }));
        }
        Some(Ok(&self.round))
    }

    fn read(&mut self) -> Option<()> {
        let seats = self.model.orders.begin_round(&mut self.decoder, 0);
        for seat in Seat::ALL {
            self.round.orders[seat].clear();
            if seats >> seat.index() & 1 == 1 {
                let orders = &mut self.round.orders[seat];
                self.model.orders.read(&mut self.decoder, seat, orders, self.left).ok()?;
                self.left -= orders.len() + orders.words();
            }
        }
        self.round.fuel = self.model.code_fuel(&mut self.decoder, [0; Seat::COUNT]);
        self.round.digest = self.decoder.bits(0, 16) as u16;
        (!self.decoder.is_exhausted()).then_some(())
    }
}
