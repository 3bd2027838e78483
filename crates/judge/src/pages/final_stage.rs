//! What the audience of a final sees: the step of now, who is left, and all that
//! is revealed. The presenter's page and the stream of events show the same.

use ludus_arena::season::{Author, Decision};
use maud::{Markup, html};

use super::finals::{badge, explanation, phase};
use super::matches::{best_first, dot};
use crate::official::rounds::RoundPlayer;
use crate::official::show::{Consequence, Show, Shown, Step};
use crate::texts::{self, Text};
use crate::web::Visitor;

/// What somebody may see of people.
pub struct Eyes {
    /// Whether students' names are shown beside those of their players.
    pub sees_names: bool,
}

/// Everything of the show that is revealed.
pub fn stage(visitor: &Visitor, eyes: &Eyes, show: &Show) -> Markup {
    let state = show.of.state;
    html! {
        p.phase { span class={ "badge " (badge(state)) } { (visitor.t(phase(state))) } span.quiet { (visitor.t(explanation(state))) } }
        (now(visitor, eyes, show))
        @if !show.everybody().is_empty() { (board(visitor, eyes, show)) }
        @for round in show.begun() { (round_so_far(visitor, eyes, show, round)) }
    }
}

/// The step that is being shown.
pub fn now(visitor: &Visitor, eyes: &Eyes, show: &Show) -> Markup {
    let Some(step) = show.now() else { return html! {} };
    let round = |number: u32| visitor.fill(texts::FINAL_ROUND, &[("round", &number.to_string())]);
    html! {
        section.card.now data-step=(show.steps.len()) {
            @match step {
                Step::Round(number) => {
                    h2 { (round(number)) }
                    p.lead { (visitor.fill(texts::FINAL_STILL_IN, &[("count", &show.left().len().to_string())])) }
                    p.names { @for player in show.left() { span.chip { (named(eyes, player)) } } }
                }
                Step::Match(number, place) | Step::Outcome(number, place) => {
                    h2 { (round(number)) " · " (match_title(visitor, show, number, place)) }
                    @if let Some(shown) = show.announced_match(number, place) { (seats(visitor, eyes, show, &shown)) }
                }
                Step::Out(number) => { h2 { (round(number)) } (out(visitor, eyes, show, number)) }
                Step::Champion => (champion(visitor, eyes, show)),
            }
        }
    }
}

fn match_title(visitor: &Visitor, show: &Show, round: u32, place: ludus_arena::season::MatchId) -> String {
    let deciding =
        show.announced_match(round, place).is_some_and(|shown| shown.kind == ludus_arena::season::Kind::Deciding);
    let (stage, group) = (place.stage().to_string(), place.group().to_string());
    let text = if deciding { texts::FINAL_DECIDING } else { texts::FINAL_MATCH };
    visitor.fill(text, &[("stage", &stage), ("match", &group)])
}

fn named(eyes: &Eyes, player: &RoundPlayer) -> Markup {
    html! { strong { (player.name) } @if eyes.sees_names { " " span.quiet { (player.student) } } }
}

fn contender(eyes: &Eyes, show: &Show, author: Option<Author>) -> Markup {
    match author.and_then(|author| show.player(author)) {
        Some(player) => named(eyes, player),
        None => html! { span.quiet { (show.reserve) } },
    }
}

pub fn consequence(consequence: Consequence) -> (&'static str, Option<Text>) {
    match consequence {
        Consequence::Saved => ("accepted", Some(texts::FINAL_SAVED)),
        Consequence::InDanger => ("playing", Some(texts::FINAL_IN_DANGER)),
        Consequence::Out => ("rejected", Some(texts::FINAL_OUT)),
        Consequence::Reserve => ("waiting", None),
    }
}

/// The four of a match, and what came of it if that is revealed.
fn seats(visitor: &Visitor, eyes: &Eyes, show: &Show, shown: &Shown) -> Markup {
    html! {
        ol.seats {
            @for seat in best_first(|seat| shown.score(seat)) {
                @let came = shown.consequence(seat).map(consequence);
                li class=[came.map(|(class, _)| class)] {
                    span.contender { (dot(&show.game, seat)) (contender(eyes, show, shown.author(seat))) }
                    @if let Some(score) = shown.score(seat) { span.score { (score) } }
                    @if let Some((class, Some(text))) = came { span class={ "badge " (class) } { (visitor.t(text)) } }
                }
            }
        }
        @if let Some(share) = shown.share { p { a href={ "/watch/" (share) } { (visitor.t(texts::WATCH)) } } }
    }
}

