//! Looking after accounts from the terminal, for when nobody can sign in.

use anyhow::{Context as _, Result, anyhow};
use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use crate::accounts::{self, Account, NewAccount, Purpose, Role};
use crate::command::Places;
use crate::course;
use crate::database::Database;
use crate::ids::AccountId;
use crate::texts::Language;

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
}

#[derive(Clone, Copy, ValueEnum)]
enum RoleName {
    Student,
    Instructor,
    Spectator,
}

pub async fn run(args: Args) -> Result<()> {
    let database = args.places.database().await?;
    course::ensure(&database, "Ludus").await?;
    match args.task {
        Task::Add { email, name, role } => add(&database, &email, &name, role).await,
        Task::Link { email } => {
            let account = find(&database, &email).await?;
            print_link(&database, account.id, Purpose::Reset).await
        }
        Task::Lock { email } => lock(&database, &email, true).await,
        Task::Unlock { email } => lock(&database, &email, false).await,
    }
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
