//! Where work is handed out: order, fairness, leases, retries.

use ludus_judge::database::Tx;
use ludus_judge::queue::{Dispatch, Kind, Lease, Priority, Queue, Work};

use crate::harness::Court;
use crate::on_both;
use ludus_judge::accounts::Role;

on_both!(
    priorities_come_first,
    nobody_starves_another,
    a_lease_runs_out,
    what_fails_is_tried_again_and_then_parked,
    two_workers_never_share
);

fn work(subject: i64, account: i64, priority: Priority) -> Work {
    Work { kind: Kind::Compile, subject, account, priority, batch: subject }
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
    let order = [Priority::Ladder, Priority::Training, Priority::Verification, Priority::Official];
    let works: Vec<Work> = order.iter().enumerate().map(|(k, priority)| work(k as i64, k as i64, *priority)).collect();
    offer(&court, &works).await;
    offer(&court, &works).await;
    for expected in [3, 2, 1, 0] {
        assert_eq!(take(&court.site.queue).await.unwrap().subject, expected);
    }
    assert!(take(&court.site.queue).await.is_none(), "what is offered twice is done once");
}

async fn nobody_starves_another(court: Court) {
    let flood: Vec<Work> = (0..100).map(|k| work(k, 1, Priority::Verification)).collect();
    offer(&court, &flood).await;
    assert_eq!(take(&court.site.queue).await.unwrap().subject, 0);
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
        next.push(lease.subject);
        finish(&court, &lease).await;
    }
    assert!(next[..2].contains(&500) && next[..2].contains(&600), "{next:?}");
    assert!(next.contains(&501), "{next:?}");
}

async fn a_lease_runs_out(court: Court) {
    offer(&court, &[work(1, 1, Priority::Verification)]).await;
    let first = take(&court.site.queue).await.unwrap();
    assert!(court.site.queue.extend(&first).await.unwrap());
    assert!(take(&court.site.queue).await.is_none());
    sqlx::query("UPDATE jobs SET lease_until = 0").execute(court.site.database.write()).await.unwrap();
    let second = take(&court.site.queue).await.unwrap();
    assert!(!court.site.queue.extend(&first).await.unwrap(), "the first worker has lost it");
    assert!(!finish(&court, &first).await);
    assert!(finish(&court, &second).await);
    assert!(!finish(&court, &second).await, "and it is done once");
    assert!(take(&court.site.queue).await.is_none());
}

async fn what_fails_is_tried_again_and_then_parked(court: Court) {
    let account = court.add_person("pau", Role::Student).await;
    offer(&court, &[work(1, account, Priority::Verification)]).await;
    for failures in 0..5 {
        sqlx::query("UPDATE jobs SET not_before = 0").execute(court.site.database.write()).await.unwrap();
        let lease = take(&court.site.queue).await.unwrap();
        assert_eq!(lease.failures, failures);
        court.site.queue.fail(&lease, "the disk is full").await.unwrap();
    }
    sqlx::query("UPDATE jobs SET not_before = 0").execute(court.site.database.write()).await.unwrap();
    assert!(take(&court.site.queue).await.is_none(), "it waits for an instructor");
    let mut laia = court.visitor("laia", Role::Instructor).await;
    assert!(laia.get("/workshop").await.has("the disk is full"));
    laia.post("/workshop/1/retry", &[]).await;
    assert_eq!(take(&court.site.queue).await.unwrap().subject, 1);
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
                    taken.push(lease.subject);
                }
                taken
            })
        })
        .collect();
    let mut all = Vec::new();
    for taker in takers {
        all.extend(taker.await.unwrap());
    }
    all.sort_unstable();
    assert_eq!(all, (0..40).collect::<Vec<i64>>());
}
