//! Handing in a player.

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};
use serde::Serialize;

use super::layout::{Field, Sheet};
use super::manual::api_links;
use super::seasons::{crumbs, season};
use super::submissions::visible;
use crate::database::now;
use crate::ids::SubmissionId;
use crate::invisible::shown;
use crate::reception::{self, Refused};
use crate::seasons::Season;
use crate::source::{self, Kind, Mark, Problem};
use crate::submissions::{self, Reason, Verdict};
use crate::web::{Answer, AppError, Asked, Site, Upload, Visitor};
use crate::{content, exceptions, texts};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/seasons/{slug}/submit", get(form).post(submit))
        .route("/seasons/{slug}/check", post(check))
        .route("/seasons/{slug}/starter/{file}", get(starter))
}

/// The form, with the source of an example in it if the address asks for one.
async fn form(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, Query(query): Asked) -> Answer {
    let season = open_season(&site, &visitor, &slug).await?;
    let excepted = exceptions::until(&site.database, season.id, visitor.signed_in()?.id).await?;
    let rust = site.settings.rust;
    let asked = |name: &str| query.get(name).map_or("", |value| value.trim());
    if let Ok(from) = asked("from").parse() {
        return again(&site, &visitor, &season, from, excepted).await;
    }
    let (file, name) = (asked("start"), asked("name"));
    let Some(example) = content::player(&season.game, file) else {
        return Ok(page(&visitor, &season, &Draft { excepted, rust, ..Draft::default() }, None));
    };
    let allowed = season.allowed()?;
    let named = source::inspect(example.as_bytes(), source::language(file, example.as_bytes()), allowed);
    let wrong = if name.is_empty() { None } else { source::check_name(name, allowed.longest_name) };
    let pasted = match named {
        Ok(named) if wrong.is_none() && !name.is_empty() => named.renamed(example, name),
        _ => example.to_owned(),
    };
    let refusal = wrong.map(|what| Refused::because(&Problem { line: None, what }));
    let wrong_name = refusal.as_ref().map(|refused| told(&visitor, refused));
    let draft = Draft { pasted: &pasted, file, name, wrong_name, excepted, rust, ..Draft::default() };
    Ok(page(&visitor, &season, &draft, None))
}

/// The form with one's own source of before in it, and what the compiler had
/// against it.
async fn again(site: &Site, visitor: &Visitor, season: &Season, id: i64, excepted: Option<i64>) -> Answer {
    let before = visible(site, visitor, SubmissionId(id)).await?;
    if before.account_id != visitor.signed_in()?.id || before.season_id != season.id {
        return Err(AppError::NotFound);
    }
    let source = submissions::source(&site.database, before.id).await?;
    let messages = match &before.verdict {
        Some(Verdict::Rejected(Reason::Compiler(messages))) => messages,
        _ => "",
    };
    let pasted = &String::from_utf8_lossy(&source);
    let draft = Draft { pasted, messages, excepted, rust: site.settings.rust, ..Draft::default() };
    Ok(page(visitor, season, &draft, None))
}

/// What a visitor has written so far.
#[derive(Default)]
struct Draft<'a> {
    /// Whether the course takes Rust, too.
    rust: bool,
    pasted: &'a str,
    /// The example it began with, and the name that was asked for.
    file: &'a str,
    name: &'a str,
    /// What is wrong with that name.
    wrong_name: Option<String>,
    /// The file that was refused.
    source: &'a str,
    /// What the compiler said of it when it was submitted before.
    messages: &'a str,
    /// Until when this visitor may submit out of turn.
    excepted: Option<i64>,
}

/// The season, if this visitor may submit to it now.
async fn open_season(site: &Site, visitor: &Visitor, slug: &str) -> Result<Season, AppError> {
    let season = season(site, slug).await?;
    reception::admit(site, visitor.signed_in()?, &season, visitor.received_at).await?;
    Ok(season)
}

/// Until when players are taken, and how long that is.
fn time_left(visitor: &Visitor, season: &Season, excepted: Option<i64>) -> Markup {
    let closes = season.closes_for(excepted);
    let minutes = (closes - visitor.received_at).div_euclid(60_000);
    let left = match minutes {
        ..0 => None,
        0 => Some(visitor.t(texts::UNDER_A_MINUTE).to_owned()),
        1..60 => Some(format!("{minutes} min")),
        60..1440 => Some(format!("{} h {} min", minutes / 60, minutes % 60)),
        _ => Some(format!("{} d {} h", minutes / 1440, minutes % 1440 / 60)),
    };
    html! {
        p.phase {
            span { (visitor.t(texts::TAKEN_UNTIL)) " " strong { (visitor.date(closes)) } }
            @match left {
                Some(left) => span.badge.accepted { (visitor.fill(texts::TIME_LEFT, &[("time", &left)])) },
                None => span.badge.rejected { (visitor.t(texts::IN_GRACE)) },
            }
        }
    }
}

