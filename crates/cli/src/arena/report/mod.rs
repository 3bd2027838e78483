//! The report of an arena.

mod plots;

use std::fmt::Write as _;

use ludus_arena::{Estimate, Tally};
use ludus_games::Seat;

use super::details::{Loss, RunDetails};
use super::plan::Plan;
use super::tables::{cell, rating_cell, used};
use crate::page::svg::{escape, number};
use crate::page::{self, section};
use crate::replay_folder::ReplayFolder;
use plots::MOST_LINES;

/// The whole page.
pub fn page(plan: &Plan, tally: &Tally, details: &RunDetails, replays: Option<&ReplayFolder>) -> String {
    let title = format!("{} arena", plan.setup.game.about().title);
    let parts = [
        head(plan, tally, &title),
        standings(plan, tally),
        format!("<div class=\"plots\">{}</div>\n", pictures(plan, tally, details)),
        losses(plan, tally, details, replays),
        origin(plan),
    ];
    page::document(&title, &parts.concat())
}

fn pictures(plan: &Plan, tally: &Tally, details: &RunDetails) -> String {
    let shown = match plan.contestants.len() {
        0..=MOST_LINES => String::new(),
        _ => format!(" The {MOST_LINES} best rated are shown."),
    };
    let cpu = plots::cpu_course(plan, tally, details).map_or(String::new(), |plot| {
        section(
            "CPU per round",
            &format!("The mean CPU of a round, in percent of what a whole match allows.{shown}"),
            &plot,
        )
    });
    [
        section(
            "Rating",
            "Weng-Lin ratings; the bar is where the strength lies with 95 % confidence.",
            &plots::ratings(plan, tally),
        ),
        section(
            "Scores",
            "How often each score came, one row per player; the dashed line is the mean.",
            &plots::scores(plan, tally, details),
        ),
        section(
            "Score over time",
            &format!("The mean score after every round.{shown}"),
            &plots::score_course(plan, tally, details),
        ),
        cpu,
        rank_by_seat(plan, tally),
        head_to_head(plan, tally),
    ]
    .concat()
}

fn head(plan: &Plan, tally: &Tally, title: &str) -> String {
    let (done, all) = (tally.matches(), plan.schedule.len());
    let (first, last) = plan.schedule.seeds();
    let sets = if plan.schedule.is_whole() { "Every set of four met equally often" } else { "Drawn sets of four met" };
    let seatings = match plan.schedule.seatings() {
        ludus_arena::Seatings::Square => "on every seed everybody in every seat equally often",
        ludus_arena::Seatings::All => "in all 24 seatings",
    };
    let state = if done == all { format!("{done}") } else { format!("{done} of {all}") };
    let best = plan.name(tally.ranking()[0]);
    let (players, seeds) = (plan.contestants.len().to_string(), format!("{first} – {last}"));
    let tiles = [(best, "best rating"), (&state, "matches"), (&players, "players"), (&seeds, "seeds")];
    page::head(title, &format!("{sets}, {seatings}."), &tiles)
}

fn with_margin(estimate: &Estimate, scale: f64, decimals: usize) -> String {
    split_margin(&cell(estimate, scale, decimals))
}

/// The margin in small letters.
fn split_margin(text: &str) -> String {
    match text.split_once(' ') {
        Some((value, margin)) => format!("{value} <small>{margin}</small>"),
        None => text.to_owned(),
    }
}

fn standings(plan: &Plan, tally: &Tally) -> String {
    let mut rows = String::new();
    for (place, contestant) in tally.ranking().into_iter().enumerate() {
        let standing = tally.standing(contestant);
        let faults = tally.faults(contestant).iter().map(|(reason, times)| format!("{reason}: {times}"));
        let faults = escape(&faults.collect::<Vec<_>>().join("; "));
        let (cpu, worst) = match used(&standing) {
            Some(cpu) => (with_margin(&cpu, 100.0, 2) + " %", format!("{:.2} %", 100.0 * standing.worst_cpu)),
            None => ("–".to_owned(), "–".to_owned()),
        };
        write!(
            rows,
            "<tr><th class=\"left\"><span class=\"key c{}\"></span>{}</th><td>{}</td><td>{}</td><td>{} %</td><td>{}</td><td>{}</td><td title=\"{faults}\">{} %</td><td>{cpu}</td><td>{worst}</td></tr>",
            place % MOST_LINES,
            escape(plan.name(contestant)),
            standing.matches,
            split_margin(&rating_cell(standing.rating)),
            with_margin(&standing.wins, 100.0, 1),
            with_margin(&standing.rank, 1.0, 2),
            with_margin(&standing.score, 1.0, 1),
            with_margin(&standing.frozen, 100.0, 1),
        )
        .expect("writing to memory");
    }
    let table = format!(
        "<div class=\"scroll\"><table><thead><tr><th>player</th><th>matches</th><th>rating</th><th>wins</th><th>rank</th>\
         <th>score</th><th>frozen</th><th>CPU</th><th>worst CPU</th></tr></thead><tbody>{rows}</tbody></table></div>"
    );
    section(
        "Standings",
        "± is the longer half of the 95 % interval. Wins and ranks of ties are shared; CPU is the part used of what a match allows.",
        &table,
    )
}

