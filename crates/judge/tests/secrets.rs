//! What the command says when it is used wrongly holds no password.
#![allow(clippy::unwrap_used)]

use std::process::Command;

#[test]
fn no_message_holds_a_password() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let cases: &[&[&str]] = &[
        &["migrate", "--database", "mysql://judge:hunter2@db/ludus"],
        &["migrate", "--database", "Postgres://judge:hunter2@db/ludus"],
        &["migrate", "--database", "postgres://judge:hunter2@db:port/ludus"],
        &["migrate", "--database", "postgres://judge:hunter2@[::/ludus"],
        &["migrate", "--database", "hunter2"],
        &["migrate", "--databse=postgres://judge:hunter2@db/ludus"],
        &["migrate", "postgres://judge:hunter2@db/ludus"],
        &["serve", "--listen", "postgres://judge:hunter2@db/ludus"],
        &["serve", "--workers", "s3://KEY:hunter2@host/bucket"],
        &["serve", "--data", data, "--store", "S3://KEY:hunter2@host/bucket"],
        &["serve", "--data", data, "--store", "https://KEY:hunter2@host/bucket"],
        &["serve", "--data", data, "--store", "s3://KEY:hunter2@host"],
    ];
    for case in cases {
        let output = Command::new(env!("CARGO_BIN_EXE_ludus-judge")).args(*case).current_dir(data).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        assert!(!output.status.success() && said.contains("error"), "{case:?}: {said}");
        assert!(!said.contains("hunter2"), "{case:?}: {said}");
    }
    let help = Command::new(env!("CARGO_BIN_EXE_ludus-judge"))
        .args(["serve", "--help"])
        .env("LUDUS_DATABASE", "postgres://judge:hunter2@db/ludus")
        .env("LUDUS_STORE", "s3://KEY:hunter2@host/bucket")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&help.stdout);
    assert!(said.contains("LUDUS_DATABASE") && !said.contains("hunter2"), "{said}");
    let left: Vec<_> = std::fs::read_dir(data).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("hunter2")), "{left:?}");
}
