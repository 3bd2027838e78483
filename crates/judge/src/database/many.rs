//! Statements about many rows at once.

/// Placeholders from `$first` on for a list of so many numbers, and how many there
/// are: rounded up, so that few statements are prepared. The rest is bound to
/// numbers that no row has.
pub fn placeholders(first: usize, count: usize) -> (String, usize) {
    let count = count.max(1).next_power_of_two();
    let list: Vec<String> = (first..first + count).map(|number| format!("${number}")).collect();
    (list.join(", "), count)
}

/// Some numbers, and others that no row has, so that there are `count` of them.
pub fn filled(numbers: impl Iterator<Item = i64>, count: usize) -> impl Iterator<Item = i64> {
    numbers.chain(std::iter::repeat(-1)).take(count)
}

/// Placeholders from `$1` on for rows of so many values each, and how many rows there
/// are: rounded up, as lists are. The rest is bound to rows with numbers that none has.
pub fn rows(count: usize, values: usize) -> (String, usize) {
    let count = count.max(1).next_power_of_two();
    let row = |row: usize| {
        let list: Vec<String> = (1..=values).map(|value| format!("${}", row * values + value)).collect();
        format!("({})", list.join(", "))
    };
    (Vec::from_iter((0..count).map(row)).join(", "), count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_rounded_up_and_filled() {
        assert_eq!(placeholders(3, 3), ("$3, $4, $5, $6".to_owned(), 4));
        assert_eq!(rows(3, 2), ("($1, $2), ($3, $4), ($5, $6), ($7, $8)".to_owned(), 4));
        assert_eq!(filled([7, 8, 9].into_iter(), 4).collect::<Vec<_>>(), [7, 8, 9, -1]);
    }
}
