//! How Dominator looks: words and drawings.

use crate::{
    CellKind, Colour, Drawing, Effect, EventKind, ItemKind, Layer, Legend, Mark, Named, PanelValue, SeatColours, text,
};

/// Kinds of cell; painted cells follow, by seat. Kinds of item are the kinds
/// of unit.
pub const UNOWNED: u8 = 0;
pub const WALL: u8 = 1;
pub const OWNED: u8 = 2;

/// Badges.
pub const ACTIVE: i32 = 1;

/// Overlays.
pub const HAUNTED: u8 = 0;

/// Verbs.
pub const MOVES: i32 = 0;
pub const STAYS: i32 = 1;

/// Kinds of event.
pub const ATTACKS: usize = 0;
pub const CAPTURES: usize = 1;
pub const BEWITCHED: usize = 2;
pub const AWAKES: usize = 3;
pub const IS_BOUND: usize = 4;
pub const LOSES_MANY: usize = 5;
pub const LOSES_KNIGHTS: usize = 6;
pub const LOSES_FARMERS: usize = 7;
pub const MOST_LAND: usize = 8;
pub const LEADS: usize = 9;

pub static LEGEND: Legend = Legend {
    ticks: 5,
    seats: [
        SeatColours { strong: "#ff0000", pale: "#ffb8b8" },
        SeatColours { strong: "#008000", pale: "#aaffaa" },
        SeatColours { strong: "#0033ff", pale: "#00ffff" },
        SeatColours { strong: "#8000a0", pale: "#c0a0ff" },
    ],
    drawings: &[
        Drawing(&FARMER_LAYERS),
        Drawing(&KNIGHT_LAYERS),
        Drawing(&WITCH_LAYERS),
        Drawing(&ACTIVE_LAYERS),
        Drawing(&HAUNTED_LAYERS),
        Drawing(&WALL_LAYERS),
    ],
    cells: &[
        CellKind {
            name: text("unowned cell", "casella sense amo", "casilla sin dueño"),
            fill: "#f0f0f0",
            drawing: None,
        },
        CellKind { name: text("wall", "mur", "muro"), fill: "#000000", drawing: Some(5) },
        painted("pale0"),
        painted("pale1"),
        painted("pale2"),
        painted("pale3"),
    ],
    kinds: &[
        ItemKind { name: text("farmer", "pagès", "campesino"), drawing: 0, turns: false, layer: 1 },
        ItemKind { name: text("knight", "cavaller", "caballero"), drawing: 1, turns: false, layer: 1 },
        ItemKind { name: text("witch", "bruixa", "bruja"), drawing: 2, turns: false, layer: 2 },
    ],
    badges: &[Mark { name: text("active", "activa", "activa"), drawing: 3 }],
    overlays: &[Mark { name: text("haunted cell", "casella encantada", "casilla encantada"), drawing: 4 }],
    facts: &[Named::new("health", "salut", "salud")],
    verbs: &[Named::new("move", "moure's", "moverse"), Named::new("stay", "quedar-se", "quedarse")],
    panel: &[
        PanelValue::number("land", "terra", "tierra"),
        PanelValue::number("farmers", "pagesos", "campesinos"),
        PanelValue::number("knights", "cavallers", "caballeros"),
        PanelValue::number("witches", "bruixes", "brujas"),
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
            "{seat} captures {item} of {other}",
            "{seat} captura el {item} de {other}",
            "{seat} captura al {item} de {other}",
        ),
        EventKind::new(
            Effect::Burst,
            "a spell gives {item} of {other} to {seat}",
            "un encanteri dona el {item} de {other} a {seat}",
            "un hechizo entrega el {item} de {other} a {seat}",
        ),
        EventKind::new(
            Effect::Flash,
            "{item} of {seat} becomes active",
            "la {item} de {seat} s'activa",
            "la {item} de {seat} se activa",
        ),
        EventKind::new(
            Effect::Flash,
            "{item} of {seat} is too near to another witch, and haunts nothing",
            "la {item} de {seat} és massa a prop d'una altra bruixa i no encanta res",
            "la {item} de {seat} está demasiado cerca de otra bruja y no encanta nada",
        ),
        EventKind::new(
            Effect::None,
            "{seat} loses {value} units in one round",
            "{seat} perd {value} unitats en una ronda",
            "{seat} pierde {value} unidades en una ronda",
        )
        .marked(),
        EventKind::new(
            Effect::None,
            "{seat} has no knights left",
            "{seat} es queda sense cavallers",
            "{seat} se queda sin caballeros",
        )
        .marked(),
        EventKind::new(
            Effect::None,
            "{seat} has no farmers left",
            "{seat} es queda sense pagesos",
            "{seat} se queda sin campesinos",
        )
        .marked(),
        EventKind::new(
            Effect::None,
            "{seat} owns the most land: {value} cells",
            "{seat} té més terra que ningú: {value} caselles",
            "{seat} tiene más tierra que nadie: {value} casillas",
        )
        .marked(),
        EventKind::new(
            Effect::None,
            "{seat} takes the lead with {value} points",
            "{seat} es posa al davant amb {value} punts",
            "{seat} se pone en cabeza con {value} puntos",
        )
        .marked(),
    ],
    moods: &[],
    help: text(
        "Four teams paint a board with black walls; every round a team scores its cells. \
         Small discs are farmers, who paint where they walk. \
         Squares are knights, who attack; whoever is beaten changes sides. \
         Discs with an X are witches: an active one haunts the hatched cells around her, where farmers and knights die.",
        "Quatre equips pinten un tauler amb murs negres; a cada ronda un equip suma les seves caselles. \
         Els discos petits són pagesos, que pinten per on passen. \
         Els quadrats són cavallers, que ataquen; qui perd canvia de bàndol. \
         Els discos amb una X són bruixes: una bruixa activa encanta les caselles ratllades del seu voltant, on moren els pagesos i els cavallers.",
        "Cuatro equipos pintan un tablero con muros negros; en cada ronda un equipo suma sus casillas. \
         Los discos pequeños son campesinos, que pintan por donde pasan. \
         Los cuadrados son caballeros, que atacan; quien pierde cambia de bando. \
         Los discos con una X son brujas: una bruja activa encanta las casillas rayadas a su alrededor, donde mueren los campesinos y los caballeros.",
    ),
};

