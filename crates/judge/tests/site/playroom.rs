//! What the judge does in processes of their own: they play as the sandbox
//! does, are stopped when they take too long, and die alone.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::Context as _;
use ludus_arena::season::Hash;
use ludus_games::Seat;
use ludus_judge::matches::{SeatFault, output};
use ludus_judge::patience::TooSlow;
use ludus_judge::playroom::{Order, Overran, Playroom, Seated, Unending};
use ludus_judge::trouble::Trouble;
use ludus_sandbox::build::{Builder, Language};
use ludus_sandbox::{Limits, OwnProgram, Refused, Sandbox};

use crate::server::cache;

const PROGRAM: &str = env!("CARGO_BIN_EXE_ludus-judge");

fn playroom() -> Playroom {
    Playroom::new(PROGRAM.into(), cache())
}

/// A player with such code in every turn.
fn player(play: &str) -> Vec<u8> {
    let text = format!(
        "(module (memory (export \"memory\") 2) (data (i32.const 16) \"ants\\00\") (data (i32.const 32) \"Crafted\\00\")
          (import \"wasi_snapshot_preview1\" \"fd_write\" (func $write (param i32 i32 i32 i32) (result i32)))
          (func (export \"ludus_abi\") (result i32) i32.const 2)
          (func (export \"ludus_game\") (result i32) i32.const 16)
          (func (export \"ludus_name\") (result i32) i32.const 32)
          (func (export \"ludus_room\") (param i32) (result i32) i32.const 1024)
          (func (export \"ludus_start\") (param i32 i32 i32) (i32.store (i32.const 100) (i32.const 32)) (i32.store (i32.const 104) (i32.const 7)))
          (func (export \"ludus_play\") (param i32) (result i32) (local $d f64) {play} i32.const 64))"
    );
    // Imports come first in a module.
    let (head, import) = text.split_once("(import").map(|(head, rest)| (head, rest.split_once('\n').unwrap())).unwrap();
    wat::parse_str(format!("(module (import{} {} {}", import.0, head.strip_prefix("(module").unwrap(), import.1))
        .unwrap()
}

/// The modules of all orders that were made, as a store has them.
static STORE: Mutex<BTreeMap<Hash, Vec<u8>>> = Mutex::new(BTreeMap::new());

fn fetch(hash: &Hash) -> anyhow::Result<Vec<u8>> {
    STORE.lock().unwrap().get(hash).cloned().context("there is no such module")
}

fn put(module: Vec<u8>) -> Option<Hash> {
    let hash = Hash::of(&module);
    STORE.lock().unwrap().insert(hash, module);
    Some(hash)
}

fn order(module: Vec<u8>, fuel: u64, allowed: Duration) -> Order {
    let game = ludus_games::find("ants").unwrap();
    let mut seats =
        [const { None }; Seat::COUNT].map(|module| Seated { name: "Demo".to_owned(), module, barred_from: None });
    seats[2] = Seated { name: "Crafted".to_owned(), module: put(module), barred_from: None };
    Order {
        game: "ants".to_owned(),
        config: game.about().default_config.replace("NUM_ROUNDS          250", "NUM_ROUNDS 20"),
        seed: 5,
        limits: Limits { fuel, ..Limits::of(game.about().cpu) },
        allowed,
        patience: None,
        seats,
        stand_in: None,
    }
}

fn write() -> &'static str {
    "(drop (call $write (i32.const 2) (i32.const 100) (i32.const 1) (i32.const 200)))"
}

#[test]
fn a_match_elsewhere_is_the_same_match() {
    let order = order(player(write()), 1_000_000, Duration::from_secs(60));
    let finished = playroom().play(&order, fetch).unwrap();
    assert_eq!(finished, playroom().play(&order, fetch).unwrap(), "it is the same every time");
    assert_eq!(finished.rounds, 20);
    let written: String = (0..20).map(|round| format!("round {round}\nCrafted\n")).collect();
    assert_eq!(output::readable(&finished.seats[2].output), written);
    assert!(finished.seats.iter().all(|seat| seat.fault.is_none()), "{finished:?}");
    // A call costs 500, a buffer 20, and each of seven bytes 2: twenty times that is a hundredth of its fuel.
    assert!((10_000..20_000).contains(&finished.seats[2].cpu), "{finished:?}");
    let replay = ludus_arena::replay::Replay::read(&finished.replay).unwrap();
    assert!(replay.setup.header.judged);
}

#[test]
fn faults_are_told() {
    let endless = playroom().play(&order(player("(loop br 0)"), 1_000_000, Duration::from_secs(60)), fetch).unwrap();
    assert_eq!(endless.seats[2].fault, Some((0, SeatFault::OutOfCpu)));
    assert_eq!(endless.seats[2].cpu, -1);
    assert_eq!(endless.seats[1].fault, None);
}

/// What was compiled here is known by its lines, and what its author is told goes
/// where everything goes that a player writes.
#[test]
fn authors_are_told_where_their_players_died() {
    let source = "#include \"Player.hh\"\n#define PLAYER_NAME Crafted\nstruct PLAYER_NAME : public Player {\n  static Player* factory() { return new PLAYER_NAME; }\n  void play() override {\n    if (round() == 3) throw std::runtime_error(\"enough\");\n  }\n};\nRegisterPlayer(PLAYER_NAME);\n";
    let module = Builder::jailed(cache()).unwrap().build("ants", Language::Cpp, source.as_bytes()).unwrap();
    let finished = playroom().play(&order(module, 1_000_000_000, Duration::from_secs(60)), fetch).unwrap();
    let told = output::readable(&finished.seats[2].output);
    let reason =
        "died in round 3: uncaught exception std::runtime_error: enough\n  AICrafted.cc:6 in Crafted::play()\n";
    assert!(told.starts_with("round 3\n") && told.ends_with(reason), "{told}");
    let fault = &finished.seats[2].fault;
    assert_eq!(fault.as_ref().map(|(round, _)| *round), Some(3), "{fault:?}");
    assert!(!format!("{fault:?}").contains("AICrafted"), "others are told of the fault only: {fault:?}");
}

/// A name of 24 lists within each other, for which its reader takes for ever: as
/// what was thrown, and as the function that ends the player.
#[test]
fn names_that_take_for_ever_to_be_read_hold_up_nobody() {
    let name = format!("N1acv{}IiEE", (0..24).fold("i".to_owned(), |inner, _| format!("T_I{inner}IEE")));
    let source = format!(
        "#include \"Player.hh\"\n#define PLAYER_NAME Crafted\nextern \"C\" void named() asm(\"_Z{name}v\");\n\
         extern \"C\" __attribute__((noinline)) void named() {{\n  \
         fputs(\"terminate called after throwing an instance of '{name}'\\n\", stderr);\n  abort();\n}}\n\
         struct PLAYER_NAME : public Player {{\n  static Player* factory() {{ return new PLAYER_NAME; }}\n  \
         void play() override {{ named(); }}\n}};\nRegisterPlayer(PLAYER_NAME);\n"
    );
    let module = Builder::jailed(cache()).unwrap().build("ants", Language::Cpp, source.as_bytes()).unwrap();
    // Whoever reads it in the process of the match runs out of patience.
    let patience = Some(Duration::from_secs(30));
    let order = Order { patience, ..order(module, 1_000_000_000, Duration::from_secs(60)) };
    let finished = playroom().play(&order, fetch).unwrap();
    let told = output::readable(&finished.seats[2].output);
    assert!(told.contains("died in round 0: uncaught exception N1acvT_IT_I"), "{told}");
    assert!(told.contains("AICrafted.cc:6 in _ZN1acvT_IT_I"), "{told}");
    assert_eq!(finished.rounds, 20, "the others play on");
}

/// Whatever makes a match take more memory than any match does, it dies alone, and
/// that says nothing of a player nor of the machine.
#[cfg(target_os = "linux")]
#[test]
fn a_match_that_takes_too_much_memory_dies_alone() {
    let hog = order(player("(drop (memory.grow (i32.const 90)))"), 2_000_000_000, Duration::from_secs(60));
    let finished = playroom().play(&hog, fetch).unwrap();
    assert_eq!(finished.seats[2].fault, None, "players have their memory");
    let small = Playroom { memory: 16 << 20, ..playroom() };
    let error = small.play(&hog, fetch).unwrap_err();
    assert!(!error.is::<Overran>() && !error.is::<TooSlow>() && !error.is::<Unending>(), "{error:#}");
    assert_eq!(Trouble::of(&error), None, "{error:#}");
    assert_eq!(playroom().play(&hog, fetch).unwrap(), finished);
}

#[test]
fn a_player_that_takes_too_long_is_stopped_in_the_middle_of_a_turn() {
    let slow = player("(loop (local.set $d (f64.sqrt (local.get $d))) br 0)");
    let allowed = Duration::from_millis(300);
    let error = playroom().play(&order(slow, u64::MAX >> 2, allowed), fetch).unwrap_err();
    assert_eq!(error.downcast_ref(), Some(&Overran { seat: Seat::ALL[2], round: 0, allowed }), "{error:#}");
}

/// Whoever has run past its time is not asked again, and the others play on.
#[test]
fn a_barred_player_is_frozen_from_the_start() {
    let slow = player("(loop (local.set $d (f64.sqrt (local.get $d))) br 0)");
    let mut barred = order(slow, u64::MAX >> 2, Duration::from_millis(300));
    barred.seats[2].barred_from = Some(0);
    let finished = playroom().play(&barred, fetch).unwrap();
    assert_eq!(finished, playroom().play(&barred, fetch).unwrap(), "it is the same every time");
    assert_eq!(finished.seats[2].fault, Some((0, SeatFault::Overtime)));
    assert_eq!(finished.seats[2].cpu, -1);
    let replay = ludus_arena::replay::Replay::read(&finished.replay).unwrap();
    assert_eq!((replay.barred_from(Seat::ALL[2]), replay.barred_from(Seat::ALL[1])), (Some(0), None));
    assert_eq!(replay.ending.fuel[2], 0);
}

/// A match that takes longer than there is patience for is given up, whoever's
/// fault it is: nobody is told, and with more patience it is the same match.
#[test]
fn a_match_is_given_up_when_patience_ends() {
    let slow = player("(loop (local.set $d (f64.sqrt (local.get $d))) br 0)");
    let hurried =
        Order { patience: Some(Duration::from_millis(300)), ..order(slow, u64::MAX >> 2, Duration::from_secs(60)) };
    let error = playroom().play(&hurried, fetch).unwrap_err();
    assert!(error.is::<TooSlow>(), "{error:#}");
    let quick = order(player(write()), 1_000_000, Duration::from_secs(60));
    let hurried = Order { patience: Some(Duration::from_secs(60)), ..quick.clone() };
    assert_eq!(playroom().play(&hurried, fetch).unwrap(), playroom().play(&quick, fetch).unwrap());
}

/// What it did before the round in which it ran past its time stands.
#[test]
fn a_player_that_runs_past_its_time_later_is_frozen_from_there_on() {
    // It plays nine rounds, and stays in the tenth.
    let late = player(
        "(i32.store (i32.const 300) (i32.add (i32.load (i32.const 300)) (i32.const 1)))
         (if (i32.ge_u (i32.load (i32.const 300)) (i32.const 10)) (then (loop br 0)))",
    );
    let allowed = Duration::from_millis(300);
    let mut order = order(late, u64::MAX >> 2, allowed);
    let error = playroom().play(&order, fetch).unwrap_err();
    assert_eq!(error.downcast_ref(), Some(&Overran { seat: Seat::ALL[2], round: 9, allowed }), "{error:#}");
    order.seats[2].barred_from = Some(9);
    let finished = playroom().play(&order, fetch).unwrap();
    assert_eq!(finished, playroom().play(&order, fetch).unwrap(), "it is the same every time");
    assert_eq!(finished.seats[2].fault, Some((9, SeatFault::Overtime)));
    let replay = ludus_arena::replay::Replay::read(&finished.replay).unwrap();
    assert_eq!(replay.barred_from(Seat::ALL[2]), Some(9));
    assert!(replay.ending.fuel[2] > 0, "it was asked until then");
}

/// A player that goes from cell to cell of a large memory when it is asked who
/// it is: the little fuel of that lasts far longer than its time.
fn shy() -> Vec<u8> {
    let chain = (0..100).fold("(local.get $at)".to_owned(), |inner, _| format!("(i32.load {inner})"));
    let text = format!(
        "(module (memory (export \"memory\") 1024) (data (i32.const 16) \"ants\\00\") (data (i32.const 32) \"Shy\\00\")
          (func (export \"ludus_abi\") (result i32) (local $k i32) (local $at i32)
            (loop
              (i32.store (i32.shl (local.get $k) (i32.const 6)) (i32.shl (i32.and (i32.const 0xfffff)
                (i32.add (i32.mul (local.get $k) (i32.const 1664525)) (i32.const 1013904223))) (i32.const 6)))
              (local.set $k (i32.add (local.get $k) (i32.const 1)))
              (br_if 0 (i32.lt_u (local.get $k) (i32.const 0x100000))))
            (loop (local.set $at {chain}) br 0)
            i32.const 2)
          (func (export \"ludus_game\") (result i32) i32.const 16)
          (func (export \"ludus_name\") (result i32) i32.const 32)
          (func (export \"ludus_room\") (param i32) (result i32) i32.const 1024)
          (func (export \"ludus_start\") (param i32 i32 i32))
          (func (export \"ludus_play\") (param i32) (result i32) i32.const 64))"
    );
    wat::parse_str(text).unwrap()
}

#[test]
fn a_player_must_say_soon_who_it_is() {
    let refused = playroom().introduce(&shy()).unwrap().unwrap_err();
    assert_eq!(refused, "it takes more than 5 s of CPU to say who it is");
    let introduced = playroom().introduce(&player("(loop br 0)")).unwrap().unwrap();
    assert_eq!((introduced.game.as_str(), introduced.name.as_str()), ("ants", "Crafted"));
}

#[test]
fn several_matches_in_one_process_are_the_same_matches() {
    let long = Duration::from_secs(60);
    let orders = [order(player(write()), 1_000_000, long), order(player("(loop br 0)"), 1_000_000, long)];
    let orders = [orders[0].clone(), Order { seed: 9, ..orders[0].clone() }, orders[1].clone()];
    let finished: Vec<_> = playroom().play_all(&orders, fetch).into_iter().map(Result::unwrap).collect();
    let alone: Vec<_> = orders.iter().map(|order| playroom().play(order, fetch).unwrap()).collect();
    assert_eq!(finished, alone);
    // What was played before a match that cannot be played is not lost.
    let allowed = Duration::from_millis(300);
    let slow = order(player("(loop (local.set $d (f64.sqrt (local.get $d))) br 0)"), u64::MAX >> 2, allowed);
    let mut cut = playroom().play_all(&[orders[0].clone(), slow, orders[1].clone()], fetch);
    assert_eq!(cut.len(), 2);
    let error = cut.pop().unwrap().unwrap_err();
    assert_eq!(error.downcast_ref(), Some(&Overran { seat: Seat::ALL[2], round: 0, allowed }), "{error:#}");
    assert_eq!(cut.pop().unwrap().unwrap(), alone[0]);
}

/// Many matches that turn out to be long leave the worker to others.
#[test]
fn matches_for_which_patience_does_not_last_are_left() {
    let mut order = order(player(write()), 1_000_000, Duration::from_secs(60));
    order.patience = Some(Duration::from_millis(100));
    let orders = vec![order; 5000];
    let finished = playroom().play_all(&orders, fetch);
    assert!((1..5000).contains(&finished.len()), "{}", finished.len());
    assert!(finished.iter().all(Result::is_ok), "none of them failed");
}

/// A module is asked for only where its machine code is not kept, and then in the
/// middle of several matches too.
#[test]
fn modules_are_fetched_once_and_not_again() {
    let long = Duration::from_secs(60);
    let fresh = |name: &str| player(&format!("(drop (i32.const {}))", name.len() + std::process::id() as usize));
    let (first, second) = (order(fresh("a"), 1_000_000, long), order(fresh("ab"), 1_000_000, long));
    let asked = Mutex::new(Vec::new());
    let fetch = |hash: &Hash| {
        asked.lock().unwrap().push(*hash);
        fetch(hash)
    };
    let alone = playroom().play(&first, fetch).unwrap();
    let orders = [first.clone(), second.clone(), first.clone()];
    let all: Vec<_> = playroom().play_all(&orders, fetch).into_iter().map(Result::unwrap).collect();
    assert!(all[0] == alone && all[2] == alone);
    let [one, other] = [&first, &second].map(|order| order.seats[2].module.unwrap());
    let mut expected = vec![one, one.max(other), one.min(other)];
    expected[1..].sort_unstable();
    let mut asked = asked.into_inner().unwrap();
    asked[1..].sort_unstable();
    assert_eq!(asked, expected, "each once, and the first one again with the second");
    let nobody = |_: &Hash| -> anyhow::Result<Vec<u8>> { anyhow::bail!("nobody may ask") };
    let again: Vec<_> = playroom().play_all(&orders, nobody).into_iter().map(Result::unwrap).collect();
    assert_eq!(again, all);
    let unknown = order(fresh("abc"), 1_000_000, long);
    let mut cut = playroom().play_all(&[first, unknown], nobody);
    assert!(cut.pop().unwrap().unwrap_err().to_string().contains("nobody may ask"));
    assert_eq!(cut.pop().unwrap().unwrap(), alone);
}

#[test]
fn trouble_is_never_blamed_on_a_player() {
    let order = order(player(""), 1_000_000, Duration::from_secs(60));
    let check = |playroom: &Playroom, order: &Order| {
        let error = playroom.play(order, fetch).unwrap_err();
        assert!(error.downcast_ref::<Overran>().is_none(), "{error:#}");
    };
    // Programs that end, give no answer, or are not there; orders that make no sense.
    for program in ["/bin/false", "/bin/true", "/no/such/program"] {
        check(&Playroom { program: program.into(), ..playroom() }, &order);
    }
    check(&playroom(), &Order { game: "chess".to_owned(), ..order.clone() });
    check(&playroom(), &Order { config: "nothing".to_owned(), ..order.clone() });
    check(
        &playroom(),
        &Order { seats: order.seats.clone().map(|seat| Seated { module: put(vec![1]), ..seat }), ..order },
    );
}

fn sandbox(program: &str) -> Sandbox {
    let jail = Builder::jailed(cache()).unwrap().jail();
    Sandbox::new(4).unwrap().translated_by(OwnProgram { program: program.into(), jail, cache: cache() })
}

#[test]
fn what_is_translated_elsewhere_runs_here() {
    let module = sandbox(PROGRAM).load(&player(write())).unwrap();
    assert_eq!(module.introduce().unwrap().name, "Crafted");
}

#[test]
fn trouble_of_the_translation_is_no_verdict() {
    for program in ["/bin/false", "/bin/true"] {
        let Err(refused) = sandbox(program).load(&player("")) else { panic!("{program} translates") };
        assert!(refused.is_of_the_machine(), "{program}: {refused}");
    }
    let Err(refused) = sandbox(PROGRAM).load(b"no module") else { panic!("it is no module") };
    assert!(matches!(refused, Refused::Invalid(_)), "{refused}");
}
