//! Official rounds: who takes part, who stands for whom, one stage after the
//! other, and what an instructor can do.

use std::task::Poll;

use ludus_arena::season::Author;
use ludus_arena::season::file::{CourseKey, RoundFile};
use ludus_judge::database::now;
use ludus_judge::ids::{AccountId, SubmissionId};
use ludus_judge::official::progress;
use ludus_judge::official::rounds::{self, State};
use ludus_judge::official::{entrants, proof, representatives, schedule, standing};
use ludus_judge::worker;

use crate::cup::{Cup, add_player, broken_module, module};
use crate::harness::Court;
use crate::{on_both, on_sqlite};

on_both!(
    everybody_with_a_player_at_the_deadline_is_in,
    a_round_goes_on_wherever_it_was_cut_off,
    an_elimination_can_be_undone
);

on_sqlite!(
    a_season_is_played_to_its_champion,
    the_list_waits_for_the_last_verdict,
    a_change_takes_effect_in_the_next_round,
    who_is_withdrawn_or_locked_leaves_with_the_next_round,
    what_the_machine_cannot_play_eliminates_nobody,
    a_round_is_played_with_what_it_was_frozen_with,
    rounds_start_when_the_schedule_says
);

async fn file(cup: &Cup, number: i64, modules: bool) -> Vec<u8> {
    let round = rounds::find(cup.database(), cup.season.id, number).await.unwrap().unwrap();
    let whole = rounds::whole(cup.database(), round).await.unwrap().unwrap();
    let key = CourseKey::new([7; 32]);
    proof::round_file(&cup.court.site.store, &key, &cup.season, &whole, modules).unwrap().unwrap()
}

async fn a_season_is_played_to_its_champion(court: Court) {
    let cup = Cup::new(court, 9).await;
    for number in 1..=8 {
        let before = cup.left().await;
        let round = cup.play().await;
        assert_eq!((round.state, round.number), (State::Over, number));
        let out = round.elimination.unwrap();
        let after = cup.left().await;
        if number > 1 {
            assert!(before.contains(&out.author.0) && after.len() + 1 == before.len());
        }
        assert!(!after.contains(&out.author.0));
        // Whoever has the file can prove the round, down to every order.
        let bytes = file(&cup, number, number == 3).await;
        assert_eq!(bytes, file(&cup, number, number == 3).await);
        let read = RoundFile::read(&bytes).unwrap();
        read.check_commitment(&round.commitment).unwrap();
        let drawn = read.check().unwrap();
        assert_eq!(drawn.elimination(), Some(out));
        assert!(read.manifest.players.iter().all(|player| player.label.is_empty()));
    }
    assert_eq!(cup.left().await.len(), 1);
    cup.direct().await;
    assert!(cup.round().await.is_none(), "the champion plays no more rounds");
    assert_eq!(cup.count("SELECT COUNT(*) FROM jobs WHERE state <> 'done'").await, 0);
    assert_eq!(cup.count("SELECT COUNT(*) FROM matches WHERE purpose = 'official' AND played = 0").await, 0);
}

async fn everybody_with_a_player_at_the_deadline_is_in(court: Court) {
    let cup = Cup::new(court, 3).await;
    let (store, id) = (&cup.court.site.store, cup.season.id);
    let without = cup.student("without", "G1").await;
    let late = cup.student("late", "G1").await;
    add_player(cup.database(), store, (id, late), "Late", b"late", cup.season.deadline_at + 121_000).await;
    let in_grace = cup.student("grace", "G1").await;
    add_player(cup.database(), store, (id, in_grace), "Grace", b"grace", cup.season.deadline_at + 119_000).await;
    let excepted = cup.student("excepted", "G1").await;
    let elsewhere = cup.student("elsewhere", "G2").await;
    cup.player(elsewhere, "Elsewhere", b"elsewhere").await;
    let mut tx = cup.database().begin().await.unwrap();
    entrants::set_groups(&mut tx, id, &["G1".to_owned()]).await.unwrap();
    tx.commit().await.unwrap();
    assert!(entrants::list(cup.database().read(), id).await.unwrap().is_empty());
    cup.direct().await;
    let of = |list: &[entrants::Entrant], account: AccountId| list.iter().find(|one| one.account == account).cloned();
    let list = entrants::list(cup.database().read(), id).await.unwrap();
    assert_eq!(list.iter().filter_map(|one| one.author).collect::<Vec<_>>(), [1, 2, 3, 4].map(Author));
    assert_eq!(of(&list, in_grace).unwrap().author, Some(Author(4)));
    for missing in [without, late, excepted] {
        assert_eq!(of(&list, missing).unwrap().author, None, "they are listed as not taking part");
    }
    assert_eq!(of(&list, elsewhere), None);
    // Who has an exception comes in until the first round is frozen.
    sqlx::query("INSERT INTO exceptions (season_id, account_id, until_at, reason) VALUES ($1, $2, $3, 'ill')")
        .bind(id)
        .bind(excepted)
        .bind(now())
        .execute(cup.database().write())
        .await
        .unwrap();
    add_player(cup.database(), store, (id, excepted), "Excepted", &module("Excepted", 50), now() - 1000).await;
    sqlx::query("UPDATE submissions SET module = $1 WHERE name = 'Grace'")
        .bind(store.put(&module("Grace", 30)).unwrap())
        .execute(cup.database().write())
        .await
        .unwrap();
    cup.play().await;
    let list = entrants::list(cup.database().read(), id).await.unwrap();
    assert_eq!(of(&list, excepted).unwrap().author, Some(Author(5)));
    assert_eq!(of(&list, late).unwrap().author, None);
    assert_eq!(cup.count("SELECT COUNT(*) FROM round_players").await, 5);
}

