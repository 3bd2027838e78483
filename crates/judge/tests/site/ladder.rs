//! The ladder: who is on it, when it plays, when it rests, what it gives way to.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use anyhow::{Result, anyhow};
use axum::http::StatusCode;
use ludus_games::{Game, PerSeat, Seat};
use ludus_judge::accounts::Role;
use ludus_judge::ids::{MatchId, SubmissionId};
use ludus_judge::jobs::{Environment, Job, Machines, Play};
use ludus_judge::local_machine::{Compiled, Seated};
use ludus_judge::matches::{Played, SeatResult};
use ludus_judge::playroom::Overran;
use ludus_judge::queue::{Crew, Dispatch as _, Priority, Queue, Work};
use ludus_judge::seasons::Season;
use ludus_judge::store::Store;
use ludus_judge::trouble::Trouble;
use ludus_judge::worker::{self, Stop};
use ludus_sandbox::build::Language;
use sqlx::Row as _;

use crate::cup::Cup;
use crate::harness::{Browser, Court, until};
use crate::round_pages::signed_in;
use crate::{on_both, on_sqlite};

on_both!(public_players_join_and_retired_ones_leave);

on_sqlite!(
    who_overruns_twice_is_barred_and_told,
    who_is_lost_for_good_leaves,
    everything_else_goes_first,
    it_plays_until_nothing_is_left_to_learn,
    an_author_has_three_players_on_it,
    it_ends_as_soon_as_somebody_waits,
    nobody_waits_for_a_match_of_the_ladder,
    a_match_tells_strangers_nothing_about_cpu
);

/// What a machine does before a match.
type Before = dyn Fn(&PerSeat<Seated>) -> Result<()> + Send + Sync;

/// Machines on which strength and luck decide.
struct Dice {
    store: Store,
    before: Box<Before>,
}

impl Machines for Dice {
    fn warm_up(&self, _: &dyn Game, _: Language) -> Result<()> {
        Ok(())
    }

    /// Nothing compiles to what it was.
    fn compile(&self, _: &Season, _: &str, _: Language, _: &[u8]) -> Result<Compiled> {
        Ok(Compiled::Module { hash: self.store.put(b"something else")?, bytes: 1 })
    }

    fn play(&self, _: &Season, seed: i64, players: &PerSeat<Seated>) -> Result<Played> {
        (self.before)(players)?;
        let mut scores = [0; Seat::COUNT];
        for seat in Seat::ALL {
            let Some(hash) = &players[seat].module else { continue };
            let text = String::from_utf8(self.store.get(hash)?)?;
            let strength = text.split(' ').nth(1).ok_or_else(|| anyhow!("what is {text}?"))?;
            let luck = (seed * 31 + seat.index() as i64 * 17).wrapping_mul(2_654_435_761) >> 7;
            scores[seat] = strength.parse::<i64>()? + luck.rem_euclid(60);
        }
        let rank = |score: i64| 1 + scores.iter().filter(|&&other| other > score).count() as i64;
        let seats = Seat::ALL.map(|seat| SeatResult {
            seat,
            name: players[seat].name.clone(),
            submission: None,
            author: None,
            score: Some(scores[seat]),
            rank: Some(rank(scores[seat])),
            cpu: Some(123_400),
            fault: None,
            output: None,
        });
        let replay = self.store.put(format!("{seed} {players:?}").as_bytes())?;
        Ok(Played { rounds: 1, replay, small_replay: None, seats: seats.into(), cpu: Vec::new(), bytes: 100 })
    }

    fn probe(&self) -> Result<(), Trouble> {
        Ok(())
    }
}

fn environment(cup: &Cup, before: impl Fn(&PerSeat<Seated>) -> Result<()> + Send + Sync + 'static) -> Environment {
    let machines = Arc::new(Dice { store: cup.court.site.store.clone(), before: Box::new(before) });
    let (database, queue) = (cup.database().clone(), cup.court.site.queue.clone());
    Environment { database, queue, machines, quarantine: None }
}

async fn id_of(cup: &Cup, name: &str) -> SubmissionId {
    let id = sqlx::query("SELECT id FROM submissions WHERE name = $1").bind(name.to_owned());
    id.fetch_one(cup.database().read()).await.unwrap().try_get(0).unwrap()
}

