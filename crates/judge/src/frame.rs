//! What is around every page, and what all see alike: the course's own links, the
//! banner of an incident, and how many take part in each season. It is read now and
//! then, not for every page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::clock::steady;
use crate::database::Database;
use crate::ids::{NewsId, SeasonId};
use crate::news::{self, InLanguages};
use crate::{course, log, submissions};

#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub links: Vec<Link>,
    /// Incidents that are not over.
    pub incidents: Vec<(NewsId, InLanguages)>,
    /// People who have a player, by season.
    pub participants: HashMap<SeasonId, i64>,
}

/// A title and an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub title: String,
    pub address: String,
}

/// So old may a frame be.
const FRESH: Duration = Duration::from_secs(2);

/// The frame as it was last read.
#[derive(Debug, Default)]
pub struct Frames(Mutex<Option<(Duration, Arc<Frame>)>>);

impl Frames {
    pub async fn current(&self, database: &Database) -> Arc<Frame> {
        let known = self.known();
        if let Some((read_at, frame)) = &known
            && steady() < *read_at + FRESH
        {
            return frame.clone();
        }
        // Whoever comes meanwhile has the old one.
        let old = known.map(|(_, frame)| frame).unwrap_or_default();
        self.set(&old);
        match read(database).await {
            Ok(frame) => {
                let frame = Arc::new(frame);
                self.set(&frame);
                frame
            }
            Err(error) => {
                log::error(&format!("the links, incidents and participants of the course cannot be read: {error:#}"));
                old
            }
        }
    }

    /// After a change by this process.
    pub fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn known(&self) -> Option<(Duration, Arc<Frame>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, frame: &Arc<Frame>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((steady(), frame.clone()));
    }
}

async fn read(database: &Database) -> anyhow::Result<Frame> {
    let links = course::links(database).await?;
    let incidents = news::open_incidents(database).await?;
    Ok(Frame {
        links: links.lines().filter_map(read_link).collect(),
        incidents: incidents.into_iter().map(|one| (one.id, one.titles)).collect(),
        participants: submissions::count_authors(database).await?,
    })
}

/// A line of the course's links: a title, a bar, an address of the web.
pub fn read_link(line: &str) -> Option<Link> {
    let (title, address) = line.rsplit_once('|')?;
    let (title, address) = (title.trim(), address.trim());
    let is_web = ["https://", "http://"].iter().any(|scheme| address.starts_with(scheme));
    let is_plain = !address.chars().any(|c| c.is_whitespace() || c.is_control());
    let fits = title.chars().count() <= 40 && address.len() <= 500;
    (is_web && is_plain && fits && !title.is_empty())
        .then(|| Link { title: title.to_owned(), address: address.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_titles_and_addresses_of_the_web() {
        let link = read_link(" Forum | https://forum.example.edu/x?a|b ");
        assert_eq!(link, None, "a bar in an address is written %7C");
        let link = read_link(" The | forum | https://forum.example.edu/ ").unwrap();
        assert_eq!((link.title.as_str(), link.address.as_str()), ("The | forum", "https://forum.example.edu/"));
        for wrong in
            ["", "Forum", "| https://x.edu", "Forum | javascript:alert(1)", "Forum | /people", "F | https://x y"]
        {
            assert_eq!(read_link(wrong), None, "{wrong}");
        }
    }
}
