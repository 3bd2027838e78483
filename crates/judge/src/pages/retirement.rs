//! Retiring a player, for instructors.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::post;
use maud::{Markup, html};

use super::layout::Field;
use crate::actions::{self, Action, Entry};
use crate::ids::{AccountId, SubmissionId};
use crate::submissions::{self, Stage, Submission};
use crate::web::{Answer, AppError, Fields, Site, Visitor};
use crate::{retirement, texts};

pub fn routes() -> Router<Site> {
    Router::new().route("/submissions/{id}/retire", post(retire)).route("/submissions/{id}/restore", post(restore))
}

pub const LONGEST_REASON: usize = 400;

/// The reason in a form, if there is one.
pub fn reason(fields: &Fields) -> Result<String, AppError> {
    let reason: String = fields.get("reason").chars().filter(|c| !c.is_control()).take(LONGEST_REASON).collect();
    if reason.is_empty() {
        return Err(AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, texts::REASON_MISSING));
    }
    Ok(reason)
}

/// What an instructor can do to a player on its page.
pub fn form(visitor: &Visitor, submission: &Submission) -> Markup {
    let address = |what: &str| format!("/submissions/{}/{what}", submission.id);
    match submission.stage {
        Stage::Accepted if visitor.is_instructor() => html! {
            details.card {
                summary { (visitor.t(texts::RETIRE)) }
                form method="post" action=(address("retire")) {
                    (visitor.token())
                    p { (visitor.t(texts::RETIRE_EXPLAINED)) }
                    (Field { name: "reason", label: visitor.t(texts::WHY), hint: visitor.t(texts::RETIRE_REASON_HINT), ..Field::default() }.html())
                    button.danger { (visitor.t(texts::RETIRE)) }
                }
            }
        },
        Stage::Retired if visitor.is_instructor() => html! {
            form method="post" action=(address("restore")) {
                (visitor.token())
                button.quiet { (visitor.t(texts::RESTORE)) }
            }
        },
        _ => html! {},
    }
}

async fn retire(State(site): State<Site>, visitor: Visitor, Path(id): Path<SubmissionId>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let submission = submissions::find(&site.database, id).await?.ok_or(AppError::NotFound)?;
    let reason = reason(&fields)?;
    let mut tx = site.database.begin().await?;
    // Whoever was faster has retired it, which is what was wanted.
    if retirement::retire(&mut tx, id, &reason).await? {
        let entry = about(actor.id, Action::RetirePlayer, &submission);
        actions::record(&mut tx, &Entry { reason: &reason, ..entry }).await?;
        tx.commit().await?;
    }
    Ok(Redirect::to(&format!("/submissions/{id}")).into_response())
}

async fn restore(State(site): State<Site>, visitor: Visitor, Path(id): Path<SubmissionId>, _: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let mut tx = site.database.begin().await?;
    let submission = submissions::find(&site.database, id).await?.ok_or(AppError::NotFound)?;
    if submission.stage == Stage::Retired {
        if !retirement::restore(&mut tx, &submission).await? {
            return Err(AppError::Refused(StatusCode::CONFLICT, texts::RESTORE_TAKEN));
        }
        actions::record(&mut tx, &about(actor.id, Action::RestorePlayer, &submission)).await?;
        tx.commit().await?;
    }
    Ok(Redirect::to(&format!("/submissions/{id}")).into_response())
}

fn about(actor: AccountId, action: Action, submission: &Submission) -> Entry<'static> {
    Entry {
        account: Some(submission.account_id),
        season: Some(submission.season_id),
        submission: Some(submission.id),
        ..Entry::new(actor, action)
    }
}
