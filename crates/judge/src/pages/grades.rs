//! Grades of a season, for instructors: the rule, corrections, a preview of what
//! comes of them, and the table for the registry.

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{get, post};
use ludus_arena::season::{Mark, Rule, RuleError, Standing};
use maud::{Markup, html};

use super::layout::{Field, Sheet};
use super::retirement::reason;
use super::seasons::{crumbs, season};
use crate::actions::{self, Action, Entry};
use crate::grading::{self, Graded, Table};
use crate::ids::AccountId;
use crate::seasons::Season;
use crate::texts::{self, Text};
use crate::web::{Answer, AppError, Asked, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/seasons/{slug}/grades", get(show).post(save))
        .route("/seasons/{slug}/grades.csv", get(csv))
        .route("/seasons/{slug}/grades/correct", post(correct))
        .route("/seasons/{slug}/grades/withdraw", post(withdraw))
}

/// The most finalists that a rule may ask for, which is more than anybody has students.
const MOST_FINALISTS: usize = 2000;
/// Bars of the histogram.
const BARS: u32 = 20;

/// The marks of the rule, as the form calls them.
const MARKS: [(&str, Text, Text); 5] = [
    ("first_out", texts::FIRST_OUT, texts::FIRST_OUT_HINT),
    ("last_out", texts::LAST_OUT, texts::LAST_OUT_HINT),
    ("guaranteed", texts::GUARANTEED, texts::GUARANTEED_HINT),
    ("finalist", texts::GRADE_FINALIST_MARK, texts::GRADE_FINALIST_MARK_HINT),
    ("without_player", texts::GRADE_WITHOUT_PLAYER_MARK, texts::GRADE_WITHOUT_PLAYER_MARK_HINT),
];

async fn show(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, Query(query): Asked) -> Answer {
    visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let (rule, is_set) = grading::rule(&site.database, season.id).await?;
    let said = visitor.said(query.get("said").map(String::as_str));
    let note = html! { (said) @if !is_set { p.notice { (visitor.t(texts::RULE_NOT_SET)) } } };
    let table = grading::table(&site.database, season.id, rule).await?;
    Ok(page(&visitor, &season, &Sent::of(&rule), Some(&table), &note))
}

/// Previews the rule of the form, or keeps it.
async fn save(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let sent = Sent::from_form(&fields);
    let rule = match sent.rule() {
        Ok(rule) => rule,
        Err(text) => {
            let note = html! { p.notice.bad role="alert" { (visitor.t(text)) } };
            let page = page(&visitor, &season, &sent, None, &note);
            return Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response());
        }
    };
    if fields.get("do") == "preview" {
        let table = grading::table(&site.database, season.id, rule).await?;
        let note = html! { p.notice role="status" { (visitor.t(texts::GRADE_PREVIEW_ONLY)) } };
        return Ok(page(&visitor, &season, &sent, Some(&table), &note));
    }
    let mut tx = site.database.begin().await?;
    grading::set_rule(&mut tx, season.id, &rule).await?;
    let detail = sent.detail();
    let entry = Entry { season: Some(season.id), detail: &detail, ..Entry::new(actor.id, Action::SetGradeRule) };
    actions::record(&mut tx, &entry).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("/seasons/{slug}/grades?said=saved")).into_response())
}

/// The rule as it stands in the form.
struct Sent {
    /// In the order of [`MARKS`].
    marks: [String; 5],
    finalists: String,
}

impl Sent {
    fn of(rule: &Rule) -> Sent {
        let marks = [rule.first_out, rule.last_out, rule.guaranteed, rule.finalist, rule.without_player];
        Sent { marks: marks.map(|mark| mark.to_string()), finalists: rule.finalists.to_string() }
    }

    fn from_form(fields: &Fields) -> Sent {
        Sent { marks: MARKS.map(|(name, ..)| point(fields.get(name))), finalists: fields.get("finalists").to_owned() }
    }

    fn rule(&self) -> Result<Rule, Text> {
        let mark = |at: usize| self.marks[at].parse::<Mark>().map_err(|_| texts::GRADE_MARK_WRONG);
        let finalists = self.finalists.parse().ok().filter(|count| *count <= MOST_FINALISTS);
        let rule = Rule {
            first_out: mark(0)?,
            last_out: mark(1)?,
            guaranteed: mark(2)?,
            finalist: mark(3)?,
            finalists: finalists.ok_or(texts::FINALISTS_WRONG)?,
            without_player: mark(4)?,
        };
        match rule.check() {
            Ok(()) => Ok(rule),
            Err(RuleError::Falling(..)) => Err(texts::RULE_FALLING),
            Err(RuleError::Finalist(..)) => Err(texts::RULE_FINALIST),
        }
    }

    /// For the log.
    fn detail(&self) -> String {
        format!("{} · {}", self.marks.join(" / "), self.finalists)
    }
}

/// A mark as people write it here, with a comma or a point.
fn point(text: &str) -> String {
    text.replace(',', ".")
}

