//! Letters, handed to a real mail server on loopback.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use axum::http::StatusCode;
use ludus_judge::accounts::{self, Purpose, Role};
use ludus_judge::letters::{self, Kind};
use ludus_judge::mail::Mail;
use ludus_judge::postman::Turn;
use sqlx::Row as _;
use tempfile::TempDir;

use crate::harness::{Browser, Court, PASSWORD, until};
use crate::server::Server;
use crate::{on_both, on_sqlite};

on_both!(everybody_who_has_not_come_gets_a_letter);

on_sqlite!(
    trouble_uses_up_no_tries,
    strangers_cause_few_letters,
    the_words_of_the_invitation_are_the_instructors,
    what_the_server_refuses_is_told,
    forgotten_passwords_are_set_anew,
    no_letter_holds_a_forged_header,
    who_asks_does_not_wait_for_invitations
);

/// A mail server that keeps what it is given, and ends with this.
pub struct MailServer {
    _server: Server,
    pub port: u16,
    folder: TempDir,
}

impl MailServer {
    pub fn start(account: &[&str]) -> MailServer {
        MailServer::start_in(crate::harness::folder(), &[], account)
    }

    /// One that keeps its letters in a folder, where its certificate is if it is asked for TLS.
    pub fn start_in(folder: TempDir, encryption: &[&str], account: &[&str]) -> MailServer {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/smtp/server.py");
        // Debian's package is for Debian's Python.
        static PYTHON: LazyLock<Option<&str>> = LazyLock::new(|| {
            ["/usr/bin/python3", "python3"].into_iter().find(|python| {
                let tried = Command::new(python).args(["-c", "import aiosmtpd"]).stderr(Stdio::null()).status();
                tried.is_ok_and(|status| status.success())
            })
        });
        let mut server = Command::new(PYTHON.expect("aiosmtpd is missing: scripts/install tests"))
            .arg(script)
            .args(encryption)
            .arg(folder.path())
            .args(account)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut port = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
        MailServer {
            _server: Server(server),
            port: port.trim().parse().expect("the mail server tells its port"),
            folder,
        }
    }

    /// The letters so far, headers and text as they came, soft line ends undone.
    pub fn letters(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.folder.path()).unwrap().map(|file| file.unwrap().path());
        let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "eml")).collect();
        files.sort();
        let plain = |text: String| text.replace("=\r\n", "").replace("=3D", "=");
        files.iter().map(|file| plain(std::fs::read_to_string(file).unwrap())).collect()
    }
}

/// A site whose letters a server takes.
pub fn connect(court: &mut Court, server: &MailServer, who: &str) {
    let url = format!("smtp://{who}127.0.0.1:{}?tls=none", server.port);
    let mail = Mail::open(&url, None, None, "ludus@upc.edu", Duration::ZERO).unwrap();
    court.set(|settings| {
        settings.mail = Some(mail);
        settings.public_url = Some("https://ludus.upc.edu".to_owned());
    });
}

/// Sends all that is due.
pub async fn deliver(court: &Court) {
    let postman = court.site.postman().unwrap();
    while postman.turn().await.unwrap() == Turn::Sent {}
}

/// The address on this site of the link in a letter.
pub fn link(letter: &str) -> String {
    let token = letter.split("https://ludus.upc.edu/link/").nth(1).expect("a link");
    format!("/link/{}", &token[..64])
}

/// Waits until as many letters are kept as there should be: a page answers before.
async fn until_kept(court: &Court, count: i64) {
    let kept = async || -> i64 {
        sqlx::query_scalar("SELECT COUNT(*) FROM letters").fetch_one(court.site.database.read()).await.unwrap()
    };
    let is_written = async || kept().await >= count && court.site.gates.letters.is_empty();
    until("letters are missing", is_written).await;
    assert_eq!(kept().await, count);
}

async fn import(laia: &mut Browser, roster: &str) {
    let answer = laia.upload("/people/import", "", roster.as_bytes()).await;
    assert!(answer.has("People imported"), "{}", answer.text);
}

