//! What spreadsheets write: the encoding, the separator and the columns are found
//! out, since nobody who exports a list has chosen them.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::{BadLine, BadPerson, address, person, shown};
use crate::accounts::NewAccount;

/// A file as text with single line ends, and the lines that are damaged, from one.
///
/// Without a mark it is UTF-8, or Windows-1252 (of which Latin-1 is a part) if that
/// is impossible. A file with accents in UTF-8 and something else beside them is
/// neither: what cannot be read of it is damaged, and nobody's name is guessed at.
pub fn decoded(bytes: &[u8]) -> (String, Vec<u64>) {
    let marked: [(&[u8], &'static Encoding); 2] = [(b"\xff\xfe", UTF_16LE), (b"\xfe\xff", UTF_16BE)];
    for (mark, encoding) in marked {
        if let Some(rest) = bytes.strip_prefix(mark) {
            return (with_line_ends(&encoding.decode_without_bom_handling(rest).0), Vec::new());
        }
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (with_line_ends(text), Vec::new());
    }
    let lines = || bytes.split(|byte| *byte == b'\n').map(|line| (line, std::str::from_utf8(line)));
    if lines().any(|(line, text)| !line.is_ascii() && text.is_ok()) {
        let damaged = (1..).zip(lines()).filter(|(_, (_, text))| text.is_err()).map(|(number, _)| number);
        return (with_line_ends(&String::from_utf8_lossy(bytes)), damaged.collect());
    }
    (with_line_ends(&WINDOWS_1252.decode_without_bom_handling(bytes).0), Vec::new())
}

/// The reader of CSV counts lines right only if they end with a single character.
fn with_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Records that are looked at to find the separator.
const LOOKED_AT: usize = 20;

/// A reader of the records of a text.
pub fn reader(text: &str) -> csv::Reader<&[u8]> {
    let with = |delimiter: u8, text| {
        csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .trim(csv::Trim::All)
            .from_reader(text)
    };
    // Excel says so itself, in a line that counts as one.
    if let Some(rest) = text.strip_prefix("sep=")
        && let [delimiter @ (b';' | b',' | b'\t'), b'\n', ..] = rest.as_bytes()
    {
        return with(*delimiter, &text.as_bytes()[5..]);
    }
    let addresses = |delimiter: u8| {
        let mut reader = with(delimiter, text.as_bytes());
        let records = reader.records().take(LOOKED_AT).filter_map(Result::ok);
        records.filter(|record| record.iter().any(|cell| address(cell).is_some())).count()
    };
    // Of equals the last one is taken, and a comma is what the format is called after.
    let delimiter = [b'\t', b';', b','].into_iter().max_by_key(|delimiter| addresses(*delimiter));
    with(delimiter.unwrap_or(b','), text.as_bytes())
}

/// Where in a record everything is.
#[derive(Clone, Debug)]
pub struct Columns {
    name: usize,
    surname: Option<usize>,
    email: usize,
    group: Option<usize>,
    /// Columns that a record may have, and how many it needs.
    most: usize,
    least: usize,
}

/// What columns are called in the lists of universities, in small letters.
const NAMES: [&str; 9] =
    ["name", "nom", "nombre", "first name", "full name", "student", "estudiant", "estudiante", "alumne"];
const SURNAMES: [&str; 8] =
    ["surname", "surnames", "last name", "family name", "cognom", "cognoms", "apellido", "apellidos"];
const GROUPS: [&str; 6] = ["group", "grup", "grupo", "team", "equip", "equipo"];

impl Columns {
    pub fn usual() -> Columns {
        Columns { name: 0, surname: None, email: 1, group: Some(2), most: 3, least: 2 }
    }

    /// The columns that a first line names. A line with an address is somebody's;
    /// words that are not known leave the usual order.
    pub fn of_heading(record: &csv::StringRecord) -> Option<Columns> {
        if record.iter().any(|cell| cell.contains('@')) {
            return None;
        }
        let cells: Vec<String> = record.iter().map(str::to_lowercase).collect();
        let find = |words: &[&str]| cells.iter().position(|cell| words.contains(&cell.as_str()));
        let email =
            cells.iter().position(|cell| cell.contains("mail") || cell.contains("corre") || cell.contains("adre"));
        let (Some(name), Some(email)) = (find(&NAMES), email) else {
            // One word is no heading but a mistake.
            return (record.len() >= 2).then(Columns::usual);
        };
        let (surname, group) = (find(&SURNAMES), find(&GROUPS));
        Some(Columns { name, surname, email, group, most: cells.len(), least: 1 })
    }

    /// The person of a record. Cells that are empty at its end do not count.
    pub fn person(&self, record: &csv::StringRecord) -> Result<NewAccount, BadLine> {
        let cell = |at: usize| record.get(at).unwrap_or_default();
        let filled = |at: &usize| !cell(*at).is_empty();
        let count = (0..record.len()).rev().find(filled).map_or(0, |last| last + 1);
        if !(self.least..=self.most).contains(&count) {
            return Err(BadLine::Columns(count.to_string()));
        }
        let name = match self.surname {
            Some(surname) => format!("{} {}", cell(self.name), cell(surname)),
            None => cell(self.name).to_owned(),
        };
        person(&name, cell(self.email), self.group.map_or("", cell)).map_err(|bad| {
            let about = if bad == BadPerson::Name { &name } else { cell(self.email) };
            BadLine::Person(bad, shown(about.trim()))
        })
    }
}
