//! Signing in by the university: OpenID Connect, the code flow with PKCE.
//!
//! Whoever comes back is matched by an e-mail address that the university has
//! verified with somebody of the roster; for strangers no account is made. What must
//! be remembered meanwhile (state, nonce, verifier) is in a cookie of the browser that
//! left, so that nothing is kept here for visitors who never come back, and nobody can
//! finish in one browser what was begun in another.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, ensure};
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreErrorResponseType, CoreProviderMetadata, CoreUserInfoClaims,
};
use openidconnect::{
    AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet, EndpointNotSet, EndpointSet, HttpRequest,
    HttpResponse, IssuerUrl, Nonce, OAuth2TokenResponse as _, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl,
    RequestTokenError, Scope, TokenResponse as _,
};
use ureq::Agent;

use crate::secrets;
use crate::web::Asker;
use crate::web::gate::{Gate, Lane};

/// The page to which the university sends people back.
pub const BACK: &str = "/sign-in/university/back";

/// For how long what a provider says about itself is believed: its keys change.
const FRESH: Duration = Duration::from_secs(3600);
/// The longest answer of a provider.
const LONGEST_ANSWER: u64 = 1 << 20;
/// Requests to the provider at a time, how many wait for their turn, and how many of
/// one place: a classroom comes back together.
const MOST_AT_ONCE: usize = 8;
const MOST_WAITING: usize = 512;
const MOST_OF_ONE: usize = 64;

#[derive(Clone)]
pub struct University(Arc<Inside>);

struct Inside {
    issuer: IssuerUrl,
    client: ClientId,
    secret: Option<ClientSecret>,
    back: RedirectUrl,
    agent: Agent,
    known: Mutex<Option<(Instant, CoreProviderMetadata)>>,
    gate: Gate<Asker>,
}

impl fmt::Debug for University {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "University({})", self.0.issuer.as_str())
    }
}

/// What the browser keeps until it comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errand {
    state: String,
    nonce: String,
    verifier: String,
}

impl Errand {
    /// As a cookie: none of its parts has a dot.
    pub fn cookie(&self) -> String {
        format!("{}.{}.{}", self.state, self.nonce, self.verifier)
    }

    pub fn of_cookie(cookie: &str) -> Option<Errand> {
        let mut parts = cookie.split('.').map(ToOwned::to_owned);
        let errand = Errand { state: parts.next()?, nonce: parts.next()?, verifier: parts.next()? };
        let whole = parts.next().is_none() && [&errand.state, &errand.nonce].iter().all(|part| part.len() >= 16);
        // The shortest verifier that the protocol allows.
        (whole && errand.verifier.len() >= 43).then_some(errand)
    }

    /// Whether an answer belongs to this errand.
    pub fn began(&self, state: &str) -> bool {
        secrets::equal(&self.state, state)
    }
}

/// The university does not know the code that somebody brought: anybody can make one up,
/// so that it is no trouble of anybody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the university does not know the code")]
pub struct WrongCode;

type Client =
    CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointMaybeSet, EndpointMaybeSet>;

impl University {
    pub fn new(issuer: &str, client: &str, secret: Option<String>, base: &str) -> Result<University> {
        let issuer = IssuerUrl::new(issuer.to_owned()).with_context(|| format!("--oidc-issuer {issuer}"))?;
        let here = ["http://127.0.0.1", "http://localhost"].iter().any(|start| issuer.as_str().starts_with(start));
        ensure!(here || issuer.as_str().starts_with("https://"), "--oidc-issuer must be https");
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            // Whoever could make the judge follow would make it ask others.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(Duration::from_secs(15)))
            .build();
        Ok(University(Arc::new(Inside {
            issuer,
            client: ClientId::new(client.to_owned()),
            secret: secret.map(ClientSecret::new),
            back: RedirectUrl::new(format!("{base}{BACK}")).context("--public-url")?,
            agent: agent.into(),
            known: Mutex::new(None),
            gate: Gate::new(MOST_AT_ONCE, MOST_WAITING, MOST_OF_ONE),
        })))
    }

