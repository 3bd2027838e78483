//! Whole matches with orders spoilt at random, for tests of what always holds.

use crate::game::typed;
use crate::{Engine, Game, Generator, Orders, PerSeat, Seat, State};

/// Plays some matches of the default config and checks every round of them:
/// the state before it, its orders, and the engine after it.
pub fn check_rounds<S: State>(game: &dyn Game, mut check: impl FnMut(&S, &PerSeat<Orders>, &dyn Engine)) {
    let about = game.about();
    let config = game.read_config(about.default_config.as_bytes()).expect("the default config is right");
    let demo = about.player("Demo").expect("every game has a Demo");
    for seed in 1..=3 {
        let mut engine = config.start(seed).expect("the default config can be played");
        let mut players = Seat::ALL.map(|seat| (demo.new)(seed, seat));
        let mut generator = Generator::new(-seed);
        while engine.state().round() < engine.state().rounds() {
            let orders = Seat::ALL.map(|seat| {
                let mut asked = Orders::new();
                players[seat].play(engine.state(), &mut asked);
                let mut accepted = Orders::new();
                // Who asks too often gives no orders, as after a fault.
                let _ = engine.accept(seat, &spoilt(&asked, &mut generator), &mut accepted);
                accepted
            });
            let before = engine.snapshot();
            engine.step(&orders).expect("the default config never gets stuck");
            check(typed(before.state()), &orders, &*engine);
        }
    }
}

/// Half of the orders with another last word, be it a direction or not, and a
/// few for another unit.
fn spoilt(orders: &Orders, generator: &mut Generator) -> Orders {
    let mut all = Orders::new();
    for order in orders.iter() {
        let mut order = order.to_vec();
        match generator.random(0, 9) {
            0..5 => *order.last_mut().expect("a Demo gives no empty orders") = generator.random(-1, 9),
            5 => order[0] = generator.random(-1, 200),
            _ => {}
        }
        all.push(&order);
    }
    all
}
