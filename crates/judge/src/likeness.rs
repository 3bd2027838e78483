//! Who shares code with whom: what was found, and what instructors think of it.
//!
//! Every accepted player is compared in the background with those of all others in
//! every season of its game, and with sources of earlier years (`comparing`). Two
//! authors are told of once in a season, by the two of their sources that are most
//! alike. Nothing here decides that somebody has copied, and nobody but
//! instructors learns of it.

pub mod comparing;
pub mod corpus;
pub mod players;
pub mod reading;

use std::time::Duration;

use anyhow::Result;
use ludus_plagiarism::Run;
use ludus_sandbox::build::Language;
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use crate::database::{Columns as _, Database, NumberedPart, Page, Reader, Tx, now};
use crate::ids::{AccountId, LikenessId, SeasonId, SubmissionId};
use crate::jobs::Compare;
use crate::log;
use crate::queue::{Dispatch as _, Priority, Queue, Work};
use crate::words::words;

use players::Seen;

/// The account that sources are compared for in the queue: nobody's own.
pub const COMPARING: AccountId = AccountId(-3);

/// What was dismissed is told again when later sources are more alike by so much,
/// in millionths.
const TOLD_AGAIN: i64 = 100_000;
/// Players of a season that are offered to be compared at a time.
const OFFERED: i64 = 200;
/// What others write in between.
const BETWEEN: Duration = Duration::from_secs(5);

words! {
    /// What instructors think of two authors who share code.
    pub enum Opinion {
        New = "new",
        Review = "review",
        Dismissed = "dismissed",
        Confirmed = "confirmed",
    }
}

/// Has an accepted player compared, as part of the transaction that accepts it.
pub async fn offer(tx: &mut Tx, queue: &Queue, submission: SubmissionId) -> Result<()> {
    queue.offer(tx, &work(submission)).await
}

fn work(submission: SubmissionId) -> Work {
    let job = Compare { submission }.into();
    Work { job, account: COMPARING, priority: Priority::Comparison, batch: submission.0 }
}

/// Offers all accepted players that nobody has compared: those from before there
/// was comparing.
pub async fn catch_up(database: Database, queue: Queue) {
    catch_up_by(database, queue, OFFERED, BETWEEN).await;
}

/// The same with so many at a time, and a pause after each part.
pub async fn catch_up_by(database: Database, queue: Queue, most: i64, pause: Duration) {
    let mut last = SubmissionId(0);
    loop {
        match offer_some(&database, &queue, last, most).await {
            Ok(Some(more)) => {
                queue.announce();
                last = more;
                tokio::time::sleep(pause).await;
            }
            Ok(None) => return queue.announce(),
            Err(error) => return log::error(&format!("players cannot be given to be compared: {error:#}")),
        }
    }
}

/// Offers those after one of them. The last of them; none if there are no others.
async fn offer_some(
    database: &Database,
    queue: &Queue,
    after: SubmissionId,
    most: i64,
) -> Result<Option<SubmissionId>> {
    let missing: Vec<SubmissionId> = sqlx::query_scalar(
        "SELECT s.id FROM submissions s WHERE s.id > $1 AND s.stage = 'accepted' AND s.example IS NULL
         AND NOT EXISTS (SELECT 1 FROM sketches k WHERE k.submission_id = s.id)
         AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'compare' AND j.subject = s.id) ORDER BY s.id LIMIT $2",
    )
    .bind(after)
    .bind(most)
    .fetch_all(database.read())
    .await?;
    let mut tx = database.begin().await?;
    for &submission in &missing {
        offer(&mut tx, queue, submission).await?;
    }
    tx.commit().await?;
    Ok(missing.last().copied().filter(|_| missing.len() as i64 == most))
}

/// Has all players of a season compared again: what was found before others came
/// may weigh less by now. What nobody has looked at is forgotten.
pub async fn compare_again(tx: &mut Tx, queue: &Queue, season: SeasonId) -> Result<()> {
    sqlx::query("DELETE FROM likenesses WHERE season_id = $1 AND state = 'new'")
        .bind(season)
        .execute(&mut **tx)
        .await?;
    let players: Vec<SubmissionId> = sqlx::query_scalar(
        "SELECT id FROM submissions WHERE season_id = $1 AND stage = 'accepted' AND example IS NULL ORDER BY id",
    )
    .bind(season)
    .fetch_all(&mut **tx)
    .await?;
    for player in players {
        queue.offer_again(tx, &work(player)).await?;
    }
    Ok(())
}