async fn publish(cup: &Cup, name: &str) {
    let id = id_of(cup, name).await;
    assert!(ludus_judge::submissions::publish(cup.database(), id).await.unwrap());
}

/// The steward looks, and whoever works plays.
async fn look(cup: &Cup) {
    cup.court.site.steward().turn().await.unwrap();
}

async fn climb(cup: &Cup) {
    look(cup).await;
    worker::until_idle(&environment(cup, |_| Ok(()))).await;
}

/// The names on the page, from the top.
async fn names(cup: &Cup, browser: &mut Browser) -> Vec<String> {
    cup.court.site.following.ladders.forget().await;
    let page = browser.get("/seasons/cup/ladder").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let table = page.text.split("<table").nth(1).and_then(|rest| rest.split("</table>").next()).unwrap_or_default();
    let cells = table.split("<strong>").skip(1).filter_map(|rest| rest.split("</strong>").next());
    let names = cells.map(|cell| cell.rsplit("\">").next().unwrap().replace("</a>", ""));
    let mut seen = HashSet::new();
    names.filter(|name| seen.insert(name.clone())).collect()
}

pub async fn with_public(court: Court, students: u32) -> Cup {
    let cup = Cup::new(court, students).await;
    for k in 1..=students {
        publish(&cup, &format!("Player{k}")).await;
    }
    cup
}

async fn it_plays_until_nothing_is_left_to_learn(court: Court) {
    let cup = Cup::new(court, 6).await;
    for k in [1, 2, 3, 5, 6] {
        publish(&cup, &format!("Player{k}")).await;
    }
    let mut guest = cup.court.browser();
    assert!(guest.get("/seasons/cup/ladder").await.has("Nobody is on the ladder yet"));
    look(&cup).await;
    cup.court.site.following.ladders.forget().await;
    assert!(guest.get("/seasons/cup/ladder").await.has("Matches are being played: 0 so far"));
    climb(&cup).await;
    let played = cup.count("SELECT played FROM ladders").await;
    assert!((100..1200).contains(&played), "{played}");
    assert_eq!(cup.count("SELECT COUNT(*) FROM matches WHERE purpose = 'ladder' AND played = 1").await, played);

    assert_eq!(cup.count("SELECT COUNT(DISTINCT seed) FROM matches WHERE purpose = 'ladder'").await, played);

    // Those who are on it, in their order; and none that is private.
    let order = names(&cup, &mut guest).await;
    let own: Vec<&str> = order.iter().map(String::as_str).filter(|name| name.starts_with("Player")).collect();
    assert_eq!(own, ["Player6", "Player5", "Player3", "Player2", "Player1"], "{order:?}");
    assert!(order.iter().any(|name| name == "Dummy"), "{order:?}");
    assert!(guest.get("/seasons/cup/ladder").await.has(&format!("At rest after {played} matches")));

    // Everybody sat in every seat about as often.
    let rows = sqlx::query("SELECT seat0, seat1, seat2, seat3 FROM contenders WHERE submission_id IS NOT NULL");
    for row in rows.fetch_all(cup.database().read()).await.unwrap() {
        let seats: [i64; 4] = std::array::from_fn(|seat| row.try_get(seat).unwrap());
        assert!(seats.iter().max().unwrap() - seats.iter().min().unwrap() <= 4, "{seats:?}");
    }
    // Nobody is in a match twice, and what is old cannot be watched any more.
    let twice = "SELECT COUNT(*) FROM (SELECT match_id FROM seats WHERE submission_id IS NOT NULL
         GROUP BY match_id, submission_id HAVING COUNT(*) > 1) x";
    assert_eq!(cup.count(twice).await, 0);
    let kept = cup.count("SELECT COUNT(*) FROM matches WHERE purpose = 'ladder' AND thinned_at IS NULL").await;
    assert!((20..=5 * 20).contains(&kept), "{kept} of {played}");
    assert!(cup.count("SELECT COUNT(*) FROM leavings").await > 0);

    // Another look finds nothing to do; a newcomer wakes it.
    climb(&cup).await;
    assert_eq!(cup.count("SELECT played FROM ladders").await, played);
    publish(&cup, "Player4").await;
    climb(&cup).await;
    let more = cup.count("SELECT played FROM ladders").await - played;
    assert!((20..600).contains(&more), "{more}");
    assert!(names(&cup, &mut guest).await.contains(&"Player4".to_owned()));

    let mut one = signed_in(&cup, "student1").await;
    let page = one.get(&format!("/players/{}", id_of(&cup, "Player6").await)).await;
    assert!(page.has("1 of ") && page.has("Rating over time") && page.has("<polyline") && page.has("role=\"img\""));
    assert!(!guest.get("/seasons/cup/ladder").await.has("Name of student"), "names are for whoever is signed in");
    assert!(one.get("/seasons/cup/ladder").await.has("Name of student6"));
}

