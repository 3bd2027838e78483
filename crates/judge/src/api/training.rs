//! Training: asking for matches, and what they come to.

use axum::http::StatusCode;
use ludus_arena::Estimate;
use ludus_games::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::{Ask, Done, Json, Made, Question};
use super::lists::{ListPart, Moment, slice};
use super::news::Paging;
use crate::ids::{MatchId, TrainingId};
use crate::pages::rounds::sees_names;
use crate::pages::seasons::season;
use crate::pages::training as page;
use crate::pages::training_form::explanation;
use crate::training::{self, Refusal, Request, Results, Seating};
use crate::web::{AppError, Problem, Visitor};

/// A set of training matches.
#[derive(Serialize, JsonSchema)]
pub struct Training {
    id: TrainingId,
    season: String,
    /// Who asked for it, for those who may see names.
    asked_by: Option<String>,
    /// By the seats that they begin in.
    players: [String; 4],
    seating: Seating,
    seed: i64,
    matches: i64,
    played: i64,
    /// Matches that were given up because a player ran far past its time.
    given_up: i64,
    is_over: bool,
    created_at: Moment,
}

impl Training {
    fn of(visitor: &Visitor, names: bool, one: &training::Training) -> Training {
        let is_own = visitor.account().is_some_and(|account| account.id == one.account);
        Training {
            id: one.id,
            season: one.season_slug.clone(),
            asked_by: (names || is_own).then(|| one.asked_by.clone()),
            players: one.players.clone(),
            seating: one.seating,
            seed: one.seed,
            matches: one.matches,
            played: one.played,
            given_up: one.given_up,
            is_over: one.is_over(),
            created_at: Moment(one.created_at),
        }
    }
}

/// A set of training matches and what it comes to, as `ludus arena` tells it.
#[derive(Serialize, JsonSchema)]
pub struct Table {
    training: Training,
    /// The best player first; empty before the first match.
    standings: Vec<Standing>,
    matches: Vec<Row>,
}

/// How a player did.
#[derive(Serialize, JsonSchema)]
pub struct Standing {
    /// Its place among the four of the request.
    place: usize,
    name: String,
    /// The part of the matches that it won alone.
    wins: Measure,
    rank: Measure,
    score: Measure,
    /// The part of the CPU limit that it used; null where nobody counts it.
    cpu: Option<f64>,
    /// The part of the matches in which it was frozen.
    frozen: f64,
    /// Mean rank by seat.
    rank_by_seat: [Option<f64>; 4],
    /// By place: the part of the matches in which it was ahead of that player.
    ahead: [Option<Measure>; 4],
    worst_losses: Vec<Loss>,
}

/// A value, and the interval in which it lies, 95 times in 100.
#[derive(Serialize, JsonSchema)]
pub struct Measure {
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
}

impl From<&Estimate> for Measure {
    fn from(estimate: &Estimate) -> Measure {
        let (low, high) = (estimate.interval.map(|(low, _)| low), estimate.interval.map(|(_, high)| high));
        Measure { value: estimate.value, low, high }
    }
}

/// A match that a player lost, and by how much.
#[derive(Serialize, JsonSchema)]
pub struct Loss {
    #[serde(rename = "match")]
    id: MatchId,
    seat: usize,
    behind: i64,
}

/// A match of the set.
#[derive(Serialize, JsonSchema)]
pub struct Row {
    id: MatchId,
    seed: i32,
    /// By seat: the place of the player that sits there.
    seats: [usize; 4],
    /// By seat; null before it is played.
    scores: Option<[i64; 4]>,
}

pub async fn list(ask: Ask<(), Paging>) -> Done<Json<ListPart<Training>>> {
    let slice = slice(ask.query.cursor.as_deref(), ask.query.limit)?;
    let found = training::slice(&ask.site.database, ask.account()?.id, slice).await?;
    let names = sees_names(&ask.site, &ask.visitor).await?;
    Ok(Json(ListPart::of(found, slice, |one| one.id.0, |one| Training::of(&ask.visitor, names, &one))))
}

pub async fn show(ask: Ask<TrainingId>) -> Done<Json<Table>> {
    let found = page::visible(&ask.site, &ask.visitor, ask.path).await?;
    let results = training::results(&ask.site.database, &found).await?;
    let names = sees_names(&ask.site, &ask.visitor).await?;
    let is_empty = results.tally.matches() == 0;
    let ranking = if is_empty { Vec::new() } else { results.tally.ranking() };
    let standings = ranking.into_iter().map(|place| standing(&found, &results, place)).collect();
    let matches = results.matches.iter().map(|row| Row {
        id: row.id,
        seed: row.seed,
        seats: row.seats,
        scores: row.played.as_ref().map(|played| played.scores),
    });
    Ok(Json(Table { training: Training::of(&ask.visitor, names, &found), standings, matches: matches.collect() }))
}