fn out(visitor: &Visitor, eyes: &Eyes, show: &Show, round: u32) -> Markup {
    let Some(elimination) = show.out(round) else { return html! {} };
    let how = match elimination.by {
        Decision::Behind => texts::FINAL_BY_BEHIND,
        Decision::Alone => texts::FINAL_BY_ALONE,
        Decision::Draw => texts::FINAL_BY_DRAW,
    };
    html! {
        p.huge-line { (contender(eyes, show, Some(elimination.author))) " " span.badge.rejected { (visitor.t(texts::FINAL_OUT)) } }
        p.quiet { (visitor.t(how)) }
    }
}

fn champion(visitor: &Visitor, eyes: &Eyes, show: &Show) -> Markup {
    let Some(player) = show.champion() else { return html! {} };
    let mut rounds: Vec<u32> = show.begun().collect();
    rounds.reverse();
    html! {
        h2 { (visitor.t(texts::FINAL_CHAMPION)) }
        p.huge-line.champion { (named(eyes, player)) }
        h3 { (visitor.t(texts::FINAL_PATH)) }
        ol.path {
            @for round in rounds {
                li {
                    span.quiet { (visitor.fill(texts::FINAL_ROUND, &[("round", &round.to_string())])) }
                    @for (shown, seat) in show.path(player.author, round) {
                        @let (class, text) = shown.consequence(seat).map_or(("waiting", None), consequence);
                        @let score = shown.score(seat).unwrap_or(0);
                        @let told = html! { (score) @if let Some(text) = text { " " (visitor.t(text)) } };
                        @match shown.share {
                            Some(share) => a class={ "badge " (class) } href={ "/watch/" (share) } { (told) },
                            None => span class={ "badge " (class) } { (told) },
                        }
                    }
                }
            }
        }
    }
}

/// Everybody, with where they stand now.
fn board(visitor: &Visitor, eyes: &Eyes, show: &Show) -> Markup {
    let now = show.begun().next().unwrap_or(1);
    let saved = if show.out(now).is_none() { show.saved(now) } else { Default::default() };
    let out: Vec<(Author, u32)> = show.begun().filter_map(|round| Some((show.out(round)?.author, round))).collect();
    let mut gone: Vec<(&RoundPlayer, u32)> =
        out.iter().filter_map(|(author, round)| Some((show.player(*author)?, *round))).collect();
    gone.sort_by_key(|(_, round)| std::cmp::Reverse(*round));
    html! {
        section.board {
            h2 { (visitor.t(texts::FINAL_BOARD)) " " span.count { (show.left().len()) " / " (show.everybody().len()) } }
            ul.rows.card {
                @for player in show.left() {
                    li { div { (named(eyes, player)) } @if saved.contains(&player.author) { span.badge.accepted { (visitor.t(texts::FINAL_SAVED)) } } }
                }
                @for (player, round) in gone {
                    li.gone { div { (named(eyes, player)) } span.quiet { (visitor.fill(texts::GRADE_OUT, &[("round", &round.to_string())])) } }
                }
            }
        }
    }
}

/// The matches of a round that are announced, for whoever came late.
fn round_so_far(visitor: &Visitor, eyes: &Eyes, show: &Show, round: u32) -> Markup {
    let announced = show.announced(round);
    html! {
        @if !announced.is_empty() {
            details.card.round {
                summary { (visitor.fill(texts::FINAL_ROUND, &[("round", &round.to_string())])) }
                @for shown in &announced {
                    h3 { (match_title(visitor, show, round, shown.place())) }
                    (seats(visitor, eyes, show, shown))
                }
                (out(visitor, eyes, show, round))
                @if let Some(seed) = show.seed(round) { p.quiet { (visitor.t(texts::FINAL_SEED)) " " code { (seed) } } }
            }
        }
    }
}
