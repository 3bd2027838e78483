//! The way of somebody who has no player yet.

use axum::http::StatusCode;
use ludus_judge::accounts::Role;

use crate::harness::Court;
use crate::on_both;

on_both!(an_example_becomes_ones_own);

async fn an_example_becomes_ones_own(court: Court) {
    let mut guest = court.browser();
    let season = guest.get("/seasons/open").await;
    assert!(season.has("How to begin") && season.has("/sign-in?next=/seasons/open"));
    assert!(guest.get("/seasons/open/api/rust").await.has("player!"));
    assert_eq!(guest.get("/seasons/open/api/cobol").await.status, StatusCode::NOT_FOUND);
    let mut pau = court.visitor("pau", Role::Student).await;
    assert!(pau.get("/seasons/open").await.has("/seasons/open/submit#examples"));
    let form = pau.get("/seasons/open/submit").await;
    assert!(form.has("Reaper is made to beat the Dummies"), "{}", form.text);
    for (file, line) in [("AIReaper.cc", "#define PLAYER_NAME Pau_1"), ("Null.rs", "player!(Null, &quot;Pau_1&quot;);")]
    {
        assert_eq!(pau.get(&format!("/seasons/open/starter/{file}")).await.status, StatusCode::OK);
        let filled = pau.get(&format!("/seasons/open/submit?start={file}&name=Pau_1")).await;
        assert!(filled.has(line), "{}", filled.text);
    }
    let long = pau.get("/seasons/open/submit?start=AINull.cc&name=ThirteenChars").await;
    assert!(long.status == StatusCode::UNPROCESSABLE_ENTITY && long.has("1 to 12 characters"));
    for wrong in ["../rules.en.md", "..%2F..%2Fants%2Fplayers%2FAINull.cc", "AIDummy.cc", "%2Fetc%2Fpasswd"] {
        let answer = pau.get(&format!("/seasons/open/starter/{wrong}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{wrong}");
        assert!(pau.get(&format!("/seasons/open/submit?start={wrong}")).await.has("></textarea>"), "{wrong}");
    }
}
