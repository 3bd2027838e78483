use ludus_player::potter::*;
use std::collections::BinaryHeap;

/// One Dijkstra per wizard, on cells that cost more the nearer Voldemort is.
struct Luna {
    cost: Vec<i32>,
    claimed: Vec<bool>,
    cols: i32,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Visit {
    negative_cost: i32,
    at: usize,
    first: Option<Dir>,
}

impl Player for Luna {
    fn new(game: &Game) -> Self {
        let area = (game.settings.rows * game.settings.cols) as usize;
        Luna { cost: vec![0; area], claimed: vec![false; area], cols: game.settings.cols }
    }

    fn play(&mut self, game: &Game) {
        if game.status(game.me()) > 0.9 {
            return;
        }
        self.price_cells(game);
        self.claimed.fill(false);
        let me = game.me();
        if !self.cast(game) {
            self.drift(game);
        }
        for wizard in game.wizards(me) {
            if let Some(dir) = self.search(game, wizard) {
                let target = wizard.pos + dir;
                let at = self.at(target);
                self.claimed[at] = true;
                game.move_unit(wizard.id, dir);
            }
        }
    }
}

impl Luna {
    fn at(&self, pos: Pos) -> usize {
        (pos.i * self.cols + pos.j) as usize
    }

    fn pos(&self, at: usize) -> Pos {
        Pos::new(at as i32 / self.cols, at as i32 % self.cols)
    }

    fn price_cells(&mut self, game: &Game) {
        let lord = game.voldemort();
        for at in 0..self.cost.len() {
            let pos = self.pos(at);
            let near = (pos.i - lord.i).abs().max((pos.j - lord.j).abs());
            let fear = if near <= 2 { 10_000 } else if near <= 6 { 12 - near } else { 0 };
            let Some(cell) = game.cell(pos) else { continue };
            let own = if cell.owner == Some(game.me()) { 3 } else { 2 };
            self.cost[at] = if cell.is_wall { i32::MAX } else { own + fear };
        }
    }

    fn is_goal(&self, game: &Game, wizard: Unit, pos: Pos) -> bool {
        let Some(cell) = game.cell(pos) else { return false };
        if self.claimed[self.at(pos)] {
            return false;
        }
        match cell.unit.and_then(|id| game.unit(id)) {
            None => cell.has_book,
            Some(other) if other.kind == Kind::Ghost => false,
            Some(other) if wizard.is_converting() || other.id == wizard.id => false,
            Some(other) if other.seat == game.me() => other.is_converting(),
            Some(other) => !other.is_converting() && game.magic_strength(other.seat) <= game.magic_strength(game.me()),
        }
    }

    fn search(&self, game: &Game, wizard: Unit) -> Option<Dir> {
        let mut best = vec![i32::MAX; self.cost.len()];
        let mut heap = BinaryHeap::from([Visit { negative_cost: 0, at: self.at(wizard.pos), first: None }]);
        while let Some(Visit { negative_cost, at, first }) = heap.pop() {
            let pos = self.pos(at);
            if self.is_goal(game, wizard, pos) {
                return first;
            }
            if -negative_cost > best[at] || -negative_cost > 60 {
                continue;
            }
            for dir in Dir::FOUR {
                let next = pos + dir;
                if !game.settings.contains(next) {
                    continue;
                }
                let there = self.at(next);
                let blocked = game.cell(next).is_some_and(|cell| cell.unit.is_some()) && !self.is_goal(game, wizard, next);
                if self.cost[there] == i32::MAX || self.claimed[there] || blocked {
                    continue;
                }
                let total = self.cost[there] - negative_cost;
                if total < best[there] {
                    best[there] = total;
                    heap.push(Visit { negative_cost: -total, at: there, first: first.or(Some(dir)) });
                }
            }
        }
        Dir::FOUR.into_iter().find(|&dir| {
            let next = wizard.pos + dir;
            game.cell(next).is_some_and(|c| c.is_empty() && c.owner != Some(game.me())) && self.cost[self.at(next)] < 100
        })
    }

    fn drift(&self, game: &Game) {
        let ghost = game.ghost(game.me());
        let safest = Dir::ALL
            .into_iter()
            .filter(|&dir| game.cell(ghost.pos + dir).is_some_and(|cell| cell.is_empty()))
            .max_by_key(|&dir| (ghost.pos + dir).distance(game.voldemort()).min(15));
        if let Some(dir) = safest {
            game.move_unit(ghost.id, dir);
        }
    }

    fn cast(&self, game: &Game) -> bool {
        let ghost = game.ghost(game.me());
        if ghost.rounds > 0 || game.settings.rounds - game.round() <= 50 {
            return false;
        }
        let goal = game.ingredients().iter().sum::<i32>() / 5;
        let mut groups = [-1; 15];
        let solved = fill(game.ingredients(), goal, &mut groups, 0);
        if solved {
            game.cast(ghost.id, &groups);
        }
        solved
    }
}

/// Completes group after group: the first free ingredient with any two others.
fn fill(values: &[i32], goal: i32, groups: &mut [i32; 15], group: i32) -> bool {
    let Some(a) = groups.iter().position(|&g| g < 0) else { return true };
    for b in a + 1..15 {
        for c in b + 1..15 {
            if groups[b] >= 0 || groups[c] >= 0 || values[a] + values[b] + values[c] != goal {
                continue;
            }
            for k in [a, b, c] {
                groups[k] = group;
            }
            if fill(values, goal, groups, group + 1) {
                return true;
            }
            for k in [a, b, c] {
                groups[k] = -1;
            }
        }
    }
    false
}

player!(Luna, "Luna");
