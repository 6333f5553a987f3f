//! Senet: the network, exact tables and simple players against each other.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use marquis_core::{ByPlayer, Chance as _, Player, Throw};
use marquis_engine::EngineError;
use marquis_engine::chance::LoadedLayer;
use marquis_engine::tables::load_layers;
use marquis_games::senet::{Move, Position, SQUARES, Senet, SenetLayer, Set, Square, THROWS};
use marquis_play::{Expectation, Level, PositionJudge as _, Strength, Weighed};
use marquis_registry::senet::Adapter;
use marquis_sense::Weights;
use marquis_sense::senet::SenetJudge;
use marquis_train::generations::mixed;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Games of Senet between two players, in pairs: the same throws with colours exchanged.
#[derive(Clone, Debug, clap::Args)]
pub struct Games {
    /// Pieces per player.
    #[arg(long, default_value_t = 5)]
    pieces: u8,
    /// Our player: `network` or `network:N`, N throws ahead; `level:N`, and `spread:N`, any strength; `tables`;
    /// `rule`, `runner`, `careful`, `counter`, `any`.
    #[arg(long, default_value = "network")]
    ours: Name,
    /// The opponent.
    #[arg(long, default_value = "rule")]
    theirs: Name,
    /// Games.
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// The seed of all throws.
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// The folder of tables; up to three pieces per player are read.
    #[arg(long)]
    tables: Option<PathBuf>,
}

/// A player, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// The built-in network with a look-ahead of some throws; 0 is one ply.
    Network(u32),
    /// A player of this level.
    Level(Level),
    /// The network at one ply with this noise in its choice, in hundredths of log-odds.
    Spread(u16),
    /// The best move of exact tables.
    Tables,
    /// The rearmost piece that can bump, otherwise the rearmost.
    Rule,
    /// Off the board if possible, otherwise the foremost piece.
    Runner,
    /// Bumps if possible, otherwise leaves as few pieces as possible alone in front of an enemy.
    Careful,
    /// Maximizes the steps that the opponent has to go minus its own.
    Counter,
    /// A random move.
    Any,
}

/// A name that is not a player.
#[derive(Clone, Debug, thiserror::Error)]
#[error(
    "{found}: expected network, network:1, level:3, spread:50, tables, rule, runner, careful, counter or any"
)]
pub struct NoPlayer {
    found: String,
}

impl FromStr for Name {
    type Err = NoPlayer;

    fn from_str(text: &str) -> Result<Self, NoPlayer> {
        Ok(match text {
            "network" => Self::Network(0),
            "tables" => Self::Tables,
            "rule" => Self::Rule,
            "runner" => Self::Runner,
            "careful" => Self::Careful,
            "counter" => Self::Counter,
            "any" => Self::Any,
            _ => {
                let (kind, number) = text.split_once(':').unwrap_or_default();
                let player = match kind {
                    "network" => number.parse().ok().map(Self::Network),
                    "level" => number.parse().ok().map(Self::Level),
                    "spread" => number.parse().ok().map(Self::Spread),
                    _ => None,
                };
                player.ok_or_else(|| NoPlayer { found: text.to_owned() })?
            }
        })
    }
}

/// The results of the first player in some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    won: u64,
    games: u64,
    /// By the number of games won of a pair.
    pairs: [u64; 3],
}

impl Score {
    /// The share of games won.
    #[must_use]
    pub fn part(self) -> f64 {
        self.won as f64 / self.games as f64
    }

    /// The 95 % error margin of the share, from the spread of the pairs.
    #[must_use]
    pub fn error(self) -> f64 {
        let pairs = (self.games / 2) as f64;
        let spread = |(part, count): (f64, u64)| count as f64 * (part - self.part()).powi(2);
        let variance: f64 = [0.0, 0.5, 1.0].into_iter().zip(self.pairs).map(spread).sum();
        1.96 * variance.sqrt() / pairs
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (part, error) = (100.0 * self.part(), 100.0 * self.error());
        write!(f, "{part:.2} ± {error:.2} % of {} games", self.games)
    }
}

/// The layers of a folder of tables.
type Chances = HashMap<SenetLayer, LoadedLayer<SenetLayer>>;

/// The sources of moves.
struct Table {
    judge: SenetJudge,
    chances: Option<Chances>,
}

