//! Writes the scenes of a match between players that come with the game, as
//! the JSON document of `docs/scenes.md`:
//!
//! ```text
//! cargo run --example scene ants 1 Demo Dummy Demo Dummy > ants.json
//! ```

use std::io::Write as _;

use ludus_arena::Match;
use ludus_games::Past;
use ludus_scenes::{Opening, SceneWriter};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [id, seed, names @ ..] = &arguments[..] else { return Err("usage: scene GAME SEED [PLAYER…]".into()) };
    let game = ludus_games::find(id).ok_or("no such game")?;
    let mut players = Vec::new();
    for seat in 0..4 {
        let name = names.get(seat % names.len().max(1)).map_or("Demo", |name| name);
        let player = game.about().players.iter().find(|player| player.name == name);
        players.push(player.ok_or_else(|| format!("{id} has no player named {name}"))?);
    }
    let config = game.read_config(game.about().default_config.as_bytes())?;
    let mut game_match = Match::between(&*config, seed.parse()?, [players[0], players[1], players[2], players[3]])?;
    let opening = Opening { game, header: game_match.header(), cpu: false, damage: None };
    let mut writer = SceneWriter::new(&opening, game_match.state());
    while !game_match.is_over() {
        let before = game_match.engine().snapshot();
        game_match.play_round()?;
        let engine = game_match.engine();
        let past = Past { before: before.state(), done: engine.done(), asked: Some(game_match.accepted()) };
        writer.frame(engine.state(), &past);
    }
    std::io::stdout().write_all(&writer.finish())?;
    Ok(())
}
