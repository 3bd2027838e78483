use ludus_player::potter::*;

struct Echoes;

impl Player for Echoes {
    fn new(game: &Game) -> Self {
        let s = &game.settings;
        let mut e = Echo::new();
        e.words(&[4, s.rounds, s.rows, s.cols, s.initial_wizards, s.books, s.initial_strength]);
        e.words(&[s.conversion_points, s.cell_points, s.book_strength, s.conversion_rounds]);
        e.words(&[s.attack_rest, s.spell_rest, s.attack_pause]);
        e.tell("settings");
        Echoes
    }

    fn play(&mut self, game: &Game) {
        let rows = game.settings.rows;
        let cells = board(rows, game.settings.cols).map(|pos| game.cell(pos).unwrap());
        let voldemort = game.voldemort();
        let mut e = Echo::new();
        e.words(&[game.round(), game.units().count() as i32, game.ingredients().len() as i32, 0]);
        e.words(&[voldemort.i, voldemort.j]);
        e.statuses(|seat| game.status(seat));
        e.per_seat(|seat| game.score(seat));
        e.per_seat(|seat| game.magic_strength(seat));
        e.per_seat(|seat| game.ghost(seat).id);
        e.per_seat(|seat| game.wizards(seat).count() as i32);
        for i in 0..rows {
            let has = |j: i32| u64::from(game.cell(Pos::new(i, j)).unwrap().has_book);
            e.raw(&(0..game.settings.cols).fold(0, |books, j| books | has(j) << j).to_le_bytes());
        }
        for cell in cells.clone() {
            let corridor = cell.owner.map_or(b'.', |seat| b'0' + seat.index() as u8);
            e.raw(&[if cell.is_wall { b'W' } else { corridor }]);
        }
        cells.for_each(|cell| e.raw(&(cell.unit.unwrap_or(-1) as i16).to_le_bytes()));
        for unit in game.units() {
            e.raw(&[unit.kind as u8, unit.seat.index() as u8, unit.pos.i as u8, unit.pos.j as u8]);
            let next = unit.joins.map(|seat| seat.index() as i32).or(unit.attacked);
            e.words(&[unit.rounds, next.unwrap_or(-1)]);
        }
        e.words(game.ingredients());
        for seat in Seat::ALL {
            game.wizards(seat).for_each(|wizard| e.raw(&(wizard.id as i16).to_le_bytes()));
        }
        e.tell("state");
    }
}

player!(Echoes, "Echoes");
