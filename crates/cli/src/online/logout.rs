//! `ludus logout`: the token is worth nothing any more, here and there.

use std::process::ExitCode;

use anyhow::{Result, bail};

use super::account::Account;
use super::client::{Client, Failed};

/// Revoke the token and forget it
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  ludus logout")]
pub struct Args {}

pub fn run(_: &Args) -> Result<ExitCode> {
    let Some(account) = Account::kept()? else { bail!("not signed in to a judge") };
    let revoked = Client::new(account.clone()).delete("/me/token");
    let is_known = |error: &anyhow::Error| {
        let failed = error.downcast_ref::<Failed>().and_then(|failed| failed.problem.as_ref());
        failed.is_none_or(|problem| problem.status != 401)
    };
    Account::forget()?;
    match revoked {
        Err(error) if is_known(&error) => {
            bail!(
                "the token is forgotten here but may still be good, revoke it at {}/account/tokens: {error:#}",
                account.url
            )
        }
        _ => println!("signed out of {}", account.url),
    }
    Ok(ExitCode::SUCCESS)
}
