//! What pages are made of.

use axum::http::StatusCode;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::database::{NumberedPart, Page, Part};
use crate::news::in_language;
use crate::submissions::Stage;
use crate::texts::{self, Language, Text};
use crate::web::{Theme, Visitor, assets};

/// A page: what it is called, where it is, and what is on it.
pub struct Sheet<'a> {
    pub title: &'a str,
    /// The pages above this one: address and name.
    pub crumbs: Vec<(String, String)>,
    pub body: Markup,
    /// Reload after some seconds where there is no script.
    pub reload: bool,
    /// Scripts besides the one that every page has.
    pub scripts: &'a [&'a str],
    /// What a link to the page shows elsewhere.
    pub preview: Option<Preview>,
}

/// How a link to a page looks where somebody posts it. Only for pages that a
/// stranger may see: whoever makes such previews is one.
pub struct Preview {
    pub about: String,
    /// The address of a picture on this site.
    pub picture: String,
}

impl Default for Sheet<'_> {
    fn default() -> Self {
        Sheet { title: "", crumbs: Vec::new(), body: html! {}, reload: false, scripts: &[], preview: None }
    }
}

impl Visitor {
    pub fn t(&self, text: Text) -> &'static str {
        self.language.of_text(text)
    }

    /// A number with a decimal point as the reader's language writes it.
    pub fn decimal(&self, number: &str) -> String {
        self.language.decimal(number)
    }

    /// A text with `{name}` replaced.
    pub fn fill(&self, text: Text, values: &[(&str, &str)]) -> String {
        let mut filled = self.t(text).to_owned();
        for (name, value) in values {
            filled = filled.replace(&format!("{{{name}}}"), value);
        }
        filled
    }

    pub fn page(&self, sheet: &Sheet) -> Markup {
        html! {
            (DOCTYPE)
            html lang=(self.language.code()) data-theme=[self.theme.forced()] {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content=(self.theme.schemes());
                    title { (sheet.title) " · Ludus" }
                    @if let Some(preview) = &sheet.preview { (self.preview(sheet.title, preview)) }
                    link rel="icon" href=(assets::address("icon.svg")) type="image/svg+xml";
                    link rel="stylesheet" href=(assets::address("site.css"));
                    script type="module" src=(assets::address("site.js")) {}
                    @for script in sheet.scripts { script type="module" src=(assets::address(script)) {} }
                    @if sheet.reload { noscript { meta http-equiv="refresh" content="2"; } }
                }
                body {
                    a.skip href="#main" { (self.t(texts::SKIP)) }
                    (self.header())
                    @for (id, titles) in &self.frame.incidents {
                        a.banner href={ "/news/" (id) } role="status" { strong { (self.t(texts::INCIDENT)) ": " } (in_language(titles, self.language)) }
                    }
                    main #main {
                        @if !sheet.crumbs.is_empty() {
                            nav.crumbs aria-label=(self.t(texts::BREADCRUMBS)) {
                                ol {
                                    @for (address, name) in &sheet.crumbs { li { a href=(address) { (name) } } }
                                    li aria-current="page" { (sheet.title) }
                                }
                            }
                        }
                        (sheet.body)
                    }
                    (self.footer())
                }
            }
        }
    }

    /// Pictures and addresses must be whole ones, which only `--public-url` can tell.
    fn preview(&self, title: &str, preview: &Preview) -> Markup {
        html! {
            meta name="description" content=(preview.about);
            meta property="og:site_name" content="Ludus";
            meta property="og:type" content="website";
            meta property="og:title" content=(title);
            meta property="og:description" content=(preview.about);
            @if !self.base.is_empty() {
                meta property="og:url" content={ (self.base) (self.path) };
                meta property="og:image" content={ (self.base) (preview.picture) };
                meta name="twitter:card" content="summary_large_image";
            }
        }
    }

    fn header(&self) -> Markup {
        let here = |address: &str| {
            let inside = if address == "/" { self.path == "/" } else { self.path.starts_with(address) };
            inside.then_some("page")
        };
        html! {
            header.site {
                a.brand href="/" { (logo()) span { "Ludus" } }
                nav aria-label=(self.t(texts::MAIN_MENU)) {
                    @if let Some(account) = self.account() {
                        a href="/" aria-current=[here("/")] { (self.t(texts::SEASONS)) }
                        a href="/submissions" aria-current=[here("/submissions")] { (self.t(texts::SUBMISSIONS)) }
                        a href="/matches" aria-current=[here("/matches")] { (self.t(texts::MATCHES)) }
                        @if account.may_submit() { a href="/training" aria-current=[here("/training")] { (self.t(texts::TRAINING_PAGE)) } }
                        @if account.is_instructor() {
                            a href="/desk" aria-current=[here("/desk")] { (self.t(texts::YOUR_DESK)) }
                            a href="/people" aria-current=[here("/people")] { (self.t(texts::PEOPLE)) }
                            a href="/course" aria-current=[here("/course")] { (self.t(texts::COURSE)) }
                            a href="/workshop" aria-current=[here("/workshop")] { (self.t(texts::WORKSHOP)) }
                        }
                    }
                }
                div.who {
                    @match self.account() {
                        Some(account) => {
                            a href="/account" aria-current=[here("/account")] { (account.name) }
                            form method="post" action="/sign-out" {
                                (self.token())
                                button.plain { (self.t(texts::SIGN_OUT)) }
                            }
                        }
                        None => a.button href="/sign-in" { (self.t(texts::SIGN_IN)) },
                    }
                }
            }
        }
    }

    fn footer(&self) -> Markup {
        html! {
            footer.site {
                form.languages method="post" action="/language" {
                    (self.token())
                    input type="hidden" name="next" value=(self.path);
                    @for language in Language::ALL {
                        button.plain name="language" value=(language.code()) lang=(language.code())
                            aria-pressed=(if language == self.language { "true" } else { "false" }) { (language.name()) }
                    }
                }
                form.languages method="post" action="/theme" aria-label=(self.t(texts::THEME)) {
                    (self.token())
                    input type="hidden" name="next" value=(self.path);
                    @for theme in Theme::ALL {
                        button.plain name="theme" value=(theme.word()) aria-pressed=(if theme == self.theme { "true" } else { "false" }) { (self.t(texts::theme(theme))) }
                    }
                }
                nav.links aria-label=(self.t(texts::COURSE_LINKS)) {
                    a href="/news" { (self.t(texts::NEWS)) }
                    a href="/status" { (self.t(texts::STATUS)) }
                    @for link in &self.frame.links { a href=(link.address) rel="noopener noreferrer" { (link.title) } }
                }
                p { "Ludus " (env!("CARGO_PKG_VERSION")) }
            }
        }
    }

    /// The hidden field that every form needs.
    pub fn token(&self) -> Markup {
        html! { input type="hidden" name="csrf" value=(self.csrf()); }
    }

    /// A moment in the course's time zone, as the reader's language writes it.
    pub fn time(&self, ms: i64) -> Markup {
        let (Ok(stamp), zone) = (jiff::Timestamp::from_millisecond(ms), self.zone.clone()) else {
            return html! { "?" };
        };
        let local = stamp.to_zoned(zone);
        html! { time datetime=(stamp.to_string()) { (local.strftime(self.t(texts::TIME_FORMAT)).to_string()) } }
    }

    /// A moment that matters to people elsewhere: with its time zone.
    pub fn date(&self, ms: i64) -> Markup {
        let zone = jiff::Timestamp::from_millisecond(ms).map(|stamp| stamp.to_zoned(self.zone.clone()));
        html! { (self.time(ms)) @if let Ok(zoned) = zone { " " span.zone { (zoned.strftime("%Z").to_string()) } } }
    }

    pub fn stage(&self, stage: Stage) -> Markup {
        html! { span class={ "badge " (stage.word()) } { (self.t(texts::stage(stage))) } }
    }

    /// A text to be copied; the script adds a button.
    pub fn copied(&self, id: &str, text: &str) -> Markup {
        html! { div.copied { input id=(id) readonly value=(text) data-copy=(self.t(texts::COPY)); } }
    }

    /// The pages of a list. `query` is the rest of the query, ending in `&` or empty.
    pub fn pager<T>(&self, listed: &NumberedPart<T>, query: &str) -> Markup {
        let last = ((listed.total + Page::SIZE - 1) / Page::SIZE).max(1);
        let number = listed.page.number;
        html! {
            @if last > 1 || number > 1 {
                nav.pager aria-label=(self.t(texts::PAGES)) {
                    @if number > 1 { a.button.quiet rel="prev" href={ "?" (query) "page=" (last.min(number - 1)) } { "← " (self.t(texts::PREVIOUS)) } }
                    span { (self.fill(texts::PAGE_OF, &[("page", &number.to_string()), ("pages", &last.to_string())])) }
                    @if number < last { a.button.quiet rel="next" href={ "?" (query) "page=" (number + 1) } { (self.t(texts::NEXT)) " →" } }
                }
            }
        }
    }

    /// The same for a list that nobody counts.
    pub fn further<T>(&self, part: &Part<T>, query: &str) -> Markup {
        html! {
            @if part.has_newer || part.older.is_some() {
                nav.pager aria-label=(self.t(texts::PAGES)) {
                    @if part.has_newer { a.button.quiet href={ "?" (query.trim_end_matches('&')) } { "← " (self.t(texts::NEWEST)) } }
                    @if let Some(older) = part.older { a.button.quiet rel="next" href={ "?" (query) "before=" (older) } { (self.t(texts::OLDER)) " →" } }
                }
            }
        }
    }

    /// What the last form has done, if the address says so.
    pub fn said(&self, key: Option<&str>) -> Markup {
        let text = key.and_then(|key| SAID.iter().find(|(known, _)| *known == key));
        html! { @if let Some((_, text)) = text { p.notice.good role="status" { (self.t(*text)) } } }
    }

    pub fn empty(&self, title: Text, hint: &Markup) -> Markup {
        html! { div.empty { p.strong { (self.t(title)) } p { (hint) } } }
    }
}

