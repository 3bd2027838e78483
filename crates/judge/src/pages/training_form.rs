//! Asking for training matches, and making a player public.

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{get, post};
use ludus_games::Seat;
use maud::{Markup, html};

use super::layout::{Field, Sheet};
use super::seasons::{crumbs, season};
use super::submissions::visible;
use crate::ids::SubmissionId;
use crate::seasons::Season;
use crate::submissions::{self, Stage, Submission};
use crate::texts::{self, Text};
use crate::training::{self, LARGEST_SEED, MOST_MATCHES, Refusal, Request, Seating};
use crate::web::{Answer, AppError, Asked, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new().route("/seasons/{slug}/train", get(show).post(ask)).route("/submissions/{id}/publish", post(publish))
}

/// The fields of the players, by seat.
const PLAYERS: [&str; Seat::COUNT] = ["first", "second", "third", "fourth"];

async fn show(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, Query(query): Asked) -> Answer {
    let season = season(&site, &slug).await?;
    let asked = |name: &str| query.get(name).cloned().unwrap_or_default();
    let reserve = reserve(&season);
    let own = training::candidates(&site.database, visitor.viewer(), season.id).await?;
    let own = own.into_iter().find(|one| one.is_own).map(|one| one.name).unwrap_or_default();
    let filled = |name: &str, otherwise: &str| match asked(name) {
        empty if empty.is_empty() => otherwise.to_owned(),
        given => given,
    };
    let fields = Fields::from([
        ("first", filled("first", &own)),
        ("second", filled("second", reserve)),
        ("third", filled("third", reserve)),
        ("fourth", filled("fourth", reserve)),
        ("seating", filled("seating", Seating::Turning.word())),
        ("count", filled("count", "20")),
    ]);
    form(&site, &visitor, &season, &fields, None).await
}

/// The player that fills a form without asking.
fn reserve(season: &Season) -> &'static str {
    ludus_games::find(&season.game).map_or("", |game| game.about().reserve)
}

async fn form(site: &Site, visitor: &Visitor, season: &Season, fields: &Fields, refusal: Option<&Refusal>) -> Answer {
    let account = visitor.signed_in()?;
    let left = training::left_today(&site.database, account.id, site.settings.quota).await?;
    let candidates = training::candidates(&site.database, visitor.viewer(), season.id).await?;
    let builtins: Vec<&str> =
        ludus_games::find(&season.game).map(|game| training::builtins(game).collect()).unwrap_or_default();
    let problem = refusal.map(|refusal| explain(visitor, refusal));
    let title = visitor.t(texts::NEW_TRAINING);
    let body = html! {
        h1 { (title) }
        p.quiet { (visitor.t(texts::TRAINING_PRIVATE)) }
        @if let Some(problem) = &problem { p.notice.bad role="alert" { (problem) } }
        form.card method="post" action={ "/seasons/" (season.slug) "/train" } {
            (visitor.token())
            div.columns.four {
                @for (seat, name) in PLAYERS.iter().enumerate() {
                    div.field {
                        label for=(name) { (visitor.fill(texts::SEAT_PLAYER, &[("seat", &(seat + 1).to_string())])) }
                        input id=(name) name=(name) value=(fields.get(name)) list="players" required autocomplete="off" aria-describedby="players-hint";
                    }
                }
            }
            p.hint #players-hint { (visitor.fill(texts::WHO_MAY_PLAY, &[("names", &builtins.join(", "))])) }
            datalist #players {
                @for one in &candidates { option value=(one.name) {} }
                @for name in &builtins { option value=(name) {} }
            }
            div.field {
                label for="seating" { (visitor.t(texts::SEATING)) }
                select #seating name="seating" aria-describedby="seating-hint" {
                    @for (seating, text) in [(Seating::Turning, texts::SEATING_TURNING), (Seating::Fixed, texts::SEATING_FIXED)] {
                        option value=(seating.word()) selected[fields.get("seating") == seating.word()] { (visitor.t(text)) }
                    }
                }
                p.hint #seating-hint { (visitor.t(texts::SEATING_HINT)) }
            }
            div.columns.small {
                (Field { name: "count", kind: "number", label: visitor.t(texts::HOW_MANY_MATCHES), value: fields.get("count"),
                    hint: &visitor.fill(texts::MATCHES_LEFT, &[("most", &MOST_MATCHES.to_string()), ("left", &left.to_string())]), ..Field::default() }.html())
                (Field { name: "seed", kind: "number", label: visitor.t(texts::FIRST_SEED), value: fields.get("seed"),
                    hint: visitor.t(texts::FIRST_SEED_HINT), required: false, ..Field::default() }.html())
            }
            div.finish { button { (visitor.t(texts::START_TRAINING)) } }
        }
    };
    let crumbs = crumbs(visitor, Some((&season.slug, &season.title)));
    let page = visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() });
    let status = if refusal.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok((status, page).into_response())
}

