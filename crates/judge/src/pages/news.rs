//! News and incidents: the list, the feed, and writing.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, PreEscaped, html};

use super::layout::{Field, Sheet};
use super::prose::markdown;
use crate::actions::{self, Action, Entry};
use crate::database::Page;
use crate::ids::NewsId;
use crate::news::{self, InLanguages, Kind, News, Written, in_language};
use crate::texts::{self, Language, Text};
use crate::web::{Answer, AppError, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/news", get(list).post(add))
        .route("/news.atom", get(feed))
        .route("/news/new", get(write))
        .route("/news/{id}", get(show).post(change))
        .route("/news/{id}/edit", get(edit))
        .route("/news/{id}/end", post(end))
}

const LONGEST_TITLE: usize = 120;
const LONGEST_TEXT: usize = 20_000;

async fn list(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    let page = Page::new(query.get("page").and_then(|page| page.parse().ok()));
    let listed = news::list(&site.database, page).await?;
    let title = visitor.t(texts::NEWS);
    let body = html! {
        div.title {
            h1 { (title) }
            div.actions {
                a.button.quiet href={ "/news.atom?language=" (visitor.language.code()) } { (visitor.t(texts::NEWS_FEED)) }
                @if visitor.is_instructor() { a.button href="/news/new" { (visitor.t(texts::WRITE_NEWS)) } }
            }
        }
        (visitor.said(query.get("said").map(String::as_str)))
        @if listed.items.is_empty() { (visitor.empty(texts::NO_NEWS, &html! { (visitor.t(texts::NO_NEWS_HINT)) " " a href="/" { (visitor.t(texts::SEASONS)) } })) }
        @for one in &listed.items {
            (article(&visitor, one, &html! { h2 { a href={ "/news/" (one.id) } { (in_language(&one.titles, visitor.language)) } } }))
        }
        (visitor.pager(&listed, ""))
    };
    Ok(visitor.page(&Sheet { title, body, ..Sheet::default() }).into_response())
}

fn article(visitor: &Visitor, one: &News, heading: &Markup) -> Markup {
    html! {
        article.card.news {
            (heading)
            p.quiet {
                (one.author) " · " (visitor.time(one.created_at))
                @if one.kind == Kind::Incident { " · " (visitor.t(texts::INCIDENT)) " " (state(visitor, one)) }
            }
            div.prose { (PreEscaped(markdown(in_language(&one.texts, visitor.language)))) }
        }
    }
}

/// Whether an incident is over.
pub fn state(visitor: &Visitor, one: &News) -> Markup {
    let (class, text) =
        if one.ended_at.is_some() { ("accepted", texts::INCIDENT_OVER) } else { ("rejected", texts::INCIDENT_OPEN) };
    html! {
        span class={ "badge " (class) } { (visitor.t(text)) }
        @if let Some(time) = one.ended_at { " " (visitor.time(time)) }
    }
}

async fn found(site: &Site, id: NewsId) -> Result<News, AppError> {
    news::find(&site.database, id).await?.ok_or(AppError::NotFound)
}

fn crumbs(visitor: &Visitor) -> Vec<(String, String)> {
    vec![("/news".to_owned(), visitor.t(texts::NEWS).to_owned())]
}

async fn show(State(site): State<Site>, visitor: Visitor, Path(id): Path<NewsId>) -> Answer {
    let one = found(&site, id).await?;
    let title = in_language(&one.titles, visitor.language);
    let body = html! {
        (article(&visitor, &one, &html! { h1 { (title) } }))
        @if visitor.is_instructor() {
            div.actions {
                a.button.quiet href={ "/news/" (id) "/edit" } { (visitor.t(texts::EDIT_NEWS)) }
                @if one.is_open_incident() {
                    form method="post" action={ "/news/" (id) "/end" } { (visitor.token()) button { (visitor.t(texts::END_INCIDENT)) } }
                }
            }
        }
    };
    Ok(visitor.page(&Sheet { title, crumbs: crumbs(&visitor), body, ..Sheet::default() }).into_response())
}

