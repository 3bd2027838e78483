//! Making a final, playing it in advance, cancelling it: for instructors.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};

use super::finals::the_final;
use super::layout::{Field, Sheet};
use super::retirement::reason;
use super::season_form::slug;
use super::seasons::crumbs;
use crate::actions::{self, Action, Entry};
use crate::official::finals::{self, MOST_FINALISTS, Refusal, Sent, Start};
use crate::official::standing;
use crate::seasons::{self, Season};
use crate::texts;
use crate::web::{Answer, AppError, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/finals/new", get(form).post(make))
        .route("/finals/{slug}/play", post(play))
        .route("/finals/{slug}/cancel", post(cancel))
}

/// A season that has had official rounds, and how many are still in.
struct Candidate {
    season: Season,
    left: usize,
    authors: usize,
}

/// The seasons that somebody can come from.
async fn candidates(site: &Site) -> Result<Vec<Candidate>, AppError> {
    let mut all = Vec::new();
    for season in seasons::list(&site.database).await? {
        let course = standing::find(&site.database, season.id).await?;
        if course.authors() > 0 {
            all.push(Candidate { season, left: course.left().len(), authors: course.authors() });
        }
    }
    Ok(all)
}

async fn form(State(site): State<Site>, visitor: Visitor) -> Answer {
    visitor.instructor()?;
    Ok(page(&visitor, &candidates(&site).await?, &Fields::default(), None).into_response())
}

fn page(visitor: &Visitor, all: &[Candidate], sent: &Fields, problem: Option<String>) -> Markup {
    let title = visitor.t(texts::FINAL_NEW);
    let body = html! {
        @if let Some(problem) = problem { p.notice.bad role="alert" { (problem) } }
        h1 { (title) }
        p.lead { (visitor.t(texts::FINAL_NEW_HINT)) }
        @if all.is_empty() { (visitor.empty(texts::FINAL_NO_SEASONS, &html! { (visitor.t(texts::FINAL_NO_SEASONS_HINT)) " " a href="/seasons/new" { (visitor.t(texts::NEW_SEASON)) } })) }
        @else {
            form.card method="post" action="/finals/new" {
                (visitor.token())
                (Field { name: "title", label: visitor.t(texts::TITLE), value: sent.get("title"), ..Field::default() }.html())
                fieldset {
                    legend { (visitor.t(texts::FINAL_FROM)) }
                    p.hint { (visitor.t(texts::FINAL_FROM_HINT)) }
                    @for one in all { (season_field(visitor, one, sent)) }
                }
                div.finish { button { (visitor.t(texts::FINAL_MAKE)) } }
            }
        }
    };
    visitor.page(&Sheet { title, crumbs: crumbs(visitor, None), body, ..Sheet::default() })
}

fn season_field(visitor: &Visitor, one: &Candidate, sent: &Fields) -> Markup {
    let game = ludus_games::find(&one.season.game).map_or("", |game| game.about().title);
    let name = format!("season-{}", one.season.id);
    let (left, authors) = (one.left.to_string(), one.authors.to_string());
    let hint = visitor.fill(texts::FINAL_OF_SEASON, &[("game", game), ("left", &left), ("all", &authors)]);
    let field = Field {
        name: &name,
        label: &one.season.title,
        kind: "number",
        hint: &hint,
        required: false,
        ..Field::default()
    };
    Field { value: sent.get(&name), ..field }.html()
}

async fn make(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let all = candidates(&site).await?;
    let title: String = fields.get("title").chars().filter(|c| !c.is_control()).take(80).collect();
    let mut sent = Vec::new();
    for one in &all {
        let wanted = fields.get(&format!("season-{}", one.season.id));
        match wanted.parse::<usize>() {
            Ok(0) => {}
            Ok(finalists) if finalists <= MOST_FINALISTS => sent.push(Sent { season: one.season.clone(), finalists }),
            Err(_) if wanted.is_empty() => {}
            _ => return Ok(refused(&visitor, &all, &fields, visitor.t(texts::FINALISTS_WRONG).to_owned())),
        }
    }
    if title.is_empty() {
        return Ok(refused(&visitor, &all, &fields, visitor.t(texts::FINAL_NO_TITLE).to_owned()));
    }
    let plain = slug(&title);
    for attempt in 1..=50 {
        let slug = if attempt == 1 { plain.clone() } else { format!("{plain}-{attempt}") };
        let mut tx = site.database.begin().await?;
        match finals::make(&mut tx, &slug, &title, &sent).await? {
            Ok(made) => {
                let entry =
                    Entry { season: Some(made.season_id), detail: &title, ..Entry::new(actor.id, Action::MakeFinal) };
                actions::record(&mut tx, &entry).await?;
                tx.commit().await?;
                return Ok(Redirect::to(&format!("/finals/{slug}")).into_response());
            }
            Err(Refusal::Slug) => tx.rollback().await?,
            Err(refusal) => {
                tx.rollback().await?;
                return Ok(refused(&visitor, &all, &fields, why(&visitor, &refusal)));
            }
        }
    }
    Err(AppError::Refused(StatusCode::CONFLICT, texts::BAD_REQUEST))
}

fn refused(visitor: &Visitor, all: &[Candidate], fields: &Fields, problem: String) -> Response {
    (StatusCode::UNPROCESSABLE_ENTITY, page(visitor, all, fields, Some(problem))).into_response()
}

fn why(visitor: &Visitor, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Games => visitor.t(texts::FINAL_GAMES).to_owned(),
        Refusal::StillIn(season, count) => {
            visitor.fill(texts::FINAL_TOO_MANY_IN, &[("season", season), ("count", &count.to_string())])
        }
        Refusal::TooFew(season, count) => {
            visitor.fill(texts::FINAL_TOO_FEW, &[("season", season), ("count", &count.to_string())])
        }
        Refusal::Count(count) => {
            visitor.fill(texts::FINAL_COUNT, &[("count", &count.to_string()), ("most", &MOST_FINALISTS.to_string())])
        }
        Refusal::Slug => visitor.t(texts::BAD_REQUEST).to_owned(),
    }
}

async fn play(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, _: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let found = the_final(&site, &slug).await?;
    let mut tx = site.database.begin().await?;
    let text = match finals::start(&mut tx, &site.queue, found.id).await? {
        Start::Begun => {
            let entry = Entry {
                season: Some(found.season_id),
                detail: &found.title,
                ..Entry::new(actor.id, Action::PlayFinal)
            };
            actions::record(&mut tx, &entry).await?;
            tx.commit().await?;
            site.queue.announce();
            return Ok(Redirect::to(&format!("/finals/{slug}")).into_response());
        }
        Start::TooLate => texts::FINAL_TOO_LATE,
        Start::NobodyLeft => texts::FINAL_NOBODY,
    };
    tx.rollback().await?;
    Err(AppError::Refused(StatusCode::CONFLICT, text))
}

async fn cancel(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let found = the_final(&site, &slug).await?;
    let reason = reason(&fields)?;
    let mut tx = site.database.begin().await?;
    if !finals::cancel(&mut tx, found.id).await? {
        tx.rollback().await?;
        return Err(AppError::Refused(StatusCode::CONFLICT, texts::FINAL_TOO_LATE));
    }
    let entry = Entry::new(actor.id, Action::CancelFinal);
    let entry = Entry { season: Some(found.season_id), detail: &found.title, reason: &reason, ..entry };
    actions::record(&mut tx, &entry).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("/finals/{slug}")).into_response())
}
