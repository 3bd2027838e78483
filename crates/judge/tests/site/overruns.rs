//! Players that run past their CPU time in official matches: they stop nothing,
//! nobody else is harmed, and the proof holds.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Result;
use ludus_arena::replay::Replay;
use ludus_arena::season::Hash;
use ludus_arena::season::file::{CourseKey, RoundFile};
use ludus_games::{Game, PerSeat, Seat};
use ludus_judge::accounts::Role;
use ludus_judge::ids::AccountId;
use ludus_judge::jobs::{Environment, Machines};
use ludus_judge::local_machine::{Compiled, Seated};
use ludus_judge::losses;
use ludus_judge::matches::Played;
use ludus_judge::official::rounds::{self, Round, State};
use ludus_judge::official::{finals, progress, proof, standing};
use ludus_judge::playroom::Overran;
use ludus_judge::restoring::{Delays, Restorer};
use ludus_judge::seasons::Season;
use ludus_judge::store::Lost;
use ludus_judge::trouble::Trouble;
use ludus_judge::worker;
use ludus_sandbox::build::Language;
use sqlx::Row as _;

use crate::cup::{Actors, Cup, module};
use crate::finals::{make, the_final, two_seasons};
use crate::harness::{CONFIG, Court};
use crate::round_pages::signed_in;
use crate::training::train;
use crate::verdicts::{GOOD, doing, named};
use crate::{on_both, on_sqlite};

on_both!(a_player_past_its_time_stops_no_round);

on_sqlite!(
    what_was_lost_of_such_a_match_is_made_again,
    what_came_before_stands,
    who_does_not_come_that_far_is_not_asked_at_all,
    once_is_nothing,
    the_same_seed_and_the_same_overrun_give_the_same_bytes,
    the_next_player_of_the_same_author_is_barred_too,
    several_past_their_time_in_one_match_are_each_told,
    a_final_goes_on_and_tells_nobody,
    a_set_of_training_says_so_and_goes_on,
    a_player_that_really_runs_past_its_time_is_barred
);

/// Machines on which some players run past their time whenever they are asked in a
/// round, each time one round earlier, but at most so often.
struct Tired {
    actors: Actors,
    names: &'static [&'static str],
    left: AtomicU32,
    round: AtomicU32,
    /// How often each player was asked in vain.
    asked: Mutex<HashMap<String, u32>>,
}

impl Machines for Tired {
    fn warm_up(&self, _: &dyn Game, _: Language) -> Result<()> {
        Ok(())
    }

    fn compile(&self, season: &Season, name: &str, language: Language, source: &[u8]) -> Result<Compiled> {
        self.actors.compile(season, name, language, source)
    }

    fn play(&self, season: &Season, seed: i64, players: &PerSeat<Seated>) -> Result<Played> {
        let round = self.round.load(Ordering::Relaxed);
        let is_slow = |seat: &Seat| {
            let player = &players[*seat];
            self.names.contains(&player.name.as_str()) && player.barred_from.is_none_or(|from| from > round)
        };
        let slow: Vec<Seat> = Seat::ALL.into_iter().filter(is_slow).collect();
        let left = self.left.load(Ordering::Relaxed);
        // Where there are several they take turns.
        if let Some(&seat) = slow.get(left as usize % slow.len().max(1)).filter(|_| left > 0) {
            self.left.store(left - 1, Ordering::Relaxed);
            *self.asked.lock().unwrap().entry(players[seat].name.clone()).or_default() += 1;
            self.round.store(round.saturating_sub(1), Ordering::Relaxed);
            return Err(Overran { seat, round, allowed: Duration::from_secs(30) }.into());
        }
        self.actors.play(season, seed, players)
    }

    fn probe(&self) -> Result<(), Trouble> {
        Ok(())
    }
}

fn tired(cup: &Cup, names: &'static [&'static str], most: u32) -> Arc<Tired> {
    tired_in(cup, names, most, 0)
}

fn tired_in(cup: &Cup, names: &'static [&'static str], most: u32, round: u32) -> Arc<Tired> {
    let actors = Actors { store: cup.court.site.store.clone() };
    let (left, round) = (AtomicU32::new(most), AtomicU32::new(round));
    Arc::new(Tired { actors, names, left, round, asked: Mutex::default() })
}

/// Does all the work there is, as if every delay had passed.
async fn work(cup: &Cup, machines: Arc<dyn Machines>) {
    let environment = Environment { machines, ..cup.environment() };
    for _ in 0..200 {
        worker::until_idle(&environment).await;
        cup.run("UPDATE jobs SET not_before = 0 WHERE state = 'waiting'").await;
        if cup.count("SELECT COUNT(*) FROM jobs WHERE state = 'waiting'").await == 0 {
            return;
        }
    }
    panic!("the work does not end");
}

