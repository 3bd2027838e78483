//! Dates and quotas: who may submit when, and how much.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::database::now;
use ludus_judge::intake::{self, Quota, Refusal};
use ludus_judge::seasons::{self, Season};
use ludus_judge::submissions::NewSubmission;
use ludus_sandbox::build::Language;

use crate::harness::Court;
use crate::{on_both, on_sqlite};

on_both!(many_at_once_meet_the_quota);

on_sqlite!(
    an_hour_and_a_day_have_quotas,
    the_grace_is_taken_and_logged,
    nobody_submits_after_the_end,
    one_person_may_have_more_time,
    what_counts_is_when_the_file_was_there
);

const SUBMIT: &str = "/seasons/open/submit";

/// The open season, ended some seconds ago.
async fn end(court: &Court, seconds_ago: i64, grace_s: i64) -> Season {
    let season = seasons::find(&court.site.database, "open").await.unwrap().unwrap();
    let closes_at = now() - 1000 * seconds_ago;
    let season = Season { deadline_at: closes_at, closes_at, grace_s, ..season };
    seasons::update(&court.site.database, &season).await.unwrap();
    season
}

fn player(name: &str) -> Vec<u8> {
    format!("#define PLAYER_NAME {name}\n").into_bytes()
}

async fn nobody_submits_after_the_end(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let open = pau.get(SUBMIT).await;
    assert!(open.has("Players are taken until") && open.has("19 d 23 h left"), "{}", open.text);
    end(&court, 3, 2).await;
    let season = pau.get("/seasons/open").await;
    assert!(season.has("Closed") && !season.has(SUBMIT), "{}", season.text);
    assert_eq!(pau.get(SUBMIT).await.status, StatusCode::FORBIDDEN);
    let late = pau.upload(SUBMIT, "AIx.cc", &player("Late")).await;
    assert!(late.status == StatusCode::FORBIDDEN && late.has("takes no more players"), "{}", late.text);
    let mut laia = court.visitor("laia", Role::Instructor).await;
    assert_eq!(
        laia.upload(SUBMIT, "AIx.cc", &player("Late")).await.status,
        StatusCode::FORBIDDEN,
        "nobody means nobody"
    );
    assert!(!laia.get("/submissions").await.has("Late"));
}

async fn the_grace_is_taken_and_logged(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let mut laia = court.visitor("laia", Role::Instructor).await;
    pau.submit("open", "#define PLAYER_NAME Early\n").await;
    end(&court, 5, 3600).await;
    assert!(pau.get(SUBMIT).await.has("noted as late"));
    let page = pau.submit("open", "#define PLAYER_NAME Tardy\n").await;
    let log = laia.get("/actions?action=late-in-grace").await;
    assert!(log.has("class=\"count\">1<") && log.has(&page) && log.has("Tardy") && !log.has("Early"), "{}", log.text);
    assert!(log.has("+5 s") || log.has("+6 s") || log.has("+7 s"), "{}", log.text);
}

async fn one_person_may_have_more_time(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let mut pau = court.visitor("pau", Role::Student).await;
    let mut ana = court.visitor("ana", Role::Student).await;
    let season = end(&court, 100, 0).await.id.to_string();
    let fields = [("season", season.as_str()), ("until", "2999-01-01T00:00"), ("reason", "was ill")];
    let unexplained = laia.post("/people/2/exceptions", &[fields[0], fields[1], ("reason", " ")]).await;
    assert_eq!(unexplained.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(laia.post("/people/2/exceptions", &fields).await.location, "/people/2?said=saved");
    assert!(laia.get("/people/2").await.has("was ill"));
    for (language, until) in [("ca", "01/01/2999, 00:00"), ("es", "01/01/2999, 00:00"), ("en", "1 Jan 2999, 00:00")] {
        pau.post("/language", &[("language", language), ("next", "/")]).await;
        assert!(pau.get(SUBMIT).await.has(until), "{language}");
    }
    pau.submit("open", "#define PLAYER_NAME Patient\n").await;
    assert_eq!(ana.upload(SUBMIT, "AIx.cc", &player("Other")).await.status, StatusCode::FORBIDDEN);
    let log = laia.get("/actions").await;
    for words in ["More time granted", "Submitted late, with more time", "was ill", "Patient"] {
        assert!(log.has(words), "{words}: {}", log.text);
    }
    laia.post("/people/2/exceptions/withdraw", &fields[..1]).await;
    assert_eq!(pau.upload(SUBMIT, "AIx.cc", &player("Again")).await.status, StatusCode::FORBIDDEN);
    assert!(laia.get("/actions?action=withdraw-exception").await.has("class=\"count\">1<"));
}

async fn what_counts_is_when_the_file_was_there(court: Court) {
    let account = court.add_person("pau", Role::Student).await;
    let season = end(&court, 1, 0).await;
    let source = player("Queued");
    let new = NewSubmission { account, name: "Queued", file_name: "", language: Language::Cpp, source: &source };
    let hand_in = async |received_at: i64| {
        let site = &court.site;
        intake::hand_in(&site.database, &site.queue, Quota::default(), season.id, &new, received_at).await.unwrap()
    };
    assert_eq!(hand_in(season.closes_at).await, Err(Refusal::TooLate));
    assert!(hand_in(season.closes_at - 1).await.is_ok(), "it waited for the database while the season ended");
    assert_eq!(hand_in(season.opens_at - 1).await, Err(Refusal::TooEarly));
}

async fn many_at_once_meet_the_quota(mut court: Court) {
    court.set(|settings| settings.quota = Quota { undecided: 3, ..Quota::default() });
    let mut pau = court.visitor("pau", Role::Student).await;
    pau.get("/").await;
    let attempts: Vec<_> = (0..8)
        .map(|k| {
            let mut pau = pau.clone();
            tokio::spawn(async move { pau.upload(SUBMIT, "AIx.cc", &player(&format!("P{k}"))).await.status })
        })
        .collect();
    let mut taken = 0;
    for attempt in attempts {
        match attempt.await.unwrap() {
            StatusCode::SEE_OTHER => taken += 1,
            status => assert_eq!(status, StatusCode::TOO_MANY_REQUESTS),
        }
    }
    assert_eq!(taken, 3);
}

async fn an_hour_and_a_day_have_quotas(mut court: Court) {
    court.set(|settings| settings.quota = Quota { undecided: 100, per_hour: 2, per_day: 4, ..Quota::default() });
    let mut pau = court.visitor("pau", Role::Student).await;
    for (names, words) in
        [(["A", "B"].as_slice(), "within an hour"), (&["C", "D"], "within an hour"), (&[], "within a day")]
    {
        for name in names {
            assert_eq!(pau.upload(SUBMIT, "AIx.cc", &player(name)).await.status, StatusCode::SEE_OTHER, "{name}");
        }
        let more = pau.upload(SUBMIT, "AIx.cc", &player("More")).await;
        assert!(more.status == StatusCode::TOO_MANY_REQUESTS && more.has(words), "{words}: {}", more.text);
        age(&court, 2).await;
    }
    age(&court, 25).await;
    assert_eq!(pau.upload(SUBMIT, "AIx.cc", &player("More")).await.status, StatusCode::SEE_OTHER);
}

async fn age(court: &Court, hours: i64) {
    let time = now() - hours * 3_600_000;
    let changed = sqlx::query("UPDATE submissions SET created_at = $1").bind(time).execute(court.site.database.write());
    changed.await.unwrap();
}
