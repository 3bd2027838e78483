//! A round between players that pretend to be modules.

use std::collections::BTreeMap;

use ludus_arena::replay::{Recorder, Replay};
use ludus_arena::season::file::{CourseKey, Facts, PlayerEntry, write};
use ludus_arena::season::{Author, Contender, Field, Hash, MatchId, OfficialMatch, Representative, Round, RoundSeed};
use ludus_arena::{Allowance, Entrant, Fault, Halt, Match, Player, Program, Turn, builtin};
use ludus_games::game::{Builtin, BuiltinPlayer};
use ludus_games::{Game, Orders, Seat, Status};

pub const AUTHORS: u32 = 7;
pub const SECRET: [u8; 32] = [42; 32];
pub const LIMITS: Allowance =
    Allowance { version: 1, fuel: 1_000_000, fuel_per_round: Some(2000), memory: 1 << 20, metered: true };

pub fn game() -> &'static dyn Game {
    ludus_games::find("ants").unwrap()
}

pub fn named(name: &str) -> &'static Builtin {
    game().about().players.iter().find(|player| player.name == name).unwrap()
}

/// A module that is none: it plays like Demo and uses fuel; that of author 3
/// fails in every match.
pub struct Pretended {
    module: Hash,
    model: Box<dyn BuiltinPlayer>,
    fuel: u64,
}

impl Pretended {
    pub fn enter(module: Hash, seed: i32, seat: Seat) -> Box<dyn Player> {
        let seed = seed ^ i32::from(module.0[0]);
        Box::new(Pretended { module, model: (named("Demo").new)(seed, seat), fuel: 0 })
    }
}

impl Player for Pretended {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        self.fuel += 1000 + u64::from(self.module.0[1]);
        if self.module == Hash::of(&module(3)) && turn.state.round() == 10 {
            return Err(Fault::Trap("on purpose".to_owned()));
        }
        self.model.play(turn.state, orders);
        Ok(())
    }

    fn status(&self) -> Status {
        self.program().status(self.fuel)
    }

    fn fuel(&self) -> u64 {
        self.fuel
    }

    fn program(&self) -> Program {
        Program::Module { hash: self.module.0, allowance: LIMITS }
    }
}

pub fn module(author: u32) -> Vec<u8> {
    format!("the module of author {author}").into_bytes()
}

pub fn player(author: Author) -> PlayerEntry {
    let name = format!("Player{}", author.0);
    PlayerEntry { author, label: format!("student {}", author.0), player: name, module: Hash::of(&module(author.0)) }
}

/// A round that has been played, and everything that its file needs.
pub struct Course {
    pub facts: Facts,
    pub round: Round,
    pub seed: RoundSeed,
    pub replays: BTreeMap<MatchId, Vec<u8>>,
    pub modules: BTreeMap<Hash, Vec<u8>>,
}

impl Course {
    pub fn new() -> Course {
        let players: Vec<PlayerEntry> = (1..=AUTHORS).map(|author| player(Author(author))).collect();
        let field = players.iter().map(|one| Representative { author: one.author, module: one.module });
        let seed = RoundSeed::new([9; 32]);
        let mut round = Round::new(Field::new(field).unwrap(), &seed).unwrap();
        let mut replays = BTreeMap::new();
        while let Some(stage) = round.stage() {
            for official in stage.matches().to_vec() {
                let replay = play(&official);
                let scores = Replay::read(&replay).unwrap().ending.scores;
                replays.insert(official.id(), replay);
                round.report(official.id(), scores).unwrap();
            }
        }
        let facts = Facts {
            title: "Ants, a season".to_owned(),
            round: 1,
            game: "ants".to_owned(),
            config: Hash::of(game().about().default_config.as_bytes()),
            limits: LIMITS,
            reserve: "Dummy".to_owned(),
            players,
        };
        let modules = (1..=AUTHORS).map(|author| (Hash::of(&module(author)), module(author))).collect();
        Course { facts, round, seed, replays, modules }
    }

    pub fn file(&self, with_modules: bool) -> Vec<u8> {
        let modules = with_modules.then_some(&self.modules);
        write(self.facts.clone(), &self.round, &self.seed, &self.replays, modules, &CourseKey::new(SECRET)).unwrap()
    }
}

pub fn play(official: &OfficialMatch) -> Vec<u8> {
    let text = game().about().default_config.as_bytes();
    let config = game().read_config(text).unwrap();
    let seed = official.seed();
    let entrants = Seat::ALL.map(|seat| match official.seats()[seat] {
        Contender::Of(author) => {
            let PlayerEntry { player, module, .. } = player(author);
            Entrant { name: player, player: Pretended::enter(module, seed, seat) }
        }
        Contender::Reserve => Entrant { name: "Dummy".to_owned(), player: builtin(named("Dummy"), seed, seat) },
    });
    let mut played = Match::new(&*config, seed, entrants).unwrap().judged();
    let mut recorder = Recorder::new(game(), text, &played);
    played.run::<Halt>(&mut [&mut recorder]).unwrap();
    recorder.finish(&played)
}
