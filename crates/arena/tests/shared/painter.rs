//! The first program that a student of Requiem might write: every farmer walks
//! to the nearest square that is not its own, found by a plain breadth-first
//! search, and the knights stay where they are.

use std::collections::VecDeque;

use ludus_arena::{Entrant, Fault, Match, Player, Turn, builtin};
use ludus_games::game::typed;
use ludus_games::requiem::{Colour, STEPS, State, View};
use ludus_games::{Grid, Orders, Pos, Seat, find};

pub const GAME: &str = "requiem";

/// How many matches it wins alone against three Dummies, its seat turning from
/// seed to seed.
pub fn wins_against_dummies(seeds: std::ops::Range<i32>) -> i32 {
    let game = find(GAME).expect("the game is in the registry");
    let config = game.read_config(game.about().default_config.as_bytes()).expect("the default config can be read");
    let dummy = game.about().players.iter().find(|player| player.name == "Dummy").expect("every game has it");
    let is_won = |&seed: &i32| {
        let alone = Seat::ALL[seed as usize % Seat::COUNT];
        let entrants = Seat::ALL.map(|seat| match seat == alone {
            true => Entrant { name: "Painter".to_owned(), player: Box::new(Painter { seat }) },
            false => Entrant { name: "Dummy".to_owned(), player: builtin(dummy, seed, seat) },
        });
        let mut played = Match::new(&*config, seed, entrants).expect("the default config can be played");
        let scores = played.play_out().expect("a match comes to its end").seats.map(|seat| seat.score);
        Seat::ALL.into_iter().all(|seat| seat == alone || scores[seat] < scores[alone])
    };
    seeds.filter(is_won).count() as i32
}

struct Painter {
    seat: Seat,
}

impl Player for Painter {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        let view = View::new(typed::<State>(turn.state), self.seat);
        for farmer in view.farmers(1) {
            if let Some(direction) = way_to_paint(&view, farmer.pos) {
                orders.push(&[farmer.id, direction]);
            }
        }
        Ok(())
    }
}

fn way_to_paint(view: &View, from: Pos) -> Option<i32> {
    let mut seen = Grid::new(view.dim(), view.dim(), false);
    seen[from] = true;
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((pos, first)) = queue.pop_front() {
        for direction in 1..=8 {
            let next = pos + STEPS[direction as usize];
            let first = if first == 0 { direction } else { first };
            let colour = view.colour(next);
            if matches!(colour, None | Some(Colour::Wall)) || seen[next] || view.robot_at(next).is_some() {
                continue;
            }
            if colour != Some(Colour::Team1) {
                return Some(first);
            }
            seen[next] = true;
            queue.push_back((next, first));
        }
    }
    None
}