async fn the_list_waits_for_the_last_verdict(court: Court) {
    let cup = Cup::new(court, 2).await;
    cup.run("UPDATE submissions SET stage = 'playing', decided_at = NULL WHERE name = 'Player2'").await;
    cup.direct().await;
    assert!(entrants::list(cup.database().read(), cup.season.id).await.unwrap().is_empty());
    cup.run("UPDATE submissions SET stage = 'accepted', decided_at = 1 WHERE name = 'Player2'").await;
    cup.direct().await;
    assert_eq!(entrants::list(cup.database().read(), cup.season.id).await.unwrap().len(), 2);
    assert_eq!(cup.round().await.unwrap().state, State::Committed);
}

async fn a_change_takes_effect_in_the_next_round(court: Court) {
    let cup = Cup::new(court, 5).await;
    let account = AccountId(cup.count("SELECT account_id FROM submissions WHERE name = 'Player5'").await);
    let second = cup.player(account, "Second", &module("Second", 100)).await;
    let first = SubmissionId(cup.count("SELECT id FROM submissions WHERE name = 'Player5'").await);
    let other = SubmissionId(cup.count("SELECT id FROM submissions WHERE name = 'Player1'").await);
    let standing_for = async || {
        let choice = representatives::of_account(cup.database(), cup.season.id, account).await.unwrap();
        choice.representative().unwrap().submission
    };
    assert_eq!(standing_for().await, second, "the newest one, without a choice");
    let choose = async |submission: SubmissionId| {
        let mut tx = cup.database().begin().await.unwrap();
        let chosen = representatives::choose(&mut tx, cup.season.id, account, submission).await.unwrap();
        tx.commit().await.unwrap();
        chosen
    };
    assert!(choose(first).await && !choose(other).await);
    assert_eq!(standing_for().await, first);
    let round = cup.start().await;
    assert!(choose(second).await);
    cup.work().await;
    let names = async |round: i64| {
        let players = rounds::players(cup.database().read(), round).await.unwrap();
        players.into_iter().find(|one| one.account == account).unwrap().name
    };
    assert_eq!(names(round.id).await, "Player5");
    let round = cup.start().await;
    assert_eq!(names(round.id).await, "Second");
    // A retired player stands for nobody.
    cup.work().await;
    cup.run("UPDATE submissions SET retired_at = 1, retired_reason = 'x' WHERE name = 'Second'").await;
    assert_eq!(standing_for().await, first);
}

async fn who_is_withdrawn_or_locked_leaves_with_the_next_round(court: Court) {
    let cup = Cup::new(court, 6).await;
    let account = async |name: &'static str| {
        let row = sqlx::query("SELECT account_id FROM submissions WHERE name = $1").bind(name);
        let row = row.fetch_one(cup.database().read()).await.unwrap();
        sqlx::Row::try_get::<AccountId, _>(&row, 0).unwrap()
    };
    let round = cup.start().await;
    let instructor = cup.court.add_person("laia", ludus_judge::accounts::Role::Instructor).await;
    let mut tx = cup.database().begin().await.unwrap();
    let (five, four) = (account("Player5").await, account("Player4").await);
    assert!(entrants::withdraw(&mut tx, cup.season.id, five, "copied", instructor).await.unwrap());
    assert!(!entrants::withdraw(&mut tx, cup.season.id, five, "again", instructor).await.unwrap());
    assert!(entrants::withdraw(&mut tx, cup.season.id, four, "a mistake", instructor).await.unwrap());
    assert!(entrants::keep(&mut tx, cup.season.id, four).await.unwrap());
    tx.commit().await.unwrap();
    sqlx::query("UPDATE accounts SET locked = 1 WHERE id = $1")
        .bind(account("Player6").await)
        .execute(cup.database().write())
        .await
        .unwrap();
    cup.work().await;
    let played = rounds::players(cup.database().read(), round.id).await.unwrap();
    assert_eq!(played.len(), 6, "the round under way goes on with them");
    let out = rounds::by_id(cup.database().read(), round.id).await.unwrap().elimination.unwrap().author;
    cup.run("UPDATE submissions SET retired_at = 1, retired_reason = 'copied' WHERE name = 'Player3'").await;
    let round = cup.start().await;
    let playing: Vec<u32> =
        rounds::players(cup.database().read(), round.id).await.unwrap().iter().map(|one| one.author.0).collect();
    let expected: Vec<u32> = [1, 2, 4].into_iter().filter(|number| *number != out.0).collect();
    assert_eq!(playing, expected);
    let happened = standing::happenings(cup.database().read(), cup.season.id).await.unwrap();
    // Now and then chance takes the one who is withdrawn in the round before.
    let withdrawn = happened.iter().any(|one| format!("{:?}", one.event).contains("copied"));
    assert_eq!(withdrawn, out != Author(5));
    let mut tx = cup.database().begin().await.unwrap();
    assert!(!entrants::keep(&mut tx, cup.season.id, five).await.unwrap(), "who has left stays out");
}

