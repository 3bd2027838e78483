//! How Ants looks: words and drawings.

use crate::{
    CellKind, Colour, Drawing, Effect, EventKind, ItemKind, Layer, Legend, Mark, Named, PanelValue, SeatColours, Text,
    text,
};

/// Kinds of item are the kinds of ant and then, from here, the kinds of food.
pub const FOOD: i32 = 3;

/// Kinds of cell: soil and water, each with the set of its smoothed corners
/// added (top left 1, top right 2, bottom right 4, bottom left 8).
pub const SOIL: u8 = 0;
pub const WATER: u8 = 16;

/// Verbs.
pub const MOVES: i32 = 0;
pub const TAKES: i32 = 1;
pub const LEAVES: i32 = 2;
pub const LAYS_SOLDIER: i32 = 3;
pub const LAYS_WORKER: i32 = 4;

/// Kinds of event.
pub const KILLS: usize = 0;
pub const KILLS_OWN: usize = 1;
pub const DIES: usize = 2;
pub const LOSES_QUEEN: usize = 3;
pub const SUCCEEDS: usize = 4;
pub const DIES_OUT: usize = 5;
pub const HATCHES: usize = 6;
pub const EGG_LOST: usize = 7;
pub const PICKS_UP: usize = 8;
pub const PUTS_DOWN: usize = 9;
pub const EATS: usize = 10;

