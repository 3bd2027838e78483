//! The puzzle of a spell: fifteen ingredients to be split into five groups of
//! three with the same sum.

use crate::Generator;

pub const INGREDIENTS: usize = 15;
pub const GROUP: usize = 3;

/// No spell works in so many rounds before the end.
pub const LAST_ROUNDS: i32 = 50;

/// The ingredients of the next round, in `out`.
pub fn draw_ingredients(generator: &mut Generator, out: &mut Vec<i32>) {
    let sum = generator.random(5, 30);
    let (least, most) = (sum / 4, sum / 2);
    let mut sorted = [0; INGREDIENTS];
    for group in sorted.as_chunks_mut::<GROUP>().0 {
        *group = loop {
            let x = generator.random(least, most);
            let y = generator.random(least, most);
            let z = sum - x - y;
            if (least..=most).contains(&z) {
                break [x, y, z];
            }
        };
    }
    let mut places: [usize; INGREDIENTS] = std::array::from_fn(|k| k);
    for k in 0..INGREDIENTS {
        places.swap(k, k + generator.below((INGREDIENTS - k) as u32) as usize);
    }
    out.resize(INGREDIENTS, 0);
    for (place, ingredient) in places.into_iter().zip(sorted) {
        out[place] = ingredient;
    }
}

/// Whether `answer`, the group of each ingredient, solves the puzzle.
pub fn is_solution(ingredients: &[i32], answer: &[i32]) -> bool {
    let groups = ingredients.len() / GROUP;
    if answer.len() != ingredients.len() || !ingredients.len().is_multiple_of(GROUP) {
        return false;
    }
    // Nearly every match has five groups; only a given board may have more.
    let (mut small, mut large) = ([(0, 0i64); INGREDIENTS / GROUP], Vec::new());
    let found: &mut [(usize, i64)] = if groups <= small.len() {
        &mut small[..groups]
    } else {
        large.resize(groups, (0, 0));
        &mut large
    };
    for (&group, &ingredient) in answer.iter().zip(ingredients) {
        let Some((members, sum)) = usize::try_from(group).ok().and_then(|group| found.get_mut(group)) else {
            return false;
        };
        *members += 1;
        *sum += i64::from(ingredient);
    }
    found.iter().all(|&(members, sum)| members == GROUP && sum == found[0].1)
}

/// Splits the ingredients into groups of three with the same sum.
pub fn solve(ingredients: &[i32]) -> Option<Vec<i32>> {
    const UNUSED: i32 = -1;

    /// Makes the groups from number `group` on. The first ingredient that is
    /// left must be in the next group, so only its two mates are tried.
    fn make_groups(ingredients: &[i32], sum: i64, group: i32, answer: &mut [i32]) -> bool {
        let Some(a) = answer.iter().position(|&group| group == UNUSED) else { return true };
        for b in a + 1..answer.len() {
            for c in b + 1..answer.len() {
                let found = [a, b, c].iter().map(|&k| i64::from(ingredients[k])).sum::<i64>();
                if answer[b] != UNUSED || answer[c] != UNUSED || found != sum {
                    continue;
                }
                [a, b, c].iter().for_each(|&k| answer[k] = group);
                if make_groups(ingredients, sum, group + 1, answer) {
                    return true;
                }
                [a, b, c].iter().for_each(|&k| answer[k] = UNUSED);
            }
        }
        false
    }

    if ingredients.len() != INGREDIENTS {
        return None;
    }
    let groups = (ingredients.len() / GROUP) as i64;
    let sum = ingredients.iter().map(|&ingredient| i64::from(ingredient)).sum::<i64>() / groups;
    let mut answer = vec![UNUSED; ingredients.len()];
    make_groups(ingredients, sum, 0, &mut answer).then_some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ingredients: &[i32], answer: &[i32], expected: bool) {
        assert_eq!(is_solution(ingredients, answer), expected, "{ingredients:?} {answer:?}");
    }

    #[test]
    fn answers() {
        check(&[1, 2, 3, 3, 1, 2], &[0, 0, 0, 1, 1, 1], true);
        check(&[1, 2, 3, 3, 1, 2], &[1, 1, 0, 1, 0, 0], true);
        check(&[1, 2, 3, 3, 1, 2], &[0, 0, 1, 1, 1, 0], false);
        check(&[1, 1, 1, 1, 1, 1], &[0, 0, 0, 0, 1, 1], false);
        check(&[1, 1, 1, 1, 1, 1], &[0, 0, 0, 1, 1, 2], false);
        check(&[1, 1, 1], &[0, 0, -1], false);
        check(&[1, 1, 1], &[0, 0], false);
        check(&[1, 1, 1, 1], &[0, 0, 0, 0], false);
        check(&[i32::MAX; 18], &[0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5], true);
    }

    #[test]
    fn every_puzzle_is_made_of_groups_with_one_sum() {
        let mut generator = Generator::new(11);
        let mut ingredients = Vec::new();
        for _ in 0..100 {
            draw_ingredients(&mut generator, &mut ingredients);
            let sum: i32 = ingredients.iter().sum();
            assert_eq!(sum % 5, 0);
            assert!(ingredients.iter().all(|&x| (sum / 5 / 4..=sum / 5 / 2).contains(&x)), "{ingredients:?}");
        }
    }
}