fn page(
    visitor: &Visitor,
    season: &Season,
    sent: &Sent,
    table: Option<&Table>,
    note: &Markup,
) -> axum::response::Response {
    let title = visitor.t(texts::GRADES);
    let body = html! {
        div.title {
            h1 { (title) }
            a.button.quiet href={ "/seasons/" (season.slug) "/grades.csv" } download { (visitor.t(texts::GRADES_CSV)) }
        }
        (note)
        p.lead { (visitor.t(texts::GRADES_HINT)) }
        (rule_form(visitor, season, sent))
        @if let Some(table) = table {
            @if table.rows.is_empty() { (visitor.empty(texts::NO_GRADES, &html! { (visitor.t(texts::NO_GRADES_HINT)) " " a href={ "/seasons/" (season.slug) "/desk" } { (visitor.t(texts::DESK)) } })) }
            @else {
                section { h2 { (visitor.t(texts::DISTRIBUTION)) } (histogram(visitor, table)) }
                (correction_form(visitor, season, table))
                section { h2 { (visitor.t(texts::GRADES)) " " span.count { (table.rows.len()) } } (rows(visitor, season, table)) }
            }
        }
    };
    let crumbs = crumbs(visitor, Some((&season.slug, &season.title)));
    visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response()
}

fn rule_form(visitor: &Visitor, season: &Season, sent: &Sent) -> Markup {
    html! {
        form.card method="post" action={ "/seasons/" (season.slug) "/grades" } {
            (visitor.token())
            h2 { (visitor.t(texts::RULE_OF_GRADES)) }
            div.columns.marks {
                @for (at, (name, label, hint)) in MARKS.into_iter().enumerate() {
                    (Field { name, label: visitor.t(label), hint: visitor.t(hint), value: &visitor.decimal(&sent.marks[at]), ..Field::default() }.html())
                }
                (Field { name: "finalists", label: visitor.t(texts::FINALISTS_AT_LEAST), hint: visitor.t(texts::FINALISTS_AT_LEAST_HINT), kind: "number", value: &sent.finalists, ..Field::default() }.html())
            }
            div.actions.finish {
                button.quiet name="do" value="preview" { (visitor.t(texts::GRADE_PREVIEW)) }
                button name="do" value="save" { (visitor.t(texts::SAVE)) }
            }
        }
    }
}

/// How many have which mark, as bars.
fn histogram(visitor: &Visitor, table: &Table) -> Markup {
    const WIDTH: u32 = 600;
    const HEIGHT: u32 = 120;
    const BELOW: u32 = 18;
    const ABOVE: u32 = 16;
    let (counts, most) = table.distribution(BARS);
    let tallest = counts.iter().copied().max().unwrap_or(0).max(1) as u32;
    let width = WIDTH / BARS;
    let mut marks: Vec<u32> = table.rows.iter().map(|row| row.grade.mark().hundredths()).collect();
    marks.sort_unstable();
    let all = marks.len().max(1);
    let shown = |hundredths: u32| {
        Mark::from_hundredths(hundredths).map_or(String::new(), |mark| visitor.decimal(&mark.to_string()))
    };
    let mean = shown((marks.iter().sum::<u32>() + all as u32 / 2) / all as u32);
    let median = shown(marks.get(all / 2).copied().unwrap_or(0));
    let passed = marks.iter().filter(|mark| **mark >= most.hundredths() / 2).count().to_string();
    let told = visitor.fill(
        texts::DISTRIBUTION_TOLD,
        &[("count", &marks.len().to_string()), ("mean", &mean), ("median", &median), ("passed", &passed)],
    );
    html! {
        div.card.histogram {
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT + BELOW + ABOVE) } role="img" aria-label=(told) {
                @for (at, count) in counts.iter().enumerate() {
                    @let (x, tall) = (at as u32 * width, *count as u32 * HEIGHT / tallest);
                    rect x=(x + 1) y=(ABOVE + HEIGHT - tall) width=(width - 2) height=(tall) rx="2" {}
                    @if *count > 0 { text x=(x + width / 2) y=(ABOVE + HEIGHT - tall - 4) { (count) } }
                }
                line x1="0" x2=(WIDTH) y1=(ABOVE + HEIGHT) y2=(ABOVE + HEIGHT) {}
                @for tenth in 0..=10u32 {
                    @let at = tenth * WIDTH / 10;
                    text.scale x=(at.clamp(8, WIDTH - 10)) y=(ABOVE + HEIGHT + 14) { (tenth * most.hundredths() / 1000) }
                }
            }
            p.quiet { (told) }
        }
    }
}