async fn everybody_who_has_not_come_gets_a_letter(mut court: Court) {
    let server = MailServer::start(&["ludus", "p@ss:word"]);
    connect(&mut court, &server, "ludus:p%40ss%3Aword@");
    let mut laia = court.visitor("laia", Role::Instructor).await;
    court.add_person("pau", Role::Student).await;
    import(&mut laia, "Núria Peña,nuria@upc.edu,G1\nPere,pere@upc.edu,G2\n").await;
    assert!(laia.get("/people?state=new").await.has("nuria@upc.edu"));
    let asked = laia.post("/people/letters", &[]).await;
    assert_eq!(asked.location, "/people?role=student&done=2");
    assert!(laia.get("/people?state=waiting").await.has("nuria@upc.edu"));
    assert_eq!(laia.post("/people/letters", &[]).await.location, "/people?role=student&done=0", "they have one");
    deliver(&court).await;
    let letters = server.letters();
    assert_eq!(letters.len(), 2, "nobody who has signed in gets one");
    assert!(letters[0].starts_with("X-Recipients: nuria@upc.edu\r\n"), "{}", letters[0]);
    assert!(letters[0].contains("From: \"Test course\" <ludus@upc.edu>"), "{}", letters[0]);
    assert!(letters[0].contains("Subject: Test course: your account"), "{}", letters[0]);
    let page = laia.get("/people?state=sent").await;
    assert!(page.has("nuria@upc.edu") && page.has("pere@upc.edu") && !page.has("pau@x.edu"), "{}", page.text);
    // Another letter does not end the link of the first.
    laia.post("/people/letters", &[("group", "=G1")]).await;
    deliver(&court).await;
    let again = server.letters();
    assert_eq!(again.len(), 3);
    let mut nuria = court.browser();
    let password = [("password", PASSWORD), ("again", PASSWORD)];
    assert_eq!(nuria.post(&link(&letters[0]), &password).await.location, "/?said=welcome");
    assert_eq!(court.browser().get(&link(&again[2])).await.status, StatusCode::GONE, "the first that is used ends all");
    assert!(laia.get("/people?state=active").await.has("nuria@upc.edu"));
    assert_eq!(laia.post("/people/letters", &[("group", "=G1")]).await.location, "/people?role=student&done=0");
    let log = laia.get("/actions").await;
    assert!(log.has("Invitations sent"), "{}", log.text);
}

async fn the_words_of_the_invitation_are_the_instructors(mut court: Court) {
    let server = MailServer::start(&[]);
    connect(&mut court, &server, "");
    let mut laia = court.visitor("laia", Role::Instructor).await;
    import(&mut laia, "Marta,marta@upc.edu,G1\nJoan,joan@upc.edu,G1\n").await;
    let usual = laia.get("/people/letter").await;
    assert!(usual.has("you are invited to {course}") && usual.has("{link} {days}"), "{}", usual.text);
    let wrong = laia.post("/people/letter", &[("subject-en", "Hi"), ("body-en", "Come in, {nome}: {link}")]).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(wrong.has("“nome” in braces means nothing") && wrong.has("Come in, {nome}: {link}"), "{}", wrong.text);
    let fields = [
        ("subject-en", "Welcome, {name}"),
        ("body-en", "Group {group} of {course}:\r\n{link}"),
        ("subject-ca", "Hola, {name}"),
        ("body-ca", "Aquí: {link}"),
    ];
    assert_eq!(laia.post("/people/letter", &fields).await.location, "/people/letter?said=saved");
    sqlx::query("UPDATE accounts SET language = 'ca' WHERE email = 'joan@upc.edu'")
        .execute(court.site.database.write())
        .await
        .unwrap();
    laia.post("/people/letters", &[]).await;
    deliver(&court).await;
    let letters = server.letters();
    let of = |name: &str| letters.iter().find(|letter| letter.contains(&format!("X-Recipients: {name}"))).unwrap();
    assert!(of("marta").contains("Subject: Welcome, Marta") && of("marta").contains("Group G1 of Test course:"));
    assert!(of("joan").contains("Subject: Hola, Joan"), "{}", of("joan"));
    laia.post("/people/letter", &[]).await;
    assert!(
        laia.get("/people/letter").await.has("you are invited to {course}"),
        "empty fields bring the usual words back"
    );
}

