//! A person, for instructors: invitations, resets and locks.

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};

use super::dashboard::state;
use super::layout::{Field, Sheet};
use crate::accounts::{self, Account, NewAccount, Purpose, Role};
use crate::actions::{self, Action, Entry};
use crate::ids::AccountId;
use crate::roster::{self, BadPerson};
use crate::texts::{self, Text};
use crate::web::{Answer, AppError, Asked, Fields, Site, Visitor, visitor};
use crate::{dashboard, groups, sessions};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/people/invite", get(invite_form).post(invite))
        .route("/people/{id}", get(show))
        .route("/people/{id}/details", post(details))
        .route("/people/{id}/link", post(link))
        .route("/people/{id}/lock", post(lock))
        .route("/people/{id}/role", post(role))
}

pub fn crumbs(visitor: &Visitor) -> Vec<(String, String)> {
    vec![("/people".to_owned(), visitor.t(texts::PEOPLE).to_owned())]
}

async fn show(State(site): State<Site>, visitor: Visitor, Path(id): Path<AccountId>, Query(query): Asked) -> Answer {
    visitor.instructor()?;
    let account = accounts::find(&site.database, id).await?.ok_or(AppError::NotFound)?;
    let news = News { said: query.get("said").map(String::as_str), ..News::default() };
    person(&site, &visitor, &account, &news).await
}

/// What there is to tell about a person: the link that was just made, what is
/// wrong with the details that were just sent.
#[derive(Default)]
struct News<'a> {
    said: Option<&'a str>,
    link: Option<&'a str>,
    wrong: Option<(&'static str, Text)>,
}

async fn person(site: &Site, visitor: &Visitor, account: &Account, news: &News<'_>) -> Answer {
    let error = |field: &str| news.wrong.filter(|(name, _)| *name == field).map(|(_, text)| visitor.t(text));
    let open = sessions::list(&site.database, account.id).await?.len();
    let found = dashboard::find(&site.database, account.id).await?.ok_or(AppError::NotFound)?;
    let claim = groups::claim_of(&site.database, account.id).await?;
    let exceptions = if account.may_submit() {
        super::exceptions::card(site, visitor, account).await?
    } else {
        html! {}
    };
    let action = |what: &str| format!("/people/{}/{what}", account.id);
    let body = html! {
        (visitor.said(news.said))
        h1 { (account.name) " " (state(visitor, &found)) }
        p.quiet { (account.email) @if !account.team.is_empty() { " · " (account.team) } " · " (visitor.fill(texts::OPEN_SESSIONS, &[("count", &open.to_string())])) }
        @if let Some((at, address)) = &claim {
            p.notice.bad { (visitor.t(texts::CLAIMED_HINT)) " " (visitor.time(*at)) " · " (address) }
        }
        @if let Some(link) = news.link {
            section.notice.good {
                label for="link" { (visitor.t(texts::LINK_MADE)) }
                (visitor.copied("link", link))
                p.hint { (visitor.t(texts::LINK_HINT)) }
            }
        }
        div.columns {
            div.stack {
                form.card method="post" action=(action("link")) {
                    (visitor.token())
                    h2 { (visitor.t(if account.has_password { texts::RESET_PASSWORD } else { texts::INVITE_LINK })) }
                    p { (visitor.t(texts::LINK_EXPLAINED)) }
                    button { (visitor.t(texts::MAKE_LINK)) }
                }
                @if site.settings.mail.is_some() && !found.state.has_come() {
                    form.card method="post" action="/people/chosen" {
                        (visitor.token())
                        input type="hidden" name={ "who-" (account.id) } value="1";
                        input type="hidden" name="back" value={ "/people/" (account.id) };
                        h2 { (visitor.t(texts::SEND_INVITATION)) }
                        p { (visitor.fill(texts::SEND_TO, &[("email", &account.email)])) }
                        button.quiet name="action" value="invite" { (visitor.t(texts::SEND_LETTER)) }
                    }
                }
                form.card method="post" action=(action("details")) {
                    (visitor.token())
                    h2 { (visitor.t(texts::DETAILS)) }
                    (Field { name: "name", label: visitor.t(texts::NAME), value: &account.name, error: error("name"), ..Field::default() }.html())
                    (Field { name: "email", label: visitor.t(texts::EMAIL), kind: "email", value: &account.email, error: error("email"), ..Field::default() }.html())
                    (Field { name: "group", label: visitor.t(texts::GROUP), value: &account.team, required: false, ..Field::default() }.html())
                    button.quiet { (visitor.t(texts::SAVE)) }
                }
            }
            div.stack {
                form.card method="post" action=(action("role")) {
                    (visitor.token())
                    (role_select(visitor, account.role))
                    button.quiet { (visitor.t(texts::SAVE)) }
                }
                form.card method="post" action=(action("lock")) {
                    (visitor.token())
                    input type="hidden" name="locked" value=(if account.locked { "0" } else { "1" });
                    h2 { (visitor.t(if account.locked { texts::UNLOCK } else { texts::LOCK })) }
                    p { (visitor.t(texts::LOCK_EXPLAINED)) }
                    button.danger { (visitor.t(if account.locked { texts::UNLOCK } else { texts::LOCK })) }
                }
            }
            (exceptions)
        }
    };
    let status = if news.wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let sheet = Sheet { title: &account.name, crumbs: crumbs(visitor), body, ..Sheet::default() };
    Ok((status, visitor.page(&sheet)).into_response())
}

