//! How the players of a league stand: worked out from all its matches.

use anyhow::{Result, bail};
use ludus_arena::ladder::Contender;
use ludus_arena::{Fixture, Played, Tally, rate};
use ludus_games::{PerSeat, Seat};

use super::folder::League;
use crate::arena::tables::{aligned, cell, rating_cell};
use crate::journal::{Entry, Journal};

/// Moments of the ratings that are remembered for the report.
const MOST_MOMENTS: usize = 200;

pub struct Standings {
    pub tally: Tally,
    pub field: Vec<Contender>,
    pub matches: u64,
    /// Ratings after some matches: the number of the match, and everybody's mean.
    pub moments: Vec<(u64, Vec<f64>)>,
    apart: u64,
}

impl Standings {
    pub fn new(league: &League) -> Standings {
        let author = |(number, member): (usize, &super::folder::Member)| match member.builtin {
            Some(_) => None,
            None => Some(number as i64),
        };
        Standings {
            tally: Tally::new(league.players.len()),
            field: league.players.iter().enumerate().map(author).map(Contender::new).collect(),
            matches: 0,
            moments: Vec::new(),
            apart: 1,
        }
    }

    /// The standings of a league in which nobody plays now.
    pub fn read(league: &League) -> Result<Standings> {
        let mut standings = Standings::new(league);
        if league.journal().exists() {
            standings.open(league)?;
        }
        Ok(standings)
    }

    /// The journal, whose matches are added.
    pub fn open(&mut self, league: &League) -> Result<Journal> {
        let mut strange = None;
        let journal = Journal::open(&league.journal(), &league.identity(), |number, entry| {
            if !self.add(number, &entry) {
                strange.get_or_insert(number);
            }
        })?;
        match strange {
            Some(number) => {
                bail!("match {number} of {} is of players that the league does not have", league.journal().display())
            }
            None => Ok(journal),
        }
    }

    /// The next match; whether its players are in the league.
    pub fn add(&mut self, number: u64, entry: &Entry) -> bool {
        let Some(seats) = entry.seats.filter(|seats| seats.iter().all(|&player| player < self.field.len())) else {
            return false;
        };
        self.rate(seats, &entry.played);
        // Every match has a seed of its own.
        self.tally.add(&Fixture { number, seed: number as i32, seats }, &entry.played);
        self.matches += 1;
        if self.matches.is_multiple_of(self.apart) {
            self.moments.push((self.matches, self.field.iter().map(|one| one.rating.mean).collect()));
            if self.moments.len() > MOST_MOMENTS {
                self.apart *= 2;
                let apart = self.apart;
                self.moments.retain(|(matches, _)| matches.is_multiple_of(apart));
            }
        }
        true
    }

    fn rate(&mut self, seats: PerSeat<usize>, played: &Played) {
        let after = rate(seats.map(|player| self.field[player].rating), played.scores);
        for seat in Seat::ALL {
            let contender = &mut self.field[seats[seat]];
            contender.rating = after[seat];
            contender.seats[seat] += 1;
        }
    }

    /// The players from the best rating to the worst, and those that have not played.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.field.len()).collect();
        let key = |player: usize| (self.field[player].matches() == 0, -self.field[player].rating.mean);
        order.sort_by(|&one, &other| key(one).0.cmp(&key(other).0).then(key(one).1.total_cmp(&key(other).1)));
        order
    }

    pub fn table(&self, league: &League) -> String {
        let heads = ["", "player", "rating", "matches", "wins %", "rank", ""];
        let mut rows = vec![heads.map(str::to_owned).to_vec()];
        for (place, player) in self.ranking().into_iter().enumerate() {
            let (name, contender) = (league.players[player].name.clone(), &self.field[player]);
            let mut row = vec![(place + 1).to_string(), name];
            if contender.matches() == 0 {
                row.extend(["-", "0", "-", "-", "new"].map(str::to_owned));
            } else {
                let standing = self.tally.standing(player);
                row.extend([
                    rating_cell(contender.rating),
                    standing.matches.to_string(),
                    cell(&standing.wins, 100.0, 1),
                    cell(&standing.rank, 1.0, 2),
                    if contender.is_unknown() { "still open".to_owned() } else { String::new() },
                ]);
            }
            rows.push(row);
        }
        format!("{}\n{} matches; ± is the longer half of the 95 % interval\n", aligned(&rows), self.matches)
    }
}