/// One of two sources that are alike.
#[derive(Clone, Debug)]
pub struct Found {
    pub sketch: i64,
    pub author: String,
    pub account: Option<AccountId>,
    /// In millionths.
    pub share: i64,
}

/// Two sources that are alike, those of the authors in their order.
#[derive(Clone, Debug)]
pub struct FoundPair {
    pub season: SeasonId,
    pub a: Found,
    pub b: Found,
    /// In millionths.
    pub similarity: i64,
    pub longest: i64,
    pub is_across: bool,
    pub evidence: String,
}

/// Keeps what was found unless two sources of the same authors are known that are
/// more alike. What was confirmed stays as it was confirmed.
pub async fn store(tx: &mut Tx, found: &FoundPair) -> Result<()> {
    sqlx::query(
        "INSERT INTO likenesses (season_id, author_a, author_b, account_a, account_b, sketch_a, sketch_b, similarity,
         share_a, share_b, longest, is_across, evidence, state, found_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'new', $14)
         ON CONFLICT (season_id, author_a, author_b) DO UPDATE SET sketch_a = excluded.sketch_a,
         sketch_b = excluded.sketch_b, similarity = excluded.similarity, share_a = excluded.share_a,
         share_b = excluded.share_b, longest = excluded.longest, is_across = excluded.is_across,
         evidence = excluded.evidence, behaviour = NULL, found_at = excluded.found_at,
         state = CASE WHEN likenesses.state = 'dismissed' THEN 'new' ELSE likenesses.state END
         WHERE (likenesses.state IN ('new', 'review') AND excluded.similarity > likenesses.similarity)
            OR (likenesses.state = 'dismissed' AND excluded.similarity > likenesses.similarity + $15)",
    )
    .bind(found.season)
    .bind(&found.a.author)
    .bind(&found.b.author)
    .bind(found.a.account)
    .bind(found.b.account)
    .bind(found.a.sketch)
    .bind(found.b.sketch)
    .bind(found.similarity)
    .bind(found.a.share)
    .bind(found.b.share)
    .bind(found.longest)
    .bind(i64::from(found.is_across))
    .bind(&found.evidence)
    .bind(now())
    .bind(TOLD_AGAIN)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// One side of a likeness, as instructors see it.
#[derive(Clone, Debug)]
pub struct Side {
    /// Nobody who has an account, for a source of an earlier year.
    pub account: Option<AccountId>,
    pub author: String,
    /// The player and its season, or the name of the file.
    pub player: String,
    pub submission: Option<SubmissionId>,
    pub season: Option<SeasonId>,
    pub season_title: String,
    pub share: i64,
    pub written_at: Option<i64>,
}

/// Two authors who share code.
#[derive(Clone, Debug)]
pub struct Likeness {
    pub id: LikenessId,
    pub season: SeasonId,
    pub similarity: i64,
    pub longest: i64,
    pub is_across: bool,
    pub state: Opinion,
    pub found_at: i64,
    /// Whether somebody asked how they play, and what was seen.
    pub is_watched: bool,
    pub seen: Option<Seen>,
    pub sides: [Side; 2],
}

impl Likeness {
    /// Which source is the older one, if that is known.
    pub fn first(&self) -> Option<&Side> {
        let [a, b] = &self.sides;
        match (a.written_at?, b.written_at?) {
            (x, y) if x == y => None,
            (x, y) => Some(if x < y { a } else { b }),
        }
    }
}

