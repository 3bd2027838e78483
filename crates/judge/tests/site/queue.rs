//! Where work is handed out: order, fairness, leases, retries.

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use ludus_judge::database::{Tx, now};
use ludus_judge::ids::{AccountId, SubmissionId};
use ludus_judge::jobs::Compile;
use ludus_judge::official::NOBODY;
use ludus_judge::queue::{Blame, Crew, Dispatch, Lease, Priority, Queue, Work};

use crate::harness::Court;
use crate::on_both;
use ludus_judge::accounts::Role;

on_both!(
    the_workshop_names_players_and_tells_what_was_done,
    priorities_come_first,
    a_long_ladder_lets_comparisons_through,
    nobody_starves_another,
    a_lease_runs_out,
    what_fails_is_tried_again_and_then_parked,
    what_does_not_end_is_tried_three_times,
    what_is_let_go_is_nobodys_fault,
    the_work_of_a_dead_process_is_free_at_once,
    trouble_of_the_machine_uses_up_no_tries,
    a_job_that_kills_is_tried_three_times,
    everything_is_tried_again_with_one_button,
    one_person_has_at_most_half_the_workers,
    official_work_leaves_half_the_workers_to_verdicts,
    a_single_worker_takes_official_work_by_turns,
    a_relief_does_the_jobs_of_others,
    a_slow_official_match_holds_up_no_other,
    two_workers_never_share
);

fn work(subject: i64, account: i64, priority: Priority) -> Work {
    let job = Compile { submission: SubmissionId(subject) }.into();
    Work { job, account: AccountId(account), priority, batch: subject }
}

async fn offer(court: &Court, works: &[Work]) {
    let mut tx: Tx = court.site.database.begin().await.unwrap();
    for work in works {
        court.site.queue.offer(&mut tx, work).await.unwrap();
    }
    tx.commit().await.unwrap();
}

async fn take(queue: &Queue) -> Option<Lease> {
    queue.take().await.unwrap()
}

async fn finish(court: &Court, lease: &Lease) -> bool {
    let mut tx = court.site.database.begin().await.unwrap();
    let done = court.site.queue.finish(&mut tx, lease).await.unwrap();
    tx.commit().await.unwrap();
    done
}

async fn priorities_come_first(court: Court) {
    let order =
        [Priority::Comparison, Priority::Ladder, Priority::Training, Priority::Verification, Priority::Official];
    let works: Vec<Work> = order.iter().enumerate().map(|(k, priority)| work(k as i64, k as i64, *priority)).collect();
    offer(&court, &works).await;
    offer(&court, &works).await;
    // What is idle would not be begun beside a verdict that is under way.
    for expected in [4, 3, 2, 1, 0] {
        let lease = take(&court.site.queue).await.unwrap();
        assert_eq!(lease.job.subject(), expected);
        assert!(finish(&court, &lease).await);
    }
    assert!(take(&court.site.queue).await.is_none(), "what is offered twice is done once");
}

async fn a_long_ladder_lets_comparisons_through(court: Court) {
    let [ladder, comparison] = [Priority::Ladder, Priority::Comparison];
    offer(&court, &[work(1, 1, ladder), work(2, 2, ladder), work(3, 3, comparison), work(4, 3, comparison)]).await;
    let mut order = Vec::new();
    for _ in 0..4 {
        let lease = take(&court.site.queue).await.unwrap();
        order.push(lease.job.subject());
        finish(&court, &lease).await;
    }
    assert_eq!(order, [1, 3, 2, 4]);
}

async fn nobody_starves_another(court: Court) {
    let flood: Vec<Work> = (0..100).map(|k| work(k, 1, Priority::Verification)).collect();
    offer(&court, &flood).await;
    let first = take(&court.site.queue).await.unwrap();
    assert_eq!(first.job.subject(), 0);
    offer(
        &court,
        &[
            work(500, 2, Priority::Verification),
            work(501, 2, Priority::Verification),
            work(600, 3, Priority::Verification),
        ],
    )
    .await;
    let mut next = Vec::new();
    for _ in 0..4 {
        let lease = take(&court.site.queue).await.unwrap();
        next.push(lease.job.subject());
        finish(&court, &lease).await;
    }
    assert!(next[..2].contains(&500) && next[..2].contains(&600), "{next:?}");
    assert!(next.contains(&501), "{next:?}");
}

/// Another process, which waits for nobody.
fn impatient(court: &Court) -> Queue {
    Queue::new(court.site.database.clone(), Duration::ZERO)
}

