//! How The Purge looks: words and drawings.

use crate::{
    CellKind, Colour, Drawing, Effect, EventKind, ItemKind, Layer, Legend, Mark, Mood, Named, PanelValue, SeatColours,
    Text, text,
};

/// Kinds of cell. A building has the set of its neighbours that are buildings
/// too added: above 1, right 2, below 4, left 8.
pub const STREET: u8 = 0;
pub const BUILDING: u8 = 1;

/// Kinds of item are the kinds of citizen, then what lies in the streets, then
/// four strengths of barricade.
pub const LYING: i32 = 2;
pub const BARRICADE: i32 = 6;

/// Verbs.
pub const MOVES: i32 = 0;
pub const BUILDS: i32 = 1;

/// Facts.
pub const LIFE: usize = 0;
pub const RESISTANCE: usize = 1;

/// Kinds of event.
pub const ATTACKS: usize = 0;
pub const KILLS: usize = 1;
pub const DIES: usize = 2;
pub const STRIKES: usize = 3;
pub const FALLS: usize = 4;
pub const BUILT: usize = 5;
pub const TAKES: usize = 6;
pub const COMES_BACK: usize = 10;
pub const DAWN: usize = 11;
pub const DUSK: usize = 12;

pub const DAY: usize = 0;
pub const NIGHT: usize = 1;

pub static LEGEND: Legend = Legend {
    ticks: 6,
    seats: [
        SeatColours { strong: "#008000", pale: "#c4e6c4" },
        SeatColours { strong: "#ff0000", pale: "#ffcccc" },
        SeatColours { strong: "#0000ff", pale: "#ccccff" },
        SeatColours { strong: "#bf00ff", pale: "#f0ccff" },
    ],
    drawings: &DRAWINGS,
    cells: &CELLS,
    kinds: &[
        ItemKind {
            name: text("builder", "constructor", "constructor"),
            drawing: BUILDER_DRAWING,
            turns: false,
            layer: 2,
        },
        ItemKind { name: text("warrior", "guerrer", "guerrero"), drawing: WARRIOR_DRAWING, turns: false, layer: 2 },
        lying(text("money", "diners", "dinero"), MONEY_DRAWING),
        lying(text("food", "menjar", "comida"), FOOD_DRAWING),
        lying(text("gun", "pistola", "pistola"), GUN_DRAWING),
        lying(text("bazooka", "bazuca", "bazuca"), BAZOOKA_DRAWING),
        barricade(FRAME_DRAWINGS),
        barricade(FRAME_DRAWINGS + 1),
        barricade(FRAME_DRAWINGS + 2),
        barricade(FRAME_DRAWINGS + 3),
    ],
    badges: &[
        Mark { name: text("has a hammer", "té un martell", "tiene un martillo"), drawing: WEAPON_DRAWINGS },
        Mark { name: text("has a gun", "té una pistola", "tiene una pistola"), drawing: WEAPON_DRAWINGS + 1 },
        Mark { name: text("has a bazooka", "té un bazuca", "tiene una bazuca"), drawing: WEAPON_DRAWINGS + 2 },
    ],
    overlays: &[],
    facts: &[Named::new("life", "vida", "vida"), Named::new("resistance", "resistència", "resistencia")],
    verbs: &[
        Named::new("move", "moure's", "moverse"),
        Named::new("build a barricade", "construir una barricada", "construir una barricada"),
    ],
    panel: &[
        PanelValue::bar("points", "punts", "puntos"),
        PanelValue::number("builders", "constructors", "constructores"),
        PanelValue::number("warriors", "guerrers", "guerreros"),
        PanelValue::number("barricades", "barricades", "barricadas"),
    ],
    events: &[
        EventKind::new(
            Effect::Strike,
            "{seat} attacks {item} of {other}",
            "{seat} ataca el {item} de {other}",
            "{seat} ataca al {item} de {other}",
        ),
        EventKind::new(
            Effect::Burst,
            "{seat} kills {item} of {other}",
            "{seat} mata el {item} de {other}",
            "{seat} mata al {item} de {other}",
        )
        .marked(),
        EventKind::new(Effect::Burst, "{item} of {seat} dies", "el {item} de {seat} mor", "el {item} de {seat} muere")
            .marked(),
        EventKind::new(
            Effect::Strike,
            "{seat} strikes a barricade of {other}",
            "{seat} colpeja una barricada de {other}",
            "{seat} golpea una barricada de {other}",
        ),
        EventKind::new(
            Effect::Burst,
            "a barricade of {seat} falls",
            "cau una barricada de {seat}",
            "cae una barricada de {seat}",
        ),
        EventKind::new(
            Effect::None,
            "{item} of {seat} builds a barricade",
            "el {item} de {seat} construeix una barricada",
            "el {item} de {seat} construye una barricada",
        ),
        EventKind::new(
            Effect::Flash,
            "{item} of {seat} takes money",
            "el {item} de {seat} agafa diners",
            "el {item} de {seat} coge dinero",
        ),
        EventKind::new(
            Effect::Flash,
            "{item} of {seat} takes food",
            "el {item} de {seat} agafa menjar",
            "el {item} de {seat} coge comida",
        ),
        EventKind::new(
            Effect::Flash,
            "{item} of {seat} takes a gun",
            "el {item} de {seat} agafa una pistola",
            "el {item} de {seat} coge una pistola",
        ),
        EventKind::new(
            Effect::Flash,
            "{item} of {seat} takes a bazooka",
            "el {item} de {seat} agafa un bazuca",
            "el {item} de {seat} coge una bazuca",
        ),
        EventKind::new(
            Effect::Flash,
            "{item} comes back for {seat}",
            "el {item} torna amb {seat}",
            "el {item} vuelve con {seat}",
        ),
        EventKind::new(
            Effect::None,
            "day breaks: no fights, and barricades can be built",
            "es fa de dia: no hi ha lluites i es poden construir barricades",
            "se hace de día: no hay luchas y se pueden construir barricadas",
        ),
        EventKind::new(
            Effect::None,
            "night falls: fights begin",
            "es fa de nit: comencen les lluites",
            "se hace de noche: empiezan las luchas",
        ),
    ],
    moods: &[
        Mood { name: text("day", "dia", "día"), tint: None },
        // Over the streets it gives the brown of the night, #e59866.
        Mood { name: text("night", "nit", "noche"), tint: Some("#101a4fa6") },
    ],
    help: text(
        "Four clans live in the streets of a city; the grey blocks are buildings. \
         Masks with a goatee are builders, smiling masks are warriors with their weapon. \
         A frame around a cell is a barricade: the more solid the line, the more it resists. \
         Banknotes give points, cheese gives life, and weapons make warriors stronger. \
         By day builders raise barricades; at night, when the streets are dark, everybody may fight.",
        "Quatre clans viuen als carrers d'una ciutat; els blocs grisos són edificis. \
         Les màscares amb perilla són constructors, les somrients són guerrers amb la seva arma. \
         Un marc al voltant d'una casella és una barricada: com més sòlida és la línia, més resisteix. \
         Els bitllets donen punts, el formatge dona vida i les armes fan més forts els guerrers. \
         De dia els constructors aixequen barricades; de nit, quan els carrers són a les fosques, tothom pot lluitar.",
        "Cuatro clanes viven en las calles de una ciudad; los bloques grises son edificios. \
         Las máscaras con perilla son constructores, las sonrientes son guerreros con su arma. \
         Un marco alrededor de una casilla es una barricada: cuanto más sólida es la línea, más resiste. \
         Los billetes dan puntos, el queso da vida y las armas hacen más fuertes a los guerreros. \
         De día los constructores levantan barricadas; de noche, cuando las calles están oscuras, todos pueden luchar.",
    ),
};

