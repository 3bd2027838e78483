//! The ratings of a ladder worked out again from all its matches, when one of
//! them turns out to have gone otherwise.

use std::collections::HashMap;

use anyhow::Result;
use ludus_arena::{Rating, rate};
use ludus_games::{PerSeat, Seat};
use sqlx::Row as _;

use super::field;
use crate::database::{Columns as _, Tx};
use crate::ids::{MatchId, SeasonId, SubmissionId};

/// Matches that are read at a time.
const AT_A_TIME: i64 = 500;

#[derive(Clone, Copy)]
struct Standing {
    rating: Rating,
    wins: i64,
    seats: PerSeat<i64>,
}

/// Who sits somewhere: a player, or the name of one that comes with the game.
type Who = (Option<SubmissionId>, String);

pub async fn all(tx: &mut Tx, season: SeasonId) -> Result<()> {
    field::hold(tx, season).await?;
    let rows = sqlx::query("SELECT id, submission_id, name FROM contenders WHERE season_id = $1 ORDER BY id");
    let mut ids: HashMap<Who, i64> = HashMap::new();
    for row in rows.bind(season).fetch_all(&mut **tx).await? {
        let player: Option<SubmissionId> = row.try_get("submission_id")?;
        let name = if player.is_some() { String::new() } else { row.text("name")? };
        ids.insert((player, name), row.int("id")?);
    }
    let unknown = Standing { rating: Rating::UNKNOWN, wins: 0, seats: [0; Seat::COUNT] };
    let mut standings: HashMap<Who, Standing> = HashMap::new();
    let mut last = MatchId(0);
    loop {
        let some = matches(tx, season, last).await?;
        let Some((newest, ..)) = some.last() else { break };
        last = *newest;
        for (_, who, scores) in &some {
            let before = who.each_ref().map(|one| standings.get(one).copied().unwrap_or(unknown));
            let after = rate(before.map(|one| one.rating), *scores);
            let best = scores.iter().max().copied().unwrap_or_default();
            let alone = scores.iter().filter(|&&score| score == best).count() == 1;
            for seat in Seat::ALL {
                let standing = standings.entry(who[seat].clone()).or_insert(unknown);
                standing.rating = after[seat];
                standing.seats[seat] += 1;
                standing.wins += i64::from(alone && scores[seat] == best);
            }
        }
    }
    for (who, id) in &ids {
        store(tx, *id, standings.get(who).unwrap_or(&unknown)).await?;
    }
    Ok(())
}

/// Some matches after one, with who sat where and the scores.
async fn matches(tx: &mut Tx, season: SeasonId, after: MatchId) -> Result<Vec<(MatchId, PerSeat<Who>, PerSeat<i64>)>> {
    let rows = sqlx::query(
        "SELECT s.match_id, s.submission_id, s.name, s.score FROM seats s WHERE s.match_id IN (
             SELECT id FROM matches WHERE season_id = $1 AND purpose = 'ladder' AND played = 1 AND id > $2
             ORDER BY season_id, purpose, id LIMIT $3) ORDER BY s.match_id, s.seat",
    );
    let rows = rows.bind(season).bind(after).bind(AT_A_TIME).fetch_all(&mut **tx).await?;
    let mut found = Vec::new();
    for seats in rows.chunks(Seat::COUNT) {
        let mut who: PerSeat<Who> = PerSeat::default();
        let mut scores = [0; Seat::COUNT];
        for ((who, score), row) in who.iter_mut().zip(&mut scores).zip(seats) {
            let player: Option<SubmissionId> = row.try_get("submission_id")?;
            *who = (player, if player.is_some() { String::new() } else { row.text("name")? });
            *score = row.maybe_int("score")?.unwrap_or(0);
        }
        found.push((seats[0].try_get("match_id")?, who, scores));
    }
    Ok(found)
}

async fn store(tx: &mut Tx, contender: i64, standing: &Standing) -> Result<()> {
    let [seat0, seat1, seat2, seat3] = standing.seats;
    sqlx::query(
        "UPDATE contenders SET mean = $1, deviation = $2, strength = $3, wins = $4, seat0 = $5, seat1 = $6,
         seat2 = $7, seat3 = $8 WHERE id = $9",
    )
    .bind(field::stored(standing.rating.mean))
    .bind(field::stored(standing.rating.deviation))
    .bind(field::strength(standing.rating))
    .bind(standing.wins)
    .bind(seat0)
    .bind(seat1)
    .bind(seat2)
    .bind(seat3)
    .bind(contender)
    .execute(&mut **tx)
    .await?;
    Ok(())
}
