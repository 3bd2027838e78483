//! People, for instructors: the roster, invitations, resets and locks.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};

use super::layout::{Field, Sheet};
use super::seasons::encode;
use crate::accounts::{self, Account, NewAccount, Purpose, Role};
use crate::actions::{self, Action, Entry};
use crate::database::Page;
use crate::ids::AccountId;
use crate::roster::{self, BadLine, BadPerson};
use crate::sessions;
use crate::texts::{self, Text};
use crate::web::{Answer, AppError, Fields, Site, Upload, Visitor, visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/people", get(list))
        .route("/people/import", get(import_form).post(import))
        .route("/people/invite", get(invite_form).post(invite))
        .route("/people/{id}", get(show))
        .route("/people/{id}/details", post(details))
        .route("/people/{id}/link", post(link))
        .route("/people/{id}/lock", post(lock))
        .route("/people/{id}/role", post(role))
}

async fn list(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    visitor.instructor()?;
    let asked = |name: &str| query.get(name).map_or("", String::as_str);
    let role = Role::of(asked("role"));
    let listed = accounts::list(&site.database, asked("text"), role, Page::new(asked("page").parse().ok())).await?;
    let title = visitor.t(texts::PEOPLE);
    let body = html! {
        div.title {
            h1 { (title) " " span.count { (listed.total) } }
            div.actions {
                a.button.quiet href="/people/import" { (visitor.t(texts::IMPORT_ROSTER)) }
                a.button href="/people/invite" { (visitor.t(texts::INVITE)) }
            }
        }
        form.filters role="search" {
            div.field { label for="text" { (visitor.t(texts::SEARCH)) } input #text name="text" type="search" value=(asked("text")); }
            div.field {
                label for="role" { (visitor.t(texts::ROLE)) }
                select #role name="role" {
                    option value="" { (visitor.t(texts::ALL)) }
                    @for one in Role::ALL { option value=(one.word()) selected[role == Some(one)] { (visitor.t(texts::role(one))) } }
                }
            }
            button.quiet { (visitor.t(texts::SHOW)) }
        }
        @if listed.items.is_empty() { (visitor.empty(texts::NOBODY, &html! { (visitor.t(texts::NOBODY_HINT)) })) }
        @else { (table(&visitor, &listed.items)) }
        (visitor.pager(&listed, &format!("text={}&role={}&", encode(asked("text")), encode(asked("role")))))
    };
    Ok(visitor.page(&Sheet { title, body, ..Sheet::default() }).into_response())
}

fn table(visitor: &Visitor, people: &[Account]) -> Markup {
    html! {
        table.collapsing {
            thead { tr { th { (visitor.t(texts::NAME)) } th { (visitor.t(texts::EMAIL)) } th { (visitor.t(texts::GROUP)) } th { (visitor.t(texts::ROLE)) } th { (visitor.t(texts::STATE)) } } }
            tbody {
                @for one in people {
                    tr {
                        td { a href={ "/people/" (one.id) } { strong { (one.name) } } }
                        td data-label=(visitor.t(texts::EMAIL)) { (one.email) }
                        td data-label=(visitor.t(texts::GROUP)) { (one.team) }
                        td data-label=(visitor.t(texts::ROLE)) { (visitor.t(texts::role(one.role))) }
                        td data-label=(visitor.t(texts::STATE)) { (state(visitor, one)) }
                    }
                }
            }
        }
    }
}

fn state(visitor: &Visitor, account: &Account) -> Markup {
    let (class, text) = match account {
        account if account.locked => ("rejected", texts::LOCKED),
        account if account.has_password => ("accepted", texts::ACTIVE),
        _ => ("waiting", texts::INVITED),
    };
    html! { span class={ "badge " (class) } { (visitor.t(text)) } }
}

fn crumbs(visitor: &Visitor) -> Vec<(String, String)> {
    vec![("/people".to_owned(), visitor.t(texts::PEOPLE).to_owned())]
}

