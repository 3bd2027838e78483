// A player that does nothing: copy it, give it a name of your own, and begin.
use ludus_player::potter::*;

// What you put in here keeps its value from one round to the next.
struct Null;

impl Player for Null {
    // Called once, when the board of round 0 can be seen.
    fn new(_game: &Game) -> Self {
        Null
    }

    // Called once per round. Look at the board and give orders, for instance:
    //
    //     for wizard in game.wizards(game.me()) {
    //         let above = game.cell(wizard.pos + Dir::Up);
    //         if above.is_some_and(|cell| !cell.is_wall) {
    //             game.move_unit(wizard.id, Dir::Up);
    //         }
    //     }
    //
    // Each unit takes one order in a round; the first one counts. Everything
    // that you can ask and order is in API.md.
    fn play(&mut self, _game: &Game) {}
}

// The name of your player has at most 12 letters and digits.
player!(Null, "Null");
