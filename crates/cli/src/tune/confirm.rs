//! What was found against the present values, on seeds that the search has not
//! seen, as `ludus compare` does it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use ludus_arena::{Comparison, Demands, Pairing, in_order, play, start};

use super::plan::Plan;
use super::search::Search;
use crate::compare::{Findings, Live};

const RATE: f64 = 0.05;

pub fn run(plan: &Plan, search: &Search, found: &[f64], stop: &AtomicBool) -> Result<Findings> {
    let values: [Arc<[f64]>; 2] = [found.into(), plan.space.standard_values().into()];
    let comparison = Comparison::new(Demands { alpha: RATE, beta: RATE, margin: plan.margin })?;
    // A longer search of the same seeds must not meet those of its confirmation.
    let first = i64::from(plan.first_seed) + (search.steps() * plan.seeds) as i64;
    let pairing = Pairing::new(first.min(i64::from(i32::MAX)) as i32);
    let most = plan.confirm.min(pairing.seeds().saturating_mul(Pairing::MATCHES)) / Pairing::MATCHES * Pairing::MATCHES;
    let mut findings = Findings::new(&comparison, &pairing, 1);
    let mut live = Live::new(0, most);
    let done = in_order(
        plan.setup.jobs,
        0..most,
        stop,
        |number| {
            let enter = |contestant, seed, seat| plan.enter(contestant, [&values[0], &values[1]], seed, seat);
            let mut scheduled = start(&*plan.setup.board().config, &pairing.fixture(number), enter)?;
            Ok::<_, anyhow::Error>(play(&mut scheduled, &mut [])?)
        },
        |number, played| {
            findings.add(number, &played);
            live.show(&findings);
            if findings.comparison.answer().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    live.clear();
    done.map(|()| findings)
}
