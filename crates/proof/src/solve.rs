//! Answers both questions about a position, side by side, and proves the answers.

use std::time::Duration;

use marquis_core::{Bounds, ByPlayer, Hashed, Player};

use crate::disk::Disk;
use crate::job::{Gathered, SearchJob};
use crate::knowledge::{PathHeuristic, World};
use crate::settings::{SearchProgress, Settings, Unproved};
use crate::table::{Condition, QuestionTable, StoredAnswer};
use crate::{Ended, Heuristic, NoHeuristic, NoOracle, Numbers, Oracle, Question, SearchLimits, Strategy};

/// The findings about one move of the requested position.
#[derive(Clone, Copy, Debug)]
pub struct MoveFinding<M> {
    /// The move.
    pub mv: M,
    /// The proved bounds, for the player who makes it.
    pub bounds: Bounds,
}

/// The answer of a search.
#[derive(Clone, Debug)]
pub struct Findings<G: Hashed> {
    /// The proved bounds, for the player to move.
    pub bounds: Bounds,
    /// Why the search ended.
    pub ended: Ended,
    /// Positions expanded, in search and proofs together.
    pub nodes: u64,
    /// Time from the start to the last of the bounds.
    pub after: Duration,
    /// The strategies that prove the bounds; empty if rules or tables decide the position directly.
    pub strategies: Vec<Strategy<G>>,
    /// How far each prover's question was from its answer at the end; meaningless if nothing was searched.
    ///
    /// Settled numbers without a strategy are beliefs that the search could not prove within its limits.
    pub numbers: ByPlayer<Numbers>,
    /// The moves, in the order of the rules; empty if the game is over.
    pub moves: Vec<MoveFinding<G::Move>>,
    /// The belief beyond the bounds, if the value is unknown because a proof did not fit in memory.
    pub unproved: Option<Unproved>,
}

/// A solver of one game, with a transposition table that persists between positions.
///
/// A heap from which each player takes one or two stones is lost for the player to move if it has a multiple of
/// three:
///
/// ```
/// # use marquis_core::{Game, Over, Player, Reason};
/// #
/// # /// A heap of stones: take one or two; the player who takes the last one wins.
/// # #[derive(Clone, Debug)]
/// # struct Heap;
/// #
/// # impl Game for Heap {
/// #     type Position = (u8, Player);
/// #     type Move = u8;
/// #
/// #     fn turn(&self, &(_, turn): &Self::Position) -> Player {
/// #         turn
/// #     }
/// #
/// #     fn over(&self, &(stones, turn): &Self::Position) -> Option<Over> {
/// #         (stones == 0).then(|| Over::won(Reason::Stuck, turn.opponent()))
/// #     }
/// #
/// #     fn moves(&self, &(stones, _): &Self::Position, out: &mut Vec<u8>) {
/// #         out.extend(1..=stones.min(2));
/// #     }
/// #
/// #     fn play(&self, &(stones, turn): &Self::Position, taken: u8) -> Self::Position {
/// #         (stones - taken, turn.opponent())
/// #     }
/// # }
/// # impl marquis_core::Hashed for Heap {
/// #     fn key(&self, &(stones, turn): &Self::Position) -> u64 {
/// #         (u64::from(stones) << 1 | turn as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
/// #     }
/// # }
/// use marquis_core::{Bounds, Value};
/// use marquis_proof::{ProofSearch, SearchLimits, Settings};
///
/// let search = ProofSearch::new(&Heap, Settings::within(1 << 20, 1));
/// let found = search.solve(&(6, Player::First), &SearchLimits::default(), |_| {});
/// assert_eq!(found.bounds, Bounds::exact(Value::Loss));
/// ```
#[derive(Debug)]
pub struct ProofSearch<'a, G, O = NoOracle, H = NoHeuristic> {
    world: World<'a, G, O, H>,
    settings: Settings,
    table: QuestionTable,
    disk: Option<&'a Disk>,
}

impl<'a, G: Hashed> ProofSearch<'a, G> {
    /// A solver that knows only the rules.
    #[must_use]
    pub fn new(game: &'a G, settings: Settings) -> Self {
        Self::with_knowledge(game, &NoOracle, &NoHeuristic, settings)
    }
}

impl<'a, G: Hashed, O: Oracle<G>, H: Heuristic<G>> ProofSearch<'a, G, O, H> {
    /// A solver that also knows tables and a heuristic.
    #[must_use]
    pub fn with_knowledge(game: &'a G, oracle: &'a O, heuristic: &'a H, settings: Settings) -> Self {
        let world = World { game, oracle, heuristic };
        Self { world, settings, table: QuestionTable::with_bytes(settings.table_bytes), disk: None }
    }

    /// Adds disk, if any, for the proofs that do not fit in memory.
    #[must_use]
    pub fn with_disk_if_any(mut self, disk: Option<&'a Disk>) -> Self {
        self.disk = disk;
        self
    }

    /// Answers both questions about a position as far as the limits allow.
    ///
    /// The [`checker`](crate::checker) has replayed every bound in the findings on positions. `watch` is called about
    /// ten times a second, and at every new bound.
    pub fn solve(
        &self,
        position: &G::Position,
        limits: &SearchLimits<'_>,
        mut watch: impl FnMut(&SearchProgress),
    ) -> Findings<G> {
        let mut found = self.solve_all(std::slice::from_ref(position), &|_| false, limits, &mut watch);
        found.swap_remove(0)
    }

