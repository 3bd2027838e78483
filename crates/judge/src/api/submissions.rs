//! Submissions: handed in, followed, looked at.

use axum::extract::{Path, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::{Ask, Done, File, Json, Made, Nothing, Question, Source};
use super::lists::{ListPart, Moment, no_such, slice, wrong};
use crate::database::now;
use crate::ids::{MatchId, SubmissionId};
use crate::matches::{self, Match, Step};
use crate::pages::seasons::season;
use crate::pages::submissions::{self as page, StepState};
use crate::pages::verdict;
use crate::reception::{self, Refused};
use crate::submissions::{self, Filter, Reason, Stage, Submission as Stored, Verdict};
use crate::texts;
use crate::web::{Problem, Visitor};
use crate::{log, seasons};

/// A submission in a list.
#[derive(Serialize, JsonSchema)]
pub struct Submission {
    id: SubmissionId,
    /// The player's name.
    name: String,
    season: String,
    /// The name of its author, for instructors.
    author: Option<String>,
    stage: Stage,
    language: &'static str,
    file_name: String,
    is_public: bool,
    created_at: Moment,
    decided_at: Option<Moment>,
}

impl Submission {
    fn of(visitor: &Visitor, one: Stored) -> Submission {
        Submission {
            id: one.id,
            name: one.name,
            season: one.season_slug,
            author: visitor.is_instructor().then_some(one.author),
            stage: one.stage,
            language: language(one.language),
            file_name: one.file_name,
            is_public: one.is_public,
            created_at: Moment(one.created_at),
            decided_at: one.decided_at.map(Moment),
        }
    }
}

pub fn language(language: ludus_sandbox::build::Language) -> &'static str {
    match language {
        ludus_sandbox::build::Language::Cpp => "cpp",
        ludus_sandbox::build::Language::Rust => "rust",
    }
}

/// A submission with its verdict, or how far it has come.
#[derive(Serialize, JsonSchema)]
pub struct Progress {
    submission: Submission,
    /// Whether there is a verdict, after which only instructors change anything.
    is_decided: bool,
    /// The verdict in a word or two.
    verdict: String,
    /// Why it was rejected or retired.
    reason: Option<Why>,
    steps: Vec<Stepped>,
    /// Whether the judge is in trouble and no work is done.
    is_delayed: bool,
    /// Submissions that are decided before this one.
    ahead: i64,
    /// How long its verdict takes, in milliseconds, while there is none.
    expected_wait_ms: Option<i64>,
}

/// Why a player was rejected or retired.
#[derive(Serialize, JsonSchema)]
pub struct Why {
    code: &'static str,
    text: String,
    /// What the compiler says.
    messages: Option<String>,
    /// The match that shows it.
    cause: Option<MatchId>,
}

/// A step of the verification.
#[derive(Serialize, JsonSchema)]
pub struct Stepped {
    label: String,
    state: StepState,
    /// The match, once it is played.
    played: Option<MatchId>,
    /// Scores by seat, once it is played.
    scores: Vec<i64>,
}

/// Which submissions.
#[derive(Deserialize, JsonSchema)]
pub struct Which {
    /// The season's name in addresses.
    season: Option<String>,
    stage: Option<Stage>,
    /// A part of the player's or the author's name.
    text: Option<String>,
    /// Where the last part ended: its `next`.
    cursor: Option<String>,
    #[schemars(range(min = 1, max = 100))]
    limit: Option<i64>,
}

impl Question for Which {}

pub async fn list(ask: Ask<(), Which>) -> Done<Json<ListPart<Submission>>> {
    let query = ask.query;
    let slice = slice(query.cursor.as_deref(), query.limit)?;
    let season = match query.season {
        Some(slug) => Some(seasons::find(&ask.site.database, &slug).await?.ok_or_else(|| no_such("season"))?.id),
        None => None,
    };
    let filter = Filter { season, stage: query.stage, text: query.text.unwrap_or_default(), author: None };
    let found = submissions::slice(&ask.site.database, ask.visitor.viewer(), &filter, slice).await?;
    Ok(Json(ListPart::of(found, slice, |one| one.id.0, |one| Submission::of(&ask.visitor, one))))
}

pub async fn show(ask: Ask<SubmissionId>) -> Done<Json<Progress>> {
    let submission = page::visible(&ask.site, &ask.visitor, ask.path).await?;
    let played = matches::of_submission(&ask.site.database, ask.path).await?;
    let mut told = progress(&ask.visitor, submission, &played);
    if !told.is_decided {
        told.is_delayed = ask.site.queue.trouble().await?.is_some();
        told.ahead = submissions::mark(&ask.site.database, ask.path).await?.map_or(0, |mark| mark.ahead);
        told.expected_wait_ms = submissions::pace(&ask.site.database).await?.map(|pace| pace.wait(told.ahead + 1));
    }
    Ok(Json(told))
}

