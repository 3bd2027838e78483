//! Replays of every game: what is written comes back and is proved, and
//! nothing that was changed is.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::shared::{played, recorded, seal, short_or_long, wild};
use flate2::read::GzDecoder;
use ludus_arena::replay::{DifferenceKind, Ending, Proof, ReadError, Replay, Round, Setup, Unplayable, Writer, verify};
use ludus_arena::spoil::{any, inputs, spoil};
use ludus_arena::{Allowance, Entrant, Fault, Match, MatchFile, Player, Program, Turn};
use ludus_games::record::Header;
use ludus_games::{GAMES, Game, Generator, Orders, PerSeat, Seat};

/// A replay taken apart, to be changed and put together again.
#[derive(Clone)]
struct Parts {
    setup: Setup,
    ending: Ending,
    digest: u64,
    rounds: Vec<Round>,
}

impl Parts {
    fn of(bytes: &[u8]) -> Parts {
        let replay = Replay::read(bytes).unwrap();
        let mut reader = replay.rounds();
        let mut rounds = Vec::new();
        while let Some(round) = reader.next_round() {
            rounds.push(round.unwrap().clone());
        }
        Parts { setup: replay.setup.clone(), ending: replay.ending.clone(), digest: replay.digest, rounds }
    }

    fn write(&self) -> Vec<u8> {
        let mut writer = Writer::new(&self.setup);
        self.rounds.iter().for_each(|round| writer.round(&round.orders, &round.fuel, round.digest));
        writer.finish(&self.ending, self.digest)
    }
}

fn is_identical(bytes: &[u8]) -> bool {
    let verdict = Replay::read(bytes).map(|replay| verify(&replay, [const { None }; Seat::COUNT]));
    matches!(verdict, Ok(Ok(Proof::Identical { .. })))
}

#[test]
fn what_is_recorded_comes_back_and_is_proved() {
    for game in GAMES {
        for (seed, names) in [(1, ["Demo"; 4]), (2, ["Dummy"; 4]), (3, ["Demo", "Null", "Dummy", "Demo"])] {
            let (bytes, orders) = recorded(played(*game, seed, names), *game);
            let replay = Replay::read(&bytes).unwrap();
            let mut rounds = replay.rounds();
            for (k, expected) in orders.iter().enumerate() {
                let found = rounds.next_round().unwrap().unwrap();
                assert!(found.orders == *expected, "{} seed {seed} round {k}", game.about().id);
            }
            assert!(rounds.next_round().is_none());
            let asked = [true; Seat::COUNT];
            assert_eq!(verify(&replay, [const { None }; Seat::COUNT]), Ok(Proof::Identical { asked }));
            assert!(Parts::of(&bytes).write() == bytes, "{} written again differs", game.about().id);
        }
    }
}

#[test]
fn replays_of_players_that_fail_and_are_metered_are_proved() {
    for game in GAMES {
        for seed in [4, 5, 6] {
            let (bytes, orders) = recorded(wild(*game, seed), *game);
            let parts = Parts::of(&bytes);
            assert!(parts.rounds.iter().map(|round| &round.orders).eq(&orders), "{} seed {seed}", game.about().id);
            assert!(parts.ending.fuel.iter().any(|&fuel| fuel > 0) && parts.ending.faults.iter().any(Option::is_some));
            assert!(is_identical(&bytes), "{} seed {seed}", game.about().id);
        }
    }
}

/// Four modules, as far as a replay can tell, of which some are not asked.
fn with_barred(barred: Seat, from: u32) -> Match {
    struct Idle;
    impl Player for Idle {
        fn play(&mut self, _: Turn<'_>, _: &mut Orders) -> Result<(), Fault> {
            Ok(())
        }

        fn program(&self) -> Program {
            let allowance = Allowance { version: 1, fuel: 1000, fuel_per_round: None, memory: 1 << 20, metered: true };
            Program::Module { hash: [7; 32], allowance }
        }
    }
    let config = GAMES[0].read_config(GAMES[0].about().default_config.as_bytes()).unwrap();
    let entrants = Seat::ALL.map(|seat| {
        let idle: Box<dyn Player> = Box::new(Idle);
        let player = if seat == barred { ludus_arena::barred(idle, from) } else { idle };
        Entrant { name: "Idle".to_owned(), player }
    });
    Match::new(&*config, 5, entrants).unwrap()
}

