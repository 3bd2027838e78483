//! How Harry Potter looks: words and drawings.

use crate::{
    CellKind, Colour, Drawing, Effect, EventKind, ItemKind, Layer, Legend, Mark, Named, PanelValue, SeatColours, text,
};

/// Kinds of cell; owned cells follow, by seat.
pub const FREE: u8 = 0;
pub const WALL: u8 = 1;
pub const OWNED: u8 = 2;

/// Kinds of item.
pub const WIZARD: i32 = 0;
pub const CONVERTING: i32 = 1;
pub const GHOST: i32 = 2;
pub const BOOK: i32 = 3;
pub const VOLDEMORT: i32 = 4;

/// Verbs.
pub const MOVES: i32 = 0;
pub const CASTS: i32 = 1;

/// Facts.
pub const CONVERTED_IN: usize = 0;
pub const CASTS_IN: usize = 1;
pub const ATTACKED_IN: usize = 2;

/// Kinds of event.
pub const FALLS: usize = 0;
pub const JOINS: usize = 1;
pub const SAVED: usize = 2;
pub const GHOST_ATTACKED: usize = 3;
pub const SPELL_CAST: usize = 4;
pub const READS: usize = 5;
pub const CAUGHT: usize = 6;
pub const GHOST_CAUGHT: usize = 7;

pub static LEGEND: Legend = Legend {
    ticks: 5,
    seats: [
        SeatColours { strong: "#b06020", pale: "#f8a858" },
        SeatColours { strong: "#008000", pale: "#70ff70" },
        SeatColours { strong: "#0050bb", pale: "#60a8ff" },
        SeatColours { strong: "#8000a0", pale: "#c0a0ff" },
    ],
    drawings: &[
        Drawing(&WALL_LAYERS),
        Drawing(&WIZARD_LAYERS),
        Drawing(&CROSS_LAYERS),
        Drawing(&GHOST_LAYERS),
        Drawing(&BOOK_LAYERS),
        Drawing(&VOLDEMORT_LAYERS),
        Drawing(&[next_clan("seat0")]),
        Drawing(&[next_clan("seat1")]),
        Drawing(&[next_clan("seat2")]),
        Drawing(&[next_clan("seat3")]),
    ],
    cells: &[
        CellKind { name: text("corridor", "passadís", "pasillo"), fill: "#ffffff", drawing: None },
        CellKind { name: text("wall", "paret", "pared"), fill: "#46466d", drawing: Some(0) },
        owned("pale0"),
        owned("pale1"),
        owned("pale2"),
        owned("pale3"),
    ],
    kinds: &[
        ItemKind { name: text("wizard", "mag", "mago"), drawing: 1, turns: false, layer: 2 },
        ItemKind {
            name: text("wizard in conversion", "mag en conversió", "mago en conversión"),
            drawing: 2,
            turns: false,
            layer: 2,
        },
        ItemKind { name: text("ghost", "fantasma", "fantasma"), drawing: 3, turns: false, layer: 2 },
        ItemKind { name: text("book", "llibre", "libro"), drawing: 4, turns: false, layer: 1 },
        ItemKind { name: text("Voldemort", "Voldemort", "Voldemort"), drawing: 5, turns: false, layer: 3 },
    ],
    badges: &[
        joins("will join seat 1", "passarà al seient 1", "pasará al asiento 1", 6),
        joins("will join seat 2", "passarà al seient 2", "pasará al asiento 2", 7),
        joins("will join seat 3", "passarà al seient 3", "pasará al asiento 3", 8),
        joins("will join seat 4", "passarà al seient 4", "pasará al asiento 4", 9),
    ],
    overlays: &[],
    facts: &[
        Named::new("rounds to conversion", "rondes fins a la conversió", "rondas hasta la conversión"),
        Named::new("rounds to rest", "rondes de descans", "rondas de descanso"),
        Named::new("last attacked in round", "últim atac a la ronda", "último ataque en la ronda"),
    ],
    verbs: &[
        Named::new("move", "moure's", "moverse"),
        Named::new("cast a spell", "llançar un encanteri", "lanzar un hechizo"),
    ],
    panel: &[
        PanelValue::number("units", "unitats", "unidades"),
        PanelValue::number("strength", "força", "fuerza"),
        PanelValue::number("cells", "caselles", "casillas"),
        PanelValue::number("points for conversions", "punts per conversions", "puntos por conversiones"),
    ],
    events: &[
        EventKind::new(
            Effect::Strike,
            "{seat} starts to convert {item} of {other}",
            "{seat} comença a convertir el {item} de {other}",
            "{seat} empieza a convertir al {item} de {other}",
        ),
        EventKind::new(
            Effect::Flash,
            "{item} of {other} joins {seat}",
            "el {item} de {other} passa a {seat}",
            "el {item} de {other} pasa a {seat}",
        ),
        EventKind::new(Effect::Flash, "{seat} rescues {item}", "{seat} rescata el {item}", "{seat} rescata al {item}"),
        EventKind::new(
            Effect::Strike,
            "the ghost of {seat} is attacked",
            "ataquen el fantasma de {seat}",
            "atacan al fantasma de {seat}",
        ),
        EventKind::new(
            Effect::Burst,
            "the ghost of {seat} casts a spell: {value} cells more",
            "el fantasma de {seat} llança un encanteri: {value} caselles més",
            "el fantasma de {seat} lanza un hechizo: {value} casillas más",
        )
        .marked(),
        EventKind::new(
            Effect::Flash,
            "{item} of {seat} reads a book",
            "el {item} de {seat} llegeix un llibre",
            "el {item} de {seat} lee un libro",
        ),
        EventKind::new(
            Effect::Burst,
            "Voldemort catches {item} of {other}, who comes back with {seat}",
            "en Voldemort atrapa el {item} de {other}, que torna amb {seat}",
            "Voldemort atrapa al {item} de {other}, que vuelve con {seat}",
        ),
        EventKind::new(
            Effect::Burst,
            "Voldemort catches the ghost of {seat}",
            "en Voldemort atrapa el fantasma de {seat}",
            "Voldemort atrapa al fantasma de {seat}",
        )
        .marked(),
    ],
    moods: &[],
    help: text(
        "Four clans take the corridors of the castle: a cell has the colour of the clan that owns it, walls are dark. \
         Discs are wizards, and crosses are wizards in conversion, with a dot in the colour of the clan they are about to join. \
         Squares are ghosts, which can cast a spell when they have rested. \
         Red discs with a book give strength to whoever reads them. \
         Voldemort, red with a halo, catches everybody in the eight cells around him.",
        "Quatre clans s'apoderen dels passadissos del castell: una casella té el color del clan que n'és l'amo i les parets són fosques. \
         Els discos són mags, i les creus són mags en conversió, amb un punt del color del clan al qual passaran. \
         Els quadrats són fantasmes, que poden llançar un encanteri quan han descansat. \
         Els discos vermells amb un llibre donen força a qui els llegeix. \
         En Voldemort, vermell i amb un halo, atrapa tothom qui és a les vuit caselles que l'envolten.",
        "Cuatro clanes se apoderan de los pasillos del castillo: una casilla tiene el color del clan que es su dueño y las paredes son oscuras. \
         Los discos son magos, y las cruces son magos en conversión, con un punto del color del clan al que pasarán. \
         Los cuadrados son fantasmas, que pueden lanzar un hechizo cuando han descansado. \
         Los discos rojos con un libro dan fuerza a quien los lee. \
         Voldemort, rojo y con un halo, atrapa a todos los que están en las ocho casillas que lo rodean.",
    ),
};

