//! Who asks: the session, the language, the token that forms must bring back.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Result;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::request::Parts;

use super::place::Place;
use super::theme::Theme;
use super::{AppError, Settings, Site};
use crate::accounts::Account;
use crate::database::now;
use crate::frame::Frame;
use crate::ids::AccountId;
use crate::sessions::{self, Session};
use crate::texts::Language;
use crate::tokens::Caller;
use crate::visibility::Viewer;
use crate::{devices, secrets};

const SESSION: &str = "ludus_session";
const GUEST: &str = "ludus_guest";
const DEVICE: &str = "ludus_device";
/// What somebody who has left for the university must bring back.
pub const ERRAND: &str = "ludus_errand";
pub const LANGUAGE: &str = "ludus_language";
pub const THEME: &str = "ludus_theme";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asker {
    Account(AccountId),
    Guest(Place),
}

#[derive(Clone, Debug)]
pub struct Visitor {
    pub session: Option<Session>,
    /// The program that asks with a token. Tokens are for calls and sessions for
    /// pages, so that never both are there.
    pub caller: Option<Caller>,
    pub language: Language,
    pub theme: Theme,
    /// What forms of a visitor who is not signed in must bring back.
    guest: String,
    guest_is_new: bool,
    /// What this browser brought to show that it was here before.
    pub device: Option<String>,
    /// What this browser was given when it left for the university.
    pub errand: Option<String>,
    /// Whether the university can be asked who somebody is.
    pub by_university: bool,
    pub address: String,
    pub place: Place,
    pub agent: String,
    pub secure: bool,
    /// What links to this site begin with: what `--public-url` says, or nothing.
    /// Never what a request calls the site, which a stranger chooses.
    pub base: String,
    pub path: String,
    /// When the head of the request was there. What is submitted counts when all of
    /// it is, which is later.
    pub received_at: i64,
    pub zone: jiff::tz::TimeZone,
    /// What is around every page.
    pub frame: Arc<Frame>,
}

impl Visitor {
    pub fn unknown(path: &str) -> Visitor {
        Visitor {
            session: None,
            caller: None,
            language: Language::default(),
            theme: Theme::default(),
            guest: String::new(),
            guest_is_new: false,
            device: None,
            errand: None,
            by_university: false,
            address: String::new(),
            place: Place::Unknown,
            agent: String::new(),
            secure: false,
            base: String::new(),
            path: path.to_owned(),
            received_at: now(),
            zone: jiff::tz::TimeZone::UTC,
            frame: Arc::default(),
        }
    }

    pub fn account(&self) -> Option<&Account> {
        let caller = self.caller.as_ref().map(|caller| &caller.account);
        self.session.as_ref().map(|session| &session.account).or(caller)
    }

    pub fn viewer(&self) -> Viewer {
        Viewer::of(self.account())
    }

    /// By what one visitor is told from another where all want the same.
    pub fn asker(&self) -> Asker {
        self.account().map_or(Asker::Guest(self.place), |account| Asker::Account(account.id))
    }

    pub fn signed_in(&self) -> Result<&Account, AppError> {
        self.account().ok_or(AppError::SignIn)
    }

    pub fn instructor(&self) -> Result<&Account, AppError> {
        let account = self.signed_in()?;
        if account.is_instructor() { Ok(account) } else { Err(AppError::Forbidden) }
    }

    pub fn is_instructor(&self) -> bool {
        self.account().is_some_and(Account::is_instructor)
    }

    /// The token that every form must bring back.
    pub fn csrf(&self) -> &str {
        self.session.as_ref().map_or(&self.guest, |session| &session.csrf)
    }

