//! The report of a search: the landscape as it is believed to be, and the values
//! that are proposed.

use ludus_arena::tune::{Parameter, Surface};

use super::plan::Plan;
use super::search::Search;
use super::verdict;
use crate::compare::Findings;
use crate::page::svg::{Scale, Svg, WIDTH, escape, number};
use crate::page::{self, section};

const LEFT: f64 = 56.0;
const RIGHT: f64 = WIDTH - 14.0;
const BOTTOM: f64 = 220.0;
/// Places of a line, and cells along a side of a map.
const PLACES: usize = 60;
const CELLS: usize = 24;

/// The whole page.
pub fn page(plan: &Plan, search: &Search, found: &[f64], confirmed: Option<&Findings>) -> String {
    let title = format!("{}: {} tuned", plan.setup.game.about().title, plan.name);
    let is_new = found != plan.space.standard_values();
    let facts = [search.matches().to_string(), search.steps().to_string(), plan.space.parameters.len().to_string()];
    let tiles = [(&*facts[0], "matches"), (&*facts[1], "steps"), (&*facts[2], "parameters")];
    let mut parts = vec![page::head(&title, &escape(&verdict(is_new, confirmed)), &tiles), proposal(plan, found)];
    if let Some(surface) = search.surface() {
        parts.push(landscape(plan, search, &surface, found));
    }
    parts.push(page::origin(&plan.command, &plan.facts()));
    page::document(&title, &parts.concat())
}

fn proposal(plan: &Plan, found: &[f64]) -> String {
    let now = plan.space.standard_values();
    let rows: Vec<Vec<String>> = plan
        .space
        .parameters
        .iter()
        .zip(now.iter().zip(found))
        .map(|(parameter, (now, found))| {
            vec![
                escape(&parameter.name),
                now.to_string(),
                format!("<b>{found}</b>"),
                format!("{} to {}", parameter.low, parameter.high),
            ]
        })
        .collect();
    let table = page::table(&["parameter", "now", "proposed", "range"], &rows);
    let lines = plan.declarations(found).join("\n");
    section("Proposal", "The lines to put into the source.", &format!("{table}<pre>{}</pre>", escape(&lines)))
}

fn landscape(plan: &Plan, search: &Search, surface: &Surface, found: &[f64]) -> String {
    let parameters = &plan.space.parameters;
    let top: Vec<f64> = parameters.iter().zip(found).map(|(parameter, value)| parameter.place(*value)).collect();
    let mut plots =
        section("Course", "The share of rivals beaten by the points that were tried, step by step.", &course(search));
    for (at, parameter) in parameters.iter().enumerate() {
        plots.push_str(&section(
            &escape(&parameter.name),
            "What is believed along this parameter, the others as proposed; the band is two deviations, the dashed line the present value, dots are what was played.",
            &slice(search, surface, parameter, at, &top),
        ));
    }
    if let Some((one, other)) = widest_pair(surface, &top) {
        plots.push_str(&section(
            &format!("{} and {}", escape(&parameters[one].name), escape(&parameters[other].name)),
            "The two parameters that matter most together; the darker, the better.",
            &map(surface, (&parameters[one], one), (&parameters[other], other), &top),
        ));
    }
    format!("<div class=\"plots\">{plots}</div>\n")
}

fn course(search: &Search) -> String {
    let looks = &search.evaluations;
    let low = looks.iter().map(|one| one.result).fold(1.0, f64::min);
    let high = looks.iter().map(|one| one.result).fold(0.0, f64::max);
    let x = Scale::new((0.0, search.steps() as f64), (LEFT, RIGHT));
    let y = Scale::new((low, high), (BOTTOM, 12.0)).rounded(5);
    let mut svg = Svg::new(BOTTOM + 42.0, "Results step by step");
    svg.y_axis(&y, (LEFT, RIGHT), "");
    svg.x_axis(&x, (BOTTOM, BOTTOM), "step");
    for one in looks {
        svg.dot("fill c0", (x.at(one.batch as f64 + 0.5), y.at(one.result)), 2.0);
    }
    svg.finish()
}

/// The point in which one side is moved.
fn moved(top: &[f64], at: usize, place: f64) -> Vec<f64> {
    let mut point = top.to_vec();
    point[at] = place;
    point
}

