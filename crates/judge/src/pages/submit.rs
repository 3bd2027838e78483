//! Handing in a player.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use maud::{Markup, html};

use super::layout::Sheet;
use super::seasons::{crumbs, season};
use crate::course;
use crate::database::now;
use crate::seasons::Season;
use crate::source::{self, Problem};
use crate::submissions::{self, MOST_UNDECIDED, NewSubmission};
use crate::texts;
use crate::web::{Answer, AppError, Site, Upload, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/seasons/{slug}/submit", get(form).post(submit))
        .route("/seasons/{slug}/starter/{file}", get(starter))
}

async fn form(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>) -> Answer {
    let season = open_season(&site, &visitor, &slug).await?;
    Ok(page(&visitor, &season, "", &[], ""))
}

/// The season, if this visitor may submit to it now.
async fn open_season(site: &Site, visitor: &Visitor, slug: &str) -> Result<Season, AppError> {
    let season = season(site, slug).await?;
    if !visitor.signed_in()?.may_submit() {
        return Err(AppError::Forbidden);
    }
    if !season.takes_submissions(now()) {
        return Err(AppError::Refused(StatusCode::FORBIDDEN, texts::NOT_OPEN));
    }
    Ok(season)
}

fn page(visitor: &Visitor, season: &Season, pasted: &str, problems: &[Problem], source: &str) -> Response {
    let title = visitor.t(texts::SUBMIT_PLAYER);
    let size = season.source_kib.to_string();
    let body = html! {
        h1 { (title) }
        @if !problems.is_empty() { (problem_list(visitor, problems, source)) }
        div.columns {
            form.card method="post" enctype="multipart/form-data" {
                (visitor.token())
                div.field {
                    label for="file" { (visitor.t(texts::SOURCE_FILE)) }
                    input #file type="file" name="file" accept=".cc,.cpp,.cxx,.rs,text/plain" aria-describedby="file-hint";
                    p.hint #file-hint { (visitor.fill(texts::SOURCE_HINT, &[("size", &size)])) }
                }
                div.field {
                    label for="text" { (visitor.t(texts::OR_PASTE)) }
                    textarea #text name="text" rows="14" spellcheck="false" autocapitalize="off" autocomplete="off" { (pasted) }
                }
                button { (visitor.t(texts::SUBMIT)) }
            }
            section.card {
                h2 { (visitor.t(texts::WHAT_HAPPENS)) }
                ol.steps {
                    li { (visitor.t(texts::STEP_CHECK)) }
                    li { (visitor.t(texts::STEP_COMPILE)) }
                    li { (visitor.t(texts::STEP_COPIES)) }
                    li { (visitor.t(texts::STEP_DUMMIES)) }
                }
                p { (visitor.t(texts::NAME_FOR_EVER)) }
                h2 { (visitor.t(texts::NO_PLAYER_YET)) }
                p { (visitor.t(texts::STARTER_HINT)) }
                ul.links {
                    @for (file, _) in crate::content::players(&season.game) {
                        li { a href={ "/seasons/" (season.slug) "/starter/" (file) } download { (file) } }
                    }
                }
            }
        }
    };
    let crumbs = crumbs(visitor, Some((&season.slug, &season.title)));
    let status = if problems.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    (status, visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() })).into_response()
}

/// Each problem with the line it is about.
fn problem_list(visitor: &Visitor, problems: &[Problem], source: &str) -> Markup {
    html! {
        section.notice.bad role="alert" {
            h2 { (visitor.t(texts::FILE_REFUSED)) }
            ul.problems {
                @for problem in problems {
                    li {
                        @if let Some(line) = problem.line { strong { (visitor.fill(texts::LINE, &[("line", &line.to_string())])) } " " }
                        (visitor.fill(problem.text, &[("about", &problem.about)]))
                        @if let Some(text) = problem.line.and_then(|line| source.lines().nth(line - 1)) {
                            pre { code { (text.chars().take(160).collect::<String>()) } }
                        }
                    }
                }
            }
        }
    }
}

async fn submit(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, upload: Upload) -> Answer {
    let season = open_season(&site, &visitor, &slug).await?;
    let account = visitor.signed_in()?;
    if submissions::undecided(&site.database, account.id).await? >= MOST_UNDECIDED {
        return Err(AppError::Refused(StatusCode::TOO_MANY_REQUESTS, texts::TOO_MANY_UNDECIDED));
    }
    let pasted = upload.fields.raw("text");
    let uploaded = !upload.file_name.is_empty() || !upload.file.is_empty();
    let source: &[u8] = if uploaded { &upload.file } else { pasted.as_bytes() };
    let language = source::language(&upload.file_name, source);
    let refused = |problems: &[Problem]| {
        let pasted = if uploaded { "" } else { pasted };
        Ok(page(&visitor, &season, pasted, problems, &String::from_utf8_lossy(source)))
    };
    let name = match source::inspect(source, language, season.source_kib) {
        Ok(name) => name,
        Err(problems) => return refused(&problems),
    };
    let problem = |text| vec![Problem { line: None, text, about: name.clone() }];
    if course::find(&site.database).await?.refuses(&name) {
        return refused(&problem(texts::NAME_REFUSED));
    }
    let mut tx = site.database.begin().await?;
    if submissions::name_is_taken(&mut tx, season.id, &name).await? {
        return refused(&problem(texts::NAME_TAKEN));
    }
    tx.rollback().await?;
    let new = NewSubmission { account: account.id, name: &name, file_name: &upload.file_name, language, source };
    let id = submissions::acknowledge(&site.database, &site.queue, &season, &new).await?;
    Ok(Redirect::to(&format!("/submissions/{id}")).into_response())
}

async fn starter(State(site): State<Site>, Path((slug, file)): Path<(String, String)>) -> Answer {
    let season = season(&site, &slug).await?;
    let source = crate::content::starter(&season.game, &file).ok_or(AppError::NotFound)?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], source).into_response())
}
