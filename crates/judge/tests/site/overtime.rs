//! Players that take far more CPU than their fuel stands for: only they are
//! rejected for it, and only the second time.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use anyhow::Result;
use ludus_games::{Game, PerSeat, Seat};
use ludus_judge::accounts::Role;
use ludus_judge::ids::MatchId;
use ludus_judge::jobs::{Environment, Job, Machines};
use ludus_judge::local_machine::{Compiled, Seated};
use ludus_judge::matches::{Played, SeatResult};
use ludus_judge::patience::{Patience, TooSlow};
use ludus_judge::playroom::{Overran, Unending};
use ludus_judge::queue::{Blame, Dispatch as _, Lease};
use ludus_judge::seasons::Season;
use ludus_judge::store::Store;
use ludus_judge::trouble::Trouble;
use ludus_judge::worker::{self, Stop};
use ludus_sandbox::build::Language;

use crate::harness::{Browser, Court, until};
use crate::on_sqlite;
use crate::verdicts::{GOOD, named};

on_sqlite!(
    past_the_time_twice_is_a_verdict,
    a_match_that_does_not_end_lets_others_go_first,
    nobody_is_rejected_for_another,
    slow_jobs_of_several_people_hold_up_nobody,
    however_many_slow_jobs_there_are_the_quick_one_is_done,
    compilers_are_stopped_when_patience_ends
);

/// Machines on which the player in a seat overruns its time in all matches but
/// those of four copies, or in those too.
struct Slow {
    store: Store,
    seat: Seat,
    even_copies: bool,
}

impl Machines for Slow {
    fn warm_up(&self, _: &dyn Game, _: Language) -> Result<()> {
        Ok(())
    }

    fn compile(&self, _: &Season, _: &str, _: Language, source: &[u8]) -> Result<Compiled> {
        Ok(Compiled::Module { hash: self.store.put(source)?, bytes: source.len() })
    }

    fn play(&self, _: &Season, _: i64, players: &PerSeat<Seated>) -> Result<Played> {
        let copies = players.iter().all(|player| player.module.is_some());
        if !copies || self.even_copies {
            return Err(Overran { seat: self.seat, round: 0, allowed: Duration::from_secs(30) }.into());
        }
        let seats = Seat::ALL.map(|seat| SeatResult {
            seat,
            name: players[seat].name.clone(),
            submission: None,
            author: None,
            score: Some(1),
            rank: Some(1),
            cpu: Some(1),
            fault: None,
            output: None,
        });
        Ok(Played {
            rounds: 1,
            replay: self.store.put(b"a replay")?,
            small_replay: None,
            seats: seats.into(),
            cpu: Vec::new(),
            bytes: 8,
        })
    }

    fn probe(&self) -> Result<(), Trouble> {
        Ok(())
    }
}

/// Takes a match, plays it, and gives it back if it was not played.
async fn play(environment: &Environment) -> (Lease, Result<()>) {
    let lease = environment.queue.take().await.unwrap().expect("there is a match to play");
    assert!(matches!(lease.job, Job::Play(_)));
    let done = lease.job.run(environment, &lease).await;
    if done.is_err() {
        environment.queue.fail(&lease, "past its time", Blame::Machine).await.unwrap();
    }
    (lease, done)
}

async fn submitted(court: &Court, machines: Slow) -> (Browser, String, Environment) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let page = pau.submit("open", &named(GOOD, "Waiter")).await;
    let environment = Environment { machines: Arc::new(machines), ..court.environment() };
    worker::turn(&environment).await;
    (pau, page, environment)
}

async fn past_the_time_twice_is_a_verdict(court: Court) {
    let slow = Slow { store: court.site.store.clone(), seat: Seat::ALL[2], even_copies: true };
    let (mut pau, page, environment) = submitted(&court, slow).await;
    let (_, first) = play(&environment).await;
    assert!(first.unwrap_err().downcast_ref::<Overran>().is_some());
    assert!(pau.get(&page).await.has("Verification under way"));
    let (_, second) = play(&environment).await;
    second.unwrap();
    let verdict = pau.get(&page).await;
    assert!(verdict.has("<h2>Rejected</h2>"), "{}", verdict.text);
    assert!(verdict.has("In match 1 the player in seat 3 took more than 30 seconds"), "{}", verdict.text);
    assert!(environment.queue.take().await.unwrap().is_none(), "nothing is left to do");
}

/// Machines on which no match ends.
struct Stuck(Store);

impl Machines for Stuck {
    fn warm_up(&self, _: &dyn Game, _: Language) -> Result<()> {
        Ok(())
    }