fn correction_form(visitor: &Visitor, season: &Season, table: &Table) -> Markup {
    html! {
        details.card {
            summary { (visitor.t(texts::CORRECT_GRADE)) }
            form method="post" action={ "/seasons/" (season.slug) "/grades/correct" } {
                (visitor.token())
                p.hint { (visitor.t(texts::CORRECT_GRADE_HINT)) }
                div.field {
                    label for="account" { (visitor.t(texts::A_STUDENT)) }
                    select #account name="account" {
                        @for row in &table.rows { option value=(row.account) { (row.student) " · " (visitor.decimal(&row.grade.mark().to_string())) } }
                    }
                }
                (Field { name: "mark", label: visitor.t(texts::GRADE_MARK), ..Field::default() }.html())
                (Field { name: "reason", label: visitor.t(texts::WHY), ..Field::default() }.html())
                button.quiet { (visitor.t(texts::CORRECT_GRADE)) }
            }
        }
    }
}

fn rows(visitor: &Visitor, season: &Season, table: &Table) -> Markup {
    let label = |text| visitor.t(text);
    html! {
        table.collapsing {
            thead { tr {
                th { (label(texts::A_STUDENT)) } th { (label(texts::GRADE_STANDING)) } th.number { (label(texts::GRADE_LEFT_BEFORE)) }
                th.number { (label(texts::GRADE_COMPUTED)) } th.number { (label(texts::GRADE_MARK)) } th { (label(texts::WHY)) }
            } }
            tbody { @for row in &table.rows {
                @let grade = &row.grade;
                tr {
                    td { a href={ "/people/" (row.account) } { (row.student) } @if !row.team.is_empty() { " " span.quiet { (row.team) } } }
                    td data-label=(label(texts::GRADE_STANDING)) { (standing(visitor, row)) }
                    td.number data-label=(label(texts::GRADE_LEFT_BEFORE)) { (grade.left_before.map_or("–".to_owned(), |before| before.to_string())) }
                    td.number data-label=(label(texts::GRADE_COMPUTED)) { (visitor.decimal(&grade.computed.to_string())) }
                    td.number data-label=(label(texts::GRADE_MARK)) { strong { (visitor.decimal(&grade.mark().to_string())) } }
                    td data-label=(label(texts::WHY)) { (why(visitor, season, row)) }
                }
            } }
        }
    }
}

fn standing(visitor: &Visitor, row: &Graded) -> Markup {
    let finalist = html! { @if row.grade.finalist { " " span.badge.official { (visitor.t(texts::GRADE_FINALIST)) } } };
    match &row.grade.standing {
        Standing::StillIn => html! { (visitor.t(texts::GRADE_STILL_IN)) (finalist) },
        Standing::Eliminated { round, .. } => {
            html! { (visitor.fill(texts::GRADE_OUT, &[("round", &round.to_string())])) (finalist) }
        }
        Standing::Withdrawn { .. } => html! { (visitor.t(texts::GRADE_WITHDRAWN)) },
        Standing::WithoutPlayer => html! { span.bad { (visitor.t(texts::GRADE_WITHOUT_PLAYER)) } },
    }
}

/// Why the mark is another one, or why somebody left.
fn why(visitor: &Visitor, season: &Season, row: &Graded) -> Markup {
    match (&row.grade.correction, &row.grade.standing) {
        (Some(correction), _) => html! {
            (correction.reason)
            form method="post" action={ "/seasons/" (season.slug) "/grades/withdraw" } {
                (visitor.token())
                input type="hidden" name="account" value=(row.account);
                button.plain { (visitor.t(texts::WITHDRAW)) }
            }
        },
        (None, Standing::Withdrawn { reason }) => html! { (reason) },
        (None, _) => html! {},
    }
}

async fn correct(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let wrong = |text| AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, text);
    let mark: Mark = point(fields.get("mark")).parse().map_err(|_| wrong(texts::GRADE_MARK_WRONG))?;
    let reason = reason(&fields)?;
    let account = AccountId(fields.number("account").ok_or(AppError::NotFound)?);
    let mut tx = site.database.begin().await?;
    if !grading::correct(&mut tx, season.id, account, mark, (&reason, actor.id)).await? {
        return Err(AppError::NotFound);
    }
    let detail = mark.to_string();
    let entry = Entry::new(actor.id, Action::CorrectGrade);
    let entry = Entry { season: Some(season.id), account: Some(account), detail: &detail, reason: &reason, ..entry };
    actions::record(&mut tx, &entry).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("/seasons/{slug}/grades?said=saved")).into_response())
}

async fn withdraw(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let account = AccountId(fields.number("account").ok_or(AppError::NotFound)?);
    let mut tx = site.database.begin().await?;
    if !grading::withdraw(&mut tx, season.id, account).await? {
        return Err(AppError::NotFound);
    }
    let entry = Entry::new(actor.id, Action::WithdrawCorrection);
    actions::record(&mut tx, &Entry { season: Some(season.id), account: Some(account), ..entry }).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("/seasons/{slug}/grades?said=saved")).into_response())
}

/// The table with everything that led to each mark, by the rule that is kept.
async fn csv(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>) -> Answer {
    visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let (rule, _) = grading::rule(&site.database, season.id).await?;
    let csv = grading::table(&site.database, season.id, rule).await?.csv()?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"grades-{}.csv\"", season.slug)),
    ];
    Ok((headers, csv).into_response())
}
