//! Wrong files: each gets an answer that says what is wrong.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;

use crate::harness::Court;
use crate::on_sqlite;

on_sqlite!(
    a_judge_without_rust_says_so,
    every_wrong_file_gets_a_clear_answer,
    a_huge_upload_is_answered,
    only_open_seasons_take_players,
);

const PLAYER: &str = "#include \"Player.hh\"\n#define PLAYER_NAME NAME\nstruct PLAYER_NAME : public Player {\n  static Player* factory () { return new PLAYER_NAME; }\n  virtual void play () {}\n};\nRegisterPlayer(PLAYER_NAME);\n";

async fn every_wrong_file_gets_a_clear_answer(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let named = |name: &str| PLAYER.replacen("PLAYER_NAME NAME", &format!("PLAYER_NAME {name}"), 1).into_bytes();
    let zip = b"PK\x03\x04\x14\0\0\0\x08\0rest of a zip".to_vec();
    let two = format!("{PLAYER}#define PLAYER_NAME Other\n").into_bytes();
    let cases: [(&str, Vec<u8>, &str); 14] = [
        ("AIx.cc", Vec::new(), "The file is empty"),
        ("AIx.cc", vec![b'x'; 70 << 10], "larger than 64 KiB"),
        ("AIx.cc", b"\x7fELF\x02\x01\x01\0\0\0".to_vec(), "binary file"),
        ("player.zip", zip, "archive"),
        ("AIx.cc", b"// caf\xe9\n".to_vec(), "Line 1:"),
        ("AIx.cc", b"// caf\xe9\n".to_vec(), "not valid UTF-8"),
        ("AIx.cc", b"int main() {}\n".to_vec(), "There is no player in this file"),
        ("AIx.cc", two, "There are two players"),
        ("AIx.cc", named("ThirteenChars"), "must have 1 to 12 characters"),
        ("AIx.cc", named("Stupid"), "is not allowed"),
        ("AIx.cc", named("Dummy"), "comes with the game"),
        ("AIx.cc", named("reaper"), "comes with the game"),
        ("AIx.cc", named("Reaper"), "Line 2:"),
        ("players.tar.gz", b"\x1f\x8b\x08\0rest".to_vec(), "archive"),
    ];
    for (file, content, words) in cases {
        let answer = pau.upload("/seasons/open/submit", file, &content).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{words}");
        assert!(answer.has(words), "should say {words:?}: {}", answer.text);
    }
    assert!(pau.get("/submissions").await.has("Nothing here yet"), "nothing of that was taken in");
}

async fn a_huge_upload_is_answered(court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    let answer = pau.upload("/seasons/open/submit", "AIx.cc", &vec![b'x'; 50 << 20]).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(answer.has("This file is far too large"));
}

async fn only_open_seasons_take_players(court: Court) {
    court.add_season("later", 3).await;
    let mut pau = court.visitor("pau", Role::Student).await;
    assert_eq!(pau.upload("/seasons/later/submit", "AIx.cc", PLAYER.as_bytes()).await.status, StatusCode::FORBIDDEN);
    let mut watcher = court.visitor("eva", Role::Spectator).await;
    assert_eq!(watcher.upload("/seasons/open/submit", "AIx.cc", PLAYER.as_bytes()).await.status, StatusCode::FORBIDDEN);
    let mut nobody = court.browser();
    assert_eq!(nobody.upload("/seasons/open/submit", "AIx.cc", PLAYER.as_bytes()).await.location, "/sign-in?next=/");
}

async fn a_judge_without_rust_says_so(mut court: Court) {
    court.set(|settings| settings.rust = false);
    let mut pau = court.visitor("pau", Role::Student).await;
    let form = pau.get("/seasons/open/submit").await;
    assert!(form.has("One file in C++,") && !form.has("Reaper, Rust"), "{}", form.text);
    let answer = pau.upload("/seasons/open/submit", "x.rs", b"player!(A, \"A\");").await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.has("takes players in C++ only"), "{}", answer.text);
    assert_eq!(pau.upload("/seasons/open/submit", "AIx.cc", PLAYER.as_bytes()).await.status, StatusCode::SEE_OTHER);
}
