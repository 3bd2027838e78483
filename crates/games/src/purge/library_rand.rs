//! The generator of the reference's C library, to the bit.

/// The C library's `rand` with its seed of 1, which the makers of the game
/// never set: a second sequence of numbers in board generation, the same for
/// every seed. Each match begins it anew.
///
/// Every number is the sum of those 3 and 31 places before it.
#[derive(Clone, Debug)]
pub struct LibraryRand {
    last: [u32; LAG],
    at: usize,
}

const LAG: usize = 31;

/// The library throws away this many numbers before the first.
const THROWN_AWAY: usize = 344;

const START: [u32; LAG] = start();

const fn start() -> [u32; LAG] {
    let mut numbers = [0; THROWN_AWAY];
    numbers[0] = 1;
    let mut k = 1;
    while k < THROWN_AWAY {
        numbers[k] = if k < LAG {
            (16_807 * numbers[k - 1] as u64 % 2_147_483_647) as u32
        } else if k < LAG + 3 {
            numbers[k - LAG]
        } else {
            numbers[k - 3].wrapping_add(numbers[k - LAG])
        };
        k += 1;
    }
    let mut last = [0; LAG];
    let mut k = 0;
    while k < LAG {
        last[k] = numbers[THROWN_AWAY - LAG + k];
        k += 1;
    }
    last
}

impl LibraryRand {
    pub fn new() -> Self {
        LibraryRand { last: START, at: 0 }
    }

    /// A number in `0..2^31`.
    pub fn next(&mut self) -> u32 {
        let third_last = if self.at < 3 { self.at + LAG - 3 } else { self.at - 3 };
        let number = self.last[self.at].wrapping_add(self.last[third_last]);
        self.last[self.at] = number;
        self.at = if self.at + 1 == LAG { 0 } else { self.at + 1 };
        number >> 1
    }

    /// Shuffles as the C++ library of the reference does.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in 1..list.len() {
            let j = self.next() as usize % (i + 1);
            list.swap(i, j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_sequence() {
        let mut rand = LibraryRand::new();
        let numbers = [
            1_804_289_383,
            846_930_886,
            1_681_692_777,
            1_714_636_915,
            1_957_747_793,
            424_238_335,
            719_885_386,
            1_649_760_492,
            596_516_649,
            1_189_641_421,
        ];
        assert_eq!(numbers.map(|_| rand.next()), numbers);
        // The ring goes round: a thousand numbers on, against the recurrence itself.
        let mut list: Vec<u32> = (0..THROWN_AWAY + 1000).map(|_| 0).collect();
        list[..LAG].copy_from_slice(&START);
        for k in LAG..LAG + 1000 {
            list[k] = list[k - 3].wrapping_add(list[k - LAG]);
        }
        assert!((10..1000).all(|k| rand.next() == list[LAG + k] >> 1));
    }

    #[test]
    fn a_shuffle_of_four_draws_three() {
        let mut list = ["Up", "Down", "Left", "Right"];
        let mut rand = LibraryRand::new();
        rand.shuffle(&mut list);
        // 1804289383 is odd; 846930886 is 1 modulo 3; 1681692777 is 1 modulo 4.
        assert_eq!(list, ["Up", "Right", "Down", "Left"]);
        assert_eq!(rand.next(), 1_714_636_915);
    }
}
