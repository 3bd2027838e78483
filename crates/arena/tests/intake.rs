//! What is left out of a player's orders has no part in the match, and what a
//! match leaves behind is bounded, whatever its players do.

use crate::shared::{recorded, seal, short_or_long};
use ludus_arena::replay::{Ending, LARGEST, MOST_TOLD, Proof, ReadError, Recorder, Replay, Setup, Writer, verify};
use ludus_arena::spoil::any;
use ludus_arena::{Allowance, Entrant, Fault, MOST_WORDS_IN_MATCH, Match, MatchFile, Player, Program, Turn};
use ludus_games::orders::{MOST_CALLS, first_per_unit};
use ludus_games::record::Header;
use ludus_games::{Config, Digest, Engine, GAMES, Game, Generator, Orders, PerSeat, Seat};

fn config(game: &dyn Game) -> Box<dyn Config> {
    game.read_config(game.about().default_config.as_bytes()).unwrap()
}

/// Orders of somebody who plays, spoilt in every way: foreign, unknown and dead
/// units, words that are no value, missing words and words too many, spells of
/// those who cast none.
fn garbage(generator: &mut Generator, sound: &Orders) -> Orders {
    let mut orders = Orders::new();
    let word = |generator: &mut Generator| match any(generator, 4) {
        0 => generator.random(i32::MIN, i32::MAX),
        1 => generator.random(-3, 16),
        _ => generator.random(0, 3),
    };
    for order in sound.iter() {
        let mut order = order.to_vec();
        match any(generator, 9) {
            0 => order[0] = generator.random(-3, 220),
            1 => order[0] = word(generator),
            2 => order[1] = word(generator),
            3 => order.iter_mut().skip(1).for_each(|place| *place = word(generator)),
            4 => order.extend((0..any(generator, 6)).map(|k| k as i32)),
            5 => order.truncate(any(generator, order.len())),
            6 => {
                let length = [0, 1, 14, 15, 15, 15, 16, 40][any(generator, 8)];
                order.truncate(1);
                order.extend([1, length + i32::from(any(generator, 5) == 0)]);
                order.extend(
                    (0..length).map(|_| if any(generator, 30) == 0 { word(generator) } else { generator.random(0, 4) }),
                );
            }
            _ => {}
        }
        orders.push(&order);
        if any(generator, 12) == 0 && orders.len() < MOST_CALLS {
            orders.push(&order);
        }
    }
    orders
}

/// The list that the player's side of the reference hands on, as it is. Requiem
/// has one of its own, in which nothing is left out that was not before.
fn as_given(game: &dyn Game, engine: &dyn Engine, seat: Seat, asked: &Orders) -> Orders {
    let mut given = Orders::new();
    if game.about().id == "requiem" {
        engine.accept(seat, asked, &mut given).unwrap();
    } else if first_per_unit(asked, |order| given.push(order)).is_err() {
        given.clear();
    }
    given
}

#[test]
fn with_and_without_what_is_left_out_the_match_is_the_same() {
    for game in GAMES {
        let config = config(*game);
        let (mut left_out, mut mended) = (0, 0);
        for seed in 1..=short_or_long(2, 8) as i32 {
            let mut strict = config.start(seed).unwrap();
            let mut plain = config.start(seed).unwrap();
            let mut writers = [&strict, &plain].map(|engine| {
                let header = Header { judged: false, seed, names: Default::default() };
                game.begin_record(&header, engine.state(), &mut Vec::new())
            });
            let mut generator = Generator::new(seed);
            let names = ["Dummy", "Demo", "Dummy", "Demo"];
            let mut players = Seat::ALL.map(|seat| {
                let name = names[(seat.index() + seed as usize) % 4];
                (game.about().players.iter().find(|player| player.name == name).unwrap().new)(seed, seat)
            });
            while strict.state().round() < strict.state().rounds() {
                let asked = Seat::ALL.map(|seat| {
                    let mut sound = Orders::new();
                    players[seat].play(strict.state(), &mut sound);
                    garbage(&mut generator, &sound)
                });
                let mut accepted: PerSeat<Orders> = PerSeat::default();
                for seat in Seat::ALL {
                    strict.accept(seat, &asked[seat], &mut accepted[seat]).unwrap();
                    let mut again = Orders::new();
                    strict.accept(seat, &accepted[seat], &mut again).unwrap();
                    assert_eq!(again, accepted[seat], "{}: what was taken is taken again", game.about().id);
                }
                let given = Seat::ALL.map(|seat| as_given(*game, &*plain, seat, &asked[seat]));
                for (given, accepted) in given.iter().zip(&accepted) {
                    left_out += given.len() - accepted.len();
                    mended += accepted.iter().filter(|order| !given.iter().any(|one| one == *order)).count();
                }
                assert_eq!(strict.step(&accepted), plain.step(&given));
                let mut records = [Vec::new(), Vec::new()];
                writers[0].round(strict.done(), strict.state(), &mut records[0]);
                writers[1].round(plain.done(), plain.state(), &mut records[1]);
                let (id, round) = (game.about().id, strict.state().round());
                assert!(records[0] == records[1], "{id} seed {seed}: the record of round {round} differs");
                assert_eq!(strict.digest(), plain.digest(), "{id} seed {seed} round {round}");
            }
        }
        println!("{}: {left_out} orders left out, {mended} mended", game.about().id);
        assert!(game.about().id == "requiem" || (left_out > 1000 && mended > 100), "{}", game.about().id);
    }
}

