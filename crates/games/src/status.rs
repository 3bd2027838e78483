//! How much of its CPU a seat has used.
//!
//! The only real numbers in this crate, because records hold them. No rule
//! looks at a status: it is shown to players and written to records.
#![allow(clippy::float_arithmetic)]

use std::fmt;

/// The fraction of CPU used so far, from 0 to 1, or -1 once the seat is frozen.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Status(f64);

impl Status {
    pub const UNUSED: Status = Status(0.0);
    pub const FROZEN: Status = Status(-1.0);

    pub fn used(fraction: f64) -> Status {
        Status(fraction.clamp(0.0, 1.0))
    }

    /// The part of `most` that has been used.
    pub fn share(used: u64, most: u64) -> Status {
        Status::used(used as f64 / most.max(1) as f64)
    }

    pub fn is_frozen(self) -> bool {
        self.0 < 0.0
    }

    pub fn fraction(self) -> f64 {
        self.0
    }

    /// A status as records write it. Only finite plain decimal numbers are taken.
    pub fn parse(word: &[u8]) -> Option<Status> {
        let plain = |c: &u8| matches!(c, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e');
        if word.len() > 32 || !word.iter().all(plain) {
            return None;
        }
        let value: f64 = std::str::from_utf8(word).ok()?.parse().ok()?;
        value.is_finite().then_some(Status(value))
    }
}

/// Six significant digits without trailing zeros, in exponent form when small:
/// the format of C++ streams, `%g`.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0.0 {
            return f.write_str("0");
        }
        let scientific = format!("{:.5e}", self.0);
        let (mantissa, exponent) = scientific.split_once('e').expect("the format has an exponent");
        let exponent: i32 = exponent.parse().expect("the exponent is an integer");
        if (-4..6).contains(&exponent) {
            f.write_str(trimmed(&format!("{:.*}", (5 - exponent) as usize, self.0)))
        } else {
            let sign = if exponent < 0 { '-' } else { '+' };
            write!(f, "{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
        }
    }
}

fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_as_streams_write_it() {
        for text in [
            "0",
            "-1",
            "1",
            "0.00333333",
            "0.0133333",
            "0.256667",
            "0.11",
            "1e-05",
            "2.5e-07",
            "0.0001",
            "123456",
            "1.23457e+06",
        ] {
            let status = Status::parse(text.as_bytes()).unwrap();
            assert_eq!(status.to_string(), text);
        }
        assert_eq!(Status::used(1.0 / 3.0).to_string(), "0.333333");
        assert_eq!(Status::used(0.9999996).to_string(), "1");
    }

    #[test]
    fn rubbish_is_refused() {
        for text in ["", "nan", "inf", "x", "1e999", "--1", "0x10"] {
            assert_eq!(Status::parse(text.as_bytes()), None, "{text}");
        }
    }
}