/// Whoever had run past its time before the match is not asked by those who prove
/// it either, and the proof says so.
#[test]
fn who_was_not_asked_is_not_asked_again() {
    let (bytes, _) = recorded(with_barred(Seat::ALL[2], 9), GAMES[0]);
    let replay = Replay::read(&bytes).unwrap();
    assert_eq!(replay.ending.faults[2], Some((9, Fault::Overtime)));
    assert_eq!((replay.barred_from(Seat::ALL[2]), replay.barred_from(Seat::ALL[1])), (Some(9), None));
    struct Loud;
    impl Player for Loud {
        fn play(&mut self, _: Turn<'_>, _: &mut Orders) -> Result<(), Fault> {
            panic!("it would run past its time again")
        }
    }
    let mut players = [const { None }; Seat::COUNT];
    players[2] = Some(Box::new(Loud) as Box<dyn Player>);
    assert_eq!(verify(&replay, players), Ok(Proof::Identical { asked: [false; Seat::COUNT] }));
    // It is told of nobody but modules.
    let (bytes, _) = recorded(played(GAMES[0], 1, ["Demo"; 4]), GAMES[0]);
    let mut builtin = Parts::of(&bytes);
    builtin.ending.faults[2] = Some((0, Fault::Overtime));
    assert!(!is_identical(&builtin.write()));
}

#[test]
fn replays_are_small() {
    // The default match with four Demo, on each of twenty seeds.
    let most = [("ants", 5), ("purge", 5), ("potter", 14), ("dominator", 16), ("requiem", 24)];
    for (id, kilobytes) in most {
        let game = ludus_games::find(id).unwrap();
        let sizes = (1..=20).map(|seed| recorded(played(game, seed, ["Demo"; 4]), game).0.len());
        let largest = sizes.max().unwrap();
        println!("{id}: at most {largest} bytes");
        assert!(largest <= kilobytes * 1000, "{id}: {largest} bytes");
    }
}

/// Matches between players that order every unit: our own, and the shared ones
/// where they are.
#[test]
fn replays_of_busy_players_are_small() {
    let check = |name: &str, played: Match, game: &dyn Game| {
        let (bytes, orders) = recorded(played, game);
        println!("{name}: {} orders, {} bytes", orders.iter().flatten().map(Orders::len).sum::<usize>(), bytes.len());
        assert!(bytes.len() <= 14_000 && is_identical(&bytes), "{name}");
    };
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance");
    for case in ["ants/03-foragers-default", "purge/03-mixed-default"] {
        let (game, folder) = (ludus_games::find(case.split('/').next().unwrap()).unwrap(), shared.join(case));
        check("four Veterans", played(game, 3, ["Veteran"; 4]), game);
        match shared.exists() {
            true => check(case, scripted(game, &folder), game),
            false => println!("{case}: no shared matches beside this checkout, our own only"),
        }
    }
}

/// A match in which players give the orders of a recorded case.
fn scripted(game: &dyn Game, folder: &Path) -> Match {
    let mut text = String::new();
    GzDecoder::new(File::open(folder.join("orders.txt.gz")).unwrap()).read_to_string(&mut text).unwrap();
    let mut scripts = [const { VecDeque::new() }; Seat::COUNT];
    let mut seat = Seat::ALL[0];
    for line in text.lines() {
        let mut words = line.split(' ').map(|word| word.parse::<i32>());
        if line.starts_with("round") {
            seat = Seat::from_number(words.nth(3).unwrap().unwrap()).unwrap();
            scripts[seat].push_back(Orders::new());
        } else {
            let order: Vec<i32> = words.map(Result::unwrap).collect();
            scripts[seat].back_mut().unwrap().push(&order);
        }
    }
    let facts = std::fs::read_to_string(folder.join("case.json")).unwrap();
    let facts: serde_json::Value = serde_json::from_str(&facts).unwrap();
    let config = std::fs::read(folder.join("input.cnf")).unwrap();
    let config = game.read_config(&config).unwrap();
    let entrants = scripts.map(|script| Entrant { name: "Busy".to_owned(), player: Box::new(Scripted(script)) });
    Match::new(&*config, facts["seed"].as_i64().unwrap() as i32, entrants).unwrap()
}

