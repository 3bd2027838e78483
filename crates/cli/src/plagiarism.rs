//! `ludus plagiarism`: finds code that sources of different authors share.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, bail};
use ludus_plagiarism::{
    Collection, Corpus, DEFAULT_THRESHOLD, Language, MAX_BYTES, Match, Options, Report, Source, Templates,
};

use crate::behaviour;
use crate::output::{Format, Output, plain};

/// Find code that players of different authors share
#[derive(clap::Args)]
#[command(after_help = "\
Sources are the C++ and Rust files in the folders and below. The author of
FOLDER/AUTHOR/…/file is AUTHOR; that of FOLDER/AUTHOR-….cc is what stands before
the first dash. A table (--authors) says it otherwise: file,author,time.
What one author wrote is not compared with itself, and of the versions of two
authors the two most alike are shown. The example players and the SDK count for
nothing; neither does what --template names.

Examples:
  ludus plagiarism sources/                     a table of the pairs most alike
  ludus plagiarism sources/ --html report.html  side by side, to read and print
  ludus plagiarism sources/ --template starter.cc --threshold 0.3
  ludus plagiarism sources/ --corpus years.ludus-corpus    with earlier years too
  ludus plagiarism sources/ --format json       for a script
  ludus plagiarism sources/ --behaviour ants    and whether they decide alike
  ludus plagiarism Marta/ --same-author --threshold 0    versions of one author