    fn compile(&self, _: &Season, _: &str, _: Language, source: &[u8]) -> Result<Compiled> {
        Ok(Compiled::Module { hash: self.0.put(source)?, bytes: source.len() })
    }

    fn play(&self, _: &Season, _: i64, _: &PerSeat<Seated>) -> Result<Played> {
        Err(Unending { seconds: 960 }.into())
    }

    fn probe(&self) -> Result<(), Trouble> {
        Ok(())
    }
}

async fn a_match_that_does_not_end_lets_others_go_first(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    pau.submit("open", &named(GOOD, "Waiter")).await;
    let environment = Environment { machines: Arc::new(Stuck(court.site.store.clone())), ..court.environment() };
    worker::until_idle(&environment).await;
    let delay = sqlx::query_scalar::<_, i64>("SELECT delay FROM jobs WHERE kind = 'match' AND state = 'waiting'");
    let delay = delay.fetch_one(court.site.database.read()).await.unwrap();
    assert_eq!(delay, 900_000, "it is not taken again at once");
}

async fn nobody_is_rejected_for_another(court: Court) {
    let slow = Slow { store: court.site.store.clone(), seat: Seat::ALL[3], even_copies: false };
    let (mut pau, page, environment) = submitted(&court, slow).await;
    let (_, copies) = play(&environment).await;
    copies.unwrap();
    // In three of the four matches the last seat is a Dummy's.
    let mut rejected = false;
    for _ in 0..12 {
        let Some(lease) = environment.queue.take().await.unwrap() else { break };
        let found =
            ludus_judge::matches::find(&court.site.database, MatchId(lease.job.subject())).await.unwrap().unwrap();
        let done = lease.job.run(&environment, &lease).await;
        if found.seats[3].submission.is_none() {
            assert!(done.is_err(), "a Dummy was blamed on the student");
        } else {
            rejected |= done.is_ok();
        }
        if done.is_err() {
            environment.queue.fail(&lease, "past its time", Blame::Machine).await.unwrap();
        }
        if rejected {
            break;
        }
        assert!(pau.get(&page).await.has("Verification under way"));
    }
}

/// Machines that compile sources with a word in them until they are let go.
struct Held {
    store: Store,
    let_go: Arc<(Mutex<bool>, Condvar)>,
}

impl Machines for Held {
    fn warm_up(&self, _: &dyn Game, _: Language) -> Result<()> {
        Ok(())
    }

    fn compile(&self, _: &Season, _: &str, _: Language, source: &[u8]) -> Result<Compiled> {
        if String::from_utf8_lossy(source).contains("slow") {
            let (is_over, changed) = &*self.let_go;
            drop(changed.wait_while(is_over.lock().unwrap(), |is_over| !*is_over).unwrap());
        }
        Ok(Compiled::Module { hash: self.store.put(source)?, bytes: source.len() })
    }

    fn play(&self, _: &Season, _: i64, _: &PerSeat<Seated>) -> Result<Played> {
        anyhow::bail!("nobody plays here")
    }

    fn probe(&self) -> Result<(), Trouble> {
        Ok(())
    }
}

/// With one worker: two people have jobs that go on and on, and a third is served.
async fn slow_jobs_of_several_people_hold_up_nobody(court: Court) {
    let let_go = Arc::new((Mutex::new(false), Condvar::new()));
    let held = Held { store: court.site.store.clone(), let_go: let_go.clone() };
    let environment = Environment { machines: Arc::new(held), ..court.environment() };
    for name in ["pau", "ana"] {
        let source = format!("{}\n// slow\n", named(GOOD, &format!("Slow{name}")));
        court.visitor(name, Role::Student).await.submit("open", &source).await;
    }
    court.visitor("eva", Role::Student).await.submit("open", &named(GOOD, "Quick")).await;
    let stop = Stop::default();
    let mut workers = worker::start(&environment, 1, &stop);
    until("two slow jobs hold the worker", async || compiled(&court, "Quick").await == 1).await;
    stop.now();
    *let_go.0.lock().unwrap() = true;
    let_go.1.notify_all();
    while workers.join_next().await.is_some() {}
}

/// Machines that have a patience: what is slow is given up at once, and the last
/// time it is compiled until it is let go.
#[derive(Clone)]
struct Patient {
    store: Store,
    patience: Patience,
    let_go: Arc<(Mutex<bool>, Condvar)>,
    /// With which patience slow ones were begun, and how many are done at once.
    begun: Arc<Mutex<Vec<Patience>>>,
    at_once: Arc<Mutex<(usize, usize)>>,
}

impl Machines for Patient {
    fn warm_up(&self, _: &dyn Game, _: Language) -> Result<()> {
        Ok(())
    }

