//! Reading and comparing sources that strangers wrote, in a process of its own.
//!
//! A parser of programs may take long and much memory for a source that was made
//! to that end, and it is written in C. So the judge starts its own program again,
//! in the jail of the compilers, where it sees the sources and nothing else, and
//! lets it have so much CPU and memory. Whatever becomes of it, nothing else in the
//! judge notices.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use anyhow::{Context as _, Result, anyhow, bail};
use ludus_plagiarism::{
    Analysed, Language, Options, Report, Run, Sketch, Source, Tallies, Templates, compare_new, templates,
};
use ludus_sandbox::OwnProgram;
use ludus_sandbox::build::{Bounds, Jail, private_temporary, which};
use ludus_sandbox::letter::{Reader, Writer};
use ludus_sandbox::{giving_way, own_program};

/// The argument with which the judge's program is started to read sources.
pub const READ: &str = "read-sources";

/// What the process may take. Honest sources take a hundredth of it.
const BOUNDS: Bounds = Bounds { cpu_seconds: 20, wall_seconds: 300, memory: 1 << 30, file: 64 << 20, processes: 16 };

/// What came of asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<T> {
    Answer(T),
    /// It cannot be read, or takes more than it may: the reason, for instructors.
    Refused(String),
}

/// A pair of sources that share code: the first is the new one.
#[derive(Clone, Debug, PartialEq)]
pub struct Alike {
    /// The place of the other among the old ones.
    pub other: usize,
    /// In millionths.
    pub similarity: i64,
    pub shares: [i64; 2],
    pub longest: i64,
    pub is_across: bool,
    pub runs: Vec<Run>,
}

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Says which file the judge's program is, so that it can be started again.
pub fn set_program(program: PathBuf) {
    // Whoever says it twice says the same.
    let _ = PROGRAM.set(program);
}

/// The judge's program in the jail, or with its limits alone on a machine whose
/// compilers and players are elsewhere and on which no jail is installed. One that
/// does not work at the moment is trouble, and no reason to go without.
pub fn jailed(program: PathBuf, cache: PathBuf) -> OwnProgram {
    let jail = if which("bwrap").is_some() { Jail::Bubblewrap } else { Jail::None };
    OwnProgram { program, jail, cache }
}

/// Lets the judge's program answer a letter, or this process where that is not
/// known, as in tests about everything else.
pub fn answer_of_own(letter: &[u8]) -> Result<Outcome<Vec<u8>>> {
    match PROGRAM.get() {
        Some(program) => ask(&jailed(program.clone(), private_temporary()), letter),
        None => answer(letter).map(Outcome::Answer),
    }
}

/// One at a time: each may take all the memory that it is given.
static TURN: Mutex<()> = Mutex::new(());

/// Lets a process of its own answer a letter. An error is trouble of the machine.
pub fn ask(program: &OwnProgram, letter: &[u8]) -> Result<Outcome<Vec<u8>>> {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    match giving_way(|| program.run(READ, letter, &BOUNDS)).context("sources cannot be read")? {
        own_program::Outcome::Output(answer) => Ok(Outcome::Answer(answer)),
        own_program::Outcome::TooMuch(what) => {
            Ok(Outcome::Refused(format!("to read and compare it takes more than {what}")))
        }
        own_program::Outcome::Failed(status, _) => bail!("a process that reads sources ended with {status}"),
    }
}

/// The whole work of a program that was started with [`READ`].
pub fn main() -> ExitCode {
    ludus_plagiarism::use_one_thread();
    let answered = own_program::input().map_err(anyhow::Error::from).and_then(|letter| answer(&letter));
    let sent = answered.and_then(|answer| Ok(own_program::give(&answer)?));
    if sent.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A letter that asks for the sketch of a source.
pub fn ask_for_sketch(source: &Source) -> Vec<u8> {
    let mut letter = Writer::new("sketch");
    write_source(&mut letter, source);
    letter.done()
}

/// A letter that asks what a corpus keeps of a source.
fn ask_for_units(source: &Source) -> Vec<u8> {
    let mut letter = Writer::new("units");
    write_source(&mut letter, source);
    letter.done()
}

/// What a corpus keeps of a source, read in a process of its own.
pub fn units_of(source: &Source) -> Result<Outcome<Analysed>> {
    let answer = match answer_of_own(&ask_for_units(source))? {
        Outcome::Answer(answer) => answer,
        Outcome::Refused(why) => return Ok(Outcome::Refused(why)),
    };
    if let Some(outcome) = read_refusal(&answer) {
        return Ok(outcome);
    }
    let units = Reader::of("units", &answer).and_then(|mut letter| Analysed::from_bytes(&letter.bytes()?, source));
    units.map(Outcome::Answer).ok_or_else(|| anyhow!("what was read of a source cannot be read"))
}

/// A letter that asks what a new source shares with old ones.
pub fn ask_to_compare<'a>(new: &Source, tallies: &Tallies, old: impl Iterator<Item = &'a Source>) -> Vec<u8> {
    let mut letter = Writer::new("compare");
    letter.bytes(&tallies.to_bytes());
    write_source(&mut letter, new);
    old.for_each(|source| write_source(&mut letter, source));
    letter.done()
}

