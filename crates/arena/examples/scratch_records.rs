use ludus_games::Generator;
fn main() {
    let game = ludus_games::find("ants").unwrap();
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path).unwrap();
        let record = game.read_record(&text).unwrap();
        let mut out = Vec::new();
        record.write(&mut out);
        println!("{path}: identical {} frames {} damage {:?}", out == text, record.frames.len(), record.damage);
        // judge-style
        let s = String::from_utf8(text.clone())
            .unwrap()
            .replacen("Game", "SecGame", 1)
            .replace("status\t0\t0\t0\t0", "status\t0.00333333\t-1\t1e-05\t0.256667");
        let record = game.read_record(s.as_bytes()).unwrap();
        let mut out = Vec::new();
        record.write(&mut out);
        println!("   judged identical {} damage {:?}", out == s.as_bytes(), record.damage);
        // mutations on the head of the text
        let mut g = Generator::new(7);
        let head = &text[..text.len().min(9000)];
        let mut damaged = 0;
        for _ in 0..10000 {
            let mut t = head.to_vec();
            for _ in 0..=g.random(0, 3) {
                let at = g.random(0, t.len() as i32 - 1) as usize;
                match g.random(0, 4) {
                    0 => t[at] = g.random(0, 255) as u8,
                    1 => {
                        t.remove(at);
                    }
                    2 => t.insert(at, b"0123456789-WBSL.\t\n"[g.random(0, 17) as usize]),
                    3 => t.truncate(at.max(10)),
                    _ => {
                        let end = (at + 40).min(t.len());
                        let c = t[at..end].to_vec();
                        let to = g.random(0, t.len() as i32 - 1) as usize;
                        t.splice(to..to, c);
                    }
                }
            }
            match game.read_record(&t) {
                Ok(r) => {
                    damaged += usize::from(r.damage.is_some());
                    let mut o = Vec::new();
                    r.write(&mut o);
                }
                Err(e) => {
                    assert!(!e.to_string().contains('\n'));
                }
            }
        }
        let cnf = path.replace(".res", ".cnf");
        if let Ok(cnf) = std::fs::read(&cnf) {
            let (mut ok, mut bad) = (0, 0);
            for _ in 0..10000 {
                let mut t = cnf.clone();
                for _ in 0..=g.random(0, 3) {
                    let at = g.random(0, t.len() as i32 - 1) as usize;
                    match g.random(0, 3) {
                        0 => t[at] = g.random(0, 255) as u8,
                        1 => {
                            t.remove(at);
                        }
                        _ => t.insert(at, b"0123456789-WBSL.\t\n"[g.random(0, 17) as usize]),
                    }
                }
                match game.read_config(&t).and_then(|c| c.start(3)) {
                    Ok(mut e) => {
                        ok += 1;
                        for _ in 0..3 {
                            if e.state().round() < e.state().rounds() {
                                e.step(&Default::default()).unwrap();
                            }
                        }
                    }
                    Err(e) => {
                        bad += 1;
                        assert!(!e.to_string().contains('\n'));
                    }
                }
            }
            println!("   records damaged {damaged}, configs ok {ok} bad {bad}");
        }
    }
}
