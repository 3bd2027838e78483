//! The search: steps of points that are played on every core, and what they say.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use ludus_arena::tune::{Evaluation, MATCHES, Surface, Tuner};
use ludus_arena::{Played, in_order};
use ludus_games::Seat;

use super::plan::Plan;
use crate::journal::Journal;
use crate::scheduled::RunFiles;
use crate::terminal::{self, Progress};

/// Looks that the landscape of the report is made of: the last.
const MOST_LOOKS: usize = 400;

/// Steps after which it is known whether there is anything to gain, and the share of
/// rivals beaten with the present values from which on there is not.
const FIRST_STEPS: u64 = 3;
const NEARLY_ALL: f64 = 0.95;

/// What nobody would see, in the share of rivals beaten.
const NEGLIGIBLE: f64 = 0.005;

pub struct Search {
    tuner: Box<dyn Tuner>,
    run_files: RunFiles,
    /// What the journal holds, in the order of the matches.
    kept: Vec<Played>,
    pub evaluations: Vec<Evaluation>,
    steps: u64,
    matches: u64,
    /// Sums of the variances between seeds, over points.
    variance: (f64, u64),
}

impl Search {
    pub fn open(plan: &Plan, resume: Option<&Path>) -> Result<Search> {
        let mut kept = Vec::new();
        let mut run_files = RunFiles::default();
        if let Some(path) = resume {
            run_files.journal = Some(Journal::open(path, &plan.identity(), |_, entry| kept.push(entry.played))?);
        }
        let tuner = plan.method.tuner(&plan.space.standard(), plan.steps, plan.first_seed);
        Ok(Search { tuner, run_files, kept, evaluations: Vec::new(), steps: 0, matches: 0, variance: (0.0, 0) })
    }

    /// Steps until there have been enough, or somebody stops it.
    pub fn run(&mut self, plan: &Plan, stop: &AtomicBool) -> Result<()> {
        let mut progress = Progress::new();
        while self.steps < plan.steps {
            let points = self.tuner.ask();
            let Some(results) = self.play(plan, &points, stop)? else { break };
            self.learn(&points, &results);
            if self.steps == FIRST_STEPS {
                progress.clear();
                self.say_if_little_is_left(plan);
            }
            let rate = self.matches as f64 / progress.elapsed().as_secs_f64().max(0.001);
            progress.show(|_| self.line(plan, rate), |_| self.picture(plan));
        }
        progress.clear();
        Ok(())
    }

    /// The share of rivals beaten by each point on each seed of the step; none if
    /// somebody stopped it.
    fn play(&self, plan: &Plan, points: &[Vec<f64>], stop: &AtomicBool) -> Result<Option<Vec<Vec<f64>>>> {
        let values: Vec<Arc<[f64]>> = points.iter().map(|point| plan.space.values(point).into()).collect();
        let first = self.steps * plan.in_a_step();
        let mut shares = vec![vec![0.0; plan.seeds as usize]; points.len()];
        let (kept, run_files) = (&self.kept, &self.run_files);
        let mut done = 0;
        // The rows of a seed come together, so that stopping in between wastes little.
        let place = |number: u64| {
            let rest = (number - first) / MATCHES;
            (rest / plan.seeds, rest % plan.seeds, (number - first) % MATCHES)
        };
        let played = in_order(
            plan.setup.jobs,
            first..first + plan.in_a_step(),
            stop,
            |number| {
                if let Some(played) = kept.get(number as usize) {
                    return Ok(played.clone());
                }
                let (point, seed, row) = place(number);
                let own = &values[point as usize];
                let enter = |contestant: usize, seed, seat| plan.enter(contestant, [own, own], seed, seat);
                let fixture = plan.fixture(number, point, seed, row);
                Ok(run_files.played(&plan.setup, plan.setup.board(), &fixture, None, enter)?.played)
            },
            |number, played: Played| {
                let (point, seed, row) = place(number);
                let fixture = plan.fixture(number, point, seed, row);
                let seat = Seat::ALL.into_iter().find(|&seat| fixture.seats[seat] < 2).expect("the player takes part");
                shares[point as usize][seed as usize] += played.sixths_beaten(seat) as f64 / 6.0 / MATCHES as f64;
                done += 1;
                ControlFlow::Continue(())
            },
        );
        played.map(|()| (done == plan.in_a_step()).then_some(shares))
    }

