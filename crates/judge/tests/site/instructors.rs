//! What instructors do: rosters, invitations, locks, seasons, the course.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;

use crate::harness::{Court, PASSWORD};
use crate::{on_both, on_sqlite};

on_both!(a_roster_is_taken_whole_or_not_at_all, people_are_invited_reset_and_locked, seasons_are_copied_and_archived);

on_sqlite!(
    seasons_are_made_and_changed,
    lists_have_pages,
    the_form_of_a_new_season_is_ready_to_send,
    refused_words_are_the_instructors
);

async fn a_roster_is_taken_whole_or_not_at_all(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let bad = "name,email,group\nMarta,marta@upc.edu,G1\nPau,pau-at-upc,G1\nLaia,laia@x.edu,G1\n";
    let answer = laia.upload("/people/import", "roster.csv", bad.as_bytes()).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.has("Line 3:") && answer.has("pau-at-upc"));
    let known = laia.upload("/people/import", "", "Marta,marta@upc.edu\nLaia,laia@x.edu\n".as_bytes()).await;
    assert!(known.has("Line 2:") && known.has("laia@x.edu has an account already"), "{}", known.text);
    assert!(!laia.get("/people").await.has("marta@upc.edu"), "nobody was imported");
    let good = laia.upload("/people/import", "", "Marta,marta@upc.edu,G1\nPau,pau@upc.edu,G2\n".as_bytes()).await;
    assert!(good.has("People imported: 2"));
    let link = format!("/link/{}", good.text.split("value=\"/link/").nth(1).unwrap().split('"').next().unwrap());
    let mut marta = court.browser();
    assert_eq!(marta.post(&link, &[("password", PASSWORD), ("again", PASSWORD)]).await.location, "/?said=welcome");
    assert!(laia.get("/people?text=g2").await.has("pau@upc.edu"));
    // The whole list again, as Excel writes it, with somebody new.
    let again = b"Nom;Correu;Grup\r\nMarta;marta@upc.edu;G1\r\nN\xfaria Pe\xf1a;nuria@upc.edu;G1\r\n";
    let refused = laia.upload("/people/import", "roster.csv", again).await;
    assert!(refused.has("Line 2:") && refused.has("marta@upc.edu has an account already"), "{}", refused.text);
    assert!(!laia.get("/people").await.has("nuria@upc.edu"), "nobody was imported");
    let taken = laia.upload_with("/people/import", &[("known", "leave-out")], "roster.csv", again).await;
    assert!(taken.has("People imported: 1") && taken.has("Núria Peña"), "{}", taken.text);
}

async fn people_are_invited_reset_and_locked(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let invited = laia.post("/people/invite", &[("name", "Eva"), ("email", "Eva@x.edu"), ("role", "spectator")]).await;
    let link =
        |text: &str| format!("/link/{}", text.split("value=\"/link/").nth(1).unwrap().split('"').next().unwrap());
    let mut eva = court.browser();
    eva.post(&link(&invited.text), &[("password", PASSWORD), ("again", PASSWORD)]).await;
    assert!(eva.get("/account").await.has("spectator"));
    let twice = laia.post("/people/invite", &[("name", "Eva"), ("email", "eva@x.edu"), ("role", "student")]).await;
    assert!(twice.has("has an account already"));
    let reset = laia.post("/people/2/link", &[]).await;
    let second = laia.post("/people/2/link", &[]).await;
    assert_eq!(
        court.browser().get(&link(&reset.text)).await.status,
        StatusCode::GONE,
        "a new link ends the one before"
    );
    eva.post(&link(&second.text), &[("password", "another one 123"), ("again", "another one 123")]).await;
    laia.post("/people/2/lock", &[("locked", "1")]).await;
    assert_eq!(eva.get("/account").await.status, StatusCode::SEE_OTHER);
    assert!(court.browser().sign_in("eva", "another one 123").await.has("locked"));
    laia.post("/people/2/lock", &[("locked", "0")]).await;
    assert_eq!(court.browser().sign_in("eva", "another one 123").await.status, StatusCode::SEE_OTHER);
    assert_eq!(
        laia.post("/people/1/lock", &[("locked", "1")]).await.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "not oneself"
    );
}

async fn seasons_are_made_and_changed(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let fields = |title: &'static str, deadline: &'static str, config: &'static str| {
        [
            ("title", title),
            ("game", "ants"),
            ("opens", "2026-01-01T00:00"),
            ("deadline", deadline),
            ("official", "2026-03-01T00:00"),
            ("memory", "64"),
            ("source", "100"),
            ("config", config),
            ("rules", "# Our *own* rules\n\n<script>alert(1)</script>"),
        ]
    };
    for (wrong, words) in [
        (fields("", "2026-02-01T00:00", ""), "needs a title"),
        (fields("X", "2027-02-01T00:00", ""), "The opening comes first"),
        (fields("X", "soon", ""), "no date"),
        (fields("X", "2026-02-01T00:00", "rubbish"), "rubbish"),
    ] {
        let answer = laia.post("/seasons/new", &wrong).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.has(words), "{words}: {}", answer.text);
    }
    let made = laia.post("/seasons/new", &fields("Formigues, tardor", "2026-02-01T00:00", "")).await;
    assert_eq!(made.location, "/seasons/formigues-tardor?said=made");
    let again = laia.post("/seasons/new", &fields("Formigues, tardor", "2026-02-01T00:00", "")).await;
    assert_eq!(again.location, "/seasons/formigues-tardor-2?said=made");
    let rules = laia.get("/seasons/formigues-tardor/rules").await;
    assert!(rules.has("Our <em>own</em> rules") && !rules.has("<script>alert"));
    let edited = laia.post("/seasons/formigues-tardor/edit", &fields("Formigues", "2026-02-02T00:00", "")).await;
    assert_eq!(edited.location, "/seasons/formigues-tardor?said=saved");
    assert!(laia.get("/seasons/formigues-tardor").await.has("<h1>Formigues</h1>"));
    assert!(laia.get("/seasons/open/rules").await.has("Dominator"), "a season without rules shows those of the game");
}

