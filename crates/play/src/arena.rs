//! Matches: paired games from random openings, and what their results say.

use marquis_core::{Game, Hashed, Outcome, Player, Value};
use marquis_eval::Evaluate;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::guide::{Guide, Oracle};
use crate::search::{Searcher, Team};
use crate::{Budget, Level, Proved};

/// How games begin.
pub trait Openings<G: Game>: Sync {
    /// The rules and the first position of a game, before any random move.
    fn begin(&self, random: &mut SmallRng) -> (G, G::Position);

    /// The least and the most random plies.
    fn plies(&self) -> (u32, u32);
}

/// Somebody who plays.
pub trait Contestant<G: Game> {
    /// Forgets the game before.
    fn new_game(&mut self);

    /// The move in a position in which the game is not over.
    ///
    /// * `past`: the positions before it.
    fn choose(&mut self, game: &G, past: &[G::Position], position: &G::Position) -> Choice<G::Move>;
}

/// A move, and what its player is sure of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<M> {
    /// The move.
    pub mv: M,
    /// The value of the position, where the player has seen it to the end.
    pub proved: Option<Proved>,
}

/// A search with a number of positions, or seconds, for each move.
pub struct Thinker<G: Hashed, E: Evaluate<G>, H, O = crate::NoOracle> {
    /// The search, on as many threads as it has.
    pub team: Team<G, E, H, O>,
    /// Positions a move.
    pub nodes: u64,
    /// Time a move.
    pub time: Option<web_time::Duration>,
}

impl<G, E, H, O> Contestant<G> for Thinker<G, E, H, O>
where
    G: Hashed,
    E: Evaluate<G> + Clone + Send,
    H: Guide<G> + Clone + Send,
    O: Oracle<G> + Clone + Send,
{
    fn new_game(&mut self) {
        self.team.forget();
    }

    fn choose(&mut self, game: &G, past: &[G::Position], position: &G::Position) -> Choice<G::Move> {
        let until = self.time.map(|time| web_time::Instant::now() + time);
        let budget = Budget { until, ..Budget::nodes(self.nodes) };
        let thought = self.team.think(game, past, position, &budget, &mut |_| {});
        Choice { mv: thought.line[0], proved: thought.proved }
    }
}

/// A player of some level.
pub struct Graded<G: Hashed, E: Evaluate<G>, H, O = crate::NoOracle> {
    /// The search; a megabyte of table is enough below the highest level.
    pub searcher: Searcher<G, E, H, O>,
    /// How strong he is meant to be.
    pub level: Level,
    /// Positions a move at the highest level.
    pub nodes: u64,
    /// What chance adds follows from it; another one in each game.
    pub seed: u64,
}

impl<G: Hashed, E: Evaluate<G>, H: Guide<G>, O: Oracle<G>> Contestant<G> for Graded<G, E, H, O> {
    fn new_game(&mut self) {
        self.seed = self.seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        self.searcher.forget();
    }

    fn choose(&mut self, game: &G, past: &[G::Position], position: &G::Position) -> Choice<G::Move> {
        let budget = Budget::nodes(self.nodes);
        let candidate = self.searcher.play(self.level, self.seed, game, past, position, &budget);
        Choice { mv: candidate.mv, proved: None }
    }
}

/// Plies after which a game of a match is a draw, where the game may go round for ever.
pub const LONGEST: usize = 300;

/// A random opening that is not over; the same for the same seed.
///
/// * Result: rules, position, and its moves by number.
pub fn opening<G: Game>(openings: &dyn Openings<G>, seed: u64) -> (G, G::Position) {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut moves = Vec::new();
    loop {
        let (game, mut position) = openings.begin(&mut random);
        let (least, most) = openings.plies();
        let plies = random.random_range(least..=most);
        let mut played = 0;
        while played < plies && game.over(&position).is_none() {
            moves.clear();
            game.moves(&position, &mut moves);
            position = game.play(&position, moves[random.random_range(0..moves.len())]);
            played += 1;
        }
        if game.over(&position).is_none() {
            return (game, position);
        }
    }
}