impl FromRow<'_, AnyRow> for Likeness {
    fn from_row(row: &AnyRow) -> sqlx::Result<Likeness> {
        let side = |at: &str| {
            let column = |name: &str| format!("{name}_{at}");
            let name = row.text(&column("name"))?;
            let author = row.text(&column("author"))?;
            Ok::<_, sqlx::Error>(Side {
                account: row.try_get(column("account").as_str())?,
                author: row.maybe_text(&column("person"))?.unwrap_or(author.trim_start_matches('~').to_owned()),
                player: row.maybe_text(&column("player"))?.unwrap_or(name),
                submission: row.try_get(column("submission").as_str())?,
                season: row.try_get(column("season").as_str())?,
                season_title: row.maybe_text(&column("title"))?.unwrap_or_default(),
                share: row.int(&column("share"))?,
                written_at: row.maybe_int(&column("written"))?,
            })
        };
        let behaviour = row.maybe_text("behaviour")?;
        Ok(Likeness {
            id: row.try_get("id")?,
            season: row.try_get("season_id")?,
            similarity: row.int("similarity")?,
            longest: row.int("longest")?,
            is_across: row.flag("is_across")?,
            state: row.try_get("state")?,
            found_at: row.int("found_at")?,
            is_watched: behaviour.is_some(),
            seen: behaviour.as_deref().and_then(Seen::read),
            sides: [side("a")?, side("b")?],
        })
    }
}

/// What every way of looking likenesses `l` up selects.
macro_rules! select_likenesses {
    ($condition:literal) => {
        concat!(
            "SELECT l.id, l.season_id, l.similarity, l.longest, l.is_across, l.state, l.found_at, l.behaviour,
             l.author_a, l.author_b, l.account_a, l.account_b, l.share_a, l.share_b,
             p.name AS person_a, q.name AS person_b, x.name AS name_a, y.name AS name_b,
             x.submission_id AS submission_a, y.submission_id AS submission_b, s.name AS player_a, t.name AS player_b,
             s.season_id AS season_a, t.season_id AS season_b, e.title AS title_a, f.title AS title_b,
             COALESCE(s.created_at, x.written_at) AS written_a, COALESCE(t.created_at, y.written_at) AS written_b
             FROM likenesses l JOIN sketches x ON x.id = l.sketch_a JOIN sketches y ON y.id = l.sketch_b
             LEFT JOIN accounts p ON p.id = l.account_a LEFT JOIN accounts q ON q.id = l.account_b
             LEFT JOIN submissions s ON s.id = x.submission_id LEFT JOIN submissions t ON t.id = y.submission_id
             LEFT JOIN seasons e ON e.id = s.season_id LEFT JOIN seasons f ON f.id = t.season_id WHERE ",
            $condition
        )
    };
}

const LISTS: [(&str, &str); 2] = [
    (
        select_likenesses!("l.season_id = $1 AND $2 = '' ORDER BY l.similarity DESC, l.id DESC LIMIT $3 OFFSET $4"),
        "SELECT COUNT(*) FROM likenesses WHERE season_id = $1 AND $2 = ''",
    ),
    (
        select_likenesses!(
            "l.season_id = $1 AND l.state = $2 ORDER BY l.similarity DESC, l.id DESC LIMIT $3 OFFSET $4"
        ),
        "SELECT COUNT(*) FROM likenesses WHERE season_id = $1 AND state = $2",
    ),
];

/// The likenesses of a season in a state or in any, those most alike first.
pub async fn list(
    mut from: impl Reader,
    season: SeasonId,
    state: Option<Opinion>,
    page: Page,
) -> Result<NumberedPart<Likeness>> {
    let (items, total) = LISTS[usize::from(state.is_some())];
    let word = state.map_or("", Opinion::word);
    let total = sqlx::query_scalar(total).bind(season).bind(word).fetch_one(from.executor()).await?;
    let items = sqlx::query_as(items).bind(season).bind(word).bind(Page::SIZE).bind(page.offset());
    Ok(NumberedPart { items: items.fetch_all(from.executor()).await?, total, page })
}

pub async fn find(mut from: impl Reader, id: LikenessId) -> Result<Option<Likeness>> {
    Ok(sqlx::query_as(select_likenesses!("l.id = $1")).bind(id).fetch_optional(from.executor()).await?)
}

/// The runs that two sources share, and both of them.
pub struct Evidence {
    pub runs: Vec<Run>,
    pub texts: [String; 2],
}

pub async fn evidence(mut from: impl Reader, id: LikenessId) -> Result<Evidence> {
    let row = sqlx::query(
        "SELECT l.evidence, COALESCE(x.source, s.source) AS source_a, COALESCE(y.source, t.source) AS source_b
         FROM likenesses l JOIN sketches x ON x.id = l.sketch_a JOIN sketches y ON y.id = l.sketch_b
         LEFT JOIN submissions s ON s.id = x.submission_id LEFT JOIN submissions t ON t.id = y.submission_id
         WHERE l.id = $1",
    )
    .bind(id)
    .fetch_one(from.executor())
    .await?;
    let text = |column: &str| row.bytes(column).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Evidence { runs: Run::of_evidence(&row.text("evidence")?), texts: [text("source_a")?, text("source_b")?] })
}