    fn learn(&mut self, points: &[Vec<f64>], results: &[Vec<f64>]) {
        let seeds = results[0].len() as f64;
        let means: Vec<f64> = results.iter().map(|shares| shares.iter().sum::<f64>() / seeds).collect();
        for (shares, mean) in results.iter().zip(&means) {
            self.variance.0 += shares.iter().map(|share| (share - mean) * (share - mean)).sum::<f64>() / (seeds - 1.0);
            self.variance.1 += 1;
        }
        let variance = (self.variance.0 / self.variance.1 as f64 / seeds).max(1e-6);
        self.tuner.tell(&means, variance);
        for (point, &result) in points.iter().zip(&means) {
            self.evaluations.push(Evaluation { point: point.clone(), batch: self.steps, result, variance });
        }
        self.steps += 1;
        self.matches += (points.len() * results[0].len()) as u64 * MATCHES;
    }

    /// Nobody learns anything from rivals that are always beaten.
    fn say_if_little_is_left(&self, plan: &Plan) {
        let now = plan.space.standard_values();
        let looks = self.evaluations.iter().filter(|one| plan.space.values(&one.point) == now);
        let results: Vec<f64> = looks.map(|one| one.result).collect();
        let share = results.iter().sum::<f64>() / results.len() as f64;
        if share >= NEARLY_ALL {
            let name = &plan.name;
            eprintln!(
                "note: {name} beats {:.0} % of these rivals already; stronger ones, its last version for",
                share * 100.0
            );
            eprintln!("instance, would leave more to gain");
        }
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// The best values as far as is known.
    fn best(&self, plan: &Plan) -> Vec<f64> {
        plan.space.values(&self.tuner.best())
    }

    /// What is proposed: the best values, but those that make no difference stay as
    /// they are.
    pub fn proposal(&self, plan: &Plan) -> Vec<f64> {
        let (mut point, standard) = (self.tuner.best(), plan.space.standard());
        let Some(surface) = self.surface() else { return plan.space.values(&point) };
        let least = surface.mean_at(&point) - NEGLIGIBLE;
        let with = |point: &[f64], at: usize| {
            let mut back = point.to_vec();
            back[at] = standard[at];
            (surface.mean_at(&back), back)
        };
        loop {
            let moved = (0..point.len()).filter(|&at| point[at] != standard[at]);
            let back = moved.map(|at| with(&point, at)).max_by(|(one, _), (other, _)| one.total_cmp(other));
            match back {
                Some((mean, back)) if mean >= least => point = back,
                _ => return plan.space.values(&point),
            }
        }
    }

    /// What is believed of the landscape; none before the first step.
    pub fn surface(&self) -> Option<Surface> {
        Surface::fit(&self.evaluations[self.evaluations.len().saturating_sub(MOST_LOOKS)..])
    }

    /// How good the present values and those that were found are believed to be.
    pub fn believed(&self, plan: &Plan, found: &[f64]) -> Option<(f64, f64)> {
        let surface = self.surface()?;
        let places: Vec<f64> =
            plan.space.parameters.iter().zip(found).map(|(parameter, value)| parameter.place(*value)).collect();
        Some((surface.mean_at(&plan.space.standard()), surface.mean_at(&places)))
    }

    fn line(&self, plan: &Plan, rate: f64) -> String {
        let all = plan.steps * plan.in_a_step();
        let left = terminal::time((all - self.matches) as f64 / rate.max(0.001));
        format!("{}/{all} matches, {rate:.0}/s, {left} left", self.matches)
    }

    fn picture(&self, plan: &Plan) -> String {
        let best = self.best(plan);
        let values = plan.space.parameters.iter().zip(&best);
        values.map(|(parameter, value)| format!("{} {value} (now {})\n", parameter.name, parameter.standard)).collect()
    }
}
