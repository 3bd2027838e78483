//! Comparing the source of an accepted player with all others.

use anyhow::Result;

use super::{Environment, Task};
use crate::ids::SubmissionId;
use crate::likeness::{self, comparing};
use crate::queue::{Dispatch as _, Lease};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compare {
    pub submission: SubmissionId,
}

impl Task for Compare {
    const KIND: &'static str = "compare";
    const RANK: i64 = 0;

    fn about(subject: i64) -> Compare {
        Compare { submission: SubmissionId(subject) }
    }

    fn subject(self) -> i64 {
        self.submission.0
    }

    async fn run(self, environment: &Environment, lease: &Lease) -> Result<()> {
        let Environment { database, queue, .. } = environment;
        let found = comparing::compare(database, &environment.machines, self.submission).await?;
        let mut tx = database.begin().await?;
        if !queue.finish(&mut tx, lease).await? {
            return Ok(());
        }
        for one in &found {
            likeness::store(&mut tx, one).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}
