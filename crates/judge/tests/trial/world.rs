//! The whole judge in one process, which can be killed and started again.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use ludus_arena::season::file::CourseKey;
use ludus_judge::accounts::{self, NewAccount, Role};
use ludus_judge::database::Database;
use ludus_judge::intake::Quota;
use ludus_judge::jobs::Environment;
use ludus_judge::queue::{Crew, Queue};
use ludus_judge::secrets::Passwords;
use ludus_judge::store::Store;
use ludus_judge::texts::Language;
use ludus_judge::web::{Gates, Settings, Site};
use ludus_judge::{course, pages, sessions};
use tempfile::TempDir;
use tower::ServiceExt as _;

use crate::harness;
use crate::machines::Puppets;

pub const LEASE: Duration = Duration::from_secs(15);

pub struct World {
    pub url: String,
    folder: TempDir,
    pub site: Site,
    pub environment: Environment,
    /// Another process beside the site.
    pub beside: Environment,
    router: Router,
    /// Looks at the database without passing any seam.
    pub observer: sqlx::AnyPool,
}

/// Somebody who has signed in.
pub struct Person {
    cookie: String,
    csrf: String,
}

pub struct Answer {
    pub status: StatusCode,
    pub location: String,
    pub text: String,
}

impl World {
    pub async fn new(folder: TempDir, url: String) -> World {
        let (site, environment) = start(&folder, &url).await.unwrap();
        let (_, beside) = start(&folder, &url).await.unwrap();
        course::ensure(&site.database, "Trial").await.unwrap();
        harness::add_season(&site.database, "trial", -300, 300).await;
        let observer = sqlx::any::AnyPoolOptions::new().max_connections(2).connect(&url).await.unwrap();
        World { router: pages::router(site.clone()), url, folder, site, environment, beside, observer }
    }

    /// Ends the process, as far as the rest of the world can tell, and starts
    /// another. One that was killed leaves the file with its name behind.
    pub async fn restart(&mut self, is_killed: bool) {
        let crews: Vec<String> = self.texts("SELECT DISTINCT crew FROM jobs WHERE state = 'running'").await;
        self.site.database.close().await;
        let (site, mut environment) = start(&self.folder, &self.url).await.unwrap();
        environment.quarantine = self.environment.quarantine.take();
        (self.router, self.site, self.environment) = (pages::router(site.clone()), site, environment);
        for crew in crews.iter().filter(|_| is_killed) {
            std::fs::write(self.folder.path().join("crews").join(format!("{crew}.crew")), "").unwrap();
        }
    }

    pub async fn add_person(&self, name: &str, role: Role) -> Person {
        let new = NewAccount { email: format!("{name}@x.edu"), name: name.to_owned(), team: String::new(), role };
        let mut tx = self.site.database.begin().await.unwrap();
        let id = accounts::add(&mut tx, &new, Language::English).await.unwrap();
        tx.commit().await.unwrap();
        let token = sessions::start(&self.site.database, id, "", "").await.unwrap();
        let session = sessions::find(&self.site.database, &token).await.unwrap().unwrap();
        Person { cookie: format!("ludus_session={token}"), csrf: session.csrf }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub async fn get(&self, person: &Person, path: &str) -> Answer {
        self.send(person, Request::get(path).body(Body::empty()).unwrap()).await
    }

    pub async fn post(&self, person: &Person, path: &str) -> Answer {
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(format!("csrf={}&email=nobody%40x.edu&password=wrong", person.csrf)))
            .unwrap();
        self.send(person, request).await
    }

    /// Hands a source in, and gives the submission's id if it is acknowledged.
    pub async fn submit(&self, person: &Person, source: &str) -> Result<i64, StatusCode> {
        let body = format!(
            "--B\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n{}\r\n--B\r\n\
             Content-Disposition: form-data; name=\"file\"; filename=\"AIx.cc\"\r\n\r\n{source}\r\n--B--\r\n",
            person.csrf
        );
        let request = Request::post("/seasons/trial/submit")
            .header(header::CONTENT_TYPE, "multipart/form-data; boundary=B")
            .body(Body::from(body))
            .unwrap();
        let answer = self.send(person, request).await;
        if answer.status != StatusCode::SEE_OTHER {
            return Err(answer.status);
        }
        Ok(answer.location.rsplit('/').next().unwrap().parse().unwrap())
    }

    async fn send(&self, person: &Person, mut request: Request<Body>) -> Answer {
        request.headers_mut().insert(header::COOKIE, person.cookie.parse().unwrap());
        request.headers_mut().insert(header::HOST, "judge.test".parse().unwrap());
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let location = answer.headers().get(header::LOCATION).map_or("", |value| value.to_str().unwrap()).to_owned();
        let status = answer.status();
        let text = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        Answer { status, location, text: String::from_utf8_lossy(&text).into_owned() }
    }

    pub async fn count(&self, statement: &'static str) -> i64 {
        sqlx::query_scalar(statement).fetch_one(&self.observer).await.unwrap()
    }

    pub async fn texts(&self, statement: &'static str) -> Vec<String> {
        sqlx::query_scalar(statement).fetch_all(&self.observer).await.unwrap()
    }
}

async fn start(folder: &TempDir, url: &str) -> anyhow::Result<(Site, Environment)> {
    let database = Database::open(url).await?;
    let store = Store::open(folder.path().join("store").to_str().unwrap())?;
    let crew = Crew::enlist(&folder.path().join("crews"), 2)?;
    let queue = Queue::of_crew(database.clone(), LEASE, crew);
    let quota = Quota {
        undecided: 10_000,
        per_hour: 1_000_000,
        per_day: 1_000_000,
        account_bytes: i64::MAX / 2,
        season_bytes: i64::MAX / 2,
        ..Quota::default()
    };
    let site = Site {
        database: database.clone(),
        queue: queue.clone(),
        store: store.clone(),
        passwords: Passwords::new()?,
        throttle: Arc::default(),
        following: Arc::default(),
        post: Arc::default(),
        gates: Gates::default(),
        frames: Arc::default(),
        key: CourseKey::new([7; 32]),
        settings: Arc::new(Settings { quota, ..harness::settings() }),
    };
    let machines = Arc::new(Puppets { store });
    Ok((site, Environment { database, queue, machines, quarantine: None }))
}
