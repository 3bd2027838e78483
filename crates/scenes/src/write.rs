//! A match as the JSON document of `docs/scenes.md`.

use ludus_games::record::Header;
use ludus_games::text::WriteText;
use ludus_games::{Game, Past, State};

use crate::json::{write_bool, write_legend, write_list, write_string};
use crate::{Event, FROZEN, Frames, Item, Legend, Scene, scenery};

/// What stands at the head of the document.
pub struct Opening<'a> {
    pub game: &'a dyn Game,
    pub header: &'a Header,
    /// Whether the statuses are true fractions of CPU.
    pub cpu: bool,
}

/// Something that a player drew: the round, the seat, the kind, the colour or -1,
/// four numbers that say where, and a text.
pub struct DrawnShape<'a> {
    pub numbers: [i32; 8],
    pub text: &'a str,
}

/// What stands in place of the damage where there is none.
const NO_DAMAGE: &str = "null";

/// Writes the frames of a match as they come: the first one whole, of the
/// others what has changed.
pub struct SceneWriter {
    legend: &'static Legend,
    frames: Frames,
    out: Vec<u8>,
    /// Where the damage of the file is told, which is known at the end only.
    damage_at: usize,
}

impl SceneWriter {
    /// Writes the legend and the first frame.
    pub fn new(opening: &Opening<'_>, first: &dyn State) -> SceneWriter {
        let scenery = scenery(opening.game);
        let legend = scenery.legend;
        let mut writer = SceneWriter { legend, frames: Frames::new(scenery), out: Vec::new(), damage_at: 0 };
        writer.frames.advance(first, None);
        writer.write_opening(opening, first);
        let scene = writer.frames.now();
        writer.out.text("{\"board\":[");
        write_runs(&scene.cells, &mut writer.out);
        writer.out.text("]");
        write_changes(legend, None, scene, &mut writer.out);
        writer.out.text("}");
        writer
    }

    /// Writes the frame of one more round.
    pub fn frame(&mut self, state: &dyn State, past: &Past<'_>) {
        self.frames.advance(state, Some(past));
        self.out.text(",\n");
        let start = self.out.len();
        write_changes(self.legend, Some(self.frames.before()), self.frames.now(), &mut self.out);
        // Every key has written a comma before itself.
        match self.out.get_mut(start) {
            Some(comma) => *comma = b'{',
            None => self.out.text("{"),
        }
        self.out.text("}");
    }

    /// Bytes so far.
    pub fn size(&self) -> usize {
        self.out.len()
    }

    /// The whole document of a match whose file breaks here for this reason, if
    /// it does.
    pub fn finish(self, damage: Option<&str>) -> Vec<u8> {
        self.finish_with(&[], damage)
    }

