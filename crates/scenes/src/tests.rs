//! Legends must be complete: a viewer has nothing else to go by.

use ludus_games::GAMES;

use super::{Colour, Drawing, FROZEN, Legend, SCENERIES, Text, scenery};

#[test]
fn every_game_has_one_scenery() {
    let ids = |games: &mut dyn Iterator<Item = &'static str>| games.collect::<Vec<_>>();
    let drawn = ids(&mut SCENERIES.iter().map(|scenery| scenery.game.about().id));
    assert_eq!(drawn, ids(&mut GAMES.iter().map(|game| game.about().id)));
}

#[test]
fn legends_are_complete() {
    for game in GAMES {
        let (id, legend) = (game.about().id, scenery(*game).legend);
        assert!(legend.ticks > 0, "{id}");
        check_words(id, legend);
        check_drawings(id, legend);
        check_indices(id, legend);
    }
}

fn check_words(id: &str, legend: &Legend) {
    let plain = legend.cells.iter().map(|cell| cell.name);
    let plain = plain.chain(legend.kinds.iter().map(|kind| kind.name));
    let plain = plain.chain(legend.badges.iter().map(|badge| badge.name));
    let plain = plain.chain(legend.overlays.iter().map(|overlay| overlay.name));
    let plain = plain.chain(legend.facts.iter().chain(legend.verbs).map(|named| named.name));
    let plain = plain.chain(legend.panel.iter().map(|value| value.name));
    let plain = plain.chain(legend.moods.iter().map(|mood| mood.name)).chain([legend.help]);
    plain.for_each(|text| check_text(id, text, &[]));
    for event in legend.events.iter().chain([&FROZEN]) {
        check_text(id, event.name, &["{seat}", "{other}", "{item}", "{cell}", "{value}"]);
    }
}

/// Three languages, with the same places to be filled in.
fn check_text(id: &str, Text { en, ca, es }: Text, places: &[&str]) {
    for words in [en, ca, es] {
        assert!(!words.trim().is_empty(), "{id}: {en} lacks a language");
        assert!(!words.contains("  "), "{id}: {words}");
        let braces = words.matches('{').count();
        let known: usize = places.iter().map(|place| words.matches(place).count()).sum();
        assert_eq!(braces, known, "{id}: {words}");
        for place in places {
            assert_eq!(words.matches(place).count(), en.matches(place).count(), "{id}: {words} and {en}");
        }
    }
}

fn check_drawings(id: &str, legend: &Legend) {
    for drawing in legend.drawings {
        assert!(!drawing.0.is_empty(), "{id}: an empty drawing");
        check_layers(id, drawing);
    }
    for colours in &legend.seats {
        check_colour(id, colours.strong);
        check_colour(id, colours.pale);
    }
    legend.cells.iter().for_each(|cell| check_colour(id, cell.fill));
    legend.moods.iter().filter_map(|mood| mood.tint).for_each(|tint| check_colour(id, tint));
}

fn check_layers(id: &str, drawing: &Drawing) {
    for layer in drawing.0 {
        assert!(layer.fill.is_some() || layer.stroke.is_some(), "{id}: a layer that cannot be seen");
        layer.fill.into_iter().for_each(|fill| check_colour(id, fill));
        if let Some((stroke, width)) = layer.stroke {
            check_colour(id, stroke);
            assert!((1..=40).contains(&width), "{id}: a stroke of {width}");
        }
        let mut path = Vec::new();
        layer.shape.write_path(&mut path);
        check_path(id, std::str::from_utf8(&path).unwrap());
    }
}

fn check_colour(id: &str, colour: Colour) {
    let seat = colour.strip_prefix("seat").or(colour.strip_prefix("pale"));
    let is_token = matches!(seat, Some("" | "0" | "1" | "2" | "3"));
    let is_hex = colour.strip_prefix('#').is_some_and(|digits| {
        matches!(digits.len(), 6 | 8) && digits.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'))
    });
    assert!(is_token || is_hex, "{id}: {colour}");
}

/// Commands with as many numbers as they need, within three cells of the middle.
fn check_path(id: &str, path: &str) {
    assert!(path.starts_with('M'), "{id}: {path}");
    let mut words = path.split(' ').peekable();
    while let Some(word) = words.next() {
        let (command, first) = word.split_at(1);
        let count = match command {
            "M" | "L" => 2,
            "Q" => 4,
            "C" => 6,
            "Z" => 0,
            _ => panic!("{id}: {word} in {path}"),
        };
        let numbers: Vec<&str> = [first].into_iter().filter(|_| count > 0).collect();
        let rest = (1..count).map(|_| words.next().unwrap_or_else(|| panic!("{id}: {path} breaks off")));
        for number in numbers.into_iter().chain(rest) {
            let value: i32 = number.replace('.', "").parse().unwrap_or_else(|_| panic!("{id}: {number} in {path}"));
            let value = if number.contains('.') { value / 10 } else { value };
            assert!((-100..=200).contains(&value), "{id}: {number} in {path}");
        }
    }
}

fn check_indices(id: &str, legend: &Legend) {
    let drawings = legend.cells.iter().filter_map(|cell| cell.drawing);
    let drawings = drawings.chain(legend.kinds.iter().map(|kind| kind.drawing));
    let drawings = drawings.chain(legend.badges.iter().map(|badge| badge.drawing));
    let drawings: Vec<usize> = drawings.chain(legend.overlays.iter().map(|overlay| overlay.drawing)).collect();
    assert!(drawings.iter().all(|&drawing| drawing < legend.drawings.len()), "{id}");
    for (number, _) in legend.drawings.iter().enumerate() {
        assert!(drawings.contains(&number), "{id}: nothing uses drawing {number}");
    }
    assert!(legend.facts.len() <= super::Item::MOST_FACTS, "{id}");
    assert!(legend.panel.len() <= super::Scene::MOST_PANEL_VALUES, "{id}");
    assert!(legend.badges.len() < 31, "{id}");
    assert!(legend.cells.len() <= 256, "{id}");
}
