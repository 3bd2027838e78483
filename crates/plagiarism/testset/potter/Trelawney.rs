//! A list of rules, tried in order for every wizard: the first that knows what
//! to do decides. Easy to read, easy to reorder.
use ludus_player::potter::*;

type Rule = fn(&Game, &Unit, &Notes) -> Option<Dir>;

/// What has been decided in this round so far.
#[derive(Default)]
struct Notes {
    steps: Vec<Pos>,
    hopes: Vec<Pos>,
}

struct Trelawney;

const RULES: [Rule; 7] = [run_away, rescue, convert, disturb, read, paint, wander];

fn chebyshev(a: Pos, b: Pos) -> i32 {
    i32::max((a.i - b.i).abs(), (a.j - b.j).abs())
}

fn enters(game: &Game, pos: Pos, notes: &Notes) -> bool {
    let Some(cell) = game.cell(pos) else { return false };
    !cell.is_wall && cell.unit.is_none() && !notes.steps.contains(&pos) && chebyshev(pos, game.voldemort()) > 2
}

fn beside<'a>(game: &'a Game, unit: &'a Unit) -> impl Iterator<Item = (Dir, Unit)> + 'a {
    Dir::FOUR.into_iter().filter_map(move |dir| {
        let pos = unit.pos + dir;
        if chebyshev(pos, game.voldemort()) <= 1 {
            return None;
        }
        let id = game.cell(pos)?.unit?;
        Some((dir, game.unit(id)?))
    })
}

fn run_away(game: &Game, unit: &Unit, notes: &Notes) -> Option<Dir> {
    let lord = game.voldemort();
    if chebyshev(unit.pos, lord) > 4 {
        return None;
    }
    let mut ways: Vec<Dir> = Dir::FOUR.to_vec();
    ways.retain(|&dir| enters(game, unit.pos + dir, notes));
    ways.into_iter().max_by_key(|&dir| chebyshev(unit.pos + dir, lord) * 100 + (unit.pos + dir).distance(lord))
}

fn rescue(game: &Game, unit: &Unit, _: &Notes) -> Option<Dir> {
    if unit.is_converting() {
        return None;
    }
    beside(game, unit).find(|(_, other)| other.seat == game.me() && other.is_converting()).map(|(dir, _)| dir)
}

fn convert(game: &Game, unit: &Unit, _: &Notes) -> Option<Dir> {
    if unit.is_converting() {
        return None;
    }
    let strength = game.magic_strength(game.me());
    let mut victims: Vec<(i32, Dir)> = Vec::new();
    for (dir, other) in beside(game, unit) {
        let theirs = game.magic_strength(other.seat);
        if other.kind == Kind::Wizard && other.seat != game.me() && !other.is_converting() && theirs <= strength * 3 / 2 {
            victims.push((theirs, dir));
        }
    }
    victims.sort();
    victims.first().map(|&(_, dir)| dir)
}

fn disturb(game: &Game, unit: &Unit, _: &Notes) -> Option<Dir> {
    let round = game.round();
    let can = |ghost: &Unit| ghost.attacked.is_none_or(|when| round - when >= game.settings.attack_pause);
    if unit.is_converting() || round > game.settings.rounds - 60 {
        return None;
    }
    beside(game, unit).find(|(_, other)| other.kind == Kind::Ghost && other.seat != game.me() && can(other)).map(|found| found.0)
}

/// The book that is nearest in a straight line, approached along the longer side.
fn read(game: &Game, unit: &Unit, notes: &Notes) -> Option<Dir> {
    let mut nearest: Option<Pos> = None;
    for i in unit.pos.i - 10..=unit.pos.i + 10 {
        for j in unit.pos.j - 10..=unit.pos.j + 10 {
            let pos = Pos::new(i, j);
            let wanted = game.cell(pos).is_some_and(|cell| cell.has_book) && !notes.hopes.contains(&pos);
            if wanted && nearest.is_none_or(|old| pos.distance(unit.pos) < old.distance(unit.pos)) {
                nearest = Some(pos);
            }
        }
    }
    approach(game, unit, nearest?, notes)
}

fn approach(game: &Game, unit: &Unit, goal: Pos, notes: &Notes) -> Option<Dir> {
    let down = if goal.i > unit.pos.i { Dir::Down } else { Dir::Up };
    let right = if goal.j > unit.pos.j { Dir::Right } else { Dir::Left };
    let (rows, cols) = ((goal.i - unit.pos.i).abs(), (goal.j - unit.pos.j).abs());
    let wishes = if rows > cols { [(rows, down), (cols, right)] } else { [(cols, right), (rows, down)] };
    wishes.into_iter().find(|&(left, dir)| left > 0 && enters(game, unit.pos + dir, notes)).map(|(_, dir)| dir)
}

fn paint(game: &Game, unit: &Unit, notes: &Notes) -> Option<Dir> {
    let fresh = |pos: Pos| game.cell(pos).is_some_and(|cell| !cell.is_wall && cell.owner != Some(game.me()));
    let value = |dir: Dir| {
        let mut pos = unit.pos;
        let mut sum = 0;
        for weight in (1..=6).rev() {
            pos += dir;
            sum += if fresh(pos) { weight } else { 0 };
        }
        sum
    };
    let open = Dir::FOUR.into_iter().filter(|&dir| enters(game, unit.pos + dir, notes));
    open.map(|dir| (value(dir), dir)).filter(|&(sum, _)| sum > 3).max().map(|(_, dir)| dir)
}

fn wander(game: &Game, unit: &Unit, notes: &Notes) -> Option<Dir> {
    let dir = Dir::FOUR[((unit.id + game.round() / 7) % 4) as usize];
    enters(game, unit.pos + dir, notes).then_some(dir)
}

impl Player for Trelawney {
    fn new(_: &Game) -> Self {
        Trelawney
    }

    fn play(&mut self, game: &Game) {
        let mut notes = Notes::default();
        for unit in game.wizards(game.me()) {
            let Some(dir) = RULES.iter().find_map(|rule| rule(game, &unit, &notes)) else { continue };
            notes.steps.push(unit.pos + dir);
            notes.hopes.push(unit.pos + dir);
            game.move_unit(unit.id, dir);
        }
    }
}

player!(Trelawney, "Trelawney");
