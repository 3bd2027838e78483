//! A bucket that speaks S3. Addresses and signatures are `rusty-s3`'s.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use rusty_s3::{Credentials, S3Action, UrlStyle};
use ureq::http::Response;
use ureq::{Agent, Body};

use super::Lost;

/// The largest thing that is read back.
const LARGEST: u64 = 64 << 20;

/// How long one request may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a signature holds: longer than a request takes, and than clocks differ.
const VALID: Duration = Duration::from_secs(600);

#[derive(Clone)]
pub struct Bucket {
    agent: Agent,
    place: rusty_s3::Bucket,
    credentials: Credentials,
}

/// Without the key and its secret.
impl std::fmt::Debug for Bucket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bucket({})", self.place.base_url())
    }
}

impl Bucket {
    /// `s3://KEY:SECRET@HOST[:PORT]/BUCKET[?region=NAME]`; `s3+http` goes without TLS.
    /// Key and secret may come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
    pub fn from_url(url: &str) -> Result<Bucket> {
        let wrong = || anyhow!("a store in a bucket is s3://KEY:SECRET@HOST/BUCKET");
        let (scheme, rest) = url.split_once("://").ok_or_else(wrong)?;
        let (credentials, rest) = match rest.rsplit_once('@') {
            Some((credentials, rest)) => (credentials.split_once(':'), rest),
            None => (None, rest),
        };
        let variable =
            |name: &str| std::env::var(name).map_err(|_| anyhow!("{name} is not set, and the URL has no key"));
        let credentials = match credentials {
            Some((key, secret)) => Credentials::new(key, secret),
            None => Credentials::new(variable("AWS_ACCESS_KEY_ID")?, variable("AWS_SECRET_ACCESS_KEY")?),
        };
        let (host, path) = rest.split_once('/').ok_or_else(wrong)?;
        let (bucket, query) = path.split_once('?').unwrap_or((path, ""));
        let bucket = bucket.trim_end_matches('/');
        if host.is_empty() || bucket.is_empty() {
            return Err(wrong());
        }
        let region = query.strip_prefix("region=").unwrap_or("us-east-1");
        let scheme = if scheme == "s3+http" { "http" } else { "https" };
        let host = format!("{scheme}://{host}").parse().map_err(|_| wrong())?;
        let place = rusty_s3::Bucket::new(host, UrlStyle::Path, bucket.to_owned(), region.to_owned());
        let agent = Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false).build().into();
        Ok(Bucket { agent, place: place.map_err(|_| wrong())?, credentials })
    }

    pub fn put(&self, hash: &str, bytes: &[u8]) -> Result<()> {
        let url = self.place.put_object(Some(&self.credentials), hash).sign(VALID);
        match self.check(self.agent.put(url.as_str()).send(bytes))? {
            Some(_) => Ok(()),
            None => bail!("there is no bucket {}", self.place.name()),
        }
    }

    pub fn get(&self, hash: &str) -> Result<Vec<u8>> {
        let url = self.place.get_object(Some(&self.credentials), hash).sign(VALID);
        match self.check(self.agent.get(url.as_str()).call())? {
            Some(mut answer) => Ok(answer.body_mut().with_config().limit(LARGEST).read_to_vec()?),
            None => Err(Lost::Missing(hash.to_owned()).into()),
        }
    }

    pub fn remove(&self, hash: &str) -> Result<()> {
        let url = self.place.delete_object(Some(&self.credentials), hash).sign(VALID);
        self.check(self.agent.delete(url.as_str()).call()).map(drop)
    }

    /// What the bucket answers; none if it has no such thing.
    fn check(&self, answer: Result<Response<Body>, ureq::Error>) -> Result<Option<Response<Body>>> {
        let mut answer = answer.context("the bucket does not answer")?;
        match answer.status().as_u16() {
            200..300 => Ok(Some(answer)),
            404 => Ok(None),
            status => {
                let text = answer.body_mut().read_to_string().unwrap_or_default();
                let text: String = text.chars().take(300).collect();
                bail!("the bucket {} answers {status}: {text}", self.place.name())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_told_by_their_url() {
        let url = "s3://KEY:a/Secret+with@signs@s3.example.edu:9000/course/?region=eu-west-1";
        let bucket = Bucket::from_url(url).unwrap();
        assert_eq!((bucket.credentials.key(), bucket.credentials.secret()), ("KEY", "a/Secret+with@signs"));
        assert_eq!((bucket.place.name(), bucket.place.region()), ("course", "eu-west-1"));
        assert_eq!(format!("{bucket:?}"), "Bucket(https://s3.example.edu:9000/course/)");
        for wrong in ["s3://host", "s3://a:b@/bucket", "s3://a:b@host/", "s3://a:b@ho st/bucket"] {
            assert!(Bucket::from_url(wrong).is_err(), "{wrong}");
        }
    }
}
