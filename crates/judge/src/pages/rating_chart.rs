//! The rating of a player over time, as a picture with an axis and in words.

use maud::{Markup, html};

use crate::ladder::standing::Point;
use crate::texts;
use crate::web::Visitor;

/// The size of the picture, and what the axes take of it.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 40.0;
const BOTTOM: f64 = 28.0;
const TOP: f64 = 10.0;

/// Where ratings are in the picture.
struct Scale {
    low: f64,
    high: f64,
    first: f64,
    last: f64,
}

impl Scale {
    fn of(points: &[Point]) -> Scale {
        let low = points.iter().map(|point| point.rating - point.margin).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(|point| point.rating + point.margin).fold(f64::NEG_INFINITY, f64::max);
        let (first, last) = (points.first().map_or(0, |one| one.played), points.last().map_or(1, |one| one.played));
        Scale {
            low: (low / 5.0).floor() * 5.0,
            high: (high / 5.0).ceil() * 5.0,
            first: first as f64,
            last: last as f64,
        }
    }

    fn x(&self, played: i64) -> f64 {
        LEFT + (WIDTH - LEFT - 8.0) * (played as f64 - self.first) / (self.last - self.first).max(1.0)
    }

    fn y(&self, rating: f64) -> f64 {
        TOP + (HEIGHT - TOP - BOTTOM) * (self.high - rating) / (self.high - self.low).max(1.0)
    }

    /// Four or five round numbers.
    fn ticks(&self) -> Vec<f64> {
        let step =
            [5.0, 10.0, 20.0, 50.0].into_iter().find(|step| (self.high - self.low) / step <= 5.0).unwrap_or(100.0);
        let first = (self.low / step).ceil();
        (0..=5).map(|k| (first + f64::from(k)) * step).filter(|tick| *tick <= self.high).collect()
    }
}

/// Nothing for who has played too little.
pub fn chart(visitor: &Visitor, points: &[Point]) -> Markup {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return html! {} };
    if points.len() < 2 {
        return html! {};
    }
    let scale = Scale::of(points);
    let at = |played: i64, rating: f64| format!("{:.1},{:.1}", scale.x(played), scale.y(rating));
    let line: Vec<String> = points.iter().map(|point| at(point.played, point.rating)).collect();
    let above = points.iter().map(|point| at(point.played, point.rating + point.margin));
    let below = points.iter().rev().map(|point| at(point.played, point.rating - point.margin));
    let band: Vec<String> = above.chain(below).collect();
    let number = |value: f64| format!("{value:.1}");
    let written = |value: f64| visitor.decimal(&number(value));
    let of_all =
        |better: fn(f64, f64) -> f64| points.iter().map(|point| point.rating).reduce(better).unwrap_or_default();
    let told = visitor.fill(
        texts::RATING_TOLD,
        &[
            ("first", &written(first.rating)),
            ("one", &first.played.to_string()),
            ("last", &written(last.rating)),
            ("margin", &written(last.margin)),
            ("all", &last.played.to_string()),
            ("low", &written(of_all(f64::min))),
            ("high", &written(of_all(f64::max))),
        ],
    );
    html! {
        figure.card.curve {
            figcaption { strong { (visitor.t(texts::RATING_OVER_TIME)) } " " span.quiet { (told) } }
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(told) {
                @for tick in scale.ticks() {
                    line x1=(LEFT) x2=(WIDTH - 8.0) y1=(number(scale.y(tick))) y2=(number(scale.y(tick))) {}
                    text.rating x=(LEFT - 8.0) y=(number(scale.y(tick) + 4.0)) { (visitor.decimal(&tick.to_string())) }
                }
                polygon points=(band.join(" ")) {}
                polyline points=(line.join(" ")) {}
                text x=(LEFT) y=(HEIGHT - 8.0) { (first.played) }
                text.middle x=((LEFT + WIDTH) / 2.0) y=(HEIGHT - 8.0) { (visitor.t(texts::RATING_AXIS)) }
                text.end x=(WIDTH - 8.0) y=(HEIGHT - 8.0) { (last.played) }
            }
            p.axis.quiet { span { (visitor.time(first.at)) } span { (visitor.time(last.at)) } }
        }
    }
}