/// The newest news for feed readers, in one language.
async fn feed(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    let language = query.get("language").and_then(|code| Language::of(code)).unwrap_or(visitor.language);
    let listed = news::list(&site.database, Page::new(None)).await?;
    let course = crate::course::find(&site.database).await?;
    let stamp = |ms: i64| jiff::Timestamp::from_millisecond(ms).unwrap_or_default().to_string();
    let updated = listed.items.iter().map(|one| one.changed_at).max().unwrap_or(0);
    let base = &visitor.base;
    let xml = html! {
        feed xmlns="http://www.w3.org/2005/Atom" xml:lang=(language.code()) {
            title { (course.title) }
            id { (base) "/news" }
            updated { (stamp(updated)) }
            link rel="self" href={ (base) "/news.atom?language=" (language.code()) } {}
            link href={ (base) "/news" } {}
            @for one in &listed.items {
                entry {
                    title { (in_language(&one.titles, language)) }
                    id { (base) "/news/" (one.id) }
                    link href={ (base) "/news/" (one.id) } {}
                    published { (stamp(one.created_at)) }
                    updated { (stamp(one.changed_at)) }
                    author { name { (one.author) } }
                    content type="html" { (markdown(in_language(&one.texts, language))) }
                }
            }
        }
    };
    let kind = [(header::CONTENT_TYPE, "application/atom+xml; charset=utf-8"), (header::CACHE_CONTROL, "max-age=60")];
    // maud writes void elements of HTML without an end, which XML needs.
    let xml = xml.into_string().replace("\"></link>", "\"/>");
    Ok((kind, format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{xml}")).into_response())
}

async fn write(visitor: Visitor) -> Answer {
    visitor.instructor()?;
    let empty = Written { kind: Kind::News, titles: InLanguages::default(), texts: InLanguages::default() };
    Ok(form(&visitor, None, &empty, None))
}

async fn edit(State(site): State<Site>, visitor: Visitor, Path(id): Path<NewsId>) -> Answer {
    visitor.instructor()?;
    let one = found(&site, id).await?;
    Ok(form(&visitor, Some(id), &Written { kind: one.kind, titles: one.titles, texts: one.texts }, None))
}

fn form(visitor: &Visitor, id: Option<NewsId>, written: &Written, problem: Option<Text>) -> Response {
    let title = visitor.t(if id.is_some() { texts::EDIT_NEWS } else { texts::WRITE_NEWS });
    let action = id.map_or("/news".to_owned(), |id| format!("/news/{id}"));
    let body = html! {
        h1 { (title) }
        p.quiet { (visitor.t(texts::NEWS_LANGUAGES_HINT)) }
        @if let Some(problem) = problem { p.notice.bad role="alert" { (visitor.t(problem)) } }
        form.card method="post" action=(action) {
            (visitor.token())
            @if id.is_none() {
                div.field {
                    label for="kind" { (visitor.t(texts::NEWS_KIND)) }
                    select #kind name="kind" { @for (kind, text) in [(Kind::News, texts::KIND_NEWS), (Kind::Incident, texts::KIND_INCIDENT)] {
                        option value=(kind.word()) selected[written.kind == kind] { (visitor.t(text)) }
                    } }
                }
            }
            @for language in Language::ALL {
                @let (code, named) = (language.code(), [("language", language.name())]);
                fieldset lang=(code) {
                    (Field { name: &format!("title-{code}"), label: &visitor.fill(texts::TITLE_IN, &named), value: &written.titles[language as usize], required: false, ..Field::default() }.html())
                    div.field {
                        label for={ "text-" (code) } { (visitor.fill(texts::TEXT_IN, &named)) }
                        textarea id={ "text-" (code) } name={ "text-" (code) } rows="6" { (written.texts[language as usize]) }
                    }
                }
            }
            div.finish { button { (visitor.t(texts::PUBLISH)) } }
        }
    };
    let page = visitor.page(&Sheet { title, crumbs: crumbs(visitor), body, ..Sheet::default() });
    let status = if problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    (status, page).into_response()
}

/// A text without what a feed may not hold, and no page needs.
fn plain(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    text.chars()
        .filter(|&c| !(c.is_control() && c != '\n' && c != '\t' || matches!(c, '\u{fffe}' | '\u{ffff}')))
        .collect()
}

/// What a form says, and what is wrong with it.
fn read(fields: &Fields) -> (Written, Option<Text>) {
    let kind = Kind::of(fields.get("kind")).unwrap_or(Kind::News);
    let titles = Language::ALL.map(|language| plain(fields.get(&format!("title-{}", language.code()))));
    let texts = Language::ALL.map(|language| plain(fields.raw(&format!("text-{}", language.code()))));
    let is_long = titles.iter().any(|title| title.chars().count() > LONGEST_TITLE)
        || texts.iter().any(|text| text.chars().count() > LONGEST_TEXT);
    let problem = match () {
        () if is_long => Some(texts::NEWS_TOO_LONG),
        () if titles.iter().all(String::is_empty) => Some(texts::NEWS_NEEDS_TITLE),
        () => None,
    };
    (Written { kind, titles, texts }, problem)
}

async fn add(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let actor = visitor.instructor()?.id;
    let (written, problem) = read(&fields);
    if problem.is_some() {
        return Ok(form(&visitor, None, &written, problem));
    }
    let mut tx = site.database.begin().await?;
    let id = news::add(&mut tx, actor, &written).await?;
    let detail = in_language(&written.titles, Language::English);
    actions::record(&mut tx, &Entry { detail, ..Entry::new(actor, Action::PublishNews) }).await?;
    tx.commit().await?;
    site.frames.forget();
    Ok(Redirect::to(&format!("/news/{id}")).into_response())
}

async fn change(State(site): State<Site>, visitor: Visitor, Path(id): Path<NewsId>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?.id;
    found(&site, id).await?;
    let (written, problem) = read(&fields);
    if problem.is_some() {
        return Ok(form(&visitor, Some(id), &written, problem));
    }
    let mut tx = site.database.begin().await?;
    news::change(&mut tx, id, &written).await?;
    let detail = in_language(&written.titles, Language::English);
    actions::record(&mut tx, &Entry { detail, ..Entry::new(actor, Action::ChangeNews) }).await?;
    tx.commit().await?;
    site.frames.forget();
    Ok(Redirect::to(&format!("/news/{id}")).into_response())
}

async fn end(State(site): State<Site>, visitor: Visitor, Path(id): Path<NewsId>, _: Fields) -> Answer {
    let actor = visitor.instructor()?.id;
    let one = found(&site, id).await?;
    let mut tx = site.database.begin().await?;
    if news::end(&mut tx, id).await? {
        let detail = in_language(&one.titles, Language::English);
        actions::record(&mut tx, &Entry { detail, ..Entry::new(actor, Action::EndIncident) }).await?;
    }
    tx.commit().await?;
    site.frames.forget();
    Ok(Redirect::to(&format!("/news/{id}")).into_response())
}
