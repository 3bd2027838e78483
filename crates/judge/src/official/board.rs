//! A season as pages show it: who is in, who left when, which rounds there were.

use std::collections::BTreeMap;

use anyhow::Result;
use ludus_arena::season::{Author, Departure};
use ludus_games::Seat;
use sqlx::Row as _;

use super::entrants::{self, Entrant};
use super::rounds::{self, Round, State, Whole};
use super::schedule::{self, Schedule};
use super::{representatives, standing};
use crate::database::{Columns as _, Database};
use crate::ids::{MatchId, SeasonId};
use crate::matches::seat_of;
use crate::seasons::Season;

/// Somebody of a season, with the player that the public knows them by.
#[derive(Clone, Debug)]
pub struct Person {
    pub entrant: Entrant,
    /// The player of the last round that they were in, or the one that stands
    /// for them if they were in none.
    pub player: Option<String>,
}

#[derive(Clone)]
pub struct Board {
    pub season: Season,
    pub schedule: Schedule,
    pub rounds: Vec<Round>,
    /// Those who are in, by their numbers.
    pub left: Vec<Person>,
    /// Those who are out, the last one first, and how they left.
    pub gone: Vec<(Person, Departure)>,
    /// Those of the season's groups who had no player.
    pub absent: Vec<Person>,
    /// The newest round whose field was frozen.
    pub latest: Option<Whole>,
    /// The match that stops it, and why.
    pub stopped: Option<(MatchId, String)>,
}

impl Board {
    /// The round that is prepared.
    pub fn next(&self) -> Option<&Round> {
        self.rounds.last().filter(|round| round.state == State::Committed)
    }

    pub fn champion(&self) -> Option<&Person> {
        let over = self.rounds.iter().any(Round::counts) && self.left.len() == 1;
        self.left.first().filter(|_| over)
    }

    pub fn person(&self, author: Author) -> Option<&Person> {
        let gone = self.gone.iter().map(|(person, _)| person);
        self.left.iter().chain(gone).find(|person| person.entrant.author == Some(author))
    }
}

/// Everything about a season, by a handful of statements.
pub async fn find(database: &Database, season: Season) -> Result<Board> {
    let schedule = schedule::find(database.read(), season.id).await?;
    let rounds = rounds::of_season(database.read(), season.id).await?;
    let frozen = rounds.iter().rev().find(|round| round.frozen_at.is_some()).cloned();
    let (latest, stopped) = match frozen {
        Some(round) => {
            let stopped = match round.state {
                State::Playing => rounds::stopped_by(database, round.id).await?,
                _ => None,
            };
            (rounds::whole(database, round).await?, stopped)
        }
        None => (None, None),
    };
    let players = player_names(database, season.id, latest.as_ref()).await?;
    let (mut by_author, mut absent) = (BTreeMap::new(), Vec::new());
    for entrant in entrants::list(database.read(), season.id).await? {
        match entrant.author {
            Some(author) => {
                let person = Person { player: players.get(&author).cloned(), entrant };
                by_author.insert(author, person);
            }
            None => absent.push(Person { entrant, player: None }),
        }
    }
    let course = standing::find(database, season.id).await?;
    let gone = course.gone().iter().rev();
    let gone = gone.filter_map(|one| Some((by_author.remove(&one.author())?, one.clone()))).collect();
    let left = course.left().filter_map(|author| by_author.remove(&author)).collect();
    Ok(Board { season, schedule, rounds, left, gone, absent, latest, stopped })
}

/// By which player each author is known.
async fn player_names(
    database: &Database,
    season: SeasonId,
    latest: Option<&Whole>,
) -> Result<BTreeMap<Author, String>> {
    let mut names = BTreeMap::new();
    // Those who are out are known by the player that they left with.
    let rows = sqlx::query(
        "SELECT p.author, p.name FROM departures d JOIN round_players p ON p.round_id = d.round_id AND p.author = d.author
         WHERE d.season_id = $1 ORDER BY d.id",
    )
    .bind(season)
    .fetch_all(database.read())
    .await?;
    for row in &rows {
        names.insert(rounds::author_of(row.int("author")?), row.text("name")?);
    }
    match latest {
        Some(whole) => names.extend(whole.players.iter().map(|one| (one.author, one.name.clone()))),
        None => {
            let entered = entrants::list(database.read(), season).await?;
            let choices = match entered.is_empty() {
                true => BTreeMap::new(),
                false => representatives::of_season(database, season).await?,
            };
            for entrant in entered {
                let player = choices.get(&entrant.account).and_then(|choice| choice.representative());
                names.extend(entrant.author.zip(player.map(|player| player.name.clone())));
            }
        }
    }
    Ok(names)
}

/// A match of somebody in a round.
#[derive(Clone, Debug)]
pub struct Appearance {
    pub round: i64,
    pub stage: i64,
    pub match_id: MatchId,
    pub seat: Seat,
    pub player: String,
    pub score: Option<i64>,
    pub rank: Option<i64>,
    pub is_frozen: bool,
}

/// The official matches of an author, the newest ones first.
pub async fn appearances(database: &Database, season: SeasonId, author: Author) -> Result<Vec<Appearance>> {
    // SQLite takes crossed tables in the order in which they stand: from the few
    // seats of the author, not from all matches of the season.
    let rows = sqlx::query(
        "SELECT r.number, o.stage, o.match_id, s.seat, s.name, s.score, s.rank, s.fault
         FROM seats s CROSS JOIN round_matches o CROSS JOIN rounds r
         WHERE s.submission_id IN (SELECT p.submission_id FROM rounds x JOIN round_players p ON p.round_id = x.id
             WHERE x.season_id = $1 AND x.final_id IS NULL AND p.author = $2)
         AND o.match_id = s.match_id AND r.id = o.round_id AND r.season_id = $1 AND r.final_id IS NULL
         ORDER BY r.number DESC, o.stage DESC LIMIT 2000",
    )
    .bind(season)
    .bind(i64::from(author.0))
    .fetch_all(database.read())
    .await?;
    let appearance = |row: &sqlx::any::AnyRow| {
        Ok(Appearance {
            round: row.int("number")?,
            stage: row.int("stage")?,
            match_id: row.try_get("match_id")?,
            seat: seat_of(row)?,
            player: row.text("name")?,
            score: row.maybe_int("score")?,
            rank: row.maybe_int("rank")?,
            is_frozen: row.maybe_text("fault")?.is_some(),
        })
    };
    Ok(rows.iter().map(appearance).collect::<sqlx::Result<_>>()?)
}
