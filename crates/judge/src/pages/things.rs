//! The things of a game as the board shows them, drawn from its legend.

use ludus_games::Game;
use ludus_scenes::{Colour, Drawing, Layer, Legend, Text, scenery};
use maud::{Markup, html};

use crate::texts::{self, Language};
use crate::web::Visitor;

/// Names with a picture each; things of one name stand side by side.
type Named<'a> = Vec<(&'a str, Vec<Markup>)>;

/// All that there is to see in a game, with its names.
pub fn things(visitor: &Visitor, game: &dyn Game) -> Markup {
    let legend = scenery(game).legend;
    let word = |text: &Text| match visitor.language {
        Language::English => text.en,
        Language::Catalan => text.ca,
        Language::Spanish => text.es,
    };
    let mut units = Named::new();
    for kind in legend.kinds {
        add(&mut units, word(&kind.name), drawn(legend, kind.drawing));
    }
    let mut marks = Named::new();
    for mark in legend.badges.iter().chain(legend.overlays) {
        add(&mut marks, word(&mark.name), drawn(legend, mark.drawing));
    }
    let (mut ground, mut seen) = (Named::new(), Vec::new());
    for kind in legend.cells {
        // A river has a kind of cell for every bend.
        if !seen.contains(&(kind.name.en, kind.fill)) {
            seen.push((kind.name.en, kind.fill));
            add(&mut ground, word(&kind.name), square(legend, kind.fill, kind.drawing));
        }
    }
    let groups = [(texts::THINGS_UNITS, units), (texts::THINGS_MARKS, marks), (texts::THINGS_GROUND, ground)];
    html! {
        @for (title, entries) in groups.iter().filter(|(_, entries)| !entries.is_empty()) {
            h3 { (visitor.t(*title)) }
            ul.things { @for (name, pictures) in entries { li { span.pictures { @for picture in pictures { (picture) } } (name) } } }
        }
    }
}

fn add<'a>(named: &mut Named<'a>, name: &'a str, picture: Markup) {
    match named.iter_mut().find(|(known, _)| *known == name) {
        Some((_, pictures)) => pictures.push(picture),
        None => named.push((name, vec![picture])),
    }
}

/// Something on the plainest ground, in the colours of the first seat.
fn drawn(legend: &Legend, drawing: usize) -> Markup {
    let ground = legend.cells.first().map_or("#888888", |cell| cell.fill);
    square(legend, ground, Some(drawing))
}

/// A cell with some room around it, since drawings reach out of theirs.
fn square(legend: &Legend, ground: Colour, drawing: Option<usize>) -> Markup {
    let layers = drawing.map_or(&[][..], |drawing| {
        let Drawing(layers) = legend.drawings[drawing];
        layers
    });
    html! {
        svg viewBox="-12 -12 124 124" width="34" height="34" aria-hidden="true" {
            rect x="-12" y="-12" width="124" height="124" fill=(colour(legend, ground)) {}
            @for layer in layers {
                path d=(path_of(layer)) fill=(layer.fill.map_or("none", |fill| colour(legend, fill)))
                    stroke=[layer.stroke.map(|(stroke, _)| colour(legend, stroke))] stroke-width=[layer.stroke.map(|(_, width)| width)]
                    stroke-linecap="round" stroke-linejoin="round" {}
            }
        }
    }
}

fn path_of(layer: &Layer) -> String {
    let mut data = Vec::new();
    layer.shape.write_path(&mut data);
    String::from_utf8_lossy(&data).into_owned()
}

/// A colour of a legend; those of seats are the first seat's where none is named.
fn colour(legend: &Legend, colour: Colour) -> Colour {
    let seat = |number: &str| &legend.seats[number.parse::<usize>().unwrap_or(0).min(3)];
    match (colour.strip_prefix("seat"), colour.strip_prefix("pale")) {
        (Some(number), _) => seat(number).strong,
        (_, Some(number)) => seat(number).pale,
        _ => colour,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thing_of_every_game_is_drawn() {
        for game in ludus_games::GAMES {
            let drawn = things(&Visitor::unknown("/"), *game).into_string();
            let legend = scenery(*game).legend;
            for kind in legend.kinds {
                assert!(drawn.contains(&format!("</span>{}<", kind.name.en)), "{}: {}", game.about().id, kind.name.en);
            }
            assert!(drawn.matches("<svg").count() > legend.kinds.len());
            for wrong in ["fill=\"seat", "fill=\"pale", "d=\"\"", "style=", "player 0"] {
                assert!(!drawn.contains(wrong), "{}: {wrong}", game.about().id);
            }
        }
    }
}
