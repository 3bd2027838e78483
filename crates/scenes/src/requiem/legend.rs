//! How Requiem looks: words and drawings.

use crate::{
    CellKind, Colour, Drawing, Effect, EventKind, ItemKind, Layer, Legend, Named, PanelValue, SeatColours, text,
};

/// Kinds of cell; painted squares follow, by seat.
pub const BARE: u8 = 0;
pub const WALL: u8 = 1;
pub const PAINTED: u8 = 2;

/// Kinds of item: farmers, and knights in four steps of life.
pub const FARMER: i32 = 0;
pub const KNIGHT: i32 = 1;

/// Verbs.
pub const MOVES: i32 = 0;
pub const RESTS: i32 = 1;

/// Kinds of event.
pub const ATTACKS: usize = 0;
pub const KILLS: usize = 1;
pub const DIES: usize = 2;
pub const BORN: usize = 3;
pub const DIES_OUT: usize = 4;

pub static LEGEND: Legend = Legend {
    ticks: 5,
    seats: [
        SeatColours { strong: "#ff4500", pale: "#ffc7b2" },
        SeatColours { strong: "#0000ff", pale: "#b2b2ff" },
        SeatColours { strong: "#32cd32", pale: "#9cff9c" },
        SeatColours { strong: "#ff00ff", pale: "#ffb2ff" },
    ],
    drawings: &[
        Drawing(&[Layer::path(FRAME).fill("#d3d3d3")]),
        Drawing(&WALL_LAYERS),
        Drawing(&FARMER_LAYERS),
        Drawing(&KNIGHT_LAYERS[0]),
        Drawing(&KNIGHT_LAYERS[1]),
        Drawing(&KNIGHT_LAYERS[2]),
        Drawing(&KNIGHT_LAYERS[3]),
    ],
    cells: &[
        CellKind {
            name: text("bare cell", "casella sense pintar", "casilla sin pintar"),
            fill: "#dadada",
            drawing: Some(0),
        },
        CellKind { name: text("wall", "mur", "muro"), fill: "#808080", drawing: Some(1) },
        painted("pale0"),
        painted("pale1"),
        painted("pale2"),
        painted("pale3"),
    ],
    kinds: &[
        ItemKind { name: text("farmer", "pagès", "campesino"), drawing: 2, turns: false, layer: 1 },
        knight(3),
        knight(4),
        knight(5),
        knight(6),
    ],
    badges: &[],
    overlays: &[],
    facts: &[Named::new("life", "vida", "vida")],
    verbs: &[Named::new("move", "moure's", "moverse"), Named::new("rest", "descansar", "descansar")],
    panel: &[
        PanelValue::number("cells", "caselles", "casillas"),
        PanelValue::number("farmers", "pagesos", "campesinos"),
        PanelValue::number("knights", "cavallers", "caballeros"),
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
        ),
        EventKind::new(Effect::Burst, "{item} of {seat} dies", "el {item} de {seat} mor", "el {item} de {seat} muere"),
        EventKind::new(
            Effect::Flash,
            "{item} is reborn for {seat}",
            "el {item} reneix per a {seat}",
            "el {item} renace para {seat}",
        ),
        EventKind::new(
            Effect::None,
            "{seat} has no robots left",
            "a {seat} no li queda cap robot",
            "a {seat} no le queda ningún robot",
        )
        .marked(),
    ],
    moods: &[],
    help: text(
        "Four teams of robots colour a board; the cells with a black edge are walls. \
         Small circles are farmers, who paint the cells they enter. \
         Large circles are knights, who attack the robots of other teams: the thicker the line, the more life they have. \
         Whoever kills a robot gets one of the same model. \
         What counts at the end is the cells of each colour.",
        "Quatre equips de robots pinten un tauler; les caselles amb la vora negra són murs. \
         Els cercles petits són pagesos, que pinten les caselles on entren. \
         Els cercles grans són cavallers, que ataquen els robots dels altres equips: com més gruixuda és la línia, més vida tenen. \
         Qui mata un robot en guanya un del mateix model. \
         Al final compten les caselles de cada color.",
        "Cuatro equipos de robots pintan un tablero; las casillas con el borde negro son muros. \
         Los círculos pequeños son campesinos, que pintan las casillas en las que entran. \
         Los círculos grandes son caballeros, que atacan a los robots de los otros equipos: cuanto más gruesa es la línea, más vida tienen. \
         Quien mata a un robot gana uno del mismo modelo. \
         Al final cuentan las casillas de cada color.",
    ),
};

const fn painted(fill: Colour) -> CellKind {
    CellKind { name: text("painted cell", "casella pintada", "casilla pintada"), fill, drawing: Some(0) }
}

const fn knight(drawing: usize) -> ItemKind {
    ItemKind { name: text("knight", "cavaller", "caballero"), drawing, turns: false, layer: 1 }
}

/// The twentieth of a square that is left blank on each of its sides.
const FRAME: &str = "M0 0 L100 0 L100 100 L0 100 Z M5 5 L5 95 L95 95 L95 5 Z";

static WALL_LAYERS: [Layer; 3] = [
    Layer::path(FRAME).fill("#d3d3d3"),
    Layer::rect(11, 11, 78, 78, 0).stroke("#000000", 12),
    Layer::path("M26 62 L62 26 M38 74 L74 38").stroke("#9a9a9a", 6),
];

/// Lime on light green is hard to tell apart, hence the dark line below.
const SHADE: Colour = "#00000099";

static FARMER_LAYERS: [Layer; 2] =
    [Layer::disc(50, 50, 20).stroke(SHADE, 17), Layer::disc(50, 50, 20).stroke("seat", 10)];

static KNIGHT_LAYERS: [[Layer; 2]; 4] = [circle(37, 5), circle(37, 9), circle(36, 13), circle(34, 18)];

const fn circle(radius: i32, width: i32) -> [Layer; 2] {
    [Layer::disc(50, 50, radius).stroke(SHADE, width + 7), Layer::disc(50, 50, radius).stroke("seat", width)]
}
