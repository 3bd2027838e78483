//! Texts in Markdown as HTML: rules, API pages, news.

use std::collections::HashMap;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// A text whose headings can be linked to.
pub struct Prose {
    pub html: String,
    /// Its sections: where they are and what they are called.
    pub contents: Vec<(String, String)>,
}

/// Markdown as HTML. Markup inside it is shown as text: rules are written by
/// instructors, but a page of theirs must not run as another's.
pub fn markdown(text: &str) -> String {
    to_html(events(text))
}

/// The same with an anchor at every section.
pub fn with_anchors(text: &str) -> Prose {
    let mut events: Vec<Event> = events(text).collect();
    let (mut contents, mut known) = (Vec::new(), HashMap::new());
    for at in 0..events.len() {
        let Event::Start(Tag::Heading { level, .. }) = &events[at] else { continue };
        let level = *level;
        let title = title_of(&events[at + 1..]);
        let anchor = anchor(&title, &mut known);
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[at]
            && level != HeadingLevel::H1
        {
            *id = Some(anchor.clone().into());
        }
        if level == HeadingLevel::H2 {
            contents.push((anchor, title));
        }
    }
    Prose { html: to_html(events.into_iter()), contents }
}

/// A text cut before each of its sections; what stands before the first one comes
/// first.
pub fn sections(text: &str) -> Vec<&str> {
    let (mut starts, mut at, mut in_code) = (vec![0], 0, false);
    for line in text.split_inclusive('\n') {
        in_code ^= line.starts_with("```");
        if !in_code && line.starts_with("## ") {
            starts.push(at);
        }
        at += line.len();
    }
    starts.push(text.len());
    starts.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect()
}

/// A section without its heading.
pub fn below_heading(section: &str) -> &str {
    section.split_once('\n').map_or("", |(_, rest)| rest.trim())
}

fn events(text: &str) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(text, Options::ENABLE_TABLES).map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) if is_script(&dest_url) => {
            Event::Start(Tag::Link { link_type, dest_url: "#".into(), title, id })
        }
        event => event,
    })
}

fn to_html<'a>(events: impl Iterator<Item = Event<'a>>) -> String {
    let mut out = String::new();
    html::push_html(&mut out, events);
    // What may be wider than the page is scrolled with the keyboard, too, and a head
    // without words is no head.
    out.replace("<pre>", "<pre tabindex=\"0\">")
        .replace("<table>", "<div class=\"wide\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>")
        .replace("<th></th>", "<td></td>")
}

fn title_of(events: &[Event]) -> String {
    let inside = events.iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    inside
        .filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(&**text),
            _ => None,
        })
        .collect()
}

/// What a heading is linked by: its words, and a number where others have the same.
fn anchor(title: &str, known: &mut HashMap<String, u32>) -> String {
    let words: Vec<String> =
        title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let anchor = if words.is_empty() { "section".to_owned() } else { words.join("-") };
    let count = known.entry(anchor.clone()).or_default();
    *count += 1;
    // The page has places of its own.
    if *count == 1 && anchor != "main" { anchor } else { format!("{anchor}-{count}") }
}

fn is_script(address: &str) -> bool {
    let address = address.trim().to_lowercase();
    address.contains(':') && !["http:", "https:", "mailto:"].iter().any(|scheme| address.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_cannot_carry_scripts() {
        let html =
            markdown("# Rules\n\n<script>alert(1)</script> <b>x</b>\n\n[a](javascript:alert(1)) [b](https://x.org)");
        assert!(!html.contains("<script") && !html.contains("<b>") && !html.contains("javascript:"), "{html}");
        assert!(html.contains("<h1>Rules</h1>") && html.contains("https://x.org"));
        let html = markdown("| | x |\n|---|---|\n| a | `<table>` |\n");
        assert!(html.contains("<tr><td></td><th>x</th>") && html.matches("<div").count() == 1, "{html}");
        let html = with_anchors("## \"><script>alert(1)</script>\n").html;
        assert!(!html.contains("<script") && html.contains("id=\"script-alert-1-script\""), "{html}");
    }

    #[test]
    fn sections_have_anchors_of_their_own() {
        let prose = with_anchors("# Game\n\n## El tauler\n\n### `move`\n\n## El tauler\n\n## Main\n\n## ¿?\n");
        let anchors: Vec<&str> = prose.contents.iter().map(|(anchor, _)| anchor.as_str()).collect();
        assert_eq!(anchors, ["el-tauler", "el-tauler-2", "main-1", "section"]);
        assert_eq!(prose.contents[0].1, "El tauler");
        assert!(prose.html.contains("<h1>Game</h1>") && prose.html.contains("<h3 id=\"move\">"), "{}", prose.html);
    }

    #[test]
    fn a_text_is_cut_at_its_sections_and_not_in_code() {
        let text = "# T\nlead\n```\n## no heading\n```\n## One\na\n## Two\nb\n";
        let cut = sections(text);
        assert_eq!(cut.concat(), text);
        assert_eq!(cut[1..], ["## One\na\n", "## Two\nb\n"]);
        assert_eq!(below_heading(cut[1]), "a");
        assert_eq!(sections(""), [""]);
    }
}