fn slice(search: &Search, surface: &Surface, parameter: &Parameter, at: usize, top: &[f64]) -> String {
    let places: Vec<f64> = (0..=PLACES).map(|k| k as f64 / PLACES as f64).collect();
    let believed: Vec<(f64, f64)> = places.iter().map(|&place| surface.at(&moved(top, at, place))).collect();
    let low = believed.iter().map(|(mean, deviation)| mean - 2.0 * deviation).fold(1.0, f64::min);
    let high = believed.iter().map(|(mean, deviation)| mean + 2.0 * deviation).fold(0.0, f64::max);
    let x = Scale::new((parameter.low, parameter.high), (LEFT, RIGHT));
    let y = Scale::new((low, high), (BOTTOM, 12.0)).rounded(5);
    let mut svg = Svg::new(BOTTOM + 42.0, &format!("The landscape along {}", parameter.name));
    svg.y_axis(&y, (LEFT, RIGHT), "");
    svg.x_axis(&x, (BOTTOM, BOTTOM), &parameter.name);
    let value = |place: f64| parameter.low + place * (parameter.high - parameter.low);
    for one in search.evaluations.iter().filter(|one| (low..=high).contains(&one.result)) {
        svg.dot("fill c2", (x.at(value(one.point[at])), y.at(one.result)), 1.6);
    }
    for (class, deviations) in [("line c1", -2.0), ("line c1", 2.0), ("line c0", 0.0)] {
        let line = places.iter().zip(&believed);
        svg.path(class, line.map(|(&place, (mean, spread))| (x.at(value(place)), y.at(mean + deviations * spread))));
    }
    let now = x.at(value(parameter.place(parameter.standard)));
    svg.line("mean", (now, 12.0), (now, BOTTOM));
    svg.dot("fill c0", (x.at(value(top[at])), y.at(surface.mean_at(top))), 5.0);
    svg.finish()
}

/// How much the landscape changes along one side.
fn range(surface: &Surface, at: usize, top: &[f64]) -> f64 {
    let means: Vec<f64> = (0..=8).map(|k| surface.mean_at(&moved(top, at, f64::from(k) / 8.0))).collect();
    means.iter().copied().fold(0.0, f64::max) - means.iter().copied().fold(1.0, f64::min)
}

fn widest_pair(surface: &Surface, top: &[f64]) -> Option<(usize, usize)> {
    let mut sides: Vec<(f64, usize)> = (0..top.len()).map(|at| (range(surface, at, top), at)).collect();
    sides.sort_by(|one, other| other.0.total_cmp(&one.0));
    Some((sides.first()?.1, sides.get(1)?.1))
}

fn map(surface: &Surface, one: (&Parameter, usize), other: (&Parameter, usize), top: &[f64]) -> String {
    let place = |cell: usize| (cell as f64 + 0.5) / CELLS as f64;
    let height =
        |column: usize, row: usize| surface.mean_at(&moved(&moved(top, one.1, place(column)), other.1, place(row)));
    let heights: Vec<Vec<f64>> = (0..CELLS).map(|row| (0..CELLS).map(|column| height(column, row)).collect()).collect();
    let low = heights.iter().flatten().copied().fold(1.0, f64::min);
    let high = heights.iter().flatten().copied().fold(0.0, f64::max);
    let x = Scale::new((one.0.low, one.0.high), (LEFT, RIGHT));
    let y = Scale::new((other.0.low, other.0.high), (BOTTOM, 12.0));
    let mut svg = Svg::new(BOTTOM + 42.0, &format!("The landscape over {} and {}", one.0.name, other.0.name));
    let (wide, tall) = ((RIGHT - LEFT) / CELLS as f64, (BOTTOM - 12.0) / CELLS as f64);
    for (row, heights) in heights.iter().enumerate() {
        for (column, &height) in heights.iter().enumerate() {
            let shade = (10.0 * (height - low) / (high - low).max(1e-9)).round() as u32;
            let at = (LEFT + wide * column as f64, BOTTOM - tall * (row as f64 + 1.0));
            svg.bar(&format!("fill c0 h{shade}"), at, (wide, tall), &number(height));
        }
    }
    svg.y_axis(&y, (LEFT, RIGHT), "");
    svg.x_axis(&x, (BOTTOM, BOTTOM), &one.0.name);
    let at = |parameter: &Parameter, place: f64| parameter.low + place * (parameter.high - parameter.low);
    svg.dot("top", (x.at(at(one.0, top[one.1])), y.at(at(other.0, top[other.1]))), 4.0);
    svg.finish()
}
