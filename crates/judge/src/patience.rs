//! How much CPU a job may take before others go first.
//!
//! Nobody can tell beforehand which source compiles for a minute and which match
//! lasts for ten. So every job is begun with little patience, which is enough for
//! nearly all. One that takes more is stopped and waits for its turn among the slow
//! ones, of which few are done at a time, and is begun again with more patience.
//! However many slow ones there are, what is quick waits for each of them for
//! seconds only. Nobody is judged by it: the last time there is no limit but
//! those of the verdict.

use std::time::Duration;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Patience {
    /// More than compiling a usual source takes, or a match of quick players.
    #[default]
    Little,
    /// More than four honest players take that use all the time they have.
    Usual,
    Endless,
}

/// A job was stopped because it took longer than there was patience for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it takes long, and has to wait for its turn among the slow ones")]
pub struct TooSlow;

impl Patience {
    const LITTLE: Duration = Duration::from_secs(4);
    const USUAL: Duration = Duration::from_secs(16);

    /// What there is for a job that was stopped.
    pub fn more(self) -> Patience {
        match self {
            Patience::Little => Patience::Usual,
            Patience::Usual | Patience::Endless => Patience::Endless,
        }
    }

    /// The CPU time that compilers get for a source, if there is a limit.
    pub fn for_compilers(self) -> Option<Duration> {
        self.for_match(Duration::ZERO)
    }

    /// The CPU time of a match whose players have so much each.
    pub fn for_match(self, of_player: Duration) -> Option<Duration> {
        match self {
            Patience::Little => Some(Patience::LITTLE),
            // Honest players take up to three times what their fuel stands for.
            Patience::Usual => Some(Patience::USUAL.max(of_player * 16)),
            Patience::Endless => None,
        }
    }
}