/// Random openings that a search finds neither decided nor lopsided.
pub struct Fair<'a, G: Hashed, E: Evaluate<G>, H> {
    /// How games begin.
    pub openings: &'a dyn Openings<G>,
    /// Who looks at them.
    pub judge: Searcher<G, E, H>,
    /// Positions that he looks at.
    pub nodes: u64,
    /// Openings that lean farther than so many hundredths are left out.
    pub lopsided: i32,
}

impl<G: Hashed, E: Evaluate<G>, H: Guide<G>> Fair<'_, G, E, H> {
    /// An opening, the same for the same seed; one in two hundred that are not fair is taken all the same, so that
    /// there is always one.
    pub fn opening(&mut self, seed: u64) -> (G, G::Position) {
        let mut random = SmallRng::seed_from_u64(seed);
        loop {
            let (game, start) = opening(self.openings, random.random());
            self.judge.forget();
            let thought = self.judge.think(&game, &[], &start, &Budget::nodes(self.nodes), &mut |_| {});
            let even = thought.leaning.hundredths().abs() <= self.lopsided;
            if thought.proved.is_none() && even || random.random_range(0..ATTEMPTS) == 0 {
                return (game, start);
            }
        }
    }
}

/// One in so many openings that are not fair is taken.
const ATTEMPTS: u32 = 200;

/// When a game of a match is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ends {
    /// When the rules say so.
    #[default]
    ByRules,
    /// Also as soon as a player whose turn it is has [proved](Choice::proved) who wins; that one has won.
    OnceProved,
}

/// How a game between two ended, and after how many plies; a position that comes for the third time is a draw.
///
/// * `first`: the colour that `a` plays.
/// * `longest`: plies after which it is a draw as well.
pub fn play<G: Game>(
    game: &G,
    start: &G::Position,
    a: &mut dyn Contestant<G>,
    b: &mut dyn Contestant<G>,
    first: Player,
    ends: Ends,
    longest: usize,
) -> (Outcome, usize) {
    a.new_game();
    b.new_game();
    let mut position = *start;
    let mut past: Vec<G::Position> = Vec::new();
    loop {
        if let Some(over) = game.over(&position) {
            return (over.outcome, past.len());
        }
        let returns = past.iter().filter(|&&seen| seen == position).count();
        if returns >= 2 || past.len() >= longest {
            return (Outcome::Draw, past.len());
        }
        let turn = game.turn(&position);
        let mover: &mut dyn Contestant<G> = if turn == first { &mut *a } else { &mut *b };
        let choice = mover.choose(game, &past, &position);
        if let (Ends::OnceProved, Some(Proved { value, .. })) = (ends, choice.proved) {
            let winner = if value == Value::Win { turn } else { turn.opponent() };
            return (Outcome::Winner(winner), past.len());
        }
        past.push(position);
        position = game.play(&position, choice.mv);
    }
}

/// The points of `a` from two games that begin alike, one with each colour, in halves.
///
/// * `longest`: plies after which a game is a draw.
pub fn pair<G: Game>(
    game: &G,
    start: &G::Position,
    a: &mut dyn Contestant<G>,
    b: &mut dyn Contestant<G>,
    ends: Ends,
    longest: usize,
) -> usize {
    let points = |first| halves(play(game, start, &mut *a, &mut *b, first, ends, longest).0, first);
    Player::BOTH.map(points).iter().sum()
}

/// Results of pairs of games with one opening and colours exchanged, for the first contestant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial {
    /// Pairs in which he made 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
}

impl Pentanomial {
    /// Counts a pair.
    ///
    /// * `halves`: the points of both games together, in halves.
    pub fn count(&mut self, halves: usize) {
        self.pairs[halves] += 1;
    }

    /// How many pairs there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The mean score of a game and the variance of a pair's mean, from these numbers of pairs.
    fn moments(pairs: [f64; 5]) -> (f64, f64) {
        let count: f64 = pairs.iter().sum();
        let points = || (0..5).map(|k| f64::from(k) / 4.0).zip(pairs);
        let mean = points().map(|(score, n)| score * n).sum::<f64>() / count;
        let variance = points().map(|(score, n)| n * (score - mean).powi(2)).sum::<f64>() / count;
        (mean, variance)
    }