    /// Where to send a visitor, and what its browser must keep.
    pub async fn begin(&self, asker: &Asker) -> Result<(String, Errand)> {
        // Who the university is, is known but for once in a while: nobody waits then.
        let pass = if self.0.metadata().is_some() { None } else { Some(self.0.gate.enter(asker, Lane::Second).await?) };
        self.ask(move |inside| {
            let _pass = pass;
            let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
            let client = inside.connect()?;
            let (url, state, nonce) = client
                .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)
                .add_scope(Scope::new("email".to_owned()))
                .set_pkce_challenge(challenge)
                .url();
            let (state, nonce) = (state.secret().clone(), nonce.secret().clone());
            Ok((url.to_string(), Errand { state, nonce, verifier: verifier.secret().clone() }))
        })
        .await
    }

    /// The verified address of whoever came back with a code, if there is one.
    pub async fn address(&self, asker: &Asker, code: String, errand: Errand) -> Result<Option<String>> {
        let pass = self.0.gate.enter(asker, Lane::Second).await?;
        self.ask(move |inside| {
            let _pass = pass;
            inside.address(code, errand)
        })
        .await
    }

    async fn ask<T: Send + 'static>(&self, ask: impl FnOnce(&Inside) -> Result<T> + Send + 'static) -> Result<T> {
        let inside = self.0.clone();
        tokio::task::spawn_blocking(move || ask(&inside)).await?
    }
}

impl Inside {
    fn call(&self, request: HttpRequest) -> Result<HttpResponse, ureq::Error> {
        let (head, mut body) = self.agent.run(request)?.into_parts();
        let bytes = body.with_config().limit(LONGEST_ANSWER).read_to_vec()?;
        Ok(HttpResponse::from_parts(head, bytes))
    }

    /// What the provider has said about itself, if that is fresh.
    fn metadata(&self) -> Option<CoreProviderMetadata> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        known.filter(|(at, _)| at.elapsed() < FRESH).map(|(_, metadata)| metadata)
    }

    fn connect(&self) -> Result<Client> {
        let metadata = match self.metadata() {
            Some(metadata) => metadata,
            None => {
                let found = CoreProviderMetadata::discover(&self.issuer, &|request| self.call(request))
                    .map_err(|error| anyhow!("the university does not say who it is: {error}"))?;
                *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), found.clone()));
                found
            }
        };
        let client = CoreClient::from_provider_metadata(metadata, self.client.clone(), self.secret.clone());
        Ok(client.set_redirect_uri(self.back.clone()))
    }

    fn address(&self, code: String, errand: Errand) -> Result<Option<String>> {
        let client = self.connect()?;
        let http = |request| self.call(request);
        let token = client
            .exchange_code(AuthorizationCode::new(code))?
            .set_pkce_verifier(PkceCodeVerifier::new(errand.verifier))
            .request(&http)
            .map_err(|error| match error {
                RequestTokenError::ServerResponse(said) if *said.error() == CoreErrorResponseType::InvalidGrant => {
                    anyhow::Error::from(WrongCode)
                }
                RequestTokenError::ServerResponse(said) => {
                    anyhow!("the university gives no token: {}", said.error())
                }
                // Never what was answered: there may be a token in it.
                other => anyhow!("the university gives no token: {other}"),
            })?;
        let signed = token.id_token().ok_or_else(|| anyhow!("the university does not say who somebody is"))?;
        let claims = signed.claims(&client.id_token_verifier(), &Nonce::new(errand.nonce))?;
        if let Some(email) = claims.email() {
            return Ok((claims.email_verified() == Some(true)).then(|| email.to_string()));
        }
        // Many providers tell the address only to who asks for it.
        let asked = client.user_info(token.access_token().clone(), Some(claims.subject().clone()))?;
        let told: CoreUserInfoClaims =
            asked.request(&http).map_err(|error| anyhow!("the university tells no address: {error}"))?;
        let email = told.email().filter(|_| told.email_verified() == Some(true));
        Ok(email.map(|email| email.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_errand_comes_back_whole_or_not() {
        let errand = Errand { state: "s".repeat(22), nonce: "n".repeat(22), verifier: "v".repeat(43) };
        assert_eq!(Errand::of_cookie(&errand.cookie()), Some(errand.clone()));
        assert!(errand.began(&"s".repeat(22)) && !errand.began("") && !errand.began(&"x".repeat(22)));
        for wrong in ["", ".", "..", "a.b.c", &format!("{}.x", errand.cookie())] {
            assert_eq!(Errand::of_cookie(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn secrets_go_over_tls_only() {
        let new = |issuer: &str| University::new(issuer, "ludus", Some("geheim".to_owned()), "https://x.edu");
        assert!(new("https://sso.x.edu").is_ok() && new("http://127.0.0.1:3000").is_ok());
        assert!(new("http://sso.x.edu").is_err() && new("nonsense").is_err());
        assert!(!format!("{:?}", new("https://sso.x.edu").unwrap()).contains("geheim"));
    }
}