async fn a_lease_runs_out(court: Court) {
    offer(&court, &[work(1, 1, Priority::Verification)]).await;
    let first = take(&court.site.queue).await.unwrap();
    assert!(court.site.queue.extend(&first).await.unwrap());
    assert!(take(&court.site.queue).await.is_none());
    let second = take(&impatient(&court)).await.unwrap();
    assert!(second.is_suspect, "nobody knows why the first was silent");
    assert!(!court.site.queue.extend(&first).await.unwrap(), "the first worker has lost it");
    assert!(!finish(&court, &first).await);
    assert!(finish(&court, &second).await);
    assert!(!finish(&court, &second).await, "and it is done once");
    assert!(take(&court.site.queue).await.is_none());
}

/// What the queue finds within a few looks.
async fn taken_soon(queue: &Queue) -> Lease {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(lease) = take(queue).await {
            return lease;
        }
        assert!(Instant::now() < deadline, "nobody finds the job");
        queue.wait().await;
    }
}

async fn what_is_let_go_is_nobodys_fault(court: Court) {
    offer(&court, &[work(1, 1, Priority::Verification)]).await;
    let queue = Queue::of_crew(court.site.database.clone(), Queue::LEASE, Crew::unknown(1));
    for _ in 0..3 {
        // The worker is stopped in the middle; the next look finds what it had.
        drop(taken_soon(&queue).await);
    }
    let lease = taken_soon(&queue).await;
    assert!(!lease.is_suspect);
    queue.sign_off().await.unwrap();
    assert!(!finish(&court, &lease).await, "it was given back");
    assert!(!take(&court.site.queue).await.unwrap().is_suspect);
}

async fn the_work_of_a_dead_process_is_free_at_once(court: Court) {
    let folder = crate::harness::folder();
    offer(&court, &[work(1, 1, Priority::Verification), work(2, 2, Priority::Verification)]).await;
    let (dead, living) = (take(&court.site.queue).await.unwrap(), take(&court.site.queue).await.unwrap());
    // What a process leaves behind that was killed: its file, without the lock.
    std::fs::write(folder.path().join("killed.crew"), "").unwrap();
    sqlx::query("UPDATE jobs SET crew = 'killed' WHERE id = $1")
        .bind(dead.id)
        .execute(court.site.database.write())
        .await
        .unwrap();
    let crew = Crew::enlist(folder.path(), 1).unwrap();
    let queue = Queue::of_crew(court.site.database.clone(), Queue::LEASE, crew);
    let again = take(&queue).await.unwrap();
    assert_eq!(again.id, dead.id);
    assert!(again.is_suspect && take(&queue).await.is_none());
    assert!(finish(&court, &living).await, "the other was left alone");
}

async fn wake_all(court: &Court) {
    sqlx::query("UPDATE jobs SET not_before = 0").execute(court.site.database.write()).await.unwrap();
}

async fn what_fails_is_tried_again_and_then_parked(court: Court) {
    let account = court.add_person("pau", Role::Student).await;
    offer(&court, &[work(1, account.0, Priority::Verification)]).await;
    let mut waits = Vec::new();
    for failures in 0..7 {
        wake_all(&court).await;
        let lease = take(&court.site.queue).await.unwrap();
        assert_eq!(lease.failures, failures);
        let before = now();
        court.site.queue.fail(&lease, "no such thing", Blame::Job).await.unwrap();
        assert!(take(&court.site.queue).await.is_none(), "it waits a while");
        let due = sqlx::query_scalar::<_, i64>("SELECT not_before FROM jobs WHERE state = 'waiting'");
        let due = due.fetch_optional(court.site.database.read()).await.unwrap();
        waits.extend(due.map(|due| (due - before) / 1000));
    }
    assert!(waits.is_sorted() && waits[0] <= 6 && waits[5] >= 3 * 3600 - 60, "from seconds to hours: {waits:?}");
    wake_all(&court).await;
    assert!(take(&court.site.queue).await.is_none(), "it waits for an instructor");
    let mut laia = court.visitor("laia", Role::Instructor).await;
    assert!(laia.get("/workshop").await.has("no such thing"));
    laia.post("/workshop/1/retry", &[]).await;
    laia.post("/workshop/99/retry", &[]).await;
    let log = laia.get("/actions?action=try-again").await;
    assert!(log.has("class=\"count\">1<") && log.has("#1") && log.has("laia"), "{}", log.text);
    assert_eq!(take(&court.site.queue).await.unwrap().job.subject(), 1);
}

async fn what_does_not_end_is_tried_three_times(court: Court) {
    offer(&court, &[work(1, 1, Priority::Verification)]).await;
    let mut waits = Vec::new();
    for _ in 0..3 {
        wake_all(&court).await;
        let lease = take(&court.site.queue).await.unwrap();
        court.site.queue.fail(&lease, "a match took longer than 960 s", Blame::Length).await.unwrap();
        let delay = sqlx::query_scalar::<_, i64>("SELECT delay FROM jobs WHERE state = 'waiting'");
        waits.extend(delay.fetch_optional(court.site.database.read()).await.unwrap());
    }
    assert_eq!(waits, [900_000, 3_600_000], "others go first, for as long as it took");
    wake_all(&court).await;
    assert!(take(&court.site.queue).await.is_none(), "it waits for an instructor");
}

