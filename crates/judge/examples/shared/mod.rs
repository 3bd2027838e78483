//! A season whose players are the strongest C++ example of a game, each with a
//! module of its own that plays the same.

#![allow(dead_code, reason = "each example uses some of it")]

pub mod broker;
pub mod trainings;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use ludus_games::Game;
use ludus_judge::accounts::{self, NewAccount, Role};
use ludus_judge::course;
use ludus_judge::database::{Database, now};
use ludus_judge::ids::SeasonId;
use ludus_judge::seasons::{self, Season};
use ludus_judge::store::Store;
use ludus_judge::texts::Language;
use ludus_sandbox::Sandbox;
use ludus_sandbox::build::{Builder, Language as SourceLanguage};

/// The source of the strongest example of a game, which is in its content folder.
pub fn example(game: &dyn Game) -> Result<(String, Vec<u8>)> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../content"));
    let folder = folder.join(game.about().id).join("players");
    for file in std::fs::read_dir(&folder)? {
        let path = file?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".cc") && !["AINull.cc", "AIDemo.cc"].contains(&name.as_str()) {
            return Ok((name, std::fs::read(path)?));
        }
    }
    Err(anyhow!("{} has no example", folder.display()))
}

/// So many modules that play the same, translated: that is done when a player is
/// verified, long before a round. Their machine code is the same too, so that it
/// is made once and kept for each.
pub fn modules(game: &dyn Game, players: usize, cache: &Path) -> Result<Vec<Vec<u8>>> {
    std::fs::create_dir_all(cache)?;
    let (name, source) = example(game)?;
    println!("{}: {name}", game.about().id);
    let wasm = Builder::jailed(cache.to_owned())?.build(game.about().id, SourceLanguage::Cpp, &source)?;
    let modules: Vec<Vec<u8>> = (0..players).map(|k| [&wasm[..], &custom_section(k)].concat()).collect();
    let sandbox = Sandbox::new(4).map_err(|error| anyhow!("{error}"))?;
    sandbox.load_cached(&modules[0], cache)?;
    for module in &modules[1..] {
        sandbox.keep_same_code(&modules[0], module, cache)?;
    }
    Ok(modules)
}

/// A section that changes the hash of a module and nothing else.
fn custom_section(number: usize) -> Vec<u8> {
    let text = format!("player {number:06}");
    let mut section = vec![0, text.len() as u8 + 1, text.len() as u8];
    section.extend_from_slice(text.as_bytes());
    section
}

/// A season of a game that is open for so long, in milliseconds; without, its
/// deadline has passed and its rounds may begin.
pub async fn season(database: &Database, game: &dyn Game, slug: &str, open: Option<i64>) -> Result<Season> {
    let about = game.about();
    let season = Season {
        id: SeasonId(0),
        slug: slug.to_owned(),
        title: slug.to_owned(),
        game: about.id.to_owned(),
        config: about.default_config.to_owned(),
        match_ms: i64::from(about.cpu.match_ms),
        round_ms: about.cpu.round_ms.map(i64::from),
        memory_mib: 128,
        source_kib: 256,
        opens_at: 0,
        deadline_at: open.map_or(now() - 1000, |time| now() + time),
        closes_at: now() + open.unwrap_or(0),
        grace_s: 0,
        official_at: 0,
        rules: String::new(),
        is_archived: false,
    };
    seasons::add(database, &season).await?;
    seasons::find(database, slug).await?.context("no season")
}

/// A student with an accepted player for each module.
pub async fn students(database: &Database, store: &Store, season: &Season, modules: &[Vec<u8>]) -> Result<()> {
    course::ensure(database, "Cost").await?;
    let mut tx = database.begin().await?;
    for (k, module) in modules.iter().enumerate() {
        let (name, email) = (format!("Student {k}"), format!("s{k}@x.edu"));
        let new = NewAccount { email, name, team: String::new(), role: Role::Student };
        let id = accounts::add(&mut tx, &new, Language::English).await?;
        sqlx::query(
            "INSERT INTO submissions (season_id, account_id, name, name_key, file_name, language, source, stage,
             module, seed, created_at, decided_at) VALUES ($1, $2, $3, $4, 'x', 'cpp', $5, 'accepted', $6, 1, 1, 1)",
        )
        .bind(season.id)
        .bind(id)
        .bind(format!("Player{k}"))
        .bind(format!("player{k}"))
        .bind(Vec::<u8>::new())
        .bind(store.put(module)?)
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The judge's program, which must be built in the same profile, or the one in the
/// folder that `LUDUS_PROGRAMS` names.
pub fn program() -> Result<PathBuf> {
    if let Some(folder) = std::env::var_os("LUDUS_PROGRAMS") {
        return Ok(PathBuf::from(folder).canonicalize()?.join("ludus-judge"));
    }
    let own = std::env::current_exe()?;
    Ok(own.parent().and_then(Path::parent).context("no folder")?.join("ludus-judge"))
}

/// The CPU of a process, and of those that it has waited for if they count too.
pub fn cpu(process: &str, with_children: bool) -> Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let counted = if with_children { 11..15 } else { 11..13 };
    let ticks: u64 = fields[counted].iter().map(|field| field.parse().unwrap_or(0)).sum();
    Ok(Duration::from_millis(10 * ticks))
}
