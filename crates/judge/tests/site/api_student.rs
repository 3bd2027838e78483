//! What a student does by calls: hands in, follows, trains, changes what is theirs.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use serde_json::{Value, json};

use crate::api::{Program, token_of};
use crate::harness::Court;
use crate::training::{id_of, students};
use crate::verdicts::{GOOD, named};
use crate::{on_both, on_sqlite};

on_both!(lists_are_given_in_parts);

on_sqlite!(a_player_is_handed_in_and_followed, a_student_trains_by_calls, what_is_ones_own_is_changed_by_calls);

async fn a_player_is_handed_in_and_followed(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let program = Program::new(&court, &token_of(&mut pau).await);
    let season = program.get("/seasons/open").await;
    assert_eq!((&season.json["phase"], &season.json["may_submit"]), (&json!("open"), &json!(true)));
    let source = named(GOOD, "Caller");
    let taken = program.submit("open", "AICaller.cc", source.as_bytes()).await;
    assert_eq!(taken.status, StatusCode::CREATED, "{}", taken.text());
    let path = format!("/submissions/{}", taken.json["id"]);
    let waiting = program.get(&path).await.json;
    assert_eq!((&waiting["is_decided"], &waiting["submission"]["stage"]), (&json!(false), &json!("waiting")));
    assert_eq!(
        (&waiting["ahead"], &waiting["expected_wait_ms"]),
        (&json!(0), &Value::Null),
        "there was no verdict yet"
    );
    court.work().await;
    let over = program.get(&path).await.json;
    assert_eq!((&over["submission"]["stage"], &over["verdict"]), (&json!("accepted"), &json!("Accepted")), "{over}");
    let steps = over["steps"].as_array().unwrap();
    assert!(steps.len() == 7 && steps.iter().all(|step| step["state"] == "done"), "{over}");
    assert_eq!(program.get(&format!("{path}/source")).await.bytes, source.as_bytes());
    assert_eq!((&over["ahead"], &over["expected_wait_ms"]), (&json!(0), &Value::Null));
    let record = program.get(&format!("/players/{}", taken.json["id"])).await.json;
    assert_eq!((record["best"].as_array().unwrap().len(), &record["worst"]), (3, &json!([])), "{record}");
    // The same page says the same.
    assert!(pau.get(&path).await.has("<h2>Accepted</h2>"));
    let id = steps[3]["played"].to_string();
    let replay = program.get(&format!("/matches/{id}/replay.ludus")).await;
    assert_eq!((replay.status, &replay.bytes[1..5]), (StatusCode::OK, &b"LUDU"[..]));
    let found = program.get(&format!("/matches/{id}")).await.json;
    let own = found["match"]["seats"].as_array().unwrap().iter().find(|seat| seat["name"] == "Caller").unwrap();
    assert!(
        own["cpu"].as_f64().unwrap() > 0.0 && !found["cpu_by_round"][own["seat"].as_u64().unwrap() as usize].is_null()
    );
    if own["has_output"] == true {
        assert_eq!(program.get(&format!("/matches/{id}/output/{}", own["seat"])).await.status, StatusCode::OK);
    }
    // Rejected ones say why, and those that wait how long.
    let broken =
        program.submit("open", "AIBroken.cc", format!("{}\nthis is no C++", named(GOOD, "Broken")).as_bytes()).await;
    let next = program.submit("open", "AINext.cc", named(GOOD, "Next").as_bytes()).await;
    let waiting = program.get(&format!("/submissions/{}", next.json["id"])).await.json;
    assert!(waiting["ahead"] == 1 && waiting["expected_wait_ms"].as_i64() > Some(0), "{waiting}");
    court.work().await;
    let over = program.get(&format!("/submissions/{}", broken.json["id"])).await.json;
    assert_eq!((&over["submission"]["stage"], &over["reason"]["code"]), (&json!("rejected"), &json!("compiler")));
    assert!(over["reason"]["messages"].as_str().unwrap().contains("this is no C++"), "{over}");
    let taken = program.submit("open", "AIx.cc", named(GOOD, "CALLER").as_bytes()).await;
    assert_eq!(taken.problem(), (422, "name-taken"));
    let handed_in = program.get("/submissions").await.json["items"].as_array().unwrap().len();
    assert_eq!(program.check("open", "AIx.cc", named(GOOD, "CALLER").as_bytes()).await.problem(), (422, "name-taken"));
    let fine = program.check("open", "AIx.cc", named(GOOD, "Free").as_bytes()).await;
    assert_eq!(fine.status, StatusCode::NO_CONTENT, "{}", fine.text());
    assert_eq!(
        program.get("/submissions").await.json["items"].as_array().unwrap().len(),
        handed_in,
        "nothing is taken"
    );
    assert_eq!(program.submit("nowhere", "AIx.cc", source.as_bytes()).await.status, StatusCode::NOT_FOUND);
    let mut eva = court.visitor("eva", Role::Spectator).await;
    let watching = Program::new(&court, &token_of(&mut eva).await);
    assert_eq!(watching.submit("open", "AIx.cc", source.as_bytes()).await.problem(), (403, "forbidden"));
}

