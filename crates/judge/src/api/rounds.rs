//! Official rounds: who is in, who left when, every match, and the files that
//! prove it all.

use axum::extract::{Path, State};
use ludus_arena::season::{Author, Contender, Departure, Kind, OfficialMatch, Stage as Drawn};
use ludus_games::Seat;
use schemars::JsonSchema;
use serde::Serialize;

use super::call::{Ask, Done, File, Json};
use super::lists::{ListPart, Moment};
use super::news::Paging;
use crate::ids::MatchId;
use crate::official::board::{self, Appearance, Board, Person};
use crate::official::rounds::{self, Round as Stored, State as Phase, Whole};
use crate::pages::round_view::fate;
use crate::pages::rounds as page;
use crate::pages::rounds::sees_names;
use crate::pages::seasons::season;
use crate::web::AppError;

/// How a season stands.
#[derive(Serialize, JsonSchema)]
pub struct Standings {
    /// Whether the list of those who take part is made.
    has_begun: bool,
    /// Why no rounds are started, if so.
    paused: Option<String>,
    champion: Option<Entrant>,
    left: Vec<Entrant>,
    /// The last one first.
    out: Vec<Gone>,
    rounds: Vec<Round>,
}

/// Somebody who takes part.
#[derive(Serialize, JsonSchema)]
pub struct Entrant {
    /// Their number in the season.
    number: u32,
    /// The player that the public knows them by.
    player: Option<String>,
    /// Their name, for those who may see it.
    student: Option<String>,
}

fn entrant(one: &Person, names: bool) -> Entrant {
    Entrant {
        number: one.entrant.author.map_or(0, |author| author.0),
        player: one.player.clone(),
        student: names.then(|| one.entrant.student.clone()),
    }
}

/// Somebody who has left.
#[derive(Serialize, JsonSchema)]
pub struct Gone {
    entrant: Entrant,
    /// The round that they were eliminated in; null if they withdrew.
    round: Option<u32>,
}

/// A round.
#[derive(Serialize, JsonSchema)]
pub struct Round {
    number: i64,
    state: &'static str,
    /// Whether its elimination counts.
    counts: bool,
    /// Who is out.
    out: Option<Entrant>,
    /// What the seed was committed to with, beforehand.
    commitment: String,
    /// The seed, once it is revealed.
    seed: Option<String>,
    starts_at: Option<Moment>,
    frozen_at: Option<Moment>,
    ended_at: Option<Moment>,
    cancelled_because: Option<String>,
    undone_because: Option<String>,
}

fn round(board: &Board, one: &Stored, names: bool) -> Round {
    let out = one.elimination.and_then(|out| board.person(out.author));
    Round {
        number: one.number,
        state: one.state.word(),
        counts: one.counts(),
        out: out.map(|out| entrant(out, names)),
        commitment: one.commitment.to_string(),
        seed: one.revealed_seed().map(|seed| seed.to_string()),
        starts_at: one.starts_at.filter(|_| one.state == Phase::Committed).map(Moment),
        frozen_at: one.frozen_at.map(Moment),
        ended_at: one.ended_at.map(Moment),
        cancelled_because: one.cancelled_reason.clone(),
        undone_because: one.undone_reason.clone(),
    }
}

pub async fn standings(ask: Ask<String>) -> Done<Json<Standings>> {
    let board = board::find(&ask.site.database, season(&ask.site, &ask.path).await?).await?;
    let names = sees_names(&ask.site, &ask.visitor).await?;
    let gone = |(one, how): &(Person, Departure)| Gone {
        entrant: entrant(one, names),
        round: match how {
            Departure::Eliminated { round, .. } => Some(*round),
            Departure::Withdrawn { .. } => None,
        },
    };
    Ok(Json(Standings {
        has_begun: board.schedule.entered_at.is_some(),
        paused: board.schedule.paused.clone(),
        champion: board.champion().map(|one| entrant(one, names)),
        left: board.left.iter().map(|one| entrant(one, names)).collect(),
        out: board.gone.iter().map(gone).collect(),
        rounds: board.rounds.iter().map(|one| round(&board, one, names)).collect(),
    }))
}

/// A round with its matches.
#[derive(Serialize, JsonSchema)]
pub struct Played {
    round: Round,
    /// Whether it waits for an instructor.
    is_stopped: bool,
    stages: Vec<Stage>,
}

