//! Laws of official rounds, whatever the field and the results.

use std::collections::BTreeMap;

use ludus_arena::season::{
    Author, Championship, Contender, Decision, Elimination, Event, Field, Hash, Kind, MOST_IDLE_STAGES, MatchId,
    NoRound, OfficialMatch, Refusal, Representative, ResumeError, Round, RoundSeed, Season, Stage, championship,
};
use ludus_games::{Generator, PerSeat, Seat};

fn field(authors: u32) -> Field {
    Field::new((1..=authors).map(representative)).unwrap()
}

fn representative(author: u32) -> Representative {
    Representative { author: Author(author), module: Hash::of(&author.to_le_bytes()) }
}

fn seed(number: u32) -> RoundSeed {
    RoundSeed::new(Hash::of(&number.to_be_bytes()).0)
}

/// Scores by the numbers of authors; a reserve has none.
fn scores(official: &OfficialMatch, mut score: impl FnMut(Option<Author>) -> i64) -> PerSeat<i64> {
    official.seats().map(|contender| score(contender.author()))
}

/// Plays a round to its end.
fn play(field: Field, seed: &RoundSeed, mut results: impl FnMut(&OfficialMatch) -> PerSeat<i64>) -> Round {
    let mut round = Round::new(field, seed).unwrap();
    while let Some(stage) = round.stage() {
        for official in stage.matches().to_vec() {
            round.report(official.id(), results(&official)).unwrap();
        }
    }
    round
}

fn results(round: &Round) -> Vec<(MatchId, PerSeat<i64>)> {
    let matches = round.stages().iter().flat_map(Stage::matches);
    matches.filter_map(|official| Some((official.id(), *official.scores()?))).collect()
}

/// Ways in which matches may end, from likely ones to those that somebody would
/// have to arrange.
const WAYS: usize = 10;

fn outcome(way: usize, official: &OfficialMatch, generator: &mut Generator) -> PerSeat<i64> {
    match way {
        0 => scores(official, |_| generator.random(0, 100_000).into()),
        1 => scores(official, |_| generator.random(0, 1).into()),
        2 => scores(official, |_| generator.random(0, 2).into()),
        3 => [7; 4],
        // Reserves win, or lose, whatever the others do.
        4 => scores(official, |author| author.map_or(i64::MAX, |_| generator.random(-3, 3).into())),
        5 => scores(official, |author| author.map_or(i64::MIN, |_| generator.random(-3, 3).into())),
        // One player is saved in a stage, all others tie.
        6 => [i64::from(official.id().group() == 1), 0, 0, 0],
        // Everybody ties when it comes to decide.
        7 if official.id().stage() > 3 => [0; 4],
        7 => scores(official, |_| generator.random(0, 9).into()),
        8 => scores(official, |author| author.map_or(0, |author| author.0.into())),
        _ => scores(official, |_| [i64::MIN, -1, 0, i64::MAX][generator.random(0, 3) as usize]),
    }
}

/// What holds for every stage, given who is still in danger before it.
fn check_stage(stage: &Stage, in_danger: &[Author]) {
    assert_eq!(stage.in_danger(), in_danger, "everybody in danger plays once, and nobody else");
    let groups = stage.matches().len();
    assert_eq!(groups, in_danger.len().div_ceil(4));
    assert_eq!(stage.kind() == Kind::Deciding, in_danger.len() <= 4);
    let sizes: Vec<usize> = stage.matches().iter().map(|official| official.authors().count()).collect();
    assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
    assert!(sizes.iter().all(|&size| size >= 2), "nobody meets reserves alone: {sizes:?}");
    assert!(stage.matches().iter().all(|official| official.seed() >= 1));
    assert!(stage.saved().len() <= 2 * groups);
}

/// What holds for every round that is over.
fn check_round(round: &Round) {
    let mut in_danger: Vec<Author> = round.field().authors().collect();
    let mut idle = 0;
    for stage in round.stages() {
        check_stage(stage, &in_danger);
        let saved = stage.saved();
        in_danger.retain(|author| !saved.contains(author));
        assert!(!in_danger.is_empty(), "somebody is always left");
        idle += u32::from(saved.is_empty());
    }
    let out = round.elimination().expect("the round is over");
    assert!(in_danger.contains(&out.author), "{out:?} was saved, or is not in the field");
    assert!(round.stage().is_none());
    match out.by {
        Decision::Alone => assert_eq!(in_danger, [out.author]),
        Decision::Draw => assert_eq!((idle, round.idle_stages()), (MOST_IDLE_STAGES, MOST_IDLE_STAGES)),
        Decision::Behind => {
            let decider = &round.stages().last().unwrap().matches()[0];
            let own = |seat: Seat| decider.scores().unwrap()[seat];
            let (last, _) = decider.authors().find(|(_, author)| *author == out.author).unwrap();
            assert!(decider.authors().all(|(seat, _)| seat == last || own(seat) > own(last)));
        }
    }
    assert!(round.stages().len() <= round.field().len() + MOST_IDLE_STAGES as usize);
}

