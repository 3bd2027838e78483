//! The legend of a game: data only, most of it words and drawings.

/// `#rrggbb`, `#rrggbbaa`, or a colour of a seat: `seat` and `pale` for that of
/// the item, `seat0` to `seat3` and `pale0` to `pale3` for that of a fixed one.
pub type Colour = &'static str;

/// The same words in the three languages of Ludus.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    pub en: &'static str,
    pub ca: &'static str,
    pub es: &'static str,
}

/// Short, because legends are full of them.
pub const fn text(en: &'static str, ca: &'static str, es: &'static str) -> Text {
    Text { en, ca, es }
}

/// How everything in a game looks and is called. Scenes refer to its lists by
/// index.
#[derive(Debug)]
pub struct Legend {
    /// Rounds per second at normal speed.
    pub ticks: u32,
    pub seats: [SeatColours; 4],
    pub drawings: &'static [Drawing],
    pub cells: &'static [CellKind],
    pub kinds: &'static [ItemKind],
    /// Marks on items.
    pub badges: &'static [Mark],
    /// Marks on cells.
    pub overlays: &'static [Mark],
    /// What is known of an item besides its kind, place, seat and life.
    pub facts: &'static [Named],
    /// What units can be ordered.
    pub verbs: &'static [Named],
    pub panel: &'static [PanelValue],
    pub events: &'static [EventKind],
    pub moods: &'static [Mood],
    pub help: Text,
}

#[derive(Clone, Copy, Debug)]
pub struct SeatColours {
    /// For units and words.
    pub strong: Colour,
    /// For the ground.
    pub pale: Colour,
}

/// Layers from the bottom up, in a box of 100 by 100 that is one cell. A
/// drawing may reach outside its box.
#[derive(Clone, Copy, Debug)]
pub struct Drawing(pub &'static [Layer]);

#[derive(Clone, Copy, Debug)]
pub struct Layer {
    pub shape: Shape,
    pub fill: Option<Colour>,
    pub stroke: Option<(Colour, i32)>,
}

/// What a layer fills or follows. Whoever draws gets all of them as paths.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// SVG path data with the commands M, L, C, Q and Z, all absolute.
    Path(&'static str),
    Oval {
        x: i32,
        y: i32,
        rx: i32,
        ry: i32,
    },
    /// A rectangle with rounded corners.
    Rect {
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        radius: i32,
    },
}

impl Layer {
    pub const fn path(data: &'static str) -> Layer {
        Layer { shape: Shape::Path(data), fill: None, stroke: None }
    }

    pub const fn disc(x: i32, y: i32, radius: i32) -> Layer {
        Layer::oval(x, y, radius, radius)
    }

    pub const fn oval(x: i32, y: i32, rx: i32, ry: i32) -> Layer {
        Layer { shape: Shape::Oval { x, y, rx, ry }, fill: None, stroke: None }
    }

    pub const fn rect(x: i32, y: i32, width: i32, height: i32, radius: i32) -> Layer {
        Layer { shape: Shape::Rect { x, y, width, height, radius }, fill: None, stroke: None }
    }

    pub const fn fill(self, colour: Colour) -> Layer {
        Layer { fill: Some(colour), ..self }
    }

    pub const fn stroke(self, colour: Colour, width: i32) -> Layer {
        Layer { stroke: Some((colour, width)), ..self }
    }
}

/// A kind of ground.
#[derive(Clone, Copy, Debug)]
pub struct CellKind {
    pub name: Text,
    pub fill: Colour,
    pub drawing: Option<usize>,
}

#[derive(Debug)]
pub struct ItemKind {
    pub name: Text,
    pub drawing: usize,
    /// Whether the drawing turns with the heading of the item.
    pub turns: bool,
    /// Low layers are drawn first.
    pub layer: i32,
}

/// What may be drawn on top of an item, or on a cell.
#[derive(Debug)]
pub struct Mark {
    pub name: Text,
    pub drawing: usize,
}

#[derive(Debug)]
pub struct Named {
    pub name: Text,
}

impl Named {
    pub const fn new(en: &'static str, ca: &'static str, es: &'static str) -> Named {
        Named { name: text(en, ca, es) }
    }
}

/// A number shown for every player.
#[derive(Debug)]
pub struct PanelValue {
    pub name: Text,
    pub style: Style,
}

impl PanelValue {
    pub const fn number(en: &'static str, ca: &'static str, es: &'static str) -> PanelValue {
        PanelValue { name: text(en, ca, es), style: Style::Number }
    }

    pub const fn bar(en: &'static str, ca: &'static str, es: &'static str) -> PanelValue {
        PanelValue { name: text(en, ca, es), style: Style::Bar }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Number,
    /// A bar, relative to the largest of the four.
    Bar,
    /// In thousandths.
    Decimal,
}

impl Style {
    pub const fn name(self) -> &'static str {
        match self {
            Style::Number => "number",
            Style::Bar => "bar",
            Style::Decimal => "decimal",
        }
    }
}

#[derive(Debug)]
pub struct EventKind {
    /// A sentence with `{seat}`, `{other}`, `{item}`, `{cell}` and `{value}`
    /// where the event has them.
    pub name: Text,
    /// Whether it matters enough to be marked in the course of the match.
    pub mark: bool,
    pub effect: Effect,
}

impl EventKind {
    pub const fn new(effect: Effect, en: &'static str, ca: &'static str, es: &'static str) -> EventKind {
        EventKind { name: text(en, ca, es), mark: false, effect }
    }

    pub const fn marked(self) -> EventKind {
        EventKind { mark: true, ..self }
    }
}

/// What is seen on the board when an event happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    Strike,
    Burst,
    Flash,
}

impl Effect {
    pub const fn name(self) -> &'static str {
        match self {
            Effect::None => "none",
            Effect::Strike => "strike",
            Effect::Burst => "burst",
            Effect::Flash => "flash",
        }
    }
}

/// How the whole board looks for a while.
#[derive(Debug)]
pub struct Mood {
    pub name: Text,
    pub tint: Option<Colour>,
}
