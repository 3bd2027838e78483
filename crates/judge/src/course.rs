//! The course that this site is for, and the words that names may not contain.

use anyhow::Result;

use crate::database::{Columns as _, Database};

#[derive(Clone, Debug)]
pub struct Course {
    pub title: String,
    /// One per line.
    pub refused_words: String,
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
    let row = sqlx::query("SELECT title, refused_words FROM course WHERE id = 1").fetch_one(database.read()).await?;
    Ok(Course { title: row.text("title")?, refused_words: row.text("refused_words")? })
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
    sqlx::query("UPDATE course SET title = $1, refused_words = $2 WHERE id = 1")
        .bind(&course.title)
        .bind(&course.refused_words)
        .execute(database.write())
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_refused_inside_names_too() {
        let course = Course { title: String::new(), refused_words: "idiot\n\n Putin \n".to_owned() };
        for name in ["Idiot", "MyIdiot8", "putin"] {
            assert!(course.refuses(name), "{name}");
        }
        for name in ["Marta", "Idio"] {
            assert!(!course.refuses(name), "{name}");
        }
    }
}
