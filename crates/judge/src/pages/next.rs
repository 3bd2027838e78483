//! Where to go from a list that is empty: every page ends in a next step.

use maud::{Markup, html};

use crate::database::{Page, Slice, now};
use crate::seasons;
use crate::submissions::{self, Filter, Stage};
use crate::texts;
use crate::web::{AppError, Site, Visitor};

/// Steps of one kind that are offered at most.
const MOST: usize = 6;

/// Seasons to which the visitor may hand in something now.
pub async fn submitting(site: &Site, visitor: &Visitor) -> Result<Markup, AppError> {
    if !visitor.account().is_some_and(|account| account.may_submit()) {
        return Ok(html! { a href="/" { (visitor.t(texts::SEASONS)) } });
    }
    let all = seasons::list(&site.database).await?;
    let open: Vec<_> = all.iter().filter(|season| season.is_open(now())).take(MOST).collect();
    if open.is_empty() {
        return Ok(html! { a href="/" { (visitor.t(texts::SEASONS)) } });
    }
    Ok(html! {
        span.actions { @for season in open {
            a.button.quiet href={ "/seasons/" (season.slug) "/submit" } { (visitor.fill(texts::SUBMIT_TO, &[("season", &season.title)])) }
        } }
    })
}

/// Seasons in which the visitor has a player to train with; where there is none, those
/// where one can be handed in.
pub async fn training(site: &Site, visitor: &Visitor) -> Result<Markup, AppError> {
    let account = visitor.signed_in()?;
    let filter = Filter { author: Some(account.id), stage: Some(Stage::Accepted), ..Filter::default() };
    let own = submissions::slice(&site.database, visitor.viewer(), &filter, Slice::first(Page::SIZE)).await?;
    let mut places: Vec<(&str, &str)> = Vec::new();
    for one in &own {
        if !places.contains(&(&one.season_slug, &one.season_title)) {
            places.push((&one.season_slug, &one.season_title));
        }
    }
    if places.is_empty() {
        return submitting(site, visitor).await;
    }
    Ok(html! {
        span.actions { @for (slug, title) in places.iter().take(MOST) {
            a.button.quiet href={ "/seasons/" (slug) "/train" } { (visitor.fill(texts::TRAIN_IN, &[("season", title)])) }
        } }
    })
}
