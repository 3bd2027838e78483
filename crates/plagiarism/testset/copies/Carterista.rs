use ludus_player::purge::*;
use std::collections::HashMap;

fn perill(joc: &Game, jo: &Citizen, p: Pos) -> i32 {
    if joc.is_day() {
        return 0;
    }
    let meva = joc.settings.attack(jo.weapon);
    let mut total = 0;
    for altre in joc.citizens() {
        if altre.seat == joc.me() || joc.settings.attack(altre.weapon) < meva {
            continue;
        }
        let d = altre.pos.distance(p);
        if d <= 3 && altre.kind == Kind::Warrior {
            total += 4 - d;
        }
    }
    total
}

impl Player for Carterista {
    fn play(&mut self, joc: &Game) {
        for i in 0..joc.settings.rows {
            for j in 0..joc.settings.cols {
                let p = Pos::new(i, j);
                if joc.cell(p).is_some_and(|c| c.item == Some(Item::Money)) {
                    *self.botins.entry(p).or_insert(0) += 1;
                }
            }
        }
        let mut ocupats = Vec::new();
        let banda = joc.warriors(joc.me()).chain(joc.builders(joc.me()));
        for jo in banda.collect::<Vec<_>>() {
            if !self.venja(joc, &jo) && !self.fuig(joc, &jo) {
                self.robatori(joc, &jo, &mut ocupats);
            }
        }
    }

    fn new(_: &Game) -> Self {
        Carterista { botins: HashMap::new() }
    }
}

fn direccio(de: Pos, a: Pos) -> Dir {
    if a.i > de.i {
        Dir::Down
    } else if a.i < de.i {
        Dir::Up
    } else if a.j > de.j {
        Dir::Right
    } else {
        Dir::Left
    }
}

impl Carterista {
    fn venja(&self, joc: &Game, jo: &Citizen) -> bool {
        if joc.is_day() || jo.kind == Kind::Builder {
            return false;
        }
        let feble = |altre: &Citizen| altre.seat != joc.me() && joc.settings.attack(altre.weapon) < joc.settings.attack(jo.weapon);
        for d in Dir::ALL {
            let lliure = joc.cell(jo.pos + d).is_some_and(|c| c.barricade.is_none());
            if lliure && joc.citizen_at(jo.pos + d).as_ref().is_some_and(feble) {
                joc.move_citizen(jo.id, d);
                return true;
            }
        }
        false
    }

    fn fuig(&self, joc: &Game, jo: &Citizen) -> bool {
        let ara = perill(joc, jo, jo.pos);
        if ara == 0 {
            return false;
        }
        let mut millor = (ara, None);
        for d in Dir::ALL {
            if obert(joc, jo.pos + d) {
                let p = perill(joc, jo, jo.pos + d);
                if p < millor.0 {
                    millor = (p, Some(d));
                }
            }
        }
        match millor.1 {
            Some(d) => joc.move_citizen(jo.id, d),
            None => return false,
        }
        true
    }

    fn robatori(&self, joc: &Game, jo: &Citizen, ocupats: &mut Vec<Pos>) {
        let te = |p: Pos| joc.cell(p).is_some_and(|c| c.item == Some(Item::Money)) && !ocupats.contains(&p);
        let arma = |p: Pos| {
            let item = joc.cell(p).and_then(|c| c.item).and_then(|i| i.weapon());
            jo.kind == Kind::Warrior && item > jo.weapon
        };
        let ruta = cami(joc, jo.pos, |p| te(p) || arma(p)).or_else(|| {
            // On n'hi ha hagut més vegades, n'hi tornarà a haver.
            let lloc = self.botins.iter().max_by_key(|(p, n)| (**n * 10 - p.distance(jo.pos), **p))?;
            cami(joc, jo.pos, |p| p == *lloc.0)
        });
        if let Some(ruta) = ruta {
            ocupats.push(ruta[ruta.len() - 1]);
            ocupats.push(ruta[0]);
            joc.move_citizen(jo.id, direccio(jo.pos, ruta[0]));
        }
    }
}

fn obert(joc: &Game, p: Pos) -> bool {
    joc.cell(p).is_some_and(|c| {
        !c.is_building && c.citizen.is_none() && c.barricade.is_none_or(|b| b.seat == joc.me())
    })
}

struct Carterista {
    botins: HashMap<Pos, i32>, // quantes vegades hi ha hagut diners en cada lloc
}

fn cami<F: Fn(Pos) -> bool>(joc: &Game, inici: Pos, vull: F) -> Option<Vec<Pos>> {
    let mut pare: HashMap<Pos, Pos> = HashMap::new();
    let mut nivell = vec![inici];
    pare.insert(inici, inici);
    while !nivell.is_empty() {
        let mut seguent = Vec::new();
        for p in nivell {
            if p != inici && vull(p) {
                let mut tros = vec![p];
                let mut q = p;
                while pare[&q] != inici {
                    q = pare[&q];
                    tros.push(q);
                }
                tros.reverse();
                return Some(tros);
            }
            for d in Dir::ALL {
                let q = p + d;
                if obert(joc, q) && !pare.contains_key(&q) {
                    pare.insert(q, p);
                    seguent.push(q);
                }
            }
        }
        nivell = seguent;
    }
    None
}

player!(Carterista, "Carterista");
