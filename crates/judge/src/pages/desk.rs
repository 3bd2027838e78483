//! The instructor's desk: everything that needs attention, with the way to act.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::IntoResponse as _;
use axum::routing::get;
use maud::{Markup, html};

use super::layout::Sheet;
use crate::database::Slice;
use crate::desk::{self, Coming, Stopped, WithoutPlayer};
use crate::official::awaited;
use crate::official::entrants::last_entry;
use crate::queue::Health;
use crate::texts::{self, Text};
use crate::web::{Answer, AppError, Site, Visitor};
use crate::{actions, likeness, losses, queue, seasons};

pub fn routes() -> Router<Site> {
    Router::new().route("/desk", get(show))
}

/// Actions of the log that are shown.
const LATEST: usize = 8;

/// Something that needs attention, or is good to know.
struct Note {
    is_bad: bool,
    text: Markup,
    /// Where to act, and what to call it.
    act: (String, Text),
}

impl Note {
    fn bad(text: Markup, address: &str, act: Text) -> Note {
        Note { is_bad: true, text, act: (address.to_owned(), act) }
    }

    fn plain(text: Markup, address: String, act: Text) -> Note {
        Note { is_bad: false, text, act: (address, act) }
    }
}

async fn show(State(site): State<Site>, visitor: Visitor) -> Answer {
    visitor.instructor()?;
    let mut notes = machine(&site, &visitor).await?;
    notes.extend(beginnings(&site, &visitor).await?);
    notes.extend(rounds(&site, &visitor).await?);
    notes.extend(deadlines(&site, &visitor).await?);
    notes.extend(likenesses(&site, &visitor).await?);
    notes.sort_by_key(|note| !note.is_bad);
    let log = actions::list(&site.database, None, Slice::first(LATEST as i64 + 1)).await?;
    let title = visitor.t(texts::YOUR_DESK);
    let body = html! {
        h1 { (title) }
        p.lead { (visitor.t(texts::DESK_HINT)) }
        @if !notes.iter().any(|note| note.is_bad) { p.notice.good role="status" { (visitor.t(texts::DESK_CLEAR)) } }
        @if !notes.is_empty() { ul.rows.card.desk { @for note in &notes { (row(&visitor, note)) } } }
        section {
            h2 { a href="/actions" { (visitor.t(texts::ACTIONS)) } }
            @if log.items.is_empty() { p.quiet { (visitor.t(texts::NO_ACTIONS)) ". " a href="/seasons/new" { (visitor.t(texts::NEW_SEASON)) } " · " a href="/people" { (visitor.t(texts::PEOPLE)) } } }
            @else { (super::actions::table(&visitor, &log.items)) }
        }
    };
    Ok(visitor.page(&Sheet { title, body, ..Sheet::default() }).into_response())
}

fn row(visitor: &Visitor, note: &Note) -> Markup {
    let (address, act) = &note.act;
    html! {
        li.attention[note.is_bad] {
            div { (note.text) }
            a.button.quiet href=(address) { (visitor.t(*act)) }
        }
    }
}

/// Workers, jobs, what was lost, what waits.
async fn machine(site: &Site, visitor: &Visitor) -> Result<Vec<Note>, AppError> {
    let health = site.queue.health(&site.store).await;
    let mut notes: Vec<Note> = trouble(visitor, &health).into_iter().collect();
    let parked = desk::parked(&site.database).await?;
    let later = queue::failed(&site.database).await? - parked;
    let count = |text, count: i64| html! { (visitor.fill(text, &[("count", &count.to_string())])) };
    if parked > 0 {
        notes.push(Note::bad(count(texts::DESK_PARKED, parked), "/workshop?state=parked", texts::DESK_TO_WORKSHOP));
    }
    if later > 0 {
        notes.push(Note::bad(count(texts::DESK_FAILING, later), "/workshop?state=waiting", texts::DESK_TO_WORKSHOP));
    }
    let lost = losses::list(&site.database).await?;
    let lost = lost.iter().filter(|loss| loss.state != losses::State::Restored).count() as i64;
    if lost > 0 {
        notes.push(Note::bad(count(texts::DESK_LOST, lost), "/storage", texts::STORAGE));
    }
    let waiting = desk::waiting(&site.database).await?;
    if let Some((submission, since)) = waiting.oldest {
        let age = age(visitor.received_at - since);
        let values = [("count", waiting.count.to_string()), ("age", age)];
        let text = visitor.fill(texts::DESK_WAITING, &values.each_ref().map(|(name, value)| (*name, value.as_str())));
        notes.push(Note::plain(html! { (text) }, format!("/submissions/{submission}"), texts::DESK_TO_OLDEST));
    }
    Ok(notes)
}

