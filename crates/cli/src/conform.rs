//! `ludus conform`: plays recorded cases again and compares every byte.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use ludus_arena::{Halt, Match, Observer};
use ludus_games::game::CaseFile;
use ludus_games::record::{Header, RecordWriter};
use ludus_games::tokens::show;
use ludus_games::{Game, PerSeat};

use crate::case::{self, CONFIG, FACTS, Facts, ORDERS, OrdersReader, RECORD};

/// Play recorded cases again and compare every byte
#[derive(clap::Args)]
#[command(after_help = "\
A case is a folder with case.json, input.cnf, orders.txt.gz, expected.res.gz and
whatever further files its game documents. Folders of cases are searched too.
The last line says how many cases are identical; the exit status is 0 only if
all are, and 2 if there is no such folder.

Examples:
  ludus conform ../shared/conformance/ants
  ludus conform golden")]
pub struct Args {
    /// Cases, or folders of cases
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let (mut identical, mut all) = (0, 0);
    for folder in &args.folders {
        if !folder.is_dir() {
            bail!("there is no folder {}", folder.display());
        }
    }
    for folder in &args.folders {
        for case in find_cases(folder) {
            all += 1;
            match case.as_deref().map_err(|error| anyhow!("{error:#}")).and_then(check) {
                Ok(()) => identical += 1,
                Err(error) => writeln!(out, "{}: {error:#}", case.as_deref().unwrap_or(folder).display())?,
            }
        }
    }
    writeln!(out, "{identical}/{all} identical")?;
    Ok(if identical == all { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The cases in a folder and below. A folder without any is one that cannot be read.
fn find_cases(folder: &Path) -> Vec<Result<PathBuf>> {
    let mut cases = Vec::new();
    if let Err(error) = search(folder, &mut cases) {
        return vec![Err(error)];
    }
    if cases.is_empty() {
        return vec![Err(anyhow!("there is no case here: no {FACTS}"))];
    }
    cases.into_iter().map(Ok).collect()
}

fn search(folder: &Path, cases: &mut Vec<PathBuf>) -> Result<()> {
    if [FACTS, CONFIG, ORDERS, RECORD].iter().any(|name| folder.join(name).exists()) {
        cases.push(folder.to_owned());
        return Ok(());
    }
    let entries = std::fs::read_dir(folder).context("cannot read the folder")?;
    let mut entries = entries.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        if entry.file_type()?.is_dir() {
            search(&entry.path(), cases)?;
        }
    }
    Ok(())
}

/// Plays a case again; an error says what cannot be read or where it differs.
fn check(folder: &Path) -> Result<()> {
    let facts: Facts =
        serde_json::from_slice(&case::read_file(folder, FACTS)?).with_context(|| format!("cannot read {FACTS}"))?;
    let game = crate::names::game(&facts.game)?;
    let config = game.read_config(&case::read_file(folder, CONFIG)?).context(CONFIG)?;
    let recorded_orders = case::read_file(folder, ORDERS)?;
    let expected = case::read_file(folder, RECORD)?;
    let header = Header { judged: false, seed: facts.seed, names: facts.names };
    let mut files = further_files(folder, game, &header.names)?;
    let mut record = Rewritten { file: RECORD.to_owned(), expected, found: Vec::new(), of: Rewrite::Record(None) };
    let engine = config.start(header.seed).context(CONFIG)?;
    let orders = OrdersReader::new(&recorded_orders, game);
    let mut observers: Vec<&mut dyn Observer<OrdersReader<'_>, Failed>> = vec![&mut record];
    observers.extend(files.iter_mut().map(|file| file as _));
    Match::from_source(engine, header, orders).run(&mut observers).map_err(|Failed(error)| error)?;
    record.compare()?;
    files.iter().try_for_each(Rewritten::compare)
}

/// Why a case cannot be played to its end.
struct Failed(anyhow::Error);

impl From<Halt<anyhow::Error>> for Failed {
    fn from(halt: Halt<anyhow::Error>) -> Failed {
        Failed(match halt {
            Halt::Stuck { error, .. } => error.into(),
            Halt::NoOrders(error) => error,
        })
    }
}

/// A file of the case, written again while the match is played.
struct Rewritten {
    file: String,
    expected: Vec<u8>,
    found: Vec<u8>,
    of: Rewrite,
}

enum Rewrite {
    Record(Option<Box<dyn RecordWriter>>),
    Further(Box<dyn CaseFile>),
}

impl<S, E> Observer<S, E> for Rewritten {
    fn begin(&mut self, played: &Match<S>) -> Result<(), E> {
        match &mut self.of {
            Rewrite::Record(writer) => *writer = Some(played.begin_record(&mut self.found)),
            Rewrite::Further(file) => file.write(played.engine(), &mut self.found),
        }
        Ok(())
    }

    fn round(&mut self, played: &mut Match<S>) -> Result<(), E> {
        match &mut self.of {
            Rewrite::Record(writer) => {
                let writer = writer.as_deref_mut().expect("a match begins before its first round");
                played.write_round(writer, &mut self.found);
            }
            Rewrite::Further(file) => file.write(played.engine(), &mut self.found),
        }
        Ok(())
    }
}

impl Rewritten {
    fn compare(&self) -> Result<()> {
        compare(&self.file, &self.expected, &self.found)
    }
}

/// The files of the case that only its game knows.
fn further_files(folder: &Path, game: &dyn Game, names: &PerSeat<String>) -> Result<Vec<Rewritten>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        if !file.ends_with(".gz") || file == ORDERS || file == RECORD {
            continue;
        }
        let expected = case::read_file(folder, &file)?;
        match game.case_file(&file, &expected, names) {
            Some(of) => files.push(Rewritten { file, expected, found: Vec::new(), of: Rewrite::Further(of) }),
            None => bail!("{file} is no file that {} knows how to check", game.about().id),
        }
    }
    Ok(files)
}

/// An error with the first line that differs, as both sides have it.
fn compare(file: &str, expected: &[u8], found: &[u8]) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    let at = expected.iter().zip(found).position(|(a, b)| a != b).unwrap_or(expected.len().min(found.len()));
    let line = expected[..at].iter().filter(|&&c| c == b'\n').count() + 1;
    bail!("{file} line {line}: expected {}, found {}", line_around(expected, at), line_around(found, at));
}

/// The line with the byte at `at`, ready for a message.
fn line_around(text: &[u8], at: usize) -> String {
    let start = text[..at].iter().rposition(|&c| c == b'\n').map_or(0, |n| n + 1);
    if start == text.len() {
        return "the end of the file".to_owned();
    }
    let end = text[start..].iter().position(|&c| c == b'\n').map_or(text.len(), |n| start + n);
    // A long line is shown from a little before the difference.
    let from = if at - start > 16 { at - 8 } else { start };
    show(&text[from..end])
}