async fn details(State(site): State<Site>, visitor: Visitor, Path(id): Path<AccountId>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let account = accounts::find(&site.database, id).await?.ok_or(AppError::NotFound)?;
    let wrong = match roster::person(fields.get("name"), fields.get("email"), fields.get("group")) {
        Ok(new) => change(&site, &about(actor, Action::ChangePerson, id), id, &new).await?,
        Err(bad) => Some((field_of(bad), texts::bad_person(bad))),
    };
    if wrong.is_some() {
        return person(&site, &visitor, &account, &News { wrong, ..News::default() }).await;
    }
    Ok(Redirect::to(&format!("/people/{id}?said=saved")).into_response())
}

/// Changes who somebody is, or says what is wrong with that.
async fn change(
    site: &Site,
    entry: &Entry<'_>,
    id: AccountId,
    new: &NewAccount,
) -> anyhow::Result<Option<(&'static str, Text)>> {
    let mut tx = site.database.begin().await?;
    if !accounts::set_details(&mut tx, id, new).await? {
        tx.rollback().await?;
        return Ok(Some(("email", texts::ROSTER_KNOWN)));
    }
    actions::record(&mut tx, entry).await?;
    tx.commit().await?;
    Ok(None)
}

fn about(actor: &Account, action: Action, account: AccountId) -> Entry<'static> {
    Entry { account: Some(account), ..Entry::new(actor.id, action) }
}

/// The field in which a person is wrong.
pub fn field_of(bad: BadPerson) -> &'static str {
    match bad {
        BadPerson::Name => "name",
        BadPerson::Email => "email",
    }
}

fn role_select(visitor: &Visitor, chosen: Role) -> Markup {
    html! {
        div.field {
            label for="role" { (visitor.t(texts::ROLE)) }
            select #role name="role" {
                @for one in Role::ALL { option value=(one.word()) selected[chosen == one] { (visitor.t(texts::role(one))) } }
            }
        }
    }
}

async fn link(State(site): State<Site>, visitor: Visitor, Path(id): Path<AccountId>, _: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let account = accounts::find(&site.database, id).await?.ok_or(AppError::NotFound)?;
    let purpose = if account.has_password { Purpose::Reset } else { Purpose::Invite };
    let mut tx = site.database.begin().await?;
    groups::end_claim(&mut tx, id).await?;
    let token = accounts::make_link(&mut tx, id, purpose).await?;
    actions::record(&mut tx, &about(actor, Action::MakeLink, id)).await?;
    tx.commit().await?;
    let link = visitor::link(&visitor, &token);
    person(&site, &visitor, &account, &News { link: Some(&link), ..News::default() }).await
}

