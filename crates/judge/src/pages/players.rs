//! The page of a player: how it does, against whom, from which seat.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{get, post};
use ludus_games::{PerSeat, Seat};
use maud::{Markup, html};

use super::layout::Sheet;
use super::matches::{dot, row};
use super::seasons::crumbs;
use crate::course;
use crate::ids::SubmissionId;
use crate::matches::{self, Match, SeatResult};
use crate::official::representatives;
use crate::sharing::{self, Audience, Link};
use crate::submissions::{self, Stage, Submission};
use crate::texts;
use crate::visibility::Viewer;
use crate::web::{Answer, AppError, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/players/{id}", get(show))
        .route("/players/{id}/module", post(share))
        .route("/modules/{token}", get(module))
}

/// The matches that a page is made of, the newest.
pub const MOST_MATCHES: i64 = 200;
/// Best and worst matches that are shown.
const EXTREMES: usize = 3;
/// Rivals that are shown, those met most often.
const MOST_RIVALS: usize = 20;

/// The player, if this visitor may know of it. To others it does not exist.
pub async fn visible(site: &Site, visitor: &Visitor, id: SubmissionId) -> Result<Submission, AppError> {
    visitor.signed_in()?;
    submissions::find_player(&site.database, visitor.viewer(), id).await?.ok_or(AppError::NotFound)
}

async fn show(State(site): State<Site>, visitor: Visitor, Path(id): Path<SubmissionId>) -> Answer {
    let player = visible(&site, &visitor, id).await?;
    let account = visitor.signed_in()?;
    let (viewer, is_own) = (visitor.viewer(), account.id == player.account_id);
    let played = matches::of_player(&site.database, viewer, id, MOST_MATCHES).await?;
    let versions = submissions::versions(&site.database, viewer, player.account_id, player.season_id).await?;
    let choice = representatives::of_account(&site.database, player.season_id, player.account_id).await?;
    let stands = choice.representative().is_some_and(|one| one.submission == id);
    let link = if is_own { sharing::find(&site.database, id).await? } else { None };
    let summary = Summary::of(viewer, id, &played);
    let names = course::find(&site.database).await?.names;
    let sees_author = is_own || visitor.viewer().sees_names(names);
    let body = html! {
        div.title {
            h1 { (player.name) }
            div.actions {
                @if is_own || visitor.is_instructor() { a.button.quiet href={ "/submissions/" (id) } { (visitor.t(texts::VERDICT_PAGE)) } }
                @if account.may_submit() && player.stage == Stage::Accepted {
                    a.button href={ "/seasons/" (player.season_slug) "/train?" (if is_own { "first=" } else { "second=" }) (player.name) } { (visitor.t(texts::TRAIN)) }
                }
            }
        }
        p {
            @if sees_author { (player.author) " · " }
            (visitor.stage(player.stage))
            @if stands { " " span.badge.accepted { (visitor.t(texts::STANDS_FOR_AUTHOR)) } }
            " " span.quiet { (visitor.time(player.decided_at.unwrap_or(player.created_at))) }
        }
        @if played.is_empty() { (visitor.empty(texts::NO_MATCHES, &html! { (visitor.t(texts::PLAYER_NO_MATCHES)) " " a href={ "/seasons/" (player.season_slug) "/ladder" } { (visitor.t(texts::LADDER_PAGE)) } " · " a href={ "/seasons/" (player.season_slug) "/players" } { (visitor.t(texts::PLAYERS)) } })) }
        @else { (results(&visitor, &player, &summary, &played)) }
        (super::ladder::place(&site, &visitor, id, is_own).await?)
        @if is_own && player.stage == Stage::Accepted { (giving_out(&visitor, &player, link.as_ref())) }
        @if versions.len() > 1 {
            section {
                h2 { (visitor.t(texts::VERSIONS)) }
                ul.rows.card { @for one in &versions {
                    li { div { a href={ "/players/" (one.id) } aria-current=[(one.id == id).then_some("page")] { strong { (one.name) } } } span.quiet { (visitor.time(one.created_at)) } }
                } }
            }
        }
    };
    let crumbs = crumbs(&visitor, Some((&player.season_slug, &player.season_title)));
    Ok(visitor.page(&Sheet { title: &player.name, crumbs, body, ..Sheet::default() }).into_response())
}

