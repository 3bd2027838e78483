//! The journal of a long run, from which it can go on after a crash.
//!
//! One line per match, written as soon as the match is over, in whatever order
//! they end; each begins with a checksum of the rest. The first line says which
//! run it is. A last line that was cut off is forgotten; anything else that
//! cannot be read is an error, and so is the journal of another run.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use ludus_arena::{Course, Played};
use ludus_games::{Digest, PerSeat};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How often what has been written is made to last a failure of the machine.
/// That of the process it survives anyway.
const SYNC: Duration = Duration::from_secs(1);

/// The longest line that is read.
const LONGEST_LINE: u64 = 1 << 16;

/// A match that is over.
pub struct Entry {
    pub played: Played,
    pub course: Option<Course>,
    /// Who took part, by number, where the number of the match does not tell it.
    pub seats: Option<PerSeat<usize>>,
}

pub struct Journal {
    path: PathBuf,
    file: Mutex<(File, Instant)>,
    /// Matches that are over though one before them is not.
    early: Mutex<BTreeMap<u64, Entry>>,
    /// The first match that is not over.
    pub next: u64,
}

#[derive(Serialize, Deserialize)]
struct Line {
    r#match: u64,
    scores: PerSeat<i64>,
    cpu: PerSeat<u32>,
    faults: PerSeat<Option<(u32, String)>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    course: Option<CourseLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seats: Option<PerSeat<usize>>,
}

#[derive(Serialize, Deserialize)]
struct CourseLine {
    scores: Vec<PerSeat<i64>>,
    cpu: Vec<PerSeat<u32>>,
}

impl Journal {
    /// Opens the journal of a run, or begins one. What is in it already goes
    /// to `deliver` in the order of the matches, as far as none is missing.
    pub fn open(path: &Path, run: &Value, deliver: impl FnMut(u64, Entry)) -> Result<Journal> {
        Journal::open_file(path, run, deliver).with_context(|| format!("the journal {}", path.display()))
    }

    fn open_file(path: &Path, run: &Value, deliver: impl FnMut(u64, Entry)) -> Result<Journal> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        if file.try_lock().is_err() {
            bail!("another process is writing to it");
        }
        let mut reading = Reading { lines: BufReader::new(&file), number: 0, good: 0 };
        match reading.next_line()? {
            Some(first) => check_run(&first, run)?,
            None if reading.number > 0 => bail!("it is no journal of a run"),
            None => {
                writeln!(file, "{}", with_checksum(&run.to_string()))?;
                file.sync_data()?;
                let file = Mutex::new((file, Instant::now()));
                return Ok(Journal { path: path.to_owned(), file, early: Mutex::default(), next: 0 });
            }
        }
        let (early, next) = reading.matches(deliver)?;
        let good = reading.good;
        file.set_len(good)?;
        file.seek(std::io::SeekFrom::End(0))?;
        let file = Mutex::new((file, Instant::now()));
        Ok(Journal { path: path.to_owned(), file, early: Mutex::new(early), next })
    }

    /// A match that was over before this process began.
    pub fn take(&self, number: u64) -> Option<Entry> {
        self.early.lock().unwrap_or_else(PoisonError::into_inner).remove(&number)
    }

    /// Writes down a match that is over.
    pub fn append(&self, number: u64, entry: &Entry) -> Result<()> {
        let line = Line {
            r#match: number,
            scores: entry.played.scores,
            cpu: entry.played.cpu,
            faults: entry.played.faults.clone(),
            course: entry.course.clone().map(|Course { scores, cpu }| CourseLine { scores, cpu }),
            seats: entry.seats,
        };
        let text = with_checksum(&serde_json::to_string(&line)?) + "\n";
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, synced) = &mut *file;
        let write = |file: &mut File, synced: &mut Instant| {
            file.write_all(text.as_bytes())?;
            if synced.elapsed() >= SYNC {
                file.sync_data()?;
                *synced = Instant::now();
            }
            std::io::Result::Ok(())
        };
        write(file, synced).with_context(|| format!("cannot write to the journal {}", self.path.display()))
    }
}

struct Reading<R> {
    lines: R,
    /// Lines read so far.
    number: u64,
    /// The length of what is known to be whole.
    good: u64,
}

impl<R: BufRead> Reading<R> {
    /// The next whole line, without its checksum; none at the end, or where
    /// the last line is cut off.
    fn next_line(&mut self) -> Result<Option<String>> {
        let mut line = Vec::new();
        let len = std::io::Read::take(&mut self.lines, LONGEST_LINE).read_until(b'\n', &mut line)?;
        if len == 0 {
            return Ok(None);
        }
        self.number += 1;
        if let Some(text) = without_checksum(&line) {
            self.good += len as u64;
            return Ok(Some(text.to_owned()));
        }
        if self.lines.fill_buf()?.is_empty() {
            return Ok(None);
        }
        bail!("line {} is damaged", self.number)
    }

