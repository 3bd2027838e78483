//! The answer of a comparison, as text for people and as JSON for programs.

use std::io::Write;

use anyhow::Result;
use ludus_arena::{Answer, Demands, Estimate};
use serde::Serialize;

use super::findings::Findings;
use super::plan::Plan;

/// The answer in a sentence.
pub fn sentence([new, old]: &[String; 2], findings: &Findings) -> String {
    let (margin, matches) = (findings.comparison.demands().margin, findings.comparison.seeds() * findings.on_a_seed());
    match findings.comparison.answer() {
        Some(Answer::Better) => format!("{new} is better than {old}"),
        Some(Answer::Worse) => format!("{new} is worse than {old}"),
        Some(Answer::NoDifference) => format!("no difference of at least {margin} found after {matches} matches"),
        None => format!("no answer after {matches} matches"),
    }
}

pub fn write_text(plan: &Plan, findings: &Findings) -> Result<()> {
    let [new, old] = &plan.names;
    let Demands { alpha, beta, margin } = findings.comparison.demands();
    let matches = findings.comparison.seeds() * findings.on_a_seed();
    let (low, high) = findings.comparison.interval();
    let confidence = 100.0 * (1.0 - alpha);
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}\n", sentence(&plan.names, findings))?;
    writeln!(
        out,
        "difference  {:+.3}, {confidence} % interval {low:+.3} to {high:+.3}, in the share of rivals beaten",
        findings.comparison.difference()
    )?;
    let [share_new, share_old] = findings.shares();
    writeln!(out, "shares      {new} {share_new:.3}, {old} {share_old:.3}")?;
    if plan.setup.boards.len() > 1 {
        for (board, difference) in plan.setup.boards.iter().zip(findings.by_board()) {
            writeln!(out, "on config   {}: {}", board.name, signed(difference))?;
        }
    }
    let seeds = findings.comparison.seeds();
    writeln!(out, "played      {matches} matches on {seeds} {}", if seeds == 1 { "seed" } else { "seeds" })?;
    writeln!(out, "asked for   alpha {alpha}, beta {beta}, margin {margin}")?;
    for (name, frozen) in plan.names.iter().zip(findings.frozen) {
        if frozen > 0 {
            writeln!(out, "frozen      {name} in {frozen} of {} matches", matches / 2)?;
        }
    }
    Ok(())
}

/// A difference with its sign and its margin.
pub fn signed(estimate: Option<Estimate>) -> String {
    let Some(estimate) = estimate else { return "–".to_owned() };
    let margin = estimate.margin().map_or(String::new(), |margin| format!(" ±{margin:.3}"));
    format!("{:+.3}{margin}", estimate.value)
}

#[derive(Serialize)]
pub struct AnswerJson<'a> {
    game: &'static str,
    configs: Vec<&'a str>,
    answer: &'static str,
    difference: f64,
    low: f64,
    high: f64,
    alpha: f64,
    beta: f64,
    margin: f64,
    seeds: u64,
    matches: u64,
    new: VersionJson<'a>,
    old: VersionJson<'a>,
    field: Vec<(&'a str, &'a str)>,
}

#[derive(Serialize)]
struct VersionJson<'a> {
    player: &'a str,
    program: &'a str,
    share_of_rivals_beaten: f64,
    frozen: u64,
}

pub fn json<'a>(plan: &'a Plan, findings: &Findings) -> AnswerJson<'a> {
    let Demands { alpha, beta, margin } = findings.comparison.demands();
    let (low, high) = findings.comparison.interval();
    let shares = findings.shares();
    let version = |k: usize| VersionJson {
        player: &plan.names[k],
        program: &plan.contestants[k].program,
        share_of_rivals_beaten: shares[k],
        frozen: findings.frozen[k],
    };
    AnswerJson {
        game: plan.setup.game.about().id,
        configs: plan.setup.boards.iter().map(|board| board.hash.as_str()).collect(),
        answer: match findings.comparison.answer() {
            Some(Answer::Better) => "better",
            Some(Answer::Worse) => "worse",
            Some(Answer::NoDifference) => "no difference",
            None => "undecided",
        },
        difference: findings.comparison.difference(),
        low,
        high,
        alpha,
        beta,
        margin,
        seeds: findings.comparison.seeds(),
        matches: findings.comparison.seeds() * findings.on_a_seed(),
        new: version(0),
        old: version(1),
        field: plan.contestants[2..].iter().map(|rival| (rival.name.as_str(), rival.program.as_str())).collect(),
    }
}
