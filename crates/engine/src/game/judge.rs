//! Estimates of unproved positions, by a game's evaluation.

use std::marker::PhantomData;
use std::num::NonZero;

use marquis_core::{Game, Hashed, Value};
use marquis_eval::{Calibration, Evaluate, Leaning, Wdl};
use marquis_play::{Budget, Candidate, Guide, Oracle, Proved, Searcher, Team, Thought};

use crate::game::first_sight::{Along, FirstSight};
use crate::game::tabled::Tabled;
use crate::query::Opponent;

/// A judge's estimate of a position and of each of its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement<M> {
    /// The chances of the player to move.
    pub wdl: Wdl,
    /// The value, if the look-ahead has proved it; never a draw.
    pub proved: Option<Proved>,
    /// The depth of the look-ahead, in plies.
    pub depth: u8,
    /// The number of positions examined.
    pub nodes: u64,
    /// The best line; its first move is the one to play.
    pub line: Vec<M>,
    /// The ply from which the value along the line is known for certain.
    pub exact_from: Option<u16>,
    /// The share of the finished depths that chose that move; only the last ones in a row count.
    pub stability: f64,
    /// Each legal move, best first; empty until the search of the line is finished.
    pub moves: Vec<JudgedMove<M>>,
}

/// A move, and the estimate for the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedMove<M> {
    /// The move.
    pub mv: M,
    /// The chances of the player who makes it.
    pub wdl: Wdl,
    /// The value, if the look-ahead has proved it.
    pub proved: Option<Proved>,
    /// The chance at a depth common to all unproved moves; the depth of `wdl` may differ between moves.
    pub alike: Option<f64>,
}

/// The resources of a judge.
#[derive(Clone, Copy)]
pub struct Means<'a, G: Tabled> {
    /// The limits of time and positions.
    pub budget: Budget<'a>,
    /// The maximum memory, in bytes.
    pub bytes: usize,
    /// The maximum number of threads; with one thread the result is deterministic.
    pub threads: NonZero<usize>,
    /// Certain knowledge, such as tables.
    pub oracle: &'a dyn Oracle<G::Rules>,
}

/// An estimator of unproved positions.
pub trait Judge<G: Tabled>: Send + Sync {
    /// The estimate of an unfinished position.
    ///
    /// * `means`: four fifths of the budget go to the best line, the rest to the other moves.
    /// * `report`: called each time the line has been searched one ply deeper.
    fn judge(
        &self,
        rules: &G::Rules,
        position: &G::Position,
        means: &Means<'_, G>,
        report: &mut dyn FnMut(Judgement<G::Move>),
    ) -> Judgement<G::Move>;

    /// The static evaluation of positions; `None` if the evaluation of this board is not learned.
    fn at_first_sight<'a>(&self, rules: &'a G::Rules) -> Option<Box<dyn FirstSight<G::Position> + 'a>>;

    /// The move of a player of the given level in an unfinished position.
    ///
    /// * `means`: only one thread is used, and the oracle is ignored.
    fn choose(
        &self,
        opponent: Opponent,
        rules: &G::Rules,
        position: &G::Position,
        means: &Means<'_, G>,
    ) -> JudgedMove<G::Move>;
}

/// Makes the evaluation of a board.
type EvaluationOf<G, E> = dyn Fn(&<G as Tabled>::Rules) -> E + Send + Sync;
/// Makes the calibration of its leanings in a position.
type CalibrationOf<G> = dyn Fn(&<G as Tabled>::Rules, &<G as Tabled>::Position) -> Calibration + Send + Sync;

/// A judge that searches ahead and evaluates the leaves.
pub struct LookAhead<G: Tabled, E, H> {
    evaluation: Box<EvaluationOf<G, E>>,
    calibration: Box<CalibrationOf<G>>,
    guide: PhantomData<fn() -> H>,
}

impl<G: Tabled, E, H> LookAhead<G, E, H> {
    /// A judge for every board of a game.
    ///
    /// * `evaluation`: makes the evaluation of a board.
    /// * `calibration`: makes the calibration of its leanings to a position and to the moves there.
    #[must_use]
    pub fn new(
        evaluation: impl Fn(&G::Rules) -> E + Send + Sync + 'static,
        calibration: impl Fn(&G::Rules, &G::Position) -> Calibration + Send + Sync + 'static,
    ) -> Self {
        Self { evaluation: Box::new(evaluation), calibration: Box::new(calibration), guide: PhantomData }
    }
}

