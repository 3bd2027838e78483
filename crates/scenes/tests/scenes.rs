//! Scenes of every game: what is written can be read back, frame by frame, and
//! refers to nothing that its legend does not have.

use std::collections::BTreeMap;

use ludus_arena::Match;
use ludus_games::record::Record;
use ludus_games::{Engine, GAMES, Game, Generator, Orders, Past, PerSeat, Seat};
use ludus_scenes::{Event, Frames, Item, Legend, Opening, Scene, SceneWriter, scenery};
use serde_json::Value;

/// A frame as far as the document tells it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Frame {
    cells: Vec<u8>,
    items: BTreeMap<i64, Vec<i64>>,
    overlays: Vec<i64>,
    panel: Vec<Vec<i64>>,
    scores: Vec<i64>,
    status: Vec<String>,
    mood: i64,
    events: Vec<i64>,
}

impl Frame {
    fn of(scene: &Scene, legend: &Legend) -> Frame {
        let fields = Item::PLAIN_FIELDS + legend.facts.len();
        let numbers = |item: &Item| item.fields()[..fields].iter().map(|&field| field.into()).collect();
        Frame {
            cells: scene.cells.clone(),
            items: scene.items.iter().map(|item| (item.id.into(), numbers(item))).collect(),
            overlays: scene.overlays.iter().flat_map(|&(kind, cell)| [kind.into(), cell.into()]).collect(),
            panel: scene.panel.iter().map(|panel| panel[..legend.panel.len()].to_vec()).collect(),
            scores: scene.scores.to_vec(),
            status: scene.status.iter().map(ToString::to_string).collect(),
            mood: scene.mood as i64,
            events: scene.events.iter().flat_map(words).collect(),
        }
    }

    /// The frame that follows this one by the rules of `docs/scenes.md`.
    fn follow(&mut self, changes: &Value, fields: usize) {
        self.events.clear();
        for (key, value) in changes.as_object().unwrap() {
            match key.as_str() {
                "board" => {
                    let runs = ints(value);
                    self.cells = runs.chunks(2).flat_map(|run| vec![run[1] as u8; run[0] as usize]).collect();
                }
                "c" => ints(value).chunks(2).for_each(|change| self.cells[change[0] as usize] = change[1] as u8),
                "i" => self.change_items(&ints(value), fields),
                "g" => ints(value).iter().for_each(|id| assert!(self.items.remove(id).is_some(), "{id} was not there")),
                "o" => self.overlays = ints(value),
                "p" => self.panel = value.as_array().unwrap().iter().map(ints).collect(),
                "s" => self.scores = ints(value),
                "u" => self.status = value.as_array().unwrap().iter().map(ToString::to_string).collect(),
                "m" => self.mood = value.as_i64().unwrap(),
                "e" => self.events = ints(value),
                _ => panic!("unknown key {key}"),
            }
        }
    }

    fn change_items(&mut self, mut words: &[i64], fields: usize) {
        while let [id, mask, rest @ ..] = words {
            let is_new = !self.items.contains_key(id);
            let item = self.items.entry(*id).or_insert_with(|| vec![0; fields]);
            assert!(*mask > 0 && *mask < 1 << fields, "mask {mask}");
            assert!(!is_new || *mask == (1 << fields) - 1, "a new item has all fields");
            words = rest;
            for (_, field) in item.iter_mut().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1) {
                *field = words[0];
                words = &words[1..];
            }
        }
    }
}

fn words(event: &Event) -> [i64; 6] {
    [event.kind as i64, event.seat.into(), event.other.into(), event.item.into(), event.cell.into(), event.value.into()]
}

fn ints(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect()
}

/// The frames of a document.
fn decode(document: &Value, legend: &Legend) -> Vec<Frame> {
    let mut frame = Frame::default();
    let frames = document["frames"].as_array().unwrap().iter();
    frames
        .map(|changes| {
            frame.follow(changes, Item::PLAIN_FIELDS + legend.facts.len());
            // A status is a real number; its text may differ.
            frame.status = frame.status.iter().map(|status| status.replace(".0", "")).collect();
            frame.clone()
        })
        .collect()
}

/// The orders of Demo or Veteran, some of them with another last word or for
/// another unit.
fn orders(
    engine: &dyn Engine,
    seat: Seat,
    player: &mut dyn ludus_games::game::BuiltinPlayer,
    generator: &mut Generator,
) -> Orders {
    let (mut asked, mut spoilt, mut accepted) = (Orders::new(), Orders::new(), Orders::new());
    player.play(engine.state(), &mut asked);
    for order in asked.iter() {
        let mut order = order.to_vec();
        match generator.random(0, 19) {
            0..3 => *order.last_mut().unwrap() = generator.random(-1, 9),
            3 => order[0] = generator.random(-3, 200),
            _ => {}
        }
        spoilt.push(&order);
    }
    engine.accept(seat, &spoilt, &mut accepted).unwrap();
    accepted
}

