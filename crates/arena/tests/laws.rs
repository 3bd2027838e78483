//! Laws that hold for every game in the registry, whatever the players do.

use crate::shared::short_or_long;
use ludus_arena::{Entrant, Fault, Match, Player, Turn};
use ludus_games::game::{Builtin, Stuck};
use ludus_games::orders::MOST_CALLS;
use ludus_games::{Config, Digest, GAMES, Game, Generator, Orders, PerSeat, Seat, State};

const SEEDS: [i32; 3] = [1, 30, 2_147_483_647];

fn config(game: &dyn Game) -> Box<dyn Config> {
    game.read_config(game.about().default_config.as_bytes()).expect("the default config can be read")
}

fn builtin(game: &dyn Game, name: &str) -> &'static Builtin {
    let mut players = game.about().players.iter();
    players.find(|player| player.name == name).unwrap_or_else(|| panic!("{} has no {name}", game.about().id))
}

fn entrant(player: impl Player + 'static) -> Entrant {
    Entrant { name: "Test".to_owned(), player: Box::new(player) }
}

fn digest(state: &dyn State) -> u64 {
    let mut digest = Digest::new();
    state.digest(&mut digest);
    digest.finish()
}

/// The digest of the engine after every round.
fn digests(mut played: Match) -> Result<Vec<u64>, Stuck> {
    let mut digests = vec![played.engine().digest()];
    while !played.is_over() {
        played.play_round()?;
        digests.push(played.engine().digest());
    }
    Ok(digests)
}

/// Gives orders that somebody else gives, spoilt at random: foreign and
/// unknown units, directions and kinds that do not exist, words missing or too
/// many, the same order again.
struct Wild {
    model: Box<dyn ludus_games::game::BuiltinPlayer>,
    generator: Generator,
    given: Orders,
}

impl Wild {
    fn new(game: &dyn Game, seed: i32, seat: Seat) -> Wild {
        Wild {
            model: (builtin(game, "Demo").new)(seed, seat),
            generator: Generator::new(seed ^ 77),
            given: Orders::new(),
        }
    }
}

impl Player for Wild {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        self.given.clear();
        self.model.play(turn.state, &mut self.given);
        for order in self.given.iter() {
            let mut order = order.to_vec();
            match self.generator.random(0, 9) {
                0 => order[0] = self.generator.random(-3, 200),
                1 => order[1] = self.generator.random(-3, 20),
                2 => order.iter_mut().for_each(|word| *word = i32::MAX),
                3 => order.iter_mut().for_each(|word| *word = i32::MIN),
                4 => order.push(self.generator.random(0, 3)),
                5 => order.truncate(1),
                6 => orders.push(&order),
                7 => *order.last_mut().expect("a player gives no empty orders") = self.generator.random(-2, 9),
                _ => {}
            }
            orders.push(&order);
        }
        Ok(())
    }
}

fn wild_match(game: &dyn Game, config: &dyn Config, seed: i32) -> Match {
    Match::new(config, seed, Seat::ALL.map(|seat| entrant(Wild::new(game, seed, seat)))).expect("the board can be made")
}

/// Plays like Demo until its round comes, and then fails in its own way.
struct FailsIn {
    round: u32,
    fault: Option<Fault>,
    model: Box<dyn ludus_games::game::BuiltinPlayer>,
}

impl Player for FailsIn {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        self.model.play(turn.state, orders);
        if turn.state.round() < self.round {
            return Ok(());
        }
        assert_eq!(turn.state.round(), self.round, "a frozen seat is not asked again");
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None => {
                (0..=MOST_CALLS as i32).for_each(|id| orders.push(&[id, 0, 0, 0]));
                Ok(())
            }
        }
    }
}

/// Plays like Demo until its round comes, and from then on not at all.
struct RestsFrom {
    round: u32,
    model: Box<dyn ludus_games::game::BuiltinPlayer>,
}

impl Player for RestsFrom {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        if turn.state.round() < self.round {
            self.model.play(turn.state, orders);
        }
        Ok(())
    }
}

