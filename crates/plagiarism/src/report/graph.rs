//! Clusters drawn as a graph: a circle of sources for each, with a line between
//! any two that are alike, the thicker the more.

use std::fmt::Write as _;

use super::Report;
use super::page::escape;

const MOST: usize = 60;

/// An SVG of all clusters, the largest first.
pub fn draw(report: &Report) -> String {
    let mut shapes = String::new();
    let (mut x, mut y, mut row, mut width) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    for cluster in report.clusters.iter().take(MOST) {
        let radius = 34.0 + 11.0 * cluster.len() as f64;
        // Names stand around the circle.
        let longest = cluster.iter().map(|&source| label(report, source).chars().count()).max().unwrap_or(0);
        let (wide, high) = (2.0 * radius + 2.0 * (20.0 + 8.0 * longest as f64), 2.0 * radius * squeeze(cluster) + 40.0);
        if x > 0.0 && x + wide > 1000.0 {
            (x, y, row) = (0.0, y + row, 0.0);
        }
        circle(report, cluster, (x + wide / 2.0, y + high / 2.0), radius, &mut shapes);
        x += wide;
        row = row.max(high);
        width = width.max(x);
    }
    let height = y + row;
    format!(
        "<svg class=graph viewBox=\"0 0 {width:.0} {height:.0}\" style=\"max-width:{width:.0}px\" role=img \
         aria-label=\"Which sources share code\">{shapes}</svg>"
    )
}

fn circle(report: &Report, cluster: &[usize], centre: (f64, f64), radius: f64, shapes: &mut String) {
    let place = |at: usize| {
        let turn = std::f64::consts::TAU * at as f64 / cluster.len() as f64;
        (centre.0 + radius * turn.cos(), centre.1 + radius * squeeze(cluster) * turn.sin())
    };
    let position = |source: usize| cluster.binary_search(&source).ok().map(place);
    for (number, pair) in report.pairs.iter().enumerate() {
        let (Some(a), Some(b)) = (position(pair.a), position(pair.b)) else { continue };
        let _ = write!(
            shapes,
            "<a href=\"#pair{}\"><line x1={:.1} y1={:.1} x2={:.1} y2={:.1} stroke-width={:.1} class=\"{}\"><title>{} and \
             {}: {:.0} %</title></line></a>",
            number + 1,
            a.0,
            a.1,
            b.0,
            b.1,
            1.0 + 7.0 * pair.similarity,
            pair.confidence,
            escape(&pair.name_a),
            escape(&pair.name_b),
            100.0 * pair.similarity
        );
    }
    for (at, &source) in cluster.iter().enumerate() {
        let (x, y) = place(at);
        let is_left = x < centre.0 - 1.0;
        let (anchor, shift) = if is_left { ("end", -11.0) } else { ("start", 11.0) };
        let _ = write!(
            shapes,
            "<circle cx={x:.1} cy={y:.1} r=7 /><text x={:.1} y={:.1} text-anchor={anchor}>{}</text>",
            x + shift,
            y + 4.0,
            escape(&label(report, source))
        );
    }
}

/// Two are drawn as a line, which needs no height.
fn squeeze(cluster: &[usize]) -> f64 {
    if cluster.len() == 2 { 0.2 } else { 1.0 }
}

/// Whose it is, or what it is called if nobody is known.
fn label(report: &Report, source: usize) -> String {
    let source = &report.sources[source];
    let name = if source.author.is_empty() { &source.name } else { &source.author };
    let length = name.chars().count();
    if length <= 20 { name.clone() } else { format!("…{}", name.chars().skip(length - 19).collect::<String>()) }
}
