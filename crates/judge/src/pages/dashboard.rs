//! Everybody of the course: who was invited, who came, who has a player; and what can
//! be done for many at once.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{get, post};
use maud::{Markup, html};

use super::layout::Sheet;
use super::seasons::encode;
use crate::accounts::{self, LONGEST_FIELD, Role};
use crate::actions::{self, Action, Entry};
use crate::dashboard::{self, Filter, Group, Having, Person, State as PersonState};
use crate::database::Page;
use crate::ids::AccountId;
use crate::letters;
use crate::seasons::{self, Season};
use crate::texts::{self, Text};
use crate::web::{Answer, AppError, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new().route("/people", get(list)).route("/people.csv", get(export)).route("/people/chosen", post(chosen))
}

/// What an address or a form asks for.
struct Asked {
    filter: Filter,
    season: Option<Season>,
    /// The seasons that can be looked at.
    seasons: Vec<Season>,
}

/// The names of the fields of a filter.
const FIELDS: [&str; 6] = ["text", "role", "group", "state", "season", "player"];

impl Asked {
    async fn of(site: &Site, get: impl Fn(&str) -> Option<String>) -> Result<Asked, AppError> {
        let seasons: Vec<Season> = seasons::list(&site.database).await?;
        let text = |name: &str| get(name).unwrap_or_default();
        // Nobody who looks for players has to say first where.
        let current = || seasons.iter().find(|season| !season.is_archived).or(seasons.first());
        let season = seasons.iter().find(|season| season.slug == text("season")).or_else(current).cloned();
        let filter = Filter {
            text: text("text"),
            role: Role::of(&text("role")),
            // "=" stands before the name, so that the group without one can be asked for.
            team: text("group").strip_prefix('=').map(ToOwned::to_owned),
            state: PersonState::of(&text("state")),
            season: season.as_ref().map(|season| season.id),
            having: Having::of(&text("player")),
        };
        Ok(Asked { filter, season, seasons })
    }

    /// A field as it stands in an address or a form.
    fn value(&self, name: &str) -> String {
        match name {
            "text" => self.filter.text.clone(),
            "role" => self.filter.role.map_or("", Role::word).to_owned(),
            "group" => self.filter.team.as_ref().map_or(String::new(), |team| format!("={team}")),
            "state" => self.filter.state.map_or("", PersonState::word).to_owned(),
            "season" => self.season.as_ref().map_or(String::new(), |season| season.slug.clone()),
            _ => self.filter.having.map_or("", Having::word).to_owned(),
        }
    }

    /// The filter as part of an address, ending in `&`.
    fn query(&self) -> String {
        FIELDS.iter().map(|name| format!("{name}={}&", encode(&self.value(name)))).collect()
    }
}

async fn list(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    visitor.instructor()?;
    let asked = Asked::of(&site, |name| query.get(name).cloned()).await?;
    let page = Page::new(query.get("page").and_then(|page| page.parse().ok()));
    let listed = dashboard::list(&site.database, &asked.filter, page).await?;
    let groups = dashboard::groups(&site.database, asked.filter.season).await?;
    let waiting = letters::waiting(&site.database).await?;
    let absent = groups.iter().map(|one| one.students - one.signed_in).sum();
    let title = visitor.t(texts::PEOPLE);
    let body = html! {
        (visitor.said(query.get("said").map(String::as_str)))
        (done(&visitor, query.get("done").map(String::as_str)))
        (post_office(&site, &visitor, waiting))
        div.title {
            h1 { (title) " " span.count { (listed.total) } }
            div.actions {
                a.button.quiet href="/people/groups" { (visitor.t(texts::GROUP_LINKS)) }
                a.button.quiet href="/people/letter" { (visitor.t(texts::LETTER)) }
                a.button.quiet href="/people/invite" { (visitor.t(texts::INVITE)) }
                a.button href="/people/import" { (visitor.t(texts::IMPORT_ROSTER)) }
                @if absent > 0 { (for_all(&site, &visitor, absent)) }
            }
        }
        (overview(&visitor, &asked, &groups))
        (filters(&visitor, &asked, &groups))
        @if listed.items.is_empty() { (visitor.empty(texts::NOBODY, &nobody(&visitor))) }
        @else { (table(&site, &visitor, &asked, &listed.items, listed.total)) }
        (visitor.pager(&listed, &asked.query()))
    };
    Ok(visitor.page(&Sheet { title, body, ..Sheet::default() }).into_response())
}