/// What forms say after they have done something, by the word in the address.
const SAID: [(&str, Text); 9] = [
    ("ended-all", texts::SAID_ENDED_ALL),
    ("made", texts::SAID_MADE),
    ("password", texts::SAID_PASSWORD),
    ("saved", texts::SAID_SAVED),
    ("ended", texts::SAID_ENDED),
    ("locked", texts::SAID_LOCKED),
    ("unlocked", texts::SAID_UNLOCKED),
    ("retried", texts::SAID_RETRIED),
    ("welcome", texts::SAID_WELCOME),
];

/// One input with its label, its hint and its error.
pub struct Field<'a> {
    pub name: &'a str,
    pub label: &'a str,
    pub kind: &'a str,
    pub value: &'a str,
    pub hint: &'a str,
    pub error: Option<&'a str>,
    pub required: bool,
    pub readonly: bool,
    pub autocomplete: &'a str,
    /// What the browser lets through; the hint says it in words.
    pub pattern: Option<&'a str>,
}

impl Default for Field<'_> {
    fn default() -> Self {
        Field {
            name: "",
            label: "",
            kind: "text",
            value: "",
            hint: "",
            error: None,
            required: true,
            readonly: false,
            autocomplete: "off",
            pattern: None,
        }
    }
}

impl Field<'_> {
    pub fn html(&self) -> Markup {
        let hint = format!("{}-hint", self.name);
        let error = format!("{}-error", self.name);
        let described = match (self.hint.is_empty(), self.error.is_some()) {
            (true, false) => None,
            (_, true) => Some(error.as_str()),
            (false, false) => Some(hint.as_str()),
        };
        html! {
            div.field {
                label for=(self.name) { (self.label) }
                input id=(self.name) name=(self.name) type=(self.kind) value=(self.value) required[self.required] readonly[self.readonly]
                    autocomplete=(self.autocomplete) pattern=[self.pattern] title=[self.pattern.map(|_| self.hint)] aria-describedby=[described]
                    aria-invalid=[self.error.map(|_| "true")];
                @if !self.hint.is_empty() { p.hint id=(hint) { (self.hint) } }
                @if let Some(text) = self.error { p.error id=(error) { (text) } }
            }
        }
    }
}

