use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use super::*;
use crate::store::Store;

/// A bucket in this process, which checks signatures with its own secret.
fn serve(secret: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let checker = Bucket::from_url(&format!("s3+http://key:{secret}@{host}/bucket")).unwrap();
    let stored: Arc<Mutex<HashMap<String, Vec<u8>>>> = Arc::default();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let mut words = line.split_whitespace();
            let (method, path) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
            let mut headers = HashMap::new();
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                let Some((name, value)) = line.trim().split_once(": ") else { break };
                headers.insert(name.to_lowercase(), value.to_owned());
            }
            let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let hash = path.strip_prefix("/bucket/").unwrap();
            let (date, body_hash) = (&headers["x-amz-date"], &headers["x-amz-content-sha256"]);
            let expected = checker.authorization(&method, hash, date, body_hash);
            let genuine = headers["authorization"] == expected && *body_hash == hex(&Sha256::digest(&body));
            let (status, answer) = match method.as_str() {
                _ if !genuine => ("403 Forbidden", b"SignatureDoesNotMatch".to_vec()),
                "DELETE" => {
                    stored.lock().unwrap().remove(hash);
                    ("204 No Content", Vec::new())
                }
                "PUT" => {
                    stored.lock().unwrap().insert(hash.to_owned(), body);
                    ("200 OK", Vec::new())
                }
                _ => match stored.lock().unwrap().get(hash) {
                    Some(found) => ("200 OK", found.clone()),
                    None => ("404 Not Found", b"NoSuchKey".to_vec()),
                },
            };
            let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", answer.len());
            stream.write_all(&[head.as_bytes(), &answer].concat()).unwrap();
        }
    });
    host
}

#[test]
fn what_is_put_into_a_bucket_can_be_got() {
    let host = serve("secret");
    let store = Store::open(&format!("s3+http://key:secret@{host}/bucket")).unwrap();
    let hash = store.put(b"a module").unwrap();
    assert_eq!(store.get(&hash).unwrap(), b"a module");
    let missing = "0".repeat(64);
    assert_eq!(Lost::of(&store.get(&missing).unwrap_err()), Some(&Lost::Missing(missing)));
    assert!(store.remove(&hash, Duration::ZERO).unwrap());
    assert_eq!(Lost::of(&store.get(&hash).unwrap_err()), Some(&Lost::Missing(hash)));
    let thief = Store::open(&format!("s3+http://key:guess@{host}/bucket")).unwrap();
    assert!(thief.put(b"x").unwrap_err().to_string().contains("403"));
}

/// The example of the published description of these signatures.
#[test]
fn signatures_are_those_of_the_description() {
    let url = "s3://AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY@examplebucket.s3.amazonaws.com/x";
    let bucket = Bucket::from_url(url).unwrap();
    assert_eq!((bucket.scheme, bucket.secret.len(), bucket.region.as_str()), ("https", 40, "us-east-1"));
    let key = hmac(b"Jefe", b"what do ya want for nothing?");
    assert_eq!(hex(&key), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    for wrong in ["s3://host", "s3://a:b@/bucket", "s3://a:b@host/"] {
        assert!(Bucket::from_url(wrong).is_err(), "{wrong}");
    }
}