async fn public_players_join_and_retired_ones_leave(court: Court) {
    let cup = with_public(court, 4).await;
    climb(&cup).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let id = id_of(&cup, "Player2").await;
    let retired = laia.post(&format!("/submissions/{id}/retire"), &[("reason", "It copies")]).await;
    assert_eq!(retired.status, StatusCode::SEE_OTHER, "{}", retired.text);
    // At once, before anybody has looked after the ladder.
    assert!(!names(&cup, &mut laia).await.contains(&"Player2".to_owned()));
    look(&cup).await;
    assert_eq!(cup.count("SELECT COUNT(*) FROM contenders WHERE out_reason = 'retired'").await, 1);
    assert!(laia.get(&format!("/players/{id}")).await.has("because it is retired"));
    let played = cup.count("SELECT COUNT(*) FROM matches").await;
    publish_new(&cup, "student1", "Newcomer").await;
    climb(&cup).await;
    let with_it = sqlx::query("SELECT COUNT(*) FROM seats WHERE submission_id = $1 AND match_id > $2");
    let with_it = with_it.bind(id).bind(played).fetch_one(cup.database().read()).await.unwrap();
    assert_eq!(with_it.try_get::<i64, _>(0).unwrap(), 0);
    // Who is put back comes back with the rating that it had.
    laia.post(&format!("/submissions/{id}/restore"), &[("reason", "It does not")]).await;
    look(&cup).await;
    assert!(names(&cup, &mut laia).await.contains(&"Player2".to_owned()));
    assert_eq!(cup.count("SELECT COUNT(*) FROM contenders WHERE out_reason IS NOT NULL").await, 0);
}

/// Another public player of somebody.
async fn publish_new(cup: &Cup, student: &str, name: &str) -> SubmissionId {
    let account = sqlx::query("SELECT id FROM accounts WHERE email = $1").bind(format!("{student}@x.edu"));
    let account = account.fetch_one(cup.database().read()).await.unwrap().try_get(0).unwrap();
    let id = cup.player(account, name, &crate::cup::module(name, 50)).await;
    publish(cup, name).await;
    id
}

async fn an_author_has_three_players_on_it(court: Court) {
    let cup = with_public(court, 2).await;
    for name in ["Second", "Third"] {
        publish_new(&cup, "student1", name).await;
    }
    climb(&cup).await;
    let mut one = signed_in(&cup, "student1").await;
    assert!(names(&cup, &mut one).await.contains(&"Player1".to_owned()));
    let fourth = publish_new(&cup, "student1", "Fourth").await;
    climb(&cup).await;
    let order = names(&cup, &mut one).await;
    assert!(!order.contains(&"Player1".to_owned()) && order.contains(&"Fourth".to_owned()), "{order:?}");
    let first = id_of(&cup, "Player1").await;
    assert!(one.get(&format!("/players/{first}")).await.has("three newer players"));
    // A crowd of one's own meets others only.
    let rows = sqlx::query(
        "SELECT s.match_id, p.account_id FROM seats s JOIN submissions p ON p.id = s.submission_id ORDER BY s.match_id",
    );
    let mut authors: BTreeMap<i64, HashSet<i64>> = BTreeMap::new();
    for row in rows.fetch_all(cup.database().read()).await.unwrap() {
        let is_new = authors.entry(row.try_get(0).unwrap()).or_default().insert(row.try_get(1).unwrap());
        assert!(is_new, "two players of one author in match {}", row.try_get::<i64, _>(0).unwrap());
    }
    sqlx::query("UPDATE submissions SET retired_at = 1 WHERE id = $1")
        .bind(fourth)
        .execute(cup.database().write())
        .await
        .unwrap();
    look(&cup).await;
    assert!(names(&cup, &mut one).await.contains(&"Player1".to_owned()), "there is room again");
}

