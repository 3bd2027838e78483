//! Finds code that programs of different authors share, and shows it.
//!
//! A source becomes [units](lower), the steps that are left when names, types,
//! literals, layout and the choice among equal ways of writing are taken away.
//! Pairs of units near each other are its fingerprints, some of which are kept
//! by winnowing to find other sources with them. Two sources that share some are
//! laid against each other, and what they share is put together into regions.
//! What comes with the course counts for nothing, and what many have for little.
//!
//! Nothing here decides that somebody has copied: that is for people who read
//! the two sources side by side.

mod chosen;
mod collect;
mod compare;
mod corpus;
mod course;
mod fingerprints;
mod language;
mod lower;
mod macros;
mod matching;
mod memory;
mod naming;
mod parallel;
mod report;
mod rings;
mod sketch;
mod syntax;
mod weights;

pub use collect::{Collection, author_of};
pub use compare::{Analysed, DEFAULT_THRESHOLD, Match, Options, Source, Templates};
pub use corpus::{Corpus, CorpusError};
pub use course::{given, templates};
pub use language::Language;
pub use lower::Unit;
pub use matching::Region;
pub use parallel::use_one_thread;
pub use report::{Behaviour, COLOURS, Report, ReportPair, ReportSource, Run, SCRIPT, side};
pub use sketch::{Search, Sketch, Tallies, compare_new};
pub use syntax::{MAX_BYTES, Refused};
