//! The folder of a league.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ludus_arena::MOST_CONTESTANTS;
use ludus_games::Game;
use ludus_sandbox::build::hash;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::config_text::{config_error, read_config_file};
use crate::contestants;
use crate::names;
use crate::output::Output;

const ABOUT: &str = "league.json";
const CONFIG: &str = "config.cnf";
const PLAYERS: &str = "players";
const VERSION: u32 = 1;

pub struct League {
    folder: PathBuf,
    pub game: &'static dyn Game,
    /// In the order in which they were added, by which matches know them.
    pub players: Vec<Member>,
    config_hash: String,
}

/// A player of a league.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Member {
    pub name: String,
    /// The hash of a module, or the name of a built-in player.
    pub program: String,
    /// Whose module is not in the folder.
    pub builtin: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct About {
    version: u32,
    game: String,
    players: Vec<Member>,
}

impl League {
    pub fn begin(folder: &Path, game: &'static dyn Game, config: Option<&Path>, words: &[String]) -> Result<League> {
        if folder.join(ABOUT).exists() {
            bail!("{} is a league already; add players with 'ludus league add'", folder.display());
        }
        if folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
            bail!("{} is not empty", folder.display());
        }
        let (text, name) = read_config_file(game, config)?;
        game.read_config(&text).map_err(|error| config_error(&name, &error))?;
        let members = gather(game, words, &[])?;
        let make = |path: &Path| {
            std::fs::create_dir_all(path).with_context(|| format!("cannot make the folder {}", path.display()))
        };
        make(&folder.join(PLAYERS))?;
        let mut league = League { folder: folder.to_owned(), game, players: Vec::new(), config_hash: hash(&[&text]) };
        league.write(CONFIG, &text)?;
        league.keep(members)?;
        Ok(league)
    }

    pub fn open(folder: &Path) -> Result<League> {
        let path = folder.join(ABOUT);
        if !path.exists() {
            bail!("{} is no league; 'ludus league new' begins one", folder.display());
        }
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let about: About = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        if about.version != VERSION {
            bail!("{}: version {} of leagues is not known here", path.display(), about.version);
        }
        let config = std::fs::read(folder.join(CONFIG)).with_context(|| folder.join(CONFIG).display().to_string())?;
        let (game, config_hash) = (names::game(&about.game)?, hash(&[&config]));
        Ok(League { folder: folder.to_owned(), game, players: about.players, config_hash })
    }

    /// Adds players, and says what they are called.
    pub fn add(&mut self, words: &[String]) -> Result<Vec<String>> {
        let members = gather(self.game, words, &self.players)?;
        let names = members.iter().map(|(member, _)| member.name.clone()).collect();
        self.keep(members)?;
        Ok(names)
    }

    /// Modules first: a league never names a player whose module is not there.
    fn keep(&mut self, members: Vec<(Member, Option<Vec<u8>>)>) -> Result<()> {
        for (member, module) in members {
            if let Some(module) = module {
                self.write(&format!("{PLAYERS}/{}.wasm", member.name), &module)?;
            }
            self.players.push(member);
        }
        let about = About { version: VERSION, game: self.game.about().id.to_owned(), players: self.players.clone() };
        self.write(ABOUT, (serde_json::to_string_pretty(&about)? + "\n").as_bytes())
    }

    /// Writes a file of the folder, whole or not at all.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let mut output = Output::create(&self.folder.join(name))?;
        output.write(bytes)?;
        output.finish()
    }

    pub fn config(&self) -> PathBuf {
        self.folder.join(CONFIG)
    }

    pub fn journal(&self) -> PathBuf {
        self.folder.join("matches")
    }

    /// The players as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let word = |member: &Member| match &member.builtin {
            Some(builtin) => format!("{}={builtin}", member.name),
            None => {
                let file = self.folder.join(PLAYERS).join(format!("{}.wasm", member.name));
                format!("{}=./{}", member.name, file.display()).replace("=.//", "=/")
            }
        };
        self.players.iter().map(word).collect()
    }

    /// By which the journal knows its league.
    pub fn identity(&self) -> serde_json::Value {
        json!({"ludus journal": 2, "kind": "league", "game": self.game.about().id, "config": self.config_hash})
    }
}

/// The players of these words, each of which must be new to the league.
fn gather(game: &'static dyn Game, words: &[String], before: &[Member]) -> Result<Vec<(Member, Option<Vec<u8>>)>> {
    let mut found: Vec<(Member, Option<Vec<u8>>)> = Vec::new();
    for word in words {
        let (contestant, module) = contestants::with_module(game, word)?;
        let builtin = module.is_none().then(|| contestant.word.clone());
        let member = Member { name: contestant.name, program: contestant.program, builtin };
        let known = || before.iter().chain(found.iter().map(|(member, _)| member));
        if known().any(|other| other.name == member.name) {
            bail!(
                "there is a {0} in the league already; give another name, for instance {0:.10}_2={1}",
                member.name,
                word
            );
        }
        if let Some(same) = known().find(|other| other.program == member.program) {
            bail!("{word} is in the league already, as {}", same.name);
        }
        found.push((member, module));
    }
    if before.len() + found.len() > MOST_CONTESTANTS {
        bail!("a league has at most {MOST_CONTESTANTS} players");
    }
    Ok(found)
}
