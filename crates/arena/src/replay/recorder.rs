//! Writing a replay while its match is played.

use ludus_games::{Digest, Game, Orders, PerSeat, Seat};

use super::coder::{Coder, Encoder, Numbers};
use super::head::WriteNumbers;
use super::orders::OrderModel;
use super::{ENGINE, Ending, LARGEST, MAGIC, MOST_TOLD, PackedConfig, Setup, VERSION};
use crate::{Match, Observer, Players, Program};

/// Makes the replay of a match while it is played.
///
/// Where the next round might make it larger than [`LARGEST`], the replay ends:
/// it tells fewer rounds than the match has, which every reader says. Only huge
/// configs lead there.
pub struct Recorder {
    writer: Writer,
    chain: Chain,
    /// The seats of modules, whose fuel is counted, and what they have used.
    metered: Vec<Seat>,
    fuel: PerSeat<u64>,
    rounds: u32,
    is_full: bool,
}

impl Recorder {
    /// Begins the replay of a match of which no round has been played.
    /// `config` is the text that its config was read from.
    pub fn new(game: &dyn Game, config: &[u8], played: &Match) -> Recorder {
        Recorder::with_config(game, &PackedConfig::new(config), played)
    }

    /// The same for one of many matches on a config.
    pub fn with_config(game: &dyn Game, config: &PackedConfig, played: &Match) -> Recorder {
        let setup = Setup {
            game: game.about().id.to_owned(),
            engine: ENGINE.to_owned(),
            config: config.text().to_vec(),
            header: played.header().clone(),
            programs: Seat::ALL.map(|seat| played.player(seat).program()),
        };
        let writer = Writer::with_config(&setup, config);
        let metered = Seat::ALL.into_iter().filter(|&seat| setup.programs[seat].is_metered()).collect();
        Recorder {
            metered,
            chain: Chain::new(&writer.setup),
            writer,
            fuel: [0; Seat::COUNT],
            rounds: 0,
            is_full: false,
        }
    }

    /// Takes down the last round.
    pub fn round(&mut self, played: &Match) {
        let mut fuel = [0; Seat::COUNT];
        for seat in self.metered.iter().copied() {
            let used = played.player(seat).fuel();
            fuel[seat] = used - std::mem::replace(&mut self.fuel[seat], used);
        }
        self.is_full = self.is_full || !self.writer.has_room(played.accepted());
        if self.is_full {
            return;
        }
        self.rounds += 1;
        let digest = self.chain.round(played.accepted(), &fuel, played.engine().digest());
        self.writer.round(played.accepted(), &fuel, digest);
    }

    /// The bytes of the replay.
    pub fn finish(self, played: &Match) -> Vec<u8> {
        let ending = Ending {
            rounds: self.rounds,
            scores: played.state().scores(),
            fuel: self.fuel,
            faults: Seat::ALL.map(|seat| played.fault(seat).cloned()),
        };
        let digest = self.chain.finish(&ending);
        self.writer.finish(&ending, digest)
    }
}

impl<E> Observer<Players, E> for Recorder {
    fn round(&mut self, played: &mut Match) -> Result<(), E> {
        Recorder::round(self, played);
        Ok(())
    }
}

/// Writes a replay from its parts.
pub struct Writer {
    setup: Vec<u8>,
    rounds: RoundModel,
    encoder: Encoder,
    /// Orders and words so far.
    told: usize,
}

/// What the ending and everything around the parts take at most: nearly all of
/// it for the texts of four faults.
const ROOM_FOR_ENDING: usize = 5 << 16;

/// The most bytes that the coder takes for a round, for an order but its words,
/// and for a word. No symbol takes more than fifteen bits.
const ROUND_BYTES: usize = 80;
const ORDER_BYTES: usize = 22;
const WORD_BYTES: usize = 10;

fn most_bytes(orders: &PerSeat<Orders>) -> usize {
    ROUND_BYTES + orders.iter().map(|orders| ORDER_BYTES * orders.len() + WORD_BYTES * orders.words()).sum::<usize>()
}

impl Writer {
    pub fn new(setup: &Setup) -> Writer {
        Writer::with_config(setup, &PackedConfig::new(&setup.config))
    }

    fn with_config(setup: &Setup, config: &PackedConfig) -> Writer {
        let mut bytes = Vec::with_capacity(512);
        setup.write(config, &mut bytes);
        Writer { setup: bytes, rounds: RoundModel::new(&setup.programs), encoder: Encoder::new(), told: 0 }
    }

