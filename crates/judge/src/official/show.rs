//! The show of a final: what has been played, revealed step by step.
//!
//! The steps follow from the rounds alone, and `revealed_steps` says how many of
//! them everybody has seen. Whatever pages, feeds and files tell of a final comes
//! through a [`Show`], which holds nothing beyond those steps unless it was made
//! for an instructor.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use ludus_arena::season::{Author, Elimination, Hash, Kind, MatchId as Place, OfficialMatch, is_saved, last_author};
use ludus_games::Seat;

use super::finals::{self, Final, State};
use super::rounds::{self, RoundPlayer, Whole};
use sqlx::Row as _;

use crate::database::{Columns as _, Database, Tx, now};
use crate::ids::MatchId;
use crate::seasons;

/// A step of the show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A round begins, with these still in.
    Round(u32),
    /// A match is announced: who sits where. The presenter plays it.
    Match(u32, Place),
    /// What came of it; from here on everybody can watch it.
    Outcome(u32, Place),
    /// Somebody is out, and the seed of the round is known.
    Out(u32),
    /// Nobody but the champion is left.
    Champion,
}

/// What a match means for whoever played in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    Saved,
    /// Neither saved nor out: it goes on.
    InDanger,
    Out,
    /// A reserve, for whom nothing depends on it.
    Reserve,
}

/// All steps of a final that has been played, in order.
pub fn steps(rounds: &[Whole]) -> Vec<Step> {
    let mut steps = Vec::new();
    for (number, whole) in (1..).zip(rounds) {
        steps.push(Step::Round(number));
        for official in whole.drawn.stages().iter().flat_map(|stage| stage.matches()) {
            steps.push(Step::Match(number, official.id()));
            steps.push(Step::Outcome(number, official.id()));
        }
        steps.push(Step::Out(number));
    }
    steps.push(Step::Champion);
    steps
}

/// A final as far as somebody may know it.
pub struct Show {
    pub of: Final,
    /// The id of the game.
    pub game: String,
    /// The built-in player that fills groups.
    pub reserve: &'static str,
    /// The steps that are revealed.
    pub steps: Vec<Step>,
    /// How many there are in all, for instructors.
    pub all: Option<usize>,
    /// The links with which anybody can watch the matches that are revealed.
    shares: BTreeMap<MatchId, String>,
    /// Kept to itself: it holds what is not revealed.
    rounds: Vec<Whole>,
}

impl Show {
    /// The final as everybody sees it; instructors learn how long it is.
    pub async fn find(database: &Database, of: Final, is_instructor: bool) -> Result<Show> {
        let has_steps = matches!(of.state, State::Played | State::Showing | State::Revealed);
        let rounds = if has_steps { rounds::whole_final(database, of.id).await? } else { Vec::new() };
        let mut steps = if has_steps { steps(&rounds) } else { Vec::new() };
        let all = is_instructor.then_some(steps.len());
        if of.state != State::Revealed {
            steps.truncate(usize::try_from(of.revealed_steps)?);
        }
        let shares = shares(database, of.id).await?;
        let season = seasons::by_id(database, of.season_id).await?;
        let reserve = season.reserve()?;
        Ok(Show { of, game: season.game, reserve, steps, all, shares, rounds })
    }

    /// The step that everybody sees now.
    pub fn now(&self) -> Option<Step> {
        self.steps.last().copied()
    }

    /// A round that has begun in the show.
    fn round(&self, number: u32) -> Option<&Whole> {
        let begun = self.steps.contains(&Step::Round(number));
        begun.then(|| self.rounds.get(number as usize - 1)).flatten()
    }

    /// The numbers of the rounds that have begun, the latest one first.
    pub fn begun(&self) -> impl Iterator<Item = u32> {
        self.steps.iter().rev().filter_map(|step| if let Step::Round(number) = step { Some(*number) } else { None })
    }

