//! What a player must know: the rules of a season, and what programs can ask and
//! order.

use axum::Router;
use axum::extract::{Path, State};
use axum::response::IntoResponse as _;
use axum::routing::get;
use maud::{Markup, PreEscaped, html};

use super::layout::Sheet;
use super::prose::{Prose, below_heading, markdown, sections, with_anchors};
use super::seasons::{crumbs, season};
use super::things::things;
use crate::content;
use crate::seasons::Season;
use crate::texts::{self, Language};
use crate::web::{Answer, AppError, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new().route("/seasons/{slug}/rules", get(rules)).route("/seasons/{slug}/api/{language}", get(api))
}

async fn rules(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>) -> Answer {
    let season = season(&site, &slug).await?;
    let prose = with_anchors(rules_of(&season, visitor.language));
    let title = visitor.t(texts::RULES);
    let body = html! {
        div.manual {
            (contents(&visitor, &prose, &html! { p { (visitor.t(texts::API)) " " (api_links(&season)) } }))
            @if let Some(game) = ludus_games::find(&season.game) {
                section.card.legend { h2 { (visitor.t(texts::THINGS)) } (things(&visitor, game)) }
            }
            article.prose { (PreEscaped(&prose.html)) }
        }
    };
    let crumbs = crumbs(&visitor, Some((&slug, &season.title)));
    Ok(visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response())
}

/// The sections of a page, to go to.
fn contents(visitor: &Visitor, prose: &Prose, more: &Markup) -> Markup {
    html! {
        nav.contents aria-label=(visitor.t(texts::CONTENTS)) {
            h2 { (visitor.t(texts::CONTENTS)) }
            ol { @for (anchor, title) in &prose.contents { li { a href={ "#" (anchor) } { (title) } } } }
            (more)
        }
    }
}

/// What the two languages are called in addresses, and by people.
const LANGUAGES: [(&str, &str); 2] = [("cpp", "C++"), ("rust", "Rust")];

async fn api(State(site): State<Site>, visitor: Visitor, Path((slug, language)): Path<(String, String)>) -> Answer {
    let season = season(&site, &slug).await?;
    let page = |written_in: &str| content::api(&season.game, written_in, visitor.language.code());
    let (title, text) = if language == "both" {
        let [cpp, rust] = LANGUAGES.map(|(written_in, _)| page(written_in));
        ("C++ · Rust", side_by_side(cpp.ok_or(AppError::NotFound)?, rust.ok_or(AppError::NotFound)?))
    } else {
        let (_, name) = LANGUAGES.iter().find(|(known, _)| *known == language).ok_or(AppError::NotFound)?;
        let prose = with_anchors(page(&language).ok_or(AppError::NotFound)?);
        let text = html! { div.manual { (contents(&visitor, &prose, &html! {})) article.prose { (PreEscaped(&prose.html)) } } };
        (*name, text)
    };
    let choices = LANGUAGES.into_iter().chain([("both", visitor.t(texts::SIDE_BY_SIDE))]);
    let body = html! {
        nav.tabs aria-label=(visitor.t(texts::API)) {
            @for (written_in, name) in choices {
                a href={ "/seasons/" (slug) "/api/" (written_in) } aria-current=[(written_in == language).then_some("page")] { (name) }
            }
        }
        (text)
    };
    let crumbs = crumbs(&visitor, Some((&slug, &season.title)));
    Ok(visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response())
}

/// Two pages with the same sections, each section beside the other's.
fn side_by_side(left: &str, right: &str) -> Markup {
    let (left, right) = (sections(left), sections(right));
    html! {
        div.sides {
            @for (left, right) in left.iter().zip(&right) {
                article.prose { (PreEscaped(markdown(left))) }
                article.prose { (PreEscaped(markdown(right))) }
            }
        }
    }
}

/// Links to what a player can ask and order.
pub fn api_links(season: &Season) -> Markup {
    html! {
        a href={ "/seasons/" (season.slug) "/api/cpp" } { "C++" } " · "
        a href={ "/seasons/" (season.slug) "/api/rust" } { "Rust" }
    }
}

/// The rules of a season: its own, or those that come with its game.
pub fn rules_of(season: &Season, language: Language) -> &str {
    if season.rules.trim().is_empty() { built_in_rules(&season.game, language) } else { &season.rules }
}

/// What a game is about, and its story: how its rules begin. Rules of a season's
/// own begin as their author likes.
pub fn story(season: &Season, language: Language) -> Option<[Markup; 2]> {
    let sections = sections(built_in_rules(&season.game, language));
    let (about, story) = (sections.first()?, sections.get(1)?);
    Some([about, story].map(|section| PreEscaped(markdown(below_heading(section)))))
}

/// The rules that come with a game; where a language has none, the English ones.
fn built_in_rules(game: &str, language: Language) -> &'static str {
    content::rules(game, language.code()).or_else(|| content::rules(game, "en")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The headings of a page, with their levels.
    fn headings(page: &str) -> usize {
        sections(page).len()
    }

    #[test]
    fn every_game_has_rules_with_the_same_sections_in_every_language() {
        for game in ludus_games::GAMES.iter().map(|game| game.about().id) {
            for language in Language::ALL {
                let rules = built_in_rules(game, language);
                assert!(rules.starts_with("# "), "{game}");
                assert_eq!(headings(rules), headings(built_in_rules(game, Language::English)), "{game} {language:?}");
                let anchors = with_anchors(rules).contents;
                assert!(anchors.len() > 8 && anchors.iter().all(|(anchor, _)| !anchor.starts_with("section")));
            }
        }
    }

    #[test]
    fn api_pages_have_the_same_sections_in_every_language() {
        for game in ludus_games::GAMES.iter().map(|game| game.about().id) {
            for language in Language::ALL.map(Language::code) {
                let titles =
                    |written_in: &str| with_anchors(content::api(game, written_in, language).unwrap()).contents;
                assert_eq!(titles("cpp"), titles("rust"), "{game} {language}: they stand side by side");
                assert_eq!(titles("cpp").len(), 7, "{game} {language}");
            }
        }
    }
}