/// Plays a match, giving the engine, what led to it and, after the first time,
/// the state before.
fn play(game: &dyn Game, seed: i32, mut look: impl FnMut(&dyn Engine, Option<(&dyn Engine, &PerSeat<Orders>)>)) {
    let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
    let mut engine = config.start(seed).unwrap();
    let mut players = Seat::ALL.map(|seat| {
        let name = if seat.index() % 2 == 0 { "Demo" } else { "Veteran" };
        let player = game.about().player(name).unwrap();
        (player.new)(seed, seat)
    });
    let mut generator = Generator::new(seed);
    look(&*engine, None);
    while engine.state().round() < engine.state().rounds() {
        let asked = Seat::ALL.map(|seat| orders(&*engine, seat, &mut *players[seat], &mut generator));
        let before = engine.snapshot();
        engine.step(&asked).unwrap();
        look(&*engine, Some((&*before, &asked)));
    }
}

fn header() -> ludus_games::record::Header {
    let names = ["</script>", "\"\\\n", "Núria\u{2028}", ""].map(str::to_owned);
    ludus_games::record::Header { judged: false, seed: -5, names }
}

#[test]
fn documents_give_the_frames_back() {
    for game in GAMES {
        let (legend, header) = (scenery(*game).legend, header());
        for seed in [1, 2] {
            let mut frames = Frames::new(scenery(*game));
            let mut seen = Vec::new();
            let mut writer = None;
            play(*game, seed, |engine, before| {
                let past = before.map(|(before, asked)| Past {
                    before: before.state(),
                    done: engine.done(),
                    asked: Some(asked),
                });
                frames.advance(engine.state(), past.as_ref());
                check_scene(frames.now(), legend, game.about().id);
                seen.push(Frame::of(frames.now(), legend));
                match (&mut writer, past) {
                    (Some(writer), Some(past)) => SceneWriter::frame(writer, engine.state(), &past),
                    _ => {
                        let opening = Opening { game: *game, header: &header, cpu: true };
                        writer = Some(SceneWriter::new(&opening, engine.state()));
                    }
                }
            });
            let text = String::from_utf8(writer.unwrap().finish(None)).unwrap();
            assert!(!text.contains(['<', '\u{2028}']), "a document can stand in a page");
            let document: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(document["scene"], 1);
            assert_eq!(document["game"], game.about().id);
            assert_eq!(document["seed"], -5);
            let names: Vec<&str> =
                document["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
            assert_eq!(names, header.names);
            let decoded = decode(&document, legend);
            assert_eq!(decoded.len(), seen.len());
            for (round, (decoded, frame)) in decoded.iter().zip(&seen).enumerate() {
                assert_eq!(decoded, frame, "{} seed {seed} round {round}", game.about().id);
            }
        }
    }
}

/// Everything that a scene refers to exists.
fn check_scene(scene: &Scene, legend: &Legend, game: &str) {
    let cells = scene.rows * scene.cols;
    assert_eq!(scene.cells.len(), cells as usize, "{game}");
    assert!(scene.cells.iter().all(|&kind| usize::from(kind) < legend.cells.len()), "{game}");
    assert!(scene.items.is_sorted_by(|a, b| a.id < b.id), "{game}: ids are unique and rise");
    for item in &scene.items {
        let Item { id, kind, cell, seat, heading, life, badges, verb, direction, outcome, facts } = *item;
        let right = id != -1
            && (0..legend.kinds.len() as i32).contains(&kind)
            && (0..cells).contains(&cell)
            && (-1..4).contains(&seat)
            && (-1..8).contains(&heading)
            && (-1..=1000).contains(&life)
            && (0..1 << legend.badges.len()).contains(&badges)
            && (-1..legend.verbs.len() as i32).contains(&verb)
            && (-1..8).contains(&direction)
            && (-1..=1).contains(&outcome)
            && facts[legend.facts.len()..].iter().all(|&fact| fact == Item::NO_FACT);
        assert!(right, "{game}: {item:?}");
    }
    for &(kind, cell) in &scene.overlays {
        assert!(usize::from(kind) < legend.overlays.len() && (0..cells).contains(&cell), "{game}");
    }
    assert!(scene.mood < legend.moods.len().max(1), "{game}");
    for event in scene.events.iter().filter(|event| event.kind < legend.events.len()) {
        check_event(event, legend, cells, game);
    }
}

/// An event has everything that its sentence speaks of.
fn check_event(event: &Event, legend: &Legend, cells: i32, game: &str) {
    let sentence = legend.events[event.kind].name.en;
    let says = |word: &str| sentence.contains(word);
    assert!(!says("{seat}") || (0..4).contains(&event.seat), "{game}: {event:?} for {sentence}");
    assert!(!says("{other}") || (0..4).contains(&event.other), "{game}: {event:?} for {sentence}");
    assert!(!says("{item}") || event.item != -1, "{game}: {event:?} for {sentence}");
    assert!(!says("{cell}") || event.cell != -1, "{game}: {event:?} for {sentence}");
    assert!((-1..cells).contains(&event.cell), "{game}: {event:?} for {sentence}");
}

#[test]
fn every_kind_of_event_happens_or_is_rare() {
    // What four built-in players did not do in these seeds.
    let rare: &[(&str, &str)] = &[
        ("ants", "{seat} loses its queen"),
        ("ants", "{item} becomes the queen of {seat}"),
        ("ants", "the colony of {seat} dies out"),
        ("ants", "an egg of {seat} is lost at {cell}"),
        ("purge", "a barricade of {seat} falls"),
    ];
    for game in GAMES {
        let legend = scenery(*game).legend;
        let mut counts = vec![0; legend.events.len() + 1];
        for seed in 1..=3 {
            let mut frames = Frames::new(scenery(*game));
            play(*game, seed, |engine, before| {
                let past = before.map(|(before, _)| Past { before: before.state(), done: engine.done(), asked: None });
                frames.advance(engine.state(), past.as_ref());
                frames.now().events.iter().for_each(|event| counts[event.kind] += 1);
            });
        }
        for (event, count) in legend.events.iter().zip(&counts) {
            let is_rare = rare.contains(&(game.about().id, event.name.en));
            assert_eq!(*count == 0, is_rare, "{}: {count} times {}", game.about().id, event.name.en);
        }
        assert_eq!(counts[legend.events.len()], 0, "{}: nobody was frozen", game.about().id);
    }
}

#[test]
fn records_give_the_same_scenes_as_matches() {
    for game in GAMES {
        let (legend, text) = (scenery(*game).legend, recorded(*game));
        let record = game.read_record(&text).unwrap();
        let whole: Value = serde_json::from_slice(&document(*game, &record)).unwrap();
        assert_eq!(whole["damage"], Value::Null);
        let whole = decode(&whole, legend);
        let damaged = game.read_record(&text[..text.len() * 2 / 3]).unwrap();
        let document: Value = serde_json::from_slice(&document(*game, &damaged)).unwrap();
        let reason = document["damage"].as_str().unwrap();
        assert!(reason.contains("line"), "{reason}");
        let decoded = decode(&document, legend);
        assert!(decoded.len() > 10 && decoded.len() < whole.len(), "{}", game.about().id);
        assert_eq!(decoded[..], whole[..decoded.len()], "{}", game.about().id);
    }
}

/// The record of a match of built-in players.
fn recorded(game: &dyn Game) -> Vec<u8> {
    let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
    let player = |name: &str| game.about().player(name).unwrap();
    let players = ["Demo", "Veteran", "Demo", "Veteran"].map(player);
    let mut played = Match::between(&*config, 3, players).unwrap();
    let mut text = Vec::new();
    let mut writer = played.begin_record(&mut text);
    while !played.is_over() {
        played.play_round().unwrap();
        played.write_round(&mut *writer, &mut text);
    }
    text
}

/// The document of a recorded match, as far as its record is readable.
fn document(game: &dyn Game, record: &Record) -> Vec<u8> {
    let damage = record.damage.as_ref().map(ToString::to_string);
    let opening = Opening { game, header: &record.header, cpu: record.header.judged };
    let mut writer = SceneWriter::new(&opening, &*record.frames[0].state);
    for pair in record.frames.windows(2) {
        writer.frame(&*pair[1].state, &Past { before: &*pair[0].state, done: &pair[1].done, asked: None });
    }
    writer.finish(damage.as_deref())
}

/// Frames change only when somebody means them to; then put the new digests here.
#[test]
fn frames_stay_as_they_are() {
    let mut found = Vec::new();
    for game in GAMES {
        let record = game.read_record(&recorded(*game)).unwrap();
        let document = String::from_utf8(document(*game, &record)).unwrap();
        let (_, frames) = document.split_once("\"frames\":").unwrap();
        found.push((game.about().id, fnv(frames.as_bytes())));
    }
    let known = [
        ("ants", 14677047893942522361),
        ("potter", 10298137272004045226),
        ("purge", 6442076443062264654),
        ("dominator", 586313044684588505),
        ("requiem", 11543156130979354984),
    ];
    assert_eq!(found, known);
}

/// The hash FNV-1a of 64 bits.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn a_frozen_seat_is_an_event() {
    let game = GAMES[0];
    let record = game.read_record(&recorded(game)).unwrap();
    let mut text = Vec::new();
    record.write(&mut text);
    let text = String::from_utf8(text).unwrap().replace("status\t0\t0\t0\t0", "status\t0\t0\t-1\t0");
    let first = text.find("status").unwrap();
    let text = format!("{}{}", text[..first + 20].replace("-1", "0"), &text[first + 20..]);
    let record = game.read_record(text.as_bytes()).unwrap();
    let mut frames = Frames::new(scenery(game));
    frames.advance(&*record.frames[0].state, None);
    let past = Past { before: &*record.frames[0].state, done: &record.frames[1].done, asked: None };
    frames.advance(&*record.frames[1].state, Some(&past));
    let frozen = Event::new(scenery(game).legend.events.len()).seat(Seat::ALL[2]);
    assert!(frames.now().events.contains(&frozen), "{:?}", frames.now().events);
}