    /// The same with one more pair, half of it lost and half of it won (Jeffreys' prior of two outcomes).
    ///
    /// Pairs that all ended alike have no spread, and say little of the next one all the same.
    fn moments_with_prior(&self) -> (f64, f64) {
        let mut pairs = self.pairs.map(|n| n as f64);
        pairs[0] += 0.5;
        pairs[4] += 0.5;
        Self::moments(pairs)
    }

    /// The mean score of a game: 1 a win.
    #[must_use]
    pub fn score(&self) -> f64 {
        Self::moments(self.pairs.map(|n| n as f64)).0
    }

    /// The ends between which the score lies with 95 % certainty; never a single point.
    ///
    /// Wilson's interval for as many games, each won or lost, as have the spread of the pairs with one more
    /// (`moments_with_prior`).
    #[must_use]
    pub fn interval(&self) -> [f64; 2] {
        if self.is_empty() {
            return [0.0, 1.0];
        }
        let (mean, variance) = self.moments_with_prior();
        let count = self.len() as f64 * mean * (1.0 - mean) / variance;
        let (score, square) = (self.score(), CERTAINTY * CERTAINTY);
        let middle = (score + square / (2.0 * count)) / (1.0 + square / count);
        let spread = score * (1.0 - score) / count + square / (4.0 * count * count);
        let off = CERTAINTY * spread.sqrt() / (1.0 + square / count);
        // The ends of an extreme score are exact, whatever rounding says.
        let low = if score == 0.0 { 0.0 } else { (middle - off).max(0.0) };
        let high = if score == 1.0 { 1.0 } else { (middle + off).min(1.0) };
        [low, high]
    }

    /// How far the score may be off on either side with 95 % certainty: half of its [interval](Self::interval).
    #[must_use]
    pub fn error(&self) -> f64 {
        let [low, high] = self.interval();
        (high - low) / 2.0
    }

    /// The difference in Elo, and how far it may be off on either side with 95 % certainty.
    ///
    /// `None` where all games were won, or all were lost: the difference is larger than any number.
    #[must_use]
    pub fn elo(&self) -> Option<[f64; 2]> {
        let [low, high] = self.elo_interval();
        Some([elo(self.score())?, (high? - low?) / 2.0])
    }

    /// The ends between which the difference in Elo lies with 95 % certainty; `None` where it may have any size.
    #[must_use]
    pub fn elo_interval(&self) -> [Option<f64>; 2] {
        self.interval().map(elo)
    }

    /// The difference in Elo in words: `+35 ± 20 Elo`, or `more than +120 Elo` where all games were won.
    #[must_use]
    pub fn elo_in_words(&self) -> String {
        match (self.elo(), self.elo_interval()) {
            (Some([elo, off]), _) => format!("{elo:+.0} ± {off:.0} Elo"),
            (None, [Some(low), _]) => format!("more than {low:+.0} Elo"),
            (None, [None, Some(high)]) => format!("less than {high:+.0} Elo"),
            (None, [None, None]) => "no difference in Elo known".to_owned(),
        }
    }

    /// The log-likelihood ratio of two differences in Elo, by the generalised test of fastchess for a normal mean; the
    /// variance is that with one more pair, so that a few equal results accept nothing.
    ///
    /// Accept the second when it exceeds `ln((1−β)/α)`, the first when it is below `ln(β/(1−α))`.
    #[must_use]
    pub fn log_likelihood_ratio(&self, elos: [f64; 2]) -> f64 {
        let (mean, (_, variance)) = (self.score(), self.moments_with_prior());
        let [low, high] = elos.map(|elo| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)));
        self.len() as f64 * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }
}

/// Standard deviations within which 95 % of a normal distribution lie.
const CERTAINTY: f64 = 1.96;

/// The difference in Elo of a score; `None` of 0 and 1, which no difference has.
fn elo(score: f64) -> Option<f64> {
    (0.0 < score && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// Points of the first contestant, in halves, when he plays `first`.
#[must_use]
pub fn halves(outcome: Outcome, first: Player) -> usize {
    match outcome {
        Outcome::Draw => 1,
        Outcome::Winner(winner) if winner == first => 2,
        Outcome::Winner(_) => 0,
    }
}
