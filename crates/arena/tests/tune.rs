//! Tuning finds the top of a known landscape, though every look is mostly luck.

use ludus_arena::tune::Method;

use crate::shared::landscape::{Landscape, regret};
use crate::shared::short_or_long;

#[test]
fn methods_beat_chance_and_staying_where_one_is() {
    let runs = short_or_long(1, 40) as u64;
    let mean = |of: &dyn Fn(u64) -> f64| (0..runs).map(of).sum::<f64>() / runs as f64;
    let landscape = |run: u64| Landscape::new(3, 100 + run);
    let stay = mean(&|run| landscape(run).best() - landscape(run).chance(&[0.5; 3]));
    let of = |method| mean(&|run| regret(&landscape(run), method, 1500, run as i32 + 1));
    let [bayes, spsa, chance] = [Method::Bayes, Method::Spsa, Method::Chance].map(of);
    println!("below the top: stay {stay:.4}, bayes {bayes:.4}, spsa {spsa:.4}, chance {chance:.4}");
    assert!(bayes < 0.6 * chance && bayes < 0.5 * stay, "bayes {bayes}, chance {chance}, stay {stay}");
    assert!(spsa < stay, "spsa {spsa}, stay {stay}");
}

#[test]
fn the_same_results_give_the_same_questions() {
    for method in [Method::Bayes, Method::Spsa, Method::Chance] {
        let ends: Vec<f64> = (0..2).map(|_| regret(&Landscape::new(2, 3), method, 800, 9)).collect();
        assert_eq!(ends[0], ends[1], "{method:?}");
    }
}