    pub fn is_token(&self, token: &str) -> bool {
        let known = self.session.is_some() || !self.guest_is_new;
        known && !token.is_empty() && secrets::equal(self.csrf(), token)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Visitor {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Visitor, AppError> {
        let visitor = parts.extensions.get::<Visitor>().cloned();
        visitor.ok_or_else(|| AppError::Internal(anyhow::anyhow!("a page outside the boundary")))
    }
}

/// Whether an address is that of a call, which programs ask and which knows no
/// cookies.
pub fn is_call(path: &str) -> bool {
    path.starts_with("/api/v1/")
}

pub async fn recognise(site: &Site, request: &Parts) -> Result<Visitor> {
    let received_at = now();
    let headers = &request.headers;
    let session = match cookie(headers, SESSION) {
        Some(token) if !is_call(request.uri.path()) => sessions::find(&site.database, token).await?,
        _ => None,
    };
    let chosen = cookie(headers, LANGUAGE).and_then(Language::of);
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let language = session.as_ref().map(|session| session.account.language).or(chosen);
    let token = |name: &str| cookie(headers, name).filter(|token| token.len() == 64).map(ToOwned::to_owned);
    let guest = token(GUEST);
    let address = address_of(&site.settings, request);
    let secure = is_secure(&site.settings, headers);
    Ok(Visitor {
        guest_is_new: guest.is_none(),
        guest: guest.unwrap_or_else(secrets::token),
        language: language.unwrap_or_else(|| Language::preferred(accepted)),
        theme: cookie(headers, THEME).and_then(Theme::of).unwrap_or_default(),
        session,
        caller: None,
        device: token(DEVICE),
        errand: cookie(headers, ERRAND).filter(|errand| errand.len() < 500).map(ToOwned::to_owned),
        by_university: site.settings.university.is_some(),
        place: Place::of_text(&address),
        address,
        agent: text(headers, &header::USER_AGENT).to_owned(),
        secure,
        base: site.settings.public_url.clone().unwrap_or_default(),
        path: request.uri.path().to_owned(),
        received_at,
        zone: site.settings.zone.clone(),
        frame: site.frames.current(&site.database).await,
    })
}

/// Gives a visitor who is not signed in a token for forms.
pub fn remember_guest(visitor: &Visitor, headers: &mut HeaderMap) {
    if visitor.session.is_none() && visitor.guest_is_new && !visitor.guest.is_empty() {
        set_cookie(headers, GUEST, &visitor.guest, visitor.secure, None);
    }
}

pub fn set_session(visitor: &Visitor, headers: &mut HeaderMap, token: &str) {
    set_cookie(headers, SESSION, token, visitor.secure, Some(30 * 86_400));
}

pub fn set_device(visitor: &Visitor, headers: &mut HeaderMap, token: &str) {
    set_cookie(headers, DEVICE, token, visitor.secure, Some(devices::LIFE_SECONDS));
}

pub fn clear_session(visitor: &Visitor, headers: &mut HeaderMap) {
    set_cookie(headers, SESSION, "", visitor.secure, Some(0));
}

pub fn set_cookie(headers: &mut HeaderMap, name: &str, value: &str, secure: bool, seconds: Option<u32>) {
    let life = seconds.map_or(String::new(), |seconds| format!("; Max-Age={seconds}"));
    let secure = if secure { "; Secure" } else { "" };
    if let Ok(value) = HeaderValue::from_str(&format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{life}{secure}")) {
        headers.append(header::SET_COOKIE, value);
    }
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies.flat_map(|value| value.split(';')).find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn is_secure(settings: &Settings, headers: &HeaderMap) -> bool {
    let forwarded = headers.get("x-forwarded-proto").is_some_and(|value| value == "https");
    settings.public_url.as_ref().is_some_and(|url| url.starts_with("https:")) || (settings.behind_proxy && forwarded)
}

/// The last proxy is ours, so the last address that it adds can be believed.
pub fn address(behind_proxy: bool, headers: &HeaderMap, peer: Option<SocketAddr>) -> String {
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back().and_then(|value| value.to_str().ok());
    if let Some(list) = forwarded.filter(|_| behind_proxy) {
        return list.rsplit(',').next().unwrap_or_default().trim().chars().take(64).collect();
    }
    peer.map_or(String::new(), |peer| peer.ip().to_string())
}

fn address_of(settings: &Settings, request: &Parts) -> String {
    let peer = request.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| *peer);
    address(settings.behind_proxy, &request.headers, peer)
}

/// Where a request comes from.
pub fn place(settings: &Settings, request: &Parts) -> Place {
    Place::of_text(&address_of(settings, request))
}

/// Whether a request that changes something comes from a page of this site.
/// Browsers say so themselves; of those that do not, the page's origin must be
/// ours. Where nobody has said what ours is, the host that the browser asked
/// decides: a stranger's page cannot choose that, and the token is needed too.
pub fn is_from_here(visitor: &Visitor, headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site == "same-origin" || site == "none";
    }
    let host =
        |url: &str| url.split_once("://").map_or("", |(_, rest)| rest.split('/').next().unwrap_or("")).to_owned();
    match text(headers, &header::ORIGIN) {
        "" => true,
        origin if visitor.base.is_empty() => host(origin) == text(headers, &header::HOST),
        origin => host(origin) == host(&visitor.base),
    }
}

/// Only for links that `accounts` has just made.
pub fn link(visitor: &Visitor, token: &str) -> String {
    format!("{}/link/{token}", visitor.base)
}
