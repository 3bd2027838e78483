use ludus_player::requiem::*;

// Squads of two knights and two farmers. A squad has a rally point that moves
// over the board on a fixed route; members do their job near it.

#[derive(Clone)]
struct Squad {
    members: Vec<i32>,
    route: Vec<Pos>,
    leg: usize,
    waited: u32,
}

struct Brigada {
    squads: Vec<Squad>,
    moves: Vec<Pos>,
}

fn steps(a: Pos, b: Pos) -> i32 {
    (a.i - b.i).abs().max((a.j - b.j).abs())
}

fn route(side: i32, k: i32) -> Vec<Pos> {
    let near = side / 6 + k * side / 40;
    let mid = side / 2 - 3;
    let far = side * 3 / 5;
    let mut points = vec![
        Pos::new(near, near),
        Pos::new(near, mid),
        Pos::new(mid, mid),
        Pos::new(mid, near),
        Pos::new(far, near),
        Pos::new(far, far),
        Pos::new(near, far),
    ];
    let shift = k as usize % points.len();
    points.rotate_left(shift);
    points
}

impl Squad {
    fn rally(&self) -> Pos {
        self.route[self.leg % self.route.len()]
    }

    fn advance(&mut self, game: &Game) {
        self.waited += 1;
        let rally = self.rally();
        let todo = (-4..=4)
            .flat_map(|i| (-4..=4).map(move |j| Pos::new(i, j)))
            .filter(|&offset| {
                let colour = game.colour(rally + offset);
                colour == Some(Colour::Bare) || matches!(colour, Some(Colour::Painted(seat)) if seat != game.me())
            })
            .count();
        if todo < 6 || self.waited > 40 {
            self.leg += 1;
            self.waited = 0;
        }
    }
}

impl Brigada {
    fn enlist(&mut self, game: &Game) {
        let me = game.me();
        for squad in &mut self.squads {
            squad.members.retain(|&id| game.robot(id).is_some_and(|r| r.seat == me));
        }
        let everybody: Vec<Robot> = game.farmers(me).chain(game.knights(me)).collect();
        for robot in everybody {
            if self.squads.iter().any(|s| s.members.contains(&robot.id)) {
                continue;
            }
            let same = |s: &Squad| s.members.iter().filter(|&&id| game.robot(id).is_some_and(|r| r.model == robot.model)).count();
            if let Some(smallest) = self.squads.iter_mut().min_by_key(|s| same(s)) {
                smallest.members.push(robot.id);
            }
        }
    }

    fn go(&mut self, game: &Game, robot: &Robot, dir: Dir) -> bool {
        let to = robot.pos + dir;
        if self.moves.contains(&to) || game.robot_at(to).is_some() || !game.go(robot.id, dir) {
            return false;
        }
        self.moves.push(to);
        true
    }

    fn approach(&mut self, game: &Game, robot: &Robot, goal: Pos) {
        let mut ranked: Vec<(i32, usize)> = Dir::ALL.iter().map(|d| (steps(robot.pos + *d, goal) * 2 + (robot.pos + *d).distance(goal), d.index())).collect();
        ranked.sort();
        for (_, k) in ranked.into_iter().take(5) {
            if self.go(game, robot, Dir::ALL[k]) {
                break;
            }
        }
    }

    fn farmer(&mut self, game: &Game, robot: &Robot, rally: Pos) {
        let foreign = |p: Pos| match game.colour(p) {
            Some(Colour::Bare) => 2,
            Some(Colour::Painted(seat)) if seat != game.me() => 3,
            _ => 0,
        };
        let mut best = 0;
        let mut goal = rally;
        for i in robot.pos.i - 6..=robot.pos.i + 6 {
            for j in robot.pos.j - 6..=robot.pos.j + 6 {
                let p = Pos::new(i, j);
                if p == robot.pos || self.moves.contains(&p) {
                    continue;
                }
                let value = foreign(p) * 100 / (steps(p, robot.pos) + steps(p, rally) / 3).max(1);
                if value > best {
                    best = value;
                    goal = p;
                }
            }
        }
        self.approach(game, robot, goal);
    }

    fn knight(&mut self, game: &Game, robot: &Robot, rally: Pos) {
        let enemy = |d: &Dir| game.robot_at(robot.pos + *d).filter(|r| r.seat != game.me());
        let farmers = Dir::ALL.into_iter().find(|d| enemy(d).is_some_and(|r| r.model == Model::Farmer));
        let weak = || Dir::ALL.into_iter().filter(|d| enemy(d).is_some()).min_by_key(|d| enemy(d).map_or(999, |r| r.life));
        if let Some(dir) = farmers.or_else(weak) {
            game.go(robot.id, dir);
        } else if robot.life < 180 {
            game.stay(robot.id);
        } else if steps(robot.pos, rally) > 3 {
            self.approach(game, robot, rally);
        }
    }
}

impl Player for Brigada {
    fn new(game: &Game) -> Self {
        let count = (game.settings.farmers / 2).max(1);
        let squads = (0..count).map(|k| Squad { members: vec![], route: route(game.settings.side, k), leg: 0, waited: 0 });
        Brigada { squads: squads.collect(), moves: vec![] }
    }

    fn play(&mut self, game: &Game) {
        self.moves.clear();
        self.enlist(game);
        let mut squads = std::mem::take(&mut self.squads);
        for squad in &mut squads {
            squad.advance(game);
            for robot in squad.members.iter().filter_map(|&id| game.robot(id)) {
                match robot.model {
                    Model::Farmer => self.farmer(game, &robot, squad.rally()),
                    Model::Knight => self.knight(game, &robot, squad.rally()),
                }
            }
        }
        self.squads = squads;
    }
}

player!(Brigada, "Brigada");