/// What an instructor wrote.
#[derive(Clone, Debug)]
pub struct Note {
    pub actor: (AccountId, String),
    pub state: Opinion,
    pub note: String,
    pub created_at: i64,
}

impl FromRow<'_, AnyRow> for Note {
    fn from_row(row: &AnyRow) -> sqlx::Result<Note> {
        Ok(Note {
            actor: (row.try_get("actor_id")?, row.text("name")?),
            state: row.try_get("state")?,
            note: row.text("note")?,
            created_at: row.int("created_at")?,
        })
    }
}

/// Notes that are shown.
const MOST_NOTES: i64 = 100;

/// The newest notes first.
pub async fn notes(mut from: impl Reader, id: LikenessId) -> Result<Vec<Note>> {
    let notes = sqlx::query_as(
        "SELECT n.actor_id, a.name, n.state, n.note, n.created_at FROM likeness_notes n
         JOIN accounts a ON a.id = n.actor_id WHERE n.likeness_id = $1 ORDER BY n.id DESC LIMIT $2",
    );
    Ok(notes.bind(id).bind(MOST_NOTES).fetch_all(from.executor()).await?)
}

/// Leaves a likeness in a state, and says why.
pub async fn judge(tx: &mut Tx, id: LikenessId, actor: AccountId, state: Opinion, note: &str) -> Result<()> {
    sqlx::query("UPDATE likenesses SET state = $1 WHERE id = $2").bind(state).bind(id).execute(&mut **tx).await?;
    sqlx::query(
        "INSERT INTO likeness_notes (likeness_id, actor_id, state, note, created_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(id)
    .bind(actor)
    .bind(state)
    .bind(note)
    .bind(now())
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// How many likenesses nobody has looked at, by season: slug, title, count.
pub async fn new_ones(mut from: impl Reader) -> Result<Vec<(String, String, i64)>> {
    let rows = sqlx::query(
        "SELECT e.slug, e.title, n.count FROM (SELECT season_id, COUNT(*) AS count FROM likenesses
         WHERE state = 'new' GROUP BY season_id) n JOIN seasons e ON e.id = n.season_id ORDER BY e.id DESC",
    );
    let rows = rows.fetch_all(from.executor()).await?;
    let one = |row: &AnyRow| Ok((row.text("slug")?, row.text("title")?, row.int("count")?));
    Ok(rows.iter().map(one).collect::<sqlx::Result<_>>()?)
}

/// How far the comparing of a season has come.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    pub compared: i64,
    pub waiting: i64,
    /// Players that cannot be compared: submission, name, why.
    pub refused: Vec<(SubmissionId, String, String)>,
}

pub async fn progress(database: &Database, season: SeasonId) -> Result<Progress> {
    let row = sqlx::query(
        "SELECT COUNT(k.id) AS compared, COUNT(*) AS players FROM submissions s
         LEFT JOIN sketches k ON k.submission_id = s.id
         WHERE s.season_id = $1 AND s.stage = 'accepted' AND s.example IS NULL",
    )
    .bind(season)
    .fetch_one(database.read())
    .await?;
    let refused = sqlx::query(
        "SELECT s.id, s.name, k.refused FROM sketches k JOIN submissions s ON s.id = k.submission_id
         WHERE k.refused IS NOT NULL AND s.season_id = $1 ORDER BY s.id DESC LIMIT $2",
    );
    let refused = refused.bind(season).bind(Page::SIZE).fetch_all(database.read()).await?;
    let one = |row: &AnyRow| Ok((row.try_get("id")?, row.text("name")?, row.text("refused")?));
    let compared = row.int("compared")?;
    Ok(Progress {
        compared,
        waiting: row.int("players")? - compared,
        refused: refused.iter().map(one).collect::<sqlx::Result<_>>()?,
    })
}

/// A language as the comparison knows it.
fn language(language: Language) -> ludus_plagiarism::Language {
    match language {
        Language::Cpp => ludus_plagiarism::Language::Cpp,
        Language::Rust => ludus_plagiarism::Language::Rust,
    }
}