/// What a player's matches come to.
#[derive(Default)]
pub struct Summary {
    pub matches: i64,
    pub wins: i64,
    pub frozen: i64,
    /// Millionths: their sum, of how many, the largest.
    pub cpu: (i64, i64, i64),
    /// Matches and the sum of ranks.
    pub seats: PerSeat<(i64, i64)>,
    /// By name: seats of rivals met, and how many of them ended behind, in halves.
    pub rivals: BTreeMap<String, (i64, i64)>,
}

impl Summary {
    pub fn of(viewer: Viewer, player: SubmissionId, played: &[Match]) -> Summary {
        let mut summary = Summary::default();
        for one in played {
            for own in one.seats.iter().filter(|seat| seat.submission == Some(player)) {
                summary.add(viewer, player, one, own);
            }
        }
        summary
    }

    fn add(&mut self, viewer: Viewer, player: SubmissionId, one: &Match, own: &SeatResult) {
        self.matches += 1;
        self.wins += i64::from(one.is_won_by(own.seat));
        self.frozen += i64::from(own.fault.is_some());
        if let Some(cpu) = own.cpu.filter(|&cpu| cpu >= 0 && one.shows_cpu(viewer, own)) {
            self.cpu = (self.cpu.0 + cpu, self.cpu.1 + 1, self.cpu.2.max(cpu));
        }
        let seat = &mut self.seats[own.seat];
        *seat = (seat.0 + 1, seat.1 + own.rank.unwrap_or(0));
        for rival in one.seats.iter().filter(|seat| seat.submission != Some(player)) {
            let met = self.rivals.entry(rival.name.clone()).or_default();
            *met = (met.0 + 1, met.1 + own.score.cmp(&rival.score) as i64 + 1);
        }
    }
}

fn percent(part: i64, of: i64) -> String {
    if of == 0 { "–".to_owned() } else { format!("{:.0} %", 100.0 * part as f64 / of as f64) }
}

fn results(visitor: &Visitor, player: &Submission, summary: &Summary, played: &[Match]) -> Markup {
    let mut rivals: Vec<_> = summary.rivals.iter().collect();
    rivals.sort_by_key(|(name, (met, _))| (-met, *name));
    let of_cpu = |millionths: i64| visitor.decimal(&format!("{:.1} %", millionths as f64 / 10_000.0));
    html! {
        p.quiet { (visitor.fill(texts::PLAYER_SUMMARY, &[("count", &summary.matches.to_string())])) }
        dl.facts {
            div { dt { (visitor.t(texts::WINS)) } dd { (percent(summary.wins, summary.matches)) } }
            div { dt { (visitor.t(texts::CPU_USED)) } dd {
                @if summary.cpu.1 > 0 { (visitor.fill(texts::CPU_MEAN_MOST, &[("mean", &of_cpu(summary.cpu.0 / summary.cpu.1)), ("most", &of_cpu(summary.cpu.2))])) } @else { "–" }
            } }
            div { dt { (visitor.t(texts::FROZEN_SHARE)) } dd { (percent(summary.frozen, summary.matches)) } }
            div { dt { (visitor.t(texts::BY_SEAT)) } dd { span.scores { @for seat in Seat::ALL {
                @let (count, ranks) = summary.seats[seat];
                span { @if let Some(one) = played.first() { (dot(&one.game, seat)) } @if count > 0 { (visitor.decimal(&format!("{:.1}", ranks as f64 / count as f64))) } @else { "–" } }
            } } } }
        }
        div.columns {
            section {
                h2 { (visitor.t(texts::BY_RIVAL)) }
                p.quiet { (visitor.t(texts::BY_RIVAL_HINT)) }
                table {
                    thead { tr { th { (visitor.t(texts::RIVAL)) } th.number { (visitor.t(texts::MET)) } th.number { (visitor.t(texts::AHEAD)) } } }
                    tbody { @for (name, (met, ahead)) in rivals.into_iter().take(MOST_RIVALS) {
                        tr { td { (name) } td.number { (met) } td.number { (percent(*ahead, 2 * met)) } }
                    } }
                }
            }
            section {
                @let (best, worst) = extremes(player.id, played);
                @if !best.is_empty() { h2 { (visitor.t(texts::BEST_MATCHES)) } ul.rows { @for one in best { (row(visitor, one)) } } }
                @if !worst.is_empty() { h2 { (visitor.t(texts::WORST_MATCHES)) } ul.rows { @for one in worst { (row(visitor, one)) } } }
            }
        }
    }
}

