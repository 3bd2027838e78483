//! Grades: the rule, its preview, corrections with a reason, and the table.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;

use crate::cup::Cup;
use crate::harness::Court;
use crate::{on_both, on_sqlite};

on_both!(grades_follow_from_the_rule_and_the_order_of_departure, corrections_have_reasons_and_are_logged);

on_sqlite!(rules_that_make_no_sense_are_refused, spreadsheets_find_no_formula);

const RULE: [(&str, &str); 6] = [
    ("first_out", "4"),
    ("last_out", "9,00"),
    ("guaranteed", "5"),
    ("finalist", "10"),
    ("finalists", "2"),
    ("without_player", "0.5"),
];

fn with<'a>(rule: &[(&'a str, &'a str)], name: &str, value: &'a str) -> Vec<(&'a str, &'a str)> {
    rule.iter().map(|(known, old)| (*known, if *known == name { value } else { *old })).collect()
}

/// Six with players of which three are out, and one without.
async fn played(court: Court) -> Cup {
    let cup = Cup::new(court, 6).await;
    cup.student("without", "G1").await;
    for _ in 0..3 {
        cup.play().await;
    }
    cup
}

/// The rows of the table, as cells.
async fn table(laia: &mut crate::harness::Browser) -> Vec<Vec<String>> {
    let answer = laia.get("/seasons/cup/grades.csv").await;
    assert_eq!(answer.headers["content-type"], "text/csv; charset=utf-8");
    let text = answer.text.strip_prefix('\u{feff}').expect("spreadsheets are told that it is UTF-8");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(ToOwned::to_owned).collect()).collect()
}

async fn grades_follow_from_the_rule_and_the_order_of_departure(court: Court) {
    let cup = played(court).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let first = laia.get("/seasons/cup/grades").await;
    assert!(first.has("Nobody has set the rule") && first.has("7 students"), "{}", first.text);
    let preview =
        laia.post("/seasons/cup/grades", &[&with(&RULE, "first_out", "3.25")[..], &[("do", "preview")]].concat()).await;
    assert!(preview.has("This is a preview") && preview.has("value=\"3.25\"") && preview.has("<svg viewBox"));
    assert!(laia.get("/seasons/cup/grades").await.has("Nobody has set the rule"), "a preview saves nothing");
    let saved = laia.post("/seasons/cup/grades", &RULE).await;
    assert_eq!(saved.location, "/seasons/cup/grades?said=saved", "{}", saved.text);
    let rows = table(&mut laia).await;
    assert_eq!(rows[0][..4], ["name", "email", "group", "standing"]);
    assert_eq!(rows[0].last().unwrap(), "mark");
    // Three are in and finalists; of the others, marks rise from 4 to 9, and 5 is guaranteed.
    let mut marks: Vec<(String, String)> = rows[1..].iter().map(|row| (row[4].clone(), row[14].clone())).collect();
    marks.sort();
    let expected =
        [("", "0.50"), ("", "10.00"), ("", "10.00"), ("", "10.00"), ("1", "5.00"), ("2", "6.50"), ("3", "9.00")];
    assert_eq!(marks, expected.map(|(round, mark)| (round.to_owned(), mark.to_owned())));
    let page = laia.get("/seasons/cup/grades").await;
    for words in ["Out in round 2", "6.50", "Without an accepted player", "Still in"] {
        assert!(page.has(words), "{words}");
    }
    assert!(laia.get("/actions").await.has("Rule of grades set"));
    let mut marta = cup.court.visitor("marta", Role::Student).await;
    for path in ["/seasons/cup/grades", "/seasons/cup/grades.csv"] {
        assert_eq!(marta.get(path).await.status, StatusCode::FORBIDDEN);
        assert_eq!(cup.court.browser().get(path).await.status, StatusCode::SEE_OTHER);
    }
    for path in ["/seasons/cup/grades", "/seasons/cup/grades/correct", "/seasons/cup/grades/withdraw"] {
        assert_eq!(marta.post(path, &RULE).await.status, StatusCode::FORBIDDEN);
    }
}

