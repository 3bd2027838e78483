//! Witches: who is active, what they haunt and whom they kill.

use super::board::Diamond;
use super::engine::{Engine, HAUNTED};
use super::state::{Kind, State, Unit};
use crate::game::Stuck;
use crate::{Pos, Seat};

/// What an active witch haunts. Another witch there deactivates her.
pub(super) const REACH: Diamond<13> = Diamond::new(2);
/// Where nobody is born if it can be helped, be she active or not.
pub(super) const SHADOW: Diamond<25> = Diamond::new(3);

impl Engine {
    pub(super) fn place_witch(&mut self, id: i32, pos: Pos) {
        self.enter(id, pos, self.taken.offset(pos));
        self.state.units[id as usize].active = true;
        self.haunt(pos, true);
    }

    /// Moves a witch to a free cell. Her spell acts at once, and so do those
    /// of the witches that her move sets free.
    #[inline(never)]
    pub(super) fn walk_witch(&mut self, id: i32, target: Pos) -> Result<(), Stuck> {
        let origin = self.state.units[id as usize].pos;
        let was_active = std::mem::replace(&mut self.state.units[id as usize].active, false);
        if was_active {
            self.haunt(origin, false);
        }
        let from = self.taken.offset(origin);
        if self.state.is_placed(id) {
            self.leave(from);
        } else {
            self.evict(from);
        }
        self.enter(id, target, self.taken.offset(target));

        let mut victims = std::mem::take(&mut self.scratch.victims);
        victims.clear();
        if self.stray_witch {
            for other in 0..self.state.units.len() as i32 {
                if self.state.units[other as usize].kind == Kind::Witch {
                    self.review(other, &mut victims);
                }
            }
        } else {
            for centre in [origin, target] {
                REACH.for_each(centre, self.state.settings.side, |offset| {
                    if let Some(witch) = self.witch_at(offset) {
                        self.review(witch, &mut victims);
                    }
                });
            }
        }
        victims.sort_unstable();
        for &offset in &victims {
            // Spells that overlap name a victim twice, but kill it once.
            match self.state.unit_on.cells()[offset as usize] {
                State::NOBODY => {}
                victim => self.spell(victim)?,
            }
        }
        self.scratch.victims = victims;
        Ok(())
    }

    /// Decides again whether a witch is active, and adds to `victims` the
    /// cells of those that she now kills.
    fn review(&mut self, id: i32, victims: &mut Vec<u32>) {
        let Unit { pos, active: was_active, .. } = self.state.units[id as usize];
        let (side, own) = (self.state.settings.side, self.taken.offset(pos));
        let mut active = true;
        REACH.for_each(pos, side, |offset| active &= offset == own || self.witch_at(offset).is_none());
        if active == was_active {
            return;
        }
        self.state.units[id as usize].active = active;
        self.haunt(pos, active);
        if active {
            REACH.for_each(pos, side, |offset| {
                let other = self.state.unit_on.cells()[offset];
                if other != State::NOBODY && self.state.units[other as usize].kind != Kind::Witch {
                    victims.push(offset as u32);
                }
            });
        }
    }

    #[inline]
    pub(super) fn witch_at(&self, offset: usize) -> Option<i32> {
        let id = self.state.unit_on.cells()[offset];
        (id != State::NOBODY && self.state.units[id as usize].kind == Kind::Witch).then_some(id)
    }

    /// A unit dies on a haunted cell. Rival witches share it out by lot; killed
    /// by its own it goes to any of the other teams.
    #[inline(never)]
    pub(super) fn spell(&mut self, id: i32) -> Result<(), Stuck> {
        let (team, pos) = (self.state.units[id as usize].team, self.state.units[id as usize].pos);
        let mut rivals = [team; 13];
        let mut count = 0;
        let mut own = false;
        REACH.for_each(pos, self.state.settings.side, |offset| {
            let Some(witch) = self.witch_at(offset) else { return };
            let witch = &self.state.units[witch as usize];
            if witch.active && witch.team != team {
                rivals[count] = witch.team;
                count += 1;
            }
            own |= witch.active && witch.team == team;
        });
        let new_team = if count > 0 {
            rivals[self.generator.below(count as u32) as usize]
        } else if own {
            Seat::ALL[(team.index() + 1 + self.generator.below(3) as usize) % Seat::COUNT]
        } else {
            return Err(Stuck("a unit is killed by a witch who is on no cell"));
        };
        self.capture(id, new_team);
        Ok(())
    }

    /// An active witch comes to `pos`, or one there goes or is deactivated.
    fn haunt(&mut self, pos: Pos, comes: bool) {
        REACH.for_each(pos, self.state.settings.side, |offset| {
            let witches = &mut self.state.haunted.cells_mut()[offset];
            *witches = if comes { *witches + 1 } else { *witches - 1 };
            let flag = if *witches > 0 { HAUNTED } else { 0 };
            let taken = &mut self.taken.cells_mut()[offset];
            *taken = *taken & !HAUNTED | flag;
        });
    }
}
