//! The example of every game opens the door to a season, and the bare starter
//! does not: the verification of `ludus-judge`, played as it plays it.
//!
//! A season is a seed here. The short form plays few of them; to see the share
//! of seasons in which an example is accepted, ask for more:
//!
//! ```text
//! SEASONS=400 cargo test -p ludus-sandbox door:: -- --nocapture
//! SEASONS=400 GAME=ants cargo test -p ludus-sandbox door:: -- --nocapture
//! ```

use std::path::Path;

use ludus_arena::{Entrant, Match, builtin};
use ludus_games::{Config, GAMES, Game, Seat};
use ludus_sandbox::build::Language;
use ludus_sandbox::{Limits, PlayerModule};

use super::{builder, load};

/// Seasons of the short form.
const SEASONS: i32 = 3;

/// The first seed: none that anything was tuned on.
const FIRST: i32 = 800_000;

/// One season in so many may turn an example away, and so may one in fewer.
const ONE_IN: i32 = 100;

struct Door<'a> {
    game: &'a dyn Game,
    config: Box<dyn Config>,
}

impl<'a> Door<'a> {
    fn to(game: &'a dyn Game) -> Door<'a> {
        let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
        Door { game, config }
    }

    /// The player of a file, by the name of the player.
    fn player(&self, name: &str, language: Language) -> PlayerModule {
        let file = match language {
            Language::Cpp => format!("AI{name}.cc"),
            Language::Rust => format!("{name}.rs"),
        };
        let id = self.game.about().id;
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content").join(id).join("players").join(file);
        load(&builder().build(id, language, &std::fs::read(path).unwrap()).unwrap())
    }

    fn seated(&self, module: &PlayerModule, seed: i32, seat: Seat) -> Entrant {
        let player = module.player(Limits::of(self.game.about().cpu), seed, seat);
        Entrant { name: "Player".to_owned(), player: Box::new(player) }
    }

    /// A match against three Dummies.
    fn against_dummies(&self, module: &PlayerModule, seed: i32, own: Seat) -> Match {
        let dummy = self.game.about().players.iter().find(|player| player.name == "Dummy").unwrap();
        let entrants = Seat::ALL.map(|seat| match seat == own {
            true => self.seated(module, seed, seat),
            false => Entrant { name: "Dummy".to_owned(), player: builtin(dummy, seed, seat) },
        });
        Match::new(&*self.config, seed, entrants).unwrap()
    }

    /// Four copies without a fault, then the best score, alone, in every seat.
    fn accepts(&self, module: &PlayerModule, seed: i32) -> bool {
        let copies = Seat::ALL.map(|seat| self.seated(module, seed, seat));
        let outcome = Match::new(&*self.config, seed, copies).unwrap().play_out().unwrap();
        outcome.seats.iter().all(|seat| seat.fault.is_none())
            && Seat::ALL.into_iter().all(|own| {
                let scores = self.against_dummies(module, seed, own).play_out().unwrap().seats.map(|seat| seat.score);
                Seat::ALL.into_iter().all(|seat| seat == own || scores[seat] < scores[own])
            })
    }

    fn share(&self, module: &PlayerModule, seasons: i32) -> i32 {
        (FIRST..FIRST + seasons).filter(|&seed| self.accepts(module, seed)).count() as i32
    }
}

/// The example that the site puts into the form: the strongest of the ladder
/// that does not come built in.
fn example(game: &dyn Game) -> &'static str {
    let about = game.about();
    let is_built_in = |name: &str| about.players.iter().any(|player| player.name == name);
    about.ladder.iter().rev().find(|rung| !is_built_in(rung.name)).unwrap().name
}

/// The games that were asked for, all of them if none was.
fn games() -> impl Iterator<Item = &'static dyn Game> {
    let asked = std::env::var("GAME").ok();
    GAMES.iter().copied().filter(move |game| asked.as_ref().is_none_or(|id| game.about().id == id))
}

#[test]
fn the_example_of_every_game_is_accepted_in_its_seasons() {
    let seasons: i32 = std::env::var("SEASONS").map_or(SEASONS, |number| number.parse().unwrap());
    for game in games() {
        let (door, name) = (Door::to(game), example(game));
        for language in [Language::Cpp, Language::Rust] {
            let accepted = door.share(&door.player(name, language), seasons);
            println!("{}: {name} in {language:?} is accepted in {accepted} of {seasons} seasons", game.about().id);
            assert!(seasons - accepted <= (seasons / ONE_IN).max(1), "{}: {accepted} of {seasons}", game.about().id);
        }
    }
}

/// So what holds of one holds of the other. Orders themselves may differ where
/// they do nothing: one says that a unit stays, the other says nothing.
#[test]
fn the_examples_in_rust_play_the_matches_of_those_in_cpp() {
    for game in games() {
        let (door, name) = (Door::to(game), example(game));
        let modules = [Language::Cpp, Language::Rust].map(|language| door.player(name, language));
        for seat in Seat::ALL {
            let seed = FIRST + seat.index() as i32;
            let [mut cpp, mut rust] = modules.each_ref().map(|module| door.against_dummies(module, seed, seat));
            while !cpp.is_over() {
                cpp.play_round().unwrap();
                rust.play_round().unwrap();
                let digests = [&cpp, &rust].map(|played| played.engine().digest());
                assert_eq!(digests[0], digests[1], "{name}, seed {seed}, round {}", cpp.state().round());
            }
        }
    }
}

#[test]
fn the_bare_starter_is_not_accepted() {
    for game in games() {
        let door = Door::to(game);
        for language in [Language::Cpp, Language::Rust] {
            let starter = door.player("Null", language);
            assert_eq!(door.share(&starter, SEASONS), 0, "{}", game.about().id);
        }
    }
}
