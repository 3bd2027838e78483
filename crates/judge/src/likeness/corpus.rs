//! Sources of earlier years from a file of `ludus plagiarism`, and all players of
//! this course into one.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use ludus_plagiarism::{Collection, Corpus, Language, Sketch, Source};

use super::reading::{self, Outcome};
use crate::accounts;
use crate::database::{Columns as _, Database};
use crate::ids::AccountId;
use crate::local_machine::printable;
use crate::log;

/// Players that are added to a file at a time.
const AT_A_TIME: i64 = 200;

/// Adds the sources of a file to those that players are compared with. How many
/// there are, and how many of them are new.
pub async fn import(database: &Database, path: &Path, is_anonymous: bool) -> Result<(usize, usize)> {
    if !path.is_file() {
        bail!("there is no file {}", path.display());
    }
    let failed = || format!("cannot read the corpus {}", path.display());
    let corpus = Corpus::open(path, is_anonymous).with_context(failed)?;
    let mut added = 0;
    for source in corpus.sources() {
        added += usize::from(add(database, source.with_context(failed)?).await?);
    }
    Ok((corpus.len(), added))
}

async fn add(database: &Database, source: Source) -> Result<bool> {
    let (author, account) = author_of(database, &source.author).await?;
    let read = tokio::task::spawn_blocking(move || read(vec![source])).await??;
    let (Some(source), Some(analysed)) = (read.sources.first(), read.analysed.first()) else { return Ok(false) };
    let sketch = Sketch::of(analysed).to_bytes();
    let known = sqlx::query("SELECT 1 FROM sketches WHERE game = '' AND author = $1 AND sketch = $2 LIMIT 1");
    if known.bind(&author).bind(&sketch).fetch_optional(database.read()).await?.is_some() {
        return Ok(false);
    }
    sqlx::query(
        "INSERT INTO sketches (account_id, game, author, sketch, name, language, source, written_at)
         VALUES ($1, '', $2, $3, $4, $5, $6, $7)",
    )
    .bind(account)
    .bind(author)
    .bind(sketch)
    .bind(&source.name)
    .bind(if source.language == Language::Rust { "rust" } else { "cpp" })
    .bind(&source.text)
    .bind(source.time.map(|seconds| seconds * 1000))
    .execute(database.write())
    .await?;
    Ok(true)
}

/// Sources that can be read, each in a process of its own: they are strangers'.
fn read(sources: Vec<Source>) -> Result<Collection> {
    let mut read = Collection::default();
    for source in sources {
        match reading::units_of(&source)? {
            Outcome::Answer(analysed) => {
                read.analysed.push(analysed);
                read.sources.push(source);
            }
            Outcome::Refused(why) => {
                log::note(&format!("{} is left out: {}", printable(&source.name), printable(&why)));
            }
        }
    }
    Ok(read)
}

/// Somebody who repeats the course is known by the e-mail address.
async fn author_of(database: &Database, name: &str) -> Result<(String, Option<AccountId>)> {
    let account = accounts::credentials(database, name).await?.map(|(account, _)| account.id);
    Ok((account.map_or(format!("~{name}"), |account| account.to_string()), account))
}

/// Adds all accepted players to a file, which is made if it is not there. How many
/// sources it has then.
pub async fn export(database: &Database, path: &Path, is_anonymous: bool) -> Result<usize> {
    let mut corpus =
        Corpus::open(path, is_anonymous).with_context(|| format!("cannot write the corpus {}", path.display()))?;
    let mut last = 0;
    loop {
        let rows = sqlx::query(
            "SELECT s.id, s.name, s.language, s.source, s.created_at, a.email, e.slug FROM submissions s
             JOIN accounts a ON a.id = s.account_id JOIN seasons e ON e.id = s.season_id
             WHERE s.stage = 'accepted' AND s.example IS NULL AND s.id > $1 ORDER BY s.id LIMIT $2",
        );
        let rows = rows.bind(last).bind(AT_A_TIME).fetch_all(database.read()).await?;
        let mut sources = Vec::new();
        for row in &rows {
            last = row.int("id")?;
            let is_rust = row.text("language")? == "rust";
            sources.push(Source {
                name: format!("{}/{}.{}", row.text("slug")?, row.text("name")?, if is_rust { "rs" } else { "cc" }),
                author: row.text("email")?,
                language: if is_rust { Language::Rust } else { Language::Cpp },
                text: row.bytes("source")?,
                time: Some(row.int("created_at")? / 1000),
            });
        }
        let is_last = sources.len() < AT_A_TIME as usize;
        let read = tokio::task::spawn_blocking(move || read(sources)).await??;
        if !read.sources.is_empty() {
            corpus.add(&read, read.sources.len())?;
        }
        if is_last {
            return Ok(corpus.len());
        }
    }
}
