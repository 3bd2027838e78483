//! Official rounds as users of `ludus verify` meet them: proved, or refused
//! with the match and the reason.

use std::collections::BTreeMap;
use std::path::Path;

use ludus_arena::replay::{Recorder, Replay};
use ludus_arena::season::file::{CourseKey, Facts, PlayerEntry, RoundFile, write};
use ludus_arena::season::{Author, Contender, Field, Hash, MatchId, OfficialMatch, Representative, Round, RoundSeed};
use ludus_arena::{Entrant, Fault, Halt, Match, Player, Program, Turn, barred, builtin};
use ludus_games::{Game, Orders, Seat, Status};
use ludus_sandbox::{Limits, PlayerModule, Sandbox};

use crate::ludus::{command, folder, walker};

const AUTHORS: u32 = 5;

/// The exit status and everything that a command writes.
fn answer(folder: &Path, words: &str) -> (i32, String) {
    let output = command(folder, words).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), format!("{}{}", text(output.stdout), text(output.stderr)))
}

fn game() -> &'static dyn Game {
    ludus_games::find("ants").unwrap()
}

/// A player of Ants that gives one order a round. The one of author 2 fails.
fn module(author: u32) -> Vec<u8> {
    walker(&format!("Player{author}"), author, if author == 2 { 20 } else { 100_000 })
}

/// The module of one player, played by that of another.
struct Imposter(Box<dyn Player>, Program);

impl Player for Imposter {
    fn play(&mut self, turn: Turn<'_>, orders: &mut Orders) -> Result<(), Fault> {
        self.0.play(turn, orders)
    }

    fn status(&self) -> Status {
        self.0.status()
    }

    fn fuel(&self) -> u64 {
        self.0.fuel()
    }

    fn program(&self) -> Program {
        self.1.clone()
    }
}

/// What plays for each author: its own module, or that of an imposter.
struct Course {
    modules: BTreeMap<Hash, Vec<u8>>,
    loaded: BTreeMap<Author, PlayerModule>,
    imposter: Option<Author>,
    /// Who is not asked, for having run past its time.
    barred: Option<Author>,
}

impl Course {
    fn new(imposter: Option<Author>) -> Course {
        let sandbox = Sandbox::new(16).unwrap();
        let loaded = (1..=AUTHORS).map(|n| (Author(n), sandbox.load(&module(n)).unwrap())).collect();
        let modules = (1..=AUTHORS).map(|n| (Hash::of(&module(n)), module(n))).collect();
        Course { modules, loaded, imposter, barred: None }
    }

    fn enter(&self, author: Author, seed: i32, seat: Seat) -> Box<dyn Player> {
        let limits = Limits::of(game().about().cpu);
        let own = Box::new(self.loaded[&author].player(limits.clone(), seed, seat));
        if self.barred == Some(author) {
            return barred(own, 7);
        }
        if self.imposter != Some(author) {
            return own;
        }
        let other = self.loaded[&Author(author.0 % AUTHORS + 1)].player(limits, seed, seat);
        Box::new(Imposter(Box::new(other), own.program()))
    }

    fn play(&self, official: &OfficialMatch) -> Vec<u8> {
        let text = game().about().default_config.as_bytes();
        let config = game().read_config(text).unwrap();
        let seed = official.seed();
        let dummy = game().about().players.iter().find(|player| player.name == "Dummy").unwrap();
        let entrants = Seat::ALL.map(|seat| match official.seats()[seat] {
            Contender::Of(author) => {
                Entrant { name: format!("Player{}", author.0), player: self.enter(author, seed, seat) }
            }
            Contender::Reserve => Entrant { name: "Dummy".to_owned(), player: builtin(dummy, seed, seat) },
        });
        let mut played = Match::new(&*config, seed, entrants).unwrap().judged();
        let mut recorder = Recorder::new(game(), text, &played);
        played.run::<Halt>(&mut [&mut recorder]).unwrap();
        recorder.finish(&played)
    }