    /// The players of a round that has begun.
    pub fn players(&self, round: u32) -> &[RoundPlayer] {
        self.round(round).map_or(&[], |whole| &whole.players)
    }

    /// The players of the first round, who are all there are.
    pub fn everybody(&self) -> &[RoundPlayer] {
        self.players(1)
    }

    pub fn player(&self, author: Author) -> Option<&RoundPlayer> {
        self.everybody().iter().find(|player| player.author == author)
    }

    /// The matches of a round that are announced, in order.
    pub fn announced(&self, round: u32) -> Vec<Shown<'_>> {
        let Some(whole) = self.round(round) else { return Vec::new() };
        let of_step = |step: &Step| match step {
            Step::Match(number, place) if *number == round => self.shown(whole, round, *place),
            _ => None,
        };
        self.steps.iter().filter_map(of_step).collect()
    }

    /// A match of a round, if it is announced.
    pub fn announced_match(&self, round: u32, place: Place) -> Option<Shown<'_>> {
        let is_announced = self.steps.contains(&Step::Match(round, place));
        is_announced.then(|| self.shown(self.round(round)?, round, place)).flatten()
    }

    fn shown<'a>(&'a self, whole: &'a Whole, round: u32, place: Place) -> Option<Shown<'a>> {
        let official = whole.drawn.official_match(place)?;
        let kept = whole.match_at(place)?;
        let is_revealed = self.steps.contains(&Step::Outcome(round, place));
        let kind = whole.drawn.stages().get(place.stage() as usize - 1)?.kind();
        let share = self.shares.get(&kept.id).filter(|_| is_revealed).map(String::as_str);
        Some(Shown { official, kind, id: kept.id, is_revealed, share })
    }

    /// Who is out in a round, if that is revealed.
    pub fn out(&self, round: u32) -> Option<Elimination> {
        let is_revealed = self.steps.contains(&Step::Out(round));
        is_revealed.then(|| self.round(round)?.drawn.elimination()).flatten()
    }

    /// The seed of a round, if that is revealed.
    pub fn seed(&self, round: u32) -> Option<Hash> {
        self.out(round)?;
        Some(Hash(self.round(round)?.round.secret_seed().bytes()))
    }

    /// A whole round for its file, if it is revealed.
    pub fn revealed_round(&self, round: u32) -> Option<&Whole> {
        self.out(round)?;
        self.round(round)
    }

    /// Those who are not out yet.
    pub fn left(&self) -> Vec<&RoundPlayer> {
        let out: BTreeSet<Author> = self.begun().filter_map(|round| Some(self.out(round)?.author)).collect();
        self.everybody().iter().filter(|player| !out.contains(&player.author)).collect()
    }

    /// Those who have saved themselves in a round, as far as that is revealed.
    pub fn saved(&self, round: u32) -> BTreeSet<Author> {
        let mut saved = BTreeSet::new();
        for shown in self.announced(round) {
            let authors = shown.official.authors();
            saved.extend(
                authors.filter(|(seat, _)| shown.consequence(*seat) == Some(Consequence::Saved)).map(|(_, a)| a),
            );
        }
        saved
    }

    /// The champion, if that is revealed.
    pub fn champion(&self) -> Option<&RoundPlayer> {
        self.steps.contains(&Step::Champion).then(|| self.left().first().copied()).flatten()
    }

    /// The matches of somebody in a round, as far as they are revealed.
    pub fn path(&self, author: Author, round: u32) -> Vec<(Shown<'_>, Seat)> {
        let played = self.announced(round).into_iter().filter(|shown| shown.is_revealed);
        let seat = |shown: &Shown| shown.official.authors().find(|(_, one)| *one == author).map(|(seat, _)| seat);
        played.filter_map(|shown| seat(&shown).map(|seat| (shown, seat))).collect()
    }
}