fn page(visitor: &Visitor, season: &Season, draft: &Draft, refused: Option<&Refused>) -> Response {
    let title = visitor.t(texts::SUBMIT_PLAYER);
    let body = html! {
        h1 { (title) }
        (time_left(visitor, season, draft.excepted))
        @if let Some(refused) = refused { (complaint(visitor, refused, draft.source)) }
        (compiler_said(visitor, draft.messages))
        div.columns.aside {
            (source_form(visitor, season, draft, refused))
            div.stack {
                (examples(visitor, season, draft))
                section.card {
                    h2 { (visitor.t(texts::WHAT_HAPPENS)) }
                    ol.steps {
                        li { (visitor.t(texts::STEP_CHECK)) }
                        li { (visitor.t(texts::STEP_COMPILE)) }
                        li { (visitor.t(texts::STEP_COPIES)) }
                        li { (visitor.t(texts::STEP_DUMMIES)) }
                    }
                    p.quiet { (visitor.t(texts::NAME_FOR_EVER)) }
                }
            }
        }
    };
    let crumbs = crumbs(visitor, Some((&season.slug, &season.title)));
    let is_wrong = refused.is_some() || draft.wrong_name.is_some();
    let status = if is_wrong { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    (status, visitor.page(&Sheet { title, crumbs, body, scripts: &["editor.js"], ..Sheet::default() })).into_response()
}

/// The form with the source. The script puts an editor over the text area, marks
/// what is wrong in it, and asks whether the file would be taken before it is sent.
fn source_form(visitor: &Visitor, season: &Season, draft: &Draft, refused: Option<&Refused>) -> Markup {
    let address = format!("/seasons/{}", season.slug);
    let hint = visitor.fill(
        if draft.rust { texts::SOURCE_HINT } else { texts::SOURCE_HINT_CPP },
        &[("size", &season.source_kib.to_string())],
    );
    html! {
        form.card method="post" action={ (address) "/submit" } data-check={ (address) "/check" } enctype="multipart/form-data" {
            (visitor.token())
            div.field {
                label for="file" { (visitor.t(texts::SOURCE_FILE)) }
                input #file type="file" name="file" accept=".cc,.cpp,.cxx,.rs,text/plain" aria-describedby="file-hint";
                p.hint #file-hint { (hint) }
            }
            div.field #source {
                // Whoever asked for an example looks here.
                @if let Some(wrong) = &draft.wrong_name {
                    p.notice.bad role="alert" { (wrong) " " a href="#name" { (visitor.t(texts::CHANGE_NAME)) } }
                }
                label for="text" { (visitor.t(texts::OR_PASTE)) }
                textarea #text name="text" rows="22" spellcheck="false" autocapitalize="off" autocomplete="off"
                    data-editor data-keys=(visitor.t(texts::EDITOR_KEYS)) data-marks=[marked(visitor, draft, refused)] { (draft.pasted) }
                p.hint.scripted { (visitor.t(texts::EDITOR_KEYS)) }
            }
            p.notice.bad #problem role="alert" hidden {}
            button { (visitor.t(texts::SUBMIT)) }
        }
    }
}

/// What the editor marks: what the compiler found, or why the file was refused.
fn marked(visitor: &Visitor, draft: &Draft, refused: Option<&Refused>) -> Option<String> {
    let mut marks = source::marks(&texts::compiler(visitor.language, draft.messages));
    // Of a file that was sent as one the text area shows nothing.
    if let Some((refused, line)) = refused.and_then(|refused| Some((refused, refused.line?)))
        && !draft.pasted.is_empty()
    {
        marks.push(Mark { line, column: 1, kind: Kind::Error, text: sentence(visitor, refused) });
    }
    for mark in &mut marks {
        mark.text = shown(&mark.text).into_owned();
    }
    (!marks.is_empty()).then(|| serde_json::to_string(&marks).ok()).flatten()
}

/// What the compiler had against the source when it was submitted before. Lines
/// lead into the editor where there is one.
fn compiler_said(visitor: &Visitor, messages: &str) -> Markup {
    let messages = &texts::compiler(visitor.language, messages);
    let marks = source::marks(messages);
    html! {
        @if !messages.is_empty() {
            section.notice.bad {
                h2 { (visitor.t(texts::REASON_COMPILER)) }
                @if !marks.is_empty() {
                    ul.problems {
                        @for mark in marks.iter().filter(|mark| mark.kind == Kind::Error).take(MOST_LISTED) {
                            li { a href="#source" data-line=(mark.line) { (visitor.fill(texts::LINE, &[("line", &mark.line.to_string())])) } " " (shown(&mark.text)) }
                        }
                    }
                }
                details open[marks.is_empty()] {
                    summary { (visitor.t(texts::WHOLE_MESSAGES)) }
                    pre.messages tabindex="0" { code { (shown(messages)) } }
                }
            }
        }
    }
}

/// Errors that are listed above the editor, which has all of them.
const MOST_LISTED: usize = 8;

