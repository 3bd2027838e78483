//! What a round file says in words: the season, the field, the stages and their results.

use ludus_games::{PerSeat, Seat};
use serde::{Deserialize, Serialize};

use super::{Failure, LONGEST_TEXT, Place, Reason};
use crate::Allowance;
use crate::season::{Author, Contender, Elimination, Field, Hash, Kind, Representative, RoundSeed};

/// What a round file says, in the order in which it says it. The fields and
/// their order are the format: they change with its version only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The season, for people.
    pub title: String,
    /// The number of the round in the season.
    pub round: u32,
    /// The id of the game.
    pub game: String,
    /// The SHA-256 of the config's text, which is in every replay.
    pub config: Hash,
    pub limits: LimitsEntry,
    /// The built-in player that fills groups.
    pub reserve: String,
    pub commitment: Hash,
    pub seed: Hash,
    /// By the numbers of their authors.
    pub players: Vec<PlayerEntry>,
    pub stages: Vec<StageEntry>,
    pub eliminated: Elimination,
}

/// A representative, as the public may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerEntry {
    pub author: Author,
    /// What the public may call the author; it may be empty.
    pub label: String,
    /// The name of the player.
    pub player: String,
    /// The SHA-256 of the module.
    pub module: Hash,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageEntry {
    pub kind: Kind,
    pub matches: Vec<MatchEntry>,
    /// Those who saved themselves.
    pub saved: Vec<Author>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchEntry {
    /// The authors in the seats; none for a reserve.
    pub seats: PerSeat<Option<Author>>,
    pub seed: i32,
    pub scores: PerSeat<i64>,
    pub frozen: PerSeat<bool>,
    /// The SHA-256 of the replay, and its length in bytes.
    pub replay: Hash,
    pub bytes: u32,
}

/// What modules may use, as in replays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsEntry {
    pub version: u32,
    pub fuel: u64,
    pub fuel_per_round: Option<u64>,
    pub memory: u64,
    pub metered: bool,
}

impl From<Allowance> for LimitsEntry {
    fn from(of: Allowance) -> LimitsEntry {
        let Allowance { version, fuel, fuel_per_round, memory, metered } = of;
        LimitsEntry { version, fuel, fuel_per_round, memory, metered }
    }
}

impl From<LimitsEntry> for Allowance {
    fn from(of: LimitsEntry) -> Allowance {
        let LimitsEntry { version, fuel, fuel_per_round, memory, metered } = of;
        Allowance { version, fuel, fuel_per_round, memory, metered }
    }
}

impl Manifest {
    /// The one way to write it: JSON without spaces, fields in their order.
    pub fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a manifest has only plain values")
    }

    /// Reads what [`Manifest::bytes`] writes, and nothing else.
    pub fn read(bytes: &[u8]) -> Result<Manifest, Failure> {
        let manifest: Manifest = serde_json::from_slice(bytes)
            .map_err(|error| Failure { at: Place::File, reason: Reason::Manifest(error.to_string()) })?;
        let fails = |reason| Err(Failure { at: Place::File, reason });
        if manifest.bytes() != bytes {
            return fails(Reason::OddManifest);
        }
        if let Some(text) = manifest.texts().find(|text| text.len() > LONGEST_TEXT) {
            return fails(Reason::LongText(text.chars().take(20).collect()));
        }
        Ok(manifest)
    }

    fn texts(&self) -> impl Iterator<Item = &String> {
        let players = self.players.iter().flat_map(|player| [&player.label, &player.player]);
        [&self.title, &self.game, &self.reserve].into_iter().chain(players)
    }

    pub fn round_seed(&self) -> RoundSeed {
        RoundSeed::new(self.seed.0)
    }

    /// The field, if the players are listed as they must be.
    pub(super) fn field(&self) -> Result<Field, Reason> {
        if !self.players.is_sorted_by_key(|player| player.author) {
            return Err(Reason::PlayersUnsorted);
        }
        let one = |player: &PlayerEntry| Representative { author: player.author, module: player.module };
        Ok(Field::new(self.players.iter().map(one))?)
    }

    /// The player of an author, in a manifest whose players are in order.
    pub fn player(&self, author: Author) -> Option<&PlayerEntry> {
        let at = self.players.binary_search_by_key(&author, |player| player.author).ok()?;
        Some(&self.players[at])
    }

    /// The modules of the round, each once, in the order of the players.
    pub fn modules(&self) -> Vec<Hash> {
        let mut seen = std::collections::BTreeSet::new();
        self.players.iter().map(|player| player.module).filter(|module| seen.insert(*module)).collect()
    }
}

impl MatchEntry {
    pub fn contenders(&self) -> PerSeat<Contender> {
        Seat::ALL.map(|seat| self.seats[seat].map_or(Contender::Reserve, Contender::Of))
    }
}
