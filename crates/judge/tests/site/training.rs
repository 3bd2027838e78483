//! Friends, public players, and training matches between them.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;
use ludus_judge::caretaker::{Caretaker, Rule};

use crate::cup::Cup;
use crate::harness::{Answer, Browser, Court};
use crate::round_pages::signed_in;
use crate::{on_both, on_sqlite};

on_both!(friends_are_mutual, a_set_of_matches_is_for_its_authors, a_day_has_a_quota, old_training_is_thinned);

on_sqlite!(
    addresses_are_not_guessed_by_the_thousand,
    private_players_meet_among_friends_only,
    a_player_has_a_page,
    modules_are_given_out_by_their_authors,
    what_makes_no_sense_is_refused
);

pub async fn train(browser: &mut Browser, players: [&str; 4], matches: &str, seating: &str) -> Answer {
    let [first, second, third, fourth] = players;
    let fields = [("first", first), ("second", second), ("third", third), ("fourth", fourth)];
    let rest = [("seating", seating), ("count", matches), ("seed", "7")];
    browser.post("/seasons/cup/train", &[&fields[..], &rest[..]].concat()).await
}

pub async fn befriend(one: &mut Browser, other: &str) {
    assert_eq!(one.post("/friends", &[("email", other)]).await.status, StatusCode::SEE_OTHER);
}

/// The cup's students are student1 to student4, each with a player of their number.
pub async fn students(court: Court) -> (Cup, [Browser; 4]) {
    let cup = Cup::new(court, 4).await;
    let mut browsers = Vec::new();
    for k in 1..=4 {
        browsers.push(signed_in(&cup, &format!("student{k}")).await);
    }
    (cup, browsers.try_into().unwrap_or_else(|_| panic!("four students")))
}

pub async fn id_of(cup: &Cup, name: &str) -> i64 {
    let id = sqlx::query_scalar("SELECT id FROM submissions WHERE name = $1").bind(name);
    id.fetch_one(cup.database().read()).await.unwrap()
}

pub async fn publish(cup: &Cup, browser: &mut Browser, name: &str) -> StatusCode {
    let id = id_of(cup, name).await;
    browser.post(&format!("/submissions/{id}/publish"), &[]).await.status
}