impl<G, E, H> Judge<G> for LookAhead<G, E, H>
where
    G: Tabled,
    E: Evaluate<G::Rules> + Clone + Send + Sync + 'static,
    H: Guide<G::Rules> + Default + Clone + Send,
{
    fn judge(
        &self,
        rules: &G::Rules,
        position: &G::Position,
        means: &Means<'_, G>,
        report: &mut dyn FnMut(Judgement<G::Move>),
    ) -> Judgement<G::Move> {
        let Means { budget, bytes, threads, oracle } = *means;
        let (evaluation, calibration) = ((self.evaluation)(rules), (self.calibration)(rules, position));
        let view = View::<G> { rules, position, oracle, calibration };
        let mut team = Team::new(Searcher::with_oracle(evaluation, H::default(), oracle, bytes), threads);
        let mut by_depth: Vec<(u8, Leaning)> = Vec::new();
        let mut tell = |thought: &Thought<G::Move>| {
            by_depth.push((thought.depth, thought.leaning));
            report(view.judgement(thought.clone()));
        };
        let (thinking, rest) = divided(budget, rules, position);
        let thought = team.think(rules, &[], position, &thinking, &mut tell);
        let before = by_depth.iter().rfind(|(depth, _)| depth + 1 == thought.depth);
        let line = view.judgement(thought).steadied(before.map(|(_, leaning)| calibration.wdl(*leaning)));
        let candidates = team.candidates(rules, &[], position, &rest);
        view.with_moves(line, candidates)
    }

    fn at_first_sight<'a>(&self, rules: &'a G::Rules) -> Option<Box<dyn FirstSight<G::Position> + 'a>> {
        let evaluation = (self.evaluation)(rules);
        evaluation.is_learned().then(|| Box::new(Along::new(rules, evaluation)) as Box<_>)
    }

    fn choose(
        &self,
        Opponent { level, seed }: Opponent,
        rules: &G::Rules,
        position: &G::Position,
        means: &Means<'_, G>,
    ) -> JudgedMove<G::Move> {
        let mut searcher = Searcher::new((self.evaluation)(rules), H::default(), means.bytes);
        let calibration = (self.calibration)(rules, position);
        judged(calibration, searcher.play(level, seed, rules, &[], position, &means.budget))
    }
}

/// The estimates of the moves other than the best one get one part in `FOR_MOVES` of a budget.
const FOR_MOVES: u32 = 5;
/// The minimum number of positions for each of these moves, up to half of the budget in total.
const A_MOVE: u64 = 64;

/// The budgets of the best line and of the other moves.
fn divided<'b, G: Game>(budget: Budget<'b>, rules: &G, position: &G::Position) -> (Budget<'b>, Budget<'b>) {
    let mut moves = Vec::new();
    rules.moves(position, &mut moves);
    let few = A_MOVE * moves.len() as u64;
    let rest = (budget.nodes / u64::from(FOR_MOVES)).max(few.min(budget.nodes / 2));
    let thinking = budget.without(rest, FOR_MOVES);
    (thinking, Budget { nodes: budget.nodes - thinking.nodes, ..budget })
}

/// A position, and the context in which thoughts about it are interpreted.
struct View<'a, G: Tabled> {
    rules: &'a G::Rules,
    position: &'a G::Position,
    oracle: &'a dyn Oracle<G::Rules>,
    calibration: Calibration,
}

