// Ways to die, one for every number of rounds of a match: see deaths.rs. Where a
// player dies, the line says by which number, in which function, and of what.
use std::cell::RefCell;
use std::collections::HashMap;
use std::hint::black_box;

use ludus_player::ants::*;

struct Deaths {
    zero: i32,
    numbers: Vec<i32>,
    prices: HashMap<&'static str, i32>,
}

impl Deaths {
    fn panics(&self) {
        panic!("boom {}", self.zero); //= 0 panics: it panicked
    }
    fn unwraps_nothing(&self) -> i32 {
        self.numbers.iter().copied().find(|&n| n == 9).unwrap() //= 1 unwraps_nothing: it panicked
    }
    fn expects(&self) -> i32 {
        black_box("x").parse::<i32>().expect("a number") //= 2 expects: it panicked
    }
    fn indexes(&self) -> i32 {
        self.numbers[(self.zero + 7) as usize] //= 3 indexes: it panicked
    }
    fn indexes_array(&self) -> i32 {
        black_box([1, 2, 3])[(self.zero + 3) as usize] //= 4 indexes_array: it panicked
    }
    fn slices(&self) -> usize {
        self.numbers[2..black_box(1)].len() //= 5 slices: it panicked
    }
    fn cuts_text(&self) -> usize {
        black_box("ñandú")[..1].len() //= 6 cuts_text: it panicked
    }
    fn asks_map(&self) -> i32 {
        self.prices["bread"] //= 7 asks_map: it panicked
    }
    fn borrows_twice(&self) {
        let cell = RefCell::new(1);
        let _first = cell.borrow_mut();
        *cell.borrow_mut() += 1; //= 8 borrows_twice: it panicked
    }
    fn divides(&self) -> i32 {
        7 / self.zero //= 9 divides: it panicked
    }
    fn takes_rest(&self) -> i32 {
        7 % self.zero //= 10 takes_rest: it panicked
    }
    fn divides_smallest(&self) -> i32 {
        black_box(i32::MIN) / (self.zero - 1) //= 11 divides_smallest: it panicked
    }
    fn asserts(&self) {
        assert!(self.zero == 1, "it is {}", self.zero); //= 12 asserts: it panicked
    }
    fn asserts_equal(&self) {
        assert_eq!(self.zero, 1); //= 13 asserts_equal: it panicked
    }
    fn is_not_reached(&self) {
        unreachable!("and yet"); //= 14 is_not_reached: it panicked
    }
    fn is_to_be_done(&self) {
        todo!(); //= 15 is_to_be_done: it panicked
    }
    fn removes(&mut self) -> i32 {
        self.numbers.remove(black_box(5)) //= 16 removes: it panicked
    }
    fn inserts(&mut self) {
        self.numbers.insert(black_box(9), 1); //= 17 inserts: it panicked
    }
    fn splits(&self) -> usize {
        self.numbers.split_at(black_box(9)).0.len() //= 18 splits: it panicked
    }
    fn copies(&mut self) {
        self.numbers.copy_from_slice(black_box(&[1, 2])); //= 19 copies: it panicked
    }
    fn chunks(&self) -> usize {
        self.numbers.chunks(black_box(0)).count() //= 20 chunks: it panicked
    }
    fn steps(&self) -> usize {
        (0..9).step_by(black_box(0)).count() //= 21 steps: it panicked
    }
    fn loops(&mut self) {
        while black_box(self.zero) == 0 {
            self.numbers[0] = self.numbers[0].wrapping_add(1); //= 22 loops: it ran out of CPU time
        }
    }
    fn recurses(&self, n: i32) -> i32 {
        if black_box(n) < 0 { n } else { self.recurses(n + 1).wrapping_mul(3) + n } //= 23 recurses: the recursion is too deep
    }
    fn ping(&self, n: i32) -> i32 {
        if black_box(n) < 0 { n } else { self.pong(n + 1).wrapping_mul(3) + n } //= 24 ping: the recursion is too deep
    }
    #[inline(never)]
    fn pong(&self, n: i32) -> i32 {
        if black_box(n) < 0 { n } else { self.ping(n + 1).wrapping_mul(5) + n }
    }
    fn recurses_with_room(&self, n: i32) -> i32 {
        let mut room = [0i32; 1000];
        room[n as usize % 1000] = n;
        let room = black_box(room);
        self.recurses_with_room(n + 1).wrapping_add(room[7]) //= 25 recurses_with_room: the recursion is too deep
    }
    fn wants_much(&self) -> usize {
        black_box(Vec::<i32>::with_capacity(black_box(300_000_000))).capacity() //= 26 wants_much: more memory
    }
    fn wants_ever_more(&mut self) {
        while black_box(self.zero) == 0 {
            self.numbers.push(1); //= 27 wants_ever_more: more memory
        }
    }
    fn takes_root(&self) -> u32 {
        u32::from_str_radix("7", black_box(99)).unwrap_or(1) //= 28 takes_root: it panicked
    }
    fn aborts(&self) {
        std::process::abort(); //= 29 aborts: it came to code that cannot be reached
    }
    fn orders_too_much(&self, game: &Game) {
        for id in 0..2000 {
            game.move_ant(id, Dir::Up); //= 30 orders_too_much: too many orders
        }
    }
    fn panics_inside(&self) -> i32 {
        let inside = |n: i32| if n == 0 { panic!("inside") } else { n }; //= 31 {closure#0}: it panicked
        inside(self.zero)
    }
    fn third(&self, n: i32) -> i32 {
        self.numbers[black_box(n) as usize] //= 32 third: it panicked
    }
    fn second(&self, n: i32) -> i32 {
        self.third(n + 1)
    }
    fn first(&self, n: i32) -> i32 {
        self.second(n + 1)
    }
    fn writes_null(&self) {
        let nowhere: *mut i32 = black_box(std::ptr::null_mut());
        unsafe { nowhere.write_volatile(1) } //= 33 writes_null: access through a null pointer
    }
    /// As deep as programs can on most systems: nobody dies.
    #[inline(never)]
    fn deep(&self, n: i32) -> i32 {
        if n == 0 { self.zero } else { self.deep(n - 1).wrapping_mul(black_box(3)).wrapping_add(n) }
    }
}

