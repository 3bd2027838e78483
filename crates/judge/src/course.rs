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
    /// The word for which no player may have this name, if there is one. Words are
    /// looked for whole, because parts of them are in many that nobody minds.
    pub fn refuses(&self, name: &str) -> Option<&str> {
        let words = words_of(name);
        let refused = self.refused_words.lines().map(str::trim).filter(|word| !word.is_empty());
        refused.into_iter().find(|refused| words.contains(&refused.to_lowercase()))
    }
}

/// The words in a name, in small letters: what stands between other characters, and
/// inside of it what begins with a capital letter.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![name.to_lowercase()];
    for run in name.split(|c: char| !c.is_alphabetic()).filter(|run| !run.is_empty()) {
        words.push(run.to_lowercase());
        let letters: Vec<char> = run.chars().collect();
        let mut word = String::new();
        for (at, letter) in letters.iter().enumerate() {
            let after_small = at > 0 && letters[at - 1].is_lowercase();
            let before_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
            if letter.is_uppercase() && (after_small || before_small) && !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            word.extend(letter.to_lowercase());
        }
        words.push(word);
    }
    words
}

/// The words that a new course refuses.
const REFUSED: &str = "admin\nasshole\nbitch\ncabron\ncabrona\ncunt\nfuck\nfucker\nfucking\ngilipollas\nhitler\nidiot\n\
                       idiota\nmerda\nmierda\nnazi\nputa\nputo\nshit\nstupid";

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
        .bind(REFUSED)
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

    fn course(words: &str) -> Course {
        Course { title: String::new(), refused_words: words.to_owned(), names: Names::SignedIn }
    }

    #[test]
    fn words_are_refused_whole_and_named() {
        let course = course("idiot\n\n Putin \n");
        for (name, word) in [
            ("Idiot", "idiot"),
            ("IDIOT", "idiot"),
            ("MyIdiot8", "idiot"),
            ("my_idiot", "idiot"),
            ("idiot2", "idiot"),
            ("TheIDIOTBot", "idiot"),
            ("putin", "Putin"),
        ] {
            assert_eq!(course.refuses(name), Some(word), "{name}");
        }
        for name in ["Marta", "Idio", "idiotic", "computing", "Reputina", ""] {
            assert_eq!(course.refuses(name), None, "{name}");
        }
    }

    /// Ordinary words, written without accents as names are; many have a refused
    /// one inside.
    #[test]
    fn the_list_of_a_new_course_has_no_false_alarms() {
        let course = course(REFUSED);
        for (language, words) in [
            ("English", include_str!("course/english.txt")),
            ("Catalan", include_str!("course/catalan.txt")),
            ("Spanish", include_str!("course/spanish.txt")),
        ] {
            let words: Vec<&str> = words.split_whitespace().collect();
            assert!(words.len() >= 200, "{language}: {}", words.len());
            for word in &words {
                let capital = word[..1].to_uppercase() + &word[1..];
                for name in [
                    (*word).to_owned(),
                    word.to_uppercase(),
                    format!("{capital}7"),
                    format!("My{capital}Bot"),
                    format!("la_{word}"),
                ] {
                    assert_eq!(course.refuses(&name), None, "{language}: {name}");
                }
            }
        }
        for name in ["Admin", "SuperShit", "puta_vida", "Nazi88"] {
            assert!(course.refuses(name).is_some(), "{name}");
        }
    }
}
