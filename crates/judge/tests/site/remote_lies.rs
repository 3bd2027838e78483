//! What the judge sees of a lie by itself, without asking anybody else: a test for
//! each place of an answer that may be wrong. That who tells it is suspended, and that
//! the result is the true one, is in `remote.rs`.

use std::time::Duration;

use ludus_arena::replay::{Ending, PackedConfig, Replay, Setup, Writer};
use ludus_arena::{Fault, Program};
use ludus_games::Seat;
use ludus_judge::matches::SeatFault;
use ludus_judge::playroom::{Finished, Order, Seated};
use ludus_judge::remote::check::{self, Lie};
use ludus_judge::remote::names;
use ludus_sandbox::Limits;

use crate::broker::{gone, hire, present};
use crate::remote::{Liar, NEVER, Trial, essence, local_machine};

fn order() -> Order {
    let about = ludus_games::find("ants").unwrap().about();
    let seats = [(); Seat::COUNT].map(|()| Seated { name: "Demo".to_owned(), module: None, barred_from: None });
    Order {
        game: "ants".to_owned(),
        config: about.default_config.replace("NUM_ROUNDS          250", "NUM_ROUNDS 20"),
        seed: 5,
        limits: Limits::of(about.cpu),
        allowed: Duration::from_secs(60),
        patience: None,
        seats,
        stand_in: None,
    }
}

fn looked_at(order: &Order, told: &Finished) -> Result<(), Lie> {
    check::check(order, &PackedConfig::new(order.config.as_bytes()), told)
}

fn played(order: &Order) -> Finished {
    local_machine()
        .playroom()
        .play_all(std::slice::from_ref(order), |_| anyhow::bail!("all of them come with the game"))
        .pop()
        .unwrap()
        .unwrap()
}

/// The same match told otherwise, as a whole replay with all its checksums.
fn told(replay: &[u8], change: impl Fn(&mut Setup, &mut Ending)) -> Vec<u8> {
    let mut replay = Replay::read(replay).unwrap();
    change(&mut replay.setup, &mut replay.ending);
    let mut writer = Writer::new(&replay.setup);
    let mut rounds = replay.rounds();
    while let Some(round) = rounds.next_round() {
        let round = round.unwrap();
        writer.round(&round.orders, &round.fuel, round.digest);
    }
    writer.finish(&replay.ending, replay.digest)
}

type Change = fn(&mut Finished);
type OfReplay = fn(&mut Setup, &mut Ending);

#[test]
fn every_lie_about_a_match_is_seen() {
    let order = order();
    let truth = played(&order);
    assert_eq!(looked_at(&order, &truth), Ok(()));
    assert_eq!(told(&truth.replay, |_, _| ()), truth.replay, "only what is changed differs");
    let beside: [(&str, Change); 9] = [
        ("differ: the scores", |told| told.seats[1].score += 1),
        ("differ: the ranks", |told| told.seats[1].rank = 9),
        ("differ: the rounds", |told| told.rounds += 1),
        ("differ: the faults", |told| told.seats[2].fault = Some((3, SeatFault::OutOfCpu))),
        ("differ: the frozen seats", |told| told.seats[2].cpu = -1),
        ("differ: the CPU", |told| told.seats[2].cpu = i64::MAX),
        ("larger than any can be", |told| told.replay = vec![0; 9 << 20]),
        ("larger than any can be", |told| told.seats[0].output = vec![0; 1 << 30]),
        ("larger than any can be", |told| told.cpu = vec![0; 5 << 20]),
    ];
    let inside: [(&str, OfReplay); 10] = [
        ("another match: the game", |setup, _| setup.game = "potter".to_owned()),
        ("another match: the version", |setup, _| setup.engine = "0.0.1".to_owned()),
        ("another match: the config", |setup, _| setup.config.push(b'\n')),
        ("another match: the seed", |setup, _| setup.header.seed += 1),
        ("another match: the judge", |setup, _| setup.header.judged = false),
        ("another match: the names", |setup, _| setup.header.names[3] = "Eva".to_owned()),
        ("another match: the players", |setup, _| setup.programs[0] = Program::Builtin("another".to_owned())),
        ("differ: the scores", |_, ending| ending.scores[0] += 1),
        ("differ: the rounds", |_, ending| ending.rounds -= 1),
        ("differ: the faults", |_, ending| ending.faults[1] = Some((2, Fault::OutOfFuel))),
    ];
    for (lie, change) in beside {
        let mut told = truth.clone();
        change(&mut told);
        let found = looked_at(&order, &told).unwrap_err().to_string();
        assert!(found.contains(lie), "{lie}: {found}");
    }
    for (lie, change) in inside {
        let finished = Finished { replay: told(&truth.replay, change), ..truth.clone() };
        let found = looked_at(&order, &finished).unwrap_err().to_string();
        assert!(found.contains(lie), "{lie}: {found}");
    }
    for replay in [Vec::new(), b"rubbish".to_vec(), truth.replay[..truth.replay.len() - 1].to_vec()] {
        let found = looked_at(&order, &Finished { replay, ..truth.clone() }).unwrap_err();
        assert!(matches!(found, Lie::NoReplay(_)), "{found}");
    }
}