/// A cell that is tinted by how far a value is from the middle.
fn heat(value: f64, middle: f64, reach: f64, text: &str) -> String {
    let far = ((value - middle) / reach).clamp(-1.0, 1.0);
    let tone = if far >= 0.0 { "good" } else { "bad" };
    format!("<td style=\"--tone:var(--{tone});--much:{:.0}%\">{text}</td>", 70.0 * far.abs())
}

fn rank_by_seat(plan: &Plan, tally: &Tally) -> String {
    let mut rows = String::new();
    for contestant in tally.ranking() {
        let cells = tally.rank_by_seat(contestant).map(|rank| match rank {
            // A low rank is good.
            Some(rank) => heat(-rank.value, -2.5, 1.5, &with_margin(&rank, 1.0, 2)),
            None => "<td>–</td>".to_owned(),
        });
        rows.push_str(&format!("<tr><th>{}</th>{}</tr>", escape(plan.name(contestant)), cells.concat()));
    }
    let seats = Seat::ALL.map(|seat| format!("<th>seat {}</th>", seat.ordinal())).concat();
    let table = format!(
        "<div class=\"scroll\"><table class=\"heat\"><thead><tr><th></th>{seats}</tr></thead><tbody>{rows}</tbody></table></div>"
    );
    section("Rank by seat", "The mean rank in every seat: 1 is always first, 4 always last.", &table)
}

fn head_to_head(plan: &Plan, tally: &Tally) -> String {
    let ranking = tally.ranking();
    let names = ranking.iter().map(|&column| format!("<th>{}</th>", escape(plan.name(column)))).collect::<String>();
    let mut rows = String::new();
    for &row in &ranking {
        let cells = ranking.iter().map(|&column| match tally.head_to_head(row, column) {
            Some(share) => heat(share.value, 0.5, 0.5, &(with_margin(&share, 100.0, 1) + " %")),
            None => "<td></td>".to_owned(),
        });
        rows.push_str(&format!("<tr><th>{}</th>{}</tr>", escape(plan.name(row)), cells.collect::<String>()));
    }
    let table = format!(
        "<div class=\"scroll\"><table class=\"heat\"><thead><tr><th></th>{names}</tr></thead><tbody>{rows}</tbody></table></div>"
    );
    section(
        "Head to head",
        "How often the player of the row was ahead of that of the column; level scores count half.",
        &table,
    )
}

fn losses(plan: &Plan, tally: &Tally, details: &RunDetails, replays: Option<&ReplayFolder>) -> String {
    let mut parts = String::new();
    for contestant in tally.ranking() {
        let losses = &details.contestants[contestant].losses;
        let name = escape(plan.name(contestant));
        if losses.is_empty() {
            parts.push_str(&format!("<p class=\"none\">{name} was never behind.</p>"));
            continue;
        }
        let open = if parts.contains("<details") { "" } else { " open" };
        let rows: String = losses.iter().map(|loss| loss_row(plan, loss, replays)).collect();
        parts.push_str(&format!(
            "<details{open}><summary>{name}</summary><div class=\"scroll\"><table><thead><tr><th>behind</th><th>seed</th>\
             <th class=\"left\">seats and scores</th><th class=\"left\">see it</th></tr></thead><tbody>{rows}</tbody></table></div></details>"
        ));
    }
    section("Worst losses", "The matches in which a player was farthest behind the winner.", &parts)
}

fn loss_row(plan: &Plan, loss: &Loss, replays: Option<&ReplayFolder>) -> String {
    let seats = Seat::ALL.map(|seat| {
        let class = if seat == loss.seat { " class=\"me\"" } else { "" };
        let name = escape(plan.name(loss.fixture.seats[seat]));
        format!("<span{class}>{name} {}</span>", loss.scores[seat])
    });
    let fault = match &loss.fault {
        Some((round, reason)) => format!("<br><small>frozen in round {round}: {}</small>", escape(reason)),
        None => String::new(),
    };
    format!(
        "<tr><td>{}</td><td>{}</td><td class=\"left\">{}{fault}</td><td class=\"left\">{}</td></tr>",
        number(loss.behind as f64),
        loss.fixture.seed,
        seats.join(" · "),
        page::see_match(
            plan.report.as_deref(),
            replays.and_then(|replays| replays.replay(&loss.fixture)).as_deref(),
            &plan.command_for(&loss.fixture)
        )
    )
}

/// Where the numbers come from.
fn origin(plan: &Plan) -> String {
    let mut facts = vec![("config".to_owned(), plan.setup.board().hash.clone())];
    facts.extend(plan.contestants.iter().map(|contestant| (contestant.name.clone(), contestant.program.clone())));
    facts.push(("limits".to_owned(), plan.setup.limits_text()));
    page::origin(&plan.command, &facts)
}
