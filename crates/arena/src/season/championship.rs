//! A final: rounds from one seed, down to one champion.

use ludus_games::PerSeat;

use super::{Author, Field, Hash, NoRound, OfficialMatch, Round, RoundSeed};

/// A final that has been played.
pub struct Championship {
    /// Its rounds, the first one first.
    pub rounds: Vec<Round>,
    pub champion: Author,
}

/// Plays rounds until one author is left. The first round is number 1, and
/// plays from [`RoundSeed::of_round`] of 1; `play` gives the scores of a match.
pub fn championship<E>(
    finalists: Field,
    seed: &RoundSeed,
    mut play: impl FnMut(u32, &OfficialMatch) -> Result<PerSeat<i64>, E>,
) -> Result<Championship, E> {
    let (mut field, mut rounds) = (finalists, Vec::new());
    loop {
        let number = rounds.len() as u32 + 1;
        let mut round = match Round::new(field.clone(), &seed.of_round(number)) {
            Ok(round) => round,
            Err(NoRound::Champion(champion)) => return Ok(Championship { rounds, champion }),
        };
        while let Some(stage) = round.stage() {
            for official in stage.matches().to_vec() {
                let scores = play(number, &official)?;
                round.report(official.id(), scores).expect("a match of the stage has no result yet");
            }
        }
        let out = round.elimination().expect("a round without a stage is over");
        field = field.without(out.author).expect("a round has two authors at least");
        rounds.push(round);
    }
}

/// The digest of all results of a final, from the digests of its round files
/// in their order. Published before the show, it proves afterwards that nothing
/// was changed; it tells nothing, because every file holds a secret seed.
pub fn results_digest(rounds: &[Hash]) -> Hash {
    let mut bytes = b"ludus final results 1\0".to_vec();
    rounds.iter().for_each(|round| bytes.extend_from_slice(&round.0));
    Hash::of(&bytes)
}
