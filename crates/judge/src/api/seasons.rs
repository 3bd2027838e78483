//! Seasons: dates, rules, what players are made with, and who stands for whom.

use axum::extract::{Path, State};
use ludus_sandbox::build::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::{Ask, Done, File, Json, Nothing, Text};
use super::lists::{ListPart, Moment, wrong};
use crate::ids::SubmissionId;
use crate::official::{entrants, representatives};
use crate::pages::manual::rules_of;
use crate::pages::seasons::{season, small_kit};
use crate::pages::{representative, submit};
use crate::seasons::{self, Phase};
use crate::web::AppError;
use crate::{content, exceptions};

/// A season.
#[derive(Serialize, JsonSchema)]
pub struct Season {
    /// Its name in addresses.
    slug: String,
    title: String,
    game: String,
    phase: &'static str,
    opens_at: Moment,
    deadline_at: Moment,
    /// Until when players of whoever asks are taken, with an exception if there is one.
    taken_until: Moment,
    /// Whether whoever asks has an exception.
    is_excepted: bool,
    /// Whether whoever asks may submit now.
    may_submit: bool,
    official_at: Moment,
    cpu_match_ms: i64,
    cpu_round_ms: Option<i64>,
    memory_mib: i64,
    source_kib: i64,
    longest_name: usize,
    /// The languages that players may be written in.
    languages: Vec<&'static str>,
}

fn word(phase: Phase) -> &'static str {
    match phase {
        Phase::Coming => "coming",
        Phase::Open => "open",
        Phase::Closing => "closing",
        Phase::Closed => "closed",
        Phase::Official => "official",
    }
}

async fn shown<P, Q, B>(ask: &Ask<P, Q, B>, one: seasons::Season) -> Done<Season> {
    let account = ask.account()?;
    let excepted = exceptions::until(&ask.site.database, one.id, account.id).await?;
    let longest_name = one.rules_of_game()?.about().longest_name;
    let time = ask.visitor.received_at;
    let rust = ask.site.settings.rust.then_some("rust");
    Ok(Season {
        phase: word(one.phase(time)),
        opens_at: Moment(one.opens_at),
        deadline_at: Moment(one.deadline_at),
        taken_until: Moment(one.closes_for(excepted)),
        is_excepted: excepted.is_some(),
        may_submit: account.may_submit() && one.admission(time, excepted).is_granted(),
        official_at: Moment(one.official_at),
        cpu_match_ms: one.match_ms,
        cpu_round_ms: one.round_ms,
        memory_mib: one.memory_mib,
        source_kib: one.source_kib,
        longest_name,
        languages: std::iter::once("cpp").chain(rust).collect(),
        slug: one.slug,
        title: one.title,
        game: one.game,
    })
}

pub async fn list(ask: Ask) -> Done<Json<ListPart<Season>>> {
    let mut all = Vec::new();
    for one in seasons::list(&ask.site.database).await? {
        all.push(shown(&ask, one).await?);
    }
    Ok(Json(ListPart::whole(all)))
}

pub async fn show(ask: Ask<String>) -> Done<Json<Season>> {
    let found = season(&ask.site, &ask.path).await?;
    Ok(Json(shown(&ask, found).await?))
}

/// The rules in Markdown.
pub async fn rules(ask: Ask<String>) -> Done<Text> {
    let found = season(&ask.site, &ask.path).await?;
    Ok(Text(rules_of(&found, ask.visitor.language).to_owned().into()))
}

pub async fn config(ask: Ask<String>) -> Done<Text> {
    Ok(Text(season(&ask.site, &ask.path).await?.config.into()))
}

/// What players can ask and order, in Markdown.
pub async fn api(ask: Ask<(String, String)>) -> Done<Text> {
    let found = season(&ask.site, &ask.path.0).await?;
    let text = content::api(&found.game, &ask.path.1, ask.visitor.language.code());
    Ok(Text(text.ok_or(AppError::NotFound)?.into()))
}

/// An example player.
#[derive(Serialize, JsonSchema)]
pub struct Example {
    file: &'static str,
    name: String,
    language: &'static str,
}

pub async fn examples(ask: Ask<String>) -> Done<Json<ListPart<Example>>> {
    let found = season(&ask.site, &ask.path).await?;
    let example = |(file, _): (&'static str, _)| {
        let language = Language::of(std::path::Path::new(file)).map_or("cpp", super::submissions::language);
        Example { file, name: content::name_of(file).to_owned(), language }
    };
    let all: Vec<Example> = content::players(&found.game).map(example).collect();
    let rust = ask.site.settings.rust;
    Ok(Json(ListPart::whole(all.into_iter().filter(|one| rust || one.language != "rust").collect())))
}

pub async fn example(ask: Ask<(String, String)>) -> Done<File> {
    Ok(File(submit::starter(State(ask.site), Path(ask.path)).await?))
}

/// Everything that is needed to work at home, as an archive.
pub async fn archive(ask: Ask<String>) -> Done<File> {
    Ok(File(small_kit(&ask.site, &ask.visitor, &ask.path).await?))
}

/// Who stands for whoever asks in official rounds.
#[derive(Serialize, JsonSchema)]
pub struct Representative {
    /// The player that stands for them.
    player: Option<Standing>,
    /// Whether they have chosen it; else it is the newest.
    is_chosen: bool,
    /// Those that may be chosen.
    candidates: Vec<Standing>,
    /// Whether their group plays the season.
    takes_part: bool,
    /// Whether they have left it.
    is_out: bool,
    /// The round that is being played, and by which player.
    playing: Option<Playing>,
}

/// A player that can stand for its author.
#[derive(Serialize, JsonSchema)]
pub struct Standing {
    id: SubmissionId,
    name: String,
}

/// A round that is being played.
#[derive(Serialize, JsonSchema)]
pub struct Playing {
    round: i64,
    player: String,
}

pub async fn representative(ask: Ask<String>) -> Done<Json<Representative>> {
    let (site, account) = (&ask.site, ask.account()?);
    let found = season(site, &ask.path).await?;
    let choice = representatives::of_account(&site.database, found.id, account.id).await?;
    let shown = |one: &representatives::Candidate| Standing { id: one.submission, name: one.name.clone() };
    let playing = representative::playing(site, &found, account.id).await?;
    Ok(Json(Representative {
        player: choice.representative().map(shown),
        is_chosen: choice.chosen.is_some(),
        candidates: choice.candidates.iter().map(shown).collect(),
        takes_part: entrants::is_of_season(&site.database, found.id, account.id).await?,
        is_out: representative::is_out(site, &found, account.id).await?,
        playing: playing.map(|(round, player)| Playing { round, player }),
    }))
}

/// A player that shall stand for its author.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    player: SubmissionId,
}

pub async fn choose(ask: Ask<String, (), Json<Chosen>>) -> Done<Nothing> {
    let account = ask.account()?;
    let found = season(&ask.site, &ask.path).await?;
    let mut tx = ask.site.database.begin().await?;
    if !representatives::choose(&mut tx, found.id, account.id, ask.body.0.player).await? {
        tx.rollback().await?;
        return Err(wrong());
    }
    tx.commit().await?;
    Ok(Nothing)
}