const fn lying(name: Text, drawing: usize) -> ItemKind {
    ItemKind { name, drawing, turns: false, layer: 1 }
}

const fn barricade(drawing: usize) -> ItemKind {
    ItemKind { name: text("barricade", "barricada", "barricada"), drawing, turns: false, layer: 3 }
}

const STREET_COLOUR: Colour = "#ffe9d6";

static CELLS: [CellKind; 17] = {
    let mut cells =
        [CellKind { name: text("building", "edifici", "edificio"), fill: STREET_COLOUR, drawing: Some(0) }; 17];
    cells[STREET as usize] = CellKind { name: text("street", "carrer", "calle"), fill: STREET_COLOUR, drawing: None };
    let mut joined = 0;
    while joined < 16 {
        cells[BUILDING as usize + joined].drawing = Some(joined);
        joined += 1;
    }
    cells
};

/// The first drawings are those of buildings.
const BUILDER_DRAWING: usize = 16;
const WARRIOR_DRAWING: usize = 17;
const MONEY_DRAWING: usize = 18;
const FOOD_DRAWING: usize = 19;
const GUN_DRAWING: usize = 20;
const BAZOOKA_DRAWING: usize = 21;
const FRAME_DRAWINGS: usize = 22;
const WEAPON_DRAWINGS: usize = 26;

