//! Who used how much CPU, round by round.

use maud::{Markup, html};

use super::matches::dot;
use crate::downloads::CpuUse;
use crate::matches::{Match, SeatResult};
use crate::seasons::Season;
use crate::texts;
use crate::web::Visitor;

/// A metered seat and what it used in each round.
type Metered<'a> = (&'a SeatResult, &'a [u64]);

/// A picture of every metered seat, all on one scale, and the numbers below it.
pub fn by_round(visitor: &Visitor, season: &Season, found: &Match, cpu: &CpuUse) -> Markup {
    let metered: Vec<Metered> = found
        .seats
        .iter()
        .filter(|seat| found.shows_cpu(visitor.viewer(), seat))
        .filter_map(|seat| Some((seat, cpu.0[seat.seat].as_deref()?)))
        .filter(|(_, used)| !used.is_empty())
        .collect();
    let rounds = metered.iter().map(|(_, used)| used.len()).max().unwrap_or(0);
    let (most, limit) = limit_of_a_round(visitor, season, rounds);
    html! {
        @if !metered.is_empty() {
            section {
                h2 { (visitor.t(texts::CPU_BY_ROUND)) }
                p.quiet { (visitor.fill(texts::CPU_BY_ROUND_HINT, &[("limit", &limit)])) }
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

/// What is drawn in full height, in millionths of the match's limit, and what
/// that is: the season's own limit of a round, or an even share of the match's.
/// So pictures of different matches can be compared.
fn limit_of_a_round(visitor: &Visitor, season: &Season, rounds: usize) -> (u64, String) {
    let (most, text) = match season.round_ms {
        Some(round) => ((1_000_000 * round / season.match_ms.max(1)).unsigned_abs(), texts::ROUND_LIMIT),
        None => (1_000_000 / rounds.max(1) as u64, texts::ROUND_SHARE),
    };
    let percent = format!("{}.{:02}", most / 10_000, most % 10_000 / 100);
    let percent = visitor.decimal(percent.trim_end_matches('0').trim_end_matches('.'));
    (most.max(1), visitor.fill(text, &[("percent", &percent)]))
}

fn chart(visitor: &Visitor, game: &str, seat: &SeatResult, used: &[u64], most: u64) -> Markup {
    let (worst, peak) =
        used.iter().copied().enumerate().max_by_key(|(round, used)| (*used, usize::MAX - round)).unwrap_or((0, 0));
    let (round, peak) = (worst.to_string(), visitor.decimal(&percent(peak)));
    let told = visitor.fill(texts::COSTLIEST_ROUND, &[("round", &round), ("used", &peak)]);
    let mut path = String::from("M0 100");
    for (round, used) in used.iter().enumerate() {
        let height = (*used as f64 / most as f64).min(1.0);
        path.push_str(&format!("V{:.1}H{}", 100.0 - 100.0 * height, round + 1));
    }
    path.push_str("V100Z");
    let is_cut = used.iter().any(|used| *used > most);
    html! {
        div.chart {
            p { (dot(game, seat.seat)) strong { (seat.name) } " " span.quiet { (told) @if is_cut { " · " (visitor.t(texts::ABOVE_THE_LIMIT)) } } }
            div.scale {
                span { "100 %" } span { "0" }
                svg viewBox={ "0 0 " (used.len()) " 100" } preserveAspectRatio="none" role="img" aria-label=(told) data-rounds=(used.len()) {
                    path.line d={ "M0 50H" (used.len()) } {}
                    path d=(path) fill=(super::matches::colour(game, seat.seat)) {}
                }
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
                        th.number scope="row" { a href={ "#r=" (round) } { (round) } }
                        @for (_, used) in metered { td.number { @if let Some(used) = used.get(round) { (visitor.decimal(&percent(*used))) } } }
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
