//! What follows from a match, which depends on its purpose: whoever gives a new
//! meaning to matches says here what becomes of them.

use anyhow::Result;

use crate::database::Tx;
use crate::ladder::recount;
use crate::matches::{Match, Played, Purpose};
use crate::playroom::Overran;
use crate::queue::Queue;
use crate::verification;

/// Holds what the results of several matches are counted for, so that those which
/// end together are counted one after the other.
pub async fn hold(tx: &mut Tx, found: &Match) -> Result<()> {
    match found.purpose {
        Purpose::Verification => verification::hold(tx, found).await,
        Purpose::Official | Purpose::Training | Purpose::Ladder | Purpose::Demonstration => Ok(()),
    }
}

/// In the transaction that stores the result.
pub async fn of_result(tx: &mut Tx, queue: &Queue, found: &Match, played: &Played) -> Result<()> {
    match found.purpose {
        Purpose::Verification => verification::played(tx, queue, found, played).await,
        Purpose::Official | Purpose::Training | Purpose::Ladder | Purpose::Demonstration => Ok(()),
    }
}

/// When a match turns out to have gone otherwise than was told.
pub async fn of_correction(tx: &mut Tx, queue: &Queue, found: &Match, played: &Played) -> Result<()> {
    match found.purpose {
        Purpose::Verification => verification::corrected(tx, queue, found, played).await,
        Purpose::Ladder => recount::all(tx, found.season_id).await,
        // Tables of training are made from its matches whenever they are shown,
        // and official matches are believed when two have played them.
        Purpose::Official | Purpose::Training | Purpose::Demonstration => Ok(()),
    }
}

/// When a player has overrun its time twice. False if the match is to be tried again.
pub async fn of_overrun(tx: &mut Tx, found: &Match, overran: Overran) -> Result<bool> {
    match found.purpose {
        Purpose::Verification => verification::overran(tx, found, overran).await,
        Purpose::Official | Purpose::Training | Purpose::Ladder | Purpose::Demonstration => Ok(false),
    }
}
