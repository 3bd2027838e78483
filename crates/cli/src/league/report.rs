//! The report of a league.

use super::folder::League;
use super::standings::Standings;
use crate::arena::tables::{cell, rating_cell, rating_estimate};
use crate::page::svg::{Scale, Svg, WIDTH, escape};
use crate::page::{self, section};

const NAMES: f64 = 104.0;
const RIGHT: f64 = WIDTH - 14.0;
/// Lines in one plot that can still be told apart.
const MOST_LINES: usize = 8;
/// Players in the table of who beats whom.
const MOST_DUELS: usize = 16;

pub fn page(league: &League, standings: &Standings) -> String {
    let title = format!("{} league", league.game.about().title);
    let ranking = standings.ranking();
    let facts = [standings.matches.to_string(), league.players.len().to_string()];
    let best = ranking.first().map_or("", |&player| league.players[player].name.as_str());
    let tiles = [(best, "first"), (&*facts[0], "matches"), (&*facts[1], "players")];
    let explained = "Players meet those of whom little is known and those of about their strength.";
    let mut parts = vec![page::head(&title, explained, &tiles), table(league, standings, &ranking)];
    if standings.matches > 0 {
        let plots = [
            section("Rating", "Where the strength lies with 95 % confidence.", &ratings(league, standings, &ranking)),
            section("Course", "Ratings after every match; the best are shown.", &course(league, standings, &ranking)),
        ];
        parts.push(format!("<div class=\"plots\">{}</div>\n", plots.concat()));
        parts.push(duels(league, standings, &ranking));
    }
    let programs: Vec<(String, String)> =
        league.players.iter().map(|member| (member.name.clone(), member.program.clone())).collect();
    parts.push(page::origin(
        &format!(
            "ludus league play {}",
            league.journal().parent().map_or_else(String::new, |folder| folder.display().to_string())
        ),
        &programs,
    ));
    page::document(&title, &parts.concat())
}

fn table(league: &League, standings: &Standings, ranking: &[usize]) -> String {
    let rows: Vec<Vec<String>> = ranking
        .iter()
        .enumerate()
        .map(|(place, &player)| {
            let name = escape(&league.players[player].name);
            let name = format!("<span class=\"key c{}\"></span>{name}", place % MOST_LINES);
            if standings.field[player].matches() == 0 {
                return [name].into_iter().chain(["new", "0", "", ""].map(str::to_owned)).collect();
            }
            let standing = standings.tally.standing(player);
            vec![
                name,
                rating_cell(standings.field[player].rating),
                standing.matches.to_string(),
                cell(&standing.wins, 100.0, 1) + " %",
                cell(&standing.rank, 1.0, 2),
            ]
        })
        .collect();
    let table = page::table(&["player", "rating", "matches", "wins", "rank"], &rows);
    section(
        "Table",
        "By rating. Wins and ranks depend on whom a player met; the rating takes that into account.",
        &table,
    )
}

fn ratings(league: &League, standings: &Standings, ranking: &[usize]) -> String {
    const ROW: f64 = 26.0;
    let played: Vec<usize> = ranking.iter().copied().filter(|&player| standings.field[player].matches() > 0).collect();
    let estimate = |player: usize| rating_estimate(standings.field[player].rating);
    let ends = |player: usize| estimate(player).interval.unwrap_or_default();
    let low = played.iter().map(|&player| ends(player).0).fold(f64::INFINITY, f64::min);
    let high = played.iter().map(|&player| ends(player).1).fold(f64::NEG_INFINITY, f64::max);
    let bottom = 8.0 + ROW * played.len() as f64;
    let x = Scale::new((low, high), (NAMES + 8.0, RIGHT - 8.0));
    let mut svg = Svg::new(bottom + 42.0, "Ratings with 95 % intervals");
    svg.x_axis(&x, (4.0, bottom), "rating");
    for (place, &player) in played.iter().enumerate() {
        let (y, class, (from, to)) = (8.0 + ROW * (place as f64 + 0.5), place % MOST_LINES, ends(player));
        svg.text("name end", (NAMES - 8.0, y + 4.5), &league.players[player].name);
        svg.line(&format!("whisker c{class}"), (x.at(from), y), (x.at(to), y));
        svg.dot(&format!("fill c{class}"), (x.at(estimate(player).value), y), 5.0);
    }
    svg.finish()
}

fn course(league: &League, standings: &Standings, ranking: &[usize]) -> String {
    const BOTTOM: f64 = 250.0;
    let shown = &ranking[..ranking.len().min(MOST_LINES)];
    let means = || standings.moments.iter().flat_map(|(_, means)| shown.iter().map(|&player| means[player]));
    let low = means().fold(f64::INFINITY, f64::min);
    let high = means().fold(f64::NEG_INFINITY, f64::max);
    let x = Scale::new((0.0, standings.matches as f64), (56.0, RIGHT));
    let y = Scale::new((low, high), (BOTTOM, 12.0)).rounded(5);
    let mut svg =
        Svg::new(BOTTOM + 50.0 + 22.0 * shown.len().div_ceil(4) as f64, "Ratings in the course of the league");
    svg.y_axis(&y, (56.0, RIGHT), "");
    svg.x_axis(&x, (BOTTOM, BOTTOM), "match");
    for (place, &player) in shown.iter().enumerate() {
        let points = standings.moments.iter().map(|(matches, means)| (x.at(*matches as f64), y.at(means[player])));
        svg.path(&format!("line c{place}"), points);
        let at = (20.0 + 115.0 * (place % 4) as f64, BOTTOM + 58.0 + 22.0 * (place / 4) as f64);
        svg.dot(&format!("fill c{place}"), at, 5.0);
        svg.text("name", (at.0 + 9.0, at.1 + 4.5), &league.players[player].name);
    }
    svg.finish()
}

fn duels(league: &League, standings: &Standings, ranking: &[usize]) -> String {
    let shown = &ranking[..ranking.len().min(MOST_DUELS)];
    let names: Vec<String> = shown.iter().map(|&player| escape(&league.players[player].name)).collect();
    let heads: Vec<&str> = std::iter::once("").chain(names.iter().map(String::as_str)).collect();
    let row = |(name, &one): (&String, &usize)| {
        let share = |&other: &usize| match standings.tally.head_to_head(one, other) {
            Some(share) => cell(&share, 100.0, 0) + " %",
            None => String::new(),
        };
        std::iter::once(name.clone()).chain(shown.iter().map(share)).collect()
    };
    let rows: Vec<Vec<String>> = names.iter().zip(shown).map(row).collect();
    section(
        "Head to head",
        "How often the player of the row was ahead of that of the column.",
        &page::table(&heads, &rows),
    )
}
