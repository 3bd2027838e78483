//! Making the board: a border, a broken cross, rubble in the middle, and the
//! robots of each team scattered over its starting area.

use std::sync::Arc;

use super::board::{Colour, on_board};
use super::random::Generator;
use super::settings::{Settings, start_side};
use super::state::{Model, State};
use crate::tokens::{Result, TextError};
use crate::{Grid, Pos, Seat};

/// The first state. The reference never comes to an end with some seeds; those are errors.
pub fn state(settings: &Arc<Settings>, generator: &mut Generator) -> Result<State> {
    let colours = walls(settings.dim, generator);
    for seat in Seat::ALL {
        check_room(settings, &colours, seat)?;
    }
    let mut state = State::new(settings, colours);
    for seat in Seat::ALL {
        for (model, count) in [(Model::Farmer, settings.farmers), (Model::Knight, settings.knights)] {
            for _ in 0..count {
                let pos = free_square(&state, seat, generator)?;
                state.create(seat, model, pos);
            }
        }
    }
    state.muster();
    state.sum_up();
    Ok(state)
}

fn walls(dim: i32, generator: &mut Generator) -> Grid<Colour> {
    let mut colours = Grid::new(dim, dim, Colour::Bare);
    for k in 0..dim {
        for (i, j) in [(0, k), (dim - 1, k), (k, 0), (k, dim - 1)] {
            colours[Pos::new(i, j)] = Colour::Wall;
        }
    }
    let centre = dim / 2;
    for k in (4..=dim - 5).filter(|k| (k - centre).abs() > 3) {
        for pos in [Pos::new(k, centre), Pos::new(centre, k)] {
            if generator.below(4) != 0 {
                colours[pos] = Colour::Wall;
            }
        }
    }
    for i in dim / 3..2 * dim / 3 {
        for j in dim / 3..2 * dim / 3 {
            if generator.below(30) == 0 {
                colours[Pos::new(i, j)] = Colour::Wall;
            }
        }
    }
    colours
}

fn check_room(settings: &Settings, colours: &Grid<Colour>, seat: Seat) -> Result<()> {
    let dim = settings.dim;
    let area = 1..=start_side(dim);
    let squares = area.clone().flat_map(|i| area.clone().map(move |j| Pos::new(i, j)));
    let room = squares.filter(|&pos| colours[on_board(seat, dim, pos)] != Colour::Wall).count();
    let robots = settings.farmers + settings.knights;
    if robots as usize <= room {
        return Ok(());
    }
    Err(TextError::whole(format!(
        "PAGESOS {} and CAVALLERS {} must be at most {room} together with this seed, whose walls leave no more room to team {}",
        settings.farmers,
        settings.knights,
        seat.index() + 1
    )))
}

/// Draws squares of the starting area until one is free.
fn free_square(state: &State, seat: Seat, generator: &mut Generator) -> Result<Pos> {
    let dim = state.settings.dim;
    let side = start_side(dim) as u32;
    loop {
        let before = generator.state();
        let (i, j) = (1 + generator.below(side), 1 + generator.below(side));
        let pos = on_board(seat, dim, Pos::new(i as i32, j as i32));
        if state.colours[pos] != Colour::Wall && state.robot_on[pos] == State::NOBODY {
            return Ok(pos);
        }
        // The generator goes through all its states but one, which leads to itself.
        if generator.state() == before {
            return Err(TextError::whole(format!(
                "the generator is stuck at {before}, so the robots cannot be scattered; choose another seed"
            )));
        }
    }
}
