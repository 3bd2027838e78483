//! A roster: a CSV file with a name, an e-mail address and a group per line.
//! It is taken whole or not at all.

use std::collections::HashSet;

use anyhow::Result;

use crate::accounts::{self, LONGEST_FIELD, NewAccount, Purpose, Role};
use crate::database::Database;
use crate::texts::{self, Language, Text};

/// A line that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Counted from one.
    pub line: u64,
    pub text: Text,
    pub about: String,
}

const MOST_PEOPLE: usize = 5000;
/// Bad lines after which the rest is not read.
const MOST_BAD: usize = 50;

/// A person of a roster, or what is wrong with the line.
pub fn person(name: &str, email: &str, group: &str) -> Result<NewAccount, Text> {
    let plain = |text: &str| text.chars().count() <= LONGEST_FIELD && !text.chars().any(char::is_control);
    let (name, group) = (name.trim(), group.trim());
    if name.is_empty() || !plain(name) || !plain(group) {
        return Err(texts::ROSTER_NAME);
    }
    let email = accounts::clean_email(email).ok_or(texts::ROSTER_EMAIL)?;
    Ok(NewAccount { email, name: name.to_owned(), team: group.to_owned(), role: Role::Student })
}

/// The people of a roster with their lines, or its first bad lines. The columns may be separated
/// by commas or, as spreadsheets do in our languages, by semicolons.
pub fn read(text: &[u8]) -> Result<Vec<(u64, NewAccount)>, Vec<BadLine>> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    // The reader counts lines right only if they end with a single character.
    let text: Vec<u8> = text.iter().copied().filter(|byte| *byte != b'\r').collect();
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let count = |byte: u8| first.iter().filter(|other| **other == byte).count();
    let delimiter = if count(b';') > count(b',') { b';' } else { b',' };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .from_reader(text.as_slice());
    let (mut people, mut bad, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    for (number, record) in reader.records().enumerate() {
        if bad.len() >= MOST_BAD || people.len() > MOST_PEOPLE {
            break;
        }
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                bad.push(BadLine { line, text: texts::ROSTER_UNREADABLE, about: String::new() });
                continue;
            }
        };
        let line = record.position().map_or(0, csv::Position::line);
        let column = |k: usize| record.get(k).unwrap_or_default();
        let heading = number == 0 && !column(1).contains('@');
        if heading || record.iter().all(str::is_empty) {
            continue;
        }
        let mut refuse =
            |text: Text, about: &str| bad.push(BadLine { line, text, about: about.chars().take(80).collect() });
        match person(column(0), column(1), column(2)) {
            _ if !(2..=3).contains(&record.len()) => refuse(texts::ROSTER_COLUMNS, &record.len().to_string()),
            Ok(new) if !seen.insert(new.email.clone()) => refuse(texts::ROSTER_TWICE, &new.email),
            Ok(new) => people.push((line, new)),
            Err(text) => refuse(text, if text == texts::ROSTER_EMAIL { column(1) } else { column(0) }),
        }
    }
    if people.len() > MOST_PEOPLE {
        bad.push(BadLine { line: 1, text: texts::ROSTER_TOO_MANY, about: MOST_PEOPLE.to_string() });
    }
    if people.is_empty() && bad.is_empty() {
        bad.push(BadLine { line: 1, text: texts::ROSTER_EMPTY, about: String::new() });
    }
    if bad.is_empty() { Ok(people) } else { Err(bad) }
}

/// Those who were invited, with the token of their link.
pub type Invited = Vec<(NewAccount, String)>;

/// Adds everybody of a roster, or nobody.
pub async fn import(database: &Database, text: &[u8], language: Language) -> Result<Result<Invited, Vec<BadLine>>> {
    let people = match read(text) {
        Ok(people) => people,
        Err(bad) => return Ok(Err(bad)),
    };
    let mut tx = database.begin().await?;
    let (mut invited, mut bad) = (Vec::new(), Vec::new());
    for (line, new) in people {
        let known =
            sqlx::query("SELECT 1 FROM accounts WHERE email = $1").bind(&new.email).fetch_optional(&mut *tx).await?;
        if known.is_some() {
            bad.push(BadLine { line, text: texts::ROSTER_KNOWN_ABOUT, about: new.email });
            if bad.len() >= MOST_BAD {
                break;
            }
            continue;
        }
        let id = accounts::add(&mut tx, &new, language).await?;
        let token = accounts::make_link(&mut tx, id, Purpose::Invite).await?;
        invited.push((new, token));
    }
    if !bad.is_empty() {
        tx.rollback().await?;
        return Ok(Err(bad));
    }
    tx.commit().await?;
    Ok(Ok(invited))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(u64, &'static str)> {
        let bad = read(text.as_bytes()).unwrap_err();
        bad.iter().map(|line| (line.line, line.text.0[0])).collect()
    }

    #[test]
    fn rosters_of_spreadsheets_are_read() {
        let expected = [("Soler, Marta", "marta@upc.edu", "G1"), ("Pau", "pau@upc.edu", "")];
        for text in [
            "name,email,group\n\"Soler, Marta\",Marta@upc.edu ,G1\nPau,pau@upc.edu\n",
            "\u{feff}nom;correu;grup\r\nSoler, Marta;marta@upc.edu;G1\r\n\r\nPau;pau@upc.edu;\r\n",
            "\"Soler, Marta\",marta@upc.edu,G1\nPau,pau@upc.edu,\n",
        ] {
            let people = read(text.as_bytes()).unwrap();
            let found: Vec<_> = people.iter().map(|(_, one)| (&*one.name, &*one.email, &*one.team)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn every_bad_line_is_named() {
        let text = "name,email,group\nMarta,marta@upc.edu,G1\n,x@upc.edu,G1\nPau,pau at upc,G1\nAna,marta@UPC.edu,G2\na,b@c,d,e\n";
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let found = lines(&text);
            assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3, 4, 5, 6], "{found:?}");
        }
        assert_eq!(lines("Marta,marta@upc.edu\r\nPau,pau at upc\r\n"), [(2, texts::ROSTER_EMAIL.0[0])]);
        assert_eq!(lines(&"x\n".repeat(1_000_000)).len(), MOST_BAD);
        let crowd: String = (0..MOST_PEOPLE + 9).map(|k| format!("A,a{k}@upc.edu\n")).collect();
        assert_eq!(lines(&crowd), [(1, texts::ROSTER_TOO_MANY.0[0])]);
        assert_eq!(lines("")[0].1, texts::ROSTER_EMPTY.0[0]);
        assert_eq!(lines("name,email\n")[0].1, texts::ROSTER_EMPTY.0[0]);
    }
}
