//! Who shares code with whom, for instructors: the pairs of a season, and two
//! sources side by side.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{get, post};
use ludus_plagiarism::{COLOURS, Run, side};
use maud::{Markup, PreEscaped, html};

use super::layout::{Field, Sheet};
use super::retirement::reason;
use super::seasons::{crumbs, season};
use crate::actions::{self, Action, Entry};
use crate::database::Page;
use crate::grading;
use crate::ids::LikenessId;
use crate::likeness::{self, Evidence, Likeness, Note, Opinion, Progress, Side, players};
use crate::seasons::{self, Season};
use crate::texts;
use crate::web::{Answer, AppError, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/seasons/{slug}/likeness", get(list))
        .route("/seasons/{slug}/likeness/again", post(again))
        .route("/likeness/{id}", get(show).post(judge))
        .route("/likeness/{id}/behaviour", post(watch))
}

async fn list(
    State(site): State<Site>,
    visitor: Visitor,
    Path(slug): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Answer {
    visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let asked = |name: &str| query.get(name).map_or("", String::as_str);
    let state = Opinion::of(asked("state"));
    let listed = likeness::list(&site.database, season.id, state, Page::new(asked("page").parse().ok())).await?;
    let progress = likeness::progress(&site.database, season.id).await?;
    let title = visitor.t(texts::LIKENESS_PAGE);
    let body = html! {
        (visitor.said(query.get("said").map(String::as_str)))
        h1 { (title) " " span.count { (listed.total) } }
        p.lead { (visitor.t(texts::LIKENESS_LEAD)) }
        form.filters role="search" {
            div.field {
                label for="state" { (visitor.t(texts::STATE)) }
                (opinions(&visitor, "state", state, true))
            }
            button.quiet { (visitor.t(texts::SHOW)) }
        }
        @if listed.items.is_empty() { (visitor.empty(texts::LIKENESS_NONE, &html! { (visitor.t(texts::LIKENESS_NONE_HINT)) })) }
        @else { (table(&visitor, &listed.items)) }
        (visitor.pager(&listed, &format!("state={}&", state.map_or("", Opinion::word))))
        (about_comparing(&visitor, &season, &progress))
    };
    let crumbs = crumbs(&visitor, Some((&season.slug, &season.title)));
    Ok(visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response())
}

/// A list of the states to choose from.
fn opinions(visitor: &Visitor, name: &str, chosen: Option<Opinion>, with_all: bool) -> Markup {
    html! {
        select id=(name) name=(name) {
            @if with_all { option value="" { (visitor.t(texts::ALL)) } }
            @for one in Opinion::ALL { option value=(one.word()) selected[chosen == Some(one)] { (visitor.t(texts::likeness(one))) } }
        }
    }
}

fn badge(visitor: &Visitor, state: Opinion) -> Markup {
    let class = match state {
        Opinion::New => "waiting",
        Opinion::Review => "playing",
        Opinion::Dismissed => "retired",
        Opinion::Confirmed => "rejected",
    };
    html! { span class={ "badge " (class) } { (visitor.t(texts::likeness(state))) } }
}

fn percent(millionths: i64) -> String {
    format!("{} %", (millionths + 5_000) / 10_000)
}

fn table(visitor: &Visitor, listed: &[Likeness]) -> Markup {
    let label = |text| visitor.t(text);
    html! {
        table.collapsing {
            thead { tr {
                th { (label(texts::LIKENESS_ALIKE)) } th { (label(texts::LIKENESS_AUTHORS)) } th { (label(texts::LIKENESS_SHARE)) }
                th { (label(texts::LIKENESS_LONGEST)) } th { (label(texts::LIKENESS_FIRST)) } th { (label(texts::STATE)) }
            } }
            tbody { @for one in listed {
                tr {
                    td { a href={ "/likeness/" (one.id) } { strong { (percent(one.similarity)) } } (across(visitor, one)) }
                    td data-label=(label(texts::LIKENESS_AUTHORS)) { div { @for side in &one.sides { div { (who(visitor, side, one)) } } } }
                    td data-label=(label(texts::LIKENESS_SHARE)) { div { @for side in &one.sides { div { (percent(side.share)) } } } }
                    td data-label=(label(texts::LIKENESS_LONGEST)) { (lines(visitor, one.longest)) }
                    td data-label=(label(texts::LIKENESS_FIRST)) { (first(visitor, one)) }
                    td data-label=(label(texts::STATE)) { (badge(visitor, one.state)) }
                }
            } }
        }
    }
}

fn across(visitor: &Visitor, one: &Likeness) -> Markup {
    html! { @if one.is_across { p.quiet { (visitor.t(texts::LIKENESS_ACROSS)) } } }
}

fn lines(visitor: &Visitor, count: i64) -> String {
    visitor.fill(texts::LIKENESS_LINES, &[("count", &count.to_string())])
}

fn first(visitor: &Visitor, one: &Likeness) -> Markup {
    match one.first() {
        Some(side) => {
            html! { (side.author) @if let Some(at) = side.written_at { " " span.quiet { (visitor.time(at)) } } }
        }
        None => html! { "–" },
    }
}

/// An author and the player that is meant, with its season where that is another.
fn who(visitor: &Visitor, side: &Side, one: &Likeness) -> Markup {
    html! {
        @match side.account { Some(account) => a href={ "/people/" (account) } { (side.author) }, None => (side.author) }
        " · "
        @match side.submission { Some(id) => a href={ "/submissions/" (id) } { (side.player) }, None => (side.player) }
        @if side.submission.is_none() { " " span.quiet { (visitor.t(texts::LIKENESS_EARLIER)) } }
        @else if side.season != Some(one.season) { " " span.quiet { (side.season_title) } }
    }
}

/// How far it has come, what cannot be compared, and a way to do it all again.
fn about_comparing(visitor: &Visitor, season: &Season, progress: &Progress) -> Markup {
    let values = [("compared", progress.compared.to_string()), ("waiting", progress.waiting.to_string())];
    let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
    html! {
        section.card {
            p { (visitor.fill(texts::LIKENESS_PROGRESS, &values)) }
            @if !progress.refused.is_empty() {
                h2 { (visitor.t(texts::LIKENESS_REFUSED)) }
                ul.rows { @for (id, name, why) in &progress.refused { li { a href={ "/submissions/" (id) } { (name) } " " span.quiet { (why) } } } }
            }
            form.stack.close method="post" action={ "/seasons/" (season.slug) "/likeness/again" } {
                (visitor.token())
                p.hint { (visitor.t(texts::LIKENESS_AGAIN_HINT)) }
                button.quiet { (visitor.t(texts::LIKENESS_AGAIN)) }
            }
        }
    }
}

async fn again(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, _: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let mut tx = site.database.begin().await?;
    likeness::compare_again(&mut tx, &site.queue, season.id).await?;
    let entry = Entry { season: Some(season.id), ..Entry::new(actor.id, Action::CompareAgain) };
    actions::record(&mut tx, &entry).await?;
    tx.commit().await?;
    site.queue.announce();
    Ok(Redirect::to(&format!("/seasons/{slug}/likeness?said=saved")).into_response())
}

async fn show(
    State(site): State<Site>,
    visitor: Visitor,
    Path(id): Path<LikenessId>,
    Query(query): Query<HashMap<String, String>>,
) -> Answer {
    visitor.instructor()?;
    let one = likeness::find(&site.database, id).await?.ok_or(AppError::NotFound)?;
    let season = seasons::by_id(&site.database, one.season).await?;
    let evidence = likeness::evidence(&site.database, id).await?;
    let notes = likeness::notes(&site.database, id).await?;
    let title = visitor.fill(texts::LIKENESS_CASE, &[("number", &id.to_string())]);
    let [a, b] = &one.sides;
    let body = html! {
        (visitor.said(query.get("said").map(String::as_str)))
        div.title {
            h1 { (visitor.fill(texts::LIKENESS_OF, &[("a", &a.author), ("b", &b.author)])) }
            (badge(&visitor, one.state))
        }
        (facts(&visitor, &one))
        div.columns.unprinted {
            (opinion(&visitor, &one))
            (in_grades(&site, &visitor, &one, &season, &notes).await?)
        }
        (behaviour(&visitor, &one))
        (history(&visitor, &notes))
        (side_by_side(&visitor, &one, &evidence))
    };
    let mut crumbs = crumbs(&visitor, Some((&season.slug, &season.title)));
    crumbs.push((format!("/seasons/{}/likeness", season.slug), visitor.t(texts::LIKENESS_PAGE).to_owned()));
    Ok(visitor.page(&Sheet { title: &title, crumbs, body, scripts: &["sides.js"], ..Sheet::default() }).into_response())
}

fn facts(visitor: &Visitor, one: &Likeness) -> Markup {
    html! {
        dl.facts {
            div { dt { (visitor.t(texts::LIKENESS_ALIKE)) } dd { strong { (percent(one.similarity)) } (across(visitor, one)) } }
            @for side in &one.sides { div { dt { (who(visitor, side, one)) } dd { (percent(side.share)) @if let Some(at) = side.written_at { " · " (visitor.time(at)) } } } }
            div { dt { (visitor.t(texts::LIKENESS_LONGEST)) } dd { (lines(visitor, one.longest)) } }
            div { dt { (visitor.t(texts::LIKENESS_FIRST)) } dd { (first(visitor, one)) } }
        }
    }
}

fn opinion(visitor: &Visitor, one: &Likeness) -> Markup {
    html! {
        form.card method="post" action={ "/likeness/" (one.id) } {
            (visitor.token())
            h2 { (visitor.t(texts::LIKENESS_OPINION)) }
            div.field { label for="state" { (visitor.t(texts::STATE)) } (opinions(visitor, "state", Some(one.state), false)) }
            (Field { name: "reason", label: visitor.t(texts::LIKENESS_NOTE), hint: visitor.t(texts::LIKENESS_OPINION_HINT), ..Field::default() }.html())
            div.finish { button { (visitor.t(texts::SAVE)) } }
        }
    }
}

/// What is confirmed can be carried into the grades of those who are in the season.
async fn in_grades(
    site: &Site,
    visitor: &Visitor,
    one: &Likeness,
    season: &Season,
    notes: &[Note],
) -> Result<Markup, AppError> {
    if one.state != Opinion::Confirmed {
        return Ok(html! {});
    }
    let case = visitor.fill(texts::LIKENESS_REASON, &[("number", &one.id.to_string())]);
    let said = notes.first().map_or(String::new(), |note| format!(": {}", note.note));
    let why = case + &said;
    let mut forms = Vec::new();
    for side in one.sides.iter().filter(|side| side.season == Some(season.id)) {
        let Some(account) = side.account else { continue };
        let grade = grading::correction_of(&site.database, season.id, account).await?;
        forms.push((side, account, grade));
    }
    Ok(html! {
        section.card {
            h2 { (visitor.t(texts::LIKENESS_GRADES)) }
            p.hint { (visitor.t(texts::LIKENESS_GRADES_HINT)) }
            @for (side, account, grade) in &forms {
                @match grade {
                    None => p.quiet { (visitor.fill(texts::LIKENESS_NOT_LISTED, &[("name", &side.author)])) },
                    Some(given) => form.start method="post" action={ "/seasons/" (season.slug) "/grades/correct" } {
                        (visitor.token())
                        input type="hidden" name="account" value=(account);
                        div.field { label { (side.author) @if let Some(given) = given { " (" (given) ")" } input name="mark" value="0" required autocomplete="off"; } }
                        div.field { label { (visitor.t(texts::WHY)) input name="reason" value=(why) required autocomplete="off"; } }
                        button.quiet { (visitor.t(texts::CORRECT_GRADE)) }
                    },
                }
            }
            p { a href={ "/seasons/" (season.slug) "/grades" } { (visitor.t(texts::GRADES)) } }
        }
    })
}

/// How the two play, beside what their sources say.
fn behaviour(visitor: &Visitor, one: &Likeness) -> Markup {
    let share = |millionths: Option<i64>| millionths.map_or("–".to_owned(), percent);
    let is_possible = one.sides.iter().all(|side| side.submission.is_some());
    html! {
        section.card {
            h2 { (visitor.t(texts::WITNESS)) }
            p.hint { (visitor.t(texts::WITNESS_HINT)) }
            @match &one.seen {
                Some(seen) => {
                    dl.facts {
                        div { dt { (visitor.t(texts::WITNESS_AGREEMENT)) } dd { strong { (share(seen.agreement)) } } }
                        div { dt { (visitor.t(texts::WITNESS_USUAL)) } dd { (share(seen.usual)) " (≤ " (share(seen.most)) ")" } }
                        div { dt { (visitor.t(texts::WITNESS_BEYOND)) } dd { (share(seen.beyond)) } }
                        div { dt { (visitor.t(texts::WITNESS_CODE)) } dd { (share(seen.code)) } }
                    }
                    p.quiet { (visitor.fill(texts::WITNESS_COUNT, &[("orders", &seen.orders.to_string()), ("others", &seen.others.to_string())])) }
                },
                None if one.is_watched => p { (visitor.t(texts::WITNESS_WAITS)) },
                None => {},
            }
            @if is_possible {
                form.unprinted method="post" action={ "/likeness/" (one.id) "/behaviour" } { (visitor.token()) button.quiet { (visitor.t(texts::WITNESS_ASK)) } }
            }
        }
    }
}

async fn watch(State(site): State<Site>, visitor: Visitor, Path(id): Path<LikenessId>, _: Fields) -> Answer {
    visitor.instructor()?;
    likeness::find(&site.database, id).await?.ok_or(AppError::NotFound)?;
    let mut tx = site.database.begin().await?;
    players::ask(&mut tx, &site.queue, id).await?;
    tx.commit().await?;
    site.queue.announce();
    Ok(Redirect::to(&format!("/likeness/{id}")).into_response())
}

fn history(visitor: &Visitor, notes: &[Note]) -> Markup {
    html! {
        @if !notes.is_empty() {
            section {
                h2 { (visitor.t(texts::LIKENESS_NOTES)) }
                ul.rows.card { @for note in notes {
                    li { div { (badge(visitor, note.state)) " " (note.note) p.quiet { (note.actor.1) " · " (visitor.time(note.created_at)) } } }
                } }
            }
        }
    }
}

fn side_by_side(visitor: &Visitor, one: &Likeness, evidence: &Evidence) -> Markup {
    let run = |run: &Run| {
        let [a, b, c, d] = [run.a.0, run.a.1, run.b.0, run.b.1].map(|line| line.to_string());
        let steps = run.steps.to_string();
        let values = [("a", a), ("b", b), ("c", c), ("d", d), ("steps", steps)];
        visitor.fill(texts::LIKENESS_RUN_LINES, &values.each_ref().map(|(name, value)| (*name, value.as_str())))
    };
    html! {
        section {
            h2 { (visitor.t(texts::LIKENESS_RUNS)) }
            ul.runs { @for (at, one) in evidence.runs.iter().enumerate() {
                li {
                    a class={ "run c" (at % COLOURS) } href={ "#p1a" (one.a.0) } { (visitor.fill(texts::LIKENESS_RUN, &[("number", &(at + 1).to_string())])) }
                    ": " (run(one))
                }
            } }
            h2 { (visitor.t(texts::LIKENESS_SIDES)) }
            p.hint { (visitor.t(texts::LIKENESS_SIDES_HINT)) }
            div.sources {
                @for ((name, text), of) in ['a', 'b'].into_iter().zip(&evidence.texts).zip(&one.sides) {
                    section.source {
                        h3 { (of.player) " " small { (of.author) } }
                        (PreEscaped(side(&evidence.runs, name, text)))
                    }
                }
            }
        }
    }
}

async fn judge(State(site): State<Site>, visitor: Visitor, Path(id): Path<LikenessId>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let one = likeness::find(&site.database, id).await?.ok_or(AppError::NotFound)?;
    let state = Opinion::of(fields.get("state")).ok_or(AppError::NotFound)?;
    let note = reason(&fields)?;
    let mut tx = site.database.begin().await?;
    likeness::judge(&mut tx, id, actor.id, state, &note).await?;
    let detail = format!("#{id} · {} · {}", state.word(), percent(one.similarity));
    let entry = Entry::new(actor.id, Action::ReviewLikeness);
    let entry = Entry { season: Some(one.season), detail: &detail, reason: &note, ..entry };
    // What is said about a person stands under the name only when it is confirmed.
    let confirmed = one.sides.iter().filter_map(|side| side.account).filter(|_| state == Opinion::Confirmed);
    let about: Vec<_> = confirmed.map(Some).collect();
    for account in if about.is_empty() { vec![None] } else { about } {
        actions::record(&mut tx, &Entry { account, ..entry.clone() }).await?;
    }
    tx.commit().await?;
    Ok(Redirect::to(&format!("/likeness/{id}?said=saved")).into_response())
}