impl<G: Tabled> View<'_, G> {
    fn judgement(&self, thought: Thought<G::Move>) -> Judgement<G::Move> {
        let Thought { depth, nodes, line, leaning, proved, agreeing } = thought;
        Judgement {
            wdl: chances(self.calibration, leaning, proved),
            proved,
            depth,
            nodes,
            exact_from: self.exact_from(proved, &line),
            stability: f64::from(agreeing) / f64::from(depth.max(1)),
            line,
            moves: Vec::new(),
        }
    }

    /// The judgement with the estimates of all moves added to the line.
    fn with_moves(
        &self,
        line: Judgement<G::Move>,
        candidates: Vec<Candidate<G::Move>>,
    ) -> Judgement<G::Move> {
        let alike = alike(self.calibration, &candidates);
        let judged = |(candidate, alike)| JudgedMove { alike, ..judged(self.calibration, candidate) };
        let mut moves: Vec<JudgedMove<G::Move>> = candidates.into_iter().zip(alike).map(judged).collect();
        let wdl = prefer(&mut moves, &line.line[0], line.wdl, line.proved);
        let proved = line.proved.or_else(|| by_moves(&moves));
        let stays = moves[0].mv == line.line[0];
        let played = if stays { line.line } else { vec![moves[0].mv] };
        Judgement {
            wdl: proved.map_or(wdl, |proved| certain(proved.value)),
            proved,
            exact_from: self.exact_from(proved, &played),
            line: played,
            moves,
            ..line
        }
    }

    /// The ply of a line from which the value is known: 0 if the position is proved.
    fn exact_from(&self, proved: Option<Proved>, line: &[G::Move]) -> Option<u16> {
        if proved.is_some() {
            return Some(0);
        }
        let mut position = *self.position;
        let mut is_known = |&mv: &G::Move| {
            position = self.rules.play(&position, mv);
            let is_over = self.rules.over(&position).is_some();
            is_over || self.oracle.score_at_length(self.rules, &position).is_some()
        };
        line.iter().position(&mut is_known).map(|before| before as u16 + 1)
    }
}

/// A look-ahead is unsteady below this share of depths with the same first move.
const STEADY: f64 = 0.5;

impl<M> Judgement<M> {
    /// Averages the chances of an unsteady look-ahead with those of one ply less: odd and even depths end with moves
    /// of different players.
    fn steadied(self, before: Option<Wdl>) -> Self {
        match before {
            Some(before) if self.proved.is_none() && self.stability < STEADY => {
                let mean = |now: f64, before: f64| f64::midpoint(now, before);
                let Wdl { win, draw, loss } = self.wdl;
                let wdl = Wdl {
                    win: mean(win, before.win),
                    draw: mean(draw, before.draw),
                    loss: mean(loss, before.loss),
                };
                Self { wdl, ..self }
            }
            _ => self,
        }
    }
}

fn judged<M>(calibration: Calibration, candidate: Candidate<M>) -> JudgedMove<M> {
    let Candidate { mv, thought, .. } = candidate;
    let wdl = chances(calibration, thought.leaning, thought.proved);
    JudgedMove { mv, wdl, proved: thought.proved, alike: None }
}

/// The chance of each unproved move, at the greatest depth that all of them reached.
fn alike<M>(calibration: Calibration, candidates: &[Candidate<M>]) -> Vec<Option<f64>> {
    let is_open = |candidate: &&Candidate<M>| candidate.thought.proved.is_none();
    let depths = candidates.iter().filter(is_open).map(|candidate| candidate.by_depth.len()).min();
    let depth = depths.and_then(|depths| depths.checked_sub(1));
    let chance = |candidate: &Candidate<M>| {
        let leaning = *candidate.by_depth.get(depth?)?;
        is_open(&candidate).then(|| calibration.wdl(leaning).expected())
    };
    candidates.iter().map(chance).collect()
}

fn chances(calibration: Calibration, leaning: Leaning, proved: Option<Proved>) -> Wdl {
    proved.map_or_else(|| calibration.wdl(leaning), |proved| certain(proved.value))
}

/// Puts the move of the line, which was searched deepest, first, and caps the chances of the others at its own: the
/// deeper search has refuted what a shallower one prefers. If the search of that move alone has proved that it loses,
/// the order stays.
///
/// * `moves`: best first.
/// * Result: the chances of the position.
fn prefer<M: Copy + Eq>(moves: &mut [JudgedMove<M>], first: &M, wdl: Wdl, proved: Option<Proved>) -> Wdl {
    let is = |own: &JudgedMove<M>, value| own.proved.is_some_and(|proved| proved.value == value);
    if proved.is_none() && moves.iter().any(|own| own.mv == *first && is(own, Value::Loss)) {
        return moves[0].wdl;
    }
    let won = |own: &JudgedMove<M>| is(own, Value::Win);
    for own in moves.iter_mut() {
        if own.mv == *first {
            (own.wdl, own.proved) = (wdl, proved.or(own.proved));
        } else if !won(own) && own.wdl.expected() > wdl.expected() {
            own.wdl = wdl;
        }
    }
    // The sort is stable. A move that is proved to win comes before all estimates.
    moves.sort_by_key(|own| (!won(own), own.mv != *first));
    wdl
}

