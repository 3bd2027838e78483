//! What a replay tells before its rounds: how the match was set up, and how it
//! ended.

use ludus_games::record::Header;
use ludus_games::{PerSeat, Seat};

use super::text;
use crate::{Allowance, Fault, Program};

/// Everything about a match but what happened in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The id of the game.
    pub game: String,
    /// The version of Ludus that played the match.
    pub engine: String,
    /// The text of the config, to the byte.
    pub config: Vec<u8>,
    pub header: Header,
    pub programs: PerSeat<Program>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Rounds played, which are fewer than those of the match if it got stuck.
    pub rounds: u32,
    pub scores: PerSeat<i64>,
    /// Fuel that each seat used in all.
    pub fuel: PerSeat<u64>,
    /// The round and the reason for which a seat was frozen.
    pub faults: PerSeat<Option<(u32, Fault)>>,
}

impl Ending {
    /// 1 for the best; seats with equal scores share a rank.
    pub fn rank(&self, seat: Seat) -> usize {
        crate::rank(&self.scores, seat)
    }
}

/// The longest names, in bytes, and the longest text of a fault.
const LONGEST_NAME: usize = 256;
const LONGEST_REASON: usize = 1 << 16;

const JUDGED: u64 = 1;

/// The text of a config, packed once for all the replays of matches on it.
#[derive(Clone, Debug)]
pub struct PackedConfig {
    text: Vec<u8>,
    packed: Vec<u8>,
}

impl PackedConfig {
    pub fn new(text: &[u8]) -> PackedConfig {
        PackedConfig { text: text.to_vec(), packed: text::pack(text) }
    }

    pub fn text(&self) -> &[u8] {
        &self.text
    }
}

impl Setup {
    /// Everything, with `config` as the packed form of its config.
    pub(super) fn write(&self, config: &PackedConfig, out: &mut Vec<u8>) {
        out.string(&self.game);
        out.string(&self.engine);
        out.number(if self.header.judged { JUDGED } else { 0 });
        out.signed(i64::from(self.header.seed));
        for (name, program) in self.header.names.iter().zip(&self.programs) {
            out.string(&name[..name.floor_char_boundary(LONGEST_NAME)]);
            write_program(program, out);
        }
        out.number(self.config.len() as u64);
        out.extend_from_slice(&config.packed);
    }

    /// A config that is `known` is not unpacked again.
    pub(super) fn read(bytes: &[u8], known: Option<&PackedConfig>) -> Option<Setup> {
        let mut bytes = Bytes(bytes);
        let (game, engine) = (bytes.string(LONGEST_NAME)?, bytes.string(LONGEST_NAME)?);
        let judged = match bytes.number()? {
            0 => false,
            JUDGED => true,
            _ => return None,
        };
        let seed = i32::try_from(bytes.signed()?).ok()?;
        let mut names = PerSeat::default();
        let mut programs = [const { Program::Unknown }; Seat::COUNT];
        for (name, program) in names.iter_mut().zip(&mut programs) {
            *name = bytes.string(LONGEST_NAME)?;
            *program = read_program(&mut bytes)?;
        }
        let length = usize::try_from(bytes.number()?).ok()?;
        let known = known.filter(|known| known.packed == bytes.0 && known.text.len() == length);
        let config = known.map_or_else(|| text::unpack(bytes.0, length), |known| Some(known.text.clone()))?;
        Some(Setup { game, engine, config, header: Header { judged, seed, names }, programs })
    }
}

const UNKNOWN: u64 = 0;
const BUILTIN: u64 = 1;
const MODULE: u64 = 2;

fn write_program(program: &Program, out: &mut Vec<u8>) {
    match program {
        Program::Unknown => out.number(UNKNOWN),
        Program::Builtin(name) => {
            out.number(BUILTIN);
            out.string(name);
        }
        Program::Module { hash, allowance } => {
            out.number(MODULE);
            out.extend_from_slice(hash);
            out.number(u64::from(allowance.version));
            out.number(allowance.fuel);
            // No limit is 0, and every limit one more than itself.
            out.number(allowance.fuel_per_round.map_or(0, |fuel| fuel.saturating_add(1)));
            out.number(allowance.memory);
            out.number(u64::from(allowance.metered));
        }
    }
}

fn read_program(bytes: &mut Bytes) -> Option<Program> {
    Some(match bytes.number()? {
        UNKNOWN => Program::Unknown,
        BUILTIN => Program::Builtin(bytes.string(LONGEST_NAME)?),
        MODULE => Program::Module {
            hash: bytes.array()?,
            allowance: Allowance {
                version: u32::try_from(bytes.number()?).ok()?,
                fuel: bytes.number()?,
                fuel_per_round: bytes.number()?.checked_sub(1),
                memory: bytes.number()?,
                metered: match bytes.number()? {
                    0 => false,
                    1 => true,
                    _ => return None,
                },
            },
        },
        _ => return None,
    })
}

