use ludus_player::purge::*;

#[derive(Clone, Copy, Default, PartialEq)]
struct Mask([u64; 25]);

impl Mask {
    fn put(&mut self, pos: Pos) {
        self.0[pos.i as usize] |= 1 << pos.j;
    }

    fn test(&self, pos: Pos) -> bool {
        pos.i >= 0 && pos.i < 25 && pos.j >= 0 && pos.j < 64 && self.0[pos.i as usize] >> pos.j & 1 == 1
    }

    fn dilate(&self, area: &Mask) -> Mask {
        let mut result = Mask::default();
        for i in 0..25 {
            let line = self.0[i];
            let up = if i > 0 { self.0[i - 1] } else { 0 };
            let down = if i < 24 { self.0[i + 1] } else { 0 };
            result.0[i] = (line | line << 1 | line >> 1 | up | down) & area.0[i];
        }
        result
    }

    fn blank(&self) -> bool {
        self.0.iter().all(|&line| line == 0)
    }
}

struct Glow {
    roads: Mask,
    locked: Mask,
}

impl Glow {
    fn route(&self, from: Pos, aims: &Mask, clear: &Mask) -> Option<Dir> {
        if aims.blank() {
            return None;
        }
        let mut area = *clear;
        area.put(from);
        let mut tide = *aims;
        for _ in 0..80 {
            let hit = Dir::ALL.into_iter().find(|&dir| tide.test(from + dir) && !self.locked.test(from + dir));
            if hit.is_some() {
                return hit;
            }
            let wider = tide.dilate(&area);
            if wider == tide {
                return None;
            }
            for i in 0..25 {
                tide.0[i] |= wider.0[i];
            }
        }
        None
    }

    fn collect(game: &Game, want: impl Fn(Cell) -> bool) -> Mask {
        let mut mask = Mask::default();
        for i in 0..game.settings.rows {
            for j in 0..game.settings.cols {
                if game.cell(Pos::new(i, j)).is_some_and(&want) {
                    mask.put(Pos::new(i, j));
                }
            }
        }
        mask
    }

    fn advance(&mut self, game: &Game, actor: &Citizen, aims: &Mask, clear: &Mask) -> bool {
        match self.route(actor.pos, aims, clear) {
            Some(dir) => {
                self.locked.put(actor.pos + dir);
                game.move_citizen(actor.id, dir);
                true
            }
            None => false,
        }
    }
}

impl Player for Glow {
    fn new(game: &Game) -> Self {
        Glow { roads: Glow::collect(game, |cell| !cell.is_building), locked: Mask::default() }
    }

    fn play(&mut self, game: &Game) {
        let me = game.me();
        self.locked = Mask::default();
        let mut clear = Glow::collect(game, |c| c.citizen.is_none() && c.barricade.is_none_or(|b| b.seat == me));
        for i in 0..25 {
            clear.0[i] &= self.roads.0[i];
        }
        let cash = Glow::collect(game, |c| c.item == Some(Item::Money));
        let snacks = Glow::collect(game, |c| c.item == Some(Item::Food));
        let homes = Glow::collect(game, |c| c.citizen.is_none() && c.barricade.is_some_and(|b| b.seat == me));

        for w in game.warriors(me) {
            let guns = Glow::collect(game, |c| c.item.and_then(|item| item.weapon()) > w.weapon);
            let mut targets = Mask::default();
            let mut chase = clear;
            let power = game.settings.attack(w.weapon);
            for foe in game.citizens().filter(|c| c.seat != me && game.settings.attack(c.weapon) < power) {
                if game.cell(foe.pos).is_some_and(|c| c.barricade.is_none()) {
                    targets.put(foe.pos);
                    chase.put(foe.pos);
                }
            }
            let weak = w.life <= game.settings.warrior_life / 2;
            let _ = (weak && self.advance(game, &w, &snacks, &clear))
                || (!game.is_day() && w.weapon > Some(Weapon::Hammer) && self.advance(game, &w, &targets, &chase))
                || self.advance(game, &w, &guns, &clear)
                || self.advance(game, &w, &cash, &clear);
        }

        let mut risk = Mask::default();
        for foe in game.citizens().filter(|c| c.seat != me && c.kind == Kind::Warrior) {
            risk.put(foe.pos);
        }
        for _ in 0..3 {
            risk = risk.dilate(&self.roads);
        }
        let mut quiet = clear;
        for i in 0..25 {
            quiet.0[i] &= !risk.0[i];
        }
        let clock = game.round() % game.settings.rounds_per_day;
        for m in game.builders(me) {
            let exposed = !game.cell(m.pos).is_some_and(|c| c.barricade.is_some());
            if !game.is_day() {
                let _ = !exposed
                    || self.advance(game, &m, &homes, &clear)
                    || (risk.test(m.pos) && self.advance(game, &m, &quiet, &clear))
                    || self.advance(game, &m, &cash, &quiet);
                continue;
            }
            let slots = game.barricades(me).count() < game.settings.most_barricades as usize;
            let spot = Dir::ALL.into_iter().find(|&dir| homes.test(m.pos + dir)).or_else(|| {
                Dir::ALL.into_iter().find(|&dir| slots && game.cell(m.pos + dir).is_some_and(|c| c.is_empty()))
            });
            match spot {
                Some(dir) if exposed && clock > 12 => game.build(m.id, dir),
                _ => _ = self.advance(game, &m, &cash, &clear),
            }
        }
    }
}

player!(Glow, "Glow");
