//! What two sources have in common: regions in which most steps of one are
//! those of the other, whatever was put between them or changed places.
//!
//! Each pair of units that both have is two dots in a table with the units of
//! one source along one side and those of the other along the other. Dots near
//! each other in both directions belong to one region. A region counts if what
//! it holds says enough together.

use crate::fingerprints::Pair;

/// How far from each other two units that match may be: fewer may be strange between
/// them.
const GAP: u32 = 5;
/// What a region must say to count, within a language and between two.
pub(crate) const ENOUGH: f32 = 3.0;
pub(crate) const ENOUGH_ACROSS: f32 = 4.0;
/// What a pair must say to find anything.
const TELLING: f32 = 0.3;
/// A pair that both have so often that it finds everything everywhere.
const MAX_DOTS_OF_A_PAIR: usize = 36;
/// For each unit of the larger source so many dots are looked at; honest sources have
/// about one. If there are more, only pairs that both have less often count.
const DOTS_OF_A_UNIT: usize = 8;

/// A source as it is compared: its units, what each says, and its pairs.
pub(crate) struct Side<'a> {
    /// The hashes of its units.
    pub units: &'a [u64],
    pub weights: &'a [f32],
    pub pairs: &'a [Pair],
}

/// A part of one source that is a part of the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Units that match, as places in both sources, by the first.
    pub matches: Vec<(u32, u32)>,
    /// What they say together.
    pub weight: f32,
}

/// The regions that two sources share, those that say most first. Every unit is
/// in one of them at most. Pairs for which `counts` says no find nothing.
pub(crate) fn regions(a: &Side, b: &Side, enough: f32, counts: impl Fn(u64) -> bool) -> Vec<Region> {
    let dots = dots(a, b, counts);
    let mut found: Vec<Region> = clusters(&dots)
        .into_iter()
        .map(|cluster| region(a, b, &extend(a, b, &cluster)))
        .filter(|region| region.weight >= enough)
        .collect();
    found.sort_by(|x, y| y.weight.total_cmp(&x.weight).then(x.matches.cmp(&y.matches)));
    without_overlap(a, b, found, enough)
}

/// Whether a pair of a source says enough to find anything.
pub(crate) fn is_telling(weights: &[f32], pair: Pair) -> bool {
    weights[pair.low as usize] + weights[pair.high as usize] >= TELLING
}

/// Where units of both match, because a pair with them does.
fn dots(a: &Side, b: &Side, counts: impl Fn(u64) -> bool) -> Vec<(u32, u32)> {
    let mut most = MAX_DOTS_OF_A_PAIR;
    loop {
        let dots = dots_of_pairs(a, b, most, &counts);
        if most == 1 || dots.len() <= DOTS_OF_A_UNIT * a.units.len().max(b.units.len()) {
            return dots;
        }
        most /= 2;
    }
}

/// Those of pairs that find so many at most.
fn dots_of_pairs(a: &Side, b: &Side, most: usize, counts: &impl Fn(u64) -> bool) -> Vec<(u32, u32)> {
    let mut dots = Vec::new();
    let (mut at, mut bt) = (0, 0);
    while at < a.pairs.len() && bt < b.pairs.len() {
        let (ha, hb) = (a.pairs[at].hash, b.pairs[bt].hash);
        if ha != hb {
            // Without a branch, since nobody can guess which is smaller.
            at += usize::from(ha < hb);
            bt += usize::from(hb < ha);
        } else {
            let a_end = at + a.pairs[at..].iter().take_while(|pair| pair.hash == ha).count();
            let b_end = bt + b.pairs[bt..].iter().take_while(|pair| pair.hash == ha).count();
            let is_rare = (a_end - at) * (b_end - bt) <= most;
            if is_rare && is_telling(a.weights, a.pairs[at]) && counts(ha) {
                for x in &a.pairs[at..a_end] {
                    for y in &b.pairs[bt..b_end] {
                        dots.push((x.low, y.low));
                        dots.push((x.high, y.high));
                    }
                }
            }
            (at, bt) = (a_end, b_end);
        }
    }
    dots.sort_unstable();
    dots.dedup();
    dots
}