impl Player for Deaths {
    fn new(_: &Game) -> Self {
        Deaths { zero: black_box(0), numbers: vec![1, 2, 3], prices: HashMap::from([("milk", 2)]) }
    }

    fn play(&mut self, game: &Game) {
        let rest = match game.settings.rounds - 20 {
            0 => return self.panics(),
            1 => self.unwraps_nothing(),
            2 => self.expects(),
            3 => self.indexes(),
            4 => self.indexes_array(),
            5 => self.slices() as i32,
            6 => self.cuts_text() as i32,
            7 => self.asks_map(),
            8 => return self.borrows_twice(),
            9 => self.divides(),
            10 => self.takes_rest(),
            11 => self.divides_smallest(),
            12 => return self.asserts(),
            13 => return self.asserts_equal(),
            14 => return self.is_not_reached(),
            15 => return self.is_to_be_done(),
            16 => self.removes(),
            17 => return self.inserts(),
            18 => self.splits() as i32,
            19 => return self.copies(),
            20 => self.chunks() as i32,
            21 => self.steps() as i32,
            22 => return self.loops(),
            23 => self.recurses(1),
            24 => self.ping(1),
            25 => self.recurses_with_room(1),
            26 => self.wants_much() as i32,
            27 => return self.wants_ever_more(),
            28 => self.takes_root() as i32,
            29 => return self.aborts(),
            30 => return self.orders_too_much(game),
            31 => self.panics_inside(),
            32 => self.first(1) + 1,
            33 => return self.writes_null(),
            50 => self.deep(58_000),
            _ => 0,
        };
        black_box(rest);
    }
}

player!(Deaths, "Deaths");
