// Farmers paint the nearest ground that is not ours, knights hunt, and witches
// walk into the rivals' crowds. Ways are found with breadth-first searches: one
// for each farmer and witch, and a single one for all knights.
use std::collections::VecDeque;
use std::ops::{Index, IndexMut};

use ludus_player::dominator::*;

// A number for each cell of the board.
#[derive(Clone)]
struct Board {
    cols: usize,
    cells: Vec<i32>,
}

impl Board {
    fn new(game: &Game, value: i32) -> Board {
        let (rows, cols) = (game.settings.rows as usize, game.settings.cols as usize);
        Board { cols, cells: vec![value; rows * cols] }
    }

    // Adds 1 to the cells at this distance or less.
    fn mark(&mut self, game: &Game, centre: Pos, distance: i32) {
        for i in -distance..=distance {
            let width = distance - i.abs();
            for j in -width..=width {
                let pos = centre + Pos::new(i, j);
                if game.settings.contains(pos) {
                    self[pos] += 1;
                }
            }
        }
    }
}

impl Index<Pos> for Board {
    type Output = i32;

    fn index(&self, pos: Pos) -> &i32 {
        &self.cells[pos.i as usize * self.cols + pos.j as usize]
    }
}

impl IndexMut<Pos> for Board {
    fn index_mut(&mut self, pos: Pos) -> &mut i32 {
        &mut self.cells[pos.i as usize * self.cols + pos.j as usize]
    }
}

// Searches for a way, one after another.
struct Search {
    // The last search that reached a cell; so nothing has to be cleared.
    seen: Board,
    searches: i32,
    // The cells of a search, in the order in which it reaches them, each with
    // the direction in which the way begins.
    line: Vec<(Pos, Option<Dir>)>,
}

impl Search {
    // The first step of a shortest way up, down, left and right from a cell to
    // one where `is_goal` holds, and that cell. Only cells where `is_passable`
    // holds are crossed. Which direction is tried first depends on `turn`, so
    // that units close to each other do not all go the same way.
    fn way(
        &mut self,
        game: &Game,
        from: Pos,
        turn: i32,
        is_passable: impl Fn(Pos) -> bool,
        is_goal: impl Fn(Pos) -> bool,
    ) -> Option<(Dir, Pos)> {
        self.searches += 1;
        self.line.clear();
        self.line.push((from, None));
        self.seen[from] = self.searches;
        let mut reached = 0;
        while let Some(&(pos, first)) = self.line.get(reached) {
            reached += 1;
            for n in 0..4 {
                let dir = Dir::STRAIGHT[((n + turn) % 4) as usize];
                let next = pos + dir;
                if !game.settings.contains(next) || self.seen[next] == self.searches {
                    continue;
                }
                self.seen[next] = self.searches;
                let first = first.unwrap_or(dir);
                if is_goal(next) {
                    return Some((first, next));
                }
                if is_passable(next) {
                    self.line.push((next, Some(first)));
                }
            }
        }
        None
    }
}

const FAR: i32 = 1_000_000;

// What is on each cell, looked up once per round.
struct Sight {
    open: Board,  // Whether one can step there: no wall, and nobody on it.
    prey: Board,  // Whether there is a rival that can be captured.
    spell: Board, // Witches nearby: no place for farmers and knights.
    blade: Board, // Rival knights nearby: no place for farmers.
    crowd: Board, // Own farmers and knights nearby: no place for a witch.
    taken: Board, // Whether it is ours, or a farmer is on its way there.
    chase: Board, // Steps of a knight to the nearest prey, or `FAR`.
    // Of every unit, after the attacks planned so far.
    health: Vec<i32>,
}

impl Sight {
    fn new(game: &Game) -> Sight {
        let blank = Board::new(game, 0);
        let mut sight = Sight {
            open: blank.clone(),
            prey: blank.clone(),
            spell: blank.clone(),
            blade: blank.clone(),
            crowd: blank.clone(),
            taken: blank,
            chase: Board::new(game, FAR),
            health: Vec::new(),
        };
        sight.look_at_units(game);
        for pos in positions(game) {
            if let Some(cell) = game.cell(pos) {
                sight.open[pos] = i32::from(cell.is_open());
                sight.taken[pos] = i32::from(cell.owner == Some(game.me()));
            }
        }
        sight.measure_chase(game);
        sight
    }

    fn look_at_units(&mut self, game: &Game) {
        for unit in game.units() {
            self.health.push(unit.health);
            if game.unit_at(unit.pos) != Some(unit) {
                continue; // On a crowded board a unit may be nowhere.
            }
            if unit.kind == Kind::Witch {
                self.spell.mark(game, unit.pos, 3); // She haunts up to 2, and may come closer.
            } else if unit.seat == game.me() {
                self.crowd.mark(game, unit.pos, 3);
            } else {
                self.prey[unit.pos] = 1;
                if unit.kind == Kind::Knight {
                    self.blade.mark(game, unit.pos, 2);
                }
            }
        }
    }