/// Why no work is done, if none is.
fn trouble(visitor: &Visitor, health: &Health) -> Option<Note> {
    let text = match health.paused {
        Some(trouble) => html! { (visitor.t(texts::PAUSED)) " " (visitor.t(texts::trouble(trouble))) },
        None if !health.database || !health.store => html! { (visitor.t(texts::DESK_STORE)) },
        None if health.stalled => html! { (visitor.t(texts::DESK_STALLED)) },
        None if health.workers == 0 => html! { (visitor.t(texts::DESK_NO_WORKERS)) },
        None => return None,
    };
    Some(Note::bad(text, "/workshop", texts::DESK_TO_WORKSHOP))
}

/// An age in the largest unit that says enough.
fn age(ms: i64) -> String {
    let seconds = Duration::from_millis(ms.max(0).unsigned_abs()).as_secs();
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        7200..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// Rounds that stopped, that are paused, that come; finals to be shown.
async fn rounds(site: &Site, visitor: &Visitor) -> Result<Vec<Note>, AppError> {
    let mut notes = Vec::new();
    for stopped in desk::stopped_rounds(&site.database).await? {
        notes.push(stopped_note(visitor, &stopped));
    }
    for (season, reason) in desk::paused_seasons(&site.database).await? {
        let text = html! { (visitor.fill(texts::DESK_PAUSED, &[("season", &season.season.1)])) " " (reason) };
        let desk = format!("{}/desk", address(&season));
        notes.push(Note { is_bad: true, ..Note::plain(text, desk, texts::DESK_TO_SEASON) });
    }
    notes.extend(awaited(site, visitor).await?);
    for round in desk::coming_rounds(&site.database, visitor.received_at).await? {
        let text = visitor.fill(texts::DESK_ROUND, &[("season", &round.season.1)]);
        notes.push(Note::plain(html! { (text) " " (visitor.date(round.at)) }, address(&round), texts::DESK_TO_SEASON));
    }
    for (slug, title) in desk::finals_to_show(&site.database).await? {
        let text = html! { (visitor.fill(texts::DESK_FINAL, &[("final", &title)])) };
        notes.push(Note::plain(text, format!("/finals/{slug}/present"), texts::FINAL_PRESENT));
    }
    Ok(notes)
}

/// A list that has been due for so long is late, whatever it waits for.
const LATE: i64 = 15 * 60_000;

/// Lists of seasons that wait for verdicts.
async fn awaited(site: &Site, visitor: &Visitor) -> Result<Vec<Note>, AppError> {
    let mut notes = Vec::new();
    for (season, awaited) in awaited::overdue(&site.database, visitor.received_at).await? {
        let failed = awaited.iter().filter(|one| one.is_in_trouble()).count();
        let values =
            [("season", season.title.clone()), ("count", awaited.len().to_string()), ("failed", failed.to_string())];
        let text = visitor.fill(texts::DESK_AWAITED, &values.each_ref().map(|(name, value)| (*name, value.as_str())));
        let text = html! {
            (text)
            p.quiet { @for (at, one) in awaited.iter().enumerate() { @if at > 0 { ", " } a href={ "/submissions/" (one.submission) } { (one.name) } } }
        };
        let is_bad = failed > 0 || visitor.received_at >= last_entry(&season) + LATE;
        notes.push(Note {
            is_bad,
            ..Note::plain(text, format!("/seasons/{}/desk", season.slug), texts::DESK_TO_SEASON)
        });
    }
    Ok(notes)
}

fn stopped_note(visitor: &Visitor, stopped: &Stopped) -> Note {
    let title = stopped.of_final.as_ref().map_or(&stopped.season.1, |(_, title)| title);
    let text = visitor.fill(texts::DESK_STOPPED, &[("round", &stopped.round.to_string()), ("season", title)]);
    let address = match &stopped.of_final {
        Some((slug, _)) => format!("/finals/{slug}"),
        None => format!("/seasons/{}/desk", stopped.season.0),
    };
    Note::bad(
        html! { (text) @if !stopped.error.is_empty() { pre { code { (stopped.error) } } } },
        &address,
        texts::DESK_TO_ROUND,
    )
}

/// What a course needs before anything else.
async fn beginnings(site: &Site, visitor: &Visitor) -> Result<Vec<Note>, AppError> {
    let mut notes = Vec::new();
    let plain = |text: Text| html! { (visitor.t(text)) };
    if seasons::list(&site.database).await?.is_empty() {
        notes.push(Note::plain(plain(texts::NO_SEASONS), "/seasons/new".to_owned(), texts::NEW_SEASON));
    }
    if !desk::has_students(&site.database).await? {
        notes.push(Note::plain(plain(texts::DESK_NO_STUDENTS), "/people/import".to_owned(), texts::IMPORT_ROSTER));
    }
    Ok(notes)
}

/// Deadlines that come, and who has nothing to play with yet.
async fn deadlines(site: &Site, visitor: &Visitor) -> Result<Vec<Note>, AppError> {
    let mut notes = Vec::new();
    for deadline in desk::deadlines(&site.database, visitor.received_at).await? {
        let text = visitor.fill(texts::DESK_DEADLINE, &[("season", &deadline.season.1)]);
        let when = html! { (text) " " (visitor.date(deadline.at)) };
        notes.push(Note::plain(when, address(&deadline), texts::DESK_TO_SEASON));
        let without = desk::without_player(&site.database, deadline.season_id).await?;
        if without.count > 0 {
            let text = without_text(visitor, &deadline, &without);
            notes.push(Note { is_bad: true, ..Note::plain(text, "/people".to_owned(), texts::PEOPLE) });
        }
    }
    Ok(notes)
}

/// Authors who share code.
async fn likenesses(site: &Site, visitor: &Visitor) -> Result<Vec<Note>, AppError> {
    let mut notes = Vec::new();
    for (slug, title, count) in likeness::new_ones(&site.database).await? {
        let text = visitor.fill(texts::DESK_LIKENESS, &[("season", &title), ("count", &count.to_string())]);
        let address = format!("/seasons/{slug}/likeness?state=new");
        notes.push(Note { is_bad: true, ..Note::plain(html! { (text) }, address, texts::DESK_TO_LIKENESS) });
    }
    Ok(notes)
}

fn without_text(visitor: &Visitor, deadline: &Coming, without: &WithoutPlayer) -> Markup {
    let values = [("count", without.count.to_string()), ("season", deadline.season.1.clone())];
    let text = visitor.fill(texts::DESK_WITHOUT, &values.each_ref().map(|(name, value)| (*name, value.as_str())));
    html! {
        (text)
        p.quiet {
            @for (at, (account, name)) in without.some.iter().enumerate() { @if at > 0 { ", " } a href={ "/people/" (account) } { (name) } }
            @if without.count > without.some.len() as i64 { " …" }
        }
    }
}

fn address(coming: &Coming) -> String {
    format!("/seasons/{}", coming.season.0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn ages_are_told_in_one_unit() {
        for (ms, told) in [(-5, "0 s"), (90_000, "90 s"), (180_000, "3 min"), (7_200_000, "2 h"), (200_000_000, "2 d")]
        {
            assert_eq!(super::age(ms), told);
        }
    }
}