async fn play(cup: &Cup, machines: Arc<dyn Machines>, seed: Option<[u8; 32]>) -> Round {
    let round = cup.start_with(seed).await;
    work(cup, machines).await;
    rounds::by_id(cup.database().read(), round.id).await.unwrap()
}

async fn file(cup: &Cup, round: Round) -> Vec<u8> {
    let whole = rounds::whole(cup.database(), round).await.unwrap().unwrap();
    proof::round_file(&cup.court.site.store, &CourseKey::new([7; 32]), &cup.season, &whole, true).unwrap().unwrap()
}

/// Whoever has the file of a round plays all of it again, and asks everybody who
/// was asked. The seats that were not are given, by their players' names.
fn prove(cup: &Cup, bytes: &[u8]) -> BTreeMap<String, usize> {
    let file = RoundFile::read(bytes).unwrap();
    file.check().unwrap();
    let actors = Actors { store: cup.court.site.store.clone() };
    let mut barred = BTreeMap::new();
    for (id, _) in file.replays() {
        let enter = |hash: Hash, seed: i32, seat: Seat| {
            let seated = Seated { name: String::new(), module: Some(hash.to_string()), barred_from: None };
            Some(actors.enter(&cup.season, seed, seat, &seated).unwrap())
        };
        let (asked, barred_from) = (file.prove(*id, enter).unwrap(), file.barred(*id).unwrap());
        let stage = &file.manifest.stages[id.stage() as usize - 1];
        let entry = &stage.matches[id.group() as usize - 1];
        for seat in Seat::ALL {
            assert_eq!(asked[seat], barred_from[seat].is_none(), "{id}, seat {seat}");
            if barred_from[seat].is_some() {
                assert!(entry.frozen[seat]);
                let player = file.manifest.player(entry.seats[seat].unwrap()).unwrap();
                *barred.entry(player.player.clone()).or_default() += 1;
            }
        }
    }
    barred
}

async fn account_of(cup: &Cup, player: &'static str) -> AccountId {
    let row = sqlx::query("SELECT account_id FROM submissions WHERE name = $1").bind(player);
    row.fetch_one(cup.database().read()).await.unwrap().try_get(0).unwrap()
}

async fn a_player_past_its_time_stops_no_round(court: Court) {
    let cup = Cup::new(court, 9).await;
    let author = account_of(&cup, "Player7").await;
    // Its author has another one, which is not the one that stands for them.
    cup.player(author, "Spare", &module("Spare", 60)).await;
    cup.run(
        "INSERT INTO representatives (season_id, account_id, submission_id, chosen_at)
             SELECT season_id, account_id, id, 1 FROM submissions WHERE name = 'Player7'",
    )
    .await;
    let machines = tired(&cup, &["Player7"], u32::MAX);
    let round = play(&cup, machines.clone(), Some([9; 32])).await;
    assert_eq!(round.state, State::Over, "nobody has to do anything");
    assert_eq!(machines.asked.lock().unwrap().get("Player7"), Some(&2), "twice, and never again in this round");
    assert_eq!(cup.count("SELECT COUNT(*) FROM jobs WHERE failures > 0 OR state <> 'done'").await, 0);
    let bytes = file(&cup, round.clone()).await;
    let barred = prove(&cup, &bytes);
    assert!(barred.keys().eq(["Player7"]), "{barred:?}");
    // It is barred, and everybody is told who should be.
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let log = laia.get("/actions").await;
    assert!(log.has("Player barred by the judge") && log.has("took more than 30 seconds of real CPU time, twice"));
    let page = cup.count("SELECT id FROM submissions WHERE name = 'Player7'").await;
    let page = laia.get(&format!("/submissions/{page}")).await;
    assert!(page.has("took more than 30 seconds of real CPU time, twice"), "{}", page.text);
    assert!(page.has("The judge has taken Player7 out") && !page.has("An instructor has taken"), "{}", page.text);
    // The round after it has the author's next player, whoever was eliminated.
    let out = round.elimination.unwrap().author;
    let before = rounds::players(cup.database().read(), round.id).await.unwrap();
    let own = before.iter().find(|one| one.account == author).unwrap().author;
    if own == out {
        let mut tx = cup.database().begin().await.unwrap();
        progress::undo(&mut tx, cup.season.id, "to see the next", AccountId(1)).await.unwrap().unwrap();
        tx.commit().await.unwrap();
    }
    let next = play(&cup, tired(&cup, &[], 0), None).await;
    let players = rounds::players(cup.database().read(), next.id).await.unwrap();
    assert_eq!(players.iter().find(|one| one.account == author).unwrap().name, "Spare");
}

