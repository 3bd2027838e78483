//! A round as everybody sees it: the same piece of page for all who read the
//! same language and may see the same names, so that it is written once.

use ludus_arena::season::{Author, Contender, Kind, OfficialMatch, Stage, is_saved};
use ludus_games::Seat;
use maud::{Markup, html};

use super::matches::{best_first, dot};
use crate::official::board::{Board, Person};
use crate::official::rounds::{Round, State, Whole};
use crate::texts;
use crate::web::Visitor;

/// Somebody by the player's name and, for those who may see it, the author's.
pub fn who(player: &str, student: &str, names: bool) -> Markup {
    html! { strong { (player) } @if names { " " span.quiet { (student) } } }
}

pub fn person(person: &Person, names: bool) -> Markup {
    let student = &person.entrant.student;
    match &person.player {
        Some(player) => who(player, student, names),
        None if names => html! { (student) },
        None => html! { "#" (person.entrant.author.map_or(0, |author| author.0)) },
    }
}

/// What changes while a round is played.
pub fn round(visitor: &Visitor, whole: &Whole, stopped: bool, game: &str, names: bool) -> Markup {
    html! {
        (head(visitor, whole, stopped, names))
        @for stage in whole.drawn.stages().iter().rev() { (stage_of(visitor, whole, stage, (game, names))) }
    }
}

fn head(visitor: &Visitor, whole: &Whole, stopped: bool, names: bool) -> Markup {
    html! {
        div #round-head {
            (state(visitor, &whole.round, stopped))
            @if stopped { p.notice.bad role="alert" { (visitor.t(texts::STOPPED_EXPLAINED)) } }
            (outcome(visitor, whole, names))
        }
    }
}

/// The parts of a round that have changed since somebody saw it, each with the
/// id of what it replaces; stages that are new come after the head. None if it
/// has to be shown as a whole. A round of four hundred is written on a hundred
/// kilobytes, and hundreds of people follow it.
pub fn changes(visitor: &Visitor, old: &Board, new: &Board, names: bool) -> Option<Markup> {
    let (before, now) = (old.latest.as_ref()?, new.latest.as_ref()?);
    if before.round.id != now.round.id || now.round.state != State::Playing || before.round.state != State::Playing {
        return None;
    }
    let (known, stages) = (before.drawn.stages(), now.drawn.stages());
    let game = new.season.game.as_str();
    Some(html! {
        (head(visitor, now, new.stopped.is_some(), names))
        @for (stage, known) in stages.iter().zip(known).filter(|(stage, known)| stage != known) {
            (stage_head(visitor, stage))
            @for (official, _) in stage.matches().iter().zip(known.matches()).filter(|(one, known)| one != known) {
                (group(visitor, now, stage, official, (game, names)))
            }
        }
        @for stage in stages.iter().skip(known.len()) { (stage_of(visitor, now, stage, (game, names))) }
    })
}

/// The newest round of a season, and what comes after it.
pub fn latest(visitor: &Visitor, board: &Board, names: bool) -> Markup {
    html! {
        @if let Some(champion) = board.champion() {
            div.verdict.good { h2 { (visitor.t(texts::CHAMPION)) ": " (person(champion, names)) } }
        }
        @if let Some(next) = board.next() {
            p { strong { (visitor.t(texts::NEXT_ROUND)) } " · " (starts(visitor, next)) }
        }
        @if let Some(whole) = &board.latest {
            h2 { (number(visitor, &whole.round)) }
            (round(visitor, whole, board.stopped.is_some(), &board.season.game, names))
        }
    }
}

pub fn number(visitor: &Visitor, round: &Round) -> String {
    visitor.fill(texts::ROUND_NUMBER, &[("number", &round.number.to_string())])
}

pub fn starts(visitor: &Visitor, round: &Round) -> Markup {
    match round.starts_at {
        Some(start) => html! { (visitor.t(texts::STARTS)) " " (visitor.date(start)) },
        None => html! { (visitor.t(texts::STARTS_BY_HAND)) },
    }
}

/// The state of a round as a badge.
pub fn state(visitor: &Visitor, round: &Round, stopped: bool) -> Markup {
    let (class, text) = match round.state {
        State::Playing if stopped => ("rejected", texts::ROUND_STOPPED),
        State::Over if !round.counts() => ("retired", texts::ROUND_UNDONE),
        State::Committed => ("waiting", texts::round_state(round.state)),
        State::Playing => ("playing", texts::round_state(round.state)),
        State::Over => ("accepted", texts::round_state(round.state)),
        State::Cancelled => ("retired", texts::round_state(round.state)),
    };
    html! { p { span class={ "badge " (class) } { (visitor.t(text)) } } }
}

