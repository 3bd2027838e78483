//! The three kinds of matches that say how strong a Dummy is, and what the
//! course's own got in them.

use std::ops::Range;

use ludus_arena::Match;
use ludus_games::game::Builtin;
use ludus_games::{Config, Game, Seat};

/// What matches of the three kinds gave.
#[derive(Clone, Copy, Debug)]
pub struct Door {
    /// Four Dummies: the mean of their scores, and the quartiles.
    pub four: i64,
    pub quartiles: [i64; 3],
    /// One Dummy among three Demo: what it got, what each Demo got, and how
    /// many of a hundred such matches it won alone.
    pub among_demos: i64,
    pub each_demo: i64,
    pub wins: i64,
    /// One Demo among three Dummies: what it got, and what each Dummy got.
    pub lone_demo: i64,
    pub each_dummy: i64,
}

/// What is compared: its name, and how it is read off.
pub type Figure = (&'static str, fn(&Door) -> i64);

pub const FIGURES: [Figure; 9] = [
    ("four Dummies, mean", |door| door.four),
    ("four Dummies, first quartile", |door| door.quartiles[0]),
    ("four Dummies, median", |door| door.quartiles[1]),
    ("four Dummies, third quartile", |door| door.quartiles[2]),
    ("Dummy among three Demo", |door| door.among_demos),
    ("each of the three Demo", |door| door.each_demo),
    ("wins of Dummy in a hundred", |door| door.wins),
    ("Demo among three Dummies", |door| door.lone_demo),
    ("each of the three Dummies", |door| door.each_dummy),
];

/// The course's own, measured in the reference engines; Requiem's is not known.
pub const COURSE: [(&str, Door); 4] = [
    ("ants", Door::of([1590, 1391, 1574, 1783, 2787, 1093, 100, 963, 1881])),
    ("potter", Door::of([6579, 5296, 6309, 7745, 8222, 3371, 100, 2536, 7005])),
    ("purge", Door::of([664, 450, 635, 835, 530, 111, 95, 179, 644])),
    ("dominator", Door::of([53176, 46345, 52116, 58927, 163_345, 11084, 100, 7512, 67175])),
];

impl Door {
    const fn of(figures: [i64; 9]) -> Door {
        let [four, first, second, third, among_demos, each_demo, wins, lone_demo, each_dummy] = figures;
        Door { four, quartiles: [first, second, third], among_demos, each_demo, wins, lone_demo, each_dummy }
    }

    /// Plays one match of each kind on each seed; the seat of whoever is alone
    /// turns from seed to seed.
    pub fn measure(game: &dyn Game, seeds: Range<i32>) -> Door {
        let about = game.about();
        let config = game.read_config(about.default_config.as_bytes()).expect("the default config can be read");
        let player = |name| about.players.iter().find(|player| player.name == name).expect("every game has it");
        let (demo, dummy) = (player("Demo"), player("Dummy"));
        let (mut scores, mut lone_dummy, mut lone_demo) = (Vec::new(), Alone::default(), Alone::default());
        for seed in seeds {
            scores.extend(play(&*config, seed, [dummy; 4]));
            lone_dummy.play(&*config, seed, dummy, demo);
            lone_demo.play(&*config, seed, demo, dummy);
        }
        scores.sort_unstable();
        let quartile = |k: usize| scores[k * scores.len() / 4];
        Door {
            four: scores.iter().sum::<i64>() / scores.len() as i64,
            quartiles: [1, 2, 3].map(quartile),
            among_demos: lone_dummy.own / lone_dummy.matches,
            each_demo: lone_dummy.others / (3 * lone_dummy.matches),
            wins: 100 * lone_dummy.wins / lone_dummy.matches,
            lone_demo: lone_demo.own / lone_demo.matches,
            each_dummy: lone_demo.others / (3 * lone_demo.matches),
        }
    }
}

/// Sums over the matches of one player among three others.
#[derive(Default)]
struct Alone {
    matches: i64,
    own: i64,
    others: i64,
    wins: i64,
}

impl Alone {
    fn play(&mut self, config: &dyn Config, seed: i32, lone: &Builtin, other: &Builtin) {
        let seat = Seat::ALL[seed as usize % Seat::COUNT];
        let mut players = [other; 4];
        players[seat] = lone;
        let scores = play(config, seed, players);
        let own = scores[seat];
        self.matches += 1;
        self.own += own;
        self.others += scores.iter().sum::<i64>() - own;
        self.wins += i64::from(Seat::ALL.into_iter().all(|other| other == seat || scores[other] < own));
    }
}

fn play(config: &dyn Config, seed: i32, players: [&Builtin; 4]) -> [i64; 4] {
    let mut played = Match::between(config, seed, players).expect("the default config can be played");
    played.play_out().expect("a match on the default config comes to its end").seats.map(|seat| seat.score)
}