    /// The same with what players drew.
    pub fn finish_with(mut self, drawn: &[DrawnShape<'_>], damage: Option<&str>) -> Vec<u8> {
        self.out.text("]");
        if !drawn.is_empty() {
            self.out.text(",\"drawn\":");
            write_list(drawn, &mut self.out, |drawn, out| {
                out.text("[");
                write_ints(drawn.numbers, out);
                out.text(",");
                write_string(drawn.text, out);
                out.text("]");
            });
        }
        self.out.text("}\n");
        if let Some(damage) = damage {
            let mut words = Vec::new();
            write_string(damage, &mut words);
            self.out.splice(self.damage_at..self.damage_at + NO_DAMAGE.len(), words);
        }
        self.out
    }

    fn write_opening(&mut self, opening: &Opening<'_>, first: &dyn State) {
        let (about, out) = (opening.game.about(), &mut self.out);
        out.text("{\"scene\":1,\"game\":");
        write_string(about.id, out);
        out.text(",\"title\":");
        write_string(about.title, out);
        let scene = self.frames.now();
        for (key, number) in [
            (",\"rows\":", scene.rows.into()),
            (",\"cols\":", scene.cols.into()),
            (",\"rounds\":", first.rounds().into()),
            (",\"seed\":", i64::from(opening.header.seed)),
        ] {
            out.text(key);
            out.int(number);
        }
        out.text(",\"judged\":");
        write_bool(opening.header.judged, out);
        out.text(",\"names\":");
        write_list(&opening.header.names, out, |name, out| write_string(name, out));
        out.text(",\"cpu\":");
        write_bool(opening.cpu, out);
        out.text(",\"damage\":");
        self.damage_at = out.len();
        out.text(NO_DAMAGE);
        write_legend(self.legend, &[FROZEN], out);
        out.text(",\"frames\":[\n");
    }
}

/// The cells as run lengths: count, kind, count, kind.
fn write_runs(cells: &[u8], out: &mut Vec<u8>) {
    for (k, run) in cells.chunk_by(|a, b| a == b).enumerate() {
        if k > 0 {
            out.push(b',');
        }
        out.int(run.len() as i64);
        out.push(b',');
        out.int(run[0]);
    }
}

/// The keys of a frame but its board, each with a comma before it.
fn write_changes(legend: &Legend, before: Option<&Scene>, now: &Scene, out: &mut Vec<u8>) {
    if let Some(before) = before {
        write_cells(&before.cells, &now.cells, out);
    }
    write_items(legend, before.map_or(&[], |before| &before.items), &now.items, out);
    let values = legend.panel.len();
    if before.is_none_or(|before| before.overlays != now.overlays) && !(before.is_none() && now.overlays.is_empty()) {
        out.text(",\"o\":");
        write_list(&now.overlays, out, |&(kind, cell), out| write_ints([kind.into(), cell], out));
    }
    if before.is_none_or(|before| before.panel != now.panel) && values > 0 {
        out.text(",\"p\":");
        write_list(&now.panel, out, |panel, out| write_list(&panel[..values], out, |&value, out| out.int(value)));
    }
    if before.is_none_or(|before| before.scores != now.scores) {
        out.text(",\"s\":");
        write_list(now.scores, out, |score, out| out.int(score));
    }
    if before.is_none_or(|before| before.status != now.status) {
        out.text(",\"u\":");
        write_list(now.status, out, |status, out| out.text(&status.to_string()));
    }
    if before.is_none_or(|before| before.mood != now.mood) && !legend.moods.is_empty() {
        out.text(",\"m\":");
        out.int(now.mood as i64);
    }
    if !now.events.is_empty() {
        out.text(",\"e\":");
        write_list(&now.events, out, |&Event { kind, seat, other, item, cell, value }, out| {
            write_ints([kind as i32, seat, other, item, cell, value], out);
        });
    }
}

fn write_ints<const N: usize>(values: [i32; N], out: &mut Vec<u8>) {
    for (k, value) in values.into_iter().enumerate() {
        if k > 0 {
            out.push(b',');
        }
        out.int(value);
    }
}

/// A list under a key that is written when the first value comes.
struct LazyList {
    key: &'static str,
    begun: bool,
}

impl LazyList {
    const fn new(key: &'static str) -> Self {
        LazyList { key, begun: false }
    }

    fn before_value(&mut self, out: &mut Vec<u8>) {
        if self.begun {
            out.push(b',');
        } else {
            out.text(self.key);
            self.begun = true;
        }
    }

    fn end(self, out: &mut Vec<u8>) {
        if self.begun {
            out.push(b']');
        }
    }
}

fn write_cells(before: &[u8], now: &[u8], out: &mut Vec<u8>) {
    const BLOCK: usize = 32;
    let mut list = LazyList::new(",\"c\":[");
    // Most of a board stays as it is, and whole blocks compare fast.
    for (block, (old, new)) in before.chunks(BLOCK).zip(now.chunks(BLOCK)).enumerate() {
        if old == new {
            continue;
        }
        for (k, _) in old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new) {
            list.before_value(out);
            write_ints([(block * BLOCK + k) as i32, new[k].into()], out);
        }
    }
    list.end(out);
}

/// New, changed and lost items; both lists are by increasing id.
fn write_items(legend: &Legend, before: &[Item], now: &[Item], out: &mut Vec<u8>) {
    let mut old = before.iter().peekable();
    let mut list = LazyList::new(",\"i\":[");
    for item in now {
        while old.next_if(|old| old.id < item.id).is_some() {}
        match old.next_if(|old| old.id == item.id) {
            Some(old) if old == item => {}
            old => {
                list.before_value(out);
                write_item(legend, old, item, out);
            }
        }
    }
    list.end(out);
    let mut kept = now.iter().peekable();
    let mut gone = LazyList::new(",\"g\":[");
    for item in before {
        while kept.next_if(|kept| kept.id < item.id).is_some() {}
        if kept.next_if(|kept| kept.id == item.id).is_none() {
            gone.before_value(out);
            out.int(item.id);
        }
    }
    gone.end(out);
}

fn write_item(legend: &Legend, old: Option<&Item>, item: &Item, out: &mut Vec<u8>) {
    let count = Item::PLAIN_FIELDS + legend.facts.len();
    let fields = item.fields();
    let mut mask: u32 = (1 << count) - 1;
    if let Some(old) = old {
        let changed = fields.iter().zip(old.fields()).enumerate();
        mask &= changed.fold(0, |set, (bit, (new, old))| set | u32::from(*new != old) << bit);
    }
    write_ints([item.id, mask as i32], out);
    while mask != 0 {
        out.push(b',');
        out.int(fields[mask.trailing_zeros() as usize]);
        mask &= mask - 1;
    }
}
