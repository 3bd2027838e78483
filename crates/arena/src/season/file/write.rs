//! Writing a round file, and signing it.

use std::collections::BTreeMap;

use ludus_games::Seat;

use super::{CourseKey, Failure, MAGIC, Manifest, MatchEntry, PlayerEntry, RoundFile, StageEntry, VERSION};
use crate::Allowance;
use crate::replay::Replay;
use crate::season::{Hash, MatchId, OfficialMatch, Round, RoundSeed, Stage};

/// What a round file says beside the round itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The season, for people.
    pub title: String,
    /// The number of the round in the season.
    pub round: u32,
    /// The id of the game.
    pub game: String,
    /// The SHA-256 of the config's text.
    pub config: Hash,
    /// What modules may use.
    pub limits: Allowance,
    /// The built-in player that fills groups.
    pub reserve: String,
    /// Everybody in the field, with the names that the public may see.
    pub players: Vec<PlayerEntry>,
}

/// Why there is no round file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWritten {
    #[error("the round is not over")]
    NotOver,
    #[error("the replay of {0} is missing or cannot be read")]
    NoReplay(MatchId),
    #[error("the module {0} is missing")]
    NoModule(Hash),
    /// What does not prove the round is not signed.
    #[error("the file would not prove the round: {0}")]
    Wrong(#[from] Failure),
}

/// Writes the file of a round that is over. `modules` are given out with it, if
/// there are any.
pub fn write(
    facts: Facts,
    round: &Round,
    seed: &RoundSeed,
    replays: &BTreeMap<MatchId, Vec<u8>>,
    modules: Option<&BTreeMap<Hash, Vec<u8>>>,
    key: &CourseKey,
) -> Result<Vec<u8>, NotWritten> {
    let manifest = manifest(facts, round, seed, replays)?;
    let replays = round.stages().iter().flat_map(Stage::matches).map(|official| &replays[&official.id()][..]);
    let modules = match modules {
        None => Vec::new(),
        Some(given) => {
            let find = |hash: Hash| given.get(&hash).map(Vec::as_slice).ok_or(NotWritten::NoModule(hash));
            manifest.modules().into_iter().map(find).collect::<Result<_, _>>()?
        }
    };
    let bytes = sealed(&manifest.bytes(), replays, &modules, key);
    RoundFile::read(&bytes)?.check()?;
    Ok(bytes)
}

/// The bytes of a file with these parts.
fn sealed<'a>(manifest: &[u8], replays: impl Iterator<Item = &'a [u8]>, modules: &[&[u8]], key: &CourseKey) -> Vec<u8> {
    let length = |bytes: &[u8]| (bytes.len() as u32).to_le_bytes();
    let mut file = MAGIC.to_vec();
    file.extend_from_slice(&VERSION.to_le_bytes());
    file.extend_from_slice(&key.public().0);
    file.extend_from_slice(&key.sign(manifest));
    file.extend_from_slice(&length(manifest));
    file.extend_from_slice(manifest);
    replays.for_each(|replay| file.extend_from_slice(replay));
    file.extend_from_slice(&(modules.len() as u32).to_le_bytes());
    for module in modules {
        file.extend_from_slice(&length(module));
        file.extend_from_slice(module);
    }
    file
}

fn manifest(
    facts: Facts,
    round: &Round,
    seed: &RoundSeed,
    replays: &BTreeMap<MatchId, Vec<u8>>,
) -> Result<Manifest, NotWritten> {
    let eliminated = round.elimination().ok_or(NotWritten::NotOver)?;
    let stages = round.stages().iter().map(|stage| {
        let matches = stage.matches().iter().map(|official| match_entry(official, replays));
        Ok(StageEntry { kind: stage.kind(), matches: matches.collect::<Result<_, _>>()?, saved: stage.saved() })
    });
    let stages = stages.collect::<Result<_, NotWritten>>()?;
    let mut players = facts.players;
    players.sort_by_key(|player| player.author);
    Ok(Manifest {
        title: facts.title,
        round: facts.round,
        game: facts.game,
        config: facts.config,
        limits: facts.limits.into(),
        reserve: facts.reserve,
        commitment: seed.commitment(),
        seed: Hash(seed.bytes()),
        players,
        stages,
        eliminated,
    })
}

fn match_entry(official: &OfficialMatch, replays: &BTreeMap<MatchId, Vec<u8>>) -> Result<MatchEntry, NotWritten> {
    let missing = NotWritten::NoReplay(official.id());
    let bytes = replays.get(&official.id()).ok_or(missing.clone())?;
    let replay = Replay::read(bytes).map_err(|_| missing)?;
    Ok(MatchEntry {
        seats: official.seats().map(|contender| contender.author()),
        seed: official.seed(),
        scores: *official.scores().expect("the round is over"),
        frozen: Seat::ALL.map(|seat| replay.ending.faults[seat].is_some()),
        replay: Hash::of(bytes),
        bytes: bytes.len() as u32,
    })
}
