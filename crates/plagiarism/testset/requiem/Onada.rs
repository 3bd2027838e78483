// A wave equation instead of a search. Unpainted squares are sources, walls
// absorb, and the potential is smoothed a few dozen times per round, starting
// from that of the round before. Robots go up the slope.
use ludus_player::requiem::*;

struct Onada {
    side: i32,
    food: Vec<f64>,
    blood: Vec<f64>,
    busy: Vec<bool>,
}

#[inline]
fn slot(side: i32, pos: Pos) -> usize {
    (pos.i * side + pos.j) as usize
}

fn smooth(field: &mut [f64], wall: &[bool], source: &[f64], side: usize, keep: f64, times: usize) {
    for _ in 0..times {
        for i in 1..side - 1 {
            for j in 1..side - 1 {
                let at = i * side + j;
                if wall[at] {
                    field[at] = 0.0;
                    continue;
                }
                let cross = field[at - 1] + field[at + 1] + field[at - side] + field[at + side];
                let corners = field[at - side - 1] + field[at - side + 1] + field[at + side - 1] + field[at + side + 1];
                field[at] = source[at] + keep * (0.2 * cross + 0.05 * corners);
            }
        }
    }
}

impl Onada {
    fn positions(&self) -> impl Iterator<Item = Pos> + use<> {
        let side = self.side;
        (0..side * side).map(move |k| Pos::new(k / side, k % side))
    }

    fn update(&mut self, game: &Game) {
        let me = game.me();
        let area = self.food.len();
        let (mut wall, mut hunger, mut anger) = (vec![false; area], vec![0.0; area], vec![0.0; area]);
        for pos in self.positions() {
            let at = slot(self.side, pos);
            match game.colour(pos) {
                None | Some(Colour::Wall) => wall[at] = true,
                Some(Colour::Bare) => hunger[at] = 1.0,
                Some(Colour::Painted(seat)) if seat != me => hunger[at] = 1.4,
                Some(Colour::Painted(_)) => {}
            }
            self.busy[at] = false;
        }
        for robot in game.robots() {
            let at = slot(self.side, robot.pos);
            self.busy[at] = true;
            if robot.seat == me {
                // Ours eat the field where they stand, so that they spread.
                hunger[at] -= if robot.model == Model::Farmer { 2.5 } else { 0.0 };
            } else if robot.model == Model::Farmer {
                anger[at] += 6.0;
            } else {
                anger[at] += 3.0;
                hunger[at] -= 8.0;
            }
        }
        let side = self.side as usize;
        smooth(&mut self.food, &wall, &hunger, side, 0.96, 12);
        smooth(&mut self.blood, &wall, &anger, side, 0.97, 12);
    }

    fn climb(&mut self, game: &Game, robot: &Robot) -> bool {
        let field = if robot.model == Model::Farmer { &self.food } else { &self.blood };
        let mut best = (f64::NEG_INFINITY, None);
        for dir in Dir::ALL {
            let to = robot.pos + dir;
            let at = slot(self.side, to);
            if self.busy[at] || matches!(game.colour(to), None | Some(Colour::Wall)) {
                continue;
            }
            let mut value = field[at];
            if robot.model == Model::Farmer && game.colour(to) != Some(Colour::Painted(game.me())) {
                value += 1.5;
            }
            if value > best.0 {
                best = (value, Some(dir));
            }
        }
        let Some(dir) = best.1 else { return false };
        let at = slot(self.side, robot.pos + dir);
        self.busy[at] = true;
        game.go(robot.id, dir)
    }
}

impl Player for Onada {
    fn new(game: &Game) -> Self {
        let side = game.settings.side;
        let area = (side * side) as usize;
        Onada { side, food: vec![0.0; area], blood: vec![0.0; area], busy: vec![false; area] }
    }

    fn play(&mut self, game: &Game) {
        self.update(game);
        let me = game.me();
        for knight in game.knights(me).collect::<Vec<_>>() {
            let mut blow = None;
            let mut least = i32::MAX;
            for dir in Dir::ALL {
                if let Some(other) = game.robot_at(knight.pos + dir) {
                    let life = if other.model == Model::Farmer { 100 } else { other.life };
                    if other.seat != me && life < least {
                        least = life;
                        blow = Some(dir);
                    }
                }
            }
            match blow {
                Some(dir) => _ = game.go(knight.id, dir),
                None if knight.life > 260 => _ = self.climb(game, &knight),
                None => _ = game.stay(knight.id),
            }
        }
        for farmer in game.farmers(me).collect::<Vec<_>>() {
            self.climb(game, &farmer);
        }
    }
}

player!(Onada, "Onada");