/// What to do where nobody is.
fn nobody(visitor: &Visitor) -> Markup {
    html! {
        (visitor.t(texts::NOBODY_HINT)) " "
        a href="/people/import" { (visitor.t(texts::IMPORT_ROSTER)) } " · " a href="/people" { (visitor.t(texts::SHOW_ALL)) }
    }
}

/// How many people the last bulk action was about.
fn done(visitor: &Visitor, count: Option<&str>) -> Markup {
    let count = count.and_then(|count| count.parse::<u32>().ok());
    html! {
        @if let Some(count) = count { p.notice.good role="status" { (visitor.fill(texts::DONE_FOR, &[("count", &count.to_string())])) } }
    }
}

/// Letters that wait, and why if none can be sent.
fn post_office(site: &Site, visitor: &Visitor, waiting: i64) -> Markup {
    let trouble = site.post.trouble();
    html! {
        @if let Some(trouble) = trouble {
            div.notice.bad role="alert" { (visitor.t(texts::LETTERS_TROUBLE)) pre { code { (trouble) } } }
        } @else if waiting > 0 && site.settings.mail.is_none() {
            p.notice.bad role="alert" { (visitor.fill(texts::LETTERS_NO_SERVER, &[("count", &waiting.to_string())])) }
        } @else if waiting > 0 {
            p.notice role="status" { (visitor.fill(texts::LETTERS_WAIT, &[("count", &waiting.to_string())])) }
        }
    }
}

/// Groups and how far they are.
fn overview(visitor: &Visitor, asked: &Asked, groups: &[Group]) -> Markup {
    let sum = |of: fn(&Group) -> i64| groups.iter().map(of).sum::<i64>();
    let (students, signed_in, players) = (sum(|one| one.students), sum(|one| one.signed_in), sum(|one| one.players));
    let absent = students - signed_in;
    html! {
        @if students > 0 {
            dl.facts {
                div { dt { (visitor.t(texts::STUDENTS)) } dd { (students) } }
                div { dt { (visitor.t(texts::SIGNED_IN_COUNT)) } dd { (signed_in) } }
                @if let Some(season) = &asked.season {
                    div { dt { (visitor.fill(texts::WITH_PLAYER_IN, &[("season", &season.title)])) } dd { (players) } }
                }
                div { dt { (visitor.t(texts::NOT_SIGNED_IN)) } dd { (absent) } }
            }
            @if groups.len() > 1 { (group_table(visitor, asked, groups)) }
        }
    }
}

/// Letters and links for all who have not come yet.
fn for_all(site: &Site, visitor: &Visitor, absent: i64) -> Markup {
    html! {
        @if site.settings.mail.is_some() {
            form method="post" action="/people/letters" { (visitor.token()) button.quiet { (visitor.fill(texts::SEND_ALL_COUNT, &[("count", &absent.to_string())])) } }
        }
        form method="post" action="/people/links" { (visitor.token()) button.quiet { (visitor.t(texts::LINKS_CSV)) } }
    }
}

fn group_table(visitor: &Visitor, asked: &Asked, groups: &[Group]) -> Markup {
    html! {
        details {
            summary { (visitor.t(texts::GROUP_TABLE)) " " span.count { (groups.len()) } }
            table.collapsing {
                thead { tr { th { (visitor.t(texts::GROUP)) } th.number { (visitor.t(texts::STUDENTS)) } th.number { (visitor.t(texts::SIGNED_IN_COUNT)) } @if asked.season.is_some() { th.number { (visitor.t(texts::WITH_PLAYER)) } } } }
                tbody {
                    @for group in groups {
                        tr {
                            td { a href={ "/people?role=student&group=" (encode(&format!("={}", group.team))) } { (name_of(visitor, &group.team)) } }
                            td.number data-label=(visitor.t(texts::STUDENTS)) { (group.students) }
                            td.number data-label=(visitor.t(texts::SIGNED_IN_COUNT)) { (group.signed_in) }
                            @if asked.season.is_some() { td.number data-label=(visitor.t(texts::WITH_PLAYER)) { (group.players) } }
                        }
                    }
                }
            }
        }
    }
}

/// A group by its name; the one without has a name too.
pub fn name_of<'a>(visitor: &Visitor, team: &'a str) -> &'a str {
    if team.is_empty() { visitor.t(texts::NO_GROUP) } else { team }
}

