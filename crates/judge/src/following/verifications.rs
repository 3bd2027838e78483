//! Verifications that are followed by their authors.

use std::time::Duration;

use anyhow::Result;

use super::followers::{Known, Topic};
use crate::database::Database;
use crate::ids::SubmissionId;
use crate::submissions::{self, Mark};

#[derive(Debug)]
pub struct Verifications;

impl Topic for Verifications {
    type Id = SubmissionId;
    type News = Mark;
    const NAME: &str = "verifications";
    const ASKED_EVERY: Duration = Duration::from_millis(300);
    const MOST_OF_PLACE: usize = 0;

    async fn look(database: &Database, known: Known<Self>) -> Result<Known<Self>> {
        let mut marks = submissions::marks_of_undecided(database).await?;
        let mut found = Known::<Self>::new();
        for id in known.into_keys() {
            let mark = match marks.remove(&id) {
                Some(mark) => Some(mark),
                None => submissions::mark(database, id).await?,
            };
            found.insert(id, mark);
        }
        Ok(found)
    }
}
