//! What workers do. Each kind of work is a type with its own `run`, in a file of
//! its own.
//!
//! A new kind is a file here and its name in `kinds!`. It may be *done* twice, by
//! workers that do not know of each other, so its `run` ends with one transaction
//! that finishes the job, stores the result and offers what comes next: a crash
//! at any moment leaves either all of that or nothing.

mod climb;
mod compare;
mod compile;
mod consequences;
mod environment;
mod observe;
mod play;
mod prove;
pub(crate) mod together;

use anyhow::Result;

use crate::queue::Lease;

pub use climb::Climb;
pub use compare::Compare;
pub use compile::Compile;
pub use environment::{Environment, Machines};
pub use observe::Observe;
pub use play::Play;
pub use prove::Prove;

/// A kind of work, about one thing that has a number.
pub trait Task: Copy + Send + Sync {
    /// The word under which the queue keeps it.
    const KIND: &'static str;
    /// What goes first among jobs that were given the same turn: a smaller number.
    const RANK: i64;

    fn about(subject: i64) -> Self;
    fn subject(self) -> i64;

    /// Does it. An error is the judge's own trouble, and it is tried again.
    fn run(self, environment: &Environment, lease: &Lease) -> impl Future<Output = Result<()>> + Send;
}

macro_rules! kinds {
    ($($kind:ident),*) => {
        /// Something to be done, of any kind.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Job {
            $($kind($kind)),*
        }

        $(impl From<$kind> for Job {
            fn from(task: $kind) -> Job {
                Job::$kind(task)
            }
        })*

        impl Job {
            /// A job as the queue keeps it; none of a kind that only a newer Ludus knows.
            pub fn of(kind: &str, subject: i64) -> Option<Job> {
                match kind {
                    $(<$kind as Task>::KIND => Some($kind::about(subject).into()),)*
                    _ => None,
                }
            }

            pub fn kind(self) -> &'static str {
                match self {
                    $(Job::$kind(_) => <$kind as Task>::KIND,)*
                }
            }

            pub fn subject(self) -> i64 {
                match self {
                    $(Job::$kind(task) => task.subject(),)*
                }
            }

            pub fn rank(self) -> i64 {
                match self {
                    $(Job::$kind(_) => <$kind as Task>::RANK,)*
                }
            }

            pub async fn run(self, environment: &Environment, lease: &Lease) -> Result<()> {
                match self {
                    $(Job::$kind(task) => task.run(environment, lease).await,)*
                }
            }
        }
    };
}

kinds!(Compile, Play, Climb, Compare, Observe, Prove);