/// The rounds in which seats were frozen, match by match.
async fn frozen_rounds(cup: &Cup) -> Vec<i64> {
    let rows = sqlx::query("SELECT fault_round FROM seats WHERE fault = 'overtime' ORDER BY match_id, seat");
    rows.fetch_all(cup.database().read()).await.unwrap().iter().map(|row| row.try_get(0).unwrap()).collect()
}

/// Nobody takes from the others what was played before: the seat is frozen from
/// the earlier round of its two, and from the start only where it was not seen yet.
async fn what_came_before_stands(court: Court) {
    let cup = Cup::new(court, 9).await;
    let machines = tired_in(&cup, &["Player7"], 2, 12);
    let round = play(&cup, machines.clone(), Some([9; 32])).await;
    assert_eq!(round.state, State::Over);
    let bytes = file(&cup, round).await;
    let barred = prove(&cup, &bytes);
    let rounds = frozen_rounds(&cup).await;
    assert_eq!(barred, BTreeMap::from([("Player7".to_owned(), rounds.len())]));
    assert_eq!(rounds.iter().filter(|&&round| round == 11).count(), 1, "{rounds:?}");
    assert!(rounds.iter().all(|&round| round == 11 || round == 0), "{rounds:?}");
    // Until then it gave its orders.
    let read = RoundFile::read(&bytes).unwrap();
    let of_it = read.replays().iter().find_map(|(id, bytes)| {
        let seat = read.barred(*id).unwrap().iter().position(|&from| from == Some(11))?;
        Some((Replay::read(bytes).unwrap(), seat))
    });
    let (replay, seat) = of_it.unwrap();
    let mut told = replay.rounds();
    let mut orders = Vec::new();
    while let Some(round) = told.next_round() {
        orders.push(!round.unwrap().orders[seat].is_empty());
    }
    assert!(orders[..11].iter().any(|&some| some) && orders[11..].iter().all(|&some| !some), "{orders:?}");
}

async fn who_does_not_come_that_far_is_not_asked_at_all(court: Court) {
    let cup = Cup::new(court, 3).await;
    let machines = tired_in(&cup, &["Player2"], u32::MAX, 12);
    let round = play(&cup, machines.clone(), None).await;
    assert_eq!(round.state, State::Over);
    assert_eq!(machines.asked.lock().unwrap().get("Player2"), Some(&3));
    assert_eq!(cup.count("SELECT times FROM overruns").await, 3);
    assert_eq!(cup.count("SELECT COUNT(*) FROM actions WHERE action = 'bar-player'").await, 1);
    assert!(frozen_rounds(&cup).await.iter().all(|&round| round == 0));
    prove(&cup, &file(&cup, round).await);
}

async fn the_same_seed_and_the_same_overrun_give_the_same_bytes(court: Court) {
    let cup = Cup::new(court, 9).await;
    let mut files = Vec::new();
    for _ in 0..2 {
        let round = play(&cup, tired(&cup, &["Player5"], u32::MAX), Some([5; 32])).await;
        files.push(file(&cup, round).await);
        let mut tx = cup.database().begin().await.unwrap();
        progress::undo(&mut tx, cup.season.id, "to play it again", AccountId(1)).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        cup.run("UPDATE submissions SET retired_at = NULL, retired_reason = NULL").await;
    }
    assert!(prove(&cup, &files[0]).keys().eq(["Player5"]));
    let (first, second) = (RoundFile::read(&files[0]).unwrap(), RoundFile::read(&files[1]).unwrap());
    assert_eq!(first.manifest.stages, second.manifest.stages);
    assert_eq!(first.manifest.eliminated, second.manifest.eliminated);
}

async fn once_is_nothing(court: Court) {
    let cup = Cup::new(court, 9).await;
    let undisturbed = play(&cup, tired(&cup, &[], 0), Some([3; 32])).await;
    let undisturbed = file(&cup, undisturbed).await;
    let mut tx = cup.database().begin().await.unwrap();
    progress::undo(&mut tx, cup.season.id, "to play it again", AccountId(1)).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    let machines = tired(&cup, &["Player4"], 1);
    let round = play(&cup, machines.clone(), Some([3; 32])).await;
    assert_eq!(machines.asked.lock().unwrap().get("Player4"), Some(&1));
    let again = file(&cup, round).await;
    let (first, second) = (RoundFile::read(&undisturbed).unwrap(), RoundFile::read(&again).unwrap());
    assert_eq!(first.manifest.stages, second.manifest.stages);
    assert_eq!(cup.count("SELECT COUNT(*) FROM submissions WHERE retired_at IS NOT NULL").await, 0);
    assert_eq!(cup.count("SELECT COUNT(*) FROM actions WHERE action = 'bar-player'").await, 0);
    assert_eq!(prove(&cup, &again), BTreeMap::new());
}

