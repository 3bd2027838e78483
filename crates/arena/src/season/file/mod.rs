//! Round files: everything that proves an official round, in one signed file.
//!
//! `docs/season.md` describes the format to the byte. A file is written from a
//! round that is over; the same inputs give the same bytes. Reading trusts
//! nothing: the signature is looked at before the manifest, every length is
//! compared with what is there, and every claim is worked out again.
//!
//! [`RoundFile::read`] checks that the file is whole and signed,
//! [`RoundFile::check`] everything but the matches, and [`RoundFile::prove`]
//! plays one match again. What any of them finds is a [`Failure`], which names
//! the match and the reason.

mod check;
mod failure;
mod key;
mod manifest;
mod read;
mod write;

pub use failure::{Failure, Place, Reason};
pub use key::{CourseKey, PublicKey};
pub use manifest::{Manifest, MatchEntry, PlayerEntry, StageEntry};
pub use read::{RoundFile, is_round_file};
pub use write::{Facts, NotWritten, write};

/// The version of the format that is written.
pub const VERSION: u16 = 1;

/// The largest file that is worth reading, in bytes.
pub const LARGEST: u64 = 1 << 30;

/// What every round file begins with.
const MAGIC: [u8; 6] = *b"\x93ROUND";

/// The largest manifest.
const LARGEST_MANIFEST: usize = 32 << 20;

/// The longest texts in a manifest, in bytes.
const LONGEST_TEXT: usize = 256;
