//! Matches: paired games from random openings, and statistics of their results.

use marquis_core::{Game, Hashed, Outcome, Player, Value};
use marquis_eval::Evaluate;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::guide::{Guide, Oracle};
use crate::search::{Searcher, Team};
use crate::{Budget, Level, Proved};

/// The start of games.
pub trait Openings<G: Game>: Sync {
    /// The rules and the first position of a game, before any random move.
    fn begin(&self, random: &mut SmallRng) -> (G, G::Position);

    /// The least and the most random plies.
    fn plies(&self) -> (u32, u32);
}

/// A player of a match.
pub trait Contestant<G: Game> {
    /// Forgets the previous game.
    fn new_game(&mut self);

    /// The move in a position where the game is not over.
    ///
    /// * `past`: the previous positions.
    fn choose(&mut self, game: &G, past: &[G::Position], position: &G::Position) -> Choice<G::Move>;
}

/// A move, and the player's knowledge of the position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<M> {
    /// The move.
    pub mv: M,
    /// The value of the position, if the player has proved it.
    pub proved: Option<Proved>,
    /// The expected result for the player, from 0 to 1, if the player has an estimate.
    pub expected: Option<f64>,
}

/// A search with a number of positions, or a time, per move.
pub struct Thinker<G: Hashed, E: Evaluate<G>, H, O = crate::NoOracle> {
    /// The search, on as many threads as it has.
    pub team: Team<G, E, H, O>,
    /// Positions per move.
    pub nodes: u64,
    /// Time per move.
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
        Choice { mv: thought.line[0], proved: thought.proved, expected: Some(thought.leaning.expected()) }
    }
}

/// A player of a given level.
pub struct Graded<G: Hashed, E: Evaluate<G>, H, O = crate::NoOracle> {
    /// The search; a megabyte of table is enough below the highest level.
    pub searcher: Searcher<G, E, H, O>,
    /// The intended strength.
    pub level: Level,
    /// Positions per move at the highest level.
    pub nodes: u64,
    /// The seed of the random choices; it changes with each game.
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
        Choice { mv: candidate.mv, proved: None, expected: None }
    }
}

/// The number of plies after which a game that may repeat for ever is a draw.
pub const LONGEST: usize = 300;

/// A random opening that is not over; the same for the same seed.
///
/// * Result: the rules, the position, and the numbers of the moves.
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
    /// The start of games.
    pub openings: &'a dyn Openings<G>,
    /// The search that judges them.
    pub judge: Searcher<G, E, H>,
    /// The number of positions per judgement.
    pub nodes: u64,
    /// Openings whose leaning exceeds `lopsided` hundredths are rejected.
    pub lopsided: i32,
}

impl<G: Hashed, E: Evaluate<G>, H: Guide<G>> Fair<'_, G, E, H> {
    /// An opening, the same for the same seed. One in two hundred unfair openings is accepted, so that the loop
    /// terminates.
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

/// One in `ATTEMPTS` unfair openings is accepted.
const ATTEMPTS: u32 = 200;

/// When a game of a match is over.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Ends {
    /// When the rules say so.
    #[default]
    ByRules,
    /// Also as soon as the player to move has [proved](Choice::proved) the winner, who then wins.
    OnceProved,
    /// Also once both players [expect](Choice::expected) at least these points for the same player, for
    /// [`AGREEING`] plies in a row; that player wins.
    OnceAgreed(f64),
}

/// The plies for which both players must expect the same winner.
pub const AGREEING: usize = 6;

/// The player whom both contestants expect to win.
#[derive(Default)]
struct Agreement {
    winner: Option<Player>,
    plies: usize,
}

impl Agreement {
    /// The winner, if the games end so and the estimate of the player to move makes the agreement long enough.
    fn reached(&mut self, ends: Ends, turn: Player, expected: Option<f64>) -> Option<Player> {
        let Ends::OnceAgreed(points) = ends else { return None };
        let winner = match expected {
            Some(expected) if expected >= points => Some(turn),
            Some(expected) if expected <= 1.0 - points => Some(turn.opponent()),
            _ => None,
        };
        self.plies = if winner.is_some() && winner == self.winner { self.plies + 1 } else { 1 };
        self.winner = winner;
        self.winner.filter(|_| self.plies >= AGREEING)
    }
}

