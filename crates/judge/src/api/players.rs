//! Players: what they did, and their modules.

use axum::extract::{Path, State};
use ludus_games::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::{Ask, Done, File, Json, Question};
use super::ladder::{self, Place};
use super::lists::{ListPart, Moment, slice, wrong};
use super::matches::Match;
use super::submissions::language;
use crate::ids::SubmissionId;
use crate::matches;
use crate::official::representatives;
use crate::pages::players::{self as page, MOST_MATCHES, Summary};
use crate::pages::rounds::sees_names;
use crate::pages::seasons::season;
use crate::sharing::{self, Audience};
use crate::submissions::{self, Filter, Stage, Submission};
use crate::visibility::Viewer;
use crate::web::{AppError, Visitor};

/// A player that was accepted.
#[derive(Serialize, JsonSchema)]
pub struct Player {
    id: SubmissionId,
    name: String,
    season: String,
    /// The name of its author, for those who may see it.
    author: Option<String>,
    is_own: bool,
    is_public: bool,
    stage: Stage,
    language: &'static str,
    accepted_at: Option<Moment>,
}

impl Player {
    fn of(visitor: &Visitor, names: bool, one: Submission) -> Player {
        let is_own = visitor.account().is_some_and(|account| account.id == one.account_id);
        Player {
            id: one.id,
            name: one.name,
            season: one.season_slug,
            author: (names || is_own).then_some(one.author),
            is_own,
            is_public: one.is_public,
            stage: one.stage,
            language: language(one.language),
            accepted_at: one.decided_at.map(Moment),
        }
    }
}

/// A player and what its newest matches come to, as far as whoever asks may see them.
#[derive(Serialize, JsonSchema)]
pub struct Record {
    player: Player,
    /// Whether it stands for its author in official rounds.
    is_representative: bool,
    matches: i64,
    wins: i64,
    /// Matches in which it was frozen.
    frozen: i64,
    /// The mean and the largest part of the CPU limit that it used.
    cpu_mean: Option<f64>,
    cpu_most: f64,
    /// By seat: matches and mean rank.
    seats: Vec<InSeat>,
    /// Those met most often first.
    rivals: Vec<Rival>,
    /// Other accepted players of its author in the season, the newest first.
    versions: Vec<Player>,
    /// The link to its module, for its author.
    module: Option<Link>,
    newest: Vec<Match>,
    /// Won by most, and lost by most.
    best: Vec<Match>,
    worst: Vec<Match>,
    /// Where it stands on the ladder, if it ever was there.
    ladder: Option<Place>,
}

/// How a player does in a seat.
#[derive(Serialize, JsonSchema)]
pub struct InSeat {
    matches: i64,
    mean_rank: Option<f64>,
}

/// How a player does against another.
#[derive(Serialize, JsonSchema)]
pub struct Rival {
    name: String,
    met: i64,
    /// The part of the meetings in which the player was ahead; a draw is half of one.
    ahead: f64,
}

/// A link to a module.
#[derive(Serialize, JsonSchema)]
pub struct Link {
    audience: Audience,
    /// What comes after `/modules/` in its address, here and on pages.
    token: String,
}

impl From<sharing::Link> for Link {
    fn from(link: sharing::Link) -> Link {
        Link { audience: link.audience, token: link.token }
    }
}

/// Which players.
#[derive(Deserialize, JsonSchema)]
pub struct Which {
    /// A part of the player's or the author's name.
    text: Option<String>,
    /// Where the last part ended: its `next`.
    cursor: Option<String>,
    #[schemars(range(min = 1, max = 100))]
    limit: Option<i64>,
}

impl Question for Which {}

pub async fn of_season(ask: Ask<String, Which>) -> Done<Json<ListPart<Player>>> {
    let season = season(&ask.site, &ask.path).await?;
    let slice = slice(ask.query.cursor.as_deref(), ask.query.limit)?;
    let names = sees_names(&ask.site, &ask.visitor).await?;
    // Names of accepted players are for everybody who is signed in.
    let everybody = Viewer { account: None, sees_all: true };
    let text = ask.query.text.unwrap_or_default();
    let filter = Filter { season: Some(season.id), stage: Some(Stage::Accepted), text, author: None };
    let found = submissions::slice(&ask.site.database, everybody, &filter, slice).await?;
    Ok(Json(ListPart::of(found, slice, |one| one.id.0, |one| Player::of(&ask.visitor, names, one))))
}

pub async fn show(ask: Ask<SubmissionId>) -> Done<Json<Record>> {
    let (id, database, visitor) = (ask.path, &ask.site.database, &ask.visitor);
    let player = page::visible(&ask.site, visitor, id).await?;
    let viewer = visitor.viewer();
    let played = matches::of_player(database, viewer, id, MOST_MATCHES).await?;
    let versions = submissions::versions(database, viewer, player.account_id, player.season_id).await?;
    let choice = representatives::of_account(database, player.season_id, player.account_id).await?;
    let is_own = ask.account()?.id == player.account_id;
    let link = if is_own { sharing::find(database, id).await? } else { None };
    let names = sees_names(&ask.site, visitor).await?;
    let summary = Summary::of(viewer, id, &played);
    let mut rivals: Vec<_> = summary.rivals.iter().collect();
    rivals.sort_by_key(|(name, (met, _))| (-met, *name));
    let rivals = rivals.into_iter().take(20).map(|(name, (met, ahead))| Rival {
        name: name.clone(),
        met: *met,
        ahead: *ahead as f64 / (2 * met) as f64,
    });
    let seats = Seat::ALL.map(|seat| {
        let (matches, ranks) = summary.seats[seat];
        InSeat { matches, mean_rank: (matches > 0).then(|| ranks as f64 / matches as f64) }
    });
    let (sum, metered, most) = summary.cpu;
    let (best, worst) = page::extremes(id, &played);
    let shown = |some: Vec<&matches::Match>| some.into_iter().map(|one| Match::of(visitor, one)).collect();
    Ok(Json(Record {
        is_representative: choice.representative().is_some_and(|one| one.submission == id),
        matches: summary.matches,
        wins: summary.wins,
        frozen: summary.frozen,
        cpu_mean: (metered > 0).then(|| sum as f64 / metered as f64 / 1e6),
        cpu_most: most as f64 / 1e6,
        seats: seats.into(),
        rivals: rivals.collect(),
        versions: versions.into_iter().filter(|one| one.id != id).map(|one| Player::of(visitor, names, one)).collect(),
        module: link.map(Link::from),
        ladder: ladder::place(&ask.site, visitor, id, is_own).await?,
        best: shown(best),
        worst: shown(worst),
        newest: played.iter().take(20).map(|one| Match::of(visitor, one)).collect(),
        player: Player::of(visitor, names, player),
    }))
}

/// For whom the module of a player is.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shared {
    /// Null ends the link.
    audience: Option<Audience>,
}

/// Makes a new link, which ends the one before.
pub async fn share(ask: Ask<SubmissionId, (), Json<Shared>>) -> Done<Json<Option<Link>>> {
    let player = page::visible(&ask.site, &ask.visitor, ask.path).await?;
    if player.account_id != ask.account()?.id {
        return Err(AppError::Forbidden.into());
    }
    if !sharing::set(&ask.site.database, ask.path, ask.body.0.audience).await? {
        return Err(wrong());
    }
    Ok(Json(sharing::find(&ask.site.database, ask.path).await?.map(Link::from)))
}

pub async fn module(ask: Ask<String>) -> Done<File> {
    Ok(File(page::module(State(ask.site), ask.visitor, Path(ask.path)).await?))
}