    /// The file of a round, with or without modules.
    fn round(&self, title: &str, with_modules: bool) -> Vec<u8> {
        let field = self.loaded.iter().map(|(&author, one)| Representative { author, module: Hash(one.hash()) });
        let seed = RoundSeed::new([5; 32]);
        let mut round = Round::new(Field::new(field).unwrap(), &seed).unwrap();
        let mut replays = BTreeMap::<MatchId, Vec<u8>>::new();
        while let Some(stage) = round.stage() {
            for official in stage.matches().to_vec() {
                let replay = self.play(&official);
                round.report(official.id(), Replay::read(&replay).unwrap().ending.scores).unwrap();
                replays.insert(official.id(), replay);
            }
        }
        let player = |representative: &Representative| PlayerEntry {
            author: representative.author,
            label: title.to_owned(),
            player: format!("Player{}", representative.author.0),
            module: representative.module,
        };
        let facts = Facts {
            title: title.to_owned(),
            round: 3,
            game: "ants".to_owned(),
            config: Hash::of(game().about().default_config.as_bytes()),
            limits: Limits::of(game().about().cpu).allowance(),
            reserve: "Dummy".to_owned(),
            players: round.field().iter().map(player).collect(),
        };
        let modules = with_modules.then_some(&self.modules);
        write(facts, &round, &seed, &replays, modules, &CourseKey::new([8; 32])).unwrap()
    }

    fn write(&self, folder: &Path) {
        std::fs::write(folder.join("plain.round"), self.round("a season", false)).unwrap();
        std::fs::write(folder.join("modules.round"), self.round("a season", true)).unwrap();
        std::fs::write(folder.join("course.pub"), format!("{}\n", CourseKey::new([8; 32]).public())).unwrap();
        std::fs::create_dir(folder.join("players")).unwrap();
        for author in 1..=AUTHORS {
            std::fs::write(folder.join(format!("players/{author}.wasm")), module(author)).unwrap();
        }
        std::fs::write(folder.join("players/notes.txt"), "not a module").unwrap();
    }
}

/// What no other machine can find out is named, and the rest is proved.
#[test]
fn players_past_their_time_are_named() {
    let folder = folder!("barred");
    Course { barred: Some(Author(4)), ..Course::new(None) }.write(&folder);
    let bytes = std::fs::read(folder.join("plain.round")).unwrap();
    let file = RoundFile::read(&bytes).unwrap();
    let seats: Vec<String> = file
        .manifest
        .stages
        .iter()
        .zip(1..)
        .flat_map(|(stage, number)| {
            let of = |(place, one): (usize, &ludus_arena::season::file::MatchEntry)| {
                let seat = Seat::ALL.into_iter().find(|&seat| one.seats[seat] == Some(Author(4)))?;
                Some(format!(
                    "overtime    stage {number}, match {}, seat {}: frozen from round 7 on",
                    place + 1,
                    seat.ordinal()
                ))
            };
            stage.matches.iter().enumerate().filter_map(of).collect::<Vec<_>>()
        })
        .collect();
    for words in ["verify plain.round", "verify plain.round --modules players"] {
        let (status, proved) = answer(&folder, words);
        assert!(status == 0 && proved.starts_with("identical\n"), "{proved}");
        assert!(!seats.is_empty() && seats.iter().all(|seat| proved.contains(seat)), "{seats:?}: {proved}");
        assert_eq!(proved.matches("\novertime ").count(), seats.len(), "{proved}");
    }
    assert!(answer(&folder, "verify plain.round --modules players").1.contains("players     asked again in "));
}

#[test]
fn a_round_is_proved() {
    let folder = folder!("proved");
    Course::new(None).write(&folder);
    let (status, plain) = answer(&folder, "verify plain.round");
    assert_eq!(status, 0, "{plain}");
    let bytes = std::fs::read(folder.join("plain.round")).unwrap();
    let file = RoundFile::read(&bytes).unwrap();
    let matches = file.check().unwrap().stages().iter().map(|stage| stage.matches().len()).sum::<usize>();
    let lines: Vec<&str> = plain.lines().collect();
    assert_eq!(lines[0], "identical");
    assert_eq!(lines[1], "round       3 of 'a season'");
    let stages = file.manifest.stages.len();
    assert_eq!(lines[2], format!("played      ants: 5 players, {matches} matches, {stages} stages"));
    let (key, commitment) = (file.key, file.manifest.commitment);
    assert_eq!(lines[3], format!("signed by   {key}, compare it with the one that the course publishes"));
    assert_eq!(lines[4], format!("commitment  {commitment}, compare it with the one published before the round"));
    assert_eq!(lines[6], "players     their modules were not given: their orders were taken as recorded");
    assert!(lines[7].starts_with("reserves    Dummy, asked again in ") && lines[8].starts_with("eliminated  'Player"));
    assert_eq!(lines[9], format!("digest      {}", file.digest));

    let asked = "players     asked again in ";
    let words = format!("verify plain.round --key course.pub --commitment {commitment} --modules players");
    let (status, proved) = answer(&folder, &words);
    assert!(status == 0 && proved.starts_with("identical\n") && proved.contains(asked), "{proved}");
    assert_eq!(proved.matches(", as given\n").count(), 2, "{proved}");
    let (status, proved) = answer(&folder, &format!("verify modules.round --key {key}"));
    assert!(status == 0 && proved.contains(asked), "{proved}");
}

