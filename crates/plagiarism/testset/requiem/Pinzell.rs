use ludus_player::requiem::*;
use std::collections::{HashSet, VecDeque};

/// Un pintor de parets: cada pagès busca feina amb una cua i apunta les
/// caselles que ja té algú.
struct Pinzell {
    reservades: HashSet<(i32, i32)>,
    passos: HashSet<(i32, i32)>,
}

struct Pas {
    lloc: Pos,
    primer: Option<Dir>,
    llarg: u32,
}

impl Pinzell {
    fn es_meva(joc: &Game, p: Pos) -> bool {
        joc.colour(p) == Some(Colour::Painted(joc.me()))
    }

    fn es_paret(joc: &Game, p: Pos) -> bool {
        !matches!(joc.colour(p), Some(Colour::Bare) | Some(Colour::Painted(_)))
    }

    fn lliure(&self, joc: &Game, p: Pos) -> bool {
        !Self::es_paret(joc, p) && joc.robot_at(p).is_none() && !self.passos.contains(&(p.i, p.j))
    }

    fn amenacada(joc: &Game, p: Pos) -> bool {
        let mut hi_es = false;
        for d in Dir::ALL {
            if let Some(r) = joc.robot_at(p + d) {
                if r.seat != joc.me() && r.model == Model::Knight {
                    hi_es = true;
                }
            }
        }
        hi_es
    }

    fn feina(&mut self, joc: &Game, pages: &Robot) -> Option<Dir> {
        let mut vistes = HashSet::new();
        let mut cua = VecDeque::new();
        vistes.insert((pages.pos.i, pages.pos.j));
        cua.push_back(Pas { lloc: pages.pos, primer: None, llarg: 0 });
        loop {
            let pas = cua.pop_front()?;
            if pas.llarg > 0 && !Self::es_meva(joc, pas.lloc) && self.reservades.insert((pas.lloc.i, pas.lloc.j)) {
                return pas.primer;
            }
            if pas.llarg == 25 || vistes.len() > 900 {
                return None;
            }
            for d in Dir::ALL {
                let q = pas.lloc + d;
                if Self::es_paret(joc, q) {
                    continue;
                }
                if pas.llarg == 0 && (!self.lliure(joc, q) || Self::amenacada(joc, q)) {
                    continue;
                }
                if vistes.insert((q.i, q.j)) {
                    let primer = if pas.llarg == 0 { Some(d) } else { pas.primer };
                    cua.push_back(Pas { lloc: q, primer, llarg: pas.llarg + 1 });
                }
            }
        }
    }

    fn colpeja(joc: &Game, cavaller: &Robot) -> bool {
        let mut objectiu: Option<(i32, Dir)> = None;
        for d in Dir::ALL {
            let Some(altre) = joc.robot_at(cavaller.pos + d) else { continue };
            if altre.seat == joc.me() {
                continue;
            }
            let vida = match altre.model {
                Model::Farmer => 0,
                Model::Knight => altre.life,
            };
            objectiu = match objectiu {
                Some((v, _)) if v <= vida => objectiu,
                _ => Some((vida, d)),
            };
        }
        objectiu.is_some_and(|(_, d)| joc.go(cavaller.id, d))
    }

    fn vigila(&mut self, joc: &Game, cavaller: &Robot) {
        // Es queda prop dels pagesos: si en té algun massa lluny, s'hi acosta.
        let mut a_prop = i32::MAX;
        let mut cap = cavaller.pos;
        for p in joc.farmers(joc.me()) {
            let d = p.pos.distance(cavaller.pos);
            if d < a_prop {
                a_prop = d;
                cap = p.pos;
            }
        }
        if a_prop <= 4 || cavaller.life < 200 {
            return;
        }
        for d in Dir::ALL {
            let q = cavaller.pos + d;
            if q.distance(cap) < a_prop && self.lliure(joc, q) && joc.go(cavaller.id, d) {
                self.passos.insert((q.i, q.j));
                return;
            }
        }
    }
}

impl Player for Pinzell {
    fn new(_joc: &Game) -> Self {
        Pinzell { reservades: HashSet::new(), passos: HashSet::new() }
    }

    fn play(&mut self, joc: &Game) {
        self.reservades.clear();
        self.passos.clear();
        let cavallers: Vec<Robot> = joc.knights(joc.me()).collect();
        for c in &cavallers {
            if !Self::colpeja(joc, c) {
                self.vigila(joc, c);
            }
        }
        for p in joc.farmers(joc.me()).collect::<Vec<_>>() {
            match self.feina(joc, &p) {
                Some(d) => {
                    let q = p.pos + d;
                    if joc.go(p.id, d) {
                        self.passos.insert((q.i, q.j));
                    }
                }
                None => {
                    joc.go(p.id, Dir::SouthEast);
                }
            }
        }
    }
}

player!(Pinzell, "Pinzell");