async fn the_next_player_of_the_same_author_is_barred_too(court: Court) {
    let cup = Cup::new(court, 6).await;
    let author = account_of(&cup, "Player6").await;
    cup.player(author, "Second", &module("Second", 100)).await;
    let undo_if_out = async |round: &Round| {
        let players = rounds::players(cup.database().read(), round.id).await.unwrap();
        let own = players.iter().find(|one| one.account == author).unwrap().author;
        if round.elimination.unwrap().author == own {
            let mut tx = cup.database().begin().await.unwrap();
            progress::undo(&mut tx, cup.season.id, "to go on", AccountId(1)).await.unwrap().unwrap();
            tx.commit().await.unwrap();
        }
        own
    };
    for (number, name) in [(1, "Second"), (2, "Player6")] {
        let round = play(&cup, tired(&cup, &["Second", "Player6"], u32::MAX), None).await;
        assert_eq!((round.number, round.state), (number, State::Over));
        assert!(prove(&cup, &file(&cup, round.clone()).await).keys().eq([name]));
        undo_if_out(&round).await;
    }
    // Who has no player left leaves, as everybody does who has none.
    let third = play(&cup, tired(&cup, &[], 0), None).await;
    let players = rounds::players(cup.database().read(), third.id).await.unwrap();
    assert!(players.iter().all(|one| one.account != author));
    let happened = standing::happenings(cup.database().read(), cup.season.id).await.unwrap();
    assert!(happened.iter().any(|one| format!("{:?}", one.event).contains("no accepted player is left")));
}

async fn several_past_their_time_in_one_match_are_each_told(court: Court) {
    let cup = Cup::new(court, 3).await;
    // All three meet in one match, with a reserve.
    let machines = tired(&cup, &["Player1", "Player2", "Player3"], u32::MAX);
    let round = play(&cup, machines.clone(), None).await;
    assert_eq!(round.state, State::Over);
    let asked = machines.asked.lock().unwrap().clone();
    assert_eq!(asked.len(), 3);
    assert!(asked.values().all(|&times| times == 2), "each of them twice: {asked:?}");
    let barred = prove(&cup, &file(&cup, round).await);
    assert_eq!(barred.len(), 3);
}

async fn what_was_lost_of_such_a_match_is_made_again(court: Court) {
    let cup = Cup::new(court, 4).await;
    let machines = tired(&cup, &["Player2"], u32::MAX);
    let round = play(&cup, machines.clone(), None).await;
    let before = file(&cup, round.clone()).await;
    let matches = rounds::matches(cup.database().read(), round.id).await.unwrap();
    let first = &matches[0];
    let replay = first.result.as_ref().unwrap().replay.clone();
    std::fs::remove_file(cup.court.file(&replay)).unwrap();
    let lost = cup.court.site.store.get(&replay).unwrap_err();
    losses::note(cup.database(), Lost::of(&lost).unwrap(), losses::Kind::Replay, first.id.0).await.unwrap();
    let restorer = Restorer { database: cup.database().clone(), machines, delays: Delays::default() };
    assert!(restorer.next().await.unwrap());
    assert_eq!(file(&cup, round).await, before);
}

async fn a_final_goes_on_and_tells_nobody(court: Court) {
    let cup = two_seasons(court).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    make(&cup, &mut laia, &[("cup", "3"), ("two", "2")]).await;
    laia.post("/finals/grand-final/play", &[]).await;
    let machines = tired(&cup, &["Other2"], u32::MAX);
    for _ in 0..100 {
        work(&cup, machines.clone()).await;
        cup.court.site.final_director().turn().await.unwrap();
        if the_final(&cup).await.state != finals::State::Playing {
            break;
        }
    }
    assert_eq!(the_final(&cup).await.state, finals::State::Played);
    assert_eq!(machines.asked.lock().unwrap().get("Other2"), Some(&2), "once barred it is so in all rounds");
    assert_eq!(cup.count("SELECT COUNT(*) FROM submissions WHERE retired_at IS NOT NULL").await, 0);
    assert!(laia.get("/actions").await.has("Player barred by the judge"));
}

