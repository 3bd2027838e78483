// A player to learn from. Every round it makes two maps of distances, one to
// the squares worth painting and one to the rivals. A map takes one search and
// serves all robots: whoever goes to a smaller number comes closer.
//
// What makes it strong is that its knights never go where they are outnumbered.
// Whoever dies comes back for the other side, so a knight that is lost counts
// twice, and two against one wins nearly always.
use ludus_player::requiem::*;

// More than any distance, and what stands for a wall in a map of distances.
const FAR: i32 = 1_000_000;
const WALL: i32 = 2_000_000;

// A number for every square, row by row.
type Grid = Vec<i32>;

// What to play with. How far a knight looks for friends and foes before it goes
// somewhere; with how much life it goes on after a rest; and what a blow takes,
// more or less.
const SIGHT: i32 = 5;
const RESTED: i32 = 380;
const BLOW: i32 = 120;

// Knights are struck first, the weakest of them before the others: farmers do
// not strike back, and cannot run away from knights that have won.
const AFTER_KNIGHTS: i32 = 1000;

struct Sower {
    side: i32,
    is_wall: Vec<bool>,
    // Where nobody can go: walls, robots, and where a friend goes.
    taken: Vec<bool>,
    // How much rival knights threaten a square.
    danger: Grid,
    // Life of our knights, and of rival ones, in sight of a square.
    friends: Grid,
    foes: Grid,
    // Of rivals, life after the blows planned so far; 0 elsewhere.
    target: Grid,
    // Steps to the nearest square that is not ours, and to the nearest rival.
    to_paint: Grid,
    to_rival: Grid,
    // The squares that a search has reached.
    line: Vec<usize>,
}

impl Player for Sower {
    fn new(game: &Game) -> Self {
        let side = game.settings.side;
        let squares = (side * side) as usize;
        let zeros = vec![0; squares];
        Sower {
            side,
            is_wall: vec![false; squares],
            taken: vec![false; squares],
            danger: zeros.clone(),
            friends: zeros.clone(),
            foes: zeros.clone(),
            target: zeros.clone(),
            to_paint: zeros.clone(),
            to_rival: zeros,
            line: Vec::with_capacity(squares),
        }
    }

    fn play(&mut self, game: &Game) {
        self.look(game);
        self.plan(game);
        for knight in game.knights(game.me()) {
            self.lead_knight(game, knight);
        }
        for farmer in game.farmers(game.me()) {
            self.go(game, farmer);
        }
    }
}

impl Sower {
    fn at(&self, pos: Pos) -> usize {
        (pos.i * self.side + pos.j) as usize
    }

    fn squares(&self) -> impl Iterator<Item = Pos> + use<> {
        let side = self.side;
        (0..side).flat_map(move |i| (0..side).map(move |j| Pos::new(i, j)))
    }

    fn look(&mut self, game: &Game) {
        for (square, pos) in self.squares().enumerate() {
            self.is_wall[square] = game.colour(pos) == Some(Colour::Wall);
        }
        self.taken.copy_from_slice(&self.is_wall);
        for grid in [&mut self.danger, &mut self.friends, &mut self.foes, &mut self.target] {
            grid.fill(0);
        }
        for robot in game.robots() {
            self.look_at(robot, robot.seat == game.me());
        }
    }

    fn look_at(&mut self, robot: Robot, is_friend: bool) {
        let (here, side, is_knight) = (self.at(robot.pos), self.side, robot.model == Model::Knight);
        self.taken[here] = true;
        // A knight that was reborn on a wall cannot be struck there.
        if !is_friend && !self.is_wall[here] {
            self.target[here] = if is_knight { robot.life } else { AFTER_KNIGHTS };
        }
        if is_knight {
            let army = if is_friend { &mut self.friends } else { &mut self.foes };
            add_around(army, side, robot.pos, SIGHT, robot.life);
        }
        if is_knight && !is_friend {
            // It strikes beside it now, and two squares away in the next round.
            add_around(&mut self.danger, side, robot.pos, 2, 2);
            add_around(&mut self.danger, side, robot.pos, 1, 6);
        }
    }