#[test]
fn every_round_ends_and_eliminates_one_author_who_was_not_saved() {
    let mut generator = Generator::new(1);
    let mut decisions = BTreeMap::new();
    for case in 0..400 {
        let way = case % WAYS;
        // One saved in a stage makes long rounds.
        let most = if way == 6 { 120 } else { [8, 40, 300, 2000][case / WAYS % 4] };
        let authors = generator.random(2, most) as u32;
        let round = play(field(authors), &seed(case as u32), |official| outcome(way, official, &mut generator));
        check_round(&round);
        *decisions.entry(round.elimination().unwrap().by.word()).or_insert(0) += 1;
    }
    println!("rounds by their decision: {decisions:?}");
    assert_eq!(decisions.len(), 3, "not every way to end a round was tried");
}

#[test]
fn the_largest_fields_end_too() {
    for way in 0..WAYS {
        if way != 6 {
            let mut generator = Generator::new(way as i32);
            check_round(&play(field(2000), &seed(9), |official| outcome(way, official, &mut generator)));
        }
    }
}

/// A round is the same in whatever order results come, and wherever it is cut
/// off and put together again.
#[test]
fn a_round_is_a_function_of_seed_and_results() {
    let mut generator = Generator::new(2);
    for case in 0..100 {
        let (way, authors) = (case % WAYS, generator.random(2, 90) as u32);
        let seed = seed(case as u32);
        let first = play(field(authors), &seed, |official| outcome(way, official, &mut generator));
        let known: BTreeMap<MatchId, PerSeat<i64>> = results(&first).into_iter().collect();

        let mut again = Round::new(field(authors), &seed).unwrap();
        while let Some(stage) = again.stage() {
            let mut open: Vec<MatchId> = stage.matches().iter().map(OfficialMatch::id).collect();
            while !open.is_empty() {
                let id = open.swap_remove(generator.random(0, open.len() as i32 - 1) as usize);
                again.report(id, known[&id]).unwrap();
                if generator.random(0, 9) == 0 {
                    // The process dies, and what it knew comes back in any order.
                    let mut kept = results(&again);
                    kept.reverse();
                    again = Round::resume(field(authors), &seed, kept).unwrap();
                }
            }
        }
        assert!(again.stages() == first.stages() && again.elimination() == first.elimination());
    }
}

#[test]
fn another_seed_or_another_module_makes_another_draw() {
    let stages = |field: Field, number| Round::new(field, &seed(number)).unwrap().stages()[0].clone();
    assert_eq!(stages(field(40), 1), stages(field(40), 1));
    assert_ne!(stages(field(40), 1), stages(field(40), 2));
    let changed = Representative { module: Hash::of(b"a new version"), ..representative(40) };
    let changed = Field::new((1..40).map(representative).chain([changed])).unwrap();
    assert_ne!(stages(field(40), 1), stages(changed, 1));
}

#[test]
fn results_count_once_and_only_for_matches_that_there_are() {
    let mut round = Round::new(field(8), &seed(1)).unwrap();
    let id = |stage, group| MatchId::new(stage, group).unwrap();
    assert_eq!(round.report(id(1, 3), [0; 4]), Err(Refusal::NoMatch(id(1, 3))));
    assert_eq!(round.report(id(2, 1), [0; 4]), Err(Refusal::NoMatch(id(2, 1))));
    round.report(id(1, 1), [4, 3, 2, 1]).unwrap();
    round.report(id(1, 1), [4, 3, 2, 1]).unwrap();
    assert_eq!(round.report(id(1, 1), [4, 3, 1, 2]), Err(Refusal::OtherResult(id(1, 1))));
    assert_eq!(round.stages().len(), 1, "a stage waits for all its matches");
    round.report(id(1, 2), [4, 3, 2, 1]).unwrap();
    assert_eq!(round.stages().len(), 2);
    round.report(id(1, 2), [4, 3, 2, 1]).unwrap();
    assert_eq!(round.stage().unwrap().in_danger().len(), 4);
    assert_eq!(MatchId::new(0, 1), None);
    let early = [(id(2, 1), [0; 4])];
    assert!(matches!(Round::resume(field(8), &seed(1), early), Err(ResumeError::Refusal(Refusal::NoMatch(_)))));
}

