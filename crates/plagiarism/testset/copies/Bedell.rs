use ludus_player::potter::*;

#[derive(Clone, Copy)]
struct Escombra {
    cap: i32,     // direcció actual, 0..3 en sentit antihorari
    avorrit: i32, // torns sense pintar res de nou
    voltes: i32,
}

struct Bedell {
    estris: Vec<Escombra>,
    reservades: Vec<Pos>,
}

fn real(cap: i32) -> Dir {
    [Dir::Down, Dir::Right, Dir::Up, Dir::Left][((cap % 4 + 4) % 4) as usize]
}

fn mort(joc: &Game, p: Pos) -> bool {
    let v = joc.voldemort();
    let a = p.i - v.i;
    let b = p.j - v.j;
    a * a <= 4 && b * b <= 4
}

fn brut(joc: &Game, p: Pos) -> bool {
    joc.cell(p).is_some_and(|c| c.owner != Some(joc.me()) || c.has_book)
}

// Quantes caselles brutes hi ha en línia recta.
fn feina(joc: &Game, mut p: Pos, cap: i32) -> i32 {
    let mut compte = 0;
    for _ in 1..=12 {
        p += real(cap).step();
        let Some(c) = joc.cell(p) else { return compte };
        if c.is_wall {
            return compte;
        }
        if brut(joc, p) {
            compte += 1;
        }
        if c.has_book {
            compte += 5;
        }
    }
    compte
}

impl Bedell {
    fn passa(&self, joc: &Game, p: Pos) -> bool {
        let Some(c) = joc.cell(p) else { return false };
        if c.is_wall || c.unit.is_some() || mort(joc, p) {
            return false;
        }
        for r in &self.reservades {
            if *r == p {
                return false;
            }
        }
        true
    }

    fn avanca(&mut self, joc: &Game, u: &Unit, cap: i32) {
        let p = u.pos + real(cap);
        self.reservades.push(p);
        let e = &mut self.estris[u.id as usize];
        e.cap = (cap % 4 + 4) % 4;
        e.avorrit = if brut(joc, p) { 0 } else { e.avorrit + 1 };
        joc.move_unit(u.id, real(cap));
    }

    fn baralla(&self, joc: &Game, u: &Unit) -> bool {
        if u.is_converting() {
            return false;
        }
        for cap in 0..4 {
            let p = u.pos + real(cap);
            if mort(joc, p) {
                continue;
            }
            let Some(altre) = joc.cell(p).and_then(|c| c.unit).and_then(|id| joc.unit(id)) else { continue };
            if altre.seat == joc.me() {
                if altre.is_converting() {
                    joc.move_unit(u.id, real(cap));
                    return true;
                }
                continue;
            }
            if altre.kind == Kind::Ghost || altre.is_converting() {
                continue;
            }
            if joc.magic_strength(altre.seat) <= joc.magic_strength(joc.me()) {
                joc.move_unit(u.id, real(cap));
                return true;
            }
        }
        false
    }

    fn escombra(&mut self, joc: &Game, u: &Unit) {
        let p = u.pos;
        if mort(joc, p) {
            // cames ajudeu-me
            let v = joc.voldemort();
            let mut millor = -1;
            let mut dist = -1;
            for cap in 0..4 {
                let q = p + real(cap);
                let d = (q.i - v.i).abs() + (q.j - v.j).abs();
                if joc.cell(q).is_some_and(|c| !c.is_wall && c.unit.is_none()) && d > dist {
                    dist = d;
                    millor = cap;
                }
            }
            if millor != -1 {
                joc.move_unit(u.id, real(millor));
            }
            return;
        }
        if self.estris[u.id as usize].avorrit > 6 {
            // busca la direcció amb més feina
            let mut millor = self.estris[u.id as usize].cap;
            let mut max_feina = -1;
            for cap in 0..4 {
                let f = feina(joc, p, cap);
                if f > max_feina && self.passa(joc, p + real(cap)) {
                    max_feina = f;
                    millor = cap;
                }
            }
            if max_feina == 0 {
                millor = joc.random(0, 3);
            }
            self.estris[u.id as usize].avorrit = 0;
            self.estris[u.id as usize].voltes += 1;
            if self.passa(joc, p + real(millor)) {
                return self.avanca(joc, u, millor);
            }
        }
        // mà dreta o mà esquerra, segons el número
        let e = self.estris[u.id as usize];
        let ma = if (u.id + e.voltes) % 2 == 0 { 1 } else { -1 };
        let ordre = [e.cap, e.cap + ma, e.cap - ma, e.cap + 2];
        for cap in ordre {
            if self.passa(joc, p + real(cap)) && brut(joc, p + real(cap)) {
                return self.avanca(joc, u, cap);
            }
        }
        for cap in ordre {
            if self.passa(joc, p + real(cap)) {
                return self.avanca(joc, u, cap);
            }
        }
    }
}

impl Player for Bedell {
    fn new(_joc: &Game) -> Self {
        let estris = (0..2000).map(|id| Escombra { cap: id % 4, avorrit: 0, voltes: 0 }).collect();
        Bedell { estris, reservades: Vec::new() }
    }

    fn play(&mut self, joc: &Game) {
        self.reservades.clear();
        for u in joc.wizards(joc.me()) {
            if !self.baralla(joc, &u) {
                self.escombra(joc, &u);
            }
        }
    }
}

player!(Bedell, "Bedell");