async fn friends_are_mutual(court: Court) {
    let (_cup, [mut one, mut two, mut three, _]) = students(court).await;
    assert!(one.get("/friends").await.has("Nobody yet"));
    for (email, why) in [
        ("nobody@x.edu", "Nobody here has this address"),
        ("student1@x.edu", "This is your own address"),
        ("", "Nobody here has this address"),
        ("<b>@x.edu", "Nobody here has this address"),
    ] {
        let refused = one.post("/friends", &[("email", email)]).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{email}");
        assert!(refused.has(why), "{email}: {}", refused.text);
    }
    befriend(&mut one, "student2@x.edu").await;
    befriend(&mut one, " Student2@X.edu ").await;
    assert!(one.get("/friends").await.has("Has not listed you yet"));
    let asked = two.get("/friends").await;
    assert!(asked.has("Has listed you") && asked.has("Add too"), "{}", asked.text);
    // Nobody is listed back who has not listed.
    assert_eq!(three.post("/friends/back", &[("account", "2")]).await.status, StatusCode::NOT_FOUND);
    assert_eq!(two.post("/friends/back", &[("account", "x")]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let number = asked.text.split("name=\"account\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert_eq!(two.post("/friends/back", &[("account", &number)]).await.status, StatusCode::SEE_OTHER);
    for browser in [&mut one, &mut two] {
        assert!(browser.get("/friends").await.has("class=\"badge accepted\""));
    }
    assert_eq!(two.post("/friends/remove", &[("account", &number)]).await.status, StatusCode::SEE_OTHER);
    assert!(!one.get("/friends").await.has("class=\"badge accepted\""));
}

/// Nobody finds out by trying who takes part.
async fn addresses_are_not_guessed_by_the_thousand(court: Court) {
    let (mut one, _) = (court.visitor("one", Role::Student).await, court.add_person("two", Role::Student).await);
    let mut answers = Vec::new();
    for number in 0..10 {
        let guess = format!("nobody{number}@x.edu");
        answers.push(one.post("/friends", &[("email", &guess)]).await.status.as_u16());
    }
    assert_eq!(answers, [422, 422, 422, 422, 422, 422, 429, 429, 429, 429]);
    let listed = one.post("/friends", &[("email", "two@x.edu")]).await;
    assert_eq!(listed.status, StatusCode::TOO_MANY_REQUESTS, "who guesses does not learn it from those who are here");
    assert!(listed.has("Wait a little before the next."));
    court.site.throttle.pass(std::time::Duration::from_secs(2));
    assert_eq!(one.post("/friends", &[("email", "two@x.edu")]).await.status, StatusCode::SEE_OTHER);
}

async fn private_players_meet_among_friends_only(court: Court) {
    let (cup, [mut one, mut two, mut three, mut four]) = students(court).await;
    let together = ["Player1", "Player2", "Player3", "Dummy"];
    let refused = train(&mut one, together, "1", "fixed").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.has("Player2 is private"), "{}", refused.text);
    befriend(&mut one, "student2@x.edu").await;
    assert!(train(&mut one, ["Player1", "Player2", "Dummy", "Dummy"], "1", "fixed").await.has("Player2 is private"));
    befriend(&mut two, "student1@x.edu").await;
    let allowed = train(&mut one, ["Player1", "Player2", "Demo", "Null"], "1", "fixed").await;
    assert_eq!(allowed.status, StatusCode::SEE_OTHER, "{}", allowed.text);
    // A friend of one only is not a friend of all the others.
    befriend(&mut one, "student3@x.edu").await;
    befriend(&mut three, "student1@x.edu").await;
    assert!(train(&mut one, together, "1", "fixed").await.has("is private"));
    befriend(&mut two, "student3@x.edu").await;
    befriend(&mut three, "student2@x.edu").await;
    assert_eq!(train(&mut one, together, "1", "fixed").await.status, StatusCode::SEE_OTHER);
    // A public player meets anybody; only its author makes it public, and it stays so.
    assert!(train(&mut one, ["Player1", "Player4", "Dummy", "Dummy"], "1", "fixed").await.has("Player4 is private"));
    assert_eq!(publish(&cup, &mut one, "Player4").await, StatusCode::NOT_FOUND);
    assert_eq!(publish(&cup, &mut four, "Player4").await, StatusCode::SEE_OTHER);
    assert_eq!(
        train(&mut one, ["player1", "PLAYER4", "dummy", "Dummy"], "1", "fixed").await.status,
        StatusCode::SEE_OTHER
    );
    assert_eq!(publish(&cup, &mut four, "Player4").await, StatusCode::SEE_OTHER, "once more changes nothing");
    // Its author need not be a friend of anybody, but those of private players beside it must be its friends.
    assert!(train(&mut one, ["Player1", "Player2", "Player4", "Dummy"], "1", "fixed").await.has("Player2 is private"));
}

async fn a_set_of_matches_is_for_its_authors(court: Court) {
    let (cup, [mut one, mut two, mut three, mut four]) = students(court).await;
    let mut eva = cup.court.visitor("eva", Role::Spectator).await;
    let mut laia = cup.court.visitor("laia", Role::Instructor).await;
    publish(&cup, &mut two, "Player2").await;
    let asked = train(&mut one, ["Player1", "Player2", "Dummy", "Dummy"], "6", "turning").await;
    assert_eq!(asked.status, StatusCode::SEE_OTHER, "{}", asked.text);
    let page = asked.location.clone();
    assert!(one.get(&page).await.has("0 of 8 matches played"), "whole turns are played");
    cup.work().await;
    let over = one.get(&page).await;
    assert!(over.has("8 of 8 matches played") && over.has("Head to head") && over.has("Worst losses"), "{}", over.text);
    assert!(over.has("Dummy (2)") && !over.has("data-poll"));
    assert_eq!(over.text.matches("<span class=\"own\">").count(), 8, "one's own scores are marked, in every match");
    assert!(one.get(&format!("{page}/table")).await.has("data-over"));
    let link = over.text.split("href=\"/matches/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let share: String = sqlx::query_scalar("SELECT share FROM matches WHERE id = $1")
        .bind(link.parse::<i64>().unwrap())
        .fetch_one(cup.database().read())
        .await
        .unwrap();
    let addresses =
        [page.clone(), format!("{page}/table"), format!("/matches/{link}"), format!("/matches/{link}/replay.ludus")];
    for (who, browser, sees) in [
        ("who asked", &mut one, true),
        ("the other author", &mut two, true),
        ("another student", &mut three, false),
        ("yet another", &mut four, false),
        ("a spectator", &mut eva, false),
        ("an instructor", &mut laia, true),
    ] {
        for address in &addresses {
            let status = browser.get(address).await.status;
            assert_eq!(status, if sees { StatusCode::OK } else { StatusCode::NOT_FOUND }, "{who}: {address}");
        }
        assert_eq!(browser.get("/matches").await.has(&format!("/matches/{link}\"")), sees, "{who}, in the list");
        assert_eq!(browser.get(&format!("/watch/{share}")).await.status, StatusCode::NOT_FOUND, "{who}, by a link");
    }
    assert!(two.get("/training").await.has(&page) && !three.get("/training").await.has(&page));
    let mut nobody = cup.court.browser();
    for address in &addresses {
        assert_ne!(nobody.get(address).await.status, StatusCode::OK, "nobody: {address}");
    }
    assert!(!one.get(&format!("/matches/{link}")).await.has("id=\"share\""));
}

async fn a_player_has_a_page(court: Court) {
    let (cup, [mut one, mut two, ..]) = students(court).await;
    let mut eva = cup.court.visitor("eva", Role::Spectator).await;
    let page = format!("/players/{}", id_of(&cup, "Player1").await);
    assert!(one.get(&page).await.has("None that you may see"));
    train(&mut one, ["Player1", "Dummy", "Demo", "Null"], "4", "turning").await;
    cup.work().await;
    let own = one.get(&page).await;
    for words in ["The newest 4 results", "By rival", "<td>Demo</td>", "Worst matches", "Make a link for everybody"] {
        assert!(own.has(words), "{words}: {}", own.text);
    }
    for other in [&mut two, &mut eva] {
        let seen = other.get(&page).await;
        assert!(seen.has("None that you may see") && !seen.has("Make a link"), "{}", seen.text);
        assert!(!seen.has("/source"), "its source stays its author's");
    }
    assert_eq!(cup.court.browser().get(&page).await.status, StatusCode::SEE_OTHER);
    // One that is not accepted is nobody else's.
    sqlx::query("UPDATE submissions SET stage = 'rejected' WHERE name = 'Player1'")
        .execute(cup.database().write())
        .await
        .unwrap();
    assert_eq!(one.get(&page).await.status, StatusCode::OK);
    assert_eq!(two.get(&page).await.status, StatusCode::NOT_FOUND);
}

async fn modules_are_given_out_by_their_authors(court: Court) {
    let (cup, [mut one, mut two, mut three, _]) = students(court).await;
    let mut nobody = cup.court.browser();
    let page = format!("/players/{}", id_of(&cup, "Player1").await);
    let link =
        |text: &str| text.split("/modules/").nth(1).map(|rest| format!("/modules/{}", rest.split('"').next().unwrap()));
    assert_eq!(link(&one.get(&page).await.text), None);
    let give = format!("{page}/module");
    assert_eq!(two.post(&give, &[("audience", "everybody")]).await.status, StatusCode::FORBIDDEN);
    assert_eq!(one.post(&give, &[("audience", "world")]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    one.post(&give, &[("audience", "everybody")]).await;
    let open = link(&one.get(&page).await.text).unwrap();
    let given = nobody.get(&open).await;
    assert!(given.status == StatusCode::OK && given.has("strength"), "the module of a cup is a text");
    assert_eq!(given.headers["content-disposition"], "attachment; filename=\"Player1.wasm\"");
    befriend(&mut one, "student2@x.edu").await;
    befriend(&mut two, "student1@x.edu").await;
    one.post(&give, &[("audience", "friends")]).await;
    let friends = link(&one.get(&page).await.text).unwrap();
    assert_eq!(nobody.get(&open).await.status, StatusCode::NOT_FOUND, "a new link ends the one before");
    assert_eq!(two.get(&friends).await.status, StatusCode::OK);
    for other in [&mut nobody, &mut three] {
        assert_eq!(other.get(&friends).await.status, StatusCode::NOT_FOUND);
    }
    one.post(&give, &[("audience", "")]).await;
    assert_eq!(two.get(&friends).await.status, StatusCode::NOT_FOUND);
    assert_eq!(nobody.get("/modules/x").await.status, StatusCode::NOT_FOUND);
}

async fn a_day_has_a_quota(mut court: Court) {
    court.set(|settings| settings.quota.training_per_day = 10);
    let (_cup, [mut one, ..]) = students(court).await;
    let alone = ["Player1", "Dummy", "Dummy", "Dummy"];
    assert!(one.get("/seasons/cup/train").await.has("you have 10 left today"));
    assert!(train(&mut one, alone, "11", "fixed").await.has("more than you have left today: 10"));
    assert_eq!(train(&mut one, alone, "8", "fixed").await.status, StatusCode::SEE_OTHER);
    assert!(train(&mut one, alone, "3", "turning").await.has("more than you have left today: 2"), "turns are whole");
    assert_eq!(train(&mut one, alone, "2", "fixed").await.status, StatusCode::SEE_OTHER);
    assert!(train(&mut one, alone, "1", "fixed").await.has("more than you have left today: 0"));
}

async fn old_training_is_thinned(mut court: Court) {
    court.set(|settings| settings.quota.training_bytes = 6000 + 20 * (64 << 10));
    let (cup, [mut one, ..]) = students(court).await;
    let alone = ["Player1", "Dummy", "Dummy", "Dummy"];
    let first_match = |text: &str| text.split("href=\"/matches/").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let page = train(&mut one, alone, "20", "fixed").await.location;
    assert_eq!(train(&mut one, alone, "1", "fixed").await.status, StatusCode::SEE_OTHER, "there is room for one more");
    assert!(
        train(&mut one, alone, "1", "fixed").await.has("all the space"),
        "what is not played yet may need the room"
    );
    cup.work().await;
    let replay = format!("/matches/{}/replay.ludus", first_match(&one.get(&page).await.text));
    assert_eq!(one.get(&replay).await.status, StatusCode::OK);
    sqlx::query("UPDATE trainings SET bytes = bytes + 1400000 WHERE id = 1")
        .execute(cup.database().write())
        .await
        .unwrap();
    // The oldest set makes room; what was handed in is not asked.
    assert_eq!(train(&mut one, alone, "1", "fixed").await.status, StatusCode::SEE_OTHER);
    assert_eq!(one.get(&replay).await.status, StatusCode::GONE);
    assert!(one.get(&page).await.has("20 of 20 matches played"), "the results stay");
    cup.work().await;
    let last = train(&mut one, alone, "1", "fixed").await.location;
    cup.work().await;
    let replay = format!("/matches/{}/replay.ludus", first_match(&one.get(&last).await.text));
    assert_eq!(one.get(&replay).await.status, StatusCode::OK);
    let rule = Rule { training_days: -1, ..Rule::default() };
    let restorer = cup.court.environment().restorer();
    let (database, store) = (cup.database().clone(), cup.court.site.store.clone());
    Caretaker { database, store, restorer, rule }.thin().await.unwrap();
    assert_eq!(one.get(&replay).await.status, StatusCode::GONE);
}

async fn what_makes_no_sense_is_refused(court: Court) {
    let (cup, [mut one, ..]) = students(court).await;
    let alone = ["Player1", "Dummy", "Dummy", "Dummy"];
    for (players, matches, why) in [
        (["Player1", "Player9", "Dummy", "Dummy"], "1", "Player9 is no accepted player"),
        (["Dummy", "Dummy", "Demo", "Null"], "1", "At least one player must be yours"),
        (["", "", "", ""], "1", "is no accepted player"),
        (alone, "0", "A number from 1 to 200"),
        (alone, "201", "A number from 1 to 200"),
        (alone, "many", "A number from 1 to 200"),
        (alone, "-3", "A number from 1 to 200"),
    ] {
        let refused = train(&mut one, players, matches, "fixed").await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{players:?} {matches}");
        assert!(refused.has(why), "{players:?} {matches}: {}", refused.text);
    }
    for seed in ["-1", "9999999999", "x"] {
        let fields = [
            ("first", "Player1"),
            ("second", "Dummy"),
            ("third", "Dummy"),
            ("fourth", "Dummy"),
            ("count", "1"),
            ("seed", seed),
        ];
        assert!(one.post("/seasons/cup/train", &fields).await.has("A number from 0 to"), "{seed}");
    }
    let mut eva = cup.court.visitor("eva", Role::Spectator).await;
    assert_eq!(train(&mut eva, alone, "1", "fixed").await.status, StatusCode::FORBIDDEN);
    let kept: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM trainings").fetch_one(cup.database().read()).await.unwrap();
    assert_eq!(kept, 0, "what is refused leaves nothing");
    assert_eq!(one.get("/training/1").await.status, StatusCode::NOT_FOUND);
}