    /// Whether the replay stays one that can be read with this round in it.
    pub fn has_room(&self, orders: &PerSeat<Orders>) -> bool {
        let size = self.setup.len() + self.encoder.size() + most_bytes(orders) + ROOM_FOR_ENDING;
        size <= LARGEST && self.told + told(orders) <= MOST_TOLD
    }

    /// Adds a round: the orders that the rules got, the fuel that each seat
    /// used in it, and the digest.
    pub fn round(&mut self, orders: &PerSeat<Orders>, fuel: &PerSeat<u64>, digest: u16) {
        self.told += told(orders);
        let bit = |seat: Seat| usize::from(!orders[seat].is_empty()) << seat.index();
        self.rounds.orders.begin_round(&mut self.encoder, Seat::ALL.into_iter().map(bit).sum());
        for seat in Seat::ALL {
            if !orders[seat].is_empty() {
                self.rounds.orders.write(&mut self.encoder, seat, &orders[seat]);
            }
        }
        self.rounds.code_fuel(&mut self.encoder, *fuel);
        self.encoder.bits(u64::from(digest), 16);
    }

    pub fn finish(self, ending: &Ending, digest: u64) -> Vec<u8> {
        let stream = self.encoder.finish();
        let mut bytes = Vec::with_capacity(self.setup.len() + stream.len() + 64);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        let mut part = Vec::new();
        ending.write(&mut part);
        for part in [&self.setup, &part] {
            bytes.number(part.len() as u64);
            bytes.extend_from_slice(part);
        }
        bytes.extend_from_slice(&digest.to_le_bytes());
        bytes.extend_from_slice(&(checksum(&bytes) as u32).to_le_bytes());
        bytes.extend_from_slice(&stream);
        bytes.extend_from_slice(&checksum(&bytes).to_le_bytes());
        bytes
    }
}

fn told(orders: &PerSeat<Orders>) -> usize {
    orders.iter().map(|orders| orders.len() + orders.words()).sum()
}

pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mut digest = Digest::new();
    digest.bytes(bytes);
    digest.finish()
}

/// What is learnt over the rounds of a replay.
pub(super) struct RoundModel {
    pub orders: OrderModel,
    /// The seats of modules, with the fuel of the last round.
    fuel: Vec<(Seat, u64, Numbers)>,
}

impl RoundModel {
    pub fn new(programs: &PerSeat<Program>) -> Self {
        let metered = Seat::ALL.into_iter().filter(|&seat| programs[seat].is_metered());
        RoundModel { orders: OrderModel::new(), fuel: metered.map(|seat| (seat, 0, Numbers::EVEN)).collect() }
    }

    /// The fuel of a round, told as the difference to the round before. Only
    /// modules have any.
    pub fn code_fuel(&mut self, coder: &mut impl Coder, fuel: PerSeat<u64>) -> PerSeat<u64> {
        let mut found = [0; Seat::COUNT];
        for (seat, last, numbers) in &mut self.fuel {
            let difference = fuel[*seat].wrapping_sub(*last) as i64;
            *last = last.wrapping_add_signed(numbers.code_signed(coder, difference));
            found[*seat] = *last;
        }
        found
    }
}

/// A digest of everything so far, of which each round keeps a few bits: a
/// change anywhere shows in its round and in all that follow.
pub(super) struct Chain(Digest);

impl Chain {
    /// Begins with the bytes of the setup.
    pub fn new(setup: &[u8]) -> Chain {
        let mut digest = Digest::new();
        digest.bytes(setup);
        Chain(digest)
    }

    /// The digest of a round, from its orders, its fuel and the digest of the
    /// engine after it.
    pub fn round(&mut self, orders: &PerSeat<Orders>, fuel: &PerSeat<u64>, engine: u64) -> u16 {
        for orders in orders {
            match orders.is_empty() {
                true => self.0.word(0),
                false => orders.digest(&mut self.0),
            }
        }
        let [a, b, c, d] = *fuel;
        self.0.words(a, b);
        self.0.words(c, d);
        self.0.word(engine);
        (self.0.finish() >> 48) as u16
    }

    /// The digest of the whole match.
    pub fn finish(&self, ending: &Ending) -> u64 {
        let (mut digest, mut bytes) = (self.0.clone(), Vec::new());
        ending.write(&mut bytes);
        digest.bytes(&bytes);
        digest.finish()
    }
}
