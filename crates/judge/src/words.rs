//! Enums that the database and addresses know by words.

/// An enum with a word for each of its values. A word that has been stored once
/// is never changed.
macro_rules! words {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$note:meta])* $one:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$note])* $one,)*
        }

        impl $name {
            pub const ALL: [$name; [$($word),*].len()] = [$($name::$one),*];

            pub fn word(self) -> &'static str {
                match self {
                    $($name::$one => $word,)*
                }
            }

            pub fn of(word: &str) -> Option<$name> {
                $name::ALL.into_iter().find(|one| one.word() == word)
            }
        }

        $crate::database::stored_as!($name, String, |one| one.word().to_owned(), |word| $name::of(&word));
    };
}

pub(crate) use words;
