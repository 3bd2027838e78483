//! Taking an accepted player out of its season, and putting it back.

use anyhow::Result;

use crate::database::{Tx, now};
use crate::ids::SubmissionId;
use crate::submissions::{self, Submission};

/// Retires an accepted player: it takes part in nothing more, and its name is
/// free again. False if it is not accepted, or retired already.
pub async fn retire(tx: &mut Tx, submission: SubmissionId, reason: &str) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE submissions SET retired_at = $1, retired_reason = $2
         WHERE id = $3 AND stage = 'accepted' AND retired_at IS NULL",
    )
    .bind(now())
    .bind(reason)
    .bind(submission)
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Puts a retired player back. False if somebody else has its name by now.
pub async fn restore(tx: &mut Tx, submission: &Submission) -> Result<bool> {
    if submissions::name_is_taken(&mut *tx, submission.season_id, &submission.name).await? {
        return Ok(false);
    }
    sqlx::query("UPDATE submissions SET retired_at = NULL, retired_reason = NULL WHERE id = $1")
        .bind(submission.id)
        .execute(&mut **tx)
        .await?;
    Ok(true)
}