async fn who_overruns_twice_is_barred_and_told(court: Court) {
    let cup = with_public(court, 5).await;
    look(&cup).await;
    let slow = environment(&cup, |players| match Seat::ALL.into_iter().find(|&seat| players[seat].name == "Player3") {
        Some(seat) => Err(Overran { seat, round: 0, allowed: Duration::from_secs(30) }.into()),
        None => Ok(()),
    });
    worker::until_idle(&slow).await;
    let (mut three, mut one) = (signed_in(&cup, "student3").await, signed_in(&cup, "student1").await);
    assert!(!names(&cup, &mut three).await.contains(&"Player3".to_owned()));
    assert_eq!(cup.count("SELECT overruns FROM contenders WHERE out_reason = 'overran'").await, 2);
    assert_eq!(cup.count("SELECT COUNT(*) FROM jobs WHERE state <> 'done'").await, 0, "the others went on to the end");
    let page = format!("/players/{}", id_of(&cup, "Player3").await);
    assert!(three.get(&page).await.has("It is barred from the ladder: in two matches it took far more CPU"));
    let shown = one.get(&page).await;
    assert!(shown.has("not on the ladder any more") && !shown.has("far more CPU"));
    // It does not come back by itself, also when everything else changes.
    publish_new(&cup, "student1", "Newcomer").await;
    climb(&cup).await;
    assert!(!names(&cup, &mut three).await.contains(&"Player3".to_owned()));
}

async fn who_is_lost_for_good_leaves(court: Court) {
    let cup = with_public(court, 4).await;
    let hash = sqlx::query("SELECT module FROM submissions WHERE name = 'Player2'").fetch_one(cup.database().read());
    let hash: String = hash.await.unwrap().try_get(0).unwrap();
    std::fs::remove_file(cup.court.file(&hash)).unwrap();
    climb(&cup).await;
    assert_eq!(cup.count("SELECT COUNT(*) FROM contenders WHERE out_reason = 'lost' AND name = 'Player2'").await, 1);
    assert_eq!(cup.count("SELECT COUNT(*) FROM losses WHERE state = 'lost'").await, 1);
    assert!(cup.count("SELECT played FROM ladders WHERE rests_since IS NOT NULL").await > 0);
}

/// A job of somebody that only has to be there.
async fn offer(cup: &Cup, queue: &Queue, number: i64, priority: Priority) {
    let work = Work {
        job: Play { id: MatchId(number) }.into(),
        account: ludus_judge::ids::AccountId(1),
        priority,
        batch: number,
    };
    let mut tx = cup.database().begin().await.unwrap();
    queue.offer(&mut tx, &work).await.unwrap();
    tx.commit().await.unwrap();
}

async fn everything_else_goes_first(court: Court) {
    let cup = with_public(court, 4).await;
    look(&cup).await;
    let health = cup.court.site.queue.health(&cup.court.site.store).await;
    assert_eq!(health.waiting, 0, "nobody waits for the ladder, however long it does");
    let queue = Queue::of_crew(cup.database().clone(), Queue::LEASE, Crew::unknown(2));
    for (number, priority) in [(1, Priority::Training), (2, Priority::Training), (3, Priority::Verification)] {
        offer(&cup, &queue, number, priority).await;
    }
    assert!(queue.has_better_work().await.unwrap());
    // All three are one person's, who has more than a fair share of the workers
    // after the first: that is no reason to play for the ladder.
    let mut held = Vec::new();
    for number in [3, 1, 2] {
        let lease = queue.take().await.unwrap().unwrap();
        assert_eq!(lease.job, Job::Play(Play { id: MatchId(number) }));
        held.push(lease);
    }
    assert!(queue.has_better_work().await.unwrap(), "both workers have something to do");
    assert!(queue.take_of_others().await.unwrap().is_none(), "no relief plays for the ladder");
    assert!(queue.take_better().await.unwrap().is_none());
    assert!(queue.take().await.unwrap().is_none(), "nor does a worker, beside somebody's verdict");
    let mut tx = cup.database().begin().await.unwrap();
    assert!(queue.finish(&mut tx, &held.remove(0)).await.unwrap());
    tx.commit().await.unwrap();
    let lease = queue.take().await.unwrap().unwrap();
    assert!(matches!(lease.job, Job::Climb(_)));
    drop(held);
    assert!(!queue.has_better_work().await.unwrap());
    assert!(queue.take().await.unwrap().is_none(), "a ladder is climbed by one worker");
}

