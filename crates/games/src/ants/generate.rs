//! Boards made from the seed: rivers first, then the rectangles for food.
//!
//! The generator is never set back: the draws of a rejected river or of a
//! rejected layout stay consumed.

use super::board::{Board, Cell, Terrain};
use super::settings::Settings;
use crate::{Generator, Grid, PerSeat, Pos, Seat, connected};

const ATTEMPTS: usize = 100;

/// The eight headings of a river, so that neighbours in the list differ by 45 degrees.
const HEADINGS: [(i32, i32); 8] = [(1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1)];

pub fn board(settings: &Settings, generator: &mut Generator) -> Board {
    let layout = rivers(settings, generator);
    Board { cells: layout.cells, terrain: Terrain { rivers: layout.rivers, corners: corners(settings, generator) } }
}

struct Layout {
    cells: Grid<Cell>,
    rivers: Vec<Vec<Pos>>,
    /// Cells within two rows and columns of a river.
    close: Grid<bool>,
}

impl Layout {
    fn empty(settings: &Settings) -> Self {
        Layout {
            cells: Grid::new(settings.rows, settings.cols, Cell::Soil),
            rivers: Vec::new(),
            close: Grid::new(settings.rows, settings.cols, false),
        }
    }

    fn add(&mut self, river: &[Pos]) {
        for &pos in river {
            self.cells[pos] = Cell::Water;
            for i in (pos.i - 2).max(0)..=(pos.i + 2).min(self.close.rows() - 1) {
                for j in (pos.j - 2).max(0)..=(pos.j + 2).min(self.close.cols() - 1) {
                    self.close[Pos::new(i, j)] = true;
                }
            }
        }
        self.rivers.push(river.to_vec());
    }
}

/// A layout that leaves the soil in one piece; no water if a hundred tries give none.
fn rivers(settings: &Settings, generator: &mut Generator) -> Layout {
    for _ in 0..ATTEMPTS {
        let layout = layout(settings, generator);
        if connected(&layout.cells, |cell| cell == Cell::Soil) {
            return layout;
        }
    }
    Layout::empty(settings)
}

fn layout(settings: &Settings, generator: &mut Generator) -> Layout {
    let mut layout = Layout::empty(settings);
    let mut curve = Vec::new();
    for _ in 0..generator.random(10, 20) {
        let i = generator.random(0, settings.rows - 1);
        let source = Pos::new(i, generator.random(0, settings.cols - 1));
        if layout.close[source] {
            continue;
        }
        for _ in 0..ATTEMPTS {
            draw_curve(source, &layout.close, generator, &mut curve);
            if !curve.iter().any(|&pos| layout.close[pos]) {
                layout.add(&curve);
                break;
            }
        }
    }
    layout
}

/// A curve that gets farther from its source with every step, and so never
/// meets itself.
fn draw_curve(source: Pos, board: &Grid<bool>, generator: &mut Generator, curve: &mut Vec<Pos>) {
    let far = |pos: Pos| {
        let (di, dj) = (pos.i - source.i, pos.j - source.j);
        di * di + dj * dj
    };
    curve.clear();
    let mut pos = source;
    let mut heading = generator.random(0, 7);
    for _ in 0..generator.random(5, 15) {
        curve.push(pos);
        let turn = generator.random(-1, 1);
        let next = [heading + turn, heading - 1, heading, heading + 1].into_iter().find_map(|heading| {
            let heading = heading & 7;
            let next = pos + HEADINGS[heading as usize];
            (board.contains(next) && far(next) > far(pos)).then_some((next, heading))
        });
        match next {
            Some(next) => (pos, heading) = next,
            None => break,
        }
    }
}

/// Where food of each kind grows: a rectangle in each quadrant.
fn corners(settings: &Settings, generator: &mut Generator) -> [PerSeat<Pos>; 3] {
    let (rows, cols) = (settings.rows, settings.cols);
    let mut corners = [[Pos::default(); Seat::COUNT]; 3];
    for seat in Seat::ALL {
        for corners in &mut corners {
            let i = match seat.index() {
                0 | 1 => generator.random(0, rows / 2 - settings.bonus_rows),
                _ => generator.random(rows / 2, rows - settings.bonus_rows),
            };
            let j = match seat.index() {
                0 | 3 => generator.random(0, cols / 2 - settings.bonus_cols),
                _ => generator.random(cols / 2, cols - settings.bonus_cols),
            };
            corners[seat] = Pos::new(i, j);
        }
    }
    corners
}
