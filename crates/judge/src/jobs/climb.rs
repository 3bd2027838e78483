//! Playing matches of a ladder.

use anyhow::Result;

use super::{Environment, Task};
use crate::ids::SeasonId;
use crate::ladder::playing;
use crate::queue::Lease;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Climb {
    pub season: SeasonId,
}

impl Task for Climb {
    const KIND: &'static str = "ladder";
    const RANK: i64 = 0;

    fn about(subject: i64) -> Climb {
        Climb { season: SeasonId(subject) }
    }

    fn subject(self) -> i64 {
        self.season.0
    }

    async fn run(self, environment: &Environment, lease: &Lease) -> Result<()> {
        playing::play(environment, lease, self.season).await
    }
}