async fn trouble_of_the_machine_uses_up_no_tries(court: Court) {
    offer(&court, &[work(1, 1, Priority::Verification)]).await;
    for _ in 0..30 {
        let lease = take(&court.site.queue).await.unwrap();
        assert_eq!(lease.failures, 0);
        court.site.queue.fail(&lease, "the disk is full", Blame::Machine).await.unwrap();
    }
    for _ in 0..30 {
        let lease = take(&court.site.queue).await.unwrap();
        assert_eq!(lease.failures, 0);
        court.site.queue.fail(&lease, "the disk was full", Blame::Moment).await.unwrap();
        assert!(take(&court.site.queue).await.is_none(), "it waits a while");
        wake_all(&court).await;
    }
}

async fn a_job_that_kills_is_tried_three_times(court: Court) {
    let account = court.add_person("pau", Role::Student).await;
    offer(&court, &[work(1, account.0, Priority::Verification), work(2, account.0, Priority::Verification)]).await;
    let innocent = take(&court.site.queue).await.unwrap();
    let killer = take(&court.site.queue).await.unwrap();
    assert!(!killer.is_suspect && !innocent.is_suspect);
    // The process dies; nobody knows which of the two it was.
    let others = impatient(&court);
    let again = take(&others).await.unwrap();
    assert!(again.is_suspect && finish(&court, &again).await, "the innocent is done by itself");
    for tries in 1..=2 {
        wake_all(&court).await;
        let lease = take(&others).await.unwrap();
        assert!(lease.is_suspect, "try {tries}");
        others.fail_deadly(&lease, "died by signal 9").await.unwrap();
    }
    wake_all(&court).await;
    assert!(take(&others).await.is_none(), "three tries are enough");
    let mut laia = court.visitor("laia", Role::Instructor).await;
    assert!(laia.get("/workshop").await.has("Whoever works on this dies"));
}

async fn everything_is_tried_again_with_one_button(court: Court) {
    let account = court.add_person("pau", Role::Student).await;
    let works: Vec<Work> = (1..=30).map(|k| work(k, account.0, Priority::Verification)).collect();
    offer(&court, &works).await;
    for _ in 0..3 {
        let lease = take(&court.site.queue).await.unwrap();
        court.site.queue.fail(&lease, "no such thing", Blame::Job).await.unwrap();
    }
    sqlx::query("UPDATE jobs SET state = 'parked' WHERE id > 10").execute(court.site.database.write()).await.unwrap();
    let mut pau = court.visitor("ana", Role::Student).await;
    assert_eq!(pau.post("/workshop/retry", &[]).await.status, StatusCode::FORBIDDEN);
    let mut laia = court.visitor("laia", Role::Instructor).await;
    assert!(laia.get("/workshop").await.has("Try all again"));
    assert_eq!(laia.post("/workshop/retry", &[]).await.location, "/workshop?said=retried");
    let log = laia.get("/actions?action=try-all-again").await;
    assert!(log.has("class=\"count\">1<") && log.has("laia"), "{}", log.text);
    assert!(!laia.get("/workshop").await.has("Try all again"), "there is nothing to try again");
    let mut taken = 0;
    let mut leases = Vec::new();
    while let Some(lease) = take(&court.site.queue).await {
        leases.push(lease);
        taken += 1;
    }
    assert_eq!(taken, 30);
}

async fn one_person_has_at_most_half_the_workers(court: Court) {
    let queue = Queue::of_crew(court.site.database.clone(), Queue::LEASE, Crew::unknown(4));
    let flood: Vec<Work> = (0..10).map(|k| Work { batch: 1, ..work(k, 1, Priority::Verification) }).collect();
    offer(&court, &flood).await;
    offer(&court, &[work(50, 2, Priority::Verification), work(51, 3, Priority::Verification)]).await;
    let mut leases = Vec::new();
    for _ in 0..4 {
        leases.push(take(&queue).await.unwrap());
    }
    let subjects: Vec<i64> = leases.iter().map(|lease| lease.job.subject()).collect();
    assert_eq!(subjects, [0, 1, 50, 51], "half for one, the rest for the others");
    assert!(take(&queue).await.is_some(), "but nobody is idle while there is work");
}

