//! How a submission comes to its verdict.
//!
//! A file is compiled; then four copies of the player meet, and none may fail;
//! then it meets three Dummies in each seat, and must have the best score,
//! alone, in all four matches. Everything here is part of the transaction that
//! ends a job (see `jobs`).

use anyhow::Result;
use ludus_games::Seat;

use crate::database::Tx;
use crate::jobs::Play;
use crate::matches::{self, Match, Place, Planned, Played, Purpose};
use crate::playroom::Overran;
use crate::queue::{Dispatch as _, Priority, Queue, Work};
use crate::submissions::{self, Reason, Submission};
use crate::workshop::Compiled;

/// The player to be beaten.
const DUMMY: &str = "Dummy";

/// Matches of a verification: the copies, then one per seat.
pub const MATCHES: i64 = 1 + Seat::COUNT as i64;

/// After the compiler: a verdict, or the match of four copies.
pub async fn compiled(tx: &mut Tx, queue: &Queue, submission: &Submission, compiled: Compiled) -> Result<()> {
    let (hash, bytes) = match compiled {
        Compiled::Module { hash, bytes } => (hash, bytes),
        Compiled::Rejected(reason, detail) => {
            return submissions::decide(tx, submission.id, Some((reason, &detail))).await;
        }
    };
    if let Some(reason) = submissions::obstacle(tx, submission).await? {
        return submissions::decide(tx, submission.id, Some((reason, ""))).await;
    }
    submissions::set_module(tx, submission.id, &hash, bytes).await?;
    offer_match(tx, queue, submission, 0).await
}

pub async fn hold(tx: &mut Tx, found: &Match) -> Result<()> {
    match found.submission {
        Some(submission) => submissions::hold(tx, submission).await,
        None => Ok(()),
    }
}

/// After a match: the next ones, or the verdict when it is due.
pub async fn played(tx: &mut Tx, queue: &Queue, found: &Match, played: &Played) -> Result<()> {
    let Some(id) = found.submission else { return Ok(()) };
    let submission = submissions::in_transaction(tx, id).await?;
    if found.step == Some(0) {
        if played.seats.iter().any(|seat| seat.fault.is_some()) {
            return submissions::decide(tx, id, Some((Reason::Fault, &found.id.to_string()))).await;
        }
        for step in 1..MATCHES {
            offer_match(tx, queue, &submission, step).await?;
        }
        return Ok(());
    }
    let all = matches::of_submission_in(tx, id).await?;
    if all.iter().filter(|one| one.played).count() as i64 == MATCHES {
        judge(tx, &submission, &all).await?;
    }
    Ok(())
}

/// The player that is verified is rejected for taking too long. Where another
/// did, which was verified before, the match is tried again.
pub async fn overran(tx: &mut Tx, found: &Match, overran: Overran) -> Result<bool> {
    let Overran { seat, allowed } = overran;
    let culprit = found.seats.get(seat.index()).and_then(|seat| seat.submission);
    let Some(id) = found.submission.filter(|&id| culprit == Some(id)) else { return Ok(false) };
    submissions::hold(tx, id).await?;
    let detail = format!("{} {} {}", found.id, seat.index() + 1, allowed.as_secs());
    submissions::decide(tx, id, Some((Reason::Overtime, &detail))).await?;
    Ok(true)
}

/// The verdict after the last match.
async fn judge(tx: &mut Tx, submission: &Submission, all: &[Match]) -> Result<()> {
    let lost = all.iter().find(|one| one.step.is_some_and(|step| step > 0 && !one.is_won_by(step - 1)));
    let verdict = match lost {
        Some(lost) => Some((Reason::NotWon, lost.id.to_string())),
        None => submissions::obstacle(tx, submission).await?.map(|reason| (reason, String::new())),
    };
    submissions::decide(tx, submission.id, verdict.as_ref().map(|(reason, detail)| (*reason, detail.as_str()))).await
}

/// Plans the match of a step: zero is the match of four copies, the others put
/// the player into one seat among Dummies.
async fn offer_match(tx: &mut Tx, queue: &Queue, submission: &Submission, step: i64) -> Result<()> {
    let places = std::array::from_fn(|seat| {
        let own = step == 0 || seat as i64 == step - 1;
        Place {
            name: if own { submission.name.clone() } else { DUMMY.to_owned() },
            submission: own.then_some(submission.id),
        }
    });
    let planned = Planned {
        season: submission.season_id,
        purpose: Purpose::Verification,
        verifies: Some((submission.id, step)),
        seed: submission.seed + step,
        places,
    };
    let id = matches::plan(tx, &planned).await?;
    let work = Work {
        job: Play { id }.into(),
        account: submission.account_id,
        priority: Priority::Verification,
        batch: submission.id,
    };
    queue.offer(tx, &work).await
}
