//! What a stranger sees first: a season's cover, its manuals, previews of links, and
//! what can be taken home.

use std::sync::Arc;

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::kit::Program;
use ludus_judge::matches::Purpose;

use crate::harness::{Court, add_season};
use crate::on_sqlite;
use crate::visibility::played;

on_sqlite!(
    the_first_page_tells_who_takes_part,
    a_stranger_finds_the_way,
    links_are_previewed_where_strangers_may_look,
    a_kit_has_the_program
);

async fn a_stranger_finds_the_way(court: Court) {
    let mut guest = court.browser();
    let season = guest.get("/seasons/open").await;
    for part in [
        "/pictures/dominator.png",
        "Four lords have inherited",
        "(a day ago)",
        "Accepted players",
        "How to begin",
        "Download the kit",
    ] {
        assert!(season.has(part), "{part}: {}", season.text);
    }
    assert!(!season.has("Latest matches"), "there is none that a stranger may watch");
    add_season(&court.site.database, "gone", -60, -30).await;
    let gone = guest.get("/seasons/gone").await;
    assert!(gone.has("Download the kit") && !gone.has("How to begin"), "nobody is led to where nothing is taken");
    for purpose in [Purpose::Official, Purpose::Ladder, Purpose::Demonstration, Purpose::Training] {
        played(&court, purpose, None).await;
    }
    let season = guest.get("/seasons/open").await;
    assert!(season.has("Latest matches") && season.has("\"/matches/1\"") && season.has("\"/matches/2\""));
    assert!(!season.has("\"/matches/3\"") && !season.has("\"/matches/4\""), "{}", season.text);
    let rules = guest.get("/seasons/open/rules").await;
    assert!(rules.has("<a href=\"#the-board\">The board</a>") && rules.has("<h2 id=\"the-board\">"), "{}", rules.text);
    assert!(rules.has("</svg></span>knight<") && !rules.has(" style="), "things are drawn, and no style is inline");
    for (page, current) in [("cpp", "C++"), ("rust", "Rust"), ("both", "Side by side")] {
        let page = guest.get(&format!("/seasons/open/api/{page}")).await;
        assert!(page.has(&format!("aria-current=\"page\">{current}</a>")), "{}", page.text);
    }
    let both = guest.get("/seasons/open/api/both").await;
    assert!(both.has("class PLAYER_NAME") || both.has("struct PLAYER_NAME"));
    assert!(both.has("impl Player for") && both.text.matches("<article").count() == 16, "eight parts of each");
}

async fn the_first_page_tells_who_takes_part(court: Court) {
    let mut guest = court.browser();
    let home = guest.get("/").await;
    assert!(home.has("Open now") && home.has("No participants yet") && !home.has("1 participant"), "{}", home.text);
    for (name, stage, of) in [("pau", "accepted", 3), ("eva", "rejected", 1), ("ona", "accepted", 1)] {
        let author = court.add_person(name, Role::Student).await;
        for k in 0..of {
            let add = "INSERT INTO submissions (season_id, account_id, name, name_key, file_name, language, source, stage, seed, created_at, decided_at)
                 SELECT id, $1, $2, $2, 'AIx.cc', 'cpp', 'x', $3, 1, 1, 1 FROM seasons WHERE slug = 'open'";
            let add = sqlx::query(add).bind(author).bind(format!("{name}{k}")).bind(stage);
            add.execute(court.site.database.write()).await.unwrap();
        }
        court.site.frames.forget();
        let expected = if name == "ona" { "2 participants" } else { "1 participant<" };
        let home = guest.get("/").await;
        assert!(home.has(expected), "{name}: {}", home.text);
    }
    // Who has taken the last player back takes no part.
    let retired = "UPDATE submissions SET retired_at = 1 WHERE name IN ('ona0', 'pau1')";
    sqlx::query(retired).execute(court.site.database.write()).await.unwrap();
    court.site.frames.forget();
    assert!(guest.get("/").await.has("1 participant<"));
    assert!(guest.get("/seasons/open").await.has("<dt>Participants</dt><dd>1</dd>"));
}

async fn links_are_previewed_where_strangers_may_look(mut court: Court) {
    let (official, demonstration) =
        (played(&court, Purpose::Official, None).await, played(&court, Purpose::Demonstration, None).await);
    sqlx::query("UPDATE matches SET replay = 'x'").execute(court.site.database.write()).await.unwrap();
    let pau = court.visitor("pau", Role::Student).await;
    let mut guest = court.browser();
    let page = guest.get(&format!("/matches/{official}")).await;
    assert!(page.has("property=\"og:title\"") && page.has("content=\"The season open: Demo 0"), "{}", page.text);
    assert!(!page.has("og:image"), "without --public-url nobody knows where the picture is");
    court.set(|settings| settings.public_url = Some("https://ludus.example.edu".to_owned()));
    let (mut guest, mut pau) = (court.visiting(&guest), court.visiting(&pau));
    let page = guest.get(&format!("/matches/{official}")).await;
    let picture = format!("og:image\" content=\"https://ludus.example.edu/matches/{official}/picture.png\"");
    assert!(page.has(&picture), "{}", page.text);
    assert!(guest.get("/seasons/open").await.has("https://ludus.example.edu/pictures/dominator.png"));
    assert!(guest.get("/").await.has("og:image"));
    // What a stranger may not see has no picture for one either.
    let hidden = format!("/matches/{demonstration}");
    assert_eq!(guest.get(&hidden).await.status, StatusCode::SEE_OTHER);
    assert_eq!(guest.get(&format!("{hidden}/picture.png")).await.status, StatusCode::SEE_OTHER);
    let seen = pau.get(&hidden).await;
    assert!(seen.status == StatusCode::OK && !seen.has("og:"), "{}", seen.text);
}

async fn a_kit_has_the_program(mut court: Court) {
    let mut guest = court.browser();
    let plain = guest.get("/seasons/open/kit").await;
    assert_eq!(plain.headers["content-type"], "application/gzip");
    assert!(guest.get("/seasons/open").await.has("for whoever has the ludus program"));
    let program = court.folder().join("ludus");
    std::fs::write(&program, "#!/bin/sh\n".repeat(1000)).unwrap();
    let program = Arc::new(Program::at(&program).unwrap());
    court.set(|settings| settings.program = Some(program));
    let mut guest = court.visiting(&guest);
    let size = |answer: &crate::harness::Answer| answer.headers["content-length"].to_str().unwrap().parse::<usize>();
    let whole = guest.get("/seasons/open/kit").await;
    assert!(size(&whole).unwrap() > size(&plain).unwrap(), "the program is in it");
    assert!(guest.get("/seasons/open").await.has("./ludus play dominator"));
    // Whoever goes away gives the place at the gate back.
    for _ in 0..20 {
        assert_eq!(guest.get("/seasons/open/kit").await.status, StatusCode::OK);
    }
}
