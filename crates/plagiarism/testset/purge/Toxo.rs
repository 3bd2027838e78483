// Utility AI: considerations give marks from 0 to 1, marks are multiplied,
// and each citizen takes the action with the best product.
use ludus_player::purge::*;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Action {
    Step(Dir),
    Build(Dir),
    Wait,
}

trait Consideration {
    fn mark(&self, game: &Game, who: &Citizen, action: Action) -> f64;
}

struct Greed;
struct Caution;
struct Courage;
struct Shelter;
struct Order {
    taken: Vec<Pos>,
}

fn after(who: &Citizen, action: Action) -> Pos {
    match action {
        Action::Step(dir) => who.pos + dir,
        _ => who.pos,
    }
}

fn rivals<'a>(game: &'a Game) -> impl Iterator<Item = Citizen> + 'a {
    let me = game.me();
    game.citizens().filter(move |c| c.seat != me)
}

impl Consideration for Greed {
    fn mark(&self, game: &Game, who: &Citizen, action: Action) -> f64 {
        let at = after(who, action);
        let mut best: f64 = 0.05;
        for i in 0..game.settings.rows {
            for j in 0..game.settings.cols {
                let pos = Pos::new(i, j);
                let Some(item) = game.cell(pos).and_then(|c| c.item) else { continue };
                let lust = match (item, who.kind) {
                    (Item::Money, _) => 1.0,
                    (Item::Food, kind) => 1.0 - who.life as f64 / game.settings.life(kind) as f64,
                    (_, Kind::Warrior) if item.weapon() > who.weapon => 1.5,
                    _ => 0.0,
                };
                best = best.max(lust / (1.0 + pos.distance(at) as f64));
            }
        }
        best
    }
}

impl Consideration for Caution {
    fn mark(&self, game: &Game, who: &Citizen, action: Action) -> f64 {
        if game.is_day() {
            return 1.0;
        }
        let at = after(who, action);
        let mine = game.settings.attack(who.weapon) as f64;
        let mut mark = 1.0;
        for rival in rivals(game).filter(|r| r.pos.distance(at) <= 3 && r.kind == Kind::Warrior) {
            let theirs = game.settings.attack(rival.weapon) as f64;
            mark *= 1.0 - theirs / (mine + theirs) / rival.pos.distance(at).max(1) as f64;
        }
        mark.max(0.01)
    }
}

impl Consideration for Courage {
    fn mark(&self, game: &Game, who: &Citizen, action: Action) -> f64 {
        let Action::Step(dir) = action else { return 0.5 };
        let Some(rival) = game.citizen_at(who.pos + dir) else { return 0.5 };
        let hidden = game.cell(rival.pos).is_some_and(|c| c.barricade.is_some());
        if rival.seat == who.seat || game.is_day() || hidden {
            return 0.0;
        }
        let (mine, theirs) = (game.settings.attack(who.weapon) as f64, game.settings.attack(rival.weapon) as f64);
        20.0 * (mine / (mine + theirs)).powi(3)
    }
}

impl Consideration for Shelter {
    fn mark(&self, game: &Game, who: &Citizen, action: Action) -> f64 {
        let mine = |pos: Pos| game.cell(pos).and_then(|c| c.barricade).is_some_and(|b| b.seat == who.seat);
        match action {
            Action::Build(dir) => {
                let hour = game.round() % game.settings.rounds_per_day;
                let late = hour as f64 / game.settings.rounds_per_day as f64;
                if mine(who.pos + dir) { late * 3.0 } else { late }
            }
            _ if game.is_day() || who.kind == Kind::Warrior => 1.0,
            _ if mine(after(who, action)) => 30.0,
            _ => 1.0,
        }
    }
}

impl Consideration for Order {
    fn mark(&self, game: &Game, who: &Citizen, action: Action) -> f64 {
        let legal = match action {
            Action::Wait => return 0.3,
            Action::Step(dir) => game.cell(who.pos + dir).is_some_and(|c| {
                !c.is_building && c.barricade.is_none_or(|b| b.seat == who.seat) && !self.taken.contains(&(who.pos + dir))
            }),
            Action::Build(dir) => {
                let outside = game.cell(who.pos).is_some_and(|c| c.barricade.is_none());
                let room = game.barricades(who.seat).count() < game.settings.most_barricades as usize;
                let there = game.cell(who.pos + dir);
                outside && game.is_day() && there.is_some_and(|c| {
                    c.citizen.is_none() && (c.is_empty() && room || c.barricade.is_some_and(|b| b.seat == who.seat && b.resistance < 200))
                })
            }
        };
        if legal { 1.0 } else { 0.0 }
    }
}

struct Toxo {
    order: Order,
}

impl Toxo {
    fn actions(kind: Kind) -> Vec<Action> {
        let mut list = vec![Action::Wait];
        list.extend(Dir::ALL.map(Action::Step));
        if kind == Kind::Builder {
            list.extend(Dir::ALL.map(Action::Build));
        }
        list
    }
}

impl Player for Toxo {
    fn new(_: &Game) -> Self {
        Toxo { order: Order { taken: Vec::new() } }
    }

    fn play(&mut self, game: &Game) {
        self.order.taken.clear();
        let me = game.me();
        let team: Vec<Citizen> = game.citizens().filter(|c| c.seat == me).collect();
        for who in &team {
            let considerations: [&dyn Consideration; 5] = [&self.order, &Caution, &Courage, &Shelter, &Greed];
            let product = |action: Action| considerations.iter().fold(1.0, |p, c| if p == 0.0 { p } else { p * c.mark(game, who, action) });
            let best = Toxo::actions(who.kind).into_iter().map(|a| (product(a), a)).max_by(|a, b| a.0.total_cmp(&b.0));
            match best {
                Some((_, Action::Step(dir))) => {
                    self.order.taken.push(who.pos + dir);
                    game.move_citizen(who.id, dir);
                }
                Some((_, Action::Build(dir))) => game.build(who.id, dir),
                _ => {}
            }
        }
    }
}

player!(Toxo, "Toxo");