/// Dots that hang together.
fn clusters(dots: &[(u32, u32)]) -> Vec<Vec<(u32, u32)>> {
    let mut root: Vec<usize> = (0..dots.len()).collect();
    for (at, dot) in dots.iter().enumerate() {
        for (other, next) in dots.iter().enumerate().skip(at + 1) {
            if next.0 - dot.0 > GAP {
                break;
            }
            if next.1.abs_diff(dot.1) <= GAP {
                join(&mut root, at, other);
            }
        }
    }
    // By their roots, each the first of its cluster, so that clusters stay in order.
    let mut by_root: Vec<(usize, (u32, u32))> =
        dots.iter().enumerate().map(|(at, dot)| (find(&mut root, at), *dot)).collect();
    by_root.sort_unstable();
    by_root.chunk_by(|x, y| x.0 == y.0).map(|cluster| cluster.iter().map(|one| one.1).collect()).collect()
}

fn find(root: &mut [usize], mut at: usize) -> usize {
    while root[at] != at {
        root[at] = root[root[at]];
        at = root[at];
    }
    at
}

fn join(root: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(root, a), find(root, b));
    root[a.max(b)] = a.min(b);
}

/// The dots of a cluster, and single units that match in and around it.
fn extend(a: &Side, b: &Side, cluster: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut dots = cluster.to_vec();
    let (first, last) = (cluster[0].0, cluster[cluster.len() - 1].0);
    let from = first.saturating_sub(GAP) as usize;
    let to = (last + GAP + 1).min(a.units.len() as u32) as usize;
    let mut near = 0;
    for at in from..to {
        // The dot of the cluster that is nearest on this side says where to look
        // on the other.
        while near + 1 < cluster.len() && cluster[near + 1].0 as usize <= at {
            near += 1;
        }
        let there = cluster[near].1;
        let low = there.saturating_sub(GAP) as usize;
        let high = (there + GAP + 1).min(b.units.len() as u32) as usize;
        for other in low..high {
            if a.units[at] == b.units[other] {
                dots.push((at as u32, other as u32));
            }
        }
    }
    dots.sort_unstable();
    dots.dedup();
    dots
}

/// Each unit matched once: first those that keep their distance from the last.
fn region(a: &Side, b: &Side, dots: &[(u32, u32)]) -> Region {
    let mut matches: Vec<(u32, u32)> = Vec::new();
    let mut used = std::collections::HashSet::new();
    let mut shift = i64::from(dots[0].1) - i64::from(dots[0].0);
    let mut rest = dots;
    while let Some(first) = rest.first() {
        let length = rest.iter().take_while(|dot| dot.0 == first.0).count();
        let (row, after) = rest.split_at(length);
        rest = after;
        let free = row.iter().filter(|dot| !used.contains(&dot.1));
        let nearest = free.min_by_key(|dot| (i64::from(dot.1) - i64::from(dot.0) - shift).abs());
        if let Some(&dot) = nearest {
            used.insert(dot.1);
            shift = i64::from(dot.1) - i64::from(dot.0);
            matches.push(dot);
        }
    }
    let weight = weigh(a, b, &matches);
    Region { matches, weight }
}

fn weigh(a: &Side, b: &Side, matches: &[(u32, u32)]) -> f32 {
    matches.iter().map(|&(x, y)| a.weights[x as usize].min(b.weights[y as usize])).sum()
}

fn without_overlap(a: &Side, b: &Side, found: Vec<Region>, enough: f32) -> Vec<Region> {
    let mut taken = (vec![false; a.units.len()], vec![false; b.units.len()]);
    let mut kept = Vec::new();
    for mut region in found {
        region.matches.retain(|&(x, y)| !taken.0[x as usize] && !taken.1[y as usize]);
        region.weight = weigh(a, b, &region.matches);
        if region.weight < enough {
            continue;
        }
        for &(x, y) in &region.matches {
            taken.0[x as usize] = true;
            taken.1[y as usize] = true;
        }
        kept.push(region);
    }
    kept.sort_by(|x, y| y.weight.total_cmp(&x.weight).then(x.matches.cmp(&y.matches)));
    kept
}
