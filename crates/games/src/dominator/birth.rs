//! Births: the four armies at the beginning, and the captured after a round.

use super::board::Quadrant;
use super::coven::SHADOW;
use super::engine::{Engine, Scratch};
use super::state::{Kind, Unit};
use crate::game::Stuck;
use crate::tokens::{Result, TextError};
use crate::{Generator, Grid, Pos, Seat};

const STEPS_BESIDE: [(i32, i32); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];
const STEPS_AROUND: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

impl Engine {
    /// Places the army of a team, whose units get the next ids.
    pub(super) fn settle(&mut self, team: Seat) -> Result<()> {
        let settings = self.state.settings.clone();
        for _ in 0..settings.witches {
            let id = self.create(team, Kind::Witch);
            let pos = self.find_lair(team)?;
            self.place_witch(id, pos);
        }
        for (kind, count) in [(Kind::Knight, settings.knights), (Kind::Farmer, settings.farmers)] {
            let units: Vec<i32> = (0..count).map(|_| self.create(team, kind)).collect();
            let mut extras = Vec::new();
            if !units.is_empty() {
                self.spawn(team, kind, &units, &mut extras);
            }
            if !extras.is_empty() {
                let label = if kind == Kind::Knight { "nb_knights" } else { "nb_farmers" };
                return Err(TextError::whole(format!(
                    "{label} {count} do not fit in the quadrant of player {team}, which lacks {} cells; ask for fewer or for fewer walls",
                    extras.len()
                )));
            }
        }
        Ok(())
    }

    fn create(&mut self, team: Seat, kind: Kind) -> i32 {
        let health = self.state.settings.health(kind);
        self.state.recruit(Unit { kind, team, pos: Pos::default(), health, active: false });
        self.state.units.len() as i32 - 1
    }

    /// Draws cells of the quadrant until one is far from all other witches.
    fn find_lair(&mut self, team: Seat) -> Result<Pos> {
        let Quadrant { first, last } = Quadrant::of(team, self.state.settings.side);
        for attempt in 1u32.. {
            let i = self.generator.random(first.i, last.i);
            let pos = Pos::new(i, self.generator.random(first.j, last.j));
            if self.is_far(pos) {
                return Ok(pos);
            }
            // The reference would go on for ever; looking now and then is enough.
            let mut rows = first.i..=last.i;
            if attempt >= 64
                && attempt.is_power_of_two()
                && !rows.any(|i| (first.j..=last.j).any(|j| self.is_far(Pos::new(i, j))))
            {
                break;
            }
        }
        Err(TextError::whole(format!(
            "nb_witches {} do not fit in the quadrant of player {team}, at distance 4 from each other; ask for fewer or for fewer walls",
            self.state.settings.witches
        )))
    }

    /// Whether a witch can be born on the cell, away from all others.
    fn is_far(&self, pos: Pos) -> bool {
        let mut far = self.taken[pos] == 0;
        SHADOW.for_each(pos, self.state.settings.side, |offset| far &= self.witch_at(offset).is_none());
        far
    }

    /// Puts the captured on the board again, in the quadrants of their new teams.
    #[inline(never)]
    pub(super) fn rebirth(&mut self) -> std::result::Result<(), Stuck> {
        let mut extras = Vec::new();
        if !self.captured.is_empty() {
            self.captured.sort_unstable();
            let captured = std::mem::take(&mut self.captured);
            let mut units = Vec::with_capacity(captured.len());
            for kind in [Kind::Knight, Kind::Farmer] {
                for team in Seat::ALL {
                    units.clear();
                    units.extend(captured.iter().copied().filter(|&id| {
                        let unit = &self.state.units[id as usize];
                        unit.kind == kind && unit.team == team
                    }));
                    if !units.is_empty() {
                        self.spawn(team, kind, &units, &mut extras);
                    }
                }
            }
            self.captured = captured;
        }
        self.place_extras(&extras)
    }