impl Table {
    /// Panics if tables are needed but were not read.
    fn choose(&self, name: Name, position: &Position, throw: Throw, random: &mut Xoshiro256PlusPlus) -> Move {
        let mut moves = Vec::new();
        Senet.moves(position, throw, &mut moves);
        if moves.len() == 1 {
            return moves[0];
        }
        match name {
            Name::Network(throws) => {
                Expectation::new(&Senet, &self.judge).weigh(position, throw, throws)[0].mv
            }
            Name::Level(level) => {
                let ladder = self.judge.ladder();
                self.one_ply(position, throw, |leanings| ladder.pick(level, leanings, random))
            }
            Name::Spread(spread) => {
                let strength = Strength::new(1, f64::from(spread));
                self.one_ply(position, throw, |leanings| strength.pick(leanings, random))
            }
            Name::Tables => {
                let chances = self.chances.as_ref().expect("tables");
                best_by(&moves, |mv| chance(chances, position.turn(), &Senet.play(position, throw, mv)))
            }
            Name::Any => moves[random.random_range(0..moves.len())],
            simple => best_by(&moves, |mv| simple_worth(simple, position, throw, mv)),
        }
    }

    /// The move that `pick` chooses from the network's leanings of all moves at one ply.
    fn one_ply(&self, position: &Position, throw: Throw, pick: impl FnOnce(Vec<f64>) -> usize) -> Move {
        let weighed = Expectation::new(&Senet, &self.judge).weigh(position, throw, 0);
        weighed[pick(weighed.iter().map(Weighed::leaning).collect())].mv
    }
}

/// The first of the best moves; moves are listed from the rearmost piece on.
fn best_by<W: PartialOrd>(moves: &[Move], worth: impl Fn(Move) -> W) -> Move {
    let better = |best: Move, next: &Move| if worth(*next) > worth(best) { *next } else { best };
    moves[1..].iter().fold(moves[0], better)
}

fn simple_worth(name: Name, position: &Position, throw: Throw, mv: Move) -> i32 {
    let bumps = i32::from(matches!(mv, Move::Bump { .. }));
    let after = Senet.play(position, throw, mv);
    let mover = position.turn();
    match name {
        Name::Runner => match mv {
            Move::Off { .. } => 100,
            Move::Step { from, .. } | Move::Bump { from, .. } | Move::Water { from, .. } => {
                from.number().into()
            }
            Move::Pass => 0,
        },
        Name::Careful => 10 * bumps - exposed(&after, mover),
        Name::Counter => to_go(&after, mover.opponent()) - to_go(&after, mover),
        _ => bumps,
    }
}

/// The steps that a player's pieces have to go.
fn to_go(position: &Position, player: Player) -> i32 {
    position.pieces(player).squares().map(|square| i32::from(SQUARES - square.number())).sum()
}

/// The number of a player's pieces that a throw of the opponent could bump, ignoring rows between them.
fn exposed(position: &Position, player: Player) -> i32 {
    let (own, enemies) = (position.pieces(player), position.pieces(player.opponent()));
    let alone = |square: &Square| !own.has_neighbour_of(*square) && !Set::HOUSES.has(*square);
    let reached = |square: &Square| {
        let from = |throw: Throw| square.number().checked_sub(throw.score).and_then(Square::new);
        THROWS.into_iter().filter_map(from).any(|from| enemies.has(from))
    };
    own.squares().filter(|square| alone(square) && reached(square)).count() as i32
}

/// The start with this number of pieces per player; `None` unless there are one to five.
fn start(pieces: u8) -> Option<Position> {
    if pieces == 5 {
        return Some(Senet.start());
    }
    // Like `start:3`: the pieces alternate from the first square on, before any move.
    let every_other =
        |first: u32| (0..pieces.into()).fold(0_u32, |set, piece| set | 1 << (first + 2 * piece));
    let sets = (1..5).contains(&pieces).then(|| ByPlayer::new(every_other(1), every_other(0)));
    sets.and_then(|sets| {
        Position::new(ByPlayer::new(Set::from_bits(sets.first), Set::from_bits(sets.second)), Player::First)
    })
}

