//! A roster, imported whole or not at all.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use maud::html;

use super::layout::Sheet;
use super::people::crumbs;
use crate::actions::{self, Action, Entry};
use crate::roster::{self, BadLine, Invited, Known};
use crate::texts;
use crate::web::{Answer, Site, Upload, Visitor, visitor};

pub fn routes() -> Router<Site> {
    Router::new().route("/people/import", get(import_form).post(import))
}

async fn import_form(visitor: Visitor) -> Answer {
    visitor.instructor()?;
    Ok(import_page(&visitor, "", false, &[]))
}

fn import_page(visitor: &Visitor, pasted: &str, leave_out: bool, bad: &[(u64, BadLine)]) -> Response {
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
            label.tick { input type="checkbox" name="known" value="leave-out" checked[leave_out]; (visitor.t(texts::ROSTER_LEAVE_OUT)) }
            div.finish { button { (visitor.t(texts::IMPORT)) } }
        }
    };
    let status = if bad.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    (status, visitor.page(&Sheet { title, crumbs: crumbs(visitor), body, ..Sheet::default() })).into_response()
}

async fn import(State(site): State<Site>, visitor: Visitor, upload: Upload) -> Answer {
    let inviting = visitor.instructor()?;
    let pasted = upload.fields.raw("text");
    let text: &[u8] = if upload.file.is_empty() { pasted.as_bytes() } else { &upload.file };
    let leave_out = upload.fields.get("known") == "leave-out";
    let known = if leave_out { Known::LeaveOut } else { Known::Refuse };
    let invited = match roster::import(&site.database, text, inviting.language, known).await? {
        Ok(invited) => invited,
        Err(bad) => return Ok(import_page(&visitor, pasted, leave_out, &bad)),
    };
    let count = format!("+{}", invited.len());
    let entry = Entry { detail: &count, ..Entry::new(inviting.id, Action::ImportRoster) };
    actions::note(&site.database, &entry).await?;
    Ok(imported(&site, &visitor, &invited))
}

/// Everybody who was imported, with links that are shown only now, and the next step.
fn imported(site: &Site, visitor: &Visitor, invited: &Invited) -> Response {
    let title = visitor.t(texts::IMPORT_ROSTER);
    let body = html! {
        h1 { (visitor.fill(texts::IMPORTED, &[("count", &invited.len().to_string())])) }
        @if site.settings.mail.is_some() {
            form.card method="post" action="/people/letters" {
                (visitor.token())
                p { (visitor.t(texts::IMPORTED_SEND)) }
                div.actions {
                    button { (visitor.t(texts::SEND_ALL)) }
                    a.button.quiet href="/people/letter" { (visitor.t(texts::LETTER)) }
                }
            }
        } @else {
            form.card method="post" action="/people/links" {
                (visitor.token())
                p { (visitor.t(texts::IMPORTED_HINT)) }
                div.actions {
                    button { (visitor.t(texts::LINKS_CSV)) }
                    a.button.quiet href="/people/groups" { (visitor.t(texts::GROUP_LINKS)) }
                }
            }
        }
        details {
            summary { (visitor.t(texts::LINKS_ONE_BY_ONE)) }
            table.collapsing {
                thead { tr { th { (visitor.t(texts::NAME)) } th { (visitor.t(texts::EMAIL)) } th { (visitor.t(texts::INVITE_LINK)) } } }
                tbody {
                    @for (person, token) in invited {
                        tr {
                            td { strong { (person.name) } }
                            td data-label=(visitor.t(texts::EMAIL)) { (person.email) }
                            td data-label=(visitor.t(texts::INVITE_LINK)) { (visitor.copied(&format!("link-{}", person.email), &visitor::link(visitor, token))) }
                        }
                    }
                }
            }
        }
    };
    visitor.page(&Sheet { title, crumbs: crumbs(visitor), body, ..Sheet::default() }).into_response()
}