pub fn error_page(visitor: &Visitor, status: StatusCode, text: Text, id: &str) -> Markup {
    let title = status.as_u16().to_string();
    let body = html! {
        div.narrow.center {
            p.huge { (title) }
            h1 { (visitor.t(text)) }
            @match season_above(visitor, status) {
                Some(season) => p.actions.center { a.button href=(season) { (visitor.t(texts::THE_SEASON)) } a.button.quiet href="/" { (visitor.t(texts::TO_START)) } },
                None => p { a.button href="/" { (visitor.t(texts::TO_START)) } },
            }
            p.quiet { (visitor.t(texts::REQUEST_ID)) " " code { (id) } }
        }
    };
    visitor.page(&Sheet { title: &title, body, ..Sheet::default() })
}

/// The season on whose pages something was refused. Of what does not exist nothing
/// is known.
fn season_above(visitor: &Visitor, status: StatusCode) -> Option<String> {
    let (slug, _) = visitor.path.strip_prefix("/seasons/")?.split_once('/')?;
    let is_slug = !slug.is_empty() && slug.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (is_slug && status.is_client_error() && status != StatusCode::NOT_FOUND).then(|| format!("/seasons/{slug}"))
}

/// Four seats around a board.
fn logo() -> PreEscaped<&'static str> {
    PreEscaped(
        "<svg viewBox=\"0 0 32 32\" width=\"28\" height=\"28\" aria-hidden=\"true\"><rect class=\"a\" x=\"2\" y=\"2\" width=\"13\" height=\"13\" rx=\"4\"/><rect class=\"b\" x=\"17\" y=\"2\" width=\"13\" height=\"13\" rx=\"4\"/><rect class=\"c\" x=\"17\" y=\"17\" width=\"13\" height=\"13\" rx=\"4\"/><rect class=\"d\" x=\"2\" y=\"17\" width=\"13\" height=\"13\" rx=\"4\"/></svg>",
    )
}
