//! Witches: who is active, what they haunt and whom they kill.

use super::board::Diamond;
use super::engine::{Engine, HAUNTED};
use super::state::{Kind, State, is_witch};
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
        if !self.state.is_placed(id) {
            self.stray_witch |= self.witch_at(from).is_some();
        }
        self.leave(from);
        self.enter(id, target, self.taken.offset(target));

        let mut near = std::mem::take(&mut self.scratch.near);
        let mut victims = std::mem::take(&mut self.scratch.victims);
        victims.clear();
        self.list_witches_near(target, &mut near);
        if near == [id] {
            self.set_active(id, true, &mut victims);
        } else {
            near.iter().for_each(|&witch| self.review(witch, &mut victims));
        }
        victims.sort_unstable();
        for &offset in &victims {
            // Spells that overlap name a victim twice, but kill it once.
            match self.state.unit_on.cells()[offset as usize] {
                State::NOBODY => {}
                victim => self.spell(victim)?,
            }
        }
        self.scratch.near = near;
        self.scratch.victims = victims;
        Ok(())
    }

    /// The witches, with herself, whom the step of a witch to `target` may
    /// concern: those in reach of where she was or is.
    fn list_witches_near(&self, target: Pos, near: &mut Vec<i32>) {
        near.clear();
        let State { settings, rosters, units, .. } = &self.state;
        let are_few = Seat::COUNT as i32 * settings.witches <= SHADOW.cells();
        if !are_few && !self.stray_witch {
            SHADOW.for_each(target, settings.side, |offset| near.extend(self.witch_at(offset)));
            return;
        }
        for kinds in rosters {
            for &witch in &kinds[Kind::Witch as usize] {
                if self.stray_witch || units[witch as usize].pos.distance(target) <= SHADOW.radius() {
                    near.push(witch);
                }
            }
        }
    }

    /// Decides again whether a witch is active.
    fn review(&mut self, id: i32, victims: &mut Vec<u32>) {
        let pos = self.state.units[id as usize].pos;
        let own = self.taken.offset(pos);
        let mut active = true;
        REACH.for_each(pos, self.state.settings.side, |offset| {
            active &= offset == own || self.witch_at(offset).is_none();
        });
        self.set_active(id, active, victims);
    }

    /// Makes a witch active or not, and adds to `victims` the cells of those
    /// that she now kills.
    fn set_active(&mut self, id: i32, active: bool, victims: &mut Vec<u32>) {
        let witch = &mut self.state.units[id as usize];
        let pos = witch.pos;
        if std::mem::replace(&mut witch.active, active) == active {
            return;
        }
        self.haunt(pos, active);
        if active {
            REACH.for_each(pos, self.state.settings.side, |offset| {
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
        is_witch(&self.state.units, id).then_some(id)
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
            let taken = &mut self.taken.cells_mut()[offset];
            if comes {
                *witches += 1;
                *taken |= HAUNTED;
            } else {
                *witches -= 1;
                if *witches == 0 {
                    *taken &= !HAUNTED;
                }
            }
        });
    }
}
