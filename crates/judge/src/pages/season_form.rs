//! Making, copying, changing and archiving a season.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use ludus_games::GAMES;
use maud::html;

use super::layout::{Field, Sheet};
use super::seasons::{crumbs, season};
use crate::actions::{self, Action, Entry};
use crate::database::now;
use crate::ids::{AccountId, SeasonId};
use crate::seasons::{self, Season};
use crate::texts::{self, Text};
use crate::web::{Answer, AppError, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/seasons/new", get(new_form).post(create))
        .route("/seasons/{slug}/edit", get(edit_form).post(edit))
        .route("/seasons/{slug}/archive", post(archive))
}

/// A field and what is wrong with it.
type Wrong = (&'static str, String);

const DAY: i64 = 86_400_000;
const WEEK: i64 = 7 * DAY;

/// The form of a season as most are, or of a copy of another one.
async fn new_form(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    visitor.instructor()?;
    if let Some(slug) = query.get("from") {
        let season = copied(&visitor, season(&site, slug).await?);
        return Ok(page(&visitor, &fields_of(&visitor, &season), None, &[]));
    }
    let about = GAMES[0].about();
    let (opens_at, deadline_at) = (now(), end_of_day(&visitor, now() + 4 * WEEK));
    let season = Season {
        title: String::new(),
        config: String::new(),
        official_at: end_of_day(&visitor, now() + 5 * WEEK),
        // New players are taken while rounds are played, until the final.
        closes_at: end_of_day(&visitor, now() + 9 * WEEK),
        ..Season::of_game(about, "", opens_at, deadline_at)
    };
    Ok(page(&visitor, &fields_of(&visitor, &season), None, &[]))
}

/// The last minute of the day of a moment, when deadlines end.
fn end_of_day(visitor: &Visitor, ms: i64) -> i64 {
    let day = local_time(visitor, ms).split('T').next().map(|day| format!("{day}T23:59"));
    day.and_then(|time| read_time(visitor, &time)).unwrap_or(ms)
}

/// A season like another one that opens today, with the same days between its dates.
fn copied(visitor: &Visitor, old: Season) -> Season {
    let days = (now() - old.opens_at).div_euclid(DAY);
    let later = |ms: i64| {
        let stamp = jiff::Timestamp::from_millisecond(ms).unwrap_or_default().to_zoned(visitor.zone.clone());
        // Days and not hours, so that 23:59 stays 23:59 when clocks are changed between.
        stamp
            .checked_add(jiff::Span::new().days(days))
            .map_or(ms + days * DAY, |then| then.timestamp().as_millisecond())
    };
    Season {
        title: visitor.fill(texts::COPY_OF, &[("title", &old.title)]),
        opens_at: later(old.opens_at),
        deadline_at: later(old.deadline_at),
        closes_at: later(old.closes_at),
        official_at: later(old.official_at),
        ..old
    }
}

async fn edit_form(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>) -> Answer {
    visitor.instructor()?;
    let season = season(&site, &slug).await?;
    Ok(page(&visitor, &fields_of(&visitor, &season), Some(&season), &[]))
}

/// What the form of a season shows.
fn fields_of(visitor: &Visitor, season: &Season) -> Fields {
    Fields::from([
        ("title", season.title.clone()),
        ("game", season.game.clone()),
        ("config", season.config.clone()),
        ("cpu", season.match_ms.to_string()),
        ("round", season.round_ms.unwrap_or(0).to_string()),
        ("memory", season.memory_mib.to_string()),
        ("source", season.source_kib.to_string()),
        ("opens", local_time(visitor, season.opens_at)),
        ("deadline", local_time(visitor, season.deadline_at)),
        // Empty where it follows the deadline, so that it moves with it.
        (
            "closes",
            Some(season.closes_at)
                .filter(|closes| *closes != season.deadline_at)
                .map_or(String::new(), |closes| local_time(visitor, closes)),
        ),
        ("grace", season.grace_s.to_string()),
        ("official", local_time(visitor, season.official_at)),
        ("rules", season.rules.clone()),
    ])
}

fn page(visitor: &Visitor, fields: &Fields, edited: Option<&Season>, wrong: &[Wrong]) -> Response {
    let title = visitor.t(if edited.is_some() { texts::EDIT } else { texts::NEW_SEASON });
    let error = |field: &str| wrong.iter().find(|(name, _)| *name == field).map(|(_, text)| text.as_str());
    let input = |name: &'static str, label: Text, kind: &'static str, hint: Text, required: bool| {
        Field {
            name,
            label: visitor.t(label),
            kind,
            value: fields.get(name),
            hint: visitor.t(hint),
            error: error(name),
            required,
            ..Field::default()
        }
        .html()
    };
    let body = html! {
        h1 { @if let Some(season) = edited { (season.title) } @else { (title) } }
        form.card method="post" {
            (visitor.token())
            (input("title", texts::TITLE, "text", texts::NOTHING, true))
            @if edited.is_none() {
                div.field {
                    label for="game" { (visitor.t(texts::GAME)) }
                    select #game name="game" data-limits {
                        @for about in GAMES.iter().map(|game| game.about()) {
                            option value=(about.id) data-cpu=(about.cpu.match_ms) data-round=(about.cpu.round_ms.unwrap_or(0)) selected[fields.get("game") == about.id] { (about.title) }
                        }
                    }
                }
            }
            fieldset {
                legend { (visitor.t(texts::DATES)) }
                div.columns.dates {
                    (input("opens", texts::OPENS, "datetime-local", texts::OPENS_HINT, true))
                    (input("deadline", texts::DEADLINE, "datetime-local", texts::DEADLINE_HINT, true))
                    (input("closes", texts::CLOSES, "datetime-local", texts::CLOSES_HINT, false))
                    (input("official", texts::OFFICIAL_START, "datetime-local", texts::OFFICIAL_HINT, true))
                    (input("grace", texts::GRACE, "number", texts::GRACE_HINT, false))
                }
            }
            fieldset {
                legend { (visitor.t(texts::LIMITS)) }
                div.columns {
                    (input("cpu", texts::CPU_MS, "number", texts::CPU_HINT, false))
                    (input("round", texts::ROUND_MS, "number", texts::ROUND_HINT, false))
                    (input("memory", texts::MEMORY_MIB, "number", texts::NOTHING, true))
                    (input("source", texts::SOURCE_KIB, "number", texts::NOTHING, true))
                }
            }
            div.field {
                label for="config" { (visitor.t(texts::CONFIG)) }
                textarea #config name="config" rows="10" spellcheck="false" aria-describedby="config-hint" { (fields.raw("config")) }
                p.hint #config-hint { (visitor.t(texts::CONFIG_HINT)) }
                @if let Some(text) = error("config") { p.error { (text) } }
            }
            div.field {
                label for="rules" { (visitor.t(texts::RULES)) }
                textarea #rules name="rules" rows="10" aria-describedby="rules-hint" { (fields.raw("rules")) }
                p.hint #rules-hint { (visitor.t(texts::RULES_HINT)) }
            }
            div.finish { button { (visitor.t(texts::SAVE)) } }
        }
    };
    let status = if wrong.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let crumbs = crumbs(visitor, edited.map(|season| (season.slug.as_str(), season.title.as_str())));
    (status, visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() })).into_response()
}

