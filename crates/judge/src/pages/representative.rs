//! Which player stands for a student: chosen on the page of the season.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::post;
use maud::{Markup, html};

use super::seasons::season;
use crate::accounts::Account;
use crate::ids::{AccountId, SubmissionId};
use crate::official::rounds::{self, State as RoundState};
use crate::official::{entrants, representatives, schedule, standing};
use crate::seasons::Season;
use crate::texts;
use crate::web::{Answer, AppError, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new().route("/seasons/{slug}/representative", post(choose))
}

/// What a student sees of the official rounds on the page of a season.
pub async fn card(site: &Site, visitor: &Visitor, season: &Season) -> Result<Markup, AppError> {
    let Some(account) = visitor.account().filter(|account| account.may_submit()) else { return Ok(html! {}) };
    let choice = representatives::of_account(&site.database, season.id, account.id).await?;
    let Some(current) = choice.representative() else { return Ok(html! {}) };
    if !account.is_instructor() && !entrants::is_of_season(&site.database, season.id, account.id).await? {
        return Ok(html! { p.notice { (visitor.t(texts::OTHER_GROUP)) } });
    }
    if is_out(site, season, account.id).await? {
        return Ok(html! { p.notice { (visitor.t(texts::YOU_ARE_OUT)) } });
    }
    let frozen = playing(site, season, account.id).await?;
    Ok(html! {
        section.card #representative {
            h2 { (visitor.t(texts::REPRESENTATIVE)) ": " (current.name) }
            p.quiet { (visitor.t(texts::REPRESENTATIVE_HINT)) @if choice.chosen.is_none() { " " (visitor.t(texts::REPRESENTATIVE_NEWEST)) } }
            @if let Some((number, player)) = frozen {
                p.notice { (visitor.fill(texts::REPRESENTATIVE_FROZEN, &[("number", &number.to_string()), ("player", &player)])) }
            }
            form.filters method="post" action={ "/seasons/" (season.slug) "/representative" } {
                (visitor.token())
                div.field {
                    label for="player" { (visitor.t(texts::PLAYER)) }
                    select #player name="player" {
                        @for one in &choice.candidates {
                            option value=(one.submission) selected[one.submission == current.submission] { (one.name) }
                        }
                    }
                }
                button { (visitor.t(texts::CHOOSE)) }
            }
        }
    })
}

/// Whether somebody has left the season, or had no player when it began.
pub async fn is_out(site: &Site, season: &Season, account: AccountId) -> Result<bool, AppError> {
    if schedule::find(site.database.read(), season.id).await?.entered_at.is_none() {
        return Ok(false);
    }
    let list = entrants::list(site.database.read(), season.id).await?;
    let own = list.into_iter().find(|one| one.account == account).and_then(|one| one.author);
    let course = standing::find(&site.database, season.id).await?;
    Ok(own.is_some_and(|own| course.left().all(|author| author != own)))
}

/// The round that is being played, and the player that plays it for somebody.
pub async fn playing(site: &Site, season: &Season, account: AccountId) -> Result<Option<(i64, String)>, AppError> {
    let round = rounds::under_way(site.database.read(), season.id).await?;
    let Some(round) = round.filter(|round| round.state == RoundState::Playing) else { return Ok(None) };
    let players = rounds::players(site.database.read(), round.id).await?;
    Ok(players.into_iter().find(|one| one.account == account).map(|one| (round.number, one.name)))
}

/// Whether the page of the season lets somebody choose.
pub async fn may_choose(site: &Site, season: &Season, account: &Account) -> Result<bool, AppError> {
    let is_entrant = account.is_instructor() || entrants::is_of_season(&site.database, season.id, account.id).await?;
    Ok(account.may_submit() && is_entrant && !is_out(site, season, account.id).await?)
}

async fn choose(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let account = visitor.signed_in()?;
    let season = season(&site, &slug).await?;
    let wrong = AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, texts::BAD_REQUEST);
    let submission =
        fields.number("player").ok_or(AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, texts::BAD_REQUEST))?;
    let mut tx = site.database.begin().await?;
    if !representatives::choose(&mut tx, season.id, account.id, SubmissionId(submission)).await? {
        tx.rollback().await?;
        return Err(wrong);
    }
    tx.commit().await?;
    Ok(Redirect::to(&format!("/seasons/{slug}?said=saved#representative")).into_response())
}
