//! The site: what every page shares.

pub mod assets;
pub mod boundary;
pub mod crowd;
pub mod error;
pub mod forms;
pub mod gate;
pub mod packing;
pub mod patience;
pub mod place;
pub mod problem;
pub mod serve;
mod theme;
pub mod turns;
pub mod unsent;
pub mod visitor;
mod welcome;

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Query};
use axum::response::Response;

use ludus_arena::season::file::CourseKey;

use crate::database::Database;
use crate::following::Following;
use crate::frame::Frames;
use crate::intake::Quota;
use crate::kit::Program;
use crate::ladder::Steward;
use crate::mail::Mail;
use crate::official::director::Director;
use crate::official::final_director::FinalDirector;
use crate::postman::{PostOffice, Postman};
use crate::queue::Queue;
use crate::secrets::Passwords;
use crate::store::Store;
use crate::throttle::Throttle;
use crate::university::University;

use boundary::ErrorPage;
pub use error::AppError;
pub use forms::{Fields, Upload};
use gate::Gate;
pub use problem::Problem;
pub use theme::Theme;
use turns::Turns;
pub use visitor::{Asker, Visitor};
pub use welcome::while_signed_in;

/// What a handler gives.
pub type Answer = Result<Response, AppError>;

/// What stands in an address behind its `?`, by name.
pub type Asked = Query<HashMap<String, String>>;

/// Everything that handlers need.
#[derive(Clone, Debug)]
pub struct Site {
    pub database: Database,
    pub queue: Queue,
    pub store: Store,
    pub passwords: Passwords,
    pub throttle: Arc<Throttle>,
    pub following: Arc<Following>,
    pub gates: Gates,
    /// Where letters wait.
    pub post: Arc<PostOffice>,
    /// What is around every page.
    pub frames: Arc<Frames>,
    pub settings: Arc<Settings>,
    /// What the course signs its rounds with.
    pub key: CourseKey,
}

impl Site {
    /// What starts the rounds of this site's seasons.
    pub fn director(&self) -> Director {
        Director { database: self.database.clone(), queue: self.queue.clone(), zone: self.settings.zone.clone() }
    }

    /// What looks after the ladders of this site.
    pub fn steward(&self) -> Steward {
        Steward { database: self.database.clone(), queue: self.queue.clone() }
    }

    /// What sends the letters of this site, if it knows a mail server.
    pub fn postman(&self) -> Option<Postman> {
        let mail = self.settings.mail.clone()?;
        Some(Postman {
            database: self.database.clone(),
            mail,
            office: self.post.clone(),
            base: self.settings.public_url.clone().unwrap_or_default(),
        })
    }

    /// What plays the finals of this site in advance.
    pub fn final_director(&self) -> FinalDirector {
        FinalDirector {
            database: self.database.clone(),
            queue: self.queue.clone(),
            store: self.store.clone(),
            key: self.key.clone(),
        }
    }
}

/// The doors to what costs much; passwords have their own.
#[derive(Clone, Debug)]
pub struct Gates {
    /// Bodies of people who are signed in, in memory until they are whole.
    pub bodies: Gate<Asker>,
    /// Everything that is asked for without a body.
    pub turns: Turns,
    /// Round files: every match of a round is played again before one is signed.
    pub proofs: Gate<Asker>,
    /// Kits with the program in them, while they are sent.
    pub kits: Gate<Asker>,
    /// Letters that strangers ask for, while they are looked up.
    pub letters: Gate<Asker>,
    /// Changes of passwords, two of them of one person.
    pub changes: Gate<Asker>,
}

impl Default for Gates {
    fn default() -> Self {
        Gates {
            bodies: Gate::new(128, 256, 8),
            turns: Turns::new(32),
            proofs: Gate::new(1, 64, 4),
            kits: Gate::new(16, 64, 2),
            letters: Gate::new(8, 512, 32),
            changes: Gate::new(64, 64, 2),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Settings {
    /// The address that others use. What requests call the site is never asked.
    pub public_url: Option<String>,
    /// Whether a proxy in front tells who asks and how.
    pub behind_proxy: bool,
    /// The time zone in which dates are shown and read.
    pub zone: jiff::tz::TimeZone,
    /// How much one person may submit.
    pub quota: Quota,
    /// Whether players in Rust are taken: where there is a compiler for them.
    pub rust: bool,
    /// The program that goes with kits, if there is one.
    pub program: Option<Arc<Program>>,
    /// The server that takes letters, if there is one.
    pub mail: Option<Mail>,
    /// By whom people may be told to be who they say, if anybody.
    pub university: Option<University>,
}

/// Pages, and the files they need, inside the boundary.
pub fn bounded(pages: Router<Site>, error_page: ErrorPage, site: &Site) -> Router<Site> {
    pages
        .merge(assets::routes())
        .fallback(|| async { AppError::NotFound })
        // Forms have limits of their own, which depend on who sends them.
        .layer(DefaultBodyLimit::disable())
        .layer(axum::middleware::from_fn_with_state((site.clone(), error_page), boundary::boundary))
}
