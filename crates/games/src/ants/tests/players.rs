//! What the players that come with the game promise.

use super::{config, start};
use crate::ants::engine::{LAY, MOVE};
use crate::ants::{ABOUT, State};
use crate::game::typed;
use crate::{Dir4, Orders, PerSeat, Seat};

/// The cells on which the orders of a seat put an ant, besides those that its
/// ants stand on.
fn targets(state: &State, orders: &Orders) -> Vec<crate::Pos> {
    let target = |order: &[i32]| {
        let &[id, MOVE | LAY, dir, _] = order else { return None };
        Some(state.ant(id).unwrap().pos + Dir4::from_number(dir).unwrap().step())
    };
    orders.iter().filter_map(target).collect()
}

#[test]
fn dummy_never_sends_two_ants_to_one_cell() {
    let dummy = ABOUT.players.iter().find(|player| player.name == "Dummy").unwrap();
    for (seed, changes) in [(1, &[][..]), (2, &[("WORKER_PROTE", "0"), ("QUEEN_PERIOD", "1"), ("BONUS_PERIOD", "4")])] {
        let mut engine = start(&config(changes), seed).unwrap();
        let mut players = Seat::ALL.map(|seat| (dummy.new)(seed, seat));
        let mut busy = 0;
        while engine.state().round() < engine.state().rounds() {
            let mut orders: PerSeat<Orders> = PerSeat::default();
            for seat in Seat::ALL {
                players[seat].play(engine.state(), &mut orders[seat]);
                let state: &State = typed(engine.state());
                let mut cells = targets(state, &orders[seat]);
                busy += cells.len();
                cells.extend(state.ants.iter().filter(|ant| ant.seat == seat).map(|ant| ant.pos));
                let all = cells.len();
                cells.sort_unstable();
                cells.dedup();
                assert_eq!(cells.len(), all, "round {} seat {seat}", state.round);
            }
            engine.step(&orders).unwrap();
        }
        assert!(busy > 1000, "only {busy} steps");
    }
}
