//! The little of SVG that plots need.

use std::fmt::Write as _;

/// Width of every plot in its own units; the page scales it.
pub const WIDTH: f64 = 480.0;

/// Text that is safe between tags and in quoted attributes.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

/// From values to places along an axis.
#[derive(Clone, Copy)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    pub fn new((low, high): (f64, f64), (from, to): (f64, f64)) -> Scale {
        // A single value gets some room around it.
        let (low, high) = if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
        Scale { low, high, from, to }
    }

    pub fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// The distance of round numbers, about `count` of which the scale has.
    fn step(&self, count: usize) -> f64 {
        let rough = (self.high - self.low) / count as f64;
        let power = 10f64.powf(rough.log10().floor());
        [1.0, 2.0, 5.0, 10.0].into_iter().find(|step| step * power >= rough).unwrap_or(10.0) * power
    }

    /// The scale that begins and ends with a round number.
    pub fn rounded(self, count: usize) -> Scale {
        let step = self.step(count);
        Scale { low: (self.low / step).floor() * step, high: (self.high / step).ceil() * step, ..self }
    }

    /// Round numbers within the scale.
    pub fn ticks(&self, count: usize) -> Vec<f64> {
        let step = self.step(count);
        let first = (self.low / step).ceil() as i64;
        (first..).map(|k| k as f64 * step).take_while(|&tick| tick <= self.high + step * 1e-9).collect()
    }
}

/// A number without needless digits.
pub fn number(value: f64) -> String {
    let magnitude = value.abs();
    let decimals = match magnitude {
        m if m >= 100.0 || m == 0.0 => 0,
        m if m >= 10.0 => 1,
        m if m >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A picture under construction.
pub struct Svg {
    body: String,
    height: f64,
    label: String,
}

impl Svg {
    /// `label` tells what is to be seen to those who do not see it.
    pub fn new(height: f64, label: &str) -> Svg {
        Svg { body: String::new(), height, label: escape(label) }
    }

    fn put(&mut self, arguments: std::fmt::Arguments<'_>) {
        self.body.write_fmt(arguments).expect("writing to memory");
    }

    pub fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        self.put(format_args!(r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#));
    }

    pub fn text(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        self.put(format_args!(r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{}</text>"#, escape(text)));
    }

    pub fn dot(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        self.put(format_args!(r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius}"/>"#));
    }

    /// A bar with a text that appears when somebody points at it.
    pub fn bar(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64), title: &str) {
        let title = escape(title);
        self.put(format_args!(
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}"><title>{title}</title></rect>"#
        ));
    }

    pub fn path(&mut self, class: &str, points: impl Iterator<Item = (f64, f64)>) {
        let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.put(format_args!(r#"<polyline class="{class}" points="{}"/>"#, points.join(" ")));
    }

    /// Lines of the grid with their numbers, and what the axis shows.
    pub fn x_axis(&mut self, scale: &Scale, (top, bottom): (f64, f64), name: &str) {
        for tick in scale.ticks(5) {
            let x = scale.at(tick);
            self.line("grid", (x, top), (x, bottom));
            self.text("tick mid", (x, bottom + 16.0), &number(tick));
        }
        self.text("axis mid", ((scale.from + scale.to) / 2.0, bottom + 34.0), name);
    }

    pub fn y_axis(&mut self, scale: &Scale, (left, right): (f64, f64), unit: &str) {
        for tick in scale.ticks(5) {
            let y = scale.at(tick);
            self.line("grid", (left, y), (right, y));
            self.text("tick end", (left - 6.0, y + 4.0), &format!("{}{unit}", number(tick)));
        }
    }

    pub fn finish(self) -> String {
        format!(
            r#"<svg viewBox="0 0 {WIDTH} {:.0}" role="img" aria-label="{}">{}</svg>"#,
            self.height, self.label, self.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        let check = |range, count, expected: &[f64]| {
            let ticks = Scale::new(range, (0.0, 1.0)).ticks(count);
            assert_eq!(ticks.len(), expected.len(), "{ticks:?}");
            assert!(ticks.iter().zip(expected).all(|(tick, value)| (tick - value).abs() < 1e-9), "{ticks:?}");
        };
        check((0.0, 250.0), 5, &[0.0, 50.0, 100.0, 150.0, 200.0, 250.0]);
        check((17.0, 33.0), 5, &[20.0, 25.0, 30.0]);
        check((-0.4, 0.4), 4, &[-0.4, -0.2, 0.0, 0.2, 0.4]);
        check((7.0, 7.0), 2, &[6.5, 7.0, 7.5]);
    }

    #[test]
    fn names_cannot_break_out() {
        assert_eq!(escape(r#"<a b="c">&'"#), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
    }

    #[test]
    fn numbers_have_no_needless_digits() {
        for (value, text) in [(0.0, "0"), (1234.0, "1234"), (12.5, "12.5"), (3.0, "3"), (0.25, "0.25"), (-2.5, "-2.5")]
        {
            assert_eq!(number(value), text);
        }
    }
}