async fn lists_are_given_in_parts(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let program = Program::new(&court, &token_of(&mut pau).await);
    for at in 0..7 {
        program.submit("open", "AIx.cc", named(GOOD, &format!("P{at}")).as_bytes()).await;
    }
    let (mut names, mut cursor) = (Vec::new(), String::new());
    for part in 0.. {
        let path = format!("/submissions?season=open&stage=waiting&limit=3{cursor}");
        let told = program.get(&path).await.json;
        names.extend(told["items"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()));
        let Some(next) = told["next"].as_str() else {
            assert_eq!(part, 2);
            break;
        };
        cursor = format!("&cursor={next}");
        // What comes meanwhile does not move what follows.
        program.submit("open", "AIx.cc", named(GOOD, &format!("Late{part}")).as_bytes()).await;
    }
    assert_eq!(names, ["P6", "P5", "P4", "P3", "P2", "P1", "P0"]);
    assert_eq!(program.get("/submissions?limit=100").await.json["items"].as_array().unwrap().len(), 9);
}

async fn a_student_trains_by_calls(court: Court) {
    let (cup, [mut one, mut two, mut three, _]) = students(court).await;
    let programs = [
        Program::new(&cup.court, &token_of(&mut one).await),
        Program::new(&cup.court, &token_of(&mut two).await),
        Program::new(&cup.court, &token_of(&mut three).await),
    ];
    let wanted = |players: [&str; 4]| json!({ "players": players, "matches": 4, "seed": 7 });
    let private = wanted(["Player1", "Player2", "Dummy", "Dummy"]);
    let refused = programs[0].call("POST", "/seasons/cup/training", Some(&private)).await;
    assert_eq!((refused.problem(), &refused.json["about"]["name"]), ((422, "player-is-private"), &json!("Player2")));
    let others =
        programs[0].call("POST", "/seasons/cup/training", Some(&wanted(["Demo", "Null", "Dummy", "Dummy"]))).await;
    assert_eq!(others.problem(), (422, "none-own"));
    let published = format!("/submissions/{}/publish", id_of(&cup, "Player2").await);
    assert_eq!(programs[0].call("POST", &published, None).await.status, StatusCode::NOT_FOUND, "another's");
    assert_eq!(programs[1].call("POST", &published, None).await.status, StatusCode::NO_CONTENT);
    let candidates = programs[0].get("/seasons/cup/candidates?limit=100").await.json;
    let known = |name: &str| candidates["items"].as_array().unwrap().iter().any(|one| one["name"] == name);
    assert!(known("Player1") && known("Player2") && known("Dummy") && !known("Player3"), "{candidates}");
    let taken = programs[0].call("POST", "/seasons/cup/training", Some(&private)).await;
    assert_eq!(taken.status, StatusCode::CREATED, "{}", taken.text());
    let path = format!("/training/{}", taken.json["id"]);
    assert_eq!(programs[0].get(&path).await.json["standings"], json!([]));
    cup.work().await;
    let table = programs[0].get(&path).await.json;
    assert_eq!((&table["training"]["is_over"], &table["training"]["played"]), (&json!(true), &json!(4)), "{table}");
    assert_eq!(table["standings"].as_array().unwrap().len(), 4);
    assert_eq!(table["matches"].as_array().unwrap().len(), 4);
    assert_eq!(programs[0].get("/me").await.json["training_left"], json!(396));
    assert_eq!(programs[1].get(&path).await.status, StatusCode::OK, "the other author");
    assert_eq!(programs[2].get(&path).await.status, StatusCode::NOT_FOUND);
    let seen = async |program: &Program| program.get("/training").await.json["items"].as_array().unwrap().len();
    assert_eq!([seen(&programs[0]).await, seen(&programs[1]).await, seen(&programs[2]).await], [1, 1, 0]);
}

