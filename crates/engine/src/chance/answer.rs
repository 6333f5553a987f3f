//! The chance of winning in a game with throws, from tables or by value iteration between two bounds.

use std::cell::RefCell;

use marquis_chance::{ChanceInterval, SolvedChances};
use marquis_core::{Chance, ChanceNotation as _, Player, Throw, Value};

use super::tables::ChanceTables;
use crate::game::chance::ChanceGame;
use crate::knowledge::known::Known;
use crate::query::Detail;
use crate::results::{ChanceKnowledge, ChanceSolution, Proof, Thrown, Weighed};
use crate::{Control, EngineError, Limits, Progress};
use marquis_wire::book::Made;

/// The most states for which a game is solved by iteration over explicit edges.
const MOST_STATES: usize = 4_000_000;
/// The slots of a layer above which a reachable set of `MOST_STATES` is out of the question; such positions are not
/// solved by iteration.
const VAST_LAYER: u64 = 16 * MOST_STATES as u64;
/// The approximate memory for a state and its moves.
const BYTES_PER_STATE: u64 = 150;
/// The most states of a solution that is kept for the next question: 100 MB.
const KEPT_STATES: usize = 1_500_000;
/// The largest gap between the bounds of a solved position.
const GAP: f64 = 1e-10;

const fn exactly(chance: f64) -> ChanceKnowledge {
    ChanceKnowledge::Certified(ChanceInterval { lower: chance, upper: chance })
}

/// The worth of every position for the player to throw.
type WorthOf<'a, G> = &'a dyn Fn(&<G as ChanceGame>::Position) -> ChanceKnowledge;

/// The answer from the rules alone.
fn unknown<G: ChanceGame>(
    game: &G::Rules,
    position: &G::Position,
    throw: Option<Throw>,
    detail: Detail,
) -> ChanceSolution<G> {
    answer(game, position, throw, Proof::None, &|_| ChanceKnowledge::UNKNOWN, detail)
}

/// Whether a chance is known, not estimated.
pub(super) fn decided<G: ChanceGame>(solution: &ChanceSolution<G>) -> bool {
    matches!(solution.worth, ChanceKnowledge::Certified(between) if between != ChanceInterval::UNKNOWN)
}

/// The answer if the worth of every reachable position is known.
pub(super) fn answer<G: ChanceGame>(
    game: &G::Rules,
    position: &G::Position,
    throw: Option<Throw>,
    proof: Proof,
    worth: WorthOf<'_, G>,
    detail: Detail,
) -> ChanceSolution<G> {
    let over = game.over(position);
    if over.is_some() {
        let worth = worth_of::<G>(game, position, game.turn(position), worth);
        return ChanceSolution {
            position: *position,
            over,
            worth,
            proof: Proof::Rules,
            throws: Vec::new(),
            entry: None,
        };
    }
    let asked = game.throws().iter().copied().filter(|&t| throw.is_none_or(|asked| asked == t));
    let throws: Vec<_> = asked.map(|throw| thrown(game, position, throw, worth, detail)).collect();
    let worth = match throw {
        // With the throw known, the chance is that of the throw.
        Some(throw) => best::<G>(&weighed(game, position, throw, worth)),
        None => worth(position),
    };
    let solution = ChanceSolution { position: *position, over, worth, proof, throws, entry: None };
    // A throw that ends the game is certain even if nothing else is known.
    let follows = proof == Proof::None && decided(&solution);
    ChanceSolution { proof: if follows { Proof::Search } else { proof }, ..solution }
}

/// The worth of a position for `player`, finished or not.
fn worth_of<G: ChanceGame>(
    game: &G::Rules,
    position: &G::Position,
    player: Player,
    worth: WorthOf<'_, G>,
) -> ChanceKnowledge {
    let turn = game.turn(position);
    let for_turn = match game.over(position) {
        Some(over) => exactly(if over.outcome.for_mover(turn) == Value::Win { 1.0 } else { 0.0 }),
        None => worth(position),
    };
    if turn == player { for_turn } else { for_turn.for_opponent() }
}

/// Each move of a throw with its worth.
fn weighed<G: ChanceGame>(
    game: &G::Rules,
    position: &G::Position,
    throw: Throw,
    worth: WorthOf<'_, G>,
) -> Vec<Weighed<G>> {
    let mut moves = Vec::new();
    game.moves(position, throw, &mut moves);
    let weigh = |mv| {
        let after = game.play(position, throw, mv);
        Weighed { mv, after, worth: worth_of::<G>(game, &after, game.turn(position), worth) }
    };
    moves.into_iter().map(weigh).collect()
}

/// The worth of the best move.
pub(super) fn best<G: ChanceGame>(weighed: &[Weighed<G>]) -> ChanceKnowledge {
    weighed.iter().map(|choice| choice.worth).reduce(ChanceKnowledge::max).unwrap_or(ChanceKnowledge::UNKNOWN)
}

fn thrown<G: ChanceGame>(
    game: &G::Rules,
    position: &G::Position,
    throw: Throw,
    worth: WorthOf<'_, G>,
    detail: Detail,
) -> Thrown<G> {
    let mut choices = weighed(game, position, throw, worth);
    let worth = best(&choices);
    match detail {
        Detail::Moves => rank(game, position, &mut choices),
        Detail::Value | Detail::Known => choices.clear(),
    }
    Thrown { throw, worth, choices }
}

