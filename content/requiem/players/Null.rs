// A player that does nothing: copy it and begin.
use ludus_player::requiem::*;

struct Null;

impl Player for Null {
    // Called once, when the board of round 1 can be seen.
    fn new(_game: &Game) -> Self {
        Null
    }

    // Called in every round. For instance, to send all farmers east:
    //
    // for farmer in game.farmers(game.me()) {
    //     game.go(farmer.id, Dir::East);
    // }
    fn play(&mut self, _game: &Game) {}
}

player!(Null, "Null");