impl Ending {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.number(u64::from(self.rounds));
        for seat in Seat::ALL {
            out.signed(self.scores[seat]);
            out.number(self.fuel[seat]);
            match &self.faults[seat] {
                None => out.number(0),
                Some((round, fault)) => write_fault(*round, fault, out),
            }
        }
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Ending> {
        let mut bytes = Bytes(bytes);
        let rounds = u32::try_from(bytes.number()?).ok()?;
        let mut ending =
            Ending { rounds, scores: [0; Seat::COUNT], fuel: [0; Seat::COUNT], faults: [const { None }; Seat::COUNT] };
        for seat in Seat::ALL {
            ending.scores[seat] = bytes.signed()?;
            ending.fuel[seat] = bytes.number()?;
            ending.faults[seat] = read_fault(&mut bytes)?;
        }
        bytes.0.is_empty().then_some(ending)
    }
}

/// The number of a fault, and the text that goes with it.
fn write_fault(round: u32, fault: &Fault, out: &mut Vec<u8>) {
    let (number, text) = match fault {
        Fault::TooManyOrders(_) => (1, ""),
        Fault::OutOfFuel => (2, ""),
        Fault::OutOfMemory => (3, ""),
        Fault::StackOverflow => (4, ""),
        Fault::Trap(text) => (5, text.as_str()),
        Fault::Ended(text) => (6, text.as_str()),
        Fault::MalformedOrders(text) => (7, text.as_ref()),
        Fault::Overtime => (8, ""),
    };
    out.number(number);
    out.number(u64::from(round));
    out.string(&text[..text.floor_char_boundary(LONGEST_REASON)]);
}

fn read_fault(bytes: &mut Bytes) -> Option<Option<(u32, Fault)>> {
    let number = bytes.number()?;
    if number == 0 {
        return Some(None);
    }
    let round = u32::try_from(bytes.number()?).ok()?;
    let text = bytes.string(LONGEST_REASON)?;
    let fault = match number {
        1 => Fault::TooManyOrders(ludus_games::orders::TooManyOrders),
        2 => Fault::OutOfFuel,
        3 => Fault::OutOfMemory,
        4 => Fault::StackOverflow,
        5 => Fault::Trap(text),
        6 => Fault::Ended(text),
        7 => Fault::MalformedOrders(text.into()),
        8 => Fault::Overtime,
        _ => return None,
    };
    Some(Some((round, fault)))
}

/// Writing numbers in seven bits per byte, the lowest first, and texts after their length.
pub(super) trait WriteNumbers {
    fn number(&mut self, value: u64);
    fn signed(&mut self, value: i64);
    fn string(&mut self, text: &str);
}

impl WriteNumbers for Vec<u8> {
    fn number(&mut self, mut value: u64) {
        while value >= 128 {
            self.push(value as u8 | 128);
            value >>= 7;
        }
        self.push(value as u8);
    }

    fn signed(&mut self, value: i64) {
        self.number((value << 1 ^ value >> 63) as u64);
    }

    fn string(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.extend_from_slice(text.as_bytes());
    }
}

/// What is left to read.
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        self.0.split_off(..count)
    }

    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.array()?;
            let bits = u64::from(byte & 127);
            if bits << shift >> shift != bits {
                return None;
            }
            value |= bits << shift;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let value = self.number()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    fn string(&mut self, longest: usize) -> Option<String> {
        let length = usize::try_from(self.number()?).ok().filter(|&length| length <= longest)?;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_when_written_and_refused_when_read() {
        let mut setup = Setup {
            game: "no such game".to_owned(),
            engine: String::new(),
            config: Vec::new(),
            header: Header {
                judged: false, seed: 1, names: ["é".repeat(1 << 20), "Ada".into(), "".into(), "".into()]
            },
            programs: [const { Program::Unknown }; Seat::COUNT],
        };
        let write = |setup: &Setup| {
            let mut bytes = Vec::new();
            setup.write(&PackedConfig::new(&setup.config), &mut bytes);
            bytes
        };
        let read = Setup::read(&write(&setup), None).unwrap();
        assert_eq!(read.header.names[0], "é".repeat(LONGEST_NAME / 2));
        setup.header.names[0].clear();
        setup.game = "a".repeat(LONGEST_NAME + 1);
        assert_eq!(Setup::read(&write(&setup), None), None);
    }

    #[test]
    fn a_config_that_is_known_is_read_as_any_other() {
        let setup = Setup {
            game: "ants".to_owned(),
            engine: "1".to_owned(),
            config: b"BOARD_ROWS 25\nBOARD_COLS 25\n".to_vec(),
            header: Header { judged: true, seed: 7, names: PerSeat::default() },
            programs: [const { Program::Unknown }; Seat::COUNT],
        };
        let packed = PackedConfig::new(&setup.config);
        let mut bytes = Vec::new();
        setup.write(&packed, &mut bytes);
        for known in [None, Some(&packed), Some(&PackedConfig::new(b"another"))] {
            assert_eq!(Setup::read(&bytes, known).as_ref(), Some(&setup));
        }
    }

    #[test]
    fn nothing_is_allocated_for_a_length_that_was_claimed() {
        for claimed in [1, 255, 1 << 16, 1 << 40, u64::MAX] {
            let mut bytes = Vec::new();
            bytes.number(claimed);
            assert_eq!(Bytes(&bytes).string(usize::MAX), None, "{claimed}");
        }
    }
}