fn progress(visitor: &Visitor, submission: Stored, played: &[Match]) -> Progress {
    let plain = |label, state| Stepped { label, state, played: None, scores: Vec::new() };
    let mut steps = vec![
        plain(visitor.t(texts::STEP_CHECK).to_owned(), StepState::Done),
        plain(visitor.t(texts::STEP_COMPILE).to_owned(), page::compile_state(&submission)),
    ];
    for step in Step::all() {
        let found = played.iter().find(|one| one.verifies.is_some_and(|(_, of)| of == step));
        let over = found.filter(|one| one.played);
        let scores = over.map_or(Vec::new(), |one| one.seats.iter().map(|seat| seat.score.unwrap_or(0)).collect());
        steps.push(Stepped {
            label: page::match_label(visitor, step),
            state: page::match_state(&submission, found, step),
            played: over.map(|one| one.id),
            scores,
        });
    }
    let verdict = match submission.stage {
        Stage::Accepted => texts::VERDICT_ACCEPTED,
        Stage::Rejected => texts::VERDICT_REJECTED,
        Stage::Retired => texts::VERDICT_RETIRED,
        Stage::Waiting | Stage::Compiling | Stage::Playing => texts::VERDICT_PENDING,
    };
    Progress {
        is_decided: submission.stage.is_verdict(),
        verdict: visitor.t(verdict).to_owned(),
        reason: why(visitor, &submission, played),
        steps,
        is_delayed: false,
        ahead: 0,
        expected_wait_ms: None,
        submission: Submission::of(visitor, submission),
    }
}

fn why(visitor: &Visitor, submission: &Stored, played: &[Match]) -> Option<Why> {
    if let Some(reason) = &submission.retired {
        let text = verdict::retired_because(visitor, reason);
        return Some(Why { code: "retired", text, messages: None, cause: None });
    }
    let Some(Verdict::Rejected(why)) = &submission.verdict else { return None };
    let cause = played.iter().find(|one| why.cause() == Some(one.id));
    let messages = if let Reason::Compiler(messages) = why { Some(messages.clone()) } else { None };
    let text = verdict::reason(visitor, &submission.name, why, cause);
    Some(Why { code: why.word(), text, messages, cause: cause.map(|one| one.id) })
}

/// What a source file is called.
#[derive(Deserialize, JsonSchema)]
pub struct Named {
    /// By its ending the language is told; without one by what is in it.
    file_name: Option<String>,
}

impl Question for Named {}

/// What has been taken in.
#[derive(Serialize, JsonSchema)]
pub struct Taken {
    id: SubmissionId,
}

pub async fn submit(ask: Ask<String, Named, Source>) -> Done<Made<Taken>> {
    let season = season(&ask.site, &ask.path).await?;
    // The whole file is here now: whoever is slow has the season's grace.
    let (account, received_at) = (ask.account()?, now());
    reception::admit(&ask.site, account, &season, received_at).await?;
    let name = ask.query.file_name.as_deref().unwrap_or_default();
    let name: String = name.chars().filter(|c| log::is_plain(*c)).take(100).collect();
    match reception::receive(&ask.site, account, &season, (&name, &ask.body.0), received_at).await? {
        Ok(id) => Ok(Made(Taken { id })),
        Err(refused) => Err(problem(refused)),
    }
}

/// Says what would be wrong with a file if it were handed in now, as far as reading it
/// can tell.
pub async fn check(ask: Ask<String, Named, Source>) -> Done<Nothing> {
    let season = season(&ask.site, &ask.path).await?;
    reception::admit(&ask.site, ask.account()?, &season, now()).await?;
    let name = ask.query.file_name.as_deref().unwrap_or_default();
    match reception::foresee(&ask.site, &season, (name, &ask.body.0)).await? {
        None => Ok(Nothing),
        Some(refused) => Err(problem(refused)),
    }
}

fn problem(refused: Refused) -> Problem {
    let problem = Problem::in_field("source", refused.text).at_line(refused.line);
    let about = refused.about.into_iter().filter(|(_, value)| !value.is_empty());
    about.fold(problem, |problem, (name, value)| problem.with(name, &value))
}

pub async fn source(ask: Ask<SubmissionId>) -> Done<File> {
    Ok(File(page::source_file(State(ask.site), ask.visitor, Path(ask.path)).await?))
}

/// Makes a player public, for ever.
pub async fn publish(ask: Ask<SubmissionId>) -> Done<Nothing> {
    crate::pages::training_form::make_public(&ask.site, &ask.visitor, ask.path)
        .await?
        .then_some(Nothing)
        .ok_or_else(wrong)
}
