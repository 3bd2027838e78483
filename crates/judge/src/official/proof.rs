//! Round files, which prove rounds to anybody, and the key that signs them.
//!
//! A file is made whenever it is asked for: the same round gives the same bytes,
//! so there is nothing to keep but what it is made of.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use ludus_arena::season::file::{self, CourseKey, Facts, PlayerEntry};
use ludus_arena::season::{Hash, MatchId};

use super::rounds::{State, Whole};
use crate::seasons::Season;
use crate::secrets;
use crate::store::Store;

/// The file with the course's secret key, in the data folder: 64 hexadecimal
/// digits. Whoever has it can sign rounds in the name of the course.
const KEY_FILE: &str = "course.key";

/// The key of the course, made by whoever needs it first.
pub fn course_key(folder: &Path) -> Result<CourseKey> {
    let path = folder.join(KEY_FILE);
    if !path.exists() {
        make_key(&path).with_context(|| format!("cannot make the course's key {}", path.display()))?;
    }
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read the course's key {}", path.display()))?;
    let secret: Hash =
        text.trim().parse().map_err(|_| anyhow!("{} is no key: expected 64 hexadecimal digits", path.display()))?;
    Ok(CourseKey::new(secret.0))
}

/// Never replaces a key: what is signed with it could not be told from a forgery.
fn make_key(path: &Path) -> io::Result<()> {
    let temporary = path.with_extension(format!("key.{}", std::process::id()));
    // Whoever had the same number before us has left it.
    let _ = fs::remove_file(&temporary);
    let mut new = OpenOptions::new().create_new(true).write(true).mode(0o600).open(&temporary)?;
    writeln!(new, "{}", secrets::token())?;
    new.sync_all()?;
    let linked = fs::hard_link(&temporary, path);
    fs::remove_file(&temporary)?;
    match linked {
        // If somebody else was faster, theirs is the key.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// The file of a round that is over, with its modules if they are given out;
/// none while its seed is secret. An error may be that the store has
/// [`Lost`](crate::store::Lost) something.
pub fn round_file(
    store: &Store,
    key: &CourseKey,
    season: &Season,
    whole: &Whole,
    gives_modules: bool,
) -> Result<Option<Vec<u8>>> {
    let Some(frozen) = whole.round.frozen.as_ref().filter(|_| whole.round.state == State::Over) else {
        return Ok(None);
    };
    let mut replays: BTreeMap<MatchId, Vec<u8>> = BTreeMap::new();
    for one in &whole.matches {
        let result = one.result.as_ref().ok_or_else(|| anyhow!("match {} has no result", one.id))?;
        replays.insert(one.place, store.get(&result.replay)?);
    }
    let mut modules: BTreeMap<Hash, Vec<u8>> = BTreeMap::new();
    if gives_modules {
        for player in &whole.players {
            modules.insert(player.module, store.get(&player.module.to_string())?);
        }
    }
    let player = |one: &super::rounds::RoundPlayer| PlayerEntry {
        author: one.author,
        label: one.label.clone(),
        player: one.name.clone(),
        module: one.module,
    };
    let facts = Facts {
        title: frozen.title.clone(),
        round: u32::try_from(whole.round.number)?,
        game: season.game.clone(),
        config: Hash::of(frozen.config.as_bytes()),
        limits: frozen.season(season.clone()).limits().allowance(),
        reserve: season.reserve()?.to_owned(),
        players: whole.players.iter().map(player).collect(),
    };
    let modules = gives_modules.then_some(&modules);
    let written = file::write(facts, &whole.drawn, whole.round.secret_seed(), &replays, modules, key);
    Ok(Some(written.with_context(|| format!("the file of round {}", whole.round.id))?))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::*;

    #[test]
    fn the_key_is_made_once_and_is_nobody_elses() {
        let folder = tempfile::tempdir().unwrap();
        let first = course_key(folder.path()).unwrap().public();
        assert_eq!(course_key(folder.path()).unwrap().public(), first);
        let path = folder.path().join(KEY_FILE);
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::write(&path, "short").unwrap();
        assert!(course_key(folder.path()).unwrap_err().to_string().contains("64 hexadecimal digits"));
    }
}
