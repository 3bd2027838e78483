//! What a player's program gets to see, as bytes (`docs/abi/requiem.md`).
//!
//! Everybody sees another board, and this is asked for by every seat in every
//! round: colours are turned by going through the board once in the order of
//! the view, and everything else is written robot by robot.

use super::board::{Colour, team_seen};
use super::settings::Settings;
use super::state::{Model, State};
use super::view::View;
use crate::Seat;
use crate::bytes::WriteBytes;

/// The four settings, in the order of the config.
pub fn write_settings(settings: &Settings, out: &mut Vec<u8>) {
    out.ints(&[settings.rounds, settings.dim, settings.farmers, settings.knights]);
}

pub fn write_view(state: &State, seat: Seat, out: &mut Vec<u8>) {
    let view = View::new(state, seat);
    out.ints(&[view.round(), view.rounds_left(), view.seed(), state.robots.len() as i32]);
    out.ints(&[-1, 0, 1, 2, 3, 4].map(|colour| view.squares(colour).unwrap_or(0)));
    for model in Model::ALL {
        out.ints(&[1, 2, 3, 4].map(|team| view.ids(team, model).len() as i32));
    }
    write_colours(state, seat, out);
    out.pad(4);
    write_robots(&view, out);
    for model in Model::ALL {
        for team in 1..=4 {
            rows(out, view.ids(team, model).map(|id| [id]));
        }
    }
}

fn write_colours(state: &State, seat: Seat, out: &mut Vec<u8>) {
    let cells = state.colours.cells();
    let dim = state.settings.dim as usize;
    let numbers = numbers(seat);
    let number = |colour: &Colour| numbers[*colour as usize & 63];
    let start = out.len();
    match seat.index() {
        0 => out.extend(cells.iter().map(number)),
        1 => (0..dim).rev().for_each(|j| out.extend(cells[j..].iter().step_by(dim).map(number))),
        2 => out.extend(cells.iter().rev().map(number)),
        _ => (0..dim).for_each(|j| out.extend(cells[j..].iter().step_by(dim).rev().map(number))),
    }
    if dim % 2 == 1 {
        // The reference forgets to turn the central row and column.
        let seen = &mut out[start..];
        let (row, column) = (dim / 2 * dim..(dim / 2 + 1) * dim, (dim / 2..dim * dim).step_by(dim));
        row.chain(column).for_each(|at| seen[at] = number(&cells[at]));
    }
}

/// The number by which a player knows each colour, as a byte, by its letter.
fn numbers(seat: Seat) -> [u8; 64] {
    let mut numbers = [0; 64];
    numbers[Colour::Wall as usize] = -1i8 as u8;
    for owner in Seat::ALL {
        numbers[Colour::of(owner) as usize] = team_seen(seat, owner) as u8;
    }
    numbers
}

/// The place in the list of the robot on each square, and the list.
fn write_robots(view: &View<'_>, out: &mut Vec<u8>) {
    const NOBODY: u8 = -1i8 as u8;
    let dim = view.dim();
    let start = out.len();
    out.resize(start + 4 * (dim * dim) as usize, NOBODY);
    let (squares, _) = out[start..].as_chunks_mut::<4>();
    for (place, robot) in view.robots().enumerate() {
        squares[(robot.pos.i * dim + robot.pos.j) as usize] = (place as i32).to_le_bytes();
    }
    rows(
        out,
        view.robots().map(|robot| [robot.id, robot.pos.i, robot.pos.j, robot.team, robot.model as i32, robot.life]),
    );
}

/// Rows of integers, at less cost than one by one.
fn rows<const N: usize>(out: &mut Vec<u8>, rows: impl ExactSizeIterator<Item = [i32; N]>) {
    let start = out.len();
    out.resize(start + 4 * N * rows.len(), 0);
    let (ints, _) = out[start..].as_chunks_mut::<4>();
    for (place, row) in ints.as_chunks_mut::<N>().0.iter_mut().zip(rows) {
        *place = row.map(i32::to_le_bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::engine::Engine;
    use super::*;
    use crate::{Orders, Pos};

    /// Reads a view as a player's side does, and compares every answer.
    fn check(state: &State, seat: Seat) {
        let view = View::new(state, seat);
        let mut out = Vec::new();
        write_view(state, seat, &mut out);
        let mut at = 0;
        let int = |from: &mut usize| {
            *from += 4;
            i32::from_le_bytes(out[*from - 4..*from].try_into().unwrap())
        };
        let head = [0; 4].map(|_| int(&mut at));
        assert_eq!(head, [view.round(), view.rounds_left(), view.seed(), state.robots.len() as i32]);
        for colour in -1..=4 {
            assert_eq!(int(&mut at), view.squares(colour).unwrap(), "{seat} squares of {colour}");
        }
        let lengths = [0; 8].map(|_| int(&mut at));
        let squares: Vec<Pos> = state.colours.positions().collect();
        for &pos in &squares {
            assert_eq!(i32::from(out[at] as i8), view.colour(pos).unwrap().number(), "{seat} {pos:?}");
            at += 1;
        }
        at = at.next_multiple_of(4);
        let robots: Vec<_> = view.robots().collect();
        for &pos in &squares {
            let robot = robots.get(int(&mut at) as usize).copied();
            assert_eq!(robot, view.robot_at(pos), "{seat} {pos:?}");
        }
        for robot in robots {
            let found = [0; 6].map(|_| int(&mut at));
            assert_eq!(found, [robot.id, robot.pos.i, robot.pos.j, robot.team, robot.model as i32, robot.life]);
        }
        let lists = Model::ALL.into_iter().flat_map(|model| (1..=4).map(move |team| (team, model)));
        for ((team, model), length) in lists.zip(lengths) {
            let ids: Vec<i32> = (0..length).map(|_| int(&mut at)).collect();
            assert_eq!(ids, view.ids(team, model).collect::<Vec<_>>(), "{seat} {team} {model:?}");
        }
        assert_eq!(at, out.len());
    }

    #[test]
    fn every_seat_reads_its_own_view() {
        use crate::Engine as _;
        for (dim, farmers, knights) in [(10, 1, 1), (20, 6, 20), (31, 12, 13), (50, 20, 20)] {
            let settings = Arc::new(Settings { rounds: 60, dim, farmers, knights });
            let mut engine = Engine::new(&settings, 5).unwrap();
            for round in 0..60 {
                Seat::ALL.into_iter().for_each(|seat| check(engine.board(), seat));
                let orders = Seat::ALL.map(|seat| {
                    let robots = engine.board().robots.iter().filter(|robot| robot.seat == seat);
                    let mut orders = Orders::new();
                    robots.for_each(|robot| orders.push(&[robot.id, 1 + (robot.id * 7 + round * 3) % 9]));
                    orders
                });
                engine.step(&orders).unwrap();
            }
        }
    }
}
