//! What became of a submission, and where its author goes from there.

use maud::{Markup, html};

use super::matches::ranked;
use super::representative;
use super::seasons::season;
use super::submissions::{duration, ordinal};
use crate::database::now;
use crate::invisible::shown;
use crate::matches::Match;
use crate::submissions::{self, Reason, Stage, Submission, Verdict};
use crate::web::{AppError, Site, Visitor};
use crate::{exceptions, texts};

/// What a page says of a submission besides what is stored of it.
#[derive(Debug, Default)]
pub struct Outlook {
    /// Submissions that are decided before this one.
    pub ahead: i64,
    /// How long a verdict takes, in milliseconds.
    pub wait: Option<i64>,
    /// Whether its author, who looks, may hand in another player now.
    pub is_admitted: bool,
    /// Whether its author, who looks, may choose who plays official rounds.
    pub may_choose: bool,
}

impl Outlook {
    /// What is to be said to this visitor, when so many come before.
    pub async fn of(site: &Site, visitor: &Visitor, submission: &Submission, ahead: i64) -> Result<Outlook, AppError> {
        let author = visitor.account().filter(|account| account.id == submission.account_id);
        let mut outlook = Outlook { ahead, ..Outlook::default() };
        match (submission.stage, author) {
            (Stage::Accepted, Some(author)) => {
                let season = season(site, &submission.season_slug).await?;
                outlook.may_choose = representative::may_choose(site, &season, author).await?;
            }
            (Stage::Rejected, Some(author)) => {
                let season = season(site, &submission.season_slug).await?;
                let excepted = exceptions::until(&site.database, season.id, author.id).await?;
                outlook.is_admitted = author.may_submit() && season.admission(now(), excepted).is_granted();
            }
            (Stage::Waiting | Stage::Compiling | Stage::Playing, _) => {
                outlook.wait = submissions::pace(&site.database).await?.map(|pace| pace.wait(ahead + 1));
            }
            _ => {}
        }
        Ok(outlook)
    }
}

/// Who had how much, the best first.
fn scores(one: &Match) -> String {
    let scores = ranked(one).into_iter().map(|seat| format!("{} {}", seat.name, seat.score.unwrap_or(0)));
    scores.collect::<Vec<_>>().join(", ")
}

/// The verdict, or how long it takes.
pub fn verdict(visitor: &Visitor, submission: &Submission, played: &[Match], outlook: &Outlook) -> Markup {
    match &submission.verdict {
        Some(Verdict::Accepted) if submission.stage == Stage::Retired => html! {
            @let why = submission.retired.as_deref().unwrap_or_default();
            @let hint = if Reason::told(why).is_some() { texts::BARRED_HINT } else { texts::RETIRED_HINT };
            section.verdict.bad {
                h2 { (visitor.t(texts::VERDICT_RETIRED)) }
                p { (visitor.fill(hint, &[("name", &submission.name)])) }
                p { strong { (visitor.t(texts::WHY)) ": " } (retired_because(visitor, why)) }
            }
        },
        Some(Verdict::Accepted) => accepted(visitor, submission, played, outlook),
        Some(Verdict::Rejected(why)) => rejected(visitor, submission, played, outlook, why),
        None => html! {
            section.verdict {
                h2 { (visitor.t(texts::VERDICT_PENDING)) }
                p { (visitor.t(texts::PENDING_HINT)) }
                p.quiet {
                    (visitor.fill(texts::BEFORE_YOURS, &[("count", &outlook.ahead.to_string())]))
                    @if let Some(wait) = outlook.wait { " " (visitor.t(texts::STATUS_EXPECTED)) ": " (duration(visitor, wait)) }
                }
            }
        },
    }
}

fn is_own(visitor: &Visitor, submission: &Submission) -> bool {
    visitor.account().is_some_and(|account| account.id == submission.account_id)
}

fn accepted(visitor: &Visitor, submission: &Submission, played: &[Match], outlook: &Outlook) -> Markup {
    let season = format!("/seasons/{}", submission.season_slug);
    let is_own = is_own(visitor, submission);
    html! {
        section.verdict.good {
            h2 { (visitor.t(texts::VERDICT_ACCEPTED)) }
            p { (visitor.fill(texts::ACCEPTED_HINT, &[("name", &submission.name)])) }
            @if is_own { p { (visitor.t(if outlook.may_choose { texts::NEXT_TRAIN_AND_CHOOSE } else { texts::NEXT_TRAIN })) } }
            div.actions {
                @if let Some(one) = played.iter().rfind(|one| one.played) {
                    a.button href={ "/matches/" (one.id) } { (visitor.t(texts::WATCH_IT_WIN)) }
                }
                @if is_own {
                    a.button.quiet href={ (season) "/train?first=" (submission.name) } { (visitor.t(texts::TRAIN)) }
                }
                @if outlook.may_choose {
                    a.button.quiet href={ (season) "#representative" } { (visitor.t(texts::CHOOSE_REPRESENTATIVE)) }
                }
                a.button.quiet href={ "/players/" (submission.id) } { (visitor.t(texts::ITS_PAGE)) }
                @if !outlook.may_choose { a.button.quiet href=(season) { (visitor.t(texts::THE_SEASON)) } }
            }
        }
    }
}

