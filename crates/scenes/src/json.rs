//! JSON by hand: strings that may come from anybody, and the legend.

use ludus_games::text::WriteText;

use crate::legend::{CellKind, Drawing, EventKind, Layer, Legend, Shape, Text};

/// A string, written so that the document may also stand in a page: nothing in
/// it ends a script or a line.
pub fn write_string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for c in text.chars() {
        match c {
            '"' => out.text("\\\""),
            '\\' => out.text("\\\\"),
            '\0'..='\x1f' | '\x7f'..='\u{9f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.text("\\u");
                for shift in [12, 8, 4, 0] {
                    out.push(b"0123456789abcdef"[(c as usize >> shift) & 15]);
                }
            }
            _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out.push(b'"');
}

/// A string or null.
pub fn write_optional(text: Option<&str>, out: &mut Vec<u8>) {
    match text {
        Some(text) => write_string(text, out),
        None => out.text("null"),
    }
}

/// `values` in brackets, each written by `write`.
pub fn write_list<T>(values: impl IntoIterator<Item = T>, out: &mut Vec<u8>, mut write: impl FnMut(T, &mut Vec<u8>)) {
    out.push(b'[');
    for (k, value) in values.into_iter().enumerate() {
        if k > 0 {
            out.push(b',');
        }
        write(value, out);
    }
    out.push(b']');
}

/// The keys that come from the legend. `common` are events that every game has.
pub fn write_legend(legend: &Legend, common: &[EventKind], out: &mut Vec<u8>) {
    out.text(",\"ticks\":");
    out.int(legend.ticks);
    write_key("seats", &legend.seats, out, |seat, out| {
        out.text("{\"colour\":");
        write_string(seat.strong, out);
        out.text(",\"pale\":");
        write_string(seat.pale, out);
        out.text("}");
    });
    write_key("drawings", legend.drawings, out, write_drawing);
    write_key("cells", legend.cells, out, write_cell);
    write_key("kinds", legend.kinds, out, |kind, out| {
        write_named(kind.name, Some(kind.drawing), out);
        out.text(",\"turns\":");
        write_bool(kind.turns, out);
        out.text(",\"layer\":");
        out.int(kind.layer);
        out.text("}");
    });
    write_key("badges", legend.badges, out, |badge, out| {
        write_named(badge.name, Some(badge.drawing), out);
        out.text("}");
    });
    write_key("overlays", legend.overlays, out, |overlay, out| {
        write_named(overlay.name, Some(overlay.drawing), out);
        out.text("}");
    });
    for (key, names) in [("facts", legend.facts), ("verbs", legend.verbs)] {
        write_key(key, names, out, |named, out| {
            write_named(named.name, None, out);
            out.text("}");
        });
    }
    write_key("panel", legend.panel, out, |value, out| {
        write_named(value.name, None, out);
        out.text(",\"style\":");
        write_string(value.style.name(), out);
        out.text("}");
    });
    write_key("events", legend.events.iter().chain(common), out, write_event);
    write_key("moods", legend.moods, out, |mood, out| {
        write_named(mood.name, None, out);
        out.text(",\"tint\":");
        write_optional(mood.tint, out);
        out.text("}");
    });
    out.text(",\"help\":");
    write_text(legend.help, out);
}

fn write_key<T>(key: &str, values: impl IntoIterator<Item = T>, out: &mut Vec<u8>, write: impl FnMut(T, &mut Vec<u8>)) {
    out.text(",\"");
    out.text(key);
    out.text("\":");
    write_list(values, out, write);
}

/// An object with a name, and a drawing if it has one, still open.
fn write_named(name: Text, drawing: Option<usize>, out: &mut Vec<u8>) {
    out.text("{\"name\":");
    write_text(name, out);
    if let Some(drawing) = drawing {
        out.text(",\"drawing\":");
        out.int(drawing as i64);
    }
}

fn write_text(text: Text, out: &mut Vec<u8>) {
    for (key, words) in [("{\"en\":", text.en), (",\"ca\":", text.ca), (",\"es\":", text.es)] {
        out.text(key);
        write_string(words, out);
    }
    out.text("}");
}

pub fn write_bool(value: bool, out: &mut Vec<u8>) {
    out.text(if value { "true" } else { "false" });
}

fn write_cell(cell: &CellKind, out: &mut Vec<u8>) {
    write_named(cell.name, cell.drawing, out);
    out.text(",\"fill\":");
    write_string(cell.fill, out);
    out.text("}");
}

fn write_event(event: &EventKind, out: &mut Vec<u8>) {
    write_named(event.name, None, out);
    out.text(",\"mark\":");
    write_bool(event.mark, out);
    out.text(",\"effect\":");
    write_string(event.effect.name(), out);
    out.text("}");
}