    fn compile(&self, _: &Season, _: &str, _: Language, source: &[u8]) -> Result<Compiled> {
        if String::from_utf8_lossy(source).contains("slow") {
            self.begun.lock().unwrap().push(self.patience);
            if self.patience != Patience::Endless {
                return Err(TooSlow.into());
            }
            let mut at_once = self.at_once.lock().unwrap();
            at_once.0 += 1;
            at_once.1 = at_once.1.max(at_once.0);
            drop(at_once);
            let (is_over, changed) = &*self.let_go;
            drop(changed.wait_while(is_over.lock().unwrap(), |is_over| !*is_over).unwrap());
            self.at_once.lock().unwrap().0 -= 1;
        }
        Ok(Compiled::Module { hash: self.store.put(source)?, bytes: source.len() })
    }

    fn play(&self, _: &Season, _: i64, _: &PerSeat<Seated>) -> Result<Played> {
        anyhow::bail!("nobody plays here")
    }

    fn probe(&self) -> Result<(), Trouble> {
        Ok(())
    }

    fn hurried(&self, patience: Patience) -> Option<Arc<dyn Machines>> {
        Some(Arc::new(Patient { patience, ..self.clone() }))
    }
}

async fn compiled(court: &Court, names: &'static str) -> i64 {
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM submissions WHERE name LIKE $1 AND module IS NOT NULL");
    count.bind(names).fetch_one(court.site.database.read()).await.unwrap()
}

/// Until so many are compiled.
async fn wait_for(court: &Court, names: &'static str, many: i64) {
    until(names, async || compiled(court, names).await >= many).await;
}

async fn however_many_slow_jobs_there_are_the_quick_one_is_done(court: Court) {
    const SLOW: usize = 12;
    let machines = Patient {
        store: court.site.store.clone(),
        patience: Patience::Endless,
        let_go: Arc::default(),
        begun: Arc::default(),
        at_once: Arc::default(),
    };
    let environment = Environment { machines: Arc::new(machines.clone()), ..court.environment() };
    for number in 0..SLOW {
        let source = format!("{}\n// slow\n", named(GOOD, &format!("Slow{number}")));
        court.visitor(&format!("slow{number}"), Role::Student).await.submit("open", &source).await;
    }
    court.visitor("eva", Role::Student).await.submit("open", &named(GOOD, "Quick")).await;
    let stop = Stop::default();
    let mut workers = worker::start(&environment, 1, &stop);
    wait_for(&court, "Quick", 1).await;
    assert_eq!(compiled(&court, "Slow%").await, 0);
    // Those that are slow have their turn too, one after the other, and lose nothing.
    *machines.let_go.0.lock().unwrap() = true;
    machines.let_go.1.notify_all();
    wait_for(&court, "Slow%", SLOW as i64).await;
    stop.now();
    while workers.join_next().await.is_some() {}
    let begun = machines.begun.lock().unwrap().clone();
    for patience in [Patience::Little, Patience::Usual, Patience::Endless] {
        assert_eq!(begun.iter().filter(|one| **one == patience).count(), SLOW, "{begun:?}");
    }
    assert_eq!(machines.at_once.lock().unwrap().1, 1);
    let failed = "SELECT COUNT(*) FROM jobs WHERE kind = 'compile' AND (failures > 0 OR strikes > 0 OR deaths > 0)";
    assert_eq!(sqlx::query_scalar::<_, i64>(failed).fetch_one(court.site.database.read()).await.unwrap(), 0);
}

/// The real compilers, with a source that lets them count for half a minute.
async fn compilers_are_stopped_when_patience_ends(court: Court) {
    let count = "constexpr int count(int n) { int s = n; for (int k = 0; k < 100000; ++k) s = (s * 31 + k) % 1000003; return s; }\n";
    let counted: String = (0..1000).map(|n| format!("constexpr int c{n} = count({n});\n")).collect();
    let source = format!("{count}{counted}{}", named(GOOD, "Waiter"));
    let season = ludus_judge::seasons::find(&court.site.database, "open").await.unwrap().unwrap();
    let hurried = court.environment().with_patience(Patience::Little).machines;
    let compile = move || hurried.compile(&season, "Waiter", Language::Cpp, source.as_bytes());
    match tokio::task::spawn_blocking(compile).await.unwrap() {
        Err(error) => assert!(error.is::<TooSlow>(), "{error:#}"),
        Ok(Compiled::Rejected(reason)) => panic!("it was judged: {reason:?}"),
        Ok(Compiled::Module { .. }) => panic!("it was not stopped"),
    }
}
