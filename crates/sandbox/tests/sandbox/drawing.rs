//! What players draw is kept for whoever looks, costs the same if nobody does,
//! and changes no replay of those who draw nothing.

use ludus_arena::replay::{DrawingLayer, Recorder, Replay, Shape};
use ludus_arena::{Entrant, Match, builtin};
use ludus_games::Seat;
use ludus_games::game::Stuck;
use ludus_sandbox::build::Language;
use ludus_sandbox::{Limits, PlayerModule};

use crate::{builder, load};

const CPP: &str = r#"
#include "Player.hh"
#include "draw.hh"
#define PLAYER_NAME Draws
struct PLAYER_NAME : public Player {
  static Player* factory() { return new PLAYER_NAME; }
  void play() override {
    if (round() != 2) return;
    draw::cell(1, 2);
    draw::line(Pos(0, 0), Pos(3, 4), draw::rgb(255, 128, 0));
    draw::text(Pos(5, 6), "here");
    draw::note(7, std::string(100, 'x'));
    for (int k = 0; k < 5000; ++k) draw::cell(k, k);
  }
};
RegisterPlayer(PLAYER_NAME);
"#;

const RUST: &str = r#"
use ludus_player::dominator::*;
use ludus_player::draw;
struct Draws;
impl Player for Draws {
    fn new(_: &Game) -> Self { Draws }
    fn play(&mut self, game: &Game) {
        if game.round() == 2 {
            draw::cell(Pos { i: 1, j: 2 }, draw::OWN);
            draw::line(Pos { i: 0, j: 0 }, Pos { i: 3, j: 4 }, draw::rgb(255, 128, 0));
        }
    }
}
player!(Draws, "Draws");
"#;

/// The replay of a match of a module in a seat, with its layer if anybody looks,
/// and the fuel that it used.
fn play(game: &str, module: &PlayerModule, in_seat: Seat, watched: bool) -> (Vec<u8>, Vec<u8>, u64) {
    let game = ludus_games::find(game).unwrap();
    let text = game.about().default_config.as_bytes();
    let config = game.read_config(text).unwrap();
    let null = game.about().player("Null").unwrap();
    let entrants = Seat::ALL.map(|seat| {
        let player = module.player(Limits::of(game.about().cpu), 1, seat);
        let player = if watched { player.watched() } else { player };
        match seat == in_seat {
            true => Entrant { name: "Draws".to_owned(), player: Box::new(player) },
            false => Entrant { name: "Null".to_owned(), player: builtin(null, 1, seat) },
        }
    });
    let mut played = Match::new(&*config, 1, entrants).unwrap();
    let mut recorder = Recorder::new(game, text, &played);
    let mut layer = DrawingLayer::default();
    played.run::<Stuck>(&mut [&mut recorder, &mut layer]).unwrap();
    let fuel = played.player(in_seat).fuel();
    let plain = recorder.finish(&played);
    (plain.clone(), layer.add_to(plain), fuel)
}

#[test]
fn drawings_are_a_layer_of_the_replay() {
    let built = builder().build("ants", Language::Cpp, CPP.as_bytes()).unwrap();
    let module = load(&built);
    let (plain, with, fuel) = play("ants", &module, Seat::ALL[1], true);
    let (same, nothing, unwatched) = play("ants", &module, Seat::ALL[1], false);
    assert_eq!(plain, same, "nobody can tell from a match whether somebody looked");
    assert_eq!(nothing, same, "a replay without drawings has no layer");
    assert_eq!(fuel, unwatched);
    let (before, replay) = (Replay::read(&plain).unwrap(), Replay::read(&with).unwrap());
    assert!(replay.is_whole() && before.drawings().is_empty());
    let mut rounds = replay.rounds();
    let mut count = 0;
    while let Some(round) = rounds.next_round() {
        round.unwrap();
        count += 1;
    }
    assert_eq!(count, 250);
    let drawings = replay.drawings();
    assert_eq!(drawings.len(), 1000, "a round has room for so many");
    assert!(drawings.iter().all(|drawing| drawing.round == 2 && drawing.seat == Seat::ALL[1]));
    assert_eq!(drawings[0].drawn.shape, Shape::Cell { row: 1, col: 2 });
    assert_eq!((drawings[0].drawn.colour, drawings[1].drawn.colour), (None, Some(0xff_8000)));
    assert_eq!(drawings[1].drawn.shape, Shape::Line { from: (0, 0), to: (3, 4) });
    assert_eq!((drawings[2].drawn.shape, &*drawings[2].drawn.text), (Shape::Text { row: 5, col: 6 }, "here"));
    assert_eq!((drawings[3].drawn.shape, &*drawings[3].drawn.text), (Shape::Note { unit: 7 }, &*"x".repeat(80)));
}

/// Who sees a board that is turned draws on the one that everybody sees.
#[test]
fn drawings_lie_on_the_true_board() {
    let built = builder().build("dominator", Language::Rust, RUST.as_bytes()).unwrap();
    let module = load(&built);
    for (seat, expected) in [(0, (1, 2)), (1, (34, 1)), (2, (35, 34)), (3, (2, 35))] {
        let (_, with, _) = play("dominator", &module, Seat::ALL[seat], true);
        let drawings = Replay::read(&with).unwrap().drawings();
        assert_eq!(drawings[0].drawn.shape, Shape::Cell { row: expected.0, col: expected.1 }, "seat {seat}");
    }
}

/// What is wrong with a drawing is wrong whether anybody looks or not.
#[test]
fn a_text_from_nowhere_ends_the_player_everywhere() {
    let nowhere = "ludus_draw(3, 0, 1, 2, 0, 0, (const char*)0x7ffffff0, 80);";
    let outside = CPP.replace("draw::cell(1, 2);", nowhere);
    assert_ne!(outside, CPP);
    let built = builder().build("ants", Language::Cpp, outside.as_bytes()).unwrap();
    let module = load(&built);
    let (watched, _, fuel) = play("ants", &module, Seat::ALL[1], true);
    let (unwatched, _, same) = play("ants", &module, Seat::ALL[1], false);
    assert_eq!((watched, fuel), (unwatched.clone(), same));
    assert!(Replay::read(&unwatched).unwrap().ending.faults[Seat::ALL[1]].is_some());
}