fn write_source(letter: &mut Writer, source: &Source) {
    letter.text(&source.name);
    letter.text(&source.author);
    letter.number(i64::from(source.language == Language::Rust));
    letter.bytes(&source.text);
    letter.number(source.time.unwrap_or(i64::MIN));
}

fn read_source(letter: &mut Reader<'_>) -> Option<Source> {
    Some(Source {
        name: letter.text()?,
        author: letter.text()?,
        language: if letter.number()? == 1 { Language::Rust } else { Language::Cpp },
        text: letter.bytes()?,
        time: Some(letter.number()?).filter(|time| *time != i64::MIN),
    })
}

/// Does what a letter asks for.
fn answer(letter: &[u8]) -> Result<Vec<u8>> {
    let asked = || anyhow!("what is to be read cannot be read");
    if let Some(mut letter) = Reader::of("sketch", letter) {
        let source = read_source(&mut letter).ok_or_else(asked)?;
        return Ok(on_a_large_stack(|| sketch(&source)));
    }
    if let Some(mut letter) = Reader::of("units", letter) {
        let source = read_source(&mut letter).ok_or_else(asked)?;
        return Ok(on_a_large_stack(|| units(&source)));
    }
    let mut letter = Reader::of("compare", letter).ok_or_else(asked)?;
    let tallies = letter.bytes().and_then(|bytes| Tallies::read(&bytes)).ok_or_else(asked)?;
    let new = read_source(&mut letter).ok_or_else(asked)?;
    let mut old = Vec::new();
    while !letter.is_over() {
        old.push(read_source(&mut letter).ok_or_else(asked)?);
    }
    Ok(on_a_large_stack(|| compared(new, &tallies, old)))
}

/// Trees are walked by functions that call themselves.
fn on_a_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let started = std::thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, work);
        let ended = started.expect("a machine that compares sources can start a thread").join();
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn refused(why: &ludus_plagiarism::Refused) -> Vec<u8> {
    let mut letter = Writer::new("refused");
    letter.text(&why.to_string());
    letter.done()
}

fn sketch(source: &Source) -> Vec<u8> {
    match Analysed::of(&source.text, source.language) {
        Ok(analysed) => {
            let mut letter = Writer::new("sketch");
            letter.bytes(&Sketch::of(&analysed).to_bytes());
            letter.done()
        }
        Err(why) => refused(&why),
    }
}

fn units(source: &Source) -> Vec<u8> {
    match Analysed::of(&source.text, source.language) {
        Ok(analysed) => {
            let mut letter = Writer::new("units");
            letter.bytes(&analysed.to_bytes());
            letter.done()
        }
        Err(why) => refused(&why),
    }
}

/// What comes with every game and is nobody's.
fn given() -> &'static Templates {
    static GIVEN: LazyLock<Templates> = LazyLock::new(|| templates(&Language::ALL, Vec::new()));
    &GIVEN
}

fn compared(new: Source, tallies: &Tallies, old: Vec<Source>) -> Vec<u8> {
    // By their places, because those that are refused are left out.
    let numbered = old.into_iter().enumerate().map(|(at, source)| Source { name: at.to_string(), ..source });
    let (all, found) = match compare_new(new, tallies, numbered.collect(), given(), Options::default()) {
        Ok(found) => found,
        Err(why) => return refused(&why),
    };
    let report = Report::new(&all, &found, Options::default());
    let millionths = |share: f64| (share * 1e6).round() as i64;
    let mut letter = Writer::new("compared");
    for (found, told) in found.iter().zip(&report.pairs) {
        letter.text(&all.sources[found.b].name);
        for share in [found.similarity, found.share_a, found.share_b] {
            letter.number(millionths(share));
        }
        letter.number(i64::from(told.longest));
        letter.number(i64::from(found.is_across));
        letter.text(&Run::evidence(&told.runs));
    }
    letter.done()
}

/// What an answer about a sketch says.
pub fn read_sketch(answer: &[u8]) -> Result<Outcome<Sketch>> {
    if let Some(outcome) = read_refusal(answer) {
        return Ok(outcome);
    }
    let sketch = Reader::of("sketch", answer).and_then(|mut letter| Sketch::read(&letter.bytes()?));
    sketch.map(Outcome::Answer).ok_or_else(|| anyhow!("the sketch of a source cannot be read"))
}

/// What an answer about a comparison says.
pub fn read_compared(answer: &[u8]) -> Result<Outcome<Vec<Alike>>> {
    if let Some(outcome) = read_refusal(answer) {
        return Ok(outcome);
    }
    let unreadable = || anyhow!("what sources share cannot be read");
    let mut letter = Reader::of("compared", answer).ok_or_else(unreadable)?;
    let mut found = Vec::new();
    while !letter.is_over() {
        found.push(read_alike(&mut letter).ok_or_else(unreadable)?);
    }
    Ok(Outcome::Answer(found))
}

fn read_refusal<T>(answer: &[u8]) -> Option<Outcome<T>> {
    Reader::of("refused", answer)?.text().map(Outcome::Refused)
}

fn read_alike(letter: &mut Reader<'_>) -> Option<Alike> {
    Some(Alike {
        other: letter.text()?.parse().ok()?,
        similarity: letter.number()?,
        shares: [letter.number()?, letter.number()?],
        longest: letter.number()?,
        is_across: letter.number()? == 1,
        runs: Run::of_evidence(&letter.text()?),
    })
}
