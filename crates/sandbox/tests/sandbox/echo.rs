//! The whole of what players see: a player in each language asks for everything
//! that its SDK tells, writes it down again in the published layout and hashes
//! it; the hashes are those of the bytes that the host gave it.

use std::path::Path;

use ludus_games::{GAMES, Game, Seat};
use ludus_sandbox::Limits;
use ludus_sandbox::build::Language;

use crate::{against_demo, builder, load};

fn file(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/echo").join(name)).unwrap()
}

fn source(game: &str, language: Language) -> String {
    match language {
        Language::Cpp => {
            let text = file(&format!("{game}.cc"));
            let header = if text.contains("aibase.h") { "#include \"aibase.h\"" } else { "#include \"Player.hh\"" };
            text.replacen(header, &format!("#include <bits/stdc++.h>\n{header}\n{}", file("echo.hh")), 1)
        }
        Language::Rust => file(&format!("{game}.rs")) + &file("echo.rs"),
    }
}

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(14_695_981_039_346_656_037, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(1_099_511_628_211))
}

/// What a player should have told after a match: the settings and every state.
fn play(game: &dyn Game, language: Language, seat: usize) {
    let id = game.about().id;
    let wasm = builder().build(id, language, source(id, language).as_bytes());
    let module = load(&wasm.unwrap_or_else(|error| panic!("{id} {language:?}: {error}")));
    let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
    let mut played = against_demo(game, &*config, 11, seat, &module, &Limits::none());
    let mut bytes = Vec::new();
    game.write_settings(played.state(), &mut bytes);
    let settings = format!("settings {}", hash(&bytes));
    let mut states = Vec::new();
    while !played.is_over() {
        bytes.clear();
        game.write_view(played.state(), Seat::ALL[seat], &mut bytes);
        if id == "requiem" {
            // The seed of the generator cannot be asked for.
            bytes[8..12].fill(0);
        }
        states.push(format!("state {}", hash(&bytes)));
        played.play_round().unwrap();
    }
    assert_eq!(played.outcome().seats[seat].fault, None, "{id} {language:?}");
    let mut told = Vec::new();
    played.take_output(Seat::ALL[seat], &mut told);
    let told = String::from_utf8(told).unwrap();
    let mut told: Vec<&str> = told.lines().collect();
    // The API of the oldest game does not tell the settings.
    if !(id == "requiem" && language == Language::Cpp) {
        assert_eq!(told.remove(0), settings, "{id} {language:?}");
    }
    assert_eq!(told.len(), states.len(), "{id} {language:?}");
    for (round, (told, state)) in told.into_iter().zip(states).enumerate() {
        assert_eq!(told, state, "{id} {language:?}: what is seen before round {round}");
    }
}

#[test]
fn players_see_all_that_there_is_in_both_languages() {
    for (k, game) in GAMES.iter().enumerate() {
        play(*game, Language::Cpp, k % 4);
        play(*game, Language::Rust, (k + 2) % 4);
    }
}
