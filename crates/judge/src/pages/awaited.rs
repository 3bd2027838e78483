//! Players whose verdict the list of a season waits for, on the page where
//! instructors run its rounds.

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::post;
use maud::{Markup, html};

use super::retirement::reason;
use super::seasons::season;
use crate::actions::{self, Action, Entry};
use crate::ids::SubmissionId;
use crate::official::awaited::{self, Awaited};
use crate::queue::State as JobState;
use crate::seasons::Season;
use crate::texts::{self, Text};
use crate::web::{Answer, AppError, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/seasons/{slug}/desk/awaited/retry", post(retry))
        .route("/seasons/{slug}/desk/awaited/reject", post(reject))
}

/// What a player waits for, in words.
fn why(one: &Awaited) -> Text {
    match one.job.as_ref().map(|job| (job.state, job.has_failed)) {
        None | Some((JobState::Parked, _)) => texts::AWAITED_GIVEN_UP,
        Some((_, true)) => texts::AWAITED_FAILED,
        Some((JobState::Running, false)) => texts::STAGE_RUNNING,
        Some((_, false)) => texts::STAGE_WAITING,
    }
}

/// Whom the list waits for, and what to do about it; nothing if it waits for nobody.
pub async fn card(site: &Site, visitor: &Visitor, season: &Season, has_list: bool) -> Result<Markup, AppError> {
    let awaited = match has_list {
        true => Vec::new(),
        false => awaited::of_season(&site.database, season, visitor.received_at).await?,
    };
    let action = |what: &str| format!("/seasons/{}/desk/awaited/{what}", season.slug);
    Ok(html! {
        @if !awaited.is_empty() {
            section.card {
                h2 { (visitor.t(texts::AWAITED)) " " span.count { (awaited.len()) } }
                p.hint { (visitor.t(texts::AWAITED_HINT)) }
                ul.rows { @for one in &awaited { li {
                    div {
                        a href={ "/submissions/" (one.submission) } { (one.name) } " · "
                        a href={ "/people/" (one.account) } { (one.student) }
                        p.quiet { (visitor.t(why(one))) }
                        @if let Some(error) = one.job.as_ref().and_then(|job| job.error.as_ref()) { pre { code { (error) } } }
                    }
                    @if one.is_in_trouble() { (forms(visitor, one, &action)) }
                } } }
            }
        }
    })
}

fn forms(visitor: &Visitor, one: &Awaited, action: &dyn Fn(&str) -> String) -> Markup {
    let hidden = html! { (visitor.token()) input type="hidden" name="submission" value=(one.submission); };
    html! {
        div {
            @if one.job.is_some() {
                form method="post" action=(action("retry")) { (hidden) button.quiet { (visitor.t(texts::RETRY)) } }
            }
            details {
                summary { (visitor.t(texts::AWAITED_REJECT)) }
                form.start method="post" action=(action("reject")) {
                    (hidden)
                    p.hint { (visitor.t(texts::AWAITED_REJECT_HINT)) }
                    div.field { label { (visitor.t(texts::WHY)) input name="reason" required autocomplete="off"; } }
                    button.quiet { (visitor.t(texts::AWAITED_REJECT)) }
                }
            }
        }
    }
}

/// The one that is meant, if the list waits for it.
async fn meant(site: &Site, visitor: &Visitor, season: &Season, fields: &Fields) -> Result<Awaited, AppError> {
    let id = SubmissionId(fields.number("submission").unwrap_or(0));
    let awaited = awaited::of_season(&site.database, season, visitor.received_at).await?;
    awaited.into_iter().find(|one| one.submission == id).ok_or(too_late())
}

fn too_late() -> AppError {
    AppError::Refused(axum::http::StatusCode::UNPROCESSABLE_ENTITY, texts::TOO_LATE_NOW)
}

async fn retry(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let one = meant(&site, &visitor, &season, &fields).await?;
    let mut tx = site.database.begin().await?;
    if !awaited::try_again(&mut tx, one.submission).await? {
        tx.rollback().await?;
        return Err(too_late());
    }
    record(&mut tx, &one, &season, "", Entry::new(actor.id, Action::TryAgain)).await?;
    tx.commit().await?;
    site.queue.announce();
    Ok(Redirect::to(&format!("/seasons/{slug}/desk?said=retried")).into_response())
}

async fn reject(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let reason = reason(&fields)?;
    let one = meant(&site, &visitor, &season, &fields).await?;
    let mut tx = site.database.begin().await?;
    if !awaited::reject(&mut tx, one.submission, &reason).await? {
        tx.rollback().await?;
        return Err(too_late());
    }
    record(&mut tx, &one, &season, &reason, Entry::new(actor.id, Action::RejectPlayer)).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("/seasons/{slug}/desk?said=saved")).into_response())
}

async fn record(
    tx: &mut crate::database::Tx,
    one: &Awaited,
    season: &Season,
    reason: &str,
    entry: Entry<'_>,
) -> Result<(), AppError> {
    let Awaited { account, submission, name, .. } = one;
    let entry = Entry {
        account: Some(*account),
        season: Some(season.id),
        submission: Some(*submission),
        detail: name,
        reason,
        ..entry
    };
    Ok(actions::record(tx, &entry).await?)
}