async fn corrections_have_reasons_and_are_logged(court: Court) {
    let cup = played(court).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let id = cup.count("SELECT account_id FROM entrants WHERE number IS NULL").await;
    let account = id.to_string();
    let correct = [("account", account.as_str()), ("mark", "7.25"), ("reason", "was ill until May")];
    let path = "/seasons/cup/grades/correct";
    assert_eq!(laia.post(path, &with(&correct, "reason", " ")).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(laia.post(path, &with(&correct, "mark", "7.255")).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(laia.post(path, &with(&correct, "account", "999")).await.status, StatusCode::NOT_FOUND);
    let own = cup.count("SELECT id FROM accounts WHERE email = 'laia@x.edu'").await.to_string();
    assert_eq!(laia.post(path, &with(&correct, "account", &own)).await.status, StatusCode::NOT_FOUND, "no student");
    assert_eq!(laia.post(path, &correct).await.status, StatusCode::SEE_OTHER);
    let row = async |laia: &mut crate::harness::Browser| table(laia).await.pop().unwrap()[11..].join("|");
    assert_eq!(row(&mut laia).await, "0.00|7.25|was ill until May|7.25");
    assert_eq!(laia.post(path, &with(&correct, "mark", "8")).await.status, StatusCode::SEE_OTHER);
    assert_eq!(row(&mut laia).await, "0.00|8.00|was ill until May|8.00");
    let log = laia.get("/actions?action=correct-grade").await;
    assert!(log.has("was ill until May") && log.has("8.00") && log.has("Name of without"));
    let withdrawn = laia.post("/seasons/cup/grades/withdraw", &[("account", &account)]).await;
    assert_eq!(withdrawn.status, StatusCode::SEE_OTHER);
    assert_eq!(row(&mut laia).await, "0.00|||0.00");
    assert!(laia.get("/actions").await.has("Correction of a grade withdrawn"));
}

async fn rules_that_make_no_sense_are_refused(court: Court) {
    let cup = Cup::new(court, 2).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    for (name, value, words) in [
        ("last_out", "3", "must not get less than the first one"),
        ("finalist", "8", "Finalists must not get less"),
        ("first_out", "-1", "A mark is a number"),
        ("guaranteed", "100.01", "A mark is a number"),
        ("finalists", "x", "must be a number"),
        ("finalists", "999999", "must be a number"),
    ] {
        let answer = laia.post("/seasons/cup/grades", &with(&RULE, name, value)).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{name} {value}");
        assert!(answer.has(words) && answer.has(&format!("value=\"{value}\"")), "{}", answer.text);
    }
    assert_eq!(cup.count("SELECT COUNT(*) FROM grade_rules").await, 0);
    assert!(laia.get("/seasons/cup/grades").await.has("No grades yet"), "before the deadline's list");
}

async fn spreadsheets_find_no_formula(court: Court) {
    let cup = Cup::new(court, 2).await;
    cup.run(
        "UPDATE accounts SET name = '=HYPERLINK(\"http://evil\")', team = '@SUM(A1)' WHERE email = 'student1@x.edu'",
    )
    .await;
    cup.direct().await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    let id = cup.count("SELECT id FROM accounts WHERE email = 'student1@x.edu'").await.to_string();
    let correct = [("account", id.as_str()), ("mark", "7"), ("reason", "+1 for \"style\", -1 for haste")];
    laia.post("/seasons/cup/grades/correct", &correct).await;
    let rows = table(&mut laia).await;
    let row = rows.iter().find(|row| row[1] == "student1@x.edu").unwrap();
    assert_eq!(row[0], "'=HYPERLINK(\"http://evil\")");
    assert_eq!(row[2], "'@SUM(A1)");
    assert_eq!(row[13], "'+1 for \"style\", -1 for haste");
    let page = laia.get("/seasons/cup/grades").await;
    assert!(page.has("=HYPERLINK(&quot;http://evil&quot;)"));
}