/// What honest players order is recorded as they say it.
#[test]
fn orders_of_the_game_stay_as_they_are() {
    for game in GAMES {
        for name in ["Demo", "Dummy"] {
            let engine_config = config(*game);
            let mut engine = engine_config.start(3).unwrap();
            let player = game.about().players.iter().find(|player| player.name == name).unwrap();
            let mut players = Seat::ALL.map(|seat| (player.new)(3, seat));
            while engine.state().round() < engine.state().rounds() {
                let accepted = Seat::ALL.map(|seat| {
                    let (mut asked, mut accepted) = (Orders::new(), Orders::new());
                    players[seat].play(engine.state(), &mut asked);
                    // Potter's Demo asks too often on some boards, and then has no orders.
                    let _ = engine.accept(seat, &asked, &mut accepted);
                    assert_eq!(accepted, as_given(*game, &*engine, seat, &asked), "{} {name}", game.about().id);
                    accepted
                });
                engine.step(&accepted).unwrap();
            }
        }
    }
}

/// Gives as many orders of a hundred words as it may, for units that nobody has.
struct Flood(Generator);

impl Player for Flood {
    fn play(&mut self, _: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        let order: Vec<i32> = (0..100).map(|_| self.0.random(i32::MIN, i32::MAX)).collect();
        (0..MOST_CALLS as i32).for_each(|k| {
            let mut order = order.clone();
            order[0] = 1_000_000 + k;
            orders.push(&order);
        });
        Ok(())
    }
}

/// Orders each of the first thousand units something that makes no sense.
struct Noise(Generator);

impl Player for Noise {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        let words = if turn.state.game().has_one_view() { 4 } else { 2 };
        for id in 0..MOST_CALLS as i32 {
            let mut order = [(); 4].map(|()| self.0.random(i32::MIN, i32::MAX));
            order[0] = id;
            orders.push(&order[..words]);
        }
        Ok(())
    }
}

fn match_of(game: &dyn Game, mut player: impl FnMut(Seat) -> Box<dyn Player>) -> Match {
    let entrants = Seat::ALL.map(|seat| Entrant { name: "Harm".to_owned(), player: player(seat) });
    Match::new(&*config(game), 5, entrants).unwrap()
}

#[test]
fn floods_leave_little_behind() {
    for game in GAMES {
        let flood = match_of(*game, |seat| Box::new(Flood(Generator::new(seat.index() as i32))));
        let (bytes, _) = recorded(flood, *game);
        println!("{}: a flood leaves {} bytes", game.about().id, bytes.len());
        assert!(bytes.len() < 20_000, "{}: {} bytes", game.about().id, bytes.len());
        let noise = match_of(*game, |seat| Box::new(Noise(Generator::new(seat.index() as i32))));
        let (bytes, _) = recorded(noise, *game);
        println!("{}: noise leaves {} bytes", game.about().id, bytes.len());
        assert!(bytes.len() < 200_000, "{}: {} bytes", game.about().id, bytes.len());
    }
}

/// A config of Dominator with so many units and rounds that a match of players
/// that order everybody passes the limit of words.
fn huge_dominator() -> String {
    let game = ludus_games::find("dominator").unwrap();
    let set = |text: String, label: &str, value: &str| {
        let line = text.lines().find(|line| line.starts_with(label)).unwrap().to_owned();
        text.replacen(&line, &format!("{label} {value}"), 1)
    };
    let text = set(game.about().default_config.to_owned(), "nb_rounds", "4000");
    set(text, "nb_farmers", "60")
}