/// The proof that follows from moves, best first: the first one wins, or all lose.
fn by_moves<M>(moves: &[JudgedMove<M>]) -> Option<Proved> {
    let first = moves.first()?.proved?;
    let all_lose = || moves.iter().all(|own| own.proved.is_some_and(|proved| proved.value == Value::Loss));
    (first.value == Value::Win || all_lose()).then_some(first)
}

/// The chances of a certain value.
pub(crate) const fn certain(value: Value) -> Wdl {
    match value {
        Value::Win => Wdl { win: 1.0, draw: 0.0, loss: 0.0 },
        Value::Draw => Wdl { win: 0.0, draw: 1.0, loss: 0.0 },
        Value::Loss => Wdl { win: 0.0, draw: 0.0, loss: 1.0 },
    }
}

/// An evaluation that calls all positions even, for games that have no other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Even;

impl<G: Game> Evaluate<G> for Even {
    type State = ();

    fn see(&self, _: &G, _: &G::Position) {}

    fn follow(&self, _: &G, _: (&G::Position, &()), _: &G::Position, (): &mut ()) {}

    fn leaning(&self, _: &G, _: &G::Position, (): &()) -> Leaning {
        Leaning::default()
    }
}

/// A guide for which all moves are of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unguided;

impl<G: Hashed> Guide<G> for Unguided {
    const REPEATS: bool = true;

    fn kind(&self, _: &G, _: &G::Position, _: G::Move) -> usize {
        0
    }
}

impl<G: Tabled> LookAhead<G, Even, Unguided> {
    /// The judge of games without an evaluation: it sees near ends, and calls the rest even.
    pub(crate) fn blind() -> Self {
        Self::new(|_| Even, |_, _| Calibration::NONE)
    }
}

#[cfg(test)]
mod tests {
    use marquis_core::Plies;

    use super::*;

    fn judged(mv: u8, win: f64, proved: Option<Value>) -> JudgedMove<u8> {
        let proved = proved.map(|value| Proved { value, within: Plies(3) });
        JudgedMove { mv, wdl: Wdl { win, draw: 0.0, loss: 1.0 - win }, proved, alike: None }
    }

    #[test]
    fn a_look_that_goes_back_and_forth_is_the_mean_of_two_depths() {
        let wdl = |win| Wdl { win, draw: 0.0, loss: 1.0 - win };
        let look = |stability, proved| Judgement::<u8> {
            wdl: wdl(0.75),
            proved,
            depth: 4,
            nodes: 9,
            line: vec![1],
            exact_from: None,
            stability,
            moves: Vec::new(),
        };
        assert_eq!(look(0.25, None).steadied(Some(wdl(0.25))).wdl, wdl(0.5));
        assert_eq!(look(0.25, None).steadied(None).wdl, wdl(0.75));
        assert_eq!(look(0.75, None).steadied(Some(wdl(0.25))).wdl, wdl(0.75));
        let proved = Some(Proved { value: Value::Win, within: Plies(3) });
        assert_eq!(look(0.25, proved).steadied(Some(wdl(0.25))).wdl, wdl(0.75));
    }

    #[test]
    fn the_move_of_the_line_comes_first_but_for_proved_wins_and_none_is_better() {
        let wdl = Wdl { win: 0.6, draw: 0.0, loss: 0.4 };
        let mut moves = [judged(1, 0.9, None), judged(2, 0.5, None), judged(3, 0.4, None)];
        prefer(&mut moves, &2, wdl, None);
        assert_eq!(moves.map(|own| (own.mv, own.wdl.win)), [(2, 0.6), (1, 0.6), (3, 0.4)]);
        let mut moves = [judged(1, 1.0, Some(Value::Win)), judged(2, 0.5, None)];
        prefer(&mut moves, &2, wdl, None);
        assert_eq!(moves.map(|own| (own.mv, own.wdl.win)), [(1, 1.0), (2, 0.6)]);
    }

    #[test]
    fn a_move_of_the_line_that_loses_is_not_preferred() {
        let wdl = Wdl { win: 0.6, draw: 0.0, loss: 0.4 };
        let mut moves = [judged(1, 0.5, None), judged(2, 0.4, None), judged(3, 0.0, Some(Value::Loss))];
        assert_eq!(prefer(&mut moves, &3, wdl, None).win, 0.5);
        assert_eq!(moves.map(|own| (own.mv, own.wdl.win)), [(1, 0.5), (2, 0.4), (3, 0.0)]);
    }
}