#[test]
fn same_input_same_states() {
    for game in GAMES {
        let config = config(*game);
        for (k, seed) in SEEDS.into_iter().enumerate() {
            let names = ["Demo", "Dummy", "Veteran"].into_iter().cycle().skip(k);
            for name in names.take(short_or_long(1, 3)) {
                let play = || digests(Match::between(&*config, seed, [builtin(*game, name); 4]).unwrap()).unwrap();
                assert_eq!(play(), play(), "{} seed {seed}", game.about().id);
            }
        }
    }
}

#[test]
fn another_seed_another_match() {
    for game in GAMES {
        let config = config(*game);
        let play = |seed| digests(Match::between(&*config, seed, [builtin(*game, "Demo"); 4]).unwrap()).unwrap();
        assert_ne!(play(1), play(2), "{}", game.about().id);
    }
}

#[test]
fn no_orders_and_bad_orders_stop_nothing() {
    for game in GAMES {
        let config = config(*game);
        for seed in SEEDS {
            let rounds = digests(wild_match(*game, &*config, seed)).unwrap();
            let idle = digests(Match::between(&*config, seed, [builtin(*game, "Null"); 4]).unwrap()).unwrap();
            assert_eq!(rounds.len(), idle.len(), "{} seed {seed}", game.about().id);
            assert_ne!(rounds, idle, "{}: the wild players did nothing", game.about().id);
        }
    }
}

#[test]
fn a_record_read_back_has_the_states_that_were_written() {
    for game in GAMES {
        let config = config(*game);
        for seed in SEEDS {
            let mut played = wild_match(*game, &*config, seed);
            let (mut text, mut states) = (Vec::new(), vec![digest(played.state())]);
            let mut writer = played.begin_record(&mut text);
            while !played.is_over() {
                played.play_round().unwrap();
                played.write_round(&mut *writer, &mut text);
                states.push(digest(played.state()));
            }
            let record = game.read_record(&text).unwrap();
            assert_eq!(record.damage, None, "{}", game.about().id);
            assert_eq!(record.header.seed, seed);
            assert!(
                record.frames.iter().map(|frame| digest(&*frame.state)).eq(states),
                "{} seed {seed}",
                game.about().id
            );
            let mut again = Vec::new();
            record.write(&mut again);
            assert!(again == text, "{} seed {seed}: the record written again differs", game.about().id);
        }
    }
}

#[test]
fn a_cut_record_gives_the_rounds_before_the_cut() {
    for game in GAMES {
        let config = config(*game);
        let mut played = Match::between(&*config, 5, [builtin(*game, "Demo"); 4]).unwrap();
        let mut text = Vec::new();
        let mut writer = played.begin_record(&mut text);
        for _ in 0..3 {
            played.play_round().unwrap();
            played.write_round(&mut *writer, &mut text);
        }
        let whole = text.len();
        played.play_round().unwrap();
        played.write_round(&mut *writer, &mut text);
        let middle = whole + (text.len() - whole) / 2;
        for end in [whole, middle] {
            let record = game.read_record(&text[..end]).unwrap();
            assert_eq!(record.frames.len(), 4, "{}", game.about().id);
            assert!(record.damage.is_some(), "{}", game.about().id);
        }
    }
}