/// The examples of the game: to begin with here, or to download.
fn examples(visitor: &Visitor, season: &Season, draft: &Draft) -> Markup {
    let strongest = content::strongest(&season.game).unwrap_or_default();
    let longest = ludus_games::find(&season.game).map_or(0, |game| game.about().longest_name).to_string();
    let hint = visitor.fill(texts::OWN_NAME_HINT, &[("longest", &longest)]);
    let chosen = if draft.file.is_empty() { format!("AI{strongest}.cc") } else { draft.file.to_owned() };
    html! {
        section.card #examples {
            h2 { (visitor.t(texts::NO_PLAYER_YET)) }
            p { (visitor.fill(texts::STARTER_HINT, &[("example", strongest)])) }
            form.start action={ "/seasons/" (season.slug) "/submit#source" } {
                div.field {
                    label for="start" { (visitor.t(texts::EXAMPLE)) }
                    select #start name="start" {
                        @for (file, _) in content::players(&season.game).filter(|(file, _)| draft.rust || !is_rust(file)) {
                            option value=(file) selected[chosen == file] { (content::name_of(file)) ", " (language_of(file)) }
                        }
                    }
                }
                (Field { name: "name", label: visitor.t(texts::OWN_NAME), value: draft.name, hint: &hint, error: draft.wrong_name.as_deref(), pattern: Some(&format!("[A-Za-z0-9_]{{1,{longest}}}")), ..Field::default() }.html())
                button.quiet { (visitor.t(texts::USE_EXAMPLE)) }
            }
            p.quiet { (visitor.t(texts::OR_DOWNLOAD)) }
            ul.links {
                @for (file, _) in content::players(&season.game).filter(|(file, _)| draft.rust || !is_rust(file)) {
                    li { a href={ "/seasons/" (season.slug) "/starter/" (file) } download { (file) } }
                }
            }
            p.quiet { (visitor.t(texts::API)) " " (api_links(season)) }
        }
    }
}

fn language_of(file: &str) -> &'static str {
    if is_rust(file) { "Rust" } else { "C++" }
}

fn is_rust(file: &str) -> bool {
    file.ends_with(".rs")
}

/// Why the file was refused, with the line it is about.
fn complaint(visitor: &Visitor, refused: &Refused, source: &str) -> Markup {
    html! {
        section.notice.bad role="alert" {
            h2 { (visitor.t(texts::FILE_REFUSED)) }
            ul.problems {
                li {
                    @if let Some(line) = refused.line { strong { (visitor.fill(texts::LINE, &[("line", &line.to_string())])) } " " }
                    (sentence(visitor, refused))
                    @if let Some(text) = refused.line.and_then(|line| source.lines().nth(line - 1)) {
                        pre { code { (text.chars().take(160).collect::<String>()) } }
                    }
                }
            }
        }
    }
}

/// Why a file is refused, in a sentence.
fn sentence(visitor: &Visitor, refused: &Refused) -> String {
    let about: Vec<(&str, &str)> = refused.about.iter().map(|(name, value)| (*name, value.as_str())).collect();
    visitor.fill(refused.text, &about)
}

/// The same with its line.
fn told(visitor: &Visitor, refused: &Refused) -> String {
    let line = refused.line.map(|line| visitor.fill(texts::LINE, &[("line", &line.to_string())]) + " ");
    line.unwrap_or_default() + &sentence(visitor, refused)
}

/// What would be wrong with a file that somebody is about to hand in.
#[derive(Debug, Serialize)]
struct Foreseen {
    line: Option<usize>,
    text: String,
    told: String,
}

async fn check(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, upload: Upload) -> Answer {
    let season = open_season(&site, &visitor, &slug).await?;
    let refused = reception::foresee(&site, &season, handed_in(&upload)).await?;
    let foreseen = refused.map(|refused| Foreseen {
        line: refused.line,
        text: sentence(&visitor, &refused),
        told: told(&visitor, &refused),
    });
    let told = serde_json::to_string(&foreseen)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], told).into_response())
}

/// The file of a form, or what was written into it.
fn handed_in(upload: &Upload) -> (&str, &[u8]) {
    let uploaded = !upload.file_name.is_empty() || !upload.file.is_empty();
    let source = if uploaded { &upload.file[..] } else { upload.fields.raw("text").as_bytes() };
    (&upload.file_name, source)
}

async fn submit(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, upload: Upload) -> Answer {
    let season = open_season(&site, &visitor, &slug).await?;
    let account = visitor.signed_in()?;
    let excepted = exceptions::until(&site.database, season.id, account.id).await?;
    let pasted = upload.fields.raw("text");
    let uploaded = !upload.file_name.is_empty() || !upload.file.is_empty();
    let file = handed_in(&upload);
    // The whole file is here now: whoever is slow has the season's grace.
    match reception::receive(&site, account, &season, file, now()).await? {
        Ok(id) => Ok(Redirect::to(&format!("/submissions/{id}")).into_response()),
        Err(refused) => {
            let source = &String::from_utf8_lossy(file.1);
            let pasted = if uploaded { "" } else { pasted };
            let draft = Draft { pasted, source, excepted, rust: site.settings.rust, ..Draft::default() };
            Ok(page(&visitor, &season, &draft, Some(&refused)))
        }
    }
}

pub async fn starter(State(site): State<Site>, Path((slug, file)): Path<(String, String)>) -> Answer {
    let season = season(&site, &slug).await?;
    let source = content::player(&season.game, &file).ok_or(AppError::NotFound)?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], source).into_response())
}
