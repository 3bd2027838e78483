//! Who used how much CPU in which round: counted while a match is played and
//! kept in few bytes, so that no page needs the replay for it.

use anyhow::Result;
use ludus_arena::replay::Replay;
use ludus_arena::{Match, Observer, Players, Program};
use ludus_games::{PerSeat, Seat};

/// How much of its CPU each seat used in each round, in millionths of its limit
/// of the match; none for a seat that is not metered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CpuUse(pub PerSeat<Option<Vec<u64>>>);

impl CpuUse {
    fn new(limits: &PerSeat<Option<u64>>) -> CpuUse {
        CpuUse(limits.map(|limit| limit.map(|_| Vec::new())))
    }

    fn add(&mut self, seat: Seat, fuel: u64, limit: Option<u64>) {
        if let (Some(limit), Some(used)) = (limit, &mut self.0[seat]) {
            used.push(match fuel.checked_mul(1_000_000) {
                Some(millionths) => millionths / limit,
                None => (u128::from(fuel) * 1_000_000 / u128::from(limit)) as u64,
            });
        }
    }

    /// Each seat as one more than the number of its rounds, and their numbers;
    /// a seat that is not metered is 0. Numbers have seven bits per byte.
    pub fn pack(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for used in &self.0 {
            let Some(used) = used else {
                write(0, &mut bytes);
                continue;
            };
            write(used.len() as u64 + 1, &mut bytes);
            used.iter().for_each(|&used| write(used, &mut bytes));
        }
        bytes
    }

    /// What was packed; nothing where the bytes make no sense.
    pub fn unpack(bytes: &[u8]) -> CpuUse {
        let mut rest = bytes.iter().copied();
        let mut found = CpuUse::default();
        for used in &mut found.0 {
            let Some(count) = read(&mut rest) else { return CpuUse::default() };
            let Some(count) = count.checked_sub(1) else { continue };
            // No more than there are bytes.
            let numbers: Vec<u64> = (0..count).map_while(|_| read(&mut rest)).collect();
            if numbers.len() as u64 != count {
                return CpuUse::default();
            }
            *used = Some(numbers);
        }
        found
    }
}

fn write(mut number: u64, out: &mut Vec<u8>) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read(bytes: &mut impl Iterator<Item = u8>) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = bytes.next()?;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

/// Counts while a match is played.
pub struct CpuMeter {
    limits: PerSeat<Option<u64>>,
    before: PerSeat<u64>,
    used: CpuUse,
}

impl CpuMeter {
    /// For a match of which no round has been played.
    pub fn new(played: &Match) -> CpuMeter {
        let limits = Seat::ALL.map(|seat| limit(&played.player(seat).program()));
        CpuMeter { before: [0; Seat::COUNT], used: CpuUse::new(&limits), limits }
    }

    pub fn finish(self) -> CpuUse {
        self.used
    }
}

impl<E> Observer<Players, E> for CpuMeter {
    fn round(&mut self, played: &mut Match) -> std::result::Result<(), E> {
        for seat in Seat::ALL {
            let fuel = played.player(seat).fuel();
            let used = fuel.saturating_sub(std::mem::replace(&mut self.before[seat], fuel));
            self.used.add(seat, used, self.limits[seat]);
        }
        Ok(())
    }
}

/// The same from a replay, for matches that were played before it was counted.
pub fn cpu_use(replay: &[u8]) -> Result<CpuUse> {
    let replay = Replay::read(replay)?;
    let limits: PerSeat<Option<u64>> = Seat::ALL.map(|seat| limit(&replay.setup.programs[seat]));
    let mut used = CpuUse::new(&limits);
    let mut rounds = replay.rounds();
    while let Some(Ok(round)) = rounds.next_round() {
        Seat::ALL.iter().for_each(|&seat| used.add(seat, round.fuel[seat], limits[seat]));
    }
    Ok(used)
}

/// The fuel that a program may use in a match, if it is metered.
fn limit(program: &Program) -> Option<u64> {
    match program {
        Program::Module { allowance, .. } => Some(allowance.fuel).filter(|fuel| *fuel > 0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back() {
        let used = CpuUse([None, Some(Vec::new()), Some(vec![0, 127, 128, 1_000_000, u64::MAX]), None]);
        let packed = used.pack();
        assert_eq!(packed.len(), 1 + 1 + 1 + (1 + 1 + 2 + 3 + 10) + 1);
        assert_eq!(CpuUse::unpack(&packed), used);
    }

    #[test]
    fn nonsense_is_nothing() {
        for bytes in [&[][..], &[9], &[255; 40], &[0, 0, 0], &[128, 128]] {
            assert_eq!(CpuUse::unpack(bytes), CpuUse::default(), "{bytes:?}");
        }
    }
}