static DRAWINGS: [Drawing; 29] = {
    let mut drawings = [Drawing(&[]); 29];
    let mut joined = 0;
    while joined < 16 {
        drawings[joined] = Drawing(&BUILDINGS[joined]);
        joined += 1;
    }
    drawings[BUILDER_DRAWING] = Drawing(&BUILDER);
    drawings[WARRIOR_DRAWING] = Drawing(&WARRIOR);
    drawings[MONEY_DRAWING] = Drawing(&MONEY);
    drawings[FOOD_DRAWING] = Drawing(&FOOD);
    drawings[GUN_DRAWING] = Drawing(&GUN);
    drawings[BAZOOKA_DRAWING] = Drawing(&BAZOOKA);
    drawings[FRAME_DRAWINGS] = Drawing(&FRAMES[0]);
    drawings[FRAME_DRAWINGS + 1] = Drawing(&FRAMES[1]);
    drawings[FRAME_DRAWINGS + 2] = Drawing(&FRAMES[2]);
    drawings[FRAME_DRAWINGS + 3] = Drawing(&FRAMES[3]);
    drawings[WEAPON_DRAWINGS] = Drawing(&SMALL_HAMMER);
    drawings[WEAPON_DRAWINGS + 1] = Drawing(&SMALL_GUN);
    drawings[WEAPON_DRAWINGS + 2] = Drawing(&SMALL_BAZOOKA);
    drawings
};

macro_rules! edge {
    (middle) => {
        "M14 14 L86 14 L86 86 L14 86 Z"
    };
    (up) => {
        "M14 0 L86 0 L86 50 L14 50 Z"
    };
    (right) => {
        "M50 14 L100 14 L100 86 L50 86 Z"
    };
    (down) => {
        "M14 50 L86 50 L86 100 L14 100 Z"
    };
    (left) => {
        "M0 14 L50 14 L50 86 L0 86 Z"
    };
}

macro_rules! roof {
    (middle) => {
        "M22 22 L78 22 L78 78 L22 78 Z"
    };
    (up) => {
        "M22 0 L78 0 L78 50 L22 50 Z"
    };
    (right) => {
        "M50 22 L100 22 L100 78 L50 78 Z"
    };
    (down) => {
        "M22 50 L78 50 L78 100 L22 100 Z"
    };
    (left) => {
        "M0 22 L50 22 L50 78 L0 78 Z"
    };
}

/// The middle of a building and its arms towards the neighbours it joins.
macro_rules! building {
    ($($arm:ident)*) => {
        [
            Layer::path(concat!(edge!(middle) $(, " ", edge!($arm))*)).fill("#55555c"),
            Layer::path(concat!(roof!(middle) $(, " ", roof!($arm))*)).fill("#8c8c94"),
        ]
    };
}

static BUILDINGS: [[Layer; 2]; 16] = [
    building!(),
    building!(up),
    building!(right),
    building!(up right),
    building!(down),
    building!(up down),
    building!(right down),
    building!(up right down),
    building!(left),
    building!(up left),
    building!(right left),
    building!(up right left),
    building!(down left),
    building!(up down left),
    building!(right down left),
    building!(up right down left),
];

const INK: Colour = "#1c1410";
const STEEL: Colour = "#5d6570";
const SHINE: Colour = "#ffffff73";
const IVORY: Colour = "#fff7ea";

/// An old man's mask with bushy brows and a goatee.
static BUILDER: [Layer; 6] = [
    Layer::path("M50 12 Q80 14 79 44 Q77 66 66 76 Q58 94 50 95 Q42 94 34 76 Q23 66 21 44 Q20 14 50 12 Z")
        .fill("seat")
        .stroke(INK, 5),
    Layer::path("M29 40 Q28 22 44 18 Q34 26 34 42 Z").fill(SHINE),
    Layer::path("M37 75 Q50 68 63 75 Q58 91 50 92 Q42 91 37 75 Z").fill(IVORY).stroke(INK, 3),
    Layer::path("M28 39 Q37 31 46 38 M54 38 Q63 31 72 39").stroke(IVORY, 7),
    Layer::path("M34 48 L43 48 M57 48 L66 48").stroke(INK, 6),
    Layer::path("M50 46 L50 58 M40 66 L60 66").stroke(INK, 4),
];

/// A mask with a wide smile.
static WARRIOR: [Layer; 5] = [
    Layer::path("M50 8 Q86 10 84 46 Q82 74 66 84 Q56 92 50 92 Q44 92 34 84 Q18 74 16 46 Q14 10 50 8 Z")
        .fill("seat")
        .stroke(INK, 5),
    Layer::path("M25 40 Q24 20 42 15 Q31 24 31 42 Z").fill(SHINE),
    Layer::path("M27 42 Q36 32 45 42 Q36 47 27 42 Z M55 42 Q64 32 73 42 Q64 47 55 42 Z").fill(IVORY).stroke(INK, 3),
    Layer::path("M27 58 Q50 74 73 58 Q68 80 50 81 Q32 80 27 58 Z").fill(IVORY).stroke(INK, 4),
    Layer::path("M29 64 Q50 76 71 64").stroke(INK, 3),
];