fn filters(visitor: &Visitor, asked: &Asked, groups: &[Group]) -> Markup {
    let filter = &asked.filter;
    html! {
        form.filters role="search" {
            div.field { label for="text" { (visitor.t(texts::SEARCH)) } input #text name="text" type="search" value=(filter.text); }
            div.field {
                label for="role" { (visitor.t(texts::ROLE)) }
                select #role name="role" {
                    option value="" { (visitor.t(texts::ALL)) }
                    @for one in Role::ALL { option value=(one.word()) selected[filter.role == Some(one)] { (visitor.t(texts::role(one))) } }
                }
            }
            @if groups.len() > 1 || filter.team.is_some() {
                div.field {
                    label for="group" { (visitor.t(texts::GROUP)) }
                    select #group name="group" {
                        option value="" { (visitor.t(texts::ALL)) }
                        @for one in groups { option value={ "=" (one.team) } selected[filter.team.as_ref() == Some(&one.team)] { (name_of(visitor, &one.team)) } }
                    }
                }
            }
            div.field {
                label for="state" { (visitor.t(texts::STATE)) }
                select #state name="state" {
                    option value="" { (visitor.t(texts::ALL)) }
                    @for one in PersonState::ALL { option value=(one.word()) selected[filter.state == Some(one)] { (visitor.t(shown(one).1)) } }
                }
            }
            @if let Some(season) = &asked.season {
                div.field {
                    label for="season" { (visitor.t(texts::SEASON)) }
                    select #season name="season" { @for one in &asked.seasons { option value=(one.slug) selected[one.id == season.id] { (one.title) } } }
                }
                div.field {
                    label for="player" { (visitor.t(texts::PLAYER)) }
                    select #player name="player" {
                        option value="" { (visitor.t(texts::ALL)) }
                        @for (one, text) in [(Having::With, texts::WITH_PLAYER), (Having::Without, texts::WITHOUT_PLAYER)] {
                            option value=(one.word()) selected[filter.having == Some(one)] { (visitor.t(text)) }
                        }
                    }
                }
            }
            button.quiet { (visitor.t(texts::SHOW)) }
            a.button.quiet href={ "/people.csv?" (asked.query()) } download { "CSV" }
        }
    }
}

/// A state as a badge and in words.
fn shown(state: PersonState) -> (&'static str, Text) {
    match state {
        PersonState::New => ("waiting", texts::STATE_NEW),
        PersonState::Waiting => ("playing", texts::STATE_LETTER_WAITS),
        PersonState::Sent => ("waiting", texts::STATE_SENT),
        PersonState::Failed => ("rejected", texts::STATE_FAILED),
        PersonState::Active => ("accepted", texts::ACTIVE),
        PersonState::Locked => ("rejected", texts::LOCKED),
    }
}

pub fn state(visitor: &Visitor, person: &Person) -> Markup {
    let (class, text) = shown(person.state);
    html! { span class={ "badge " (class) } { (visitor.t(text)) } }
}

/// The state with what the mail server said, and whether somebody took the account
/// without proof.
fn state_told(visitor: &Visitor, person: &Person) -> Markup {
    let is_letter = matches!(person.state, PersonState::Sent | PersonState::Failed);
    html! {
        (state(visitor, person))
        @if let Some(at) = person.letter_at.filter(|_| is_letter) { " " span.quiet { (visitor.time(at)) } }
        @if person.state == PersonState::Failed { p.quiet { (person.answer) } }
        @if person.claimed_at.is_some() { " " span.badge.playing { (visitor.t(texts::CLAIMED)) } }
    }
}

fn table(site: &Site, visitor: &Visitor, asked: &Asked, people: &[Person], total: i64) -> Markup {
    html! {
        form method="post" action="/people/chosen" {
            (visitor.token())
            @for name in FIELDS { input type="hidden" name=(name) value=(asked.value(name)); }
            table.collapsing.choosing {
                thead { tr {
                    th { span.unseen { (visitor.t(texts::CHOOSE)) } }
                    th { (visitor.t(texts::NAME)) } th { (visitor.t(texts::EMAIL)) } th { (visitor.t(texts::GROUP)) } th { (visitor.t(texts::ROLE)) } th { (visitor.t(texts::STATE)) }
                    @if asked.season.is_some() { th { (visitor.t(texts::PLAYER)) } }
                } }
                tbody { @for one in people { (row(visitor, one, asked.season.is_some())) } }
            }
            (bulk(site, visitor, total))
        }
    }
}