const fn painted(fill: Colour) -> CellKind {
    CellKind { name: text("painted cell", "casella pintada", "casilla pintada"), fill, drawing: None }
}

const INK: Colour = "#000000";
const SHINE: Colour = "#ffffff99";

static FARMER_LAYERS: [Layer; 2] =
    [Layer::disc(50, 50, 20).fill("seat").stroke(INK, 6), Layer::disc(44, 44, 6).fill(SHINE)];

static KNIGHT_LAYERS: [Layer; 2] =
    [Layer::rect(22, 22, 56, 56, 5).fill("seat").stroke(INK, 7), Layer::rect(34, 34, 32, 32, 3).stroke(SHINE, 6)];

static WITCH_LAYERS: [Layer; 5] = [
    Layer::path("M10 10 L90 90 M90 10 L10 90").stroke(INK, 17),
    Layer::disc(50, 50, 26).fill("seat").stroke(INK, 6),
    Layer::path("M11 11 L89 89 M89 11 L11 89").stroke("seat", 9),
    Layer::disc(50, 50, 13).fill("#ffffffd9"),
    Layer::disc(50, 50, 6).fill(INK),
];

static ACTIVE_LAYERS: [Layer; 1] = [Layer::disc(50, 50, 44).stroke("#6a0dad", 5)];

static HAUNTED_LAYERS: [Layer; 2] = [
    Layer::rect(0, 0, 100, 100, 0).fill("#6a0dad26"),
    Layer::path("M0 25 L25 0 M0 75 L75 0 M25 100 L100 25 M75 100 L100 75").stroke("#6a0dad80", 5),
];

static WALL_LAYERS: [Layer; 1] = [Layer::rect(12, 12, 76, 76, 6).fill("#26262b")];
