// A player that does nothing: copy it and begin.
use ludus_player::dominator::*;

struct Null;

impl Player for Null {
    // Called once, when the board of round 0 can be seen.
    fn new(_game: &Game) -> Self {
        Null
    }

    // Called in every round: look at the board and give your orders. You are
    // always in seat 0, and your quadrant is at the top left. For instance,
    // this sends all your farmers down:
    //
    //     for farmer in game.farmers(game.me()) {
    //         game.move_unit(farmer.id, Dir::Down);
    //     }
    //
    // API.md lists everything you can ask and order.
    fn play(&mut self, _game: &Game) {}
}

player!(Null, "Null");