#[test]
fn who_is_alone_is_the_champion_and_plays_no_round() {
    assert!(matches!(Round::new(field(1), &seed(1)), Err(NoRound::Champion(Author(1)))));
}

/// Two, three and four play the deciding match at once; the reserves in it
/// neither save nor condemn anybody.
#[test]
fn small_fields_decide_at_once() {
    for authors in 2..=4 {
        let by_number = |author: Option<Author>| author.map_or(-1, |author| i64::from(author.0));
        let round = play(field(authors), &seed(authors), |official| scores(official, by_number));
        assert_eq!(round.stages().len(), 1);
        assert_eq!(round.elimination(), Some(Elimination { author: Author(1), by: Decision::Behind }));
        let above_all = |author: Option<Author>| author.map_or(99, |author| -i64::from(author.0));
        let round = play(field(authors), &seed(authors), |official| scores(official, above_all));
        assert_eq!(round.elimination().unwrap().author, Author(authors));
        let reserves = round.stages()[0].matches()[0].seats().iter().filter(|one| **one == Contender::Reserve).count();
        assert_eq!(reserves as u32, 4 - authors);
    }
}

/// Five are dealt as three and two. If as many as can be are saved, one is left.
#[test]
fn of_five_somebody_is_always_left() {
    let above_reserves = |author: Option<Author>| author.map_or(-1, |author| i64::from(author.0));
    let mut lonely = 0;
    for number in 0..40 {
        let round = play(field(5), &seed(number), |official| scores(official, above_reserves));
        check_round(&round);
        let sizes: Vec<usize> = round.stages()[0].matches().iter().map(|official| official.authors().count()).collect();
        assert_eq!(sizes, [3, 2]);
        assert_eq!((round.stages().len(), round.stages()[0].saved().len()), (1, 4));
        assert_eq!(round.elimination().unwrap().by, Decision::Alone);
        lonely += 1;
    }
    assert_eq!(lonely, 40);
}

/// All four left play again until one is alone at the end, not only those who tied.
#[test]
fn a_tie_for_the_last_place_is_played_again_by_all_who_are_left() {
    let round = play(field(4), &seed(5), |official| match official.id().stage() {
        1 => scores(official, |author| i64::from(author.unwrap().0.max(2))),
        2 => [3; 4],
        _ => scores(official, |author| i64::from(author != Some(Author(4)))),
    });
    check_round(&round);
    assert_eq!((round.stages().len(), round.idle_stages()), (3, 2));
    assert_eq!(round.elimination(), Some(Elimination { author: Author(4), by: Decision::Behind }));
    assert!(round.stages().iter().all(|stage| stage.in_danger().len() == 4));
}