/// What is wrong with a request: a text, and what stands for the names in it.
pub fn explanation(refusal: &Refusal) -> (Text, Vec<(&'static str, String)>) {
    match refusal {
        Refusal::UnknownPlayer(name) => (texts::NO_SUCH_PLAYER, vec![("name", name.clone())]),
        Refusal::Private(name) => (texts::PLAYER_IS_PRIVATE, vec![("name", name.clone())]),
        Refusal::NoneOwn => (texts::NONE_OWN, Vec::new()),
        Refusal::Matches => (texts::NUMBER_RANGE, vec![("least", "1".to_owned()), ("most", MOST_MATCHES.to_string())]),
        Refusal::Seed => (texts::SEED_RANGE, vec![("most", LARGEST_SEED.to_string())]),
        Refusal::Full => (texts::TRAINING_FULL, Vec::new()),
        Refusal::Quota(left) => (texts::QUOTA_LEFT, vec![("left", left.to_string())]),
    }
}

fn explain(visitor: &Visitor, refusal: &Refusal) -> String {
    let (text, about) = explanation(refusal);
    let about: Vec<(&str, &str)> = about.iter().map(|(name, value)| (*name, value.as_str())).collect();
    visitor.fill(text, &about)
}

async fn ask(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let account = visitor.signed_in()?;
    if !account.may_submit() {
        return Err(AppError::Forbidden);
    }
    let season = season(&site, &slug).await?;
    let request = Request {
        account,
        season: &season,
        players: PLAYERS.map(|name| fields.get(name)),
        seating: Seating::of(fields.get("seating")).unwrap_or(Seating::Turning),
        seed: match fields.get("seed") {
            "" => training::draw_seed()?,
            seed => seed.parse().unwrap_or(-1),
        },
        matches: fields.number("count").unwrap_or(0),
        quota: site.settings.quota,
    };
    match training::ask(&site.database, &site.queue, &request).await? {
        Ok(id) => Ok(Redirect::to(&format!("/training/{id}")).into_response()),
        Err(refusal) => form(&site, &visitor, &season, &fields, Some(&refusal)).await,
    }
}

/// Whether a player is public, for its author, and the button that makes it so.
pub fn publicity(visitor: &Visitor, submission: &Submission) -> Markup {
    let is_own = visitor.account().is_some_and(|account| account.id == submission.account_id);
    if submission.stage != Stage::Accepted || !is_own {
        return html! {};
    }
    html! {
        section.card #training {
            h2 { (visitor.t(texts::TRAINING_PAGE)) }
            p { (visitor.t(if submission.is_public { texts::PUBLIC_PLAYER } else { texts::PRIVATE_PLAYER })) }
            div.actions {
                a.button href={ "/seasons/" (submission.season_slug) "/train?first=" (submission.name) } { (visitor.t(texts::TRAIN)) }
                @if !submission.is_public {
                    form method="post" action={ "/submissions/" (submission.id) "/publish" } {
                        (visitor.token())
                        button.quiet { (visitor.t(texts::MAKE_PUBLIC)) }
                    }
                }
            }
        }
    }
}

/// Makes a player of this visitor's public. False if it is no player.
pub async fn make_public(site: &Site, visitor: &Visitor, id: SubmissionId) -> Result<bool, AppError> {
    let submission = visible(site, visitor, id).await?;
    if submission.account_id != visitor.signed_in()?.id {
        return Err(AppError::Forbidden);
    }
    Ok(submissions::publish(&site.database, id).await?)
}

async fn publish(State(site): State<Site>, visitor: Visitor, Path(id): Path<SubmissionId>, _: Fields) -> Answer {
    if !make_public(&site, &visitor, id).await? {
        return Err(AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, texts::BAD_REQUEST));
    }
    Ok(Redirect::to(&format!("/submissions/{id}#training")).into_response())
}
