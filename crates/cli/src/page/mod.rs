//! Reports: pages that need nothing but a browser.

pub mod svg;

use std::path::Path;

use anyhow::Result;

use crate::output::Output;
use crate::replay_folder::relative_link;
use crate::shell::quoted;
use svg::escape;

/// A whole page.
pub fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{}</title><style>{}</style></head>\n<body><main>\n{body}</main></body></html>\n",
        escape(title),
        include_str!("style.css"),
    )
}

/// The head of a page: what it is about, and the most important facts as tiles.
pub fn head(title: &str, explained: &str, tiles: &[(&str, &str)]) -> String {
    let tiles: String =
        tiles.iter().map(|(value, name)| format!("<li><b>{}</b><span>{name}</span></li>", escape(value))).collect();
    format!("<header><h1>{}</h1><p>{explained}</p></header>\n<ul class=\"tiles\">{tiles}</ul>\n", escape(title))
}

pub fn section(title: &str, explained: &str, content: &str) -> String {
    format!("<section><h2>{title}</h2><p>{explained}</p>{content}</section>\n")
}

/// A table; the cells are HTML, and the first of a row is its head.
pub fn table(heads: &[&str], rows: &[Vec<String>]) -> String {
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    let row = |cells: &Vec<String>| -> String {
        let (first, rest) = cells.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
        let rest: String = rest.iter().map(|cell| format!("<td>{cell}</td>")).collect();
        format!("<tr><th class=\"left\">{first}</th>{rest}</tr>")
    };
    let rows: String = rows.iter().map(row).collect();
    format!("<div class=\"scroll\"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>")
}

/// Where the numbers come from, so that anybody can make them again.
pub fn origin(command: &str, facts: &[(String, String)]) -> String {
    let facts: String = facts
        .iter()
        .map(|(name, value)| format!("<dt>{}</dt><dd><code>{}</code></dd>", escape(name), escape(value)))
        .collect();
    let version = env!("CARGO_PKG_VERSION");
    let content = format!("<pre>{}</pre><dl>{facts}<dt>version</dt><dd>Ludus {version}</dd></dl>", escape(command));
    section(
        "How this was made",
        "The same command gives the same numbers on every machine; below it, the hashes of the config and of the players' modules.",
        &content,
    )
}

/// How to see a match: its replay and the command that shows it, or the command
/// that plays it again.
pub fn see_match(page: Option<&Path>, replay: Option<&Path>, command: &str) -> String {
    let link = replay.zip(page).and_then(|(replay, page)| Some((replay, relative_link(page, replay)?)));
    match link {
        Some((replay, link)) => format!(
            "<a href=\"{}\">replay</a> <code>ludus view {}</code>",
            escape(&link),
            escape(&quoted(&replay.to_string_lossy()))
        ),
        None => format!("<code>{}</code>", escape(command)),
    }
}

/// Writes a page that appears whole.
pub fn write(path: &Path, page: &str) -> Result<()> {
    let mut output = Output::create(path)?;
    output.write(page.as_bytes())?;
    output.finish()
}
