use ludus_player::purge::*;

/// Bitboards: one u64 per row of the city. Floods are shifts and ands.
#[derive(Clone, Copy, Default, PartialEq)]
struct Board([u64; 25]);

impl Board {
    fn set(&mut self, pos: Pos) {
        self.0[pos.i as usize] |= 1 << pos.j;
    }

    fn has(&self, pos: Pos) -> bool {
        pos.i >= 0 && pos.i < 25 && pos.j >= 0 && pos.j < 64 && self.0[pos.i as usize] >> pos.j & 1 == 1
    }

    fn grown(&self, within: &Board) -> Board {
        let mut out = Board::default();
        for i in 0..25 {
            let row = self.0[i];
            let above = if i > 0 { self.0[i - 1] } else { 0 };
            let below = if i < 24 { self.0[i + 1] } else { 0 };
            out.0[i] = (row | row << 1 | row >> 1 | above | below) & within.0[i];
        }
        out
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&row| row == 0)
    }
}

struct Neon {
    streets: Board,
    taken: Board,
}

impl Neon {
    /// Grows the goals until they touch the citizen; the step leads into the
    /// last flood that did not.
    fn step(&self, from: Pos, goals: &Board, open: &Board) -> Option<Dir> {
        if goals.is_empty() {
            return None;
        }
        let mut within = *open;
        within.set(from);
        let mut flood = *goals;
        for _ in 0..80 {
            let found = Dir::ALL.into_iter().find(|&dir| flood.has(from + dir) && !self.taken.has(from + dir));
            if found.is_some() {
                return found;
            }
            let next = flood.grown(&within);
            if next == flood {
                return None;
            }
            for i in 0..25 {
                flood.0[i] |= next.0[i];
            }
        }
        None
    }

    fn gather(game: &Game, wanted: impl Fn(Cell) -> bool) -> Board {
        let mut board = Board::default();
        for i in 0..game.settings.rows {
            for j in 0..game.settings.cols {
                if game.cell(Pos::new(i, j)).is_some_and(&wanted) {
                    board.set(Pos::new(i, j));
                }
            }
        }
        board
    }

    fn go(&mut self, game: &Game, who: &Citizen, goals: &Board, open: &Board) -> bool {
        match self.step(who.pos, goals, open) {
            Some(dir) => {
                self.taken.set(who.pos + dir);
                game.move_citizen(who.id, dir);
                true
            }
            None => false,
        }
    }
}

impl Player for Neon {
    fn new(game: &Game) -> Self {
        Neon { streets: Neon::gather(game, |cell| !cell.is_building), taken: Board::default() }
    }

    fn play(&mut self, game: &Game) {
        let me = game.me();
        self.taken = Board::default();
        let mut open = Neon::gather(game, |c| c.citizen.is_none() && c.barricade.is_none_or(|b| b.seat == me));
        for i in 0..25 {
            open.0[i] &= self.streets.0[i];
        }
        let money = Neon::gather(game, |c| c.item == Some(Item::Money));
        let food = Neon::gather(game, |c| c.item == Some(Item::Food));
        let nests = Neon::gather(game, |c| c.citizen.is_none() && c.barricade.is_some_and(|b| b.seat == me));

        for fighter in game.warriors(me) {
            let arms = Neon::gather(game, |c| c.item.and_then(|item| item.weapon()) > fighter.weapon);
            let mut prey = Board::default();
            let mut hunting = open;
            let strength = game.settings.attack(fighter.weapon);
            for rival in game.citizens().filter(|c| c.seat != me && game.settings.attack(c.weapon) < strength) {
                if game.cell(rival.pos).is_some_and(|c| c.barricade.is_none()) {
                    prey.set(rival.pos);
                    hunting.set(rival.pos);
                }
            }
            let hurt = fighter.life <= game.settings.warrior_life / 2;
            let _ = (hurt && self.go(game, &fighter, &food, &open))
                || (!game.is_day() && fighter.weapon > Some(Weapon::Hammer) && self.go(game, &fighter, &prey, &hunting))
                || self.go(game, &fighter, &arms, &open)
                || self.go(game, &fighter, &money, &open);
        }

        let mut danger = Board::default();
        for rival in game.citizens().filter(|c| c.seat != me && c.kind == Kind::Warrior) {
            danger.set(rival.pos);
        }
        for _ in 0..3 {
            danger = danger.grown(&self.streets);
        }
        let mut calm = open;
        for i in 0..25 {
            calm.0[i] &= !danger.0[i];
        }
        let hour = game.round() % game.settings.rounds_per_day;
        for mason in game.builders(me) {
            let outside = !game.cell(mason.pos).is_some_and(|c| c.barricade.is_some());
            if !game.is_day() {
                let _ = !outside
                    || self.go(game, &mason, &nests, &open)
                    || (danger.has(mason.pos) && self.go(game, &mason, &calm, &open))
                    || self.go(game, &mason, &money, &calm);
                continue;
            }
            let room = game.barricades(me).count() < game.settings.most_barricades as usize;
            let site = Dir::ALL.into_iter().find(|&dir| nests.has(mason.pos + dir)).or_else(|| {
                Dir::ALL.into_iter().find(|&dir| room && game.cell(mason.pos + dir).is_some_and(|c| c.is_empty()))
            });
            match site {
                Some(dir) if outside && hour > 12 => game.build(mason.id, dir),
                _ => _ = self.go(game, &mason, &money, &open),
            }
        }
    }
}

player!(Neon, "Neon");
