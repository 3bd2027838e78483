//! Who is in a round, and with which player.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Hash;

/// The most authors of a round.
pub const MOST_AUTHORS: usize = 10_000;

/// Somebody who takes part, by the number that they have in the season.
///
/// Numbers are given out once and published before the first round: the order
/// of a field follows them, so nobody can arrange a field to steer the draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Author(pub u32);

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "author {}", self.0)
    }
}

/// An author, and the module that represents them in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Representative {
    pub author: Author,
    pub module: Hash,
}

/// The representatives of a round, in the order of their authors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field(Vec<Representative>);

/// Why a list of representatives is no field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    #[error("nobody takes part")]
    Empty,
    #[error("more than {MOST_AUTHORS} authors take part")]
    TooMany,
    #[error("{0} takes part twice")]
    Twice(Author),
}

impl Field {
    /// The order in which representatives are given does not matter.
    pub fn new(representatives: impl IntoIterator<Item = Representative>) -> Result<Field, FieldError> {
        let mut field: Vec<Representative> = representatives.into_iter().take(MOST_AUTHORS + 1).collect();
        if field.is_empty() {
            return Err(FieldError::Empty);
        }
        if field.len() > MOST_AUTHORS {
            return Err(FieldError::TooMany);
        }
        field.sort_by_key(|one| one.author);
        match field.windows(2).find(|pair| pair[0].author == pair[1].author) {
            Some(pair) => Err(FieldError::Twice(pair[0].author)),
            None => Ok(Field(field)),
        }
    }

    /// How many there are; never 0.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Representative> {
        self.0.iter()
    }

    pub fn authors(&self) -> impl ExactSizeIterator<Item = Author> {
        self.0.iter().map(|one| one.author)
    }

    pub fn module(&self, author: Author) -> Option<Hash> {
        let at = self.0.binary_search_by_key(&author, |one| one.author).ok()?;
        Some(self.0[at].module)
    }

    /// The field without one of its authors; `None` if nobody would be left.
    pub fn without(&self, author: Author) -> Option<Field> {
        let left: Vec<Representative> = self.0.iter().copied().filter(|one| one.author != author).collect();
        (!left.is_empty()).then_some(Field(left))
    }

    /// A digest of who takes part with which module.
    pub fn digest(&self) -> Hash {
        let count = self.0.len() as u32;
        let mut bytes = count.to_le_bytes().to_vec();
        for one in &self.0 {
            bytes.extend_from_slice(&one.author.0.to_le_bytes());
            bytes.extend_from_slice(&one.module.0);
        }
        Hash::of_parts(&[b"ludus field 1\0", &bytes])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(author: u32) -> Representative {
        Representative { author: Author(author), module: Hash([author as u8; 32]) }
    }

    #[test]
    fn a_field_is_a_set_in_the_order_of_authors() {
        let field = Field::new([one(7), one(2), one(9)]).unwrap();
        assert_eq!(field, Field::new([one(2), one(9), one(7)]).unwrap());
        assert!(field.authors().eq([2, 7, 9].map(Author)));
        assert_eq!(field.module(Author(7)), Some(Hash([7; 32])));
        assert_eq!(field.module(Author(8)), None);
        assert!(field.without(Author(7)).unwrap().authors().eq([2, 9].map(Author)));
        assert_eq!(Field::new([one(1)]).unwrap().without(Author(1)), None);
        assert_eq!(Field::new([]), Err(FieldError::Empty));
        assert_eq!(Field::new([one(3), one(1), one(3)]), Err(FieldError::Twice(Author(3))));
        assert_eq!(Field::new((0..=MOST_AUTHORS as u32).map(one)), Err(FieldError::TooMany));
    }

    #[test]
    fn the_digest_covers_authors_and_modules() {
        let digest = |field: [Representative; 2]| Field::new(field).unwrap().digest();
        let (first, second) = (one(1), one(2));
        assert_eq!(digest([first, second]), digest([second, first]));
        let other = Representative { module: Hash([9; 32]), ..second };
        assert_ne!(digest([first, second]), digest([first, other]));
        assert_ne!(digest([first, second]), digest([first, Representative { author: Author(3), ..second }]));
    }
}