    /// Places one or more units of one kind, each on a good cell of the
    /// quadrant; if these run out, on any free one; and hands the rest back as
    /// extras.
    pub(super) fn spawn(&mut self, team: Seat, kind: Kind, units: &[i32], extras: &mut Vec<i32>) {
        let mut places = std::mem::take(&mut self.scratch.birthplaces);
        let mut permutation = std::mem::take(&mut self.scratch.permutation);
        self.expose(team, kind);
        let exposure = self.scratch.exposure;
        places.find(self, team, |taken, exposed| (taken == 0) & (exposed != exposure));
        let good = places.count;
        shuffle_head(&mut self.generator, good, units.len().min(good), &mut permutation);
        for (&id, &k) in units.iter().zip(&permutation) {
            self.place(id, places.nth(k));
        }
        if units.len() > good {
            places.find(self, team, |taken, _| taken == 0);
            let free = places.count;
            // The count goes on from the good cells, but is compared with the
            // free ones: between the two, units are born on no cell at all.
            let last = units.len().min(free);
            shuffle_head(&mut self.generator, free, last, &mut permutation);
            for k in good..last {
                self.place(units[k], places.nth(permutation[k]));
            }
            extras.extend(units.iter().skip(good + free));
        }
        self.scratch.birthplaces = places;
        self.scratch.permutation = permutation;
    }

    fn place(&mut self, id: i32, pos: Pos) {
        let offset = self.taken.offset(pos);
        self.enter(id, pos, offset);
        let Unit { kind, team, .. } = self.state.units[id as usize];
        if kind == Kind::Farmer {
            self.paint(offset, team);
        }
    }

    /// Marks the cells of the quadrant that a newborn of this kind avoids: those
    /// near a witch, and a farmer those beside a rival knight, a knight those
    /// around any rival.
    #[inline(never)]
    fn expose(&mut self, team: Seat, kind: Kind) {
        let Scratch { exposed, exposure, .. } = &mut self.scratch;
        if *exposure == u8::MAX {
            exposed.fill(0);
            *exposure = 0;
        }
        *exposure += 1;
        let (exposure, state) = (*exposure, &self.state);
        let side = state.settings.side;
        let Quadrant { first, last } = Quadrant::of(team, side);
        // Whether a unit is on a cell from which that distance leads into the quadrant.
        let within = |distance: i32| {
            let (top, left) = (first.i - distance, first.j - distance);
            let width = (last.i + distance - top) as u32;
            move |id: i32, pos: Pos| {
                (pos.i - top) as u32 <= width && (pos.j - left) as u32 <= width && state.unit_on[pos] == id
            }
        };
        let is_near = within(3);
        for roster in &state.rosters {
            for &id in &roster[Kind::Witch as usize] {
                let pos = state.units[id as usize].pos;
                if is_near(id, pos) {
                    SHADOW.for_each(pos, side, |offset| exposed.cells_mut()[offset] = exposure);
                }
            }
        }
        let is_beside = within(1);
        // Rival witches keep knights away too, but they have done so by now.
        let (kinds, steps) = match kind {
            Kind::Farmer => (&[Kind::Knight][..], &STEPS_BESIDE[..]),
            _ => (&[Kind::Farmer, Kind::Knight][..], &STEPS_AROUND[..]),
        };
        for rival in Seat::ALL.into_iter().filter(|&rival| rival != team) {
            for &kind in kinds {
                for &id in &state.rosters[rival][kind as usize] {
                    let pos = state.units[id as usize].pos;
                    if is_beside(id, pos) {
                        steps.iter().for_each(|&step| mark(exposed, pos + step, exposure));
                    }
                }
            }
        }
    }

    /// Places what the quadrants had no room for anywhere. The shuffle of all
    /// free cells is drawn in every round, needed or not.
    fn place_extras(&mut self, extras: &[i32]) -> std::result::Result<(), Stuck> {
        // Counted in bytes, 32 at a time, before the count can overflow.
        let free_of = |cells: &[u8]| usize::from(cells.iter().map(|&taken| u8::from(taken == 0)).sum::<u8>());
        let (chunks, rest) = self.taken.cells().as_chunks::<{ 7 * 32 }>();
        let free = chunks.iter().map(|chunk| free_of(chunk)).sum::<usize>() + free_of(rest);
        if free < extras.len() {
            return Err(Stuck("there are more units to be reborn than free cells"));
        }
        if extras.is_empty() {
            self.generator.skip(free as u64);
            return Ok(());
        }
        let places: Vec<Pos> = self.taken.positions().filter(|&pos| self.taken[pos] == 0).collect();
        let mut permutation = Vec::new();
        shuffle_head(&mut self.generator, free, extras.len(), &mut permutation);
        for (&id, &k) in extras.iter().zip(&permutation) {
            self.place(id, places[k as usize]);
        }
        Ok(())
    }
}