/// What instructors may do to others but not to themselves.
fn another(visitor: &Visitor, id: AccountId) -> Result<&Account, AppError> {
    let actor = visitor.instructor()?;
    if actor.id == id {
        return Err(AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, texts::NOT_YOURSELF));
    }
    Ok(actor)
}

async fn lock(State(site): State<Site>, visitor: Visitor, Path(id): Path<AccountId>, fields: Fields) -> Answer {
    let actor = another(&visitor, id)?;
    accounts::find(&site.database, id).await?.ok_or(AppError::NotFound)?;
    let locked = fields.get("locked") == "1";
    accounts::set_locked(&site.database, id, locked).await?;
    let action = if locked { Action::Lock } else { Action::Unlock };
    actions::note(&site.database, &about(actor, action, id)).await?;
    Ok(Redirect::to(&format!("/people/{id}?said={}", if locked { "locked" } else { "unlocked" })).into_response())
}

async fn role(State(site): State<Site>, visitor: Visitor, Path(id): Path<AccountId>, fields: Fields) -> Answer {
    let actor = another(&visitor, id)?;
    accounts::find(&site.database, id).await?.ok_or(AppError::NotFound)?;
    let role = Role::of(fields.get("role")).ok_or(AppError::NotFound)?;
    let mut tx = site.database.begin().await?;
    accounts::set_role(&mut tx, id, role).await?;
    actions::record(&mut tx, &Entry { detail: role.word(), ..about(actor, Action::ChangeRole, id) }).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("/people/{id}?said=saved")).into_response())
}

async fn invite_form(visitor: Visitor) -> Answer {
    visitor.instructor()?;
    Ok(invite_page(&visitor, &Fields::default(), None))
}

fn invite_page(visitor: &Visitor, fields: &Fields, wrong: Option<(&str, Text)>) -> Response {
    let title = visitor.t(texts::INVITE);
    let error = |field: &str| wrong.filter(|(name, _)| *name == field).map(|(_, text)| visitor.t(text));
    let role = Role::of(fields.get("role")).unwrap_or(Role::Student);
    let body = html! {
        div.narrow {
            h1 { (title) }
            form.card method="post" {
                (visitor.token())
                (Field { name: "name", label: visitor.t(texts::NAME), value: fields.get("name"), error: error("name"), ..Field::default() }.html())
                (Field { name: "email", label: visitor.t(texts::EMAIL), kind: "email", value: fields.get("email"), error: error("email"), ..Field::default() }.html())
                (Field { name: "group", label: visitor.t(texts::GROUP), value: fields.get("group"), required: false, ..Field::default() }.html())
                (role_select(visitor, role))
                button { (visitor.t(texts::MAKE_LINK)) }
            }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    (status, visitor.page(&Sheet { title, crumbs: crumbs(visitor), body, ..Sheet::default() })).into_response()
}

async fn invite(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let inviting = visitor.instructor()?;
    let new = match roster::person(fields.get("name"), fields.get("email"), fields.get("group")) {
        Ok(new) => NewAccount { role: Role::of(fields.get("role")).unwrap_or(Role::Student), ..new },
        Err(bad) => return Ok(invite_page(&visitor, &fields, Some((field_of(bad), texts::bad_person(bad))))),
    };
    if accounts::credentials(&site.database, &new.email).await?.is_some() {
        return Ok(invite_page(&visitor, &fields, Some(("email", texts::ROSTER_KNOWN))));
    }
    let mut tx = site.database.begin().await?;
    let id = accounts::add(&mut tx, &new, inviting.language).await?;
    let token = accounts::make_link(&mut tx, id, Purpose::Invite).await?;
    actions::record(&mut tx, &about(inviting, Action::Invite, id)).await?;
    tx.commit().await?;
    let account = accounts::find(&site.database, id).await?.ok_or(AppError::NotFound)?;
    let link = visitor::link(&visitor, &token);
    person(&site, &visitor, &account, &News { link: Some(&link), ..News::default() }).await
}
