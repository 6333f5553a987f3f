//! How strong a player is meant to be: eight levels, by how far they look and how often they err.

use std::fmt;
use std::str::FromStr;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

/// The strength of a player, from 1, a beginner, to 8, all that the engine can do.
///
/// ```
/// use marquis_play::Level;
///
/// let level: Level = "3".parse()?;
/// assert!(level < Level::MAX);
/// let error = "9".parse::<Level>().unwrap_err();
/// assert_eq!(error.to_string(), "level 9: expected a whole number from 1 to 8");
/// # Ok::<(), marquis_play::NoLevel>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// A text that is no level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("level {found}: expected a whole number from {} to {}", Level::MIN, Level::MAX)]
pub struct NoLevel {
    /// What it is instead.
    pub found: String,
}

impl FromStr for Level {
    type Err = NoLevel;

    fn from_str(text: &str) -> Result<Self, NoLevel> {
        let number = text.parse().ok().and_then(Self::new);
        number.ok_or_else(|| NoLevel { found: text.to_owned() })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Level {
    /// A beginner.
    pub const MIN: Self = Self(1);
    /// All that the engine can do with the time that it is given.
    pub const MAX: Self = Self(8);

    /// The level of this number, if there is one.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= Self::MIN.0 && number <= Self::MAX.0 { Some(Self(number)) } else { None }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::MIN.0..=Self::MAX.0).map(Self)
    }
}

/// How far a player looks, and how often he errs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Positions that he looks at behind each of his moves.
    pub nodes_a_move: u64,
    /// How much chance there is in his choice: the scale of what is added to each leaning, in hundredths of log-odds.
    pub spread: f64,
}

impl Strength {
    /// A player of so many positions behind each move, and so much chance.
    #[must_use]
    pub const fn new(nodes_a_move: u64, spread: f64) -> Self {
        Self { nodes_a_move, spread }
    }

    /// The number of the move that he takes, by what each leans to him, in hundredths of log-odds.
    ///
    /// The better a move the likelier it is, as if each were as good as it is in fact plus what chance adds: by the
    /// choice of one among odds (softmax). The same for the same random numbers; the first of equals.
    ///
    /// Panics when there is none.
    pub fn pick(self, leanings: impl IntoIterator<Item = f64>, random: &mut Xoshiro256PlusPlus) -> usize {
        let one = |(number, leaning): (usize, f64)| {
            // Gumbel's distribution; the logarithm of zero is kept away.
            let chance = -libm::log(-libm::log(random.random_range(f64::MIN_POSITIVE..1.0)));
            (number, leaning + self.spread * chance)
        };
        let weighed = leanings.into_iter().enumerate().map(one);
        let best = weighed.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.expect("a player has a move").0
    }
}

/// What the levels of a game are worth, for what leans far in one game leans little in another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ladder([Strength; STEPS]);

/// The highest level is nowhere held back.
const STEPS: usize = Level::MAX.0 as usize - 1;

impl Ladder {
    /// The steps of a game of which nothing else is known.
    pub const PLAIN: Self =
        Self::new([(1, 200.0), (1, 90.0), (1, 40.0), (40, 25.0), (100, 15.0), (300, 8.0), (1_000, 4.0)]);

    /// A ladder of these steps, that of level 1 first: positions behind each move, and the spread.
    #[must_use]
    pub const fn new(steps: [(u64, f64); STEPS]) -> Self {
        let mut strengths = [Strength::new(1, 0.0); STEPS];
        let mut number = 0;
        while number < STEPS {
            strengths[number] = Strength::new(steps[number].0, steps[number].1);
            number += 1;
        }
        Self(strengths)
    }

    /// What a player of this level may do; nothing holds back the highest.
    #[must_use]
    pub fn strength(&self, level: Level) -> Option<Strength> {
        self.0.get(usize::from(level.0) - 1).copied()
    }

    /// The number of the move that a player of this level takes, as by [`Strength::pick`]; the best one at the highest.
    ///
    /// Panics when there is none.
    pub fn pick(
        &self,
        level: Level,
        leanings: impl IntoIterator<Item = f64>,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        let strength = self.strength(level).unwrap_or(Strength::new(u64::MAX, 0.0));
        strength.pick(leanings, random)
    }
}