#[test]
fn what_does_not_hold_is_named() {
    let folder = folder!("named");
    Course::new(None).write(&folder);
    let check = |words: &str, status: i32, messages: &[&str]| {
        let (found, line) = answer(&folder, words);
        assert_eq!(found, status, "{words}: {line}");
        assert_eq!(line.trim_end().lines().count(), 1, "{words}: {line}");
        assert!(messages.iter().all(|message| line.contains(message)), "{words}: {line}");
    };
    let other = "0".repeat(64);
    check(&format!("verify plain.round --key {other}"), 1, &["it is signed by the key ", ", not by 0000"]);
    check(&format!("verify plain.round --commitment {other}"), 1, &["the commitment is ", "was published"]);
    check(
        "verify plain.round --key nothing",
        2,
        &["error: --key is neither 64 hexadecimal digits nor a file: nothing"],
    );
    check("verify plain.round --key players/notes.txt", 2, &["expected 64 hexadecimal digits"]);
    check("verify plain.round --player players/1.wasm", 2, &["error: --player is for a replay"]);
    check("verify plain.round --modules nowhere", 2, &["cannot read nowhere"]);
    check("verify course.pub --modules players", 2, &["error: --modules is for a round file, and course.pub is none"]);

    let whole = std::fs::read(folder.join("modules.round")).unwrap();
    let spoil = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        std::fs::write(folder.join("spoilt.round"), bytes).unwrap();
    };
    spoil(60);
    check("verify spoilt.round", 1, &["the signature is not that of the key "]);
    let manifest = u32::from_le_bytes(whole[104..108].try_into().unwrap()) as usize;
    spoil(108 + manifest + 50);
    check("verify spoilt.round", 1, &["stage 1, match 1: the replay was changed"]);
    spoil(whole.len() - 1);
    check("verify spoilt.round", 1, &["stage 1, match ", "the module of 'Player5' of author 5 was changed"]);
    std::fs::write(folder.join("spoilt.round"), &whole[..whole.len() - 1]).unwrap();
    check("verify spoilt.round", 2, &["error: spoilt.round: it breaks off, or bytes were added to it"]);
    std::fs::write(folder.join("spoilt.round"), b"\x93ROUND\x09\x00").unwrap();
    check("verify spoilt.round", 2, &["error: spoilt.round: it is a round file of format 9"]);

    let mut changed = module(4);
    changed.extend_from_slice(b"\0\x02\x01x");
    std::fs::write(folder.join("players/4.wasm"), changed).unwrap();
    let missing = ["stage 1, match ", "the module of 'Player4' of author 4 is not in players"];
    check("verify plain.round --modules players", 2, &missing);
}

/// A replay of legal orders that the player would not give holds until its
/// module is asked.
#[test]
fn an_imposter_is_found_out_by_the_module() {
    let folder = folder!("imposter");
    Course::new(Some(Author(3))).write(&folder);
    let (status, text) = answer(&folder, "verify plain.round");
    assert!(status == 0 && text.starts_with("identical\n"), "{text}");
    let (status, line) = answer(&folder, "verify plain.round --modules players");
    assert_eq!(status, 1, "{line}");
    assert!(
        line.starts_with("stage 1, match ")
            && line.contains("played again, the replay is not identical: round 1, seat")
    );
    assert_eq!(answer(&folder, "verify modules.round"), (1, line));
}

#[test]
fn texts_of_a_round_do_not_command_the_terminal() {
    let folder = folder!("texts");
    let harm = "\u{1b}[2J\u{202e}a\nidentical";
    std::fs::write(folder.join("harm.round"), Course::new(None).round(harm, false)).unwrap();
    let (status, text) = answer(&folder, "verify harm.round");
    assert_eq!(status, 0, "{text:?}");
    assert!(!text.contains(['\u{1b}', '\u{202e}']) && text.matches("\nidentical").count() == 0, "{text:?}");
}