async fn it_ends_as_soon_as_somebody_waits(court: Court) {
    let cup = with_public(court, 4).await;
    look(&cup).await;
    let runtime = tokio::runtime::Handle::current();
    let (cup, offered) = (Arc::new(cup), Arc::new(AtomicBool::new(false)));
    let beside = cup.clone();
    let busy = environment(&cup, move |_| {
        if !offered.swap(true, Ordering::Relaxed) {
            runtime.block_on(offer(&beside, &beside.court.site.queue, 77, Priority::Training));
        }
        Ok(())
    });
    assert_eq!(worker::turn(&busy).await, worker::Turn::Done);
    // The first match is played alone, because nobody knows how long one takes.
    assert_eq!(cup.count("SELECT COUNT(*) FROM matches WHERE purpose = 'ladder'").await, 1);
    let next = cup.court.site.queue.take().await.unwrap().unwrap();
    assert_eq!(next.job, Job::Play(Play { id: MatchId(77) }));
}

/// With one worker: while a match of the ladder goes on and on, a match of training
/// is asked for and played.
async fn nobody_waits_for_a_match_of_the_ladder(court: Court) {
    let cup = with_public(court, 4).await;
    look(&cup).await;
    let begun = Arc::new(tokio::sync::Notify::new());
    let over = Arc::new((Mutex::new(false), Condvar::new()));
    let (tell, wait) = (begun.clone(), over.clone());
    let slow = environment(&cup, move |players| {
        let (is_over, changed) = &*wait;
        if players.iter().filter(|player| player.name == "Dummy").count() > 1 {
            *is_over.lock().unwrap() = true;
            changed.notify_all();
        } else {
            tell.notify_one();
            drop(changed.wait_while(is_over.lock().unwrap(), |is_over| !*is_over).unwrap());
        }
        Ok(())
    });
    let stop = Stop::default();
    let mut workers = worker::start(&slow, 1, &stop);
    begun.notified().await;
    let mut one = signed_in(&cup, "student1").await;
    let fields = [("first", "Player1"), ("second", "Dummy"), ("third", "Dummy"), ("fourth", "Dummy")];
    let rest = [("seating", "fixed"), ("count", "1"), ("seed", "7")];
    let asked = one.post("/seasons/cup/train", &[&fields[..], &rest[..]].concat()).await;
    assert_eq!(asked.status, StatusCode::SEE_OTHER, "{}", asked.text);
    let trained = "SELECT COUNT(*) FROM matches WHERE purpose = 'training' AND played = 1";
    until("the ladder holds the worker", async || cup.count(trained).await > 0).await;
    stop.now();
    *over.0.lock().unwrap() = true;
    over.1.notify_all();
    while workers.join_next().await.is_some() {}
}

async fn a_match_tells_strangers_nothing_about_cpu(court: Court) {
    let cup = with_public(court, 5).await;
    climb(&cup).await;
    let id = sqlx::query(
        "SELECT s.match_id FROM seats s JOIN submissions p ON p.id = s.submission_id WHERE p.name = 'Player1' ORDER BY s.match_id DESC LIMIT 1",
    );
    let id: i64 = id.fetch_one(cup.database().read()).await.unwrap().try_get(0).unwrap();
    let mut pages = Vec::new();
    for who in ["student1", "student2"] {
        let mut browser = signed_in(&cup, who).await;
        pages.push(browser.get(&format!("/matches/{id}")).await.text.matches("12.3 %").count());
    }
    let mut eva = cup.court.visitor("eva", Role::Spectator).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    for browser in [&mut eva, &mut laia] {
        pages.push(browser.get(&format!("/matches/{id}")).await.text.matches("12.3 %").count());
    }
    let (own, other, nobody, all) = (pages[0], pages[1], pages[2], pages[3]);
    assert!(own == 1 && other <= 1 && nobody == 0 && all >= 1, "{pages:?}");
    let page = format!("/players/{}", id_of(&cup, "Player1").await);
    for (who, is_told) in [("student1", true), ("student2", false)] {
        assert_eq!(signed_in(&cup, who).await.get(&page).await.has("12.3 % in the mean"), is_told, "{who}");
    }
    let shown = cup.court.browser().get(&format!("/matches/{id}")).await;
    assert!(shown.status == StatusCode::OK && !shown.has("12.3 %"), "{}", shown.text);
}
