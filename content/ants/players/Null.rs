// A player that does nothing: copy it and begin.
use ludus_player::ants::*;

struct Null;

impl Player for Null {
    // Called once, when the board of round 0 can be seen.
    fn new(_game: &Game) -> Self {
        Null
    }

    // Called in every round.
    fn play(&mut self, _game: &Game) {}
}

player!(Null, "Null");
