//! What is kept of the matches of a ladder: every result, and the replays of the
//! newest matches of each player. A replay goes when no player needs it.

use std::collections::BTreeSet;

use anyhow::Result;
use sqlx::Row as _;

use crate::caretaker;
use crate::database::{Tx, now};
use crate::ids::{MatchId, SubmissionId};

/// Matches of each player that can be watched.
pub const KEPT: i64 = 20;

/// Adds what was just played, and gives up what is old.
pub async fn keep_newest(tx: &mut Tx, played: &[(SubmissionId, MatchId)]) -> Result<()> {
    for (player, id) in played {
        sqlx::query("INSERT INTO ladder_replays (submission_id, match_id) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind(player)
            .bind(id)
            .execute(&mut **tx)
            .await?;
    }
    let players: BTreeSet<SubmissionId> = played.iter().map(|(player, _)| *player).collect();
    let mut old = BTreeSet::new();
    for player in players {
        let rows = sqlx::query(
            "DELETE FROM ladder_replays WHERE submission_id = $1 AND match_id <= (SELECT match_id FROM ladder_replays
             WHERE submission_id = $1 ORDER BY match_id DESC LIMIT 1 OFFSET $2) RETURNING match_id",
        );
        for row in rows.bind(player).bind(KEPT).fetch_all(&mut **tx).await? {
            old.insert(row.try_get::<MatchId, _>(0)?);
        }
    }
    for id in old {
        give_up(tx, id).await?;
    }
    Ok(())
}

/// Gives up what a match left behind, unless it is kept for another player.
async fn give_up(tx: &mut Tx, id: MatchId) -> Result<()> {
    let done = sqlx::query(
        "UPDATE matches SET thinned_at = $1, cpu = NULL WHERE id = $2 AND thinned_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM ladder_replays r WHERE r.match_id = $2)",
    );
    if done.bind(now()).bind(id).execute(&mut **tx).await?.rows_affected() == 0 {
        return Ok(());
    }
    let hashes = sqlx::query(
        "SELECT replay AS hash FROM matches WHERE id = $1 UNION SELECT output FROM seats WHERE match_id = $1",
    );
    let hashes = hashes.bind(id).fetch_all(&mut **tx).await?;
    caretaker::leave(tx, &hashes).await
}
