//! `GENERATOR3`: a building of square rooms, with partitions taken out until
//! every room can be reached, and then a few more.

use super::board::{Cell, blank};
use crate::{Generator, Grid, Pos};

/// From one wall to the next.
const PITCH: i32 = 6;

/// The sides for which rooms fill the board.
pub fn fits(side: i32) -> bool {
    side % PITCH == 1
}

/// What separates a room from the one to the right of it, or below it.
#[derive(Clone, Copy)]
struct Partition {
    /// Row and column of the room, counted in rooms.
    room: Pos,
    /// From the room to the one behind the partition.
    step: (i32, i32),
}

pub fn building(side: i32, generator: &mut Generator) -> Grid<Cell> {
    let mut cells = blank(side);
    for i in (0..side).step_by(PITCH as usize) {
        for j in 0..side {
            cells[Pos::new(i, j)] = Cell::WALL;
            cells[Pos::new(j, i)] = Cell::WALL;
        }
    }
    let rooms = side / PITCH;
    let partitions = partitions(rooms);
    let mut order = Vec::new();
    generator.permutation(partitions.len(), &mut order);
    let mut wings = Wings::new(rooms);
    let mut rest = Vec::new();
    for k in order {
        let partition = partitions[k as usize];
        if wings.join(partition.room, partition.room + partition.step) {
            partition.open(&mut cells);
        } else {
            rest.push(partition);
        }
    }
    for partition in rest.into_iter().take(2 * rooms as usize) {
        if partition.ends_hold(&cells) {
            partition.open(&mut cells);
        }
    }
    cells
}

fn partitions(rooms: i32) -> Vec<Partition> {
    let grid = |rows: i32, cols: i32, step| {
        (0..rows).flat_map(move |a| (0..cols).map(move |b| Partition { room: Pos::new(a, b), step }))
    };
    grid(rooms, rooms - 1, (0, 1)).chain(grid(rooms - 1, rooms, (1, 0))).collect()
}

impl Partition {
    /// The cells of the partition, and the two pillars at its ends.
    fn line(self) -> impl Iterator<Item = Pos> {
        let (di, dj) = self.step;
        let corner = Pos::new(PITCH * (self.room.i + di), PITCH * (self.room.j + dj));
        (0..=PITCH).map(move |k| corner + (k * dj, k * di))
    }

    fn open(self, cells: &mut Grid<Cell>) {
        self.line().skip(1).take(PITCH as usize - 1).for_each(|pos| cells[pos] = Cell::UNOWNED);
    }

    /// Whether without the partition no pillar at its ends would stand alone.
    fn ends_hold(self, cells: &Grid<Cell>) -> bool {
        let (di, dj) = self.step;
        let is_wall = |pos: Pos| cells.get(pos).is_some_and(Cell::is_wall);
        let is_held = |end: Pos, outwards: i32| {
            is_wall(end + (outwards * dj, outwards * di)) || is_wall(end + (di, dj)) || is_wall(end + (-di, -dj))
        };
        let first = self.line().next().expect("a partition has a first end");
        let last = first + (PITCH * dj, PITCH * di);
        is_held(first, -1) && is_held(last, 1)
    }
}

/// Which rooms are connected: each points to another of its wing, the last to itself.
struct Wings {
    rooms: i32,
    next: Vec<usize>,
}

impl Wings {
    fn new(rooms: i32) -> Self {
        Wings { rooms, next: (0..(rooms * rooms) as usize).collect() }
    }

    fn wing_of(&mut self, room: Pos) -> usize {
        let mut at = (room.i * self.rooms + room.j) as usize;
        while self.next[at] != at {
            self.next[at] = self.next[self.next[at]];
            at = self.next[at];
        }
        at
    }

    /// Whether the two rooms were not connected yet.
    fn join(&mut self, a: Pos, b: Pos) -> bool {
        let (a, b) = (self.wing_of(a), self.wing_of(b));
        self.next[a] = b;
        a != b
    }
}