async fn a_relief_does_the_jobs_of_others(court: Court) {
    let queue = Queue::new(court.site.database.clone(), Queue::LEASE);
    let (one, two) = (1, 2);
    let works = [work(1, one, Priority::Verification), work(2, one, Priority::Verification)];
    offer(&court, &works).await;
    let slow = take(&queue).await.unwrap();
    assert!(queue.take_of_others().await.unwrap().is_none(), "all that waits is of whoever holds a worker");
    offer(&court, &[work(3, two, Priority::Verification), work(4, two, Priority::Verification)]).await;
    let relief = queue.take_of_others().await.unwrap().unwrap();
    assert_eq!(relief.job.subject(), 3);
    assert!(queue.take_of_others().await.unwrap().is_none(), "one of each at a time");
    drop((slow, relief));
}

async fn two_workers_never_share(court: Court) {
    let works: Vec<Work> = (0..40).map(|k| work(k, k % 5, Priority::Verification)).collect();
    offer(&court, &works).await;
    let takers: Vec<_> = (0..4)
        .map(|_| {
            let queue = court.site.queue.clone();
            tokio::spawn(async move {
                let mut taken = Vec::new();
                while let Some(lease) = take(&queue).await {
                    taken.push(lease);
                }
                taken
            })
        })
        .collect();
    let mut all = Vec::new();
    for taker in takers {
        all.extend(taker.await.unwrap());
    }
    let mut all: Vec<i64> = all.iter().map(|lease: &Lease| lease.job.subject()).collect();
    all.sort_unstable();
    assert_eq!(all, (0..40).collect::<Vec<i64>>());
}

async fn official_work_leaves_half_the_workers_to_verdicts(court: Court) {
    let mut works: Vec<Work> = (0..100).map(|k| work(k, NOBODY.0, Priority::Official)).collect();
    works.push(work(500, 7, Priority::Verification));
    works.push(work(600, 8, Priority::Training));
    offer(&court, &works).await;
    let queue = Queue::of_crew(court.site.database.clone(), Queue::LEASE, Crew::unknown(4));
    let mut taken = Vec::new();
    for _ in 0..5 {
        taken.push(take(&queue).await.unwrap());
    }
    let subjects: Vec<i64> = taken.iter().map(|lease| lease.job.subject()).collect();
    assert_eq!(subjects, [0, 1, 500, 2, 3], "what is not for a verdict waits until nothing official does");
    // Where nobody waits for a verdict, all workers play the round.
    drop(taken);
}

async fn a_single_worker_takes_official_work_by_turns(court: Court) {
    let official = (0..10).map(|k| work(k, NOBODY.0, Priority::Official));
    let verdicts = (0..3).map(|k| work(100 + k, k, Priority::Verification));
    offer(&court, &official.chain(verdicts).collect::<Vec<_>>()).await;
    let mut subjects = Vec::new();
    for _ in 0..8 {
        let lease = take(&court.site.queue).await.unwrap();
        subjects.push(lease.job.subject());
        assert!(finish(&court, &lease).await);
    }
    assert_eq!(subjects, [0, 100, 1, 101, 2, 102, 3, 4]);
}

async fn a_slow_official_match_holds_up_no_other(court: Court) {
    let works: Vec<Work> = (0..3).map(|k| work(k, NOBODY.0, Priority::Official)).collect();
    offer(&court, &works).await;
    let slow = take(&court.site.queue).await.unwrap();
    assert_eq!(slow.job.subject(), 0);
    let beside = court.site.queue.take_of_others().await.unwrap().unwrap();
    assert_eq!(beside.job.subject(), 1);
    assert!(court.site.queue.take_of_others().await.unwrap().is_none(), "but not all of them beside it");
    drop(beside);
}

async fn the_workshop_names_players_and_tells_what_was_done(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let mut pau = court.visitor("pau", Role::Student).await;
    pau.submit("open", "#define PLAYER_NAME Formiga\n").await;
    let page = laia.get("/workshop").await;
    assert!(page.has("data-poll=\"/workshop/table?state=&amp;page=1\"") && page.has("Formiga"), "{}", page.text);
    assert!(!page.has("Done lately"));
    sqlx::query("UPDATE jobs SET state = 'done', finished_at = 1").execute(court.site.database.write()).await.unwrap();
    sqlx::query("INSERT INTO crews (name, workers, taken) VALUES ('other', 3, 41)")
        .execute(court.site.database.write())
        .await
        .unwrap();
    let part = laia.get("/workshop/table").await;
    assert!(part.has("Done lately") && part.has("Formiga") && part.has("jobs taken: 41"), "{}", part.text);
    assert!(part.has("Nothing to do") && !part.has("<html"), "{}", part.text);
    assert_eq!(pau.get("/workshop/table").await.status, StatusCode::FORBIDDEN);
}