/// The outcome and the length of a game between two players, in plies; the third occurrence of a position is a draw.
///
/// * `first`: the colour that `a` plays.
/// * `longest`: the number of plies after which the game is a draw.
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
    let mut agreement = Agreement::default();
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
        if let (Ends::OnceProved | Ends::OnceAgreed(_), Some(Proved { value, .. })) = (ends, choice.proved) {
            let winner = if value == Value::Win { turn } else { turn.opponent() };
            return (Outcome::Winner(winner), past.len());
        }
        if let Some(winner) = agreement.reached(ends, turn, choice.expected) {
            return (Outcome::Winner(winner), past.len());
        }
        past.push(position);
        position = game.play(&position, choice.mv);
    }
}

/// The points of `a`, in half points, from two games with the same opening, one with each colour.
///
/// * `longest`: the number of plies after which a game is a draw.
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
    /// The number of pairs in which the first contestant scored 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
}

impl Pentanomial {
    /// Counts a pair.
    ///
    /// * `halves`: the points of both games together, in half points.
    pub fn count(&mut self, halves: usize) {
        self.pairs[halves] += 1;
    }

    /// The number of pairs.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Whether there are no pairs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The mean score of a game and the variance of a pair's mean.
    fn moments(pairs: [f64; 5]) -> (f64, f64) {
        let count: f64 = pairs.iter().sum();
        let points = || (0..5).map(|k| f64::from(k) / 4.0).zip(pairs);
        let mean = points().map(|(score, n)| score * n).sum::<f64>() / count;
        let variance = points().map(|(score, n)| n * (score - mean).powi(2)).sum::<f64>() / count;
        (mean, variance)
    }

    /// The moments with one more pair, half of it lost and half of it won (Jeffreys' prior of two outcomes).
    ///
    /// Otherwise pairs that all ended alike would have no spread, although they say little about the next one.
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

    /// The 95 % confidence interval of the score; never a single point.
    ///
    /// Wilson's interval for the number of games, each won or lost, that has the same spread as the pairs with one
    /// more (`moments_with_prior`).
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
        // The ends of an extreme score are exact, without rounding.
        let low = if score == 0.0 { 0.0 } else { (middle - off).max(0.0) };
        let high = if score == 1.0 { 1.0 } else { (middle + off).min(1.0) };
        [low, high]
    }

    /// The 95 % error margin of the score: half of its [interval](Self::interval).
    #[must_use]
    pub fn error(&self) -> f64 {
        let [low, high] = self.interval();
        (high - low) / 2.0
    }

    /// The difference in Elo, and its 95 % error margin.
    ///
    /// `None` if all games were won, or all were lost: the difference is unbounded.
    #[must_use]
    pub fn elo(&self) -> Option<[f64; 2]> {
        let [low, high] = self.elo_interval();
        Some([elo(self.score())?, (high? - low?) / 2.0])
    }

    /// The 95 % confidence interval of the difference in Elo; `None` for an unbounded end.
    #[must_use]
    pub fn elo_interval(&self) -> [Option<f64>; 2] {
        self.interval().map(elo)
    }

    /// The difference in Elo as text: `+35 ± 20 Elo`, or `more than +120 Elo` if all games were won.
    #[must_use]
    pub fn elo_in_words(&self) -> String {
        match (self.elo(), self.elo_interval()) {
            (Some([elo, off]), _) => format!("{elo:+.0} ± {off:.0} Elo"),
            (None, [Some(low), _]) => format!("more than {low:+.0} Elo"),
            (None, [None, Some(high)]) => format!("less than {high:+.0} Elo"),
            (None, [None, None]) => "Elo difference unknown".to_owned(),
        }
    }

    /// The log-likelihood ratio of two differences in Elo, by the generalised test of fastchess for a normal mean.
    /// The variance includes one more pair, so that a few equal results accept nothing.
    ///
    /// Accept the second when it exceeds `ln((1−β)/α)`, the first when it is below `ln(β/(1−α))`.
    #[must_use]
    pub fn log_likelihood_ratio(&self, elos: [f64; 2]) -> f64 {
        let (mean, (_, variance)) = (self.score(), self.moments_with_prior());
        let [low, high] = elos.map(|elo| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)));
        self.len() as f64 * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }
}

/// The number of standard deviations that contain 95 % of a normal distribution.
const CERTAINTY: f64 = 1.96;

/// The difference in Elo of a score; `None` for 0 and 1.
fn elo(score: f64) -> Option<f64> {
    (0.0 < score && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// The points of the first contestant, in half points, if it plays `first`.
#[must_use]
pub fn halves(outcome: Outcome, first: Player) -> usize {
    match outcome {
        Outcome::Draw => 1,
        Outcome::Winner(winner) if winner == first => 2,
        Outcome::Winner(_) => 0,
    }
}
