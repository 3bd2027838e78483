//! A roster: a CSV file with a name, an e-mail address and a group per line.
//! It is taken whole or not at all.

mod sheet;

use std::collections::HashSet;

use anyhow::Result;

use crate::accounts::{self, LONGEST_FIELD, NewAccount, Purpose, Role};
use crate::database::Database;
use crate::log;
use crate::texts::Language;
use sheet::Columns;

/// What is wrong with a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadPerson {
    Name,
    Email,
}

/// What is wrong with a line, and with what of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadLine {
    Unreadable,
    /// There are so many columns.
    Columns(String),
    Person(BadPerson, String),
    Twice(String),
    /// Somebody has the address already.
    Known(String),
    /// The list has more people than this.
    TooMany(String),
    /// The list is empty.
    Nobody,
}

/// Lines that cannot be taken, counted from one.
pub type BadLines = Vec<(u64, BadLine)>;

const MOST_PEOPLE: usize = 5000;
/// Bad lines after which the rest is not read.
const MOST_BAD: usize = 50;

/// The address of somebody who will get letters there.
fn address(text: &str) -> Option<String> {
    accounts::clean_email(text).filter(|email| accounts::takes_letters(email))
}

/// A person of a roster, or what is wrong with the line.
pub fn person(name: &str, email: &str, group: &str) -> Result<NewAccount, BadPerson> {
    let plain = |text: &str| text.chars().count() <= LONGEST_FIELD && !text.chars().any(char::is_control);
    // Spreadsheets leave characters behind that nobody sees, and people could hide some.
    let visible =
        |text: &str| text.trim().replace(|c: char| !c.is_control() && !log::is_plain(c), "").trim().to_owned();
    let (name, group) = (visible(name), visible(group));
    if name.is_empty() || !plain(&name) || !plain(&group) {
        return Err(BadPerson::Name);
    }
    let email = address(email).ok_or(BadPerson::Email)?;
    Ok(NewAccount { email, name, team: group, role: Role::Student })
}

/// The people of a roster with their lines, or its first bad lines: what spreadsheets
/// write, in whatever encoding and with whatever separator (`roster/sheet.rs`).
pub fn read(text: &[u8]) -> Result<Vec<(u64, NewAccount)>, BadLines> {
    let (text, damaged) = sheet::decoded(text);
    let mut reader = sheet::reader(&text);
    let mut bad: BadLines = damaged.into_iter().take(MOST_BAD).map(|line| (line, BadLine::Unreadable)).collect();
    let (mut people, mut seen) = (Vec::new(), HashSet::new());
    let mut columns = Columns::usual();
    for (number, record) in reader.records().enumerate() {
        if bad.len() >= MOST_BAD || people.len() > MOST_PEOPLE {
            break;
        }
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                bad.push((line, BadLine::Unreadable));
                continue;
            }
        };
        let line = record.position().map_or(0, csv::Position::line);
        if record.iter().all(str::is_empty) || bad.iter().any(|(known, _)| *known == line) {
            continue;
        }
        if number == 0
            && let Some(found) = Columns::of_heading(&record)
        {
            columns = found;
            continue;
        }
        match columns.person(&record) {
            Ok(new) if !seen.insert(new.email.clone()) => bad.push((line, BadLine::Twice(shown(&new.email)))),
            Ok(new) => people.push((line, new)),
            Err(what) => bad.push((line, what)),
        }
    }
    if people.len() > MOST_PEOPLE {
        bad.push((1, BadLine::TooMany(MOST_PEOPLE.to_string())));
    }
    if people.is_empty() && bad.is_empty() {
        bad.push((1, BadLine::Nobody));
    }
    bad.sort_by_key(|(line, _)| *line);
    if bad.is_empty() { Ok(people) } else { Err(bad) }
}

/// What of a cell is repeated to whoever sent it.
fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Those who were invited, with the token of their link.
pub type Invited = Vec<(NewAccount, String)>;

/// What is done about people who have an account already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Their lines are bad.
    Refuse,
    /// They are left as they are: the whole list of a course comes again with some new lines.
    LeaveOut,
}

