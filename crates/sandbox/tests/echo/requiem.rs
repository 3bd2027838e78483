use ludus_player::requiem::*;

struct Echoes;

impl Player for Echoes {
    fn new(game: &Game) -> Self {
        let s = &game.settings;
        let mut e = Echo::new();
        e.words(&[s.rounds, s.side, s.farmers, s.knights]);
        e.tell("settings");
        Echoes
    }

    fn play(&mut self, game: &Game) {
        let board = board(game.settings.side, game.settings.side);
        let ids: Vec<i32> = game.robots().map(|robot| robot.id).collect();
        let mut e = Echo::new();
        // The seed of the generator is for the generator only.
        e.words(&[game.round(), game.rounds_left(), 0, ids.len() as i32]);
        e.words(&[game.squares(Colour::Wall), game.squares(Colour::Bare)]);
        e.per_seat(|seat| game.squares(Colour::Painted(seat)));
        e.per_seat(|seat| game.farmers(seat).count() as i32);
        e.per_seat(|seat| game.knights(seat).count() as i32);
        for pos in board.clone() {
            e.raw(&[match game.colour(pos).unwrap() {
                Colour::Wall => -1_i8 as u8,
                Colour::Bare => 0,
                Colour::Painted(seat) => 1 + seat.index() as u8,
            }]);
        }
        e.align();
        for pos in board {
            e.words(&[game.robot_at(pos).map_or(-1, |robot| ids.binary_search(&robot.id).unwrap() as i32)]);
        }
        for robot in game.robots() {
            e.words(&[robot.id, robot.pos.i, robot.pos.j, 1 + robot.seat.index() as i32]);
            e.words(&[1 + robot.model as i32, robot.life]);
        }
        for seat in Seat::ALL {
            game.farmers(seat).for_each(|robot| e.words(&[robot.id]));
        }
        for seat in Seat::ALL {
            game.knights(seat).for_each(|robot| e.words(&[robot.id]));
        }
        e.tell("state");
    }
}

player!(Echoes, "Echoes");
