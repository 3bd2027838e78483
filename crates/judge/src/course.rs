//! The course that this site is for, and the words that names may not contain.

use anyhow::Result;

use sqlx::any::AnyRow;

use crate::database::{Columns as _, Database, Tx};

/// Whose names the pages of official rounds show, and to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Names of players only.
    Players,
    /// Names of students too, to those who are signed in.
    SignedIn,
    /// Names of students to everybody.
    Everybody,
}

impl Names {
    pub const ALL: [Names; 3] = [Names::Players, Names::SignedIn, Names::Everybody];

    pub fn word(self) -> &'static str {
        match self {
            Names::Players => "players",
            Names::SignedIn => "signed-in",
            Names::Everybody => "everybody",
        }
    }

    pub fn of(word: &str) -> Option<Names> {
        Names::ALL.into_iter().find(|names| names.word() == word)
    }
}

#[derive(Clone, Debug)]
pub struct Course {
    pub title: String,
    /// One per line.
    pub refused_words: String,
    pub names: Names,
}

impl Course {
    /// Whether no player may have this name.
    pub fn refuses(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let mut words =
            self.refused_words.lines().map(|line| line.trim().to_lowercase()).filter(|word| !word.is_empty());
        words.any(|word| name.contains(&word))
    }
}

pub async fn find(database: &Database) -> Result<Course> {
    Ok(from_row(&sqlx::query(SELECT).fetch_one(database.read()).await?)?)
}

pub async fn in_transaction(tx: &mut Tx) -> Result<Course> {
    Ok(from_row(&sqlx::query(SELECT).fetch_one(&mut **tx).await?)?)
}

const SELECT: &str = "SELECT title, refused_words, names FROM course WHERE id = 1";

fn from_row(row: &AnyRow) -> sqlx::Result<Course> {
    let names = Names::of(&row.text("names")?).unwrap_or(Names::Players);
    Ok(Course { title: row.text("title")?, refused_words: row.text("refused_words")?, names })
}

/// Makes the course unless there is one.
pub async fn ensure(database: &Database, title: &str) -> Result<()> {
    sqlx::query("INSERT INTO course (id, title, refused_words) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING")
        .bind(title)
        .bind("admin\nidiot\nstupid\nfuck\nshit\nputa\nmierda\nmerda\nnazi\nhitler")
        .execute(database.write())
        .await?;
    Ok(())
}

pub async fn update(database: &Database, course: &Course) -> Result<()> {
    sqlx::query("UPDATE course SET title = $1, refused_words = $2, names = $3 WHERE id = 1")
        .bind(&course.title)
        .bind(&course.refused_words)
        .bind(course.names.word())
        .execute(database.write())
        .await?;
    Ok(())
}

/// The course's own links, one per line.
pub async fn links(database: &Database) -> Result<String> {
    Ok(sqlx::query_scalar("SELECT links FROM course WHERE id = 1")
        .fetch_optional(database.read())
        .await?
        .unwrap_or_default())
}

pub async fn set_links(database: &Database, links: &str) -> Result<()> {
    sqlx::query("UPDATE course SET links = $1 WHERE id = 1").bind(links).execute(database.write()).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_refused_inside_names_too() {
        let course =
            Course { title: String::new(), refused_words: "idiot\n\n Putin \n".to_owned(), names: Names::SignedIn };
        for name in ["Idiot", "MyIdiot8", "putin"] {
            assert!(course.refuses(name), "{name}");
        }
        for name in ["Marta", "Idio"] {
            assert!(!course.refuses(name), "{name}");
        }
    }
}