/// Orders every unit there may be to go somewhere.
struct Busy(Generator);

impl Player for Busy {
    fn play(&mut self, _: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        let start = self.0.random(0, 1000);
        (0..MOST_CALLS as i32).for_each(|k| orders.push(&[(start + k) % 1000, self.0.random(0, 7)]));
        Ok(())
    }
}

#[test]
fn whoever_passes_the_words_of_a_match_is_frozen_and_the_replay_is_proved() {
    let game = ludus_games::find("dominator").unwrap();
    let text = huge_dominator();
    let config = game.read_config(text.as_bytes()).unwrap();
    let module = |seat: Seat| Entrant { name: format!("Busy{seat}"), player: Box::new(Busy(Generator::new(7))) };
    let mut played = Match::new(&*config, 3, Seat::ALL.map(module)).unwrap();
    let mut recorder = Recorder::new(game, text.as_bytes(), &played);
    let mut taken = [0; Seat::COUNT];
    while !played.is_over() {
        played.play_round().unwrap();
        recorder.round(&played);
        Seat::ALL.iter().for_each(|&seat| taken[seat] += played.accepted()[seat].words());
    }
    let bytes = recorder.finish(&played);
    println!("{} bytes for {taken:?} words", bytes.len());
    assert!(taken.iter().all(|&words| words <= MOST_WORDS_IN_MATCH));
    assert!(bytes.len() <= LARGEST);
    let faults = played.outcome().seats.map(|seat| seat.fault.map(|(_, fault)| fault.to_string()));
    let expected = "malformed orders: orders with too many words in this match";
    assert!(faults.iter().flatten().all(|fault| fault == expected), "{faults:?}");
    assert!(faults.iter().flatten().count() > 0);
    let replay = Replay::read(&bytes).unwrap();
    let again = Seat::ALL.map(|seat| Some(module(seat).player));
    assert_eq!(verify(&replay, again), Ok(Proof::Identical { asked: [true; Seat::COUNT] }));
}

/// Replays of earlier versions hold orders that are left out today.
#[test]
fn replays_with_orders_that_are_left_out_today_are_still_proved() {
    struct Odd(Box<dyn ludus_games::game::BuiltinPlayer>);
    impl Player for Odd {
        fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
            self.0.play(turn.state, orders);
            orders.push(&[1_000_000, 7, 7]);
            orders.push(&[-5]);
            Ok(())
        }

        fn program(&self) -> Program {
            let allowance = Allowance { version: 1, fuel: 9, fuel_per_round: None, memory: 9, metered: false };
            Program::Module { hash: [9; 32], allowance }
        }
    }
    for game in GAMES.iter().filter(|game| game.about().id != "requiem") {
        let demo = game.about().players.iter().find(|player| player.name == "Demo").unwrap();
        let odd = |seat: Seat| Box::new(Odd((demo.new)(5, seat))) as Box<dyn Player>;
        let (bytes, _) = recorded(match_of(*game, odd), *game);
        let bytes = as_recorded_before(*game, &Replay::read(&bytes).unwrap());
        let replay = Replay::read(&bytes).unwrap();
        let verdict = verify(&replay, Seat::ALL.map(|seat| Some(odd(seat))));
        assert_eq!(verdict, Ok(Proof::Identical { asked: [true; Seat::COUNT] }), "{}", game.about().id);
        assert_eq!(MatchFile::open(&bytes).unwrap().play_out().unwrap().damage, None);
    }
}

