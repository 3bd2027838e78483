//! The course: its news and incidents, how the judge is doing, the key that it
//! signs rounds with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::{Ask, Done, Json, Question, Text};
use super::lists::{ListPart, Moment, slice};
use crate::ids::NewsId;
use crate::news::{self, Kind, in_language};
use crate::queue::{self, Priority};
use crate::texts::{self, Language};
use crate::web::AppError;
use crate::{course, submissions};

/// News, or an incident, in the language of whoever asks.
#[derive(Serialize, JsonSchema)]
pub struct News {
    id: NewsId,
    kind: Kind,
    title: String,
    /// In Markdown.
    text: String,
    created_at: Moment,
    changed_at: Moment,
    /// When an incident was over.
    ended_at: Option<Moment>,
}

impl News {
    fn of(one: &news::News, language: Language) -> News {
        News {
            id: one.id,
            kind: one.kind,
            title: in_language(&one.titles, language).to_owned(),
            text: in_language(&one.texts, language).to_owned(),
            created_at: Moment(one.created_at),
            changed_at: Moment(one.changed_at),
            ended_at: one.ended_at.map(Moment),
        }
    }
}

/// A part of a list.
#[derive(Deserialize, JsonSchema)]
pub struct Paging {
    /// Where the last part ended: its `next`.
    pub cursor: Option<String>,
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<i64>,
}

impl Question for Paging {}

pub async fn list(ask: Ask<(), Paging>) -> Done<Json<ListPart<News>>> {
    let slice = slice(ask.query.cursor.as_deref(), ask.query.limit)?;
    let found = news::slice(&ask.site.database, slice).await?;
    Ok(Json(ListPart::of(found, slice, |one| one.id.0, |one| News::of(&one, ask.visitor.language))))
}

pub async fn show(ask: Ask<NewsId>) -> Done<Json<News>> {
    let found = news::find(&ask.site.database, ask.path).await?.ok_or(AppError::NotFound)?;
    Ok(Json(News::of(&found, ask.visitor.language)))
}

/// How the judge is doing.
#[derive(Serialize, JsonSchema)]
pub struct Status {
    /// Whether everything works and no incident is open.
    is_good: bool,
    /// Why no work is taken, if so.
    trouble: Option<String>,
    workers: i64,
    /// How long a verdict takes, in milliseconds.
    expected_wait_ms: Option<i64>,
    work: Vec<Work>,
    last_incident: Option<News>,
}

/// Work of one kind.
#[derive(Serialize, JsonSchema)]
pub struct Work {
    kind: &'static str,
    waiting: i64,
    running: i64,
}

fn word(priority: Priority) -> &'static str {
    match priority {
        Priority::Official => "official",
        Priority::Verification => "verification",
        Priority::Training => "training",
        Priority::Ladder => "ladder",
        Priority::Comparison => "comparison",
    }
}

pub async fn status(ask: Ask) -> Done<Json<Status>> {
    let (site, language) = (&ask.site, ask.visitor.language);
    let health = site.queue.health(&site.store).await;
    let load = queue::load(&site.database).await?;
    let last = news::last_incident(&site.database).await?;
    let work = load.iter().map(|one| Work { kind: word(one.priority), waiting: one.waiting, running: one.running });
    Ok(Json(Status {
        is_good: health.is_good() && ask.visitor.frame.incidents.is_empty(),
        trouble: health.paused.map(|trouble| language.of_text(texts::trouble(trouble)).to_owned()),
        workers: health.workers,
        expected_wait_ms: submissions::expected_wait(&site.database).await?,
        work: work.collect(),
        last_incident: last.map(|one| News::of(&one, language)),
    }))
}

/// The course.
#[derive(Serialize, JsonSchema)]
pub struct Course {
    title: String,
    /// The course's own links.
    links: Vec<Link>,
    version: &'static str,
}

/// A link of the course.
#[derive(Serialize, JsonSchema)]
pub struct Link {
    title: String,
    address: String,
}

pub async fn course(ask: Ask) -> Done<Json<Course>> {
    let links = ask.visitor.frame.links.iter();
    let links = links.map(|one| Link { title: one.title.clone(), address: one.address.clone() }).collect();
    let title = course::find(&ask.site.database).await?.title;
    Ok(Json(Course { title, links, version: env!("CARGO_PKG_VERSION") }))
}

/// The public key of the course, as `ludus verify --key` takes it.
pub async fn key(ask: Ask) -> Done<Text> {
    Ok(Text(crate::pages::rounds::key_text(&ask.site).into()))
}
