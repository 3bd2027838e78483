//! What is done from the terminal: accounts, for when nobody can sign in; backups;
//! what is stored of a person or a course, exported or deleted.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use crate::accounts::{self, Account, NewAccount, Purpose, Role};
use crate::backup::{self, Progress, Source, Target};
use crate::command::Places;
use crate::database::Database;
use crate::ids::{AccountId, SeasonId};
use crate::likeness::corpus;
use crate::remote::broker;
use crate::remote::enrolment::{self, Scope};
use crate::texts::Language;
use crate::{course, export, log, removal, seasons};

#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    places: Places,
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Add somebody and print the link with which they choose a password
    Add {
        email: String,
        name: String,
        #[arg(long, value_enum, default_value_t = RoleName::Instructor)]
        role: RoleName,
    },
    /// Print a new link with which somebody chooses a password
    Link { email: String },
    /// Lock an account and end its sessions
    Lock { email: String },
    /// Unlock an account
    Unlock { email: String },
    /// Write the whole course into one file, while the judge runs
    Backup { file: PathBuf },
    /// Read a backup to its end and compare every hash
    CheckBackup { file: PathBuf },
    /// Bring a backup back, into an empty place
    Restore { file: PathBuf },
    /// Make a worker on another machine, for an account, and print its token, which is shown once
    AddWorker {
        name: String,
        email: String,
        /// play, compile (plays, too) or volunteer (the ladder and training only)
        #[arg(long, default_value = "play")]
        scope: String,
    },
    /// Print the users that the NATS server must know, as a part of its configuration
    NatsUsers,
    /// Write everything that is stored about a person into one file
    ExportPerson { email: String, file: PathBuf },
    /// Delete a person for good; official results stay, without the name
    DeletePerson {
        email: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Compare players also with the sources of earlier years in a file of `ludus plagiarism`
    ImportCorpus {
        file: PathBuf,
        /// The file has no names
        #[arg(long)]
        anonymous: bool,
    },
    /// Add the sources of all accepted players to a file of `ludus plagiarism`
    ExportCorpus {
        file: PathBuf,
        /// Without names of people and players, and without comments
        #[arg(long)]
        anonymous: bool,
    },
    /// Write everything that belongs to seasons into one file; all of them if none is named
    ExportCourse { file: PathBuf, seasons: Vec<String> },
    /// Delete seasons and all that belongs to them, for good
    DeleteCourse {
        #[arg(required = true)]
        seasons: Vec<String>,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum RoleName {
    Student,
    Instructor,
    Spectator,
}

pub async fn run(args: Args) -> Result<()> {
    let places = &args.places;
    match &args.task {
        Task::Backup { file } => return back_up(places, file).await,
        Task::CheckBackup { file } => return check(file),
        Task::Restore { file } => return restore(places, file).await,
        _ => {}
    }
    let database = places.database().await?;
    course::ensure(&database, "Ludus").await?;
    match args.task {
        Task::Add { email, name, role } => add(&database, &email, &name, role).await,
        Task::Link { email } => {
            let account = find(&database, &email).await?;
            print_link(&database, account.id, Purpose::Reset).await
        }
        Task::Lock { email } => lock(&database, &email, true).await,
        Task::Unlock { email } => lock(&database, &email, false).await,
        Task::AddWorker { name, email, scope } => add_worker(&database, &name, &email, &scope).await,
        Task::NatsUsers => {
            let key = broker::judge_key(&args.places.folder()?)?;
            print!("{}", broker::users(&key.public, &enrolment::admitted(&database).await?));
            Ok(())
        }
        Task::ExportPerson { email, file } => {
            let account = find(&database, &email).await?;
            let bytes = export::person(&database, &args.places.store()?, account.id, &file).await?;
            println!("{} has all that is stored about {}: {bytes} bytes", file.display(), account.email);
            Ok(())
        }
        Task::ImportCorpus { file, anonymous } => {
            let (all, added) = corpus::import(&database, &file, anonymous).await?;
            println!("{} has {all} sources, {added} of them new here", file.display());
            Ok(())
        }
        Task::ExportCorpus { file, anonymous } => {
            let all = corpus::export(&database, &file, anonymous).await?;
            println!("{} has {all} sources", file.display());
            Ok(())
        }
        Task::DeletePerson { email, yes } => delete_person(&database, &email, yes).await,
        Task::ExportCourse { file, seasons } => {
            let chosen = chosen(&database, &seasons).await?;
            let ids: Vec<SeasonId> = chosen.iter().map(|(id, _)| *id).collect();
            let bytes = export::seasons(&database, &args.places.store()?, &ids, &file).await?;
            println!("{} has {} seasons: {bytes} bytes", file.display(), ids.len());
            Ok(())
        }
        Task::DeleteCourse { seasons, yes } => delete_seasons(&database, &seasons, yes).await,
        Task::Backup { .. } | Task::CheckBackup { .. } | Task::Restore { .. } => Ok(()),
    }
}

async fn add_worker(database: &Database, name: &str, email: &str, scope: &str) -> Result<()> {
    let account = find(database, email).await?;
    let scope = Scope::of(scope).ok_or_else(|| anyhow!("--scope {scope}: expected play, compile or volunteer"))?;
    let mut tx = database.begin().await?;
    let made = enrolment::make(&mut tx, account.id, name, Some(scope)).await?;
    let token = made.map_err(|refusal| anyhow!("the worker cannot be made: {refusal:?}"))?;
    tx.commit().await?;
    println!("{}", token.text());
    Ok(())
}

/// Progress goes where results do not.
fn progress() -> Progress {
    Progress::new(|message| {
        // Where nothing can be written, work goes on without it.
        let _ = writeln!(std::io::stderr(), "{}", log::escaped(message));
    })
}

async fn back_up(places: &Places, file: &Path) -> Result<()> {
    let folder = places.folder()?;
    places.refuse_missing_file()?;
    // As it is: whoever makes a backup before an upgrade has not upgraded yet.
    let database = Database::connect(&places.database_url()?).await?;
    let (store, mut progress) = (places.store()?, progress());
    let manifest =
        backup::make(&Source { database: &database, store: &store, folder: &folder }, file, &mut progress).await?;
    println!("{} is the backup: {} rows, {} files", file.display(), manifest.rows(), manifest.files);
    Ok(())
}

fn check(file: &Path) -> Result<()> {
    let manifest = backup::check(file, &mut progress())?;
    println!("{} is whole: {} rows, {} files", file.display(), manifest.rows(), manifest.files);
    Ok(())
}

async fn restore(places: &Places, file: &Path) -> Result<()> {
    ensure!(file.is_file(), "there is no file {}", file.display());
    let folder = places.folder()?;
    let database = Database::connect(&places.database_url()?).await?;
    let store = places.store_url()?;
    let target = Target { database: &database, store: &store, folder: &folder };
    let manifest = backup::restore(file, &target, &mut progress()).await?;
    // What SQLite has in its log goes into the file.
    database.close().await;
    println!("{} is brought back: {} rows, {} files", file.display(), manifest.rows(), manifest.files);
    Ok(())
}

async fn delete_person(database: &Database, email: &str, yes: bool) -> Result<()> {
    let account = find(database, email).await?;
    confirm(yes, &format!("{} ({})", account.email, account.name))?;
    let rows = removal::person(database, &account).await?;
    println!("{} is deleted: {rows} rows are gone, official results stay without the name", account.email);
    Ok(())
}

async fn delete_seasons(database: &Database, slugs: &[String], yes: bool) -> Result<()> {
    let chosen = chosen(database, slugs).await?;
    let titles: Vec<&str> = chosen.iter().map(|(_, title)| title.as_str()).collect();
    confirm(yes, &titles.join(", "))?;
    let ids: Vec<SeasonId> = chosen.iter().map(|(id, _)| *id).collect();
    let rows = removal::seasons(database, &ids).await?;
    println!("{} is deleted: {rows} rows are gone", titles.join(", "));
    Ok(())
}

/// The seasons with these names; all of them if none is named.
async fn chosen(database: &Database, slugs: &[String]) -> Result<Vec<(SeasonId, String)>> {
    let all = seasons::list(database).await?;
    for slug in slugs {
        ensure!(all.iter().any(|season| season.slug == *slug), "there is no season {slug}");
    }
    let wanted = all.into_iter().filter(|season| slugs.is_empty() || slugs.contains(&season.slug));
    let wanted: Vec<(SeasonId, String)> = wanted.map(|season| (season.id, season.title)).collect();
    ensure!(!wanted.is_empty(), "there are no seasons");
    Ok(wanted)
}

/// Asks for the word before something is deleted for good.
fn confirm(yes: bool, what: &str) -> Result<()> {
    if yes {
        return Ok(());
    }
    // Standard input may be the pipe through which secrets have come.
    let terminal = File::open("/dev/tty").context("there is no terminal to ask on; say --yes")?;
    eprintln!("{} is deleted for good; backups that exist keep it. Write 'delete' to go on:", log::escaped(what));
    let mut answer = String::new();
    BufReader::new(terminal).read_line(&mut answer).context("cannot read the answer")?;
    if answer.trim() != "delete" {
        bail!("nothing was deleted");
    }
    Ok(())
}
async fn add(database: &Database, email: &str, name: &str, role: RoleName) -> Result<()> {
    let clean = accounts::clean_email(email).with_context(|| format!("'{email}' is no e-mail address"))?;
    let role = match role {
        RoleName::Student => Role::Student,
        RoleName::Instructor => Role::Instructor,
        RoleName::Spectator => Role::Spectator,
    };
    let new = NewAccount { email: clean, name: name.to_owned(), team: String::new(), role };
    let mut tx = database.begin().await?;
    let id = accounts::add(&mut tx, &new, Language::default()).await.with_context(|| format!("cannot add {email}"))?;
    tx.commit().await?;
    print_link(database, id, Purpose::Invite).await
}

async fn find(database: &Database, email: &str) -> Result<Account> {
    let found = accounts::credentials(database, &email.trim().to_lowercase()).await?;
    found.map(|(account, _)| account).ok_or_else(|| anyhow!("nobody has the address {email}"))
}

async fn print_link(database: &Database, account: AccountId, purpose: Purpose) -> Result<()> {
    let mut tx = database.begin().await?;
    let token = accounts::make_link(&mut tx, account, purpose).await?;
    tx.commit().await?;
    println!("/link/{token}\nPut the address of the site in front; the link works once.");
    Ok(())
}

async fn lock(database: &Database, email: &str, locked: bool) -> Result<()> {
    let account = find(database, email).await?;
    accounts::set_locked(database, account.id, locked).await?;
    println!("{} is {}", account.email, if locked { "locked" } else { "unlocked" });
    Ok(())
}
