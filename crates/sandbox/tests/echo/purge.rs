use ludus_player::purge::*;

struct Echoes;

impl Player for Echoes {
    fn new(game: &Game) -> Self {
        let s = &game.settings;
        let mut e = Echo::new();
        e.words(&[4, s.days, s.rounds_per_day, s.rows, s.cols, s.initial_builders, s.initial_warriors]);
        e.words(&[s.initial_money, s.initial_food, s.initial_guns, s.initial_bazookas]);
        e.words(&[s.life(Kind::Builder), s.life(Kind::Warrior), s.money_points]);
        e.words(&[s.kill_points(Kind::Builder), s.kill_points(Kind::Warrior), s.food_life, s.life_lost]);
        let weapons = [None, Some(Weapon::Hammer), Some(Weapon::Gun), Some(Weapon::Bazooka)];
        e.words(&weapons.map(|weapon| s.attack(weapon)));
        e.words(&weapons.map(|weapon| s.demolish(weapon)));
        e.words(&[s.builder_delay, s.warrior_delay, s.food_delay, s.money_delay, s.weapon_delay]);
        e.words(&[s.barricade_step, s.barricade_max, s.most_barricades]);
        e.tell("settings");
        Echoes
    }

    fn play(&mut self, game: &Game) {
        let board = board(game.settings.rows, game.settings.cols);
        let cells = board.map(|pos| game.cell(pos).unwrap());
        let mut barricades: Vec<Barricade> = Seat::ALL.iter().flat_map(|seat| game.barricades(*seat)).collect();
        barricades.sort_by_key(|barricade| (barricade.pos.i, barricade.pos.j));
        let mut e = Echo::new();
        e.words(&[game.round(), i32::from(game.is_day()), game.citizens().count() as i32, barricades.len() as i32]);
        e.per_seat(|seat| game.score(seat));
        e.statuses(|seat| game.status(seat));
        for cell in cells.clone() {
            let item = match cell.item {
                Some(Item::Money) => 0b0011,
                Some(Item::Food) => 0b0111,
                Some(Item::Gun) => 0b1001,
                Some(Item::Bazooka) => 0b1010,
                None => 0b1011,
            };
            let owner = cell.barricade.map_or(0, |barricade| 1 + barricade.seat.index() as u8);
            e.raw(&[item | u8::from(cell.is_building) << 4 | owner << 5]);
        }
        e.align();
        cells.clone().for_each(|cell| e.words(&[cell.citizen.unwrap_or(-1)]));
        cells.for_each(|cell| e.words(&[cell.barricade.map_or(-1, |barricade| barricade.resistance)]));
        for one in game.citizens() {
            let weapon = one.weapon.map_or(3, |weapon| weapon as i32);
            e.words(&[one.id, one.kind as i32, one.seat.index() as i32, one.pos.i, one.pos.j, weapon, one.life]);
        }
        for one in &barricades {
            e.words(&[one.seat.index() as i32, one.pos.i, one.pos.j, one.resistance]);
        }
        e.tell("state");
    }
}

player!(Echoes, "Echoes");
