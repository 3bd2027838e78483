//! The proof of a round, piece by piece.

use ludus_games::{PerSeat, Seat};

use super::{Failure, Manifest, MatchEntry, Place, PublicKey, Reason, RoundFile, StageEntry};
use crate::replay::{self, Proof, Replay};
use crate::season::{Author, Contender, Decision, Elimination, Hash, MatchId, OfficialMatch, Round, Stage};
use crate::{Player, Program};

type Checked<T = ()> = Result<T, Failure>;

fn fails<T>(at: Place, reason: impl Into<Reason>) -> Checked<T> {
    Err(Failure { at, reason: reason.into() })
}

impl RoundFile<'_> {
    /// The key must be this one.
    pub fn check_key(&self, expected: &PublicKey) -> Checked {
        match self.key == *expected {
            true => Ok(()),
            false => fails(Place::File, Reason::Key { found: self.key, expected: *expected }),
        }
    }

    /// The commitment must be the one that was published before the round.
    pub fn check_commitment(&self, published: &Hash) -> Checked {
        match self.manifest.commitment == *published {
            true => Ok(()),
            false => fails(Place::File, Reason::Published { published: *published, found: self.manifest.commitment }),
        }
    }

    /// Works out everything again but the matches: commitment, pairing, who was
    /// saved, who is eliminated; and that the replays and modules are those of
    /// the round.
    pub fn check(&self) -> Checked<Round> {
        let manifest = &self.manifest;
        let in_file = |reason| Failure { at: Place::File, reason };
        let Some(game) = ludus_games::find(&manifest.game) else {
            return fails(Place::File, Reason::UnknownGame(manifest.game.clone()));
        };
        if !game.about().players.iter().any(|player| player.name == manifest.reserve) {
            return fails(Place::File, Reason::UnknownReserve(manifest.reserve.clone()));
        }
        let seed = manifest.round_seed();
        if seed.commitment() != manifest.commitment {
            return fails(Place::File, Reason::Commitment);
        }
        let field = manifest.field().map_err(in_file)?;
        let mut round = Round::new(field, &seed).map_err(|reason| in_file(reason.into()))?;
        for (number, entry) in (1..).zip(&manifest.stages) {
            self.check_stage(&mut round, number, entry)?;
        }
        check_elimination(manifest, &round)?;
        self.check_modules(&round)?;
        Ok(round)
    }

    /// The stage must be the one that the draw gives, its scores those of its
    /// replays, and they must mean what it says.
    fn check_stage(&self, round: &mut Round, number: u32, entry: &StageEntry) -> Checked {
        let at = Place::Stage(number);
        let Some(stage) = round.stage() else { return fails(at, Reason::AfterTheEnd) };
        if stage.kind() != entry.kind {
            return fails(at, Reason::Kind);
        }
        let (found, expected) = (entry.matches.len(), stage.matches().len());
        if found != expected {
            return fails(at, Reason::Matches { found, expected });
        }
        let drawn = stage.matches().to_vec();
        for (official, played) in drawn.iter().zip(&entry.matches) {
            check_pairing(official, played)?;
            self.check_replay(official.id())?;
            round.report(official.id(), played.scores).expect("no match of a new stage has a result");
        }
        check_saved(&round.stages()[number as usize - 1], entry)
    }

    /// A module that was changed is named by the first match that it plays in.
    fn check_modules(&self, round: &Round) -> Checked {
        for (expected, module) in self.modules() {
            let found = Hash::of(module);
            if found != expected {
                let player = self.manifest.players.iter().find(|player| player.module == expected);
                let player = player.expect("the hash was taken from there");
                let first = round.matches_of(player.author).next().expect("everybody plays in the first stage");
                let player = named(&self.manifest, player.author);
                let (found, expected) = (found.short(), expected.short());
                return fails(Place::Match(first.0.id()), Reason::Module { player, found, expected });
            }
        }
        Ok(())
    }

    fn find(&self, id: MatchId) -> Option<(&MatchEntry, &[u8])> {
        let entry = self.manifest.stages.get(id.stage() as usize - 1)?.matches.get(id.group() as usize - 1)?;
        let at = self.replays.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some((entry, self.replays[at].1))
    }

    /// The replay of a match, which must be the one that the manifest tells of.
    fn check_replay(&self, id: MatchId) -> Checked<Replay> {
        let at = Place::Match(id);
        let Some((entry, bytes)) = self.find(id) else { return fails(at, Reason::AfterTheEnd) };
        if Hash::of(bytes) != entry.replay {
            return fails(at, Reason::ReplayHash);
        }
        let replay = Replay::read(bytes).map_err(|error| Failure { at, reason: error.into() })?;
        same_match(&self.manifest, entry, &replay).map_err(|reason| Failure { at, reason })?;
        Ok(replay)
    }

    /// The rounds from which on players of a match were not asked, because they
    /// had run past their CPU time there before. That is the word of whoever
    /// signed the file: on another machine it may be otherwise.
    pub fn barred(&self, id: MatchId) -> Checked<PerSeat<Option<u32>>> {
        let replay = self.check_replay(id)?;
        Ok(Seat::ALL.map(|seat| replay.barred_from(seat)))
    }

    /// Plays a match again from its replay, and asks the players that `enter`
    /// has for the seats of authors. Says which seats were asked; reserves are,
    /// if this version of Ludus played the match.
    pub fn prove(
        &self,
        id: MatchId,
        mut enter: impl FnMut(Hash, i32, Seat) -> Option<Box<dyn Player>>,
    ) -> Checked<PerSeat<bool>> {
        let replay = self.check_replay(id)?;
        let players = Seat::ALL.map(|seat| match &replay.setup.programs[seat] {
            Program::Module { hash, .. } => enter(Hash(*hash), replay.setup.header.seed, seat),
            _ => None,
        });
        match replay::verify(&replay, players) {
            Ok(Proof::Identical { asked }) => Ok(asked),
            Ok(Proof::Differs(difference)) => fails(Place::Match(id), Reason::Differs(difference)),
            Err(unplayable) => fails(Place::Match(id), unplayable),
        }
    }
}