async fn what_the_machine_cannot_play_eliminates_nobody(court: Court) {
    let cup = Cup::new(court, 9).await;
    let broken = cup.court.site.store.put(&broken_module("x")).unwrap();
    let good = cup.count("SELECT id FROM submissions WHERE name = 'Player7'").await;
    sqlx::query("UPDATE submissions SET module = $1 WHERE id = $2")
        .bind(broken)
        .bind(good)
        .execute(cup.database().write())
        .await
        .unwrap();
    let round = cup.start().await;
    for _ in 0..3 {
        cup.work().await;
        cup.run("UPDATE jobs SET not_before = 0 WHERE state = 'waiting'").await;
    }
    let (stopped, why) = rounds::stopped_by(cup.database(), round.id).await.unwrap().unwrap();
    assert!(why.contains("the machine cannot play broken x"), "{why}");
    let round = rounds::by_id(cup.database().read(), round.id).await.unwrap();
    assert!(round.state == State::Playing && round.elimination.is_none());
    let open = cup.count("SELECT COUNT(*) FROM matches WHERE purpose = 'official' AND played = 0").await;
    assert_eq!(open, 1, "the others are played, also those of the same job");
    assert!(cup.count("SELECT COUNT(*) FROM round_matches WHERE stage = 1").await == 3 && stopped.0 > 0);
    // An instructor cancels it, and the next one has a new seed and the same players.
    let mut tx = cup.database().begin().await.unwrap();
    assert!(progress::cancel(&mut tx, round.id, "the machine was ill").await.unwrap());
    assert!(!progress::cancel(&mut tx, round.id, "again").await.unwrap());
    tx.commit().await.unwrap();
    cup.run("UPDATE submissions SET retired_at = 1, retired_reason = 'breaks the machine' WHERE name = 'Player7'")
        .await;
    let next = cup.play().await;
    assert!(next.state == State::Over && next.number == 2 && next.commitment != round.commitment);
    assert_eq!(rounds::players(cup.database().read(), next.id).await.unwrap().len(), 8);
}

/// Every transaction of a worker may be the last one: whatever is dropped in the
/// middle is taken up again, and the files are the same to the byte.
async fn a_round_goes_on_wherever_it_was_cut_off(court: Court) {
    let cup = Cup::new(court, 9).await;
    cup.start_with(Some([5; 32])).await;
    cup.work().await;
    let undisturbed = file(&cup, 1, true).await;
    let mut tx = cup.database().begin().await.unwrap();
    progress::undo(&mut tx, cup.season.id, "to play it again", AccountId(1)).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    let round = cup.start_with(Some([5; 32])).await;
    let environment = cup.environment();
    let mut cuts = 0;
    for polls in 1.. {
        match cut_off(worker::turn(&environment), polls % 13 + polls / 5).await {
            Some(worker::Turn::Done) => {}
            Some(_) if rounds::by_id(cup.database().read(), round.id).await.unwrap().state == State::Over => break,
            Some(_) => tokio::task::yield_now().await,
            None => cuts += 1,
        }
        // Who was cut off is dead, and others notice.
        cup.run("UPDATE jobs SET state = 'waiting', lease = NULL, not_before = 0, deaths = 0 WHERE state <> 'done'")
            .await;
    }
    assert!(cuts > 3, "{cuts}");
    let disturbed = file(&cup, 2, true).await;
    let (first, second) = (RoundFile::read(&undisturbed).unwrap(), RoundFile::read(&disturbed).unwrap());
    assert_eq!(first.manifest.stages, second.manifest.stages);
    assert_eq!(first.manifest.eliminated, second.manifest.eliminated);
    assert_eq!(undisturbed.len(), disturbed.len());
}