async fn create(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = match read(&visitor, &fields, None) {
        Ok(season) => season,
        Err(wrong) => return Ok(page(&visitor, &fields, None, &wrong)),
    };
    for attempt in 1..100 {
        let slug = if attempt == 1 { season.slug.clone() } else { format!("{}-{attempt}", season.slug) };
        let season = Season { slug, ..season.clone() };
        if seasons::add(&site.database, &season).await? {
            log(&site, actor.id, Action::MakeSeason, &season.slug, "").await?;
            return Ok(Redirect::to(&format!("/seasons/{}?said=made", season.slug)).into_response());
        }
    }
    Ok(page(&visitor, &fields, None, &[("title", visitor.t(texts::TITLE_TAKEN).to_owned())]))
}

async fn edit(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let old = season(&site, &slug).await?;
    match read(&visitor, &fields, Some(&old)) {
        Ok(season) => {
            seasons::update(&site.database, &season).await?;
            let moved = format!("→ {}", local_time(&visitor, season.closes_at).replace('T', " "));
            let detail = if season.closes_at == old.closes_at { "" } else { &moved };
            log(&site, actor.id, Action::ChangeSeason, &slug, detail).await?;
            Ok(Redirect::to(&format!("/seasons/{slug}?said=saved")).into_response())
        }
        Err(wrong) => Ok(page(&visitor, &fields, Some(&old), &wrong)),
    }
}

async fn archive(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let archived = fields.get("archived") == "1";
    let mut tx = site.database.begin().await?;
    if seasons::set_archived(&mut tx, season.id, archived).await? {
        let action = if archived { Action::ArchiveSeason } else { Action::ReturnSeason };
        let entry = Entry { season: Some(season.id), ..Entry::new(actor.id, action) };
        actions::record(&mut tx, &entry).await?;
    }
    tx.commit().await?;
    Ok(Redirect::to(&format!("/seasons/{slug}?said=saved")).into_response())
}

async fn log(site: &Site, actor: AccountId, action: Action, slug: &str, detail: &str) -> Result<(), AppError> {
    let season = season(site, slug).await?;
    let entry = Entry { season: Some(season.id), detail, ..Entry::new(actor, action) };
    Ok(actions::note(&site.database, &entry).await?)
}

