//! A bucket that speaks S3: three signed requests.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use sha2::{Digest as _, Sha256};
use ureq::Agent;

use super::Lost;
use crate::secrets::hex;

/// The largest thing that is read back.
const LARGEST: u64 = 64 << 20;

#[derive(Clone)]
pub struct Bucket {
    agent: Agent,
    scheme: &'static str,
    host: String,
    bucket: String,
    region: String,
    key: String,
    secret: String,
}

/// Without the key and its secret.
impl std::fmt::Debug for Bucket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bucket({}://{}/{})", self.scheme, self.host, self.bucket)
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
        let (key, secret) = match credentials {
            Some((key, secret)) => (key.to_owned(), secret.to_owned()),
            None => (variable("AWS_ACCESS_KEY_ID")?, variable("AWS_SECRET_ACCESS_KEY")?),
        };
        let (host, path) = rest.split_once('/').ok_or_else(wrong)?;
        let (bucket, query) = path.split_once('?').unwrap_or((path, ""));
        if host.is_empty() || bucket.is_empty() {
            return Err(wrong());
        }
        let agent = Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(60)))
            .http_status_as_error(false)
            .build()
            .into();
        Ok(Bucket {
            agent,
            scheme: if scheme == "s3+http" { "http" } else { "https" },
            host: host.to_owned(),
            bucket: bucket.trim_end_matches('/').to_owned(),
            region: query.strip_prefix("region=").unwrap_or("us-east-1").to_owned(),
            key,
            secret,
        })
    }

    pub fn put(&self, hash: &str, bytes: &[u8]) -> Result<()> {
        let signed = self.sign("PUT", hash, bytes);
        let mut request = self.agent.put(self.address(hash));
        for (name, value) in &signed {
            request = request.header(*name, value);
        }
        let mut answer = request.send(bytes).context("the bucket does not answer")?;
        self.check(answer.status().as_u16(), || answer.body_mut().read_to_string().unwrap_or_default())
    }

    pub fn get(&self, hash: &str) -> Result<Vec<u8>> {
        let signed = self.sign("GET", hash, b"");
        let mut request = self.agent.get(self.address(hash));
        for (name, value) in &signed {
            request = request.header(*name, value);
        }
        let mut answer = request.call().context("the bucket does not answer")?;
        let status = answer.status().as_u16();
        if status == 404 {
            return Err(Lost::Missing(hash.to_owned()).into());
        }
        self.check(status, || answer.body_mut().read_to_string().unwrap_or_default())?;
        Ok(answer.body_mut().with_config().limit(LARGEST).read_to_vec()?)
    }

    pub fn remove(&self, hash: &str) -> Result<()> {
        let signed = self.sign("DELETE", hash, b"");
        let mut request = self.agent.delete(self.address(hash));
        for (name, value) in &signed {
            request = request.header(*name, value);
        }
        let mut answer = request.call().context("the bucket does not answer")?;
        match answer.status().as_u16() {
            404 => Ok(()),
            status => self.check(status, || answer.body_mut().read_to_string().unwrap_or_default()),
        }
    }

    fn check(&self, status: u16, text: impl FnOnce() -> String) -> Result<()> {
        if (200..300).contains(&status) {
            return Ok(());
        }
        let text: String = text().chars().take(300).collect();
        bail!("the bucket {} answers {status}: {text}", self.bucket)
    }

    fn address(&self, hash: &str) -> String {
        format!("{}://{}{}", self.scheme, self.host, self.path(hash))
    }

    fn path(&self, hash: &str) -> String {
        format!("/{}/{hash}", self.bucket)
    }

    /// The headers that prove who asks.
    fn sign(&self, method: &str, hash: &str, body: &[u8]) -> [(&'static str, String); 3] {
        let date = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
        let body_hash = hex(&Sha256::digest(body));
        let authorization = self.authorization(method, hash, &date, &body_hash);
        [("authorization", authorization), ("x-amz-content-sha256", body_hash), ("x-amz-date", date)]
    }

    /// Version 4 of the signatures of AWS.
    fn authorization(&self, method: &str, hash: &str, date: &str, body_hash: &str) -> String {
        let names = "host;x-amz-content-sha256;x-amz-date";
        let request = format!(
            "{method}\n{}\n\nhost:{}\nx-amz-content-sha256:{body_hash}\nx-amz-date:{date}\n\n{names}\n{body_hash}",
            self.path(hash),
            self.host
        );
        let day = &date[..8];
        let scope = format!("{day}/{}/s3/aws4_request", self.region);
        let text = format!("AWS4-HMAC-SHA256\n{date}\n{scope}\n{}", hex(&Sha256::digest(request.as_bytes())));
        let mut key = format!("AWS4{}", self.secret).into_bytes();
        for part in [day, &self.region, "s3", "aws4_request"] {
            key = hmac(&key, part.as_bytes());
        }
        let signature = hex(&hmac(&key, text.as_bytes()));
        format!("AWS4-HMAC-SHA256 Credential={}/{scope}, SignedHeaders={names}, Signature={signature}", self.key)
    }
}

fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    const BLOCK: usize = 64;
    let mut block = [0; BLOCK];
    if key.len() > BLOCK {
        block[..32].copy_from_slice(&Sha256::digest(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let padded = |pad: u8| block.map(|byte| byte ^ pad);
    let inner = Sha256::new().chain_update(padded(0x36)).chain_update(message).finalize();
    Sha256::new().chain_update(padded(0x5c)).chain_update(inner).finalize().to_vec()
}

#[cfg(test)]
mod tests;
