//! Draws a match between players that come with the game, one round as PNG or
//! some rounds as GIF:
//!
//! ```text
//! cargo run --example picture ants 1 120 20 Demo Dummy > ants.png
//! cargo run --example picture ants 1 100..140 12 Demo Dummy > ants.gif
//! ```

use std::io::Write as _;

use ludus_arena::Match;
use ludus_games::State;
use ludus_games::scene::{Opening, Past};
use ludus_view::picture::{GifWriter, PngWriter};

enum Writer {
    Png(PngWriter),
    Gif(GifWriter),
}

impl Writer {
    fn frame(&mut self, state: &dyn State, past: &Past<'_>) {
        match self {
            Writer::Png(writer) => writer.frame(state, past),
            Writer::Gif(writer) => writer.frame(state, past),
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [id, seed, rounds, scale, names @ ..] = &arguments[..] else {
        return Err("usage: picture GAME SEED ROUND|A..B SCALE [PLAYER…]".into());
    };
    let game = ludus_games::find(id).ok_or("no such game")?;
    let mut players = Vec::new();
    for seat in 0..4 {
        let name = names.get(seat % names.len().max(1)).map_or("Demo", |name| name);
        let player = game.about().players.iter().find(|player| player.name == name);
        players.push(player.ok_or_else(|| format!("{id} has no player named {name}"))?);
    }
    let config = game.read_config(game.about().default_config.as_bytes())?;
    let mut played = Match::between(&*config, seed.parse()?, [players[0], players[1], players[2], players[3]])?;
    let opening = Opening { game, header: played.header(), cpu: false, damage: None };
    let scale = Some(scale.parse()?);
    let mut writer = match rounds.split_once("..") {
        None => Writer::Png(PngWriter::new(&opening, played.state(), rounds.parse()?, scale)?),
        Some((a, b)) => Writer::Gif(GifWriter::new(&opening, played.state(), a.parse()?..=b.parse()?, scale)?),
    };
    while !played.is_over() {
        let before = played.engine().snapshot();
        played.play_round()?;
        let past = Past { before: before.state(), done: played.engine().done(), asked: Some(played.accepted()) };
        writer.frame(played.state(), &past);
    }
    let file = match writer {
        Writer::Png(writer) => writer.finish()?,
        Writer::Gif(writer) => writer.finish()?,
    };
    std::io::stdout().write_all(&file)?;
    Ok(())
}
