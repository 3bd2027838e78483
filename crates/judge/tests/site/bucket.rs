//! The store in a bucket, of a real server that speaks S3.

use std::time::Duration;

use hyper_util::rt::TokioIo;
use ludus_judge::store::{Lost, Store};
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use tempfile::TempDir;
use tokio::net::TcpListener;

/// A server with one bucket, which knows one key; where it listens.
pub async fn serve(folder: &TempDir) -> String {
    std::fs::create_dir(folder.path().join("course")).unwrap();
    let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder.path()).unwrap());
    service.set_auth(SimpleAuth::from_single("key", "secret"));
    let service = service.build();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let connection = hyper::server::conn::http1::Builder::new();
            tokio::spawn(connection.serve_connection(TokioIo::new(stream), service.clone()));
        }
    });
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_put_into_a_bucket_can_be_got() {
    let folder = crate::harness::folder();
    let host = serve(&folder).await;
    let at = move |key: &str| Store::open(&format!("s3+http://{key}@{host}/course")).unwrap();
    let kept = folder.path().join("course");
    let used = tokio::task::spawn_blocking(move || {
        let store = at("key:secret");
        store.probe().unwrap();
        let module: Vec<u8> = (0..3_000_000_u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let hash = store.put(&module).unwrap();
        assert!(store.get(&hash).unwrap() == module, "three megabytes come back as they were");
        assert_eq!(store.put(&module).unwrap(), hash, "what is there may be put again");
        let missing = "0".repeat(64);
        assert_eq!(Lost::of(&store.get(&missing).unwrap_err()), Some(&Lost::Missing(missing)));
        std::fs::write(kept.join(&hash), "something else").unwrap();
        assert_eq!(Lost::of(&store.get(&hash).unwrap_err()), Some(&Lost::Damaged(hash.clone())));
        store.put(&module).unwrap();
        assert!(store.get(&hash).unwrap() == module, "what was damaged is whole again");
        assert!(store.remove(&hash, Duration::ZERO).unwrap());
        assert!(store.remove(&hash, Duration::ZERO).unwrap(), "what is gone may be removed");
        assert_eq!(Lost::of(&store.get(&hash).unwrap_err()), Some(&Lost::Missing(hash)));
        for key in ["key:guess", "thief:secret"] {
            let refused = at(key).put(b"x").expect_err(key).to_string();
            assert!(refused.contains("403") && !refused.contains("guess"), "{key}: {refused}");
        }
    });
    used.await.unwrap();
}