/// Who is out, once that is known.
fn outcome(visitor: &Visitor, whole: &Whole, names: bool) -> Markup {
    let Some(out) = whole.round.elimination else { return html! {} };
    let player = whole.player(out.author);
    let name = player.map_or(String::new(), |one| match names {
        true => format!("{} ({})", one.name, one.student),
        false => one.name.clone(),
    });
    html! {
        div.verdict.bad {
            h2 { (visitor.fill(texts::IS_OUT, &[("name", &name)])) }
            p { (visitor.t(texts::decision(out.by))) }
            @if let Some(reason) = &whole.round.undone_reason {
                p { strong { (visitor.fill(texts::UNDONE_BECAUSE, &[("reason", reason)])) } }
            }
        }
    }
}

fn stage_of(visitor: &Visitor, whole: &Whole, stage: &Stage, how: (&str, bool)) -> Markup {
    html! {
        section.stage #{ "stage-" (stage.number()) } {
            (stage_head(visitor, stage))
            ul.groups { @for official in stage.matches() { (group(visitor, whole, stage, official, how)) } }
        }
    }
}

fn stage_head(visitor: &Visitor, stage: &Stage) -> Markup {
    let all = stage.matches().len();
    let played = stage.matches().iter().filter(|one| one.scores().is_some()).count();
    let title = match stage.kind() {
        Kind::Saving => visitor.fill(texts::STAGE_SAVING, &[("number", &stage.number().to_string())]),
        Kind::Deciding => visitor.t(texts::STAGE_DECIDING).to_owned(),
    };
    let count = |text, count: usize| visitor.fill(text, &[("count", &count.to_string())]);
    let matches = [("played", played.to_string()), ("all", all.to_string())];
    let matches = matches.each_ref().map(|(name, value)| (*name, value.as_str()));
    html! {
        div.stage-head #{ "stage-" (stage.number()) "-head" } {
            h2 { (title) }
            p.quiet {
                @if stage.kind() == Kind::Saving {
                    (count(texts::COUNT_IN_DANGER, stage.in_danger().len() - stage.saved().len())) " · "
                    (count(texts::COUNT_SAVED, stage.saved().len())) " · "
                }
                (visitor.fill(texts::MATCHES_PLAYED, &matches))
            }
            @if played < all { progress max=(all) value=(played) {} }
        }
    }
}

fn group(visitor: &Visitor, whole: &Whole, stage: &Stage, official: &OfficialMatch, how: (&str, bool)) -> Markup {
    let known = whole.match_at(official.id());
    let name = visitor.fill(texts::ROUND_GROUP, &[("number", &official.id().group().to_string())]);
    let is_played = official.scores().is_some();
    html! {
        li.group.played[is_played] #{ "stage-" (official.id().stage()) "-" (official.id().group()) } {
            p.quiet {
                @match known.filter(|_| is_played) {
                    Some(known) => a href={ "/matches/" (known.id) } { (name) },
                    None => (name),
                }
            }
            ol { @for seat in best_first(|seat| Some(official.scores()?[seat])) { (seat_of(visitor, whole, stage, official, seat, how)) } }
        }
    }
}

/// What has become of a player in a match: a class and a word.
pub fn fate(whole: &Whole, stage: &Stage, official: &OfficialMatch, seat: Seat, author: Author) -> &'static str {
    let is_last = whole.drawn.stages().last().is_some_and(|last| last.number() == stage.number());
    match official.scores() {
        Some(scores) if stage.kind() == Kind::Saving && is_saved(scores, seat) => "saved",
        _ if is_last && whole.drawn.elimination().is_some_and(|out| out.author == author) => "out",
        Some(_) if stage.kind() == Kind::Saving => "danger",
        _ => "",
    }
}

fn seat_of(
    visitor: &Visitor,
    whole: &Whole,
    stage: &Stage,
    official: &OfficialMatch,
    seat: Seat,
    (game, names): (&str, bool),
) -> Markup {
    let contender = official.seats()[seat];
    let player = contender.author().and_then(|author| whole.player(author));
    let fate = contender.author().map_or("", |author| fate(whole, stage, official, seat, author));
    let word = match fate {
        "saved" => Some(texts::SAVED),
        "danger" => Some(texts::IN_DANGER),
        "out" => Some(texts::OUT),
        _ => None,
    };
    let result = whole.match_at(official.id()).and_then(|known| known.result.as_ref());
    let is_frozen = result.is_some_and(|result| result.frozen[seat]);
    html! {
        li class=(fate) data-author=[contender.author().map(|author| author.0)] {
            span.name {
                (dot(game, seat))
                @match (contender, player) {
                    (Contender::Reserve, _) => span.quiet { (visitor.t(texts::RESERVE_PLAYER)) },
                    (_, Some(player)) => (who(&player.name, &player.student, names)),
                    (Contender::Of(author), None) => { "#" (author.0) },
                }
                @if is_frozen { " " span.bad { (visitor.t(texts::FROZEN_SEAT)) } }
            }
            span.score { @if let Some(scores) = official.scores() { (scores[seat]) } @else { "–" } }
            span.fate { @if let Some(word) = word { (visitor.t(word)) } }
        }
    }
}
