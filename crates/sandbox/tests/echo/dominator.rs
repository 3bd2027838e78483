use ludus_player::dominator::*;

struct Echoes;

impl Player for Echoes {
    fn new(game: &Game) -> Self {
        let s = &game.settings;
        let mut e = Echo::new();
        e.words(&[4, s.rounds, s.farmers, s.knights, s.witches, s.farmer_health, s.knight_health]);
        e.words(&[s.farmer_regen, s.knight_regen, s.damage_min, s.damage_max, s.rows, s.cols]);
        e.tell("settings");
        Echoes
    }

    fn play(&mut self, game: &Game) {
        let cells = board(game.settings.rows, game.settings.cols).map(|pos| game.cell(pos).unwrap());
        let mut ids: Vec<i32> = Vec::new();
        let mut e = Echo::new();
        e.words(&[game.round(), game.units().count() as i32]);
        e.per_seat(|seat| game.land(seat));
        e.per_seat(|seat| game.score(seat));
        e.statuses(|seat| game.status(seat));
        for seat in Seat::ALL {
            for list in [
                game.farmers(seat).map(|unit| unit.id).collect::<Vec<i32>>(),
                game.knights(seat).map(|unit| unit.id).collect(),
                game.witches(seat).map(|unit| unit.id).collect(),
            ] {
                ids.extend(list);
                e.words(&[ids.len() as i32]);
            }
        }
        e.words(&[0, 0]);
        for cell in cells.clone() {
            let owner = cell.owner.map_or(0, |seat| 1 + seat.index() as u8);
            e.raw(&[owner | u8::from(cell.is_wall) << 4 | u8::from(cell.is_haunted) << 5]);
        }
        e.align();
        cells.for_each(|cell| e.words(&[cell.unit.unwrap_or(-1)]));
        e.words(&ids);
        for unit in game.units() {
            e.words(&[unit.kind as i32, unit.id, unit.seat.index() as i32, unit.health]);
            e.words(&[unit.pos.i, unit.pos.j, i32::from(unit.is_active)]);
        }
        e.tell("state");
    }
}

player!(Echoes, "Echoes");
