//! News and incidents, written by instructors.

use anyhow::Result;
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use crate::database::{Columns as _, Database, NumberedPart, Page, Reader, Slice, Tx, now};
use crate::ids::{AccountId, NewsId};
use crate::texts::Language;
use crate::words::words;

words! {
    pub enum Kind {
        News = "news",
        /// Something that does not work; a banner says so until it is over.
        Incident = "incident",
    }
}

/// A title or a text, by language.
pub type InLanguages = [String; Language::ALL.len()];

/// What is there in a language, or else in the first one in which there is something.
pub fn in_language(texts: &InLanguages, language: Language) -> &str {
    let own = &texts[language as usize];
    let any = texts.iter().find(|text| !text.is_empty());
    if own.is_empty() { any.map_or("", String::as_str) } else { own }
}

#[derive(Clone, Debug)]
pub struct News {
    pub id: NewsId,
    pub kind: Kind,
    pub author: String,
    pub titles: InLanguages,
    /// In Markdown.
    pub texts: InLanguages,
    pub created_at: i64,
    pub changed_at: i64,
    pub ended_at: Option<i64>,
}

impl News {
    pub fn is_open_incident(&self) -> bool {
        self.kind == Kind::Incident && self.ended_at.is_none()
    }
}

impl FromRow<'_, AnyRow> for News {
    fn from_row(row: &AnyRow) -> sqlx::Result<News> {
        Ok(News {
            id: row.try_get("id")?,
            kind: row.try_get("kind")?,
            author: row.text("name")?,
            titles: [row.text("title_en")?, row.text("title_ca")?, row.text("title_es")?],
            texts: [row.text("text_en")?, row.text("text_ca")?, row.text("text_es")?],
            created_at: row.int("created_at")?,
            changed_at: row.int("changed_at")?,
            ended_at: row.maybe_int("ended_at")?,
        })
    }
}

macro_rules! select_news {
    ($($rest:expr),*) => {
        concat!(
            "SELECT n.id, n.kind, a.name, n.title_en, n.title_ca, n.title_es, n.text_en, n.text_ca, n.text_es, n.created_at,
             n.changed_at, n.ended_at FROM news n JOIN accounts a ON a.id = n.account_id ",
            $($rest),*
        )
    };
}

pub async fn find(mut from: impl Reader, id: NewsId) -> Result<Option<News>> {
    Ok(sqlx::query_as(select_news!("WHERE n.id = $1")).bind(id).fetch_optional(from.executor()).await?)
}

/// The newest first.
pub async fn list(mut from: impl Reader, page: Page) -> Result<NumberedPart<News>> {
    let total = sqlx::query_scalar("SELECT COUNT(*) FROM news").fetch_one(from.executor()).await?;
    let items = sqlx::query_as(select_news!("ORDER BY n.id DESC LIMIT $1 OFFSET $2"));
    let items = items.bind(Page::SIZE).bind(page.offset()).fetch_all(from.executor()).await?;
    Ok(NumberedPart { items, total, page })
}

/// A part of the list.
pub async fn slice(mut from: impl Reader, slice: Slice) -> Result<Vec<News>> {
    let items = sqlx::query_as(select_news!("WHERE n.id < $1 ORDER BY n.id DESC LIMIT $2"));
    Ok(items.bind(slice.before).bind(slice.most).fetch_all(from.executor()).await?)
}

/// The incidents that are not over, the newest first.
pub async fn open_incidents(database: &Database) -> Result<Vec<News>> {
    let open = select_news!("WHERE n.kind = 'incident' AND n.ended_at IS NULL ORDER BY n.id DESC LIMIT 5");
    Ok(sqlx::query_as(open).fetch_all(database.read()).await?)
}

/// The newest incident, over or not.
pub async fn last_incident(database: &Database) -> Result<Option<News>> {
    let last = select_news!("WHERE n.kind = 'incident' ORDER BY n.id DESC LIMIT 1");
    Ok(sqlx::query_as(last).fetch_optional(database.read()).await?)
}

/// What an instructor has written.
#[derive(Clone, Debug)]
pub struct Written {
    pub kind: Kind,
    pub titles: InLanguages,
    pub texts: InLanguages,
}

pub async fn add(tx: &mut Tx, author: AccountId, written: &Written) -> Result<NewsId> {
    let row = sqlx::query(
        "INSERT INTO news (title_en, title_ca, title_es, text_en, text_ca, text_es, kind, account_id, created_at, changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) RETURNING id",
    );
    let row = written.titles.iter().chain(&written.texts).fold(row, |row, text| row.bind(text));
    let row = row.bind(written.kind).bind(author).bind(now()).fetch_one(&mut **tx).await?;
    Ok(row.try_get(0)?)
}

pub async fn change(tx: &mut Tx, id: NewsId, written: &Written) -> Result<()> {
    let done = sqlx::query(
        "UPDATE news SET title_en = $1, title_ca = $2, title_es = $3, text_en = $4, text_ca = $5, text_es = $6,
         changed_at = $7 WHERE id = $8",
    );
    let done = written.titles.iter().chain(&written.texts).fold(done, |done, text| done.bind(text));
    done.bind(now()).bind(id).execute(&mut **tx).await?;
    Ok(())
}

/// An incident is over. False if it was so already, or is none.
pub async fn end(tx: &mut Tx, id: NewsId) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE news SET ended_at = $1, changed_at = $1 WHERE id = $2 AND kind = 'incident' AND ended_at IS NULL",
    );
    Ok(done.bind(now()).bind(id).execute(&mut **tx).await?.rows_affected() == 1)
}