/// A match of which all parts agree and that nobody has played.
#[test]
fn a_match_that_was_made_up_goes_against_the_rules() {
    let order = order();
    let truth = played(&order);
    assert_eq!(check::follows_the_rules(&truth), Ok(()));
    let mut made_up = truth.clone();
    made_up.replay = told(&truth.replay, |_, ending| ending.scores[0] += 1);
    made_up.seats[0].score += 1;
    let ranks = Replay::read(&made_up.replay).unwrap().ending;
    made_up.seats.iter_mut().zip(Seat::ALL).for_each(|(end, seat)| end.rank = ranks.rank(seat) as i64);
    assert_eq!(looked_at(&order, &made_up), Ok(()), "nothing in it differs");
    let found = check::follows_the_rules(&made_up).unwrap_err();
    assert!(matches!(found, Lie::AgainstTheRules(_)), "{found}");
}

/// Who talks rubbish about itself, or in parts that do not fit, is suspended, and its
/// order is done by somebody else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rubbish_of_every_kind_is_found() {
    let trial = Trial::new(4, 1).await;
    let talkers = &trial.liars;
    let liar = Liar::join(&trial.broker, &talkers[0]).await;
    present(&trial.fleet, 1).await;
    liar.publish(names::here(liar.id), b"rubbish").await;
    gone(&trial.fleet, liar.id).await;
    let why = trial.suspended(liar.id).await.unwrap();
    assert!(why.contains("cannot be read"), "{why}");
    drop(liar);
    let _honest = hire(&trial.broker, &trial.honest[0]);
    present(&trial.fleet, 1).await;
    let parts: [(&[u8], &str); 3] = [
        (b"short", "cannot be read"),
        // The third of two parts.
        (&[2, 0, 0, 0, 2, 0, 0, 0, 7], "cannot be read"),
        // The first of 2,048 parts of half a megabyte.
        (&[0, 0, 0, 0, 0, 8, 0, 0, 7], "larger than any can be"),
    ];
    for (k, (bytes, lie)) in parts.into_iter().enumerate() {
        let liar = Liar::join(&trial.broker, &talkers[k + 1]).await;
        present(&trial.fleet, 2).await;
        let seed = 200 + k as i64;
        // Who came first is asked first.
        let playing = trial.play(trial.machines(NEVER), seed);
        let (errand, _) = liar.next().await;
        liar.publish(names::result(&errand.judge, liar.id, &errand.order), bytes).await;
        assert_eq!(essence(&playing.await.unwrap().unwrap()), essence(&trial.truth(seed)), "{lie}");
        gone(&trial.fleet, liar.id).await;
        let why = trial.suspended(liar.id).await.unwrap();
        assert!(why.contains(lie), "{why}");
    }
    assert_eq!(trial.suspended(trial.honest[0].worker).await, None);
}
