//! The comparing of one player with all others.
//!
//! Its sketch is stored before the others' are looked at: of two players that are
//! compared at the same time, one at least sees the other.

use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow};
use ludus_plagiarism::{Language, Options, Run, Search, Sketch, Source, Tallies};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::reading::{self, Alike, Outcome};
use super::{Found, FoundPair, language};
use crate::database::{Columns as _, Database};
use crate::ids::{AccountId, SeasonId, SubmissionId};
use crate::jobs::Machines;
use crate::submissions::{self, Stage, Submission};
use crate::{log, seasons};

/// Sketches that are read at a time.
const AT_A_TIME: i64 = 200;

/// Compares an accepted player with those of everybody else.
pub async fn compare(database: &Database, machines: &Arc<dyn Machines>, id: SubmissionId) -> Result<Vec<FoundPair>> {
    let Some(submission) = submissions::find(database, id).await? else { return Ok(Vec::new()) };
    // An example that somebody handed in says nothing about anybody.
    if !matches!(submission.stage, Stage::Accepted | Stage::Retired) || submission.example.is_some() {
        return Ok(Vec::new());
    }
    let game = seasons::by_id(database, submission.season_id).await?.game;
    let source = source_of(&submission, submissions::source(database, id).await?);
    let sketch = match ask(machines, reading::ask_for_sketch(&source), reading::read_sketch).await? {
        Outcome::Answer(sketch) => sketch,
        Outcome::Refused(why) => {
            log::note(&format!("submission {id} cannot be compared: {why}"));
            keep(database, &submission, &game, &[], Some(&why)).await?;
            return Ok(Vec::new());
        }
    };
    let own = keep(database, &submission, &game, &sketch.to_bytes(), None).await?;
    let mut search = Search::new(source.author.clone(), sketch.clone());
    for game in [game.as_str(), ""] {
        look(database, game, &mut search).await?;
    }
    let old = wanted(database, &search.wanted(Options::default())).await?;
    if old.is_empty() {
        return Ok(Vec::new());
    }
    let (alike, left_out) = laid_beside(machines, &source, &search.tallies(), &old).await?;
    if left_out > 0 {
        let why =
            format!("{left_out} of {} sources that may be like it take too long to be compared with it", old.len());
        log::note(&format!("submission {id}: {why}"));
        keep(database, &submission, &game, &sketch.to_bytes(), Some(&why)).await?;
    }
    found(submission.season_id, own, &source, &alike, &old)
}

/// Lets another process answer a letter.
async fn ask<T>(
    machines: &Arc<dyn Machines>,
    letter: Vec<u8>,
    read: impl Fn(&[u8]) -> Result<Outcome<T>>,
) -> Result<Outcome<T>> {
    let machines = machines.clone();
    match tokio::task::spawn_blocking(move || machines.read_sources(letter)).await?? {
        Outcome::Answer(answer) => read(&answer),
        Outcome::Refused(why) => Ok(Outcome::Refused(why)),
    }
}

/// What a source shares with old ones, and how many of them were left out. If all
/// together take too much, each is tried alone: one that somebody made for that
/// hides nobody else.
async fn laid_beside(
    machines: &Arc<dyn Machines>,
    source: &Source,
    tallies: &Tallies,
    old: &[Old],
) -> Result<(Vec<Alike>, usize)> {
    let letter = |old: &[Old]| reading::ask_to_compare(source, tallies, old.iter().map(|old| &old.source));
    if let Outcome::Answer(alike) = ask(machines, letter(old), reading::read_compared).await? {
        return Ok((alike, 0));
    }
    let (mut all, mut left_out) = (Vec::new(), 0);
    for (at, one) in old.iter().enumerate() {
        match ask(machines, letter(std::slice::from_ref(one)), reading::read_compared).await? {
            Outcome::Answer(alike) => all.extend(alike.into_iter().map(|alike| Alike { other: at, ..alike })),
            Outcome::Refused(_) => left_out += 1,
        }
    }
    Ok((all, left_out))
}

fn source_of(submission: &Submission, text: Vec<u8>) -> Source {
    Source {
        name: submission.name.clone(),
        author: submission.account_id.to_string(),
        language: language(submission.language),
        text,
        time: Some(submission.created_at / 1000),
    }
}