/// The matches that were won by most, and those that were lost by most.
pub fn extremes(player: SubmissionId, played: &[Match]) -> (Vec<&Match>, Vec<&Match>) {
    let mut margins: Vec<(i64, &Match)> = Vec::new();
    for one in played {
        let best = |own: bool| {
            let scores = one.seats.iter().filter(|seat| (seat.submission == Some(player)) == own);
            scores.filter_map(|seat| seat.score).max()
        };
        // Four copies of a player meet nobody.
        if let (Some(own), Some(other)) = (best(true), best(false)) {
            margins.push((own - other, one));
        }
    }
    margins.sort_by_key(|(margin, one)| (-margin, one.id));
    let best = margins.iter().take_while(|(margin, _)| *margin > 0).take(EXTREMES);
    let worst = margins.iter().rev().take_while(|(margin, _)| *margin < 0).take(EXTREMES);
    (best.map(|(_, one)| *one).collect(), worst.map(|(_, one)| *one).collect())
}

/// The form with which an author gives the module out.
fn giving_out(visitor: &Visitor, player: &Submission, link: Option<&Link>) -> Markup {
    html! {
        section.card #module {
            h2 { (visitor.t(texts::GIVE_MODULE)) }
            p { (visitor.t(texts::GIVE_MODULE_HINT)) }
            @if let Some(link) = link {
                p { (visitor.t(match link.audience { Audience::Everybody => texts::MODULE_FOR_EVERYBODY, Audience::Friends => texts::MODULE_FOR_FRIENDS })) }
                label for="link" { (visitor.t(texts::MODULE_LINK)) }
                (visitor.copied("link", &format!("{}/modules/{}", visitor.base, link.token)))
            }
            form.actions method="post" action={ "/players/" (player.id) "/module" } {
                (visitor.token())
                button.quiet name="audience" value=(Audience::Everybody.word()) { (visitor.t(texts::GIVE_EVERYBODY)) }
                button.quiet name="audience" value=(Audience::Friends.word()) { (visitor.t(texts::GIVE_FRIENDS)) }
                @if link.is_some() { button.quiet name="audience" value="" { (visitor.t(texts::GIVE_NOBODY)) } }
            }
        }
    }
}

async fn share(State(site): State<Site>, visitor: Visitor, Path(id): Path<SubmissionId>, fields: Fields) -> Answer {
    let player = visible(&site, &visitor, id).await?;
    if player.account_id != visitor.signed_in()?.id {
        return Err(AppError::Forbidden);
    }
    let wrong = AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, texts::BAD_REQUEST);
    let audience = match fields.get("audience") {
        "" => None,
        word => match Audience::of(word) {
            Some(audience) => Some(audience),
            None => return Err(wrong),
        },
    };
    if !sharing::set(&site.database, id, audience).await? {
        return Err(wrong);
    }
    Ok(Redirect::to(&format!("/players/{id}#module")).into_response())
}

/// The module itself, to be played at home.
pub async fn module(State(site): State<Site>, visitor: Visitor, Path(token): Path<String>) -> Answer {
    let Some(shared) = sharing::open(&site.database, visitor.viewer(), &token).await? else {
        return Err(AppError::NotFound);
    };
    let store = site.store.clone();
    let bytes = tokio::task::spawn_blocking(move || store.get(&shared.module)).await??;
    let headers = [
        (header::CONTENT_TYPE, "application/wasm".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}.wasm\"", shared.name)),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}