fn rejected(visitor: &Visitor, submission: &Submission, played: &[Match], outlook: &Outlook, why: &Reason) -> Markup {
    let season = format!("/seasons/{}", submission.season_slug);
    let cause = played.iter().find(|one| why.cause() == Some(one.id));
    let is_own = is_own(visitor, submission);
    html! {
        section.verdict.bad {
            h2 { (visitor.t(texts::VERDICT_REJECTED)) }
            p { (reason(visitor, &submission.name, why, cause)) }
            @if let Reason::Compiler(messages) = why {
                pre.messages { code { (shown(&texts::compiler(visitor.language, messages))) } }
            }
            div.actions {
                @if outlook.is_admitted {
                    a.button href={ (season) "/submit?from=" (submission.id) "#source" } { (visitor.t(texts::EDIT_AGAIN)) }
                } @else if is_own {
                    a.button href=(season) { (visitor.t(texts::THE_SEASON)) }
                    a.button.quiet href={ "/submissions/" (submission.id) "/source" } { (visitor.t(texts::SOURCE)) }
                }
                @if let Some(one) = cause {
                    @let fault = one.seats.iter().find_map(|seat| seat.fault.as_ref()).map(|(round, _)| format!("#r={round}"));
                    a.button.quiet[is_own] href={ "/matches/" (one.id) (fault.unwrap_or_default()) } { (visitor.t(texts::WATCH_CAUSE)) }
                }
            }
            p.quiet { (visitor.t(match why {
                _ if is_own && !outlook.is_admitted => texts::CLOSED,
                Reason::NameTaken => texts::NAME_IS_TAKEN,
                _ => texts::NAME_STAYS_FREE,
            })) }
        }
    }
}

/// Why a player was retired: what an instructor wrote, or what the judge found.
pub fn retired_because(visitor: &Visitor, told: &str) -> String {
    Reason::told(told).map_or_else(|| told.to_owned(), |why| reason(visitor, "", &why, None))
}

/// Why a submission was rejected, in a sentence.
pub fn reason(visitor: &Visitor, name: &str, why: &Reason, cause: Option<&Match>) -> String {
    match why {
        Reason::Compiler(_) => visitor.t(texts::REASON_COMPILER).to_owned(),
        Reason::Slow { seconds } => visitor.fill(texts::REASON_SLOW, &[("about", &seconds.to_string())]),
        Reason::Module(about) => {
            visitor.fill(texts::REASON_MODULE, &[("about", &texts::module(visitor.language, about))])
        }
        Reason::OtherName(other) => visitor.fill(texts::REASON_OTHER_NAME, &[("name", name), ("about", other)]),
        Reason::NameTaken => visitor.fill(texts::NAME_TAKEN, &[("about", name)]),
        Reason::ExampleTwice => visitor.t(texts::REASON_EXAMPLE_TWICE).to_owned(),
        Reason::Fault(_) => {
            let fault = cause.and_then(|one| one.seats.iter().find_map(|seat| Some((seat.seat, seat.fault.as_ref()?))));
            let Some((seat, (round, fault))) = fault else { return visitor.t(texts::REASON_FAULT_PLAIN).to_owned() };
            let (round, fault) = (round.to_string(), texts::fault(visitor.language, fault));
            visitor.fill(texts::REASON_FAULT, &[("seat", &ordinal(seat)), ("round", &round), ("fault", &fault)])
        }
        Reason::NotWon(_) => {
            let step = cause.and_then(|one| one.verifies).map_or(0, |(_, step)| step.number()).to_string();
            let scores = cause.map(scores).unwrap_or_default();
            visitor.fill(texts::REASON_NOT_WON, &[("seat", &step), ("scores", &scores)])
        }
        Reason::Overtime { in_match, seat, seconds } => {
            let (number, seconds) = (in_match.to_string(), seconds.to_string());
            let values = [("match", number.as_str()), ("seat", &ordinal(*seat)), ("seconds", &seconds)];
            visitor.fill(texts::REASON_OVERTIME, &values)
        }
        Reason::Instructor(about) => visitor.fill(texts::REASON_INSTRUCTOR, &[("about", about)]),
        Reason::Unknown => String::new(),
    }
}