/// Whether the first of two players wins; `colour` is its colour.
fn wins(table: &Table, start: &Position, players: [Name; 2], colour: Player, seed: u64) -> bool {
    let mut throws = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut other = Xoshiro256PlusPlus::seed_from_u64(!seed);
    let mut position = *start;
    loop {
        if let Some(over) = Senet.over(&position) {
            return over.outcome == marquis_core::Outcome::Winner(colour);
        }
        let throw = cast(&mut throws);
        let name = players[usize::from(position.turn() != colour)];
        let mv = table.choose(name, &position, throw, &mut other);
        position = Senet.play(&position, throw, mv);
    }
}

fn cast(random: &mut Xoshiro256PlusPlus) -> Throw {
    let mut left = random.random_range(0..16);
    for throw in THROWS {
        if left < throw.weight {
            return throw;
        }
        left -= throw.weight;
    }
    unreachable!("the weights are sixteenths")
}

/// All layers with at most this number of pieces per player.
fn chances(folder: &Path, pieces: u8) -> Result<Chances, EngineError> {
    let layer = |mover| move |opponent| SenetLayer::new(mover, opponent);
    let layers: Vec<SenetLayer> =
        (1..=pieces).flat_map(|mover| (1..=pieces).filter_map(layer(mover))).collect();
    let layers = load_layers::<Adapter>(&marquis_registry::official(), &Senet, folder, &layers)?;
    Ok(layers.into_iter().map(|layer| (layer.layer(), layer)).collect())
}

/// The chance of a player in a position.
fn chance(chances: &Chances, player: Player, position: &Position) -> f64 {
    let Some(layer) = SenetLayer::of(position) else {
        return if position.pieces(player).is_empty() { 1.0 } else { 0.0 };
    };
    let chance = chances[&layer].chance(layer.slot(position));
    if position.turn() == player { chance } else { 1.0 - chance }
}

impl Games {
    /// The share of the games that our player wins.
    ///
    /// # Errors
    /// A table cannot be read.
    ///
    /// Panics for more than five pieces or none, and for players with tables if there are none.
    pub fn run(&self) -> Result<Score, EngineError> {
        let tables = self.tables.as_deref().map(|folder| chances(folder, self.pieces)).transpose()?;
        let table = Table { judge: SenetJudge::clone(&Weights::embedded().senet()), chances: tables };
        let start = start(self.pieces).expect("one to five pieces");
        let mut score = Score::default();
        for number in 0..self.games / 2 {
            let seed = mixed(&[self.seed, number]);
            let won = Player::BOTH.map(|colour| wins(&table, &start, [self.ours, self.theirs], colour, seed));
            let won = won.into_iter().filter(|won| *won).count();
            score.pairs[won] += 1;
            score.won += won as u64;
            score.games += 2;
        }
        println!("{:?} against {:?}, {} pieces each: {score}", self.ours, self.theirs, self.pieces);
        Ok(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(ours: Name, theirs: Name, games: u64) -> Score {
        let games = Games { pieces: 3, ours, theirs, games, seed: 5, tables: None };
        games.run().expect("no table is asked for")
    }

    #[test]
    fn equal_players_share_every_pair_and_any_move_loses_to_the_network() {
        assert_eq!(games(Name::Rule, Name::Rule, 200).pairs, [0, 100, 0]);
        let score = games(Name::Network(0), Name::Any, 400);
        assert!(score.part() - score.error() > 0.55, "{score}");
    }

    #[test]
    fn simple_players_do_what_they_are_called_by() {
        let (_, position) = marquis_games::senet::parse("b1b1w5/10/10 b").expect("a position");
        let throw = THROWS[1];
        let table = Table { judge: SenetJudge::clone(&Weights::embedded().senet()), chances: None };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut from = |name| match table.choose(name, &position, throw, &mut random) {
            Move::Step { from, .. } | Move::Bump { from, .. } => from.number(),
            other => panic!("a step or a bump, found {other:?}"),
        };
        // Only the piece on 3 can move two steps, onto the enemy on 5; the piece on 1 is blocked by it.
        assert_eq!(from(Name::Rule), 3);
        assert_eq!(from(Name::Runner), 3);
        assert_eq!(from(Name::Counter), 3);
        let (_, position) = marquis_games::senet::parse("b2b6/10/w9 b").expect("a position");
        let mut from = |name| match table.choose(name, &position, throw, &mut random) {
            Move::Step { from, .. } | Move::Bump { from, .. } => from.number(),
            other => panic!("a step or a bump, found {other:?}"),
        };
        assert_eq!((from(Name::Rule), from(Name::Runner)), (1, 4));
    }
}