/// What comes of a future that is asked so many times at most.
async fn cut_off<T>(future: impl Future<Output = T>, polls: u64) -> Option<T> {
    let mut future = std::pin::pin!(future);
    let mut left = polls;
    std::future::poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        future.as_mut().poll(context).map(Some)
    })
    .await
}

async fn an_elimination_can_be_undone(court: Court) {
    let cup = Cup::new(court, 4).await;
    let round = cup.play().await;
    assert_eq!(cup.left().await.len(), 3);
    let playing = cup.start().await;
    let undo = async || {
        let mut tx = cup.database().begin().await.unwrap();
        let undone = progress::undo(&mut tx, cup.season.id, "the room lost power", AccountId(1)).await.unwrap();
        tx.commit().await.unwrap();
        undone
    };
    assert!(undo().await.is_none(), "not while the next one is being played");
    cup.work().await;
    assert_eq!(cup.left().await.len(), 2);
    assert_eq!(undo().await.unwrap().id, playing.id);
    assert_eq!(undo().await.unwrap().id, round.id);
    assert!(undo().await.is_none());
    assert_eq!(cup.left().await.len(), 4);
    assert_eq!(cup.play().await.number, 3, "a number is not given again");
    assert_eq!(cup.left().await.len(), 3);
}

async fn a_round_is_played_with_what_it_was_frozen_with(court: Court) {
    let cup = Cup::new(court, 5).await;
    cup.start().await;
    cup.run("UPDATE seasons SET config = 'nonsense', match_ms = 10, title = 'Another' WHERE slug = 'cup'").await;
    cup.run("UPDATE submissions SET retired_at = 1, retired_reason = 'x' WHERE name = 'Player2'").await;
    cup.work().await;
    let bytes = file(&cup, 1, false).await;
    let read = RoundFile::read(&bytes).unwrap();
    read.check().unwrap();
    assert_eq!(read.manifest.title, "The season cup");
    assert_eq!(read.manifest.players.len(), 5);
}

async fn rounds_start_when_the_schedule_says(court: Court) {
    const MINUTE: i64 = 60_000;
    let cup = Cup::new(court, 9).await;
    let director = cup.court.site.director();
    let midnight = now() / (1440 * MINUTE) * 1440 * MINUTE + 1440 * MINUTE;
    let plan = schedule::Schedule {
        times: schedule::read_times("9:00 13:30").unwrap(),
        rounds_each: 2,
        most_rounds: Some(3),
        ..Default::default()
    };
    let mut tx = cup.database().begin().await.unwrap();
    schedule::update(&mut tx, cup.season.id, &plan).await.unwrap();
    tx.commit().await.unwrap();
    let at = |hour: i64, minute: i64| midnight + (60 * hour + minute) * MINUTE;
    let direct = async |time: i64| {
        director.turn(time).await.unwrap();
        cup.work().await;
        director.turn(time).await.unwrap();
    };
    direct(midnight).await;
    assert_eq!(cup.round().await.unwrap().starts_at, Some(at(9, 0)));
    direct(at(8, 59)).await;
    assert_eq!(cup.count("SELECT COUNT(*) FROM rounds").await, 1);
    let mut tx = cup.database().begin().await.unwrap();
    schedule::pause(&mut tx, cup.season.id, Some("holidays")).await.unwrap();
    tx.commit().await.unwrap();
    direct(at(9, 0)).await;
    assert_eq!(cup.round().await.unwrap().state, State::Committed);
    let mut tx = cup.database().begin().await.unwrap();
    schedule::pause(&mut tx, cup.season.id, None).await.unwrap();
    tx.commit().await.unwrap();
    direct(at(9, 0)).await;
    direct(at(9, 1)).await;
    let all = rounds::of_season(cup.database().read(), cup.season.id).await.unwrap();
    let states: Vec<_> = all.iter().map(|round| (round.state, round.starts_at)).collect();
    assert_eq!(
        states,
        [(State::Over, Some(at(9, 0))), (State::Over, Some(at(9, 0))), (State::Committed, Some(at(13, 30))),]
    );
    let mut tx = cup.database().begin().await.unwrap();
    assert!(progress::cancel(&mut tx, all[2].id, "an exam").await.unwrap());
    tx.commit().await.unwrap();
    direct(at(13, 29)).await;
    assert_eq!(cup.round().await.unwrap().starts_at, Some(at(24 + 9, 0)), "to cancel a round is to leave it out");
    direct(at(24 + 9, 0)).await;
    direct(at(24 + 9, 1)).await;
    assert!(cup.round().await.is_none(), "three rounds count");
    assert_eq!(cup.left().await.len(), 6);
}
