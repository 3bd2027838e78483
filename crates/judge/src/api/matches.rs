//! Matches: their results, replays and what players wrote in them.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use ludus_games::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::{Ask, Done, File, Json, Question};
use super::lists::{ListPart, Moment, no_such, slice};
use crate::downloads::CpuUse;
use crate::ids::{MatchId, SubmissionId, TrainingId};
use crate::matches::{self, Filter, Purpose};
use crate::pages::matches as page;
use crate::seasons;
use crate::texts;
use crate::web::Visitor;

/// A match.
#[derive(Serialize, JsonSchema)]
pub struct Match {
    id: MatchId,
    season: String,
    game: String,
    purpose: Purpose,
    /// The set of training matches that it is one of.
    training: Option<TrainingId>,
    seed: i64,
    is_played: bool,
    rounds: Option<i64>,
    created_at: Moment,
    seats: Vec<Seated>,
    /// With what anybody can watch it, at `/watch/` on pages.
    share: Option<String>,
}

/// A player in a match.
#[derive(Serialize, JsonSchema)]
pub struct Seated {
    seat: usize,
    name: String,
    /// Its number, unless it comes with the game.
    player: Option<SubmissionId>,
    score: Option<i64>,
    rank: Option<i64>,
    /// The part of its CPU limit that it used; null where nobody counts it, or it is
    /// not for you.
    cpu: Option<f64>,
    /// In which round it was frozen, and why.
    frozen: Option<Frozen>,
    /// Whether whoever asks may read what it wrote, and it is there.
    has_output: bool,
}

/// Why a player was frozen.
#[derive(Serialize, JsonSchema)]
pub struct Frozen {
    round: i64,
    why: String,
}

impl Match {
    pub fn of(visitor: &Visitor, one: &matches::Match) -> Match {
        let shows_cpu = |seat: &matches::SeatResult| one.shows_cpu(visitor.viewer(), seat);
        let seats = one.seats.iter().map(|seat| Seated {
            seat: seat.seat.index(),
            name: seat.name.clone(),
            player: seat.submission,
            score: seat.score,
            rank: seat.rank,
            cpu: seat
                .cpu
                .filter(|&cpu| cpu >= 0 && seat.submission.is_some() && shows_cpu(seat))
                .map(|cpu| cpu as f64 / 1e6),
            frozen: seat
                .fault
                .as_ref()
                .filter(|_| shows_cpu(seat))
                .map(|(round, why)| Frozen { round: *round, why: texts::fault(visitor.language, why).into_owned() }),
            has_output: seat.output.is_some() && one.thinned_at.is_none() && visitor.viewer().may_read_output(seat),
        });
        Match {
            id: one.id,
            season: one.season_slug.clone(),
            game: one.game.clone(),
            purpose: one.purpose,
            training: one.training,
            seed: one.seed,
            is_played: one.played,
            rounds: one.rounds,
            created_at: Moment(one.created_at),
            seats: seats.collect(),
            share: (one.played && one.is_shared()).then(|| one.share.clone()),
        }
    }
}

/// A match and what there is of it.
#[derive(Serialize, JsonSchema)]
pub struct Whole {
    #[serde(rename = "match")]
    of: Match,
    /// Why it cannot be watched, if so.
    unwatchable: Option<String>,
    /// The CPU of every round by seat, in millionths of the limit; null for seats
    /// that nobody counts.
    cpu_by_round: Vec<Option<Vec<u64>>>,
}

/// Which matches.
#[derive(Deserialize, JsonSchema)]
pub struct Which {
    /// The season's name in addresses.
    season: Option<String>,
    purpose: Option<Purpose>,
    /// The name of a player that takes part.
    player: Option<String>,
    /// Where the last part ended: its `next`.
    cursor: Option<String>,
    #[schemars(range(min = 1, max = 100))]
    limit: Option<i64>,
}

impl Question for Which {}

pub async fn list(ask: Ask<(), Which>) -> Done<Json<ListPart<Match>>> {
    let query = ask.query;
    let slice = slice(query.cursor.as_deref(), query.limit)?;
    let season = match query.season {
        Some(slug) => Some(seasons::find(&ask.site.database, &slug).await?.ok_or_else(|| no_such("season"))?.id),
        None => None,
    };
    let filter = Filter { season, purpose: query.purpose, player: query.player.unwrap_or_default() };
    let found = matches::slice(&ask.site.database, ask.visitor.viewer(), &filter, slice).await?;
    Ok(Json(ListPart::of(found, slice, |one| one.id.0, |one| Match::of(&ask.visitor, &one))))
}

async fn whole<P, Q, B>(ask: &Ask<P, Q, B>, found: &matches::Match) -> Done<Json<Whole>> {
    let missing = page::unwatchable(&ask.site, found).await?;
    let cpu = matches::cpu(&ask.site.database, found.id).await?.map(|packed| CpuUse::unpack(&packed));
    let viewer = ask.visitor.viewer();
    let shown = |seat: Seat| found.seats.iter().any(|one| one.seat == seat && found.shows_cpu(viewer, one));
    let by_round =
        cpu.map_or(Vec::new(), |cpu| Seat::ALL.map(|seat| cpu.0[seat].clone().filter(|_| shown(seat))).into());
    Ok(Json(Whole {
        of: Match::of(&ask.visitor, found),
        unwatchable: missing.map(|(_, text)| ask.visitor.t(text).to_owned()),
        cpu_by_round: by_round,
    }))
}

pub async fn show(ask: Ask<MatchId>) -> Done<Json<Whole>> {
    let found = page::visible(&ask.site, &ask.visitor, ask.path).await?;
    whole(&ask, &found).await
}

/// A match by the link with which anybody can watch it. Who may not see it
/// otherwise does not get to read what players wrote.
pub async fn show_shared(ask: Ask<String>) -> Done<Json<Whole>> {
    let found = page::shared(&ask.site, &ask.visitor, &ask.path).await?;
    whole(&ask, &found).await
}

pub async fn file(ask: Ask<(MatchId, String)>) -> Done<File> {
    Ok(File(page::file(State(ask.site), ask.visitor, Path(ask.path), HeaderMap::new()).await?))
}

pub async fn file_shared(ask: Ask<(String, String)>) -> Done<File> {
    Ok(File(page::file_shared(State(ask.site), ask.visitor, Path(ask.path), HeaderMap::new()).await?))
}

pub async fn output(ask: Ask<(MatchId, i32)>) -> Done<File> {
    Ok(File(page::output(State(ask.site), ask.visitor, Path(ask.path)).await?))
}