/// Adds everybody of a roster, or nobody.
pub async fn import(
    database: &Database,
    text: &[u8],
    language: Language,
    known: Known,
) -> Result<Result<Invited, BadLines>> {
    let people = match read(text) {
        Ok(people) => people,
        Err(bad) => return Ok(Err(bad)),
    };
    let mut tx = database.begin().await?;
    let (mut invited, mut bad) = (Vec::new(), Vec::new());
    for (line, new) in people {
        let found =
            sqlx::query("SELECT 1 FROM accounts WHERE email = $1").bind(&new.email).fetch_optional(&mut *tx).await?;
        if found.is_some() {
            if known == Known::Refuse {
                bad.push((line, BadLine::Known(new.email)));
            }
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
    use ludus_arena::spoil::{inputs, spoil};

    use super::*;

    fn lines(text: &str) -> BadLines {
        read(text.as_bytes()).unwrap_err()
    }

    #[test]
    fn rosters_of_spreadsheets_are_read() {
        let expected = [("Soler, Marta", "marta@upc.edu", "G1"), ("Pau", "pau@upc.edu", "")];
        for text in [
            "name,email,group\n\"Soler, Marta\",Marta@upc.edu ,G1\nPau,pau@upc.edu\n",
            "\u{feff}nom;correu;grup\r\nSoler, Marta;marta@upc.edu;G1\r\n\r\nPau;pau@upc.edu;\r\n",
            "\"Soler, Marta\",marta@upc.edu,G1\nPau,pau@upc.edu,\n",
            "Soler, Marta;marta@upc.edu;G1\nPau;pau@upc.edu\n",
            "sep=;\r\nNom;Correu;Grup\r\nSoler, Marta;marta@upc.edu;G1\r\nPau;pau@upc.edu;\r\n",
            "Soler, Marta\tmarta@upc.edu\tG1\nPau\tpau@upc.edu\n",
            "Soler, Marta;marta@upc.edu;G1;;;\nPau;pau@upc.edu;;;;\n",
            "name;email;group\rSoler, Marta;marta@upc.edu;G1\rPau;pau@upc.edu;\r",
        ] {
            let people = read(text.as_bytes()).unwrap();
            let found: Vec<_> = people.iter().map(|(_, one)| (&*one.name, &*one.email, &*one.team)).collect();
            assert_eq!(found, expected, "{text}");
            let wide: Vec<u8> =
                std::iter::once('\u{feff}').chain(text.chars()).flat_map(|c| (c as u16).to_le_bytes()).collect();
            assert_eq!(read(&wide).unwrap(), people, "as UTF-16");
        }
    }

    #[test]
    fn accents_survive_what_spreadsheets_do_to_them() {
        let text = "Nom;Correu;Grup\nNúria Peñarroya i Güell;nuria@upc.edu;Matí\nJosé O’Brien;jose@upc.edu;€1\n";
        let (latin, _, spoilt) = encoding_rs::WINDOWS_1252.encode(text);
        assert!(!spoilt && latin != text.as_bytes());
        let expected = read(text.as_bytes()).unwrap();
        assert_eq!(expected[0].1.name, "Núria Peñarroya i Güell");
        assert_eq!(read(&latin).unwrap(), expected);
        // A text that is UTF-8 but for one line is damaged there, and not in another encoding.
        let mut damaged = text.as_bytes().to_vec();
        damaged.extend_from_slice(b"Rub\xe9n;ruben@upc.edu;\n");
        assert_eq!(read(&damaged).unwrap_err(), [(4, BadLine::Unreadable)]);
    }

    #[test]
    fn headings_say_which_column_is_which() {
        let text =
            "Cognoms;Nom;DNI;Adreça electrònica;Grup\nSoler Vila;Marta;1;marta@upc.edu;G1\nPuig;Pau;2;pau@upc.edu\n";
        let found = read(text.as_bytes()).unwrap();
        let found: Vec<_> = found.iter().map(|(line, one)| (*line, &*one.name, &*one.email, &*one.team)).collect();
        assert_eq!(found, [(2, "Marta Soler Vila", "marta@upc.edu", "G1"), (3, "Pau Puig", "pau@upc.edu", "")]);
        let text = "E-mail,Name\nmarta@upc.edu,Marta\npau at upc,Pau\nx@upc.edu\n";
        assert_eq!(
            lines(text),
            [
                (3, BadLine::Person(BadPerson::Email, "pau at upc".to_owned())),
                (4, BadLine::Person(BadPerson::Name, String::new()))
            ]
        );
    }

    #[test]
    fn every_bad_line_is_named() {
        let text = "name,email,group\nMarta,marta@upc.edu,G1\n,x@upc.edu,G1\nPau,pau at upc,G1\nAna,marta@UPC.edu,G2\na,b@c,d,e\n";
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let found = lines(&text);
            assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3, 4, 5, 6], "{found:?}");
        }
        assert_eq!(
            lines("Marta,marta@upc.edu\r\nPau,pau at upc\r\n"),
            [(2, BadLine::Person(BadPerson::Email, "pau at upc".to_owned()))]
        );
        assert_eq!(lines(&"x\n".repeat(1_000_000)).len(), MOST_BAD);
        let crowd: String = (0..MOST_PEOPLE + 9).map(|k| format!("A,a{k}@upc.edu\n")).collect();
        assert_eq!(lines(&crowd), [(1, BadLine::TooMany(MOST_PEOPLE.to_string()))]);
        assert_eq!(lines("")[0].1, BadLine::Nobody);
        assert_eq!(lines("name,email\n")[0].1, BadLine::Nobody);
    }

    #[test]
    fn spoilt_rosters_are_taken_or_explained() {
        let text = "name;email;group\n\"Soler; Marta\";marta@upc.edu;G1\r\nPau;pau@upc.edu;\n\u{e9};a@b.c;G 2\n";
        let mut generator = ludus_games::Generator::new(3);
        let mut taken = 0;
        for _ in 0..inputs(5_000) {
            match read(&spoil(text.as_bytes(), &mut generator)) {
                Ok(people) => {
                    taken += 1;
                    assert!(!people.is_empty() && people.iter().all(|(line, _)| *line > 0));
                }
                Err(bad) => assert!(!bad.is_empty()),
            }
        }
        assert!(taken > 0, "some are still good");
    }
}
