//! Sources that hang together by pairs.

/// The groups of two or more, the largest first, each in order.
pub fn of(pairs: impl Iterator<Item = (usize, usize)>, count: usize) -> Vec<Vec<usize>> {
    let mut root: Vec<usize> = (0..count).collect();
    for (a, b) in pairs {
        let (a, b) = (find(&mut root, a), find(&mut root, b));
        root[a.max(b)] = a.min(b);
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); count];
    for place in 0..count {
        groups[find(&mut root, place)].push(place);
    }
    groups.retain(|group| group.len() > 1);
    groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    groups
}

fn find(root: &mut [usize], mut at: usize) -> usize {
    while root[at] != at {
        root[at] = root[root[at]];
        at = root[at];
    }
    at
}

#[cfg(test)]
mod tests {
    #[test]
    fn who_hangs_together() {
        assert_eq!(super::of([(0, 3), (5, 3), (1, 2)].into_iter(), 7), [vec![0, 3, 5], vec![1, 2]]);
        assert!(super::of(std::iter::empty(), 3).is_empty());
    }
}