pub static LEGEND: Legend = Legend {
    ticks: 3,
    seats: [
        SeatColours { strong: "#008000", pale: "#cfe8cf" },
        SeatColours { strong: "#ff0000", pale: "#ffd6d1" },
        SeatColours { strong: "#ffba00", pale: "#ffedc2" },
        SeatColours { strong: "#bf00ff", pale: "#eed1fa" },
    ],
    drawings: &DRAWINGS,
    cells: &CELLS,
    kinds: &[
        ant(text("queen", "reina", "reina"), QUEEN_DRAWING),
        ant(text("soldier", "soldat", "soldado"), SOLDIER_DRAWING),
        ant(text("worker", "obrera", "obrera"), WORKER_DRAWING),
        food(text("bread", "pa", "pan"), BREAD_DRAWING),
        food(text("seed", "llavor", "semilla"), SEED_DRAWING),
        food(text("leaf", "fulla", "hoja"), LEAF_DRAWING),
    ],
    badges: &[
        Mark { name: text("carries bread", "porta pa", "lleva pan"), drawing: RING_DRAWINGS },
        Mark { name: text("carries a seed", "porta una llavor", "lleva una semilla"), drawing: RING_DRAWINGS + 1 },
        Mark { name: text("carries a leaf", "porta una fulla", "lleva una hoja"), drawing: RING_DRAWINGS + 2 },
    ],
    overlays: &[],
    facts: &[
        Named::new("lives until round", "viu fins a la ronda", "vive hasta la ronda"),
        Named::new("carbohydrates", "carbohidrats", "carbohidratos"),
        Named::new("proteins", "proteïnes", "proteínas"),
        Named::new("lipids", "lípids", "lípidos"),
    ],
    verbs: &[
        Named::new("move", "moure's", "moverse"),
        Named::new("take food", "agafar menjar", "coger comida"),
        Named::new("leave food", "deixar menjar", "dejar comida"),
        Named::new("lay a soldier", "pondre un ou de soldat", "poner un huevo de soldado"),
        Named::new("lay a worker", "pondre un ou d'obrera", "poner un huevo de obrera"),
    ],
    panel: &[
        PanelValue::number("carbohydrates", "carbohidrats", "carbohidratos"),
        PanelValue::number("proteins", "proteïnes", "proteínas"),
        PanelValue::number("lipids", "lípids", "lípidos"),
        PanelValue::number("soldiers", "soldats", "soldados"),
        PanelValue::number("workers", "obreres", "obreras"),
    ],
    events: &[
        EventKind::new(
            Effect::Burst,
            "{seat} kills {item} of {other}",
            "{seat} mata {item} de {other}",
            "{seat} mata a {item} de {other}",
        ),
        EventKind::new(
            Effect::Burst,
            "{seat} kills its own {item}",
            "{seat} mata {item} de la seva pròpia colònia",
            "{seat} mata a {item} de su propia colonia",
        ),
        EventKind::new(
            Effect::None,
            "{item} of {seat} dies of old age",
            "{item} de {seat} mor de vellesa",
            "{item} de {seat} muere de vejez",
        ),
        EventKind::new(Effect::Burst, "{seat} loses its queen", "{seat} perd la reina", "{seat} pierde a su reina")
            .marked(),
        EventKind::new(
            Effect::Flash,
            "{item} becomes the queen of {seat}",
            "{item} esdevé la reina de {seat}",
            "{item} se convierte en la reina de {seat}",
        )
        .marked(),
        EventKind::new(
            Effect::None,
            "the colony of {seat} dies out",
            "la colònia de {seat} s'extingeix",
            "la colonia de {seat} se extingue",
        )
        .marked(),
        EventKind::new(Effect::Flash, "{item} of {seat} hatches", "neix {item} de {seat}", "nace {item} de {seat}"),
        EventKind::new(
            Effect::None,
            "an egg of {seat} is lost at {cell}",
            "es perd un ou de {seat} a {cell}",
            "se pierde un huevo de {seat} en {cell}",
        ),
        EventKind::new(
            Effect::None,
            "{item} of {seat} takes food",
            "l'{item} de {seat} agafa menjar",
            "la {item} de {seat} coge comida",
        ),
        EventKind::new(
            Effect::None,
            "{item} of {seat} leaves food",
            "l'{item} de {seat} deixa menjar",
            "la {item} de {seat} deja comida",
        ),
        EventKind::new(
            Effect::Flash,
            "the queen of {seat} eats",
            "la reina de {seat} menja",
            "la reina de {seat} come",
        ),
    ],
    moods: &[],
    help: text(
        "Four colonies of ants live on soil crossed by rivers. \
         The large ants with a crown are queens, those with strong jaws are soldiers, the small ones are workers. \
         A ring around a worker shows its load: orange for bread, green for a leaf, grey for a seed. \
         The numbers of each player are the reserve of its queen, which pays for eggs. \
         Every round a colony scores one point per living ant.",
        "Quatre colònies de formigues viuen en una terra travessada per rius. \
         Les formigues grosses amb corona són reines, les de mandíbules fortes són soldats i les petites són obreres. \
         L'anell al voltant d'una obrera indica què porta: taronja per al pa, verd per a la fulla, gris per a la llavor. \
         Els números de cada jugador són la reserva de la seva reina, amb què paga els ous. \
         A cada ronda una colònia suma un punt per formiga viva.",
        "Cuatro colonias de hormigas viven en una tierra atravesada por ríos. \
         Las hormigas grandes con corona son reinas, las de mandíbulas fuertes son soldados y las pequeñas son obreras. \
         El anillo alrededor de una obrera indica qué lleva: naranja para el pan, verde para la hoja, gris para la semilla. \
         Los números de cada jugador son la reserva de su reina, con la que paga los huevos. \
         En cada ronda una colonia suma un punto por hormiga viva.",
    ),
};

const fn ant(name: Text, drawing: usize) -> ItemKind {
    ItemKind { name, drawing, turns: true, layer: 2 }
}

const fn food(name: Text, drawing: usize) -> ItemKind {
    ItemKind { name, drawing, turns: false, layer: 1 }
}

const SOIL_COLOUR: Colour = "#f8e1c1";
const WATER_COLOUR: Colour = "#b5ffff";

static CELLS: [CellKind; 32] = {
    let mut cells = [CellKind { name: text("soil", "terra", "tierra"), fill: SOIL_COLOUR, drawing: None }; 32];
    let mut corners = 0;
    while corners < 16 {
        if corners > 0 {
            cells[corners].drawing = Some(SOIL_DRAWINGS + corners - 1);
        }
        cells[WATER as usize + corners] = CellKind {
            name: text("water", "aigua", "agua"),
            fill: WATER_COLOUR,
            drawing: Some(WATER_DRAWINGS + corners),
        };
        corners += 1;
    }
    cells
};

/// Soil with all its corners needs no drawing.
const SOIL_DRAWINGS: usize = 0;
const WATER_DRAWINGS: usize = 15;
const QUEEN_DRAWING: usize = 31;
const SOLDIER_DRAWING: usize = 32;
const WORKER_DRAWING: usize = 33;
const BREAD_DRAWING: usize = 34;
const SEED_DRAWING: usize = 35;
const LEAF_DRAWING: usize = 36;
const RING_DRAWINGS: usize = 37;

