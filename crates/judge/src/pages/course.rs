//! The course: its title, and the words that names may not contain.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::get;
use maud::html;

use super::layout::{Field, Sheet};
use crate::actions::{self, Action, Entry};
use crate::course::{self, Course, Names};
use crate::frame::read_link;
use crate::texts;
use crate::web::{Answer, AppError, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new().route("/course", get(show).post(save))
}

const LONGEST_LIST: usize = 50_000;
const MOST_LINKS: usize = 12;

async fn show(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    visitor.instructor()?;
    let course = course::find(&site.database).await?;
    let links = course::links(&site.database).await?;
    let title = visitor.t(texts::COURSE);
    let body = html! {
        (visitor.said(query.get("said").map(String::as_str)))
        div.narrow {
            div.title {
                h1 { (title) }
                a.button.quiet href="/actions" { (visitor.t(texts::ACTIONS)) }
            }
            form.card method="post" {
                (visitor.token())
                (Field { name: "title", label: visitor.t(texts::TITLE), value: &course.title, ..Field::default() }.html())
                div.field {
                    label for="words" { (visitor.t(texts::REFUSED_WORDS)) }
                    textarea #words name="words" rows="12" aria-describedby="words-hint" { (course.refused_words) }
                    p.hint #words-hint { (visitor.t(texts::REFUSED_WORDS_HINT)) }
                }
                div.field {
                    label for="names" { (visitor.t(texts::NAMES)) }
                    select #names name="names" aria-describedby="names-hint" {
                        @for one in Names::ALL { option value=(one.word()) selected[one == course.names] { (visitor.t(texts::names(one))) } }
                    }
                    p.hint #names-hint { (visitor.t(texts::NAMES_HINT)) }
                }
                div.field {
                    label for="links" { (visitor.t(texts::COURSE_LINKS)) }
                    textarea #links name="links" rows="4" aria-describedby="links-hint" { (links) }
                    p.hint #links-hint { (visitor.t(texts::COURSE_LINKS_HINT)) }
                }
                div.finish { button { (visitor.t(texts::SAVE)) } }
            }
        }
    };
    Ok(visitor.page(&Sheet { title, body, ..Sheet::default() }).into_response())
}

async fn save(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let title: String = fields.get("title").chars().filter(|c| !c.is_control()).take(80).collect();
    let words = fields.raw("words");
    if title.is_empty() || words.len() > LONGEST_LIST {
        return Err(AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, texts::BAD_REQUEST));
    }
    let names = match fields.get("names") {
        "" => course::find(&site.database).await?.names,
        word => Names::of(word).ok_or(AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, texts::BAD_REQUEST))?,
    };
    let links = fields.raw("links").replace("\r\n", "\n");
    let lines: Vec<&str> = links.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.len() > MOST_LINKS || lines.iter().any(|line| read_link(line).is_none()) {
        return Err(AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, texts::COURSE_LINK_WRONG));
    }
    course::set_links(&site.database, &lines.join("\n")).await?;
    course::update(&site.database, &Course { title, refused_words: words.replace("\r\n", "\n"), names }).await?;
    actions::note(&site.database, &Entry::new(actor.id, Action::ChangeCourse)).await?;
    site.frames.forget();
    Ok(Redirect::to("/course?said=saved").into_response())
}
