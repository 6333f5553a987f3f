//! The strength of players: eight levels, by search effort and error rate.

use std::fmt;
use std::str::FromStr;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

/// The strength of a player, from 1, a beginner, to 8, the full strength of the engine.
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

/// A text that is not a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("level {found}: expected a whole number from {} to {}", Level::MIN, Level::MAX)]
pub struct NoLevel {
    /// The text.
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
    /// The full strength of the engine in the given time.
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

/// The search effort and the error rate of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The number of positions searched after each of the player's moves.
    pub nodes_a_move: u64,
    /// The scale of the random noise added to each leaning, in hundredths of log-odds.
    pub spread: f64,
}

impl Strength {
    /// A player with this number of positions per move and this noise.
    #[must_use]
    pub const fn new(nodes_a_move: u64, spread: f64) -> Self {
        Self { nodes_a_move, spread }
    }

    /// The number of the chosen move, given the leaning of each move towards the player, in hundredths of log-odds.
    ///
    /// Better moves are more likely: the choice is the maximum of the leanings with noise added (softmax). It is the
    /// same for the same random numbers; the first of equal ones wins.
    ///
    /// Panics if there are no moves.
    pub fn pick(self, leanings: impl IntoIterator<Item = f64>, random: &mut Xoshiro256PlusPlus) -> usize {
        let one = |(number, leaning): (usize, f64)| {
            // Gumbel's distribution; the range excludes the logarithm of zero.
            let chance = -libm::log(-libm::log(random.random_range(f64::MIN_POSITIVE..1.0)));
            (number, leaning + self.spread * chance)
        };
        let weighed = leanings.into_iter().enumerate().map(one);
        let best = weighed.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.expect("a player has a move").0
    }
}

/// The strengths of the levels of a game; they differ because the scale of leanings differs between games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ladder([Strength; STEPS]);

/// The highest level is not limited.
const STEPS: usize = Level::MAX.0 as usize - 1;

impl Ladder {
    /// The steps of a game without a ladder.
    pub const PLAIN: Self =
        Self::new([(1, 200.0), (1, 90.0), (1, 40.0), (40, 25.0), (100, 15.0), (300, 8.0), (1_000, 4.0)]);

    /// A ladder of these steps, starting with level 1: positions per move, and the spread.
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

    /// The strength of this level; `None` for the highest, which is not limited.
    #[must_use]
    pub fn strength(&self, level: Level) -> Option<Strength> {
        self.0.get(usize::from(level.0) - 1).copied()
    }

    /// The number of the move that a player of this level chooses, as in [`Strength::pick`]; the best one at the
    /// highest level.
    ///
    /// Panics if there are no moves.
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