const fn owned(fill: Colour) -> CellKind {
    CellKind { name: text("owned cell", "casella d'un clan", "casilla de un clan"), fill, drawing: None }
}

const fn joins(en: &'static str, ca: &'static str, es: &'static str, drawing: usize) -> Mark {
    Mark { name: text(en, ca, es), drawing }
}

const fn next_clan(colour: Colour) -> Layer {
    Layer::disc(50, 50, 15).fill(colour).stroke("#ffffff", 7)
}

const INK: Colour = "#000000";
const RED: Colour = "#ff0000";

/// Courses of stone, barely seen.
static WALL_LAYERS: [Layer; 1] =
    [Layer::path("M0 33 L100 33 M0 67 L100 67 M50 0 L50 33 M25 33 L25 67 M75 33 L75 67 M50 67 L50 100")
        .stroke("#3a3a5c", 5)];

/// A disc with a pointed hat.
static WIZARD_LAYERS: [Layer; 3] = [
    Layer::disc(50, 50, 40).fill("seat").stroke("#00000099", 7),
    Layer::path("M18 44 Q26 20 52 18 Q32 24 27 46 Z").fill("#ffffff59"),
    Layer::path("M50 24 L61 60 Q76 63 76 68 Q64 74 50 74 Q36 74 24 68 Q24 63 39 60 Z").fill("#ffffffd9"),
];

static CROSS_LAYERS: [Layer; 2] = [
    Layer::path("M14 30 L30 14 L50 34 L70 14 L86 30 L66 50 L86 70 L70 86 L50 66 L30 86 L14 70 L34 50 Z")
        .fill("seat")
        .stroke("#00000099", 6),
    Layer::path("M22 29 L30 21 L47 38").stroke("#ffffff80", 5),
];

static GHOST_LAYERS: [Layer; 4] = [
    Layer::rect(12, 12, 76, 76, 6).fill("seat").stroke(INK, 9),
    Layer::path("M26 76 L26 46 Q26 24 50 24 Q74 24 74 46 L74 76 L66 68 L58 76 L50 68 L42 76 L34 68 Z")
        .fill("#ffffffe6"),
    Layer::oval(41, 47, 5, 7).fill(INK),
    Layer::oval(59, 47, 5, 7).fill(INK),
];

static BOOK_LAYERS: [Layer; 3] = [
    Layer::disc(50, 50, 40).fill(RED).stroke(INK, 8),
    Layer::path("M50 38 Q38 28 22 34 L22 66 Q38 60 50 70 Q62 60 78 66 L78 34 Q62 28 50 38 Z").fill("#fff6e0"),
    Layer::path("M50 38 L50 70").stroke("#7a0000", 5),
];

static VOLDEMORT_LAYERS: [Layer; 5] = [
    Layer::rect(-96, -96, 292, 292, 70).fill("#ff000080").stroke("#b00000", 6),
    Layer::disc(50, 50, 44).fill(RED).stroke(INK, 7),
    Layer::path("M50 12 Q74 18 74 46 Q74 74 50 86 Q26 74 26 46 Q26 18 50 12 Z").fill("#f4efe6"),
    Layer::path("M32 42 L45 48 M68 42 L55 48").stroke("#c00000", 7),
    Layer::path("M47 56 L47 62 M53 56 L53 62 M40 73 L60 73").stroke(INK, 4),
];