static DRAWINGS: [Drawing; 40] = {
    let mut drawings = [Drawing(&[]); 40];
    drawings[WATER_DRAWINGS] = Drawing(&[WAVES]);
    let mut corners = 1;
    while corners < 16 {
        drawings[SOIL_DRAWINGS + corners - 1] = Drawing(&SOIL_LAYERS[corners]);
        drawings[WATER_DRAWINGS + corners] = Drawing(&WATER_LAYERS[corners]);
        corners += 1;
    }
    drawings[QUEEN_DRAWING] = Drawing(&QUEEN);
    drawings[SOLDIER_DRAWING] = Drawing(&SOLDIER);
    drawings[WORKER_DRAWING] = Drawing(&WORKER);
    drawings[BREAD_DRAWING] = Drawing(&BREAD_LAYERS);
    drawings[SEED_DRAWING] = Drawing(&SEED_LAYERS);
    drawings[LEAF_DRAWING] = Drawing(&LEAF_LAYERS);
    drawings[RING_DRAWINGS] = Drawing(&BREAD_RING);
    drawings[RING_DRAWINGS + 1] = Drawing(&SEED_RING);
    drawings[RING_DRAWINGS + 2] = Drawing(&LEAF_RING);
    drawings
};

macro_rules! corner {
    (1) => {
        "M0 0 L45 0 Q0 0 0 45 Z"
    };
    (2) => {
        "M100 0 L100 45 Q100 0 55 0 Z"
    };
    (4) => {
        "M100 100 L55 100 Q100 100 100 55 Z"
    };
    (8) => {
        "M0 100 L0 55 Q0 100 45 100 Z"
    };
}

/// What a curve through the corners of each set cuts off.
const CORNERS: [&str; 16] = [
    "M0 0 Z",
    corner!(1),
    corner!(2),
    concat!(corner!(1), " ", corner!(2)),
    corner!(4),
    concat!(corner!(1), " ", corner!(4)),
    concat!(corner!(2), " ", corner!(4)),
    concat!(corner!(1), " ", corner!(2), " ", corner!(4)),
    corner!(8),
    concat!(corner!(1), " ", corner!(8)),
    concat!(corner!(2), " ", corner!(8)),
    concat!(corner!(1), " ", corner!(2), " ", corner!(8)),
    concat!(corner!(4), " ", corner!(8)),
    concat!(corner!(1), " ", corner!(4), " ", corner!(8)),
    concat!(corner!(2), " ", corner!(4), " ", corner!(8)),
    concat!(corner!(1), " ", corner!(2), " ", corner!(4), " ", corner!(8)),
];

const WAVES: Layer =
    Layer::path("M22 38 Q32 30 42 38 Q52 46 62 38 M42 66 Q52 58 62 66 Q72 74 82 66").stroke("#7fdcec", 5);

static SOIL_LAYERS: [[Layer; 1]; 16] = {
    let mut layers = [[WAVES]; 16];
    let mut corners = 0;
    while corners < 16 {
        layers[corners] = [Layer::path(CORNERS[corners]).fill(WATER_COLOUR)];
        corners += 1;
    }
    layers
};

static WATER_LAYERS: [[Layer; 2]; 16] = {
    let mut layers = [[WAVES; 2]; 16];
    let mut corners = 0;
    while corners < 16 {
        layers[corners][1] = Layer::path(CORNERS[corners]).fill(SOIL_COLOUR);
        corners += 1;
    }
    layers
};

const INK: Colour = "#2b1a0e";
const SHINE: Colour = "#ffffff8c";

