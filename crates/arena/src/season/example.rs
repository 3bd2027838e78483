//! The example of `docs/season.md` holds.

use std::num::NonZeroU32;

use super::{Author, Contender, Field, Hash, Representative, RoundSeed, Stage, results_digest};

const PAGE: &str = include_str!("../../../../docs/season.md");

fn line(stage: &Stage, group: usize) -> String {
    let official = &stage.matches()[group];
    let seat = |contender: Contender| contender.author().map_or("reserve".to_owned(), |author| author.0.to_string());
    format!("stage {}: {} seed {}", stage.number(), official.seats().map(seat).join(" "), official.seed())
}

/// The output of the program on the page, which is not ours but another way to
/// say the same.
#[test]
fn the_page_draws_what_we_draw() {
    let seed = RoundSeed::new(std::array::from_fn(|at| at as u8));
    let module = |author: u32| Hash::of(format!("player {author}").as_bytes());
    let one = |author| Representative { author: Author(author), module: module(author) };
    let field = Field::new((1..=5).map(one)).unwrap();
    let authors: Vec<Author> = field.authors().collect();
    let key = seed.key(&field);
    let first = Stage::draw(&key, NonZeroU32::MIN, &authors);
    let second = Stage::draw(&key, NonZeroU32::new(2).unwrap(), &[1, 4].map(Author));
    let drawn = authors[key.draws("draw").below(5) as usize];
    let expected = [
        format!("commitment {}", seed.commitment()),
        format!("field {}", field.digest()),
        format!("key {}", key.hash()),
        line(&first, 0),
        line(&first, 1),
        line(&second, 0),
        format!("draw of five: {}", drawn.0),
        format!("final, round 1: {}", Hash(seed.of_round(1).bytes())),
        format!("final, results of one round: {}", results_digest(&[field.digest()])),
    ];
    assert!(PAGE.contains(&expected.join("\n")), "docs/season.md does not have:\n{}", expected.join("\n"));
}
