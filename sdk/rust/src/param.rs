//! Parameters of a player: constants, of which `ludus tune` tries other values.

use std::sync::atomic::{AtomicU64, Ordering};

/// Declares a parameter: its name, its type, its value, and the least and the
/// most that is worth trying, all plain numbers. It is read like a function.
///
/// ```
/// use ludus_player::ludus_param;
///
/// ludus_param!(patience: i32 = 12, 0, 40);
/// ludus_param!(boldness: f64 = 0.35, 0.0, 1.0);
///
/// assert_eq!(patience() + 1, 13);
/// ```
///
/// Everywhere but in `ludus tune` it is a constant.
#[macro_export]
macro_rules! ludus_param {
    ($name:ident : $type:ty = $standard:expr, $low:expr, $high:expr $(,)?) => {
        #[allow(dead_code)]
        #[inline(always)]
        const fn $name() -> $type {
            $standard
        }
    };
}

/// What `ludus tune` makes of a parameter.
#[doc(hidden)]
#[macro_export]
macro_rules! ludus_tuned {
    ($number:literal, $name:ident : $type:ty = $standard:expr, $low:expr, $high:expr $(,)?) => {
        #[allow(dead_code)]
        fn $name() -> $type {
            match $crate::param::given($number) {
                Some(value) => value as $type,
                None => $standard,
            }
        }
    };
}

/// What `ludus tune` adds to a player.
#[doc(hidden)]
#[macro_export]
macro_rules! ludus_tune_table {
    () => {
        #[unsafe(no_mangle)]
        pub extern "C" fn ludus_tune(number: i32, value: f64) {
            $crate::param::give(number, value);
        }
    };
}

/// No number that anybody gives has these bits.
const NONE: u64 = u64::MAX;

static GIVEN: [AtomicU64; 64] = [const { AtomicU64::new(NONE) }; 64];

pub fn give(number: i32, value: f64) {
    if let Some(place) = usize::try_from(number).ok().and_then(|number| GIVEN.get(number)) {
        place.store(value.to_bits(), Ordering::Relaxed);
    }
}

#[inline]
pub fn given(number: usize) -> Option<f64> {
    let bits = GIVEN[number].load(Ordering::Relaxed);
    (bits != NONE).then(|| f64::from_bits(bits))
}

#[cfg(test)]
mod tests {
    ludus_tuned!(63, tuned: i32 = 7, 0, 9);
    ludus_param!(fixed: f64 = 0.5, 0.0, 1.0);

    #[test]
    fn parameters_take_what_they_are_given() {
        assert_eq!((tuned(), fixed()), (7, 0.5));
        super::give(63, 3.0);
        super::give(64, 3.0);
        super::give(-1, 3.0);
        assert_eq!(tuned(), 3);
    }
}