struct Scripted(VecDeque<Orders>);

impl Player for Scripted {
    fn play(&mut self, _: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        *orders = self.0.pop_front().unwrap_or_default();
        Ok(())
    }
}

/// Lists of orders that no player gives: any words, any lengths, the same unit
/// again, units that nobody has.
fn odd_orders(generator: &mut Generator) -> Orders {
    let mut orders = Orders::new();
    for _ in 0..[0, 1, 5, 40][any(generator, 4)] {
        let length = [0, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 18, 70, 300][any(generator, 14)];
        let id = match any(generator, 8) {
            0 => generator.random(i32::MIN, i32::MAX),
            1 => generator.random(2040, 2060),
            _ => generator.random(-2, 30),
        };
        let word = |generator: &mut Generator| match any(generator, 20) {
            0 => generator.random(i32::MIN, i32::MAX),
            1 => generator.random(-3, 30),
            _ => generator.random(0, 3),
        };
        let mut order: Vec<i32> = (0..length).map(|_| word(generator)).collect();
        if let Some(unit) = order.first_mut() {
            *unit = id;
        }
        orders.push(&order);
        if any(generator, 10) == 0 {
            orders.push(&order);
        }
    }
    orders
}

#[test]
fn any_orders_come_back() {
    for seed in 1..=40 {
        let mut generator = Generator::new(seed);
        let allowance = Allowance { version: 1, fuel: u64::MAX >> 1, fuel_per_round: None, memory: 0, metered: true };
        let module = Program::Module { hash: [seed as u8; 32], allowance };
        let setup = Setup {
            game: "no such game".to_owned(),
            engine: String::new(),
            config: vec![seed as u8; any(&mut generator, 500)],
            header: Header { judged: seed % 2 == 0, seed, names: PerSeat::default() },
            programs: [module.clone(), Program::Unknown, Program::Builtin("Añil".to_owned()), module],
        };
        let faults = [
            Some((1, Fault::Trap("x".repeat(1000)))),
            None,
            Some((0, Fault::OutOfFuel)),
            Some((3, Fault::MalformedOrders("odd".into()))),
        ];
        let fuel = |generator: &mut Generator| i64::from(generator.random(0, i32::MAX)).unsigned_abs() << 30;
        let mut round = || Round {
            orders: Seat::ALL.map(|_| odd_orders(&mut generator)),
            fuel: [fuel(&mut generator), 0, 0, fuel(&mut generator)],
            digest: any(&mut generator, 65_536) as u16,
        };
        let rounds: Vec<Round> = (0..60).map(|_| round()).collect();
        let ending = Ending { rounds: 60, scores: [i64::MIN, i64::MAX, -1, 0], fuel: [0, 1, u64::MAX, 7], faults };
        let parts = Parts { setup, ending, digest: u64::MAX, rounds };
        let found = Parts::of(&parts.write());
        assert_eq!((&found.setup, &found.ending, found.digest), (&parts.setup, &parts.ending, parts.digest));
        for (k, (found, expected)) in found.rounds.iter().zip(&parts.rounds).enumerate() {
            assert_eq!(found, expected, "seed {seed} round {k}");
        }
        assert_eq!(found.rounds.len(), parts.rounds.len());
    }
}

