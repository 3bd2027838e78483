// A player to learn from. Every round it makes two maps of distances, one to
// the squares worth painting and one to the rivals worth hunting. A map takes
// one search and serves all robots: whoever goes to a smaller number comes closer.
use ludus_player::requiem::*;

// More than any distance.
const FAR: i32 = 1_000_000;

// A number for every square, row by row.
type Grid = Vec<i32>;

struct Sower {
    side: i32,
    is_wall: Vec<bool>,
    // Where nobody can go: walls, robots, and where a friend goes.
    taken: Vec<bool>,
    // How much rival knights threaten a square.
    danger: Grid,
    // Steps to the nearest square that is not ours, and to the nearest prey.
    to_paint: Grid,
    to_prey: Grid,
}

impl Player for Sower {
    fn new(game: &Game) -> Self {
        let side = game.settings.side;
        let none = Grid::new();
        Sower {
            side,
            is_wall: Vec::new(),
            taken: Vec::new(),
            danger: none.clone(),
            to_paint: none.clone(),
            to_prey: none,
        }
    }

    fn play(&mut self, game: &Game) {
        self.look(game);
        self.plan(game);
        for knight in game.knights(game.me()) {
            self.lead_knight(game, knight);
        }
        for farmer in game.farmers(game.me()) {
            self.lead_farmer(game, farmer);
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
        self.is_wall = self.squares().map(|pos| game.colour(pos) == Some(Colour::Wall)).collect();
        self.taken = self.is_wall.clone();
        for robot in game.robots() {
            let at = self.at(robot.pos);
            self.taken[at] = true;
        }
        self.danger = vec![0; self.is_wall.len()];
        for rival in game.me().others() {
            for knight in game.knights(rival) {
                self.spread_danger(knight.pos);
            }
        }
    }

    // A knight strikes beside it now, and two squares away in the next round.
    fn spread_danger(&mut self, knight: Pos) {
        for i in (knight.i - 2).max(0)..=(knight.i + 2).min(self.side - 1) {
            for j in (knight.j - 2).max(0)..=(knight.j + 2).min(self.side - 1) {
                let beside = (i - knight.i).abs() <= 1 && (j - knight.j).abs() <= 1;
                let at = self.at(Pos::new(i, j));
                self.danger[at] += if beside { 8 } else { 2 };
            }
        }
    }

    fn plan(&mut self, game: &Game) {
        let mine = Some(Colour::Painted(game.me()));
        let worth_painting = self.squares().filter(|&pos| !self.is_wall[self.at(pos)] && game.colour(pos) != mine);
        self.to_paint = self.search(worth_painting.collect());
        // A farmer dies at the first blow; knights are hunted when no farmer is
        // left. One that was reborn on a wall cannot be struck there.
        let farmers: Vec<Pos> = game.me().others().flat_map(|seat| game.farmers(seat)).map(|robot| robot.pos).collect();
        let knights = |seat| game.knights(seat).map(|robot| robot.pos).filter(|&pos| !self.is_wall[self.at(pos)]);
        let prey = if farmers.is_empty() {
            let hunted = game.me().others().find(|&seat| knights(seat).next().is_some());
            hunted.map_or(Vec::new(), |seat| knights(seat).collect())
        } else {
            farmers
        };
        self.to_prey = self.search(prey);
    }

    // Breadth-first search from all the squares in the line at once, around
    // walls. Robots do not block it: they will have moved when somebody gets
    // there. No square leads off the board, because its border is wall.
    fn search(&self, mut line: Vec<Pos>) -> Grid {
        let mut distance = vec![FAR; self.is_wall.len()];
        for &pos in &line {
            distance[self.at(pos)] = 0;
        }
        let mut next = 0;
        while let Some(&here) = line.get(next) {
            next += 1;
            for dir in Dir::ALL {
                let there = here + dir;
                if distance[self.at(there)] == FAR && !self.is_wall[self.at(there)] {
                    distance[self.at(there)] = distance[self.at(here)] + 1;
                    line.push(there);
                }
            }
        }
        distance
    }

    // Strikes whoever is beside it, rests when hurt and safe, or else hunts.
    fn lead_knight(&mut self, game: &Game, knight: Robot) {
        if let Some(dir) = self.best_blow(game, knight) {
            game.go(knight.id, dir);
        } else if knight.life < 200 && self.danger[self.at(knight.pos)] == 0 {
            game.stay(knight.id);
        } else if let Some(dir) = self.best_step(game, knight.pos, &self.to_prey, 0) {
            self.go(game, knight, dir);
        }
    }

    // The direction of the weakest rival beside a knight.
    fn best_blow(&self, game: &Game, knight: Robot) -> Option<Dir> {
        let life = |dir: &Dir| {
            let target = knight.pos + *dir;
            let rival = game.robot_at(target).filter(|robot| robot.seat != game.me())?;
            let life = if rival.model == Model::Farmer { 0 } else { rival.life };
            (!self.is_wall[self.at(target)]).then_some(life)
        };
        Dir::ALL.into_iter().filter(|dir| life(dir).is_some()).min_by_key(life)
    }

    fn lead_farmer(&mut self, game: &Game, farmer: Robot) {
        if let Some(dir) = self.best_step(game, farmer.pos, &self.to_paint, 50) {
            self.go(game, farmer, dir);
        }
    }

    // The way to the free neighbour with the smallest distance, safety first
    // for those who fear. Among equals, staying included, one is drawn.
    fn best_step(&self, game: &Game, pos: Pos, distance: &Grid, fear: i32) -> Option<Dir> {
        let cost = |at: usize| distance[at] + self.danger[at] * fear;
        let (mut best, mut least, mut equals) = (None, cost(self.at(pos)), 1);
        for dir in Dir::ALL {
            let there = self.at(pos + dir);
            if self.taken[there] || cost(there) > least {
                continue;
            }
            equals = if cost(there) < least { 1 } else { equals + 1 };
            if equals == 1 || game.random(0, equals - 1) == 0 {
                (best, least) = (Some(dir), cost(there));
            }
        }
        best
    }

    fn go(&mut self, game: &Game, robot: Robot, dir: Dir) {
        let (from, to) = (self.at(robot.pos), self.at(robot.pos + dir));
        self.taken[from] = false;
        self.taken[to] = true;
        game.go(robot.id, dir);
    }
}

player!(Sower, "Sower");
