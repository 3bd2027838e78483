//! The job of a ladder: plays some matches and stores what they came to.
//!
//! It is short, so that nobody waits for it, and looks up between any few of its
//! matches: as soon as somebody wants a worker for anything else it ends.

use std::time::Duration;

use anyhow::{Error, Result, anyhow};
use ludus_arena::ladder::{Contender, plan};
use ludus_arena::{Rating, rate};
use ludus_games::{Generator, PerSeat, Seat};

use super::field::{self, Climber, Out};
use super::{go_on, replays};
use crate::database::{Columns as _, Tx, now};
use crate::ids::{SeasonId, SubmissionId};
use crate::jobs::Environment;
use crate::local_machine::Seated;
use crate::matches::{self, Place, Planned, Played, Purpose};
use crate::playroom::Overran;
use crate::queue::{Dispatch as _, Lease};
use crate::seasons::{self, Season};
use crate::store::Lost;
use crate::{clock, secrets, traces};

/// What one job takes, about.
const LONGEST: Duration = Duration::from_millis(1000);
/// What its matches take between two looks at the queue, about.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);
/// Matches in one job: all of them are stored together.
const MOST_MATCHES: usize = 64;
/// Overruns after which a player is barred: once may be the machine.
const MOST_OVERRUNS: i64 = 2;

/// A match that was played.
struct Outcome {
    seed: i64,
    /// By the places in the field.
    seats: PerSeat<usize>,
    played: Played,
}

/// Why a job ended before its time.
enum Obstacle {
    /// The player at this place of the field took far too long.
    Overran(usize),
    /// The module of the player at this place cannot be made again.
    Lost(usize),
    /// A module was lost, and has been made again.
    Mended,
}

/// Plays some matches of a season's ladder.
pub async fn play(environment: &Environment, lease: &Lease, id: SeasonId) -> Result<()> {
    let season = seasons::by_id(&environment.database, id).await?;
    let field = field::find(&environment.database, id).await?;
    let environment = &environment.meant_for(Purpose::Ladder);
    let mut session = Session::new(environment, &season, &field).await?;
    // What has failed before is looked at one by one.
    let obstacle = session.play(lease.failures > 0 || lease.is_suspect).await?;
    let Session { outcomes, match_us, .. } = session;
    let mut tx = environment.database.begin().await?;
    if !environment.queue.finish(&mut tx, lease).await? {
        return Ok(());
    }
    field::hold(&mut tx, id).await?;
    store(&mut tx, &season, &field, &outcomes).await?;
    match obstacle {
        Some(Obstacle::Overran(place)) => overran(&mut tx, field[place].id).await?,
        Some(Obstacle::Lost(place)) => field::set_out(&mut tx, field[place].id, Some(Out::Lost)).await?,
        Some(Obstacle::Mended) | None => {}
    }
    sqlx::query("UPDATE ladders SET played = played + $1, match_us = $2 WHERE season_id = $3")
        .bind(outcomes.len() as i64)
        .bind(match_us)
        .bind(id)
        .execute(&mut *tx)
        .await?;
    go_on(&mut tx, &environment.queue, id).await?;
    tx.commit().await?;
    environment.queue.announce();
    Ok(())
}

/// The matches of one job.
struct Session<'a> {
    environment: &'a Environment,
    season: &'a Season,
    field: &'a [Climber],
    /// What is believed of everybody, with what was played so far.
    believed: Vec<Contender>,
    chance: Generator,
    /// What a match has taken, in microseconds.
    match_us: i64,
    outcomes: Vec<Outcome>,
}