async fn show(
    State(site): State<Site>,
    visitor: Visitor,
    Path(id): Path<AccountId>,
    Query(query): Query<HashMap<String, String>>,
) -> Answer {
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
    let exceptions = if account.may_submit() {
        super::exceptions::card(site, visitor, account).await?
    } else {
        html! {}
    };
    let action = |what: &str| format!("/people/{}/{what}", account.id);
    let body = html! {
        (visitor.said(news.said))
        h1 { (account.name) " " (state(visitor, account)) }
        p.quiet { (account.email) @if !account.team.is_empty() { " · " (account.team) } " · " (visitor.fill(texts::OPEN_SESSIONS, &[("count", &open.to_string())])) }
        @if let Some(link) = news.link {
            section.notice.good {
                label for="link" { (visitor.t(texts::LINK_MADE)) }
                (visitor.copied("link", link))
                p.hint { (visitor.t(texts::LINK_HINT)) }
            }
        }
        div.columns {
            form.card method="post" action=(action("details")) {
                (visitor.token())
                h2 { (visitor.t(texts::DETAILS)) }
                (Field { name: "name", label: visitor.t(texts::NAME), value: &account.name, error: error("name"), ..Field::default() }.html())
                (Field { name: "email", label: visitor.t(texts::EMAIL), kind: "email", value: &account.email, error: error("email"), ..Field::default() }.html())
                (Field { name: "group", label: visitor.t(texts::GROUP), value: &account.team, required: false, ..Field::default() }.html())
                button.quiet { (visitor.t(texts::SAVE)) }
            }
            div.stack {
                form.card method="post" action=(action("link")) {
                    (visitor.token())
                    h2 { (visitor.t(if account.has_password { texts::RESET_PASSWORD } else { texts::INVITE_LINK })) }
                    p { (visitor.t(texts::LINK_EXPLAINED)) }
                    button { (visitor.t(texts::MAKE_LINK)) }
                }
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
        Ok(new) if accounts::set_details(&site.database, id, &new).await? => None,
        Ok(_) => Some(("email", texts::ROSTER_KNOWN)),
        Err(bad) => Some((field_of(bad), texts::bad_person(bad))),
    };
    if wrong.is_some() {
        return person(&site, &visitor, &account, &News { wrong, ..News::default() }).await;
    }
    actions::note(&site.database, &about(actor, Action::ChangePerson, id)).await?;
    Ok(Redirect::to(&format!("/people/{id}?said=saved")).into_response())
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
    accounts::set_role(&site.database, id, role).await?;
    let entry = Entry { detail: role.word(), ..about(actor, Action::ChangeRole, id) };
    actions::note(&site.database, &entry).await?;
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

async fn import_form(visitor: Visitor) -> Answer {
    visitor.instructor()?;
    Ok(import_page(&visitor, "", &[]))
}

fn import_page(visitor: &Visitor, pasted: &str, bad: &[(u64, BadLine)]) -> Response {
    let title = visitor.t(texts::IMPORT_ROSTER);
    let body = html! {
        h1 { (title) }
        @if !bad.is_empty() {
            section.notice.bad role="alert" {
                h2 { (visitor.t(texts::ROSTER_REFUSED)) }
                ul.problems {
                    @for (line, what) in bad {
                        @let (text, about) = texts::bad_line(what);
                        li {
                            strong { (visitor.fill(texts::LINE, &[("line", &line.to_string())])) } " "
                            (visitor.fill(text, &[("about", about)]))
                        }
                    }
                }
            }
        }
        form.card method="post" enctype="multipart/form-data" {
            (visitor.token())
            p { (visitor.t(texts::ROSTER_EXPLAINED)) }
            pre { code { "name,email,group\nMarta Soler,marta@example.edu,G1\nPau Vila,pau@example.edu,G2" } }
            div.field { label for="file" { (visitor.t(texts::CSV_FILE)) } input #file type="file" name="file" accept=".csv,text/csv"; }
            div.field { label for="text" { (visitor.t(texts::OR_PASTE)) } textarea #text name="text" rows="10" spellcheck="false" { (pasted) } }
            button { (visitor.t(texts::IMPORT)) }
        }
    };
    let status = if bad.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    (status, visitor.page(&Sheet { title, crumbs: crumbs(visitor), body, ..Sheet::default() })).into_response()
}

async fn import(State(site): State<Site>, visitor: Visitor, upload: Upload) -> Answer {
    let inviting = visitor.instructor()?;
    let pasted = upload.fields.raw("text");
    let text: &[u8] = if upload.file.is_empty() { pasted.as_bytes() } else { &upload.file };
    let invited = match roster::import(&site.database, text, inviting.language).await? {
        Ok(invited) => invited,
        Err(bad) => return Ok(import_page(&visitor, pasted, &bad)),
    };
    let count = format!("+{}", invited.len());
    let entry = Entry { detail: &count, ..Entry::new(inviting.id, Action::ImportRoster) };
    actions::note(&site.database, &entry).await?;
    let title = visitor.t(texts::IMPORT_ROSTER);
    let body = html! {
        h1 { (visitor.fill(texts::IMPORTED, &[("count", &invited.len().to_string())])) }
        p { (visitor.t(texts::IMPORTED_HINT)) }
        table.collapsing {
            thead { tr { th { (visitor.t(texts::NAME)) } th { (visitor.t(texts::EMAIL)) } th { (visitor.t(texts::INVITE_LINK)) } } }
            tbody {
                @for (person, token) in &invited {
                    tr {
                        td { strong { (person.name) } }
                        td data-label=(visitor.t(texts::EMAIL)) { (person.email) }
                        td data-label=(visitor.t(texts::INVITE_LINK)) { (visitor.copied(&format!("link-{}", person.email), &visitor::link(&visitor, token))) }
                    }
                }
            }
        }
    };
    Ok(visitor.page(&Sheet { title, crumbs: crumbs(&visitor), body, ..Sheet::default() }).into_response())
}
