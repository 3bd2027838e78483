//! Writing records: integers and words into a byte buffer, without detours.

/// What record writers need of a buffer.
pub trait WriteText {
    fn text(&mut self, text: &str);
    fn int(&mut self, value: impl Into<i64>);
}

impl WriteText for Vec<u8> {
    #[inline]
    fn text(&mut self, text: &str) {
        self.extend_from_slice(text.as_bytes());
    }

    #[inline]
    fn int(&mut self, value: impl Into<i64>) {
        let value = value.into();
        match value {
            0..=9 => self.push(b'0' + value as u8),
            10..=99 => self.extend_from_slice(&[b'0' + (value / 10) as u8, b'0' + (value % 10) as u8]),
            _ => long_int(self, value),
        }
    }
}

fn long_int(out: &mut Vec<u8>, value: i64) {
    // What records are full of: numbers of units, and "none".
    match value {
        -9..=-1 => return out.extend_from_slice(&[b'-', b'0' + -value as u8]),
        100..=999 => {
            let (hundreds, rest) = (value as u32 / 100, value as u32 % 100);
            return out.extend_from_slice(&[hundreds, rest / 10, rest % 10].map(|digit| b'0' + digit as u8));
        }
        _ => {}
    }
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut rest = value.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_every_length() {
        for value in [0, 7, 10, 99, 100, 101, 345, 999, 1000, 12345, i64::MAX, -1, -9, -10, -123, i64::MIN] {
            let mut out = Vec::new();
            out.int(value);
            assert_eq!(out, value.to_string().as_bytes());
        }
    }
}