Exit status: 0 nothing is as much alike as the threshold; 1 something is.")]
pub struct Args {
    /// Folders with sources, or sources
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// A source that everybody was given; may be repeated
    #[arg(long, value_name = "FILE")]
    template: Vec<PathBuf>,
    /// Who wrote what: a CSV table with the columns file, author and, if known, time
    #[arg(long, value_name = "FILE")]
    authors: Option<PathBuf>,
    /// Compare also with the sources of earlier years in this file, and add these to it
    #[arg(long, value_name = "FILE")]
    corpus: Option<PathBuf>,
    /// Compare with the corpus, but add nothing to it
    #[arg(long, requires = "corpus")]
    no_add: bool,
    /// The corpus keeps no names of files and people, and no comments
    #[arg(long, requires = "corpus")]
    anonymous: bool,
    /// Compare also what one author wrote
    #[arg(long)]
    same_author: bool,
    /// Leave out pairs that are less alike, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = DEFAULT_THRESHOLD)]
    threshold: f64,
    /// Also ask the players of the pairs most alike what they would do on the same states of this game
    #[arg(long, value_name = "GAME")]
    behaviour: Option<String>,
    /// How many pairs the table shows
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 30)]
    pairs: usize,
    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Write a page with the sources side by side
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the pairs as a CSV table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write all that was found as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    if !(0.0..=1.0).contains(&args.threshold) {
        bail!("--threshold must be from 0 to 1, got {}", args.threshold);
    }
    let game = args.behaviour.as_deref().map(crate::names::game).transpose()?;
    let (mut sources, files) = find_sources(&args.folders)?;
    if let Some(table) = &args.authors {
        tell_authors(&mut sources, table)?;
    }
    let templates = args.template.iter().map(|path| read(path, path, None)).collect::<Result<_>>()?;
    let failed = |path: &PathBuf| format!("cannot use the corpus {}", path.display());
    let corpus = match &args.corpus {
        Some(path) => Some((path, Corpus::open(path, args.anonymous).with_context(|| failed(path))?)),
        None => None,
    };
    let earlier = corpus.as_ref().map_or(Vec::new(), |(_, corpus)| corpus.languages());
    let is_used =
        |language: &Language| earlier.contains(language) || sources.iter().any(|source| source.language == *language);
    let languages: Vec<Language> = Language::ALL.into_iter().filter(is_used).collect();
    let templates = ludus_plagiarism::templates(&languages, templates);
    let options = Options { threshold: args.threshold, same_author: args.same_author };
    let collection = Collection::of(sources);
    let (collection, found) = match corpus {
        Some((path, corpus)) => {
            with_corpus(args, path, corpus, collection, &templates, options).with_context(|| failed(path))?
        }
        None => {
            let found = collection.compare(&templates, options);
            (collection, found)
        }
    };
    let mut report = Report::new(&collection, &found, options);
    if let Some(game) = game.filter(|_| !report.pairs.is_empty()) {
        behaviour::look(&mut report, game, &files)?;
    }
    write_files(args, &report)?;
    print(args, &report)?;
    Ok(if report.pairs.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Compares with the sources of earlier years, and adds the new ones.
fn with_corpus(
    args: &Args,
    path: &Path,
    mut corpus: Corpus,
    collection: Collection,
    templates: &Templates,
    options: Options,
) -> Result<(Collection, Vec<Match>)> {
    let fresh = collection.sources.len();
    let (all, found) = corpus.compare(collection, templates, options)?;
    if !args.no_add {
        corpus.add(&all, fresh)?;
        eprintln!("{}: {} sources", path.display(), corpus.len());
    }
    Ok((all, found))
}

fn write_files(args: &Args, report: &Report) -> Result<()> {
    let write = |path: &Option<PathBuf>, text: fn(&Report) -> String| {
        let Some(path) = path else { return Ok(()) };
        let mut output = Output::create(path)?;
        output.write(text(report).as_bytes())?;
        output.finish()
    };
    write(&args.html, Report::html)?;
    write(&args.csv, Report::csv)?;
    write(&args.json, Report::json)?;
    Ok(())
}

fn print(args: &Args, report: &Report) -> Result<()> {
    let mut out = std::io::stdout().lock();
    if args.format == Format::Json {
        write!(out, "{}", report.json())?;
        return Ok(());
    }
    for refused in &report.refused {
        eprintln!("{}: not compared: {}", plain(&refused.name), refused.reason);
    }
    for line in report.table(args.pairs).lines() {
        writeln!(out, "{}", plain(line))?;
    }
    let asked = behaviour::table(report);
    if !asked.is_empty() {
        write!(out, "\n{asked}\n")?;
    }
    let authors: std::collections::BTreeSet<&str> =
        report.sources.iter().map(|source| source.author.as_str()).collect();
    writeln!(
        out,
        "{} sources by {} authors; pairs at least {:.0} % alike: {}",
        report.sources.len(),
        authors.len(),
        100.0 * report.threshold,
        report.pairs.len()
    )?;
    Ok(())
}

/// The sources in folders and below, by name, and their files.
fn find_sources(folders: &[PathBuf]) -> Result<(Vec<Source>, BTreeMap<String, PathBuf>)> {
    let mut sources = Vec::new();
    for folder in folders {
        let before = sources.len();
        if folder.is_dir() {
            let mut files = Vec::new();
            search(folder, &mut files)?;
            files.sort();
            for file in files {
                let below = file.strip_prefix(folder).unwrap_or(&file);
                sources.push(read(&file, &file, Some(below))?);
            }
        } else {
            sources.push(read(folder, folder, None)?);
        }
        if sources.len() == before {
            bail!("{}: there is no C++ or Rust source here", folder.display());
        }
    }
    let files: Vec<PathBuf> = sources.iter().map(|source| PathBuf::from(&source.name)).collect();
    shorten(&mut sources);
    let files = sources.iter().map(|source| source.name.clone()).zip(files).collect();
    Ok((sources, files))
}

/// Takes away the folders that all names begin with.
fn shorten(sources: &mut [Source]) {
    let Some(first) = sources.first() else { return };
    let mut shared = first.name.rfind('/').map_or(0, |end| end + 1);
    for source in sources.iter() {
        while !source.name.starts_with(&first.name[..shared]) {
            shared = first.name[..shared - 1].rfind('/').map_or(0, |end| end + 1);
        }
    }
    for source in sources {
        source.name.drain(..shared);
    }
}

fn search(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
        // Links are not followed: they may lead in circles or out of the folder.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            search(&entry.path(), files)?;
        } else if kind.is_file() && Language::of_file(&entry.file_name().to_string_lossy()).is_some() {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// A source; one that is too long is read as far as it takes to be refused.
fn read(path: &Path, name: &Path, below: Option<&Path>) -> Result<Source> {
    use std::io::Read as _;
    let failed = || format!("cannot read {}", path.display());
    let file = std::fs::File::open(path).with_context(failed)?;
    let time = file.metadata().ok().and_then(|data| data.modified().ok());
    let mut text = Vec::new();
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut text).with_context(failed)?;
    let name = name.to_string_lossy().into_owned();
    let Some(language) = Language::of_file(&name) else {
        bail!("{name}: sources are C++ (.cc, .cpp, .hh, .h) or Rust (.rs)");
    };
    let below =
        below.or(path.file_name().map(Path::new)).map_or(name.clone(), |path| path.to_string_lossy().into_owned());
    Ok(Source {
        author: ludus_plagiarism::author_of(&below).to_owned(),
        name,
        language,
        text,
        time: time.and_then(|time| Some(time.duration_since(UNIX_EPOCH).ok()?.as_secs() as i64)),
    })
}

/// What a table says about files takes the place of what their paths say.
fn tell_authors(sources: &mut [Source], table: &Path) -> Result<()> {
    let failed = || format!("cannot read {}", table.display());
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_path(table).with_context(failed)?;
    let head = reader.headers().with_context(failed)?.clone();
    let column = |name: &str| head.iter().position(|word| word == name);
    let (Some(file), Some(author)) = (column("file"), column("author")) else {
        bail!("{}: the first line must name the columns file and author", table.display());
    };
    let mut rows = BTreeMap::new();
    for row in reader.records() {
        let row = row.with_context(failed)?;
        let word = |at: Option<usize>| at.and_then(|at| row.get(at)).unwrap_or_default().to_owned();
        let time = word(column("time"));
        let seconds = if time.is_empty() {
            None
        } else {
            Some(
                time.parse::<i64>()
                    .with_context(|| format!("{}: time {time} is no number of seconds", table.display()))?,
            )
        };
        rows.insert(word(Some(file)), (word(Some(author)), seconds));
    }
    for source in sources {
        let path = Path::new(&source.name);
        let found = rows.iter().find(|(file, _)| path.ends_with(file));
        if let Some((_, (author, time))) = found {
            source.author.clone_from(author);
            source.time = time.or(source.time);
        }
    }
    Ok(())
}
