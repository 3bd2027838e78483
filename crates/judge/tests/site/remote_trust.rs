//! Whom the judge believes: what is played twice, played again, and given to whom.

use std::process::Command;

use ludus_judge::jobs::Machines as _;
use ludus_judge::matches::{self, Purpose};
use ludus_judge::remote::fleet::{Needs, NoSecond, NobodyThere};
use ludus_judge::remote::machines::{RemoteMachines, Shares};
use ludus_judge::remote::trust;
use ludus_judge::trouble::Trouble;
use ludus_judge::worker;

use crate::broker::{Hand, gone, hire, present};
use crate::fleet_trial::start;
use crate::remote::{ALWAYS, Liar, NEVER, Trial, essence, local_machine, plan, said};

/// A lie that nobody looked at is found when its worker lies again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_liar_told_before_is_played_again() {
    let trial = Trial::new(1, 1).await;
    let court = &trial.court;
    let liar = Liar::join(&trial.broker, &trial.liars[0]).await;
    present(&trial.fleet, 1).await;
    let environment = court.environment_with(trial.machines(NEVER));
    let id = plan(&trial, "Dummy", 7).await;
    let turn = tokio::spawn({
        let environment = environment.clone();
        async move { worker::turn(&environment).await }
    });
    let (errand, orders) = liar.next().await;
    let mut played = liar.played(&orders).await;
    played[0].seats[1].output = b"believe me".to_vec();
    liar.answer(&errand, [0, 1], &said(played)).await;
    turn.await.unwrap();
    let output = |found: &matches::Match| found.seats[1].output.clone();
    let told = matches::find(&court.site.database, id).await.unwrap().unwrap();
    assert!(output(&told).is_some(), "it was believed");
    assert_eq!(trust::unconfirmed(&court.site.database).await.unwrap(), 1);

    // The season is another by now, the match is not.
    let shorter = trial.season.config.replace("nb_rounds 300", "nb_rounds 100");
    assert_ne!(shorter, trial.season.config);
    let change = sqlx::query("UPDATE seasons SET config = $1, match_ms = 7, memory_mib = 64 WHERE id = $2");
    change.bind(shorter).bind(trial.season.id).execute(court.site.database.write()).await.unwrap();
    trial.fleet.lied(liar.id, &ludus_judge::remote::check::Lie::Rubbish).await;
    let _honest = hire(&trial.broker, &trial.honest[0]);
    gone(&trial.fleet, liar.id).await;
    present(&trial.fleet, 1).await;
    assert_eq!(trust::sweep(&court.site.database, &court.site.queue).await.unwrap(), 1);
    assert_eq!(trust::sweep(&court.site.database, &court.site.queue).await.unwrap(), 0, "once");
    worker::until_idle(&environment).await;
    let found = matches::find(&court.site.database, id).await.unwrap().unwrap();
    assert_eq!((output(&found), found.replay.clone()), (None, told.replay), "only the lie is gone");
    assert_eq!(trust::unconfirmed(&court.site.database).await.unwrap(), 0, "two have played it");
}

/// One worker alone is not believed about official matches: the judge plays them
/// itself, or they wait.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_single_worker_is_not_believed_about_official_matches() {
    let trial = Trial::new(1, 1).await;
    let official = |machines: RemoteMachines| machines.meant_for(Purpose::Official).unwrap();
    let machines = RemoteMachines::clone(&trial.machines(Shares::default()));
    let honest = hire(&trial.broker, &trial.honest[0]);
    present(&trial.fleet, 1).await;
    let error = trial.play(official(machines.clone()), 20).await.unwrap().unwrap_err();
    assert!(error.is::<NoSecond>() && Trouble::of(&error) == Some(Trouble::Workers), "{error:#}");
    let checked = machines.checked_by(Some(local_machine().playroom().clone()));
    let played = trial.play(official(checked.clone()), 21).await.unwrap().unwrap();
    assert_eq!(essence(&played), essence(&trial.truth(21)));
    assert_eq!(trust::unconfirmed(&trial.court.site.database).await.unwrap(), 0, "the judge has confirmed it");
    drop(honest);
    gone(&trial.fleet, trial.honest[0].worker).await;

    let liar = Liar::join(&trial.broker, &trial.liars[0]).await;
    present(&trial.fleet, 1).await;
    let playing = trial.play(official(checked), 22);
    let (errand, orders) = liar.next().await;
    let mut played = liar.played(&orders).await;
    played[0].seats[0].output.extend_from_slice(b"believe me");
    liar.answer(&errand, [0, 1], &said(played)).await;
    assert_eq!(essence(&playing.await.unwrap().unwrap()), essence(&trial.truth(22)));
    let why = trial.suspended(liar.id).await.unwrap();
    assert!(why.contains("the judge itself"), "{why}");
}

/// Volunteers carry training and the ladder, never what counts; and who checks one
/// is somebody else's machine.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn volunteers_get_what_does_not_count_and_are_checked_by_others() {
    let trial = Trial::volunteers(&[1, 1, 2]).await;
    let open = Needs::default();
    let _all: Vec<Hand> = trial.honest.iter().map(|token| hire(&trial.broker, token)).collect();
    present(&trial.fleet, 3).await;
    let of_first = Needs { not: vec![trial.honest[0].worker], not_of: vec![trial.people[0]], ..Needs::default() };
    assert_eq!((trial.fleet.able(&open), trial.fleet.able(&of_first)), (3, 1), "those of the same person do not count");
    for counts in [Purpose::Official, Purpose::Verification] {
        let machines = trial.machines(ALWAYS).meant_for(counts).unwrap();
        let error = trial.play(machines, 30).await.unwrap().unwrap_err();
        assert!(error.is::<NobodyThere>(), "{counts:?}: {error:#}");
    }
    for open in [Purpose::Training, Purpose::Ladder] {
        let played = trial.play(trial.machines(ALWAYS).meant_for(open).unwrap(), 31).await.unwrap().unwrap();
        assert_eq!(essence(&played), essence(&trial.truth(31)));
    }
    assert_eq!(trust::unconfirmed(&trial.court.site.database).await.unwrap(), 0);
}

/// A worker that is told to stop finishes what it has begun, and ends.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_is_told_to_stop_finishes_what_it_has() {
    let trial = Trial::new(0, 2).await;
    let mut worker = start(&trial, 0, &trial.honest[0]);
    present(&trial.fleet, 1).await;
    let playing: Vec<_> = (40..44).map(|seed| trial.play(trial.machines(NEVER), seed)).collect();
    while trial.fleet.paces().iter().all(|(.., orders)| *orders == 0) {
        trial.fleet.wait().await;
    }
    // What it has not begun by then is done by another.
    let _other = hire(&trial.broker, &trial.honest[1]);
    present(&trial.fleet, 2).await;
    let told = Command::new("kill").args(["-TERM", &worker.id().to_string()]).status().unwrap();
    assert!(told.success());
    gone(&trial.fleet, trial.honest[0].worker).await;
    assert!(worker.wait().unwrap().success(), "it ends by itself");
    for (one, seed) in playing.into_iter().zip(40..) {
        assert_eq!(essence(&one.await.unwrap().unwrap()), essence(&trial.truth(seed)));
    }
    assert_eq!(trial.suspended(trial.honest[0].worker).await, None);
}