fn write_drawing(drawing: &Drawing, out: &mut Vec<u8>) {
    out.text("{\"layers\":");
    write_list(drawing.0, out, write_layer);
    out.text("}");
}

fn write_layer(layer: &Layer, out: &mut Vec<u8>) {
    out.text("{\"d\":\"");
    layer.shape.write_path(out);
    out.text("\"");
    if let Some(fill) = layer.fill {
        out.text(",\"fill\":");
        write_string(fill, out);
    }
    if let Some((stroke, width)) = layer.stroke {
        out.text(",\"stroke\":");
        write_string(stroke, out);
        out.text(",\"width\":");
        out.int(width);
    }
    out.text("}");
}

impl Shape {
    /// The shape as SVG path data.
    pub fn write_path(&self, out: &mut Vec<u8>) {
        match *self {
            Shape::Path(data) => out.text(data),
            Shape::Oval { x, y, rx, ry } => write_rounded([x - rx, y - ry, x + rx, y + ry], [rx, ry], out),
            Shape::Rect { x, y, width, height, radius: 0 } => {
                for (command, x, y) in
                    [("M", x, y), (" L", x + width, y), (" L", x + width, y + height), (" L", x, y + height)]
                {
                    write_point(command, [10 * x, 10 * y], out);
                }
                out.text(" Z");
            }
            Shape::Rect { x, y, width, height, radius } => {
                write_rounded([x, y, x + width, y + height], [radius, radius], out);
            }
        }
    }
}

/// A rectangle whose corners are quarters of ovals, clockwise from the top.
fn write_rounded([left, top, right, bottom]: [i32; 4], [rx, ry]: [i32; 2], out: &mut Vec<u8>) {
    // How far a control point is from the corner that a Bézier curve rounds, in
    // tenths: 10 times 1 - 0.5523.
    let (near_x, near_y) = ((rx * 448 + 50) / 100, (ry * 448 + 50) / 100);
    let [left, top, right, bottom] = [10 * left, 10 * top, 10 * right, 10 * bottom];
    let (rx, ry) = (10 * rx, 10 * ry);
    write_point("M", [left + rx, top], out);
    let corners = [
        ([right - rx, top], [right - near_x, top], [right, top + near_y], [right, top + ry]),
        ([right, bottom - ry], [right, bottom - near_y], [right - near_x, bottom], [right - rx, bottom]),
        ([left + rx, bottom], [left + near_x, bottom], [left, bottom - near_y], [left, bottom - ry]),
        ([left, top + ry], [left, top + near_y], [left + near_x, top], [left + rx, top]),
    ];
    let mut at = [left + rx, top];
    for (start, first, second, end) in corners {
        if start != at {
            write_point(" L", start, out);
        }
        write_point(" C", first, out);
        write_point(" ", second, out);
        write_point(" ", end, out);
        at = end;
    }
    out.text(" Z");
}

/// A point in tenths.
fn write_point(command: &str, [x, y]: [i32; 2], out: &mut Vec<u8>) {
    out.text(command);
    write_tenths(x, out);
    out.text(" ");
    write_tenths(y, out);
}

fn write_tenths(value: i32, out: &mut Vec<u8>) {
    if value < 0 {
        out.text("-");
    }
    out.int(value.abs() / 10);
    if value % 10 != 0 {
        out.text(".");
        out.int(value.abs() % 10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn strings_that_mean_harm() {
        for (text, expected) in [
            ("Demo", r#""Demo""#),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("\n\0\u{7f}", r#""\u000a\u0000\u007f""#),
            ("</script><!--", r#""\u003c/script\u003e\u003c!--""#),
            ("\u{2028}\u{2029}", r#""\u2028\u2029""#),
            ("Núria 🐜", "\"Núria 🐜\""),
        ] {
            assert_eq!(written(|out| write_string(text, out)), expected);
        }
    }

    #[test]
    fn shapes_become_paths() {
        let path = |layer: Layer| written(|out| layer.shape.write_path(out));
        assert_eq!(path(Layer::rect(-5, 0, 10, 20, 0)), "M-5 0 L5 0 L5 20 L-5 20 Z");
        assert_eq!(
            path(Layer::disc(50, 50, 10)),
            "M50 40 C55.5 40 60 44.5 60 50 C60 55.5 55.5 60 50 60 C44.5 60 40 55.5 40 50 C40 44.5 44.5 40 50 40 Z"
        );
        assert!(path(Layer::rect(0, 0, 100, 50, 10)).starts_with("M10 0 L90 0 C95.5 0 100 4.5 100 10 L100 40 "));
    }
}
