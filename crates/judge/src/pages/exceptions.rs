//! Letting one person submit for longer, for instructors.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::post;
use maud::{Markup, html};

use super::layout::Field;
use super::retirement::reason;
use super::season_form::{local_time, read_time};
use crate::accounts::{self, Account};
use crate::actions::{self, Action, Entry};
use crate::exceptions::{self, Exception};
use crate::ids::{AccountId, SeasonId};
use crate::seasons::{self, Season};
use crate::texts;
use crate::web::{Answer, AppError, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/people/{id}/exceptions", post(grant))
        .route("/people/{id}/exceptions/withdraw", post(withdraw))
}

/// The exceptions of a person, and the form for another.
pub async fn card(site: &Site, visitor: &Visitor, account: &Account) -> Result<Markup, AppError> {
    let granted = exceptions::of_account(&site.database, account.id).await?;
    let seasons = seasons::list(&site.database).await?;
    Ok(html! {
        section.card {
            h2 { (visitor.t(texts::EXCEPTIONS)) }
            p { (visitor.t(texts::EXCEPTIONS_EXPLAINED)) }
            @if !granted.is_empty() { ul.rows { @for one in &granted { (row(visitor, account, one)) } } }
            @if !seasons.is_empty() { (form(visitor, account, &seasons)) }
        }
    })
}

fn row(visitor: &Visitor, account: &Account, one: &Exception) -> Markup {
    html! {
        li {
            div {
                strong { (one.season_title) } " " (visitor.t(texts::UNTIL)) " " (visitor.date(one.until_at))
                p.quiet { (one.reason) }
            }
            form method="post" action={ "/people/" (account.id) "/exceptions/withdraw" } {
                (visitor.token())
                input type="hidden" name="season" value=(one.season_id);
                button.quiet { (visitor.t(texts::WITHDRAW)) }
            }
        }
    }
}

fn form(visitor: &Visitor, account: &Account, seasons: &[Season]) -> Markup {
    const DAY: i64 = 86_400_000;
    let until = local_time(visitor, visitor.received_at + 7 * DAY);
    html! {
        form.start method="post" action={ "/people/" (account.id) "/exceptions" } {
            (visitor.token())
            div.field {
                label for="season" { (visitor.t(texts::SEASON)) }
                select #season name="season" { @for season in seasons { option value=(season.id) { (season.title) } } }
            }
            (Field { name: "until", label: visitor.t(texts::UNTIL_WHEN), kind: "datetime-local", value: &until, ..Field::default() }.html())
            (Field { name: "reason", label: visitor.t(texts::WHY), ..Field::default() }.html())
            button.quiet { (visitor.t(texts::GRANT)) }
        }
    }
}

async fn grant(State(site): State<Site>, visitor: Visitor, Path(id): Path<AccountId>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let account = accounts::find(&site.database, id).await?.ok_or(AppError::NotFound)?;
    let season = chosen(&site, &fields).await?;
    let wrong = AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, texts::DATE_WRONG);
    let until = read_time(&visitor, fields.get("until")).ok_or(wrong)?;
    let reason = reason(&fields)?;
    let mut tx = site.database.begin().await?;
    exceptions::grant(&mut tx, season.id, account.id, until, &reason).await?;
    let detail = format!("→ {}", local_time(&visitor, until).replace('T', " "));
    let entry = about(actor.id, Action::GrantException, &account, &season);
    actions::record(&mut tx, &Entry { detail: &detail, reason: &reason, ..entry }).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("/people/{id}?said=saved")).into_response())
}

async fn withdraw(State(site): State<Site>, visitor: Visitor, Path(id): Path<AccountId>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let account = accounts::find(&site.database, id).await?.ok_or(AppError::NotFound)?;
    let season = chosen(&site, &fields).await?;
    let mut tx = site.database.begin().await?;
    if exceptions::withdraw(&mut tx, season.id, account.id).await? {
        actions::record(&mut tx, &about(actor.id, Action::WithdrawException, &account, &season)).await?;
        tx.commit().await?;
    }
    Ok(Redirect::to(&format!("/people/{id}?said=saved")).into_response())
}

async fn chosen(site: &Site, fields: &Fields) -> Result<Season, AppError> {
    let id = fields.number("season").map(SeasonId);
    seasons::list(&site.database).await?.into_iter().find(|season| Some(season.id) == id).ok_or(AppError::NotFound)
}

fn about(actor: AccountId, action: Action, account: &Account, season: &Season) -> Entry<'static> {
    Entry { account: Some(account.id), season: Some(season.id), ..Entry::new(actor, action) }
}