async fn what_is_ones_own_is_changed_by_calls(court: Court) {
    let (cup, [mut one, mut two, ..]) = students(court).await;
    let (ones, twos) =
        (Program::new(&cup.court, &token_of(&mut one).await), Program::new(&cup.court, &token_of(&mut two).await));
    // Friends.
    let email = json!({ "email": "student2@x.edu" });
    assert_eq!(ones.call("POST", "/friends", Some(&email)).await.status, StatusCode::NO_CONTENT);
    let listed = twos.get("/friends").await.json["items"][0].clone();
    assert_eq!((&listed["is_listed"], &listed["lists_you"]), (&json!(false), &json!(true)));
    let path = format!("/friends/{}", listed["account"]);
    assert_eq!(twos.call("PUT", &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(twos.call("PUT", "/friends/999", None).await.status, StatusCode::NOT_FOUND);
    assert!(one.get("/friends").await.has("class=\"badge accepted\""));
    assert_eq!(twos.call("DELETE", &path, None).await.status, StatusCode::NO_CONTENT);
    assert!(!one.get("/friends").await.has("class=\"badge accepted\""));
    // Representatives.
    let player = id_of(&cup, "Player1").await;
    let choice = json!({ "player": player });
    assert_eq!(
        twos.call("PUT", "/seasons/cup/representative", Some(&choice)).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(ones.call("PUT", "/seasons/cup/representative", Some(&choice)).await.status, StatusCode::NO_CONTENT);
    let stands = ones.get("/seasons/cup/representative").await.json;
    assert_eq!((&stands["player"]["name"], &stands["is_chosen"]), (&json!("Player1"), &json!(true)));
    // Modules.
    let path = format!("/players/{player}/module");
    assert_eq!(twos.call("PUT", &path, Some(&json!({ "audience": "everybody" }))).await.status, StatusCode::FORBIDDEN);
    let link = ones.call("PUT", &path, Some(&json!({ "audience": "friends" }))).await.json;
    let module = format!("/modules/{}", link["token"].as_str().unwrap());
    assert_eq!(twos.get(&module).await.status, StatusCode::NOT_FOUND);
    assert_eq!(ones.get(&module).await.status, StatusCode::OK);
    assert_eq!(ones.call("PUT", &path, Some(&json!({ "audience": null }))).await.json, Value::Null);
    assert_eq!(ones.get(&module).await.status, StatusCode::NOT_FOUND);
    // Sessions.
    let session = ones.get("/me/sessions").await.json["items"][0]["id"].to_string();
    assert_eq!(twos.call("DELETE", &format!("/me/sessions/{session}"), None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(one.get("/account").await.status, StatusCode::OK, "another's is not ended");
    assert_eq!(ones.call("DELETE", &format!("/me/sessions/{session}"), None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(one.get("/account").await.status, StatusCode::SEE_OTHER);
}
