//! Giving the module of a player out, by a link: never its source.

use anyhow::Result;
use sqlx::Row as _;

use crate::database::{Columns as _, Database, Reader};
use crate::friends::Circle;
use crate::ids::{AccountId, SubmissionId};
use crate::secrets;
use crate::visibility::Viewer;
use crate::words::words;

words! {
    pub enum Audience {
        /// Whoever has the link.
        Everybody = "everybody",
        /// Friends of the author, signed in.
        Friends = "friends",
    }
}

/// The link of a module, and for whom it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub token: String,
    pub audience: Audience,
}

/// The link of a player, if its author has made one.
pub async fn find(mut from: impl Reader, player: SubmissionId) -> Result<Option<Link>> {
    let row = sqlx::query("SELECT module_link, module_for FROM submissions WHERE id = $1 AND module_link IS NOT NULL");
    let Some(row) = row.bind(player).fetch_optional(from.executor()).await? else { return Ok(None) };
    Ok(Some(Link { token: row.text("module_link")?, audience: row.try_get("module_for")? }))
}

/// Makes a new link, which ends the one before, or none. False if the player is
/// not accepted.
pub async fn set(database: &Database, player: SubmissionId, audience: Option<Audience>) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE submissions SET module_link = $1, module_for = $2
         WHERE id = $3 AND stage = 'accepted' AND retired_at IS NULL AND module IS NOT NULL",
    )
    .bind(audience.map(|_| secrets::token()))
    .bind(audience)
    .bind(player)
    .execute(database.write())
    .await?;
    Ok(done.rows_affected() == 1)
}

/// A module that is given out.
#[derive(Clone, Debug)]
pub struct Shared {
    pub name: String,
    /// Its hash in the store.
    pub module: String,
}

/// The module behind a link, if it is for this viewer.
pub async fn open(database: &Database, viewer: Viewer, token: &str) -> Result<Option<Shared>> {
    let row = sqlx::query(
        "SELECT name, module, account_id, module_for FROM submissions
         WHERE module_link = $1 AND stage = 'accepted' AND retired_at IS NULL",
    )
    .bind(token)
    .fetch_optional(database.read())
    .await?;
    let Some(row) = row else { return Ok(None) };
    let author: AccountId = row.try_get("account_id")?;
    let are_friends = match viewer.account {
        Some(account) => Circle::of(database, &[account, author]).await?.are_friends(account, author),
        None => false,
    };
    let is_allowed = viewer.may_take_module(row.try_get("module_for")?, author, are_friends);
    Ok(is_allowed.then_some(Shared { name: row.text("name")?, module: row.text("module")? }))
}
