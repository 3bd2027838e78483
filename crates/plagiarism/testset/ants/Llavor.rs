use ludus_player::ants::*;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// El que cada obrera s'ha proposat fer.
#[derive(Clone, Debug)]
enum Tasca {
    Passejar,
    Anar { cap_a: Pos, cami: Vec<Dir> },
    Tornar { cami: Vec<Dir> },
}

struct Llavor {
    tasques: HashMap<i32, Tasca>,
    ocupades: HashSet<Pos>,
}

fn es_terra(joc: &Game, p: Pos) -> bool {
    match joc.cell(p) {
        Some(c) => !c.is_water,
        None => false,
    }
}

/// A* amb un munt binari; el camí es retorna del revés per poder fer pop.
fn cami(joc: &Game, de: Pos, a: Pos) -> Vec<Dir> {
    let mut munt = BinaryHeap::new();
    let mut vist: HashMap<Pos, (i32, Option<Dir>)> = HashMap::new();
    vist.insert(de, (0, None));
    munt.push(Reverse((de.distance(a), de)));
    while let Some(Reverse((_, p))) = munt.pop() {
        if p == a {
            break;
        }
        let cost = vist[&p].0 + 1;
        for d in Dir::ALL {
            let q = p + d;
            if !es_terra(joc, q) {
                continue;
            }
            let millora = match vist.get(&q) {
                Some((vell, _)) => cost < *vell,
                None => true,
            };
            if millora {
                vist.insert(q, (cost, Some(d)));
                munt.push(Reverse((cost + q.distance(a), q)));
            }
        }
    }
    let mut passos = vec![];
    let mut p = a;
    while let Some((_, Some(d))) = vist.get(&p) {
        passos.push(*d);
        p += d.opposite();
    }
    passos
}

impl Llavor {
    fn lliure(&self, joc: &Game, p: Pos) -> bool {
        es_terra(joc, p) && !self.ocupades.contains(&p)
    }

    fn avanca(&mut self, joc: &Game, formiga: Ant, d: Dir) -> bool {
        let p = formiga.pos + d;
        if !self.lliure(joc, p) {
            return false;
        }
        self.ocupades.insert(p);
        joc.move_ant(formiga.id, d);
        true
    }

    fn segueix(&mut self, joc: &Game, obrera: Ant, mut cami: Vec<Dir>) -> Vec<Dir> {
        if let Some(d) = cami.pop() {
            if !self.avanca(joc, obrera, d) {
                // Algú fa nosa: un pas al costat i es torna a calcular.
                let altre = Dir::ALL[joc.random(0, 3) as usize];
                self.avanca(joc, obrera, altre);
                cami.clear();
            }
        }
        cami
    }

    fn tria_menjar(&self, joc: &Game, obrera: Ant, reina: Pos) -> Option<Pos> {
        let mut millor: Option<(i32, Pos)> = None;
        for i in 0..joc.settings.rows {
            for j in 0..joc.settings.cols {
                let p = Pos::new(i, j);
                let te = joc.cell(p).map_or(false, |c| c.food.is_some());
                let agafat = self.tasques.values().any(|t| matches!(t, Tasca::Anar { cap_a, .. } if *cap_a == p));
                if !te || agafat || p.distance(reina) <= 3 {
                    continue;
                }
                let d = p.distance(obrera.pos);
                if millor.map_or(true, |(m, _)| d < m) {
                    millor = Some((d, p));
                }
            }
        }
        millor.map(|(_, p)| p)
    }

    fn pensa(&mut self, joc: &Game, obrera: Ant, reina: Pos) {
        let tasca = self.tasques.remove(&obrera.id).unwrap_or(Tasca::Passejar);
        let aqui = joc.cell(obrera.pos).and_then(|c| c.food);
        let nova = match tasca {
            Tasca::Passejar => match self.tria_menjar(joc, obrera, reina) {
                Some(cap_a) => {
                    let cami = self.segueix(joc, obrera, cami(joc, obrera.pos, cap_a));
                    Tasca::Anar { cap_a, cami }
                }
                None => Tasca::Passejar,
            },
            Tasca::Anar { cap_a, .. } if obrera.pos == cap_a && aqui.is_some() => {
                joc.take(obrera.id);
                Tasca::Tornar { cami: vec![] }
            }
            Tasca::Anar { cap_a, .. } if joc.cell(cap_a).map_or(true, |c| c.food.is_none()) => Tasca::Passejar,
            Tasca::Anar { cap_a, cami: vell } => {
                let vell = if vell.is_empty() { cami(joc, obrera.pos, cap_a) } else { vell };
                Tasca::Anar { cap_a, cami: self.segueix(joc, obrera, vell) }
            }
            Tasca::Tornar { .. } if obrera.load.is_none() => Tasca::Passejar,
            Tasca::Tornar { .. } if obrera.pos.distance(reina) <= 2 && aqui.is_none() => {
                joc.leave(obrera.id);
                Tasca::Passejar
            }
            Tasca::Tornar { cami: vell } => {
                let vell = if vell.is_empty() { cami(joc, obrera.pos, reina) } else { vell };
                Tasca::Tornar { cami: self.segueix(joc, obrera, vell) }
            }
        };
        self.tasques.insert(obrera.id, nova);
    }

    fn governa(&mut self, joc: &Game, reina: Ant) {
        for d in Dir::ALL {
            let hi_ha = joc.cell(reina.pos + d).map_or(false, |c| c.food.is_some());
            if hi_ha && joc.round() % joc.settings.queen_period == 0 && self.avanca(joc, reina, d) {
                return;
            }
        }
        if reina.reserve.cover(joc.settings.worker_cost) {
            for d in Dir::ALL {
                if self.lliure(joc, reina.pos + d) {
                    self.ocupades.insert(reina.pos + d);
                    joc.lay(reina.id, d, Kind::Worker);
                    return;
                }
            }
        }
    }
}

impl Player for Llavor {
    fn new(_joc: &Game) -> Self {
        Llavor { tasques: HashMap::new(), ocupades: HashSet::new() }
    }

    fn play(&mut self, joc: &Game) {
        if joc.status(joc.me()) > 0.9 {
            return;
        }
        self.ocupades = joc.ants().map(|f| f.pos).collect();
        self.tasques.retain(|id, _| joc.ant(*id).is_some());
        if let Some(reina) = joc.queen(joc.me()) {
            self.governa(joc, reina);
            for obrera in joc.workers(joc.me()) {
                self.pensa(joc, obrera, reina.pos);
            }
        }
    }
}

player!(Llavor, "Llavor");