/// Thirty stages without a change, be they in a row or not, and the lot decides.
#[test]
fn what_changes_nothing_ends_by_lot() {
    let tied = play(field(9), &seed(1), |_| [0; 4]);
    check_round(&tied);
    assert_eq!((tied.stages().len(), tied.elimination().unwrap().by), (30, Decision::Draw));
    let late = play(field(9), &seed(1), |official| match official.id().stage() {
        25 => [9, 8, 1, 0],
        _ => [0; 4],
    });
    check_round(&late);
    assert_eq!((late.stages().len(), late.elimination().unwrap().by), (31, Decision::Draw));
    let out = |number| play(field(9), &seed(number), |_| [0; 4]).elimination().unwrap().author.0;
    let mut drawn: Vec<u32> = (0..200).map(out).collect();
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

/// Sums of squared distances from an even spread, over what is expected.
fn chi_square(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum()
}

/// The bound is exceeded once in ten thousand if everything is even (by the
/// approximation of Wilson and Hilferty).
fn is_even(counts: &[u64]) -> bool {
    let freedom = (counts.len() - 1) as f64;
    let part = 2.0 / (9.0 * freedom);
    chi_square(counts) < freedom * (1.0 - part + 3.72 * part.sqrt()).powi(3)
}

#[test]
fn seats_rivals_and_reserves_are_spread_evenly() {
    for authors in [2_usize, 5, 6, 37, 40] {
        let mut seats = vec![0_u64; 4 * authors];
        let mut meetings = vec![0_u64; authors * authors];
        let mut reserves = vec![0_u64; authors];
        let mut low_seeds = 0_u64;
        let mut matches = 0_u64;
        for number in 0..4000 {
            let round = Round::new(field(authors as u32), &seed(number)).unwrap();
            for official in round.stages()[0].matches() {
                matches += 1;
                low_seeds += u64::from(official.seed() < 1 << 30);
                let here: Vec<(Seat, usize)> =
                    official.authors().map(|(seat, author)| (seat, author.0 as usize - 1)).collect();
                for &(seat, author) in &here {
                    seats[4 * author + seat.index()] += 1;
                    reserves[author] += 4 - here.len() as u64;
                    here.iter().for_each(|&(_, other)| meetings[author * authors + other] += 1);
                }
            }
        }
        assert!(is_even(&seats), "{authors} authors, seats: {seats:?}");
        let pairs = (0..authors).flat_map(|one| (0..one).map(move |other| one * authors + other));
        let pairs: Vec<u64> = pairs.map(|at| meetings[at]).collect();
        assert!(pairs.len() == 1 || is_even(&pairs), "{authors} authors, meetings: {pairs:?}");
        assert!(reserves.iter().sum::<u64>() == 0 || is_even(&reserves), "{authors} authors, reserves: {reserves:?}");
        assert!(is_even(&[low_seeds, matches - low_seeds]), "{authors} authors, seeds below 2^30: {low_seeds}");
    }
}

#[test]
fn an_uneven_spread_would_be_noticed() {
    let mut counts = vec![1000_u64; 160];
    assert!(is_even(&counts));
    counts.iter_mut().step_by(4).for_each(|count| *count += 150);
    assert!(!is_even(&counts));
}

/// Noise about as large as the distance between the median and the best.
fn noise(generator: &mut Generator) -> i64 {
    (0..12).map(|_| i64::from(generator.random(-50, 50))).sum::<i64>() / 2
}

/// The correlation of two orders of the same authors, best first.
fn spearman(one: &[Author], other: &[Author]) -> f64 {
    let place = |of: &[Author], author| of.iter().position(|one| *one == author).unwrap() as f64;
    let count = one.len() as f64;
    let squares: f64 = one.iter().map(|author| (place(one, *author) - place(other, *author)).powi(2)).sum();
    1.0 - 6.0 * squares / (count * (count * count - 1.0))
}

/// Plays a season of authors whose strength is their number; best first.
fn simulated_season(authors: u32, generator: &mut Generator) -> Vec<Author> {
    let mut season = Season::new((1..=authors).map(Author));
    let mut number = 0;
    while season.left().len() > 1 {
        number += 1;
        let field = Field::new(season.left().map(|author| representative(author.0))).unwrap();
        let strength = |author: Option<Author>| author.map_or(20, |author| i64::from(author.0));
        let round =
            play(field, &seed(number), |official| scores(official, |author| strength(author) + noise(generator)));
        check_round(&round);
        season.apply(Event::Eliminated { round: number, elimination: round.elimination().unwrap() }).unwrap();
    }
    let gone = season.gone().iter().rev().map(|departure| departure.author());
    season.left().chain(gone).collect()
}

#[test]
fn strength_survives() {
    let mut generator = Generator::new(3);
    let order = simulated_season(200, &mut generator);
    let strongest: Vec<Author> = (1..=200).rev().map(Author).collect();
    let correlation = spearman(&strongest, &order);
    println!("season of 200 players of graded strength: Spearman {correlation:.3} between strength and survival");
    assert!(correlation >= 0.8, "{correlation}");
    assert_eq!(order, simulated_season(200, &mut Generator::new(3)));
}

#[test]
fn a_final_goes_down_to_one_champion() {
    let mut generator = Generator::new(4);
    for authors in [1, 2, 3, 5, 16, 30] {
        let way = generator.random(0, WAYS as i32 - 1) as usize;
        let mut known = BTreeMap::new();
        let first: Championship = championship(field(authors), &seed(authors), |number, official| {
            let scores = outcome(way, official, &mut generator);
            known.insert((number, official.id()), scores);
            Ok::<_, ()>(scores)
        })
        .unwrap();
        assert_eq!(first.rounds.len() as u32, authors - 1);
        first.rounds.iter().for_each(check_round);
        let mut out: Vec<Author> = first.rounds.iter().map(|round| round.elimination().unwrap().author).collect();
        out.push(first.champion);
        out.sort_unstable();
        assert!(out.into_iter().eq((1..=authors).map(Author)), "everybody is out once but the champion");
        let again = championship(field(authors), &seed(authors), |number, official| {
            known.get(&(number, official.id())).copied().ok_or(())
        });
        let again = again.unwrap_or_else(|()| panic!("another match was asked for"));
        assert_eq!(again.champion, first.champion);
    }
}