fn standing(found: &training::Training, results: &Results, place: usize) -> Standing {
    let (tally, standing) = (&results.tally, results.tally.standing(place));
    let by_seat = tally.rank_by_seat(place);
    let loss = |loss: &training::Loss| Loss { id: loss.id, seat: loss.seat.index(), behind: loss.behind };
    Standing {
        place,
        name: found.players[place].clone(),
        wins: (&standing.wins).into(),
        rank: (&standing.rank).into(),
        score: (&standing.score).into(),
        cpu: standing.cpu.map(|cpu| cpu.value),
        frozen: standing.frozen.value,
        rank_by_seat: Seat::ALL.map(|seat| by_seat[seat].as_ref().map(|rank| rank.value)),
        ahead: std::array::from_fn(|other| tally.head_to_head(place, other).as_ref().map(Measure::from)),
        worst_losses: results.losses[place].iter().map(loss).collect(),
    }
}

/// Players that somebody may meet.
#[derive(Serialize, JsonSchema)]
pub struct Candidate {
    name: String,
    is_own: bool,
    is_public: bool,
    /// Whether it comes with the game.
    is_builtin: bool,
}

/// A part of a list that has an order of its own.
#[derive(Deserialize, JsonSchema)]
pub struct Part {
    /// Where the last part ended: its `next`.
    cursor: Option<String>,
    #[schemars(range(min = 1, max = 100))]
    limit: Option<i64>,
}

impl Question for Part {}

pub async fn candidates(ask: Ask<String, Part>) -> Done<Json<ListPart<Candidate>>> {
    let season = season(&ask.site, &ask.path).await?;
    let found = training::candidates(&ask.site.database, ask.visitor.viewer(), season.id).await?;
    let game = season.rules_of_game()?;
    let builtins = training::builtins(game).map(|name| Candidate {
        name: name.to_owned(),
        is_own: false,
        is_public: true,
        is_builtin: true,
    });
    let others = found.into_iter().map(|one| Candidate {
        name: one.name,
        is_own: one.is_own,
        is_public: one.is_public,
        is_builtin: false,
    });
    Ok(Json(ListPart::part(builtins.chain(others).collect(), ask.query.cursor.as_deref(), ask.query.limit)?))
}

/// Matches that somebody asks for.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// Names of players, by the seats that they begin in.
    players: [String; 4],
    #[schemars(range(min = 1, max = 200))]
    matches: i64,
    /// Turning, unless it is said.
    #[serde(default)]
    seating: Option<Seating>,
    /// The first seed; drawn by lot if there is none.
    #[serde(default)]
    #[schemars(range(min = 0, max = 2_147_483_447))]
    seed: Option<i64>,
}

/// Matches that will be played.
#[derive(Serialize, JsonSchema)]
pub struct Taken {
    id: TrainingId,
}

pub async fn request(ask: Ask<String, (), Json<Wanted>>) -> Done<Made<Taken>> {
    let account = ask.account()?;
    if !account.may_submit() {
        return Err(AppError::Forbidden.into());
    }
    let (site, wanted) = (&ask.site, &ask.body.0);
    let season = season(site, &ask.path).await?;
    let request = Request {
        account,
        season: &season,
        players: wanted.players.each_ref().map(|name| name.trim()),
        seating: wanted.seating.unwrap_or(Seating::Turning),
        seed: match wanted.seed {
            Some(seed) => seed,
            None => training::draw_seed()?,
        },
        matches: wanted.matches,
        quota: site.settings.quota,
    };
    let asked = training::ask(&site.database, &site.queue, &request).await?;
    asked.map(|id| Made(Taken { id })).map_err(|refusal| problem(&refusal))
}

fn problem(refusal: &Refusal) -> Problem {
    let (text, about) = explanation(refusal);
    let problem = match refusal {
        Refusal::UnknownPlayer(_) | Refusal::Private(_) | Refusal::NoneOwn => Problem::in_field("players", text),
        Refusal::Matches => Problem::in_field("matches", text),
        Refusal::Seed => Problem::in_field("seed", text),
        Refusal::Quota(_) | Refusal::Full => Problem::new(StatusCode::TOO_MANY_REQUESTS, text),
    };
    about.into_iter().fold(problem, |problem, (name, value)| problem.with(name, &value))
}
