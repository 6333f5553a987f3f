//! One position of the search, and its subtree.

use marquis_core::{Hashed, Score};
use marquis_eval::Evaluate;

use super::order::REMEMBERED;
use super::{MOST_PLIES, Searcher};
use crate::guide::{Guide, Oracle};
use crate::table::BoundKind;
use crate::{Budget, Worth};

/// From this remaining depth on, the oracle may take its time.
const AT_LENGTH: i32 = 6;

/// A limit was reached.
pub(super) enum SearchHalt {
    /// There is no result.
    Nothing,
    /// At the root: a move of this worth was found before.
    Better(Worth),
}

/// The bounds of a search.
#[derive(Clone, Copy)]
struct SearchWindow {
    alpha: Worth,
    beta: Worth,
}

impl<G: Hashed, E: Evaluate<G>, H: Guide<G>, O: Oracle<G>> Searcher<G, E, H, O> {
    /// The worth of a position: exact between `alpha` and `beta`, otherwise a bound.
    ///
    /// * `depth`: remaining plies; captures are searched beyond it.
    #[expect(clippy::too_many_arguments, reason = "what changes from one ply to the next")]
    pub(super) fn node(
        &mut self,
        game: &G,
        position: &G::Position,
        mut alpha: Worth,
        beta: Worth,
        depth: i32,
        ply: usize,
        budget: &Budget<'_>,
    ) -> Result<Worth, SearchHalt> {
        self.nodes += 1;
        self.lines[ply].clear();
        if budget.reached(self.nodes) && (ply > 0 || self.nodes > 1) {
            return Err(SearchHalt::Nothing);
        }
        if ply > 0
            && let Some(over) = game.over(position)
        {
            let value = over.outcome.for_mover(game.turn(position));
            return Ok(Worth::known(Score::finished(value), ply));
        }
        let key = game.key(position);
        if H::REPEATS && ply > 0 && self.path.iter().rev().any(|seen| seen.0 == key && seen.1 == *position) {
            return Ok(Worth::DRAW);
        }
        let mut remembered = None;
        if let Some(entry) = self.table.get(key, position) {
            remembered = entry.best;
            let worth = entry.worth.seen_from_root(ply);
            let deep = i32::from(entry.depth) >= depth && beta <= alpha.above();
            let answers = match entry.kind {
                BoundKind::Exact => true,
                BoundKind::AtLeast => worth >= beta,
                BoundKind::AtMost => worth <= alpha,
            };
            if ply > 0 && (entry.is_proof() || deep && answers) {
                return Ok(worth);
            }
        }
        if ply > 0
            && let Some(score) = self.told(game, position, depth)
        {
            return Ok(Worth::known(score, ply));
        }
        if ply > 0 {
            self.follow(game, position, ply);
        }
        if ply == MOST_PLIES {
            return Ok(Worth::estimate(self.evaluation.leaning(game, position, &self.states[ply])));
        }
        let mut best = Worth::LEAST;
        if depth <= 0 {
            best = Worth::estimate(self.evaluation.leaning(game, position, &self.states[ply]));
            if best >= beta || depth <= -i32::from(H::LOOKS_PAST) {
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        self.path.push((key, *position));
        let window = SearchWindow { alpha, beta };
        let outcome = self.moves_of(game, position, window, (depth, best), ply, remembered, budget);
        self.path.pop();
        let (worth, best_move) = outcome?;
        if depth > 0 {
            let kind = if worth >= beta {
                BoundKind::AtLeast
            } else if worth > alpha {
                BoundKind::Exact
            } else {
                BoundKind::AtMost
            };
            self.table.put(key, position, best_move, (worth.seen_from_here(ply), kind), depth as i8);
        }
        Ok(worth)
    }

    /// The score that the oracle knows; it may take its time if a large subtree would have to be searched.
    #[inline]
    fn told(&self, game: &G, position: &G::Position, depth: i32) -> Option<Score> {
        if depth >= AT_LENGTH {
            self.oracle.score_at_length(game, position)
        } else {
            self.oracle.score(game, position)
        }
    }

    /// Updates the state of the evaluation from the previous ply to this one.
    #[inline]
    fn follow(&mut self, game: &G, position: &G::Position, ply: usize) {
        let (above, here) = self.states.split_at_mut(ply);
        let parent = &self.path[self.path.len() - 1].1;
        self.evaluation.follow(game, (parent, &above[ply - 1]), position, &mut here[0]);
    }

    /// The best worth of the moves, and the move if it is better than `alpha`.
    #[expect(clippy::too_many_arguments, reason = "what changes from one ply to the next")]
    fn moves_of(
        &mut self,
        game: &G,
        position: &G::Position,
        SearchWindow { mut alpha, beta }: SearchWindow,
        (depth, mut best): (i32, Worth),
        ply: usize,
        remembered: Option<G::Move>,
        budget: &Budget<'_>,
    ) -> Result<(Worth, Option<G::Move>), SearchHalt> {
        let player = game.turn(position) as usize;
        let mut moves = std::mem::take(&mut self.moves[ply]);
        self.list(game, position, depth <= 0, ply, remembered, &mut moves);
        let mut best_move = None;
        let mut outcome = Ok(());
        for number in 0..moves.len() {
            let (rank, mv) = pick(&mut moves, number);
            let next = game.play(position, mv);
            let reduction = if H::REDUCES { reduction(depth, number, rank) } else { 0 };
            let found =
                self.look(game, &next, SearchWindow { alpha, beta }, (depth, reduction), number, ply, budget);
            let worth = match found {
                Ok(worth) => worth,
                Err(_) if ply == 0 && best_move.is_some() => {
                    outcome = Err(SearchHalt::Better(best));
                    break;
                }
                Err(halt) => {
                    outcome = Err(halt);
                    break;
                }
            };
            if worth > best {
                best = worth;
            }
            if worth > alpha {
                alpha = worth;
                best_move = Some(mv);
                self.keep_line(ply, mv);
            }
            if worth >= beta {
                if rank < super::order::NOISY_AND_MORE {
                    self.reward(game, position, &moves[..=number], depth, ply, player);
                }
                break;
            }
        }
        self.moves[ply] = moves;
        outcome.map(|()| (best, best_move))
    }

    /// The worth of a move: by a null-window search, and by a full one if it may be the best.
    #[expect(clippy::too_many_arguments, reason = "what changes from one ply to the next")]
    #[inline]
    fn look(
        &mut self,
        game: &G,
        next: &G::Position,
        SearchWindow { alpha, beta }: SearchWindow,
        (depth, reduction): (i32, i32),
        number: usize,
        ply: usize,
        budget: &Budget<'_>,
    ) -> Result<Worth, SearchHalt> {
        let mut full = number == 0;
        if !full {
            let narrow = -alpha.above();
            let mut worth = -self.node(game, next, narrow, -alpha, depth - 1 - reduction, ply + 1, budget)?;
            if worth > alpha && reduction > 0 {
                worth = -self.node(game, next, narrow, -alpha, depth - 1, ply + 1, budget)?;
            }
            full = worth > alpha && worth < beta;
            if !full {
                return Ok(worth);
            }
        }
        Ok(-self.node(game, next, -beta, -alpha, depth - 1, ply + 1, budget)?)
    }

    /// Lists the moves with their ranks; only the noisy ones in a leaf.
    fn list(
        &mut self,
        game: &G,
        position: &G::Position,
        leaf: bool,
        ply: usize,
        remembered: Option<G::Move>,
        moves: &mut Vec<(i32, G::Move)>,
    ) {
        let player = game.turn(position) as usize;
        self.listed.clear();
        game.moves(position, &mut self.listed);
        moves.clear();
        for &mv in &self.listed {
            let noisy = self.guide.is_noisy(game, position, mv);
            if leaf && !noisy {
                continue;
            }
            let rank = if remembered == Some(mv) {
                REMEMBERED
            } else {
                self.order.rank(ply, player, self.guide.kind(game, position, mv), noisy)
            };
            moves.push((rank, mv));
        }
    }

    /// Rewards the last move, which caused the cutoff, and penalizes those before it.
    fn reward(
        &mut self,
        game: &G,
        position: &G::Position,
        moves: &[(i32, G::Move)],
        depth: i32,
        ply: usize,
        player: usize,
    ) {
        let Some((&(_, good), others)) = moves.split_last() else { return };
        self.order.reward(ply, player, self.guide.kind(game, position, good), depth);
        for &(_, other) in others {
            self.order.blame(player, self.guide.kind(game, position, other), depth);
        }
    }

    fn keep_line(&mut self, ply: usize, mv: G::Move) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}

/// Swaps the best of the moves from `number` on into that place.
#[inline]
fn pick<M: Copy>(moves: &mut [(i32, M)], number: usize) -> (i32, M) {
    let mut best = number;
    for other in number + 1..moves.len() {
        if moves[other].0 > moves[best].0 {
            best = other;
        }
    }
    moves.swap(number, best);
    moves[number]
}

/// The number of plies by which a late move is reduced.
#[inline]
fn reduction(depth: i32, number: usize, rank: i32) -> i32 {
    if depth < 3 || number < 3 || rank >= super::order::KILLER_AND_MORE {
        return 0;
    }
    1 + i32::from(number >= 10) + i32::from(depth >= 7 && number >= 6)
}