impl<'a> Session<'a> {
    async fn new(environment: &'a Environment, season: &'a Season, field: &'a [Climber]) -> Result<Session<'a>> {
        let match_us = sqlx::query("SELECT match_us FROM ladders WHERE season_id = $1").bind(season.id);
        let match_us = match_us.fetch_one(environment.database.read()).await?.int("match_us")?;
        Ok(Session {
            environment,
            season,
            field,
            believed: field.iter().map(|one| one.contender.clone()).collect(),
            chance: Generator::new(secrets::seed()),
            match_us,
            outcomes: Vec::new(),
        })
    }

    async fn play(&mut self, one_by_one: bool) -> Result<Option<Obstacle>> {
        let begun = clock::steady();
        loop {
            let count = if one_by_one { 1 } else { self.fitting() };
            let planned = plan(&self.believed, count.min(MOST_MATCHES - self.outcomes.len()), &mut self.chance);
            if planned.is_empty() {
                return Ok(None);
            }
            if let Some(obstacle) = self.play_some(&planned).await? {
                return Ok(Some(obstacle));
            }
            let is_long = clock::steady() - begun + BETWEEN_LOOKS > LONGEST;
            if one_by_one || is_long || self.environment.queue.has_better_work().await? {
                return Ok(None);
            }
        }
    }

    /// How many matches fit between two looks, as far as is known.
    fn fitting(&self) -> usize {
        match self.match_us {
            0 => 1,
            us => (BETWEEN_LOOKS.as_micros() as i64 / us).clamp(1, MOST_MATCHES as i64) as usize,
        }
    }

    /// Plays some matches in one process.
    async fn play_some(&mut self, planned: &[PerSeat<usize>]) -> Result<Option<Obstacle>> {
        let mut orders = Vec::new();
        for seats in planned {
            let seated = seats.map(|place| Seated {
                name: self.field[place].name.clone(),
                module: self.field[place].module.clone(),
                barred_from: None,
            });
            // Nobody can prepare for seeds that nobody knows.
            orders.push((i64::from(secrets::seed()), seated));
        }
        let (machines, season, begun) = (self.environment.machines.clone(), self.season.clone(), clock::steady());
        let given = orders.clone();
        let playing = tokio::task::spawn_blocking(move || machines.play_all(&season, &given));
        let results = traces::span("play", &[("matches", orders.len().to_string())], playing).await?;
        let took = (clock::steady() - begun).as_micros() as i64 / results.len().max(1) as i64;
        // Fewer at once when it gets slower, and more only step by step.
        self.match_us = if self.match_us == 0 { took } else { took.max((self.match_us * 3 + took) / 4) }.max(1);
        for ((result, &seats), (seed, _)) in results.into_iter().zip(planned).zip(&orders) {
            match result {
                Ok(played) => self.add(Outcome { seed: *seed, seats, played }),
                Err(error) => return self.hindered(error, seats).await.map(Some),
            }
        }
        Ok(None)
    }

    fn add(&mut self, outcome: Outcome) {
        let after = rate(outcome.seats.map(|place| self.believed[place].rating), scores(&outcome.played));
        for seat in Seat::ALL {
            let contender = &mut self.believed[outcome.seats[seat]];
            contender.rating = after[seat];
            contender.seats[seat] += 1;
        }
        self.outcomes.push(outcome);
    }

    /// What to do about a match that could not be played; an error if it is the
    /// machine's own trouble, and then nothing is stored.
    async fn hindered(&self, error: Error, seats: PerSeat<usize>) -> Result<Obstacle> {
        if let Some(overran) = error.downcast_ref::<Overran>() {
            return Ok(Obstacle::Overran(seats[overran.seat]));
        }
        let Some(lost) = Lost::of(&error) else { return Err(error) };
        let Some(place) = seats.into_iter().find(|&place| self.field[place].module.as_deref() == Some(lost.hash()))
        else {
            return Err(error);
        };
        let player = self.field[place].submission.ok_or_else(|| anyhow!("{lost}"))?;
        Ok(match self.environment.restorer().module_again(player, lost).await? {
            Ok(()) => Obstacle::Mended,
            Err(_) => Obstacle::Lost(place),
        })
    }
}

fn scores(played: &Played) -> PerSeat<i64> {
    let mut scores = [0; Seat::COUNT];
    for seat in &played.seats {
        scores[seat.seat] = seat.score.unwrap_or(0);
    }
    scores
}

/// Stores matches, and what they say about everybody in them.
async fn store(tx: &mut Tx, season: &Season, field: &[Climber], outcomes: &[Outcome]) -> Result<()> {
    let mut after = field.to_vec();
    let mut recent: Vec<(SubmissionId, crate::ids::MatchId)> = Vec::new();
    for outcome in outcomes {
        let places =
            outcome.seats.map(|place| Place { name: field[place].name.clone(), submission: field[place].submission });
        let (purpose, seed) = (Purpose::Ladder, outcome.seed);
        let planned = Planned { season: season.id, purpose, verifies: None, training: None, seed, places };
        let id = matches::plan(tx, &planned).await?;
        matches::store_result(tx, id, &outcome.played).await?;
        recent.extend(outcome.seats.iter().filter_map(|&place| field[place].submission).map(|player| (player, id)));
        count(&mut after, outcome);
    }
    for (before, after) in field.iter().zip(&after) {
        if before.contender != after.contender {
            set_rating(tx, before, after).await?;
        }
    }
    replays::keep_newest(tx, &recent).await
}

/// What everybody has after a match.
fn count(field: &mut [Climber], outcome: &Outcome) {
    let scores = scores(&outcome.played);
    let ratings: PerSeat<Rating> = rate(outcome.seats.map(|place| field[place].contender.rating), scores);
    let best = scores.iter().max().copied().unwrap_or_default();
    let alone = scores.iter().filter(|&&score| score == best).count() == 1;
    for seat in Seat::ALL {
        let climber = &mut field[outcome.seats[seat]];
        climber.contender.rating = ratings[seat];
        climber.contender.seats[seat] += 1;
        climber.wins += i64::from(alone && scores[seat] == best);
    }
}

async fn set_rating(tx: &mut Tx, before: &Climber, after: &Climber) -> Result<()> {
    let Contender { rating, seats, .. } = &after.contender;
    let [seat0, seat1, seat2, seat3] = seats.map(i64::from);
    sqlx::query(
        "UPDATE contenders SET mean = $1, deviation = $2, strength = $3, wins = $4, seat0 = $5, seat1 = $6,
         seat2 = $7, seat3 = $8 WHERE id = $9",
    )
    .bind(field::stored(rating.mean))
    .bind(field::stored(rating.deviation))
    .bind(field::strength(*rating))
    .bind(after.wins)
    .bind(seat0)
    .bind(seat1)
    .bind(seat2)
    .bind(seat3)
    .bind(after.id)
    .execute(&mut **tx)
    .await?;
    let (was, is) = (before.contender.matches(), after.contender.matches());
    if is_noted(was, is) {
        sqlx::query(
            "INSERT INTO rating_points (contender_id, played, mean, deviation, created_at) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT DO NOTHING",
        )
        .bind(after.id)
        .bind(i64::from(is))
        .bind(field::stored(rating.mean))
        .bind(field::stored(rating.deviation))
        .bind(now())
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// Whether a rating is kept for the curve: every match at first, then one of ever
/// more, so that the points of a player grow like the logarithm of its matches.
fn is_noted(was: u32, is: u32) -> bool {
    let step = |played: u32| f64::from(played.max(1)).log2() * 12.0;
    is <= 12 || step(is).floor() > step(was).floor()
}

async fn overran(tx: &mut Tx, contender: i64) -> Result<()> {
    let row = sqlx::query("UPDATE contenders SET overruns = overruns + 1 WHERE id = $1 RETURNING overruns")
        .bind(contender)
        .fetch_one(&mut **tx)
        .await?;
    if row.int("overruns")? >= MOST_OVERRUNS {
        field::set_out(tx, contender, Some(Out::Overran)).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_points_of_a_curve_are_few() {
        let noted = |most: u32| (1..=most).filter(|&played| is_noted(played - 1, played)).count();
        assert_eq!(noted(12), 12);
        assert!((60..130).contains(&noted(400)) && noted(100_000) < 220, "{} {}", noted(400), noted(100_000));
    }
}