fn mark(grid: &mut Grid<u8>, pos: Pos, value: u8) {
    if grid.contains(pos) {
        grid[pos] = value;
    }
}

/// The cells of a quadrant on which units can be born. They are counted row by
/// row and only the few that are drawn are looked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    first: Pos,
    /// For every cell of the quadrant 1 if it fits, else 0.
    fits: Vec<u8>,
    count: usize,
    /// How many cells of each row fit: at most 248, on the largest board.
    in_row: Vec<u8>,
}

impl Places {
    /// Finds the cells that fit. What is asked is their bytes in `taken` and
    /// `exposed`.
    #[inline(never)]
    fn find(&mut self, engine: &Engine, team: Seat, fits: impl Fn(u8, u8) -> bool) {
        let Quadrant { first, last } = Quadrant::of(team, engine.state.settings.side);
        let width = (last.j - first.j + 1) as usize;
        self.first = first;
        self.fits.resize(width * width, 0);
        self.in_row.resize(width, 0);
        let mut start = engine.taken.offset(first);
        for (row, count) in self.fits.chunks_exact_mut(width).zip(&mut self.in_row) {
            let taken = &engine.taken.cells()[start..start + width];
            let exposed = &engine.scratch.exposed.cells()[start..start + width];
            *count = fill(row, taken, exposed, &fits);
            start += engine.state.settings.side as usize;
        }
        self.count = self.in_row.iter().map(|&count| usize::from(count)).sum();
    }

    /// The cell with this number, counting row by row.
    fn nth(&self, number: u32) -> Pos {
        let mut left = number as usize;
        let width = self.in_row.len();
        for (i, &count) in self.in_row.iter().enumerate() {
            if left < usize::from(count) {
                let row = &self.fits[i * width..(i + 1) * width];
                let j = (0..width).filter(|&j| row[j] == 1).nth(left).expect("the row has that many");
                return self.first + (i as i32, j as i32);
            }
            left -= usize::from(count);
        }
        unreachable!("the number is below that of all cells that fit")
    }
}

/// Fills a row of [`Places::fits`] and counts it, sixteen cells at a time: the
/// width of a quadrant of the default board, and of a vector.
fn fill(row: &mut [u8], taken: &[u8], exposed: &[u8], fits: impl Fn(u8, u8) -> bool) -> u8 {
    let mut count = 0;
    let (rows, rest) = row.as_chunks_mut::<16>();
    let (takens, taken_rest) = taken.as_chunks::<16>();
    let (exposeds, exposed_rest) = exposed.as_chunks::<16>();
    for ((row, taken), exposed) in rows.iter_mut().zip(takens).zip(exposeds) {
        for k in 0..16 {
            row[k] = u8::from(fits(taken[k], exposed[k]));
        }
        count += row.iter().sum::<u8>();
    }
    for ((fit, &taken), &exposed) in rest.iter_mut().zip(taken_rest).zip(exposed_rest) {
        *fit = u8::from(fits(taken, exposed));
        count += *fit;
    }
    count
}

/// The first `used` elements of a permutation of `len`, with all of its draws:
/// an element is final as soon as its turn to be exchanged has passed.
fn shuffle_head(generator: &mut Generator, len: usize, used: usize, out: &mut Vec<u32>) {
    out.clear();
    out.extend(0..len as u32);
    for i in 0..used {
        let k = i + generator.below((len - i) as u32) as usize;
        out.swap(i, k);
    }
    generator.skip((len - used) as u64);
    out.truncate(used);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_permutation() {
        for (len, used) in [(0, 0), (1, 1), (9, 0), (200, 3), (200, 200)] {
            let (mut whole, mut part) = (Generator::new(77), Generator::new(77));
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            whole.permutation(len, &mut expected);
            shuffle_head(&mut part, len, used, &mut found);
            assert_eq!((&found[..], part), (&expected[..used], whole));
        }
    }
}
