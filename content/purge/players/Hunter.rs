// A player to learn from: every citizen searches the streets around it, weighs
// what it could reach against how far that is, and looks out for rivals.
use std::collections::{HashSet, VecDeque};

use ludus_player::purge::*;

// Rounds before the night in which builders work on barricades.
const DUSK: i32 = 4;

struct Hunter {
    // Cells on which a citizen of mine will stand after this round.
    taken: HashSet<Pos>,
}

impl Player for Hunter {
    fn new(_game: &Game) -> Self {
        Hunter { taken: HashSet::new() }
    }

    fn play(&mut self, game: &Game) {
        let me = game.me();
        if game.status(me) >= 0.9 {
            return;
        }
        self.taken = game.citizens().filter(|citizen| citizen.seat == me).map(|citizen| citizen.pos).collect();
        for warrior in game.warriors(me) {
            self.seek(game, warrior);
        }
        let late = game.is_day() && !game.settings.is_day(game.round() + DUSK);
        for builder in game.builders(me) {
            if !(late && self.fortify(game, builder)) {
                self.seek(game, builder);
            }
        }
    }
}

impl Hunter {
    // Goes where the most is to be had for the least risk.
    fn seek(&mut self, game: &Game, citizen: Citizen) {
        let gain = self.search(game, citizen);
        let mut most = -risk(game, citizen, citizen.pos);
        let mut chosen = None;
        for dir in Dir::ALL {
            let next = citizen.pos + dir;
            let strike = prey(game, next).is_some();
            if gain[dir.index()] <= 0.0 || strike && game.is_day() {
                continue;
            }
            // Whoever strikes stays in its place.
            let total = gain[dir.index()] - risk(game, citizen, if strike { citizen.pos } else { next });
            if total > most {
                most = total;
                chosen = Some((dir, strike));
            }
        }
        if let Some((dir, strike)) = chosen {
            if !strike {
                self.taken.remove(&citizen.pos);
                self.taken.insert(citizen.pos + dir);
            }
            game.move_citizen(citizen.id, dir);
        }
    }

    // Breadth-first search from a citizen. For each direction of the first
    // step, the greatest worth per step of anything that is reached that way.
    fn search(&self, game: &Game, citizen: Citizen) -> [f64; 4] {
        let mut best = [0.0; 4];
        let cols = game.settings.cols;
        let mut seen = vec![false; (game.settings.rows * cols) as usize];
        seen[(citizen.pos.i * cols + citizen.pos.j) as usize] = true;
        // Cells, the steps to them and the first of these steps.
        let mut border = VecDeque::from([(citizen.pos, 0, None)]);
        while let Some((pos, steps, first)) = border.pop_front() {
            for dir in Dir::ALL {
                let next = pos + dir;
                let Some(cell) = game.cell(next) else { continue };
                let place = (next.i * cols + next.j) as usize;
                if seen[place] {
                    continue;
                }
                let rival = if citizen.kind == Kind::Warrior { prey(game, next) } else { None };
                let blocked = !can_enter(game, &cell) || first.is_none() && self.taken.contains(&next);
                if rival.is_none() && blocked {
                    continue;
                }
                seen[place] = true;
                let way = first.unwrap_or(dir);
                let worth = match rival {
                    Some(rival) => fight(game, citizen, rival),
                    None => worth(game, citizen, &cell),
                };
                best[way.index()] = f64::max(best[way.index()], worth / f64::from(steps + 1));
                if rival.is_none() {
                    border.push_back((next, steps + 1, Some(way)));
                }
            }
        }
        best
    }

    // Makes a barricade next to the builder, or a stronger one of one that is there.
    fn fortify(&self, game: &Game, builder: Citizen) -> bool {
        let free = |dir: &Dir| !self.taken.contains(&(builder.pos + *dir));
        let next = |dir: Dir| game.cell(builder.pos + dir);
        let is_mine =
            |cell: Cell| cell.citizen.is_none() && cell.barricade.is_some_and(|barricade| barricade.seat == game.me());
        let mut dirs = Dir::ALL.into_iter().filter(free);
        let old = dirs.clone().find(|&dir| next(dir).is_some_and(is_mine));
        let may_add = (game.barricades(game.me()).count() as i32) < game.settings.most_barricades;
        let new = dirs.rfind(|&dir| may_add && next(dir).is_some_and(|cell| cell.is_empty()));
        let chosen = old.or(new);
        if let Some(dir) = chosen {
            game.build(builder.id, dir);
        }
        chosen.is_some()
    }
}

// Streets that are free, or have an empty barricade of mine.
fn can_enter(game: &Game, cell: &Cell) -> bool {
    let open = cell.barricade.is_none_or(|barricade| barricade.seat == game.me());
    !cell.is_building && cell.citizen.is_none() && open
}

// A rival that can be struck: not one in a barricade.
fn prey(game: &Game, pos: Pos) -> Option<Citizen> {
    let cell = game.cell(pos).filter(|cell| cell.barricade.is_none())?;
    game.citizen(cell.citizen?).filter(|citizen| citizen.seat != game.me())
}

// What its clan loses, on average, each time that a citizen loses a fight.
fn price(game: &Game, citizen: Citizen) -> f64 {
    let points = f64::from(game.settings.kill_points(citizen.kind));
    points * f64::min(1.0, f64::from(game.settings.life_lost) / f64::from(citizen.life))
}

// What a fight brings, or costs.
fn fight(game: &Game, mine: Citizen, rival: Citizen) -> f64 {
    let strength = f64::from(game.settings.attack(mine.weapon));
    let chance = strength / (strength + f64::from(game.settings.attack(rival.weapon)));
    chance * price(game, rival) - (1.0 - chance) * price(game, mine)
}

// What the things on a cell are worth to a citizen that goes there.
fn worth(game: &Game, citizen: Citizen, cell: &Cell) -> f64 {
    match cell.item {
        Some(Item::Money) => f64::from(game.settings.money_points),
        Some(Item::Food) => {
            let missing = game.settings.life(citizen.kind) - citizen.life;
            0.3 * f64::from(missing.min(game.settings.food_life))
        }
        Some(Item::Gun) if citizen.weapon == Some(Weapon::Hammer) => 20.0,
        Some(Item::Bazooka) if citizen.kind == Kind::Warrior && citizen.weapon != Some(Weapon::Bazooka) => 60.0,
        _ => 0.0,
    }
}

// What a citizen risks on a cell: blows of the rivals next to it.
fn risk(game: &Game, citizen: Citizen, pos: Pos) -> f64 {
    let in_barricade = game.cell(pos).is_some_and(|cell| cell.barricade.is_some());
    if game.is_day() || in_barricade {
        return 0.0;
    }
    let neighbours = Dir::ALL.into_iter().filter_map(|dir| game.citizen_at(pos + dir));
    let rivals = neighbours.filter(|other| other.seat != game.me() && other.kind == Kind::Warrior);
    rivals.map(|rival| f64::max(0.0, -fight(game, citizen, rival))).sum()
}

player!(Hunter, "Hunter");
