//! Who used how much CPU, round by round.

use maud::{Markup, html};

use super::matches::dot;
use crate::downloads::CpuUse;
use crate::matches::{Match, SeatResult};
use crate::texts;
use crate::web::Visitor;

/// A metered seat and what it used in each round.
type Metered<'a> = (&'a SeatResult, &'a [u64]);

/// A picture of every metered seat, all on one scale, and the numbers below it.
pub fn by_round(visitor: &Visitor, found: &Match, cpu: &CpuUse) -> Markup {
    let metered: Vec<Metered> = found
        .seats
        .iter()
        .filter_map(|seat| Some((seat, cpu.0[seat.seat].as_deref()?)))
        .filter(|(_, used)| !used.is_empty())
        .collect();
    let most = metered.iter().flat_map(|(_, used)| used.iter().copied()).max().unwrap_or(0).max(1);
    let rounds = metered.iter().map(|(_, used)| used.len()).max().unwrap_or(0);
    html! {
        @if !metered.is_empty() {
            section {
                h2 { (visitor.t(texts::CPU_BY_ROUND)) }
                p.quiet { (visitor.t(texts::CPU_BY_ROUND_HINT)) }
                div.card.charts {
                    @for (seat, used) in &metered { (chart(visitor, &found.game, seat, used, most)) }
                    p.axis.quiet { span { (visitor.t(texts::ROUND)) " 0" } span { (rounds - 1) } }
                }
                details {
                    summary { (visitor.t(texts::EVERY_ROUND)) }
                    div.scroll.tall { (table(visitor, &found.game, &metered, rounds)) }
                }
            }
        }
    }
}

fn chart(visitor: &Visitor, game: &str, seat: &SeatResult, used: &[u64], most: u64) -> Markup {
    let (worst, peak) =
        used.iter().copied().enumerate().max_by_key(|(round, used)| (*used, usize::MAX - round)).unwrap_or((0, 0));
    let (round, peak) = (worst.to_string(), percent(peak));
    let told = visitor.fill(texts::COSTLIEST_ROUND, &[("round", &round), ("used", &peak)]);
    let mut path = String::from("M0 100");
    for (round, used) in used.iter().enumerate() {
        path.push_str(&format!("V{:.1}H{}", 100.0 - 100.0 * *used as f64 / most as f64, round + 1));
    }
    path.push_str("V100Z");
    html! {
        div.chart {
            p { (dot(game, seat.seat)) strong { (seat.name) } " " span.quiet { (told) } }
            svg viewBox={ "0 0 " (used.len()) " 100" } preserveAspectRatio="none" role="img" aria-label=(told) {
                path d=(path) fill=(super::matches::colour(game, seat.seat)) {}
            }
        }
    }
}

fn table(visitor: &Visitor, game: &str, metered: &[Metered], rounds: usize) -> Markup {
    html! {
        table.cpu {
            thead { tr {
                th.number { (visitor.t(texts::ROUND)) }
                @for (seat, _) in metered { th.number { (dot(game, seat.seat)) (seat.name) } }
            } }
            tbody {
                @for round in 0..rounds {
                    tr {
                        th.number scope="row" { (round) }
                        @for (_, used) in metered { td.number { @if let Some(used) = used.get(round) { (percent(*used)) } } }
                    }
                }
            }
        }
    }
}

/// Millionths as a share of a hundred.
fn percent(millionths: u64) -> String {
    format!("{}.{:04} %", millionths / 10_000, millionths % 10_000)
}

#[cfg(test)]
mod tests {
    #[test]
    fn shares_are_exact() {
        assert_eq!(super::percent(12_345), "1.2345 %");
        assert_eq!(super::percent(1_000_000), "100.0000 %");
        assert_eq!(super::percent(7), "0.0007 %");
    }
}