/// Changes one thing, and says what.
fn edit(parts: &mut Parts, generator: &mut Generator) -> &'static str {
    let at = any(generator, parts.rounds.len());
    let seat = Seat::ALL[any(generator, 4)];
    match any(generator, 17) {
        0..4 => return edit_orders(&mut parts.rounds[at].orders[seat], generator),
        4 => parts.rounds[at].digest ^= 1 << any(generator, 16),
        5 => parts.ending.scores[seat] += i64::from(generator.random(1, 1000)),
        6 => parts.ending.fuel[seat] ^= 1 << any(generator, 60),
        7 => parts.digest ^= 1 << any(generator, 64),
        8 => parts.setup.header.seed ^= 1 << any(generator, 30),
        9 => parts.setup.header.names[seat].push('x'),
        10 => parts.setup.header.judged ^= true,
        11 => {
            parts.ending.faults[seat] = match parts.ending.faults[seat].take() {
                None => Some((at as u32, Fault::OutOfFuel)),
                Some((round, _)) if any(generator, 2) == 0 => Some((round, Fault::StackOverflow)),
                Some(_) => None,
            }
        }
        12 => {
            parts.rounds.pop();
            parts.ending.rounds -= 1;
        }
        13 => {
            parts.setup.programs[seat] = match &parts.setup.programs[seat] {
                Program::Unknown => Program::Builtin("Null".to_owned()),
                Program::Builtin(name) => Program::Builtin(format!("{name}2")),
                Program::Module { .. } => Program::Unknown,
            }
        }
        14 => {
            if let Some(Program::Module { hash, allowance }) =
                parts.setup.programs.iter_mut().find(|program| program.is_metered())
            {
                hash[any(generator, 32)] ^= 1;
                allowance.fuel += 1;
            } else {
                parts.setup.engine.push('1');
            }
        }
        15 => {
            let round = &mut parts.rounds[at];
            match Seat::ALL.into_iter().find(|&seat| parts.setup.programs[seat].is_metered()) {
                Some(seat) => round.fuel[seat] += 1,
                None => round.digest ^= 1,
            }
        }
        _ => parts.setup.config.push(b'\n'),
    }
    "something"
}

fn edit_orders(orders: &mut Orders, generator: &mut Generator) -> &'static str {
    let mut list: Vec<Vec<i32>> = orders.iter().map(<[i32]>::to_vec).collect();
    let at = any(generator, list.len() + 1);
    match (list.get_mut(at), any(generator, 4)) {
        (Some(order), 0) => {
            let word = any(generator, order.len());
            order[word] ^= 1 << any(generator, 31);
        }
        (Some(order), 1) => order.push(0),
        (Some(_), 2) => {
            list.remove(at);
        }
        _ => list.insert(at, vec![generator.random(-5, 300), generator.random(-5, 20), 0]),
    }
    *orders = list.iter().map(Vec::as_slice).collect();
    "orders"
}

#[test]
fn nothing_that_was_changed_is_proved() {
    for game in GAMES {
        let mut generator = Generator::new(12);
        let models = [played(*game, 1, ["Demo", "Dummy", "Demo", "Null"]), wild(*game, 2), wild(*game, 3)];
        let models = models.map(|game_played| Parts::of(&recorded(game_played, *game).0));
        for k in 0..short_or_long(30, 240) {
            let mut parts = models[k % models.len()].clone();
            let what = edit(&mut parts, &mut generator);
            assert!(!is_identical(&parts.write()), "{}: edit {k} of {what} was not noticed", game.about().id);
        }
    }
}