/// The season that a form describes, or everything that is wrong with it.
fn read(visitor: &Visitor, fields: &Fields, old: Option<&Season>) -> Result<Season, Vec<Wrong>> {
    let mut wrong: Vec<Wrong> = Vec::new();
    let id = old.map_or(fields.get("game"), |old| &old.game);
    let game = ludus_games::find(id).unwrap_or(GAMES[0]);
    let about = game.about();
    let mut number = |name: &'static str, range: std::ops::RangeInclusive<i64>, default: Option<i64>| {
        let value = if fields.get(name).is_empty() { default } else { fields.number(name) };
        value.filter(|value| range.contains(value)).unwrap_or_else(|| {
            let bounds = [("least", range.start().to_string()), ("most", range.end().to_string())];
            wrong.push((
                name,
                visitor.fill(texts::NUMBER_RANGE, &bounds.each_ref().map(|(key, value)| (*key, value.as_str()))),
            ));
            *range.start()
        })
    };
    let match_ms = number("cpu", 10..=60_000, Some(i64::from(about.cpu.match_ms)));
    let round_ms = number("round", 0..=60_000, Some(i64::from(about.cpu.round_ms.unwrap_or(0))));
    let grace_s = number("grace", 0..=86_400, Some(120));
    let memory_mib = number("memory", 16..=1024, None);
    let source_kib = number("source", 1..=1024, None);
    let title: String = fields.get("title").chars().filter(|c| !c.is_control()).take(80).collect();
    if title.is_empty() {
        wrong.push(("title", visitor.t(texts::TITLE_MISSING).to_owned()));
    }
    let mut time = |name: &'static str| {
        read_time(visitor, fields.get(name)).unwrap_or_else(|| {
            wrong.push((name, visitor.t(texts::DATE_WRONG).to_owned()));
            0
        })
    };
    let (opens_at, deadline_at, official_at) = (time("opens"), time("deadline"), time("official"));
    let closes_at = if fields.get("closes").is_empty() { deadline_at } else { time("closes") };
    let dates_are_known = !wrong.iter().any(|(name, _)| ["opens", "deadline", "official", "closes"].contains(name));
    if dates_are_known && !(opens_at < deadline_at && deadline_at <= official_at && deadline_at <= closes_at) {
        wrong.push(("deadline", visitor.t(texts::DATES_ORDER).to_owned()));
    }
    let config = match fields.raw("config").replace("\r\n", "\n") {
        config if config.trim().is_empty() => about.default_config.to_owned(),
        config => config,
    };
    let seed = about.smallest_seed.max(1);
    if let Err(error) = game.read_config(config.as_bytes()).and_then(|read| read.start(seed).map(drop)) {
        wrong.push(("config", error.to_string()));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(Season {
        id: old.map_or(SeasonId(0), |old| old.id),
        slug: old.map_or_else(|| slug(&title), |old| old.slug.clone()),
        title,
        game: about.id.to_owned(),
        config,
        match_ms,
        round_ms: (round_ms > 0).then_some(round_ms),
        memory_mib,
        source_kib,
        opens_at,
        deadline_at,
        closes_at,
        grace_s,
        official_at,
        rules: fields.raw("rules").to_owned(),
        is_archived: old.is_some_and(|old| old.is_archived),
    })
}

/// A title as part of an address.
pub fn slug(title: &str) -> String {
    let plain = |c: char| match c {
        'à' | 'á' => 'a',
        'è' | 'é' => 'e',
        'í' | 'ï' => 'i',
        'ò' | 'ó' => 'o',
        'ú' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        c if c.is_ascii_alphanumeric() => c,
        _ => '-',
    };
    let letters: String = title.to_lowercase().chars().map(plain).collect();
    let words: Vec<&str> = letters.split('-').filter(|word| !word.is_empty()).collect();
    let slug: String = words.join("-").chars().take(60).collect();
    if ["", "new", "archive"].contains(&slug.as_str()) { "season".to_owned() } else { slug }
}

pub fn local_time(visitor: &Visitor, ms: i64) -> String {
    let stamp = jiff::Timestamp::from_millisecond(ms).unwrap_or_default();
    stamp.to_zoned(visitor.zone.clone()).strftime("%Y-%m-%dT%H:%M").to_string()
}

pub fn read_time(visitor: &Visitor, text: &str) -> Option<i64> {
    let local: jiff::civil::DateTime = text.parse().ok()?;
    Some(local.to_zoned(visitor.zone.clone()).ok()?.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_become_addresses() {
        for (title, expected) in [
            ("Ants 2026", "ants-2026"),
            ("Tardor: Formigues!", "tardor-formigues"),
            ("…", "season"),
            ("Còpia nº 2", "copia-n-2"),
            ("new", "season"),
            ("Archive", "season"),
        ] {
            assert_eq!(slug(title), expected);
        }
    }

    #[test]
    fn times_are_read_where_they_are_shown() {
        let mut visitor = Visitor::unknown("/");
        visitor.zone = jiff::tz::TimeZone::get("Europe/Madrid").unwrap();
        let shown = local_time(&visitor, 1_790_000_040_000);
        assert_eq!(read_time(&visitor, &shown), Some(1_790_000_040_000));
        // Clocks go forward over this hour, and back over that one.
        assert_eq!(read_time(&visitor, "2026-03-29T02:30"), read_time(&visitor, "2026-03-29T03:30"));
        assert!(read_time(&visitor, "2026-10-25T02:30") < read_time(&visitor, "2026-10-25T03:00"));
        for wrong in ["9999-12-31T23:59:60", "+999999-01-01T00:00", "", "yesterday", "2026-13-01T00:00", "2026-01-01"] {
            assert!(wrong == "2026-01-01" || read_time(&visitor, wrong).is_none(), "{wrong}");
        }
    }
}
