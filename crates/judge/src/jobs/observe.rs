//! Asking two players whose sources are alike what they would do.

use anyhow::Result;

use super::{Environment, Task};
use crate::ids::LikenessId;
use crate::likeness::players;
use crate::queue::{Dispatch as _, Lease};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observe {
    pub likeness: LikenessId,
}

impl Task for Observe {
    const KIND: &'static str = "observe";
    const RANK: i64 = 0;

    fn about(subject: i64) -> Observe {
        Observe { likeness: LikenessId(subject) }
    }

    fn subject(self) -> i64 {
        self.likeness.0
    }

    async fn run(self, environment: &Environment, lease: &Lease) -> Result<()> {
        let Environment { database, queue, .. } = environment;
        let seen = players::look(environment, self.likeness).await?;
        let mut tx = database.begin().await?;
        if !queue.finish(&mut tx, lease).await? {
            return Ok(());
        }
        if let Some(seen) = seen {
            players::store(&mut tx, self.likeness, &seen).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}
