//! The board is read once per round into a grid of small squares, and farmers
//! bid for the squares: an auction, in which prices rise until all are content.
use ludus_player::dominator::*;
use std::collections::BTreeMap;

const BLOCK: i32 = 4;

#[derive(Clone, Debug)]
struct Lot {
    row: i32,
    col: i32,
    work: i32,
    price: i32,
    owner: Option<usize>,
}

impl Lot {
    fn centre(&self) -> Pos {
        Pos::new(self.row * BLOCK + BLOCK / 2, self.col * BLOCK + BLOCK / 2)
    }

    fn value(&self, bidder: Pos) -> i32 {
        self.work * 3 - 2 * self.centre().distance(bidder)
    }
}

#[derive(Default)]
struct Quadrat {
    plans: BTreeMap<i32, Pos>,
    occupied: Vec<Pos>,
}

fn survey(game: &Game) -> Vec<Lot> {
    let per_side = (game.settings.rows + BLOCK - 1) / BLOCK;
    let mut lots = Vec::new();
    for row in 0..per_side {
        for col in 0..per_side {
            let mut work = 0;
            for k in 0..BLOCK * BLOCK {
                let pos = Pos::new(row * BLOCK + k / BLOCK, col * BLOCK + k % BLOCK);
                match game.cell(pos) {
                    Some(cell) if cell.is_wall || cell.is_haunted => {}
                    Some(cell) if cell.owner != Some(game.me()) => work += 1,
                    _ => {}
                }
            }
            lots.push(Lot { row, col, work, price: 0, owner: None });
        }
    }
    lots
}

fn auction(lots: &mut [Lot], bidders: &[Unit]) {
    let mut waiting: Vec<usize> = (0..bidders.len()).collect();
    for _ in 0..6 * bidders.len() {
        let Some(who) = waiting.pop() else { break };
        let mut best = None;
        let (mut first, mut second) = (i32::MIN, i32::MIN);
        for (k, lot) in lots.iter().enumerate() {
            let profit = lot.value(bidders[who].pos) - lot.price;
            if profit > first {
                second = first;
                first = profit;
                best = Some(k);
            } else if profit > second {
                second = profit;
            }
        }
        let Some(k) = best else { break };
        if let Some(loser) = lots[k].owner.replace(who) {
            waiting.push(loser);
        }
        lots[k].price += (first - second) + 1;
    }
}

impl Quadrat {
    fn open(&self, game: &Game, pos: Pos) -> bool {
        !self.occupied.contains(&pos) && game.cell(pos).is_some_and(|cell| cell.is_open() && !cell.is_haunted)
    }

    fn order(&mut self, game: &Game, unit: &Unit, dir: Dir) {
        self.occupied.push(unit.pos + dir);
        game.move_unit(unit.id, dir);
    }

    fn plough(&mut self, game: &Game, farmer: &Unit) {
        let goal = self.plans.get(&farmer.id).copied().unwrap_or(farmer.pos);
        let at_work = goal.distance(farmer.pos) <= BLOCK;
        let mut choice: Option<(i32, Dir)> = None;
        for dir in Dir::STRAIGHT {
            let to = farmer.pos + dir;
            if !self.open(game, to) {
                continue;
            }
            let paints = game.cell(to).is_some_and(|cell| cell.owner != Some(game.me()));
            let mut mark = 4 * to.distance(goal) + game.random(0, 2);
            if paints {
                mark -= if at_work { 14 } else { 3 };
            }
            if choice.is_none_or(|(old, _)| mark < old) {
                choice = Some((mark, dir));
            }
        }
        if let Some((_, dir)) = choice {
            self.order(game, farmer, dir);
        }
    }

    fn joust(&mut self, game: &Game, knight: &Unit, enemies: &[Unit]) {
        let reach = |pos: Pos| (pos.i - knight.pos.i).abs().max((pos.j - knight.pos.j).abs());
        let Some(target) = enemies.iter().min_by_key(|e| (reach(e.pos), e.health)) else { return };
        let distance = reach(target.pos);
        if distance > 1 && knight.health < game.settings.knight_health * 3 / 4 {
            return;
        }
        for dir in Dir::ALL {
            if knight.pos + dir == target.pos {
                return game.move_unit(knight.id, dir);
            }
        }
        let closer = Dir::ALL.into_iter().find(|&dir| {
            let to = knight.pos + dir;
            let left = (target.pos.i - to.i).abs().max((target.pos.j - to.j).abs());
            left < distance && self.open(game, to)
        });
        if let Some(dir) = closer {
            self.order(game, knight, dir);
        }
    }
}

impl Player for Quadrat {
    fn new(_: &Game) -> Self {
        Quadrat::default()
    }

    fn play(&mut self, game: &Game) {
        let me = game.me();
        self.occupied.clear();
        let farmers: Vec<Unit> = game.farmers(me).collect();
        if game.round() % 5 == 0 {
            let mut lots = survey(game);
            auction(&mut lots, &farmers);
            self.plans = lots.iter().filter_map(|lot| Some((farmers[lot.owner?].id, lot.centre()))).collect();
        }
        for farmer in &farmers {
            self.plough(game, farmer);
        }
        let is_target = |u: &Unit| u.seat != me && u.kind != Kind::Witch && game.cell(u.pos).is_some_and(|c| !c.is_haunted);
        let enemies: Vec<Unit> = game.units().filter(is_target).collect();
        for knight in game.knights(me) {
            self.joust(game, &knight, &enemies);
        }
    }
}

player!(Quadrat, "Quadrat");
