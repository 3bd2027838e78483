//! `ludus login`: which judge, and with which token.

use std::io::{IsTerminal as _, Read as _};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::account::{Account, address};
use super::client::Client;
use crate::output::plain;

/// Remember the judge of a course and a token for it
#[derive(clap::Args)]
#[command(after_help = "\
The token is made on the judge's page /account/tokens and pasted here, or read
from standard input. It is kept in ludus/judge.json in your folder for settings
(~/.config), readable by you only. LUDUS_URL and LUDUS_TOKEN go before the file.

Examples:
  ludus login https://judge.example.edu
  ludus login https://judge.example.edu < token.txt")]
pub struct Args {
    /// The address of the judge
    url: String,
    /// Send the token over plain HTTP to another machine
    #[arg(long)]
    insecure: bool,
}

#[derive(Deserialize)]
pub struct Me {
    pub name: String,
    token: Token,
}

#[derive(Deserialize)]
struct Token {
    scopes: Vec<String>,
    expires_at: String,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let url = address(&args.url, args.insecure)?;
    let token = read_token(&url)?;
    if token.is_empty() {
        bail!("no token was given; make one at {url}/account/tokens");
    }
    let account = Account { url, token };
    let me: Me = Client::new(account.clone()).get("/me")?;
    let path = account.keep()?;
    println!("signed in to {} as {}", account.url, plain(&me.name));
    println!(
        "the token may {} until {} and is in {}",
        plain(&me.token.scopes.join(", ")),
        plain(&me.token.expires_at.chars().take(10).collect::<String>()),
        path.display()
    );
    Ok(ExitCode::SUCCESS)
}

fn read_token(url: &str) -> Result<String> {
    if !std::io::stdin().is_terminal() {
        let mut text = String::new();
        std::io::stdin().take(1000).read_to_string(&mut text).context("cannot read the token")?;
        return Ok(text.trim().to_owned());
    }
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host: String = host.trim().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    eprintln!("make a token at {url}/account/tokens?name={host}");
    eprint!("and paste it here: ");
    let token = hidden();
    eprintln!();
    token
}

/// A line that is typed and not shown. The shell puts the terminal right again,
/// also if it is left by Ctrl-C.
fn hidden() -> Result<String> {
    const SCRIPT: &str =
        "trap 'stty echo' EXIT; trap 'exit 130' INT TERM; stty -echo; IFS= read -r line; printf %s \"$line\"";
    let read = Command::new("sh").args(["-c", SCRIPT]).stdin(Stdio::inherit()).stderr(Stdio::null()).output();
    let read = read.context("cannot read the token")?;
    if !read.status.success() {
        bail!("no token was given");
    }
    Ok(String::from_utf8_lossy(&read.stdout).trim().to_owned())
}