async fn seasons_are_copied_and_archived(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let mut pau = court.visitor("pau", Role::Student).await;
    let form = laia.get("/seasons/new?from=open").await;
    assert!(form.has("The season open (copy)") && form.has("nb_knights 20"), "{}", form.text);
    assert_eq!(laia.get("/seasons/new?from=nothing").await.status, StatusCode::NOT_FOUND);
    assert!(pau.get("/").await.has("/seasons/open\""));
    assert!(!pau.get("/").await.has("/seasons/archive"));
    assert_eq!(pau.post("/seasons/open/archive", &[("archived", "1")]).await.status, StatusCode::FORBIDDEN);
    let done = laia.post("/seasons/open/archive", &[("archived", "1")]).await;
    assert_eq!(done.location, "/seasons/open?said=saved");
    let home = pau.get("/").await;
    assert!(!home.has("/seasons/open\"") && home.has("/seasons/archive"), "{}", home.text);
    assert!(pau.get("/seasons/archive").await.has("/seasons/open\""));
    let page = pau.get("/seasons/open").await;
    assert!(page.has("This season is archived") && !page.has("/seasons/open/submit"), "{}", page.text);
    let refused = pau.upload("/seasons/open/submit", "AIx.cc", b"#define PLAYER_NAME Late\n").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.text);
    laia.post("/seasons/open/archive", &[("archived", "0")]).await;
    assert!(pau.get("/").await.has("/seasons/open\"") && pau.get("/seasons/open").await.has("/seasons/open/submit"));
    let log = laia.get("/actions").await;
    assert!(log.has("Season archived") && log.has("Season brought back"), "{}", log.text);
}

/// The value of a field on a page.
fn value<'a>(page: &'a str, name: &str) -> &'a str {
    let field = page.split(&format!("name=\"{name}\"")).nth(1).unwrap();
    field.split("value=\"").nth(1).unwrap().split('"').next().unwrap()
}

async fn the_form_of_a_new_season_is_ready_to_send(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let form = laia.get("/seasons/new").await.text;
    for date in ["deadline", "official", "closes"] {
        assert!(value(&form, date).ends_with("T23:59"), "{date}: {}", value(&form, date));
    }
    let names = ["opens", "deadline", "official", "closes", "cpu", "round", "memory", "source", "grace"];
    let mut fields: Vec<(&str, &str)> = names.iter().map(|name| (*name, value(&form, name))).collect();
    assert!(fields.iter().all(|(name, value)| !value.is_empty() || *name == "closes"), "{fields:?}");
    fields.extend([("title", "Tardor"), ("game", "ants")]);
    let made = laia.post("/seasons/new", &fields).await;
    assert_eq!(made.location, "/seasons/tardor?said=made", "{}", made.text);
    let page = laia.get(&made.location).await;
    assert!(page.has("The season is made.") && page.has("href=\"/people/import\""), "{}", page.text);
    assert!(!laia.get("/seasons/tardor").await.has("The season is made."));
}

async fn refused_words_are_the_instructors(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    laia.post("/course", &[("title", "Algorithms"), ("words", "broccoli\n")]).await;
    assert!(laia.get("/").await.has("<h1>Algorithms</h1>"));
    let mut pau = court.visitor("pau", Role::Student).await;
    let source = "#define PLAYER_NAME MyBroccoli\n";
    assert!(pau.upload("/seasons/open/submit", "AIx.cc", source.as_bytes()).await.has("is not allowed"));
}

async fn lists_have_pages(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let roster: String = (0..60).map(|k| format!("Student {k:02},s{k}@upc.edu,G{}\n", k % 3)).collect();
    laia.upload("/people/import", "", roster.as_bytes()).await;
    let (first, last) = (laia.get("/people?text=student").await, laia.get("/people?text=student&page=3").await);
    assert!(first.has("Student 00") && !first.has("Student 30") && first.has("Page 1 of 3"));
    assert!(last.has("Student 59") && !last.has("Student 00"));
    assert_eq!(laia.get("/people?page=-5").await.status, StatusCode::OK);
    assert_eq!(laia.get("/people?page=99999999999999999999").await.status, StatusCode::OK);
    let mut pau = court.visitor("pau", Role::Student).await;
    for k in 0..30 {
        let name = format!("P{k}");
        let answer =
            pau.upload("/seasons/open/submit", "AIx.cc", format!("#define PLAYER_NAME {name}\n").as_bytes()).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
    }
    for query in ["", "stage=waiting", "season=open", "text=p", "season=open&stage=waiting&text=p"] {
        let first = pau.get(&format!("/submissions?{query}")).await;
        assert!(first.has("<strong>P29") && !first.has("<strong>P4<") && first.has("Older"), "{query}");
        let before = first.text.split("before=").nth(1).unwrap().split('"').next().unwrap();
        let second = pau.get(&format!("/submissions?{query}&before={before}")).await;
        assert!(second.has("<strong>P4<") && second.has("<strong>P0") && !second.has("<strong>P5<"), "{query}");
        assert!(second.has("Newest") && !second.has("Older"), "{query}");
    }
    assert!(!pau.get("/submissions?stage=accepted").await.has("<strong>P"));
    assert!(laia.get("/submissions?text=pau&season=open").await.has("<strong>P29"));
    assert!(laia.get("/workshop?page=2").await.has("Compile"));
}