/// The replay as it would have been with everything in it that was ordered.
fn as_recorded_before(game: &dyn Game, replay: &Replay) -> Vec<u8> {
    let mut engine = config(game).start(5).unwrap();
    let mut writer = Writer::new(&replay.setup);
    let mut chain = Digest::new();
    let mut setup = Vec::new();
    let whole = Writer::new(&replay.setup).finish(&replay.ending, 0);
    // The bytes of the setup stand behind the magic, the version and their number.
    let (mut at, mut length, mut shift) = (8, 0usize, 0);
    loop {
        length |= usize::from(whole[at] & 127) << shift;
        (at, shift) = (at + 1, shift + 7);
        if whole[at - 1] < 128 {
            break;
        }
    }
    setup.extend_from_slice(&whole[at..at + length]);
    chain.bytes(&setup);
    let mut rounds = replay.rounds();
    while let Some(round) = rounds.next_round() {
        let mut orders = round.unwrap().orders.clone();
        for orders in &mut orders {
            orders.push(&[1_000_000, 7, 7]);
            orders.push(&[-5]);
        }
        engine.step(&orders).unwrap();
        orders.iter().for_each(|orders| orders.digest(&mut chain));
        chain.words(0, 0);
        chain.words(0, 0);
        chain.word(engine.digest());
        writer.round(&orders, &[0; Seat::COUNT], (chain.finish() >> 48) as u16);
    }
    let ending = writer_ending(&replay.ending);
    chain.bytes(&ending);
    writer.finish(&replay.ending, chain.finish())
}

/// The bytes of an ending, which stand behind those of an empty setup.
fn writer_ending(ending: &Ending) -> Vec<u8> {
    let setup = Setup {
        game: String::new(),
        engine: String::new(),
        config: Vec::new(),
        header: Header { judged: false, seed: 0, names: PerSeat::default() },
        programs: [const { Program::Unknown }; Seat::COUNT],
    };
    let bytes = Writer::new(&setup).finish(ending, 0);
    let setup = usize::from(bytes[8]);
    let length = usize::from(bytes[9 + setup]);
    bytes[10 + setup..][..length].to_vec()
}

#[test]
fn a_replay_that_would_get_too_large_ends_and_says_so() {
    // Words of nobody's game, given to the recorder as a game with odd rules might.
    let game = GAMES[0];
    let mut generator = Generator::new(8);
    let mut orders = PerSeat::<Orders>::default();
    for orders in &mut orders {
        for _ in 0..MOST_CALLS {
            orders.push(&[(); 20].map(|()| generator.random(i32::MIN, i32::MAX)));
        }
    }
    let played = match_of(game, |_| Box::new(Flood(Generator::new(1))));
    let setup = Replay::read(&Recorder::new(game, b"", &played).finish(&played)).unwrap().setup;
    let mut writer = Writer::new(&setup);
    let mut rounds = 0;
    while writer.has_room(&orders) {
        writer.round(&orders, &[0; Seat::COUNT], 0);
        rounds += 1;
    }
    assert!((10..100).contains(&rounds), "{rounds}");
    let faults = [(); Seat::COUNT].map(|()| Some((0, Fault::Trap("x".repeat(1 << 16)))));
    let ending = Ending { rounds, scores: [0; 4], fuel: [u64::MAX; 4], faults };
    let bytes = writer.finish(&ending, 0);
    assert!(bytes.len() <= LARGEST, "{}", bytes.len());
    let replay = Replay::read(&bytes).unwrap();
    let mut reader = replay.rounds();
    while let Some(round) = reader.next_round() {
        assert_eq!(round.unwrap().orders, orders);
        rounds -= 1;
    }
    assert_eq!(rounds, 0);
}

/// What is certain takes next to no bytes, and is read no further than a bound.
#[test]
fn reading_is_bounded_by_what_is_told() {
    let game = GAMES[0];
    let played = match_of(game, |_| Box::new(Flood(Generator::new(1))));
    let replay = Replay::read(&Recorder::new(game, b"", &played).finish(&played)).unwrap();
    let mut writer = Writer::new(&replay.setup);
    let mut orders = Orders::new();
    (0..60_000).for_each(|_| orders.push(&[1, 0, 0]));
    let orders = [(); Seat::COUNT].map(|()| orders.clone());
    (0..20).for_each(|_| writer.round(&orders, &[0; Seat::COUNT], 0));
    let bytes = writer.finish(&Ending { rounds: 20, ..replay.ending.clone() }, 0);
    assert!(bytes.len() < 100_000, "{}", bytes.len());
    let replay = Replay::read(&bytes).unwrap();
    let (mut reader, mut told) = (replay.rounds(), 0);
    while let Some(Ok(round)) = reader.next_round() {
        told += round.orders.iter().map(|orders| orders.len() + orders.words()).sum::<usize>();
    }
    assert!(told <= MOST_TOLD && told > MOST_TOLD / 2, "{told}");
    let mut large = bytes;
    large.resize(LARGEST + 1, 0);
    seal(&mut large);
    assert_eq!(Replay::read(&large), Err(ReadError::TooLarge));
}
