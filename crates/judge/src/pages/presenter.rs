//! The presenter of a final: one key for the next step, the match in the viewer,
//! and what everybody sees. Only instructors come here.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::HeaderMap;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{get, post};
use maud::{DOCTYPE, Markup, html};

use super::final_stage::{Eyes, now};
use super::finals::the_final;
use crate::actions::{self, Action, Entry};
use crate::official::finals::State as Phase;
use crate::official::show::{self, Revealed, Show, Step};
use crate::texts;
use crate::web::{Answer, AppError, Fields, Site, Visitor, assets};

pub fn routes() -> Router<Site> {
    Router::new().route("/finals/{slug}/present", get(present)).route("/finals/{slug}/next", post(next))
}

/// The speeds of the viewer, and the one that a show begins with.
const SPEEDS: [&str; 6] = ["1", "2", "4", "8", "16", "32"];
const USUAL_SPEED: &str = "4";

async fn present(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>) -> Answer {
    visitor.instructor()?;
    let found = the_final(&site, &slug).await?;
    if !matches!(found.state, Phase::Played | Phase::Showing | Phase::Revealed) {
        return Err(AppError::Refused(StatusCode::CONFLICT, texts::FINAL_NOT_PLAYED));
    }
    let eyes = Eyes::of(&site, &visitor).await?;
    let show = Show::find(&site.database, found, true).await?;
    Ok(page(&visitor, &eyes, &show).into_response())
}

fn page(visitor: &Visitor, eyes: &Eyes, show: &Show) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(visitor.language.code()) data-theme=[visitor.theme.forced()] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content=(visitor.theme.schemes());
                title { (show.of.title) " · Ludus" }
                link rel="icon" href=(assets::address("icon.svg")) type="image/svg+xml";
                link rel="stylesheet" href=(assets::address("site.css"));
                script type="module" src=(assets::address("presenter.js")) {}
            }
            body.presenter {
                main #stage { (stage(visitor, eyes, show)) }
                (controls(visitor, show))
            }
        }
    }
}

/// What is on the screen of the lecture hall.
fn stage(visitor: &Visitor, eyes: &Eyes, show: &Show) -> Markup {
    let played = match show.now() {
        Some(Step::Match(round, place)) => show.announced_match(round, place),
        _ => None,
    };
    let (at, all) = (show.steps.len(), show.all.unwrap_or_default());
    html! {
        div.progress data-at=(at) data-all=(all) { h1 { (show.of.title) } progress max=(all.max(1)) value=(at) {} span.quiet { (at) " / " (all) } }
        @if show.now().is_none() { (beginning(visitor, show)) }
        @else { (now(visitor, eyes, show)) }
        @if let Some(shown) = played {
            iframe.viewer src={ "/matches/" (shown.id) "/viewer.html" } title=(visitor.t(texts::VIEWER)) allow="fullscreen" {}
        }
    }
}

fn beginning(visitor: &Visitor, show: &Show) -> Markup {
    html! {
        section.card.now {
            h2 { (visitor.t(texts::FINAL_READY)) }
            @if let Some(digest) = show.of.digest { p { (visitor.t(texts::FINAL_DIGEST)) } p.digest { code { (digest) } } }
        }
    }
}

fn controls(visitor: &Visitor, show: &Show) -> Markup {
    html! {
        footer.presenter {
            a.button.quiet href={ "/finals/" (show.of.slug) } { (visitor.t(texts::FINAL_LEAVE)) }
            label for="speed" { (visitor.t(texts::FINAL_SPEED)) }
            select #speed { @for speed in SPEEDS { option value=(speed) selected[speed == USUAL_SPEED] { (speed) "×" } } }
            span.quiet.keys { (visitor.t(texts::FINAL_KEYS)) }
            form #next method="post" action={ "/finals/" (show.of.slug) "/next" } {
                (visitor.token())
                input type="hidden" name="after" value=(show.steps.len());
                button disabled[show.of.state == Phase::Revealed] { (visitor.t(texts::NEXT)) " →" }
            }
        }
    }
}

/// Reveals the next step. The script asks for the stage alone.
async fn next(
    State(site): State<Site>,
    visitor: Visitor,
    Path(slug): Path<String>,
    headers: HeaderMap,
    fields: Fields,
) -> Answer {
    let actor = visitor.instructor()?;
    let found = the_final(&site, &slug).await?;
    let after = fields.number("after").unwrap_or(-1);
    let revealed = show::reveal(&site.database, &found, after).await?;
    if revealed == Revealed::Steps(1) {
        let entry =
            Entry { season: Some(found.season_id), detail: &found.title, ..Entry::new(actor.id, Action::ShowFinal) };
        actions::note(&site.database, &entry).await?;
    }
    if !headers.contains_key("x-stage") {
        return Ok(Redirect::to(&format!("/finals/{slug}/present")).into_response());
    }
    let eyes = Eyes::of(&site, &visitor).await?;
    let show = Show::find(&site.database, the_final(&site, &slug).await?, true).await?;
    Ok(stage(&visitor, &eyes, &show).into_response())
}