    fn matches(&mut self, mut deliver: impl FnMut(u64, Entry)) -> Result<(BTreeMap<u64, Entry>, u64)> {
        let (mut early, mut next) = (BTreeMap::new(), 0);
        while let Some(text) = self.next_line()? {
            let line: Line = serde_json::from_str(&text).with_context(|| format!("line {}", self.number))?;
            let played = Played { scores: line.scores, cpu: line.cpu, faults: line.faults };
            let course = line.course.map(|CourseLine { scores, cpu }| Course { scores, cpu });
            if line.r#match >= next {
                early.insert(line.r#match, Entry { played, course, seats: line.seats });
            }
            while let Some(entry) = early.remove(&next) {
                deliver(next, entry);
                next += 1;
            }
        }
        Ok((early, next))
    }
}

fn checksum(text: &str) -> String {
    let mut digest = Digest::new();
    digest.bytes(text.as_bytes());
    format!("{:016x}", digest.finish())
}

fn with_checksum(text: &str) -> String {
    format!("{} {text}", checksum(text))
}

fn without_checksum(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (sum, text) = line.split_once(' ')?;
    (sum == checksum(text)).then_some(text)
}

/// An error that names what is different if the journal is of another run.
fn check_run(first: &str, run: &Value) -> Result<()> {
    let written: Value = serde_json::from_str(first)?;
    let (Some(there), Some(here)) = (written.as_object(), run.as_object()) else {
        bail!("it is no journal of a run");
    };
    for key in here.keys().chain(there.keys()) {
        let (there, here) = (there.get(key).unwrap_or(&Value::Null), here.get(key).unwrap_or(&Value::Null));
        if there != here {
            bail!("it is of another run: {key} is {there} there and {here} here");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: u64) -> Entry {
        let scores = [number as i64, -5, i64::MAX, 0];
        let mut faults = [const { None }; 4];
        if number.is_multiple_of(3) {
            faults[1] = Some((7, "crashed: \"unreachable\"\n\u{1f41c}".to_owned()));
        }
        let course = number.is_multiple_of(2).then(|| Course { scores: vec![scores; 3], cpu: vec![[1, 2, 3, 4]; 3] });
        let seats = number.is_multiple_of(5).then_some([3, 0, 7, 1]);
        Entry { played: Played { scores, cpu: [0, 1, 999_999_999, 1_000_000_000], faults }, course, seats }
    }

    fn file(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("ludus-journal-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    }

    fn open(path: &Path, run: &Value) -> Result<(Journal, Vec<u64>)> {
        let mut seen = Vec::new();
        let journal = Journal::open(path, run, |number, read| {
            let expected = entry(number);
            assert_eq!((&read.played, &read.course, read.seats), (&expected.played, &expected.course, expected.seats));
            seen.push(number);
        })?;
        Ok((journal, seen))
    }

    #[test]
    fn a_run_goes_on_wherever_it_was_cut_off() {
        let path = file("cut");
        let run = serde_json::json!({"game": "ants", "seeds": [1, 2]});
        let (journal, seen) = open(&path, &run).unwrap();
        assert!(seen.is_empty());
        for number in [0, 2, 1, 3, 6, 5] {
            journal.append(number, &entry(number)).unwrap();
        }
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let lines: Vec<usize> = (1..=whole.len()).filter(|&end| whole[end - 1] == b'\n').collect();
        let near_a_line = |end: &usize| lines.iter().any(|line| line.abs_diff(*end) <= 1);
        for end in (0..=whole.len()).rev().filter(|end| end.is_multiple_of(29) || near_a_line(end)) {
            std::fs::write(&path, &whole[..end]).unwrap();
            let kept = lines.iter().filter(|&&line| line <= end).count();
            if kept == 0 && end > 0 {
                assert!(open(&path, &run).is_err());
                continue;
            }
            let (journal, seen) = open(&path, &run).unwrap();
            let expected = [0, 0, 1, 1, 3, 4, 4, 4][kept];
            assert_eq!((journal.next, seen), (expected, (0..expected).collect()), "{end} bytes");
            assert_eq!(journal.take(6).is_some(), kept >= 6);
            assert!(journal.take(4).is_none());
            journal.append(4, &entry(4)).unwrap();
            drop(journal);
            assert!(std::fs::read(&path).unwrap().starts_with(&whole[..lines[..kept].last().copied().unwrap_or(0)]));
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn other_runs_and_damage_are_named() {
        let path = file("other");
        let run = serde_json::json!({"game": "ants", "seeds": [1, 2]});
        let (journal, _) = open(&path, &run).unwrap();
        (0..3).for_each(|number| journal.append(number, &entry(number)).unwrap());
        let check = |run: &Value, message: &str| {
            let error = format!("{:#}", open(&path, run).err().unwrap());
            assert!(error.contains(message), "{error}");
        };
        check(&run, "another process is writing to it");
        drop(journal);
        check(&serde_json::json!({"game": "ants", "seeds": [1, 3]}), "seeds is [1,2] there and [1,3] here");
        check(&serde_json::json!({"game": "ants", "seeds": [1, 2], "x": 1}), "x is null there and 1 here");
        let mut text = std::fs::read(&path).unwrap();
        let middle = text.iter().position(|&byte| byte == b'\n').unwrap() + 30;
        text[middle] ^= 1;
        std::fs::write(&path, text).unwrap();
        check(&run, "line 2 is damaged");
        std::fs::write(&path, "all kinds of things\nand more\n").unwrap();
        check(&run, "line 1 is damaged");
        std::fs::remove_file(&path).unwrap();
    }
}