/// A stage of a round.
#[derive(Serialize, JsonSchema)]
pub struct Stage {
    number: u32,
    /// `saving` or `deciding`.
    kind: &'static str,
    matches: Vec<Group>,
}

/// A match of a stage.
#[derive(Serialize, JsonSchema)]
pub struct Group {
    group: u32,
    /// The match, once it is played.
    #[serde(rename = "match")]
    id: Option<MatchId>,
    seats: Vec<Place>,
}

/// Somebody in a match.
#[derive(Serialize, JsonSchema)]
pub struct Place {
    /// Null for a reserve player.
    number: Option<u32>,
    player: Option<String>,
    student: Option<String>,
    score: Option<i64>,
    is_frozen: bool,
    /// `saved`, `danger`, `out`, or nothing.
    fate: &'static str,
}

pub async fn show(ask: Ask<(String, i64)>) -> Done<Json<Played>> {
    let (slug, number) = &ask.path;
    let found = page::find_round(&ask.site, slug, *number).await?;
    let board = board::find(&ask.site.database, season(&ask.site, slug).await?).await?;
    let names = sees_names(&ask.site, &ask.visitor).await?;
    let whole = rounds::whole(&ask.site.database, found.clone()).await?;
    let stages = whole
        .as_ref()
        .map_or(Vec::new(), |whole| whole.drawn.stages().iter().map(|stage| stage_of(whole, stage, names)).collect());
    let is_stopped = board.stopped.is_some() && found.state == Phase::Playing;
    Ok(Json(Played { round: round(&board, &found, names), is_stopped, stages }))
}

fn stage_of(whole: &Whole, stage: &Drawn, names: bool) -> Stage {
    let kind = match stage.kind() {
        Kind::Saving => "saving",
        Kind::Deciding => "deciding",
    };
    let group = |official: &OfficialMatch| {
        let known = whole.match_at(official.id()).filter(|_| official.scores().is_some());
        let seats = Seat::ALL.map(|seat| place(whole, stage, official, seat, names));
        Group { group: official.id().group(), id: known.map(|known| known.id), seats: seats.into() }
    };
    Stage { number: stage.number(), kind, matches: stage.matches().iter().map(group).collect() }
}

fn place(whole: &Whole, stage: &Drawn, official: &OfficialMatch, seat: Seat, names: bool) -> Place {
    let contender: Contender = official.seats()[seat];
    let player = contender.author().and_then(|author| whole.player(author));
    let result = whole.match_at(official.id()).and_then(|known| known.result.as_ref());
    Place {
        number: contender.author().map(|author| author.0),
        player: player.map(|one| one.name.clone()),
        student: player.filter(|_| names).map(|one| one.student.clone()),
        score: official.scores().map(|scores| scores[seat]),
        is_frozen: result.is_some_and(|result| result.frozen[seat]),
        fate: contender.author().map_or("", |author| fate(whole, stage, official, seat, author)),
    }
}

pub async fn file(ask: Ask<(String, i64)>) -> Done<File> {
    Ok(File(page::file(State(ask.site), ask.visitor, Path(ask.path)).await?))
}

/// An official match of somebody.
#[derive(Serialize, JsonSchema)]
pub struct Appeared {
    round: i64,
    stage: i64,
    #[serde(rename = "match")]
    id: MatchId,
    player: String,
    score: Option<i64>,
    rank: Option<i64>,
    is_frozen: bool,
}

/// The official matches of somebody, the newest first.
pub async fn history(ask: Ask<(String, u32), Paging>) -> Done<Json<ListPart<Appeared>>> {
    let board = board::find(&ask.site.database, season(&ask.site, &ask.path.0).await?).await?;
    let author = Author(ask.path.1);
    board.person(author).ok_or(AppError::NotFound)?;
    let all = board::appearances(&ask.site.database, board.season.id, author).await?;
    let appeared = |one: Appearance| Appeared {
        round: one.round,
        stage: one.stage,
        id: one.match_id,
        player: one.player,
        score: one.score,
        rank: one.rank,
        is_frozen: one.is_frozen,
    };
    let all = all.into_iter().map(appeared).collect();
    Ok(Json(ListPart::part(all, ask.query.cursor.as_deref(), ask.query.limit)?))
}
