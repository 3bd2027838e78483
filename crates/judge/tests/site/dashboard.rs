//! People as instructors look after them.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::database::now;
use ludus_judge::ids::AccountId;

use crate::cup::{add_player, module};
use crate::harness::{Browser, Court};
use crate::{on_both, on_sqlite};

on_both!(people_are_found_by_state_group_and_player, many_are_moved_and_locked_at_once);

on_sqlite!(a_table_of_people_has_no_formulas, a_course_of_two_hundred_is_paged);

async fn course(court: &Court) -> Browser {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    laia.upload(
        "/people/import",
        "",
        b"Ana,ana@x.edu,G1\nBiel,biel@x.edu,G1\nCarla,carla@x.edu,G2\nDani,dani@x.edu,\n",
    )
    .await;
    laia
}

async fn id_of(court: &Court, name: &str) -> AccountId {
    let id = sqlx::query_scalar("SELECT id FROM accounts WHERE email = $1").bind(format!("{name}@x.edu"));
    AccountId(id.fetch_one(court.site.database.read()).await.unwrap())
}

/// Who is listed under a filter.
async fn listed(laia: &mut Browser, query: &str) -> String {
    let page = laia.get(&format!("/people?{query}")).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let names = ["laia", "ana", "biel", "carla", "dani"];
    names.into_iter().filter(|name| page.has(&format!("{name}@x.edu"))).collect::<Vec<_>>().join(" ")
}

async fn people_are_found_by_state_group_and_player(court: Court) {
    let mut laia = course(&court).await;
    let (database, store) = (&court.site.database, &court.site.store);
    let season =
        sqlx::query_scalar("SELECT id FROM seasons WHERE slug = 'open'").fetch_one(database.read()).await.unwrap();
    let season = ludus_judge::ids::SeasonId(season);
    for (name, state) in [("ana", "retired_at = NULL"), ("biel", "stage = 'rejected'"), ("carla", "retired_at = 1")] {
        let player = format!("Of{name}");
        let id = add_player(database, store, (season, id_of(&court, name).await), &player, &module(&player, 50), now())
            .await;
        let change = sqlx::AssertSqlSafe(format!("UPDATE submissions SET {state} WHERE id = {id}"));
        sqlx::query(change).execute(database.write()).await.unwrap();
    }
    for (query, expected) in [
        ("", "laia ana biel carla dani"),
        ("role=student", "ana biel carla dani"),
        ("group=%3DG1", "ana biel"),
        ("role=student&group=%3D", "dani"),
        ("state=active", "laia"),
        ("state=new", "ana biel carla dani"),
        ("player=with", "ana"),
        ("role=student&player=without", "biel carla dani"),
        ("role=student&player=without&group=%3DG1&season=open", "biel"),
        ("state=nonsense&player=x&season=none&group=x", "laia ana biel carla dani"),
    ] {
        assert_eq!(listed(&mut laia, query).await, expected, "{query}");
    }
    let page = laia.get("/people").await;
    assert!(page.has("Ofana") && !page.has("Ofbiel") && !page.has("Ofcarla"), "{}", page.text);
    assert!(page.has("With an accepted player in The season open"));
    let mut ana = court.browser();
    let link = laia.post(&format!("/people/{}/link", id_of(&court, "ana").await), &[]).await;
    let link = format!("/link/{}", link.text.split("/link/").nth(1).unwrap().split('"').next().unwrap());
    ana.post(&link, &[("password", "a good password"), ("again", "a good password")]).await;
    assert_eq!(listed(&mut laia, "state=active&role=student").await, "ana");
    assert_eq!(ana.get("/people").await.status, StatusCode::FORBIDDEN);
    assert_eq!(ana.get("/people.csv").await.status, StatusCode::FORBIDDEN);
}

async fn many_are_moved_and_locked_at_once(court: Court) {
    let mut laia = course(&court).await;
    let (ana, biel) = (format!("who-{}", id_of(&court, "ana").await), format!("who-{}", id_of(&court, "biel").await));
    let chosen = [(ana.as_str(), "1"), (biel.as_str(), "1")];
    let own = format!("who-{}", id_of(&court, "laia").await);
    for wrong in [
        vec![("action", "lock")],
        vec![("action", "melt"), chosen[0]],
        vec![("action", "lock"), (&own, "1")],
        vec![("action", "invite"), chosen[0]],
    ] {
        let answer = laia.post("/people/chosen", &wrong).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong:?}");
    }
    let moved = laia.post("/people/chosen", &[("action", "move"), ("to", "G 3"), chosen[0], chosen[1]]).await;
    assert!(moved.location.ends_with("done=2"), "{}", moved.location);
    assert!(laia.get(&moved.location).await.has("Done. People: 2."));
    assert_eq!(listed(&mut laia, "group=%3DG+3").await, "ana biel");
    // All that are listed, wherever they are, but never oneself.
    let all =
        laia.post("/people/chosen", &[("action", "lock"), ("all", "1"), ("text", "x.edu"), ("group", "=G 3")]).await;
    assert!(all.location.ends_with("done=2"), "{}", all.location);
    assert_eq!(listed(&mut laia, "state=locked").await, "ana biel");
    laia.post("/people/chosen", &[("action", "lock"), ("all", "1")]).await;
    assert_eq!(listed(&mut laia, "state=locked").await, "ana biel carla dani");
    laia.post("/people/chosen", &[("action", "unlock"), chosen[0]]).await;
    assert_eq!(listed(&mut laia, "state=locked").await, "biel carla dani");
    let log = laia.get("/actions").await;
    for words in ["2 → G 3", "Accounts locked", "Accounts unlocked", "People moved to another group"] {
        assert!(log.has(words), "{words}: {}", log.text);
    }
}

async fn a_table_of_people_has_no_formulas(court: Court) {
    let mut laia = course(&court).await;
    sqlx::query("UPDATE accounts SET name = '=cmd|x', team = '@SUM(A1)' WHERE email = 'ana@x.edu'")
        .execute(court.site.database.write())
        .await
        .unwrap();
    let table = laia.get("/people.csv?role=student").await;
    assert_eq!(table.headers["content-type"], "text/csv; charset=utf-8");
    let lines: Vec<&str> = table.text.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!((lines[0], lines.len()), ("name,email,group,role,state,player,mail-server", 5), "{}", table.text);
    assert_eq!(lines[1], "'=cmd|x,ana@x.edu,'@SUM(A1),student,new,,");
    assert_eq!(laia.get("/people.csv?group=%3DG2").await.text.lines().count(), 2);
}

async fn a_course_of_two_hundred_is_paged(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let roster: String = (0..200).map(|k| format!("Student {k:03},s{k}@upc.edu,G{}\n", k % 8)).collect();
    laia.upload("/people/import", "", roster.as_bytes()).await;
    let last = laia.get("/people?role=student&page=8").await;
    assert!(last.has("Student 199") && !last.has("Student 000") && last.has("Page 8 of 8"));
    let locked = laia.post("/people/chosen", &[("action", "lock"), ("all", "1"), ("role", "student")]).await;
    assert!(locked.location.ends_with("done=200"), "{}", locked.location);
}