    // From the prey backwards.
    fn measure_chase(&mut self, game: &Game) {
        let hunted = |pos: &Pos| self.prey[*pos] != 0 && self.spell[*pos] == 0;
        let mut reached: VecDeque<Pos> = positions(game).filter(hunted).collect();
        reached.iter().for_each(|&pos| self.chase[pos] = 0);
        while let Some(pos) = reached.pop_front() {
            for next in Dir::ALL.map(|dir| pos + dir) {
                if game.settings.contains(next) && self.is_sound(next) && self.chase[next] == FAR {
                    self.chase[next] = self.chase[pos] + 1;
                    reached.push_back(next);
                }
            }
        }
    }

    // Whether a farmer or knight can go there and will not be killed by a spell.
    fn is_sound(&self, pos: Pos) -> bool {
        self.open[pos] != 0 && self.spell[pos] == 0
    }
}

fn positions(game: &Game) -> impl Iterator<Item = Pos> {
    let (rows, cols) = (game.settings.rows, game.settings.cols);
    (0..rows).flat_map(move |i| (0..cols).map(move |j| Pos::new(i, j)))
}

struct Reaper {
    search: Search,
}

impl Reaper {
    // A witch goes where there are rivals and none of ours.
    fn move_witch(&mut self, game: &Game, sight: &mut Sight, witch: Unit) -> Option<Dir> {
        let is_passable = |pos| sight.open[pos] != 0 && sight.crowd[pos] == 0;
        let is_goal = |pos| sight.prey[pos] != 0 && sight.crowd[pos] == 0;
        let (dir, goal) = self.search.way(game, witch.pos, witch.id, is_passable, is_goal)?;
        sight.taken[goal] = 1;
        Some(dir)
    }

    // A farmer goes to the nearest cell that is not ours, or away from danger.
    fn move_farmer(&mut self, game: &Game, sight: &mut Sight, farmer: Unit, idle: &mut i32) -> Option<Dir> {
        let flees = sight.spell[farmer.pos] != 0 || sight.blade[farmer.pos] != 0;
        if !flees && *idle > 8 {
            return None; // There is no work: do not search again.
        }
        let is_safe = |pos| sight.is_sound(pos) && sight.blade[pos] == 0;
        let is_passable = |pos| if flees { sight.open[pos] != 0 } else { is_safe(pos) };
        let is_goal = |pos| is_safe(pos) && (flees || sight.taken[pos] == 0);
        let way = self.search.way(game, farmer.pos, farmer.id, is_passable, is_goal);
        match way {
            Some((_, goal)) => sight.taken[goal] = 1,
            None if !flees => *idle += 1,
            None => {}
        }
        way.map(|(dir, _)| dir)
    }
}

// A knight attacks its weakest neighbour, or gets closer to the prey. To get
// away from witches comes first.
fn move_knight(game: &Game, sight: &mut Sight, knight: Unit) -> Option<Dir> {
    let flees = sight.spell[knight.pos] != 0;
    let (mut attack, mut step) = (None, None);
    let (mut weakest, mut closest) = (FAR, FAR);
    for dir in Dir::ALL {
        let pos = knight.pos + dir;
        let Some(cell) = game.cell(pos) else { continue };
        if let Some(id) = cell.unit.filter(|_| sight.prey[pos] != 0) {
            let health = sight.health[id as usize];
            if health > 0 && health < weakest {
                (weakest, attack) = (health, Some((dir, id)));
            }
        } else if sight.open[pos] != 0 {
            let cost = if flees { sight.spell[pos] } else { sight.chase[pos] };
            if cost < closest {
                (closest, step) = (cost, Some(dir));
            }
        }
    }
    if let Some((dir, id)) = attack.filter(|_| !flees) {
        sight.health[id as usize] -= (game.settings.damage_min + game.settings.damage_max) / 2;
        return Some(dir);
    }
    if let Some(dir) = step {
        sight.open[knight.pos + dir] = 0;
    }
    step
}

impl Player for Reaper {
    fn new(game: &Game) -> Self {
        Reaper { search: Search { seen: Board::new(game, 0), searches: 0, line: Vec::new() } }
    }

    fn play(&mut self, game: &Game) {
        let me = game.me();
        if game.status(me) > 0.95 {
            return; // Nearly out of time.
        }
        let mut sight = Sight::new(game);
        let go = |id, dir| {
            if let Some(dir) = dir {
                game.move_unit(id, dir)
            }
        };
        for witch in game.witches(me) {
            go(witch.id, self.move_witch(game, &mut sight, witch));
        }
        for knight in game.knights(me) {
            go(knight.id, move_knight(game, &mut sight, knight));
        }
        let mut idle = 0;
        for farmer in game.farmers(me) {
            go(farmer.id, self.move_farmer(game, &mut sight, farmer, &mut idle));
        }
    }
}

player!(Reaper, "Reaper");
