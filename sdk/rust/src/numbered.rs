//! Enumerations by number, for what the games count from 0.

/// An enumeration whose values have the numbers of the game, from 0.
macro_rules! numbered {
    ($(#[$about:meta])* $name:ident { $($(#[$about_value:meta])* $value:ident),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum $name {
            $($(#[$about_value])* $value),+
        }

        impl $name {
            /// All of them, by number.
            pub const ALL: [$name; [$($name::$value),+].len()] = [$($name::$value),+];

            /// The one with this number.
            #[inline]
            pub fn from_number(number: i32) -> Option<$name> {
                $name::ALL.get(number as usize).copied()
            }

            /// Its number, to index with.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(self, f)
            }
        }
    };
}

pub(crate) use numbered;
