//! One full frame of a match.

use ludus_games::{Past, PerSeat, Seat, Status};

/// What there is to see at one moment. Lists keep their room from frame to frame.
#[derive(Debug, Default)]
pub struct Scene {
    pub rows: i32,
    pub cols: i32,
    /// The kind of every cell, in reading order.
    pub cells: Vec<u8>,
    /// By increasing id.
    pub items: Vec<Item>,
    /// Kind and cell of every mark on a cell.
    pub overlays: Vec<(u8, i32)>,
    pub panel: PerSeat<Panel>,
    pub scores: PerSeat<i64>,
    pub status: PerSeat<Status>,
    pub mood: usize,
    /// What happened in the round that led here.
    pub events: Vec<Event>,
    /// Room for the games to work in.
    pub(crate) scratch: Vec<i32>,
}

/// As many values as a game has names for in its legend.
pub type Panel = [i64; Scene::MOST_PANEL_VALUES];

impl Scene {
    pub const MOST_PANEL_VALUES: usize = 8;

    /// Empties the lists for a board of this size.
    pub fn begin(&mut self, rows: i32, cols: i32) {
        (self.rows, self.cols) = (rows, cols);
        self.cells.clear();
        self.items.clear();
        self.overlays.clear();
        self.panel = [[0; Scene::MOST_PANEL_VALUES]; Seat::COUNT];
        self.events.clear();
        self.mood = 0;
    }

    /// The item with this id, once the items stand by increasing id.
    pub fn item_mut(&mut self, id: i32) -> Option<&mut Item> {
        self.items.binary_search_by_key(&id, |item| item.id).ok().map(|at| &mut self.items[at])
    }

    /// Notes at every unit what it was ordered in the round before, and whether
    /// that was done. `owner` gives the seat of a unit before that round, and
    /// `read` verb and direction of an order of the game, which a seat gave or,
    /// without one, which was done.
    pub fn note_orders(
        &mut self,
        past: &Past<'_>,
        owner: impl Fn(i32) -> Option<Seat>,
        read: impl Fn(&[i32], Option<Seat>) -> Option<(i32, i32)>,
    ) {
        let mut note = |order: &[i32], seat: Option<Seat>| {
            if let (Some(&id), Some((verb, direction))) = (order.first(), read(order, seat))
                && let Some(item) = self.item_mut(id)
            {
                (item.verb, item.direction, item.outcome) = (verb, direction, i32::from(seat.is_none()));
            }
        };
        for (seat, orders) in Seat::ALL.into_iter().zip(past.asked.into_iter().flatten()) {
            let own = |order: &&[i32]| order.first().and_then(|&id| owner(id)) == Some(seat);
            orders.iter().filter(own).for_each(|order| note(order, Some(seat)));
        }
        past.done.iter().for_each(|order| note(order, None));
    }
}

/// Something on a cell that may move: a unit, or a thing lying there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// Stays the same for the whole match. Units have the ids of the rules,
    /// from 0; things that have none in the rules get one below -1 from their
    /// cell, see [`Item::thing`].
    pub id: i32,
    pub kind: i32,
    pub cell: i32,
    pub seat: i32,
    /// From 0, up, clockwise to 7; or [`Item::NONE`], or [`Item::SAME`].
    pub heading: i32,
    /// In thousandths of the full life.
    pub life: i32,
    /// A set of bits.
    pub badges: i32,
    /// What the unit was ordered in the round before, in which direction, and
    /// whether that was done.
    pub verb: i32,
    pub direction: i32,
    pub outcome: i32,
    pub facts: [i32; Item::MOST_FACTS],
}

impl Item {
    pub const MOST_FACTS: usize = 6;
    /// Nothing, in any field but the facts.
    pub const NONE: i32 = -1;
    /// The heading of the frame before, or up.
    pub const SAME: i32 = -2;
    /// A fact that does not apply.
    pub const NO_FACT: i32 = i32::MIN;

    /// A unit without orders, badges and facts.
    pub const fn new(id: i32, kind: i32, cell: i32) -> Item {
        Item {
            id,
            kind,
            cell,
            seat: Item::NONE,
            heading: Item::NONE,
            life: Item::NONE,
            badges: 0,
            verb: Item::NONE,
            direction: Item::NONE,
            outcome: Item::NONE,
            facts: [Item::NO_FACT; Item::MOST_FACTS],
        }
    }

    /// A thing on a cell, where there can be only one of its class at a time:
    /// its id falls with the number of the cell. All the cells of a board are
    /// asked for, so that ids of several classes differ.
    pub const fn thing(class: i32, kind: i32, cell: i32, cells: i32) -> Item {
        Item::new(-2 - class * cells - cell, kind, cell)
    }

    /// Thousandths for [`Item::life`], in steps of 40: a bar shows no more, and
    /// whatever ages would change in every frame.
    pub fn life_share(life: i32, full: i32) -> i32 {
        let full = i64::from(full.max(1));
        ((i64::from(life) * 25 + full - 1) / full).clamp(0, 25) as i32 * 40
    }

    /// All fields but the id, in the order of the document.
    pub fn fields(&self) -> [i32; Item::FIELDS] {
        let Item { kind, cell, seat, heading, life, badges, verb, direction, outcome, facts, .. } = *self;
        let [a, b, c, d, e, f] = facts;
        [kind, cell, seat, heading, life, badges, verb, direction, outcome, a, b, c, d, e, f]
    }

    pub const FIELDS: usize = Item::PLAIN_FIELDS + Item::MOST_FACTS;
    /// Fields that every game has.
    pub const PLAIN_FIELDS: usize = 9;
}

/// Something that happened in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub kind: usize,
    pub seat: i32,
    /// The second player concerned.
    pub other: i32,
    pub item: i32,
    pub cell: i32,
    pub value: i32,
}

impl Event {
    pub const fn new(kind: usize) -> Event {
        Event { kind, seat: -1, other: -1, item: -1, cell: -1, value: -1 }
    }

    pub const fn seat(self, seat: Seat) -> Event {
        Event { seat: seat.index() as i32, ..self }
    }

    pub const fn other(self, seat: Seat) -> Event {
        Event { other: seat.index() as i32, ..self }
    }

    pub const fn item(self, item: i32) -> Event {
        Event { item, ..self }
    }

    pub const fn cell(self, cell: i32) -> Event {
        Event { cell, ..self }
    }

    pub const fn value(self, value: i32) -> Event {
        Event { value, ..self }
    }
}
