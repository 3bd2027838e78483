//! The page of workers on other machines, the terminal's way to them, and figures.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::ids::WorkerId;
use ludus_judge::metrics::Watched;
use ludus_judge::remote::broker::{self, Token};
use ludus_judge::remote::check::Lie;
use ludus_judge::remote::enrolment;

use crate::harness::Court;
use crate::on_both;

on_both!(instructors_make_suspend_and_revoke_workers, figures_tell_what_waits);

async fn instructors_make_suspend_and_revoke_workers(court: Court) {
    let database = &court.site.database;
    let mut eva = court.visitor("eva", Role::Instructor).await;
    let pau = court.add_person("pau", Role::Student).await;
    assert!(eva.get("/workshop").await.has("href=\"/workers\""));
    assert!(eva.get("/workers").await.has("No workers on other machines"));
    for (fields, error) in [
        ([("name", " "), ("owner", ""), ("scope", "play")], "A name is needed."),
        ([("name", "lab"), ("owner", "nobody@x.edu"), ("scope", "play")], "Nobody has this address."),
        ([("name", "lab"), ("owner", ""), ("scope", "all")], "Say what it may be given."),
    ] {
        let refused = eva.post("/workers", &fields).await;
        assert!(refused.status == StatusCode::UNPROCESSABLE_ENTITY && refused.has(error), "{error}");
    }
    let made = eva.post("/workers", &[("name", "lab <1>"), ("owner", "pau@x.edu"), ("scope", "volunteer")]).await;
    let token =
        made.text.split("value=\"").find(|part| part.starts_with("ludus_w")).unwrap().split('"').next().unwrap();
    let token = Token::read(token).unwrap();
    let page = eva.get("/workers").await;
    assert!(page.has("lab &lt;1&gt;") && page.has("volunteer") && !page.has(&token.key.seed), "shown once");
    let known = enrolment::admitted(database).await.unwrap();
    assert_eq!((known.len(), known[0].account, &known[0].public_key), (1, pau, &token.key.public));
    let users = broker::users("JUDGE", &known);
    assert!(users.contains(&token.key.public) && !users.contains(&token.key.seed), "{users}");

    assert!(enrolment::suspend(database, token.worker, &Lie::Outvoted.to_string()).await.unwrap());
    assert!(!enrolment::suspend(database, token.worker, "again").await.unwrap(), "once");
    assert!(enrolment::admitted(database).await.unwrap().is_empty(), "the broker forgets it");
    assert!(eva.get("/workers").await.has("two others came to another result"));
    let id = token.worker.to_string();
    assert_eq!(eva.post("/workers/admit", &[("worker", &id)]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(enrolment::admitted(database).await.unwrap().len(), 1);
    assert_eq!(eva.post("/workers/revoke", &[("worker", &id)]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(eva.post("/workers/revoke", &[("worker", &id)]).await.status, StatusCode::NOT_FOUND);
    assert!(enrolment::find(database, WorkerId(token.worker.0)).await.unwrap().is_none());
    let log = eva.get("/actions").await;
    for words in ["Worker made", "Worker suspended by the judge", "Worker let in again", "Worker revoked"] {
        assert!(log.has(words), "{words}");
    }
}

async fn figures_tell_what_waits(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    pau.submit("open", &crate::verdicts::named(crate::verdicts::NULL, "Idle")).await;
    let text = Watched { site: court.site.clone(), fleet: None }.text().await.unwrap();
    for line in
        ["ludus_healthy 1", "ludus_jobs{priority=\"verification\",state=\"waiting\"} 1", "ludus_verdicts_lately 0"]
    {
        assert!(text.lines().any(|one| one == line), "{line} in {text}");
    }
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let value = line.rsplit(' ').next().unwrap();
        assert!(value.parse::<f64>().is_ok(), "{line}");
    }
}
