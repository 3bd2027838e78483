//! Letters go over TLS to a server that shows a certificate we believe, or not at all.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use ludus_judge::letters::Words;
use ludus_judge::mail::{self, Answer, Mail};

use crate::letters::MailServer;

/// Makes an authority, and with it the certificate of a server by this name.
fn certify(folder: &Path, name: &str) {
    let openssl = |words: &str| {
        let done = Command::new("openssl").current_dir(folder).args(words.split(' ')).output();
        let done = done.expect("openssl is missing: scripts/install tests");
        assert!(done.status.success(), "{words}: {}", String::from_utf8_lossy(&done.stderr));
    };
    let new = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2";
    openssl(&format!("{new} -keyout ca.key -out ca.pem -subj /CN=University -addext keyUsage=critical,keyCertSign"));
    openssl(&format!(
        "{new} -keyout server.key -out server.pem -subj /CN=mail -CA ca.pem -CAkey ca.key \
         -addext subjectAltName=DNS:{name} -addext basicConstraints=critical,CA:FALSE"
    ));
}

/// What becomes of a letter to a server that is asked to speak TLS in its way, and how
/// many letters it has then.
async fn sent(encryption: &[&str], scheme: &str, name: &str, believes: bool) -> (Answer, usize) {
    let folder = tempfile::tempdir().unwrap();
    certify(folder.path(), name);
    let authority = believes.then(|| mail::authorities(&folder.path().join("ca.pem")).unwrap());
    let server = MailServer::start_in(folder, encryption, &["ludus", "geheim"]);
    let url = format!("{scheme}://ludus:geheim@localhost:{}", server.port);
    let mail = Mail::open(&url, None, authority, "ludus@upc.edu", Duration::ZERO).unwrap();
    let words = Words { subject: "Hello".to_owned(), body: "Come in".to_owned() };
    (mail.send("Course", "Marta", "marta@upc.edu", words).await, server.letters().len())
}

#[tokio::test]
async fn letters_go_over_tls_to_a_server_of_ones_own_authority() {
    for (encryption, scheme) in [("--tls", "smtps"), ("--starttls", "smtp")] {
        let (answer, letters) = sent(&[encryption], scheme, "localhost", true).await;
        assert!(matches!(answer, Answer::Taken(_)) && letters == 1, "{encryption}: {answer:?}");
    }
}

#[tokio::test]
async fn nothing_is_sent_where_tls_is_not_to_be_trusted() {
    for (encryption, scheme, name, believes, why) in [
        (&["--tls"][..], "smtps", "localhost", false, "certificate"),
        (&["--starttls"], "smtp", "localhost", false, "certificate"),
        (&["--tls"], "smtps", "mail.elsewhere.edu", true, "certificate"),
        (&["--starttls"], "smtp", "mail.elsewhere.edu", true, "certificate"),
        // Whoever stands between takes STARTTLS out of what the server says.
        (&[], "smtp", "localhost", true, "STARTTLS"),
    ] {
        let (answer, letters) = sent(encryption, scheme, name, believes).await;
        let Answer::Trouble(said) = &answer else { panic!("{encryption:?} {name}: {answer:?}") };
        assert!(said.contains(why) && !said.contains("geheim"), "{encryption:?} {name}: {said}");
        assert_eq!(letters, 0, "{encryption:?} {name}");
    }
}

#[test]
fn a_file_without_certificates_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem");
    let refused = |what: &str| mail::authorities(&file).unwrap_err().to_string().contains(what);
    assert!(refused("--smtp-ca"), "it is not there");
    std::fs::write(&file, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n").unwrap();
    assert!(refused("there is no certificate in it"));
}
