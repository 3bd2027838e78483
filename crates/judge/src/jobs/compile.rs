//! Compiling a submission.

use anyhow::{Result, anyhow};

use super::{Environment, Task};
use crate::ids::SubmissionId;
use crate::queue::{Dispatch as _, Lease};
use crate::{seasons, submissions, traces, verification};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compile {
    pub submission: SubmissionId,
}

impl Task for Compile {
    const KIND: &'static str = "compile";
    // A submission begins with it, and what is begun is finished first.
    const RANK: i64 = 1;

    fn about(subject: i64) -> Compile {
        Compile { submission: SubmissionId(subject) }
    }

    fn subject(self) -> i64 {
        self.submission.0
    }

    async fn run(self, environment: &Environment, lease: &Lease) -> Result<()> {
        let Environment { database, queue, machines, .. } = environment;
        let submission = submissions::find(database, self.submission)
            .await?
            .ok_or_else(|| anyhow!("there is no submission {}", self.submission))?;
        submissions::begin(database, submission.id).await?;
        let season = seasons::by_id(database, submission.season_id).await?;
        let source = submissions::source(database, submission.id).await?;
        let (machines, name, language) = (machines.clone(), submission.name.clone(), submission.language);
        let compiled = traces::span(
            "compile",
            &[],
            tokio::task::spawn_blocking(move || machines.compile(&season, &name, language, &source)),
        )
        .await??;
        let mut tx = database.begin().await?;
        if !queue.finish(&mut tx, lease).await? {
            return Ok(());
        }
        submissions::hold(&mut tx, submission.id).await?;
        verification::compiled(&mut tx, queue, &submission, compiled).await?;
        tx.commit().await?;
        queue.announce();
        Ok(())
    }
}
