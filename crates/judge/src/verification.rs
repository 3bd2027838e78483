//! How a submission comes to its verdict.
//!
//! A file is compiled; then four copies of the player meet, and none may fail;
//! then it meets three of the game's reserve players in each seat, and must have the best score,
//! alone, in all four matches. Everything here is part of the transaction that
//! ends a job (see `jobs`).

use anyhow::Result;
use ludus_games::Seat;

use crate::database::Tx;
use crate::jobs::Play;
use crate::local_machine::Compiled;
use crate::matches::{self, Match, Place, Planned, Played, Purpose, Step};
use crate::playroom::Overran;
use crate::queue::{Dispatch as _, Priority, Queue, Work};
use crate::submissions::{self, Reason, Submission, Verdict};
use crate::{likeness, seasons};

/// After the compiler: a verdict, or the match of four copies.
pub async fn compiled(tx: &mut Tx, queue: &Queue, submission: &Submission, compiled: Compiled) -> Result<()> {
    let (hash, bytes) = match compiled {
        Compiled::Module { hash, bytes } => (hash, bytes),
        Compiled::Rejected(reason) => return reject(tx, submission, reason).await,
    };
    if let Some(reason) = submissions::obstacle(tx, submission).await? {
        return reject(tx, submission, reason).await;
    }
    submissions::set_module(tx, submission.id, &hash, bytes).await?;
    offer_matches(tx, queue, submission, [Step::Copies]).await
}

async fn reject(tx: &mut Tx, submission: &Submission, reason: Reason) -> Result<()> {
    submissions::decide(tx, submission.id, &Verdict::Rejected(reason)).await
}

/// Lets matches that end together be counted one after the other.
pub async fn hold(tx: &mut Tx, found: &Match) -> Result<()> {
    match found.verifies {
        Some((submission, _)) => submissions::hold(tx, submission).await,
        None => Ok(()),
    }
}

/// After a match: the next ones, or the verdict when it is due.
pub async fn played(tx: &mut Tx, queue: &Queue, found: &Match, played: &Played) -> Result<()> {
    let Some((submission, step)) = found.verifies else { return Ok(()) };
    let Some(submission) = submissions::find(&mut *tx, submission).await? else { return Ok(()) };
    if step == Step::Copies {
        if played.seats.iter().any(|seat| seat.fault.is_some()) {
            return reject(tx, &submission, Reason::Fault(found.id)).await;
        }
        return offer_matches(tx, queue, &submission, Step::seats()).await;
    }
    let all = matches::of_submission(&mut *tx, submission.id).await?;
    if all.iter().filter(|one| one.played).count() < Step::all().count() {
        return Ok(());
    }
    let verdict = verdict(tx, &submission, &all).await?;
    submissions::decide(tx, submission.id, &verdict).await?;
    // An example that somebody handed in says nothing about anybody.
    if verdict == Verdict::Accepted && submission.example.is_none() {
        likeness::offer(tx, queue, submission.id).await?;
    }
    Ok(())
}

/// After a match that went otherwise than was told: the verdict is given anew,
/// unless others have acted on it since.
pub async fn corrected(tx: &mut Tx, queue: &Queue, found: &Match, result: &Played) -> Result<()> {
    let Some((submission, _)) = found.verifies else { return Ok(()) };
    if submissions::reopen(tx, submission).await? { played(tx, queue, found, result).await } else { Ok(()) }
}

/// The verdict after the last match.
async fn verdict(tx: &mut Tx, submission: &Submission, all: &[Match]) -> Result<Verdict> {
    let lost = all.iter().find(|one| one.verifies.is_some_and(|(_, step)| !one.passes(step)));
    let reason = match lost {
        Some(lost) => Some(Reason::NotWon(lost.id)),
        None => submissions::obstacle(tx, submission).await?,
    };
    Ok(reason.map_or(Verdict::Accepted, Verdict::Rejected))
}

/// The player that is verified is rejected for taking too long. Where a
/// reserve player did, the match is tried again.
pub async fn overran(tx: &mut Tx, found: &Match, overran: Overran) -> Result<bool> {
    let Overran { seat, allowed, .. } = overran;
    let Some((id, _)) = found.verifies.filter(|(_, step)| step.is_seated(seat)) else { return Ok(false) };
    submissions::hold(tx, id).await?;
    let reason = Reason::Overtime { in_match: found.id, seat, seconds: allowed.as_secs() };
    submissions::decide(tx, id, &Verdict::Rejected(reason)).await?;
    Ok(true)
}

async fn offer_matches(
    tx: &mut Tx,
    queue: &Queue,
    submission: &Submission,
    steps: impl IntoIterator<Item = Step>,
) -> Result<()> {
    let reserve = seasons::by_id(&mut *tx, submission.season_id).await?.reserve()?;
    for step in steps {
        offer_match(tx, queue, submission, reserve, step).await?;
    }
    Ok(())
}

async fn offer_match(tx: &mut Tx, queue: &Queue, submission: &Submission, reserve: &str, step: Step) -> Result<()> {
    let places = Seat::ALL.map(|seat| {
        let own = step.is_seated(seat);
        Place {
            name: if own { submission.name.clone() } else { reserve.to_owned() },
            submission: own.then_some(submission.id),
        }
    });
    let planned = Planned {
        season: submission.season_id,
        purpose: Purpose::Verification,
        verifies: Some((submission.id, step)),
        training: None,
        seed: submission.seed + step.number(),
        places,
    };
    let id = matches::plan(tx, &planned).await?;
    let work = Work {
        job: Play { id }.into(),
        account: submission.account_id,
        priority: Priority::Verification,
        batch: submission.id.0,
    };
    queue.offer(tx, &work).await
}
