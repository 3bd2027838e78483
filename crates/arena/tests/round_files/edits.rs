//! What somebody might do to a round file who holds the key of the course.

use ed25519_dalek::{Signer, SigningKey};
use ludus_arena::replay::{Replay, Round};
use ludus_arena::season::file::{Manifest, RoundFile};
use ludus_arena::season::{Author, Decision, Hash};
use ludus_arena::spoil::{self, any};
use ludus_games::Generator;

use super::course::AUTHORS;

/// A file, taken apart as `docs/season.md` describes it, to be changed and
/// sealed by somebody who holds the key of the course.
#[derive(Clone)]
pub struct Parts {
    pub manifest: Manifest,
    pub replays: Vec<Vec<u8>>,
    pub modules: Vec<Vec<u8>>,
}

impl Parts {
    pub fn of(bytes: &[u8]) -> Parts {
        let file = RoundFile::read(bytes).unwrap();
        let replays = file.replays().iter().map(|(_, replay)| replay.to_vec()).collect();
        Parts { manifest: file.manifest.clone(), replays, modules: file.modules().map(|(_, m)| m.to_vec()).collect() }
    }

    pub fn seal(&self, secret: [u8; 32]) -> Vec<u8> {
        let manifest = serde_json::to_vec(&self.manifest).unwrap();
        let key = SigningKey::from_bytes(&secret);
        let mut file = b"\x93ROUND\x01\x00".to_vec();
        file.extend_from_slice(&key.verifying_key().to_bytes());
        file.extend_from_slice(&key.sign(&[b"ludus round file 1\0", &manifest[..]].concat()).to_bytes());
        file.extend_from_slice(&(manifest.len() as u32).to_le_bytes());
        file.extend_from_slice(&manifest);
        self.replays.iter().for_each(|replay| file.extend_from_slice(replay));
        file.extend_from_slice(&(self.modules.len() as u32).to_le_bytes());
        for module in &self.modules {
            file.extend_from_slice(&(module.len() as u32).to_le_bytes());
            file.extend_from_slice(module);
        }
        file
    }

    /// The place of a match among the replays.
    pub fn index(&self, stage: usize, group: usize) -> usize {
        self.manifest.stages[..stage].iter().map(|stage| stage.matches.len()).sum::<usize>() + group
    }

    /// Puts another replay in the place of one, and says so in the manifest.
    pub fn replace(&mut self, stage: usize, group: usize, replay: Vec<u8>) {
        let entry = &mut self.manifest.stages[stage].matches[group];
        (entry.replay, entry.bytes) = (Hash::of(&replay), replay.len() as u32);
        let at = self.index(stage, group);
        self.replays[at] = replay;
    }
}

fn forged(replay: &[u8], number: usize, change: impl Fn(&mut Round)) -> Vec<u8> {
    spoil::forged(&Replay::read(replay).unwrap(), number, change)
}

/// Changes that somebody with the key of the course might try. Each says where
/// it must be noticed, if that is one match, and by which words.
pub type Edit = fn(&mut Parts, &mut Generator) -> (Option<(usize, usize)>, &'static [&'static str]);

fn some_match(parts: &Parts, generator: &mut Generator) -> (usize, usize) {
    let stage = any(generator, parts.manifest.stages.len());
    (stage, any(generator, parts.manifest.stages[stage].matches.len()))
}

