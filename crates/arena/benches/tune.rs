//! Methods of tuning on known landscapes: how far below the top each ends, in
//! the chance to beat a rival, by parameters and matches.
//!
//!     cargo bench -p ludus-arena --bench tune

#[path = "../tests/shared/landscape.rs"]
mod landscape;

use landscape::{Landscape, regret};
use ludus_arena::tune::Method;

fn main() {
    let runs: u64 = std::env::var("RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(30);
    println!("mean of {runs} landscapes: below the top by, in the share of rivals beaten\n");
    println!("| parameters | matches | staying | chance | SPSA | Bayes |\n|---|---|---|---|---|---|");
    for dimensions in [1, 2, 4, 8] {
        for matches in [1000, 4000, 16_000] {
            let landscape = |run: u64| Landscape::new(dimensions, 1000 + run);
            let mean = |of: &dyn Fn(u64) -> f64| (0..runs).map(of).sum::<f64>() / runs as f64;
            let stay = mean(&|run| landscape(run).best() - landscape(run).chance(&vec![0.5; dimensions]));
            let of = |method| mean(&|run| regret(&landscape(run), method, matches, run as i32 + 1));
            let [chance, spsa, bayes] = [Method::Chance, Method::Spsa, Method::Bayes].map(of);
            println!("| {dimensions} | {matches} | {stay:.4} | {chance:.4} | {spsa:.4} | {bayes:.4} |");
        }
    }
}