async fn what_the_server_refuses_is_told(mut court: Court) {
    let server = MailServer::start(&[]);
    connect(&mut court, &server, "");
    let mut laia = court.visitor("laia", Role::Instructor).await;
    import(&mut laia, "Rita,refused@upc.edu,\nLola,later@upc.edu,\nMarta,marta@upc.edu,\n").await;
    laia.post("/people/letters", &[]).await;
    deliver(&court).await;
    assert_eq!(server.letters().len(), 1, "one refused letter holds up no other");
    let page = laia.get("/people?state=failed").await;
    assert!(page.has("refused@upc.edu") && page.has("no such mailbox here"), "{}", page.text);
    assert!(laia.get("/people?state=waiting").await.has("later@upc.edu"), "this one is tried again");
    for tries in 2..=6 {
        let row = sqlx::query("SELECT not_before, tries FROM letters WHERE state = 'waiting'");
        let row = row.fetch_one(court.site.database.read()).await.unwrap();
        assert!(
            row.try_get::<i64, _>("not_before").unwrap() > 0 && row.try_get::<i64, _>("tries").unwrap() == tries - 1
        );
        sqlx::query("UPDATE letters SET not_before = 0 WHERE state = 'waiting'")
            .execute(court.site.database.write())
            .await
            .unwrap();
        deliver(&court).await;
    }
    let page = laia.get("/people?state=failed").await;
    assert!(page.has("later@upc.edu") && page.has("greylisted"), "after six tries it is given up: {}", page.text);
    // Whoever mends the address sends it again, for the one alone.
    let id: i64 = sqlx::query_scalar("SELECT id FROM accounts WHERE email = 'refused@upc.edu'")
        .fetch_one(court.site.database.read())
        .await
        .unwrap();
    laia.post(&format!("/people/{id}/details"), &[("name", "Rita"), ("email", "rita@upc.edu")]).await;
    let sent = laia.post("/people/chosen", &[("action", "invite"), (&format!("who-{id}"), "1")]).await;
    assert!(sent.location.ends_with("done=1"), "{}", sent.location);
    deliver(&court).await;
    assert!(server.letters()[1].starts_with("X-Recipients: rita@upc.edu"));
}

async fn trouble_uses_up_no_tries(mut court: Court) {
    let server = MailServer::start(&["ludus", "right"]);
    let mut laia = court.visitor("laia", Role::Instructor).await;
    connect(&mut court, &server, "ludus:wrong@");
    laia = court.visiting(&laia);
    import(&mut laia, "Marta,marta@upc.edu,\n").await;
    laia.post("/people/letters", &[]).await;
    let postman = court.site.postman().unwrap();
    for _ in 0..10 {
        assert_eq!(postman.turn().await.unwrap(), Turn::Trouble);
    }
    let page = laia.get("/people").await;
    assert!(page.has("No e-mails can be sent at the moment") && page.has("535"), "{}", page.text);
    assert!(!page.has("wrong@") && !page.has("bHVkdXM"), "no password is told: {}", page.text);
    let port = server.port;
    drop(server);
    assert_eq!(postman.turn().await.unwrap(), Turn::Trouble, "nobody listens at {port}");
    let tries: i64 =
        sqlx::query_scalar("SELECT tries FROM letters").fetch_one(court.site.database.read()).await.unwrap();
    assert_eq!(tries, 0);
    let server = MailServer::start(&["ludus", "right"]);
    connect(&mut court, &server, "ludus:right@");
    deliver(&court).await;
    assert_eq!(server.letters().len(), 1);
    assert!(!court.visiting(&laia).get("/people").await.has("No e-mails can be sent"));
}