/// Stores the sketch of a player, once. Its number.
async fn keep(
    database: &Database,
    submission: &Submission,
    game: &str,
    sketch: &[u8],
    refused: Option<&str>,
) -> Result<i64> {
    let kept = sqlx::query_scalar(
        "INSERT INTO sketches (submission_id, account_id, game, author, sketch, refused) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (submission_id) DO UPDATE SET sketch = excluded.sketch, refused = excluded.refused RETURNING id",
    );
    let kept = kept.bind(submission.id).bind(submission.account_id).bind(game);
    let kept = kept.bind(submission.account_id.to_string()).bind(sketch).bind(refused);
    Ok(kept.fetch_one(database.write()).await?)
}

/// Looks at all sketches of a game, those of one author after the other.
async fn look(database: &Database, game: &str, search: &mut Search) -> Result<()> {
    let (mut author, mut id) = (String::new(), 0);
    loop {
        let rows = sqlx::query(
            "SELECT id, author, sketch FROM sketches WHERE game = $1 AND (author > $2 OR (author = $2 AND id > $3))
             ORDER BY author, id LIMIT $4",
        )
        .bind(game)
        .bind(&author)
        .bind(id)
        .bind(AT_A_TIME)
        .fetch_all(database.read())
        .await?;
        for row in &rows {
            (author, id) = (row.text("author")?, row.int("id")?);
            // One that cannot be read was refused, or is of another Ludus.
            if let Some(sketch) = Sketch::read(&row.bytes("sketch")?) {
                search.look(id, &author, &sketch);
            }
        }
        if rows.len() < AT_A_TIME as usize {
            return Ok(());
        }
    }
}

/// An old source: its sketch, whose it is, and what it says.
struct Old {
    found: Found,
    season: Option<SeasonId>,
    source: Source,
}

async fn wanted(database: &Database, sketches: &[i64]) -> Result<Vec<Old>> {
    let mut old = Vec::new();
    for &sketch in sketches {
        let row = sqlx::query(
            "SELECT k.id, k.author, k.account_id, s.season_id, COALESCE(s.language, k.language) AS language,
             COALESCE(k.source, s.source) AS source, s.created_at, k.written_at
             FROM sketches k LEFT JOIN submissions s ON s.id = k.submission_id WHERE k.id = $1",
        );
        // It may have gone meanwhile, with whoever wrote it.
        let Some(row) = row.bind(sketch).fetch_optional(database.read()).await? else { continue };
        old.push(old_of(&row)?);
    }
    Ok(old)
}

fn old_of(row: &AnyRow) -> Result<Old> {
    let (sketch, author) = (row.int("id")?, row.text("author")?);
    let account: Option<AccountId> = row.try_get("account_id")?;
    let written = row.maybe_int("created_at")?.or(row.maybe_int("written_at")?);
    let source = Source {
        name: sketch.to_string(),
        author: author.clone(),
        language: if row.text("language")? == "rust" { Language::Rust } else { Language::Cpp },
        text: row.bytes("source")?,
        time: written.map(|ms| ms / 1000),
    };
    Ok(Old { found: Found { sketch, author, account, share: 0 }, season: row.try_get("season_id")?, source })
}

fn found(season: SeasonId, own: i64, source: &Source, alike: &[Alike], old: &[Old]) -> Result<Vec<FoundPair>> {
    let account = Some(AccountId(source.author.parse().context("an account has a number")?));
    let own = Found { sketch: own, author: source.author.clone(), account, share: 0 };
    let mut pairs = Vec::new();
    for one in alike {
        let other = old.get(one.other).ok_or_else(|| anyhow!("a source that nobody asked for"))?;
        // It belongs to the season of the later one.
        let season = other.season.filter(|_| other.source.time > source.time).unwrap_or(season);
        pairs.push(pair(season, one, own.clone(), other.found.clone()));
    }
    Ok(pairs)
}

fn pair(season: SeasonId, alike: &Alike, own: Found, other: Found) -> FoundPair {
    let own = Found { share: alike.shares[0], ..own };
    let other = Found { share: alike.shares[1], ..other };
    let is_in_order = own.author < other.author;
    let runs = if is_in_order { alike.runs.clone() } else { alike.runs.iter().map(Run::turned).collect() };
    let (a, b) = if is_in_order { (own, other) } else { (other, own) };
    FoundPair {
        season,
        a,
        b,
        similarity: alike.similarity,
        longest: alike.longest,
        is_across: alike.is_across,
        evidence: Run::evidence(&runs),
    }
}
