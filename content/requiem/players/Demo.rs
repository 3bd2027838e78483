// Farmers march in one direction for the whole match; knights stagger about.
use ludus_player::requiem::*;

struct Demo {
    march: Dir,
}

impl Player for Demo {
    fn new(game: &Game) -> Self {
        Demo { march: Dir::ALL[game.random(0, 2) as usize] }
    }

    fn play(&mut self, game: &Game) {
        // An order towards a wall is not accepted, and the robot stays where it is.
        for farmer in game.farmers(game.me()) {
            game.go(farmer.id, self.march);
        }
        for knight in game.knights(game.me()) {
            game.go(knight.id, Dir::ALL[game.random(0, 7) as usize]);
        }
    }
}

player!(Demo, "Demo");