async fn forgotten_passwords_are_set_anew(mut court: Court) {
    let mut pau = court.visitor("pau", Role::Student).await;
    assert!(court.browser().get("/forgotten").await.has("Ask your instructor"), "where no letters are sent");
    let server = MailServer::start(&[]);
    connect(&mut court, &server, "");
    let mut guest = court.browser();
    assert!(guest.get("/sign-in").await.has("href=\"/forgotten\""));
    let known = guest.post("/forgotten", &[("email", "Pau@x.edu")]).await;
    let unknown = guest.post("/forgotten", &[("email", "nobody@x.edu")]).await;
    assert_eq!((known.status, unknown.status), (StatusCode::OK, StatusCode::OK));
    let plain = |text: &str| text.split("name=\"csrf\"").next().unwrap().to_owned();
    assert_eq!(plain(&known.text), plain(&unknown.text), "nobody learns who has an account");
    assert_eq!(guest.post("/forgotten", &[("email", "pau at x")]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    until_kept(&court, 1).await;
    assert_eq!(pau.get("/account").await.status, StatusCode::OK, "asking changes nothing");
    deliver(&court).await;
    let letters = server.letters();
    assert!(letters[0].contains("Subject: Test course: a new password"), "{}", letters[0]);
    let new = [("password", "another password"), ("again", "another password")];
    assert_eq!(guest.post(&link(&letters[0]), &new).await.location, "/?said=welcome");
    assert_eq!(pau.get("/account").await.status, StatusCode::SEE_OTHER, "whoever had the old one is out");
    assert_eq!(court.browser().sign_in("pau", "another password").await.status, StatusCode::SEE_OTHER);
}

async fn strangers_cause_few_letters(mut court: Court) {
    let server = MailServer::start(&[]);
    connect(&mut court, &server, "");
    court.add_person("pau", Role::Student).await;
    let mut guest = court.browser();
    for asked in 1..=6 {
        guest.post("/forgotten", &[("email", "pau@x.edu")]).await;
        until_kept(&court, asked.min(3)).await;
        deliver(&court).await;
    }
    assert_eq!(server.letters().len(), 3, "three in a day");
    sqlx::query("UPDATE letters SET created_at = 0").execute(court.site.database.write()).await.unwrap();
    // However many ask at once.
    let database = &court.site.database;
    let many = (0..20).map(|_| letters::ask(database, Kind::Reset, "pau@x.edu", None));
    for asked in futures_util::future::join_all(many).await {
        asked.unwrap();
    }
    guest.post("/forgotten", &[("email", "pau@x.edu")]).await;
    guest.post("/forgotten", &[("email", "pau@x.edu")]).await;
    until_kept(&court, 4).await;
    let laia = court.add_person("laia", Role::Student).await;
    accounts::set_locked(&court.site.database, laia, true).await.unwrap();
    guest.post("/forgotten", &[("email", "laia@x.edu")]).await;
    until_kept(&court, 4).await;
    assert_eq!(Kind::Reset.purpose(), Purpose::Reset);
}

async fn no_letter_holds_a_forged_header(mut court: Court) {
    let server = MailServer::start(&[]);
    connect(&mut court, &server, "");
    let mut laia = court.visitor("laia", Role::Instructor).await;
    let evil = "Eva\r\nBcc: all@x.edu";
    for (name, email) in [(evil, "eva@upc.edu"), ("Eva", "eva@upc.edu\r\nBcc: all@x.edu"), ("Eva", "a@b>,<c@d")] {
        let answer = laia.post("/people/invite", &[("name", name), ("email", email), ("role", "student")]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{name} {email}");
    }
    // What a database of before may hold.
    import(&mut laia, "Eva,eva@upc.edu,\n").await;
    sqlx::query("UPDATE accounts SET name = $1, team = $1 WHERE email = 'eva@upc.edu'")
        .bind(evil)
        .execute(court.site.database.write())
        .await
        .unwrap();
    laia.post("/course", &[("title", "X\r\nBcc: y@x.edu")]).await;
    laia.post("/people/letter", &[("subject-en", "For {name} {group}"), ("body-en", "{link}\r\n.\r\nend of {name}")])
        .await;
    laia.post("/people/letters", &[]).await;
    deliver(&court).await;
    let letters = server.letters();
    assert_eq!(letters.len(), 1);
    let head = letters[0].split("\r\n\r\n").next().unwrap();
    assert!(head.starts_with("X-Recipients: eva@upc.edu\r\n"), "one recipient: {head}");
    assert!(!head.lines().any(|line| line.to_lowercase().starts_with("bcc")), "{head}");
    assert!(letters[0].contains("end of Eva"), "a lone dot does not end a letter: {}", letters[0]);
}

async fn who_asks_does_not_wait_for_invitations(court: Court) {
    let mut laia = court.visitor("laia", Role::Instructor).await;
    import(&mut laia, "Marta,marta@upc.edu,G1\nPau,pau@upc.edu,G1\n").await;
    let database = &court.site.database;
    let mut tx = database.begin().await.unwrap();
    for email in ["marta@upc.edu", "pau@upc.edu"] {
        let (account, _) = accounts::credentials(database, email).await.unwrap().unwrap();
        assert!(letters::invite(&mut tx, account.id).await.unwrap());
    }
    tx.commit().await.unwrap();
    letters::ask(database, Kind::Reset, "laia@x.edu", None).await.unwrap();
    letters::ask(database, Kind::Reset, "nobody@upc.edu", None).await.unwrap();
    let mut kinds = Vec::new();
    while let Some(letter) = letters::take(database).await.unwrap() {
        kinds.push(letter.kind);
    }
    assert_eq!(kinds, [Kind::Reset, Kind::Invite, Kind::Invite]);
}
