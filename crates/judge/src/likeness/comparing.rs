//! The comparing of one player with all others.
//!
//! Its sketch is stored before the others' are looked at: of two players that are
//! compared at the same time, one at least sees the other.

use std::collections::HashMap;
use std::sync::LazyLock;

use anyhow::{Context as _, Result, anyhow};
use ludus_plagiarism::{
    Collection, Language, Match, Options, Report, Run, Search, Sketch, Source, Templates, templates,
};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::{Found, FoundPair, language};
use crate::database::{Columns as _, Database};
use crate::ids::{AccountId, SeasonId, SubmissionId};
use crate::submissions::{self, Stage, Submission};
use crate::{log, seasons};

/// Sketches that are read at a time.
const AT_A_TIME: i64 = 200;

/// What comes with every game and is nobody's.
fn given() -> &'static Templates {
    static GIVEN: LazyLock<Templates> = LazyLock::new(|| templates(&Language::ALL, Vec::new()));
    &GIVEN
}

/// Compares an accepted player with those of everybody else.
pub async fn compare(database: &Database, id: SubmissionId) -> Result<Vec<FoundPair>> {
    let Some(submission) = submissions::find(database, id).await? else { return Ok(Vec::new()) };
    // An example that somebody handed in says nothing about anybody.
    if !matches!(submission.stage, Stage::Accepted | Stage::Retired) || submission.example.is_some() {
        return Ok(Vec::new());
    }
    let game = seasons::by_id(database, submission.season_id).await?.game;
    let source = source_of(&submission, submissions::source(database, id).await?);
    let read = tokio::task::spawn_blocking(move || Collection::of(vec![source])).await?;
    let Collection { mut sources, mut analysed, refused } = read;
    let (Some(source), Some(analysed)) = (sources.pop(), analysed.pop()) else {
        let why = refused.first().map_or(String::new(), |(_, why)| why.to_string());
        log::note(&format!("submission {id} cannot be compared: {why}"));
        keep(database, &submission, &game, &[], Some(&why)).await?;
        return Ok(Vec::new());
    };
    let own = keep(database, &submission, &game, &Sketch::of(&analysed).to_bytes(), None).await?;
    let mut search = Search::new(source, analysed);
    for game in [game.as_str(), ""] {
        look(database, game, &mut search).await?;
    }
    let old = wanted(database, &search.wanted(Options::default())).await?;
    if old.is_empty() {
        return Ok(Vec::new());
    }
    tokio::task::spawn_blocking(move || found(submission.season_id, own, search, old)).await?
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

fn found(season: SeasonId, own: i64, search: Search, old: Vec<Old>) -> Result<Vec<FoundPair>> {
    let mut of_old = HashMap::new();
    let mut sources = Vec::new();
    for one in old {
        of_old.insert(one.source.name.clone(), (one.found, one.season));
        sources.push(one.source);
    }
    let (all, matches) = search.compare(sources, given(), Options::default());
    let author = all.sources[0].author.clone();
    let own = Found {
        sketch: own,
        account: Some(AccountId(author.parse().context("an account has a number")?)),
        author,
        share: 0,
    };
    let report = Report::new(&all, &matches, Options::default());
    let mut pairs = Vec::new();
    for (found, told) in matches.iter().zip(&report.pairs) {
        let other = &all.sources[found.b];
        let (of, in_season) = of_old.get(&other.name).ok_or_else(|| anyhow!("a source that nobody asked for"))?;
        // It belongs to the season of the later one.
        let season = in_season.filter(|_| other.time > all.sources[0].time).unwrap_or(season);
        pairs.push(pair(season, found, &told.runs, told.longest, [own.clone(), of.clone()]));
    }
    Ok(pairs)
}

fn pair(season: SeasonId, found: &Match, runs: &[Run], longest: u32, [own, other]: [Found; 2]) -> FoundPair {
    let millionths = |share: f64| (share * 1e6).round() as i64;
    let own = Found { share: millionths(found.share_a), ..own };
    let other = Found { share: millionths(found.share_b), ..other };
    let is_in_order = own.author < other.author;
    let runs = if is_in_order { runs.to_vec() } else { runs.iter().map(Run::turned).collect() };
    let (a, b) = if is_in_order { (own, other) } else { (other, own) };
    FoundPair {
        season,
        a,
        b,
        similarity: millionths(found.similarity),
        longest: i64::from(longest),
        is_across: found.is_across,
        evidence: Run::evidence(&runs),
    }
}