fn row(visitor: &Visitor, person: &Person, has_season: bool) -> Markup {
    let account = &person.account;
    html! {
        tr {
            td { label.tick { input type="checkbox" name={ "who-" (account.id) } value="1" aria-label=(account.name); } }
            td { a href={ "/people/" (account.id) } { strong { (account.name) } } }
            td data-label=(visitor.t(texts::EMAIL)) { (account.email) }
            td data-label=(visitor.t(texts::GROUP)) { (account.team) }
            td data-label=(visitor.t(texts::ROLE)) { (visitor.t(texts::role(account.role))) }
            td data-label=(visitor.t(texts::STATE)) { (state_told(visitor, person)) }
            @if has_season {
                td data-label=(visitor.t(texts::PLAYER)) { @if let Some((id, name)) = &person.player { a href={ "/players/" (id) } { (name) } } @else { "–" } }
            }
        }
    }
}

/// What can be done with those who are chosen.
fn bulk(site: &Site, visitor: &Visitor, total: i64) -> Markup {
    html! {
        fieldset.card.bulk {
            legend { (visitor.t(texts::WITH_CHOSEN)) }
            label.tick { input type="checkbox" name="all" value="1"; (visitor.fill(texts::ALL_LISTED, &[("count", &total.to_string())])) }
            div.actions {
                @if site.settings.mail.is_some() { button.quiet name="action" value="invite" { (visitor.t(texts::SEND_INVITATION)) } }
                div.joined {
                    input name="to" maxlength=(LONGEST_FIELD) aria-label=(visitor.t(texts::NEW_GROUP)) placeholder=(visitor.t(texts::NEW_GROUP));
                    button.quiet name="action" value="move" { (visitor.t(texts::MOVE_GROUP)) }
                }
                button.quiet name="action" value="lock" { (visitor.t(texts::DEACTIVATE)) }
                button.quiet name="action" value="unlock" { (visitor.t(texts::ACTIVATE)) }
            }
            p.hint { (visitor.t(texts::CHOSEN_HINT)) }
        }
    }
}

async fn export(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    visitor.instructor()?;
    let asked = Asked::of(&site, |name| query.get(name).cloned()).await?;
    let people = dashboard::all(&site.database, &asked.filter).await?;
    let rows = people.into_iter().map(|one| {
        let player = one.player.map_or(String::new(), |(_, name)| name);
        let account = one.account;
        let (role, state) = (account.role.word().to_owned(), one.state.word().to_owned());
        [account.name, account.email, account.team, role, state, player, one.answer]
    });
    let csv = dashboard::csv(["name", "email", "group", "role", "state", "player", "mail-server"], rows)?;
    Ok(file("people.csv", csv))
}

/// A table to be kept.
pub fn file(name: &str, csv: Vec<u8>) -> axum::response::Response {
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, csv).into_response()
}

/// Does something for everybody who is chosen, in one transaction.
async fn chosen(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let asked = Asked::of(&site, |name| Some(fields.raw(name).to_owned())).await?;
    let mut people = if fields.get("all") == "1" {
        dashboard::all(&site.database, &asked.filter).await?.into_iter().map(|one| one.account.id).collect()
    } else {
        fields.numbers("who-").map(AccountId).collect::<Vec<_>>()
    };
    let refused = |text| Err(AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, text));
    let to: String = fields.get("to").to_owned();
    let action = match fields.get("action") {
        "invite" if site.settings.mail.is_some() => Action::SendLetters,
        "move" if to.chars().count() <= LONGEST_FIELD && !to.chars().any(char::is_control) => Action::MovePeople,
        "lock" => Action::LockPeople,
        "unlock" => Action::UnlockPeople,
        _ => return refused(texts::BAD_REQUEST),
    };
    // Instructors do not lock themselves out.
    people.retain(|id| *id != actor.id);
    // Always in the same order, so that two who do this at once wait and do not block each other.
    people.sort_unstable();
    if people.is_empty() {
        return refused(texts::NOBODY_CHOSEN);
    }
    let mut tx = site.database.begin().await?;
    let mut count = 0;
    for &id in &people {
        count += i64::from(match action {
            Action::SendLetters => letters::invite(&mut tx, id).await?,
            Action::MovePeople => accounts::move_to(&mut tx, id, &to).await?,
            Action::LockPeople => accounts::lock(&mut tx, id, true).await?,
            _ => accounts::lock(&mut tx, id, false).await?,
        });
    }
    let detail = if action == Action::MovePeople { format!("{count} → {to}") } else { count.to_string() };
    actions::record(&mut tx, &Entry { detail: &detail, ..Entry::new(actor.id, action) }).await?;
    tx.commit().await?;
    site.post.announce();
    let back = super::home::local(fields.get("back"));
    let back = if back == "/" { "/people".to_owned() } else { back };
    Ok(Redirect::to(&format!("{back}?{}done={count}", asked.query())).into_response())
}