static MONEY: [Layer; 4] = [
    Layer::rect(8, 26, 84, 48, 6).fill("#4da35a").stroke("#123f1d", 5),
    Layer::rect(17, 35, 66, 30, 3).stroke("#c9f0cd", 4),
    Layer::disc(50, 50, 13).fill("#c9f0cd"),
    Layer::path("M50 41 L50 59").stroke("#123f1d", 5),
];

static FOOD: [Layer; 3] = [
    Layer::path("M8 56 L72 18 Q92 26 92 50 L92 80 L8 80 Z").fill("#ffc62e").stroke("#7a4a00", 5),
    Layer::path("M8 56 L92 56").stroke("#7a4a00", 4),
    Layer::path("M30 66 Q36 60 42 66 Q42 73 36 73 Q30 73 30 66 Z M62 65 Q70 58 78 65 Q78 74 70 74 Q62 74 62 65 Z M62 40 Q68 34 74 40 Q74 46 68 46 Q62 46 62 40 Z")
        .fill("#d88a00"),
];

static GUN: [Layer; 3] = [
    Layer::path("M8 28 L86 28 L90 34 L90 48 L56 48 L54 56 Q52 60 46 60 L38 60 L32 86 L12 86 L20 50 L8 48 Z")
        .fill(STEEL)
        .stroke(INK, 5),
    Layer::path("M16 34 L82 34").stroke("#b9c2cc", 5),
    Layer::path("M38 60 L42 48").stroke(INK, 4),
];

static BAZOOKA: [Layer; 4] = [
    Layer::path("M6 62 L74 22 L84 38 L16 78 Z").fill("#5f7f34").stroke(INK, 5),
    Layer::path("M70 14 L94 26 L90 44 L80 46 L68 24 Z").fill("#8aa852").stroke(INK, 5),
    Layer::path("M44 62 L54 80 M30 70 L36 84").stroke(INK, 8),
    Layer::path("M16 64 L66 34").stroke("#b5cf86", 4),
];

const OUTLINE: Colour = "#1c1410b3";
const DOTS: &str = "M7 7 L7 7.1 M36 7 L36.1 7 M64 7 L64.1 7 M93 7 L93 7.1 M93 36 L93 36.1 M93 64 L93 64.1 M93 93 L93 93.1 \
                    M64 93 L64.1 93 M36 93 L36.1 93 M7 93 L7 93.1 M7 64 L7 64.1 M7 36 L7 36.1";
const DASHES: &str = "M7 20 L7 7 L20 7 M42 7 L58 7 M80 7 L93 7 L93 20 M93 42 L93 58 M93 80 L93 93 L80 93 \
                      M58 93 L42 93 M20 93 L7 93 L7 80 M7 58 L7 42";
const CORNERS: &str = "M7 38 L7 7 L38 7 M62 7 L93 7 L93 38 M93 62 L93 93 L62 93 M38 93 L7 93 L7 62";
const WHOLE: &str = "M7 7 L93 7 L93 93 L7 93 Z";

/// Barricades, the weakest first: from separate dots to a whole frame.
static FRAMES: [[Layer; 2]; 4] = [frame(DOTS), frame(DASHES), frame(CORNERS), frame(WHOLE)];

const fn frame(path: &'static str) -> [Layer; 2] {
    [Layer::path(path).stroke(OUTLINE, 13), Layer::path(path).stroke("seat", 9)]
}

static SMALL_HAMMER: [Layer; 2] = [
    Layer::path("M74 64 L74 96").stroke(INK, 13),
    Layer::path("M60 52 L90 52 L90 66 L60 66 Z M71 66 L77 66 L77 95 L71 95 Z").fill("#d9dee4").stroke(INK, 4),
];

static SMALL_GUN: [Layer; 1] = [Layer::path("M46 58 L96 58 L96 73 L74 73 L72 79 L66 79 L63 96 L50 96 L54 72 L46 70 Z")
    .fill("#aeb7c2")
    .stroke(INK, 5)];

static SMALL_BAZOOKA: [Layer; 2] = [
    Layer::path("M36 84 L84 56 L92 69 L44 97 Z").fill("#8fb053").stroke(INK, 5),
    Layer::path("M82 50 L99 58 L96 72 L90 74 L80 56 Z").fill("#c9dd9d").stroke(INK, 4),
];