/// A match that is announced.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    official: &'a OfficialMatch,
    pub kind: Kind,
    pub id: MatchId,
    /// Whether everybody may know what came of it.
    pub is_revealed: bool,
    /// With what anybody can watch it, once it is revealed.
    pub share: Option<&'a str>,
}

impl Shown<'_> {
    pub fn place(&self) -> Place {
        self.official.id()
    }

    /// The author in a seat; none for a reserve.
    pub fn author(&self, seat: Seat) -> Option<Author> {
        self.official.seats()[seat].author()
    }

    pub fn score(&self, seat: Seat) -> Option<i64> {
        let scores = self.official.scores().filter(|_| self.is_revealed)?;
        Some(scores[seat])
    }

    /// What it means for whoever sits there, once it is revealed.
    pub fn consequence(&self, seat: Seat) -> Option<Consequence> {
        let scores = self.official.scores().filter(|_| self.is_revealed)?;
        let Some(author) = self.author(seat) else { return Some(Consequence::Reserve) };
        Some(match self.kind {
            Kind::Saving if is_saved(scores, seat) => Consequence::Saved,
            Kind::Deciding if last_author(self.official.seats(), scores) == Some(author) => Consequence::Out,
            Kind::Deciding if last_author(self.official.seats(), scores).is_some() => Consequence::Saved,
            _ => Consequence::InDanger,
        })
    }
}

/// The links of all matches of a final. Those of veiled ones lead nowhere.
async fn shares(database: &Database, id: i64) -> Result<BTreeMap<MatchId, String>> {
    let rows = sqlx::query(
        "SELECT m.id, m.share FROM matches m JOIN round_matches o ON o.match_id = m.id JOIN rounds r ON r.id = o.round_id
         WHERE r.final_id = $1 AND m.veiled = 0",
    )
    .bind(id)
    .fetch_all(database.read())
    .await?;
    Ok(rows.iter().map(|row| Ok((row.try_get("id")?, row.text("share")?))).collect::<sqlx::Result<_>>()?)
}

/// What came of asking for the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revealed {
    /// So many steps are revealed now.
    Steps(i64),
    /// Somebody else was faster, or it was asked twice.
    Already,
    /// There is nothing to be shown.
    Nothing,
}

/// Reveals the step after the first so many. Whoever asks twice, or beside
/// another presenter, does not skip one.
pub async fn reveal(database: &Database, found: &Final, after: i64) -> Result<Revealed> {
    if !found.state.can_be_shown() {
        return Ok(Revealed::Nothing);
    }
    let rounds = rounds::whole_final(database, found.id).await?;
    let steps = steps(&rounds);
    let Some(step) = usize::try_from(after).ok().and_then(|after| steps.get(after)) else {
        return Ok(Revealed::Nothing);
    };
    let mut tx = database.begin().await?;
    if !step_on(&mut tx, found.id, after, *step == Step::Champion).await? {
        tx.rollback().await?;
        return Ok(Revealed::Already);
    }
    match step {
        Step::Outcome(round, place) => {
            if let Some(one) = rounds.get(*round as usize - 1).and_then(|whole| whole.match_at(*place)) {
                sqlx::query("UPDATE matches SET veiled = 0 WHERE id = $1").bind(one.id).execute(&mut *tx).await?;
            }
        }
        Step::Champion => finals::unveil(&mut tx, found.id).await?,
        Step::Round(_) | Step::Match(..) | Step::Out(_) => {}
    }
    tx.commit().await?;
    Ok(Revealed::Steps(after + 1))
}

async fn step_on(tx: &mut Tx, id: i64, after: i64, is_last: bool) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE finals SET revealed_steps = revealed_steps + 1, state = $1, revealed_at = $2
         WHERE id = $3 AND revealed_steps = $4 AND state IN ('played', 'showing')",
    )
    .bind(if is_last { State::Revealed.word() } else { State::Showing.word() })
    .bind(is_last.then(now))
    .bind(id)
    .bind(after)
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected() == 1)
}
