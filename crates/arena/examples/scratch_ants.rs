use ludus_arena::Match;
fn main() {
    let n: i32 = std::env::args().nth(1).map_or(200, |n| n.parse().unwrap());
    let game = ludus_games::find("ants").unwrap();
    let p = |name: &str| game.about().players.iter().find(|p| p.name == name).unwrap();
    let (dummy, demo) = (p("Dummy"), p("Demo"));
    let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
    for seat in 0..4 {
        let (mut wins, mut sum, mut other, mut worst) = (0, 0, 0, i64::MAX);
        for seed in 1..=n {
            let mut players = [demo; 4];
            players[seat] = dummy;
            let o = Match::between(&*config, seed, players).unwrap().play_out().unwrap();
            let s: Vec<i64> = o.seats.iter().map(|s| s.score).collect();
            let best = (0..4).filter(|&k| k != seat).map(|k| s[k]).max().unwrap();
            wins += i32::from(s[seat] > best);
            sum += s[seat];
            other += best;
            worst = worst.min(s[seat] - best);
            if s[seat] <= best {
                println!("seat {seat} seed {seed} {s:?}");
            }
        }
        println!(
            "seat {seat}: wins {wins}/{n}, mean {} best other {} worst margin {worst}",
            sum / n as i64,
            other / n as i64
        );
    }
    let mut sum = [0; 4];
    for seed in 1..=n {
        let o = Match::between(&*config, seed, [dummy; 4]).unwrap().play_out().unwrap();
        for k in 0..4 {
            sum[k] += o.seats[k].score;
        }
    }
    println!("four Dummy: {:?}", sum.map(|s| s / n as i64));
}