async fn a_set_of_training_says_so_and_goes_on(court: Court) {
    let cup = Cup::new(court, 2).await;
    let mut one = signed_in(&cup, "student1").await;
    let asked = train(&mut one, ["Player1", "Dummy", "Dummy", "Dummy"], "8", "fixed").await;
    let machines = tired(&cup, &["Player1"], u32::MAX);
    work(&cup, machines.clone()).await;
    assert_eq!(machines.asked.lock().unwrap().get("Player1"), Some(&2), "twice in the whole set");
    assert_eq!(cup.count("SELECT COUNT(*) FROM matches WHERE purpose = 'training' AND played = 1").await, 8);
    assert_eq!(cup.count("SELECT COUNT(*) FROM seats WHERE fault = 'overtime' AND fault_round = 0").await, 8);
    assert_eq!(cup.count("SELECT COUNT(*) FROM jobs WHERE failures > 0 OR state <> 'done'").await, 0);
    assert_eq!(cup.count("SELECT COUNT(*) FROM submissions WHERE retired_at IS NOT NULL").await, 0);
    assert!(one.get(&asked.location).await.has("100 %"), "frozen in all matches");
    let id = cup.count("SELECT MIN(id) FROM matches WHERE purpose = 'training'").await;
    assert!(one.get(&format!("/matches/{id}")).await.has("far past its CPU time in two tries"));
    // Another set asks it again.
    train(&mut one, ["Player1", "Dummy", "Dummy", "Dummy"], "1", "fixed").await;
    work(&cup, tired(&cup, &[], 0)).await;
    assert_eq!(cup.count("SELECT COUNT(*) FROM seats WHERE fault = 'overtime'").await, 8);
}

/// Compiled players, in processes of their own, with a time of 0.3 s.
async fn a_player_that_really_runs_past_its_time_is_barred(court: Court) {
    let mut cup = Cup::new(court, 0).await;
    cup.run("UPDATE seasons SET game = 'dominator', match_ms = 10, round_ms = NULL WHERE slug = 'cup'").await;
    let config = sqlx::query("UPDATE seasons SET config = $1 WHERE slug = 'cup'").bind(CONFIG);
    config.execute(cup.database().write()).await.unwrap();
    cup.season = ludus_judge::seasons::find(cup.database(), "cup").await.unwrap().unwrap();
    let environment = cup.court.environment();
    // It waits for memory, each time for what it has just read.
    let chase = "const unsigned N = 1u << 20; static unsigned cells[N * 4];
        for (unsigned k = 0; k < N; ++k) cells[4 * k] = ((k * 1664525u + 1013904223u) & (N - 1)) * 4;
        volatile unsigned at = 0; unsigned p = at;
        for (long k = 0; k < 100000000L; ++k) { p = cells[p]; p = cells[p]; p = cells[p]; p = cells[p];
        p = cells[p]; p = cells[p]; p = cells[p]; p = cells[p]; p = cells[p]; p = cells[p]; } at = p;";
    for (name, source) in [("Reaper", named(GOOD, "Reaper")), ("Slug", doing("Slug", chase))] {
        let account = cup.student(name, "G1").await;
        let compiled = environment.machines.compile(&cup.season, name, Language::Cpp, source.as_bytes()).unwrap();
        let Compiled::Module { hash, .. } = compiled else { panic!("{name} does not compile") };
        let wasm = cup.court.site.store.get(&hash).unwrap();
        cup.player(account, name, &wasm).await;
    }
    let round = play(&cup, environment.machines.clone(), None).await;
    assert_eq!(round.state, State::Over);
    let bytes = file(&cup, round.clone()).await;
    let read = RoundFile::read(&bytes).unwrap();
    read.check().unwrap();
    for (id, _) in read.replays() {
        let slug = read.barred(*id).unwrap().into_iter().flatten().count();
        assert_eq!(slug, 1, "{id}: one seat, and the same in all");
        read.prove(*id, |_, _, _| None).unwrap();
    }
    let reason = sqlx::query("SELECT retired_reason FROM submissions WHERE name = 'Slug'");
    let reason: String = reason.fetch_one(cup.database().read()).await.unwrap().try_get(0).unwrap();
    assert!(reason.starts_with("overtime "), "{reason}");
    assert_eq!(cup.count("SELECT COUNT(*) FROM submissions WHERE retired_at IS NOT NULL").await, 1);
    assert_eq!(cup.count("SELECT COUNT(*) FROM overruns").await, 1);
    assert_eq!(cup.count("SELECT times FROM overruns").await, 2);
}
