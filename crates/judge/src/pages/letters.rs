//! The invitation as a letter: its words, sending it to all who have not come, and
//! their links as a file where no letters are sent.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use maud::html;

use super::dashboard::file;
use super::layout::Sheet;
use super::people::crumbs;
use crate::accounts::{self, Purpose, Role};
use crate::actions::{self, Action, Entry};
use crate::dashboard::{self, Filter, Person};
use crate::letters::{self, BadWords, LONGEST_SUBJECT, PLACEHOLDERS, Words};
use crate::texts::{self, Language, Text};
use crate::web::{Answer, Fields, Site, Visitor, visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/people/letter", get(form).post(save))
        .route("/people/letters", post(send_all))
        .route("/people/links", post(links))
}

async fn form(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    visitor.instructor()?;
    let words = letters::invitation(&site.database).await?;
    Ok(page(&site, &visitor, query.get("said").map(String::as_str), &words, None))
}

type Wrong<'a> = Option<(Language, &'a BadWords)>;

fn page(site: &Site, visitor: &Visitor, said: Option<&str>, all: &HashMap<Language, Words>, wrong: Wrong) -> Response {
    let title = visitor.t(texts::LETTER);
    let names = PLACEHOLDERS.map(|name| format!("{{{name}}}")).join(" ");
    let body = html! {
        (visitor.said(said))
        h1 { (title) }
        p.lead {
            @match &site.settings.mail {
                Some(mail) => (visitor.fill(texts::LETTER_BY, &[("host", mail.host())])),
                None => (visitor.t(texts::LETTER_NO_SERVER)),
            }
        }
        form.card method="post" {
            (visitor.token())
            p { (visitor.t(texts::LETTER_HINT)) " " code { (names) } }
            @for language in Language::ALL {
                @let code = language.code();
                @let error = wrong.filter(|(at, _)| *at == language).map(|(_, bad)| told(bad));
                @let of = all.get(&language);
                fieldset lang=(code) {
                    legend { (language.name()) }
                    @if let Some((text, about)) = error { p.error #{ "error-" (code) } role="alert" { (visitor.fill(text, &[("about", about)])) } }
                    div.field {
                        label for={ "subject-" (code) } { (visitor.t(texts::SUBJECT)) }
                        input id={ "subject-" (code) } name={ "subject-" (code) } maxlength=(LONGEST_SUBJECT) value=(of.map_or("", |words| words.subject.as_str()))
                            aria-invalid=[error.map(|_| "true")] aria-describedby=[error.map(|_| format!("error-{code}"))];
                    }
                    div.field {
                        label for={ "body-" (code) } { (visitor.t(texts::LETTER_TEXT)) }
                        textarea id={ "body-" (code) } name={ "body-" (code) } rows="11" { "\n" (of.map_or("", |words| words.body.as_str())) }
                    }
                }
            }
            p.hint { (visitor.t(texts::LETTER_EMPTY_HINT)) }
            div.finish { button { (visitor.t(texts::SAVE)) } }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    (status, visitor.page(&Sheet { title, crumbs: crumbs(visitor), body, ..Sheet::default() })).into_response()
}

/// What is wrong with the words, with what goes into the text.
fn told(bad: &BadWords) -> (Text, &str) {
    match bad {
        BadWords::Subject => (texts::LETTER_BAD_SUBJECT, ""),
        BadWords::Body => (texts::LETTER_BAD_BODY, ""),
        BadWords::NoLink => (texts::LETTER_NO_LINK, "{link}"),
        BadWords::LinkInSubject => (texts::LETTER_LINK_IN_SUBJECT, "{link}"),
        BadWords::Unknown(name) => (texts::LETTER_UNKNOWN, name),
    }
}

async fn save(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let words = |language: Language| {
        let field = |name: &str| fields.raw(&format!("{name}-{}", language.code())).replace("\r\n", "\n");
        let given = Words { subject: field("subject").trim().to_owned(), body: field("body").trim().to_owned() };
        let is_empty = given.subject.is_empty() && given.body.is_empty();
        if is_empty { Words::usual(language) } else { given }
    };
    let all: HashMap<Language, Words> = Language::ALL.into_iter().map(|language| (language, words(language))).collect();
    for language in Language::ALL {
        if let Err(bad) = all[&language].check() {
            return Ok(page(&site, &visitor, None, &all, Some((language, &bad))));
        }
    }
    let mut tx = site.database.begin().await?;
    for language in Language::ALL {
        letters::set_invitation(&mut tx, language, &all[&language]).await?;
    }
    actions::record(&mut tx, &Entry::new(actor.id, Action::ChangeLetter)).await?;
    tx.commit().await?;
    Ok(Redirect::to("/people/letter?said=saved").into_response())
}

/// Students who have not signed in, of a group or of all.
async fn absent(site: &Site, fields: &Fields) -> anyhow::Result<Vec<Person>> {
    let team = fields.raw("group").strip_prefix('=').map(ToOwned::to_owned);
    let filter = Filter { role: Some(Role::Student), team, ..Filter::default() };
    let people = dashboard::all(&site.database, &filter).await?;
    Ok(people.into_iter().filter(|one| !one.state.has_come()).collect())
}

async fn send_all(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    if site.settings.mail.is_none() {
        return Err(crate::web::AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, texts::LETTER_NO_SERVER));
    }
    let mut people = absent(&site, &fields).await?;
    // In the order in which everybody holds accounts.
    people.sort_unstable_by_key(|one| one.account.id);
    let mut tx = site.database.begin().await?;
    let mut count = 0;
    for person in &people {
        count += i64::from(letters::invite(&mut tx, person.account.id).await?);
    }
    let detail = count.to_string();
    actions::record(&mut tx, &Entry { detail: &detail, ..Entry::new(actor.id, Action::SendLetters) }).await?;
    tx.commit().await?;
    site.post.announce();
    Ok(Redirect::to(&format!("/people?role=student&done={count}")).into_response())
}

/// Fresh links of all who have not signed in. The links before stop working, since
/// whoever loses such a file makes another.
async fn links(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let people = absent(&site, &fields).await?;
    let mut tx = site.database.begin().await?;
    let mut rows = Vec::with_capacity(people.len());
    for person in people {
        let token = accounts::make_link(&mut tx, person.account.id, Purpose::Invite).await?;
        let account = person.account;
        rows.push([account.name, account.email, account.team, visitor::link(&visitor, &token)]);
    }
    let detail = rows.len().to_string();
    actions::record(&mut tx, &Entry { detail: &detail, ..Entry::new(actor.id, Action::ExportLinks) }).await?;
    tx.commit().await?;
    Ok(file("links.csv", dashboard::csv(["name", "email", "group", "link"], rows.into_iter())?))
}