    /// Answers several positions side by side, until their bounds are `enough` or all are decided.
    ///
    /// The findings are in the order of the positions, and all ended for the same reason.
    pub fn solve_all(
        &self,
        positions: &[G::Position],
        enough: &(dyn Fn(&[Bounds]) -> bool + Sync),
        limits: &SearchLimits<'_>,
        watch: &mut dyn FnMut(&SearchProgress),
    ) -> Vec<Findings<G>> {
        let at_once: Vec<_> = positions.iter().map(|position| self.at_once(position)).collect();
        let roots = positions.iter().zip(&at_once).filter(|(_, bounds)| bounds.is_none());
        // Positions decided without a search are not searched, but count.
        let complete = |searched: &[Bounds]| {
            let mut searched = searched.iter().copied();
            let bounds = at_once.iter().map(|known| known.or_else(|| searched.next()));
            bounds.map(|bounds| bounds.unwrap_or(Bounds::UNKNOWN)).collect::<Vec<_>>()
        };
        let job = SearchJob {
            world: self.world,
            table: &self.table,
            roots: roots.map(|(&position, _)| position).collect(),
            enough: &|searched: &[Bounds]| enough(&complete(searched)),
            limits: *limits,
            settings: self.settings,
            disk: self.disk,
        };
        let (gathered, ended) =
            job.run(&mut |nodes, searched| watch(&SearchProgress { nodes, bounds: complete(searched) }));
        let mut gathered = gathered.into_iter();
        let findings = positions.iter().zip(&at_once).map(|(position, known)| {
            let found = known.map(Gathered::at_once).or_else(|| gathered.next());
            let Gathered { bounds, strategies, nodes, after, numbers, unproved } =
                found.unwrap_or_else(|| Gathered::at_once(Bounds::UNKNOWN));
            let moves = self.moves(position, bounds, &strategies);
            let unproved = unproved.filter(|_| bounds.value().is_none());
            Findings { bounds, ended, nodes, after, strategies, numbers, moves, unproved }
        });
        findings.collect()
    }

    /// How far both questions about each of these positions look from their answers, from earlier searches or the
    /// heuristic.
    ///
    /// Settled numbers are believed, not proved.
    ///
    /// * `position`: the one from which a move leads to each of `nexts`.
    #[must_use]
    pub fn numbers_below(&self, position: &G::Position, nexts: &[G::Position]) -> Vec<ByPlayer<Numbers>> {
        let mut along = PathHeuristic::new(self.world.heuristic);
        along.enter(position);
        let mut of = |next: &G::Position| {
            let known = self.table.look(self.world.place(&self.table, next));
            let mut numbers = |prover: Player| match (known[prover], known[prover.opponent()]) {
                (Some(StoredAnswer::Proved { .. }), _) => Numbers::PROVED,
                (_, Some(StoredAnswer::Proved { .. }))
                | (Some(StoredAnswer::Disproved(Condition::Always)), _) => Numbers::DISPROVED,
                (Some(StoredAnswer::Open(numbers)), _) => numbers,
                (Some(StoredAnswer::Disproved(_)) | None, _) => along.numbers(next, Question { prover }),
            };
            ByPlayer::new(numbers(Player::First), numbers(Player::Second))
        };
        nexts.iter().map(&mut of).collect()
    }

    /// The value, if rules or tables give it without a search.
    fn at_once(&self, position: &G::Position) -> Option<Bounds> {
        let turn = self.world.game.turn(position);
        if let Some(over) = self.world.game.over(position) {
            return Some(Bounds::exact(over.outcome.for_mover(turn)));
        }
        self.world.oracle.value(position).map(Bounds::exact)
    }

    /// The rules.
    pub(crate) fn game(&self) -> &G {
        self.world.game
    }

    /// The moves of a position, with the bounds that these bounds and strategies imply for each.
    pub(crate) fn moves(
        &self,
        position: &G::Position,
        bounds: Bounds,
        strategies: &[Strategy<G>],
    ) -> Vec<MoveFinding<G::Move>> {
        let game = self.world.game;
        let mut moves = Vec::new();
        if game.over(position).is_some() {
            return Vec::new();
        }
        game.moves(position, &mut moves);
        let turn = game.turn(position);
        let finding = |(number, mv)| {
            let next = game.play(position, mv);
            let own_turn = game.turn(&next) == turn;
            let foregone = || game.foregone(&next).map(|end| Bounds::exact(end.for_mover(game.turn(&next))));
            let mut found = self.at_once(&next).or_else(foregone).unwrap_or(Bounds::UNKNOWN);
            for strategy in strategies.iter().filter(|strategy| strategy.allows(game, number)) {
                found = found.and(strategy.kind.bounds(strategy.holder, game.turn(&next)));
            }
            let found = if own_turn { found } else { found.for_opponent() };
            let best = found.best.min(bounds.best);
            MoveFinding { mv, bounds: Bounds { worst: found.worst.min(best), best } }
        };
        moves.into_iter().enumerate().map(finding).collect()
    }
}

#[cfg(test)]
mod tests;