#[test]
fn a_difference_names_its_round_and_seat() {
    let game = GAMES[0];
    let (bytes, _) = recorded(played(game, 1, ["Demo"; 4]), game);
    let verdict = |change: &dyn Fn(&mut Parts)| {
        let mut parts = Parts::of(&bytes);
        change(&mut parts);
        let replay = Replay::read(&parts.write()).unwrap();
        match verify(&replay, [const { None }; Seat::COUNT]).unwrap() {
            Proof::Identical { .. } => "identical".to_owned(),
            Proof::Differs(difference) => difference.to_string(),
        }
    };
    assert_eq!(verdict(&|_| {}), "identical");
    assert_eq!(
        verdict(&|parts| parts.rounds[17].orders[2].push(&[1, 2, 3, 4])),
        "round 17, seat 3: the player gives other orders than recorded"
    );
    assert_eq!(
        verdict(&|parts| parts.rounds[249].digest ^= 1),
        "round 249: the orders lead to another state than recorded"
    );
    let score = Parts::of(&bytes).ending.scores[3];
    assert_eq!(
        verdict(&|parts| parts.ending.scores[3] += 1),
        format!("seat 4: the score is {score}, recorded {}", score + 1)
    );
    assert_eq!(verdict(&|parts| parts.digest ^= 1), "the digest of the whole match differs");
    assert_eq!(
        verdict(&|parts| parts.ending.faults[1] = Some((9, Fault::OutOfFuel))),
        "round 9, seat 2: a frozen seat has orders"
    );
    // Without the player, the first thing to differ is the digest of the round.
    assert_eq!(
        verdict(&|parts| {
            parts.setup.engine = "another".to_owned();
            parts.rounds[17].orders[2].push(&[1, 2, 3, 4]);
        }),
        "round 0: the orders lead to another state than recorded"
    );
}

#[test]
fn every_byte_counts() {
    for game in GAMES {
        let (bytes, _) = recorded(played(*game, 9, ["Demo", "Null", "Null", "Demo"]), *game);
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            if let Ok(replay) = Replay::read(&changed) {
                assert!(!replay.is_whole(), "{}: byte {at}", game.about().id);
                assert_eq!(verify(&replay, [const { None }; 4]), Err(Unplayable::Damaged));
            }
        }
    }
    let later = [b"\x93LUDUS".as_slice(), &[7, 0], &[0; 100]].concat();
    assert_eq!(Replay::read(&later), Err(ReadError::Newer(7)));
    assert_eq!(Replay::read(b"Game"), Err(ReadError::NoReplay));
    assert_eq!(Replay::read(b"\x93LUDUS"), Err(ReadError::Damaged));
}

#[test]
fn spoilt_replays() {
    let count = inputs(10_000);
    let mut opened = 0;
    let mut generator = Generator::new(6);
    let models: Vec<Vec<u8>> = GAMES.iter().map(|game| recorded(wild(*game, 7), *game).0).collect();
    for k in 0..count {
        let mut bytes = models[k % models.len()].clone();
        // Few rounds, so that many replays are looked at.
        bytes.truncate(generator.random(0, 1500) as usize);
        let mut bytes = spoil(&bytes, &mut generator);
        // A checksum keeps accidents out, and nobody else.
        seal(&mut bytes);
        let Ok(replay) = Replay::read(&bytes) else { continue };
        opened += 1;
        let mut rounds = replay.rounds();
        while let Some(Ok(round)) = rounds.next_round() {
            assert!(round.orders.iter().all(|orders| orders.words() < 1 << 18));
        }
        if k % 50 == 0
            && let Ok(ending) = MatchFile::open(&bytes).and_then(|file| file.play_out())
        {
            assert!(ending.rounds <= ending.of);
        }
    }
    println!("{opened} of {count} spoilt replays could be opened");
    assert!(opened > count / 10);
}

/// A match is over when the rules say so, whatever a replay goes on to tell.
#[test]
fn rounds_after_the_end_are_never_played() {
    for game in GAMES {
        let (bytes, _) = recorded(played(*game, 1, ["Demo"; 4]), *game);
        let mut parts = Parts::of(&bytes);
        let last = parts.rounds.last().unwrap().clone();
        parts.rounds.extend(std::iter::repeat_n(last, 40));
        parts.ending.rounds += 40;
        let replay = Replay::read(&parts.write()).unwrap();
        let (rounds, of) = (parts.ending.rounds, parts.ending.rounds - 40);
        match verify(&replay, [const { None }; Seat::COUNT]) {
            Ok(Proof::Differs(difference)) => assert_eq!(difference.kind, DifferenceKind::Length { rounds, of }),
            other => panic!("{}: {other:?}", game.about().id),
        }
        assert_eq!(MatchFile::of_replay(replay).unwrap().play_out().unwrap().rounds, of);
    }
}