static QUEEN: [Layer; 9] = [
    Layer::path("M42 38 L18 22 L10 28 M41 44 L14 46 L6 56 M43 50 L18 66 L16 80 M58 38 L82 22 L90 28 M59 44 L86 46 L94 56 M57 50 L82 66 L84 80")
        .stroke(INK, 5),
    Layer::path("M44 14 L34 3 M56 14 L66 3").stroke(INK, 4),
    Layer::oval(50, 72, 21, 26).fill("seat").stroke(INK, 4),
    Layer::path("M31 64 Q50 72 69 64 M30 76 Q50 84 70 76 M36 88 Q50 94 64 88").stroke("#00000059", 4),
    Layer::oval(43, 62, 5, 9).fill(SHINE),
    Layer::oval(50, 42, 12, 12).fill("seat").stroke(INK, 4),
    Layer::oval(50, 21, 13, 11).fill("seat").stroke(INK, 4),
    Layer::path("M38 49 L35 33 L44 40 L50 30 L56 40 L65 33 L62 49 Z").fill("#ffd94d").stroke(INK, 3),
    Layer::path("M43 19 L43 20 M57 19 L57 20").stroke("#ffffff", 5),
];

static SOLDIER: [Layer; 7] = [
    Layer::path("M43 50 L22 40 L14 46 M42 55 L16 58 L10 68 M44 60 L24 74 L22 86 M57 50 L78 40 L86 46 M58 55 L84 58 L90 68 M56 60 L76 74 L78 86")
        .stroke(INK, 5),
    Layer::path("M40 24 Q20 14 36 2 Q34 12 48 18 Z M60 24 Q80 14 64 2 Q66 12 52 18 Z").fill(INK).stroke(INK, 3),
    Layer::oval(50, 78, 13, 17).fill("seat").stroke(INK, 4),
    Layer::oval(50, 55, 9, 11).fill("seat").stroke(INK, 4),
    Layer::oval(50, 32, 19, 16).fill("seat").stroke(INK, 4),
    Layer::oval(44, 27, 7, 5).fill(SHINE),
    Layer::oval(46, 73, 3, 6).fill(SHINE),
];

static WORKER: [Layer; 6] = [
    Layer::path("M45 46 L28 38 L22 43 M44 50 L24 53 L19 61 M46 54 L30 66 L28 76 M55 46 L72 38 L78 43 M56 50 L76 53 L81 61 M54 54 L70 66 L72 76")
        .stroke(INK, 5),
    Layer::path("M46 26 L38 14 M54 26 L62 14").stroke(INK, 4),
    Layer::oval(50, 69, 12, 15).fill("seat").stroke(INK, 4),
    Layer::oval(50, 49, 7, 9).fill("seat").stroke(INK, 4),
    Layer::oval(50, 32, 10, 9).fill("seat").stroke(INK, 4),
    Layer::oval(46, 64, 3, 6).fill(SHINE),
];

static BREAD_LAYERS: [Layer; 3] = [
    Layer::path("M18 60 Q10 36 34 32 Q50 20 68 32 Q92 36 82 60 Q82 74 70 74 L30 74 Q18 74 18 60 Z")
        .fill("#e9993a")
        .stroke("#7a4310", 5),
    Layer::path("M27 56 Q22 44 38 41 Q50 32 62 41 Q78 44 73 56 Z").fill("#f8c77c"),
    Layer::path("M38 36 L44 52 M54 33 L60 50").stroke("#7a4310", 5),
];

static SEED_LAYERS: [Layer; 3] = [
    Layer::path("M50 12 Q78 40 72 66 Q66 86 50 86 Q34 86 28 66 Q22 40 50 12 Z").fill("#8c8079").stroke("#3c3430", 5),
    Layer::path("M50 24 Q50 50 50 76").stroke("#3c3430", 4),
    Layer::path("M40 44 Q36 58 40 68").stroke("#ffffffa6", 5),
];

static LEAF_LAYERS: [Layer; 3] = [
    Layer::path("M16 84 Q8 30 84 16 Q88 84 32 80 Z").fill("#6cc417").stroke("#2c6200", 5),
    Layer::path("M12 90 Q40 56 70 32").stroke("#2c6200", 5),
    Layer::path("M38 60 L36 42 M38 60 L58 62 M52 47 L52 32 M52 47 L70 48").stroke("#2c6200", 3),
];

static BREAD_RING: [Layer; 2] = ring("#f9a102");
static SEED_RING: [Layer; 2] = ring("#7a716c");
static LEAF_RING: [Layer; 2] = ring("#59bb01");

const fn ring(colour: Colour) -> [Layer; 2] {
    [Layer::disc(50, 50, 42).stroke("#00000059", 12), Layer::disc(50, 50, 42).stroke(colour, 9)]
}
