
/// What a player sees, written down again in the layout of docs/abi, and hashed.
struct Echo {
    sum: u64,
    length: usize,
}

impl Echo {
    fn new() -> Echo {
        Echo { sum: 14_695_981_039_346_656_037, length: 0 }
    }

    fn raw(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.sum = (self.sum ^ u64::from(*byte)).wrapping_mul(1_099_511_628_211);
        }
        self.length += bytes.len();
    }

    fn words(&mut self, words: &[i32]) {
        words.iter().for_each(|word| self.raw(&word.to_le_bytes()));
    }

    fn per_seat(&mut self, of: impl Fn(Seat) -> i32) {
        Seat::ALL.iter().for_each(|seat| self.words(&[of(*seat)]));
    }

    fn statuses(&mut self, of: impl Fn(Seat) -> f64) {
        Seat::ALL.iter().for_each(|seat| self.raw(&of(*seat).to_le_bytes()));
    }

    fn align(&mut self) {
        while self.length % 4 != 0 {
            self.raw(&[0]);
        }
    }

    fn tell(&self, what: &str) {
        log!("{what} {}", self.sum);
    }
}

/// The positions of a board, row by row.
#[allow(dead_code)]
fn board(rows: i32, cols: i32) -> impl Iterator<Item = Pos> + Clone {
    (0..rows).flat_map(move |i| (0..cols).map(move |j| Pos::new(i, j)))
}