/// Sorts moves by their chances in descending order, and equal ones by their texts.
pub(super) fn rank<G: ChanceGame>(game: &G::Rules, position: &G::Position, choices: &mut [Weighed<G>]) {
    let chance = |choice: &Weighed<G>| choice.worth.chance().unwrap_or(0.0);
    let text = |choice: &Weighed<G>| game.move_text(position, choice.mv);
    choices.sort_by(|a, b| chance(b).total_cmp(&chance(a)).then_with(|| text(a).cmp(&text(b))));
}

impl Known {
    /// The chance of a position by the tables and the last solution, or unknown; the book is not used.
    ///
    /// # Errors
    /// A table that cannot be read.
    pub(crate) fn probe_chance<G: ChanceGame>(
        &self,
        game: &G::Rules,
        position: &G::Position,
        throw: Option<Throw>,
        detail: Detail,
    ) -> Result<ChanceSolution<G>, EngineError> {
        if let Some(answer) = self.tabled_chance::<G>(game, position, throw, detail)? {
            return Ok(answer);
        }
        let kept = self.kept_chance::<G>(game, position, throw, detail);
        Ok(kept.unwrap_or_else(|| unknown(game, position, throw, detail)))
    }

    /// The chance by the last solution, if this position is reachable from its root.
    fn kept_chance<G: ChanceGame>(
        &self,
        game: &G::Rules,
        position: &G::Position,
        throw: Option<Throw>,
        detail: Detail,
    ) -> Option<ChanceSolution<G>> {
        let kept = self.last::<LastSolved<G>>().filter(|kept| kept.rules == *game)?;
        let solved = &kept.solved;
        solved.between(position)?;
        let worth = |position: &G::Position| {
            solved.between(position).map_or(ChanceKnowledge::UNKNOWN, ChanceKnowledge::Certified)
        };
        Some(answer(game, position, throw, Proof::Search, &worth, detail))
    }

    /// The chance by the tables, if they hold the position.
    fn tabled_chance<G: ChanceGame>(
        &self,
        game: &G::Rules,
        position: &G::Position,
        throw: Option<Throw>,
        detail: Detail,
    ) -> Result<Option<ChanceSolution<G>>, EngineError> {
        let tables = self.tables().of::<ChanceTables<G>>(G::ID).unwrap_or_default();
        if game.over(position).is_some() || tables.look_up(game, position)?.is_none() {
            return Ok(None);
        }
        let trouble = RefCell::new(None);
        let worth = |position: &G::Position| {
            let found = tables.look_up(game, position).unwrap_or_else(|error| {
                trouble.borrow_mut().get_or_insert(error);
                None
            });
            found.map_or(ChanceKnowledge::UNKNOWN, ChanceKnowledge::Certified)
        };
        let answer = answer(game, position, throw, Proof::Table, &worth, detail);
        trouble.into_inner().map_or(Ok(Some(answer)), Err)
    }

    /// The chance of the player to throw, and of every move of every throw.
    pub(crate) fn solve_chance<G: ChanceGame>(
        &self,
        game: &G::Rules,
        position: &G::Position,
        throw: Option<Throw>,
        limits: &Limits,
        control: &Control<'_>,
    ) -> Result<ChanceSolution<G>, EngineError> {
        if game.over(position).is_some() {
            return Ok(unknown(game, position, throw, Detail::Moves));
        }
        if let Some(answer) = self.tabled_chance::<G>(game, position, throw, Detail::Moves)? {
            return Ok(answer);
        }
        if let Some(answer) = self.kept_chance::<G>(game, position, throw, Detail::Moves) {
            return Ok(answer);
        }
        let takes_tables =
            self.booked_chance::<G>(game, position).is_some_and(|known| known.entry.made == Made::Tables);
        if takes_tables || G::layer(game, position).is_some_and(|layer| G::slots(game, layer) > VAST_LAYER) {
            return Ok(unknown(game, position, throw, Detail::Moves));
        }
        let by_memory = usize::try_from(limits.memory_bytes() / BYTES_PER_STATE).unwrap_or(usize::MAX);
        let nodes = limits.nodes.map_or(usize::MAX, |nodes| usize::try_from(nodes).unwrap_or(usize::MAX));
        let states = MOST_STATES.min(by_memory).min(nodes);
        let bounded = marquis_chance::IterationLimits {
            states,
            deadline: limits.deadline(control),
            sharing: control.sharing(),
            stop: control.flag(),
            gap: GAP,
        };
        let mut tell = |progress: marquis_chance::IterationProgress| {
            let phase = match progress.sweeps {
                0 => "finding positions".to_owned(),
                sweep => format!("sweep {sweep}, bounds {:.1e} apart", progress.gap),
            };
            control.tell(&Progress { phase, done: progress.states as u64, total: None, bounds: None });
        };
        // Whichever limit ended it: only the rules are known.
        let Ok(solved) = marquis_chance::solve(game, position, &bounded, &mut tell) else {
            return Ok(unknown(game, position, throw, Detail::Moves));
        };
        let worth = |position: &G::Position| {
            solved.between(position).map_or(ChanceKnowledge::UNKNOWN, ChanceKnowledge::Certified)
        };
        let answer = answer(game, position, throw, Proof::Search, &worth, Detail::Moves);
        if solved.states() <= KEPT_STATES {
            // A player who continues asks about positions reachable from this one.
            self.keep_last(LastSolved::<G> { rules: game.clone(), solved });
        }
        Ok(answer)
    }
}

/// The last solution that is small enough to keep, and its rules.
struct LastSolved<G: ChanceGame> {
    rules: G::Rules,
    solved: SolvedChances<G::Rules>,
}
