//! Requests that no browser sends: paths, queries, cookies, forms and uploads,
//! spoilt. Everything gets an answer, and none of them is an excuse.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use ludus_arena::spoil::{inputs, spoil};
use ludus_games::Generator;
use ludus_judge::accounts::Role;
use tower::ServiceExt as _;

use crate::harness::{Court, Kind};

const PATHS: [&str; 6] = [
    "/matches?season=open&player=Marta_8&before=20",
    "/submissions/1?from=10&to=20",
    "/seasons/open/submit?start=AINull.cc&name=Pau_1",
    "/sign-in?next=/seasons/open",
    "/watch/0123456789abcdef0123456789abcdef",
    "/seasons/open/api/cpp",
];

const FORM: &str = "csrf=TOKEN&email=pau%40x.edu&password=correct+horse&next=%2Fseasons%2F1";

const UPLOAD: &str = "--B\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\nTOKEN\r\n--B\r\n\
    Content-Disposition: form-data; name=\"file\"; filename=\"AIx.cc\"\r\nContent-Type: text/plain\r\n\r\n\
    #define PLAYER_NAME Marta_8\r\n--B--\r\n";

#[tokio::test]
async fn spoilt_requests_get_an_answer() {
    let court = Court::new(Kind::Sqlite).await;
    let mut pau = court.visitor("pau", Role::Student).await;
    let token = pau.token().await;
    let cookies: Vec<String> = pau.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let cookies = format!("{}; ludus_language=ca", cookies.join("; "));
    let mut generator = Generator::new(6);
    let (mut answered, count) = (0, inputs(1_500));
    for k in 0..count {
        // One part is spoilt, so that the others lead to where it is read.
        let mut part = |which: usize, text: &str| {
            if k % 4 == which { spoil(text.as_bytes(), &mut generator) } else { text.as_bytes().to_vec() }
        };
        let path = part(0, PATHS[k / 4 % PATHS.len()]);
        let cookie = part(1, &cookies);
        let (path, kind, body) = match k % 4 {
            2 => (b"/sign-in".to_vec(), "application/x-www-form-urlencoded", part(2, &FORM.replace("TOKEN", &token))),
            3 => {
                let body = part(3, &UPLOAD.replace("TOKEN", &token));
                (b"/seasons/open/submit".to_vec(), "multipart/form-data; boundary=B", body)
            }
            _ => (path, "", Vec::new()),
        };
        let method = if kind.is_empty() { "GET" } else { "POST" };
        let request = Request::builder().method(method).uri(path).header(header::HOST, "judge.test");
        let request = request.header(header::COOKIE, cookie).header(header::CONTENT_TYPE, kind);
        // What is no HTTP at all is refused before it comes here.
        let Ok(request) = request.header(header::CONTENT_LENGTH, body.len()).body(Body::from(body)) else { continue };
        let shown = format!("{request:?}");
        let status = court.router().oneshot(request).await.unwrap().status();
        assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{shown}");
        answered += 1;
    }
    assert!(answered > count / 2, "{answered} of {count}");
}
