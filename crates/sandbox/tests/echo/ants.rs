use ludus_player::ants::*;

struct Echoes;

impl Player for Echoes {
    fn new(game: &Game) -> Self {
        let s = &game.settings;
        let mut e = Echo::new();
        e.words(&[4, s.rounds, s.rows, s.cols, s.queen_period]);
        for all in [s.soldier_cost, s.worker_cost, s.bread, s.seed, s.leaf] {
            e.words(&Nutrient::ALL.map(|nutrient| all[nutrient]));
        }
        e.words(&[s.initial_soldiers, s.initial_workers, s.bonus_rows, s.bonus_cols, s.bonus_period]);
        e.words(&[s.worker_life, s.soldier_life, s.queen_life]);
        e.tell("settings");
        Echoes
    }

    fn play(&mut self, game: &Game) {
        let board = board(game.settings.rows, game.settings.cols);
        let food = |food: Option<Food>| food.map_or(3, |food| food as i32);
        let mut e = Echo::new();
        e.words(&[game.round(), game.ants().count() as i32]);
        e.per_seat(|seat| game.score(seat));
        e.statuses(|seat| game.status(seat));
        for cell in board.clone().map(|pos| game.cell(pos).unwrap()) {
            e.raw(&[food(cell.food) as u8 + 16 * u8::from(cell.is_water)]);
        }
        e.align();
        board.for_each(|pos| e.words(&[game.cell(pos).unwrap().ant.unwrap_or(-1)]));
        for ant in game.ants() {
            let reserve = Nutrient::ALL.map(|nutrient| ant.reserve[nutrient]);
            e.words(&[ant.id, ant.kind as i32, ant.seat.index() as i32, ant.pos.i, ant.pos.j]);
            e.words(&reserve);
            e.words(&[food(ant.load), ant.life]);
        }
        e.tell("state");
    }
}

player!(Echoes, "Echoes");