fn check_pairing(official: &OfficialMatch, played: &MatchEntry) -> Checked {
    let at = Place::Match(official.id());
    let name = |contender: Contender| match contender {
        Contender::Of(author) => author.to_string(),
        Contender::Reserve => "a reserve".to_owned(),
    };
    let (found, expected) = (played.contenders(), official.seats());
    if let Some(seat) = Seat::ALL.into_iter().find(|&seat| found[seat] != expected[seat]) {
        return fails(at, Reason::Seat { seat, found: name(found[seat]), expected: name(expected[seat]) });
    }
    if played.seed != official.seed() {
        return fails(at, Reason::Seed { found: played.seed, expected: official.seed() });
    }
    Ok(())
}

fn check_saved(stage: &Stage, entry: &StageEntry) -> Checked {
    let odd = || fails(Place::Stage(stage.number()), Reason::SavedOdd);
    if !entry.saved.is_sorted() {
        return odd();
    }
    let saved = stage.saved();
    for official in stage.matches() {
        for (_, author) in official.authors() {
            let listed = entry.saved.binary_search(&author).is_ok();
            if listed != saved.binary_search(&author).is_ok() {
                return fails(Place::Match(official.id()), Reason::Saved { author, listed });
            }
        }
    }
    if saved == entry.saved { Ok(()) } else { odd() }
}

fn check_elimination(manifest: &Manifest, round: &Round) -> Checked {
    let last = manifest.stages.len() as u32;
    let Some(expected) = round.elimination() else { return fails(Place::Stage(last), Reason::NotOver) };
    let decider = MatchId::new(last, 1).filter(|_| expected.by == Decision::Behind);
    let at = decider.map_or(Place::Stage(last), Place::Match);
    let found = manifest.eliminated;
    if found == expected {
        return Ok(());
    }
    let name = |out: Elimination| format!("{} by '{}'", named(manifest, out.author), out.by.word());
    fails(at, Reason::Eliminated { found: name(found), expected: name(expected) })
}

/// A player, as messages name it.
fn named(manifest: &Manifest, author: Author) -> String {
    match manifest.player(author) {
        Some(player) => format!("'{}' of {author}", player.player.escape_debug()),
        None => author.to_string(),
    }
}

/// The code that plays as the reserve, by the name that replays give it.
fn reserve_program(manifest: &Manifest) -> Program {
    let game = ludus_games::find(&manifest.game);
    let player = game.and_then(|game| game.about().players.iter().find(|player| player.name == manifest.reserve));
    Program::Builtin(player.map_or(manifest.reserve.as_str(), |player| player.program()).to_owned())
}

/// A replay must be of this match: the same game, config, seed and players, and
/// it must end as the manifest says.
fn same_match(manifest: &Manifest, entry: &MatchEntry, replay: &Replay) -> Result<(), Reason> {
    let setup = &replay.setup;
    let same = |holds: bool, what| if holds { Ok(()) } else { Err(Reason::OtherMatch(what)) };
    same(setup.game == manifest.game, "the game")?;
    same(Hash::of(&setup.config) == manifest.config, "the config")?;
    same(setup.header.seed == entry.seed, "the seed")?;
    for seat in Seat::ALL {
        let same = |holds: bool, what| if holds { Ok(()) } else { Err(Reason::OtherSeat { seat, what }) };
        let (name, program) = match entry.seats[seat].and_then(|author| manifest.player(author)) {
            Some(player) => {
                let program = Program::Module { hash: player.module.0, allowance: manifest.limits.into() };
                (&player.player, program)
            }
            None => (&manifest.reserve, reserve_program(manifest)),
        };
        same(setup.header.names[seat] == *name, "name")?;
        same(setup.programs[seat] == program, "module or limits")?;
        same(replay.ending.scores[seat] == entry.scores[seat], "score")?;
        same(replay.ending.faults[seat].is_some() == entry.frozen[seat], "state of being frozen")?;
    }
    Ok(())
}