#[test]
fn a_fault_freezes_its_seat_and_nobody_else_can_tell() {
    for game in GAMES {
        let config = config(*game);
        let demo = builtin(*game, "Demo");
        for (seat, round) in Seat::ALL.into_iter().zip([0, 1, 7, 20]) {
            for fault in [Some(Fault::Trap("on purpose".to_owned())), None] {
                // Requiem puts no limit on calls, so only a failure freezes there.
                let mut probe = Orders::new();
                (0..=MOST_CALLS as i32).for_each(|id| probe.push(&[id, 0, 0, 0]));
                let engine = config.start(9).unwrap();
                if fault.is_none() && engine.accept(seat, &probe, &mut Orders::new()).is_ok() {
                    continue;
                }
                let model = || (demo.new)(9, seat);
                let with = |player: Entrant| {
                    let mut player = Some(player);
                    let entrants = Seat::ALL.map(|other| {
                        let demo =
                            || Entrant { name: "Demo".to_owned(), player: Box::new(Plain((demo.new)(9, other))) };
                        if other == seat { player.take().expect("one seat") } else { demo() }
                    });
                    Match::new(&*config, 9, entrants).unwrap()
                };
                let mut failing = with(entrant(FailsIn { round, fault: fault.clone(), model: model() }));
                let mut resting = with(entrant(RestsFrom { round, model: model() }));
                while !failing.is_over() {
                    failing.play_round().unwrap();
                    resting.play_round().unwrap();
                    assert_eq!(failing.engine().digest(), resting.engine().digest());
                    let frozen = failing.state().status().map(|status| status.is_frozen());
                    let due = failing.state().round() > round;
                    assert_eq!(frozen, Seat::ALL.map(|other| due && other == seat), "{}", game.about().id);
                }
                let outcome = failing.outcome();
                let expected = fault.unwrap_or(Fault::TooManyOrders(ludus_games::orders::TooManyOrders));
                assert_eq!(outcome.seats[seat].fault, Some((round, expected)));
            }
        }
    }
}

struct Plain(Box<dyn ludus_games::game::BuiltinPlayer>);

impl Player for Plain {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        self.0.play(turn.state, orders);
        Ok(())
    }
}

#[test]
fn a_snapshot_goes_on_like_the_original() {
    for game in GAMES {
        let config = config(*game);
        let mut played = wild_match(*game, &*config, 3);
        let mut copies = Vec::new();
        while !played.is_over() {
            if played.state().round().is_multiple_of(40) {
                copies.push((played.engine().snapshot(), Vec::<PerSeat<Orders>>::new()));
            }
            played.play_round().unwrap();
            copies.iter_mut().for_each(|(_, orders)| orders.push(played.accepted().clone()));
        }
        for (mut copy, orders) in copies {
            orders.iter().for_each(|orders| copy.step(orders).unwrap());
            assert_eq!(copy.digest(), played.engine().digest(), "{}", game.about().id);
        }
    }
}

#[test]
fn every_dummy_beats_three_demos() {
    for game in GAMES {
        beats_three(*game, "Dummy", "Demo", 80);
    }
}

/// Whoever has beaten the Dummies finds the next rung of the ladder here.
#[test]
fn every_veteran_beats_three_demos() {
    for game in GAMES {
        beats_three(*game, "Veteran", "Demo", 95);
    }
}

/// One against three on many seeds, from every seat; it wins at least so many
/// of a hundred.
fn beats_three(game: &dyn Game, one: &str, three: &str, least: usize) {
    let seeds = short_or_long(5, 200);
    let config = config(game);
    let (one, three) = (builtin(game, one), builtin(game, three));
    let wins = std::thread::scope(|scope| {
        let play = |seat: Seat| {
            let config = &*config;
            scope.spawn(move || {
                let mut players = [three; 4];
                players[seat] = one;
                (1..=seeds as i32).filter(|&seed| wins(config, seed, players, seat)).count()
            })
        };
        Seat::ALL.map(play).map(|thread| thread.join().expect("no match fails"))
    });
    println!("{}: {} wins {wins:?} of {seeds} in seats 0 to 3", game.about().id, one.name);
    assert!(wins.iter().all(|&wins| wins * 100 >= least * seeds), "{}: {wins:?}", game.about().id);
}

/// Whether the seat is alone at the top.
fn wins(config: &dyn Config, seed: i32, players: PerSeat<&Builtin>, seat: Seat) -> bool {
    let outcome = Match::between(config, seed, players).unwrap().play_out().unwrap();
    outcome.seats[seat].rank == 1 && outcome.seats.iter().filter(|other| other.rank == 1).count() == 1
}