    fn plan(&mut self, game: &Game) {
        let mine = Some(Colour::Painted(game.me()));
        self.line.clear();
        for (square, pos) in self.squares().enumerate() {
            if !self.is_wall[square] && game.colour(pos) != mine {
                self.line.push(square);
            }
        }
        search(&mut self.to_paint, self.side, &self.is_wall, &mut self.line);

        self.line.clear();
        let squares = 0..self.target.len();
        self.line.extend(squares.filter(|&square| self.target[square] > 0));
        search(&mut self.to_rival, self.side, &self.is_wall, &mut self.line);
    }

    // Strikes a rival beside it, rests when hurt and safe, or else goes hunting.
    fn lead_knight(&mut self, game: &Game, knight: Robot) {
        if let Some(dir) = self.best_blow(knight) {
            let struck = self.at(knight.pos + dir);
            self.target[struck] -= BLOW;
            game.go(knight.id, dir);
        } else if knight.life >= RESTED || self.danger[self.at(knight.pos)] > 0 {
            self.go(game, knight);
        }
    }

    // The direction of the weakest rival beside a knight. Those who have been
    // dealt enough blows by friends are left to them.
    fn best_blow(&self, knight: Robot) -> Option<Dir> {
        let life = |dir: &Dir| self.target[self.at(knight.pos + *dir)];
        Dir::ALL.into_iter().filter(|dir| life(dir) > 0).min_by_key(life)
    }

    // How bad it is for a robot to be on a square. Farmers think of safety
    // first, knights of not being outnumbered.
    fn cost(&self, robot: Robot, here: usize) -> i32 {
        if robot.model == Model::Farmer {
            return self.to_paint[here] + 50 * self.danger[here];
        }
        let excess = self.foes[here] - self.friends[here];
        self.to_rival[here] + if excess > 0 { 100 + excess } else { 0 }
    }

    // Sends a robot to the free neighbour with the least cost. Among equals,
    // staying included, one is drawn.
    fn go(&mut self, game: &Game, robot: Robot) {
        let here = self.at(robot.pos);
        let (mut best, mut least, mut equals) = (None, self.cost(robot, here), 1);
        for dir in Dir::ALL {
            let there = self.at(robot.pos + dir);
            let cost = self.cost(robot, there);
            if self.taken[there] || cost > least {
                continue;
            }
            equals = if cost < least { 1 } else { equals + 1 };
            if equals == 1 || game.random(0, equals - 1) == 0 {
                (best, least) = (Some(dir), cost);
            }
        }
        if let Some(dir) = best {
            let there = self.at(robot.pos + dir);
            self.taken[here] = false;
            self.taken[there] = true;
            game.go(robot.id, dir);
        }
    }
}

// Adds an amount to all squares at this distance or less.
fn add_around(grid: &mut Grid, side: i32, pos: Pos, distance: i32, amount: i32) {
    let (first, last) = ((pos.j - distance).max(0), (pos.j + distance).min(side - 1));
    for i in (pos.i - distance).max(0)..=(pos.i + distance).min(side - 1) {
        for square in &mut grid[(i * side + first) as usize..=(i * side + last) as usize] {
            *square += amount;
        }
    }
}

// Breadth-first search, around walls, from all the squares in the line at once.
// Robots do not block it: they will have moved when somebody gets there. No
// square leads off the board, because its border is wall.
fn search(map: &mut Grid, side: i32, is_wall: &[bool], line: &mut Vec<usize>) {
    for (distance, &is_wall) in map.iter_mut().zip(is_wall) {
        *distance = if is_wall { WALL } else { FAR };
    }
    for &square in &*line {
        map[square] = 0;
    }
    let steps = Dir::ALL.map(|dir| (dir.step().i * side + dir.step().j) as isize);
    let mut next = 0;
    while let Some(&here) = line.get(next) {
        next += 1;
        for step in steps {
            let there = here.wrapping_add_signed(step);
            if map[there] == FAR {
                map[there] = map[here] + 1;
                line.push(there);
            }
        }
    }
}

player!(Sower, "Sower");