pub const EDITS: [(&str, Edit); 17] = [
    ("seed", |parts, generator| {
        parts.manifest.seed.0[any(generator, 32)] ^= 1 << any(generator, 8);
        (None, &["the seed does not belong to the commitment"])
    }),
    ("seed with its commitment", |parts, generator| {
        parts.manifest.seed.0[any(generator, 32)] ^= 1 << any(generator, 8);
        parts.manifest.commitment = parts.manifest.round_seed().commitment();
        (Some((0, 0)), &["and the draw gives"])
    }),
    ("two seats of a match", |parts, generator| {
        let (stage, group) = some_match(parts, generator);
        let seats = &mut parts.manifest.stages[stage].matches[group].seats;
        let (one, other) = (any(generator, 4), any(generator, 4));
        if seats[one] == seats[other] {
            seats[one] = Some(Author(1000));
        } else {
            seats.swap(one, other);
        }
        (Some((stage, group)), &["and the draw gives it to"])
    }),
    ("seats of two matches", |parts, generator| {
        let [first, second, ..] = &mut parts.manifest.stages[0].matches[..] else { panic!("two groups at least") };
        let (one, other) = (any(generator, 4), any(generator, 4));
        std::mem::swap(&mut first.seats[one], &mut second.seats[other]);
        (Some((0, 0)), &["and the draw gives it to"])
    }),
    ("seed of a match", |parts, generator| {
        let (stage, group) = some_match(parts, generator);
        parts.manifest.stages[stage].matches[group].seed ^= 1 << any(generator, 31);
        (Some((stage, group)), &["its seed is "])
    }),
    ("score", |parts, generator| {
        let (stage, group) = some_match(parts, generator);
        let score = &mut parts.manifest.stages[stage].matches[group].scores[any(generator, 4)];
        *score = score.wrapping_add(generator.random(1, 5000).into());
        (Some((stage, group)), &["the replay has another score than the round"])
    }),
    ("score with its consequences", |parts, generator| {
        // A score that changes nothing but itself.
        let stage = parts.manifest.stages.len() - 1;
        let last = parts.manifest.eliminated.author;
        let decider = &mut parts.manifest.stages[stage].matches[0];
        let seat = (0..4).find(|&seat| decider.seats[seat] == Some(last)).unwrap();
        decider.scores[seat] -= i64::from(generator.random(1, 1000));
        (Some((stage, 0)), &["the replay has another score than the round"])
    }),
    ("saved", |parts, generator| {
        let saved = &mut parts.manifest.stages[0].saved;
        saved.remove(any(generator, saved.len()));
        (None, &["is not listed as saved, against the scores"])
    }),
    ("saved too", |parts, generator| {
        let saved = &mut parts.manifest.stages[0].saved;
        let others: Vec<Author> = (1..=AUTHORS).map(Author).filter(|author| !saved.contains(author)).collect();
        saved.push(others[any(generator, others.len())]);
        saved.sort_unstable();
        (None, &["is listed as saved, against the scores"])
    }),
    ("eliminated", |parts, generator| {
        match generator.random(0, 1) {
            0 => parts.manifest.eliminated.by = Decision::Draw,
            _ => parts.manifest.eliminated.author.0 = parts.manifest.eliminated.author.0 % AUTHORS + 1,
        }
        (Some((parts.manifest.stages.len() - 1, 0)), &["is named as eliminated, and it must be"])
    }),
    ("a stage less or more", |parts, generator| {
        let last = parts.manifest.stages.pop().unwrap();
        let from = parts.replays.len() - last.matches.len();
        if generator.random(0, 1) == 0 {
            parts.replays.truncate(from);
            return (None, &["the round is not over after the last stage"]);
        }
        parts.replays.extend_from_within(from..);
        parts.manifest.stages.extend([last.clone(), last]);
        (None, &["the round was over before it"])
    }),
    ("replay of another match", |parts, generator| {
        let (stage, group) = some_match(parts, generator);
        let own = parts.index(stage, group);
        let other = (own + 1) % parts.replays.len();
        parts.replace(stage, group, parts.replays[other].clone());
        (Some((stage, group)), &["the replay is of another match: the seed differs"])
    }),
    ("orders in a replay", |parts, generator| {
        let (stage, group) = some_match(parts, generator);
        let (round, seat) = (any(generator, 200), any(generator, 4));
        let replay = &parts.replays[parts.index(stage, group)];
        let forged = forged(replay, round, |round| round.orders[seat].push(&[1, 2, 3, 4]));
        parts.replace(stage, group, forged);
        (Some((stage, group)), &["played again, the replay is not identical: round"])
    }),
    ("bytes of a replay", |parts, generator| {
        let (stage, group) = some_match(parts, generator);
        let at = parts.index(stage, group);
        let byte = any(generator, parts.replays[at].len());
        parts.replays[at][byte] ^= 1 << any(generator, 8);
        (Some((stage, group)), &["the replay was changed: its SHA-256 is not the one of the manifest"])
    }),
    ("a module that is given out", |parts, generator| {
        let at = any(generator, parts.modules.len());
        parts.modules[at].push(0);
        (None, &["was changed: its SHA-256 is"])
    }),
    ("a module of the manifest", |parts, generator| {
        let at = any(generator, parts.manifest.players.len());
        parts.manifest.players[at].module.0[any(generator, 32)] ^= 1;
        (Some((0, 0)), &["and the draw gives"])
    }),
    ("names, limits, config, frozen seats", |parts, generator| {
        let (stage, group) = some_match(parts, generator);
        match generator.random(0, 3) {
            0 => parts.manifest.players.iter_mut().for_each(|player| player.player.push('x')),
            1 => parts.manifest.limits.fuel += 1,
            2 => parts.manifest.config.0[0] ^= 1,
            _ => {
                let frozen = &mut parts.manifest.stages[stage].matches[group].frozen[any(generator, 4)];
                *frozen = !*frozen;
                return (Some((stage, group)), &["the replay has another state of being frozen"]);
            }
        }
        (Some((0, 0)), &["another name", "another module or limits", "the config differs"])
    }),
];
